"""Idioms of CUDA C with places for bugs: tiles, scans, queues, locks, flags, pipelines, clusters.

As in `irregular`, each source is a kernel `k`; the helpers that several need stand in `HELPERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.sim.hazards.irregular import Source

HELPERS = r"""
__device__ __forceinline__ unsigned sh(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ int load_acquire(int* p) { int v; asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ __forceinline__ int load_relaxed(int* p) { int v; asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ __forceinline__ void store_release(int* p, int v) { asm volatile("st.release.gpu.global.s32 [%0], %1;" :: "l"(p), "r"(v) : "memory"); }
__device__ __forceinline__ void store_relaxed(int* p, int v) { asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" :: "l"(p), "r"(v) : "memory"); }
__device__ __forceinline__ void mb_init(unsigned long long* b, int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(sh(b)), "r"(n) : "memory"); }
__device__ __forceinline__ void mb_arrive(unsigned long long* b) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(sh(b)) : "memory"); }
__device__ __forceinline__ void mb_expect(unsigned long long* b, int n) { asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(sh(b)), "r"(n) : "memory"); }
__device__ __forceinline__ bool mb_try(unsigned long long* b, int phase) {
  int ok; asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}" : "=r"(ok) : "r"(sh(b)), "r"(phase) : "memory"); return ok; }
