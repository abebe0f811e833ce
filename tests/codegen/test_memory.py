"""Memory: views, buffers, globals, vectors, atomics and calls, run on the simulator against NumPy."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weft
from tests.codegen.support import compiled, launch
from weft.codegen import compile_module
from weft.errors import CompileError

CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
"""


def kernel(body: str, arguments: str, *, around: str = "", threads: int = 32) -> str:
    return f"""gpu.module @m {{ {around}
      gpu.func @k({arguments}) kernel attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
      {CONSTANTS} {body} gpu.return }} }}"""


def test_views() -> None:
    body = """
      %s = memref.subview %X[%t, 4] [1, 16] [1, 2] : memref<40x64xf32> to memref<16xf32, strided<[2], offset: ?>>
      %v = memref.load %s[%c2] : memref<16xf32, strided<[2], offset: ?>>
      %flat = memref.collapse_shape %X [[0, 1]] : memref<40x64xf32> into memref<2560xf32>
      %w = memref.load %flat[%t] : memref<2560xf32>
      %e = memref.expand_shape %X [[0], [1, 2]] output_shape [40, 8, 8] : memref<40x64xf32> into memref<40x8x8xf32>
      %x = memref.load %e[%t, %c1, %c2] : memref<40x8x8xf32>
      %tr = memref.transpose %X (i, j) -> (j, i) : memref<40x64xf32> to memref<64x40xf32, strided<[1, 64]>>
      %y = memref.load %tr[%t, %c4] : memref<64x40xf32, strided<[1, 64]>>
      %r = memref.reinterpret_cast %X to offset: [%t], sizes: [8], strides: [3]
        : memref<40x64xf32> to memref<8xf32, strided<[3], offset: ?>>
      %z = memref.load %r[%c2] : memref<8xf32, strided<[3], offset: ?>>
      %d = memref.cast %X : memref<40x64xf32> to memref<?x?xf32>
      %n = memref.dim %d, %c1 : memref<?x?xf32>
      %last = arith.subi %n, %c1 : index
      %u = memref.load %d[%t, %last] : memref<?x?xf32>
      %all = vector.from_elements %v, %w, %x, %y, %z, %u : vector<6xf32>
      vector.store %all, %O[%t, %c0] : memref<32x6xf32>, vector<6xf32>"""
    x = np.arange(40 * 64, dtype=np.float32).reshape(40, 64)
    out = np.zeros((32, 6), np.float32)
    launch(compiled(kernel(body, "%X: memref<40x64xf32>, %O: memref<32x6xf32>")), "k", 1, 32, [x, out])
    flat = x.reshape(-1)
    t = np.arange(32)
    wanted = np.stack([x[t, 8], flat[t], x[t, 10], x[4, t], flat[t + 6], x[t, 63]], axis=1)
    np.testing.assert_array_equal(out, wanted)


def test_dynamic_layout_of_an_argument() -> None:
    """Offset and strides of a strided memref come from its descriptor."""
    text = kernel(
        """%v = memref.load %X[%t, %c2] : memref<?x?xf32, strided<[?, ?], offset: ?>>
           memref.store %v, %O[%t] : memref<32xf32>""",
        "%X: memref<?x?xf32, strided<[?, ?], offset: ?>>, %O: memref<32xf32>",
    )
    from weft.sim import run

    x = np.arange(4096, dtype=np.float32)
    out = np.zeros(32, np.float32)
    run(compiled(text), "k", 1, 32, [x, x, 7, 32, 8, 64, 3, out, out, 0, 32, 1])
    np.testing.assert_array_equal(out, x[7 + 64 * np.arange(32) + 6])


