"""`llvm.call` and `llvm.call_intrinsic`, with attributes of arguments and results; bundles of operands, assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FunctionType,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from weft.dialects.llvm.function import parse_convention
from weft.dialects.signatures import notes_of, parse_signature, print_notes, print_results, subject

if TYPE_CHECKING:
    from weft.dialects.rows import llvm as rows

_NO_FLAGS = llvm.FastMathAttr("none")
_ELSEWHERE = (
    "callee", "var_callee_type", "CConv", "TailCallKind", "op_bundle_sizes", "op_bundle_tags", "operandSegmentSizes",
    "arg_attrs", "res_attrs", "intrin",
)  # fmt: skip
"""Properties that have a place of their own in the text."""
_IN_DICTIONARY = (
    "fastmathFlags", "branch_weights", "memory_effects", "convergent", "no_unwind", "will_return", "no_inline",
    "always_inline", "inline_hint", "access_groups", "alias_scopes", "noalias_scopes", "tbaa",
)  # fmt: skip
"""Properties among the attributes."""


class Bundles:
    """`["tag"(%a, %b : T, U), ...]`: operands of a call that are for the optimizer."""

    def __init__(self) -> None:
        self.tags: list[Attribute] = []
        self.groups: list[Sequence[SSAValue]] = []

    def parse(self, parser: Parser) -> None:
        """Parse the bundles, if there are any."""
        parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, lambda: self._parse_one(parser))

    def _parse_one(self, parser: Parser) -> None:
        self.tags.append(StringAttr(parser.parse_str_literal()))
        with parser.in_parens():
            if parser._current_token.text == ")":  # pyright: ignore[reportPrivateUsage]
                self.groups.append(())
                return
            names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            self.groups.append(parser.resolve_operands(names, types, parser.pos))

    def properties(self, arguments: int) -> dict[str, Attribute]:
        """What the call keeps of them."""
        sizes = [len(group) for group in self.groups]
        found: dict[str, Attribute] = {
            "op_bundle_sizes": DenseArrayBase.from_list(i32, sizes),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [arguments, sum(sizes)]),
        }
        if self.tags:
            found["op_bundle_tags"] = ArrayAttr(self.tags)
        return found


def parse_bundles(parser: Parser) -> Bundles:
    """Parse bundles, if there are any."""
    found = Bundles()
    found.parse(parser)
    return found


def print_bundles(op: Operation, printer: Printer, operands: Sequence[SSAValue]) -> None:
    """Print the bundles of a call, with their operands."""
    tags = cast("ArrayAttr[StringAttr] | None", op.properties.get("op_bundle_tags"))
    if tags is None:
        return
    sizes = cast("DenseArrayBase[IntegerType]", op.properties["op_bundle_sizes"])
    printer.print_string(" [")
    for index, (tag, size) in enumerate(zip(tags.data, sizes.iter_values(), strict=True)):
        printer.print_string(", " if index else "")
        printer.print_attribute(tag)
        group, operands = operands[:size], operands[size:]
        with printer.in_parens():
            printer.print_list(group, printer.print_ssa_value)
            if group:
                printer.print_string(" : ")
                printer.print_list([value.type for value in group], printer.print_attribute)
    printer.print_string("]")


def _print_dictionary(op: llvm.CallOp | llvm.CallIntrinsicOp, printer: Printer) -> None:
    reserved = (*_ELSEWHERE, "fastmathFlags") if op.fastmathFlags == _NO_FLAGS else _ELSEWHERE
    printer.print_op_attributes(op.properties | op.attributes, reserved_attr_names=reserved)


def print_signature(op: Operation, printer: Printer, arguments: Sequence[SSAValue], skip: int = 0) -> None:
    """Print `(T {...}, ...) -> U` of a call."""
    notes = notes_of(op, "arg_attrs")
    with printer.in_parens():
        for index, value in enumerate(arguments):
            printer.print_string(", " if index else "")
            printer.print_attribute(value.type)
            print_notes(printer, notes, index + skip)
    print_results(printer, [result.type for result in op.results], notes_of(op, "res_attrs"), empty=" -> ()")


def _parse_tail(
    parser: Parser, names: Sequence[UnresolvedOperand], callee: UnresolvedOperand | None
) -> tuple[list[SSAValue], list[Attribute], dict[str, Attribute], dict[str, Attribute]]:
    """Parse from the bundles on: the operands, the types of the results, the properties and the other attributes."""
    bundles = parse_bundles(parser)
    attributes = parser.parse_optional_attr_dict()
    colon = parser.pos
    parser.parse_punctuation(":")
    operands: list[SSAValue] = []
    position = parser.pos
    if callee is not None:
        kind = parser.parse_type()
        if isinstance(kind, FunctionType):
            message = "expected indirect call to have 2 trailing types"
            parser.raise_error(f"{subject(parser)}{message}", colon, colon)
        operands.append(parser.resolve_operand(callee, kind))
        parser.parse_punctuation(",")
        position = parser.pos
    signature = parse_signature(parser, named=False)
    if len(signature.results) > 1:
        parser.raise_error(f"{subject(parser)}expected function with 0 or 1 result", colon, colon)
    operands += parser.resolve_operands(names, signature.types, position)
    properties = {"fastmathFlags": _NO_FLAGS, **bundles.properties(len(operands)), **signature.properties}
    properties |= {name: attributes.pop(name) for name in _IN_DICTIONARY if name in attributes}
    operands += [value for group in bundles.groups for value in group]
    return operands, signature.results, properties, attributes


def parse_call(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `llvm.call convention? tail? @f(%a) vararg(T)? bundles? {attributes} : (T {...}) -> U`, or of a pointer."""
    properties: dict[str, Attribute] = {"CConv": parse_convention(parser)}
    kind = parser.parse_optional_keyword_in({k.value for k in llvm.TailCallKind if k != llvm.TailCallKind.NONE})
    properties["TailCallKind"] = llvm.TailCallKindAttr(
        llvm.TailCallKind.NONE if kind is None else llvm.TailCallKind(kind)
    )
    symbol = parser.parse_optional_symbol_name()
    pointer = parser.parse_optional_unresolved_operand() if symbol is None else None
    if symbol is None and pointer is None:
        place = parser.pos
        parser.raise_error("expected attribute value", place, place)
    if symbol is not None:
        properties["callee"] = SymbolRefAttr(symbol)
    names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    if parser.parse_optional_keyword("vararg") is not None:
        with parser.in_parens():
            properties["var_callee_type"] = parser.parse_type()
    operands, results, found, attributes = _parse_tail(parser, names, pointer)
    properties |= found
    return cls.create(operands=operands, result_types=results, properties=properties, attributes=attributes)


