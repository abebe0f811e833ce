"""`cf.cond_br`, with weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.printer import Printer

from weft.dialects.destinations import parse_conditional as parse_cond_br
from weft.dialects.destinations import print_conditional

if TYPE_CHECKING:
    from weft.dialects.rows import cf

__all__ = ["parse_cond_br", "print_cond_br"]


def print_cond_br(op: cf.CondBrOp, printer: Printer) -> None:
    """Print what `parse_cond_br` parses."""
    print_conditional(op, printer)
    printer.print_op_attributes(op.attributes)