def test_shared_and_local_buffers() -> None:
    body = """
      %s = memref.alloc() : memref<32xf32, 3>
      %l = memref.alloca() : memref<4xf32, 5>
      %g = memref.alloca() : memref<2xf32>
      %v = memref.load %X[%t] : memref<32xf32>
      memref.store %v, %s[%t] : memref<32xf32, 3>
      gpu.barrier
      %c31 = arith.constant 31 : index
      %other = arith.subi %c31, %t : index
      %w = memref.load %s[%other] : memref<32xf32, 3>
      %q = arith.remui %t, %c4 : index
      scf.for %i = %c0 to %c4 step %c1 { memref.store %zero, %l[%i] : memref<4xf32, 5> }
      memref.store %w, %l[%q] : memref<4xf32, 5>
      %a = memref.load %l[%c1] : memref<4xf32, 5>
      %h = arith.remui %t, %c2 : index
      memref.store %a, %g[%h] : memref<2xf32>
      %b = memref.load %g[%h] : memref<2xf32>
      memref.store %b, %O[%t] : memref<32xf32>"""
    x = np.random.default_rng(0).standard_normal(32, dtype=np.float32)
    out = np.zeros(32, np.float32)
    module = compiled(kernel(body, "%X: memref<32xf32>, %O: memref<32xf32>"))
    launch(module, "k", 1, 32, [x, out])
    np.testing.assert_array_equal(out, np.where(np.arange(32) % 4 == 1, x[::-1], 0))
    text = module.to_ptx()
    assert ".local .align 16 .b8 __local_depot0[24];" in text
    assert re.search(r"\.reg \.b64 %SPL;", text)


def test_globals() -> None:
    around = """memref.global "private" constant @table : memref<4xf32, 4> = dense<[1.0, 2.0, 3.0, 4.0]>
      memref.global "private" @scratch : memref<64xf32, 3>
      memref.global @bias : memref<2xi32> = dense<[-5, 7]>"""
    body = """
      %g = memref.get_global @table : memref<4xf32, 4>
      %i = arith.remui %t, %c4 : index
      %y = memref.load %g[%i] : memref<4xf32, 4>
      %s = memref.get_global @scratch : memref<64xf32, 3>
      memref.store %y, %s[%t] : memref<64xf32, 3>
      %z = memref.load %s[%t] : memref<64xf32, 3>
      %b = memref.get_global @bias : memref<2xi32>
      %w = memref.load %b[%c0] : memref<2xi32>
      %f = arith.sitofp %w : i32 to f32
      %r = arith.addf %z, %f : f32
      memref.store %r, %O[%t] : memref<32xf32>"""
    out = np.zeros(32, np.float32)
    launch(compiled(kernel(body, "%O: memref<32xf32>", around=around)), "k", 1, 32, [out])
    np.testing.assert_array_equal(out, np.arange(32) % 4 + 1 - 5)


def test_dynamic_shared_memory() -> None:
    body = """
      %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %v = memref.view %d[%c4][] : memref<?xi8, #gpu.address_space<workgroup>> to
        memref<32xf32, #gpu.address_space<workgroup>>
      %x = memref.load %X[%t] : memref<32xf32>
      memref.store %x, %v[%t] : memref<32xf32, #gpu.address_space<workgroup>>"""
    text = compiled(kernel(body, "%X: memref<32xf32>")).to_ptx()
    assert ".extern .shared .align 1024 .b8 __dynamic_shared[];" in text


# -- vectors ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("alignment", "opcode"), [(16, "ld.global.v4.b32"), (8, "ld.global.v2.b32"), (4, "ld.global.b32")]
)
def test_vector_width_follows_alignment(alignment: int, opcode: str) -> None:
    body = f"""%i = arith.muli %t, %c4 : index
      %v = vector.load %X[%i] {{alignment = {alignment} : i64}} : memref<?xf32>, vector<4xf32>
      %s = vector.reduction <add>, %v : vector<4xf32> into f32
      memref.store %s, %O[%t] : memref<32xf32>"""
    module = compiled(kernel(body, "%X: memref<?xf32>, %O: memref<32xf32>"))
    assert opcode in module.to_ptx()
    x = np.arange(128, dtype=np.float32)
    out = np.zeros(32, np.float32)
    launch(module, "k", 1, 32, [x, out])
    np.testing.assert_array_equal(out, x.reshape(32, 4).sum(1))


def test_shared_alignment_is_found() -> None:
    """A vector in our own shared buffer needs no stated alignment."""
    body = """%s = memref.alloc() : memref<32x8xf16, 3>
      %z = arith.constant dense<1.0> : vector<8xf16>
      vector.store %z, %s[%t, %c0] : memref<32x8xf16, 3>, vector<8xf16>
      %v = memref.load %s[%t, %c1] : memref<32x8xf16, 3>
      memref.store %v, %O[%t] : memref<32xf16>"""
    module = compiled(kernel(body, "%O: memref<32xf16>"))
    assert "st.shared.v4.b32" in module.to_ptx()


