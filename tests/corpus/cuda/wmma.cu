// The wmma interface: fragment loads, products in f16 and int8, stores.
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void wmma_product(const half *a, const half *b, float *c, const signed char *p, const signed char *q, int *r) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> ia;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> ib;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> ic;
  wmma::fill_fragment(ic, 0);
  wmma::load_matrix_sync(ia, p, 16);
  wmma::load_matrix_sync(ib, q, 16);
  wmma::mma_sync(ic, ia, ib, ic);
  wmma::store_matrix_sync(r, ic, 16, wmma::mem_row_major);
}
