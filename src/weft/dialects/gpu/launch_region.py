"""`gpu.launch`: a kernel written where it is launched."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, MemRefType, SymbolRefAttr, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_attr_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    region_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.attributes import plain
from weft.dialects.engine.making import new

_Sizes = list[tuple[Parser.Argument, UnresolvedOperand]]


# Written out, for the body's arguments have meanings that passes ask the operation for.
@irdl_op_definition
class LaunchOp(IRDLOperation):
    """`gpu.launch blocks(%b...) in (%g = ...) threads(%t...) in (%s = ...) { ... }`.

    The body's arguments are the block's and the thread's position, the sizes of the grid and of a block, with clusters
    also the cluster's position and its size, then buffers in shared memory and buffers of one thread.
    """

    name = "gpu.launch"

    async_dependencies = var_operand_def(plain("gpu.async.token"))
    grid_size_x = operand_def(IndexType())
    grid_size_y = operand_def(IndexType())
    grid_size_z = operand_def(IndexType())
    block_size_x = operand_def(IndexType())
    block_size_y = operand_def(IndexType())
    block_size_z = operand_def(IndexType())
    cluster_size_x = opt_operand_def(IndexType())
    cluster_size_y = opt_operand_def(IndexType())
    cluster_size_z = opt_operand_def(IndexType())
    dynamic_shared_memory_size = opt_operand_def(i32)
    module = opt_prop_def(SymbolRefAttr)
    function = opt_prop_def(SymbolRefAttr)
    workgroup_attributions = opt_attr_def(IntegerAttr)
    body = region_def()
    async_token = opt_result_def(plain("gpu.async.token"))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @property
    def positions(self) -> int:
        """How many of the body's arguments are positions and sizes."""
        return 12 if self.cluster_size_x is None else 18

    @property
    def shared_buffers(self) -> int:
        """How many of the arguments after those are buffers in shared memory."""
        return self.workgroup_attributions.value.data if self.workgroup_attributions is not None else 0

    def verify_(self) -> None:
        """The body has an argument for each position and size."""
        if not self.body.blocks:
            raise VerifyException("region #0 ('body') failed to verify constraint: region with at least 1 blocks")
        arguments = self.body.blocks[0].args
        if len(arguments) < self.positions + self.shared_buffers:
            raise VerifyException("unexpected number of region arguments")
        for argument in arguments[self.positions :]:
            if not isinstance(argument.type, MemRefType):
                raise VerifyException("expected memref type in attribution")
        for block in self.body.blocks:
            last = block.last_op
            if last is not None and not last.successors and last.name != "gpu.terminator":
                raise VerifyException("expected 'gpu.terminator' or a terminator with successors")

    @classmethod
    def parse(cls, parser: Parser) -> LaunchOp:
        """Parse everything after the operation's name."""
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
        if region.blocks and region.blocks.last is not None and region.blocks.last.last_op is None:
            region.blocks.last.add_op(new("gpu.terminator"))
        attributes = parser.parse_optional_attr_dict()
        attributes["workgroup_attributions"] = IntegerAttr(len(workgroup), i64)
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

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        arguments = self.body.blocks[0].args
        printer.print_string(" async" if self.async_token is not None else "")
        if self.async_dependencies:
            printer.print_string(" ")
            with printer.in_square_brackets():
                printer.print_list(self.async_dependencies, printer.print_ssa_value)
        if self.cluster_size_x is not None and self.cluster_size_y is not None and self.cluster_size_z is not None:
            sizes = (self.cluster_size_x, self.cluster_size_y, self.cluster_size_z)
            _print_sizes(printer, "clusters", arguments[12:15], arguments[15:18], sizes)
        sizes = (self.grid_size_x, self.grid_size_y, self.grid_size_z)
        _print_sizes(printer, "blocks", arguments[:3], arguments[6:9], sizes)
        sizes = (self.block_size_x, self.block_size_y, self.block_size_z)
        _print_sizes(printer, "threads", arguments[3:6], arguments[9:12], sizes)
        if self.dynamic_shared_memory_size is not None:
            printer.print_string(" dynamic_shared_memory_size ")
            printer.print_ssa_value(self.dynamic_shared_memory_size)
        for name, symbol in (("module", self.module), ("function", self.function)):
            if symbol is not None:
                printer.print_string(f" {name}(")
                printer.print_attribute(symbol)
                printer.print_string(")")
        end = self.positions + self.shared_buffers
        _print_buffers(printer, "workgroup", arguments[self.positions : end])
        _print_buffers(printer, "private", arguments[end:])
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        printer.print_op_attributes(self.attributes, reserved_attr_names=("workgroup_attributions",))


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
