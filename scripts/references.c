/* References in f64 for functions of f32, and what compares with them: compiled by `check_singles.py`.

   The functions of libm are within some units of f64, 2^-27 of a unit of f32.  A table says of each function how its
   value at -x follows from that at x, and whether neighbours with equal results have only such between them. */
#define _GNU_SOURCE
#define __FAST_MATH__ 1 /* glibc then declares the vector functions */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define REFERENCE(name, value) \
    static void of_##name(const float *in, const float *found, double *out, int n) \
    { \
        for (int i = 0; i < n; i++) { \
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
REFERENCE(normcdfinv, 0 - 1.41421356237309504880 * inverse_complement(found[i] * -0.70710678118654752440, 2 * x))

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

enum { NEITHER, EVEN, ODD };
static const struct {
    const char *name;
    void (*function)(const float *, const float *, double *, int);
    int parity, monotonic;
} FUNCTIONS[] = {
#define ROW(name, parity, monotonic) {#name, of_##name, parity, monotonic}
    ROW(acos, NEITHER, 1), ROW(acosh, NEITHER, 1), ROW(asin, ODD, 1), ROW(asinh, ODD, 1), ROW(atan, ODD, 1),
    ROW(atanh, ODD, 1), ROW(cbrt, ODD, 1), ROW(cos, EVEN, 0), ROW(cosh, EVEN, 1), ROW(cospi, EVEN, 0),
    ROW(cyl_bessel_i0, EVEN, 1), ROW(cyl_bessel_i1, ODD, 1), ROW(erf, ODD, 1), ROW(erfc, NEITHER, 1),
    ROW(erfcinv, NEITHER, 0), ROW(erfcx, NEITHER, 1), ROW(erfinv, NEITHER, 0), ROW(exp, NEITHER, 1),
    ROW(exp10, NEITHER, 1), ROW(exp2, NEITHER, 1), ROW(expm1, NEITHER, 1), ROW(j0, EVEN, 0), ROW(j1, ODD, 0),
    ROW(lgamma, NEITHER, 0), ROW(log, NEITHER, 1), ROW(log10, NEITHER, 1), ROW(log1p, NEITHER, 1),
    ROW(log2, NEITHER, 1), ROW(normcdf, NEITHER, 1), ROW(normcdfinv, NEITHER, 0), ROW(rcbrt, ODD, 1),
    ROW(rsqrt, NEITHER, 1), ROW(sin, ODD, 0), ROW(sinh, ODD, 1), ROW(sinpi, ODD, 0), ROW(sqrt, NEITHER, 1),
    ROW(tan, ODD, 0), ROW(tanh, ODD, 1), ROW(tgamma, NEITHER, 0), ROW(y0, NEITHER, 0), ROW(y1, NEITHER, 0),
};

/* The function's place in the table, or -1. */
int find(const char *name)
{
    for (int i = 0; i < (int)(sizeof FUNCTIONS / sizeof *FUNCTIONS); i++)
        if (!strcmp(FUNCTIONS[i].name, name))
            return i;
    return -1;
}

static inline double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, 8);
    return x;
}
static inline uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

/* An f32 as an integer that grows with it. */
static inline int32_t place(uint32_t bits) { return bits >> 31 ? -(int32_t)(bits & 0x7fffffff) : (int32_t)bits; }

/* The largest error in units in the last place of the exact result, where it is, the largest distance from the rounded
   result; from the border on only the largest absolute error counts. */
typedef struct {
    double ulp, absolute;
    int64_t apart;
    float at;
} Found;

enum { BLOCK = 2048 };

/* The error of one result, where an infinity is what comes after the largest number; 1e300 where one of the two is a
   NaN, or a zero of the other sign, and the other is not the same. */
