"""Special functions of libdevice, written once for f32 and f64: error functions, gamma, modified Bessel functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.codegen import doubles, elementary
from weft.codegen.elementary.power import log2_pair, power_of_pair
from weft.codegen.graph import If
from weft.codegen.libdevice import coefficients
from weft.codegen.libdevice.arithmetic import Arithmetic
from weft.codegen.libdevice.functions import INFINITY, NAN, half_turns
from weft.codegen.ops.scf import merge_all

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
    inside = m.op("max", m.op("min", x, a.const(40.0)), a.const(-40.0))
    place = m.mul(inside, a.const(-high))
    rest = m.fma(inside, a.const(-low), m.fma(inside, a.const(-high), m.neg(place)))
    erfc = elementary.error_function.erfc if a.single else doubles.error_function.erfc
    return _keeping_nan(a, x, m.mul(erfc(m, place, rest), a.const(0.5)))


_MIDDLE = {"f32": (1.0, -4.0), "f64": (0.5, -2.5)}
_FAR = {"f32": (0.25, -2.25), "f64": (0.0625, -1.25)}
_BORDER = {"f32": -24.5, "f64": -53.0}


def _inverse(a: Arithmetic, log: Any, *, far: bool) -> Any:
    """erfinv(y) / y, from log2(1 - y^2)."""
    m = a.m

    def part(scale: tuple[float, float], table: dict[str, tuple[float, ...]]) -> Any:
        root = m.root(m.neg(log))
        return polynomial(a, m.fma(root, a.const(scale[0]), a.const(scale[1])), table)

    def beyond() -> Any:
        middle = part(_MIDDLE[a.kind.name], coefficients.ERFINV_MIDDLE)
        if not far:
            return middle
        last = part(_FAR[a.kind.name], coefficients.ERFINV_FAR)
        return m.pick(m.test("lt", log, a.const(_BORDER[a.kind.name])), last, middle)

    def near() -> Any:
        return polynomial(a, m.fma(log, a.const(-0.25), a.const(-1.0)), coefficients.ERFINV_NEAR)

    return branch(a, m.test("lt", log, a.const(-8.0)), beyond, near)


def _log2(a: Arithmetic, x: Any) -> Any:
    return elementary.logarithm.base_two(a.m, x) if a.single else a.m.mul(logarithm(a, x), a.const(1 / LN2))


def _with_poles(a: Arithmetic, y: Any, left: Any, *, far: bool) -> Any:
    """y times the factor for 1 - y^2 = left; infinite where nothing is left."""
    m = a.m
    found = m.mul(y, _inverse(a, _log2(a, left), far=far))
    return m.pick(m.test("eq", left, a.const(0.0)), m.signed(a.const(INFINITY), y), found)


def erfinv(a: Arithmetic, y: Any) -> Any:
    """The inverse of erf, as y times a function of log2(1 - y^2)."""
    return _with_poles(a, y, a.m.fma(a.m.neg(y), y, a.const(1.0)), far=False)


def erfcinv(a: Arithmetic, q: Any) -> Any:
    """The inverse of erfc: that of erf at 1 - q, whose 1 - y^2 is q (2 - q)."""
    m = a.m
    return _with_poles(a, m.sub(a.const(1.0), q), m.mul(q, m.sub(a.const(2.0), q)), far=True)


def normcdfinv(a: Arithmetic, p: Any) -> Any:
    """-sqrt(2) erfcinv(2 p)."""
    return a.m.mul(erfcinv(a, a.m.add(p, p)), a.const(-1.4142135623730951))


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
    power = _stirling_power(a, w, negative)
    series = polynomial(a, m.reciprocal(w), coefficients.GAMMA)
    sine = half_turns(a, size)
    under = m.mul(m.mul(series, m.neg(sine)), m.pick(below, a.const(1.0), size))
    reflected = m.mul(a.const(3.141592653589793), _inverse_of(a, under))
    # The inverse comes last: times the series it might overflow.
    plain = m.mul(m.mul(power, series), m.pick(below, _inverse_of(a, x), a.const(1.0)))
    found = m.pick(negative, m.mul(power, reflected), plain)
    pole = m.both(negative, m.test("equ", sine, a.const(0.0)))
    return _keeping_nan(a, x, m.pick(pole, a.const(NAN), found))


def _stirling_power(a: Arithmetic, w: Any, inverse: Any) -> Any:
    """e^((w - 1/2) log w - w), or its inverse."""
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
    sign = m.pick(inverse, a.const(-1.0), a.const(1.0))
    total, rest = m.mul(total, sign), m.mul(rest, sign)
    return power_of_pair(m, total, rest) if a.single else doubles.exponential.exp_of(m, total, rest)


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


def _bessel(a: Arithmetic, size: Any, near: Callable[[], Any], table: dict[str, tuple[float, ...]]) -> Any:
    """`near` up to 8, and e^x / sqrt(x) P(1 / x) beyond, the power in two factors."""
    m = a.m

    def far() -> Any:
        inside = m.op("min", size, a.const(200.0 if a.single else 1500.0))
        exp = elementary.exponential.exp if a.single else doubles.exponential.exp
        power = exp(m, m.mul(inside, a.const(0.5)))
        inverse = m.reciprocal(inside)
        return m.mul(
            m.mul(power, m.mul(polynomial(a, m.fma(inverse, a.const(16.0), a.const(-1.0)), table), m.root(inverse))),
            power,
        )

    return branch(a, m.test("gt", size, a.const(8.0)), far, near)


def cyl_bessel_i0(a: Arithmetic, x: Any) -> Any:
    """The modified Bessel function of order 0."""
    m = a.m
    eighth = m.mul(x, a.const(0.125))
    found = _bessel(
        a, m.abs(x), lambda: polynomial(a, m.mul(eighth, eighth), coefficients.I0_NEAR), coefficients.I0_FAR
    )
    return _keeping_nan(a, x, found)


def cyl_bessel_i1(a: Arithmetic, x: Any) -> Any:
    """The modified Bessel function of order 1: odd."""
    m = a.m
    size, eighth = m.abs(x), m.mul(x, a.const(0.125))

    def near() -> Any:
        return m.mul(size, polynomial(a, m.mul(eighth, eighth), coefficients.I1_NEAR))

    return _keeping_nan(a, x, m.signed(_bessel(a, size, near, coefficients.I1_FAR), x))
