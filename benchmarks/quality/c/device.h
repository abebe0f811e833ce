/* What a kernel needs of CUDA, without its headers where clang reads it. */
#ifdef __NVCC__
#define __nvvm_read_ptx_sreg_tid_x() threadIdx.x
#define __nvvm_read_ptx_sreg_tid_y() threadIdx.y
#define __nvvm_read_ptx_sreg_ctaid_x() blockIdx.x
#define __nvvm_read_ptx_sreg_ctaid_y() blockIdx.y
#define __nvvm_read_ptx_sreg_ntid_x() blockDim.x
#define __nvvm_read_ptx_sreg_ntid_y() blockDim.y
#define __nvvm_shfl_sync_bfly_f32(mask, x, lane, clamp) __shfl_xor_sync(mask, x, lane)
#define __nvvm_shfl_sync_idx_i32(mask, x, lane, clamp) __shfl_sync(mask, x, lane)
#define __builtin_bswap32(x) __byte_perm(x, 0, 0x0123)
#define __nvvm_rsqrt_approx_f(x) rsqrtf(x)
#define __nvvm_sqrt_rn_f(x) sqrtf(x)
#define __nvvm_ex2_approx_f(x) exp2f(x)
#define __nvvm_atom_add_gen_i(at, x) atomicAdd(at, x)
#define ADD_RELAXED(at, x) atomicAdd(at, x)
#define ADD(at, x) atomicAdd(at, x)
struct __attribute__((aligned(16))) f32x4 {
    float at[4];
    __device__ float operator[](int i) const { return at[i]; }
};
#else
#define ADD_RELAXED(at, x) __scoped_atomic_fetch_add(at, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define ADD(at, x) __atomic_fetch_add(at, x, __ATOMIC_SEQ_CST)
typedef float f32x4 __attribute__((vector_size(16)));
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#endif
#define KERNEL(name) extern "C" __global__ void name
#define TX __nvvm_read_ptx_sreg_tid_x()
#define TY __nvvm_read_ptx_sreg_tid_y()
#define BX __nvvm_read_ptx_sreg_ctaid_x()
#define BY __nvvm_read_ptx_sreg_ctaid_y()
#define NX __nvvm_read_ptx_sreg_ntid_x()
#define NY __nvvm_read_ptx_sreg_ntid_y()
#define SYNC() __syncthreads()
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
typedef unsigned u32;
typedef unsigned long long u64;
typedef unsigned char u8;

static __device__ inline float add_warp(float x) {
    for (int at = 16; at; at /= 2) x += __nvvm_shfl_sync_bfly_f32(-1, x, at, 31);
    return x;
}
