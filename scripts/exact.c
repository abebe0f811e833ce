/* Functions of f32 that have one right result: compiled by `check_singles.py` with -frounding-math. */
#include <fenv.h>
#include <immintrin.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* What the elements of one type should be: all at once, so that a compiler can take many in one step. */
#define EXACT(name, type, value) \
    static void of_##name(const float *in, void *to, int n) \
    { \
        type *out = to; \
        for (int i = 0; i < n; i++) { \
            float x = in[i]; \
            out[i] = (value); \
        } \
    }
#define ROUNDED(stem, value) \
    EXACT(stem##_rn, float, value) EXACT(stem##_rz, float, value) EXACT(stem##_rd, float, value) \
        EXACT(stem##_ru, float, value)

EXACT(floorf, float, floorf(x))
EXACT(ceilf, float, ceilf(x))
EXACT(truncf, float, truncf(x))
EXACT(rintf, float, rintf(x))
EXACT(nearbyintf, float, nearbyintf(x))
EXACT(roundf, float, roundf(x))
EXACT(fabsf, float, fabsf(x))
EXACT(saturatef, float, x > 0 ? (x < 1 ? x : 1) : 0)
EXACT(sqrtf, float, sqrtf(x))
ROUNDED(frcp, 1 / x)
ROUNDED(fsqrt, sqrtf(x))

/* The square of a midpoint of two f32 has 50 bits: which side 1 / sqrt(x) lies on is seen with some more. */
static float inverse_root(float x)
{
    double near = 1 / sqrt((double)x);
    uint64_t bits;
    memcpy(&bits, &near, 8);
    uint32_t rest = bits & 0x1fffffff;
    if (rest > 0x10000000 - 64 && rest < 0x10000000 + 64 && x > 0) {
        bits = (bits & ~0x1fffffffULL) | 0x10000000;
        double middle;
        memcpy(&middle, &bits, 8);
        __float128 product = (__float128)middle * middle * x;
        return (float)(product < 1 ? nextafter(middle, INFINITY) : product > 1 ? nextafter(middle, 0) : middle);
    }
    return (float)near;
}
EXACT(frsqrt_rn, float, inverse_root(x))

static double toward(double x, int mode)
{
    return mode == FE_TONEAREST ? rint(x) : mode == FE_TOWARDZERO ? trunc(x) : mode == FE_UPWARD ? ceil(x) : floor(x);
}
static int32_t to_int(float x, int mode)
{
    double whole = toward(x, mode);
    return isnan(x) ? 0 : whole < -2147483648.0 ? INT32_MIN : whole > 2147483647.0 ? INT32_MAX : (int32_t)whole;
}
static uint32_t to_uint(float x, int mode)
{
    double whole = toward(x, mode);
    return isnan(x) || whole < 0 ? 0 : whole > 4294967295.0 ? UINT32_MAX : (uint32_t)whole;
}
static int64_t to_long(float x, int mode)
{
    double whole = toward(x, mode);
    return isnan(x) ? INT64_MIN : whole < -0x1p63 ? INT64_MIN : whole >= 0x1p63 ? INT64_MAX : (int64_t)whole;
}
static uint64_t to_ulong(float x, int mode)
{
    double whole = toward(x, mode);
    return isnan(x) ? 1ull << 63 : whole < 0 ? 0 : whole >= 0x1p64 ? UINT64_MAX : (uint64_t)whole;
}
#define INTEGERS(suffix, mode) \
    EXACT(float2int_##suffix, int32_t, to_int(x, mode)) EXACT(float2uint_##suffix, uint32_t, to_uint(x, mode)) \
        EXACT(float2ll_##suffix, int64_t, to_long(x, mode)) EXACT(float2ull_##suffix, uint64_t, to_ulong(x, mode))
INTEGERS(rn, FE_TONEAREST)
INTEGERS(rz, FE_TOWARDZERO)
INTEGERS(rd, FE_DOWNWARD)
INTEGERS(ru, FE_UPWARD)
EXACT(llrintf, int64_t, to_long(x, FE_TONEAREST))
EXACT(llroundf, int64_t, to_long(roundf(x), FE_TOWARDZERO))

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}
EXACT(float_as_int, uint32_t, bits_of(x))
EXACT(float_as_uint, uint32_t, bits_of(x))
EXACT(isnanf, int32_t, isnan(x) != 0)
EXACT(isinff, int32_t, isinf(x) != 0)
EXACT(finitef, int32_t, isfinite(x) != 0)
EXACT(signbitf, int32_t, bits_of(x) >> 31)
EXACT(float2half_rn, uint16_t, isnan(x) ? 0x7fff : (uint16_t)_cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT))

static int exponent(float x)
{
    if (x == 0 || isnan(x))
        return INT32_MIN;
    uint32_t size = bits_of(x) & 0x7fffffff;
    if (size == 0x7f800000)
        return INT32_MAX;
    return size >> 23 ? (int)(size >> 23) - 127 : 31 - __builtin_clz(size) - 149;
}
EXACT(ilogbf, int32_t, exponent(x))
EXACT(logbf, float, x == 0 ? -INFINITY : isnan(x) ? x : isinf(x) ? INFINITY : (float)exponent(x))
static int power(float x) { return x == 0 || !isfinite(x) ? 0 : exponent(x) + 1; }
static float fraction(float x) { return x == 0 || !isfinite(x) ? x : (float)ldexp(x, -power(x)); }
EXACT(frexpf_0, float, fraction(x))
EXACT(frexpf_1, int32_t, power(x))
EXACT(modff_0, float, isinf(x) ? copysignf(0, x) : copysignf(x - truncf(x), x))
EXACT(modff_1, float, truncf(x))

#define NEAR(name, bytes) {#name, of_##name, FE_TONEAREST, bytes, 0}
#define FLOAT(name, mode) {#name, of_##name, mode, 4, 1}
#define DIRECTED(stem) \
    FLOAT(stem##_rn, FE_TONEAREST), FLOAT(stem##_rz, FE_TOWARDZERO), FLOAT(stem##_rd, FE_DOWNWARD), \
        FLOAT(stem##_ru, FE_UPWARD)
#define CONVERTED(stem, bytes) \
    NEAR(stem##_rn, bytes), NEAR(stem##_rz, bytes), NEAR(stem##_rd, bytes), NEAR(stem##_ru, bytes)
static const struct {
    const char *name;
    void (*function)(const float *, void *, int);
    int mode, bytes, floating;
} FUNCTIONS[] = {
    FLOAT(floorf, FE_TONEAREST), FLOAT(ceilf, FE_TONEAREST), FLOAT(truncf, FE_TONEAREST), FLOAT(rintf, FE_TONEAREST),
    FLOAT(nearbyintf, FE_TONEAREST), FLOAT(roundf, FE_TONEAREST), FLOAT(fabsf, FE_TONEAREST),
    FLOAT(saturatef, FE_TONEAREST), FLOAT(sqrtf, FE_TONEAREST), FLOAT(frsqrt_rn, FE_TONEAREST),
    FLOAT(logbf, FE_TONEAREST), FLOAT(frexpf_0, FE_TONEAREST), FLOAT(modff_0, FE_TONEAREST),
    FLOAT(modff_1, FE_TONEAREST), DIRECTED(frcp), DIRECTED(fsqrt), CONVERTED(float2int, 4), CONVERTED(float2uint, 4),
    CONVERTED(float2ll, 8), CONVERTED(float2ull, 8), NEAR(llrintf, 8), NEAR(llroundf, 8), NEAR(float_as_int, 4),
    NEAR(float_as_uint, 4), NEAR(isnanf, 4), NEAR(isinff, 4), NEAR(finitef, 4), NEAR(signbitf, 4),
    NEAR(float2half_rn, 2), NEAR(ilogbf, 4), NEAR(frexpf_1, 4),
};

/* The function's place in the table, or -1. */
int find(const char *name)
{
    for (int i = 0; i < (int)(sizeof FUNCTIONS / sizeof *FUNCTIONS); i++)
        if (!strcmp(FUNCTIONS[i].name, name))
            return i;
    return -1;
}

enum { BLOCK = 2048 };

/* How many of n results are wrong, of the arguments with patterns from `first` on; the last such argument. */
long check(int function, uint32_t first, const void *found, long n, float *at)
{
    static float in[BLOCK];
    static uint64_t wanted[BLOCK];
    long wrong = 0;
    int bytes = FUNCTIONS[function].bytes;
    for (long start = 0; start < n; start += BLOCK) {
        const char *results = (const char *)found + start * bytes;
        for (int i = 0; i < BLOCK; i++) {
            uint32_t bits = first + (uint32_t)(start + i);
            memcpy(&in[i], &bits, 4);
        }
        fesetround(FUNCTIONS[function].mode);
        FUNCTIONS[function].function(in, wanted, BLOCK);
        fesetround(FE_TONEAREST);
        if (!memcmp(wanted, results, BLOCK * bytes))
            continue;
        for (int i = 0; i < BLOCK; i++) {
            const char *a = (const char *)wanted + i * bytes, *b = results + i * bytes;
            if (FUNCTIONS[function].floating && isnan(*(const float *)a) && isnan(*(const float *)b))
                continue;
            if (memcmp(a, b, bytes)) {
                wrong++;
                *at = in[i];
            }
        }
    }
    return wrong;
}
