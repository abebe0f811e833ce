// Memory: variables of every space with initial values, pointers between them, accesses that are not aligned, atomics.
#include "kernels.h"

SHARED int tile[64];
SHARED int sums[4];
CONSTANT int lookup[8] = {3, 1, 4, 1, 5, 9, 2, 6};
int counter = 7;
static int array[5] = {1, 2, 3};
static int *pointers[2] = {array + 1, &counter};
u8 text[7] = "hello!";
struct entry { int n; const char *name; double d; short s[3]; int *p; };
static const struct entry entries[2] = {{3, "abc", 2.5, {1, 2, 3}, &counter}, {9, "xy", -1.0, {-4}, array + 2}};

KERNEL(shared_memory) {
  int i = THREAD;
  tile[i] = in[i];
  tile[i + 32] = in[i] * 2;
  __nvvm_bar_sync(0);
  out[i] = tile[31 - i] + tile[63 - i];
}

KERNEL(generic_pointers) {
  int i = THREAD;
  int local[2] = {i, i * 2};
  const int *from = in[i] & 1 ? local : (const int *)in;
  int *generic = (int *)tile;
  generic[i] = in[i];
  __nvvm_bar_sync(0);
  out[i] = from[0] + tile[i ^ 1] + generic[i];
}

KERNEL(globals) {
  int i = THREAD;
  const struct entry *e = &entries[in[i] & 1];
  out[i] = counter + array[i % 5] + text[i % 7] + *pointers[i & 1] + lookup[in[i] & 7];
  out[i + 32] = e->n + e->name[1] + (int)e->d + e->s[i % 3] + *e->p;
}

KERNEL(local_array) {
  int i = THREAD, s = 0;
  int a[16];
  for (int k = 0; k < 16; k++) a[k] = in[(i + k) & 31];
  for (int k = 0; k < 16; k++) {
    int m = a[k] & 15, t = a[m];
    a[m] = a[k];
    a[k] = t;
  }
  for (int k = 0; k < 16; k++) s = s * 31 + a[k];
  out[i] = s;
}

KERNEL(blocks) {
  int i = THREAD;
  u8 b[40];
  const u8 *from = (const u8 *)in + i * 40;
  __builtin_memcpy(b, from, 40);
  __builtin_memmove(b + 3, b, 20);
  __builtin_memset(b + 30, i, 7);
  __builtin_memcpy((u8 *)out + i * 40, b, 8 + (in[i] & 31));
}

KERNEL(unaligned) {
  int i = THREAD;
  u32 v;
  u64 w;
  __builtin_memcpy(&v, (const u8 *)in + i + 1, 4);
  __builtin_memcpy(&w, (const u8 *)in + 2 * i + 1, 8);
  out[i] = v ^ (u32)w ^ (u32)(w >> 32);
}

KERNEL(volatile_memory) {
  int i = THREAD;
  volatile u32 *to = out;
  volatile int x = i;
  to[i] = in[i];
  x++;
  to[i] += x;
}

KERNEL(atomics) {
  int i = THREAD;
  __atomic_fetch_add(out, in[i], __ATOMIC_RELAXED);
  __atomic_fetch_sub(out + 1, in[i], __ATOMIC_ACQUIRE);
  __atomic_fetch_and(out + 2, in[i] | 255, __ATOMIC_RELEASE);
  __atomic_fetch_or(out + 3, in[i] & 255, __ATOMIC_ACQ_REL);
  __atomic_fetch_xor(out + 4, in[i], __ATOMIC_SEQ_CST);
  __atomic_fetch_max((int *)out + 5, (int)in[i], __ATOMIC_RELAXED);
  __atomic_fetch_nand(out + 6, 0, __ATOMIC_RELAXED);
  __atomic_fetch_add((u64 *)out + 4, (u64)in[i] << 20, __ATOMIC_RELAXED);
  __nvvm_atom_cta_add_gen_i((int *)out + 10, in[i]);
}

KERNEL(compare_and_swap) {
  int i = THREAD;
  u32 old = __atomic_load_n(out, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(out, &old, old + (in[i] & 15), 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
}

KERNEL(shared_atomics) {
  int i = THREAD;
  if (i < 4) sums[i] = 0;
  __nvvm_bar_sync(0);
  __atomic_fetch_add((int *)&sums[i & 3], in[i], __ATOMIC_RELAXED);
  __nvvm_bar_sync(0);
  if (i < 4) out[i] = sums[i];
}
