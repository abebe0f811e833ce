"""Graphs that do something: nodes by the structures of CUDA's header, captures, and what is instantiated of both."""

from __future__ import annotations

import ctypes
import struct

import pytest

from tests.gpu.calls import INVALID_HANDLE, INVALID_VALUE, OK, Program, Words, contents

MEMCPY, MEMSET, HOST, CHILD, EMPTY, WAIT, RECORD, ALLOC, FREE, CONDITIONAL = 1, 2, 3, 4, 5, 6, 7, 10, 11, 13
ILLEGAL_STATE, UNMATCHED, UNJOINED, IMPLICIT, UPDATE_FAILURE, CAPTURING = 401, 903, 904, 906, 910, 900
CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_uint64)


@pytest.fixture
def cu() -> Program:
    return Program()


def fill(to: int, value: int, *, width: int = 8, height: int = 1, pitch: int = 0, element: int = 1) -> bytes:
    """`CUDA_MEMSET_NODE_PARAMS`."""
    return struct.pack("<QQIIQQ", to, pitch, value, element, width, height)


def copy(to: int, source: int, size: int) -> bytes:
    """`CUDA_MEMCPY3D` of one row of the device's memory."""
    sides = [struct.pack("<4QI4x6Q", 0, 0, 0, 0, 2, 0, place, 0, 0, 0, 0) for place in (source, to)]
    return b"".join(sides) + struct.pack("<3Q", size, 1, 1)


def node(kind: int, parameters: bytes) -> Words:
    """`CUgraphNodeParams`: the kind, and what its kind needs after 16 bytes."""
    return Words.of(struct.pack("<i12x", kind) + parameters.ljust(240, b"\0"))


def handles(*given: int) -> Words:
    return Words.of(struct.pack(f"<{len(given)}Q", *given))


def launched(cu: Program, graph: int) -> int:
    """What a graph is instantiated as, after it has run once."""
    made = cu.get("cuGraphInstantiateWithFlags", graph, 0)
    assert cu("cuGraphLaunch", made, 0) == OK
    return made


def add(cu: Program, graph: int, kind: int, parameters: bytes, *after: int) -> int:
    return cu.get("cuGraphAddNode_v2", graph, handles(*after) if after else 0, 0, len(after), node(kind, parameters))


