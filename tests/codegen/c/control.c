// Control flow: switches, gotos, loops that C has no word for, calls through pointers, recursion.
#include "kernels.h"

KERNEL(switches) {
  int i = THREAD;
  u32 v = in[i];
  switch (v % 13) {
    case 0: v += 1; break;
    case 1: v *= 3; break;
    case 2: v ^= 77; break;
    case 5: v = v >> 2; break;
    case 6:
    case 7: v -= 9; break;
    case 12: v = ~v; break;
    default: v = v * v;
  }
  out[i] = v;
}

KERNEL(irreducible) {
  int i = THREAD;
  u32 v = in[i] & 255, s = 0;
  if (v & 1) goto middle;
top:
  s += v;
  if (v > 200) goto end;
middle:
  s ^= v * 3;
  v += 7;
  if (s & 4) goto top;
  v += 13;
  if (v < 250) goto middle;
end:
  out[i] = s + v;
}

KERNEL(nested_loops) {
  int i = THREAD;
  u32 s = 0;
  for (u32 a = 0; a < in[i] % 7; a++)
    for (u32 b = a; b < 9; b++) {
      if ((a * b + i) % 5 == 3) continue;
      if (a * b > 30) break;
      s += a * b;
      u32 c = b;
      do {
        s ^= c;
        c >>= 1;
      } while (c);
    }
  out[i] = s;
}

typedef int (*function)(int, int);
DEVICE int added(int a, int b) { return a + b; }
DEVICE int taken(int a, int b) { return a - b; }
DEVICE int times(int a, int b) { return a * b; }
static const function table[3] = {added, taken, times};

KERNEL(function_table) {
  int i = THREAD;
  out[i] = table[in[i] % 3](in[i], i);
}

KERNEL(function_pointer) {
  int i = THREAD;
  function f = in[i] & 1 ? added : in[i] & 2 ? taken : times;
  out[i] = f(in[i], i);
}

DEVICE int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

KERNEL(recursion) {
  int i = THREAD;
  out[i] = fibonacci(in[i] & 7);
}

DEVICE i64 many(signed char a, u8 b, short c, u16 d, int e, u32 f, i64 g, u64 h, float x, double y, int *p, _Bool q, i64 z) {
  return a + b + c + d + e + f + g + h + (i64)x + (i64)y + *p + q * 100 + z;
}

KERNEL(many_arguments) {
  int i = THREAD, local = i;
  ((i64 *)out)[i] = many(in[i], in[i] >> 8, in[i] >> 3, in[i] >> 5, in[i], in[i + 1], in[i], in[i + 2], in[i] & 255,
                         in[i] & 1023, &local, in[i] & 1, -5);
}
