// More kernels, for what the first file leaves out: cooperative groups, asynchronous copies, inline PTX, pointers to
// functions, templates, double precision functions, printf, graphs, transforms:
//   nvcc -ptx -arch=sm_80 -std=c++17 more.cu -o more_sm_80.ptx

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cstdio>
namespace cg = cooperative_groups;

#define KERNEL extern "C" __global__ void

KERNEL group_reduce(const int *in, int *out) {  // a tile of 16: sum, maximum, exclusive scan
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
  out[3 * i] = cg::reduce(tile, v, cg::plus<int>());
  out[3 * i + 1] = cg::reduce(tile, v, cg::greater<int>());
  out[3 * i + 2] = cg::exclusive_scan(tile, v);
}

KERNEL group_labels(const int *in, int *out) {  // lanes with one label count themselves
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto same = cg::labeled_partition(warp, in[i]);
  out[i] = same.size() * 100 + same.thread_rank();
}

KERNEL inline_mma(const __half *a, const __half *b, float *c) {  // 16 x 8 x 16 by hand: ldmatrix and mma
  __shared__ __align__(16) __half sa[16 * 16], sb[16 * 8];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  __syncwarp();
  unsigned lane = threadIdx.x, ra[4], rb[2];
  unsigned pa = __cvta_generic_to_shared(sa + (lane % 16) * 16 + lane / 16 * 8);
  unsigned pb = __cvta_generic_to_shared(sb + (lane % 16) * 8);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(pa));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
  float d[4] = {0, 0, 0, 0};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  int row = lane / 4, column = lane % 4 * 2;
  c[row * 8 + column] = d[0];
  c[row * 8 + column + 1] = d[1];
  c[(row + 8) * 8 + column] = d[2];
  c[(row + 8) * 8 + column + 1] = d[3];
}

KERNEL pipelined_sum(const float4 *in, float *out, int tiles) {  // cp.async, two stages ahead
  __shared__ float4 stage[3][64];
  int t = threadIdx.x;
  const float4 *mine = in + blockIdx.x * tiles * 64;
  float sum = 0;
  for (int k = 0; k < 2; ++k) {
    if (k < tiles) __pipeline_memcpy_async(&stage[k][t], mine + k * 64 + t, 16);
    __pipeline_commit();
  }
  for (int k = 0; k < tiles; ++k) {
    if (k + 2 < tiles) __pipeline_memcpy_async(&stage[(k + 2) % 3][t], mine + (k + 2) * 64 + t, 16);
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    float4 v = stage[k % 3][t ^ 1];
    sum += v.x + v.y + v.z + v.w;
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}

typedef int (*Function)(int, int);
__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
__device__ __noinline__ int minus(int a, int b) { return a - b; }
__device__ Function table[3] = {plus, times, minus};
KERNEL by_pointer(const int *a, const int *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[i % 3](a[i], b[i]);
}

template <typename T, int N>
__device__ void reversed(const T *in, T *out) {
  __shared__ T s[N];
  s[threadIdx.x] = in[blockIdx.x * N + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * N + threadIdx.x] = s[N - 1 - threadIdx.x];
}
KERNEL reverse_bytes(const char *in, char *out) { reversed<char, 64>(in, out); }
KERNEL reverse_doubles(const double2 *in, double2 *out) { reversed<double2, 96>(in, out); }

KERNEL doubles(const double *x, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  out[8 * i] = sin(v);
  out[8 * i + 1] = cos(v);
  out[8 * i + 2] = exp(v);
  out[8 * i + 3] = log(fabs(v) + 1e-3);
  out[8 * i + 4] = sqrt(fabs(v));
  out[8 * i + 5] = atan2(v, 0.7);
  out[8 * i + 6] = cbrt(v);
  out[8 * i + 7] = erf(v);
}

KERNEL half_dot(const __half2 *a, const __half2 *b, float *out, int n) {  // a warp a row
  float sum = 0;
  for (int i = threadIdx.x % 32; i < n; i += 32) {
    __half2 p = __hmul2(a[blockIdx.x * n + i], b[blockIdx.x * n + i]);
    sum += __low2float(p) + __high2float(p);
  }
  for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, d);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

KERNEL cas_sum(const double *in, double *out, int n) {  // a double sum as it was before there was one
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long *address = (unsigned long long *)(out + i % 3), old = *address, assumed;
  do {
    assumed = old;
    old = atomicCAS(address, assumed, __double_as_longlong(in[i] + __longlong_as_double(assumed)));
  } while (assumed != old);
}

KERNEL dot4(const int *a, const int *b, int *out, int n) {  // int8 products
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < n; ++k) sum = __dp4a(a[i * n + k], b[k], sum);
  out[i] = sum;
}

