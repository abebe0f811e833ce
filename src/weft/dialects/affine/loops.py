"""`affine.for`, `if` and `parallel` in MLIR's syntax."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DenseIntElementsAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    TensorType,
    i32,
    i64,
)
from xdsl.dialects.utils import parse_assignment, print_assignment
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr, AffineMap, AffineSymExpr
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.affine.access import print_expressions
from weft.dialects.affine.maps import parse_map, parse_operands, print_map
from weft.dialects.affine.syntax import OperandExpressions
from weft.dialects.arith.predicates import ATOMIC_KINDS
from weft.dialects.engine.operations import op_class
from weft.dialects.formats import operation_place, parse_results, print_argument_location, print_results

if TYPE_CHECKING:
    from weft.dialects.rows import affine as rows


def _terminate(region: Region) -> None:
    """Give a region the `affine.yield` that its text leaves out."""
    if not region.blocks:
        region.add_block(Block())
    block = region.blocks[0]
    if not isinstance(block.last_op, affine.YieldOp):
        block.add_op(op_class("affine.yield").create())


def verify_yield(op: Operation) -> None:
    """The results of the operation around it."""
    around = op.parent_op()
    if around is None or not around.name.startswith("affine."):
        raise VerifyException("only terminates affine.if/for/parallel regions")
    if len(around.results) != len(op.operands):
        raise VerifyException("parent of yield must have same number of results as the yield operands")
    if tuple(around.result_types) != tuple(op.operand_types):
        raise VerifyException("types mismatch between yield op and its parent")


def _parse_bound(parser: Parser, side: str, prefix: str) -> tuple[AffineMapAttr, list[SSAValue]]:
    """`4`, `%n`, `map(dims)[symbols]`, or the largest or smallest of several results behind `max` or `min`."""
    several = parser.parse_optional_keyword(prefix) is not None
    operand = parser.parse_optional_operand(IndexType())
    if operand is not None:
        return AffineMapAttr(AffineMap(0, 1, (AffineSymExpr(0),))), [operand]
    start = parser.pos
    value = parser.parse_optional_integer(allow_boolean=False)
    if value is not None:
        return AffineMapAttr(AffineMap(0, 0, (AffineConstantExpr(value),))), []
    map_ = parse_map(parser, "affine.for")
    dims, symbols = parse_operands(parser)
    error, place = None, operation_place(parser)
    if len(dims) != map_.data.num_dims:
        error = "dim operand count and affine map dim count must match"
    elif len(symbols) != map_.data.num_symbols:
        error = "symbol operand count and affine map symbol count must match"
    elif len(map_.data.results) > 1 and not several:
        error, place = f"{side} loop bound affine map with multiple results requires '{prefix}' prefix", start
    if error is not None:
        parser.raise_error(f"custom op 'affine.for' {error}", place, place)
    return map_, [*dims, *symbols]


def _print_bound(printer: Printer, map_: AffineMapAttr, operands: Sequence[SSAValue], prefix: str) -> None:
    results = map_.data.results
    if len(results) == 1 and not map_.data.num_dims:
        (only,) = results
        if isinstance(only, AffineConstantExpr) and not map_.data.num_symbols:
            printer.print_string(str(only.value))
            return
        if isinstance(only, AffineSymExpr) and map_.data.num_symbols == 1:
            printer.print_ssa_value(operands[0])
            return
    if len(results) != 1:
        printer.print_string(f"{prefix} ")
    print_map(printer, map_, operands)


def verify_for(op: rows.ForOp) -> None:
    """The body takes an index and what is carried."""
    arguments = op.body.block.args
    if not arguments or not isinstance(arguments[0].type, IndexType):
        raise VerifyException("expected body to have a single index argument for the induction variable")
    if len(op.inits) != len(op.results) or len(arguments) != len(op.inits) + 1:
        raise VerifyException("mismatch between the number of loop-carried values and results")


def parse_for(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `affine.for %i = 0 to min map(%n) step 2 iter_args(%x = %y) -> (T) { ... }`."""
    index = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    low, low_operands = _parse_bound(parser, "lower", "max")
    parser.parse_keyword("to")
    high, high_operands = _parse_bound(parser, "upper", "min")
    step = 1
    if parser.parse_optional_keyword("step"):
        place = parser.pos
        step = parser.parse_integer(allow_boolean=False)
        if step < 0:
            message = "expected step to be representable as a positive signed integer"
            parser.raise_error(f"custom op 'affine.for' {message}", place, place)
    paren = parser.Delimiter.PAREN
    place = parser.pos
    pairs: list[tuple[Parser.UnresolvedArgument, UnresolvedOperand]] = []
    types: list[Attribute] = []
    if parser.parse_optional_keyword("iter_args"):
        pairs = parser.parse_comma_separated_list(paren, lambda: parse_assignment(parser))
        types = parse_results(parser)
        if not types:
            parser.raise_error("expected '->'")
    if len(pairs) != len(types):
        message = "mismatch between the number of loop-carried values and results"
        parser.raise_error(f"custom op 'affine.for' {message}", operation_place(parser))
    inits = parser.resolve_operands([value for _, value in pairs], types, place)
    arguments = [argument.resolve(kind) for (argument, _), kind in zip(pairs, types, strict=True)]
    body = parser.parse_region((index.resolve(IndexType()), *arguments))
    _terminate(body)
    sizes = [len(low_operands), len(high_operands), len(inits)]
    return cls.create(
        operands=[*low_operands, *high_operands, *inits],
        result_types=types,
        properties={
            "lowerBoundMap": low,
            "upperBoundMap": high,
            "step": IntegerAttr(step, IndexType()),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, sizes),
        },
        attributes=parser.parse_optional_attr_dict(),
        regions=[body],
    )


