"""What a device says of itself, by the names of CUDA's header, beside the figures that occupancy is computed from."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from weft.gpu.driver.devices import attributes
from weft.gpu.driver.runtime_types import DeviceProperties
from weft.gpu.properties import Properties, properties_of
from weft.toolchain.find import Tool
from weft.tracing.occupancy import MULTIPROCESSORS

MEMORY = 1 << 30
ALIKE = """
MAX_THREADS_PER_BLOCK 1024, MAX_BLOCK_DIM_X 1024, MAX_BLOCK_DIM_Y 1024, MAX_BLOCK_DIM_Z 64, MAX_GRID_DIM_X 2147483647,
MAX_GRID_DIM_Y 65535, MAX_GRID_DIM_Z 65535, MAX_SHARED_MEMORY_PER_BLOCK 49152, TOTAL_CONSTANT_MEMORY 65536, WARP_SIZE 32,
MAX_PITCH 2147483647, MAX_REGISTERS_PER_BLOCK 65536, MAX_REGISTERS_PER_MULTIPROCESSOR 65536, TEXTURE_ALIGNMENT 512,
SURFACE_ALIGNMENT 512, TEXTURE_PITCH_ALIGNMENT 32, GPU_OVERLAP 1, CONCURRENT_KERNELS 1, CAN_MAP_HOST_MEMORY 1,
UNIFIED_ADDRESSING 1, MANAGED_MEMORY 1, CONCURRENT_MANAGED_ACCESS 1, DIRECT_MANAGED_MEM_ACCESS_FROM_HOST 1,
COOPERATIVE_LAUNCH 1, STREAM_PRIORITIES_SUPPORTED 1, GLOBAL_L1_CACHE_SUPPORTED 1, LOCAL_L1_CACHE_SUPPORTED 1,
COMPUTE_PREEMPTION_SUPPORTED 1, MEMORY_POOLS_SUPPORTED 1, VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED 1,
HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED 1, CAN_USE_64_BIT_STREAM_MEM_OPS 1, CAN_USE_STREAM_WAIT_VALUE_NOR 1,
IPC_EVENT_SUPPORTED 1, MULTICAST_SUPPORTED 1, ASYNC_ENGINE_COUNT 2, MAXIMUM_TEXTURE1D_WIDTH 131072,
MAXIMUM_TEXTURE2D_WIDTH 131072, MAXIMUM_TEXTURE2D_HEIGHT 65536, MAXIMUM_TEXTURE3D_WIDTH 16384,
MAXIMUM_TEXTURE3D_HEIGHT 16384, MAXIMUM_TEXTURE3D_DEPTH 16384, MAXIMUM_TEXTURE2D_LAYERED_WIDTH 32768,
MAXIMUM_TEXTURE2D_LAYERED_HEIGHT 32768, MAXIMUM_TEXTURE2D_LAYERED_LAYERS 2048, MAXIMUM_TEXTURE1D_LAYERED_WIDTH 32768,
MAXIMUM_TEXTURE1D_LAYERED_LAYERS 2048, INTEGRATED 0, ECC_ENABLED 0, TCC_DRIVER 0, PCI_DEVICE_ID 0, PCI_DOMAIN_ID 0,
HOST_NATIVE_ATOMIC_SUPPORTED 0, COMPUTE_MODE 0, KERNEL_EXEC_TIMEOUT 0, PAGEABLE_MEMORY_ACCESS 0,
MEMORY_CLOCK_RATE 2619000, HOST_REGISTER_SUPPORTED 1
"""
"""What all devices say."""


@pytest.fixture(scope="module")
def numbers(nvcc: Tool) -> dict[str, int]:
    """The attributes' numbers by their names; the first name of a number."""
    header = Path(nvcc.path).resolve().parents[1] / "include" / "cuda.h"
    if not header.exists():
        pytest.skip("CUDA's headers are not here")
    found = re.findall(
        r"\bCU_DEVICE_ATTRIBUTE_(\w+)\s*=\s*(\d+)\b", header.read_text(encoding="utf-8", errors="replace")
    )
    return {name: int(number) for name, number in found}


def said(properties: Properties, numbers: dict[str, int], *, number: int = 0, devices: int = 1) -> dict[str, int]:
    driver: Any = SimpleNamespace(device=SimpleNamespace(properties=properties), devices=devices)
    known = attributes(driver, number)
    return {name: known.get(place, 0) for name, place in numbers.items()}


@pytest.mark.parametrize("number", MULTIPROCESSORS)
def test_a_multiprocessor_is_the_one_that_occupancy_is_computed_for(number: int, numbers: dict[str, int]) -> None:
    machine = MULTIPROCESSORS[number]
    found = said(properties_of(f"sm_{number}", MEMORY), numbers)
    assert found["MAX_THREADS_PER_MULTIPROCESSOR"] == machine.threads
    assert found["MAX_BLOCKS_PER_MULTIPROCESSOR"] == machine.blocks
    assert found["MAX_SHARED_MEMORY_PER_MULTIPROCESSOR"] == machine.shared
    assert found["RESERVED_SHARED_MEMORY_PER_BLOCK"] == machine.reserved
    assert found["MAX_SHARED_MEMORY_PER_BLOCK_OPTIN"] == machine.shared_per_block


