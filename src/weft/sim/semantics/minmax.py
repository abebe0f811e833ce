"""`min`, `max`, `abs`, `neg`, `copysign`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.isa.form import Slots
from weft.isa.types import TYPES
from weft.sim.abstract import asarray
from weft.sim.lanes import Array
from weft.sim.semantics import Compute, alu
from weft.sim.types import DTYPES
from weft.sim.values import CANONICAL_NAN, element_type, elementwise, flush, narrow, widen


def _extremum(larger: bool) -> Callable[[Slots], Compute]:
    operation: Any = np.maximum if larger else np.minimum

    def build(slots: Slots) -> Compute:
        """`d = min(a, b)` or `d = max(a, b)`, of three floats with a third source."""
        type_ = slots["type"]
        element = element_type(type_)
        if TYPES[element].kind in "us":
            if not slots.get("relu"):
                return operation if element == type_ else elementwise(type_, operation)

            def positive(a: Array, b: Array) -> Array:
                return np.maximum(operation(a, b), 0)

            return elementwise(type_, positive)
        return elementwise(type_, _float_extremum(slots, element, larger))

    return build


def _float_extremum(slots: Slots, element: str, larger: bool) -> Compute:
    """Of a NaN and a number the number, or with `.NaN` the canonical NaN; -0 is less than +0."""
    ftz, nan, absolute, xorsign = (bool(slots.get(flag)) for flag in ("ftz", "NaN", "abs", "xorsign"))

    def two(a: Array, b: Array) -> Array:
        sign = np.signbit(a) ^ np.signbit(b)
        if absolute:
            a, b = np.abs(a), np.abs(b)
        less = (a < b) | ((a == b) & np.signbit(a) & ~np.signbit(b))
        result = np.where(less != larger, a, b)
        if not nan:
            result = np.where(np.isnan(a), b, np.where(np.isnan(b), a, result))
        if xorsign:
            result = np.where(sign, -np.abs(result), np.abs(result))
        return np.where(np.isnan(a) | np.isnan(b), np.nan, result).astype(a.dtype) if nan else result

    def run(*sources: Array) -> Array:
        values = [asarray(widen(flush(s) if ftz else s, element)) for s in sources]
        result = two(values[0], values[1])
        for more in values[2:]:
            result = two(result, more)
        narrowed = narrow(result, element)
        if element == "f64":
            narrowed = np.where(np.isnan(narrowed), CANONICAL_NAN["f64"], narrowed)
        return narrowed

    return run


alu("min")(_extremum(False))
alu("max")(_extremum(True))

_SIGN = {"f16": 0x8000, "bf16": 0x8000, "f32": 0x8000_0000, "f64": 0x8000_0000_0000_0000}


def _on_sign(slots: Slots, integer: Any, bits: Callable[[Array, Any], Array]) -> Compute:
    """An operation on the sign: of integers, or of the sign bit of floats."""
    type_ = slots["type"]
    element = element_type(type_)
    if TYPES[element].kind in "us":
        return elementwise(type_, integer)
    dtype = DTYPES[element]
    word = np.dtype(f"u{dtype.itemsize}")
    mask = word.type(_SIGN[element])
    ftz = bool(slots.get("ftz"))

    def run(a: Array) -> Array:
        source = flush(a) if ftz else a
        return bits(asarray(source).view(word), mask).view(dtype)

    return elementwise(type_, run)


@alu("abs")
def abs_(slots: Slots) -> Compute:
    """`d = |a|`."""
    return _on_sign(slots, np.abs, lambda bits, sign: bits & ~sign)


@alu("neg")
def neg(slots: Slots) -> Compute:
    """`d = -a`."""
    return _on_sign(slots, np.negative, lambda bits, sign: bits ^ sign)


@alu("copysign")
def copysign(slots: Slots) -> Compute:
    """The magnitude of `b` with the sign of `a`."""
    return lambda a, b: np.copysign(b, a)
