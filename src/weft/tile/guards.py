"""Which threads run a piece of a kernel: what a condition over thread indices says.

A guard is exact for `index < n`, `index >= n`, `index == n` and their conjunctions over one of the thread's indices; every
other condition that differs between threads is *unknown*, and then no group of threads is sure to be complete.
"""

from __future__ import annotations

from dataclasses import dataclass

UNIFORM, PER_WARP, PER_THREAD = 0, 1, 2
"""How a value varies inside a block: not at all, from warp to warp, from thread to thread."""


@dataclass(frozen=True, slots=True)
class Guard:
    """What a condition leaves active.

    `varies` says between which threads the condition can differ; `ranges` gives, for a thread index (``laneid``, ``warpid``,
    ``tx``), the half-open interval that is left, where the condition says nothing else.
    """

    varies: int
    ranges: tuple[tuple[str, int, int], ...] | None = None

    def __and__(self, other: Guard) -> Guard:
        """Both conditions."""
        varies = max(self.varies, other.varies)
        if self.varies == UNIFORM:
            return other
        if other.varies == UNIFORM:
            return self
        if self.ranges is None or other.ranges is None:
            return Guard(varies)
        merged = {axis: (low, high) for axis, low, high in self.ranges}
        for axis, low, high in other.ranges:
            known = merged.get(axis)
            merged[axis] = (max(low, known[0]), min(high, known[1])) if known else (low, high)
        return Guard(varies, tuple((axis, low, high) for axis, (low, high) in merged.items()))

    def negated(self) -> Guard:
        """The other branch."""
        return Guard(self.varies, None)


EVERYONE = Guard(UNIFORM, ())
"""No condition."""


def compared(axis: str, extent: int, predicate: str, bound: int, varies: int) -> Guard:
    """The guard of `index predicate bound`, where the index runs over [0, extent)."""
    low, high = {
        "lt": (0, bound),
        "le": (0, bound + 1),
        "gt": (bound + 1, extent),
        "ge": (bound, extent),
        "eq": (bound, bound + 1),
    }.get(predicate, (0, -1))
    if high < 0:
        return Guard(varies)
    return Guard(varies, ((axis, max(low, 0), min(high, extent)),))
