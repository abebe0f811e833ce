"""Integers of 128 bits, as pairs of 64-bit ones (the low half first)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.codegen import linear
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.codegen.types import scalar
from weft.dialects.arith.predicates import INTEGER_PREDICATES
from weft.mlir import compile_error

Wide = tuple[Lin, Lin]


def _held(s: Selector, a: Lin) -> Lin:
    """The sum in one register, for it is read several times."""
    return linear.of(s.int_value(a)) if a.terms else a


def add(s: Selector, a: Wide, b: Wide) -> Wide:
    """a + b."""
    low = _held(s, s.add(a[0], b[0]))
    carry = s.from_test(s.compare("lt", low, a[0], signed=False), 64)
    return low, s.add(s.add(a[1], b[1]), carry)


def subtract(s: Selector, a: Wide, b: Wide) -> Wide:
    """a - b."""
    borrow = s.from_test(s.compare("lt", a[0], b[0], signed=False), 64)
    return _held(s, s.sub(a[0], b[0])), s.sub(s.sub(a[1], b[1]), borrow)


def multiply(s: Selector, a: Wide, b: Wide) -> Wide:
    """a * b."""
    high = s.mul_high(a[0], b[0], signed=False)
    return s.mul(a[0], b[0]), s.add(high, s.add(s.mul(a[0], b[1]), s.mul(a[1], b[0])))


def _bitwise(name: str) -> Callable[[Selector, Wide, Wide], Wide]:
    def apply(s: Selector, a: Wide, b: Wide) -> Wide:
        return s.bitwise(name, a[0], b[0]), s.bitwise(name, a[1], b[1])

    return apply


def shift_left(s: Selector, a: Wide, by: Wide) -> Wide:
    """a << by; PTX shifts by 64 and more give 0."""
    amount, rest, over = _amounts(s, by)
    high = s.bitwise("or", s.shift_left(a[1], amount), s.shift_right(a[0], rest, signed=False))
    far = s.compare("ge", amount, linear.const(64, 32), signed=False)
    return s.shift_left(a[0], amount), s.choose(far, s.shift_left(a[0], over), high)


def shift_right(s: Selector, a: Wide, by: Wide, *, signed: bool) -> Wide:
    """a >> by, filling with the sign or with zeros."""
    amount, rest, over = _amounts(s, by)
    low = s.bitwise("or", s.shift_right(a[0], amount, signed=False), s.shift_left(a[1], rest))
    far = s.compare("ge", amount, linear.const(64, 32), signed=False)
    low = s.choose(far, s.shift_right(a[1], over, signed=signed), low)
    fill = s.shift_right(a[1], 63, signed=True) if signed else linear.const(0)
    return low, s.choose(far, fill, s.shift_right(a[1], amount, signed=signed))


def _amounts(s: Selector, by: Wide) -> tuple[Lin, Lin, Lin]:
    """The amount, what is left to 64, and what is beyond it."""
    amount = _held(s, s.truncated(by[0]))
    return amount, linear.add(linear.const(64, 32), amount, -1), linear.offset(amount, -64)


def compare(s: Selector, relation: str, a: Wide, b: Wide, *, signed: bool) -> Test:
    """a `eq`, `ne`, `lt`, `le`, `gt` or `ge` b."""
    if relation in ("eq", "ne"):
        low, high = (s.compare(relation, x, y, signed=True) for x, y in zip(a, b, strict=True))
        return s.logic("and" if relation == "eq" else "or", low, high)
    strict = s.compare(relation[0] + "t", a[1], b[1], signed=signed)
    same = s.compare("eq", a[1], b[1], signed=True)
    return s.logic("or", strict, s.logic("and", same, s.compare(relation, a[0], b[0], signed=False)))


_BINARY: dict[str, Callable[[Selector, Wide, Wide], Wide]] = {
    "addi": add, "add": add, "subi": subtract, "sub": subtract, "muli": multiply, "mul": multiply,
    "andi": _bitwise("and"), "and": _bitwise("and"), "ori": _bitwise("or"), "or": _bitwise("or"),
    "xori": _bitwise("xor"), "xor": _bitwise("xor"), "shli": shift_left, "shl": shift_left,
    "shrui": lambda s, a, b: shift_right(s, a, b, signed=False),
    "lshr": lambda s, a, b: shift_right(s, a, b, signed=False),
    "shrsi": lambda s, a, b: shift_right(s, a, b, signed=True),
    "ashr": lambda s, a, b: shift_right(s, a, b, signed=True),
}  # fmt: skip
_WIDENING = {"extsi": True, "sext": True, "extui": False, "zext": False}
_NARROWING = ("trunci", "trunc")


def select_wide(s: Selector, op: Any) -> None:
    """An integer operation of which an operand or the result has 128 bits; raises CompileError."""
    name = op.name.partition(".")[2]
    result = op.results[0]
    values = [s.get(v) for v in op.operands]
    if name in _BINARY:
        s.values[result] = _BINARY[name](s, values[0], values[1])
    elif name in ("cmpi", "icmp"):
        index: int = op.properties["predicate"].value.data
        predicate = INTEGER_PREDICATES[index]
        s.values[result] = compare(s, predicate[-2:], values[0], values[1], signed=predicate[0] != "u")
    elif name in _WIDENING:
        s.values[result] = _extended(s, values[0], scalar(op.operands[0].type).width, signed=_WIDENING[name])
    elif name in _NARROWING:
        width = scalar(result.type).width
        low: Lin = values[0][0]
        s.values[result] = s.to_test(low) if width == 1 else low if width > 32 else s.truncated(low)
    else:
        raise compile_error(op, "integers of 128 bits have no lowering here")


def _extended(s: Selector, value: Any, width: int, *, signed: bool) -> Wide:
    if width == 1:
        low = s.from_test(value, 64, signed=signed)
    else:
        low = s.extended(s.exactly(value, width, signed=signed), signed=signed)
    return low, s.shift_right(low, 63, signed=True) if signed else linear.const(0)
