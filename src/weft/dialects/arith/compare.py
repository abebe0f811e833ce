"""Comparisons of vectors: xDSL's `arith.cmpi` and `arith.cmpf` give one bit whatever they compare."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects import arith
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import I64, IntegerAttr, VectorType, i1, i64
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

from weft.dialects import narrow
from weft.dialects.arith.predicates import FLOAT_PREDICATES, INTEGER_PREDICATES


class CompareOperation(IRDLOperation, ABC):
    """`arith.cmpX predicate, %lhs, %rhs : T`, with a vector of bits as the result when `T` is a vector."""

    PREDICATES: ClassVar[tuple[str, ...]]
    SCALAR: ClassVar[type[Operation]]

    T: ClassVar = VarConstraint("T", AnyAttr())

    lhs = operand_def(T)
    rhs = operand_def(T)
    predicate = prop_def(IntegerAttr[I64])
    fastmath = opt_prop_def(FastMathFlagsAttr)
    result = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Operation:
        """Parse everything after the operation's name; as xDSL's class when the operands are scalars."""
        position = parser.pos
        predicate = parser.parse_identifier()
        if predicate not in cls.PREDICATES:
            parser.raise_error(f"expected one of {', '.join(cls.PREDICATES)}", position, parser.pos)
        parser.parse_punctuation(",")
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        properties: dict[str, Attribute] = {"predicate": IntegerAttr(cls.PREDICATES.index(predicate), i64)}
        if parser.parse_optional_keyword("fastmath"):
            properties["fastmath"] = FastMathFlagsAttr(FastMathFlagsAttr.parse_parameter(parser))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        compared = parser.parse_type()
        operands = parser.resolve_operands(names, (compared, compared), position)
        vector = narrow.vector(compared)
        created = cls if vector is not None else cls.SCALAR
        if vector is None and cls.SCALAR is arith.CmpfOp:
            properties.setdefault("fastmath", FastMathFlagsAttr("none"))
        result = VectorType(i1, vector.get_shape()) if vector is not None else i1
        return created.create(operands=operands, result_types=[result], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(f" {self.PREDICATES[self.predicate.value.data]}, ")
        printer.print_list((self.lhs, self.rhs), printer.print_ssa_value)
        if self.fastmath is not None and self.fastmath != FastMathFlagsAttr("none"):
            printer.print_string(" fastmath")
            self.fastmath.print_parameter(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)


@irdl_op_definition
class CmpIOp(CompareOperation):
    """`arith.cmpi`."""

    name = "arith.cmpi"
    PREDICATES: ClassVar[tuple[str, ...]] = INTEGER_PREDICATES
    SCALAR: ClassVar[type[Operation]] = arith.CmpiOp


@irdl_op_definition
class CmpFOp(CompareOperation):
    """`arith.cmpf`."""

    name = "arith.cmpf"
    PREDICATES: ClassVar[tuple[str, ...]] = FLOAT_PREDICATES
    SCALAR: ClassVar[type[Operation]] = arith.CmpfOp
