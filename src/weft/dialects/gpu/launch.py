"""`gpu.launch_func`: the host side of a kernel, so that files with both sides can be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, IndexType, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from weft.dialects.engine.attributes import plain

if TYPE_CHECKING:
    from weft.dialects.rows import gpu


def parse_launch_func(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `@module::@kernel blocks in (..) threads in (..) dynamic_shared_memory_size %n args(..)`."""
    token = plain("gpu.async.token")
    results = [token] if parser.parse_optional_keyword("async") else []
    dependencies = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parser.parse_operand(token)
    )
    kernel = parser.parse_attribute()
    clusters = _parse_sizes(parser, "clusters") if parser.parse_optional_keyword("clusters") else []
    parser.parse_keyword("blocks")
    blocks = _parse_sizes(parser, "blocks")
    parser.parse_keyword("threads")
    threads = _parse_sizes(parser, "threads")
    size_type: Attribute = parser.parse_type() if parser.parse_optional_punctuation(":") else IndexType()
    shared = [parser.parse_operand(i32)] if parser.parse_optional_keyword("dynamic_shared_memory_size") else []
    arguments: list[SSAValue] = []
    if parser.parse_optional_keyword("args"):
        arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _parse_argument(parser))
    attributes = parser.parse_optional_attr_dict()
    sizes = [parser.resolve_operand(size, size_type) for size in (*blocks, *threads, *clusters)]
    present = [1] * 3 if clusters else [0] * 3
    segments = [len(dependencies or ()), *[1] * 6, *present, len(shared), len(arguments), 0]
    return cls.create(
        operands=[*(dependencies or ()), *sizes, *shared, *arguments],
        result_types=results,
        properties={"kernel": kernel, "operandSegmentSizes": DenseArrayBase.from_list(i32, segments)},
        attributes=attributes,
    )


def print_launch_func(op: gpu.LaunchFuncOp, printer: Printer) -> None:
    """Print what `parse_launch_func` parses."""
    printer.print_string(" async" if op.async_token is not None else "")
    if op.async_dependencies:
        printer.print_string(" ")
        with printer.in_square_brackets():
            printer.print_list(op.async_dependencies, printer.print_ssa_value)
    printer.print_string(" ")
    printer.print_attribute(op.kernel)
    if op.cluster_size_x is not None and op.cluster_size_y is not None and op.cluster_size_z is not None:
        _print_sizes(printer, "clusters", (op.cluster_size_x, op.cluster_size_y, op.cluster_size_z))
    _print_sizes(printer, "blocks", (op.grid_size_x, op.grid_size_y, op.grid_size_z))
    _print_sizes(printer, "threads", (op.block_size_x, op.block_size_y, op.block_size_z))
    if not isinstance(op.grid_size_x.type, IndexType):
        printer.print_string(" : ")
        printer.print_attribute(op.grid_size_x.type)
    if op.dynamic_shared_memory_size is not None:
        printer.print_string(" dynamic_shared_memory_size ")
        printer.print_ssa_value(op.dynamic_shared_memory_size)
    if op.kernel_operands:
        printer.print_string(" args(")
        printer.print_list(op.kernel_operands, lambda operand: _print_argument(printer, operand))
        printer.print_string(")")
    printer.print_op_attributes(op.attributes)


def _parse_sizes(parser: Parser, what: str) -> list[UnresolvedOperand]:
    parser.parse_keyword("in")
    position = parser.pos
    sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    if len(sizes) != 3:
        parser.raise_error(f"expected three sizes of {what}", position, parser.pos)
    return sizes


def _parse_argument(parser: Parser) -> SSAValue:
    operand = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    return parser.resolve_operand(operand, parser.parse_type())


def _print_argument(printer: Printer, operand: SSAValue) -> None:
    printer.print_ssa_value(operand)
    printer.print_string(" : ")
    printer.print_attribute(operand.type)


def _print_sizes(printer: Printer, what: str, sizes: Sequence[SSAValue]) -> None:
    printer.print_string(f" {what} in (")
    printer.print_list(sizes, printer.print_ssa_value)
    printer.print_string(")")
