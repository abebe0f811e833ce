"""`cf.cond_br`, with weights."""

from __future__ import annotations

from xdsl.dialects import cf
from xdsl.dialects.builtin import DenseArrayBase
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.destinations import parse_conditional, print_conditional
from weft.dialects.redefinition import redefinition


@redefinition(branch_weights=DenseArrayBase)
class ConditionalBranchOp(cf.ConditionalBranchOp):
    """`cf.cond_br %test weights([1, 2])?, ^then(%x : i32), ^else`."""

    name = "cf.cond_br"

    def verify_(self) -> None:
        """Nothing beyond the definition."""

    @classmethod
    def parse(cls, parser: Parser) -> ConditionalBranchOp:
        """Parse everything after the operation's name."""
        return parse_conditional(cls, parser)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        print_conditional(self, printer)
        printer.print_op_attributes(self.attributes)
