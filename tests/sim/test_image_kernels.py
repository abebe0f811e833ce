"""Kernels of nvcc with textures, surfaces, packed and 128-bit atomics, video and narrow floats, against NumPy."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.sim.harness import Array
from weft.ptx.ast import Module
from weft.sim import KernelFault, run

FOLDER = Path(__file__).with_name("kernels")


@cache
def load(name: str) -> Module:
    return weft.parse((FOLDER / f"{name}.ptx").read_text())


def images(kernel: str, grid: Any, block: Any, *arguments: Any) -> None:
    run(load("images_sm_90"), kernel, grid, block, arguments)


def narrow(kernel: str, grid: Any, block: Any, *arguments: Any) -> None:
    run(load("narrow_sm_100a"), kernel, grid, block, arguments)


def bilinear(image: Array, x: Array, y: Array) -> Array:
    """The image, zero outside, between the centres of its texels."""
    x, y = x - 0.5, y - 0.5
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    padded = np.pad(image.astype(np.float64), 1)
    height, width = image.shape

    def at(row: Array, column: Array) -> Array:
        return padded[np.clip(row + 1, 0, height + 1), np.clip(column + 1, 0, width + 1)]

    p, q = x - left, y - top
    upper = at(top, left) * (1 - p) + at(top, left + 1) * p
    return upper * (1 - q) + (at(top + 1, left) * (1 - p) + at(top + 1, left + 1) * p) * q


def test_rotation_with_a_linear_filter() -> None:
    """The simpleTexture sample: fractions have 8 bits, so that a sum of four may be off by a 128th of the range."""
    image = np.random.default_rng(1).random((32, 64), np.float32)
    texture = weft.Texture(image, address_mode="border", filter_mode="linear", normalized_coords=True)
    out = np.zeros((32, 64), np.float32)
    images("rotate", (4, 4), (16, 8), texture, out, 64, 32, 0.5)
    v, u = np.meshgrid(np.arange(32) / 32 - 0.5, np.arange(64) / 64 - 0.5, indexing="ij")
    s, c = np.sin(0.5), np.cos(0.5)
    want = bilinear(image, 64 * (u * c - v * s + 0.5), 32 * (v * c + u * s + 0.5))
    assert np.abs(out - want).max() < 1 / 128


def test_box_filter_of_bytes() -> None:
    """Bytes are read as fractions of 255 and written by a surface, four to a pixel."""
    image = np.random.default_rng(2).integers(0, 256, (16, 32, 4)).astype(np.uint8)
    out = np.zeros_like(image)
    texture = weft.Texture(image, address_mode="clamp", read_mode="normalized_float")
    images("blur", (2, 2), (16, 8), texture, weft.Surface(out), 1)
    edged = np.pad(image.astype(np.int64), ((1, 1), (1, 1), (0, 0)), mode="edge")
    total = sum(edged[dy : dy + 16, dx : dx + 32] for dy in range(3) for dx in range(3))
    assert (np.abs(out - total / 9) <= 0.501).all()


def test_lines_volumes_and_layers() -> None:
    rng = np.random.default_rng(3)
    line = rng.integers(-1000, 1000, 8).astype(np.int32)
    volume = rng.integers(0, 256, (2, 3, 4)).astype(np.float32)
    layers = rng.integers(0, 256, (2, 3, 16)).astype(np.float32)
    out = np.zeros((12, 4), np.float32)
    solid = weft.Texture(volume, filter_mode="linear", address_mode="clamp")
    flat = rng.integers(0, 256, (3, 4, 4)).astype(np.float32)
    images("lookup", 1, 12, weft.Texture(line), solid, weft.Texture(layers), weft.Texture(flat), out)
    i = np.arange(12)
    assert (out[:, 0] == line[i & 7]).all()
    x = np.clip(0.25 * i - 0.5, 0, 3)
    between = np.array([np.interp(x, np.arange(4), plane[1]) for plane in volume])
    assert (out[:, 1] == between.mean(axis=0)).all()
    assert (out[:, 2] == layers[i & 1, 0, i]).all()
    assert (out[:, 3] == flat[1, i & 1, i & 3]).all()


def test_levels() -> None:
    """A level's size is half of the one before; between levels it is the fraction of 8 bits that weighs."""
    levels = [np.full((16 >> i, 16 >> i), 2.0**i, np.float32) for i in range(5)]
    texture = weft.Texture(levels, normalized_coords=True, filter_mode="linear", mipmap_filter_mode="linear")
    out = np.zeros((16, 2), np.float32)
    images("mip", 1, 16, texture, out)
    assert (out[:, 0] == np.interp(0.25 * np.arange(16), range(5), 2.0 ** np.arange(5))).all()
    assert (out[:, 1] == 2.0 ** (np.arange(16) & 3)).all()


