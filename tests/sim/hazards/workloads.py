"""Workloads in CUDA C with places for bugs: locks, last blocks, histograms, groups, barriers, pipelines, look-back, queues, roles."""

from __future__ import annotations

from tests.sim.hazards.irregular import Source
from tests.sim.hazards.pipelines import made

_GROUPS = (
    "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\n"
)
_BARRIER = "#include <cooperative_groups.h>\n#include <cuda/barrier>\n"


def counted() -> list[Source]:
    """Locks, counters, bins and queues in global memory."""
    return [
        made("accounts under two locks", """
  for (int n = 0; n < 2; n++) if (t == 0) { int i = (B + n) % 3, j = (B + n + 1) % 3, low = {{locks in the order of use: min(i, j) || i}}, high = {{locks in the order of use: max(i, j) || j}};
    {{the first lock is not taken: while (atomicCAS(c + low, 0, 1) != 0); || }} {{the second lock is not taken: while (atomicCAS(c + high, 0, 1) != 0); || }}
    {{no fence behind the locks: __threadfence(); || }} b[i] -= a[B]; b[j] += a[B]; {{no fence before they are given back: __threadfence(); || }}
    {{given back plainly: atomicExch(c + high, 0); || c[high] = 0;}} {{the other one is given back: atomicExch(c + low, 0); || atomicExch(c + 3 - low - high, 0); }} }""",
             (3, -3, -3), grid=3, block=32),
        made("statistics of which the last block makes an end", """
  __shared__ float mean[4], most[4]; __shared__ bool last; float v = a[B * 128 + t], m = v;
  for (int d = 16; d; d /= 2) { v += __shfl_down_sync(~0u, v, d); m = fmaxf(m, __shfl_down_sync(~0u, m, d)); }
  if (lane == 0) { mean[w] = v; most[w] = m; } {{no barrier before the sums of warps are read: __syncthreads(); || }}
  if (t == 0) { float x = 0, y = 0; for (int i = 0; i < 4; i++) { x += mean[i]; y = fmaxf(y, most[i]); }
    ((float*)b)[2 * B] = x; {{one half after the fence: ((float*)b)[2 * B + 1] = y; || }} {{no fence before it counts: __threadfence(); || }}
    last = {{the last but one: atomicInc((unsigned*)c, gridDim.x - 1) == gridDim.x - 1; || atomicInc((unsigned*)c, gridDim.x - 1) == gridDim.x - 2;}} {{one half after the fence: || ((float*)b)[2 * B + 1] = y; }} }
  {{no barrier before all know: __syncthreads(); || }}
  if (last) { {{no fence behind the counter: if (t == 0) __threadfence(); || }} {{no barrier behind the fence: __syncthreads(); || }}
    if (t < 2) { float x = 0; for (int i = 0; i < 3; i++) x = t ? fmaxf(x, ((float*)b)[2 * i + 1]) : x + ((float*)b)[2 * i]; d[t] = (int)x; } }""",
             (384, -6, -1, -2), grid=3),
        made("bins of warps, added up", """
  __shared__ int h[4][16]; for (int i = t; i < 64; i += 128) ((int*)h)[i] = 0; {{no barrier after they are zero: __syncthreads(); || }}
  for (int n = 0; n < 3; n++) { int v = a[(B * 3 + n) * 128 + t] & 15; unsigned peers = __match_any_sync(~0u, v);
    if (lane == __ffs(peers) - 1) {{the bins of the first two warps: h[w][v] || h[w % 2][v]}} += __popc(peers); {{no warp barrier between rounds: __syncwarp(); || }} }
  {{no barrier before they are added: __syncthreads(); || __syncwarp(); }} if (t < 16) { int s = 0; for (int i = 0; i < 4; i++) s += h[i][t]; {{plain adding: atomicAdd(b + t, s); || b[t] += s;}} }""",
             (1152, -16), grid=3),
        made("a queue with a counter of tickets and one of turns", """
  if (t == 0) for (int n = 0; n < 2; n++) { int mine = {{plain tickets: atomicAdd(c, 1); || (*c)++;}}
    {{the turn is not awaited: while || if}} ({{the turn is read relaxed: load_acquire || load_relaxed}}(d) {{the turn before will do: != mine || < mine - 1}}); b[0] = b[0] * 3 + a[B * 2 + n];
    {{told relaxed: store_release(d, mine + 1); || store_relaxed(d, mine + 1);}} {{told twice: || b[0]++; }} }""",
             (6, -1, -1, -1), grid=3, block=32),
        made("scan with look-back by a warp", """
  __shared__ int s[2], before; int v = a[B * 64 + t], x = v;
  for (int d = 1; d < 32; d *= 2) { int y = __shfl_up_sync(~0u, x, d); if (lane >= d) x += y; }
  if (lane == 31) s[w] = x; {{no barrier before the warps' sums are read: __syncthreads(); || }} int total = s[0] + s[1];
  if (w == 0) { if (lane == 0) { c[B] = total; {{no fence before the sum is told: __threadfence(); || }} atomicExch(d + B, 1); }
    int sum = 0; for (int p = B - 1; p >= 0;) { int q = p - lane, f = 2;
      if (q >= 0) { {{a block is not awaited: while || if}} ((f = atomicAdd(d + q, 0)) == 0); } {{no fence behind the flag: __threadfence(); || }}
      unsigned done = __ballot_sync(~0u, f == 2); int first = done ? __ffs(done) - 1 : 32;
      int part = q >= 0 && lane <= first ? (f == 2 ? e[q] : c[q]) : 0;
      for (int i = 16; i; i /= 2) part += __shfl_xor_sync(~0u, part, i); sum += part; if (first < 32) break; p -= 32; }
    if (lane == 0) { e[B] = sum + total; {{no fence before the sum so far is told: __threadfence(); || }} {{told before it is there: atomicExch(d + B, 2); || }} before = sum; {{told before it is there: || atomicExch(d + B, 2); e[B] = sum + total; }} } }
  {{no barrier before it is added: __syncthreads(); || }} b[B * 64 + t] = x + (w ? s[0] : 0) + before;""",
             (256, -256, -4, -4, -4), grid=4, block=64),
    ]  # fmt: skip


