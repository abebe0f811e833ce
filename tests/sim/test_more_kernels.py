"""More kernels as nvcc compiles them, in strict mode, with asynchronous copies as late as the ISA allows, against NumPy."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import Array
from weft.ptx.ast import Module
from weft.sim import Result, run

FOLDER = Path(__file__).with_name("kernels")


@cache
def load(name: str) -> Module:
    return weft.parse((FOLDER / f"{name}_sm_80.ptx").read_text())


def nvcc(kernel: str, grid: Any, block: Any, *arguments: Any, **more: Any) -> Result:
    return run(load("more"), kernel, grid, block, arguments, async_="lazy", **more)


def cub(kernel: str, grid: Any, block: Any, *arguments: Any) -> Result:
    return run(load("cub_more"), kernel, grid, block, arguments, async_="lazy")


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def integers(shape: Any, low: int = -1000, high: int = 1000) -> Array:
    return rng().integers(low, high, shape, dtype=np.int32)


def test_group_reduce() -> None:
    a, out = integers(192), np.zeros((192, 3), np.int32)
    nvcc("group_reduce", 2, 96, a, out)
    tiles = a.reshape(-1, 16)
    assert (out[:, 0].reshape(-1, 16) == tiles.sum(axis=1, keepdims=True)).all()
    assert (out[:, 1].reshape(-1, 16) == tiles.max(axis=1, keepdims=True)).all()
    assert (out[:, 2].reshape(-1, 16) == tiles.cumsum(axis=1) - tiles).all()


def test_labelled_partitions() -> None:
    a, out = integers(64, 0, 5), np.zeros(64, np.int32)
    nvcc("group_labels", 1, 64, a, out)
    for warp, found in zip(a.reshape(-1, 32), out.reshape(-1, 32), strict=True):
        for lane, label in enumerate(warp):
            assert found[lane] == (warp == label).sum() * 100 + (warp[:lane] == label).sum()


def test_inline_mma() -> None:
    a, b = rng(1).standard_normal((16, 16)).astype(np.float16), rng(2).standard_normal((16, 8)).astype(np.float16)
    c = np.zeros((16, 8), np.float32)
    nvcc("inline_mma", 1, 32, a, b, c)
    assert np.abs(c - a.astype(np.float64) @ b.astype(np.float64)).max() < 1e-5


@pytest.mark.sample(2)
@pytest.mark.parametrize("tiles", [1, 2, 7])
def test_pipelined_sum(tiles: int) -> None:
    a, out = rng().random((3, tiles, 64, 4), np.float32), np.zeros((3, 64), np.float32)
    nvcc("pipelined_sum", 3, 64, a, out, tiles)
    want = a.sum(axis=(1, 3), dtype=np.float64)[:, np.arange(64) ^ 1]
    assert np.abs(out - want).max() < 1e-5


def test_functions_by_pointer() -> None:
    a, b = integers((2, 100))
    out = np.zeros(100, np.int32)
    nvcc("by_pointer", 1, 128, a, b, out, 100)
    assert (out == np.choose(np.arange(100) % 3, [a + b, a * b, a - b])).all()


def test_templates() -> None:
    a = rng().integers(-100, 100, (3, 64), dtype=np.int8)
    out = np.zeros_like(a)
    nvcc("reverse_bytes", 3, 64, a, out)
    assert (out == a[:, ::-1]).all()
    b = rng().random((2, 96, 2))
    reverse = np.zeros_like(b)
    nvcc("reverse_doubles", 2, 96, b, reverse)
    assert (reverse == b[:, ::-1]).all()


def test_double_precision_functions() -> None:
    x = np.concatenate([rng().standard_normal(150) * 10, [0.0, 1e-9, -1e-9, 700.0, -700.0, 1e3]])
    out = np.zeros((len(x), 8))
    nvcc("doubles", 2, 96, x, out, len(x))
    with np.errstate(over="ignore"):
        exp = np.exp(x)
    rest = [np.sqrt(np.abs(x)), np.arctan2(x, 0.7), np.cbrt(x), np.array([math.erf(v) for v in x])]
    want = np.stack([np.sin(x), np.cos(x), exp, np.log(np.abs(x) + 1e-3), *rest], axis=1)
    finite = np.isfinite(want)
    assert (np.isinf(out) == ~finite).all()
    assert (np.abs(out[finite] - want[finite]) <= 4 * np.spacing(np.abs(want[finite])) + 1e-300).all()


def test_half_dot_products() -> None:
    a, b = rng().standard_normal((2, 4, 200)).astype(np.float16)
    out = np.zeros(4, np.float32)
    nvcc("half_dot", 4, 32, a, b, out, 100)
    want = (a * b).astype(np.float64).sum(axis=1)
    assert np.abs(out - want).max() < 1e-4


@pytest.mark.slow
def test_sum_by_compare_and_swap() -> None:
    a, out = rng().integers(0, 1000, 200).astype(np.float64), np.zeros(3)
    nvcc("cas_sum", 2, 128, a, out, 200)
    assert out.tolist() == [a[k::3].sum() for k in range(3)]


def test_dot_of_bytes() -> None:
    a, b = rng().integers(-128, 128, (64, 40), dtype=np.int8), rng(1).integers(-128, 128, 40, dtype=np.int8)
    out = np.zeros(64, np.int32)
    nvcc("dot4", 2, 32, a, b, out, 10)
    assert (out == a.astype(np.int32) @ b.astype(np.int32)).all()


def graph(n: int, each: int) -> tuple[Array, Array]:
    """Rows and columns of a random graph."""
    counts = rng(3).integers(0, each, n)
    rows = np.concatenate([[0], counts.cumsum()]).astype(np.int32)
    return rows, rng(4).integers(0, n, int(rows[-1]), dtype=np.int32)


def test_sparse_matrix_times_vector() -> None:
    rows, columns = graph(50, 90)
    values, x, y = rng().random(len(columns), np.float32), rng().random(50, np.float32), np.zeros(50, np.float32)
    nvcc("sparse", 13, 128, rows, columns, values, x, y, 50)
    matrix = np.zeros((50, 50))
    np.add.at(matrix, (np.repeat(np.arange(50), np.diff(rows)), columns), values.astype(np.float64))
    assert np.abs(y - matrix @ x).max() < 1e-4


@pytest.mark.slow
def test_breadth_first_search() -> None:
    n = 150
    rows, columns = graph(n, 4)
    level, frontier = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    level[0] = 0
    nvcc("bfs", 1, 96, rows, columns, level, frontier, n)
    want, now, depth = {0: 0}, [0], 0
    sizes: list[int] = []
    while now:
        depth += 1
        following = sorted({int(c) for v in now for c in columns[rows[v] : rows[v + 1]]} - set(want))
        want.update(dict.fromkeys(following, depth))
        sizes.append(len(following))
        now = following
    assert level.tolist() == [want.get(v, -1) for v in range(n)]
    assert frontier[: len(sizes)].tolist() == sizes


def test_fft() -> None:
    x = (rng().standard_normal((3, 256)) + 1j * rng(1).standard_normal((3, 256))).astype(np.complex64)
    want = np.fft.fft(x.astype(np.complex128), axis=1)
    nvcc("fft", 3, 128, x)
    assert np.abs(x - want).max() < 1e-4


@pytest.mark.slow
def test_heat() -> None:
    shape = 6, 9, 20
    a, out = rng().random(shape, np.float32), np.zeros(shape, np.float32)
    nvcc("heat", (3, 3, 2), (8, 4, 4), a, out, 20, 9, 6)
    want = a.astype(np.float64)
    inner = 0.4 * want[1:-1, 1:-1, 1:-1]
    for axis in range(3):
        for shift in (-1, 1):
            inner += 0.1 * np.roll(want, shift, axis)[1:-1, 1:-1, 1:-1]
    want[1:-1, 1:-1, 1:-1] = inner
    assert np.abs(out - want).max() < 1e-6


def test_scan_that_looks_back() -> None:
    """A CTA waits for the one before it."""
    a, out, state = integers(700), np.zeros(700, np.int32), np.zeros((22, 2), np.int32)
    nvcc("look_back", 22, 32, a, out, state, 700)
    assert (out == a.cumsum()).all()


def test_printf() -> None:
    a = integers(40, -20, 20)
    printed = sorted(nvcc("says", 1, 64, a, 40).output.splitlines())
    want = [f"thread {i} has {v}, half of it {v / 2:.2f}" for i, v in enumerate(a.tolist()) if v % 2]
    assert printed == sorted(want)


@pytest.mark.slow
def test_quicksort_in_local_memory() -> None:
    a = integers((64, 30))
    want = np.sort(a, axis=1)
    nvcc("quicksort", 2, 32, a, 30)
    assert (a == want).all()


def test_ackermann() -> None:
    out = np.zeros(36, np.int32)
    nvcc("ackermanns", 1, 36, out)
    values = [lambda n: n + 1, lambda n: n + 2, lambda n: 2 * n + 3]
    assert out.tolist() == [values[i % 3](i // 3 % 4) for i in range(36)]


def test_life() -> None:
    a = rng().integers(0, 2, (20, 50), dtype=np.uint8)
    out = np.zeros_like(a)
    nvcc("life", 20, 50, a, out, 50, 20, shared_bytes=150)
    around = sum(np.roll(a, (i, j), (0, 1)).astype(int) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    assert (out == ((around == 3) | ((around == 2) & (a == 1)))).all()


# -- CUB ------------------------------------------------------------------------------------------------------


def test_cub_histogram() -> None:
    a, out = rng().integers(0, 64, (2, 1024), dtype=np.uint8), np.zeros((2, 64), np.uint32)
    cub("block_histogram", 2, 128, a, out)
    assert (out == [np.bincount(row, minlength=64) for row in a]).all()


def test_cub_select() -> None:
    a, out, counts = integers((3, 512)), np.zeros((3, 512), np.int32), np.zeros(3, np.int32)
    cub("select_if", 3, 128, a, out, counts, 100)
    for row, found, count in zip(a, out, counts, strict=True):
        assert found[:count].tolist() == row[row >= 100].tolist()
        assert not found[count:].any()


def test_cub_merge_sort() -> None:
    a = rng().standard_normal((2, 320))
    want = np.sort(a, axis=1)
    cub("merge_sort", 2, 64, a)  # It loads one key past the last, for nothing.
    assert (a == want).all()


def test_cub_warp_algorithms() -> None:
    a, out = integers((2, 128)), np.zeros((2, 128, 2), np.int32)
    cub("warp_algorithms", 2, 128, a, out)
    warps = a.reshape(-1, 8)
    assert (out[..., 0].reshape(-1, 8)[:, 0] == warps.max(axis=1)).all()
    assert (out[..., 1].reshape(-1, 8) == warps.cumsum(axis=1)).all()


def test_cub_differences() -> None:
    a, out = integers((2, 288)), np.zeros((2, 288), np.int32)
    cub("differences", 2, 96, a, out)
    assert (out == np.diff(a, axis=1, prepend=0)).all() or (out[:, 1:] == np.diff(a, axis=1)).all()
