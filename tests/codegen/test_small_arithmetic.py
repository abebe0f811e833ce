"""Arithmetic on floats of 8 bits: of all pairs what NumPy computes in f32, the largest number where that is larger."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.codegen.support import compiled
from weft.sim import run

FORMATS: dict[str, Any] = {"f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2}
OPERATIONS: dict[str, Any] = {
    "arith.addf": np.add, "arith.subf": np.subtract, "arith.mulf": np.multiply, "arith.divf": np.divide,
    "arith.maximumf": np.maximum, "arith.minimumf": np.minimum, "arith.maxnumf": np.fmax, "arith.minnumf": np.fmin,
}  # fmt: skip


def computed(body: str, given: list[Any], result: str, dtype: Any) -> Any:
    """What a kernel stores that computes `%r` from `%x` and `%y`."""
    name = "f8E4M3FN" if given[0].dtype == FORMATS["f8E4M3FN"] else "f8E5M2"
    text = f"""gpu.module @m {{ gpu.func @k(%a: memref<?x{name}>, %b: memref<?x{name}>, %o: memref<?x{result}>) kernel {{
      %i = gpu.global_id x
      %x = memref.load %a[%i] : memref<?x{name}>
      %y = memref.load %b[%i] : memref<?x{name}>
      {body}
      memref.store %r, %o[%i] : memref<?x{result}>
      gpu.return
    }} }}"""
    count = len(given[0])
    out = np.zeros(count, dtype)
    arrays = [*(array.view(np.uint8) for array in given), out]
    run(compiled(text, "sm_90"), "k", count // 256, 256, [p for v in arrays for p in (v, v, 0, count, 1)])
    return out


def pairs(name: str) -> list[Any]:
    one, two = np.meshgrid(np.arange(256, dtype=np.uint8), np.arange(256, dtype=np.uint8))
    return [part.ravel().copy().view(FORMATS[name]) for part in (one, two)]


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_operations(operation: str, name: str) -> None:
    dtype = FORMATS[name]
    given = pairs(name)
    found = computed(f"%r = {operation} %x, %y : {name}", given, name, np.uint8).view(dtype).astype(np.float32)
    a, b = (array.astype(np.float32) for array in given)
    with np.errstate(all="ignore"):
        wanted = OPERATIONS[operation](a, b)
    largest = np.float32(ml_dtypes.finfo(dtype).max)
    if "m" not in operation.removeprefix("arith.")[0] or operation == "arith.mulf":
        wanted = np.where(np.isnan(wanted), wanted, wanted.clip(-largest, largest))
    np.testing.assert_array_equal(found, wanted.astype(dtype).astype(np.float32))


@pytest.mark.parametrize("name", FORMATS)
def test_comparisons_and_integers(name: str) -> None:
    given = pairs(name)
    a, b = (array.astype(np.float32) for array in given)
    less = computed(f"%c = arith.cmpf ult, %x, %y : {name}\n%r = arith.extui %c : i1 to i32", given, "i32", np.int32)
    np.testing.assert_array_equal(less, ~(a >= b))
    finite = np.isfinite(a)
    whole = computed(f"%r = arith.fptosi %x : {name} to i32", given, "i32", np.int32)
    np.testing.assert_array_equal(whole[finite], np.trunc(a[finite]))
    back = computed(
        f"%n = arith.fptosi %x : {name} to i32\n%r = arith.sitofp %n : i32 to {name}", given, name, np.uint8
    )
    np.testing.assert_array_equal(back.view(FORMATS[name]).astype(np.float32)[finite], np.trunc(a[finite]))