__device__ __forceinline__ void mb_wait(unsigned long long* b, int phase) { while (!mb_try(b, phase)) {} }
__device__ __forceinline__ void cp16(void* to, const void* from) { asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(sh(to)), "l"(from) : "memory"); }
__device__ __forceinline__ void cp_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ __forceinline__ void cp_wait() { asm volatile("cp.async.wait_group %0;" :: "n"(N) : "memory"); }
__device__ __forceinline__ void bulk_load(void* to, const void* from, int bytes, unsigned long long* b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(sh(to)), "l"(from), "r"(bytes), "r"(sh(b)) : "memory"); }
__device__ __forceinline__ void bulk_store(void* to, const void* from, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(sh(from)), "r"(bytes) : "memory"); }
__device__ __forceinline__ void bulk_add(void* to, const void* from, int bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" :: "l"(to), "r"(sh(from)), "r"(bytes) : "memory"); }
__device__ __forceinline__ void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int N> __device__ __forceinline__ void bulk_wait_read() { asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(N) : "memory"); }
template <int N> __device__ __forceinline__ void bulk_wait() { asm volatile("cp.async.bulk.wait_group %0;" :: "n"(N) : "memory"); }
__device__ __forceinline__ void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void fence_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
template <int B, int N> __device__ __forceinline__ void named_sync() { asm volatile("bar.sync %0, %1;" :: "n"(B), "n"(N) : "memory"); }
template <int B, int N> __device__ __forceinline__ void named_arrive() { asm volatile("bar.arrive %0, %1;" :: "n"(B), "n"(N) : "memory"); }
__device__ __forceinline__ void cluster_arrive() { asm volatile("barrier.cluster.arrive.release;" ::: "memory"); }
__device__ __forceinline__ void cluster_arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory"); }
__device__ __forceinline__ void cluster_wait() { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }
__device__ __forceinline__ unsigned rank() { unsigned r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ __forceinline__ unsigned map_to(const void* p, int r) { unsigned a; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(a) : "r"(sh(p)), "r"(r)); return a; }
__device__ __forceinline__ int ld_cluster(unsigned a) { int v; asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(v) : "r"(a) : "memory"); return v; }
__device__ __forceinline__ void st_cluster(unsigned a, int v) { asm volatile("st.shared::cluster.s32 [%0], %1;" :: "r"(a), "r"(v) : "memory"); }
"""


def numbers(*sizes: int) -> Callable[[], list[Any]]:
    """Arrays of so many integers: random for positive sizes, zeros for negative ones."""

    def make() -> list[Any]:
        rng = np.random.default_rng(0)
        return [rng.integers(1, 1000, n).astype(np.int32) if n > 0 else np.zeros(-n, np.int32) for n in sizes]

    return make


def source(
    name: str,
    body: str,
    sizes: tuple[int, ...],
    grid: int = 3,
    block: int = 128,
    inputs: Callable[[], list[Any]] | None = None,
    includes: str = "",
    **more: Any,
) -> Source:
    """A kernel whose parameters `a`, `b`, ... are arrays of integers of such sizes (`numbers`), unless `inputs` makes them."""
    names = "abcdefg"
    parameters = ", ".join(f"int* {names[number]}" for number in range(len(sizes)))
    text = f'extern "C" __global__ void k({parameters}) {{\n  const int t = threadIdx.x, lane = t % 32, w = t / 32, B = blockIdx.x;\n{body}\n}}\n'
    return Source(name, includes + text, inputs or numbers(*sizes), grid, block, prelude=HELPERS, **more)


def tiles() -> list[Source]:
    """Shared memory within a block."""
    return [
        source("stencil with a halo", """
  __shared__ int s[130]; int i = B * 128 + t;
  s[t + 1] = a[i + 1]; if (t == 0) s[0] = a[i]; if (t == 127) s[129] = a[i + 2];
  {{no barrier: __syncthreads(); || }}
  b[i] = s[t] + s[t + 1] + s[t + 2];""", (400, -400)),
        source("stencil in place", """
  __shared__ int s[130];
  s[t + 1] = a[t]; if (t == 0) { s[0] = 0; s[129] = 0; }
  {{no barrier: __syncthreads(); || }}
  for (int n = 0; n < 3; n++) { int v = s[t] + s[t + 1] + s[t + 2]; {{no barrier after the reads: __syncthreads(); || }} s[t + 1] = v % 1009; {{no barrier after the writes: __syncthreads(); || }} }
  b[t] = s[t + 1];""", (128, -128), grid=1),
        source("stencil in two buffers", """
  __shared__ int s[2][130];
  s[0][t + 1] = a[t]; if (t < 2) s[t][0] = s[t][129] = 0;
  {{no barrier: __syncthreads(); || }}
  for (int n = 0; n < 4; n++) { s[(n + 1) & 1][t + 1] = (s[n & 1][t] + s[n & 1][t + 1] + s[n & 1][t + 2]) % 1009; {{no barrier in the loop: __syncthreads(); || }} }
  b[t] = s[0][128 - t];""", (128, -128), grid=1),
        source("scan by doubling", """
  __shared__ int s[2][128]; int at = 0; s[0][t] = a[B * 128 + t];
  {{no barrier: __syncthreads(); || __syncwarp(); }}
  for (int d = 1; d < 128; d *= 2) { s[at ^ 1][t] = s[at][t] + (t >= d ? s[at][t - d] : 0); at ^= 1; {{no barrier in the loop: __syncthreads(); || }} }
  b[B * 128 + t] = s[at][127 - t];""", (384, -384)),
        source("scan in place", """
  __shared__ int s[128]; s[t] = a[B * 128 + t]; __syncthreads();
  for (int d = 1; d < 128; d *= 2) { int v = t >= d ? s[t - d] : 0; {{no barrier after reads: __syncthreads(); || }} s[t] += v; {{no barrier after writes: __syncthreads(); || }} }
  b[B * 128 + t] = s[t];""", (384, -384)),
        source("scan of warps", """
  __shared__ int total[4]; int v = a[B * 128 + t];
  for (int d = 1; d < 32; d *= 2) { int u = __shfl_up_sync(0xffffffff, v, d); if (lane >= d) v += u; }
  if (lane == 31) total[w] = v;
  {{no barrier: __syncthreads(); || }}
  if (w == 0) { int x = lane < 4 ? total[lane] : 0; for (int d = 1; d < 4; d *= 2) { int u = __shfl_up_sync({{mask: 0xffffffff || 0xf}}, x, d); if (lane >= d) x += u; } if (lane < 4) total[lane] = x; }
  {{no second barrier: __syncthreads(); || }}
  if (w > 0) v += total[w - 1];
  b[B * 128 + t] = v;""", (384, -384)),
        source("tree by a warp at the end", """
  __shared__ int s[128]; s[t] = a[B * 128 + t]; __syncthreads();
  if (t < 64) s[t] += s[t + 64]; {{no barrier: __syncthreads(); || }}
  if (t < 32) { int v = s[t] + s[t + 32]; __syncwarp();
    for (int d = 16; d; d /= 2) { s[t] = v; {{no warp barrier after the store: __syncwarp(); || }} if (t < d) v += s[t + d]; {{no warp barrier after the load: __syncwarp(); || }} }
    if (t == 0) b[B] = v; }""", (384, -3)),
        source("transpose", """
  __shared__ int s[32][33];
  for (int n = w; n < 32; n += 4) s[n][lane] = a[n * 32 + lane];
  {{no barrier: __syncthreads(); || __syncwarp(); }}
  for (int n = w; n < 32; n += 4) b[n * 32 + lane] = s[lane][n];""", (1024, -1024), grid=1),
        source("bitonic sort", """
  __shared__ int s[128]; s[t] = a[t]; {{no barrier: __syncthreads(); || }}
  for (int n = 2; n <= 128; n *= 2) for (int d = n / 2; d; d /= 2) {
    int o = t ^ d; if (o > t) { int x = s[t], y = s[o]; if ((x > y) == ((t & n) == 0)) { s[t] = y; s[o] = x; } }
    {{no barrier in the loop: __syncthreads(); || if (d > 32) __syncthreads(); }} }
  b[t] = s[t];""", (128, -128), grid=1),
        source("odd-even sort", """
  __shared__ int s[128]; s[t] = a[t]; __syncthreads();
  for (int n = 0; n < 8; n++) { if (t < 127 && {{every thread: (t & 1) == (n & 1) || (t & 1) >= 0 }} && s[t] > s[t + 1]) { int x = s[t]; s[t] = s[t + 1]; s[t + 1] = x; } {{no barrier: __syncthreads(); || }} }
  b[t] = s[t];""", (128, -128), grid=1),
        source("histogram", """
  __shared__ int h[64]; if (t < 64) h[t] = 0; {{no barrier after zero: __syncthreads(); || }}
  for (int n = t; n < 512; n += 128) {{atomic in shared memory: atomicAdd(&h[a[B * 512 + n] & 63], 1); || h[a[B * 512 + n] & 63]++; }}
  {{no barrier before the flush: __syncthreads(); || }}
  if (t < 64) {{atomic in global memory: atomicAdd(&b[t], h[t]); || b[t] += h[t]; }}""", (1536, -64)),
        source("histogram of warps", """
  __shared__ int h[4][64]; for (int n = t; n < 256; n += 128) h[n / 64][n % 64] = 0; {{no barrier after zero: __syncthreads(); || }}
  for (int n = t; n < 512; n += 128) atomicAdd(&h[w][a[B * 512 + n] & 63], {{plain: 1 || (h[w][3] & 1)}});
  {{no barrier before the sum: __syncthreads(); || }}
  if (t < 64) b[B * 64 + t] = h[0][t] + h[1][t] + h[2][t] + h[3][t];""", (1536, -192)),
        source("matrix product by tiles", """
  __shared__ int x[8][17], y[8][17]; int r = t / 16, q = t % 16, sum = 0;
  for (int n = 0; n < 4; n++) { x[r][q] = a[(n * 8 + r) * 16 + q]; y[r][q] = b[(n * 8 + r) * 16 + q]; {{no barrier after the tiles: __syncthreads(); || }}
    for (int i = 0; i < 8; i++) sum += x[i][q] * y[i][r]; {{no barrier before the next tiles: __syncthreads(); || }} }
  d[t] = sum;""", (512, 512, 1, -128), grid=1),
        source("matrix product by tiles in two buffers", """
  __shared__ int x[2][8][17]; int r = t / 16, q = t % 16, sum = 0; x[0][r][q] = a[r * 16 + q];
  {{no barrier at first: __syncthreads(); || }}
  for (int n = 0; n < 4; n++) { if (n < 3) x[{{the same buffer: (n + 1) & 1 || n & 1}}][r][q] = a[((n + 1) * 8 + r) * 16 + q];
    for (int i = 0; i < 8; i++) sum += x[n & 1][i][q] * x[n & 1][r][i]; {{no barrier: __syncthreads(); || }} }
  b[t] = sum;""", (512, -128), grid=1),
        source("compaction by a counter", """
  __shared__ int count, list[128]; if (t == 0) count = 0; {{no barrier after zero: __syncthreads(); || }}
  int v = a[B * 128 + t]; if (v & 1) list[{{atomic: atomicAdd(&count, 1) || count++}}] = v;
  {{no barrier after the list: __syncthreads(); || }}
  if (t < count) b[B * 128 + t] = list[t];""", (384, -384)),
        source("broadcast in a loop", """
  __shared__ int x; int sum = 0;
  for (int n = 0; n < 5; n++) { if (t == n * 7) x = a[n]; {{no barrier after the store: __syncthreads(); || }} sum += x; {{no barrier after the load: __syncthreads(); || }} }
  b[B * 128 + t] = sum;""", (128, -384)),
        source("a flag that ends a loop", """
  __shared__ int more; int v = a[t] & 15;
  while (true) { if (t == 0) more = 0; {{no barrier after zero: __syncthreads(); || }} if (v > 0) { v--; {{race: more = 1; || more = t + 1; }} } {{no barrier after the votes: __syncthreads(); || }} int m = more; {{no barrier after the look: __syncthreads(); || }} if (!m) break; }
  b[t] = v;""", (128, -128), grid=1),
        source("votes of a block", """
  int v = a[t]; int n = 0; while ({{divergent: __syncthreads_or(v > n * 100) || v > n * 100 && __syncthreads_or(v > n * 100)}}) n++;
  b[t] = n;""", (128, -128), grid=1),
        source("barrier in a branch of the block", """
  __shared__ int s[128]; s[t] = a[t];
  if ({{divergent: B >= 0 || t < 96}}) __syncthreads();
  b[t] = s[(t + 64) % 128];""", (128, -128), grid=1),
        source("a guard around the barrier", """
  __shared__ int s[128]; for (int n = 0; n < 4; n++) { {{divergent: s[t] = a[n * 128 + t]; __syncthreads(); || if (a[t] > 500) { s[t] = a[n * 128 + t]; __syncthreads(); } }} b[n * 128 + t] = s[t ^ 33]; {{no barrier: __syncthreads(); || }} }""", (512, -512), grid=1),
        source("bytes of one word", """
  __shared__ unsigned char s[128]; s[t] = a[t]; {{no barrier: __syncthreads(); || }}
  unsigned v = *(unsigned*)&s[t & ~3]; b[t] = v;""", (128, -128), grid=1),
        source("halves of a warp", """
  __shared__ int s[128];
  if (lane < 16) { s[t] = a[t]; {{no barrier of the half: __syncwarp(0xffff); || }} b[t] = s[t ^ 1]; } else { s[t] = a[t] * 2; {{no barrier of the other half: __syncwarp(0xffff0000); || }} b[t] = s[t ^ 5 ]; }
  {{no barrier of the warp: __syncwarp(); || }}
  b[128 + t] = s[t ^ 16];""", (128, -256), grid=1),
        source("rows of a warp", """
  __shared__ int s[4][32]; int sum = 0;
  for (int n = 0; n < 4; n++) { s[w][lane] = a[n * 128 + t]; {{no barrier after the store: __syncwarp(); || }} sum += s[w][31 - lane] * n; {{no barrier after the load: __syncwarp(); || __shfl_sync(~0u, sum, 0); }} }
  b[t] = sum;""", (512, -128), grid=1),
        source("butterfly", """
  int v = a[t]; for (int d = 16; d; d /= 2) v += __shfl_xor_sync({{mask of half: ~0u || 0xffff}}, v, d);
  if (lane == 0) {{every warp: b[w] = v; || b[0] = v + w; }}""", (128, -128), grid=1),
        source("match and reduce", """
  int v = a[t] & 3; unsigned same = __match_any_sync(~0u, v); int n = __reduce_add_sync({{mask: same || ~0u - (v == 1)}}, 1); b[t] = n;""", (128, -128), grid=1),
        source("ballot in a branch", """
  int v = a[t]; unsigned m = __ballot_sync(~0u, v & 1); if (v & 1) { int n = __shfl_sync({{mask: m || 1}}, v, __ffs(m) - 1); b[t] = n; }""", (128, -128), grid=1),
    ]  # fmt: skip


def grids() -> list[Source]:
    """Blocks that work together through global memory."""
    last = """
  __shared__ int s[128]; __shared__ int amLast; s[t] = a[B * 128 + t]; __syncthreads();
  for (int d = 64; d; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  if (t == 0) { b[B] = s[0]; {{no fence: __threadfence(); || }} amLast = {{atomic: atomicAdd(d, 1) || (*d)++}} == {{one block less: gridDim.x - 1 || gridDim.x - 2}}; }
  {{no barrier: __syncthreads(); || }}
  if (amLast) { {{no fence of the reader: __threadfence(); || }} int v = t < gridDim.x ? b[t] : 0; s[t] = v; __syncthreads(); if (t == 0) { int sum = 0; for (int n = 0; n < gridDim.x; n++) sum += s[n]; *c = sum; } }"""
    return [
        source("last block", last, (512, -8, -1, -1), grid=4),
        source("last block, stores of all threads", """
  __shared__ int amLast; b[B * 128 + t] = a[B * 128 + t] * 3;
  {{no fence: __threadfence(); || }} {{no barrier: __syncthreads(); || }}
  if (t == 0) amLast = atomicAdd(d, 1) == 3;
  {{no barrier after the count: __syncthreads(); || }}
  {{no fence of the reader: if (amLast) __threadfence(); || }}
  if (amLast) { int sum = 0; for (int n = 0; n < 4; n++) sum += b[n * 128 + (t ^ 1)]; c[t] = sum; }""", (512, -512, -128, -1), grid=4),
        source("barrier of the grid", """
  b[B * 128 + t] = a[B * 128 + t]; {{no barrier before: __syncthreads(); || }}
  if (t == 0) { {{no fence: __threadfence(); || }} atomicAdd(d, 1); while ({{plain: load_acquire(d) || *(int*)d}} < {{three of four: 4 || 3}}) {} }
  {{no barrier after: __syncthreads(); || }}
  c[B * 128 + t] = b[(3 - B) * 128 + t];""", (512, -512, -512, -1), grid=4),
        source("barriers of the grid in turns", """
  int turn = 0;
  for (int n = 0; n < 3; n++) {
    b[B * 64 + t] = b[B * 64 + t] + n + 1; {{no barrier before: __syncthreads(); || }}
    turn += 4; if (t == 0) { __threadfence(); atomicAdd(d, 1); while (load_acquire(d) < turn) {} } {{no barrier after: __syncthreads(); || }}
    c[n * 256 + B * 64 + t] = b[((B + 1) % 4) * 64 + (t ^ 3)];
    {{no second barrier of the grid: __syncthreads(); turn += 4; if (t == 0) { __threadfence(); atomicAdd(d, 1); while (load_acquire(d) < turn) {} } __syncthreads(); || __syncthreads(); }} }""", (1, -256, -768, -1), grid=4, block=64),
        source("a lock", """
  if (t == 0) { while ({{no lock: atomicCAS(d, 0, 1) != 0 || false}}) {} {{no fence after the lock: __threadfence(); || }} *b = *b * 3 + a[B]; {{no fence before the unlock: __threadfence(); || }} {{plain unlock: atomicExch(d, 0); || *d = 0; }} }""", (8, -1, 1, -1), grid=6, block=32),
        source("a lock of acquire and release", """
  if (lane == 0) { int old; do { asm volatile("atom.{{relaxed lock: acquire || relaxed}}.{{scope of the lock: gpu || cta}}.global.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(d) : "memory"); } while (old);
    b[0] += a[B]; b[1] = b[0] * 2;
    asm volatile("st.{{relaxed unlock: release || relaxed}}.{{scope of the unlock: gpu || cta}}.global.b32 [%0], 0;" :: "l"(d) : "memory"); }""", (8, -2, 1, -1), grid=6, block=64),
        source("a ticket lock", """
  if (t == 0) { int mine = {{atomic: atomicAdd(&d[0], 1) || d[0]++}}; while (load_acquire(&d[1]) != mine) {} b[0] += a[B]; {{relaxed: store_release(&d[1], mine + 1); || store_relaxed(&d[1], mine + 1); }} }""", (8, -1, 1, -2), grid=5, block=32),
        source("locks of buckets", """
  int key = a[B * 32 + t] & 7; bool done = false;
  while (!done) { if (atomicCAS(&d[{{a lock too few: key || key & 3 ? key : 9}}], 0, 1) == 0) { __threadfence(); b[key * 4 + 1] += 1; b[key * 4 + 2] = b[key * 4 + 1]; {{no fence: __threadfence(); || }} atomicExch(&d[key & 3 || true ? {{the other lock: key || key ^ 1}} : 0], 0); done = true; } __syncwarp(); }""", (128, -64, 1, -16), grid=4, block=32),
        source("message by a flag", """
  if (B == 0) { b[t] = a[t]; {{no barrier: __syncthreads(); || }} if (t == 0) {{relaxed: store_release(d, 1); || store_relaxed(d, 1); }} }
  else { if (t == 0) while ({{relaxed look: load_acquire(d) || load_relaxed(d)}} == 0) {} {{no barrier of the reader: __syncthreads(); || }} c[t] = b[127 - t]; }""", (128, -128, -128, -1), grid=2),
        source("message by a volatile flag", """
  if (B == 0) { b[t] = a[t]; {{no fence: __threadfence(); || }} __syncthreads(); if (t == 0) *(volatile int*)d = 1; }
  else { if (t == 0) { {{looks once: while (*(volatile int*)d == 0) {} || if (*(volatile int*)d == 0) __nanosleep(9); }} } __syncthreads(); {{no fence of the reader: __threadfence(); || }} c[t] = b[127 - t]; }""", (128, -128, -128, -1), grid=2),
        source("messages of every thread", """
  if (B == 0) { b[t] = a[t]; {{relaxed: store_release(&d[t], 1); || store_relaxed(&d[t], 1); }} }
  else { while ({{not waited: load_acquire(&d[t ^ 1]) || 1 + load_acquire(&d[t ^ 1])}} == 0) {} c[t] = b[{{another word: t ^ 1 || t ^ 2}}]; }""", (128, -128, -128, -128), grid=2),
        source("chain of blocks", """
  __shared__ int before; int v = a[B * 128 + t];
  __shared__ int s; if (t == 0) s = 0; __syncthreads(); atomicAdd(&s, v); __syncthreads();
  if (t == 0) { int x = 0; if (B > 0) { while (load_acquire(&d[B - 1]) == 0) {} x = b[B - 1]; } before = x; b[B] = x + s; {{relaxed: store_release(&d[B], 1); || store_relaxed(&d[B], 1); }} }
  {{no barrier: __syncthreads(); || }}
  c[B * 128 + t] = before + v;""", (512, -4, -512, -4), grid=4),
        source("look-back", """
  __shared__ int before; __shared__ int s; int v = a[B * 64 + t]; if (t == 0) s = 0; {{no barrier after zero: __syncthreads(); || }} atomicAdd(&s, v); {{no barrier after the sum: __syncthreads(); || }}
  if (t == 0) { int total = s; if (B == 0) { c[0] = total; store_release(&d[0], 2); before = 0; }
    else { b[B] = total; {{relaxed aggregate: store_release(&d[B], 1); || store_relaxed(&d[B], 1); }} int x = 0, n = B - 1; while (true) { int f = load_acquire(&d[n]); if (f == 0) continue; if (f == 2) { x += c[n]; break; } x += b[n]; n--; }
      c[B] = x + total; {{relaxed prefix: store_release(&d[B], 2); || store_relaxed(&d[B], 2); }} before = x; } }
  {{no barrier before the use: __syncthreads(); || }}
  e[B * 64 + t] = before + v;""", (384, -6, -6, -6, -384), grid=6, block=64),
        source("split-K in turns", """
  int part = a[B * 128 + t]; if (t == 0) while (load_acquire(d) != B) {} {{no barrier: __syncthreads(); || }}
  b[t] = (B ? b[t] : 0) + part; {{no barrier before the release: __syncthreads(); || }} if (t == 0) {{relaxed: store_release(d, B + 1); || store_relaxed(d, B + 1); }}""", (512, -128, 1, -1), grid=4),
        source("split-K by atomics", """
  {{atomic: atomicAdd(&b[t], a[B * 128 + t]); || b[t] += a[B * 128 + t]; }}""", (512, -128, 1, -1), grid=4),
        source("a work queue", """
  __shared__ int item; while (true) { {{no barrier at the start: __syncthreads(); || }} if (t == 0) item = {{atomic: atomicAdd(d, 1) || (*d)++}}; {{no barrier after the item: __syncthreads(); || }} int n = item; if (n >= 10) break; b[n * 64 + t] = a[n * 64 + t] + 1; }""", (640, -640, 1, -1), grid=3, block=64),
        source("producers and consumers", """
  if (B < 2) { int at = atomicAdd(&d[64], 1); b[at] = a[B * 32 + t]; {{relaxed: store_release(&d[at], 1); || store_relaxed(&d[at], 1); }} }
  else { int at = {{atomic: atomicAdd(&d[65], 1) || d[65] + t}}; while ({{relaxed look: load_acquire(&d[at]) || load_relaxed(&d[at])}} == 0) {} c[at] = b[at] * 2; }""", (64, -64, -64, -72), grid=4, block=32),
        source("red-black updates", """
  for (int n = 0; n < 2; n++) { int i = B * 128 + 2 * t + n + 1; if (t < 63) b[i] = b[i - 1] + b[i + 1]; {{one colour: __syncthreads(); || }} }""", (1, -512), grid=3, block=64),
        source("neighbours of other blocks", """
  int i = B * 128 + t; {{in place: c[i] = b[i] + b[(i + 1) % 384]; || b[i] = b[i] + b[(i + 1) % 384] + 1; }}""", (1, 384, -384)),
        source("counters by scope", """
  asm volatile("red.relaxed.{{scope: gpu || cta}}.global.add.s32 [%0], %1;" :: "l"(b + (t & 3)), "r"(a[t]) : "memory");""", (128, -4), grid=4),
        source("widths of atomics", """
  if (B == 0) atomicAdd((unsigned long long*)b, 1ull); else atomicAdd({{width: (unsigned long long*)b || (unsigned*)b}}, 1);""", (1, -4), grid=2, block=32),
        source("publication by a pointer", """
  if (B == 0) { if (t == 0) { b[5] = a[0]; {{no fence: __threadfence(); || }} *(volatile int*)d = 5; } }
  else if (t == 0) { int p; while ((p = *(volatile int*)d) == 0) {} {{no fence of the reader: __threadfence(); || }} c[0] = b[p]; }""", (8, -8, -8, -1), grid=2, block=32),
        source("store buffering", """
  if (t == 0) { store_relaxed(&d[B], 1); {{no fence: __threadfence(); || asm volatile("fence.acq_rel.gpu;" ::: "memory"); }} if (load_relaxed(&d[1 - B]) == 0) b[0] += B + 1; }""", (1, -1, 1, -2), grid=2, block=32),
    ]  # fmt: skip


def asynchronous() -> list[Source]:
    """Copies, mbarriers, proxies, clusters (sm_90)."""
    found: list[Source] = []
    for stages in (2, 3, 4, 6):
        found.append(
            source(
                f"cp.async in {stages} stages",
                f"""
  __shared__ int4 s[{stages}][128]; const int4* from = (const int4*)a; int sum = 0;
  for (int n = 0; n < {stages - 1}; n++) {{ cp16(&s[n][t], from + n * 128 + t); cp_commit(); }}
  for (int n = 0; n < 8; n++) {{
    {{{{one wait less: cp_wait<{stages - 2}>(); || cp_wait<{stages - 1}>(); }}}} {{{{no barrier: __syncthreads(); || }}}}
    int m = n + {stages - 1}; if (m < 8) cp16(&s[{{{{a stage early: m || (m + 1)}}}} % {stages}][t], from + m * 128 + t);
    {{{{commit only some: cp_commit(); || if (m < 8) cp_commit(); }}}}
    sum += s[n % {stages}][127 - t].y;
  }}
  b[t] = sum;""",
                (4096, -128),
                grid=1,
            )
        )
        found.append(
            source(
                f"mbarrier ring of {stages} stages",
                f"""
  __shared__ int s[{stages}][64]; __shared__ unsigned long long full[{stages}], empty[{stages}];
  if (t == 0) {{ for (int n = 0; n < {stages}; n++) {{ mb_init(&full[n], {{{{count of full: 64 || 32}}}}); mb_init(&empty[n], {{{{count of empty: 64 || 63}}}}); }} }}
  {{{{no barrier after init: __syncthreads(); || }}}}
  if (t < 64) {{ for (int n = 0; n < 9; n++) {{ int g = n % {stages}; {{{{producer does not wait: mb_wait(&empty[g], (n / {stages} & 1) ^ 1); || }}}} s[g][t] = a[n * 64 + t]; {{{{arrival before the store: mb_arrive(&full[g]); || }}}} {{{{arrival twice: || if (t == 0) mb_arrive(&full[g]); }}}} {{{{arrival before the store: || s[g][t] = a[n * 64 + t]; }}}} }} }}
  else {{ int sum = 0, i = t - 64; for (int n = 0; n < 9; n++) {{ int g = n % {stages}; {{{{consumer does not wait: mb_wait(&full[g], n / {stages} & 1); || }}}} sum += s[g][63 - i] * n; {{{{no word that it is free: mb_arrive(&empty[g]); || if (i < 32) mb_arrive(&empty[g]); }}}} }} b[i] = sum; }}""",
                (640, -64),
                grid=1,
            )
        )
        found.append(
            source(
                f"bulk copies in {stages} stages",
                f"""
  __shared__ alignas(128) int s[{stages}][128]; __shared__ unsigned long long full[{stages}], empty[{stages}];
  if (t == 0) {{ for (int n = 0; n < {stages}; n++) {{ mb_init(&full[n], 1); mb_init(&empty[n], {{{{count of empty: 96 || 64}}}}); }} fence_init(); }}
  {{{{no barrier after init: __syncthreads(); || }}}}
  if (w == 3) {{ if (lane == 0) for (int n = 0; n < 7; n++) {{ int g = n % {stages}; {{{{producer does not wait: mb_wait(&empty[g], (n / {stages} & 1) ^ 1); || }}}} mb_expect(&full[g], {{{{bytes: 512 || 256}}}}); bulk_load(s[g], a + n * 128, 256, &full[g]); bulk_load(&s[g][64], a + n * 128 + 64, 256, &full[{{{{another mbarrier: g || (g + 1) % {stages}}}}}]); }} }}
  else {{ int sum = 0; for (int n = 0; n < 7; n++) {{ int g = n % {stages}; {{{{consumer does not wait: mb_wait(&full[g], n / {stages} & 1); || }}}} {{{{free before the reads: || mb_arrive(&empty[g]); for (int i = t; i < 128; i += 96) sum += s[g][i] * n; continue; }}}} for (int i = t; i < 128; i += 96) sum += s[g][i] * n; {{{{one thread for its warp: mb_arrive(&empty[g]); || if (lane == 0) asm volatile("mbarrier.arrive.shared.b64 _, [%0], 32;" :: "r"(sh(&empty[g])) : "memory"); }}}} }} b[t] = sum; }}""",
                (1024, -128),
                grid=1,
            )
        )
    found += [
        source("bulk stores of tiles", """
  __shared__ alignas(128) int s[2][128];
  for (int n = 0; n < 6; n++) { int g = n & 1;
    if (t == 0) {{one wait less: bulk_wait_read<1>(); || bulk_wait_read<2>(); }}
    {{no barrier after the wait: __syncthreads(); || }}
    s[g][t] = a[n * 128 + t] * 2; {{no fence: fence_async(); || }}
    {{no barrier after the fence: __syncthreads(); || }}
    if (t == {{another thread: 0 || (n & 1) * 64}}) { bulk_store(b + n * 128, s[g], 512); {{no commit: bulk_commit(); || }} } }
  if (t == 0) { {{no wait at the end: bulk_wait_read<0>(); || }} }""", (768, -768), grid=1),
        source("sums by bulk reductions", """
  __shared__ alignas(128) int s[128]; s[t] = a[B * 128 + t]; {{no fence: fence_async(); || }} {{no barrier: __syncthreads(); || }}
  if (t == 0) { {{copy: bulk_add(b, s, 512); || bulk_store(b, s, 512); }} bulk_commit(); {{no wait: bulk_wait_read<0>(); || }} }""", (512, -128), grid=4),
        source("load, change, store", """
  __shared__ alignas(128) int s[128]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, 1); fence_init(); } {{no barrier after init: __syncthreads(); || }}
  for (int n = 0; n < 4; n++) { if (t == 0) { {{no wait for the store: if (n) bulk_wait_read<0>(); || }} mb_expect(&bar, 512); bulk_load(s, a + n * 128, 512, &bar); }
    {{one warp waits: mb_wait(&bar, n & 1); || if (w == 0) mb_wait(&bar, n & 1); }} s[t] += n; {{no fence: fence_async(); || }} {{no barrier: __syncthreads(); || }}
    if (t == 0) { bulk_store(b + n * 128, s, 512); bulk_commit(); } }
  if (t == 0) bulk_wait_read<0>();""", (512, -512), grid=1),
        source("cp.async at an mbarrier", """
  __shared__ int4 s[128]; __shared__ unsigned long long bar; if (t == 0) mb_init(&bar, {{count: 128 || 96}}); {{no barrier after init: __syncthreads(); || }}
  cp16(&s[t], (int4*)a + t); {{plain arrival: asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(sh(&bar)) : "memory"); || mb_arrive(&bar); }}
  {{no wait: mb_wait(&bar, 0); || }} b[t] = s[127 - t].x;""", (512, -128), grid=1),
        source("named barriers of two roles", """
  __shared__ int s[2][64]; int sum = 0;
  if (t < 64) { for (int n = 0; n < 6; n++) { if (n & 1) { {{producer does not wait: named_sync<4, 128>(); || }} s[1][t] = a[n * 64 + t]; named_arrive<2, 128>(); } else { named_sync<3, 128>(); s[0][t] = a[n * 64 + t]; {{no arrival of a warp: named_arrive<1, 128>(); || if (w) named_arrive<1, 128>(); }} } } }
  else { int i = t - 64; named_arrive<3, 128>(); named_arrive<4, 128>(); for (int n = 0; n < 6; n++) { if (n & 1) { {{wrong count: named_sync<2, 128>(); || named_sync<2, 64>(); }} sum += s[1][i ^ 33]; if (n < 4) named_arrive<4, 128>(); } else { {{consumer does not wait: named_sync<1, 128>(); || }} {{free before the read: || if (n < 4) named_arrive<3, 128>(); }} sum += s[0][i ^ 33]; {{free before the read: if (n < 4) named_arrive<3, 128>(); || }} } } b[i] = sum; }""", (512, -64), grid=1),
        source("exchange in a cluster", """
  __shared__ int s[128]; s[t] = a[B * 128 + t];
  {{no arrival: cluster_arrive(); || cluster_arrive_relaxed(); }} {{no wait: cluster_wait(); || __syncthreads(); }}
  int v = ld_cluster(map_to(&s[127 - t], rank() ^ 1));
  {{leaves early: cluster_arrive_relaxed(); cluster_wait(); || }}
  b[B * 128 + t] = v;""", (512, -512), grid=4, cluster=2),
        source("stores to a cluster", """
  __shared__ int s[128]; s[t] = 0;
  {{not started: cluster_arrive(); cluster_wait(); || }}
  st_cluster(map_to(&s[t], rank() ^ 1), a[B * 128 + t]);
  {{no barrier: cluster_arrive(); cluster_wait(); || __syncthreads(); }}
  b[B * 128 + t] = s[127 - t];""", (512, -512), grid=4, cluster=2),
        source("signals in a cluster", """
  __shared__ int s[128]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, {{count: 128 || 64}}); fence_init(); }
  {{not started: cluster_arrive(); cluster_wait(); || __syncthreads(); }}
  unsigned there = map_to(&s[t], rank() ^ 1), mb = map_to(&bar, rank() ^ 1); st_cluster(there, a[B * 128 + t]);
  asm volatile("mbarrier.arrive.{{relaxed: release || relaxed}}.{{scope: cluster || cta}}.shared::cluster.b64 _, [%0];" :: "r"(mb) : "memory");
  int ok = 0; while (!ok) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p;}" : "=r"(ok) : "r"(sh(&bar)) : "memory");
  b[B * 128 + t] = s[127 - t];
  cluster_arrive_relaxed(); cluster_wait();""", (512, -512), grid=4, cluster=2),
        source("asynchronous stores in a cluster", """
  __shared__ int s[128]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, 1); fence_init(); mb_expect(&bar, {{bytes: 512 || 256}}); }
  {{not started: cluster_arrive(); cluster_wait(); || __syncthreads(); }}
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" :: "r"(map_to(&s[t], rank() ^ 1)), "r"(a[B * 128 + t]), "r"(map_to(&bar, rank() ^ 1)) : "memory");
  {{no wait: { int ok = 0; while (!ok) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p;}" : "=r"(ok) : "r"(sh(&bar)) : "memory"); } || __syncthreads(); }}
  b[B * 128 + t] = s[127 - t];
  cluster_arrive_relaxed(); cluster_wait();""", (512, -512), grid=4, cluster=2),
    ]  # fmt: skip
    found += [
        source("copies of what the kernel has stored", """
  __shared__ alignas(128) int s[128]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, 1); fence_init(); }
  b[t] = a[t] * 3; {{no fence: asm volatile("fence.proxy.async.global;" ::: "memory"); || __threadfence(); }} {{no barrier: __syncthreads(); || }}
  if (t == 0) { mb_expect(&bar, 512); bulk_load(s, b, 512, &bar); }
  mb_wait(&bar, 0); c[t] = s[127 - t];""", (128, -128, -128), grid=1),
        source("bulk copies over stores", """
  __shared__ alignas(128) int s[128]; s[t] = a[t]; b[t] = 7; {{no fence: asm volatile("fence.proxy.async;" ::: "memory"); || fence_async(); }} {{no barrier: __syncthreads(); || }}
  if (t == 0) { bulk_store(b, s, 512); bulk_commit(); bulk_wait<0>(); }
  {{no barrier after the wait: __syncthreads(); || }} c[t] = b[127 - t];""", (128, -128, -128), grid=1),
        source("a copy to the other block of the cluster", """
  __shared__ alignas(128) int s[128], r[128]; __shared__ unsigned long long bar; s[t] = a[B * 128 + t]; if (t == 0) { mb_init(&bar, 1); fence_init(); mb_expect(&bar, {{bytes: 512 || 496}}); }
  {{no fence: fence_async(); || }} {{not started: cluster_arrive(); cluster_wait(); || __syncthreads(); }}
  if (t == 0) asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];" :: "r"(map_to(r, rank() ^ 1)), "r"(sh(s)), "r"(map_to(&bar, rank() ^ 1)) : "memory");
  {{no wait: mb_wait(&bar, 0); || __syncthreads(); }} b[B * 128 + t] = r[127 - t];
  {{leaves early: cluster_arrive_relaxed(); cluster_wait(); || }}""", (256, -256), grid=2, cluster=2),
        source("matrix fragments by ldmatrix", """
  __shared__ alignas(128) int s[4][128]; int v0, v1, v2, v3, sum = 0;
  for (int n = 0; n < 3; n++) { s[w][lane * 4] = a[n * 128 + t]; s[w][lane * 4 + 1] = s[w][lane * 4 + 2] = s[w][lane * 4 + 3] = n; {{no barrier of the warp: __syncwarp(); || }}
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(v0), "=r"(v1), "=r"(v2), "=r"(v3) : "r"(sh(&s[w][lane * 4])) : "memory");
    sum += v0 + v1 * 2 + v2 * 3 + v3; {{no barrier before the next: __syncwarp(); || }} }
  b[t] = sum;""", (384, -128), grid=1),
        source("a queue of blocks in shared memory", """
  __shared__ int item, s[128]; int n = B; for (int i = 0; i < 3; i++) { if (t == 0) item = n + 1; {{no barrier: __syncthreads(); || }} n = item; s[t] = a[n * 8 + t]; {{no barrier after the store: __syncthreads(); || __syncwarp(); }} b[i * 512 + B * 128 + t] = s[(t + 64) % 128]; }""", (256, -1536)),
        source("arrivals that are dropped", """
  __shared__ unsigned long long bar; __shared__ int s[128]; if (t == 0) mb_init(&bar, 128); {{no barrier after init: __syncthreads(); || }}
  if (t >= 64) { s[t] = a[t]; asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" :: "r"(sh(&bar)) : "memory"); }
  else { mb_arrive(&bar); {{no wait: mb_wait(&bar, 0); || }} int v = s[t + 64]; s[t] = v; {{the second arrival before the store: || }} mb_arrive(&bar); mb_wait(&bar, {{parity: 1 || 0}}); b[t] = s[63 - t]; }""".replace("{{the second arrival before the store: || }} ", ""), (128, -64), grid=1),
        source("an mbarrier that is made anew", """
  __shared__ unsigned long long bar; __shared__ int s[128]; int sum = 0;
  for (int n = 0; n < 3; n++) { if (t == 0) mb_init(&bar, {{count: 128 || 64}}); {{no barrier after init: __syncthreads(); || }} s[t] = a[n * 128 + t]; mb_arrive(&bar); {{no wait: mb_wait(&bar, 0); || }} sum += s[127 - t] * n;
    {{no barrier before inval: __syncthreads(); || }} if (t == 0) { {{no inval: asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(sh(&bar)) : "memory"); || }} } }
  b[t] = sum;""", (384, -128), grid=1),
    ]  # fmt: skip
    return found


def all_sources() -> list[Source]:
    """Every source for sm_90."""
    return [*tiles(), *grids(), *asynchronous()]
