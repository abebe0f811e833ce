"""Address space for devices: reserved, and given memory by the system page by page when it is first touched.

A pointer of the device is an address of this process, so that NumPy arrays, C programs and kernels see the same bytes.
Where the system allows it, ranges start at addresses that are the same in every run.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from threading import Lock

import numpy as np

from weft.gpu.errors import DeviceError
from weft.gpu.foreign import bytes_at
from weft.sim.arena import ARENA_BASE
from weft.sim.lanes import Array

_APART = 1 << 40
_MAP_NORESERVE = 0x4000
_MAP_FIXED = 0x10
_MAP_FIXED_NOREPLACE = 0x10_0000
_MADV_DONTNEED = 4
_FAILED = ctypes.c_void_p(-1).value


class Reservation:
    """A range of addresses: `size` bytes from `base` on, as an array of bytes.  All are zeros at first."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.base = 0
        self.bytes: Array = np.empty(0, np.uint8)
        self._mapping: mmap.mmap | None = None
        if sys.platform == "linux":
            self._reserve()
        if not self.base:
            self._map()

    def _reserve(self) -> None:
        libc = _libc()
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
        for number in range(16):
            wanted = ARENA_BASE + number * _APART
            found = libc.mmap(wanted, self.size, mmap.PROT_READ | mmap.PROT_WRITE, flags | _MAP_FIXED_NOREPLACE, -1, 0)
            if found == wanted:
                self.base = wanted
                break
            if found != _FAILED:  # A kernel before 4.17 takes the address for a hint.
                libc.munmap(found, self.size)
        if self.base:
            self.bytes = bytes_at(self.base, self.size)

    def _map(self) -> None:
        try:
            self._mapping = mmap.mmap(-1, self.size)
        except (OSError, OverflowError, ValueError) as error:
            message = f"{self.size:,} bytes of address space cannot be reserved: {error}"
            raise DeviceError("out-of-memory", message, hint="try a smaller `memory`") from None
        self.bytes = np.frombuffer(self._mapping, np.uint8)
        self.base = int(self.bytes.__array_interface__["data"][0])

    def clear(self, end: int) -> None:
        """Zeros in the first `end` bytes; the system gets their pages back where it takes them."""
        if self._mapping is None and sys.platform == "linux":
            _libc().madvise(self.base, -(-end // mmap.PAGESIZE) * mmap.PAGESIZE, _MADV_DONTNEED)
        else:
            self.bytes[:end] = 0


def map_shared(address: int, size: int, file: int, offset: int) -> None:
    """Let addresses of a range show a file's bytes.  Raises DeviceError where the system refuses."""
    _remap(address, size, mmap.MAP_SHARED, file, offset)


def map_private(address: int, size: int) -> None:
    """Let addresses of a range be memory of their own again: zeros."""
    _remap(address, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE, -1, 0)


def _remap(address: int, size: int, flags: int, file: int, offset: int) -> None:
    access = mmap.PROT_READ | mmap.PROT_WRITE
    if _libc().mmap(address, size, access, flags | _MAP_FIXED, file, offset) != address:
        message = f"{size:,} bytes at {address:#x} cannot be mapped: {os.strerror(ctypes.get_errno())}"
        raise DeviceError("invalid-value", message, "the system may be out of memory")


def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = (*(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int), ctypes.c_long)
    libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return libc


_FREE: list[Reservation] = []
_LOCK = Lock()


def take(size: int) -> Reservation:
    """A range of so many bytes, zeros: one that was given back, or a new one.

    Ranges are never unmapped: arrays may still point into them.
    """
    with _LOCK:
        for number, known in enumerate(_FREE):
            if known.size == size:
                return _FREE.pop(number)
        return Reservation(size)


def give(reservation: Reservation, end: int) -> None:
    """Give a range back of which the first `end` bytes were used."""
    reservation.clear(end)
    with _LOCK:
        _FREE.append(reservation)