def test_nodes_of_every_kind(cu: Program) -> None:
    first, second = (cu.get("cuMemAlloc_v2", 64) for _ in range(2))
    graph, child, said = cu.get("cuGraphCreate", 0), cu.get("cuGraphCreate", 0), list[int]()
    event = cu.get("cuEventCreate", 0)
    callback = CALLBACK(said.append)
    function = ctypes.cast(callback, ctypes.c_void_p).value or 0
    set_ = add(cu, graph, MEMSET, fill(first, 0x1234, width=3, height=2, pitch=16, element=2))
    moved = add(cu, graph, MEMCPY, bytes(16) + copy(second + 8, first, 22), set_)
    last = cu.get("cuGraphAddMemsetNode", child, 0, 0, Words.of(fill(second, 7, width=4)), cu.context)
    inner = add(cu, graph, CHILD, handles(child).bytes.tobytes(), moved)
    host = add(cu, graph, HOST, struct.pack("<QQ", function, 77), inner)
    mark = add(cu, graph, RECORD, struct.pack("<Q", event), host)
    add(cu, graph, WAIT, struct.pack("<Q", event), mark)
    add(cu, graph, EMPTY, b"", mark)
    kinds = [MEMSET, MEMCPY, CHILD, HOST, RECORD]
    given = [cu.get("cuGraphNodeGetType", one, at=1, dtype="i4") for one in (set_, moved, inner, host, mark)]
    assert given == kinds and cu.get("cuGraphNodeGetType", last, at=1, dtype="i4") == MEMSET
    assert cu("cuMemsetD8_v2", second, 0, 64) == cu("cuMemsetD8_v2", first, 0, 64) == OK
    made = launched(cu, graph)
    assert contents(cu, first, 24) == b"\x34\x12" * 3 + bytes(10) + b"\x34\x12" * 3 + bytes(2)
    assert contents(cu, second, 32) == b"\7" * 4 + bytes(4) + contents(cu, first, 22) + bytes(2)
    assert said == [77] and cu("cuEventQuery", event) == OK
    assert cu.get("cuGraphEventRecordNodeGetEvent", mark, at=1) == event
    assert cu("cuGraphEventRecordNodeGetEvent", host, Words()) == INVALID_VALUE
    assert cu("cuGraphAddNode_v2", Words(), graph, 0, 0, 0, node(99, b"")) == 801
    # What is off does nothing; what is changed does something else, there only.
    for one, name in ((host, "host"), (set_, "memset")):
        assert cu.get("cuGraphNodeGetEnabled", made, one, at=2, dtype="u4") == 1, name
        assert cu("cuGraphNodeSetEnabled", made, one, 0) == OK
        assert cu.get("cuGraphNodeGetEnabled", made, one, at=2, dtype="u4") == 0
    assert cu("cuMemsetD8_v2", first, 0, 64) == cu("cuGraphLaunch", made, 0) == OK
    assert said == [77] and not any(contents(cu, first, 24))
    assert cu("cuGraphNodeSetEnabled", made, set_, 1) == OK
    assert cu("cuGraphExecNodeSetParams", made, set_, node(MEMSET, fill(first, 9, width=2))) == OK
    assert cu("cuGraphLaunch", made, 0) == OK and contents(cu, first) == b"\x09\x09" + bytes(6)
    launched(cu, graph)
    assert contents(cu, first, 2) == b"\x34\x12" and said == [77, 77]
    assert cu("cuGraphNodeSetParams", set_, node(MEMSET, fill(first, 5, width=1))) == OK
    assert cu("cuGraphNodeSetParams", set_, node(HOST, bytes(16))) == INVALID_VALUE
    launched(cu, graph)
    assert contents(cu, first, 2) == b"\x05\x12"
    assert cu("cuGraphMemsetNodeGetParams", set_, found := Words(48)) == OK
    assert bytes(found.bytes[:40]) == fill(first, 5, width=1)


def test_memory_of_graphs_keeps_its_address(cu: Program) -> None:
    graph, parameters = cu.get("cuGraphCreate", 0), Words.of(bytes(104) + struct.pack("<QQ", 64, 0))
    made = cu.get("cuGraphAddMemAllocNode", graph, 0, 0, parameters)
    place = int(parameters.view()[14])
    used = cu.get("cuGraphAddMemsetNode", graph, handles(made), 1, Words.of(fill(place, 3)), cu.context)
    freed = cu.get("cuGraphAddMemFreeNode", graph, handles(used), 1, place)
    assert cu.get("cuGraphMemFreeNodeGetParams", freed, at=1) == place
    assert cu("cuGraphMemFreeNodeGetParams", used, Words()) == INVALID_VALUE
    for _ in range(2):
        launched(cu, graph)
        assert contents(cu, place) == b"\3" * 8


@pytest.mark.parametrize(("kind", "runs"), [(0, [1, 0]), (1, [3, 0]), (2, [1, 1])])
def test_conditions(cu: Program, kind: int, runs: list[int]) -> None:
    """IF once, WHILE as long as the word is not 0 (the body counts it down), SWITCH by number."""
    place, counted = cu.get("cuMemAlloc_v2", 8), [0, 0]
    for start, expected in ((3 if kind == 1 else 1 if kind == 2 else 5, runs[0]), (0, runs[1])):
        graph = cu.get("cuGraphCreate", 0)
        word = cu.get("cuGraphConditionalHandleCreate", graph, cu.context, start, 1)
        size = 2 if kind == 2 else 1
        parameters = node(CONDITIONAL, struct.pack("<QIIQ", word, kind, size, 0))
        assert cu("cuGraphAddNode_v2", Words(), graph, 0, 0, 0, parameters) == OK
        bodies = (ctypes.c_uint64 * size).from_address(int(parameters.view()[4]))

        def down(_: int, word: int = word) -> None:
            left = Words(4)
            assert cu("cuMemcpyDtoH_v2", left, word, 4) == OK
            left.view("u4")[0] -= 1
            assert cu("cuMemcpyHtoD_v2", word, left, 4) == OK
            counted[0] += 1

        callbacks = [CALLBACK(down if kind == 1 else lambda _: counted.__setitem__(0, counted[0] + 1))]
        callbacks += [CALLBACK(lambda _: counted.__setitem__(1, counted[1] + 1))]
        for number, body in enumerate(bodies):
            function = ctypes.cast(callbacks[number], ctypes.c_void_p).value or 0
            cu.get("cuGraphAddHostNode", body, 0, 0, Words.of(struct.pack("<QQ", function, 0)))
        counted[:] = [0, 0]
        launched(cu, graph)
        chosen = counted[start] if kind == 2 else counted[0]
        assert (chosen, sum(counted)) == (expected, expected)
    for wrong in ((word, 3, 1), (word, 0, 0), (word, 0, 1 << 20)):
        assert cu("cuGraphAddNode_v2", Words(), graph, 0, 0, 0, node(CONDITIONAL, struct.pack("<QII", *wrong))) == 1
    assert place


