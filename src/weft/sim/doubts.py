"""Plain loads that race, and whether anything comes of what they load.

Compilers load in front of the branch that guards the use, and programs load what lies past the end and then ask whether
it did.  A thread that does nothing with what it has loaded does not care whether another has stored there meanwhile.
So when a run ends with a race of a plain load it is made again: races of such loads are noted and the run goes on; then
once more, when the values that they load count as unwritten (`weft.sim.deferred`), until no new ones are noted.  A run
in which nothing is decided, stored or found by them shows that they are harmless.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from weft.isa.form import PURE
from weft.ptx.analysis.live import liveness
from weft.ptx.operands import Address
from weft.sim.deferred import OWN
from weft.sim.lanes import Array, numbers
from weft.sim.stores import registers

if TYPE_CHECKING:
    from weft.ptx.ast import Function, Instruction
    from weft.sim.faults import KernelFault
    from weft.sim.program import Program
    from weft.sim.site import Site
    from weft.sim.space import Space

RUNS = 16
"""Runs at most: of the loads of a place by a warp each run notes the last one that earlier runs have not."""
_MOST = 1 << 18
"""Loads of lanes that are noted at most."""
_LEAVES = ("bra", "brx.idx", "call", "ret", "exit", "trap")
_LANE_AT = np.int64(40)
"""Where the lane stands in what is noted, above the byte index."""

_Key = tuple[int, str, int]
"""The place of an instruction in its source, the space, and the first CTA of the batch."""


class Doubts:
    """The loads that have been noted; `more` says that this run has noted some."""

    def __init__(self) -> None:
        self._noted: dict[_Key, set[int]] = {}
        self._arrays: dict[_Key, Array] = {}
        self._room = _MOST
        self.more = False

    def begin(self) -> None:
        """A run begins, with the loads that earlier ones have noted."""
        self.more = False
        self._arrays = {key: np.fromiter(codes, np.int64) for key, codes in self._noted.items()}

    def note(self, site: Site, space: Space, lanes: Sequence[int], places: Sequence[int]) -> bool:
        """Note that lanes load bytes for which they race; False where it is not a plain load, or there are too many."""
        if not _is_plain(site.instruction) or not site.deferred or len(lanes) > self._room:
            return False
        codes = self._noted.setdefault(_key(site, space), set())
        before = len(codes)
        codes.update((lane << int(_LANE_AT)) + place for lane, place in zip(lanes, places, strict=True))
        self._room -= len(codes) - before
        self.more |= len(codes) > before
        return True

    def certain(
        self, site: Site, space: Space, index: Array, lanes: Array | slice, size: int
    ) -> tuple[Array, Array | slice]:
        """The accesses of a load that have not been noted; what the others load counts as unwritten."""
        codes = self._arrays.get(_key(site, space))
        if codes is None:
            return index, lanes
        who = numbers(lanes, len(index))
        noted = np.isin((who << _LANE_AT) + index, codes & -size)
        if not noted.any():
            return index, lanes
        site.unwritten.append((who[noted], np.zeros(int(noted.sum()), np.int64)))
        return index[~noted], who[~noted]


def _key(site: Site, space: Space) -> _Key:
    return site.instruction.pos, space.name, site.machine.batch.first


def _is_plain(instruction: Instruction) -> bool:
    opcode = instruction.opcode
    return opcode.stem == "ld" and opcode.get("sem") in ("", "weak") and not opcode.get("nc")


def may_be_idle(program: Program, fault: KernelFault) -> bool:
    """Whether a race is of a plain load whose value may come to nothing in some threads, and is used by others."""
    for place in (fault.place, fault.other_place):
        function = program.functions.get(place[0]) if place is not None else None
        if function is None or place is None:
            continue
        instructions = tuple(function.instructions())
        if place[1] < len(instructions) and _is_plain(instructions[place[1]]):
            return _may_be_idle(function, instructions, place[1])
    return False


def _may_be_idle(function: Function, instructions: Sequence[Instruction], number: int) -> bool:
    """Whether what a load gives is used only where a branch, a guard or a choice says so."""
    tainted = set(registers(instructions[number].operands[:1]))
    some = False
    for at in range(number + 1, len(instructions)):
        one = instructions[at]
        stem, operands = one.opcode.stem, one.operands
        guard = {one.guard.register.name} if one.guard is not None else set[str]()
        if stem in _LEAVES:
            return not tainted & guard and (some or _lives(function, at, tainted))
        places = set(registers(tuple(operand for operand in operands if isinstance(operand, Address))))
        pure = one.opcode.effects == PURE
        kept = stem == "st" and one.opcode.get("ss").startswith(OWN)  # It counts when it is loaded again.
        uses = tainted & set(registers(operands[1:] if pure else operands))
        if not guard and (tainted & places or (uses and not pure and not kept)):
            return False
        some |= bool(uses or tainted & guard)
        if pure and uses and stem != "selp":
            tainted.update(registers(operands[:1]))
        elif not guard and not kept:
            tainted.difference_update(registers(operands[:1]))
    return some


def _lives(function: Function, number: int, names: set[str]) -> bool:
    """Whether registers may be read behind a branch."""
    found = liveness(function)
    block = next(block.index for block in found.flow.blocks if block.start <= number < block.end)
    return any(register.name in names for register in found.leaving(block))