def together() -> list[Source]:
    """Groups of threads, barriers and copies of the libraries."""
    return [
        made("tiles and coalesced groups", """
  namespace cg = cooperative_groups; __shared__ int part[8], list[128], count; auto block = cg::this_thread_block(); auto tile = cg::tiled_partition<16>(block);
  if (t == 0) count = 0;
  int v = a[B * 128 + t]; int s = cg::reduce(tile, v, cg::plus<int>()); if (tile.thread_rank() == 0) part[tile.meta_group_rank()] = s;
  {{no barrier before the parts are read: block.sync(); || tile.sync(); }}
  if (v % 3 == 0) { auto some = cg::coalesced_threads(); int at = 0; if (some.thread_rank() == 0) at = {{plain counting: atomicAdd(&count, some.size()); || count; count += some.size();}} at = some.shfl(at, 0); list[at + some.thread_rank()] = v + part[v % 8]; }
  {{no barrier before the list is read: block.sync(); || }} int sum = 0; for (int i = t; i < count; i += 128) sum += list[i];
  if (tile.thread_rank() == 0) part[tile.meta_group_rank()] = 0; {{the tile meets instead of the block: block.sync(); || tile.sync();}} atomicAdd(&part[t % 8], sum);
  {{no barrier at the end: block.sync(); || }} if (t < 8) b[B * 8 + t] = part[t];""",
             (384, -24), includes=_GROUPS),
        made("arrivals and waits of cuda::barrier", """
  using bar_t = cuda::barrier<cuda::thread_scope_block>; __shared__ bar_t ready[2], filled[2]; __shared__ int s[2][64];
  if (t < 2) { init(&ready[t], 128); init(&filled[t], {{those who fill alone: 128 || 64}}); } {{no barrier after init: __syncthreads(); || }}
  if (t < 64) for (int n = 0; n < 5; n++) { {{room is not awaited: ready[n & 1].arrive_and_wait(); || (void)ready[n & 1].arrive(); }} s[{{the other buffer: n & 1 || (n & 1) ^ 1}}][t] = a[(B * 5 + n) * 64 + t]; (void)filled[n & 1].arrive(); {{told before it is there: || s[n & 1][t] += 1; }} }
  else { int i = t - 64, sum = 0; (void)ready[0].arrive(); {{room is not told at first: (void)ready[1].arrive(); || }}
    for (int n = 0; n < 5; n++) { {{words are not awaited: filled[n & 1].arrive_and_wait(); || (void)filled[n & 1].arrive(); }} sum += s[n & 1][63 - i] * (n + 1); (void)ready[n & 1].arrive(); {{room is told before it is read: || sum += s[n & 1][i]; }} }
    b[B * 64 + i] = sum; }""",
             (640, -128), grid=2, includes=_BARRIER),
        made("copies at a cuda::barrier", """
  namespace cg = cooperative_groups; using bar_t = cuda::barrier<cuda::thread_scope_block>; __shared__ alignas(16) int s[2][128]; __shared__ bar_t bar[2]; auto block = cg::this_thread_block();
  if (t < 2) init(&bar[t], 128); {{no barrier after init: block.sync(); || }}
  cuda::memcpy_async(block, s[0], a + B * 512, cuda::aligned_size_t<16>(512), bar[0]); int sum = 0;
  for (int n = 0; n < 4; n++) { if (n < 3) cuda::memcpy_async(block, s[{{into the buffer in use: (n + 1) & 1 || n & 1}}], a + B * 512 + (n + 1) * 128, cuda::aligned_size_t<16>(512), bar[(n + 1) & 1]);
    {{the copy is not awaited: bar[n & 1].arrive_and_wait(); || (void)bar[n & 1].arrive(); }} sum += s[n & 1][127 - t] * (n + 1); {{no barrier before the buffer is filled again: block.sync(); || }} }
  b[B * 128 + t] = sum;""",
             (1024, -256), grid=2, includes=_BARRIER),
    ]  # fmt: skip


