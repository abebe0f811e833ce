// More of CUB's algorithms:
//   nvcc -ptx -arch=sm_80 -std=c++17 cub_more.cu -o cub_more_sm_80.ptx

#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

extern "C" __global__ void block_histogram(const unsigned char *in, unsigned *out) {
  using Histogram = cub::BlockHistogram<unsigned char, 128, 8, 64, cub::BLOCK_HISTO_SORT>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned bins[64];
  unsigned char items[8];
  for (int i = 0; i < 8; ++i) items[i] = in[(blockIdx.x * 128 + threadIdx.x) * 8 + i];
  Histogram(storage).Histogram(items, bins);
  __syncthreads();
  if (threadIdx.x < 64) out[blockIdx.x * 64 + threadIdx.x] = bins[threadIdx.x];
}

extern "C" __global__ void select_if(const int *in, int *out, int *counts, int least) {  // keeps order
  using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Scan = cub::BlockScan<int, 128>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Scan::TempStorage scan;
  } storage;
  int items[4], flags[4], places[4], total;
  Load(storage.load).Load(in + blockIdx.x * 512, items);
  for (int i = 0; i < 4; ++i) flags[i] = items[i] >= least;
  __syncthreads();
  Scan(storage.scan).ExclusiveSum(flags, places, total);
  for (int i = 0; i < 4; ++i)
    if (flags[i]) out[blockIdx.x * 512 + places[i]] = items[i];
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

struct Less {
  __device__ bool operator()(const double &a, const double &b) const { return a < b; }
};
extern "C" __global__ void merge_sort(double *data) {
  using Sort = cub::BlockMergeSort<double, 64, 5>;
  __shared__ typename Sort::TempStorage storage;
  double items[5];
  for (int i = 0; i < 5; ++i) items[i] = data[(blockIdx.x * 64 + threadIdx.x) * 5 + i];
  Sort(storage).Sort(items, Less());
  for (int i = 0; i < 5; ++i) data[(blockIdx.x * 64 + threadIdx.x) * 5 + i] = items[i];
}

struct Greater {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
extern "C" __global__ void warp_algorithms(const int *in, int *out) {  // logical warps of 8
  using Reduce = cub::WarpReduce<int, 8>;
  using Scan = cub::WarpScan<int, 8>;
  __shared__ typename Reduce::TempStorage reduce[16];
  __shared__ typename Scan::TempStorage scan[16];
  int warp = threadIdx.x / 8, i = blockIdx.x * 128 + threadIdx.x, sum;
  int most = Reduce(reduce[warp]).Reduce(in[i], Greater());
  Scan(scan[warp]).InclusiveSum(in[i], sum);
  out[2 * i] = most;  // valid in the first lane of each
  out[2 * i + 1] = sum;
}

struct Minus {
  __device__ int operator()(int a, int b) const { return a - b; }
};
extern "C" __global__ void differences(const int *in, int *out) {
  using Difference = cub::BlockAdjacentDifference<int, 96>;
  using Exchange = cub::BlockExchange<int, 96, 3>;
  __shared__ typename Difference::TempStorage difference;
  __shared__ typename Exchange::TempStorage exchange;
  int items[3], result[3];
  for (int i = 0; i < 3; ++i) items[i] = in[blockIdx.x * 288 + i * 96 + threadIdx.x];
  Exchange(exchange).StripedToBlocked(items, items);
  Difference(difference).SubtractLeft(items, result, Minus());
  for (int i = 0; i < 3; ++i) out[blockIdx.x * 288 + threadIdx.x * 3 + i] = result[i];
}
