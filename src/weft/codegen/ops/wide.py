"""Operations on integers of 128 bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.codegen import linear, wide
from weft.codegen.graph import B32, B64
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.codegen.types import is_wide, scalar
from weft.codegen.wide import Wide
from weft.codegen.wide_division import divide, divide_down, divide_up
from weft.dialects.arith.predicates import INTEGER_PREDICATES
from weft.mlir import compile_error


def _extreme(relation: str, *, signed: bool) -> Callable[[Selector, Wide, Wide], Wide]:
    return lambda s, a, b: wide.choose(s, wide.compare(s, relation, a, b, signed=signed), a, b)


def _quotient(*, signed: bool) -> Callable[[Selector, Wide, Wide], Wide]:
    return lambda s, a, b: divide(s, a, b, signed=signed)[0]


def _remainder(*, signed: bool) -> Callable[[Selector, Wide, Wide], Wide]:
    return lambda s, a, b: divide(s, a, b, signed=signed)[1]


def _right(*, signed: bool) -> Callable[[Selector, Wide, Wide], Wide]:
    return lambda s, a, b: wide.shift_right(s, a, b, signed=signed)


# -- overflow and saturation ------------------------------------------------------------------------------------


def overflow(s: Selector, name: str, a: Wide, b: Wide, *, signed: bool) -> tuple[Wide, Test]:
    """The result of `add`, `sub` or `mul` modulo 2^128, and whether it wrapped."""
    ring = {"add": wide.add, "sub": wide.subtract, "mul": wide.multiply}[name](s, a, b)
    if name == "mul":
        high = wide.multiply_high(s, a, b, signed=signed)
        return ring, wide.compare(s, "ne", high, wide.sign(s, ring) if signed else wide.ZERO, signed=False)
    if not signed:
        return ring, wide.compare(s, "lt", *((ring, a) if name == "add" else (a, b)), signed=False)
    changed = s.bitwise("xor", a[1], ring[1])
    other = s.bitwise("xor", b[1], ring[1] if name == "add" else a[1])
    return ring, s.compare("lt", s.bitwise("and", changed, other), linear.const(0), signed=True)


def _limit(s: Selector, a: Wide) -> Wide:
    """The end of the signed range on a's side of 0."""
    return wide.choose(s, wide.is_negative(s, a), wide.constant(-1 << 127), wide.constant((1 << 127) - 1))


def _saturated(name: str, *, signed: bool) -> Callable[[Selector, Wide, Wide], Wide]:
    def apply(s: Selector, a: Wide, b: Wide) -> Wide:
        ring, wrapped = overflow(s, name, a, b, signed=signed)
        end = _limit(s, a) if signed else wide.constant(-1 if name == "add" else 0)
        return wide.choose(s, wrapped, end, ring)

    return apply


def _saturated_shift(*, signed: bool) -> Callable[[Selector, Wide, Wide], Wide]:
    def apply(s: Selector, a: Wide, b: Wide) -> Wide:
        shifted = wide.shift_left(s, a, b)
        same = wide.compare(s, "eq", wide.shift_right(s, shifted, b, signed=signed), a, signed=False)
        return wide.choose(s, same, shifted, _limit(s, a) if signed else wide.constant(-1))

    return apply


# -- bits -------------------------------------------------------------------------------------------------------


def _count(s: Selector, a: Wide) -> Wide:
    """The number of ones."""
    low, high = (linear.of(s.pure("popc.b64", B32, s.int_value(x), lo=0, hi=64)) for x in a)
    return s.extended(s.add(low, high), signed=False), linear.const(0)


def _leading(s: Selector, a: Wide) -> Wide:
    """The number of leading zeros."""
    low, high = (linear.of(s.pure("clz.b64", B32, s.int_value(x), lo=0, hi=64)) for x in a)
    empty = s.compare("eq", a[1], linear.const(0), signed=False)
    return s.extended(s.choose(empty, linear.offset(low, 64), high), signed=False), linear.const(0)


def _reversed(s: Selector, a: Wide) -> Wide:
    """The bits in reverse order."""
    high, low = (linear.of(s.pure("brev.b64", B64, s.int_value(x))) for x in a)
    return low, high


def _byte_swapped(s: Selector, a: Wide) -> Wide:
    """The bytes in reverse order."""
    from weft.codegen.ops.llvm_intrinsics import byte_swapped

    return byte_swapped(s, a[1], 64), byte_swapped(s, a[0], 64)


def _funnel(s: Selector, a: Wide, b: Wide, by: Wide, *, left: bool) -> Wide:
    """The upper (lower) half of a and b side by side, shifted left (right)."""
    amount = s.bitwise("and", by[0], linear.const(127))
    by, rest = (amount, wide.ZERO[0]), (linear.add(linear.const(128), amount, -1), wide.ZERO[0])
    up, down = (by, rest) if left else (rest, by)
    return wide.bitwise("or")(s, wide.shift_left(s, a, up), wide.shift_right(s, b, down, signed=False))


