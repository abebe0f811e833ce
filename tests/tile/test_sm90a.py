"""Roles, pipelines, tensor copies and products of warpgroups: run in the strictest mode, and read as machine code."""

from __future__ import annotations

import sys
from collections import Counter
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
    S,
    address,
    bf16,
    block_id,
    cdiv,
    cluster,
    cta,
    ds,
    e4m3,
    f16,
    f32,
    i8,
    i32,
    i64,
    inline_ptx,
    lane_id,
    laneid,
    loop,
    named_barrier,
    persistent,
    pipeline,
    raster,
    register,
    role,
    shared,
    tile,
    warp,
    warpgroup,
    wgmma_layout,
    zeros,
)
from weft.tile.layouts import mma_layout, swizzled
from weft.toolchain import find

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
from gemm_sm90a import gemm

SMALL = {"m_tile": 64, "n_tile": 64, "stages": 2}
ROWS = S[(64, 32, 2) : (2, 1 @ laneid, 1)]
"""64 x 64 elements over a warp, two neighbours a lane."""


def integers(*shape: int, kind: Any = np.float16, seed: int = 0) -> Any:
    """Small whole numbers, whose sums are exact."""
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(kind)


def multiplied(m: int, n: int, k: int, grid: int | None = None, **options: Any) -> None:
    """Run the GEMM of the examples, lazily and strictly."""
    a, b, c = integers(m, k), integers(n, k, seed=1), np.full((m, n), 7, np.float16)
    gemm.run(a, b, c, grid=grid, options=options, check="strict", async_="lazy")
    np.testing.assert_array_equal(c, (a.astype(np.float32) @ b.astype(np.float32).T).astype(np.float16))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("m", "n", "k", "grid"),
    [(64, 64, 64, None), (70, 72, 200, None), (65, 66, 67, None), (1, 1, 1, None), (130, 200, 264, 2)],
)
def test_gemm_of_any_size(m: int, n: int, k: int, grid: int | None) -> None:
    """By TMA where strides allow it, by threads where not; several tiles a block, across which phases go on."""
    multiplied(m, n, k, grid, **SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_gemm_of_odd_sizes(seed: int) -> None:
    """Twenty shapes, tile sizes and grids."""
    random = np.random.default_rng(seed)
    m, n, k = (int(random.integers(1, 300)) for _ in range(3))
    if seed % 2:
        k, n = -(-k // 8) * 8, -(-n // 8) * 8
    options = {"m_tile": int(random.choice([64, 128])), "n_tile": int(random.choice([64, 128, 256]))}
    multiplied(m, n, k, int(random.integers(1, 5)), stages=int(random.integers(2, 5)), **options)


def backward_loops(text: str) -> list[Counter[str]]:
    """The opcodes of each innermost loop of a kernel's machine code, without modifiers."""
    from weft.toolchain.sass import disassemble

    found: list[tuple[int, int]] = []
    cubin = weft.assemble(weft.parse(text))
    assert not cubin.remarks, cubin.remarks
    assert not cubin.kernel().spills
    (sass,) = disassemble(cubin).values()
    for at, each in enumerate(sass.instructions):
        if each.opcode.startswith("BRA"):
            target = int(each.operands.split(",")[-1], 16) // 16
            found += [(target, at)] if target <= at else []
    inner = [x for x in found if not any(y != x and x[0] <= y[0] and y[1] <= x[1] for y in found)]
    names = [each.opcode.partition(".")[0] for each in sass.instructions]
    return [Counter(names[first : last + 1]) for first, last in inner]


@pytest.mark.slow
@pytest.mark.skipif(find("ptxas") is None or find("nvdisasm") is None, reason="no ptxas or nvdisasm")
def test_machine_code_of_the_gemm() -> None:
    """The consumer's loop: 4 products for a step of 64, few others; registers are moved between the roles."""
    text = gemm.ptx("sm_90a", multiples={"K": 8, "N": 8})
    loops = backward_loops(text)
    (consumer,) = [each for each in loops if each["HGMMA"]]
    (producer,) = [each for each in loops if each["UTMALDG"]]
    assert consumer["HGMMA"] == 4 and consumer.total() - 4 <= 56, consumer
    assert producer["UTMALDG"] == 2 and producer.total() <= 36, producer
    assert "setmaxnreg.dec.sync.aligned.u32 40" in text and "setmaxnreg.inc.sync.aligned.u32 232" in text
    assert ".reqntid 384" in text and ".minnctapersm 1" in text


def test_gemm_has_no_bank_conflicts() -> None:
    """Stores to shared memory go through the swizzle that the tensor copy undoes."""
    a, b, c = integers(64, 64), integers(64, 64), np.zeros((64, 64), np.float16)
    result = gemm.run(a, b, c, options=SMALL, counters=True)
    assert result.counters.spaces["shared"].conflicts == 0


def _sums(rows: int, columns: int, of: str) -> Any:
    layout = wgmma_layout("d", (rows, columns)) if of == "warpgroup" else mma_layout("d", (rows, columns), f16)
    scope = warpgroup if of == "warpgroup" else warp

    @weft.kernel(threads=128 if of == "warpgroup" else 32, grid=1)
    def store(X: Global(f32, (rows, columns)), Y: Global(f32, (rows, columns))):
        sums, held = (
            register((rows, columns), f32, layout),
            shared((rows, columns), f32, swizzled((rows, columns), f32)),
        )
        scope.copy(sums, X)
        scope.copy(held, sums)
        cta.sync()
        cta.copy(Y, held)

    return store


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("rows", "columns", "of"), [(64, 32, "warpgroup"), (64, 128, "warpgroup"), (16, 32, "warp"), (48, 64, "warp")]
)
def test_sums_of_32_bits_are_stored_without_conflicts(rows: int, columns: int, of: str) -> None:
    """In the swizzle that TMA reads two rows meet in their banks, unless half of the threads take another vector."""
    x = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
    y, kernel = np.zeros_like(x), _sums(rows, columns, of)
    found = kernel.run(x, y, target="sm_90a", check="strict", async_="lazy", counters=True)
    np.testing.assert_array_equal(x, y)
    assert "no bank conflicts so" in kernel.explain("sm_90a")
    assert found.counters.spaces["shared"].conflicts == 0
    assert weft.compile(kernel.mlir(), "sm_90a").to_ptx() == kernel.ptx("sm_90a")


def test_operands_of_several_boxes_in_clusters() -> None:
    """Addresses in a cluster hold the block's rank, descriptors do not: K x N and K x M tiles, which have offsets there."""

    @weft.kernel(grid=persistent, cluster=(2, 1))
    def product(A: Global(f16, ("K", "M")), B: Global(f16, ("K", "N")), C: Global(f32, ("M", "N"))):
        (K, M), N = A.shape, B.shape[1]
        ring = pipeline(2, a=tile(f16, 64, 64), b=tile(f16, 64, 128))
        work = raster(cdiv(M, 64), cdiv(N, 128))
        with role(warps=1):
            for m, n in work:
                for k in loop(cdiv(K, 64)):
                    with ring.fill() as slot:
                        cta.copy_async(slot.a, A[ds(k * 64, 64), ds(m * 64, 64)])
                        cluster.copy_async(slot.b, B[ds(k * 64, 64), ds(n * 128, 128)], share=0)
        with role(warpgroups=1):
            total = register((64, 128), f32, wgmma_layout("d", (64, 128)))
            for m, n in work:
                for k in loop(cdiv(K, 64)):
                    with ring.take(behind=1) as slot:
                        warpgroup.gemm_async(total, slot.a.transpose(), slot.b, add=k > 0)
                warpgroup.wait(0)
                warpgroup.copy(C[ds(m * 64, 64), ds(n * 128, 128)], total)

    a, b, c = integers(72, 136), integers(72, 200, seed=1), np.zeros((136, 200), np.float32)
    product.run(a, b, c, check="strict", async_="lazy")
    np.testing.assert_array_equal(c, a.T.astype(np.float32) @ b.astype(np.float32))


# -- other products -----------------------------------------------------------------------------------------------


@pytest.mark.sample(1)
@pytest.mark.parametrize(("kind", "sums"), [(bf16, f32), (e4m3, f32), (i8, i32), (f32, f32), (f16, f16)])
def test_products_of_each_type(kind: Any, sums: Any) -> None:
    """Types that wgmma multiplies, operands by TMA, K-major."""
    depth = 1024 // kind.bits

    @weft.kernel(grid=1)
    def product(A: Global(kind, (64, depth)), B: Global(kind, (32, depth)), C: Global(sums, (64, 32))):
        ring = pipeline(1, a=tile(kind, 64, depth), b=tile(kind, 32, depth))
        with role(warps=1), ring.fill() as slot:
            cta.copy_async(slot.a, A)
            cta.copy_async(slot.b, B)
        with role(warpgroups=1):
            total = zeros((64, 32), sums, wgmma_layout("d", (64, 32), sums))
            with ring.take() as slot:
                warpgroup.gemm_async(total, slot.a, slot.b.transpose())
            warpgroup.copy(C, total)

    a, b = integers(64, depth, kind=kind.numpy), integers(32, depth, kind=kind.numpy, seed=1)
    c = np.zeros((64, 32), sums.numpy)
    product.run(a, b, c, check="strict", async_="lazy")
    np.testing.assert_array_equal(c.astype(np.float64), a.astype(np.float64) @ b.astype(np.float64).T)


@pytest.mark.sample(1)
@pytest.mark.parametrize("columns", [32, 64, 128])
def test_operands_along_m_and_n(columns: int) -> None:
    """f16 whose rows run along M and N, in tiles as wide as one swizzle and wider."""

    @weft.kernel(grid=1)
    def product(A: Global(f16, (64, 128)), B: Global(f16, (64, columns)), C: Global(f32, (128, columns))):
        ring = pipeline(1, a=tile(f16, 64, 128), b=tile(f16, 64, columns))
        with role(warps=1), ring.fill() as slot:
            cta.copy_async(slot.a, A)
            cta.copy_async(slot.b, B)
        with role(warpgroups=1):
            with ring.take() as slot:
                total = warpgroup.gemm_async(None, slot.a.transpose(), slot.b)
            warpgroup.copy(C, total)

    a, b, c = integers(64, 128), integers(64, columns, seed=1), np.zeros((128, columns), np.float32)
    product.run(a, b, c, check="strict", async_="lazy")
    np.testing.assert_array_equal(c, a.astype(np.float32).T @ b.astype(np.float32))


def test_left_operand_in_registers() -> None:
    """Sums, converted, are the left operand of the next product."""

    @weft.kernel(grid=1)
    def chained(A: Global(f16, (64, 64)), B: Global(f16, (64, 64)), C: Global(f32, (64, 64))):
        ring = pipeline(1, a=tile(f16, 64, 64), b=tile(f16, 64, 64))
        with role(warps=1), ring.fill() as slot:
            cta.copy_async(slot.a, A)
            cta.copy_async(slot.b, B)
        with role(warpgroups=1):
            slot = ring.take()
            first = warpgroup.gemm_async(None, slot.a, slot.b)
            warpgroup.wait(0)
            second = warpgroup.gemm_async(None, first.to(f16), slot.b)
            warpgroup.wait(0)
            ring.release()
            warpgroup.copy(C, second)

    a, b, c = integers(64, 64), integers(64, 64, seed=1), np.zeros((64, 64), np.float32)
    chained.run(a, b, c, check="strict", async_="lazy")
    wide = a.astype(np.float32), b.astype(np.float32)
    np.testing.assert_array_equal(c, (wide[0] @ wide[1]).astype(np.float16).astype(np.float32) @ wide[1])


# -- roles, rings -------------------------------------------------------------------------------------------------


@weft.kernel(grid=1)
def passed_on(
    x: Global(f16, ("M", 64)), y: Global(f16, ("M", 64)), *, stages: int = 2, released: bool = True, held: int = 0
):
    """Copy by way of a ring, slots given back by hand."""
    ring = pipeline(stages, t=tile(f16, 64, 64))
    count = cdiv(x.shape[0], 64)
    with role(warps=1):
        for i in loop(count):
            with ring.fill() as slot:
                cta.copy_async(slot, x[ds(i * 64, 64), :])
    with role(warps=1):
        tile_of = register((64, 64), f16, ROWS)
        for i in loop(count):
            for _ in range(held):
                ring.take()
            warp.copy(tile_of, ring.take())
            if released:
                ring.release()
            warp.copy(y[ds(i * 64, 64), :], tile_of)


def test_slots_that_threads_write() -> None:
    """Rows in another order, by the role's threads, one of them element by element, beside a tensor copy."""

    @weft.kernel(grid=1)
    def picked(x: Global(f16, (64, 64)), y: Global(f16, (64, 64)), rows: Global(i32, 64), z: Global(f32, (64, 64))):
        from weft.tile import thread

        ring = pipeline(2, a=tile(f16, 64, 64), b=tile(f16, 64, 64))
        with role(warps=2) as number:
            for half in loop(2):
                with ring.fill() as slot:
                    cta.copy_async(slot.b, y)
                    row = number * 32 + lane_id()
                    thread.copy(slot.a[ds(row, 1), :], x[ds(rows[row], 1), :])
                    slot.a[row, 3] = half
        with role(warpgroups=1):
            total = register((64, 64), f32, wgmma_layout("d", (64, 64)))
            for half in loop(2):
                with ring.take() as slot:
                    warpgroup.gemm_async(total, slot.a, slot.b, add=half > 0)
            warpgroup.copy(z, total)

    x, y, z = integers(64, 64), integers(64, 64, seed=1), np.zeros((64, 64), np.float32)
    rows = np.random.default_rng(2).permutation(64).astype(np.int32)
    picked.run(x, y, rows, z, check="strict", async_="lazy")
    a, b = x[rows].astype(np.float32), y.astype(np.float32)
    a[:, 3] = 0.5
    np.testing.assert_array_equal(z, 2 * a @ b)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", [{"released": False}, {"stages": 1, "held": 1}])
def test_slots_that_are_not_given_back(mistake: dict[str, Any]) -> None:
    """A missing release, and more slots held than there are: nobody can go on, and the simulator says so."""
    with pytest.raises(KernelFault, match="no thread can make progress"):
        passed_on.run(integers(300, 64), np.zeros((300, 64), np.float16), options=mistake)


@weft.kernel(threads=64, grid=1)
def by_hand(x: Global(f32, 32), y: Global(f32, 32), *, parity: int = 0):
    """A barrier in inline PTX: one warp writes, the other waits for a phase."""
    bar, held = shared(1, i64), shared(32, f32)
    from weft.tile import lane_id, thread_id, warp_id

    if thread_id() == 0:
        inline_ptx("mbarrier.init.shared.b64 [{$r0}], 32;", address(bar))
    cta.sync()
    if warp_id() == 0:
        held[lane_id()] = x[lane_id()]
        inline_ptx("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [{$r0}]; }", address(bar))
    else:
        inline_ptx(
            "{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [{$r0}], {$r1}; @!p bra again; }",
            address(bar),
            i32_of(parity),
        )
        y[lane_id()] = held[lane_id()]


def i32_of(x: int) -> int:
    """A constant operand."""
    return x


def test_parity_through_inline_ptx() -> None:
    """The right parity waits; the wrong one does not, and is found as a race."""
    x = np.arange(32, dtype=np.float32)
    y = np.zeros_like(x)
    by_hand.run(x, y, check="strict", async_="lazy")
    np.testing.assert_array_equal(x, y)
    with pytest.raises(KernelFault):
        by_hand.run(x, y, options={"parity": 1}, check="strict", async_="lazy")


def test_roles_share_and_pad_warpgroups() -> None:
    """Warps are given out in order; whole warpgroups, and other numbers of registers, begin at a warpgroup."""

    @weft.kernel(grid=1)
    def numbered(y: Global(i32, 512)):
        from weft.tile import thread_id

        with role(warps=1, registers=40) as number:
            y[thread_id()] = 100 + number
        with role(warps=2, registers=40) as number:
            y[thread_id()] = 200 + number
        with role(warpgroups=2, registers=152) as number:
            y[thread_id()] = 300 + number
        with role(warps=1, registers=80) as number:
            y[thread_id()] = 400 + number

    y = np.zeros(512, np.int32)
    numbered.run(y, check="strict")
    expected = [100, 200, 201, 0, *[300] * 4, *[301] * 4, 400, 0, 0, 0]
    np.testing.assert_array_equal(y, np.repeat(expected, 32))


def test_named_barriers_between_roles() -> None:
    """One role writes and goes on, the other waits; without the barrier it is a race."""

    @weft.kernel(grid=1)
    def handed(x: Global(f32, 64), y: Global(f32, 64), *, waits: bool = True):
        held, written = shared(64, f32), named_barrier(128)
        with role(warps=2) as number:
            at = number * 32 + lane_id()
            held[at] = x[at]
            written.arrive()
        with role(warps=2) as number:
            if waits:
                written.sync()
            at = number * 32 + lane_id()
            y[at] = held[63 - at]

    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    handed.run(x, y, check="strict")
    np.testing.assert_array_equal(y, x[::-1])
    with pytest.raises(KernelFault):
        handed.run(x, y, options={"waits": False}, check="strict")


def test_tensors_of_more_dimensions() -> None:
    """A matrix of a batch by TMA: the batch is one more coordinate."""

    @weft.kernel(grid=1)
    def picked(x: Global(f16, ("B", "M", 64)), y: Global(f16, (64, 64)), *, batch: int = 1):
        ring = pipeline(1, t=tile(f16, 64, 64))
        with role(warps=1), ring.fill() as slot:
            cta.copy_async(slot, x[batch, ds(8, 64), :])
        with role(warps=1):
            held = register((64, 64), f16, ROWS)
            with ring.take() as slot:
                warp.copy(held, slot)
            warp.copy(y, held)

    x, y = integers(3, 100, 64), np.zeros((64, 64), np.float16)
    picked.run(x, y, check="strict", async_="lazy")
    np.testing.assert_array_equal(y, x[1, 8:72])


def test_stores_that_add() -> None:
    """A tensor store adds to what is there."""

    @weft.kernel(grid=3)
    def added(x: Global(f32, (32, 32)), y: Global(f32, (32, 32))):
        out = pipeline(1, t=tile(f32, 32, 32), kind="store")
        with role(warps=1):
            held = register((32, 32), f32, S[(32, 32) : (1, 1 @ laneid)])
            warp.copy(held, x)
            with out.fill() as slot:
                warp.copy(slot.t, held)
                cta.copy_async(y, slot, reduce="add")

    x, y = integers(32, 32, kind=np.float32), np.ones((32, 32), np.float32)
    added.run(x, y, check="strict", async_="lazy")
    np.testing.assert_array_equal(y, 3 * x + 1)


@pytest.mark.slow
def test_raster_visits_every_tile_once() -> None:
    """Any extents, any group, any grid; snakes go on where they are."""

    @weft.kernel(threads=32, grid=persistent)
    def counted(y: Global(i32, ("R", "C")), *, group: int | None = 8, snake: bool = False):
        from weft.tile import grid_size, lane_id

        number = block_id()
        for m, n in raster(*y.shape, group=group, snake=snake):
            number = number + grid_size()
            if lane_id() == 0:
                y[m, n] = y[m, n] + number - grid_size() + 1

    cases = [(1, 1, 8, None), (5, 7, 2, 3), (16, 3, 8, 4), (9, 9, 4, None), (4, 3, 1, 1), (4, 3, None, 2)]
    for rows, columns, group, grid in cases:
        for snake in (False, True):
            y = np.zeros((rows, columns), np.int32)
            counted.run(y, grid=grid, options={"group": group, "snake": snake})
            assert sorted(y.reshape(-1)) == list(range(1, rows * columns + 1))
            at = np.argsort(y.reshape(-1))
            steps = abs(np.diff(at // columns)) + abs(np.diff(at % columns))
            if snake and group in (1, None):
                assert (steps == 1).all()
    np.testing.assert_array_equal(y[:, 1], [8, 7, 6, 5])


@pytest.mark.sample(1)
@pytest.mark.parametrize("blocks", [(2,), (1, 2), (2, 2)])
def test_clusters_share_a_tile(blocks: tuple[int, ...]) -> None:
    """Each block loads a part of B for all along the axis; slots are empty when all of them have read it."""
    axis = 0 if blocks[0] > 1 else 1

    @weft.kernel(grid=(2, 2, 1), cluster=blocks)
    def product(A: Global(f16, (4, 64, "K")), B: Global(f16, (2, 64, "K")), C: Global(f32, (4, 64, 64))):
        ring = pipeline(2, a=tile(f16, 64, 64), b=tile(f16, 64, 64))
        which = block_id(0) + 2 * block_id(1)
        other = block_id(1 - axis)
        with role(warps=1):
            for k in loop(cdiv(A.shape[2], 64)):
                with ring.fill() as slot:
                    cta.copy_async(slot.a, A[which, :, ds(k * 64, 64)])
                    cluster.copy_async(slot.b, B[other, :, ds(k * 64, 64)], share=axis)
        with role(warpgroups=1):
            total = register((64, 64), f32, wgmma_layout("d", (64, 64)))
            for k in loop(cdiv(A.shape[2], 64)):
                with ring.take(behind=1) as slot:
                    warpgroup.gemm_async(total, slot.a, slot.b.transpose(), add=k > 0)
            warpgroup.wait(0)
            warpgroup.copy(C[which, :, :], total)

    a, b, c = integers(4, 64, 200), integers(2, 64, 200, seed=1), np.zeros((4, 64, 64), np.float32)
    product.run(a, b, c, check="strict", async_="lazy")
    for which in range(4):
        at = which // 2 if axis == 0 else which % 2
        np.testing.assert_array_equal(c[which], a[which].astype(np.float32) @ b[at].astype(np.float32).T)


# -- what is refused ----------------------------------------------------------------------------------------------

REFUSED = {
    "with role(): pass  #": "a number of warps or of warpgroups",
    "with role(warps=1, registers=41): pass  #": "invalid number of registers 41",
    "with role(warpgroups=9): pass  #": "1 to 32 warps",
    "with role(warpgroups=3, registers=240): pass  #": "need 92160 registers",
    "for i in loop(2):\n    with role(warps=1): pass  #": "must be in the kernel body",
    "with role(warps=1):\n    p = pipeline(2, a=tile(f16, 64, 64))  #": "before the roles",
    "pipeline(0, a=tile(f16, 64, 64))  #": "invalid number of slots",
    "pipeline(2)  #": "a pipeline needs tiles",
    "pipeline(2, a=3)  #": "'a' must be a tile",
    "with ring.fill() as s: pass  #": "filling a pipeline is allowed only in a role",
    "with role(warps=1):\n    with ring.fill() as s:  #\n        pass": "the slot is never filled",
    "with role(warps=1):\n    with ring.fill() as s:\n        cta.copy_async(s.b, A[ds(0, 64), :])  #": "no tile 'b'",
    "with role(warps=1):\n    with ring.fill() as s:\n        cta.copy_async(s.a, A[ds(0, 32), :])  #": "identical regions",
    "with role(warps=1):\n    with ring.fill() as s:\n        warp.copy_async(s.a, A[ds(0, 64), :])  #": "a warp cannot fill it",
    "with role(warps=1):\n    with ring.fill() as s:\n        for i in loop(2):\n            cta.copy_async(s.a, A[ds(0, 64), :])  #": "the same every time",
    "with role(warps=1):\n    with ring.take(behind=2) as s: pass  #": "would deadlock",
    "with role(warps=1):\n    t = warpgroup.gemm_async(None, A, A)  #": "'a' of an asynchronous product",
    "with role(warpgroups=1):\n    s = ring.take()\n    warp.gemm_async(None, s, s)  #": "a warpgroup's",
    "with role(warpgroups=1):\n    s = ring.take()\n    warpgroup.gemm_async(None, s.a[ds(0, 32), :], s.transpose())  #": "shapes of wgmma|not a multiple of",
    "named_barrier(33)  #": "invalid number of threads",
    "for i in range(8): named_barrier(32)  #": "more than 7 named barriers",
    "with role(warps=1):\n    pass\ncta.sync()  #": "no role executes",
    "warp.wait()  #": "no products to wait for",
    "inline_ptx('bogus.u32 {$r0};', A)  #": "cannot be an operand of PTX",
}


@pytest.mark.parametrize("body", REFUSED)
def test_refused(body: str) -> None:
    refused(RING, body, REFUSED[body], "sm_90a")


def test_ring_that_nobody_fills() -> None:
    """It would would deadlock."""

    @weft.kernel(grid=1)
    def lonely(A: Global(f16, ("M", 64))):
        ring = pipeline(2, a=tile(f16, 64, 64))
        with role(warps=1):
            ring.take()

    with pytest.raises(CompileError, match="taken from but never filled"):
        lonely.ptx("sm_90a")


def test_targets_without_it() -> None:
    """Below sm_90 there is none of it; the line is said."""
    with pytest.raises(CompileError, match="sm_80"):
        gemm.ptx("sm_80", multiples={"K": 8, "N": 8})


def test_sums_that_are_not_there_yet() -> None:
    """Reading them before the wait is an error, in loops too."""

    @weft.kernel(grid=1)
    def early(A: Global(f16, (64, 64)), C: Global(f32, (64, 64))):
        ring = pipeline(2, a=tile(f16, 64, 64))
        with role(warps=1), ring.fill() as slot:
            cta.copy_async(slot, A)
        with role(warpgroups=1):
            slot = ring.take()
            total = warpgroup.gemm_async(None, slot, slot.transpose())
            warpgroup.copy(C, total)

    with pytest.raises(CompileError, match="still in flight") as caught:
        early.ptx("sm_90a")
    assert "copy(C, total)" in (caught.value.position.source or "")


def test_copies_say_why_they_are_no_tensor_copies() -> None:
    """With a stride of 2 bytes TMA cannot, and the explanation has the reason."""
    assert "TMA needs 16" in gemm.explain("sm_90a", **SMALL)
    explained = gemm.explain("sm_90a", multiples={"K": 8, "N": 8}, **SMALL)
    assert "tma  chosen\n  1 box of 1x64x64, swizzle 128 bytes, 8192 bytes" in explained
    assert "tma_store  chosen" in explained
