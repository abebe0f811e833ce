"""Affine maps and sets as mlir-opt spells them: no parentheses that the binding of the operators makes superfluous."""

from __future__ import annotations

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

_SPELLING = {
    AffineBinaryOpKind.Mul: " * ",
    AffineBinaryOpKind.Mod: " mod ",
    AffineBinaryOpKind.FloorDiv: " floordiv ",
    AffineBinaryOpKind.CeilDiv: " ceildiv ",
}


def expression(expr: AffineExpr, *, strong: bool = False) -> str:
    """The text of an expression; `strong` inside an operator that binds more tightly than a sum."""
    if isinstance(expr, AffineDimExpr):
        return f"d{expr.position}"
    if isinstance(expr, AffineSymExpr):
        return f"s{expr.position}"
    if isinstance(expr, AffineConstantExpr):
        return str(expr.value)
    assert isinstance(expr, AffineBinaryOpExpr)
    text = _sum(expr) if expr.kind is AffineBinaryOpKind.Add else _product(expr)
    return f"({text})" if strong else text


def _constant(expr: AffineExpr) -> int | None:
    return expr.value if isinstance(expr, AffineConstantExpr) else None


def _product(expr: AffineBinaryOpExpr) -> str:
    lhs = expression(expr.lhs, strong=True)
    if expr.kind is AffineBinaryOpKind.Mul and _constant(expr.rhs) == -1:
        return f"-{lhs}"
    return lhs + _SPELLING[expr.kind] + expression(expr.rhs, strong=True)


def _sum(expr: AffineBinaryOpExpr) -> str:
    """A sum; what is added with a negative factor is subtracted."""
    lhs, rhs = expression(expr.lhs), expr.rhs
    value = _constant(rhs)
    if value is not None and value < 0:
        return f"{lhs} - {-value}"
    if isinstance(rhs, AffineBinaryOpExpr) and rhs.kind is AffineBinaryOpKind.Mul:
        factor = _constant(rhs.rhs)
        if factor == -1:
            inner = rhs.lhs
            is_sum = isinstance(inner, AffineBinaryOpExpr) and inner.kind is AffineBinaryOpKind.Add
            return f"{lhs} - {expression(inner, strong=is_sum)}"
        if factor is not None and factor < -1:
            return f"{lhs} - {expression(rhs.lhs, strong=True)} * {-factor}"
    return f"{lhs} + {expression(rhs)}"


def _inputs(dims: int, symbols: int) -> str:
    named = ", ".join(f"d{index}" for index in range(dims))
    return f"({named})" + (f"[{', '.join(f's{index}' for index in range(symbols))}]" if symbols else "")


def affine_map(value: AffineMap) -> str:
    """`(d0)[s0] -> (d0 + s0)`."""
    results = ", ".join(expression(result) for result in value.results)
    return f"{_inputs(value.num_dims, value.num_symbols)} -> ({results})"


def affine_set(value: AffineSet) -> str:
    """`(d0)[s0] : (d0 - s0 >= 0, d0 == 0)`."""
    constraints = ", ".join(
        f"{expression(constraint.lhs)} {constraint.kind.value} {expression(constraint.rhs)}"
        for constraint in value.constraints
    )
    return f"{_inputs(value.num_dims, value.num_symbols)} : ({constraints})"
