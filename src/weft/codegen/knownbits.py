"""Bits of registers that may be set: from bounds, masks, shifts, and sums of what shares no bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.codegen.graph import BITS, Inst, Value
from weft.codegen.linear import Lin, rebuild
from weft.isa import opcode

_DEPTH = 8


def possible(value: Value, depth: int = _DEPTH) -> int:
    """The bits of a register that may be 1."""
    found = value.maybe
    if found is None:
        found = (1 << BITS[value.cls]) - 1
        rule = _POSSIBLE.get(value.inst.opcode.text) if value.inst is not None and depth else None
        if rule is not None and value.inst is not None:
            found &= rule(value.inst, depth - 1)
        # A result found at less depth may be coarser than what a later question could find, so it is not remembered.
        if depth == _DEPTH:
            value.maybe = found
    return found & (1 << value.hi.bit_length()) - 1 if value.lo >= 0 else found


def _operand_bits(operand: Any, depth: int) -> int:
    if isinstance(operand, Value):
        return possible(operand, depth)
    return operand if isinstance(operand, int) else -1


def _sum_bits(parts: list[int]) -> int:
    """The bits that a sum of numbers with these bits may have."""
    union = 0
    for part in parts:
        # Two parts share a bit, so the sum may carry into any higher one; below the lowest bit of all parts it is still
        # 0.
        if union & part:
            lowest = min(part & -part for part in parts if part)
            return -lowest
        union |= part
    return union


def _scaled_bits(bits: int, by: int) -> int:
    if by > 0 and by & (by - 1) == 0:
        return bits * by
    # Trailing zeros add up in a product; nothing is known about the bits above.
    lowest = (bits & -bits) * (by & -by)
    return -lowest if lowest else 0


def _binary(combine: Callable[[int, int], int]) -> Callable[[Inst, int], int]:
    def rule(inst: Inst, depth: int) -> int:
        return combine(_operand_bits(inst.args[1], depth), _operand_bits(inst.args[2], depth))

    return rule


def _by_constant(combine: Callable[[int, int], int]) -> Callable[[Inst, int], int]:
    def rule(inst: Inst, depth: int) -> int:
        by = inst.args[2]
        return combine(_operand_bits(inst.args[1], depth), by) if isinstance(by, int) else -1

    return rule


def _product_and_sum(inst: Inst, depth: int) -> int:
    value, by, more = inst.args[1:]
    scaled = _scaled_bits(_operand_bits(value, depth), by) if isinstance(by, int) else -1
    return _sum_bits([scaled, _operand_bits(more, depth)])


def _signed(inst: Inst, depth: int) -> int:
    bits = _operand_bits(inst.args[1], depth)
    return bits | -(1 << 31) if bits >> 31 & 1 else bits


def _source(inst: Inst, depth: int) -> int:
    return _operand_bits(inst.args[1], depth)


_POSSIBLE: dict[str, Callable[[Inst, int], int]] = {
    opcode("and", type="b32").text: _binary(lambda a, b: a & b),
    **{opcode(stem, type="b32").text: _binary(lambda a, b: a | b) for stem in ("or", "xor", "selp")},
    opcode("add", type="s32").text: _binary(lambda a, b: _sum_bits([a, b])),
    opcode("shl", type="b32").text: _by_constant(lambda a, n: a << n),
    opcode("shr", type="u32").text: _by_constant(lambda a, n: a >> n),
    opcode("mul", mode="lo", type="s32").text: _by_constant(_scaled_bits),
    opcode("mul", mode="wide", type="u32").text: _by_constant(_scaled_bits),
    opcode("mad", mode="lo", type="s32").text: _product_and_sum,
    opcode("cvt", type="u64", atype="u32").text: _source,
    opcode("cvt", type="u32", atype="u64").text: _source,
    opcode("cvt", type="s64", atype="s32").text: _signed,
}


def without_carry(lin: Lin) -> tuple[Lin, int]:
    """A sum and a number: the expression as both, where adding the number carries into no bit of a multiple.

    The sum extends to 64 bits as the expression does, by sign or by zeros, whatever its upper terms are.
    """
    multiples = [lowest(possible(value)) * (c & -c) for value, c in lin.terms]
    # What is a multiple of 2^bits is 0, and has no bit that tells where others end.
    for unit in sorted({unit for unit in multiples if 1 < unit < 1 << lin.bits}, reverse=True):
        # All other terms are multiples of `unit`: if the small terms and the number stay below it, the addition changes
        # no bit from `unit` upwards, and the sign stays what it is.
        low = Lin(lin.bits, tuple(t for t, n in zip(lin.terms, multiples, strict=True) if n < unit), 0)
        rest = lin.const % unit
        if rest and low.exact and low.lo >= 0 and low.hi + rest < unit:
            return rebuild(lin.bits, dict(lin.terms), lin.const - rest), rest
    return lin, 0


def remainder_of(lin: Lin, modulus: int) -> Lin:
    """A sum whose low bits are those of another, without terms that are multiples of a power of two."""
    terms = {value: c for value, c in lin.terms if lowest(possible(value)) * (c & -c) % modulus}
    if len(terms) == len(lin.terms) and -modulus < lin.const < modulus:
        return lin
    return rebuild(lin.bits, terms, lin.const % modulus)


def lowest(bits: int) -> int:
    """The lowest bit that is set, above all others where none is."""
    return bits & -bits if bits else 1 << 63
