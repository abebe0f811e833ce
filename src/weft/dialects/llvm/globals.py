"""`llvm.mlir.global`, with visibility and comdats, and `llvm.mlir.alias`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, IntegerType, UnitAttr, i32, i64
from xdsl.ir import Attribute, Operation, Region
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.engine.definitions import kept
from weft.dialects.formats import operation_place
from weft.dialects.llvm.function import LINKAGES, UNNAMED, VISIBILITIES, parse_one_of
from weft.dialects.strings import text_bytes

if TYPE_CHECKING:
    from weft.dialects.rows import llvm as rows

_ELSEWHERE = ("sym_name", "linkage", "visibility_", "thread_local_", "unnamed_addr", "constant", "value", "comdat")
"""Properties of a global that have a place of their own in the text."""


_GLOBAL = (
    "global_type", "sym_name", "linkage", "constant", "thread_local_", "unnamed_addr", "value",
    "visibility_", "comdat",
)  # fmt: skip


def parse_head(parser: Parser) -> dict[str, Attribute]:
    """Parse `linkage? visibility? thread_local? unnamed_addr?`."""
    properties: dict[str, Attribute] = {"linkage": llvm.LinkageAttr(parse_one_of(parser, LINKAGES) or "external")}
    visibility = parse_one_of(parser, VISIBILITIES)
    if visibility:
        properties["visibility_"] = IntegerAttr(VISIBILITIES.index(visibility), i64)
    if parser.parse_optional_keyword("thread_local") is not None:
        properties["thread_local_"] = UnitAttr()
    unnamed = parse_one_of(parser, UNNAMED)
    if unnamed:
        properties["unnamed_addr"] = IntegerAttr(UNNAMED.index(unnamed), i64)
    return properties


def print_head(op: Operation, printer: Printer) -> None:
    """Print ` linkage visibility? thread_local? unnamed_addr?` of a global or an alias."""
    found = op.properties
    printer.print_string(f" {cast('Any', found['linkage']).linkage.data}")
    words = [_word(found.get("visibility_"), VISIBILITIES)]
    words += ["thread_local" if "thread_local_" in found else "", _word(found.get("unnamed_addr"), UNNAMED)]
    printer.print_string("".join(f" {word}" for word in words if word))


def _word(value: Attribute | None, words: Sequence[str]) -> str:
    return words[cast("int", cast("Any", value).value.data)] if isinstance(value, IntegerAttr) else ""


def parse_global(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `llvm.mlir.global linkage? ... constant? @name(value?) comdat(...)? {...}? : T { ... }`."""
    properties = parse_head(parser)
    if parser.parse_optional_keyword("constant") is not None:
        properties["constant"] = UnitAttr()
    properties["sym_name"] = parser.parse_symbol_name()
    parser.parse_punctuation("(")
    value = None
    if parser.parse_optional_punctuation(")") is None:
        value = properties["value"] = parser.parse_attribute()
        parser.parse_punctuation(")")
    if parser.parse_optional_keyword("comdat") is not None:
        with parser.in_parens():
            properties["comdat"] = parser.parse_attribute()
    found, attributes = kept(cls.name, parser.parse_optional_attr_dict())
    properties |= found
    properties.setdefault("addr_space", IntegerAttr(0, i32))
    if parser.parse_optional_punctuation(":") is not None:
        properties["global_type"] = parser.parse_type()
    elif (text := text_bytes(value)) is not None:
        properties["global_type"] = llvm.LLVMArrayType(len(text), IntegerType(8))
    else:
        place = operation_place(parser)
        parser.raise_error(f"custom op '{cls.name}' type can only be omitted for string globals", place, place)
    region = parser.parse_optional_region()
    return cls.create(properties=properties, attributes=attributes, regions=[region or Region()])


def print_global(op: rows.MlirGlobalOp, printer: Printer) -> None:
    """A global of `llvm`; the type of one that holds text follows from it."""
    print_head(op, printer)
    if op.constant is not None:
        printer.print_string(" constant")
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    with printer.in_parens():
        if op.value is not None:
            printer.print_attribute(op.value)
    if "comdat" in op.properties:
        printer.print_string(" comdat(")
        printer.print_attribute(op.properties["comdat"])
        printer.print_string(")")
    printer.print_op_attributes(op.properties | op.attributes, reserved_attr_names=_GLOBAL)
    if text_bytes(op.value) is None:
        printer.print_string(" : ")
        printer.print_attribute(op.global_type)
    if op.body.blocks:
        printer.print_string(" ")
        printer.print_region(op.body, print_entry_block_args=False)


def parse_alias(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `llvm.mlir.alias linkage? ... @name {...}? : T { ... }`."""
    properties = parse_head(parser)
    properties["sym_name"] = parser.parse_symbol_name()
    found, attributes = kept(cls.name, parser.parse_optional_attr_dict())
    properties |= found
    parser.parse_punctuation(":")
    properties["alias_type"] = parser.parse_type()
    return cls.create(properties=properties, attributes=attributes, regions=[parser.parse_region()])


def print_alias(op: rows.MlirAliasOp, printer: Printer) -> None:
    """Print what `parse_alias` parses."""
    print_head(op, printer)
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    reserved = (*_ELSEWHERE, "alias_type")
    printer.print_op_attributes({**op.properties, **op.attributes}, reserved_attr_names=reserved)
    printer.print_string(" : ")
    printer.print_attribute(op.alias_type)
    printer.print_string(" ")
    printer.print_region(op.initializer)
