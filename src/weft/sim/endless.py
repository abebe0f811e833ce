"""Loops without an end: when the state of all threads comes back as it was, it will come back for ever.

Loops that poll memory which does not change are found sooner, by counting; this finds the others, and never one that
would have ended: only registers, memory and the places where threads are decide how a kernel goes on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.registers import Row

TURNS, MOST_TURNS = 4, 256
"""Turns without polling and without a change in memory, from one look at the state to the next; twice as many each time
that it differs."""
FIRST = 2048
"""The turn of the first look at everything; the next ones come after twice as many turns each."""
APART, WINDOW = 1024, 128
"""So many turns later, when every gang has had its turn, the state is looked at again, for so many turns."""
PRICE = 1 << 14
"""Bytes of state that are looked at, at most, for each turn."""


class Endless:
    """Remembers the state of a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._changes = -1
        self._idle = 0
        self._gap = TURNS
        self._places: bytes = b""
        self._turn = 0
        self._mark = FIRST
        self._paid = 0
        self._since: tuple[bytes, bytes] = (b"", b"")
        self._marked = self._since
        self._seen = 0

    def again(self, polled: bool) -> bool:
        """After a turn, which may have polled: whether the state is one that was there before."""
        self._turn += 1
        return self._whole() or self._unchanged(polled)

    def _whole(self) -> bool:
        """The same with stores in the loop: those of what is there already, or of values that come and go."""
        if self._turn < self._mark:
            return False
        if self._turn == self._mark:
            self._marked = self._glance(), self._digest(memory=True)
        elif self._turn >= self._mark + APART:
            if self._turn == self._mark + APART + WINDOW:
                self._mark = 2 * self._turn
            return self._is(self._marked, self._glance(), memory=True)
        return False

    def _unchanged(self, polled: bool) -> bool:
        """Whether registers are as they were, and nothing has changed memory since."""
        if self.machine.changes != self._changes:
            self._changes, self._idle, self._since = self.machine.changes, 0, (b"", b"")
            self._gap, self._places = TURNS, b""
            return False
        self._idle += not polled
        if polled or self._idle % self._gap:
            return False
        places = self._where()
        if places != self._places:  # Registers are many: there is no need to look at them.
            self._places, self._since = places, (b"", b"")
            return False
        glance = self._glance()
        if glance != self._since[0] or not self._since[1]:
            self._gap = self._gap if glance == self._since[0] else min(2 * self._gap, MOST_TURNS)
            self._since = glance, self._digest() if glance == self._since[0] else b""
            self._seen = self.machine.turn
            return False
        return self.machine.waiting_since() >= self._seen and self._is(self._since, glance)

    def _is(self, before: tuple[bytes, bytes], glance: bytes, *, memory: bool = False) -> bool:
        """Whether the state is as before, so far as that can be afforded."""
        return before[1] != b"" and glance == before[0] and self._digest(memory=memory) == before[1]

    def _where(self) -> bytes:
        """Where threads are."""
        machine, digest = self.machine, hashlib.blake2b(digest_size=16)
        for threads in ({block: gang.lanes for block, gang in machine.ready.items()}, machine.parked, machine.asleep):
            for block, lanes in sorted(threads.items(), key=lambda item: item[0].order):
                digest.update(repr((block.order, lanes.lo, lanes.hi)).encode())
                if lanes.mask is not None:
                    digest.update(lanes.mask.tobytes())
        for number, barrier in sorted(machine.barriers.barriers.items()):
            digest.update(bytes([number]) + barrier.arrived.tobytes())
        return digest.digest()

    def _glance(self) -> bytes:
        """Where threads are, and the registers of one of them: most loops change these, with a counter."""
        machine, digest = self.machine, hashlib.blake2b(self._where(), digest_size=16)
        lane = min((gang.lanes.lo for gang in machine.ready.values()), default=0)
        digest.update(b"".join(row.array[..., lane].tobytes() for row in self._rows()))
        return digest.digest()

    def _digest(self, *, memory: bool = False) -> bytes:
        """All registers, and memory; empty where they have been looked at too often."""
        if self._paid > PRICE * self._turn:
            return b""
        digest, machine = hashlib.blake2b(digest_size=16), self.machine
        parts = [row.array for row in self._rows()]
        spaces: list[Any] = [machine.memory.shared, machine.memory.local, machine.memory.arena] if memory else []
        for part in (*parts, *(space.bytes[: space.extent] for space in spaces)):
            digest.update(part.data if part.flags.c_contiguous else part.tobytes())
            self._paid += part.nbytes
        return digest.digest()

    def _rows(self) -> Iterator[Row]:
        for activation in self.machine.activations:
            yield from activation.rows()
