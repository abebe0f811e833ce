"""More kernels in CUDA C, of signals, words and fields: what they are launched on."""

# pyright: basic

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from quality.c_programs import program_in, reals, whole

F = np.float32


@program_in("signals")
def median(rng: Random) -> Any:
    w, h = rng.randrange(40, 60), rng.randrange(6, 9)
    p = whole(rng, 0, 256, h, w, type_=np.uint8)
    return [p, np.zeros_like(p), w, h], (2, 2), (32, 4)


@program_in("signals")
def gradient(rng: Random) -> Any:
    w, h = rng.randrange(40, 60), rng.randrange(6, 9)
    p = reals(rng, h, w)
    return [p, np.zeros_like(p), np.zeros((h, w), np.int32), w, h], (2, 2), (32, 4)


@program_in("signals")
def turned(rng: Random) -> Any:
    w, h = rng.randrange(40, 60), rng.randrange(6, 9)
    p = reals(rng, h, w)
    return [p, np.zeros_like(p), w, h, F(0.96), F(0.28)], (2, 2), (32, 4)


@program_in("signals")
def cosines(rng: Random) -> Any:
    return [reals(rng, 2, 64), reals(rng, 64), reals(rng, 2, 64)], (2,), (64,)


@program_in("signals")
def fourier16(rng: Random) -> Any:
    sizes = ((32, 16), (32, 16), (8,), (8,), (32, 16), (32, 16))
    return [reals(rng, *s) for s in sizes], (1,), (32,)


@program_in("signals")
def biquad(rng: Random) -> Any:
    n = rng.randrange(30, 60)
    return [reals(rng, 32, n), reals(rng, 32, n), n, *(F(v) for v in (0.2, 0.3, 0.2, -0.5, 0.3))], (1,), (32,)


@program_in("signals")
def adpcm(rng: Random) -> Any:
    n = rng.randrange(30, 60)
    samples, steps = whole(rng, -9000, 9000, 32, n, type_=np.int16), whole(rng, 7, 4000, 16, type_=np.int16)
    return [samples, np.zeros((32, n), np.uint8), steps, n], (1,), (32,)


@program_in("signals")
def march(rng: Random) -> Any:
    spheres = reals(rng, rng.randrange(3, 7), 4) + np.array([0, 0, 3, 0], np.float32)
    return [spheres, reals(rng, 64), len(spheres), 8, 20], (2,), (32,)


@program_in("signals")
def blend(rng: Random) -> Any:
    n = rng.randrange(150, 250)
    a, b = (whole(rng, 0, 256, 3 * n, type_=np.uint8) for _ in "ab")
    return [a, b, np.zeros_like(a), n, rng.randrange(256)], (2,), (64,)


