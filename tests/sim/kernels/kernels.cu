// Kernels whose PTX, as nvcc writes it, stands beside this file:
//   nvcc -ptx -arch=sm_80 kernels.cu -o nvcc_sm_80.ptx

#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void reduce(const float *x, float *out, int n) {
  __shared__ float s[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d >= 32; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x < 32) {
    float v = s[threadIdx.x];
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0) atomicAdd(out, v);
  }
}

extern "C" __global__ void scan(const int *in, int *out, int n) {  // inclusive, one block of 512
  __shared__ int warps[16];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v = threadIdx.x < n ? in[blockIdx.x * n + threadIdx.x] : 0;
  for (int d = 1; d < 32; d <<= 1) {
    int u = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) warps[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int w = lane < 16 ? warps[lane] : 0;
    for (int d = 1; d < 16; d <<= 1) {
      int u = __shfl_up_sync(0xffffffff, w, d);
      if (lane >= d) w += u;
    }
    if (lane < 16) warps[lane] = w;
  }
  __syncthreads();
  if (warp) v += warps[warp - 1];
  if (threadIdx.x < n) out[blockIdx.x * n + threadIdx.x] = v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int n) {
  __shared__ float a[16][16], b[16][17];
  int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * 16 + y, c = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    a[y][x] = A[r * n + k + x];
    b[y][x] = B[(k + y) * n + c];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  C[r * n + c] = sum;
}

extern "C" __global__ void bitonic(unsigned *data) {  // sorts 1024 keys a block
  __shared__ unsigned s[1024];
  int t = threadIdx.x;
  unsigned *mine = data + blockIdx.x * 1024;
  s[t] = mine[t];
  s[t + 512] = mine[t + 512];
  __syncthreads();
  for (int k = 2; k <= 1024; k <<= 1)
    for (int j = k >> 1; j; j >>= 1) {
      int i = 2 * t - (t & (j - 1));
      bool up = (i & k) == 0;
      unsigned a = s[i], b = s[i + j];
      if ((a > b) == up) s[i] = b, s[i + j] = a;
      __syncthreads();
    }
  mine[t] = s[t];
  mine[t + 512] = s[t + 512];
}

__device__ __noinline__ unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }
extern "C" __global__ void gcds(const unsigned *a, const unsigned *b, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = gcd(a[i], b[i]);
}

struct Shape { virtual __device__ float area(float) const = 0; };
struct Square : Shape { __device__ float area(float x) const override { return x * x; } };
struct Circle : Shape { __device__ float area(float x) const override { return 3.25f * x * x; } };
extern "C" __global__ void areas(const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Square square;
  Circle circle;
  const Shape *shape = i % 3 ? (const Shape *)&circle : (const Shape *)&square;
  out[i] = shape->area(x[i]);
}

extern "C" __global__ void mandelbrot(int *out, int width, int height, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  double cr = -2.0 + 3.0 * x / width, ci = -1.5 + 3.0 * y / height, zr = 0, zi = 0;
  int n = 0;
  while (n < limit && zr * zr + zi * zi <= 4.0) {
    double t = __dadd_rn(__dsub_rn(__dmul_rn(zr, zr), __dmul_rn(zi, zi)), cr);
    zi = __dadd_rn(__dmul_rn(__dmul_rn(2.0, zr), zi), ci);
    zr = t;
    ++n;
  }
  out[y * width + x] = n;
}

extern "C" __global__ void halves(const __half2 *a, const __half2 *b, __half2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hmax2(__hfma2(a[i], b[i], __float2half2_rn(0.5f)), __hneg2(a[i]));
}

extern "C" __global__ void brains(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __float2bfloat16(__bfloat162float(a[i]) * __bfloat162float(b[i]) + 1.0f);
}

