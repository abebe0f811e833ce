/* References for functions of some arguments, and what compares with them: compiled by `check_points.py`.

   The first reference has 64 bits, and errs by a few units of its own.  Where it shows an error as large as any before,
   one of quadruple precision says what the error is. */
#define _GNU_SOURCE
#include <float.h>
#include <math.h>
#include <quadmath.h>
#include <stdint.h>
#include <string.h>

typedef __float128 quad;
typedef long double wide;
static const quad ROOT_PI = 1.77245385090551602729816748334114518Q;

static quad cosine_of_turns(quad x)
{
    quad rest = fabsq(x - 2 * rintq(x / 2));
    return rest < 0.25Q ? cosq(M_PIq * rest) : sinq(M_PIq * (0.5Q - rest));
}
static quad sine_of_turns(quad x)
{
    quad rest = x - 2 * rintq(x / 2), size = fabsq(rest);
    return copysignq(sinq(M_PIq * (size > 0.5Q ? 1 - size : size)), rest);
}
static quad power_of_ten(quad x) { return powq(10, x); }
static quad inverse_cube_root(quad x) { return 1 / cbrtq(x); }
static quad normal(quad x) { return erfcq(-x * M_SQRT1_2q) / 2; }
static quad scaled_complement(quad x)
{
    if (x < 60)
        return expq(x * x) * erfcq(x);
    quad total = 0, term = 1;
    for (int k = 1; k < 14; k++) {
        total += term;
        term *= -(2 * k - 1) / (2 * x * x);
    }
    return total / (x * ROOT_PI);
}
/* Steps of Newton's for log(erfc(z)) = log(q), from 1 on the far side. */
static quad inverse_complement(quad q)
{
    if (!(q > 0 && q < 2))
        return q == 0 ? INFINITY : q == 2 ? -INFINITY : NAN;
    if (q > 1)
        return -inverse_complement(2 - q);
    quad z = q > 0.1Q ? (1 - q) * ROOT_PI / 2 : sqrtq(-logq(q * 2));
    for (int i = 0; i < 60; i++) {
        quad left = erfcq(z), step = (logq(left) - logq(q)) * left * ROOT_PI / 2 * expq(z * z);
        z += step;
        if (fabsq(step) < 1e-25Q * z)
            break;
    }
    return z;
}
static quad inverse_error(quad y)
{
    if (fabsq(y) > 0.5Q)
        return y < 0 ? -inverse_complement(1 + y) : inverse_complement(1 - y);
    quad z = y * ROOT_PI / 2;
    for (int i = 0; i < 60; i++) {
        quad step = (y - erfq(z)) * ROOT_PI / 2 * expq(z * z);
        z += step;
        if (fabsq(step) <= 1e-25Q * fabsq(z))
            break;
    }
    return z;
}
static quad inverse_normal(quad p) { return 0 - M_SQRT2q * inverse_complement(2 * p); } /* +0 at 1/2 */
static quad modified(int order, quad x)
{
    quad a = fabsq(x), total = 0, term = 1;
    if (!(a < INFINITY))
        return order && x < 0 ? x : a;
    if (a > 100) {
        for (int k = 1; k < 40; k++) {
            total += term;
            term *= -(4 * order * order - (2 * k - 1) * (2 * k - 1)) / (8 * a * k);
        }
        return (order && x < 0 ? -1 : 1) * expq(a) * (total / sqrtq(2 * M_PIq * a));
    }
    for (int k = 1; term > total * 1e-30Q; k++) {
        total += term;
        term *= a * a / 4 / k / (k + order);
    }
    return order ? total * x / 2 : total;
}


/* -- the same with 64 bits; what has a result already takes it from `found` on ------------------------------------ */

