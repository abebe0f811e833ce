"""Sets of lanes: the threads that execute one instruction together.

All threads of a batch of CTAs are numbered `lane = (warp * ctas + cta) * 32 + lane in warp`, so that one warp role over
all CTAs is one contiguous span.  A `Lanes` is a span of whole warps and, where not all of its lanes take part, a mask.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
WARP = 32


def any_of(mask: Array) -> bool:
    """Whether a mask of booleans marks anything: for few elements in a tenth of the time of `any`."""
    return 1 in mask.tobytes()


def all_of(mask: Array) -> bool:
    """Whether a mask of booleans marks all elements."""
    return 0 not in mask.tobytes()


class Lanes:
    """The lanes `lo` to `hi` (multiples of 32), all of them when `mask` is None, else those it marks.

    `mask` is a boolean array of `hi - lo` elements; `count` the number of lanes in the set.
    """

    __slots__ = ("_index", "_select", "count", "hi", "lo", "mask", "span")

    def __init__(self, lo: int, hi: int, mask: Array | None = None, count: int | None = None) -> None:
        self.lo = lo
        self.hi = hi
        self.span = lo, hi
        self.mask = mask
        self.count = count if count is not None else hi - lo if mask is None else int(np.count_nonzero(mask))
        self._index: Array | None = None
        self._select: slice | Array | None = None

    @staticmethod
    def where(mask: Array, lo: int, role: int) -> Lanes | None:
        """The lanes that `mask` marks over a span from `lo`, trimmed to steps of `role` lanes; None if none."""
        count = int(np.count_nonzero(mask))
        if count == 0:
            return None
        roles: Array = np.any(mask.reshape(-1, role), axis=1)
        first = int(roles.argmax())
        last = len(roles) - int(roles[::-1].argmax())
        trimmed = mask[first * role : last * role]
        start = lo + first * role
        return Lanes(start, start + len(trimmed), None if count == len(trimmed) else trimmed, count)

    @staticmethod
    def one(lane: int) -> Lanes:
        """A single lane."""
        mask = np.zeros(WARP, np.bool_)
        mask[lane % WARP] = True
        start = lane - lane % WARP
        return Lanes(start, start + WARP, mask, 1)

    @property
    def index(self) -> Array:
        """The lane numbers, ascending."""
        if self._index is None:
            if self.mask is None:
                self._index = np.arange(self.lo, self.hi)
            else:
                self._index = np.flatnonzero(self.mask) + self.lo
        return self._index

    @property
    def select(self) -> slice | Array:
        """What picks these lanes from a register: a slice, or lane numbers."""
        if self._select is None:
            self._select = slice(self.lo, self.hi) if self.mask is None else self.index
        return self._select

    @property
    def are_whole(self) -> bool:
        """Whether all lanes of a warp take part where some do."""
        if self.mask is None:
            return True
        here = self.mask.reshape(-1, WARP)
        return all_of(here.any(axis=1) == here.all(axis=1))

    def among(self, total: int) -> Array:
        """The set as a mask over all `total` lanes."""
        full = np.zeros(total, np.bool_)
        full[self.lo : self.hi] = True if self.mask is None else self.mask
        return full

    def spread(self, values: Array) -> Array:
        """Values of the set's lanes laid out over its span, with nothing in others."""
        if self.mask is None:
            return values
        wide = np.zeros(self.hi - self.lo, values.dtype)
        wide[self.mask] = values
        return wide

    def groups(self, values: Array, role: int) -> Iterator[tuple[int, Lanes]]:
        """The values that the set's lanes have, ascending, each with its lanes."""
        for value in np.unique(values).tolist():
            part = Lanes.where(self.spread(values == value), self.lo, role)
            assert part is not None
            yield value, part


def changes(values: Array) -> Array:
    """Where elements differ from those before them; the first does."""
    change = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=change[1:])
    return np.flatnonzero(change)


def span(lanes: Array) -> slice | Array:
    """What picks lanes, of which each is named once and the order does not matter: a slice where they lie together."""
    flat = lanes.reshape(-1)
    lo, hi = int(flat.min()), int(flat.max()) + 1
    return slice(lo, hi) if hi - lo == flat.size else flat


def union(a: Lanes, b: Lanes) -> Lanes:
    """The lanes of both sets."""
    lo, hi = min(a.lo, b.lo), max(a.hi, b.hi)
    mask = np.zeros(hi - lo, np.bool_)
    for part in (a, b):
        where = mask[part.lo - lo : part.hi - lo]
        if part.mask is None:
            where[:] = True
        else:
            where |= part.mask
    return Lanes(lo, hi, None if all_of(mask) else mask)


def numbers(lanes: Array | slice, count: int) -> Array:
    """The numbers of so many lanes."""
    if not isinstance(lanes, slice):
        return lanes
    start: int = lanes.start
    return np.arange(start, start + count)
