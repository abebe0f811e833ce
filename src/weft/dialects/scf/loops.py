"""`scf.for`, `scf.if` and `scf.while` in MLIR's syntax, checked as MLIR checks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, UnitAttr, i1
from xdsl.dialects.utils import parse_assignment, print_assignment
from xdsl.ir import Attribute, Operation, Region
from xdsl.utils.exceptions import VerifyException

from weft.dialects.formats import operation_place
from weft.dialects.scf.edges import check_edge, terminate

if TYPE_CHECKING:
    from xdsl.parser import Parser, UnresolvedOperand
    from xdsl.printer import Printer

    from weft.dialects.rows import scf as rows


def verify_for(op: rows.ForOp) -> None:
    """The body takes an index and what is carried; it yields what is carried."""
    arguments = op.body.block.args
    if len(arguments) != len(op.iter_args) + 1:
        carried = (len(arguments) - 1) % 2**64
        raise VerifyException(f"different number of inits and region iter_args: {len(op.iter_args)} != {carried}")
    if arguments[0].type != op.lb.type:
        raise VerifyException("expected induction variable to be same type as bounds and step")
    if len(op.iter_args) != len(op.results):
        raise VerifyException("mismatch in number of loop-carried values and defined values")
    end = op.body.block.last_op
    if not isinstance(end, scf.YieldOp):
        return
    kinds = [value.type for value in op.iter_args]
    for place, (kind, argument, result) in enumerate(zip(kinds, arguments[1:], op.results, strict=True)):
        if kind != argument.type:
            raise VerifyException(
                f"{place}-th init and {place}-th region iter_arg have different type: '{kind}' != '{argument.type}'"
            )
        if kind != result.type:
            raise VerifyException(
                f"{place}-th region iter_arg and {place}-th loop result have different type: '{kind}' != "
                f"'{result.type}'"
            )
    if len(end.operands) != len(kinds):
        if not end.operands:
            check_edge(end, end.operands, "Region #0", kinds)
        raise VerifyException(
            f"different number of region iter_args and yielded values: {len(kinds)} != {len(end.operands)}"
        )
    for place, (kind, value) in enumerate(zip(kinds, end.operands, strict=True)):
        if kind != value.type:
            raise VerifyException(
                f"{place}-th region iter_arg and {place}-th yielded value have different type: '{kind}' != "
                f"'{value.type}'"
            )


def parse_for(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `scf.for unsigned? %i = %a to %b step %s iter_args(%x = %y) -> (T) : U { ... }`."""
    start = operation_place(parser)
    properties: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("unsigned"):
        properties["unsignedCmp"] = UnitAttr()
    index = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    low = parser.parse_unresolved_operand()
    parser.parse_keyword("to")
    high = parser.parse_unresolved_operand()
    parser.parse_keyword("step")
    step = parser.parse_unresolved_operand()
    paren = parser.Delimiter.PAREN
    pairs: list[tuple[Parser.UnresolvedArgument, UnresolvedOperand]] = []
    types: list[Attribute] = []
    if parser.parse_optional_keyword("iter_args"):
        pairs = parser.parse_comma_separated_list(paren, lambda: parse_assignment(parser))
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(paren, parser.parse_type)
    if len(pairs) != len(types):
        message = "mismatch in number of loop-carried values and defined values"
        parser.raise_error(f"custom op 'scf.for' {message}", start, start)
    kind = parser.parse_type() if parser.parse_optional_punctuation(":") else IndexType()
    operands = [parser.resolve_operand(value, kind) for value in (low, high, step)]
    operands += [parser.resolve_operand(value, type_) for (_, value), type_ in zip(pairs, types, strict=True)]
    arguments = [argument.resolve(type_) for (argument, _), type_ in zip(pairs, types, strict=True)]
    body = parser.parse_region((index.resolve(kind), *arguments))
    terminate(body, scf.YieldOp)
    attributes = parser.parse_optional_attr_dict()
    return cls.create(
        operands=operands, result_types=types, properties=properties, attributes=attributes, regions=[body]
    )


def print_for(op: rows.ForOp, printer: Printer) -> None:
    """Print what `parse_for` parses."""
    index, *carried = op.body.block.args
    printer.print_string(" unsigned " if "unsignedCmp" in op.properties else " ")
    for value, word in ((index, " = "), (op.lb, " to "), (op.ub, " step "), (op.step, "")):
        printer.print_ssa_value(value)
        printer.print_string(word)
    if carried:
        printer.print_string(" iter_args(")
        pairs = zip(carried, op.iter_args, strict=True)
        printer.print_list(pairs, lambda pair: print_assignment(printer, *pair))
        printer.print_string(") -> (")
        printer.print_list(op.result_types, printer.print_attribute)
        printer.print_string(")")
    if not isinstance(index.type, IndexType):
        printer.print_string("  : ")
        printer.print_attribute(index.type)
    printer.print_string(" ")
    printer.print_region(
        op.body, print_entry_block_args=False, print_empty_block=False, print_block_terminators=bool(carried)
    )
    printer.print_op_attributes(op.attributes)


