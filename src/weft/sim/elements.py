"""Matrix elements: the codes that registers and memory hold, their values as doubles, and the way back.

Products of elements of up to 16 bits are exact in doubles; sums are taken in doubles and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from weft.isa.types import TYPES
from weft.sim.abstract import contiguous
from weft.sim.lanes import Array
from weft.sim.semantics.convert import round_to
from weft.sim.types import DTYPES, WORDS
from weft.sim.values import small_dtype, widen

SMALL_BITS = {"e3m2": 6, "e2m3": 6, "e2m1": 4}
"""Bits of the float formats that are narrower than a byte."""

_IN_BYTE = {"e2m1": 2}
"""Where a narrow element starts in the byte that holds it: a 4-bit float in bits 2 to 5, a 6-bit one in bits 0 to 5."""

_ONE_THREAD = 1 << 18
"""Terms of a product that OpenBLAS computes in one thread."""


@cache
def values_of(type_: str) -> Array | None:
    """The double of every code of a type of at most 16 bits, None for wider ones."""
    bits = SMALL_BITS.get(type_, TYPES[type_].bits)
    if bits > 16:
        return None
    codes = np.arange(1 << bits, dtype=np.uint32)
    if type_ in ("f16", "bf16"):
        words = codes.astype(np.uint16)
        return widen(words.view(np.float16) if type_ == "f16" else words, type_).astype(np.float64)
    if TYPES[type_].kind in "us":
        values = codes.astype(np.float64)
        return np.where((TYPES[type_].kind == "s") & (values >= 1 << (bits - 1)), values - (1 << bits), values)
    if type_ == "b1":
        return codes.astype(np.float64)
    if type_ == "ue4m3":  # e4m3 without the sign, whose bit is ignored.
        codes, type_ = codes & np.uint32(0x7F), "e4m3"
    return codes.astype(np.uint8).view(small_dtype(type_)).astype(np.float64)


def elements_of(words: Array, bits: int) -> Array:
    """The codes of the elements, `bits` apart, that words or bytes hold: along the last axis of both."""
    if bits >= 8:
        return np.ascontiguousarray(words).view(WORDS[bits])
    shifts = np.arange(0, 8 * words.itemsize, bits, dtype=words.dtype)
    apart = (words[..., None] >> shifts) & words.dtype.type((1 << bits) - 1)
    return apart.reshape(*words.shape[:-1], -1)


def decode(elements: Array, type_: str) -> Array:
    """Codes of elements as doubles; narrow floats in bytes are taken from the middle of them."""
    if type_ == "f16":
        return elements.view(np.float16).astype(np.float32).astype(np.float64)  # Faster than in one step.
    if type_ == "bf16":
        return (elements.astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    if TYPES[type_].kind in "us" and TYPES[type_].bits == 8 * elements.itemsize:
        return elements.view(DTYPES[type_]).astype(np.float64)
    table = values_of(type_)
    if table is not None:
        if type_ in _IN_BYTE and elements.dtype == np.uint8:
            elements = elements >> elements.dtype.type(_IN_BYTE[type_])
        narrow = len(table) < 1 << 8 * elements.itemsize
        return np.take(table, elements & elements.dtype.type(len(table) - 1) if narrow else elements)
    if type_ == "tf32":  # The low 13 bits are not part of the value.
        return (elements & np.uint32(0xFFFF_E000)).view(np.float32).astype(np.float64)
    return elements.view(DTYPES[type_]).astype(np.float64)


def _integers(clamp: bool) -> Callable[[Array], Array]:
    def finish(exact: Array) -> Array:
        whole = exact.astype(np.int64)
        if clamp:
            whole = np.clip(whole, -(1 << 31), (1 << 31) - 1)
        return whole.astype(np.uint32)

    return finish


def finisher(dtype: str, clamp: bool) -> Callable[[Array], Array]:
    """What rounds exact sums to words of the type of D."""
    if dtype == "s32":
        return _integers(clamp)
    word = WORDS[TYPES[dtype].bits]
    return lambda exact: contiguous(round_to(exact, dtype, "rn")).view(word)


def product(a: Array, b: Array) -> Array:
    """Batches of matrices multiplied, in parts of rows for which OpenBLAS starts no threads.

    On cores that are busy its threads wait for each other a hundred times as long as they multiply.
    """
    parts, rows = 1, a.shape[-2]
    while rows % 2 == 0 and rows * a.shape[-1] * b.shape[-1] > _ONE_THREAD:
        parts, rows = 2 * parts, rows // 2
    if parts == 1:
        return a @ b
    out = a.reshape(*a.shape[:-2], parts, rows, a.shape[-1]) @ b[..., None, :, :]
    return out.reshape(*a.shape[:-1], b.shape[-1])
