"""Calls of the driver API in this process: its functions by name, on a driver of their own."""

from __future__ import annotations

import ctypes
import os
from typing import Any
from unittest.mock import patch

import numpy as np

import weft.gpu.driver
from weft.gpu.driver import nvml
from weft.gpu.driver.runtime import POINTERS
from weft.gpu.driver.runtime_table import PROGRAM, RUNTIME
from weft.gpu.driver.runtime_table import dispatch as dispatch_runtime
from weft.gpu.driver.state import Driver
from weft.gpu.driver.table import CALLS

assert weft.gpu.driver.CALLS  # Importing it fills the table.
OK, INVALID_VALUE, INVALID_DEVICE, INVALID_CONTEXT, INVALID_HANDLE = 0, 1, 101, 201, 400


class Words:
    """Memory of the program: bytes at an address."""

    def __init__(self, size: int = 64) -> None:
        self.bytes = np.full(size, 0xA5, np.uint8)
        self.address = int(self.bytes.ctypes.data)

    def view(self, dtype: str = "u8") -> np.ndarray[Any, Any]:
        """The bytes as numbers."""
        return self.bytes.view(dtype)

    @classmethod
    def of(cls, data: bytes) -> Words:
        """Memory that holds some bytes."""
        made = cls(max(len(data), 1))
        made.bytes[: len(data)] = np.frombuffer(data, np.uint8)
        return made

    def text(self) -> bytes:
        """Up to the first zero."""
        return bytes(self.bytes).partition(b"\0")[0]


class Program:
    """A program that has made the primary context of the first device current, unless it is told not to."""

    def __init__(self, devices: int = 1, *, ready: bool = True, target: str = "sm_90") -> None:
        with patch.dict(os.environ, {"WEFT_GPU": target, "WEFT_GPU_COUNT": str(devices), "WEFT_GPU_MEMORY": "64"}):
            self.driver = Driver(ctypes.CDLL(None))
        self._nvml = nvml.dispatch(self.driver)
        if ready:
            assert self("cuInit", 0) == OK
            self.context = self.get("cuDevicePrimaryCtxRetain", 0)
            assert self("cuCtxSetCurrent", self.context) == OK

    def __call__(self, name: str, *words: int | Words) -> int:
        """The status of a function of the driver, of the runtime or of NVML."""
        given = [word.address if isinstance(word, Words) else word & ((1 << 64) - 1) for word in words]
        if name.startswith("nvml"):
            return self._nvml(list(nvml.FUNCTIONS).index(name), [*given, 0, 0, 0, 0])
        try:
            if name in POINTERS:
                return POINTERS[name](given)
            if name in RUNTIME:
                return dispatch_runtime(self.driver, RUNTIME[name], given)
            return self.driver.unready(name) or CALLS[name](self.driver, given)
        except Exception as error:
            return self.driver.fail(name, error)

    def get(self, name: str, *words: int | Words, dtype: str = "u8", at: int = 0) -> int:
        """What a function writes to its argument number `at`; nothing is written beside it."""
        out = Words(64)
        assert self(name, *words[:at], out, *words[at:]) == OK, name
        size = np.dtype(dtype).itemsize
        assert (out.bytes[size:] == 0xA5).all(), f"{name} writes more than {size} bytes"
        return int(out.view(dtype)[0])

    def text(self, name: str, status: int) -> str:
        """What a function that gives the address of a text gives for a status."""
        return ctypes.string_at(self(name, status)).decode()


PTX = """
.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 total = 5;
.visible .global .align 8 .b8 table[24];
.visible .entry add(.param .u64 out, .param .u32 n)
{
  .reg .b64 %p, %i; .reg .b32 %t, %n, %s, %c, %d;
  ld.param.u64 %p, [out]; ld.param.u32 %n, [n];
  mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %d, %ntid.x; mad.lo.u32 %t, %c, %d, %t;
  mul.wide.u32 %i, %t, 4; add.u64 %p, %p, %i;
  ld.global.u32 %s, [total]; mad.lo.u32 %s, %t, %n, %s; st.global.u32 [%p], %s; ret;
}
.visible .entry wide(.param .align 8 .b8 a[12], .param .u8 b, .param .u64 c)
{
  .shared .align 4 .b8 room[1000];
  .reg .b32 %r; mov.u32 %r, room; st.shared.u32 [%r], 0; ret;
}
"""


class Compiled(Program):
    """A program with `PTX` in it, as a compiler registers its kernels and variables: by addresses of the host."""

    def __init__(self, devices: int = 1, ptx: str = PTX) -> None:
        super().__init__(devices)
        PROGRAM.__init__()
        self.image = Words.of(ptx.encode() + b"\0")
        self.names = {name: Words.of(name.encode() + b"\0") for name in ("add", "wide", "total", "table", "missing")}
        self.handle = self("__cudaRegisterFatBinary", self.image)
        for name in ("add", "wide", "missing"):
            assert self("__cudaRegisterFunction", self.handle, self[name], self[name], 0, 0, 0, 0, 0, 0, 0) == OK
        for name in ("total", "table"):
            assert self("__cudaRegisterVar", self.handle, self[name], self[name], self[name], 0, 4, 0, 0) == OK

    def __getitem__(self, name: str) -> Words:
        """What stands for a kernel or a variable in the host's code."""
        return self.names[name]


def contents(program: Program, place: int, size: int = 8) -> bytes:
    """What lies on the device."""
    back = Words(size)
    assert program("cuMemcpyDtoH_v2", back, place, size) == OK
    return bytes(back.bytes)