def print_call(op: rows.CallOp, printer: Printer) -> None:
    """Print what `parse_call` parses."""
    if op.CConv.convention.data != "ccc":
        printer.print_string(f" {op.CConv.convention.data}")
    if op.TailCallKind.data != llvm.TailCallKind.NONE:
        printer.print_string(f" {op.TailCallKind.data.value}")
    printer.print_string(" ")
    arguments = list(op.args)
    pointer = arguments.pop(0) if op.callee is None else None
    if pointer is not None:
        printer.print_ssa_value(pointer)
    elif op.callee is not None:
        printer.print_attribute(op.callee)
    with printer.in_parens():
        printer.print_list(arguments, printer.print_ssa_value)
    if op.var_callee_type is not None:
        printer.print_string(" vararg(")
        printer.print_attribute(op.var_callee_type)
        printer.print_string(")")
    print_bundles(op, printer, list(op.op_bundle_operands))
    _print_dictionary(op, printer)
    printer.print_string(" : ")
    if pointer is not None:
        printer.print_attribute(pointer.type)
        printer.print_string(", ")
    print_signature(op, printer, arguments)


def parse_call_intrinsic(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `llvm.call_intrinsic "llvm.x"(%a) bundles? {attributes} : (T {...}) -> U`."""
    properties: dict[str, Attribute] = {"intrin": StringAttr(parser.parse_str_literal())}
    names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    operands, results, found, attributes = _parse_tail(parser, names, None)
    properties |= found
    return cls.create(operands=operands, result_types=results, properties=properties, attributes=attributes)


def print_call_intrinsic(op: rows.CallIntrinsicOp, printer: Printer) -> None:
    """Print what `parse_call_intrinsic` parses."""
    printer.print_string(" ")
    printer.print_attribute(op.intrin)
    with printer.in_parens():
        printer.print_list(op.args, printer.print_ssa_value)
    print_bundles(op, printer, list(op.op_bundle_operands))
    _print_dictionary(op, printer)
    printer.print_string(" : ")
    print_signature(op, printer, list(op.args))


def parse_assume(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `llvm.intr.assume %test bundles? : i1`."""
    test = parser.parse_unresolved_operand()
    bundles = parse_bundles(parser)
    parser.parse_punctuation(":")
    operands = [parser.resolve_operand(test, parser.parse_type())]
    operands += [value for group in bundles.groups for value in group]
    properties = bundles.properties(1)
    del properties["operandSegmentSizes"]
    return cls.create(operands=operands, properties=properties, attributes=parser.parse_optional_attr_dict())


def print_assume(op: rows.IntrAssumeOp, printer: Printer) -> None:
    """Print what `parse_assume` parses."""
    printer.print_string(" ")
    printer.print_ssa_value(op.cond)
    print_bundles(op, printer, list(op.op_bundle_operands))
    printer.print_string(" : ")
    printer.print_attribute(op.cond.type)
    printer.print_op_attributes(op.attributes)
