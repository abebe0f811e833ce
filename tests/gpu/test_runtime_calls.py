"""Functions of the CUDA runtime beside what its reference says of them, called with memory of this process."""

from __future__ import annotations

import ctypes
import random
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.gpu.calls import INVALID_DEVICE, INVALID_HANDLE, INVALID_VALUE, OK, Compiled, Words, contents
from weft.gpu.driver.runtime_table import PROGRAM
from weft.toolchain.find import Tool

INVALID_CONFIGURATION, INVALID_PITCH, INVALID_SYMBOL, INVALID_DIRECTION, INVALID_FUNCTION = 9, 12, 13, 21, 98
HOST_TO_HOST, TO_DEVICE, TO_HOST, ON_DEVICE, DEFAULT = range(5)


HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"


@pytest.fixture(autouse=True)
def apart() -> Iterator[None]:
    """What a program registers is the process's: none is left to the next test."""
    yield
    PROGRAM.__init__()


@pytest.fixture
def cuda() -> Compiled:
    return Compiled()


@pytest.fixture
def two() -> Compiled:
    return Compiled(2)


def row_of(*values: ctypes.c_uint64 | ctypes.c_uint32) -> tuple[Words, tuple[object, ...]]:
    """The addresses of arguments, in a row; and what has to live as long."""
    return Words.of(struct.pack(f"<{len(values)}Q", *map(ctypes.addressof, values))), values


# -- errors -----------------------------------------------------------------------------------------------------


def test_errors_are_called_as_in_the_header(cuda: Compiled, nvcc: Tool) -> None:
    header = Path(nvcc.path).resolve().parents[1] / "include" / "driver_types.h"
    listed = re.search(r"enum[\w ]* cudaError\s*\{(.*?)\};", header.read_text(), re.DOTALL)
    assert listed is not None
    names = {int(number): name for name, number in re.findall(r"\b(cuda\w+)\s*=\s*(\d+)", listed[1])}
    found = {status: cuda.text("cudaGetErrorName", status) for status in range(1000)}
    known = {status: name for status, name in found.items() if name != "unrecognized error code"}
    assert len(known) > 40 and known == {status: names[status] for status in known}
    assert {status: cuda.text("cudaGetErrorString", status) for status in (0, 9, 12, 13, 21, 98, 400, 700, 5000)} == {
        0: "no error",
        9: "invalid configuration argument",
        12: "invalid pitch argument",
        13: "invalid device symbol",
        21: "invalid copy direction for memcpy",
        98: "invalid device function",
        400: "invalid resource handle",
        700: "an illegal memory access was encountered",
        5000: "unrecognized error code",
    }
    assert cuda("cudaGetErrorString", 700 + (5 << 32)) == cuda("cudaGetErrorString", 700), "a status is 32 bits"


def test_the_last_error_is_kept_until_it_is_asked_for(cuda: Compiled) -> None:
    assert cuda("cudaGetLastError") == cuda("cudaPeekAtLastError") == OK
    assert cuda("cudaMemcpy", 0, 0, 0, 9) == INVALID_DIRECTION
    assert cuda("cudaGetDevice", Words()) == OK, "success forgets nothing"
    assert [cuda("cudaPeekAtLastError") for _ in range(2)] == [INVALID_DIRECTION] * 2
    assert [cuda("cudaGetLastError") for _ in range(2)] == [INVALID_DIRECTION, OK]
    assert cuda("cudaSetDevice", 1) == INVALID_DEVICE == cuda("cudaGetLastError")


def test_a_thread_has_the_first_device_from_the_first_call_on() -> None:
    cuda = Compiled(2)
    assert cuda("cuCtxSetCurrent", 0) == OK and cuda("cuCtxSynchronize") == 201
    assert cuda("__cudaInitModule", cuda.handle) == OK and cuda("cuCtxSynchronize") == 201, "it needs no device"
    assert cuda.get("cudaGetDevice", dtype="i4") == 0 and cuda("cuCtxSynchronize") == OK
    assert cuda.get("cuCtxGetCurrent") == cuda.context


# -- devices ----------------------------------------------------------------------------------------------------


def test_devices(two: Compiled) -> None:
    assert two.get("cudaGetDeviceCount", dtype="i4") == 2
    for number, status in ((1, OK), (0, OK), (2, INVALID_DEVICE), (-1, INVALID_DEVICE), (1, OK)):
        assert two("cudaSetDevice", number) == two("cudaInitDevice", number, 0, 0) == status
        assert status or two.get("cudaGetDevice", dtype="i4") == two.get("cuCtxGetDevice", dtype="i4") == number
    assert two.get("cudaChooseDevice", Words(), dtype="i4") == 0
    assert two("cudaSetValidDevices", Words(), 1) == two("cudaSetDeviceFlags", 8) == OK
    assert two.get("cudaDriverGetVersion", dtype="i4") == two.get("cudaRuntimeGetVersion", dtype="i4") == 13050
    assert two.get("cudaDeviceGetStreamPriorityRange", Words(), dtype="i4") == 0
    assert two.get("cudaDeviceGetStreamPriorityRange", Words(), at=1, dtype="i4") == -5
    for name in ("cudaDeviceGetSharedMemConfig", "cudaGetDeviceFlags"):
        assert two.get(name, dtype="i4") == 0
    assert two.get("cudaDeviceGetTexture1DLinearMaxWidth", Words(), 0) == 1 << 28
    assert two("cudaDeviceSetCacheConfig", 4) == INVALID_VALUE and two("cudaDeviceSetCacheConfig", 3) == OK
    assert two.get("cudaDeviceGetCacheConfig", dtype="i4") == 3
    for name in ("cudaProfilerStart", "cudaProfilerStop", "cudaCtxResetPersistingL2Cache", "cudaDeviceReset"):
        assert two(name) == OK
    raw, uuid = Words(1008), Words()
    assert two("cudaGetDeviceProperties", raw, 1) == two("cuDeviceGetUuid_v2", uuid, 1) == OK
    assert raw.text() == b"weft virtual GPU (sm_90)" and bytes(raw.bytes[256:272]) == bytes(uuid.bytes[:16])
    assert two("cudaGetDeviceProperties", raw, 2) == INVALID_DEVICE


