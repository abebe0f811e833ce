"""The remainder of floats, exact for all operands: long division, some bits of the quotient at a time."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.floats import F32, Float, constant, fma
from weft.codegen.graph import B32, PRED, Carried, Const, If, Loop, Merge, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import refloated
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar
from weft.isa import opcode

_BITS = {"f32": 19, "f64": 51}
"""Bits of the quotient that one division gives: it is below twice 2^bits, and so an exact integer."""
_MAGIC = {"f32": 1.5 * 2.0**23, "f64": 2.0**52}
"""A sum with it has the last bits of an integer for its own."""
INFINITY, NAN = float("inf"), float("nan")


def remainder(s: Selector, a: Float, b: Float, kind: Scalar) -> Any:
    """a - trunc(a / b) * b with a's sign, without rounding; a where b is infinite; NaN where a is, or b is 0."""
    if kind.name not in _BITS:
        # The remainder has no more bits than the operands: it is exact in f32 too.
        x, y = (refloated(s, v, kind, F32) for v in (a, b))
        return refloated(s, remainder(s, x, y, F32), F32, kind)
    return divide(s, a, b, kind)[0]


def divide(s: Selector, a: Float, b: Float, kind: Scalar, *, positive: bool = False) -> tuple[Any, Lin]:
    """The remainder of f32 or f64, and the quotient of the sizes modulo 8 in the last bits of an integer.

    The number that is divided may be known to be `positive`, or 0.
    """
    t = kind.name
    a, b = (s.register(x, kind.cls) for x in (a, b))
    x, y = (s.pure(opcode("abs", type=t), kind.cls, v) for v in (a, b))
    finite = s.pure(opcode("setp", cmp="lt", type=t), PRED, x, constant(INFINITY, kind))
    divides = s.pure(opcode("setp", cmp="gt", type=t), PRED, y, constant(0.0, kind))
    defined = s.register(s.logic("and", finite, divides), PRED)
    kept = s.pure(opcode("selp", type=kind.cls), kind.cls, a, constant(NAN, kind), defined)
    # x < y, an infinite y among these, or one of them is NaN: there is nothing to divide.
    below = s.pure(opcode("setp", cmp="ltu", type=t), PRED, x, y)
    short = s.register(s.logic("or", below, s.inverted(defined)), PRED)
    branch = If(short, s.child(), s.child(), source=s.source)
    with s.at(branch.otherwise):
        rest, last = _divided(s, x, y, kind)
        found = rest if positive else s.pure(opcode("copysign", type=t), kind.cls, a, rest)
    result, count = Value(kind.cls, s.block), Value(B32, s.block)
    branch.merges += [Merge(result, [kept, found]), Merge(count, [Const(B32, 0), last])]
    s.block.items.append(branch)
    return result, linear.of(count)


def _divided(s: Selector, x: Value, y: Value, kind: Scalar) -> tuple[Value, Value]:
    """The remainder of positive numbers, and the last bits of their quotient.

    x is reduced by y * 2^(k n), for k from as high as need be down to 0; all quotients but the last are multiples of 8.
    """
    t, step = kind.name, 2.0 ** _BITS[kind.name]
    up, down = constant(step, kind), constant(1 / step, kind)

    def larger(divisor: Value) -> Value:
        return s.pure(opcode("mul", rnd="rn", type=t), kind.cls, divisor, up)

    def fits(divisor: Value) -> Value:
        return s.pure(opcode("setp", cmp="le", type=t), PRED, divisor, x)

    first = Loop(s.child(loop=True), guard=fits(larger(y)), source=s.source)
    scaled, top = Value(kind.cls, first.body), Value(kind.cls, s.block)
    with s.at(first.body):
        following = larger(scaled)
        again = fits(larger(following))
    first.carried.append(Carried(scaled, y, following, top))
    first.again = again
    s.block.items.append(first)

    second = Loop(s.child(loop=True), source=s.source)
    rest, divisor, before = (Value(cls, second.body) for cls in (kind.cls, kind.cls, B32))
    left, last = Value(kind.cls, s.block), Value(B32, s.block)
    with s.at(second.body):
        fixed, bits = _step(s, rest, divisor, kind)
        second.again = s.pure(opcode("setp", cmp="gt", type=t), PRED, divisor, y)
        smaller = s.pure(opcode("mul", rnd="rn", type=t), kind.cls, divisor, down)
    second.carried += [
        Carried(rest, x, fixed, left),
        Carried(divisor, top, smaller),
        Carried(before, Const(B32, 0), bits, last),
    ]
    s.block.items.append(second)
    return left, last


def _step(s: Selector, rest: Value, divisor: Value, kind: Scalar) -> tuple[Value, Value]:
    """`rest` less a multiple of `divisor`, from 0 to that, without rounding; and the last bits of the factor."""
    t, single = kind.name, kind.name == "f32"
    # Of f32 the quotient is within 2 units, a quarter of 1, so that the nearest integer is at most 3/4 from the exact
    # one, and at most 1 too large; one of f64 that is rounded towards zero is never too large.
    division = opcode("div", rnd="full", type=t) if single else opcode("div", rnd="rz", type=t)
    whole = opcode("cvt", rnd="rni" if single else "rzi", type=t, atype=t)
    quotient = s.pure(whole, kind.cls, s.pure(division, kind.cls, rest, divisor))
    below = fma(s, s.pure(opcode("neg", type=t), kind.cls, quotient), divisor, rest, kind)
    sum_ = s.pure(opcode("add", rnd="rn", type=t), kind.cls, quotient, constant(_MAGIC[t], kind))
    if not single:
        return below, s.pure_many(opcode("mov", type="b64"), (B32, B32), sum_)[0]
    over = s.pure(opcode("setp", cmp="lt", type=t), PRED, below, constant(0.0, kind))
    more = s.pure(opcode("add", rnd="rn", type=t), kind.cls, below, divisor)
    fixed = s.pure(opcode("selp", type=kind.cls), kind.cls, more, below, over)
    return fixed, s.int_value(s.sub(linear.of(sum_), s.from_test(over, 32)))
