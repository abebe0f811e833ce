// weft of -O1: NameError: name 'bytes_of' is not defined
#include "/work/wt/quality/tests/differential/c/random_c.h"
struct k37_s0 {
  u64 m0;
  i32 m1 : 15;
  u32 m2 : 7;
  i64 m3[3];
  i32 m4;
};
struct k37_s1 {
  i64 m0 : 27;
};
struct k37_s2 {
  f32 m0[2];
  u32 m1;
};
CONSTANT i64 k37_t0[2] = {702358489254215973LL, (-4874316066913681448LL)};
DEVICE f32 k37_f0(u32 depth, i32 p0) {
  i16 y0 = 10;
  u32 y1 = 2u;
  struct k37_s0 rs0_0 = {0};
  struct k37_s1 rs1_0 = {0};
  struct k37_s1 rs1_1 = {0};
  struct k37_s2 rs2_0 = {0};
  return 12.224696548014045f;
}

INLINE i64 k37_f1(struct k37_s0 * p0, struct k37_s1 p1, u8 p2, struct k37_s0 * p3) {
  u32 y0 = 3u;
  struct k37_s0 rs0_0 = {0};
  struct k37_s0 rs0_1 = {0};
  struct k37_s1 rs1_0 = {0};
  struct k37_s2 rs2_0 = {0};
  return (i64)(~(i64)(CLZ(y0)));
}

KERNEL(k37) {
  u32 tid = THREAD;
  f32 x0 = (f32)(i32)(in[tid * 16 + 0] & 1023);
  i32 x1 = (i32)in[tid * 16 + 1];
  i16 x2 = (i16)in[tid * 16 + 2];
  u64 x3 = (u64)in[tid * 16 + 3];
  u128 y0 = 5ULL;
  i16 y1 = 2;
  u128 y2 = 10ULL;
  struct k37_s0 rs0_0 = {0};
  rs0_0.m2 = ((!(x0 > (-1.0f))) ? tid : tid);
  struct k37_s1 rs1_0 = {0};
  struct k37_s1 rs1_1 = {0};
  struct k37_s2 rs2_0 = {0};
  rs2_0.m1 = tid;
  switch (SUB(u32, u32, NEG(u32, u32, 1073741824u), MUL(u32, u32, rs0_0.m2, rs2_0.m1)) & 7) { case 3: {
    { union mix k128; k128.word = x3; k128.bytes[(SHL(u32, u32, rs0_0.m2, 6) & 7)] = SHR(u8, u32, 105u, 6); x3 = (u64)k128.word; }
  } break; case 1: {
  } break; case 6: {
  } break; default: {
  } }
  SHARED f32 k37_b6[32];
  k37_b6[tid] = ((k37_t0[(SHL(u32, u32, 709626131u, rs0_0.m2) & 1)] != k37_t0[(div_u32(rs2_0.m1, rs2_0.m1) & 1)]) ? x0 : x0);
  BARRIER;
  BARRIER;
  out[tid * 48 + 3] = (u64)x3;
}
