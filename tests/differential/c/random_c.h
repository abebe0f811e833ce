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
#define CTZ(v) ((v) ? __ffs(v) - 1 : 32)
#define CTZLL(v) ((v) ? __ffsll(v) - 1 : 64)
#define CLZLL(v) __clzll(v)
#define FFS(v) __ffs(v)
#define REVERSELL(v) __brevll(v)
#define PARITY(v) (__popc(v) & 1)
#define BSWAP(v) __byte_perm(v, 0, 0x0123)
#define BSWAP16(v) (((v) & 255) << 8 | ((v) >> 8 & 255))
#define BSWAPLL(v) ((u64)BSWAP((u32)(v)) << 32 | BSWAP((u32)((u64)(v) >> 32)))
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
#define ATOMIC_MIN(p, v) atomicMin(p, v)
#define ATOMIC_AND(p, v) atomicAnd(p, v)
#define ATOMIC_OR(p, v) atomicOr(p, v)
#define ATOMIC_XOR(p, v) atomicXor(p, v)
#define SHUFFLE_IDX(v, lane, width) __shfl_sync(0xffffffffu, v, lane, width)
#define SHUFFLE_UP(v, by, width) __shfl_up_sync(0xffffffffu, v, by, width)
#define SHUFFLE_XOR_F(v, by) __shfl_xor_sync(0xffffffffu, (f32)(v), by)
#define ANY(p) __any_sync(0xffffffffu, p)
#define ALL(p) __all_sync(0xffffffffu, p)
#define MATCH(v) __match_any_sync(0xffffffffu, v)
#define REDUCE_ADD(v) __reduce_add_sync(0xffffffffu, (u32)(v))
#define REDUCE_MIN(v) __reduce_min_sync(0xffffffffu, (u32)(v))
#define REDUCE_SMAX(v) __reduce_max_sync(0xffffffffu, (i32)(v))
#define REDUCE_XOR(v) __reduce_xor_sync(0xffffffffu, (u32)(v))
#define BARRIER_COUNT(p) __syncthreads_count(p)
#define BARRIER_AND(p) __syncthreads_and(p)
#define BARRIER_OR(p) __syncthreads_or(p)
#define FMINF(a, b) (fminf(a, b) + 0.0f)
#define FMAXF(a, b) (fmaxf(a, b) + 0.0f)
#define FMIN(a, b) (fmin(a, b) + 0.0)
#define FMAX(a, b) (fmax(a, b) + 0.0)
#define SIGNED_AS(a, b) copysign(a, b)
#define BOOL bool
#define TABLE_OF static __device__
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
#define CTZ(v) ((v) ? __builtin_ctz(v) : 32)
#define CTZLL(v) ((v) ? __builtin_ctzll(v) : 64)
#define CLZLL(v) ((v) ? __builtin_clzll(v) : 64)
#define FFS(v) __builtin_ffs(v)
#define REVERSELL(v) __builtin_bitreverse64(v)
#define PARITY(v) __builtin_parity(v)
#define BSWAP(v) __builtin_bswap32(v)
#define BSWAP16(v) __builtin_bswap16((u16)(v))
#define BSWAPLL(v) __builtin_bswap64(v)
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
#define ATOMIC_MIN(p, v) __nvvm_atom_min_gen_ui(p, v)
#define ATOMIC_AND(p, v) __atomic_fetch_and(p, v, __ATOMIC_RELAXED)
#define ATOMIC_OR(p, v) __atomic_fetch_or(p, v, __ATOMIC_RELAXED)
#define SHUFFLE_IDX(v, lane, width) __nvvm_shfl_sync_idx_i32(0xffffffffu, v, lane, (32 - (width)) << 8 | 31)
#define SHUFFLE_UP(v, by, width) __nvvm_shfl_sync_up_i32(0xffffffffu, v, by, (32 - (width)) << 8)
#define SHUFFLE_XOR_F(v, by) __nvvm_shfl_sync_bfly_f32(0xffffffffu, (f32)(v), by, 31)
#define ANY(p) __nvvm_vote_any_sync(0xffffffffu, p)
#define ALL(p) __nvvm_vote_all_sync(0xffffffffu, p)
#define MATCH(v) __nvvm_match_any_sync_i32(0xffffffffu, v)
#define REDUCE_ADD(v) __nvvm_redux_sync_add((i32)(v), 0xffffffffu)
#define REDUCE_MIN(v) __nvvm_redux_sync_umin(v, 0xffffffffu)
#define REDUCE_SMAX(v) __nvvm_redux_sync_max((i32)(v), 0xffffffffu)
#define REDUCE_XOR(v) __nvvm_redux_sync_xor((i32)(v), 0xffffffffu)
#define BARRIER_COUNT(p) __nvvm_bar0_popc(p)
#define BARRIER_AND(p) (__nvvm_bar0_and(p) != 0)
#define BARRIER_OR(p) (__nvvm_bar0_or(p) != 0)
#define FMINF(a, b) (__builtin_fminf(a, b) + 0.0f)
#define FMAXF(a, b) (__builtin_fmaxf(a, b) + 0.0f)
#define FMIN(a, b) (__builtin_fmin(a, b) + 0.0)
#define FMAX(a, b) (__builtin_fmax(a, b) + 0.0)
#define SIGNED_AS(a, b) __builtin_copysign(a, b)
#define BOOL _Bool
#define TABLE_OF static
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

