"""`affine.parallel` as a nest of `scf.for`: one thread runs the whole box, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import inf
from typing import cast

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import AffineMapAttr, AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from weft.dialects import narrow
from weft.dialects.arith.predicates import ATOMIC_KINDS
from weft.dialects.engine.operations import op_class
from weft.mlir import compile_error
from weft.transforms.scf_boxes_to_for import nest

_KINDS: dict[str, tuple[type[Operation], float]] = {
    "addf": (arith.AddfOp, 0.0), "mulf": (arith.MulfOp, 1.0), "maximumf": (arith.MaximumfOp, -inf),
    "minimumf": (arith.MinimumfOp, inf), "addi": (arith.AddiOp, 0), "muli": (arith.MuliOp, 1),
    "andi": (arith.AndIOp, -1), "ori": (arith.OrIOp, 0),
}  # fmt: skip
"""How a reduction joins, and what it starts from: those that upstream's `lower-affine` knows."""


def lower_module(module: ModuleOp) -> None:
    """Lower every box of a module; raises CompileError for a reduction that upstream does not lower either."""
    for op in list(module.walk()):
        if isinstance(op, affine.ParallelOp):
            steps = [_constant(op, IntegerAttr.from_index_int_value(step.value.data)) for step in op.steps]
            kinds = list(_kinds(op))
            start = [_neutral(op, kind, result) for kind, result in zip(kinds, op.results, strict=True)]

            def reduced(
                last: Operation, carried: Sequence[SSAValue], place: InsertPoint, kinds: Sequence[str] = kinds
            ) -> Iterator[SSAValue]:
                for kind, so_far, value in zip(kinds, carried, last.operands, strict=True):
                    joined = _KINDS[kind][0].create(operands=[so_far, value], result_types=[value.type])
                    Rewriter.insert_op(joined, place)
                    yield joined.results[0]

            nest(op, [*_bounds(op), steps], start, reduced)


def _bounds(op: affine.ParallelOp) -> Iterator[list[SSAValue]]:
    """The lower and the upper bounds: the largest and the smallest results of groups of a map."""
    lower, upper = op.lowerBoundsMap.data, op.upperBoundsMap.data
    count = lower.num_dims + lower.num_symbols
    for kind, map_, groups, operands in (
        (op_class("affine.max"), lower, op.lowerBoundsGroups, op.operands[:count]),
        (op_class("affine.min"), upper, op.upperBoundsGroups, op.operands[count:]),
    ):
        results = iter(map_.results)
        bounds = list[SSAValue]()
        for size in groups.get_values():
            part = AffineMap(map_.num_dims, map_.num_symbols, tuple(islice(results, int(size))))
            bound = kind.create(operands=operands, result_types=[IndexType()], properties={"map": AffineMapAttr(part)})
            Rewriter.insert_op(bound, InsertPoint.before(op))
            bounds.append(bound.results[0])
        yield bounds


def _kinds(op: affine.ParallelOp) -> Iterator[str]:
    for kind in op.reductions:
        yield ATOMIC_KINDS[narrow.number(kind)]


def _neutral(op: Operation, kind: str, result: SSAValue) -> SSAValue:
    if kind not in _KINDS:
        raise compile_error(op, f"the reduction '{kind}' has no lowering", f"one of {', '.join(_KINDS)}")
    start = _KINDS[kind][1]
    if isinstance(start, int):
        return _constant(op, IntegerAttr(start, cast("IntegerType", result.type)))
    return _constant(op, FloatAttr(start, cast("AnyFloat", result.type)))


def _constant(op: Operation, value: IntegerAttr | FloatAttr) -> SSAValue:
    constant = arith.ConstantOp(value)
    Rewriter.insert_op(constant, InsertPoint.before(op))
    return constant.result