static inline double error_of(float found, double wanted)
{
    float rounded = (float)wanted;
    uint32_t a = bits_of(found), b = bits_of(rounded), field = b >> 23 & 0xff;
    uint64_t exponent = field == 0 ? 1 : field == 0xff ? 0xfe : field;
    double near = (a & 0x7fffffff) == 0x7f800000 ? copysign(0x1p128, found) : found;
    double error = fabs(near - wanted) * of_bits((1023 + 150 - exponent) << 52);
    int nan = ((a & 0x7fffffff) > 0x7f800000) & ((b & 0x7fffffff) > 0x7f800000);
    int special = ((b & 0x7fffffff) > 0x7f800000) | ((a & 0x7fffffff) > 0x7f800000) | (wanted == 0) | (a == b && field == 0xff);
    return special ? (nan | (a == b) ? 0 : 1e300) : error;
}

static inline int32_t apart_of(float found, double wanted)
{
    uint32_t a = bits_of(found), b = bits_of((float)wanted);
    int32_t apart = place(a) - place(b);
    int special = ((a & 0x7fffffff) > 0x7f800000) | ((b & 0x7fffffff) > 0x7f800000);
    return special ? 0 : apart < 0 ? -apart : apart;
}

static void compare(const float *in, const float *found, const double *wanted, int n, double border, Found *into)
{
    double most = 0, absolute = 0;
    int32_t apart = 0;
    if (fabs((double)in[0]) > border || fabs((double)in[n - 1]) > border) {
        for (int i = 0; i < n; i++)
            if (fabs(in[i]) <= border || !isfinite(found[i]) || !isfinite(wanted[i])) {
                most = fmax(most, error_of(found[i], wanted[i]));
                into->at = most > into->ulp ? in[i] : into->at;
                into->ulp = fmax(most, into->ulp);
            } else
                absolute = fmax(absolute, fabs(found[i] - wanted[i]));
        into->absolute = fmax(absolute, into->absolute);
        return;
    }
    for (int i = 0; i < n; i++) {
        double error = error_of(found[i], wanted[i]);
        int32_t distance = apart_of(found[i], wanted[i]);
        most = error > most ? error : most;
        apart = distance > apart ? distance : apart;
    }
    into->apart = apart > into->apart ? apart : into->apart;
    if (!(most > into->ulp))
        return;
    for (int i = 0; i < n; i++)
        if (error_of(found[i], wanted[i]) == most)
            into->at = in[i];
    into->ulp = most;
}

/* The references of a function. */
void reference(int function, const float *in, const float *found, double *out, int n)
{
    FUNCTIONS[function].function(in, found, out, n);
}

/* The same of neighbours. */
static void refer(int function, const float *in, const float *found, double *out, int n)
{
    if (FUNCTIONS[function].monotonic) {
        double low, high;
        FUNCTIONS[function].function(in, found, &low, 1);
        FUNCTIONS[function].function(in + n - 1, found + n - 1, &high, 1);
        if (!memcmp(&low, &high, sizeof low) || (isnan(low) && isnan(high))) {
            for (int i = 0; i < n; i++)
                out[i] = low;
            return;
        }
    }
    FUNCTIONS[function].function(in, found, out, n);
}

/* Add what n results say of the arguments with patterns from `first` on, in `found`, and of the same with the other
   sign, in `mirrored`.  Arguments between low and high do not count. */
void check(int function, uint32_t first, const float *found, const float *mirrored, long n, double low, double high,
           double border, Found *into)
{
    static float in[BLOCK], minus[BLOCK];
    static double wanted[BLOCK];
    for (long start = 0; start < n; start += BLOCK) {
        for (int i = 0; i < BLOCK; i++) {
            uint32_t bits = first + (uint32_t)(start + i);
            memcpy(&in[i], &bits, 4);
            minus[i] = -in[i];
        }
        refer(function, in, found + start, wanted, BLOCK);
        compare(in, found + start, wanted, BLOCK, border, into);
        if (FUNCTIONS[function].parity == NEITHER)
            refer(function, minus, mirrored + start, wanted, BLOCK);
        if (FUNCTIONS[function].parity == ODD)
            for (int i = 0; i < BLOCK; i++)
                wanted[i] = -wanted[i];
        if (minus[0] > low && minus[BLOCK - 1] < high)
            for (int i = 0; i < BLOCK; i++)
                wanted[i] = minus[i] > low && minus[i] < high ? mirrored[start + i] : wanted[i];
        compare(minus, mirrored + start, wanted, BLOCK, border, into);
    }
}
