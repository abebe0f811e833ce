"""Cells of tensor memory, and tables of what is known of them.

Accesses are rectangles, and few of their edges differ: tables have an element for each block of cells that no access
has told apart yet, not for each cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from weft.dataclass import dataclass
from weft.sim.lanes import WARP, Array

LANES, COLUMNS = 128, 512
_BLOCK = 32
"""Lanes and columns of a block at first: those of a warp, and of the least allocation."""

Box = tuple["Array | slice[int, int]", "slice[int, int]", "slice[int, int]"]
"""CTAs, lanes and columns."""
Where = tuple["Array", "Array"]
"""Lanes and columns of blocks, a column and a row of them."""
Place = tuple["Array | slice[int, int]", "Array | slice[int, int]", "Array | slice[int, int]"]
"""What picks elements of arrays of CTAs by lanes by columns, or of tables of CTAs by blocks."""


@dataclass(slots=True)
class Rectangles:
    """Rectangles of `lanes` by `columns` cells: the CTA, the first lane and the first column of each.

    There are so many `parts` of each, one below the other, a warp's lanes apart.
    """

    cta: Array
    lane: Array
    column: Array
    lanes: int
    columns: int
    parts: int = 1

    def alike(self) -> bool:
        """Whether all are the same cells of their CTAs."""
        return bool((self.lane == self.lane[0]).all() and (self.column == self.column[0]).all())

    def some(self, part: slice[int, int] | Array) -> Rectangles:
        """Some of them."""
        return Rectangles(self.cta[part], self.lane[part], self.column[part], self.lanes, self.columns, self.parts)


@dataclass(slots=True)
class Cells:
    """Cells of tensor memory: CTA (of the batch), lane and column, three arrays of one shape.

    `box` are the CTAs, the lanes and the columns where these are all cells of a rectangle, in order; `areas` the
    rectangles that the elements of the first axis are, in any order; either lies inside tensor memory.
    """

    cta: Array
    lane: Array
    column: Array
    box: Box | None = None
    areas: Rectangles | None = None

    @staticmethod
    def grid(cta: Array, lane: Array, column: Array, *, repeated: bool = False) -> Cells:
        """Those of CTAs by lanes by columns; a column of lanes and a row of columns, each in order, are a rectangle.

        Some may be named `repeated`ly.
        """
        shape = len(cta), *np.broadcast_shapes(lane.shape, column.shape)
        wide = cta.reshape(-1, *(1,) * (len(shape) - 1))
        box = None
        if lane.ndim == 2 and lane.shape[1] == 1 and column.shape[0] == 1:
            lanes, columns = _run(lane[:, 0], LANES), _run(column[0], COLUMNS)
            ctas = _run(cta, int(cta[-1]) + 1)
            box = None if lanes is None or columns is None else (cta if ctas is None else ctas, lanes, columns)
        parts = [np.broadcast_to(part, shape) for part in (wide, lane, column)]
        areas = None if repeated else _area(cta, lane, column, parts[1][0].size)
        return Cells(parts[0], parts[1], parts[2], box, areas)

    @property
    def index(self) -> tuple[Array, Array, Array]:
        """What picks them from arrays of CTAs by lanes by columns."""
        return self.cta, self.lane, self.column

    @property
    def place(self) -> Place:
        """The same, by slices where it can be."""
        return self.index if self.box is None else self.box

    def some(self, part: slice[int, int]) -> Cells:
        """Those of some of the elements of the first axis."""
        box = self.box
        if box is not None:
            ctas = box[0]
            if isinstance(ctas, slice):
                first = ctas.start + part.start
                box = slice(first, min(first + part.stop - part.start, ctas.stop)), *box[1:]
            else:
                box = ctas[part], *box[1:]
        areas = None if self.areas is None else self.areas.some(part)
        return Cells(self.cta[part], self.lane[part], self.column[part], box, areas)

    def chosen(self, which: Array) -> Cells:
        """Those of the elements of the first axis that a mask marks."""
        areas = None if self.areas is None else self.areas.some(which)
        return Cells(self.cta[which], self.lane[which], self.column[which], areas=areas)


def _run(numbers: Array, size: int) -> slice[int, int] | None:
    """Numbers that follow each other, below a size."""
    first, count = int(numbers[0]), len(numbers)
    inside = first >= 0 and first + count <= size
    return slice(first, first + count) if inside and (np.diff(numbers) == 1).all() else None


def _area(cta: Array, lane: Array, column: Array, size: int) -> Rectangles | None:
    """The rectangle that so many different cells fill, in each CTA, or its parts."""
    left, top, right, bottom = int(lane.min()), int(column.min()), int(lane.max()) + 1, int(column.max()) + 1
    if left < 0 or top < 0 or right > LANES or bottom > COLUMNS:
        return None
    lanes, parts = right - left, 1
    if lanes * (bottom - top) != size:
        # Half of M = 64: sixteen lanes of each warp.
        lanes, parts = WARP // 2, -(-lanes // WARP)
        every = left + WARP * np.arange(parts)[:, None] + np.arange(lanes)
        if lane.shape != (every.size, 1) or (lane[:, 0] != every.reshape(-1)).any():
            return None
        if column.shape != (1, bottom - top):
            return None
    return Rectangles(cta, np.full(len(cta), left), np.full(len(cta), top), lanes, bottom - top, parts)


class Table:
    """What is known of blocks of cells, whose lanes and columns are the last two axes."""

    def __init__(self, data: Array) -> None:
        self.data = data

    def __getitem__(self, where: Any) -> Any:
        """Elements."""
        return self.data[where]

    def __setitem__(self, where: Any, values: Any) -> None:
        self.data[where] = values


class Blocks:
    """Blocks of cells that accesses have not told apart: `lanes` by `columns` cells, powers of two.

    They have `least` lanes: what ends within one counts for all of it.
    """

    def __init__(self, least: int = 1) -> None:
        self.lanes = self.columns = _BLOCK
        self.least = least
        self._tables: list[Table] = []

    @property
    def shape(self) -> tuple[int, int]:
        """How many there are."""
        return LANES // self.lanes, COLUMNS // self.columns

    @property
    def size(self) -> tuple[int, int]:
        """Lanes and columns of each."""
        return self.lanes, self.columns

    def again(self, where: Where, size: tuple[int, int]) -> Where:
        """Blocks that were picked when they had that size."""
        if size == self.size:
            return where
        lanes, columns = (
            (first.reshape(-1, 1) * before + np.arange(0, before, now)).reshape(-1) // now
            for first, before, now in zip(where, size, self.size, strict=True)
        )
        return lanes[:, None], columns[None]

    def table(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> Table:
        """A table of zeros, for arrays of blocks."""
        table = Table(np.zeros((*shape, *self.shape), dtype))
        self._tables.append(table)
        return table

    def clear(self) -> None:
        """Nothing is known of any block."""
        for table in self._tables:
            table.data.fill(0)

    def of(self, cells: Cells) -> Place:
        """What picks the blocks of cells, which are made as small as these ask for."""
        box, areas = cells.box, cells.areas
        if box is not None:
            ctas, lanes, columns = box
            self._part(lanes.start | lanes.stop, columns.start | columns.stop)
            return ctas, self._lanes(lanes), self._columns(columns)
        if areas is not None:
            return self.of_areas(areas)
        self._part(1, 1)
        return self.at(cells)

    def of_areas(self, areas: Rectangles) -> tuple[Array, Array, Array]:
        """What picks the blocks of rectangles."""
        lane, column = (int(np.bitwise_or.reduce(first)) for first in (areas.lane, areas.column))
        self._part(lane | areas.lanes, column | areas.columns)
        below = WARP * np.arange(areas.parts)[:, None] + np.arange(0, areas.lanes, self.lanes)
        lanes = (areas.lane[:, None] + below.reshape(-1)) // self.lanes
        columns = areas.column[:, None] // self.columns + np.arange(areas.columns // self.columns)
        return areas.cta[:, None, None], lanes[:, :, None], columns[:, None, :]

    def at(self, cells: Cells) -> tuple[Array, Array, Array]:
        """What picks the block of each of cells."""
        return cells.cta, cells.lane // self.lanes, cells.column // self.columns

    def columns_from(self, start: int, count: int) -> slice[int, int]:
        """The blocks of so many columns."""
        self._part(LANES, start | count)
        return slice(start // self.columns, (start + count) // self.columns)

    def _lanes(self, lanes: slice[int, int]) -> slice[int, int]:
        return slice(lanes.start // self.lanes, (lanes.stop - 1) // self.lanes + 1)

    def _columns(self, columns: slice[int, int]) -> slice[int, int]:
        return slice(columns.start // self.columns, columns.stop // self.columns)

    def _part(self, lanes: int, columns: int) -> None:
        """Make blocks so small that their edges are multiples of the last bits set."""
        lanes, columns = max(lanes & -lanes, self.least), columns & -columns
        if lanes >= self.lanes and columns >= self.columns:
            return
        down, across = max(1, self.lanes // lanes), max(1, self.columns // columns)
        self.lanes, self.columns = self.lanes // down, self.columns // across
        for table in self._tables:
            table.data = table.data.repeat(down, axis=-2).repeat(across, axis=-1)
