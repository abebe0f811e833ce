"""Masked and indexed accesses of `vector`, scans, and what is left: casts of buffers, `vscale`, `yield`."""

from __future__ import annotations

from io import StringIO

from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_operand_def, region_def, var_result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.engine.making import new

_MASK = VectorType.constr(i1)


@irdl_op_definition
class MaskOp(IRDLOperation):
    """`vector.mask %mask, %passthru { operation } : mask -> types`: an operation on the set lanes only."""

    name = "vector.mask"

    mask = operand_def(_MASK)
    passthru = opt_operand_def()
    mask_region = region_def()
    results_ = var_result_def()

    @classmethod
    def parse(cls, parser: Parser) -> MaskOp:
        """Parse everything after the operation's name; a value of the operation inside is yielded."""
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        region = parser.parse_region()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        kinds = [parser.parse_type()]
        results = []
        if parser.parse_optional_punctuation("->"):
            results = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
            results = [parser.parse_type()] if results is None else results
        operands = parser.resolve_operands(names, [*kinds, *results[: len(names) - 1]], position)
        _finish(region)
        return cls.create(operands=operands, result_types=results, regions=[region], attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" { ")
        block = self.mask_region.blocks[0]
        inside = block.first_op
        if inside is not None:
            _print_without_results(printer, inside)
        printer.print_string(" }")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.mask.type)
        if self.results:
            printer.print_string(" -> ")
            if len(self.results) == 1:
                printer.print_attribute(self.results[0].type)
            else:
                with printer.in_parens():
                    printer.print_list(self.result_types, printer.print_attribute)


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
