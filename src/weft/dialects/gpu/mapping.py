"""Attributes of `gpu` that map the dimensions of a parallel loop to blocks, threads and what lies between."""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from weft.dialects.formats import AngleBrackets
from weft.dialects.gpu.types import AddressSpace


class MappingId(StrEnum):
    """A dimension of the grid, or of the list that it is linearized to."""

    DIM_X = "x"
    DIM_Y = "y"
    DIM_Z = "z"
    LINEAR_DIM_0 = "linear_dim_0"
    LINEAR_DIM_1 = "linear_dim_1"
    LINEAR_DIM_2 = "linear_dim_2"
    LINEAR_DIM_3 = "linear_dim_3"
    LINEAR_DIM_4 = "linear_dim_4"
    LINEAR_DIM_5 = "linear_dim_5"
    LINEAR_DIM_6 = "linear_dim_6"
    LINEAR_DIM_7 = "linear_dim_7"
    LINEAR_DIM_8 = "linear_dim_8"
    LINEAR_DIM_9 = "linear_dim_9"


@irdl_attr_definition
class BlockMappingAttr(AngleBrackets, EnumAttribute[MappingId]):
    """`#gpu.block<x>`: one block for each index."""

    name = "gpu.block"


@irdl_attr_definition
class WarpgroupMappingAttr(AngleBrackets, EnumAttribute[MappingId]):
    """`#gpu.warpgroup<x>`: four warps for each index."""

    name = "gpu.warpgroup"


@irdl_attr_definition
class WarpMappingAttr(AngleBrackets, EnumAttribute[MappingId]):
    """`#gpu.warp<x>`: one warp for each index."""

    name = "gpu.warp"


@irdl_attr_definition
class ThreadMappingAttr(AngleBrackets, EnumAttribute[MappingId]):
    """`#gpu.thread<x>`: one thread for each index."""

    name = "gpu.thread"


@irdl_attr_definition
class LaneMappingAttr(AngleBrackets, EnumAttribute[MappingId]):
    """`#gpu.lane<linear_dim_0>`: one lane of a warp for each index."""

    name = "gpu.lane"


@irdl_attr_definition
class MemorySpaceMappingAttr(AngleBrackets, EnumAttribute[AddressSpace]):
    """`#gpu.memory_space<workgroup>`: the memory that data is moved to."""

    name = "gpu.memory_space"


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
    BlockMappingAttr,
    WarpgroupMappingAttr,
    WarpMappingAttr,
    ThreadMappingAttr,
    LaneMappingAttr,
    MemorySpaceMappingAttr,
    MappingMaskAttr,
)
"""What the `mapping` of a loop is made of."""
