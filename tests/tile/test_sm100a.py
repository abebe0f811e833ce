"""Tensor memory and its products: run in the strictest mode, and read as machine code."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from tests.tile.program import RING, refused
from weft.errors import CompileError
from weft.sim import KernelFault
from weft.tile import (
    Global,
    Kernel,
    bf16,
    block_id,
    cta,
    ds,
    dynamic,
    e4m3,
    e5m2,
    f16,
    f32,
    i8,
    i32,
    loop,
    pipeline,
    raster,
    register,
    role,
    tensor_layout,
    tensor_memory,
    thread_id,
    tile,
    u8,
    warpgroup,
)
from weft.toolchain import find

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
sys.path.insert(0, str(Path(__file__).parent))
from attention_sm100a import attention
from gemm_pair_sm100a import gemm as pairs
from gemm_sm100a import gemm
from test_sm90a import backward_loops, integers

TARGET = "sm_100a"


def multiplied(m: int, n: int, k: int, grid: int | None = None, kernel: Kernel = gemm, **options: Any) -> None:
    """Run a GEMM of the examples, lazily and strictly."""
    a, b, c = integers(m, k), integers(n, k, seed=1), np.full((m, n), 7, np.float16)
    kernel.run(a, b, c, grid=grid, target=TARGET, options=options, check="strict", async_="lazy")
    np.testing.assert_array_equal(c, (a.astype(np.float32) @ b.astype(np.float32).T).astype(np.float16))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("m", "n", "k", "grid"), [(128, 64, 64, 1), (70, 56, 40, None), (300, 130, 136, 2), (129, 65, 63, 1), (1, 1, 1, 1)]
)
def test_gemm_of_any_size(m: int, n: int, k: int, grid: int | None) -> None:
    multiplied(m, n, k, grid, n_tile=64, stages=2)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("m", "n", "k", "grid"), [(300, 130, 136, 4), (129, 65, 63, 2), (512, 64, 40, 2), (1, 1, 1, 2)]
)
def test_gemm_of_pairs(m: int, n: int, k: int, grid: int) -> None:
    """Two blocks a product; K of 63 and 1 comes by threads, which tell the leading block."""
    multiplied(m, n, k, grid, pairs, n_tile=64, stages=2)


@pytest.mark.slow
def test_gemm_of_blocks_in_step() -> None:
    """Blocks that start products at once: each reads what its own warp has started."""
    multiplied(256, 32, 64, 2, n_tile=32, stages=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_gemm_of_odd_sizes(seed: int) -> None:
    random = np.random.default_rng(seed)
    m, n, k = (int(x) for x in random.integers(1, 400, 3))
    grid, options = (
        int(random.integers(1, 4)),
        {"n_tile": int(random.choice([32, 64, 128, 256])), "stages": 2 + seed % 3},
    )
    multiplied(m, n, k, grid, **options)
    multiplied(m, n, k, 2 * grid, pairs, **options)


@pytest.mark.slow
@pytest.mark.skipif(find("ptxas") is None or find("nvdisasm") is None, reason="no ptxas or nvdisasm")
def test_machine_code_of_the_gemm() -> None:
    """The role that multiplies: 4 products for a step of 64, few others."""
    for kernel in (gemm, pairs):
        loops = backward_loops(kernel.ptx(TARGET, multiples={"K": 8, "N": 8}))
        (multiplier,) = [each for each in loops if each["UTCHMMA"]]
        (producer,) = [each for each in loops if each["UTMALDG"]]
        assert multiplier["UTCHMMA"] == 4 and multiplier["UTCBAR"] == 1 and multiplier.total() <= 48, multiplier
        assert producer["UTMALDG"] == 2 and producer.total() <= 36, producer


def product_of(left: Any, right: Any, sums: Any, columns: int = 48, across: bool = False) -> Any:
    """A kernel that multiplies one tile: rows of A and B along K, or (`across`) along M and N."""
    depth = 1024 // left.bits
    shapes = ((depth, 128), (depth, columns)) if across else ((128, depth), (columns, depth))

    @weft.kernel(grid=1)
    def product(A: Global(left, shapes[0]), B: Global(right, shapes[1]), C: Global(sums, (128, columns))):
        ring = pipeline(1, a=tile(left, *shapes[0]), b=tile(right, *shapes[1]))
        done = pipeline(1, d=tensor_memory((1, 128, columns), sums))
        with role(warps=1), ring.fill() as slot:
            cta.copy_async(slot.a, A)
            cta.copy_async(slot.b, B)
        with role(warps=1), done.fill() as t, ring.take() as slot:
            if across:
                cta.gemm_async(t.d, slot.a.transpose(), slot.b, add=False)
            else:
                cta.gemm_async(t.d, slot.a, slot.b.transpose(), add=False)
        with role(warpgroups=1), done.take() as t:
            total = register((128, columns), sums, tensor_layout((128, columns)))
            warpgroup.copy(total, t.d)
            warpgroup.copy(C, total)

    return product


KINDS = [
    (f16, f16, f32),
    (bf16, bf16, f32),
    (f32, f32, f32),
    (e4m3, e4m3, f32),
    (e5m2, e4m3, f32),
    (i8, i8, i32),
    (u8, i8, i32),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("left", "right", "sums"), KINDS)
def test_products_of_each_type(left: Any, right: Any, sums: Any) -> None:
    """Types that tcgen05.mma multiplies, of columns that are no power of two."""
    depth = 1024 // left.bits
    a, b = integers(128, depth), integers(48, depth, seed=1)
    a, b = (np.abs(a) if left is u8 else a).astype(left.numpy), b.astype(right.numpy)
    c = np.zeros((128, 48), sums.numpy)
    product_of(left, right, sums).run(a, b, c, target=TARGET, check="strict", async_="lazy")
    np.testing.assert_array_equal(c.astype(np.float64), a.astype(np.float64) @ b.astype(np.float64).T)


@pytest.mark.sample(1)
@pytest.mark.parametrize("columns", [64, 128])
def test_operands_along_m_and_n(columns: int) -> None:
    a, b, c = integers(64, 128), integers(64, columns, seed=1), np.zeros((128, columns), np.float32)
    product_of(f16, f16, f32, columns, across=True).run(a, b, c, target=TARGET, check="strict", async_="lazy")
    np.testing.assert_array_equal(c, a.astype(np.float32).T @ b.astype(np.float32))


@pytest.mark.slow
@pytest.mark.skipif(find("ptxas") is None, reason="no ptxas")
def test_ptxas_takes_each_type() -> None:
    for left, right, sums in KINDS:
        assert not weft.assemble(product_of(left, right, sums).module(TARGET)).remarks


@weft.kernel(grid=1)
def by_hand(
    A: Global(f16, (128, 64)), C: Global(f32, (128, 64)), *, stages: int = 2, held: bool = False, released: bool = True
):
    """Three products of the same tile, given back by hand."""
    ring = pipeline(1, a=tile(f16, 128, 64))
    done = pipeline(stages, d=tensor_memory((stages, 128, 64), f32))
    with role(warps=1):
        for _ in loop(3):
            with ring.fill() as slot:
                cta.copy_async(slot, A)
    with role(warps=1):
        for _ in loop(3):
            with done.fill() as t:
                slot = ring.take()
                cta.gemm_async(t.d, slot.a, slot.a[ds(0, 64), :].transpose(), add=False)
                if not held:
                    ring.release()
    with role(warpgroups=1):
        for _ in loop(3):
            t = done.take()
            total = register((128, 64), f32, tensor_layout((128, 64)))
            warpgroup.copy(total, t.d)
            if released:
                done.release()
            warpgroup.copy(C, total)


@pytest.mark.sample(1)
@pytest.mark.parametrize("stages", [1, 2, 3])
def test_slots_by_hand(stages: int) -> None:
    a, c = integers(128, 64), np.zeros((128, 64), np.float32)
    by_hand.run(a, c, target=TARGET, options={"stages": stages}, check="strict", async_="lazy")
    np.testing.assert_array_equal(c, a.astype(np.float32) @ a[:64].astype(np.float32).T)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", [{"held": True}, {"released": False}])
def test_slots_that_are_not_given_back(mistake: dict[str, Any]) -> None:
    """The simulator says who waits for what."""
    a, c = integers(128, 64), np.zeros((128, 64), np.float32)
    with pytest.raises(KernelFault, match="wait"):
        by_hand.run(a, c, target=TARGET, options=mistake, check="strict", async_="lazy")


@weft.kernel(grid=dynamic)
def marks(X: Global(i32, ("N", 128)), Y: Global(i32, ("N", 2))):
    """Each row's first element, and the block that has taken it over."""
    ring = pipeline(2, x=tile(i32, 1, 128))
    work = raster(X.shape[0], 1)
    with role(warps=1):
        for m, _ in work:
            with ring.fill() as slot:
                cta.copy_async(slot, X[ds(m, 1), :])
    with role(warps=2):
        for m, _ in work:
            with ring.take() as slot:
                if thread_id() == 32:
                    Y[m, 0] = slot.x[0, 0]
                    Y[m, 1] = block_id()


