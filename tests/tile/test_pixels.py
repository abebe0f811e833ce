"""Convolutions by columns of pixels (im2col): windows, pads, strides and dilations that are drawn, against NumPy."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Any

import numpy as np
import pytest

import weft
from tests.tile.program import RING, refused
from weft.errors import CompileError
from weft.tile import (
    Global,
    Tensor,
    cdiv,
    cta,
    ds,
    f16,
    f32,
    kernel,
    loop,
    persistent,
    pipeline,
    pixels,
    raster,
    register,
    role,
    tile,
    warpgroup,
    wgmma_layout,
)
from weft.toolchain import find


@kernel(grid=persistent)
def convolution(
    X: Annotated[Tensor, Global(f16, ("N", "H", "W", "C"))],
    F: Annotated[Tensor, Global(f16, ("T", "K", "C"))],
    Y: Annotated[Tensor, Global(f16, ("M", "K"))],
    *,
    window: tuple[int, int] = (3, 3),
    pad: tuple[int, int] = (1, 1),
    stride: tuple[int, int] = (1, 1),
    dilation: tuple[int, int] = (1, 1),
    channels: int = 64,
) -> None:
    """Rows are the pixels of the result; a step along K is a tap and some channels."""
    C, (M, K) = X.shape[3], Y.shape
    image = pixels(X, window, pad=pad, stride=stride, dilation=dilation)
    ring = pipeline(3, x=tile(f16, 64, channels), f=tile(f16, 64, channels))
    out = pipeline(1, y=tile(f16, 64, 64), kind="store")
    work = raster(cdiv(M, 64), cdiv(K, 64))
    with role(warps=1, registers=40):
        for m, n in work:
            for t in loop(window[0] * window[1]):
                for c in loop(cdiv(C, channels)):
                    some = ds(c * channels, channels)
                    with ring.fill() as slot:
                        tap = (t // window[1], t % window[1])
                        cta.copy_async(slot.x, image.column(m * 64, 64, tap=tap, channels=some))
                        cta.copy_async(slot.f, F[t, ds(n * 64, 64), some])
    with role(warpgroups=1, registers=232):
        total = register((64, 64), f32, wgmma_layout("d", (64, 64)))
        for m, n in work:
            for k in loop(window[0] * window[1] * cdiv(C, channels)):
                with ring.take(behind=1) as slot:
                    warpgroup.gemm_async(total, slot.x, slot.f.transpose(), add=k > 0)
            warpgroup.wait(0)
            with out.fill() as slot:
                warpgroup.copy(slot.y, total.to(f16))
                cta.copy_async(Y[ds(m * 64, 64), ds(n * 64, 64)], slot.y)


def convolved(x: Any, f: Any, window: Any, pad: Any, stride: Any, dilation: Any) -> Any:
    """By its definition, tap by tap."""
    around = np.pad(x.astype(np.float32), ((0, 0), (pad[0],) * 2, (pad[1],) * 2, (0, 0)))
    p, q = ((around.shape[1 + i] - dilation[i] * (window[i] - 1) - 1) // stride[i] + 1 for i in range(2))
    total: Any = 0
    for number, (r, s) in enumerate(product(range(window[0]), range(window[1]))):
        r, s = r * dilation[0], s * dilation[1]
        seen = around[:, r : r + p * stride[0] : stride[0], s : s + q * stride[1] : stride[1]][:, :p, :q]
        total = total + seen @ f[number].astype(np.float32).T
    return total


def check(seed: int) -> None:
    random: Any = np.random.default_rng(seed)
    draw = lambda low, high: tuple(int(x) for x in random.integers(low, high, 2))  # noqa: E731
    window, pad, stride, dilation = draw(1, 4), draw(0, 3), draw(1, 4), draw(1, 3)
    n, c, k = int(random.integers(1, 4)), 8 * int(random.integers(1, 12)), 8 * int(random.integers(1, 9))
    h, w = (int(random.integers(1, 12)) + dilation[i] * (window[i] - 1) for i in range(2))
    x = random.integers(-2, 3, (n, h, w, c)).astype(np.float16)
    f = random.integers(-2, 3, (window[0] * window[1], k, c)).astype(np.float16)
    wanted = convolved(x, f, window, pad, stride, dilation).reshape(-1, k)
    y = np.zeros(wanted.shape, np.float16)
    options: dict[str, Any] = {"window": window, "pad": pad, "stride": stride, "dilation": dilation}
    options["channels"] = 128 if seed % 3 == 0 else 64
    convolution.run(x, f, y, options=options, check="strict", async_="lazy")
    np.testing.assert_array_equal(y, wanted.astype(np.float16))


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [23, *range(22)])
def test_convolutions(seed: int) -> None:
    check(seed)


def test_explained_and_assembled() -> None:
    multiples = {"C": 8, "K": 8}
    assert "tma_im2col  chosen" in convolution.explain("sm_90a", multiples=multiples)
    if find("ptxas"):
        assert weft.assemble(convolution.module("sm_90a", multiples=multiples)).kernel("convolution").spills == 0


HEAD = RING.replace("A: Global(f16, ('M', 64))", "A: Global(f16, ('N', 'H', 64))")
FILLING = "image = pixels(A, (3,))\nwith role(warps=1), ring.fill() as slot:\n"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("pixels(A, (3, 3))  #", "cannot hold images for a window of 2 dimensions"),
        ("pixels(A, (3,), pad=(1, 1))  #", "one per dimension"),
        ("pixels(A, (3,)).column(0, 64, tap=(1, 1), channels=ds(0, 64))  #", "a column needs a first pixel"),
        (
            f"{FILLING}    cta.copy_async(slot, image.column(0, 32, tap=(1,), channels=ds(0, 64)))  #",
            "identical regions",
        ),
    ],
)
def test_refused(body: str, said: str) -> None:
    refused(HEAD, body, said, "sm_90a")


ARE_NOT = "cannot hold images for a window of {} dimensions"
CONSTANTS = "window, pad, stride and dilation must be constants, one per dimension"


@pytest.mark.parametrize(
    ("between", "window", "more", "said"),
    [
        *(((9,) * rank, (1,) * rank, {}, None) for rank in (1, 2, 3)),
        *(((9,) * rank, (1,) * rank, {}, ARE_NOT.format(rank)) for rank in (0, 4)),
        ((9, 9, 9), (1, 1), {}, ARE_NOT.format(2)),
        ((9,), (1, 1), {}, ARE_NOT.format(2)),
        *(((9, 9), (3, 3), {name: given}, None) for name in ("pad", "stride", "dilation") for given in (1, (1, 2))),
        ((9, 9), (3, 3), {"pad": (0, 1)}, None),
        ((9, 9), (3, 0), {}, CONSTANTS),
        *(((9, 9), (3, 3), {"pad": given}, CONSTANTS) for given in (-1, (1, -1), 1.0, (1,), (1, 1, 1))),
        *(((9, 9), (3, 3), {name: given}, CONSTANTS) for name in ("stride", "dilation") for given in (0, (1, 0), (1,))),
    ],
)
def test_what_is_an_image(between: Any, window: Any, more: Any, said: str | None) -> None:
    """One to three dimensions between the first and the last, and constants for each; only pads may be 0."""

    @kernel(threads=32, grid=1)
    def looks(X: Global(f16, (4, *between, 8))):
        image = pixels(X, window, **more)
        assert len(image.shape) == len(window) + 2

    if said is None:
        looks.mlir()
        return
    with pytest.raises(CompileError) as caught:
        looks.mlir()
    assert caught.value.message.endswith(said)