def print_for(op: rows.ForOp, printer: Printer) -> None:
    """Print what `parse_for` parses."""
    index, *carried = op.body.block.args
    printer.print_string(" ")
    printer.print_ssa_value(index)
    print_argument_location(printer, index)
    printer.print_string(" = ")
    _print_bound(printer, op.lowerBoundMap, op.lowerBoundOperands, "max")
    printer.print_string(" to ")
    _print_bound(printer, op.upperBoundMap, op.upperBoundOperands, "min")
    if op.step.value.data != 1:
        printer.print_string(f" step {op.step.value.data}")
    if carried:
        printer.print_string(" iter_args(")
        printer.print_list(zip(carried, op.inits, strict=True), lambda pair: print_assignment(printer, *pair))
        printer.print_string(") -> (")
        printer.print_list(op.result_types, printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(
        op.body, print_entry_block_args=False, print_empty_block=False, print_block_terminators=bool(carried)
    )
    printer.print_op_attributes(op.attributes)


def verify_if(op: rows.IfOp) -> None:
    """An operand for each input of the set, and both branches where there are results."""
    condition = op.condition.data
    if len(op.args) != condition.num_dims + condition.num_symbols:
        raise VerifyException("operand count and condition integer set dimension and symbol count must match")
    if op.results and not op.else_region.blocks:
        raise VerifyException(
            "along control flow edge from parent to parent: region branch point has 0 operands, but region "
            f"successor needs {len(op.results)} inputs"
        )


def parse_if(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `affine.if set(dims)[symbols] -> T { ... } else { ... }`."""
    start = operation_place(parser)
    place = parser.pos
    condition = parser.parse_attribute()
    if not isinstance(condition, AffineSetAttr):
        parser.raise_error("custom op 'affine.if' invalid kind of attribute specified", place, place)
    dims, symbols = parse_operands(parser)
    if len(dims) != condition.data.num_dims:
        message = "dim operand count and integer set dim count must match"
        parser.raise_error(f"custom op 'affine.if' {message}", start, start)
    if len(symbols) != condition.data.num_symbols:
        message = "symbol operand count and integer set symbol count must match"
        parser.raise_error(f"custom op 'affine.if' {message}", start, start)
    types = parse_results(parser)
    then = parser.parse_region()
    _terminate(then)
    otherwise = Region()
    if parser.parse_optional_keyword("else"):
        otherwise = parser.parse_region()
        _terminate(otherwise)
    return cls.create(
        operands=[*dims, *symbols],
        result_types=types,
        properties={"condition": condition},
        attributes=parser.parse_optional_attr_dict(),
        regions=[then, otherwise],
    )


def print_if(op: rows.IfOp, printer: Printer) -> None:
    """Print what `parse_if` parses."""
    printer.print_string(" ")
    print_map(printer, op.condition, op.args)
    print_results(printer, op)
    shown = bool(op.results)
    printer.print_string(" ")
    printer.print_region(op.then_region, print_block_terminators=shown)
    if op.else_region.blocks:
        printer.print_string(" else ")
        printer.print_region(op.else_region, print_block_terminators=shown)
    printer.print_op_attributes(op.attributes)


class _Bounds:
    """`(0, max(%a, 4))`: for each dimension a group of expressions."""

    def __init__(self, parser: Parser, several: str) -> None:
        self.found = OperandExpressions(parser)
        self._parser = parser
        self._several = several
        self.groups = parser.parse_comma_separated_list(parser.Delimiter.PAREN, self._group)

    def _group(self) -> list[AffineExpr]:
        if self._parser.parse_optional_keyword(self._several):
            return self._parser.parse_comma_separated_list(self._parser.Delimiter.PAREN, self.found.expression)
        return [self.found.expression()]

    @property
    def operands(self) -> list[SSAValue]:
        """The dimensions, then the symbols."""
        return [*self.found.values()]

    def properties(self, side: str) -> dict[str, Attribute]:
        """The map of all expressions, and the lengths of the groups."""
        sizes = [len(group) for group in self.groups]
        kind = TensorType(i32, [len(sizes)])
        return {
            f"{side}BoundsMap": AffineMapAttr(self.found.map([expr for group in self.groups for expr in group])),
            f"{side}BoundsGroups": DenseIntOrFPElementsAttr.from_list(kind, sizes),
        }


_SIGNS = {
    "maxs": Signedness.SIGNED,
    "maxu": Signedness.UNSIGNED,
    "mins": Signedness.SIGNED,
    "minu": Signedness.UNSIGNED,
}


def _combines(kind: str, type_: Attribute) -> bool:
    """Whether a reduction is one of values of a type: MLIR asks for a sign where it matters."""
    if kind in ("addf", "mulf", "maximumf", "minimumf"):
        return isinstance(type_, AnyFloat)
    if kind in _SIGNS:
        return isinstance(type_, IntegerType) and cast("Any", type_).signedness.data is _SIGNS[kind]
    return kind == "assign" or (kind in ("addi", "andi", "muli", "ori") and isinstance(type_, IntegerType))


def verify_parallel(op: rows.ParallelOp) -> None:
    """As many bounds as indices and steps."""
    rank, lower, upper = len(op.body.block.args), op.lowerBoundsGroups, op.upperBoundsGroups
    counts = (len(lower.get_values()), len(upper.get_values()), len(op.steps))
    if any(count != rank for count in counts):
        raise VerifyException(
            f"the number of region arguments ({rank}) and the number of map groups for lower ({counts[0]}) and "
            f"upper bound ({counts[1]}), and the number of steps ({counts[2]}) must all match"
        )
    for side, groups, map_ in (("lower", lower, op.lowerBoundsMap), ("upper", upper, op.upperBoundsMap)):
        wanted = sum(map(int, groups.get_values()))
        if wanted != len(map_.data.results):
            raise VerifyException(f"expected {side} bounds map to have {wanted} results")
    if len(op.reductions) != len(op.results):
        raise VerifyException("a reduction must be specified for each output")
    for kind, result in zip(op.reductions, op.results, strict=True):
        if not _combines(ATOMIC_KINDS[narrow.number(kind)], result.type):
            raise VerifyException("result type cannot match reduction attribute")


def parse_parallel(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `affine.parallel (%i) = (0) to (%n) step (2) reduce ("addf") -> (T) { ... }`."""
    paren = parser.Delimiter.PAREN
    indices = parser.parse_comma_separated_list(paren, lambda: parser.parse_argument(expect_type=False))
    parser.parse_punctuation("=")
    lower = _Bounds(parser, "max")
    parser.parse_keyword("to")
    upper = _Bounds(parser, "min")
    steps = [1] * len(indices)
    if parser.parse_optional_keyword("step"):
        steps = parser.parse_comma_separated_list(paren, lambda: parser.parse_integer(allow_boolean=False))
    reductions: list[int] = []
    if parser.parse_optional_keyword("reduce"):
        reductions = parser.parse_comma_separated_list(paren, lambda: _parse_kind(parser))
    types = parse_results(parser)
    body = parser.parse_region([index.resolve(IndexType()) for index in indices])
    _terminate(body)
    return cls.create(
        operands=[*lower.operands, *upper.operands],
        result_types=types,
        properties={
            "reductions": ArrayAttr([IntegerAttr(kind, i64) for kind in reductions]),
            "steps": ArrayAttr([IntegerAttr(step, i64) for step in steps]),
            **lower.properties("lower"),
            **upper.properties("upper"),
        },
        attributes=parser.parse_optional_attr_dict(),
        regions=[body],
    )


def print_parallel(op: rows.ParallelOp, printer: Printer) -> None:
    """Print what `parse_parallel` parses."""
    lower = op.lowerBoundsMap.data
    inputs = lower.num_dims + lower.num_symbols
    printer.print_string(" ")
    with printer.in_parens():
        printer.print_list(op.body.block.args, printer.print_ssa_value)
    printer.print_string(" = ")
    _print_bounds(printer, "max", op.lowerBoundsGroups, lower, op.operands[:inputs])
    printer.print_string(" to ")
    _print_bounds(printer, "min", op.upperBoundsGroups, op.upperBoundsMap.data, op.operands[inputs:])
    steps = [step.value.data for step in op.steps]
    if any(step != 1 for step in steps):
        printer.print_string(f" step ({', '.join(map(str, steps))})")
    if op.results:
        printer.print_string(' reduce ("')
        printer.print_string('", "'.join(ATOMIC_KINDS[narrow.number(kind)] for kind in op.reductions))
        printer.print_string('") -> (')
        printer.print_list(op.result_types, printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(
        op.body, print_entry_block_args=False, print_empty_block=False, print_block_terminators=bool(op.results)
    )
    printer.print_op_attributes(op.attributes)


def _parse_kind(parser: Parser) -> int:
    """`"addf"`."""
    place = parser.pos
    word = parser.parse_str_literal()
    if word not in ATOMIC_KINDS:
        parser.raise_error(f"custom op 'affine.parallel' invalid reduction value: \"{word}\"", place, place)
    return ATOMIC_KINDS.index(word)


def _print_bounds(
    printer: Printer, several: str, groups: DenseIntElementsAttr, map_: AffineMap, operands: Sequence[SSAValue]
) -> None:
    sizes = groups.get_values()
    ends = list(accumulate(sizes))
    with printer.in_parens():
        for place, (size, end) in enumerate(zip(sizes, ends, strict=True)):
            printer.print_string(", " if place else "")
            printer.print_string(f"{several}(" if size > 1 else "")
            print_expressions(printer, map_.results[end - size : end], map_, operands)
            printer.print_string(")" if size > 1 else "")
