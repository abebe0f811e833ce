"""Which instructions are chosen where several do the same, and that they do."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import weft
from tests.codegen.support import compiled, elementwise, launch

U32, U64 = np.uint32, np.uint64
WORDS = np.random.default_rng(7).integers(0, 1 << 63, 256, dtype=np.int64) * 2 + 1
NARROW = np.arange(-128, 128).astype(np.int8)


def _turned(x: Any, bits: int, up: int) -> Any:
    wide = x.view(U32 if bits == 32 else U64)
    return ((wide << type(wide[0])(up)) | (wide >> type(wide[0])(bits - up))).view(x.dtype)


@pytest.mark.sample(3)
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("up", [1, 13, 31, 8, 16])
@pytest.mark.parametrize("op", ["ori", "xori"])
@pytest.mark.parametrize("factor", [1, 0x1234567])
def test_rotations(bits: int, up: int, op: str, factor: int) -> None:
    x = WORDS.astype(f"int{bits}")
    text = f"""
      %f = arith.constant {factor} : i{bits}
      %x = arith.muli %a, %f : i{bits}
      %u = arith.constant {up} : i{bits}
      %d = arith.constant {bits - up} : i{bits}
      %p = arith.shli %x, %u : i{bits}
      %q = arith.shrui %x, %d : i{bits}
      %r = arith.{op} %p, %q : i{bits}"""
    got = elementwise(text.strip(), x, result=x.dtype)
    with np.errstate(over="ignore"):
        assert np.array_equal(got, _turned(x * x.dtype.type(factor), bits, up))


AMOUNTS = {
    "less": ("%n = arith.addi %s, %zero : i32", "%d = arith.subi %w, %s : i32"),
    "negated": ("%n = arith.addi %s, %zero : i32", "%e = arith.subi %zero, %s : i32\n%d = arith.andi %e, %m : i32"),
    "masked": ("%n = arith.andi %s, %m : i32", "%e = arith.subi %zero, %s : i32\n%d = arith.andi %e, %m : i32"),
    "both": ("%n = arith.andi %s, %m : i32", "%e = arith.subi %w, %s : i32\n%d = arith.andi %e, %m : i32"),
    "rest": ("%n = arith.andi %s, %m : i32", "%d = arith.subi %w, %n : i32"),
}
"""How far up and how far down, by %s."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("amounts", AMOUNTS)
@pytest.mark.parametrize("op", ["ori", "xori"])
@pytest.mark.parametrize("other", ["%a", "%other"])
@pytest.mark.parametrize("left", [True, False])
def test_rotations_by_what_is_not_known(amounts: str, op: str, other: str, left: bool) -> None:
    """One shift where that is the same for all amounts from 1 to 31, and for 0 if both amounts keep to their bounds."""
    x = WORDS.astype(np.int32)
    up, down = AMOUNTS[amounts]
    first, second = ("%n", "%d") if left else ("%d", "%n")
    text = f"""
      %zero = arith.constant 0 : i32
      %w = arith.constant 32 : i32
      %m = arith.constant 31 : i32
      %key = arith.constant 12345 : i32
      %other = arith.xori %a, %key : i32
      %k = arith.constant 27 : i32
      %s = arith.shrui %a, %k : i32
      {up}
      {down}
      %p = arith.shli %a, {first} : i32
      %q = arith.shrui {other}, {second} : i32
      %r = arith.{op} %p, %q : i32"""
    got = elementwise(text.strip(), x, result=x.dtype).view(U32)
    high = x.view(U32)
    low = high if other == "%a" else high ^ U32(12345)
    n = high >> U32(27)
    masks = amounts in ("negated", "masked", "both")
    d = (U32(32) - n) & U32(31) if masks else U32(32) - n
    a, b = (n, d) if left else (d, n)
    a, b = a.astype(np.uint64), b.astype(np.uint64)
    p, q = (high.astype(np.uint64) << a).astype(U32), (low.astype(np.uint64) >> b).astype(U32)
    defined = (a < 32) & (b < 32)
    assert np.array_equal(got[defined], ((p | q) if op == "ori" else (p ^ q))[defined])


def test_a_rotation_by_what_is_not_known_is_one_shift() -> None:
    for up, down in AMOUNTS.values():
        text = f"""gpu.module @m {{ gpu.func @k(%o: memref<1xi32>, %a: i32, %s: i32) kernel {{
          %at = arith.constant 0 : index
          %zero = arith.constant 0 : i32
          %w = arith.constant 32 : i32
          %m = arith.constant 31 : i32
          {up}
          {down}
          %p = arith.shli %a, %n : i32
          %q = arith.shrui %a, %d : i32
          %r = arith.ori %q, %p : i32
          memref.store %r, %o[%at] : memref<1xi32>
          gpu.return }} }}"""
        ptx = compiled(text).to_ptx()
        assert "shf.l.wrap" in ptx and "or.b32" not in ptx and "shr.u32" not in ptx


