// Asynchronous barriers, named barriers, cache hints, prefetches and volatile accesses.
#include <cuda_pipeline.h>
extern "C" __global__ void barriers(const float *in, float *out, volatile int *flag) {
  __shared__ unsigned long long mbar;
  __shared__ float tile[256];
  unsigned at = (unsigned)__cvta_generic_to_shared(&mbar);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(256));
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at));
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at), "l"(token));
  asm volatile("bar.sync 1, 128;");
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + 1024));
  out[threadIdx.x] = tile[255 - threadIdx.x] + __ldg(in + 7) + __ldcs(in + 9) + __ldcg(in + 11);
  __stwt(out + 512, 1.f);
  if (flag[0]) flag[1] = 3;
  __nanosleep(100);
}
