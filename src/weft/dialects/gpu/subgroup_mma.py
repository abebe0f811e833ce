"""Matrices of a subgroup (`gpu.subgroup_mma_*`): loads, stores, products and elementwise arithmetic."""

from __future__ import annotations

from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from weft.dialects.gpu.matrix_types import MMAMatrixType


@irdl_op_definition
class SubgroupMmaConstantMatrixOp(IRDLOperation):
    """`gpu.subgroup_mma_constant_matrix %value : matrix`: every element is `value`."""

    name = "gpu.subgroup_mma_constant_matrix"

    value = operand_def()
    res = result_def(MMAMatrixType)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> SubgroupMmaConstantMatrixOp:
        """Parse everything after the operation's name; the value is of the matrix's element type."""
        value = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        matrix = parser.parse_type()
        if not isinstance(matrix, MMAMatrixType):
            parser.raise_error("expected a !gpu.mma_matrix type")
        operand = parser.resolve_operand(value, matrix.element_type)
        return cls.create(operands=[operand], result_types=[matrix], attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.res.type)