def test_packed_halves() -> None:
    body = """
      %pad = arith.constant 0.0 : f16
      %v = vector.transfer_read %A[%t, %c0], %pad {in_bounds = [true]} : memref<32x8xf16>, vector<8xf16>
      %d = arith.addf %v, %v : vector<8xf16>
      %x = vector.extract_strided_slice %d {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
      %e = arith.extf %x : vector<4xf16> to vector<4xf32>
      %h = arith.mulf %e, %e : vector<4xf32>
      %n = arith.truncf %h : vector<4xf32> to vector<4xf16>
      %o = vector.insert_strided_slice %n, %d {offsets = [1], strides = [1]} : vector<4xf16> into vector<8xf16>
      %p = vector.extract %o[2] : f16 from vector<8xf16>
      %q = vector.insert %p, %o[7] : f16 into vector<8xf16>
      vector.transfer_write %q, %B[%t, %c0] {in_bounds = [true]} : vector<8xf16>, memref<32x8xf16>"""
    a = np.random.default_rng(0).standard_normal((32, 8)).astype(np.float16)
    out = np.zeros_like(a)
    launch(compiled(kernel(body, "%A: memref<32x8xf16>, %B: memref<32x8xf16>")), "k", 1, 32, [a, out])
    wanted = a + a
    wanted[:, 1:5] = (wanted[:, 4:].astype(np.float32) ** 2).astype(np.float16)
    wanted[:, 7] = wanted[:, 2]
    np.testing.assert_array_equal(out, wanted)


def test_transfers_out_of_bounds() -> None:
    body = """%pad = arith.constant -1.0 : f32
      %v = vector.transfer_read %A[%t], %pad : memref<?xf32>, vector<4xf32>
      %i = arith.muli %t, %c4 : index
      vector.transfer_write %v, %B[%i] : vector<4xf32>, memref<?xf32>"""
    a = np.arange(30, dtype=np.float32)
    out = np.zeros(110, np.float32)
    launch(compiled(kernel(body, "%A: memref<?xf32>, %B: memref<?xf32>")), "k", 1, 32, [a, out])
    padded = np.concatenate([a, np.full(8, -1, np.float32)])
    wanted = np.stack([padded[t : t + 4] for t in range(32)]).reshape(-1)[:110]
    np.testing.assert_array_equal(out, wanted)


def test_bytes_in_packed_registers() -> None:
    body = """
      %v = vector.load %A[%t, %c0] {alignment = 8 : i64} : memref<32x8xi8>, vector<8xi8>
      %w = arith.addi %v, %v : vector<8xi8>
      %e = arith.extsi %w : vector<8xi8> to vector<8xi32>
      %r = vector.reduction <add>, %e : vector<8xi32> into i32
      %b = vector.bitcast %w : vector<8xi8> to vector<2xi32>
      %x = vector.extract %b[1] : i32 from vector<2xi32>
      %y = arith.xori %r, %x : i32
      memref.store %y, %B[%t] : memref<32xi32>"""
    a = np.random.default_rng(0).integers(-128, 127, (32, 8)).astype(np.int8)
    out = np.zeros(32, np.int32)
    launch(compiled(kernel(body, "%A: memref<32x8xi8>, %B: memref<32xi32>")), "k", 1, 32, [a, out])
    double = (a + a).astype(np.int8)
    wanted = double.astype(np.int32).sum(1) ^ np.ascontiguousarray(double).view(np.int32)[:, 1]
    np.testing.assert_array_equal(out, wanted)


def test_contraction() -> None:
    body = """
      %a = vector.load %A[%c0, %c0] : memref<4x4xf32>, vector<4x4xf32>
      %b = vector.transpose %a, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
      %z = arith.constant dense<0.0> : vector<4x4xf32>
      %c = vector.contract {indexing_maps = [affine_map<(i,j,k)->(i,k)>, affine_map<(i,j,k)->(k,j)>,
          affine_map<(i,j,k)->(i,j)>], iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<add>} %a, %b, %z : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
      vector.store %c, %B[%c0, %c0] : memref<4x4xf32>, vector<4x4xf32>"""
    a = np.random.default_rng(0).integers(-4, 4, (4, 4)).astype(np.float32)
    out = np.zeros_like(a)
    launch(compiled(kernel(body, "%A: memref<4x4xf32>, %B: memref<4x4xf32>", threads=1)), "k", 1, 1, [a, out])
    np.testing.assert_array_equal(out, a @ a.T)


