"""Functions of the driver beside models of what CUDA's reference says of them, with arguments drawn at random."""

from __future__ import annotations

import ctypes
import random
import struct
import uuid
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.gpu.calls import INVALID_CONTEXT, INVALID_DEVICE, INVALID_HANDLE, INVALID_VALUE, OK, Program, Words
from weft.gpu.driver.arrays import CudaArray
from weft.gpu.statuses import NAMES

HOST, DEVICE, ARRAY = 1, 2, 3
UNSUPPORTED_LIMIT, NOT_FOUND = 215, 500
GRANULE = 2 << 20


@pytest.fixture
def cu() -> Program:
    return Program()


@pytest.fixture
def two() -> Program:
    return Program(2)


# -- memory ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize(("name", "size"), [("D8", 1), ("D16", 2), ("D32", 4)])
def test_fills_write_just_the_elements_of_their_rows(cu: Program, name: str, size: int, asynchronous: bool) -> None:
    random_, place = random.Random(name), cu.get("cuMemAlloc_v2", 1024)
    host, rest = Words(1024), (0,) if asynchronous else ()
    assert cu("cuMemcpyHtoD_v2", place, host, 1024) == OK
    kept, refused = host.bytes.copy(), 0
    for number in range(60):
        at, value = random_.randrange(0, 200, random_.choice([1, size])), random_.getrandbits(32)
        width, height, pitch = random_.randrange(1, 20), random_.choice([1, 1, 2, 5]), random_.randrange(4, 60)
        if number % 3:
            form = f"cuMemsetD2{name}{'Async' if asynchronous else '_v2'}"
            status = cu(form, place + at, pitch, value, width, height, *rest)
        else:
            height = 1
            status = cu(f"cuMemset{name}{'Async' if asynchronous else '_v2'}", place + at, value, width, *rest)
        # Rows that overlap are no rows, and elements that are not aligned no elements.
        wrong = bool(at % size) or (height > 1 and (bool(pitch % size) or width * size > pitch))
        refused += wrong
        assert status == (INVALID_VALUE if wrong else OK), (at, width, height, pitch)
        assert cu("cuMemcpyDtoH_v2", host, place, 1024) == OK
        for row in range(height if not wrong else 0):
            start = at + row * pitch
            kept[start : start + width * size] = np.frombuffer(struct.pack("<I", value)[:size] * width, np.uint8)
        kept = host.bytes.copy() if wrong else kept
        assert (host.bytes == kept).all(), (at, width, height, pitch)
    assert refused > 1
    assert cu(f"cuMemsetD2{name}_v2", place, 0, 0, 0, 5) == cu(f"cuMemsetD2{name}_v2", place, 0, 0, 5, 0) == OK


class Place(NamedTuple):
    """2048 bytes of the host's or the device's, or an array of 6 planes of 8 rows of 16 bytes."""

    kind: int
    handle: int
    host: Words

    def bytes(self, cu: Program) -> np.ndarray[Any, Any]:
        """The bytes, which may be written to."""
        if self.kind == ARRAY:
            return cu.driver.get(self.handle, CudaArray).bytes.reshape(-1)
        return self.host.bytes if self.kind == HOST else cu.driver.device.memory.span(self.handle, 2048, "a test")


class Part(NamedTuple):
    """Where a copy begins, and the bytes of rows and the rows of planes that it says, where 0 means its own."""

    x: int
    y: int
    z: int
    pitch: int
    height: int

    def fields(self, place: Place, axes: int) -> bytes:
        """One side of `CUDA_MEMCPY2D` or `CUDA_MEMCPY3D`."""
        addresses = place.host.address, *(place.handle if place.kind == kind else 0 for kind in (DEVICE, ARRAY))
        if axes == 2:
            return struct.pack("<2QI4x4Q", self.x, self.y, place.kind, *addresses, self.pitch)
        return struct.pack("<4QI4x6Q", *self[:3], 0, place.kind, *addresses, 0, self.pitch, self.height)

    def offsets(self, array: bool, extents: tuple[int, int, int]) -> list[int]:
        """The places of the rows."""
        pitch, height = (16, 8) if array else (self.pitch or extents[0], self.height or extents[1])
        planes, rows = range(self.z, self.z + extents[2]), range(self.y, self.y + extents[1])
        return [(plane * height + row) * pitch + self.x for plane in planes for row in rows]


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("axes", [2, 3])
def test_copies_of_boxes(cu: Program, axes: int, asynchronous: bool) -> None:
    """From memory of both kinds and arrays to each of them, beside slices of NumPy."""
    random_, refused = random.Random(axes), 0
    shape = Words.of(struct.pack("<3Q3I", 16, 8, 6, 1, 1, 0))
    places = [Place(HOST, 0, Words(2048)) for _ in range(2)]
    places += [Place(DEVICE, cu.get("cuMemAlloc_v2", 2048), Words()) for _ in range(2)]
    places += [Place(ARRAY, cu.get("cuArray3DCreate_v2", shape), Words()) for _ in range(2)]
    for _ in range(80):
        ends = [places[random_.randrange(3) * 2 + side] for side in range(2)]
        extents = random_.randrange(1, 9), random_.randrange(1, 4), random_.randrange(1, 4) if axes == 3 else 1
        parts: list[Part] = []
        for _ in range(2):
            x, y, z = random_.randrange(12), random_.randrange(6), random_.randrange(5) if axes == 3 else 0
            pitch = random_.choice([0, 16, extents[0], max(extents[0] - 1, 1)])
            parts.append(Part(x, y, z, pitch, random_.choice([0, extents[1], 5]) if axes == 3 else 0))
        for end in ends:
            contents = end.bytes(cu)
            contents[:] = np.frombuffer(random_.randbytes(len(contents)), np.uint8)
        cu.driver.device.memory.mark(places[2].handle, 2048)
        expected = ends[1].bytes(cu).copy()
        fields = b"".join(part.fields(end, axes) for part, end in zip(parts, ends, strict=True))
        copy = Words.of(fields + struct.pack(f"<{axes}Q", *extents[:axes]))
        if asynchronous:
            status = cu(f"cuMemcpy{axes}DAsync_v2", copy, 0)
        else:
            status = cu(f"cuMemcpy{axes}D_v2", copy)
        wrong = False
        for part, end in zip(parts, ends, strict=True):
            if end.kind == ARRAY:
                wrong |= part.x + extents[0] > 16 or part.y + extents[1] > 8 or part.z + extents[2] > 6
            else:
                wrong |= 0 < part.pitch < extents[0] and extents[1] * extents[2] > 1
        refused += wrong
        assert status == (INVALID_VALUE if wrong else OK), (ends, extents, parts)
        source, contents = ends[0].bytes(cu), ends[1].bytes(cu)
        starts = [part.offsets(end.kind == ARRAY, extents) for part, end in zip(parts, ends, strict=True)]
        for at, to in zip(*starts, strict=True) if not wrong else ():
            expected[to : to + extents[0]] = source[at : at + extents[0]]
        assert (contents == expected).all(), (ends, extents, parts)
    assert 5 < refused < 75


