"""What one block of attention does, whatever the target."""

from __future__ import annotations

from typing import Any

from weft.dataclass import dataclass
from weft.tile import DType, Scalar, Tensor, cdiv, maximum, minimum

ROWS = 128
"""Queries of a block."""
OUT = 64
"""Columns that are stored at a time."""
LOWEST = -1.0e30
"""What keys score that are not seen: below all others, and a number when it is scaled."""
UNSEEN = -LOWEST
"""The logarithm of the sum of a query that there is not: its weights are zero."""


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
    def seeing(self) -> tuple[Any, Any]:
        """Of keys from `first` on: tiles of queries that see none of them, and tiles behind those, one at least."""
        skipped = maximum(self.first - self.behind, 0) // self.step if self.causal else 0
        return skipped, maximum(cdiv(self.M, self.step) - skipped, 1)

    @property
    def steps(self) -> Any:
        """Tiles of keys, one at least."""
        last = minimum(self.N, self.first + ROWS + self.behind) if self.causal else self.N
        return maximum(cdiv(maximum(last, 0), self.step), 1)


@dataclass
class Heads:
    """What belongs to the queries of a head: a row of D each, or (L, delta) a number."""

    Q: Tensor
    L: Tensor
    dy: Tensor
    delta: Tensor

    def rows(self, start: Any, stop: Any) -> Heads:
        """Those of one sequence."""
        return Heads(*(x.rows(start, stop) for x in (self.Q, self.L, self.dy, self.delta)))