# -- atomics, reductions, calls -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "function"),
    [("addi", np.sum), ("maxs", np.max), ("minu", np.min), ("ori", np.bitwise_or.reduce), ("muli", np.prod)],
)
def test_integer_atomics(kind: str, function: object) -> None:
    body = f"""%v = memref.load %A[%t] : memref<32xi32>
      %old = memref.atomic_rmw {kind} %v, %B[%c0] : (i32, memref<1xi32>) -> i32"""
    a = np.random.default_rng(0).integers(1, 3, 32).astype(np.int32)
    out = np.full(1, a[0] if kind == "minu" else 1 if kind == "muli" else 0, np.int32)
    launch(compiled(kernel(body, "%A: memref<32xi32>, %B: memref<1xi32>")), "k", 1, 32, [a, out])
    assert out[0] == np.int64(function(a.astype(np.int64))).astype(np.int32)  # type: ignore[operator]


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("name", "dtype"), [("f16", np.float16), ("i8", np.int8), ("i16", np.int16), ("f64", np.float64)]
)
def test_atomic_exchange(name: str, dtype: type) -> None:
    """A chain of exchanges: every value but the last comes out again."""
    body = f"""%v = memref.load %A[%t] : memref<32x{name}>
      %old = memref.atomic_rmw assign %v, %B[%c0] : ({name}, memref<4x{name}>) -> {name}
      memref.store %old, %A[%t] : memref<32x{name}>"""
    values, place = np.arange(1, 33).astype(dtype), np.zeros(4, dtype)
    given = set(values.tolist())
    launch(compiled(kernel(body, f"%A: memref<32x{name}>, %B: memref<4x{name}>")), "k", 1, 32, [values, place])
    assert {*values.tolist(), *place.tolist()} == {0, *given}


@pytest.mark.parametrize("kind", ["fmax", "fsub"])
def test_packed_atomics(kind: str) -> None:
    text = f"""gpu.module @m {{ gpu.func @k(%A: !llvm.ptr<1>, %B: !llvm.ptr<1>) kernel {{
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %a = llvm.getelementptr %A[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<2xf16>
      %v = llvm.load %a : !llvm.ptr<1> -> vector<2xf16>
      %o = llvm.atomicrmw {kind} %B, %v monotonic : !llvm.ptr<1>, vector<2xf16>
      gpu.return
    }} }}"""
    values, place = np.arange(64, dtype=np.float16).reshape(32, 2), np.zeros(2, np.float16)
    pytest.importorskip("weft.sim").run(compiled(text), "k", 1, 32, [values, place])
    assert place.tolist() == ([62, 63] if kind == "fmax" else (-values.sum(0)).tolist())


def test_conditional_subtractions_and_bytes() -> None:
    text = """gpu.module @m { gpu.func @k(%B: !llvm.ptr<1>) kernel {
      %three = llvm.mlir.constant(3 : i32) : i32
      %sat = llvm.getelementptr %B[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      %byte = llvm.getelementptr %B[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %o = llvm.atomicrmw usub_cond %B, %three monotonic : !llvm.ptr<1>, i32
      %p = llvm.atomicrmw usub_sat %sat, %three monotonic : !llvm.ptr<1>, i32
      %seven = llvm.mlir.constant(7 : i8) : i8
      %nine = llvm.mlir.constant(9 : i8) : i8
      %r = llvm.cmpxchg %byte, %seven, %nine monotonic monotonic : !llvm.ptr<1>, i8
      gpu.return
    } }"""
    place = np.array([10, 10, 0x0707, 0], np.int32)
    pytest.importorskip("weft.sim").run(compiled(text), "k", 1, 8, [place])
    assert place.tolist() == [1, 0, 0x0907, 0]


@pytest.mark.parametrize("width", [8, 16, 32])
def test_loops_of_compare_and_swap_keep_the_order(width: int) -> None:
    operation = f'%r = llvm.atomicrmw nand %p, %v syncscope("block") acq_rel : !llvm.ptr<1>, i{width}'
    text = f"""llvm.func @f(%p: !llvm.ptr<1>, %v: i{width}) {{
      {operation}
      llvm.return
    }}"""
    assert f"atom.acq_rel.cta.global.cas.b{max(width, 16) if width > 8 else 32}" in compiled(text).to_ptx()


