"""Functions of libdevice whose results are exact, those of the same operands in one kernel, held to NumPy and `math`."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.codegen.libdevice_cases import CASES, DTYPES, Case, together
from weft.codegen import compile_module
from weft.sim import run

Function = Callable[..., Any]
M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def exponent(x: float) -> int:
    """`ilogb`: the least integer for zeros and NaNs, the largest for infinities."""
    if x == 0 or math.isnan(x):
        return -(2**31)
    return 2**31 - 1 if math.isinf(x) else math.frexp(x)[1] - 1


def logb(x: float) -> float:
    return abs(x) if not math.isfinite(x) else -math.inf if x == 0 else float(exponent(x))


def away(x: float) -> float:
    """The nearest integer, halves away from zero."""
    return math.copysign(math.floor(abs(Fraction(x)) + Fraction(1, 2)), x) if math.isfinite(x) else x


def divided(x: float, y: float) -> tuple[float, int | None]:
    """(the remainder of the division rounded to the nearest integer, the last three bits of that with its sign)."""
    if math.isinf(x) or y == 0 or math.isnan(x) or math.isnan(y):
        return math.nan, None
    if math.isinf(y):
        return x, 0
    count = round(Fraction(x) / Fraction(y))
    return math.remainder(x, y), abs(count) % 8 * (1 if count > 0 else -1)


def least(x: float, y: float) -> float:
    """The smaller number; -0 is less than 0, and a NaN is none."""
    numbers = [(v, math.copysign(1, v)) for v in (x, y) if not math.isnan(v)]
    return min(numbers)[0] if numbers else math.nan


def scaled(x: float, n: int) -> Any:
    """x 2^n, not rounded but as NumPy's widest type."""
    return np.ldexp(np.longdouble(x), max(-4000, min(4000, n)))


def number(x: int, bits: int = 32) -> int:
    """The bits as a number with a sign."""
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> bits - 1 else x


def permuted(x: int, y: int, selector: int) -> int:
    taken = ((y & M32) << 32 | x & M32).to_bytes(8, "little")
    return number(int.from_bytes(bytes(taken[selector >> 4 * i & 7] for i in range(4)), "little"))


FLOATS: dict[str, Function] = {
    "nextafter": np.nextafter, "copysign": np.copysign, "fmod": np.fmod, "floor": np.floor, "ceil": np.ceil,
    "trunc": np.trunc, "rint": np.rint, "nearbyint": np.rint, "sqrt": np.sqrt, "fabs": np.abs,
    "fmin": least, "fmax": lambda x, y: -least(-x, -y), "fdim": lambda x, y: 0.0 if x <= y else x - y,
    "round": away, "llround": lambda x: int(away(x)) if abs(x) < 2.0**63 else None,
    "llrint": lambda x: round(x) if abs(x) < 2.0**63 else None, "ilogb": exponent, "logb": logb,
    "remainder": lambda x, y: divided(x, y)[0], "remquo": divided, "ldexp": scaled, "scalbn": scaled,
    "frexp": lambda x: math.frexp(x) if math.isfinite(x) else (x, 0),
    "modf": lambda x: (math.copysign(0.0, x), x) if math.isinf(x) else math.modf(x),
}  # fmt: skip
"""The functions that there are of both types; None where the result is not defined."""
CLASSES: dict[str, Function] = {
    "isnanf": math.isnan, "isnand": math.isnan, "isinff": math.isinf, "isinfd": math.isinf, "finitef": math.isfinite,
    "isfinited": math.isfinite, "signbitf": lambda x: math.copysign(1, x) < 0,
    "signbitd": lambda x: math.copysign(1, x) < 0,
}  # fmt: skip
OTHERS: dict[str, Function] = {
    "saturatef": lambda x: x if 0 < x < 1 else float(x >= 1),
    "frsqrt_rn": lambda x: 1 / np.sqrt(np.longdouble(x)),
    "float2half_rn": lambda x: None if math.isnan(x) else int(np.float16(x).view(np.uint16)),
    "half2float": lambda x: float(np.uint16(x).view(np.float16)),
    "float_as_int": lambda x: int(np.float32(x).view(np.int32)),
    "float_as_uint": lambda x: int(np.float32(x).view(np.int32)),
    "int_as_float": lambda x: float(np.int32(x).view(np.float32)),
    "uint_as_float": lambda x: float(np.int32(x).view(np.float32)),
    "double_as_longlong": lambda x: int(np.float64(x).view(np.int64)),
    "longlong_as_double": lambda x: float(np.int64(x).view(np.float64)),
    "double2loint": lambda x: number(int(np.float64(x).view(np.int64))),
    "double2hiint": lambda x: int(np.float64(x).view(np.int64)) >> 32,
    "hiloint2double": lambda x, y: float(np.int64(x << 32 | y & M32).view(np.float64)),
    "clz": lambda x: 32 - (x & M32).bit_length(), "clzll": lambda x: 64 - (x & M64).bit_length(),
    "popc": lambda x: (x & M32).bit_count(), "popcll": lambda x: (x & M64).bit_count(),
    "brev": lambda x: number(int(f"{x & M32:032b}"[::-1], 2)),
    "brevll": lambda x: number(int(f"{x & M64:064b}"[::-1], 2), 64),
    "ffs": lambda x: (x & -x).bit_length(), "ffsll": lambda x: (x & -x).bit_length(),
    "abs": lambda x: number(abs(x)), "llabs": lambda x: number(abs(x), 64), "byte_perm": permuted,
    "sad": lambda x, y, z: number(z + abs(x - y)), "usad": lambda x, y, z: number(z + abs((x & M32) - (y & M32))),
    "min": min, "umin": lambda x, y: number(min(x & M32, y & M32)), "llmin": min,
    "ullmin": lambda x, y: number(min(x & M64, y & M64), 64),
    "max": max, "umax": lambda x, y: number(max(x & M32, y & M32)), "llmax": max,
    "ullmax": lambda x, y: number(max(x & M64, y & M64), 64),
    "mulhi": lambda x, y: x * y >> 32, "umulhi": lambda x, y: number((x & M32) * (y & M32) >> 32),
    "mul64hi": lambda x, y: x * y >> 64, "umul64hi": lambda x, y: number((x & M64) * (y & M64) >> 64, 64),
    "mul24": lambda x, y: number(number(x, 24) * number(y, 24)),
    "umul24": lambda x, y: number((x & 0xFFFFFF) * (y & 0xFFFFFF)),
    "hadd": lambda x, y: x + y >> 1, "rhadd": lambda x, y: x + y + 1 >> 1,
    "uhadd": lambda x, y: number((x & M32) + (y & M32) >> 1),
    "urhadd": lambda x, y: number((x & M32) + (y & M32) + 1 >> 1),
}  # fmt: skip
MODES = {"rn": 0, "rz": 2, "rd": -1, "ru": 1}


