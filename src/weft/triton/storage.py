"""Where the memory of an argument lies: the whole allocation, of which it may be a view.

On a GPU a kernel may reach all of an allocation through a pointer into it, and nothing beyond.
"""

from __future__ import annotations

import ctypes
from typing import Any, cast

import numpy as np

from weft.dataclass import dataclass
from weft.sim.faults import SimulationError
from weft.sim.lanes import Array


@dataclass(frozen=True, slots=True)
class Storage:
    """Host memory from `start` on, `size` bytes; `owner` keeps it alive."""

    start: int
    size: int
    owner: object
    writable: bool = True

    @property
    def end(self) -> int:
        """The address after the last byte."""
        return self.start + self.size

    def bytes(self) -> Array:
        """The memory as an array of bytes."""
        if not self.size:
            return np.zeros(0, np.uint8)
        found: Array = np.ctypeslib.as_array((ctypes.c_uint8 * self.size).from_address(self.start))
        return found


def storage_of(value: Any) -> Storage:
    """The allocation that an argument points into.

    Raises `SimulationError` for what has no address.
    """
    if isinstance(value, np.ndarray):
        return _of_array(cast(Array, value))
    if hasattr(value, "untyped_storage"):
        whole = value.untyped_storage()
        return Storage(whole.data_ptr(), whole.nbytes(), value)
    if hasattr(value, "base") and hasattr(value.base, "data_ptr"):
        return storage_of(value.base)  # what triton.reinterpret gives
    if not hasattr(value, "data_ptr"):
        raise SimulationError(f"{type(value).__name__} has no data_ptr(), so a kernel cannot access it")
    if hasattr(value, "__array_interface__"):
        return _of_array(np.asarray(value))
    if hasattr(value, "numel") and hasattr(value, "element_size"):
        return Storage(value.data_ptr(), value.numel() * value.element_size(), value)
    if hasattr(value, "nbytes"):
        return Storage(value.data_ptr(), int(value.nbytes), value)
    raise SimulationError(f"the size of the memory of {type(value).__name__} is unknown", hint="give it nbytes")


def _of_array(array: Array) -> Storage:
    whole = array
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    low, high = np.lib.array_utils.byte_bounds(whole)
    inner = np.lib.array_utils.byte_bounds(array)
    return Storage(min(low, inner[0]), max(high, inner[1]) - min(low, inner[0]), array, array.flags.writeable)
