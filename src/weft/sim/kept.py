"""Kernels that stay bound: the same launch again skips binding, which costs more than running a small kernel.

A launch is the same when its kernel is unchanged, and its extents, options and the sizes of its buffers are: then every
address is.  What is in use is not kept: two threads never share registers.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from weft.dataclass import dataclass
from weft.ptx.ast import Function, Instruction, Module

if TYPE_CHECKING:
    from weft.sim.arena import Arena, Region
    from weft.sim.machine import Machine
    from weft.sim.program import Program

MOST = 8
"""Launches that are kept in a process."""
MOST_BYTES = 128 << 20
"""Bytes of memory and registers that they may hold."""

Key = tuple[int, str, tuple["Region", ...], int]


@dataclass(slots=True)
class Bound:
    """A program bound to a machine, and what it was bound from; `size` are its bytes, once it is kept."""

    module: Module
    snapshot: list[object]
    program: Program
    machine: Machine
    size: int = 0

    @property
    def arena(self) -> Arena:
        """The memory of the launch."""
        return self.program.arena

    def current(self, module: Module) -> bool:
        """Whether nothing was changed since in what the kernel reaches."""
        return self.module is module and self.snapshot == snapshot(module, self.program.functions.values())


_KEPT: OrderedDict[Key, Bound] = OrderedDict()


def key_of(module: Module, options: str, arena: Arena, ctas: int) -> Key:
    """What two launches must have in common; `arena` holds the arguments and nothing else."""
    return id(module), options, tuple(arena.regions), ctas


def take(key: Key, module: Module) -> Bound | None:
    """A bound kernel, which is the caller's until it is given back."""
    bound = _KEPT.pop(key, None)
    return bound if bound is not None and bound.current(module) else None


def give(key: Key, bound: Bound) -> None:
    """Keep a kernel that has run to its end."""
    bound.size = bound.size or held(bound)
    if bound.size > MOST_BYTES:
        return
    _KEPT[key] = bound
    while len(_KEPT) > MOST or sum(each.size for each in _KEPT.values()) > MOST_BYTES:
        _KEPT.popitem(last=False)


def held(bound: Bound) -> int:
    """The bytes of memory and registers that a bound kernel holds."""
    memory = bound.machine.memory
    cells = 0 if bound.machine.guard is None else bound.machine.guard.nbytes
    return cells + bound.machine.held + sum(space.bytes.nbytes for space in (memory.arena, memory.shared, memory.local))


def snapshot(module: Module, functions: Iterable[Function]) -> list[object]:
    """What a kernel and all that it reaches consist of: the nodes may be changed in place."""
    found: list[object] = [module.version, module.targets, *module.items, *map(copy.copy, module.variables)]
    for function in functions:
        found.append(function.name)
        found.extend(map(copy.copy, function.directives))
        for statement in function.walk():
            if isinstance(statement, Instruction):
                found.append((statement.opcode, statement.operands, statement.guard))
            else:
                found.append(copy.copy(statement))
    return found
