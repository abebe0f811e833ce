"""Comparisons that need not be made as they are written, and choices that are the lesser or greater of two numbers."""

from __future__ import annotations

from collections.abc import Callable

from weft.codegen import linear
from weft.codegen.graph import Value
from weft.codegen.linear import Lin

_LIMITED: dict[tuple[str, str], Callable[[int, int, int, int], bool]] = {
    ("min", "lt"): lambda lo, hi, least, most: hi < least,
    ("min", "ge"): lambda lo, hi, least, most: hi < least,
    ("min", "le"): lambda lo, hi, least, most: hi <= least,
    ("min", "gt"): lambda lo, hi, least, most: hi <= least,
    ("max", "gt"): lambda lo, hi, least, most: lo > most,
    ("max", "le"): lambda lo, hi, least, most: lo > most,
    ("max", "ge"): lambda lo, hi, least, most: lo >= most,
    ("max", "lt"): lambda lo, hi, least, most: lo >= most,
}
"""Where a, between bounds, relates to the lesser or greater of x and y as to x, by the bounds of y."""


def without_limit(relation: str, a: Lin, b: Lin, *, signed: bool) -> tuple[Lin, Lin]:
    """a and b, or what b is compared with for the same result, where b is the lesser or greater of two numbers."""
    value = b.single()
    inst = value.inst if value is not None else None
    if inst is None or inst.guard is not None or not a.exact or not (signed or a.lo >= 0):
        return a, b
    rule = _LIMITED.get((inst.opcode.stem, relation))
    if rule is None or inst.opcode.slots.get("type") != ("s" if signed else "u") + str(b.bits):
        return a, b
    for x, y in (inst.args[1:], inst.args[:0:-1]):
        least, most = (y.lo, y.hi) if isinstance(y, Value) else (y, y)
        if not signed and least < 0:  # A number without a sign that may be large.
            least, most = 0, (1 << b.bits) - 1
        if isinstance(x, Value) and rule(a.lo, a.hi, least, most):
            return a, linear.of(x)
    return a, b


_TAKES = {"lt": "min", "le": "min", "gt": "max", "ge": "max"}
_OTHER = {"min": "max", "max": "min"}


def extreme_of(test: Value, a: Lin, b: Lin) -> tuple[str, bool] | None:
    """Whether a choice by a comparison of the two numbers is the `min` or `max` of them, and whether signed ones."""
    compared = _compared(test, a)
    if compared is None:
        return None
    relation, signed, x, y = compared
    which = _TAKES.get(relation)
    if which is None:
        return None
    if _is(a, x) and _is(b, y):
        return which, signed
    return (_OTHER[which], signed) if _is(a, y) and _is(b, x) else None


def is_magnitude(test: Value, a: Lin, b: Lin) -> bool:
    """Whether a choice between a number and its negative, by the number's sign, gives the one that is not negative."""
    if len(a.terms) != 1 or len(b.terms) != 1 or a.const or b.const or a.terms[0] != (b.terms[0][0], -b.terms[0][1]):
        return False
    compared = _compared(test, a)
    if compared is None or not compared[1] or compared[3] != 0:
        return False
    relation, _, x, _ = compared
    return (relation in ("gt", "ge") and _is(a, x)) or (relation in ("lt", "le") and _is(b, x))


def _compared(test: Value, a: Lin) -> tuple[str, bool, Value | int, Value | int] | None:
    """A comparison of integers as wide as another: the relation, whether it is signed, and what is compared."""
    inst = test.inst
    if inst is None or inst.opcode.stem != "setp" or inst.guard is not None or len(inst.outs) != 1:
        return None
    type_ = str(inst.opcode.slots.get("type"))
    if type_[0] not in "su" or type_[1:] != str(a.bits) or len(inst.args) != 3:
        return None
    return str(inst.opcode.slots.get("cmp")), type_[0] == "s", inst.args[1], inst.args[2]


def _is(a: Lin, operand: Value | int) -> bool:
    return a.const == operand if a.is_const else isinstance(operand, Value) and a.single() is operand


def differs(a: Lin, number: int) -> bool:
    """Whether an expression is known not to be a number: bits are set in it that are not set in that."""
    value = a.single()
    inst = value.inst if value is not None else None
    if inst is None or inst.opcode.stem != "or" or inst.guard is not None:
        return False
    ones = inst.args[2]
    return isinstance(ones, int) and bool(ones & ~number & (1 << a.bits) - 1)