@pytest.mark.parametrize("seed", range(2))
def test_tiles_that_are_taken_over(seed: int) -> None:
    """The blocks that run at once do the tiles of all others."""
    x, y = np.arange(30 * 128, dtype=np.int32).reshape(30, 128), np.full((30, 2), -1, np.int32)
    marks.run(x, y, target=TARGET, check="strict", async_="lazy", seed=seed, resident=400)
    np.testing.assert_array_equal(y[:, 0], x[:, 0])
    assert 1 < len(set(y[:, 1].tolist())) <= 5


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "cluster"), [(pairs, (2, 1)), (gemm, None)])
def test_gemms_that_take_tiles_over(kernel: Kernel, cluster: Any) -> None:
    """The same GEMMs with dynamic grids; one of a pair asks, and both are told."""
    again = Kernel(kernel.function, None, dynamic, None, cluster)
    a, b, c = integers(900, 40), integers(60, 40, seed=1), np.zeros((900, 60), np.float16)
    options = {"n_tile": 32, "stages": 2}
    again.run(a, b, c, target=TARGET, options=options, check="strict", async_="lazy", resident=1024)
    np.testing.assert_array_equal(c, a @ b.T)
    if find("ptxas") is not None:
        module = again.module(TARGET, multiples={"K": 8, "N": 8})
        assert not weft.assemble(module).remarks
        assert weft.compile(again.mlir(multiples={"K": 8, "N": 8}), TARGET).to_ptx() == module.to_ptx()


