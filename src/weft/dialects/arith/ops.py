"""The operations of `arith` (`weft.dialects.engine.rows` says what is in a row).

xDSL's classes of some hold scalars only, or lack flags and rounding modes. Their rows derive from them, so that xDSL's
passes know them; comparisons have a folding of their own, for xDSL's makes one bit of whatever is compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.builtin import I32, I64, DenseIntOrFPElementsAttr, DenseResourceAttr, FloatAttr, IntegerAttr
from xdsl.irdl import AnyAttr, AnyOf, VarConstraint, base
from xdsl.traits import HasCanonicalizationPatternsTrait

from weft.dialects.arith.directives import Compared, PropertyWord, Selected
from weft.dialects.engine.operations import Table
from weft.dialects.sparse_elements import SparseElementsAttr

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

ROWS = """
addf, divf, maximumf, maxnumf, minimumf, minnumf, mulf, subf lhs:float rhs:float -> result:float | fastmath=none | xdsl
    |
    same | | a sum, quotient, maximum, minimum, product or difference of floats
addi, muli, shli, subi INTEGERS | overflowFlags:overflow=none | xdsl | same | |
    a sum, product, shift or difference of integers
addui_extended lhs:integer rhs:integer -> sum:integer overflow:bool | | xdsl | sum elementwise overflow | |
    the sum of unsigned integers, and whether it has a bit more
andi, ceildivsi, ceildivui, floordivsi, maxsi, maxui, minsi, minui, ori, remsi, xori INTEGERS | | xdsl |
    same | | two integers combined
remui INTEGERS | | xdsl | no_effect same | | two integers combined
bitcast input:plain -> result:plain | | xdsl | dims as_wide elementwise | | the same bits as another type
cmpf lhs:float=same rhs:float=same -> result:bool | predicate:float_predicate fastmath=none |
    custom<PropertyWord>($predicate) `,` $lhs `,` $rhs FAST attr-dict `:`
    custom<Compared>(type($lhs), type($rhs), type($result)) |
    xdsl.CmpfOp pure same_operands bits | | a comparison of floats
cmpi lhs:integer=same rhs:integer=same -> result:bool | predicate:integer_predicate |
    custom<PropertyWord>($predicate) `,` $lhs `,` $rhs attr-dict `:`
    custom<Compared>(type($lhs), type($rhs), type($result)) |
    xdsl.CmpiOp pure self_comparison same_operands bits | | a comparison of integers
constant -> result:any | value:typed | syntax(constant.constant) | xdsl.ConstantOp constant | | a constant
divsi EXACT | xdsl.DivSIOp same | | the signed quotient, rounded towards zero
divui EXACT | xdsl.DivUIOp same | | the unsigned quotient
extf input:float -> result:float | fastmath?:fastmath | $input FAST TYPES | xdsl.ExtFOp dims wider elementwise | | a
    float widened
extsi input:fixed -> result:fixed | | $input TYPES | xdsl.ExtSIOp no_effect dims wider elementwise | | an integer
    widened by its sign
extui input:fixed -> result:fixed | | $input TYPES | xdsl.ExtUIOp pure dims wider elementwise | | an integer widened
    by zeros
fptosi input:float -> result:fixed | | $input TYPES | xdsl.FPToSIOp dims elementwise | | a float as a signed integer
fptoui input:float -> result:fixed | | $input TYPES | xdsl.FPToUIOp dims elementwise | | a float as an unsigned integer
index_cast input:cast -> result:cast | | $input TYPES | xdsl.IndexCastOp dims index elementwise | | between `index`
    and signed integers
index_castui input:cast -> result:cast | | $input TYPES | pure dims index elementwise | | between `index` and unsigned
    integers
mulsi_extended, mului_extended lhs:integer rhs:integer -> low:integer high:integer | | xdsl | products | |
    the product of integers in two halves
negf operand:float -> result:float | fastmath=none | xdsl | same | | the negation of a float
remf lhs:float=same rhs:float=same -> result:float=same | fastmath=none |
    $lhs `,` $rhs FAST attr-dict `:` type($result) |
    pure same | | the remainder of the division, with the sign of `lhs`
scaling_extf input:float scale:float -> out:float | fastmath?:fastmath |
    $input `,` $scale FAST attr-dict `:` type($input) `,` type($scale) `to` type($out) |
    pure elementwise scaled_up | | floats widened and multiplied by their scales
scaling_truncf input:float scale:float -> out:float | roundingmode?:rounding fastmath?:fastmath |
    $input `,` $scale custom<PropertyWord>($roundingmode) FAST attr-dict `:` type($input) `,` type($scale) `to`
    type($out) |
    pure elementwise scaled_down | | floats divided by their scales and narrowed
select cond:bool lhs:any=same rhs:any=same -> result:any=same | |
    $cond `,` $lhs `,` $rhs attr-dict `:` custom<Selected>(type($cond), type($lhs)) |
    xdsl.SelectOp selected condition | | one of two values by a bit, or by a bit for each element
shrsi EXACT | xdsl.ShRSIOp same | | shift right, filled with the sign
shrui EXACT | xdsl.ShRUIOp same | | shift right, filled with zeros
sitofp input:fixed -> result:float | | $input TYPES | xdsl.SIToFPOp dims elementwise | | a signed integer as a float
truncf input:float -> result:float | roundingmode?:rounding fastmath?:fastmath |
    $input custom<PropertyWord>($roundingmode) FAST TYPES | xdsl.TruncFOp dims narrower elementwise | | a float narrowed
trunci input:fixed -> result:fixed | overflowFlags:overflow=none |
    $input (`overflow` `` $overflowFlags^)? TYPES | xdsl.TruncIOp dims narrower elementwise | | an integer narrowed
uitofp input:fixed -> result:float | | $input TYPES | xdsl.UIToFPOp dims elementwise | | an unsigned integer as a float
"""
_PARTS = {
    "EXACT": "lhs:integer=same rhs:integer=same -> result:integer=same | isExact? | "
    "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
    "INTEGERS": "lhs:integer rhs:integer -> result:integer",
    "FAST": "(`fastmath` `` $fastmath^)?",
    "TYPES": "attr-dict `:` type($input) `to` type($result)",
}
"""What the words in capitals stand for."""


_VALUES = (IntegerAttr, FloatAttr, DenseIntOrFPElementsAttr, DenseResourceAttr, SparseElementsAttr)


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
    {
        "fastmath": FastMathFlagsAttr,
        "overflow": IntegerOverflowAttr,
        **dict.fromkeys(("float_predicate", "integer_predicate"), IntegerAttr[I64]),
        "rounding": IntegerAttr[I32],
        "typed": AnyOf(tuple(base(kind) for kind in _VALUES)),
    },
    (Compared, PropertyWord, Selected),
    {"self_comparison": SelfComparison()},
    _PARTS,
    "arith",
)
