"""Host memory as a kernel sees it: copies in the device's memory for the time of a launch.

Addresses that a program has taken with `data_ptr()` and put into an array, as grouped products do, or passes as they
are, are those of the host: in the array's copy, and among the arguments, the ones of the copies are in their place.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from weft.dataclass import dataclass
from weft.gpu.memory import DeviceMemory
from weft.sim.lanes import Array
from weft.triton.arrays import taken
from weft.triton.storage import Storage, storage_of

TABLE = 1 << 16
"""Numbers of 64 bits in an array that is looked through for addresses, at most."""
_LOWEST, _HIGHEST = 1 << 32, 1 << 47
"""Where addresses of the host lie; smaller numbers in arrays are sizes and indices."""


@dataclass(slots=True, eq=False)
class _Mirror:
    """Host memory from `start` to `end` and where its copy lies: at the same place in 16 bytes as on the host."""

    start: int
    end: int
    name: str
    writable: bool
    owners: list[object]
    address: int = 0
    allocation: int = 0
    host: Array | None = None

    @property
    def size(self) -> int:
        return self.end - self.start


class Mirrors:
    """The copies of one launch; `add` all memory first, then `copy_in`."""

    def __init__(self, memory: DeviceMemory) -> None:
        self._memory = memory
        self._mirrors: list[_Mirror] = []
        self._changed: list[tuple[_Mirror, Array, Array, Array]] = []

    def add(self, storage: Storage, name: str) -> None:
        """Memory that the kernel may reach; what overlaps becomes one."""
        if self._memory.holds(storage.start):
            return
        made = _Mirror(storage.start, storage.end, name, storage.writable, [storage.owner])
        apart: list[_Mirror] = []
        for known in self._mirrors:
            same = (known.start, known.end) == (made.start, made.end)
            if same or (known.start < made.end and made.start < known.end):
                made.start, made.end = min(known.start, made.start), max(known.end, made.end)
                made.writable |= known.writable
                made.owners += known.owners
                made.name = known.name
            else:
                apart.append(known)
        self._mirrors = [*apart, made]

    def add_pointees(self, numbers: Array) -> None:
        """The memory that those of 64-bit numbers point to that are addresses."""
        likely = numbers[(numbers >= _LOWEST) & (numbers < _HIGHEST)]
        if not likely.size:
            return
        for storage in _known():
            if ((likely >= storage.start) & (likely < storage.end)).any():
                self.add(storage, f"the array at {storage.start:#x}")

    def copy_in(self, tables: Iterable[Storage]) -> None:
        """Make the copies; `tables` are arrays in which addresses may stand."""
        for mirror in self._mirrors:
            shift = mirror.start % 16
            made = self._memory.allocate(
                mirror.size + shift, mirror.name, kind="own", writable=mirror.writable, written=True
            )
            mirror.allocation, mirror.address = made.address, made.address + shift
            mirror.host = Storage(mirror.start, mirror.size, mirror.owners).bytes()
            self._memory.contents(mirror.address, mirror.size)[:] = mirror.host
        for table in tables:
            self._relocate(table)

    def address(self, host: int) -> int:
        """Where a kernel finds what lies at an address of the host; addresses of the device stay as they are."""
        for mirror in self._mirrors:
            if mirror.start <= host < mirror.end or host == mirror.start:
                return mirror.address + host - mirror.start
        return host

    def copy_out(self) -> None:
        """Give the host what the kernel has written."""
        for mirror, at, before, given in self._changed:
            copied = _numbers_of(self._memory.contents(mirror.address, mirror.size))
            same = copied[at] == given
            copied[at[same]] = before[same]
        for mirror in self._mirrors:
            if mirror.writable and mirror.host is not None:
                mirror.host[:] = self._memory.contents(mirror.address, mirror.size)

    def release(self) -> None:
        """The copies are no longer needed."""
        for mirror in self._mirrors:
            if mirror.allocation:
                self._memory.free(mirror.allocation, quarantine=False)
        self._mirrors, self._changed = [], []

    def _relocate(self, table: Storage) -> None:
        mirror = next((m for m in self._mirrors if m.start <= table.start < m.end), None)
        if mirror is None or mirror.size // 8 > TABLE:
            return
        copied = _numbers_of(self._memory.contents(mirror.address, mirror.size))
        likely = np.flatnonzero((copied >= _LOWEST) & (copied < _HIGHEST))
        moved = np.array([self.address(host) for host in copied[likely].tolist()], np.int64)
        at = likely[moved != copied[likely]] if likely.size else likely
        if at.size:
            before, given = copied[at].copy(), moved[moved != copied[likely]]
            copied[at] = given
            self._changed.append((mirror, at, before, given))


def _numbers_of(contents: Array) -> Array:
    return contents[: contents.size // 8 * 8].view(np.int64)


def numbers_in(table: Storage) -> Array:
    """The 64-bit numbers of host memory; none of memory that is too large to be a table of addresses."""
    if table.size // 8 > TABLE or table.start % 8:
        return np.zeros(0, np.int64)
    return _numbers_of(table.bytes())


def _known() -> Iterator[Storage]:
    """The memory of arrays and tensors that are alive and whose addresses a program may have taken."""
    for array in taken():
        yield storage_of(array)
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        for found in gc.get_objects():
            if issubclass(type(found), torch.Tensor) and found.is_cpu and found.layout is torch.strided:
                yield storage_of(found)
