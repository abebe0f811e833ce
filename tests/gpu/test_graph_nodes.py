"""Nodes of graphs by the functions of each kind, in both APIs: what they do, how that is read and changed."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator

import pytest

from tests.gpu.calls import INVALID_HANDLE, INVALID_VALUE, OK, Compiled, Words, contents
from weft.gpu.driver.runtime_table import PROGRAM

KERNEL, MEMCPY, MEMSET, HOST, CHILD, EMPTY, WAIT, RECORD, ALLOC, FREE = 0, 1, 2, 3, 4, 5, 6, 7, 10, 11
ILLEGAL_STATE, INVALID_SYMBOL, CAPTURE_IMPLICIT = 401, 13, 906


@pytest.fixture(autouse=True)
def apart() -> Iterator[None]:
    """What a program registers is the process's: none is left to the next test."""
    yield
    PROGRAM.__init__()


@pytest.fixture
def cuda() -> Compiled:
    return Compiled()


def row(*values: int) -> Words:
    return Words.of(struct.pack(f"<{len(values)}Q", *values))


def clear(cuda: Compiled, place: int) -> None:
    assert cuda("cuMemsetD8_v2", place, 0, 64) == OK


class Kernel:
    """A kernel node that writes `n * thread + 5`."""

    def __init__(self, cuda: Compiled, prefix: str, out: int, n: int) -> None:
        self.arguments = Words.of(struct.pack("<QI", out, n))
        self.row = row(self.arguments.address, self.arguments.address + 8)
        function = cuda.get("cudaGetKernel", cuda["add"]) if prefix == "cu" else cuda["add"].address
        self.parameters = Words.of(struct.pack("<Q6II4xQQ", function, 1, 1, 1, 2, 1, 1, 0, self.row.address, 0))


@pytest.mark.parametrize("prefix", ["cu", "cuda"])
def test_kernel_nodes(cuda: Compiled, prefix: str) -> None:
    """Arguments are copied when the node is made or changed; what is instantiated keeps what it has."""
    place = cuda.get("cudaMalloc", 64)
    graph, first, second = cuda.get(f"{prefix}GraphCreate", 0), *(Kernel(cuda, prefix, place, n) for n in (1, 10))
    version = "_v2" if prefix == "cu" else ""
    node = cuda.get(f"{prefix}GraphAddKernelNode{version}", graph, 0, 0, first.parameters)
    first.arguments.view("u4")[2] = 77
    made = cuda.get(f"{prefix}GraphInstantiate", graph, 0)

    def launched(executable: int) -> list[int]:
        clear(cuda, place)
        assert cuda(f"{prefix}GraphLaunch", executable, 0) == OK
        return list(struct.unpack("<2I", contents(cuda, place, 8)))

    assert launched(made) == [5, 6] and cuda.get(f"{prefix}GraphNodeGetType", node, at=1, dtype="i4") == KERNEL
    found = Words(64)
    assert cuda(f"{prefix}GraphKernelNodeGetParams{version}", node, found) == OK
    assert bytes(found.bytes) == bytes(first.parameters.bytes) + b"\xa5" * 8
    assert cuda(f"{prefix}GraphKernelNodeSetParams{version}", node, second.parameters) == OK
    assert cuda(f"{prefix}GraphKernelNodeGetParams{version}", node, found) == OK
    assert bytes(found.bytes[:56]) == bytes(second.parameters.bytes)
    assert launched(made) == [5, 6] and launched(cuda.get(f"{prefix}GraphInstantiate", graph, 0)) == [5, 15]
    assert cuda(f"{prefix}GraphExecKernelNodeSetParams{version}", made, node, second.parameters) == OK
    assert launched(made) == [5, 15]
    for name in ("GetAttribute", "SetAttribute", "CopyAttributes"):
        assert cuda(f"{prefix}GraphKernelNode{name}", node) == OK
        assert cuda(f"{prefix}GraphKernelNode{name}", graph) == INVALID_HANDLE
    assert cuda(f"{prefix}GraphAddKernelNode{version}", Words(), graph, 0, 0, 0) == INVALID_VALUE
    assert cuda(f"{prefix}GraphKernelNodeSetParams{version}", graph, second.parameters) == INVALID_HANDLE


