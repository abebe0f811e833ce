"""The operations of `math` that xDSL lacks, as rows (`weft.dialects.engine.operations`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import AnyFloat
from xdsl.irdl import AnyAttr, IRDLOperation, VarConstraint
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)

from weft.dialects.engine.operations import Table
from weft.dialects.formats import operation_place
from weft.dialects.kinds import bits, element

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

ROWS = """
clampf value:same min:same max:same -> result:same | fastmath=none |
    $value `to` ` ` `[` $min `,` $max `]` FAST attr-dict `:` type($result) | pure | |
    the value, or the bound that it lies outside
erfc operand:same -> result:same | fastmath=none | $operand FAST attr-dict `:` type($result) | pure | |
    the complementary error function
isfinite QUESTION | pure | | whether a number is neither infinite nor NaN
isinf QUESTION | pure | | whether a number is infinite
isnan QUESTION | pure | | whether something is not a number
isnormal QUESTION | pure | | whether a number is neither zero, subnormal, infinite nor NaN
sincos operand:same -> sin:same cos:same | fastmath=none | $operand FAST attr-dict `:` type($operand) | pure | |
    sine and cosine
"""


@irdl_custom_directive
class Asked(CustomDirective):
    """The type of a float that something is asked of; the result is a bit for each of its elements."""

    operand: TypeDirective
    result: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the type."""
        kind = parser.parse_type()
        if not isinstance(element(kind), AnyFloat):
            start = operation_place(parser)
            message = f"'operand' must be floating-point-like, but got '{kind}'"
            parser.raise_error(f"custom op '{state.op_type.name}' {message}", start, start)
        self.operand.set(state, (kind,))
        self.result.set(state, (bits(kind),))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the type."""
        self.operand.print(printer, state, op)


TABLE = Table(
    "math",
    ROWS,
    {"same": VarConstraint("T", AnyAttr())},
    {"fastmath": FastMathFlagsAttr},
    (Asked,),
    parts={
        "FAST": "(`fastmath` `` $fastmath^)?",
        "QUESTION": "operand:any -> result:any | fastmath=none | "
        "$operand attr-dict `:` custom<Asked>(type($operand), type($result))",
    },
)
