"""Arrays and copies of boxes by the runtime's structures, and copies in batches of both APIs, beside NumPy's slices."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.gpu.calls import INVALID_HANDLE, INVALID_VALUE, OK, Program, Words
from weft.gpu.driver.arrays import CudaArray

INVALID_PITCH, DEFAULT = 12, 4
FORMATS = {"i1": (8, 0, 8), "u2": (16, 1, 2), "i4": (32, 0, 10), "f2": (16, 2, 16), "f4": (32, 2, 32)}
"""Bits, the runtime's kind, and the driver's number of a format."""


@pytest.fixture
def cuda() -> Program:
    return Program()


def channels_of(name: str, channels: int) -> bytes:
    """`cudaChannelFormatDesc`."""
    bits, kind, _ = FORMATS[name]
    return struct.pack("<5i", *[bits] * channels, *[0] * (4 - channels), kind)


def array_of(cuda: Program, name: str, channels: int, *extents: int) -> int:
    width, height, depth = (*extents, 0, 0)[:3]
    words = (Words.of(channels_of(name, channels)), 0, 0, 0, 0, width, height, depth)
    return cuda.get("cudaMalloc3DArray", words[0], 3, *words[2:])


def bytes_of(cuda: Program, array: int) -> np.ndarray[Any, Any]:
    """Planes by rows by bytes, which may be written to."""
    return cuda.driver.get(array, CudaArray).bytes


# -- what arrays are ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("channels", [1, 2, 4])
def test_arrays_are_what_they_are_made_with(cuda: Program, name: str, channels: int) -> None:
    form = Words.of(channels_of(name, channels))
    two = cuda.get("cudaMallocArray", form, 6, 3, 5)
    three = cuda.get("cudaMalloc3DArray", form, 4, 0, 0, 0, 6, 3, 2)
    levels = cuda.get("cudaMallocMipmappedArray", form, 3, 1, 0, 0, 6, 5, 2)
    level = cuda.get("cudaGetMipmappedArrayLevel", levels, 1)
    assert cuda.get("cudaGetMipmappedArrayLevel", levels, 1) == level
    assert cuda("cudaGetMipmappedArrayLevel", Words(), levels, 3) == INVALID_VALUE
    for array, extents, flags in ((two, [6, 3, 0], 5), (three, [6, 3, 2], 4), (level, [3, 2, 2], 1)):
        back, found, said = Words(24), Words(32), Words(8)
        assert cuda("cudaArrayGetInfo", back, found, said, array) == OK
        assert bytes(back.bytes) == bytes(form.bytes) + b"\xa5" * 4
        assert found.view()[:3].tolist() == extents and (found.bytes[24:] == 0xA5).all()
        assert int(said.view("u4")[0]) == flags and (said.bytes[4:] == 0xA5).all()
        assert cuda("cudaArrayGetInfo", 0, 0, 0, array) == OK
        assert cuda("cudaGetChannelDesc", back, array) == OK and bytes(back.bytes[:20]) == bytes(form.bytes)
        assert cuda("cuArrayGetDescriptor_v2", shape := Words(24), array) == OK
        assert bytes(shape.bytes) == struct.pack("<2Q2I", *extents[:2], FORMATS[name][2], channels)
        assert bytes_of(cuda, array).shape == (*(max(extents[2], 1), extents[1], extents[0] * channels * int(name[1])),)
    assert cuda("cudaFreeArray", 0) == cuda("cudaFreeMipmappedArray", 0) == OK
    assert [cuda("cudaFreeArray", two) for _ in range(2)] == [OK, INVALID_HANDLE]
    assert [cuda("cudaFreeMipmappedArray", levels) for _ in range(2)] == [OK, INVALID_HANDLE]
    assert cuda("cudaFreeArray", levels) == cuda("cudaGetChannelDesc", form, two) == INVALID_HANDLE


def test_channels_are_described(cuda: Program) -> None:
    for kind, name in ((0, "i1"), (1, "u2"), (2, "f4")):
        out = Words(24)
        assert cuda("cudaCreateChannelDesc", out, *[FORMATS[name][0]] * 2, 0, 0, kind + (7 << 32)) == out.address
        assert bytes(out.bytes) == channels_of(name, 2) + b"\xa5" * 4
    for form in ((32, 32, 32, 0, 2), (8, 0, 0, 0, 2), (12, 0, 0, 0, 0), (8, 16, 0, 0, 0), (32, 0, 0, 0, 4)):
        assert cuda("cudaMallocArray", Words(), Words.of(struct.pack("<5i", *form)), 4, 4, 0) == INVALID_VALUE, form
    assert cuda("cudaMallocArray", Words(), Words.of(channels_of("i1", 1)), 0, 4, 0) == INVALID_VALUE


# -- copies of rows and boxes -------------------------------------------------------------------------------------


def drawn(random_: random.Random, *most: int) -> list[int]:
    return [random_.randrange(number) for number in most]


def test_bytes_in_a_row(cuda: Program) -> None:
    """From a byte of a row on, and on with the rows behind it."""
    random_, array = random.Random(1), array_of(cuda, "u2", 2, 4, 3)
    rows = bytes_of(cuda, array).reshape(-1)
    for asynchronous in (0, 1) * 10:
        x, y, size = drawn(random_, 16, 3, 40)
        data, back, start = Words.of(random_.randbytes(48)), Words(48), 16 * y + x
        status = INVALID_VALUE if start + size > 48 else OK
        expected = rows.copy()
        if not status:
            expected[start : start + size] = data.bytes[:size]
        name, rest = ("Async", (DEFAULT, 0)) if asynchronous else ("", (DEFAULT,))
        assert cuda(f"cudaMemcpyToArray{name}", array, x, y, data, size, *rest) == status, (x, y, size)
        if not status:
            assert (rows == expected).all()
            assert cuda(f"cudaMemcpyFromArray{name}", back, array, x, y, size, *rest) == OK
            assert bytes(back.bytes) == bytes(data.bytes[:size]) + b"\xa5" * (48 - size)


def test_rows_between_memory_and_arrays(cuda: Program) -> None:
    random_, first, second = random.Random(2), array_of(cuda, "i1", 4, 4, 5), array_of(cuda, "i4", 1, 4, 5)
    place, outcomes = cuda.get("cudaMalloc", 256), set[tuple[str, int]]()
    for number in range(120):
        what = ("To", "From", "Between")[number % 3]
        width, height, x, y = drawn(random_, 12, 4, 10, 4)
        pitch = random_.choice([width, 16, max(width - 1, 0)])
        host = Words.of(random_.randbytes(256))
        memory = place if number % 2 else host.address
        assert cuda("cudaMemcpy", place, host, 256, DEFAULT) == OK
        for array in (first, second):
            bytes_of(cuda, array)[:] = np.frombuffer(random_.randbytes(80), np.uint8).reshape(1, 5, 16)
        empty = not (width and height)
        inside = empty or (x + width <= 16 and y + height <= 5)
        box = bytes_of(cuda, first)[0]
        rest, name = ((DEFAULT,), "") if number % 4 < 2 or what == "Between" else ((DEFAULT, 0), "Async")
        if what == "To":
            expected = box.copy()
            status = cuda(f"cudaMemcpy2DToArray{name}", first, x, y, memory, pitch, width, height, *rest)
            for row in range(height if not status else 0):
                expected[y + row, x : x + width] = host.bytes[row * pitch :][:width]
            assert (box == expected).all()
        elif what == "From":
            whole = host.bytes.copy()
            status = cuda(f"cudaMemcpy2DFromArray{name}", memory, pitch, first, x, y, width, height, *rest)
            for row in range(height if not status else 0):
                whole[row * pitch :][:width] = box[y + row, x : x + width]
            back = Words(256)
            assert cuda("cudaMemcpy", back, memory, 256, DEFAULT) == OK
            assert (back.bytes == whole).all()
        else:
            to_x, to_y = drawn(random_, 10, 4)
            target = bytes_of(cuda, second)[0]
            expected = target.copy()
            status = cuda("cudaMemcpy2DArrayToArray", second, to_x, to_y, first, x, y, width, height, *rest)
            inside &= empty or (to_x + width <= 16 and to_y + height <= 5)
            for row in range(height if width and not status else 0):
                expected[to_y + row, to_x : to_x + width] = box[y + row, x : x + width]
            assert (target == expected).all()
        pitched = what == "Between" or pitch >= width or height <= 1
        assert status == (INVALID_PITCH if not pitched else OK if inside else INVALID_VALUE)
        outcomes.add((what, status))
    assert len(outcomes) == 8


class Box:
    """One side of a box copy, an array or memory, and where in it the copy begins; positions count texels in arrays."""

    def __init__(self, cuda: Program, random_: random.Random, array: int, place: int) -> None:
        self.array, self.place, self.at = array, place, drawn(random_, 5, 3, 2)
        self.pitch, self.height = 40, random_.choice([5, 6])

    def cells(self, cuda: Program, host: Words) -> np.ndarray[Any, Any]:
        """Planes by rows by bytes, in place."""
        if self.array:
            return bytes_of(cuda, self.array)
        whole = host.bytes if self.place == host.address else cuda.driver.device.memory.span(self.place, 720, "a test")
        return whole[: 3 * 40 * self.height].reshape(3, self.height, 40)

    def part(self, cells: np.ndarray[Any, Any], texel: int, extents: tuple[int, int, int]) -> np.ndarray[Any, Any]:
        """The bytes that a copy is of."""
        x, y, z = self.at
        x *= texel if self.array else 1
        return cells[z : z + extents[2], y : y + extents[1], x : x + extents[0] * texel]

    def parameters(self) -> tuple[int, ...]:
        """The array, the position and the pitched pointer of `cudaMemcpy3DParms`."""
        pointer = (0, 0, 0, 0) if self.array else (self.place, self.pitch, 99, self.height)
        return self.array, *self.at, *pointer

    def operand(self, texel: int) -> bytes:
        """`cudaMemcpy3DOperand`, which has no position in memory: rows and layers count elements."""
        if self.array:
            return struct.pack("<I4x4Q", 2, self.array, *self.at)
        x, y, z = self.at
        start = self.place + (z * self.height + y) * self.pitch + x
        return struct.pack("<I4x3Q8x", 1, start, self.pitch // texel, self.height)


Way = Callable[[Program, Box, Box, tuple[int, int, int], int], int]


def by_parameters(name: str) -> Way:
    def way(cuda: Program, to: Box, source: Box, extents: tuple[int, int, int], texel: int) -> int:
        width = extents[0] if to.array or source.array else extents[0] * texel
        sides = (*source.parameters(), *to.parameters())
        if "Peer" in name:
            sides = (*source.parameters(), 0, *to.parameters(), 0)
        data = Words.of(struct.pack(f"<{len(sides) + 4}Q", *sides, width, *extents[1:], DEFAULT))
        return cuda(name, data, 0)

    return way


def by_operands(name: str, one: bool = False) -> Way:
    def way(cuda: Program, to: Box, source: Box, extents: tuple[int, int, int], texel: int) -> int:
        width = extents[0] if to.array or source.array else extents[0] * texel
        sides = source.operand(texel if to.array else 1), to.operand(texel if source.array else 1)
        data = b"".join(sides) + struct.pack("<3Q8x", width, *extents[1:])
        return cuda(name, Words.of(data), 0, 0) if one else cuda(name, 1, Words.of(data), 0, 0)

    return way


def by_node(cuda: Program, to: Box, source: Box, extents: tuple[int, int, int], texel: int) -> int:
    width = extents[0] if to.array or source.array else extents[0] * texel
    words = (*source.parameters(), *to.parameters(), width, *extents[1:], DEFAULT)
    graph = cuda.get("cudaGraphCreate", 0)
    right, empty = Words.of(struct.pack("<20Q", *words)), Words.of(struct.pack("<20Q", *words[:16], 0, 0, 0, DEFAULT))
    node = cuda.get("cudaGraphAddMemcpyNode", graph, 0, 0, empty)
    assert cuda("cudaGraphMemcpyNodeGetParams", node, found := Words(160)) == OK
    assert (found.bytes == empty.bytes).all()
    made = cuda.get("cudaGraphInstantiate", graph, 0)
    assert cuda("cudaGraphMemcpyNodeSetParams", node, right) == cuda("cudaGraphLaunch", made, 0) == OK
    assert cuda("cudaGraphMemcpyNodeGetParams", node, found) == OK and (found.bytes == right.bytes).all()
    assert cuda("cudaGraphExecMemcpyNodeSetParams", made, node, right) == OK
    return cuda("cudaGraphLaunch", made, 0)


WAYS: dict[str, Way] = {
    **{name: by_parameters(name) for name in ("cudaMemcpy3D", "cudaMemcpy3DAsync", "cudaMemcpy3DPeer")},
    "cudaMemcpy3DPeerAsync": by_parameters("cudaMemcpy3DPeerAsync"),
    "cudaMemcpy3DBatchAsync": by_operands("cudaMemcpy3DBatchAsync"),
    "cuMemcpy3DBatchAsync_v2": by_operands("cuMemcpy3DBatchAsync_v2"),
    "cudaMemcpy3DWithAttributesAsync": by_operands("cudaMemcpy3DWithAttributesAsync", one=True),
    "a node": by_node,
}


@pytest.mark.parametrize("name", WAYS)
def test_copies_of_boxes(cuda: Program, name: str) -> None:
    """From memory of both kinds and arrays to each of them: an extent counts texels where there is an array."""
    random_, host = random.Random(name), Words(720)
    arrays = [array_of(cuda, "u2", 2, 7, 5, 3) for _ in range(2)]
    places = [[0, place] for place in (cuda.get("cudaMalloc", 720), cuda.get("cudaMalloc", 720))]
    refused = 0
    for number in range(24):
        ends = [random_.choice([(arrays[side], 0), tuple(places[side]), (0, host.address)]) for side in (0, 1)]
        if ends[0] == ends[1]:
            ends[1] = tuple(places[1])
        host.bytes[:] = np.frombuffer(random_.randbytes(720), np.uint8)
        for place in places:
            assert cuda("cudaMemcpy", place[1], Words.of(random_.randbytes(720)), 720, DEFAULT) == OK
        source, to = (Box(cuda, random_, *end) for end in ends)
        extents = random_.choice([2, 4, 5, 7]), random_.randrange(1, 4), random_.randrange(1, 3)
        cells = [side.cells(cuda, host) for side in (source, to)]
        inside = all(
            side.at[0] + extents[0] <= 7 and side.at[1] + extents[1] <= 5 for side in (source, to) if side.array
        )
        inside &= all(side.at[2] + extents[2] <= 3 for side in (source, to) if side.array)
        expected = cells[1].copy()
        if inside:
            to.part(expected, 4, extents)[:] = source.part(cells[0], 4, extents)
        status = WAYS[name](cuda, to, source, extents, 4)
        assert status == (OK if inside else INVALID_VALUE), (number, ends, extents)
        assert (cells[1] == expected).all(), (number, ends, extents)
        refused += not inside
    assert 2 < refused < 18


# -- batches ------------------------------------------------------------------------------------------------------


def row(*values: int) -> Words:
    return Words.of(struct.pack(f"<{len(values)}Q", *values))


@pytest.mark.parametrize(
    ("name", "more"), [("cudaMemcpyBatchAsync", 3), ("cuMemcpyBatchAsync_v2", 3), ("cuMemcpyBatchAsync", 4)]
)
def test_copies_in_a_batch(cuda: Program, name: str, more: int) -> None:
    """One after the other, each of its size; `more` arguments are of attributes, and where a failure is."""
    place, host = cuda.get("cudaMalloc", 64), Words.of(bytes(range(64)))
    assert cuda("cudaMemset", place, 0, 64) == OK
    to, source, sizes = row(place + 3, place + 20, place), row(host.address, host.address + 9, place + 2), row(4, 6, 3)
    for wrong in ((0, source, sizes, 3), (to, 0, sizes, 3), (to, source, 0, 3), (to, source, sizes, 0)):
        assert cuda(name, *wrong, *[0] * more, 0) == INVALID_VALUE
    assert cuda(name, to, source, sizes, 3, *[0] * more, 1234) == INVALID_HANDLE
    assert cuda(name, to, source, sizes, (1 << 24) + 1, *[0] * more, 0) == INVALID_VALUE
    assert cuda(name, to, source, sizes, 3, *[0] * more, 0) == OK
    back = Words(32)
    assert cuda("cudaMemcpy", back, place, 32, DEFAULT) == OK
    assert bytes(back.bytes) == b"\0\0\1\0\1\2\3" + bytes(13) + bytes(range(9, 15)) + bytes(6)
    bad = row(4, 60, 3)
    assert cuda(name, to, source, bad, 3, *[0] * more, 0) == INVALID_VALUE


def test_boxes_in_a_batch(cuda: Program) -> None:
    """One after the other; rows of memory have the extent's width where nothing is said."""
    place, host = cuda.get("cudaMalloc", 64), Words.of(bytes(range(1, 65)))
    assert cuda("cudaMemset", place, 0, 64) == OK
    first = struct.pack("<I4x3Q8x", 1, host.address, 0, 0) + struct.pack("<I4x3Q8x", 1, place, 8, 2)
    second = struct.pack("<I4x3Q8x", 1, place, 8, 0) + struct.pack("<I4x3Q8x", 1, place + 40, 0, 0)
    operations = Words.of(first + struct.pack("<3Q8x", 3, 2, 2) + second + struct.pack("<3Q8x", 2, 2, 1))
    assert cuda("cudaMemcpy3DBatchAsync", 2, operations, 0, 0) == OK
    back, expected = Words(64), np.zeros((8, 8), np.uint8)
    assert cuda("cudaMemcpy", back, place, 64, DEFAULT) == OK
    expected[:4, :3] = np.arange(1, 13).reshape(4, 3)
    expected[5, :4] = 1, 2, 4, 5
    assert (back.bytes.reshape(8, 8) == expected).all()
    assert cuda("cudaMemcpy3DBatchAsync", 0, operations, 0, 0) == OK
    for name in ("Prefetch", "Discard", "DiscardAndPrefetch"):
        assert cuda(f"cudaMem{name}BatchAsync", 0, 0, 0) == OK
    assert cuda("cudaMemcpyWithAttributesAsync", place, host, 9, 0, 0) == OK
    assert cuda("cudaMemcpy", back, place, 64, DEFAULT) == OK and bytes(back.bytes[:9]) == bytes(range(1, 10))
    assert cuda("cuMemcpyWithAttributesAsync", place, host, 9, 0, 1234) == INVALID_HANDLE


