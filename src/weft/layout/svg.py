"""Layouts, fragments and shared accesses as SVG drawings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from weft.layout.colours import fill
from weft.layout.conflicts import BANKS, Phase, report
from weft.layout.grid import Cell, Grid

if TYPE_CHECKING:
    from weft.layout.access import Access

_MARGIN, _LABEL, _LINE = 20.0, 30.0, 18.0
_HEIGHT = {True: 32.0, False: 24.0}
"""Of a cell, with and without a second label."""
_CHARACTER = 7.0

_STYLES = {
    "text": (
        'font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;'
        "fill:#1f2328;font-size:11px"
    ),
    ".title": "font-size:15px;font-weight:600",
    ".fact": "font-size:12px;fill:#59636e",
    ".axis": "font-size:10px;fill:#818b98;text-anchor:middle",
    ".row": "text-anchor:end",
    ".top": "font-weight:600;text-anchor:middle",
    ".bottom": "font-size:10px;fill:#4d5560;text-anchor:middle",
    ".bad": "font-weight:600;fill:#cf222e",
    ".good": "font-weight:600;fill:#1a7f37",
    ".rule": "stroke:#d1d9e0;stroke-width:1",
}
# In a notebook, styles are those of the whole page: these are for our drawings alone.
_HEAD = "<style>\n" + "\n".join(f"svg.weft {what}{{{style}}}" for what, style in _STYLES.items()) + "\n</style>"


def _drawing(width: float, height: float, parts: Sequence[str]) -> str:
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    ground = f'<rect width="{width:g}" height="{height:g}" rx="8" fill="#ffffff"/>'
    return (
        f'<svg class="weft" xmlns="http://www.w3.org/2000/svg" {size}>\n{_HEAD}\n{ground}\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _text(x: float, y: float, kind: str, text: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _heading(title: str, facts: Sequence[str], y: float = _MARGIN) -> tuple[list[str], float]:
    """The title and the facts below it, and where they end."""
    parts = [_text(_MARGIN, y + 10, "title", title)]
    y += 10
    for fact in facts:
        y += _LINE
        parts.append(_text(_MARGIN, y, "fact", fact))
    return parts, y + _LINE


def _heading_width(title: str, facts: Sequence[str]) -> float:
    return max(9.1 * len(title), *(7.3 * len(fact) for fact in facts), 0.0)


def grid_svg(grid: Grid) -> str:
    """A drawing of a grid: who holds each element, or where it lies.

    Hues are threads (or groups of banks), deeper colours later elements of the thread; elements of one register touch.
    """
    facts = [*grid.facts, grid.left_out] if grid.left_out else grid.facts
    parts, top = _heading(grid.title, facts)
    longest = max(max(len(cell.top), len(cell.bottom)) for row in grid.cells for cell in row)
    width, height = (
        max(30.0, _CHARACTER * longest + 10),
        _HEIGHT[any(cell.bottom for row in grid.cells for cell in row)],
    )
    left = _MARGIN + _LABEL
    for column in range(len(grid.cells[0])):
        parts.append(_text(left + width * (column + 0.5), top + 4, "axis", str(column * grid.across)))
    top += 10
    for number, row in enumerate(grid.cells):
        y = top + height * number
        parts.append(_text(left - 8, y + height / 2 + 3.5, "axis row", str(number)))
        for column, cell in enumerate(row):
            parts += _cell(cell, left + width * column, y, width, height, _gaps(grid, number, column))
    total = max(left + width * len(grid.cells[0]), _MARGIN + _heading_width(grid.title, facts))
    return _drawing(total + _MARGIN, top + height * len(grid.cells) + _MARGIN, parts)


def _gaps(grid: Grid, row: int, column: int) -> tuple[float, ...]:
    """The gaps of a cell to the left, above, to the right and below: where another register begins."""
    cell = grid.cells[row][column]
    left = column > 0 and grid.cells[row][column - 1].joined
    above = row > 0 and grid.cells[row - 1][column].joined_below
    return tuple(0.0 if joined else 1.0 for joined in (left, above, cell.joined, cell.joined_below))


def _cell(cell: Cell, x: float, y: float, width: float, height: float, gaps: tuple[float, ...]) -> Iterator[str]:
    before, over, after, under = gaps
    place = f'x="{x + before:g}" y="{y + over:g}" width="{width - before - after:g}" height="{height - over - under:g}"'
    yield f"<g><title>{escape(cell.story)}</title>"
    yield f'<rect {place} fill="{fill(cell.hue, cell.depth)}"/>'
    middle, down = x + width / 2, y + height / 2
    yield _text(middle, down - 2 if cell.bottom else down + 4, "top", cell.top)
    if cell.bottom:
        yield _text(middle, down + 11, "bottom", cell.bottom)
    yield "</g>"


# -- banks ------------------------------------------------------------------------------------------------------------

_BANK, _ROW = 30.0, 26.0


def banks_svg(access: Access, title: str) -> str:
    """A drawing of one access: for each phase its wavefronts, and which lanes each bank serves in them.

    Raises LayoutError for several instructions.
    """
    told = report(access)
    parts, top = _heading(title, [])
    kind = "bad" if told.conflicts else "good"
    what = f"{access.width} bytes per lane{', rows of matrices' if access.matrix else ''}: "
    verdict = f'<tspan class="{kind}">{told}</tspan>'
    parts.append(f'<text class="fact" x="{_MARGIN:g}" y="{top:g}">{what}{verdict}</text>')
    top += _LINE
    left = _MARGIN + _LABEL
    parts += [_text(left + _BANK * (bank + 0.5), top + 4, "axis", str(bank)) for bank in range(BANKS)]
    parts.append(_text(left - 8, top + 4, "axis row", "bank"))
    y = top + 12
    for number, phase in enumerate(told.phases):
        parts += _phase(phase, number, left, y)
        y += _LINE + _ROW * phase.wavefronts + 10
    return _drawing(left + _BANK * BANKS + _MARGIN, y + _MARGIN - 10, parts)


def _phase(phase: Phase, number: int, left: float, y: float) -> Iterator[str]:
    many = phase.wavefronts > 1
    what = f"{phase.wavefronts} wavefronts: {phase.wavefronts}-way conflict" if many else "1 wavefront"
    yield f'<line class="rule" x1="{_MARGIN:g}" y1="{y + 2:g}" x2="{left + _BANK * BANKS:g}" y2="{y + 2:g}"/>'
    yield (
        f'<text class="fact" x="{_MARGIN:g}" y="{y + 15:g}">phase {number}, lanes {lanes_text(phase.lanes)}: '
        f'<tspan class="{"bad" if many else "good"}">{what}</tspan></text>'
    )
    y += _LINE
    for wave, runs in enumerate(_wavefronts(phase)):
        idle = f'x="{left:g}" y="{y + _ROW * wave + 1:g}" width="{_BANK * BANKS:g}" height="{_ROW - 2:g}"'
        yield f'<rect {idle} rx="3" fill="#f3f5f7"/>'
        yield _text(left - 8, y + _ROW * (wave + 0.5) + 3.5, "axis row", str(wave))
        for first, last, lanes in runs:
            x, width = left + _BANK * first, _BANK * (last - first + 1)
            place = f'x="{x + 1:g}" y="{y + _ROW * wave + 1:g}" width="{width - 2:g}" height="{_ROW - 2:g}" rx="3"'
            red = ' stroke="#cf222e" stroke-width="1.3"' if wave else ""
            banks = f"bank {first}" if first == last else f"banks {first} to {last}"
            yield f"<g><title>{banks}: lanes {lanes_text(lanes)}</title>"
            yield f'<rect {place} fill="{fill(lanes[0] / 32, 0.5)}"{red}/>'
            yield _text(x + width / 2, y + _ROW * (wave + 0.5) + 4, "top", _short(lanes, width)) + "</g>"


def _wavefronts(phase: Phase) -> list[list[tuple[int, int, tuple[int, ...]]]]:
    """For each wavefront, runs of banks that serve the same lanes: first and last bank, and the lanes.

    Lanes come in order, so a lane's words stay in one wavefront where that is possible.
    """
    waves: list[list[tuple[int, int, tuple[int, ...]]]] = []
    for bank, words in phase.banks.items():
        for wave, lanes in enumerate(sorted(words.values())):
            if wave == len(waves):
                waves.append([])
            run = waves[wave]
            if run and run[-1][1] == bank - 1 and run[-1][2] == lanes:
                run[-1] = (run[-1][0], bank, lanes)
            else:
                run.append((bank, bank, lanes))
    return waves


def lanes_text(lanes: Sequence[int]) -> str:
    """Lanes as ranges: `0-7, 16`."""
    runs: list[list[int]] = []
    for lane in lanes:
        if runs and runs[-1][1] == lane - 1:
            runs[-1][1] = lane
        else:
            runs.append([lane, lane])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def _short(lanes: tuple[int, ...], width: float) -> str:
    """The lanes, or the first of them, as far as there is room."""
    text = f"T{lanes_text(lanes)}"
    return text if _CHARACTER * len(text) <= width - 2 else f"T{lanes[0]}…" if len(lanes) > 1 else text
