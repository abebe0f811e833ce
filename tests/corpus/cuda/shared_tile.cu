// A tiled product through static and dynamic shared memory.
extern __shared__ __align__(16) float dynamic_tile[];
extern "C" __global__ void __launch_bounds__(256, 2) shared_tile(const float *__restrict__ a, const float *__restrict__ b,
                                                                 float *__restrict__ c, int n) {
  __shared__ float tile_a[16][17];
  float *tile_b = dynamic_tile;
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0.f;
  for (int k = 0; k < n; k += 16) {
    tile_a[ty][tx] = a[row * n + k + tx];
    tile_b[ty * 16 + tx] = b[(k + ty) * n + column];
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < 16; ++j) sum += tile_a[ty][j] * tile_b[j * 16 + tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
