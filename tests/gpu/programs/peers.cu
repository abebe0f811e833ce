#include "check.h"
#include <cuda.h>
#include <thread>
__device__ int counter;
__managed__ int everybodys;
__global__ void add(int *p, int v) { p[threadIdx.x] += v; if (!threadIdx.x) { counter += 1; atomicAdd(&everybodys, 1); } }
#define GIVES(status, x) EXPECT((x) == (status)); cudaGetLastError()
int main() {
  int n, can; CK(cudaGetDeviceCount(&n)); EXPECT(n == 2);
  int *p[2], h[32]; cudaStream_t s[2]; cudaEvent_t e[2];
  for (int d = 0; d < 2; d++) {
    CK(cudaSetDevice(d)); CK(cudaMalloc(&p[d], 128)); CK(cudaMemset(p[d], 0, 128)); CK(cudaStreamCreate(&s[d])); CK(cudaEventCreate(&e[d]));
    cudaDeviceProp q; CK(cudaGetDeviceProperties(&q, d)); char bus[16]; int at; CK(cudaDeviceGetPCIBusId(bus, 16, d)); CK(cudaDeviceGetByPCIBusId(&at, bus)); EXPECT(at == d && q.pciBusID == d + 1);
    CK(cudaDeviceCanAccessPeer(&can, d, !d)); EXPECT(can); CK(cudaDeviceCanAccessPeer(&can, d, d)); EXPECT(!can);
  }
  for (int d = 0; d < 2; d++) { CK(cudaSetDevice(d)); add<<<1, 32, 0, s[d]>>>(p[d], d + 1); CK(cudaGetLastError()); CK(cudaEventRecord(e[d], s[d])); }
  CK(cudaStreamWaitEvent(s[1], e[0], 0)); CK(cudaMemcpyPeerAsync(p[1], 1, p[0], 0, 64, s[1])); CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(h, p[1], 128, cudaMemcpyDefault)); EXPECT(h[0] == 1 && h[31] == 2 && everybodys == 2);
  for (int d = 0; d < 2; d++) { CK(cudaSetDevice(d)); int c; CK(cudaMemcpyFromSymbol(&c, counter, 4)); EXPECT(c == 1); }  // each device has its own
  cudaPointerAttributes a; CK(cudaPointerGetAttributes(&a, p[0])); EXPECT(a.device == 0); CK(cudaPointerGetAttributes(&a, p[1])); EXPECT(a.device == 1);
  std::thread([&] { int d; CK(cudaGetDevice(&d)); EXPECT(d == 0); CK(cudaSetDevice(0)); CUcontext c; EXPECT(!cuCtxGetCurrent(&c) && c); }).join();
  int d; CK(cudaGetDevice(&d)); EXPECT(d == 1);
  add<<<1, 32, 0, s[0]>>>(p[1], 1); GIVES(cudaErrorInvalidResourceHandle, cudaGetLastError());  // the stream of another device
  GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord(e[0], s[1])); float ms; GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e[0], e[1]));
  GIVES(cudaErrorInvalidValue, cudaMemcpyPeer(p[0], 1, p[1], 1, 4)); GIVES(cudaErrorInvalidDevice, cudaMemcpyPeer(p[0], 0, p[1], 3, 4));
  GIVES(cudaErrorInvalidDevice, cudaSetDevice(7)); GIVES(cudaErrorInvalidDevice, cudaSetDevice(-1));
  GIVES(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0)); GIVES(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0)); GIVES(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(0, 1));
  add<<<1, 32>>>(p[0], 1); GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());  // without peer access
  CK(cudaDeviceEnablePeerAccess(0, 0)); GIVES(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(0, 0));
  add<<<1, 32>>>(p[0], 1); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h, p[0], 128, cudaMemcpyDefault)); EXPECT(h[0] == 2);
  CK(cudaSetDevice(0)); add<<<1, 32>>>(p[1], 1); GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());  // it goes one way
  int *pooled; cudaMemPool_t pool, other; CK(cudaSetDevice(0)); CK(cudaDeviceGetDefaultMemPool(&pool, 0)); CK(cudaDeviceGetDefaultMemPool(&other, 1)); EXPECT(pool != other);
  CK(cudaMallocAsync(&pooled, 128, 0)); CK(cudaMemsetAsync(pooled, 0, 128, 0)); CK(cudaDeviceSynchronize()); CK(cudaDeviceSynchronize()); cudaMemAccessDesc to{}; cudaMemAccessFlags may; cudaMemLocation place{cudaMemLocationTypeDevice, 1};
  CK(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled ? cudaSuccess : cudaErrorUnknown); cudaGetLastError(); CK(cudaMemPoolGetAccess(&may, other, &place)); EXPECT(may == cudaMemAccessFlagsProtReadWrite); CK(cudaMemPoolGetAccess(&may, pool, &place)); EXPECT(!may);
  CK(cudaSetDevice(1)); CK(cudaDeviceDisablePeerAccess(0)); add<<<1, 32>>>(pooled, 1); GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  to.location = place; to.flags = cudaMemAccessFlagsProtReadWrite; CK(cudaMemPoolSetAccess(pool, &to, 1)); add<<<1, 32>>>(pooled, 1); CK(cudaDeviceSynchronize()); CK(cudaMemPoolGetAccess(&may, pool, &place)); EXPECT(may == 3);
  CK(cudaMemcpy(h, pooled, 128, cudaMemcpyDefault)); EXPECT(h[31] == 1); CK(cudaSetDevice(0)); CK(cudaFreeAsync(pooled, 0));
  int *pinned; CK(cudaMallocHost(&pinned, 128)); for (int i = 0; i < 32; i++) pinned[i] = 5;
  CK(cudaSetDevice(1)); add<<<1, 32>>>(pinned, 1); CK(cudaDeviceSynchronize()); EXPECT(pinned[31] == 6);
  CUcontext one; CUdevice there; EXPECT(!cuCtxGetCurrent(&one) && !cuCtxGetDevice(&there) && there == 1); EXPECT(!cuDevicePrimaryCtxRetain(&one, 0) && !cuCtxPushCurrent(one)); CK(cudaGetDevice(&d)); EXPECT(d == 0);
  EXPECT(!cuCtxPopCurrent(&one)); CK(cudaGetDevice(&d)); EXPECT(d == 1); CUdevice no; EXPECT(cuDeviceGet(&no, 2) == CUDA_ERROR_INVALID_DEVICE);
  for (int d = 0; d < 2; d++) { CK(cudaSetDevice(d)); CK(cudaFree(p[d])); CK(cudaStreamDestroy(s[d])); CK(cudaEventDestroy(e[d])); }
  printf("ok\n");
}
