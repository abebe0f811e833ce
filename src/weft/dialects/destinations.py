"""Where branches lead, in the syntax of `cf` and `llvm`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from xdsl.dialects.builtin import DenseArrayBase, i1, i32
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.formats import parse_typed, print_typed

if TYPE_CHECKING:
    from weft.dialects.rows import cf, llvm

_Op = TypeVar("_Op", bound=IRDLOperation)


def parse_destination(parser: Parser) -> tuple[Block, Sequence[SSAValue]]:
    """Parse `^bb` or `^bb(%x, %y : i32, i32)`."""
    block = parser.parse_successor()
    if parser.parse_optional_punctuation("(") is None:
        return block, ()
    operands = parse_typed(parser)
    parser.parse_punctuation(")")
    return block, operands


def print_destination(printer: Printer, block: Block, operands: Sequence[SSAValue]) -> None:
    """Print `^bb(%x, %y : i32, i32)`."""
    printer.print_block_name(block)
    if operands:
        printer.print_string("(")
        print_typed(printer, operands)
        printer.print_string(")")


def parse_conditional(cls: type[_Op], parser: Parser) -> _Op:
    """Parse `%test weights([1, 2])?, ^then(%x : i32), ^else` as an operation with these two successors."""
    test = parser.resolve_operand(parser.parse_unresolved_operand(), i1)
    properties = _parse_weights(parser)
    parser.parse_punctuation(",")
    then, first = parse_destination(parser)
    parser.parse_punctuation(",")
    otherwise, second = parse_destination(parser)
    attributes = parser.parse_optional_attr_dict()
    for name in [name for name in attributes if name in cls.get_irdl_definition().properties]:
        properties[name] = attributes.pop(name)
    properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [1, len(first), len(second)])
    operands, successors = [test, *first, *second], [then, otherwise]
    return cls.create(operands=operands, properties=properties, attributes=attributes, successors=successors)


def print_conditional(op: cf.CondBrOp | llvm.CondBrOp, printer: Printer) -> None:
    """Print what `parse_conditional` parses, without the dictionary."""
    printer.print_string(" ")
    printer.print_ssa_value(op.cond)
    _print_weights(printer, op.properties.get("branch_weights"))
    printer.print_string(", ")
    print_destination(printer, op.then_block, op.then_arguments)
    printer.print_string(", ")
    print_destination(printer, op.else_block, op.else_arguments)


def _parse_weights(parser: Parser) -> dict[str, Attribute]:
    """Parse `weights([1, 2])` as a property, if it is there."""
    if parser.parse_optional_keyword("weights") is None:
        return {}
    with parser.in_parens():
        numbers = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    return {"branch_weights": DenseArrayBase.from_list(i32, numbers)}


def _print_weights(printer: Printer, weights: Attribute | None) -> None:
    """Print ` weights([1, 2])`, if there are any."""
    if isinstance(weights, DenseArrayBase):
        numbers = ", ".join(str(number) for number in cast("DenseArrayBase[Any]", weights).get_values())
        printer.print_string(f" weights([{numbers}])")
