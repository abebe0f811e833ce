"""Integers of 128 bits and floats of 8, against Python's integers and `ml_dtypes`."""

from __future__ import annotations

import random

import ml_dtypes
import numpy as np
import pytest

from tests.codegen.support import compiled, launch

TOP = 1 << 128


def signed(value: int) -> int:
    return value - TOP if value >> 127 else value


PICKED = [0, 1, TOP - 1, 1 << 127, (1 << 127) - 1, 1 << 64, (1 << 64) - 1, 0x0123456789ABCDEF_FEDCBA9876543210, 97]
PAIRS = [(a, b) for a in PICKED for b in PICKED]
OPERATIONS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
}


def words(numbers: list[int]) -> np.ndarray:
    """128-bit integers in memory."""
    return np.array([[n & (1 << 64) - 1, n >> 64] for n in numbers], np.uint64)


def run(operation: str, a: list[int], b: list[int]) -> list[int]:
    count = len(a)
    text = f"""gpu.module @m {{ gpu.func @k(%A: memref<{count}xi128>, %B: memref<{count}xi128>) kernel {{
      %i = gpu.thread_id x
      %a = memref.load %A[%i] : memref<{count}xi128>
      %b = memref.load %B[%i] : memref<{count}xi128>
      {operation}
      memref.store %r, %A[%i] : memref<{count}xi128>
      gpu.return
    }} }}"""
    x, y = words(a), words(b)
    flat = [x.ravel(), y.ravel()]
    arguments = [v for array in flat for v in (array, array, 0, count, 1)]
    pytest.importorskip("weft.sim").run(compiled(text), "k", 1, count, arguments)
    return [int(low) | int(high) << 64 for low, high in flat[0].reshape(-1, 2)]


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", OPERATIONS)
def test_arithmetic(name: str) -> None:
    a, b = map(list, zip(*PAIRS, strict=True))
    assert run(f"%r = arith.{name} %a, %b : i128", a, b) == [OPERATIONS[name](x, y) % TOP for x, y in PAIRS]


@pytest.mark.slow
def test_shifts() -> None:
    pairs = [(a, n) for a in PICKED for n in (0, 1, 31, 63, 64, 65, 100, 127)]
    a, n = map(list, zip(*pairs, strict=True))
    assert run("%r = arith.shli %a, %b : i128", a, n) == [(x << y) % TOP for x, y in pairs]
    assert run("%r = arith.shrui %a, %b : i128", a, n) == [x >> y for x, y in pairs]
    assert run("%r = arith.shrsi %a, %b : i128", a, n) == [(signed(x) >> y) % TOP for x, y in pairs]


@pytest.mark.sample(3)
@pytest.mark.parametrize("predicate", ["eq", "ne", "slt", "sge", "ult", "ugt", "ule", "sgt"])
def test_comparisons(predicate: str) -> None:
    a, b = map(list, zip(*PAIRS, strict=True))
    holds = {
        "eq": int.__eq__, "ne": int.__ne__, "lt": int.__lt__, "le": int.__le__, "gt": int.__gt__, "ge": int.__ge__,
    }[predicate[-2:]]  # fmt: skip
    view = signed if predicate[0] == "s" else int
    found = run(f"%t = arith.cmpi {predicate}, %a, %b : i128\n%r = arith.extui %t : i1 to i128", a, b)
    assert found == [int(holds(view(x), view(y))) for x, y in PAIRS]


def test_widths() -> None:
    a = PICKED
    assert run("%n = arith.trunci %a : i128 to i32\n%r = arith.extsi %n : i32 to i128", a, a) == [
        ((x & 0xFFFFFFFF) - ((x & 0x80000000) << 1)) % TOP for x in a
    ]
    assert run("%n = arith.trunci %a : i128 to i64\n%r = arith.extui %n : i64 to i128", a, a) == [
        x % (1 << 64) for x in a
    ]


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


DIVISIONS = {
    "divui": lambda a, b: a // b,
    "remui": lambda a, b: a % b,
    "ceildivui": lambda a, b: -(-a // b),
    "divsi": lambda a, b: truncated(signed(a), signed(b)),
    "remsi": lambda a, b: signed(a) - truncated(signed(a), signed(b)) * signed(b),
    "floordivsi": lambda a, b: signed(a) // signed(b),
    "ceildivsi": lambda a, b: -(-signed(a) // signed(b)),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", DIVISIONS)
def test_division(name: str) -> None:
    rng = random.Random(name)
    numbers = [*PICKED, *(rng.getrandbits(rng.randint(1, 128)) for _ in range(21))]
    pairs = [(a, b) for a in numbers for b in numbers if b and (signed(a), signed(b)) != (-1 << 127, -1)]
    a, b = map(list, zip(*pairs, strict=True))
    assert run(f"%r = arith.{name} %a, %b : i128", a, b) == [DIVISIONS[name](x, y) % TOP for x, y in pairs]


@pytest.mark.sample(3)
@pytest.mark.parametrize("target", ["sm_80", "sm_90"])
@pytest.mark.parametrize(("name", "dtype"), [("f8E4M3FN", ml_dtypes.float8_e4m3fn), ("f8E5M2", ml_dtypes.float8_e5m2)])
def test_eight_bits_to_single(name: str, dtype: type, target: str) -> None:
    text = f"""gpu.module @m {{ gpu.func @k(%A: memref<256x{name}>, %B: memref<256xf32>) kernel {{
      %i = gpu.thread_id x
      %a = memref.load %A[%i] : memref<256x{name}>
      %r = arith.extf %a : {name} to f32
      memref.store %r, %B[%i] : memref<256xf32>
      gpu.return
    }} }}"""
    bits, out = np.arange(256, dtype=np.uint8), np.zeros(256, np.float32)
    launch(compiled(text, target), "k", 1, 256, [bits, out])
    assert np.array_equal(out, bits.view(dtype).astype(np.float32), equal_nan=True)


@pytest.mark.parametrize(("name", "dtype"), [("f8E4M3FN", ml_dtypes.float8_e4m3fn), ("f8E5M2", ml_dtypes.float8_e5m2)])
def test_single_to_eight_bits(name: str, dtype: type) -> None:
    text = f"""gpu.module @m {{ gpu.func @k(%A: memref<512xf32>, %B: memref<512x{name}>) kernel {{
      %i = gpu.thread_id x
      %a = memref.load %A[%i] : memref<512xf32>
      %r = arith.truncf %a : f32 to {name}
      memref.store %r, %B[%i] : memref<512x{name}>
      gpu.return
    }} }}"""
    limit = float(ml_dtypes.finfo(dtype).max)
    values = (np.random.default_rng(1).standard_normal(512) * 50).astype(np.float32).clip(-limit, limit)
    out = np.zeros(512, np.uint8)
    launch(compiled(text, "sm_90"), "k", 1, 512, [values, out])
    assert np.array_equal(out, values.astype(dtype).view(np.uint8))
