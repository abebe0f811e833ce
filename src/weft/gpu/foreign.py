"""Bytes of this process by their address."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from weft.sim.lanes import Array


def bytes_at(address: int, size: int) -> Array:
    """`size` bytes from an address on; whoever calls this keeps them alive."""
    if not size:
        return np.empty(0, np.uint8)
    return array_of((ctypes.c_uint8 * size).from_address(address))


def array_of(owner: Any) -> Array:
    """The bytes of a ctypes object, which lives as long as the array does."""
    return np.frombuffer(memoryview(owner), np.uint8)
