"""More kernels in CUDA C, of all kinds: what they are launched on."""

# pyright: basic

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from quality.c_programs import program_in, reals, whole

F, D, U8, U32, U64, I32 = np.float32, np.float64, np.uint8, np.uint32, np.uint64, np.int32
LINE = (2,), (32,)


def _mixture(name: str, make: Callable[[Random], Any]) -> None:
    make.__name__ = name
    program_in("mixtures")(make)


def _words(rng: Random, *shape: int) -> Any:
    return whole(rng, 0, 1 << 32, *shape, type_=U32)


def _longs(rng: Random, *shape: int) -> Any:
    return whole(rng, 0, 1 << 63, *shape, type_=U64)


def _text(rng: Random, letters: bytes, *shape: int) -> Any:
    return np.frombuffer(letters, U8)[whole(rng, 0, len(letters), *shape)].copy()


def _horspool(rng: Random) -> Any:
    n, m = rng.randrange(40, 60), rng.randrange(2, 4)
    word = _text(rng, b"abc", m)
    shift = np.full(256, m, U8)
    for at, letter in enumerate(word[:-1]):
        shift[letter] = m - 1 - at
    return [_text(rng, b"abc", 64, n), word, shift, np.zeros(64, I32), n, m], *LINE


def _between(rng: Random) -> Any:
    n, w, h = rng.randrange(50, 64), rng.randrange(9, 20), rng.randrange(9, 20)
    return [reals(rng, h, w), reals(rng, n), reals(rng, n), np.zeros(n, F), n, w, h], *LINE


def _ell(rng: Random) -> Any:
    rows, width = rng.randrange(50, 64), rng.randrange(5, 12)
    values = reals(rng, width, rows).astype(D)
    return [values, whole(rng, -5, rows, width, rows), reals(rng, rows).astype(D), np.zeros(rows), rows, width], *LINE


def _csr(rng: Random) -> Any:
    rows = 8
    starts = np.cumsum(np.concatenate([[0], whole(rng, 5, 90, rows)])).astype(I32)
    count = int(starts[-1])
    return [starts, whole(rng, 0, 64, count), reals(rng, count), reals(rng, 64), np.zeros(rows, F), rows], (4,), (64,)


def _viterbi(rng: Random) -> Any:
    states, steps = rng.randrange(17, 32), rng.randrange(4, 8)
    made = [-reals(rng, states, states), -reals(rng, states, 8), whole(rng, 0, 8, steps)]
    return [*made, np.zeros(states, F), np.zeros((steps, states), U8), states, steps], (1,), (32,)


def _runs(rng: Random) -> Any:
    count, n = rng.randrange(20, 40), rng.randrange(200, 300)
    starts = np.unique(np.concatenate([[0], whole(rng, 1, n, count)])).astype(I32)
    return [starts, whole(rng, 0, 256, len(starts), type_=U8), np.zeros(n, U8), len(starts), n], *LINE


def _boxes(rng: Random) -> Any:
    nodes = np.zeros(31, np.dtype([("low", F, 3), ("left", I32), ("high", F, 3), ("right", I32)]))
    nodes["low"], nodes["high"] = reals(rng, 31, 3) * F(0.6), F(0.5) + reals(rng, 31, 3)
    for i in range(31):
        nodes[i]["left"], nodes[i]["right"] = (2 * i + 1, 2 * i + 2) if i < 15 else (-2 - i, 0)
    return [nodes.view(U8), reals(rng, 60, 6), np.zeros(60, I32), 60], *LINE


def _distances(rng: Random) -> Any:
    n, dims = rng.randrange(12, 17), rng.randrange(20, 30)
    return [reals(rng, n, dims), reals(rng, n, dims), np.zeros((n, n), F), n, dims], (2, 2), (8, 8)


def _radix4(rng: Random) -> Any:
    n = 4 * rng.randrange(48, 64)
    return [*(reals(rng, n) for _ in "abcd"), np.zeros(n, F), np.zeros(n, F), n], *LINE


def _transposed(rng: Random) -> Any:
    w, h = rng.randrange(20, 32), rng.randrange(20, 32)
    return [reals(rng, h, w), np.zeros((w, h), F), w, h], (2, 2), (16, 4)


def _kalman(rng: Random) -> Any:
    n, steps = rng.randrange(50, 64), rng.randrange(5, 12)
    return [reals(rng, steps, n), reals(rng, n, 2), reals(rng, n, 3), n, steps, F(0.1), F(0.01), F(0.3)], *LINE


def _high_order(rng: Random) -> Any:
    w, h = rng.randrange(40, 60), rng.randrange(12, 20)
    fields = [reals(rng, h, w).astype(D) for _ in "ab"]
    return [*fields, np.zeros((h, w)), w, h, D(0.01)], (2, 2), (32,)


