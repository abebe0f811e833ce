"""Loads that threads make for nothing: what they have loaded reaches memory by stores only whose guards are false.

Compilers of tiles let all warps load what one of them is going to store again (a tile of 32 elements, a CTA of 128
threads). A store over what such a thread has read does no harm, whatever the thread has seen: it never uses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.ptx.ast import Function, Instruction
from weft.ptx.operands import Address
from weft.sim.lanes import Array
from weft.sim.stores import registers

if TYPE_CHECKING:
    from weft.sim.site import Site

_STORES = ("st", "red", "atom")
_EFFECTS = (
    *(
        "bra",
        "brx",
        "call",
        "ret",
        "exit",
        "trap",
        "bar",
        "barrier",
        "mbarrier",
        "vote",
        "match",
        "redux",
        "activemask",
    ),
    *("ld", "st", "red", "atom", "cp", "wgmma", "tcgen05", "tensormap", "prefetch", "multimem", "wmma", "tex", "tld4"),
    *(
        "sust",
        "suld",
        "sured",
        "stmatrix",
        "clusterlaunchcontrol",
        "griddepcontrol",
        "nanosleep",
        "elect",
        "setmaxnreg",
    ),
)
"""Families by which a value may have an effect other than another register."""


@dataclass(frozen=True, slots=True)
class _Guard:
    """The guard of a store: its register, and whether the store is made where that is false."""

    register: str
    negated: bool


class Redundancy:
    """What becomes of the values that loads of a function give; worked out for a load when it is first asked for."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[_Guard, ...] | None] = {}

    def idle(self, load: Site, store: Site) -> Array | None:
        """Which lanes do not use what they have loaded, as guards stand when a store is made; None: it is not known."""
        if load.activation is not store.activation:
            return None
        key = id(load), id(store)
        if key not in self._known:
            function = store.activation.function
            self._known[key] = _guards(function, load.instruction, store.instruction)
        guards = self._known[key]
        if guards is None:
            return None
        lanes = store.machine.batch.lanes
        idle = np.ones(lanes, np.bool_)
        for guard in guards:
            row = store.names.row(guard.register, lanes)
            if row is None:
                return None
            idle &= row.array == guard.negated
            if row.defined is not None:
                idle &= row.defined
        return idle


def _guards(function: Function, load: Instruction, store: Instruction) -> tuple[_Guard, ...] | None:
    """The guards of the stores that a loaded value reaches; None where it has other effects, or they are not known."""
    if load.opcode.stem != "ld" or store.opcode.stem not in _STORES:
        return None
    instructions = list(function.instructions())
    tainted = set(registers(load.operands[:1]))
    found: set[_Guard] = set()
    changed = True
    while changed:
        changed = False
        for instruction in instructions:
            guard = _guard_of(instruction)
            if guard is not None and guard.register in tainted:
                return None
            stem, operands = instruction.opcode.stem, instruction.operands
            if stem in _STORES:
                places = [operand for operand in operands if isinstance(operand, Address)]
                if tainted.intersection(registers(tuple(places))):
                    return None
                if tainted.intersection(_sources(instruction)):
                    if guard is None:
                        return None
                    found.add(guard)
            elif tainted.intersection(registers(operands[1:])):
                if stem.partition(".")[0] in _EFFECTS:
                    return None
                made = set(registers(operands[:1]))
                changed |= not made <= tainted
                tainted |= made
    return tuple(found) if found and _settled(instructions, store, found) else None


def _settled(instructions: list[Instruction], store: Instruction, guards: set[_Guard]) -> bool:
    """Whether guards have their values when a store is made: nothing sets them after it."""
    names = {guard.register for guard in guards}
    behind = instructions[next(n for n, instruction in enumerate(instructions) if instruction is store) :]
    return not any(names.intersection(registers(instruction.operands[:1])) for instruction in behind)


def _guard_of(instruction: Instruction) -> _Guard | None:
    guard = instruction.guard
    return None if guard is None else _Guard(guard.register.name, guard.negated)


def _sources(instruction: Instruction) -> Iterator[str]:
    """The registers that a store or an atomic takes values from."""
    operands = instruction.operands
    first = 1 if instruction.opcode.stem == "atom" else 0
    return registers(tuple(o for o in operands[first:] if not isinstance(o, Address)))
