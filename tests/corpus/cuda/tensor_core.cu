// Inline assembly: asynchronous copies, ldmatrix and mma, as hand-written kernels have them.
extern "C" __global__ void tensor_core(const unsigned short *a, const unsigned short *b, float *c, int k) {
  __shared__ __align__(128) unsigned short tile[2][16 * 24];
  unsigned at = (unsigned)__cvta_generic_to_shared(tile[0]);
  unsigned lane = threadIdx.x & 31;
  float d[4] = {0.f, 0.f, 0.f, 0.f};
  for (int step = 0; step < k; step += 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at + lane * 16), "l"(a + step * 16 + lane * 8));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at + 768 + lane * 8), "l"(b + lane * 4), "r"(k - step));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    unsigned ra[4], rb[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(at + lane % 16 * 32));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(rb[0]), "=r"(rb[1]) : "r"(at + 768 + lane % 16 * 16));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    asm volatile("{ .reg .pred p; .reg .b32 t; setp.ne.u32 p, %0, 0; @p mov.u32 t, %0; @!p mov.b32 t, 0x7f; }" ::"r"(lane));
  }
  for (int i = 0; i < 4; ++i) c[lane * 4 + i] = d[i];
}
