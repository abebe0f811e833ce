"""What CUDA says of the errors of its functions: its programming guide, "Mathematical Functions", of release 13.

Bounds count from the correctly rounded result, in values of the type that lie between: a true error may be half a unit
more.
"""

from __future__ import annotations

_TEXT = """
acos 2 2, acosh 4 3, asin 2 2, asinh 3 3, atan 2 2, atan2 3 2, atanh 3 2, cbrt 1 1, cos 2 2, cosh 2 1, cospi 1 2,
cyl_bessel_i0 6 6, cyl_bessel_i1 6 6, erf 2 2, erfc 4 5, erfcinv 4 6, erfcx 4 4, erfinv 2 5, exp 2 1, exp10 2 1,
exp2 2 1, expm1 1 1, hypot 3 2, j0 9 7, j1 9 7, lgamma 6 4, log 1 1, log10 2 1, log1p 1 1, log2 1 1, norm3d 3 2,
norm4d 3 2, normcdf 5 5, normcdfinv 5 8, pow 4 2, rcbrt 1 1, rhypot 2 1, rnorm3d 2 1, rnorm4d 2 1, rsqrt 2 1, sin 2 2,
sincos 2 2, sincospi 1 2, sinh 3 2, sinpi 1 2, sqrt 0 0, tan 4 2, tanh 2 1, tgamma 5 10, y0 9 7, y1 9 7
"""
_ROWS = [entry.split() for entry in _TEXT.split(",")]
F32 = {name: int(single) for name, single, _ in _ROWS}
F64 = {name: int(double) for name, _, double in _ROWS}
LGAMMA = {"f32": (-10.001, -2.264), "f64": (-23.0001, -2.2637)}
"""Between these `lgamma` has zeros, and no bound."""
BESSEL = 8.0
"""From here on the Bessel functions of the first and second kind have a bound of the absolute error."""
BESSEL_ABSOLUTE = {"f32": 2.2e-6, "f64": 5e-12}
FAST = {
    "exp": "2 + floor(abs(1.173 x)) ulp", "exp10": "2 + floor(abs(2.97 x)) ulp",
    "log": "2^-21.41 from 0.5 to 2, else 3 ulp", "log2": "2^-22 from 0.5 to 2, else 2 ulp",
    "log10": "2^-24 from 0.5 to 2, else 3 ulp", "sin": "2^-21.41 from -pi to pi", "cos": "2^-21.41 from -pi to pi",
    "tan": "that of sine and cosine", "tanh": "2^-11 of the result", "pow": "that of exp2(y log2 x)",
    "fdivide": "2 ulp for divisors from 2^-126 to 2^126",
}  # fmt: skip
"""What the guide says of the approximations of f32, `__expf` and the like."""