REFUSED = {
    "tensor_memory((128, 1024), f32)  #": "1024 columns",
    "tensor_memory((64, 64), f32)  #": "must have 128 rows",
    "tensor_memory((128, 64), i8)  #": "whole 32-bit columns",
    "tensor_memory((128, 63), f16)  #": "whole 32-bit columns",
    "t = tensor_memory((128, 64), f16)\nwith role(warpgroups=1):\n    warpgroup.copy(register((128, 64), f32, tensor_layout((128, 64))), t)  #": "cannot convert f16 to f32",
    "t = tensor_memory((128, 64), f32)\nwith role(warps=4):\n    warp.copy(t, register((128, 64), f32, tensor_layout((128, 64))))  #": "only a warpgroup can access",
    "tensor_memory((128, 512), f32); tensor_memory((128, 32), f32)  #": "544 columns",
    "d = pipeline(3, d=tensor_memory((2, 128, 64), f32))  #": "must have the shape of 3 slots",
    "t = tensor_memory((128, 64), f32)\nwith role(warps=1):\n    cta.gemm_async(t, ring.take(), ring.take())  #": "extents do not match",
    "t = tensor_memory((128, 64), f32)\nwith role(warpgroups=1):\n    cta.gemm_async(t, ring.take(), t)  #": "of one warp",
    "with role(warps=1):\n    cta.gemm_async(ring.take(), ring.take(), ring.take())  #": "the accumulator must be in tensor memory",
    "t = tensor_memory((128, 64), f32)\nwith role(warps=1):\n    tensor_memory((128, 64), f32)  #": "before the roles",
    "t = tensor_memory((128, 64), f32)\nwith role(warpgroups=1):\n    warpgroup.copy(t, t)  #": "only a warpgroup can access",
    "tensor_memory((128, 64), f32, pair=True)  #": "even number of blocks along x",
    "pipeline(2, a=tile(f16, 64, 64), pair=True)  #": "even number of blocks along x",
    "with role(warps=1, leader=True):  #\n    pass": "even number of blocks along x",
    "t = tensor_memory((128, 64), f32)\nwith role(warps=1):\n    pair.gemm_async(t, ring.take(), ring.take())  #": "one of its blocks",
    "pair.copy(ring, ring)  #": "each of its blocks",
    "pair.sync()  #": "cannot wait",
}


