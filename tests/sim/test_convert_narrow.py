"""Conversions to and from 8-, 6- and 4-bit formats: every code, every rounding, against exact fractions."""

from __future__ import annotations

import math
from bisect import bisect_right
from fractions import Fraction
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.sim.harness import INDEX, Array, apply, floats, launch

# Mantissa bits, least normal exponent, greatest finite value, code of NaN; written down from the manual.
FORMATS: dict[str, tuple[int, int, float, int | None]] = {
    "e4m3": (3, -6, 448.0, 0x7F),
    "e5m2": (2, -14, 57344.0, 0x7F),
    "e3m2": (2, -2, 28.0, None),
    "e2m3": (3, 0, 7.5, None),
    "e2m1": (1, 0, 6.0, None),
    "ue5m3": (3, -14, 114688.0, 0xFF),
}
ML: dict[str, Any] = {
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
}


@cache
def values_of(name: str) -> list[Fraction]:
    """The finite magnitudes of a format in the order of their codes."""
    mantissa, least, top, _ = FORMATS[name]
    found: list[Fraction] = []
    code = 0
    while True:
        field, fraction = divmod(code, 1 << mantissa)
        whole = fraction + ((1 << mantissa) if field else 0)
        value = Fraction(whole) * Fraction(2) ** (max(field, 1) - 1 + least - mantissa)
        if value > Fraction(top):
            return found
        found.append(value)
        code += 1


def nearest(x: float, name: str, mode: str, rbits: int = 0, width: int = 8) -> int:
    """The code of a value by search among all magnitudes; what is too large is the greatest."""
    nan = FORMATS[name][3]
    sign = 0 if name == "ue5m3" else {"e3m2": 0x20, "e2m3": 0x20, "e2m1": 8}.get(name, 0x80)
    table = values_of(name)
    if math.isnan(x):
        return len(table) - 1 if nan is None else nan
    head = sign if math.copysign(1, x) < 0 else 0
    if math.isinf(x):
        return head | (len(table) - 1)
    exact = abs(Fraction(x))
    if exact >= table[-1]:
        return head | (len(table) - 1)
    low = bisect_right(table, exact) - 1
    gap = table[low + 1] - table[low]
    part = (exact - table[low]) / gap
    up = {
        "rn": part > Fraction(1, 2) or (part == Fraction(1, 2) and low % 2 == 1),
        "rz": False,
        "rp": part > 0,
        "rs": math.floor(part * 2**width) + rbits >= 2**width,
    }[mode]
    return head | (low + up)


