"""Operations of `memref` that change how a buffer is seen: casts, the raw pointer, transposition, rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AffineMapAttr, DenseArrayBase, IndexType, MemRefType, UnrankedMemRefType, i64
from xdsl.dialects.utils.dynamic_index_list import DynamicIndexList
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import NoMemoryEffect
from xdsl.utils.exceptions import VerifyException

from weft.dialects.memref.layouts import strided
from weft.dialects.narrow import AnyMemRef, any_memref

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

_ANY_MEMREF = base(MemRefType) | base(UnrankedMemRefType)


@irdl_op_definition
class CastOp(IRDLOperation):
    """`memref.cast`: the same buffer with more or less known statically."""

    name = "memref.cast"

    source = operand_def(_ANY_MEMREF)
    dest = result_def(_ANY_MEMREF)

    traits = traits_def(NoMemoryEffect())
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def verify_(self) -> None:
        """Source and result must agree in element type, rank and memory space."""
        source, dest = any_memref(self.source.type), any_memref(self.dest.type)
        if source is None or dest is None or not _cast_compatible(source, dest):
            raise VerifyException(f"operand type '{source}' and result type '{dest}' are cast incompatible")


def _cast_compatible(source: AnyMemRef, dest: AnyMemRef) -> bool:
    if (source.element_type, source.memory_space) != (dest.element_type, dest.memory_space):
        return False
    if isinstance(source, UnrankedMemRefType) or isinstance(dest, UnrankedMemRefType):
        return source != dest
    if source.get_num_dims() != dest.get_num_dims():
        return False
    if not all(a == b or a < 0 or b < 0 for a, b in zip(source.get_shape(), dest.get_shape(), strict=True)):
        return False
    if source.layout == dest.layout:
        return True
    one, other = strided(source), strided(dest)
    if one is None or other is None:
        return False
    return all(a == b or a is None or b is None for a, b in zip((*one[0], one[1]), (*other[0], other[1]), strict=True))


@irdl_op_definition
class MemorySpaceCastOp(IRDLOperation):
    """`memref.memory_space_cast`: the same buffer seen through another memory space."""

    name = "memref.memory_space_cast"

    source = operand_def(_ANY_MEMREF)
    dest = result_def(_ANY_MEMREF)

    traits = traits_def(NoMemoryEffect())
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def verify_(self) -> None:
        """Source and result must agree in everything but the memory space."""
        source, dest = any_memref(self.source.type), any_memref(self.dest.type)
        if source is None or dest is None or _without_space(source) != _without_space(dest):
            raise VerifyException(f"operand type '{source}' and result type '{dest}' are cast incompatible")


def _without_space(memref: AnyMemRef) -> tuple[object, ...]:
    if isinstance(memref, UnrankedMemRefType):
        return (memref.element_type,)
    return memref.element_type, memref.shape, memref.layout


@irdl_op_definition
class ExtractAlignedPointerAsIndexOp(IRDLOperation):
    """`memref.extract_aligned_pointer_as_index`: the address of element 0, before the layout's offset."""

    name = "memref.extract_aligned_pointer_as_index"

    source = operand_def(_ANY_MEMREF)
    aligned_pointer = result_def(IndexType())

    traits = traits_def(NoMemoryEffect())
    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"


@irdl_op_definition
class RankOp(IRDLOperation):
    """`memref.rank`: the number of dimensions."""

    name = "memref.rank"

    memref = operand_def(_ANY_MEMREF)
    rank = result_def(IndexType())

    traits = traits_def(NoMemoryEffect())
    assembly_format = "$memref attr-dict `:` type($memref)"


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """`memref.transpose %m (d0, d1) -> (d1, d0)`: the same buffer with its dimensions permuted."""

    name = "memref.transpose"

    source = operand_def(MemRefType)
    permutation = prop_def(AffineMapAttr)
    result = result_def(MemRefType)

    traits = traits_def(NoMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> TransposeOp:
        """Parse everything after the operation's name."""
        source = parser.parse_unresolved_operand()
        names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_identifier)
        parser.parse_punctuation("->")

        def place_of_name() -> int:
            start = parser.pos
            name = parser.parse_identifier()
            if name not in names:
                parser.raise_error("use of undeclared identifier", start, parser.pos)
            return names.index(name)

        order = parser.parse_comma_separated_list(parser.Delimiter.PAREN, place_of_name)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_keyword("to")
        result_type = parser.parse_type()
        permutation = AffineMap(len(names), 0, tuple(map(AffineDimExpr, order)))
        return cls.create(
            operands=[parser.resolve_operand(source, source_type)],
            result_types=[result_type],
            properties={"permutation": AffineMapAttr(permutation)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(f" {self.permutation.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class ReinterpretCastOp(IRDLOperation):
    """`memref.reinterpret_cast %m to offset: [%o], sizes: [%n, 10], strides: [%s, 1] : type to type`."""

    name = "memref.reinterpret_cast"

    source = operand_def(_ANY_MEMREF)
    offsets = var_operand_def(IndexType())
    sizes = var_operand_def(IndexType())
    strides = var_operand_def(IndexType())
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))
    result = result_def(MemRefType)

    traits = traits_def(NoMemoryEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (DynamicIndexList,)
    assembly_format = (
        "$source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets) `` `,` `sizes` `` `:` "
        "custom<DynamicIndexList>($sizes, $static_sizes) `` `,` `strides` `` `:` "
        "custom<DynamicIndexList>($strides, $static_strides) attr-dict `:` type($source) `to` type($result)"
    )
