"""Each function reaches the right code: `math` and intrinsics, of all floats and vectors, under all flags, for all targets.

What is asked of each is drawn; f64 says what the result should be.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import erf, erfc
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from weft.codegen import compile_module
from weft.sim import run

COUNT = 256
DRAWS = 8
MATH: dict[str, Callable[..., Any]] = {
    "absf": np.abs, "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atanh": np.arctanh, "cbrt": np.cbrt, "ceil": np.ceil, "cos": np.cos, "cosh": np.cosh,
    "erf": np.vectorize(erf, [float]), "erfc": np.vectorize(erfc, [float]), "exp": np.exp, "exp2": np.exp2,
    "expm1": np.expm1, "floor": np.floor, "log": np.log, "log10": np.log10, "log1p": np.log1p, "log2": np.log2,
    "round": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x), "roundeven": np.rint, "rsqrt": lambda x: 1 / np.sqrt(x),
    "sin": np.sin, "sinh": np.sinh, "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh, "trunc": np.trunc,
    "atan2": np.arctan2, "copysign": np.copysign, "powf": np.power,
}  # fmt: skip
PAIRS = ("atan2", "copysign", "powf", "pow")
ALSO = {"exp10": lambda x: 10.0**x, "fabs": np.abs, "nearbyint": np.rint, "pow": np.power, "rint": np.rint}
WITHOUT = ("absf", "acosh", "asinh", "atanh", "cbrt", "erf", "erfc", "expm1", "log1p", "powf", "rsqrt")
"""What `llvm` has no intrinsic for, or one of another name."""
FUNCTIONS = {f"math.{name}": f for name, f in MATH.items()}
FUNCTIONS |= {f"llvm.intr.{name}": f for name, f in (MATH | ALSO).items() if name not in WITHOUT}
DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
ULPS = {"f16": 0.52, "bf16": 0.52, "f32": 4.5, "f64": 2.5}
FLAGS = ("", "afn", "fast", "contract", "nnan, ninf", "reassoc, nsz")
TARGETS = ("sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120a")


def arguments(name: str, dtype: Any, seed: int) -> list[Any]:
    """Ordinary numbers that the function is defined for."""
    drawn = np.random.default_rng(seed)
    low, high = {"asin": (-1, 1), "acos": (-1, 1), "atanh": (-1, 1), "acosh": (1, 30)}.get(name, (-5, 5))
    if name.startswith(("log", "pow")) or name in ("sqrt", "rsqrt"):
        low, high = 0.01, 9
    return [drawn.uniform(low, high, COUNT).astype(dtype), drawn.uniform(-3, 3, COUNT).astype(dtype)]


def kernel(operation: str, kind: str, lanes: int, place: int, flags: str) -> str:
    """The operation on scalars, or on vectors of equal elements of which one is looked at."""
    type_ = f"vector<{lanes}x{kind}>" if lanes else kind
    values = ["%v", "%w"][: 2 if operation.split(".")[-1] in PAIRS else 1]
    made = [f"vector.broadcast %{x} : {kind} to {type_}" if lanes else f"llvm.freeze %{x} : {kind}" for x in "xy"]
    if operation.startswith("math."):
        given = f" fastmath<{flags.replace(' ', '')}>" if flags else ""
        call = f"{operation} {', '.join(values)}{given} : {type_}"
    else:
        given = f" {{fastmathFlags = #llvm.fastmath<{flags}>}}" if flags else ""
        call = f"{operation}({', '.join(values)}){given} : ({', '.join([type_] * len(values))}) -> {type_}"
    taken = f"vector.extract %q[{place}] : {kind} from {type_}" if lanes else f"llvm.freeze %q : {kind}"
    places = "\n".join(f"%p{x} = llvm.getelementptr %{x}s[%t] : (!llvm.ptr, i32) -> !llvm.ptr, {kind}" for x in "xyo")
    return f"""llvm.func @k(%xs: !llvm.ptr, %ys: !llvm.ptr, %os: !llvm.ptr) attributes {{nvvm.kernel}} {{
        %t = nvvm.read.ptx.sreg.tid.x : i32
        {places}
        %x = llvm.load %px : !llvm.ptr -> {kind}
        %y = llvm.load %py : !llvm.ptr -> {kind}
        %v = {made[0]}
        %w = {made[1]}
        %q = {call}
        %r = {taken}
        llvm.store %r, %po : {kind}, !llvm.ptr
        llvm.return }}"""


def allowed(name: str, wanted: Any, kind: str, *, approximate: bool) -> Any:
    """The largest error; that of approximations is small beside the result and beside 1, or beside a tangent's square."""
    info = ml_dtypes.finfo(DTYPES[kind])
    size = np.abs(wanted)
    exact = ULPS[kind] * float(info.eps) * np.maximum(size, float(info.tiny))
    if not approximate or kind == "f64":
        return exact
    if name == "tanh":
        return exact + size * 2.0**-10.9
    return exact + (1e-6 * (1 + size**2) if name == "tan" else 8e-6 * np.maximum(1, size))


@pytest.mark.sample(7)
@pytest.mark.parametrize("draw", range(DRAWS))
@pytest.mark.parametrize("operation", FUNCTIONS)
def test_gives_what_the_function_is(operation: str, draw: int) -> None:
    chosen, name = random.Random(f"{operation} {draw}"), operation.split(".")[-1]
    kind, lanes = chosen.choice(list(DTYPES)), chosen.choice([0, 0, 2, 3, 4, 8])
    flags, target = chosen.choice(FLAGS), chosen.choice(TARGETS)
    x, y = arguments(name, DTYPES[kind], draw)
    found = np.zeros(COUNT, DTYPES[kind])
    text = kernel(operation, kind, lanes, chosen.randrange(lanes or 1), flags)
    run(compile_module(text, target), "k", 1, COUNT, [x, y, found], check="fast")
    wides = [value.astype(np.float64) for value in (x, y)[: 2 if name in PAIRS else 1]]
    with np.errstate(all="ignore"):
        wanted = FUNCTIONS[operation](*wides)
        bound = allowed(name, wanted, kind, approximate=flags in ("afn", "fast"))
        rounded = wanted.astype(DTYPES[kind]).astype(np.float64)
        got = found.astype(np.float64)
        same = (got == rounded) | np.isnan(got) & np.isnan(rounded)
        wrong = np.flatnonzero(~(same | (np.abs(got - wanted) <= bound)))
    assert not wrong.size, (kind, lanes, flags, target, x[wrong[0]], y[wrong[0]], got[wrong[0]], wanted[wrong[0]])