def test_a_fault_is_told_once_by_what_waits(cuda: Compiled) -> None:
    for name in ("cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaProfilerStop", "cudaDeviceReset"):
        cuda.driver.pending = 700
        assert [cuda(name), cuda(name)] == [700, OK], name
    cuda.driver.pending, cuda.driver.sticky = 700, True
    assert [cuda("cudaDeviceSynchronize") for _ in range(2)] == [700] * 2
    assert [cuda("cudaDeviceReset"), cuda("cudaDeviceSynchronize")] == [OK, OK], "nothing else ends it"


# -- kernels ----------------------------------------------------------------------------------------------------


def pack(*extents: int) -> tuple[int, int]:
    """The two words of a `dim3`."""
    x, y, z = (*extents, 1, 1, 1)[:3]
    return x | y << 32, z


def test_launches(cuda: Compiled) -> None:
    """Each CTA's threads write `thread * n + total`; extents are read from the words of `dim3`."""
    out = cuda.get("cudaMalloc", 1024)
    row, _kept = row_of(ctypes.c_uint64(out), ctypes.c_uint32(3))
    stream = cuda.get("cudaStreamCreate")
    for name in ("cudaLaunchKernel", "__cudaLaunchKernel", "cudaLaunchCooperativeKernel"):
        assert cuda("cudaMemset", out, 0xFF, 1024) == OK
        assert cuda(name, cuda["add"], *pack(2), *pack(4), row, 0, stream) == OK
        found = np.frombuffer(contents(cuda, out, 40), "u4").tolist()
        assert found == [*(3 * thread + 5 for thread in range(8)), 0xFFFF_FFFF, 0xFFFF_FFFF], name
        for grid, block in ((pack(0), pack(4)), (pack(1), pack(0)), (pack(1), pack(1025)), (pack(1), pack(1, 1, 65))):
            assert cuda(name, cuda["add"], *grid, *block, row, 0, stream) == INVALID_CONFIGURATION, (grid, block)
        assert cuda(name, cuda["add"], *pack(1), *pack(4), row, 48 << 10, 0) == OK
        assert cuda(name, cuda["add"], *pack(1), *pack(4), row, (48 << 10) + 1, 0) == INVALID_VALUE
        assert cuda(name, cuda["add"], *pack(1), *pack(4), row, 0, 12345) == INVALID_HANDLE
        assert cuda(name, cuda["total"], *pack(1), *pack(4), row, 0, 0) == INVALID_FUNCTION
        assert cuda(name, cuda["missing"], *pack(1), *pack(4), row, 0, 0) == 500
    assert cuda("cudaLaunchKernel", cuda["add"], *pack(1, 2, 3), *pack(1, 1, 2), row, 0, 0) == OK
    assert cuda("cudaFuncSetAttribute", cuda["add"], 8, 64 << 10) == OK
    assert cuda("cudaLaunchKernel", cuda["add"], *pack(1), *pack(4), row, 64 << 10, 0) == OK
    assert cuda("cudaLaunchCooperativeKernel", cuda["add"], *pack(1 << 20), *pack(4), row, 0, 0) == 720


def test_launches_with_a_configuration(cuda: Compiled) -> None:
    """`cudaLaunchConfig_t`: grid, block, shared memory as a size, stream, attributes and their count."""
    out = cuda.get("cudaMalloc", 64)
    row, _kept = row_of(ctypes.c_uint64(out), ctypes.c_uint32(1))
    cluster = Words.of(struct.pack("<I4x3I52x", 4, 2, 1, 1))

    def config(grid: int, shared: int, count: int, stream: int = 0) -> Words:
        attributes = cluster.address if count else 0
        return Words.of(struct.pack("<6IQQQI4x", grid, 1, 1, 2, 1, 1, shared, stream, attributes, count))

    for grid, shared, count, status in (
        *((4, 0, 0, OK), (4, 0, 1, OK), (3, 0, 1, INVALID_CONFIGURATION), (4, 48 << 10, 0, OK)),
        *((4, (48 << 10) + 1, 0, INVALID_VALUE), (4, 1 << 32, 0, INVALID_VALUE), (4, 0, 65, INVALID_VALUE)),
    ):
        assert cuda("cudaMemset", out, 0, 64) == OK
        assert cuda("cudaLaunchKernelExC", config(grid, shared, count), cuda["add"], row) == status, (grid, shared)
        found = np.frombuffer(contents(cuda, out, 40), "u4").tolist()
        assert found == ([0] * 10 if status else [*range(5, 13), 0, 0]), (grid, shared, count)
    assert cuda("cudaLaunchKernelExC", config(1, 0, 0, 12345), cuda["add"], row) == INVALID_HANDLE


