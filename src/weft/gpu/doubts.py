"""Bytes of a device's memory that depend on what nothing has written.

A kernel may leave such bytes where nobody looks, as CUB's reductions by key do with the sum of a last tile that is not
full.  It is a fault when a kernel needs them, or the host copies them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from weft.sim.faults import KernelFault
from weft.sim.lanes import Array


class Doubts:
    """Places of bytes in `memory`, in rising order, what was left there, and the fault of the kernel that did it."""

    def __init__(self, memory: Array) -> None:
        self._memory = memory
        self._places: Array = np.zeros(0, np.int64)
        self._left: Array = np.zeros(0, np.uint8)
        self.fault: KernelFault | None = None

    def __bool__(self) -> bool:
        return len(self._places) > 0

    def add(self, places: Array, fault: KernelFault) -> None:
        """Bytes have been left that are not written."""
        self._forget()
        self._places = np.union1d(self._places, places)
        self._left = self._memory[self._places]
        self.fault = fault

    def drop(self, start: int, end: int) -> None:
        """The host has written bytes, or given them back."""
        self._keep((self._places < start) | (self._places >= end))

    def among(self, start: int, end: int) -> Array:
        """The places from `start` to `end` where still lies what was left there."""
        self._forget()
        first, last = np.searchsorted(self._places, (start, end))
        return self._places[first:last]

    def refill(self, fill: Callable[[Array], None]) -> None:
        """Other bits take their places."""
        self._forget()
        fill(self._left)
        self._memory[self._places] = self._left

    def _forget(self) -> None:
        """Bytes that somebody has written since are doubtful no more."""
        self._keep(self._memory[self._places] == self._left)

    def _keep(self, which: Array) -> None:
        if not which.all():
            self._places, self._left = self._places[which], self._left[which]
