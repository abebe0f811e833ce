"""What the rows of `math` say in words: kinds of types, and traits between types."""

from __future__ import annotations

from weft.dialects.definitions import Vocabulary
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
    of_types=True,
)
