"""Affine expressions built as MLIR builds them: folded, constants and symbols to the right."""

from __future__ import annotations

from math import gcd

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

_ADD, _MUL, _MOD = AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul, AffineBinaryOpKind.Mod
_FLOOR, _CEIL = AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.CeilDiv


def constant_of(expr: AffineExpr) -> int | None:
    """The value of a constant."""
    return expr.value if isinstance(expr, AffineConstantExpr) else None


def is_symbolic(expr: AffineExpr) -> bool:
    """Whether an expression has no dimension in it."""
    if isinstance(expr, AffineBinaryOpExpr):
        return is_symbolic(expr.lhs) and is_symbolic(expr.rhs)
    return not isinstance(expr, AffineDimExpr)


def _sides(expr: AffineExpr, kind: AffineBinaryOpKind) -> tuple[AffineExpr, AffineExpr] | None:
    """The two sides of an operation of a kind."""
    return (expr.lhs, expr.rhs) if isinstance(expr, AffineBinaryOpExpr) and expr.kind is kind else None


def _const(value: int) -> AffineExpr:
    return AffineConstantExpr(value)


def _scaled(expr: AffineExpr) -> tuple[AffineExpr, int]:
    """An expression as another one times a constant."""
    sides = _sides(expr, _MUL)
    factor = constant_of(sides[1]) if sides else None
    return (sides[0], factor) if sides and factor is not None else (expr, 1)


def _later(lhs: AffineExpr, rhs: AffineExpr) -> bool:
    """Whether two dimensions, or two symbols, stand in the wrong order."""
    if isinstance(lhs, AffineDimExpr) and isinstance(rhs, AffineDimExpr):
        return lhs.position > rhs.position
    return isinstance(lhs, AffineSymExpr) and isinstance(rhs, AffineSymExpr) and lhs.position > rhs.position


def add(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs + rhs`."""
    left, right = constant_of(lhs), constant_of(rhs)
    if left is not None and right is not None:
        return _const(left + right)
    # Constants go last and symbols behind dimensions: so what is alike meets, and texts are upstream's.
    if left is not None or (is_symbolic(lhs) and not is_symbolic(rhs)) or _later(lhs, rhs):
        return add(rhs, lhs)
    if right == 0:
        return lhs
    inner = _sides(lhs, _ADD)
    tail = constant_of(inner[1]) if inner else None
    if inner and tail is not None and right is not None:
        return add(inner[0], _const(tail + right))
    (first, a), (second, b) = _scaled(lhs), _scaled(rhs)
    if first == second:
        return mul(first, _const(a + b))
    if inner and tail is not None:
        return add(add(inner[0], rhs), inner[1])
    return _remainder(lhs, rhs) or AffineBinaryOpExpr(_ADD, lhs, rhs)


def _remainder(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr | None:
    """`x - (x floordiv c) * c` is `x mod c`."""
    quotient, factor = _scaled(rhs)
    sides = _sides(quotient, _FLOOR)
    if sides is None or sides[0] != lhs or constant_of(sides[1]) != -factor:
        return None
    return mod(lhs, sides[1])


def mul(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs * rhs`."""
    left, right = constant_of(lhs), constant_of(rhs)
    if left is not None and right is not None:
        return _const(left * right)
    if left is not None or (not is_symbolic(rhs) and is_symbolic(lhs)) or _later(lhs, rhs):
        return mul(rhs, lhs)
    if right == 1:
        return lhs
    if right == 0:
        return rhs
    inner = _sides(lhs, _MUL)
    factor = constant_of(inner[1]) if inner else None
    if inner and factor is not None:
        return mul(inner[0], _const(factor * right)) if right is not None else mul(mul(inner[0], rhs), inner[1])
    return AffineBinaryOpExpr(_MUL, lhs, rhs)


def negate(expr: AffineExpr) -> AffineExpr:
    """`-expr`."""
    return mul(expr, _const(-1))


def subtract(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs - rhs`."""
    return add(lhs, negate(rhs))


def _divisor(expr: AffineExpr) -> int:
    """The largest number known to divide an expression; 0 divides by all."""
    value = constant_of(expr)
    if value is not None:
        return abs(value)
    if not isinstance(expr, AffineBinaryOpExpr):
        return 1
    if expr.kind is _MUL:
        return _divisor(expr.lhs) * _divisor(expr.rhs)
    if expr.kind in (_FLOOR, _CEIL):
        by = constant_of(expr.rhs)
        known = _divisor(expr.lhs)
        return known // by if by and known % by == 0 else 1
    return gcd(_divisor(expr.lhs), _divisor(expr.rhs))


def _quotient(lhs: AffineExpr, rhs: AffineExpr, kind: AffineBinaryOpKind) -> AffineExpr | None:
    """What a division by a positive constant folds to, but for sums."""
    left, right = constant_of(lhs), constant_of(rhs)
    if right is None or right < 1:
        return None
    if left is not None:
        return _const(left // right if kind is _FLOOR else -(-left // right))
    if right == 1:
        return lhs
    inner, factor = _scaled(lhs)
    if factor != 1 and factor % right == 0:
        return mul(inner, _const(factor // right))
    return None


def floordiv(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs floordiv rhs`."""
    folded = _quotient(lhs, rhs, _FLOOR)
    if folded is not None:
        return folded
    sides, right = _sides(lhs, _ADD), constant_of(rhs)
    if sides and right and right > 0 and any(_divisor(side) % right == 0 for side in sides):
        return add(floordiv(sides[0], rhs), floordiv(sides[1], rhs))
    return AffineBinaryOpExpr(_FLOOR, lhs, rhs)


def ceildiv(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs ceildiv rhs`."""
    return _quotient(lhs, rhs, _CEIL) or AffineBinaryOpExpr(_CEIL, lhs, rhs)


def mod(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs mod rhs`."""
    left, right = constant_of(lhs), constant_of(rhs)
    if right is None or right < 1:
        return AffineBinaryOpExpr(_MOD, lhs, rhs)
    if left is not None:
        return _const(left % right)
    if _divisor(lhs) % right == 0:
        return _const(0)
    sides = _sides(lhs, _ADD)
    if sides:
        for multiple, other in (sides, sides[::-1]):
            if _divisor(multiple) % right == 0:
                return mod(other, rhs)
    inner = _sides(lhs, _MOD)
    by = constant_of(inner[1]) if inner else None
    if inner and by is not None and by >= 1 and by % right == 0:
        return mod(inner[0], rhs)
    return AffineBinaryOpExpr(_MOD, lhs, rhs)
