"""Attributes of matrix operations of `nvvm`, one enum and one class each, spelled as in MLIR 22."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from weft.dialects.formats import parse_number


def _parse_sizes(parser: AttrParser, names: Sequence[str]) -> list[IntAttr]:
    """Parse `<m = 16, n = 8, k = 16>`."""
    sizes: list[IntAttr] = []
    with parser.in_angle_brackets():
        for index, name in enumerate(names):
            if index:
                parser.parse_punctuation(",")
            parser.parse_keyword(name)
            parser.parse_punctuation("=")
            sizes.append(IntAttr(parse_number(parser)))
    return sizes


@irdl_attr_definition
class ShapeAttr(ParametrizedAttribute):
    """`#nvvm.shape<m = 16, n = 8, k = 16>`: the shape of a matrix product."""

    name = "nvvm.shape"

    m: IntAttr
    n: IntAttr
    k: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse the parameters, or the whole attribute where a format lets them stand alone."""
        if parser.lexer.input.content.startswith("#", parser.pos):
            attribute = parser.parse_attribute()
            if not isinstance(attribute, ShapeAttr):
                parser.raise_error("expected a #nvvm.shape attribute")
            return attribute.parameters
        return _parse_sizes(parser, ("m", "n", "k"))

    def print_parameters(self, printer: Printer) -> None:
        """Print `<m = 16, n = 8, k = 16>`."""
        printer.print_string(f"<m = {self.m.data}, n = {self.n.data}, k = {self.k.data}>")

    @property
    def sizes(self) -> tuple[int, int, int]:
        """(m, n, k)."""
        return self.m.data, self.n.data, self.k.data

    @classmethod
    def of(cls, m: int, n: int, k: int) -> ShapeAttr:
        """The attribute of a shape."""
        return cls(IntAttr(m), IntAttr(n), IntAttr(k))


@irdl_attr_definition
class LdStMatrixShapeAttr(ParametrizedAttribute):
    """`#nvvm.ld_st_matrix_shape<m = 8, n = 8>`: the shape of one tile of `ldmatrix` or `stmatrix`."""

    name = "nvvm.ld_st_matrix_shape"

    m: IntAttr
    n: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<m = 8, n = 8>`."""
        return _parse_sizes(parser, ("m", "n"))

    def print_parameters(self, printer: Printer) -> None:
        """Print `<m = 8, n = 8>`."""
        printer.print_string(f"<m = {self.m.data}, n = {self.n.data}>")

    @classmethod
    def of(cls, m: int, n: int) -> LdStMatrixShapeAttr:
        """The attribute of a shape."""
        return cls(IntAttr(m), IntAttr(n))
