"""Casts and selections of vectors, exact divisions, rounding modes: forms of `arith` that xDSL's classes do not hold.

Where xDSL's class can hold an operation it is parsed as that class, so that xDSL's folders and patterns apply to it.
"""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects import arith
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import I32, IntegerAttr, UnitAttr, i1, i32
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
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
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow


class VectorCastOperation(IRDLOperation, ABC):
    """`arith.X %in : T to U`, element by element where the types are vectors."""

    SCALAR: ClassVar[type[Operation] | None] = None

    input = operand_def()
    result = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Operation:
        """Parse everything after the operation's name; as xDSL's class when the types are scalars."""
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.parse_type()
        parser.parse_keyword("to")
        target = parser.parse_type()
        scalar = None if narrow.vector(source) or narrow.vector(target) else cls.SCALAR
        created = cls if scalar is None else scalar
        operands = [parser.resolve_operand(operand, source)]
        return created.create(operands=operands, result_types=[target], attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.input)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.input.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        """Vectors must have one shape."""
        source, target = narrow.vector(self.input.type), narrow.vector(self.result.type)
        same = source.get_shape() == target.get_shape() if source and target else source is target
        if not same:
            raise VerifyException(
                f"operand type '{self.input.type}' and result type '{self.result.type}' are cast incompatible"
            )


@irdl_op_definition
class SIToFPOp(VectorCastOperation):
    """`arith.sitofp`."""

    name = "arith.sitofp"
    SCALAR: ClassVar[type[Operation] | None] = arith.SIToFPOp


@irdl_op_definition
class UIToFPOp(VectorCastOperation):
    """`arith.uitofp`."""

    name = "arith.uitofp"
    SCALAR: ClassVar[type[Operation] | None] = arith.UIToFPOp


@irdl_op_definition
class FPToSIOp(VectorCastOperation):
    """`arith.fptosi`."""

    name = "arith.fptosi"
    SCALAR: ClassVar[type[Operation] | None] = arith.FPToSIOp


@irdl_op_definition
class FPToUIOp(VectorCastOperation):
    """`arith.fptoui`."""

    name = "arith.fptoui"
    SCALAR: ClassVar[type[Operation] | None] = arith.FPToUIOp


@irdl_op_definition
class ExtSIOp(VectorCastOperation):
    """`arith.extsi`."""

    name = "arith.extsi"
    SCALAR: ClassVar[type[Operation] | None] = arith.ExtSIOp


@irdl_op_definition
class ExtUIOp(VectorCastOperation):
    """`arith.extui`."""

    name = "arith.extui"
    SCALAR: ClassVar[type[Operation] | None] = arith.ExtUIOp


@irdl_op_definition
class IndexCastOp(VectorCastOperation):
    """`arith.index_cast`: between `index` and signed integers."""

    name = "arith.index_cast"
    SCALAR: ClassVar[type[Operation] | None] = arith.IndexCastOp


@irdl_op_definition
class IndexCastUIOp(VectorCastOperation):
    """`arith.index_castui`: between `index` and unsigned integers."""

    name = "arith.index_castui"


