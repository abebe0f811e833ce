"""Python's operators on numbers and on tiles in registers, from both sides, against Python's own integers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from weft.layout import S, tx
from weft.tile import Global, boolean, cta, f32, i32, kernel, register, thread_id

BOTH: list[Callable[[Any, Any], Any]] = [
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.and_, operator.or_, operator.xor,
    lambda a, b: a << (b & 7), lambda a, b: a >> (b & 7), operator.lt, operator.le, operator.gt, operator.ge, operator.eq,
    operator.ne, lambda a, b: divmod(a, b)[0], lambda a, b: divmod(a, b)[1],
]  # fmt: skip
ONE: list[Callable[[Any], Any]] = [operator.neg, operator.pos, abs, operator.invert, lambda a: a**2, lambda a: a**3]


@kernel(threads=32, grid=1)
def every(x: Global(i32, 32), y: Global(i32, 32), out: Global(i32, (2, 64, 32))):
    lane = thread_id()
    tiles = [register(32, i32, S[32 : 1 @ tx]) for _ in range(2)]
    cta.copy(tiles[0], x)
    cta.copy(tiles[1], y)
    for way, (a, b) in enumerate(((x[lane], y[lane]), tiles)):
        found = [*(f(a, b) for f in BOTH), *(f(100, b) for f in BOTH), *(f(a, 3) for f in BOTH), *(f(a) for f in ONE)]
        for at, value in enumerate(found):
            value = value if way == 0 else value.storage[0]
            out[way, at, lane] = value.to(i32)


def test_every_operator() -> None:
    """Quotients and remainders are C's where signs differ: of positive numbers they are Python's."""
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 1000, 32).astype(np.int32), rng.integers(1, 50, 32).astype(np.int32)
    out = np.zeros((2, 64, 32), np.int32)
    every.run(x, y, out)
    for lane, (a, b) in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        expected = [
            *(f(a, b) for f in BOTH),
            *(f(100, b) for f in BOTH),
            *(f(a, 3) for f in BOTH),
            *(f(a) for f in ONE),
        ]
        for way in range(2):
            assert out[way, : len(expected), lane].tolist() == [int(each) for each in expected], (way, a, b)


@kernel(threads=32, grid=1)
def truths(x: Global(f32, 32), out: Global(i32, (3, 32))):
    tile = register(32, f32, S[32 : 1 @ tx])
    cta.copy(tile, x)
    lane = thread_id()
    out[0, lane] = tile.to(boolean).to(i32).storage[0]
    out[1, lane] = (~(tile > 0.0)).to(i32).storage[0]
    out[2, lane] = len(tile)


def test_tiles_as_conditions() -> None:
    """What is not zero holds, a NaN too."""
    x = np.array([0.0, -0.0, 1.0, -2.0, np.nan, np.inf, 1e-40] + [3.0] * 25, np.float32)
    out = np.zeros((3, 32), np.int32)
    truths.run(x, out)
    assert out[0].tolist() == (x != 0).tolist()
    assert out[1].tolist() == (~(x > 0)).tolist()
    assert out[2].tolist() == [32] * 32