def test_atomic_region() -> None:
    body = """%r = memref.generic_atomic_rmw %B[%c0] : memref<1xf32> { ^bb0(%o: f32):
        %two = arith.constant 2.0 : f32
        %x = arith.addf %o, %two : f32
        memref.atomic_yield %x : f32 }"""
    out = np.zeros(1, np.float32)
    launch(compiled(kernel(body, "%B: memref<1xf32>")), "k", 1, 32, [out])
    assert out[0] == 64


@pytest.mark.parametrize("name", ["add", "maxnumf"])
def test_reductions(name: str) -> None:
    body = f"""%v = memref.load %A[%t] : memref<128xf32>
      %r = gpu.all_reduce {name} %v uniform {{}} : (f32) -> (f32)
      %w = gpu.subgroup_reduce {name} %v : (f32) -> f32
      %s = arith.addf %r, %w : f32
      memref.store %s, %B[%t] : memref<128xf32>"""
    a = np.random.default_rng(0).integers(0, 50, 128).astype(np.float32)
    out = np.zeros_like(a)
    launch(compiled(kernel(body, "%A: memref<128xf32>, %B: memref<128xf32>", threads=128)), "k", 1, 128, [a, out])
    function = np.sum if name == "add" else np.max
    np.testing.assert_array_equal(out, function(a) + np.repeat(function(a.reshape(4, 32), axis=1), 32))


def test_calls() -> None:
    text = """gpu.module @m {
      gpu.func @k(%A: memref<32xf32>) kernel {
        %t = gpu.thread_id x
        %v = memref.load %A[%t] : memref<32xf32>
        %z = arith.constant 0.0 : f32
        %c = arith.cmpf ogt, %v, %z : f32
        %h = arith.truncf %v : f32 to f16
        %r:2 = func.call @f(%v, %t, %c, %h) : (f32, index, i1, f16) -> (f32, index)
        %s = func.call @g(%r#0) : (f32) -> f32
        memref.store %s, %A[%r#1] : memref<32xf32>
        gpu.return }
      func.func @f(%a: f32, %b: index, %c: i1, %h: f16) -> (f32, index) {
        %x = arith.addf %a, %a : f32
        %h2 = arith.extf %h : f16 to f32
        %s = arith.select %c, %x, %h2 : f32
        return %s, %b : f32, index }
      func.func @g(%a: f32) -> f32 {
        %x = arith.mulf %a, %a : f32
        return %x : f32 }
    }"""
    a = np.random.default_rng(0).integers(-8, 8, 32).astype(np.float32)
    wanted = np.where(a > 0, 2 * a, a) ** 2
    launch(compiled(text), "k", 1, 32, [a])
    np.testing.assert_array_equal(a, wanted)


def test_bare_pointers() -> None:
    body = """%v = memref.load %A[%t] : memref<32xf32>
      memref.store %v, %B[%t] : memref<32xf32>"""
    module = compiled(kernel(body, "%A: memref<32xf32>, %B: memref<32xf32>"), bare_pointers=True)
    assert len(module.kernels[0].parameters) == 2


def test_a_shared_global_of_no_size_is_dynamic() -> None:
    text = """gpu.module @m {
      memref.global "private" @rest : memref<0xf32, 3> {alignment = 16 : i64}
      gpu.func @k(%A: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
        %i = gpu.thread_id x
        %0 = memref.get_global @rest : memref<0xf32, 3>
        %s = memref.reinterpret_cast %0 to offset: [0], sizes: [32], strides: [1] : memref<0xf32, 3> to memref<32xf32, 3>
        %v = memref.load %A[%i] : memref<32xf32>
        memref.store %v, %s[%i] : memref<32xf32, 3>
        gpu.return
      }
    }"""
    assert ".extern .shared .align 16 .b8 rest[];" in compiled(text).to_ptx()


