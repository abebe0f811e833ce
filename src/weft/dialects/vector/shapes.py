"""Checks of `vector`'s operations that are in rows: slices, casts of the shape, transposition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, IntegerType, VectorType
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow

if TYPE_CHECKING:
    from weft.dialects.rows import vector


def _integers(values: ArrayAttr[IntegerAttr[IntegerType]]) -> tuple[int, ...]:
    return tuple(value.value.data for value in values)


def _confined(what: str, values: Sequence[int], low: int, high: Sequence[int]) -> None:
    """Refuse a value outside `low` and its own bound.

    Raises:
        VerifyException: it is.
    """
    for dim, (value, end) in enumerate(zip(values, high, strict=False)):
        if not low <= value < end:
            raise VerifyException(f"expected {what} dimension {dim} to be confined to [{low}, {end})")


def extract_slice(op: vector.ExtractStridedSliceOp) -> None:
    """Offsets, sizes and strides must fit the source, and give the result's shape."""
    offsets, sizes, strides = _integers(op.offsets), _integers(op.sizes), _integers(op.strides)
    source = narrow.vector(op.source.type)
    result = narrow.vector(op.result.type)
    assert source is not None
    assert result is not None
    if not len(offsets) == len(sizes) == len(strides):
        raise VerifyException("expected offsets, sizes and strides attributes of same size")
    shape = source.get_shape()
    if len(offsets) > len(shape):
        raise VerifyException("expected offsets attribute of rank no greater than vector rank")
    _confined("offsets", offsets, 0, shape)
    _confined("sizes", sizes, 1, [extent + 1 for extent in shape])
    if any(stride != 1 for stride in strides):
        raise VerifyException("expected strides to be confined to [1, 2)")
    ends = [offset + size for offset, size in zip(offsets, sizes, strict=True)]
    _confined("sum(offsets, sizes)", ends, 1, [extent + 1 for extent in shape])
    expected = VectorType(source.element_type, [*sizes, *shape[len(sizes) :]], source.scalable_dims)
    if result != expected:
        raise VerifyException(f"expected result type to be '{expected}'")
    for place, (size, extent, grows) in enumerate(zip(sizes, shape, source.scalable_dims, strict=False)):
        if grows.value.data and size != extent:
            raise VerifyException(
                f"expected size at idx={place} to match the corresponding base size from the input vector "
                f"({size} vs {extent})"
            )


def insert_slice(op: vector.InsertStridedSliceOp) -> None:
    """The box must lie inside the destination."""
    source, dest = narrow.vector(op.value_to_store.type), narrow.vector(op.dest.type)
    assert source is not None
    assert dest is not None
    offsets, shape = _integers(op.offsets), dest.get_shape()
    if len(offsets) != len(shape):
        raise VerifyException("expected offsets of same size as destination vector rank")
    if len(op.strides) != source.get_num_dims():
        raise VerifyException("expected strides of same size as source vector rank")
    if source.get_num_dims() > len(shape):
        raise VerifyException("expected source rank to be no greater than destination rank")
    sizes = (1,) * (len(shape) - source.get_num_dims()) + source.get_shape()
    _confined("offsets", offsets, 0, shape)
    ends = [offset + size for offset, size in zip(offsets, sizes, strict=True)]
    if any(stride != 1 for stride in _integers(op.strides)):
        raise VerifyException("expected strides to be confined to [1, 2)")
    pairs = zip(source.scalable_dims, dest.scalable_dims.data[-source.get_num_dims() :], strict=True)
    for place, (one, other) in enumerate(pairs):
        if one != other:
            raise VerifyException(f"mismatching scalable flags (at source vector idx={place})")
    _confined("sum(offsets, source vector shape)", ends, 1, [extent + 1 for extent in shape])


def shape_cast(op: vector.ShapeCastOp) -> None:
    """Both shapes must have the same number of elements of the same type."""
    source, result = narrow.vector(op.source.type), narrow.vector(op.result.type)
    assert source is not None
    assert result is not None
    if source.element_type != result.element_type:
        raise VerifyException("has different source and result element types")
    if source.element_count() != result.element_count():
        raise VerifyException(
            f"has different number of elements at source ({source.element_count()}) "
            f"and result ({result.element_count()})"
        )
    scalable = [sum(dim.value.data != 0 for dim in kind.scalable_dims) for kind in (source, result)]
    if scalable[0] != scalable[1]:
        raise VerifyException(
            f"has different number of scalable dims at source ({scalable[0]}) and result ({scalable[1]})"
        )


def transpose(op: vector.TransposeOp) -> None:
    """The permutation must be one, and the result have the permuted shape."""
    source, result = narrow.vector(op.vector.type), narrow.vector(op.result.type)
    assert source is not None
    assert result is not None
    order: tuple[int, ...] = op.permutation.get_values()
    shape = source.get_shape()
    if result.get_num_dims() != len(shape):
        raise VerifyException(f"vector result rank mismatch: {result.get_num_dims()}")
    if len(order) != len(shape):
        raise VerifyException(f"transposition length mismatch: {len(order)}")
    for place, dim in enumerate(order):
        if not 0 <= dim < len(shape):
            raise VerifyException(f"transposition index out of range: {dim}")
        if dim in order[:place]:
            raise VerifyException(f"duplicate position index: {dim}")
        if result.get_shape()[place] != shape[dim]:
            raise VerifyException(f"dimension size mismatch at: {dim}")
