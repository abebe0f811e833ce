"""Operations of `memref` on storage: globals, copies, atomics, prefetch."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    I32,
    I64,
    AnyFloat,
    BoolAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    TensorType,
    UnitAttr,
)
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.memref.directives import parse_choice

if TYPE_CHECKING:
    from xdsl.ir import Attribute
    from xdsl.parser import Parser
    from xdsl.printer import Printer


@irdl_op_definition
class GlobalOp(IRDLOperation):
    """`memref.global "private" constant @name : memref<...> = value`: a buffer of the module.

    Without an initial value it is a declaration; `uninitialized` is a definition whose content is not known.
    """

    name = "memref.global"

    sym_name = prop_def(SymbolNameConstraint())
    sym_visibility = opt_prop_def(StringAttr)
    type = prop_def(MemRefType)
    initial_value = opt_prop_def(base(UnitAttr) | base(DenseIntOrFPElementsAttr))
    constant = opt_prop_def(UnitAttr)
    alignment = opt_prop_def(IntegerAttr[I64])

    traits = traits_def(SymbolOpInterface())

    def verify_(self) -> None:
        """The initial value must have the buffer's shape; the alignment must be a power of two."""
        memref = self.type
        if not memref.has_static_shape():
            raise VerifyException(f"type should be static shaped memref, but got '{memref}'")
        value = self.initial_value
        if isinstance(value, DenseIntOrFPElementsAttr):
            expected = TensorType(memref.element_type, memref.get_shape())
            if value.type != expected:
                raise VerifyException(
                    f"initial value expected to be of type '{expected}', but was of type '{value.type}'"
                )
        if self.alignment is not None:
            alignment = self.alignment.value.data
            if alignment <= 0 or alignment & (alignment - 1):
                raise VerifyException(f"alignment attribute value {alignment} is not a power of 2")

    @classmethod
    def parse(cls, parser: Parser) -> GlobalOp:
        """Parse everything after the operation's name."""
        properties: dict[str, Attribute] = {}
        visibility = parser.parse_optional_str_literal()
        if visibility is not None:
            properties["sym_visibility"] = StringAttr(visibility)
        if parser.parse_optional_keyword("constant"):
            properties["constant"] = UnitAttr()
        properties["sym_name"] = parser.parse_symbol_name()
        parser.parse_punctuation(":")
        position = parser.pos
        memref = narrow.memref(parser.parse_type())
        if memref is None:
            parser.raise_error("type should be static shaped memref", position, parser.pos)
        properties["type"] = memref
        if parser.parse_optional_punctuation("="):
            if parser.parse_optional_keyword("uninitialized"):
                properties["initial_value"] = UnitAttr()
            else:
                parser.parse_keyword("dense")
                properties["initial_value"] = parser.parse_dense_int_or_fp_elements_attr(
                    TensorType(cast("AnyFloat | IntegerType | IndexType", memref.element_type), memref.get_shape())
                )
        attributes = parser.parse_optional_attr_dict()
        if "alignment" in attributes:
            properties["alignment"] = attributes.pop("alignment")
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        if self.sym_visibility is not None:
            printer.print_string(" ")
            printer.print_attribute(self.sym_visibility)
        printer.print_string(" constant " if self.constant is not None else " ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" : ")
        printer.print_attribute(self.type)
        if isinstance(self.initial_value, DenseIntOrFPElementsAttr):
            printer.print_string(" = ")
            self.initial_value.print_without_type(printer)
        elif self.initial_value is not None:
            printer.print_string(" = uninitialized")
        shown = {"alignment": self.alignment} if self.alignment is not None else {}
        printer.print_op_attributes({**shown, **self.attributes})


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """`memref.prefetch %m[indices], read, locality<3>, data : type`: a hint to load a line into the cache."""

    name = "memref.prefetch"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr[I32], prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        """Parse everything after the operation's name."""
        memref = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType()))
        parser.parse_punctuation(",")
        write = parse_choice(parser, cls.name, "isWrite")
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        with parser.in_angle_brackets():
            locality = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation(",")
        data = parse_choice(parser, cls.name, "isDataCache")
        parser.parse_punctuation(":")
        memref_type = parser.parse_type()
        properties: dict[str, Attribute] = {
            "isWrite": BoolAttr.from_bool(write),
            "localityHint": IntegerAttr(locality, 32),
            "isDataCache": BoolAttr.from_bool(data),
        }
        operands = [parser.resolve_operand(memref, memref_type), *indices]
        return cls.create(operands=operands, properties=properties)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        access = "write" if self.is_write.value.data else "read"
        cache = "data" if self.is_data_cache.value.data else "instr"
        printer.print_string(f", {access}, locality<{self.locality_hint.value.data}>, {cache}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)
