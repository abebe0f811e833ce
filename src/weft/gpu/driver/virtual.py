"""Reserved address ranges and physical memory that is mapped into them."""

from __future__ import annotations

import ctypes

from weft.dataclass import dataclass
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE, NOT_SUPPORTED
from weft.gpu.driver.table import call

_GRANULARITY = 2 << 20


@dataclass(slots=True, eq=False)
class Physical:
    """Memory that is not mapped yet, or at one address."""

    size: int
    properties: bytes
    address: int = 0


@call("cuMemGetAllocationGranularity", "p p i")
def _granularity(driver: Driver, out: int, properties: int, which: int) -> None:
    put(out, _GRANULARITY)


@call("cuMemCreate", "p p p p")
def _create(driver: Driver, out: int, size: int, properties: int, flags: int) -> int:
    if not size or size % _GRANULARITY:
        return INVALID_VALUE
    put(out, driver.add(Physical(size, ctypes.string_at(properties, 32))))
    return 0


@call("cuMemRelease", "p")
def _release(driver: Driver, handle: int) -> None:
    driver.drop(handle, Physical)


@call("cuMemAddressReserve", "p p p p p")
def _reserve(driver: Driver, out: int, size: int, align: int, wanted: int, flags: int) -> int:
    if not size or size % _GRANULARITY:
        return INVALID_VALUE
    memory = driver.device.memory
    put(out, memory.allocate(size, "reserved range", kind="own", align=max(align, _GRANULARITY), written=True).address)
    return 0


@call("cuMemAddressFree", "p p")
def _free(driver: Driver, address: int, size: int) -> None:
    driver.device.memory.free(address)


@call("cuMemMap", "p p p p p")
def _map(driver: Driver, address: int, size: int, offset: int, handle: int, flags: int) -> int:
    found = driver.get(handle, Physical)
    if found.address:
        return NOT_SUPPORTED  # Two addresses of the same bytes are what a device of one array cannot have.
    driver.device.memory.span(address, size, "mapping")
    found.address = address
    return 0


@call("cuMemUnmap", "p p")
def _unmap(driver: Driver, address: int, size: int) -> None:
    for thing, _ in list(driver.things.values()):
        if isinstance(thing, Physical) and address <= thing.address < address + size:
            thing.address = 0


@call("cuMemSetAccess", "p p p p")
def _set_access(driver: Driver, address: int, size: int, descriptions: int, count: int) -> None:
    """There is one device, which has access."""


@call("cuMemGetAccess", "p p p")
def _get_access(driver: Driver, out: int, location: int, address: int) -> None:
    put(out, 3)


@call("cuMemRetainAllocationHandle", "p p")
def _retain(driver: Driver, out: int, address: int) -> int:
    for handle, (thing, _) in driver.things.items():
        if isinstance(thing, Physical) and thing.address <= address < thing.address + thing.size:
            put(out, handle)
            return 0
    return INVALID_VALUE


@call("cuMemGetAllocationPropertiesFromHandle", "p p")
def _properties(driver: Driver, out: int, handle: int) -> None:
    ctypes.memmove(out, driver.get(handle, Physical).properties, 32)


@call("cuMemExportToShareableHandle cuMemImportFromShareableHandle", "p p i p")
def _share(driver: Driver, *rest: int) -> int:
    return NOT_SUPPORTED
