"""The definitions of `math` (see `weft.dialects.definitions`), beside what the classes say of properties."""

from __future__ import annotations

from weft.dialects.definitions import Vocabulary, of_types
from weft.dialects.kinds import (
    BOOL_LIKE,
    FLOAT_LIKE,
    INTEGER_LIKE,
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

WORDS = Vocabulary(
    {"bool": BOOL_LIKE, "float": FLOAT_LIKE, "integer": INTEGER_LIKE},
    {},
    {
        "base": same_types("lhs, result", 0, 2),
        "bits": bit_of_each,
        "both": same_types("operand, sin, cos", 0, 1, 2),
        "elementwise": elementwise,
        "same": same_type,
        "shape": same_shape,
    },
)
_OF_TYPES = {
    **dict.fromkeys(_FLOAT_UNARY.split(), "float -> float | same"),
    **dict.fromkeys(("atan2", "copysign", "powf"), "float float -> float | same"),
    **dict.fromkeys(("fma", "clampf"), "float float float -> float | same"),
    **dict.fromkeys(("absi", "ctlz", "ctpop", "cttz"), "integer -> integer | same"),
    **dict.fromkeys(("isfinite", "isinf", "isnan", "isnormal"), "float -> bool | bits"),
    "ipowi": "integer integer -> integer | same",
    "fpowi": "float integer -> float | shape base elementwise",
    "sincos": "float -> float float | both",
}
LINES = of_types("math", _OF_TYPES)