def test_copies_in_nodes_of_the_runtime(cuda: Compiled) -> None:
    """From a place, from a variable and to one; what is instantiated is changed by itself."""
    place, source = cuda.get("cudaMalloc", 64), Words.of(bytes(range(1, 65)))
    graph = cuda.get("cudaGraphCreate", 0)
    flat = cuda.get("cudaGraphAddMemcpyNode1D", graph, 0, 0, place, source, 4, 4)
    into = cuda.get("cudaGraphAddMemcpyNodeToSymbol", graph, row(flat), 1, cuda["table"], source.address + 8, 3, 16, 1)
    cuda.get("cudaGraphAddMemcpyNodeFromSymbol", graph, row(into), 1, place + 8, cuda["table"], 8, 15, 2)
    for name, words in (
        ("ToSymbol", (cuda["add"], source, 3, 16, 1)),
        ("FromSymbol", (place, cuda["add"], 3, 16, 1)),
    ):
        assert cuda(f"cudaGraphAddMemcpyNode{name}", Words(), graph, 0, 0, *words) == INVALID_SYMBOL
    made = cuda.get("cudaGraphInstantiate", graph, 0)
    clear(cuda, place)
    assert cuda("cudaGraphLaunch", made, 0) == OK
    assert contents(cuda, place, 20) == bytes([1, 2, 3, 4, 0, 0, 0, 0, 0, 9, 10, 11]) + bytes(8)
    assert cuda.get("cudaGraphNodeGetType", flat, at=1, dtype="i4") == MEMCPY
    assert cuda("cudaGraphMemcpyNodeGetParams", flat, Words(160)) == INVALID_VALUE, "it has none of this form"
    assert cuda("cudaGraphMemcpyNodeSetParams1D", flat, place, source.address + 32, 2, 4) == OK
    clear(cuda, place)
    assert cuda("cudaGraphLaunch", made, 0) == OK and contents(cuda, place, 5) == bytes([1, 2, 3, 4, 0])
    clear(cuda, place)
    assert cuda("cudaGraphLaunch", cuda.get("cudaGraphInstantiate", graph, 0), 0) == OK
    assert contents(cuda, place, 5) == bytes([33, 34, 0, 0, 0])
    assert cuda("cudaGraphExecMemcpyNodeSetParams1D", made, flat, place + 1, source, 1, 4) == OK
    clear(cuda, place)
    assert cuda("cudaGraphLaunch", made, 0) == OK and contents(cuda, place, 5) == bytes([0, 1, 0, 0, 0])


def copy(to: int, source: int, size: int) -> Words:
    """`CUDA_MEMCPY3D` of one row of the device's memory."""
    sides = [struct.pack("<4QI4x6Q", 0, 0, 0, 0, 2, 0, place, 0, 0, 0, 0) for place in (source, to)]
    return Words.of(b"".join(sides) + struct.pack("<3Q", size, 1, 1))


