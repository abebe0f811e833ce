"""What one block of attention does, whatever the target."""

from __future__ import annotations

from typing import Any

from weft.dataclass import dataclass
from weft.tile import DType, Scalar, cdiv, maximum, minimum

ROWS = 128
"""Queries of a block."""
OUT = 64
"""Columns that are stored at a time."""
LOWEST = -1.0e30
"""What keys score that are not seen: below all others, and a number when it is scaled."""


@dataclass
class Attended:
    """`ROWS` queries of a sequence from `first` on, of M, and the N keys that they see: rows from `start` and from
    `before` on of the tensors; heads of `head`, `step` keys at a time.
    """

    M: Any
    N: Any
    first: Any
    start: Any
    before: Any
    scale: Scalar
    kind: DType
    head: int
    step: int
    causal: bool

    @property
    def behind(self) -> Any:
        """How many more keys there are than queries: the last query sees the last key."""
        return self.N - self.M

    @property
    def steps(self) -> Any:
        """Tiles of keys, one at least."""
        last = minimum(self.N, self.first + ROWS + self.behind) if self.causal else self.N
        return maximum(cdiv(maximum(last, 0), self.step), 1)
