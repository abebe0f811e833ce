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
    "arith.remf": np.fmod, "math.copysign": np.copysign,
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


@pytest.mark.sample(1)
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


UNARY: dict[str, Any] = {
    "math.sqrt %x": np.sqrt, "math.floor %x": np.floor, "math.ceil %x": np.ceil, "math.trunc %x": np.trunc,
    "math.roundeven %x": np.rint, "math.absf %x": np.abs, "arith.negf %x": np.negative, "math.exp %x": np.exp,
    "math.fma %x, %x, %x": lambda x: x * x + x, "math.rsqrt %x": lambda x: 1 / np.sqrt(x),
    "math.clampf %x to [%x, %x]": lambda x: x, "math.cbrt %x": np.cbrt,
}  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", FORMATS)
def test_functions(name: str) -> None:
    """Of all numbers, as MLIR extends them: in f32, rounded once more."""
    dtype = FORMATS[name]
    numbers = np.arange(256, dtype=np.uint8).view(dtype)
    for operation, function in UNARY.items():
        found = computed(f"%r = {operation} : {name}", [numbers, numbers], name, np.uint8).view(dtype)
        with np.errstate(all="ignore"):
            wanted = function(numbers.astype(np.float32))
        if operation[:10] not in ("math.absf ", "arith.negf", "math.clamp"):
            largest = np.float32(ml_dtypes.finfo(dtype).max)
            wanted = np.where(np.isnan(wanted), wanted, wanted.clip(-largest, largest))
        np.testing.assert_array_equal(found.astype(np.float32), wanted.astype(dtype).astype(np.float32), operation)


def test_the_sign_of_six_bits() -> None:
    text = """gpu.module @m { gpu.func @k(%a: memref<64xi8>, %o: memref<3x64xi8>) kernel {
      %i = gpu.thread_id x
      %b = memref.load %a[%i] : memref<64xi8>
      %bits = arith.trunci %b : i8 to i6
      %x = arith.bitcast %bits : i6 to f6E3M2FN
      %c = arith.constant -1.5 : f6E3M2FN
      OPERATIONS
      gpu.return
    } }"""
    lines = ""
    for row, op in enumerate(("arith.negf %x", "math.absf %x", "math.copysign %x, %c")):
        lines += f"""%r{row} = {op} : f6E3M2FN
          %s{row} = arith.bitcast %r{row} : f6E3M2FN to i6
          %t{row} = arith.extui %s{row} : i6 to i8
          %c{row} = arith.constant {row} : index
          memref.store %t{row}, %o[%c{row}, %i] : memref<3x64xi8>
"""
    out, given = np.zeros((3, 64), np.uint8), np.arange(64, dtype=np.uint8)
    arguments = [given, given, 0, 64, 1, out, out, 0, 3, 64, 64, 1]
    run(compiled(text.replace("OPERATIONS", lines), "sm_90"), "k", 1, 64, arguments)
    assert out.tolist() == [[n ^ 32 for n in range(64)], [n & 31 for n in range(64)], [n | 32 for n in range(64)]]


@pytest.mark.sample(1)
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


COMBINED = {
    "vector.reduction <add>, %v : vector<4xF> into F": 5, "vector.reduction <mul>, %v, %two : vector<4xF> into F": 4,
    "vector.reduction <maximumf>, %v : vector<4xF> into F": 2, "vector.reduction <minnumf>, %v : vector<4xF> into F": 1,
    "vector.mask %m { vector.reduction <add>, %v : vector<4xF> into F } : vector<4xi1> -> F": 2,
    "vector.mask %m { vector.reduction <minimumf>, %v : vector<4xF> into F } : vector<4xi1> -> F": 1,
    "vector.mask %m { vector.reduction <maximumf>, %n : vector<4xF> into F } : vector<4xi1> -> F": -1,
    "vector.multi_reduction <add>, %v, %two [0] : vector<4xF> to F": 7,
    'vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], '
    'iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %n, %two : vector<4xF>, vector<4xF> into F': -5,
    "gpu.all_reduce add %eighth uniform {} : (F) -> (F)": 4, "gpu.subgroup_reduce maxnumf %two : (F) -> F": 2,
    "memref.atomic_rmw addf %two, %o[%c1] : (F, memref<4xF>) -> F": 0,
}  # fmt: skip
"""What combinations of 1, 2, 1, 1 (`%v`, their negatives `%n`) are; `%m` takes the first and the third."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", FORMATS)
def test_combinations(name: str) -> None:
    """Numbers are combined, not the integers that hold them."""
    for line, wanted in COMBINED.items():
        text = (
            f"""gpu.module @m {{ gpu.func @k(%o: memref<4xF>) kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %v = arith.constant dense<[1.0, 2.0, 1.0, 1.0]> : vector<4xF>
          %n = arith.negf %v : vector<4xF>
          %m = arith.constant dense<[true, false, true, false]> : vector<4xi1>
          %two = arith.constant 2.0 : F
          %eighth = arith.constant 0.125 : F
          %r = {line}
          memref.store %r, %o[%c0] : memref<4xF>
          gpu.return
        }} }}""".replace("xF", f"x{name}")
            .replace(": F", f": {name}")
            .replace("to F", f"to {name}")
        )
        for have in ("-> F", "(F", "into F"):
            text = text.replace(have, have.replace("F", name))
        out = np.zeros(4, np.uint8)
        if "all_reduce" not in line and "subgroup" not in line:
            text = text.replace(" attributes {known_block_size = array<i32: 32, 1, 1>}", "")
        threads = 32 if "known_block_size" in text else 1
        run(compiled(text, "sm_90"), "k", 1, threads, [out, out, 0, 4, 1])
        both = out.view(FORMATS[name]).astype(np.float32).tolist()[:2]
        assert both == [wanted, 2 if "atomic" in line else 0], line


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", FORMATS)
def test_classes(name: str) -> None:
    numbers = np.arange(256, dtype=np.uint8).view(FORMATS[name])
    wide = numbers.astype(np.float32)
    least = np.float32(ml_dtypes.finfo(FORMATS[name]).smallest_normal)
    for op, wanted in (("isnan", np.isnan(wide)), ("isinf", np.isinf(wide)), ("isfinite", np.isfinite(wide)),
                       ("isnormal", np.isfinite(wide) & (np.abs(wide) >= least))):  # fmt: skip
        found = computed(f"%c = math.{op} %x : {name}\n%r = arith.extui %c : i1 to i32", [numbers, numbers], "i32", np.int32)  # fmt: skip
        np.testing.assert_array_equal(found, wanted, op)
