"""What an instruction does with each of its operands, remembered by opcode and shape of the operands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.dataclass import dataclass
from weft.isa.opcode import Opcode
from weft.ptx.operands import Address, Arguments, Element, Integer, Negated, Operand, Pair, Register, Vector
from weft.ptx.signature import Bound, bind

if TYPE_CHECKING:
    from weft.ptx.body_nodes import Instruction


_LIMIT = 20_000  # Hostile input must not grow the table without bound.
_Key = tuple[Opcode, tuple[type[Operand], ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The access to each operand: `r`, `w` or `rw`; what an address holds is always read.

    `bound` pairs operands of this shape with their places in the signature; it is empty, and the first operand counts
    as written and the others as read, when the ISA table has no such form.
    """

    access: tuple[str, ...]
    bound: tuple[Bound, ...]


_PLANS: dict[_Key, Plan] = {}


def plan(instruction: Instruction) -> Plan:
    """The plan of an instruction: the same for all instructions of its opcode and shape."""
    operands = instruction.operands
    kinds = tuple(map(type, operands))
    lengths = tuple([len(o.elements) for o in operands if isinstance(o, Vector)]) if Vector in kinds else ()
    key = (instruction.opcode, kinds, lengths)
    found = _PLANS.get(key)
    if found is None:
        if len(_PLANS) >= _LIMIT:
            _PLANS.clear()
        found = _PLANS[key] = _plan(instruction)
    return found


def _plan(instruction: Instruction) -> Plan:
    bound = bind(instruction)
    if bound:
        access = [b.spec.arg.access or "r" for b in bound]
    else:
        access = ["r" if index or isinstance(operand, Address) else "w"
                  for index, operand in enumerate(instruction.operands)]  # fmt: skip
    return Plan(
        tuple("r" if isinstance(o, Address) else a for o, a in zip(instruction.operands, access, strict=True)), bound
    )


def registers(instruction: Instruction) -> tuple[list[Register], list[Register]]:
    """The registers that an instruction reads (its guard first) and those that it writes.

    A register keeps its selected component (`%v.x`), and may come more than once.
    """
    reads: list[Register] = [instruction.guard.register] if instruction.guard else []
    writes: list[Register] = []
    for access, operand in zip(plan(instruction).access, instruction.operands, strict=True):
        if type(operand) is Register:  # by far the most
            if access != "w":
                reads.append(operand)
            if access != "r":
                writes.append(operand)
        elif access == "r":
            _collect(operand, reads)
        else:
            _collect(operand, writes)
            if access == "rw":
                _collect(operand, reads)
    return reads, writes


def _collect(operand: Operand, found: list[Register]) -> None:
    if isinstance(operand, Register):
        found.append(operand)
    elif isinstance(operand, Integer):
        return
    elif isinstance(operand, Address):
        _collect(operand.base, found)
        for part in operand.rest:
            _collect(part, found)
    elif isinstance(operand, Vector | Arguments):
        for part in operand.elements:
            _collect(part, found)
    elif isinstance(operand, Pair):
        _collect(operand.first, found)
        _collect(operand.second, found)
    elif isinstance(operand, Negated):
        _collect(operand.operand, found)
    elif isinstance(operand, Element):
        _collect(operand.index, found)
