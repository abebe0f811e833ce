"""What tile kernels compute: element-wise functions, reductions, casts, coordinates, choices."""

from __future__ import annotations

import builtins
from typing import Any

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue

from weft.dialects.tile.compute import COMPARISONS, ElementwiseOp, FillOp, IotaOp, ReduceOp
from weft.dialects.tile.types import LOCAL
from weft.errors import LayoutError
from weft.layout import Iter, TileLayout
from weft.tile import scalars
from weft.tile.buffers import Buffer, register
from weft.tile.dtypes import DType, dtype, f32, i32
from weft.tile.scalars import Scalar, is_number, scalar
from weft.tile.trace import current, error


def elementwise(name: str, *operands: Any, kind: DType | None = None) -> Buffer:
    """A function of the elements at the same coordinates: tiles of equal extents (or 1, which repeat) and numbers."""
    tiles = [x for x in operands if isinstance(x, Buffer)]
    for tile in tiles:
        if tile.space != LOCAL:
            raise error(f"{tile!r} is not in registers", "copy it into a tile in registers first")
    shaped = _largest(tiles)
    operand_kind = _common(operands if name != "where" else operands[1:])
    result_kind = kind or (i32 if name in COMPARISONS else operand_kind)
    result = register(shaped.shape, result_kind, shaped.layout)
    op = ElementwiseOp.of(
        result.value,
        [
            _operand(x, operand_kind, keep=name == "cast" or (name == "where" and at == 0))
            for at, x in enumerate(operands)
        ],
        name,
        UnitAttr() if operand_kind.kind == "uint" else None,
    )
    current().add(op)
    return result


def _largest(tiles: list[Buffer]) -> Buffer:
    """The tile whose extents the result has."""
    shape = tuple(builtins.max(extents) for extents in zip(*(tile.shape for tile in tiles), strict=False))
    for tile in tiles:
        if len(tile.shape) != len(shape) or any(a not in (1, b) for a, b in zip(tile.shape, shape, strict=True)):
            raise error(f"tiles of shapes {', '.join(str(t.shape) for t in tiles)} do not go together", "use keepdims")
    whole = [tile for tile in tiles if tile.shape == shape]
    if not whole:
        raise error("no operand has the extents of the result", "spread one with a tile of those extents")
    return whole[0]


def _common(operands: tuple[Any, ...]) -> DType:
    kinds = {x.dtype for x in operands if isinstance(x, Buffer)}
    if len(kinds) > 1:
        names = " and ".join(sorted(k.name for k in kinds))
        raise error(f"tiles of {names} do not meet by themselves", "convert one with .to(...)")
    return kinds.pop() if kinds else f32


def _operand(x: Any, kind: DType, *, keep: bool) -> SSAValue:
    if isinstance(x, Buffer):
        return x.value
    if keep and isinstance(x, Scalar):
        return x.value
    return scalar(x, kind).value


def cast(tile: Buffer, kind: DType) -> Buffer:
    """The tile with its elements converted: floats rounded to nearest even, floats to integers towards zero."""
    return tile if tile.dtype is kind else elementwise("cast", tile, kind=kind)


def _unary(name: str, x: Any) -> Any:
    if isinstance(x, Buffer):
        return elementwise(name, x)
    return scalars.unary(name, x if isinstance(x, Scalar) else scalar(float(x), f32))


def exp(x: Any) -> Any:
    """e^x, by `ex2.approx`."""
    return _unary("exp", x)


def exp2(x: Any) -> Any:
    """2^x, by `ex2.approx`."""
    return _unary("exp2", x)


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
    """The hyperbolic tangent."""
    return _unary("tanh", x)


def _either(name: str, a: Any, b: Any) -> Any:
    if isinstance(a, Buffer) or isinstance(b, Buffer):
        return elementwise(name, a, b)
    if isinstance(a, Scalar) or isinstance(b, Scalar):
        return scalars.binary(name, a, b)
    return builtins.max(a, b) if name == "max" else builtins.min(a, b)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two; of a number and a NaN, the number."""
    return _either("max", a, b)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two; of a number and a NaN, the number."""
    return _either("min", a, b)


