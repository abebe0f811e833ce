"""`sparse<[[0, 1], [2, 3]], [1.0, 5.0]> : tensor<4x4xf32>`: elements by their indices; all others are zero."""

from __future__ import annotations

from io import StringIO
from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, BuiltinAttribute, ParametrizedAttribute, TypedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.printer import Printer


@irdl_attr_definition
class SparseElementsAttr(TypedAttribute, BuiltinAttribute, ParametrizedAttribute):
    """Indices of shape elements x rank, or of elements alone where the rank is 1, and as many values."""

    name = "builtin.sparse_elements"

    indices: DenseIntOrFPElementsAttr
    values: DenseIntOrFPElementsAttr
    type: Attribute

    def print_without_type(self, printer: Printer) -> None:
        """Print the indices and the values."""
        parts = [_inside(printer, part) for part in (self.indices, self.values)]
        printer.print_string(f"sparse<{', '.join(part for part in parts if part)}>")

    def print_builtin(self, printer: Printer) -> None:
        """Print it as an attribute."""
        self.print_without_type(printer)
        printer.print_string(" : ")
        printer.print_attribute(self.type)


def _inside(printer: Printer, dense: DenseIntOrFPElementsAttr[Any]) -> str:
    """What is in `dense<...>`."""
    stream, printer.stream = printer.stream, StringIO()
    printer.print_attribute(dense)
    text: str = printer.stream.getvalue()
    printer.stream = stream
    return text[len("dense<") : text.rindex("> : ")]
