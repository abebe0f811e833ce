"""The nodes of graphs: what each kind does, and how that is changed, in the graph and in what is made of it."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable

from weft.gpu.driver import memory, modules
from weft.gpu.driver.executables import Executable, instantiate
from weft.gpu.driver.graphs import handle_of, nodes_at
from weft.gpu.driver.places import data_at, object_at, store
from weft.gpu.driver.runtime_table import PROGRAM, both
from weft.gpu.driver.runtime_table import call as runtime_call
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE, Refused
from weft.gpu.driver.work import (
    ALLOC,
    CHILD,
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
from weft.gpu.streams import Event


def add_node(
    driver: Driver, out: int, graph: int, row: int, count: int, kind: int, run: Run, parameters: object
) -> None:
    """Add a node after others, whose handles lie in a row."""
    after = nodes_at(driver, row, count)
    node = driver.get(graph, Graph).add(Node(kind, run, parameters, after))
    put(out, handle_of(driver, node))


def _kernel_run(driver: Driver, parameters: int) -> tuple[Run, bytes]:
    """What a kernel node does: its arguments are copied now."""
    data = data_at(parameters, 56)
    function, *extents, shared, row, extra = struct.unpack("<Q6II4xQQ", data)
    kernel = PROGRAM.kernel(driver, function)
    return modules.prepared(driver, kernel, tuple(extents), shared, row, extra), data


def _memset_run(driver: Driver, parameters: int) -> tuple[Run, bytes]:
    data = data_at(parameters, 40)
    to, pitch, value, element, width, height = struct.unpack("<QQIIQQ", data)

    def run() -> int:
        for row in range(max(height, 1)):
            memory.fill(driver, to + row * pitch, value, width, element)
        return 0

    return run, data


def _host_run(driver: Driver, parameters: int) -> tuple[Run, bytes]:
    data = data_at(parameters, 16)
    function, argument = struct.unpack("<QQ", data)

    def run() -> int:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(function)(argument)
        return 0

    return run, data


@both("GraphAddEmptyNode", "p p p p")
def _add_empty(driver: Driver, out: int, graph: int, row: int, count: int) -> None:
    add_node(driver, out, graph, row, count, EMPTY, lambda: 0, None)


@both("GraphAddChildGraphNode", "p p p p p")
def add_child(driver: Driver, out: int, graph: int, row: int, count: int, child: int) -> int:
    """Add a node that runs a copy of a graph."""
    copy = driver.get(child, Graph).copy()
    made = instantiate(copy)
    if made is None:
        return INVALID_VALUE
    add_node(driver, out, graph, row, count, CHILD, made.launch, copy)
    return 0


@both("GraphChildGraphNodeGetGraph", "p p")
def _child(driver: Driver, node: int, out: int) -> int:
    found = driver.get(node, Node).parameters
    if not isinstance(found, Graph):
        return INVALID_VALUE
    put(out, handle_of(driver, found))
    return 0


@both("GraphAddEventRecordNode", "p p p p p")
def add_record(driver: Driver, out: int, graph: int, row: int, count: int, event: int) -> None:
    """Add a node that records an event."""
    add_node(driver, out, graph, row, count, RECORD_EVENT, _recording(driver.get(event, Event)), event)


def _recording(event: Event) -> Run:
    def run() -> int:
        event.record()
        return 0

    return run


@both("GraphAddEventWaitNode", "p p p p p")
def add_wait(driver: Driver, out: int, graph: int, row: int, count: int, event: int) -> None:
    """Add a node that waits for an event."""
    driver.get(event, Event)
    add_node(driver, out, graph, row, count, WAIT_EVENT, lambda: 0, event)


@both("GraphAddMemAllocNode", "p p p p p")
def add_alloc(driver: Driver, out: int, graph: int, row: int, count: int, parameters: int) -> None:
    """Add a node that allocates memory, whose address is fixed now."""
    size = object_at(ctypes.c_uint64, parameters + 104).value
    address, again = memory.graph_memory(driver, size)
    put(parameters + 112, address)
    add_node(driver, out, graph, row, count, ALLOC, again, data_at(parameters, 120))


@both("GraphAddMemFreeNode", "p p p p p")
def add_free(driver: Driver, out: int, graph: int, row: int, count: int, pointer: int) -> None:
    """Add a node that frees memory."""
    add_node(driver, out, graph, row, count, FREE, lambda: 0, pointer)


def _copy_run(driver: Driver, to: int, source: int, size: int) -> Run:
    return lambda: memory.move(driver, to, source, size)


@runtime_call("cudaGraphAddMemcpyNode1D", "p p p p p p p i")
def _add_copy(driver: Driver, out: int, graph: int, row: int, count: int, *copy: int) -> None:
    to, source, size, _ = copy
    add_node(driver, out, graph, row, count, MEMCPY, _copy_run(driver, to, source, size), None)


@runtime_call("cudaGraphAddMemcpyNodeToSymbol", "p p p p p p p p i")
def _add_to_symbol(driver: Driver, out: int, graph: int, row: int, count: int, *copy: int) -> None:
    symbol, source, size, offset, _ = copy
    to = PROGRAM.symbol(driver, symbol).address + offset
    add_node(driver, out, graph, row, count, MEMCPY, _copy_run(driver, to, source, size), None)


@runtime_call("cudaGraphAddMemcpyNodeFromSymbol", "p p p p p p p p i")
def _add_from_symbol(driver: Driver, out: int, graph: int, row: int, count: int, *copy: int) -> None:
    to, symbol, size, offset, _ = copy
    source = PROGRAM.symbol(driver, symbol).address + offset
    add_node(driver, out, graph, row, count, MEMCPY, _copy_run(driver, to, source, size), None)


# -- what nodes do -------------------------------------------------------------------------------------------------


_RUNS: dict[int, Callable[[Driver, int], tuple[Run, bytes]]] = {
    KERNEL: _kernel_run,
    MEMSET: _memset_run,
    HOST: _host_run,
}


def run_of(driver: Driver, kind: int, parameters: int) -> tuple[Run, bytes]:
    """What a node of a kind does that its parameters say.  Raises Refused for other kinds."""
    make = _RUNS.get(kind)
    if make is None:
        raise Refused(INVALID_VALUE, f"nodes of kind {kind} do not take parameters this way")
    return make(driver, parameters)


def adding(kind: int) -> Callable[[Driver, int, int, int, int, int], None]:
    """What adds a node of such a kind."""

    def add(driver: Driver, out: int, graph: int, row: int, count: int, parameters: int) -> None:
        add_node(driver, out, graph, row, count, kind, *run_of(driver, kind, parameters))

    return add


def _node(driver: Driver, handle: int, *kinds: int) -> Node:
    """A node.  Raises Refused for one of another kind than a function is for."""
    found = driver.get(handle, Node)
    if found.kind not in kinds:
        raise Refused(INVALID_VALUE, f"the node is of kind {found.kind}")
    return found


def _reading(name: str, kind: int) -> None:
    """The function that gives the parameters of nodes of a kind."""

    @both(name, "p p")
    def get(driver: Driver, node: int, out: int) -> int:
        given = _node(driver, node, kind).parameters
        if not isinstance(given, bytes):
            return INVALID_VALUE
        store(out, given)
        return 0

    _ = get


def _functions(name: str, kind: int, newer: str = "") -> None:
    """The functions that add nodes of a kind, and read and change their parameters, under newer names, too."""

    def names(function: str) -> str:
        return f"{function} {function}{newer}" if newer else function

    both(names(f"GraphAdd{name}Node"), "p p p p p")(adding(kind))
    _reading(names(f"Graph{name}NodeGetParams"), kind)

    @both(names(f"Graph{name}NodeSetParams"), "p p")
    def set_node(driver: Driver, node: int, parameters: int) -> None:
        found = _node(driver, node, kind)
        found.run, found.parameters = run_of(driver, kind, parameters)

    @both(names(f"GraphExec{name}NodeSetParams"), "p p p")
    def set_executable(driver: Driver, executable: int, node: int, parameters: int) -> None:
        found, made = _node(driver, node, kind), driver.get(executable, Executable)
        made.runs[made.find(found)] = run_of(driver, kind, parameters)[0]

    _ = set_node, set_executable


_functions("Kernel", KERNEL, "_v2")
_functions("Memset", MEMSET)
_functions("Host", HOST)
_reading("GraphMemAllocNodeGetParams", ALLOC)
_reading("GraphMemcpyNodeGetParams", MEMCPY)


@runtime_call("cudaGraphMemcpyNodeSetParams1D", "p p p p i")
def _set_copy(driver: Driver, node: int, to: int, source: int, size: int, kind: int) -> None:
    _node(driver, node, MEMCPY).run = _copy_run(driver, to, source, size)


@runtime_call("cudaGraphExecMemcpyNodeSetParams1D", "p p p p p i")
def _set_executable_copy(
    driver: Driver, executable: int, node: int, to: int, source: int, size: int, kind: int
) -> None:
    made = driver.get(executable, Executable)
    made.runs[made.find(_node(driver, node, MEMCPY))] = _copy_run(driver, to, source, size)


@both("GraphKernelNodeGetAttribute GraphKernelNodeSetAttribute GraphKernelNodeCopyAttributes", "p")
def _kernel_attributes(driver: Driver, node: int) -> None:
    _node(driver, node, KERNEL)  # Priorities and windows of the cache change nothing here.


@both("GraphEventRecordNodeGetEvent GraphEventWaitNodeGetEvent", "p p")
def _event_of(driver: Driver, node: int, out: int) -> None:
    put(out, _node(driver, node, RECORD_EVENT, WAIT_EVENT).parameters)


@both("GraphEventRecordNodeSetEvent GraphEventWaitNodeSetEvent", "p p")
def _set_event(driver: Driver, node: int, event: int) -> None:
    found, other = _node(driver, node, RECORD_EVENT, WAIT_EVENT), driver.get(event, Event)
    found.parameters = event
    if found.kind == RECORD_EVENT:
        found.run = _recording(other)


@both("GraphExecEventRecordNodeSetEvent GraphExecEventWaitNodeSetEvent", "p p p")
def _set_executable_event(driver: Driver, executable: int, node: int, event: int) -> None:
    made, other = driver.get(executable, Executable), driver.get(event, Event)
    found = _node(driver, node, RECORD_EVENT, WAIT_EVENT)
    if found.kind == RECORD_EVENT:
        made.runs[made.find(found)] = _recording(other)


@both("GraphMemFreeNodeGetParams", "p p")
def _freed(driver: Driver, node: int, out: int) -> None:
    put(out, _node(driver, node, FREE).parameters)
