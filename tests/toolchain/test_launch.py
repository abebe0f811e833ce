"""Launches on a GPU, by what stands for cuda-core and the driver's bindings where they are not installed."""

from __future__ import annotations

import ctypes
import sys
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import weft
from weft.errors import ToolError
from weft.toolchain.launch import Device, row_major_strides

PTX = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{\nret;\n}\n"


class Enumeration:
    """An enumeration whose members are their names."""

    def __getattr__(self, name: str) -> str:
        return name


class Bindings:
    """The driver's bindings and cuda-core: they note what they are asked, and answer with `status`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capability: tuple[int, int] = (9, 0)) -> None:
        self.status, self.asked, self.kernels = 0, list[tuple[str, Any]](), list[Any]()
        self.takes_cubins, self.capability = True, capability
        driver: Any = ModuleType("cuda.bindings.driver")
        for name in ("CUtensorMapDataType", "CUtensorMapInterleave", "CUtensorMapSwizzle", "CUtensorMapL2promotion"):
            setattr(driver, name, Enumeration())
        driver.CUtensorMapFloatOOBfill = driver.CUfunction_attribute = Enumeration()
        driver.cuuint64_t = lambda value: ("u64", value)
        driver.cuuint32_t = lambda value: ("u32", value)
        driver.CUfunction = lambda handle: ("function", handle)
        for name in ("cuLaunchKernel", "cuKernelSetAttribute"):
            setattr(driver, name, lambda *given, name=name: (self._answer(name, given),))
        for name in ("cuTensorMapEncodeTiled", "cuTensorMapEncodeIm2col"):
            setattr(driver, name, lambda *given, name=name: (self._answer(name, given), "a map"))
        core: Any = ModuleType("cuda.core")
        core.Device, core.ObjectCode = self._device, self
        utilities: Any = ModuleType("cuda.core.utils")
        utilities.StridedMemoryView = self
        for name, module in (("cuda.core", core), ("cuda.core.utils", utilities), ("cuda.bindings.driver", driver)):
            monkeypatch.setitem(sys.modules, name, module)

    def _answer(self, name: str, given: tuple[Any, ...]) -> int:
        if name == "cuLaunchKernel":  # Arguments are addresses of values, which are read now.
            places = (ctypes.c_uint64 * self.arguments).from_address(given[9])
            given = (*given[:9], [ctypes.string_at(place, 8) for place in places], *given[10:])
        self.asked.append((name, given))
        return self.status

    arguments = 0

    def _device(self, number: int) -> Any:
        if number == 5:
            raise ValueError("no such device")
        return SimpleNamespace(
            set_current=lambda: self.asked.append(("set_current", number)), device_id=number,
            compute_capability=self.capability, properties=SimpleNamespace(multiprocessor_count=132.0),
            default_stream=SimpleNamespace(handle="the default"), sync=lambda: self.asked.append(("sync", number)),
            create_stream=lambda stream: SimpleNamespace(handle=f"made of {stream}"),
        )  # fmt: skip

    def from_cubin(self, data: bytes) -> Any:
        if not self.takes_cubins:
            raise RuntimeError("no cubins here")
        return SimpleNamespace(get_kernel=lambda name: SimpleNamespace(handle=7, of=("cubin", data[:4], name)))

    def from_ptx(self, data: bytes) -> Any:
        return SimpleNamespace(get_kernel=lambda name: SimpleNamespace(handle=8, of=("ptx", data, name)))

    def from_any_interface(self, array: Any, stream_ptr: int) -> Any:
        assert stream_ptr == -1
        strides = tuple(step // array.itemsize for step in array.strides)
        gaps = None if array.flags.c_contiguous else strides
        return SimpleNamespace(ptr=4096, shape=array.shape, strides=gaps, dtype=array.dtype, itemsize=array.itemsize)

    def from_dlpack(self, array: Any, stream_ptr: int) -> Any:
        assert stream_ptr == -1
        return SimpleNamespace(ptr=array.place)


@pytest.fixture
def bindings(monkeypatch: pytest.MonkeyPatch) -> Bindings:
    return Bindings(monkeypatch)


def test_strides_of_arrays_without_gaps() -> None:
    assert row_major_strides(()) == () and row_major_strides((5,)) == (1,)
    assert row_major_strides((2, 3, 4)) == (12, 4, 1)


def test_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    for capability, target in (((8, 0), "sm_80"), ((8, 9), "sm_89"), ((9, 0), "sm_90a"), ((10, 3), "sm_103a")):
        made = Bindings(monkeypatch, capability)
        device = Device(2)
        assert device.target == target and device.processors == 132 and made.asked == [("set_current", 2)]
        device.synchronize()
        assert made.asked[1:] == [("sync", 2)]
    Device()
    assert made.asked[-1] == ("set_current", 0)
    with pytest.raises(ToolError, match="GPU 5 cannot be used: no such device"):
        Device(5)
    monkeypatch.setitem(sys.modules, "cuda.core", None)
    with pytest.raises(ToolError, match="cuda-core is not installed") as caught:
        Device()
    assert caught.value.hint == "pip install 'weft[gpu]'"


def test_kernels_are_assembled_here_where_that_can_be(bindings: Bindings, monkeypatch: pytest.MonkeyPatch) -> None:
    """PTX is left to the driver where ptxas is missing, or what it makes is not taken."""
    module, device = weft.parse(PTX), Device()
    finding = import_module("weft.toolchain.find")
    monkeypatch.setattr(finding, "find", lambda name: name == "ptxas" or None)
    monkeypatch.setattr("weft.toolchain.ptxas.assemble", lambda given: SimpleNamespace(data=b"\x7fELF...", of=given))
    assert device.load(module, "k").of == ("cubin", b"\x7fELF", "k")
    by_driver = ("ptx", module.to_ptx().encode(), "k")
    bindings.takes_cubins = False
    assert device.load(module, "k").of == by_driver
    bindings.takes_cubins = True
    monkeypatch.setattr(finding, "find", lambda name: None)
    assert device.load(module, "k").of == by_driver
    before = len(bindings.asked)
    device.load(module, "k", 48 * 1024)
    assert len(bindings.asked) == before
    device.load(module, "k", 48 * 1024 + 1)
    name = "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"
    assert bindings.asked[before:] == [("cuKernelSetAttribute", (name, 48 * 1024 + 1, 8, 0))]
    bindings.status = 1
    with pytest.raises(ToolError, match="cannot give a block 50000 bytes of shared memory: 1"):
        device.load(module, "k", 50000)


class Speaking:
    """An array that speaks DLPack."""

    def __init__(self, place: int) -> None:
        self.place = place

    def __dlpack__(self) -> None: ...

    def __dlpack_device__(self) -> None: ...


def test_launches(bindings: Bindings) -> None:
    """Arguments are places of pointers, of numbers in their own size, and of tensor maps."""
    device, kernel = Device(), SimpleNamespace(handle="77")
    held = ctypes.create_string_buffer(b"12345678")
    arguments = [
        SimpleNamespace(__cuda_array_interface__={"data": (0x1234, False)}),
        *(Speaking(0x77), np.float32(1.5), np.int64(-2)),
        SimpleNamespace(getPtr=lambda: ctypes.addressof(held)),
    ]
    bindings.arguments = len(arguments)
    for grid, whole in (((3,), (3, 1, 1)), ((3, 4), (3, 4, 1)), ((3, 4, 5), (3, 4, 5))):
        device.launch(kernel, grid, 128, arguments)
        name, given = bindings.asked[-1]
        assert name == "cuLaunchKernel" and given[:9] == (("function", 77), *whole, 128, 1, 1, 0, "the default")
        assert [data[:size] for data, size in zip(given[9], (8, 8, 4, 8, 8), strict=True)] == [
            *(
                b"\x34\x12" + bytes(6),
                b"\x77" + bytes(7),
                np.float32(1.5).tobytes(),
                np.int64(-2).tobytes(),
                b"12345678",
            )
        ]
        assert given[10:] == (0,)
    device.launch(kernel, (1,), 32, arguments, shared_bytes=64, stream="mine")
    assert bindings.asked[-1][1][7:9] == (64, "made of mine")
    bindings.status = 700
    with pytest.raises(ToolError, match="the driver cannot launch the kernel: 700"):
        device.launch(kernel, (1,), 32, arguments)


def test_tensor_maps(bindings: Bindings) -> None:
    """Dimensions are the driver's: the innermost first, strides in bytes, without the innermost."""
    device, array = Device(), np.zeros((8, 32, 64), np.float16)
    settings = (
        *("CU_TENSOR_MAP_INTERLEAVE_NONE", "CU_TENSOR_MAP_SWIZZLE_128B", "CU_TENSOR_MAP_L2_PROMOTION_L2_128B"),
        "CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE",
    )

    def wide(*values: int, bits: int = 64) -> list[tuple[str, int]]:
        return [(f"u{bits}", value) for value in values]

    assert device.tensor_map(array, (1, 16, 32), "128B") == "a map"
    name, given = bindings.asked[-1]
    assert name == "cuTensorMapEncodeTiled"
    assert given == (
        *("CU_TENSOR_MAP_DATA_TYPE_FLOAT16", 3, 4096, wide(64, 32, 8), wide(128, 4096)),
        *(wide(32, 16, 1, bits=32), wide(1, 1, 1, bits=32), *settings),
    )
    assert device.tensor_map(array[:, ::2], (1, 16, 32), "128B") == "a map"
    assert bindings.asked[-1][1][3:5] == (wide(64, 16, 8), wide(256, 4096))
    window = SimpleNamespace(lower=(-1, -2), upper=(3, 4), steps=(1, 2))
    image = np.zeros((2, 9, 8, 32), np.float32)
    assert device.tensor_map(image, (5, 16), "128B", window) == "a map"
    name, given = bindings.asked[-1]
    assert name == "cuTensorMapEncodeIm2col"
    assert given == (
        *("CU_TENSOR_MAP_DATA_TYPE_FLOAT32", 4, 4096, wide(32, 8, 9, 2), wide(128, 1024, 9216)),
        *([-2, -1], [4, 3], 16, 5, wide(1, 2, 1, 1, bits=32), *settings),
    )
    bindings.status = 1
    with pytest.raises(ToolError, match=r"cannot encode a tensor map of \(8, 32, 64\), box \(1, 16, 32\): 1"):
        device.tensor_map(array, [1, 16, 32], "128B")
