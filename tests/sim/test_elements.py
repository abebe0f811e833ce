"""Elements of matrices: the value of each code of each type, how words hold them, and how sums become words again."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.sim.harness import round_exactly
from weft.sim.elements import SMALL_BITS, decode, elements_of, finisher, product, values_of

FLOATS = {"f16": (5, 10, 15, "inf"), "bf16": (8, 7, 127, "inf"), "e5m2": (5, 2, 15, "inf"), "e4m3": (4, 3, 7, "nan"), "ue4m3": (4, 3, 7, "nan"),
          "e3m2": (3, 2, 3, ""), "e2m3": (2, 3, 1, ""), "e2m1": (2, 1, 1, "")}  # fmt: skip
"""Bits of the exponent and of the significand, the bias, and what the greatest exponent stands for."""
INTEGERS = ("u8", "s8", "u4", "s4", "u16", "s16", "b1")


def value(code: int, type_: str) -> float:
    if type_ == "ue8m0":
        return math.nan if code == 255 else math.ldexp(1, code - 127)
    if type_ not in FLOATS:
        bits = int(type_[1:])
        return code - (1 << bits) if type_[0] == "s" and code >> bits - 1 else code
    exponent_bits, bits, bias, special = FLOATS[type_]
    sign = -1 if code >> exponent_bits + bits & 1 and type_[0] != "u" else 1
    exponent, fraction = code >> bits & (1 << exponent_bits) - 1, code & (1 << bits) - 1
    if special == "inf" and exponent == (1 << exponent_bits) - 1:
        return math.nan if fraction else sign * math.inf
    if special == "nan" and exponent == (1 << exponent_bits) - 1 and fraction == (1 << bits) - 1:
        return math.nan
    return sign * math.ldexp(fraction + ((1 << bits) if exponent else 0), max(exponent, 1) - bias - bits)


def same(found: list[float], wanted: list[float]) -> bool:
    return len(found) == len(wanted) and all(
        (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))
        for a, b in zip(found, wanted, strict=True)
    )


@np.errstate(all="ignore")
@pytest.mark.parametrize("type_", [*FLOATS, *INTEGERS, "ue8m0"])
def test_the_value_of_every_code(type_: str) -> None:
    bits = SMALL_BITS.get(type_) or int(
        "".join(c for c in type_ if c.isdigit()) if type_ in INTEGERS else 16 if type_ in ("f16", "bf16") else 8
    )
    table = values_of(type_)
    codes = range(0, 1 << bits, 1 if bits < 16 else 37)
    assert table is not None and len(table) == 1 << bits
    assert same([table[code] for code in codes], [value(code, type_) for code in codes])
    words = np.array(codes, np.uint16 if bits == 16 else np.uint8)
    if type_ == "e2m1":
        assert same(decode(words << np.uint8(2), type_).tolist(), [value(code, type_) for code in codes])
        assert same(
            decode((words << np.uint8(2)) | np.uint8(0xC3), type_).tolist(), [value(code, type_) for code in codes]
        )
        words = words.astype(np.uint16)
    assert same(decode(words, type_).tolist(), [value(code, type_) for code in codes])


def test_wide_elements() -> None:
    """As they are; of tf32 the low 13 bits do not count."""
    assert values_of("f32") is values_of("s32") is values_of("tf32") is values_of("f64") is None
    words = np.array([0x3F80_0000, 0xC000_1FFF, 0x3F80_3FFF], np.uint32)
    assert decode(words, "tf32").tolist() == [1.0, -2.0, 1.0009765625]
    assert decode(words, "f32").tolist() == words.view(np.float32).astype(np.float64).tolist()
    assert decode(np.array([0xFFFF_FFFF, 5], np.uint32), "s32").tolist() == [-1, 5]
    assert decode(np.array([0xFFFF_FFFF, 5], np.uint32), "u32").tolist() == [(1 << 32) - 1, 5]
    assert decode(np.array([0x3FF8_0000_0000_0000], np.uint64), "f64").tolist() == [1.5]


@pytest.mark.parametrize("bits", [1, 4, 8, 16, 32])
def test_words_hold_elements_from_the_low_bits_up(bits: int) -> None:
    rng = np.random.default_rng(bits)
    for dtype in (np.uint8, np.uint32):
        if np.dtype(dtype).itemsize * 8 < bits:
            continue
        words = rng.integers(0, np.iinfo(dtype).max, (3, 4), dtype, endpoint=True)
        width = 8 * words.itemsize
        wanted = [[int(word) >> at & (1 << bits) - 1 for word in row for at in range(0, width, bits)] for row in words]
        assert elements_of(words, bits).tolist() == wanted


@np.errstate(all="ignore")
def test_sums_become_words() -> None:
    """Of integers the low 32 bits, or the nearest that there is; of floats what is nearest."""
    sums = np.array([0, -1, 2.0**31 - 1, 2.0**31, -(2.0**31) - 5, 2.0**33 + 3])
    assert finisher("s32", clamp=False)(sums).tolist() == [int(x) % (1 << 32) for x in sums]
    assert finisher("s32", clamp=True)(sums).view(np.int32).tolist() == [
        max(-(1 << 31), min((1 << 31) - 1, int(x))) for x in sums
    ]
    values = [0.1, -1 / 3, 65519.99, 1 + 2.0**-11, 1 + 3 * 2.0**-11, 3e-8, 1e-41, 1.00390625, 2.0**100]
    for dtype, bits in (("f16", 16), ("f32", 32), ("f64", 64)):
        found = finisher(dtype, clamp=False)(np.array(values))
        assert found.dtype == f"u{bits // 8}"
        assert found.view(f"f{bits // 8}").tolist() == [round_exactly(Fraction(x), dtype) for x in values]
    rounded = finisher("bf16", clamp=False)(np.array(values))
    assert [value(int(code), "bf16") for code in rounded] == [round_exactly(Fraction(x), "bf16") for x in values]


def test_products_of_large_matrices_in_parts() -> None:
    rng = np.random.default_rng(3)
    for shape, other in (
        ((2, 4, 8), (2, 8, 4)),
        ((1, 512, 64), (1, 64, 32)),
        ((3, 384, 40), (3, 40, 33)),
        ((1, 1023, 300), (1, 300, 2)),
    ):
        a, b = rng.integers(-9, 9, shape).astype(np.float64), rng.integers(-9, 9, other).astype(np.float64)
        found = product(a, b)
        assert found.shape == (shape[0], shape[1], other[2]) and np.array_equal(found, a @ b)
