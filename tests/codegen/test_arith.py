"""Integer arithmetic, comparisons and conversions, run on the simulator against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.codegen.support import elementwise

WIDTHS = (8, 16, 32, 64)
OPERATIONS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "minsi": np.minimum,
    "maxsi": np.maximum,
}


def integers(width: int, seed: int = 0) -> np.ndarray:
    """Random and extreme values."""
    rng = np.random.default_rng(seed)
    info = np.iinfo(f"int{width}")
    edges = [0, 1, -1, 2, info.min, info.max, info.min + 1, 7]
    values = rng.integers(info.min, info.max, 64 - len(edges), dtype=f"int{width}", endpoint=True)
    return rng.permutation(np.concatenate([np.array(edges, f"int{width}"), values]))


@pytest.mark.sample(3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_arithmetic(name: str, width: int) -> None:
    a, b = integers(width, 1), integers(width, 2)
    got = elementwise(f"%r = arith.{name} %a, %b : i{width}", a, b, result=f"int{width}")
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(got, OPERATIONS[name](a, b))


@pytest.mark.sample(3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["divui", "remui", "minui", "maxui"])
def test_unsigned(name: str, width: int) -> None:
    unsigned = f"uint{width}"
    a, b = integers(width, 1).view(unsigned), integers(width, 2).view(unsigned)
    b = np.where(b == 0, 3, b).astype(unsigned)
    got = elementwise(f"%r = arith.{name} %a, %b : i{width}", a, b, result=unsigned)
    wanted = {"divui": np.floor_divide, "remui": np.remainder, "minui": np.minimum, "maxui": np.maximum}[name](a, b)
    np.testing.assert_array_equal(got, wanted)


@pytest.mark.sample(3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["divsi", "remsi", "floordivsi", "ceildivsi"])
def test_signed_division(name: str, width: int) -> None:
    a, b = integers(width, 1), integers(width, 2)
    b = np.where((b == 0) | (b == -1), 3, b).astype(b.dtype)
    got = elementwise(f"%r = arith.{name} %a, %b : i{width}", a, b, result=b.dtype)
    wanted = []
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        truncated = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        wanted.append(
            {"divsi": truncated, "remsi": x - truncated * y, "floordivsi": x // y, "ceildivsi": -(-x // y)}[name]
        )
    np.testing.assert_array_equal(got, np.array(wanted, b.dtype))


@pytest.mark.sample(3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["shli", "shrsi", "shrui"])
def test_shifts(name: str, width: int) -> None:
    a = integers(width, 1)
    by = np.random.default_rng(3).integers(0, width, a.size).astype(a.dtype)
    got = elementwise(f"%r = arith.{name} %a, %b : i{width}", a, by, result=a.dtype)
    unsigned = a.view(f"uint{width}")
    wanted = {"shli": a << by, "shrsi": a >> by, "shrui": (unsigned >> by.view(unsigned.dtype)).view(a.dtype)}[name]
    np.testing.assert_array_equal(got, wanted)


@pytest.mark.sample(2)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("divisor", [1, 2, 8, 7])
@pytest.mark.parametrize("name", ["divui", "remui", "divsi", "remsi"])
def test_division_by_constant(name: str, divisor: int, width: int) -> None:
    signed = name.endswith("si")
    a = integers(width, 1) if signed else integers(width, 1).view(f"uint{width}")
    operation = f"%k = arith.constant {divisor} : i{width}\n%r = arith.{name} %a, %k : i{width}"
    got = elementwise(operation, a, result=a.dtype)
    wanted = []
    for x in a.tolist():
        quotient = abs(x) // divisor * (1 if x >= 0 else -1)
        wanted.append(quotient if name.startswith("div") else x - quotient * divisor)
    np.testing.assert_array_equal(got, np.array(wanted, a.dtype))


COMPARISONS = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("predicate", ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"])
def test_compare(predicate: str, width: int) -> None:
    a, b = integers(width, 1), integers(width, 2)
    b[::4] = a[::4]
    operation = f"%c = arith.cmpi {predicate}, %a, %b : i{width}\n%r = arith.extui %c : i1 to i8"
    got = elementwise(operation, a, b, result="int8")
    if predicate[0] == "u":
        a, b = a.view(f"uint{width}"), b.view(f"uint{width}")
    np.testing.assert_array_equal(got.astype(bool), COMPARISONS[predicate[-2:]](a, b))


@pytest.mark.sample(2)
@pytest.mark.parametrize(("source", "target"), [(8, 16), (8, 32), (8, 64), (16, 32), (16, 64), (32, 64)])
def test_resize(source: int, target: int) -> None:
    a, wide = integers(source, 1), integers(target, 2)
    signed = elementwise(f"%r = arith.extsi %a : i{source} to i{target}", a, result=f"int{target}")
    np.testing.assert_array_equal(signed, a.astype(f"int{target}"))
    zero = elementwise(f"%r = arith.extui %a : i{source} to i{target}", a, result=f"uint{target}")
    np.testing.assert_array_equal(zero, a.view(f"uint{source}").astype(f"uint{target}"))
    cut = elementwise(f"%r = arith.trunci %a : i{target} to i{source}", wide, result=f"int{source}")
    np.testing.assert_array_equal(cut, wide.astype(f"int{source}"))


def test_arithmetic_wraps_before_it_is_widened() -> None:
    """(a + 1) of i32 wraps before its extension to i64: the terms may not be widened one by one."""
    a = integers(32, 1)
    operation = """%one = arith.constant 1 : i32
        %s = arith.addi %a, %one : i32
        %r = arith.extsi %s : i32 to i64"""
    with np.errstate(over="ignore"):
        wanted = (a + np.int32(1)).astype(np.int64)
    np.testing.assert_array_equal(elementwise(operation, a, result="int64"), wanted)


@pytest.mark.parametrize("signed", [True, False])
def test_extended_product(signed: bool) -> None:
    letter = "s" if signed else "u"
    dtype = "int32" if signed else "uint32"
    a, b = integers(32, 1).view(dtype), integers(32, 2).view(dtype)
    got = elementwise(f"%l, %r = arith.mul{letter}i_extended %a, %b : i32", a, b, result=dtype)
    wide = [x * y >> 32 for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    np.testing.assert_array_equal(got, np.array(wide).astype("int64").astype(dtype))


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("width", [8, 32, 64])
def test_integers_and_floats(dtype: str, width: int) -> None:
    t = f"f{np.dtype(dtype).itemsize * 8}"
    a = np.clip(integers(width, 1), -1000, 1000).astype(f"int{width}")
    got = elementwise(f"%r = arith.sitofp %a : i{width} to {t}", a, result=dtype)
    np.testing.assert_array_equal(got, a.astype(dtype))
    x = (np.clip(integers(width, 2), -100, 100) * 0.75).astype(dtype)
    back = elementwise(f"%r = arith.fptosi %a : {t} to i{width}", x, result=f"int{width}")
    np.testing.assert_array_equal(back, np.trunc(x.astype("float64")).astype(f"int{width}"))


BITS = {
    "ctpop": lambda x, n: bin(x).count("1"),
    "ctlz": lambda x, n: n - x.bit_length(),
    "cttz": lambda x, n: (x & -x).bit_length() - 1 if x else n,
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", BITS)
def test_bit_counts(name: str, width: int) -> None:
    a = integers(width, 1).view(f"uint{width}")
    got = elementwise(f"%r = math.{name} %a : i{width}", a, result=a.dtype)
    np.testing.assert_array_equal(got, np.array([BITS[name](x, width) for x in a.tolist()], a.dtype))


@pytest.mark.parametrize(
    ("expression", "function"),
    [
        ("d0 * 3 + 5", lambda x: x * 3 + 5),
        ("d0 floordiv 4", lambda x: x // 4),
        ("d0 ceildiv 4", lambda x: -(-x // 4)),
        ("d0 mod 7", lambda x: x % 7),
    ],
)
def test_affine_maps(expression: str, function: object) -> None:
    a = integers(32, 1).astype(np.int64)
    operation = f"""%x = arith.index_cast %a : i64 to index
        %y = affine.apply affine_map<(d0) -> ({expression})>(%x)
        %r = arith.index_cast %y : index to i64"""
    wanted = [function(x) for x in a.tolist()]  # type: ignore[operator]
    np.testing.assert_array_equal(elementwise(operation, a, result="int64"), np.array(wanted))


def test_affine_min() -> None:
    a = integers(32, 1).astype(np.int64)
    operation = """%x = arith.index_cast %a : i64 to index
        %y = affine.min affine_map<(d0) -> (d0 + 1, 32)>(%x)
        %r = arith.index_cast %y : index to i64"""
    np.testing.assert_array_equal(elementwise(operation, a, result="int64"), np.minimum(a + 1, 32))
