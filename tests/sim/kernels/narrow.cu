// Narrow floating-point formats of CUDA's headers:
//   nvcc -ptx -arch=sm_100a -std=c++17 narrow.cu -o narrow_sm_100a.ptx

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#define KERNEL extern "C" __global__ void

KERNEL quantise(const float2 *in, unsigned short *e4m3, unsigned short *e5m2, unsigned short *e2m3, unsigned short *e3m2,
                unsigned char *e2m1, unsigned char *scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v = in[i];
  e4m3[i] = __nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, __NV_E4M3);
  e5m2[i] = __nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, __NV_E5M2);
  e2m3[i] = __nv_cvt_float2_to_fp6x2(v, __NV_E2M3, cudaRoundNearest);
  e3m2[i] = __nv_cvt_float2_to_fp6x2(v, __NV_E3M2, cudaRoundNearest);
  e2m1[i] = __nv_cvt_float2_to_fp4x2(v, __NV_E2M1, cudaRoundNearest);
  scale[i] = __nv_cvt_float_to_e8m0(fabsf(v.x), __NV_SATFINITE, cudaRoundPosInf);
}

KERNEL widen(const unsigned short *codes, float2 *e4m3, float2 *e5m2, float2 *e2m3, float2 *e3m2, float2 *e2m1) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto wide = [](__half2_raw h) { return __half22float2(__half2(h)); };
  unsigned short code = codes[i], low = code & 0x3F3F;
  e4m3[i] = wide(__nv_cvt_fp8x2_to_halfraw2(code, __NV_E4M3));
  e5m2[i] = wide(__nv_cvt_fp8x2_to_halfraw2(code, __NV_E5M2));
  e2m3[i] = wide(__nv_cvt_fp6x2_to_halfraw2(low, __NV_E2M3));
  e3m2[i] = wide(__nv_cvt_fp6x2_to_halfraw2(low, __NV_E3M2));
  e2m1[i] = wide(__nv_cvt_fp4x2_to_halfraw2(code & 0xFF, __NV_E2M1));
}

KERNEL two_floats(const float2 *a, const float2 *b, float2 *out) {
  int i = threadIdx.x;
  out[4 * i] = __fadd2_rn(a[i], b[i]);
  out[4 * i + 1] = __fmul2_rz(a[i], b[i]);
  out[4 * i + 2] = __ffma2_ru(a[i], b[i], a[i]);
  out[4 * i + 3] = __ffma2_rd(a[i], b[i], b[i]);
}

KERNEL functions(const __half2 *in, __half2 *out, __nv_bfloat162 *wide) {
  int i = threadIdx.x;
  out[2 * i] = h2exp2(in[i]);
  out[2 * i + 1] = h2tanh_approx(in[i]);
  __nv_bfloat162 b = __float22bfloat162_rn(__half22float2(in[i]));
  wide[2 * i] = h2exp2(b);
  wide[2 * i + 1] = __hfma2_relu(b, b, __hneg2(b));
}