KERNEL sparse(const int *rows, const int *columns, const float *values, const float *x, float *y, int n) {  // CSR
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  float sum = 0;
  for (int k = rows[row] + lane; k < rows[row + 1]; k += 32) sum += values[k] * __ldg(x + columns[k]);
  for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) y[row] = sum;
}

KERNEL bfs(const int *rows, const int *columns, int *level, int *frontier, int n) {  // one block, level by level
  __shared__ int found;
  for (int depth = 0;; ++depth) {
    __syncthreads();
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    for (int v = threadIdx.x; v < n; v += blockDim.x)
      if (level[v] == depth)
        for (int k = rows[v]; k < rows[v + 1]; ++k)
          if (atomicCAS(level + columns[k], -1, depth + 1) == -1) atomicAdd(&found, 1);
    __syncthreads();
    if (threadIdx.x == 0) frontier[depth] = found;
    if (found == 0) break;
  }
}

KERNEL fft(float2 *data) {  // 256 points a block, in place, radix 2
  __shared__ float2 s[256];
  int t = threadIdx.x;
  float2 *mine = data + blockIdx.x * 256;
  for (int i = t; i < 256; i += 128) s[__brev(i) >> 24] = mine[i];
  for (int size = 2; size <= 256; size <<= 1) {
    __syncthreads();
    int half = size / 2, k = t % half, at = t / half * size + k;
    float sine, cosine;
    sincospif(-2.0f * k / size, &sine, &cosine);
    float2 a = s[at], b = s[at + half];
    float2 w = {b.x * cosine - b.y * sine, b.x * sine + b.y * cosine};
    s[at] = {a.x + w.x, a.y + w.y};
    s[at + half] = {a.x - w.x, a.y - w.y};
  }
  __syncthreads();
  for (int i = t; i < 256; i += 128) mine[i] = s[i];
}

KERNEL heat(const float *in, float *out, int nx, int ny, int nz) {  // seven points
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  int i = (z * ny + y) * nx + x;
  if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) {
    out[i] = in[i];
    return;
  }
  out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]);
}

KERNEL look_back(const int *in, int *out, volatile int *state, int n) {  // a scan in one pass over the grid
  __shared__ int base;
  int tile = blockIdx.x, i = tile * blockDim.x + threadIdx.x;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int v = i < n ? in[i] : 0, sum = cg::inclusive_scan(warp, v);
  if (threadIdx.x == 31) {
    int before = 0;
    if (tile) {
      while (state[2 * (tile - 1)] == 0) {
      }
      __threadfence();
      before = state[2 * (tile - 1) + 1];
    }
    state[2 * tile + 1] = before + sum;
    __threadfence();
    state[2 * tile] = 1;
    base = before;
  }
  __syncthreads();
  if (i < n) out[i] = base + sum;
}

KERNEL says(const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 2) printf("thread %d has %d, half of it %.2f\n", i, in[i], in[i] / 2.0);
}

KERNEL quicksort(int *data, int n) {  // a thread a row, recursion by hand in local memory
  int *mine = data + (blockIdx.x * blockDim.x + threadIdx.x) * n, stack[64], top = 0;
  stack[top++] = 0;
  stack[top++] = n - 1;
  while (top) {
    int high = stack[--top], low = stack[--top];
    if (low >= high) continue;
    int pivot = mine[(low + high) / 2], i = low, j = high;
    while (i <= j) {
      while (mine[i] < pivot) ++i;
      while (mine[j] > pivot) --j;
      if (i <= j) {
        int t = mine[i];
        mine[i++] = mine[j];
        mine[j--] = t;
      }
    }
    stack[top++] = low;
    stack[top++] = j;
    stack[top++] = i;
    stack[top++] = high;
  }
}

__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
KERNEL ackermanns(int *out) { out[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x / 3 % 4); }

KERNEL life(const unsigned char *in, unsigned char *out, int w, int h) {
  extern __shared__ unsigned char rows[];
  int x = threadIdx.x, y = blockIdx.x;
  for (int r = 0; r < 3; ++r) rows[r * w + x] = in[(y + r - 1 + h) % h * w + x];
  __syncthreads();
  int left = (x + w - 1) % w, right = (x + 1) % w, n = 0;
  for (int r = 0; r < 3; ++r) n += rows[r * w + left] + rows[r * w + right] + (r == 1 ? 0 : rows[r * w + x]);
  out[y * w + x] = n == 3 || (n == 2 && rows[w + x]);
}
