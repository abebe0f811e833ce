"""Floating-point arithmetic against exact rational arithmetic, rounded once."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.sim.harness import Array, apply, floats, round_exactly, same

DTYPES: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
WORDS: dict[str, Any] = {"f16": np.uint16, "bf16": np.uint16, "f32": np.uint32, "f64": np.uint64}
MODES = ["rn", "rz", "rm", "rp"]


def values(type_: str, seed: int, count: int = 400) -> Array:
    if type_ == "bf16":
        return floats(np.float32, count, seed).astype(ml_dtypes.bfloat16)
    return floats(DTYPES[type_], count, seed)


def expected(type_: str, mode: str, formula: Callable[..., Fraction], *sources: Array) -> Array:
    """The exact result rounded once; where a source is not finite or the exact result is zero, what doubles give."""
    out = np.empty(len(sources[0]), DTYPES[type_])
    with np.errstate(all="ignore"):
        for i, row in enumerate(zip(*(s.astype(np.float64).tolist() for s in sources), strict=True)):
            if all(map(math.isfinite, row)):
                exact = formula(*map(Fraction, row))
                if exact != 0:
                    out[i] = round_exactly(exact, type_, mode)
                    continue
            out[i] = float(formula(*(np.float64(v) for v in row)))
    return out


def check(
    instruction: str, type_: str, mode: str, formula: Callable[..., Any], count: int, packed: bool = False
) -> None:
    arrays = [values(type_, seed + 10 * count) for seed in range(count)]
    words = [a.view(WORDS[type_]) for a in arrays]
    if packed:
        words = [w.view(np.uint32) for w in words]
    out = apply(instruction, np.empty(0, words[0].dtype), *words).view(DTYPES[type_])
    want = expected(type_, mode, formula, *arrays)
    ignore_zero_sign = mode == "rm"
    wrong = [
        i for i in range(len(out)) if not same(out[i : i + 1].view(), want[i : i + 1])
        and not (np.isnan(out[i]) and np.isnan(want[i])) and not (ignore_zero_sign and out[i] == want[i] == 0)
    ]  # fmt: skip
    assert not wrong, [(i, [a[i] for a in arrays], out[i], want[i]) for i in wrong[:4]]


ARITHMETIC: dict[str, tuple[int, Callable[..., Any]]] = {
    "add": (2, lambda a, b: a + b),
    "sub": (2, lambda a, b: a - b),
    "mul": (2, lambda a, b: a * b),
    "fma": (3, lambda a, b, c: a * b + c),
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("type_", ["f32", "f64"])
@pytest.mark.parametrize("op", ARITHMETIC)
def test_rounding(op: str, type_: str, mode: str) -> None:
    count, formula = ARITHMETIC[op]
    if type_ == "f64":
        pytest.importorskip("numpy")
        sources = ", ".join("{" + letter + "}" for letter in "abc"[:count])
        moderate = [np.clip(values(type_, seed), -1e100, 1e100) for seed in range(count)]
        moderate = [np.where(np.abs(m) < 1e-100, 0.5, m) for m in moderate]
        out = apply(f"{op}.{mode}.f64 {{d}}, {sources};", np.empty(0), *moderate)
        assert same(out + 0.0, expected(type_, mode, formula, *moderate) + 0.0)
        return
    sources = ", ".join("{" + letter + "}" for letter in "abc"[:count])
    check(f"{op}.{mode}.{type_} {{d}}, {sources};", type_, mode, formula, count)


@pytest.mark.sample(3)
@pytest.mark.parametrize("type_", ["f16", "bf16"])
@pytest.mark.parametrize("op", ARITHMETIC)
def test_halves(op: str, type_: str) -> None:
    count, formula = ARITHMETIC[op]
    sources = ", ".join("{" + letter + "}" for letter in "abc"[:count])
    check(f"{op}.rn.{type_} {{d}}, {sources};", type_, "rn", formula, count)
    check(f"{op}.rn.{type_}x2 {{d}}, {sources};", type_, "rn", formula, count, packed=True)


def test_fma_halfway_cases() -> None:
    """Sums that lie just beside the middle between two f32 values: rounding twice would be wrong."""
    rng = np.random.default_rng(3)
    a = (rng.integers(1 << 23, 1 << 24, 3000) | 1).astype(np.float32)
    b = (rng.integers(1 << 23, 1 << 24, 3000) | 1).astype(np.float32)
    c = np.ldexp(rng.choice([-1.0, 1.0], 3000), rng.integers(40, 110, 3000)).astype(np.float32)
    out = apply("fma.rn.f32 {d}, {a}, {b}, {c};", np.empty(0, np.float32), a, b, c)
    assert same(out, expected("f32", "rn", lambda x, y, z: x * y + z, a, b, c))


@pytest.mark.sample(3)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_quotients(type_: str, mode: str) -> None:
    a, b = (floats(DTYPES[type_], 300, seed, special=False) for seed in range(2))
    if type_ == "f64":
        a, b = (np.ldexp(np.frexp(x)[0], rng) for x, rng in ((a, 3), (b, -2)))
    out = apply(f"div.{mode}.{type_} {{d}}, {{a}}, {{b}};", np.empty(0, DTYPES[type_]), a, b)
    assert same(out, expected(type_, mode, lambda x, y: x / y, a, b))
    out = apply(f"rcp.{mode}.{type_} {{d}}, {{a}};", np.empty(0, DTYPES[type_]), b)
    assert same(out, expected(type_, mode, lambda y: 1 / y, b))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_roots(type_: str, mode: str) -> None:
    a = np.abs(floats(DTYPES[type_], 200, special=False))
    a = np.ldexp(np.frexp(a)[0], 7).astype(DTYPES[type_])
    out = apply(f"sqrt.{mode}.{type_} {{d}}, {{a}};", np.empty(0, DTYPES[type_]), a)
    for source, root in zip(a.tolist(), out.tolist(), strict=True):
        exact, square = Fraction(source), Fraction(root) ** 2
        dtype = DTYPES[type_]
        below = Fraction(float(np.nextafter(dtype(root), dtype(0))))
        above = Fraction(float(np.nextafter(dtype(root), dtype(np.inf))))
        if mode == "rn":
            assert ((below + Fraction(root)) / 2) ** 2 <= exact <= ((above + Fraction(root)) / 2) ** 2
        elif mode == "rp":
            assert below**2 < exact <= square
        else:
            assert square <= exact < above**2


def test_special_values() -> None:
    nan, inf = np.float32(np.nan), np.float32(np.inf)
    a = np.array([inf, inf, 0.0, nan, 1.0, -0.0], np.float32)
    b = np.array([-inf, 0.0, inf, 1.0, nan, 0.0], np.float32)
    total = apply("add.f32 {d}, {a}, {b};", np.empty(0, np.uint32), a, b)
    assert [hex(v) for v in total[[0, 3, 4]]] == ["0x7fffffff"] * 3
    assert total[5] == 0
    product = apply("mul.f32 {d}, {a}, {b};", np.empty(0, np.uint32), a, b)
    assert [hex(v) for v in product[[1, 2, 3, 4]]] == ["0x7fffffff"] * 4
    assert product[5] == 0x80000000


@pytest.mark.parametrize("op", ["add", "mul"])
def test_flush_and_saturate(op: str) -> None:
    a, b = (floats(np.float32, 400, seed) for seed in (5, 6))
    tiny = np.finfo(np.float32).tiny
    a[:100], b[:100] = a[:100] * np.float32(1e-30), np.float32(1e-39)

    def flush(x: Array) -> Array:
        return np.where(np.abs(x) < tiny, np.copysign(np.float32(0), x), x)

    with np.errstate(all="ignore"):
        exact = flush({"add": np.add, "mul": np.multiply}[op](flush(a), flush(b)))
        clamped = np.where(np.isnan(exact), 0, np.clip(exact, 0, 1)).astype(np.float32)
    assert same(apply(f"{op}.ftz.f32 {{d}}, {{a}}, {{b}};", np.empty(0, np.float32), a, b), exact)
    out = apply(f"{op}.ftz.sat.f32 {{d}}, {{a}}, {{b}};", np.empty(0, np.float32), a, b)
    assert (out == clamped).all()


@pytest.mark.parametrize("type_", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("op", ["min", "max"])
def test_extrema(op: str, type_: str) -> None:
    a, b = values(type_, 1), values(type_, 2)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    number = {"min": np.fmin, "max": np.fmax}[op](wide_a, wide_b)
    word = WORDS[type_]
    out = apply(f"{op}.{type_} {{d}}, {{a}}, {{b}};", np.empty(0, word), a.view(word), b.view(word)).view(DTYPES[type_])
    assert np.array_equal(out.astype(np.float64), number, equal_nan=True)
    if type_ == "f64":
        return
    out = apply(f"{op}.NaN.{type_} {{d}}, {{a}}, {{b}};", np.empty(0, word), a.view(word), b.view(word))
    either = np.isnan(wide_a) | np.isnan(wide_b)
    assert np.isnan(out.view(DTYPES[type_]).astype(np.float64))[either].all()
    zeros = apply(
        f"{op}.{type_} {{d}}, {{a}}, {{b}};",
        np.empty(0, word),
        np.array([0.0, -0.0], DTYPES[type_]).view(word),
        np.array([-0.0, 0.0], DTYPES[type_]).view(word),
    ).view(DTYPES[type_])
    assert np.signbit(zeros).all() == (op == "min")


@pytest.mark.parametrize("type_", ["f16", "bf16", "f32", "f64"])
def test_signs(type_: str) -> None:
    a = values(type_, 4)
    word = WORDS[type_]
    sign = word(1 << (8 * a.dtype.itemsize - 1))
    assert (apply(f"neg.{type_} {{d}}, {{a}};", np.empty(0, word), a.view(word)) == a.view(word) ^ sign).all()
    assert (apply(f"abs.{type_} {{d}}, {{a}};", np.empty(0, word), a.view(word)) == a.view(word) & ~sign).all()


def test_copysign() -> None:
    a, b = floats(np.float32, seed=1), floats(np.float32, seed=2)
    assert same(apply("copysign.f32 {d}, {a}, {b};", np.empty(0, np.float32), a, b), np.copysign(b, a))


@pytest.mark.parametrize(
    ("name", "function", "low", "high", "bound"),
    [
        ("sin.approx", np.sin, -3.1, 3.1, 2.0**-20),
        ("cos.approx", np.cos, -3.1, 3.1, 2.0**-20),
        ("ex2.approx", np.exp2, -100, 100, None),
        ("lg2.approx", np.log2, 1e-30, 1e30, None),
        ("tanh.approx", np.tanh, -8, 8, 2.0**-10),
        ("rsqrt.approx", lambda x: 1 / np.sqrt(x), 1e-30, 1e30, None),
        ("sqrt.approx", np.sqrt, 1e-30, 1e30, None),
        ("rcp.approx", lambda x: 1 / x, 1e-30, 1e30, None),
    ],
)
def test_approximations(name: str, function: Any, low: float, high: float, bound: float | None) -> None:
    """Within the manual's absolute bound, or two units in the last place."""
    a = np.linspace(low, high, 500).astype(np.float32)
    out = apply(f"{name}.f32 {{d}}, {{a}};", np.empty(0, np.float32), a).astype(np.float64)
    exact = function(a.astype(np.float64))
    limit = bound if bound is not None else 2 * np.abs(np.spacing(exact.astype(np.float32))).astype(np.float64)
    assert (np.abs(out - exact) <= limit).all()


@pytest.mark.parametrize("op", ["finite", "infinite", "number", "notanumber", "normal", "subnormal"])
def test_classes(op: str) -> None:
    a = floats(np.float32)
    tests: dict[str, Callable[[float], bool]] = {
        "finite": math.isfinite,
        "infinite": math.isinf,
        "number": lambda v: not math.isnan(v),
        "notanumber": math.isnan,
        "normal": lambda v: math.isfinite(v) and abs(v) >= 2.0**-126,
        "subnormal": lambda v: 0 < abs(v) < 2.0**-126,
    }
    out = apply(f"testp.{op}.f32 {{d}}, {{a}};", np.empty(0, np.bool_), a)
    assert out.tolist() == [tests[op](v) for v in a.tolist()]
