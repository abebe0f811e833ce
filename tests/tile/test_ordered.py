"""Scans, places of extremes, sorts, gathers and scatters, on layouts of all kinds, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from tests.tile.program import refused
from weft.tile import (
    Global,
    R,
    S,
    argmax,
    argmin,
    coordinates,
    cta,
    cumsum,
    f16,
    f32,
    gather,
    i32,
    laneid,
    register,
    scan,
    scatter,
    shared,
    sort,
    tx,
    warp,
    warpid,
    wgmma_layout,
    where,
)
from weft.tile.layouts import mma_layout, row_layout

LAYOUTS: dict[str, tuple[Any, tuple[int, int], int]] = {
    "a thread's own": (S[(8, 16) : (16, 1)], (8, 16), 32),
    "a row over lanes": (row_layout((3, 128), 2), (3, 128), 32),
    "rows over lanes": (S[(32, 6) : (1 @ laneid, 1)], (32, 6), 32),
    "fragments of mma": (mma_layout("d", (16, 32), f32), (16, 32), 32),
    "sums of wgmma": (wgmma_layout("d", (64, 32)), (64, 32), 128),
    "over all warps": (S[(2, 4, 32, 2) : (2, 1 @ warpid, 1 @ laneid, 1)], (2, 256), 128),
    "lanes slower than warps": (S[(32, 4, 3) : (1 @ laneid, 1 @ warpid, 1)], (1, 384), 128),
    "threads of the block": (S[(5, 64, 2) : (2, 1 @ tx, 1)], (5, 128), 64),
    "lanes in reverse": (S[(2, 2, 16, 4) : (1 @ laneid, 4, 2 @ laneid, 1)], (4, 64), 32),
}
"""A layout, its shape, the threads of a block."""


def on(name: str, body: Any, x: Any, kinds: list[Any], shapes: Any = None) -> list[Any]:
    """What a function of a tile, laid out so, gives: one array for each result, stored by coordinates."""
    layout, shape, threads = LAYOUTS[name]
    given = {np.dtype(np.float32): f32, np.dtype(np.int32): i32, np.dtype(np.float16): f16}[x.dtype]

    @weft.kernel(threads=threads, grid=1)
    def kernel(X: Global(given, shape), A: Global(kinds[0], shape), B: Global(kinds[-1], shape)):
        tile = register(shape, given, layout)
        cta.copy(tile, X)
        results = body(tile)
        cta.copy(A, results[0])
        cta.copy(B, results[-1])

    outs = [np.zeros(shape, kind.numpy) for kind in (kinds[0], kinds[-1])]
    kernel.run(x, *outs, check="strict", async_="lazy")
    return outs


def drawn(name: str, kind: Any = np.float32, seed: int = 0) -> Any:
    return np.random.default_rng(seed).integers(-9, 10, LAYOUTS[name][1]).astype(kind)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("axis", [0, 1])
def test_scans(name: str, axis: int) -> None:
    """Sums, and a maximum; along each dimension."""
    x = drawn(name)
    if name == "lanes slower than warps" and axis == 1:
        pytest.skip("lanes that run slower than warps are refused")
    a, b = on(name, lambda t: (cumsum(t, axis), scan(t, axis, "max")), x, [f32, f32])
    np.testing.assert_array_equal(a, np.cumsum(x, axis))
    np.testing.assert_array_equal(b, np.maximum.accumulate(x, axis))


def test_scans_of_functions() -> None:
    """Any associative function of two numbers; integers wrap."""
    x = drawn("a row over lanes", np.int32)
    a, b = on("a row over lanes", lambda t: (scan(t, 1, lambda a, b: a ^ b), scan(t, 1, "mul")), x, [i32, i32])
    np.testing.assert_array_equal(a, np.bitwise_xor.accumulate(x, 1))
    np.testing.assert_array_equal(b, np.multiply.accumulate(x, 1))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["a row over lanes", "sums of wgmma", "over all warps", "lanes in reverse"])
def test_scans_of_pairs(name: str) -> None:
    """A linear recurrence, h = a h + x, where a is 1 or -1."""
    x = drawn(name)

    def body(t: Any) -> tuple[Any, Any]:
        sign = where(t > 0, 1.0, -1.0)
        return scan((sign, t), 1, lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]))

    signs, found = on(name, body, x, [f32, f32])
    sign, h = np.where(x > 0, 1, -1), np.zeros(len(x))
    np.testing.assert_array_equal(signs, np.multiply.accumulate(sign, 1))
    for at in range(x.shape[1]):
        h = sign[:, at] * h + x[:, at]
        np.testing.assert_array_equal(found[:, at], h)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["a row over lanes", "fragments of mma", "over all warps"])
@pytest.mark.parametrize("axis", [0, 1])
def test_places_of_extremes(name: str, axis: int) -> None:
    x = drawn(name)

    def body(tile: Any) -> Any:
        zero = coordinates(tile, 0) * 0
        return zero + argmax(tile, axis, keepdims=True), zero + argmin(tile, axis, keepdims=True)

    a, b = on(name, body, x, [i32, i32])
    np.testing.assert_array_equal(a, np.argmax(x, axis, keepdims=True) + 0 * a)
    np.testing.assert_array_equal(b, np.argmin(x, axis, keepdims=True) + 0 * b)


@pytest.mark.sample(1)
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(
    ("name", "axis"),
    [("a thread's own", 0), ("a thread's own", 1), ("a row over lanes", 1), ("fragments of mma", 0),
     ("fragments of mma", 1), ("rows over lanes", 0), ("lanes in reverse", 1), ("sums of wgmma", 1)],
)  # fmt: skip
def test_sorts(name: str, axis: int, descending: bool) -> None:
    """Elements in order, and the places that they come from."""
    x = drawn(name)
    keys, places = on(name, lambda t: sort(t, axis, values=coordinates(t, axis), descending=descending), x, [f32, i32])
    expected = np.sort(x, axis)
    np.testing.assert_array_equal(keys, np.flip(expected, axis) if descending else expected)
    np.testing.assert_array_equal(np.take_along_axis(x, places, axis), keys)
    np.testing.assert_array_equal(np.sort(places, axis), np.sort(np.argsort(x, axis), axis))


@weft.kernel(threads=32, grid=1)
def moved(X: Global(f32, ("M", "N")), P: Global(i32, (8, 32)), Y: Global(f32, (8, 32)), Z: Global(f32, ("M", "N"))):
    layout = S[(8, 32) : (1, 1 @ laneid)]
    rows = register((8, 32), i32, layout)
    warp.copy(rows, P)
    columns = coordinates(rows, 1)
    found = gather(X, rows, columns, other=-1.0)
    warp.copy(Y, found)
    scatter(Z, found + 1.0, rows, columns)
    held = shared((8, 32), f32)
    scatter(held, found, coordinates(rows, 0), columns)
    warp.sync()
    again = gather(held, coordinates(rows, 0), 31 - columns)
    scatter(Z, again, coordinates(rows, 0) + 9, columns)


def test_gather_and_scatter() -> None:
    """Places outside are not read and not written."""
    random = np.random.default_rng(3)
    x = random.integers(0, 99, (20, 27)).astype(np.float32)
    rows = np.stack([random.permutation(9)[:8] for _ in range(32)], 1).astype(np.int32)
    rows[3] = -1
    rows[5, ::2] = 1 << 30
    y, z = np.zeros((8, 32), np.float32), np.zeros_like(x)
    moved.run(x, rows, y, z, check="strict", async_="lazy")
    columns = np.broadcast_to(np.arange(32), rows.shape)
    inside = (rows >= 0) & (rows < 20) & (columns < 27)
    np.testing.assert_array_equal(y, np.where(inside, x[rows % 20, columns % 27], -1))
    expected = np.zeros_like(x)
    expected[rows[inside], columns[inside]] = y[inside] + 1
    expected[9:17] = y[:, ::-1][:, :27]
    np.testing.assert_array_equal(z, expected)


HEAD = """import weft
from weft.tile import *

