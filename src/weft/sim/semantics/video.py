"""The video instructions: `vadd` and its like on a word, half-word or byte, and on two or four of them at once.

Selectors stand on the operands: `%r1.b2` a byte, `%r1.h0` a half-word; of SIMD sources two half-words or four bytes of
the pair of registers, of SIMD destinations the lanes to write.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.ptx.operands import Negated, Operand, Register
from weft.sim.lanes import Array, Lanes
from weft.sim.semantics import step
from weft.sim.site import Site, Step

Words = Callable[[Lanes], Array]
Operation = Callable[[Array, Array], Array]

_COMPARISONS: dict[str, Any] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


def _average(a: Array, b: Array) -> Array:
    total = a + b
    return (total + (total >= 0)) >> 1


_OPERATIONS: dict[str, Operation] = {
    "vadd": np.add,
    "vsub": np.subtract,
    "vabsdiff": lambda a, b: np.abs(a - b),
    "vmin": np.minimum,
    "vmax": np.maximum,
    "vavrg": _average,
}


def _selector(operand: Operand) -> str:
    return operand.member if isinstance(operand, Register) else ""


def _words(site: Site, operand: Operand, signed: bool) -> Words:
    """What reads 32-bit words as int64."""
    read = site.read(operand, "s32" if signed else "u32")
    return lambda lanes: read(lanes).astype(np.int64)


def _part(site: Site, operand: Operand, type_: str) -> Words:
    """What reads the selected byte or half-word (or all) of an operand, extended by the type's sign."""
    signed, selector = type_ == "s32", _selector(operand)
    words = _words(site, operand, signed and not selector)
    if not selector:
        return words
    bits = 8 if selector[0] == "b" else 16
    first = int(selector[1]) * bits
    return lambda lanes: _extended(words(lanes) >> first, bits, signed)


def _extended(values: Array, bits: int, signed: bool) -> Array:
    """The low bits of words, extended."""
    low = values & ((1 << bits) - 1)
    return (low ^ (1 << (bits - 1))) - (1 << (bits - 1)) if signed else low


def _clamped(values: Array, bits: int, signed: bool) -> Array:
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return np.clip(values, low, high)


# -- scalar ---------------------------------------------------------------------------------------------------


def _shift(left: bool, mode: str) -> Operation:
    def run(a: Array, b: Array) -> Array:
        count = np.minimum(b, 32) if mode == "clamp" else b & 31
        if not left:
            return a >> count
        far = np.sign(a) << 40  # Out of every range, with zeros in the low bits.
        return np.where(count == 32, far, a << (count & 31))

    return run


def _scalar(site: Site, operation: Operation, type_: str) -> Step:
    """Extend, operate, saturate, then combine with `c`: by a second operation, or by merging into a part of it."""
    slots = site.slots()
    target, *operands = site.operands
    a, b = (_part(site, operand, slots[f"{name}type"]) for name, operand in zip("ab", operands, strict=False))
    signed, selector = type_ == "s32", _selector(target)
    c = _words(site, operands[2], signed) if len(operands) > 2 else None
    bits = {"b": 8, "h": 16}.get(selector[:1], 32)
    first = int(selector[1]) * bits if selector else 0
    second: Any = {"add": np.add, "min": np.minimum, "max": np.maximum}.get(slots["op2"])
    mask = ((1 << bits) - 1) << first
    write = site.write(target, "b32")

    def run(lanes: Lanes) -> None:
        result = operation(a(lanes), b(lanes))
        if slots["sat"]:
            result = _clamped(result, bits, signed)
        if c is not None and second is not None:
            result = second(_extended(result, 32, signed), c(lanes))
        elif c is not None:
            result = (c(lanes) & ~mask) | ((result << first) & mask)
        write(lanes, (result & 0xFFFF_FFFF).astype(np.uint32))

    return run


@step("vadd", "vsub", "vabsdiff", "vmin", "vmax")
def arithmetic(site: Site) -> Step:
    """A sum, a difference, its magnitude, the smaller or larger one of two parts."""
    return _scalar(site, _OPERATIONS[site.opcode.stem], site.slots()["type"])


@step("vshl", "vshr")
def shift(site: Site) -> Step:
    """A part shifted."""
    slots = site.slots()
    return _scalar(site, _shift(site.opcode.stem == "vshl", slots["mode"]), slots["type"])


