"""Capturing a stream into a graph."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from weft.gpu.driver.graphs import handle_of, nodes_at
from weft.gpu.driver.runtime_table import both
from weft.gpu.driver.runtime_table import call as runtime_call
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE
from weft.gpu.driver.table import CALLS, Call, call, without_edges
from weft.gpu.driver.work import Capture, Graph, Node, capture_of, stream_of

_INT = ctypes.c_int
ILLEGAL_STATE, CAPTURE_UNMATCHED, CAPTURE_UNJOINED, CAPTURE_IMPLICIT = 401, 903, 904, 906


@both("StreamBeginCapture StreamBeginCapture_v2", "p i")
def _begin(driver: Driver, stream: int, mode: int = 0) -> int:
    return _started(driver, stream, mode, Capture(Graph(), []))


CALLS["cuStreamBeginCapture"] = Call("cuStreamBeginCapture", "p", _begin)  # The first form says no mode.


@both("StreamBeginCaptureToGraph", "p p p p p i")
def _begin_into(driver: Driver, stream: int, graph: int, row: int, edges: int, count: int, mode: int) -> int:
    into = Capture(driver.get(graph, Graph), nodes_at(driver, row, count), is_held=True)
    return _started(driver, stream, mode, into)


def _started(driver: Driver, stream: int, mode: int, capture: Capture) -> int:
    if not stream or stream == 1:
        return CAPTURE_IMPLICIT
    if not 0 <= mode <= 2:
        return INVALID_VALUE
    if capture_of(driver, stream) is not None:
        return ILLEGAL_STATE
    driver.capture_count += 1
    capture.number = driver.capture_count
    driver.captures[stream_of(driver, stream)] = capture
    return 0


@both("StreamEndCapture", "p p")
def _end(driver: Driver, stream: int, graph: int) -> int:
    """Whoever captured into a graph holds it, and may pass null for the place where its handle goes."""
    capture = capture_of(driver, stream)
    put(graph, 0)
    if capture is None:
        return ILLEGAL_STATE
    if not graph and not capture.is_held:
        return INVALID_VALUE
    if not capture.origin:
        return CAPTURE_UNMATCHED
    same = [s for s, other in driver.captures.items() if other.number == capture.number]
    ends = {id(node) for node in capture.last}
    reached = _earlier(capture.last) | ends
    unjoined = any(id(node) not in reached for s in same for node in driver.captures[s].last)
    for other in same:
        del driver.captures[other]
    if unjoined:
        return CAPTURE_UNJOINED
    put(graph, handle_of(driver, capture.graph))
    return 0


def _earlier(nodes: Sequence[Node]) -> set[int]:
    """The nodes, by their ids, that nodes come after."""
    found: set[int] = set()
    rest = list(nodes)
    while rest:
        for node in rest.pop().after:
            if id(node) not in found:
                found.add(id(node))
                rest.append(node)
    return found


@both("StreamIsCapturing", "p p")
def _capturing(driver: Driver, stream: int, out: int) -> None:
    put(out, int(capture_of(driver, stream) is not None), _INT)


def _information(driver: Driver, stream: int, status: int, number: int, graph: int, row: int, count: int) -> None:
    capture = capture_of(driver, stream)
    put(status, int(capture is not None), _INT)
    if capture is None:
        return
    put(number, capture.number)
    put(graph, handle_of(driver, capture.graph))
    handles = [handle_of(driver, node) for node in capture.last]
    block = (ctypes.c_uint64 * max(1, len(handles)))(*handles)
    driver.keep[f"captured {stream}"] = block
    put(row, ctypes.addressof(block))
    put(count, len(handles))


@call("cuStreamGetCaptureInfo", "p p p")
def _capture_status(driver: Driver, stream: int, status: int, number: int) -> None:
    _information(driver, stream, status, number, 0, 0, 0)


@both("StreamGetCaptureInfo_v2", "p p p p p p")
def _capture_information(
    driver: Driver, stream: int, status: int, number: int, graph: int, row: int, last: int
) -> None:
    _information(driver, stream, status, number, graph, row, last)


@runtime_call("cudaStreamGetCaptureInfo", "p p p p p p p")
@both("StreamGetCaptureInfo_v3", "p p p p p p p")
def _capture_information3(driver: Driver, stream: int, *out: int) -> None:
    status, number, graph, row, edges, count = out
    _information(driver, stream, status, number, graph, row, count)
    put(edges, 0)


@runtime_call("cudaStreamUpdateCaptureDependencies cudaStreamUpdateCaptureDependencies_v2", "p p p p u")
@call("cuStreamUpdateCaptureDependencies_v2", "p p p p u")
def _update(driver: Driver, stream: int, row: int, edges: int, count: int, flags: int) -> int:
    """Let what comes next in a captured stream depend on other nodes: these too, or with flag 1 these only."""
    capture = capture_of(driver, stream)
    if capture is None:
        return ILLEGAL_STATE
    nodes = nodes_at(driver, row, count)
    capture.last = nodes if flags & 1 else [*capture.last, *(node for node in nodes if node not in capture.last)]
    return 0


without_edges("cuStreamUpdateCaptureDependencies", 2)


@both("ThreadExchangeStreamCaptureMode", "p")
def _mode(driver: Driver, mode: int) -> None:
    """All modes are as relaxed as can be: nothing is forbidden while a stream is captured."""
