"""Hazards that others hide, that only a later round shows, or that one branch has, in CUDA C with places for bugs."""

from __future__ import annotations

from tests.sim.hazards.irregular import Source
from tests.sim.hazards.pipelines import halves, made


def rounds() -> list[Source]:
    """What goes wrong in the second round, after the wrap, or in the last one."""
    return [
        made("two buffers whose barrier stands in the loop", """
  __shared__ int s[2][128]; int sum = 0; for (int n = 0; n < 6; n++) { s[n & 1][t] = a[n * 128 + t]; {{only in the first rounds: __syncthreads(); || if (n < 4) __syncthreads(); else __syncwarp(); }} sum += s[n & 1][127 - t]; {{one buffer: || __syncthreads(); s[(n + 1) & 1][127 - t] = 0; }} } b[t] = sum;""", (768, -128), grid=1),
        made("a ring of three slots", """
  __shared__ alignas(128) int s[3][128]; __shared__ unsigned long long full[3], empty[3]; if (t == 0) { for (int n = 0; n < 3; n++) { mb_init(&full[n], 1); mb_init(&empty[n], {{count of empty: 128 || 127}}); } fence_init(); } __syncthreads(); int sum = 0;
  if (w == 4) { if (lane == 0) for (int n = 0; n < 11; n++) { int g = n % {{slots of the loader: 3 || 2}}; mb_wait(&empty[g], {{phase that never turns: (n / 3 & 1) ^ 1 || 1}}); mb_expect(&full[g], 512); bulk_load(s[g], a + n * 128, 512, &full[g]); } }
  else { for (int n = 0; n < 11; n++) { int g = n % 3; mb_wait(&full[g], {{phase of two slots: n / 3 & 1 || n / 2 & 1}}); sum += s[g][127 - t] * (n + 1); {{the last slot is not freed: mb_arrive(&empty[g]); || if (g < 2) mb_arrive(&empty[g]); }} } b[t] = sum; }""", (1408, -128), grid=1, block=160),
        made("slot and phase by counting", """
  __shared__ alignas(128) int s[2][128]; __shared__ unsigned long long full[2], empty[2]; if (t == 0) { for (int n = 0; n < 2; n++) { mb_init(&full[n], 1); mb_init(&empty[n], 4); } fence_init(); } __syncthreads(); int sum = 0, g = 0, p = 0;
  if (w == 4) { if (lane == 0) for (int n = 0; n < 9; n++) { mb_wait(&empty[g], {{first phase: p ^ 1 || p}}); mb_expect(&full[g], 512); bulk_load(s[g], a + n * 128, 512, &full[g]); if (++g == 2) { g = 0; {{no turn of the loader: p ^= 1; || }} } } }
  else { for (int n = 0; n < 9; n++) { mb_wait(&full[g], p); sum += s[g][127 - t] + n; {{lane 0 is first: __syncwarp(); || }} if (lane == 0) mb_arrive(&empty[g]); if (++g == 2) { g = 0; {{no turn of the reader: p ^= 1; || }} } } b[t] = sum; }""", (1152, -128), grid=1, block=160),
        made("an epilogue that counts down", """
  __shared__ alignas(16) int s[4][512]; for (int n = 0; n < 3; n++) { cp16(&s[n][t * 4], a + n * 512 + t * 4); cp_commit(); }
  for (int n = 0; n < 5; n++) { {{one less at the end: if (n < 3) cp_wait<2>(); else if (n == 3) cp_wait<1>(); else cp_wait<0>(); || if (n < 3) cp_wait<2>(); else cp_wait<1>(); }} __syncthreads(); b[n * 128 + t] = s[n & 3][511 - t * 4]; if (n + 3 < 5) { cp16(&s[(n + {{slot: 3 || 4}}) & 3][t * 4], a + (n + 3) * 512 + t * 4); cp_commit(); } }""", (2560, -640), grid=1),
        made("a prologue that is used for the end too", """
  __shared__ alignas(16) int s[2][512]; cp16(&s[0][t * 4], a + t * 4); cp_commit(); int sum = 0; for (int n = 0; n < 4; n++) { {{before the barrier: || if (n < 3) cp16(&s[(n + 1) & 1][t * 4], a + (n + 1) * 512 + t * 4); }} cp_wait<0>(); __syncthreads(); if (n < 3) cp16(&s[(n + 1) & 1][t * 4], a + (n + 1) * 512 + t * 4); cp_commit(); sum += s[n & 1][511 - t * 4]; }
  {{no barrier behind the rounds: __syncthreads(); || }} s[1][t] = sum; {{no barrier of the end: __syncthreads(); || }} b[t] = s[1][127 - t];""", (2048, -128), grid=1),
        made("stores by copies in two buffers, and a last one", """
  __shared__ alignas(128) int s[2][128]; for (int n = 0; n < 5; n++) { if (t == 0) { if (n > 1) {{all but two: bulk_wait_read<1>(); || bulk_wait_read<2>(); }} } __syncthreads(); s[n & 1][t] = a[n * 128 + t] * 3; fence_async(); __syncthreads(); if (t == 0) { bulk_store(b + n * 128, s[n & 1], 512); bulk_commit(); } } if (t == 0) { bulk_wait_read<0>(); } __syncthreads(); s[0][t] = 1; {{no fence in the last: fence_async(); || }} __syncthreads(); if (t == 0) { bulk_store(b + 640, s[0], 512); bulk_commit(); bulk_wait<0>(); }""", (640, -768), grid=1),
        made("tiles that go round, with a rest", """
  __shared__ int s[128]; int sum = 0; for (int i = t; i < 300; i += 128) { {{the rest has no barrier: bool all = (i - t) + 128 <= 300; || bool all = true; }} if (all) { s[t] = a[i]; __syncthreads(); sum += s[127 - t]; __syncthreads(); } else sum += a[i]; } b[t] = sum;""", (300, -128), grid=1),
        made("two sums through one word", """
  __shared__ int s; int v = a[t]; for (int n = 0; n < 3; n++) { if (t == 0) s = 0; {{no barrier after zero: __syncthreads(); || }} atomicAdd(&s, v); {{no barrier after sums: __syncthreads(); || }} v = (v + s) % 1009; {{no barrier before zero: __syncthreads(); || }} } b[t] = v;""", (128, -128), grid=1),
    ]  # fmt: skip


