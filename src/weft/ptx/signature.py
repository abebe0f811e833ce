"""Operands by their place in the instruction's signature: the manual's names.

This looks at the shape of the operands only (how many, which are addresses, vectors, pairs), not at declarations, so it
works on any instruction that the ISA table knows; `weft.verify` says whether the types fit as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from weft.isa.compiled import OperandSpec
from weft.isa.form import Slots
from weft.isa.opcode import Variant
from weft.ptx.operands import Address, Arguments, Operand, Pair, Register, Vector

if TYPE_CHECKING:
    from weft.ptx.body_nodes import Instruction


class Bound(NamedTuple):
    """One operand and the place of the signature that it fills; `slots` are the opcode's, for `spec.type(slots)`."""

    spec: OperandSpec
    operand: Operand
    slots: Slots

    @property
    def type(self) -> str:
        """The operand's type without the dot (of each element, for vectors); empty when it has none."""
        return self.spec.type(self.slots)


def choose(specs: tuple[OperandSpec, ...], slots: Slots, count: int) -> list[OperandSpec] | None:
    """The specs that `count` operands stand for (optional ones are filled in order); None when none do."""
    must = [spec.required(slots) is True for spec in specs]
    spare = count - sum(must)
    chosen: list[OperandSpec] = []
    for spec, needed in zip(specs, must, strict=True):
        if not needed:
            if spare <= 0 or spec.required(slots) is False:
                continue
            spare -= 1
        chosen.append(spec)
    return chosen if spare == 0 else None


def bind(instruction: Instruction) -> tuple[Bound, ...]:
    """Each operand with its place in the first form that it can be; empty when no form has this shape."""
    for variant in instruction.opcode.variants:
        bound = _bind(variant, instruction.operands)
        if bound is not None:
            return bound
    return ()


def fits(variant: Variant, operands: tuple[Operand, ...]) -> bool:
    """Whether operands have the shape that a variant takes."""
    return _bind(variant, operands) is not None


def _bind(variant: Variant, operands: tuple[Operand, ...]) -> tuple[Bound, ...] | None:
    slots = variant.slots
    chosen = choose(variant.compiled.operands, slots, len(operands))
    if chosen is None or not all(_shaped(s, slots, o) for s, o in zip(chosen, operands, strict=True)):
        return None
    return tuple(Bound(spec, operand, slots) for spec, operand in zip(chosen, operands, strict=True))


def _shaped(spec: OperandSpec, slots: Slots, operand: Operand) -> bool:
    if spec.kind == "address" or isinstance(operand, Address):
        return spec.kind == "address" and isinstance(operand, Address)
    if spec.kind == "arguments" or isinstance(operand, Arguments):
        return spec.kind == "arguments" and isinstance(operand, Arguments)
    if isinstance(operand, Vector):
        count = spec.count(slots)
        return spec.kind in ("vector", "register", "tuple", "pair") and count in (0, len(operand.elements))
    if isinstance(operand, Pair):
        return spec.second is not None
    return spec.kind != "vector" or isinstance(operand, Register)


def named_operands(instruction: Instruction) -> dict[str, Operand]:
    """The operands by the manual's names (`d`, `a`, `b`, ...); the halves of a pair have their own names."""
    named: dict[str, Operand] = {}
    for spec, operand, _ in bind(instruction):
        if isinstance(operand, Pair) and spec.second is not None:
            named[spec.name], named[spec.second.name] = operand.first, operand.second
        else:
            named[spec.name] = operand
    return named