@program_in("signals")
def chroma(rng: Random) -> Any:
    w = 2 * rng.randrange(40, 60)
    planes = [np.zeros((4, w), np.uint8), *(np.zeros((2, w // 2), np.uint8) for _ in "uv")]
    return [whole(rng, 0, 1 << 32, 4, w, type_=np.uint32), *planes, w], (2, 2), (32,)


@program_in("bits")
def sha256(rng: Random) -> Any:
    words = [whole(rng, 0, 1 << 32, n, type_=np.uint32) for n in (512, 64, 256)]
    return words, (1,), (32,)


@program_in("bits")
def philox(rng: Random) -> Any:
    return [np.zeros((64, 6), np.uint32), rng.randrange(1 << 20), rng.randrange(1 << 20), 3], (2,), (32,)


@program_in("bits")
def hash64(rng: Random) -> Any:
    n = rng.randrange(9, 20)
    return [whole(rng, 0, 1 << 62, 32, n, type_=np.uint64), np.zeros(32, np.uint64), n], (1,), (32,)


@program_in("bits")
def shift_or(rng: Random) -> Any:
    n, m = rng.randrange(40, 60), 2
    masks = whole(rng, 0, 4, 256, type_=np.uint32) | np.uint32(0xFFFFFFFC)
    return [whole(rng, 0, 256, 64, n, type_=np.uint8), masks, np.zeros(64, np.int32), n, m], (1,), (64,)


@program_in("bits")
def distance(rng: Random) -> Any:
    n = rng.randrange(12, 20)
    texts = [whole(rng, 97, 101, 32, k, type_=np.uint8) for k in (n, 16)]
    return [*texts, np.zeros(32, np.int32), n, rng.randrange(10, 17)], (1,), (32,)


@program_in("bits")
def morton(rng: Random) -> Any:
    n = rng.randrange(50, 64)
    out = [np.zeros(n, np.uint32) for _ in "ab"]
    return [whole(rng, 0, 1 << 16, n, 2, type_=np.uint32), *out, n], (2,), (32,)


@program_in("bits")
def life(rng: Random) -> Any:
    w, h = rng.randrange(20, 32), rng.randrange(3, 6)
    cells = whole(rng, 0, 1 << 32, h, w, type_=np.uint32)
    return [cells, np.zeros_like(cells), w, h], (1, h), (32,)


@program_in("bits")
def rank(rng: Random) -> Any:
    n = rng.randrange(70, 96)
    return [whole(rng, 0, 1 << 32, n, type_=np.uint32), np.zeros(n, np.int32), n], (3,), (32,)


@program_in("bits")
def varints(rng: Random) -> Any:
    n = 60
    data = whole(rng, 0, 256, 10 * n, type_=np.uint8)
    data[9::10] &= 127
    return [data, np.arange(n, dtype=np.int32) * 10, np.zeros(n, np.uint64), n], (2,), (32,)


@program_in("bits")
def montgomery(rng: Random) -> Any:
    p = 2013265921
    inverse = int(-pow(p, -1, 1 << 32) % (1 << 32))
    a, b = (whole(rng, 0, p, 64, type_=np.uint32) for _ in "ab")
    return (
        [a, b, np.zeros_like(a), p, inverse - (1 << 32) if inverse >> 31 else inverse, rng.randrange(9, 20)],
        (2,),
        (32,),
    )


@program_in("bits")
def fixed(rng: Random) -> Any:
    n = 60
    a, b = whole(rng, -(1 << 20), 1 << 20, n), whole(rng, 70000, 1 << 20, n)
    return [a, b, np.zeros(n, np.int32), np.zeros(n, np.uint32), n], (2,), (32,)


@program_in("bits")
def digits(rng: Random) -> Any:
    n = rng.randrange(50, 64)
    return [whole(rng, 0, 1 << 32, n, type_=np.uint32), np.zeros(10 * n, np.uint8), n], (2,), (32,)


@program_in("fields")
def csr(rng: Random) -> Any:
    rows, most = 8, rng.randrange(60, 90)
    starts = np.concatenate([[0], np.cumsum(whole(rng, 5, most, rows))]).astype(np.int32)
    count = int(starts[-1])
    return [starts, whole(rng, 0, 64, count), reals(rng, count), reals(rng, 64), reals(rng, rows), rows], (4,), (64,)


@program_in("fields")
def relax(rng: Random) -> Any:
    n = rng.randrange(30, 34)
    u, f = (reals(rng, n, n).astype(np.float64) for _ in "uf")
    return [u, f, n, rng.randrange(2), np.float64(0.01), np.float64(1.5)], (1, 6), (32,)


@program_in("fields")
def thomas(rng: Random) -> Any:
    n = rng.randrange(20, 40)
    arrays = [reals(rng, 32, n) for _ in range(6)]
    arrays[1] += 3
    return [*arrays, n], (1,), (32,)


@program_in("fields")
def deposit(rng: Random) -> Any:
    n, w = rng.randrange(50, 64), 12
    return [*(reals(rng, n) for _ in range(3)), np.zeros((12, w), np.int32), n, w, F(10)], (2,), (32,)


@program_in("fields")
def lattice(rng: Random) -> Any:
    cells = rng.randrange(50, 64)
    return [reals(rng, 9, cells), reals(rng, 9, cells), cells, F(0.7)], (2,), (32,)


@program_in("fields")
def wave(rng: Random) -> Any:
    shape = rng.randrange(12, 16), 10, rng.randrange(30, 40)
    return [*(reals(rng, *shape) for _ in range(3)), shape[2], shape[1], shape[0], F(0.1)], (1, 2), (32,)


@program_in("fields")
def option(rng: Random) -> Any:
    return [reals(rng, 64), rng.randrange(1 << 20), rng.randrange(20, 50), F(0.01), F(0.2), F(0.9)], (2,), (32,)


@program_in("fields")
def cholesky(rng: Random) -> Any:
    a = reals(rng, 32, 4, 4).astype(np.float64)
    return [a @ a.transpose(0, 2, 1) + np.eye(4), np.zeros((32, 4, 4))], (1,), (32,)


@program_in("fields")
def codebook(rng: Random) -> Any:
    words, count = rng.randrange(3, 6), rng.randrange(6, 12)
    data = [whole(rng, 0, 1 << 32, k, words, type_=np.uint32) for k in (32, count)]
    return [*data, np.zeros(32, np.int32), count, words], (1,), (32,)


@program_in("fields")
def transposition(rng: Random) -> Any:
    return [whole(rng, -999, 999, 128), rng.randrange(20, 40)], (1,), (64,)


@program_in("fields")
def floyd(rng: Random) -> Any:
    n = rng.randrange(40, 60)
    return [whole(rng, 0, 99, n, n), n, rng.randrange(n)], (2, 6), (32,)
