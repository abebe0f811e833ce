"""Layer norm and RMS norm of rows of any length, forward and backward: a warp a row.

Statistics are taken in f32.  Layer norm reads a row three times (mean, variance about the mean, result), so that rows
far from zero keep their digits; RMS norm twice.
"""

from __future__ import annotations

from typing import Annotated, Any

from weft.tile import (
    Buffer,
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
    register,
    rsqrt,
    sum,
    warp,
    warp_id,
    where,
)
from weft.tile.kernels.rows import grid, piece, threads, zeros_like

Rows = Annotated[Tensor, Global(f32, ("M", "N"))]
Row = Annotated[Tensor, Global(f32, ("N",))]
Column = Annotated[Tensor, Global(f32, ("M",))]
Number = Annotated[Scalar, f32]


@kernel(threads=threads, grid=grid)
def rms_norm(X: Rows, weight: Row, Y: Rows, R: Column, epsilon: Number, *, warps: int = 4, width: int = 512) -> None:
    """Y = X * r * weight, r = 1 / sqrt(mean(X^2) + epsilon) of each row, which R keeps for the way back."""
    N = X.shape[1]
    row = block_id() * warps + warp_id()
    x, scale = register((1, width), f32, piece(width)), register((1, width), f32, piece(width))
    if row < X.shape[0]:
        total = zeros_like(width)
        for start in loop(0, N, width):
            warp.copy(x, X[ds(row, 1), ds(start, width)])
            total = total + x * x
        r = rsqrt(sum(total, 1, keepdims=True) / N + epsilon)
        warp.copy(R[ds(row, 1)], r[:, 0:1])
        for start in loop(0, N, width):
            warp.copy(x, X[ds(row, 1), ds(start, width)])
            warp.copy(scale, weight[ds(start, width)])
            warp.copy(Y[ds(row, 1), ds(start, width)], x * r * scale)


@kernel(threads=threads, grid=grid)
def rms_norm_backward(
    X: Rows, weight: Row, R: Column, dY: Rows, dX: Rows, dW: Row, *, warps: int = 4, width: int = 512
) -> None:
    """The gradients of `rms_norm`: dX = r (dY w - x r^2 mean(dY w x)); dW, which is zero before, gets dY x r added."""
    N = X.shape[1]
    row = block_id() * warps + warp_id()
    x, scale, d = (register((1, width), f32, piece(width)) for _ in range(3))
    if row < X.shape[0]:
        r, total = R[row], zeros_like(width)
        for start in loop(0, N, width):
            warp.copy(x, X[ds(row, 1), ds(start, width)])
            warp.copy(scale, weight[ds(start, width)])
            warp.copy(d, dY[ds(row, 1), ds(start, width)])
            total = total + d * scale * x
        common = sum(total, 1, keepdims=True) / N * (r * r)
        for start in loop(0, N, width):
            warp.copy(x, X[ds(row, 1), ds(start, width)])
            warp.copy(scale, weight[ds(start, width)])
            warp.copy(d, dY[ds(row, 1), ds(start, width)])
            warp.copy(dX[ds(row, 1), ds(start, width)], (d * scale - x * common) * r)
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
    warps: int = 4,
    width: int = 512,
) -> None:
    """Y = (X - mean) * r * weight + bias, r = 1 / sqrt(variance + epsilon); mean and R keep both for the way back."""
    N = X.shape[1]
    row = block_id() * warps + warp_id()
    x, scale, offset = (register((1, width), f32, piece(width)) for _ in range(3))
    column = coordinates(x, 1)
    if row < X.shape[0]:
        total = zeros_like(width)
        for start in loop(0, N, width):
            warp.copy(x, X[ds(row, 1), ds(start, width)])
            total = total + x
        middle = sum(total, 1, keepdims=True) / N
        spread = zeros_like(width)
        for start in loop(0, N, width):
            warp.copy(x, X[ds(row, 1), ds(start, width)])
            centred = where(column < N - start, x - middle, 0.0)
            spread = spread + centred * centred
        r = rsqrt(sum(spread, 1, keepdims=True) / N + epsilon)
        warp.copy(mean[ds(row, 1)], middle[:, 0:1])
        warp.copy(R[ds(row, 1)], r[:, 0:1])
        for start in loop(0, N, width):
            warp.copy(x, X[ds(row, 1), ds(start, width)])
            warp.copy(scale, weight[ds(start, width)])
            warp.copy(offset, bias[ds(start, width)])
            warp.copy(Y[ds(row, 1), ds(start, width)], (x - middle) * r * scale + offset)


@kernel(threads=threads, grid=grid)
def layer_norm_backward(
    X: Rows, weight: Row, mean: Column, R: Column, dY: Rows, dX: Rows, dW: Row, dB: Row,
    *, warps: int = 4, width: int = 512,
) -> None:  # fmt: skip
    """The gradients of `layer_norm`: with h = (x - mean) r, dX = r (dY w - mean(dY w) - h mean(dY w h)); dW and dB,
    which are zero before, get dY h and dY added.
    """
    N = X.shape[1]
    row = block_id() * warps + warp_id()
    x, scale, d = (register((1, width), f32, piece(width)) for _ in range(3))
    column = coordinates(x, 1)
    if row < X.shape[0]:
        r, middle = R[row], mean[row]
        total, product = zeros_like(width), zeros_like(width)
        for start in loop(0, N, width):
            warp.copy(x, X[ds(row, 1), ds(start, width)])
            warp.copy(scale, weight[ds(start, width)])
            warp.copy(d, dY[ds(row, 1), ds(start, width)])
            total = total + d * scale
            product = product + d * scale * (x - middle) * r
        first, second = sum(total, 1, keepdims=True) / N, sum(product, 1, keepdims=True) / N
        for start in loop(0, N, width):
            warp.copy(x, X[ds(row, 1), ds(start, width)])
            warp.copy(scale, weight[ds(start, width)])
            warp.copy(d, dY[ds(row, 1), ds(start, width)])
            h = where(column < N - start, (x - middle) * r, 0.0)
            warp.copy(dX[ds(row, 1), ds(start, width)], (d * scale - first - h * second) * r)
            add_to(dW, d * h, start)
            add_to(dB, d, start)


def add_to(sums: Tensor, part: Buffer, start: Any) -> None:
    """Add a piece of a row to a row that all rows are added to."""
    accumulate(sums, part, coordinates(part, 1) + start)