def branches() -> list[Source]:
    """A fence, a wait or a barrier that only one branch has, and roles that leave."""
    return [
        made("a fence in both branches", """
  __shared__ alignas(128) int s[128]; if (t & 1) { s[t] = a[t]; fence_async(); } else { s[t] = a[t] + 1; {{only in one: fence_async(); || }} } __syncthreads(); if (t == 0) { bulk_store(b, s, 512); bulk_commit(); bulk_wait<0>(); }""", (128, -128), grid=1),
        made("a fence of a space", """
  __shared__ alignas(128) int s[128]; s[t] = a[t]; {{the other space: asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); || asm volatile("fence.proxy.async.global;" ::: "memory"); }} __syncthreads(); if (t == 0) { bulk_store(b, s, 512); bulk_commit(); bulk_wait<0>(); }""", (128, -128), grid=1),
        made("warps that leave before the end", """
  __shared__ int s[128]; __shared__ unsigned long long bar; if (t == 0) mb_init(&bar, {{count of all: 64 || 128}}); __syncthreads(); if (w > 1) { s[t] = a[t]; return; } s[t] = a[t]; mb_arrive(&bar); mb_wait(&bar, 0); b[t] = s[63 - t] {{it reads what they stored: || + s[64 + t]}};""", (128, -128), grid=1),
        made("a barrier for two of four warps", """
  __shared__ int s[128]; s[t] = a[t]; if (w < 2) { {{count of all: named_sync<1, 64>(); || named_sync<1, 128>(); }} b[t] = s[63 - t]; } else { {{the same barrier: named_sync<2, 64>(); || named_sync<1, 64>(); }} b[t] = s[191 - t]; }""", (128, -128), grid=1),
        made("a barrier that is used again", """
  __shared__ int s[128], r[128]; if (w < 2) { s[t] = a[t]; named_arrive<1, 128>(); {{another one: named_sync<2, 128>(); || named_sync<1, 128>(); }} b[t] = r[t + 64]; } else { {{it arrives only: named_sync<1, 128>(); || named_arrive<1, 128>(); }} r[t] = s[t - 64] * 2; {{count: named_arrive<2, 128>(); || named_arrive<2, 96>(); }} }""", (128, -128), grid=1),
        made("waits of both branches", """
  __shared__ alignas(16) int s[512]; cp16(&s[t * 4], a + t * 4); cp_commit(); if (w & 1) { cp_wait<0>(); } else { {{only in one: cp_wait<0>(); || }} } __syncthreads(); b[t] = s[508 - t * 4];""", (512, -128), grid=1),
        made("who waits for the copy tells the others", """
  __shared__ alignas(128) int s[128]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, 1); fence_init(); mb_expect(&bar, 512); bulk_load(s, a, 512, &bar); {{nobody waits: mb_wait(&bar, 0); || mb_try(&bar, 0); }} } {{no barrier: __syncthreads(); || __syncwarp(); }} b[t] = s[127 - t];""", (128, -128), grid=1),
        made("a round that leaves out a barrier", """
  __shared__ int s[128]; for (int n = 0; n < 4; n++) { if (n & 1) { s[t] = a[t] + n; } else { s[127 - t] = a[t] - n; } {{in one branch: __syncthreads(); || if (n & 1) __syncthreads(); }} b[n * 128 + t] = s[(t + 37) & 127]; __syncthreads(); }""", (128, -512), grid=1),
        made("copies expected in parts", """
  __shared__ alignas(128) int s[256]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, {{arrivals: 2 || 1}}); fence_init(); } __syncthreads(); if (t == 0 || t == 64) { mb_expect(&bar, {{twice: 512 || 1024}}); bulk_load(s + t * 2, a + t * 2, 512, &bar); } mb_wait(&bar, 0); b[t] = s[255 - t] + s[t];""", (256, -128), grid=1),
        made("a guard that is true for the first block", """
  __shared__ int s[128]; s[t] = a[B * 128 + t]; if ({{only in the first block: B < 3 || B < 2}}) __syncthreads(); b[B * 128 + t] = s[127 - t];""", (384, -384), grid=3),
    ]  # fmt: skip


