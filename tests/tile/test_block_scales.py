"""Products whose blocks have scales: in registers and in tensor memory, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from tests.tile.program import refused
from weft.tile import (
    Global,
    blocked_scales,
    cta,
    dot_scaled,
    e2m1x2,
    e2m3,
    e3m2,
    e4m3,
    e5m2,
    e8m0,
    f32,
    pipeline,
    register,
    role,
    scale_layout,
    shared,
    tensor_layout,
    tensor_memory,
    tile,
    warp,
    warpgroup,
    zeros,
)
from weft.tile.kernels import block_scaled_gemm, block_scaled_gemm_sm100a
from weft.tile.layouts import mma_layout
from weft.toolchain import find

KINDS = [(e4m3, e8m0), (e5m2, e8m0), (e2m1x2, e8m0), (e2m1x2, e4m3)]
SIX = [(e2m3, e8m0), (e3m2, e8m0)]
"""Floats of 6 bits, which are multiplied out of registers only."""
NARROW = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
NARROW = np.concatenate([NARROW, -NARROW])
"""The floats of 4 bits, by their bits."""


def operand(rows: int, depth: int, kind: Any, scale: Any, seed: int) -> tuple[Any, Any, Any]:
    """Rows of `depth` bytes, their scales, and the numbers that both are."""
    random = np.random.default_rng(seed)
    if kind is e2m1x2:
        stored = random.integers(0, 256, (rows, depth)).astype(np.uint8)
        values = np.stack([NARROW[stored & 15], NARROW[stored >> 4]], -1).reshape(rows, -1)
    else:
        stored = random.integers(-4, 5, (rows, depth)).astype(kind.numpy)
        values = stored.astype(np.float64)
    block = 16 if scale is e4m3 else 32
    shape = rows, -(-values.shape[1] // block)
    scales = random.choice([0.25, 0.5, 1, 2, 4] if scale is e8m0 else [0.5, 1, 1.5, 3.5, 5], shape).astype(scale.numpy)
    return stored, scales, values * np.repeat(scales.astype(np.float64), block, 1)[:, : values.shape[1]]


def in_registers(m: int, n: int, depth: int, kind: Any, scale: Any) -> Any:
    count = depth * (2 if kind is e2m1x2 else 1) // (16 if scale is e4m3 else 32)

    @weft.kernel(threads=32, grid=1)
    def product(
        A: Global(kind, (m, depth)),
        B: Global(kind, (n, depth)),
        rows: Global(scale, (m, count)),
        columns: Global(scale, (n, count)),
        C: Global(f32, (m, n)),
    ):
        left = register((m, depth), kind, mma_layout("a", (m, depth), kind))
        right = register((depth, n), kind, mma_layout("b", (depth, n), kind))
        down = register((m, count), scale, scale_layout((m, count)))
        across = register((n, count), scale, scale_layout((n, count)))
        held = shared((n, depth), kind)
        warp.copy(held, B)
        warp.sync()
        warp.copy(left, A)
        warp.copy(right, held.transpose())
        warp.copy(down, rows)
        warp.copy(across, columns)
        total = zeros((m, n), f32, mma_layout("d", (m, n), kind))
        dot_scaled(total, left, down, right, across)
        warp.copy(C, total)

    return product


def in_tensor_memory(n: int, depth: int, kind: Any, scale: Any) -> Any:
    count = depth * (2 if kind is e2m1x2 else 1) // (16 if scale is e4m3 else 32) // 4

    @weft.kernel(grid=1)
    def product(
        A: Global(kind, (128, depth)),
        B: Global(kind, (n, depth)),
        rows: Global(scale, (1, count, 32, 16)),
        columns: Global(scale, (-(-n // 128), count, 32, 16)),
        C: Global(f32, (128, n)),
    ):
        down, across = tile(scale, 1, count, 32, 16), tile(scale, -(-n // 128), count, 32, 16)
        ring = pipeline(1, a=tile(kind, 128, depth), b=tile(kind, n, depth), rows=down, columns=across)
        done = pipeline(1, d=tensor_memory((1, 128, n), f32))
        with role(warps=1), ring.fill() as slot:
            for to, source in ((slot.a, A), (slot.b, B), (slot.rows, rows), (slot.columns, columns)):
                cta.copy_async(to, source)
        with role(warps=1), done.fill() as t, ring.take() as slot:
            dot_scaled(t.d, slot.a, slot.rows, slot.b.transpose(), slot.columns, add=False)
        with role(warpgroups=1), done.take() as t:
            total = register((128, n), f32, tensor_layout((128, n)))
            warpgroup.copy(total, t.d)
            warpgroup.copy(C, total)

    return product


@pytest.mark.sample(1)
@pytest.mark.parametrize(("kind", "scale"), [*KINDS, *SIX])
@pytest.mark.parametrize(("m", "n", "depth"), [(16, 8, 32), (48, 24, 64), (32, 40, 96)])
def test_products_in_registers(m: int, n: int, depth: int, kind: Any, scale: Any) -> None:
    """Rows in 16s and 32s, columns in 8s and 32s: scales are held by all lanes, or by some."""
    (a, rows, left), (b, columns, right) = operand(m, depth, kind, scale, 0), operand(n, depth, kind, scale, 1)
    c = np.zeros((m, n), np.float32)
    in_registers(m, n, depth, kind, scale).run(a, b, rows, columns, c, target="sm_120a", check="strict", async_="lazy")
    np.testing.assert_array_equal(c, left @ right.T)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("kind", "scale"), KINDS)
@pytest.mark.parametrize(("n", "depth"), [(128, 128), (256, 256), (48, 128), (208, 256)])
def test_products_in_tensor_memory(n: int, depth: int, kind: Any, scale: Any) -> None:
    (a, rows, left), (b, columns, right) = operand(128, depth, kind, scale, 0), operand(n, depth, kind, scale, 1)
    c = np.zeros((128, n), np.float32)
    scales = [blocked_scales(x) for x in (rows, columns)]
    in_tensor_memory(n, depth, kind, scale).run(a, b, *scales, c, target="sm_100a", check="strict", async_="lazy")
    np.testing.assert_array_equal(c, left @ right.T)


def multiplied(m: int, n: int, depth: int, kind: Any, scale: Any, target: str, **options: Any) -> None:
    (a, rows, left), (b, columns, right) = operand(m, depth, kind, scale, 2), operand(n, depth, kind, scale, 3)
    c = np.full((m, n), 7, np.float32)
    options = {"kind": kind, **options}
    if target == "sm_100a":
        rows, columns, kernel = blocked_scales(rows), blocked_scales(columns), block_scaled_gemm_sm100a
    else:
        kernel = block_scaled_gemm
        options = {"block_m": 64, "block_n": 64} | options
    kernel.run(a, b, rows, columns, c, target=target, options=options, check="strict", async_="lazy")
    np.testing.assert_array_equal(c, (left @ right.T).astype(np.float32))


@pytest.mark.sample(1)
@pytest.mark.filterwarnings("ignore::weft.errors.PerformanceWarning")
@pytest.mark.parametrize("target", ["sm_100a", "sm_120a"])
def test_gemm(target: str) -> None:
    multiplied(70, 56, 272, e2m1x2, e4m3, target)


@pytest.mark.sample(1)
@pytest.mark.filterwarnings("ignore::weft.errors.PerformanceWarning")
@pytest.mark.parametrize(("n_tile", "paired"), [(192, False), (64, False), (256, True), (192, True)])
def test_gemm_of_other_tiles(n_tile: int, *, paired: bool) -> None:
    """Tiles that begin within a piece of scales; pairs of blocks, of which each has the scales of all columns."""
    multiplied(150, 300, 160, e4m3, e8m0, "sm_100a", n_tile=n_tile, paired=paired, stages=2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::weft.errors.PerformanceWarning")
@pytest.mark.parametrize("target", ["sm_100a", "sm_120a"])
@pytest.mark.parametrize("seed", range(20))
def test_gemm_of_odd_sizes(seed: int, target: str) -> None:
    random = np.random.default_rng(seed)
    m, n, depth = (int(x) for x in random.integers(1, (200, 200, 500)))
    kinds = KINDS if target == "sm_100a" else [*KINDS, *SIX]
    kind, scale = kinds[int(random.integers(len(kinds)))]
    options: dict[str, Any] = {}
    if target == "sm_100a":
        options = {"n_tile": int(random.choice([64, 128, 192, 256])), "paired": bool(random.integers(2))}
    multiplied(m, n, depth, kind, scale, target, stages=2 + seed % 2, **options)


@pytest.mark.skipif(find("ptxas") is None, reason="no ptxas")
def test_ptxas_takes_them_and_text_reads_back() -> None:
    made = [(in_registers(32, 32, 32, *each), "sm_120a") for each in (KINDS[3], *SIX)]
    made += [(in_tensor_memory(128, 128, *KINDS[0]), "sm_100a")]
    for kernel, target in made:
        module = kernel.module(target)
        assert not weft.assemble(module).remarks
        assert weft.compile(kernel.mlir(), target).to_ptx() == module.to_ptx()


def test_order_of_scales() -> None:
    """A scale is where the libraries that define the order look for it."""
    scales = np.arange(130 * 5, dtype=np.uint16).astype(np.uint8).reshape(130, 5)
    found = blocked_scales(scales)
    assert found.shape == (2, 2, 32, 16)
    flat = found.reshape(-1)
    for row in range(130):
        for block in range(5):
            piece = (row // 128 * 2 + block // 4) * 512
            assert flat[piece + row % 32 * 16 + row % 128 // 32 * 4 + block % 4] == scales[row, block]
    assert found.astype(int).sum() == scales.astype(int).sum()


HEAD = (
    "import weft\nfrom weft.tile import *\nfrom weft.tile.layouts import mma_layout\n\n"
    "@weft.kernel(threads=32, grid=1)\ndef kernel(A: Global(e2m1x2, (16, 32)), S: Global(e8m0, (16, 2))):\n"
    "    a = register((16, 32), e2m1x2, mma_layout('a', (16, 32), e2m1x2))\n"
    "    b = register((32, 8), e2m1x2, mma_layout('b', (32, 8), e2m1x2))\n"
    "    d = zeros((16, 8), f32, mma_layout('d', (16, 8), e2m1x2))\n"
    "    sa = register((16, 2), e8m0, scale_layout((16, 2)))\n"
    "    sb = register((8, 2), e8m0, scale_layout((8, 2)))\n"
)
REFUSED = {
    "a + a  #": "only moves",
    "a.to(f32)  #": "only moves",
    "S[0, 0] * 2  #": "only moves",
    "dot_scaled(d, a, sa, b, shared((8, 2), e8m0))  #": "'scale_b' must be in registers",
    "dot_scaled(d, a, sa, b, sb, add=False)  #": "always accumulate",
    "dot_scaled(d, a, sb, b, sb)  #": "not laid out as mma.sync reads them",
    "x = register((8, 4), e8m0, scale_layout((8, 4)))\ndot_scaled(d, a, sa, b, x)  #": "no instruction multiplies e2m1x2 pairs",
    "x = register((32, 8), e4m3, mma_layout('b', (32, 8), e4m3))\ndot_scaled(d, a, sa, x, sb)  #": "cannot be multiplied by",
}


@pytest.mark.parametrize("body", REFUSED)
def test_refused(body: str) -> None:
    refused(HEAD, body, REFUSED[body], "sm_120a")


def test_bytes_of_6_bits_and_tensor_memory() -> None:
    with pytest.raises(weft.CompileError, match="6-bit floats that take a byte each"):
        in_tensor_memory(128, 128, *SIX[0]).ptx("sm_100a")


def test_targets_without_it() -> None:
    with pytest.raises(weft.CompileError, match="sm_100a"):
        in_registers(16, 8, 32, *KINDS[0]).ptx("sm_100a")
