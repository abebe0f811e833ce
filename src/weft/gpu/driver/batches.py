"""Copies in batches, between arrays, and between devices, of which there is one; rows of memory operations."""

from __future__ import annotations

import ctypes
import struct

from weft.gpu.driver import copies, memory
from weft.gpu.driver.arrays import CudaArray
from weft.gpu.driver.copies import Side, copy_box, flat_copy
from weft.gpu.driver.places import data_at, object_at
from weft.gpu.driver.runtime_arrays import copy_parameters
from weft.gpu.driver.runtime_table import both
from weft.gpu.driver.runtime_table import call as runtime_call
from weft.gpu.driver.state import Driver
from weft.gpu.driver.status import INVALID_VALUE, Refused
from weft.gpu.driver.streams import wait_value, write_value
from weft.gpu.driver.table import call
from weft.gpu.driver.work import MEMCPY, submit


def _row(address: int, count: int) -> list[int]:
    return list(object_at((ctypes.c_uint64 * _some(count)), address)) if count else []


def _some(count: int) -> int:
    """A count of operations.  Raises Refused for one that no program has the rows for."""
    if count > _MOST_COPIES:
        raise Refused(INVALID_VALUE, f"{count} operations")
    return count


_MOST_COPIES = 1 << 24


def _batch(driver: Driver, to: int, source: int, sizes: int, count: int, stream: int) -> int:
    if not count or not (to and source and sizes):
        return INVALID_VALUE
    rows = list(zip(_row(to, count), _row(source, count), _row(sizes, count), strict=True))

    def run() -> int:
        statuses = (memory.move(driver, *copy, f"copy {number} of the batch") for number, copy in enumerate(rows))
        return next(filter(None, statuses), 0)

    return submit(driver, stream, MEMCPY, run)


@runtime_call("cudaMemcpyBatchAsync", "p p p p p p p p")
def _copies(driver: Driver, to: int, source: int, sizes: int, count: int, *rest: int) -> int:
    return _batch(driver, to, source, sizes, count, rest[3])


@call("cuMemcpyBatchAsync_v2", "p p p p p p p p")
def _driver_copies(driver: Driver, to: int, source: int, sizes: int, count: int, *rest: int) -> int:
    return _batch(driver, to, source, sizes, count, rest[3])


@call("cuMemcpyBatchAsync", "p p p p p p p p p")
def _copies_before(driver: Driver, to: int, source: int, sizes: int, count: int, *rest: int) -> int:
    return _batch(driver, to, source, sizes, count, rest[4])


@both("MemcpyWithAttributesAsync", "p p p p p")
def _with_attributes(driver: Driver, to: int, source: int, size: int, attributes: int, stream: int) -> int:
    return memory.copy_async(driver, to, source, size, stream)


_OPERATION = 112
_ARRAY = 2


def _operand(driver: Driver, data: bytes) -> tuple[int, CudaArray | None, tuple[int, ...]]:
    kind, first, *rest = struct.unpack("<I4x4Q", data)
    return first, driver.get(first, CudaArray) if kind == _ARRAY else None, tuple(rest)


def _boxes(driver: Driver, operations: int, count: int, stream: int) -> int:
    """Copy boxes: extents, rows of memory and offsets into arrays count texels where there is an array."""
    data = data_at(operations, _OPERATION * _some(count))

    def run() -> int:
        for start in range(0, len(data), _OPERATION):
            operands = [_operand(driver, data[start + at : start + at + 40]) for at in (0, 40)]
            texel = next((array.element for _, array, _ in operands if array is not None), 1)
            sides = [
                Side(None, first, rest[0] * texel, rest[1], 0, 0, 0)
                if array is None
                else Side(array, 0, 0, 0, rest[0] * texel, rest[1], rest[2])
                for first, array, rest in operands
            ]
            width, height, depth = struct.unpack_from("<3Q", data, start + 80)
            status = copy_box(driver, sides[1], sides[0], (width * texel, height, depth))
            if status:
                return status
        return 0

    return submit(driver, stream, MEMCPY, run)


@runtime_call("cudaMemcpy3DBatchAsync", "p p p p")
def _three(driver: Driver, count: int, operations: int, flags: int, stream: int) -> int:
    return _boxes(driver, operations, count, stream)


