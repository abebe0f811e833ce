"""Operations of foreign dialects whose syntax no format states."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, IntegerAttr, i32, i64
from xdsl.ir import Attribute
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from weft.dialects.definitions import segments
from weft.dialects.foreign.operation import ForeignOp, terminate
from weft.dialects.foreign.types import kept, parsed
from weft.dialects.formats import parse_results, print_typed
from weft.dialects.func.function import parse_function as parse_function
from weft.dialects.func.function import print_function as print_function


def parse_yield(cls: type[ForeignOp], parser: Parser) -> ForeignOp:
    """Parse `linalg.yield {...} %x, %y : T, U`."""
    attributes = parser.parse_optional_attr_dict()
    values = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
    )
    if not values:
        return cls.create(attributes=attributes)
    attributes |= parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    return cls.create(operands=parser.resolve_operands(values, types, parser.pos), attributes=attributes)


def print_yield(op: ForeignOp, printer: Printer) -> None:
    """Print what `parse_yield` parses."""
    printer.print_op_attributes(op.attributes)
    if op.operands:
        printer.print_string(" ")
        print_typed(printer, op.operands)


def parse_alloc_tensor(cls: type[ForeignOp], parser: Parser) -> ForeignOp:
    """Parse `bufferization.alloc_tensor(%d) copy(%t) size_hint=%s {...} : T`."""
    extents = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    copied: list[UnresolvedOperand] = []
    hint: list[UnresolvedOperand] = []
    if parser.parse_optional_keyword("copy"):
        copied = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    if parser.parse_optional_keyword("size_hint"):
        parser.parse_punctuation("=")
        hint = [parser.parse_unresolved_operand()]
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    index = IndexType()
    operands = [
        *(parser.resolve_operand(value, index) for value in extents),
        *(parser.resolve_operand(value, kind) for value in copied),
        *(parser.resolve_operand(value, index) for value in hint),
    ]
    properties: dict[str, Attribute] = {
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(extents), len(copied), len(hint)])
    }
    if "memory_space" in attributes:
        properties["memory_space"] = attributes.pop("memory_space")
    return cls.create(operands=operands, result_types=[kind], properties=properties, attributes=attributes)


def print_alloc_tensor(op: ForeignOp, printer: Printer) -> None:
    """Print what `parse_alloc_tensor` parses."""
    extents, copied, hint = segments(op)
    with printer.in_parens():
        printer.print_list(op.operands[:extents], printer.print_ssa_value)
    if copied:
        printer.print_string(" copy(")
        printer.print_ssa_value(op.operands[extents])
        printer.print_string(")")
    if hint:
        printer.print_string(" size_hint=")
        printer.print_ssa_value(op.operands[-1])
    shown = {**op.attributes, **op.properties}
    shown.pop("operandSegmentSizes", None)
    printer.print_op_attributes(shown)
    printer.print_string(" : ")
    printer.print_attribute(op.results[0].type)


def parse_split(cls: type[ForeignOp], parser: Parser) -> ForeignOp:
    """Parse `transform.structured.split %t after 3 {dimension = 0} : T`, or `after %n`, and the types."""
    target = parser.parse_unresolved_operand()
    parser.parse_keyword("after")
    chunk = parser.parse_optional_unresolved_operand()
    number = DYNAMIC_INDEX if chunk is not None else parser.parse_integer()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    operands = [parser.resolve_operand(target, kind)]
    if chunk is not None:
        parser.parse_punctuation(",")
        operands.append(parser.resolve_operand(chunk, parser.parse_type()))
    properties: dict[str, Attribute] = {"static_chunk_sizes": IntegerAttr(number, i64)}
    for name in ("dimension", "multiway"):
        if name in attributes:
            properties[name] = attributes.pop(name)
    return cls.create(operands=operands, result_types=[kind], properties=properties, attributes=attributes)


def print_split(op: ForeignOp, printer: Printer) -> None:
    """Print what `parse_split` parses."""
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    printer.print_string(" after ")
    if len(op.operands) > 1:
        printer.print_ssa_value(op.operands[1])
    else:
        printer.print_string(str(cast("Any", op.properties["static_chunk_sizes"]).value.data))
    shown = {**op.attributes, **op.properties}
    del shown["static_chunk_sizes"]
    printer.print_op_attributes(shown)
    printer.print_string(" : ")
    printer.print_list(op.operand_types, printer.print_attribute)


def parse_execute(cls: type[ForeignOp], parser: Parser) -> ForeignOp:
    """Parse `async.execute [%token] (%value as %name: !async.value<T>) -> !async.value<U> { ... }`."""
    tokens: list[UnresolvedOperand] = []
    values: list[tuple[UnresolvedOperand, Parser.Argument, Attribute]] = []

    def bound() -> None:
        value = parser.parse_unresolved_operand()
        parser.parse_keyword("as")
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        inner = parsed(parser, cast("Any", kind).value.data)
        values.append((value, Parser.Argument(argument.name, cast("Any", inner)), kind))

    listed = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)
    tokens += listed or []
    parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, bound)
    results = parse_results(parser)
    extra = parser.parse_optional_attr_dict_with_keyword()
    region = parser.parse_region([argument for _, argument, _ in values] or None)
    token = cast("Any", kept("async.token", is_type=True))("async.token", True, False, "")
    operands = [parser.resolve_operand(value, token) for value in tokens]
    operands += [parser.resolve_operand(value, kind) for value, _, kind in values]
    op = cls.create(
        operands=operands,
        result_types=[token, *results],
        properties={"operandSegmentSizes": DenseArrayBase.from_list(i32, [len(tokens), len(values)])},
        attributes=dict(extra.data) if extra is not None else {},
        regions=[region],
    )
    terminate(op, parser)
    return op


def print_execute(op: ForeignOp, printer: Printer) -> None:
    """Print what `parse_execute` parses."""
    tokens = segments(op)[0]
    if tokens:
        printer.print_string(" [")
        printer.print_list(op.operands[:tokens], printer.print_ssa_value)
        printer.print_string("]")
    body = op.regions[0]
    if len(op.operands) > tokens:
        printer.print_string(" (")
        for place, value in enumerate(op.operands[tokens:]):
            printer.print_string(", " if place else "")
            printer.print_ssa_value(value)
            printer.print_string(" as ")
            printer.print_ssa_value(body.blocks[0].args[place])
            printer.print_string(": ")
            printer.print_attribute(value.type)
        printer.print_string(")")
    if len(op.results) > 1:
        several = len(op.results) > 2
        printer.print_string(" -> (" if several else " -> ")
        printer.print_list(op.result_types[1:], printer.print_attribute)
        printer.print_string(")" if several else "")
    printer.print_op_attributes(op.attributes, print_keyword=True)
    printer.print_string(" ")
    printer.print_region(body, print_entry_block_args=False)
