// Integer arithmetic of every width, with carries, high products, bit tricks and conversions.
extern "C" __global__ void integers(const int *a, const unsigned *b, long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = a[i];
  unsigned y = b[i];
  long long wide = (long long)x * (long long)y + __mul64hi(x, y);
  unsigned bits = __popc(y) + __clz(x) + __ffs(x) + __brev(y);
  unsigned mixed = __funnelshift_l(y, bits, 7) ^ __byte_perm(y, bits, 0x5140) ^ __umulhi(y, bits);
  short s = (short)(x >> 3);
  signed char c = (signed char)y;
  wide += (x / 7) - (y % 13) + (x / (c | 1)) + s * c + __sad(x, c, mixed) + __vadd2(mixed, y);
  unsigned long long u = (unsigned long long)wide / (y | 1u);
  out[i] = wide + (long long)u + max(x, (int)c) - min(s, c) + (x == c ? 3 : abs(x));
}
