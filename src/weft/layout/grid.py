"""What a picture of a layout shows, as values: a grid of cells with labels, and what colours them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.errors import LayoutError
from weft.layout.axis import Axis, m
from weft.layout.iters import split

if TYPE_CHECKING:
    from weft.layout.fragments import FragmentLayout
    from weft.layout.iters import Integers
    from weft.layout.swizzle import Layout

MOST_ROWS, MOST_COLUMNS = 128, 64
"""Cells that are drawn at most; the rest is left out, and said to be."""
MOST_ELEMENTS = 1 << 48
"""Elements of the largest tile of which a part is drawn."""
WIDE = 32
"""Columns that a long row is broken into."""
CHUNK = 16
"""Bytes that wide tiles of memory are drawn by: what a lane accesses at most, and four banks."""


@dataclass(frozen=True)
class Cell:
    """One cell: two labels, the whole story, what hue it has (0 to 1 around the wheel) and how deep (0 to 1).

    `joined` and `joined_below` say that the cell to the right, and the one below, lie in the same register.
    """

    top: str
    bottom: str
    story: str
    hue: float
    depth: float
    joined: bool = False
    joined_below: bool = False


@dataclass(frozen=True)
class Grid:
    """A tile as rows of cells; `across` are the elements a cell stands for."""

    title: str
    facts: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    across: int
    rows: int
    columns: int

    @property
    def left_out(self) -> str:
        """What of the tile is not drawn; empty when all of it is."""
        drawn = len(self.cells), len(self.cells[0]) * self.across
        if drawn == (self.rows, self.columns):
            return ""
        return f"drawn: the first {drawn[0]} of {self.rows} rows, {drawn[1]} of {self.columns} columns"


def layout_grid(layout: Layout, shape: Sequence[int] | None = None, bits: int = 0) -> Grid:
    """The grid of a layout over a shape, leading dimensions one below the other; without one, about as wide as high.

    `bits` is the size of an element, for the colours of memory: they are those of the banks.  Of a swizzle it is known
    where the swizzle moves 16 bytes.  Raises LayoutError for a shape of another size.
    """
    if not bits and layout.form != "tile":
        swizzle = layout if layout.form == "swizzle" else layout.swizzle
        bits = CHUNK * 8 >> swizzle.per_element if swizzle.per_element <= 4 else 0
    shape = default_shape(layout) if shape is None else tuple(shape)
    rows, columns = prod(shape[:-1]), shape[-1] if shape else 1
    if len(shape) == 1 and columns > WIDE and columns % WIDE == 0:
        rows, columns = columns // WIDE, WIDE
    places = _places(layout, shape, rows, columns)
    title, facts = str(layout), _facts(layout, shape)
    threads = [axis.name for axis in places if axis.thread]
    if threads:
        others = [axis.name for axis in places if not axis.thread]
        named = {axis.name: table for axis, table in places.items()}
        return _thread_grid(title, facts, named, threads, others, "v", 1, (rows, columns))
    if len(places) != 1:
        names = ", ".join(axis.name for axis in places)
        raise LayoutError(f"a layout on {len(places)} memory axes cannot be drawn", hint=names)
    ((axis, table),) = places.items()
    return _memory_grid(title, facts, axis.name, table, bits, (rows, columns))


def _places(layout: Layout, shape: Sequence[int], rows: int, columns: int) -> dict[Axis, Integers]:
    """The places of the elements that may be drawn: of the first rows and columns."""
    if layout.form != "swizzle" and prod(shape) != layout.size():
        raise LayoutError(f"shape {tuple(shape)} has {prod(shape)} elements, but the layout has {layout.size()}")
    if max(rows * columns, layout.span() if layout.form == "swizzle" else 0) > MOST_ELEMENTS:
        raise LayoutError(f"a tile of {rows} x {columns} elements is too large to draw")
    down, across = np.arange(min(rows, MOST_ROWS)), np.arange(min(columns, MOST_COLUMNS * CHUNK))
    number = down[:, None] * columns + across
    places = layout.apply(*split(number, shape or (1,)), shape=shape or (1,))
    if not places:
        raise LayoutError(f"{layout} places nothing")
    return {axis: np.asarray(table, np.int64) for axis, table in places.items()}


def default_shape(layout: Layout) -> tuple[int, int]:
    """Two dimensions for a layout without a shape: its first iters and its last ones, about as many elements each.

    A bare swizzle has a row for each number that is brought in by exclusive or.
    """
    if layout.form == "swizzle":
        return 1 << layout.swizzle_len, 1 << (layout.per_element + layout.atom_len)
    tile = layout if layout.form == "tile" else layout.tile_layout
    heights = [prod(tile.extents[:at]) for at in range(len(tile.extents) + 1)]
    size = tile.size()
    height = min(heights, key=lambda rows: (max(rows, size // rows), rows))
    return height, size // height


def fragment_grid(fragment: FragmentLayout) -> Grid:
    """The grid of an instruction's operand; elements have the manual's names."""
    places = fragment.layout.apply_all(fragment.shape)
    flat = {axis.name: table for axis, table in places.items()}
    threads = [axis.name for axis in places if axis.thread]
    each = f"{fragment.bits} bits" if fragment.packed == 1 else f"{fragment.packed} x {fragment.bits} bits"
    registers = f"{fragment.registers} register{'s' if fragment.registers > 1 else ''}"
    facts = (str(fragment.layout), f"{_sizes(fragment.shape)} elements, {registers} of {each} in each thread")
    if fragment.opcode.stem in ("ldmatrix", "stmatrix"):
        facts = (*facts, f"row i of matrix j is where the address of lane {fragment.shape[0]} j + i points")
    held = ["m"] if "m" in flat else []
    rows, columns = fragment.shape
    return _thread_grid(fragment.title, facts, flat, threads, held, fragment.operand, fragment.packed, (rows, columns))


def _sizes(shape: Sequence[int]) -> str:
    return " x ".join(map(str, shape)) or "1"


def _facts(layout: Layout, shape: Sequence[int]) -> tuple[str, ...]:
    facts = [f"{_sizes(shape)} elements"]
    tile = layout if layout.form == "tile" else None
    if tile is not None:
        facts += [f"{tile.size(axis)} along {axis.name}" for axis in tile.axes if axis.thread and tile.size(axis) > 1]
        copies = prod(extent for extent, _, _ in tile.replica)
        if copies > 1:
            facts.append(f"{copies} copies")
    if tile is None or m in tile.axes:
        facts.append(f"span {layout.span() if tile is None else tile.span(m)}")
    return (", ".join(facts),)


def _thread_grid(
    title: str,
    facts: tuple[str, ...],
    places: dict[str, Integers],
    threads: list[str],
    registers: list[str],
    letter: str,
    packed: int,
    extents: tuple[int, int],
) -> Grid:
    """Cells with the thread above and the element of the thread below; hues by the first thread axis."""
    first = places[threads[0]]
    low, count = int(first.min()), int(first.max() - first.min()) + 1
    deepest = max((int(places[name].max()) for name in registers), default=0)
    columns = first.shape[1]

    def cell(row: int, column: int) -> Cell:
        numbers = [int(places[name][row, column]) for name in threads]
        held = [int(places[name][row, column]) for name in registers]
        top = f"T{numbers[0]}" + "".join(f".{number}" for number in numbers[1:])
        bottom = letter + ".".join(map(str, held)) if held else ""
        where = ", ".join(f"{name} {number}" for name, number in zip(threads, numbers, strict=True))
        story = f"row {row}, column {column}: {where}" + (f", element {held[0]}" if held else "")
        if packed > 1 and held:
            story += f" (register {held[0] // packed}, place {held[0] % packed})"
        depth = held[0] / deepest if held and deepest else 0.0
        beside, below = (packed > 1 and same(row, column, *step) for step in ((0, 1), (1, 0)))
        return Cell(top, bottom, story, (numbers[0] - low) / count, depth, beside, below)

    def same(row: int, column: int, down: int, right: int) -> bool:
        """Whether the next cell lies in the same register of the same thread."""
        if row + down == len(first) or column + right == columns:
            return False
        here, there = (row, column), (row + down, column + right)
        one_thread = all(places[name][here] == places[name][there] for name in threads)
        return one_thread and all(places[name][here] // packed == places[name][there] // packed for name in registers)

    cells = tuple(tuple(cell(row, column) for column in range(min(columns, MOST_COLUMNS))) for row in range(len(first)))
    key = f"T: {'.'.join(threads)}" + (f", {letter}: element of the thread" if registers else "")
    return Grid(title, (*facts, key), cells, 1, *extents)


def _memory_grid(
    title: str, facts: tuple[str, ...], name: str, table: Integers, bits: int, extents: tuple[int, int]
) -> Grid:
    """Cells with the place; hues by its 16 bytes among the 128 of all banks. Wide rows are drawn by 16 bytes."""
    size = (bits or 16) / 8
    across = _chunk(table, bits)
    span = int(table.max()) + 1

    def cell(row: int, column: int) -> Cell:
        place = int(table[row, column * across])
        byte = int(place * size)
        story = f"row {row}, column {column * across}: {name} {place}"
        if not bits:
            return Cell(str(place), "", story, 0.8 * place / span, 0.2)
        story += f", byte {byte}, bank {byte // 4 % 32}"
        depth = 0.25 if across > 1 else 0.1 + 0.5 * (byte % CHUNK) / CHUNK
        return Cell(str(place), "", story, byte // CHUNK % 8 / 8, depth)

    shown = range(min(table.shape[1] // across, MOST_COLUMNS))
    cells = tuple(tuple(cell(row, column) for column in shown) for row in range(len(table)))
    if bits:
        facts = (f"{facts[0]}, colours: the 8 groups of 4 banks", *facts[1:])
    if across > 1:
        facts = (*facts, f"a cell is {across} consecutive elements of {bits} bits")
    return Grid(title, facts, cells, across, *extents)


def _chunk(table: Integers, bits: int) -> int:
    """The elements that one cell can stand for: those of 16 bytes, where rows are long and made of such runs."""
    rows, columns = table.shape
    across = CHUNK * 8 // bits if bits else 1
    if across <= 1 or columns <= 32 or columns % across:
        return 1
    runs = table.reshape(rows, -1, across)
    return across if bool((runs == runs[:, :, :1] + np.arange(across)).all()) else 1