def test_configurations_are_a_stack(cuda: Compiled) -> None:
    """What `<<<...>>>` pushes is what the host's function of the kernel pops."""
    places = [Words(16) for _ in range(4)]
    assert cuda("__cudaPopCallConfiguration", *places) == INVALID_CONFIGURATION
    for number in (1, 2):
        assert cuda("__cudaPushCallConfiguration", *pack(number, 2, 3), *pack(4, 5, 6), 7, 8 + number) == OK
    for number in (2, 1):
        assert cuda("__cudaPopCallConfiguration", *places) == OK
        assert [place.view("u4")[:3].tolist() for place in places[:2]] == [[number, 2, 3], [4, 5, 6]]
        assert [int(place.view()[0]) for place in places[2:]] == [7, 8 + number]
        assert all((place.bytes[size:] == 0xA5).all() for place, size in zip(places, (12, 12, 8, 8), strict=True))
    assert cuda("__cudaPopCallConfiguration", *places) == INVALID_CONFIGURATION


def test_what_kernels_are(two: Compiled) -> None:
    names: set[int] = set()
    for number in (0, 1):
        assert two("cudaSetDevice", number) == OK
        kernel = two.get("__cudaGetKernel", two["add"])
        names.add(kernel)
        for name in ("cudaGetFuncBySymbol", "cudaGetKernel"):
            assert two.get(name, two["add"]) == kernel and two.get(name, kernel) == kernel
        assert two("cudaGetKernel", Words(), two["total"]) == INVALID_FUNCTION
        assert ctypes.string_at(two.get("cudaFuncGetName", two["add"])) == b"add"
        assert [two.get("cudaFuncGetParamCount", two[name], at=1) for name in ("add", "wide")] == [2, 3]
    assert len(names) == 2
    other = names - {kernel}
    assert two.get("cudaGetKernel", *other) == kernel, "a handle of another device stands for the same kernel"
    raw = Words(96)
    assert two("cudaFuncSetAttribute", two["wide"], 8, 50000) == OK
    assert two("cudaFuncGetAttributes", raw, two["wide"]) == OK
    shared, constant, local = raw.view()[:3].tolist()
    threads, registers, ptx, binary, cache, dynamic, carveout = raw.view("i4")[6:13].tolist()
    assert (shared, constant, local, threads, ptx, binary) == (1000, 0, 0, 1024, 90, 90)
    assert (cache, dynamic, carveout) == (0, 50000, 0) and 0 < registers <= 64
    assert two("cudaFuncSetAttribute", two["wide"], 8, 227 << 10) == OK
    for which, value in ((8, (227 << 10) + 1), (8, -1), (7, 1), (10, 1), (16, 1)):
        assert two("cudaFuncSetAttribute", two["wide"], which, value) == INVALID_VALUE, (which, value)
    for which in (9, 11, 12, 13, 14, 15):
        assert two("cudaFuncSetAttribute", two["wide"], which, 1) == OK
    assert two("cudaFuncSetCacheConfig", two["add"], 1) == two("cudaFuncSetSharedMemConfig", two["add"], 1) == OK


def test_occupancy(cuda: Compiled) -> None:
    """1000 bytes of static shared memory beside the dynamic, and 1 KB for each CTA, of 228 KB."""
    for function, threads, shared, right in (
        *(("add", 1024, 0, 2), ("add", 1, 0, 32), ("add", 65, 0, 21), ("wide", 32, 112 * 1024, 2)),
        *(("wide", 32, 113 * 1024 - 1000, 2), ("wide", 32, 113 * 1024 - 999, 1), ("add", 32, 113 * 1024, 2)),
    ):
        for name, flags in (("", ()), ("WithFlags", (0,))):
            full = f"cudaOccupancyMaxActiveBlocksPerMultiprocessor{name}"
            assert cuda.get(full, cuda[function], threads, shared, *flags, dtype="i4") == right, (function, threads)
            assert cuda(full, Words(), cuda[function], 0, shared, *flags) == INVALID_VALUE
    for name in ("cudaOccupancyMaxActiveClusters", "cudaOccupancyMaxPotentialClusterSize"):
        assert cuda.get(name, cuda["add"], Words(), dtype="i4") == 16
    for function, threads, shared, right in (
        *(("add", 0, 0, (1024, 264)), ("add", 2000, 0, (1024, 264)), ("add", 256, 0, (256, 8 * 132))),
        *(("wide", 0, 113 * 1024 - 1000, (1024, 264)), ("wide", 0, 113 * 1024 - 999, (1024, 132))),
        ("wide", 32, 300 << 10, (32, 132)),
    ):
        kernel = cuda.get("cudaGetKernel", cuda[function])
        for name, flags in (("", ()), ("WithFlags", (0,))):
            words = (kernel, 0, shared, threads, *flags)
            grid, block = Words(8), Words(8)
            assert cuda(f"cuOccupancyMaxPotentialBlockSize{name}", grid, block, *words) == OK
            assert (int(block.view("i4")[0]), int(grid.view("i4")[0])) == right, (function, threads)
    available = "cudaOccupancyAvailableDynamicSMemPerBlock"
    given = [(function, blocks) for function in ("add", "wide") for blocks in (0, 1, 2, 4, 300)]
    found = [cuda.get(available, cuda[function], blocks, 32) for function, blocks in given]
    rooms = [227, 227, 113, 56, 0]
    assert found == [max(0, room * 1024 - static) for static in (0, 1000) for room in rooms]


