"""Kernels as their authors write them, on the simulator against NumPy: matrix products."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.tile.program import RNG, TARGETS, check
from weft.tile import (
    Global,
    atomic_add,
    block_id,
    cdiv,
    convert,
    coordinates,
    cta,
    ds,
    dtype,
    f16,
    f32,
    i8,
    i32,
    register,
    shared,
    tanh,
    u8,
    warp,
    warp_id,
    zeros,
)
from weft.tile import max as largest
from weft.tile.layouts import mma_layout, swizzled

BM = BN = BK = 32


def gemm(ka: str, kd: str, kb: str = "", transposed: bool = False, bias: bool = False) -> weft.tile.Kernel:
    """C[z] = A[z] @ B[z], or gelu(A[z] @ B[z] + V); rows of A any distance apart, B N x K where `transposed`."""
    kb = kb or ka
    b_shape, b_tile = (("N", "K"), (BN, BK)) if transposed else (("K", "N"), (BK, BN))

    @weft.kernel(threads=128, grid=lambda M, N, L: (cdiv(N, BN), cdiv(M, BM), L))
    def product(
        A: Global(ka, ("L", "M", "K"), ("al", "am", 1)),
        B: Global(kb, ("L", *b_shape)),
        C: Global(kd, ("L", "M", "N")),
        V: Global(f32, "N"),
    ):
        row, column, z = block_id(1) * BM, block_id(0) * BN, block_id(2)
        a, b, c = A[z], B[z], C[z]
        left, right = shared((BM, BK), ka, swizzled((BM, BK), ka)), shared(b_tile, kb, swizzled(b_tile, kb))
        x = register((16, BK), ka, mma_layout("a", (16, BK), ka))
        y = register((BK, 16), kb, mma_layout("b", (BK, 16), kb))
        total = zeros((16, 16), f32 if dtype(kd).is_float else i32, mma_layout("d", (16, 16), ka))
        my_row, my_column = warp_id() // 2 * 16, warp_id() % 2 * 16
        for k in range(0, a.shape[1], BK):
            cta.copy(left, a[row : row + BM, k : k + BK])
            if transposed:
                cta.copy(right, b[column : column + BN, k : k + BK])
            else:
                cta.copy(right, b[k : k + BK, column : column + BN])
            cta.sync()
            warp.copy(x, left[my_row : my_row + 16, :])
            warp.copy(y, (right.transpose() if transposed else right)[:, my_column : my_column + 16])
            warp.gemm(total, x, y)
            cta.sync()
        if bias:
            columns, added = coordinates(total, 1), zeros((16, 16), f32, total.layout)
            for place in range(len(added.storage)):
                at = column + my_column + columns.storage[place]
                added.storage[place] = V[at] if at < V.shape[0] else 0.0
            total = total + added
            total = total * 0.5 * (1.0 + tanh(0.7978845608 * (total + 0.044715 * total**3)))
        warp.copy(c[row + my_row : row + my_row + 16, ds(column + my_column, 16)], total.to(kd))

    return product


def ints(shape: tuple[int, ...], kind: str, low: int = -3, high: int = 4) -> np.ndarray:
    low, high = (0, 255) if kind == "u8" else (low, high)
    return RNG.integers(low, high, shape).astype(dtype(kind).numpy)


PRODUCTS = {
    "f16": (("f16", "f32"), (48, 40, 64)),
    "f16 odd": (("f16", "f32"), (33, 17, 45)),
    "f16 transposed": (("f16", "f16", "", True), (48, 40, 64)),
    "bf16 transposed odd": (("bf16", "f32", "", True), (35, 33, 37)),
    "tf32": (("f32", "f32"), (48, 40, 64)),
    "tf32 transposed": (("f32", "f32", "", True), (48, 40, 64)),
    "i8": (("i8", "i32"), (48, 40, 64)),
    "u8 transposed": (("u8", "i32", "", True), (48, 40, 64)),
    "u8 by i8": (("u8", "i32", "i8", True), (48, 40, 64)),
    "e4m3 transposed": (("e4m3", "f32", "", True), (48, 40, 64)),
    "e5m2 by e4m3": (("e5m2", "f32", "e4m3"), (48, 40, 64)),
    "bias and gelu": (("f16", "f32", "", False, True), (48, 40, 64)),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", PRODUCTS)
def test_products(name: str) -> None:
    given, (m, n, k) = PRODUCTS[name]
    ka, kd, kb, transposed, bias = (*given, *("", "", "", False, False)[len(given) :])
    batch = ints((2, m + 2, k + 8), ka)
    a, b = batch[:, :m, :k], ints((2, n, k) if transposed else (2, k, n), kb or ka)
    v = RNG.standard_normal(n).astype(np.float32)
    expected = a.astype(float) @ (b.astype(float).swapaxes(1, 2) if transposed else b.astype(float))
    if bias:
        expected = expected + v
        expected = 0.5 * expected * (1 + np.tanh(0.7978845608 * (expected + 0.044715 * expected**3)))
    kernel, c = gemm(ka, kd, kb, transposed, bias), np.zeros((2, m, n), dtype(kd).numpy)
    targets = TARGETS[1:] if ka.startswith("e") else TARGETS
    check(kernel, [a, b, c, v], {2: expected}, tol=2e-3 if bias else 0, targets=targets)


@weft.kernel(threads=32, grid=lambda M, N, splits: (N // 16, M // 16, splits))
def splitk(A: Global(f16, ("M", "K")), B: Global(f16, ("K", "N")), C: Global(f32, ("M", "N")), *, splits: int = 4):
    n0, m0, z = (block_id(0) * 16, block_id(1) * 16, block_id(2))
    ra = register((16, 16), f16, mma_layout("a", (16, 16), f16))
    rb = register((16, 16), f16, mma_layout("b", (16, 16), f16))
    acc = zeros((16, 16), f32, mma_layout("d", (16, 16), f16))
    for k0 in range(z * 16, A.shape[1], 16 * splits):
        warp.copy(ra, A[m0 : m0 + 16, k0 : k0 + 16])
        warp.copy(rb, B[k0 : k0 + 16, n0 : n0 + 16])
        warp.gemm(acc, ra, rb)
    r, c = (coordinates(acc, 0), coordinates(acc, 1))
    for p in range(len(acc.storage)):
        atomic_add(C, (m0 + r.storage[p], n0 + c.storage[p]), acc.storage[p])


@pytest.mark.slow
def test_splitk() -> None:
    a = ints((32, 96), "f16")
    b = ints((96, 32), "f16")
    check(splitk, [a, b, np.zeros((32, 32), np.float32)], {2: a.astype(float) @ b.astype(float)})


@weft.kernel(threads=32, grid=lambda M, N: (N // 8, M // 16))
def dequantised4(
    A: Global(f16, ("M", "K")), Q: Global(u8, ("K", "H")), scale: Global(f16, "N"), C: Global(f32, ("M", "N"))
):
    n0, m0 = (block_id(0) * 8, block_id(1) * 16)
    ra = register((16, 16), f16, mma_layout("a", (16, 16), f16))
    rb = register((16, 8), f16, mma_layout("b", (16, 8), f16))
    acc = zeros((16, 8), f32, mma_layout("d", (16, 8), f16))
    r, c = (coordinates(rb, 0), coordinates(rb, 1))
    for k0 in range(0, A.shape[1], 16):
        warp.copy(ra, A[m0 : m0 + 16, k0 : k0 + 16])
        for p in range(len(rb.storage)):
            col = n0 + c.storage[p]
            byte = convert(Q[k0 + r.storage[p], col // 2], i32)
            nib = byte >> 4 * (col % 2) & 15
            rb.storage[p] = convert(nib - 8, f16) * scale[col]
        warp.gemm(acc, ra, rb)
    warp.copy(C[m0 : m0 + 16, n0 : n0 + 8], acc)


@pytest.mark.slow
def test_dequant4() -> None:
    a = ints((16, 32), "f16")
    q = RNG.integers(0, 256, (32, 8)).astype(np.uint8)
    sc = np.array([1, 2] * 8, np.float16)
    w = np.empty((32, 16))
    w[:, 0::2] = (q & 15).astype(int) - 8
    w[:, 1::2] = (q >> 4).astype(int) - 8
    w = w * sc
    check(dequantised4, [a, q, sc, np.zeros((16, 16), np.float32)], {3: a.astype(float) @ w})


@weft.kernel(threads=32, grid=1)
def dequantised8(A: Global(f16, (16, 32)), Q: Global(i8, (32, 16)), sc: Global(f16, (1, 16)), C: Global(f32, (16, 16))):
    ra = register((16, 32), f16, mma_layout("a", (16, 32), f16))
    rq = register((32, 16), i8, mma_layout("b", (32, 16), f16))
    acc = zeros((16, 16), f32, mma_layout("d", (16, 16), f16))
    warp.copy(ra, A)
    warp.copy(rq, Q)
    warp.gemm(acc, ra, rq.to(f16))
    s = largest(zeros((16, 16), f16, acc.layout), 0, keepdims=True)
    warp.copy(s, sc)
    warp.copy(C, acc * s.to(f32))


def test_dequant8() -> None:
    a = ints((16, 32), "f16")
    q = ints((32, 16), "i8", -100, 100)
    sc = np.array([[1, 2] * 8], np.float16)
    check(dequantised8, [a, q, sc, np.zeros((16, 16), np.float32)], {3: a.astype(float) @ q.astype(float) * sc})
