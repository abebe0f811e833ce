"""`cvt`, `cvt.pack`: conversions between numeric types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.isa.form import Slots
from weft.isa.types import TYPES
from weft.sim.abstract import asarray, contiguous
from weft.sim.lanes import Array
from weft.sim.rounding import directed, odd_sum, to_f32
from weft.sim.semantics import Compute, alu
from weft.sim.semantics.convert_narrow import element_of, from_narrow, stochastic, to_narrow
from weft.sim.types import DTYPES
from weft.sim.values import Call, canonical, f32_to_bf16, flush, odd_f32, saturate, widen

_WHOLE: dict[str, Any] = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}


@alu("cvt")
def cvt(slots: Slots) -> Compute:
    """`d = convert(a)`."""
    type_, atype = slots["type"], slots["atype"]
    if slots["rnd"] == "rs":
        return stochastic(slots, _halves(slots))
    if type_ == "tf32":
        return _to_tf32(slots)
    if element_of(type_):
        return to_narrow(slots)
    if element_of(atype):
        return from_narrow(slots, _halves(slots))
    if type_ in ("f16x2", "bf16x2") and atype == "f32":
        return _pair(slots)
    return _scalar(slots)


def _scalar(slots: Slots) -> Compute:
    type_, atype = slots["type"], slots["atype"]
    to_float, from_float = _is_float(type_), _is_float(atype)
    if not from_float:
        return _from_integer(slots) if to_float else _between_integers(slots)
    prepare = _prepare(atype, bool(slots.get("ftz")))
    if not to_float:
        whole = _WHOLE[slots["rnd"]]
        return lambda a: _to_integer(whole(asarray(prepare(a), np.float64)), type_, atype)
    return _between_floats(slots, prepare)


def _is_float(type_: str) -> bool:
    return TYPES[type_].kind == "f" or type_ == "bf16"


def _prepare(atype: str, ftz: bool) -> Callable[[Any], Array]:
    """The source as f32 or f64 values."""
    if ftz and atype == "f32":
        return lambda a: flush(asarray(a))
    return lambda a: widen(asarray(a), atype)


# -- integers -------------------------------------------------------------------------------------------------


def _between_integers(slots: Slots) -> Compute:
    dtype, source = DTYPES[slots["type"]], DTYPES[slots["atype"]]
    if not slots.get("sat"):
        return lambda a: asarray(a).astype(dtype)
    to, of = np.iinfo(dtype), np.iinfo(source)
    low, high = max(to.min, of.min), min(to.max, of.max)
    return lambda a: np.clip(asarray(a), source.type(low), source.type(high)).astype(dtype)


def _to_integer(whole: Array, type_: str, atype: str) -> Array:
    """Integral doubles clamped to an integer type; NaN gives 0, or the top bit where 64 bits are involved."""
    dtype = DTYPES[type_]
    limits = np.iinfo(dtype)
    nan = np.isnan(whole)
    high = float(limits.max)
    big = whole >= (high if high < 2.0**53 else float(limits.max + 1))
    small = whole <= float(limits.min)
    safe = np.where(nan | big | small, 0.0, whole)
    result = safe.astype(dtype)
    result = np.where(big, dtype.type(limits.max), np.where(small, dtype.type(limits.min), result))
    top = dtype.type(limits.min) if limits.min else dtype.type(1 << (8 * dtype.itemsize - 1))
    wide = atype == "f64" or dtype.itemsize == 8
    return np.where(nan, top if wide else dtype.type(0), result)


def _from_integer(slots: Slots) -> Compute:
    type_, mode, ftz, sat = slots["type"], slots["rnd"], slots.get("ftz"), slots.get("sat")
    shift = np.int64(32)

    def narrow(a: Array) -> Array:
        # Up to 32 bits are exact in a double, and rounded once.
        return _finish(round_to(asarray(a).astype(np.float64), type_, mode), type_, bool(ftz), bool(sat))

    if DTYPES[slots["atype"]].itemsize < 8:
        return narrow

    def run(a: Array) -> Array:
        x = asarray(a)
        high, low = (x.astype(np.uint64) >> np.uint64(32)), x.astype(np.uint64) & np.uint64(0xFFFF_FFFF)
        top = (x.astype(np.int64) >> shift).astype(np.float64) if x.dtype.kind == "i" else high.astype(np.float64)
        if type_ == "f64":
            result = _f64_from(x, top * 2.0**32, low.astype(np.float64), mode)
        else:
            result = round_to(odd_sum(top * 2.0**32, low.astype(np.float64)), type_, mode)
        return _finish(result, type_, bool(ftz), bool(sat))

    return run


def _f64_from(x: Array, high: Array, low: Array, mode: str) -> Array:
    near = x.astype(np.float64)
    if mode == "rn":
        return near
    error = (high - near) + low
    return directed(near, near, near + np.sign(error) * np.abs(np.spacing(near)), mode)


# -- floats ---------------------------------------------------------------------------------------------------


def round_to(x: Array, type_: str, mode: str) -> Array:
    """Doubles (exact or rounded to odd) rounded once to elements of `f16`, `bf16`, `f32`, or kept as `f64`."""
    mode = mode if mode in ("rz", "rm", "rp") else "rn"
    if type_ == "f64":
        return x
    if type_ == "f32":
        return canonical(to_f32(x, mode), "f32")
    if type_ == "bf16":
        return _to_bf16(odd_f32(asarray(x, np.float64)), mode)
    near = x.astype(np.float16)
    if mode != "rn":
        near = directed(near, near.astype(np.float64), x, mode)
    return canonical(near, "f16")


def _to_bf16(x: Array, mode: str) -> Array:
    """f32 values as bf16 words in a rounding mode."""
    if mode == "rn":
        return f32_to_bf16(x)
    bits = contiguous(x, np.float32).view(np.uint32)
    negative = (bits >> np.uint32(31)) != 0
    away = {"rz": np.zeros_like(negative), "rm": negative, "rp": ~negative}[mode]
    inexact = ((bits & np.uint32(0xFFFF)) != 0) & away
    word = ((bits >> np.uint32(16)) + inexact).astype(np.uint16)
    return np.where(np.isnan(x), np.uint16(0x7FFF), word)


def _finish(result: Array, type_: str, ftz: bool, sat: bool) -> Array:
    if ftz and type_ == "f32":
        result = flush(result)
    if not sat:
        return result
    return round_to(asarray(saturate(asarray(widen(result, type_))), np.float64), type_, "rn")


def _between_floats(slots: Slots, prepare: Callable[[Any], Array]) -> Compute:
    type_, mode, ftz, sat = slots["type"], slots["rnd"], bool(slots.get("ftz")), bool(slots.get("sat"))
    whole = _WHOLE.get(mode)
    positive, finite, pzo = bool(slots.get("relu")), bool(slots.get("satfinite")), bool(slots.get("pzo"))

    def run(a: Array) -> Array:
        x = asarray(prepare(a), np.float64)
        if whole is not None:
            x = whole(x)
        if positive:
            x = np.where(np.isnan(x), x, np.maximum(x, 0.0))
        if finite:
            x = _clip_finite(x, type_)
        result = _finish(round_to(x, type_, mode), type_, ftz, sat)
        return _without_minus_zero(result) if pzo else result

    return run


def _without_minus_zero(x: Array) -> Array:
    """f16 values, or words of bf16 or tf32, with plus zero in place of minus zero."""
    minus = np.float16(-0.0) if x.dtype.kind == "f" else x.dtype.type(1 << (8 * x.dtype.itemsize - 1))
    return np.where(x == minus, x.dtype.type(0), x)


def _clip_finite(x: Array, type_: str) -> Array:
    limit = 65504.0 if type_.startswith("f16") else 3.3895313892515355e38
    return np.clip(x, -limit, limit)


def _pair(slots: Slots) -> Compute:
    """Two singles into the halves of a register, the first one into the upper half."""
    element = slots["type"][:-2]
    one: Call = _between_floats({**slots, "type": element}, lambda a: asarray(a))
    word = np.uint16

    def run(a: Array, b: Array) -> Array:
        high, low = (asarray(one(x)).view(word).astype(np.uint32) for x in (a, b))
        return (high << np.uint32(16)) | low

    return run


def _to_tf32(slots: Slots) -> Compute:
    """f32 with 10 bits of mantissa; the low 13 bits are zero."""
    mode, positive, finite = slots["rnd"], bool(slots["relu"]), bool(slots["satfinite"])
    keep, pzo = np.uint32(0xFFFF_E000), bool(slots["pzo"])

    def run(a: Array) -> Array:
        x = np.maximum(a, np.float32(0)) if positive else asarray(a)
        bits = asarray(x).view(np.uint32)
        if mode == "rna":
            bits = bits + np.uint32(0x1000)
        elif mode == "rn":
            bits = bits + np.uint32(0x0FFF) + ((bits >> np.uint32(13)) & np.uint32(1))
        result = bits & keep
        special = ~np.isfinite(x)
        result = np.where(special, np.where(np.isnan(x), np.uint32(0x7FFF_FFFF), asarray(x).view(np.uint32)), result)
        if finite:
            top = np.uint32(0x7F7F_E000)
            over = (result & np.uint32(0x7FFF_FFFF)) == np.uint32(0x7F80_0000)
            result = np.where(over, (result & np.uint32(0x8000_0000)) | top, result)
        return _without_minus_zero(result) if pzo else result

    return run


def _halves(slots: Slots) -> Callable[[Array], Array]:
    """What rounds doubles to words of the halves of a packed type, clamped to finite ones where told."""
    element, finite = slots["type"][:-2], bool(slots.get("satfinite"))

    def finish(x: Array) -> Array:
        return asarray(round_to(_clip_finite(x, element) if finite else x, element, "rn")).view(np.uint16)

    return finish


# -- packed integers ------------------------------------------------------------------------------------------


@alu("cvt.pack")
def cvt_pack(slots: Slots) -> Compute:
    """Two integers, saturated, packed below older elements."""
    type_ = slots["type"]
    bits, signed = TYPES[type_].bits, TYPES[type_].kind == "s"
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    mask = np.uint32((1 << bits) - 1)

    def clamp(x: Array) -> Array:
        return np.clip(asarray(x, np.int64), low, high).astype(np.uint32) & mask

    def run(a: Array, b: Array, c: Any = None) -> Array:
        pair = (clamp(a) << np.uint32(bits)) | clamp(b)
        return pair if c is None else (asarray(c) << np.uint32(2 * bits)) | pair

    return run
