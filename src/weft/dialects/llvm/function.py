"""`llvm.func`, with attributes of arguments and results and the conventions in MLIR's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Region
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.formats import print_argument_location

_LINKAGES = (
    "private", "internal", "available_externally", "linkonce", "weak", "common", "appending", "extern_weak",
    "linkonce_odr", "weak_odr", "external",
)  # fmt: skip
_VISIBILITIES = ("", "hidden", "protected")
_CONVENTIONS = (
    "ccc", "fastcc", "coldcc", "cc_10", "cc_11", "anyregcc", "preserve_mostcc", "preserve_allcc", "swiftcc",
    "cxx_fast_tlscc", "tailcc", "swifttailcc", "ptx_kernelcc", "ptx_devicecc", "spir_funccc", "spir_kernelcc",
)  # fmt: skip
"""The calling conventions that belong to no other machine."""
llvm.LLVM_CALLING_CONVS.update(_CONVENTIONS)  # xDSL knows them by the names of LLVM IR, where MLIR has its own.
_UNNAMED = ("", "local_unnamed_addr", "unnamed_addr")

_ELSEWHERE = (
    "sym_name", "function_type", "arg_attrs", "res_attrs", "linkage", "CConv", "visibility_", "unnamed_addr", "comdat",
)  # fmt: skip
"""Properties that have a place of their own in the text."""


class Signature(NamedTuple):
    """What stands between the parentheses of a function or a call, and behind them."""

    arguments: list[Parser.Argument]
    types: list[Attribute]
    variadic: bool
    results: list[Attribute]
    properties: dict[str, Attribute]
    """`arg_attrs` and `res_attrs`, where there are any."""


def parse_signature(parser: Parser, *, named: bool) -> Signature:
    """Parse `(T {attributes}, ...) -> T {attributes}`; arguments may have names if `named`."""
    arguments: list[Parser.Argument] = []
    types: list[Attribute] = []
    notes: list[dict[str, Attribute]] = []
    variadic = False

    def parse_argument() -> None:
        nonlocal variadic
        if named and parser.parse_optional_characters("...") is not None:
            variadic = True
            return
        argument = parser.parse_optional_argument() if named else None
        types.append(parser.parse_type() if argument is None else argument.type)
        notes.append(parser.parse_optional_dictionary_attr_dict())
        location = parser.parse_optional_location()
        if argument is not None:
            argument.location = location
            arguments.append(argument)

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_argument)
    results: list[Attribute] = []
    result_notes: list[dict[str, Attribute]] = []

    def parse_result() -> None:
        results.append(parser.parse_type())
        result_notes.append(parser.parse_optional_dictionary_attr_dict())

    if parser.parse_optional_punctuation("->") is not None:
        found = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parse_result)
        if found is None:
            results.append(parser.parse_type())
    properties = {
        name: ArrayAttr([DictionaryAttr(note) for note in group])
        for name, group in (("arg_attrs", notes), ("res_attrs", result_notes))
        if any(group)
    }
    return Signature(arguments, types, variadic, results, dict(properties))


def print_notes(printer: Printer, notes: ArrayAttr[DictionaryAttr] | None, index: int) -> None:
    """Print the attributes of one argument or result."""
    if notes is not None and index < len(notes.data):
        printer.print_op_attributes(notes.data[index].data)


def print_results(
    printer: Printer, types: Sequence[Attribute], notes: ArrayAttr[DictionaryAttr] | None, *, empty: str
) -> None:
    """Print ` -> T`, in parentheses where it has attributes; `empty` when there is none."""
    if not types:
        printer.print_string(empty)
        return
    noted = notes is not None and any(note.data for note in notes.data)
    printer.print_string(" -> (" if noted else " -> ")
    for index, type_ in enumerate(types):
        printer.print_string(", " if index else "")
        printer.print_attribute(type_)
        print_notes(printer, notes, index)
    printer.print_string(")" if noted else "")


def _one_of(parser: Parser, words: Sequence[str]) -> str:
    for word in words:
        if word and parser.parse_optional_keyword(word):
            return word
    return ""


def parse_convention(parser: Parser) -> llvm.CallingConventionAttr:
    """Parse a calling convention, if it is there."""
    return llvm.CallingConventionAttr(_one_of(parser, _CONVENTIONS) or "ccc")


class FuncOp(llvm.FuncOp):
    """`llvm.func linkage? visibility? unnamed_addr? convention? @name(T {...}, ...) -> T attributes {...} { ... }`."""

    name = "llvm.func"

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        """Parse everything after the operation's name."""
        properties: dict[str, Attribute] = {"linkage": llvm.LinkageAttr(_one_of(parser, _LINKAGES) or "external")}
        for name, words in (("visibility_", _VISIBILITIES), ("unnamed_addr", _UNNAMED)):
            properties[name] = IntegerAttr(words.index(_one_of(parser, words)), i64)
        properties["CConv"] = parse_convention(parser)
        properties["sym_name"] = parser.parse_symbol_name()
        position = parser.pos
        signature = parse_signature(parser, named=True)
        if len(signature.results) > 1:
            parser.raise_error("failed to construct function type: expected zero or one function result", position)
        output = signature.results[0] if signature.results else llvm.LLVMVoidType()
        properties["function_type"] = llvm.LLVMFunctionType(signature.types, output, signature.variadic)
        properties |= signature.properties
        if parser.parse_optional_keyword("comdat") is not None:
            with parser.in_parens():
                properties["comdat"] = parser.parse_attribute()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_optional_region(signature.arguments or None)
        return cls.create(
            properties=properties,
            attributes=attributes.data if attributes is not None else {},
            regions=[region if region is not None else Region()],
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        linkage, convention = self.linkage.linkage.data, self.CConv.convention.data
        address = self.unnamed_addr.value.data if self.unnamed_addr is not None else 0
        words = (
            linkage if linkage != "external" else "",
            _VISIBILITIES[self.visibility_.value.data],
            _UNNAMED[address],
            convention if convention != "ccc" else "",
        )
        printer.print_string("".join(f" {word}" for word in words if word) + " ")
        printer.print_symbol_name(self.sym_name.data)
        self._print_arguments(printer)
        output = self.function_type.output
        print_results(printer, [] if output.name == "llvm.void" else [output], self.res_attrs, empty="")
        comdat = self.properties.get("comdat")
        if comdat is not None:
            printer.print_string(" comdat(")
            printer.print_attribute(comdat)
            printer.print_string(")")
        printer.print_op_attributes(
            {**self.attributes, **self.properties}, reserved_attr_names=_ELSEWHERE, print_keyword=True
        )
        if self.body.blocks:
            printer.print_string(" ")
            printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    def _print_arguments(self, printer: Printer) -> None:
        block = self.body.blocks.first
        with printer.in_parens():
            for index, type_ in enumerate(self.function_type.inputs.data):
                printer.print_string(", " if index else "")
                if block is not None:
                    printer.print_ssa_value(block.args[index])
                    printer.print_string(": ")
                printer.print_attribute(type_)
                print_notes(printer, self.arg_attrs, index)
                if block is not None:
                    print_argument_location(printer, block.args[index])
            if self.function_type.is_variadic:
                printer.print_string(", ..." if self.function_type.inputs.data else "...")
