"""`scf.parallel` and `scf.reduce` in MLIR's syntax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects import scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.utils.exceptions import VerifyException

from weft.dialects.formats import operation_place, parse_typed, print_results, print_typed
from weft.dialects.scf.edges import terminate

if TYPE_CHECKING:
    from xdsl.printer import Printer

    from weft.dialects.rows import scf as rows


def verify_parallel(op: rows.ParallelOp) -> None:
    """As many bounds as indices, as many reductions as results, of their types."""
    count = len(op.step)
    if not count or not op.lowerBound:
        raise VerifyException("needs at least one tuple element for lowerBound, upperBound and step")
    for step in op.step:
        source = step.owner
        value = source.properties.get("value") if isinstance(source, Operation) else None
        if isinstance(value, IntegerAttr) and value.value.data <= 0:
            raise VerifyException("constant step operand must be positive")
    indices = op.body.block.args
    if len(indices) != count:
        raise VerifyException(
            f"expects the same number of induction variables: {len(indices)} as bound and step values: {count}"
        )
    if not all(isinstance(index.type, IndexType) for index in indices):
        raise VerifyException("expects arguments for the induction variable to be of index type")
    reduce = op.body.block.last_op
    if not isinstance(reduce, scf.ReduceOp):
        raise VerifyException("expects body to terminate with 'scf.reduce'")
    results, reductions, initial = len(op.results), len(reduce.reductions), len(op.initVals)
    if results != reductions:
        raise VerifyException(
            f"expects number of results: {results} to be the same as number of reductions: {reductions}"
        )
    if results != initial:
        raise VerifyException(
            f"expects number of results: {results} to be the same as number of initial values: {initial}"
        )


def parse_parallel(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `scf.parallel (%i) = (%low) to (%high) step (%step) init (%x) -> T { ... }`."""
    paren = parser.Delimiter.PAREN
    indices = parser.parse_comma_separated_list(paren, lambda: parser.parse_argument(expect_type=False))
    parser.parse_punctuation("=")
    lower = _bounds(parser, len(indices))
    parser.parse_keyword("to")
    upper = _bounds(parser, len(indices))
    parser.parse_keyword("step")
    step = _bounds(parser, len(indices))
    unresolved: Sequence[UnresolvedOperand] = ()
    if parser.parse_optional_keyword("init"):
        unresolved = parser.parse_comma_separated_list(paren, parser.parse_unresolved_operand)
    types: list[Attribute] = []
    if parser.parse_optional_punctuation("->"):
        types = parser.parse_comma_separated_list(paren, parser.parse_type)
    if len(unresolved) != len(types):
        message = f"number of operands and types do not match: got {len(unresolved)} operands and {len(types)} types"
        place = operation_place(parser)
        parser.raise_error(f"custom op 'scf.parallel' {message}", place, place)
    initial = parser.resolve_operands(unresolved, types, parser.pos)
    body = parser.parse_region([index.resolve(IndexType()) for index in indices])
    terminate(body, scf.ReduceOp)
    attributes = parser.parse_optional_attr_dict()
    sizes = [len(group) for group in (lower, upper, step, initial)]
    return cls.create(
        operands=[*lower, *upper, *step, *initial],
        result_types=types,
        properties={"operandSegmentSizes": DenseArrayBase.from_list(i32, sizes)},
        attributes=attributes,
        regions=[body],
    )


def print_parallel(op: rows.ParallelOp, printer: Printer) -> None:
    """Print what `parse_parallel` parses."""
    groups = (
        (" ", op.body.block.args),
        (" = ", op.lowerBound),
        (" to ", op.upperBound),
        (" step ", op.step),
    )
    for word, values in groups:
        printer.print_string(word)
        with printer.in_parens():
            printer.print_list(values, printer.print_ssa_value)
    if op.initVals:
        printer.print_string(" init (")
        printer.print_list(op.initVals, printer.print_ssa_value)
        printer.print_string(")")
    print_results(printer, op)
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False)
    printer.print_op_attributes(op.attributes)


def _bounds(parser: Parser, rank: int) -> list[SSAValue]:
    """`(%a, %b)`, as many as there are indices."""
    place = parser.pos
    values = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    if len(values) != rank:
        parser.raise_error(f"custom op 'scf.parallel' expected {rank} operands", place, place)
    return [parser.resolve_operand(value, IndexType()) for value in values]


def verify_reduce(op: rows.ReduceOp) -> None:
    """Each operand is of its result's type, each region combines two values of that type."""
    around = op.parent_op()
    kinds = around.result_types if around is not None else ()
    for place, (operand, kind) in enumerate(zip(op.args, kinds, strict=False)):
        if operand.type != kind:
            raise VerifyException(
                f"expects type of {place}-th reduction operand: '{operand.type}' to be the same as the {place}-th "
                f"result type: '{kind}'"
            )
    if len(op.args) != len(op.reductions):
        raise VerifyException(f"expects number of operands: {len(op.args)} to be the same as number of regions")
    for place, (region, operand) in enumerate(zip(op.reductions, op.args, strict=True)):
        kinds = [argument.type for argument in region.block.args]
        if kinds != [operand.type, operand.type]:
            raise VerifyException(
                f"expected two block arguments with type '{operand.type}' in the {place}-th reduction region"
            )


def parse_reduce(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `scf.reduce(%x : T) { ^bb0(%a: T, %b: T): ... }, ...`."""
    operands: Sequence[SSAValue] = ()
    if parser.parse_optional_punctuation("("):
        operands = parse_typed(parser)
        parser.parse_punctuation(")")
    first = parser.parse_optional_region()
    regions = [] if first is None else [first]
    while regions and parser.parse_optional_punctuation(","):
        regions.append(parser.parse_region())
    return cls.create(operands=operands, regions=regions, attributes=parser.parse_optional_attr_dict())


def print_reduce(op: rows.ReduceOp, printer: Printer) -> None:
    """Print what `parse_reduce` parses."""
    if op.args:
        with printer.in_parens():
            print_typed(printer, op.args)
    printer.print_string(" ")
    printer.print_list(op.reductions, printer.print_region)
    printer.print_op_attributes(op.attributes)


def verify_reduce_return(op: rows.ReduceReturnOp) -> None:
    """The value has the type of what is combined."""
    region = op.parent_region()
    assert region is not None
    first = region.block.args[0]
    if op.result.type != first.type:
        raise VerifyException(f"must have type '{first.type}' (the type of the reduction inputs)")
