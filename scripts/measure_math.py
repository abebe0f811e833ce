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
    fast = [f"| {name} | {bound} | {lengths(f'fast_{name}f')} |" for name, bound in cuda_bounds.FAST.items()]
    halves = check_halves.recorded()
    narrow = [f"| {name} | {' | '.join(halves[name])} |" for name in check_halves.NAMES if name in halves]
    print(
        TEXT.format(
            *("\n".join(rows) for rows in (HEADS + common, HEADS + special, FAST_HEADS + fast, HALF_HEADS + narrow))
        )
    )


TEXT = """# Elementary functions

weft has its own code for the functions of `math`, for the intrinsics of `llvm` of the same meaning, and for the
functions of libdevice: nothing is linked. Functions of f32 are computed in f32, those of f64 in f64, those of f16 and
bf16 in f32. Coefficients are derived by `scripts/derive_coefficients.py`, `derive_special.py` and `derive_bessel.py`;
each function says beside its code how it works (`weft.codegen.elementary`, `weft.codegen.doubles`,
`weft.codegen.libdevice`).

The tables are written by `scripts/measure_math.py`. `ulp` is the largest error seen, in units in the last place of the
exact result, and `apart` the largest distance from the correctly rounded one, which is what `CUDA ulp`, the bound of
CUDA's programming guide (release 13), counts: an error up to half a unit more than it is within it. `of` says over how
many arguments: all 2^32 of f32 (`scripts/check_singles.py`); of f64, and of several operands, millions of ordinary,
small, large and random ones and of hard ones (neighbours of multiples of pi/2, of ends of ranges, of whole powers, of
ties), against quadruple precision (`scripts/check_points.py`). The simulator rounds the hardware's approximations
correctly, so that on a GPU an error may be an ulp larger where one is used. `SASS` counts static instructions for
sm_80, slow paths included, without those of a kernel that only copies; `libdevice` is nvcc's code for the same function
(`scripts/measure_lengths.py`).

{}

The functions that only libdevice has. `lgamma` is left out from -10.001 to -2.264 in f32 and from -23.0001 to -2.2637
in f64, where it has zeros and CUDA gives no bound; Bessel functions of the first and second kind count up to 8, from
where on CUDA bounds their absolute error by 2.2e-6 and 5e-12: weft's is 1e-7 and 1e-15.

{}

## Approximations

With `fastmath<afn>`, and as `__nv_fast_...`, these functions of f32 are the hardware's approximations, with the results
that libdevice gives, bit by bit but for the tangent; so are exp2, sqrt, rsqrt and division. All others stay as they
are. Where a module asks for denormals to be flushed (`nvvm-reflect-ftz`), weft keeps them.

{}

## f16 and bf16

Over all 65,536 arguments of each (`scripts/check_halves.py`). A result is that of f32, rounded once more: where that of
f32 lies beside a tie the other neighbour is taken.

{}
"""

if __name__ == "__main__":
    main()
