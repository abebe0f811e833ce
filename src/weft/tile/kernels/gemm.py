"""Products of f16 or bf16, summed in f32, for any M, N, K: plain, batched with bias and activation, split along K,
or streamed.

Each block computes a `block_m` x `block_n` tile of C with `warps_m` x `warps_n` warps.  `stages` tiles of A and B are
in shared memory: while the warps multiply one, `cp.async` brings the next ones.  Shared tiles are swizzled, so neither
the copies into them nor `ldmatrix` out of them have bank conflicts.  The result goes through shared memory, so that
global memory is written in whole lines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Protocol

from weft.layout import TileLayout
from weft.tile import (
    Buffer,
    DType,
    Global,
    Tensor,
    accumulate,
    ahead,
    along,
    block_id,
    cdiv,
    coordinates,
    cta,
    ds,
    exp2,
    f16,
    f32,
    function,
    i32,
    kernel,
    loop,
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


def threads(warps_m: int, warps_n: int) -> int:
    """A warp for each part of a block's tile."""
    return 32 * warps_m * warps_n


def grid(M: int, N: int, block_m: int, block_n: int) -> tuple[int, int]:
    """A block for each tile of C."""
    return cdiv(N, block_n), cdiv(M, block_m)


def _grid_of_batch(S: int, M: int, N: int, block_m: int, block_n: int) -> tuple[int, int, int]:
    return *grid(M, N, block_m, block_n), S


def _grid_of_parts(M: int, N: int, block_m: int, block_n: int, parts: int) -> tuple[int, int, int]:
    return *grid(M, N, block_m, block_n), parts


def _grid_as_told(blocks: int) -> int:
    return blocks


class Cut(Protocol):
    """How a product is cut: the tile of a block, and whether B is N x K."""

    block_m: int
    block_n: int
    block_k: int
    turned: bool


