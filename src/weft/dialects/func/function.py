"""`func.func` in MLIR's syntax: attributes of arguments also where there is no body."""

from __future__ import annotations

from typing import TypeVar, cast

from xdsl.dialects.builtin import FunctionType, StringAttr
from xdsl.ir import Attribute, Operation, Region
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.signatures import notes_of, parse_signature, print_arguments, print_results

_ELSEWHERE = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")
"""Properties that have a place of their own in the text."""
_Op = TypeVar("_Op", bound=Operation)


def parse_function(cls: type[_Op], parser: Parser) -> _Op:
    """Parse everything after the name of an operation that is a function."""
    properties: dict[str, Attribute] = {}
    visibility = next((word for word in ("public", "private", "nested") if parser.parse_optional_keyword(word)), None)
    if visibility is not None:
        properties["sym_visibility"] = StringAttr(visibility)
    properties["sym_name"] = parser.parse_symbol_name()
    signature = parse_signature(parser, named=True)
    properties["function_type"] = FunctionType.from_lists(signature.types, signature.results)
    properties |= signature.properties
    behind = parser.pos
    extra = parser.parse_optional_attr_dict_with_keyword()
    attributes = dict(extra.data) if extra else {}
    for name in ("sym_name", "function_type", "sym_visibility"):
        if name in attributes:
            message = "is an inferred attribute and should not be specified in the explicit attribute dictionary"
            parser.raise_error(f"custom op '{cls.name}' '{name}' {message}", behind, behind)
    place = parser.pos
    region = parser.parse_optional_region(signature.arguments if signature.arguments else None)
    if region is not None and not region.blocks:
        parser.raise_error(f"custom op '{cls.name}' expected non-empty function body", place, place)
    return cls.create(properties=properties, attributes=attributes, regions=[region or Region()])


def print_function(op: Operation, printer: Printer) -> None:
    """Print what `parse_function` parses."""
    visibility = op.properties.get("sym_visibility")
    printer.print_string(f" {visibility.data} " if isinstance(visibility, StringAttr) else " ")
    printer.print_symbol_name(cast("StringAttr", op.properties["sym_name"]).data)
    kind = cast("FunctionType", op.properties["function_type"])
    body = op.regions[0]
    values = body.blocks[0].args if body.blocks else ()
    print_arguments(printer, kind.inputs.data, values, notes_of(op, "arg_attrs"))
    print_results(printer, kind.outputs.data, notes_of(op, "res_attrs"))
    shown = {**op.attributes, **op.properties}
    for name in _ELSEWHERE:
        shown.pop(name, None)
    printer.print_op_attributes(shown, print_keyword=True)
    if body.blocks:
        printer.print_string(" ")
        printer.print_region(body, print_entry_block_args=False, print_empty_block=False)
