// What random programs are written with: each operation is defined for all operands. CUDA (nvcc) and C (clang) alike.
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef float f32;
typedef double f64;

#ifdef __CUDACC__
#define KERNEL(name) extern "C" __global__ void name(const u64 *in, u64 *out)
#define DEVICE static __device__ __noinline__
#define INLINE static __device__ __forceinline__
#define SHARED __shared__
#define CONSTANT static __constant__
#define TABLE static __device__ const
#define THREAD threadIdx.x
#define BARRIER __syncthreads()
#define SHUFFLE(v, by) __shfl_xor_sync(0xffffffffu, v, by)
#define SHUFFLE_DOWN(v, by) __shfl_down_sync(0xffffffffu, v, by)
#define BALLOT(p) __ballot_sync(0xffffffffu, p)
#define POPC(v) __popc(v)
#define POPCLL(v) __popcll(v)
#define CLZ(v) __clz(v)
#define REVERSE(v) __brev(v)
#define PRMT(a, b, s) __byte_perm(a, b, s)
#define MULHI(a, b) __umulhi(a, b)
#define FMA(a, b, c) fma(a, b, c)
#define FMAF(a, b, c) fmaf(a, b, c)
#define SQRT(a) sqrt(a)
#define SQRTF(a) sqrtf(a)
#define FABS(a) fabs(a)
#define FLOOR(a) floor(a)
#define TRUNCF(a) truncf(a)
#define RINTF(a) rintf(a)
#define ATOMIC_ADD(p, v) atomicAdd(p, v)
#define ATOMIC_MAX(p, v) atomicMax(p, v)
#define ATOMIC_XOR(p, v) atomicXor(p, v)
#define ATOMIC_CAS(p, c, v) atomicCAS(p, c, v)
#else
#define KERNEL(name) __attribute__((nvptx_kernel)) void name(const u64 *in, u64 *out)
#define DEVICE static __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))
#define SHARED static __attribute__((address_space(3)))
#define CONSTANT static __attribute__((address_space(4))) const
#define TABLE static const
#define THREAD __nvvm_read_ptx_sreg_tid_x()
#define BARRIER __syncthreads()
#define SHUFFLE(v, by) __nvvm_shfl_sync_bfly_i32(0xffffffffu, v, by, 31)
#define SHUFFLE_DOWN(v, by) __nvvm_shfl_sync_down_i32(0xffffffffu, v, by, 31)
#define BALLOT(p) __nvvm_vote_ballot_sync(0xffffffffu, p)
#define POPC(v) __builtin_popcount(v)
#define POPCLL(v) __builtin_popcountll(v)
#define CLZ(v) ((v) ? __builtin_clz(v) : 32)
#define REVERSE(v) __builtin_bitreverse32(v)
#define PRMT(a, b, s) __nvvm_prmt(a, b, s)
#define MULHI(a, b) __nvvm_mulhi_ui(a, b)
#define FMA(a, b, c) __builtin_fma(a, b, c)
#define FMAF(a, b, c) __builtin_fmaf(a, b, c)
#define SQRT(a) __nvvm_sqrt_rn_d(a)
#define SQRTF(a) __nvvm_sqrt_rn_f(a)
#define FABS(a) __builtin_fabs(a)
#define FLOOR(a) __builtin_floor(a)
#define TRUNCF(a) __builtin_truncf(a)
#define RINTF(a) __builtin_rintf(a)
#define ATOMIC_ADD(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define ATOMIC_MAX(p, v) __nvvm_atom_max_gen_ui(p, v)
#define ATOMIC_XOR(p, v) __atomic_fetch_xor(p, v, __ATOMIC_RELAXED)
#define ATOMIC_CAS(p, c, v) __nvvm_atom_cas_gen_i((int *)(p), (int)(c), (int)(v))
#endif

union single { u32 bits; f32 value; };
union twice { u64 bits; f64 value; };
INLINE f32 single_of(u32 bits) { union single u; u.bits = bits; return u.value; }
INLINE f64 double_of(u64 bits) { union twice u; u.bits = bits; return u.value; }
INLINE u64 bits_of_single(f32 x) { union single u; u.value = x; return x == x ? u.bits : 0x7fc00000u; }
INLINE u64 bits_of_double(f64 x) { union twice u; u.value = x; return x == x ? u.bits : 0x7ff8000000000000ull; }

union mix { u64 word; u8 bytes[8]; u16 halves[4]; i32 words[2]; };
struct __attribute__((aligned(16))) quad { f32 x, y, z, w; };
DEVICE i32 turned(i32 x) { return (i32)((u32)x << 7 | (u32)x >> 25); }
DEVICE i32 folded(i32 x) { return (i32)((u32)x * 2654435761u ^ (u32)x >> 15); }
DEVICE i32 halved(i32 x) { return x / 2; }
DEVICE struct quad swung(struct quad q, f32 by) {
  struct quad r = {q.w, q.x + by, q.y, q.z};
  return r;
}

#define ADD(T, U, a, b) ((T)((U)(a) + (U)(b)))
#define SUB(T, U, a, b) ((T)((U)(a) - (U)(b)))
#define MUL(T, U, a, b) ((T)((U)(a) * (U)(b)))
#define NEG(T, U, a) ((T)(0 - (U)(a)))
#define SHL(T, U, a, b) ((T)((U)(a) << ((u32)(b) & (sizeof(T) * 8 - 1))))
#define SHR(T, U, a, b) ((T)((T)(a) >> ((u32)(b) & (sizeof(T) * 8 - 1))))

#define DIVISION(T)                                                                                                    \
  INLINE T div_##T(T a, T b) { return b == 0 ? a : (T)~b == 0 && (T)-1 < (T)1 ? a : (T)(a / b); }                      \
  INLINE T rem_##T(T a, T b) { return b == 0 ? a : (T)~b == 0 && (T)-1 < (T)1 ? (T)0 : (T)(a % b); }                   \
  INLINE T from_f32_##T(f32 x) { return x > -100.0f && x < 100.0f ? (T)(int)x : (T)7; }                                \
  INLINE T from_f64_##T(f64 x) { return x > -2e9 && x < 2e9 ? (T)(i64)x : (T)9; }
DIVISION(i8)
DIVISION(u8)
DIVISION(i16)
DIVISION(u16)
DIVISION(i32)
DIVISION(u32)
DIVISION(i64)
DIVISION(u64)
DIVISION(i128)
DIVISION(u128)
