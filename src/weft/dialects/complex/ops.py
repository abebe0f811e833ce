"""The operation of `complex` that is a row (`weft.dialects.engine.rows`): xDSL does not have it."""

from __future__ import annotations

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import AnyFloat, ComplexType, IntegerType
from xdsl.irdl import VarConstraint

from weft.dialects.engine.operations import Table
from weft.dialects.kinds import is_signless
from weft.dialects.verification import Described, Such

ROWS = """
powi lhs:complex rhs:integer -> result:complex | fastmath?:fastmath |
    $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result) `,` type($rhs) |
    pure | | a complex number to the power of an integer
"""


def _has_floats(kind: ComplexType) -> bool:
    return isinstance(kind.element_type, AnyFloat)


TABLE = Table(
    "complex",
    ROWS,
    {
        "complex": VarConstraint(
            "T", Described(Such(ComplexType, _has_floats), "complex type with floating-point elements")
        ),
        "integer": Described(Such(IntegerType, is_signless), "signless integer"),
    },
    {"fastmath": FastMathFlagsAttr},
)
