"""Operations of `llvm` that no kernel has, whose syntax no format states: exceptions, computed jumps, resolvers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, SymbolRefAttr, UnitAttr, i32
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from weft.dialects.definitions import segments
from weft.dialects.destinations import parse_destination, print_destination
from weft.dialects.foreign.operation import ForeignOp
from weft.dialects.llvm.calls import parse_bundles, print_bundles, print_signature
from weft.dialects.llvm.function import parse_convention
from weft.dialects.llvm.globals import parse_head, print_head
from weft.dialects.signatures import parse_signature


def parse_invoke(cls: type[ForeignOp], parser: Parser) -> ForeignOp:
    """Parse `llvm.invoke convention? @f(%a) to ^bb1(%x : T) unwind ^bb2 vararg(T)? bundles? {...} : (T) -> U`."""
    properties: dict[str, Attribute] = {"CConv": parse_convention(parser)}
    symbol = parser.parse_optional_symbol_name()
    pointer = parser.parse_unresolved_operand() if symbol is None else None
    if symbol is not None:
        properties["callee"] = SymbolRefAttr(symbol)
    names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    parser.parse_keyword("to")
    normal, first = parse_destination(parser)
    parser.parse_keyword("unwind")
    unwind, second = parse_destination(parser)
    if parser.parse_optional_keyword("vararg") is not None:
        with parser.in_parens():
            properties["var_callee_type"] = parser.parse_type()
    bundles = parse_bundles(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    operands: list[SSAValue] = []
    if pointer is not None:
        operands.append(parser.resolve_operand(pointer, parser.parse_type()))
        parser.parse_punctuation(",")
    signature = parse_signature(parser, named=False)
    operands += parser.resolve_operands(names, signature.types, parser.pos)
    bundled = [value for group in bundles.groups for value in group]
    properties |= bundles.properties(len(operands)) | signature.properties
    sizes = [len(operands), len(first), len(second), len(bundled)]
    properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
    if "branch_weights" in attributes:
        properties["branch_weights"] = attributes.pop("branch_weights")
    return cls.create(
        operands=[*operands, *first, *second, *bundled],
        result_types=signature.results,
        properties=properties,
        attributes=attributes,
        successors=[normal, unwind],
    )


def print_invoke(op: ForeignOp, printer: Printer) -> None:
    """Print what `parse_invoke` parses."""
    convention: str = cast("Any", op.properties["CConv"]).convention.data
    printer.print_string(f" {convention} " if convention != "ccc" else " ")
    called, first, second, _ = segments(op)
    arguments = list(op.operands[:called])
    callee = op.properties.get("callee")
    if callee is None:
        printer.print_ssa_value(arguments.pop(0))
    else:
        printer.print_attribute(callee)
    with printer.in_parens():
        printer.print_list(arguments, printer.print_ssa_value)
    printer.print_string(" to ")
    print_destination(printer, op.successors[0], op.operands[called : called + first])
    printer.print_string(" unwind ")
    print_destination(printer, op.successors[1], op.operands[called + first : called + first + second])
    if "var_callee_type" in op.properties:
        printer.print_string(" vararg(")
        printer.print_attribute(op.properties["var_callee_type"])
        printer.print_string(")")
    print_bundles(op, printer, op.operands[called + first + second :])
    weights = op.properties.get("branch_weights")
    printer.print_op_attributes(op.attributes | ({} if weights is None else {"branch_weights": weights}))
    printer.print_string(" : ")
    if callee is None:
        printer.print_attribute(op.operands[0].type)
        printer.print_string(", ")
    print_signature(op, printer, arguments)


def parse_landingpad(cls: type[ForeignOp], parser: Parser) -> ForeignOp:
    """Parse `llvm.landingpad cleanup? (catch %a : T) (filter %b : U) : V`."""
    properties: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("cleanup"):
        properties["cleanup"] = UnitAttr()
    operands: list[SSAValue] = []
    while parser.parse_optional_punctuation("("):
        if parser.parse_optional_keyword("filter") is None:
            parser.parse_keyword("catch")
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        operands.append(parser.resolve_operand(value, parser.parse_type()))
        parser.parse_punctuation(")")
    parser.parse_punctuation(":")
    return cls.create(operands=operands, result_types=[parser.parse_type()], properties=properties)


def print_landingpad(op: ForeignOp, printer: Printer) -> None:
    """Print what `parse_landingpad` parses."""
    printer.print_string(" cleanup " if "cleanup" in op.properties else " ")
    for value in op.operands:
        printer.print_string("(filter " if value.type.name == "llvm.array" else "(catch ")
        printer.print_ssa_value(value)
        printer.print_string(" : ")
        printer.print_attribute(value.type)
        printer.print_string(") ")
    printer.print_string(": ")
    printer.print_attribute(op.results[0].type)


def parse_indirectbr(cls: type[ForeignOp], parser: Parser) -> ForeignOp:
    """Parse `llvm.indirectbr %p : T, [ ^bb1(%x : U), ^bb2 ]`."""
    address: UnresolvedOperand = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    parser.parse_punctuation(",")
    targets: list[Block] = []
    groups: list[Sequence[SSAValue]] = []

    def one() -> None:
        target, values = parse_destination(parser)
        targets.append(target)
        groups.append(values)

    parser.parse_comma_separated_list(parser.Delimiter.SQUARE, one)
    return cls.create(
        operands=[parser.resolve_operand(address, kind), *(value for group in groups for value in group)],
        properties={"indbr_operand_segments": DenseArrayBase.from_list(i32, [len(group) for group in groups])},
        attributes=parser.parse_optional_attr_dict(),
        successors=targets,
    )


def print_indirectbr(op: ForeignOp, printer: Printer) -> None:
    """Print what `parse_indirectbr` parses."""
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(", [")
    sizes: Sequence[int] = cast("Any", op.properties["indbr_operand_segments"]).get_values()
    start = 1
    indent = printer._indent  # pyright: ignore[reportPrivateUsage]
    for place, (target, size) in enumerate(zip(op.successors, sizes, strict=True)):
        printer.print_string(",\n" if place else "\n", indent=indent)
        print_destination(printer, target, op.operands[start : start + size])
        start += size
    if op.successors:
        printer.print_string("\n", indent=indent)
    printer.print_string("]")
    printer.print_op_attributes(op.attributes)


def parse_ifunc(cls: type[ForeignOp], parser: Parser) -> ForeignOp:
    """Parse `llvm.mlir.ifunc linkage? ... @name : T, !llvm.ptr @resolver {...}`."""
    properties = parse_head(parser)
    properties["sym_name"] = parser.parse_symbol_name()
    parser.parse_punctuation(":")
    properties["i_func_type"] = parser.parse_type()
    parser.parse_punctuation(",")
    properties["resolver_type"] = parser.parse_type()
    properties["resolver"] = parser.parse_attribute()
    attributes = parser.parse_optional_attr_dict()
    for name in ("dso_local", "address_space"):
        if name in attributes:
            properties[name] = attributes.pop(name)
    return cls.create(properties=properties, attributes=attributes)


def print_ifunc(op: ForeignOp, printer: Printer) -> None:
    """Print what `parse_ifunc` parses."""
    print_head(op, printer)
    printer.print_string(" ")
    printer.print_symbol_name(cast("StringAttr", op.properties["sym_name"]).data)
    printer.print_string(" : ")
    printer.print_attribute(op.properties["i_func_type"])
    printer.print_string(", ")
    printer.print_attribute(op.properties["resolver_type"])
    printer.print_string(" ")
    printer.print_attribute(op.properties["resolver"])
    shown = {name: op.properties[name] for name in ("dso_local", "address_space") if name in op.properties}
    if getattr(getattr(shown.get("address_space"), "value", None), "data", None) == 0:
        del shown["address_space"]
    printer.print_op_attributes({**op.attributes, **shown})
