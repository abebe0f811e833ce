"""Checks of `vector`'s operations that stand in rows: accesses, slices, casts of the shape, transposition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import I64, ArrayAttr, IntegerAttr, VectorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow


def _verify_access(base_type: Attribute, vector_type: Attribute, indices: int, what: str) -> None:
    memref, vector = narrow.memref(base_type), narrow.vector(vector_type)
    assert memref is not None
    assert vector is not None
    if memref.element_type not in (vector.element_type, vector):
        raise VerifyException("base and " + what + " element types should match")
    if memref.get_num_dims() != indices:
        raise VerifyException(f"requires {memref.get_num_dims()} indices")


def _integers(values: ArrayAttr[IntegerAttr[I64]]) -> tuple[int, ...]:
    return tuple(value.value.data for value in values)


def _confined(what: str, values: Sequence[int], low: int, high: Sequence[int]) -> None:
    """Refuse a value outside `low` and its own bound.

    Raises:
        VerifyException: it is.
    """
    for dim, (value, end) in enumerate(zip(values, high, strict=False)):
        if not low <= value < end:
            raise VerifyException(f"expected {what} dimension {dim} to be confined to [{low}, {end})")


def load(op: Any) -> None:
    """Element types must match; one index for each dimension."""
    _verify_access(op.base.type, op.result.type, len(op.indices), "result")


def store(op: Any) -> None:
    """Element types must match; one index for each dimension."""
    _verify_access(op.base.type, op.value_to_store.type, len(op.indices), "valueToStore")


def extract_slice(op: Any) -> None:
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
    expected = VectorType(source.element_type, [*sizes, *shape[len(sizes) :]])
    if result != expected:
        raise VerifyException(f"expected result type to be '{expected}'")


def insert_slice(op: Any) -> None:
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
    _confined("sum(offsets, source vector shape)", ends, 1, [extent + 1 for extent in shape])


def shape_cast(op: Any) -> None:
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


def transpose(op: Any) -> None:
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
