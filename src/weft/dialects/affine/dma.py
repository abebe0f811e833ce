"""`affine.dma_start` and `affine.dma_wait`: transfers between memories at indices that affine maps give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.affine.access import parse_indices, print_access
from weft.dialects.affine.identifiers import is_identifier
from weft.dialects.formats import operation_place

if TYPE_CHECKING:
    pass


class _Places:
    """The memrefs of a transfer with their indices, taken from its operands one after the other."""

    def __init__(self, op: Operation, *maps: tuple[str, AffineMapAttr]) -> None:
        self.found: list[tuple[SSAValue, str, AffineMapAttr, Sequence[SSAValue]]] = []
        operands = op.operands
        start = 0
        for name, map_ in maps:
            if start >= len(operands):
                raise VerifyException("incorrect number of operands")
            end = start + 1 + map_.data.num_dims + map_.data.num_symbols
            self.found.append((operands[start], name, map_, operands[start + 1 : end]))
            start = end
        self.rest: Sequence[SSAValue] = operands[start:]

    def check(self) -> None:
        """Refuse what is no memref, and indices that no affine map can follow."""
        for memref, name, _, _ in self.found:
            if narrow.memref(memref.type) is None:
                raise VerifyException(f"expected DMA {_LONG[name]} to be of memref type")
        if any(not isinstance(value.type, IndexType) for value in self.rest):
            raise VerifyException("expected number of elements to be of index type")
        for _, name, _, indices in self.found:
            if any(not is_identifier(value) for value in indices):
                prefix = f"{name} " if name else ""
                raise VerifyException(f"{prefix}index must be a valid dimension or symbol identifier")

    def print(self, printer: Printer) -> None:
        """Print the memrefs with their indices, and the numbers after them."""
        printer.print_string(" ")
        printer.print_list(self.found, lambda place: print_access(printer, place[0], place[2], place[3]))
        for value in self.rest:
            printer.print_string(", ")
            printer.print_ssa_value(value)


_LONG = {"src": "source", "dst": "destination", "tag": "tag", "": "tag"}


def _print_end(printer: Printer, op: Operation, places: _Places, maps: Sequence[str]) -> None:
    printer.print_op_attributes({name: value for name, value in op.attributes.items() if name not in maps})
    printer.print_string(" : ")
    printer.print_list([place[0].type for place in places.found], printer.print_attribute)


def _transfer(op: Operation) -> _Places:
    """Where a transfer reads, writes and counts."""
    return _Places(op, *((name, _map(op, f"{name}_map")) for name in ("src", "dst", "tag")))


def _map(op: Operation, name: str) -> AffineMapAttr:
    found = op.attributes.get(name)
    if not isinstance(found, AffineMapAttr):
        raise VerifyException(f"requires attribute '{name}'")
    return found


def verify_dma_start(op: Operation) -> None:
    """Three memrefs, a number of elements, and two strides or none."""
    places = _transfer(op)
    if len(places.rest) not in (1, 3):
        raise VerifyException("incorrect number of operands")
    places.check()


def parse_dma_start(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `affine.dma_start %src[..], %dst[..], %tag[..], %n (, %stride, %per)? : types`: start a transfer."""
    memrefs: list[Any] = []
    indices: list[Sequence[SSAValue]] = []
    maps: list[AffineMapAttr] = []
    for _ in range(3):
        memrefs.append(parser.parse_unresolved_operand())
        map_, found = parse_indices(parser)
        maps.append(map_)
        indices.append(found.values())
        parser.parse_punctuation(",")
    numbers = [parser.parse_operand(IndexType())]
    while parser.parse_optional_punctuation(","):
        numbers.append(parser.parse_operand(IndexType()))
    if len(numbers) not in (1, 3):
        place = operation_place(parser)
        parser.raise_error(f"custom op '{cls.name}' expected two stride related operands", place, place)
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    if len(types) != 3:
        place = operation_place(parser)
        parser.raise_error(f"custom op '{cls.name}' expected three types", place, place)
    operands: list[SSAValue] = []
    for memref, kind, found in zip(memrefs, types, indices, strict=True):
        operands += [parser.resolve_operand(memref, kind), *found]
    attributes: dict[str, Attribute] = dict(zip(("src_map", "dst_map", "tag_map"), maps, strict=True))
    return cls.create(operands=[*operands, *numbers], attributes=attributes)


def print_dma_start(op: Operation, printer: Printer) -> None:
    """Print what `parse_dma_start` parses."""
    places = _transfer(op)
    places.print(printer)
    _print_end(printer, op, places, ("src_map", "dst_map", "tag_map"))


def verify_dma_wait(op: Operation) -> None:
    """A memref with its indices, and a number of elements."""
    _Places(op, ("", _map(op, "tag_map"))).check()


def parse_dma_wait(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `affine.dma_wait %tag[..], %n : memref`: wait for a transfer."""
    memref = parser.parse_unresolved_operand()
    map_, indices = parse_indices(parser)
    parser.parse_punctuation(",")
    number = parser.parse_operand(IndexType())
    parser.parse_punctuation(":")
    tag = parser.resolve_operand(memref, parser.parse_type())
    return cls.create(operands=[tag, *indices.values(), number], attributes={"tag_map": map_})


def print_dma_wait(op: Operation, printer: Printer) -> None:
    """Print what `parse_dma_wait` parses."""
    places = _Places(op, ("", _map(op, "tag_map")))
    places.print(printer)
    _print_end(printer, op, places, ("tag_map",))
