"""Comparisons with the lesser or greater of two numbers that are decided by one of them."""

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
        bounds = (y.lo, y.hi) if isinstance(y, Value) else (y, y) if isinstance(y, int) else None
        if bounds and isinstance(x, Value) and rule(a.lo, a.hi, *bounds):
            return a, linear.of(x)
    return a, b
