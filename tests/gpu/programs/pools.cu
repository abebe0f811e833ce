#include "check.h"
__global__ void fill(int *p, int v, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = v + i; }
int main() {
  int v = 0; CK(cudaDeviceGetAttribute(&v, cudaDevAttrMemoryPoolsSupported, 0)); EXPECT(v == 1);
  cudaStream_t s; CK(cudaStreamCreate(&s));
  cudaMemPool_t pool; CK(cudaDeviceGetDefaultMemPool(&pool, 0)); unsigned long long th = ~0ull; CK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &th));
  th = 0; CK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &th)); EXPECT(th == ~0ull);
  int *p; CK(cudaMallocAsync(&p, 4000, s)); fill<<<4, 256, 0, s>>>(p, 5, 1000); int h[1000]; CK(cudaMemcpyAsync(h, p, 4000, cudaMemcpyDeviceToHost, s));
  unsigned long long used; CK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used)); EXPECT(used >= 4000);
  CK(cudaFreeAsync(p, s)); CK(cudaStreamSynchronize(s)); for (int i = 0; i < 1000; i++) EXPECT(h[i] == 5 + i);
  cudaMemPoolProps pp{}; pp.allocType = cudaMemAllocationTypePinned; pp.location.type = cudaMemLocationTypeDevice; pp.location.id = 0; cudaMemPool_t own; CK(cudaMemPoolCreate(&own, &pp));
  CK(cudaMallocFromPoolAsync(&p, 4000, own, s)); fill<<<4, 256, 0, s>>>(p, 9, 1000); CK(cudaMemcpyAsync(h, p, 4000, cudaMemcpyDeviceToHost, s)); CK(cudaStreamSynchronize(s)); EXPECT(h[10] == 19);
  CK(cudaFreeAsync(p, s)); CK(cudaMemPoolTrimTo(own, 0)); CK(cudaMemPoolDestroy(own)); 
  cudaMemPool_t cur; CK(cudaDeviceGetMemPool(&cur, 0)); EXPECT(cur == pool); CK(cudaDeviceSetMemPool(0, pool));
  printf("ok\n");
}