def test_bytes_of_arrays_in_a_row(cu: Program) -> None:
    array, place = cu.get("cuArrayCreate_v2", Words.of(struct.pack("<2Q2I", 8, 8, 2, 1))), cu.get("cuMemAlloc_v2", 128)
    random_, contents = random.Random(1), cu.driver.get(array, CudaArray).bytes.reshape(-1)
    for _ in range(20):
        at, size = random_.randrange(64), random_.randrange(1, 64)
        source, back = Words.of(random_.randbytes(64)), Words(64)
        expected = contents.copy()
        expected[at : at + size] = source.bytes[:size]
        assert cu("cuMemcpyHtoA_v2", array, at, source, size) == OK
        assert (contents == expected).all()
        assert cu("cuMemcpyAtoD_v2", place, array, at, size) == cu("cuMemcpyDtoH_v2", back, place, size) == OK
        assert (back.bytes[:size] == source.bytes[:size]).all()
        assert cu("cuMemcpyAtoH_v2", back, array, 0, 128 if size > 128 else 64) == OK
        assert (back.bytes == contents[:64]).all()
    assert cu("cuMemcpyHtoA_v2", array, 120, Words(64), 9) == INVALID_VALUE


def test_descriptions_of_arrays_are_what_they_were_made_with(cu: Program) -> None:
    sizes = {1: 1, 2: 2, 3: 4, 8: 1, 9: 2, 10: 4, 16: 2, 32: 4}
    for format_ in range(40):
        for channels in range(6):
            shape = struct.pack("<3Q3I", 6, 3, 2, format_, channels, 1)
            out = Words(64)
            status = cu("cuArray3DCreate_v2", out, Words.of(shape))
            right = format_ in sizes and channels in (1, 2, 4)
            assert status == (OK if right else INVALID_VALUE), (format_, channels)
            if right:
                array, found = int(out.view()[0]), Words(64)
                assert cu("cuArray3DGetDescriptor_v2", found, array) == OK and bytes(found.bytes[:36]) == shape
                assert cu("cuArrayGetDescriptor_v2", found, array) == OK
                assert bytes(found.bytes[:24]) == struct.pack("<2Q2I", 6, 3, format_, channels)
                texels = cu.driver.get(array, CudaArray)
                assert (texels.element, texels.bytes.size) == (
                    sizes[format_] * channels,
                    36 * sizes[format_] * channels,
                )
                assert texels.texels().shape == ((2, 3, 6, channels) if channels > 1 else (2, 3, 6))
                assert cu("cuArrayDestroy", array) == OK and cu("cuArrayDestroy", array) == INVALID_HANDLE


@pytest.mark.parametrize("flags", [0, 1, 4])
def test_levels_halve_all_extents_but_layers(cu: Program, flags: int) -> None:
    shape = Words.of(struct.pack("<3Q3I", 12, 5, 6, 1, 1, flags))
    levels = cu.get("cuMipmappedArrayCreate", shape, 4)
    for level in range(4):
        array, found = cu.get("cuMipmappedArrayGetLevel", levels, level), Words(64)
        assert cu.get("cuMipmappedArrayGetLevel", levels, level) == array
        assert cu("cuArray3DGetDescriptor_v2", found, array) == OK
        extents = [max(extent >> level, 1) for extent in (12, 5)] + [6 if flags else max(6 >> level, 1)]
        assert found.view()[:3].tolist() == extents
    assert cu("cuMipmappedArrayGetLevel", Words(), levels, 4) == INVALID_VALUE
    assert cu("cuMipmappedArrayDestroy", levels) == OK
    assert cu("cuMipmappedArrayGetLevel", Words(), levels, 0) == INVALID_HANDLE


