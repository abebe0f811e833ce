"""Elementary functions: what they give is compared within a bound, and goes nowhere else."""

from __future__ import annotations

from tests.differential.generator import Builder, produces
from tests.differential.types import dims, element, is_float, of

ONE = ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1",
       "log", "log10", "log1p", "log2", "rsqrt", "sin", "sinh", "tan", "tanh")  # fmt: skip
TWO = ("atan2", "powf")
ULPS = {"f16": 2, "bf16": 2, "f32": 8, "f64": 10}
"""Between weft's value (2 ulp in f32, 4 in f64) and that of CUDA's library (at most 6 in its tables); those of 16 bits
are rounded from f32."""


def flat(t: str) -> bool:
    """A float, or a vector of one dimension."""
    return is_float(t) and len(dims(t)) < 2


@produces(4)
def functions(b: Builder) -> None:
    """A function of one operand or of two."""
    if b.device or b.depth:
        return
    x, t = b.any(flat)
    if b.rng.random() < 0.2:
        op = b.rng.choice(TWO)
        other = b.input(t) if op == "atan2" else b.of(t)  # mlir-opt takes that of two constant zeros for NaN.
        got = b.one(f"math.{op} {x}, {other} : {t}", t)
    else:
        op = b.rng.choice(ONE)
        got = b.one(f"math.{op} {x} : {t}", t)
    b.scope[-1].remove((got, t))
    b.store(got, t, ULPS[element(t)])


@produces(2)
def powers(b: Builder) -> None:
    """Powers with an integer exponent."""
    if b.device or b.depth:
        return
    x, t = b.any(lambda t: t in ("f32", "f64"))
    by = b.constant("i32", b.rng.randint(0, 9))  # Of what overflows, 1 over it is 0 or not.
    got = b.one(f"math.fpowi {x}, {by} : {t}, i32", t)
    b.scope[-1].remove((got, t))
    b.store(got, t, ULPS[t] + 8)


@produces(2)
def kinds(b: Builder) -> None:
    """What kind of number a float is."""
    x, t = b.any(flat)
    b.one(f"math.{b.rng.choice(('isnan', 'isinf', 'isfinite'))} {x} : {t}", of(t, "i1"))
