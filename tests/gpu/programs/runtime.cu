// The runtime API as programs use it: symbols, streams, events, managed and pitched memory, grids that wait, printing.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                            \
  do {                                                                                         \
    cudaError_t status = (call);                                                               \
    if (status != cudaSuccess) {                                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));          \
      exit(1);                                                                                 \
    }                                                                                          \
  } while (0)
#define EXPECT(what)                                                 \
  do {                                                               \
    if (!(what)) {                                                   \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);     \
      exit(1);                                                       \
    }                                                                \
  } while (0)

__constant__ float factor[4];
__device__ int counter;
__managed__ int shared_with_host = 3;

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor[i % 4];
  atomicAdd(&counter, 1);
}

template <int THREADS> __global__ void sum(const float *x, float *out, int n) {
  __shared__ float part[THREADS];
  float total = 0;
  for (int i = threadIdx.x; i < n; i += THREADS) total += x[i];
  part[threadIdx.x] = total;
  __syncthreads();
  for (int step = THREADS / 2; step; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = part[0];
}

__global__ void dynamic(int *out) {
  extern __shared__ int words[];
  words[threadIdx.x] = threadIdx.x + shared_with_host;
  __syncthreads();
  out[threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}

__global__ void rounds(int *x) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank();
  for (int r = 0; r < 3; ++r) {
    int next = x[(i + 1) % grid.size()];
    grid.sync();
    x[i] = next;
    grid.sync();
  }
}

__global__ void rows(char *base, size_t pitch, int width, int height) {
  if (threadIdx.x < width && threadIdx.y < height) ((int *)(base + threadIdx.y * pitch))[threadIdx.x] += 1;
}

__global__ void hello() { printf("thread %d of %d: %s %.2f\n", threadIdx.x, blockDim.x, "text", 0.25); }

static void called(void *data) { *(int *)data += 1; }

int main() {
  int count, n = 1000;
  CHECK(cudaGetDeviceCount(&count));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(count == 1 && properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024 && properties.clusterLaunch);

  std::vector<float> host(n, 1.5f), factors{1, 2, 3, 4};
  float *x, *out, total;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&out, sizeof(float)));
  cudaStream_t stream;
  cudaEvent_t start, end;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaMemcpyToSymbolAsync(factor, factors.data(), 16, 0, cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpyAsync(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream));
  CHECK(cudaEventRecord(start, stream));
  scale<<<(n + 127) / 128, 128, 0, stream>>>(x, n);
  sum<256><<<1, 256, 0, stream>>>(x, out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end, stream));
  int calls = 0;
  CHECK(cudaLaunchHostFunc(stream, called, &calls));
  CHECK(cudaStreamSynchronize(stream));
  float time;
  CHECK(cudaEventElapsedTime(&time, start, end));
  CHECK(cudaMemcpy(&total, out, sizeof(float), cudaMemcpyDeviceToHost));
  EXPECT(total == 250 * 1.5f * 10 && time > 0 && calls == 1);
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof(int)));
  EXPECT(count == 1024);

  int *numbers;
  CHECK(cudaMallocManaged(&numbers, 64 * sizeof(int)));
  shared_with_host = 10;
  dynamic<<<1, 64, 64 * sizeof(int)>>>(numbers);
  CHECK(cudaDeviceSynchronize());
  EXPECT(numbers[0] == 73 && numbers[63] == 10);

  for (int i = 0; i < 64; ++i) numbers[i] = i;
  void *arguments[] = {&numbers};
  CHECK(cudaLaunchCooperativeKernel((void *)rounds, 4, 16, arguments, 0, 0));
  CHECK(cudaDeviceSynchronize());
  EXPECT(numbers[0] == 3 && numbers[62] == 1);

  char *base;
  size_t pitch;
  std::vector<int> matrix(5 * 7, 1);
  CHECK(cudaMallocPitch(&base, &pitch, 5 * sizeof(int), 7));
  CHECK(cudaMemcpy2D(base, pitch, matrix.data(), 20, 20, 7, cudaMemcpyHostToDevice));
  rows<<<1, dim3(8, 8)>>>(base, pitch, 5, 7);
  CHECK(cudaMemcpy2D(matrix.data(), 20, base, pitch, 20, 7, cudaMemcpyDeviceToHost));
  for (int value : matrix) EXPECT(value == 2);

  int blocks, best;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 128, 0));
  CHECK(cudaOccupancyMaxPotentialBlockSize(&best, &blocks, scale, 0, 0));
  CHECK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, sum<256>));
  EXPECT(attributes.sharedSizeBytes == 1024);
  EXPECT(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
  scale<<<1, 2000>>>(x, n);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  scale<<<9, 128>>>(x + 1, n);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);

  printf("before\n");
  fflush(stdout);
  hello<<<1, 2>>>();
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  EXPECT(cudaFree(x) == cudaErrorInvalidValue);
  CHECK(cudaDeviceReset());
  printf("done\n");
}