@weft.kernel(threads=128, grid=1)
def kernel(X: Global(f32, ('M',))):
"""
REFUSED = {
    "sort(register((4, 12), f32, S[(4, 12) : (12, 1)]))": "cannot sort 12 elements: their number must be a power of two",
    "sort(register((1, 64), f32, S[64 : 1 @ tx]), 1)": "spread over warps",
    "scan(register((1, 384), f32, S[(32, 4, 3) : (1 @ laneid, 1 @ warpid, 1)]), 1, 'mean')": "unknown scan 'mean'",
    "scan(register((64, 3), f32, S[(64, 3) : (1 @ tx, 1)]), 2)": "dimension 2 is out of range",
    "scan(register((24, 3), f32, S[(24, 3) : (1 @ laneid, 1)]), 0)": "not powers of two",
    "scan(1.0)": "not a tile",
    "argmax(1.0)": "not a tile",
    "gather(X, 0)": "indices must be register tiles",
    "gather(X, coordinates(register((4, 8), f32), 0), 0)": "2 indices for 1 dimensions",
    "scatter(X, register((4, 8), f32), coordinates(register((8, 4), f32), 0))": "the layout of its indices",
    "sort(register((4, 8), f32), values=register((8, 4), f32))": "the same shape and layout",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    """With a reason."""
    refused(HEAD, f"{text}  #", REFUSED[text], "sm_80")


def test_replicas_agree() -> None:
    """Threads that hold the same elements get the same results."""

    @weft.kernel(threads=32, grid=1)
    def kernel(X: Global(f32, (1, 16)), Y: Global(f32, (2, 16))):
        tile = register((1, 16), f32, S[16 : 1 @ laneid] + R[2 : 16 @ laneid])
        warp.copy(tile, X)
        result = cumsum(tile, 1)
        both = register((2, 16), f32, S[(2, 16) : (16 @ laneid, 1 @ laneid)])
        both.storage[0] = result.storage[0]
        warp.copy(Y, both)

    x, y = drawn("a thread's own")[:1], np.zeros((2, 16), np.float32)
    kernel.run(x, y, check="strict")
    np.testing.assert_array_equal(y, np.cumsum(np.repeat(x, 2, 0), 1))
