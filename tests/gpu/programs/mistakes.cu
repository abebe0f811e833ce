// What host code does wrong: each call gives the error that CUDA has for it, and the program goes on.
#include "check.h"
#include <cstring>

__global__ void fill(int *to) { to[threadIdx.x] = 1; }
__device__ int variable[4];

#define GIVES(call, error) EXPECT(strcmp(cudaGetErrorName(call), #error) == 0)

int main() {
  int *a, *b, host[64] = {};
  CK(cudaMalloc(&a, 64));
  CK(cudaMalloc(&b, 64));
  GIVES(cudaMemcpy(a, host, 128, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  GIVES(cudaMemcpy(host, a + 8, 64, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  GIVES(cudaMemcpy(a, nullptr, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  GIVES(cudaMemcpy((void *)0x1234, a, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  GIVES(cudaMemcpy(a, host, (size_t)-4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  GIVES(cudaMemcpy(a, b, 16, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
  GIVES(cudaMemcpy(a, b, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  GIVES(cudaMemcpy(host, a, 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  GIVES(cudaMemset(a, 0, 65), cudaErrorInvalidValue);
  GIVES(cudaMemset2D(a, 8, 0, 16, 2), cudaErrorInvalidValue);
  GIVES(cudaMemcpy2D(a, 8, host, 16, 16, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  GIVES(cudaMemcpyToSymbol(variable, host, 32), cudaErrorInvalidValue);
  GIVES(cudaFree(a + 1), cudaErrorInvalidValue);
  GIVES(cudaFree(host), cudaErrorInvalidValue);
  CK(cudaFree(b));
  GIVES(cudaFree(b), cudaErrorInvalidValue);
  GIVES(cudaMemcpy(b, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  fill<<<1, 16>>>(b);
  GIVES(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  fill<<<1, 1>>>(nullptr);
  GIVES(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  fill<<<1, 1>>>((int *)((char *)a + 1));
  GIVES(cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
  cudaGetLastError();
  fill<<<1, 1, 0, (cudaStream_t)0x1234>>>(a);
  GIVES(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  fill<<<0, 1>>>(a);
  GIVES(cudaGetLastError(), cudaErrorInvalidConfiguration);
  GIVES(cudaMalloc(&a, (size_t)1 << 50), cudaErrorMemoryAllocation);
  GIVES(cudaMalloc((void **)nullptr, 16), cudaErrorInvalidValue);
  GIVES(cudaDeviceGetAttribute(host, (cudaDeviceAttr)9999, 0), cudaErrorInvalidValue);
  cudaStream_t stream;
  cudaGraph_t graph;
  CK(cudaStreamCreate(&stream));
  CK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  GIVES(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  CK(cudaStreamEndCapture(stream, &graph));
  CK(cudaStreamDestroy(stream));
  GIVES(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  int *pinned, *managed;
  CK(cudaMallocHost(&pinned, 64));
  CK(cudaMallocManaged(&managed, 64));
  int *both[] = {pinned, managed};
  for (int *one : both)
    for (cudaMemcpyKind kind : {cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice})
      CK(cudaMemcpy(one, pinned, 16, kind));
  puts("ok");
}