# -- memory -----------------------------------------------------------------------------------------------------


def size_of(cuda: Compiled, place: int) -> int:
    return cuda.get("cuMemGetAddressRange_v2", 0, place, at=1)


def test_allocations(cuda: Compiled) -> None:
    """Nothing is allocated for no bytes by `cudaMalloc`; other functions give a byte."""
    assert cuda.get("cudaMalloc", 0) == 0 and size_of(cuda, cuda.get("cudaMalloc", 1)) == 1
    assert cuda("cudaMalloc", Words(), 65 << 20) == 2 == cuda("cudaGetLastError")
    stream, pool = cuda.get("cudaStreamCreate"), cuda.get("cuDeviceGetDefaultMemPool", 0)
    for name, rest in (
        *(("cudaMallocAsync", (stream,)), ("cudaMallocFromPoolAsync", (pool, stream)), ("cudaHostAlloc", (7,))),
        ("cudaMallocHost", ()),
    ):
        for size in (0, 1, 2, 100):
            assert size_of(cuda, cuda.get(name, size, *rest)) == max(size, 1), name
    assert cuda("cudaMallocAsync", Words(), 8, 1234) == INVALID_HANDLE
    assert cuda("cudaMallocFromPoolAsync", Words(), 8, pool, 1234) == INVALID_HANDLE
    assert cuda("cudaMallocFromPoolAsync", Words(), 8, 1234, stream) == INVALID_HANDLE
    assert cuda("cudaHostAlloc", Words(), 8, 8) == INVALID_VALUE
    for flags, status in ((0, INVALID_VALUE), (1, OK), (2, OK), (3, INVALID_VALUE)):
        assert cuda("cudaMallocManaged", Words(), 8, flags) == status
    assert cuda("cudaMallocManaged", Words(), 0, 1) == INVALID_VALUE
    cuda.driver.pending = 700
    assert [cuda("cudaMalloc", Words(), 8) for _ in range(2)] == [700, OK]
    cuda.driver.pending = 700
    assert [cuda("cudaMalloc", Words(), 0) for _ in range(2)] == [700, OK]
    free, total = (cuda.get("cudaMemGetInfo", Words(), at=at) for at in (0, 1))
    assert total == 64 << 20 and 0 < free < total
    assert (free, total) == (cuda.get("cuMemGetInfo_v2", 0), cuda.get("cuMemGetInfo_v2", 0, at=1))


def test_memory_is_given_back_to_whoever_gave_it(cuda: Compiled) -> None:
    stream = cuda.get("cudaStreamCreate")
    places = [cuda.get(name, 8, *rest) for name, rest in (("cudaMalloc", ()), ("cudaMallocManaged", (1,)))]
    pinned = [cuda.get(name, 8, *rest) for name, rest in (("cudaMallocHost", ()), ("cudaHostAlloc", (0,)))]
    for kind, right, wrong in ((places, "cudaFree", "cudaFreeHost"), (pinned, "cudaFreeHost", "cudaFree")):
        for place in kind:
            assert [cuda(wrong, place), cuda(right, place), cuda(right, place)] == [INVALID_VALUE, OK, INVALID_VALUE]
    assert cuda("cudaFree", 0) == cuda("cudaFreeHost", 0) == OK
    place = cuda.get("cudaMallocAsync", 8, stream)
    assert [cuda("cudaFreeAsync", place, to) for to in (1234, stream, stream)] == [INVALID_HANDLE, OK, INVALID_VALUE]


