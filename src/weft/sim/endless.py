"""Loops without an end: when the state of all threads comes back as it was, it will come back for ever.

Loops that poll memory which does not change are found sooner, by counting; this finds the others, and never one that
would have ended: only registers, memory and the places where threads are decide how a kernel goes on.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from weft.sim.lanes import Lanes

if TYPE_CHECKING:
    from weft.sim.machine import Machine

TURNS = 4
"""Turns without polling and without a change in memory, from one look at the state to the next."""
FIRST = 2048
"""The turn of the first look at everything; the next ones come after twice as many turns each."""
APART, WINDOW = 1024, 128
"""So many turns later, when every gang has had its turn, the state is looked at again, for so many turns."""


class Endless:
    """Remembers the state of a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._changes = -1
        self._turns = 0
        self._state = b""
        self._turn = 0
        self._mark = FIRST
        self._before = b""

    def again(self, polled: bool) -> bool:
        """After a turn, which may have polled: whether the state is one that was there before."""
        return self._whole() or self._unchanged(polled)

    def _whole(self) -> bool:
        """The same with stores in the loop: those of what is there already, or of values that come and go."""
        self._turn += 1
        if self._turn < self._mark:
            return False
        if self._turn == self._mark:
            self._before = self._digest(memory=True)
        elif self._turn >= self._mark + APART:
            if self._turn == self._mark + APART + WINDOW:
                self._mark = 2 * self._turn
            return self._digest(memory=True) == self._before
        return False

    def _unchanged(self, polled: bool) -> bool:
        """Whether registers are as they were, and nothing has changed memory since."""
        if self.machine.changes != self._changes:
            self._changes, self._turns, self._state = self.machine.changes, 0, b""
            return False
        self._turns += not polled
        if polled or self._turns % TURNS:
            return False
        before, self._state = self._state, self._digest()
        return before == self._state

    def _digest(self, *, memory: bool = False) -> bytes:
        digest = hashlib.blake2b(digest_size=16)
        machine = self.machine

        def add(place: object, lanes: Lanes) -> None:
            digest.update(repr((place, lanes.lo, lanes.hi)).encode())
            if lanes.mask is not None:
                digest.update(lanes.mask.tobytes())

        for block, gang in sorted(machine.ready.items(), key=lambda item: item[0].order):
            add(block.order, gang.lanes)
        for waiting in (machine.parked, machine.asleep):
            for block, lanes in sorted(waiting.items(), key=lambda item: item[0].order):
                add(block.order, lanes)
        for number, barrier in sorted(machine.barriers.barriers.items()):
            digest.update(bytes([number]) + barrier.arrived.tobytes())
        for activation in machine.activations:
            for row in activation.rows():
                digest.update(row.array.tobytes())
        spaces: list[Any] = [machine.memory.shared, machine.memory.local, machine.memory.arena] if memory else []
        for space in spaces:
            digest.update(space.bytes[: space.extent])
        return digest.digest()
