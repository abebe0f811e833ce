"""What tile kernels compute: element-wise functions, reductions, casts, coordinates, choices."""

from __future__ import annotations

import builtins
from typing import Any

from xdsl.dialects.builtin import UnitAttr

from weft.dialects.engine.making import new
from weft.errors import LayoutError
from weft.layout import Iter, TileLayout, m
from weft.tile import scalars
from weft.tile.buffers import Buffer, cast, elementwise, register, tile_of
from weft.tile.dtypes import dtype, f32, i32, mask
from weft.tile.regions import Region
from weft.tile.scalars import Scalar, is_number, scalar
from weft.tile.trace import current, error


def _unary(name: str, x: Any) -> Any:
    x = tile_of(x)
    if isinstance(x, Buffer):
        return elementwise(name, x)
    if not is_number(x):
        raise error(f"{x!r} is neither a number nor a tile")
    return scalars.unary(name, x if isinstance(x, Scalar) else scalar(float(x), f32))


def exp(x: Any) -> Any:
    """e^x, by `ex2.approx`."""
    return _unary("exp", x)


def exp2(x: Any, *, flush: bool = False) -> Any:
    """2^x, by `ex2.approx`.

    With `flush`, results below the smallest normal number are 0, which saves three of four instructions for f32.
    """
    return _unary("exp2_flushed" if flush else "exp2", x)


def log(x: Any) -> Any:
    """The natural logarithm, by `lg2.approx`."""
    return _unary("log", x)


def log2(x: Any) -> Any:
    """The logarithm to base 2, by `lg2.approx`."""
    return _unary("log2", x)


def sqrt(x: Any) -> Any:
    """The square root."""
    return _unary("sqrt", x)


def rsqrt(x: Any) -> Any:
    """1 / sqrt(x), by `rsqrt.approx`."""
    return _unary("rsqrt", x)


def tanh(x: Any) -> Any:
    """The hyperbolic tangent, by `tanh.approx`."""
    return _unary("tanh", x)


def sin(x: Any) -> Any:
    """The sine, by `sin.approx`."""
    return _unary("sin", x)


def cos(x: Any) -> Any:
    """The cosine, by `cos.approx`."""
    return _unary("cos", x)


def floor(x: Any) -> Any:
    """Round down to a whole number, which is still a float."""
    return _unary("floor", x)


def ceil(x: Any) -> Any:
    """Round up to a whole number, which is still a float."""
    return _unary("ceil", x)


def trunc(x: Any) -> Any:
    """Round towards zero to a whole number, which is still a float."""
    return _unary("trunc", x)


def round(x: Any) -> Any:
    """The nearest whole number, the even one of two, still a float."""
    return _unary("round", x)


def _either(name: str, a: Any, b: Any) -> Any:
    if any(isinstance(x, Buffer | Region) for x in (a, b)):
        return elementwise(name, a, b)
    if isinstance(a, Scalar) or isinstance(b, Scalar):
        return scalars.binary(name, a, b)
    return builtins.max(a, b) if name == "max" else builtins.min(a, b)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two values; of a number and a NaN, the number."""
    return _either("max", a, b)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two values; of a number and a NaN, the number."""
    return _either("min", a, b)


def fma(a: Any, b: Any, c: Any) -> Any:
    """a * b + c, with a single rounding for tiles."""
    if any(isinstance(x, Buffer | Region) for x in (a, b, c)):
        return elementwise("fma", a, b, c)
    return a * b + c


def clamp(x: Any, low: Any, high: Any) -> Any:
    """Limit x to the range from `low` to `high`."""
    return minimum(maximum(x, low), high)