def test_copies_in_nodes_of_the_driver(cuda: Compiled) -> None:
    place, source = cuda.get("cudaMalloc", 64), cuda.get("cudaMalloc", 64)
    assert cuda("cuMemcpyHtoD_v2", source, Words.of(bytes(range(1, 65))), 64) == OK
    graph = cuda.get("cuGraphCreate", 0)
    given = copy(place, source, 3)
    node = cuda.get("cuGraphAddMemcpyNode", graph, 0, 0, given, cuda.context)
    found = Words(208)
    assert cuda("cuGraphMemcpyNodeGetParams", node, found) == OK and bytes(found.bytes[:200]) == bytes(given.bytes)
    made = cuda.get("cuGraphInstantiateWithFlags", graph, 0)

    def launched(executable: int) -> bytes:
        clear(cuda, place)
        assert cuda("cuGraphLaunch", executable, 0) == OK
        return contents(cuda, place, 6)

    assert launched(made) == bytes([1, 2, 3, 0, 0, 0])
    assert cuda("cuGraphMemcpyNodeSetParams", node, copy(place + 1, source + 5, 2)) == OK
    assert launched(made) == bytes([1, 2, 3, 0, 0, 0])
    assert launched(cuda.get("cuGraphInstantiateWithFlags", graph, 0)) == bytes([0, 6, 7, 0, 0, 0])
    assert cuda("cuGraphExecMemcpyNodeSetParams", made, node, copy(place + 2, source, 1), cuda.context) == OK
    assert launched(made) == bytes([0, 0, 1, 0, 0, 0])
    general = Words.of(struct.pack("<i12x16x", MEMCPY) + bytes(copy(place, source + 9, 2).bytes) + bytes(40))
    assert cuda("cuGraphNodeSetParams", node, general) == cuda("cuGraphExecNodeSetParams", made, node, general) == OK
    assert launched(made) == bytes([10, 11, 0, 0, 0, 0]) == launched(cuda.get("cuGraphInstantiateWithFlags", graph, 0))
    by_row = struct.pack("<20Q", 0, 0, 0, 0, source + 3, 64, 0, 1, 0, 0, 0, 0, place, 64, 0, 1, 2, 1, 1, 4)
    runtime = Words.of(struct.pack("<i12x16x", MEMCPY) + by_row + bytes(80))
    own = cuda.get("cudaGraphCreate", 0)
    cuda.get("cudaGraphAddNode", own, 0, 0, 0, runtime)
    assert launched(cuda.get("cudaGraphInstantiate", own, 0)) == bytes([4, 5, 0, 0, 0, 0])


@pytest.mark.parametrize("prefix", ["cu", "cuda"])
def test_fills_and_calls_in_nodes(cuda: Compiled, prefix: str) -> None:
    """Rows of elements, of which a height of 0 is one."""
    place, said = cuda.get("cudaMalloc", 64), list[int]()
    callback = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(said.append)
    function = ctypes.cast(callback, ctypes.c_void_p).value or 0
    graph, end = cuda.get(f"{prefix}GraphCreate", 0), (cuda.context,) if prefix == "cu" else ()
    fills = [Words.of(struct.pack("<QQIIQQ", place, 10, 0x1234, 2, 2, height)) for height in (0, 3)]
    node = cuda.get(f"{prefix}GraphAddMemsetNode", graph, 0, 0, fills[0], *end)
    calls = [Words.of(struct.pack("<QQ", function, number)) for number in (5, 6)]
    host = cuda.get(f"{prefix}GraphAddHostNode", graph, row(node), 1, calls[0])
    made = cuda.get(f"{prefix}GraphInstantiate", graph, 0)
    clear(cuda, place)
    assert cuda(f"{prefix}GraphLaunch", made, 0) == OK and said == [5]
    assert contents(cuda, place, 24) == b"\x34\x12" * 2 + bytes(20)
    assert cuda(f"{prefix}GraphExecMemsetNodeSetParams", made, node, fills[1], *end) == OK
    assert (
        cuda(f"{prefix}GraphExecHostNodeSetParams", made, host, calls[1]) == cuda(f"{prefix}GraphLaunch", made, 0) == OK
    )
    assert said == [5, 6] and contents(cuda, place, 24) == (b"\x34\x12" * 2 + bytes(6)) * 2 + b"\x34\x12" * 2
    found = Words(48)
    for one, name, given in ((node, "Memset", fills[0]), (host, "Host", calls[0])):
        assert cuda(f"{prefix}Graph{name}NodeGetParams", one, found) == OK
        assert bytes(found.bytes[: len(given.bytes)]) == bytes(given.bytes)
    assert (
        cuda(f"{prefix}GraphHostNodeSetParams", host, calls[1])
        == cuda(f"{prefix}GraphMemsetNodeSetParams", node, fills[1])
        == OK
    )
    assert cuda(f"{prefix}GraphHostNodeGetParams", host, found) == OK and bytes(found.bytes[:16]) == bytes(
        calls[1].bytes
    )


