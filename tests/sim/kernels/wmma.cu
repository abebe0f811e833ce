// CUDA's warp matrix functions:
//   nvcc -ptx -arch=sm_80 wmma.cu -o wmma_sm_80.ptx

#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void halves(const half *a, const half *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * 16, column = (blockIdx.x * 2 + threadIdx.x / 32) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b + column * k + i, k);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= 2.0f;
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

extern "C" __global__ void through_shared(const half *a, const half *b, const half *c, half *d) {
  __shared__ half sa[32 * 16], sb[16 * 8];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 32, 8, 16, half> sum;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 8);
  wmma::load_matrix_sync(sum, c, 32, wmma::mem_col_major);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}

extern "C" __global__ void bytes(const signed char *a, const signed char *b, int *c) {
  wmma::fragment<wmma::matrix_a, 8, 32, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 32, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 32, 16, int> sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::fill_fragment(sum, 7);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 32, wmma::mem_row_major);
}

extern "C" __global__ void doubles(const double *a, const double *b, double *c) {
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::load_matrix_sync(fa, a, 4);
  wmma::load_matrix_sync(fb, b, 8);
  wmma::load_matrix_sync(sum, c, 8, wmma::mem_row_major);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 8, wmma::mem_row_major);
}
