"""What compiled launches note of accesses to global memory: tables that the kernels of a device use in turn."""

from __future__ import annotations

from weft.sim.lanes import Array
from weft.sim.untouched import zeros

LAUNCHES = 255
"""Launches that have numbers of their own in the cells; what cells of other launches hold counts for nothing."""


class FarCells:
    """A table for each kind of access, by the size of their cells: eight bytes for a cell."""

    def __init__(self) -> None:
        self._tables: dict[tuple[int, int], list[Array]] = {}
        self._launch: dict[tuple[int, int], int] = {}

    def take(self, shift: int, kinds: int, extent: int) -> tuple[list[Array], int]:
        """Tables for a launch that accesses `extent` bytes, in cells of `1 << shift`, and the launch's number."""
        key, size = (shift, kinds), (extent >> shift) + 1
        tables = self._tables.get(key, [])
        if not tables or self._launch[key] == LAUNCHES or len(tables[0]) < size:
            tables = self._tables[key] = [zeros(size) for _ in range(kinds)]
            self._launch[key] = 0
        self._launch[key] += 1
        return tables, self._launch[key]
