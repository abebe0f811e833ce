// Atomics and reductions in global and shared memory, fences, and scopes.
extern "C" __global__ void atomics(int *counts, float *sum, unsigned long long *big, const int *values, int n) {
  __shared__ int local[64];
  __shared__ unsigned flag;
  if (threadIdx.x < 64) local[threadIdx.x] = 0;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int v = values[i];
    atomicAdd(&local[v & 63], 1);
    atomicMax(&counts[64], v);
    atomicAdd(sum, (float)v);
    atomicAdd_system(big, (unsigned long long)v);
    if (atomicCAS(&flag, 0u, 1u) == 0u) atomicExch(big + 1, clock64());
    atomicXor_block((unsigned *)&counts[65], (unsigned)v);
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x < 64 && __syncthreads_or(local[threadIdx.x])) counts[threadIdx.x] += local[threadIdx.x];
  __threadfence_block();
  if (atomicInc((unsigned *)&counts[66], gridDim.x) == gridDim.x - 1) atomicAnd(&counts[67], ~0);
}
