// Compiled with --default-stream per-thread: the headers rename every function that uses a stream.
#include "check.h"
#include <cuda.h>
__global__ void fill(int *p, int v) { p[threadIdx.x] = v + threadIdx.x; }
__constant__ int scale;
int main() {
  int *d, h[32]; CK(cudaMalloc(&d, 128)); fill<<<1, 32>>>(d, 5); CK(cudaGetLastError());
  CK(cudaStreamSynchronize(0)); CK(cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost)); EXPECT(h[31] == 36);
  CK(cudaMemcpyToSymbol(scale, h, 4)); CK(cudaMemsetAsync(d, 0, 128)); CK(cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost));
  cudaEvent_t event; CK(cudaEventCreate(&event)); CK(cudaEventRecord(event)); CK(cudaStreamWaitEvent(0, event, 0));
  EXPECT(cudaStreamQuery(cudaStreamPerThread) == cudaSuccess); CK(cudaEventSynchronize(event)); EXPECT(h[31] == 0);
  h[0] = 7; EXPECT(cuMemcpyHtoD((CUdeviceptr)d, h, 4) == CUDA_SUCCESS); h[0] = 0;
  EXPECT(cuMemcpyDtoHAsync(h, (CUdeviceptr)d, 4, 0) == CUDA_SUCCESS); EXPECT(cuStreamSynchronize(0) == CUDA_SUCCESS); EXPECT(h[0] == 7);
  printf("ok\n");
}