def test_a_cube() -> None:
    faces = np.arange(6 * 4, dtype=np.float32).reshape(6, 2, 2)
    directions = np.array([
        (1, 0.5, 0.5), (-1, 0.5, 0.5), (0.5, 1, 0.5), (0.5, -1, 0.5), (0.5, 0.5, 1), (0.5, 0.5, -1), (3, -1, -2),
    ], np.float32)  # fmt: skip
    out = np.zeros(len(directions), np.float32)
    images("cube", 1, len(directions), weft.Texture(faces, normalized_coords=True), directions, out)
    want = []
    for x, y, z in directions:  # the table of the CUDA C++ programming guide
        axis = int(np.argmax(np.abs((x, y, z))))
        m = abs((x, y, z)[axis])
        face = 2 * axis + ((x, y, z)[axis] < 0)
        s, t = [(-z, -y), (z, -y), (x, z), (x, -z), (x, -y), (-x, -y)][face]
        want.append(faces[face, int((t / m + 1) / 2 * 2), int((s / m + 1) / 2 * 2)])
    assert out.tolist() == want


def test_life_on_surfaces() -> None:
    """Outside a surface lies nothing: `.zero`."""
    board = np.random.default_rng(4).integers(0, 2, (16, 16)).astype(np.uint8)
    other = np.zeros_like(board)
    want = board.copy()
    for _ in range(4):
        images("life", (2, 2), (8, 8), weft.Surface(board), weft.Surface(other), 16)
        board, other = other, board
        padded = np.pad(want.astype(int), 1)
        count = sum(padded[y : y + 16, x : x + 16] for y in range(3) for x in range(3)) - want
        want = ((count == 3) | ((want == 1) & (count == 2))).astype(np.uint8)
        assert (board == want).all()


def test_a_surface_ends() -> None:
    small = weft.Surface(np.zeros((16, 16, 4), np.uint8))
    texture = weft.Texture(np.zeros((16, 32, 4), np.uint8), read_mode="normalized_float")
    with pytest.raises(KernelFault, match=r"sust"):
        images("blur", (2, 2), (16, 8), texture, small, 1)


def test_sums_in_packed_halves() -> None:
    values = np.random.default_rng(5).integers(-4, 5, (256, 2)).astype(np.float16)
    out, wide = np.zeros((8, 2), np.float16), np.zeros((8, 2), ml_dtypes.bfloat16)
    images("half_sums", 1, 64, values, out, wide, 256)
    want = values.astype(np.float64).reshape(-1, 8, 2).sum(axis=0)
    assert (out == want).all() and (wide.astype(np.float64) == want).all()


def test_sums_of_four_floats() -> None:
    out = np.zeros((4, 4), np.float32)
    images("vector_sums", 1, 64, out)
    assert out.tolist() == [[16.0, 32.0, 48.0, float(sum(range(i, 64, 4)))] for i in range(4)]


@pytest.mark.slow
def test_a_pair_that_changes_together() -> None:
    pair = np.zeros(2, np.uint64)
    images("pairs", 2, 64, pair)
    assert pair.tolist() == [128, 2 * sum(range(64))]


def test_intrinsics_on_bytes() -> None:
    rng = np.random.default_rng(6)
    a, b = (rng.integers(0, 2**32, 64, dtype=np.uint64).astype(np.uint32) for _ in range(2))
    out = np.zeros((64, 8), np.uint32)
    images("bytes", 1, 64, a, b, out)
    sa, sb = (x.view(np.int8).reshape(-1, 4).astype(int) for x in (a, b))
    ua, ub = (x.view(np.uint8).reshape(-1, 4).astype(int) for x in (a, b))
    ha, hb = (x.view(np.int16).reshape(-1, 2).astype(int) for x in (a, b))
    va, vb = (x.view(np.uint16).reshape(-1, 2) for x in (a, b))

    def words(lanes: Array, width: int) -> Array:
        return np.ascontiguousarray(lanes.astype(f"u{width}")).view(np.uint32).reshape(-1)

    assert (out[:, 0] == words(np.minimum(ua + ub, 255), 1)).all()
    assert (out[:, 1] == words(np.abs(ha - hb), 2)).all()
    assert (out[:, 2] == words(np.maximum(sa, sb) & 255, 1)).all()
    assert (out[:, 3] == words((ua + ub + 1) >> 1, 1)).all()
    assert (out[:, 4] == words(np.where(va > vb, 0xFFFF, 0), 2)).all()
    assert (out[:, 5] == np.abs(sa - sb).sum(axis=1)).all()
    total = (ha + hb + 0x8000) % 0x10000 - 0x8000
    assert (out[:, 6] == words(np.maximum(np.maximum(total, 5), 0), 2)).all()
    assert (out[:, 7].view(np.int32) == (sa * sb).sum(axis=1) + 100).all()


