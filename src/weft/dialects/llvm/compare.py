"""`llvm.icmp`, of pointers too."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I1, IntegerAttr, IntegerType, SignlessIntegerConstraint, VectorType, i1, i64
from xdsl.dialects.llvm import ICmpPredicateFlag, LLVMPointerType
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from weft.dialects import narrow

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
        position = parser.pos
        word = parser.parse_str_literal()
        words = [flag.value for flag in ICmpPredicateFlag]
        if word not in words:
            parser.raise_error(
                f"custom op 'llvm.icmp' '{word}' is an incorrect value of the 'predicate' attribute", position
            )
        names = [parser.parse_unresolved_operand()]
        parser.parse_punctuation(",")
        names.append(parser.parse_unresolved_operand())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        vector = narrow.vector(type_)
        result: Attribute = i1 if vector is None else VectorType(i1, vector.get_shape())
        return cls.create(
            operands=parser.resolve_operands(names, [type_, type_], position),
            result_types=[result],
            properties={"predicate": IntegerAttr(words.index(word), i64)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(f' "{list(ICmpPredicateFlag)[self.predicate.value.data]}" ')
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)
