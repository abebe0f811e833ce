"""Streams and events: all work is done when it is given."""

from __future__ import annotations

import ctypes

from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import NOT_SUPPORTED
from weft.gpu.driver.table import call
from weft.gpu.streams import Event, Stream, elapsed

_INT, _UINT = ctypes.c_int, ctypes.c_uint
_BUILT_IN = (0, 1, 2)
"""The null stream, the legacy one and that of the thread."""


def _stream(driver: Driver, handle: int) -> Stream:
    return driver.device.default_stream if handle in _BUILT_IN else driver.get(handle, Stream)


@call("cuStreamCreate", "p u")
def _create(driver: Driver, out: int, flags: int) -> None:
    put(out, driver.add(driver.device.stream()))


@call("cuStreamCreateWithPriority", "p u i")
def _create_with_priority(driver: Driver, out: int, flags: int, priority: int) -> None:
    _create(driver, out, flags)


@call("cuStreamDestroy_v2", "p")
def _destroy(driver: Driver, stream: int) -> None:
    driver.drop(stream, Stream)


@call("cuStreamSynchronize cuStreamQuery", "p")
def _synchronize(driver: Driver, stream: int) -> int:
    _stream(driver, stream).synchronize()
    return driver.take_pending()


@call("cuStreamWaitEvent", "p p u")
def _wait(driver: Driver, stream: int, event: int, flags: int) -> None:
    _stream(driver, stream).wait(driver.get(event, Event))


@call("cuStreamGetPriority cuStreamGetFlags", "p p")
def _priority(driver: Driver, stream: int, out: int) -> None:
    put(out, 0, _INT)


@call("cuStreamGetCtx cuStreamGetCtx_v2", "p p")
def _context(driver: Driver, stream: int, out: int) -> None:
    put(out, driver.stack[-1] if driver.stack else driver.primary_handle)


@call("cuStreamGetDevice", "p p")
def _device(driver: Driver, stream: int, out: int) -> None:
    put(out, 0, _INT)


@call("cuStreamGetId", "p p")
def _identity(driver: Driver, stream: int, out: int) -> None:
    put(out, stream)


@call("cuStreamIsCapturing", "p p")
def _capturing(driver: Driver, stream: int, out: int) -> None:
    put(out, 0, _INT)


@call("cuStreamGetCaptureInfo_v2 cuStreamGetCaptureInfo_v3", "p p p p p p")
def _capture(driver: Driver, stream: int, status: int, *rest: int) -> None:
    put(status, 0, _INT)


@call("cuThreadExchangeStreamCaptureMode", "p")
def _mode(driver: Driver, mode: int) -> None:
    """Nothing is captured."""


@call("cuStreamBeginCapture_v2 cuStreamEndCapture", "p p")
def _begin_capture(driver: Driver, stream: int, mode: int) -> int:
    return NOT_SUPPORTED


_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_HOST = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@call("cuStreamAddCallback", "p p p u")
def _callback(driver: Driver, stream: int, function: int, data: int, flags: int) -> None:
    _stream(driver, stream).call(lambda: _CALLBACK(function)(stream, driver.pending, data))


@call("cuLaunchHostFunc", "p p p")
def _host(driver: Driver, stream: int, function: int, data: int) -> None:
    _stream(driver, stream).call(lambda: _HOST(function)(data))


@call("cuEventCreate", "p u")
def _event(driver: Driver, out: int, flags: int) -> None:
    put(out, driver.add(driver.device.event()))


@call("cuEventDestroy_v2", "p")
def _drop(driver: Driver, event: int) -> None:
    driver.drop(event, Event)


@call("cuEventRecord", "p p")
def _record(driver: Driver, event: int, stream: int) -> None:
    driver.get(event, Event).record(_stream(driver, stream))


@call("cuEventRecordWithFlags", "p p u")
def _record_with_flags(driver: Driver, event: int, stream: int, flags: int) -> None:
    _record(driver, event, stream)


@call("cuEventSynchronize cuEventQuery", "p")
def _wait_for(driver: Driver, event: int) -> int:
    driver.get(event, Event)
    return driver.take_pending()


@call("cuEventElapsedTime cuEventElapsedTime_v2", "p p p")
def _elapsed(driver: Driver, out: int, start: int, end: int) -> int:
    first, last = driver.get(start, Event), driver.get(end, Event)
    if first.recorded is None or last.recorded is None:
        return 400
    ctypes.c_float.from_address(out).value = elapsed(first, last)
    return 0
