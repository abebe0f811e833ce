"""What libraries of kernels are built of, in CUDA C with places for bugs: states of pipelines, orders of groups, semaphores
of split and streamed K, look-back, queues of locks, schedulers, copies of single warps.
"""

from __future__ import annotations

from tests.sim.hazards.irregular import Source
from tests.sim.hazards.pipelines import made


def states() -> list[Source]:
    """Rings whose state goes on from tile to tile, and what stands around them."""
    return [
        made("tiles of a block that stays, with a state", """
  __shared__ alignas(128) int s[4][64], r[4][64]; __shared__ unsigned long long full[4], empty[4];
  if (t == 0) { for (int n = 0; n < 4; n++) { mb_init(&full[n], {{full counts both copies: 1 || 2}}); mb_init(&empty[n], {{empty counts threads: 3 || 96}}); } fence_init(); }
  {{no barrier after the initialisation: __syncthreads(); || }}
  if (w == 0) { if (lane == 0) { int i = 0, p = {{the producer starts with phase 0: 1 || 0}};
    for (int tile = B; tile < 6; tile += gridDim.x) { {{the producer starts anew with each tile: || i = 0; p = 1; }}
      for (int k = 0; k < 3; k++) { mb_wait(&empty[i], p);
        mb_expect(&full[i], {{bytes of one operand: 512 || 256}}); bulk_load(s[i], a + (tile * 3 + k) * 64, 256, &full[i]);
        bulk_load(r[i], b + (tile * 3 + k) * 64, 256, {{the barrier of the stage after: &full[i] || &full[(i + 1) % 4]}});
        if (++i == {{the producer wraps a stage early: 4 || 3}}) { i = 0; {{the producer's phase stays: p ^= 1; || }} } } } } }
  else { int i = 0, p = 0, j = (t - 32) % 64;
    for (int tile = B; tile < 6; tile += gridDim.x) { int sum = 0; {{the consumers start anew with each tile: || i = 0; p = 0; }}
      for (int k = 0; k < 3; k++) { mb_wait(&full[i], {{the consumers wait for the phase before: p || (p ^ 1)}});
        {{free before it is read: || if (lane == 0) mb_arrive(&empty[i]); }} sum += s[i][j] * r[i][63 - j]; {{no warp barrier before it is free: __syncwarp(); || }}
        {{free before it is read: if (lane == 0) mb_arrive(&empty[i]); || }} {{two warps say it is free twice: || if (lane == 0 && w == 2) mb_arrive(&empty[i]); }}
        if (++i == 4) { i = 0; {{the consumers' phase stays: p ^= 1; || }} } }
      c[tile * 96 + t - 32] = sum; } }""", (1152, 1152, -576), grid=2),
        made("an epilogue of a block that stays", """
  __shared__ alignas(128) int s[2][128];
  for (int n = 0; n < 5; n++) { int* o = s[n & 1];
    if (t == 0) { {{one group more may read: bulk_wait_read<1>(); || bulk_wait_read<2>(); }} }
    {{no barrier after the wait: __syncthreads(); || }}
    o[t] = a[n * 128 + t] + n; {{no proxy fence: fence_async(); || }} {{no barrier before the copy: __syncthreads(); || }}
    if ({{two threads copy in turns: t == 0 || t == (n & 1)}}) { bulk_store(b + n * 128, o, 512); {{one group for all: bulk_commit(); || if (n == 4) bulk_commit(); }} } }
  if (t < 2) { {{no wait at the end: bulk_wait_read<0>(); || }} }""", (640, -640), grid=1),
        made("groups in turns by mbarriers", """
  __shared__ int s[64]; __shared__ unsigned long long order[2]; int g = t / 64, i = t % 64;
  if (t == 0) { mb_init(&order[0], {{half of a group: 64 || 32}}); mb_init(&order[1], 64); }
  __syncthreads(); int p = {{both go first: g ^ 1 || 1}};
  for (int n = 0; n < 4; n++) {
    {{the turn is not awaited: mb_wait(&order[g], p); || }} {{the phase stays: p ^= 1; || }}
    s[i] = a[(n * 2 + g) * 64 + i]; {{no barrier of the group: if (g == 0) named_sync<1, 64>(); else named_sync<2, 64>(); || }}
    {{the turn is given before it is used: || mb_arrive(&order[g ^ 1]); }} int v = s[63 - i]; {{the turn is given before it is used: mb_arrive(&order[g ^ 1]); || }}
    {{the turn is given to oneself: || mb_arrive(&order[g]); }} b[(n * 2 + g) * 64 + i] = v; }""", (512, -512), grid=1),
        made("groups in turns by named barriers", """
  __shared__ int s[64]; int g = t / 64, i = t % 64;
  if (g == 1) { {{nobody goes first: asm volatile("bar.arrive 1, 128;" ::: "memory"); || }} }
  for (int n = 0; n < 4; n++) {
    asm volatile("bar.sync %0, %1;" :: "r"(1 + {{the turn of the other: g || (g ^ 1)}}), "n"({{a group's count: 128 || 64}}) : "memory");
    s[i] = a[(n * 2 + g) * 64 + i]; asm volatile("bar.sync %0, 64;" :: "r"(3 + g) : "memory");
    int v = s[63 - i];
    {{a turn is left out: if (g == 0 or n < 3) || if (g == 0 or n < 2) }} asm volatile("bar.arrive %0, 128;" :: "r"(1 + (g ^ 1)) : "memory");
    b[(n * 2 + g) * 64 + i] = v; }""", (512, -512), grid=1),
        made("tiles from a counter by way of a ring", """
  __shared__ int id[2]; __shared__ unsigned long long full[2], empty[2];
  if (t == 0) { for (int n = 0; n < 2; n++) { mb_init(&full[n], 1); mb_init(&empty[n], {{two warps are enough: 3 || 2}}); } } __syncthreads();
  if (w == 0) { if (lane == 0) for (int n = 0; ; n++) { int i = n & 1; {{the slot is not awaited: mb_wait(&empty[i], (n >> 1 & 1) ^ 1); || }}
      int q = atomicAdd(d, 1); {{told before it is there: || mb_arrive(&full[i]); }} id[{{always the first slot: i || 0}}] = q; {{told before it is there: mb_arrive(&full[i]); || }} if (q >= 5) break; } }
  else for (int n = 0; ; n++) { int i = n & 1; {{the tile is not awaited: mb_wait(&full[i], n >> 1 & 1); || }} {{free before it is read: || if (lane == 0) mb_arrive(&empty[i]); }}
      int q = id[i]; {{no warp barrier: __syncwarp(); || }} {{free before it is read: if (lane == 0) mb_arrive(&empty[i]); || }} if (q >= 5) break; b[q * 96 + t - 32] = a[q * 96 + t - 32] + q; }""",
            (480, -480, -1, -1), grid=2),
        made("copies of single warps", """
  __shared__ alignas(128) int s[4][32]; __shared__ unsigned long long bar[4]; int sum = 0;
  if (lane == 0) { mb_init(&bar[w], 1); fence_init(); } {{no warp barrier after the initialisation: __syncwarp(); || }}
  for (int n = 0; n < 4; n++) {
    if (lane == 0) { mb_expect(&bar[w], {{bytes of four: 128 || 512}}); bulk_load(s[{{the place of the warp after: w || (w + 1) % 4}}], a + (n * 4 + w) * 32, 128, &bar[{{the barrier of the warp after: w || (w + 1) % 4}}]); }
    {{one lane waits for all: mb_wait(&bar[w], n & 1); || if (lane == 0) mb_wait(&bar[w], n & 1); }}
    sum += s[w][31 - lane]; {{no warp barrier before the next copy: __syncwarp(); || }} }
  b[t] = sum;""", (512, -128), grid=1),
        made("the last reader fills again", """
  __shared__ alignas(128) int s[128]; __shared__ unsigned long long bar; __shared__ int left; int sum = 0;
  if (t == 0) { mb_init(&bar, 1); left = 4; fence_init(); mb_expect(&bar, 512); bulk_load(s, a, 512, &bar); } __syncthreads();
  for (int n = 0; n < 4; n++) { mb_wait(&bar, n & 1); sum += s[127 - t] * n; {{no warp barrier: __syncwarp(); || }}
    if (lane == 0) { {{no fence before the count: __threadfence_block(); || }} if (atomicSub(&left, 1) == {{the first one fills: 1 || 4}}) { {{no fence after the count: __threadfence_block(); || }} atomicExch(&left, 4);
      if (n < 3) { mb_expect(&bar, 512); bulk_load(s, a + (n + 1) * 128, 512, &bar); } } } }
  b[t] = sum;""", (512, -128), grid=1),
        made("in place by copies of two stages", """
  __shared__ alignas(128) int s[2][128]; __shared__ unsigned long long bar[2];
  if (t == 0) { mb_init(&bar[0], 1); mb_init(&bar[1], 1); fence_init(); } __syncthreads();
  if (t == 0) { mb_expect(&bar[0], 512); bulk_load(s[0], a, 512, &bar[0]); }
  for (int n = 0; n < 5; n++) { int i = n & 1; if (n < 4 && t == 0) { mb_expect(&bar[i ^ 1], 512); bulk_load(s[i ^ 1], a + (n + 1) * 128, 512, &bar[i ^ 1]); }
    {{stored before the copy has read: || a[n * 128 + t] = n; }} mb_wait(&bar[i], {{the phase of each round: n >> 1 & 1 || n & 1}}); int v = s[i][127 - t];
    a[{{stored over what is still to be read: n || (n < 4 ? n + 1 : n)}} * 128 + t] = v; {{no barrier before the next copy: __syncthreads(); || }} }""", (640,), grid=1),
    ]  # fmt: skip


