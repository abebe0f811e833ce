"""Products in f16 with f32 accumulation, for any M, N and K: plain, batched with bias and activation, split along K.

Each block computes a `block_m` x `block_n` tile of C with `warps_m` x `warps_n` warps.  `stages` tiles of A and B are
in shared memory: while the warps multiply one, `cp.async` brings the next ones.  Shared tiles are swizzled, so neither
the copies into them nor `ldmatrix` out of them have bank conflicts.  The result goes through shared memory, so that
global memory is written in whole lines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from weft.tile import (
    Buffer,
    Global,
    Tensor,
    accumulate,
    block_id,
    cdiv,
    coordinates,
    cta,
    ds,
    exp2,
    f16,
    f32,
    function,
    kernel,
    maximum,
    minimum,
    recast,
    register,
    shared,
    staged,
    tanh,
    u8,
    wait,
    warp,
    warp_id,
    zeros,
)
from weft.tile.kernels.constants import LOG2_E
from weft.tile.layouts import mma_layout, swizzled

STEP = 16
"""K of one `mma.sync.m16n8k16`."""


def _threads(warps_m: int, warps_n: int) -> int:
    return 32 * warps_m * warps_n


def _grid(M: int, N: int, block_m: int, block_n: int) -> tuple[int, int]:
    return cdiv(N, block_n), cdiv(M, block_m)


def _grid_of_batch(S: int, M: int, N: int, block_m: int, block_n: int) -> tuple[int, int, int]:
    return *_grid(M, N, block_m, block_n), S


def _grid_of_parts(M: int, N: int, block_m: int, block_n: int, parts: int) -> tuple[int, int, int]:
    return *_grid(M, N, block_m, block_n), parts


class Blocks:
    """How a product is cut: the tile of a block, its warps, the stages of its operands, all in shared memory."""

    def __init__(self, block_m: int, block_n: int, block_k: int, warps_m: int, warps_n: int, stages: int) -> None:
        self.block_m, self.block_n, self.block_k, self.stages = block_m, block_n, block_k, stages
        self.rows, self.columns = block_m // warps_m, block_n // warps_n
        self.row, self.column = warp_id() // warps_n * self.rows, warp_id() % warps_n * self.columns
        a, b = (stages, block_m, block_k), (stages, block_k, block_n)
        bytes_a, bytes_b = stages * block_m * block_k * 2, stages * block_k * block_n * 2
        storage = shared(max(bytes_a + bytes_b, block_m * block_n * 2), u8, alignment=1024)
        self.a = recast(storage, a, f16, swizzled(a, f16))
        self.b = recast(storage, b, f16, swizzled(b, f16), offset=bytes_a)
        self.c = recast(storage, (block_m, block_n), f16, swizzled((block_m, block_n), f16))

    def store(self, C: Tensor, row: Any, column: Any, total: Buffer) -> None:
        """Write the block's tile of C in whole lines, through shared memory."""
        cta.sync()
        warp.copy(self.c[ds(self.row, self.rows), ds(self.column, self.columns)], total.to(f16))
        cta.sync()
        cta.copy(C[ds(row, self.block_m), ds(column, self.block_n)], self.c)


@function
def block_product(A: Tensor, B: Tensor, row: Any, column: Any, first: Any, tiles: Any, by: Blocks) -> Buffer:
    """The warp's part of A[row:, K] @ B[K, column:] for `tiles` tiles along K from tile `first` on."""
    block_k = by.block_k
    left = register((by.rows, STEP), f16, mma_layout("a", (by.rows, STEP), f16))
    right = register((STEP, by.columns), f16, mma_layout("b", (STEP, by.columns), f16))
    total = zeros((by.rows, by.columns), f32, mma_layout("d", (by.rows, by.columns), f16))

    def bring(slot: Any, tile: Any) -> None:
        k = (tile + first) * block_k
        cta.copy_async(slot.a, A[ds(row, by.block_m), ds(k, block_k)])
        cta.copy_async(slot.b, B[ds(k, block_k), ds(column, by.block_n)])

    for _, slot in staged(by.stages, a=by.a, b=by.b).loop(tiles, bring):
        for step in range(0, block_k, STEP):
            warp.copy(left, slot.a[ds(by.row, by.rows), step : step + STEP])
            warp.copy(right, slot.b[step : step + STEP, ds(by.column, by.columns)])
            warp.gemm(total, left, right)

    wait(0)
    return total


