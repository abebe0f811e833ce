/* Functions of f32, f64 and integers that have one right result, and what compares with them: compiled by
   `check_points.py` with -frounding-math.  Where C leaves something open (the sign of zeros in `fmin`, integers out of
   range) the value is what PTX says. */
#include <fenv.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef union {
    float f;
    double d;
    int32_t i;
    int64_t l;
    uint64_t u;
} Value;

static int nearest_first(double a, double b) { return a < b || (a == b && signbit(a)); }
static double least(double a, double b) { return isnan(a) ? b : isnan(b) || nearest_first(a, b) ? a : b; }
static double most(double a, double b) { return isnan(a) ? b : isnan(b) || !nearest_first(a, b) ? a : b; }

static int exponent(double x)
{
    if (x == 0 || isnan(x))
        return INT_MIN;
    return isinf(x) ? INT_MAX : ilogb(x);
}
static double fraction(double x, int *power)
{
    *power = 0;
    return x == 0 || !isfinite(x) ? x : frexp(x, power);
}
static double whole_part(double x, double *whole)
{
    *whole = trunc(x);
    return copysign(isinf(x) ? 0 : x - *whole, x);
}
static double quotient(double x, double y, int *low)
{
    double rest = remquo(x, y, low);
    *low = isfinite(x) && !isnan(y) && y != 0 ? *low % 8 : 0;
    return rest;
}
static float quotient_single(float x, float y, int *low)
{
    float rest = remquof(x, y, low);
    *low = isfinite(x) && !isnan(y) && y != 0 ? *low % 8 : 0;
    return rest;
}

/* By remquo, which is right for ties of denormal numbers, as glibc's remainder is not. */
static double nearest_rest(double x, double y)
{
    int low;
    return remquo(x, y, &low);
}
static float nearest_rest_single(float x, float y)
{
    int low;
    return remquof(x, y, &low);
}

static int64_t to_long(double x) { return isnan(x) || x < -0x1p63 ? INT64_MIN : x >= 0x1p63 ? INT64_MAX : (int64_t)x; }
static int64_t to_ulong(double x)
{
    return isnan(x) ? INT64_MIN : x < 0 ? 0 : x >= 0x1p64 ? -1 : (int64_t)(uint64_t)x;
}
/* Of an f64 NaN the 32-bit conversions give the least integer, as those to 64 bits do. */
static int32_t to_int(double x) { return isnan(x) || x < INT_MIN ? INT_MIN : x > INT_MAX ? INT_MAX : (int32_t)x; }
static int32_t to_uint(double x)
{
    return isnan(x) ? INT_MIN : x < 0 ? 0 : x > UINT_MAX ? -1 : (int32_t)(uint32_t)x;
}

