"""The layouts that `memref.expand_shape` and `memref.collapse_shape` give, and what else they are verified for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from weft.dialects.narrow import known_memref

if TYPE_CHECKING:
    from xdsl.dialects.memref import CollapseShapeOp, ExpandShapeOp

Groups = Sequence[Sequence[int]]


def _times(stride: int | None, extent: int) -> int | None:
    return None if stride is None or extent == DYNAMIC_INDEX else stride * extent


def _of(source: MemRefType[Attribute], shape: Sequence[int], strides: Sequence[int | None] | None) -> Attribute:
    layout: Any = NoneAttr() if strides is None else StridedLayoutAttr(list(strides), source.get_offset())
    return MemRefType(source.element_type, list(shape), layout, source.memory_space)


def expanded(source: MemRefType[Attribute], shape: Sequence[int], groups: Groups) -> Attribute | None:
    """The type of a memref with its dimensions split into groups; None where its layout has no strides."""
    if isinstance(source.layout, NoneAttr):
        return _of(source, shape, None)
    has = source.get_strides()
    if has is None:
        return None
    strides: list[int | None] = []
    for stride, group in zip(has, groups, strict=True):
        found: list[int | None] = []
        for dim in reversed(group):
            found.append(stride)
            stride = _times(stride, shape[dim])
        strides += reversed(found)
    # Dimensions that no group has stand after all, for a memref of rank 0.
    strides += [1] * (len(shape) - len(strides))
    return _of(source, shape, strides)


def collapsed(source: MemRefType[Attribute], shape: Sequence[int], groups: Groups) -> Attribute | None:
    """The type of a memref with groups of its dimensions as one; None where they do not lie side by side."""
    if isinstance(source.layout, NoneAttr):
        return _of(source, shape, None)
    has, before = source.get_strides(), source.get_shape()
    if has is None:
        return None
    strides: list[int | None] = []
    for group in groups:
        rest = list(group)
        while len(rest) > 1 and before[rest[-1]] == 1:
            rest.pop()
        last = rest[-1] if rest else None
        if last is None:
            continue
        strides.append(has[last] if before[last] != DYNAMIC_INDEX or len(rest) == 1 else None)
        stride = strides[-1]
        for dim in reversed(rest[1:]):
            stride = _times(stride, before[dim])
            if before[dim - 1] == 1 or stride is None or has[dim - 1] is None:
                continue
            if stride != has[dim - 1]:
                return None
    return _of(source, shape, strides)


def verify_expand(op: ExpandShapeOp, groups: Groups) -> None:
    """Check the layout and the written sizes of `memref.expand_shape`.

    Raises:
        VerifyException: they are others than those of its result.
    """
    source, result = known_memref(op.src.type), known_memref(op.result.type)
    found = expanded(source, result.get_shape(), groups)
    if found is not None and found != result:
        raise VerifyException(f"expected expanded type to be '{found}' but found '{result}'")
    sizes = op.static_output_shape.get_values()
    if len(sizes) != result.get_num_dims():
        raise VerifyException(
            "expected number of static shape bounds to be equal to the output rank "
            f"({result.get_num_dims()}) but found {len(sizes)} inputs instead"
        )
    for place, (extent, size) in enumerate(zip(result.get_shape(), sizes, strict=True)):
        if extent not in (DYNAMIC_INDEX, size):
            raise VerifyException(f"invalid output shape provided at pos {place}")


def verify_collapse(op: CollapseShapeOp, groups: Groups) -> None:
    """Check the layout of `memref.collapse_shape`.

    Raises:
        VerifyException: the result has another, or there is none.
    """
    source, result = known_memref(op.src.type), known_memref(op.result.type)
    found = collapsed(source, result.get_shape(), groups)
    if found is None:
        raise VerifyException("invalid source layout map or collapsing non-contiguous dims")
    if found != result:
        raise VerifyException(f"expected collapsed type to be '{found}' but found '{result}'")
