"""The largest errors of functions of f64 over many arguments: `python scripts/check_doubles.py exp pow`.

Half of them lie where the function has something to say, a quarter around zero and one, a quarter are bit patterns at
random. References have quadruple precision, by `quadruple.c`, which a C compiler makes of libquadmath; weft's code runs
on the simulator, compiled.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from check_singles import CHUNK, THREADS, kernel_of, place  # pyright: ignore[reportImplicitRelativeImport]

from weft.sim import run

DOMAINS: dict[str, tuple[float, float]] = {
    "acos": (-1, 1), "acosh": (1, 40), "asin": (-1, 1), "atanh": (-1, 1), "cosh": (-711, 711),
    "cyl_bessel_i0": (-714, 714), "cyl_bessel_i1": (-714, 714), "erf": (-6, 6), "erfc": (-6, 27.3), "erfcinv": (0, 2),
    "erfcx": (-26.7, 100), "erfinv": (-1, 1), "exp": (-746, 710), "exp10": (-324, 309), "exp2": (-1075, 1024),
    "expm1": (-40, 710), "j0": (-8, 8), "j1": (-8, 8), "lgamma": (-2.2, 200), "log": (0, 10), "log10": (0, 10),
    "log1p": (-1, 50), "log2": (0, 10), "normcdf": (-38.6, 9), "normcdfinv": (0, 1), "sinh": (-711, 711),
    "tanh": (-20, 20), "tgamma": (-180, 172), "y0": (0, 8), "y1": (0, 8),
}  # fmt: skip
"""Where functions are tried, other than from -100 to 100; bit patterns lie beyond."""
ONLY_INSIDE = {"j0", "j1", "lgamma", "y0", "y1", "cos", "sin", "tan"}
"""Functions whose bound, or whose reference, ends there."""
CUDA = {
    "acos": 2, "acosh": 3, "asin": 2, "asinh": 3, "atan": 2, "atanh": 2, "cbrt": 1, "cos": 2, "cosh": 1, "cospi": 2,
    "cyl_bessel_i0": 6, "cyl_bessel_i1": 6, "erf": 2, "erfc": 5, "erfcinv": 6, "erfcx": 4, "erfinv": 5, "exp": 1,
    "exp10": 1, "exp2": 1, "expm1": 1, "j0": 7, "j1": 7, "lgamma": 4, "log": 1, "log10": 1, "log1p": 1, "log2": 1,
    "normcdf": 5, "normcdfinv": 8, "rcbrt": 1, "sin": 2, "sinh": 2, "sinpi": 2, "sqrt": 0, "tan": 2, "tanh": 1,
    "tgamma": 10, "y0": 7, "y1": 7,
}  # fmt: skip
"""CUDA's bounds, counted from the correctly rounded result: a true error may be half a unit more."""
PAIRS = {"atan2": 2, "pow": 2, "hypot": 2, "fmod": 0, "remainder": 0}
"""The same for two arguments, in the order of `check_pair`."""


@cache
def library() -> ctypes.CDLL:
    """`quadruple.c`, compiled."""
    target = Path(tempfile.mkdtemp(prefix="weft-references-"), "quadruple.so")
    source = Path(__file__).with_name("quadruple.c")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", target, source, "-lquadmath", "-lm"], check=True)
    return ctypes.CDLL(str(target))


def arguments(name: str, count: int, random: np.random.Generator) -> np.ndarray:
    """Numbers to try."""
    low, high = DOMAINS.get(name, (-100.0, 100.0))
    middle = random.uniform(low, high, count // 2)
    near = random.choice([-1.0, 1.0], count // 4) * 2.0 ** random.uniform(-60, 1, count // 4)
    near += random.choice([0.0, 1.0, -1.0, 2.0], count // 4)
    patterns = random.integers(0, 1 << 64, count - count // 2 - count // 4, dtype=np.uint64).view(np.float64)
    if name in ONLY_INSIDE:
        patterns = np.clip(np.where(np.isnan(patterns), low, patterns), low, high)
    near = np.clip(near, low, high)
    return np.concatenate([middle, near, patterns])


def worst(name: str, points: int, seed: int) -> tuple[float, float]:
    """The largest error in units in the last place, and the (first) argument it is at."""
    random, lib = np.random.default_rng(seed), library()
    error, at = ctypes.c_double(), ctypes.c_double()
    count = min(CHUNK, -(-points // THREADS) * THREADS)
    pair = name in PAIRS
    module = kernel_of(f"__nv_{name}", "f64", 2 if pair else 1)
    for _ in range(0, points, count):
        with np.errstate(all="ignore"):
            values = [arguments(name, count, random)]
            if pair:
                values.append(random.permutation(arguments(name, count, random)))
            out = np.zeros(count)
            run(module, "k", count // THREADS, THREADS, [*values, out], check="fast", engine="native")
        common = [*map(place, (*values, out)), ctypes.c_long(count), ctypes.byref(error), ctypes.byref(at)]
        (lib.check_pair if pair else lib.check)(list(PAIRS).index(name) if pair else lib.find(name.encode()), *common)
    return error.value, at.value


def main() -> None:
    """Check and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*CUDA, *PAIRS])
    parser.add_argument("--points", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name in given.names:
        error, at = worst(name, given.points, given.seed)
        bound = CUDA.get(name, PAIRS.get(name))
        print(f"{name}: {error:.3f} ulp at {at!r} of {given.points} arguments (CUDA {bound})", flush=True)


if __name__ == "__main__":
    main()
