"""The signatures of `math`: what upstream's verifier accepts, and what it says of the rest."""

from __future__ import annotations

from weft.dialects.signature import (
    BOOL_LIKE,
    FLOAT_LIKE,
    INTEGER_LIKE,
    Signature,
    bit_of_each,
    elementwise,
    same_shape,
    same_type,
    same_types,
)

_FLOAT_UNARY = (
    "absf acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 floor log log10 log1p log2 round "
    "roundeven rsqrt sin sinh sqrt tan tanh trunc"
)


SIGNATURES: dict[str, Signature] = {
    **{f"math.{name}": Signature((FLOAT_LIKE,), (FLOAT_LIKE,), (same_type,)) for name in _FLOAT_UNARY.split()},
    **{
        f"math.{name}": Signature((FLOAT_LIKE,) * 2, (FLOAT_LIKE,), (same_type,))
        for name in ("atan2", "copysign", "powf")
    },
    **{f"math.{name}": Signature((FLOAT_LIKE,) * 3, (FLOAT_LIKE,), (same_type,)) for name in ("fma", "clampf")},
    **{
        f"math.{name}": Signature((INTEGER_LIKE,), (INTEGER_LIKE,), (same_type,))
        for name in ("absi", "ctlz", "ctpop", "cttz")
    },
    **{
        f"math.{name}": Signature((FLOAT_LIKE,), (BOOL_LIKE,), (bit_of_each,))
        for name in ("isfinite", "isinf", "isnan", "isnormal")
    },
    "math.ipowi": Signature((INTEGER_LIKE,) * 2, (INTEGER_LIKE,), (same_type,)),
    "math.fpowi": Signature(
        (FLOAT_LIKE, INTEGER_LIKE), (FLOAT_LIKE,), (same_shape, same_types("lhs, result", 0, 2), elementwise)
    ),
    "math.sincos": Signature((FLOAT_LIKE,), (FLOAT_LIKE,) * 2, (same_types("operand, sin, cos", 0, 1, 2),)),
}
