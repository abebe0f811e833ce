"""Running sums of rows of any length, and the largest elements of rows: a warp a row."""

from __future__ import annotations

from typing import Annotated

from weft.tile import (
    Global,
    Tensor,
    block_id,
    coordinates,
    cumsum,
    ds,
    f32,
    full,
    gather,
    i32,
    kernel,
    loop,
    register,
    scatter,
    sort,
    sum,
    warp,
    warp_id,
    where,
    zeros,
)
from weft.tile.kernels.rows import grid, piece, threads
from weft.tile.layouts import row_layout

LOWEST = float("-inf")


@kernel(threads=threads, grid=grid)
def cumulative_sum(
    X: Annotated[Tensor, Global(f32, ("M", "N"))],
    Y: Annotated[Tensor, Global(f32, ("M", "N"))],
    *,
    warps: int = 4,
    width: int = 512,
) -> None:
    """Y[i, j] = X[i, 0] + ... + X[i, j], read once: each piece of a row begins with the sum of those before."""
    N = X.shape[1]
    row = block_id() * warps + warp_id()
    x = register((1, width), f32, piece(width))
    if row < X.shape[0]:
        before = sum(zeros((1, width), f32, piece(width)), 1, keepdims=True)
        for start in loop(0, N, width):
            warp.copy(x, X[ds(row, 1), ds(start, width)])
            warp.copy(Y[ds(row, 1), ds(start, width)], cumsum(x, 1) + before)
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
