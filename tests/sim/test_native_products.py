"""Products of matrices as code, beside NumPy's: shapes and types drawn at random."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from weft.isa.types import TYPES
from weft.sim.elements import decode, finisher
from weft.sim.native import dense
from weft.sim.native.dense import Shape, Side

Array = np.ndarray[Any, Any]

PAIRS = [
    *(("f16", "f16", "f32"), ("bf16", "bf16", "f32"), ("tf32", "tf32", "f32"), ("e4m3", "e5m2", "f32")),
    *(("e5m2", "e4m3", "f32"), ("s8", "u8", "s32"), ("u8", "s8", "s32")),
]


def side(rng: Any, rows: int, depth: int, type_: str) -> Side:
    """A multiplicand of some layout: runs along K or across, or doubles."""
    each = 16 * 8 // TYPES[type_].bits
    ways = [(0, False), *([(16, False)] if depth % each == 0 else []), *([(16, True)] if rows % each == 0 else [])]
    return Side(rows, type_, *ways[int(rng.integers(len(ways)))])


def operand(rng: Any, one: Side, depth: int, groups: int, memory: Array) -> tuple[Array, Array]:
    """What a function is given for a multiplicand, and its elements as doubles."""
    if not one.run:
        values = rng.integers(-64, 64, (groups, one.rows, depth)).astype(np.float64)
        return values, values
    each = 8 * one.run // one.bits
    count = one.rows * depth // each
    places = rng.integers(0, len(memory) // one.run, (groups, count)) * one.run
    codes = np.ascontiguousarray(memory[places[..., None] + np.arange(one.run)]).view(f"u{one.bits // 8}")
    if one.across:
        codes = codes.reshape(groups, one.rows // each, depth, each).transpose(0, 1, 3, 2)
    return places, decode(np.ascontiguousarray(codes.reshape(groups, one.rows, depth)), one.type)


@pytest.mark.sample(14)
@pytest.mark.parametrize("seed", range(400))
def test_like_numpy(seed: int) -> None:
    """The same words as sums of doubles, rounded once; memory may hold NaN and infinities."""
    rng = np.random.default_rng(seed)
    a, b, d = PAIRS[seed % len(PAIRS)]
    depth = 32 * 8 // TYPES[a].bits
    left, right = (side(rng, int(rows), depth, type_) for rows, type_ in
                   ((rng.choice([64, 128]), a), (8 * rng.integers(1, 33), b)))  # fmt: skip
    shape = Shape(left, right, depth, d, bool(rng.integers(2)), bool(rng.integers(2)))
    function = dense.function(shape, dense.WORTH)
    assert function is not None
    groups, memory = int(rng.integers(1, 4)), rng.integers(0, 256, 1 << 14, dtype=np.uint8)
    with np.errstate(all="ignore"):
        given = [operand(rng, one, depth, groups, memory) for one in (left, right)]
        sums = rng.integers(0, 1 << 32, (groups, left.rows, right.rows), dtype=np.uint64).astype(np.uint32)
        if d == "s32":
            sums >>= 8
        keep = rng.integers(0, 2, groups).astype(np.bool_)
        exact = given[0][1] @ given[1][1].transpose(0, 2, 1) * (-1.0 if shape.negative else 1.0)
        wanted = finisher(d, shape.clamp)(np.where(keep[:, None, None], exact + decode(sums, d), exact))
    dense.multiply([dense.Call(function, memory, given[0][0], given[1][0], sums, keep)])
    assert np.array_equal(sums, wanted)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_products_of_several_steps(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sides that stay from one step to the next are read once; sums go on from step to step, for all groups, which
    several threads of this process may share.
    """
    monkeypatch.setattr(dense, "threads", lambda: threads)
    rng = np.random.default_rng(3)
    a, b = dense.Side(8, "f16", 16), dense.Side(16, "f16", 0)
    function = dense.function(dense.Shape(a, b, 16, "f32"), dense.WORTH)
    assert function is not None
    groups, memory = 5, rng.uniform(-4, 4, 4096).astype(np.float16)
    runs = rng.integers(0, 512, (3, groups, 16)) * 16
    elements = memory[(runs[..., None] // 2 + np.arange(8))].reshape(3, groups, 8, 16).astype(np.float64)
    columns = rng.integers(-4, 4, (3, groups, 16, 16)).astype(np.float64)
    sums, wanted = np.zeros((groups, 8, 16), np.uint32), np.zeros((groups, 8, 16), np.float32)
    queue = dense.Queue()
    steps = [(0, 0, False), (0, 1, True), (1, 1, True), (2, 0, True), (2, 0, True), (0, 2, True)]
    for left, right, adds in steps:
        keep = np.array([adds, adds, True, adds, False])
        queue.add(dense.Call(function, memory.view(np.uint8), runs[left].copy(), columns[right].copy(), sums, keep))
        exact = elements[left] @ columns[right].transpose(0, 2, 1)
        wanted = (exact + np.where(keep[:, None, None], wanted, 0).astype(np.float64)).astype(np.float32)
    assert not sums.any()
    queue.compute()
    queue.compute()
    assert (sums.view(np.float32) == wanted).all()


def test_products_become_code_when_they_are_worth_it() -> None:
    """Once there have been so many; never those of shapes that code does not have."""

    def shape(rows: int, columns: int, depth: int = 16) -> dense.Shape:
        return dense.Shape(dense.Side(rows, "f16", 0), dense.Side(columns, "f16", 0), depth, "f32", clamp=True)

    assert shape(8, 16).terms == 8 * 16 * 16
    assert dense.function(shape(8, 16), dense.WORTH - 1) is None
    assert dense.function(shape(8, 16), 1) is not None
    for rows, columns, depth in ((6, 16, 16), (8, 12, 16), (64, 64, 2048)):
        assert dense.function(shape(rows, columns, depth), 2 * dense.WORTH) is None
    assert dense.function(shape(4, 8), dense.WORTH) is not None
