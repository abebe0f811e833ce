"""Strides of memrefs as MLIR takes them from any layout that has some: none, strided, or a linear map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import AffineMapAttr, NoneAttr, StridedLayoutAttr
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from weft.dialects.narrow import MemRef

_Terms = dict[int | None, int | None]
"""The factor of each dimension, and under None what is added; None for a factor known only as it runs."""


def unknowns(kind: MemRef) -> int:
    """How many numbers of a layout only an allocation gives: unknown strides and offsets, or the map's symbols."""
    layout = kind.layout
    if isinstance(layout, StridedLayoutAttr):
        return sum(isinstance(part, NoneAttr) for part in (*layout.strides.data, layout.offset))
    return layout.data.num_symbols if isinstance(layout, AffineMapAttr) else 0


def strided(kind: MemRef) -> tuple[Sequence[int | None], int | None] | None:
    """Strides and offset in elements, None for those known only as it runs; None for a layout that has none."""
    layout: Any = kind.layout
    if not isinstance(layout, AffineMapAttr):
        strides = kind.get_strides()
        return None if strides is None else (tuple(strides), kind.get_offset())
    map_ = layout.data
    if len(map_.results) != 1:
        return None
    terms = _terms(map_.results[0])
    if terms is None:
        return None
    return tuple(terms.get(dim, 0) for dim in range(map_.num_dims)), terms.get(None, 0)


def _terms(expr: AffineExpr) -> _Terms | None:
    if isinstance(expr, AffineDimExpr):
        return {expr.position: 1}
    if isinstance(expr, AffineSymExpr):
        return {None: None}
    if isinstance(expr, AffineConstantExpr):
        return {None: expr.value}
    assert isinstance(expr, AffineBinaryOpExpr)
    left, right = _terms(expr.lhs), _terms(expr.rhs)
    if left is None or right is None:
        return None
    if expr.kind is AffineBinaryOpKind.Add:
        return {key: _sum(left.get(key, 0), right.get(key, 0)) for key in {*left, *right}}
    if expr.kind is AffineBinaryOpKind.Mul and {*right} == {None}:
        factor = right[None]
        return {key: None if by is None or factor is None else by * factor for key, by in left.items()}
    return None


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