def warps() -> list[Source]:
    """Lanes of a warp: branches, votes, matches, elections, matrices."""
    return [
        made("halves that exchange", """
  __shared__ int s[128]; if (lane < 16) s[t] = a[t]; {{no barrier: __syncwarp(); || }} if (lane >= 16) b[t] = s[t - 16]; {{no barrier before it is used again: __syncwarp(); || }} if (lane < 16) s[t] = 7; b[t + 128] = lane;""", (128, -256), grid=1),
        made("a sum by redux", """
  __shared__ int s[128]; s[t] = a[t]; {{redux in its place: __syncwarp(); || }} unsigned v = __reduce_add_sync(~0u, t); b[t] = s[t ^ 1] + v;""", (128, -128), grid=1),
        made("a match", """
  __shared__ int s[128]; int key = a[t] & 3; unsigned same = __match_any_sync(~0u, key); int first = __ffs(same) - 1; if (lane == first) s[w * 32 + key] = a[t]; {{match in its place: __syncwarp(); || same = __match_any_sync(~0u, key); }} b[t] = s[w * 32 + key] + same;""", (128, -128), grid=1),
        made("an elected lane", """
  __shared__ int s[4]; int leader; asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.b32 %0, 1, 0, p;}" : "=r"(leader)); if (leader) s[w] = a[t]; {{no barrier: __syncwarp(); || }} b[t] = s[w];""", (128, -128), grid=1),
        made("those who are active", """
  __shared__ int s[128]; s[t] = 0; __syncwarp(); if (a[t] & 1) { unsigned m = __activemask(); s[w * 32 + __popc(m & ((1u << lane) - 1))] = a[t]; {{no barrier in the branch: __syncwarp(m); || }} b[t] = s[w * 32]; } {{no barrier after it: __syncwarp(); || }} b[t + 128] = s[t ^ 3];""", (128, -256), grid=1),
        made("a mask that is too small", """
  __shared__ int s[128]; s[t] = a[t]; __syncwarp({{half of it: ~0u || lane < 16 ? 0xffffu : 0xffff0000u}}); b[t] = s[w * 32 + ((lane + 16) & 31)];""", (128, -128), grid=1),
        made("a matrix that lanes have stored", """
  __shared__ alignas(16) int s[128]; s[t] = a[t]; {{no barrier: __syncwarp(); || }} int v; asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v) : "r"(sh(&s[w * 32 + (lane & 7) * 4])) : "memory"); __syncwarp(); s[t] = v; {{no barrier at the end: __syncwarp(); || }} b[t] = s[t ^ 5];""", (128, -128), grid=1),
        made("a matrix that lanes read", """
  __shared__ alignas(16) int s[128]; asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" :: "r"(sh(&s[w * 32 + (lane & 7) * 4])), "r"(a[t]) : "memory"); {{no barrier: __syncwarp(); || }} b[t] = s[t ^ 9];""", (128, -128), grid=1),
        made("votes in a loop", """
  __shared__ int s[128]; int v = a[t]; s[t] = v; {{no barrier: __syncwarp(); || }} while (__any_sync(~0u, v > 3)) { v = s[t ^ 1] >> 1; {{no barrier after the load: __syncwarp(); || }} s[t] = v; {{no barrier after the store: __syncwarp(); || }} } b[t] = v;""", (128, -128), grid=1),
        made("a leader per tile", """
  __shared__ int s[16]; int g = t / 8; unsigned m = 0xffu << (lane & 24); int v = a[t]; for (int d = 4; d; d /= 2) v += __shfl_xor_sync(m, v, d); if ((lane & 7) == 0) s[g] = v; {{no barrier of the tile: __syncwarp(m); || }} b[t] = s[g] {{of the next tile: || + s[g ^ 1]}};""", (128, -128), grid=1),
        made("a flag across warps beside lanes", """
  __shared__ int s[64], flag; if (t == 0) flag = 0; __syncthreads(); if (w == 0) { s[lane] = a[t]; {{no barrier of the lanes: __syncwarp(); || }} if (lane == 0) { {{no fence: __threadfence_block(); || }} *(volatile int*)&flag = 1; } {{a store behind the flag: || s[lane ^ 1] = 3; }} } else if (w == 1) { if (lane == 0) { while (*(volatile int*)&flag == 0) {} {{no fence of the reader: __threadfence_block(); || }} } {{no barrier of the readers: __syncwarp(); || }} b[lane] = s[31 - lane]; }""", (128, -128), grid=1, block=64),
        made("words and vectors that overlap", """
  __shared__ alignas(16) int s[512]; int4 v = {t, 1, 2, 3}; *(int4*)&s[t * 4] = v; {{no barrier: __syncthreads(); || }} s[(t * 4 + 7) & 511] = a[t]; {{no barrier at the end: __syncthreads(); || }} int2 r = *(int2*)&s[((t ^ 64) * 4 + 2) & 511]; b[t] = r.x + r.y;""", (128, -128), grid=1),
    ]  # fmt: skip


