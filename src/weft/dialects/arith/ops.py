"""The operations of `arith` that are rows (`weft.dialects.engine.operations`); the others are xDSL's as they are.

xDSL's classes of these hold scalars only, or lack flags and rounding modes. The rows derive from them, so that xDSL's
passes know them; comparisons have a folding of their own, for xDSL's makes one bit of whatever is compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.irdl import AnyAttr, VarConstraint
from xdsl.traits import HasCanonicalizationPatternsTrait

from weft.dialects.arith.directives import Compared, PropertyWord, Selected
from weft.dialects.engine.operations import Table

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

ROWS = """
cmpf lhs:same rhs:same -> result:any | predicate:i64 fastmath=none |
    custom<PropertyWord>($predicate) `,` $lhs `,` $rhs FAST attr-dict `:`
    custom<Compared>(type($lhs), type($rhs), type($result)) |
    xdsl.CmpfOp pure | | a comparison of floats
cmpi lhs:same rhs:same -> result:any | predicate:i64 |
    custom<PropertyWord>($predicate) `,` $lhs `,` $rhs attr-dict `:`
    custom<Compared>(type($lhs), type($rhs), type($result)) |
    xdsl.CmpiOp pure self_comparison | | a comparison of integers
divsi EXACT | xdsl.DivSIOp | | the signed quotient, rounded towards zero
divui EXACT | xdsl.DivUIOp | | the unsigned quotient
extf CAST | fastmath?:fastmath | $input FAST TYPES | xdsl.ExtFOp | | a float widened
extsi CAST | | $input TYPES | xdsl.ExtSIOp pure | | an integer widened by its sign
extui CAST | | $input TYPES | xdsl.ExtUIOp pure | | an integer widened by zeros
fptosi CAST | | $input TYPES | xdsl.FPToSIOp | | a float as a signed integer
fptoui CAST | | $input TYPES | xdsl.FPToUIOp | | a float as an unsigned integer
index_cast CAST | | $input TYPES | xdsl.IndexCastOp | | between `index` and signed integers
index_castui CAST | | $input TYPES | pure | | between `index` and unsigned integers
remf lhs:same rhs:same -> result:same | fastmath=none |
    $lhs `,` $rhs FAST attr-dict `:` type($result) |
    pure | | the remainder of the division, with the sign of `lhs`
scaling_extf input:any scale:any -> out:any | fastmath?:fastmath |
    $input `,` $scale FAST attr-dict `:` type($input) `,` type($scale) `to` type($out) |
    pure | | floats widened and multiplied by their scales
scaling_truncf input:any scale:any -> out:any | roundingmode?:i32 fastmath?:fastmath |
    $input `,` $scale custom<PropertyWord>($roundingmode) FAST attr-dict `:` type($input) `,` type($scale) `to`
    type($out) |
    pure | | floats divided by their scales and narrowed
select cond:any lhs:same rhs:same -> result:same | |
    $cond `,` $lhs `,` $rhs attr-dict `:` custom<Selected>(type($cond), type($lhs)) |
    xdsl.SelectOp | | one of two values by a bit, or by a bit for each element
shrsi EXACT | xdsl.ShRSIOp | | shift right, filled with the sign
shrui EXACT | xdsl.ShRUIOp | | shift right, filled with zeros
sitofp CAST | | $input TYPES | xdsl.SIToFPOp | | a signed integer as a float
truncf CAST | roundingmode?:i32 fastmath?:fastmath |
    $input custom<PropertyWord>($roundingmode) FAST TYPES | xdsl.TruncFOp | | a float narrowed
trunci CAST | overflowFlags:overflow=none |
    $input (`overflow` `` $overflowFlags^)? TYPES | xdsl.TruncIOp | | an integer narrowed
uitofp CAST | | $input TYPES | xdsl.UIToFPOp | | an unsigned integer as a float
"""
_PARTS = {
    "CAST": "input:any -> result:any",
    "EXACT": "lhs:same rhs:same -> result:same | isExact? | "
    "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
    "FAST": "(`fastmath` `` $fastmath^)?",
    "TYPES": "attr-dict `:` type($input) `to` type($result)",
}
"""What the words in capitals stand for."""


class SelfComparison(HasCanonicalizationPatternsTrait):
    """An integer compared with itself is a constant."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """The only pattern."""
        from weft.dialects.arith.folding import ComparedWithItself  # Which compilations do without.

        return (ComparedWithItself(),)


TABLE = Table(
    "arith",
    ROWS,
    {"same": VarConstraint("T", AnyAttr())},
    {"fastmath": FastMathFlagsAttr, "overflow": IntegerOverflowAttr},
    (Compared, PropertyWord, Selected),
    {"self_comparison": SelfComparison()},
    _PARTS,
)