def verify_if(op: rows.IfOp) -> None:
    """Both branches yield the results, and there are both where there are results."""
    if op.results and not op.false_region.blocks:
        raise VerifyException("must have an else block if defining values")
    for place, region in enumerate((op.true_region, op.false_region)):
        if not region.blocks:
            continue
        if region.block.args:
            raise VerifyException(f"region #{place} should have no arguments")
        end = region.block.last_op
        if isinstance(end, scf.YieldOp):
            check_edge(end, end.operands, "parent", op.result_types)


def parse_if(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `scf.if %c -> (T) { ... } else { ... }`."""
    condition = parser.parse_operand(i1)
    types: list[Attribute] = []
    if parser.parse_optional_punctuation("->"):
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    then = parser.parse_region()
    terminate(then, scf.YieldOp)
    otherwise = Region()
    if parser.parse_optional_keyword("else"):
        otherwise = parser.parse_region()
        terminate(otherwise, scf.YieldOp)
    attributes = parser.parse_optional_attr_dict()
    return cls.create(operands=[condition], result_types=types, attributes=attributes, regions=[then, otherwise])


def print_if(op: rows.IfOp, printer: Printer) -> None:
    """Print what `parse_if` parses."""
    printer.print_string(" ")
    printer.print_ssa_value(op.cond)
    if op.results:
        printer.print_string(" -> (")
        printer.print_list(op.result_types, printer.print_attribute)
        printer.print_string(")")
    shown = bool(op.results)
    printer.print_string(" ")
    printer.print_region(op.true_region, print_entry_block_args=False, print_block_terminators=shown)
    if op.false_region.blocks:
        printer.print_string(" else ")
        printer.print_region(op.false_region, print_entry_block_args=False, print_block_terminators=shown)
    printer.print_op_attributes(op.attributes)


def verify_while(op: rows.WhileOp) -> None:
    """The first region ends with `scf.condition`, the second with `scf.yield`, and the values fit."""
    before, after = op.before_region.block, op.after_region.block
    condition, end = before.last_op, after.last_op
    if not isinstance(condition, scf.ConditionOp):
        raise VerifyException("expects the 'before' region to terminate with 'scf.condition'")
    if not isinstance(end, scf.YieldOp):
        raise VerifyException("expects the 'after' region to terminate with 'scf.yield'")
    kinds = [argument.type for argument in before.args]
    check_edge(None, op.arguments, "Region #0", kinds)
    check_edge(condition, condition.args, "parent", op.result_types)
    check_edge(condition, condition.args, "Region #1", [argument.type for argument in after.args])
    check_edge(end, end.operands, "Region #0", kinds)


def parse_while(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `scf.while (%x = %y) : (T) -> U { ... } do { ... }`."""
    paren = parser.Delimiter.PAREN
    pairs = parser.parse_optional_comma_separated_list(paren, lambda: parse_assignment(parser)) or []
    place = parser.pos
    parser.parse_punctuation(":")
    kind = parser.parse_function_type()
    inputs: Sequence[Attribute] = kind.inputs.data
    if len(pairs) != len(inputs):
        message = f"expected as many input types as operands (expected {len(pairs)} got {len(inputs)})"
        parser.raise_error(f"custom op 'scf.while' {message}", place, place)
    operands = [parser.resolve_operand(value, type_) for (_, value), type_ in zip(pairs, inputs, strict=True)]
    before = parser.parse_region([argument.resolve(type_) for (argument, _), type_ in zip(pairs, inputs, strict=True)])
    parser.parse_keyword("do")
    after = parser.parse_region()
    extra = parser.parse_optional_attr_dict_with_keyword()
    return cls.create(
        operands=operands,
        result_types=kind.outputs.data,
        attributes=extra.data if extra else {},
        regions=[before, after],
    )


def print_while(op: rows.WhileOp, printer: Printer) -> None:
    """Print what `parse_while` parses."""
    if op.arguments:
        printer.print_string(" (")
        pairs = zip(op.before_region.block.args, op.arguments, strict=True)
        printer.print_list(pairs, lambda pair: print_assignment(printer, *pair))
        printer.print_string(")")
    printer.print_string(" : ")
    printer.print_operation_type(op)
    printer.print_string(" ")
    printer.print_region(op.before_region, print_entry_block_args=False)
    printer.print_string(" do ")
    printer.print_region(op.after_region)
    printer.print_op_attributes(op.attributes, print_keyword=True)