def roles() -> list[Source]:
    """Warps that load, compute and store; blocks that hand work on."""
    return [
        made("a warp that loads, two that compute, one that stores", """
  __shared__ alignas(128) int in[3][64], out[2][64]; __shared__ unsigned long long full[3], empty[3], done[2], room[2];
  if (t == 0) { for (int s = 0; s < 3; s++) { mb_init(&full[s], 1); mb_init(&empty[s], {{one warp frees: 2 || 1}}); } for (int s = 0; s < 2; s++) { mb_init(&done[s], {{half of those who compute: 64 || 32}}); mb_init(&room[s], 1); } fence_init(); }
  {{no barrier after the initialisation: __syncthreads(); || }}
  if (w == 0) { if (lane == 0) for (int n = 0; n < 7; n++) { int s = n % 3; {{a stage is not awaited: mb_wait(&empty[s], (n / 3 & 1) ^ 1); || }} mb_expect(&full[s], {{bytes of half a stage: 256 || 128}}); bulk_load(in[s], a + (B * 7 + n) * 64, 256, &full[s]); } }
  else if (w < 3) { int i = t - 32; for (int n = 0; n < 7; n++) { int s = n % 3, o = n & 1; {{words are not awaited: mb_wait(&full[s], n / 3 & 1); || }} int v = in[s][63 - i] * 2 + n;
      {{no warp barrier before a stage is free: __syncwarp(); || }} if (lane == 0) mb_arrive(&empty[s]); {{room is not awaited: mb_wait(&room[o], (n / 2 & 1) ^ 1); || }} out[o][i] = v; {{no proxy fence: || if (false)}} {{a proxy fence of one lane: || if (lane == 0)}} {{a proxy fence of all lanes but one: || if (lane != 9)}} fence_async();
      {{done before it is stored: || mb_arrive(&done[o]); out[o][i] = v; }} mb_arrive(&done[o]); } }
  else if (lane == 0) { for (int n = 0; n < 7; n++) { int o = n & 1; {{sums are not awaited: mb_wait(&done[o], n / 2 & 1); || }} bulk_store(b + (B * 7 + n) * 64, out[o], 256); {{no commit: bulk_commit(); || }}
      if (n) { {{one more may read: bulk_wait_read<1>(); || bulk_wait_read<2>(); }} mb_arrive(&room[o ^ 1]); } } {{no wait at the end: bulk_wait_read<0>(); || }} }""",
             (896, -896), grid=2),
        made("blocks of a cluster that hand a sum on", """
  __shared__ int box[32]; __shared__ unsigned long long full; int me = rank();
  if (t == 0) { mb_init(&full, 1); fence_init(); if (me) mb_expect(&full, {{bytes of half: 128 || 64}}); } {{no barrier of the cluster at the start: cluster_arrive(); cluster_wait(); || __syncthreads();}}
  if (w == 0) { int v = a[B * 32 + lane]; if (me) { {{the sum is not awaited: cluster_mb_wait(&full, 0); || }} v += box[lane]; }
    if (me < 3) st_async(map_to(&box[lane], {{to oneself: me + 1 || me}}), v, map_to(&full, me + 1)); b[B * 32 + lane] = v; }
""",
             (256, -256), grid=8, block=64, cluster=4),
    ]  # fmt: skip


def all_sources() -> list[Source]:
    """Every source."""
    return [*counted(), *together(), *roles()]