PAIR = RING.replace("grid=1", "grid=2, cluster=(2, 1)")
MIXED = {
    "t = tensor_memory((128, 64), f32, pair=True)\nwith role(warps=1):\n    s = ring.take()\n    cta.gemm_async(t, s, s)  #": "of pairs",
    "t = tensor_memory((128, 64), f32)\nwith role(warps=1, leader=True):\n    s = ring.take()\n    pair.gemm_async(t, s, s)  #": "of blocks alone",
    "t = tensor_memory((128, 64), f32, pair=True)\nwith role(warps=1, leader=True):\n    cta.gemm_async(t, t, t)  #": "must multiply for the whole pair",
    "tensor_memory((128, 32), f32)\ntensor_memory((128, 64), f32, pair=True)  #": "either to pairs or to single blocks",
}


@pytest.mark.parametrize("body", MIXED)
def test_pairs_and_blocks_are_not_mixed(body: str) -> None:
    refused(PAIR, body, MIXED[body], TARGET)


def test_dynamic_grids_refuse() -> None:
    """Tiles are asked for in roles, and once."""
    head = RING.replace("grid=1", "grid=dynamic") + "    work = raster(2, 2)\n"
    refused(head, "for m, n in work:  #\n    pass", "must be iterated in roles", TARGET)
    twice = "with role(warps=1):\n    for m, n in work:\n        pass\n    for m, n in work:  #\n        pass"
    refused(head, twice, "once in each", TARGET)
    late = "with role(warps=1):\n    for m, n in raster(2, 2):  #\n        pass"
    refused(head, late, "in the kernel body", TARGET)


@pytest.mark.parametrize("body", REFUSED)
def test_refused(body: str) -> None:
    refused(RING, body, REFUSED[body], TARGET)


@pytest.mark.slow
def test_targets_without_it() -> None:
    """Elsewhere there is none of it; the line is said."""
    with pytest.raises(CompileError, match="sm_90a"):
        gemm.ptx("sm_90a", multiples={"K": 8, "N": 8})


