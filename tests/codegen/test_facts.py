"""What is known of registers and of values: bits that may be set, sums without carries, signs, and what lanes share."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.codegen.test_linear import evaluate
from weft.codegen import linear
from weft.codegen.graph import B32, B64, Block, Induction, Loop, Value
from weft.codegen.integers import Integers
from weft.codegen.knownbits import lowest, possible, remainder_of, without_carry
from weft.codegen.linear import Lin
from weft.codegen.signs import is_read_as_signed
from weft.codegen.uniform import is_uniform
from weft.dialects.arith.predicates import INTEGER_PREDICATES
from weft.isa import opcode
from weft.mlir import parse_mlir
from weft.ptx.operands import Register, Symbol

FULL = (1 << 32) - 1
Inputs = tuple[Value, Value]
AND, OR, XOR, SHL = (opcode(stem, type="b32") for stem in ("and", "or", "xor", "shl"))
SHR, ADD, PRODUCT = opcode("shr", type="u32"), opcode("add", type="s32"), opcode("mul", mode="lo", type="s32")
MAD, WIDE = opcode("mad", mode="lo", type="s32"), opcode("mul", mode="wide", type="u32")


def _made(s: Integers, code: Any, *args: Any, cls: str = B32) -> Value:
    return s.pure(code, cls, *args)


EXACT: dict[str, Callable[[Integers, Value, Value], Value]] = {
    "a": lambda s, a, b: a,
    "a & b": lambda s, a, b: _made(s, AND, a, b),
    "a & 6": lambda s, a, b: _made(s, AND, a, 6),
    "a | b": lambda s, a, b: _made(s, OR, a, b),
    "a ^ b": lambda s, a, b: _made(s, XOR, a, b),
    "a | 64": lambda s, a, b: _made(s, OR, _made(s, AND, a, 6), 64),
    "a << 3": lambda s, a, b: _made(s, SHL, a, 3),
    "a << 30": lambda s, a, b: _made(s, SHL, a, 30),
    "a >> 1": lambda s, a, b: _made(s, SHR, a, 1),
    "a << 3 | b": lambda s, a, b: _made(s, OR, _made(s, SHL, a, 3), b),
    "a << 3 + b": lambda s, a, b: _made(s, ADD, _made(s, SHL, a, 3), b),
    "(a << 3 + b) >> 2": lambda s, a, b: _made(s, SHR, _made(s, ADD, _made(s, SHL, a, 3), b), 2),
    "a * 16": lambda s, a, b: _made(s, PRODUCT, a, 16),
    "a * 16 wide": lambda s, a, b: _made(s, WIDE, a, 16, cls=B64),
    "a * 16 + b": lambda s, a, b: _made(s, MAD, a, 16, b),
    "a << 30 + b": lambda s, a, b: _made(s, ADD, _made(s, SHL, a, 30), b),
    "u64 a": lambda s, a, b: _made(s, opcode("cvt", type="u64", atype="u32"), _made(s, AND, a, 5), cls=B64),
    "s64 a": lambda s, a, b: _made(s, opcode("cvt", type="s64", atype="s32"), _made(s, SHL, a, 4), cls=B64),
    "u32 a": lambda s, a, b: _made(
        s, opcode("cvt", type="u32", atype="u64"), _made(s, opcode("cvt", type="u64", atype="u32"), a, cls=B64)
    ),
}
"""Registers whose bits are known exactly, made of one below 8 and one below 4."""
ABOVE: dict[str, tuple[Callable[[Integers, Value, Value], Value], int]] = {
    "a + b": (lambda s, a, b: _made(s, ADD, a, b), 1),
    "a << 4 + b << 2": (lambda s, a, b: _made(s, ADD, _made(s, SHL, a, 3), _made(s, SHL, b, 2)), 4),
    "a << 2 + 4": (lambda s, a, b: _made(s, ADD, _made(s, SHL, a, 2), 4), 4),
    "a * 12": (lambda s, a, b: _made(s, PRODUCT, a, 12), 4),
    "(a << 2) * 12": (lambda s, a, b: _made(s, PRODUCT, _made(s, SHL, a, 2), 12), 16),
    "a * -8": (lambda s, a, b: _made(s, PRODUCT, a, -8), 8),
    "a * 24 + b << 4": (lambda s, a, b: _made(s, MAD, a, 24, _made(s, SHL, b, 4)), 8),
    "a * 3 + 8": (lambda s, a, b: _made(s, MAD, a, 3, 8), 1),
    "a << b": (lambda s, a, b: _made(s, SHL, a, b), 1),
    "a - b": (lambda s, a, b: _made(s, opcode("sub", type="s32"), a, b), 1),
    "s64 of any": (
        lambda s, a, b: _made(s, opcode("cvt", type="s64", atype="s32"), _made(s, SHL, a, 29), cls=B64),
        1 << 29,
    ),
}
"""Those of which only is known where zeros end, as sums may carry anywhere above; and the lowest bit that may be set."""


def _two() -> tuple[Integers, Value, Value]:
    s = Integers()
    return s, Value(B32, s.root, None, 0, 7), Value(B32, s.root, None, 0, 3)


def _results(found: Value, a: Value, b: Value) -> Iterator[int]:
    return (evaluate(found, {a: x, b: y}) for x, y in itertools.product(range(8), range(4)))


@pytest.mark.parametrize("name", EXACT)
def test_bits_that_may_be_set(name: str) -> None:
    s, a, b = _two()
    found = EXACT[name](s, a, b)
    union = 0
    for result in _results(found, a, b):
        union |= result
    assert possible(found) == union
    assert possible(found) == union  # Once more, as it is remembered.


@pytest.mark.parametrize("name", ABOVE)
def test_bits_that_sums_may_carry_into(name: str) -> None:
    make, low = ABOVE[name]
    s, a, b = _two()
    found = make(s, a, b)
    mask = FULL if found.cls == B32 else (1 << 64) - 1
    assert possible(found) == -low & mask
    assert not any(result & ~possible(found) for result in _results(found, a, b))


def test_bits_of_either_of_two() -> None:
    s, a, b = _two()
    test = Value("pred", s.root)
    found = _made(s, opcode("selp", type="b32"), _made(s, SHL, a, 3), b, test)
    assert possible(found) == 0b111011
    assert possible(Value(B32, s.root)) == FULL
    assert possible(Value(B64, s.root)) == (1 << 64) - 1
    assert possible(Value(B32, s.root, None, -1, 5)) == FULL
    assert possible(Value(B32, s.root, None, 0, 8)) == 15


def test_bits_are_followed_through_eight_instructions() -> None:
    for count in range(2, 12):
        s, a, b = _two()
        found = a
        for _ in range(count - 1):
            found = _made(s, XOR, found, b)
        assert possible(_made(s, SHL, found, 4)) == (0b1110000 if count <= 8 else FULL & -16)


def test_the_lowest_bit() -> None:
    assert [lowest(bits) for bits in (1, 2, 12, 0x80000000, 0)] == [1, 2, 4, 0x80000000, 1 << 63]


def _values() -> tuple[Value, Value, Value]:
    s = Integers()
    return Value(B32, s.root), Value(B32, s.root, None, 0, 3), Value(B32, s.root, None, 0, 4)


def test_numbers_that_carry_into_no_multiple() -> None:
    """8x + y + n with y up to 3: n may be taken off as long as y + n stays below 8."""
    x, small, four = _values()
    for (terms, number), taken in {
        (((x, 8),), 7): 7, (((x, 8),), 8): 0, (((x, 8),), 9): 1, (((x, 8),), -1): 7, (((x, 1),), 1): 0,
        (((x, 8), (small, 1)), 4): 4, (((x, 8), (small, 1)), 5): 0, (((x, 8), (small, 1)), 12): 4,
        (((x, 8), (four, 1)), 3): 3, (((x, 8), (four, 1)), 4): 0, (((x, 8), (small, 2)), 1): 1,
        (((x, 16), (small, 4)), 3): 3, (((x, 16), (small, 4)), 6): 2, (((x, 8), (small, -1)), 1): 0,
        (((x, -8),), 5): 5, (((x, 8), (small, 1)), 0): 0,
    }.items():  # fmt: skip
        lin = Lin(32, tuple(sorted(terms, key=lambda term: term[0].id)), number)
        base, found = without_carry(lin)
        assert (found, base) == (taken, linear.offset(lin, -taken)), (terms, number)


def test_what_is_always_0_is_no_multiple() -> None:
    """Neither a register without a bit that may be set, nor a term whose bits are all beyond the width."""
    s, a, _ = _two()
    nothing, far = _made(s, AND, a, 8), _made(s, SHL, a, 20)
    for terms in (((nothing, 1),), ((far, 1 << 16),)):
        lin = Lin(32, terms, -1)
        assert without_carry(lin) == (lin, 0)


def test_sums_without_multiples_of_a_modulus() -> None:
    x, small, _ = _values()
    for coefficient, modulus, kept in ((8, 8, False), (4, 8, True), (16, 8, False), (-8, 8, False), (12, 4, False)):
        lin = Lin(32, ((x, coefficient), (small, 1)), 21)
        found = remainder_of(lin, modulus)
        assert dict(found.terms) == ({x: coefficient, small: 1} if kept else {small: 1})
        assert found.const == 21 % modulus
    for const, left in ((7, 7), (-7, -7), (8, 0), (-8, 0), (9, 1)):
        assert remainder_of(Lin(32, ((small, 1),), const), 8).const == left


# -- signs --------------------------------------------------------------------------------------------------------------

SIGNED = {
    "arith.extsi %v : i8 to i32", "arith.sitofp %v : i8 to f32", "arith.maxsi %v, %w : i8", "arith.minsi %w, %v : i8",
    "arith.shrsi %v, %w : i8", "arith.divsi %v, %w : i8", "arith.remsi %v, %w : i8", "arith.index_cast %v : i8 to index",
    "index.casts %v : i8 to index", "llvm.sext %v : i8 to i32", "llvm.sitofp %v : i8 to f32", "llvm.ashr %v, %w : i8",
    "llvm.sdiv %v, %w : i8", "llvm.srem %v, %w : i8", "llvm.intr.smax(%v, %w) : (i8, i8) -> i8",
    "llvm.intr.smin(%v, %w) : (i8, i8) -> i8",
    *(f"arith.cmpi {name}, %v, %w : i8" for name in ("slt", "sle", "sgt", "sge")),
    *(f'llvm.icmp "{name}" %v, %w : i8' for name in ("slt", "sle", "sgt", "sge")),
}  # fmt: skip
UNSIGNED = {
    "arith.extui %v : i8 to i32", "arith.uitofp %v : i8 to f32", "arith.maxui %v, %w : i8", "arith.minui %w, %v : i8",
    "arith.shrui %v, %w : i8", "arith.divui %v, %w : i8", "arith.remui %v, %w : i8", "arith.index_castui %v : i8 to index",
    "index.castu %v : i8 to index", "llvm.zext %v : i8 to i32", "llvm.uitofp %v : i8 to f32", "llvm.lshr %v, %w : i8",
    "llvm.udiv %v, %w : i8", "llvm.urem %v, %w : i8", "llvm.intr.umax(%v, %w) : (i8, i8) -> i8",
    "llvm.intr.umin(%v, %w) : (i8, i8) -> i8",
    *(f"arith.cmpi {name}, %v, %w : i8" for name in ("ult", "ule", "ugt", "uge")),
    *(f'llvm.icmp "{name}" %v, %w : i8' for name in ("ult", "ule", "ugt", "uge")),
}  # fmt: skip
NEITHER = {
    "arith.addi %v, %w : i8",
    "arith.cmpi eq, %v, %w : i8",
    "arith.trunci %v : i8 to i1",
    "arith.xori %v, %w : i8",
}


def _signed(*cases: tuple[str, ...], width: int = 8) -> list[bool]:
    """Whether a value that these operations read is read as signed."""
    values = ", ".join(f"%v{place}: i8" for place in range(len(cases)))
    lines = [
        f"%r{place}_{n} = {text.replace('%v', f'%v{place}')}"
        for place, each in enumerate(cases)
        for n, text in enumerate(each)
    ]
    text = f"func.func @f({values}, %w: i8) {{\n" + "\n".join(lines) + "\nreturn }"
    (function,) = parse_mlir(text.replace("i8", f"i{width}")).ops
    return [is_read_as_signed(value) for value in function.regions[0].blocks[0].args[: len(cases)]]


def test_which_operations_read_a_sign() -> None:
    assert len(INTEGER_PREDICATES) == 10
    every, sign = sorted(SIGNED | UNSIGNED | NEITHER), "arith.extsi %v : i8 to i32"
    assert {text for text, found in zip(every, _signed(*((text,) for text in every)), strict=True) if found} == SIGNED
    for found in (_signed(*((sign, text) for text in every)), _signed(*((text, sign) for text in every))):
        assert {text for text, yes in zip(every, found, strict=True) if yes} == SIGNED | NEITHER
    widths = [
        width for width in (4, 7, 8, 9, 15, 16, 17, 24) if _signed(("arith.extsi %v : i8 to i64",), width=width)[0]
    ]
    assert widths == [8, 16]
    assert _signed(()) == [False]


# -- lanes --------------------------------------------------------------------------------------------------------------


def _moved(s: Integers, what: Any) -> Value:
    return s.pure(opcode("mov", type="u32"), B32, what)


def test_what_all_lanes_share() -> None:
    s = Integers()
    for name, shared in (
        *((f"%{name}.{axis}", True) for name in ("ctaid", "nctaid", "ntid") for axis in "xyz"),
        *((f"%tid.{axis}", False) for axis in "xyz"), ("%laneid", False), ("%warpid", False),
    ):  # fmt: skip
        assert is_uniform(_moved(s, Register(name))) == shared, name
    assert is_uniform(_moved(s, 5))
    assert is_uniform(_moved(s, Symbol("g")))
    parameter, loaded = Value(B64, s.root), Value(B64, s.root)
    s.read(opcode("ld", ss="param", type="b64"), parameter, 0, outs=(parameter,))
    s.read(opcode("ld", ss="global", type="b64"), loaded, 0, outs=(loaded,))
    assert is_uniform(parameter)
    assert not is_uniform(loaded)
    assert not is_uniform(Value(B32, s.root))
    block, thread = _moved(s, Register("%ctaid.x")), _moved(s, Register("%tid.x"))
    for code in (ADD, SHL, SHR, AND, OR, XOR, PRODUCT, opcode("sub", type="s32")):
        assert is_uniform(s.pure(code, B32, block, 3)), code
        assert not is_uniform(s.pure(code, B32, block, thread)), code
        assert not is_uniform(s.pure(code, B32, thread, block)), code
    assert is_uniform(s.pure(opcode("cvt", type="u64", atype="u32"), B64, block))
    assert is_uniform(s.pure(opcode("cvta", to="to", ss="global", size="u64"), B64, parameter))
    assert not is_uniform(s.pure(opcode("min", type="s32"), B32, block, 3))


def test_what_lanes_share_is_followed_through_eight_steps() -> None:
    s = Integers()
    value = _moved(s, Register("%ctaid.x"))
    found: list[bool] = []
    for step in range(10):
        found.append(is_uniform(value))
        value = s.pure(ADD, B32, value, step + 1)
    assert found == [True] * 8 + [False] * 2


def test_counters_are_shared_where_their_starts_are() -> None:
    s = Integers()
    block, thread = _moved(s, Register("%ctaid.x")), _moved(s, Register("%tid.x"))
    for start, shared in ((linear.const(0, 32), True), (linear.of(block), True), (linear.of(thread), False),
                          (linear.add(linear.of(block), linear.of(thread)), False)):  # fmt: skip
        loop = Loop(Block(s.root, loop=True))
        counter = Value(B32, loop.body)
        counter.induction = Induction(loop, start, linear.const(1, 32))
        assert is_uniform(counter) == shared
        assert operator.not_(is_uniform(counter, 0))
