"""Streams and events, in the runtime's words."""

from __future__ import annotations

from weft.gpu.driver.runtime_table import RUNTIME, call
from weft.gpu.driver.state import Driver
from weft.gpu.driver.streams import make_event, make_stream
from weft.gpu.driver.table import CALLS, Call


@call("cudaStreamCreate", "p")
def _stream(driver: Driver, out: int) -> None:
    make_stream(driver, out, 0, 0)


@call("cudaEventCreate", "p")
def _event(driver: Driver, out: int) -> None:
    make_event(driver, out, 0)


for _name, _same in (
    ("cudaStreamCreateWithFlags", "cuStreamCreate"),
    ("cudaStreamCreateWithPriority", "cuStreamCreateWithPriority"),
    ("cudaStreamDestroy", "cuStreamDestroy_v2"),
    ("cudaEventCreateWithFlags", "cuEventCreate"),
    ("cudaEventDestroy", "cuEventDestroy_v2"),
    *(
        (f"cuda{name}", f"cu{name}")
        for name in (
            *("StreamSynchronize", "StreamQuery", "StreamWaitEvent", "StreamAddCallback", "LaunchHostFunc"),
            *("StreamGetPriority", "StreamGetFlags", "StreamGetId", "StreamGetDevice", "StreamAttachMemAsync"),
            *("StreamCopyAttributes", "StreamGetAttribute", "StreamSetAttribute"),
            *("EventRecord", "EventRecordWithFlags", "EventSynchronize", "EventQuery", "EventElapsedTime"),
        )
    ),
):
    _found = CALLS[_same]
    RUNTIME[_name] = Call(_name, _found.arguments, _found.function)
