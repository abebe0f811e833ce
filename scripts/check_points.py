"""The largest errors of functions over many arguments, hard ones among them: `python scripts/check_points.py exp powf`.

For all functions of f64, and those of f32 that have several arguments (`check_singles.py` takes all arguments of the
others).  `--record` keeps what is found in `points.json`, from which `measure_math` takes it as long as the function's
PTX is the same; names that it has so are left out.  `points.c` has the references, of 64 bits and of quadruple
precision; weft's code runs on the simulator, compiled.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import hard_arguments  # pyright: ignore[reportImplicitRelativeImport]
import numpy as np
from check_singles import place  # pyright: ignore[reportImplicitRelativeImport]

from tests.codegen import cuda_bounds
from tests.codegen.libdevice_cases import CASES, DTYPES
from weft import parse
from weft.codegen import compile_module
from weft.dataclass import dataclass
from weft.sim import run
from weft.toolchain.find import need

CHUNK, THREADS = 1 << 17, 512
RECORD = Path(__file__).with_name("points.json")
DOMAINS: dict[str, tuple[float, float]] = {
    "acos": (-1, 1), "acosh": (1, 40), "asin": (-1, 1), "atanh": (-1, 1), "cosh": (-711, 711),
    "cyl_bessel_i0": (-714, 714), "cyl_bessel_i1": (-714, 714), "erf": (-6, 6), "erfc": (-6, 27.3), "erfcinv": (0, 2),
    "erfcx": (-26.7, 100), "erfinv": (-1, 1), "exp": (-746, 710), "exp10": (-324, 309), "exp2": (-1075, 1024),
    "expm1": (-40, 710), "j0": (-8, 8), "j1": (-8, 8), "lgamma": (-2.2, 200), "log": (0, 10), "log10": (0, 10),
    "log1p": (-1, 50), "log2": (0, 10), "normcdf": (-38.6, 9), "normcdfinv": (0, 1), "sinh": (-711, 711),
    "tanh": (-20, 20), "tgamma": (-180, 172), "y0": (0, 8), "y1": (0, 8), "pow": (-3, 100), "jn": (-200, 200),
    "yn": (0, 200),
}  # fmt: skip
"""Where functions are tried most, other than from -100 to 100."""
F64 = [
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "cospi", "cyl_bessel_i0", "cyl_bessel_i1",
    "erf", "erfc", "erfcinv", "erfcx", "erfinv", "exp", "exp10", "exp2", "expm1", "j0", "j1", "lgamma", "log", "log10",
    "log1p", "log2", "normcdf", "normcdfinv", "rcbrt", "rsqrt", "sin", "sincos", "sincospi", "sinh", "sinpi", "sqrt",
    "tan", "tanh", "tgamma", "y0", "y1", "atan2", "pow", "hypot", "rhypot", "norm3d", "rnorm3d", "norm4d", "rnorm4d",
    "jn", "yn",
]  # fmt: skip
F32 = [
    "atan2f", "powf", "hypotf", "rhypotf", "norm3df", "rnorm3df", "norm4df", "rnorm4df", "jnf", "ynf",
    "fast_fdividef",
]  # fmt: skip
"""Those of f32 with several arguments."""
BOUNDS: dict[str, int | None] = {name: cuda_bounds.F64.get(name) for name in F64}
BOUNDS |= {name: cuda_bounds.F32.get(name[:-1]) for name in F32} | {"fast_fdividef": 2}
"""CUDA's bounds, where it has one."""
EXACT = [
    *(f"{stem}_{mode}" for mode in ("rn", "rz", "rd", "ru") for stem in (
        "fadd", "dadd", "fsub", "dsub", "fmul", "dmul", "fdiv", "ddiv", "fmaf", "fmaf_ieee", "fma", "drcp", "dsqrt",
        "double2float", "int2float", "uint2float", "ll2float", "ull2float", "ll2double", "ull2double", "double2int",
        "double2ll", "double2uint", "double2ull")),
    "int2double_rn", "uint2double_rn", "fmaf", "fma", "fmodf", "fmod", "remainderf", "remainder", "remquof", "remquo",
    "fdimf", "fdim", "nextafterf", "nextafter", "copysignf", "copysign", "fminf", "fmin", "fmaxf", "fmax", "ldexpf",
    "ldexp", "scalbnf", "scalbn", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "fabs", "logb", "ilogb",
    "llrint", "llround", "frexp", "modf", "isnand", "isinfd", "isfinited", "signbitd", "double2hiint", "double2loint",
    "double_as_longlong", "longlong_as_double",
]  # fmt: skip
"""Functions that have one right result."""
PARTS = {"sincos": ("sin", "cos"), "sincospi": ("sinpi", "cospi")}
BORDER = dict.fromkeys(("j0", "j1", "y0", "y1"), cuda_bounds.BESSEL) | {"jn": 0.0, "yn": 0.0}
"""From where on the absolute error counts."""


