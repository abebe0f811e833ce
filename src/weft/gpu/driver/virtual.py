"""Reserved address ranges, and physical memory that is mapped into them: once, or at several addresses.

Physical memory is a file without a name, so that all places that it is mapped to show the same bytes, and other
processes may have it, too.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterator
from dataclasses import field

from weft.dataclass import dataclass
from weft.gpu.driver.places import data_at, store
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE, NOT_SUPPORTED, OUT_OF_MEMORY, Refused
from weft.gpu.driver.table import call
from weft.gpu.memory import DeviceMemory
from weft.gpu.reservation import map_private, map_shared

_GRANULARITY = 2 << 20
_READ, _READ_WRITE = 1, 3
_FILE_DESCRIPTOR = 1


class Physical:
    """Memory that lives as long as a handle or a mapping of it: `file` holds it."""

    def __init__(self, size: int, properties: bytes, file: int) -> None:
        self.size = size
        self.properties = properties
        self.file = file

    def __del__(self) -> None:
        os.close(self.file)


_ON_DEVICE = 1
"""`CU_MEM_LOCATION_TYPE_DEVICE`."""


@dataclass(slots=True)
class Piece:
    """Physical memory at an address, and what kernels may do there."""

    memory: Physical
    size: int
    access: int = 0


@dataclass(slots=True, eq=False)
class Range:
    """Reserved addresses: the pieces of memory in them, and the allocations that these are."""

    address: int
    size: int
    pieces: dict[int, Piece] = field(default_factory=dict[int, Piece])
    placed: list[int] = field(default_factory=list[int])

    def within(self, address: int, size: int) -> list[Piece]:
        """The pieces that make up a part.  Raises Refused where they are not just that."""
        found = {start: piece for start, piece in self.pieces.items() if address <= start < address + size}
        if sum(piece.size for piece in found.values()) != size or address not in found:
            raise Refused(INVALID_VALUE, f"{size:,} bytes at {address:#x} are not whole mappings")
        return list(found.values())

    def refresh(self, memory: DeviceMemory) -> None:
        """Let kernels access what they may: neighbours of one access are one allocation."""
        for address in self.placed:
            memory.remove(address)
        self.placed.clear()
        for address, size, access in self._runs():
            memory.place(address, size, "mapped memory", writable=access == _READ_WRITE)
            self.placed.append(address)

    def _runs(self) -> Iterator[tuple[int, int, int]]:
        start, end, access = 0, 0, 0
        for address, piece in sorted(self.pieces.items()):
            if address != end or piece.access != access:
                if access:
                    yield start, end - start, access
                start, access = address, piece.access
            end = address + piece.size
        if access:
            yield start, end - start, access


def _ranges(driver: Driver) -> list[Range]:
    return driver.keep.setdefault("ranges", [])


def _range(driver: Driver, address: int, size: int) -> Range:
    for found in _ranges(driver):
        if found.address <= address and address + size <= found.address + found.size:
            return found
    raise Refused(INVALID_VALUE, f"{size:,} bytes at {address:#x} do not lie in a reserved range")


@call("cuMemGetAllocationGranularity", "p p i")
def _granularity(driver: Driver, out: int, properties: int, which: int) -> None:
    put(out, _GRANULARITY)


@call("cuMemCreate", "p p p p")
def _create(driver: Driver, out: int, size: int, properties: int, flags: int) -> int:
    if not size or size % _GRANULARITY:
        return INVALID_VALUE
    if size > driver.device.memory.size:
        return OUT_OF_MEMORY
    given = data_at(properties, 32)
    kind, device = struct.unpack_from("<2i", given, 8)
    if kind == _ON_DEVICE:
        driver.checked(device)
    file = os.memfd_create("weft")
    os.ftruncate(file, size)
    put(out, driver.add(Physical(size, given, file)))
    return 0


@call("cuMemRelease", "p")
def _release(driver: Driver, handle: int) -> None:
    driver.drop(handle, Physical)


@call("cuMemAddressReserve", "p p p p p")
def _reserve(driver: Driver, out: int, size: int, align: int, wanted: int, flags: int) -> int:
    if not size or size % _GRANULARITY:
        return INVALID_VALUE
    address = driver.device.memory.reserve(size, max(align, _GRANULARITY))
    _ranges(driver).append(Range(address, size))
    put(out, address)
    return 0


@call("cuMemAddressFree", "p p")
def _free(driver: Driver, address: int, size: int) -> int:
    found = _range(driver, address, size)
    if found.pieces or (found.address, found.size) != (address, size):
        return INVALID_VALUE
    _ranges(driver).remove(found)
    driver.device.memory.give_back(address, size)
    return 0


@call("cuMemMap", "p p p p p")
def _map(driver: Driver, address: int, size: int, offset: int, handle: int, flags: int) -> int:
    memory, found = driver.get(handle, Physical), _range(driver, address, size)
    taken = any(start < address + size and address < start + piece.size for start, piece in found.pieces.items())
    if taken or not size or (address | size | offset) % _GRANULARITY or offset + size > memory.size:
        return INVALID_VALUE
    map_shared(address, size, memory.file, offset)
    found.pieces[address] = Piece(memory, size)
    return 0


@call("cuMemUnmap", "p p")
def _unmap(driver: Driver, address: int, size: int) -> None:
    found = _range(driver, address, size)
    found.within(address, size)
    found.pieces = {start: piece for start, piece in found.pieces.items() if not address <= start < address + size}
    found.refresh(driver.device.memory)
    map_private(address, size)


@call("cuMemSetAccess", "p p p p")
def _set_access(driver: Driver, address: int, size: int, descriptions: int, count: int) -> int:
    found = _range(driver, address, size)
    if not count:
        return INVALID_VALUE
    for number in range(min(count, _PLACES)):
        kind, device, access = struct.unpack("<3i", data_at(descriptions + 12 * number, 12))
        if kind == _ON_DEVICE:
            driver.checked(device)
        for piece in found.within(address, size):
            piece.access = access
    found.refresh(driver.device.memory)
    return 0


_PLACES = 64
"""More places than memory can be used from."""


def _piece(driver: Driver, address: int) -> Piece:
    for start, piece in _range(driver, address, 1).pieces.items():
        if start <= address < start + piece.size:
            return piece
    raise Refused(INVALID_VALUE, f"no memory is mapped to {address:#x}")


@call("cuMemGetAccess", "p p p")
def _get_access(driver: Driver, out: int, location: int, address: int) -> None:
    put(out, _piece(driver, address).access)


@call("cuMemRetainAllocationHandle", "p p")
def _retain(driver: Driver, out: int, address: int) -> None:
    put(out, driver.add(_piece(driver, address).memory))


@call("cuMemGetAllocationPropertiesFromHandle", "p p")
def _properties(driver: Driver, out: int, handle: int) -> None:
    store(out, driver.get(handle, Physical).properties)


@call("cuMemExportToShareableHandle", "p p i p")
def _export(driver: Driver, out: int, handle: int, kind: int, flags: int) -> int:
    memory = driver.get(handle, Physical)
    if kind != _FILE_DESCRIPTOR:
        return NOT_SUPPORTED
    put(out, os.dup(memory.file), ctypes.c_int)
    return 0


@call("cuMemImportFromShareableHandle", "p p i")
def _import(driver: Driver, out: int, file: int, kind: int) -> int:
    if kind != _FILE_DESCRIPTOR:
        return NOT_SUPPORTED
    pinned = struct.pack("<IIII16x", 1, _FILE_DESCRIPTOR, 1, 0)
    put(out, driver.add(Physical(os.fstat(file).st_size, pinned, os.dup(file))))
    return 0
