// weft of -O1: NameError: name 'possible' is not defined
#include "/work/wt/quality/tests/differential/c/random_c.h"
struct k34_s0 {
  u8 m0 : 4;
  i64 m1;
  f64 m2;
  u8 m3 : 2;
  u64 m4;
};
struct k34_s1 {
  i64 m0[3];
  u64 m1 : 57;
};
struct __attribute__((packed)) k34_s2 {
  f64 m0;
};
CONSTANT f64 k34_t0[8] = {100.0, 0.0, 1.0, 100.0, (-1.0), 0.5, 1.0, (-1.0)};
KERNEL(k34) {
  u32 tid = THREAD;
  u16 x0 = (u16)in[tid * 16 + 0];
  f32 x1 = single_of((u32)in[tid * 16 + 1]);
  i16 x2 = (i16)in[tid * 16 + 2];
  u16 x3 = (u16)in[tid * 16 + 3];
  f64 x4 = (f64)(i32)(in[tid * 16 + 4] & 1023);
  i16 x5 = (i16)in[tid * 16 + 5];
  i64 x6 = (i64)in[tid * 16 + 6];
  u64 y0 = 1ULL;
  u8 y1 = 3u;
  u8 a0[2] = {12u, 16u};
  struct k34_s0 rs0_0 = {0};
  rs0_0.m0 = (u8)(a0[1] | y1);
  struct k34_s0 rs0_1 = {0};
  struct k34_s1 rs1_0 = {0};
  struct k34_s1 rs1_1 = {0};
  struct k34_s2 rs2_0 = {0};
  a0[((u32)(MULHI(255u, 5u)) & 1)] = ADD(u8, u32, SUB(u8, u32, div_u8(rs0_0.m3, 64u), rem_u8(y1, a0[(from_f64_u32(rs0_0.m2) & 1)])), (u8)(~SUB(u8, u32, y1, y1)));
  out[tid * 48 + 11] = (u64)rs0_0.m0;
}
