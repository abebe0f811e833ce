"""What the rows of `nvgpu` say in words beyond those of the table: traits."""

from __future__ import annotations

from weft.dialects.definitions import Vocabulary
from weft.dialects.kinds import same_type

WORDS = Vocabulary(
    {},
    {},
    {
        "same": same_type,
    },
    of_table=True,
)
