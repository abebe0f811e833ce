"""The operations of `math` (`weft.dialects.engine.rows` says what is in a row)."""

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
absf, acos, acosh, asin, asinh, atan, atanh, cbrt, ceil, cos, cosh, erf, exp, exp2, expm1, floor, log, log10, log1p,
    log2,
    round, roundeven, rsqrt, sin, sinh, sqrt, tan, tanh, trunc operand:float -> result:float | fastmath=none | xdsl |
    same | | a function of a float
absi, ctlz, ctpop, cttz operand:integer -> result:integer | | xdsl | same | | a function of an integer
atan2, copysign, powf lhs:float rhs:float -> result:float | fastmath=none | xdsl | same | |
    a function of two floats
clampf value:float=same min:float=same max:float=same -> result:float=same | fastmath=none |
    $value `to` ` ` `[` $min `,` $max `]` FAST attr-dict `:` type($result) | pure same | |
    the value, or the bound that it lies outside
erfc operand:float=same -> result:float=same | fastmath=none | $operand FAST attr-dict `:` type($result) | pure same
    | |
    the complementary error function
fma a:float b:float c:float -> result:float | fastmath=none | xdsl | same | | `a * b + c`, rounded once
fpowi lhs:float rhs:integer -> result:float | fastmath=none | xdsl | base shape elementwise | |
    a float to the power of an integer
ipowi lhs:integer rhs:integer -> result:integer | | xdsl | same | | an integer to the power of another
isfinite QUESTION | pure bits | | whether a number is neither infinite nor NaN
isinf QUESTION | pure bits | | whether a number is infinite
isnan QUESTION | pure bits | | whether something is not a number
isnormal QUESTION | pure bits | | whether a number is neither zero, subnormal, infinite nor NaN
sincos operand:float=same -> sin:float=same cos:float=same | fastmath=none | $operand FAST attr-dict `:` type($operand)
    | pure both | |
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
        "QUESTION": "operand:float -> result:bool | fastmath=none | "
        "$operand attr-dict `:` custom<Asked>(type($operand), type($result))",
    },
    vocabulary="math",
)