@pytest.mark.parametrize("prefix", ["cu", "cuda"])
def test_events_in_nodes(cuda: Compiled, prefix: str) -> None:
    first, second = (cuda.get("cuEventCreate", 0) for _ in range(2))
    graph = cuda.get(f"{prefix}GraphCreate", 0)
    record = cuda.get(f"{prefix}GraphAddEventRecordNode", graph, 0, 0, first)
    wait = cuda.get(f"{prefix}GraphAddEventWaitNode", graph, row(record), 1, first)
    empty = cuda.get(f"{prefix}GraphAddEmptyNode", graph, 0, 0)
    assert [cuda.get(f"{prefix}GraphNodeGetType", node, at=1, dtype="i4") for node in (record, wait, empty)] == [
        RECORD,
        WAIT,
        EMPTY,
    ]

    def recorded(executable: int) -> list[bool]:
        """Which of the two events the launch records."""
        before = [cuda.driver.things[event][0].recorded for event in (first, second)]
        assert cuda(f"{prefix}GraphLaunch", executable, 0) == OK
        return [
            cuda.driver.things[event][0].recorded != old for event, old in zip((first, second), before, strict=True)
        ]

    made = cuda.get(f"{prefix}GraphInstantiate", graph, 0)
    assert recorded(made) == [True, False]
    assert cuda(f"{prefix}GraphExecEventRecordNodeSetEvent", made, record, second) == OK
    assert cuda(f"{prefix}GraphExecEventWaitNodeSetEvent", made, wait, second) == OK
    assert recorded(made) == [False, True] and recorded(cuda.get(f"{prefix}GraphInstantiate", graph, 0)) == [
        True,
        False,
    ]
    for name, node in (("Record", record), ("Wait", wait)):
        assert cuda.get(f"{prefix}GraphEvent{name}NodeGetEvent", node, at=1) == first
        assert cuda(f"{prefix}GraphEvent{name}NodeSetEvent", node, second) == OK
        assert cuda.get(f"{prefix}GraphEvent{name}NodeGetEvent", node, at=1) == second
        assert cuda(f"{prefix}GraphEvent{name}NodeGetEvent", empty, Words()) == INVALID_VALUE
        assert cuda(f"{prefix}GraphEvent{name}NodeSetEvent", node, graph) == INVALID_HANDLE
    assert recorded(cuda.get(f"{prefix}GraphInstantiate", graph, 0)) == [False, True]
    assert cuda(f"{prefix}GraphAddEventWaitNode", Words(), graph, 0, 0, 1234) == INVALID_HANDLE


