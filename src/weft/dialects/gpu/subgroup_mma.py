"""Matrices of a subgroup (`gpu.subgroup_mma_*`): loads, stores, products and elementwise arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.gpu.matrix_types import MMAMatrixType

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from weft.dialects.rows import gpu


def parse_constant_matrix(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `gpu.subgroup_mma_constant_matrix %value : matrix`."""
    value = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    matrix = parser.parse_type()
    if not isinstance(matrix, MMAMatrixType):
        parser.raise_error("expected a !gpu.mma_matrix type")
    operand = parser.resolve_operand(value, matrix.element_type)
    return cls.create(operands=[operand], result_types=[matrix], attributes=attributes)


def print_constant_matrix(op: gpu.SubgroupMmaConstantMatrixOp, printer: Printer) -> None:
    """Print what `parse_constant_matrix` parses."""
    printer.print_string(" ")
    printer.print_ssa_value(op.value)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.res.type)