static wide wide_cospi(wide x)
{
    wide rest = fabsl(x - 2 * rintl(x / 2));
    return rest == 0.5L ? 0 : rest < 0.25L ? cosl(M_PIl * rest) : sinl(M_PIl * (0.5L - rest));
}
static wide wide_sinpi(wide x)
{
    wide rest = x - 2 * rintl(x / 2), size = fabsl(rest);
    size = size > 0.5L ? 1 - size : size;
    return size == 0 ? copysignl(0, x) : copysignl(sinl(M_PIl * size), rest);
}
static wide wide_normcdf(wide x)
{
    quad z = -(quad)x * M_SQRT1_2q;
    wide near = z, rest = z - near;
    return (erfcl(near) - (fabsl(x) < 150 ? expl(-near * near) * rest * M_2_SQRTPIl : 0)) / 2;
}
static wide wide_erfcx(wide x)
{
    if (x < 60) {
        quad square = (quad)x * x;
        wide near = square, rest = square - near;
        return expl(near) * erfcl(x) * (isinf(near) ? 1 : 1 + rest);
    }
    wide total = 0, term = 1;
    for (int k = 1; k < 10; k++) {
        total += term;
        term *= -(2 * k - 1) / (2 * x * x);
    }
    return total / (x * (wide)ROOT_PI);
}
static wide halley(wide z, wide difference)
{
    wide step = difference * (wide)ROOT_PI / 2 * expl(z * z);
    return z + step / (1 - step * z);
}
static wide wide_erfcinv(wide q, wide found)
{
    if (!(q >= 0 && q <= 2) || q == 0 || q == 2)
        return q == 0 ? INFINITY : q == 2 ? -INFINITY : NAN;
    if (q == 1 || !isfinite(found))
        return q == 1 ? 0 : NAN;
    if (fabsl(1 - q) < 0.5L)
        return halley(found, (1 - q) - erfl(found));
    return q < 1 ? halley(found, erfcl(found) - q) : -halley(-found, erfcl(-found) - (2 - q));
}
static wide wide_erfinv(wide y, wide found)
{
    if (!(fabsl(y) < 1))
        return fabsl(y) == 1 ? copysignl(INFINITY, y) : NAN;
    if (fabsl(y) < 1e-11L)
        return y * ((wide)ROOT_PI / 2);
    if (!isfinite(found))
        return NAN;
    if (fabsl(y) < 0.5L)
        return halley(found, y - erfl(found));
    return copysignl(halley(fabsl(found), erfcl(fabsl(found)) - (1 - fabsl(y))), y);
}
static wide wide_modified(int order, wide x)
{
    wide a = fabsl(x), total = 0, term = 1;
    if (!(a < INFINITY))
        return order && x < 0 ? x : a;
    if (a > 40) {
        for (int k = 1; fabsl(term) > total * 1e-21L; k++) {
            total += term;
            term *= -(4 * order * order - (2 * k - 1) * (2 * k - 1)) / (8 * a * k);
        }
        return (order && x < 0 ? -1 : 1) * expl(a) * (total / sqrtl(2 * M_PIl * a));
    }
    for (int k = 1; term > total * 1e-21L; k++) {
        total += term;
        term *= a * a / 4 / k / (k + order);
    }
    return order ? total * x / 2 : total;
}

/* The length of a vector; `squared` takes it apart so that nothing overflows, as no argument does in 64 bits. */
static wide wide_length(const double *a, int n)
{
    wide total = 0;
    for (int i = 0; i < n; i++) {
        if (isinf(a[i]))
            return INFINITY;
        total += (wide)a[i] * a[i];
    }
    return sqrtl(total);
}
static quad length(const double *a, int n)
{
    quad total = 0;
    for (int i = 0; i < n; i++) {
        if (isinf(a[i]))
            return INFINITY;
        total += (quad)a[i] * a[i];
    }
    return sqrtq(total);
}

/* -- the table ------------------------------------------------------------------------------------------------------ */

#define FUNCTION(name, first, second) \
    static wide wide_of_##name(const double *a, double found) \
    { \
        __attribute__((unused)) wide x = a[0]; \
        return (first); \
    } \
    static quad quad_of_##name(const double *a) \
    { \
        __attribute__((unused)) quad x = a[0]; \
        return (second); \
    }
