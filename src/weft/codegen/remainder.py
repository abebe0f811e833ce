"""The remainder of floats, exact for all operands: long division, 22 (51) bits of the quotient at a time."""

from __future__ import annotations

from typing import Any

from weft.codegen.floats import F32, Float, constant, fma
from weft.codegen.graph import PRED, Carried, If, Loop, Merge, Value
from weft.codegen.ops.arith_cast import refloated
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar
from weft.isa import opcode

_BITS = {"f32": 22, "f64": 51}
"""Bits of the quotient that one division gives: it is below twice 2^bits, and so an exact integer."""
INFINITY, NAN = float("inf"), float("nan")


def remainder(s: Selector, a: Float, b: Float, kind: Scalar) -> Any:
    """a - trunc(a / b) * b with a's sign, without rounding; a where b is infinite; NaN where a is, or b is 0."""
    if kind.name not in _BITS:
        # The remainder has no more bits than the operands: it is exact in f32 too.
        x, y = (refloated(s, v, kind, F32) for v in (a, b))
        return refloated(s, remainder(s, x, y, F32), F32, kind)
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
        found = s.pure(opcode("copysign", type=t), kind.cls, a, _divided(s, x, y, kind))
    result = Value(kind.cls, s.block)
    branch.merges.append(Merge(result, [kept, found]))
    s.block.items.append(branch)
    return result


def _divided(s: Selector, x: Value, y: Value, kind: Scalar) -> Value:
    """The remainder of positive numbers: x is reduced by y * 2^(k n), for k from as high as need be down to 0."""
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
    rest, divisor = Value(kind.cls, second.body), Value(kind.cls, second.body)
    left = Value(kind.cls, s.block)
    with s.at(second.body):
        quotient = s.pure(
            opcode("cvt", rnd="rzi", type=t, atype=t),
            kind.cls,
            s.pure(opcode("div", rnd="rn", type=t), kind.cls, rest, divisor),
        )
        below = fma(s, s.pure(opcode("neg", type=t), kind.cls, quotient), divisor, rest, kind)
        # The quotient may have been rounded up to the next integer.
        over = s.pure(opcode("setp", cmp="lt", type=t), PRED, below, constant(0.0, kind))
        fixed = s.pure(
            opcode("selp", type=kind.cls),
            kind.cls,
            s.pure(opcode("add", rnd="rn", type=t), kind.cls, below, divisor),
            below,
            over,
        )
        smaller = s.pure(opcode("mul", rnd="rn", type=t), kind.cls, divisor, down)
        second.again = s.pure(opcode("setp", cmp="gt", type=t), PRED, divisor, y)
    second.carried += [Carried(rest, x, fixed, left), Carried(divisor, top, smaller)]
    s.block.items.append(second)
    return left
