"""Float arithmetic and elementary functions, run on the simulator against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.codegen.support import elementwise

OPERATIONS = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide}
PTX = {"float16": "f16", "float32": "f32", "float64": "f64"}


def floats(dtype: str, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    edges = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5], dtype)
    return rng.permutation(np.concatenate([edges, (rng.standard_normal(56) * 8).astype(dtype)]))


@pytest.mark.sample(3)
@pytest.mark.parametrize("dtype", PTX)
@pytest.mark.parametrize("name", OPERATIONS)
def test_arithmetic(name: str, dtype: str) -> None:
    a, b = floats(dtype, 1), floats(dtype, 2)
    got = elementwise(f"%r = arith.{name} %a, %b : {PTX[dtype]}", a, b, result=dtype)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(got, OPERATIONS[name](a, b))


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", PTX)
def test_extremes(dtype: str) -> None:
    a, b = floats(dtype, 1), floats(dtype, 2)
    for name, function in (
        ("maxnumf", np.fmax),
        ("minnumf", np.fmin),
        ("maximumf", np.maximum),
        ("minimumf", np.minimum),
    ):
        got = elementwise(f"%r = arith.{name} %a, %b : {PTX[dtype]}", a, b, result=dtype)
        np.testing.assert_array_equal(got, function(a, b))


ORDERED = {
    "eq": np.equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lt": np.less,
    "le": np.less_equal,
    "ne": np.not_equal,
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("relation", ORDERED)
@pytest.mark.parametrize("dtype", PTX)
def test_comparisons(relation: str, dtype: str) -> None:
    a, b = floats(dtype, 1), floats(dtype, 2)
    b[::3] = a[::3]
    unordered = np.isnan(a) | np.isnan(b)
    for letter, wanted in (("o", ORDERED[relation](a, b) & ~unordered), ("u", ORDERED[relation](a, b) | unordered)):
        operation = f"%c = arith.cmpf {letter}{relation}, %a, %b : {PTX[dtype]}\n%r = arith.extui %c : i1 to i8"
        np.testing.assert_array_equal(elementwise(operation, a, b, result="int8").astype(bool), wanted)


def test_bf16_arithmetic_before_sm_90() -> None:
    """sm_80 has only fma for bf16: sums and products must still be rounded once."""
    import ml_dtypes

    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(64).astype(ml_dtypes.bfloat16).view(np.int16) for _ in range(2))
    for name, function in (("addf", np.add), ("subf", np.subtract), ("mulf", np.multiply)):
        operation = f"""%x = arith.bitcast %a : i16 to bf16
            %y = arith.bitcast %b : i16 to bf16
            %z = arith.{name} %x, %y : bf16
            %r = arith.bitcast %z : bf16 to i16"""
        got = elementwise(operation, a, b, result="int16").view(ml_dtypes.bfloat16)
        x, y = (v.view(ml_dtypes.bfloat16).astype(np.float32) for v in (a, b))
        np.testing.assert_array_equal(got, function(x, y).astype(ml_dtypes.bfloat16))


REFERENCE = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "tanh": np.tanh,
}  # fmt: skip
DOMAIN = {"exp": (-87, 88), "exp2": (-126, 127), "expm1": (-20, 88), "tanh": (-10, 10)}


def ulps(got: np.ndarray, exact: np.ndarray) -> float:
    spacing = np.spacing(np.abs(exact.astype(np.float32))).astype(np.float64)
    return float(np.max(np.abs(got.astype(np.float64) - exact) / spacing))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", REFERENCE)
def test_elementary_functions_are_accurate(name: str) -> None:
    rng = np.random.default_rng(5)
    if name.startswith("log"):
        x = np.concatenate([np.exp(rng.uniform(-80, 80, 500)), rng.uniform(0.5, 2, 500), [1e-40, 1.0]])
        x = np.concatenate([x, rng.uniform(-0.5, 0.5, 22)]) if name == "log1p" else np.concatenate([x, np.ones(22)])
    else:
        low, high = DOMAIN[name]
        x = np.concatenate([rng.uniform(low, high, 700), rng.uniform(-1, 1, 324)])
    x = x.astype(np.float32)
    got = elementwise(f"%r = math.{name} %a : f32", x, result="float32")
    with np.errstate(all="ignore"):
        exact = REFERENCE[name](x.astype(np.float64))
    normal = np.abs(exact) > 1e-37
    assert ulps(got[normal], exact[normal]) <= 4


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", REFERENCE)
def test_elementary_functions_at_the_edges(name: str) -> None:
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 200.0, -200.0, 1.0], np.float32)
    got = elementwise(f"%r = math.{name} %a : f32", x, result="float32")
    with np.errstate(all="ignore"):
        wanted = REFERENCE[name](x)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-45)


@pytest.mark.slow
def test_rounding() -> None:
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 0.49999997, 8388609.0, -2.7], np.float32)
    wanted = {
        "round": [1, 2, 3, -1, -2, 0, 8388609, -3],
        "roundeven": [0, 2, 2, -0.0, -2, 0, 8388609, -3],
        "floor": np.floor(x),
        "ceil": np.ceil(x),
        "trunc": np.trunc(x),
    }
    for name, values in wanted.items():
        got = elementwise(f"%r = math.{name} %a : f32", x, result="float32")
        np.testing.assert_array_equal(got, np.array(values, np.float32))


def test_conversions_between_widths() -> None:
    x = floats("float32", 3)
    half = elementwise("%r = arith.truncf %a : f32 to f16", x, result="float16")
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(half, x.astype(np.float16))
    np.testing.assert_array_equal(
        elementwise("%r = arith.extf %a : f16 to f64", half, result="float64"), half.astype(np.float64)
    )


def test_constants_are_rounded_to_nearest_even() -> None:
    import ml_dtypes

    from weft.codegen.constants import float_pattern

    rng = np.random.default_rng(1)
    values = [
        0.0,
        -0.0,
        1.0,
        65520.0,
        -1e30,
        1e-8,
        3.3895e38,
        float("inf"),
        *rng.standard_normal(200),
        *np.exp(rng.uniform(-90, 90, 200)),
    ]
    types = {
        "f16": (np.float16, np.uint16),
        "f32": (np.float32, np.uint32),
        "f64": (np.float64, np.uint64),
        "bf16": (ml_dtypes.bfloat16, np.uint16),
    }
    for value in map(float, values):
        for name, (dtype, bits) in types.items():
            with np.errstate(over="ignore"):
                single = np.float32(value) if name == "bf16" else value
                wanted = np.asarray(single, None if name == "bf16" else np.float64).astype(dtype).view(bits)
            assert float_pattern(value, name) == int(wanted), (value, name)
    nan = float_pattern(float("nan"), "bf16")
    assert nan & 0x7F80 == 0x7F80
    assert nan & 0x7F


PAIRS = """module attributes {gpu.container_module} { gpu.module @m {
 gpu.func @k(%a: memref<64xf32>, %b: memref<64xf32>, %o: memref<64xf32>) kernel {
  %t = gpu.thread_id x
  %c4 = arith.constant 4 : index
  %i = arith.muli %t, %c4 : index
  %x = vector.load %a[%i] : memref<64xf32>, vector<4xf32>
  %y = vector.load %b[%i] : memref<64xf32>, vector<4xf32>
  %c = arith.constant dense<[1.0, 2.0, -3.0, 0.5]> : vector<4xf32>
  %f = vector.fma %x, %y, %c : vector<4xf32>
  %s = arith.subf %f, %x : vector<4xf32>
  %m = arith.mulf %s, %y : vector<4xf32>
  %d = arith.addf %m, %c : vector<4xf32>
  vector.store %d, %o[%i] : memref<64xf32>, vector<4xf32>
  gpu.return } } }"""


@pytest.mark.parametrize(("target", "paired"), [("sm_90a", 0), ("sm_100a", 8), ("sm_120a", 8)])
def test_vectors_of_f32_in_pairs(target: str, paired: int) -> None:
    module = weft.compile(PAIRS, target=target)
    assert module.to_ptx().count("f32x2") == paired
    a, b = np.random.default_rng(1).standard_normal((2, 64)).astype(np.float32)
    out = np.zeros(64, np.float32)
    weft.run(module, "k", grid=(1,), block=(16,), args=[v for x in (a, b, out) for v in (x, x, 0, 64, 1)])
    c = np.tile(np.array([1, 2, -3, 0.5], np.float32), 16)
    fused = (a.astype(np.float64) * b + c).astype(np.float32)
    assert np.array_equal(out, (fused - a) * b + c)


@pytest.mark.sample(2)
@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("names", ["addf %p, %c", "addf %c, %p", "subf %p, %c", "subf %c, %p"])
@pytest.mark.parametrize("flag", ["contract", "none"])
def test_products_in_sums(dtype: str, names: str, flag: str) -> None:
    """A product that only a sum reads is part of it where both allow that, and nowhere else."""
    a, b, c = (np.random.default_rng(n).standard_normal(64).astype(dtype) for n in range(3))
    lines = f"""%p = arith.mulf %a, %b fastmath<{flag}> : {PTX[dtype]}
        %r = arith.{names} fastmath<{flag}> : {PTX[dtype]}"""
    got = elementwise(lines, a, b, c, result=dtype)
    x, y, z = (v.astype(np.float64 if flag == "contract" else dtype) for v in (a, b, c))
    wanted = x * y + z if names.startswith("add") else x * y - z if names.endswith("%c") else z - x * y
    assert np.array_equal(got, wanted.astype(dtype))


def test_fused_pairs() -> None:
    text = PAIRS.replace("%s = arith.subf %f, %x", "%s = arith.mulf %f, %x fastmath<contract>")
    text = text.replace("%m = arith.mulf %s, %y", "%m = arith.subf %y, %s fastmath<contract>")
    module = weft.compile(text, target="sm_100a")
    assert module.to_ptx().count("fma.rn.f32x2") == 4
    a, b = np.random.default_rng(1).standard_normal((2, 64)).astype(np.float32)
    out = np.zeros(64, np.float32)
    weft.run(module, "k", grid=(1,), block=(16,), args=[v for x in (a, b, out) for v in (x, x, 0, 64, 1)])
    c = np.tile(np.array([1, 2, -3, 0.5], np.float32), 16)
    first = (a.astype(np.float64) * b + c).astype(np.float32)
    assert np.array_equal(out, (b - first.astype(np.float64) * a).astype(np.float32) + c)


@pytest.mark.sample(4)
@pytest.mark.parametrize("type_", ["f16", "bf16"])
@pytest.mark.parametrize("line", ["addf %w, %c", "addf %c, %w", "subf %w, %c", "subf %c, %w", "fma"])
def test_sums_with_halves(type_: str, line: str) -> None:
    """Where an instruction widens an operand itself, the sum is what it is after a conversion."""
    dtype = np.float16 if type_ == "f16" else pytest.importorskip("ml_dtypes").bfloat16
    rng = np.random.default_rng(5)
    a, b = ((rng.standard_normal(64) * 3).astype(dtype) for _ in range(2))
    c = np.concatenate([rng.standard_normal(58), [np.inf, -np.inf, np.nan, 0.0, -0.0, 1e-42]]).astype(np.float32)
    op = f"arith.{line} : f32" if line != "fma" else "math.fma %w, %u, %c : f32"
    lines = f"""%s = arith.bitcast %a : i16 to {type_}
        %t = arith.bitcast %b : i16 to {type_}
        %w = arith.extf %s : {type_} to f32
        %u = arith.extf %t : {type_} to f32
        %r = {op}"""
    got = elementwise(lines, a.view(np.int16), b.view(np.int16), c, result=np.float32, target="sm_100a")
    x, y = a.astype(np.float32), b.astype(np.float32)
    if line == "fma":
        wanted = (x.astype(np.float64) * y + c).astype(np.float32)
    else:
        wanted = x + c if line.startswith("add") else x - c if line == "subf %w, %c" else c - x
    assert np.array_equal(got, wanted, equal_nan=True)


NO_NEGATIVE_ZERO = {
    "%x = arith.mulf %a, %a : {t}": True,
    "%x = math.absf %a : {t}": True,
    "%s = arith.mulf %b, %b : {t}\n%x = arith.addf %a, %s : {t}": True,
    "%n = arith.fptosi %b : {t} to i32\n%x = arith.sitofp %n : i32 to {t}": True,
    "%x = arith.mulf %a, %b : {t}": False,
    "%x = arith.addf %a, %b : {t}": False,
    "%s = arith.mulf %b, %b : {t}\n%x = arith.subf %a, %s : {t}": False,
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("text", NO_NEGATIVE_ZERO)
@pytest.mark.parametrize("first", [True, False])
def test_nothing_added_is_no_instruction_where_the_other_is_not_minus_zero(text: str, dtype: str, first: bool) -> None:
    t = PTX[dtype]
    values = np.array([0.0, -0.0, 1.0, -1.0, 3.0, 1e-4, -1e-4, np.finfo(dtype).smallest_subnormal], dtype)
    a, b = (x.reshape(-1) for x in np.meshgrid(values, -values))
    sum_ = "%zero, %x" if first else "%x, %zero"
    body = f"%zero = arith.constant 0.0 : {t}\n{text.format(t=t)}\n"
    got = elementwise(f"{body}%r = arith.addf {sum_} : {t}", a, b, result=dtype)
    bare = elementwise(f"{body}%r = arith.addf %x, %x : {t}", a, b, result=dtype) / np.dtype(dtype).type(2)
    word = f"i{a.itemsize}"
    wanted = np.where(bare == 0, np.dtype(dtype).type(0), bare)
    assert np.array_equal(got.view(word), wanted.view(word))


def test_which_sums_with_nothing_are_no_instruction() -> None:
    for text, gone in NO_NEGATIVE_ZERO.items():
        body = f"%zero = arith.constant 0.0 : f32\n{text.format(t='f32')}\n"
        for flags, less in (("", gone), (" fastmath<nsz>", True)):
            kernel = f"""gpu.module @m {{ gpu.func @k(%o: memref<1xf32>, %a: f32, %b: f32) kernel {{
              %at = arith.constant 0 : index
              {body}%r = arith.addf %x, %zero{flags} : f32
              memref.store %r, %o[%at] : memref<1xf32>
              gpu.return }} }}"""
            assert ("0f00000000" not in weft.compile(kernel, "sm_80").to_ptx()) is less, text


SMALL = {"f8E5M2": (5, 2, 15), "f8E4M3": (4, 3, 7), "f8E4M3FN": (4, 3, 7), "f8E5M2FNUZ": (5, 2, 16)}
SMALL |= {"f8E4M3FNUZ": (4, 3, 8), "f6E2M3FN": (2, 3, 1), "f6E3M2FN": (3, 2, 3), "f4E2M1FN": (2, 1, 1)}
"""The bits of exponents and of fractions, and the bias."""


def finite_values(name: str) -> dict[int, float]:
    """By pattern; numbers only, of which IEEE's types have none in the last exponent, the others all but few."""
    exponents, fractions, bias = SMALL[name]
    sign, found = 1 << (exponents + fractions), dict[int, float]()
    for pattern in range(2 * sign):
        exponent, fraction = (pattern & (sign - 1)) >> fractions, pattern & ((1 << fractions) - 1)
        last = exponent == (1 << exponents) - 1
        not_a_number = {
            "FN": name.startswith("f8") and last and fraction == (1 << fractions) - 1,
            "FNUZ": pattern == sign,
        }
        if not_a_number.get(name.partition("M")[2].lstrip("0123456789"), last):
            continue
        size = (fraction if exponent == 0 else fraction + (1 << fractions)) * 2.0 ** (
            max(exponent, 1) - bias - fractions
        )
        found[pattern] = -size if pattern & sign else size
    return found


@pytest.mark.parametrize("name", SMALL)
def test_constants_of_small_types(name: str) -> None:
    """Each value is itself; half way between two is the even one."""
    from weft.codegen.constants import float_pattern

    values = finite_values(name)
    for pattern, value in values.items():
        assert float_pattern(value, name) == pattern, value
    sign = 1 << sum(SMALL[name][:2])
    for pattern in values:
        if pattern + 1 in values and (pattern + 1) & (sign - 1):
            between = (values[pattern] + values[pattern + 1]) / 2
            assert float_pattern(between, name) == pattern + (pattern & 1), between


def test_constants_that_are_powers() -> None:
    from weft.codegen.constants import float_pattern

    assert [float_pattern(2.0**exponent, "f8E8M0FNU") for exponent in range(-127, 128)] == list(range(255))