SIGNED: list[tuple[str, Callable[[Any], Any], str]] = [
    ("%r = arith.extsi %a : i8 to i32", lambda x: x.astype(np.int32), "ld.global.s8"),
    ("%r = arith.extui %a : i8 to i32", lambda x: x.view(np.uint8).astype(np.int32), "ld.global.u8"),
    ("%w = arith.extsi %a : i8 to i32\n%v = arith.extui %a : i8 to i32\n%r = arith.addi %v, %w : i32",
     lambda x: x.astype(np.int32) + x.view(np.uint8), "ld.global.u8"),
    ("%z = arith.constant -7 : i8\n%t = arith.cmpi slt, %a, %z : i8\n%r = arith.extui %t : i1 to i32",
     lambda x: (x < -7).astype(np.int32), "ld.global.s8"),
    ("%z = arith.constant -7 : i8\n%t = arith.cmpi eq, %a, %z : i8\n%r = arith.extui %t : i1 to i32",
     lambda x: (x == -7).astype(np.int32), "ld.global.u8"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted", "load"), SIGNED)
def test_narrow_loads_extend_as_they_are_read(text: str, wanted: Callable[[Any], Any], load: str) -> None:
    kernel = f"""gpu.module @m {{ gpu.func @k(%m: memref<256xi8>, %o: memref<256xi32>) kernel {{
      %i = gpu.thread_id x
      %a = memref.load %m[%i] : memref<256xi8>
      {text}
      memref.store %r, %o[%i] : memref<256xi32>
      gpu.return }} }}"""
    module, out = compiled(kernel), np.zeros(256, np.int32)
    launch(module, "k", (1,), (256,), [NARROW, out])
    assert np.array_equal(out, wanted(NARROW))
    assert load in module.to_ptx()


@pytest.mark.parametrize("constant", [-306674912, 0x80000001 - (1 << 32), 0x40000001, 5])
def test_constants_stay_whole_in_xor(constant: int) -> None:
    text = f"%s = arith.constant 1 : i32\n%x = arith.shrui %a, %s : i32\n%c = arith.constant {constant} : i32\n"
    x = WORDS.astype(np.int32)
    got = elementwise(f"{text}%r = arith.xori %x, %c : i32", x, result=np.int32)
    assert np.array_equal(got.view(U32), (x.view(U32) >> U32(1)) ^ U32(constant & 0xFFFFFFFF))


@pytest.mark.parametrize("count", [0, 1, 7, 130])
def test_addresses_behind_the_guard(count: int) -> None:
    """A loop's own addresses are computed behind its guard; what it carries is there without a turn too."""
    kernel = """gpu.module @m { gpu.func @k(%m: memref<?xf32>, %o: memref<?xf32>, %n: index) kernel {
      %i = gpu.thread_id x
      %s = arith.constant 32 : index
      %z = arith.constant 3.0 : f32
      %t = scf.for %j = %i to %n step %s iter_args(%c = %z) -> (f32) {
        %x = memref.load %m[%j] : memref<?xf32>
        %d = arith.addf %c, %x : f32
        scf.yield %d : f32
      }
      memref.store %t, %o[%i] : memref<?xf32>
      gpu.return } }"""
    x, out = np.arange(200, dtype=np.float32), np.zeros(32, np.float32)
    module = compiled(kernel)
    launch(module, "k", (1,), (32,), [x, out, count])
    assert np.array_equal(out, [3 + sum(x[i:count:32]) for i in range(32)])


def test_unaligned_bytes_are_read_apart() -> None:
    """Bytes that are put together and taken apart again are never put together."""
    kernel = """gpu.module @m { gpu.func @k(%m: memref<?xi8>, %o: memref<?xi32>) kernel {
      %i = arith.constant 1 : index
      %v = vector.load %m[%i] : memref<?xi8>, vector<4xi8>
      %w = arith.extsi %v : vector<4xi8> to vector<4xi32>
      %z = arith.constant 0 : index
      vector.store %w, %o[%z] : memref<?xi32>, vector<4xi32>
      gpu.return } }"""
    module, out = compiled(kernel), np.zeros(4, np.int32)
    launch(module, "k", (1,), (1,), [NARROW[:6].copy(), out])
    assert np.array_equal(out, NARROW[1:5])
    assert "mad" not in module.to_ptx()
    assert "prmt" not in module.to_ptx()


FLOATS = np.array([0.0, -0.0, 1.5, -3.25, np.inf, -np.inf, np.nan, 1e-40, -1e38, 3.0], np.float32)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("op", "constant", "swapped", "absent"), [
    ("mulf", 1.0, False, "mul"), ("mulf", -1.0, True, "mul"), ("addf", -0.0, False, "add"), ("subf", 0.0, False, "sub"),
    ("subf", -0.0, True, "sub"), ("divf", -0.5, False, "div"), ("divf", 1.0, False, "div"), ("divf", -1.0, False, "div"),
    ("addf", 0.0, False, ""), ("subf", 0.0, True, ""), ("divf", 3.0, False, ""), ("divf", 2.0**127, False, ""),
])  # fmt: skip
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_constants_that_leave_no_operation(op: str, constant: float, swapped: bool, absent: str, type_: str) -> None:
    x = FLOATS.astype(np.float32 if type_ == "f32" else np.float64)
    a, b = ("%c", "%a") if swapped else ("%a", "%c")
    text = f"%c = arith.constant {constant:.17e} : {type_}\n%r = arith.{op} {a}, {b} : {type_}"
    got = elementwise(text, x, result=x.dtype)
    c = x.dtype.type(constant)
    with np.errstate(all="ignore"):
        first, second = (c, x) if swapped else (x, c)
        wanted = {"mulf": np.multiply, "addf": np.add, "subf": np.subtract, "divf": np.divide}[op](first, second)
    assert np.array_equal(got, wanted, equal_nan=True)
    number = ~np.isnan(wanted)
    assert np.array_equal(np.signbit(got)[number], np.signbit(wanted)[number])
    if absent:
        kernel = f"""gpu.module @m {{ gpu.func @k(%m: memref<1x{type_}>) kernel {{
          %z = arith.constant 0 : index
          %a = memref.load %m[%z] : memref<1x{type_}>
          {text}
          memref.store %r, %m[%z] : memref<1x{type_}>
          gpu.return }} }}"""
        assert f"\t{absent}.rn" not in compiled(kernel).to_ptx()


@pytest.mark.parametrize(("first", "bound", "step"), [(0, 5, 1), (2, 11, 4), (3, 3, 1), (0, 40, 1), (-2, 3, 2)])
def test_counting_whiles(first: int, bound: int, step: int) -> None:
    kernel = f"""gpu.module @m {{ gpu.func @k(%m: memref<64xi32>, %o: memref<2xindex>) kernel {{
      %f = arith.constant {first} : index
      %b = arith.constant {bound} : index
      %s = arith.constant {step} : index
      %z = arith.constant 0 : index
      %w = arith.constant 1 : index
      %r:2 = scf.while (%i = %f, %t = %z) : (index, index) -> (index, index) {{
        %g = arith.cmpi slt, %i, %b : index
        scf.condition(%g) %i, %t : index, index
      }} do {{
      ^bb0(%i: index, %t: index):
        %n = arith.addi %i, %s : index
        %u = arith.muli %t, %s : index
        %v = arith.addi %u, %i : index
        scf.yield %n, %v : index, index
      }}
      memref.store %r#0, %o[%z] : memref<2xindex>
      memref.store %r#1, %o[%w] : memref<2xindex>
      gpu.return }} }}"""
    module, out = compiled(kernel), np.zeros(2, np.int64)
    launch(module, "k", (1,), (1,), [np.zeros(64, np.int32), out])
    i, total = first, 0
    while i < bound:
        i, total = i + step, total * step + i
    assert out.tolist() == [i, total]
    assert ("setp" in module.to_ptx()) != (len(range(first, bound, step)) <= 16)


def test_loops_of_blocks_leave_out_what_they_leave_alone() -> None:
    """Products of what a loop does not change stand before it; those after it stay behind."""
    kernel = """gpu.module @m { gpu.func @k(%o: memref<3xi32>, %n: i32, %x: i32) kernel {
      %z = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %i0 = arith.constant 0 : index
      cf.br ^head(%z, %z : i32, i32)
    ^head(%i: i32, %t: i32):
      %g = arith.cmpi ne, %i, %n : i32
      cf.cond_br %g, ^body, ^end
    ^body:
      %p = arith.muli %x, %x : i32
      %q = arith.addi %p, %t : i32
      %j = arith.addi %i, %one : i32
      cf.br ^head(%j, %q : i32, i32)
    ^end:
      %c = arith.muli %n, %x : i32
      %e = arith.addi %c, %t : i32
      memref.store %e, %o[%i0] : memref<3xi32>
      gpu.return } }"""
    module, out = compiled(kernel), np.zeros(3, np.int32)
    launch(module, "k", (1,), (1,), [out, np.int32(4), np.int32(5)])
    assert out[0] == 4 * 25 + 20
    text = module.to_ptx()
    assert text.index("mul.lo.s32") < text.index("setp") < text.rindex("lo.s32")


@pytest.mark.parametrize(("exit_when", "turns_when"), [("eq", "ne"), ("sge", "lt"), ("ugt", "le")])
def test_loops_turn_by_a_test_that_holds(exit_when: str, turns_when: str) -> None:
    kernel = f"""gpu.module @m {{ gpu.func @k(%o: memref<1xi32>, %n: i32, %x: i32) kernel {{
      %z = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %i0 = arith.constant 0 : index
      cf.br ^body(%z, %z : i32, i32)
    ^body(%i: i32, %t: i32):
      %s = arith.addi %t, %x : i32
      %j = arith.addi %i, %one : i32
      %g = arith.cmpi {exit_when}, %j, %n : i32
      cf.cond_br %g, ^end, ^body(%j, %s : i32, i32)
    ^end:
      memref.store %s, %o[%i0] : memref<1xi32>
      gpu.return }} }}"""
    module, out = compiled(kernel), np.zeros(1, np.int32)
    launch(module, "k", (1,), (1,), [out, np.int32(4), np.int32(5)])
    assert out[0] == 5 * (5 if exit_when == "ugt" else 4)
    assert f"setp.{turns_when}" in module.to_ptx()
    assert "@!" not in module.to_ptx()


@pytest.mark.sample(2)
@pytest.mark.parametrize("shift", [4, 5, 6])
@pytest.mark.parametrize("mask", [3, 6])
def test_fields_of_the_thread_number(shift: int, mask: int) -> None:
    """The warp's number in a field comes by one instruction, which ptxas leaves to the lanes."""
    kernel = f"""gpu.module @m {{ gpu.func @k(%o: memref<512xi32>) kernel {{
      %i = gpu.thread_id x
      %t = arith.index_cast %i : index to i32
      %s = arith.constant {shift} : i32
      %m = arith.constant {mask} : i32
      %q = arith.shrui %t, %s : i32
      %w = arith.andi %q, %m : i32
      %c = arith.constant 9 : i32
      %v = arith.xori %w, %c : i32
      %r = arith.addi %v, %w : i32
      memref.store %r, %o[%i] : memref<512xi32>
      gpu.return }} }}"""
    module, out = compiled(kernel), np.zeros(512, np.int32)
    launch(module, "k", (1,), (512,), [out])
    found = np.arange(512) >> shift & mask
    assert np.array_equal(out, (found ^ 9) + found)
    assert ("bfe.u32" in module.to_ptx()) == (shift >= 5 and mask == 3)


@pytest.mark.parametrize("number", [256, -7])
def test_products_with_what_a_loop_leaves_alone(number: int) -> None:
    """A sum that a loop leaves alone is a factor as it is: no product by each of its terms."""
    kernel = f"""gpu.module @m {{ gpu.func @k(%a: memref<9xi32>, %o: memref<1xi32>, %x: i32) kernel {{
      %c = arith.constant {number} : i32
      %z = arith.constant 0 : i32
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %i9 = arith.constant 9 : index
      %w = arith.subi %c, %x : i32
      %r = scf.for %i = %i0 to %i9 step %i1 iter_args(%s = %z) -> (i32) {{
        %v = memref.load %a[%i] : memref<9xi32>
        %p = arith.muli %v, %w : i32
        %t = arith.addi %s, %p : i32
        scf.yield %t : i32
      }}
      memref.store %r, %o[%i0] : memref<1xi32>
      gpu.return }} }}"""
    module, out, a = compiled(kernel), np.zeros(1, np.int32), np.arange(3, 12, dtype=np.int32)
    launch(module, "k", (1,), (1,), [a, out, np.int32(5)])
    assert out[0] == (number - 5) * a.sum()
    assert "shl" not in module.to_ptx()


def test_negated_sums() -> None:
    """The negative of a sum that stands in a register is taken of that register."""
    text = """%p = arith.addi %a, %b : i32
      %s = arith.addi %p, %c : i32
      %z = arith.constant 0 : i32
      %n = arith.subi %z, %s : i32
      %x = arith.xori %s, %a : i32
      %r = arith.xori %x, %n : i32"""
    a, b, c = (np.random.default_rng(n).integers(-(1 << 31), 1 << 31, 64).astype(np.int32) for n in range(3))
    with np.errstate(over="ignore"):
        total = a + b + c
        assert np.array_equal(elementwise(text, a, b, c, result=np.int32), total ^ a ^ -total)


def test_loops_that_are_not_to_be_unrolled() -> None:
    kernel = """module { llvm.func @k(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
      %z = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      llvm.br ^body(%z, %z : i32, i32)
    ^body(%i: i32, %s: i32):
      %t = llvm.add %s, %i : i32
      %j = llvm.add %i, %one : i32
      %g = llvm.icmp "slt" %j, %n : i32
      llvm.cond_br %g, ^body(%j, %t : i32, i32), ^end {loop_annotation = #llvm.loop_annotation<ANNOTATION>}
    ^end:
      llvm.store %t, %p : i32, !llvm.ptr<1>
      llvm.return } }"""
    rolled = compiled(kernel.replace("ANNOTATION", "unroll = #llvm.loop_unroll<disable = true>"))
    assert 'pragma "nounroll"' in rolled.to_ptx()
    assert "pragma" not in compiled(kernel.replace("ANNOTATION", "mustProgress = true")).to_ptx()


def test_a_sum_that_several_sums_read_is_added_once() -> None:
    text = """%p = arith.addi %a, %b : i32
      %s = arith.addi %p, %c : i32
      %five = arith.constant 5 : i32
      %m = arith.muli %s, %five : i32
      %x = arith.subi %s, %a : i32
      %r = arith.xori %x, %m : i32"""
    a, b, c = (np.random.default_rng(n).integers(-(1 << 31), 1 << 31, 64).astype(np.int32) for n in range(3))
    with np.errstate(over="ignore"):
        assert np.array_equal(elementwise(text, a, b, c, result=np.int32), (b + c) ^ 5 * (a + b + c))
    kernel = f"""gpu.module @m {{ gpu.func @k(%a: i32, %b: i32, %c: i32, %o: memref<1xi32>) kernel {{
      {text}
      %z = arith.constant 0 : index
      memref.store %r, %o[%z] : memref<1xi32>
      gpu.return }} }}"""
    ptx = compiled(kernel).to_ptx()
    assert "mul.lo.s32" in ptx and "mad.lo" not in ptx


def test_a_number_is_not_multiplied_apart_by_what_was_loaded() -> None:
    kernel = """gpu.module @m { gpu.func @k(%m: memref<64xi32>, %o: memref<64xi32>) kernel {
      %i = gpu.thread_id x
      %a = memref.load %m[%i] : memref<64xi32>
      %eight = arith.constant 8 : i32
      %s = arith.subi %a, %eight : i32
      %r = arith.muli %s, %a : i32
      memref.store %r, %o[%i] : memref<64xi32>
      gpu.return } }"""
    x = np.arange(-20, 44, dtype=np.int32)
    out = np.zeros_like(x)
    module = compiled(kernel)
    launch(module, "k", 1, 64, [x, out])
    assert np.array_equal(out, (x - 8) * x) and "mad.lo" not in module.to_ptx()


@pytest.mark.sample(1)
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("test", ["ult, %a, %b", "uge, %a, %b"])
def test_what_is_taken_away_where_it_is_not_too_much(bits: int, test: str) -> None:
    ways = "%z, %b" if "ult" in test else "%b, %z"
    text = f"""%z = arith.constant 0 : i{bits}
      %l = arith.cmpi {test} : i{bits}
      %m = arith.select %l, {ways} : i{bits}
      %r = arith.subi %a, %m : i{bits}"""
    edges = [0, 1, 2, 5, (1 << bits - 1) - 1, -1 << bits - 1, -1, -5]
    a, b = (one.ravel().astype(f"int{bits}") for one in np.meshgrid(edges, edges))
    x, y = (one.view(f"uint{bits}") for one in (a, b))
    with np.errstate(over="ignore"):
        wanted = np.where(x < y, x, x - y).view(a.dtype)
    assert np.array_equal(elementwise(text, a, b, result=a.dtype), wanted)
    kernel = f"""gpu.module @m {{ gpu.func @k(%a: i{bits}, %b: i{bits}, %o: memref<1xi{bits}>) kernel {{
      {text}
      %c = arith.constant 0 : index
      memref.store %r, %o[%c] : memref<1xi{bits}>
      gpu.return }} }}"""
    assert f"min.u{bits}" in compiled(kernel).to_ptx()


@pytest.mark.parametrize(("extension", "exact"), [("extsi", True), ("extui", False)])
def test_a_product_that_does_not_wrap_is_extended_by_the_multiplication(extension: str, exact: bool) -> None:
    text = f"""
      %w = arith.{extension} %a : i16 to i32
      %p = arith.muli %w, %w : i32
      %r = arith.extsi %p : i32 to i64"""
    x = WORDS.astype(np.int16)
    got = elementwise(text.strip(), x, result=np.int64)
    wide = (x if exact else x.view(np.uint16)).astype(np.int64)
    assert np.array_equal(got, (wide * wide).astype(np.int32).astype(np.int64))
    module = f"""gpu.module @m {{ gpu.func @k(%m: memref<1xi16>, %o: memref<1xi64>) kernel {{
      %i = arith.constant 0 : index
      %a = memref.load %m[%i] : memref<1xi16>
      {text}
      memref.store %r, %o[%i] : memref<1xi64>
      gpu.return }} }}"""
    ptx = compiled(module).to_ptx()
    assert ("mul.wide.s32" in ptx, "mul.lo.s32" in ptx) == (exact, not exact)


@pytest.mark.parametrize("triangular", [False, True])
def test_small_arrays_of_a_thread_are_registers_where_loops_know_their_places(triangular: bool) -> None:
    """Elimination in a matrix of the thread's own, of all rows or of those below."""
    first = "%below" if triangular else "%c0"
    text = f"""gpu.module @m {{ gpu.func @k(%a: memref<4x5xf32>, %o: memref<4x5xf32>) kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %m = memref.alloca() : memref<4x5xf32>
      scf.for %i = %c0 to %c4 step %c1 {{ scf.for %j = %c0 to %c5 step %c1 {{
        %x = memref.load %a[%i, %j] : memref<4x5xf32>
        memref.store %x, %m[%i, %j] : memref<4x5xf32> }} }}
      scf.for %p = %c0 to %c4 step %c1 {{
        %below = arith.addi %p, %c1 : index
        scf.for %r = {first} to %c4 step %c1 {{
        %other = arith.cmpi ne, %p, %r : index
        scf.if %other {{
          %u = memref.load %m[%r, %p] : memref<4x5xf32>
          %v = memref.load %m[%p, %p] : memref<4x5xf32>
          %f = arith.divf %u, %v : f32
          scf.for %c = %c0 to %c5 step %c1 {{
            %x = memref.load %m[%r, %c] : memref<4x5xf32>
            %y = memref.load %m[%p, %c] : memref<4x5xf32>
            %z = arith.mulf %f, %y : f32
            %w = arith.subf %x, %z : f32
            memref.store %w, %m[%r, %c] : memref<4x5xf32> }} }} }} }}
      scf.for %i = %c0 to %c4 step %c1 {{ scf.for %j = %c0 to %c5 step %c1 {{
        %x = memref.load %m[%i, %j] : memref<4x5xf32>
        memref.store %x, %o[%i, %j] : memref<4x5xf32> }} }}
      gpu.return }} }}"""
    module = compiled(text)
    assert "ld.local" not in module.to_ptx()
    a = (np.arange(20, dtype=np.float32).reshape(4, 5) % 7) + 9 * np.eye(4, 5, dtype=np.float32)
    out = np.zeros((4, 5), np.float32)
    weft.run(module, "k", 1, 1, [a, a, 0, 4, 5, 5, 1, out, out, 0, 4, 5, 5, 1])
    wanted = a.copy()
    for p in range(4):
        for r in range(p + 1 if triangular else 0, 4):
            if r != p:
                wanted[r] -= wanted[r, p] / wanted[p, p] * wanted[p]
    np.testing.assert_array_equal(out, wanted)


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(12))
def test_machines_of_states_go_through_the_states_that_they_reach(seed: int) -> None:
    """A loop whose state is chosen by nested branches on it; some states are never reached."""
    rng = Random(f"states {seed}")
    count = rng.randrange(2, 6)
    rows = [(rng.randrange(-100, 100), rng.randrange(count + 2), rng.randrange(count + 2)) for _ in range(count + 1)]
    start = rng.randrange(count)
    lines, ends = [], ""
    for state, (bound, low, high) in enumerate(rows):
        lines.append(f"""
        %b{state} = arith.constant {bound} : i32
        %l{state} = arith.constant {low} : i32
        %h{state} = arith.constant {high} : i32
        %t{state} = arith.cmpi slt, %x, %b{state} : i32
        %n{state} = arith.select %t{state}, %l{state}, %h{state} : i32
        %k{state} = arith.constant {state} : i32""")
        if state == count:
            lines.append(f"scf.yield %n{state} : i32")
            continue
        relation = rng.choice(("eq", "ne"))
        lines.append(f"%q{state} = arith.cmpi {relation}, %s, %k{state} : i32")
        taken, other = f"scf.yield %n{state} : i32", "}"
        if relation == "eq":
            lines.append(f"%r{state} = scf.if %q{state} -> (i32) {{ {taken} }} else {{")
        else:
            lines.append(f"%r{state} = scf.if %q{state} -> (i32) {{")
            other = f"}} else {{ {taken} }}"
        ends = f"{other}\nscf.yield %r{state} : i32\n{ends}"
    body = "\n".join(lines)
    text = f"""gpu.module @m {{ gpu.func @k(%a: memref<64xi32>, %o: memref<64xi32>) kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %start = arith.constant {start} : i32
      %end = scf.for %i = %c0 to %c64 step %c1 iter_args(%s = %start) -> (i32) {{
        %x = memref.load %a[%i] : memref<64xi32>
        memref.store %s, %o[%i] : memref<64xi32>
        {body}
        {ends}
      }}
      gpu.return }} }}"""
    module = compiled(text)
    a, out = np.array([rng.randrange(-120, 120) for _ in range(64)], np.int32), np.zeros(64, np.int32)
    weft.run(module, "k", 1, 1, [a, a, 0, 64, 1, out, out, 0, 64, 1])
    state, wanted = start, []
    for x in a:
        wanted.append(state)
        bound, low, high = rows[min(state, count)]
        state = low if x < bound else high
    assert out.tolist() == wanted


