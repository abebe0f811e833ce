"""Shapes of kernels that libraries have, in CUDA C with places for bugs: rings, work in turns, schedulers, sums at the end."""

from __future__ import annotations

from dataclasses import replace

from tests.sim.hazards.idioms import numbers
from tests.sim.hazards.irregular import Source
from tests.sim.hazards.pipelines import MORE, made

_MORE = (
    MORE
    + r"""
__device__ __forceinline__ void cp_told(unsigned long long* b) { asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(sh(b)) : "memory"); }
__device__ __forceinline__ void cp_told_inc(unsigned long long* b) { asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" :: "r"(sh(b)) : "memory"); }
__device__ __forceinline__ void add_cluster(unsigned a) { asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" :: "r"(a) : "memory"); }
#define EACH _Pragma("unroll 1") for
"""
)


def _made(*arguments: object, **more: object) -> Source:
    return replace(made(*arguments, **more), prelude=_MORE)  # type: ignore[arg-type]


def rings() -> list[Source]:
    """Rings of stages, filled by copies of threads, by multicast, by stores into a neighbour."""
    return [
        _made("a ring filled by copies of threads", """
  __shared__ alignas(16) int buf[3][64]; __shared__ unsigned long long full[3], empty[3];
  if (t == 0) for (int s = 0; s < 3; s++) { mb_init(&full[s], {{half of those who copy: 16 || 8}}); mb_init(&empty[s], {{one warp of two: 64 || 32}}); }
  {{no barrier after the initialisation: __syncthreads(); || }}
  if (t < 16) EACH (int n = 0; n < 8; n++) { int s = n % 3, r = n / 3;
    {{room is not awaited: mb_wait(&empty[s], (r & 1) ^ 1); || }}
    cp16(&buf[{{the next stage is filled: s || (s + 1) % 3}}][4 * t], a + n * 64 + 4 * t);
    {{an arrival that does not wait for the copies: cp_told(&full[s]); || mb_arrive(&full[s]);}} }
  else if (t >= 64) { int i = t - 64, sum = 0; EACH (int n = 0; n < 8; n++) { int s = n % 3, r = n / 3;
    {{words are not awaited: mb_wait(&full[s], r & 1); || }} {{room is told before it is read:  || mb_arrive(&empty[s]);}}
    sum += buf[s][i] * (n + 1) + buf[s][63 - i]; mb_arrive(&empty[s]); }
    b[i] = sum; }""", (512, -64), grid=1),
        _made("a ring that two blocks fill for both", """
  __shared__ alignas(128) int buf[2][128]; __shared__ unsigned long long full[2], empty[2]; int me = rank();
  if (t == 0) { for (int s = 0; s < 2; s++) { mb_init(&full[s], 1); mb_init(&empty[s], {{readers of one block: 128 || 64}}); } {{no fence after the initialisation: fence_init(); || }} }
  {{no barrier of the cluster at the start: cluster_arrive_relaxed(); cluster_wait(); || __syncthreads();}}
  if (t == 0) { EACH (int n = 0; n < 6; n++) { int s = n % 2, r = n / 2;
    {{room is not awaited: cluster_mb_wait(&empty[s], (r & 1) ^ 1); || }} mb_expect(&full[s], {{bytes of one block: 512 || 256}});
    multicast(&buf[s][64 * me], a + n * 128 + 64 * me, 256, &full[s], {{for itself alone: 3 || 1 << me}}); } }
  else if (t >= 64) { int i = t - 64, sum = 0; EACH (int n = 0; n < 6; n++) { int s = n % 2, r = n / 2;
    {{words are not awaited: mb_wait(&full[s], r & 1); || }} sum += buf[s][i] * (n + 1) + buf[s][127 - i] * (me + 2);
    {{room is told to the own block alone: remote_arrive(&empty[s], me ^ 1); || mb_arrive(&empty[s]);}} {{room is told once: mb_arrive(&empty[s]); || }} }
    b[me * 64 + i] = sum; }
  {{a block leaves early: cluster_arrive(); cluster_wait(); || }}""", (768, -128), grid=2, cluster=2),
        _made("stores into the next block", """
  __shared__ alignas(16) int box[2][32]; __shared__ unsigned long long full[2], room[2]; int me = rank(), next = (me + 1) % 4, last = (me + 3) % 4;
  if (t == 0) { for (int s = 0; s < 2; s++) { mb_init(&full[s], 1); mb_init(&room[s], {{half of the readers: 32 || 16}}); } fence_init(); }
  {{no barrier of the cluster at the start: cluster_arrive(); cluster_wait(); || __syncthreads();}}
  if (w == 0) { EACH (int n = 0; n < 6; n++) { int s = n % 2, r = n / 2;
    {{room is not awaited: cluster_mb_wait(&room[s], (r & 1) ^ 1); || }} {{room of the block is awaited:  || mb_wait(&room[s], 1);}}
    st_async(map_to(&box[s][lane], next), a[(me * 6 + n) * 32 + lane] + n, map_to(&full[{{the other stage is told: s || s ^ 1}}], next)); } }
  else { int sum = 0; EACH (int n = 0; n < 6; n++) { int s = n % 2, r = n / 2;
    if (lane == 0) mb_expect(&full[s], {{bytes of half: 128 || 64}}); {{words are not awaited: cluster_mb_wait(&full[s], r & 1); || }}
    {{room is told before it is read:  || remote_arrive(&room[s], last); __syncwarp();}} sum += box[s][31 - lane] * (n + 1);
    {{room is told to the next: remote_arrive(&room[s], last); || remote_arrive(&room[s], next);}} }
    b[me * 32 + lane] = sum; }
  {{a block leaves early: cluster_arrive(); cluster_wait(); || }}""", (768, -128), grid=4, block=64, cluster=4),
        _made("sums by reducing copies from two buffers", """
  __shared__ alignas(128) int s[2][128];
  EACH (int n = 0; n < 5; n++) { int i = n % 2;
    if (t == 0) { {{a buffer is filled too early: bulk_wait_read<1>(); || bulk_wait_read<2>();}} } {{no barrier before it is filled: __syncthreads(); || }}
    s[i][t] = a[(B * 5 + n) * 128 + t] * (n + 1); {{no fence before the copy: fence_async(); || }} {{no barrier before the copy: __syncthreads(); || __syncwarp();}}
    if (t == 0) { bulk_add(b + n % 3 * 128, s[i], 512); {{no commit: bulk_commit(); || }} } }
  {{no wait at the end: if (t == 0) bulk_wait_read<0>(); || }}""", (1280, -384), grid=2),
    ]  # fmt: skip


