"""What tensor cores round (`mma="hardware"`): against sums of fractions, and observations that were published."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.sim.harness import Array, launch
from tests.sim.test_matrix import FORMATS, codes, multiply, registers
from tests.sim.test_wgmma import product, stage, word
from weft.sim import SimulationError
from weft.sim.tensor_core import core

LEAST = {"f16": -14, "bf16": -126, "tf32": -126, "f32": -126, "e4m3": -6, "e5m2": -14}
SIGNIFICAND = {"f16": 10, "bf16": 7, "tf32": 10, "e4m3": 3, "e5m2": 2}
CORES = [
    ("sm_70", "mma", "f16", "f32", 23, 4, 23),
    ("sm_75", "mma", "f16", "f32", 24, 8, 23),
    ("sm_80", "mma", "f16", "f32", 24, 8, 23),
    ("sm_80", "mma", "f16", "f16", 24, 8, 10),
    ("sm_86", "mma", "bf16", "f32", 24, 8, 23),
    ("sm_80", "wmma", "tf32", "f32", 24, 4, 23),
    ("sm_89", "mma", "e4m3", "f32", 13, 16, 13),
    ("sm_90a", "mma", "e4m3", "f32", 25, 32, 23),
    ("sm_90a", "wgmma", "f16", "f32", 25, 16, 23),
    ("sm_90a", "wgmma", "bf16", "f32", 25, 16, 23),
    ("sm_90a", "wgmma", "tf32", "f32", 25, 8, 23),
    ("sm_90a", "wgmma", "e4m3", "f32", 13, 32, 13),
    ("sm_90a", "wgmma", "e5m2", "f16", 13, 32, 10),
    ("sm_100a", "tcgen05", "e5m2", "f32", 25, 32, 23),
]
"""Target, family and types; bits below the greatest exponent, products at once, and bits of the accumulator."""


def exponent(value: float, type_: str) -> int:
    return max(math.frexp(value)[1] - 1, LEAST[type_]) if value else LEAST[type_]


def cut(value: Fraction, unit: Fraction) -> Fraction:
    whole = abs(value) // unit * unit
    return -whole if value < 0 else whole


def dot(a: Array, b: Array, c: float, type_: str, dtype: str, bits: int, step: int, result: int) -> float:
    """One element of D, by fractions."""
    for k in range(0, len(a), step):
        terms = [(Fraction(float(x)) * Fraction(float(y)), exponent(x, type_) + exponent(y, type_))
                 for x, y in zip(a[k : k + step].tolist(), b[k : k + step].tolist(), strict=True)]  # fmt: skip
        terms.append((Fraction(c), exponent(c, dtype)))
        top = max(e if value else -126 for value, e in terms)
        exact = sum((cut(value, Fraction(2) ** (top - bits)) for value, _ in terms), Fraction(0))
        if dtype == "f16":
            with np.errstate(over="ignore"):
                c = float(np.float16(float(exact)))
        else:
            at = exponent(float(cut(exact, Fraction(1, 1 << 200))), "f32")
            c = float(cut(exact, Fraction(2) ** (at - result)))
    return c


def elements(rng: np.random.Generator, shape: tuple[int, int], type_: str) -> Array:
    """Numbers of a format over a part of its range that differs from row to row, subnormals and zeros among them."""
    low, bits = LEAST[type_], SIGNIFICAND[type_]
    base = rng.integers(max(low, -20) - 3, 6, (shape[0], 1))
    at = np.clip(base + rng.integers(-6, 7, shape), low, 15 if type_ != "e4m3" else 7)
    whole = rng.integers(0, 2 << bits, shape) * (rng.random(shape) > 0.1)
    return rng.choice([-1.0, 1.0], shape) * np.ldexp(whole.astype(float), at - bits)


@pytest.mark.sample(7)
@pytest.mark.parametrize(("target", "stem", "type_", "dtype", "bits", "step", "result"), CORES)
def test_against_fractions(target: str, stem: str, type_: str, dtype: str, bits: int, step: int, result: int) -> None:
    rng = np.random.default_rng(bits + step)
    a, b = elements(rng, (8, 2 * step), type_), elements(rng, (8, 2 * step), type_)
    c = rng.choice([0.0, 1.0, -3.0], (8, 8)) * np.ldexp(
        1 + rng.integers(0, 1 << 10, (8, 8)) / 1024, rng.integers(-12, 6, (8, 8))
    )
    sums = core(target, stem, type_, type_, dtype)
    assert sums is not None
    out = sums(a[None], b.T[None], c[None])[0]
    for i, j in itertools.product(range(8), range(8)):
        want = dot(a[i], b[j], float(c[i, j]), type_, dtype, bits, step, result)
        assert out[i, j] == want, (i, j, out[i, j].hex(), want.hex())


def test_values_that_are_no_numbers() -> None:
    sums = core("sm_80", "mma", "f16", "f16", "f32")
    assert sums is not None
    a = np.array([[math.inf, 1, 0, 0], [math.inf, -math.inf, 0, 0], [math.nan, 1, 0, 0], [65504, 65504, 0, 0]])
    out = sums(a[None], np.ones((1, 4, 1)), np.array([[[0.0], [0.0], [0.0], [3.0e38]]]))[0, :, 0]
    assert out[0] == math.inf
    assert np.isnan(out[1:3]).all()
    assert np.isfinite(out[3])


def test_what_has_no_model() -> None:
    assert core("sm_61", "mma", "f16", "f16", "f32") is None
    assert core("sm_80", "mma", "s8", "s8", "s32") is None


def fused(target: str, shape: str, type_: str, row: list[float], accumulate: float, **more: Any) -> float:
    """D[0, 0] of an `mma` whose A has a row of numbers, and whose B is ones."""
    m, n, k = (int(v) for v in shape[1:].replace("n", " ").replace("k", " ").split())
    a, b, c = np.zeros((m, k)), np.ones((k, n)), np.full((m, n), accumulate, np.float32)
    a[0, : len(row)] = row
    opcode, bits = f"mma.sync.aligned.{shape}.row.col.f32.{type_}.{type_}.f32", FORMATS[type_][0]
    given = (registers(codes(a, type_), "a", m, bits), registers(codes(b, type_), "b", m, bits),
             registers(c.view(np.uint32).astype(np.uint64), "c", m, 32))  # fmt: skip
    return float(multiply(opcode, *given, target=target, **more).view(np.float32)[0, 0])


@pytest.mark.parametrize(("target", "kept"), [("sm_80", 24), ("sm_90", 25)])
def test_terms_are_cut_below_the_greatest(target: str, kept: int) -> None:
    """Two halves of the last place that an accumulator of 1 has count where the bit below is kept, and get lost below."""
    for power in (24, 25, 26):
        row, want = [2.0 ** (12 - power), 2.0 ** (12 - power)], float(np.float32(1 + 2.0 ** (1 - power)))
        small = [value * 2.0**-12 for value in row]
        assert all(float(np.float16(value)) == value for value in row)
        found = fused(target, "m16n8k8", "f16", row, 4096.0, mma="hardware") / 4096
        assert small[0] * 2 == 2.0 ** (1 - power)
        assert found == (want if power <= kept and 1 - power >= -23 else 1.0)


def test_sums_are_cut_not_rounded() -> None:
    row = [1.5 * 2.0**-11]
    assert fused("sm_80", "m16n8k8", "f16", row, 4096.0) == 4096 + 2.0**-10
    assert fused("sm_80", "m16n8k8", "f16", row, 4096.0, mma="hardware") == 4096 + 2.0**-11


def test_halves_are_summed_in_two_steps_on_ampere() -> None:
    """The second half of K is added to a sum that has been cut already; Hopper adds all sixteen products at once."""
    row = [4096.0, *[0.0] * 7, 2.0**-12, 2.0**-12]
    early = [4096.0, 2.0**-12, 2.0**-12]
    assert fused("sm_80", "m16n8k16", "f16", row, 0.0, mma="hardware") == 4096 + 2.0**-11
    assert fused("sm_90", "m16n8k16", "f16", early, 0.0, mma="hardware") == 4096 + 2.0**-11


def test_wgmma() -> None:
    """Products of a warpgroup give what the model gives, with accumulators in f32."""
    rng = np.random.default_rng(4)
    a, b = rng.standard_normal((64, 16)).astype(np.float16), rng.standard_normal((32, 16)).astype(np.float16)
    c = rng.standard_normal((64, 32)).astype(np.float32)
    (bytes_a, lead_a, stride_a), (bytes_b, lead_b, stride_b) = stage(a, 3, False), stage(b, 3, False)
    size = max(len(bytes_a), len(bytes_b))
    images = [np.resize(np.concatenate([image, np.zeros(size, np.uint8)]), size) for image in (bytes_a, bytes_b)]
    descriptor = f"mov.u64 %rd6, {word(0, lead_a, stride_a, 3)};"
    given = (a, b, c, "%rd6", "1, 1, 1, 0, 0", word(size, lead_b, stride_b, 3), images, descriptor)
    out, once = product(*given, mma="hardware"), product(*given)
    sums = core("sm_90a", "wgmma", "f16", "f16", "f32")
    assert sums is not None
    want = sums(a.astype(float)[None], b.T.astype(float)[None], c.astype(float)[None])[0]
    assert (out == want).all()
    assert (out != once).any()
    assert np.abs(out - once).max() < 1e-5


def test_narrow_floats_on_hopper() -> None:
    """A sum of thousands of e4m3 products stays behind where its accumulator has 13 bits."""
    sums, wide = core("sm_90a", "wgmma", "e4m3", "e4m3", "f32"), core("sm_100a", "tcgen05", "e4m3", "e4m3", "f32")
    assert sums is not None
    assert wide is not None
    values = np.random.default_rng(0).uniform(0, 1, (1, 1, 4096)).astype(ml_dtypes.float8_e4m3fn).astype(float)
    exact = (values @ values.transpose(0, 2, 1)).item()
    errors = [1 - s(values, values.transpose(0, 2, 1), np.zeros((1, 1, 1))).item() / exact for s in (sums, wide)]
    assert 0.02 < errors[0] < 0.1
    assert 0 <= errors[1] < 1e-5


def test_unknown_rounding() -> None:
    with pytest.raises(SimulationError, match="mma") as caught:
        launch("ret;", [], mma="hardwear")
    assert "did you mean hardware?" in caught.value.hint