@pytest.mark.sample(3)
@pytest.mark.parametrize("op", ["ori", "xori"])
@pytest.mark.parametrize("bits", [16, 32, 64])
@pytest.mark.parametrize("order", range(4))
def test_one_mask_of_two_values_comes_last(op: str, bits: int, order: int) -> None:
    x = WORDS.astype(f"int{bits}")
    first = "%a, %m" if order & 1 else "%m, %a"
    second = "%b, %m" if order & 2 else "%m, %b"
    text = f"""
      %m = arith.muli %a, %b : i{bits}
      %p = arith.andi {first} : i{bits}
      %q = arith.andi {second} : i{bits}
      %r = arith.{op} %p, %q : i{bits}"""
    y = x[::-1].copy()
    with np.errstate(over="ignore"):
        m = x * y
    want = (x & m) | (y & m) if op == "ori" else (x & m) ^ (y & m)
    assert np.array_equal(elementwise(text.strip(), x, y, result=x.dtype), want)


def test_what_all_lanes_share_does_not_step_around_inner_loops() -> None:
    """ptxas keeps it in uniform registers, and copies it for every access of the inner loop."""
    text = """
gpu.module @m {
gpu.func @k(%a: memref<?x32xf32>, %m: memref<?xi32>, %out: memref<?xf32>, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %bits = memref.load %m[%t] : memref<?xi32>
    %r:2 = scf.while (%b = %bits, %u = %s) : (i32, f32) -> (i32, f32) {
      %more = arith.cmpi ne, %b, %none : i32
      scf.condition(%more) %b, %u : i32, f32
    } do {
    ^bb0(%b: i32, %u: f32):
      %z = math.cttz %b : i32
      %at = arith.index_castui %z : i32 to index
      %x = memref.load %a[%i, %at] : memref<?x32xf32>
      %v = arith.addf %u, %x : f32
      %less = arith.subi %b, %one : i32
      %rest = arith.andi %b, %less : i32
      scf.yield %rest, %v : i32, f32
    }
    scf.yield %r#1 : f32
  }
  memref.store %all, %out[%t] : memref<?xf32>
  gpu.return
}}"""
    rng = np.random.default_rng(4)
    a, masks = rng.integers(0, 9, (5, 32)).astype(np.float32), rng.integers(0, 1 << 31, 32).astype(np.int32)
    out = np.zeros(32, np.float32)
    module = compiled(text)
    launch(module, "k", 1, 32, [a, masks, out, 5])
    picked = (masks[:, None].astype(np.int64) >> np.arange(32)) & 1
    assert np.array_equal(out, (picked @ a.T.astype(np.float64)).sum(axis=1).astype(np.float32))
    assert ", 128;" not in module.to_ptx()


