"""`div`, `rem`, `rcp`, `sqrt`, `rsqrt`.

The `.approx` and `.full` forms give the correctly rounded result (`rsqrt` within one unit), which is inside the bounds
of the manual.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from weft.isa.form import Slots
from weft.isa.types import TYPES
from weft.sim.abstract import asarray, contiguous
from weft.sim.float64 import quotient64, root64
from weft.sim.lanes import Array
from weft.sim.rounding import adjust, overflowed
from weft.sim.semantics import Compute, alu
from weft.sim.semantics.add import floating
from weft.sim.types import DTYPES

_EXACT_MODES = ("rz", "rm", "rp")


def _mode(slots: Slots) -> str:
    return slots["rnd"] if slots["rnd"] in _EXACT_MODES else "rn"


@alu("div")
def div(slots: Slots) -> Compute:
    """`d = a / b`; integer division truncates, and by zero gives all ones."""
    type_ = slots["type"]
    if TYPES[type_].kind in "us":
        return lambda a, b: truncated(a, b, type_)[0]
    return floating(slots, type_, _quotient(type_, _mode(slots)))


@alu("rem")
def rem(slots: Slots) -> Compute:
    """`d = a % b` with the sign of `a`; by zero gives `a`."""
    type_ = slots["type"]
    return lambda a, b: truncated(a, b, type_)[1]


def truncated(a: Array, b: Array, type_: str) -> tuple[Array, Array]:
    """Quotient (towards zero) and remainder of integers."""
    zero = np.equal(b, 0)
    divisor = np.where(zero, np.ones((), DTYPES[type_]), b)
    if TYPES[type_].kind == "u":
        quotient, remainder = np.divmod(a, divisor)
    else:
        quotient, remainder = np.divmod(a, divisor)
        wrong = (remainder != 0) & ((np.less(a, 0)) != (divisor < 0))
        quotient = quotient + wrong.astype(quotient.dtype)
        remainder = np.where(wrong, remainder - divisor, remainder)
    ones = np.array(-1).astype(DTYPES[type_])
    return np.where(zero, ones, quotient), np.where(zero, a, remainder)


def _quotient(type_: str, mode: str) -> Callable[[Array, Array], Array]:
    if mode == "rn":
        return np.divide

    if type_ == "f64":
        return lambda a, b: quotient64(a, b, mode)

    def run(a: Array, b: Array) -> Array:
        near = np.divide(a, b)
        lacks = asarray(a, np.float64) - np.multiply(near, b, dtype=np.float64)
        lacks = lacks * np.sign(asarray(b, np.float64))
        return adjust(near, overflowed(near, lacks, a, np.where(b == 0, np.nan, b)), mode)

    return run


@alu("rcp")
def rcp(slots: Slots) -> Compute:
    """`d = 1 / a`."""
    type_ = slots["type"]
    if type_ == "f64" and slots["rnd"] == "approx":
        return _top_half(lambda a: np.divide(1.0, a))
    quotient = _quotient(type_, _mode(slots))
    one = DTYPES[type_].type(1)

    def run(a: Array) -> Array:
        return quotient(one, a)

    return floating(slots, type_, run)


def _top_half(compute: Callable[[Array], Array]) -> Compute:
    """`.approx.ftz.f64`: reads and gives the upper word only; subnormal numbers are zeros."""
    tiny = np.finfo(np.float64).tiny

    def run(a: Array) -> Array:
        source = np.where(np.abs(a) < tiny, np.copysign(0.0, a), a)
        result = contiguous(compute(source))
        kept = (result.view(np.uint64) & np.uint64(0xFFFF_FFFF_0000_0000)).view(np.float64)
        return np.where(np.abs(kept) < tiny, np.copysign(0.0, kept), kept)

    return run


@alu("sqrt")
def sqrt(slots: Slots) -> Compute:
    """`d = sqrt(a)`."""
    type_, mode = slots["type"], _mode(slots)
    if mode == "rn":
        return floating(slots, type_, np.sqrt)

    if type_ == "f64":
        return floating(slots, type_, lambda a: root64(a, mode))

    def run(a: Array) -> Array:
        near = np.sqrt(a)
        lacks = asarray(a, np.float64) - np.multiply(near, near, dtype=np.float64)
        return adjust(near, np.where(np.isinf(near), np.nan, lacks), mode)

    return floating(slots, type_, run)


@alu("rsqrt")
def rsqrt(slots: Slots) -> Compute:
    """`d = 1 / sqrt(a)`."""
    if slots["type"] == "f64":
        if slots["ftz"]:
            return _top_half(_rsqrt)
        return floating(slots, "f64", _rsqrt)
    return floating(slots, "f32", lambda a: _rsqrt(asarray(a, np.float64)).astype(np.float32))


def _rsqrt(a: Array) -> Array:
    return 1.0 / np.sqrt(a)
