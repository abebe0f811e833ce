"""Memory and events of other processes.

The pages of an allocation become those of a file without a name when its handle is asked for, at the same addresses;
another process maps the same pages by the number of the file in the first one, which `/proc` knows.
"""

from __future__ import annotations

import mmap
import os
import struct

from weft.gpu.driver.places import data_at, store
from weft.gpu.driver.runtime_table import both
from weft.gpu.driver.runtime_table import call as runtime_call
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_HANDLE, INVALID_VALUE, Refused
from weft.gpu.driver.table import call
from weft.gpu.reservation import map_private, map_shared
from weft.gpu.streams import Event

_HANDLE = struct.Struct("<8sIIQQQ24x")  # A mark, process and file, offset of the allocation, its size, bytes of pages.
_MEMORY, _EVENT = b"weftmem\0", b"weftevt\0"


@both("IpcGetMemHandle", "p p")
def _get(driver: Driver, out: int, pointer: int) -> int:
    memory = driver.device.memory
    found = memory.find(pointer)
    if found is None:
        return INVALID_VALUE
    handle = driver.keep.get(f"shared {found.number}")
    if handle is None:
        start, end = found.address & -mmap.PAGESIZE, -(-found.end // mmap.PAGESIZE) * mmap.PAGESIZE
        file = _file(driver, start, end)
        handle = _HANDLE.pack(_MEMORY, os.getpid(), file, found.address - start, found.size, end - start)
        driver.keep[f"shared {found.number}"] = handle
    store(out, handle)
    return 0


def _file(driver: Driver, start: int, end: int) -> int:
    """Let pages be those of a new file; its number, which stays open."""
    shared: list[tuple[int, int]] = driver.keep.setdefault("shared pages", [])
    if any(first < end and start < last for first, last in shared):
        raise Refused(INVALID_VALUE, "a neighbour of the allocation, on the same page, is shared already")
    shared.append((start, end))
    file = os.memfd_create("weft")
    contents = data_at(start, end - start)
    os.ftruncate(file, end - start)
    os.pwrite(file, contents, 0)
    map_shared(start, end - start, file, 0)
    return file


def _open(driver: Driver, out: int, handle: bytes) -> int:
    mark, process, number, offset, size, pages = _HANDLE.unpack(handle)
    if mark != _MEMORY:
        return INVALID_HANDLE
    memory = driver.device.memory
    try:
        file = os.open(f"/proc/{process}/fd/{number}", os.O_RDWR)
    except OSError as error:
        raise Refused(INVALID_HANDLE, f"memory of process {process}: {error.strerror}") from None
    address = memory.reserve(pages, mmap.PAGESIZE)
    map_shared(address, pages, file, 0)
    os.close(file)
    memory.place(address + offset, size, f"memory of process {process}")
    driver.keep[f"opened {address + offset}"] = address, pages
    put(out, address + offset)
    return 0


@both("IpcCloseMemHandle", "p")
def _close(driver: Driver, pointer: int) -> int:
    found = driver.keep.pop(f"opened {pointer}", None)
    if found is None:
        return INVALID_VALUE
    driver.device.memory.remove(pointer)
    map_private(*found)
    driver.device.memory.give_back(*found)
    return 0


def _handle(words: tuple[int, ...]) -> bytes:
    """A handle that is passed by value lies on the stack, behind what registers would hold."""
    return struct.pack("<8Q", *words[-8:])


@runtime_call("cudaIpcOpenMemHandle", "p u p p p p p p p p p p p p")
def _open_runtime(driver: Driver, out: int, flags: int, *words: int) -> int:
    return _open(driver, out, _handle(words))


@call("cuIpcOpenMemHandle_v2", "p u p p p p p p p p p p p p")
def _open_driver(driver: Driver, out: int, flags: int, *words: int) -> int:
    return _open(driver, out, _handle(words))


@both("IpcGetEventHandle", "p p")
def _get_event(driver: Driver, out: int, event: int) -> None:
    driver.get(event, Event)
    store(out, _EVENT + bytes(56))


@both("IpcOpenEventHandle", "p p p p p p p p p p p p p p")
def _open_event(driver: Driver, out: int, *words: int) -> int:
    """An event of another process: what that process was given before it is done."""
    if _handle(words)[:8] != _EVENT:
        return INVALID_HANDLE
    event = driver.device.event()
    event.record()
    put(out, driver.add(event))
    return 0