@pytest.mark.parametrize("prefix", ["cu", "cuda"])
def test_graphs_in_nodes(cuda: Compiled, prefix: str) -> None:
    """A node has a copy of the graph that it is made of, which later changes of that one do not reach."""
    place, end = cuda.get("cudaMalloc", 64), (cuda.context,) if prefix == "cu" else ()
    graph, child = (cuda.get(f"{prefix}GraphCreate", 0) for _ in range(2))

    def fill(at: int) -> Words:
        return Words.of(struct.pack("<QQIIQQ", place + at, 0, 7, 1, 1, 1))

    first = cuda.get(f"{prefix}GraphAddMemsetNode", child, 0, 0, fill(0), *end)
    node = cuda.get(f"{prefix}GraphAddChildGraphNode", graph, 0, 0, child)
    cuda.get(f"{prefix}GraphAddMemsetNode", child, row(first), 1, fill(1), *end)
    made = cuda.get(f"{prefix}GraphInstantiate", graph, 0)
    clear(cuda, place)
    assert cuda(f"{prefix}GraphLaunch", made, 0) == OK and contents(cuda, place, 3) == b"\7\0\0"
    copied = cuda.get(f"{prefix}GraphChildGraphNodeGetGraph", node, at=1)
    assert copied not in (graph, child) and cuda.get(f"{prefix}GraphNodeFindInClone", first, copied) != first
    assert cuda(f"{prefix}GraphChildGraphNodeGetGraph", first, Words()) == INVALID_VALUE
    assert cuda("cuGraphAddDependencies", child, row(first), row(first), 1) == INVALID_VALUE
    loop = cuda.get(f"{prefix}GraphCreate", 0)
    nodes = [cuda.get(f"{prefix}GraphAddEmptyNode", loop, 0, 0) for _ in range(2)]
    for pair in (nodes, nodes[::-1]):
        assert cuda("cuGraphAddDependencies", loop, row(pair[0]), row(pair[1]), 1) == OK
    assert cuda(f"{prefix}GraphAddChildGraphNode", Words(), graph, 0, 0, loop) == INVALID_VALUE
    assert cuda(f"{prefix}GraphInstantiate", Words(), loop, 0) == INVALID_VALUE
    assert cuda("cuGraphRemoveDependencies", loop, row(nodes[0]), row(nodes[1]), 1) == OK
    assert cuda("cuGraphRemoveDependencies", loop, row(nodes[0]), row(nodes[1]), 1) == INVALID_VALUE
    assert cuda(f"{prefix}GraphAddChildGraphNode", Words(), graph, 0, 0, loop) == OK
    parameters = Words(64)
    assert cuda(f"{prefix}GraphInstantiateWithParams", Words(), graph, parameters) == OK
    assert cuda.get(f"{prefix}GraphExecGetFlags", made, at=1) == 0 and cuda(f"{prefix}GraphUpload", made, 0) == OK
    assert (
        cuda(f"{prefix}GraphUpload", graph, 0) == cuda(f"{prefix}GraphExecGetFlags", graph, Words()) == INVALID_HANDLE
    )
    for name, thing in (("GraphGetId", graph), ("GraphExecGetId", made), ("GraphNodeGetLocalId", node)):
        assert cuda.get(f"{prefix}{name}", thing, at=1, dtype="u4") == thing & 0x7FFF_FFFF
    assert cuda(f"{prefix}DeviceGraphMemTrim", 0) == OK


@pytest.mark.parametrize("prefix", ["cu", "cuda"])
def test_functions_of_one_kind_refuse_nodes_of_others(cuda: Compiled, prefix: str) -> None:
    """Structures of kinds have different sizes: nothing is written, and nothing changes."""
    place, graph = cuda.get("cudaMalloc", 64), cuda.get(f"{prefix}GraphCreate", 0)
    end = (cuda.context,) if prefix == "cu" else ()
    event, kernel = cuda.get("cuEventCreate", 0), Kernel(cuda, prefix, place, 1)
    given = {
        "Kernel": kernel.parameters,
        "Memset": Words.of(struct.pack("<QQIIQQ", place, 10, 0x12, 1, 2, 1)),
        "Host": Words.of(struct.pack("<QQ", ctypes.cast(ctypes.CFUNCTYPE(None)(print), ctypes.c_void_p).value, 0)),
    }
    nodes = {
        "Kernel": cuda.get(f"{prefix}GraphAddKernelNode", graph, 0, 0, given["Kernel"]),
        "Memset": cuda.get(f"{prefix}GraphAddMemsetNode", graph, 0, 0, given["Memset"], *end),
        "Host": cuda.get(f"{prefix}GraphAddHostNode", graph, 0, 0, given["Host"]),
        "Empty": cuda.get(f"{prefix}GraphAddEmptyNode", graph, 0, 0),
        "EventWait": cuda.get(f"{prefix}GraphAddEventWaitNode", graph, 0, 0, event),
        "MemFree": cuda.get(f"{prefix}GraphAddMemFreeNode", graph, 0, 0, place),
    }
    made = cuda.get(f"{prefix}GraphInstantiate", graph, 0)
    for kind, node in nodes.items():
        for name in ("Kernel", "Memset", "Host", "Memcpy", "MemAlloc", "MemFree", "EventWait", "EventRecord"):
            what = "Event" if name.startswith("Event") else "Params"
            alike = kind == name or (kind, name) == ("EventWait", "EventRecord")
            out = Words(120)
            assert cuda(f"{prefix}Graph{name}NodeGet{what}", node, out) == (OK if alike else INVALID_VALUE), kind
            assert alike or (name == "MemFree" and kind == name) or (out.bytes == 0xA5).all()
            if name in ("Kernel", "Memset", "Host"):
                words = given[name], *(end if name == "Memset" else ())
                for function in (f"{name}NodeSet", f"Exec{name}NodeSet"):
                    first = (made,) if function.startswith("Exec") else ()
                    status = cuda(f"{prefix}Graph{function}Params", *first, node, *words)
                    assert status == (OK if alike else INVALID_VALUE), (kind, name)
        assert cuda(f"{prefix}GraphKernelNodeGetAttribute", node) == (OK if kind == "Kernel" else INVALID_VALUE)
        for name in ("EventWait", "EventRecord"):
            right = OK if kind == "EventWait" else INVALID_VALUE
            assert cuda(f"{prefix}Graph{name}NodeSetEvent", node, event) == right
            assert cuda(f"{prefix}GraphExec{name}NodeSetEvent", made, node, event) == right
    for name, first in (("MemcpyNode", ()), ("ExecMemcpyNode", (made,))):
        assert cuda(f"cudaGraph{name}SetParams1D", *first, nodes["Memset"], place, place, 1, 4) == INVALID_VALUE


