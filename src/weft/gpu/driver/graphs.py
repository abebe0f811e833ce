"""Graphs: captured from streams or made of nodes, instantiated, and launched, in both APIs."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence

from weft.dataclass import dataclass
from weft.gpu.driver import memory, modules, user_objects
from weft.gpu.driver.runtime_table import PROGRAM, both
from weft.gpu.driver.runtime_table import call as runtime_call
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE
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
    Capture,
    Graph,
    Node,
    Run,
    UserObject,
    capture_of,
    stream_of,
    submit,
)
from weft.gpu.streams import Event

_INT, _UINT = ctypes.c_int, ctypes.c_uint
CAPTURE_UNMATCHED, CAPTURE_UNJOINED, CAPTURE_IMPLICIT, UPDATE_FAILURE = 903, 904, 906, 910


@dataclass(slots=True, eq=False)
class Executable:
    """A graph that can be launched: its nodes in order, with what they did when it was made."""

    graph: Graph
    order: list[Node]
    runs: dict[int, Run]
    off: set[int]
    held: list[UserObject]

    def launch(self) -> int:
        """Do what the nodes do; the first status that is not success."""
        for node in self.order:
            status = 0 if id(node) in self.off else self.runs[id(node)]()
            if status:
                return status
        return 0

    def find(self, node: Node) -> int:
        """The key of a node, or of the one in this graph that it is a copy of, or that is a copy of it."""
        for own in self.order:
            if own is node or own is node.origin or own.origin is node:
                return id(own)
        raise KeyError(node)


def _handle(driver: Driver, thing: object) -> int:
    """The one handle of a graph or node."""
    found = driver.keep.get(f"handle {id(thing)}")
    if found is None:
        found = driver.keep[f"handle {id(thing)}"] = (driver.add(thing), thing)
    return found[0]


def _nodes(driver: Driver, row: int, count: int) -> list[Node]:
    handles = [ctypes.c_uint64.from_address(row + 8 * number).value for number in range(count)] if row else []
    return [driver.get(handle, Node) for handle in handles]


def _list(driver: Driver, nodes: Sequence[Node], out: int, count: int) -> None:
    """Give handles of nodes where there is room for them, and their number."""
    room = ctypes.c_uint64.from_address(count).value if out else 0
    for number, node in enumerate(nodes[:room]):
        put(out + 8 * number, _handle(driver, node))
    put(count, len(nodes))


def _instantiate(graph: Graph) -> Executable | None:
    try:
        order = graph.ordered()
    except ValueError:
        return None
    return Executable(graph, order, {id(node): node.run for node in order}, set(), user_objects.retain(graph.held))


# -- capturing ------------------------------------------------------------------------------------------------


@both("StreamBeginCapture StreamBeginCapture_v2", "p i")
def _begin(driver: Driver, stream: int, mode: int) -> int:
    if not stream or stream == 1:
        return CAPTURE_IMPLICIT
    if capture_of(driver, stream) is not None:
        return 401  # ILLEGAL_STATE
    driver.capture_count += 1
    driver.captures[stream_of(driver, stream)] = Capture(Graph(), [], driver.capture_count)
    return 0


@both("StreamBeginCaptureToGraph", "p p p p p i")
def _begin_into(driver: Driver, stream: int, graph: int, row: int, edges: int, count: int, mode: int) -> int:
    driver.capture_count += 1
    into = driver.get(graph, Graph)
    driver.captures[stream_of(driver, stream)] = Capture(into, _nodes(driver, row, count), driver.capture_count)
    return 0


@both("StreamEndCapture", "p p")
def _end(driver: Driver, stream: int, out: int) -> int:
    capture = capture_of(driver, stream)
    put(out, 0)
    if capture is None:
        return 401
    if not capture.origin:
        return CAPTURE_UNMATCHED
    same = [s for s, other in driver.captures.items() if other.number == capture.number]
    ends = {id(node) for node in capture.last}
    reached = _before(capture.last) | ends
    unjoined = any(id(node) not in reached for s in same for node in driver.captures[s].last)
    for other in same:
        del driver.captures[other]
    if unjoined:
        return CAPTURE_UNJOINED
    put(out, _handle(driver, capture.graph))
    return 0


def _before(nodes: Sequence[Node]) -> set[int]:
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
    put(graph, _handle(driver, capture.graph))
    handles = [_handle(driver, node) for node in capture.last]
    block = (ctypes.c_uint64 * max(1, len(handles)))(*handles)
    driver.keep[f"captured {stream}"] = block
    put(row, ctypes.addressof(block))
    put(count, len(handles))


@both("StreamGetCaptureInfo StreamGetCaptureInfo_v2", "p p p p p p")
def _capture_information(
    driver: Driver, stream: int, status: int, number: int, graph: int, row: int, last: int
) -> None:
    _information(driver, stream, status, number, graph, row, last)


@both("StreamGetCaptureInfo_v3", "p p p p p p p")
def _capture_information3(driver: Driver, stream: int, *out: int) -> None:
    status, number, graph, row, edges, count = out
    _information(driver, stream, status, number, graph, row, count)
    put(edges, 0)


@both("ThreadExchangeStreamCaptureMode", "p")
def _mode(driver: Driver, mode: int) -> None:
    """All modes are as relaxed as can be: nothing is forbidden while a stream is captured."""


# -- graphs -----------------------------------------------------------------------------------------------------


@both("GraphCreate", "p u")
def _create(driver: Driver, out: int, flags: int) -> None:
    put(out, _handle(driver, Graph()))


@both("GraphDestroy", "p")
def _destroy(driver: Driver, graph: int) -> None:
    user_objects.release(driver.get(graph, Graph).held)


@both("GraphClone", "p p")
def _clone(driver: Driver, out: int, graph: int) -> None:
    copy = driver.get(graph, Graph).copy()
    copy.held = user_objects.retain(copy.held)
    put(out, _handle(driver, copy))


@both("GraphGetNodes", "p p p")
def _get_nodes(driver: Driver, graph: int, out: int, count: int) -> None:
    _list(driver, driver.get(graph, Graph).nodes, out, count)


@both("GraphGetRootNodes", "p p p")
def _get_roots(driver: Driver, graph: int, out: int, count: int) -> None:
    _list(driver, [node for node in driver.get(graph, Graph).nodes if not node.after], out, count)


@both("GraphGetEdges GraphGetEdges_v2", "p p p p p")
def _get_edges(driver: Driver, graph: int, sources: int, targets: int, edges: int, count: int) -> None:
    pairs = [(before, node) for node in driver.get(graph, Graph).nodes for before in node.after]
    room = ctypes.c_uint64.from_address(count).value if sources else 0
    for number, (before, node) in enumerate(pairs[:room]):
        put(sources + 8 * number, _handle(driver, before))
        put(targets + 8 * number, _handle(driver, node))
    put(count, len(pairs))


@both("GraphNodeGetDependencies GraphNodeGetDependencies_v2", "p p p p")
def _dependencies(driver: Driver, node: int, out: int, edges: int, count: int) -> None:
    _list(driver, driver.get(node, Node).after, out, count)


@both("GraphNodeGetDependentNodes GraphNodeGetDependentNodes_v2", "p p p p")
def _dependents(driver: Driver, node: int, out: int, edges: int, count: int) -> None:
    found = driver.get(node, Node)
    every = found.graph.nodes if found.graph is not None else []
    _list(driver, [other for other in every if found in other.after], out, count)


@both("GraphAddDependencies GraphAddDependencies_v2", "p p p p p")
def _add_dependencies(driver: Driver, graph: int, sources: int, targets: int, edges: int, count: int) -> None:
    for before, node in zip(_nodes(driver, sources, count), _nodes(driver, targets, count), strict=True):
        node.after.append(before)


@both("GraphRemoveDependencies GraphRemoveDependencies_v2", "p p p p p")
def _remove_dependencies(driver: Driver, graph: int, sources: int, targets: int, edges: int, count: int) -> None:
    for before, node in zip(_nodes(driver, sources, count), _nodes(driver, targets, count), strict=True):
        node.after.remove(before)


@both("GraphDestroyNode", "p")
def _destroy_node(driver: Driver, node: int) -> None:
    found = driver.get(node, Node)
    if found.graph is not None:
        found.graph.nodes.remove(found)
        for other in found.graph.nodes:
            other.after = [before for before in other.after if before is not found]


@both("GraphNodeGetType", "p p")
def _type(driver: Driver, node: int, out: int) -> None:
    put(out, driver.get(node, Node).kind, _INT)


@both("GraphNodeFindInClone", "p p p")
def _in_clone(driver: Driver, out: int, node: int, graph: int) -> int:
    original = driver.get(node, Node)
    for found in driver.get(graph, Graph).nodes:
        if found.origin is original:
            put(out, _handle(driver, found))
            return 0
    return INVALID_VALUE


@both("GraphDebugDotPrint", "p p u")
def _dot(driver: Driver, graph: int, path: int, flags: int) -> None:
    nodes = driver.get(graph, Graph).nodes
    numbers = {id(node): number for number, node in enumerate(nodes)}
    lines = [f'  n{numbers[id(node)]} [label="{_KINDS.get(node.kind, node.kind)}"];' for node in nodes]
    lines += [f"  n{numbers[id(before)]} -> n{numbers[id(node)]};" for node in nodes for before in node.after]
    with open(ctypes.string_at(path), "w", encoding="utf-8") as file:
        file.write("digraph {\n" + "\n".join(lines) + "\n}\n")


_KINDS = {0: "kernel", 1: "memcpy", 2: "memset", 3: "host", 4: "graph", 5: "empty", 6: "wait", 7: "record"}

# -- nodes ------------------------------------------------------------------------------------------------------


def add_node(
    driver: Driver, out: int, graph: int, row: int, count: int, kind: int, run: Run, parameters: object
) -> None:
    """Add a node after others, whose handles lie in a row."""
    after = _nodes(driver, row, count)
    node = driver.get(graph, Graph).add(Node(kind, run, parameters, after))
    put(out, _handle(driver, node))


def _kernel_run(driver: Driver, parameters: int) -> tuple[Run, bytes]:
    """What a kernel node does: its arguments are copied now."""
    data = ctypes.string_at(parameters, 56)
    function, *extents, shared, row, extra = struct.unpack("<Q6II4xQQ", data)
    kernel = PROGRAM.kernel(driver, function)
    return modules.prepared(driver, kernel, tuple(extents), shared, row, extra), data


@both("GraphAddKernelNode GraphAddKernelNode_v2", "p p p p p")
def _add_kernel(driver: Driver, out: int, graph: int, row: int, count: int, parameters: int) -> None:
    add_node(driver, out, graph, row, count, KERNEL, *_kernel_run(driver, parameters))


def _memset_run(driver: Driver, parameters: int) -> tuple[Run, bytes]:
    data = ctypes.string_at(parameters, 40)
    to, pitch, value, element, width, height = struct.unpack("<QQIIQQ", data)

    def run() -> int:
        for row in range(max(height, 1)):
            memory.fill(driver, to + row * pitch, value, width, element)
        return 0

    return run, data


@both("GraphAddMemsetNode", "p p p p p p")
def _add_memset(driver: Driver, out: int, graph: int, row: int, count: int, parameters: int, context: int) -> None:
    add_node(driver, out, graph, row, count, MEMSET, *_memset_run(driver, parameters))


def _host_run(driver: Driver, parameters: int) -> tuple[Run, bytes]:
    data = ctypes.string_at(parameters, 16)
    function, argument = struct.unpack("<QQ", data)

    def run() -> int:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(function)(argument)
        return 0

    return run, data


@both("GraphAddHostNode", "p p p p p")
def _add_host(driver: Driver, out: int, graph: int, row: int, count: int, parameters: int) -> None:
    add_node(driver, out, graph, row, count, HOST, *_host_run(driver, parameters))


@both("GraphAddEmptyNode", "p p p p")
def _add_empty(driver: Driver, out: int, graph: int, row: int, count: int) -> None:
    add_node(driver, out, graph, row, count, EMPTY, lambda: 0, None)


@both("GraphAddChildGraphNode", "p p p p p")
def _add_child(driver: Driver, out: int, graph: int, row: int, count: int, child: int) -> int:
    copy = driver.get(child, Graph).copy()
    made = _instantiate(copy)
    if made is None:
        return INVALID_VALUE
    add_node(driver, out, graph, row, count, CHILD, made.launch, copy)
    return 0


@both("GraphChildGraphNodeGetGraph", "p p")
def _child(driver: Driver, node: int, out: int) -> int:
    found = driver.get(node, Node).parameters
    if not isinstance(found, Graph):
        return INVALID_VALUE
    put(out, _handle(driver, found))
    return 0


@both("GraphAddEventRecordNode", "p p p p p")
def _add_record(driver: Driver, out: int, graph: int, row: int, count: int, event: int) -> None:
    found = driver.get(event, Event)

    add_node(driver, out, graph, row, count, RECORD_EVENT, _recording(found), event)


def _recording(event: Event) -> Run:
    def run() -> int:
        event.record()
        return 0

    return run


@both("GraphAddEventWaitNode", "p p p p p")
def _add_wait(driver: Driver, out: int, graph: int, row: int, count: int, event: int) -> None:
    driver.get(event, Event)
    add_node(driver, out, graph, row, count, WAIT_EVENT, lambda: 0, event)


@both("GraphAddMemAllocNode", "p p p p p")
def _add_alloc(driver: Driver, out: int, graph: int, row: int, count: int, parameters: int) -> None:
    size = ctypes.c_uint64.from_address(parameters + 104).value
    address = driver.device.alloc(size).address
    put(parameters + 112, address)
    add_node(driver, out, graph, row, count, ALLOC, lambda: 0, ctypes.string_at(parameters, 120))


@both("GraphAddMemFreeNode", "p p p p p")
def _add_free(driver: Driver, out: int, graph: int, row: int, count: int, pointer: int) -> None:
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


_SIZES = {KERNEL: 56, MEMSET: 40, HOST: 16}
_RUNS: dict[int, Callable[[Driver, int], tuple[Run, bytes]]] = {
    KERNEL: _kernel_run,
    MEMSET: _memset_run,
    HOST: _host_run,
}


@both(
    "GraphKernelNodeGetParams GraphMemsetNodeGetParams GraphHostNodeGetParams GraphKernelNodeGetParams_v2 "
    "GraphMemAllocNodeGetParams GraphMemcpyNodeGetParams",
    "p p",
)
def _get_parameters(driver: Driver, node: int, out: int) -> int:
    found = driver.get(node, Node)
    if not isinstance(found.parameters, bytes):
        return INVALID_VALUE
    ctypes.memmove(out, found.parameters, len(found.parameters))
    return 0


@both("GraphKernelNodeSetParams GraphMemsetNodeSetParams GraphHostNodeSetParams GraphKernelNodeSetParams_v2", "p p")
def _set_parameters(driver: Driver, node: int, parameters: int) -> int:
    found = driver.get(node, Node)
    make = _RUNS.get(found.kind)
    if make is None:
        return INVALID_VALUE
    found.run, found.parameters = make(driver, parameters)
    return 0


@both(
    "GraphExecKernelNodeSetParams GraphExecKernelNodeSetParams_v2 GraphExecMemsetNodeSetParams "
    "GraphExecHostNodeSetParams",
    "p p p",
)
def _set_executable(driver: Driver, executable: int, node: int, parameters: int) -> int:
    found, made = driver.get(node, Node), driver.get(executable, Executable)
    make = _RUNS.get(found.kind)
    if make is None:
        return INVALID_VALUE
    made.runs[made.find(found)] = make(driver, parameters)[0]
    return 0


@runtime_call("cudaGraphMemcpyNodeSetParams1D", "p p p p i")
def _set_copy(driver: Driver, node: int, to: int, source: int, size: int, kind: int) -> None:
    driver.get(node, Node).run = _copy_run(driver, to, source, size)


@runtime_call("cudaGraphExecMemcpyNodeSetParams1D", "p p p p p i")
def _set_executable_copy(
    driver: Driver, executable: int, node: int, to: int, source: int, size: int, kind: int
) -> None:
    made = driver.get(executable, Executable)
    made.runs[made.find(driver.get(node, Node))] = _copy_run(driver, to, source, size)


@both("GraphKernelNodeGetAttribute GraphKernelNodeSetAttribute GraphKernelNodeCopyAttributes", "p p p")
def _kernel_attributes(driver: Driver, node: int, *rest: int) -> None:
    driver.get(node, Node)  # Priorities and windows of the cache change nothing here.


@both("GraphEventRecordNodeGetEvent GraphEventWaitNodeGetEvent", "p p")
def _event_of(driver: Driver, node: int, out: int) -> int:
    found = driver.get(node, Node)
    put(out, found.parameters if found.kind in (RECORD_EVENT, WAIT_EVENT) else 0)
    return 0 if found.kind in (RECORD_EVENT, WAIT_EVENT) else INVALID_VALUE


@both("GraphEventRecordNodeSetEvent GraphEventWaitNodeSetEvent", "p p")
def _set_event(driver: Driver, node: int, event: int) -> None:
    found, other = driver.get(node, Node), driver.get(event, Event)
    found.parameters = event
    if found.kind == RECORD_EVENT:
        found.run = _recording(other)


@both("GraphExecEventRecordNodeSetEvent GraphExecEventWaitNodeSetEvent", "p p p")
def _set_executable_event(driver: Driver, executable: int, node: int, event: int) -> None:
    made, found, other = driver.get(executable, Executable), driver.get(node, Node), driver.get(event, Event)
    if found.kind == RECORD_EVENT:
        made.runs[made.find(found)] = _recording(other)


@both("GraphNodeGetContainingGraph", "p p")
def _containing(driver: Driver, node: int, out: int) -> None:
    put(out, _handle(driver, driver.get(node, Node).graph))


@both("GraphGetId GraphExecGetId GraphNodeGetLocalId", "p p")
def _identity(driver: Driver, thing: int, out: int) -> None:
    put(out, thing & 0x7FFF_FFFF, _UINT)


@both("GraphMemFreeNodeGetParams", "p p")
def _freed(driver: Driver, node: int, out: int) -> None:
    put(out, driver.get(node, Node).parameters)


@both("DeviceGraphMemTrim", "i")
def _trim(driver: Driver, device: int) -> None:
    """What graphs allocate is theirs."""


@both("GraphNodeSetEnabled", "p p u")
def _enable(driver: Driver, executable: int, node: int, enabled: int) -> None:
    made = driver.get(executable, Executable)
    key = made.find(driver.get(node, Node))
    if enabled:
        made.off.discard(key)
    else:
        made.off.add(key)


@both("GraphNodeGetEnabled", "p p p")
def _enabled(driver: Driver, executable: int, node: int, out: int) -> None:
    made = driver.get(executable, Executable)
    put(out, int(made.find(driver.get(node, Node)) not in made.off), _UINT)


# -- running ------------------------------------------------------------------------------------------------------


@both("GraphInstantiate GraphInstantiateWithFlags", "p p p")
def _instantiate_graph(driver: Driver, out: int, graph: int, flags: int) -> int:
    made = _instantiate(driver.get(graph, Graph))
    if made is None:
        return INVALID_VALUE
    put(out, driver.add(made))
    return 0


@both("GraphInstantiateWithParams", "p p p")
def _instantiate_with(driver: Driver, out: int, graph: int, parameters: int) -> int:
    return _instantiate_graph(driver, out, graph, 0) or 0


@both("GraphExecDestroy", "p")
def _destroy_executable(driver: Driver, executable: int) -> None:
    user_objects.release(driver.drop(executable, Executable).held)


@both("GraphExecGetFlags", "p p")
def _flags(driver: Driver, executable: int, out: int) -> None:
    driver.get(executable, Executable)
    put(out, 0)


@both("GraphUpload", "p p")
def _upload(driver: Driver, executable: int, stream: int) -> None:
    driver.get(executable, Executable)


@both("GraphLaunch", "p p")
def _launch(driver: Driver, executable: int, stream: int) -> int:
    made = driver.get(executable, Executable)
    return submit(driver, stream, CHILD, made.launch, made.graph)


@both("GraphExecUpdate GraphExecUpdate_v2", "p p p")
def _update(driver: Driver, executable: int, graph: int, result: int) -> int:
    made, other = driver.get(executable, Executable), driver.get(graph, Graph)
    mine, order = made.order, other.ordered()
    same = [node.kind for node in mine] == [node.kind for node in order]
    if result:
        ctypes.memset(result, 0, 24)
        put(result, 0 if same else 2, _INT)  # TOPOLOGY_CHANGED
    if not same:
        return UPDATE_FAILURE
    for node, new in zip(mine, order, strict=True):
        made.runs[id(node)] = new.run
    made.held += user_objects.retain(other.held)
    return 0
