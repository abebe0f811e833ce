"""Float arithmetic on every combination of boundary values, in every rounding mode, against exact fractions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.sim.harness import FORMATS, Array, apply, round_exactly, same
from weft.sim.semantics.multiply import fma_in

MODES = ("rn", "rz", "rm", "rp")
DTYPES = {"f32": np.float32, "f64": np.float64}


@cache
def boundaries(type_: str, many: bool) -> tuple[float, ...]:
    """Zeros, the ends of the subnormal and normal numbers, what lies around 1, and where products leave the range."""
    precision, low, high = FORMATS[type_]
    ulp, least = 2.0 ** (1 - precision), math.ldexp(1.0, low - precision + 1)
    most = math.ldexp(2 - ulp, high)
    found = [0.0, least, math.ldexp(1.0, low) - least, 1 - ulp / 2, 1.0, most, math.ldexp(1 + ulp, low // 2), math.inf]
    if many:
        found += [3 * least, math.ldexp(1.0, low), 1 + ulp, math.ldexp(1.5, -(high // 2))]
        found += [math.ldexp(1.0, low - precision // 2)]
        found += [
            2 * least,
            math.ldexp(1 + ulp, low),
            1.5,
            3.0,
            1 / 3,
            2 - ulp,
            math.ldexp(1.0, high),
            most * (1 - ulp),
        ]
        found += [math.ldexp(2 - ulp, low // 2), math.ldexp(1.0, (high + 1) // 2), math.ldexp(1.0, precision)]
        found += [math.ldexp(1 + ulp, 1 - precision), math.ldexp(1.0, low // 2 - precision), math.nan]
    dtype: Any = DTYPES[type_]
    return tuple(float(dtype(sign * value)) for value in found for sign in (1, -1))


def rounded(exact: Fraction, type_: str, mode: str, negative: bool) -> float:
    """A fraction rounded; `negative` is the sign of an exact zero, and results that round to zero keep their own."""
    if exact == 0:
        return -0.0 if negative else 0.0
    value = round_exactly(exact, type_, mode)
    return math.copysign(value, -1 if exact < 0 else 1) if value == 0 else value


def sign(value: float) -> bool:
    return math.copysign(1, value) < 0


def total(type_: str, mode: str, product: Fraction, negative: bool, addend: float) -> float:
    """The rounded sum of a product, with its sign, and an addend."""
    zero = negative if negative == sign(addend) else mode == "rm"
    return rounded(product + Fraction(addend), type_, mode, zero)


def add(type_: str, mode: str, a: float, b: float) -> float:
    if not (math.isfinite(a) and math.isfinite(b)):
        return a + b
    return total(type_, mode, Fraction(a), sign(a), b)


def mul(type_: str, mode: str, a: float, b: float) -> float:
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b
    return rounded(Fraction(a) * Fraction(b), type_, mode, sign(a) != sign(b))


def fma(type_: str, mode: str, a: float, b: float, c: float) -> float:
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    return total(type_, mode, Fraction(a) * Fraction(b), sign(a) != sign(b), c)


def div(type_: str, mode: str, a: float, b: float) -> float:
    negative = sign(a) != sign(b)
    if math.isnan(a) or math.isnan(b) or (math.isinf(a) and math.isinf(b)) or a == b == 0:
        return math.nan
    if math.isinf(a) or b == 0:
        return -math.inf if negative else math.inf
    if math.isinf(b):
        return -0.0 if negative else 0.0
    return rounded(Fraction(a) / Fraction(b), type_, mode, negative)


def sqrt(type_: str, mode: str, a: float) -> float:
    if math.isnan(a) or a < 0:
        return math.nan
    if a == 0 or math.isinf(a):
        return a
    precision, _, _ = FORMATS[type_]
    value = Fraction(a)
    half_shift = (value.denominator.bit_length() + 2 * precision + 8) // 2
    scaled = int(value * (1 << 2 * half_shift))
    root = math.isqrt(scaled)
    exact = Fraction(2 * root + (root * root != scaled), 2)  # Anything between two roots rounds as the middle does.
    return round_exactly(exact / (1 << half_shift), type_, mode)


REFERENCE: dict[str, tuple[int, Callable[..., float]]] = {
    "add": (2, add),
    "sub": (2, lambda type_, mode, a, b: add(type_, mode, a, -b)),
    "mul": (2, mul),
    "fma": (3, fma),
    "div": (2, div),
    "rcp": (1, lambda type_, mode, a: div(type_, mode, 1.0, a)),
    "sqrt": (1, sqrt),
}


def flush(value: float, type_: str) -> float:
    return math.copysign(0.0, value) if abs(value) < math.ldexp(1.0, FORMATS[type_][1]) else value


def check(op: str, type_: str, mode: str, many: bool, ftz: bool = False, sat: bool = False) -> None:
    """Run all combinations of boundary values, and compare bit by bit."""
    count, reference = REFERENCE[op]
    combined = list(itertools.product(boundaries(type_, many), repeat=count))
    dtype: Any = DTYPES[type_]
    sources = [np.array(column, dtype) for column in zip(*combined, strict=True)]
    modifiers = mode + ".ftz" * ftz + ".sat" * sat
    operands = ", ".join("{" + letter + "}" for letter in "abc"[:count])
    out = apply(f"{op}.{modifiers}.{type_} {{d}}, {operands};", np.empty(0, dtype), *sources)
    wanted: list[float] = []
    for values in combined:
        used = [flush(value, type_) for value in values] if ftz else values
        value = reference(type_, mode, *used)
        value = flush(value, type_) if ftz else value
        if sat:
            value = 0.0 if math.isnan(value) or value <= 0 else min(value, 1.0)
        wanted.append(value)
    compare(out, np.array(wanted, dtype), combined)


def compare(out: Array, wanted: Array, combined: list[tuple[float, ...]]) -> None:
    if not same(out, wanted):
        word = f"u{out.itemsize}"
        wrong = (out.view(word) != wanted.view(word)) & ~(np.isnan(out) & np.isnan(wanted))
        first = int(wrong.argmax())
        values = [value.hex() for value in combined[first]]
        message = f"{values} gives {float(out[first]).hex()}, not {float(wanted[first]).hex()}"
        raise AssertionError(f"{np.count_nonzero(wrong)} of {len(out)} are wrong; {message}")


@pytest.mark.sample(2)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("type_", ["f32", "f64"])
@pytest.mark.parametrize("op", REFERENCE)
def test_boundaries(op: str, type_: str, mode: str) -> None:
    check(op, type_, mode, many=REFERENCE[op][0] < 3)


@pytest.mark.sample(3)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("op", REFERENCE)
def test_flushed_and_saturated(op: str, mode: str) -> None:
    many = REFERENCE[op][0] < 3
    check(op, "f32", mode, many=many, ftz=True)
    if op in ("add", "sub", "mul", "fma"):
        check(op, "f32", mode, many=many, sat=True)
        check(op, "f32", mode, many=many, ftz=True, sat=True)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_all_sums_of_products(type_: str, mode: str) -> None:
    check("fma", type_, mode, many=True)


@pytest.mark.sample(2)
@pytest.mark.parametrize("mode", MODES)
def test_sums_of_products_at_random_where_terms_underflow(mode: str) -> None:
    """Doubles whose products and sums lie at the ends of the range, or cancel there."""
    rng = np.random.default_rng(5)
    count = 1500
    exponent = rng.integers(-600, -440, count)
    a = np.ldexp(rng.integers(1 << 52, 1 << 53, count).astype(np.float64), exponent - 52)
    b = np.ldexp(rng.integers(1 << 52, 1 << 53, count).astype(np.float64), rng.integers(-600, -440, count) - 52)
    a[::3] *= np.ldexp(1.0, 1000)
    b[::3] *= np.ldexp(1.0, 1010)
    c = -a * b * (1 + rng.integers(-2, 3, count) * 2.0**-52)
    c[::2] = np.ldexp(rng.uniform(1, 2, count), rng.integers(-1080, -960, count))[::2] * rng.choice([-1, 1], count)[::2]
    combined = list(zip(a.tolist(), b.tolist(), c.tolist(), strict=True))
    wanted = np.array([fma("f64", mode, *values) for values in combined])
    with np.errstate(all="ignore"):
        compute: Any = fma_in("f64", mode)
        compare(compute(a, b, c), wanted, combined)
