"""Tables of blocks of tensor memory, against arrays that have an element for each cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weft.sim.tensor_cells import COLUMNS, LANES, Blocks, Cells

CTAS = 4


def cells(rng: np.random.Generator) -> Cells:
    """Cells of some CTAs: a rectangle, half of the lanes of each warp, columns apart, or single cells in any order."""
    ctas = np.sort(rng.choice(CTAS, int(rng.integers(1, CTAS + 1)), replace=False))
    first, count = 16 * int(rng.integers(0, 6)), int(rng.choice([1, 16, 32]))
    left, width = int(rng.choice([0, 4, 32, 96, 488])), int(rng.choice([1, 2, 4, 8]))
    lane, column = first + np.arange(count)[:, None], left + np.arange(width)[None]
    match rng.integers(0, 5):
        case 0:
            lane = (
                32 * np.arange(int(rng.integers(2, 5)))[:, None] + 16 * int(rng.integers(0, 2)) + np.arange(16)
            ).reshape(-1, 1)
        case 1:
            column = left + 3 * np.arange(width)[None]
        case 2:
            lane, column = np.array([3, 40, 3]), np.array([7, 0, 9])
        case _:
            pass
    return Cells.grid(ctas, lane, column)


def expanded(table: Any) -> Any:
    """An element for each cell."""
    data = table.data
    return data.repeat(LANES // data.shape[1], axis=1).repeat(COLUMNS // data.shape[2], axis=2)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_written_to_blocks(seed: int) -> None:
    """All cells that are named get what is written, and no others; blocks that were picked before stay the same cells."""
    rng = np.random.default_rng(seed)
    for _ in range(5):
        blocks = Blocks()
        table, plain, kept = blocks.table((CTAS,), np.int32), np.zeros((CTAS, LANES, COLUMNS), np.int32), []
        assert (blocks.shape, blocks.size, table.data.shape) == ((4, 16), (32, 32), (CTAS, 4, 16))
        for number in range(1, 5):
            some = cells(rng)
            whole = some
            if rng.random() < 0.3:
                part = slice(0, int(rng.integers(1, len(some.cta) + 1)))
                some = some.some(part)
                whole = Cells(some.cta, some.lane, some.column)
            elif rng.random() < 0.3:
                which = np.arange(len(some.cta)) % 2 == 0
                some = some.chosen(which)
                whole = Cells(some.cta, some.lane, some.column)
            table[blocks.of(some)] = number
            plain[whole.index] = number
            if some.areas is not None:
                _, lanes, columns = blocks.of_areas(some.areas.some(slice(0, 1)))
                kept.append(((lanes[0], columns[0]), blocks.size, some))
        assert (expanded(table) == plain).all()
        for where, size, some in kept:
            lanes, columns = blocks.again(where, size)
            named = np.zeros((CTAS, LANES, COLUMNS), np.bool_)
            named[some.cta[0], some.lane[0], some.column[0]] = True
            there = blocks.table((CTAS,), np.bool_)
            there[int(some.cta[0].flat[0]), lanes, columns] = True
            assert (expanded(there) == named).all()
        blocks.clear()
        assert not table.data.any()


@pytest.mark.parametrize(
    ("start", "count", "size"), [(0, 32, 32), (32, 64, 32), (64, 512 - 64, 32), (16, 32, 16), (2, 4, 2)]
)
def test_columns_of_an_allocation(start: int, count: int, size: int) -> None:
    blocks = Blocks(16)
    part = blocks.columns_from(start, count)
    assert (part.start * size, part.stop * size, blocks.size) == (start, start + count, (32, size))


def test_blocks_have_a_least_number_of_lanes() -> None:
    """What ends within one counts for all of it."""
    blocks = Blocks(16)
    table = blocks.table((1,), np.int32)
    table[blocks.of(Cells.grid(np.array([0]), 16 + np.arange(16)[:, None], np.arange(2)[None]))] = 1
    assert blocks.size == (16, 2)
    table[blocks.of(Cells.grid(np.array([0]), 40 + np.arange(4)[:, None], np.arange(2)[None]))] = 2
    assert blocks.size == (16, 2)
    assert table.data[0, :, 0].tolist() == [0, 1, 2, 0, 0, 0, 0, 0]
