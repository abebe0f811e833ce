"""Affine maps and sets as mlir-opt spells them: no parentheses that the binding of the operators makes superfluous."""

from __future__ import annotations

from xdsl.ir.affine import AffineMap, AffineSet

from weft.dialects.affine.syntax import expression


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
