"""The type of matrices of a subgroup, and the attribute of their elementwise operations."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

_ELEMENTS = ("si8", "ui8", "i32", "f16", "f32", "f64")


@irdl_attr_definition
class MMAMatrixType(ParametrizedAttribute, TypeAttribute):
    """`!gpu.mma_matrix<16x16xf16, "AOp">`: a matrix that a subgroup holds together, as operand A, B or C."""

    name = "gpu.mma_matrix"

    shape: ArrayAttr[IntAttr]
    element_type: Attribute
    operand: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<16x16xf16, "AOp">`, and refuse what is no matrix."""
        start = parser.pos - len("mma_matrix")
        with parser.in_angle_brackets():
            inside = parser.pos
            shape, element = parser.parse_ranked_shape()
            if DYNAMIC_INDEX in shape:
                parser.raise_error("expected static shape", inside, inside)
            parser.parse_punctuation(",")
            operand = parser.parse_str_literal()
        if operand not in ("AOp", "BOp", "COp"):
            parser.raise_error("operand expected to be one of AOp, BOp or COp", start, parser.pos)
        if len(shape) != 2:
            parser.raise_error("MMAMatrixType must have exactly two dimensions", start, parser.pos)
        if str(element) not in _ELEMENTS:
            message = "MMAMatrixType elements must be SI8, UI8, I32, F16, F32, or F64"
            parser.raise_error(message, start, parser.pos)
        return [ArrayAttr([IntAttr(size) for size in shape]), element, StringAttr(operand)]

    def print_parameters(self, printer: Printer) -> None:
        """Print `<16x16xf16, "AOp">`."""
        with printer.in_angle_brackets():
            printer.print_dimension_list(self.sizes)
            printer.print_string("x")
            printer.print_attribute(self.element_type)
            printer.print_string(", ")
            printer.print_attribute(self.operand)

    @property
    def sizes(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = (size.data for size in self.shape)
        return rows, columns
