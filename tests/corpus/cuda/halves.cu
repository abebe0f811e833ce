// f16 and bf16, scalar and packed.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
extern "C" __global__ void halves(const __half2 *a, const __nv_bfloat162 *b, __half2 *c, __nv_bfloat162 *d, float *f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 x = a[i];
  __nv_bfloat162 y = b[i];
  c[i] = __hfma2(x, x, __hadd2(x, __float2half2_rn(0.5f)));
  c[i + 1] = __hmax2(__hmul2_sat(x, x), h2exp2(x));
  d[i] = __hfma2_relu(y, y, __hmul2(y, y));
  d[i + 1] = __hmin2(__habs2(y), __hneg2(y));
  f[i] = __low2float(x) + __high2float(y) + __half2float(hrcp(__low2half(x))) + (__hgt(__low2half(x), __high2half(x)) ? 1 : 2);
}
