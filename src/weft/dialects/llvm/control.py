"""`llvm.switch` and `llvm.cond_br`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerType,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.destinations import parse_conditional, parse_destination, print_conditional, print_destination
from weft.dialects.signatures import subject

if TYPE_CHECKING:
    from weft.dialects.rows import llvm


def parse_switch(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `llvm.switch %value : i32, ^default(%x : i32) [ 1: ^bb1(%y : i32), ... ]`."""
    value = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    position = parser.pos
    type_: Any = parser.parse_type()
    if type_.name != IntegerType.name:
        message = f"invalid kind of type specified: expected builtin.integer, but found '{type_}'"
        parser.raise_error(f"{subject(parser)}{message}", position, position)
    parser.parse_punctuation(",")
    default, first = parse_destination(parser)
    numbers: list[int] = []
    targets: list[Block] = []
    groups: list[Sequence[SSAValue]] = []
    parser.parse_punctuation("[")
    while parser.parse_optional_punctuation("]") is None:
        if numbers:
            parser.parse_punctuation(",")
        numbers.append(parser.parse_integer(allow_boolean=False))
        parser.parse_punctuation(":")
        target, operands = parse_destination(parser)
        targets.append(target)
        groups.append(operands)
    attributes = parser.parse_optional_attr_dict()
    cases = [operand for group in groups for operand in group]
    properties: dict[str, Attribute] = {
        "case_operand_segments": DenseArrayBase.from_list(i32, [len(group) for group in groups]),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [1, len(first), len(cases)]),
    }
    if "branch_weights" in attributes:
        properties["branch_weights"] = attributes.pop("branch_weights")
    if numbers:
        vector: VectorType[IntegerType] = VectorType(type_, [len(numbers)])
        properties["case_values"] = DenseIntOrFPElementsAttr.from_list(vector, numbers)
    return cls.create(
        operands=[parser.resolve_operand(value, type_), *first, *cases],
        properties=properties,
        attributes=attributes,
        successors=[default, *targets],
    )


def print_switch(op: llvm.SwitchOp, printer: Printer) -> None:
    """Print what `parse_switch` parses."""
    printer.print_string(" ")
    printer.print_ssa_value(op.value)
    printer.print_string(" : ")
    printer.print_attribute(op.value.type)
    printer.print_string(", ")
    print_destination(printer, op.default_destination, op.default_operands)
    printer.print_string(" [")
    values = op.case_values.get_values() if op.case_values is not None else ()
    at = 0
    with printer.indented():
        for index, (number, target, count) in enumerate(
            zip(values, op.case_destinations, op.case_operand_segments.get_values(), strict=True)
        ):
            printer.print_string("," if index else "")
            printer.print_string("\n", indent=printer._indent)  # pyright: ignore[reportPrivateUsage]
            printer.print_string(f"{number}: ")
            print_destination(printer, target, op.case_operands[at : at + count])
            at += count
    printer.print_string("\n", indent=printer._indent)  # pyright: ignore[reportPrivateUsage]
    printer.print_string("]")
    shown = {} if op.branch_weights is None else {"branch_weights": op.branch_weights}
    printer.print_op_attributes({**shown, **op.attributes})


def parse_cond_br(cls: type[IRDLOperation], parser: Parser) -> Operation:
    """Parse `llvm.cond_br %test weights([1, 2])?, ^then(%x : i32), ^else`."""
    return parse_conditional(cls, parser)


def print_cond_br(op: llvm.CondBrOp, printer: Printer) -> None:
    """Print what `parse_cond_br` parses."""
    print_conditional(op, printer)
    noted = {"loop_annotation": op.loop_annotation} if op.loop_annotation is not None else {}
    printer.print_op_attributes({**noted, **op.attributes})
