"""Pipelines of asynchronous operations in CUDA C with places for bugs: roles, wgmma, stores by copies, clusters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.sim.hazards.idioms import HELPERS, source
from tests.sim.hazards.irregular import Source

MORE = (
    HELPERS
    + r"""
__device__ __forceinline__ void wg_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wg_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N> __device__ __forceinline__ void wg_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(N) : "memory"); }
__device__ __forceinline__ unsigned long long desc(const void* p) { return (unsigned long long)(sh(p) >> 4) | (8ull << 16) | (16ull << 32); }
__device__ __forceinline__ void wg_mma(float (&d)[4], unsigned long long a, unsigned long long b, int on) {
  asm volatile("{.reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;}"
    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b), "r"(on) : "memory"); }
__device__ __forceinline__ void remote_arrive(unsigned long long* b, int r) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(map_to(b, r)) : "memory"); }
__device__ __forceinline__ void cluster_mb_wait(unsigned long long* b, int phase) { int ok = 0; while (!ok)
  asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}" : "=r"(ok) : "r"(sh(b)), "r"(phase) : "memory"); }
__device__ __forceinline__ void multicast(void* to, const void* from, int bytes, unsigned long long* b, unsigned short mask) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
    :: "r"(sh(to)), "l"(from), "r"(bytes), "r"(sh(b)), "h"(mask) : "memory"); }
