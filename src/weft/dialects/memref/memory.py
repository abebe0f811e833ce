"""Operations of `memref` on storage: globals, copies, atomics, prefetch."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from xdsl.dialects.builtin import (
    I32,
    I64,
    AnyFloat,
    AnyFloatConstr,
    BoolAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    SignlessIntegerConstraint,
    StringAttr,
    SymbolNameConstraint,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    i64,
)
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator, MemoryReadEffect, MemoryWriteEffect, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow

if TYPE_CHECKING:
    from xdsl.ir import Attribute
    from xdsl.parser import Parser
    from xdsl.printer import Printer

_ANY_MEMREF = base(MemRefType) | base(UnrankedMemRefType)

ATOMIC_KINDS = (
    "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf", "mins", "minu",
    "mulf", "muli", "ori", "xori",
)  # fmt: skip
"""The combining operations of `memref.atomic_rmw`; the position in the tuple is the value of the `kind` property."""


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
class CopyOp(IRDLOperation):
    """`memref.copy %source, %target`."""

    name = "memref.copy"

    source = operand_def(_ANY_MEMREF)
    target = operand_def(_ANY_MEMREF)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$source `,` $target attr-dict `:` type($source) `to` type($target)"


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """`memref.atomic_rmw kind %value, %memref[indices]`: combine `value` into an element.

    The result is what the element was before."""

    name = "memref.atomic_rmw"

    T: ClassVar = VarConstraint("T", AnyFloatConstr | SignlessIntegerConstraint)

    value = operand_def(T)
    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType())
    kind = prop_def(IntegerAttr[I64])
    result = result_def(T)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    @property
    def kind_name(self) -> str:
        """The combining operation, one of `ATOMIC_KINDS`."""
        return ATOMIC_KINDS[self.kind.value.data]

    @classmethod
    def parse(cls, parser: Parser) -> AtomicRMWOp:
        """Parse everything after the operation's name."""
        position = parser.pos
        kind = parser.parse_optional_str_literal() or parser.parse_identifier()
        if kind not in ATOMIC_KINDS:
            listed = ", ".join(sorted(ATOMIC_KINDS))
            parser.raise_error(
                "custom op 'memref.atomic_rmw' expected string or keyword containing one of the following enum values "
                f"for attribute 'kind' [{listed}]",
                position,
                parser.pos,
            )
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        memref = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType()))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_function_type()
        operands = parser.resolve_operands((value, memref), types.inputs.data, position)
        return cls.create(
            operands=[*operands, *indices],
            result_types=types.outputs.data,
            properties={"kind": IntegerAttr(ATOMIC_KINDS.index(kind), i64)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(f" {self.kind_name} ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        printer.print_ssa_value(self.memref)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_function_type((self.value.type, self.memref.type), (self.result.type,))

    def verify_(self) -> None:
        """One index for each dimension."""
        memref = narrow.memref(self.memref.type)
        if memref is not None and memref.get_num_dims() != len(self.indices):
            raise VerifyException("expects the number of subscripts to be equal to memref rank")


@irdl_op_definition
class GenericAtomicRMWOp(IRDLOperation):
    """`memref.generic_atomic_rmw %memref[indices] : type { ^bb0(%old : T): ... }`: combine by a region."""

    name = "memref.generic_atomic_rmw"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    result = result_def()
    atomic_body = region_def("single_block")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    @classmethod
    def parse(cls, parser: Parser) -> GenericAtomicRMWOp:
        """Parse everything after the operation's name."""
        memref = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType()))
        parser.parse_punctuation(":")
        position = parser.pos
        memref_type = narrow.memref(parser.parse_type())
        if memref_type is None:
            parser.raise_error("expected a memref type", position, parser.pos)
        region = parser.parse_region()
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            operands=[parser.resolve_operand(memref, memref_type), *indices],
            result_types=[memref_type.element_type],
            regions=[region],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)
        printer.print_string(" ")
        printer.print_region(self.atomic_body)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class AtomicYieldOp(IRDLOperation):
    """`memref.atomic_yield %value : T`: the new element, at the end of `memref.generic_atomic_rmw`."""

    name = "memref.atomic_yield"

    result = operand_def()

    traits = traits_def(IsTerminator())
    assembly_format = "$result attr-dict `:` type($result)"


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
        write = _one_of(parser, "rw specifier", "read", "write")
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        with parser.in_angle_brackets():
            locality = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation(",")
        instructions = _one_of(parser, "cache type", "data", "instr")
        parser.parse_punctuation(":")
        memref_type = parser.parse_type()
        properties: dict[str, Attribute] = {
            "isWrite": BoolAttr.from_bool(write),
            "localityHint": IntegerAttr(locality, 32),
            "isDataCache": BoolAttr.from_bool(not instructions),
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


def _one_of(parser: Parser, what: str, no: str, yes: str) -> bool:
    """Parse one of two keywords; True for the second."""
    start = parser.pos
    word = parser.parse_identifier()
    if word not in (no, yes):
        parser.raise_error(f"{what} has to be '{no}' or '{yes}'", start, parser.pos)
    return word == yes
