"""Python's own functions in kernels, conditions of tiles, scans, and windows over images: against NumPy and Python."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

import weft
from weft.tile import (
    Global,
    S,
    argmax,
    argmin,
    cta,
    cumsum,
    ds,
    f16,
    f32,
    i32,
    laneid,
    pixels,
    register,
    scan,
    thread_id,
    where,
)

ROWS = S[(8, 4, 4) : (4 @ laneid, 1 @ laneid, 1)]
NUMBERS = (np.arange(128, dtype=np.float32).reshape(8, 16) * 37 % 29) / 2 - 7


@weft.kernel(threads=32, grid=1)
def builtins_of_tiles(
    x: Global(f32, (8, 16)), rows: Global(f32, (6, 8)), whole: Global(f32, (4, 8, 16)), one: Global(f32, 8)
):
    t = register((8, 16), f32, ROWS)
    cta.copy(t, x)
    cta.copy(rows[0, :], max(t))
    cta.copy(rows[1, :], min(t, -1))
    cta.copy(rows[2, :], sum(t))
    cta.copy(rows[3, :], max(t, axis=1))
    cta.copy(rows[4, :], min(t, keepdims=True).reshape(8))
    cta.copy(rows[5, :], sum(t, 1))
    cta.copy(whole[0], max(t, 0.5))
    cta.copy(whole[1], min(0.5, t, 3.0))
    cta.copy(whole[2], round(t))
    cta.copy(whole[3], max(t, -t))
    a, b = x[0, 0], x[7, 15]
    most, least = max(t, (0, 1)), min(t, None)
    if thread_id() == 0:
        one[0], one[1], one[2] = max(a, b), min(a, b, -6.0), max(1, 2)
        one[3], one[4], one[5] = round(a), most, least
        one[6] = sum([1, 2, 3]) + round(2.5)


def test_builtins_of_tiles_and_numbers() -> None:
    rows, whole, one = np.zeros((6, 8), np.float32), np.zeros((4, 8, 16), np.float32), np.zeros(8, np.float32)
    x = NUMBERS
    builtins_of_tiles.run(x, rows, whole, one)
    for at, expected in enumerate([x.max(1), x.min(1), x.sum(1), x.max(1), x.min(1), x.sum(1)]):
        np.testing.assert_array_equal(rows[at], expected)
    for at, expected in enumerate([np.maximum(x, 0.5), np.minimum(x, 0.5), np.rint(x), np.abs(x)]):
        np.testing.assert_array_equal(whole[at], expected)
    a, b = x[0, 0], x[7, 15]
    np.testing.assert_array_equal(one[:7], [max(a, b), min(a, b, -6), 2, np.rint(a), x.max(), x.min(), 8])


@weft.kernel(threads=32, grid=1)
def conditions_of_numbers(n: i32, out: Global(i32, (4, 4))):
    if thread_id() == 0:
        for at in range(4):
            several = [n > at, n > 1, n != 3]
            out[at, 0] = 1 if any(several) else 0
            out[at, 1] = 1 if all(several) else 0
            out[at, 2] = 1 if any([False, at == 2]) else 0
            out[at, 3] = 1 if all([n < 9, at == 2]) else 0


@pytest.mark.parametrize("n", [-1, 2, 3, 9])
def test_any_and_all(n: int) -> None:
    out = np.zeros((4, 4), np.int32)
    conditions_of_numbers.run(n, out)
    for at in range(4):
        several = [n > at, n > 1, n != 3]
        assert out[at].tolist() == [any(several), all(several), at == 2, n < 9 and at == 2]


MASKS = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "not": lambda a, b: ~a,
    "same": lambda a, b: a == b,
    "other": lambda a, b: a != b,
    "both not": lambda a, b: ~(a | b),
}
COUNTS = {"sum": lambda a, b: a + b, "three": lambda a, b: a * 3, "difference": lambda a, b: a - b}


@weft.kernel(threads=32, grid=1)
def masks(x: Global(f32, (8, 16)), out: Global(i32, (len(MASKS) + len(COUNTS), 8, 16)), counts: Global(i32, 8)):
    t = register((8, 16), f32, ROWS)
    cta.copy(t, x)
    a, b = t > 0.0, t < 3.0
    for at, made in enumerate(MASKS.values()):
        cta.copy(out[at], where(made(a, b), 1, 0).to(i32))
    for at, made in enumerate(COUNTS.values()):
        cta.copy(out[len(MASKS) + at], made(a, b))
    cta.copy(counts, sum(a))


def test_conditions_of_tiles() -> None:
    """They are combined as such, and counted as numbers."""
    out, counts = np.zeros((len(MASKS) + len(COUNTS), 8, 16), np.int32), np.zeros(8, np.int32)
    masks.run(NUMBERS, out, counts)
    a, b = NUMBERS > 0, NUMBERS < 3
    for at, made in enumerate(MASKS.values()):
        np.testing.assert_array_equal(out[at], made(a, b))
    for at, made in enumerate(COUNTS.values()):
        np.testing.assert_array_equal(out[len(MASKS) + at], made(a.astype(int), b.astype(int)))
    np.testing.assert_array_equal(counts, a.sum(1))


SCANS = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


@weft.kernel(threads=32, grid=1)
def scans(x: Global(f32, (8, 16)), out: Global(f32, (2, 5, 8, 16)), places: Global(i32, (4, 8))):
    t = register((8, 16), f32, ROWS)
    cta.copy(t, x)
    for axis in range(2):
        for at, name in enumerate(SCANS):
            cta.copy(out[axis, at], scan(t, axis, name))
        cta.copy(out[axis, 4], cumsum(t, axis))
    cta.copy(places[0, :], argmax(t, 1))
    cta.copy(places[1, :], argmin(t))
    first, last = argmax(t, None), argmin(t, None)
    if thread_id() == 0:
        places[2, 0], places[2, 1] = first, last


def test_scans_and_places_of_extremes() -> None:
    x = np.where(NUMBERS % 3 == 0, 2, np.where(NUMBERS > 0, 1, -1)).astype(np.float32)
    out, places = np.zeros((2, 5, 8, 16), np.float32), np.zeros((4, 8), np.int32)
    scans.run(x, out, places)
    for axis in range(2):
        for at, function in enumerate((*SCANS.values(), np.add)):
            np.testing.assert_array_equal(out[axis, at], function.accumulate(x, axis))
    np.testing.assert_array_equal(places[0], x.argmax(1))
    np.testing.assert_array_equal(places[1], x.argmin(1))
    assert places[2, :2].tolist() == [x.argmax(), x.argmin()]


# -- windows ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_windows_over_images(rank: int) -> None:
    """The pixels of the result, and where the first tap is for each of them, by the definition of a convolution."""
    random = Random(rank)
    extents = tuple(random.randint(9, 14) for _ in range(rank))
    drawn = [[random.choice(choices) for _ in range(rank)] for choices in ([1, 2, 3], [0, 1, 2], [1, 2, 3], [1, 2])]
    window, pad, stride, dilation = map(tuple, drawn)
    found: list[Any] = []

    @weft.kernel(threads=32, grid=1)
    def kernel(x: Global(f16, (3, *extents, 64))):
        image = pixels(x, window, pad=pad, stride=stride, dilation=dilation)
        taps = [image.column(first, 8, tap=window, channels=ds(16, 32)) for first in (0, 5, 11)]
        one = pixels(x, (2,) * rank, pad=1, stride=2, dilation=3)
        found.append((image, taps, one))

    kernel.mlir()
    image, taps, one = found[0]
    reach = [d * (w - 1) for d, w in zip(dilation, window, strict=True)]
    places = [
        range(-p, n + p - over, s) for n, p, over, s in zip(extents, pad, reach, stride, strict=True)
    ]  # Where the first tap may be.
    assert image.shape == (3, *map(len, places), 64)
    assert image.window.lower == tuple(-p for p in pad)
    assert image.window.upper == tuple(p - over for p, over in zip(pad, reach, strict=True))
    assert (image.window.steps, image.dilation) == (stride, dilation)
    pixel = [(n, *at) for n in range(3) for at in product(*places)]
    for first, column in zip((0, 5, 11), taps, strict=True):
        assert column.coordinates == (*pixel[first], 16)
        assert column.offsets == tuple(w * d for w, d in zip(window, dilation, strict=True))
        assert (column.sizes, column.image) == ((8, 32), image)
    assert one.shape == (3, *((n + 2 - 3 - 1) // 2 + 1 for n in extents), 64)
    assert (one.window.lower, one.window.upper) == ((-1,) * rank, (-2,) * rank)
    assert (one.window.steps, one.dilation) == ((2,) * rank, (3,) * rank)


@pytest.mark.parametrize(
    ("window", "more", "message"),
    [
        ((), {}, "cannot hold images for a window of 0 dimensions"),
        ((3,), {}, "cannot hold images for a window of 1 dimensions"),
        ((3, 3, 3), {}, "cannot hold images for a window of 3 dimensions"),
        ((3, 3), {"pad": (1,)}, "window, pad, stride and dilation must be constants, one per dimension"),
        ((3, 3), {"stride": (1, 1, 1)}, "window, pad, stride and dilation must be constants, one per dimension"),
        ((3, 3), {"dilation": 1.0}, "window, pad, stride and dilation must be constants, one per dimension"),
        ((3, -3), {}, "window, pad, stride and dilation must be constants, one per dimension"),
        ((3, 3), {"pad": -1}, "window, pad, stride and dilation must be constants, one per dimension"),
    ],
)
def test_windows_that_there_are_not(window: Any, more: dict[str, Any], message: str) -> None:
    @weft.kernel(threads=32, grid=1)
    def kernel(x: Global(f16, (3, 9, 9, 64))):
        pixels(x, window, **more)

    with pytest.raises(weft.errors.CompileError) as caught:
        kernel.mlir()
    assert caught.value.message.endswith(message)
