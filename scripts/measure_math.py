"""Write docs/math.md: how long weft's elementary functions are beside libdevice's, and how exact.

From what `check_singles`, `check_points`, `check_halves` and `measure_lengths` have recorded.  Functions whose code has
changed since are tried with fewer arguments: `--count 24` takes 2^24 bit patterns of f32 (default 24).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import check_halves  # pyright: ignore[reportImplicitRelativeImport]
import check_points  # pyright: ignore[reportImplicitRelativeImport]
import check_singles  # pyright: ignore[reportImplicitRelativeImport]
import measure_lengths  # pyright: ignore[reportImplicitRelativeImport]

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.codegen import cuda_bounds  # noqa: E402
from tests.codegen.functions import SINGLE  # noqa: E402

SPECIAL = (
    "cospi", "cyl_bessel_i0", "cyl_bessel_i1", "erfcinv", "erfcx", "erfinv", "hypot", "j0", "j1", "lgamma", "norm3d",
    "norm4d", "normcdf", "normcdfinv", "rcbrt", "rhypot", "rnorm3d", "rnorm4d", "rsqrt", "sinpi", "tgamma", "y0", "y1",
)  # fmt: skip
"""The functions that only libdevice has, or that are instructions to `math`."""
_COLUMNS = " | ".join(f"CUDA ulp | {kind} ulp | apart | of | {kind} SASS | libdevice" for kind in ("f32", "f64"))
HEADS = [f"| function | {_COLUMNS} |", "|---" * 13 + "|"]
EXACT = ("fmod", "remainder", "remquo", "powi")
EXACT_HEADS = ["| function | f32 SASS | libdevice | f64 SASS | libdevice |", "|---|---|---|---|---|"]
FAST_HEADS = ["| function | CUDA's bound | SASS | libdevice |", "|---|---|---|---|"]
HALF_HEADS = ["| function | f16 ulp | not the nearest | bf16 ulp | not the nearest |", "|---|---|---|---|---|"]
POINTS = 1 << 21
"""Functions of f64, and of several arguments, are tried with so many where no longer run is recorded."""


def lengths(name: str) -> str:
    """The cells of a function of libdevice: SASS instructions of weft's code and of nvcc's, as they are recorded."""
    return " | ".join(str(n) for n in measure_lengths.recorded()[name])


def told(found: check_singles.Found | check_points.Found, of: str) -> str:
    """The cells of the largest errors."""
    return f"{found.ulp:.2f} | {found.apart} | {of}"


def single_error(name: str, bits: int) -> str:
    """The largest errors of a function of f32 over all arguments, or so many bits of them; of two over fewer."""
    if f"{name}f" in check_points.F32:
        return points(f"{name}f")
    found = check_singles.recorded(name) or check_singles.worst(name, bits)
    return told(found, found.of)


def points(name: str) -> str:
    """The largest errors of a function of f64, or of several arguments, and over how many."""
    found = check_points.recorded(name) or check_points.worst(name, POINTS)
    return told(found, f"{found.of / 1e6:.0f} M")


def row(name: str, single: str) -> str:
    """The line of a function, given its errors in f32."""
    bounds = cuda_bounds.F32[name], cuda_bounds.F64[name]
    double = f"{bounds[1]} | {points(name)} | {lengths(name)}"
    return f"| {name} | {bounds[0]} | {single} | {lengths(name + 'f')} | {double} |"


def main() -> None:
    """Write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=24)
    bits: int = parser.parse_args().count
    common = [row(name, single_error(name, bits)) for name in SINGLE]
    special = [row(name, single_error(name, bits)) for name in SPECIAL]
    exact = [f"| {name} | {lengths(name + 'f')} | {lengths(name)} |" for name in EXACT]
    fast = [f"| {name} | {bound} | {lengths(f'fast_{name}f')} |" for name, bound in cuda_bounds.FAST.items()]
    halves = check_halves.recorded()
    narrow = [f"| {name} | {' | '.join(halves[name])} |" for name in check_halves.NAMES if name in halves]
    print(
        TEXT.format(
            *(
                "\n".join(rows)
                for rows in (
                    HEADS + common,
                    HEADS + special,
                    EXACT_HEADS + exact,
                    FAST_HEADS + fast,
                    HALF_HEADS + narrow,
                )
            )
        )
    )


TEXT = """# Elementary functions

weft compiles the functions of `math`, the corresponding intrinsics of `llvm` and the functions of libdevice to its own
code; nothing is linked. Functions of f32 are computed in f32, those of f64 in f64, and those of f16 and bf16 in f32.
`scripts/derive_coefficients.py`, `derive_special.py` and `derive_bessel.py` derive the coefficients; comments in
`weft.codegen.elementary`, `weft.codegen.doubles` and `weft.codegen.libdevice` explain each algorithm.

`scripts/measure_math.py` writes the tables below. Their columns:

| column | meaning |
|---|---|
| CUDA ulp | the error bound in CUDA's programming guide (release 13), relative to the correctly rounded result |
| ulp | the largest error found, in units in the last place of the exact result; CUDA's bound plus 0.5 at most |
| apart | the largest distance found from the correctly rounded result, which is what CUDA's bound limits |
| of | the number of arguments tested |
| SASS | static instructions for sm_80, with slow paths, minus those of a kernel that only copies |
| libdevice | the same for nvcc's code (`scripts/measure_lengths.py`) |

Most functions of f32 are tested on all 2^32 arguments (`scripts/check_singles.py`). Functions of f64 and of several
operands are compared with quadruple precision on millions of arguments (`scripts/check_points.py`): ordinary, small,
large, random, and difficult ones, such as neighbours of multiples of pi/2, of whole powers, of ties, and of the ends of
ranges. The simulator rounds the hardware's approximations correctly, so a function that uses one may be off by one more
ulp on a GPU.

{}

The following functions exist only in libdevice. `lgamma` is not tested from -10.001 to -2.264 in f32 and from -23.0001
to -2.2637 in f64, where it has zeros and CUDA gives no bound. Bessel functions of the first and second kind are tested
up to 8; from there on, CUDA bounds their absolute error by 2.2e-6 and 5e-12, and weft's is 1e-7 and 1e-15.

{}

Powers with integer exponents (`math.fpowi`, `powi`) are products, of which each is rounded, as in libdevice: their
error grows with the exponent, to about |n| ulp. Of the remainders, which are exact, and of `powi` the lengths are:

{}

## Approximations

With `fastmath<afn>`, and when called as `__nv_fast_...`, the following functions of f32 use the hardware's
approximations. Their results equal libdevice's bit for bit, except for the tangent. exp2, sqrt, rsqrt and division are
approximated too; other functions are not. weft keeps denormals even if a module asks to flush them
(`nvvm-reflect-ftz`).

{}

## f16 and bf16

All 65,536 arguments of each type are tested (`scripts/check_halves.py`). Results are computed in f32 and rounded again:
if the f32 result is next to a tie, it may round to the other neighbour.

{}
"""

if __name__ == "__main__":
    main()