def test_rows_and_boxes_start_at_multiples_of_512_bytes(cuda: Compiled) -> None:
    for width, height, depth in ((1, 1, 1), (512, 3, 2), (513, 3, 2), (20, 0, 0), (20, 4, 0), (20, 0, 4)):
        pitch = -(-width // 512) * 512
        if height:
            place, found = Words(8), Words(8)
            assert cuda("cudaMallocPitch", place, found, width, height) == OK
            assert int(found.view()[0]) == pitch and size_of(cuda, int(place.view()[0])) == pitch * height
        box = Words(40)
        assert cuda("cudaMalloc3D", box, 0, 0, 0, 0, 0, width, height, depth) == OK
        assert box.view()[1:4].tolist() == [pitch, width, height] and (box.bytes[32:] == 0xA5).all()
        assert size_of(cuda, int(box.view()[0])) == pitch * max(height, 1) * max(depth, 1)


def test_registered_memory_has_an_address_on_the_device(cuda: Compiled) -> None:
    host = Words(64)
    assert cuda("cudaHostRegister", host, 64, 0) == OK and cuda("cudaHostRegister", host, 1, 0) == 712
    place = cuda.get("cudaHostGetDevicePointer", host, 0)
    assert cuda.get("cudaHostGetDevicePointer", host.address + 9, 0) == place + 9
    assert cuda.get("cudaHostGetFlags", host, dtype="u4") == 0
    assert [cuda("cudaHostUnregister", host) for _ in range(2)] == [OK, 713]
    assert cuda("cudaHostGetDevicePointer", Words(), host, 0) == INVALID_VALUE


def test_kernels_work_on_registered_memory(cuda: Compiled) -> None:
    """Through its address on the device; the host sees what they have written."""
    host = Words.of(bytes(64))
    assert cuda("cudaHostRegister", host, 64, 0) == OK
    row, _kept = row_of(ctypes.c_uint64(cuda.get("cudaHostGetDevicePointer", host, 0)), ctypes.c_uint32(2))
    assert cuda("cudaLaunchKernel", cuda["add"], *pack(1), *pack(4), row, 0, 0) == OK
    assert host.view("u4")[:6].tolist() == [5, 7, 9, 11, 0, 0]


def test_directions_of_copies(cuda: Compiled) -> None:
    """Memory that both sides have is on both; what is the other side's is refused where anything is copied."""
    own, host = Words.of(bytes(64)), Words.of(bytes(64))
    assert cuda("cudaHostRegister", host, 64, 0) == OK
    device = cuda.get("cudaMalloc", 64)
    places = {
        "own": (own.address, "h"),
        "registered": (host.address, "hd"),
        "device": (device, "d"),
        "pinned": (cuda.get("cudaMallocHost", 64), "hd"),
        "managed": (cuda.get("cudaMallocManaged", 64, 1), "hd"),
    }
    sides = {HOST_TO_HOST: "hh", TO_DEVICE: "dh", TO_HOST: "hd", ON_DEVICE: "dd"}
    assert cuda("cudaMemset", device, 0, 64) == OK
    for (to, is_to), (source, is_source) in ((a, b) for a in places.values() for b in places.values()):
        for kind in range(-1, 6):
            fits = kind == DEFAULT or (kind in sides and sides[kind][0] in is_to and sides[kind][1] in is_source)
            wrong = INVALID_VALUE if kind in sides else INVALID_DIRECTION
            for name, words, empty in (
                ("cudaMemcpy", (to, source, 8, kind), (to, source, 0, kind)),
                ("cudaMemcpyAsync", (to, source, 8, kind, 0), (to, source, 0, kind, 0)),
                ("cudaMemcpy2D", (to, 8, source, 8, 4, 2, kind), (to, 8, source, 8, 0, 2, kind)),
            ):
                assert cuda(name, *words) == (OK if fits else wrong), (name, words)
                assert cuda(name, *empty) == (OK if kind in (*sides, DEFAULT) else INVALID_DIRECTION)
    assert cuda("cudaMemcpy", device, host.address + 63, 1, TO_DEVICE) == OK
    assert cuda("cudaMemcpy", host.address + 64, device, 0, TO_HOST) == OK
    assert cuda("cudaMemcpyAsync", device, own, 8, DEFAULT, 1234) == INVALID_HANDLE


def test_copies_move_just_their_bytes(cuda: Compiled) -> None:
    source, device = Words.of(bytes(range(64))), cuda.get("cudaMalloc", 64)
    for name, rest in (("cudaMemcpy", (DEFAULT,)), ("cudaMemcpyAsync", (DEFAULT, 0))):
        assert cuda("cudaMemset", device, 9, 64) == cuda(name, device + 3, source, 5, *rest) == OK
        assert contents(cuda, device, 16) == b"\x09" * 3 + bytes(range(5)) + b"\x09" * 8
    assert cuda("cudaMemcpy", device + 60, source, 5, DEFAULT) == INVALID_VALUE


def test_copies_of_rows(cuda: Compiled) -> None:
    random_, device = random.Random(1), cuda.get("cudaMalloc", 512)
    for number in range(30):
        host, back = Words.of(random_.randbytes(512)), Words(512)
        width, height = random_.randrange(9), random_.randrange(4)
        pitches = [random_.choice([width, width + 1, 16, max(width - 1, 0)]) for _ in range(2)]
        wrong = width > min(pitches) and height > 1
        assert cuda("cudaMemset", device, 7, 512) == OK
        asynchronous = number % 2
        name = "cudaMemcpy2DAsync" if asynchronous else "cudaMemcpy2D"
        status = cuda(name, device, pitches[0], host, pitches[1], width, height, DEFAULT, *[0] * asynchronous)
        assert status == (INVALID_PITCH if wrong else OK), (width, height, pitches)
        expected = np.full(512, 7, np.uint8)
        for row in range(0 if wrong else height):
            expected[row * pitches[0] :][:width] = host.bytes[row * pitches[1] :][:width]
        assert cuda("cuMemcpyDtoH_v2", back, device, 512) == OK and (back.bytes == expected).all()
    assert cuda("cudaMemcpy2DAsync", device, 4, device, 4, 4, 2, DEFAULT, 1234) == INVALID_HANDLE


def test_copies_between_devices(two: Compiled) -> None:
    first = two.get("cudaMalloc", 8)
    assert two("cudaMemset", first, 3, 8) == two("cudaSetDevice", 1) == OK
    second = two.get("cudaMalloc", 8)
    for name, rest in (("cudaMemcpyPeer", ()), ("cudaMemcpyPeerAsync", (0,))):
        assert two("cudaMemset", second, 0, 8) == two(name, second, 1, first, 0, 4, *rest) == OK
        assert contents(two, second, 8) == b"\3" * 4 + bytes(4)
        for to, source in ((0, 0), (1, 1)):
            assert two(name, second, to, first, source, 8, *rest) == INVALID_VALUE
        assert two(name, second, 2, first, 0, 8, *rest) == INVALID_DEVICE
        assert two(name, Words(), 0, first, 0, 8, *rest) == OK, "memory of the host is of no device"


def test_variables(cuda: Compiled) -> None:
    """Copies take the variable for the device's side: the direction may be what it is, or what the pointer says."""
    total, table = (cuda.get("cudaGetSymbolAddress", cuda[name]) for name in ("total", "table"))
    assert [cuda.get("cudaGetSymbolSize", cuda[name]) for name in ("total", "table")] == [4, 24]
    assert contents(cuda, total, 4) == b"\5\0\0\0"
    for asynchronous in ("", "Async"):
        rest = (0,) if asynchronous else ()
        for kind in range(-1, 6):
            data = Words.of(bytes([kind & 0xFF]) * 8)
            into = cuda(f"cudaMemcpyToSymbol{asynchronous}", cuda["table"], data, 8, 16, kind, *rest)
            assert into == (OK if kind in (1, 3, 4) else INVALID_DIRECTION), kind
            assert into or contents(cuda, table, 24) == bytes(16) + bytes(data.bytes)
            back = Words(16)
            status = cuda(f"cudaMemcpyFromSymbol{asynchronous}", back, cuda["table"], 9, 15, kind, *rest)
            assert status == (OK if kind in (2, 3, 4) else INVALID_DIRECTION), kind
            assert status or bytes(back.bytes) == contents(cuda, table + 15, 9) + b"\xa5" * 7
        assert cuda(f"cudaMemcpyToSymbol{asynchronous}", cuda["table"], Words(), 9, 16, 1, *rest) == INVALID_VALUE
        for name in ("To", "From"):
            ends = (cuda["add"], Words()) if name == "To" else (Words(), cuda["add"])
            assert cuda(f"cudaMemcpy{name}Symbol{asynchronous}", *ends, 4, 0, 4, *rest) == INVALID_SYMBOL
    for name in ("cudaGetSymbolAddress", "cudaGetSymbolSize"):
        assert cuda(name, Words(), cuda["add"]) == INVALID_SYMBOL


def test_managed_variables_are_one_for_all_devices(two: Compiled) -> None:
    """The host's pointer gets their address when they are registered."""
    pointer = Words(8)
    words = (two.handle, pointer, pointer, two["table"], 0, 24, 0, 0)
    assert two("__cudaRegisterManagedVar", *words) == OK
    place = int(pointer.view()[0])
    assert place == two.get("cudaGetSymbolAddress", pointer)
    addresses: list[list[int]] = []
    for number in (0, 1):
        assert two("cudaSetDevice", number) == OK
        addresses.append([two.get("cudaGetSymbolAddress", word) for word in (pointer, two["table"], two["total"])])
    assert addresses[0][:2] == addresses[1][:2] == [place] * 2 and addresses[0][2] != addresses[1][2]


def test_fills(cuda: Compiled) -> None:
    device, back = cuda.get("cudaMalloc", 256), Words(256)

    def filled(name: str, *words: int) -> bytes:
        assert cuda("cudaMemset", device, 0, 256) == cuda(name, *words) == OK
        assert cuda("cuMemcpyDtoH_v2", back, device, 256) == OK
        return bytes(back.bytes)

    for rest in ((), (0,)):
        suffix = "Async" if rest else ""
        assert filled(f"cudaMemset{suffix}", device + 1, 0x1FF, 3, *rest) == b"\0\xff\xff\xff" + bytes(252)
        rows = filled(f"cudaMemset2D{suffix}", device, 10, 5, 4, 2, *rest)
        assert rows == b"\5" * 4 + bytes(6) + b"\5" * 4 + bytes(242)
        # A box of 2 planes of 2 rows of 3 bytes, in rows of 8 bytes, of which 3 make a plane.
        words = (6, 0, 0, 0, 0, 0, device, 8, 99, 3, 3, 2, 2)
        planes = filled(f"cudaMemset3D{suffix}", *words)
        expected = np.zeros((2, 3, 8), np.uint8)
        expected[:, :2, :3] = 6
        assert planes == expected.tobytes().ljust(256, b"\0")
        for changed, status in (
            ({11: 4}, INVALID_VALUE), ({11: 4, 12: 1}, OK), ({11: 3}, OK), ({10: 0, 11: 9}, OK), ({10: 9}, INVALID_VALUE),
            ({12: 0}, OK), ({11: 0}, OK), ({10: 9, 11: 1}, OK),
        ):  # fmt: skip
            given = [changed.get(at, word) for at, word in enumerate(words)]
            assert cuda(f"cudaMemset3D{suffix}", *given) == status, changed
        assert cuda(f"cudaMemset2D{suffix}", device, 3, 5, 4, 2, *rest) == INVALID_VALUE
        assert cuda(f"cudaMemset{suffix}", device + 250, 5, 7, *rest) == INVALID_VALUE
    for name, words in (("", (device, 5, 4)), ("2D", (device, 10, 5, 4, 2))):
        assert cuda(f"cudaMemset{name}Async", *words, 1234) == INVALID_HANDLE
    cuda.driver.pending = 700
    assert [cuda("cudaMemset", device, 5, 4) for _ in range(2)] == [700, OK]


def test_what_pointers_are(two: Compiled) -> None:
    """`cudaPointerAttributes`: 0 is memory that nobody has told of, 1 the host's, 2 a device's, 3 managed."""
    assert two("cudaSetDevice", 1) == OK
    places = {
        2: two.get("cudaMalloc", 8),
        1: two.get("cudaMallocHost", 8),
        3: two.get("cudaMallocManaged", 8, 1),
        0: Words(8).address,
    }
    assert two("cudaSetDevice", 0) == OK
    for kind, place in places.items():
        out = Words(96)
        assert two("cudaPointerGetAttributes", out, place + 3) == OK
        device, host = out.view()[1:3].tolist()
        number = {2: 1, 0: -2}.get(kind, 0)
        assert out.view("i4")[:2].tolist() == [kind, number]
        assert (device, host) == (place + 3 if kind else 0, place + 3 if kind in (1, 3) else 0), kind
    managed = places[3]
    out = Words(8)
    assert two("cudaMemRangeGetAttribute", out, 4, 1, managed, 8) == OK
    assert bytes(out.bytes) == bytes(4) + b"\xa5" * 4
    for name, words in (("cudaMemPrefetchAsync", (1 | 1 << 32, 0, 0)), ("cudaMemAdvise", (3, 1 | 1 << 32))):
        for form in (name, f"{name}_v2"):
            assert two(form, managed, 8, *words) == OK
            assert two(form, places[2], 8, *words) == INVALID_VALUE
            away = tuple(1 | 2 << 32 if word == 1 | 1 << 32 else word for word in words)
            assert two(form, managed, 8, *away) == INVALID_DEVICE


# -- streams and events -------------------------------------------------------------------------------------------


def test_streams_and_events(cuda: Compiled) -> None:
    stream = cuda.get("cudaStreamCreate")
    assert [cuda.get(f"cudaStreamGet{what}", stream, at=1, dtype="i4") for what in ("Flags", "Priority")] == [0, 0]
    other = cuda.get("cudaStreamCreateWithPriority", 1, -3)
    assert [cuda.get(f"cudaStreamGet{what}", other, at=1, dtype="i4") for what in ("Flags", "Priority")] == [1, -3]
    assert cuda.get("cudaStreamGetFlags", cuda.get("cudaStreamCreateWithFlags", 1), at=1, dtype="i4") == 1
    start, end, untimed = (
        cuda.get("cudaEventCreate"),
        cuda.get("cudaEventCreate"),
        cuda.get("cudaEventCreateWithFlags", 2),
    )
    for event in (start, untimed, end):
        assert cuda("cudaEventRecord", event, stream) == cuda("cudaEventSynchronize", event) == OK
    assert cuda("cudaEventElapsedTime", out := Words(8), start, end) == OK and out.view("f4")[0] >= 0
    assert cuda("cudaEventElapsedTime", Words(8), start, untimed) == INVALID_HANDLE
    assert cuda("cudaEventRecordWithFlags", end, stream, 0) == cuda("cudaStreamWaitEvent", other, end, 0) == OK
    said: list[tuple[int, ...]] = []
    one = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(lambda data: said.append((data,)))
    three = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_int, ctypes.c_uint64)(lambda *given: said.append(given))
    assert cuda("cudaLaunchHostFunc", stream, ctypes.cast(one, ctypes.c_void_p).value or 0, 5) == OK
    assert cuda("cudaStreamAddCallback", stream, ctypes.cast(three, ctypes.c_void_p).value or 0, 6, 0) == OK
    assert said == [(5,), (stream, 0, 6)]
    assert [cuda("cudaStreamDestroy", stream) for _ in range(2)] == [OK, INVALID_HANDLE]
    assert [cuda("cudaEventDestroy", end) for _ in range(2)] == [OK, INVALID_HANDLE]
    assert cuda("cudaStreamSynchronize", stream) == INVALID_HANDLE and cuda("cudaStreamQuery", other) == OK


