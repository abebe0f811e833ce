"""`mul`, `mad`, `madc`, `fma`, `clmad`, the 24-bit products, `sad`, and the dot products `dp4a` and `dp2a`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.isa.form import Slots
from weft.isa.types import TYPES
from weft.sim.abstract import asarray, contiguous
from weft.sim.float64 import fma64, product64
from weft.sim.lanes import Array
from weft.sim.rounding import fma32, odd_sum, signed_zero, to_f32
from weft.sim.semantics import Compute, alu
from weft.sim.semantics.add import floating
from weft.sim.semantics.convert import round_to
from weft.sim.semantics.mixed import is_mixed, mixed
from weft.sim.tensors import OOB_NAN
from weft.sim.types import DTYPES
from weft.sim.values import Call, choose, element_type, elementwise, narrow, narrow_exact, relu, widen

_HALF, _LOW = np.uint64(32), np.uint64(0xFFFF_FFFF)


def _wide_dtype(type_: str) -> np.dtype[Any]:
    return DTYPES[f"{TYPES[type_].kind}{2 * TYPES[type_].bits}"]


def high_product(a: Array, b: Array, type_: str) -> Array:
    """The high half of an integer product."""
    bits = TYPES[type_].bits
    if bits < 64:
        wide = _wide_dtype(type_)
        return (np.multiply(a, b, dtype=wide) >> wide.type(bits)).astype(DTYPES[type_])
    x, y = asarray(a).astype(np.uint64), asarray(b).astype(np.uint64)
    xl, xh, yl, yh = x & _LOW, x >> _HALF, y & _LOW, y >> _HALF
    middle = xh * yl + ((xl * yl) >> _HALF)
    other = xl * yh + (middle & _LOW)
    high = xh * yh + (middle >> _HALF) + (other >> _HALF)
    if TYPES[type_].kind == "s":
        high = high - np.where(asarray(a) < 0, y, np.uint64(0)) - np.where(asarray(b) < 0, x, np.uint64(0))
        return high.view(np.int64)
    return high


def _product(mode: str, type_: str) -> Callable[[Array, Array], Array]:
    if mode == "lo":
        return np.multiply
    if mode == "hi":
        return lambda a, b: high_product(a, b, type_)
    wide = _wide_dtype(type_)
    return lambda a, b: np.multiply(a, b, dtype=wide)


@alu("mul")
def mul(slots: Slots) -> Compute:
    """`d = a * b`: for integers the low or high half, or all of the product."""
    if is_mixed(slots):
        return mixed("mul", slots)
    if slots.get("mode"):
        return _product(slots["mode"], slots["type"])
    type_ = slots["type"]
    element = element_type(type_)
    return elementwise(type_, floating(slots, element, _float_product(element, slots["rnd"] or "rn")))


def _float_product(element: str, mode: str) -> Compute:
    if element in ("f16", "bf16"):
        return lambda a, b: narrow(widen(a, element) * widen(b, element), element)
    if mode == "rn":
        return np.multiply
    if element == "f32":
        return lambda a, b: to_f32(np.multiply(a, b, dtype=np.float64), mode)

    return lambda a, b: product64(a, b, mode)


@alu("mad")
def mad(slots: Slots) -> Compute:
    """`d = a * b + c`: for integers with the low or high half, or all of the product."""
    if not slots.get("mode"):
        return fma(slots)
    type_ = slots["type"]
    product = _product(slots["mode"], type_)
    if slots.get("cc"):
        return _with_carry_out(product, type_)
    if slots.get("sat"):
        return lambda a, b, c: _clamped(np.add(product(a, b), c, dtype=np.int64))
    return lambda a, b, c: np.add(product(a, b), c)


def _clamped(exact: Array) -> Array:
    return np.clip(exact, -(1 << 31), (1 << 31) - 1).astype(np.int32)


def _with_carry_out(product: Callable[..., Array], type_: str) -> Compute:
    word = np.dtype(f"u{DTYPES[type_].itemsize}")

    def run(a: Array, b: Array, c: Array, carry: Any = False) -> tuple[Array, Array]:
        low, addend = asarray(product(a, b)).astype(word), asarray(c).astype(word)
        first = low + addend
        total = first + asarray(carry).astype(word)
        return total, (first < low) | (total < first)

    return run


@alu("madc")
def madc(slots: Slots) -> Compute:
    """`d = a * b + c + CC.CF`, with the low or high half of the product."""
    type_ = slots["type"]
    product = _product(slots["mode"], type_)
    if slots.get("sat"):
        return lambda a, b, c, carry: _clamped(np.add(product(a, b), c, dtype=np.int64) + carry)
    run: Call = _with_carry_out(product, type_)
    if slots.get("cc"):
        return run
    return lambda a, b, c, carry: run(a, b, c, carry)[0]


@alu("fma")
def fma(slots: Slots) -> Compute:
    """`d = a * b + c` with one rounding."""
    if is_mixed(slots):
        return mixed("fma", slots)
    type_, mode = slots["type"], slots["rnd"] or "rn"
    element = element_type(type_)
    compute: Call = fma_in(element, mode)
    if compute is not fma32 or slots.get("ftz") or slots.get("sat"):
        compute = floating(slots, element, compute)
    if slots.get("oob"):
        compute = _zero_out_of_bounds(compute, element)
    if slots.get("atype"):
        atype = slots["atype"]
        return lambda a, b, c: compute(widen(a, atype), widen(b, atype), c)
    if slots.get("relu"):

        def positive(a: Array, b: Array, c: Array) -> Array:
            return narrow(relu(widen(compute(a, b, c), element)), element)

        return elementwise(type_, positive)
    return elementwise(type_, compute)


def _zero_out_of_bounds(compute: Call, element: str) -> Call:
    """A function of elements that gives zero where a source is the NaN with which tensor copies fill."""
    dtype = DTYPES[element]

    def run(*sources: Array) -> Array:
        filled: Any = np.False_
        for source in sources:
            filled = filled | (asarray(source).view(np.uint16) == OOB_NAN)
        return choose(filled, dtype.type(0), compute(*sources))

    return run


def fma_in(element: str, mode: str) -> Compute:
    """`a * b + c` of elements with one rounding, in a rounding mode."""
    if element in ("f16", "bf16"):

        def half(a: Array, b: Array, c: Array) -> Array:
            product = np.multiply(widen(a, element), widen(b, element), dtype=np.float64)
            addend = widen(c, element).astype(np.float64)
            total = odd_sum(product, addend)
            if mode == "rn":
                return narrow_exact(total, element)
            return round_to(signed_zero(total, np.signbit(product), np.signbit(addend), mode), element, mode)

        return half
    if element == "f32":
        if mode == "rn":
            return fma32

        def single(a: Array, b: Array, c: Array) -> Array:
            product, addend = np.multiply(a, b, dtype=np.float64), asarray(c, np.float64)
            total = odd_sum(product, addend)
            rounded = to_f32(total, mode)
            return signed_zero(rounded, np.signbit(product), np.signbit(addend), mode, total == 0)

        return single
    return lambda a, b, c: fma64(a, b, c, mode)


def _low24(a: Array, type_: str) -> Array:
    shift = np.int64(40)
    wide = (asarray(a).astype(np.int64) << shift) >> shift
    return wide if type_ == "s32" else wide & np.int64(0xFF_FFFF)


def _product24(slots: Slots) -> Callable[[Array, Array], Array]:
    """The low or high 32 of the 48 bits of a product."""
    type_, shift = slots["type"], np.int64(0 if slots["mode"] == "lo" else 16)

    def run(a: Array, b: Array) -> Any:
        return ((_low24(a, type_) * _low24(b, type_)) >> shift).astype(np.uint32).view(DTYPES[type_])

    return run


@alu("mul24")
def mul24(slots: Slots) -> Compute:
    """The product of the low 24 bits of two integers."""
    return _product24(slots)


@alu("mad24")
def mad24(slots: Slots) -> Compute:
    """The product of the low 24 bits of two integers, plus a third."""
    product = _product24(slots)
    if slots["sat"]:
        return lambda a, b, c: _clamped(np.add(product(a, b), c, dtype=np.int64))

    def run(a: Array, b: Array, c: Array) -> Array:
        return product(a, b) + c

    return run


@alu("sad")
def sad(slots: Slots) -> Compute:
    """`d = c + |a - b|`."""
    return lambda a, b, c: np.add(c, choose(a < b, np.subtract(b, a), np.subtract(a, b)))


def _parts(word: Array, type_: str, count: int) -> Array:
    """The bytes (4) or half-words (2) of words, as int64."""
    dtype = np.dtype(f"{'i' if type_ == 's32' else 'u'}{4 // count}")
    return contiguous(np.atleast_1d(word)).view(dtype).reshape(-1, count).astype(np.int64)


@alu("dp4a")
def dp4a(slots: Slots) -> Compute:
    """`d = c +` the dot product of four bytes."""
    atype, btype = slots["atype"], slots["btype"]
    return lambda a, b, c: _wrapped((_parts(a, atype, 4) * _parts(b, btype, 4)).sum(axis=1) + c)


@alu("dp2a")
def dp2a(slots: Slots) -> Compute:
    """`d = c +` the dot product of two half-words and the low or high two bytes."""
    atype, btype, start = slots["atype"], slots["btype"], 2 if slots["mode"] == "hi" else 0
    return lambda a, b, c: _wrapped((_parts(a, atype, 2) * _parts(b, btype, 4)[:, start : start + 2]).sum(axis=1) + c)


def _wrapped(exact: Array) -> Array:
    return exact.astype(np.uint32)


@alu("clmad")
def clmad(slots: Slots) -> Compute:
    """Half of the product without carries of `a` and `b`, exclusive or `c`."""
    high, dtype = slots["mode"] == "hi", DTYPES[slots["type"]]

    def run(a: Any, b: Any, c: Any) -> Array:
        x, y, total = (asarray(v).astype(np.uint64) for v in (a, b, c))
        for bit in range(1 if high else 0, 64):
            part = x >> np.uint64(64 - bit) if high else x << np.uint64(bit)
            total = total ^ np.where((y >> np.uint64(bit)) & np.uint64(1), part, np.uint64(0))
        return total.view(dtype)

    return run