def test_what_pointers_are(two: Program) -> None:
    """Every attribute of memory of every kind, by the numbers in `CUpointer_attribute`."""
    second = two.get("cuDevicePrimaryCtxRetain", 1)
    assert two("cuCtxSetCurrent", second) == OK
    places = {
        "device": two.get("cuMemAlloc_v2", 96),
        "host": two.get("cuMemHostAlloc", 96, 1),
        "pinned": two.get("cuMemAllocHost_v2", 96),
        "managed": two.get("cuMemAllocManaged", 96, 1),
    }
    numbers: list[int] = []
    for kind, place in places.items():
        for which in range(-1, 25):
            pointer, out = place + 33, Words(64)
            status = two("cuPointerGetAttribute", out, which, pointer)
            assert status == (OK if 1 <= which <= 22 else INVALID_VALUE), which
            width = 4 if which in (2, 8, 9) or which not in (1, 3, 4, 7, 11, 12) else 8
            assert status or (out.bytes[width:] == 0xA5).all()
            found = int(out.view("u8" if width == 8 else "u4")[0])
            known = {
                1: second,
                2: 1 if kind in ("host", "pinned") else 2,
                3: pointer,
                4: pointer,
                8: int(kind == "managed"),
                9: 1,
                11: place,
                12: 96,
            }
            numbers += [found] if which == 7 else []
            assert status or which == 7 or found == known.get(which, 0), (kind, which)
        assert two.get("cuMemGetAddressRange_v2", 0, place + 95) == place
        assert two.get("cuMemGetAddressRange_v2", 0, place + 95, at=1) == 96
        release = "cuMemFreeHost" if kind in ("host", "pinned") else "cuMemFree_v2"
        other = "cuMemFree_v2" if kind in ("host", "pinned") else "cuMemFreeHost"
        assert [two(other, place), two(release, place), two(release, place)] == [INVALID_VALUE, OK, INVALID_VALUE]
        assert two("cuPointerGetAttribute", Words(), 2, place) == INVALID_VALUE
        assert two("cuMemGetAddressRange_v2", Words(), Words(), place) == NOT_FOUND
    assert len(set(numbers)) == len(places)


def test_several_attributes_at_once(cu: Program) -> None:
    place, outs = cu.get("cuMemAlloc_v2", 40), [Words(8) for _ in range(3)]
    rows = Words.of(struct.pack("<3Q", *(out.address for out in outs)))
    assert cu("cuPointerGetAttributes", 3, Words.of(struct.pack("<3i", 12, 99, 2)), rows, place + 4) == OK
    assert [int(outs[0].view()[0]), int(outs[1].view("u4")[0]), int(outs[2].view("u4")[0])] == [40, 0, 2]
    assert cu("cuPointerGetAttributes", 22, Words.of(bytes(88)), Words.of(bytes(176)), place) == OK
    assert cu("cuPointerGetAttributes", 23, Words.of(bytes(96)), Words.of(bytes(200)), place) == INVALID_VALUE


def test_sizes_and_flags_of_allocations(cu: Program) -> None:
    total = cu.get("cuMemGetInfo_v2", 0, at=1)
    assert total == 64 << 20
    assert cu("cuMemAlloc_v2", Words(), 0) == cu("cuMemAlloc_v2", 0, 8) == INVALID_VALUE
    before = cu.get("cuMemGetInfo_v2", 0)
    place = cu.get("cuMemAlloc_v2", 1 << 20)
    assert before - cu.get("cuMemGetInfo_v2", 0) >= 1 << 20 and cu("cuMemFree_v2", place) == OK
    assert cu.get("cuMemGetInfo_v2", 0) == before
    for flags in range(16):
        assert cu("cuMemHostAlloc", Words(), 8, flags) == (OK if flags < 8 else INVALID_VALUE), flags
        assert cu("cuMemAllocManaged", Words(), 8, flags) == (OK if flags in (1, 2) else INVALID_VALUE), flags
    for element in range(20):
        pitch, out = Words(), Words()
        status = cu("cuMemAllocPitch_v2", out, pitch, 513, 3, element)
        assert status == (OK if element in (4, 8, 16) else INVALID_VALUE), element
        if not status:
            assert int(pitch.view()[0]) == 1024 and not int(out.view()[0]) % 512
            assert cu.get("cuMemGetAddressRange_v2", 0, int(out.view()[0]), at=1) == 3 * 1024
    assert cu.get("cuMemHostGetFlags", cu.get("cuMemHostAlloc", 8, 2), dtype="u4") == 0


def test_memory_that_a_program_registers(cu: Program) -> None:
    """Ranges that touch are two; ranges that overlap are refused; the device sees it at the same offset."""
    host = Words(400)
    start = host.address
    assert cu("cuMemHostRegister_v2", start + 100, 100, 0) == OK
    for at, size in ((0, 101), (100, 100), (199, 1), (150, 10), (0, 400), (199, 50)):
        assert cu("cuMemHostRegister_v2", start + at, size, 0) == 712, (at, size)
    assert cu("cuMemHostRegister_v2", 0, 8, 0) == cu("cuMemHostRegister_v2", start, 0, 0) == INVALID_VALUE
    assert cu("cuMemHostRegister_v2", start, 100, 0) == cu("cuMemHostRegister_v2", start + 200, 50, 0) == OK
    places = [cu.get("cuMemHostGetDevicePointer_v2", start + at, 0) for at in (100, 199, 0, 99, 200, 249)]
    assert [places[n + 1] - places[n] for n in (0, 2, 4)] == [99, 99, 49]
    assert cu("cuMemHostGetDevicePointer_v2", Words(), start + 250, 0) == INVALID_VALUE
    assert cu("cuMemHostUnregister", start) == OK and cu("cuMemHostUnregister", start) == 713
    assert cu("cuMemHostGetDevicePointer_v2", Words(), start + 99, 0) == INVALID_VALUE
    assert cu("cuMemHostGetDevicePointer_v2", Words(), start + 100, 0) == OK
    pinned = cu.get("cuMemHostAlloc", 64, 0)
    assert cu.get("cuMemHostGetDevicePointer_v2", pinned + 3, 0) == pinned + 3


