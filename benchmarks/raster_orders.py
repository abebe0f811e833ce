"""Orders of tiles: what a GPU's blocks bring in, round by round, in `raster`'s orders and along a Hilbert curve.

Tiles of 128 x 256 of a product of f16, 132 multiprocessors.  Counted are the distinct rows of A and columns of B that
the blocks of a round need: what they share comes from the L2 cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from report import console
from rich.table import Table

PROCESSORS, ROWS, COLUMNS, BYTES = 132, 128, 256, 2
Order = list[tuple[int, int]]


def banded(rows: int, columns: int, group: int, *, snake: bool) -> Order:
    """`raster(rows, columns, group, snake=snake)`."""
    found: Order = []
    for number, first in enumerate(range(0, rows, group)):
        across = range(columns - 1, -1, -1) if snake and number % 2 else range(columns)
        found += [(row, column) for column in across for row in range(first, min(first + group, rows))]
    return found


def curve(side: int) -> Iterator[tuple[int, int]]:
    """The places of a square, a power of two wide, along a Hilbert curve."""
    for at in range(side * side):
        x = y = 0
        rest, size = at, 1
        while size < side:
            right = 1 & rest // 2
            up = 1 & (rest ^ right)
            if not up:
                x, y = (size - 1 - x, size - 1 - y) if right else (x, y)
                x, y = y, x
            x, y, rest, size = x + size * right, y + size * up, rest // 4, size * 2
        yield x, y


def along_a_curve(rows: int, columns: int) -> Order:
    """Pairs of rows of tiles, which are squares, along a Hilbert curve; what lies outside of the matrix is left out."""
    side = 1 << (max(rows // 2, columns) - 1).bit_length()
    pairs = ((2 * row + lower, column) for row, column in curve(side) for lower in (0, 1))
    return [(row, column) for row, column in pairs if row < rows and column < columns]


def brought(order: Order, size: int) -> float:
    """Megabytes of all rounds."""
    total = 0
    for first in range(0, len(order), PROCESSORS):
        rows, columns = (set(each) for each in zip(*order[first : first + PROCESSORS], strict=True))
        total += len(rows) * ROWS + len(columns) * COLUMNS
    return total * size * BYTES / 1e6


def main() -> None:
    """Print the table."""
    table = Table(title="Megabytes that the rounds of a product bring in")
    sizes = (4096, 8192, 16384)
    for column in ("order", *(f"{size}³" for size in sizes)):
        table.add_column(column, justify="left" if column == "order" else "right")
    ways: dict[str, Callable[[int, int], Order]] = {}
    for group, snake in ((1, False), (8, False), (8, True), (16, False), (16, True)):
        name = f"group={group}{', snake=True' if snake else ''}"
        ways[name] = partial(banded, group=group, snake=snake)
    for name, order in {**ways, "Hilbert curve": along_a_curve}.items():
        found = [brought(order(size // ROWS, size // COLUMNS), size) for size in sizes]
        table.add_row(name, *(f"{each:,.0f}" for each in found))
    console().print(table)


if __name__ == "__main__":
    main()
