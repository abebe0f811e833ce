"""`add`, `sub`, `addc`, `subc`: sums and differences of integers and floats, with and without carry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.isa.form import Slots
from weft.isa.types import TYPES
from weft.sim.abstract import asarray
from weft.sim.float64 import sum64
from weft.sim.lanes import Array
from weft.sim.rounding import odd_sum, signed_zero, to_f32
from weft.sim.semantics import Compute, alu
from weft.sim.semantics.mixed import is_mixed, mixed
from weft.sim.types import DTYPES
from weft.sim.values import Call, canonical, element_type, elementwise, flush, narrow, saturate, widen


def _sum(plus: bool) -> Callable[[Slots], Compute]:
    operation: Any = np.add if plus else np.subtract

    def build(slots: Slots) -> Compute:
        """`d = a + b`, or `d = a - b`."""
        if is_mixed(slots):
            return mixed("add" if plus else "sub", slots)
        type_ = slots["type"]
        element = element_type(type_)
        if slots.get("atype"):
            return _mixed(slots, operation)
        if slots.get("cc"):
            return _carrying(plus, slots, carry_in=False)
        if TYPES[element].kind in "us":
            if slots.get("sat"):
                return elementwise(type_, _saturating(operation, element))
            return operation if element == type_ else elementwise(type_, operation)
        return elementwise(type_, floating(slots, element, _float_sum(operation, element, slots["rnd"] or "rn")))

    return build


def floating(slots: Slots, element: str, compute: Compute) -> Compute:
    """Flush subnormal sources and results with `.ftz`, clamp with `.sat`, and make NaNs canonical."""
    ftz, sat = bool(slots.get("ftz")), bool(slots.get("sat"))
    call: Call = compute

    def run(*sources: Array) -> Array:
        if ftz:
            sources = tuple(flush(source) for source in sources)
        result = call(*sources)
        if ftz:
            result = flush(result)
        if not sat:
            return canonical(result, element)
        return narrow(saturate(widen(result, element)), element)

    return run


def _float_sum(operation: Any, element: str, mode: str) -> Compute:
    if element in ("f16", "bf16"):
        return lambda a, b: narrow(operation(widen(a, element), widen(b, element)), element)
    if mode == "rn":
        return operation
    sign = 1.0 if operation is np.add else -1.0
    if element == "f32":

        def single(a: Array, b: Array) -> Array:
            x, y = asarray(a, np.float64), sign * asarray(b, np.float64)
            total = odd_sum(x, y)
            return signed_zero(to_f32(total, mode), np.signbit(x), np.signbit(y), mode, total == 0)

        return single
    return lambda a, b: sum64(a, sign * b, mode)


def _mixed(slots: Slots, operation: Any) -> Compute:
    atype, mode = slots["atype"], slots["rnd"] or "rn"
    compute: Call = floating(slots, "f32", _float_sum(operation, "f32", mode))
    return lambda a, b: compute(widen(a, atype), b)


def _saturating(operation: Any, element: str) -> Compute:
    wide, limits = np.int64, np.iinfo(DTYPES[element])

    def run(a: Array, b: Array) -> Array:
        exact = operation(asarray(a, wide), asarray(b, wide))
        return np.clip(exact, limits.min, limits.max).astype(DTYPES[element])

    return run


def _carrying(plus: bool, slots: Slots, *, carry_in: bool) -> Compute:
    """The sum and its carry-out.

    A difference is a + ~b + 1, and its carry-out is that of this sum: 1 where nothing is borrowed.  The manual calls it
    the borrow; `sub.cc` before `addc`, of which nvcc's 128-bit division has much, shows which it is (ptxas reads
    the predicate of `IADD3 a, -b` as it is).
    """
    type_ = DTYPES[slots["type"]]
    word = np.dtype(f"u{type_.itemsize}")

    def run(a: Array, b: Array, carry: Any = not plus) -> tuple[Array, Array]:
        x, y = asarray(a).astype(word), asarray(b).astype(word)
        first = x + (y if plus else ~y)
        total = first + asarray(carry).astype(word)
        return total.view(type_), (first < x) | (total < first)

    if not carry_in:
        return lambda a, b: run(a, b)
    return run


def _with_carry(plus: bool) -> Callable[[Slots], Compute]:
    def build(slots: Slots) -> Compute:
        """`d = a + b + CC.CF`, or `d = a + ~b + CC.CF`."""
        run: Call = _carrying(plus, slots, carry_in=True)
        if slots.get("cc"):
            return run
        if slots.get("sat"):
            sign = 1 if plus else -1
            return lambda a, b, carry: np.clip(
                asarray(a, np.int64) + sign * asarray(b, np.int64) + carry - (not plus), -(1 << 31), (1 << 31) - 1
            ).astype(np.int32)
        return lambda a, b, carry: run(a, b, carry)[0]

    return build


alu("add")(_sum(True))
alu("sub")(_sum(False))
alu("addc")(_with_carry(True))
alu("subc")(_with_carry(False))
