"""Strides of memrefs whose layout is an affine map to one linear index."""

from __future__ import annotations

from typing import Any

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from weft.codegen.linear import DYNAMIC


def strides_of(layout: AffineMap) -> tuple[tuple[int, ...], int] | None:
    """The strides and the offset in elements, `DYNAMIC` where symbols decide; None where the map is not linear."""
    if len(layout.results) != 1:
        return None
    found = _parts(layout.results[0], layout.num_dims)
    return (tuple(found[:-1]), found[-1]) if found is not None else None


def _parts(expression: AffineExpr, rank: int) -> list[int] | None:
    """The factor of each dimension, then what is added."""
    parts = [0] * (rank + 1)
    match expression:
        case AffineDimExpr():
            parts[expression.position] = 1
        case AffineConstantExpr():
            parts[-1] = expression.value
        case AffineSymExpr():
            parts[-1] = DYNAMIC
        case AffineBinaryOpExpr():
            sides = [_parts(side, rank) for side in (expression.lhs, expression.rhs)]
            return _combined(expression.kind, *sides)
        case _:
            return None
    return parts


def _combined(kind: Any, a: list[int] | None, b: list[int] | None) -> list[int] | None:
    if a is None or b is None:
        return None
    if kind is AffineBinaryOpKind.Add:
        return [DYNAMIC if DYNAMIC in (x, y) else x + y for x, y in zip(a, b, strict=True)]
    if any(a[:-1]):
        a, b = b, a
    if kind is not AffineBinaryOpKind.Mul or any(a[:-1]):
        return None
    factor = a[-1]
    return [x and (DYNAMIC if DYNAMIC in (x, factor) else x * factor) for x in b]
