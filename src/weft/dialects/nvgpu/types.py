"""Types and attributes of `nvgpu`, spelled as in MLIR 22 (`!nvgpu.tensormap.descriptor<...>`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntAttr, MemRefType, VectorType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import base, irdl_attr_definition, param_def

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

from weft.dialects.engine.attributes import attr_class, word_of


@irdl_attr_definition
class DeviceAsyncTokenType(ParametrizedAttribute, TypeAttribute):
    """`!nvgpu.device.async.token`: orders asynchronous copies; carries no value."""

    name = "nvgpu.device.async.token"


@irdl_attr_definition
class MBarrierTokenType(ParametrizedAttribute, TypeAttribute):
    """`!nvgpu.mbarrier.token`: the 64-bit phase state that an arrive returns."""

    name = "nvgpu.mbarrier.token"


def _parse_named(parser: AttrParser, names: Sequence[str], found: Container[str] = ()) -> str:
    """Parse the name of a parameter that is not there yet, and `=`."""
    name = parser.parse_optional_identifier()
    if name is None:
        parser.raise_error("expected valid keyword")
    parser.parse_punctuation("=")
    if name not in names or name in found:
        parser.raise_error(f"duplicate or unknown struct parameter name: {name}")
    return name


def _parse_kind(parser: AttrParser, kind: type[Attribute]) -> Attribute:
    """Parse a type of a kind."""
    start = parser.pos
    found = parser.parse_type()
    if not isinstance(found, kind):
        wrong = f"expected builtin.{kind.name}, but found '{found}'"
        parser.raise_error(f"invalid kind of type specified: {wrong}", start, start)
    return found


@irdl_attr_definition
class MBarrierGroupType(ParametrizedAttribute, TypeAttribute):
    """`!nvgpu.mbarrier.group<memorySpace = S, num_barriers = N>`: N mbarrier objects of 8 bytes each in space S."""

    name = "nvgpu.mbarrier.group"

    memory_space: Attribute
    num_barriers: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<memorySpace = attr, num_barriers = int>` in any order; one barrier when the count is left out."""
        space, count, found = None, 1, list[str]()
        with parser.in_angle_brackets():
            while not found or parser.parse_optional_punctuation(","):
                found.append(_parse_named(parser, ("memorySpace", "num_barriers"), found))
                if found[-1] == "memorySpace":
                    space = parser.parse_attribute()
                else:
                    count = parser.parse_integer(allow_boolean=False)
            if space is None:
                parser.raise_error("struct is missing required parameter: memorySpace")
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
    swizzle: Attribute = param_def(base(attr_class("nvgpu.swizzle")))
    l2promo: Attribute = param_def(base(attr_class("nvgpu.l2promo")))
    oob: Attribute = param_def(base(attr_class("nvgpu.oob")))
    interleave: Attribute = param_def(base(attr_class("nvgpu.interleave")))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse the five named parameters, in any order."""
        names, found = ("tensor", *_DESCRIPTOR_ENUMS), dict[str, Attribute]()
        with parser.in_angle_brackets():
            for number in range(len(names)):
                if number:
                    parser.parse_punctuation(",")
                key = _parse_named(parser, names, found)
                found[key] = _parse_kind(parser, MemRefType) if key == "tensor" else _parse_enum(parser, key)
        return tuple(found[name] for name in names)

    def word(self, key: str) -> str:
        """The word of a parameter: `none` for `swizzle`."""
        word = word_of(getattr(self, key), f"nvgpu.{key}")
        assert word is not None
        return word

    def print_parameters(self, printer: Printer) -> None:
        """Print the five named parameters in MLIR's order."""
        with printer.in_angle_brackets():
            printer.print_string("tensor = ")
            printer.print_attribute(self.tensor)
            for key in _DESCRIPTOR_ENUMS:
                printer.print_string(f", {key} = {self.word(key)}")


_DESCRIPTOR_ENUMS = ("swizzle", "l2promo", "oob", "interleave")


def _parse_enum(parser: AttrParser, key: str) -> Attribute:
    attribute = attr_class(f"nvgpu.{key}")
    return attribute(attribute.parse_parameter(parser))


@irdl_attr_definition
class WarpgroupMatrixDescriptorType(ParametrizedAttribute, TypeAttribute):
    """`!nvgpu.warpgroup.descriptor<tensor = memref>`: the 64-bit wgmma descriptor of a shared-memory tile."""

    name = "nvgpu.warpgroup.descriptor"

    tensor: MemRefType

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<tensor = memref>`."""
        with parser.in_angle_brackets():
            _parse_named(parser, ("tensor",))
            return (_parse_kind(parser, MemRefType),)

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
            _parse_named(parser, ("fragmented",))
            return (_parse_kind(parser, VectorType),)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<fragmented = vector>`."""
        with printer.in_angle_brackets():
            printer.print_string("fragmented = ")
            printer.print_attribute(self.fragmented)