# -- libraries ----------------------------------------------------------------------------------------------------


def test_libraries(cuda: Compiled, tmp_path: Path) -> None:
    (tmp_path / "k.ptx").write_bytes(cuda.image.text())
    path = Words.of(f"{tmp_path}/k.ptx\0".encode())
    loaded = cuda.get("cudaLibraryLoadFromFile", path, 0, 0, 0, 0, 0, 0)
    assert cuda("cudaLibraryLoadFromFile", Words(), Words.of(b"/no/such.ptx\0"), 0, 0, 0, 0, 0, 0) == 301
    for library in (loaded, cuda.get("cudaLibraryLoadData", cuda.image, 0, 0, 0, 0, 0, 0)):
        assert cuda.get("cudaLibraryGetKernelCount", library, dtype="u4") == 2
        kernel = cuda.get("cudaLibraryGetKernel", library, cuda["wide"])
        row = Words(24)
        assert cuda("cudaLibraryEnumerateKernels", row, 9, library) == OK and (row.bytes[16:] == 0xA5).all()
        assert kernel == int(row.view()[1])
        assert cuda("cudaLibraryEnumerateKernels", row := Words(24), 1, library) == OK
        assert (row.bytes[8:] == 0xA5).all()
        for number, (offset, size) in enumerate([(0, 12), (12, 1), (16, 8)]):
            assert cuda.get("cudaFuncGetParamInfo", kernel, number, Words(), at=2) == offset
            assert cuda.get("cudaFuncGetParamInfo", kernel, number, Words(), at=3) == size
        assert cuda("cudaFuncGetParamInfo", kernel, 3, Words(), Words()) == INVALID_VALUE
        for name in ("cudaLibraryGetGlobal", "cudaLibraryGetManaged"):
            assert cuda.get(name, Words(), library, cuda["table"], at=1) == 24
            assert cuda(name, Words(), Words(), library, cuda["missing"]) == 500
        assert [cuda("cudaLibraryUnload", library) for _ in range(2)] == [OK, INVALID_HANDLE]


