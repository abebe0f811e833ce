/* References in f64 for functions of f32, and what compares with them: compiled by `check_singles.py`.

   The functions of libm are within some units of f64, 2^-27 of a unit of f32. */
#define _GNU_SOURCE
#define __FAST_MATH__ 1 /* glibc then declares the vector functions */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define REFERENCE(name, value) \
    void reference_##name(const float *in, const float *found, double *out, long n) \
    { \
        for (long i = 0; i < n; i++) { \
            double x = in[i]; \
            out[i] = (value); \
        } \
    }

static const double PI = 3.14159265358979323846, ROOT_PI = 1.77245385090551602730;

REFERENCE(acos, acos(x))
REFERENCE(acosh, acosh(x))
REFERENCE(asin, asin(x))
REFERENCE(asinh, asinh(x))
REFERENCE(atan, atan(x))
REFERENCE(atanh, atanh(x))
REFERENCE(cbrt, cbrt(x))
REFERENCE(cos, cos(x))
REFERENCE(cosh, cosh(x))
REFERENCE(erf, erf(x))
REFERENCE(erfc, erfc(x))
REFERENCE(exp, exp(x))
REFERENCE(exp10, exp10(x))
REFERENCE(exp2, exp2(x))
REFERENCE(expm1, expm1(x))
REFERENCE(log, log(x))
REFERENCE(log10, log10(x))
REFERENCE(log1p, log1p(x))
REFERENCE(log2, log2(x))
REFERENCE(sin, sin(x))
REFERENCE(sinh, sinh(x))
REFERENCE(tan, tan(x))
REFERENCE(tanh, tanh(x))
REFERENCE(sqrt, sqrt(x))
REFERENCE(rsqrt, 1 / sqrt(x))
REFERENCE(rcbrt, 1 / cbrt(x))
REFERENCE(tgamma, tgamma(x))
REFERENCE(lgamma, lgamma(x))
REFERENCE(j0, j0(x))
REFERENCE(j1, j1(x))
REFERENCE(y0, y0(x))
REFERENCE(y1, y1(x))

/* x modulo 2 is exact; so is its distance from the next half. */
static double sin_turns(double x)
{
    double rest = x - 2 * rint(x / 2);
    double size = fabs(rest);
    size = size > 0.5 ? 1 - size : size;
    return rest == 0 || size == 0 ? copysign(0, x) : copysign(sin(PI * size), rest);
}
REFERENCE(sinpi, sin_turns(x))
static double cos_turns(double x)
{
    double rest = fabs(x - 2 * rint(x / 2));
    return rest == 0.5 ? 0 : rest < 0.25 ? cos(PI * rest) : sin(PI * (0.5 - rest));
}
REFERENCE(cospi, cos_turns(x))

/* erfc(a + d) with a + d = -x / sqrt(2): the power belongs to a double. */
static double normal(double x)
{
    double a = x * -0.70710678118654752440;
    double d = fma(x, -0.70710678118654752440, -a) + x * 4.833646656726457e-17;
    return (erfc(a) - (fabs(x) < 40 ? exp(-a * a) * d * 2 / ROOT_PI : 0)) / 2;
}
REFERENCE(normcdf, normal(x))

/* x has 24 bits, so that its square is exact in 53. */
static double scaled_complement(double x)
{
    if (x < 25)
        return exp(x * x) * erfc(x);
    double w = 0.5 / (x * x);
    return (1 - w * (1 - 3 * w * (1 - 5 * w * (1 - 7 * w * (1 - 9 * w * (1 - 11 * w)))))) / (x * ROOT_PI);
}
REFERENCE(erfcx, scaled_complement(x))

