"""`memref.alloca_scope` and its terminator in MLIR's syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import memref
from xdsl.utils.exceptions import VerifyException

from weft.dialects.formats import parse_results, print_typed
from weft.dialects.redefinition import redefinition
from weft.dialects.scf.edges import check_edge, terminate

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer


@redefinition()
class AllocaScopeOp(memref.AllocaScopeOp):
    """`memref.alloca_scope -> (T) { ... }`: what `memref.alloca` takes inside is given back at the end."""

    name = "memref.alloca_scope"

    def verify_(self) -> None:
        """What the region returns are the results."""
        if len(self.scope.blocks) != 1:
            raise VerifyException("region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks")
        for block in self.scope.blocks:
            if isinstance(block.last_op, memref.AllocaScopeReturnOp):
                check_edge(block.last_op, block.last_op.operands, "parent", self.result_types)

    @classmethod
    def parse(cls, parser: Parser) -> AllocaScopeOp:
        """Parse everything after the operation's name."""
        types = parse_results(parser)
        region = parser.parse_region()
        terminate(region, AllocaScopeReturnOp)
        return cls.create(result_types=types, regions=[region], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        if self.results:
            printer.print_string(" -> (")
            printer.print_list(self.result_types, printer.print_attribute)
            printer.print_string(")")
        printer.print_string(" ")
        printer.print_region(self.scope, print_block_terminators=bool(self.results))
        printer.print_op_attributes(self.attributes)


@redefinition()
class AllocaScopeReturnOp(memref.AllocaScopeReturnOp):
    """`memref.alloca_scope.return %x : T`."""

    name = "memref.alloca_scope.return"

    def verify_(self) -> None:
        """The scope around it checks what it returns."""

    @classmethod
    def parse(cls, parser: Parser) -> AllocaScopeReturnOp:
        """Parse everything after the operation's name."""
        attributes = parser.parse_optional_attr_dict()
        none = parser.Delimiter.NONE
        names = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        if not names:
            return cls.create(attributes=attributes)
        parser.parse_punctuation(":")
        place = parser.pos
        types = parser.parse_comma_separated_list(none, parser.parse_type)
        return cls.create(operands=parser.resolve_operands(names, types, place), attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_op_attributes(self.attributes)
        if self.operands:
            printer.print_string(" ")
            print_typed(printer, self.operands)
