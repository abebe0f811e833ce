"""Memory and events of other processes, by two drivers in this one: a handle is all that they share."""

from __future__ import annotations

import mmap
import os
import struct

import pytest

from tests.gpu.calls import INVALID_HANDLE, INVALID_VALUE, OK, Program, Words, contents

OPEN = {"cu": "cuIpcOpenMemHandle_v2", "cuda": "cudaIpcOpenMemHandle"}


@pytest.fixture
def cu() -> Program:
    return Program()


def handle_of(cu: Program, place: int, prefix: str = "cu") -> bytes:
    out = Words(72)
    assert cu(f"{prefix}IpcGetMemHandle", out, place) == OK
    assert (out.bytes[64:] == 0xA5).all()
    return bytes(out.bytes[:64])


def by_value(handle: bytes, before: int) -> list[int]:
    """The words of a structure that is passed by value: on the stack, behind six registers of which some are used."""
    return [0] * (6 - before) + list(struct.unpack("<8Q", handle))


def opened(cu: Program, handle: bytes, prefix: str = "cu") -> int:
    return cu.get(OPEN[prefix], 1, *by_value(handle, 2))


@pytest.mark.parametrize("prefix", ["cu", "cuda"])
@pytest.mark.parametrize("size", [1, 100, mmap.PAGESIZE, 3 * mmap.PAGESIZE + 5])
def test_memory_of_another_process_is_the_same(cu: Program, prefix: str, size: int) -> None:
    """What either writes, before or after the handle is there, the other sees; all of the allocation and nothing else."""
    cu.get("cuMemAlloc_v2", 50)
    place, other = cu.get("cuMemAlloc_v2", size), Program()
    assert cu("cuMemsetD8_v2", place, 3, size) == OK
    handle = handle_of(cu, place + size - 1, prefix)
    assert handle == handle_of(cu, place, prefix) and contents(cu, place, size) == b"\3" * size
    there = opened(other, handle, prefix)
    assert there % mmap.PAGESIZE == place % mmap.PAGESIZE
    assert other.get("cuMemGetAddressRange_v2", 0, there, at=1) == size
    assert contents(other, there, size) == b"\3" * size
    assert other("cuMemsetD8_v2", there, 4, size) == OK and contents(cu, place, size) == b"\4" * size
    assert cu("cuMemsetD8_v2", place + size - 1, 5, 1) == OK
    assert contents(other, there, size) == b"\4" * (size - 1) + b"\5"
    assert other("cuMemsetD8_v2", there, 6, size + 1) == INVALID_VALUE
    before = other.get("cuMemGetInfo_v2", 0)
    assert [other(f"{prefix}IpcCloseMemHandle", there) for _ in range(2)] == [OK, INVALID_VALUE]
    assert other("cuMemsetD8_v2", there, 7, 1) == INVALID_VALUE and contents(cu, place, size)[-1] == 5
    assert other.get("cuMemGetInfo_v2", 0) >= before
    assert contents(other, opened(other, handle, prefix), size)[-1] == 5, "it may be opened again"


def test_what_is_not_shared(cu: Program) -> None:
    place, other = cu.get("cuMemAlloc_v2", 64), Program()
    neighbour = cu.get("cuMemAlloc_v2", 64)
    handle = handle_of(cu, place)
    assert place // mmap.PAGESIZE == neighbour // mmap.PAGESIZE
    assert cu("cuIpcGetMemHandle", Words(64), neighbour) == INVALID_VALUE, "its page is a file already"
    assert cu("cuIpcGetMemHandle", Words(64), Words()) == INVALID_VALUE, "it is no memory of the device"
    assert cu("cuIpcGetMemHandle", 0, place) == INVALID_VALUE
    mark, process, file, offset, size, pages = struct.unpack("<8sIIQQQ24x", handle)
    assert (process, offset, size, pages) == (os.getpid(), place % mmap.PAGESIZE, 64, mmap.PAGESIZE)
    for wrong in (
        (b"weftevt\0", process, file, offset, size, pages),
        (mark, process, 1 << 20, offset, size, pages),
        (mark, 1 << 30, file, offset, size, pages),
    ):
        words = by_value(struct.pack("<8sIIQQQ24x", *wrong), 2)
        assert other("cuIpcOpenMemHandle_v2", Words(), 1, *words) == INVALID_HANDLE, wrong
    assert other("cuIpcCloseMemHandle", place) == INVALID_VALUE, "nothing was opened"


@pytest.mark.parametrize("prefix", ["cu", "cuda"])
def test_events_of_another_process(cu: Program, prefix: str) -> None:
    """What was given before is done."""
    event, other, out = cu.get("cuEventCreate", 2), Program(), Words(72)
    assert cu(f"{prefix}IpcGetEventHandle", out, event) == OK
    handle = bytes(out.bytes[:64])
    assert (out.bytes[64:] == 0xA5).all()
    there = other.get(f"{prefix}IpcOpenEventHandle", *by_value(handle, 1))
    assert other("cuEventQuery", there) == other("cuStreamWaitEvent", 0, there, 0) == OK
    assert other("cuEventElapsedTime", Words(), there, there) == OK
    assert cu(f"{prefix}IpcGetEventHandle", out, 1234) == INVALID_HANDLE
    memory = handle_of(cu, cu.get("cuMemAlloc_v2", 8))
    assert other(f"{prefix}IpcOpenEventHandle", Words(), *by_value(memory, 1)) == INVALID_HANDLE
    assert other("cuIpcOpenMemHandle_v2", Words(), 1, *by_value(handle, 2)) == INVALID_HANDLE
