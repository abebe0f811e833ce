"""CUDA arrays and copies of boxes, in the runtime's words."""

from __future__ import annotations

import ctypes
import struct

from weft.gpu.driver import arrays
from weft.gpu.driver.arrays import CudaArray, levels_of, made
from weft.gpu.driver.copies import Side, copy_box, flat_copy
from weft.gpu.driver.executables import Executable
from weft.gpu.driver.graph_nodes import add_node
from weft.gpu.driver.places import data_at, store
from weft.gpu.driver.runtime_table import INVALID_PITCH, call
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.textures import description_of, format_of
from weft.gpu.driver.work import MEMCPY, Node, submit

_UINT = ctypes.c_uint


@call("cudaMallocArray", "p p p p u")
def _create(driver: Driver, out: int, description: int, width: int, height: int, flags: int) -> None:
    put(out, driver.add(made((width, height, 0), *format_of(data_at(description, 20)), flags)))


@call("cudaMalloc3DArray", "p p u p p p p p p")
def _create_three(driver: Driver, out: int, description: int, flags: int, *words: int) -> None:
    width, height, depth = words[3:6]  # on the stack, behind six registers
    put(out, driver.add(made((width, height, depth), *format_of(data_at(description, 20)), flags)))


@call("cudaMallocMipmappedArray", "p p u u p p p p p")
def _create_levels(driver: Driver, out: int, description: int, count: int, flags: int, *words: int) -> None:
    width, height, depth = words[2:5]
    format_ = format_of(data_at(description, 20))
    put(out, driver.add(levels_of((width, height, depth), *format_, flags, count)))


@call("cudaGetMipmappedArrayLevel", "p p u")
def _level(driver: Driver, out: int, array: int, level: int) -> int:
    return arrays.level_of(driver, out, array, level)


@call("cudaFreeArray", "p")
def _free(driver: Driver, array: int) -> None:
    if array:
        arrays.destroy(driver, array)


@call("cudaFreeMipmappedArray", "p")
def _free_levels(driver: Driver, array: int) -> None:
    if array:
        arrays.destroy_levels(driver, array)


@call("cudaArrayGetInfo", "p p p p")
def _information(driver: Driver, channels: int, extents: int, flags: int, array: int) -> None:
    found = driver.get(array, CudaArray)
    if channels:
        _describe(channels, found)
    for number, extent in enumerate(found.extents if extents else ()):
        put(extents + 8 * number, extent)
    put(flags, found.flags, _UINT)


def _describe(out: int, array: CudaArray) -> None:
    store(out, description_of(array.format, array.channels))


@call("cudaGetChannelDesc", "p p")
def _description(driver: Driver, out: int, array: int) -> None:
    _describe(out, driver.get(array, CudaArray))


def channel_description(out: int, x: int, y: int, z: int, w: int, kind: int) -> int:
    """`cudaCreateChannelDesc`: a structure that its caller has room for."""
    store(out, struct.pack("<5I", *(word & 0xFFFF_FFFF for word in (x, y, z, w, kind))))
    return out


@call("cudaCreateChannelDesc", "p p p p p p")
def _create_description(driver: Driver, *words: int) -> None:
    """What it gives is a structure: see `POINTERS` of the runtime."""


# -- copies -----------------------------------------------------------------------------------------------------


def _part(driver: Driver, array: int, x: int, y: int) -> Side:
    return Side(driver.get(array, CudaArray), 0, 0, 0, x, y, 0)


@call("cudaMemcpyToArray", "p p p p p i")
def _to_array(driver: Driver, to: int, x: int, y: int, source: int, size: int, kind: int) -> int:
    return flat_copy(driver, _part(driver, to, x, y), source, size, into=True)


@call("cudaMemcpyToArrayAsync", "p p p p p i p")
def _to_array_async(driver: Driver, *words: int) -> int:
    return submit(driver, words[6], MEMCPY, lambda: _to_array(driver, *words[:6]) or 0)


@call("cudaMemcpyFromArray", "p p p p p i")
def _from_array(driver: Driver, to: int, source: int, x: int, y: int, size: int, kind: int) -> int:
    return flat_copy(driver, _part(driver, source, x, y), to, size, into=False)


