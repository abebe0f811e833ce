"""Operations of `llvm` that xDSL lacks: casts, vector elements, poison, freeze."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import I32, IntegerAttr, IntegerType, UnitAttr, VectorType, i32
from xdsl.dialects.llvm import OverflowAttr
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure


class CastOperation(IRDLOperation, ABC):
    """`llvm.X %arg : T to U`."""

    arg = operand_def()
    res = result_def()

    traits = traits_def(Pure())
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"


@irdl_op_definition
class AddrSpaceCastOp(CastOperation):
    """`llvm.addrspacecast`: the same address in another address space."""

    name = "llvm.addrspacecast"


@irdl_op_definition
class FPToSIOp(CastOperation):
    """`llvm.fptosi`: truncate a float to a signed integer."""

    name = "llvm.fptosi"


@irdl_op_definition
class FPToUIOp(CastOperation):
    """`llvm.fptoui`: truncate a float to an unsigned integer."""

    name = "llvm.fptoui"


@irdl_op_definition
class UIToFPOp(IRDLOperation):
    """`llvm.uitofp (nneg)?`: an unsigned integer to a float."""

    name = "llvm.uitofp"

    arg = operand_def()
    non_neg = opt_prop_def(UnitAttr, prop_name="nonNeg")
    res = result_def()

    traits = traits_def(Pure())
    assembly_format = "(`nneg` $nonNeg^)? $arg attr-dict `:` type($arg) `to` type($res)"


@irdl_op_definition
class TruncOp(IRDLOperation):
    """`llvm.trunc %arg overflow<flags>? : T to U`: the low bits of an integer."""

    name = "llvm.trunc"

    arg = operand_def()
    overflow_flags = opt_prop_def(IntegerAttr[I32], prop_name="overflowFlags")
    res = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> TruncOp:
        """Parse everything after the operation's name."""
        arg = parser.parse_unresolved_operand()
        flags = OverflowAttr.parse(parser).to_int()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operands = [parser.resolve_operand(arg, parser.parse_type())]
        parser.parse_keyword("to")
        results = [parser.parse_type()]
        properties = {"overflowFlags": IntegerAttr(flags, i32)}
        return cls.create(operands=operands, result_types=results, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.arg)
        if self.overflow_flags is not None:
            OverflowAttr.from_int(self.overflow_flags.value.data).print(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.arg.type)
        printer.print_string(" to ")
        printer.print_attribute(self.res.type)


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """`llvm.mlir.constant(value) : T`; the type of the attribute may differ from `T` (`3 : index` for an i64)."""

    name = "llvm.mlir.constant"

    value = prop_def()
    result = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        """Parse everything after the operation's name."""
        with parser.in_parens():
            value = parser.parse_attribute()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.create(result_types=[parser.parse_type()], properties={"value": value}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        with printer.in_parens():
            printer.print_attribute(self.value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class PoisonOp(IRDLOperation):
    """`llvm.mlir.poison : T`: a value that nothing may depend on."""

    name = "llvm.mlir.poison"

    res = result_def()

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($res)"


@irdl_op_definition
class FreezeOp(IRDLOperation):
    """`llvm.freeze %val : T`: the value, or an arbitrary fixed one when it is poison."""

    name = "llvm.freeze"

    T: ClassVar = VarConstraint("T", AnyAttr())

    val = operand_def(T)
    res = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$val attr-dict `:` type($val)"


@irdl_op_definition
class ExtractElementOp(IRDLOperation):
    """`llvm.extractelement %vector[%position : T] : vector<nxU>`."""

    name = "llvm.extractelement"

    T: ClassVar = VarConstraint("T", AnyAttr())

    vector = operand_def(VectorType.constr(T))
    position = operand_def(base(IntegerType))
    res = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)"
