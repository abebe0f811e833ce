"""Functions of tiles, of numbers known when a kernel runs, and of Python's numbers: all of them against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft
from weft import tile
from weft.errors import CompileError
from weft.tile import Global, S, coordinates, cta, f32, fill, full, i32, laneid, register, thread_id, zeros

UNARY: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "exp": (tile.exp, np.exp),
    "exp2": (tile.exp2, np.exp2),
    "exp2 flushed": (lambda x: tile.exp2(x, flush=True), np.exp2),
    "log": (lambda x: tile.log(tile.maximum(x, 0.25)), lambda x: np.log(np.maximum(x, 0.25))),
    "log2": (lambda x: tile.log2(tile.maximum(x, 0.25)), lambda x: np.log2(np.maximum(x, 0.25))),
    "sqrt": (lambda x: tile.sqrt(abs(x)), lambda x: np.sqrt(np.abs(x))),
    "rsqrt": (lambda x: tile.rsqrt(tile.maximum(x, 0.25)), lambda x: 1 / np.sqrt(np.maximum(x, 0.25))),
    "tanh": (tile.tanh, np.tanh),
    "sin": (tile.sin, np.sin),
    "cos": (tile.cos, np.cos),
    "floor": (tile.floor, np.floor),
    "ceil": (tile.ceil, np.ceil),
    "trunc": (tile.trunc, np.trunc),
    "round": (tile.round, np.rint),
    "maximum": (lambda x: tile.maximum(x, 0.5), lambda x: np.maximum(x, 0.5)),
    "minimum": (lambda x: tile.minimum(0.5, x), lambda x: np.minimum(x, 0.5)),
    "clamp": (lambda x: tile.clamp(x, -1.0, 0.5), lambda x: np.clip(x, -1, 0.5)),
    "fma": (lambda x: tile.fma(x, 2.0, -0.5), lambda x: x * 2 - 0.5),
    "where": (lambda x: tile.where(x > 0.5, x, -2.0), lambda x: np.where(x > 0.5, x, -2)),
    "neg": (lambda x: -x, np.negative),
    "abs": (abs, np.abs),
    "plus": (lambda x: 1.5 + x, lambda x: x + 1.5),
    "minus": (lambda x: 1.5 - x, lambda x: 1.5 - x),
    "over": (lambda x: 3.0 / (x + 8.0), lambda x: 3 / (x + 8)),
    "power": (lambda x: x**3, lambda x: x**3),
    "large power": (lambda x: x**10, lambda x: x**10),
    "root": (lambda x: abs(x) ** 0.5, lambda x: np.sqrt(np.abs(x))),
    "quotient": (lambda x: x // 0.75, lambda x: x // 0.75),
    "remainder": (lambda x: x % 0.75, lambda x: x % 0.75),
}
NUMBERS = np.array([-2.5, -1.75, -1.5, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.25, 2.5, 3.5, 4], np.float32)
ROWS = len(UNARY)


@weft.kernel(threads=32, grid=1)
def all_of_them(x: Global(f32, (1, 16)), tiles: Global(f32, (ROWS, 16)), numbers: Global(f32, (ROWS, 16))):
    whole = register((1, 16), f32, S[(1, 16) : (16, 1)])
    lane = thread_id()
    cta.copy(whole, x)
    for row, (function, _) in enumerate(UNARY.values()):
        if row < ROWS - 2:  # Quotients of floats that are whole, and what is left, are of numbers only.
            cta.copy(tiles[row : row + 1, :], function(whole))
        if lane < 16:
            numbers[row, lane] = function(x[0, lane])


def test_functions_of_tiles_and_numbers() -> None:
    tiles, numbers = np.zeros((ROWS, 16), np.float32), np.zeros((ROWS, 16), np.float32)
    all_of_them.run(NUMBERS[None], tiles, numbers)
    for row, (name, (_, theirs)) in enumerate(UNARY.items()):
        expected = theirs(NUMBERS)
        if row < ROWS - 2:
            np.testing.assert_allclose(tiles[row], expected, rtol=3e-6, atol=2e-6, err_msg=name)
        np.testing.assert_allclose(numbers[row], expected, rtol=3e-6, atol=2e-6, err_msg=name)


@weft.kernel(threads=32, grid=1)
def of_constants(out: Global(f32, (16, 2))):
    lane = thread_id()
    if lane == 0:
        for at, number in enumerate(NUMBERS.tolist()):
            out[at, 0] = tile.clamp(number, -1.0, 0.5)
            out[at, 1] = tile.where(number > 0.5, tile.exp(number), tile.sqrt(abs(number)))


def test_functions_of_pythons_numbers() -> None:
    """They are numbers of Python's as long as Python can tell, and f32 after."""
    assert (tile.maximum(2, 3), tile.minimum(2, 3), tile.fma(2, 3, 4), tile.where(0, 1, 2)) == (3, 2, 10, 2)
    out = np.zeros((16, 2), np.float32)
    of_constants.run(out)
    np.testing.assert_array_equal(out[:, 0], np.clip(NUMBERS, -1, 0.5))
    expected = np.where(NUMBERS > 0.5, np.exp(NUMBERS), np.sqrt(np.abs(NUMBERS)))
    np.testing.assert_allclose(out[:, 1], expected, rtol=3e-6)


