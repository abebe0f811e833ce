"""Types and attributes of `nvgpu`, spelled as in MLIR 22 (`!nvgpu.tensormap.descriptor<...>`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntAttr, MemRefType, VectorType
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, OpaqueSyntaxAttribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

from weft.dialects.formats import Keyword


class TensorMapSwizzleKind(StrEnum):
    """How TMA permutes the 16-byte chunks of a shared-memory row (`CUtensorMapSwizzle`)."""

    NONE = "none"
    B32 = "swizzle_32b"
    B64 = "swizzle_64b"
    B128 = "swizzle_128b"


class TensorMapL2PromoKind(StrEnum):
    """How far TMA promotes a request in L2 (`CUtensorMapL2promotion`)."""

    NONE = "none"
    B64 = "l2promo_64b"
    B128 = "l2promo_128b"
    B256 = "l2promo_256b"


class TensorMapOOBKind(StrEnum):
    """What TMA fills in for elements outside the tensor (`CUtensorMapFloatOOBfill`)."""

    ZERO = "zero"
    NAN = "nan"


class TensorMapInterleaveKind(StrEnum):
    """Channel interleaving of the tensor in global memory (`CUtensorMapInterleave`)."""

    NONE = "none"
    B16 = "interleave_16b"
    B32 = "interleave_32b"


class RcpRoundingMode(StrEnum):
    """Rounding of `nvgpu.rcp`; only `approx` is defined."""

    APPROX = "approx"
    RN = "rn"
    RZ = "rz"
    RM = "rm"
    RP = "rp"


@irdl_attr_definition
class TensorMapSwizzleAttr(Keyword, EnumAttribute[TensorMapSwizzleKind], OpaqueSyntaxAttribute):
    """`#nvgpu.swizzle<swizzle_128b>`."""

    name = "nvgpu.swizzle"


@irdl_attr_definition
class TensorMapL2PromoAttr(Keyword, EnumAttribute[TensorMapL2PromoKind], OpaqueSyntaxAttribute):
    """`#nvgpu.l2promo<l2promo_128b>`."""

    name = "nvgpu.l2promo"


@irdl_attr_definition
class TensorMapOOBAttr(Keyword, EnumAttribute[TensorMapOOBKind], OpaqueSyntaxAttribute):
    """`#nvgpu.oob<zero>`."""

    name = "nvgpu.oob"


@irdl_attr_definition
class TensorMapInterleaveAttr(Keyword, EnumAttribute[TensorMapInterleaveKind], OpaqueSyntaxAttribute):
    """`#nvgpu.interleave<none>`."""

    name = "nvgpu.interleave"


@irdl_attr_definition
class RcpRoundingModeAttr(Keyword, EnumAttribute[RcpRoundingMode], OpaqueSyntaxAttribute):
    """`#nvgpu<rcp_rounding_mode approx>`."""

    name = "nvgpu.rcp_rounding_mode"


@irdl_attr_definition
class DeviceAsyncTokenType(ParametrizedAttribute, TypeAttribute):
    """`!nvgpu.device.async.token`: orders asynchronous copies; carries no value."""

    name = "nvgpu.device.async.token"


@irdl_attr_definition
class MBarrierTokenType(ParametrizedAttribute, TypeAttribute):
    """`!nvgpu.mbarrier.token`: the 64-bit phase state that an arrive returns."""

    name = "nvgpu.mbarrier.token"


def _parse_named(parser: AttrParser, name: str) -> None:
    parser.parse_keyword(name)
    parser.parse_punctuation("=")


@irdl_attr_definition
class MBarrierGroupType(ParametrizedAttribute, TypeAttribute):
    """`!nvgpu.mbarrier.group<memorySpace = S, num_barriers = N>`: N mbarrier objects of 8 bytes each in space S."""

    name = "nvgpu.mbarrier.group"

    memory_space: Attribute
    num_barriers: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<memorySpace = attr (, num_barriers = int)?>`; one barrier when the count is left out."""
        with parser.in_angle_brackets():
            _parse_named(parser, "memorySpace")
            space = parser.parse_attribute()
            count = 1
            if parser.parse_optional_punctuation(","):
                _parse_named(parser, "num_barriers")
                count = parser.parse_integer(allow_boolean=False)
        return space, IntAttr(count)

    def print_parameters(self, printer: Printer) -> None:
        """Print the parameters, without `num_barriers` when it is 1."""
        with printer.in_angle_brackets():
            printer.print_string("memorySpace = ")
            printer.print_attribute(self.memory_space)
            if self.num_barriers.data != 1:
                printer.print_string(f", num_barriers = {self.num_barriers.data}")