extern "C" __global__ void hash(const unsigned char *bytes, unsigned *out, int length) {  // FNV and friends
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = 2166136261u;
  for (int k = 0; k < length; ++k) h = (h ^ bytes[i * length + k]) * 16777619u;
  h ^= __popc(h) << 3;
  h += __clz(h | 1) * 77 + __ffs(h) + __brev(h);
  out[i] = __funnelshift_l(h, h, i & 31) ^ __byte_perm(h, i, 0x3715);
}

extern "C" __global__ void dots(const double *a, const double *b, double *out, int n) {
  double s = 0, c = 0;
  for (int i = 0; i < n; ++i) {  // Compensated.
    double p = a[threadIdx.x * n + i] * b[threadIdx.x * n + i], e = fma(a[threadIdx.x * n + i], b[threadIdx.x * n + i], -p);
    double t = s + p, z = t - s;
    c += (s - (t - z)) + (p - z) + e;
    s = t;
  }
  out[threadIdx.x] = s + c;
}

extern "C" __global__ void elementary(const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  out[i * 6] = sinf(v);
  out[i * 6 + 1] = expf(v);
  out[i * 6 + 2] = logf(fabsf(v) + 1.0f);
  out[i * 6 + 3] = sqrtf(fabsf(v));
  out[i * 6 + 4] = tanhf(v);
  out[i * 6 + 5] = powf(fabsf(v), 1.5f);
}

extern "C" __global__ void tiles(const int *in, int *out) {  // cooperative groups
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  int sum = 0;
  for (int d = tile.size() / 2; d; d >>= 1) { int u = tile.shfl_xor(v, d); v += u; }
  sum = v;
  unsigned vote = tile.ballot(sum & 1);
  if (threadIdx.x % 3 == 0) {
    auto active = cg::coalesced_threads();
    sum += 1000 * active.size() + 100000 * active.thread_rank();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + (vote ? 1 : 0);
}

__device__ unsigned finished = 0;
extern "C" __global__ void last_block(const int *in, long long *partial, long long *total, int n) {
  __shared__ long long s;
  __shared__ bool last;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd((unsigned long long *)&s, (unsigned long long)(long long)in[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s;
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    long long sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += ((volatile long long *)partial)[b];
    *total = sum;
  }
}

__constant__ float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int width, int height) {
  extern __shared__ unsigned char tile[];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int j = threadIdx.y; j < 18; j += 16)
    for (int i = threadIdx.x; i < 18; i += 16) {
      int u = min(max((int)blockIdx.x * 16 + i - 1, 0), width - 1), v = min(max((int)blockIdx.y * 16 + j - 1, 0), height - 1);
      tile[j * 18 + i] = in[v * width + u];
    }
  __syncthreads();
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += weights[j * 3 + i] * tile[(threadIdx.y + j) * 18 + threadIdx.x + i];
  out[y * width + x] = (unsigned char)(sum / 16.0f);
}

extern "C" __global__ void wide(const unsigned long long *a, const unsigned long long *b, unsigned long long *out) {
  int i = threadIdx.x;  // 128-bit product, and division by a constant
  out[2 * i] = a[i] * b[i];
  out[2 * i + 1] = __umul64hi(a[i], b[i]) + a[i] / 1000003ull + (unsigned long long)((long long)b[i] % -77);
}

extern "C" __global__ void collatz(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = i + 1;
  int c = 0;
  while (v != 1) {
    v = v & 1 ? 3 * v + 1 : v >> 1;
    ++c;
  }
  out[i] = c;
}

extern "C" __global__ void swizzle(const int *in, int *out, int kind) {
  int v = in[threadIdx.x], r;
  switch (kind + threadIdx.x % 6) {
    case 0: r = v + 1; break;
    case 1: r = v * 3; break;
    case 2: r = v ^ 0x55; break;
    case 3: r = v >> 2; break;
    case 4: r = -v; break;
    case 5: r = v & 0xff; break;
    case 6: r = v | 7; break;
    default: r = 0;
  }
  out[threadIdx.x] = r;
}