/* Each is an assignment to `o`, the outputs, from `a`, the operands, in the rounding mode of its row. */
#define MODES(DO, name, work) \
    DO(name##_rn, FE_TONEAREST, work) DO(name##_rz, FE_TOWARDZERO, work) DO(name##_rd, FE_DOWNWARD, work) \
        DO(name##_ru, FE_UPWARD, work)
#define NEAR(DO, name, work) DO(name, FE_TONEAREST, work)
#define BOTH(DO, stem, single, wide) NEAR(DO, stem##f, o[0].f = single) NEAR(DO, stem, o[0].d = wide)
#define ALL(DO) \
    MODES(DO, fadd, o[0].f = a[0].f + a[1].f) MODES(DO, dadd, o[0].d = a[0].d + a[1].d) \
    MODES(DO, fsub, o[0].f = a[0].f - a[1].f) MODES(DO, dsub, o[0].d = a[0].d - a[1].d) \
    MODES(DO, fmul, o[0].f = a[0].f * a[1].f) MODES(DO, dmul, o[0].d = a[0].d * a[1].d) \
    MODES(DO, fdiv, o[0].f = a[0].f / a[1].f) MODES(DO, ddiv, o[0].d = a[0].d / a[1].d) \
    MODES(DO, fmaf, o[0].f = __builtin_fmaf(a[0].f, a[1].f, a[2].f)) \
    MODES(DO, fmaf_ieee, o[0].f = __builtin_fmaf(a[0].f, a[1].f, a[2].f)) \
    MODES(DO, fma, o[0].d = __builtin_fma(a[0].d, a[1].d, a[2].d)) \
    MODES(DO, drcp, o[0].d = 1 / a[0].d) MODES(DO, dsqrt, o[0].d = sqrt(a[0].d)) \
    MODES(DO, double2float, o[0].f = a[0].d) MODES(DO, int2float, o[0].f = a[0].i) \
    MODES(DO, uint2float, o[0].f = (uint32_t)a[0].i) MODES(DO, ll2float, o[0].f = a[0].l) \
    MODES(DO, ull2float, o[0].f = a[0].u) MODES(DO, ll2double, o[0].d = a[0].l) MODES(DO, ull2double, o[0].d = a[0].u) \
    MODES(DO, double2int, o[0].i = to_int(nearbyint(a[0].d))) MODES(DO, double2ll, o[0].l = to_long(nearbyint(a[0].d))) \
    MODES(DO, double2uint, o[0].i = to_uint(nearbyint(a[0].d))) \
    MODES(DO, double2ull, o[0].l = to_ulong(nearbyint(a[0].d))) \
    NEAR(DO, int2double_rn, o[0].d = a[0].i) NEAR(DO, uint2double_rn, o[0].d = (uint32_t)a[0].i) \
    BOTH(DO, fma, __builtin_fmaf(a[0].f, a[1].f, a[2].f), __builtin_fma(a[0].d, a[1].d, a[2].d)) \
    BOTH(DO, fmod, fmodf(a[0].f, a[1].f), fmod(a[0].d, a[1].d)) \
    BOTH(DO, remainder, nearest_rest_single(a[0].f, a[1].f), nearest_rest(a[0].d, a[1].d)) \
    NEAR(DO, remquof, o[0].f = quotient_single(a[0].f, a[1].f, &o[1].i)) \
    NEAR(DO, remquo, o[0].d = quotient(a[0].d, a[1].d, &o[1].i)) \
    BOTH(DO, fdim, fdimf(a[0].f, a[1].f), fdim(a[0].d, a[1].d)) \
    BOTH(DO, nextafter, nextafterf(a[0].f, a[1].f), nextafter(a[0].d, a[1].d)) \
    BOTH(DO, copysign, copysignf(a[0].f, a[1].f), copysign(a[0].d, a[1].d)) \
    BOTH(DO, fmin, least(a[0].f, a[1].f), least(a[0].d, a[1].d)) \
    BOTH(DO, fmax, most(a[0].f, a[1].f), most(a[0].d, a[1].d)) \
    BOTH(DO, ldexp, ldexpf(a[0].f, a[1].i), ldexp(a[0].d, a[1].i)) \
    BOTH(DO, scalbn, scalbnf(a[0].f, a[1].i), scalbn(a[0].d, a[1].i)) \
    NEAR(DO, floor, o[0].d = floor(a[0].d)) NEAR(DO, ceil, o[0].d = ceil(a[0].d)) \
    NEAR(DO, trunc, o[0].d = trunc(a[0].d)) NEAR(DO, rint, o[0].d = rint(a[0].d)) \
    NEAR(DO, nearbyint, o[0].d = rint(a[0].d)) NEAR(DO, round, o[0].d = round(a[0].d)) \
    NEAR(DO, fabs, o[0].d = fabs(a[0].d)) NEAR(DO, sqrt, o[0].d = sqrt(a[0].d)) \
    NEAR(DO, logb, o[0].d = isnan(a[0].d) ? a[0].d : logb(a[0].d)) NEAR(DO, ilogb, o[0].i = exponent(a[0].d)) \
    NEAR(DO, llrint, o[0].l = to_long(rint(a[0].d))) NEAR(DO, llround, o[0].l = to_long(round(a[0].d))) \
    NEAR(DO, frexp, o[0].d = fraction(a[0].d, &o[1].i)) NEAR(DO, modf, o[0].d = whole_part(a[0].d, &o[1].d)) \
    NEAR(DO, isnand, o[0].i = isnan(a[0].d) != 0) NEAR(DO, isinfd, o[0].i = isinf(a[0].d) != 0) \
    NEAR(DO, isfinited, o[0].i = isfinite(a[0].d) != 0) NEAR(DO, signbitd, o[0].i = signbit(a[0].d) != 0) \
    NEAR(DO, double2hiint, o[0].i = (int32_t)(a[0].l >> 32)) NEAR(DO, double2loint, o[0].i = (int32_t)a[0].l) \
    NEAR(DO, double_as_longlong, o[0].l = a[0].l) NEAR(DO, longlong_as_double, o[0].l = a[0].l)

#define FUNCTION(name, mode, work) \
    static void of_##name(const Value *a, Value *o) { work; }
ALL(FUNCTION)
#define ROW(name, mode, work) {#name, of_##name, mode},
static const struct {
    const char *name;
    void (*function)(const Value *, Value *);
    int mode;
} TABLE[] = {ALL(ROW)};

int find(const char *name)
{
    for (int i = 0; i < (int)(sizeof TABLE / sizeof *TABLE); i++)
        if (!strcmp(TABLE[i].name, name))
            return i;
    return -1;
}

static int bytes_of(char kind) { return kind == 'd' || kind == 'l' ? 8 : 4; }

/* How many of n results are wrong; `kinds` are those of operands and outputs, `places` their arrays; `at` is the last
   element that is wrong. */
long check(int function, const char *operands, const char *outputs, const void *const *places, long n, long *at)
{
    long wrong = 0;
    int inputs = strlen(operands), results = strlen(outputs);
    fesetround(TABLE[function].mode);
    for (long i = 0; i < n; i++) {
        Value a[4] = {{0}}, o[2] = {{0}};
        for (int j = 0; j < inputs; j++)
            memcpy(&a[j], (const char *)places[j] + i * bytes_of(operands[j]), bytes_of(operands[j]));
        TABLE[function].function(a, o);
        int differs = 0;
        for (int j = 0; j < results; j++) {
            Value found = {0};
            memcpy(&found, (const char *)places[inputs + j] + i * bytes_of(outputs[j]), bytes_of(outputs[j]));
            int nan = outputs[j] == 'f' ? isnan(found.f) && isnan(o[j].f)
                                        : outputs[j] == 'd' && isnan(found.d) && isnan(o[j].d);
            differs |= !nan && memcmp(&found, &o[j], bytes_of(outputs[j]));
        }
        if (differs) {
            wrong++;
            *at = i;
        }
    }
    fesetround(FE_TONEAREST);
    return wrong;
}
