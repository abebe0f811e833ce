"""`gpu`: reductions over blocks of any size, messages to the host, matrices of a warp."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled, descriptors, launch
from weft.codegen import compile_module


def reduction(operation: str, type_: str, block: str, attributes: str) -> Any:
    return compiled(reducing(operation, type_, block, attributes))


def reducing(operation: str, type_: str, block: str, attributes: str) -> str:
    return f"""gpu.module @m {{ gpu.func @k(%in: memref<?x{type_}>, %out: memref<?x{type_}>) kernel {attributes} {{
          %x = gpu.thread_id x
          %y = gpu.thread_id y
          %nx = gpu.block_dim x
          %row = arith.muli %y, %nx : index
          %i = arith.addi %row, %x : index
          %a = memref.load %in[%i] : memref<?x{type_}>
          %r = gpu.all_reduce {operation} %a {block} : ({type_}) -> ({type_})
          memref.store %r, %out[%i] : memref<?x{type_}>
          gpu.return
        }} }}"""


KNOWN = "attributes {known_block_size = array<i32: 64, 2, 1>}"
SIZES = [((64, 2), KNOWN), ((64, 2), ""), ((5, 3), ""), ((33, 1), ""), ((128, 3), ""), ((1, 1), "")]
FEW = [(1, 1), (2, 1), (5, 3), (31, 1), (32, 1), (33, 1)]


@pytest.mark.sample(3)
@pytest.mark.parametrize("block", FEW)
def test_reduction_of_a_block_of_few_threads(block: tuple[int, int]) -> None:
    """Where the size is known: one warp, all or some of it, gives its result to its own lanes only."""
    count = block[0] * block[1]
    values = np.arange(3, 3 + count, dtype=np.int32)
    known = f"attributes {{known_block_size = array<i32: {block[0]}, {block[1]}, 1>}}"
    module, out = compile_module(reducing("add", "i32", "uniform {}", known), "sm_80"), np.zeros(count, np.int32)
    assert ("bar.sync" in module.to_ptx()) == (count > 32)
    launch(module, "k", 1, block, [values, out])
    assert out.tolist() == [values.sum()] * count


@pytest.mark.sample(3)
@pytest.mark.parametrize(("block", "attributes"), SIZES)
def test_reduction_of_a_block(block: tuple[int, int], attributes: str) -> None:
    count = block[0] * block[1]
    rng = np.random.default_rng(count)
    values = rng.integers(-1000, 1000, count).astype(np.int32)
    out = np.zeros(count, np.int32)
    launch(reduction("add", "i32", "uniform {}", attributes), "k", 1, block, [values, out])
    assert out.tolist() == [values.sum()] * count


@pytest.mark.parametrize(("block", "attributes"), SIZES[:3])
def test_reduction_by_a_region(block: tuple[int, int], attributes: str) -> None:
    count = block[0] * block[1]
    rng = np.random.default_rng(count)
    values = rng.standard_normal(count).astype(np.float32)
    out = np.zeros(count, np.float32)
    region = """{
      ^bb0(%l : f32, %r0 : f32):
        %big = arith.maximumf %l, %r0 : f32
        "gpu.yield"(%big) : (f32) -> ()
      }"""
    launch(reduction("", "f32", region, attributes), "k", 1, block, [values, out])
    assert out.tolist() == [values.max()] * count


@pytest.mark.sample(4)
@pytest.mark.parametrize("type_", ["i32", "i64", "f32"])
@pytest.mark.parametrize(("count", "known"), [(1, False), (31, False), (70, False), (1024, False), (288, True)])
def test_reductions_in_a_loop(count: int, known: bool, type_: str) -> None:
    """Each turn reduces what the last one gave, in memory that the last one used, too: no warp is ahead of another."""
    attributes = f"attributes {{known_block_size = array<i32: {count}, 1, 1>}}" if known else ""
    add = f"arith.{'addf' if type_ == 'f32' else 'addi'}"
    module = compiled(
        f"""gpu.module @m {{ gpu.func @k(%in: memref<?x{type_}>, %out: memref<?x{type_}>) kernel {attributes} {{
          %i = gpu.thread_id x
          %zero = arith.constant 0 : index
          %one = arith.constant 1 : index
          %three = arith.constant 3 : index
          %a = memref.load %in[%i] : memref<?x{type_}>
          %r = scf.for %n = %zero to %three step %one iter_args(%v = %a) -> ({type_}) {{
            %m = gpu.all_reduce max{"numf" if type_ == "f32" else "si"} %v uniform {{}} : ({type_}) -> ({type_})
            %w = {add} %m, %a : {type_}
            scf.yield %w : {type_}
          }}
          memref.store %r, %out[%i] : memref<?x{type_}>
          gpu.return
        }} }}"""
    )
    dtype = {"i32": np.int32, "i64": np.int64, "f32": np.float32}[type_]
    values = np.random.default_rng(count).integers(-1000, 1000, count).astype(dtype)
    out = np.zeros(count, dtype)
    pytest.importorskip("weft.sim").run(module, "k", 1, count, descriptors([values, out]), check="strict")
    assert out.tolist() == (values + 3 * values.max()).tolist()


def test_two_reductions_in_a_row() -> None:
    module = compiled(
        """gpu.module @m { gpu.func @k(%in: memref<?xi32>, %out: memref<?xi32>) kernel {
          %i = gpu.thread_id x
          %a = memref.load %in[%i] : memref<?xi32>
          %s = gpu.all_reduce add %a uniform {} : (i32) -> (i32)
          %m = gpu.all_reduce maxsi %a uniform {} : (i32) -> (i32)
          %r = arith.addi %s, %m : i32
          memref.store %r, %out[%i] : memref<?xi32>
          gpu.return
        } }""",
        "sm_80",
    )
    values, out = np.arange(77, dtype=np.int32), np.zeros(77, np.int32)
    launch(module, "k", 1, 77, [values, out])
    assert out.tolist() == [values.sum() + values.max()] * 77


def test_messages(capsys: pytest.CaptureFixture[str]) -> None:
    module = compiled(
        """gpu.module @m { gpu.func @k(%f: f32, %i: i32, %l: index) kernel {
          %b = arith.trunci %i : i32 to i8
          gpu.printf "%d %f %lld %d\\n", %i, %f, %l, %b : i32, f32, index, i8
          gpu.printf "plain\\n"
          gpu.return
        } }""",
        "sm_80",
    )
    run = pytest.importorskip("weft.sim").run
    result = run(module, "k", 1, 1, [1.5, -7, 1 << 40])
    assert result.output == f"-7 1.500000 {1 << 40} -7\nplain\n"


def test_assertions() -> None:
    module = compiled(
        """gpu.module @m { gpu.func @k(%i: i32) kernel {
          %c = arith.constant 3 : i32
          %t = arith.cmpi slt, %i, %c : i32
          cf.assert %t, "too large"
          gpu.return
        } }""",
        "sm_80",
    )
    simulator = pytest.importorskip("weft.sim")
    simulator.run(module, "k", 1, 1, [2])
    with pytest.raises(simulator.KernelFault, match="too large"):
        simulator.run(module, "k", 1, 1, [3])


WMMA = [
    ("f16", "f16", (16, 16, 16)), ("f16", "f32", (16, 16, 16)), ("f16", "f32", (8, 32, 16)), ("f16", "f32", (32, 8, 16)),
    ("si8", "i32", (16, 16, 16)), ("f32", "f32", (16, 16, 8)), ("f64", "f64", (8, 8, 4)),
]  # fmt: skip


NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "si8": np.int8, "i32": np.int32}


@pytest.mark.sample(3)
@pytest.mark.parametrize(("element", "accumulator", "shape"), WMMA)
@pytest.mark.parametrize("transposed", [False, True])
def test_matrices_of_a_warp(element: str, accumulator: str, shape: tuple[int, int, int], transposed: bool) -> None:
    m, n, k = shape
    stored = "i8" if element == "si8" else element
    flag = ", transpose" if transposed else ""
    operand = " {b_transpose}" if transposed else ""
    text = f"""gpu.module @m {{ gpu.func @k(%A: memref<64x64x{stored}>, %B: memref<64x64x{stored}>,
        %C: memref<64x64x{accumulator}>) kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
      %i = arith.constant 0 : index
      %a = gpu.subgroup_mma_load_matrix %A[%i, %i] {{leadDimension = 64 : index}} : memref<64x64x{stored}> -> !gpu.mma_matrix<{m}x{k}x{element}, "AOp">
      %b = gpu.subgroup_mma_load_matrix %B[%i, %i] {{leadDimension = 64 : index{flag}}} : memref<64x64x{stored}> -> !gpu.mma_matrix<{k}x{n}x{element}, "BOp">
      %c = gpu.subgroup_mma_load_matrix %C[%i, %i] {{leadDimension = 64 : index}} : memref<64x64x{accumulator}> -> !gpu.mma_matrix<{m}x{n}x{accumulator}, "COp">
      %d = gpu.subgroup_mma_compute %a, %b, %c{operand} : !gpu.mma_matrix<{m}x{k}x{element}, "AOp">, !gpu.mma_matrix<{k}x{n}x{element}, "BOp"> -> !gpu.mma_matrix<{m}x{n}x{accumulator}, "COp">
      gpu.subgroup_mma_store_matrix %d, %C[%i, %i] {{leadDimension = 64 : index}} : !gpu.mma_matrix<{m}x{n}x{accumulator}, "COp">, memref<64x64x{accumulator}>
      gpu.return
    }} }}"""
    module = compiled(text, "sm_80")
    rng = np.random.default_rng(m)
    a, b = (rng.integers(-8, 8, (64, 64)).astype(NUMPY[element]) for _ in range(2))
    c = rng.integers(-8, 8, (64, 64)).astype(NUMPY[accumulator])
    right = b.T if transposed else b
    wanted = c.copy()
    wanted[:m, :n] += (a[:m, :k].astype(np.float64) @ right[:k, :n].astype(np.float64)).astype(c.dtype)
    launch(module, "k", 1, 32, [a, b, c])
    assert np.array_equal(c, wanted)


def test_elements_of_matrices() -> None:
    half = '!gpu.mma_matrix<16x16xf16, "COp">'
    text = f"""gpu.module @m {{ gpu.func @k(%C: memref<16x16xf16>, %x: f16) kernel {{
      %i = arith.constant 0 : index
      %z = gpu.subgroup_mma_constant_matrix %x : {half}
      %c = gpu.subgroup_mma_load_matrix %C[%i, %i] {{leadDimension = 16 : index}} : memref<16x16xf16> -> {half}
      %s = gpu.subgroup_mma_elementwise addf %c, %z : ({half}, {half}) -> {half}
      %n = gpu.subgroup_mma_elementwise negatef %s : ({half}) -> {half}
      %e = gpu.subgroup_mma_extract_thread_local %n[%i] : {half} -> f16
      %t = gpu.subgroup_mma_insert_thread_local %e, %z[%i] : f16, {half} -> {half}
      gpu.subgroup_mma_store_matrix %t, %C[%i, %i] {{leadDimension = 16 : index, transpose}} : {half}, memref<16x16xf16>
      gpu.return
    }} }}"""
    assert "wmma.store.d.sync.aligned.col.m16n16k16" in compiled(text, "sm_80").to_ptx()


@pytest.mark.parametrize(("shared", "own"), [(0, 1), (1, 0), (1, 1), (2, 0), (0, 2), (2, 3)])
def test_attributions_are_what_their_words_say(shared: int, own: int) -> None:
    """Buffers of the block are seen by its threads, and each thread has its own private ones."""

    def buffers(word: str, space: str, names: list[str]) -> str:
        types = ", ".join(f"%{name}: memref<32xi32, #gpu.address_space<{space}>>" for name in names)
        return f"{word}({types})" if names else ""

    given = {f"s{n}": "workgroup" for n in range(shared)} | {f"p{n}": "private" for n in range(own)}
    place = {name: f"memref<32xi32, #gpu.address_space<{space}>>" for name, space in given.items()}
    lines = [f"memref.store %t{name[1]}, %{name}[%i] : {type_}" for name, type_ in place.items()]
    lines += ["gpu.barrier", "%sum0 = arith.constant 0 : i32"]
    for n, (name, type_) in enumerate(place.items()):
        # A private buffer has nothing where another thread has stored.
        lines.append(f"%v{n} = memref.load %{name}[{'%j' if name[0] == 's' else '%i'}] : {type_}")
        lines.append(f"%sum{n + 1} = arith.addi %sum{n}, %v{n} : i32")
    text = f"""gpu.module @m {{ gpu.func @k(%out: memref<32xi32>)
      {buffers("workgroup", "workgroup", [f"s{n}" for n in range(shared)])}
      {buffers("private", "private", [f"p{n}" for n in range(own)])} kernel {{
      %i = gpu.thread_id x
      %last = arith.constant 31 : index
      %j = arith.subi %last, %i : index
      %t0 = arith.index_cast %i : index to i32
      %k = arith.constant 100 : i32
      %t1 = arith.addi %t0, %k : i32
      %t2 = arith.addi %t1, %k : i32
      {" ".join(lines)}
      memref.store %sum{len(given)}, %out[%i] : memref<32xi32>
      gpu.return }} }}"""
    module, out, thread = compiled(text), np.zeros(32, np.int32), np.arange(32)
    assert bool(module.to_ptx().count(".shared")) == bool(shared)
    launch(module, "k", 1, 32, [out])
    expected = sum(((31 - thread) if name[0] == "s" else thread) + 100 * int(name[1]) for name in given)
    assert (out == expected).all()
