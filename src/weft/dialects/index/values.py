"""Constants, casts and comparisons of `index`."""

from __future__ import annotations

from abc import ABC
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, IntegerType, i1
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.attributes import attr_class
from weft.dialects.verification import Described

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """`index.constant 4`."""

    name = "index.constant"

    value = prop_def(IntegerAttr[IndexType])
    result = result_def(IndexType())

    traits = traits_def(ConstantLike(), Pure())
    assembly_format = "attr-dict $value"


@irdl_op_definition
class BoolConstantOp(IRDLOperation):
    """`index.bool.constant true`."""

    name = "index.bool.constant"

    value = prop_def(BoolAttr.constr(i1))
    result = result_def(i1)

    traits = traits_def(ConstantLike(), Pure())

    @classmethod
    def parse(cls, parser: Parser) -> BoolConstantOp:
        """Parse everything after the operation's name."""
        attributes = parser.parse_optional_attr_dict()
        value = IntegerAttr(parser.parse_integer(), i1)
        return cls.create(result_types=[i1], properties={"value": value}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_op_attributes(self.attributes)
        printer.print_string(" true" if self.value.value.data else " false")


@irdl_op_definition
class SizeOfOp(IRDLOperation):
    """`index.sizeof`: the bits of an `index`."""

    name = "index.sizeof"

    result = result_def(IndexType())

    traits = traits_def(Pure())
    assembly_format = "attr-dict"


_CASTABLE = Described(base(IntegerType) | base(IndexType), "integer or index")


class CastOperation(IRDLOperation, ABC):
    """`index.X %in : T to U`: between `index` and integers, one of the two each."""

    input = operand_def(_CASTABLE)
    output = result_def(_CASTABLE)

    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    def verify_(self) -> None:
        """One side must be `index`, the other not."""
        if isinstance(self.input.type, IndexType) == isinstance(self.output.type, IndexType):
            raise VerifyException(
                f"operand type '{self.input.type}' and result type '{self.output.type}' are cast incompatible"
            )


@irdl_op_definition
class CastSOp(CastOperation):
    """`index.casts`: the sign fills what is wider."""

    name = "index.casts"


@irdl_op_definition
class CastUOp(CastOperation):
    """`index.castu`: zeros fill what is wider."""

    name = "index.castu"


@irdl_op_definition
class CmpOp(IRDLOperation):
    """`index.cmp slt(%lhs, %rhs)`."""

    name = "index.cmp"

    pred = prop_def(attr_class("index.cmp_predicate"))
    lhs = operand_def(IndexType())
    rhs = operand_def(IndexType())
    result = result_def(i1)

    traits = traits_def(Pure())
    assembly_format = "`` $pred `(` $lhs `,` $rhs `)` attr-dict"
