#include "check.h"
#include <cassert>
__constant__ float coef[8]; __device__ int counter; __device__ float table[16];
struct Shape { __device__ virtual float area() const = 0; __device__ virtual ~Shape() {} };
struct Sq : Shape { float a; __device__ Sq(float a) : a(a) {} __device__ float area() const override { return a * a; } };
struct Ci : Shape { float r; __device__ Ci(float r) : r(r) {} __device__ float area() const override { return 3 * r * r; } };
__global__ void poly(float *o) { Shape *s[2]; s[0] = new Sq(2); s[1] = new Ci(1); o[0] = s[0]->area(); o[1] = s[1]->area(); delete s[0]; delete s[1]; }
__global__ void usec(float *o) { o[threadIdx.x] = coef[threadIdx.x] + table[threadIdx.x]; atomicAdd(&counter, 1); }
typedef float (*fn)(float); __device__ float f1(float x) { return x + 1; } __device__ float f2(float x) { return x * 2; } __device__ fn tablef[2] = {f1, f2};
__global__ void fp(float *o) { o[threadIdx.x] = tablef[threadIdx.x & 1](threadIdx.x); }
__global__ void warp(int *o) { int v = threadIdx.x; for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d); o[0] = v; o[1] = __ballot_sync(~0u, threadIdx.x & 1); o[2] = __reduce_add_sync(~0u, 1); o[3] = __popc(__activemask()); o[4] = __any_sync(~0u, threadIdx.x == 3); if (threadIdx.x == 0) o[5] = 1; }
__global__ void dyn(int *o) { extern __shared__ int sh[]; sh[threadIdx.x] = threadIdx.x; __syncthreads(); o[threadIdx.x] = sh[blockDim.x - 1 - threadIdx.x]; }
__global__ void dbl(double *p) { atomicAdd(p, 1.5); atomicMax((int *)(p + 1), threadIdx.x); atomicCAS((unsigned long long *)(p + 2), 0ull, 42ull); }
template <int N> __global__ void tmpl(int *o) { 
#pragma unroll
  for (int i = 0; i < N; i++) o[i] = i * N; }
__global__ void clk(long long *o) { long long a = clock64(); o[0] = clock64() - a; }
void CUDART_CB cb(cudaStream_t s, cudaError_t e, void *d) { *(int *)d = 77; }
int main() {
  float h[8] = {1, 2, 3, 4, 5, 6, 7, 8}; CK(cudaMemcpyToSymbol(coef, h, sizeof h)); float *tp; CK(cudaGetSymbolAddress((void **)&tp, table)); CK(cudaMemset(tp, 0, 64)); CK(cudaMemcpy(tp, h, 16, cudaMemcpyHostToDevice));
  float *o; CK(cudaMallocManaged(&o, 1024)); usec<<<1, 8>>>(o); CK(cudaDeviceSynchronize()); EXPECT(o[1] == 4 && o[5] == 6); int c; CK(cudaMemcpyFromSymbol(&c, counter, 4)); EXPECT(c == 8);
  CK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20)); poly<<<1, 1>>>(o); CK(cudaDeviceSynchronize()); EXPECT(o[0] == 4 && o[1] == 3);
  fp<<<1, 4>>>(o); CK(cudaDeviceSynchronize()); EXPECT(o[2] == 3 && o[3] == 6);
  int *io = (int *)o; warp<<<1, 32>>>(io); CK(cudaDeviceSynchronize()); EXPECT(io[0] == 496 && io[1] == (int)0xaaaaaaaa && io[2] == 32 && io[3] == 32 && io[4] == 1);
  CK(cudaFuncSetAttribute(dyn, cudaFuncAttributeMaxDynamicSharedMemorySize, 80000)); dyn<<<1, 64, 80000>>>(io); CK(cudaDeviceSynchronize()); EXPECT(io[0] == 63);
  double *d; CK(cudaMallocManaged(&d, 64)); d[0] = 0; d[1] = 0; d[2] = 0; dbl<<<2, 64>>>(d); CK(cudaDeviceSynchronize()); EXPECT(d[0] == 192);
  tmpl<5><<<1, 1>>>(io); CK(cudaDeviceSynchronize()); EXPECT(io[4] == 20);
  clk<<<1, 1>>>((long long *)d); CK(cudaDeviceSynchronize());
  cudaStream_t s; CK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -1)); int flag = 0; CK(cudaStreamAddCallback(s, cb, &flag, 0)); CK(cudaStreamSynchronize(s)); EXPECT(flag == 77);
  int pr; CK(cudaStreamGetPriority(s, &pr)); unsigned fl; CK(cudaStreamGetFlags(s, &fl)); EXPECT(fl == cudaStreamNonBlocking);
  cudaEvent_t a, b; CK(cudaEventCreate(&a)); CK(cudaEventCreateWithFlags(&b, cudaEventBlockingSync)); CK(cudaEventRecord(a)); tmpl<3><<<1, 1>>>(io); CK(cudaEventRecord(b, 0)); CK(cudaEventSynchronize(b)); float ms; CK(cudaEventElapsedTime(&ms, a, b)); EXPECT(ms >= 0);
  int *hp, *dp; CK(cudaHostAlloc(&hp, 256, cudaHostAllocMapped)); CK(cudaHostGetDevicePointer(&dp, hp, 0)); dyn<<<1, 64, 256>>>(dp); CK(cudaDeviceSynchronize()); EXPECT(hp[5] == 58); CK(cudaFreeHost(hp));
  int *mp = (int *)malloc(256); CK(cudaHostRegister(mp, 256, cudaHostRegisterMapped)); CK(cudaHostGetDevicePointer(&dp, mp, 0)); dyn<<<1, 64, 256>>>(dp); CK(cudaDeviceSynchronize()); EXPECT(mp[5] == 58); CK(cudaHostUnregister(mp));
  cudaPointerAttributes pa; CK(cudaPointerGetAttributes(&pa, o)); EXPECT(pa.type == cudaMemoryTypeManaged); int *dv; CK(cudaMalloc(&dv, 64)); CK(cudaPointerGetAttributes(&pa, dv)); EXPECT(pa.type == cudaMemoryTypeDevice); CK(cudaPointerGetAttributes(&pa, mp)); EXPECT(pa.type == cudaMemoryTypeUnregistered);
  cudaDeviceProp prop; CK(cudaGetDeviceProperties(&prop, 0)); EXPECT(prop.warpSize == 32 && prop.multiProcessorCount > 0);
  cudaFuncAttributes at; CK(cudaFuncGetAttributes(&at, dyn)); EXPECT(at.maxThreadsPerBlock == 1024);
  cudaLaunchConfig_t cfg{}; cfg.gridDim = 1; cfg.blockDim = 64; cfg.dynamicSmemBytes = 256; cfg.stream = s; CK(cudaLaunchKernelEx(&cfg, dyn, io)); CK(cudaStreamSynchronize(s)); EXPECT(io[1] == 62);
  size_t fr, tot; CK(cudaMemGetInfo(&fr, &tot)); EXPECT(fr <= tot && fr > 0);
  cudaPitchedPtr pp; CK(cudaMalloc3D(&pp, make_cudaExtent(40, 4, 3))); CK(cudaMemset3D(pp, 1, make_cudaExtent(40, 4, 3)));
  int ver; CK(cudaRuntimeGetVersion(&ver)); CK(cudaDeviceReset());
  printf("ok\n");
}
