"""Kernel containers: `gpu.module`, `gpu.func` with its workgroup and private attributions, `gpu.return`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FunctionType,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.gpu.binary import TARGETS, name_of, verify_handler
from weft.dialects.gpu.kernels import (
    WORKGROUP,
    arguments,
    check_attributions,
    is_kernel,
    private_buffers,
    workgroup_buffers,
    workgroup_count,
)
from weft.dialects.signatures import Notes, noted, parse_results, print_arguments, print_notes, print_results
from weft.dialects.verification import PlainVerifyException

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from weft.dialects.rows import gpu


def _number(chip: str) -> int:
    found = re.match(r"sm_(\d+)", chip)
    return int(found[1]) if found else 20


def parse_module(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `gpu.module @name <handler> [targets] attributes {...} { ... }`: code for one device binary."""
    properties: dict[str, Attribute] = {"sym_name": parser.parse_symbol_name()}
    if parser.parse_optional_punctuation("<"):
        properties["offloadingHandler"] = parser.parse_attribute()
        parser.parse_punctuation(">")
    targets = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute)
    if targets is not None:
        properties["targets"] = ArrayAttr(targets)
    attributes = parser.parse_optional_attr_dict_with_keyword()
    region = parser.parse_region()
    if not region.blocks:
        region.add_block(Block())
    return cls.create(properties=properties, attributes=attributes.data if attributes else {}, regions=[region])


def print_module(op: gpu.ModuleOp, printer: Printer) -> None:
    """Print what `parse_module` parses."""
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    if op.offloading_handler is not None:
        printer.print_string("<")
        printer.print_attribute(op.offloading_handler)
        printer.print_string(">")
    if op.targets is not None:
        printer.print_string(" ")
        printer.print_attribute(op.targets)
    printer.print_op_attributes(op.attributes, print_keyword=True)
    printer.print_string(" ")
    printer.print_region(op.body, print_empty_block=False)


def verify_module(op: gpu.ModuleOp) -> None:
    """A handler that translates, if there is one; some target, and none too old, where targets are given."""
    verify_handler(op.offloading_handler)
    if op.targets is None:
        return
    if not op.targets.data or any(name_of(target) not in TARGETS for target in op.targets.data):
        kind = "array of GPU target attributes with at least 1 elements"
        raise VerifyException(f"attribute 'targets' failed to satisfy constraint: {kind}")
    for target in op.targets.data:
        if target.name == "nvvm.target" and cast("Any", target).verified and _number(cast("Any", target).chip) < 20:
            raise PlainVerifyException("Minimum NVVM target SM version is sm_20")


def verify_func(op: gpu.FuncOp) -> None:
    """Check the entry block against the function type, as upstream does."""
    for name in _SIZES:
        sizes = op.properties.get(name)
        if sizes is not None and not (isinstance(sizes, DenseArrayBase) and len(cast("Any", sizes)) == 3):
            kind = "i32 dense array attribute with 3 elements (if present)"
            raise VerifyException(f"attribute '{name}' failed to satisfy constraint: {kind}")
    if is_kernel(op) and op.function_type.outputs.data:
        raise VerifyException("expected void return type for kernel function")
    if not op.body.blocks:
        raise VerifyException("expected body with at least one block")
    inputs = op.function_type.inputs.data
    values = op.body.blocks[0].args
    least = len(inputs) + workgroup_count(op)
    if len(values) < least:
        raise VerifyException(f"expected at least {least} arguments to body region")
    check_attributions("workgroup", workgroup_buffers(op))
    check_attributions("private", private_buffers(op))
    for index, (argument, expected) in enumerate(zip(values, inputs, strict=False)):
        if argument.type != expected:
            raise VerifyException(
                f"expected body region argument #{index} to be of type '{expected}', got '{argument.type}'"
            )