#define PLAIN(name) FUNCTION(name, name##l(x), name##q(x))
#define FUNCTIONS(DO, PLAINLY) \
    PLAINLY(acos) PLAINLY(acosh) PLAINLY(asin) PLAINLY(asinh) PLAINLY(atan) PLAINLY(atanh) PLAINLY(cbrt) PLAINLY(cos) \
    PLAINLY(cosh) PLAINLY(erf) PLAINLY(erfc) PLAINLY(exp) PLAINLY(exp2) PLAINLY(expm1) PLAINLY(log) PLAINLY(log10) \
    PLAINLY(log1p) PLAINLY(log2) PLAINLY(sin) PLAINLY(sinh) PLAINLY(sqrt) PLAINLY(tan) PLAINLY(tanh) PLAINLY(tgamma) \
    PLAINLY(lgamma) PLAINLY(j0) PLAINLY(j1) PLAINLY(y0) PLAINLY(y1) \
    DO(exp10, exp10l(x), powq(10, x)) DO(rsqrt, 1 / sqrtl(x), 1 / sqrtq(x)) DO(rcbrt, 1 / cbrtl(x), 1 / cbrtq(x)) \
    DO(cospi, wide_cospi(x), cosine_of_turns(x)) DO(sinpi, wide_sinpi(x), sine_of_turns(x)) \
    DO(normcdf, wide_normcdf(x), normal(x)) DO(erfcx, wide_erfcx(x), scaled_complement(x)) \
    DO(erfinv, wide_erfinv(x, found), inverse_error(x)) DO(erfcinv, wide_erfcinv(x, found), inverse_complement(x)) \
    DO(normcdfinv, 0 - M_SQRT2l * wide_erfcinv(2 * x, found * -M_SQRT1_2l), inverse_normal(x)) \
    DO(cyl_bessel_i0, wide_modified(0, x), modified(0, x)) DO(cyl_bessel_i1, wide_modified(1, x), modified(1, x)) \
    DO(atan2, atan2l(x, a[1]), atan2q(x, a[1])) DO(pow, powl(x, a[1]), powq(x, a[1])) \
    DO(fdividef, x / a[1], x / a[1]) \
    DO(hypot, wide_length(a, 2), length(a, 2)) DO(rhypot, 1 / wide_length(a, 2), 1 / length(a, 2)) \
    DO(norm3d, wide_length(a, 3), length(a, 3)) DO(rnorm3d, 1 / wide_length(a, 3), 1 / length(a, 3)) \
    DO(norm4d, wide_length(a, 4), length(a, 4)) DO(rnorm4d, 1 / wide_length(a, 4), 1 / length(a, 4)) \
    DO(jn, jnl((int)a[0], a[1]), jnq((int)a[0], a[1])) DO(yn, ynl((int)a[0], a[1]), ynq((int)a[0], a[1]))
FUNCTIONS(FUNCTION, PLAIN)

#define ROW(name, first, second) {#name, wide_of_##name, quad_of_##name},
#define PLAIN_ROW(name) ROW(name, , )
static const struct {
    const char *name;
    wide (*first)(const double *, double);
    quad (*second)(const double *);
} TABLE[] = {FUNCTIONS(ROW, PLAIN_ROW)};

/* The function's place in the table, or -1. */
int find(const char *name)
{
    for (int i = 0; i < (int)(sizeof TABLE / sizeof *TABLE); i++)
        if (!strcmp(TABLE[i].name, name))
            return i;
    return -1;
}

/* -- errors --------------------------------------------------------------------------------------------------------- */

/* The largest error in units in the last place of the exact result, the largest number of values of the type that lie
   between a result and the rounded exact one, and where they are; the largest absolute error beyond the border. */
typedef struct {
    double ulp, at[4], absolute;
    int64_t apart;
} Found;

