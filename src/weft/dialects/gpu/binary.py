"""`gpu.binary` and the attributes that it is made of: compiled objects, the kernels in them, which one to take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    NoneAttr,
    StringAttr,
    UnregisteredAttr,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException

if TYPE_CHECKING:
    from xdsl.parser import AttrParser, Parser
    from xdsl.printer import Printer

    from weft.dialects.rows import gpu

TARGETS = ("nvvm.target", "rocdl.target", "xevm.target", "spirv.target_env")
"""What a module can be compiled for."""
_FORMATS = ("offload", "assembly", "bin", "fatbin")
"""What an object holds: its own format, text, a binary for one machine, or for several (what is meant by none)."""


def name_of(attribute: Attribute) -> str:
    """The name of an attribute, also of a dialect that is kept as text."""
    return attribute.attr_name.data if isinstance(attribute, UnregisteredAttr) else attribute.name


@irdl_attr_definition
class SelectObjectAttr(ParametrizedAttribute):
    """`#gpu.select_object<1>` or `<#nvvm.target>`: the object of a binary that is taken, by place or target."""

    name = "gpu.select_object"

    target: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parse `<target>`, or nothing for the first object."""
        start = parser.pos
        if parser.parse_optional_punctuation("<") is None:
            return [NoneAttr()]
        target = parser.parse_attribute()
        parser.parse_punctuation(">")
        if isinstance(target, IntegerAttr):
            if cast("IntegerAttr[IntegerType]", target).value.data < 0:
                parser.raise_error("the object index must be positive", start, start)
        elif name_of(target) not in TARGETS:
            parser.raise_error("the target attribute must be a GPU Target attribute", start, start)
        return [target]

    def print_parameters(self, printer: Printer) -> None:
        """Print `<target>`."""
        if not isinstance(self.target, NoneAttr):
            with printer.in_angle_brackets():
                printer.print_attribute(self.target)


@irdl_attr_definition
class KernelMetadataAttr(ParametrizedAttribute):
    """`#gpu.kernel_metadata<"k", (i32) -> (), arg_attrs = [...], metadata = {...}>`."""

    name = "gpu.kernel_metadata"

    kernel: StringAttr
    function_type: Attribute
    arg_attrs: Attribute
    metadata: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parse everything between the angle brackets."""
        found: dict[str, Attribute] = {}
        with parser.in_angle_brackets():
            kernel = StringAttr(parser.parse_str_literal())
            parser.parse_punctuation(",")
            kind = parser.parse_type()
            if not isinstance(kind, FunctionType):
                parser.raise_error("expected a function type")
            while parser.parse_optional_punctuation(","):
                word = parser.parse_identifier()
                parser.parse_punctuation("=")
                found[word] = parser.parse_attribute()
        return [kernel, kind, found.get("arg_attrs", NoneAttr()), found.get("metadata", NoneAttr())]

    def print_parameters(self, printer: Printer) -> None:
        """Print everything between the angle brackets."""
        with printer.in_angle_brackets():
            printer.print_list((self.kernel, self.function_type), printer.print_attribute)
            for word, value in (("arg_attrs", self.arg_attrs), ("metadata", self.metadata)):
                if not isinstance(value, NoneAttr):
                    printer.print_string(f", {word} = ")
                    printer.print_attribute(value)


@irdl_attr_definition
class KernelTableAttr(ParametrizedAttribute):
    """`#gpu.kernel_table<[#gpu.kernel_metadata<...>]>`."""

    name = "gpu.kernel_table"

    kernels: ArrayAttr[Attribute]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parse `<[...]>`."""
        with parser.in_angle_brackets():
            kernels: Sequence[Attribute] = ()
            found = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute)
            kernels = found or ()
        return [ArrayAttr(kernels)]

    def print_parameters(self, printer: Printer) -> None:
        """Print `<[...]>`."""
        with printer.in_angle_brackets():
            if self.kernels.data:
                printer.print_attribute(self.kernels)


