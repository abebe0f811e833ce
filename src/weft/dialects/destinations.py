"""Where branches lead, in the syntax of `cf` and `llvm`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer


def parse_destination(parser: Parser) -> tuple[Block, Sequence[SSAValue]]:
    """Parse `^bb` or `^bb(%x, %y : i32, i32)`."""
    block = parser.parse_successor()
    if parser.parse_optional_punctuation("(") is None:
        return block, ()
    operands = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return block, parser.resolve_operands(operands, types, parser.pos)


def print_destination(printer: Printer, block: Block, operands: Sequence[SSAValue]) -> None:
    """Print `^bb(%x, %y : i32, i32)`."""
    printer.print_block_name(block)
    if operands:
        printer.print_string("(")
        printer.print_list(operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([operand.type for operand in operands], printer.print_attribute)
        printer.print_string(")")


def parse_weights(parser: Parser) -> dict[str, Attribute]:
    """Parse `weights([1, 2])` as a property, if it is there."""
    if parser.parse_optional_keyword("weights") is None:
        return {}
    with parser.in_parens():
        numbers = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    return {"branch_weights": DenseArrayBase.from_list(i32, numbers)}


def print_weights(printer: Printer, weights: Attribute | None) -> None:
    """Print ` weights([1, 2])`, if there are any."""
    if isinstance(weights, DenseArrayBase):
        numbers = ", ".join(str(number) for number in cast("DenseArrayBase[Any]", weights).get_values())
        printer.print_string(f" weights([{numbers}])")
