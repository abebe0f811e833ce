"""`affine`: maps become index arithmetic, loops and conditionals those of `scf`."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from weft.codegen import linear
from weft.codegen.access import load, store
from weft.codegen.graph import Const
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.memrefs import element_address
from weft.codegen.ops.loops import counted_loop
from weft.codegen.ops.scf import conditional
from weft.codegen.selector import Selector, handles
from weft.codegen.signs import is_read_as_signed
from weft.codegen.types import DYNAMIC, align_of
from weft.dialects import narrow

if TYPE_CHECKING:
    from weft.dialects import rows
    from weft.dialects.rows import affine

INDEX_BITS = 64


def _evaluate(s: Selector, expression: AffineExpr, dims: list[Lin], symbols: list[Lin]) -> Lin:
    """The value of an affine expression; its division and remainder round down, by positive numbers."""
    if isinstance(expression, AffineConstantExpr):
        return linear.const(expression.value, INDEX_BITS)
    if isinstance(expression, AffineDimExpr):
        position: int = expression.position
        return dims[position]
    if isinstance(expression, AffineSymExpr):
        position = expression.position
        return symbols[position]
    assert isinstance(expression, AffineBinaryOpExpr)
    a = _evaluate(s, expression.lhs, dims, symbols)
    b = _evaluate(s, expression.rhs, dims, symbols)
    match expression.kind:
        case AffineBinaryOpKind.Add:
            return s.add(a, b)
        case AffineBinaryOpKind.Mul:
            return s.mul(a, b)
        case AffineBinaryOpKind.FloorDiv:
            return _floor_divide(s, a, b)
        case AffineBinaryOpKind.CeilDiv:
            return _floor_divide(s, s.add(a, s.sub(b, linear.const(1, INDEX_BITS))), b)
        case AffineBinaryOpKind.Mod:
            return s.sub(a, s.mul(_floor_divide(s, a, b), b)) if a.lo < 0 else s.rem(a, b, signed=True)


def _floor_divide(s: Selector, a: Lin, b: Lin) -> Lin:
    """a / b rounded down, for a positive b."""
    quotient = s.div(a, b, signed=True)
    if a.lo >= 0:
        return quotient
    remainder = s.sub(a, s.mul(quotient, b))
    below = s.compare("lt", remainder, linear.const(0, INDEX_BITS), signed=True)
    return s.choose(below, s.sub(quotient, linear.const(1, INDEX_BITS)), quotient)


def _results(s: Selector, map_: AffineMap, operands: Any) -> list[Lin]:
    """The results of an affine map on its operands, dimensions first."""
    values = [s.int(operand) for operand in operands]
    dims, symbols = values[: map_.num_dims], values[map_.num_dims :]
    return [_evaluate(s, expression, dims, symbols) for expression in map_.results]


def _extreme(s: Selector, name: str, values: list[Lin]) -> Lin:
    return reduce(lambda a, b: s.extreme(name, a, b, signed=True), values)


@handles("affine.apply")
def select_apply(s: Selector, op: affine.ApplyOp) -> None:
    """The only result of a map."""
    (s.values[op.results[0]],) = _results(s, op.map.data, op.operands)


@handles("affine.min", "affine.max")
def select_extreme(s: Selector, op: affine.MinOp | affine.MaxOp) -> None:
    """The smallest or largest result of a map."""
    values = _results(s, op.map.data, op.operands)
    s.values[op.results[0]] = _extreme(s, op.name.removeprefix("affine."), values)


@handles("affine.load")
def select_load(s: Selector, op: affine.LoadOp) -> None:
    """An element at indices that a map gives."""
    memref = s.memref(op.operands[0])
    type_ = op.results[0].type
    indices = tuple(_results(s, op.map.data, op.operands[1:]))
    address = element_address(s, memref, indices, type_)
    signed = is_read_as_signed(op.results[0])
    s.values[op.results[0]] = load(s, address, type_, memref.space, align_of(type_), signed=signed)


@handles("affine.store")
def select_store(s: Selector, op: affine.StoreOp) -> None:
    """An element at indices that a map gives, written."""
    value = op.operands[0]
    memref = s.memref(op.operands[1])
    indices = tuple(_results(s, op.map.data, op.operands[2:]))
    address = element_address(s, memref, indices, value.type)
    store(s, address, s.get(value), value.type, memref.space, align_of(value.type))


@handles("affine.for")
def select_for(s: Selector, op: rows.affine.ForOp) -> None:
    """A loop from the largest of the lower bounds to the smallest of the upper ones."""
    lower = _extreme(s, "max", _results(s, op.lowerBoundMap.data, op.lowerBoundOperands))
    upper = _extreme(s, "min", _results(s, op.upperBoundMap.data, op.upperBoundOperands))
    step = linear.const(op.step.value.data, INDEX_BITS)
    counted_loop(s, op, (lower, upper, step), [s.get(value) for value in op.inits], signed=True)


@handles("affine.if")
def select_if(s: Selector, op: rows.affine.IfOp) -> None:
    """A conditional on every constraint of an integer set."""
    constraints = op.condition.data
    values = [s.int(operand) for operand in op.args]
    dims, symbols = values[: constraints.num_dims], values[constraints.num_dims :]
    test: Test = Const("pred", 1)
    for constraint in constraints.constraints:
        left = _evaluate(s, constraint.lhs, dims, symbols)
        right = _evaluate(s, constraint.rhs, dims, symbols)
        relation = {AffineConstraintKind.eq: "eq", AffineConstraintKind.ge: "ge", AffineConstraintKind.le: "le"}
        test = s.logic("and", test, s.compare(relation[constraint.kind], left, right, signed=True))
    conditional(s, op, test)


@handles("affine.yield")
def select_yield(s: Selector, op: Operation) -> None:
    """The end of a region: its operands are read where the region is used."""


@handles("affine.vector_load")
def select_vector_load(s: Selector, op: affine.VectorLoadOp) -> None:
    """Contiguous elements from indices that a map gives."""
    from weft.codegen.ops.vector_memory import load_rows

    load_rows(s, op, s.memref(op.operands[0]), tuple(_results(s, op.map.data, op.operands[1:])))


@handles("affine.vector_store")
def select_vector_store(s: Selector, op: affine.VectorStoreOp) -> None:
    """Contiguous elements from indices that a map gives, written."""
    from weft.codegen.ops.vector_memory import store_rows

    store_rows(s, op, s.memref(op.operands[1]), tuple(_results(s, op.map.data, op.operands[2:])))


@handles("affine.prefetch")
def select_prefetch(s: Selector, op: affine.PrefetchOp) -> None:
    """An element's line, fetched into a cache."""
    from weft.codegen.ops.memref import prefetch

    prefetch(s, op, tuple(_results(s, op.map.data, op.operands[1:])))