def engines() -> list[Source]:
    """Copies, products and mbarriers: sources, counts, read-only waits, and memory that two phases share."""
    return [
        made("what a copy has stored is read back", """
  __shared__ alignas(128) int s[128]; s[t] = a[t]; fence_async(); __syncthreads(); if (t == 0) { bulk_store(b, s, 512); bulk_commit(); {{only its source is free: bulk_wait<0>(); || bulk_wait_read<0>(); }} } __syncthreads(); b[t + 128] = b[127 - t]; if (t == 0) bulk_wait<0>();""", (128, -256), grid=1),
        made("what a copy has stored is told of", """
  __shared__ alignas(128) int s[128]; if (B == 0) { s[t] = a[t]; fence_async(); __syncthreads(); if (t == 0) { bulk_store(b, s, 512); bulk_commit(); {{only its source is free: bulk_wait<0>(); || bulk_wait_read<0>(); }} store_release(c, 1); bulk_wait<0>(); } } else { if (t == 0) while (!load_acquire(c)) {} __syncthreads(); b[t + 128] = b[127 - t]; }""", (128, -256, -1), grid=2),
        made("sums by copies that are told of", """
  __shared__ alignas(128) int s[128]; s[t] = a[B * 128 + t]; fence_async(); __syncthreads(); __shared__ int last; if (t == 0) { bulk_add(b, s, 512); bulk_commit(); {{no wait: bulk_wait<0>(); || bulk_wait_read<0>(); }} __threadfence(); last = atomicAdd(c, 1) == 3; __threadfence(); } __syncthreads(); if (last) b[t + 128] = b[t] + 1; if (t == 0) bulk_wait<0>();""", (512, -256, -1), grid=4),
        made("noinc", """
  __shared__ alignas(16) int s[512]; __shared__ unsigned long long bar; if (t == 0) mb_init(&bar, 128); __syncthreads(); cp16(&s[t * 4], a + t * 4); asm volatile("cp.async.mbarrier.arrive{{without noinc: .noinc || }}.shared.b64 [%0];" :: "r"(sh(&bar)) : "memory"); mb_wait(&bar, 0); b[t] = s[511 - t];""", (512, -128), grid=1),
        made("an arrival besides the copies'", """
  __shared__ alignas(16) int s[512]; __shared__ unsigned long long bar; if (t == 0) mb_init(&bar, 128); __syncthreads(); cp16(&s[t * 4], a + t * 4); asm volatile("cp.async.mbarrier.arrive{{with noinc: || .noinc}}.shared.b64 [%0];" :: "r"(sh(&bar)) : "memory"); mb_arrive(&bar); mb_wait(&bar, 0); b[t] = s[511 - t];""", (512, -128), grid=1),
        made("a copy behind the arrival", """
  __shared__ alignas(16) int s[1024]; __shared__ unsigned long long bar; if (t == 0) mb_init(&bar, 128); __syncthreads(); cp16(&s[t * 4], a + t * 4); {{it comes later: cp16(&s[512 + t * 4], a + 512 + t * 4); || }} asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(sh(&bar)) : "memory"); {{it comes later: || cp16(&s[512 + t * 4], a + 512 + t * 4); }} mb_wait(&bar, 0); b[t] = s[1023 - t];""", (1024, -128), grid=1),
        made("factors in registers", """
  __shared__ alignas(128) int q[64]; if (t < 64) q[t] = b[t]; fence_async(); __syncthreads(); float d[4] = {0, 0, 0, 0}; int r[4] = {a[t], a[t + 128], a[t + 256], a[t + 384]}; wg_fence();
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(desc(q)) : "memory"); wg_commit(); {{the operand in memory changes: || if (t < 64) q[t] = 0; }} wg_wait<0>(); float* out = (float*)c; for (int i = 0; i < 4; i++) out[t * 4 + i] = d[i];""", (512, 64, -512), grid=1, inputs=halves(512, 64, -512)),
        made("operands that are loaded again", """
  __shared__ alignas(128) int p[512], q[64]; __shared__ unsigned long long bar; float d[4] = {0, 0, 0, 0}; if (t == 0) { mb_init(&bar, 1); fence_init(); } __syncthreads();
  for (int n = 0; n < 3; n++) { if (t == 0) { mb_expect(&bar, 2304); bulk_load(p, a + n * 512, 2048, &bar); bulk_load(q, b + n * 64, 256, &bar); } mb_wait(&bar, n & 1); wg_fence(); wg_mma(d, desc(p), desc(q), n > 0); wg_commit(); {{no wait in the loop: wg_wait<0>(); || if (n == 2) wg_wait<0>(); }} __syncthreads(); } float* out = (float*)c; for (int i = 0; i < 4; i++) out[t * 4 + i] = d[i];""", (1536, 192, -512), grid=1, inputs=halves(1536, 192, -512)),
        made("a tile for the end in the memory of the operands", """
  __shared__ alignas(128) int p[512], q[64]; float d[4] = {0, 0, 0, 0}; for (int i = t; i < 512; i += 128) p[i] = a[i]; if (t < 64) q[t] = b[t]; fence_async(); __syncthreads(); wg_fence(); wg_mma(d, desc(p), desc(q), 1); wg_commit(); {{it waits for nothing: wg_wait<0>(); || wg_wait<1>(); }} for (int i = 0; i < 4; i++) ((float*)p)[t * 4 + i] = d[i]; {{no fence: fence_async(); || }} {{no barrier at the end: __syncthreads(); || }} if (t == 0) { bulk_store(c, p, 2048); bulk_commit(); bulk_wait<0>(); }""", (512, 64, -512), grid=1, inputs=halves(512, 64, -512)),
        made("tokens of mbarriers", """
  __shared__ int s[128]; __shared__ unsigned long long bar; if (t == 0) mb_init(&bar, 128); __syncthreads(); for (int n = 0; n < 3; n++) { unsigned long long state; s[t] = a[n * 128 + t]; asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(sh(&bar)) : "memory"); int ok = 0; {{looked at once: while (!ok) || }} asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}" : "=r"(ok) : "r"(sh(&bar)), "l"(state) : "memory"); b[n * 128 + t] = s[127 - t]; {{no barrier: __syncthreads(); || }} }""", (384, -384), grid=1),
        made("arrivals of several counts", """
  __shared__ int s[128]; __shared__ unsigned long long bar; if (t == 0) mb_init(&bar, {{count: 128 || 64}}); __syncthreads(); s[t] = a[t]; {{lanes before they have stored: __syncwarp(); || }} if (lane == 0) asm volatile("mbarrier.arrive.shared.b64 _, [%0], {{too many: 32 || 16}};" :: "r"(sh(&bar)) : "memory"); mb_wait(&bar, 0); b[t] = s[127 - t];""", (128, -128), grid=1),
        made("memory of two phases", """
  __shared__ alignas(128) int s[128]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, 1); fence_init(); } s[t] = a[t]; __syncthreads(); int v = s[127 - t]; {{no fence: fence_async(); || }} {{no barrier: __syncthreads(); || }} if (t == 0) { mb_expect(&bar, 512); bulk_load(s, a + 128, 512, &bar); } mb_wait(&bar, 0); b[t] = v + s[127 - t];""", (256, -128), grid=1),
    ]  # fmt: skip


