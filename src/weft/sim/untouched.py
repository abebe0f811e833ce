"""Tables as large as all global memory, of which a kernel touches little."""

from __future__ import annotations

import mmap
import sys

import numpy as np

from weft.sim.lanes import Array

_MAP_NORESERVE = 0x4000
_LARGE, _SPARSE = 1 << 28, 1 << 20
"""Bytes from which on a table is a mapping of its own: any table, and one of which little will be touched."""


def zeros(count: int, *, sparse: bool = False) -> Array:
    """So many 64-bit zeros; only pages that are touched take memory.

    Linux refuses a single allocation beyond what the machine has, touched or not, unless it is told not to reserve
    any: a program that takes a pool of 1 GiB from the device may need tables of 40.  NumPy writes the zeros of tables
    up to 32 MiB, or asks for huge pages, which are as dear where little is touched.
    """
    if count * 8 < (_SPARSE if sparse else _LARGE) or sys.platform != "linux":
        return np.zeros(count, np.uint64)
    mapping = mmap.mmap(-1, count * 8, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE)
    return np.frombuffer(mapping, np.uint64)