@pytest.mark.parametrize("op", ["or", "xor"])
def test_predicated_operations_take_what_one_mask_leaves(op: str) -> None:
    x = WORDS.astype(np.int32)[:4].copy()
    y = x[::-1].copy()
    text = f"""
gpu.module @m {{
gpu.func @k(%x: memref<4xi32>, %y: memref<4xi32>) kernel {{
  %c0 = arith.constant 0 : index
  %n = llvm.mlir.constant(4 : i32) : i32
  %all = llvm.mlir.constant(dense<true> : vector<4xi1>) : vector<4xi1>
  %a = vector.load %x[%c0] : memref<4xi32>, vector<4xi32>
  %b = vector.load %y[%c0] : memref<4xi32>, vector<4xi32>
  %m = arith.muli %a, %b : vector<4xi32>
  %p = arith.andi %a, %m : vector<4xi32>
  %q = arith.andi %b, %m : vector<4xi32>
  %r = "llvm.intr.vp.{op}"(%p, %q, %all, %n) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  vector.store %r, %x[%c0] : memref<4xi32>, vector<4xi32>
  gpu.return
}}}}"""
    with np.errstate(over="ignore"):
        m = x * y
    want = (x & m) | (y & m) if op == "or" else (x & m) ^ (y & m)
    launch(compiled(text), "k", 1, 1, [x, y])
    assert np.array_equal(x, want)