LAYOUTS = {
    "affine_map<(i, j) -> (i * 16 + j + 3)>": lambda i, j: i * 16 + j + 3,
    "affine_map<(i, j) -> (j * 4 + i)>": lambda i, j: j * 4 + i,
    "affine_map<(i, j) -> ((i * 8 + j) * 2)>": lambda i, j: (i * 8 + j) * 2,
    "affine_map<(i, j)[s, t] -> (i * s + j + t)>": lambda i, j: i * 9 + j + 5,
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_linear_layouts(layout: str) -> None:
    """What the map leaves open comes from the descriptor, as do strides and offset in upstream's lowering."""
    type_ = f"memref<4x8xf32, {layout}>"
    text = f"""gpu.module @m {{ gpu.func @k(%A: {type_}, %B: memref<4x8xf32>) kernel
        attributes {{known_block_size = array<i32: 4, 8, 1>}} {{
      %i = gpu.thread_id x
      %j = gpu.thread_id y
      %v = memref.load %A[%i, %j] : {type_}
      memref.store %v, %B[%i, %j] : memref<4x8xf32>
      gpu.return
    }} }}"""
    values, found = np.arange(64, dtype=np.float32), np.zeros((4, 8), np.float32)
    pytest.importorskip("weft.sim").run(
        compiled(text), "k", 1, (4, 8), [values, values, 5, 4, 8, 9, 1, found, found, 0, 4, 8, 8, 1]
    )
    assert np.array_equal(found, [[values[LAYOUTS[layout](i, j)] for j in range(8)] for i in range(4)])


@pytest.mark.parametrize("layout", ["(i floordiv 4, j floordiv 4, i mod 4, j mod 4)", "(j, i)", "(i mod 2 + j)"])
def test_other_layouts_are_refused(layout: str) -> None:
    type_ = f"memref<4x8xf32, affine_map<(i, j) -> {layout}>>"
    with pytest.raises(CompileError, match="layout"):
        compiled(f"gpu.module @m {{ gpu.func @k(%A: {type_}) kernel {{ gpu.return }} }}")


@pytest.mark.parametrize("space", ["", "<1>", "<3>", "<5>"])
@pytest.mark.parametrize("place", ["llvm.mlir.zero : {}", "llvm.inttoptr %n : i64 to {}"])
def test_known_addresses_are_in_registers(place: str, space: str) -> None:
    """PTX has numbers as addresses of local memory only; that nothing is there does not matter where nothing comes."""
    pointer = f"!llvm.ptr{space}"
    body = (
        f"%n = llvm.mlir.constant(64 : i64) : i64\n %p = {place.format(pointer)}\n %v = llvm.load %p : {pointer} -> i32"
    )
    ptx = compiled(f"llvm.func @f() -> i32 {{ {body}\n llvm.return %v : i32 }}").to_ptx()
    assert re.search(r"ld\.[\w.]+ %r\d+, \[%rd?\d+\]", ptx)


@pytest.mark.parametrize("alignment", [1, 2])
def test_pairs_of_bytes_that_are_one_integer(alignment: int) -> None:
    """Bytes whose bits are all read as one integer, or come from one, are moved by one access where that is aligned."""
    text = f"""
    llvm.func @k(%a: !llvm.ptr<1>, %o: !llvm.ptr<1>, %n: i64) attributes {{nvvm.kernel}} {{
      %p = llvm.getelementptr %a[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i16
      %v = llvm.load %p {{alignment = {alignment} : i64}} : !llvm.ptr<1> -> vector<2xi8>
      %b = vector.bitcast %v : vector<2xi8> to vector<1xi16>
      %c = vector.extract %b[0] : i16 from vector<1xi16>
      %d = llvm.mlir.constant(259 : i16) : i16
      %e = llvm.add %c, %d : i16
      %f = vector.broadcast %e : i16 to vector<1xi16>
      %g = vector.bitcast %f : vector<1xi16> to vector<2xi8>
      llvm.store %g, %o {{alignment = {alignment} : i64}} : vector<2xi8>, !llvm.ptr<1>
      llvm.return
    }}"""
    module = compile_module(text, "sm_90a")
    assert (".u8" in module.to_ptx()) == (alignment == 1)
    given, out = np.array([1, 0xFFF0, 3], np.uint16), np.zeros(2, np.uint16)
    weft.run(module, "k", grid=1, block=1, args=[given, out, 1])
    assert out.tolist() == [0xFFF0 + 259 & 0xFFFF, 0]
