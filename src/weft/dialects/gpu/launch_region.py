"""`gpu.launch`: a kernel written where it is launched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, SymbolRefAttr, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.attributes import plain
from weft.dialects.gpu.kernels import WORKGROUP, check_attributions, positions, workgroup_count

if TYPE_CHECKING:
    from weft.dialects.rows import gpu

_Sizes = list[tuple[Parser.Argument, UnresolvedOperand]]


def verify_launch(op: gpu.LaunchOp) -> None:
    """The body has an argument for each position and size."""
    if not op.body.blocks:
        raise VerifyException("region #0 ('body') failed to verify constraint: region with at least 1 blocks")
    arguments = op.body.blocks[0].args
    if len(arguments) < positions(op) + workgroup_count(op):
        raise VerifyException("unexpected number of region arguments")
    buffers = arguments[positions(op) :]
    check_attributions("workgroup", buffers[: workgroup_count(op)])
    check_attributions("private", buffers[workgroup_count(op) :])
    for block in op.body.blocks:
        last = block.last_op
        if last is not None and not last.successors and last.name != "gpu.terminator":
            raise VerifyException("expected 'gpu.terminator' or a terminator with successors")


def parse_launch(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `gpu.launch blocks(%b...) in (%g = ...) threads(%t...) in (%s = ...) { ... }`."""
    token = plain("gpu.async.token")
    results = [token] if parser.parse_optional_keyword("async") else []
    dependencies = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parser.parse_operand(token)
    )
    clusters = _parse_sizes(parser) if parser.parse_optional_keyword("clusters") else None
    parser.parse_keyword("blocks")
    grid = _parse_sizes(parser)
    parser.parse_keyword("threads")
    block = _parse_sizes(parser)
    shared = [parser.parse_operand(i32)] if parser.parse_optional_keyword("dynamic_shared_memory_size") else []
    properties: dict[str, Attribute] = {}
    for name in ("module", "function"):
        if parser.parse_optional_keyword(name):
            parser.parse_punctuation("(")
            properties[name] = SymbolRefAttr(parser.parse_symbol_name())
            parser.parse_punctuation(")")
    workgroup = _parse_buffers(parser, "workgroup")
    private = _parse_buffers(parser, "private")
    groups = [grid, block] if clusters is None else [grid, block, clusters]
    sizes = [parser.resolve_operand(size, IndexType()) for group in groups for _, size in group[1]]
    arguments = [*grid[0], *block[0], *(name for name, _ in grid[1]), *(name for name, _ in block[1])]
    if clusters is not None:
        arguments += [*clusters[0], *(name for name, _ in clusters[1])]
    region = parser.parse_region([*arguments, *workgroup, *private])
    attributes = parser.parse_optional_attr_dict()
    attributes[WORKGROUP] = IntegerAttr(len(workgroup), i64)
    present = [0] * 3 if clusters is None else [1] * 3
    segments = [len(dependencies or ()), *[1] * 6, *present, len(shared)]
    properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, segments)
    return cls.create(
        operands=[*(dependencies or ()), *sizes, *shared],
        result_types=results,
        properties=properties,
        attributes=attributes,
        regions=[region],
    )


def print_launch(op: gpu.LaunchOp, printer: Printer) -> None:
    """Print what `parse_launch` parses."""
    arguments = op.body.blocks[0].args
    printer.print_string(" async" if op.async_token is not None else "")
    if op.async_dependencies:
        printer.print_string(" ")
        with printer.in_square_brackets():
            printer.print_list(op.async_dependencies, printer.print_ssa_value)
    if op.cluster_size_x is not None and op.cluster_size_y is not None and op.cluster_size_z is not None:
        sizes = (op.cluster_size_x, op.cluster_size_y, op.cluster_size_z)
        _print_sizes(printer, "clusters", arguments[12:15], arguments[15:18], sizes)
    sizes = (op.grid_size_x, op.grid_size_y, op.grid_size_z)
    _print_sizes(printer, "blocks", arguments[:3], arguments[6:9], sizes)
    sizes = (op.block_size_x, op.block_size_y, op.block_size_z)
    _print_sizes(printer, "threads", arguments[3:6], arguments[9:12], sizes)
    if op.dynamic_shared_memory_size is not None:
        printer.print_string(" dynamic_shared_memory_size ")
        printer.print_ssa_value(op.dynamic_shared_memory_size)
    for name, symbol in (("module", op.module), ("function", op.function)):
        if symbol is not None:
            printer.print_string(f" {name}(")
            printer.print_attribute(symbol)
            printer.print_string(")")
    first = positions(op)
    end = first + workgroup_count(op)
    _print_buffers(printer, "workgroup", arguments[first:end])
    _print_buffers(printer, "private", arguments[end:])
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False)
    printer.print_op_attributes(op.attributes, reserved_attr_names=(WORKGROUP,))


def _parse_sizes(parser: Parser) -> tuple[list[Parser.Argument], _Sizes]:
    """Parse `(%x, %y, %z) in (%sx = %a, %sy = %b, %sz = %c)`."""
    names = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False).resolve(IndexType())
    )
    parser.parse_keyword("in")
    position = parser.pos
    sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _parse_size(parser))
    if len(names) != 3 or len(sizes) != 3:
        parser.raise_error("expected three positions and three sizes", position, parser.pos)
    return names, sizes


def _parse_size(parser: Parser) -> tuple[Parser.Argument, UnresolvedOperand]:
    name = parser.parse_argument(expect_type=False).resolve(IndexType())
    parser.parse_punctuation("=")
    return name, parser.parse_unresolved_operand()


def _parse_buffers(parser: Parser, keyword: str) -> list[Parser.Argument]:
    if not parser.parse_optional_keyword(keyword):
        return []
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)


def _print_sizes(
    printer: Printer, what: str, positions: Sequence[SSAValue], names: Sequence[SSAValue], sizes: Sequence[SSAValue]
) -> None:
    printer.print_string(f" {what}(")
    printer.print_list(positions, printer.print_ssa_value)
    printer.print_string(") in (")
    for index, (name, size) in enumerate(zip(names, sizes, strict=True)):
        printer.print_string(", " if index else "")
        printer.print_ssa_value(name)
        printer.print_string(" = ")
        printer.print_ssa_value(size)
    printer.print_string(")")


def _print_buffers(printer: Printer, keyword: str, buffers: Sequence[SSAValue]) -> None:
    if not buffers:
        return
    printer.print_string(f" {keyword}(")
    for index, buffer in enumerate(buffers):
        printer.print_string(", " if index else "")
        printer.print_ssa_value(buffer)
        printer.print_string(" : ")
        printer.print_attribute(buffer.type)
    printer.print_string(")")
