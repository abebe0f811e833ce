"""The stacks of `alloca`: a part of every thread's local memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.lanes import Array

if TYPE_CHECKING:
    from weft.sim.machine import Machine

_MOST, _LEAST = 512 << 10, 1 << 10
_ALL = 64 << 20
"""Bytes for the stacks of all lanes."""


class Stack:
    """The stack pointers of all lanes, as addresses of local memory between `bottom` and `top`."""

    def __init__(self, machine: Machine) -> None:
        self.size = min(_MOST, max(_LEAST, _ALL // machine.batch.lanes)) & -16
        self.bottom = machine.reserve_local(self.size, 16)
        self.top = self.bottom + self.size
        self.pointer: Array = np.full(machine.batch.lanes, self.top, np.int64)


def stack_of(machine: Machine) -> Stack:
    """The stack of a machine, made when the first instruction that uses it is bound."""
    if machine.memory.stack is None:
        machine.memory.stack = Stack(machine)
    return machine.memory.stack
