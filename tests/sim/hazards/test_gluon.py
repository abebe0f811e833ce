"""Kernels in Gluon: right ones are never accused and give what they should, planted bugs are caught."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import weft
from weft.sim import KernelFault

pytestmark = [pytest.mark.slow, pytest.mark.skipif(find_spec("triton") is None, reason="Triton is not installed")]
NUMBERS = {"ring": 9, "roles": 10, "five": 5, "ampere": 3}
SEEDS = 10


def tensors(*arrays: np.ndarray[Any, Any], rows: tuple[int, ...]) -> list[Any]:
    """Arrays as tensor descriptors are passed: a map with boxes of so many rows, sizes, strides."""
    found: list[Any] = []
    for array, height in zip(arrays, rows, strict=True):
        tile = weft.TensorMap(array, box=(height, 64), swizzle="128B")
        found.extend([tile, *array.shape, array.shape[1], 1])
    return found


def execute(name: str, bug: int, **options: Any) -> bool:
    """Run a kernel; whether its result is right.  Raises KernelFault."""
    from tests.sim.hazards.gluon_kernels import DEPTH, compiled

    text, shared = compiled(name, bug)
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-2, 3, (rows, DEPTH)).astype(np.float16) for rows in (128, 64))
    want, grid = (a.astype(np.float32) @ b.T.astype(np.float32)).astype(np.float16), 1
    out = np.zeros((128, 64), np.float16)
    if name == "ampere":
        want = rng.random(512 * 8, np.float32)
        out = np.zeros_like(want)
        arguments: list[Any] = [want.copy(), out, 8]
    elif name == "roles":
        x = rng.integers(-2, 3, (64 * 7, 64)).astype(np.float16)
        want, out = 2 * x, np.zeros_like(x)
        arguments = [*tensors(x, out, rows=(64, 64)), 7]
    else:
        tall = 128 if name == "five" else 64
        grid = 128 // tall
        arguments = tensors(a, b, out, rows=(tall, 64, tall))
    threads = re.search(r"\.reqntid (\d+)", text)
    assert threads is not None
    scratch = [np.zeros(1, np.uint8)] * 2
    weft.run(
        weft.parse(text), name, grid, int(threads[1]), arguments + scratch,
        shared_bytes=shared, max_steps=200_000, **options,
    )  # fmt: skip
    return bool((out == want).all())


@pytest.mark.parametrize(("name", "bug"), [(name, bug + 1) for name, count in NUMBERS.items() for bug in range(count)])
def test_bugs_are_caught(name: str, bug: int) -> None:
    with pytest.raises(KernelFault):
        execute(name, bug)


@pytest.mark.parametrize("name", NUMBERS)
def test_right_kernels_are_not_accused(name: str) -> None:
    for mode in ({}, {"async_": "eager"}, *({"async_": "random", "seed": seed} for seed in range(SEEDS))):
        assert execute(name, 0, **mode), mode