def roundtrip(kind: Any, columns: int) -> Any:
    """A kernel that writes a tile into tensor memory and reads it, in parts."""

    @weft.kernel(threads=128, grid=1)
    def through(X: Global(kind, (128, columns)), Y: Global(kind, (128, columns))):
        held = tensor_memory((2, 128, columns), kind)
        there = register((128, columns), kind, tensor_layout((128, columns)))
        back = register((128, columns // 2), kind, tensor_layout((128, columns // 2)))
        warpgroup.copy(there, X)
        warpgroup.copy(held[1], there)
        for half in range(2):
            warpgroup.copy(back, held[1, :, ds(half * columns // 2, columns // 2)])
            warpgroup.copy(Y[:, ds(half * columns // 2, columns // 2)], back)

    return through


@pytest.mark.sample(1)
@pytest.mark.parametrize(("kind", "columns"), [(f32, 24), (f16, 40), (bf16, 4), (i32, 130)])
def test_copies_into_tensor_memory(kind: Any, columns: int) -> None:
    x = integers(128, columns).astype(kind.numpy)
    y = np.zeros_like(x)
    kernel = roundtrip(kind, columns)
    kernel.run(x, y, target=TARGET, check="strict", async_="lazy")
    np.testing.assert_array_equal(y, x)
    if find("ptxas") is not None:
        assert not weft.assemble(kernel.module(TARGET)).remarks


@pytest.mark.parametrize(("kind", "columns"), [(f32, 4), (f16, 12), (bf16, 4), (i32, 10)])
def test_parts_of_tensor_memory(kind: Any, columns: int) -> None:
    """A half of a slot is that half: of elements of a column each, and of two in one."""
    x = integers(128, columns).astype(kind.numpy)
    y = np.zeros_like(x)
    roundtrip(kind, columns).run(x, y, target=TARGET, check="fast")
    np.testing.assert_array_equal(y, x)


@pytest.mark.parametrize(
    ("part", "other"),
    [(r"(1@TCol\)](?: \+ \d+@TCol)?)", r"\1 + 1@TLane"), ("1@TLane,", "2@TLane,")],
)
def test_rows_of_tensor_memory_are_its_lanes(part: str, other: str) -> None:
    """None is left out in front of them or between."""
    text = roundtrip(f32, 4).mlir()
    weft.compile(text, TARGET)
    with pytest.raises(CompileError, match="must have 128 rows, one per lane, and contiguous columns"):
        weft.compile(re.sub(part, other, text), TARGET)


def attended(q: Any, k: Any, v: Any, *, causal: bool) -> Any:
    """Attention in doubles."""
    heads = q.shape[1] // k.shape[1]
    k, v = (np.repeat(x, heads, 1).astype(np.float64) for x in (k, v))
    scores = q.astype(np.float64) @ k.transpose(0, 1, 3, 2) * q.shape[3] ** -0.5
    if causal:
        m, n = scores.shape[2:]
        scores = np.where(np.arange(n) <= np.arange(m)[:, None] + (n - m), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


ATTENTION = [(1, 2, 1, 70, 200, 40, True), (1, 1, 1, 130, 64, 64, False), (2, 1, 1, 5, 300, 24, True)]
MORE = [(int(b), 2, int(g), int(m), int(m + n), int(d), bool(c)) for b, g, m, n, d, c in zip(
    *np.random.default_rng(5).integers((1, 1, 1, 0, 1, 0), (3, 3, 300, 200, 128, 2), (20, 6)).T, strict=True
)]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("shape", [*ATTENTION, *(pytest.param(x, marks=pytest.mark.slow) for x in MORE)])
def test_attention(shape: tuple[Any, ...]) -> None:
    """Weights are multiplied out of tensor memory; heads that TMA cannot bring come by threads."""
    b, h, g, m, n, d, causal = shape
    random = np.random.default_rng(m)
    q, k, v = (random.standard_normal(x).astype(np.float16) for x in ((b, h, m, d), (b, g, n, d), (b, g, n, d)))
    o = np.zeros_like(q)
    options = {"head": 64 if d <= 64 else 128, "step": 64, "causal": causal}
    attention.run(q, k, v, o, d**-0.5, target=TARGET, options=options, check="strict", async_="lazy")
    np.testing.assert_allclose(o, attended(q, k, v, causal=causal), atol=2e-3)


@pytest.mark.slow
@pytest.mark.skipif(find("ptxas") is None or find("nvdisasm") is None, reason="no ptxas or nvdisasm")
def test_machine_code_of_attention() -> None:
    """No spills, no remarks; 16 products a turn."""
    loops = backward_loops(attention.ptx(TARGET, multiples={"D": 8}))
    (multiplier,) = [each for each in loops if each["UTCHMMA"]]
    assert multiplier["UTCHMMA"] == 16
