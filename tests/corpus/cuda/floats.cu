// Single and double precision: fused and unfused, approximate and exact, special cases.
extern "C" __global__ void floats(const float *a, const double *b, float *out, double *wide, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i];
  double d = b[i];
  float y = __fmaf_rn(x, 2.5f, -1.0f) + __fadd_rz(x, 1.f) * __fmul_ru(x, 3.f) + __frcp_rn(x) + __fsqrt_rn(fabsf(x));
  y += __sinf(x) + __expf(x) + __logf(x) + rsqrtf(x) + fminf(x, y) + copysignf(x, y) + floorf(x) + rintf(y);
  y += x / y + (isnan(x) ? 1.f : 0.f) + __saturatef(y) + __int_as_float(__float_as_int(x) & 0x7fffff);
  double e = fma(d, d, 0.1) + sqrt(d) + 1.0 / d + floor(d) + (double)x + (double)(long long)d;
  out[i] = y + (float)e + __double2float_rz(d) + (float)(int)y + __uint2float_rd((unsigned)i);
  wide[i] = e + fmax(d, e) + __hiloint2double(i, __double2loint(d));
}
