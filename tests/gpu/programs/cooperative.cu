#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void red(const float *in, float *out, int n) {
  cg::grid_group g = cg::this_grid(); cg::thread_block b = cg::this_thread_block(); extern __shared__ double sh[];
  float v = 0; for (int i = g.thread_rank(); i < n; i += g.size()) v += in[i];
  auto t = cg::tiled_partition<32>(b); v = cg::reduce(t, v, cg::plus<float>()); if (t.thread_rank() == 0) sh[t.meta_group_rank()] = v; cg::sync(b);
  if (b.thread_rank() == 0) { double s = 0; for (int i = 0; i < t.meta_group_size(); i++) s += sh[i]; out[blockIdx.x] = s; }
  g.sync();
  if (g.thread_rank() == 0) { float s = 0; for (int i = 0; i < gridDim.x; i++) s += out[i]; out[0] = s; }
}
__global__ void scan(int *o) { auto b = cg::this_thread_block(); auto t = cg::tiled_partition<16>(b); int v = cg::exclusive_scan(t, (int)t.thread_rank()); o[b.thread_rank()] = v; auto c = cg::coalesced_threads(); if (c.thread_rank() == 0) o[64] = c.size(); }
int main() {
  int n = 4096; float *in, *out; CK(cudaMallocManaged(&in, n * 4)); CK(cudaMallocManaged(&out, 400)); float w = 0; for (int i = 0; i < n; i++) { in[i] = i % 7; w += i % 7; }
  int nb = 0; CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, red, 128, 64)); EXPECT(nb > 0);
  int mg, bs; CK(cudaOccupancyMaxPotentialBlockSize(&mg, &bs, red, 64)); EXPECT(bs > 0);
  void *args[] = {&in, &out, &n}; CK(cudaLaunchCooperativeKernel((void *)red, dim3(8), dim3(128), args, 64, 0)); CK(cudaDeviceSynchronize()); EXPECT(out[0] == w);
  int *o; CK(cudaMallocManaged(&o, 400)); scan<<<1, 64>>>(o); CK(cudaDeviceSynchronize()); for (int i = 0; i < 64; i++) { int k = i % 16; EXPECT(o[i] == k * (k - 1) / 2); } EXPECT(o[64] == 32);
  printf("ok\n");
}
