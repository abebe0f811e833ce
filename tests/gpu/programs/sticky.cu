#include "check.h"
__global__ void bad(int *p) { p[1 << 20] = 1; }
__global__ void ok(int *p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int *p; CK(cudaMalloc(&p, 1024));
  ok<<<1, 2048>>>(p); EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration); EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration); EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(cudaMalloc(&p, 1ull << 60) == cudaErrorMemoryAllocation); EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  CK(cudaMalloc(&p, 1024));
  EXPECT(cudaSetDevice(7) == cudaErrorInvalidDevice); cudaGetLastError();
  EXPECT(cudaFree((void *)123) == cudaErrorInvalidValue); cudaGetLastError();
  ok<<<1, 32, 1 << 20>>>(p); EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  ok<<<0, 32>>>(p); EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  bad<<<1, 1>>>(p); cudaError_t e = cudaDeviceSynchronize(); EXPECT(e == cudaErrorIllegalAddress);
  // sticky
  EXPECT(cudaMalloc(&p, 16) == cudaErrorIllegalAddress); EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress); ok<<<1, 1>>>(p); EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
  CK(cudaDeviceReset()); CK(cudaMalloc(&p, 1024)); ok<<<1, 32>>>(p); CK(cudaDeviceSynchronize());
  printf("ok\n");
}
