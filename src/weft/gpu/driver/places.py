"""Memory of the program that it gives the address of: read and written as C does, but never at null."""

from __future__ import annotations

import ctypes
from typing import Any, TypeVar

from weft.gpu.driver.status import INVALID_VALUE, Refused

_T = TypeVar("_T", bound=Any)
_FIRST = 1 << 12
"""No program has memory before this address."""
_END = 1 << 47
"""No program has memory behind this address."""


def object_at(kind: type[_T], address: int) -> _T:
    """What lies at an address, as an object of ctypes.  Raises Refused where nothing can lie there."""
    _check(address, ctypes.sizeof(kind))
    return kind.from_address(address)


def data_at(address: int, size: int = -1) -> bytes:
    """The bytes at an address, up to a zero where no size is given.  Raises Refused where nothing can lie there."""
    _check(address, 1 if size < 0 else size)
    return ctypes.string_at(address, size)


def store(address: int, data: bytes) -> None:
    """Write bytes to an address.  Raises Refused where nothing can lie there."""
    _check(address, len(data))
    ctypes.memmove(address, data, len(data))


def _check(address: int, size: int) -> None:
    if size and not _FIRST <= address <= _END - size:
        raise Refused(INVALID_VALUE, f"{size} bytes at {address:#x}")
