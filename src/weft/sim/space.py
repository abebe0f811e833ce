"""The bytes of a state space, what is known of each of them, and the checks on every access."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataclass import dataclass
from weft.sim import culprits
from weft.sim.lanes import Array, all_of, any_of
from weft.sim.spots import BLOCK, Spot
from weft.sim.types import WORDS, Dtype

if TYPE_CHECKING:
    from weft.sim.lifetimes import Lifetimes
    from weft.sim.proxies import Proxies
    from weft.sim.races import Races
    from weft.sim.site import Site

UNWRITTEN, WRITTEN, PENDING = 0, 1, 2
"""What the shadow says of a byte; `PENDING`: an asynchronous copy has been started that will write it."""


def _words(byte: int, size: int) -> np.unsignedinteger[Any]:
    return WORDS[size * 8].type(int.from_bytes(bytes([byte]) * size, "little"))


def _counts(table: Array, size: int) -> tuple[Array, int, np.unsignedinteger[Any]]:
    """Counts of groups of four bytes, together where accesses of `size` bytes use several; log2 of the bytes of one.

    Last, what adds one to all counts of an element.
    """
    together = max(1, min(size, 16) // 4)
    word = WORDS[16 * together]
    return table.view(word), 1 + together.bit_length(), word.type(sum(1 << 16 * each for each in range(together)))


ALL_WRITTEN = {size: _words(WRITTEN, size) for size in (1, 2, 4, 8)}
_ALL_PENDING = {size: _words(PENDING, size) for size in (1, 2, 4, 8)}
_SIXTEEN: Dtype = np.dtype(np.complex128)

_REACHES = 256
"""Byte indices of which it is remembered where they lie."""


@dataclass(slots=True, eq=False)
class _Held:
    """Byte indices that asynchronous operations are going to read, so many: in parts of the space, at offsets there."""

    index: Array
    size: int
    parts: tuple[int, int]
    offsets: tuple[int, int]
    count: int = 0


class Space:
    """The bytes of one state space, with typed views of them and, when `shadowed`, what is known of each byte.

    `guarded` says that accesses are checked (`before_load`, `before_store`); `races` and `proxies` watch them where
    they are set.  `late` says that asynchronous operations may be under way; those that have not read their bytes yet
    are `held`, by their indices, or `reading` counts them for each four bytes.  Blocks are `clean` of which all bytes
    are known to be written.
    `part_size` are the bytes of each of the parts that it has, if any; `origin` gives each lane's byte offset (None:
    all lanes share the space).  `loaded` and `stored` count bytes, `changes` how often bytes that were written may have
    come to be so no more.  `last` is the last access located.
    """

    name: str
    part_size = 0
    origin: Array | None = None
    window = 0

    def __init__(self, size: int, shadowed: bool = False) -> None:
        self.loaded = 0
        self.stored = 0
        self.changes = 0
        self.shadowed = shadowed
        self.guarded = shadowed
        self.late = False
        self.races: Races | None = None
        self.lifetimes: Lifetimes | None = None
        self.proxies: Proxies | None = None
        self.reading: Array | None = None
        self.held: dict[tuple[int, ...], _Held] = {}
        self._reached: dict[tuple[int, ...], tuple[Array, tuple[tuple[int, int], tuple[int, int]]]] = {}
        self.last: Spot | None = None
        self.resize(size)

    def resize(self, size: int) -> None:
        """Give the space `size` bytes (rounded up), without keeping what it held."""
        self.changes += 1
        words = -(-max(size, 16) // 16) * 2
        self._words = self.fresh(words)
        self.bytes: Array = self._words.view(np.uint8)
        self.shadow: Array | None = np.zeros(words * 8, np.uint8) if self.shadowed else None
        self._views: dict[Dtype, Array] = {}
        self._shadows: dict[int, Array] = {}
        self.clean: Array = np.zeros((words * 8 >> BLOCK) + 2, np.bool_)
        self._reached.clear()
        self.let_all_go()

    def fresh(self, words: int) -> Array:
        """What new memory holds."""
        return np.full(words, 0xFFFF_FFFF_FFFF_FFFF, np.uint64)

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
        self.let_all_go()
        self.clean.fill(False)
        self.changes += 1
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
            self.shadow_view(size)[index >> (size.bit_length() - 1)] = ALL_WRITTEN[size]

    def unwrite(self, index: Array, size: int, written: Array) -> None:
        """Note that bytes of elements are not written: those whose bit of `written` is not set."""
        assert self.shadow is not None
        self.changes += 1
        self.clean[index >> BLOCK] = False
        bytes_, bits = index[:, None] + np.arange(size), written[:, None] >> np.arange(size)
        self.shadow[bytes_[bits & 1 == 0]] = UNWRITTEN

    def before_load(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """The checks of a load: that the bytes are written, and that no other thread writes them meanwhile."""
        if not site.deferred or not self._defer(site, index, lanes, size):
            self.check_written(site, index, lanes, size)
        self.reach(site, index, lanes)
        if self.races is not None:
            doubts = site.machine.doubts
            if doubts is not None and site.deferred:
                index, lanes = doubts.certain(site, self, index, lanes, size)
            self.races.on_read(site, index, lanes, size)

    def before_update(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """The checks of an atomic update; of what an exchange finds only use counts, and it is written then."""
        if site.overwrites and self.shadow is not None:
            bytes_ = index[:, None] + np.arange(size)
            if not any_of(self.shadow[bytes_] == PENDING):
                self.shadow[bytes_] = WRITTEN
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
        if any_of(there == PENDING):
            return False
        bad = np.flatnonzero((there != WRITTEN).any(axis=1))
        if bad.size:
            masks = ((there[bad] == WRITTEN) << np.arange(size)).sum(axis=1)
            site.unwritten.append((np.array([lane_of(lanes, which) for which in bad.tolist()]), masks))
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
        if self.late or self.reading is not None or self.held:
            self.check_free(site, index, lanes, size)
        if self.lifetimes is not None:
            self.lifetimes.store(site, index, lanes, size)
            self.reach(site, index, lanes)
        if self.races is not None:
            self.races.on_write(site, index, lanes, size, values, later=later)

    def check_free(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """Fault when an asynchronous operation that nothing has waited for still reads or writes one of the bytes."""
        spot = self.last if self.last is not None and self.last.index is index else None
        if self.shadow is not None and not (spot is not None and (spot.clear == self.changes or self._is_clean(spot))):
            width = min(size, 8)
            for part in range(0, size, width):
                state = self.shadow_view(width)[(index + part) >> (width.bit_length() - 1)]
                self._blame_store(site, index, lanes, size, state & _ALL_PENDING[width], "write")
            if spot is not None:
                spot.clear = self.changes
        reading = self.reading
        if self.held and index.size and any(self._meets(one, index, size, spot) for one in self.held.values()):
            reading = self._all_reading()
        if reading is not None:
            table, shift, _ = _counts(reading, size)
            for part in range(0, size, 1 << shift):
                self._blame_store(site, index, lanes, size, table[(index + part) >> shift], "read")

    def _is_clean(self, spot: Spot) -> bool:
        """Whether all bytes of an access are surely written, and nothing is going to write them."""
        return spot.kept and all_of(self.clean[spot.blocks()])

    def _meets(self, one: _Held, index: Array, size: int, spot: Spot | None) -> bool:
        """Whether an access may touch bytes that operations are going to read."""
        low, high = spot.at(size) if spot is not None else self._reach(index, size)[1]
        if low > one.offsets[1] or one.offsets[0] > high:
            return False
        first, last = one.parts
        stride = self.part_size or self.extent
        return int(index.min()) // stride <= last and first <= int(index.max()) // stride

    def _reach(self, index: Array, size: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """The parts of the space that byte indices lie in, and where they lie there."""
        parts, offsets = np.divmod(index, self.part_size or self.extent)
        return (int(parts.min()), int(parts.max())), (int(offsets.min()), int(offsets.max()) + size - 1)

    def _all_reading(self) -> Array:
        """How many of the operations that are held are going to read each four bytes."""
        table = np.zeros(self.extent // 4, np.uint16)
        for one in self.held.values():
            _add(table, one.index, one.size, one.count)
        return table

    def _blame_store(self, site: Site, index: Array, lanes: Array | slice, size: int, bad: Array, use: str) -> None:
        if not bad.any():
            return
        which = int((bad != 0).argmax())
        lane = lane_of(lanes, which)
        offset = self.address_of(int(index[which]), lane)
        message = (
            f"overwrites {size} bytes of {self.name} memory at {offset:#x} while an asynchronous operation that "
            f"{use}s them is still in flight"
        )
        fault = site.fault("asynchronous-write", message, lane, offset)
        culprits.blame(fault, site.machine, self, int(index[which]), size, reading=use == "read")
        site.report(fault)

    def _count(self) -> None:
        """From now on the bytes are counted that operations are going to read, and those are held no more."""
        self.reading = self._all_reading()
        self.held.clear()

    def let_all_go(self) -> None:
        """Nothing is going to read any bytes."""
        self.reading = None
        self.held.clear()

    def hold(self, index: Array, size: int, *, repeated: bool = False) -> None:
        """An asynchronous operation will read `size` bytes, at most 16, at each byte index; these may be `repeated`."""
        if not self.guarded or not index.size:
            return
        if repeated and self.reading is None:
            self._count()
        if self.reading is None:
            key = _key(index, size)
            found = self.held.get(key)
            if found is None:
                reach = self._reached.get(key)
                if reach is None:
                    if len(self._reached) >= _REACHES:
                        self._reached.clear()
                    reach = self._reached[key] = index, self._reach(index, size)
                found = self.held[key] = _Held(index, size, *reach[1])
            found.count += 1
            return
        table, shift, one = _counts(self.reading, size)
        if repeated:
            np.add.at(table, index >> shift, one)
        else:
            table[index >> shift] += one

    def let_go(self, index: Array, size: int, *, repeated: bool = False) -> None:
        """The operation that `hold` has told of has read them."""
        key = _key(index, size)
        found = self.held.get(key)
        if found is not None:
            found.count -= 1
            if not found.count:
                del self.held[key]
            return
        if self.held and index.size:  # Some of the bytes of one.
            self._count()
        if self.reading is not None:
            table, shift, one = _counts(self.reading, size)
            if repeated:
                np.subtract.at(table, index >> shift, one)
            else:
                table[index >> shift] -= one

    def mark(self, index: Array | slice, size: int, state: int) -> None:
        """Note the state of `size` bytes at each byte index, or of a slice of bytes, where there is a shadow."""
        if self.shadow is None:
            return
        self.changes += state != WRITTEN
        if isinstance(index, slice):
            self.shadow[index] = state
            first, last = index.start, index.stop
            if state == WRITTEN:
                self.clean[first + (1 << BLOCK) - 1 >> BLOCK : last >> BLOCK] = True
            else:
                self.clean[first >> BLOCK : (last - 1 >> BLOCK) + 1] = False
            return
        if state != WRITTEN:
            self.clean[index >> BLOCK] = False
            self.clean[index + size - 1 >> BLOCK] = False
        width = min(size, 8)
        for part in range(0, size, width):
            self.shadow_view(width)[(index + part) >> (width.bit_length() - 1)] = _words(state, width)

    def poison(self, index: Array | slice, size: int) -> None:
        """Leave garbage that an asynchronous operation will replace: NaN in every float format."""
        self.mark(index, size, PENDING)
        if isinstance(index, slice):
            self.bytes[index] = 0xFF
            return
        width = min(size, 8)
        for part in range(0, size, width):
            self.view(WORDS[8 * width])[(index + part) >> (width.bit_length() - 1)] = _words(0xFF, width)

    def mark_all(self, parts: Sequence[slice], state: int) -> None:
        """Note the state of slices of bytes, where there is a shadow: at once where they lie in a grid."""
        grid = _grid(parts)
        if grid is None or self.shadow is None or grid.step & (1 << BLOCK) - 1:
            for part in parts:
                self.mark(part, 1, state)
            return
        self.changes += state != WRITTEN
        grid.of(self.shadow)[:] = state
        first, last = parts[0].start, parts[0].stop
        first, last = (first + (1 << BLOCK) - 1, last) if state == WRITTEN else (first, last + (1 << BLOCK) - 1)
        first, last = first >> BLOCK, last >> BLOCK
        if first < last:
            _Grid(first, grid.step >> BLOCK, grid.count, last - first).of(self.clean)[:] = state == WRITTEN

    def poison_all(self, parts: Sequence[slice]) -> None:
        """Leave garbage in slices of bytes that asynchronous operations will replace."""
        self.mark_all(parts, PENDING)
        grid = _grid(parts)
        if grid is not None:
            grid.of(self.bytes)[:] = 0xFF
            return
        for part in parts:
            self.bytes[part] = 0xFF

    def address_of(self, place: int, lane: int) -> int:
        """The address, as a lane writes it, of a byte of all lanes' memory."""
        return place - (int(self.origin[lane]) if self.origin is not None else 0)

    def check_written(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """Fault when one of the bytes is unwritten or pending; does nothing without a shadow."""
        if self.shadow is None:
            return
        spot = self.last if self.last is not None and self.last.index is index else None
        if spot is not None:
            if spot.settled == self.changes:
                return
            spot.settled = self.changes
            if self._is_clean(spot):
                return
        width = min(size, 8)
        for part in range(0, size, width):
            bad = self.shadow_view(width)[(index + part) >> (width.bit_length() - 1)] != ALL_WRITTEN[width]
            if any_of(bad):
                if spot is not None:
                    spot.settled = -1
                self._blame(site, index, lanes, size, int(bad.argmax()))

    def _blame(self, site: Site, index: Array, lanes: Array | slice, size: int, which: int) -> None:
        assert self.shadow is not None
        start = int(index[which])
        pending = PENDING in self.shadow[start : start + size]
        kind = "asynchronous-read" if pending else "uninitialised-memory"
        why = "while an asynchronous copy to them is still in flight" if pending else "that nothing has written"
        lane = lane_of(lanes, which)
        offset = self.address_of(start, lane)
        fault = site.fault(kind, f"reads {size} bytes of {self.name} memory at {offset:#x} {why}", lane, offset)
        if pending:
            culprits.blame(fault, site.machine, self, start, size, reading=False)
        elif site.opcode.stem.startswith("mbarrier"):
            fault.hint = "mbarrier.init by one thread first, then a barrier before others use the mbarrier"
        elif self.name == "global":
            fault.hint = "give these bytes a value before the launch, or store to them first"
        elif self.name == "local":
            fault.hint = "store to these bytes first, on every way that leads here"
        site.report(fault, held=not pending and self.races is not None and self.races.shared)


@dataclass(frozen=True, slots=True)
class _Grid:
    """So many slices of one length, equally far apart, as those of an instruction in one CTA after another."""

    first: int
    step: int
    count: int
    length: int

    def of(self, array: Array) -> Array:
        """Their elements of an array, a row each."""
        strides = self.step * array.itemsize, array.itemsize
        return np.ndarray((self.count, self.length), array.dtype, array, self.first * array.itemsize, strides)


def _grid(parts: Sequence[slice]) -> _Grid | None:
    """Slices as a grid, if there are several that lie in one."""
    if len(parts) < 2:
        return None
    first, length = parts[0].start, parts[0].stop - parts[0].start
    step = parts[1].start - first
    if step < length or any(
        part.start != first + number * step or part.stop != part.start + length for number, part in enumerate(parts)
    ):
        return None
    return _Grid(first, step, len(parts), length)


def _key(index: Array, size: int) -> tuple[int, ...]:
    """What is the same for two views of the same byte indices, as long as one of them is held."""
    return index.__array_interface__["data"][0], index.size, *index.strides, size


def _add(table: Array, index: Array, size: int, count: int) -> None:
    """Count operations in a table of groups of four bytes; indices are of different bytes."""
    counts, shift, one = _counts(table, size)
    counts[index >> shift] += one * counts.dtype.type(count)


def lane_of(lanes: Array | slice, which: int) -> int:
    """The lane of an access, by its place among the accesses."""
    return lanes.start + which if isinstance(lanes, slice) else int(lanes[which])


def check_aligned(site: Site, space: str, address: Array, lanes: Array | slice, size: int) -> None:
    """Fault where an address is no multiple of the access's size."""
    if size > 1 and int(np.bitwise_or.reduce(address)) & (size - 1):
        which = int(((address & (size - 1)) != 0).argmax())
        where = int(address[which])
        raise site.fault(
            "misaligned",
            f"{space} address {where:#x} is not a multiple of the access size of {size} bytes",
            lane_of(lanes, which),
            where,
        )


def surely_inside(offset: Array, size: int, end: int) -> bool:
    """Whether accesses of `size` bytes are aligned and end before `end`: by one pass, which may fail to see it."""
    together = int(np.bitwise_or.reduce(offset))
    return 0 <= together <= end - size and not together & (size - 1)