def grids() -> list[Source]:
    """Blocks that add up what others have left: by semaphores, flags, look-back, queues of locks, rings."""
    return [
        made("split-K by a semaphore of the block", """
  int state = -1; if (t == 0) state = {{no acquire: load_acquire(c) || load_relaxed(c)}};
  {{the turn is not awaited: while (__syncthreads_and(state != B)) { if (t == 0) state = load_acquire(c); } || }}
  b[t] = (B ? b[t] : 0) + a[B * 128 + t];
  {{no barrier before the release: __syncthreads(); || }}
  if (t == 0) { {{no release: store_release(c, B + 1 == gridDim.x ? 0 : B + 1); || store_relaxed(c, B + 1 == gridDim.x ? 0 : B + 1); }} }""", (384, -128, -1)),
        made("split-K by a semaphore that is only relaxed", """
  if (t == 0) { while ({{a load that is not strong: load_relaxed(c) || *c}} != B) {} {{no fence after the wait: __threadfence(); || }} }
  {{no barrier after the wait: __syncthreads(); || }} b[t] = (B ? b[t] : 0) + a[B * 128 + t];
  {{no barrier before the release: __syncthreads(); || }} if (t == 0) { {{no fence before the release: __threadfence(); || }} store_relaxed(c, B + 1); }""", (384, -128, -1)),
        made("streamed K with fix-up", """
  int v = a[B * 128 + t];
  if (B & 1) { d[B * 128 + t] = v; {{no barrier before the flag: __syncthreads(); || }}
    if (t == 0) { {{no fence before the flag: __threadfence(); || }} {{a flag by a plain store: atomicExch(&c[B], 1); || c[B] = 1; }} } }
  else { if (t == 0) { while ({{the flag of another tile: atomicAdd(&c[B + 1], 0) || atomicAdd(&c[(B + 3) % 4], 0)}} == 0) {} {{no fence after the flag: __threadfence(); || }} }
    {{no barrier after the flag: __syncthreads(); || }} b[B / 2 * 128 + t] = v + {{a load by the read-only cache: d[(B + 1) * 128 + t] || __ldg(&d[(B + 1) * 128 + t])}}; }""",
            (512, -256, -4, -512), grid=4),
        made("look-back with values beside their states", """
  __shared__ int total, before; if (t == 0) total = 0; __syncthreads(); int v = a[B * 128 + t]; atomicAdd(&total, v); {{no barrier before the sum: __syncthreads(); || }}
  if (t == 0) { int x = 0;
    if (B) { d[B] = total; {{no fence after the sum: __threadfence(); || }} store_relaxed(&c[B], 1);
      for (int j = B - 1; j >= 0; j--) { int f; while ((f = load_relaxed(&c[j])) == 0) {} {{no fence of the reader: __threadfence(); || }} if (f == {{the sum for the prefix: 2 || 1}}) { x += e[j]; break; } x += d[j]; } }
    {{the state before the prefix: || store_relaxed(&c[B], 2); }} e[B] = x + total; {{no fence after the prefix: __threadfence(); || }} {{the state before the prefix: store_relaxed(&c[B], 2); || }} before = x; }
  {{no barrier after the look-back: __syncthreads(); || }} b[B * 128 + t] = before + v;""", (512, -512, -4, -4, -4), grid=4),
        made("a queue of those who want a lock", """
  if (t == 0) for (int n = 0; n < 2; n++) { store_relaxed(&c[B], 0); {{asked to wait too late: store_relaxed(&d[B], 1); || }} __threadfence();
    int last = atomicExch(e, B + 1);
    if (last) { __threadfence(); store_relaxed(&c[last - 1], B + 1); {{asked to wait too late: || store_relaxed(&d[B], 1); }} while ({{the turn is taken without acquire: load_acquire(&d[B]) || load_relaxed(&d[B])}}) {} }
    else { {{a free lock without a fence: __threadfence(); || }} }
    b[0] = b[0] + a[B]; int next = load_acquire(&c[B]);
    if (!next) { {{given back without a fence: __threadfence(); || }} if (atomicCAS(e, B + 1, 0) == B + 1) continue; {{the next one is not awaited: while ((next = load_acquire(&c[B])) == 0) {} || next = 1; }} }
    {{the turn is given without release: store_release(&d[next - 1], 0); || store_relaxed(&d[next - 1], 0); }} }""", (4, -1, -4, -4, -1), grid=4, block=32),
        made("sums round a ring of blocks", """
  int to = (B + 1) % 4; int v = a[B * 128 + t], sum = v;
  for (int n = 0; n < 6; n++) { int* box = b + (to * 2 + (n & 1)) * 128; int* mine = b + (B * 2 + (n & 1)) * 128;
    if (n >= 2) { if (t == 0) { while (load_acquire(&d[to]) < {{room a round early: n - 1 || n - 2}}) {} } {{no barrier after there is room: __syncthreads(); || }} }
    box[t] = v; {{no barrier before it is told: __syncthreads(); || }} if (t == 0) { {{told without release: store_release(&c[to], n + 1); || store_relaxed(&c[to], n + 1); }} while (load_acquire(&c[B]) < {{the round before will do: n + 1 || n}}) {} }
    {{no barrier after it has come: __syncthreads(); || }} v = mine[t]; {{no barrier before there is room: __syncthreads(); || }} if (t == 0) { {{room without release: store_release(&d[B], n + 1); || store_relaxed(&d[B], n + 1); }} } sum += v; }
  e[B * 128 + t] = sum;""", (512, -1024, -4, -4, -512), grid=4),
    ]  # fmt: skip


