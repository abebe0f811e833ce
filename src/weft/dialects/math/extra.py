"""`math.clampf`, `erfc` and `sincos`, and the questions what kind of number one is."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import AnyFloat, TensorType, UnrankedTensorType, VectorType, i1
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from weft.dialects.formats import operation_place
from weft.dialects.signature import element, is_shaped, shape

_NO_FLAGS = FastMathFlagsAttr("none")


@irdl_op_definition
class ClampFOp(IRDLOperation):
    """`math.clampf %value to [%min, %max] : T`: the value, or the bound that it lies outside."""

    name = "math.clampf"

    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(T)
    min = operand_def(T)
    max = operand_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)
    result = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"


@irdl_op_definition
class ErfcOp(IRDLOperation):
    """`math.erfc %x : T`: the complementary error function."""

    name = "math.erfc"

    T: ClassVar = VarConstraint("T", AnyAttr())

    operand = operand_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)
    result = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"


@irdl_op_definition
class SinCosOp(IRDLOperation):
    """`%s, %c = math.sincos %x : T`."""

    name = "math.sincos"

    T: ClassVar = VarConstraint("T", AnyAttr())

    operand = operand_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)
    sin = result_def(T)
    cos = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)"


def _bits(kind: Attribute) -> Attribute:
    """A bit for each element of a type."""
    if not is_shaped(kind):
        return i1
    extents = shape(kind)
    if extents is None:
        return UnrankedTensorType(i1)
    return VectorType(i1, extents) if isinstance(kind, VectorType) else TensorType(i1, extents)


class QuestionOperation(IRDLOperation, ABC):
    """`math.isX %x : T`: a bit, or a vector of bits where the operand is one."""

    operand = operand_def()
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)
    result = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> QuestionOperation:
        """Parse everything after the operation's name."""
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        if not isinstance(element(kind), AnyFloat):
            start = operation_place(parser)
            message = f"'operand' must be floating-point-like, but got '{kind}'"
            parser.raise_error(f"custom op '{cls.name}' {message}", start, start)
        operands = [parser.resolve_operand(operand, kind)]
        properties = {"fastmath": attributes.pop("fastmath", _NO_FLAGS)}
        return cls.create(operands=operands, result_types=[_bits(kind)], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        flags = {} if self.fastmath == _NO_FLAGS else {"fastmath": self.fastmath}
        printer.print_op_attributes({**self.attributes, **flags})
        printer.print_string(" : ")
        printer.print_attribute(self.operand.type)


@irdl_op_definition
class IsFiniteOp(QuestionOperation):
    """`math.isfinite`: neither infinite nor NaN."""

    name = "math.isfinite"


@irdl_op_definition
class IsInfOp(QuestionOperation):
    """`math.isinf`: infinite."""

    name = "math.isinf"


@irdl_op_definition
class IsNaNOp(QuestionOperation):
    """`math.isnan`: not a number."""

    name = "math.isnan"


@irdl_op_definition
class IsNormalOp(QuestionOperation):
    """`math.isnormal`: neither zero, subnormal, infinite nor NaN."""

    name = "math.isnormal"
