"""Images as the rows of a product: the pixels under a tap of a convolution's window, by TMA in its im2col mode.

    image = pixels(X, window=(3, 3), pad=1)                  # X is N x H x W x C
    with ring.fill() as slot:                                # slot.x has 128 rows of 64 channels
        cta.copy_async(slot.x, image.column(m * 128, 128, tap=(r, s), channels=ds(c * 64, 64)))

The rows are the pixels of the result, of one image after another; what lies outside of an image is zero.
"""

from __future__ import annotations

from typing import Any

from weft.dataclass import dataclass
from weft.tile.regions import Span
from weft.tile.scalars import is_number
from weft.tile.tensors import Tensor
from weft.tile.trace import error


@dataclass(frozen=True)
class Window:
    """Where a window goes over an image, in the order of the tensor's dimensions: the first and (counted from the
    image's last pixel) the last place of its first tap, and the steps between.
    """

    lower: tuple[int, ...]
    upper: tuple[int, ...]
    steps: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Column:
    """What one tap of the window sees of some channels, for `count` pixels of the result from one on."""

    image: Pixels
    coordinates: tuple[Any, ...]
    offsets: tuple[Any, ...]
    sizes: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Pixels:
    """Images that a window goes over (`pixels`); `shape` is that of the result, with the tensor's channels."""

    tensor: Tensor
    window: Window
    dilation: tuple[int, ...]
    shape: tuple[Any, ...]

    def column(self, first: Any, count: int, *, tap: tuple[Any, ...], channels: Span) -> Column:
        """What a tap of the window sees for the pixels `first` to `first` + `count` - 1 of the result."""
        if not isinstance(channels, Span) or len(tap) != len(self.dilation) or not all(map(is_number, (first, *tap))):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise error("a column needs a first pixel, a tap and channels", "write tap=(r, s), channels=ds(c * 64, 64)")
        places: list[Any] = []
        for extent, low, step in zip(
            self.shape[-2:0:-1], self.window.lower[::-1], self.window.steps[::-1], strict=True
        ):
            places.insert(0, first % extent * step + low)
            first = first // extent
        offsets = tuple(at * by for at, by in zip(tap, self.dilation, strict=True))
        return Column(self, (first, *places, channels.start), offsets, (count, channels.size))


def pixels(
    tensor: Tensor,
    window: tuple[int, ...],
    *,
    pad: int | tuple[int, ...] = 0,
    stride: int | tuple[int, ...] = 1,
    dilation: int | tuple[int, ...] = 1,
) -> Pixels:
    """Images (N x W x C, N x H x W x C or N x D x H x W x C) as seen by a window of taps, padded with zeros.

    Raises:
        CompileError: the tensor is not one of images, or the other arguments are not constants for each of its
            dimensions.
    """
    rank = len(window)
    if not isinstance(tensor, Tensor) or tensor.prefix or len(tensor.shape) != rank + 2 or not 1 <= rank <= 3:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise error(f"{tensor!r} cannot hold images for a window of {rank} dimensions", "N x H x W x C, window=(3, 3)")
    each = [x if isinstance(x, tuple) else (x,) * rank for x in (pad, stride, dilation)]
    least: list[tuple[object, int]] = [
        (x, at) for values, at in zip((window, *each), (1, 0, 1, 1), strict=True) for x in values
    ]
    constant = all(isinstance(x, int) and x >= at for x, at in least)
    if not constant or any(len(x) != rank for x in each):
        raise error("window, pad, stride and dilation must be constants, one per dimension", "window=(3, 3), pad=1")
    pads, strides, dilations = each
    reach = [by * (taps - 1) for by, taps in zip(dilations, window, strict=True)]
    extents = (
        (extent + (2 * around - over - 1)) // step + 1
        for extent, around, over, step in zip(tensor.shape[1:-1], pads, reach, strides, strict=True)
    )
    found = Window(
        tuple(-x for x in pads), tuple(x - over for x, over in zip(pads, reach, strict=True)), tuple(strides)
    )
    return Pixels(tensor, found, tuple(dilations), (tensor.shape[0], *extents, tensor.shape[-1]))