/// A word of the results that nothing else uses, as another type.
#define GLOBAL_ROW(T, name) T *name = (T *)(out + tid * ROW + ROW - 1)
#define ROW 48

#define ROTATE(a, b) ((u32)(a) << ((b) & 31) | (u32)(a) >> (-(b) & 31))
#define ROTATELL(a, b) ((u64)(a) << ((b) & 63) | (u64)(a) >> (-(b) & 63))
#define FUNNEL(a, b, c) ((u32)(((u64)(a) << 32 | (u32)(b)) << ((c) & 31) >> 32))
#define ABS(a) ((a) == (i32)0x80000000 ? 7 : (a) < 0 ? -(a) : (a))

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

// Results that may not fit: whether they do not, and what is left of them.
#ifdef __CUDACC__
template <class T> __device__ bool left_of(i128 exact, T *result) {
  *result = (T)exact;
  return (i128)*result != exact;
}
#define OVER_ADD(a, b, r) left_of((i128)(a) + (i128)(b), r)
#define OVER_SUB(a, b, r) left_of((i128)(a) - (i128)(b), r)
#define OVER_MUL(a, b, r) left_of((i128)(a) * (i128)(b), r)
#else
#define OVER_ADD(a, b, r) __builtin_add_overflow(a, b, r)
#define OVER_SUB(a, b, r) __builtin_sub_overflow(a, b, r)
#define OVER_MUL(a, b, r) __builtin_mul_overflow(a, b, r)

typedef i8 v4i8 __attribute__((ext_vector_type(4)));
typedef u8 v4u8 __attribute__((ext_vector_type(4)));
typedef u8 v8u8 __attribute__((ext_vector_type(8)));
typedef u8 v16u8 __attribute__((ext_vector_type(16)));
typedef i16 v2i16 __attribute__((ext_vector_type(2)));
typedef u16 v2u16 __attribute__((ext_vector_type(2)));
typedef u16 v3u16 __attribute__((ext_vector_type(3)));
typedef u16 v8u16 __attribute__((ext_vector_type(8)));
typedef i32 v4i32 __attribute__((ext_vector_type(4)));
typedef u32 v2u32 __attribute__((ext_vector_type(2)));
typedef u32 v3u32 __attribute__((ext_vector_type(3)));
typedef u32 v4u32 __attribute__((ext_vector_type(4)));
typedef u32 v8u32 __attribute__((ext_vector_type(8)));
typedef u64 v2u64 __attribute__((ext_vector_type(2)));
typedef u64 v4u64 __attribute__((ext_vector_type(4)));
typedef f32 v2f32 __attribute__((ext_vector_type(2)));
typedef f32 v3f32 __attribute__((ext_vector_type(3)));
typedef f32 v4f32 __attribute__((ext_vector_type(4)));
typedef f64 v2f64 __attribute__((ext_vector_type(2)));
typedef f64 v4f64 __attribute__((ext_vector_type(4)));

/// Arguments of any kinds: two bits of `kinds` each.
static __attribute__((noinline)) u64 total(u32 kinds, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, kinds);
  u64 sum = 1;
  for (; kinds != 0; kinds >>= 2) {
    sum = sum * 31 + ((kinds & 3) == 1   ? (u64)__builtin_va_arg(list, i32)
                      : (kinds & 3) == 2 ? (u64)__builtin_va_arg(list, i64)
                                         : bits_of_double(__builtin_va_arg(list, f64)));
  }
  __builtin_va_end(list);
  return sum;
}
#endif
