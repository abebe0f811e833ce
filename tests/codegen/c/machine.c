// What only a GPU has: inline PTX, exchanges in a warp, barriers, intrinsics, printf.
#include "kernels.h"

int printf(const char *, ...);

KERNEL(inline_ptx) {
  int i = THREAD, sum, low, high, x = in[i];
  u64 wide;
  float f;
  u16 h;
  __asm__("add.s32 %0, %1, %2;" : "=r"(sum) : "r"(in[i]), "n"(5));
  __asm__ volatile("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(in[i]), "r"(i));
  __asm__("mul.f32 %0, %1, 0f40000000;" : "=f"(f) : "f"(1.5f));
  __asm__("shl.b16 %0, %1, 3;" : "=h"(h) : "h"((u16)in[i]));
  __asm__("add.s32 %0, %0, 1;" : "+r"(x));
  __asm__("{\n\t.reg .pred p;\n\tsetp.gt.s32 p, %2, 100;\n\tselp.b32 %0, 1, 2, p;\n\tsub.s32 %1, %2, 1;\n}"
          : "=&r"(low), "=&r"(high) : "r"(in[i]) : "memory");
  out[i] = sum + (u32)wide + (int)f + h + x + low * high;
  __asm__ volatile("bar.sync 0;" ::: "memory");
}

KERNEL(warp) {
  int i = THREAD, v = in[i];
  for (int k = 16; k; k >>= 1) v += __nvvm_shfl_sync_bfly_i32(-1, v, k, 31);
  out[i] = v;
  out[i + 32] = __nvvm_shfl_sync_idx_i32(-1, in[i], (i + 5) & 31, 31) + __nvvm_shfl_sync_up_i32(-1, in[i], 1, 0);
  out[i + 64] = __nvvm_vote_ballot_sync(-1, in[i] & 1) + __nvvm_vote_any_sync(-1, in[i] > 5) + __nvvm_activemask();
  out[i + 96] = __nvvm_match_any_sync_i32(-1, in[i] & 1) + __nvvm_redux_sync_add(in[i], -1);
  out[i + 128] = __nvvm_bar0_popc(in[i] & 1) + __nvvm_bar0_and(in[i]) + __nvvm_read_ptx_sreg_laneid();
}

KERNEL(instructions) {
  int i = THREAD;
  u32 v = in[i];
  float x = (float)(v & 0xffff) + 1.0f;
  float *to = (float *)out;
  out[i] = __nvvm_mulhi_ui(v, 12345u) + __nvvm_mulhi_i((int)v, -777) + __nvvm_prmt(v, in[i + 1], 0x3715);
  out[i + 32] = __nvvm_sad_ui(v, 7u, 9u) + __nvvm_mul24_ui(v, 3u) + __nvvm_f2i_rn(x * 0.3f);
  out[i + 64] = __nvvm_d2i_lo(1.5 * v) ^ __nvvm_d2i_hi(3.25 * v);
  to[i + 96] = __nvvm_fma_rz_f(x, x, x) + __nvvm_add_rz_f(x, 0.1f) + __nvvm_mul_rp_f(x, 0.3f);
  to[i + 128] = __nvvm_rcp_rn_f(x) + __nvvm_fmax_f(x, 2.0f) + __nvvm_saturate_f(x) + __nvvm_floor_f(x);
}

KERNEL(printing) {
  int i = THREAD;
  if (i == 3) printf("%d of %d: %f %s\n", i, 32, 1.5, "words");
  out[i] = i;
}

KERNEL(assumptions) {
  int i = THREAD;
  __builtin_assume(in[i] > 0);
  if (__builtin_expect(in[i] > 3, 1)) out[i] = 1;
  else if (in[i] == 0xffffffff) __builtin_trap();
  else out[i] = *(const u32 *)__builtin_assume_aligned(in, 16);
}
