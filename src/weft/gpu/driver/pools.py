"""Memory pools: all of them give the device's memory; what programs set is kept, and what they use is counted."""

from __future__ import annotations

import ctypes
import struct

from weft.dataclass import dataclass
from weft.gpu.driver.memory import alloc_async
from weft.gpu.driver.places import data_at, object_at
from weft.gpu.driver.runtime_table import both
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE, NOT_SUPPORTED
from weft.gpu.driver.table import call

_INT = ctypes.c_int
_PINNED = 1
_THRESHOLD, _RESERVED, _RESERVED_HIGH, _USED, _USED_HIGH = 4, 5, 6, 7, 8


@dataclass(slots=True, eq=False)
class Pool:
    """A pool, its attributes by their numbers in `CUmemPool_attribute`, its device, and which others may use it."""

    attributes: dict[int, int]
    device: int
    users: set[int]


def _default(driver: Driver, device: int) -> int:
    key = f"pool {driver.checked(device)}"
    if key not in driver.keep:
        driver.keep[key] = driver.add(Pool({}, device, driver.pools[device]))
    return driver.keep[key]


@both("DeviceGetDefaultMemPool", "p i")
def _default_pool(driver: Driver, out: int, device: int) -> None:
    put(out, _default(driver, device))


@both("DeviceGetMemPool", "p i")
def _pool(driver: Driver, out: int, device: int) -> None:
    put(out, driver.keep.get(f"current pool {device}", _default(driver, device)))


@both("DeviceSetMemPool", "i p")
def _set_pool(driver: Driver, device: int, pool: int) -> None:
    found = driver.get(pool, Pool)
    driver.pools[driver.checked(device)] = found.users
    driver.keep[f"current pool {device}"] = pool


@both("MemPoolCreate", "p p")
def _create(driver: Driver, out: int, properties: int) -> int:
    kind, _, where, device = object_at((_INT * 4), properties)
    if kind != _PINNED or where not in (1, 2, 3, 4):  # On a device, on the host, on a NUMA node of it.
        return INVALID_VALUE
    if where == 1:
        driver.checked(device)
    put(out, driver.add(Pool({}, device if where == 1 else driver.number, set())))
    return 0


@both("MemPoolDestroy", "p")
def _destroy(driver: Driver, pool: int) -> None:
    driver.drop(pool, Pool)


@both("MemPoolTrimTo", "p p")
def _trim(driver: Driver, pool: int, size: int) -> None:
    driver.get(pool, Pool)


@both("MemPoolSetAttribute", "p i p")
def _set(driver: Driver, pool: int, which: int, value: int) -> int:
    if not 1 <= which <= _USED_HIGH:
        return INVALID_VALUE
    kind = ctypes.c_uint64 if which >= _THRESHOLD else _INT
    found, given = driver.get(pool, Pool), object_at(kind, value).value
    if which > _THRESHOLD:  # What has been used at most can be set to what is used.
        if given or which not in (_RESERVED_HIGH, _USED_HIGH):
            return INVALID_VALUE
        driver.device.memory.peak = driver.device.memory.used
    found.attributes[which] = given
    return 0


@both("MemPoolGetAttribute", "p i p")
def _get(driver: Driver, pool: int, which: int, value: int) -> int:
    found = driver.get(pool, Pool)
    memory = driver.device.memory
    counted = {_RESERVED: memory.used, _RESERVED_HIGH: memory.peak, _USED: memory.used, _USED_HIGH: memory.peak}
    if which in counted:
        put(value, counted[which])
    elif which == _THRESHOLD:
        put(value, found.attributes.get(which, 0))
    elif which in range(1, _THRESHOLD):
        put(value, found.attributes.get(which, 1), _INT)
    else:
        return INVALID_VALUE
    return 0


@both("MemPoolSetAccess", "p p p")
def _set_access(driver: Driver, pool: int, descriptions: int, count: int) -> None:
    users = driver.get(pool, Pool).users
    for kind, device, flags in struct.iter_unpack("3i", data_at(descriptions, 12 * count)):
        if kind == 1:
            users.add(driver.checked(device)) if flags else users.discard(driver.checked(device))


@both("MemPoolGetAccess", "p p p")
def _get_access(driver: Driver, out: int, pool: int, location: int) -> None:
    found, (_, device) = driver.get(pool, Pool), object_at((_INT * 2), location)
    put(out, 3 if device in (found.device, *found.users) else 0, _INT)  # read and write, or nothing


@call("cuMemAllocFromPoolAsync", "p p p p")
def alloc_from(driver: Driver, out: int, size: int, pool: int, stream: int) -> int:
    """Give memory of a pool in the order of a stream."""
    found = driver.get(pool, Pool)
    status = alloc_async(driver, out, size, stream)
    if driver.devices > 1 and not status:
        driver.settle(address := object_at(ctypes.c_uint64, out).value, found.device)
        driver.pooled[address] = found.users
    return status


@both("MemPoolExportToShareableHandle MemPoolImportFromShareableHandle MemPoolExportPointer MemPoolImportPointer")
def _share(driver: Driver) -> int:
    return NOT_SUPPORTED


def _device_at(driver: Driver, location: int) -> int:
    """The device of a `CUmemLocation`; the current one for places of the host."""
    where, device = object_at((_INT * 2), location)
    return device if where == 1 else driver.number


@both("MemGetDefaultMemPool", "p p i")
def _default_at(driver: Driver, out: int, location: int, kind: int) -> None:
    _default_pool(driver, out, _device_at(driver, location))


@both("MemGetMemPool", "p p i")
def _pool_at(driver: Driver, out: int, location: int, kind: int) -> None:
    _pool(driver, out, _device_at(driver, location))


@both("MemSetMemPool", "p i p")
def _set_pool_at(driver: Driver, location: int, kind: int, pool: int) -> None:
    _set_pool(driver, _device_at(driver, location), pool)


@both("DeviceGetGraphMemAttribute", "i i p")
def _graph_memory(driver: Driver, device: int, which: int, out: int) -> None:
    put(out, 0)  # What graphs allocate is counted with the rest.


@both("DeviceSetGraphMemAttribute", "i i p")
def _set_graph_memory(driver: Driver, device: int, which: int, value: int) -> None:
    """High-water marks are not kept for graphs."""
