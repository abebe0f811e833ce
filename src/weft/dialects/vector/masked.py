"""Masked and indexed accesses of `vector`, scans, and what is left: casts of buffers, `vscale`, `yield`."""

from __future__ import annotations

from io import StringIO
from typing import ClassVar

from xdsl.dialects.builtin import (
    I64,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    VectorType,
    i1,
)
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, MemoryReadEffect, MemoryWriteEffect, Pure

_MASK = VectorType.constr(i1)


@irdl_op_definition
class GatherOp(IRDLOperation):
    """`vector.gather %base[offsets] [%indices], %mask, %pass_thru : types into vector`."""

    name = "vector.gather"

    base_ = operand_def()
    offsets = var_operand_def(IndexType())
    indices = operand_def(VectorType)
    mask = operand_def(_MASK)
    pass_thru = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr[I64])
    result = result_def(VectorType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base_ `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base_) `,` "
        "type($indices) `,` type($mask) `,` type($pass_thru) `into` type($result)"
    )


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """`vector.scatter %base[offsets] [%indices], %mask, %value : types`."""

    name = "vector.scatter"

    base_ = operand_def()
    offsets = var_operand_def(IndexType())
    indices = operand_def(VectorType)
    mask = operand_def(_MASK)
    value_to_store = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr[I64])
    result = var_result_def()

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base_ `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base_) `,` "
        "type($indices) `,` type($mask) `,` type($value_to_store) (`->` type($result)^)?"
    )


@irdl_op_definition
class ExpandLoadOp(IRDLOperation):
    """`vector.expandload %base[indices], %mask, %pass_thru : types into vector`: consecutive elements to set lanes."""

    name = "vector.expandload"

    base_ = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    mask = operand_def(_MASK)
    pass_thru = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr[I64])
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base_ `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base_) `,` type($mask) `,` "
        "type($pass_thru) `into` type($result)"
    )


@irdl_op_definition
class CompressStoreOp(IRDLOperation):
    """`vector.compressstore %base[indices], %mask, %value : types`: the elements of set lanes, one behind the other."""

    name = "vector.compressstore"

    base_ = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    mask = operand_def(_MASK)
    value_to_store = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr[I64])

    traits = traits_def(MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base_ `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base_) `,` type($mask) `,` "
        "type($value_to_store)"
    )


@irdl_op_definition
class ScanOp(IRDLOperation):
    """`vector.scan <kind>, %source, %initial {inclusive, reduction_dim} : types`: running reductions of a dimension."""

    name = "vector.scan"

    SOURCE: ClassVar = VarConstraint("SOURCE", base(VectorType))
    INITIAL: ClassVar = VarConstraint("INITIAL", base(VectorType))

    source = operand_def(SOURCE)
    initial_value = operand_def(INITIAL)
    kind = prop_def(CombiningKindAttr)
    reduction_dim = prop_def(IntegerAttr[I64])
    inclusive = prop_def(BoolAttr)
    dest = result_def(SOURCE)
    accumulated_value = result_def(INITIAL)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)"


@irdl_op_definition
class TypeCastOp(IRDLOperation):
    """`vector.type_cast %m : memref<4x8xf32> to memref<vector<4x8xf32>>`."""

    name = "vector.type_cast"

    memref = operand_def(MemRefType)
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "$memref attr-dict `:` type($memref) `to` type($result)"


@irdl_op_definition
class VectorScaleOp(IRDLOperation):
    """`vector.vscale`: how many times a scalable vector holds its minimum."""

    name = "vector.vscale"

    res = result_def(IndexType())

    traits = traits_def(Pure())
    assembly_format = "attr-dict"


@irdl_op_definition
class YieldOp(IRDLOperation):
    """`vector.yield %values : types`: the end of a masked region."""

    name = "vector.yield"

    operands_ = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "attr-dict ($operands_^ `:` type($operands_))?"


@irdl_op_definition
class ScalableExtractOp(IRDLOperation):
    """`vector.scalable.extract %source[pos] : vector from vector`."""

    name = "vector.scalable.extract"

    source = operand_def(VectorType)
    pos = prop_def(IntegerAttr[I64])
    res = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$source `[` $pos `]` attr-dict `:` type($res) `from` type($source)"


@irdl_op_definition
class ScalableInsertOp(IRDLOperation):
    """`vector.scalable.insert %value, %dest[pos] : vector into vector`."""

    name = "vector.scalable.insert"

    T: ClassVar = VarConstraint("T", base(VectorType))

    value_to_store = operand_def(VectorType)
    dest = operand_def(T)
    pos = prop_def(IntegerAttr[I64])
    res = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$value_to_store `,` $dest `[` $pos `]` attr-dict `:` type($value_to_store) `into` type($dest)"


@irdl_op_definition
class MaskOp(IRDLOperation):
    """`vector.mask %mask, %passthru { operation } : mask -> types`: an operation on the set lanes only."""

    name = "vector.mask"

    mask = operand_def(_MASK)
    passthru = opt_operand_def()
    mask_region = region_def()
    results_ = var_result_def()

    @classmethod
    def parse(cls, parser: Parser) -> MaskOp:
        """Parse everything after the operation's name; a value of the operation inside is yielded."""
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        region = parser.parse_region()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        kinds = [parser.parse_type()]
        results = []
        if parser.parse_optional_punctuation("->"):
            results = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
            results = [parser.parse_type()] if results is None else results
        operands = parser.resolve_operands(names, [*kinds, *results[: len(names) - 1]], position)
        _finish(region)
        return cls.create(operands=operands, result_types=results, regions=[region], attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" { ")
        block = self.mask_region.blocks[0]
        inside = block.first_op
        if inside is not None:
            _print_without_results(printer, inside)
        printer.print_string(" }")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.mask.type)
        if self.results:
            printer.print_string(" -> ")
            if len(self.results) == 1:
                printer.print_attribute(self.results[0].type)
            else:
                with printer.in_parens():
                    printer.print_list(self.result_types, printer.print_attribute)


def _print_without_results(printer: Printer, op: Operation) -> None:
    """Print a masked operation, whose values have no names: the mask's are theirs."""
    buffer = StringIO()
    printer.stream, stream = buffer, printer.stream
    getattr(printer, "print_op_alone", printer.print_op)(op)  # Its location is not printed.
    printer.stream = stream
    text = buffer.getvalue()
    printer.print_string(text.partition(" = ")[2] if op.results else text)


def _finish(region: Region) -> None:
    """Give a masked region the terminator that its text leaves out."""
    if not region.blocks:
        region.add_block(Block())
    block = region.blocks[0]
    last = block.last_op
    if isinstance(last, YieldOp):
        return
    block.add_op(YieldOp.create(operands=last.results if last is not None else ()))
