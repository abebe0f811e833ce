"""Names that loops count by, used again: by later loops, by loops inside, for numbers and for tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from weft.errors import CompileError
from weft.tile import Global, S, atomic_add, i32, kernel, loop, raster, register, thread_id


@kernel(threads=32, grid=1)
def in_later_loops(out: Global(i32, 64), n: i32):
    if thread_id() == 0:
        for row, column in raster(n, 2):
            atomic_add(out, row * 2 + column, 1)
        for row in loop(n):
            column = row + 40
            first = column
            for column in loop(first, first + 1):
                atomic_add(out, column, 1)
        for row, _ in raster(n, 1):
            for _ in loop(n):
                row = 30
            atomic_add(out, row, 1)


def test_in_later_loops() -> None:
    out = np.zeros(64, np.int32)
    in_later_loops.run(out, 3)
    assert (out[:6].tolist(), out[30], out[40:43].tolist(), out.sum()) == ([1] * 6, 3, [1, 1, 1], 12)


@kernel(threads=32, grid=1)
def as_numbers_before(out: Global(i32, 64), n: i32):
    number, total = n * 10, 0
    tile = register(2, i32, S[2:1])
    tile.storage[0], tile.storage[1] = 1, 2
    for _ in loop(n):
        for number in loop(2):
            total = total + number
        for tile in loop(3):
            total = total + tile
    out[0] = total


def test_as_numbers_before() -> None:
    """A loop inside may count by the name of a number or of a tile that there was."""
    out = np.zeros(64, np.int32)
    as_numbers_before.run(out, 5)
    assert out[0] == 5 * (1 + 3)


def before(n: Any) -> Any:
    number, total = n, 0
    for _ in loop(n):
        total = total + number  # What the turn before has left is no number.
        for number in loop(n):
            total = total + number
    return total


def behind(n: Any) -> Any:
    number = n
    for number in loop(n):
        number + 1
    return number + 1


def of_a_pair(n: Any) -> Any:
    for row, column in raster(n, n):
        row + column
    return column + 1


@pytest.mark.parametrize(
    ("body", "line", "name", "of"), [(before, 3, "number", 4), (behind, 4, "number", 2), (of_a_pair, 3, "column", 1)]
)
def test_what_a_loop_has_counted_by_has_no_value(body: Callable[[Any], None], line: int, name: str, of: int) -> None:
    from weft.tile import function

    @kernel(threads=32, grid=1)
    def reads(n: i32):
        function(body)(n)

    first = body.__code__.co_firstlineno
    with pytest.raises(CompileError) as caught:
        reads.mlir()
    said = f"'{name}' is defined only inside the loop at line {first + of}"
    assert (caught.value.message, caught.value.position.line) == (said, first + line)
