"""Rings of every kind: who fills them, who takes from them, how, and with whom tiles are shared; drawn, against NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import weft
from weft.tile import (
    Global,
    S,
    block_id,
    cdiv,
    cluster,
    cta,
    ds,
    f32,
    laneid,
    loop,
    pipeline,
    register,
    role,
    tile,
    warp,
)

ROWS, WIDE = 32, 32


@dataclass
class Ring:
    """How it is used."""

    stages: int
    fillers: int
    takers: tuple[int, ...]
    """The warps of each role that takes."""
    by_hand: tuple[bool, ...]
    """Whether each gives slots back by hand."""
    blocks: int
    """Blocks of a cluster, each with a part of each tile where it is shared."""
    shared: bool
    second: bool
    """Whether threads write a second tile of each slot."""
    columns: int


def kernel_of(ring: Ring) -> Any:
    """Copies of a tensor's tiles, one for each role that takes, with twice the number of the second tile added."""

    @weft.kernel(grid=ring.blocks, cluster=ring.blocks if ring.blocks > 1 else None)
    def through(x: Global(f32, ("M", "N")), y: Global(f32, (ring.blocks, len(ring.takers), "M", WIDE))):
        tiles = {"a": tile(f32, ROWS, WIDE)} | ({"b": tile(f32, ROWS, WIDE)} if ring.second else {})
        slots = pipeline(ring.stages, **tiles)
        turns = cdiv(x.shape[0], ROWS)
        with role(warps=ring.fillers) as which:
            for turn in loop(turns):
                with slots.fill() as slot:
                    part = x[ds(turn * ROWS, ROWS), ds(0, WIDE)]
                    if ring.shared:
                        cluster.copy_async(slot.a, part, share=0)
                    else:
                        cta.copy_async(slot.a, part)
                    if ring.second:
                        each = ROWS // ring.fillers
                        values = register((each, WIDE), f32, S[(each, 32) : (1, 1 @ laneid)])
                        warp.copy(values, x[ds(turn * ROWS + which * each, each), ds(0, WIDE)])
                        warp.copy(slot.b[ds(which * each, each), :], values + 1.0)
        for at, (warps, by_hand) in enumerate(zip(ring.takers, ring.by_hand, strict=True)):
            with role(warps=warps) as which:
                each = ROWS // warps
                for turn in loop(turns):
                    held = register((each, WIDE), f32, S[(each, 32) : (1, 1 @ laneid)])
                    more = register((each, WIDE), f32, S[(each, 32) : (1, 1 @ laneid)])
                    if by_hand:
                        slots.take()
                        read(slots.oldest(), held, more, which * each, each, ring.second)
                        slots.release()
                    else:
                        with slots.take() as slot:
                            read(slot, held, more, which * each, each, ring.second)
                    found = held + more if ring.second else held
                    warp.copy(y[block_id(), at, ds(turn * ROWS + which * each, each), :], found)

    return through


def read(slot: Any, held: Any, more: Any, first: Any, each: int, second: bool) -> None:
    warp.copy(held, slot.a[ds(first, each), :])
    if second:
        warp.copy(more, slot.b[ds(first, each), :])


def drawn(seed: int) -> tuple[Ring, int]:
    random = np.random.default_rng(seed)
    takers = tuple(int(x) for x in random.choice([1, 2, 4], int(random.integers(1, 4))))
    blocks = int(random.choice([1, 1, 2, 4]))
    ring = Ring(
        stages=int(random.integers(1, 5)),
        fillers=int(random.choice([1, 2, 4])),
        takers=takers,
        by_hand=tuple(bool(x) for x in random.integers(0, 2, len(takers))),
        blocks=blocks,
        shared=blocks > 1 and bool(random.integers(0, 4)),
        second=bool(random.integers(0, 3) == 0),
        columns=int(random.choice([32, 36, 40, 33, 31, 20])),
    )
    if ring.shared:
        ring.columns = ring.columns // 4 * 4  # TMA, which alone can share, reads rows of 16 bytes.
    return ring, int(random.integers(1, 260))


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(40))
def test_rings(seed: int) -> None:
    ring, rows = drawn(seed)
    x = np.random.default_rng(seed).integers(-99, 100, (rows, ring.columns)).astype(np.float32)
    y = np.full((ring.blocks, len(ring.takers), rows, WIDE), 7, np.float32)
    kernel_of(ring).run(x, y, target="sm_90a", check="strict", async_="lazy")
    wanted = np.zeros((rows, WIDE), np.float32)
    wanted[:, : min(WIDE, ring.columns)] = x[:, :WIDE]
    wanted = 2 * wanted + 1 if ring.second else wanted
    np.testing.assert_array_equal(y, np.broadcast_to(wanted, y.shape), str(ring))
