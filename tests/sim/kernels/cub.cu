// CUB's block-wide algorithms:
//   nvcc -ptx -arch=sm_80 -std=c++17 cub.cu -o cub_sm_80.ptx

#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

extern "C" __global__ void block_sum(const float *in, float *out) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = Reduce(storage).Sum(in[blockIdx.x * 256 + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

extern "C" __global__ void block_scan(const int *in, int *out) {
  using Scan = cub::BlockScan<int, 128>;
  __shared__ typename Scan::TempStorage storage;
  int items[4];
  for (int i = 0; i < 4; ++i) items[i] = in[(blockIdx.x * 128 + threadIdx.x) * 4 + i];
  Scan(storage).ExclusiveSum(items, items);
  for (int i = 0; i < 4; ++i) out[(blockIdx.x * 128 + threadIdx.x) * 4 + i] = items[i];
}

extern "C" __global__ void block_sort(unsigned *keys, int *values) {
  using Sort = cub::BlockRadixSort<unsigned, 128, 4, int>;
  __shared__ typename Sort::TempStorage storage;
  unsigned k[4];
  int v[4];
  int base = (blockIdx.x * 128 + threadIdx.x) * 4;
  for (int i = 0; i < 4; ++i) k[i] = keys[base + i], v[i] = values[base + i];
  Sort(storage).Sort(k, v);
  for (int i = 0; i < 4; ++i) keys[base + i] = k[i], values[base + i] = v[i];
}