def blocks() -> list[Source]:
    """CTAs of clusters and grids: hierarchies, packed flags, volatile words, masks of multicasts."""
    return [
        made("a sum in four steps", """
  __shared__ int s[4], c0; if (t == 0) c0 = 0; {{not started: cluster_arrive(); cluster_wait(); || __syncthreads(); }} int v = a[B * 128 + t]; for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d); if (lane == 0) s[w] = v; {{no barrier of the block: __syncthreads(); || }} if (t == 0) asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" :: "r"(map_to(&c0, 0)), "r"(s[0] + s[1] + s[2] + s[3]) : "memory"); {{no barrier of the cluster: cluster_arrive(); cluster_wait(); || }} if (rank() == 0 && t == 0) { b[1 + B / 2] = c0; {{no fence: __threadfence(); || }} if (atomicAdd(c, 1) == 1) { {{no fence of the last: __threadfence(); || }} b[0] = b[1] + b[2]; } }""", (512, -3, -1), grid=4, cluster=2),
        made("a mask of a multicast", """
  __shared__ alignas(128) int s[128]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, 1); fence_init(); mb_expect(&bar, {{bytes: 512 || 1024}}); } cluster_arrive(); cluster_wait(); if (rank() == 0 && t == 0) multicast(s, a, 512, &bar, {{one is missing: 15 || 7}}); mb_wait(&bar, 0); b[B * 128 + t] = s[127 - t];  cluster_arrive(); cluster_wait();""", (128, -512), grid=4, cluster=4),
        made("a multicast to some", """
  __shared__ alignas(128) int s[128]; __shared__ unsigned long long bar; s[t] = 1; fence_async(); if (t == 0) { mb_init(&bar, 1); fence_init(); if (rank() < 2) mb_expect(&bar, 512); } cluster_arrive(); cluster_wait(); if (rank() == 0 && t == 0) multicast(s, a, 512, &bar, {{one too many: 3 || 7}}); if (rank() < 2) mb_wait(&bar, 0); b[B * 128 + t] = s[127 - t]; cluster_arrive(); cluster_wait();""", (128, -512), grid=4, cluster=4),
        made("mbarriers made known by a relaxed barrier", """
  __shared__ int s[64]; __shared__ unsigned long long bar; if (t == 0) { mb_init(&bar, 64); {{no fence: fence_init(); || }} } {{no barrier: cluster_arrive_relaxed(); cluster_wait(); || __syncthreads(); }} st_cluster(map_to(&s[t], rank() ^ 1), a[B * 64 + t]); remote_arrive(&bar, rank() ^ 1); cluster_mb_wait(&bar, 0); b[B * 64 + t] = s[63 - t]; cluster_arrive(); cluster_wait();""", (128, -128), grid=2, block=64, cluster=2),
        made("sums by red.async", """
  __shared__ int s[64]; __shared__ unsigned long long bar; if (t < 64) s[t] = 0; if (t == 0) { mb_init(&bar, 1); fence_init(); mb_expect(&bar, {{bytes: 512 || 256}}); } {{not started: cluster_arrive(); cluster_wait(); || __syncthreads(); }} asm volatile("red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.add.u32 [%0], %1, [%2];" :: "r"(map_to(&s[t & 63], rank() ^ 1)), "r"(a[B * 128 + t]), "r"(map_to(&bar, rank() ^ 1)) : "memory"); {{no wait: cluster_mb_wait(&bar, 0); || }} if (t < 64) b[B * 64 + t] = s[t]; cluster_arrive(); cluster_wait();""", (256, -128), grid=2, cluster=2),
        made("values packed with their flags", """
  unsigned long long* slots = (unsigned long long*)c; __shared__ int before; if (t == 0) { int sum = 0; if (B > 0) { unsigned long long v = 0; {{halves: while (!(v >> 32)) asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(slots + B - 1) : "memory"); || int f = 0; while (!f) f = load_relaxed((int*)(slots + B - 1) + 1); v = ((int*)(slots + B - 1))[0]; }} sum = (int)v; } {{halves: asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" :: "l"(slots + B), "l"((unsigned long long)(sum + a[B]) | 1ull << 32) : "memory"); || ((int*)(slots + B))[0] = sum + a[B]; store_relaxed((int*)(slots + B) + 1, 1); }} before = sum; } {{no barrier: __syncthreads(); || }} b[B * 128 + t] = before;""", (4, -512, -8), grid=4),
        made("barriers of the cluster in turns", """
  __shared__ int s[2][64]; int v = a[B * 64 + t]; for (int n = 0; n < 4; n++) { s[n & 1][t] = v; {{relaxed in odd rounds: cluster_arrive(); || if (n & 1) cluster_arrive_relaxed(); else cluster_arrive(); }} {{one thread less: cluster_wait(); || if (t || n) cluster_wait(); }} v += ld_cluster(map_to(&s[{{one buffer: n & 1 || 0}}][63 - t], rank() ^ 1)); } {{leaves early: cluster_arrive(); cluster_wait(); || }} b[B * 64 + t] = v;""", (128, -128), grid=2, block=64, cluster=2),
        made("a ring of blocks in global memory", """
  int* head = c; int* tail = c + 1; if (B == 0) { for (int n = 0; n < 6; n++) { if (t == 0) while (n - {{room: load_acquire(tail) || (load_acquire(tail) + 1)}} >= 2) {} __syncthreads(); d[(n & 1) * 128 + t] = a[n * 128 + t]; {{no barrier of the writer: __syncthreads(); || }} if (t == 0) store_release(head, n + 1); } } else { int sum = 0; for (int n = 0; n < 6; n++) { if (t == 0) while (load_acquire(head) {{one too early: <= || <}} n) {} {{no barrier of the reader: __syncthreads(); || }} sum += d[(n & 1) * 128 + 127 - t]; {{no barrier before room: __syncthreads(); || }} if (t == 0) store_release(tail, n + 1); } b[t] = sum; }""", (768, -128, -2, -256), grid=2),
        made("locks with one fence", """
  if (t == 0) { for (int n = 0; n < 2; n++) { while (atomicCAS(c, 0, 1)) {} {{no fence behind the lock: __threadfence(); || }} b[0] += a[B]; {{no fence before unlocking: __threadfence(); || }} {{scope of unlocking: atomicExch(c, 0); || atomicExch_block(c, 0); }} } }""", (4, -1, -1), grid=3, block=32),
        made("a ticket whose fence one side lacks", """
  if (t == 0) { int mine = atomicAdd(c, 1); {{relaxed: while (load_acquire(c + 1) != mine) {} || while (load_relaxed(c + 1) != mine) {} }} b[0] = b[0] * 3 + a[B]; {{relaxed release: store_release(c + 1, mine + 1); || store_relaxed(c + 1, mine + 1); }} {{by another number: || atomicAdd(c + 1, 0); b[0] += 1; }} }""", (4, -1, -2), grid=3, block=32),
        made("volatile words of the last block", """
  __shared__ int last; b[B * 128 + t] = a[B * 128 + t]; {{no fence: __threadfence(); || }} {{no barrier: __syncthreads(); || }} if (t == 0) last = {{plain counting: atomicAdd(c, 1) || (*c)++}} == 2; {{no barrier behind: __syncthreads(); || }} if (last) { {{no fence of the last: __threadfence(); || }} int sum = 0; for (int i = 0; i < 3; i++) sum += b[i * 128 + t]; d[t] = sum; if (t == 0) *c = 0; }""", (384, -384, -1, -128), grid=3),
        made("what another block has left", """
  __shared__ int s[64]; s[t] = a[B * 64 + t]; cluster_arrive(); cluster_wait(); int v = 0; if (rank() == 0) v = ld_cluster(map_to(&s[t], 1)); {{it waits for nobody: cluster_arrive(); cluster_wait(); || if (rank() == 0) { cluster_arrive(); cluster_wait(); } }} b[B * 64 + t] = v {{a second look: || + (rank() == 0 ? ld_cluster(map_to(&s[t], 1)) : 0)}};""", (128, -128), grid=2, block=64, cluster=2),
    ]  # fmt: skip


def all_sources() -> list[Source]:
    """Every source."""
    return [*rounds(), *branches(), *warps(), *engines(), *blocks()]