def inputs(count: int = 256) -> tuple[Array, Array]:
    a, b = floats(np.float32, count, seed=1), floats(np.float32, count, seed=2)
    near = np.random.default_rng(5)
    a[: count // 2] = (near.standard_normal(count // 2) * 4).astype(np.float32)
    a[:16] = np.arange(16) / 8 + 0.0625
    return a, b


def packed(high: int, low: int, name: str) -> int:
    return high << 4 | low if name == "e2m1" else high << 8 | low


PREFIX = ".reg .b8 %q0; .reg .b16 %n0; .reg .b32 %w0;"


def convert(text: str, name: str, *sources: Array, target: str = "sm_100a") -> Array:
    """Apply a conversion to a packed type; 4-bit pairs are bytes, which are in `.b8` registers."""
    if name != "e2m1":
        return apply(text, np.zeros(1, np.uint16), *sources, target=target)
    body = text.replace("{d}", "%q0") + " cvt.u32.u8 {d}, %q0;"
    return apply(body, np.zeros(1, np.uint32), *sources, prelude=PREFIX, target=target)


@pytest.mark.parametrize("relu", ["", ".relu"])
@pytest.mark.parametrize("name", list(ML))
def test_to_narrow(name: str, relu: str) -> None:
    a, b = inputs()
    got = convert(f"cvt.rn.satfinite{relu}.{name}x2.f32 {{d}}, {{a}}, {{b}};", name, a, b)

    def one(x: float) -> int:
        return nearest(0.0 if relu and x <= 0 else x, name, "rn")

    assert got.tolist() == [packed(one(x), one(y), name) for x, y in zip(a.tolist(), b.tolist(), strict=True)]


@pytest.mark.parametrize("name", list(ML))
def test_from_narrow_is_what_ml_dtypes_has(name: str) -> None:
    codes = np.arange(1 << {"e2m1": 4, "e3m2": 6, "e2m3": 6}.get(name, 8), dtype=np.uint16)
    shift = 4 if name == "e2m1" else 8
    words = (codes[::-1] << shift | codes).astype(np.uint16)
    source = "{a}"
    prelude = ""
    if name == "e2m1":
        prelude, source = ".reg .b8 %q0; cvt.u8.u16 %q0, %xa;", "%q0"
    for half, dtype in (("f16", np.float16), ("bf16", ml_dtypes.bfloat16)):
        text = f"cvt.rn.{half}x2.{name}x2 {{d}}, {source};"
        got = apply(prelude + text, np.zeros(1, np.uint32), words, target="sm_100a").view(dtype).reshape(-1, 2)
        values = codes.astype(np.uint8).view(ML[name]).astype(np.float64)
        both = np.stack([values, values[::-1]], axis=1)
        with np.errstate(invalid="ignore"):
            want = both.astype(dtype).astype(np.float64)
        assert np.array_equal(got.astype(np.float64), want, equal_nan=True), half


@pytest.mark.sample(1)
@pytest.mark.parametrize("mode", ["rz", "rp"])
@pytest.mark.parametrize("finite", ["", ".satfinite"])
def test_to_powers_of_two(mode: str, finite: str) -> None:
    a, b = inputs()
    got = convert(f"cvt.{mode}{finite}.ue8m0x2.f32 {{d}}, {{a}}, {{b}};", "ue8m0", a, b)

    def one(x: float) -> int:
        if math.isnan(x):
            return 0xFF
        x = abs(x)
        if x == 0:
            return 0
        if math.isinf(x):
            return 0xFE if finite else 0xFF
        exact = Fraction(x)
        exponent = (
            -127 if exact <= Fraction(2) ** -127 else next(e for e in range(-127, 129) if Fraction(2) ** e >= exact)
        )
        if mode == "rz" and Fraction(2) ** exponent > exact and exponent > -127:
            exponent -= 1
        return min(exponent + 127, 0xFE if finite else 0xFF)

    assert got.tolist() == [one(x) << 8 | one(y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]


def test_from_powers_of_two() -> None:
    codes = np.arange(256, dtype=np.uint16)
    words = (codes[::-1] << 8 | codes).astype(np.uint16)
    got = apply("cvt.rn.bf16x2.ue8m0x2 {d}, {a};", np.zeros(1, np.uint32), words).view(np.uint16).reshape(-1, 2)
    exact = [math.ldexp(1.0, c - 127) for c in range(255)]
    want = [int(np.float32(v).view(np.uint32)) >> 16 for v in exact] + [0x7FFF]
    assert got[:, 0].tolist() == want
    assert got[:, 1].tolist() == want[::-1]


@pytest.mark.parametrize("name", list(ML))
def test_stochastic_rounding_to_narrow(name: str) -> None:
    """Each element has a byte of random bits, which is added below its last bit."""
    rng = np.random.default_rng(3)
    count = 64
    x = (rng.standard_normal((4, count)) * 2).astype(np.float32)
    x[0, :4] = [np.nan, np.inf, -np.inf, 1e9]
    rbits = rng.integers(0, 1 << 32, count, dtype=np.uint32)
    prelude = ".reg .f32 %y<4>; .reg .b16 %n0;" + "".join(
        f"ld.param.u64 %rd50, [p0]; mad.wide.u32 %rd50, %r0, 4, %rd50; ld.global.f32 %y{i}, [%rd50+{4 * count * i}];"
        for i in range(4)
    )
    text = f"cvt.rs.satfinite.{name}x4.f32 {{d}}, {{{{%y0, %y1, %y2, %y3}}}}, {{b}};"
    if name == "e2m1":
        text = text.replace("{d}", "%n0") + " cvt.u32.u16 {d}, %n0;"
    out = np.zeros(count, np.uint32)
    body = (
        INDEX
        + prelude
        + f"""
    ld.param.u64 %rd40, [p1]; mad.wide.u32 %rd40, %r0, 4, %rd40; ld.global.u32 %r50, [%rd40];
    {text.format(d="%r51", b="%r50")} ld.param.u64 %rd40, [p2]; mad.wide.u32 %rd40, %r0, 4, %rd40;
    st.global.u32 [%rd40], %r51; ret;"""
    )
    launch(body, [x, rbits, out], block=count, target="sm_100a")
    width = 4 if name == "e2m1" else 8
    for n in range(count):
        want = 0
        for i in range(4):  # The first source is the topmost element.
            place = 3 - i
            want |= nearest(float(x[i, n]), name, "rs", int(rbits[n]) >> 8 * place & 0xFF) << width * place
        assert int(out[n]) == want, n


@pytest.mark.parametrize(("half", "width"), [("f16", 13), ("bf16", 16)])
def test_stochastic_rounding_to_halves(half: str, width: int) -> None:
    a, b = (floats(np.float32, 300, seed=s, special=False) for s in (7, 8))
    rbits = np.random.default_rng(9).integers(0, 1 << 32, 300, dtype=np.uint32)
    got = apply(f"cvt.rs.{half}x2.f32 {{d}}, {{a}}, {{b}}, {{c}};", np.zeros(1, np.uint32), a, b, rbits)
    mantissa, least, top = (10, -14, 15) if half == "f16" else (7, -126, 127)

    def one(x: float, bits: int) -> int:
        sign = 0x8000 if x < 0 else 0
        exact = abs(Fraction(x))
        exponent = max(math.frexp(x)[1] - 1, least)
        units = exact / Fraction(2) ** (exponent - mantissa)
        whole = math.floor(units)
        whole += math.floor((units - whole) * 2**width) + bits >= 2**width
        code = ((exponent - least) << mantissa) + whole
        infinite = (top - least + 2) << mantissa
        return sign | min(code, infinite)

    mask = (1 << width) - 1
    want = [
        one(float(x), int(r) >> 16 & mask) << 16 | one(float(y), int(r) & mask)
        for x, y, r in zip(a, b, rbits, strict=True)
    ]
    assert got.tolist() == want


@pytest.mark.parametrize("name", ["e4m3", "e2m1"])
def test_scaled_from_narrow(name: str) -> None:
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 16 if name == "e2m1" else 126, (64, 2)).astype(np.uint16)
    words = (codes[:, 1] << (4 if name == "e2m1" else 8) | codes[:, 0]).astype(np.uint16)
    exponents = rng.integers(120, 135, (64, 2)).astype(np.uint16)
    scales = (exponents[:, 1] << 8 | exponents[:, 0]).astype(np.uint16)
    prelude, source = (".reg .b8 %q0; cvt.u8.u16 %q0, %xa;", "%q0") if name == "e2m1" else ("", "{a}")
    text = f"{prelude} cvt.rn.scaled::n2::ue8m0.bf16x2.{name}x2 {{d}}, {source}, {{b}};"
    got = apply(text, np.zeros(1, np.uint32), words, scales, target="sm_100a").view(ml_dtypes.bfloat16).reshape(-1, 2)
    values = codes.astype(np.uint8).view(ML[name]).astype(np.float64)
    assert (got.astype(np.float64) == values * 2.0 ** (exponents.astype(int) - 127)).all()


@pytest.mark.parametrize("scaled", [False, True])
def test_fixed_point(scaled: bool) -> None:
    a, b = (np.random.default_rng(s).uniform(-3, 3, 200).astype(np.float32) for s in (1, 2))
    scales = np.full(200, 128 << 8 | 126, np.uint16)  # 2 for the upper element, 1/2 for the lower one.
    head = "cvt.rn.satfinite" + (".scaled::n2::ue8m0" if scaled else "")
    tail = ", {c}" if scaled else ""
    text = f"{head}.s2f6x2.f32 {{d}}, {{a}}, {{b}}{tail};"
    got = apply(text, np.zeros(1, np.uint16), a, b, *([scales] if scaled else []), target="sm_100a")

    def one(x: Array, scale: float) -> Array:
        exact = np.clip(np.rint(x.astype(np.float64) / scale * 64), -128, 127).astype(int)
        return exact & 0xFF

    factors = (2.0, 0.5) if scaled else (1.0, 1.0)
    assert (got == (one(a, factors[0]) << 8 | one(b, factors[1]))).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("mode", ["rn", "rz", "rp"])
def test_unsigned_scales(mode: str) -> None:
    a, b = inputs()
    got = apply(
        f"cvt.{mode}.satfinite.ue5m3x2.f32 {{d}}, {{a}}, {{b}};", np.zeros(1, np.uint16), a, b, target="sm_107a"
    )
    want = [
        nearest(abs(x), "ue5m3", mode) << 8 | nearest(abs(y), "ue5m3", mode)
        for x, y in zip(a.tolist(), b.tolist(), strict=True)
    ]
    assert got.tolist() == want


def test_minus_zero_becomes_zero() -> None:
    a, b = np.array([-0.0, -1e-9, 1.0, -1.0], np.float32), np.array([-1.0, -0.0, -1e-9, 0.0], np.float32)
    got = apply("cvt.rn.satfinite.pzo.e4m3x2.f32 {d}, {a}, {b};", np.zeros(1, np.uint16), a, b, target="sm_107a")
    assert got.tolist() == [0x00B8, 0x0000, 0x3800, 0xB800]
    got = apply("cvt.rn.pzo.f16.f32 {d}, {a};", np.zeros(1, np.uint16), a, target="sm_107a")
    assert got.tolist() == [0x0000, 0x0000, 0x3C00, 0xBC00]
