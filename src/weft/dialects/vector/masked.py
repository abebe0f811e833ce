"""Masked and indexed accesses of `vector`, scans, and what is left: casts of buffers, `vscale`, `yield`."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import Block, Operation, Region
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.engine.making import new
from weft.dialects.formats import parse_results

if TYPE_CHECKING:
    from weft.dialects.rows import vector

_MASK = VectorType.constr(i1)


def parse_mask(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `vector.mask %mask, %passthru { operation } : mask -> types`."""
    names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    region = parser.parse_region()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    position = parser.pos
    kinds = [parser.parse_type()]
    results = parse_results(parser)
    operands = parser.resolve_operands(names, [*kinds, *results[: len(names) - 1]], position)
    _finish(region)
    return cls.create(operands=operands, result_types=results, regions=[region], attributes=attributes)


def print_mask(op: vector.MaskOp, printer: Printer) -> None:
    """Print what `parse_mask` parses."""
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    printer.print_string(" { ")
    block = op.mask_region.blocks[0]
    inside = block.first_op
    if inside is not None:
        _print_without_results(printer, inside)
    printer.print_string(" }")
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.mask.type)
    if op.results:
        printer.print_string(" -> ")
        if len(op.results) == 1:
            printer.print_attribute(op.results[0].type)
        else:
            with printer.in_parens():
                printer.print_list(op.result_types, printer.print_attribute)


def _print_without_results(printer: Printer, op: Operation) -> None:
    """Print a masked operation, whose values have no names: the mask's are theirs."""
    buffer = StringIO()
    printer.stream, stream = buffer, printer.stream
    getattr(printer, "print_op_alone", printer.print_op)(op)  # Its location is not printed.
    printer.stream = stream
    text = buffer.getvalue()
    printer.print_string(text.partition(" = ")[2] if op.results else text)


def _finish(region: Region) -> None:
    """Give a masked region the terminator that its text leaves out."""
    if not region.blocks:
        region.add_block(Block())
    block = region.blocks[0]
    last = block.last_op
    if last is not None and last.name == "vector.yield":
        return
    block.add_op(new("vector.yield", *(last.results if last is not None else ())))
