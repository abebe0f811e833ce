"""Comparisons, selections, moves and conversions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.sim.harness import apply, floats, integers, launch, round_exactly, same

pytestmark = pytest.mark.filterwarnings("ignore:.*encountered in cast:RuntimeWarning")

INTEGERS: dict[str, Any] = {
    "u8": np.uint8, "s8": np.int8, "u16": np.uint16, "s16": np.int16,
    "u32": np.uint32, "s32": np.int32, "u64": np.uint64, "s64": np.int64,
}  # fmt: skip
FLOATS: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}

ORDERED: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("type_", ["u16", "s16", "u32", "s32", "u64", "s64"])
def test_integer_comparisons(type_: str) -> None:
    a, b = (integers(INTEGERS[type_], seed=i) for i in range(2))
    b[:50] = a[:50]
    for cmp, formula in ORDERED.items():
        out = apply(f"setp.{cmp}.{type_} {{d}}, {{a}}, {{b}};", np.empty(0, np.bool_), a, b)
        assert out.tolist() == [formula(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]


@pytest.mark.sample(2)
@pytest.mark.parametrize("type_", ["f16", "bf16", "f32", "f64"])
def test_float_comparisons(type_: str) -> None:
    source = floats(np.float32, seed=1).astype(FLOATS[type_]), floats(np.float32, seed=2).astype(FLOATS[type_])
    a, b = (s.view(f"u{s.dtype.itemsize}") for s in source)
    pairs = list(zip(*(s.astype(np.float64).tolist() for s in source), strict=True))
    for cmp, formula in ORDERED.items():
        for suffix, nan in (("", False), ("u", True)):
            out = apply(f"setp.{cmp}{suffix}.{type_} {{d}}, {{a}}, {{b}};", np.empty(0, np.bool_), a, b)
            want = [nan if math.isnan(x) or math.isnan(y) else formula(x, y) for x, y in pairs]
            assert out.tolist() == want, cmp + suffix
    for cmp, unordered in (("num", False), ("nan", True)):
        out = apply(f"setp.{cmp}.{type_} {{d}}, {{a}}, {{b}};", np.empty(0, np.bool_), a, b)
        assert out.tolist() == [(math.isnan(x) or math.isnan(y)) == unordered for x, y in pairs]


def test_joined_comparisons() -> None:
    a, b = (integers(np.int32, seed=i) for i in range(2))
    c = integers(np.uint8) > 100
    for boolop, join in (("and", np.logical_and), ("or", np.logical_or), ("xor", np.logical_xor)):
        text = f"setp.lt.{boolop}.s32 {{d}}|%p1, {{a}}, {{b}}, !{{c}};"
        assert (apply(text, np.empty(0, np.bool_), a, b, c) == join(a < b, ~c)).all()
        text = f"setp.lt.{boolop}.s32 %p1|{{d}}, {{a}}, {{b}}, {{c}};"
        assert (apply(text, np.empty(0, np.bool_), a, b, c) == join(a >= b, c)).all()


def test_set() -> None:
    a, b = (integers(np.int32, seed=i) for i in range(2))
    out = apply("set.gt.u32.s32 {d}, {a}, {b};", np.empty(0, np.uint32), a, b)
    assert (out == np.where(a > b, 0xFFFFFFFF, 0)).all()
    out = apply("set.gt.f32.s32 {d}, {a}, {b};", np.empty(0, np.float32), a, b)
    assert (out == (a > b)).all()
    x, y = (floats(np.float16, seed=i) for i in range(2))
    out = apply("set.ltu.f16x2.f16x2 {d}, {a}, {b};", np.empty(0, np.uint32), x.view(np.uint32), y.view(np.uint32))
    assert (out.view(np.float16) == ~(x >= y)).all()


def test_selection() -> None:
    a, b = (integers(np.uint32, seed=i) for i in range(2))
    c = integers(np.uint8) > 100
    assert (apply("selp.b32 {d}, {a}, {b}, {c};", np.empty(0, np.uint32), a, b, c) == np.where(c, a, b)).all()
    s = integers(np.int32, seed=9)
    assert (apply("slct.u32.s32 {d}, {a}, {b}, {c};", np.empty(0, np.uint32), a, b, s) == np.where(s >= 0, a, b)).all()


# -- conversions ----------------------------------------------------------------------------------------------


def clamp(value: int, type_: str) -> int:
    info = np.iinfo(INTEGERS[type_])
    return max(int(info.min), min(int(info.max), value))


def wrap(value: int, type_: str) -> int:
    bits = int(type_[1:])
    value &= (1 << bits) - 1
    return value - (1 << bits) if type_[0] == "s" and value >> (bits - 1) else value


@pytest.mark.parametrize("atype", INTEGERS)
@pytest.mark.parametrize("type_", INTEGERS)
def test_between_integers(type_: str, atype: str) -> None:
    a = integers(INTEGERS[atype], 100)
    load = {8: "cvt.u32.u16 %r1, {a};", 16: "cvt.u32.u16 %r1, {a};"}.get(8 * a.dtype.itemsize, "")
    source = "%r1" if load else "{a}"
    wide = np.int64 if type_[0] == "s" else np.uint64
    text = f"{load} cvt.{type_}.{atype} %rd1, {source}; mov.b64 {{d}}, %rd1;"
    if 8 * a.dtype.itemsize <= 16 or type_.endswith("64"):
        pass
    elif int(type_[1:]) <= 32:
        text = f"cvt.{type_}.{atype} %r2, {{a}}; cvt.{type_[0]}64.{type_[0]}32 {{d}}, %r2;"
    out = apply(text, np.empty(0, wide), a)
    assert out.tolist() == [wrap(v, type_) for v in a.tolist()]


def test_saturating_integers() -> None:
    a = integers(np.int32)
    for type_ in ("u8", "s8", "u16", "s16", "u32"):
        out = apply(f"cvt.sat.{type_}.s32 %r1, {{a}}; cvt.s64.{type_} {{d}}, %r1;", np.empty(0, np.int64), a)
        assert out.tolist() == [clamp(v, type_) for v in a.tolist()]


WHOLE: dict[str, Callable[[float], int]] = {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}


@pytest.mark.sample(5)
@pytest.mark.parametrize("atype", ["f16", "f32", "f64"])
@pytest.mark.parametrize("type_", ["u16", "s16", "u32", "s32", "u64", "s64"])
def test_floats_to_integers(type_: str, atype: str) -> None:
    a = floats(FLOATS[atype])
    a[50:200] = (a[50:200].astype(np.float64) % 5000 - 2500).astype(a.dtype)
    bits = int(type_[1:])
    for mode, rounding in WHOLE.items():
        out = apply(f"cvt.{mode}.{type_}.{atype} {{d}}, {{a}};", np.empty(0, INTEGERS[type_]), a)
        for value, result in zip(a.astype(np.float64).tolist(), out.tolist(), strict=True):
            if math.isnan(value):
                wide = atype == "f64" or bits == 64
                assert result == (wrap(1 << (bits - 1), type_) if wide else 0)
            elif math.isinf(value):
                assert result == clamp(1 << 70 if value > 0 else -(1 << 70), type_)
            else:
                assert result == clamp(rounding(value), type_), (mode, value)


@pytest.mark.sample(8)
@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
@pytest.mark.parametrize("type_", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("atype", ["u32", "s32", "u64", "s64"])
def test_integers_to_floats(atype: str, type_: str, mode: str) -> None:
    a = integers(INTEGERS[atype], 150)
    word = f"u{np.dtype(FLOATS[type_]).itemsize}"
    out = apply(f"cvt.{mode}.{type_}.{atype} {{d}}, {{a}};", np.empty(0, word), a).view(FLOATS[type_])
    want = np.array([round_exactly(Fraction(v), type_, mode) for v in a.tolist()], FLOATS[type_])
    assert same(out, want)


@pytest.mark.sample(6)
@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
@pytest.mark.parametrize(("type_", "atype"), [("f16", "f32"), ("f16", "f64"), ("f32", "f64"), ("bf16", "f32")])
def test_narrowing(type_: str, atype: str, mode: str) -> None:
    a = floats(FLOATS[atype], 600)
    a[100:300] = floats(np.float32, 200, 8).astype(a.dtype)
    word = f"u{np.dtype(FLOATS[type_]).itemsize}"
    out = apply(f"cvt.{mode}.{type_}.{atype} {{d}}, {{a}};", np.empty(0, word), a).view(FLOATS[type_])
    for source, result in zip(a.astype(np.float64).tolist(), out.astype(np.float64).tolist(), strict=True):
        if math.isnan(source):
            assert math.isnan(result)
        elif math.isinf(source) or source == 0:
            assert result == source
            assert math.copysign(1, result) == math.copysign(1, source)
        else:
            want = round_exactly(Fraction(source), type_, mode)
            assert result == want, (source, result, want)


@pytest.mark.parametrize(("type_", "atype"), [("f32", "f16"), ("f64", "f16"), ("f64", "f32"), ("f32", "bf16")])
def test_widening(type_: str, atype: str) -> None:
    a = floats(np.float32).astype(FLOATS[atype])
    word = f"u{a.dtype.itemsize}"
    out = apply(f"cvt.{type_}.{atype} {{d}}, {{a}};", np.empty(0, FLOATS[type_]), a.view(word))
    assert np.array_equal(out.astype(np.float64), a.astype(np.float64), equal_nan=True)


def test_to_whole_floats() -> None:
    a = floats(np.float32)
    for mode, function in (("rni", np.rint), ("rzi", np.trunc), ("rmi", np.floor), ("rpi", np.ceil)):
        assert same(apply(f"cvt.{mode}.f32.f32 {{d}}, {{a}};", np.empty(0, np.float32), a), function(a))


def test_pairs_of_halves() -> None:
    a, b = (floats(np.float32, seed=i) for i in range(2))
    with np.errstate(all="ignore"):
        for type_, dtype in (("f16", np.float16), ("bf16", ml_dtypes.bfloat16)):
            out = apply(f"cvt.rn.{type_}x2.f32 {{d}}, {{a}}, {{b}};", np.empty(0, np.uint32), a, b)
            halves = out.view(dtype).reshape(-1, 2).astype(np.float32)
            assert np.array_equal(halves[:, 1], a.astype(dtype).astype(np.float32), equal_nan=True)
            assert np.array_equal(halves[:, 0], b.astype(dtype).astype(np.float32), equal_nan=True)


@pytest.mark.parametrize(
    ("type_", "dtype", "limit"),
    [("e4m3", ml_dtypes.float8_e4m3fn, 448.0), ("e5m2", ml_dtypes.float8_e5m2, 57344.0)],
)
def test_eight_bit_floats(type_: str, dtype: Any, limit: float) -> None:
    a, b = (floats(np.float32, seed=i, special=False) for i in range(2))
    out = apply(f"cvt.rn.satfinite.{type_}x2.f32 {{d}}, {{a}}, {{b}};", np.empty(0, np.uint16), a, b)
    codes = out.view(np.uint8).reshape(-1, 2).view(dtype)
    assert (codes[:, 1] == np.clip(a, -limit, limit).astype(dtype)).all()
    assert (codes[:, 0] == np.clip(b, -limit, limit).astype(dtype)).all()
    every = np.arange(1 << 16, dtype=np.uint16)
    wide = apply(f"cvt.rn.f16x2.{type_}x2 {{d}}, {{a}};", np.empty(0, np.uint32), every).view(np.float16)
    assert np.array_equal(wide, every.view(np.uint8).view(dtype).astype(np.float16), equal_nan=True)


def test_tf32() -> None:
    a = floats(np.float32, special=False)
    out = apply("cvt.rna.tf32.f32 {d}, {a};", np.empty(0, np.uint32), a)
    assert ((out & 0x1FFF) == 0).all()
    near = out.view(np.float32)
    finite = np.isfinite(near)
    assert (
        np.abs(near.astype(np.float64) - a)[finite] <= np.abs(np.spacing(a).astype(np.float64))[finite] * 4096
    ).all()


def test_cvt_pack() -> None:
    a, b = (integers(np.int32, seed=i) for i in range(2))
    c = integers(np.uint32, seed=2)
    out = apply("cvt.pack.sat.s16.s32 {d}, {a}, {b};", np.empty(0, np.uint32), a, b)
    pairs = list(zip(a.tolist(), b.tolist(), c.tolist(), strict=True))
    assert out.tolist() == [(clamp(x, "s16") & 0xFFFF) << 16 | clamp(y, "s16") & 0xFFFF for x, y, _ in pairs]
    out = apply("cvt.pack.sat.u8.s32.b32 {d}, {a}, {b}, {c};", np.empty(0, np.uint32), a, b, c)
    assert out.tolist() == [(z << 16 | clamp(x, "u8") << 8 | clamp(y, "u8")) & 0xFFFFFFFF for x, y, z in pairs]


# -- moves ----------------------------------------------------------------------------------------------------


def test_packing_and_unpacking() -> None:
    a = integers(np.uint64)
    text = "mov.b64 {{%r1, %r2}}, {a}; mov.b32 {{%rs1, %rs2}}, %r1; mov.b32 %r3, {{%rs2, %rs1}}; mov.b64 {d}, {{%r2, %r3}};"
    out = apply(text, np.empty(0, np.uint64), a)
    assert out.tolist() == [(v & 0xFFFF) << 48 | (v >> 16 & 0xFFFF) << 32 | v >> 32 for v in a.tolist()]


def test_swap_within_one_register() -> None:
    a = integers(np.uint32)
    out = apply("mov.b32 {{%rs1, %rs2}}, {a}; mov.b32 {d}, {{%rs2, %rs1}};", np.empty(0, np.uint32), a)
    assert (out == (a << 16 | a >> 16)).all()


def test_special_registers() -> None:
    names = [
        "tid.x",
        "tid.y",
        "ntid.x",
        "ctaid.x",
        "ctaid.y",
        "nctaid.x",
        "laneid",
        "warpid",
        "lanemask_lt",
        "lanemask_ge",
    ]
    out = np.zeros((6, 80, len(names)), np.uint32)
    body = """ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mov.u32 %r3, %ctaid.y; mad.lo.u32 %r1, %r3, %r2, %r1;
    mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.y; mad.lo.u32 %r2, %r3, 40, %r2; mad.lo.u32 %r1, %r1, 80, %r2;
    """
    body += f"mad.wide.u32 %rd1, %r1, {4 * len(names)}, %rd1;"
    body += (
        "".join(f"mov.u32 %r9, %{name}; st.global.u32 [%rd1+{4 * i}], %r9;\n" for i, name in enumerate(names)) + "ret;"
    )
    launch(body, [out], block=(40, 2), grid=(3, 2))
    for cta in range(6):
        for thread in range(80):
            lane = thread % 32
            want = [thread % 40, thread // 40, 40, cta % 3, cta // 3, 3, lane, thread // 32, (1 << lane) - 1]
            assert out[cta, thread].tolist() == [*want, 0xFFFFFFFF & ~((1 << lane) - 1)]


def test_fourth_elements_of_special_registers_are_zero() -> None:
    names = ("%nctaid", "%ntid", "%ctaid", "%tid")
    moves = " ".join(f"mov.u32 %r1, {name}.w; st.global.u32 [%rd1+{4 * n}], %r1;" for n, name in enumerate(names))
    out = np.full(5, 9, np.uint32)
    launch(f"ld.param.u64 %rd1, [p0]; {moves} mov.u32 %r1, %nctaid.z; st.global.u32 [%rd1+16], %r1; ret;", [out], 1)
    assert out.tolist() == [0, 0, 0, 0, 1]


def test_elements_may_have_the_names_of_colours() -> None:
    out = np.zeros(4, np.uint32)
    body = """ld.param.u64 %rd1, [p0]; .reg .v4 .u32 v; mov.u32 v.r, %nctaid.r; mov.u32 v.y, %ntid.g; mov.u32 v.z, 7;
    mov.u32 v.a, %tid.a; st.global.v4.u32 [%rd1], {v.x, v.g, v.b, v.w}; ret;"""
    launch(body, [out], block=(1, 2), grid=1)
    assert out.tolist() == [1, 2, 7, 0]