class Blocks:
    """How a product is cut: the tile of a block, its warps, the stages of its operands, all in shared memory.

    `kind` is the operands' type, `result` that of C.  With `turned`, B is N x K, as it must be where elements are
    bytes: `ldmatrix` transposes pairs of them.  Four lanes hold eight sums side by side, as many bytes as one has bits.
    """

    def __init__(
        self,
        kind: DType,
        block_m: int,
        block_n: int,
        block_k: int,
        warps_m: int,
        warps_n: int,
        stages: int,
        *,
        result: DType | None = None,
        turned: bool = False,
        ahead: int = 0,
    ) -> None:
        self.kind, self.result, self.turned, self.ahead = kind, result or kind, turned, ahead
        self.block_m, self.block_n, self.block_k, self.stages = block_m, block_n, block_k, stages
        self.rows, self.columns = block_m // warps_m, block_n // warps_n
        self.row, self.column = warp_id() // warps_n * self.rows, warp_id() % warps_n * self.columns
        self.step = 256 // kind.bits  # K of one `mma.sync`
        self.sums = f32 if kind.is_float else i32
        a, b = (stages, block_m, block_k), (stages, *((block_n, block_k) if turned else (block_k, block_n)))
        c = (block_m, block_n)
        bytes_a, bytes_b = (stages * extent * block_k * kind.bits // 8 for extent in c)
        storage = shared(max(bytes_a + bytes_b, block_m * block_n * self.result.bits // 8), u8, alignment=1024)
        self.a = recast(storage, a, kind, swizzled(a, kind))
        self.b = recast(storage, b, kind, swizzled(b, kind), offset=bytes_a)
        self.c = recast(storage, c, self.result, swizzled(c, self.result, piece=self.result.bits))

    def layout(self, operand: str, shape: tuple[int, int]) -> TileLayout:
        """The layout of an operand of the warps' products."""
        return mma_layout(operand, shape, self.kind)

    def store(self, C: Tensor, row: Any, column: Any, total: Buffer) -> None:
        """Write the block's tile of C in whole lines, through shared memory."""
        cta.sync()
        warp.copy(self.c[ds(self.row, self.rows), ds(self.column, self.columns)], total.to(self.result))
        cta.sync()
        cta.copy(C[ds(row, self.block_m), ds(column, self.block_n)], self.c)


Fetch = Callable[[Any, Any], None]
"""Brings the tiles of A and B from an index along K on to a slot's `a` and `b`."""


def dense(A: Tensor, B: Tensor, row: Any, column: Any, by: Cut) -> Fetch:
    """What brings the tiles of the block's rows of A and columns of B."""

    def fetch(slot: Any, k: Any) -> None:
        cta.copy_async(slot.a, A[ds(row, by.block_m), ds(k, by.block_k)])
        fetch_columns(slot, B, column, k, by)

    return fetch


def fetch_columns(slot: Any, B: Tensor, column: Any, k: Any, by: Cut) -> None:
    """Bring a tile of the block's columns of B."""
    if by.turned:
        cta.copy_async(slot.b, B[ds(column, by.block_n), ds(k, by.block_k)])
    else:
        cta.copy_async(slot.b, B[ds(k, by.block_k), ds(column, by.block_n)])


@function
def block_product(fetch: Fetch, first: Any, tiles: Any, by: Blocks) -> Buffer:
    """The warp's part of the block's A @ B for `tiles` tiles along K from tile `first` on."""
    step = by.step
    total = zeros((by.rows, by.columns), by.sums, by.layout("d", (by.rows, by.columns)))

    def bring(slot: Any, tile: Any) -> None:
        fetch(slot, (tile + first) * by.block_k)

    for _, slot in staged(by.stages, a=by.a, b=by.b).loop(tiles, bring):

        def fragments(k: int, slot: Any = slot) -> tuple[Buffer, Buffer]:
            left = register((by.rows, step), by.kind, by.layout("a", (by.rows, step)))
            right = register((step, by.columns), by.kind, by.layout("b", (step, by.columns)))
            b = slot.b.transpose() if by.turned else slot.b
            warp.copy(left, slot.a[ds(by.row, by.rows), ds(k, step)])
            warp.copy(right, b[ds(k, step), ds(by.column, by.columns)])
            return left, right

        for _, (left, right) in ahead(range(0, by.block_k, step), fragments, by.ahead):
            warp.gemm(total, left, right)

    wait(0)
    return total


@kernel(threads=threads, grid=grid)
def gemm(
    A: Annotated[Tensor, Global("kind", ("M", "K"))],
    B: Annotated[Tensor, Global("kind", ("K", "N"))],
    C: Annotated[Tensor, Global("kind", ("M", "N"))],
    *,
    kind: DType = f16,
    block_m: int = 128,
    block_n: int = 128,
    block_k: int = 32,
    warps_m: int = 2,
    warps_n: int = 2,
    stages: int = 3,
    ahead: int = 0,
) -> None:
    """C = A @ B: A is M x K, B is K x N, C is M x N, all row-major, f16 or bf16.

    `ahead` is how many products before its own a fragment is loaded; ptxas moves loads up by itself.
    """
    row, column = block_id(1) * block_m, block_id(0) * block_n
    by = Blocks(kind, block_m, block_n, block_k, warps_m, warps_n, stages, ahead=ahead)
    total = block_product(dense(A, B, row, column, by), 0, cdiv(A.shape[1], block_k), by)
    by.store(C, row, column, total)


ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "none": lambda x: x,
    "relu": lambda x: maximum(x, 0.0),
    "silu": lambda x: x / (exp2(x * -LOG2_E) + 1.0),
    "gelu": lambda x: x * 0.5 * (tanh((x + x * x * x * 0.044715) * 0.7978845608) + 1.0),
}
"""What `linear` does to its sums, by name; `gelu` is the approximation by tanh."""


@kernel(threads=threads, grid=_grid_of_batch)
def linear(
    A: Annotated[Tensor, Global("kind", ("S", "M", "K"))],
    B: Annotated[Tensor, Global("kind", ("T", "K", "N"))],
    bias: Annotated[Tensor, Global(f32, ("N",))],
    C: Annotated[Tensor, Global("kind", ("S", "M", "N"))],
    *,
    kind: DType = f16,
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
    by = Blocks(kind, block_m, block_n, block_k, warps_m, warps_n, stages)
    b = B[minimum(s, B.shape[0] - 1)]
    total = block_product(dense(A[s], b, row, column, by), 0, cdiv(A.shape[2], block_k), by)
    added = along(total, 1, f32)
    warp.copy(added, bias[ds(column + by.column, by.columns)])
    by.store(C[s], row, column, ACTIVATIONS[activation](total + added))


@kernel(threads=threads, grid=_grid_of_parts)
def split_gemm(
    A: Annotated[Tensor, Global("kind", ("M", "K"))],
    B: Annotated[Tensor, Global("kind", ("K", "N"))],
    C: Annotated[Tensor, Global(f32, ("M", "N"))],
    *,
    kind: DType = f16,
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
    by = Blocks(kind, block_m, block_n, block_k, warps_m, warps_n, stages)
    tiles = cdiv(A.shape[1], block_k)
    each = cdiv(tiles, parts)
    first = block_id(2) * each
    total = block_product(dense(A, B, row, column, by), first, minimum(each, tiles - first), by)
    accumulate(C, total, coordinates(total, 0) + (row + by.row), coordinates(total, 1) + (column + by.column))


@kernel(threads=threads, grid=_grid_as_told)
def stream_gemm(
    A: Annotated[Tensor, Global("kind", ("M", "K"))],
    B: Annotated[Tensor, Global("kind", ("K", "N"))],
    C: Annotated[Tensor, Global(f32, ("M", "N"))],
    *,
    kind: DType = f16,
    blocks: int = 108,
    block_m: int = 128,
    block_n: int = 128,
    block_k: int = 32,
    warps_m: int = 2,
    warps_n: int = 2,
    stages: int = 3,
) -> None:
    """C += A @ B by so many blocks, as the GPU has multiprocessors, whatever the sizes: each does as many steps along K
    as any other, of one tile after another, from where the block before it stops (stream-K).  C (f32) is zero before.
    """
    by = Blocks(kind, block_m, block_n, block_k, warps_m, warps_n, stages)
    across, steps = cdiv(C.shape[1], block_n), cdiv(A.shape[1], block_k)
    work = cdiv(C.shape[0], block_m) * across * steps
    each = cdiv(work, blocks)
    start = block_id(0) * each
    stop = minimum(start + each, work)
    for at in loop(start // steps, cdiv(stop, steps)):
        row, column = at // across * block_m, at % across * block_n
        first = maximum(start - at * steps, 0)
        last = minimum(stop - at * steps, steps)
        total = block_product(dense(A, B, row, column, by), first, last - first, by)
        accumulate(C, total, coordinates(total, 0) + (row + by.row), coordinates(total, 1) + (column + by.column))
        cta.sync()  # before the next tile's copies replace what others still multiply