def test_hints_are_for_managed_memory_of_devices_that_there_are(two: Program) -> None:
    managed, plain = two.get("cuMemAllocManaged", 128, 1), two.get("cuMemAlloc_v2", 128)
    for device in range(-3, 4):
        right = OK if device in (-1, 0, 1) else INVALID_DEVICE
        assert two("cuMemPrefetchAsync", managed, 128, device, 0) == right, device
        there = OK if device in (0, 1) else INVALID_DEVICE
        location = (device & 0xFFFF_FFFF) << 32
        assert two("cuMemPrefetchAsync_v2", managed, 128, location | 1, 0, 0) == there
        for advice in range(1, 7):
            anywhere = advice in (1, 2, 4)
            assert two("cuMemAdvise", managed + 8, 64, advice, device) == (OK if anywhere else right), (advice, device)
            assert two("cuMemAdvise_v2", managed, 64, advice, location | 2) == OK
    for function in ("cuMemPrefetchAsync", "cuMemAdvise"):
        assert two(function, plain, 128, 0 if function.endswith("Async") else 3, 0) == INVALID_VALUE
        assert two(function, managed, 129, 0 if function.endswith("Async") else 3, 0) == INVALID_VALUE
    out = Words(64)
    for size in (0, 3, 4, 64, 1024, 1028):
        status = two("cuMemRangeGetAttribute", Words(2048), size, 1, managed, 128)
        assert status == (OK if size in (4, 64, 1024) else INVALID_VALUE), size
    assert two("cuMemRangeGetAttribute", out, 8, 1, managed, 128) == OK
    assert not out.bytes[:8].any() and (out.bytes[8:] == 0xA5).all()


# -- reserved addresses ---------------------------------------------------------------------------------------