def test_a_graph_takes_the_place_of_another(cuda: Compiled) -> None:
    """Where its nodes are of the same kinds; what differs is said."""
    place = cuda.get("cudaMalloc", 64)

    def graph(*values: int, host: bool = False) -> int:
        made, last = cuda.get("cuGraphCreate", 0), list[int]()
        for number, value in enumerate(values):
            fill = Words.of(struct.pack("<QQIIQQ", place + number, 0, value, 1, 1, 1))
            before = row(*last) if last else 0
            last = [cuda.get("cuGraphAddMemsetNode", made, before, len(last), fill, cuda.context)]
        if host:
            cuda.get("cuGraphAddEmptyNode", made, 0, 0)
        return made

    made = cuda.get("cuGraphInstantiateWithFlags", graph(1, 2), 0)
    for given, status, found in (
        (graph(3, 4), OK, b"\3\4\0"),
        (graph(5), 910, b"\3\4\0"),
        (graph(5, host=True), 910, b"\3\4\0"),
    ):
        for name in ("cuGraphExecUpdate_v2", "cudaGraphExecUpdate"):
            result = Words(32)
            assert cuda(name, made, given, result) == status
            assert bytes(result.bytes) == struct.pack("<i20x", 2 if status else 0) + b"\xa5" * 8
        assert cuda("cuGraphExecUpdate_v2", made, given, 0) == status
        error, result = Words(16), Words(8)
        assert cuda("cuGraphExecUpdate", made, given, error, result) == status
        assert bytes(error.bytes) == bytes(8) + b"\xa5" * 8
        assert bytes(result.bytes) == struct.pack("<i", 2 if status else 0) + b"\xa5" * 4
        clear(cuda, place)
        assert cuda("cuGraphLaunch", made, 0) == OK and contents(cuda, place, 3) == found