def where(condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition holds (is not 0), else `b`."""
    if any(isinstance(x, Buffer | Region) for x in (condition, a, b)):
        return elementwise("where", condition, a, b)
    if isinstance(condition, Scalar):
        return scalars.where(condition, a, b)
    return a if condition else b


def coordinates(like: Buffer, dimension: int) -> Buffer:
    """A tile with the layout of another, whose elements (i32) are their coordinates in a dimension."""
    like = tile_of(like)
    result = register(like.shape, i32, like.layout)
    current().add(new("tile.iota", result.value, dimension=dimension_of(like, dimension)))
    return result


def along(like: Buffer, dimension: int, kind: object) -> Buffer:
    """A new tile in registers with one element per place along a dimension of another tile, such as a bias per column.

    Its other extents are 1, and each thread holds the elements that go with its elements of `like`.  It is not
    initialised.
    """
    like = tile_of(like)
    dimension, shape, layout = dimension_of(like, dimension), like.shape, like.layout
    for other in range(len(like.shape)):
        if other != dimension:
            layout = reduced_layout(layout, shape, other)
            shape = (*shape[:other], 1, *shape[other + 1 :])
    return register(shape, kind, layout)


def dimension_of(tile: Buffer, given: int) -> int:
    """The number of a tile's dimension, which may count from the end; raises CompileError where there is none."""
    rank = len(tile.shape)
    if not isinstance(given, int) or not -rank <= given < rank:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise error(f"dimension {given!r} is out of range for a tile of {rank} dimensions")
    return given % rank


def fill(tile: Any, value: Any) -> None:
    """Set all elements of a tile in registers, or of a region of one, to a number."""
    tile = tile_of(tile)
    if not isinstance(tile, Buffer):
        raise error(f"{tile!r} is not in registers", "fill a tile in registers and copy it")
    current().add(new("tile.fill", tile.value, scalar(value, tile.dtype).value))


def zeros(shape: int | tuple[int, ...], kind: object, layout: Any = None) -> Buffer:
    """A tile of zeros in registers, with elements of type `kind`."""
    return full(shape, 0, kind, layout)


def full(shape: int | tuple[int, ...], value: Any, kind: object, layout: Any = None) -> Buffer:
    """A tile in registers with the same number in all elements."""
    tile = register(shape, kind, layout)
    fill(tile, value)
    return tile


Axes = int | tuple[int, ...] | None


def _reduce(name: str, tile: Any, axis: Axes, *, keepdims: bool) -> Any:
    tile = tile_of(tile)
    if not isinstance(tile, Buffer):
        raise error(f"{tile!r} is not a tile in registers", "use maximum or minimum for two numbers")
    if tile.dtype is mask:
        tile = cast(tile, i32)
    given = range(len(tile.shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = dict.fromkeys(dimension_of(tile, each) for each in given)
    for each in axes:
        tile = _along(name, tile, each)
    if keepdims:
        return tile
    kept = tuple(extent for at, extent in enumerate(tile.shape) if at not in axes)
    return tile.reshape(*kept) if kept else tile.storage[0]


def _along(name: str, tile: Buffer, axis: int) -> Buffer:
    """A tile combined along a dimension, which then has extent 1."""
    shape = (*tile.shape[:axis], 1, *tile.shape[axis + 1 :])
    result = register(shape, tile.dtype, reduced_layout(tile.layout, tile.shape, axis))
    unsigned = UnitAttr() if tile.dtype.kind == "uint" else None
    current().add(new("tile.reduce", result.value, tile.value, function=name, dimension=axis, unsigned=unsigned))
    return result


def reduced_layout(layout: Any, shape: tuple[int, ...], axis: int) -> TileLayout:
    """The layout of what is left when a dimension is combined: every thread that held an element has the result."""
    try:
        grouped = layout.canonicalize().group(shape)
    except LayoutError as failure:
        raise error(f"dimension {axis} of {layout} cannot be isolated: {failure.message}") from None
    kept = [each for at, run in enumerate(grouped.groups) if at != axis for each in run]
    gone = [each for each in grouped.groups[axis] if each.axis.thread]
    places = 1
    shard: list[Iter] = []
    for each in reversed(kept):
        if each.axis.thread:
            shard.append(each)
        else:
            shard.append(Iter(each.extent, places, each.axis))
            places *= each.extent
    threads = [(a, value) for a, value in layout.offset if a.thread]
    replica = [each for each in layout.replica if each.axis.thread]
    return TileLayout(tuple(reversed(shard)) or (Iter(1, 1, m),), (*replica, *gone), tuple(threads))


def sum(tile: Buffer, axis: Axes = -1, *, keepdims: bool = False) -> Any:
    """The sum along a dimension, or several (None: all); of floats in the order of registers, lanes, warps.

    Without `keepdims` the dimension is gone, and where none is left, the result is a number.  Where the
    dimension is spread over warps, they meet in shared memory: all threads of the block must come, as to `cta.sync`.
    """
    return _reduce("add", tile, axis, keepdims=keepdims)


def max(tile: Any, axis: Any = -1, *, keepdims: bool = False) -> Any:
    """The largest element along a dimension; `keepdims` and warps as for `sum`."""
    return _reduce("max", tile, axis, keepdims=keepdims)


def min(tile: Any, axis: Any = -1, *, keepdims: bool = False) -> Any:
    """The smallest element along a dimension; `keepdims` and warps as for `sum`."""
    return _reduce("min", tile, axis, keepdims=keepdims)


def convert(x: Any, kind: object) -> Any:
    """Convert a number or a tile to another type."""
    target = dtype(kind)
    return cast(x, target) if isinstance(x, Buffer) else scalar(x, target)
