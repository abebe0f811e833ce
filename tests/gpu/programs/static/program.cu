// A program as nvcc links it by default: the runtime is inside.  It loads a library that has one, too.
#include <cstdio>
#include <dlfcn.h>

__constant__ int offset;
__global__ void fill(int *values) { values[threadIdx.x] = threadIdx.x + offset; }

int main(int count, char **arguments) {
  int *values, three = 3, host[32];
  cudaMalloc(&values, sizeof host);
  cudaMemcpyToSymbol(offset, &three, sizeof three);
  fill<<<1, 32>>>(values);
  void *library = dlopen(arguments[1], RTLD_NOW);
  auto double_all = (int (*)(int *, int))dlsym(library, "double_all");
  printf("%d\n", double_all(values, 16));
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", host[0], host[15], host[31]);
  fill<<<1, 33>>>(values);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