def test_entry_points_of_the_driver(cuda: Compiled) -> None:
    """The newest form, or that of a version; 0 says that it is there, 1 that it is not."""

    class Doors:
        """A library: any name is the address of a function."""

        def __getattr__(self, name: str) -> object:
            return ctypes.c_void_p(0x1000 + len(name))

    cuda.driver.library = Doors()  # type: ignore[assignment]
    for symbol, version, name in (
        *(("cuMemAlloc", 13050, "cuMemAlloc_v2"), ("cuCtxCreate", 12049, "cuCtxCreate_v2")),
        *(("cuCtxCreate", 12050, "cuCtxCreate_v4"), ("cuEventElapsedTime", 12079, "cuEventElapsedTime")),
        *(("cuEventElapsedTime", 12080, "cuEventElapsedTime_v2"), ("cuInit", 0, "cuInit")),
    ):
        given, out, status = Words.of(symbol.encode() + b"\0"), Words(8), Words(8)
        assert cuda("cudaGetDriverEntryPointByVersion", given, out, version, 0, status) == OK
        assert (int(out.view()[0]), int(status.view("i4")[0])) == (0x1000 + len(name), 0), symbol
        assert version < 13050 or cuda("cudaGetDriverEntryPoint", given, out, 0, status) == OK
    given, out, status = Words.of(b"cuNothing\0"), Words(8), Words(8)
    assert cuda("cudaGetDriverEntryPoint", given, out, 0, status) == INVALID_SYMBOL
    assert (int(out.view()[0]), int(status.view("i4")[0])) == (0, 1)


