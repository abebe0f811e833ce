// Texture and surface objects, atomics on packed halves and on 128 bits, and video intrinsics:
//   nvcc -ptx -arch=sm_90 -std=c++17 images.cu -o images_sm_90.ptx

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cassert>

#define KERNEL extern "C" __global__ void

KERNEL rotate(cudaTextureObject_t in, float *out, int width, int height, float angle) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
  float s = sinf(angle), c = cosf(angle);
  out[y * width + x] = tex2D<float>(in, u * c - v * s + 0.5f, v * c + u * s + 0.5f);
}

KERNEL blur(cudaTextureObject_t in, cudaSurfaceObject_t out, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      float4 p = tex2D<float4>(in, x + dx + 0.5f, y + dy + 0.5f);
      sum.x += p.x, sum.y += p.y, sum.z += p.z, sum.w += p.w;
    }
  float k = 255.0f / ((2 * radius + 1) * (2 * radius + 1));
  uchar4 q = make_uchar4(sum.x * k + 0.5f, sum.y * k + 0.5f, sum.z * k + 0.5f, sum.w * k + 0.5f);
  surf2Dwrite(q, out, x * 4, y, cudaBoundaryModeTrap);
}

KERNEL lookup(cudaTextureObject_t line, cudaTextureObject_t volume, cudaTextureObject_t layers, cudaTextureObject_t flat,
              float *out) {
  int i = threadIdx.x;
  out[4 * i] = tex1Dfetch<int>(line, i & 7);
  out[4 * i + 1] = tex3D<float>(volume, 0.25f * i, 1.5f, 1.0f);
  out[4 * i + 2] = tex2DLayered<float>(layers, 0.5f + i, 0.5f, i & 1);
  out[4 * i + 3] = tex2Dgather<float4>(flat, 1.0f + (i & 1), 1.0f, i & 3).x;
}

KERNEL mip(cudaTextureObject_t in, float *out) {
  int i = threadIdx.x;
  out[2 * i] = tex2DLod<float>(in, 0.5f, 0.5f, 0.25f * i);
  float step = 0.0625f * (1 << (i & 3));
  out[2 * i + 1] = tex2DGrad<float>(in, 0.5f, 0.5f, make_float2(step, 0), make_float2(0, step));
}

KERNEL cube(cudaTextureObject_t in, const float3 *directions, float *out) {
  float3 d = directions[threadIdx.x];
  out[threadIdx.x] = texCubemap<float>(in, d.x, d.y, d.z);
}

KERNEL life(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, count = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy) count += surf2Dread<unsigned char>(in, x + dx, y + dy, cudaBoundaryModeZero);
  unsigned char alive = surf2Dread<unsigned char>(in, x, y);
  surf2Dwrite<unsigned char>(count == 3 || (alive && count == 2), out, x, y);
}

KERNEL half_sums(const __half2 *in, __half2 *out, __nv_bfloat162 *wide, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&out[i % 8], in[i]);
    atomicAdd(&wide[i % 8], __float22bfloat162_rn(__half22float2(in[i])));
  }
}

KERNEL vector_sums(float4 *out) { atomicAdd(&out[threadIdx.x % 4], make_float4(1, 2, 3, threadIdx.x)); }

struct alignas(16) Pair {
  unsigned long long count, sum;
};

KERNEL pairs(Pair *pair) {  // a count and a sum that change together
  Pair old = *pair, seen;
  do {
    seen = old;
    Pair next = {seen.count + 1, seen.sum + threadIdx.x};
    old = atomicCAS(pair, seen, next);
  } while (old.count != seen.count);
}

KERNEL bytes(const unsigned *a, const unsigned *b, unsigned *out) {
  int i = threadIdx.x;
  unsigned x = a[i], y = b[i], *o = out + 8 * i;
  o[0] = __vaddus4(x, y);
  o[1] = __vabsdiffs2(x, y);
  o[2] = __vmaxs4(x, y);
  o[3] = __vavgu4(x, y);
  o[4] = __vcmpgtu2(x, y);
  o[5] = __vsads4(x, y);
  o[6] = __viaddmax_s16x2_relu(x, y, 0x00050005);
  o[7] = __dp4a((int)x, (int)y, 100);
}

KERNEL nodes(int *out, int n) {  // lists from the heap
  struct Node { int value; Node *next; };
  Node *head = nullptr;
  for (int i = 0; i < n; ++i) {
    Node *node = new Node{i * (int)threadIdx.x, head};
    head = node;
  }
  int sum = 0;
  while (head) {
    Node *next = head->next;
    sum += head->value;
    delete head;
    head = next;
  }
  out[threadIdx.x] = sum;
}

KERNEL checked(const int *a, int n) { assert(a[threadIdx.x] < n); }
