"""Special functions of libdevice, written once for f32 and f64: error functions, gamma, modified Bessel functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from weft.codegen import doubles, elementary
from weft.codegen.elementary.power import log2_pair, parts_of_power
from weft.codegen.graph import If
from weft.codegen.libdevice import coefficients
from weft.codegen.libdevice.arithmetic import Arithmetic
from weft.codegen.libdevice.functions import PI, half_turns
from weft.codegen.libdevice.lengths import INFINITY, NAN
from weft.codegen.ops.merging import merge_all

LN2 = 0.6931471805599453


def polynomial(a: Arithmetic, x: Any, table: dict[str, tuple[float, ...]]) -> Any:
    """The polynomial of the kind of float."""
    return a.m.polynomial(x, table[a.kind.name])


def logarithm(a: Arithmetic, x: Any) -> Any:
    """log(x)."""
    return (elementary.logarithm.log if a.single else doubles.logarithm.log)(a.m, x)


def branch(a: Arithmetic, test: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """One or the other of two long sequences."""
    s = a.s
    branch = If(test, s.child(), s.child(), source=s.source)
    with s.at(branch.then):
        first = then()
    with s.at(branch.otherwise):
        second = otherwise()
    return merge_all(s, branch, (first,), (second,), (a.kind,))[0]


def _keeping_nan(a: Arithmetic, x: Any, found: Any) -> Any:
    return a.m.pick(a.m.test("nan", x, x), a.m.add(x, x), found)


# -- error functions ----------------------------------------------------------------------------------------------


def erfcx(a: Arithmetic, x: Any) -> Any:
    """P(t) / (1 + 2 |x|) as in erfc, 1 / (sqrt(pi) x) for huge x; 2 e^(x^2) less that for negative x."""
    m = a.m
    full = m.abs(x)
    size = m.op("min", full, a.const(2.0**60))
    inverse = m.reciprocal(m.add(size, a.const(4.0)))
    t = m.mul(m.sub(size, a.const(4.0)), inverse)
    rest = m.fma(m.neg(t), size, m.fma(m.add(t, a.const(1.0)), a.const(-4.0), size))
    t = m.fma(rest, inverse, t)
    dividend, inverse = polynomial(a, t, coefficients.ERFCX), m.reciprocal(m.fma(size, a.const(2.0), a.const(1.0)))
    slow = m.mul(dividend, inverse)
    slow = m.fma(m.fma(m.mul(slow, size), a.const(-2.0), m.sub(dividend, slow)), inverse, slow)
    # A quotient by the largest numbers is denormal, which the reciprocal is not.
    huge = m.mul(m.reciprocal(m.mul(full, a.const(2.0**-64))), a.const(2.0**-64 * 0.5641895835477563))
    slow = m.pick(m.test("gt", full, a.const(2.0**30)), huge, slow)
    slow = m.pick(m.test("eq", full, a.const(INFINITY)), a.const(0.0), slow)
    high, low = m.product(*(m.op("min", full, a.const(30.0)),) * 2)
    if a.single:
        power = m.mul(elementary.exponential.exp(m, high), m.fma(low, a.const(2.0), a.const(2.0)))
    else:
        power = m.mul(doubles.exponential.exp_of(m, high, low), a.const(2.0))
    found = m.pick(m.test("lt", x, a.const(0.0)), m.sub(power, slow), slow)
    return _keeping_nan(a, x, found)


_ROOT_HALF = {"f32": (0.7071067690849304, 1.2101617485882343e-08), "f64": (0.7071067811865476, -4.833646656726457e-17)}


def normcdf(a: Arithmetic, x: Any) -> Any:
    """erfc(-x / sqrt(2)) / 2, with what the quotient loses."""
    m, (high, low) = a.m, _ROOT_HALF[a.kind.name]
    # Of f64 the complement ignores what is lost of large arguments.
    inside = m.op("max", m.op("min", x, a.const(40.0)), a.const(-40.0)) if a.single else x
    place = m.mul(inside, a.const(-high))
    rest = m.fma(inside, a.const(-low), m.fma(inside, a.const(-high), m.neg(place)))
    erfc = elementary.error_function.erfc if a.single else doubles.error_function.erfc
    found = m.mul(erfc(m, place, rest), a.const(0.5))
    return _keeping_nan(a, x, found) if a.single else found


def _inverse_double(a: Arithmetic, y: Any, left: Any, *, far: bool) -> Any:
    """erfinv(y) for 1 - y^2 = left: y times a function of v = -log2(left), or of sqrt(v) from 8 and from 53 on."""
    m = a.m
    log = m.mul(logarithm(a, left), a.const(1 / LN2))

    def part(scale: float, shift: float, table: tuple[float, ...]) -> Any:
        return m.polynomial(m.fma(m.root(m.neg(log)), a.const(scale), a.const(shift)), table)

    def beyond() -> Any:
        middle = part(0.5, -2.5, coefficients.F64_ERFINV_MIDDLE)
        if not far:
            return middle
        last = part(0.0625, -1.25, coefficients.F64_ERFINV_FAR)
        return m.pick(m.test("lt", log, a.const(-53.0)), last, middle)

    def near() -> Any:
        return m.polynomial(m.fma(log, a.const(-0.25), a.const(-1.0)), coefficients.F64_ERFINV_NEAR)

    found = m.mul(y, branch(a, m.test("lt", log, a.const(-8.0)), beyond, near))
    return m.pick(m.test("eq", left, a.const(0.0)), m.signed(a.const(INFINITY), y), found)


def _inverse_single(a: Arithmetic, y: Any, log: Any, table: tuple[float, ...]) -> Any:
    """erfinv(y) for 1 - y^2 = 2^-v: y times a polynomial in v, or sqrt(v) times one in 1 / sqrt(v) from 8 on."""
    m = a.m
    v = m.neg(log)

    def far() -> Any:
        inverse = m.op("rsqrt", v, rnd="approx", ftz=True)
        found = m.mul(m.mul(v, inverse), m.polynomial(inverse, table))
        return m.signed(m.pick(m.test("eq", v, a.const(INFINITY)), v, found), y)

    def near() -> Any:
        return m.mul(y, m.polynomial(v, coefficients.F32_ERFINV_NEAR))

    return branch(a, m.test("lt", log, a.const(-8.0)), far, near)


def erfinv(a: Arithmetic, y: Any) -> Any:
    """The inverse of erf; 1 - y^2 is 0 or no denormal."""
    left = a.m.fma(a.m.neg(y), y, a.const(1.0))
    if a.single:
        return _inverse_single(a, y, a.m.op("lg2", left, ftz=True), coefficients.F32_ERFINV_FAR)
    return _inverse_double(a, y, left, far=False)


def erfcinv(a: Arithmetic, q: Any) -> Any:
    """The inverse of erfc: that of erf at 1 - q, whose 1 - y^2 is q (2 - q)."""
    m = a.m
    y, left = m.sub(a.const(1.0), q), m.mul(q, m.sub(a.const(2.0), q))
    if a.single:
        return _inverse_single(a, y, elementary.logarithm.base_two(m, left), coefficients.F32_ERFCINV_FAR)
    return _inverse_double(a, y, left, far=True)


def normcdfinv(a: Arithmetic, p: Any) -> Any:
    """-sqrt(2) erfcinv(2 p); the sum with +0 gives that at 1/2 its sign."""
    return a.m.fma(erfcinv(a, a.m.add(p, p)), a.const(-1.4142135623730951), a.const(0.0))


# -- gamma --------------------------------------------------------------------------------------------------------


def _inverse_of(a: Arithmetic, x: Any) -> Any:
    """1 / x, of and to denormals too."""
    return a.m.op("rcp", x, rnd="approx") if a.single else a.m.div(a.const(1.0), x)


def tgamma(a: Arithmetic, x: Any) -> Any:
    """Stirling's e^((w - 1/2) log w - w) G(1 / w) with w = |x|, from 1 on; below 1 by gamma(w + 1) / w.

    For negative x, -pi / (|x| sin(pi |x|) gamma(|x|)): the power is that of the negated exponent, lest it overflow.
    """
    m = a.m
    size = m.abs(x)
    below, negative = m.test("lt", size, a.const(1.0)), m.test("lt", x, a.const(0.0))
    w = m.op("min", m.pick(below, m.add(size, a.const(1.0)), size), a.const(60.0 if a.single else 200.0))
    series = polynomial(a, m.reciprocal(w), coefficients.GAMMA)
    sine = half_turns(a, size)
    under = _inverse_of(a, m.mul(m.mul(series, m.neg(sine)), m.pick(below, a.const(1.0), size)))
    pi, rest = PI[a.kind.name]
    reflected = m.fma(under, a.const(pi), m.mul(under, a.const(rest)))
    found: Any = m.pick(negative, reflected, series)
    for factor in _stirling_power(a, w, negative):
        found = m.mul(found, factor)
    # The inverse comes last: times the series it might overflow.
    plain = m.mul(found, m.pick(below, _inverse_of(a, x), a.const(1.0)))
    pole = m.both(negative, m.test("equ", sine, a.const(0.0)))
    return _keeping_nan(a, x, m.pick(pole, a.const(NAN), m.pick(negative, found, plain)))


def _stirling_power(a: Arithmetic, w: Any, inverse: Any) -> Sequence[Any]:
    """Factors of e^((w - 1/2) log w - w), or of its inverse, which may be denormal where its product is not."""
    m = a.m
    count = m.sub(w, a.const(0.5))
    if a.single:
        unit = elementary.exponential.LOG2E
        high, low = log2_pair(m, w)
    else:
        unit = (1.0, 0.0)
        high, low = doubles.power.log_as_pair(m, w)
    first, rest = m.product(count, high)
    rest = m.fma(count, low, rest)
    whole, lost = m.product(w, a.const(-unit[0]))
    rest = m.add(rest, m.fma(w, a.const(-unit[1]), lost))
    total, lost = m.two_sum(first, whole)
    rest = m.add(rest, lost)
    if a.single:
        sign = m.pick(inverse, a.const(-1.0), a.const(1.0))
        return parts_of_power(m, m.mul(total, sign), m.mul(rest, sign))
    sign = m.pick(inverse, a.const(-0.5), a.const(0.5))
    root = doubles.exponential.exp_of(m, m.mul(total, sign), m.mul(rest, sign))
    return root, root


def lgamma(a: Arithmetic, x: Any) -> Any:
    """The logarithm of |gamma(x)|: polynomials around 1 and 2, gamma(1 + x) / x around 0, Stirling's series from 3."""
    m = a.m
    size = m.abs(x)
    around_zero = m.test("lt", size, a.const(0.5))
    log = logarithm(a, size)

    def near() -> Any:
        two = m.test("ge", size, a.const(1.5))
        f = m.pick(around_zero, x, m.sub(size, m.pick(two, a.const(2.0), a.const(1.0))))
        one = polynomial(a, f, coefficients.LGAMMA_ONE)
        factor = m.pick(two, polynomial(a, f, coefficients.LGAMMA_TWO), one)
        return m.fma(f, factor, m.pick(around_zero, m.neg(log), a.const(0.0)))

    def far() -> Any:
        inverse = m.reciprocal(size)
        rest = m.fma(inverse, polynomial(a, m.mul(inverse, inverse), coefficients.LGAMMA_FAR), a.const(_HALF_LOG))
        return m.fma(m.sub(size, a.const(0.5)), m.sub(log, a.const(1.0)), rest)

    found = branch(a, m.test("ge", size, a.const(3.0)), far, near)
    reflect = m.both(m.test("lt", x, a.const(0.0)), m.test("ge", size, a.const(0.5)))

    def reflected() -> Any:
        product = m.mul(m.mul(size, a.const(0.3183098861837907)), m.abs(half_turns(a, size)))
        whole = m.test("eq", product, a.const(0.0))
        return m.pick(whole, a.const(INFINITY), m.neg(m.add(logarithm(a, product), found)))

    found = branch(a, reflect, reflected, lambda: found)
    return m.pick(m.test("eq", size, a.const(INFINITY)), a.const(INFINITY), found)