def test_columns_are_added_in_32_bits() -> None:
    """A row that 32 bits hold only as it wraps, and a column of two parts: one addition each, in 64 bits."""
    kernel = """gpu.module @m { llvm.func @k(%p: !llvm.ptr<1>, %o: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
      %six = llvm.mlir.constant(6 : i32) : i32
      %four = llvm.mlir.constant(4 : i32) : i32
      %x = nvvm.read.ptx.sreg.tid.x : i32
      %b = nvvm.read.ptx.sreg.ctaid.x : i32
      %y = nvvm.read.ptx.sreg.ctaid.y : i32
      %c = llvm.shl %b, %six : i32
      %column = llvm.or disjoint %c, %x : i32
      %row = llvm.mul %y, %n : i32
      %r = llvm.sext %row : i32 to i64
      %l = llvm.zext %column : i32 to i64
      %g = llvm.getelementptr %p[%r] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
      %h = llvm.getelementptr %g[%l] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
      %v = llvm.load %h : !llvm.ptr<1> -> i8
      %seven = llvm.mlir.constant(7 : i32) : i32
      %w = llvm.shl %y, %seven : i32
      %place = llvm.add %w, %column : i32
      %at = llvm.getelementptr %o[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
      llvm.store %v, %at : i8, !llvm.ptr<1>
      llvm.return } }"""
    module = compiled(kernel)
    data, out, n = np.arange(4096, dtype=np.uint32).astype(np.uint8), np.zeros(6 * 64, np.uint8), 700
    weft.run(module, "k", (2, 3), 64, [data, out, n])
    assert out.tolist() == [(x + n * y) % 256 for y in range(3) for x in range(128)]
    before = module.to_ptx().partition("ld.global")[0]
    assert before.count("add.s64") == 2


