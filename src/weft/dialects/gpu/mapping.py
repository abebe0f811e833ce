"""Attributes of `gpu` that map the dimensions of a parallel loop to blocks, threads and what lies between."""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, i64
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from weft.dialects.engine.attributes import attr_class


@irdl_attr_definition
class MappingMaskAttr(ParametrizedAttribute):
    """`#gpu.mask<136>`: which of the units that a loop is mapped to take part, a bit each."""

    name = "gpu.mask"

    mask: IntegerAttr[I64]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parse `<bits>`."""
        with parser.in_angle_brackets():
            return [IntegerAttr(parser.parse_integer(allow_boolean=False, allow_negative=False), i64)]

    def print_parameters(self, printer: Printer) -> None:
        """Print `<bits>`."""
        printer.print_string(f"<{self.mask.value.data}>")


DEVICE_MAPPINGS = (
    attr_class("gpu.block"),
    attr_class("gpu.warpgroup"),
    attr_class("gpu.warp"),
    attr_class("gpu.thread"),
    attr_class("gpu.lane"),
    attr_class("gpu.memory_space"),
    MappingMaskAttr,
)
"""What the `mapping` of a loop is made of."""