def _basis(s: Selector, op: affine.DelinearizeIndexOp | affine.LinearizeIndexOp, dynamic: Any) -> list[Lin]:
    """The extents of the dimensions, some of them static."""
    given = iter(dynamic)
    static: tuple[int, ...] = op.static_basis.get_values()
    return [s.int(next(given)) if extent == DYNAMIC else linear.const(extent) for extent in static]


@handles("affine.delinearize_index")
def select_delinearize(s: Selector, op: affine.DelinearizeIndexOp) -> None:
    """A linear index taken apart; what is left over goes into the first part."""
    rest = s.int(op.operands[0])
    parts: list[Lin] = []
    basis = _basis(s, op, op.operands[1:])
    for extent in reversed(basis[len(basis) - len(op.results) + 1 :]):
        quotient = _floor_divide(s, rest, extent)
        # With bounds of its own, the remainder is computed in 32 bits; sums with multiples of the quotient cancel it.
        known = extent.is_const and rest.lo >= 0
        parts.append(s.rem(rest, extent, signed=True) if known else s.sub(rest, s.mul(quotient, extent)))
        rest = quotient
    for result, part in zip(op.results, (rest, *reversed(parts)), strict=True):
        s.values[result] = part


@handles("affine.linearize_index")
def select_linearize(s: Selector, op: affine.LinearizeIndexOp) -> None:
    """An index made of one for each dimension."""
    count = narrow.segments(op)[0]
    indices = [s.int(v) for v in op.operands[:count]]
    basis = _basis(s, op, op.operands[count:])
    total = indices[0]
    for index, extent in zip(indices[1:], basis[len(basis) - count + 1 :], strict=True):
        total = s.add(s.mul(total, extent), index)
    s.values[op.results[0]] = total