def towards(exact: Fraction, kind: str, mode: str) -> float:
    """A number rounded to the nearest float of a type, or to the one beside it in a direction."""
    dtype: Any = {"f": np.float32, "d": np.float64}[kind]
    try:
        near = np.float64(float(exact))
    except OverflowError:
        near = np.float64(math.inf if exact > 0 else -math.inf)
    if kind == "f" and math.isfinite(near) and Fraction(float(near)) != exact and not int(near.view(np.int64)) & 1:
        near = np.nextafter(near, math.inf if Fraction(float(near)) < exact else -math.inf)
    found = dtype(near)
    direction = MODES[mode] if mode != "rz" else -1 if exact > 0 else 1
    beyond = found > exact if direction < 0 else found < exact if direction else False
    return float(np.nextafter(found, dtype(direction * math.inf)) if beyond else found)


def root(x: Fraction, kind: str, mode: str) -> float:
    """The square root: of a number scaled to have some hundred bits before the point."""
    shift = 400
    whole = math.isqrt(int(x * 2 ** (2 * shift) * 2**2000))
    exact = Fraction(whole, 2 ** (shift + 1000))
    return towards(exact if exact * exact == x else exact + Fraction(1, 2 ** (shift + 1100)), kind, mode)


def exactly(function: Callable[..., Fraction], kind: str, mode: str) -> Function:
    """A function of finite numbers; other operands and results of 0 have no rounding."""

    def found(*numbers: float) -> float | None:
        if not all(map(math.isfinite, numbers)):
            return None
        try:
            exact = function(*map(Fraction, numbers))
        except ZeroDivisionError:
            return None
        return towards(exact, kind, mode) if exact else None

    return found


def whole_number(mode: str, low: int, high: int) -> Function:
    """A float as an integer of a range."""
    rounds: Function = {"rn": round, "rz": math.trunc, "rd": math.floor, "ru": math.ceil}[mode]

    def found(x: float) -> int | None:
        value = rounds(x) if math.isfinite(x) else high + 1
        return number(value, 32 if high < 2**32 else 64) if low <= value <= high else None

    return found


