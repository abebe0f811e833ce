"""Peer access of devices to each other's memory; graphics and memory of other APIs, which are refused."""

from __future__ import annotations

import ctypes

from weft.gpu.driver.runtime_table import both
from weft.gpu.driver.runtime_table import call as runtime_call
from weft.gpu.driver.state import Context, Driver, put
from weft.gpu.driver.status import INVALID_DEVICE, INVALID_VALUE, NOT_SUPPORTED
from weft.gpu.driver.table import call

_INT = ctypes.c_int
_ENABLED, _NOT_ENABLED = 704, 705


@both("DeviceCanAccessPeer", "p i i")
def _can_access(driver: Driver, out: int, device: int, other: int) -> None:
    put(out, int(driver.checked(device) != driver.checked(other)), _INT)


def _enable(driver: Driver, other: int, flags: int) -> int:
    pair = driver.number, driver.checked(other)
    if flags:
        return INVALID_VALUE
    if pair[0] == pair[1]:
        return INVALID_DEVICE
    if pair in driver.peers:
        return _ENABLED
    driver.peers.add(pair)
    return 0


def _disable(driver: Driver, other: int) -> int:
    pair = driver.number, driver.checked(other)
    if pair not in driver.peers:
        return _NOT_ENABLED
    driver.peers.remove(pair)
    return 0


@runtime_call("cudaDeviceEnablePeerAccess", "i u")
def _enable_device(driver: Driver, device: int, flags: int) -> int:
    return _enable(driver, device, flags)


@runtime_call("cudaDeviceDisablePeerAccess", "i")
def _disable_device(driver: Driver, device: int) -> int:
    return _disable(driver, device)


@call("cuCtxEnablePeerAccess", "p u")
def _enable_context(driver: Driver, context: int, flags: int) -> int:
    return _enable(driver, driver.get(context, Context).number, flags)


@call("cuCtxDisablePeerAccess", "p")
def _disable_context(driver: Driver, context: int) -> int:
    return _disable(driver, driver.get(context, Context).number)


@both("DeviceGetP2PAttribute", "p i i i")
def _attribute(driver: Driver, out: int, which: int, device: int, other: int) -> int:
    """The rank of the link, whether there is access, atomic operations, and access to arrays."""
    if not 1 <= which <= 4 or driver.checked(device) == driver.checked(other):
        return INVALID_VALUE
    put(out, int(which > 1), _INT)
    return 0


@both("GraphicsMapResources GraphicsUnmapResources", "u p p")
def _graphics(driver: Driver, *rest: int) -> int:
    return NOT_SUPPORTED


@both("GraphicsUnregisterResource", "p")
def _unregister(driver: Driver, resource: int) -> int:
    return NOT_SUPPORTED


@both("ImportExternalMemory ImportExternalSemaphore", "p p")
def _external(driver: Driver, *rest: int) -> int:
    return NOT_SUPPORTED