@call("cuMemcpy3DBatchAsync_v2", "p p p p")
def _driver_three(driver: Driver, count: int, operations: int, flags: int, stream: int) -> int:
    return _boxes(driver, operations, count, stream)


@both("Memcpy3DWithAttributesAsync", "p p p")
def _one_box(driver: Driver, operation: int, flags: int, stream: int) -> int:
    return _boxes(driver, operation, 1, stream)


@both("MemPrefetchBatchAsync MemDiscardBatchAsync MemDiscardAndPrefetchBatchAsync", "p p p")
def _nothing(driver: Driver, *rest: int) -> None:
    """Memory is where it is used already, and what is discarded may stay."""


# -- between devices, and between arrays --------------------------------------------------------------------------


def _peer(parameters: int) -> bytes:
    """The `cudaMemcpy3DParms` of a `cudaMemcpy3DPeerParms`, in which each side names its device."""
    words = struct.unpack("<21Q", data_at(parameters, 168))
    return struct.pack("<20Q", *words[:8], *words[9:17], *words[18:21], 0)


@runtime_call("cudaMemcpy3DPeer", "p")
def _between(driver: Driver, parameters: int) -> int:
    return copy_parameters(driver, _peer(parameters))


@runtime_call("cudaMemcpy3DPeerAsync", "p p")
def _between_async(driver: Driver, parameters: int, stream: int) -> int:
    data = _peer(parameters)
    return submit(driver, stream, MEMCPY, lambda: copy_parameters(driver, data))


def _arrays(driver: Driver, to: Side, source: Side, size: int) -> int:
    """Copy bytes of an array, row after row, to another."""
    between = ctypes.create_string_buffer(max(size, 1))
    address = ctypes.addressof(between)
    return flat_copy(driver, source, address, size, into=False) or flat_copy(driver, to, address, size, into=True)


@runtime_call("cudaMemcpyArrayToArray", "p p p p p p p i")
def _array_to_array(driver: Driver, to: int, x: int, y: int, source: int, *rest: int) -> int:
    found, size = driver.get(source, CudaArray), rest[2]
    start = Side(found, 0, 0, 0, rest[0], rest[1], 0)
    return _arrays(driver, Side(driver.get(to, CudaArray), 0, 0, 0, x, y, 0), start, size)


@call("cuMemcpyAtoA_v2", "p p p p p")
def _driver_arrays(driver: Driver, to: int, to_offset: int, source: int, offset: int, size: int) -> int:
    start = copies.place_in(driver, source, offset)
    return _arrays(driver, copies.place_in(driver, to, to_offset), start, size)


@call("cuMemcpyHtoAAsync_v2", "p p p p p")
def _into_array(driver: Driver, array: int, offset: int, source: int, size: int, stream: int) -> int:
    side = copies.place_in(driver, array, offset)
    return submit(driver, stream, MEMCPY, lambda: flat_copy(driver, side, source, size, into=True))


@call("cuMemcpyAtoHAsync_v2", "p p p p p")
def _from_array(driver: Driver, to: int, array: int, offset: int, size: int, stream: int) -> int:
    side = copies.place_in(driver, array, offset)
    return submit(driver, stream, MEMCPY, lambda: flat_copy(driver, side, to, size, into=False))


# -- rows of memory operations ------------------------------------------------------------------------------------

_WAIT, _WRITE = {1: 32, 4: 64}, {2: 32, 5: 64}
"""Bits of what an operation waits for, and writes, by its number in `CUstreamBatchMemOpType`."""
_MOST = 256


@call("cuStreamBatchMemOp_v2 cuStreamBatchMemOp", "p u p u")
def _operations(driver: Driver, stream: int, count: int, operations: int, flags: int) -> int:
    if count > _MOST:
        return INVALID_VALUE
    for number in range(count):
        kind, address, value, how = struct.unpack("<I4xQQI", data_at(operations + 48 * number, 28))
        if kind in _WAIT:
            wait_value(driver, stream, address, value, how, _WAIT[kind])
        elif kind in _WRITE:
            write_value(driver, stream, address, value, _WRITE[kind])
    return 0
