"""Tiles in registers on the simulator against NumPy: element-wise functions, casts, reductions, products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft
from weft.errors import CompileError, LayoutError
from weft.layout import TileLayout
from weft.tile import (
    Buffer,
    Global,
    S,
    cta,
    ds,
    dtype,
    f16,
    f32,
    fill,
    full,
    functions,
    laneid,
    register,
    tx,
    warp,
    zeros,
)
from weft.tile import coordinates as coords
from weft.tile.layouts import mma_layout, row_layout

RNG = np.random.default_rng(7)
LAYOUTS = {
    "rows": S[(16, 8) : (8, 1)],
    "fragment": S[(2, 8, 4, 2) : (2, 4 @ laneid, 1 @ laneid, 1)],
    "quarters": S[(4, 4, 8) : (1, 8 @ laneid, 1 @ laneid)],
}


def through(
    name: str, kind: str, function: Callable[[Buffer, Buffer], Any], out: str = ""
) -> Callable[..., np.ndarray]:
    """A kernel that applies a function to two tiles of 16 x 8."""
    layout = LAYOUTS[name]
    shape = (16, 8)

    @weft.kernel(threads=32, grid=1)
    def apply(a: Global(kind, shape), b: Global(kind, shape), c: Global(out or kind, shape)):
        x, y = register(shape, kind, layout), register(shape, kind, layout)
        warp.copy(x, a)
        warp.copy(y, b)
        warp.copy(c, function(x, y))

    def run(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        c = np.zeros(shape, dtype(out or kind).numpy)
        apply.run(a, b, c)
        return c

    return run


def numbers(kind: str, low: float = -4, high: float = 4) -> np.ndarray:
    if kind[0] in "iu":
        return RNG.integers(0 if kind[0] == "u" else -100, 100, (16, 8)).astype(dtype(kind).numpy)
    return RNG.uniform(low, high, (16, 8)).astype(dtype(kind).numpy)


BINARY = {
    "add": (lambda x, y: x + y, np.add),
    "mul": (lambda x, y: x * y, np.multiply),
    "sub": (lambda x, y: x - y, np.subtract),
    "max": (functions.maximum, np.maximum),
    "where": (lambda x, y: functions.where(x < y, x, y * 2), lambda a, b: np.where(a < b, a, b * a.dtype.type(2))),
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("function", BINARY)
@pytest.mark.parametrize("kind", ["f32", "f16", "bf16", "i32", "i8", "u8", "f64"])
@pytest.mark.parametrize("layout", ["fragment"])
def test_elementwise(layout: str, kind: str, function: str) -> None:
    ours, theirs = BINARY[function]
    a, b = numbers(kind), numbers(kind)
    with np.errstate(over="ignore"):
        expected = theirs(a, b).astype(dtype(kind).numpy)
    np.testing.assert_array_equal(through(layout, kind, ours)(a, b), expected)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_computes_the_same(layout: str) -> None:
    a, b = numbers("f16"), numbers("f16")
    got = through(layout, "f16", lambda x, y: (x + y) * 2.0 - x)(a, b)
    np.testing.assert_array_equal(got, (a + b) * np.float16(2) - a)


FUNCTIONS = {
    "exp": np.exp,
    "exp2": np.exp2,
    "log2": np.log2,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "tanh": np.tanh,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_within_the_bounds_of_approximations(name: str) -> None:
    a = numbers("f32", 0.1, 4)
    got = through("fragment", "f32", lambda x, y: getattr(functions, name)(x))(a, a)
    np.testing.assert_allclose(got, FUNCTIONS[name](a.astype(np.float64)), rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize(
    ("source", "target"),
    [("f32", "f16"), ("f32", "bf16"), ("f16", "f32"), ("i32", "f32"), ("f32", "i32"), ("i8", "i32"), ("u8", "f32")],
)
def test_casts(source: str, target: str) -> None:
    a = numbers(source)
    got = through("fragment", source, lambda x, y: x.to(target), target)(a, a)
    np.testing.assert_array_equal(got, a.astype(dtype(target).numpy))


def test_coordinates_and_masks() -> None:
    a = numbers("f32")
    got = through("fragment", "f32", lambda x, y: functions.where(coords(x, 1) + coords(x, 0) * 8 < 77, x, 0.0))(a, a)
    np.testing.assert_array_equal(got, np.where(np.arange(128).reshape(16, 8) < 77, a, 0))


@pytest.mark.sample(3)
@pytest.mark.parametrize("layout", ["fragment", "rows"])
@pytest.mark.parametrize(("name", "theirs"), [("sum", np.sum), ("max", np.max), ("min", np.min)])
@pytest.mark.parametrize("axis", [0, 1])
def test_reductions(layout: str, name: str, theirs: Any, axis: int) -> None:
    a = RNG.integers(-50, 50, (16, 8)).astype(np.float32)
    got = through(layout, "f32", lambda x, y: y - y + getattr(functions, name)(x, axis, keepdims=True))(a, a)
    np.testing.assert_array_equal(got, np.broadcast_to(theirs(a, axis=axis, keepdims=True), a.shape))


def test_a_reduction_without_its_dimension() -> None:
    @weft.kernel(threads=32, grid=1)
    def rows(a: Global("f16", (4, 128)), out: Global("f16", (4,))):
        x = register((4, 128), "f16", row_layout((4, 128), 4))
        warp.copy(x, a)
        total = functions.sum(x, 1)
        assert total.shape == (4,)
        for i in range(4):
            out[i] = total.storage[i]

    a = RNG.integers(-3, 3, (4, 128)).astype(np.float16)
    out = np.zeros(4, np.float16)
    rows.run(a, out)
    np.testing.assert_array_equal(out, a.astype(np.float32).sum(1))


PRODUCTS = {
    "f16": ("f32", 16),
    "bf16": ("f32", 16),
    "f32": ("f32", 8),
    "i8": ("i32", 32),
    "f64": ("f64", 4),
    "e4m3": ("f32", 32),
    "e5m2": ("f32", 32),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", PRODUCTS)
def test_products(kind: str) -> None:
    result, depth = PRODUCTS[kind]
    m, n, k = 32, 16, 2 * depth

    @weft.kernel(threads=32, grid=1)
    def multiply(a: Global(kind, (m, k)), b: Global(kind, (k, n)), d: Global(result, (m, n))):
        left = register((m, k), kind, mma_layout("a", (m, k), kind))
        right = register((k, n), kind, mma_layout("b", (k, n), kind))
        total = zeros((m, n), result, mma_layout("d", (m, n), kind))
        warp.copy(left, a)
        warp.copy(right, b)
        warp.gemm(total, left, right)
        warp.copy(d, total)

    a = RNG.integers(-3, 4, (m, k)).astype(dtype(kind).numpy)
    b = RNG.integers(-3, 4, (k, n)).astype(dtype(kind).numpy)
    d = np.zeros((m, n), dtype(result).numpy)
    multiply.run(a, b, d, target="sm_90a")
    np.testing.assert_array_equal(d.astype(np.float64), a.astype(np.float64) @ b.astype(np.float64))
    weft.assemble(multiply.module("sm_90a"))


def test_layouts_that_are_no_fragments_are_refused() -> None:
    @weft.kernel(threads=32, grid=1)
    def multiply(d: Global("f32", (16, 8))):
        left = zeros((16, 16), "f16", S[(16, 2, 8) : (2 @ laneid, 1 @ laneid, 1)])
        right = zeros((16, 8), "f16", mma_layout("b", (16, 8), "f16"))
        total = zeros((16, 8), "f32", mma_layout("d", (16, 8), "f16"))
        warp.gemm(total, left, right)
        warp.copy(d, total)

    with pytest.raises(CompileError, match="'a' is not laid out as the a fragment of mma.m16n8k16: element") as caught:
        multiply.ptx()
    assert "warp.gemm(total, left, right)" in (caught.value.position.source or "")
    with pytest.raises(LayoutError, match="not a multiple of the fragment"):
        mma_layout("a", (8, 16), "f16")


def test_a_tile_over_the_whole_block() -> None:
    @weft.kernel(threads=128, grid=1)
    def twice(a: Global("f32", (128, 4)), b: Global("f32", (128, 4))):
        x = register((128, 4), "f32", TileLayout(S[(128, 4) : (1 @ tx, 1)]))
        cta.copy(x, a)
        cta.copy(b, x * 2.0)

    a = RNG.standard_normal((128, 4)).astype(np.float32)
    b = np.zeros_like(a)
    twice.run(a, b)
    np.testing.assert_array_equal(b, a * 2)


@weft.kernel(threads=32, grid=1)
def parts(Y: Global(f16, (32, 6)), Z: Global(f32, (32, 8))):
    """Parts of tiles in registers are written, filled and computed with; their neighbours stay."""
    narrow = full((32, 6), 1.0, f16, S[(32, 6) : (1 @ laneid, 1)])
    one = full((32, 1), 7.0, f16, S[(32, 1) : (1 @ laneid, 1)])
    warp.copy(narrow[:, 1:2], one)
    warp.copy(narrow[:, 4:5], one * 2.0)
    fill(narrow[:, 2:3], 9.0)
    warp.copy(narrow[:, 3:4], narrow[:, 1:2] + narrow[:, 2:3])
    warp.copy(Y, narrow)
    wide = full((32, 8), 1.0, f32, S[(32, 8) : (1 @ laneid, 1)])
    part = full((32, 4), 2.0, f32, S[(32, 4) : (1 @ laneid, 1)])
    for column in (0, 4):
        warp.copy(wide[:, ds(column, 4)], (wide[:, ds(column, 4)] + part) * (column + 1))
    warp.copy(Z, wide)


def test_parts_of_tiles_in_registers() -> None:
    y, z = np.zeros((32, 6), np.float16), np.zeros((32, 8), np.float32)
    parts.run(y, z, check="strict")
    np.testing.assert_array_equal(y, np.tile([1, 7, 9, 16, 14, 1], (32, 1)))
    np.testing.assert_array_equal(z, np.tile([3] * 4 + [15] * 4, (32, 1)))
