"""Sums of 32 bits that never wrap, by what operations say of themselves (`nsw`, `nuw`, `disjoint`).

Such a sum extends to 64 bits term by term: its number becomes an offset of an address, and addresses that differ by
numbers share a register.
"""

from __future__ import annotations

import operator
from typing import cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.graph import Value
from weft.codegen.linear import Lin, Term
from weft.dialects import narrow

SIGNED, UNSIGNED = 1, 2
_WORDS = {"nsw": SIGNED, "nuw": UNSIGNED}
_MOST = 1 << 20
"""Coefficients from which on a sum counts as one that may wrap."""


Product = tuple[Value, Value, tuple[Term, ...]]


class Sure(Lin):
    """An expression that is the sum of its terms and number with each of them read signed, unsigned or either way
    (`kept`), and so is the sum without the number.

    `product` is one of the terms, x * w of an x that is not negative, which does not wrap either; w; and the other
    terms but w's, whose sum does not wrap.
    """

    __slots__ = ("kept", "product")

    def __init__(self, lin: Lin, kept: int, product: Product | None = None) -> None:
        super().__init__(lin.bits, lin.terms, lin.const)
        self.kept = kept
        self.product = product


def kept(lin: Lin) -> int:
    """How the terms of an expression may be read so that it does not wrap."""
    if isinstance(lin, Sure):
        return lin.kept
    return SIGNED | UNSIGNED if not lin.terms or lin.single() is not None else 0


def flags_of(op: Operation) -> int:
    """What an operation says of its result."""
    found = op.properties.get("overflowFlags")
    if found is None:
        return SIGNED | UNSIGNED if "isDisjoint" in op.properties else 0
    if type(found) is IntegerAttr:
        return cast("IntegerAttr[IntegerType]", found).value.data & 3
    return sum(_WORDS.get(word, 0) for word in narrow.words(found))


def sure(op: Operation, a: Lin, b: Lin, result: Lin) -> Lin:
    """The result of an addition, subtraction, product or shift of a and b, as one that does not wrap if that is so."""
    flags = flags_of(op) if result.bits == 32 else 0
    if not flags:
        return result
    stem = op.name.partition(".")[2]
    if flags & SIGNED and stem in ("mul", "muli") and not a.is_const and not b.is_const:
        return _spread(a, b, result)
    if not result.terms or (len(result.terms) == 1 and result.single() is not None):
        return result
    flags &= kept(a) & kept(b)
    if not flags or any(not -_MOST < coefficient < _MOST for _, coefficient in result.terms):
        return result
    # `nuw` of a difference says nothing about its parts: -c * x is no unsigned number.
    if stem in ("sub", "subi") or any(coefficient < 0 for _, coefficient in result.terms):
        flags &= SIGNED
    if stem in ("mul", "muli", "shl", "shli") and not _is_small(a if a.is_const and stem[0] == "m" else b, stem):
        return result
    flags &= _unwrapped(stem.rstrip("i"), a, b, result)
    flags &= _without_number(b, result, sums=stem in ("add", "addi", "sub", "subi", "or"))
    if not flags:
        return result
    for one, other in ((a, b), (b, a)) if stem in ("add", "addi") else ():
        if isinstance(one, Sure) and one.product is not None and not one.product[2] and not other.const:
            return Sure(result, flags, (*one.product[:2], other.terms))
    return Sure(result, flags)


def _spread(a: Lin, b: Lin, result: Lin) -> Lin:
    """(x + k) * w that does not wrap, as x * w and k * w, which then do not wrap either: x and k are not negative."""
    for factor, other in ((a, b), (b, a)):
        by, number = other.single(), factor.const
        if by is None or not 0 < number < _MOST or len(factor.terms) != 1 or factor.terms[0][1] != 1:
            continue
        counted = factor.terms[0][0]
        # (x + k) * w is in range, and x * w and k * w have the sign of w: neither can be further from 0 than their sum.
        if counted.lo < 0 or not (kept(factor) & SIGNED or counted.hi + number < 1 << 31):
            continue
        rest = [value for value, c in result.terms if value is not by and c == 1]
        if len(result.terms) == 2 and (by, number) in result.terms and len(rest) == 1 and not result.const:
            return Sure(result, SIGNED, (rest[0], by, ()))
    return result


def _is_small(factor: Lin, stem: str) -> bool:
    return factor.is_const and 0 <= factor.const < (_MOST if stem[0] == "m" else 20)


def _unwrapped(stem: str, a: Lin, b: Lin, result: Lin) -> int:
    """How a result may be read so that its number and coefficients, which may have wrapped, are those of a and b."""
    if stem == "shl":
        stem, b = "mul", linear.const32(1 << b.const)
    if stem == "mul":
        one, by = (b, a.const) if a.is_const else (a, b.const)
        if result.terms != tuple((value, c * by) for value, c in one.terms):
            return 0
    calculate = {"sub": operator.sub, "mul": operator.mul}.get(stem, operator.add)
    # Read signed, and without a sign.
    return sum(
        way
        for way, mask in ((SIGNED, -1), (UNSIGNED, (1 << 32) - 1))
        if calculate(a.const & mask, b.const & mask) == result.const & mask
    )


def _without_number(b: Lin, result: Lin, *, sums: bool) -> int:
    """How the sum without its number may be read so that it does not wrap, where with it it does not."""
    if not result.const or (sums and b.is_const):
        return SIGNED | UNSIGNED
    lo = sum(min(c * v.lo, c * v.hi) for v, c in result.terms)
    hi = sum(max(c * v.lo, c * v.hi) for v, c in result.terms)
    # The sum is in range with the number; taking a positive number away can only leave the range at its lower end,
    # taking a negative one away at its upper end.
    fits = lo >= -(1 << 31) if result.const > 0 else hi < 1 << 31
    return SIGNED * fits | UNSIGNED * (result.const > 0)