@kernel(threads=_threads, grid=_grid)
def gemm(
    A: Annotated[Tensor, Global(f16, ("M", "K"))],
    B: Annotated[Tensor, Global(f16, ("K", "N"))],
    C: Annotated[Tensor, Global(f16, ("M", "N"))],
    *,
    block_m: int = 128,
    block_n: int = 128,
    block_k: int = 32,
    warps_m: int = 2,
    warps_n: int = 2,
    stages: int = 3,
) -> None:
    """C = A @ B: A is M x K, B is K x N, C is M x N, all row-major f16."""
    row, column = block_id(1) * block_m, block_id(0) * block_n
    by = Blocks(block_m, block_n, block_k, warps_m, warps_n, stages)
    total = block_product(A, B, row, column, 0, (A.shape[1] + (block_k - 1)) // block_k, by)
    by.store(C, row, column, total)


ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "none": lambda x: x,
    "relu": lambda x: maximum(x, 0.0),
    "silu": lambda x: x / (exp2(x * -LOG2_E) + 1.0),
    "gelu": lambda x: x * 0.5 * (tanh((x + x * x * x * 0.044715) * 0.7978845608) + 1.0),
}
"""What `linear` does to its sums, by name; `gelu` is the approximation by tanh."""


@kernel(threads=_threads, grid=_grid_of_batch)
def linear(
    A: Annotated[Tensor, Global(f16, ("S", "M", "K"))],
    B: Annotated[Tensor, Global(f16, ("T", "K", "N"))],
    bias: Annotated[Tensor, Global(f32, ("N",))],
    C: Annotated[Tensor, Global(f16, ("S", "M", "N"))],
    *,
    activation: str = "none",
    block_m: int = 128,
    block_n: int = 128,
    block_k: int = 32,
    warps_m: int = 2,
    warps_n: int = 2,
    stages: int = 3,
) -> None:
    """C[s] = activation(A[s] @ B[s] + bias) for a batch of S; one B for all where T is 1."""
    row, column, s = block_id(1) * block_m, block_id(0) * block_n, block_id(2)
    by = Blocks(block_m, block_n, block_k, warps_m, warps_n, stages)
    b = B[minimum(s, B.shape[0] - 1)]
    total = block_product(A[s], b, row, column, 0, (A.shape[2] + (block_k - 1)) // block_k, by)
    added = register(total.shape, f32, total.layout)
    for i in range(0, by.rows, 1):
        warp.copy(added[i : i + 1, :], bias[ds(column + by.column, by.columns)])
    by.store(C[s], row, column, ACTIVATIONS[activation](total + added))


@kernel(threads=_threads, grid=_grid_of_parts)
def split_gemm(
    A: Annotated[Tensor, Global(f16, ("M", "K"))],
    B: Annotated[Tensor, Global(f16, ("K", "N"))],
    C: Annotated[Tensor, Global(f32, ("M", "N"))],
    *,
    parts: int = 4,
    block_m: int = 128,
    block_n: int = 128,
    block_k: int = 32,
    warps_m: int = 2,
    warps_n: int = 2,
    stages: int = 3,
) -> None:
    """C += A @ B with K split among `parts` blocks, for a long K and few tiles of C; C (f32) is zero before."""
    row, column = block_id(1) * block_m, block_id(0) * block_n
    by = Blocks(block_m, block_n, block_k, warps_m, warps_n, stages)
    tiles = (A.shape[1] + (block_k - 1)) // block_k
    each = (tiles + (parts - 1)) // parts
    first = block_id(2) * each
    total = block_product(A, B, row, column, first, minimum(each, tiles - first), by)
    accumulate(C, total, coordinates(total, 0) + (row + by.row), coordinates(total, 1) + (column + by.column))