def rounding_functions() -> dict[str, Function]:
    """Those with a rounding in their names."""
    found: dict[str, Function] = {}
    integers = {
        "int": (-(2**31), 2**31 - 1),
        "uint": (0, 2**32 - 1),
        "ll": (-(2**63), 2**63 - 1),
        "ull": (0, 2**64 - 1),
    }
    for mode in MODES:
        for kind in "fd":
            found |= {
                f"{kind}add_{mode}": exactly(lambda x, y: x + y, kind, mode),
                f"{kind}sub_{mode}": exactly(lambda x, y: x - y, kind, mode),
                f"{kind}mul_{mode}": exactly(lambda x, y: x * y, kind, mode),
                f"{kind}div_{mode}": exactly(lambda x, y: x / y, kind, mode),
                f"{kind}rcp_{mode}": exactly(lambda x: 1 / x, kind, mode),
                f"{kind}sqrt_{mode}": lambda x, k=kind, m=mode: root(Fraction(x), k, m) if 0 < x < math.inf else None,
            }
        for name, kind in (("fmaf", "f"), ("fmaf_ieee", "f"), ("fma", "d")):
            found[f"{name}_{mode}"] = exactly(lambda x, y, z: x * y + z, kind, mode)
        found[f"double2float_{mode}"] = exactly(lambda x: x, "f", mode)
        for name, (low, high) in integers.items():
            for real, kind in (("float", "f"), ("double", "d")):
                found[f"{real}2{name}_{mode}"] = whole_number(mode, low, high)
                bits, sign = 32 if high < 2**32 else 64, low < 0
                found[f"{name}2{real}_{mode}"] = lambda x, k=kind, m=mode, b=bits, s=sign: towards(
                    Fraction(x if s else x % 2**b), k, m
                )
    return {name: function for name, function in found.items() if name in CASES}


REFERENCES = rounding_functions() | {
    name + suffix: function for suffix in ("", "f") for name, function in FLOATS.items()
} | CLASSES | OTHERS  # fmt: skip


def grouped() -> dict[str, list[Case]]:
    """The functions by their operands."""
    found: defaultdict[str, list[Case]] = defaultdict(list)
    for name in REFERENCES:
        found[CASES[name].operands].append(CASES[name])
    return found


def given(kind: str, alone: bool) -> list[Any]:
    """Numbers at the ends of what a type has, at ties, and in between; of one operand more of them."""
    if kind in "ilh":
        bits = {"i": 32, "l": 64, "h": 16}[kind]
        low, high = (0, 2**bits - 1) if kind == "h" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        found = [0, 1, 2, 5, 24, 150, 0x7C00, 0x7C01, 0x3C01, 0x0123, high, high - 1, high // 2 + 1, 0x89AB & high]
        found += [] if kind == "h" else [-1, -2, -3, -31, -149, -1074, -2000, low, low + 1, 0x456789AB]
        return [*found, 0x0123456789ABCDEF, 1 << 33, -(1 << 40)] if kind == "l" else found
    info = np.finfo(DTYPES[kind])
    tiny, small, most, bits = float(info.tiny), float(info.smallest_subnormal), float(info.max), int(info.nmant)
    sizes = [0.0, small, 3 * small, tiny - small, tiny, 0.3, 0.5, 1.0, 1 + float(info.eps), 1.5, 2.5, 3.0, 7.0, 100.75]
    sizes += [2.0 ** (bits - 1) + 0.5, 2.0**bits + 1, most / 2, most, math.inf]
    if alone:
        sizes += [1 - float(info.eps) / 2, 0.5 - float(info.eps) / 4, 2.0**62, 2.0**31, 2.0**31 + 0.5, 65519.0, 65520.0]
        sizes += [2.0**-25, 3 * 2.0**-26, 6e-8, 1.0009765625, 1.00048828125, 8 * small, 1e-3, 1e30, 0.7071067811865476]
    return [*sizes, *(-x for x in sizes), math.nan]


def alike(found: Any, wanted: Any) -> bool:
    """Whether two floats are the same: with the sign of zeros, and any NaN."""
    return bool(np.isnan(found) and np.isnan(wanted)) or (found == wanted and np.signbit(found) == np.signbit(wanted))


@pytest.mark.sample(7)
@pytest.mark.parametrize("kinds", grouped())
def test_exact_functions(kinds: str) -> None:
    cases = grouped()[kinds]
    rows = list(product(*(given(kind, len(kinds) == 1) for kind in kinds)))
    rows = rows[:: -(-len(rows) // 500)]
    operands = [
        np.array(column).astype(DTYPES[kind]) for column, kind in zip(zip(*rows, strict=True), kinds, strict=True)
    ]
    outs = [[np.zeros(len(rows), DTYPES[kind]) for kind in case.outputs] for case in cases]
    run(compile_module(together(cases), "sm_80"), "k", 1, len(rows), [*operands, *(o for out in outs for o in out)])
    values = list(zip(*(operand.tolist() for operand in operands), strict=True))
    with np.errstate(all="ignore"):
        for case, out in zip(cases, outs, strict=True):
            reference = REFERENCES[case.name]
            if isinstance(reference, np.ufunc):
                results: list[Any] = list(zip(reference(*operands), strict=True))
            else:
                found = (reference(*row) for row in values)
                results = [result if isinstance(result, tuple) else (result,) for result in found]
            for row, result, *got in zip(values, results, *out, strict=True):
                for one, wanted in zip(got, result, strict=True):
                    exact = wanted if wanted is None else one.dtype.type(wanted)
                    assert exact is None or (alike(one, exact) if one.dtype.kind == "f" else one == exact), (
                        case.name,
                        row,
                    )
