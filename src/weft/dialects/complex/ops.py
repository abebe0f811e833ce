"""The operations of `complex` (`weft.dialects.engine.rows` says what is in a row)."""

from __future__ import annotations

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.irdl import AnyAttr, VarConstraint

from weft.dialects.engine.operations import Table

ROWS = """
abs, angle, im, re complex:complex -> result:float | fastmath=none | xdsl | part | |
    the absolute value, the angle or a part of a number
add, atan2, div, mul, pow, sub lhs:complex rhs:complex -> result:complex | fastmath=none | xdsl | same | |
    two numbers combined
bitcast operand:any -> result:any | | xdsl | bitcast | | the same bits as a complex number, or those of one
conj, cos, exp, expm1, log, log1p, neg, rsqrt, sign, sin, sqrt, tan, tanh complex:complex -> result:complex |
    fastmath=none | xdsl | same | | a function of a number
constant -> complex:complex | value:list | xdsl | parts | | a number
create real:float imaginary:float -> complex:complex | | xdsl | created | | the number with these parts
eq, neq lhs:complex rhs:complex -> result:i1 | | xdsl | same_operands | | a comparison
powi lhs:complex=same rhs:integer -> result:complex=same | fastmath?:fastmath |
    $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result) `,` type($rhs) |
    pure raised | | a complex number to the power of an integer
"""
TABLE = Table(
    "complex",
    ROWS,
    {"same": VarConstraint("T", AnyAttr())},
    {"fastmath": FastMathFlagsAttr},
    vocabulary="complex",
)
