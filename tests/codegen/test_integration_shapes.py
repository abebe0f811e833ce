"""Modules of the shapes that programs have (kernels in host functions, several modules, dynamic shared memory,
matrices of a warp, rows reduced): weft's PTX and that of LLVM's pipeline write the same, and what NumPy says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.codegen.programs import TARGET, both, same
from tests.codegen.support import compiled, descriptors
from tests.differential.compilers import pipeline
from tests.effort import one_in
from weft.sim import run

OPS = {
    "add": np.add, "mul": np.multiply, "minsi": np.minimum, "maxsi": np.maximum, "minui": np.minimum, "maxui": np.maximum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor, "minnumf": np.fmin, "maxnumf": np.fmax,
    "minimumf": np.minimum, "maximumf": np.maximum,
}  # fmt: skip
BODIES = {"add": "add{}", "mul": "mul{}", "and": "andi", "or": "ori", "xor": "xori"}
TYPES = {"i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("type_", "block"),
    [
        pytest.param(t, block, marks=() if (t, block) in (("i32", (5, 7, 1)), ("f32", (8, 4, 2))) else pytest.mark.slow)
        for t in TYPES
        for block in ((32, 1, 1), (8, 4, 2), (5, 7, 1), (96, 1, 1))
    ],
)
def test_all_reduce(type_: str, block: tuple[int, int, int]) -> None:
    """Each operation by name and written out, in blocks of one to three dimensions: every thread has the result."""
    x, y, z = block
    count = x * y * z
    ops = [op for op in OPS if (op[-1] == "f") == (type_[0] == "f") or op in ("add", "mul")]
    ops = [op for op in ops if type_[0] == "i" or op not in ("and", "or", "xor")][:: one_in(2)]
    kernels: list[str] = []
    for op in ops:
        for form in ("named", "region"):
            body = BODIES.get(op, op).format("f" if type_[0] == "f" else "i")
            how = f"{op} %a uniform {{}}" if form == "named" else (
                f"%a uniform {{\n^bb0(%l: {type_}, %m: {type_}):\n %b = arith.{body} %l, %m : {type_}\n gpu.yield %b : {type_}\n}}"
            )  # fmt: skip
            kernels.append(
                f"""gpu.func @{op}_{form}(%in: memref<{count}x{type_}>, %out: memref<{count}x{type_}>) kernel {{
                  %x = gpu.thread_id x
                  %y = gpu.thread_id y
                  %z = gpu.thread_id z
                  %i = affine.linearize_index [%z, %y, %x] by ({z}, {y}, {x}) : index
                  %a = memref.load %in[%i] : memref<{count}x{type_}>
                  %r = gpu.all_reduce {how} : ({type_}) -> {type_}
                  memref.store %r, %out[%i] : memref<{count}x{type_}>
                  gpu.return
                }}"""
            )
    text = "module attributes {gpu.container_module} { gpu.module @m {\n" + "\n".join(kernels) + "}}"
    rng = np.random.default_rng(count)
    mine = compiled(text, TARGET)
    (theirs,) = pipeline(text, target=TARGET)
    for op in ops:
        values = rng.integers(-3, 4, count).astype(TYPES[type_])
        if op == "mul":
            values = np.where(values == 0, 1, np.sign(values)).astype(TYPES[type_])
        unsigned = op.endswith("ui")
        shown = values.view(f"u{values.itemsize}") if unsigned else values
        want = OPS[op].reduce(shown, dtype=shown.dtype)
        for form in ("named", "region"):
            for module in (mine, theirs):
                out = np.zeros_like(values)
                run(
                    module,
                    f"{op}_{form}",
                    1,
                    block,
                    descriptors([values, out]),
                    check="strict" if module is mine else "fast",
                )
                assert (out.view(shown.dtype) == want).all(), (op, form, module is mine)


HOST = """
module attributes {gpu.container_module} {
  func.func @main(%m: memref<64xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %bytes = arith.constant 256 : i32
    %t0 = gpu.wait async
    %t1 = gpu.launch async [%t0] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) dynamic_shared_memory_size %bytes {
      %v = memref.load %m[%tx] : memref<64xi32>
      %s = gpu.all_reduce add %v uniform {} : (i32) -> i32
      memref.store %s, %m[%tx] : memref<64xi32>
      gpu.terminator
    }
    %t2 = gpu.launch async [%t1] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %v = memref.load %m[%tx] : memref<64xi32>
      %i = arith.index_cast %tx : index to i32
      %s = arith.addi %v, %i : i32
      gpu.printf "%d\\n", %s : i32
      memref.store %s, %m[%tx] : memref<64xi32>
      gpu.terminator
    }
    %t3 = gpu.launch_func async [%t2] @a::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%m : memref<64xi32>)
    gpu.wait [%t3]
    return
  }
  gpu.module @a {
    memref.global "private" constant @t : memref<2xi32> = dense<[10, 20]>
    func.func private @f(%a: i32) -> i32 { %r = arith.addi %a, %a : i32  return %r : i32 }
    gpu.func @k(%m: memref<64xi32>) kernel {
      %i = gpu.thread_id x
      %c1 = arith.constant 1 : index
      %t = memref.get_global @t : memref<2xi32>
      %b = memref.load %t[%c1] : memref<2xi32>
      %a = memref.load %m[%i] : memref<64xi32>
      %d = func.call @f(%a) : (i32) -> i32
      %r = arith.addi %d, %b : i32
      memref.store %r, %m[%i] : memref<64xi32>
      gpu.return
    }
  }
  gpu.module @b {
    memref.global "private" constant @t : memref<4xi32> = dense<[1, 2, 3, 4]>
    func.func private @f(%a: i32) -> i32 { %r = arith.muli %a, %a : i32  return %r : i32 }
    gpu.func @k(%m: memref<64xi32>) kernel {
      %i = gpu.thread_id x
      %c3 = arith.constant 3 : index
      %t = memref.get_global @t : memref<4xi32>
      %b = memref.load %t[%c3] : memref<4xi32>
      %a = memref.load %m[%i] : memref<64xi32>
      %d = func.call @f(%a) : (i32) -> i32
      %r = arith.addi %d, %b : i32
      memref.store %r, %m[%i] : memref<64xi32>
      gpu.return
    }
  }
}
"""


def test_kernels_of_one_name_in_several_modules() -> None:
    """Two `gpu.launch` in one function, and modules with a kernel, a function and a table of the same names each."""
    module = compiled(HOST, TARGET)
    assert [kernel.name for kernel in module.kernels] == ["main_kernel", "main_kernel_0", "k", "k_0"]
    values = np.arange(64, dtype=np.int32)
    total, numbers = values.sum(), np.arange(64)
    for number, (name, want) in enumerate(
        {
            "main_kernel": np.full(64, total),
            "main_kernel_0": values + numbers,
            "k": 2 * values + 20,
            "k_0": values * values + 4,
        }.items()
    ):
        found = both(HOST, name, 1, 64, [values], module=number)
        assert len({tuple(sorted(outcome.printed.split())) for outcome in found}) == 1
        for outcome in found:
            assert outcome.args[0].tolist() == want.tolist()


TRANSPOSE = """
module attributes {gpu.container_module} { gpu.module @k {
  gpu.func @f(%m: memref<?x?xf32>, %o: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 8, 8, 1>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %c8 = arith.constant 8 : index
    %c256 = arith.constant 256 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %a = memref.view %s[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8x8xf32, #gpu.address_space<workgroup>>
    %b = memref.view %s[%c256][%c8, %c8] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?x?xf32, #gpu.address_space<workgroup>>
    %x = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%bx, %tx)
    %y = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%by, %ty)
    %v = memref.load %m[%y, %x] : memref<?x?xf32>
    memref.store %v, %a[%ty, %tx] : memref<8x8xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %a[%tx, %ty] : memref<8x8xf32, #gpu.address_space<workgroup>>
    memref.store %w, %b[%ty, %tx] : memref<?x?xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %z = memref.load %b[%ty, %tx] : memref<?x?xf32, #gpu.address_space<workgroup>>
    %dim = memref.dim %m, %c1 : memref<?x?xf32>
    %di = arith.index_cast %dim : index to i32
    %df = arith.sitofp %di : i32 to f32
    %q = arith.mulf %z, %df : f32
    %p = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%by, %tx)
    %r = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%bx, %ty)
    memref.store %q, %o[%r, %p] : memref<?x?xf32>
    gpu.return
  }
}}
"""


def test_transpose_through_dynamic_shared_memory() -> None:
    values = np.arange(16 * 24, dtype=np.float32).reshape(16, 24)
    _, out = same(TRANSPOSE, "f", (3, 2), (8, 8), [values, np.zeros((24, 16), np.float32)], shared_bytes=512)
    assert (out == 24 * values.T).all()


SOFTMAX = """
module attributes {gpu.container_module} { gpu.module @k {
  gpu.func @softmax(%in: memref<?x?xf32, strided<[?, 1], offset: ?>>, %out: memref<?x?xf32, strided<[?, 1], offset: ?>>)
      workgroup(%buffer: memref<32xf32, #gpu.address_space<workgroup>>) private(%p: memref<4xf32, #gpu.address_space<private>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %row = gpu.block_id x
    %tid = gpu.thread_id x
    %bd = gpu.block_dim x
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %n = memref.dim %in, %c1 : memref<?x?xf32, strided<[?, 1], offset: ?>>
    %lowest = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %most = scf.for %i = %tid to %n step %bd iter_args(%m = %lowest) -> (f32) {
      %v = memref.load %in[%row, %i] : memref<?x?xf32, strided<[?, 1], offset: ?>>
      %x = arith.maximumf %m, %v : f32
      scf.yield %x : f32
    }
    %max = gpu.all_reduce maximumf %most uniform {} : (f32) -> f32
    %part = scf.for %i = %tid to %n step %bd iter_args(%s = %zero) -> (f32) {
      %v = memref.load %in[%row, %i] : memref<?x?xf32, strided<[?, 1], offset: ?>>
      %d = arith.subf %v, %max : f32
      %e = math.exp %d : f32
      %x = arith.addf %s, %e : f32
      scf.yield %x : f32
    }
    %sum = gpu.all_reduce add %part uniform {} : (f32) -> f32
    memref.store %sum, %p[%c0] : memref<4xf32, #gpu.address_space<private>>
    scf.for %i = %tid to %n step %bd {
      %v = memref.load %in[%row, %i] : memref<?x?xf32, strided<[?, 1], offset: ?>>
      %d = arith.subf %v, %max : f32
      %e = math.exp %d : f32
      %t = memref.load %p[%c0] : memref<4xf32, #gpu.address_space<private>>
      %x = arith.divf %e, %t : f32
      memref.store %x, %out[%row, %i] : memref<?x?xf32, strided<[?, 1], offset: ?>>
    }
    gpu.return
  }
}}
"""


@pytest.mark.slow
def test_softmax_of_rows() -> None:
    values = np.random.default_rng(3).normal(size=(3, 200)).astype(np.float32)
    found = both(SOFTMAX, "softmax", 3, 128, [values, np.zeros_like(values)])
    exact = np.exp(values.astype(np.float64) - values.max(axis=1, keepdims=True))
    exact /= exact.sum(axis=1, keepdims=True)
    for outcome in found:
        np.testing.assert_allclose(outcome.args[1], exact, rtol=2e-6)


def matrices(a: str, b: str, acc: str, k: int, *, body: str, load: str = "", transposed: str = "") -> str:
    """A product of 16 x k and k x 16 by a warp; `body` makes `%out` of the sum `%r`."""
    plain = acc.lstrip("s")
    first, second = ("si8", "si8") if a == "i8" else (a, b)
    shape = f"{16 if transposed else k}x{k if transposed else 16}"
    return f"""
    module attributes {{gpu.container_module}} {{ gpu.module @k {{
      gpu.func @f(%a: memref<16x{k}x{a}>, %b: memref<{shape}x{b}>, %c: memref<16x16x{plain}>) kernel {{
        %i = arith.constant 0 : index
        %x = gpu.subgroup_mma_load_matrix %a[%i, %i] {{leadDimension = {k} : index}} : memref<16x{k}x{a}> -> !gpu.mma_matrix<16x{k}x{first}, "AOp">
        %y = gpu.subgroup_mma_load_matrix %b[%i, %i] {{leadDimension = {k if transposed else 16} : index{transposed}}} : memref<{shape}x{b}> -> !gpu.mma_matrix<{k}x16x{second}, "BOp">
        %z = gpu.subgroup_mma_load_matrix %c[%i, %i] {{leadDimension = 16 : index}} : memref<16x16x{plain}> -> !gpu.mma_matrix<16x16x{acc}, "COp">
        %r = gpu.subgroup_mma_compute %x, %y, %z : !gpu.mma_matrix<16x{k}x{first}, "AOp">, !gpu.mma_matrix<{k}x16x{second}, "BOp"> -> !gpu.mma_matrix<16x16x{acc}, "COp">
        {body}
        gpu.subgroup_mma_store_matrix %out, %c[%i, %i] {{leadDimension = 16 : index}} : !gpu.mma_matrix<16x16x{acc}, "COp">, memref<16x16x{plain}>
        gpu.return
      }}
    }}}}"""


def elementwise(op: str, acc: str, second: str = "") -> str:
    type_ = f'!gpu.mma_matrix<16x16x{acc}, "COp">'
    if not second:
        return f"%out = gpu.subgroup_mma_elementwise {op} %r : ({type_}) -> {type_}"
    return f"""%e = arith.constant {second} : {acc}
      %m = gpu.subgroup_mma_constant_matrix %e : {type_}
      %out = gpu.subgroup_mma_elementwise {op} %r, %m : ({type_}, {type_}) -> {type_}"""


REFUSED = {
    ("negatef", "f32"): "PLEASE submit a bug report",
    ("subf", "f16"): "PLEASE submit a bug report",
    ("minf", "f16"): "FloatAttr does not match expected type",
}
"""What mlir-opt says to some: NumPy is the second opinion there."""


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("a", "acc", "k", "op", "second", "after"),
    [
        ("f16", "f32", 16, "addf", "1.5", lambda r: r + 1.5),
        ("f16", "f32", 16, "mulf", "-2.0", lambda r: r * -2),
        ("f16", "f32", 16, "maxf", "3.0", lambda r: np.maximum(r, 3)),
        ("f16", "f32", 16, "negatef", "", lambda r: -r),
        ("f16", "f16", 16, "minf", "4.0", lambda r: np.minimum(r, 4)),
        ("f16", "f16", 16, "divf", "2.0", lambda r: r / 2),
        ("f16", "f16", 16, "subf", "1.0", lambda r: r - 1),
        ("f32", "f32", 8, "addf", "0.5", lambda r: r + 0.5),
        ("i8", "i32", 16, "", "", lambda r: r),
    ],
)
@pytest.mark.parametrize("transposed", ["", pytest.param(", transpose", marks=pytest.mark.slow)])
def test_matrices_of_a_warp(a: str, acc: str, k: int, op: str, second: str, after: Any, transposed: str) -> None:
    dtypes = {"f16": np.float16, "f32": np.float32, "i8": np.int8, "i32": np.int32}
    body = elementwise(op, acc, second) if op else ""
    text = matrices(a, a, acc, k, body=body, transposed=transposed)
    if not op:
        text = text.replace("%out", "%r")
    rng = np.random.default_rng(k)
    x, y = (rng.integers(-3, 4, size).astype(dtypes[a]) for size in ((16, k), (k, 16)))
    z = rng.integers(-3, 4, (16, 16)).astype(dtypes[acc])
    refused = REFUSED.get((op, acc), "")
    want = after(x.astype(np.float64) @ y.astype(np.float64) + z).astype(dtypes[acc])
    given = [x, np.ascontiguousarray(y.T) if transposed else y, z]
    assert (same(text, "f", 1, 32, given, refused=refused)[2] == want).all()
