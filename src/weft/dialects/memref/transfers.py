"""The start of a DMA transfer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.formats import operation_place

if TYPE_CHECKING:
    from weft.dialects.rows import memref


def parse_start(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `memref.dma_start %src[..], %dst[..], %n, %tag[..] (, %stride, %per)? : types`."""
    source, source_indices = _access(parser)
    parser.parse_punctuation(",")
    target, target_indices = _access(parser)
    parser.parse_punctuation(",")
    count = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    tag, tag_indices = _access(parser)
    strides: list[UnresolvedOperand] = []
    place = operation_place(parser)
    while parser.parse_optional_punctuation(","):
        strides.append(parser.parse_unresolved_operand())
    if len(strides) not in (0, 2):
        parser.raise_error(f"custom op '{cls.name}' expected two stride related operands", place, place)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    if len(types) != 3:
        parser.raise_error(f"custom op '{cls.name}' fewer/more types expected", place, place)
    index = IndexType()
    operands: list[SSAValue] = []
    for buffer, indices, kind in (
        (source, source_indices, types[0]),
        (target, target_indices, types[1]),
        (None, [count], index),
        (tag, tag_indices, types[2]),
        (None, strides, index),
    ):
        if buffer is not None:
            operands.append(parser.resolve_operand(buffer, kind))
        operands += [parser.resolve_operand(value, index) for value in indices]
    return cls.create(operands=operands, attributes=attributes)


def _buffers(op: memref.DmaStartOp) -> list[int]:
    return [place for place, value in enumerate(op.operands) if isinstance(value.type, MemRefType)]


def print_start(op: memref.DmaStartOp, printer: Printer) -> None:
    """Print what `parse_start` parses."""
    places = _buffers(op)
    for number, place in enumerate(places):
        rank = _rank(op.operands[place].type)
        printer.print_string(", " if number else " ")
        if number == 2:
            printer.print_ssa_value(op.operands[place - 1])
            printer.print_string(", ")
        _print_access(printer, op.operands[place], op.operands[place + 1 : place + 1 + rank])
    last = places[-1]
    for stride in op.operands[last + 1 + _rank(op.operands[last].type) :]:
        printer.print_string(", ")
        printer.print_ssa_value(stride)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_list([op.operands[place].type for place in places], printer.print_attribute)


def verify_start(op: Operation) -> None:
    """Check the operands of `memref.dma_start`, which tell by their types what they are.

    Raises:
        VerifyException: they are not a source, a target, a count, a tag and strides.
    """
    kinds = [value.type for value in op.operands]
    index = IndexType()
    least = 4
    place = 0
    for what in ("source", "destination", "tag"):
        if len(kinds) < least:
            raise VerifyException(f"expected at least {least} operands")
        if what == "tag":
            if kinds[place] != index:
                raise VerifyException("expected num elements to be of index type")
            place += 1
        buffer = narrow.memref(kinds[place])
        if buffer is None:
            raise VerifyException(f"expected {what} to be of memref type")
        rank = buffer.get_num_dims()
        least += rank
        if len(kinds) < least:
            raise VerifyException(f"expected at least {least} operands")
        if any(kind != index for kind in kinds[place + 1 : place + 1 + rank]):
            raise VerifyException(f"expected {what} indices to be of index type")
        place += 1 + rank
    if len(kinds) not in (least, least + 2):
        raise VerifyException("incorrect number of operands")
    if any(kind != index for kind in kinds[least:]):
        raise VerifyException("expected stride and num elements per stride to be of type index")


def _rank(kind: Attribute) -> int:
    buffer = narrow.memref(kind)
    return buffer.get_num_dims() if buffer is not None else 0


def _access(parser: Parser) -> tuple[UnresolvedOperand, list[UnresolvedOperand]]:
    buffer = parser.parse_unresolved_operand()
    return buffer, parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)


def _print_access(printer: Printer, buffer: SSAValue, indices: Sequence[SSAValue]) -> None:
    printer.print_ssa_value(buffer)
    with printer.in_square_brackets():
        printer.print_list(indices, printer.print_ssa_value)