def test_reserved_addresses(two: Program) -> None:
    """What may be mapped where, beside a list of what is."""
    on = struct.pack("<IIii16x", 1, 0, 1, 0)
    assert two.get("cuMemGetAllocationGranularity", Words.of(on), 0) == GRANULE
    physical = two.get("cuMemCreate", 2 * GRANULE, Words.of(on), 0)
    for size in (0, GRANULE // 2, GRANULE + 1):
        assert two("cuMemCreate", Words(), size, Words.of(on), 0) == INVALID_VALUE
        assert two("cuMemAddressReserve", Words(), size, 0, 0, 0) == INVALID_VALUE
    sizes = [two("cuMemCreate", Words(), count * GRANULE, Words.of(on), 0) for count in (32, 33, 64)]
    assert sizes == [OK, 2, 2]  # Of 64 MiB.
    away = Words.of(struct.pack("<IIii16x", 1, 0, 1, 2))
    assert two("cuMemCreate", Words(), GRANULE, away, 0) == INVALID_DEVICE
    start = two.get("cuMemAddressReserve", 6 * GRANULE, 0, 0, 0)
    random_, mapped, outcomes = random.Random(5), dict[int, int](), set[tuple[str, bool]]()
    access = Words.of(struct.pack("<3i", 1, 0, 3))
    for _ in range(120):
        what, at, size = (
            random_.choice(["Map", "Map", "Unmap", "SetAccess"]),
            random_.randrange(7),
            random_.choice([1, 2]),
        )
        inside = at + size <= 6
        covered = [n for n in mapped if at <= n < at + size]
        whole = inside and at in mapped and sum(mapped[n] for n in covered) == size
        place, length = start + at * GRANULE, size * GRANULE
        if what == "Map":
            offset = random_.choice([0, 1])
            taken = any(n < at + size and at < n + mapped[n] for n in mapped)
            right = inside and not taken and offset + size <= 2
            status = two("cuMemMap", place, length, offset * GRANULE, physical, 0)
            mapped |= {at: size} if right else {}
        elif what == "Unmap":
            right, status = whole, two("cuMemUnmap", place, length)
            mapped = {n: mapped[n] for n in mapped if not (right and n in covered)}
        else:
            right, status = whole, two("cuMemSetAccess", place, length, access, 1)
            if right:
                assert two.get("cuMemGetAccess", Words(), place) == 3
                assert two("cuMemsetD8_v2", place, 7, length) == OK
        outcomes.add((what, right))
        assert status == (OK if right else INVALID_VALUE), (what, at, size, mapped)
        free = two("cuMemAddressFree", start, 6 * GRANULE) if mapped else INVALID_VALUE
        assert free == INVALID_VALUE
    assert len(outcomes) == 6
    for n, size in mapped.items():
        assert two("cuMemUnmap", start + n * GRANULE, size * GRANULE) == OK
    assert two("cuMemAddressFree", start, 5 * GRANULE) == INVALID_VALUE
    assert two("cuMemMap", start, GRANULE, 0, physical, 0) == OK
    assert two.get("cuMemGetAccess", Words(), start) == 0
    assert two("cuMemGetAccess", Words(), Words(), start + GRANULE) == INVALID_VALUE
    again, found = two.get("cuMemRetainAllocationHandle", start + 5), Words(64)
    assert two("cuMemGetAllocationPropertiesFromHandle", found, again) == OK and bytes(found.bytes[:32]) == on
    assert two("cuMemSetAccess", start, GRANULE, access, 0) == INVALID_VALUE
    assert two("cuMemSetAccess", start, GRANULE, Words.of(struct.pack("<3i", 1, 2, 3)), 1) == INVALID_DEVICE
    assert two("cuMemUnmap", start, GRANULE) == two("cuMemAddressFree", start, 6 * GRANULE) == OK
    assert two("cuMemRelease", physical) == OK and two("cuMemRelease", physical) == INVALID_HANDLE


def test_what_is_mapped_twice_is_one_memory(cu: Program) -> None:
    physical = cu.get("cuMemCreate", GRANULE, Words.of(struct.pack("<IIii16x", 1, 0, 1, 0)), 0)
    assert cu("cuMemExportToShareableHandle", Words(), physical, 2, 0) == 801
    shared = cu.get(
        "cuMemImportFromShareableHandle", cu.get("cuMemExportToShareableHandle", physical, 1, 0, dtype="i4"), 1
    )
    start = cu.get("cuMemAddressReserve", 2 * GRANULE, 0, 0, 0)
    for number, (handle, rights) in enumerate([(physical, 3), (shared, 1)]):
        assert cu("cuMemMap", start + number * GRANULE, GRANULE, 0, handle, 0) == OK
        access = Words.of(struct.pack("<3i", 1, 0, rights))
        assert cu("cuMemSetAccess", start + number * GRANULE, GRANULE, access, 1) == OK
    back = Words(64)
    assert cu("cuMemsetD32_v2", start, 0x01020304, 16) == cu("cuMemcpyDtoH_v2", back, start + GRANULE, 64) == OK
    assert (back.view("u4") == 0x01020304).all()
    assert [cu.get("cuMemGetAccess", Words(), start + number * GRANULE) for number in (0, 1)] == [3, 1]


# -- pools ----------------------------------------------------------------------------------------------------


def test_pools(two: Program) -> None:
    default, out = two.get("cuDeviceGetDefaultMemPool", 0), Words()
    assert default == two.get("cuDeviceGetMemPool", 0) != two.get("cuDeviceGetDefaultMemPool", 1)
    for kind in range(3):
        for where in range(6):
            status = two("cuMemPoolCreate", out, Words.of(struct.pack("<4i48x", kind, 0, where, 1)))
            assert status == (OK if kind == 1 and 1 <= where <= 4 else INVALID_VALUE), (kind, where)
    pool = two.get("cuMemPoolCreate", Words.of(struct.pack("<4i48x", 1, 0, 1, 1)))
    assert two("cuMemPoolCreate", out, Words.of(struct.pack("<4i48x", 1, 0, 1, 2))) == INVALID_DEVICE
    for which in range(-1, 11):
        wide = which >= 4
        status = two("cuMemPoolGetAttribute", pool, which, found := Words(64))
        assert status == (OK if 1 <= which <= 8 else INVALID_VALUE), which
        if not status:
            assert (found.bytes[8 if wide else 4 :] == 0xA5).all()
            assert wide or int(found.view("u4")[0]) == 1
        for value in (0, 5):
            given = Words.of(struct.pack("<Q" if wide else "<i", value))
            status = two("cuMemPoolSetAttribute", pool, which, given)
            right = 1 <= which <= 4 or (which in (6, 8) and not value)
            assert status == (OK if right else INVALID_VALUE), (which, value)
            if right and which <= 4:
                assert two.get("cuMemPoolGetAttribute", pool, which, at=2, dtype="u8" if wide else "u4") == value
    used = [two.get("cuMemPoolGetAttribute", pool, which, at=2) for which in (7, 8)]
    place = two.get("cuMemAllocFromPoolAsync", 1 << 16, pool, 0)
    now = [two.get("cuMemPoolGetAttribute", pool, which, at=2) for which in (5, 6, 7, 8)]
    assert now[2] - used[0] >= 1 << 16 and now[3] >= now[2] and now[:2] == now[2:]
    assert two("cuMemFreeAsync", place, 0) == OK
    assert [two.get("cuMemPoolGetAttribute", pool, which, at=2) for which in (7, 8)] == [used[0], now[3]]
    assert two("cuMemPoolSetAttribute", pool, 8, Words.of(bytes(8))) == OK
    assert two.get("cuMemPoolGetAttribute", pool, 8, at=2) == used[0]
    for device, right in ((0, 0), (1, 3)):
        assert two.get("cuMemPoolGetAccess", pool, Words.of(struct.pack("<2i", 1, device)), dtype="u4") == right
    for flags, right in ((3, 3), (0, 0)):
        assert two("cuMemPoolSetAccess", pool, Words.of(struct.pack("<3i", 1, 0, flags)), 1) == OK
        assert two.get("cuMemPoolGetAccess", pool, Words.of(struct.pack("<2i", 1, 0)), dtype="u4") == right
    assert two("cuMemPoolSetAccess", pool, Words.of(struct.pack("<3i", 1, 2, 3)), 1) == INVALID_DEVICE
    assert two("cuDeviceSetMemPool", 0, pool) == OK and two.get("cuDeviceGetMemPool", 0) == pool
    assert two("cuMemPoolTrimTo", pool, 0) == two("cuMemPoolDestroy", pool) == OK
    assert two("cuMemPoolTrimTo", pool, 0) == INVALID_HANDLE


# -- devices and contexts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("devices", [1, 2])
def test_names_of_devices(devices: int) -> None:
    cu = Program(devices)
    assert cu.get("cuDeviceGetCount", dtype="i4") == devices
    names: set[bytes] = set()
    for device in range(devices):
        assert cu.get("cuDeviceGet", device, dtype="i4") == device
        bus, found = f"0000:{device + 1:02x}:00.0".encode(), Words(64)
        for function in ("cuDeviceGetName", "cuDeviceGetPCIBusId"):
            assert cu(function, found, 64, device) == OK
            whole = found.text()
            assert whole == (cu.driver.device.properties.name.encode() if "Name" in function else bus)
            for size in range(-1, len(whole) + 2):
                part = Words(64)
                assert cu(function, part, size, device) == (OK if size > 0 else INVALID_VALUE), size
                assert size < 1 or (part.text() == whole[: size - 1] and (part.bytes[size:] == 0xA5).all())
        for text in (bus, bus[:-2], bus[5:], bus.upper(), b"0:%x:0" % (device + 1)):
            assert cu.get("cuDeviceGetByPCIBusId", Words.of(text + b"\0"), dtype="i4") == device, text
        found = Words(64)
        assert cu("cuDeviceGetUuid_v2", found, device) == OK
        names.add(bytes(found.bytes[:16]))
        assert (found.bytes[16:] == 0xA5).all()
    assert len(names) == devices
    for text in (
        f"0000:{devices + 1:02x}:00.0",
        "0000:00:00.0",
        "0000:01:01.0",
        "0001:01:00.0",
        "0000:01:00.1",
        "01",
        "",
    ):
        assert cu("cuDeviceGetByPCIBusId", Words(), Words.of(text.encode() + b"\0")) == INVALID_VALUE, text
    for function in ("cuDeviceGet", "cuDeviceGetUuid", "cuDeviceTotalMem_v2", "cuDevicePrimaryCtxRetain"):
        for device in (-1, devices):
            assert cu(function, Words(), device) == INVALID_DEVICE, (function, device)


def test_management_says_what_the_driver_says(two: Program) -> None:
    """NVML's structures and statuses, beside the functions of the driver that tell the same."""
    for number in range(2):
        handle = two.get("nvmlDeviceGetHandleByIndex_v2", number, at=1)
        found, raw = Words(96), Words(64)
        assert two("cuDeviceGetUuid", raw, number) == two("nvmlDeviceGetUUID", handle, found, 96) == OK
        assert found.text() == b"GPU-" + str(uuid.UUID(bytes=bytes(raw.bytes[:16]))).encode()
        assert two.get("nvmlDeviceGetHandleByUUID", Words.of(found.text() + b"\0"), at=1) == handle
        length = len(found.text())
        assert [two("nvmlDeviceGetUUID", handle, Words(96), length + n) for n in (0, 1)] == [7, OK]
        assert two("nvmlDeviceGetUUID", handle, 0, 96) == two("nvmlDeviceGetUUID", 3, found, 96) == 2
        assert two("nvmlDeviceGetName", handle, found, 96) == two("cuDeviceGetName", raw, 64, number) == OK
        assert found.text() == raw.text()
        assert two.get("nvmlDeviceGetIndex", handle, at=1, dtype="u4") == number
        assert two.get("nvmlDeviceGetMinorNumber", handle, at=1, dtype="u4") == number
        assert (
            two("cuDeviceGetPCIBusId", raw, 64, number)
            == two("nvmlDeviceGetPciInfo_v3", handle, pci := Words(128))
            == OK
        )
        assert pci.text() == raw.text()
        assert pci.bytes[16:36].view("u4").tolist() == [0, number + 1, 0, 0, 0]
        assert bytes(pci.bytes[36:68]).rstrip(b"\0") == b"0000" + raw.text() and (pci.bytes[68:] == 0xA5).all()
        assert two.get("nvmlDeviceGetHandleByPciBusId_v2", Words.of(b"0000" + raw.text() + b"\0"), at=1) == handle
        major, minor = Words(8), Words(8)
        assert two("nvmlDeviceGetCudaComputeCapability", handle, major, minor) == OK
        assert (int(major.view("i4")[0]), int(minor.view("i4")[0])) == (9, 0)
        place = two.get("cuMemAlloc_v2", 4096)
        free, total = two.get("cuMemGetInfo_v2", 0), two.get("cuMemGetInfo_v2", 0, at=1)
        assert two("nvmlDeviceGetMemoryInfo", handle, info := Words(40)) == OK
        assert info.view()[:3].tolist() == [total, free, total - free] and (info.bytes[24:] == 0xA5).all()
        assert two("nvmlDeviceGetMemoryInfo_v2", handle, info := Words(48)) == OK
        assert info.view()[1:5].tolist() == [total, 0, free, total - free] and (info.bytes[:8] == 0xA5).all()
        assert two("cuMemFree_v2", place) == OK
    version = two.get("cuDriverGetVersion", dtype="i4")
    assert two.get("nvmlSystemGetCudaDriverVersion_v2", dtype="i4") == version
    assert two.get("nvmlDeviceGetCount_v2", dtype="u4") == 2
    assert two("nvmlDeviceGetHandleByIndex", 2, Words()) == two("nvmlDeviceGetHandleByIndex", -1, Words()) == 2
    assert two("nvmlDeviceGetHandleByUUID", Words.of(b"GPU-0\0"), Words()) == 6
    for name in ("nvmlDeviceGetHandleByUUID", "nvmlDeviceGetHandleByPciBusId"):
        assert two(name, 0, Words()) == 2
    assert [two(f"nvml{name}") for name in ("Init", "Init_v2", "InitWithFlags", "Shutdown")] == [OK] * 4


def test_errors_have_the_names_of_the_header(cu: Program) -> None:
    for status in range(-1, 1001):
        for which, function in enumerate(("cuGetErrorName", "cuGetErrorString")):
            out = Words(8)
            assert cu(function, status, out) == (OK if status in NAMES else INVALID_VALUE), status
            address = int(out.view()[0])
            assert ctypes.string_at(address).decode() == NAMES[status][which] if status in NAMES else not address


def test_the_stack_of_contexts(two: Program) -> None:
    """Every function beside a list."""
    stack = [two.context]
    known = [two.context, two.get("cuDevicePrimaryCtxRetain", 1)]
    made, random_, homes = list[int](), random.Random(2), {known[0]: 0, known[1]: 1}
    for _ in range(200):
        what = random_.choice(["set", "set", "push", "pop", "create", "destroy", "clear"])
        chosen = random_.choice(known + made)
        if what == "set":
            assert two("cuCtxSetCurrent", chosen) == OK
            stack[-1:] = [chosen]
        elif what == "clear":
            assert two("cuCtxSetCurrent", 0) == OK
            stack[-1:] = []
        elif what == "push":
            assert two("cuCtxPushCurrent_v2", chosen) == OK
            stack.append(chosen)
        elif what == "pop":
            assert two("cuCtxPopCurrent_v2", out := Words(8)) == (OK if stack else INVALID_CONTEXT)
            assert not stack or int(out.view()[0]) == stack.pop()
        elif what == "create":
            number = random_.randrange(2)
            made.append(two.get("cuCtxCreate_v2", 8, number))
            stack.append(made[-1])
            homes[made[-1]] = number
            assert two.get("cuCtxGetFlags", dtype="u4") == 8
            assert two("cuCtxSetFlags", 4) == OK and two.get("cuCtxGetFlags", dtype="u4") == 4
        elif made:
            gone = made.pop()
            assert two("cuCtxDestroy_v2", gone) == OK and two("cuCtxPushCurrent_v2", gone) == INVALID_HANDLE
            stack = [one for one in stack if one != gone]
        assert two.get("cuCtxGetCurrent") == (stack[-1] if stack else 0)
        status = two("cuCtxGetDevice", out := Words(8))
        assert status == (OK if stack else INVALID_CONTEXT)
        assert status or int(out.view("i4")[0]) == homes[stack[-1]]
        assert two.get("cuCtxGetDevice_v2", known[1], dtype="i4") == 1
        assert two("cuCtxSynchronize") == two("cuMemAlloc_v2", Words(), 8) == (OK if stack else INVALID_CONTEXT)
        assert bool(stack) or two("cuCtxGetFlags", Words()) == INVALID_CONTEXT


def test_primary_contexts_are_counted(cu: Program) -> None:
    for count in range(1, 4):
        assert cu.get("cuDevicePrimaryCtxGetState", 0, 0, at=2, dtype="i4") == 1
        assert cu("cuDevicePrimaryCtxRetain", Words(), 0) == OK, count
    assert cu("cuDevicePrimaryCtxSetFlags_v2", 0, 6) == OK
    assert cu.get("cuDevicePrimaryCtxGetState", 0, 0, at=1, dtype="u4") == 6
    assert [cu("cuDevicePrimaryCtxRelease_v2", 0) for _ in range(5)] == [OK] * 4 + [INVALID_CONTEXT]
    assert cu.get("cuDevicePrimaryCtxGetState", 0, 0, at=2, dtype="i4") == 0


def test_limits_and_preferences_are_kept(two: Program) -> None:
    for which in range(-1, 9):
        status = two("cuCtxSetLimit", which, 77 + which)
        assert status == two("cuCtxGetLimit", Words(), which) == (OK if 0 <= which <= 6 else UNSUPPORTED_LIMIT)
        assert status or two.get("cuCtxGetLimit", which) == 77 + which
        status = two("cuCtxSetCacheConfig", which)
        assert status == (OK if 0 <= which <= 3 else INVALID_VALUE)
        assert status or two.get("cuCtxGetCacheConfig", dtype="i4") == which
    assert two("cuCtxSetCurrent", two.get("cuDevicePrimaryCtxRetain", 1)) == OK
    assert two.get("cuCtxGetCacheConfig", dtype="i4") == 0
    assert two.get("cuCtxGetStreamPriorityRange", 0, dtype="i4") == 0
    assert two.get("cuCtxGetStreamPriorityRange", 0, at=1, dtype="i4") == -5
    for number in range(-1, 300):
        assert two("cuDeviceGetAttribute", Words(), number, 0) == (OK if 0 < number < 256 else INVALID_VALUE)
    first = [two.get("cuDeviceGetAttribute", number, 0, dtype="i4") for number in range(1, 15)]
    assert two("cuDeviceGetProperties", out := Words(64), 0) == OK and out.view("i4")[:14].tolist() == first


def test_nothing_is_there_before_it_is_initialised() -> None:
    cu = Program(ready=False)
    assert cu("cuDeviceGet", Words(), 0) == cu("cuMemAlloc_v2", Words(), 8) == 3
    assert cu("cuInit", 1) == INVALID_VALUE and cu("cuDeviceGet", Words(), 0) == 3
    assert cu("cuInit", 0) == cu("cuDeviceGet", Words(), 0) == OK and cu("cuMemAlloc_v2", Words(), 8) == INVALID_CONTEXT


# -- peers ----------------------------------------------------------------------------------------------------


def test_peers() -> None:
    cu = Program(3)
    others = [cu.get("cuDevicePrimaryCtxRetain", number) for number in range(3)]
    for first in range(3):
        for second in range(3):
            assert cu.get("cuDeviceCanAccessPeer", first, second, dtype="i4") == (first != second)
            for which in range(6):
                status = cu("cuDeviceGetP2PAttribute", out := Words(8), which, first, second)
                assert status == (OK if 1 <= which <= 4 and first != second else INVALID_VALUE)
                assert status or int(out.view("i4")[0]) == (which > 1)
    allowed, random_ = set[tuple[int, int]](), random.Random(3)
    for _ in range(60):
        first, second, enable = random_.randrange(3), random_.randrange(3), random_.random() < 0.6
        assert cu("cuCtxSetCurrent", others[first]) == OK
        if enable:
            right = INVALID_DEVICE if first == second else 704 if (first, second) in allowed else OK
            assert cu("cuCtxEnablePeerAccess", others[second], 1) == INVALID_VALUE
            assert cu("cuCtxEnablePeerAccess", others[second], 0) == right
            allowed |= {(first, second)} if not right else set()
        else:
            right = OK if (first, second) in allowed else 705
            assert cu("cuCtxDisablePeerAccess", others[second]) == right
            allowed -= {(first, second)}


# -- streams and events ---------------------------------------------------------------------------------------


def test_streams_are_what_they_were_made_with(two: Program) -> None:
    for flags in range(4):
        for priority in (-9, -5, -3, 0, 2):
            out = Words(8)
            assert two("cuStreamCreateWithPriority", out, flags, priority) == (OK if flags < 2 else INVALID_VALUE)
            if flags < 2:
                stream, kept = int(out.view()[0]), max(min(priority, 0), -5)
                assert two.get("cuStreamGetFlags", stream, at=1, dtype="i4") == flags
                assert two.get("cuStreamGetPriority", stream, at=1, dtype="i4") == kept
                assert two("cuStreamGetAttribute", stream, 8, value := Words(64)) == OK
                assert int(value.view("i4")[0]) == kept and not value.bytes[4:].any()
                assert two("cuStreamGetAttribute", stream, 3, value) == OK and int(value.view("i4")[0]) == 1
                assert two("cuStreamGetAttribute", stream, 1, value) == OK and not value.bytes.any()
                assert two("cuStreamSetAttribute", stream, 1, given := Words(64)) == OK
                other = two.get("cuStreamCreate", 0)
                assert (
                    two("cuStreamCopyAttributes", other, stream) == two("cuStreamGetAttribute", other, 1, value) == OK
                )
                assert (value.bytes == given.bytes).all()
                assert two.get("cuStreamGetDevice", stream, at=1, dtype="i4") == 0
                assert two.get("cuStreamGetCtx", stream, at=1) == two.context
                assert two.get("cuStreamGetId", stream, at=1) == stream
                assert [two("cuStreamDestroy_v2", stream) for _ in range(2)] == [OK, INVALID_HANDLE]
                assert two("cuStreamSynchronize", stream) == INVALID_HANDLE
    assert two("cuStreamSynchronize", 0) == two("cuStreamQuery", 2) == OK
    stream, second = two.get("cuStreamCreate", 0), two.get("cuDevicePrimaryCtxRetain", 1)
    assert two("cuCtxSetCurrent", second) == OK
    assert two.get("cuStreamGetCtx", stream, at=1) == two.context, "it is of the context that it was made in"
    assert two.get("cuStreamGetCtx", two.get("cuStreamCreate", 0), at=1) == second == two.get("cuStreamGetCtx", 0, at=1)
    assert two("cuStreamGetCtx", 1234, Words()) == INVALID_HANDLE


def test_events_have_times_where_they_are_asked_to(two: Program) -> None:
    for flags in range(10):
        assert two("cuEventCreate", Words(), flags) == (OK if flags < 8 else INVALID_VALUE), flags
    events = {flags: [two.get("cuEventCreate", flags) for _ in range(2)] for flags in (0, 2)}
    assert two("cuEventElapsedTime", Words(), *events[0]) == INVALID_HANDLE, "they were not recorded"
    for pair in events.values():
        assert [two("cuEventRecord", event, 0) for event in pair] == [OK, OK]
    for first, last in ((0, 0), (0, 2), (2, 0), (2, 2)):
        status = two("cuEventElapsedTime", out := Words(8), events[first][0], events[last][1])
        assert status == (INVALID_HANDLE if first or last else OK)
        assert status or out.view("f4")[0] >= 0
    assert two("cuCtxSetCurrent", two.get("cuDevicePrimaryCtxRetain", 1)) == OK
    stream, event = two.get("cuStreamCreate", 0), two.get("cuEventCreate", 0)
    assert two("cuEventRecord", events[0][0], stream) == INVALID_HANDLE, "they are of different devices"
    assert two("cuEventRecord", event, stream) == two("cuEventRecord", event, 0) == OK
    assert two("cuEventElapsedTime", Words(), events[0][0], event) == INVALID_HANDLE
    assert two("cuStreamWaitEvent", stream, events[0][0], 0) == two("cuEventQuery", event) == OK
    assert [two("cuEventDestroy_v2", event) for _ in range(2)] == [OK, INVALID_HANDLE]


@pytest.mark.parametrize("bits", [32, 64])
def test_values_that_streams_wait_for(cu: Program, bits: int) -> None:
    """Written values are there; a wait for what is not, and will not be, is told of."""
    place, random_, every = cu.get("cuMemAlloc_v2", 8), random.Random(bits), (1 << bits) - 1
    for _ in range(40):
        found = random_.choice([0, 1, 5, every, every >> 1, random_.getrandbits(bits)])
        given = random_.choice([found, 0, 1, 5, every, every >> 1, 1 << (bits - 1), (found + 1) & every])
        assert cu(f"cuStreamWriteValue{bits}_v2", 0, place, found, 0) == OK
        back = Words(8)
        assert cu("cuMemcpyDtoH_v2", back, place, bits // 8) == OK
        assert int(back.view(f"u{bits // 8}")[0]) == found and (back.bytes[bits // 8 :] == 0xA5).all()
        signed = (found - given) & every
        holds = [signed < 1 << (bits - 1), found == given, bool(found & given), bool(~(found | given) & every)]
        for flags, right in enumerate(holds):
            assert cu(f"cuStreamWaitValue{bits}_v2", 0, place, given, flags) == (OK if right else 702), (
                found,
                given,
                flags,
            )
