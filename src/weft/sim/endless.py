"""Loops without an end: when the state of all threads comes back as it was, it will come back for ever.

Loops that poll memory are found sooner, by counting; this finds the others, and never one that would have ended: only
registers, memory and the places where threads stand decide how a kernel goes on.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.sim.machine import Machine

TURNS = 4
"""Turns without polling and without a change in memory, from one look at the state to the next."""


class Endless:
    """Remembers the state of a machine while nothing changes its memory."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._changes = -1
        self._turns = 0
        self._state = b""

    def again(self, polled: bool) -> bool:
        """After a turn, which may have polled: whether the state is one that was there before."""
        if self.machine.changes != self._changes:
            self._changes, self._turns, self._state = self.machine.changes, 0, b""
            return False
        self._turns += not polled
        if polled or self._turns % TURNS:
            return False
        before, self._state = self._state, self._digest()
        return before == self._state

    def _digest(self) -> bytes:
        digest = hashlib.blake2b(digest_size=16)
        for block, gang in sorted(self.machine.ready.items(), key=lambda item: item[0].order):
            lanes = gang.lanes
            digest.update(repr((block.order, lanes.lo, lanes.hi)).encode())
            if lanes.mask is not None:
                digest.update(lanes.mask.tobytes())
        for activation in self.machine.activations:
            for row in activation.rows():
                digest.update(row.array.tobytes())
        return digest.digest()
