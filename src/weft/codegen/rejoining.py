"""Sums of what was taken apart: a quotient's multiple and the remainder are the number that was divided.

What takes a position apart into places along dimensions, by shifts and masks or by divisions, is often followed by what
puts it together again, with strides that fit.
"""

from __future__ import annotations

from math import gcd

from weft.codegen import bitfields, linear
from weft.codegen.graph import Inst, Value
from weft.codegen.lifting import crowded
from weft.codegen.linear import Lin, Term
from weft.codegen.sums import Sums

_PARTS = ("and", "shr", "bfe")
_WORD = 1 << 32


def rejoined(s: Sums, lin: Lin) -> Lin:
    """The same sum, in fewer terms where some are parts of one number."""
    # Where a matrix may be in registers, the number need not live on for a sum of parts that are there.
    if sum(_part_of(value) is not None for value, _ in lin.terms) > 1 and not crowded(s.block):
        lin = _of_bits(s, lin)
    for value, coefficient in lin.terms if len(lin.terms) > 1 else ():
        if (found := _of_remainder(s, lin, value, coefficient)) is not None:
            return found
    return lin


def _part_of(value: Value) -> Inst | None:
    """The instruction that takes some bits of a register of 32 bits, which this may be or extend."""
    inst = (value.narrow or value).inst
    if inst is None or inst.opcode.stem not in _PARTS or inst.guard is not None or value.lo < 0:
        return None
    return inst if isinstance(inst.args[1], Value) and isinstance(inst.args[2], int) else None


def _of_bits(s: Sums, lin: Lin) -> Lin:
    groups: dict[Value, list[Term]] = {}
    for value, coefficient in lin.terms:
        part = _part_of(value)
        if part is not None and coefficient > 0 and (lin.bits == 32 or value.narrow is not None):
            groups.setdefault(part.args[1], []).append((value, coefficient))
    for terms in groups.values():
        unit = gcd(*(coefficient for _, coefficient in terms))
        if len(terms) < 2 or any(value.hi * (c // unit) >= _WORD for value, c in terms):
            continue
        narrow = tuple((value.narrow or value, c // unit) for value, c in terms)
        form = bitfields.of_lin(Lin(32, narrow, 0), deep=True)
        if form is None or form.const or len(form.fields) >= len(terms):
            continue
        whole = bitfields.whole(s, form)
        if lin.bits == 64:
            whole = s.extended(linear.of(s.int_value(whole)), signed=False)
        rest = Lin(lin.bits, tuple(term for term in lin.terms if term not in terms), lin.const)
        lin = linear.add(rest, whole, unit)
    return lin


def _of_remainder(s: Sums, lin: Lin, value: Value, coefficient: int) -> Lin | None:
    """The sum with a remainder as what it was computed as, if that cancels a multiple of the quotient."""
    low = value.narrow or value
    made = low.sum
    if not isinstance(made, Lin) or len(made.terms) < 2 or made.bits != 32 or value.lo < 0:
        return None
    for quotient, taken in made.terms:
        if taken >= 0 or quotient.lo < 0:
            continue
        held = next((v for v, c in lin.terms if (v.narrow or v) is quotient and c == -taken * coefficient), None)
        if held is None:
            continue
        number = Lin(32, tuple(term for term in made.terms if term[0] is not quotient), made.const)
        if lin.bits == 64:
            # Modulo 2^32, the number is the sum of both; without wrapping it is, too, if both are below that.
            if not number.exact or number.lo < 0 or value.hi - taken * quotient.hi >= _WORD:
                continue
            number = s.extended(number, signed=True)
        rest = linear.add(lin, linear.of(held), taken * coefficient)
        return linear.add(linear.add(rest, linear.of(value), -coefficient), number, coefficient)
    return None
