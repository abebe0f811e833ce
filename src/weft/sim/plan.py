"""What binding needs to know of an opcode with operands of given kinds, worked out once per process."""

from __future__ import annotations

from typing import Any

from weft.isa.compiled import OperandSpec
from weft.isa.opcode import Opcode, Variant
from weft.ptx.operands import Address, Arguments, Operand, Register, Vector


class Tokens(dict[str, str]):
    """Slots of which those that are not there are empty."""

    def __missing__(self, slot: str) -> str:
        return ""


class Plan:
    """The form that operands fit, with its slots.

    `types` are the operands' types, `writes` says which of them are written; `compute` keeps the semantics of a pure
    instruction once they are made.
    """

    __slots__ = ("compute", "slots", "specs", "types", "variant", "writes")

    def __init__(self, variant: Variant, operands: int) -> None:
        self.variant = variant
        self.slots = Tokens(variant.slots)
        self.specs = variant.compiled.operands[:operands]
        self.types = tuple(spec.type(self.slots) for spec in self.specs)
        self.writes = tuple("w" in (spec.arg.access or "") and spec.kind != "address" for spec in self.specs)
        self.compute: Any = None


_PLANS: dict[tuple[Opcode, tuple[type, ...]], Plan | None] = {}


def plan_of(opcode: Opcode, operands: tuple[Operand, ...]) -> Plan | None:
    """The plan of an instruction; None when its operands fit no form of the opcode."""
    key = opcode, tuple(map(type, operands))
    found = _PLANS.get(key)
    if found is None:
        variant = next((v for v in opcode.variants if _fits(v.compiled.operands, operands)), None)
        found = _PLANS[key] = None if variant is None else Plan(variant, len(operands))
    return found


def _fits(specs: tuple[OperandSpec, ...], operands: tuple[Operand, ...]) -> bool:
    """Whether operands can be those of a form, by their number and kinds."""
    least = sum(not spec.optional for spec in specs)
    if not least <= len(operands) <= len(specs):
        return False
    return all(
        isinstance(operand, Address) == (spec.kind == "address")
        and isinstance(operand, Arguments) == (spec.kind == "arguments")
        and (not isinstance(operand, Vector) or spec.kind in ("vector", "tuple") or spec.arg.count is not None)
        # An optional vector may be left out, and what comes next stands in its place: a mask that is a number, say.
        and (spec.kind != "vector" or spec.optional or isinstance(operand, (Vector, Register)))
        for spec, operand in zip(specs, operands, strict=False)
    )
