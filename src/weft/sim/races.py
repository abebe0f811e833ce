"""Races: two warps access the same place, one of them writes, and nothing orders the accesses.

A place (four bytes, two where the kernel moves halves) keeps the stamp of its last writer and of readers since: in the
shared memory of one CTA of the last one, elsewhere of the lowest and the highest warp.  An access races with an earlier
one when its warp does not know of that stamp (`weft.sim.clocks`).  Atomics and ordered accesses do not race; single
bytes are not watched; plain stores of the same value do no harm.

Of global memory only the buffers that the kernel may store to are watched.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from weft.sim.clocks import CLOCK, ROW, Clocks
from weft.sim.lanes import Array
from weft.sim.memory import ARENA_BASE, Arena, Space
from weft.sim.site import Site
from weft.sim.stores import moves_halves, stored_parameters

if TYPE_CHECKING:
    from weft.sim.machine import Machine

Values = Callable[[], Array]
"""Gives the bytes that a store writes, a row for each lane."""
_HIGH = np.uint32(0xFFFF_FFFF)


class Races:
    """The stamps of one space; `clocks` are those of the batch."""

    def __init__(self, machine: Machine, space: Space, clocks: Clocks) -> None:
        self.machine = machine
        self.space = space
        self.clocks = clocks
        self.local = space is machine.memory.shared and machine.launch.cluster_ctas == 1
        self.written: Array = np.zeros(0, np.uint32)
        self.highest: Array = np.zeros(0, np.uint32)
        self.lowest: Array = np.zeros(0, np.uint32)
        self._shift = 1 if moves_halves(machine.program) else 2
        self._watched: list[bool] | None = None
        self._starts: list[int] = []
        self._stored = stored_parameters(machine.program) if isinstance(space, Arena) else None

    def reset(self) -> None:
        """A new batch begins; what earlier ones did to global memory counts on."""
        size = len(self.space.bytes) >> self._shift
        if isinstance(self.space, Arena):
            if self._watched is not None:
                return
            self._choose(self.space)
        self.written, self.highest, self.lowest = (np.zeros(size, np.uint32) for _ in range(3))

    def _choose(self, arena: Arena) -> None:
        """Which regions the kernel may store to; the heap is not watched, since `malloc` and `free` order its uses."""
        self._starts = [region.start - ARENA_BASE for region in arena.regions]
        if self._stored is None:
            kept = ("argument", "variable")
            self._watched = [region.writable and region.name.startswith(kept) for region in arena.regions]
            return
        self._watched = [region.writable and region.name.startswith("variable") for region in arena.regions]
        for name in self._stored:
            place = self.machine.parameters[name]
            words = arena.contents(place.address, place.size // 8 * 8).view(np.int64) - ARENA_BASE
            for pointer in words.tolist():
                number = bisect_right(self._starts, pointer) - 1
                if number >= 0 and pointer < arena.regions[number].end - ARENA_BASE:
                    self._watched[number] = arena.regions[number].writable

    def _idle(self, index: Array) -> bool:
        """Whether accesses touch no buffer that is watched."""
        if self._watched is None or not index.size:
            return not index.size
        low = bisect_right(self._starts, int(index.min())) - 1
        high = bisect_right(self._starts, int(index.max())) - 1
        return not any(self._watched[low : high + 1])

    # -- accesses ---------------------------------------------------------------------------------------------

    def on_read(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """Lanes read `size` bytes at byte indices."""
        if size == 1 or self._idle(index):
            return
        mine = self.clocks.stamps[lanes]
        for part in range(0, size, 4):
            place = (index + part) >> self._shift
            written = self.written[place]
            bad = self._unknown(written, mine)
            if bad is not None:
                self._blame(site, written, bad, lanes, index, "reads what {other} has written")
            if self.local:
                self.highest[place] = mine
                continue
            self.highest[place] = np.maximum(self.highest[place], mine)
            self.lowest[place[::-1]] = np.maximum(self.lowest[place], ~mine)[::-1]

    def on_write(self, site: Site, index: Array, lanes: Array | slice, size: int, values: Values | None = None) -> None:
        """Lanes write `size` bytes at byte indices."""
        if size == 1 or self._idle(index):
            return
        mine = self.clocks.stamps[lanes]
        for part in range(0, size, 4):
            place = (index + part) >> self._shift
            written = self.written[place]
            bad = self._unknown(written, mine)
            if bad is not None:
                bad &= ~self._unchanged(index, size, values)
                self._blame(site, written, bad, lanes, index, "overwrites what {other} has written")
            for readers in self._readers(place):
                bad = self._unknown(readers, mine)
                if bad is not None:
                    bad &= ~self._unchanged(index, size, values)
                    self._blame(site, readers, bad, lanes, index, "overwrites what {other} has read")
            self.written[place] = mine
            if not self.local:
                self.highest[place] = 0
                self.lowest[place] = 0
            last = self.written[place]
            lost = (last ^ mine) >> ROW != 0
            if lost.any():
                lost &= ~_together(index, values)
                self._blame(site, last, lost, lanes, index, "writes together with {other}")

    def _readers(self, place: Array) -> tuple[Array, ...]:
        """The stamps of those who have read places; of shared memory only the last ones are kept."""
        if self.local:
            return (self.highest[place],)
        lowest = ~self.lowest[place]
        return self.highest[place], np.where(lowest == _HIGH, 0, lowest)

    def ordered_read(self, index: Array, lanes: Array | slice) -> None:
        """Lanes read in an ordered way: what wrote there plainly may be a flag."""
        written = self.written[index >> self._shift]
        if not written.any():
            return
        flags = ((written & CLOCK) >= self.clocks.first) & ((written ^ self.clocks.stamps[lanes]) >> ROW != 0)
        if flags.any():
            self.clocks.acquire_from(self.clocks.row_of_lane[lanes][flags], (written[flags] >> ROW).astype(np.int64))

    def _unknown(self, stamps: Array, mine: Array) -> Array | None:
        """Which stamps are of other warps and not known to the lanes; None when there are none."""
        foreign = ((stamps ^ mine) >> ROW != 0) & (stamps != 0)
        if not self.local and self.clocks.first > 1:
            foreign |= (stamps != 0) & ((stamps & CLOCK) < self.clocks.first)
        if not foreign.any():
            return None
        rows = (mine >> ROW).astype(np.int64)
        bad = foreign & ~self.clocks.knows(rows, stamps, self.local)
        return bad if bad.any() else None

    def _unchanged(self, index: Array, size: int, values: Values | None) -> Array:
        """Which lanes store what is there already."""
        if values is None:
            return np.zeros(len(index), np.bool_)
        there = self.space.bytes[index[:, None] + np.arange(size)]
        same: Array = np.all(there == values(), axis=1, keepdims=True)
        return same.reshape(-1)

    def _blame(self, site: Site, stamps: Array, bad: Array, lanes: Array | slice, index: Array, message: str) -> None:
        if not bad.any():
            return
        which = int(bad.argmax())
        lane = lanes.start + which if isinstance(lanes, slice) else int(lanes[which])
        stamp = int(stamps[which])
        row, ctas = stamp >> int(ROW), self.clocks.ctas
        role, cta = divmod(row, ctas)
        batch, origin = self.machine.batch, self.space.origin
        other = f"warp {role}"
        if stamp & int(CLOCK) < int(self.clocks.first):
            other = "a CTA that ran before"
        elif cta != int(batch.cta[lane]):
            other += f" of CTA {batch.thread(row * 32).cta}"
        offset = int(index[which]) - int(origin[lane]) if origin is not None else int(index[which]) + ARENA_BASE
        text = f"{message.format(other=other)} at {self.space.name} address {offset:#x}"
        raise site.fault("race", f"{text}, with nothing that orders them", lane, offset)


def _together(index: Array, values: Values | None) -> Array:
    """Which lanes store the same value as all the others that store to the same place."""
    if values is None:
        return np.zeros(len(index), np.bool_)
    stored = values()
    _, first, group = np.unique(index, return_index=True, return_inverse=True)
    same: Array = np.all(stored == stored[first[group]], axis=1, keepdims=True).reshape(-1)
    odd = np.zeros(len(first), np.bool_)
    np.logical_or.at(odd, group, ~same)
    return ~odd[group]


_ACQUIRES, _RELEASES = ("acquire", "acq_rel"), ("release", "acq_rel")


def ordering(
    machine: Machine, sem: str, *, reads: bool = False, writes: bool = False
) -> Callable[[Space, Array, Array | slice], None] | None:
    """What notes an ordered access to byte indices of a space by lanes; None for a plain one, or in fast runs.

    Relaxed and volatile accesses order with the fences around them.
    """
    clocks = machine.clocks
    if clocks is None or sem in ("", "weak"):
        return None

    def note(space: Space, index: Array, lanes: Array | slice) -> None:
        if reads:
            if space.races is not None:
                space.races.ordered_read(index, lanes)
            clocks.acquire(lanes, index, sem not in _ACQUIRES)
        if writes:
            clocks.release(lanes, index, sem not in _RELEASES)

    return note
