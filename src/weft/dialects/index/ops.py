"""The operations of `index`, but for `bool.constant`, as `weft.dialects.engine.rows` says.

`BINARY` stands for two operands, a result, and their format. Quotients are not to be computed where the program does
not, for the divisor may be zero.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.irdl import base

from weft.dialects.engine.operations import Table
from weft.dialects.verification import Described

ROWS = """
add BINARY | pure | | the sum
and BINARY | pure | | bitwise and
bool.constant -> result:i1 | value:bool | syntax(values.bool_constant) | constant pure | | a bit
casts input:castable -> output:castable | | $input attr-dict `:` type($input) `to` type($output) |
    pure values.cast | | the sign fills what is wider
castu input:castable -> output:castable | | $input attr-dict `:` type($input) `to` type($output) |
    pure values.cast | | zeros fill what is wider
ceildivs BINARY | no_effect | | the signed quotient, rounded up
ceildivu BINARY | no_effect | | the unsigned quotient, rounded up
cmp lhs:index rhs:index -> result:i1 | pred:cmp_predicate | `` $pred `(` $lhs `,` $rhs `)` attr-dict |
    pure | | a comparison
constant -> result:index | value:index | attr-dict $value | constant pure | | a number
divs BINARY | no_effect | | the signed quotient, rounded towards zero
divu BINARY | no_effect | | the unsigned quotient
floordivs BINARY | no_effect | | the signed quotient, rounded down
maxs BINARY | pure | | the larger, signed
maxu BINARY | pure | | the larger, unsigned
mins BINARY | pure | | the smaller, signed
minu BINARY | pure | | the smaller, unsigned
mul BINARY | pure | | the product
or BINARY | pure | | bitwise or
rems BINARY | pure | | the signed remainder, with the sign of the left operand
remu BINARY | pure | | the unsigned remainder
shl BINARY | pure | | shift left
shrs BINARY | pure | | shift right, filled with the sign
shru BINARY | pure | | shift right, filled with zeros
sizeof -> result:index | | | pure | | the bits of an `index`
sub BINARY | pure | | the difference
xor BINARY | pure | | bitwise exclusive or
"""

TABLE = Table(
    "index",
    ROWS,
    {"castable": Described(base(IntegerType) | base(IndexType), "integer or index")},
    {},
    parts={"BINARY": "lhs:index rhs:index -> result:index | | $lhs `,` $rhs attr-dict"},
)
