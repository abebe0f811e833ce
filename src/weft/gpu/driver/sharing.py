"""What needs other devices or graphics: refused with the code that CUDA has for it."""

from __future__ import annotations

import ctypes

from weft.gpu.driver.runtime_table import both
from weft.gpu.driver.runtime_table import call as runtime_call
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_DEVICE, NOT_SUPPORTED
from weft.gpu.driver.table import call

_INT = ctypes.c_int
_PEER_UNSUPPORTED, _PEER_NOT_ENABLED = 217, 705


@runtime_call("cudaDeviceEnablePeerAccess", "i u")
def _enable(driver: Driver, device: int, flags: int) -> int:
    return INVALID_DEVICE


@runtime_call("cudaDeviceDisablePeerAccess", "i")
def _disable(driver: Driver, device: int) -> int:
    return INVALID_DEVICE if device else _PEER_NOT_ENABLED


@call("cuCtxEnablePeerAccess", "p u")
def _enable_context(driver: Driver, context: int, flags: int) -> int:
    return _PEER_UNSUPPORTED


@call("cuCtxDisablePeerAccess", "p")
def _disable_context(driver: Driver, context: int) -> int:
    return _PEER_NOT_ENABLED


@both("DeviceGetP2PAttribute", "p i i i")
def _attribute(driver: Driver, out: int, which: int, device: int, other: int) -> int:
    put(out, 0, _INT)
    return INVALID_DEVICE if device or other else 0


@both("GraphicsMapResources GraphicsUnmapResources", "u p p")
def _graphics(driver: Driver, *rest: int) -> int:
    return NOT_SUPPORTED


@both("GraphicsUnregisterResource", "p")
def _unregister(driver: Driver, resource: int) -> int:
    return NOT_SUPPORTED


@both("ImportExternalMemory ImportExternalSemaphore", "p p")
def _external(driver: Driver, *rest: int) -> int:
    return NOT_SUPPORTED
