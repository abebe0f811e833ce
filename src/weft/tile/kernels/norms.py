"""Layer norm and RMS norm of rows of any length, forward and backward: a warp a row.

Statistics are taken in f32.  Layer norm reads a row three times (mean, variance about the mean, result), so that rows
far from zero keep their digits; RMS norm twice.
"""

from __future__ import annotations

from typing import Annotated, Any

from weft.tile import (
    Buffer,
    DType,
    Global,
    Scalar,
    Tensor,
    accumulate,
    block_id,
    coordinates,
    ds,
    f32,
    kernel,
    loop,
    rsqrt,
    sum,
    warp,
    warp_id,
    where,
)
from weft.tile.kernels.rows import Pieces, grid, threads

Rows = Annotated[Tensor, Global("kind", ("M", "N"))]
Row = Annotated[Tensor, Global("weights", ("N",))]
Sums = Annotated[Tensor, Global(f32, ("N",))]
Column = Annotated[Tensor, Global(f32, ("M",))]
Number = Annotated[Scalar, f32]


@kernel(threads=threads, grid=grid)
def rms_norm(
    X: Rows,
    weight: Row,
    Y: Rows,
    R: Column,
    epsilon: Number,
    *,
    kind: DType = f32,
    weights: DType = f32,
    warps: int = 4,
    width: int = 512,
) -> None:
    """Y = X * r * weight, r = 1 / sqrt(mean(X^2) + epsilon) of each row, which R keeps for the way back."""
    N = X.shape[1]
    row = block_id() * warps + warp_id()
    pieces = Pieces(row, width, kind)
    if row < X.shape[0]:
        total = pieces.full(0.0)
        for start in loop(0, N, width):
            x = pieces.read(X, start)
            total = total + x * x
        r = rsqrt(sum(total, 1, keepdims=True) / N + epsilon)
        warp.copy(R[ds(row, 1)], r[:, 0:1])
        for start in loop(0, N, width):
            pieces.write(Y, start, pieces.read(X, start) * r * pieces.read(weight, start))


@kernel(threads=threads, grid=grid)
def rms_norm_backward(
    X: Rows,
    weight: Row,
    R: Column,
    dY: Rows,
    dX: Rows,
    dW: Sums,
    *,
    kind: DType = f32,
    weights: DType = f32,
    warps: int = 4,
    width: int = 512,
) -> None:
    """The gradients of `rms_norm`: dX = r (dY w - x r^2 mean(dY w x)); dW, which is zero before, gets dY x r added."""
    N = X.shape[1]
    row = block_id() * warps + warp_id()
    pieces = Pieces(row, width, kind)
    if row < X.shape[0]:
        r, total = R[row], pieces.full(0.0)
        for start in loop(0, N, width):
            total = total + pieces.read(dY, start) * pieces.read(weight, start) * pieces.read(X, start)
        common = sum(total, 1, keepdims=True) / N * (r * r)
        for start in loop(0, N, width):
            x, d = pieces.read(X, start), pieces.read(dY, start)
            pieces.write(dX, start, (d * pieces.read(weight, start) - x * common) * r)
            add_to(dW, d * x * r, start)


@kernel(threads=threads, grid=grid)
def layer_norm(
    X: Rows,
    weight: Row,
    bias: Row,
    Y: Rows,
    mean: Column,
    R: Column,
    epsilon: Number,
    *,
    kind: DType = f32,
    weights: DType = f32,
    warps: int = 4,
    width: int = 512,
) -> None:
    """Y = (X - mean) * r * weight + bias, r = 1 / sqrt(variance + epsilon); mean and R keep both for the way back."""
    N = X.shape[1]
    row = block_id() * warps + warp_id()
    pieces = Pieces(row, width, kind)
    if row < X.shape[0]:
        total = pieces.full(0.0)
        for start in loop(0, N, width):
            total = total + pieces.read(X, start)
        middle = sum(total, 1, keepdims=True) / N
        spread = pieces.full(0.0)
        for start in loop(0, N, width):
            centred = where(pieces.column < N - start, pieces.read(X, start) - middle, 0.0)
            spread = spread + centred * centred
        r = rsqrt(sum(spread, 1, keepdims=True) / N + epsilon)
        warp.copy(mean[ds(row, 1)], middle[:, 0:1])
        warp.copy(R[ds(row, 1)], r[:, 0:1])
        for start in loop(0, N, width):
            h = (pieces.read(X, start) - middle) * r
            pieces.write(Y, start, h * pieces.read(weight, start) + pieces.read(bias, start))


@kernel(threads=threads, grid=grid)
def layer_norm_backward(
    X: Rows,
    weight: Row,
    mean: Column,
    R: Column,
    dY: Rows,
    dX: Rows,
    dW: Sums,
    dB: Sums,
    *,
    kind: DType = f32,
    weights: DType = f32,
    warps: int = 4,
    width: int = 512,
) -> None:
    """The gradients of `layer_norm`: with h = (x - mean) r, dX = r (dY w - mean(dY w) - h mean(dY w h)); dW and dB,
    which are zero before, get dY h and dY added.
    """
    N = X.shape[1]
    row = block_id() * warps + warp_id()
    pieces = Pieces(row, width, kind)
    if row < X.shape[0]:
        r, middle = R[row], mean[row]
        total, product = pieces.full(0.0), pieces.full(0.0)
        for start in loop(0, N, width):
            d = pieces.read(dY, start) * pieces.read(weight, start)
            total = total + d
            product = product + d * (pieces.read(X, start) - middle) * r
        first, second = sum(total, 1, keepdims=True) / N, sum(product, 1, keepdims=True) / N
        for start in loop(0, N, width):
            h = where(pieces.column < N - start, (pieces.read(X, start) - middle) * r, 0.0)
            d = pieces.read(dY, start)
            pieces.write(dX, start, (d * pieces.read(weight, start) - first - h * second) * r)
            add_to(dW, d * h, start)
            add_to(dB, d, start)


def add_to(sums: Tensor, part: Buffer, start: Any) -> None:
    """Add a piece of a row to a row that all rows are added to."""
    accumulate(sums, part, coordinates(part, 1) + start)
