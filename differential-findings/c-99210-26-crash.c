// weft of -O1: NameError: name 'bytes_of' is not defined
#include "/work/wt/quality/tests/differential/c/random_c.h"
struct k26_s0 {
  u64 m0;
  f64 m1;
  u16 m2;
  u32 m3;
  i64 m4 : 60;
};
struct k26_s1 {
  u16 m0;
  u32 m1 : 25;
  u8 m2 : 6;
};
struct k26_s2 {
  u64 m0[4];
  f32 m1[3];
  i64 m2 : 32;
};
CONSTANT i16 k26_t0[4] = {(-3), 31299, 5, 16384};
TABLE u64 k26_t1[8] = {5536147565185816304ULL, 955523957391046707ULL, 9223372036854775807ULL, 5ULL, 1ULL, 9223372036854775807ULL, 1ULL, 10ULL};
KERNEL(k26) {
  u32 tid = THREAD;
  i16 x0 = (i16)in[tid * 16 + 0];
  f32 x1 = single_of((u32)in[tid * 16 + 1]);
  u64 x2 = (u64)in[tid * 16 + 2];
  u16 x3 = (u16)in[tid * 16 + 3];
  i8 y0 = (-44);
  u32 y1 = 411827251u;
  f32 y2 = 1.0f;
  u32 a0[2] = {10u, 1390750641u};
  i8 a1[2] = {57, (-3)};
  struct k26_s0 rs0_0 = {0};
  struct k26_s0 rs0_1 = {0};
  struct k26_s1 rs1_0 = {0};
  struct k26_s2 rs2_0 = {0};
  struct k26_s2 rs2_1 = {0};
  { union mix k71; k71.word = (u64)(x2 | x2); k71.words[1] = SUB(u8, u32, rs1_0.m2, 127u); x2 = (u64)k71.word; }
  out[tid * 48 + 2] = (u64)x2;
}
