"""Bytes of this process by their address."""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any, cast

import numpy as np

from weft.gpu.errors import DeviceError
from weft.sim.lanes import Array


def dtype_of(kind: object) -> np.dtype[Any]:
    """The dtype that is meant, of elements that have bytes.  Raises DeviceError where there is none."""
    try:
        found: np.dtype[Any] = np.dtype(cast(Any, kind))
    except (TypeError, ValueError) as error:
        raise DeviceError("invalid-value", f"dtype: {error}", _DTYPES) from None
    if found.subdtype is not None:
        raise DeviceError("invalid-value", f"dtype: elements of {found} are arrays", "give the array more dimensions")
    if found.hasobject or not found.itemsize:
        what = "are objects of Python" if found.hasobject else "have no bytes"
        raise DeviceError("invalid-value", f"dtype: elements of {found} {what}", _DTYPES)
    return found


_DTYPES = "use a dtype such as np.float32, 'i4' or ml_dtypes.bfloat16"


def bytes_at(address: int, size: int) -> Array:
    """`size` bytes from an address on; whoever calls this keeps them alive."""
    if not size:
        return np.empty(0, np.uint8)
    return array_of((ctypes.c_uint8 * size).from_address(address))


def array_of(owner: Any) -> Array:
    """The bytes of a ctypes object, which lives as long as the array does."""
    return np.frombuffer(memoryview(owner), np.uint8)


def host_bytes(address: int, size: int, what: str) -> Array:
    """The same for an address that a program gives; `what` says for what.

    Raises:
        DeviceError: the process has no such memory.
    """
    page = mmap.PAGESIZE
    start = address & -page
    length = address + size - start
    if not address or address + size > 1 << 47 or not _mapped(start, length):
        raise DeviceError("invalid-pointer", f"{what}: the process has no {size:,} bytes at {address:#x}")
    return bytes_at(address, size)


def _mapped(start: int, length: int) -> bool:
    if sys.platform != "linux":
        return True
    resident = ctypes.create_string_buffer(-(-length // mmap.PAGESIZE))
    return ctypes.CDLL(None).mincore(ctypes.c_void_p(start), ctypes.c_size_t(length), resident) == 0
