"""Indices of accesses: what is read or written lies within its memref, so an index is not negative.

A sum of 32 bits that is extended to such an index does not wrap where one of its two parts is not negative: it then
extends part by part, its number becomes an offset, and what a loop leaves alone stays outside of the loop.
"""

from __future__ import annotations

from weft.codegen import linear
from weft.codegen.builder import MOST_BLOCKS
from weft.codegen.graph import Block
from weft.codegen.linear import Lin, Term
from weft.codegen.sums import Sums

_MOST = 1 << 20
"""Numbers from which on a sum stays whole."""


def accessed(b: Sums, index: Lin) -> Lin:
    """An index of an access that is made here, as the sum of its parts where they are known not to wrap.

    Accesses at terms + c and terms + d share what is extended.  Let the first be at base + p with p >= 0: as neither p
    nor the sum is negative, it does not wrap.  A later one at base + q with q < 0 lies p - q below the first, which is
    not negative, and so does not wrap either.  The same holds of p + moved, where that is not negative and exact.
    """
    value = index.single()
    narrow = value.narrow if value is not None else None
    if value is None or narrow is None or value.hi >= 1 << 31:
        return index
    total: Lin = narrow.sum or linear.of(narrow)
    if not total.terms or not -_MOST < total.const < _MOST:
        return index
    base, apart = _made(b.block, total.terms) or (min(total.const, 0), False)
    by = total.const - base
    rest, moved = _split(total.terms)
    part = Lin(32, moved, by)
    if moved and ((by < 0 and not apart) or not part.exact):
        rest, moved, part = total.terms, (), Lin(32, (), by)
    b.block.indices[total.terms] = base, apart or bool(moved)
    if not by and not moved:
        return index
    return linear.add(b.extended(Lin(32, rest, base), signed=True), b.extended(part, signed=True))


def _split(terms: tuple[Term, ...]) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """What the innermost loop leaves alone, and the rest, which is not negative; all and nothing if it may be."""
    depth = max(value.block.depth for value, _ in terms)
    moved = tuple(term for term in terms if term[0].block.depth == depth)
    if len(moved) == len(terms) or any(coefficient < 0 or value.lo < 0 for value, coefficient in moved):
        return terms, ()
    return tuple(term for term in terms if term[0].block.depth < depth), moved


def _made(block: Block | None, terms: tuple[Term, ...]) -> tuple[int, bool] | None:
    """The number of the sum that accesses at these terms share, and whether one was taken apart; None before any."""
    left = MOST_BLOCKS
    while block is not None and left:
        if (found := block.indices.get(terms)) is not None:
            return found
        block, left = block.parent, left - 1
    return None
