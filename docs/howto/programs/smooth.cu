#include <cstdio>

__global__ void smooth(float *out, const float *in, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
#ifdef FIXED
  __syncthreads();
#endif
  float left = threadIdx.x ? tile[threadIdx.x - 1] : 0;
  if (i < n) out[i] = (left + tile[threadIdx.x]) / 2;
}

int main() {
  const int n = 256;
  float *in, *out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  for (int i = 0; i < n; i++) in[i] = i;
  smooth<<<2, 128>>>(out, in, n);
  cudaError_t status = cudaDeviceSynchronize();
  printf("%s, out[5] = %g\n", cudaGetErrorName(status), out[5]);
  return status != cudaSuccess || out[5] != 4.5f;
}