@step("vset")
def vset(site: Site) -> Step:
    """1 where two parts compare, else 0."""
    compare = _COMPARISONS[site.slots()["cmp"]]
    return _scalar(site, lambda a, b: compare(a, b).astype(np.int64), "u32")


@step("vmad")
def vmad(site: Site) -> Step:
    """`a * b + c` of parts, each negated where written, plus one with `.po`, shifted down and saturated."""
    slots = site.slots()
    target, *operands = site.operands
    negated = [isinstance(operand, Negated) for operand in operands]
    plain = [operand.operand if isinstance(operand, Negated) else operand for operand in operands]
    a, b = (_part(site, operand, slots[f"{name}type"]) for name, operand in zip("ab", plain, strict=False))
    minus = negated[0] != negated[1]
    signed = minus or negated[2] or "s32" in (slots["atype"], slots["btype"])
    c = _words(site, plain[2], signed)
    shift_ = {"shr7": 7, "shr15": 15}.get(slots["scale"], 0)
    more = int("po" in site.plan().variant.compiled.pieces)
    write = site.write(target, "b32")

    def run(lanes: Lanes) -> None:
        left, right = a(lanes), b(lanes)
        if minus:
            left = -left
        addend = -c(lanes) if negated[2] else c(lanes)
        low = left * (right & 0xFFFF) + addend + more  # The product in two parts: it has up to 65 bits.
        high = left * (right >> 16) + (low >> 16)
        low = low & 0xFFFF
        if slots["sat"]:
            high = np.clip(high, -(1 << 40), 1 << 40)
        if shift_:
            result = (high << (16 - shift_)) + (low >> shift_)
        else:
            result = (high << 16) + low
        if slots["sat"]:
            result = _clamped(result, 32, signed)
        write(lanes, (result & 0xFFFF_FFFF).astype(np.uint32))

    return run


# -- SIMD -----------------------------------------------------------------------------------------------------


def _lane_numbers(selector: str, count: int, default: int) -> Array:
    """Which parts of the pair of registers a source names, the lowest first."""
    if not selector:
        return np.arange(default, default + count)
    return np.array([int(digit) for digit in reversed(selector[1:])])


def _simd(site: Site, count: int, operation: Operation, type_: str) -> Step:
    """Operate on all lanes; those that are written are merged into `c`, or with `.add` summed onto it."""
    slots = site.slots()
    target, *operands = site.operands
    bits = 32 // count
    pair = [_words(site, operand, False) for operand in operands[:2]]
    c = _words(site, operands[2], False)
    chosen = [_lane_numbers(_selector(operand), count, count * n) for n, operand in enumerate(operands[:2])]
    signs = [slots[f"{name}type"] == "s32" for name in "ab"]
    written = np.zeros(count, np.bool_)
    mask = _selector(target)
    written[[int(digit) for digit in mask[1:]] if mask else slice(None)] = True
    shifts = bits * np.arange(count)
    keep = ~int((((1 << bits) - 1 << shifts) * written).sum())
    write = site.write(target, "b32")

    def run(lanes: Lanes) -> None:
        both = pair[0](lanes) | pair[1](lanes) << 32
        a, b = (
            _extended(both[:, None] >> bits * numbers, bits, signed)
            for numbers, signed in zip(chosen, signs, strict=True)
        )
        result = operation(a, b)
        if slots["sat"]:
            result = _clamped(result, bits, type_ == "s32")
        if slots["add"]:
            total = c(lanes) + (result * written).sum(axis=1)
        else:
            parts = ((result & ((1 << bits) - 1)) << shifts) * written
            total = (c(lanes) & keep) | parts.sum(axis=1)
        write(lanes, (total & 0xFFFF_FFFF).astype(np.uint32))

    return run


def _lanes(stem: str) -> int:
    return int(stem[-1])


@step(*(f"{stem}{count}" for stem in _OPERATIONS for count in (2, 4)))
def simd(site: Site) -> Step:
    """An operation of two half-words or four bytes."""
    stem = site.opcode.stem
    return _simd(site, _lanes(stem), _OPERATIONS[stem[:-1]], site.slots()["type"])


@step("vset2", "vset4")
def simd_set(site: Site) -> Step:
    """1 in each lane that compares, else 0."""
    compare = _COMPARISONS[site.slots()["cmp"]]
    return _simd(site, _lanes(site.opcode.stem), lambda a, b: compare(a, b).astype(np.int64), "u32")
