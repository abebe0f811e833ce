"""Powers with integer exponents, by squaring."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from weft.codegen import floats, linear
from weft.codegen.graph import B32, B64, PRED, Carried, Loop, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import refloated
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar
from weft.codegen.vectors import elementwise
from weft.dialects import narrow
from weft.isa import opcode

_WRITTEN_OUT = 64
"""Constant exponents up to which products are written one after the other."""


@handles("math.fpowi", "llvm.intr.powi")
def select_integer_power(s: Selector, op: Operation) -> None:
    """x^n in x's own type, of 16 bits and fewer in f32: each product is rounded, as in libdevice.

    The base is inverted first for a negative n, so that the power overflows only where the result does.
    """
    exponent = narrow.element(op.operands[1].type)

    def apply(x: Any, n: Any, kind: Scalar) -> Any:
        own = kind if kind.name in ("f32", "f64") else floats.F32
        base = s.register(refloated(s, x, kind, own), own.cls)
        return refloated(s, _power(s, base, s.as_number(n, exponent, signed=True), own), own, kind)

    elementwise(s, op, apply)


def _power(s: Selector, x: Value, n: Lin, kind: Scalar) -> Any:
    one = floats.constant(1.0, kind)
    if n.is_const:
        x = floats.binary(s, "div", one, x, kind) if n.const < 0 else x
        return _written_out(s, x, abs(n.const), kind) if abs(n.const) <= _WRITTEN_OUT else _by_loop(s, x, n, kind)
    below = s.compare("lt", n, linear.const(0, n.bits), signed=True)
    inverse = floats.binary(s, "div", one, x, kind)
    base = s.pure(opcode("selp", type=kind.cls), kind.cls, inverse, x, s.register(below, PRED))
    return _by_loop(s, base, n, kind)


def _written_out(s: Selector, x: Any, n: int, kind: Scalar) -> Any:
    found: Any = None
    while n:
        if n & 1:
            found = x if found is None else floats.binary(s, "mul", found, x, kind)
        n >>= 1
        x = floats.binary(s, "mul", x, x, kind) if n else x
    return floats.constant(1.0, kind) if found is None else found


def _by_loop(s: Selector, x: Value, n: Lin, kind: Scalar) -> Value:
    """x^|n|: a factor for each bit that is set, the lowest first."""
    cls, zero = B32 if n.bits == 32 else B64, linear.const(0, n.bits)
    count = s.int_value(s.magnitude(n))
    loop = Loop(s.child(loop=True), guard=s.compare("ne", n, zero), rolled=True, source=s.source)
    power, base, left = (Value(one, loop.body) for one in (kind.cls, kind.cls, cls))
    result = Value(kind.cls, s.block)
    with s.at(loop.body):
        taken = floats.binary(s, "mul", power, base, kind)
        following = s.pure(opcode("selp", type=kind.cls), kind.cls, taken, power, s.to_test(linear.of(left)))
        square = floats.binary(s, "mul", base, base, kind)
        rest = s.shift_right(linear.of(left), 1, signed=False)
        loop.again = s.compare("ne", rest, zero)
    loop.carried += [
        Carried(power, floats.constant(1.0, kind), following, result),
        Carried(base, x, square),
        Carried(left, count, s.operand(rest)),
    ]
    s.block.items.append(loop)
    return result


@handles("math.ipowi")
def select_integer_to_integer(s: Selector, op: Operation) -> None:
    """x^n of integers by squaring; a negative n gives 0 but for bases of size 1."""
    integer = narrow.element(op.operands[0].type)

    def apply(x: Any, n: Any, kind: Scalar) -> Any:
        x, n = (s.as_number(v, integer, signed=True) for v in (x, n))
        bits = x.bits
        one, zero = linear.const(1, bits), linear.const(0, bits)
        odd = s.to_test(n)
        unit = s.compare("eq", x, one)
        minus = s.compare("eq", x, linear.const(-1, bits))
        below = s.choose(unit, one, s.choose(minus, s.choose(odd, linear.const(-1, bits), one), zero))
        result, base, rest = one, x, n
        for _ in range(kind.width - 1):
            result = s.choose(s.to_test(rest), s.mul(result, base), result)
            base, rest = linear.of(s.int_value(s.mul(base, base))), s.shift_right(rest, 1, signed=False)
            result = linear.of(s.int_value(result)) if result.terms else result
        return s.choose(s.compare("lt", n, zero, signed=True), below, result)

    elementwise(s, op, apply)