def information(cu: Program, stream: int) -> tuple[int, list[int]]:
    """Whether a stream is captured, and what comes next depends on."""
    status, number, graph, row, count = (Words(8) for _ in range(5))
    assert cu("cuStreamGetCaptureInfo_v2", stream, status, number, graph, row, count) == OK
    if not int(status.view("u4")[0]):
        return 0, []
    last = (ctypes.c_uint64 * int(count.view()[0])).from_address(int(row.view()[0]))
    return 1, list(last)


def test_captures(cu: Program) -> None:
    place, stream, other = cu.get("cuMemAlloc_v2", 64), cu.get("cuStreamCreate", 1), cu.get("cuStreamCreate", 1)
    assert [cu("cuStreamBeginCapture_v2", one, 0) for one in (0, 1)] == [IMPLICIT] * 2
    assert [cu("cuStreamBeginCapture_v2", stream, mode) for mode in (-1, 3)] == [INVALID_VALUE] * 2
    assert cu("cuStreamBeginCapture_v2", 0x1234, 0) == INVALID_HANDLE
    assert cu("cuStreamEndCapture", stream, Words()) == ILLEGAL_STATE
    assert cu("cuStreamUpdateCaptureDependencies", stream, 0, 0, 0) == ILLEGAL_STATE
    assert information(cu, stream) == (0, [])
    assert [cu("cuStreamBeginCapture_v2", stream, mode) for mode in (2, 0)] == [OK, ILLEGAL_STATE]
    assert information(cu, stream) == (1, []) and cu("cuStreamSynchronize", stream) == CAPTURING
    assert cu("cuMemsetD8_v2", place, 0, 64) == cu("cuMemsetD8Async", place, 1, 4, stream) == OK
    assert not any(contents(cu, place)), "it is only noted"
    first = information(cu, stream)[1]
    assert cu("cuMemsetD8Async", place + 4, 2, 4, stream) == OK
    second = information(cu, stream)[1]
    assert len(first) == len(second) == 1 and first != second
    assert cu("cuStreamUpdateCaptureDependencies", stream, handles(*first, *second), 2, 0) == OK
    assert information(cu, stream)[1] == second + first
    assert cu("cuStreamUpdateCaptureDependencies", stream, handles(*first), 1, 1) == OK
    assert information(cu, stream)[1] == first
    # An event draws another stream in, whose work has to be joined.
    event = cu.get("cuEventCreate", 0)
    assert cu("cuEventRecord", event, stream) == cu("cuStreamWaitEvent", other, event, 0) == OK
    assert cu.get("cuStreamIsCapturing", other, at=1, dtype="i4") == 1
    assert information(cu, other)[1] == first and cu("cuStreamEndCapture", other, Words()) == UNMATCHED
    assert cu("cuMemsetD8Async", place + 8, 3, 4, other) == OK
    assert cu("cuEventRecord", event, other) == cu("cuStreamWaitEvent", stream, event, 0) == OK
    assert information(cu, stream)[1] == first + information(cu, other)[1]
    graph = cu.get("cuStreamEndCapture", stream, at=1)
    assert information(cu, stream) == information(cu, other) == (0, [])
    made = launched(cu, graph)
    assert contents(cu, place, 16) == b"\1" * 4 + b"\2" * 4 + b"\3" * 4 + bytes(4)
    assert cu("cuStreamBeginCapture_v2", stream, 0) == cu("cuEventRecord", event, stream) == OK
    assert cu("cuStreamWaitEvent", other, event, 0) == cu("cuMemsetD8Async", place, 1, 4, other) == OK
    assert cu("cuStreamEndCapture", stream, out := Words(8)) == UNJOINED and not int(out.view()[0])
    # An executable takes what another graph of the same kinds does.
    for kinds, status in ((3, OK), (2, UPDATE_FAILURE)):
        assert cu("cuStreamBeginCapture_v2", stream, 0) == OK
        for number in range(kinds):
            assert cu("cuMemsetD8Async", place + 4 * number, 9, 4, stream) == OK
        newer, result = cu.get("cuStreamEndCapture", stream, at=1), Words(24)
        assert cu("cuGraphExecUpdate_v2", made, newer, result) == status
        assert int(result.view("i4")[0]) == (2 if status else 0)
    assert cu("cuMemsetD8_v2", place, 0, 64) == cu("cuGraphLaunch", made, stream) == OK
    assert contents(cu, place, 16) == b"\x09" * 12 + bytes(4)
    assert [cu("cuGraphExecDestroy", made) for _ in range(2)] == [OK, INVALID_HANDLE]