# -- along dimensions ---------------------------------------------------------------------------------------------


@weft.kernel(threads=32, grid=1)
def dimensions(
    x: Global(f32, (8, 16)),
    out: Global(f32, (8, 16)),
    sums: Global(f32, 8),
    least: Global(f32, 16),
    one: Global(f32, 3),
):
    whole = register((8, 16), f32, S[(8, 4, 4) : (4 @ laneid, 1 @ laneid, 1)])
    cta.copy(whole, x)
    bias = tile.along(whole, -1, f32)
    fill(bias, 2.0)
    weights = tile.convert(coordinates(whole, 0) * 16 + coordinates(whole, -1), f32)
    cta.copy(out, whole * weights + bias + full((8, 16), 1.0, f32, whole.layout) + zeros((8, 16), f32, whole.layout))
    cta.copy(sums, tile.sum(whole))
    cta.copy(least, tile.min(whole, 0))
    lowest, highest, total = tile.min(whole, None), tile.max(whole, (0, 1)), tile.sum(whole, (1, 0))
    if thread_id() == 0:
        one[0], one[1], one[2] = lowest, highest, total


def test_dimensions_count_from_both_ends() -> None:
    x = (np.arange(128, dtype=np.float32).reshape(8, 16) * 37 % 101) - 50
    out, sums, least, one = (np.zeros(shape, np.float32) for shape in ((8, 16), 8, 16, 3))
    dimensions.run(x, out, sums, least, one)
    np.testing.assert_array_equal(out, x * np.arange(128).reshape(8, 16) + 3)
    np.testing.assert_array_equal(sums, x.sum(1))
    np.testing.assert_array_equal(least, x.min(0))
    np.testing.assert_array_equal(one, [x.min(), x.max(), x.sum()])


def _refused(action: Callable[[Any, Any], object]) -> CompileError:
    """How a kernel refuses what it does with a tile of 8x4 f32 and a number."""

    @weft.kernel(threads=32, grid=1)
    def kernel(x: Global(f32, 4)):
        action(register((8, 4), f32, S[(8, 4) : (4 @ laneid, 1 @ laneid)]), x[0])

    with pytest.raises(CompileError) as caught:
        kernel.ptx()
    return caught.value


