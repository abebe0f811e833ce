"""Atomic operations, votes, print and assert of kernels; the tile dialect's text of what they are made of."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.mlir import parse_mlir, print_mlir
from weft.sim import KernelFault
from weft.tile import (
    Global,
    S,
    atomic_add,
    atomic_and,
    atomic_compare_exchange,
    atomic_exchange,
    atomic_max,
    atomic_min,
    atomic_or,
    atomic_xor,
    ballot,
    cta,
    dtype,
    f32,
    i32,
    register,
    shared,
    shuffle,
    shuffle_down,
    sum,
    thread_id,
    tx,
    u32,
    vote_all,
    vote_any,
    warp,
    zeros,
)
from weft.tile.layouts import mma_layout


@weft.kernel(threads=32, grid=1)
def tells(n: i32, x: f32):
    assert n > 2, "n is large"
    if thread_id() == n:
        print("thread", thread_id(), "has", x, "of 100%")


def test_print_and_assert() -> None:
    assert "".join(tells.run(3, 1.5).output) == "thread 3 has 1.5 of 100%\n"
    with pytest.raises(KernelFault, match="n is large"):
        tells.run(2, 1.5)


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", ["i32", "u32", "i64", "u64"])
def test_atomic_operations(kind: str) -> None:
    functions = (atomic_add, atomic_max, atomic_min, atomic_and, atomic_or, atomic_xor)

    @weft.kernel(threads=64, grid=1)
    def kernel(x: Global(kind, 64), out: Global(kind, len(functions)), told: Global(kind, 64), last: Global(kind, 2)):
        mine = shared(len(functions), kind)
        t = thread_id()
        if t < len(functions):
            mine[t] = 5
        cta.sync()
        for at, function in enumerate(functions):
            function(mine, at, x[t])
        cta.sync()
        if t < len(functions):
            out[t] = mine[t]
        told[t] = atomic_add(last, 0, 1)
        if t == 7:
            atomic_exchange(last, 1, 9)
            atomic_compare_exchange(last, 1, 8, 1)
            atomic_compare_exchange(last, -1, 9, 3)

    numbers = np.random.default_rng(1)
    x = numbers.integers(0 if kind[0] == "u" else -100, 100, 64).astype(dtype(kind).numpy)
    x[5] = -7 if kind[0] == "i" else np.iinfo(x.dtype).max
    out, told, last = np.zeros(len(functions), x.dtype), np.zeros(64, x.dtype), np.zeros(2, x.dtype)
    kernel.run(x, out, told, last)
    ufuncs = (np.add, np.maximum, np.minimum, np.bitwise_and, np.bitwise_or, np.bitwise_xor)
    assert out.tolist() == [f.reduce(x, initial=x.dtype.type(5), dtype=x.dtype) for f in ufuncs]
    assert (sorted(told.tolist()), last.tolist()) == (list(range(64)), [64, 3])


@pytest.mark.parametrize("kind", ["f32", "f64", "f16"])
def test_atomic_sums_of_floats(kind: str) -> None:
    @weft.kernel(threads=64, grid=2)
    def kernel(out: Global(kind, 3)):
        atomic_add(out, thread_id() % 3, 0.5)

    out = np.zeros(3, dtype(kind).numpy)
    kernel.run(out)
    assert out.tolist() == [22, 21, 21]


@weft.kernel(threads=32, grid=1)
def votes(x: Global(i32, 32), out: Global(u32, 4), y: Global(i32, 32)):
    t = thread_id()
    odd = x[t] % 2 == 1
    y[t] = shuffle(x[t], 3) + shuffle_down(x[t], 1)
    out[0] = ballot(odd)
    out[1], out[2], out[3] = vote_any(odd), vote_all(odd), vote_all(x[t] >= 0)


def test_votes_and_shuffles() -> None:
    x = np.random.default_rng(2).integers(0, 9, 32).astype(np.int32)
    out, y = np.zeros(4, np.uint32), np.zeros(32, np.int32)
    votes.run(x, out, y)
    assert out.tolist() == [sum_of_bits(x % 2 == 1), 1, 0, 1]
    assert y.tolist() == (x[3] + np.append(x[1:], x[-1])).tolist()


def sum_of_bits(holds: np.ndarray) -> int:
    return int((holds.astype(np.int64) << np.arange(32)).sum())


@weft.kernel(threads=64, grid=1)
def everything(a: Global("u8", (16, 32)), b: Global("i8", (32, 8)), out: Global(i32, 4)):
    left = register((16, 32), "u8", mma_layout("a", (16, 32), "u8"))
    right = register((32, 8), "i8", mma_layout("b", (32, 8), "i8"))
    product = zeros((16, 8), i32, mma_layout("d", (16, 8), "i8"))
    cell = shared((2, 2), i32)
    line = register(64, u32, S[64 : 1 @ tx])
    warp.copy(left, a)
    warp.copy(right, b)
    warp.gemm(product, left, right)
    columns = sum(product, 0)[None, :] // 7
    atomic_add(cell, (1, 0), columns.storage[0])
    whole = sum(line == 3) + sum(line)
    out[0] = cell[1, 0] + whole


def test_the_dialect_as_text() -> None:
    text = everything.mlir()
    for name in ("unsigned_a", "tile.reshape", "tile.address", "unsigned", "tile.reduce"):
        assert name in text
    assert print_mlir(parse_mlir(text, "tile.mlir")) == text
    assert weft.compile(text, "sm_90").to_ptx() == everything.ptx("sm_90")
