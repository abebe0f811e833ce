"""Where addresses lead: the windows of shared and local memory, of which each lane sees a part, and generic addresses.

Generic addresses are 64 bits: local and shared memory have windows of their own; everything else (buffers, module
variables, constants, kernel parameters) lies in the arena.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from weft.sim.arena import Arena
from weft.sim.lanes import Array, Lanes, any_of
from weft.sim.space import UNWRITTEN, WRITTEN, Space, check_aligned, lane_of, surely_inside
from weft.sim.spots import BLOCK, Spot, Spots

if TYPE_CHECKING:
    from weft.sim.site import Site
    from weft.sim.stack import Stack

LOCAL_WINDOW = 0x1000_0000_0000
SHARED_WINDOW = 0x2000_0000_0000
WINDOW_BITS = 32
CTA_SHIFT = 24
RANKED = 1 << 28
"""Shared addresses in a cluster hold their CTA's rank in bits 24 to 27, as those of a GPU do, and bit 28 says so; those
without it are of the own CTA. Compilers clear bit 24 to name the even CTA of a pair."""

_SIGNALLED = ("cp.", "st.async", "red.async", "clusterlaunchcontrol", "tcgen05")
"""What accesses the shared memory of another CTA that waits for it at an mbarrier."""

_LARGE = 4096
"""Bytes from which on a part consists of whole blocks, of which what is known can be kept together."""


class PerLane(Space):
    """Memory of which each lane sees one part: shared (a part per CTA) and local (a part per thread).

    `gaps` are ranges between variables that belong to none of them, and the variables before them.
    """

    def __init__(self, name: str, window: int, size: int, part_of_lane: Array, shadowed: bool) -> None:
        self.name = name
        self.window = window
        self.part_of_lane = part_of_lane
        self.gaps: Sequence[tuple[int, int, str]] = ()
        self.parts = int(part_of_lane.max()) + 1
        self.size = 0
        super().__init__(0, shadowed)
        self.grow(size)

    def grow(self, size: int) -> None:
        """Make each part at least `size` bytes; what the parts held stays."""
        if size <= self.size:
            return
        old, old_shadow, old_stride = self.bytes, self.shadow, getattr(self, "stride", 0)
        self.size = size
        grain = 1 << BLOCK if size >= _LARGE else 16
        self.stride = self.part_size = -(-size // grain) * grain
        self.resize(self.stride * self.parts)
        if old_stride:
            self.bytes.reshape(self.parts, -1)[:, :old_stride] = old[: old_stride * self.parts].reshape(self.parts, -1)
            if self.shadow is not None and old_shadow is not None:
                self.shadow.fill(WRITTEN)
                kept = old_shadow[: old_stride * self.parts].reshape(self.parts, -1)
                self.shadow.reshape(self.parts, -1)[:, :old_stride] = kept
        self.origin = self.part_of_lane * self.stride

    def holds_nothing(self, variables: Sequence[tuple[int, int]]) -> None:
        """Nothing is written in some ranges of each part; the rest counts as written."""
        self._words.fill(0xFFFF_FFFF_FFFF_FFFF)
        self.changes += 1
        if self.shadow is not None:
            self.shadow.fill(WRITTEN)
            for start, end in variables:
                self.unwritten(start, end)

    def unwritten(self, start: int, end: int) -> None:
        """Nothing is written in a range of each part."""
        self.changes += 1
        self.clean.fill(False)
        if self.shadow is not None:
            self.shadow[: self.stride * self.parts].reshape(self.parts, self.stride)[:, start:end] = UNWRITTEN

    def zero(self, start: int) -> None:
        """Zeros have been written to each part from an offset on."""
        for plane, value in ((self.bytes, 0), (self.shadow, WRITTEN)):
            if plane is not None:
                plane[: self.stride * self.parts].reshape(self.parts, self.stride)[:, start:] = value

    def locate(self, site: Site, address: Array, lanes: Array | slice, size: int, write: bool) -> Array:
        """See `Space.locate`; addresses are offsets in the window."""
        assert self.origin is not None
        if self.gaps and address.size:
            self._check_gaps(site, address, lanes, size)
        if surely_inside(address, size, self.size):
            return address + self.origin[lanes]
        if address.size and (int(address.min()) < 0 or int(address.max()) + size > self.size):
            which = int(((address < 0) | (address + size > self.size)).argmax())
            where = int(address[which])
            raise site.fault(
                "out-of-bounds",
                f"{size} bytes at {self.name} address {where:#x} lie outside its {self.size} bytes",
                lane_of(lanes, which),
                where,
            )
        check_aligned(site, self.name, address, lanes, size)
        return address + self.origin[lanes]

    def _check_gaps(self, site: Site, offset: Array, lanes: Array | slice, size: int) -> None:
        """Fault for an access past the end of a variable."""
        low, high = int(offset.min()), int(offset.max()) + size
        for start, end, name in self.gaps:
            if low >= end or high <= start:
                continue
            bad = (offset < end) & (offset + size > start)
            if any_of(bad):
                which = int(bad.argmax())
                where = int(offset[which])
                past = f"lie past the end of '{name}', which ends at {start:#x}"
                message = f"{size} bytes at {self.name} address {where:#x} {past}"
                raise site.fault("out-of-bounds", message, lane_of(lanes, which), where)

    def holds(self, start: int, size: int, lane: int) -> bool:
        """See `Space.holds`."""
        offset = start % self.stride
        inside = offset + size <= self.size
        return inside and not any(offset < end and offset + size > first for first, end, _ in self.gaps)


class Shared(PerLane):
    """Shared memory: addresses may name another CTA of the cluster by its rank (`RANKED`)."""

    def __init__(self, cta_of_lane: Array, cluster: int, shadowed: bool) -> None:
        self.cluster = cluster
        self._first = cta_of_lane // cluster * cluster
        super().__init__("shared", SHARED_WINDOW, 16, cta_of_lane, shadowed)

    def reach(self, site: Site, index: Array, lanes: Array | slice) -> None:
        """See `Space.reach`."""
        if self.cluster > 1 and self.lifetimes is not None:
            stem = site.opcode.stem
            counted = stem.startswith(_SIGNALLED) or (stem == "mbarrier.arrive" and site.opcode.get("sem") == "relaxed")
            self.lifetimes.reach(site, index, lanes, last=not counted)

    def locate(self, site: Site, address: Array, lanes: Array | slice, size: int, write: bool) -> Array:
        """See `Space.locate`."""
        spots = site.spots
        if spots is None:
            spots = site.spots = Spots()
        spot = spots.recall(address, lanes, size, self.stride)
        if spot is None:
            index = self._locate(site, address, lanes, size, write)
            if not index.size:
                return index
            address = address if address.base is None else address.copy()  # Registers change.
            spot = Spot(index, lanes, index - self._own(lanes), address, self.stride)
            spots.keep(spot, size)
        spot.lanes = lanes
        self.last = spot
        return spot.index

    def address_of(self, place: int, lane: int) -> int:
        """See `Space.address_of`: that of another CTA's memory has its rank."""
        part, offset = divmod(place, self.stride)
        if part == int(self.part_of_lane[lane]):
            return offset
        return RANKED + (part - int(self._first[lane]) << CTA_SHIFT) + offset

    def _own(self, lanes: Array | slice) -> Array:
        assert self.origin is not None
        own: Array = self.origin[lanes]
        return own

    def spot(self, index: Array, lanes: Array | slice) -> Spot:
        """What is known of an access to byte indices by lanes: most often of the one that was just located."""
        last = self.last
        if last is not None and last.index is index and last.lanes is lanes:
            return last
        offsets = index - self._own(lanes)
        return Spot(index, lanes, offsets, offsets, -1)

    def _locate(self, site: Site, address: Array, lanes: Array | slice, size: int, write: bool) -> Array:
        if not address.size or int(address.max()) < RANKED:
            return super().locate(site, address, lanes, size, write)
        ranked = address >= RANKED
        rank = (address - RANKED) >> CTA_SHIFT
        if int(rank.max()) >= self.cluster:
            which = int(rank.argmax())
            message = f"there is no CTA of rank {int(rank[which])} in a cluster of {self.cluster}"
            raise site.fault("out-of-bounds", message, lane_of(lanes, which), int(address[which]))
        assert self.origin is not None
        offset = np.where(ranked, address & ((1 << CTA_SHIFT) - 1), address)
        index = super().locate(site, offset, lanes, size, write) - self.origin[lanes]
        part = np.where(ranked, self._first[lanes] + rank, self.part_of_lane[lanes])
        return index + part * self.stride


