"""Running sums of rows of any length, and the largest elements of rows: a warp a row."""

from __future__ import annotations

from typing import Annotated

from weft.tile import (
    DType,
    Global,
    Tensor,
    block_id,
    coordinates,
    cumsum,
    f32,
    full,
    gather,
    i32,
    kernel,
    loop,
    scatter,
    sort,
    sum,
    warp_id,
    where,
)
from weft.tile.kernels.rows import Pieces, grid, threads
from weft.tile.layouts import row_layout

LOWEST = float("-inf")


@kernel(threads=threads, grid=grid)
def cumulative_sum(
    X: Annotated[Tensor, Global("kind", ("M", "N"))],
    Y: Annotated[Tensor, Global("kind", ("M", "N"))],
    *,
    kind: DType = f32,
    warps: int = 4,
    width: int = 512,
) -> None:
    """Y[i, j] = X[i, 0] + ... + X[i, j], read once: each piece of a row begins with the sum of those before, in f32."""
    N = X.shape[1]
    row = block_id() * warps + warp_id()
    pieces = Pieces(row, width, kind)
    if row < X.shape[0]:
        before = sum(pieces.full(0.0), 1, keepdims=True)
        for start in loop(0, N, width):
            x = pieces.read(X, start)
            pieces.write(Y, start, cumsum(x, 1) + before)
            before = before + sum(x, 1, keepdims=True)


@kernel(threads=threads, grid=grid)
def top_k(
    X: Annotated[Tensor, Global(f32, ("M", "N"))],
    largest: Annotated[Tensor, Global(f32, ("M", "K"))],
    places: Annotated[Tensor, Global(i32, ("M", "K"))],
    *,
    warps: int = 4,
    most: int = 32,
) -> None:
    """The K largest elements of each row in descending order, and where they are; K is at most `most`, a power of two
    from 16 on.  Where a row has fewer than K elements the rest is -infinity, at -1.

    The first half of what is sorted are the largest so far, the second half the next `most` elements of the row.
    """
    N = X.shape[1]
    row = block_id() * warps + warp_id()
    layout = row_layout((1, 2 * most))
    keys = full((1, 2 * most), LOWEST, f32, layout)
    found = full((1, 2 * most), -1, i32, layout)
    column = coordinates(keys, 1)
    if row < X.shape[0]:
        for start in loop(0, N, most):
            place = column + (start - most)
            fresh = column >= most
            more = gather(X, row, where(fresh, place, -1), other=LOWEST)
            inside = fresh * (place < N)
            keys, found = sort(
                where(fresh, more, keys), 1, values=where(inside, place, where(fresh, -1, found)), descending=True
            )
        kept = where(column < most, column, -1)
        scatter(largest, keys, row, kept)
        scatter(places, found, row, kept)
