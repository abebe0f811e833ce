"""Operations of `llvm` that xDSL lacks: casts, vector elements, poison, freeze, intrinsics."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import I32, IntegerAttr, IntegerType, UnitAttr, VectorType, i32
from xdsl.dialects.llvm import FastMathAttr, OverflowAttr
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
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


class IntrinsicOperation(IRDLOperation, ABC):
    """`llvm.intr.X(%operands...) : (types) -> type`."""

    res = result_def()

    traits = traits_def(Pure())
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"


class UnaryIntrinsic(IntrinsicOperation, ABC):
    """An intrinsic of one operand."""

    arg = operand_def()


class BinaryIntrinsic(IntrinsicOperation, ABC):
    """An intrinsic of two operands."""

    a = operand_def()
    b = operand_def()


class TernaryIntrinsic(IntrinsicOperation, ABC):
    """An intrinsic of three operands."""

    a = operand_def()
    b = operand_def()
    c = operand_def()


class FloatUnaryIntrinsic(UnaryIntrinsic, ABC):
    """A floating-point intrinsic of one operand, with fast-math flags."""

    fastmath_flags = opt_prop_def(FastMathAttr, prop_name="fastmathFlags", default_value=FastMathAttr(None))

    irdl_options = (ParsePropInAttrDict(),)


class FloatBinaryIntrinsic(BinaryIntrinsic, ABC):
    """A floating-point intrinsic of two operands, with fast-math flags."""

    fastmath_flags = opt_prop_def(FastMathAttr, prop_name="fastmathFlags", default_value=FastMathAttr(None))

    irdl_options = (ParsePropInAttrDict(),)


@irdl_op_definition
class FMulAddOp(TernaryIntrinsic):
    """`llvm.intr.fmuladd`: a * b + c, fused or not."""

    name = "llvm.intr.fmuladd"

    fastmath_flags = opt_prop_def(FastMathAttr, prop_name="fastmathFlags", default_value=FastMathAttr(None))

    irdl_options = (ParsePropInAttrDict(),)


@irdl_op_definition
class MaximumOp(FloatBinaryIntrinsic):
    """`llvm.intr.maximum`: the larger, NaN if either is."""

    name = "llvm.intr.maximum"


@irdl_op_definition
class MinimumOp(FloatBinaryIntrinsic):
    """`llvm.intr.minimum`: the smaller, NaN if either is."""

    name = "llvm.intr.minimum"


@irdl_op_definition
class RintOp(FloatUnaryIntrinsic):
    """`llvm.intr.rint`: round to nearest even integer value."""

    name = "llvm.intr.rint"


@irdl_op_definition
class RoundEvenOp(FloatUnaryIntrinsic):
    """`llvm.intr.roundeven`: round to nearest even integer value."""

    name = "llvm.intr.roundeven"


@irdl_op_definition
class FTruncOp(FloatUnaryIntrinsic):
    """`llvm.intr.trunc`: round towards zero."""

    name = "llvm.intr.trunc"


@irdl_op_definition
class SMaxOp(BinaryIntrinsic):
    """`llvm.intr.smax`: the larger signed integer."""

    name = "llvm.intr.smax"


@irdl_op_definition
class SMinOp(BinaryIntrinsic):
    """`llvm.intr.smin`: the smaller signed integer."""

    name = "llvm.intr.smin"


@irdl_op_definition
class UMaxOp(BinaryIntrinsic):
    """`llvm.intr.umax`: the larger unsigned integer."""

    name = "llvm.intr.umax"


@irdl_op_definition
class UMinOp(BinaryIntrinsic):
    """`llvm.intr.umin`: the smaller unsigned integer."""

    name = "llvm.intr.umin"


@irdl_op_definition
class CtPopOp(UnaryIntrinsic):
    """`llvm.intr.ctpop`: number of set bits."""

    name = "llvm.intr.ctpop"


@irdl_op_definition
class BitReverseOp(UnaryIntrinsic):
    """`llvm.intr.bitreverse`: the bits in reverse order."""

    name = "llvm.intr.bitreverse"


@irdl_op_definition
class ByteSwapOp(UnaryIntrinsic):
    """`llvm.intr.bswap`: the bytes in reverse order."""

    name = "llvm.intr.bswap"


@irdl_op_definition
class FshlOp(TernaryIntrinsic):
    """`llvm.intr.fshl`: the high half of (a : b) shifted left by c."""

    name = "llvm.intr.fshl"


@irdl_op_definition
class FshrOp(TernaryIntrinsic):
    """`llvm.intr.fshr`: the low half of (a : b) shifted right by c."""

    name = "llvm.intr.fshr"
