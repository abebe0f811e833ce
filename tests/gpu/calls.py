"""Calls of the driver API in this process: its functions by name, on a driver of their own."""

from __future__ import annotations

import ctypes
import os
from typing import Any
from unittest.mock import patch

import numpy as np

import weft.gpu.driver
from weft.gpu.driver import nvml
from weft.gpu.driver.runtime_table import RUNTIME
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

    def __init__(self, devices: int = 1, *, ready: bool = True) -> None:
        with patch.dict(os.environ, {"WEFT_GPU": "sm_90", "WEFT_GPU_COUNT": str(devices), "WEFT_GPU_MEMORY": "64"}):
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
            if name.startswith("cuda"):
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