def test_memory_of_captured_streams(cuda: Compiled) -> None:
    """An allocation is a node, whose address is known at once; it may be given back in the stream and used again."""
    stream = cuda.get("cudaStreamCreate")
    assert cuda("cuStreamBeginCapture_v2", stream, 0) == OK
    place = cuda.get("cudaMallocAsync", 16, stream)
    assert cuda("cudaMemsetAsync", place, 7, 16, stream) == OK
    other = cuda.get("cudaMalloc", 16)
    assert cuda("cudaMemcpyAsync", other, place, 16, 4, stream) == cuda("cudaFreeAsync", place, stream) == OK
    graph = cuda.get("cudaStreamEndCapture", stream, at=1)
    nodes, count = Words(40), row(5)
    assert cuda("cudaGraphGetNodes", graph, nodes, count) == OK and int(count.view()[0]) == 4
    kinds = [cuda.get("cuGraphNodeGetType", node, at=1, dtype="i4") for node in nodes.view()[:4].tolist()]
    assert kinds == [ALLOC, MEMSET, MEMCPY, FREE]
    made = cuda.get("cudaGraphInstantiate", graph, 0)
    for _ in range(2):
        assert cuda("cudaMemset", other, 0, 16) == cuda("cudaGraphLaunch", made, stream) == OK
        assert contents(cuda, other, 16) == b"\7" * 16
    assert cuda("cudaFree", place) == OK
    assert cuda("cudaMemset", place, 1, 16) == INVALID_VALUE
    assert cuda("cudaGraphLaunch", made, stream) == OK and cuda("cudaMemset", place, 1, 16) == OK, "it is there again"
    assert cuda("cudaMallocAsync", Words(), 16, 1234) == INVALID_HANDLE


def test_captures_into_graphs(cuda: Compiled) -> None:
    """Behind nodes that are there; all that is known of a capture is told by each form of the question."""
    place, stream = cuda.get("cudaMalloc", 64), cuda.get("cudaStreamCreate")
    graph = cuda.get("cudaGraphCreate", 0)
    first = cuda.get("cudaGraphAddEmptyNode", graph, 0, 0)
    assert cuda("cudaStreamBeginCaptureToGraph", stream, 1234, 0, 0, 0, 0) == INVALID_HANDLE
    assert cuda("cudaStreamBeginCaptureToGraph", stream, graph, row(first), 0, 1, 0) == OK
    numbers: set[int] = set()
    for name, at in (
        ("cuStreamGetCaptureInfo", {"status": 1, "number": 2}),
        ("cuStreamGetCaptureInfo_v2", {"status": 1, "number": 2, "graph": 3, "row": 4, "count": 5}),
        ("cudaStreamGetCaptureInfo_v2", {"status": 1, "number": 2, "graph": 3, "row": 4, "count": 5}),
        ("cuStreamGetCaptureInfo_v3", {"status": 1, "number": 2, "graph": 3, "row": 4, "edges": 5, "count": 6}),
        ("cudaStreamGetCaptureInfo_v3", {"status": 1, "number": 2, "graph": 3, "row": 4, "edges": 5, "count": 6}),
        ("cudaStreamGetCaptureInfo", {"status": 1, "number": 2, "graph": 3, "row": 4, "edges": 5, "count": 6}),
    ):
        out = {word: Words(16) for word in at}
        assert cuda(name, stream, *out.values()) == OK
        assert int(out["status"].view("i4")[0]) == 1 and (out["status"].bytes[4:] == 0xA5).all()
        numbers.add(int(out["number"].view()[0]))
        if "graph" in out:
            assert int(out["graph"].view()[0]) == graph and int(out["count"].view()[0]) == 1
            assert ctypes.c_uint64.from_address(int(out["row"].view()[0])).value == first
        assert "edges" not in out or int(out["edges"].view()[0]) == 0
    assert len(numbers) == 1
    assert cuda("cudaMemsetAsync", place, 7, 4, stream) == OK
    assert cuda.get("cudaStreamIsCapturing", stream, at=1, dtype="i4") == 1
    assert cuda.get("cudaStreamEndCapture", stream, at=1) == graph
    assert cuda.get("cudaStreamIsCapturing", stream, at=1, dtype="i4") == 0
    edges, count = (Words(16), Words(16)), row(2)
    assert cuda("cuGraphGetEdges", graph, *edges, count) == OK and int(count.view()[0]) == 1
    assert int(edges[0].view()[0]) == first and int(edges[1].view()[0]) != first
    assert (edges[0].bytes[8:] == 0xA5).all() and (edges[1].bytes[8:] == 0xA5).all()
    mode = Words(8)
    assert cuda("cudaThreadExchangeStreamCaptureMode", mode) == OK
    assert cuda("cudaStreamEndCapture", stream, Words()) == ILLEGAL_STATE
    assert cuda("cudaStreamBeginCaptureToGraph", 0, graph, 0, 0, 0, 0) == CAPTURE_IMPLICIT
    assert cuda("cudaStreamBeginCaptureToGraph", stream, graph, 0, 0, 0, 3) == INVALID_VALUE
    into = [cuda("cudaStreamBeginCaptureToGraph", stream, graph, 0, 0, 0, 0) for _ in range(2)]
    assert into == [OK, ILLEGAL_STATE]
    assert cuda("cudaStreamEndCapture", stream, 0) == OK, "the program holds the graph"
    assert cuda("cudaStreamBeginCapture", stream, 0) == OK
    assert cuda("cudaStreamEndCapture", stream, 0) == INVALID_VALUE
    assert cuda("cudaStreamEndCapture", stream, Words()) == OK
    status, number = Words(8), Words(8)
    assert cuda("cuStreamGetCaptureInfo", stream, status, number) == OK
    assert int(status.view("i4")[0]) == 0 and (number.bytes == 0xA5).all()


