"""Columns of numbers made small: what was just used is near, and what is new comes next."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def fold(values: Array) -> Array:
    """Signed int64 values as uint64, small ones small: the sign goes to bit 0."""
    return ((values << 1) ^ (values >> 63)).astype("<u8")


def unfold(folded: Array) -> Array:
    """The inverse of `fold`."""
    unsigned = folded.astype(np.uint64)
    return (unsigned >> np.uint64(1)).astype(np.int64) ^ -(unsigned & np.uint64(1)).astype(np.int64)


def narrow(values: Array) -> Array:
    """Values that are not negative, in the narrowest unsigned type that holds them all."""
    most = int(values.max()) if len(values) else 0
    return values.astype(next(kind for kind in ("<u1", "<u2", "<u4", "<u8") if most <= np.iinfo(kind).max))


def pack_references(ids: Array) -> Array:
    """Identifiers that are numbered roughly in the order of first use, as folded distances to the next new one.

    `ids` is an int64 array below 2**31; the result is a uint64 array. `unpack_references` is the inverse.
    """
    if not len(ids):
        return ids.astype("<u8")
    following = np.concatenate(([-1], np.maximum.accumulate(ids)[:-1])) + 1
    return fold(following - ids)


def unpack_references(packed: Array) -> Array:
    """The int64 identifiers of `pack_references`; an impossible distance gives one that is out of range."""
    distances = unfold(packed)
    # An identifier at or past the next new one moves that behind itself: the running sum of these steps is `following`.
    steps = np.where(distances <= 0, 1 - distances, 0)
    return np.cumsum(steps) - steps - distances


def pack_deltas(values: Array) -> Array:
    """The folded differences of int64 values from one to the next; they may wrap around."""
    return fold(np.diff(values, prepend=np.int64(0)))


def unpack_deltas(packed: Array) -> Array:
    """The int64 values of `pack_deltas`."""
    return np.cumsum(unfold(packed))
