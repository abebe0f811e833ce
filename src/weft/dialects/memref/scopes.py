"""`memref.alloca_scope` and its terminator in MLIR's syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import memref
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.operations import op_class
from weft.dialects.formats import parse_results
from weft.dialects.scf.edges import check_edge, terminate

if TYPE_CHECKING:
    from xdsl.ir import Operation
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from weft.dialects.rows import memref as rows


def verify_scope(op: rows.AllocaScopeOp) -> None:
    """What the region returns are the results."""
    if len(op.scope.blocks) != 1:
        raise VerifyException("region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks")
    for block in op.scope.blocks:
        if isinstance(block.last_op, memref.AllocaScopeReturnOp):
            check_edge(block.last_op, block.last_op.operands, "parent", op.result_types)


def parse_scope(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `memref.alloca_scope -> (T) { ... }`."""
    types = parse_results(parser)
    region = parser.parse_region()
    terminate(region, op_class("memref.alloca_scope.return"))
    return cls.create(result_types=types, regions=[region], attributes=parser.parse_optional_attr_dict())


def print_scope(op: rows.AllocaScopeOp, printer: Printer) -> None:
    """Print what `parse_scope` parses."""
    if op.results:
        printer.print_string(" -> (")
        printer.print_list(op.result_types, printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(op.scope, print_block_terminators=bool(op.results))
    printer.print_op_attributes(op.attributes)
