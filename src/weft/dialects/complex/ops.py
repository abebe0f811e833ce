"""The operation of `complex` that is a row (`weft.dialects.engine.rows`): xDSL does not have it."""

from __future__ import annotations

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import ComplexType, IntegerType
from xdsl.irdl import VarConstraint, base

from weft.dialects.engine.operations import Table
from weft.dialects.verification import Described

ROWS = """
powi lhs:complex rhs:integer -> result:complex | fastmath?:fastmath |
    $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result) `,` type($rhs) |
    pure | | a complex number to the power of an integer
"""
TABLE = Table(
    "complex",
    ROWS,
    {
        "complex": VarConstraint("T", Described(base(ComplexType), "complex type with floating-point elements")),
        "integer": Described(base(IntegerType), "signless-integer-like"),
    },
    {"fastmath": FastMathFlagsAttr},
)