class Measured(ctypes.Structure):
    """What `points.c` has found so far."""

    _fields_ = (
        ("ulp", ctypes.c_double), ("at", ctypes.c_double * 4), ("absolute", ctypes.c_double), ("apart", ctypes.c_int64),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """The largest error in ulp of the exact result, where it is, and the largest distance from the rounded result.

    `absolute` is the largest error of Bessel functions beyond `BORDER`; `wrong` says how many results of an exact
    function are others.
    """

    of: int
    ulp: float
    at: str
    apart: int
    absolute: float = 0.0
    wrong: int = 0


@cache
def library(source: str) -> ctypes.CDLL:
    """`points.c` or `exact_points.c`, compiled."""
    target = Path(tempfile.mkdtemp(prefix="weft-references-"), "points.so")
    flags = ["-O2", "-march=native", "-frounding-math", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", target, Path(__file__).with_name(source), "-lquadmath", "-lm"], check=True)
    return ctypes.CDLL(str(target))


@cache
def kernel(name: str) -> Any:
    """A kernel that applies a function of libdevice to the elements of arrays."""
    return compile_module(CASES[name].mlir(), "sm_80")


@cache
def peer(name: str) -> Any:
    """The same as nvcc compiles it, libdevice's own code."""
    folder = Path(tempfile.mkdtemp(prefix="weft-libdevice-"))
    source, out = folder / "k.cu", folder / "k.ptx"
    source.write_text(CASES[name].cuda().replace(f"k_{name}(", "k("))
    subprocess.run([need("nvcc").path, "-arch=sm_80", "-ptx", "-o", out, source], check=True, capture_output=True)
    return parse(out.read_text())


def fingerprint(name: str) -> str:
    """What changes with the function's code."""
    return hashlib.sha256(str(kernel(name)).encode()).hexdigest()[:16]


def stem_of(name: str) -> str:
    """The function, whatever its type."""
    if name == "fast_fdividef":
        return "fdividef"
    single = name in F32 or (name in EXACT and CASES[name].operands[0] == "f")
    return name.removesuffix("f") if single else name


def numbers(stem: str, kind: str, count: int, random: Any) -> Any:
    """Operands of a type: ordinary ones, small and large ones, hard ones, and bit patterns at random."""
    dtype: Any = DTYPES[kind]
    if kind == "l":
        return _patterns("d", count, random).view(np.int64) >> random.integers(0, 64, count)
    if kind == "i":
        if stem not in ("jn", "yn"):
            small = random.integers(-40, 40, count).astype(np.int32) * random.choice(
                np.array([1, 1, 30], np.int32), count
            )
            return np.where(random.random(count) < 0.8, small, _patterns("i", count, random))
        return random.integers(0, 129, count).astype(np.int32)
    low, high = DOMAINS.get(stem, (-100.0, 100.0))
    with np.errstate(all="ignore"):
        middle = random.uniform(low, high, count)
        near = random.choice([-1.0, 1.0], count) * 2.0 ** random.uniform(-70, 1, count)
        near = near + random.choice([0.0, 1.0, -1.0, 2.0], count)
        sizes = random.choice([-1.0, 1.0], count) * 2.0 ** random.uniform(
            *((-149, 128) if kind == "f" else (-1074, 1024)), count
        )
        points = hard_arguments.HARD.get(stem, hard_arguments.ANY)(kind, random)
        hard = hard_arguments.beside(points, count, kind, random)
        patterns = _patterns(kind, count, random)
        which = random.random(count)
        limits = [0.45, 0.6, 0.7, 0.9]
        found = [middle.astype(dtype), near.astype(dtype), sizes.astype(dtype), hard]
        found = np.select([which < limit for limit in limits], found, patterns).astype(dtype)
    return np.where(np.abs(found) < 400, found, middle.astype(dtype)) if stem in ("jn", "yn") else found


def _patterns(kind: str, count: int, random: Any) -> Any:
    if kind == "d":
        return random.integers(0, 1 << 64, count, dtype=np.uint64).view(np.float64)
    return random.integers(0, 1 << 32, count, dtype=np.uint64).astype(np.uint32).view(DTYPES[kind])


def operands(name: str, count: int, random: Any) -> list[Any]:
    """Values for each operand."""
    stem, kinds = stem_of(name), CASES[name].operands
    values = [numbers(stem, kind, count, random) for kind in kinds]
    if len(values) > 1 and kinds[0] == kinds[1]:
        values[:2] = hard_arguments.pairs(stem, values[0], values[1], kinds[0], random)
    for i in range(2, len(values)):
        near = (values[0] * np.exp2(random.uniform(-3, 3, count))).astype(values[0].dtype)
        values[i] = np.where(random.random(count) < 0.4, near, values[i])
    if stem == "fdividef":
        values[1] = np.clip(np.abs(values[1]), 2.0**-126, 2.0**126).astype(np.float32)
    if stem == "yn":
        values[1] = np.maximum(np.abs(values[1]), 1.5 * values[0] + 1e-3).astype(values[1].dtype)
    return values


def worst(name: str, points: int, seed: int = 1, made: Callable[[str], Any] = kernel) -> Found:
    """The largest errors over so many arguments, of weft's kernel or of another."""
    random, lib, case = np.random.default_rng(seed), library("points.c"), CASES[name]
    stem, single = stem_of(name), name in F32
    measured = Measured()
    low, high = cuda_bounds.LGAMMA["f64"] if stem == "lgamma" else (0.0, 0.0)
    done = 0
    while done < points:
        with np.errstate(all="ignore"):
            values = operands(name, CHUNK, random)
        outs = [np.zeros(CHUNK, DTYPES[kind]) for kind in case.outputs]
        run(made(name), "k", CHUNK // THREADS, THREADS, [*values, *outs], check="fast", engine="native")
        with np.errstate(all="ignore"):
            wides = [value.astype(np.float64) for value in values]
        array = (ctypes.c_void_p * len(wides))(*[value.ctypes.data for value in wides])
        for part, out in zip(PARTS.get(stem, (stem,)), outs, strict=True):
            lib.check(
                lib.find(part.encode()), single, len(wides), array, place(out.astype(np.float64)), ctypes.c_long(CHUNK),
                *map(ctypes.c_double, (BORDER.get(stem, float("inf")), low, high)), ctypes.byref(measured),
            )  # fmt: skip
        done += CHUNK
    at = ", ".join(repr(x) for x in measured.at[: len(case.operands)])
    return Found(done, measured.ulp, at, measured.apart, measured.absolute)


def worst_exact(name: str, points: int, seed: int = 1, made: Callable[[str], Any] = kernel) -> Found:
    """How many results are wrong."""
    random, lib, case = np.random.default_rng(seed), library("exact_points.c"), CASES[name]
    lib.check.restype = ctypes.c_long
    at, wrong, done, place_ = ctypes.c_long(), 0, 0, ""
    while done < points:
        with np.errstate(all="ignore"):
            values = operands(name, CHUNK, random)
        outs = [np.zeros(CHUNK, DTYPES[kind]) for kind in case.outputs]
        run(made(name), "k", CHUNK // THREADS, THREADS, [*values, *outs], check="fast", engine="native")
        arrays = (ctypes.c_void_p * (len(values) + len(outs)))(*[value.ctypes.data for value in [*values, *outs]])
        kinds = case.operands.encode(), case.outputs.encode()
        more = lib.check(lib.find(name.encode()), *kinds, arrays, ctypes.c_long(CHUNK), ctypes.byref(at))
        if more:
            place_ = ", ".join(repr(value[at.value].item()) for value in [*values, *outs])
        wrong += more
        done += CHUNK
    return Found(done, 0.0, place_, 0, wrong=wrong)


def recorded(name: str) -> Found | None:
    """What a run has found, if the code is still the same."""
    rows: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    row = dict(rows.get(name, {}))
    return Found(**row) if row.pop("code", None) == fingerprint(name) else None


def _record(name: str, found: Found) -> None:
    rows = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    rows[name] = {field: getattr(found, field) for field in Found.__slots__} | {"code": fingerprint(name)}
    lines = [f"  {json.dumps(key)}: {json.dumps(rows[key])}" for key in sorted(rows)]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> None:
    """Check and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*BOUNDS, *EXACT])
    parser.add_argument("--points", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--libdevice", action="store_true", help="of nvcc's code in place of weft's")
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    for name in given.names:
        if given.record and recorded(name):
            continue
        measure = worst_exact if name in EXACT else worst
        found = measure(name, given.points, given.seed, peer if given.libdevice else kernel)
        if given.record:
            _record(name, found)
        far = f", absolute {found.absolute:.3g}" if found.absolute else ""
        errors = f"{found.ulp:.3f} ulp at {found.at}, {found.apart} from the rounded result (CUDA {BOUNDS.get(name)})"
        told = f"{found.wrong} wrong {found.at}" if name in EXACT else errors
        print(f"{name}: {told}{far}, of {found.of}, {time.process_time():.0f} s of processor time", flush=True)


if __name__ == "__main__":
    main()