@irdl_attr_definition
class ObjectAttr(ParametrizedAttribute):
    """`#gpu.object<#nvvm.target, properties = {...}, kernels = <...>, bin = "...">`: code for one target."""

    name = "gpu.object"

    target: Attribute
    format: StringAttr
    object: StringAttr
    properties: Attribute
    kernels: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parse everything between the angle brackets."""
        properties: Attribute = NoneAttr()
        kernels: Attribute = NoneAttr()
        kind = "fatbin"
        with parser.in_angle_brackets():
            target = parser.parse_attribute()
            parser.parse_punctuation(",")
            if parser.parse_optional_keyword("properties"):
                parser.parse_punctuation("=")
                properties = DictionaryAttr(parser.parse_optional_dictionary_attr_dict())
                parser.parse_punctuation(",")
            if parser.parse_optional_keyword("kernels"):
                parser.parse_punctuation("=")
                kernels = KernelTableAttr.new(KernelTableAttr.parse_parameters(parser))
                parser.parse_punctuation(",")
            word = parser.parse_optional_identifier()
            if word is not None:
                if word not in _FORMATS:
                    parser.raise_error("expected keyword for GPU object format")
                kind = word
                parser.parse_punctuation("=")
            text = StringAttr(parser.parse_str_literal())
        return [target, StringAttr(kind), text, properties, kernels]

    def print_parameters(self, printer: Printer) -> None:
        """Print everything between the angle brackets."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.target)
            printer.print_string(", ")
            if not isinstance(self.properties, NoneAttr):
                printer.print_string("properties = ")
                printer.print_attribute(self.properties)
                printer.print_string(", ")
            if isinstance(self.kernels, KernelTableAttr):
                printer.print_string("kernels = ")
                self.kernels.print_parameters(printer)
                printer.print_string(", ")
            if self.format.data != "fatbin":
                printer.print_string(f"{self.format.data} = ")
            printer.print_attribute(self.object)


def verify_handler(handler: Attribute | None) -> None:
    """Check that what is to translate a module or a binary can.

    Raises:
        VerifyException: it is another attribute.
    """
    if handler is not None and not isinstance(handler, SelectObjectAttr):
        raise VerifyException(
            "attribute 'offloadingHandler' failed to satisfy constraint: any attribute with the "
            "`OffloadingTranslationAttrTrait` trait."
        )


def verify_binary(op: gpu.BinaryOp) -> None:
    """There is an object, and the handler picks one."""
    verify_handler(op.offloading_handler)
    if not op.objects.data or not all(isinstance(entry, ObjectAttr) for entry in op.objects):
        raise VerifyException(
            "attribute 'objects' failed to satisfy constraint: an array of GPU object attributes with at least 1 "
            "elements"
        )


def parse_binary(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `gpu.binary @name <#gpu.select_object<...>> [#gpu.object<...>, ...]`."""
    properties: dict[str, Attribute] = {"sym_name": parser.parse_symbol_name()}
    if parser.parse_optional_punctuation("<"):
        properties["offloadingHandler"] = parser.parse_attribute()
        parser.parse_punctuation(">")
    else:
        properties["offloadingHandler"] = SelectObjectAttr(NoneAttr())
    attributes = parser.parse_optional_attr_dict()
    objects = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute)
    properties["objects"] = ArrayAttr(objects)
    return cls.create(properties=properties, attributes=attributes)


def print_binary(op: gpu.BinaryOp, printer: Printer) -> None:
    """Print what `parse_binary` parses."""
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    handler = op.offloading_handler
    if handler is not None and handler != SelectObjectAttr(NoneAttr()):
        printer.print_string(" <")
        printer.print_attribute(handler)
        printer.print_string(">")
    printer.print_op_attributes(op.attributes)
    printer.print_string(" ")
    printer.print_attribute(op.objects)
