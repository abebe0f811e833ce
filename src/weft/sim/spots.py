"""Which bytes of shared memory lanes access at once, with what follows from that, worked out once.

Instructions in a loop come back to the same few places: the stages of a ring, the mbarriers that go with them.  Each
remembers where it has been, and has found that it may be there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.lanes import WARP, Array, all_of

if TYPE_CHECKING:
    from weft.sim.clocks import Meeting
    from weft.sim.pages import Pages
    from weft.sim.race_log import Note

_SMALL = 256
"""Lanes up to which places are known again by all their bytes, beyond by some and a comparison."""
_MOST_LANES = 1 << 17
"""Lanes of all places that an instruction remembers at most."""
_PLACES = 64
BLOCK = 8
"""Log2 of the bytes of a block, of which it is known at once that all of them are written."""


class Spot:
    """`lanes` access shared memory at byte indices `index`, `offsets` in the parts of their CTAs.

    `address` is what the lanes gave, in memory whose parts are `stride` bytes apart.  `settled` says up to which
    change of the space all bytes were known to be written, `clear` that none was pending, and `free` up to which
    change of the mbarriers none lay there.
    `place` are the groups of cells of accesses of `width` bytes, `meeting` the pairs of a warp and an mbarrier.
    `apart`: all lanes of a CTA use bytes of their own; `whole`: each stands for its warp.  Up to the time `known` all
    that `pages` held was known.  One that is `kept` is the same object when the access comes back; `note` is what a
    log has last held of it.
    """

    __slots__ = (
        "_blocks",
        "_firsts",
        "_high",
        "_lane",
        "_low",
        "_roles",
        "address",
        "apart",
        "clear",
        "free",
        "index",
        "kept",
        "known",
        "lanes",
        "meeting",
        "note",
        "offsets",
        "pages",
        "place",
        "settled",
        "stride",
        "whole",
        "width",
    )

    def __init__(self, index: Array, lanes: Array | slice, offsets: Array, address: Array, stride: int) -> None:
        self.index, self.lanes, self.offsets, self.address, self.stride = index, lanes, offsets, address, stride
        self._low = self._high = self.settled = self.clear = self.free = -1
        self._roles: tuple[int, int] | None = None
        self._firsts: Spot | None = None
        self._lane = -2
        self._blocks: Array | None = None
        self.kept = self.whole = False
        self.apart: bool | None = None
        self.meeting: Meeting | None = None
        self.note: Note | None = None
        self.place: Array | None = None
        self.pages: Pages | None = None
        self.known = self.width = 0

    def at(self, size: int) -> tuple[int, int]:
        """The first and the last byte of accesses of a size."""
        if self._low < 0:
            self._low, self._high = int(self.offsets.min()), int(self.offsets.max())
        return self._low, self._high + size - 1

    def roles(self, role: int) -> tuple[int, int]:
        """The first and the last role of warps, of which each has so many lanes in the batch."""
        if self._roles is None:
            lanes = self.lanes
            if isinstance(lanes, slice):
                self._roles = lanes.start // role, (lanes.stop - 1) // role
            else:
                self._roles = int(lanes.min()) // role, int(lanes.max()) // role
        return self._roles

    def blocks(self) -> Array:
        """The blocks of memory that the bytes lie in."""
        if self._blocks is None:
            self._blocks = np.unique(self.index >> BLOCK)
        return self._blocks

    def lane(self) -> int:
        """The lane of its warp that each of `lanes` is, where all are in one role; -1 where they are not alike."""
        if self._lane == -2:
            self._lane = -1
            if not self.whole and not isinstance(self.lanes, slice):
                lanes = self.lanes & WARP - 1
                self._lane = int(lanes[0]) if all_of(lanes == lanes[0]) else -1
        return self._lane

    def firsts(self) -> Spot:
        """Of each warp only the first lane, where whole warps name the same places."""
        if self._firsts is None:
            self._firsts = self
            if isinstance(self.lanes, slice):
                first, last = int(self.lanes.start), int(self.lanes.stop)
                warps = self.index.reshape(-1, WARP)
                if all_of(warps == warps[:, :1]):
                    few = slice(None, None, WARP)
                    index, offsets = self.index[few].copy(), self.offsets[few].copy()
                    each = np.arange(first, last, WARP)
                    self._firsts = Spot(index, each, offsets, index, self.stride)
                    self._firsts.kept, self._firsts.whole = self.kept, True
        return self._firsts


class Spots:
    """The places where an instruction has been; none any more where it keeps going to new ones."""

    __slots__ = ("_found", "_left", "_open", "table")

    def __init__(self) -> None:
        self.table: dict[tuple[object, ...], Spot] = {}
        self._found = 0
        self._left = _MOST_LANES
        self._open = True

    def recall(self, address: Array, lanes: Array | slice, size: int, stride: int) -> Spot | None:
        """The same access as one before."""
        spot = self.table.get(_key(address, lanes, size))
        if spot is None or spot.stride != stride:
            return None
        if len(address) > _SMALL and not (all_of(spot.address == address) and _same(spot.lanes, lanes)):
            return None
        self._found += 1
        return spot

    def keep(self, spot: Spot, size: int) -> None:
        """Remember an access."""
        if not self._open:
            return
        self._left -= len(spot.index)
        if len(self.table) >= _PLACES or self._left < 0:
            self._open = self._found >= len(self.table)
            self.table.clear()
            self._found, self._left = 0, _MOST_LANES - len(spot.index)
        self.table[_key(spot.address, spot.lanes, size)] = spot
        spot.kept = True


def _key(address: Array, lanes: Array | slice, size: int) -> tuple[object, ...]:
    if len(address) <= _SMALL:
        who = (lanes.start, lanes.stop) if isinstance(lanes, slice) else lanes.tobytes()
        return address.tobytes(), who, size
    first = lanes.start if isinstance(lanes, slice) else int(lanes[0])
    return int(address[0]), int(address[-1]), first, len(address), size


def _same(mine: Array | slice, other: Array | slice) -> bool:
    if isinstance(mine, slice) or isinstance(other, slice):
        return mine == other if isinstance(mine, slice) and isinstance(other, slice) else False
    return mine is other or all_of(mine == other)
