"""Operations on floats: all of two numbers of a type in one kernel, held to exact arithmetic that is rounded once."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from weft.codegen import compile_module
from weft.sim import run

DTYPES: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
WIDTH = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
Number = Fraction | float
Reference = Callable[[float, float], Any]
Row = tuple[str, str, Reference]
"""Text that makes `%r` of `%a` and `%b`, its type, and what it is: None where that is not defined."""
INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}


def odd(near: Any, exact: Number) -> Any:
    """A float beside a number, which then rounds further as the number does: the one with an odd last bit of two."""
    if not np.isfinite(near) or Fraction(float(near)) == exact or int(near.view(f"i{near.itemsize}")) & 1:
        return near
    return np.nextafter(near, near.dtype.type(math.inf if Fraction(float(near)) < exact else -math.inf))


def cast(x: float, kind: str) -> float:
    """The nearest float of a type; to bf16 NumPy goes by f32."""
    with np.errstate(all="ignore"):
        if kind == "bf16" and math.isfinite(x):
            return float(odd(np.float32(x), Fraction(x)).astype(DTYPES[kind]))
        return float(np.float64(x).astype(DTYPES[kind]))


def rounded(x: Number, kind: str) -> float:
    """A number rounded once."""
    if isinstance(x, float):
        return cast(x, kind)
    try:
        near = np.float64(float(x))
    except OverflowError:
        return math.inf if x > 0 else -math.inf
    return cast(float(near if kind == "f64" else odd(near, x)), kind)


def exactly(function: Callable[..., Fraction], otherwise: Callable[..., float]) -> Callable[..., Number]:
    """A function of finite numbers whose result is not 0, exactly; what f64 gives else, for the sign."""

    def found(*numbers: float) -> Number:
        if all(map(math.isfinite, numbers)):
            result = function(*map(Fraction, numbers))
            if result:
                return result
        with np.errstate(all="ignore"):
            return float(otherwise(*map(np.float64, numbers)))

    return found


def quotient(a: float, b: float) -> Number:
    if math.isfinite(a) and math.isfinite(b) and a and b:
        return Fraction(a) / Fraction(b)
    with np.errstate(all="ignore"):
        return float(np.float64(a) / np.float64(b))


def extreme(a: float, b: float, *, least: bool, nan: bool) -> float:
    """The smaller or the larger number, -0 below 0; with `nan` a NaN where one is, else the number that is none."""
    if nan and (math.isnan(a) or math.isnan(b)):
        return math.nan
    numbers = [(v, math.copysign(1, v)) for v in (a, b) if not math.isnan(v)]
    return (min if least else max)(numbers)[0] if numbers else math.nan


def away(x: float) -> float:
    return math.copysign(math.floor(abs(Fraction(x)) + Fraction(1, 2)), x) if math.isfinite(x) else x


def even(x: float) -> float:
    return float(np.rint(x))


ADD = exactly(lambda a, b: a + b, lambda a, b: a + b)
SUBTRACT = exactly(lambda a, b: a - b, lambda a, b: a - b)
MULTIPLY = exactly(lambda a, b: a * b, lambda a, b: a * b)
FUSED = exactly(lambda a, b: a * b + a, lambda a, b: a * b + a)
BINARY: dict[str, Callable[[float, float], Number]] = {
    "add": ADD, "sub": SUBTRACT, "mul": MULTIPLY, "div": quotient,
    "rem": lambda a, b: math.fmod(a, b) if math.isfinite(a) and b and not math.isnan(b) else math.nan,
}  # fmt: skip
EXTREMES = {
    f"{end}{kind}": (end == "min", kind == "imum") for end in ("min", "max") for kind in ("num", "imum")
}  # fmt: skip
UNARY: dict[str, Callable[[float], Number]] = {
    "math.absf %a": abs, "arith.negf %a": lambda a: -a, "math.ceil %a": lambda a: float(np.ceil(a)),
    "math.floor %a": lambda a: float(np.floor(a)), "math.trunc %a": lambda a: float(np.trunc(a)),
    "math.roundeven %a": even, "math.round %a": away,
}  # fmt: skip
INTRINSICS: dict[str, str] = {
    "fabs": "math.absf %a", "ceil": "math.ceil %a", "floor": "math.floor %a", "trunc": "math.trunc %a",
    "roundeven": "math.roundeven %a", "rint": "math.roundeven %a", "nearbyint": "math.roundeven %a",
    "round": "math.round %a",
}  # fmt: skip
"""The intrinsics that are operations of `math`."""
RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "eq": float.__eq__, "gt": float.__gt__, "ge": float.__ge__, "lt": float.__lt__, "le": float.__le__,
    "ne": lambda a, b: a < b or a > b,
}  # fmt: skip


def root(a: float, kind: str) -> float:
    """Of f16 and bf16 f64 is exact enough to round once more."""
    return cast(math.sqrt(a), kind) if a >= 0 and not math.isinf(a) else a if a == math.inf or a == 0 else math.nan


def kind_of_number(a: float, kind: str, mask: int) -> int:
    """Whether a float is of a class of `is.fpclass`; its NaNs are quiet ones here."""
    tiny = float(ml_dtypes.finfo(DTYPES[kind]).tiny)
    if math.isnan(a):
        bit = 2
    else:
        place = 0 if math.isinf(a) else 3 if a == 0 else 1 if abs(a) >= tiny else 2
        bit = (4 << place) if math.copysign(1, a) < 0 else (512 >> place)
    return int(bool(bit & mask))


def within(a: float, low: int, high: int) -> int | None:
    return int(a) if math.isfinite(a) and low <= int(a) <= high else None


def saturated(a: float, low: int, high: int) -> int:
    return 0 if math.isnan(a) else max(low, min(high, int(max(-1e30, min(1e30, a)))))


def limits(width: int, *, sign: bool) -> tuple[int, int]:
    return (-(1 << width - 1), (1 << width - 1) - 1) if sign else (0, (1 << width) - 1)


def directed(a: float, kind: str, mode: str) -> float:
    """A float rounded in a direction."""
    near = cast(a, kind)
    if near == a or math.isnan(a):
        return near
    towards = {"downward": -math.inf, "upward": math.inf, "toward_zero": 0.0}[mode]
    wrong = near > a if towards == -math.inf or (towards == 0 and a > 0) else near < a
    return float(np.nextafter(DTYPES[kind](near), DTYPES[kind](towards))) if wrong else near


def calls(f: str) -> Iterator[Row]:
    """Operations with results of the type of the operands."""
    for name, function in BINARY.items():
        for op in (f"arith.{name}f", f"llvm.f{name}"):
            yield f"%r = {op} %a, %b : {f}", f, function
    for name, (least, nan) in EXTREMES.items():
        reference: Reference = lambda a, b, least=least, nan=nan: extreme(a, b, least=least, nan=nan)  # noqa: E731
        yield f"%r = arith.{name}f %a, %b : {f}", f, reference
        yield f"%r = llvm.intr.{name}(%a, %b) : ({f}, {f}) -> {f}", f, reference
        if not nan:
            call = f'"llvm.{name.replace("num", "imumnum")}.{f}"(%a, %b) : ({f}, {f}) -> {f}'
            yield f"%r = llvm.call_intrinsic {call}", f, reference
    for text, one in UNARY.items():
        yield f"%r = {text} : {f}", f, lambda a, b, g=one: g(a)
    for name, text in INTRINSICS.items():
        yield f"%r = llvm.intr.{name}(%a) : ({f}) -> {f}", f, lambda a, b, g=UNARY[text]: g(a)
    yield f"%r = llvm.fneg %a : {f}", f, lambda a, b: -a
    yield f"%r = math.copysign %a, %b : {f}", f, math.copysign
    yield f"%r = llvm.intr.copysign(%a, %b) : ({f}, {f}) -> {f}", f, math.copysign
    yield f"%r = math.fma %a, %b, %a : {f}", f, FUSED
    for name in ("fma", "fmuladd"):
        yield f"%r = llvm.intr.{name}(%a, %b, %a) : ({f}, {f}, {f}) -> {f}", f, FUSED
    yield f"%r = math.sqrt %a : {f}", f, lambda a, b: root(a, f)
    yield f"%r = llvm.intr.sqrt(%a) : ({f}) -> {f}", f, lambda a, b: root(a, f)
    yield f'%r = llvm.call_intrinsic "llvm.canonicalize.{f}"(%a) : ({f}) -> {f}', f, lambda a, b: a
    low_high = f"%l = arith.constant -1.5 : {f}\n%h = arith.constant 2.5 : {f}\n"
    yield (
        f"{low_high}%r = math.clampf %a to [%l, %h] : {f}", f,
        lambda a, b: a if math.isnan(a) else max(-1.5, min(2.5, a)),
    )  # fmt: skip
    for shift in (-300, -30, -1, 0, 5, 40, 2000):
        text = f"%n = llvm.mlir.constant({shift} : i32) : i32\n%r = llvm.intr.ldexp(%a, %n) : ({f}, i32) -> {f}"
        yield text, f, lambda a, b, n=shift: Fraction(a) * Fraction(2) ** n if a and math.isfinite(a) else a
    pair = f"!llvm.struct<({f}, i32)>"
    apart = f"%p = llvm.intr.frexp(%a) : ({f}) -> {pair}\n"
    yield f"{apart}%r = llvm.extractvalue %p[0] : {pair}", f, lambda a, b: math.frexp(a)[0]
    yield (
        f"{apart}%r = llvm.extractvalue %p[1] : {pair}", "i32",
        lambda a, b: math.frexp(a)[1] if math.isfinite(a) else 0,
    )  # fmt: skip
    pair = f"!llvm.struct<({f}, {f})>"
    apart = f'%p = llvm.call_intrinsic "llvm.modf.{f}"(%a) : ({f}) -> {pair}\n'
    parts: list[Callable[[float], float]] = [
        lambda a: math.copysign(0.0, a) if math.isinf(a) else math.modf(a)[0], lambda a: float(np.trunc(a)),
    ]  # fmt: skip
    for index, part in enumerate(parts):
        yield f"{apart}%r = llvm.extractvalue %p[{index}] : {pair}", f, lambda a, b, g=part: g(a)


def predicates(f: str) -> Iterator[Row]:
    """Operations that tell something of floats."""
    for name, relation in RELATIONS.items():
        for letter in "ou":
            with_nan: Reference = lambda a, b, g=relation, n=letter == "u": int(n if unordered(a, b) else g(a, b))  # noqa: E731
            yield f"%r = arith.cmpf {letter}{name}, %a, %b : {f}", "i1", with_nan
            yield f'%r = llvm.fcmp "{letter}{name}" %a, %b : {f}', "i1", with_nan
    yield f"%r = arith.cmpf ord, %a, %b : {f}", "i1", lambda a, b: int(not unordered(a, b))
    yield f"%r = arith.cmpf uno, %a, %b : {f}", "i1", lambda a, b: int(unordered(a, b))
    for mask in (*(1 << n for n in range(1, 10)), 3, 519, 264, 927, 96, 1023, 144, 36, 516, 480):
        text = f'%r = "llvm.intr.is.fpclass"(%a) <{{bit = {mask} : i32}}> : ({f}) -> i1'
        yield text, "i1", lambda a, b, m=mask: kind_of_number(a, f, m)
    for name, mask in (("isinf", 516), ("isfinite", 504), ("isnan", 3), ("isnormal", 264)):
        yield f"%r = math.{name} %a : {f}", "i1", lambda a, b, m=mask: kind_of_number(a, f, m)


def unordered(a: float, b: float) -> bool:
    return math.isnan(a) or math.isnan(b)


def conversions(f: str) -> Iterator[Row]:
    """To and from other types."""
    for other, width in WIDTH.items():
        if width > WIDTH[f]:
            for op in ("arith.extf", "llvm.fpext"):
                yield f"%r = {op} %a : {f} to {other}", other, lambda a, b: a
        elif width < WIDTH[f]:
            for op in ("arith.truncf", "llvm.fptrunc"):
                yield f"%r = {op} %a : {f} to {other}", other, lambda a, b: a
            for mode in ("downward", "upward", "toward_zero") if other != "f16" else ():
                text = f"%r = arith.truncf %a {mode} : {f} to {other}"
                yield text, other, lambda a, b, o=other, m=mode: directed(a, o, m)
    for name, width in INTEGERS.items():
        for sign in (True, False):
            low, high = limits(width, sign=sign)
            letter = "s" if sign else "u"
            for op in (f"arith.fpto{letter}i", f"llvm.fpto{letter}i"):
                yield f"%r = {op} %a : {f} to {name}", name, lambda a, b, n=low, m=high: within(a, n, m)
            if name != "i1" or sign:
                call = f'%r = llvm.call_intrinsic "llvm.fpto{letter}i.sat.{name}.{f}"(%a) : ({f}) -> {name}'
                yield call, name, lambda a, b, n=low, m=high: saturated(a, n, m)
            back = f"%n = arith.fptosi %a : {f} to i64\n%m = llvm.{'trunc' if width < 64 else 'bitcast'} %n : i64 to {name}\n"
            for op in (f"arith.{letter}itofp", f"llvm.{letter}itofp"):
                yield (
                    f"{back}%r = {op} %m : {name} to {f}", f,
                    lambda a, b, w=width, s=sign: None if (n := within(a, *limits(64, sign=True))) is None else Fraction(wrapped(n, w, sign=s)),
                )  # fmt: skip
    for name, function in (("rint", even), ("round", away)):
        for letter, width in (("l", 32), ("ll", 64)):
            text = f"%r = llvm.intr.{letter}{name}(%a) : ({f}) -> i{width}"
            ends = limits(width, sign=True)
            yield text, f"i{width}", lambda a, b, g=function, e=ends: within(g(a), *e) if math.isfinite(a) else None


def wrapped(n: int, width: int, *, sign: bool) -> int:
    n %= 1 << width
    return n - (1 << width) if sign and n >> width - 1 else n


def numbers(kind: str) -> list[float]:
    """Of either sign: ends of the range, denormals, ties of roundings to integers and to other types."""
    info = ml_dtypes.finfo(DTYPES[kind])
    tiny, least, most, eps = (float(x) for x in (info.tiny, info.smallest_subnormal, info.max, info.eps))
    sizes = [0.0, least, 3 * least, tiny - least, tiny, 0.5, 1.0, 1 + eps, 1.5, 2.5, 100.75, most, math.inf, 1 / 3]
    sizes += [65519.99, 16777217.0, 2.0**31, 2.0**62 * 1.5, 1 + 2.0**-8, 1 + 2.0**-24, 3e38]
    return [cast(x, kind) for x in (*sizes, *(-x for x in sizes), math.nan)]


def kernel(table: list[Row], f: str) -> str:
    """Every operation; the bits of its result as 8 bytes, one after another."""
    parts: list[str] = []
    for at, (text, type_, _) in enumerate(table):
        named = re.sub(r"%(?!a\b|b\b)(\w+)", rf"%\1_{at}", text)
        bits = type_ if type_.startswith("i") else f"i{WIDTH[type_]}"
        moved = "" if bits == type_ else f"%i_{at} = llvm.bitcast %r_{at} : {type_} to {bits}\n"
        whole = f"%v_{at} = llvm.zext %{'r' if bits == type_ else 'i'}_{at} : {bits} to i64" if bits != "i64" else ""
        last = "v" if whole else "r" if bits == type_ else "i"
        parts.append(f"""{named}
          {moved}{whole}
          %o_{at} = llvm.getelementptr %q[{at}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
          llvm.store %{last}_{at}, %o_{at} : i64, !llvm.ptr<1>""")
    body = "\n".join(parts)
    return f"""gpu.module @m {{ gpu.func @k(%in: !llvm.ptr<1>, %other: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {{
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %x = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {f}
      %y = llvm.getelementptr %other[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {f}
      %a = llvm.load %x : !llvm.ptr<1> -> {f}
      %b = llvm.load %y : !llvm.ptr<1> -> {f}
      %q = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<{len(parts)} x i64>
      {body}
      gpu.return }} }}"""


def is_right(found: int, wanted: Any, type_: str) -> bool:
    """Whether a pattern is that of a result; any NaN is any other."""
    if wanted is None:
        return True
    if type_.startswith("i"):
        return found == wanted % (1 << INTEGERS[type_])
    value = rounded(wanted, type_)
    width = WIDTH[type_]
    got = float(np.array(found, np.uint64).astype(f"u{width // 8}").view(DTYPES[type_]))
    return (math.isnan(got) and math.isnan(value)) or (
        got == value and math.copysign(1, got) == math.copysign(1, value)
    )


QUICK = (("bf16", "sm_80"), ("f32", "sm_90"))


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        case if case in QUICK else pytest.param(*case, marks=pytest.mark.slow)
        for case in product(DTYPES, ("sm_80", "sm_90"))
    ],
)
def test_every_operation(kind: str, target: str) -> None:
    random = np.random.default_rng(1)
    every = numbers(kind)
    others = [every[i] for i in random.permutation(len(every))]
    pairs = [*zip(every, others, strict=True), *zip(every, every, strict=True)]
    pairs += [(every[i], every[j]) for i, j in random.integers(0, len(every), (80, 2))]
    table = [*calls(kind), *predicates(kind), *conversions(kind)]
    columns = [np.array(column, np.float64).astype(DTYPES[kind]) for column in zip(*pairs, strict=True)]
    out = np.zeros((len(pairs), len(table)), np.uint64)
    words = [column.view(f"u{column.itemsize}") for column in columns]
    run(compile_module(kernel(table, kind), target), "k", 1, len(pairs), [*words, out])
    wrong = [
        (text, a, b, hex(int(found)))
        for at, (text, type_, reference) in enumerate(table)
        for (a, b), found in zip(pairs, out[:, at], strict=True)
        if not is_right(int(found), reference(a, b), type_)
    ]
    assert not wrong, wrong[:20]
