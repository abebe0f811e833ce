"""Races in shared memory: two warps access the same place, one of them writes, and nothing orders the accesses.

Each warp has a clock, and knows of the clocks of the other warps of its CTA what barriers have told it.  A place in
memory keeps the stamp (warp and clock) of its last writer and of its last reader.  An access races with the one before
when its warp does not know of that stamp yet.  Atomics and ordered accesses order everything before them, so that races
may be missed where a kernel synchronises through memory, but none is invented.  Single bytes are not watched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.site import Site

if TYPE_CHECKING:
    from weft.sim.machine import Machine

_CLOCK_BITS = 24
_CLOCK = np.uint32((1 << _CLOCK_BITS) - 1)
_WARP_SHIFT = np.uint32(_CLOCK_BITS)


class Races:
    """The clocks of all warps of a batch, and the stamps of its shared memory (one for each two bytes)."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.warps = machine.launch.warps
        self.ctas = machine.batch.ctas
        # Row: warp of the batch (role by CTA); column: role whose clock it knows.
        self.known: Array = np.zeros((self.warps * self.ctas, self.warps), np.uint32)
        self._own = np.arange(len(self.known)) // self.ctas
        self.released: Array = np.zeros((self.ctas, self.warps), np.uint32)
        self._slots: dict[int, int] = {}
        self._held: Array = np.zeros((0, self.warps), np.uint32)
        self.row_of_lane = np.arange(machine.batch.lanes) // WARP
        self.written: Array = np.zeros(0, np.uint32)
        self.read: Array = np.zeros(0, np.uint32)

    def reset(self) -> None:
        """A new batch begins."""
        size = len(self.machine.memory.shared.bytes) // 2
        self.written, self.read = np.zeros(size, np.uint32), np.zeros(size, np.uint32)
        self.known.fill(0)
        self.known[np.arange(len(self.known)), self._own] = 1
        self.released.fill(0)
        self._slots.clear()
        self._held.fill(0)

    # -- what orders accesses ---------------------------------------------------------------------------------

    def _advance(self, rows: Array) -> None:
        self.known[rows, self._own[rows]] += 1

    def rows(self, lanes: Array) -> Array:
        """The warps of lanes, each once."""
        return np.unique(self.row_of_lane[lanes])

    def barrier(self, giving: Array, taking: Array) -> None:
        """A barrier of the CTA: warps `giving` arrived, and those `taking` go on; both are rows."""
        ctas = giving % self.ctas
        joined = np.zeros((self.ctas, self.warps), np.uint32)
        np.maximum.at(joined, ctas, self.known[giving])
        self.known[taking] = np.maximum(self.known[taking], joined[taking % self.ctas])
        self._advance(np.union1d(giving, taking))

    def arrive(self, lanes: Lanes, places: Array) -> None:
        """Lanes arrive at mbarriers at byte indices: what their warps know goes to those who wait there."""
        rows, slots = self._meetings(lanes, places)
        np.maximum.at(self._held, slots, self.known[rows])
        self._advance(np.unique(rows))

    def wait(self, lanes: Lanes, places: Array) -> None:
        """Lanes have waited at mbarriers."""
        rows, slots = self._meetings(lanes, places)
        np.maximum.at(self.known, rows, self._held[slots])

    def _meetings(self, lanes: Lanes, places: Array) -> tuple[Array, Array]:
        """The warps of lanes and the mbarriers at which they are, by their number among those known."""
        rows = self.row_of_lane[lanes.select]
        change = np.ones(len(rows), np.bool_)
        change[1:] = (rows[1:] != rows[:-1]) | (places[1:] != places[:-1])
        slots = [self._slots.setdefault(place, len(self._slots)) for place in places[change].tolist()]
        if len(self._slots) > len(self._held):
            grown = np.zeros((2 * len(self._slots), self.warps), np.uint32)
            grown[: len(self._held)] = self._held
            self._held = grown
        return rows[change], np.array(slots, np.intp)

    def order(self, lanes: Lanes) -> None:
        """Lanes execute a fence, an atomic or an ordered access: it may order them in any way."""
        rows = self.rows(lanes.index)
        ctas = rows % self.ctas
        np.maximum.at(self.released, ctas, self.known[rows])
        self.known[rows] = self.released[ctas]
        self._advance(rows)

    # -- accesses ---------------------------------------------------------------------------------------------

    def on_read(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """Lanes read `size` bytes at byte indices of shared memory."""
        if size == 1:
            return
        rows, stamps = self._stamps(lanes)
        for part in range(0, size, 4):
            place = (index + part) >> 1
            self._check(site, self.written[place], rows, lanes, index, "reads what {other} has written")
            self.read[place] = stamps

    def on_write(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """Lanes write `size` bytes at byte indices of shared memory."""
        if size == 1:
            return
        rows, stamps = self._stamps(lanes)
        for part in range(0, size, 4):
            place = (index + part) >> 1
            self._check(site, self.written[place], rows, lanes, index, "overwrites what {other} has written")
            self._check(site, self.read[place], rows, lanes, index, "overwrites what {other} has read")
            self.written[place] = stamps
            lost = (self.written[place] ^ stamps) >> _WARP_SHIFT != 0
            if lost.any():
                which = int(lost.argmax())
                self._blame(site, int(self.written[place[which]]), lanes, index, which, "writes together with {other}")

    def _stamps(self, lanes: Array | slice) -> tuple[Array, Array]:
        rows = self.row_of_lane[lanes]
        own = self._own[rows]
        return rows, (own.astype(np.uint32) << _WARP_SHIFT) | self.known[rows, own]

    def _check(self, site: Site, stamps: Array, rows: Array, lanes: Array | slice, index: Array, message: str) -> None:
        unknown = self.known[rows, stamps >> _WARP_SHIFT] < (stamps & _CLOCK)
        if unknown.any():
            which = int(unknown.argmax())
            self._blame(site, int(stamps[which]), lanes, index, which, message)

    def _blame(self, site: Site, stamp: int, lanes: Array | slice, index: Array, which: int, message: str) -> None:
        lane = lanes.start + which if isinstance(lanes, slice) else int(lanes[which])
        shared = self.machine.memory.shared
        assert shared.origin is not None
        offset = int(index[which]) - int(shared.origin[lane])
        text = message.format(other=f"warp {stamp >> _CLOCK_BITS}")
        raise site.fault("race", f"{text} at shared address {offset:#x}, with nothing that orders them", lane, offset)