def parse_func(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `gpu.func @name(args) -> (types) workgroup(...) private(...) kernel attributes {...} { ... }`."""
    attributes: dict[str, Attribute] = {"sym_name": parser.parse_symbol_name()}
    named, arg_attrs = _parse_arguments(parser)
    outputs, res_attrs = parse_results(parser)
    workgroup, workgroup_attrs = _parse_attributions(parser, "workgroup")
    private, private_attrs = _parse_attributions(parser, "private")
    if parser.parse_optional_keyword("kernel"):
        attributes["gpu.kernel"] = UnitAttr()
    attributes[WORKGROUP] = IntegerAttr(len(workgroup), i64)
    extra = parser.parse_optional_attr_dict_with_keyword(("sym_name", "function_type", "gpu.kernel"))
    attributes |= extra.data if extra else {}
    properties: dict[str, Attribute] = {
        "function_type": FunctionType.from_lists([argument.type for argument in named], outputs)
    }
    properties |= noted(
        arg_attrs=arg_attrs,
        res_attrs=res_attrs,
        workgroup_attrib_attrs=workgroup_attrs,
        private_attrib_attrs=private_attrs,
    )
    for name in _SIZES:
        if name in attributes:
            properties[name] = attributes.pop(name)
    region = parser.parse_region([*named, *workgroup, *private])
    if len(region.blocks) == 1 and region.blocks[0].is_empty:
        region.detach_block(region.blocks[0])
    return cls.create(properties=properties, attributes=attributes, regions=[region])


def print_func(op: gpu.FuncOp, printer: Printer) -> None:
    """Print what `parse_func` parses."""
    printer.print_string(" ")
    printer.print_symbol_name(cast("StringAttr", op.attributes["sym_name"]).data)
    print_arguments(printer, op.function_type.inputs.data, arguments(op), op.arg_attrs)
    print_results(printer, op.function_type.outputs.data, op.res_attrs)
    for keyword, buffers, attrs in (
        ("workgroup", workgroup_buffers(op), op.workgroup_attrib_attrs),
        ("private", private_buffers(op), op.private_attrib_attrs),
    ):
        if buffers:
            printer.print_string(f" {keyword}(")
            _print_buffers(printer, buffers, attrs)
            printer.print_string(")")
    if is_kernel(op):
        printer.print_string(" kernel")
    shown = {name: value for name, value in op.attributes.items() if name not in _PRINTED_ELSEWHERE}
    for name in _SIZES:
        if name in op.properties:
            shown[name] = op.properties[name]
    printer.print_op_attributes(dict(sorted(shown.items())), print_keyword=True)
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False)


_SIZES = ("known_block_size", "known_grid_size", "known_cluster_size")
_PRINTED_ELSEWHERE = ("sym_name", "gpu.kernel", WORKGROUP)
_Attributes = dict[str, Attribute]


def _parse_arguments(parser: Parser) -> tuple[list[Parser.Argument], list[_Attributes]]:
    """Parse `(%name : type {attributes}, ...)`."""
    attrs: list[_Attributes] = []

    def argument() -> Parser.Argument:
        parsed = parser.parse_optional_argument()
        if parsed is None:
            start = parser.lexer.input.content.rfind("(", 0, parser.pos + 1)
            parser.raise_error("custom op 'gpu.func' gpu.func requires named arguments", start, start)
        attrs.append(parser.parse_optional_dictionary_attr_dict())
        parsed.location = parser.parse_optional_location()
        return parsed

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument), attrs


def _parse_attributions(parser: Parser, keyword: str) -> tuple[list[Parser.Argument], list[_Attributes]]:
    if parser.parse_optional_keyword(keyword) is None:
        return [], []
    return _parse_arguments(parser)


def _print_buffers(printer: Printer, buffers: Sequence[BlockArgument], notes: Notes) -> None:
    """Print `%name : type {attributes}, ...`; MLIR leaves out where buffers come from."""
    for index, buffer in enumerate(buffers):
        printer.print_string(", " if index else "")
        printer.print_ssa_value(buffer)
        printer.print_string(" : ")
        printer.print_attribute(buffer.type)
        print_notes(printer, notes, index)


def verify_return(op: gpu.ReturnOp) -> None:
    """The operands must be what the function type says."""
    parent = op.parent_op()
    if parent is None or parent.name != "gpu.func":
        raise VerifyException("expects parent op 'gpu.func'")
    outputs = cast("gpu.FuncOp", parent).function_type.outputs.data
    if len(outputs) != len(op.operands):
        raise VerifyException(f"expected {len(outputs)} result operands")
    for index, (operand, expected) in enumerate(zip(op.operands, outputs, strict=True)):
        if operand.type != expected:
            raise VerifyException(f"unexpected type `'{operand.type}'' for operand #{index}")
