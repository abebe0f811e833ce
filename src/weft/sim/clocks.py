"""What warps know of one another's progress: vector clocks, joined by barriers, mbarriers, fences and flags.

Each warp of a batch has a number (its row) and a clock.  Of the warps of its own CTA it knows the clocks in `known`; of
those of other CTAs in `abroad`, which exists from the first operation on that can order CTAs.

A fence notes what its warp knows; a store, atomic or arrival that releases passes on what the warp knows, a relaxed one
what it knew at its last fence.  Whoever then acquires from the same place, or reads it and executes a fence, knows it
too.  Places that fall together in the table order more than they should: races may be missed, none is invented.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.sim.lanes import WARP, Array, Lanes

if TYPE_CHECKING:
    from weft.sim.machine import Machine

CLOCK_BITS = 22
CLOCK = np.uint32((1 << CLOCK_BITS) - 1)
ROW = np.uint32(CLOCK_BITS)
_SLOTS = 509
_PAIRS = 64
"""Pairs of a warp and a place that one operation orders singly; past that it orders all places at once."""


@dataclass(slots=True)
class _Abroad:
    """What is needed to order CTAs; each is rows by rows, or slots by rows.

    `known` are clocks of warps of other CTAs, `fenced` all clocks known at the last fence, `seen` what relaxed reads
    have met since; `places` is what was released at each slot.
    """

    known: Array
    fenced: Array
    seen: Array
    places: Array


class Clocks:
    """The clocks of a batch: `stamps` holds the row and the clock of each lane's warp as one word."""

    def __init__(self, machine: Machine) -> None:
        self.warps = machine.launch.warps
        self.ctas = machine.batch.ctas
        self.rows = self.warps * self.ctas
        self.clustered = machine.launch.cluster_ctas > 1
        self.cluster: Array = machine.batch.cta // machine.launch.cluster_ctas
        self.row_of_lane: Array = np.arange(machine.batch.lanes, dtype=np.int64) // WARP
        self._own: Array = np.arange(self.rows) // self.ctas
        self._cta: Array = np.arange(self.rows) % self.ctas
        self.known: Array = np.zeros((self.rows, self.warps), np.uint32)
        self.stamps: Array = np.zeros(machine.batch.lanes, np.uint32)
        self.abroad: _Abroad | None = None
        self.first = np.uint32(1)
        self.ordered = False
        self._clusters_told: dict[int, Array] = {}
        self._memory = machine.memory
        self._slots: Array = np.zeros(0, np.int32)
        self._count = 0
        self._near: Array = np.zeros((0, self.warps), np.uint32)
        self._far: Array = np.zeros((0, self.rows), np.uint32)
        self._releases = 1
        self._polled: Array = np.zeros(machine.batch.lanes, np.int64)

    def reset(self) -> None:
        """A new batch begins, after all that the earlier ones did."""
        self.first = np.uint32(int(self.known.max(initial=0)) + 1)
        self.known.fill(0)
        self.known[np.arange(self.rows), self._own] = self.first
        self._stamp(np.arange(self.rows))
        self._clusters_told.clear()
        self._slots = np.full(len(self._memory.shared.bytes) // 8, -1, np.int32)
        self._count = 0
        self._near.fill(0)
        self._far.fill(0)
        self._polled.fill(0)
        self.abroad = None
        if self.clustered:
            self._look_abroad()

    def _stamp(self, rows: Array) -> None:
        words = rows.astype(np.uint32) << ROW | self.known[rows, self._own[rows]]
        self.stamps.reshape(-1, WARP)[rows] = words[:, None]

    def _advance(self, rows: Array) -> None:
        self.known[rows, self._own[rows]] += 1
        self._stamp(rows)

    def rows_of(self, lanes: Array | slice) -> Array:
        """The warps of lanes, each once."""
        return np.unique(self.row_of_lane[lanes])

    def knows(self, rows: Array, stamps: Array, local: bool) -> Array:
        """Whether warps know of accesses by their stamps; `local` when all are of the same CTA."""
        other, clock = stamps >> ROW, stamps & CLOCK
        if local:
            return self.known[rows, other // self.ctas] >= clock
        own = self._cta[rows] == other % self.ctas
        here = self.known[rows, other // self.ctas] >= clock
        there: Array = self.abroad.known[rows, other] >= clock if self.abroad is not None else np.zeros_like(own)
        return np.where(clock < self.first, (clock == 0) | self.ordered, np.where(own, here, there))

    # -- all that a warp knows --------------------------------------------------------------------------------

    def _look_abroad(self) -> _Abroad:
        if self.abroad is None:
            square = (self.rows, self.rows)
            known, fenced, seen = (np.zeros(square, np.uint32) for _ in range(3))
            self.abroad = _Abroad(known, fenced, seen, np.zeros((_SLOTS, self.rows), np.uint32))
        return self.abroad

    def _all(self, rows: Array) -> Array:
        """All clocks that warps know: rows by rows."""
        everything = self._look_abroad().known[rows]
        parts = everything.reshape(len(rows), self.warps, self.ctas)
        parts[np.arange(len(rows)), :, self._cta[rows]] = self.known[rows]
        return everything

    def _learn(self, rows: Array, clocks: Array) -> None:
        """Warps learn clocks: rows by rows, or one row for all."""
        there = self._look_abroad()
        there.known[rows] = np.maximum(there.known[rows], clocks)
        wide = np.broadcast_to(clocks, (len(rows), self.rows)).reshape(len(rows), self.warps, self.ctas)
        self.known[rows] = np.maximum(self.known[rows], wide[np.arange(len(rows)), :, self._cta[rows]])

    # -- barriers ---------------------------------------------------------------------------------------------

    def barrier(self, giving: Array, taking: Array) -> None:
        """A barrier of the CTA: warps `giving` arrived, and those `taking` go on; both are rows."""
        self._join(self.known, giving, taking)
        if self.abroad is not None:
            self._join(self.abroad.known, giving, taking)
            self._join(self.abroad.seen, giving, taking)
        self._advance(np.union1d(giving, taking))

    def _join(self, table: Array, giving: Array, taking: Array) -> None:
        if len(giving) == self.rows:
            joined = table.reshape(self.warps, self.ctas, -1).max(axis=0)
        else:
            joined = np.zeros((self.ctas, table.shape[1]), np.uint32)
            np.maximum.at(joined, self._cta[giving], table[giving])
        table[taking] = np.maximum(table[taking], joined[self._cta[taking]])

    def arrive(self, lanes: Lanes, places: Array) -> None:
        """Lanes arrive at mbarriers at byte indices: what their warps know goes to those who wait there."""
        rows, slots = self._meetings(lanes.select, places)
        if not self.clustered:
            np.maximum.at(self._near, slots, self.known[rows])
        if self.abroad is not None:
            np.maximum.at(self._far, slots, self._all(rows))
        self._advance(np.unique(rows))

    def wait(self, lanes: Array, places: Array) -> None:
        """Lanes have waited at mbarriers."""
        rows, slots = self._meetings(lanes, places)
        if not self.clustered:
            np.maximum.at(self.known, rows, self._near[slots])
        if self.abroad is not None:
            for row, slot in zip(rows.tolist(), slots.tolist(), strict=True):
                self._learn(np.array([row]), self._far[slot])

    def _meetings(self, lanes: Array | slice, places: Array) -> tuple[Array, Array]:
        """The pairs of a warp and the number of an mbarrier that lanes make."""
        rows = self.row_of_lane[lanes]
        new = np.flatnonzero((np.diff(rows, prepend=-1) != 0) | (np.diff(places, prepend=-1) != 0))
        rows, slots = rows[new], self._slots[places[new] >> 3]
        if (slots < 0).any():
            for place in np.unique(places[new][slots < 0] >> 3).tolist():
                self._slots[place] = self._count
                self._count += 1
            slots = self._slots[places[new] >> 3]
            if self._count > len(self._near):
                more = max(64, self._count)
                self._near = np.concatenate([self._near, np.zeros((more, self.warps), np.uint32)])
        if self.abroad is not None and len(self._far) < len(self._near):
            more = len(self._near) - len(self._far)
            self._far = np.concatenate([self._far, np.zeros((more, self.rows), np.uint32)])
        return rows, slots

    def issued(self, warps: Array) -> Array:
        """What the warps of warpgroups (lanes, by warps by lanes) know together when they issue a collective."""
        return self.known[self.row_of_lane[warps[:, :, 0]]].max(axis=1)

    def completed(self, warps: Array, told: Array) -> None:
        """Warpgroups have waited for a collective: each warp knows what all knew when they issued it."""
        rows = self.row_of_lane[warps[:, :, 0]]
        self.known[rows] = np.maximum(self.known[rows], told[:, None])

    def arrive_cluster(self, lanes: Lanes) -> None:
        """Lanes arrive at the barriers of their clusters."""
        for cluster, rows in self._clusters(lanes):
            known = self._all(rows).max(axis=0)
            before = self._clusters_told.get(cluster)
            self._clusters_told[cluster] = known if before is None else np.maximum(before, known)
            self._advance(rows)

    def wait_cluster(self, lanes: Lanes) -> None:
        """Lanes have waited at the barriers of their clusters."""
        for cluster, rows in self._clusters(lanes):
            before = self._clusters_told.get(cluster)
            if before is not None:
                self._learn(rows, before)

    def _clusters(self, lanes: Lanes) -> list[tuple[int, Array]]:
        rows, clusters = self.row_of_lane[lanes.select], self.cluster[lanes.select]
        return [(int(c), np.unique(rows[clusters == c])) for c in np.unique(clusters)]

    # -- fences and flags -------------------------------------------------------------------------------------

    def fence(self, lanes: Lanes) -> None:
        """Lanes execute a fence: what they have read before it they know, what they store after it tells of it."""
        self.ordered = True
        rows, there = self.rows_of(lanes.select), self._look_abroad()
        self._learn(rows, there.seen[rows])
        there.fenced[rows] = self._all(rows)
        self._advance(rows)

    def release(self, lanes: Array | slice, index: Array, fenced: bool) -> None:
        """Lanes store to places that may be flags; `fenced` tells only what they knew at their last fence."""
        there = self._look_abroad()
        self._releases += 1
        for rows, slot in self._pairs(lanes, index):
            told = (there.fenced[rows] if fenced else self._all(rows)).max(axis=0)
            there.places[slot] = np.maximum(there.places[slot], told)
        self._advance(self.rows_of(lanes))

    def acquire(self, lanes: Array | slice, index: Array, fenced: bool) -> None:
        """Lanes read flags; `fenced` keeps what these tell for the lanes' next fence."""
        self.ordered = True
        there = self._look_abroad()
        news = self._releases * _SLOTS + (index >> 2) % _SLOTS
        if (self._polled[lanes] == news).all():
            return
        self._polled[lanes] = news
        for rows, slot in self._pairs(lanes, index):
            told = there.places[slot] if isinstance(slot, int) else there.places.max(axis=0)
            there.seen[rows] = np.maximum(there.seen[rows], told)
            if not fenced:
                self._learn(rows, there.seen[rows])

    def acquire_from(self, rows: Array, writers: Array) -> None:
        """Warps read, in an ordered way, what others have stored plainly: keep what these know for the next fence."""
        there = self._look_abroad()
        pairs = np.unique(rows * self.rows + writers)
        if len(pairs) > _PAIRS:
            there.seen[np.unique(rows)] = np.maximum(
                there.seen[np.unique(rows)], self._all(np.unique(writers)).max(axis=0)
            )
            return
        for pair in pairs.tolist():
            row, writer = divmod(pair, self.rows)
            there.seen[row] = np.maximum(there.seen[row], self._all(np.array([writer]))[0])

    def _pairs(self, lanes: Array | slice, index: Array) -> list[tuple[Array, int | slice]]:
        """The warps, and the slot of their place in the table; all slots when there are too many pairs."""
        rows, slots = self.row_of_lane[lanes], (index >> 2) % _SLOTS
        pairs = np.unique(slots * self.rows + rows)
        if len(pairs) > _PAIRS:
            return [(np.unique(rows), slice(None))]
        found: dict[int, list[int]] = {}
        for pair in pairs.tolist():
            slot, row = divmod(pair, self.rows)
            found.setdefault(slot, []).append(row)
        return [(np.array(of), slot) for slot, of in found.items()]
