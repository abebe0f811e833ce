"""State spaces as flat byte arrays, and the checks on every access to them.

Generic addresses are 64 bits: local and shared memory have windows of their own; everything else (buffers, module
variables, constants, kernel parameters) lies in one arena whose addresses are the same in every space.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataclass import dataclass
from weft.sim.lanes import Array, Lanes
from weft.sim.types import WORDS, Dtype

if TYPE_CHECKING:
    from weft.sim.lifetimes import Lifetimes
    from weft.sim.proxies import Proxies
    from weft.sim.races import Races
    from weft.sim.site import Site
    from weft.sim.stack import Stack

LOCAL_WINDOW = 0x1000_0000_0000
SHARED_WINDOW = 0x2000_0000_0000
ARENA_BASE = 0x7000_0000_0000
WINDOW_BITS = 32
CTA_SHIFT = 24
RANKED = 1 << 28
"""Shared addresses in a cluster hold their CTA's rank in bits 24 to 27, as those of a GPU do, and bit 28 says so; those
without it are of the own CTA. Compilers clear bit 24 to name the even CTA of a pair."""

_SIGNALLED = ("cp.", "st.async", "red.async", "tcgen05", "mbarrier.init", "mbarrier.inval")
"""What accesses the shared memory of another CTA that waits for it at an mbarrier, or only its own."""

GUARD_BYTES = 256
UNWRITTEN, WRITTEN, PENDING = 0, 1, 2
"""What the shadow says of a byte; `PENDING`: an asynchronous copy has been started that will write it."""


def _words(byte: int, size: int) -> np.unsignedinteger[Any]:
    return WORDS[size * 8].type(int.from_bytes(bytes([byte]) * size, "little"))


_ALL_WRITTEN = {size: _words(WRITTEN, size) for size in (1, 2, 4, 8)}
_ALL_PENDING = {size: _words(PENDING, size) for size in (1, 2, 4, 8)}


_SIXTEEN: Dtype = np.dtype(np.complex128)


@dataclass(frozen=True, slots=True)
class Region:
    """An allocation in the arena: addresses `start` to `end`; races in it are looked for where it is `watched`."""

    name: str
    start: int
    end: int
    writable: bool
    parameter: bool = False
    watched: bool = True


class Space:
    """The bytes of one state space, with typed views of them and, when `shadowed`, what is known of each byte.

    `guarded` says that accesses are checked (`before_load`, `before_store`); `races` and `proxies` watch them where
    they are set.  `late` says that asynchronous operations may be under way; `reading` counts, for each four bytes,
    those that have not read them yet.
    `origin` gives each lane's byte offset (None: all lanes share the space).  `loaded` and `stored` count bytes.
    """

    name = "memory"
    origin: Array | None = None
    window = 0

    def __init__(self, size: int, shadowed: bool = False) -> None:
        self.loaded = 0
        self.stored = 0
        self.shadowed = shadowed
        self.guarded = shadowed
        self.late = False
        self.races: Races | None = None
        self.lifetimes: Lifetimes | None = None
        self.proxies: Proxies | None = None
        self.reading: Array | None = None
        self.resize(size)

    def resize(self, size: int) -> None:
        """Give the space `size` bytes (rounded up), without keeping what it held."""
        words = -(-max(size, 16) // 16) * 2
        self._words = np.full(words, 0xFFFF_FFFF_FFFF_FFFF, np.uint64)
        self.bytes: Array = self._words.view(np.uint8)
        self.shadow: Array | None = np.zeros(words * 8, np.uint8) if self.shadowed else None
        self._views: dict[Dtype, Array] = {}
        self._shadows: dict[int, Array] = {}
        self.reading = None

    @property
    def extent(self) -> int:
        """The bytes of the space that may be in use: what is known of bytes is kept of so many."""
        return len(self.bytes)

    def view(self, dtype: Dtype) -> Array:
        """The whole space as elements of `dtype`."""
        found = self._views.get(dtype)
        if found is None:
            found = self._views[dtype] = self._words.view(dtype)
        return found

    @staticmethod
    def wide(size: int) -> Dtype:
        """A dtype of `size` bytes (up to 16) to copy with."""
        return WORDS[size * 8] if size <= 8 else _SIXTEEN

    def shadow_view(self, size: int) -> Array:
        """The shadow as words of `size` bytes."""
        found = self._shadows.get(size)
        if found is None:
            assert self.shadow is not None
            found = self._shadows[size] = self.shadow.view(WORDS[size * 8])
        return found

    def forget(self) -> None:
        """Fill with garbage and mark every byte as unwritten, and as used by nothing."""
        self.reading = None
        self._words.fill(0xFFFF_FFFF_FFFF_FFFF)
        if self.shadow is not None:
            self.shadow.fill(UNWRITTEN)

    def locate(self, site: Site, address: Array, lanes: Array | slice, size: int, write: bool) -> Array:
        """Byte indices of accesses of `size` bytes at `address` (int64, one per lane of `lanes`), checked."""
        raise NotImplementedError

    def holds(self, start: int, size: int, lane: int) -> bool:
        """Whether the `size` bytes from byte index `start`, which a lane has located, lie inside one allocation."""
        raise NotImplementedError

    def load(self, index: Array, dtype: Dtype) -> Array:
        """Elements at byte indices that `locate` gave."""
        self.loaded += index.size * dtype.itemsize
        return self.view(dtype)[index >> (dtype.itemsize.bit_length() - 1)]

    def store(self, index: Array, values: Array, dtype: Dtype) -> None:
        """Write elements at byte indices; the last one wins where indices repeat."""
        self.stored += index.size * dtype.itemsize
        self.view(dtype)[index >> (dtype.itemsize.bit_length() - 1)] = values
        if self.shadow is not None:
            size = dtype.itemsize
            self.shadow_view(size)[index >> (size.bit_length() - 1)] = _ALL_WRITTEN[size]

    def unwrite(self, index: Array, size: int, written: Array) -> None:
        """Note that bytes of elements are not written: those whose bit of `written` is not set."""
        assert self.shadow is not None
        bytes_, bits = index[:, None] + np.arange(size), written[:, None] >> np.arange(size)
        self.shadow[bytes_[bits & 1 == 0]] = UNWRITTEN

    def before_load(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """The checks of a load: that the bytes are written, and that no other thread writes them meanwhile."""
        if not site.deferred or not self._defer(site, index, lanes, size):
            self.check_written(site, index, lanes, size)
        self.reach(site, index, lanes)
        if self.races is not None:
            self.races.on_read(site, index, lanes, size)

    def before_update(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """The checks of an atomic update; of what an exchange finds only use counts, and it is written then."""
        if site.deferred and self._defer(site, index, lanes, size):
            assert self.shadow is not None
            self.shadow[index[:, None] + np.arange(size)] = WRITTEN
        else:
            self.check_written(site, index, lanes, size)
        self.before_store(site, index, lanes, size)

    def _defer(self, site: Site, index: Array, lanes: Array | slice, size: int) -> bool:
        """Note which bytes of a load are written, unless some are pending."""
        if self.shadow is None:
            return False
        there = self.shadow[index[:, None] + np.arange(size)]
        if (there == PENDING).any():
            return False
        bad = np.flatnonzero((there != WRITTEN).any(axis=1))
        if bad.size:
            masks = ((there[bad] == WRITTEN) << np.arange(size)).sum(axis=1)
            site.unwritten.append((np.array([_lane(lanes, which) for which in bad.tolist()]), masks))
        return True

    def reach(self, site: Site, index: Array, lanes: Array | slice) -> None:
        """Note accesses to the memory of other CTAs."""

    def before_async_load(
        self, site: Site, index: Array, lanes: Array, size: int, *, engines: Array | None = None
    ) -> None:
        """The checks of what lanes make the async proxy read; it reads until those who wait for `engines` know of it.

        Without engines the lanes themselves count as readers, now.
        """
        self.check_written(site, index, lanes, size)
        if self.races is not None:
            self.races.on_read(site, index, lanes, size, engines=engines)
        if self.proxies is not None:
            self.proxies.check(site, self, index, lanes, size)

    def before_store(
        self,
        site: Site,
        index: Array,
        lanes: Array | slice,
        size: int,
        values: Callable[[], Array] | None = None,
        *,
        later: bool = False,
    ) -> None:
        """The checks of a store or atomic: that nothing asynchronous uses the bytes, and no thread that is not ordered.

        `values` gives the bytes stored, a row for each lane; `later` says that an engine is going to write them.
        """
        if self.late or self.reading is not None:
            self.check_free(site, index, lanes, size)
        if self.lifetimes is not None:
            self.lifetimes.store(site, index, lanes, size)
            self.reach(site, index, lanes)
        if self.races is not None:
            self.races.on_write(site, index, lanes, size, values, later=later)

    def check_free(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """Fault when an asynchronous operation that nothing has waited for still reads or writes one of the bytes."""
        if self.shadow is not None:
            width = min(size, 8)
            for part in range(0, size, width):
                state = self.shadow_view(width)[(index + part) >> (width.bit_length() - 1)]
                self._blame_store(site, index, lanes, size, state & _ALL_PENDING[width], "write")
        if self.reading is not None:
            for part in range(0, size, 4):
                self._blame_store(site, index, lanes, size, self.reading[(index + part) >> 2], "read")

    def _blame_store(self, site: Site, index: Array, lanes: Array | slice, size: int, bad: Array, use: str) -> None:
        if not bad.any():
            return
        which = int((bad != 0).argmax())
        lane = _lane(lanes, which)
        offset = int(index[which]) - (int(self.origin[lane]) if self.origin is not None else 0)
        message = (
            f"overwrites {size} bytes of {self.name} memory at {offset:#x} that an asynchronous operation may still "
            f"{use}, since nothing has waited for it"
        )
        site.report(site.fault("asynchronous-write", message, lane, offset))

    def hold(self, index: Array, size: int, *, repeated: bool = False) -> None:
        """An asynchronous operation will read `size` bytes at each byte index; these may be `repeated`."""
        if not self.guarded:
            return
        if self.reading is None:
            self.reading = np.zeros(self.extent // 4, np.uint16)
        for part in range(0, size, 4):
            if repeated:
                np.add.at(self.reading, (index + part) >> 2, 1)
            else:
                self.reading[(index + part) >> 2] += 1

    def let_go(self, index: Array, size: int, *, repeated: bool = False) -> None:
        """The operation that `hold` has told of has read them."""
        if self.reading is not None:
            for part in range(0, size, 4):
                if repeated:
                    np.subtract.at(self.reading, (index + part) >> 2, 1)
                else:
                    self.reading[(index + part) >> 2] -= 1

    def mark(self, index: Array, size: int, state: int) -> None:
        """Note the state of `size` bytes at each byte index, where there is a shadow."""
        if self.shadow is None:
            return
        width = min(size, 8)
        for part in range(0, size, width):
            self.shadow_view(width)[(index + part) >> (width.bit_length() - 1)] = _words(state, width)

    def poison(self, index: Array, size: int) -> None:
        """Leave garbage that an asynchronous operation will replace: NaN in every float format."""
        width = min(size, 8)
        for part in range(0, size, width):
            self.view(WORDS[8 * width])[(index + part) >> (width.bit_length() - 1)] = _words(0xFF, width)
        self.mark(index, size, PENDING)

    def check_written(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """Fault when one of the bytes is unwritten or pending; does nothing without a shadow."""
        if self.shadow is None:
            return
        width = min(size, 8)
        for part in range(0, size, width):
            bad = self.shadow_view(width)[(index + part) >> (width.bit_length() - 1)] != _ALL_WRITTEN[width]
            if bad.any():
                self._blame(site, index, lanes, size, int(bad.argmax()))

    def _blame(self, site: Site, index: Array, lanes: Array | slice, size: int, which: int) -> None:
        assert self.shadow is not None
        start = int(index[which])
        pending = PENDING in self.shadow[start : start + size]
        kind = "asynchronous-read" if pending else "uninitialised-memory"
        why = "that an asynchronous copy writes and nothing has waited for" if pending else "that nothing has written"
        lane = _lane(lanes, which)
        offset = start - (int(self.origin[lane]) if self.origin is not None else 0)
        site.report(site.fault(kind, f"reads {size} bytes of {self.name} memory at {offset:#x} {why}", lane, offset))


def _lane(lanes: Array | slice, which: int) -> int:
    return lanes.start + which if isinstance(lanes, slice) else int(lanes[which])


def _aligned(site: Site, space: str, address: Array, lanes: Array | slice, size: int) -> None:
    if size > 1 and int(np.bitwise_or.reduce(address)) & (size - 1):
        which = int(((address & (size - 1)) != 0).argmax())
        where = int(address[which])
        raise site.fault(
            "misaligned",
            f"{space} address {where:#x} is not a multiple of the access size of {size} bytes",
            _lane(lanes, which),
            where,
        )


def _surely_inside(offset: Array, size: int, end: int) -> bool:
    """Whether accesses of `size` bytes are aligned and end before `end`: by one pass, which may fail to see it."""
    together = int(np.bitwise_or.reduce(offset))
    return 0 <= together <= end - size and not together & (size - 1)


def table_of(regions: Sequence[Region]) -> tuple[Array, Array, Array]:
    """The starts and ends of regions, and which of them are writable."""
    starts = np.array([region.start for region in regions], np.int64)
    ends = np.array([region.end for region in regions], np.int64)
    return starts, ends, np.array([region.writable for region in regions], np.bool_)


class Arena(Space):
    """Global, constant and parameter memory: regions with guard bytes between them.

    `base` is the address of byte 0; parameters lie in its first 4 GiB.
    """

    name = "global"

    def __init__(self, base: int = ARENA_BASE) -> None:
        self.base = base
        self.regions: list[Region] = []
        self._end = base
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

    def build(self) -> None:
        """Give storage to all regions: zeros."""
        self.resize(self._end + GUARD_BYTES - self.base)
        self.clear()
        self._starts = [region.start for region in self.regions]
        self._table = table_of(self.regions)

    def table(self) -> tuple[Array, Array, Array]:
        """The regions' starts and ends, and which of them are writable."""
        return self._table

    def clear(self) -> None:
        """Zeros everywhere."""
        self._words.fill(0)

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
            raise site.fault("out-of-bounds", message, _lane(lanes, 0), where)
        place = bisect_right(self._starts, int(address[0])) - 1
        region = self.regions[max(place, 0)]
        offset = address - region.start
        if not _surely_inside(offset, size, region.end - region.start) or (write and not region.writable):
            self._locate_each(site, address, lanes, size, write)
            _aligned(site, "global", address, lanes, size)
        offset += region.start - self.base
        return offset

    def holds(self, start: int, size: int, lane: int) -> bool:
        """See `Space.holds`."""
        region = self.regions[bisect_right(self._starts, start + self.base) - 1]
        return start + self.base + size <= region.end

    def _locate_each(self, site: Site, address: Array, lanes: Array | slice, size: int, write: bool) -> None:
        """Each access may lie in a region of its own."""
        starts, ends, writable = self.table()
        place = np.searchsorted(starts, address, side="right") - 1
        bad = (place < 0) | (address + size > ends[place])
        if bad.any():
            which = int(bad.argmax())
            where = int(address[which])
            raise site.fault(
                "out-of-bounds",
                f"{size} bytes at global address {where:#x} lie outside every buffer{self._nearest(where)}",
                _lane(lanes, which),
                where,
            )
        if write:
            fixed = ~writable[place]
            if fixed.any():
                which = int(fixed.argmax())
                name = self.regions[int(place[which])].name
                raise site.fault(
                    "read-only", f"stores to {name}, which is read-only", _lane(lanes, which), int(address[which])
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


class PerLane(Space):
    """Memory of which each lane sees one part: shared (a part per CTA) and local (a part per thread).

    `gaps` are ranges between variables that belong to none of them, and the variables before them.
    """

    def __init__(self, name: str, window: int, size: int, part_of_lane: Array, shadowed: bool) -> None:
        self.name = name
        self.window = window
        self.part_of_lane = part_of_lane
        self.gaps: Sequence[tuple[int, int, str]] = ()
        self.parts = int(part_of_lane.max()) + 1 if part_of_lane.size else 1
        self.size = 0
        super().__init__(0, shadowed)
        self.grow(size)

    def grow(self, size: int) -> None:
        """Make each part at least `size` bytes; what the parts held stays."""
        if size <= self.size:
            return
        old, old_shadow, old_stride = self.bytes, self.shadow, getattr(self, "stride", 0)
        self.size = size
        self.stride = -(-size // 16) * 16
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
        if self.shadow is not None:
            self.shadow.fill(WRITTEN)
            for start, end in variables:
                self.unwritten(start, end)

    def unwritten(self, start: int, end: int) -> None:
        """Nothing is written in a range of each part."""
        if self.shadow is not None:
            self.shadow[: self.stride * self.parts].reshape(self.parts, self.stride)[:, start:end] = UNWRITTEN

    def locate(self, site: Site, address: Array, lanes: Array | slice, size: int, write: bool) -> Array:
        """See `Space.locate`; addresses are offsets in the window."""
        assert self.origin is not None
        if self.gaps and address.size:
            self._check_gaps(site, address, lanes, size)
        if _surely_inside(address, size, self.size):
            return address + self.origin[lanes]
        if address.size and (int(address.min()) < 0 or int(address.max()) + size > self.size):
            which = int(((address < 0) | (address + size > self.size)).argmax())
            where = int(address[which])
            raise site.fault(
                "out-of-bounds",
                f"{size} bytes at {self.name} address {where:#x} lie outside its {self.size} bytes",
                _lane(lanes, which),
                where,
            )
        _aligned(site, self.name, address, lanes, size)
        return address + self.origin[lanes]

    def _check_gaps(self, site: Site, offset: Array, lanes: Array | slice, size: int) -> None:
        """Fault for an access past the end of a variable."""
        low, high = int(offset.min()), int(offset.max()) + size
        for start, end, name in self.gaps:
            if low >= end or high <= start:
                continue
            bad = (offset < end) & (offset + size > start)
            if bad.any():
                which = int(bad.argmax())
                where = int(offset[which])
                past = f"lie past the end of '{name}', which ends at {start:#x}"
                message = f"{size} bytes at {self.name} address {where:#x} {past}"
                raise site.fault("out-of-bounds", message, _lane(lanes, which), where)

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
            self.lifetimes.reach(site, index, lanes, last=not site.opcode.stem.startswith(_SIGNALLED))

    def locate(self, site: Site, address: Array, lanes: Array | slice, size: int, write: bool) -> Array:
        """See `Space.locate`."""
        if not address.size or int(address.max()) < RANKED:
            return super().locate(site, address, lanes, size, write)
        ranked = address >= RANKED
        rank = (address - RANKED) >> CTA_SHIFT
        if int(rank.max()) >= self.cluster:
            which = int(rank.argmax())
            message = f"there is no CTA of rank {int(rank[which])} in a cluster of {self.cluster}"
            raise site.fault("out-of-bounds", message, _lane(lanes, which), int(address[which]))
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
            space.reading = None

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