def shared_work() -> list[Source]:
    """Blocks that share tiles: in turns, by parts, by a scheduler, by counters."""
    return [
        _made("parts of sums in turns", """
  __shared__ int s[128]; int tile = B / 3, part = B % 3, sum = 0;
  EACH (int n = part * 2; n < part * 2 + 2; n++) { s[t] = a[(tile * 6 + n) * 128 + t]; {{no barrier after it is filled: __syncthreads(); || }} sum += s[t] + s[(t + 1) % 128]; {{no barrier before it is filled again: __syncthreads(); || }} }
  if (t == 0) { {{its turn is not awaited: while || if}} ({{a relaxed look: load_acquire || load_relaxed}}(c + tile) != part); }
  {{no barrier after its turn has come: __syncthreads(); || }} int old = part ? b[tile * 128 + t] : 0; b[tile * 128 + t] = old + sum;
  {{no barrier before the turn is given: __syncthreads(); || }} if (t == 0) {{the turn is given relaxed: store_release(c + tile, part == 2 ? 0 : part + 1); || store_relaxed(c + tile, part == 2 ? 0 : part + 1);}}""", (1536, -256, -2), grid=6),
        _made("tiles dealt out by steps", """
  __shared__ int s[64]; int at = B * 5, end = min(at + 5, 20);
  EACH (; at < end;) { int tile = at / 4, stop = min(end, (tile + 1) * 4), first = at, sum = 0;
    EACH (; at < stop; at++) { s[t] = a[at * 64 + t]; __syncthreads(); sum += s[63 - t] * (at % 4 + 1); {{no barrier before the next step: __syncthreads(); || }} }
    if (first == tile * 4) { int have = stop, peer = B;
      EACH (; have < (tile + 1) * 4;) { peer++; if (t == 0) { {{a part is not awaited: while (!load_acquire(d + peer)); || }} } {{no barrier after the part is there: __syncthreads(); || }}
        sum += c[peer * 64 + t]; have = min((peer + 1) * 5, (tile + 1) * 4); __syncthreads(); }
      b[tile * 64 + t] = sum; }
    else { c[B * 64 + t] = sum; {{no barrier before it is told: __syncthreads(); || }} if (t == 0) {{it is told relaxed: store_release(d + B, 1); || store_relaxed(d + B, 1);}} } }""", (1280, -320, -256, -4), grid=4, block=64),
        _made("a warp that deals out tiles", """
  __shared__ int job[2]; __shared__ unsigned long long full[2], empty[2];
  if (t == 0) for (int s = 0; s < 2; s++) { mb_init(&full[s], 1); mb_init(&empty[s], {{one warp of three: 3 || 1}}); } {{no barrier after the initialisation: __syncthreads(); || }}
  if (w == 0) { if (t == 0) EACH (int n = 0;; n++) { int s = n % 2; {{room is not awaited: mb_wait(&empty[s], (n / 2 & 1) ^ 1); || }} int j = {{a number that is counted plainly: atomicAdd(c, 1) || (*c)++}}; job[s] = j; {{told before it is there:  || mb_arrive(&full[s]); job[s] = j;}} mb_arrive(&full[s]); if (j >= 9) break; } }
  else { int i = t - 32; EACH (int n = 0;; n++) { int s = n % 2; {{the number is not awaited: mb_wait(&full[s], n / 2 & 1); || }} {{the phase stays:  || mb_wait(&full[s], 0);}}
    {{room is told before it is read:  || if (lane == 0) mb_arrive(&empty[s]);}} int j = job[s]; {{no barrier of the warp before room is told: __syncwarp(); || }} if (lane == 0) mb_arrive(&empty[s]);
    if (j >= 9) break; b[j * 96 + i] = a[j * 96 + i] + j; } }""", (864, -864, -1), grid=3),
        _made("two groups in turns by named barriers", """
  __shared__ int s[64]; int g = t / 64, i = t % 64, sum = 0; {{the first turn is not given: if (g == 1) named_arrive<1, 128>(); || }}
  EACH (int n = 0; n < 4; n++) { {{the turn is not awaited: if (g == 0) named_sync<1, 128>(); else named_sync<2, 128>(); || }}
    s[i] = a[(n * 2 + g) * 64 + i]; {{no barrier of the group: if (g == 0) named_sync<3, 64>(); else named_sync<4, 64>(); || __syncwarp();}}
    {{the turn is given before it is read:  || if (g == 0) named_arrive<2, 128>(); else if (n < 3) named_arrive<1, 128>();}} sum += s[63 - i] * (n + 1);
    {{one turn too many: if (g == 0) named_arrive<2, 128>(); else if (n < 3) named_arrive<1, 128>(); || if (g == 0) named_arrive<2, 128>(); else if (n < 2) named_arrive<1, 128>();}} }
  b[t] = sum;""", (512, -128), grid=1),
        _made("bins of two blocks", """
  __shared__ int h[32]; int me = rank(); if (t < 32) h[t] = 0; {{no barrier of the cluster at the start: cluster_arrive(); cluster_wait(); || __syncthreads();}}
  EACH (int n = 0; n < 4; n++) { int v = a[(B * 4 + n) * 128 + t] % 64; {{plain counting: add_cluster(map_to(&h[v % 32], v / 32)); || unsigned at = map_to(&h[v % 32], v / 32); st_cluster(at, ld_cluster(at) + 1);}} }
  {{a relaxed arrival before they are read: cluster_arrive(); || cluster_arrive_relaxed();}} {{no wait before they are read: cluster_wait(); || __syncthreads();}}
  if (t < 32) {{plain adding: atomicAdd(b + me * 32 + t, h[t]); || b[me * 32 + t] += h[t];}}""", (2048, -64), grid=4, cluster=2),
        _made("threads of which the last adds up", """
  b[B * 64 + t] = a[B * 64 + t] * 2; {{no fence before it counts: __threadfence(); || }} int seen = {{plain counting: atomicAdd(c, 1) || (*c)++}}; if (seen != {{the last but one: 191 || 190}}) return;
  {{no fence behind: __threadfence(); || }} int sum = 0; EACH (int i = 0; i < 192; i++) sum += b[i]; d[0] = sum;""", (192, -192, -1, -1), grid=3, block=64),
        _made("rounds of blocks that meet by a counter", """
  int i = B * 64 + t; EACH (int n = 0; n < 3; n++) { b[i] = a[(i + 64) % 192] + a[i];
    EACH (int half = 0; half < 2; half++) { {{no barrier before it is told: __syncthreads(); || }} if (t == 0) { {{no fence before it is told: __threadfence(); || }} atomicAdd(c, 1);
        {{others are not awaited: while || if}} (load_acquire(c) < 3 * (2 * n + half + {{the round before is awaited: 1 || 0}})); } {{no barrier after all are there: __syncthreads(); || }}
      if (half == 0) a[i] = b[191 - i]; } }""", (192, -192, -1), grid=3, block=64, inputs=numbers(192, -192, -1)),
    ]  # fmt: skip


def all_sources() -> list[Source]:
    """Every source."""
    return [*rings(), *shared_work()]
