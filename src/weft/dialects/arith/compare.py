"""Comparisons of vectors: xDSL's `arith.cmpi` and `arith.cmpf` give one bit whatever they compare."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar, cast

from xdsl.dialects import arith
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import I64, IntegerAttr, TensorType, UnrankedTensorType, VectorType, i1, i64
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

from weft.dialects.arith.predicates import FLOAT_PREDICATES, INTEGER_PREDICATES
from weft.dialects.formats import operation_place
from weft.dialects.signature import FLOAT_LIKE, INTEGER_LIKE, Kind, is_shaped


def _bits(kind: Attribute) -> Attribute:
    """A bit for each element of a type."""
    if isinstance(kind, VectorType):
        vector = cast("VectorType[Attribute]", kind)
        return VectorType(i1, vector.get_shape(), vector.scalable_dims)
    if isinstance(kind, TensorType):
        tensor = cast("TensorType[Attribute]", kind)
        return TensorType(i1, tensor.get_shape(), tensor.encoding)
    return UnrankedTensorType(i1) if isinstance(kind, UnrankedTensorType) else i1


class CompareOperation(IRDLOperation, ABC):
    """`arith.cmpX predicate, %lhs, %rhs : T`, with a vector of bits as the result when `T` is a vector."""

    PREDICATES: ClassVar[tuple[str, ...]]
    KIND: ClassVar[Kind]
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
        properties: dict[str, Attribute] = {"predicate": cls._parse_predicate(parser)}
        parser.parse_punctuation(",")
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        if parser.parse_optional_keyword("fastmath"):
            properties["fastmath"] = FastMathFlagsAttr(FastMathFlagsAttr.parse_parameter(parser))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        compared = parser.parse_type()
        operands = parser.resolve_operands(names, (compared, compared), position)
        if not cls.KIND.holds(compared):
            start = operation_place(parser)
            message = f"custom op '{cls.name}' 'lhs' must be {cls.KIND.summary}, but got '{compared}'"
            parser.raise_error(message, start, start)
        scalar = not is_shaped(compared)
        created = cls.SCALAR if scalar else cls
        if scalar and cls.SCALAR is arith.CmpfOp:
            properties.setdefault("fastmath", FastMathFlagsAttr("none"))
        result = _bits(compared)
        return created.create(operands=operands, result_types=[result], properties=properties, attributes=attributes)

    @classmethod
    def _parse_predicate(cls, parser: Parser) -> IntegerAttr[I64]:
        """A predicate, bare or in quotes."""
        position = parser.pos
        word = parser.parse_optional_identifier() or parser.parse_optional_str_literal()
        if word not in cls.PREDICATES:
            parser.raise_error(
                f"custom op '{cls.name}' expected string or keyword containing one of the following enum values for "
                f"attribute 'predicate' [{', '.join(cls.PREDICATES)}]",
                position,
                parser.pos,
            )
        return IntegerAttr(cls.PREDICATES.index(word), i64)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        print_comparison(self, printer)


def print_comparison(op: CompareOperation | arith.CmpiOp | arith.CmpfOp, printer: Printer) -> None:
    """Print what is after the name of a comparison, of one of xDSL's classes too."""
    predicates = INTEGER_PREDICATES if op.name == "arith.cmpi" else FLOAT_PREDICATES
    printer.print_string(f" {predicates[op.predicate.value.data]}, ")
    printer.print_list((op.lhs, op.rhs), printer.print_ssa_value)
    fastmath = op.properties.get("fastmath")
    if isinstance(fastmath, FastMathFlagsAttr) and fastmath.data:
        printer.print_string(" fastmath")
        fastmath.print_parameter(printer)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.lhs.type)


@irdl_op_definition
class CmpIOp(CompareOperation):
    """`arith.cmpi`."""

    name = "arith.cmpi"
    PREDICATES: ClassVar[tuple[str, ...]] = INTEGER_PREDICATES
    KIND: ClassVar[Kind] = INTEGER_LIKE
    SCALAR: ClassVar[type[Operation]] = arith.CmpiOp


@irdl_op_definition
class CmpFOp(CompareOperation):
    """`arith.cmpf`."""

    name = "arith.cmpf"
    PREDICATES: ClassVar[tuple[str, ...]] = FLOAT_PREDICATES
    KIND: ClassVar[Kind] = FLOAT_LIKE
    SCALAR: ClassVar[type[Operation]] = arith.CmpfOp