_HALF_LOG = 0.4189385332046727
"""log(2 pi) / 2 - 1/2."""


# -- modified Bessel functions ------------------------------------------------------------------------------------


def inverse_root(a: Arithmetic, x: Any) -> Any:
    """1 / sqrt(x), of normal numbers."""
    m = a.m
    near = m.op("rsqrt", x, rnd="approx", ftz=True)
    if a.single:
        return near
    error = m.fma(m.neg(m.mul(x, near)), near, a.const(1.0))
    return m.fma(m.mul(near, error), m.fma(error, a.const(0.375), a.const(0.5)), near)


def _bessel(a: Arithmetic, size: Any, near: Callable[[], Any], table: dict[str, tuple[float, ...]]) -> Any:
    """`near` up to 8 or 11, and e^x / sqrt(x) P(1 / x) beyond, the power in two factors."""
    m = a.m
    border, most = (8.0, 178.0) if a.single else (11.0, 1416.0)

    def far() -> Any:
        half = m.mul(size, a.const(0.5))
        root = inverse_root(a, size)
        t = m.fma(m.mul(root, root), a.const(2 * border), a.const(-1.0))
        power = elementary.exponential.exp(m, half) if a.single else doubles.exponential.exp_inside(m, half)
        found = m.mul(m.mul(power, m.mul(polynomial(a, t, table), root)), power)
        return m.pick(m.test("gt", size, a.const(most)), a.const(INFINITY), found)

    return branch(a, m.test("gt", size, a.const(border)), far, near)


def cyl_bessel_i0(a: Arithmetic, x: Any) -> Any:
    """The modified Bessel function of order 0."""
    m = a.m
    return _bessel(a, m.abs(x), lambda: polynomial(a, m.mul(x, x), coefficients.I0_NEAR), coefficients.I0_FAR)


def cyl_bessel_i1(a: Arithmetic, x: Any) -> Any:
    """The modified Bessel function of order 1: odd."""
    m, size = a.m, a.m.abs(x)

    def near() -> Any:
        return m.mul(size, polynomial(a, m.mul(x, x), coefficients.I1_NEAR))

    return m.signed(_bessel(a, size, near, coefficients.I1_FAR), x)