def clusters() -> list[Source]:
    """Tiles for two blocks, with words of both that a stage is free."""
    return [
        made("tiles for both blocks in two stages", """
  __shared__ alignas(128) int s[2][128]; __shared__ unsigned long long full[2], empty[2]; int r = rank(), sum = 0;
  if (t == 0) { for (int n = 0; n < 2; n++) { mb_init(&full[n], 1); mb_init(&empty[n], {{free by the words of one block: 8 || 4}}); } fence_init(); }
  {{nobody waits for the peer's initialisation: cluster_arrive(); cluster_wait(); || __syncthreads(); }}
  for (int n = 0; n < 6; n++) { int i = n & 1, p = n >> 1 & 1;
    if (t == 0) { mb_expect(&full[i], {{bytes of one half: 512 || 256}}); {{no stage is awaited: cluster_mb_wait(&empty[i], p ^ 1); || }}
      multicast(s[i] + r * 64, a + (n * 2 + r) * 64, 256, &full[i], {{the own block only: 3 || (1 << r)}}); }
    mb_wait(&full[i], p); sum += s[i][127 - t]; {{no warp barrier: __syncwarp(); || }}
    if (lane == 0) { remote_arrive(&empty[i], {{free at home only: 0 || r}}); remote_arrive(&empty[i], {{free at home only: 1 || r}}); } }
  b[B * 128 + t] = sum; {{no barrier at the end: cluster_arrive(); cluster_wait(); || }}""",
            (768, -256), grid=2, cluster=2),
        made("products of what cp.async brings", """
  __shared__ alignas(128) int s[2][512], r[2][64]; float x[4] = {0, 0, 0, 0};
  for (int n = 0; n < 3; n++) { int i = n & 1; if (n == 0) { cp16(s[0] + t * 4, a + t * 4); if (t < 16) cp16(r[0] + t * 4, b + t * 4); cp_commit(); }
    if (n < 2) { cp16(s[i ^ 1] + t * 4, a + (n + 1) * 512 + t * 4); if (t < 16) cp16(r[i ^ 1] + t * 4, b + (n + 1) * 64 + t * 4); } cp_commit();
    {{fence too early: || fence_async(); }} {{one group too many: cp_wait<1>(); || cp_wait<2>(); }} {{fence too early: fence_async(); || }} {{no barrier: __syncthreads(); || }}
    wg_fence(); wg_mma(x, desc(s[i]), desc(r[i]), n > 0); wg_commit(); {{the product may still read: wg_wait<0>(); || wg_wait<1>(); }} __syncthreads(); }
  c[t] = (int)(x[0] + x[1] + x[2] + x[3]);""",
            (1536, 192, -128), grid=1),
    ]  # fmt: skip


def all_sources() -> list[Source]:
    """Every source."""
    return [*states(), *grids(), *clusters()]