def test_rows_that_are_compared_are_multiplied() -> None:
    """Each row's number is in a register to be compared: a product of it is one instruction, a sum of products two."""
    rows = "".join(
        f"""%k{k} = llvm.mlir.constant({k} : i32) : i32
      %y{k} = llvm.add %y, %k{k} : i32
      %in{k} = llvm.icmp "slt" %y{k}, %m : i32
      %r{k} = llvm.mul %y{k}, %n : i32
      %s{k} = llvm.select %in{k}, %r{k}, %k{k} : i1, i32
      %at{k} = llvm.getelementptr %o[%k{k}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store %s{k}, %at{k} : i32, !llvm.ptr<1>
      """
        for k in (2, 4, 6, 8)
    )
    kernel = f"""gpu.module @m {{ llvm.func @k(%o: !llvm.ptr<1>, %y: i32, %m: i32, %n: i32) attributes {{gpu.kernel, nvvm.kernel}} {{
      {rows}llvm.return }} }}"""
    module, out = compiled(kernel), np.zeros(9, np.int32)
    weft.run(module, "k", 1, 1, [out, -5, 2, 77])
    assert [int(out[k]) for k in (2, 4, 6, 8)] == [(k - 5) * 77 if k - 5 < 2 else k for k in (2, 4, 6, 8)]
    assert "mad" not in module.to_ptx() and "shl" not in module.to_ptx()


