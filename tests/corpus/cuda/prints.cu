// printf, assert and malloc: calls of the driver's functions with their argument buffers.
#include <assert.h>
#include <stdio.h>
extern "C" __global__ void prints(int n, double d, int **out) {
  if (threadIdx.x == 0) printf("n=%d d=%f \"%s\" %%\n", n, d, "text\twith\\escapes");
  assert(n > 0);
  out[threadIdx.x] = (int *)malloc(n * sizeof(int));
  if (n > 100) __trap();
}
