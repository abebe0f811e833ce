"""In which order tiles are run through, by a model of bands and snakes; how many tiles a launch is told of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import weft
from weft.tile import DType, Global, block_id, dtype, i32, kernel, lane_id, persistent, raster
from weft.tile.dtypes import DTYPES, boolean, e2m1x2

CASES = [(1, 1, 8), (5, 7, 2), (16, 3, 8), (7, 3, 16), (4, 3, 1), (4, 3, None)]
BLOCKS = 3


def order(rows: int, columns: int, group: int | None, snake: bool) -> Iterator[tuple[int, int]]:
    """Bands of rows column by column; each second band, or column of the only one, backwards."""
    for number, first in enumerate(range(0, rows, group or rows)):
        band = range(first, min(first + (group or rows), rows))
        for column in range(columns)[:: -1 if snake and group and number % 2 else 1]:
            for row in band[:: -1 if snake and group is None and column % 2 else 1]:
                yield row, column


@kernel(threads=32, grid=BLOCKS)
def numbered(sizes: Global(i32, (len(CASES), 2)), y: Global(i32, (2, 2, len(CASES), 16, 7))):
    for at, (rows, columns, group) in enumerate(CASES):
        for way, extents in enumerate(((rows, columns), (sizes[at, 0], sizes[at, 1]))):
            for snake in (False, True):
                number = block_id() + 1
                for m, n in raster(*extents, group=group, snake=snake):
                    if lane_id() == 0:
                        y[way, int(snake), at, m, n] = number
                    number = number + BLOCKS


def test_the_order_of_tiles() -> None:
    """Of extents that are constants, and of ones that are not."""
    y = np.zeros((2, 2, len(CASES), 16, 7), np.int32)
    numbered.run(np.array([case[:2] for case in CASES], np.int32), y)
    for at, (rows, columns, group) in enumerate(CASES):
        for snake in (False, True):
            expected = np.zeros((16, 7), np.int32)
            for number, place in enumerate(order(rows, columns, group, snake), 1):
                expected[place] = number
            for way in range(2):
                assert y[way, int(snake), at].tolist() == expected.tolist(), (rows, columns, group, snake, way)


@weft.kernel(threads=32, grid=persistent, cluster=2)
def paired(y: Global(i32, ("R", "C")), *, group: Any = 4):
    number = block_id() // 2 + 1
    for m, n in raster(*y.shape, group=group):
        if lane_id() == 0 and m < y.shape[0]:
            y[m, n] = number
        number = number + 1


@pytest.mark.parametrize("rows", [6, 7])
def test_blocks_of_a_cluster_have_neighbouring_rows(rows: int) -> None:
    """A pair of blocks has two rows, of which the last may not be there; a band of 4 rows is one of two pairs."""
    y = np.zeros((rows, 3), np.int32)
    paired.run(y, grid=2)
    expected = np.zeros((8, 3), np.int32)
    for number, (row, column) in enumerate(order(-(-rows // 2), 3, 2, snake=False), 1):
        expected[2 * row : 2 * row + 2, column] = number
    assert y.tolist() == expected[:rows].tolist()


def test_a_persistent_grid_has_no_more_blocks_than_tiles() -> None:
    built = paired.build(paired.specialize())
    assert [built.blocks({"R": rows, "C": 3}, 100) for rows in (1, 6, 7, 500)] == [(6,), (18,), (24,), (100,)]


@pytest.mark.parametrize("kind", DTYPES, ids=str)
def test_types_by_their_names(kind: DType) -> None:
    """Each is found by its name and NumPy's, and takes as many bits there and in MLIR; integers have no sign in MLIR."""
    assert dtype(kind.name) is kind and dtype(kind) is kind
    assert dtype(kind.numpy) is kind or kind is e2m1x2
    assert kind.numpy.itemsize * 8 == (8 if kind is boolean else kind.bits)
    stem, name = kind.name[0], str(kind.mlir)
    if kind.is_float and stem in "fb":
        assert name == kind.name
    elif kind.is_float:
        assert name.lower().startswith(f"f8{kind.name}")
    else:
        assert name == f"i{kind.bits}"
    assert (kind.signed, kind.is_float) == (stem == "i", kind.kind == "float")
