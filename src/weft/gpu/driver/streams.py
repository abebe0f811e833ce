"""Streams and events: all work is done when it is given."""

from __future__ import annotations

import ctypes

from weft.gpu.driver.places import data_at, object_at, store
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import CAPTURE_UNSUPPORTED, INVALID_HANDLE, INVALID_VALUE, TIMEOUT, Refused
from weft.gpu.driver.table import call
from weft.gpu.driver.work import HOST, MEMORY_OPERATION, record, stream_of, submit, wait
from weft.gpu.order import join
from weft.gpu.streams import Event, Stream, elapsed

_INT, _UINT = ctypes.c_int, ctypes.c_uint
_NON_BLOCKING = 1
_NOT_TIMED, _EVENT_FLAGS = 2, 7


@call("cuStreamCreate", "p u")
def _create(driver: Driver, out: int, flags: int) -> None:
    make_stream(driver, out, flags, 0)


def make_stream(driver: Driver, out: int, flags: int, priority: int) -> None:
    """Give a new stream."""
    if flags & ~_NON_BLOCKING:
        raise Refused(INVALID_VALUE, f"unknown stream flags: {flags:#x}")
    handle = driver.add(driver.device.stream(blocking=not flags & _NON_BLOCKING))
    driver.keep[f"stream {handle}"] = flags, max(min(priority, 0), -5)
    put(out, handle)


@call("cuStreamCreateWithPriority", "p u i")
def _create_with_priority(driver: Driver, out: int, flags: int, priority: int) -> None:
    make_stream(driver, out, flags, priority)


@call("cuStreamDestroy_v2", "p")
def _destroy(driver: Driver, stream: int) -> None:
    driver.drop(stream, Stream)


@call("cuStreamSynchronize cuStreamQuery", "p")
def _synchronize(driver: Driver, stream: int) -> int:
    found = stream_of(driver, stream)
    if found in driver.captures:
        return CAPTURE_UNSUPPORTED
    found.synchronize()
    return driver.take_pending()


@call("cuStreamWaitEvent", "p p u")
def _wait(driver: Driver, stream: int, event: int, flags: int) -> int:
    stream_of(driver, stream)
    return wait(driver, stream, driver.get(event, Event))


@call("cuStreamGetPriority", "p p")
def _priority(driver: Driver, stream: int, out: int) -> None:
    put(out, driver.keep.get(f"stream {stream}", (0, 0))[1], _INT)


@call("cuStreamGetFlags", "p p")
def _flags(driver: Driver, stream: int, out: int) -> None:
    put(out, driver.keep.get(f"stream {stream}", (0, 0))[0], _INT)


@call("cuStreamSetAttribute", "p i p")
def _set_attribute(driver: Driver, stream: int, which: int, value: int) -> None:
    """What is set is kept; nothing depends on it."""
    stream_of(driver, stream)
    driver.keep.setdefault(f"attributes {stream}", {})[which] = data_at(value, _ATTRIBUTE)


@call("cuStreamGetAttribute", "p i p")
def _attribute(driver: Driver, stream: int, which: int, out: int) -> None:
    stream_of(driver, stream)
    default = {_POLICY: 1, _PRIORITY: driver.keep.get(f"stream {stream}", (0, 0))[1]}.get(which, 0)
    plain = default.to_bytes(4, "little", signed=True).ljust(_ATTRIBUTE, b"\0")
    store(out, driver.keep.get(f"attributes {stream}", {}).get(which, plain))


@call("cuStreamCopyAttributes", "p p")
def _copy_attributes(driver: Driver, to: int, of: int) -> None:
    stream_of(driver, to)
    stream_of(driver, of)
    driver.keep[f"attributes {to}"] = dict(driver.keep.get(f"attributes {of}", {}))


_ATTRIBUTE, _POLICY, _PRIORITY = 64, 3, 8
"""The bytes of an attribute, and the numbers of two: how the host waits (1: as the driver likes), and the priority."""


