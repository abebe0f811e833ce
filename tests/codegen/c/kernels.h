// What the kernels of these files have in common: each reads `in` and writes `out`, 1024 words, with 32 threads.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#define KERNEL(name) __attribute__((nvptx_kernel)) void name(const u32 *in, u32 *out)
#define DEVICE static __attribute__((noinline))
#define SHARED static __attribute__((address_space(3)))
#define CONSTANT static __attribute__((address_space(4))) const
#define THREAD __nvvm_read_ptx_sreg_tid_x()
