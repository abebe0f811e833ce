"""Constants, casts and comparisons of `index`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, i1
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from weft.dialects.rows import index


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


def cast(op: index.CastsOp | index.CastuOp) -> None:
    """One side must be `index`, the other not."""
    if isinstance(op.input.type, IndexType) == isinstance(op.output.type, IndexType):
        raise VerifyException(
            f"operand type '{op.input.type}' and result type '{op.output.type}' are cast incompatible"
        )
