"""Intrinsics of `llvm` on the simulator, against Python's integers and NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled, elementwise

WIDTHS = (8, 16, 32, 64)


def values(width: int, count: int = 64, seed: int = 0) -> np.ndarray:
    """Integers of a width: the ends of the range, small ones, random ones."""
    rng = np.random.default_rng(seed + width)
    top = (1 << (width - 1)) - 1
    picked = [0, 1, -1, top, -top - 1, top - 1, 2, -2, 3, 7, 5]
    rest = rng.integers(-top - 1, top, count - len(picked), endpoint=True)
    found = np.concatenate([np.array(picked, np.int64), rest])
    rng.shuffle(found)
    return found.astype(f"int{width}")


def wrapped(number: int, width: int) -> int:
    number &= (1 << width) - 1
    return number - (1 << width) if number >> (width - 1) else number


def unsigned(number: int, width: int) -> int:
    return number & ((1 << width) - 1)


def clamp(number: int, low: int, high: int) -> int:
    return max(low, min(high, number))


def bytes_reversed(a: int, width: int) -> int:
    return int.from_bytes(unsigned(a, width).to_bytes(width // 8, "little"), "big")


def shifted_left(a: int, b: int, width: int) -> int:
    return clamp(a << b, -(1 << (width - 1)), (1 << (width - 1)) - 1)


UNARY: dict[str, Callable[[int, int], int]] = {
    "abs": lambda a, w: abs(a),
    "ctlz": lambda a, w: w - unsigned(a, w).bit_length(),
    "cttz": lambda a, w: w if a == 0 else (a & -a).bit_length() - 1,
    "ctpop": lambda a, w: unsigned(a, w).bit_count(),
    "bswap": lambda a, w: a if w == 8 else bytes_reversed(a, w),
    "bitreverse": lambda a, w: int(f"{unsigned(a, w):0{w}b}"[::-1], 2),
}
PROPERTIES = {
    "abs": "<{is_int_min_poison = false}>",
    "ctlz": "<{is_zero_poison = false}>",
    "cttz": "<{is_zero_poison = false}>",
}
BINARY: dict[str, Callable[[int, int, int], int]] = {
    "sadd.sat": lambda a, b, w: clamp(a + b, -(1 << (w - 1)), (1 << (w - 1)) - 1),
    "ssub.sat": lambda a, b, w: clamp(a - b, -(1 << (w - 1)), (1 << (w - 1)) - 1),
    "uadd.sat": lambda a, b, w: min(unsigned(a, w) + unsigned(b, w), (1 << w) - 1),
    "usub.sat": lambda a, b, w: max(unsigned(a, w) - unsigned(b, w), 0),
    "scmp": lambda a, b, w: (a > b) - (a < b),
    "ucmp": lambda a, b, w: (unsigned(a, w) > unsigned(b, w)) - (unsigned(a, w) < unsigned(b, w)),
    "smax": lambda a, b, w: max(a, b),
    "umin": lambda a, b, w: min(unsigned(a, w), unsigned(b, w)),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name: str, width: int) -> None:
    if name == "bswap" and width == 8:
        pytest.skip("a byte has no order of bytes")
    a = values(width)
    text = f'%r = "llvm.intr.{name}"(%a) {PROPERTIES.get(name, "")} : (i{width}) -> i{width}'
    found = elementwise(text, a, result=a.dtype)
    assert found.tolist() == [wrapped(UNARY[name](int(x), width), width) for x in a]


@pytest.mark.sample(3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", BINARY)
def test_two_operands(name: str, width: int) -> None:
    a, b = values(width), values(width, seed=1)
    text = f"%r = llvm.intr.{name}(%a, %b) : (i{width}, i{width}) -> i{width}"
    found = elementwise(text, a, b, result=a.dtype)
    assert found.tolist() == [wrapped(BINARY[name](int(x), int(y), width), width) for x, y in zip(a, b, strict=True)]


@pytest.mark.sample(3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["fshl", "fshr"])
def test_funnel_shifts(name: str, width: int) -> None:
    a, b, c = (values(width, seed=seed) for seed in range(3))
    found = elementwise(
        f"%r = llvm.intr.{name}(%a, %b, %c) : (i{width}, i{width}, i{width}) -> i{width}", a, b, c, result=a.dtype
    )
    wanted: list[int] = []
    for x, y, z in zip(a.tolist(), b.tolist(), c.tolist(), strict=True):
        whole, by = unsigned(x, width) << width | unsigned(y, width), unsigned(z, width) % width
        wanted.append(wrapped(whole << by >> width if name == "fshl" else whole >> by, width))
    assert found.tolist() == wanted


@pytest.mark.sample(4)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("second", ["%a", "%b"])
def test_funnel_shifts_by_every_constant(second: str, width: int) -> None:
    """Rotations, where both halves are one; all results in one number."""
    a, b = values(width), values(width, seed=1)
    lines = [f"%t0 = arith.constant 0 : i{width}", f"%three = arith.constant 3 : i{width}"]
    by = [(name, count) for count in range(width) for name in ("fshl", "fshr")]
    for at, (name, count) in enumerate(by):
        lines += [
            f"%c{at} = arith.constant {count if count < 128 else count - 256} : i{width}",
            f"%s{at} = llvm.intr.{name}(%a, {second}, %c{at}) : (i{width}, i{width}, i{width}) -> i{width}",
            f"%m{at} = arith.muli %t{at}, %three : i{width}",
            f"%t{at + 1} = arith.addi %m{at}, %s{at} : i{width}",
        ]
    text = "\n".join([*lines, f"%r = arith.addi %t{len(by)}, %t0 : i{width}"])
    found = elementwise(text, a, b, result=a.dtype)
    wanted: list[int] = []
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        whole, total = unsigned(x, width) << width | unsigned(x if second == "%a" else y, width), 0
        for name, count in by:
            total = 3 * total + unsigned(whole << count >> width if name == "fshl" else whole >> count, width)
        wanted.append(wrapped(total, width))
    assert found.tolist() == wanted


@pytest.mark.sample(3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["sshl.sat", "ushl.sat"])
def test_saturated_shifts(name: str, width: int) -> None:
    a = values(width)
    b = (values(width, seed=3).astype(np.int64) % width).astype(a.dtype)
    found = elementwise(f"%r = llvm.intr.{name}(%a, %b) : (i{width}, i{width}) -> i{width}", a, b, result=a.dtype)
    wanted: list[int] = []
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        if name == "sshl.sat":
            wanted.append(shifted_left(x, y, width))
        else:
            wanted.append(wrapped(min(unsigned(x, width) << y, (1 << width) - 1), width))
    assert found.tolist() == wanted


@pytest.mark.sample(3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["sadd", "uadd", "ssub", "usub", "smul", "umul"])
def test_overflow(name: str, width: int) -> None:
    a, b = values(width), values(width, seed=1)
    pair = f"!llvm.struct<(i{width}, i1)>"
    text = f"""%s = "llvm.intr.{name}.with.overflow"(%a, %b) : (i{width}, i{width}) -> {pair}
      %v = llvm.extractvalue %s[0] : {pair}
      %o = llvm.extractvalue %s[1] : {pair}
      %z = llvm.mlir.constant(0 : i{width}) : i{width}
      %r = llvm.select %o, %z, %v : i1, i{width}"""
    found = elementwise(text, a, b, result=a.dtype)
    wanted: list[int] = []
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        if name[0] == "u":
            x, y = unsigned(x, width), unsigned(y, width)
        exact = {"add": x + y, "sub": x - y, "mul": x * y}[name[1:]]
        low, high = (0, (1 << width) - 1) if name[0] == "u" else (-(1 << (width - 1)), (1 << (width - 1)) - 1)
        wanted.append(wrapped(exact, width) if low <= exact <= high else 0)
    assert found.tolist() == wanted


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", ["add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin"])
def test_reductions(name: str) -> None:
    reduce: dict[str, Callable[[Any], Any]] = {
        "add": np.sum, "mul": np.prod, "and": np.bitwise_and.reduce, "or": np.bitwise_or.reduce,
        "xor": np.bitwise_xor.reduce, "smax": np.max, "smin": np.min,
    }  # fmt: skip
    a, b = values(32), values(32, seed=1)
    text = f"""%0 = llvm.mlir.undef : vector<4xi32>
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c2 = llvm.mlir.constant(2 : i32) : i32
      %c3 = llvm.mlir.constant(3 : i32) : i32
      %s = llvm.add %a, %b : i32
      %v0 = llvm.insertelement %a, %0[%c0 : i32] : vector<4xi32>
      %v1 = llvm.insertelement %b, %v0[%c1 : i32] : vector<4xi32>
      %v2 = llvm.insertelement %s, %v1[%c2 : i32] : vector<4xi32>
      %v3 = llvm.insertelement %a, %v2[%c3 : i32] : vector<4xi32>
      %r = "llvm.intr.vector.reduce.{name}"(%v3) : (vector<4xi32>) -> i32"""
    found = elementwise(text, a, b, result=np.int32)
    with np.errstate(over="ignore"):
        columns = np.stack([a, b, a + b, a], axis=1)
    if name in ("umax", "umin"):
        wanted = {"umax": np.max, "umin": np.min}[name](columns.view(np.uint32), axis=1).view(np.int32)
    else:
        wanted = np.array([reduce[name](row.astype(np.int64)) for row in columns]).astype(np.int64)
        wanted = np.array([wrapped(int(x), 32) for x in wanted], np.int32)
    assert found.tolist() == wanted.tolist()


def run(module: Any, *args: Any) -> None:
    """Run kernel `k` with one thread."""
    pytest.importorskip("weft.sim").run(module, "k", 1, 1, list(args))


def block(body: str) -> Any:
    return compiled(
        f"llvm.func @k(%p: !llvm.ptr, %q: !llvm.ptr, %n: i64, %b: i8) attributes {{nvvm.kernel}} {{\n{body}\nllvm.return }}",
        "sm_80",
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", [0, 1, 7, 16, 37, 128, 300])
def test_blocks_of_constant_size(size: int) -> None:
    source, copy, filled = (np.arange(300, dtype=np.uint8), np.zeros(300, np.uint8), np.zeros(300, np.uint8))
    length = f"%c = llvm.mlir.constant({size} : i64) : i64\n"
    run(
        block(length + '"llvm.intr.memcpy"(%p, %q, %c) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()'),
        copy,
        source,
        0,
        0,
    )
    assert copy[:size].tolist() == source[:size].tolist()
    assert not copy[size:].any()
    run(
        block(length + '"llvm.intr.memset"(%p, %b, %c) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()'),
        filled,
        source,
        0,
        0xA5,
    )
    assert filled.tolist() == [0xA5] * size + [0] * (300 - size)


@pytest.mark.parametrize("count", [0, 1, 5, 64])
def test_blocks_of_dynamic_size(count: int) -> None:
    source, copy = np.arange(64, dtype=np.uint8), np.zeros(64, np.uint8)
    module = block('"llvm.intr.memcpy"(%p, %q, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()')
    run(module, copy, source, count, 0)
    assert copy.tolist() == [*source[:count].tolist(), *[0] * (64 - count)]


@pytest.mark.parametrize("shift", [-5, 0, 5])
def test_overlapping_blocks(shift: int) -> None:
    data = np.arange(64, dtype=np.uint8)
    wanted = data.copy()
    wanted[10 + shift : 40 + shift] = data[10:40].copy()
    body = f"""%from = llvm.getelementptr %p[10] : (!llvm.ptr) -> !llvm.ptr, i8
      %to = llvm.getelementptr %p[{10 + shift}] : (!llvm.ptr) -> !llvm.ptr, i8
      "llvm.intr.memmove"(%to, %from, %n) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()"""
    run(block(body), data, np.zeros(4, np.uint8), 30, 0)
    assert data.tolist() == wanted.tolist()


def test_whole_numbers_and_scales() -> None:
    x = np.array([0.5, 1.5, -2.5, 2.4999, -0.49, 1e6 + 0.5, -7.0, 3.5], np.float64)
    assert elementwise("%r = llvm.intr.lrint(%a) : (f64) -> i64", x, result=np.int64).tolist() == np.rint(x).tolist()
    away = np.sign(x) * np.floor(np.abs(x) + 0.5)
    assert elementwise("%r = llvm.intr.lround(%a) : (f64) -> i64", x, result=np.int64).tolist() == away.tolist()
    y = np.array([1.0, 1.5, -3.0, 1e300, 5e-324, 0.1, -0.0, 1.9999999], np.float64)
    n = np.array([3, -1074, 1023, -600, 1100, -1030, 5, -1075], np.int32)
    found = elementwise("%r = llvm.intr.ldexp(%a, %b) : (f64, i32) -> f64", y, n, result=np.float64)
    with np.errstate(over="ignore"):
        wanted = np.ldexp(y, n)
    # Only results below the normal range may round twice.
    assert np.allclose(found, wanted, rtol=0, atol=5e-324, equal_nan=True) or np.array_equal(found, wanted)


def test_double_to_bfloat_rounds_once() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    rng = np.random.default_rng(2)
    # Halfway cases of bf16, moved by less than an f32 can tell.
    base = rng.integers(0x3F80, 0x4200, 200).astype(np.uint32) << 16 | 0x8000
    x = base.view(np.float32).astype(np.float64) * (1 + rng.choice([-1, 0, 1], 200) * 2.0**-45)
    text = "%h = arith.truncf %a : f64 to bf16\n%r = arith.bitcast %h : bf16 to i16"
    found = elementwise(text, x, result=np.int16)
    grid = base & 0xFFFF0000
    low, high = (part.view(np.float32).astype(np.float64) for part in (grid, grid + 0x10000))
    even = (grid >> 16) % 2 == 0
    nearest = np.where(x - low < high - x, low, np.where(x - low > high - x, high, np.where(even, low, high)))
    assert np.array_equal(found.view(ml_dtypes.bfloat16).astype(np.float64), nearest)
