"""Integers as linear expressions: constant + sum of coefficient * value, modulo 2^32 or 2^64.

Index arithmetic is kept in this form until an instruction needs a register, so that constants end in the immediate of
an address, equal sums are found equal however they were written, and a sum that provably fits 32 bits is computed in
32 bits.  Every 64-bit term is a 64-bit `Value`; one that extends a 32-bit value says so in `Value.narrow`.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.codegen.graph import B32, Value

Term = tuple[Value, int]
MAX_TERMS = 10
"""Longer sums are put into a register: it keeps every operation's cost bounded."""

DYNAMIC = -(1 << 63)
"""What stands for an extent, a stride or an offset that is known only when the kernel runs."""


def wrap(value: int, bits: int) -> int:
    """`value` modulo 2^bits, as a signed number."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


class Lin:
    """An integer of `bits` (32 or 64) bits as a linear expression.

    `terms` is sorted by value; coefficients and `const` are signed.  `lo` and `hi` bound the result read as signed;
    `exact` says that the sum never wraps, so that widening every term gives the widened sum.
    """

    __slots__ = ("bits", "const", "exact", "hi", "lo", "terms")

    def __init__(self, bits: int, terms: tuple[Term, ...], const: int) -> None:
        self.bits = bits
        self.terms = terms
        self.const = const
        lo = hi = const
        for value, coefficient in terms:
            if coefficient > 0:
                lo += coefficient * value.lo
                hi += coefficient * value.hi
            else:
                lo += coefficient * value.hi
                hi += coefficient * value.lo
        # The bounds are computed without wrapping: if they fit, so does every value of the sum. Partial sums may still
        # wrap, which modular arithmetic undoes.
        limit = 1 << (bits - 1)
        self.exact = -limit <= lo and hi < limit
        if self.exact:
            self.lo, self.hi = lo, hi
        else:
            self.lo, self.hi = -limit, limit - 1

    @property
    def is_const(self) -> bool:
        """Whether it is a plain number."""
        return not self.terms

    def single(self) -> Value | None:
        """The value that this is, if it is one value and nothing else."""
        if len(self.terms) == 1 and not self.const and self.terms[0][1] == 1:
            return self.terms[0][0]
        return None

    def key(self) -> tuple[object, ...]:
        """Equal for equal expressions."""
        return (self.bits, self.terms, self.const)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lin) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        parts = [f"{c}*v{v.id}" for v, c in self.terms] + [str(self.const)]
        return f"Lin{self.bits}({' + '.join(parts)})"


def all_negative(terms: Sequence[Term]) -> bool:
    """Whether no term is added."""
    return all(coefficient < 0 for _, coefficient in terms)


def const(value: int, bits: int = 64) -> Lin:
    """The number `value`."""
    return Lin(bits, (), wrap(value, bits))


def const32(value: int) -> Lin:
    """The number `value`, of 32 bits."""
    return const(value, 32)


def of(value: Value) -> Lin:
    """The value itself."""
    return Lin(32 if value.cls == B32 else 64, ((value, 1),), 0)


def offset(a: Lin, by: int) -> Lin:
    """a + by."""
    return Lin(a.bits, a.terms, wrap(a.const + by, a.bits)) if by else a


def add(a: Lin, b: Lin, scale: int = 1) -> Lin:
    """a + scale * b, of the same width."""
    bits = a.bits
    total = wrap(a.const + scale * b.const, bits)
    if not b.terms or scale == 0:
        return Lin(bits, a.terms, total) if total != a.const else a
    if not a.terms and scale == 1:
        return Lin(bits, b.terms, total)
    merged = dict(a.terms)
    for value, coefficient in b.terms:
        merged[value] = merged.get(value, 0) + scale * coefficient
    return Lin(bits, _terms(merged, bits), total)


def _terms(merged: dict[Value, int], bits: int) -> tuple[Term, ...]:
    # Coefficients are kept modulo 2^bits, too, so that equal sums have equal keys however they came about.
    kept = [(value, wrapped) for value, c in merged.items() if (wrapped := wrap(c, bits))]
    if len(kept) > 1:
        kept.sort(key=_by_id)
    return tuple(kept)


def _by_id(term: Term) -> int:
    return term[0].id


def scaled(a: Lin, by: int) -> Lin:
    """a * by."""
    if by == 1:
        return a
    bits = a.bits
    terms = tuple((v, w) for v, c in a.terms if (w := wrap(c * by, bits)))
    return Lin(bits, terms, wrap(a.const * by, bits))


def rebuild(bits: int, terms: dict[Value, int], total: int) -> Lin:
    """The expression with these terms (coefficients of any size)."""
    return Lin(bits, _terms(terms, bits), wrap(total, bits))
