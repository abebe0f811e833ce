// Shuffles, votes, matches and warp reductions.
extern "C" __global__ void warps(const int *in, const float *f, int *out, unsigned *masks) {
  int lane = threadIdx.x & 31;
  int v = in[threadIdx.x];
  float x = f[threadIdx.x];
  for (int d = 16; d; d >>= 1) {
    v += __shfl_xor_sync(0xffffffffu, v, d);
    x = fmaxf(x, __shfl_down_sync(0xffffffffu, x, d));
  }
  int up = __shfl_up_sync(0xffffffffu, v, 1, 16);
  int first = __shfl_sync(0xffffffffu, v, 0);
  unsigned ballot = __ballot_sync(0xffffffffu, v > lane);
  bool any = __any_sync(0xffffffffu, up == 3), all = __all_sync(0xffffffffu, up < 9);
  unsigned same = __match_any_sync(0xffffffffu, v);
  int pred;
  unsigned alike = __match_all_sync(0xffffffffu, first, &pred);
  unsigned total = __reduce_add_sync(0xffffffffu, (unsigned)v) ^ __reduce_xor_sync(0xffffffffu, same);
  __syncwarp();
  masks[threadIdx.x] = ballot ^ same ^ alike ^ __activemask() ^ total;
  out[threadIdx.x] = up + first + any * 2 + all + pred + (int)x;
}