def bytes_in_rows(*sizes: int) -> Iterator[tuple[int, int, int]]:
    """Offsets and sizes of parts of arrays of so many bytes."""
    random_ = random.Random(5)
    for _ in range(20):
        yield random_.randrange(sizes[0]), random_.randrange(sizes[1]), random_.randrange(1, 30)


def test_bytes_between_arrays(cuda: Program) -> None:
    """Row after row of either: of 16 and of 12 bytes."""
    to, source = array_of(cuda, "i1", 1, 16, 3), array_of(cuda, "i1", 1, 12, 4)
    left, right = bytes_of(cuda, to).reshape(-1), bytes_of(cuda, source).reshape(-1)
    right[:] = np.arange(48)
    for at, of, size in bytes_in_rows(48, 48):
        for name in ("cudaMemcpyArrayToArray", "cuMemcpyAtoA_v2"):
            left[:] = 99
            expected = left.copy()
            inside = at + size <= 48 and of + size <= 48
            if inside:
                expected[at : at + size] = right[of : of + size]
            words = (
                (to, at, source, of, size)
                if name[2] == "M"
                else (to, at % 16, at // 16, source, of % 12, of // 12, size, 3)
            )
            assert cuda(name, *words) == (OK if inside else INVALID_VALUE), (at, of, size)
            assert not inside or (left == expected).all(), (at, of, size)
    host, back = Words.of(bytes(range(48))), Words(48)
    for at, of, size in bytes_in_rows(48, 16):
        status = OK if at + size <= 48 else INVALID_VALUE
        assert cuda("cuMemcpyHtoAAsync_v2", to, at, host.address + of, size, 0) == status
        if not status:
            assert left[at : at + size].tolist() == list(range(of, of + size))
            assert cuda("cuMemcpyAtoHAsync_v2", back, to, at, size, 0) == OK
            assert back.bytes[:size].tolist() == list(range(of, of + size))
    for name, words in (("HtoA", (to, 0, host, 4, 1234)), ("AtoH", (back, to, 0, 4, 1234))):
        assert cuda(f"cuMemcpy{name}Async_v2", *words) == INVALID_HANDLE


def test_a_row_of_memory_operations(cuda: Program) -> None:
    """`CUstreamBatchMemOpParams`: waits of 32 and 64 bits are 1 and 4, writes 2 and 5; what is neither does nothing."""
    place, back = cuda.get("cudaMalloc", 16), Words(16)

    def operations(*given: tuple[int, int, int, int]) -> Words:
        return Words.of(
            b"".join(struct.pack("<I4xQQI20x", kind, place + at, value, how) for kind, at, value, how in given)
        )

    assert cuda("cudaMemset", place, 0, 16) == OK
    large = 0x1122334455667788
    rows = operations(
        (2, 0, large, 0), (5, 8, large, 0), (1, 0, large, 1), (4, 8, large, 1), (3, 0, 0, 0), (6, 0, 0, 0)
    )
    for name in ("cuStreamBatchMemOp_v2", "cuStreamBatchMemOp"):
        assert cuda(name, 0, 6, rows, 0) == OK
        assert cuda("cudaMemcpy", back, place, 16, DEFAULT) == OK
        assert back.view().tolist() == [large & 0xFFFF_FFFF, large]
        assert cuda(name, 0, 1, operations((4, 0, large, 1)), 0) == 702
        assert cuda(name, 0, 1, operations((1, 8, 1, 1)), 0) == 702
        assert cuda(name, 1234, 1, operations((1, 8, 1, 0)), 0) == INVALID_HANDLE
        assert cuda(name, 0, 256, Words.of(bytes(48 * 256)), 0) == OK
        assert cuda(name, 0, 257, Words.of(bytes(48 * 257)), 0) == INVALID_VALUE
