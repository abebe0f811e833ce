"""Tiles in random layouts over lanes, warps and registers: element-wise, reductions, coordinates, against NumPy."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import weft
from weft.layout import Iter, TileLayout, laneid, m, warpid
from weft.tile import Global, coordinates, cta, dtype, maximum, register, where
from weft.tile import max as largest
from weft.tile import sum as total

SHAPES = ((16, 16), (8, 32), (32, 32), (64, 16), (16, 128))
REDUCTIONS: tuple[tuple[Any, Any], ...] = ((total, np.sum), (largest, np.max))


def random_layout(pick: random.Random, shape: tuple[int, int], warps: int) -> TileLayout:
    """Every bit of the coordinates on a random bit of the lane, the warp or the register."""
    bits = sum(extent.bit_length() - 1 for extent in shape)
    axes = [laneid] * 5 + [warpid] * (warps.bit_length() - 1)
    axes += [m] * (bits - len(axes))
    pick.shuffle(axes)
    left = {axis: pick.sample(range(axes.count(axis)), axes.count(axis)) for axis in axes}
    return TileLayout(tuple(Iter(2, 1 << left[axis].pop(), axis) for axis in axes))


def check(seed: int) -> None:
    pick, numbers = random.Random(seed), np.random.default_rng(seed)
    shape, warps = pick.choice(SHAPES), pick.choice([1, 2, 4])
    kind = pick.choice(["f32", "f16", "i32", "u8", "i16", "f64"])
    layout, axis = random_layout(pick, shape, warps), pick.randrange(2)
    ours, theirs = pick.choice(REDUCTIONS)

    @weft.kernel(threads=32 * warps, grid=1)
    def kernel(a: Global(kind, shape), b: Global(kind, shape), c: Global(kind, shape)):
        x, y = register(shape, kind, layout), register(shape, kind, layout)
        cta.copy(x, a)
        cta.copy(y, b)
        diagonal = coordinates(x, 0) == coordinates(x, 1)
        cta.copy(c, where((x < y) | diagonal, x + y, maximum(x, y) - ours(x, axis, keepdims=True)))

    a, b = (numbers.integers(0, 4, shape).astype(dtype(kind).numpy) for _ in range(2))
    c = np.zeros_like(a)
    kernel.run(a, b, c, check="strict")
    reduced = theirs(a, axis=axis, keepdims=True).astype(a.dtype)
    rows, columns = np.indices(shape)
    np.testing.assert_array_equal(c, np.where((a < b) | (rows == columns), a + b, np.maximum(a, b) - reduced))


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(8))
def test_random_layouts(seed: int) -> None:
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 48))
def test_more_random_layouts(seed: int) -> None:
    check(seed)
