"""`llvm.func`, with attributes of arguments and results and the conventions in MLIR's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import Attribute, Operation, Region
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.engine.definitions import kept
from weft.dialects.llvm.descriptions import StructAttribute, attribute
from weft.dialects.llvm.kinds import is_compatible
from weft.dialects.signatures import Signature, parse_signature, print_arguments, print_results, subject

if TYPE_CHECKING:
    from weft.dialects.rows import llvm as rows

LINKAGES = (
    "private", "internal", "available_externally", "linkonce", "weak", "common", "appending", "extern_weak",
    "linkonce_odr", "weak_odr", "external",
)  # fmt: skip
VISIBILITIES = ("", "hidden", "protected")
_CONVENTIONS = (
    "ccc", "fastcc", "coldcc", "cc_10", "cc_11", "anyregcc", "preserve_mostcc", "preserve_allcc", "swiftcc",
    "cxx_fast_tlscc", "tailcc", "cfguard_checkcc", "swifttailcc", "x86_stdcallcc", "x86_fastcallcc", "arm_apcscc",
    "arm_aapcscc", "arm_aapcs_vfpcc", "msp430_intrcc", "x86_thiscallcc", "ptx_kernelcc", "ptx_devicecc", "spir_funccc",
    "spir_kernelcc", "intel_ocl_bicc", "x86_64_sysvcc", "win64cc", "x86_vectorcallcc", "hhvmcc", "hhvm_ccc",
    "x86_intrcc", "avr_intrcc", "avr_signalcc", "avr_builtincc", "amdgpu_vscc", "amdgpu_gscc", "amdgpu_pscc",
    "amdgpu_cscc", "amdgpu_kernelcc", "x86_regcallcc", "amdgpu_hscc", "msp430_builtincc", "amdgpu_lscc", "amdgpu_escc",
    "aarch64_vectorcallcc", "aarch64_sve_vectorcallcc", "wasm_emscripten_invokecc", "amdgpu_gfxcc", "m68k_intrcc",
)  # fmt: skip
"""The calling conventions."""
llvm.LLVM_CALLING_CONVS.update(_CONVENTIONS)  # xDSL knows them by the names of LLVM IR, where MLIR has its own.
UNNAMED = ("", "local_unnamed_addr", "unnamed_addr")

_ELSEWHERE = (
    "sym_name", "function_type", "arg_attrs", "res_attrs", "linkage", "CConv", "visibility_", "unnamed_addr", "comdat",
    "vscale_range",
)  # fmt: skip
"""Properties that have a place of their own in the text."""


def _refuse(parser: Parser, message: str, place: int) -> NoReturn:
    parser.raise_error(f"{subject(parser)}{message}", place, place)


def parse_one_of(parser: Parser, words: Sequence[str]) -> str:
    """Parse one of some words, if it is there; an empty text if not."""
    for word in words:
        if word and parser.parse_optional_keyword(word):
            return word
    return ""


def parse_convention(parser: Parser) -> llvm.CallingConventionAttr:
    """Parse a calling convention, if it is there."""
    return llvm.CallingConventionAttr(parse_one_of(parser, _CONVENTIONS) or "ccc")


def _no_function_type(signature: Signature) -> str | None:
    """Why a signature is of no function that LLVM has; None when it is of one."""
    if len(signature.results) > 1:
        return "expected zero or one function result"
    if not all(is_compatible(kind) for kind in signature.types):
        return "expected LLVM type for function arguments"
    wrong = next((kind for kind in signature.results if not is_compatible(kind)), None)
    return None if wrong is None else f"expected LLVM type for function results'{wrong}'"


def _parse_scales(parser: Parser) -> Attribute:
    """Parse `(1, 16)`: the least and the most that the size of a scalable vector is multiplied by."""
    with parser.in_parens():
        least = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation(",")
        most = parser.parse_integer(allow_boolean=False)
    cls = attribute("vscale_range")
    assert cls is not None
    return cls((("minRange", IntegerAttr(least, i32)), ("maxRange", IntegerAttr(most, i32))))


def parse_function(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `linkage? visibility? unnamed_addr? convention? @name(T {...}, ...) -> T attributes {...} { ... }`."""
    properties: dict[str, Attribute] = {"linkage": llvm.LinkageAttr(parse_one_of(parser, LINKAGES) or "external")}
    for name, words in (("visibility_", VISIBILITIES), ("unnamed_addr", UNNAMED)):
        properties[name] = IntegerAttr(words.index(parse_one_of(parser, words)), i64)
    properties["CConv"] = parse_convention(parser)
    position = parser.pos
    properties["sym_name"] = parser.parse_symbol_name()
    signature = parse_signature(parser, named=True, variadic=True)
    problem = _no_function_type(signature)
    if problem is not None:
        _refuse(parser, f"failed to construct function type: {problem}", position)
    if parser.parse_optional_keyword("vscale_range") is not None:
        properties["vscale_range"] = _parse_scales(parser)
    output = signature.results[0] if signature.results else llvm.LLVMVoidType()
    properties["function_type"] = llvm.LLVMFunctionType(signature.types, output, signature.variadic)
    properties |= signature.properties
    if parser.parse_optional_keyword("comdat") is not None:
        with parser.in_parens():
            properties["comdat"] = parser.parse_attribute()
    written = parser.parse_optional_attr_dict_with_keyword()
    found, attributes = kept(cls.name, written.data if written is not None else {})
    properties |= found
    region = parser.parse_optional_region(signature.arguments or None)
    return cls.create(
        properties=properties, attributes=attributes, regions=[region if region is not None else Region()]
    )


def print_function(op: rows.FuncOp, printer: Printer) -> None:
    """Print what `parse_function` parses."""
    linkage, convention = op.linkage.linkage.data, op.c_conv.convention.data
    address = op.unnamed_addr.value.data if op.unnamed_addr is not None else 0
    words = (
        linkage if linkage != "external" else "",
        VISIBILITIES[op.visibility_.value.data],
        UNNAMED[address],
        convention if convention != "ccc" else "",
    )
    printer.print_string("".join(f" {word}" for word in words if word) + " ")
    printer.print_symbol_name(op.sym_name.data)
    kind = op.function_type
    values = op.body.blocks[0].args if op.body.blocks else ()
    print_arguments(printer, kind.inputs.data, values, op.arg_attrs, "..." if kind.is_variadic else "")
    print_results(printer, [] if kind.output.name == "llvm.void" else [kind.output], op.res_attrs)
    scales = op.properties.get("vscale_range")
    if isinstance(scales, StructAttribute):
        limits = [cast("Any", value).value.data for _, value in scales.data]
        printer.print_string(f" vscale_range({limits[0]}, {limits[1]})")
    comdat = op.properties.get("comdat")
    if comdat is not None:
        printer.print_string(" comdat(")
        printer.print_attribute(comdat)
        printer.print_string(")")
    printer.print_op_attributes({**op.attributes, **op.properties}, reserved_attr_names=_ELSEWHERE, print_keyword=True)
    if op.body.blocks:
        printer.print_string(" ")
        printer.print_region(op.body, print_entry_block_args=False, print_empty_block=False)