@irdl_attr_definition
class TensorMapDescriptorType(ParametrizedAttribute, TypeAttribute):
    """`!nvgpu.tensormap.descriptor<tensor = memref, swizzle, l2promo, oob, interleave>`: a pointer to a `CUtensorMap`.

    `tensor` is the type of the box in shared memory, not of the tensor in global memory.
    """

    name = "nvgpu.tensormap.descriptor"

    tensor: MemRefType
    swizzle: TensorMapSwizzleAttr
    l2promo: TensorMapL2PromoAttr
    oob: TensorMapOOBAttr
    interleave: TensorMapInterleaveAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse the five named parameters, in any order after `tensor`."""
        with parser.in_angle_brackets():
            _parse_named(parser, "tensor")
            found: dict[str, Attribute] = {"tensor": parser.parse_type()}
            while parser.parse_optional_punctuation(","):
                key = parser.parse_identifier()
                if key not in _DESCRIPTOR_ENUMS or key in found:
                    parser.raise_error(f"duplicate or unknown struct parameter name: {key}")
                parser.parse_punctuation("=")
                found[key] = _parse_enum(parser, key)
        missing = [key for key in _DESCRIPTOR_ENUMS if key not in found]
        if missing:
            parser.raise_error(f"struct is missing required parameter: {missing[0]}")
        return found["tensor"], *(found[key] for key in _DESCRIPTOR_ENUMS)

    def print_parameters(self, printer: Printer) -> None:
        """Print the five named parameters in MLIR's order."""
        with printer.in_angle_brackets():
            printer.print_string("tensor = ")
            printer.print_attribute(self.tensor)
            for key in _DESCRIPTOR_ENUMS:
                printer.print_string(f", {key} = {getattr(self, key).data.value}")


def _parse_enum(parser: AttrParser, key: str) -> Attribute:
    attribute = _DESCRIPTOR_ENUMS[key]
    return attribute(attribute.parse_parameter(parser))  # pyright: ignore[reportArgumentType, reportUnknownVariableType]


_DESCRIPTOR_ENUMS = {
    "swizzle": TensorMapSwizzleAttr,
    "l2promo": TensorMapL2PromoAttr,
    "oob": TensorMapOOBAttr,
    "interleave": TensorMapInterleaveAttr,
}


@irdl_attr_definition
class WarpgroupMatrixDescriptorType(ParametrizedAttribute, TypeAttribute):
    """`!nvgpu.warpgroup.descriptor<tensor = memref>`: the 64-bit wgmma descriptor of a shared-memory tile."""

    name = "nvgpu.warpgroup.descriptor"

    tensor: MemRefType

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<tensor = memref>`."""
        with parser.in_angle_brackets():
            _parse_named(parser, "tensor")
            return (parser.parse_type(),)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<tensor = memref>`."""
        with printer.in_angle_brackets():
            printer.print_string("tensor = ")
            printer.print_attribute(self.tensor)


@irdl_attr_definition
class WarpgroupAccumulatorType(ParametrizedAttribute, TypeAttribute):
    """`!nvgpu.warpgroup.accumulator<fragmented = vector<MxNxT>>`: an accumulator held by a warpgroup."""

    name = "nvgpu.warpgroup.accumulator"

    fragmented: VectorType

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<fragmented = vector>`."""
        with parser.in_angle_brackets():
            _parse_named(parser, "fragmented")
            return (parser.parse_type(),)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<fragmented = vector>`."""
        with printer.in_angle_brackets():
            printer.print_string("fragmented = ")
            printer.print_attribute(self.fragmented)