def fma(a: Any, b: Any, c: Any) -> Any:
    """a * b + c, rounded once where it is of tiles."""
    if any(isinstance(x, Buffer) for x in (a, b, c)):
        return elementwise("fma", a, b, c)
    return a * b + c


def where(condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition holds (is not 0), `b` elsewhere."""
    if any(isinstance(x, Buffer) for x in (condition, a, b)):
        return elementwise("where", condition, a, b)
    if isinstance(condition, Scalar):
        return scalars.where(condition, a, b)
    return a if condition else b


def coordinates(like: Buffer, dimension: int) -> Buffer:
    """A tile laid out as another, in which each element is its coordinate in a dimension (i32)."""
    result = register(like.shape, i32, like.layout)
    current().add(IotaOp.of(result.value, dimension % len(like.shape)))
    return result


def fill(tile: Buffer, value: Any) -> None:
    """Put a number into every element of a tile in registers."""
    if tile.space != LOCAL:
        raise error(f"{tile!r} is not in registers", "fill a tile in registers and copy it")
    current().add(FillOp.of(tile.value, scalar(value, tile.dtype).value))


def zeros(shape: int | tuple[int, ...], kind: object, layout: Any = None) -> Buffer:
    """A tile of zeros in registers."""
    return full(shape, 0, kind, layout)


def full(shape: int | tuple[int, ...], value: Any, kind: object, layout: Any = None) -> Buffer:
    """A tile in registers with the same number everywhere."""
    tile = register(shape, kind, layout)
    fill(tile, value)
    return tile


def _reduce(name: str, tile: Buffer, axis: int, *, keepdims: bool) -> Buffer:
    if tile.space != LOCAL:
        raise error(f"{tile!r} is not in registers", "copy it into a tile in registers first")
    axis %= len(tile.shape)
    shape = (*tile.shape[:axis], 1, *tile.shape[axis + 1 :])
    result = register(shape, tile.dtype, reduced_layout(tile.layout, tile.shape, axis))
    current().add(ReduceOp.of(result.value, tile.value, name, axis))
    if not keepdims and len(shape) > 1:
        squeezed = register((*shape[:axis], *shape[axis + 1 :]), tile.dtype, result.layout)
        for place in range(len(squeezed.storage)):
            squeezed.storage[place] = result.storage[place]
        return squeezed
    return result


def reduced_layout(layout: Any, shape: tuple[int, ...], axis: int) -> TileLayout:
    """The layout of what is left when a dimension is combined: every thread that held an element has the result."""
    try:
        grouped = layout.canonicalize().group(shape)
    except LayoutError as failure:
        raise error(f"dimension {axis} cannot be told apart in {layout}: {failure.message}") from None
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
    return TileLayout(tuple(reversed(shard)) or (Iter(1, 1, _memory()),), (*replica, *gone), tuple(threads))


def _memory() -> Any:
    from weft.layout import m

    return m


def sum(tile: Buffer, axis: int = -1, *, keepdims: bool = False) -> Buffer:
    """The sum along a dimension; in floating point, the order is that of registers, then lanes."""
    return _reduce("add", tile, axis, keepdims=keepdims)


def max(tile: Any, axis: Any = -1, *, keepdims: bool = False) -> Any:
    """The largest element along a dimension."""
    return _reduce("max", tile, axis, keepdims=keepdims)


def min(tile: Any, axis: Any = -1, *, keepdims: bool = False) -> Any:
    """The smallest element along a dimension."""
    return _reduce("min", tile, axis, keepdims=keepdims)


def convert(x: Any, kind: object) -> Any:
    """A number or a tile in another type."""
    target = dtype(kind)
    return cast(x, target) if isinstance(x, Buffer) else scalar(x, target)


__all__ = [
    "cast",
    "convert",
    "coordinates",
    "elementwise",
    "exp",
    "exp2",
    "fill",
    "fma",
    "full",
    "is_number",
    "log",
    "log2",
    "max",
    "maximum",
    "min",
    "minimum",
    "rsqrt",
    "sqrt",
    "sum",
    "tanh",
    "where",
    "zeros",
]
