"""`cvt` to and from packed 8-, 6- and 4-bit formats, and with stochastic rounding.

With a scale, the sources of a conversion to a narrow format are divided by it, and the results of one from a narrow
format multiplied.  Of four random bytes, or two halves, each element has the one at its own place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.isa.form import Slots
from weft.sim.abstract import asarray, contiguous
from weft.sim.lanes import Array
from weft.sim.narrow import FORMATS, UNSIGNED, Format
from weft.sim.values import Compute, split, widen

_RANDOM_BITS = {"f16": 13, "bf16": 16}
"""Bits below the last one of the format in f32, which stochastic rounding fills."""


def element_of(type_: str) -> str:
    """The element type of a packed narrow type, an empty string for any other type."""
    element = type_[:-2] if type_.endswith(("x2", "x4")) else ""
    return element if element in FORMATS else ""


def _clamped(slots: Slots) -> Callable[[Array], Array]:
    """`.relu` on doubles."""
    if not slots.get("relu"):
        return lambda x: x
    return lambda x: np.where(np.isnan(x), x, np.where(x > 0, x, 0.0))


def _scales(codes: Any) -> Array:
    """Scale codes as elements, lowest first: one for both, or one each."""
    words = np.atleast_1d(codes)
    return FORMATS["ue8m0"].decode(contiguous(words).view(np.uint8).reshape(len(words), -1))


def to_narrow(slots: Slots) -> Compute:
    """Two values into the bytes (or nibbles) of a word, the first one, or the upper half, above."""
    name, atype, mode = element_of(slots["type"]), slots["atype"], slots["rnd"] or "rn"
    format_ = FORMATS[name]
    finite = bool(slots.get("satfinite"))
    scaled, clamp = bool(slots.get("scaled")), _clamped(slots)
    minus_zero = format_.sign if slots.get("pzo") and isinstance(format_, Format) else 0

    def run(a: Array, *rest: Array) -> Array:
        if atype == "f32":
            low, high = np.broadcast_arrays(*(np.atleast_1d(asarray(x, np.float64)) for x in (rest[0], a)))
            values, rest = np.stack([low, high], axis=1), rest[1:]
        else:
            values = widen(split(a, atype), atype[:-2]).astype(np.float64)
        if scaled:
            values = values / _scales(rest[0])
        values = clamp(np.abs(values) if name in UNSIGNED else values)
        codes = format_.encode(values, mode, finite)
        if minus_zero:
            codes = np.where(codes == minus_zero, np.uint8(0), codes)
        return _pack(codes, format_.bits)

    return run


def _pack(codes: Array, bits: int) -> Array:
    """Rows of codes as words, the first one in the low bits."""
    shifts = bits * np.arange(codes.shape[1], dtype=np.uint32)
    words = np.bitwise_or.reduce(codes.astype(np.uint32) << shifts, axis=1)
    return words.astype({8: np.uint8, 16: np.uint16, 32: np.uint32}[bits * codes.shape[1]])


def from_narrow(slots: Slots, finish: Callable[[Array], Array]) -> Compute:
    """Both elements into the halves of a register; `finish` rounds doubles to the words of the halves."""
    name, scaled = element_of(slots["atype"]), bool(slots.get("scaled"))
    format_ = FORMATS[name]
    clamp = _clamped(slots)

    def run(a: Array, scale: Any = None) -> Array:
        words = np.atleast_1d(a).astype(np.uint32)
        mask = np.uint32((1 << format_.bits) - 1)
        values = format_.decode(np.stack([words & mask, (words >> np.uint32(format_.bits)) & mask], axis=1))
        if scaled:
            values = values * _scales(scale)
        halves = finish(clamp(values))
        return contiguous(halves).view(np.uint32).reshape(-1)

    return run


def stochastic(slots: Slots, top: Callable[[Array], Array]) -> Compute:
    """`.rs`: the bits that are dropped and random ones are added, and what carries rounds the magnitude up.

    `top` rounds doubles that the format has, or that are too large for it, to words of halves.
    """
    element, clamp = slots["type"][:-2], _clamped(slots)
    format_ = FORMATS.get(element)

    def narrow(*sources: Array) -> Array:
        assert format_ is not None
        *elements, bits = np.broadcast_arrays(*(np.atleast_1d(source) for source in sources))
        values = np.stack(elements[::-1], axis=1).astype(np.float64)
        random = contiguous(bits, np.uint32).view(np.uint8).reshape(values.shape)
        return _pack(format_.encode(clamp(values), "rs", True, (random, 8)), format_.bits)

    def halves(a: Array, b: Array, rbits: Array) -> Array:
        high, low, bits = np.broadcast_arrays(*(np.atleast_1d(source) for source in (a, b, rbits)))
        x = np.stack([low, high], axis=1).astype(np.float64)
        count = _RANDOM_BITS[element]
        random = contiguous(bits, np.uint32).view(np.uint16).reshape(-1, 2) & np.uint16((1 << count) - 1)
        words = top(clamp(_to_grid(x, element, random, count)))
        return contiguous(words).view(np.uint32).reshape(-1)

    return halves if format_ is None else narrow


def _to_grid(x: Array, element: str, random: Array, count: int) -> Array:
    """Doubles rounded stochastically to multiples of the last bit that `f16` or `bf16` has there."""
    mantissa, least = (10, -14) if element == "f16" else (7, -126)
    finite = np.where(np.isfinite(x), x, 0.0)
    unit = np.maximum(np.frexp(finite)[1] - 1, least) - mantissa
    scaled = np.abs(np.ldexp(finite, -unit))
    down = np.floor(scaled)
    up = np.floor((scaled - down) * 2.0**count) + random >= 2.0**count
    return np.where(np.isfinite(x), np.copysign(np.ldexp(down + up, unit), x), x)