def test_the_first_form_of_a_capture_says_no_mode(cuda: Compiled) -> None:
    stream = cuda.get("cudaStreamCreate")
    assert [cuda("cuStreamBeginCapture", stream) for _ in range(2)] == [OK, ILLEGAL_STATE]
    assert cuda("cuStreamEndCapture", stream, Words()) == OK


def test_conditions_of_the_runtime(cuda: Compiled) -> None:
    """Flag 1 gives them their default at each launch, without it they keep what they have."""
    for flags, values in ((1, [3, 3]), (0, [3, 9])):
        for name, context in (("cudaGraphConditionalHandleCreate", ()), ("cudaGraphConditionalHandleCreate_v2", (0,))):
            graph = cuda.get("cudaGraphCreate", 0)
            word = cuda.get(name, graph, *context, 3, flags)
            assert contents(cuda, word, 4) == struct.pack("<I", 3)
            made = cuda.get("cudaGraphInstantiate", graph, 0)
            assert cuda("cuMemsetD32_v2", word, 9, 1) == cuda("cudaGraphLaunch", made, 0) == OK
            assert contents(cuda, word, 4) == struct.pack("<I", values[1])


def test_nodes_are_destroyed_with_what_depends_on_them(cuda: Compiled) -> None:
    graph = cuda.get("cudaGraphCreate", 0)
    nodes = [cuda.get("cudaGraphAddEmptyNode", graph, 0, 0)]
    for _ in range(2):
        nodes.append(cuda.get("cudaGraphAddEmptyNode", graph, row(nodes[-1]), 1))
    assert [cuda("cudaGraphDestroyNode", nodes[1]) for _ in range(2)] == [OK, INVALID_HANDLE]
    count = row(0)
    assert cuda("cuGraphGetEdges", graph, 0, 0, count) == OK and int(count.view()[0]) == 0
    assert cuda("cudaGraphGetNodes", graph, 0, count) == OK and int(count.view()[0]) == 2
    assert cuda("cudaGraphAddEmptyNode", Words(), graph, row(nodes[0], nodes[1]), 2) == INVALID_HANDLE
    assert cuda("cudaGraphAddEmptyNode", Words(), nodes[0], 0, 0) == INVALID_HANDLE
    other = cuda.get("cudaGraphAddEmptyNode", cuda.get("cudaGraphCreate", 0), 0, 0)
    assert cuda("cuGraphAddDependencies", graph, row(nodes[0]), row(other), 1) == INVALID_VALUE
    assert cuda("cudaGraphNodeFindInClone", Words(), nodes[0], graph) == INVALID_VALUE
    assert [cuda("cudaGraphDestroy", graph) for _ in range(2)] == [OK, INVALID_HANDLE]