def _quantised(rng: Random) -> Any:
    blocks = rng.randrange(3, 6)
    rows, x = whole(rng, 0, 256, 64, blocks * 16, type_=U8), whole(rng, -128, 128, blocks * 32, type_=np.int8)
    return [rows, reals(rng, 64, blocks), x, F(0.02), np.zeros(64, F), blocks], *LINE


def _halves(rng: Random) -> Any:
    rows, columns = rng.randrange(9, 20), rng.randrange(50, 64)
    halves = (reals(rng, rows, columns).view(U32) >> 16).astype(np.uint16)
    return [halves, np.zeros(columns, np.uint16), rows, columns], *LINE


_MADE: dict[str, Callable[[Random], Any]] = {
    "haar": lambda rng: ([reals(rng, 2, n := rng.randrange(100, 129)), np.zeros((2, n), F), n], (2,), (64,)),
    "small_floats": lambda rng: ([_words(rng, n := rng.randrange(100, 200)), np.zeros(4 * n, F), n], *LINE),
    "quantised_rows": _quantised,
    "tree_scan": lambda rng: ([whole(rng, 0, 99, n := rng.randrange(200, 256)), np.zeros(n, I32), n], (1,), (128,)),
    "sorted_pairs": lambda rng: (
        [reals(rng, n := rng.randrange(100, 128)), np.zeros(n, F), np.zeros(n, I32), n], (1,), (64,)
    ),
    "horspool": _horspool,
    "random_pair": lambda rng: (
        [np.zeros((64, n := rng.randrange(8, 16)), U32), U64(rng.randrange(1 << 60)), n], *LINE
    ),
    "between": _between,
    "ell": _ell,
    "transposed": _transposed,
    "bins": lambda rng: ([whole(rng, 0, 256, n := rng.randrange(500, 900), type_=U8), np.zeros(64, I32), n], *LINE),
    "wide_product": lambda rng: ([*(_longs(rng, 64, 4) for _ in "abc"), np.zeros((64, 4), U64)], *LINE),
    "table_rounds": lambda rng: (
        [_words(rng, 256), _words(rng, 4 * 16), _words(rng, 64, 4), np.zeros((64, 4), U32), rng.randrange(8, 15)], *LINE
    ),
    "chacha": lambda rng: ([_words(rng, 8), np.zeros((64, 16), U32), rng.randrange(1 << 30)], *LINE),
    "letters": lambda rng: (
        [whole(rng, 0, 256, 3 * (n := rng.randrange(100, 200)), type_=U8), np.zeros(4 * n, U8), n], *LINE
    ),
    "characters": lambda rng: (
        [_text(rng, b"abc\xc3\xa4\xe2\x82\xac", 64, n := rng.randrange(30, 50)), np.zeros(64, I32), n], *LINE
    ),
    "radix4": _radix4,
    "turned_points": lambda rng: (
        [reals(rng, n := rng.randrange(50, 64), 4), reals(rng, n, 3), np.zeros((n, 3), F), n], *LINE
    ),
    "bilateral": lambda rng: (
        [reals(rng, h := rng.randrange(5, 9), w := rng.randrange(40, 60)), np.zeros((h, w), F), w, h, F(0.3), F(2)],
        (2, 2), (32, 4),
    ),
    "runs": _runs,
    "boxes": _boxes,
    "csr_warps": _csr,
    "viterbi": _viterbi,
    "hues": lambda rng: (
        [whole(rng, 0, 256, n := rng.randrange(80, 120), 3, type_=U8), np.zeros((n, 3), F), n], *LINE
    ),
    "attend": lambda rng: (
        [reals(rng, 64, 8), reals(rng, n := rng.randrange(9, 17), 8), reals(rng, n, 8), np.zeros((64, 8), F), n, 8],
        *LINE,
    ),
    "powers": lambda rng: (
        [_longs(rng, 60), whole(rng, 1, 99, 60, type_=U64), np.zeros(60, U64), U64(rng.randrange(1 << 23, 1 << 24)),
         60],
        *LINE,
    ),
    "dates": lambda rng: ([whole(rng, -99999, 99999, n := rng.randrange(100, 200)), np.zeros(n, I32), n], *LINE),
    "numbers": lambda rng: ([_text(rng, b"0123456789.\0", 64, n := rng.randrange(9, 15)), np.zeros(64), n], *LINE),
    "shuffled": lambda rng: ([np.zeros((64, 32), U8), rng.randrange(1 << 30)], *LINE),
    "kalman": _kalman,
    "upper_halves": _halves,
    "distances": _distances,
    "high_order": _high_order,
}  # fmt: skip

for _name, _make in _MADE.items():
    _mixture(_name, _make)
