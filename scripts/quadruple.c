/* References in quadruple precision for functions of f64, and what compares with them: compiled by `check_doubles.py`. */
#include <math.h>
#include <quadmath.h>

typedef __float128 quad;
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
static quad inverse_normal(quad p) { return -M_SQRT2q * inverse_complement(2 * p); }
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
static quad modified_0(quad x) { return modified(0, x); }
static quad modified_1(quad x) { return modified(1, x); }

static const struct { const char *name; quad (*function)(quad); } FUNCTIONS[] = {
    {"acos", acosq}, {"acosh", acoshq}, {"asin", asinq}, {"asinh", asinhq}, {"atan", atanq}, {"atanh", atanhq},
    {"cbrt", cbrtq}, {"cos", cosq}, {"cosh", coshq}, {"erf", erfq}, {"erfc", erfcq}, {"exp", expq},
    {"exp10", power_of_ten}, {"exp2", exp2q}, {"expm1", expm1q}, {"log", logq}, {"log10", log10q},
    {"log1p", log1pq}, {"log2", log2q}, {"sin", sinq}, {"sinh", sinhq}, {"sqrt", sqrtq}, {"tan", tanq},
    {"tanh", tanhq}, {"tgamma", tgammaq}, {"lgamma", lgammaq}, {"j0", j0q}, {"j1", j1q}, {"y0", y0q}, {"y1", y1q},
    {"cospi", cosine_of_turns}, {"sinpi", sine_of_turns}, {"rcbrt", inverse_cube_root}, {"normcdf", normal},
    {"erfcx", scaled_complement}, {"erfcinv", inverse_complement}, {"erfinv", inverse_error},
    {"normcdfinv", inverse_normal}, {"cyl_bessel_i0", modified_0}, {"cyl_bessel_i1", modified_1},
};

/* The function's place in the table, or -1. */
int find(const char *name)
{
    for (int i = 0; i < (int)(sizeof FUNCTIONS / sizeof *FUNCTIONS); i++)
        if (!__builtin_strcmp(FUNCTIONS[i].name, name))
            return i;
    return -1;
}

static void compare(double found, quad wanted, double at, double *worst, double *where)
{
    double rounded = (double)wanted;
    double error = 0;
    if (isnan(rounded) || isnan(found))
        error = isnan(rounded) && isnan(found) ? 0 : 1e300;
    else if (isinf(rounded) || isinf(found))
        error = found == rounded ? 0 : 1e300;
    else {
        int exponent;
        frexp(rounded, &exponent);
        quad unit = scalbnq(1, (rounded == 0 || exponent < -1021 ? -1021 : exponent) - 53);
        error = (double)(fabsq((quad)found - wanted) / unit);
    }
    if (error > *worst) {
        *worst = error;
        *where = at;
    }
}

/* The largest error in units in the last place of the exact result, and where it is. */
void check(int function, const double *in, const double *found, long n, double *worst, double *where)
{
    for (long i = 0; i < n; i++)
        compare(found[i], FUNCTIONS[function].function(in[i]), in[i], worst, where);
}

/* The same of functions of two arguments: 0 atan2, 1 pow, 2 hypot, 3 fmod, 4 remainder. */
void check_pair(int function, const double *a, const double *b, const double *found, long n, double *worst, double *where)
{
    static quad (*const PAIRS[])(quad, quad) = {atan2q, powq, hypotq, fmodq, remainderq};
    for (long i = 0; i < n; i++)
        compare(found[i], PAIRS[function](a[i], b[i]), a[i], worst, where);
}