@pytest.mark.parametrize(
    ("action", "message", "hint"),
    [
        (lambda t, x: tile.exp("a"), "'a' is neither a number nor a tile", ""),
        (lambda t, x: tile.sum(t, 2), "dimension 2 is out of range for a tile of 2 dimensions", ""),
        (lambda t, x: tile.sum(t, -3), "dimension -3 is out of range for a tile of 2 dimensions", ""),
        (lambda t, x: coordinates(t, 1.0), "dimension 1.0 is out of range for a tile of 2 dimensions", ""),
        (
            lambda t, x: tile.sum(x),
            "<f32 known when the kernel runs> is not a tile in registers",
            "use maximum or minimum for two numbers",
        ),
        (
            lambda t, x: fill(x, 1),
            "<f32 known when the kernel runs> is not in registers",
            "fill a tile in registers and copy it",
        ),
        (
            lambda t, x: x**-1,
            "unsupported exponent -1",
            "use a whole number from 1 on or 0.5, or exp2(y * log2(x)) for x ** y",
        ),
        (
            lambda t, x: x**0,
            "unsupported exponent 0",
            "use a whole number from 1 on or 0.5, or exp2(y * log2(x)) for x ** y",
        ),
        (
            lambda t, x: t**65,
            "unsupported exponent 65",
            "use a whole number from 1 on or 0.5, or exp2(y * log2(x)) for x ** y",
        ),
        (
            lambda t, x: x**1.5,
            "unsupported exponent 1.5",
            "use a whole number from 1 on or 0.5, or exp2(y * log2(x)) for x ** y",
        ),
        (lambda t, x: tile.convert(x, i32) // 0, "division by 0", ""),
        (lambda t, x: tile.convert(x, i32) % 0, "division by 0", ""),
        (lambda t, x: bool(x > 1), "a condition that is known only at run time cannot be tested here", None),
        (
            lambda t, x: [1, 2][x],
            "a number that is known only at run time cannot be used where Python needs a value",
            None,
        ),
        (
            lambda t, x: float(x),
            "a number that is known only at run time cannot be used where Python needs a value",
            None,
        ),
    ],
)
def test_what_functions_refuse(action: Callable[[Any, Any], object], message: str, hint: str | None) -> None:
    error = _refused(action)
    assert error.message == message
    assert hint is None or (error.hint or "") == hint


# -- whole numbers ------------------------------------------------------------------------------------------------

KINDS = ("i32", "u32", "i64", "i16", "u8", "i8")
WHOLE: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = {
    "add": (lambda a, b: a + b, np.add),
    "sub": (lambda a, b: a - b, np.subtract),
    "mul": (lambda a, b: a * b, np.multiply),
    "and": (lambda a, b: a & b, np.bitwise_and),
    "or": (lambda a, b: a | b, np.bitwise_or),
    "xor": (lambda a, b: a ^ b, np.bitwise_xor),
    "invert": (lambda a, b: ~a, lambda a, b: ~a),
    "left": (lambda a, b: a << (b & 3), lambda a, b: a << (b & 3)),
    "right": (lambda a, b: a >> (b & 3), lambda a, b: a >> (b & 3)),
    "max": (tile.maximum, np.maximum),
    "min": (tile.minimum, np.minimum),
    "square": (lambda a, b: a**2, lambda a, b: a * a),
    "less": (lambda a, b: tile.where(a < b, a, b + 1), lambda a, b: np.where(a < b, a, b + 1)),
    "at most": (lambda a, b: tile.where(a <= b, a, b + 1), lambda a, b: np.where(a <= b, a, b + 1)),
    "more": (lambda a, b: tile.where(a > b, a, b + 1), lambda a, b: np.where(a > b, a, b + 1)),
    "at least": (lambda a, b: tile.where(a >= b, a, b + 1), lambda a, b: np.where(a >= b, a, b + 1)),
    "equal": (lambda a, b: tile.where(a == b, 1, 2), lambda a, b: np.where(a == b, 1, 2)),
    "other": (lambda a, b: tile.where(a != b, 1, 2), lambda a, b: np.where(a != b, 1, 2)),
    "divide": (lambda a, b: a // tile.where(b == 0, 3, b), lambda a, b: a // np.where(b == 0, b * 0 + 3, b)),
    "rest": (lambda a, b: a % tile.where(b == 0, 3, b), lambda a, b: a % np.where(b == 0, b * 0 + 3, b)),
    "neutral": (lambda a, b: ((a + 0) * 1 // 1 - 0 << 0) >> 0, lambda a, b: a),
    "negative": (lambda a, b: -a, lambda a, b: -a),
    "size": (lambda a, b: abs(a), lambda a, b: np.abs(a)),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", KINDS)
def test_whole_numbers(kind: str) -> None:
    """Of each type, as NumPy has them, of the largest and the smallest numbers too."""
    dtype: Any = weft.tile.dtype(kind).numpy
    ends = np.iinfo(dtype)
    rng = np.random.default_rng(2)
    a = np.append(np.array([ends.min, ends.max, 0, 1, 7, 12], dtype), rng.integers(ends.min, ends.max, 26, dtype))
    b = np.append(np.array([1, 1, 0, 5, 7, 13], dtype), rng.integers(ends.min, ends.max, 26, dtype))

    @weft.kernel(threads=32, grid=1)
    def kernel(x: Global(kind, 32), y: Global(kind, 32), out: Global(kind, (len(WHOLE), 32))):
        lane = thread_id()
        for row, (function, _) in enumerate(WHOLE.values()):
            out[row, lane] = tile.convert(function(x[lane], y[lane]), kind)

    out = np.zeros((len(WHOLE), 32), dtype)
    kernel.run(a, b, out)
    with np.errstate(all="ignore"):
        for row, (name, (_, theirs)) in enumerate(WHOLE.items()):
            np.testing.assert_array_equal(out[row], theirs(a, b).astype(dtype), err_msg=name)