_EDGES = np.array([0, 1, -1, 2, -2, 5, -5, 2**31 - 1, -(2**31), -(2**31) + 1], np.int64)


@pytest.mark.sample(8)
@pytest.mark.parametrize("relation", ["slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"])
@pytest.mark.parametrize("bits", [32, 64])
def test_choices_by_comparisons_of_what_is_chosen(relation: str, bits: int) -> None:
    """They become the lesser, the greater or the magnitude: whichever side is taken, at the ends of the range too."""
    dtype = np.dtype(f"int{bits}")
    a, b = (one.ravel().astype(dtype) for one in np.meshgrid(_EDGES << bits - 32, _EDGES << bits - 32))
    x, y = (one.view(f"u{dtype}") if relation[0] == "u" else one for one in (a, b))
    holds = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}[relation[1:]]
    t = f"i{bits}"
    test = f"%c = arith.cmpi {relation}, %a, %b : {t}\n"
    first = elementwise(f"{test}%r = arith.select %c, %a, %b : {t}", a, b, result=dtype)
    np.testing.assert_array_equal(first, np.where(holds(x, y), a, b))
    second = elementwise(f"{test}%r = arith.select %c, %b, %a : {t}", a, b, result=dtype)
    np.testing.assert_array_equal(second, np.where(holds(x, y), b, a))
    sign = f"%z = arith.constant 0 : {t}\n%n = arith.subi %z, %a : {t}\n%c = arith.cmpi {relation}, %a, %z : {t}\n"
    third = elementwise(f"{sign}%r = arith.select %c, %a, %n : {t}", a, result=dtype)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(third, np.where(holds(x, np.zeros_like(x)), a, -a))
        fourth = elementwise(f"{sign}%r = arith.select %c, %n, %a : {t}", a, result=dtype)
        np.testing.assert_array_equal(fourth, np.where(holds(x, np.zeros_like(x)), -a, a))
