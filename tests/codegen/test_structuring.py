"""Blocks that become structured operations, functions that are inlined, and structures that become values."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.codegen import compile_module

THREADS = 32


def _run(text: str, name: str = "k") -> np.ndarray:
    out = np.zeros(THREADS, np.int32)
    weft.run(compile_module(text, "sm_80"), name, grid=1, block=THREADS, args=[out])
    return out


def _kernel(body: str, functions: str = "") -> str:
    return f"""{functions}
    llvm.func @k(%out: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c2 = llvm.mlir.constant(2 : i32) : i32
      %c7 = llvm.mlir.constant(7 : i32) : i32
      %c20 = llvm.mlir.constant(20 : i32) : i32
      %t = nvvm.read.ptx.sreg.tid.x : i32
      {body}
    ^end(%r: i32):
      %at = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store %r, %at : i32, !llvm.ptr<1>
      llvm.return
    }}"""


EARLY = """
    llvm.func internal @clamped(%x: i32) -> i32 {
      %ten = llvm.mlir.constant(10 : i32) : i32
      %three = llvm.mlir.constant(3 : i32) : i32
      %small = llvm.icmp "slt" %x, %three : i32
      llvm.cond_br %small, ^low, ^more
    ^low:
      llvm.return %three : i32
    ^more:
      %large = llvm.icmp "sgt" %x, %ten : i32
      llvm.cond_br %large, ^high, ^same
    ^high:
      llvm.return %ten : i32
    ^same:
      llvm.return %x : i32
    }"""
CALL = "%x = llvm.call @clamped(%t) : (i32) -> i32\nllvm.br ^end(%x : i32)"


def test_functions_that_return_early_are_inlined() -> None:
    text = _kernel(CALL, EARLY)
    assert "call" not in compile_module(text, "sm_80").to_ptx()
    assert _run(text).tolist() == [min(max(t, 3), 10) for t in range(THREADS)]


@pytest.mark.parametrize(
    "text",
    [
        _kernel(CALL, EARLY.replace("-> i32 {", "-> i32 attributes {no_inline} {", 1)),
        _kernel(CALL, EARLY.replace("-> i32 {", '-> i32 attributes {passthrough = ["noinline"]} {', 1)),
        _kernel(CALL, EARLY.replace("internal", "weak")),
        _kernel(CALL.replace("llvm.call @clamped(%t)", "llvm.call @clamped(%t) {no_inline}"), EARLY),
    ],
    ids=["no_inline", "noinline", "weak", "call"],
)
def test_functions_that_stay(text: str) -> None:
    assert "call" in compile_module(text, "sm_80").to_ptx()
    assert _run(text).tolist() == [min(max(t, 3), 10) for t in range(THREADS)]


def test_recursive_functions_stay() -> None:
    functions = """
    llvm.func internal @sum(%x: i32) -> i32 {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %done = llvm.icmp "eq" %x, %zero : i32
      llvm.cond_br %done, ^end, ^more
    ^end:
      llvm.return %zero : i32
    ^more:
      %y = llvm.sub %x, %one : i32
      %s = llvm.call @sum(%y) : (i32) -> i32
      %r = llvm.add %s, %x : i32
      llvm.return %r : i32
    }"""
    text = _kernel("%x = llvm.call @sum(%t) : (i32) -> i32\nllvm.br ^end(%x : i32)", functions)
    assert _run(text).tolist() == [t * (t + 1) // 2 for t in range(THREADS)]


COUNTED = """
      llvm.br ^head(%c0, %c0 : i32, i32)
    ^head(%i: i32, %s: i32):
      %go = llvm.icmp "slt" %i, %c20 : i32
      llvm.cond_br %go, ^body, ^end(%s : i32)
    ^body:
      %rest = llvm.srem %i, %c2 : i32
      %odd = llvm.icmp "eq" %rest, %c1 : i32
      %later = llvm.icmp "sgt" %i, %t : i32
      llvm.cond_br %odd, ^test, ^next(%s : i32)
    ^test:
      llvm.cond_br %later, ^add, ^next(%s : i32)
    ^add:
      %sum = llvm.add %s, %i : i32
      llvm.br ^next(%sum : i32)
    ^next(%n: i32):
      %i1 = llvm.add %i, %c1 overflow<nsw> : i32
      llvm.br ^head(%i1, %n : i32, i32)"""
"""A loop that counts, with two tests in a row inside."""

DOUBLED = """
      llvm.br ^head(%c1, %c0 : i32, i32)
    ^head(%i: i32, %s: i32):
      %go = llvm.icmp "slt" %i, %c20 : i32
      llvm.cond_br %go, ^body, ^end(%s : i32)
    ^body:
      %x = llvm.xor %t, %i : i32
      %sum = llvm.add %s, %x : i32
      %i2 = llvm.mul %i, %c2 : i32
      llvm.br ^head(%i2, %sum : i32, i32)"""
"""A loop that turns as often as constants say."""


def test_branches_in_loops_that_count() -> None:
    text = _kernel(COUNTED)
    expected = [sum(i for i in range(20) if i % 2 == 1 and i > t) for t in range(THREADS)]
    assert _run(text).tolist() == expected
    assert compile_module(text, "sm_80").to_ptx().count("bra") == 1


def test_loops_that_constants_end() -> None:
    text = _kernel(DOUBLED)
    assert _run(text).tolist() == [sum(t ^ 1 << k for k in range(5)) for t in range(THREADS)]
    assert "bra" not in compile_module(text, "sm_80").to_ptx()


def test_a_choice_that_constants_lead_to() -> None:
    """What sets a flag goes where the flag leads."""
    text = _kernel("""
      %low = llvm.icmp "slt" %t, %c7 : i32
      llvm.cond_br %low, ^a, ^b
    ^a:
      llvm.br ^choose(%c2, %t : i32, i32)
    ^b:
      llvm.br ^choose(%c0, %c7 : i32, i32)
    ^choose(%flag: i32, %v: i32):
      llvm.switch %flag : i32, ^end(%v : i32) [ 2: ^two ]
    ^two:
      %w = llvm.mul %t, %c20 : i32
      llvm.br ^end(%w : i32)""")
    assert _run(text).tolist() == [20 * t if t < 7 else 7 for t in range(THREADS)]
    assert "setp.eq" not in compile_module(text, "sm_80").to_ptx()


@pytest.mark.parametrize("flag", [0, 1, 2, 3, -1, 127, -128])
def test_a_choice_of_cases_that_take_more_or_less(flag: int) -> None:
    """A constant leads to its case, with what that is given; where it may be another number, a test does."""
    choose = """^choose(%flag: i8, %v: i32):
      llvm.switch %flag : i8, ^end(%v : i32) [ 1: ^one(%v, %t : i32, i32), 2: ^two, -1: ^three(%v : i32), -128: ^one(%t, %v : i32, i32) ]
    ^one(%x: i32, %y: i32):
      %x2 = llvm.mul %x, %c20 : i32
      %xy = llvm.add %x2, %y : i32
      llvm.br ^end(%xy : i32)
    ^two:
      llvm.br ^end(%c7 : i32)
    ^three(%z: i32):
      %nz = llvm.sub %c0, %z : i32
      llvm.br ^end(%nz : i32)"""
    text = _kernel(f"""
      %low = llvm.icmp "slt" %t, %c7 : i32
      %k = llvm.mlir.constant({flag} : i8) : i8
      %other = llvm.trunc %t : i32 to i8
      %t2 = llvm.mul %t, %c2 : i32
      llvm.cond_br %low, ^a, ^b
    ^a:
      llvm.br ^choose(%k, %t2 : i8, i32)
    ^b:
      llvm.br ^choose(%other, %c20 : i8, i32)
    {choose}""")

    def chosen(number: int, v: int, t: int) -> int:
        return {1: 20 * v + t, 2: 7, -1: -v, -128: 20 * t + v}.get(number, v)

    assert _run(text).tolist() == [chosen(flag, 2 * t, t) if t < 7 else chosen(t, 20, t) for t in range(THREADS)]


@pytest.mark.parametrize("steps", [2, 3])
@pytest.mark.parametrize("dialect", ["llvm", "memref"])
def test_what_is_short_runs_on_both_sides(dialect: str, steps: int) -> None:
    """Two operations, and constants, places and loads of the thread's own memory that go with them."""
    if dialect == "llvm":
        own = "%own = llvm.alloca %c2 x i32 : (i32) -> !llvm.ptr"
        place = "%one = llvm.getelementptr %own[%odd] : (!llvm.ptr, i32) -> !llvm.ptr, i32"
        store, load = "llvm.store %t, %one : i32, !llvm.ptr", "%l0 = llvm.load %again : !llvm.ptr -> i32"
        again = "%again = llvm.getelementptr %own[%odd] : (!llvm.ptr, i32) -> !llvm.ptr, i32"
    else:
        own, place = "%own = memref.alloca() : memref<2xi32>", "%at0 = arith.index_cast %odd : i32 to index"
        store, load = "memref.store %t, %own[%at0] : memref<2xi32>", "%l0 = memref.load %own[%at0] : memref<2xi32>"
        again = ""
    sums = "\n".join(f"%l{n + 1} = llvm.add %l{n}, %c{(1, 7)[n]} : i32" for n in range(steps - 1))
    text = _kernel(f"""
      {own}
      %odd = llvm.and %t, %c1 : i32
      {place}
      {store}
      %low = llvm.icmp "slt" %t, %c7 : i32
      llvm.cond_br %low, ^a, ^end(%c20 : i32)
    ^a:
      %same = llvm.mlir.constant(5 : i32) : i32
      {again}
      {load}
      {sums}
      llvm.br ^end(%l{steps - 1} : i32)""")
    added = 1 if steps == 2 else 8
    assert _run(text).tolist() == [t + added if t < 7 else 20 for t in range(THREADS)]
    assert ("bra" in compile_module(text, "sm_80").to_ptx()) == (steps > 2)


