"""The global memory of a device: allocations that live until they are freed, and what is known of their bytes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from operator import index

import numpy as np

from weft.dataclass import dataclass
from weft.gpu import reservation
from weft.gpu.doubts import Doubts
from weft.gpu.errors import DeviceError
from weft.sim.arena import Region, Table, table_of
from weft.sim.far_cells import FarCells
from weft.sim.faults import KernelFault
from weft.sim.handles import Objects
from weft.sim.lanes import Array
from weft.sim.space import UNWRITTEN, WRITTEN

GRANULARITY = 512
"""Allocations start at multiples of so many bytes, as those of CUDA do in practice."""
WORD = 4
"""Bytes to which the end of an allocation is rounded up: 16-bit atomics are done on the whole word around them."""
GRID_WORKSPACE = 256
"""Bytes of what the driver gives cooperative grids for their barrier."""
RED_ZONE = 256
"""Bytes between allocations, at least, that belong to nobody."""
QUARANTINE = 64 << 20
"""Bytes of freed allocations that are not given out again, so that uses of them are seen."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """Memory of a device: `size` bytes from `address` on.  `number` counts the allocations of a device.

    `kind` is `user` for what must be freed, `array` for what lives as long as its arrays, and else the device's own.
    """

    address: int
    size: int
    name: str
    number: int = 0
    kind: str = "user"

    @property
    def end(self) -> int:
        """The address after the last byte."""
        return self.address + self.size

    def __int__(self) -> int:
        return self.address

    def __str__(self) -> str:
        return f"{self.name} ({self.size:,} bytes at {self.address:#x})"


def _lies_in(found: Allocation, address: int) -> bool:
    """Whether an address lies in an allocation: the first one always does."""
    return found.address <= address < max(found.end, found.address + 1)


def check_bounds(bounds: int) -> None:
    """Raise DeviceError unless the ends of allocations can be rounded up to this many bytes."""
    if bounds < 1 or bounds & (bounds - 1) or bounds > GRANULARITY:
        message = f"bounds={bounds} must be a power of two up to {GRANULARITY}"
        raise DeviceError("invalid-value", message, "1 is exact")


class DeviceMemory:
    """An address range and its allocations.

    `bounds` is what the ends of allocations are rounded up to (1: exact).  With `shadowed` what was never written is
    known.  `regions` and `starts` are what kernels may access, in the order of their addresses; `opaque` are
    the objects that they know by handles.
    """

    def __init__(self, size: int, *, bounds: int = WORD, red_zone: int = RED_ZONE, shadowed: bool = False) -> None:
        self.size = -(-size // 4096) * 4096
        self.bounds = bounds
        self.red_zone = red_zone
        self._range = reservation.take(self.size)
        self._shadow = reservation.take(self.size) if shadowed else None
        self.base = self._range.base
        self.bytes: Array = self._range.bytes
        self.shadow: Array | None = None if self._shadow is None else self._shadow.bytes
        self.doubts: Doubts | None = None
        self._seen: set[int] = set()
        self.regions: list[Region] = []
        self.starts: list[int] = []
        self.hidden: list[Region] = []
        self.live: dict[int, Allocation] = {}
        self.opaque = Objects()
        self.far = FarCells()
        self.used = self.peak = 0
        self._free: list[tuple[int, int]] = [(self.base + GRANULARITY, self.base + self.size)]
        self._quarantine: deque[Allocation] = deque()
        self._held = 0
        self._count = 0
        self._high = self.base
        self._table: Table | None = None

    @property
    def extent(self) -> int:
        """The bytes from the base on in which allocations have lain."""
        return self._high - self.base

    def close(self) -> None:
        """Give the address range back."""
        reservation.give(self._range, self.extent)
        if self._shadow is not None:
            reservation.give(self._shadow, self.extent)
        self.regions.clear()
        self.starts.clear()
        self.live.clear()

    def table(self) -> Table:
        """The regions as arrays."""
        if self._table is None:
            self._table = table_of(self.regions)
        return self._table

    # -- allocating -------------------------------------------------------------------------------------------

    def allocate(
        self,
        size: int,
        name: str = "",
        *,
        kind: str = "user",
        align: int = GRANULARITY,
        writable: bool = True,
        watched: bool = True,
        parameter: bool = False,
        written: bool = False,
    ) -> Allocation:
        """Memory of `size` bytes; its contents are whatever lay there.

        Raises:
            DeviceError: there is no room for it.
        """
        size = index(size)
        if size < 0:
            raise DeviceError("invalid-value", f"invalid size of an allocation: {size}", "use 0 or more")
        if align < 1 or align & (align - 1):
            raise DeviceError("invalid-value", f"align={align} must be a power of two", "use 256, for example")
        address = self._take(size, align)
        return self.place(
            address, size, name, kind=kind, writable=writable, watched=watched, parameter=parameter, written=written
        )

    def place(
        self,
        address: int,
        size: int,
        name: str = "",
        *,
        kind: str = "own",
        writable: bool = True,
        watched: bool = True,
        parameter: bool = False,
        written: bool = True,
    ) -> Allocation:
        """An allocation at an address, in what `reserve` has taken."""
        self._count += 1
        found = Allocation(address, size, name or f"allocation {self._count}", self._count, kind)
        end = address + -(-size // self.bounds) * self.bounds
        at = bisect_left(self.starts, address)
        self.starts.insert(at, address)
        self.regions.insert(at, Region(found.name, address, end, writable, parameter, watched))
        self.live[address] = found
        self._table = None
        self.used += size
        self.peak = max(self.peak, self.used)
        if self.shadow is not None:
            self.shadow[address - self.base : end - self.base] = UNWRITTEN
            if written:
                self.mark(address, size)
            self.mark(address + size, end - address - size)
        return found

    def reserve(self, size: int, align: int) -> int:
        """Take addresses for which there is no memory yet.  Raises DeviceError when there is no room."""
        return self._take(size, align)

    def give_back(self, address: int, size: int) -> None:
        """Give addresses back that were reserved."""
        self._give(address, self._after(address, size))

    def remove(self, address: int) -> Allocation:
        """Take an allocation out.  The addresses stay taken.

        Raises:
            DeviceError: nothing is allocated there, or not any more.
        """
        found = self.live.pop(address, None)
        if found is None:
            raise self._no_allocation(address)
        self._seen.discard(address)
        self.accessed(address, found.size, "free", write=True)
        at = bisect_left(self.starts, address)
        del self.starts[at], self.regions[at]
        self._table = None
        self.used -= found.size
        return found

    @contextmanager
    def without(self, addresses: Iterable[int]) -> Generator[None]:
        """Let kernels not access allocations for the time being."""
        for address in addresses:
            at = bisect_left(self.starts, address)
            self.hidden.append(self.regions.pop(at))
            del self.starts[at]
        self._table = None
        try:
            yield
        finally:
            for region in self.hidden:
                at = bisect_left(self.starts, region.start)
                self.starts.insert(at, region.start)
                self.regions.insert(at, region)
            self.hidden.clear()
            self._table = None

    def _take(self, size: int, align: int) -> int:
        found = self._first(size, align)
        if found is None:
            self._empty_quarantine(-1)
            found = self._first(size, align)
        if found is None:
            message = f"out of memory for {size:,} bytes: {self.used:,} of the device's {self.size:,} bytes are in use"
            raise DeviceError("out-of-memory", message, hint="give the device more with Device(memory=...)")
        return found

    def _first(self, size: int, align: int) -> int | None:
        """Take the first addresses that are free, if there are so many in a row."""
        for number, (start, end) in enumerate(self._free):
            address = -(-start // align) * align
            after = self._after(address, size)
            if after <= end:
                rest = ((start, address), (after, end))
                self._free[number : number + 1] = [(first, last) for first, last in rest if first < last]
                self._high = max(self._high, after)
                return address
        return None

    def free(self, address: int, *, quarantine: bool = True) -> None:
        """Give memory back; uses of it are seen as long as it is in `quarantine`.

        Raises:
            DeviceError: nothing is allocated there, or not any more.
        """
        found = self.remove(address)
        if quarantine:
            self._quarantine.append(found)
            self._held += found.size
            self._empty_quarantine(QUARANTINE)
        else:
            self.give_back(found.address, found.size)

    def _after(self, address: int, size: int) -> int:
        """Where the next allocation may start: no gap is left that would stay when both are freed."""
        end = address + -(-max(size, 1) // self.bounds) * self.bounds
        return -(-(end + self.red_zone) // GRANULARITY) * GRANULARITY

    def _empty_quarantine(self, most: int) -> None:
        while self._quarantine and self._held > most:
            found = self._quarantine.popleft()
            self._held -= found.size
            self.give_back(found.address, found.size)

    def _give(self, start: int, end: int) -> None:
        at = bisect_left(self._free, (start, end))
        if at < len(self._free) and self._free[at][0] == end:
            end = self._free.pop(at)[1]
        if at and self._free[at - 1][1] == start:
            at -= 1
            start = self._free.pop(at)[0]
        self._free.insert(at, (start, end))

    # -- looking up -------------------------------------------------------------------------------------------

    def find(self, address: int) -> Allocation | None:
        """The allocation that holds an address."""
        at = bisect_right(self.starts, address)
        found = self.live[self.starts[at - 1]] if at else None
        return found if found is not None and _lies_in(found, address) else None

    def freed(self, address: int) -> Allocation | None:
        """The freed allocation, still in quarantine, that held an address."""
        return next((found for found in self._quarantine if _lies_in(found, address)), None)

    def span(self, address: int, size: int, what: str) -> Array:
        """The bytes of a range that the host wants to access; `what` says for what.

        Raises:
            DeviceError: they do not lie inside one allocation.
        """
        if size < 0:
            raise DeviceError("invalid-value", f"{what}: invalid size {size}", "use 0 or more")
        if not size:
            return self.bytes[:0]
        found = self.find(address)
        if found is None:
            raise self._no_allocation(address, what)
        if address + size > found.end:
            message = f"{what}: {size:,} bytes at offset {address - found.address:,} of {found.name}, "
            raise DeviceError("out-of-bounds", f"{message}which has {found.size:,} bytes")
        return self.bytes[address - self.base : address - self.base + size]

    def _no_allocation(self, address: int, what: str = "free") -> DeviceError:
        gone = self.freed(address)
        if gone is not None:
            return DeviceError("use-after-free", f"{what}: {address:#x} lies in {gone.name}, which has been freed")
        found = self.find(address)
        if found is not None:
            message = f"{what}: {address:#x} is offset {address - found.address:,} of {found.name}, not its start"
            return DeviceError("invalid-pointer", message)
        return DeviceError("invalid-pointer", f"{what}: {address:#x} is not an address of the device's memory")

    def holds(self, address: int) -> bool:
        """Whether an address lies in the device's range."""
        return self.base <= address < self.base + self.size

    def doubt(self, address: int, bytes_: Array, fault: KernelFault) -> None:
        """A kernel has left bytes, of those from an address, that depend on what nothing has written."""
        if bytes_.any():
            self.doubts = self.doubts or Doubts(self.bytes)
            self.doubts.add(address - self.base + np.flatnonzero(bytes_), fault)

    def fill_unwritten(self, fill: Callable[[Array], None]) -> None:
        """Put something where nothing has been written, as far as that is known."""
        if self.doubts:
            self.doubts.refill(fill)
        if self.shadow is not None:
            places = np.flatnonzero(self.shadow[: self.extent] == UNWRITTEN)
            held = self.bytes[places]
            fill(held)
            self.bytes[places] = held

    def seen(self, address: int) -> None:
        """The host may look at an allocation at any time."""
        found = self.find(address)
        if found is not None:
            self._seen.add(found.address)

    def unseen(self, address: int) -> bool:
        """Whether the host must copy an allocation to look at it."""
        found = self.live.get(address)
        return self.shadow is None and found is not None and found.kind == "user" and address not in self._seen

    def accessed(self, address: int, size: int, what: str, *, write: bool) -> None:
        """The host copies bytes.  Raises DeviceError where they depend on what nothing has written."""
        if not self.doubts:
            return
        start = address - self.base
        if write:
            self.doubts.drop(start, start + size)
        elif self.doubts.among(start, start + size).size:
            message = f"{what}: the bytes were computed by a kernel from unwritten memory"
            raise DeviceError("uninitialised-memory", f"{message}: {self.doubts.fault}")

    def mark(self, address: int, size: int) -> None:
        """Bytes are written."""
        if self.shadow is not None and size > 0:
            self.shadow[address - self.base : address - self.base + size] = WRITTEN

    def copy_marks(self, to: int, source: int, size: int) -> None:
        """Bytes are copied, and so is whether they are written."""
        if self.shadow is not None:
            start, end = source - self.base, to - self.base
            self.shadow[end : end + size] = self.shadow[start : start + size].copy()

    def lives(self) -> Callable[[Array], Array]:
        """What tells later which byte indices lie in allocations that are there now."""
        last = self._count  # What is allocated later has a greater number.

        def lives(index: Array) -> Array:
            if not self.starts:
                return np.zeros(len(index), np.bool_)
            place = np.searchsorted(np.array(self.starts), index + self.base, side="right") - 1
            same = np.array([self.live[start].number <= last for start in self.starts])
            return same[place]

        return lives

    def contents(self, address: int, size: int) -> Array:
        """Bytes, unchecked."""
        return self.bytes[address - self.base : address - self.base + size]

    def allocations(self) -> Iterator[Allocation]:
        """What is allocated, by address."""
        for start in self.starts:
            yield self.live[start]


def bytes_of(array: Array) -> Array:
    """The bytes of an array as they are copied: those of one without gaps are not copied for it."""
    if array.dtype.hasobject:
        raise DeviceError("invalid-value", "an array of Python objects has no bytes to copy", "give the array a dtype")
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