def write_value(driver: Driver, stream: int, address: int, value: int, bits: int) -> int:
    """Write a number in a stream's order."""
    data = (value & ((1 << bits) - 1)).to_bytes(bits // 8, "little")

    def run() -> int:
        driver.device.upload(address, data)
        return 0

    return submit(driver, stream, MEMORY_OPERATION, run)


def wait_value(driver: Driver, stream: int, address: int, value: int, flags: int, bits: int) -> int:
    """Let a stream wait for a number.  Raises Refused where nobody writes it any more."""

    def run() -> int:
        found = int.from_bytes(driver.device.download(address, bits // 8), "little")
        every = (1 << bits) - 1
        given = value & every
        now = {0: (found - given) & every < 1 << (bits - 1), 1: found == given, 2: found & given != 0}
        if not now.get(flags & 3, ~(found | given) & every != 0):
            raise Refused(TIMEOUT, f"a stream waits for a value at {address:#x} that no remaining work writes")
        order = driver.device.order
        if order is not None and order.current is not None:  # Whoever has written it came first.
            join(order.current.clock, order.everything())
        return 0

    return submit(driver, stream, MEMORY_OPERATION, run)


def _writing(bits: int) -> None:
    """The functions that write a number in a stream's order, and wait for one."""
    kind = "u" if bits == 32 else "p"

    @call(f"cuStreamWriteValue{bits}_v2 cuStreamWriteValue{bits}", f"p p {kind} u")
    def write(driver: Driver, stream: int, address: int, value: int, flags: int) -> int:
        return write_value(driver, stream, address, value, bits)

    @call(f"cuStreamWaitValue{bits}_v2 cuStreamWaitValue{bits}", f"p p {kind} u")
    def wait_for(driver: Driver, stream: int, address: int, value: int, flags: int) -> int:
        return wait_value(driver, stream, address, value, flags, bits)

    _ = write, wait_for


_writing(32)
_writing(64)


@call("cuStreamAttachMemAsync", "p p p u")
def _attach(driver: Driver, stream: int, pointer: int, size: int, flags: int) -> None:
    """Managed memory is where it is used already."""


@call("cuStreamGetCtx cuStreamGetCtx_v2", "p p")
def _context(driver: Driver, stream: int, out: int) -> None:
    stream_of(driver, stream)
    home = driver.homes.get(stream, driver.number)
    put(out, driver.stack[-1] if driver.stack and home == driver.number else driver.primaries[home])


@call("cuStreamGetDevice", "p p")
def _device(driver: Driver, stream: int, out: int) -> None:
    put(out, driver.homes.get(stream, driver.number), _INT)


@call("cuStreamGetId", "p p")
def _identity(driver: Driver, stream: int, out: int) -> None:
    put(out, stream)


_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_HOST = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@call("cuStreamAddCallback", "p p p u")
def _callback(driver: Driver, stream: int, callback: int, data: int, flags: int) -> None:
    found = stream_of(driver, stream)
    found.call(lambda: _CALLBACK(callback)(stream, driver.pending, data))


@call("cuLaunchHostFunc", "p p p")
def _host(driver: Driver, stream: int, callback: int, data: int) -> int:
    def run() -> int:
        _HOST(callback)(data)
        return 0

    return submit(driver, stream, HOST, run, callback.to_bytes(8, "little") + data.to_bytes(8, "little"))


@call("cuEventCreate", "p u")
def make_event(driver: Driver, out: int, flags: int) -> None:
    """Give a new event."""
    if flags & ~_EVENT_FLAGS:
        raise Refused(INVALID_VALUE, f"unknown event flags: {flags:#x}")
    event = driver.device.event()
    event.timed = not flags & _NOT_TIMED
    put(out, driver.add(event))


@call("cuEventDestroy_v2", "p")
def _drop(driver: Driver, event: int) -> None:
    driver.drop(event, Event)


@call("cuEventRecord", "p p")
def _record(driver: Driver, event: int, stream: int) -> int:
    if driver.homes.get(event) != driver.homes.get(stream, driver.number if driver.devices > 1 else None):
        raise Refused(INVALID_HANDLE, "the event and the stream belong to different devices")
    return record(driver, driver.get(event, Event), stream)


@call("cuEventRecordWithFlags", "p p u")
def _record_with_flags(driver: Driver, event: int, stream: int, flags: int) -> int:
    return _record(driver, event, stream)


@call("cuEventSynchronize cuEventQuery", "p")
def _wait_for(driver: Driver, event: int) -> int:
    driver.get(event, Event).synchronize()
    return driver.take_pending()


@call("cuEventElapsedTime cuEventElapsedTime_v2", "p p p")
def _elapsed(driver: Driver, out: int, start: int, end: int) -> int:
    first, last = driver.get(start, Event), driver.get(end, Event)
    if not (first.timed and last.timed) or first.recorded is None or last.recorded is None:
        return 400
    if driver.homes.get(start) != driver.homes.get(end):
        return 400
    object_at(ctypes.c_float, out).value = elapsed(first, last)
    return 0


@call("cuCtxRecordEvent", "p p")
def _record_context(driver: Driver, context: int, event: int) -> int:
    return _record(driver, event, 0)


@call("cuCtxWaitEvent", "p p")
def _wait_context(driver: Driver, context: int, event: int) -> int:
    return _wait(driver, 0, event, 0)