STRUCTURE = """
      %z8 = llvm.mlir.constant(0 : i8) : i8
      %a = llvm.alloca %c1 x !llvm.struct<(i32, struct<(i16, i64)>)> : (i32) -> !llvm.ptr
      %b = llvm.alloca %c1 x !llvm.struct<(i32, struct<(i16, i64)>)> : (i32) -> !llvm.ptr
      %all = llvm.mlir.constant(24 : i64) : i64
      "llvm.intr.memset"(%a, %z8, %all) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
      %a2 = llvm.getelementptr %a[0, 1, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, struct<(i16, i64)>)>
      %wide = llvm.sext %t : i32 to i64
      llvm.store %wide, %a2 : i64, !llvm.ptr
      "llvm.intr.memcpy"(%b, %a, %all) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
      llvm.store %c7, %a : i32, !llvm.ptr
      %b2 = llvm.getelementptr %b[16] : (!llvm.ptr) -> !llvm.ptr, i8
      %v = llvm.load %b2 : !llvm.ptr -> i64
      %first = llvm.load %b : !llvm.ptr -> i32
      %other = llvm.load %a : !llvm.ptr -> i32
      %n = llvm.trunc %v : i64 to i32
      %p = llvm.add %n, %first : i32
      %q = llvm.add %p, %other : i32
      llvm.br ^end(%q : i32)"""