def test_lists_from_the_heap() -> None:
    out = np.zeros(32, np.int32)
    images("nodes", 1, 32, out, 10)
    assert (out == 45 * np.arange(32)).all()


def test_an_assertion() -> None:
    images("checked", 1, 32, np.arange(32, dtype=np.int32), 32)
    with pytest.raises(KernelFault, match=r"images\.cu:\d+.*a\[threadIdx\.x\] < n") as caught:
        images("checked", 1, 32, np.arange(32, dtype=np.int32), 31)
    assert caught.value.kind == "assert"


# -- narrow floats ---------------------------------------------------------------------------------------------

NARROW: dict[str, tuple[Any, int]] = {
    "e4m3": (ml_dtypes.float8_e4m3fn, 8),
    "e5m2": (ml_dtypes.float8_e5m2, 8),
    "e2m3": (ml_dtypes.float6_e2m3fn, 8),
    "e3m2": (ml_dtypes.float6_e3m2fn, 8),
    "e2m1": (ml_dtypes.float4_e2m1fn, 4),
}


def test_quantisation() -> None:
    values = (np.random.default_rng(7).standard_normal((256, 2)) * 8).astype(np.float32)
    out = [np.zeros(256, np.uint16) for _ in range(4)] + [np.zeros(256, np.uint8) for _ in range(2)]
    narrow("quantise", 2, 128, values, *out)
    for codes, (dtype, bits) in zip(out, NARROW.values(), strict=False):
        top = float(ml_dtypes.finfo(dtype).max)
        each = np.clip(values, -top, top).astype(dtype).view(np.uint8).astype(int)
        assert (codes == each[:, 0] | each[:, 1] << bits).all()
    exponents = np.ceil(np.log2(np.abs(values[:, 0].astype(np.float64)))) + 127
    assert (out[5] == exponents).all()


def test_widening() -> None:
    codes = np.random.default_rng(8).integers(0, 2**16, 256).astype(np.uint16)
    out = [np.zeros((256, 2), np.float32) for _ in range(5)]
    narrow("widen", 2, 128, codes, *out)
    for wide, (dtype, bits) in zip(out, NARROW.values(), strict=True):
        known = codes & 0x3F3F if "6" in dtype.__name__ else codes
        pair = np.stack([known & ((1 << bits) - 1), known >> bits & ((1 << bits) - 1)], axis=1).astype(np.uint8)
        np.testing.assert_array_equal(wide, pair.view(dtype).astype(np.float32))


def directed(exact: Array, mode: str) -> Array:
    """A double, exact, rounded to f32 the given way."""
    near = exact.astype(np.float32)
    low = np.where(near > exact, np.nextafter(near, np.float32(-np.inf)), near)
    high = np.where(near < exact, np.nextafter(near, np.float32(np.inf)), near)
    return {"rn": near, "rd": low, "ru": high, "rz": np.where(exact < 0, high, low)}[mode]


def test_pairs_of_floats() -> None:
    rng = np.random.default_rng(9)
    a, b = (rng.integers(-(2**20), 2**20, (32, 2)).astype(np.float32) / 1024 for _ in range(2))
    out = np.zeros((32, 4, 2), np.float32)
    narrow("two_floats", 1, 32, a, b, out)
    x, y = a.astype(np.float64), b.astype(np.float64)
    for i, (exact, mode) in enumerate([(x + y, "rn"), (x * y, "rz"), (x * y + x, "ru"), (x * y + y, "rd")]):
        assert (out[:, i] == directed(exact, mode)).all()


def test_functions_of_halves() -> None:
    values = np.random.default_rng(10).uniform(-4, 4, (32, 2)).astype(np.float16)
    out, wide = np.zeros((32, 2, 2), np.float16), np.zeros((32, 2, 2), ml_dtypes.bfloat16)
    narrow("functions", 1, 32, values, out, wide)
    exact = values.astype(np.float64)
    for got, want, bits in (
        (out[:, 0], np.exp2(exact), 10), (out[:, 1], np.tanh(exact), 10),
        (wide[:, 0], np.exp2(values.astype(ml_dtypes.bfloat16).astype(np.float64)), 7),
    ):  # fmt: skip
        assert (np.abs(got.astype(np.float64) - want) <= np.abs(want) * 2.0**-bits).all()
    b = values.astype(ml_dtypes.bfloat16)
    squares = np.maximum(b.astype(np.float64) ** 2 - b.astype(np.float64), 0)
    assert (wide[:, 1] == squares.astype(np.float32).astype(ml_dtypes.bfloat16)).all()
