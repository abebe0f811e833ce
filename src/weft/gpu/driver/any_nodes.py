"""Nodes of graphs by the one structure that describes all kinds, and conditional nodes.

The handle of a condition is the address of its word, which kernels write by `cudaGraphSetConditional`.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable

from weft.gpu.driver import copies, graph_nodes, runtime_arrays
from weft.gpu.driver.executables import Executable, instantiate
from weft.gpu.driver.graphs import handle_of
from weft.gpu.driver.places import data_at, object_at
from weft.gpu.driver.runtime_table import call as runtime_call
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE, NOT_SUPPORTED, Refused
from weft.gpu.driver.table import Function, call, without_edges
from weft.gpu.driver.work import (
    ALLOC,
    CHILD,
    CONDITIONAL,
    EMPTY,
    FREE,
    HOST,
    KERNEL,
    MEMCPY,
    MEMSET,
    RECORD_EVENT,
    WAIT_EVENT,
    Graph,
    Node,
    Run,
)

_UINT = ctypes.c_uint
Adding = Callable[[Driver, int, int, int, int, int], "int | None"]
"""Adds a node of a kind: the place for its handle, the graph, a row of handles and their count, the parameters."""
_IF, _WHILE, _SWITCH = 0, 1, 2
_ROUNDS = 1 << 20
"""Rounds of a loop after which it is one without an end."""


def _by_handle(adding: Adding) -> Adding:
    """Kinds whose parameters are a handle or an address."""

    def add(driver: Driver, out: int, graph: int, row: int, count: int, parameters: int) -> int | None:
        return adding(driver, out, graph, row, count, object_at(ctypes.c_uint64, parameters).value)

    return add


_BODIES = 1 << 10
"""The most graphs of a node, by our own decision."""


def _conditional(driver: Driver, out: int, graph: int, row: int, count: int, parameters: int) -> int | None:
    """Add a node that runs one of its graphs as the word of its handle says, once or as long as it is not 0."""
    handle, kind, size = struct.unpack("<QII", data_at(parameters, 16))
    if kind not in (_IF, _WHILE, _SWITCH) or not 0 < size <= _BODIES:
        return INVALID_VALUE
    bodies = [Graph() for _ in range(size)]
    block = (ctypes.c_uint64 * size)(*(handle_of(driver, body) for body in bodies))
    put(parameters + 16, ctypes.addressof(block))

    def chosen() -> Graph | None:
        value = int.from_bytes(driver.device.download(handle, 4), "little")
        number = value if kind == _SWITCH else int(not value)
        return bodies[number] if number < len(bodies) else None

    def run() -> int:
        for _ in range(_ROUNDS):
            body = chosen()
            made = None if body is None else instantiate(body)
            status = 0 if made is None else made.launch()
            if status or made is None or kind != _WHILE:
                return status
        raise Refused(NOT_SUPPORTED, f"a loop in a graph has run {_ROUNDS:,} times")

    graph_nodes.add_node(driver, out, graph, row, count, CONDITIONAL, run, block)
    return 0


def _handle(driver: Driver, out: int, graph: int, default: int, flags: int) -> None:
    """A condition; with flag 1 it has its default at the start of each launch."""
    word = driver.device.memory.allocate(4, "condition of a graph", kind="own", written=True)

    def start() -> int:
        driver.device.upload(word.address, default.to_bytes(4, "little"))
        return 0

    start()
    if flags & 1:
        driver.get(graph, Graph).first.append(start)
    put(out, word.address)


@runtime_call("cudaGraphConditionalHandleCreate", "p p u u")
def _create_handle(driver: Driver, out: int, graph: int, default: int, flags: int) -> None:
    _handle(driver, out, graph, default, flags)


@runtime_call("cudaGraphConditionalHandleCreate_v2", "p p p u u")
def _create_handle_in(driver: Driver, out: int, graph: int, context: int, default: int, flags: int) -> None:
    _handle(driver, out, graph, default, flags)


@call("cuGraphConditionalHandleCreate", "p p p u u")
def _create_driver_handle(driver: Driver, out: int, graph: int, context: int, default: int, flags: int) -> None:
    _handle(driver, out, graph, default, flags)


_COPY = 16
"""Where the copy is in the parameters of its node, behind flags and a context."""


def _runtime_copy(driver: Driver, parameters: int) -> tuple[Run, bytes]:
    data = data_at(parameters, 160)
    return (lambda: runtime_arrays.copy_parameters(driver, data)), data


def _driver_copy(driver: Driver, parameters: int) -> tuple[Run, bytes]:
    data = data_at(parameters, ctypes.sizeof(copies.Copy3D))
    return (lambda: copies.copy_of(driver, copies.Copy3D.from_buffer_copy(data))), data


Making = Callable[[Driver, int], "tuple[Run, bytes]"]


def _copying(make: Making) -> Adding:
    def add(driver: Driver, out: int, graph: int, row: int, count: int, parameters: int) -> None:
        graph_nodes.add_node(driver, out, graph, row, count, MEMCPY, *make(driver, parameters + _COPY))

    return add


def _empty(driver: Driver, out: int, graph: int, row: int, count: int, parameters: int) -> None:
    graph_nodes.add_node(driver, out, graph, row, count, EMPTY, lambda: 0, None)


_ADD: dict[int, Adding] = {
    **{kind: graph_nodes.adding(kind) for kind in (KERNEL, MEMSET, HOST)},
    CHILD: _by_handle(graph_nodes.add_child),
    EMPTY: _empty,
    WAIT_EVENT: _by_handle(graph_nodes.add_wait),
    RECORD_EVENT: _by_handle(graph_nodes.add_record),
    ALLOC: graph_nodes.add_alloc,
    FREE: _by_handle(graph_nodes.add_free),
    CONDITIONAL: _conditional,
}


def _parameters(address: int) -> tuple[int, int]:
    """The kind of a node, and where the parameters of its kind are."""
    return object_at(_UINT, address).value, address + 16


Register = Callable[[str, str], Callable[[Function], Function]]


def _define(register: Register, prefix: str, copy: Making, newest: str) -> None:
    """The functions of one API; both have one layout save for copies."""
    kinds = {**_ADD, MEMCPY: _copying(copy)}

    def add(driver: Driver, out: int, graph: int, row: int, edges: int, count: int, parameters: int) -> int:
        kind, rest = _parameters(parameters)
        if kind not in kinds:
            raise Refused(NOT_SUPPORTED, f"nodes of kind {kind} are not supported")
        return kinds[kind](driver, out, graph, row, count, rest) or 0

    def made(driver: Driver, found: Node, parameters: int) -> tuple[Run, bytes]:
        kind, rest = _parameters(parameters)
        if kind != found.kind:
            raise Refused(INVALID_VALUE, f"parameters of kind {kind} for a node of kind {found.kind}")
        if kind == MEMCPY:
            return copy(driver, rest + _COPY)
        return graph_nodes.run_of(driver, kind, rest)

    def set_node(driver: Driver, node: int, parameters: int) -> None:
        found = driver.get(node, Node)
        found.run, found.parameters = made(driver, found, parameters)

    def set_executable(driver: Driver, executable: int, node: int, parameters: int) -> None:
        graph, found = driver.get(executable, Executable), driver.get(node, Node)
        graph.runs[graph.find(found)] = made(driver, found, parameters)[0]

    register(f"{prefix}GraphAddNode{newest}", "p p p p p p")(add)
    register(f"{prefix}GraphNodeSetParams", "p p")(set_node)
    register(f"{prefix}GraphExecNodeSetParams", "p p p")(set_executable)


_define(runtime_call, "cuda", _runtime_copy, "")
_define(call, "cu", _driver_copy, "_v2")
without_edges("cuGraphAddNode", 3)


@call("cuGraphAddMemcpyNode", "p p p p p p")
def _add_copy(driver: Driver, out: int, graph: int, row: int, count: int, copy: int, context: int) -> None:
    graph_nodes.add_node(driver, out, graph, row, count, MEMCPY, *_driver_copy(driver, copy))


@call("cuGraphMemcpyNodeSetParams", "p p")
def _set_copy(driver: Driver, node: int, copy: int) -> None:
    found = driver.get(node, Node)
    found.run, found.parameters = _driver_copy(driver, copy)


@call("cuGraphExecMemcpyNodeSetParams", "p p p p")
def _set_executable_copy(driver: Driver, executable: int, node: int, copy: int, context: int) -> None:
    made = driver.get(executable, Executable)
    made.runs[made.find(driver.get(node, Node))] = _driver_copy(driver, copy)[0]