def test_copied_structures_are_values() -> None:
    text = _kernel(STRUCTURE)
    assert _run(text).tolist() == [t + 7 for t in range(THREADS)]
    assert "local" not in compile_module(text, "sm_80").to_ptx()


@pytest.mark.sample(4)
@pytest.mark.parametrize(("start", "to", "count"), [(0, 0, 6), (1, 0, 2), (2, 1, 3), (5, 0, 1), (0, 5, 1), (1, 2, 4)])
def test_copied_parts_of_structures_are_values(start: int, to: int, count: int) -> None:
    type_ = "struct<(i32, array<2 x i32>, struct<(i32, array<2 x i32>)>)>"
    lines = [f"%{name} = llvm.alloca %c1 x !llvm.{type_} : (i32) -> !llvm.ptr" for name in "ab"]
    for name, value in (("a", "%n{}"), ("b", "%c7")):
        for word in range(6):
            lines += [
                f"%n{word} = llvm.add %t, %k{word} : i32" if name == "a" else "",
                f"%{name}{word} = llvm.getelementptr %{name}[{4 * word}] : (!llvm.ptr) -> !llvm.ptr, i8",
                f"llvm.store {value.format(word)}, %{name}{word} : i32, !llvm.ptr",
            ]
    lines += [
        f"%size = llvm.mlir.constant({4 * count} : i64) : i64",
        f'"llvm.intr.memcpy"(%b{to}, %a{start}, %size) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()',
        "%s0 = llvm.load %b0 : !llvm.ptr -> i32",
    ]
    for word in range(1, 6):
        lines += [
            f"%m{word} = llvm.mul %s{word - 1}, %c20 : i32",
            f"%l{word} = llvm.load %b{word} : !llvm.ptr -> i32",
            f"%s{word} = llvm.add %m{word}, %l{word} : i32",
        ]
    numbers = [f"%k{word} = llvm.mlir.constant({word + 30} : i32) : i32" for word in range(6)]
    text = _kernel("\n".join([*numbers, *lines, "llvm.br ^end(%s5 : i32)"]))
    assert "local" not in compile_module(text, "sm_80").to_ptx()
    wanted: list[int] = []
    for t in range(THREADS):
        held = [7] * 6
        held[to : to + count] = [t + 30 + word for word in range(start, start + count)]
        wanted.append(sum(number * 20 ** (5 - word) for word, number in enumerate(held)))
    assert _run(text).tolist() == wanted


