"""`gpu.launch_func`: the host side of a kernel, so that files with both sides can be read."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IndexType, SymbolRefAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_result_def,
    prop_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from weft.dialects.engine.attributes import plain


@irdl_op_definition
class LaunchFuncOp(IRDLOperation):
    """`gpu.launch_func @module::@kernel blocks in (..) threads in (..) dynamic_shared_memory_size %n args(..)`."""

    name = "gpu.launch_func"

    async_dependencies = var_operand_def(plain("gpu.async.token"))
    grid_size_x = operand_def()
    grid_size_y = operand_def()
    grid_size_z = operand_def()
    block_size_x = operand_def()
    block_size_y = operand_def()
    block_size_z = operand_def()
    cluster_size_x = opt_operand_def()
    cluster_size_y = opt_operand_def()
    cluster_size_z = opt_operand_def()
    dynamic_shared_memory_size = opt_operand_def(i32)
    kernel_operands = var_operand_def()
    async_object = opt_operand_def()
    kernel = prop_def(SymbolRefAttr)
    async_token = opt_result_def(plain("gpu.async.token"))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Parser) -> LaunchFuncOp:
        """Parse everything after the operation's name."""
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

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" async" if self.async_token is not None else "")
        if self.async_dependencies:
            printer.print_string(" ")
            with printer.in_square_brackets():
                printer.print_list(self.async_dependencies, printer.print_ssa_value)
        printer.print_string(" ")
        printer.print_attribute(self.kernel)
        if self.cluster_size_x is not None and self.cluster_size_y is not None and self.cluster_size_z is not None:
            _print_sizes(printer, "clusters", (self.cluster_size_x, self.cluster_size_y, self.cluster_size_z))
        _print_sizes(printer, "blocks", (self.grid_size_x, self.grid_size_y, self.grid_size_z))
        _print_sizes(printer, "threads", (self.block_size_x, self.block_size_y, self.block_size_z))
        if not isinstance(self.grid_size_x.type, IndexType):
            printer.print_string(" : ")
            printer.print_attribute(self.grid_size_x.type)
        if self.dynamic_shared_memory_size is not None:
            printer.print_string(" dynamic_shared_memory_size ")
            printer.print_ssa_value(self.dynamic_shared_memory_size)
        if self.kernel_operands:
            printer.print_string(" args(")
            printer.print_list(self.kernel_operands, lambda operand: _print_argument(printer, operand))
            printer.print_string(")")
        printer.print_op_attributes(self.attributes)


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