_BINARY: dict[str, Callable[[Selector, Wide, Wide], Wide]] = {
    "addi": wide.add, "add": wide.add, "subi": wide.subtract, "sub": wide.subtract,
    "muli": wide.multiply, "mul": wide.multiply,
    "andi": wide.bitwise("and"), "and": wide.bitwise("and"), "ori": wide.bitwise("or"), "or": wide.bitwise("or"),
    "xori": wide.bitwise("xor"), "xor": wide.bitwise("xor"), "shli": wide.shift_left, "shl": wide.shift_left,
    "shrui": _right(signed=False), "lshr": _right(signed=False),
    "shrsi": _right(signed=True), "ashr": _right(signed=True),
    "divui": _quotient(signed=False), "udiv": _quotient(signed=False),
    "divsi": _quotient(signed=True), "sdiv": _quotient(signed=True),
    "remui": _remainder(signed=False), "urem": _remainder(signed=False),
    "remsi": _remainder(signed=True), "srem": _remainder(signed=True),
    "ceildivui": lambda s, a, b: divide_up(s, a, b, signed=False),
    "ceildivsi": lambda s, a, b: divide_up(s, a, b, signed=True), "floordivsi": divide_down,
    "minsi": _extreme("lt", signed=True), "intr.smin": _extreme("lt", signed=True),
    "maxsi": _extreme("gt", signed=True), "intr.smax": _extreme("gt", signed=True),
    "minui": _extreme("lt", signed=False), "intr.umin": _extreme("lt", signed=False),
    "maxui": _extreme("gt", signed=False), "intr.umax": _extreme("gt", signed=False),
    "intr.sadd.sat": _saturated("add", signed=True), "intr.uadd.sat": _saturated("add", signed=False),
    "intr.ssub.sat": _saturated("sub", signed=True), "intr.usub.sat": _saturated("sub", signed=False),
    "intr.sshl.sat": _saturated_shift(signed=True), "intr.ushl.sat": _saturated_shift(signed=False),
}  # fmt: skip
_UNARY: dict[str, Callable[[Selector, Wide], Wide]] = {
    "absi": wide.absolute, "intr.abs": wide.absolute, "ctpop": _count, "intr.ctpop": _count,
    "ctlz": _leading, "intr.ctlz": _leading, "cttz": lambda s, a: _leading(s, _reversed(s, a)),
    "intr.cttz": lambda s, a: _leading(s, _reversed(s, a)), "intr.bitreverse": _reversed, "intr.bswap": _byte_swapped,
}  # fmt: skip
_WIDENING = {"extsi": True, "sext": True, "extui": False, "zext": False, "index_cast": True, "index_castui": False}
_NARROWING = ("trunci", "trunc", "index_cast", "index_castui")
_OVERFLOW = {f"intr.{sign}{name}.with.overflow": (name, sign == "s") for sign in "su" for name in ("add", "sub", "mul")}


def select_wide(s: Selector, op: Any) -> None:
    """An integer operation of which an operand or the result has 128 bits; raises CompileError."""
    name = op.name.partition(".")[2]
    result = op.results[0]
    values = [s.get(v) for v in op.operands]
    if name in _BINARY:
        s.values[result] = _BINARY[name](s, values[0], values[1])
    elif name in _UNARY:
        s.values[result] = _UNARY[name](s, values[0])
    elif name in ("intr.fshl", "intr.fshr"):
        s.values[result] = _funnel(s, *values, left=name.endswith("l"))
    elif name in ("cmpi", "icmp"):
        index: int = op.properties["predicate"].value.data
        predicate = INTEGER_PREDICATES[index]
        s.values[result] = wide.compare(s, predicate[-2:], values[0], values[1], signed=predicate[0] != "u")
    elif name in ("intr.scmp", "intr.ucmp"):
        s.values[result] = _three_way(s, result, values, signed=name == "intr.scmp")
    elif name in _OVERFLOW:
        which, signed = _OVERFLOW[name]
        ring, wrapped = overflow(s, which, values[0], values[1], signed=signed)
        s.values[result] = (*ring, wrapped)
    elif name in ("mulsi_extended", "mului_extended"):
        s.values[result] = wide.multiply(s, values[0], values[1])
        s.values[op.results[1]] = wide.multiply_high(s, values[0], values[1], signed=name.startswith("muls"))
    elif name == "addui_extended":
        s.values[result], s.values[op.results[1]] = overflow(s, "add", values[0], values[1], signed=False)
    elif name in _WIDENING and is_wide(result.type):
        s.values[result] = _extended(s, values[0], scalar(op.operands[0].type).width, signed=_WIDENING[name])
    elif name in _NARROWING:
        s.values[result] = _narrowed(s, values[0][0], scalar(result.type).width)
    else:
        raise compile_error(op, "integers of 128 bits have no lowering here")


def _three_way(s: Selector, result: Any, values: list[Wide], *, signed: bool) -> Any:
    """-1, 0 or 1: less, equal, greater."""
    bits = 64 if scalar(result.type).cls == B64 else 32
    tests = (wide.compare(s, relation, values[0], values[1], signed=signed) for relation in ("lt", "gt"))
    less, more = (s.from_test(test, bits) for test in tests)
    value = s.sub(more, less)
    return (value, s.shift_right(value, 63, signed=True)) if is_wide(result.type) else value


def _narrowed(s: Selector, low: Lin, width: int) -> Any:
    return s.to_test(low) if width == 1 else low if width > 32 else s.truncated(low)


def _extended(s: Selector, value: Any, width: int, *, signed: bool) -> Wide:
    if width == 1:
        low = s.from_test(value, 64, signed=signed)
    else:
        low = s.extended(s.exactly(value, width, signed=signed), signed=signed)
    return low, s.shift_right(low, 63, signed=True) if signed else linear.const(0)
