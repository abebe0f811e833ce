"""Operations of `memref` on storage: globals, copies, atomics, prefetch."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    BoolAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.memref.directives import parse_choice

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from weft.dialects.rows import memref


def verify_global(op: memref.GlobalOp) -> None:
    """The initial value must have the buffer's elements and shape."""
    memref = op.type
    if not memref.has_static_shape():
        raise VerifyException(f"type should be static shaped memref, but got '{memref}'")
    value = op.initial_value
    if isinstance(value, DenseIntOrFPElementsAttr):
        element = value.type.element_type
        if element != memref.element_type:
            raise VerifyException(
                f"initial value element expected to be of type '{memref.element_type}', but was of type '{element}'"
            )
        wanted, found = (", ".join(map(str, kind.get_shape())) for kind in (memref, value.type))
        if wanted != found:
            raise VerifyException(f"initial value shape expected to be {wanted} but was {found}")


def parse_global(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `memref.global "private" constant @name : memref<...> = value`."""
    properties: dict[str, Attribute] = {}
    visibility = parser.parse_optional_str_literal()
    if visibility is not None:
        properties["sym_visibility"] = StringAttr(visibility)
    if parser.parse_optional_keyword("constant"):
        properties["constant"] = UnitAttr()
    properties["sym_name"] = parser.parse_symbol_name()
    parser.parse_punctuation(":")
    position = parser.pos
    memref = narrow.memref(parser.parse_type())
    if memref is None:
        parser.raise_error("type should be static shaped memref", position, parser.pos)
    properties["type"] = memref
    if parser.parse_optional_punctuation("="):
        if parser.parse_optional_keyword("uninitialized"):
            properties["initial_value"] = UnitAttr()
        else:
            parser.parse_keyword("dense")
            properties["initial_value"] = parser.parse_dense_int_or_fp_elements_attr(
                TensorType(cast("AnyFloat | IntegerType | IndexType", memref.element_type), memref.get_shape())
            )
    attributes = parser.parse_optional_attr_dict()
    if "alignment" in attributes:
        properties["alignment"] = attributes.pop("alignment")
    return cls.create(properties=properties, attributes=attributes)


def print_global(op: memref.GlobalOp, printer: Printer) -> None:
    """Print what `parse_global` parses."""
    if op.sym_visibility is not None:
        printer.print_string(" ")
        printer.print_attribute(op.sym_visibility)
    printer.print_string(" constant " if op.constant is not None else " ")
    printer.print_symbol_name(op.sym_name.data)
    printer.print_string(" : ")
    printer.print_attribute(op.type)
    if isinstance(op.initial_value, DenseIntOrFPElementsAttr):
        printer.print_string(" = ")
        op.initial_value.print_without_type(printer)
    elif op.initial_value is not None:
        printer.print_string(" = uninitialized")
    shown = {"alignment": op.alignment} if op.alignment is not None else {}
    printer.print_op_attributes({**shown, **op.attributes})


def parse_prefetch(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `memref.prefetch %m[indices], read, locality<3>, data : type`."""
    memref = parser.parse_unresolved_operand()
    indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType()))
    parser.parse_punctuation(",")
    write = parse_choice(parser, cls.name, "isWrite")
    parser.parse_punctuation(",")
    parser.parse_keyword("locality")
    with parser.in_angle_brackets():
        locality = parser.parse_integer(allow_boolean=False)
    parser.parse_punctuation(",")
    data = parse_choice(parser, cls.name, "isDataCache")
    parser.parse_punctuation(":")
    memref_type = parser.parse_type()
    properties: dict[str, Attribute] = {
        "isWrite": BoolAttr.from_bool(write),
        "localityHint": IntegerAttr(locality, 32),
        "isDataCache": BoolAttr.from_bool(data),
    }
    operands = [parser.resolve_operand(memref, memref_type), *indices]
    return cls.create(operands=operands, properties=properties)


def print_prefetch(op: memref.PrefetchOp, printer: Printer) -> None:
    """Print what `parse_prefetch` parses."""
    printer.print_string(" ")
    printer.print_ssa_value(op.memref)
    with printer.in_square_brackets():
        printer.print_list(op.indices, printer.print_ssa_value)
    access = "write" if op.is_write.value.data else "read"
    cache = "data" if op.is_data_cache.value.data else "instr"
    printer.print_string(f", {access}, locality<{op.locality_hint.value.data}>, {cache}")
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.memref.type)
