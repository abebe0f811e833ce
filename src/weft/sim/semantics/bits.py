"""`clz`, `popc`, `brev`, `bfind`, `bfe`, `bfi`, `bmsk`, `szext`, `fns`: counting and moving bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.isa.form import Slots
from weft.isa.types import TYPES
from weft.sim.abstract import asarray, primitive
from weft.sim.lanes import Array
from weft.sim.semantics import Compute, alu
from weft.sim.types import DTYPES

_MASKS = ((1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0F0F_0F0F_0F0F_0F0F))


def _u64(a: Any) -> Array:
    return asarray(a).astype(np.uint64)


@primitive
def count_ones(a: Array) -> Array:
    """The number of one bits of each word."""
    x = _u64(a)
    for shift, mask in _MASKS[:2]:
        x = (x & np.uint64(mask)) + ((x >> np.uint64(shift)) & np.uint64(mask))
    x = (x + (x >> np.uint64(4))) & np.uint64(_MASKS[2][1])
    return ((x * np.uint64(0x0101_0101_0101_0101)) >> np.uint64(56)).astype(np.uint32)


def _smear(x: Array) -> Array:
    """All bits below the highest one set as well."""
    for shift in (1, 2, 4, 8, 16, 32):
        x = x | (x >> np.uint64(shift))
    return x


@alu("popc")
def popc(slots: Slots) -> Compute:
    """The number of one bits."""
    return count_ones


@alu("clz")
def clz(slots: Slots) -> Compute:
    """The number of leading zeros."""
    bits = np.uint32(TYPES[slots["type"]].bits)
    return lambda a: bits - count_ones(_smear(_u64(a)))


@alu("brev")
def brev(slots: Slots) -> Compute:
    """The bits in reverse order."""
    bits, dtype = TYPES[slots["type"]].bits, DTYPES[slots["type"]]

    def run(a: Array) -> Array:
        x = _u64(a)
        for shift, mask in _MASKS:
            x = ((x >> np.uint64(shift)) & np.uint64(mask)) | ((x & np.uint64(mask)) << np.uint64(shift))
        return (x.byteswap() >> np.uint64(64 - bits)).astype(dtype)

    return run


@alu("bfind")
def bfind(slots: Slots) -> Compute:
    """The position of the highest bit that is not a sign bit; all ones when there is none."""
    bits, signed = TYPES[slots["type"]].bits, TYPES[slots["type"]].kind == "s"
    mask = np.uint64((1 << bits) - 1)

    def run(a: Array) -> Array:
        x = _u64(np.where(np.less(a, 0), ~asarray(a), a) if signed else a) & mask
        place = count_ones(_smear(x)) - np.uint32(1)
        if slots["shiftamt"]:
            return np.where(x == 0, np.uint32(0xFFFF_FFFF), np.uint32(bits - 1) - place)
        return place

    return run


def _ones(count: Array) -> Array:
    """Words with the low `count` bits set (count at most 64)."""
    return np.where(count >= np.uint64(64), ~np.uint64(0), (np.uint64(1) << (count & np.uint64(63))) - np.uint64(1))


@alu("bfe")
def bfe(slots: Slots) -> Compute:
    """The field of `c` bits at `b`, extended with zeros, or with the field's (or the word's) top bit."""
    type_ = slots["type"]
    bits, signed = TYPES[type_].bits, TYPES[type_].kind == "s"
    word = np.dtype(f"u{bits // 8}")

    def run(a: Array, b: Any, c: Any) -> Array:
        x = _u64(asarray(a).view(word) if signed else a)
        start, length = _u64(b) & np.uint64(255), _u64(c) & np.uint64(255)
        shifted = np.where(start >= np.uint64(bits), np.uint64(0), x >> (start & np.uint64(63)))
        field = shifted & _ones(np.minimum(length, np.uint64(64)))
        if signed:
            top = np.minimum(start + length - np.uint64(1), np.uint64(bits - 1))
            negative = ((x >> (top & np.uint64(63))) & np.uint64(1)) != 0
            reach = np.where(start >= np.uint64(bits), np.uint64(0), np.minimum(length, np.uint64(bits) - start))
            field = np.where(negative & (length != 0), field | ~_ones(reach), field)
        return field.astype(word).view(DTYPES[type_])

    return run


@alu("bfi")
def bfi(slots: Slots) -> Compute:
    """`b` with the low `len` bits of `a` at bit `c`."""
    bits, dtype = TYPES[slots["type"]].bits, DTYPES[slots["type"]]

    def run(a: Array, b: Array, c: Any, length: Any) -> Array:
        start = np.minimum(_u64(c) & np.uint64(255), np.uint64(bits))
        count = np.minimum(_u64(length) & np.uint64(255), np.uint64(bits) - start)
        inside = np.where(start >= np.uint64(64), np.uint64(0), _ones(count) << (start & np.uint64(63)))
        moved = np.where(start >= np.uint64(64), np.uint64(0), _u64(a) << (start & np.uint64(63)))
        return ((_u64(b) & ~inside) | (moved & inside)).astype(dtype)

    return run


@alu("bmsk")
def bmsk(slots: Slots) -> Compute:
    """`b` ones from bit `a` on."""
    wrap = slots["mode"] == "wrap"

    def run(a: Any, b: Any) -> Array:
        start, count = _u64(a), _u64(b)
        if wrap:
            start, count = start & np.uint64(31), count & np.uint64(31)
        else:
            start, count = np.minimum(start, np.uint64(32)), np.minimum(count, np.uint64(32))
        return ((_ones(count) << start) & np.uint64(0xFFFF_FFFF)).astype(np.uint32)

    return run


@alu("szext")
def szext(slots: Slots) -> Compute:
    """The low `b` bits of `a`, extended."""
    wrap, signed, dtype = slots["mode"] == "wrap", slots["type"] == "s32", DTYPES[slots["type"]]

    def run(a: Array, b: Any) -> Array:
        count = _u64(b) & np.uint64(31) if wrap else np.minimum(_u64(b), np.uint64(32))
        field = _u64(asarray(a).view(np.uint32)) & _ones(count)
        if signed:
            top = np.where(count == 0, np.uint64(0), (field >> (count - np.uint64(1) & np.uint64(63))) & np.uint64(1))
            field = np.where(top != 0, field | ~_ones(count), field)
        return field.astype(np.uint32).view(dtype)

    return run


@alu("fns")
def fns(slots: Slots) -> Compute:
    """The position of the n-th one of a mask from a base, upwards or downwards; all ones if there is none."""

    def run(mask: Any, base: Any, offset: Any) -> Array:
        words, start, n = np.broadcast_arrays(
            asarray(mask, np.uint32), asarray(base, np.uint32), asarray(offset).astype(np.uint32).view(np.int32)
        )
        found = np.full(words.shape, 0xFFFF_FFFF, np.uint32)
        left = np.where(n == 0, 1, np.abs(n.astype(np.int64)))
        for step in range(32):
            place = start.astype(np.int64) + np.where(n < 0, -step, step)
            valid = (place >= 0) & (place < 32) & ((n != 0) | (step == 0))
            one = valid & (((words >> (place & 31).astype(np.uint32)) & np.uint32(1)) != 0)
            left = left - one
            found = np.where(one & (left == 0), place.astype(np.uint32), found)
        return found

    return run