@call("cudaMemcpyFromArrayAsync", "p p p p p i p")
def _from_array_async(driver: Driver, *words: int) -> int:
    return submit(driver, words[6], MEMCPY, lambda: _from_array(driver, *words[:6]) or 0)


def _to_rows(driver: Driver, to: int, x: int, y: int, source: int, pitch: int, width: int, height: int) -> int:
    if width > pitch and height > 1:
        return INVALID_PITCH
    return copy_box(driver, _part(driver, to, x, y), Side(None, source, pitch, height, 0, 0, 0), (width, height, 1))


@call("cudaMemcpy2DToArray", "p p p p p p p i")
def _rows_to_array(driver: Driver, *words: int) -> int:
    return _to_rows(driver, *words[:7])


@call("cudaMemcpy2DToArrayAsync", "p p p p p p p i p")
def _rows_to_array_async(driver: Driver, *words: int) -> int:
    return submit(driver, words[8], MEMCPY, lambda: _to_rows(driver, *words[:7]))


def _from_rows(driver: Driver, to: int, pitch: int, source: int, x: int, y: int, width: int, height: int) -> int:
    if width > pitch and height > 1:
        return INVALID_PITCH
    return copy_box(driver, Side(None, to, pitch, height, 0, 0, 0), _part(driver, source, x, y), (width, height, 1))


@call("cudaMemcpy2DFromArray", "p p p p p p p i")
def _rows_from_array(driver: Driver, *words: int) -> int:
    return _from_rows(driver, *words[:7])


@call("cudaMemcpy2DFromArrayAsync", "p p p p p p p i p")
def _rows_from_array_async(driver: Driver, *words: int) -> int:
    return submit(driver, words[8], MEMCPY, lambda: _from_rows(driver, *words[:7]))


@call("cudaMemcpy2DArrayToArray", "p p p p p p p p i")
def _between(driver: Driver, *words: int) -> int:
    to, to_x, to_y, source, x, y, width, height, _ = words
    return copy_box(driver, _part(driver, to, to_x, to_y), _part(driver, source, x, y), (width, height, 1))


def copy_parameters(driver: Driver, data: bytes) -> int:
    """Do what a `cudaMemcpy3DParms` says: positions and extents count texels where there is an array."""
    words = struct.unpack("<19Q", data[:152])
    width, height, depth = words[16:19]
    sides: list[Side] = []
    for handle, position, pointer in ((words[0], words[1:4], words[4:8]), (words[8], words[9:12], words[12:16])):
        array = driver.get(handle, CudaArray) if handle else None
        texel = array.element if array is not None else 1
        address, pitch, _, rows = pointer
        sides.append(Side(array, address, pitch, rows, position[0] * texel, position[1], position[2]))
    texel = next((side.array.element for side in sides if side.array is not None), 1)
    source, to = sides
    return copy_box(driver, to, source, (width * texel, height, depth))


@call("cudaMemcpy3D", "p")
def _copy_box(driver: Driver, parameters: int) -> int:
    return copy_parameters(driver, data_at(parameters, 160))


@call("cudaMemcpy3DAsync", "p p")
def _copy_box_async(driver: Driver, parameters: int, stream: int) -> int:
    data = data_at(parameters, 160)
    return submit(driver, stream, MEMCPY, lambda: copy_parameters(driver, data))


@call("cudaGraphAddMemcpyNode", "p p p p p")
def _node(driver: Driver, out: int, graph: int, row: int, count: int, parameters: int) -> None:
    data = data_at(parameters, 160)
    add_node(driver, out, graph, row, count, MEMCPY, lambda: copy_parameters(driver, data), data)


@call("cudaGraphMemcpyNodeSetParams", "p p")
def _set_node(driver: Driver, node: int, parameters: int) -> None:
    data, found = data_at(parameters, 160), driver.get(node, Node)
    found.run, found.parameters = (lambda: copy_parameters(driver, data)), data


@call("cudaGraphExecMemcpyNodeSetParams", "p p p")
def _set_executable_node(driver: Driver, executable: int, node: int, parameters: int) -> None:
    data, made = data_at(parameters, 160), driver.get(executable, Executable)
    made.runs[made.find(driver.get(node, Node))] = lambda: copy_parameters(driver, data)
