"""Elementary functions of f32, run on the simulator over samples of all bit patterns, against f64."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.codegen import cuda_bounds
from tests.codegen.functions import SINGLE, errors, operands
from tests.codegen.support import elementwise


def worst(name: str, count: int, seed: int) -> tuple[float, list[float]]:
    """The largest error of a function, and where it is."""
    function = SINGLE[name]
    values = operands(count, function.operands, seed)
    found = elementwise(function.text(), *values, result=np.float32)
    with np.errstate(all="ignore"):
        wanted = np.asarray(function.reference(*(v.astype(np.float64) for v in values)))
    error = errors(found, wanted)
    place = int(error.argmax())
    return float(error[place]), [float(v[place]) for v in values]


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", SINGLE)
def test_within_bounds(name: str) -> None:
    error, place = worst(name, 1 << 15, 1)
    assert error <= SINGLE[name].bound, place


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_near_multiples_of_a_right_angle(name: str) -> None:
    """Where what is left of an argument has the fewest bits; from small ones on to those that take another way."""
    function = SINGLE[name]
    turns = np.unique(np.exp2(np.random.default_rng(3).uniform(0, 24, 1 << 14)).astype(np.int64))
    values = (turns * (np.pi / 2)).astype(np.float32)
    values = np.resize(values, 1 << 15)
    found = elementwise(function.text(), values, result=np.float32)
    error = errors(found, np.asarray(function.reference(values.astype(np.float64))))
    assert error.max() <= function.bound, values[error.argmax()]


@pytest.mark.slow
@pytest.mark.parametrize("name", SINGLE)
def test_within_bounds_on_many(name: str) -> None:
    for seed in range(4):
        error, place = worst(name, 1 << 22, seed)
        assert error <= SINGLE[name].bound, place


@pytest.mark.slow
def test_coefficients_are_what_the_script_derives() -> None:
    script = Path(__file__).parents[2] / "scripts" / "derive_coefficients.py"
    assert subprocess.run([sys.executable, script, "--check"], check=False).returncode == 0


@pytest.mark.parametrize("name", SINGLE)
def test_bounds_are_no_wider_than_documented(name: str) -> None:
    assert SINGLE[name].bound <= cuda_bounds.F32[name] + 0.5


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_narrow_floats_go_through_f32(name: str, kind: str) -> None:
    """A result of 11 or 8 bits is the nearest one but where f32 lies beside a tie: within 0.51 ulp."""
    function = SINGLE[name]
    dtype = np.dtype(np.float16 if kind == "f16" else ml_dtypes.bfloat16)
    with np.errstate(all="ignore"):
        # Of NaNs the quiet one only: C's pow gives 1 for pow(NaN, 0), but a NaN for a signalling one.
        values = [np.where(np.isnan(v), np.nan, v)[:512].astype(dtype) for v in operands(1 << 14, function.operands, 3)]
    found = elementwise(function.text().replace("f32", kind), *values, result=dtype)
    with np.errstate(all="ignore"):
        exact = np.asarray(function.reference(*(v.astype(np.float64) for v in values)))
        wanted = exact.astype(dtype)
        nearly = np.abs(found.astype(np.float64) - exact) <= 0.51 * np.abs(
            (wanted.view(np.uint16) + 1).view(dtype).astype(np.float64) - wanted.astype(np.float64)
        )
    same = (found == wanted) | (np.isnan(found.astype(np.float32)) & np.isnan(wanted.astype(np.float32)))
    assert (same | nearly).all(), [v[~(same | nearly)][:4] for v in values]
