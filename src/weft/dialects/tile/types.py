"""Types and attributes of `tile`: `#tile.layout<"S[(8,16):(16,1)]">` and `!tile.buffer<8x16xf16, "shared", ...>`."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr
from xdsl.ir import Attribute, Data, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException

from weft.dialects.tile.regions import over, tile_of
from weft.dialects.verification import element_bits
from weft.errors import LayoutError
from weft.layout import ComposeLayout, Layout, SwizzleLayout, TileLayout, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

GLOBAL, SHARED, LOCAL, TENSOR = "global", "shared", "local", "tensor"
SPACES = (GLOBAL, SHARED, LOCAL, TENSOR)
"""Where a buffer lies; `local` is registers, `tensor` tensor memory."""


@irdl_attr_definition
class LayoutAttr(Data[Layout]):
    """`#tile.layout<"S[(8,4,2,2):(4@laneid,1@laneid,2,1)]">`: a layout of `weft.layout`, in its notation."""

    name = "tile.layout"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Layout:
        """Parse `<"notation">`."""
        with parser.in_angle_brackets():
            start = parser.pos
            text = parser.parse_str_literal()
            try:
                return parse(text)
            except LayoutError as error:
                parser.raise_error(error.message, start, parser.pos)

    def print_parameter(self, printer: Printer) -> None:
        """Print `<"notation">`."""
        with printer.in_angle_brackets():
            printer.print_string_literal(str(self.data))


@irdl_attr_definition
class BufferType(ParametrizedAttribute, TypeAttribute):
    """`!tile.buffer<8x16xf16, "shared", #tile.layout<"...">>`: elements, the space they lie in, and where in it.

    The layout maps row-major positions of the shape to elements of the buffer's storage (registers of a thread for
    `local`, with the threads on thread axes).
    """

    name = "tile.buffer"

    dimensions: ArrayAttr[IntAttr]
    element: Attribute
    space: StringAttr
    map: LayoutAttr

    @staticmethod
    def of(shape: Sequence[int], element: Attribute, space: str, layout: Layout) -> BufferType:
        """The type of a buffer with these extents, element type, space and layout; raises VerifyException."""
        dimensions = ArrayAttr([IntAttr(extent) for extent in shape])
        return BufferType(dimensions, element, StringAttr(space), LayoutAttr(layout))

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents."""
        found: tuple[int, ...] | None = vars(self).get("_shape")  # xDSL allows no `cached_property`.
        if found is None:
            found = vars(self)["_shape"] = tuple(extent.data for extent in self.dimensions)
        return found

    @property
    def layout(self) -> Layout:
        """The layout."""
        return self.map.data

    @property
    def element_bits(self) -> int:
        """Bits that an element is stored in: a byte at least."""
        bits = element_bits(self.element)
        assert bits is not None
        return max(8, bits)

    @property
    def placed(self) -> TileLayout | ComposeLayout:
        """The layout over the buffer's shape, which a bare swizzle leaves open."""
        return over(self.layout, self.shape)

    @property
    def swizzled(self) -> bool:
        """Whether a swizzle permutes the storage."""
        return isinstance(self.layout, SwizzleLayout | ComposeLayout)

    @property
    def span(self) -> int:
        """Elements of storage that the buffer takes, whole blocks of a swizzle: for `local`, of one thread."""
        found: int | None = vars(self).get("_span")
        if found is None:
            found = vars(self)["_span"] = self.placed.storage().span()
        return found

    @property
    def storage_bytes(self) -> int:
        """Bytes of storage that the buffer takes: for `local`, of one thread."""
        return self.span * self.element_bits // 8

    def verify(self) -> None:
        """Positive extents, a known space, an element of whole bytes or 4 or 6 bits, a layout of as many elements."""
        if any(extent < 1 for extent in self.shape):
            raise VerifyException("expected a buffer's extents to be positive")
        if self.space.data not in SPACES:
            raise VerifyException(f"expected a buffer's space to be one of {', '.join(SPACES)}")
        if element_bits(self.element) not in (4, 6, 8, 16, 32, 64):
            raise VerifyException("expected a buffer's elements to be of 4, 6, 8, 16, 32 or 64 bits")
        if self.placed.size() != prod(self.shape):
            raise VerifyException(
                f"expected a layout of {prod(self.shape)} elements, found one of {self.placed.size()} elements"
            )
        if self.space.data != LOCAL and any(axis.thread for axis in tile_of(self.placed).axes):
            raise VerifyException("only a local buffer is distributed over threads")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<8x16xf16, "space", #tile.layout<...>>`."""
        begin = parser.pos
        with parser.in_angle_brackets():
            shape, element = parser.parse_ranked_shape()
            parser.parse_punctuation(",")
            space = parser.parse_str_literal()
            parser.parse_punctuation(",")
            start = parser.pos
            layout = parser.parse_attribute()
            if not isinstance(layout, LayoutAttr):
                parser.raise_error("expected a #tile.layout", start, parser.pos)
        try:
            return cls.of(shape, element, space, layout.data).parameters
        except VerifyException as error:
            parser.raise_error(str(error), begin, parser.pos)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<8x16xf16, "space", #tile.layout<...>>`."""
        with printer.in_angle_brackets():
            for extent in self.shape:
                printer.print_string(f"{extent}x")
            printer.print_attribute(self.element)
            printer.print_string(", ")
            printer.print_string_literal(self.space.data)
            printer.print_string(", ")
            printer.print_attribute(self.map)
