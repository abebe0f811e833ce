"""Triton kernels launched wrongly at random: what is wrong is an error of weft's or Triton's, never one inside weft."""

# pyright: basic, reportArgumentType=false

from __future__ import annotations

import random
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

import weft.triton
from tests.gpu.hostile import values
from weft.errors import WeftError

SOURCES = Path(weft.__file__).parent

GRIDS: list[Any] = [(0,), (-1,), (1 << 31,), (1, 1 << 17), 1, None, (1,) * 4, (1.5,), ("a",), [2], lambda _: (1,)]
GRIDS += [lambda _: None, (np.int64(1),), (True,), (np.float32(2),), (1 << 70,), (None,), ((1, 2),)]
OPTIONS: list[dict[str, Any]] = [
    *({"num_warps": count} for count in (0, 3, 64, "x", None)),
    *({"num_ctas": count} for count in (0, 2, 3, 16)),
    *({"maxnreg": count} for count in (-5, 1000)),
    *({name: True} for name in ("launch_cooperative_grid", "launch_pdl", "debug", "bogus")),
]
SHAPES = [
    *(([32, 32], [32, 1], [16, 16]), ([32, 32], [1, 32], [16, 16]), ([64, 32], [32, 1], [16, 16])),
    *(([32, 32], [33, 1], [16, 16]), ([32, 32], [32, 1], [16, 512]), ([0, 32], [32, 1], [16, 16])),
    *(([-1, 32], [32, 1], [16, 16]), ([32, 32], [32, 1], [16, 3]), ([1 << 40, 32], [32, 1], [16, 16])),
]


@triton.jit
def moved(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def summed(d, y, m):
    tl.store(y + tl.arange(0, 16), tl.sum(d.load([0, m]), 0))


@triton.jit
def scaled(t, y, B: tl.constexpr):
    tl.store(y + tl.arange(0, B), tl.load(t[0] + tl.arange(0, B)) * t[1])


def descriptors() -> list[Any]:
    """Host descriptors of which most do not fit their array."""
    found: list[Any] = [None]
    for base in (weft.triton.asarray(np.zeros((32, 32), np.float32)), np.zeros((32, 32), np.float32), 5):
        for shape, strides, block in SHAPES:
            try:
                found.append(TensorDescriptor(base, shape, strides, block))
            except (AssertionError, AttributeError, TypeError, ValueError):  # Triton looks at some of it itself.
                continue
    return found


def launch(rng: random.Random, pool: list[Any], tables: list[Any]) -> None:
    """One launch, with some right and some wrong in it."""

    def either(right: object) -> Any:
        return right if rng.random() < 0.6 else rng.choice(pool)

    x, y = np.zeros(64, np.float32), np.zeros(64, np.float32)
    options = rng.choice(OPTIONS) if rng.random() < 0.4 else {}
    kernel, arguments, constants = rng.choice(
        [
            (moved, [either(x), either(y), either(64)], {"B": either(64)}),
            (summed, [rng.choice(tables) if rng.random() < 0.8 else rng.choice(pool), either(y), either(0)], {}),
            (scaled, [(either(x), either(2)) if rng.random() < 0.8 else rng.choice(pool), either(y)], {"B": 32}),
        ]
    )
    kernel[rng.choice(GRIDS) if rng.random() < 0.4 else (1,)](*arguments, **constants, **options)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("seed", "draws"), [(0, 25), *(pytest.param(seed, 300, marks=pytest.mark.slow) for seed in range(1, 4))]
)
def test_what_is_wrong_is_said(seed: int, draws: int, capfd: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(seed)
    with weft.triton.activate("sm_90a", max_steps=20_000) as active, weft.Device("sm_80", memory=1 << 24) as other:
        pool, tables = values(active.device, other), descriptors()
        for _ in range(draws):
            try:
                launch(rng, pool, tables)
            except WeftError as error:
                assert str(error)
            except Exception as error:
                last = traceback.extract_tb(error.__traceback__)[-1]
                # Triton's own specialiser, which is native, refuses what is no argument of any kernel.
                assert not Path(last.filename).is_relative_to(SOURCES) or last.name == "specialise", (
                    f"{last}: {error!r}"
                )
        out = np.zeros(64, np.float32)
        moved[(1,)](np.ones(64, np.float32), out, 64, B=64)
        assert (out == 1).all()