Part = tuple[Space, Array, "Array | None"]
"""A space, byte indices in it, and which of the lanes they belong to (None: all of them)."""


class Memory:
    """The state spaces of one batch of CTAs."""

    def __init__(self, arena: Arena, shared: Shared, local: PerLane) -> None:
        self.arena = arena
        self.shared = shared
        self.local = local
        self.stack: Stack | None = None

    def restart(self) -> None:
        """Global memory is zeros again; nothing has been counted."""
        self.arena.clear()
        for space in (self.arena, self.shared, self.local):
            space.loaded = space.stored = 0
            space.let_all_go()

    def space(self, name: str) -> Space:
        """The space of a state space's name (without the dot)."""
        if name.startswith("shared"):
            return self.shared
        return self.local if name == "local" else self.arena

    def generic(self, site: Site, address: Array, lanes: Lanes, size: int, write: bool) -> Iterator[Part]:
        """Split generic addresses by window."""
        if not address.size:
            return
        first = int(address[0]) >> WINDOW_BITS
        low, high = int(address.min()) >> WINDOW_BITS, int(address.max()) >> WINDOW_BITS
        for space in (self.shared, self.local):
            window = space.window >> WINDOW_BITS
            if low == high == first == window:
                yield space, space.locate(site, address - space.window, lanes.select, size, write), None
                return
            if low <= window <= high:
                break
        else:
            yield self.arena, self.arena.locate(site, address, lanes.select, size, write), None
            return
        yield from self._mixed(site, address, lanes, size, write)

    def _mixed(self, site: Site, address: Array, lanes: Lanes, size: int, write: bool) -> Iterator[Part]:
        window = address >> WINDOW_BITS
        rest = np.ones(len(address), np.bool_)
        for space in (self.shared, self.local):
            inside = window == (space.window >> WINDOW_BITS)
            rest &= ~inside
            where = np.flatnonzero(inside)
            if where.size:
                offset = address[where] - space.window
                yield space, space.locate(site, offset, lanes.index[where], size, write), where
        where = np.flatnonzero(rest)
        if where.size:
            yield self.arena, self.arena.locate(site, address[where], lanes.index[where], size, write), where