def test_functions_that_peers_need(two: Compiled) -> None:
    assert two("cudaDeviceDisablePeerAccess", 1) == 705 and two("cudaDeviceEnablePeerAccess", 1, 1) == INVALID_VALUE
    assert [two("cudaDeviceEnablePeerAccess", number, 0) for number in (0, 1, 1, 2)] == [
        *(INVALID_DEVICE, OK, 704, INVALID_DEVICE)
    ]
    assert [two("cudaDeviceDisablePeerAccess", 1) for _ in range(2)] == [OK, 705]
    for name, words in (
        *(("cudaGraphicsMapResources", (1, Words(), 0)), ("cudaGraphicsUnregisterResource", (Words(),))),
        *(("cudaImportExternalMemory", (Words(), Words())), ("cuImportExternalSemaphore", (Words(), Words()))),
    ):
        assert two(name, *words) == 801


def test_objects_with_relocatable_code_are_one_module() -> None:
    """Each is told the handle of the same fatbin; kernels of all are linked."""
    cuda = Compiled(ptx=HEAD + ".visible .entry own() { ret; }\n")
    told: list[int] = []
    callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(told.append)
    address = ctypes.cast(callback, ctypes.c_void_p).value or 0
    one = Words.of((HEAD + ".extern .func other(); .visible .entry k() { call other; ret; }\n").encode() + b"\0")
    two = Words.of((HEAD + ".visible .func other() { ret; }\n").encode() + b"\0")
    assert cuda("weft_register_linked", one, address) == cuda("weft_register_linked", two, address) == OK
    assert len(told) == 2 and told[0] == told[1] != cuda.handle
    name = Words.of(b"k\0")
    assert cuda("__cudaRegisterFunction", told[0], name, name, 0, 0, 0, 0, 0, 0, 0) == OK
    assert cuda("cudaLaunchKernel", name, *pack(1), *pack(1), 0, 0, 0) == OK
    assert cuda("cudaDeviceSynchronize") == OK