def test_truths_in_bytes_are_predicates() -> None:
    text = _kernel("""
      %b = llvm.alloca %c1 x i8 : (i32) -> !llvm.ptr
      %low = llvm.icmp "slt" %t, %c7 : i32
      %byte = llvm.zext %low : i1 to i8
      llvm.store %byte, %b : i8, !llvm.ptr
      %read = llvm.load %b : !llvm.ptr -> i8
      %bit = llvm.trunc %read : i8 to i1
      %r0 = llvm.select %bit, %c1, %c20 : i1, i32
      llvm.br ^end(%r0 : i32)""")
    assert _run(text).tolist() == [1 if t < 7 else 20 for t in range(THREADS)]
    assert compile_module(text, "sm_80").to_ptx().count("setp") == 1


@pytest.mark.sample(24)
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("relation", ["eq", "ne"])
@pytest.mark.parametrize(("divisor", "rest"), [(2, 0), (2, 1), (16, 0), (16, 15), (64, 3)])
def test_remainders_by_powers_of_two(bits: int, relation: str, divisor: int, rest: int) -> None:
    text = f"""gpu.module @m {{ gpu.func @k(%a: memref<?xi{bits}>, %o: memref<?xi32>) kernel {{
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<?xi{bits}>
      %d = arith.constant {divisor} : i{bits}
      %c = arith.constant {rest} : i{bits}
      %r = arith.remsi %x, %d : i{bits}
      %p = arith.cmpi {relation}, %r, %c : i{bits}
      %z = arith.extui %p : i1 to i32
      memref.store %z, %o[%i] : memref<?xi32>
      gpu.return }} }}"""
    drawn = np.random.default_rng(bits).integers(-(2 ** (bits - 1)), 2 ** (bits - 1), 128)
    a = drawn.astype(f"int{bits}")
    a[:80] = np.arange(-40, 40)
    out = np.zeros(128, np.int32)
    weft.run(compile_module(text, "sm_80"), "k", 1, 128, [a, a, 0, 128, 1, out, out, 0, 128, 1])
    same = np.fmod(a, divisor) == rest
    assert (out == (same if relation == "eq" else ~same)).all()


@pytest.mark.parametrize(("by", "mask"), [(31, 1), (5, 7), (30, 3), (31, 3), (40, 1), (0, 0xFFFFFFFF), (8, 0xFFFFFF)])
@pytest.mark.parametrize("shift", ["shrui", "shrsi"])
def test_bits_of_a_long_number(by: int, mask: int, shift: str) -> None:
    text = f"""gpu.module @m {{ gpu.func @k(%a: memref<?xi64>, %o: memref<?xi64>) kernel {{
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<?xi64>
      %by = arith.constant {by} : i64
      %mask = arith.constant {mask} : i64
      %s = arith.{shift} %x, %by : i64
      %r = arith.andi %s, %mask : i64
      memref.store %r, %o[%i] : memref<?xi64>
      gpu.return }} }}"""
    a = np.random.default_rng(by).integers(-(2**63), 2**63, 64)
    out = np.zeros(64, np.int64)
    weft.run(compile_module(text, "sm_80"), "k", 1, 64, [a, a, 0, 64, 1, out, out, 0, 64, 1])
    shifted = a >> by if shift == "shrsi" else (a.view(np.uint64) >> np.uint64(by)).view(np.int64)
    assert (out == shifted & mask).all()