@irdl_op_definition
class SelectOp(IRDLOperation):
    """`arith.select %cond, %a, %b : (vector<nxi1>,)? T`."""

    name = "arith.select"

    T: ClassVar = VarConstraint("T", AnyAttr())

    cond = operand_def()
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Operation:
        """Parse everything after the operation's name; as xDSL's class when the condition is one bit."""
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        types: list[Attribute] = [parser.parse_type()]
        if parser.parse_optional_punctuation(","):
            types.append(parser.parse_type())
        condition = types[0] if len(types) == 2 else i1
        operands = parser.resolve_operands(names, (condition, types[-1], types[-1]), position)
        created = arith.SelectOp if len(types) == 1 else cls
        return created.create(operands=operands, result_types=[types[-1]], attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        condition = narrow.vector(self.cond.type)
        if condition is not None:
            printer.print_attribute(condition)
            printer.print_string(", ")
        printer.print_attribute(self.result.type)


ROUNDING_MODES = ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away")
"""Rounding modes of `arith.truncf`; the position is the value of the `roundingmode` property."""


class FloatCastOperation(IRDLOperation, ABC):
    """`arith.X %in rounding? fastmath? : T to U`, between floating-point types."""

    PLAIN: ClassVar[type[Operation]]
    ROUNDING: ClassVar[tuple[str, ...]] = ()

    input = operand_def()
    roundingmode = opt_prop_def(IntegerAttr[I32])
    fastmath = opt_prop_def(FastMathFlagsAttr)
    result = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Operation:
        """Parse everything after the operation's name; as xDSL's class when it has neither mode nor flags."""
        properties: dict[str, Attribute] = {}
        operand = parser.parse_unresolved_operand()
        keyword = parser.parse_optional_keyword("fastmath")
        if keyword is None:
            mode = next((mode for mode in cls.ROUNDING if parser.parse_optional_keyword(mode)), None)
            if mode is not None:
                properties["roundingmode"] = IntegerAttr(cls.ROUNDING.index(mode), i32)
                keyword = parser.parse_optional_keyword("fastmath")
        if keyword is not None:
            properties["fastmath"] = FastMathFlagsAttr(FastMathFlagsAttr.parse_parameter(parser))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operands = [parser.resolve_operand(operand, parser.parse_type())]
        parser.parse_keyword("to")
        results = [parser.parse_type()]
        created = cls if properties else cls.PLAIN
        return created.create(operands=operands, result_types=results, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.input)
        if self.roundingmode is not None:
            printer.print_string(f" {self.ROUNDING[self.roundingmode.value.data]}")
        if self.fastmath is not None:
            printer.print_string(" fastmath")
            self.fastmath.print_parameter(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.input.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class TruncFOp(FloatCastOperation):
    """`arith.truncf`."""

    name = "arith.truncf"
    PLAIN: ClassVar[type[Operation]] = arith.TruncFOp
    ROUNDING: ClassVar[tuple[str, ...]] = ROUNDING_MODES


@irdl_op_definition
class ExtFOp(FloatCastOperation):
    """`arith.extf`."""

    name = "arith.extf"
    PLAIN: ClassVar[type[Operation]] = arith.ExtFOp


@irdl_op_definition
class TruncIOp(IRDLOperation):
    """`arith.trunci %in overflow<flags>? : T to U`."""

    name = "arith.trunci"

    input = operand_def()
    overflow_flags = prop_def(
        arith.IntegerOverflowAttr, prop_name="overflowFlags", default_value=arith.IntegerOverflowAttr("none")
    )
    result = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Operation:
        """Parse everything after the operation's name; as xDSL's class when it is a scalar without flags."""
        properties: dict[str, Attribute] = {}
        operand = parser.parse_unresolved_operand()
        if parser.parse_optional_keyword("overflow"):
            flags = arith.IntegerOverflowAttr.parse_parameter(parser)
            properties["overflowFlags"] = arith.IntegerOverflowAttr(flags)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.parse_type()
        parser.parse_keyword("to")
        target = parser.parse_type()
        created = cls if properties or narrow.vector(source) else arith.TruncIOp
        operands = [parser.resolve_operand(operand, source)]
        return created.create(operands=operands, result_types=[target], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.input)
        if self.overflow_flags.data:
            printer.print_string(" overflow")
            self.overflow_flags.print_parameter(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.input.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)


class ExactOperation(IRDLOperation, ABC):
    """`arith.X %lhs, %rhs exact? : T`: `exact` promises that no bits are lost."""

    INEXACT: ClassVar[type[Operation]]

    lhs = operand_def()
    rhs = operand_def()
    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")
    result = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Operation:
        """Parse everything after the operation's name; as xDSL's class without `exact`."""
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        exact = parser.parse_optional_keyword("exact") is not None
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        value = parser.parse_type()
        operands = parser.resolve_operands(names, (value, value), position)
        created = cls if exact else cls.INEXACT
        properties: dict[str, Attribute] = {"isExact": UnitAttr()} if exact else {}
        return created.create(operands=operands, result_types=[value], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_list((self.lhs, self.rhs), printer.print_ssa_value)
        printer.print_string(" exact" if self.is_exact is not None else "")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class DivSIOp(ExactOperation):
    """`arith.divsi`."""

    name = "arith.divsi"
    INEXACT: ClassVar[type[Operation]] = arith.DivSIOp


@irdl_op_definition
class DivUIOp(ExactOperation):
    """`arith.divui`."""

    name = "arith.divui"
    INEXACT: ClassVar[type[Operation]] = arith.DivUIOp


@irdl_op_definition
class ShRSIOp(ExactOperation):
    """`arith.shrsi`."""

    name = "arith.shrsi"
    INEXACT: ClassVar[type[Operation]] = arith.ShRSIOp


@irdl_op_definition
class ShRUIOp(ExactOperation):
    """`arith.shrui`."""

    name = "arith.shrui"
    INEXACT: ClassVar[type[Operation]] = arith.ShRUIOp


@irdl_op_definition
class RemFOp(IRDLOperation):
    """`arith.remf %lhs, %rhs fastmath? : T`: the remainder of the division, with the sign of `lhs`."""

    name = "arith.remf"

    T: ClassVar = VarConstraint("T", AnyAttr())

    lhs = operand_def(T)
    rhs = operand_def(T)
    fastmath = opt_prop_def(FastMathFlagsAttr, default_value=FastMathFlagsAttr("none"))
    result = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