__device__ __forceinline__ void st_async(unsigned to, int v, unsigned b) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" :: "r"(to), "r"(v), "r"(b) : "memory"); }
"""
)


def made(name: str, body: str, sizes: tuple[int, ...], **more: Any) -> Source:
    """As `source`, with all helpers."""
    one = source(name, body, sizes, **more)
    return Source(one.name, one.text, one.inputs, one.grid, one.block, one.cluster, MORE, one.shared_bytes)


def halves(*sizes: int) -> Callable[[], list[Any]]:
    """Arrays of so many halves as words: small whole numbers for positive sizes, zeros for negative ones."""

    def make() -> list[Any]:
        rng = np.random.default_rng(0)
        return [
            rng.integers(-3, 4, 2 * n).astype(np.float16).view(np.int32) if n > 0 else np.zeros(-n, np.int32)
            for n in sizes
        ]

    return make


def roles() -> list[Source]:
    """Warps with roles: who loads, who computes, who stores."""
    found: list[Source] = []
    for stages in (2, 3):
        found.append(made(f"load, change and store by roles in {stages} stages", f"""
  __shared__ alignas(128) int s[{stages}][128]; __shared__ unsigned long long full[{stages}], done[{stages}], empty[{stages}];
  if (t == 0) {{ for (int n = 0; n < {stages}; n++) {{ mb_init(&full[n], 1); mb_init(&done[n], {{{{count of changes: 128 || 96}}}}); mb_init(&empty[n], 1); }} fence_init(); }} {{{{no barrier after init: __syncthreads(); || }}}}
  if (w == 4) {{ if (lane == 0) for (int n = 0; n < 7; n++) {{ int g = n % {stages}; {{{{the loader does not wait: mb_wait(&empty[g], (n / {stages} & 1) ^ 1); || }}}} mb_expect(&full[g], {{{{bytes: 512 || 384}}}}); bulk_load(s[g], a + n * 128, 512, &full[g]); }} }}
  else if (w == 5) {{ if (lane == 0) {{ for (int n = 0; n < 7; n++) {{ int g = n % {stages}; {{{{the storer does not wait: mb_wait(&done[g], n / {stages} & 1); || }}}} bulk_store(b + n * 128, s[g], 512); bulk_commit(); {{{{the slot is free before it is read: bulk_wait_read<0>(); || }}}} mb_arrive(&empty[g]); }} }} }}
  else {{ for (int n = 0; n < 7; n++) {{ int g = n % {stages}; {{{{the changer does not wait: mb_wait(&full[g], n / {stages} & 1); || }}}} s[g][t] = s[g][t] * 2 + n; {{{{no fence: fence_async(); || }}}} mb_arrive(&done[g]); {{{{no fence: || fence_async(); }}}} }} }}""",
            (1024, -1024), grid=1, block=192))  # fmt: skip
        found.append(made(f"products by roles in {stages} stages", f"""
  __shared__ alignas(128) int p[{stages}][512], q[{stages}][64]; __shared__ unsigned long long full[{stages}], empty[{stages}]; float d[4] = {{0, 0, 0, 0}};
  if (t == 0) {{ for (int n = 0; n < {stages}; n++) {{ mb_init(&full[n], 1); mb_init(&empty[n], {{{{count of empty: 4 || 1}}}}); }} fence_init(); }} {{{{no barrier after init: __syncthreads(); || }}}}
  if (w == 4) {{ if (lane == 0) for (int n = 0; n < 7; n++) {{ int g = n % {stages}; {{{{the loader does not wait: mb_wait(&empty[g], (n / {stages} & 1) ^ 1); || }}}} mb_expect(&full[g], {{{{bytes of one operand: 2304 || 2048}}}}); bulk_load(p[g], a + n * 512, 2048, &full[g]); bulk_load(q[g], b + n * 64, 256, &full[g]); }} }}
  else {{ for (int n = 0; n < 7; n++) {{ int g = n % {stages}; {{{{no wait for the operands: mb_wait(&full[g], n / {stages} & 1); || }}}} {{{{no fence: wg_fence(); || }}}} wg_mma(d, desc(p[g]), desc(q[g]), 1); {{{{no commit: wg_commit(); || }}}} {{{{a wait for all but two: wg_wait<{stages - 2 if stages > 2 else 0}>(); || wg_wait<{stages - 1}>(); }}}} int old = {stages} > 2 ? (n + {stages} - 1) % {stages} : g; if (lane == 0 && ({stages} == 2 || n > 0)) mb_arrive(&empty[{{{{the slot in use is free: old || (old + 1) % {stages}}}}}]); }}
    {{{{no wait at the end: wg_wait<0>(); || }}}} float* out = (float*)c; for (int i = 0; i < 4; i++) out[t * 4 + i] = d[i]; }}""",
            (3584, 448, -512), grid=1, block=160, inputs=halves(3584, 448, -512)))  # fmt: skip
    found += [
        made("two consumers in turns", """
  __shared__ int s[128]; for (int n = 0; n < 4; n++) { if (w / 2 == (n & 1)) { {{no wait for the other: if (n > 0) { if (n & 1) named_sync<2, 128>(); else named_sync<1, 128>(); } || }} int i = t & 63; s[i] = a[n * 64 + i] + (n ? {{what the other stored: s[i] || s[63 - i]}} : 0); if (n < 3) { if (n & 1) {{the wrong barrier: named_arrive<1, 128>(); || named_arrive<2, 128>(); }} else named_arrive<2, 128>(); } } } __syncthreads(); if (t < 64) b[t] = s[t];""", (256, -64), grid=1),
        made("a tile that warps store and a copy takes", """
  __shared__ alignas(128) int s[2][128]; for (int n = 0; n < 5; n++) { int g = n & 1; if (t == 0 && n > 1) {{a wait for all but two: bulk_wait_read<1>(); || bulk_wait_read<2>(); }} {{no barrier after the wait: __syncthreads(); || }}
    int v = a[n * 128 + t]; asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" :: "r"(sh(&s[g][w * 32 + (lane & 7) * 4])), "r"(v) : "memory"); {{no fence: fence_async(); || }} {{no barrier after the fence: __syncthreads(); || }}
    if (t == 0) { bulk_store(b + n * 128, s[g], 512); {{one commit for two: bulk_commit(); || if (n & 1) bulk_commit(); }} } } if (t == 0) { {{no wait at the end: bulk_wait<0>(); || }} }""", (640, -640), grid=1),
        made("a copy whose thread does not wait", """
  __shared__ alignas(128) int s[128]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, 1); fence_init(); } {{no barrier after init: __syncthreads(); || }} if (t == 64) { mb_expect(&bar, 512); bulk_load(s, a, {{a copy that is too long: 512 || 528}}, &bar); } if (w != {{one warp does not wait: 5 || 2}}) mb_wait(&bar, 0); b[t] = s[127 - t];""", (256, -128), grid=1),
        made("operands that threads store", """
  __shared__ alignas(128) int p[512], q[64]; float d[4] = {1, 1, 1, 1}; for (int n = 0; n < 3; n++) { for (int i = t; i < 512; i += 128) p[i] = a[n * 512 + i]; if (t < 64) q[t] = b[n * 64 + t]; {{no proxy fence: fence_async(); || }} {{no barrier: __syncthreads(); || }}
    {{no fence: wg_fence(); || }} {{the sums change after the fence: || d[1] += 1; asm volatile("" : "+f"(d[1]) :: "memory"); }} wg_mma(d, desc(p), desc(q), n > 0); {{no commit: wg_commit(); || }} {{no wait: wg_wait<0>(); || }} __syncthreads(); } float* out = (float*)c; for (int i = 0; i < 4; i++) out[t * 4 + i] = d[i];""", (1536, 192, -512), grid=1, inputs=halves(1536, 192, -512)),
        made("sums of two groups", """
  __shared__ alignas(128) int p[512], q[2][64]; float d[4] = {0, 0, 0, 0}, e_[4] = {0, 0, 0, 0}; for (int i = t; i < 512; i += 128) p[i] = a[i]; q[t / 64][t % 64] = b[t]; fence_async(); __syncthreads();
  wg_fence(); wg_mma(d, desc(p), desc(q[0]), 1); {{no commit between: wg_commit(); || }} wg_mma(e_, desc(p), desc(q[1]), 1); wg_commit(); {{the second is waited for first: wg_wait<1>(); || wg_wait<2>(); }} float x = d[0] + d[1] + d[2] + d[3]; {{no wait for the second: wg_wait<0>(); || }} float y = e_[0] + e_[1] + e_[2] + e_[3]; ((float*)c)[t] = x - y;""", (512, 128, -128), grid=1, inputs=halves(512, 128, -128)),
        made("groups of cp.async of unequal size", """
  __shared__ alignas(16) int s[3][512]; const int4* from = (const int4*)a; int4* to = (int4*)s; for (int n = 0; n < 2; n++) { cp16(&to[n * 128 + t], from + n * 128 + t); cp_commit(); }
  for (int n = 0; n < 6; n++) { {{a wait for all but two: if (n < 5) cp_wait<1>(); else cp_wait<0>(); || if (n < 5) cp_wait<1>(); else cp_wait<1>(); }} {{no barrier: __syncthreads(); || }} int m = n + 2; if (m < 6) { cp16(&to[{{the slot in use: m || n}} % 3 * 128 + t], from + m * 128 + t); {{no commit: cp_commit(); || }} } b[n * 128 + t] = s[n % 3][511 - t * 4]; }""", (3072, -768), grid=1),
        made("cp.async for other threads of the warp", """
  __shared__ alignas(16) int s[512]; cp16(&s[t * 4], a + t * 4); {{no commit: cp_commit(); || }} {{no wait: cp_wait<0>(); || }} {{no barrier of the warp: __syncwarp(); || }} b[t] = s[(t ^ 5) * 4];""", (512, -128), grid=1),
        made("cp.async into what others read", """
  __shared__ alignas(16) int s[512]; for (int n = 0; n < 3; n++) { cp16(&s[t * 4], a + n * 512 + t * 4); cp_commit(); cp_wait<0>(); {{no barrier: __syncthreads(); || }} b[n * 128 + t] = s[511 - t * 4]; {{no barrier before the next: __syncthreads(); || }} }""", (1536, -384), grid=1),
        made("a store over what cp.async writes", """
  __shared__ alignas(16) int s[512]; cp16(&s[t * 4], a + t * 4); cp_commit(); {{a store before the wait: cp_wait<0>(); s[t * 4] = 7; || s[t * 4] = 7; cp_wait<0>(); }} {{no barrier: __syncthreads(); || }} b[t] = s[508 - t * 4];""", (512, -128), grid=1),
    ]  # fmt: skip
    return found


def clusters() -> list[Source]:
    """Blocks of a cluster, and their shared memory."""
    return [
        made("a histogram of a cluster", """
  __shared__ int s[64]; if (t < 64) s[t] = 0; {{not started: cluster_arrive(); cluster_wait(); || __syncthreads(); }} int v = a[B * 128 + t] & 127; unsigned at = map_to(&s[v & 63], v >> 6); {{plain: asm volatile("red.shared::cluster.add.u32 [%0], 1;" :: "r"(at) : "memory"); || st_cluster(at, ld_cluster(at) + 1); }}
  {{no barrier: cluster_arrive(); cluster_wait(); || __syncthreads(); }} if (t < 64) atomicAdd(&b[rank() * 64 + t], s[t]);""", (512, -128), grid=4, cluster=2),
        made("a ring of four blocks", """
  __shared__ int s[2][64]; __shared__ unsigned long long full[2], empty[2]; if (t == 0) { for (int n = 0; n < 2; n++) { mb_init(&full[n], {{count: 64 || 32}}); mb_init(&empty[n], 64); } fence_init(); } {{not started: cluster_arrive(); cluster_wait(); || __syncthreads(); }}
  int next = (rank() + 1) & 3, before = (rank() + 3) & 3, v = a[B * 64 + t], sum = 0;
  for (int n = 0; n < 5; n++) { int g = n & 1; {{no wait for room: cluster_mb_wait(&empty[g], (n / 2 & 1) ^ 1); || }} st_cluster(map_to(&s[g][t], next), v); {{relaxed: remote_arrive(&full[g], next); || asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" :: "r"(map_to(&full[g], next)) : "memory"); }}
    {{no wait: cluster_mb_wait(&full[g], n / 2 & 1); || }} v = s[g][63 - t] + n; sum += v; {{room for another: remote_arrive(&empty[g], before); || remote_arrive(&empty[g], next); }} } {{leaves early: cluster_arrive(); cluster_wait(); || }} b[B * 64 + t] = sum;""", (256, -256), grid=4, block=64, cluster=4),
        made("a tile for both blocks", """
  __shared__ alignas(128) int s[2][128]; __shared__ unsigned long long full[2], empty[2]; if (t == 0) { for (int n = 0; n < 2; n++) { mb_init(&full[n], 1); mb_init(&empty[n], {{count of empty: 2 || 1}}); } fence_init(); } {{not started: cluster_arrive(); cluster_wait(); || __syncthreads(); }} int sum = 0;
  for (int n = 0; n < 6; n++) { int g = n & 1; if (t == 0) { mb_expect(&full[g], {{bytes: 512 || 256}}); {{no wait for room: cluster_mb_wait(&empty[g], (n / 2 & 1) ^ 1); || }} multicast(&s[g][rank() * 64], a + n * 128 + rank() * 64, 256, &full[g], 3); }
    {{no wait: mb_wait(&full[g], n / 2 & 1); || }} sum += s[g][127 - t] * n; {{no barrier before it is free: __syncthreads(); || }} if (t < 2) {{only its own: remote_arrive(&empty[g], t); || remote_arrive(&empty[g], rank()); }} } {{leaves early: cluster_arrive(); cluster_wait(); || }} b[B * 128 + t] = sum;""", (768, -256), grid=2, cluster=2),
        made("sums by stores that count bytes", """
  __shared__ int s[4]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, 1); fence_init(); mb_expect(&bar, {{bytes: 16 || 12}}); } {{not started: cluster_arrive(); cluster_wait(); || __syncthreads(); }} int v = a[B * 128 + t]; for (int d_ = 16; d_; d_ /= 2) v += __shfl_xor_sync(~0u, v, d_);
  if (lane == 0) st_async(map_to(&s[w], rank() ^ 1), v, map_to(&bar, rank() ^ 1)); {{no wait: cluster_mb_wait(&bar, 0); || __syncthreads(); }} b[B * 128 + t] = s[t & 3];""", (512, -512), grid=4, cluster=2),
        made("a barrier of the cluster in two parts", """
  __shared__ int s[128]; s[t] = a[B * 128 + t]; {{relaxed: cluster_arrive(); || cluster_arrive_relaxed(); }} int own = a[t] * 2; {{a store between: || s[t] = own; }} {{no wait: cluster_wait(); || }} int v = ld_cluster(map_to(&s[127 - t], rank() ^ 1)); {{leaves early: cluster_arrive(); || }} b[B * 128 + t] = v + own; {{leaves early: cluster_wait(); || }}""", (512, -512), grid=4, cluster=2),
        made("words of the whole cluster", """
  __shared__ int total; if (t == 0) total = 0; {{not started: cluster_arrive(); cluster_wait(); || __syncthreads(); }} asm volatile("red.relaxed.{{scope: cluster || cta}}.shared::cluster.add.u32 [%0], %1;" :: "r"(map_to(&total, 0)), "r"(a[B * 128 + t]) : "memory"); {{no barrier: cluster_arrive(); cluster_wait(); || __syncthreads(); }} int v = ld_cluster(map_to(&total, 0)); {{leaves early: cluster_arrive(); cluster_wait(); || }} b[B * 128 + t] = v;""", (512, -512), grid=4, cluster=2),
        made("a flag in the shared memory of another block", """
  __shared__ int s[128], flag; if (t == 0) flag = 0; {{not started: cluster_arrive(); cluster_wait(); || __syncthreads(); }} if (rank() == 0) { st_cluster(map_to(&s[t], 1), a[t]); {{no barrier: __syncthreads(); || }} if (t == 0) asm volatile("st.{{relaxed: release || relaxed}}.{{scope: cluster || cta}}.shared::cluster.u32 [%0], 1;" :: "r"(map_to(&flag, 1)) : "memory"); }
  else { if (t == 0) { int v = 0; while (!v) asm volatile("ld.{{relaxed look: acquire || relaxed}}.cluster.shared::cta.u32 %0, [%1];" : "=r"(v) : "r"(sh(&flag)) : "memory"); } {{no barrier of the reader: __syncthreads(); || }} b[t] = s[127 - t]; }""", (128, -128), grid=2, cluster=2),
        made("a copy between blocks, there and back", """
  __shared__ alignas(128) int s[128], r[128]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, 1); fence_init(); } s[t] = a[B * 128 + t]; {{no fence: fence_async(); || }} {{not started: cluster_arrive(); cluster_wait(); || __syncthreads(); }}
  if (t == 0) { mb_expect(&bar, 512); asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];" :: "r"(map_to(r, rank() ^ 1)), "r"(sh(s)), "r"(map_to(&bar, rank() ^ 1)) : "memory"); } {{no wait: mb_wait(&bar, 0); || }} {{its source is overwritten: || s[t] = 0; }} int v = r[127 - t]; {{leaves early: cluster_arrive(); cluster_wait(); || }} b[B * 128 + t] = v;""", (256, -256), grid=2, cluster=2),
        made("a lock of a cluster", """
  __shared__ int lock, sum; if (t == 0) lock = sum = 0; cluster_arrive(); cluster_wait(); if (t == 0) { unsigned l = map_to(&lock, 0), s_ = map_to(&sum, 0); int v = 1; while (v) asm volatile("atom.{{relaxed lock: acquire || relaxed}}.cluster.shared::cluster.exch.b32 %0, [%1], 1;" : "=r"(v) : "r"(l) : "memory"); st_cluster(s_, ld_cluster(s_) + a[B]); asm volatile("st.{{relaxed unlock: release || relaxed}}.{{scope: cluster || cta}}.shared::cluster.u32 [%0], 0;" :: "r"(l) : "memory"); } {{no barrier: cluster_arrive(); cluster_wait(); || }} if (rank() == 0) b[B / 4 * 128 + t] = sum;""", (8, -256), grid=8, cluster=4),
    ]  # fmt: skip


def all_sources() -> list[Source]:
    """Every source."""
    return [*roles(), *clusters()]
