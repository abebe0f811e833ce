// Device functions that stay functions: arguments by value, structures, pointers to functions, recursion.
struct Pair { float a; double b; int c[3]; };
__device__ __noinline__ Pair combine(Pair p, float s) {
  p.a *= s; p.b += s; p.c[1] ^= p.c[0];
  return p;
}
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ float twice(float x) { return x + x; }
__device__ __noinline__ float square(float x) { return x * x; }
typedef float (*Function)(float);
__device__ Function table[2] = {twice, square};
extern "C" __global__ void calls(Pair *pairs, float *f, int *n) {
  Pair p = combine(pairs[threadIdx.x], f[0]);
  f[threadIdx.x] = table[n[0] & 1](p.a) + (float)p.b;
  n[threadIdx.x] = fibonacci(n[1]) + p.c[1];
  pairs[threadIdx.x] = combine(p, 2.f);
}
