"""The GEMM example's index arithmetic, thread by thread in NumPy: it computes A @ B, without bank conflicts.

This models what the kernel means, with the fragment layouts of the PTX manual ("Matrix Fragments for mma.m16n8k16",
"ldmatrix"); that weft's PTX means the same is for other tests.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

Array = npt.NDArray[np.float64]
LANES = range(32)


def ldmatrix_x4(memory: Array, rows: list[tuple[int, int]], transpose: bool) -> Array:
    """Fragments [lane, matrix, 2] of four 8 x 8 matrices, whose rows start where lane `8 * matrix + row` points."""
    matrices = [np.stack([memory[r, c : c + 8] for r, c in rows[8 * q : 8 * q + 8]]) for q in range(4)]
    if transpose:
        matrices = [matrix.T for matrix in matrices]
    return np.array([[m[lane // 4, lane % 4 * 2 : lane % 4 * 2 + 2] for m in matrices] for lane in LANES])


def mma_m16n8k16(a: Array, b: Array, c: Array) -> Array:
    """D fragments [lane, 2, 2] of a 16 x 8 x 16 product from A fragments [lane, 4, 2] and B fragments [lane, 2, 2]."""
    left, right, result = np.zeros((16, 16)), np.zeros((16, 8)), c.copy()
    for lane in LANES:
        group, pair = lane // 4, lane % 4 * 2
        for q in range(4):
            row, column = group + q % 2 * 8, pair + q // 2 * 8
            left[row, column : column + 2] = a[lane, q]
        for q in range(2):
            right[8 * q + pair : 8 * q + pair + 2, group] = b[lane, q]
    product = left @ right
    for lane in LANES:
        for half in range(2):
            result[lane, half] += product[lane // 4 + 8 * half, lane % 4 * 2 : lane % 4 * 2 + 2]
    return result


def fragment_rows(row: int, column: int) -> list[tuple[int, int]]:
    """Where the lanes point ldmatrix: row l % 16, column (l / 16) * 8 of a 16 x 16 tile."""
    return [(row + lane % 16, column + lane // 16 * 8) for lane in LANES]


def run_block(a: Array, b: Array, c: Array, block: tuple[int, int]) -> None:
    """One block of the kernel, with its two stages of shared memory."""
    tile_m, tile_n = 64 * block[1], 64 * block[0]
    depth = a.shape[1]
    shared_a, shared_b = np.full((2, 64, 40), np.nan), np.full((2, 32, 72), np.nan)
    sums = np.zeros((4, 2, 4, 32, 2, 2))

    def fill(stage: int, k: int) -> None:
        for thread in range(128):
            for i in range(2):
                row, column = thread // 4 + 32 * i, thread % 4 * 8
                shared_a[stage, row, column : column + 8] = a[tile_m + row, k + column : k + column + 8]
                row, column = thread // 8 + 16 * i, thread % 8 * 8
                shared_b[stage, row, column : column + 8] = b[k + row, tile_n + column : tile_n + column + 8]

    fill(0, 0)
    for step, k in enumerate(range(0, depth, 32)):
        stage = step % 2
        if k + 32 < depth:
            fill(1 - stage, k + 32)
        for k_slice in (0, 16):
            for warp in range(4):
                m, n = warp // 2 * 32, warp % 2 * 32
                fa = [ldmatrix_x4(shared_a[stage], fragment_rows(m + 16 * i, k_slice), False) for i in range(2)]
                fb = [ldmatrix_x4(shared_b[stage], fragment_rows(k_slice, n + 16 * i), True) for i in range(2)]
                for i in range(2):
                    for j in range(4):
                        pair = fb[j // 2][:, j % 2 * 2 : j % 2 * 2 + 2]
                        sums[warp, i, j] = mma_m16n8k16(fa[i], pair, sums[warp, i, j])

    for warp, i, j, lane, half in np.ndindex(4, 2, 4, 32, 2):
        row = tile_m + warp // 2 * 32 + lane // 4 + 16 * i + 8 * half
        column = tile_n + warp % 2 * 32 + lane % 4 * 2 + 8 * j
        c[row, column : column + 2] = sums[warp, i, j, lane, half]


def test_computes_the_product() -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(-4, 5, (128, 96)).astype(np.float64)
    b = rng.integers(-4, 5, (96, 64)).astype(np.float64)
    c = np.full((128, 64), np.nan)
    for block in np.ndindex(1, 2):
        run_block(a, b, c, (block[0], block[1]))
    np.testing.assert_array_equal(c, a @ b)


@pytest.mark.parametrize("row_halves", [40, 72])
def test_ldmatrix_reads_without_bank_conflicts(row_halves: int) -> None:
    """The eight rows of one 8 x 8 matrix, 16 bytes each, cover all 32 banks once."""
    banks = [(row * row_halves * 2 // 4 + word) % 32 for row in range(8) for word in range(4)]
    assert len(set(banks)) == 32