@pytest.mark.parametrize("number", [50, *MULTIPROCESSORS])
def test_attributes_by_name(number: int, numbers: dict[str, int]) -> None:
    found = said(properties_of(f"sm_{number}", MEMORY), numbers, number=1, devices=2)
    for name, value in (each.split() for each in ALIKE.split(",")):
        assert found[name] == int(value), name
    assert found["COMPUTE_CAPABILITY_MAJOR"] * 10 + found["COMPUTE_CAPABILITY_MINOR"] == number
    assert (found["PCI_BUS_ID"], found["MULTI_GPU_BOARD"], found["MULTI_GPU_BOARD_GROUP_ID"]) == (2, 1, 1)
    assert found["CLUSTER_LAUNCH"] == (number >= 90)
    assert found["MAX_ACCESS_POLICY_WINDOW_SIZE"] == (128 << 20 if number >= 80 else 0)
    assert found["MAX_PERSISTING_L2_CACHE_SIZE"] == (found["L2_CACHE_SIZE"] * 3 // 4 if number >= 80 else 0)


FIELDS = """
sharedMemPerBlock MAX_SHARED_MEMORY_PER_BLOCK, regsPerBlock MAX_REGISTERS_PER_BLOCK, warpSize WARP_SIZE, memPitch MAX_PITCH,
maxThreadsPerBlock MAX_THREADS_PER_BLOCK, maxThreadsDim MAX_BLOCK_DIM_X, maxGridSize MAX_GRID_DIM_X,
totalConstMem TOTAL_CONSTANT_MEMORY, major COMPUTE_CAPABILITY_MAJOR, minor COMPUTE_CAPABILITY_MINOR,
textureAlignment TEXTURE_ALIGNMENT, texturePitchAlignment TEXTURE_PITCH_ALIGNMENT,
multiProcessorCount MULTIPROCESSOR_COUNT, integrated INTEGRATED, canMapHostMemory CAN_MAP_HOST_MEMORY,
maxTexture1D MAXIMUM_TEXTURE1D_WIDTH, maxTexture2D MAXIMUM_TEXTURE2D_WIDTH, maxTexture3D MAXIMUM_TEXTURE3D_WIDTH,
maxTexture1DLayered MAXIMUM_TEXTURE1D_LAYERED_WIDTH, maxTexture2DLayered MAXIMUM_TEXTURE2D_LAYERED_WIDTH,
surfaceAlignment SURFACE_ALIGNMENT, concurrentKernels CONCURRENT_KERNELS, ECCEnabled ECC_ENABLED, pciBusID PCI_BUS_ID,
pciDeviceID PCI_DEVICE_ID, pciDomainID PCI_DOMAIN_ID, tccDriver TCC_DRIVER, asyncEngineCount ASYNC_ENGINE_COUNT,
unifiedAddressing UNIFIED_ADDRESSING, memoryBusWidth GLOBAL_MEMORY_BUS_WIDTH, l2CacheSize L2_CACHE_SIZE,
persistingL2CacheMaxSize MAX_PERSISTING_L2_CACHE_SIZE, maxThreadsPerMultiProcessor MAX_THREADS_PER_MULTIPROCESSOR,
streamPrioritiesSupported STREAM_PRIORITIES_SUPPORTED, globalL1CacheSupported GLOBAL_L1_CACHE_SUPPORTED,
localL1CacheSupported LOCAL_L1_CACHE_SUPPORTED, sharedMemPerMultiprocessor MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
regsPerMultiprocessor MAX_REGISTERS_PER_MULTIPROCESSOR, managedMemory MANAGED_MEMORY, isMultiGpuBoard MULTI_GPU_BOARD,
multiGpuBoardGroupID MULTI_GPU_BOARD_GROUP_ID, hostNativeAtomicSupported HOST_NATIVE_ATOMIC_SUPPORTED,
pageableMemoryAccess PAGEABLE_MEMORY_ACCESS, concurrentManagedAccess CONCURRENT_MANAGED_ACCESS,
computePreemptionSupported COMPUTE_PREEMPTION_SUPPORTED, cooperativeLaunch COOPERATIVE_LAUNCH,
sharedMemPerBlockOptin MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
directManagedMemAccessFromHost DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, maxBlocksPerMultiProcessor MAX_BLOCKS_PER_MULTIPROCESSOR,
accessPolicyMaxWindowSize MAX_ACCESS_POLICY_WINDOW_SIZE, reservedSharedMemPerBlock RESERVED_SHARED_MEMORY_PER_BLOCK,
hostRegisterSupported HOST_REGISTER_SUPPORTED, memoryPoolsSupported MEMORY_POOLS_SUPPORTED,
ipcEventSupported IPC_EVENT_SUPPORTED, clusterLaunch CLUSTER_LAUNCH
"""
"""Fields of the runtime's `cudaDeviceProp`, and the attributes of the driver that they are."""
SIZES = {"int": 4, "unsigned int": 4, "size_t": 8, "char": 1, "cudaUUID_t": 16}


@pytest.mark.parametrize("target", ["sm_75", "sm_90a", "sm_120"])
def test_the_runtime_says_what_the_driver_says(target: str, numbers: dict[str, int], nvcc: Tool) -> None:
    header = Path(nvcc.path).resolve().parents[1] / "include" / "driver_types.h"
    body = re.findall(r"struct [\w() ]*cudaDeviceProp\s*\{(.*?)\};", header.read_text(), re.DOTALL)[0]
    places: dict[str, tuple[int, int]] = {}
    end = 0
    declared = re.findall(r"^\s*(unsigned int|int|size_t|char|cudaUUID_t)\s+(\w+)(?:\[(\d+)\])?;", body, re.MULTILINE)
    for kind, name, count in declared:
        align = 1 if kind == "cudaUUID_t" else SIZES[kind]
        start = -(-end // align) * align
        places[name] = start, SIZES[kind]
        end = start + SIZES[kind] * int(count or 1)
    properties, filled = properties_of(target, MEMORY), DeviceProperties()
    driver: Any = SimpleNamespace(device=SimpleNamespace(properties=properties), devices=2)
    filled.fill(properties, attributes(driver, 1), uuid=b"u")
    data, known = bytes(filled), said(properties, numbers, number=1, devices=2)
    for field, name in (each.split() for each in FIELDS.split(",")):
        start, size = places[field]
        assert int.from_bytes(data[start : start + size], "little") == known[name], field


PRODUCTS = """
50 5 2 1085000 128, 52 16 2 1177000 256, 60 56 4 1328500 4096, 61 28 3 1582000 352, 70 80 6 1530000 4096,
75 40 4 1590000 256, 80 108 40 1410000 5120, 86 84 6 1695000 384, 89 128 72 2520000 384, 90 132 50 1980000 5120,
100 148 126 1965000 8192, 120 170 96 2407000 512
"""
"""Multiprocessors, MB of L2, kHz of the clock and bits of the bus: GTX 750 Ti, GTX 980, P100, GTX 1080 Ti, V100, T4, A100,
A40, RTX 4090, H100 SXM, B200, RTX 5090.
"""


@pytest.mark.parametrize("product", PRODUCTS.split(","), ids=lambda product: product.split()[0])
def test_figures_of_products(product: str, numbers: dict[str, int]) -> None:
    number, *figures = map(int, product.split())
    found = said(properties_of(f"sm_{number}", MEMORY), numbers)
    names = ("MULTIPROCESSOR_COUNT", "L2_CACHE_SIZE", "CLOCK_RATE", "GLOBAL_MEMORY_BUS_WIDTH")
    assert [found[name] for name in names] == [figures[0], figures[1] << 20, *figures[2:]]
    assert (found["MULTI_GPU_BOARD"], found["PCI_BUS_ID"]) == (0, 1)


OLDER = "50 2048 64, 52 2048 96, 53 2048 64, 60 2048 64, 61 2048 96, 62 2048 64, 70 2048 96, 72 2048 96, 88 1536 100"
"""Threads and KB of shared memory of the multiprocessors of which occupancy is not computed."""


@pytest.mark.parametrize("machine", OLDER.split(","), ids=lambda machine: machine.split()[0])
def test_other_multiprocessors(machine: str, numbers: dict[str, int]) -> None:
    number, threads, shared = map(int, machine.split())
    found = said(properties_of(f"sm_{number}", MEMORY), numbers)
    assert found["MAX_THREADS_PER_MULTIPROCESSOR"] == threads
    assert found["MAX_SHARED_MEMORY_PER_MULTIPROCESSOR"] == shared * 1024
    assert found["MAX_BLOCKS_PER_MULTIPROCESSOR"] == (16 if number == 88 else 32)


@pytest.mark.parametrize(
    ("target", "threads", "shared", "ctas"),
    [
        ("sm_90", 1024, 0, 2),
        ("sm_90", 1, 0, 32),
        ("sm_90", 33, 0, 32),
        ("sm_90", 65, 0, 21),
        ("sm_90", 32, 227 * 1024, 1),
        ("sm_90", 32, 113 * 1024, 2),
        ("sm_90", 32, 113 * 1024 + 1, 1),
        ("sm_75", 32, 32 * 1024, 2),
        ("sm_75", 32, 32 * 1024 + 1, 1),
        ("sm_120", 32, 0, 24),
        ("sm_86", 32, 0, 16),
    ],
)
def test_blocks_that_a_multiprocessor_holds(target: str, threads: int, shared: int, ctas: int) -> None:
    assert properties_of(target, MEMORY).ctas_together(threads, shared) == ctas


@pytest.mark.parametrize(
    ("target", "ratio"),
    [
        ("sm_75", 32),
        ("sm_80", 2),
        ("sm_86", 64),
        ("sm_89", 64),
        ("sm_90a", 2),
        ("sm_100a", 2),
        ("sm_103a", 64),
        ("sm_120", 64),
    ],
)
def test_doubles_are_slow_on_graphics_cards(target: str, ratio: int, numbers: dict[str, int]) -> None:
    found = said(properties_of(target, MEMORY), numbers)
    assert found["SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO"] == ratio
