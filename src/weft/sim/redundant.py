"""Loads that threads make for nothing: what they have loaded reaches memory by stores only whose guards are false.

Compilers of tiles let all warps load what one of them is going to store again (a tile of 32 elements, a CTA of 128
threads). A store over what such a thread has read, or is going to, does no harm, whatever the thread sees: it never
uses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.isa.form import Effects
from weft.ptx.analysis.flow import ControlFlow, cfg
from weft.ptx.ast import Function, Instruction
from weft.ptx.operands import Address
from weft.sim.lanes import WARP, Array
from weft.sim.stores import registers

if TYPE_CHECKING:
    from weft.sim.site import Site

_STORES = ("st", "red", "atom")
_COMPUTES = Effects(), Effects(collective="warp")
"""What has no effect but registers: the thread's own, or those of its warp's threads (a shuffle, a product)."""


@dataclass(frozen=True, slots=True)
class _Guard:
    """The guard of a store: its register, and whether the store is made where that is false."""

    register: str
    negated: bool


@dataclass(frozen=True, slots=True)
class _Use:
    """The guards of the stores that a loaded value reaches, and whether other threads of the warp come to have it."""

    guards: tuple[_Guard, ...]
    together: bool


class Redundancy:
    """What becomes of the values that loads of a function give; worked out for a load when it is first asked for."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, bool], _Use | None] = {}

    def idle(self, load: Site, store: Site, *, before: bool = True) -> Array | None:
        """Which lanes do not use what they load, as guards stand when the second access is made; None: it is not known.

        The second is the store, or with `before=False` the load.
        """
        if load.activation is not store.activation:
            return None
        key = id(load), id(store), before
        if key not in self._known:
            function = store.activation.function
            since = store if before else load
            self._known[key] = _use(function, load.instruction, store.instruction, since.instruction)
        use = self._known[key]
        if use is None:
            return None
        lanes = store.machine.batch.lanes
        idle = np.ones(lanes, np.bool_)
        for guard in use.guards:
            row = store.names.row(guard.register, lanes)
            if row is None:
                return None
            idle &= row.array == guard.negated
            if row.defined is not None:
                idle &= row.defined & 1 == 1
        return idle.reshape(-1, WARP).all(axis=1).repeat(WARP) if use.together else idle


def _use(function: Function, load: Instruction, store: Instruction, since: Instruction) -> _Use | None:
    """What becomes of a loaded value; None where it has effects other than guarded stores, or they are not known."""
    if load.opcode.stem != "ld" or store.opcode.stem not in _STORES:
        return None
    reach = _Reach(cfg(function), set(registers(load.operands[:1])))
    before = -1
    # A value reaches backwards through loops: passes over all blocks until nothing new is tainted.
    while before != (before := reach.size):
        for block in reach.flow.blocks:
            if not all(reach.add(instruction, block.index) for instruction in reach.flow.body(block)):
                return None
    guards = reach.guards
    settled = guards and _settled(list(reach.flow.instructions), since, guards)
    return _Use(tuple(guards), reach.together) if settled else None


class _Reach:
    """What a loaded value has come to so far: registers, blocks that run or not by it, guards of stores of it."""

    def __init__(self, flow: ControlFlow, tainted: set[str]) -> None:
        self.flow = flow
        self.tainted = tainted
        self.decided: set[int] = set()
        self.guards: set[_Guard] = set()
        self.together = False

    @property
    def size(self) -> int:
        """Grows while something is new."""
        return len(self.tainted) + len(self.decided)

    def add(self, instruction: Instruction, block: int) -> bool:
        """Follow the value through an instruction; False where it has an effect other than a register or a store."""
        guard, operands = _guard_of(instruction), instruction.operands
        by_guard = guard is not None and guard.register in self.tainted
        stem = instruction.opcode.stem
        if stem == "bra":
            arms = _arms(self.flow, block) if by_guard else set[int]()
            self.decided |= arms or set()
            return arms is not None
        if stem in _STORES:
            places = tuple(operand for operand in operands if isinstance(operand, Address))
            if by_guard or self.tainted.intersection(registers(places)):
                return False
            if self.tainted.intersection(_sources(instruction)):
                if guard is None:
                    return False
                self.guards.add(guard)
        # Control dependence counts as use: what is written only if the value says so depends on it.
        elif by_guard or block in self.decided or self.tainted.intersection(registers(operands[1:])):
            self.tainted.update(registers(operands[:1]))
            self.together |= bool(instruction.opcode.effects.collective)
            return _is_pure(instruction)
        return True


def _is_pure(instruction: Instruction) -> bool:
    return instruction.opcode.effects in _COMPUTES


def _arms(flow: ControlFlow, branch: int) -> set[int] | None:
    """The blocks between a branch and where its ways meet; None where they do more than compute, or do not meet."""
    place = {block: index for index, block in enumerate(flow.order)}
    arms: set[int] = set()
    ends: set[int] = set()
    todo = [branch] if branch in place else []  # What is never reached decides nothing.
    while todo:
        block = todo.pop()
        for target in flow.successors[block]:
            if place[target] <= place[block]:
                return None  # A loop whose end what was loaded may decide.
            pure = all(_is_pure(i) or i.opcode.stem == "bra" for i in flow.body(flow.blocks[target]))
            if not pure or not flow.successors[target]:
                ends.add(target)
            elif target not in arms:
                arms.add(target)
                todo.append(target)
    return arms if len(ends) == 1 else None


def _settled(instructions: list[Instruction], since: Instruction, guards: set[_Guard]) -> bool:
    """Whether guards have their values when an access is made: nothing sets them after it."""
    names = {guard.register for guard in guards}
    behind = instructions[next(n for n, instruction in enumerate(instructions) if instruction is since) :]
    return not any(names.intersection(registers(instruction.operands[:1])) for instruction in behind)


def _guard_of(instruction: Instruction) -> _Guard | None:
    guard = instruction.guard
    return None if guard is None else _Guard(guard.register.name, guard.negated)


def _sources(instruction: Instruction) -> Iterator[str]:
    """The registers that a store or an atomic takes values from."""
    operands = instruction.operands
    first = 1 if instruction.opcode.stem == "atom" else 0
    return registers(tuple(o for o in operands[first:] if not isinstance(o, Address)))
