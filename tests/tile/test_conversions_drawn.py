"""Conversions between layouts in registers that are drawn: fragments, rows, and digits dealt out at random."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest

from tests.tile.test_conversions import converted
from weft.errors import LayoutError
from weft.layout import Iter, TileLayout, laneid, m, tid_in_wg, tx
from weft.tile import (
    bf16,
    cta,
    e4m3,
    f16,
    f32,
    f64,
    i8,
    i32,
    i64,
    tensor_layout,
    u8,
    u16,
    warp,
    warpgroup,
    wgmma_layout,
)
from weft.tile.layouts import mma_layout, row_layout

KINDS = (f16, f32, f64, bf16, e4m3, i8, i32, i64, u8, u16)
SHAPES: dict[Any, Any] = {
    warp: [(16, 32), (32, 32), (16, 16), (64,), (96,), (32, 8), (48,), (128,), (8, 24)],
    warpgroup: [(64, 32), (64, 16), (128, 8), (128, 32), (192,), (256,), (96,)],
}
AXES: dict[Any, Any] = {warp: laneid, warpgroup: tid_in_wg, cta: tx}


def dealt(random: np.random.Generator, count: int, threads: int, axis: Any) -> TileLayout:
    """The prime factors of a number of elements in any order, dealt out to threads and places; at times a replica."""
    digits: list[int] = []
    for prime in (2, 3):
        while count % prime == 0:
            digits.append(prime)
            count //= prime
    random.shuffle(digits)
    taken, places, found = 1, 1, {}
    for at in random.permutation(len(digits)):
        if threads % (taken * digits[at]) == 0 and random.random() < 0.8:
            found[at] = Iter(digits[at], taken, axis)
            taken *= digits[at]
        else:
            found[at] = Iter(digits[at], places, m)
            places *= digits[at]
    replica = [Iter(threads // taken, taken, axis)] if taken < threads and random.random() < 0.5 else []
    return TileLayout([found[at] for at in range(len(digits))], replica)


def fragments(scope: Any, shape: tuple[int, ...]) -> list[TileLayout]:
    """The layouts by name that a shape has."""
    ways: list[Any] = [lambda v=v: row_layout(shape, v) for v in (1, 2, 4)]
    ways += [lambda k=k, o=o: mma_layout(o, shape, k) for k in (f16, f32, e4m3, i8) for o in "abd"]
    if scope is warpgroup:
        ways = [lambda k=k, o=o: wgmma_layout(o, shape, k) for k in (f16, f32, e4m3, i8) for o in "ad"]
        ways.append(lambda: tensor_layout(shape))
    found = []
    for way in ways if scope is not cta and len(shape) == 2 else ():
        try:
            found.append(way())
        except LayoutError:
            continue
    return found


def drawn(random: np.random.Generator, scope: Any, shape: tuple[int, ...], threads: int) -> TileLayout:
    """A fragment, or digits in an order that the shape can be grouped by."""
    named = fragments(scope, shape)
    if named and random.random() < 0.6:
        return named[int(random.integers(len(named)))]
    while True:
        layout = dealt(random, prod(shape), threads, AXES[scope])
        try:
            layout.group(shape)
        except LayoutError:
            continue
        return layout


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [*range(10), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(10, 300))])
def test_conversions_that_are_drawn(seed: int) -> None:
    """Every pair is planned, and executed byte by byte."""
    random = np.random.default_rng([7, seed])
    scope = (warp, warp, warpgroup, cta)[int(random.integers(4))]
    threads = {warp: 32, warpgroup: 128, cta: int(random.choice([64, 96, 128]))}[scope]
    shapes = SHAPES.get(scope, [*SHAPES[warp], *SHAPES[warpgroup]])
    shape = shapes[int(random.integers(len(shapes)))]
    kind = KINDS[int(random.integers(len(KINDS)))]
    converted(scope, threads, kind, shape, *(drawn(random, scope, shape, threads) for _ in range(2)))
