"""`scf.parallel` and `scf.forall` as nests of `scf.for`: one thread runs the whole box, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from xdsl.dialects import scf
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from weft.dialects import rows
from weft.mlir import compile_error

Reducer = Callable[[Operation, Sequence[SSAValue], InsertPoint], Iterable[SSAValue]]
"""What is carried on, of the last operation of a body, what was carried and where operations go."""


def lower_module(module: ModuleOp) -> None:
    """Lower every box of a module; raises CompileError for what is mapped to threads or works on tensors."""
    for op in list(module.walk()):
        if isinstance(op, rows.scf.ForallOp):
            _refuse_mapping(op)
            if op.outputs:
                raise compile_error(op, "tensors have no lowering", "bufferize them first")
            groups = (
                (op.static_lower_bound, op.dynamic_lower_bound),
                (op.static_upper_bound, op.dynamic_upper_bound),
                (op.static_step, op.dynamic_step),
            )
            bounds = [_values(op, static, dynamic) for static, dynamic in groups]
            nest(op, bounds, [], _reduced)
        elif isinstance(op, scf.ParallelOp):
            _refuse_mapping(op)
            nest(op, [op.lowerBound, op.upperBound, op.step], list(op.initVals), _reduced)


def _refuse_mapping(op: Operation) -> None:
    if "mapping" in op.properties or "mapping" in op.attributes:
        raise compile_error(
            op, "a loop that is mapped to threads or blocks has no lowering", "use gpu.thread_id and gpu.block_id"
        )


def _values(op: Operation, static: DenseArrayBase[IntegerType], dynamic: Sequence[SSAValue]) -> list[SSAValue]:
    """Bounds of which some are values and some are numbers, the latter as constants before the operation."""
    given = iter(dynamic)
    found: list[SSAValue] = []
    for number in static.get_values():
        if number == DYNAMIC_INDEX:
            found.append(next(given))
        else:
            constant = ConstantOp(IntegerAttr.from_index_int_value(int(number)))
            Rewriter.insert_op(constant, InsertPoint.before(op))
            found.append(constant.result)
    return found


def nest(op: Operation, bounds: Sequence[Sequence[SSAValue]], initial: list[SSAValue], reduced: Reducer) -> None:
    """Put a nest of loops in the place of an operation; each carries what is reduced."""
    if not bounds[0] or any(len(bound) != len(bounds[0]) for bound in bounds):
        raise compile_error(
            op, "a loop needs the same number of lower bounds, upper bounds and steps, and at least one"
        )
    body = op.regions[0].block
    types = [value.type for value in initial]
    place = InsertPoint.before(op)
    carried, loops, counters = initial, list[scf.ForOp](), list[SSAValue]()
    for lower, upper, step in zip(*bounds, strict=True):
        block = Block(arg_types=[lower.type, *types])
        loop = scf.ForOp(lower, upper, step, carried, Region(block))
        Rewriter.insert_op(loop, place)
        loops.append(loop)
        counters.append(block.args[0])
        carried = list(block.args[1:])
        place = InsertPoint.at_end(block)
    for argument, counter in zip(body.args, counters, strict=True):
        argument.replace_all_uses_with(counter)
    last = body.last_op
    for inner in list(body.ops):
        if inner is not last:
            inner.detach()
            Rewriter.insert_op(inner, place)
    found = reduced(last, carried, place) if last is not None else ()
    Rewriter.insert_op(scf.YieldOp(*found), place)
    for outer, loop in pairwise(loops):
        Rewriter.insert_op(scf.YieldOp(*loop.results), InsertPoint.at_end(outer.body.block))
    Rewriter.replace_op(op, [], loops[0].results)


def _reduced(reduce: Operation, carried: Sequence[SSAValue], place: InsertPoint) -> Iterator[SSAValue]:
    """What each reduction makes of the value so far and of this point's."""
    if not isinstance(reduce, scf.ReduceOp):
        return
    for region, so_far, value in zip(reduce.reductions, carried, reduce.args, strict=True):
        block = region.block
        for argument, given in zip(block.args, (so_far, value), strict=True):
            argument.replace_all_uses_with(given)
        last = block.last_op
        assert last is not None
        for inner in list(block.ops):
            if inner is not last:
                inner.detach()
                Rewriter.insert_op(inner, place)
        yield last.operands[0]
