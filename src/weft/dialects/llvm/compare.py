"""`llvm.icmp`, of pointers too, and `llvm.fcmp`, of vectors too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I1, IntegerAttr, IntegerType, SignlessIntegerConstraint, VectorType, i1, i64
from xdsl.dialects.llvm import FastMathAttr, FCmpPredicateFlag, ICmpPredicateFlag, LLVMPointerType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
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

from weft.dialects import narrow
from weft.dialects.llvm.kinds import is_compatible

_NO_FLAGS = FastMathAttr("none")


def _parse(
    parser: Parser, words: Sequence[str]
) -> tuple[Sequence[SSAValue], Attribute, IntegerAttr, dict[str, Attribute]]:
    """Parse `"predicate" %a, %b {...} : T`: operands, the type of the result, predicate and other attributes."""
    subject = getattr(parser, "_subject", "")
    place = parser.pos
    word = parser.parse_optional_str_literal()
    if word is None:
        parser.raise_error("expected attribute value")
    if word not in words:
        parser.raise_error(f"{subject}'{word}' is an incorrect value of the 'predicate' attribute", place)
    names = [parser.parse_unresolved_operand()]
    parser.parse_punctuation(",")
    names.append(parser.parse_unresolved_operand())
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    place = parser.pos
    kind = parser.parse_type()
    if not is_compatible(kind):
        parser.raise_error(f"{subject}expected LLVM dialect-compatible type", place, place)
    vector = narrow.vector(kind)
    result: Attribute = i1 if vector is None else VectorType(i1, vector.get_shape(), vector.scalable_dims)
    operands = parser.resolve_operands(names, [kind, kind], place)
    return operands, result, IntegerAttr(words.index(word), i64), attributes


_ELEMENT = SignlessIntegerConstraint | base(LLVMPointerType)


@irdl_op_definition
class ICmpOp(IRDLOperation):
    """`llvm.icmp "slt" %a, %b : T`: an i1, or a vector of them, for integers and pointers."""

    name = "llvm.icmp"

    T: ClassVar = VarConstraint("T", _ELEMENT | VectorType.constr(_ELEMENT))

    lhs = operand_def(T)
    rhs = operand_def(T)
    predicate = prop_def(IntegerAttr[IntegerType])
    res = result_def(I1 | VectorType[I1])

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ICmpOp:
        """Parse everything after the operation's name."""
        operands, result, predicate, attributes = _parse(parser, [flag.value for flag in ICmpPredicateFlag])
        return cls.create(
            operands=operands, result_types=[result], properties={"predicate": predicate}, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(f' "{list(ICmpPredicateFlag)[self.predicate.value.data]}" ')
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)


@irdl_op_definition
class FCmpOp(IRDLOperation):
    """`llvm.fcmp "olt" %a, %b : T`: an i1, or a vector of them."""

    name = "llvm.fcmp"

    lhs = operand_def()
    rhs = operand_def()
    predicate = prop_def(IntegerAttr[IntegerType])
    fastmath = opt_prop_def(FastMathAttr, prop_name="fastmathFlags", default_value=_NO_FLAGS)
    res = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> FCmpOp:
        """Parse everything after the operation's name."""
        operands, result, predicate, attributes = _parse(parser, [flag.value for flag in FCmpPredicateFlag])
        flags = attributes.pop("fastmathFlags", _NO_FLAGS)
        properties = {"predicate": predicate, "fastmathFlags": flags}
        return cls.create(operands=operands, result_types=[result], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(f' "{list(FCmpPredicateFlag)[self.predicate.value.data]}" ')
        printer.print_list(self.operands, printer.print_ssa_value)
        shown = {} if self.fastmath == _NO_FLAGS else {"fastmathFlags": self.fastmath}
        printer.print_op_attributes({**shown, **self.attributes})
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)
