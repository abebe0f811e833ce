"""Layouts, fragments and shared accesses as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from weft.layout.conflicts import BankReport
from weft.layout.grid import Grid
from weft.layout.svg import lanes_text


def grid_lines(grid: Grid) -> Iterator[str]:
    """The grid as a table: `T3v1` is element 1 of thread 3, a number is a place."""
    yield grid.title
    yield from grid.facts
    if grid.left_out:
        yield grid.left_out
    texts = [[cell.top + cell.bottom for cell in row] for row in grid.cells]
    heads = [str(column * grid.across) for column in range(len(texts[0]))]
    widths = [max(map(len, column)) for column in zip(heads, *texts, strict=True)]
    left = len(str(len(texts) - 1))
    yield _row("", left, heads, widths)
    for number, row in enumerate(texts):
        yield _row(str(number), left, row, widths)


def _row(name: str, left: int, texts: list[str], widths: list[int]) -> str:
    return f"{name:>{left}}  " + " ".join(f"{text:>{width}}" for text, width in zip(texts, widths, strict=True))


def bank_lines(told: BankReport) -> Iterator[str]:
    """A line for each phase of an access: its lanes, its wavefronts, and of its conflicts the first bank with lanes."""
    yield str(told)
    for number, phase in enumerate(told.phases):
        count = f"{phase.wavefronts} wavefront{'s' if phase.wavefronts > 1 else ''}"
        line = f"phase {number}, lanes {lanes_text(phase.lanes)}: {count}"
        for bank, words in list(phase.conflicts.items())[:1]:
            line += f", as in bank {bank} for lanes {' | '.join(map(lanes_text, words.values()))}"
        yield line
