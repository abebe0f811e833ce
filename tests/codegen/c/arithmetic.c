// Arithmetic: floats, half precision, bits, overflow, division, integers of 128 bits and of odd widths, vectors.
#include "kernels.h"

typedef float float4 __attribute__((ext_vector_type(4)));
typedef int int4 __attribute__((ext_vector_type(4)));
typedef signed char char16 __attribute__((ext_vector_type(16)));
typedef _Float16 half2 __attribute__((ext_vector_type(2)));

static float number(u32 word) { return (float)(int)(word & 0xfffff) * 0.25f - 1000.0f; }

KERNEL(floats) {
  int i = THREAD;
  float x = number(in[i]), y = number(in[i + 1]);
  float *to = (float *)out;
  to[i] = x * y + x - y / (y + 2.5f);
  to[i + 32] = __builtin_fmaf(x, y, 3.0f) + __builtin_fabsf(x) - __builtin_copysignf(y, x);
  to[i + 64] = __builtin_floorf(x) + __builtin_ceilf(y) * 2 + __builtin_truncf(x) * 4 + __builtin_rintf(y) * 8;
  to[i + 96] = __builtin_fminf(x, y) + __builtin_fmaxf(x, y) * 3 + __builtin_sqrtf(x * x);
  out[i + 128] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | __builtin_isunordered(x, y) << 4;
}

KERNEL(doubles) {
  int i = THREAD;
  double x = number(in[i]), y = number(in[i + 1]);
  double *to = (double *)out;
  to[i] = x * y + x - y / (y + 2.5);
  to[i + 32] = __builtin_fma(x, y, 3.0) + __builtin_sqrt(x * x);
  to[i + 64] = (double)(i64)(x * 1e9) + (double)(u64)__builtin_fabs(y) + (float)x;
}

KERNEL(halves) {
  int i = THREAD;
  _Float16 a = (_Float16)(number(in[i]) * 1e-3f), b = (_Float16)(number(in[i + 1]) * 1e-3f);
  __bf16 c = (__bf16)number(in[i]);
  half2 v = {a, b};
  ((_Float16 *)out)[i] = a * b + a;
  ((_Float16 *)out)[i + 32] = a > b ? a - b : b / (a + (_Float16)9);
  ((half2 *)out)[i + 32] = v.yx + v;
  ((__bf16 *)out)[i + 128] = c * c + c;
}

KERNEL(bits) {
  int i = THREAD;
  u32 v = in[i];
  u64 w = (u64)v << 13 | in[i + 1];
  out[i] = __builtin_clz(v | 1) + __builtin_ctz(v | 256) * 100 + __builtin_popcount(v) * 10000;
  out[i + 32] = __builtin_bswap32(v) ^ __builtin_bitreverse32(v) ^ __builtin_rotateleft32(v, i);
  out[i + 64] = __builtin_clzll(w | 1) + __builtin_popcountll(w) * 100 + (u32)(__builtin_rotateleft64(w, i) >> 5);
}

KERNEL(overflow) {
  int i = THREAD, r;
  i64 q;
  out[i] = __builtin_sadd_overflow(in[i], in[i + 1], &r) + r;
  out[i + 32] = __builtin_smul_overflow(in[i], in[i + 1], &r) + r;
  out[i + 64] = __builtin_smulll_overflow((i64)in[i] << 20, (i64)in[i + 1] << 5, &q) + (int)(q >> 3);
  out[i + 96] = __builtin_elementwise_add_sat((int)in[i], (int)in[i + 1]);
}

KERNEL(division) {
  int i = THREAD, a = in[i], b = in[i + 1] | 1;
  i64 c = (i64)a << 17 | 5, d = (i64)b << 3 | 1;
  out[i] = a / b + a % b + (u32)a / (u32)b + (u32)a % (u32)b;
  out[i + 32] = (int)(c / d) + (int)(c % d) + (int)((u64)c / (u64)d);
  out[i + 64] = a / 7 + a % 10 + (u32)a / 1000 + a / 16 + a % 8;
}

KERNEL(wide) {
  int i = THREAD;
  unsigned __int128 a = (unsigned __int128)in[i] << 70 | in[i + 1], b = (unsigned __int128)in[i + 2] << 64 | in[i + 3];
  unsigned __int128 r = a + b * 3 - (a >> 7) + (b << (i & 63)) + a / (in[i] | 1);
  ((u64 *)out)[i] = (u64)r;
  ((u64 *)out)[i + 32] = (u64)(r >> 64) ^ (a < b);
}

KERNEL(odd_widths) {
  int i = THREAD;
  _BitInt(24) a = in[i];
  unsigned _BitInt(48) b = (u64)in[i] << 20;
  a *= 3;
  b += a;
  out[i] = (int)(a / 7);
  out[i + 32] = (int)(b >> 9);
}

KERNEL(vectors) {
  int i = THREAD;
  int4 a = ((const int4 *)in)[i], b = ((const int4 *)in)[i + 1];
  float4 f = __builtin_convertvector(a & 255, float4);
  ((int4 *)out)[i] = (a + b) * (a - b);
  ((int4 *)out)[i + 32] = (a > b ? a : b) ^ (a < b);
  f[i & 3] = 7;
  ((float4 *)out)[i + 64] = f.wzyx * 1.5f + f;
  ((char16 *)out)[i + 96] = ((const char16 *)in)[i] + (signed char)3;
  out[i * 4 + 512] = __builtin_reduce_add(a) + __builtin_reduce_max(b);
}
