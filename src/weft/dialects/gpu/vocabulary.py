"""What the rows of `gpu` say in words beyond those of the table: traits."""

from __future__ import annotations

from weft.dialects import traits
from weft.dialects.definitions import Vocabulary
from weft.dialects.kinds import same_types

WORDS = Vocabulary(
    {},
    {},
    {
        "accumulated": same_types("opC, res", 2, 3),
        "broadcast": same_types("result, src", 0, -1),
        "rotated": same_types("value, rotateResult", 0, 1),
        "shuffled": same_types("value, shuffleResult", 0, 3),
        "symbol": traits.symbol,
        "terminator": traits.terminator,
    },
    of_table=True,
)
