"""Global, constant and parameter memory: allocations side by side, whose addresses are the same in every space."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from weft.dataclass import dataclass
from weft.sim.far_cells import FarCells
from weft.sim.lanes import Array, any_of
from weft.sim.space import Space, check_aligned, lane_of, surely_inside

if TYPE_CHECKING:
    from weft.sim.site import Site

ARENA_BASE = 0x7000_0000_0000
WIDEST = 32
"""Bytes of the widest access: memory is a multiple of it, since what is kept of it is looked at in such groups."""
GUARD_BYTES = 256
"""What lies between two allocations, so that an access past the end of one finds nothing."""


LINE = 64
"""Bytes of a line of the cache."""


@dataclass(frozen=True, slots=True)
class Region:
    """An allocation in the arena: addresses `start` to `end`; races in it are looked for where it is `watched`."""

    name: str
    start: int
    end: int
    writable: bool
    parameter: bool = False
    watched: bool = True


class Table(NamedTuple):
    """The starts and ends of regions, which of them are writable, and the numbers of those that are variables too."""

    starts: Array
    ends: Array
    writable: Array
    variables: tuple[int, ...]


def table_of(regions: Sequence[Region]) -> Table:
    """Regions as arrays, in which one of many is found at once."""
    starts = np.array([region.start for region in regions], np.int64)
    ends = np.array([region.end for region in regions], np.int64)
    writable = np.array([region.writable for region in regions], np.bool_)
    variables = (number for number, one in enumerate(regions) if one.writable and one.name.startswith("variable"))
    return Table(starts, ends, writable, tuple(variables))


class Arena(Space):
    """Global, constant and parameter memory: regions with guard bytes between them.

    `base` is the address of byte 0; parameters lie in its first 4 GiB.  Up to `filled`, whoever starts a launch fills
    all regions.  `located` are the byte indices located last, if they all lie in the region numbered `within`.
    """

    name = "global"
    located: Array | None = None
    within = 0

    def __init__(self, base: int = ARENA_BASE) -> None:
        self.base = base
        self.regions: list[Region] = []
        self.far = FarCells()
        self._end = self.filled = base
        super().__init__(0)

    def allocate(
        self,
        name: str,
        size: int,
        align: int = 256,
        writable: bool = True,
        *,
        parameter: bool = False,
        watched: bool = True,
    ) -> int:
        """Reserve `size` bytes and return their address; `build` gives them storage.

        `parameter` is what stray addresses are not meant to point to, `watched` where races are looked for.
        """
        start = -(-(self._end + GUARD_BYTES) // align) * align
        self.regions.append(Region(name, start, start + size, writable, parameter, watched))
        self._end = start + size
        return start

    @property
    def end(self) -> int:
        """The address after the last region."""
        return self._end

    def build(self) -> None:
        """Give storage to all regions: zeros."""
        size = self._end + GUARD_BYTES - self.base
        self.resize(-(-size // WIDEST) * WIDEST)
        self._starts = [region.start for region in self.regions]
        self._table = table_of(self.regions)

    def table(self) -> Table:
        """The regions as arrays."""
        return self._table

    def fresh(self, words: int) -> Array:
        """See `Space.fresh`: zeros, from the start of a cache line on."""
        whole: Array = np.zeros(words + LINE // 8, np.uint64)
        skipped = -whole.ctypes.data % LINE // 8
        return whole[skipped : skipped + words]

    def clear(self) -> None:
        """Zeros everywhere but in what each launch fills."""
        self.bytes[self.filled - self.base :] = 0

    def address_of(self, place: int, lane: int) -> int:
        """See `Space.address_of`."""
        return self.base + place

    def contents(self, address: int, size: int) -> Array:
        """The bytes of a region."""
        start = address - self.base
        return self.bytes[start : start + size]

    def locate(self, site: Site, address: Array, lanes: Array | slice, size: int, write: bool) -> Array:
        """See `Space.locate`."""
        if not address.size:
            return address
        if not self.regions:
            where = int(address[0])
            message = f"{size} bytes at global address {where:#x}: the kernel has no buffers"
            raise site.fault("out-of-bounds", message, lane_of(lanes, 0), where)
        place = bisect_right(self._starts, int(address[0])) - 1
        region = self.regions[max(place, 0)]
        offset = address - region.start
        self.located, self.within = offset, place
        if not surely_inside(offset, size, region.end - region.start) or (write and not region.writable):
            self._locate_each(site, address, lanes, size, write)
            check_aligned(site, "global", address, lanes, size)
            self.located = None
        offset += region.start - self.base
        return offset

    def holds(self, start: int, size: int, lane: int) -> bool:
        """See `Space.holds`."""
        region = self.regions[bisect_right(self._starts, start + self.base) - 1]
        return start + self.base + size <= region.end

    def _locate_each(self, site: Site, address: Array, lanes: Array | slice, size: int, write: bool) -> None:
        """Each access may lie in a region of its own."""
        starts, ends, writable, _ = self.table()
        place = np.searchsorted(starts, address, side="right") - 1
        bad = (place < 0) | (address + size > ends[place])
        if any_of(bad):
            which = int(bad.argmax())
            where = int(address[which])
            raise site.fault(
                "out-of-bounds",
                f"{size} bytes at global address {where:#x} lie outside every buffer{self._nearest(where)}",
                lane_of(lanes, which),
                where,
            )
        if write:
            fixed = ~writable[place]
            if any_of(fixed):
                which = int(fixed.argmax())
                name = self.regions[int(place[which])].name
                raise site.fault(
                    "read-only", f"stores to {name}, which is read-only", lane_of(lanes, which), int(address[which])
                )

    def _nearest(self, address: int) -> str:
        def distance(region: Region) -> int:
            return max(region.start - address, address - region.end + 1, 0)

        meant = [region for region in self.regions if not region.parameter or distance(region) < GUARD_BYTES]
        region = min(meant, key=distance, default=None)
        if region is None or distance(region) > 1 << 30:
            return " (address 0 is not a pointer)" if address < 4096 else ""
        if address < region.start:
            return f" ({region.start - address} bytes before {region.name})"
        return f" (offset {address - region.start} of {region.name}, which has {region.end - region.start} bytes)"