/* A step of Halley's from what was found, whose error it makes visible: erfc(z) = small. */
static double halley(double z, double small)
{
    double f = (erfc(z) - small) * ROOT_PI / 2 * exp(z * z);
    return z + f / (1 - f * z);
}
static double inverse_complement(double z, double q)
{
    if (isnan(q) || q < 0 || q > 2)
        return NAN;
    if (q == 0 || q == 2)
        return q == 0 ? INFINITY : -INFINITY;
    if (q == 1)
        return 0;
    if (!isfinite(z))
        return NAN;
    if (fabs(1 - q) < 0.5) {
        double f = ((1 - q) - erf(z)) * ROOT_PI / 2 * exp(z * z);
        return z + f / (1 - f * z);
    }
    return q < 1 ? halley(z, q) : -halley(-z, 2 - q);
}
static double inverse_error(double z, double y)
{
    if (isnan(y) || fabs(y) > 1)
        return NAN;
    if (fabs(y) == 1)
        return copysign(INFINITY, y);
    if (fabs(y) < 1e-10)
        return y * (ROOT_PI / 2);
    if (!isfinite(z))
        return NAN;
    if (fabs(y) < 0.5) {
        double f = (y - erf(z)) * ROOT_PI / 2 * exp(z * z);
        return z + f / (1 - f * z);
    }
    return copysign(halley(fabs(z), 1 - fabs(y)), y);
}
REFERENCE(erfinv, inverse_error(found[i], x))
REFERENCE(erfcinv, inverse_complement(found[i], x))
REFERENCE(normcdfinv, -1.41421356237309504880 * inverse_complement(found[i] * -0.70710678118654752440, 2 * x))

/* The series has no cancellation; beyond 30 the asymptotic one is enough. */
static double modified(int order, double x)
{
    double a = fabs(x), total = 0, term = 1;
    if (!(a < INFINITY))
        return order && x < 0 ? x : a;
    if (a > 30) {
        for (int k = 1; k < 30; k++) {
            total += term;
            term *= -(4 * order * order - (2 * k - 1) * (2 * k - 1)) / (8 * a * k);
        }
        double half = exp(a / 2);
        return (order && x < 0 ? -1 : 1) * half * (total / sqrt(2 * PI * a)) * half;
    }
    for (int k = 1; total + term != total; k++) {
        total += term;
        term *= a * a / 4 / k / (k + order);
    }
    return order ? total * x / 2 : total;
}
REFERENCE(cyl_bessel_i0, modified(0, x))
REFERENCE(cyl_bessel_i1, modified(1, x))

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, 8);
    return x;
}

/* An f32 as an integer that grows with it. */
static int64_t place(float x)
{
    int32_t bits;
    memcpy(&bits, &x, 4);
    return bits < 0 ? -(int64_t)(bits & 0x7fffffff) : bits;
}

/* The largest error in units in the last place of the exact result, and the largest distance from the rounded one.

   Arguments between low and high do not count; from the border on the absolute error does. */
void compare(const float *in, const float *found, const double *wanted, long n, double low, double high,
             double border, double *worst, float *where, int64_t *distance, double *absolute)
{
    for (long i = 0; i < n; i++) {
        float rounded = (float)wanted[i];
        if (in[i] > low && in[i] < high)
            continue;
        if (fabs(in[i]) > border && isfinite(found[i]) && isfinite(wanted[i])) {
            *absolute = fmax(*absolute, fabs(found[i] - wanted[i]));
            continue;
        }
        double error;
        uint32_t a, b;
        memcpy(&a, &found[i], 4);
        memcpy(&b, &rounded, 4);
        uint32_t kind = b & 0x7f800000;
        if (kind == 0x7f800000 || (a & 0x7f800000) == 0x7f800000) {
            int nan = (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000;
            error = nan || a == b ? 0 : 1e300;
        } else {
            uint64_t exponent = kind ? kind >> 23 : 1;
            error = fabs(found[i] - wanted[i]) * of_bits((1023 + 150 - exponent) << 52);
            if (wanted[i] == 0 && a != b)
                error = 1e300;
            int64_t apart = place(found[i]) - place(rounded);
            apart = apart < 0 ? -apart : apart;
            if (apart > *distance)
                *distance = apart;
        }
        if (error > *worst) {
            *worst = error;
            *where = in[i];
        }
    }
}
