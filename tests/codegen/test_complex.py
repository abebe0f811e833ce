"""`complex`: what each operation computes of all pairs of special and of random numbers, as LLVM's pipeline has it."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled
from tests.differential.compilers import pipeline
from weft.sim import run
from weft.transforms.complex_to_standard import LOWERED

TARGET = "sm_90"
EXACT = ("abs", "add", "conj", "div", "eq", "mul", "neg", "neq", "sign", "sub")
ELEMENTARY = sorted(name.partition(".")[2] for name in LOWERED if name.partition(".")[2] not in EXACT)
TWO = ("add", "atan2", "div", "eq", "mul", "neq", "pow", "sub")
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.75, -3.5, float("inf"), float("-inf"), float("nan"), 1e30, -1e-30)


def kernel(name: str, type_: str) -> str:
    """A kernel that applies an operation to pairs of numbers."""
    whole = f"complex<{type_}>"
    second, types = ("%y", whole) if name in TWO else ("%n", f"{whole}, i32") if name == "powi" else ("", whole)
    result = type_ if name in ("abs", "angle") else "i32" if name in ("eq", "neq") else whole
    widened = "\n  %r = arith.extui %v : i1 to i32" if result == "i32" else ""
    return f"""module attributes {{gpu.container_module}} {{ gpu.module @m {{
gpu.func @k(%a: memref<?x{whole}>, %b: memref<?x{whole}>, %o: memref<?x{result}>, %c: memref<?xi32>) kernel {{
  %t = gpu.thread_id x
  %g = gpu.global_id x
  %x = memref.load %a[%g] : memref<?x{whole}>
  %y = memref.load %b[%g] : memref<?x{whole}>
  %n = memref.load %c[%g] : memref<?xi32>
  %{"v" if widened else "r"} = complex.{name} %x{", " if second else ""}{second} : {types}{widened}
  memref.store %r, %o[%g] : memref<?x{result}>
  gpu.return
}} }} }}
"""


def computed(name: str, type_: str) -> tuple[Any, Any, Any]:
    """What weft's and LLVM's PTX compute, and the second operands."""
    dtype: Any = {"f32": np.complex64, "f64": np.complex128}[type_]
    text, rng = kernel(name, type_), np.random.default_rng(5)
    numbers = np.array([complex(re, im) for re, im in product(SPECIAL, SPECIAL)], dtype)
    pairs = [(x, y) for x in numbers for y in numbers[:: 1 if name in TWO else len(numbers)]]
    some = rng.standard_normal((2, 200, 2)) * 3
    a = np.array([*(x for x, _ in pairs), *(complex(*z) for z in some[0])], dtype)
    b = np.array([*(y for _, y in pairs), *(complex(*z) for z in some[1])], dtype)
    size = -(-len(a) // 64) * 64
    a, b = np.resize(a, size), np.resize(b, size)
    real = {np.complex64: np.float32, np.complex128: np.float64}[dtype]
    wanted: Any = real if name in ("abs", "angle") else np.int32 if name in ("eq", "neq") else dtype
    counts = rng.integers(-4, 5, size).astype(np.int32)
    (theirs,) = pipeline(text, 1, TARGET, ["-convert-complex-to-standard"])
    found: list[Any] = []
    for module in (compiled(text, TARGET), theirs):
        out = np.zeros(size, wanted)
        arguments = [part for array in (a, b, out, counts) for part in (array, array, 0, size, 1)]
        run(module, "k", size // 64, 64, arguments)
        found.append(out)
    return found[0], found[1], b


@pytest.mark.sample(1)
@pytest.mark.parametrize("type_", ["f32", "f64"])
@pytest.mark.parametrize("name", EXACT)
def test_exactly(name: str, type_: str) -> None:
    mine, theirs, _ = computed(name, type_)
    np.testing.assert_array_equal(mine, theirs)


@pytest.mark.slow
@pytest.mark.parametrize("type_", ["f32", "f64"])
@pytest.mark.parametrize("name", ELEMENTARY)
def test_nearly(name: str, type_: str) -> None:
    mine, theirs, b = computed(name, type_)
    bound = 5e-5 if type_ == "f32" else 1e-12
    powers = name.startswith("pow")  # An angle times an exponent: the error grows with both.
    for part in (np.real, np.imag):
        assert (np.isnan(part(mine)) == np.isnan(part(theirs))).all()
        assert (np.isinf(part(mine)) == np.isinf(part(theirs))).all()
        assert powers or (np.sign(part(mine)) == np.sign(part(theirs)))[np.isinf(part(theirs))].all()
    known = np.isfinite(theirs) & (~np.isfinite(b) | (np.abs(b) < 10) if powers else True)
    mine, theirs, small = mine[known], theirs[known], 0.0
    if name == "atan2":  # It takes the logarithm of what is nearly 1, and errors decide on the side of the cut.
        mine, theirs, small = (np.abs(mine.real) + 1j * mine.imag, np.abs(theirs.real) + 1j * theirs.imag, bound)
    assert (np.abs(mine - theirs) <= (20 if powers else 1) * bound * np.abs(theirs) + small).all()


@pytest.mark.parametrize("target", ["i64", "f64"])
def test_bitcast_and_constants(target: str) -> None:
    text = f"""gpu.module @m {{ gpu.func @k(%o: memref<?x{target}>) kernel {{
      %c = complex.constant [1.0 : f32, -2.5 : f32] : complex<f32>
      %b = complex.bitcast %c : complex<f32> to {target}
      %d = complex.bitcast %b : {target} to complex<f32>
      %e = complex.bitcast %d : complex<f32> to {target}
      %t = gpu.thread_id x
      memref.store %e, %o[%t] : memref<?x{target}>
      gpu.return
    }} }}"""
    out = np.zeros(1, np.complex64)
    run(compiled(text, TARGET), "k", 1, 1, [out, out, 0, 1, 1])
    assert out[0] == 1 - 2.5j