def test_user_objects_are_counted(cu: Program) -> None:
    gone: list[int] = []
    callback = CALLBACK(gone.append)
    function = ctypes.cast(callback, ctypes.c_void_p).value or 0
    for wrong in ((5, 0, 1, 1), (5, function, 0, 1), (5, function, 1, 0)):
        assert cu("cuUserObjectCreate", Words(), *wrong) == INVALID_VALUE
    one, graph = cu.get("cuUserObjectCreate", 5, function, 2, 1), cu.get("cuGraphCreate", 0)
    assert cu("cuUserObjectRetain", one, 0) == INVALID_VALUE and cu("cuUserObjectRetain", one, 2) == OK  # 4
    assert [cu("cuUserObjectRelease", one, count) for count in (0, 5, 1)] == [INVALID_VALUE] * 2 + [OK]  # 3
    assert [cu("cuGraphRetainUserObject", graph, one, 1, flags) for flags in (2, 0, 1)] == [INVALID_VALUE, OK, OK]
    assert cu("cuGraphRetainUserObject", graph, one, 0, 0) == INVALID_VALUE
    assert cu("cuGraphReleaseUserObject", graph, one, 3) == INVALID_VALUE  # It holds 2 of 4, one of which was moved.
    assert cu("cuUserObjectRelease", one, 2) == OK and gone == []
    assert cu("cuGraphReleaseUserObject", graph, one, 1) == OK and gone == []
    copy_ = cu.get("cuGraphClone", graph)
    assert cu("cuGraphDestroy", graph) == OK and gone == []
    assert cu("cuGraphDestroy", copy_) == OK and gone == [5]


def test_graphs_in_a_picture(cu: Program, tmp_path: object) -> None:
    graph = cu.get("cuGraphCreate", 0)
    first = cu.get("cuGraphAddEmptyNode", graph, 0, 0)
    second = cu.get("cuGraphAddEmptyNode", graph, handles(first), 1)
    assert cu("cuGraphDebugDotPrint", graph, Words.of(f"{tmp_path}/g.dot\0".encode()), 0) == OK
    with open(f"{tmp_path}/g.dot", encoding="utf-8") as file:
        assert file.read() == 'digraph {\n  n0 [label="empty"];\n  n1 [label="empty"];\n  n0 -> n1;\n}\n'
    assert cu("cuGraphDebugDotPrint", graph, Words.of(f"{tmp_path}/none/g.dot\0".encode()), 0) == 304
    assert cu.get("cuGraphNodeGetContainingGraph", second, at=1) == graph
    assert cu("cuGraphAddDependencies", graph, handles(second), handles(first), 1) == OK
    assert cu("cuGraphInstantiateWithFlags", Words(), graph, 0) == INVALID_VALUE, "it goes round in a circle"
