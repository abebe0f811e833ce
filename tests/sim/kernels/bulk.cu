// Bulk and tensor copies through CUDA C++:
//   nvcc -ptx -arch=sm_90 -std=c++17 bulk.cu -o bulk_sm_90.ptx

#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;

// A box in, changed in place, out again, tile by tile: two stages.
extern "C" __global__ void scale(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out, int tiles) {
  __shared__ alignas(128) int box[2][16][32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier full[2];
  if (threadIdx.x == 0) {
    init(&full[0], blockDim.x);
    init(&full[1], blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  barrier::arrival_token tokens[2];
  auto load = [&](int tile) {
    int s = tile % 2;
    if (threadIdx.x == 0) {
      int at[2] = {32 * tile, 16 * (int)blockIdx.x};
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, &box[s], &in, at, cuda::device::barrier_native_handle(full[s]));
      tokens[s] = cuda::device::barrier_arrive_tx(full[s], 1, sizeof(box[s]));
    } else {
      tokens[s] = full[s].arrive();
    }
  };
  load(0);
  for (int tile = 0; tile < tiles; ++tile) {
    int s = tile % 2;
    if (tile + 1 < tiles) {
      if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
      __syncthreads();
      load(tile + 1);
    }
    full[s].wait(std::move(tokens[s]));
    for (int i = threadIdx.x; i < 512; i += blockDim.x) box[s][i / 32][i % 32] = box[s][i / 32][i % 32] * 3 + tile;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      int at[2] = {32 * tile, 16 * (int)blockIdx.x};
      ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &out, at, &box[s]);
      ptx::cp_async_bulk_commit_group();
    }
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

// Sums of lines: each CTA adds its line to a result in global memory with one bulk reduction.
extern "C" __global__ void add_lines(const int *in, int *out) {
  __shared__ alignas(16) int line[256];
  __shared__ barrier full;
  if (threadIdx.x == 0) init(&full, blockDim.x);
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::memcpy_async(line, in + 256 * blockIdx.x, cuda::aligned_size_t<16>(sizeof(line)), full);
  }
  token = full.arrive();
  full.wait(std::move(token));
  line[threadIdx.x] += blockIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, line, (uint32_t)sizeof(line));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// A histogram over the shared memory of a cluster.
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_histogram(const unsigned *in, unsigned *bins, int n) {
  __shared__ unsigned part[64];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < 64) part[threadIdx.x] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned bin = in[i] % 256;
    atomicAdd(cluster.map_shared_rank(part, bin / 64) + bin % 64, 1);
  }
  cluster.sync();
  if (threadIdx.x < 64) atomicAdd(&bins[cluster.block_rank() * 64 + threadIdx.x], part[threadIdx.x]);
}

// Sums within a cluster: each CTA sends its sum to its neighbour asynchronously, and the mbarrier there counts the bytes.
extern "C" __global__ void __cluster_dims__(2, 1, 1) neighbours(const int *in, int *out) {
  __shared__ int other;
  __shared__ uint64_t bar;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &bar, sizeof(int));
  }
  cluster.sync();
  int sum = __reduce_add_sync(~0u, in[blockIdx.x * 32 + threadIdx.x]);
  if (threadIdx.x == 0) {
    unsigned to = cluster.block_rank() ^ 1;
    ptx::st_async(cluster.map_shared_rank(&other, to), sum, cluster.map_shared_rank(&bar, to));
  }
  while (!ptx::mbarrier_try_wait(&bar, 0)) {}
  out[blockIdx.x * 32 + threadIdx.x] = other * 1000 + sum;
  cluster.sync();
}
