"""Conversions between layouts in registers, through whatever they need: each thread has what its layout says, no other
is touched.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import weft
from weft.errors import PerformanceWarning
from weft.layout import Iter, R, S, TileLayout, laneid, m, tid_in_wg, tx, warpid
from weft.layout.conflicts import totals
from weft.tile import (
    Global,
    bf16,
    commit,
    cta,
    e4m3,
    f16,
    f32,
    fill,
    i8,
    i32,
    lane_id,
    register,
    shared,
    sync,
    thread_id,
    wait,
    warp,
    warpgroup,
    wgmma_layout,
)
from weft.tile.layouts import mma_layout
from weft.transforms.copy_dispatch import Copy, Operand, dispatch
from weft.transforms.copy_dispatch.wavefronts import accesses
from weft.transforms.tile_lowering.conversions import _planned as planned

SUMS = mma_layout("d", (16, 32), f16)
ORDINARY: dict[str, tuple[Any, Any, Any, Any]] = {
    "sums to f16 operand": (f16, (16, 32), SUMS, mma_layout("a", (16, 32), f16)),
    "sums to fp8 operand": (e4m3, (16, 32), SUMS, mma_layout("a", (16, 32), e4m3)),
    "sums to int8 operand": (i8, (16, 32), SUMS, mma_layout("a", (16, 32), i8)),
    "sums to tf32 operand": (f32, (16, 32), SUMS, mma_layout("a", (16, 32), f32)),
    "sums to right operand": (bf16, (16, 32), SUMS, mma_layout("b", (16, 32), bf16)),
    "sums to 16-byte rows": (f16, (16, 32), SUMS, S[(16, 2, 2, 8) : (2 @ laneid, 1 @ laneid, 8, 1)]),
    "rows to columns": (f32, (32, 32), S[(32, 32) : (1 @ laneid, 1)], S[(32, 32) : (1, 1 @ laneid)]),
    "one lane to all": (f32, (8,), S[8:1] + 3 @ laneid, S[8:1] + R[32 : 1 @ laneid]),
    "each lane to all": (f32, (32,), S[32 : 1 @ laneid], S[32:1] + R[32 : 1 @ laneid]),
    "all to each lane": (f32, (32,), S[32:1] + R[32 : 1 @ laneid], S[32 : 1 @ laneid]),
    "halves of a warp": (i32, (32,), S[(2, 16) : (16 @ laneid, 1 @ laneid)], S[(16, 2) : (1 @ laneid, 16 @ laneid)]),
    "operand to sums": (f16, (16, 32), mma_layout("a", (16, 32), f16), SUMS),
}


def converted(scope: Any, threads: int, kind: Any, shape: Any, src: TileLayout, dst: TileLayout) -> None:
    """Convert, and read what each thread holds in each place beside what the layout says."""
    places = dst.storage().span()

    @weft.kernel(threads=threads, grid=1)
    def convert(x: Global(kind, shape), y: Global(kind, (threads, places))):
        held, changed = register(shape, kind, src), register(shape, kind, dst)
        for place in range(places):
            changed.storage[place] = 1
        scope.copy(held, x)
        scope.copy(changed, held)
        for place in range(places):
            y[thread_id(), place] = changed.storage[place]

    x = (np.arange(np.prod(shape)) % 89 - 44).reshape(shape).astype(kind.numpy)
    y = np.zeros((threads, places), kind.numpy)
    convert.run(x, y, check="strict", async_="lazy")
    expected = np.ones((threads, places), kind.numpy)
    group = {warp: 32, warpgroup: 128, cta: threads}[scope]
    fused = dst.canonicalize(fuse_scopes=True)
    for index, value in enumerate(x.reshape(-1)):
        for thread, place in _holders(fused, index, group):
            for first in range(0, threads, group):
                expected[first + thread, place] = value
    np.testing.assert_array_equal(y, expected)


def _holders(layout: TileLayout, index: int, group: int) -> set[tuple[int, int]]:
    """The threads of a group, with the place, that hold an element: on axes without a word, all."""
    found = layout.apply(index)
    places = [dict(found)]
    for each in layout.replica:
        places = [
            {**at, each.axis: at.get(each.axis, 0) + n * each.stride} for at in places for n in range(each.extent)
        ]
    axes = [axis for axis in {*found, *(each.axis for each in layout.replica)} if axis.thread]
    return {
        (thread, at.get(m, 0))
        for at in places
        for thread in range(group)
        if all(axis.of_thread(thread) == at.get(axis, 0) for axis in axes)
    }


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_conversions(name: str) -> None:
    converted(warp, 64, *ORDINARY[name])


BETWEEN_WARPS: dict[str, tuple[Any, ...]] = {
    "sums to fp8 operand": (warpgroup, 128, e4m3, (64, 32), wgmma_layout("d", (64, 32)), wgmma_layout("a", (64, 32), e4m3)),
    "rows to columns": (warpgroup, 256, f16, (128, 8), S[(128, 8) : (1 @ tid_in_wg, 1)], S[(8, 128) : (1, 1 @ tid_in_wg)]),
    "three warps": (cta, 96, i32, (96,), S[96 : 1 @ tx], S[(32, 3) : (3 @ tx, 1 @ tx)]),
    "each to all": (
        cta, 64, i32, (64,), S[(2, 32) : (1 @ warpid, 1 @ laneid)], S[(2, 32) : (32, 1)] + R[64 : 1 @ tx],
    ),
}  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", BETWEEN_WARPS)
def test_conversions_of_a_warpgroup_and_a_block(name: str) -> None:
    """Elements change warps: sums of wgmma to an operand of 8 bits, rows of warps to columns of the block."""
    converted(*BETWEEN_WARPS[name])


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_random_conversions(seed: int) -> None:
    """Any two ways to give 8 or more bits of an index to lanes and places."""
    random = np.random.default_rng(seed)
    bits = int(random.integers(5, 9))
    kind = [f16, f32, i8, f16][seed % 4]

    def layout() -> TileLayout:
        targets = [(laneid, 1 << at) for at in range(5)] + [(m, 1 << at) for at in range(bits - 5)]
        return TileLayout([Iter(2, targets[at][1], targets[at][0]) for at in random.permutation(bits)])

    converted(warp, 32, kind, (1 << bits,), layout(), layout())


def test_threads_outside_of_a_layout_keep_what_they_have() -> None:
    """Copies, fills and conversions write what the layout has, and nothing in other lanes."""
    half = S[16 : 1 @ laneid]

    @weft.kernel(threads=32, grid=1)
    def partly(x: Global(i32, 16), y: Global(i32, (4, 32))):
        first = register(16, i32, half)
        first.storage[0] = 7
        warp.copy(first, x)
        y[0, lane_id()] = first.storage[0]
        second = register(16, i32, half)
        second.storage[0] = 8
        warp.copy(second, first)
        y[1, lane_id()] = second.storage[0]
        filled = register(16, i32, half + 4 @ laneid)
        filled.storage[0] = 9
        fill(filled, 3)
        y[2, lane_id()] = filled.storage[0]
        held = shared(16, i32)
        warp.copy(held, first)
        sync()
        back = register(16, i32, S[16 : 2 @ laneid])
        back.storage[0] = 10
        warp.copy(back, held)
        y[3, lane_id()] = back.storage[0]

    x, y = np.arange(100, 116, dtype=np.int32), np.zeros((4, 32), np.int32)
    partly.run(x, y, check="strict")
    rest = np.ones(16, np.int32)
    np.testing.assert_array_equal(y[0], [*x, *7 * rest])
    np.testing.assert_array_equal(y[1], [*x, *8 * rest])
    np.testing.assert_array_equal(y[2], [9] * 4 + [3] * 16 + [9] * 12)
    np.testing.assert_array_equal(y[3], np.stack([x, 10 * rest], 1).reshape(-1))


def test_conversions_explain_themselves() -> None:
    @weft.kernel(threads=32, grid=1)
    def turned(x: Global(f16, (16, 32)), y: Global(f16, (16, 32))):
        sums, rows = register((16, 32), f16, SUMS), register((16, 32), f16, ORDINARY["sums to 16-byte rows"][3])
        warp.copy(sums, x)
        warp.copy(rows, sums)
        warp.copy(y, rows)

    text = turned.explain("sm_90a")
    assert "conversion of registers through 1024 bytes of shared memory: elements change threads" in text
    assert "stmatrix" in text.split("conversion of registers")[1]


def test_asynchronous_copies_that_are_none_say_so() -> None:
    """Two bytes are no `cp.async`: the copy is done at once, with a warning at its line."""

    @weft.kernel(threads=32, grid=1)
    def copied(x: Global(f16, ("M", "N")), y: Global(f16, (8, 8))):
        held = shared((8, 8), f16)
        cta.copy_async(held, x[0:8, 0:8])
        commit()
        wait(0)
        sync()
        cta.copy(y, held)

    with pytest.warns(PerformanceWarning, match="synchronous copy, 2 bytes at a time") as caught:
        copied.ptx("sm_80")
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        copied.ptx("sm_80", multiples={"N": 8})


def on_both_sides(kind: str, shape: tuple[int, ...], src: TileLayout, dst: TileLayout) -> list[tuple[int, int]]:
    """The wavefronts of the copy into scratch memory and of the one out of it, and how many both need."""
    sides = [Operand("local", kind, shape, layout, tuple((0, extent) for extent in shape)) for layout in (dst, src)]
    found = planned(Copy(sides[0], sides[1], "warp", 32, "sm_90a"), "")
    assert found is not None
    pairs: list[tuple[int, int]] = []
    for copy, side in ((found.store, "dst"), (found.load, "src")):
        plan = dispatch(copy)
        wavefronts = sum(totals(each).wavefronts for each in accesses(plan, copy, side))
        pairs.append((wavefronts, max(len(plan.instructions), copy.dst.size * copy.dst.bits // 1024)))
    return pairs


@pytest.mark.sample(1)
@pytest.mark.parametrize("rows", [16, 24, 32])
def test_scratch_memory_has_no_bank_conflicts(rows: int) -> None:
    """Rows to columns and back: columns are read a lane each, whether their number is a power of two or not."""
    held, across = S[(rows, 32) : (1, 1 @ laneid)], S[(rows, 2, 16) : (1 @ laneid, 16, 1)]
    for src, dst in ((held, across), (across, held)):
        assert on_both_sides("f32", (rows, 32), src, dst) == [(rows, rows)] * 2


def test_layouts_beyond_a_warp_are_not_converted() -> None:
    """Neither side has a copy with memory."""
    sides = [Operand("local", "f32", (64,), layout, ((0, 64),)) for layout in (S[64:1], S[64 : 1 @ laneid])]
    for dst, src in (sides, sides[::-1]):
        assert planned(Copy(dst, src, "warp", 32, "sm_90a"), "") is None
