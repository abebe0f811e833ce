"""What pictures of layouts show in each cell, by the layout's own numbers; how large tiles are cut."""

from __future__ import annotations

import numpy as np
import pytest

from weft.layout import S, laneid, m, parse, warpid
from weft.layout.fragments import named_fragment
from weft.layout.grid import default_shape, fragment_grid, layout_grid

MEMORY = [
    ("S[(8,8):(8,1)]", (8, 8), 16), ("S[(4,8):(1,4)]", (4, 8), 32), ("S[(2,3,8):(8,16,1)]", (2, 3, 8), 8),
    ("swz(3,3,3) @ S[(8,64):(64,1)]", (8, 64), 16), ("S[(4,40):(40,1)]", (4, 40), 16), ("S[(4,8):(9,1)] + 2", (4, 8), 64),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shape", "bits"), MEMORY)
def test_cells_of_memory(text: str, shape: tuple[int, ...], bits: int) -> None:
    """Hues are the 8 groups of 4 banks; a colour is the deeper, the later its byte in 16 bytes."""
    layout = parse(text)
    table = np.asarray(layout.apply_all(shape)[m]).reshape(-1, shape[-1])
    grid = layout_grid(layout, shape, bits)
    across = 128 // bits if shape[-1] > 32 else 1
    assert (grid.title, grid.across, grid.rows, grid.columns) == (str(layout), across, *table.shape)
    depths: dict[int, set[float]] = {}
    for row, cells in enumerate(grid.cells):
        assert len(cells) == shape[-1] // across
        for column, cell in enumerate(cells):
            place = int(table[row, column * across])
            byte = place * bits // 8
            assert (cell.top, cell.bottom, cell.joined) == (str(place), "", False)
            assert cell.story == f"row {row}, column {column * across}: m {place}, byte {byte}, bank {byte // 4 % 32}"
            assert cell.hue == byte % 128 // 16 / 8
            depths.setdefault(byte % 16, set()).add(cell.depth)
    assert all(len(each) == 1 and 0 < min(each) < 1 for each in depths.values())
    assert sorted(depths) == sorted(depths, key=lambda byte: min(depths[byte]))


def test_cells_of_places_whose_size_is_not_known() -> None:
    """Hues go up with the place, to less than the whole wheel."""
    grid = layout_grid(S[(2, 8) : (8, 1)], (2, 8))
    cells = [cell for row in grid.cells for cell in row]
    assert [cell.story for cell in cells[7:9]] == ["row 0, column 7: m 7", "row 1, column 0: m 8"]
    hues = [cell.hue for cell in cells]
    assert hues == sorted(set(hues)) and hues[0] == 0 and hues[-1] < 1
    assert len({cell.depth for cell in cells}) == 1 and 0 < cells[0].depth < 1
    assert grid.facts == ("2 x 8 elements, span 16",)


def test_cells_of_threads() -> None:
    grid = layout_grid(S[(2, 4, 4) : (2 @ warpid, 1 @ laneid, 1)] + 3 @ laneid, (8, 4))
    for row, column in np.ndindex(8, 4):
        cell, warp, lane = grid.cells[row][column], row // 4 * 2, row % 4 + 3
        names = [("warpid", warp), ("laneid", lane)]
        if cell.top != f"T{warp}.{lane}":
            names.reverse()
        assert cell.top == f"T{names[0][1]}.{names[1][1]}" and cell.bottom == f"v{column}"
        assert (
            cell.story
            == f"row {row}, column {column}: {names[0][0]} {names[0][1]}, {names[1][0]} {names[1][1]}, element {column}"
        )
        least, count = (0, 3) if names[0][0] == "warpid" else (3, 4)
        assert (cell.hue, cell.depth) == ((names[0][1] - least) / count, column / 3)
    assert grid.facts[0] == "8 x 4 elements, 2 along warpid, 4 along laneid, span 4"


def test_registers_that_neighbours_share() -> None:
    """Two halves of a register lie beside each other in a, below each other in b."""
    a, b = (fragment_grid(named_fragment(f"mma.m16n8k16.{operand}.f16")) for operand in "AB")
    assert all(cell.joined == (at % 2 == 0) and not cell.joined_below for row in a.cells for at, cell in enumerate(row))
    assert all(cell.joined_below == (at % 2 == 0) and not cell.joined for at, row in enumerate(b.cells) for cell in row)


@pytest.mark.parametrize(
    ("layout", "shape", "drawn", "left_out"),
    [
        (S[(128, 8) : (8, 1)], (128, 8), (128, 8), ""),
        (S[(129, 8) : (8, 1)], (129, 8), (128, 8), "drawn: the first 128 of 129 rows, 8 of 8 columns"),
        (S[(2, 64) : (1, 2)], (2, 64), (2, 64), ""),
        (S[(2, 65) : (1, 2)], (2, 65), (2, 64), "drawn: the first 2 of 2 rows, 64 of 65 columns"),
        (S[(4, 4, 8) : (1 @ laneid, 8, 1)], (16, 8), (16, 8), ""),
        (S[32:1], (32,), (1, 32), ""),
        (S[33:1], (33,), (1, 33), ""),
        (S[64:1], (64,), (2, 32), ""),
        (S[96:1], (96,), (3, 32), ""),
    ],
)
def test_what_is_drawn(layout: object, shape: tuple[int, ...], drawn: tuple[int, int], left_out: str) -> None:
    grid = layout_grid(layout, shape)  # type: ignore[arg-type]
    assert (len(grid.cells), len(grid.cells[0])) == drawn
    assert grid.left_out == left_out


def test_shapes_that_layouts_have_by_default() -> None:
    """About as wide as high, and never an iter in both."""
    found = [
        default_shape(parse(text))
        for text in ("S[16:1]", "S[(4,4):(4,1)]", "S[(2,2,16):(1,2,4)]", "S[(8,2,2):(4,2,1)]")
    ]
    assert found == [(1, 16), (4, 4), (4, 16), (8, 4)]
    assert default_shape(parse("swz(2,3,3)")) == (8, 32)