/* The bits of a significand and the least exponent, as frexp counts, of f32 and f64. */
static const int BITS[] = {53, 24}, LEAST[] = {-1021, -125};

static quad unit_of(quad wanted, int single)
{
    int exponent = LEAST[single];
    double rounded = single ? (float)wanted : (double)wanted;
    if (isinf(rounded))
        exponent = single ? 128 : 1024;
    else if (wanted != 0)
        frexpq(rounded, &exponent);
    exponent = exponent < LEAST[single] ? LEAST[single] : exponent;
    return scalbnq(1, exponent - BITS[single]);
}
static int64_t place(double x, int single)
{
    if (single) {
        float narrow = x;
        int32_t bits;
        memcpy(&bits, &narrow, 4);
        return bits < 0 ? -(int64_t)(bits & 0x7fffffff) : bits;
    }
    int64_t bits;
    memcpy(&bits, &x, 8);
    return bits < 0 ? -(bits & INT64_MAX) : bits;
}
static double rounded_of(wide wanted, int single) { return single ? (float)wanted : (double)wanted; }

/* Whether one of the two is a NaN, or what should be a zero or an infinity, and then whether the other is the same. */
static int special(double found, double rounded, int zero, int *same)
{
    int nan = isnan(found) && isnan(rounded);
    *same = nan || (found == rounded && signbit(found) == signbit(rounded));
    return isnan(rounded) || isnan(found) || zero || (*same && isinf(rounded));
}
/* A result, where an infinity is what comes after the largest number. */
static wide number(double found, int single)
{
    return isinf(found) ? copysignl(single ? 0x1p128L : 0x1p1024L, found) : found;
}

static double quick_error(double found, wide wanted, int single)
{
    static const int MOST[] = {1024, 128};
    double rounded = rounded_of(wanted, single);
    int same, exponent;
    if (special(found, rounded, wanted == 0, &same))
        return same ? 0 : 1e300;
    uint64_t bits;
    memcpy(&bits, &rounded, 8);
    exponent = (int)(bits >> 52 & 0x7ff) - 1022;
    exponent = exponent < LEAST[single] ? LEAST[single] : exponent > MOST[single] ? MOST[single] : exponent;
    return (double)ldexpl(fabsl(number(found, single) - wanted), BITS[single] - exponent);
}

static double sure_error(double found, quad wanted, int single, int64_t *apart)
{
    double rounded = single ? (float)wanted : (double)wanted;
    int same;
    *apart = 0;
    if (special(found, rounded, wanted == 0, &same))
        return same ? 0 : 1e300;
    *apart = place(found, single) - place(rounded, single);
    *apart = *apart < 0 ? -*apart : *apart;
    return (double)(fabsq(number(found, single) - wanted) / unit_of(wanted, single));
}

/* Add what n results say; `places` are those of the arguments, one array each.  An error that is as large as any before
   but for a hundredth, or whose result is that far from the rounded one, is looked at again.  From the border on only
   the absolute error counts; between low and high none does. */
void check(int function, int single, int count, const double *const *places, const double *found, long n, double border,
           double low, double high, Found *into)
{
    for (long i = 0; i < n; i++) {
        double a[4] = {0};
        for (int j = 0; j < count; j++)
            a[j] = places[j][i];
        if (a[count - 1] > low && a[count - 1] < high)
            continue;
        wide wanted = TABLE[function].first(a, found[i]);
        if (fabs(a[count - 1]) > border && isfinite(wanted) && isfinite(found[i])) {
            into->absolute = fmax(into->absolute, fabsl(found[i] - wanted));
            continue;
        }
        double error = quick_error(found[i], wanted, single);
        if (error < into->ulp - 0.01 && error < into->apart + 0.49)
            continue;
        int64_t apart;
        error = sure_error(found[i], TABLE[function].second(a), single, &apart);
        into->apart = apart > into->apart ? apart : into->apart;
        if (error > into->ulp) {
            into->ulp = error;
            memcpy(into->at, a, sizeof a);
        }
    }
}
