"""More programs in CUDA C with places for bugs: reductions, locks, linked structures, graphs, groups, arrays' ends.

As in `idioms`; these use CUDA's own headers too: cooperative groups, `cuda::atomic_ref`, `cuda::barrier`.
"""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.idioms import numbers, source
from tests.sim.hazards.irregular import Source, graph

REF = "#include <cuda/atomic>\n"
GROUPS = "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
USING = "  namespace cg = cooperative_groups; auto block = cg::this_thread_block();\n"
DEVICE = "cuda::atomic_ref<int, cuda::thread_scope_{{narrow scope: device || block}}>"


def reductions() -> list[Source]:
    """Sums and maxima of a block, of a warp, of the grid."""
    found = [
        source("tree with interleaved neighbours", """
  __shared__ int s[128]; s[t] = a[B * 128 + t]; {{no barrier: __syncthreads(); || }}
  for (int d = 1; d < 128; d *= 2) { if (t % (2 * d) == 0) s[t] += s[t + d]; {{no barrier in the loop: __syncthreads(); || }} }
  if (t == 0) b[B] = s[0];""", (384, -3)),
        source("tree whose last warp goes alone", """
  __shared__ int s[128]; s[t] = a[B * 128 + t]; __syncthreads();
  for (int d = 64; d >= 32; d /= 2) { if (t < d) s[t] += s[t + d]; {{no barrier: __syncthreads(); || }} }
  if (t < 32) for (int d = 16; d; d /= 2) { int v = s[t + d]; {{no warp barrier after the load: __syncwarp(); || }} s[t] += v; {{no warp barrier after the store: __syncwarp(); || }} }
  if (t == 0) b[B] = s[0];""", (384, -3)),
        source("shuffles and a last warp", """
  __shared__ int part[32]; int v = a[B * 128 + t];
  for (int d = 16; d; d /= 2) v += __shfl_down_sync({{mask of half: ~0u || 0xffff0000u}}, v, d);
  if (lane == 0) part[w] = v;
  {{no barrier: __syncthreads(); || }}
  if (w == 0) { v = lane < {{all parts: 4 || 8}} ? part[lane] : 0; for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d); if (lane == 0) b[B] = v; }""", (384, -3)),
        source("sums of a block added to one word", """
  __shared__ int sum; {{no initial value: if (t == 0) sum = 0; || }} {{no barrier after zero: __syncthreads(); || }}
  {{plain in shared memory: atomicAdd(&sum, a[B * 128 + t]); || sum += a[B * 128 + t]; }} {{no barrier after the sum: __syncthreads(); || }}
  if (t == 0) {{plain in global memory: atomicAdd(b, sum); || *b += sum; }}""", (512, -1), grid=4),
        source("a lane adds for those of its warp that agree", """
  int key = a[B * 64 + t] & 7; unsigned same = __match_any_sync(__activemask(), key);
  if (lane == __ffs(same) - 1) {{plain: atomicAdd(&b[key], __popc(same)); || b[key] += __popc(same); }}""", (192, -8), block=64),
        source("one atomic for a ballot", """
  int v = a[B * 64 + t]; bool take = v % 3 == 0; unsigned votes = __ballot_sync(~0u, take); int leader = __ffs(votes) - 1, base = 0;
  if (take) { if (lane == leader) base = {{plain: atomicAdd(d, __popc(votes)) || (*d += __popc(votes)) - __popc(votes)}}; base = __shfl_sync(votes, base, leader); c[base + __popc(votes & ((1u << lane) - 1))] = v; }""", (192, 1, -192, -1), block=64),
        source("double by compare and swap", """
  unsigned long long* at = (unsigned long long*)b; double v = a[B * 32 + t];
  unsigned long long old = {{plain: *at, seen; || *at; *at = __double_as_longlong(v + __longlong_as_double(old)); return; unsigned long long seen; }}
  do { seen = old; old = atomicCAS(at, seen, __double_as_longlong(v + __longlong_as_double(seen))); } while (old != seen);""", (96, -2), block=32),
        source("bytes by compare and swap of words", """
  int i = (a[B * 32 + t] & 15); unsigned* word = (unsigned*)b + i / 4; int shift = i % 4 * 8; unsigned old = *word, seen;
  {{plain bytes: do { seen = old; unsigned now = ((seen >> shift) + 1) & 255; old = atomicCAS(word, seen, (seen & ~(255u << shift)) | now << shift); } while (old != seen); || ((unsigned char*)b)[i]++; }}""", (96, -4), block=32),
        source("maximum by compare and swap", """
  int v = a[B * 32 + t], old = *b; while (old < v) { int seen = old; old = {{plain: atomicCAS(b, seen, v) || (*b = v, v)}}; if (old == seen) break; }""", (96, -1), block=32),
        source("products of rows by warps", """
  __shared__ int x[64]; if (t < 64) x[t] = b[t]; {{no barrier: __syncthreads(); || __syncwarp(); }}
  for (int r = w; r < 8; r += 4) { int sum = 0; for (int i = lane; i < 64; i += 32) sum += a[r * 64 + i] * x[{{reversed past the end: 63 - i || 64 - i}}]; for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d); if (lane == 0) c[r] = sum; }""", (512, 64, -8), grid=1),
        source("mean and deviation of rows", """
  __shared__ float s[4], mean; float v = a[B * 128 + t], m = v; for (int d = 16; d; d /= 2) m += __shfl_xor_sync(~0u, m, d);
  if (lane == 0) s[w] = m; {{no barrier: __syncthreads(); || }} if (t == 0) mean = (s[0] + s[1] + s[2] + s[3]) / 128; {{no barrier after the mean: __syncthreads(); || }}
  float q = (v - mean) * (v - mean); for (int d = 16; d; d /= 2) q += __shfl_xor_sync(~0u, q, d);
  if (lane == 0) s[w] = q; {{no second barrier: __syncthreads(); || }} ((float*)b)[B * 128 + t] = (v - mean) * rsqrtf(s[0] + s[1] + s[2] + s[3]);""", (384, -384)),
        source("an early barrier for the second use", """
  __shared__ int s[4]; int v = a[t]; for (int n = 0; n < 3; n++) { int m = v; for (int d = 16; d; d /= 2) m = max(m, __shfl_xor_sync(~0u, m, d)); if (lane == 0) s[w] = m; {{no barrier: __syncthreads(); || }} v = max(max(s[0], s[1]), max(s[2], s[3])) - t; {{no barrier before the next: __syncthreads(); || }} }
  b[t] = v;""", (128, -128), grid=1),
        source("a prefix of a block by Blelloch", """
  __shared__ int s[128]; s[t] = a[B * 128 + t];
  for (int d = 1; d < 128; d *= 2) { {{no barrier going up: __syncthreads(); || }} int i = (t + 1) * 2 * d - 1; if (i < 128) s[i] += s[i - d]; }
  if (t == 0) s[127] = 0;
  for (int d = 64; d; d /= 2) { {{no barrier going down: __syncthreads(); || }} int i = (t + 1) * 2 * d - 1; if (i < 128) { int x = s[i - d]; s[i - d] = s[i]; s[i] += x; } }
  {{no barrier at the end: __syncthreads(); || }} b[B * 128 + t] = s[t];""", (384, -384)),
        source("counts of digits and their scatter", """
  __shared__ int count[4], start[4]; if (t < 4) count[t] = 0; {{no barrier after zero: __syncthreads(); || }} int v = a[t], key = v & 3; {{plain: int rank = atomicAdd(&count[key], 1); || int rank = count[key]++; }} {{no barrier after the counts: __syncthreads(); || }}
  if (t == 0) { int sum = 0; for (int n = 0; n < 4; n++) { start[n] = sum; sum += count[n]; } } {{no barrier after the starts: __syncthreads(); || }} b[start[key] + rank] = v;""", (128, -128), grid=1),
    ]  # fmt: skip
    for type_, lanes in (("float", 4), ("short", 4), ("double", 2)):
        found.append(source(f"vectors of {type_} in shared memory", f"""
  typedef {type_} T; __shared__ {type_}{lanes} s[64]; T* flat = (T*)s; if (t < 64) s[t] = (({type_}{lanes}*)a)[t]; {{{{no barrier: __syncthreads(); || }}}}
  ((T*)b)[t] = flat[{{{{past the end: {64 * lanes - 1} - t || {64 * lanes - 64} + t}}}}];""", (512, -512), grid=1))  # fmt: skip
    return found


def locks() -> list[Source]:
    """Mutual exclusion, in every way that is known."""
    return [
        source("a lock with a backoff", """
  if (t == 0) { int wait = 8; while ({{no lock: atomicExch(d, 1) || *(volatile int*)d * 0}}) { __nanosleep(wait); if (wait < 256) wait *= 2; } {{no fence after the lock: __threadfence(); || }}
    b[0] += a[B]; {{no fence before the unlock: __threadfence(); || }} {{plain unlock: atomicExch(d, 0); || *d = 0; }} }""", (8, -1, 1, -1), grid=5, block=32),
        source("test, then test and set", """
  if (t == 0) { while (true) { while (*(volatile int*)d) {} if ({{no lock: atomicCAS(d, 0, 1) == 0 || true}}) break; } {{no fence after the lock: __threadfence(); || }} b[0] += a[B]; b[1] += b[0]; {{no fence before the unlock: __threadfence(); || }} {{plain unlock: *(volatile int*)d = 0; || *d = 0; }} }""", (8, -2, 1, -1), grid=5, block=32),
        source("a lock of cuda::atomic_ref", """
  if (t == 0) { cuda::atomic_ref<int, cuda::thread_scope_{{narrow scope: device || block}}> lock(*d); int free = 0; while (!lock.compare_exchange_weak(free, 1, cuda::memory_order_{{relaxed lock: acquire || relaxed}}, cuda::memory_order_relaxed)) free = 0;
    b[0] += a[B]; lock.store(0, cuda::memory_order_{{relaxed unlock: release || relaxed}}); }""", (8, -1, 1, -1), grid=5, block=32, includes=REF),
        source("a lock of threads of one warp", """
  for (bool done = false; !done;) { if (atomicCAS(d, 0, 1) == 0) { {{no fence after the lock: __threadfence(); || }} b[0] += a[t]; {{no fence before the unlock: __threadfence(); || }} {{plain unlock: atomicExch(d, 0); || *d = 0; }} done = true; } }""", (64, -1, 1, -1), grid=2, block=32),
        source("a lock in shared memory", """
  __shared__ int lock, sum; if (t == 0) lock = sum = 0; {{no barrier after init: __syncthreads(); || }}
  if (lane == 0) { while ({{no lock: atomicCAS(&lock, 0, 1) || 0}}) {} {{no fence after the lock: __threadfence_block(); || }} sum += a[w]; {{no fence before the unlock: __threadfence_block(); || }} {{plain unlock: atomicExch(&lock, 0); || lock = 0; }} }
  {{no barrier: __syncthreads(); || }} b[B * 128 + t] = sum;""", (8, -384)),
        source("a queue of those who wait", """
  int* next = c; int* waits = c + 8; int me = B + 1;
  if (t == 0) { *(volatile int*)&next[me] = 0; *(volatile int*)&waits[me] = 1; __threadfence(); int before = atomicExch(d, me);
    if (before) { *(volatile int*)&next[before] = me; while (*(volatile int*)&waits[me]) {} } {{no fence inside: __threadfence(); || }}
    b[0] += a[B]; {{no fence before leaving: __threadfence(); || }}
    if (atomicCAS(d, me, 0) != me) { int after; while ((after = *(volatile int*)&next[me]) == 0) {} *(volatile int*)&waits[after] = 0; } }""", (8, -1, -16, -1), grid=5, block=32),
        source("readers and a writer", """
  if (t == 0) { if (B % 3 == 0) { while (atomicCAS(d, 0, -1) != 0) {} {{no fence of the writer: __threadfence(); || }} b[0] += 1; b[1] = b[0]; {{no fence after the writing: __threadfence(); || }} atomicExch(d, 0); }
    else { int n; do { n = *(volatile int*)d; } while (n < 0 || atomicCAS(d, n, n + 1) != n); {{no fence of the reader: __threadfence(); || }} c[B] = b[0] - b[1]; {{no fence after the reading: __threadfence(); || }} atomicSub(d, 1); } }""", (1, -2, -8, -1), grid=7, block=32),
        source("numbers of versions", """
  cuda::atomic_ref<int, cuda::thread_scope_device> version(d[0]), x(b[0]), y(b[1]);
  if (t == 0) { if (B == 0) { for (int n = 1; n < 4; n++) { version.store(2 * n - 1, cuda::memory_order_relaxed); cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device); {{plain data: x.store(n, cuda::memory_order_relaxed); || b[0] = n; }} y.store(n, cuda::memory_order_relaxed); version.store(2 * n, cuda::memory_order_release); } }
    else { int before, after, p, q; do { before = version.load(cuda::memory_order_acquire); p = {{plain read: x.load(cuda::memory_order_relaxed) || b[0]}}; q = y.load(cuda::memory_order_relaxed); cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device); after = version.load(cuda::memory_order_relaxed); } while (before != after || before & 1); c[B] = p - q; } }""", (1, -2, -8, -1), grid=3, block=32, includes=REF),
        source("Peterson's lock", """
  if (t == 0) { volatile int* wants = d; volatile int* turn = d + 2; wants[B] = 1; *turn = 1 - B; {{no fence: __threadfence(); || }} while (wants[1 - B] && *turn == 1 - B) {} {{no fence after the lock: __threadfence(); || }} b[0] += a[B]; {{no fence before the unlock: __threadfence(); || }} wants[B] = 0; }""", (2, -1, 1, -3), grid=2, block=32),
        source("looked at twice", """
  if (t == 0) { if ({{relaxed look: load_acquire(&d[1]) || *(volatile int*)&d[1]}} == 0) { while (atomicCAS(&d[0], 0, 1)) {} __threadfence(); if (*(volatile int*)&d[1] == 0) { b[0] = a[0]; {{no release: store_release(&d[1], 1); || *(volatile int*)&d[1] = 1; }} } __threadfence(); atomicExch(&d[0], 0); } c[B] = b[0]; }""", (8, -1, -5, -2), grid=5, block=32),
        source("a semaphore of two", """
  if (t == 0) { int n; do { n = *(volatile int*)d; } while (n >= 2 || atomicCAS(d, n, n + 1) != n); __threadfence(); {{plain: atomicAdd(b, a[B]); || *b += a[B]; }} __threadfence(); atomicSub(d, 1); }""", (8, -1, 1, -1), grid=5, block=32),
        source("one lock for each of two words", """
  if (t == 0) { int i = a[B] & 1, first = 0; while (atomicCAS(&d[first], 0, 1)) {} while (atomicCAS(&d[1 - first], 0, 1)) {} __threadfence(); b[i] += 1; b[1 - i] -= 1; {{no fence: __threadfence(); || }} atomicExch(&d[1 - first], 0); {{not unlocked: atomicExch(&d[first], 0); || }} }""", (8, -2, 1, -2), grid=4, block=32),
    ]  # fmt: skip


def structures() -> list[Source]:
    """Lists, tables, queues, pools: linked through global memory."""
    return [
        source("a list that grows at its head", """
  int me = B * 32 + t; b[me] = a[me]; int* next = c; __threadfence();
  {{plain: int head; do { head = *(volatile int*)d; *(volatile int*)&next[me] = head; __threadfence(); } while (atomicCAS(d, head, me + 1) != head); || next[me] = *d; *d = me + 1; }}""", (96, -96, -96, -1), block=32),
        source("a list that is read while it grows", """
  if (B < 2) { int me = B * 32 + t + 1; b[me] = a[me]; int head; do { head = *(volatile int*)d; c[me] = head; {{no fence: __threadfence(); || }} } while (atomicCAS(d, head, me) != head); }
  else { int sum = 0; for (int at = {{relaxed head: load_acquire(d) || load_relaxed(d)}}; at; at = c[at]) sum += b[at]; e[t] = sum; }""", (128, -128, -128, -1, -32), block=32, grid=3),
        source("a table with open addresses", """
  int key = a[B * 32 + t] % 50 + 1; for (int at = key * 7 % 64;; at = (at + 1) % 64) { int old = {{plain: atomicCAS(&b[at], 0, key) || b[at]; if (old == 0) b[at] = key}}; if (old == 0 || old == key) { {{plain count: atomicAdd(&c[at], 1); || c[at]++; }} break; } }""", (96, -64, -64), block=32),
        source("a table with values that others read", """
  int key = a[B * 32 + t] % 50 + 1; for (int at = key * 7 % 64;; at = (at + 1) % 64) { int old = atomicCAS(&b[at], 0, key); if (old == 0) { c[at] = key * 3; {{no release: store_release(&d[at], 1); || store_relaxed(&d[at], 1); }} break; } if (old == key) { while ({{relaxed look: load_acquire(&d[at]) || load_relaxed(&d[at])}} == 0) {} e[B * 32 + t] = c[at]; break; } }""", (96, -64, -64, -64, -96), block=32),
        source("a stack of numbers that are free", """
  int mine = {{plain: atomicSub(d, 1) || (*d)--}} - 1; int at = b[mine]; c[at] += t + 1;""", (1,) * 4, block=32, grid=2, inputs=lambda: [*numbers(1)(), np.arange(64, dtype=np.int32)[::-1].copy(), *numbers(-64)(), np.array([64], np.int32)]),
        source("queues of levels", """
  __shared__ int count, base; if (t == 0) count = 0; {{no barrier after zero: __syncthreads(); || }} int v = a[B * 128 + t], rank = -1; if (v & 1) rank = {{plain: atomicAdd(&count, 1) || count++}}; {{no barrier after the count: __syncthreads(); || }}
  if (t == 0) base = {{plain in global memory: atomicAdd(d, count) || (*d += count) - count}}; {{no barrier after the base: __syncthreads(); || }} if (rank >= 0) c[base + rank] = v;""", (512, 1, -512, -1), grid=4),
        source("a ring between two blocks", """
  for (int n = 0; n < 8; n++) { if (B == 0) { if (t == 0) while (n - {{relaxed look at the tail: load_acquire(&d[1]) || load_relaxed(&d[1])}} >= 4) {} __syncthreads(); b[n % 4 * 64 + t] = a[n * 64 + t]; {{no barrier of the producer: __syncthreads(); || }} if (t == 0) {{relaxed head: store_release(&d[0], n + 1); || store_relaxed(&d[0], n + 1); }} }
    else { if (t == 0) while ({{relaxed look at the head: load_acquire(&d[0]) || load_relaxed(&d[0])}} <= n) {} {{no barrier of the consumer: __syncthreads(); || }} c[n * 64 + t] = b[n % 4 * 64 + 63 - t]; {{no barrier before the tail: __syncthreads(); || }} if (t == 0) {{relaxed tail: store_release(&d[1], n + 1); || store_relaxed(&d[1], n + 1); }} } }""", (512, -256, -512, -2), grid=2, block=64),
        source("a deque that others steal from", """
  if (t == 0) { while (true) { int bottom = load_acquire(&d[1]), top = load_acquire(&d[0]); if (top >= 12) break; if (top < bottom && {{plain: atomicCAS(&d[0], top, top + 1) == top || (d[0] = top + 1)}}) b[top] = a[top] * 2; else if (bottom < 12 && B == 0) { store_release(&d[1], bottom + 1); } } }""", (16, -16, 1, -2), grid=3, block=32),
        source("joined sets", """
  int i = B * 32 + t, x = i, y = a[i] % 96; volatile int* parent = b;
  while (true) { while (parent[x] != x) x = parent[x]; while (parent[y] != y) y = parent[y]; if (x == y) break; if (x < y) { int z = x; x = y; y = z; } {{plain: if (atomicCAS(&b[x], x, y) == x) break; || b[x] = y; break; }} }""", (96, 0, -1), block=32, grid=3, inputs=lambda: [*numbers(96)(), np.arange(96, dtype=np.int32), *numbers(-1)()]),
        source("a pool of blocks of memory", """
  if (lane == 0) { int at = {{plain: atomicAdd(d, 8) || (*d += 8) - 8}}; for (int n = 0; n < {{past the block: 8 || 9}}; n++) b[at + n] = t; }""", (1, -96, 1, -1)),
        source("messages in a mailbox of each block", """
  int to = (B + 1) % 3; if (t == 0) { b[to * 8 + 1] = a[B]; {{relaxed: store_release(&d[to], 1); || store_relaxed(&d[to], 1); }} while ({{relaxed look: load_acquire(&d[B]) || load_relaxed(&d[B])}} == 0) {} c[B] = b[B * 8 + 1]; }""", (8, -32, -4, -3), grid=3, block=32),
    ]  # fmt: skip


def groups() -> list[Source]:
    """Cooperative groups, `cuda::barrier`, `cuda::atomic_ref`."""
    barrier = "#include <cuda/barrier>\n"
    return [
        source("a block as a group", USING + """
  __shared__ int s[128]; s[block.thread_rank()] = a[B * 128 + t]; {{no barrier: block.sync(); || cg::tiled_partition<32>(block).sync(); }} b[B * 128 + t] = s[127 - t];""", (384, -384), includes=GROUPS),
        source("tiles of 8", USING + """
  __shared__ int s[128]; auto tile = cg::tiled_partition<8>(block); for (int n = 0; n < 3; n++) { s[t] = a[n * 128 + t]; {{no barrier: tile.sync(); || }} int v = s[t ^ {{beyond the tile: 5 || 9}}]; {{no barrier after: tile.sync(); || }} b[n * 128 + t] = v + tile.shfl_xor(v, 1); }""", (384, -384), grid=1, includes=GROUPS),
        source("tiles in two branches", USING + """
  __shared__ int s[128]; auto tile = cg::tiled_partition<16>(block); s[t] = a[t]; {{no barrier: tile.sync(); || }} int v; if (tile.meta_group_rank() & 1) v = cg::reduce(tile, s[t ^ 3], cg::plus<int>()); else v = cg::reduce(tile, s[t ^ 7], cg::greater<int>()); b[t] = v;""", (128, -128), grid=1, includes=GROUPS),
        source("threads that are here", USING + """
  __shared__ int s[128]; s[t] = 0; {{no barrier at first: __syncthreads(); || }} if (a[t] & 1) { auto here = cg::coalesced_threads(); if (here.thread_rank() == 0) s[w] = here.size(); {{no barrier: here.sync(); || }} b[t] = s[w]; }""", (128, -128), grid=1, includes=GROUPS),
        source("arrival and wait", USING + """
  __shared__ int s[128]; s[t] = a[t]; auto token = block.barrier_arrive(); int v = a[t] * 3; {{no wait: block.barrier_wait(std::move(token)); || if (v < 0) block.barrier_wait(std::move(token)); }} b[t] = s[127 - t] + v;""", (128, -128), grid=1, includes=GROUPS + "#include <utility>\n"),
        source("a barrier of the library", """
  __shared__ cuda::barrier<cuda::thread_scope_block> bar; __shared__ int s[128]; if (t == 0) init(&bar, {{count: 128 || 64}}); {{no barrier after init: __syncthreads(); || }}
  for (int n = 0; n < 3; n++) { s[t] = a[n * 128 + t]; {{no barrier: bar.arrive_and_wait(); || }} b[n * 128 + t] = s[127 - t]; {{no second barrier: bar.arrive_and_wait(); || }} }""", (384, -384), grid=1, includes=barrier),
        source("a split barrier of the library", """
  __shared__ cuda::barrier<cuda::thread_scope_block> bar; __shared__ int s[128]; if (t == 0) init(&bar, 128); __syncthreads();
  s[t] = a[t]; auto token = bar.arrive(); int v = a[t] * 5; {{no wait: bar.wait(std::move(token)); || if (v < 0) bar.wait(std::move(token)); }} b[t] = s[127 - t] + v;""", (128, -128), grid=1, includes=barrier),
        source("copies at a barrier of the library", """
  __shared__ cuda::barrier<cuda::thread_scope_block> bar; __shared__ alignas(16) int s[128]; if (t == 0) init(&bar, 128); {{no barrier after init: __syncthreads(); || }}
  if (t < 32) cuda::memcpy_async(&s[t * 4], a + t * 4, cuda::aligned_size_t<16>(16), bar); {{no wait: bar.arrive_and_wait(); || bar.arrive(); }} b[t] = s[127 - t];""", (128, -128), grid=1, includes=barrier),
        source("a pipeline of the library", """
  __shared__ alignas(16) int s[2][128]; auto pipe = cuda::make_pipeline(); int sum = 0;
  for (int n = 0; n < 2; n++) { pipe.producer_acquire(); if (t < 32) cuda::memcpy_async(&s[n][t * 4], a + n * 128 + t * 4, cuda::aligned_size_t<16>(16), pipe); pipe.producer_commit(); }
  for (int n = 0; n < 6; n++) { {{no wait: cuda::pipeline_consumer_wait_prior<1>(pipe); || }} {{no barrier: __syncthreads(); || }} sum += s[n & 1][127 - t]; {{no barrier before the next: __syncthreads(); || }} pipe.consumer_release(); pipe.producer_acquire(); if (n < 4 && t < 32) cuda::memcpy_async(&s[n & 1][t * 4], a + (n + 2) * 128 + t * 4, cuda::aligned_size_t<16>(16), pipe); pipe.producer_commit(); }
  b[t] = sum;""", (768, -128), grid=1, includes="#include <cuda/pipeline>\n"),
        source("relaxed counters and a last one", """
  DEVICE count(*d); b[B * 64 + t] = a[B * 64 + t]; {{no barrier: __syncthreads(); || }} __shared__ int last;
  if (t == 0) last = count.fetch_add(1, cuda::memory_order_{{relaxed: acq_rel || relaxed}}) == 3; {{no second barrier: __syncthreads(); || }} if (last) c[t] = b[t] + b[64 + t] + b[128 + (t ^ 1)] + b[192 + t];""".replace("DEVICE", DEVICE), (256, -256, -64, -1), grid=4, block=64, includes=REF),
        source("relaxed counters of their own", """
  DEVICE count(b[a[B * 64 + t] & 3]); {{plain: count.fetch_add(1, cuda::memory_order_relaxed); || b[a[B * 64 + t] & 3]++; }}""".replace("DEVICE", DEVICE), (256, -4), grid=4, block=64, includes=REF),
        source("a flag and notification", """
  DEVICE flag(*d); if (B == 0) { b[t] = a[t]; {{no barrier: __syncthreads(); || }} if (t == 0) { flag.store(1, cuda::memory_order_{{relaxed: release || relaxed}}); flag.notify_all(); } }
  else { if (t == 0) flag.wait(0, cuda::memory_order_{{relaxed wait: acquire || relaxed}}); {{no barrier of the reader: __syncthreads(); || }} c[t] = b[63 - t]; }""".replace("DEVICE", DEVICE), (64, -64, -64, -1), grid=2, block=64, includes=REF),
        source("a latch", """
  cuda::atomic_ref<int, cuda::thread_scope_device> left(*d); if (B > 0) { b[B * 64 + t] = a[B * 64 + t]; {{no barrier: __syncthreads(); || }} if (t == 0) left.fetch_sub(1, cuda::memory_order_{{relaxed: release || relaxed}}); } else { while (left.load(cuda::memory_order_{{relaxed wait: acquire || relaxed}}) != -3) {} c[t] = b[64 + t] + b[128 + t] + b[192 + 63 - t]; }""", (256, -256, -64, -1), grid=4, block=64, includes=REF),
        source("the grid as a group", """
  b[B * 64 + t] = a[B * 64 + t]; {{no barrier: __syncthreads(); || }} if (t == 0) { __threadfence(); unsigned one = B == 0 ? 0x80000000u - 3 : 1; unsigned old = atomicAdd((unsigned*)d, one); while ((((old ^ *(volatile unsigned*)d) & 0x80000000u) == 0)) {} {{no fence after: __threadfence(); || }} } {{no second barrier: __syncthreads(); || }} c[B * 64 + t] = b[(3 - B) * 64 + t];""", (256, -256, -256, -1), grid=4, block=64),
        source("a cluster as a group", "  namespace cg = cooperative_groups; auto cluster = cg::this_cluster();\n" + """
  __shared__ int s[64]; s[t] = a[B * 64 + t]; {{no barrier: cluster.sync(); || __syncthreads(); }} int v = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[63 - t]; {{leaves early: cluster.sync(); || }} b[B * 64 + t] = v;""", (256, -256), grid=4, block=64, cluster=2, includes=GROUPS),
    ]  # fmt: skip


def ends() -> list[Source]:
    """Ends of arrays, guards, values that nobody has given."""
    return [
        source("a guard for the last block", """
  int i = B * 128 + t; if ({{no guard: i < 300 || true}}) b[i] = a[i] * 2;""", (300, -300)),
        source("one past the end", """
  int i = B * 100 + t; if (t < 100 && i {{inclusive: < || <=}} 300) b[i] = a[i];""", (300, -300), grid=4),
        source("a stencil of a line", """
  int i = B * 128 + t; if (i {{no lower guard: > || >=}} 0 && i < {{no upper guard: 299 || 300}}) b[i] = a[i - 1] + a[i] + a[i + 1];""", (300, -300)),
        source("rows and columns", """
  int x = t % 16 + B % 2 * 16, y = t / 16 + B / 2 * 8; if ({{no guard of columns: x < 20 || x < 32}} && {{no guard of rows: y < 14 || y < 32}}) b[y * 20 + x] = a[x * 14 + y];""", (280, -280), grid=4),
        source("an end in shared memory", """
  __shared__ int s[128], r[128]; s[t] = a[t]; r[t] = a[t] + 1; {{no barrier: __syncthreads(); || }} int i = {{past the end: t < 127 ? t + 1 : 0 || t + 1}}; b[t] = s[i] * r[i];""", (128, -128), grid=1),
        source("a store past the end in shared memory", """
  __shared__ int s[64]; __shared__ float r[64]; if (t < 64) r[t] = a[t]; __syncthreads(); if (t < {{past the end: 64 || 66}}) s[t] = a[t]; {{no barrier: __syncthreads(); || }} if (t < 64) b[t] = s[63 - t] + r[63 - t];""", (128, -64), grid=1),
        source("dynamic shared memory of less", """
  extern __shared__ int dynamic[]; dynamic[t] = a[t]; {{no barrier: __syncthreads(); || }} b[t] = dynamic[{{past the end: 127 - t || 128 + t}}];""", (128, -128), grid=1, shared_bytes=512),
        source("a part that nobody has stored", """
  __shared__ int s[128]; if ({{half: t < 128 || t < 64}}) s[t] = a[t]; {{no barrier: __syncthreads(); || }} b[t] = s[127 - t];""", (128, -128), grid=1),
        source("zeros that are needed", """
  __shared__ int s[130]; s[t + 1] = a[t]; {{no left end: if (t == 0) s[0] = 0; || }} {{no right end: if (t == 127) s[129] = 0; || }} {{no barrier: __syncthreads(); || }} b[t] = s[t] + s[t + 2];""", (128, -128), grid=1),
        source("local arrays", """
  int v[8]; for (int n = 0; n < {{one less: 8 || 7}}; n++) v[n] = a[n * 128 + t]; int k = a[t] & 7; b[t] = v[k] + v[(k + 3) & 7];""", (1024, -128), grid=1),
        source("an index from data", """
  int i = a[t] {{no modulus: % 128 || % 1024}}; b[t] = c[i];""", (128, -128, 128), grid=1),
        source("pairs of words", """
  int2 v = *(int2*)&a[{{misaligned: 2 * t || 2 * t + 1}}]; b[t] = v.x + v.y;""", (258, -128), grid=1),
        source("an offset below zero", """
  int i = t - {{below: (t > 3) * 4 || 4}}; b[t] = a[i];""", (128, -128), grid=1),
        source("a loop that goes too far", """
  for (int i = t; i < {{too far: 256 || 288}}; i += 128) b[i] = a[i] + 1;""", (256, -256), grid=1),
        source("a barrier in a loop of different lengths", """
  __shared__ int s[128]; int n = {{divergent: 3 || 2 + (t & 1)}}; for (int i = 0; i < n; i++) { s[t] = a[i * 128 + t]; __syncthreads(); b[i * 128 + t] = s[127 - t]; __syncthreads(); } b[t + 384] = n;""", (384, -512), grid=1),
        source("a barrier after a return", """
  __shared__ int s[128]; {{divergent: || if (t == 77) return;}} s[t] = a[t]; __syncthreads(); b[t] = s[127 - t];""", (128, -128), grid=1),
        source("a barrier twice", """
  __shared__ int s[128]; s[t] = a[t]; __syncthreads(); {{only some: || if (w == 1) __syncthreads();}} b[t] = s[127 - t]; {{only some lanes: || if (lane < 7) __syncthreads(); b[t] += 1;}}""", (128, -128), grid=1),
        source("a barrier of warps in a branch", """
  __shared__ int s[64]; s[t] = a[t]; if ({{divergent: lane < 32 || lane < 16}}) __syncwarp(); b[t] = s[t ^ 17];""", (64, -64), grid=1, block=64),
        source("a shuffle of some", """
  int v = a[t]; if ({{in a branch: true || lane < 20}}) v += __shfl_xor_sync(~0u, v, 16); b[t] = v;""", (64, -64), grid=1, block=64),
    ]  # fmt: skip


def walks() -> list[Source]:
    """Graphs, level by level, with grid-wide barriers or atomics that need none."""
    index, neighbours = graph(96, 7)

    def inputs() -> list[object]:
        n = len(index) - 1
        far = np.full(n, 1 << 20, np.int32)
        far[0] = 0
        return [index, neighbours, far, np.zeros(n, np.int32), np.zeros(8, np.int32), np.arange(n, dtype=np.int32)]

    grid = "__syncthreads(); turn += 3; if (t == 0) { __threadfence(); atomicAdd(&e[0], 1); while (load_acquire(&e[0]) < turn) {} } __syncthreads();"
    each = "int i = B * 32 + t, end = a[i + 1]; for (int j = a[i]; j < end; j++) { int v = b[j];"

    def walk(name: str, body: str) -> Source:
        return source(name, body, (1,) * 6, grid=3, block=32, inputs=inputs)

    return [
        walk("levels with a barrier of the grid", f"""
  int turn = 0; for (int n = 0; n < 6; n++) {{ {each} if (load_relaxed(&c[i]) == n && load_relaxed(&c[v]) > n + 1) {{{{plain: store_relaxed(&c[v], n + 1); || c[v] = n + 1 + (i & 1); }}}} }} {grid} }}"""),
        walk("distances by atomicMin", f"""
  for (int n = 0; n < 3; n++) {{ {each} int far = {{{{plain read: load_relaxed(&c[i]) || c[i]}}}} + j % 7 + 1; {{{{plain: if (far < load_relaxed(&c[v])) atomicMin(&c[v], far); || if (far < c[v]) c[v] = far; }}}} }} }}"""),
        walk("components by labels", f"""
  for (int n = 0; n < 3; n++) {{ {each} int x = {{{{plain read: load_relaxed(&f[i]) || f[i]}}}}, y = load_relaxed(&f[v]); if (x < y) {{{{plain: atomicMin(&f[v], x); || f[v] = x; }}}} else if (y < x) atomicMin(&f[i], y); }} }}"""),
        walk("ranks in two arrays", f"""
  int turn = 0; for (int n = 0; n < 3; n++) {{ int* from = n & 1 ? f : d; int* to = n & 1 ? d : f; int sum = 0; {each} sum += from[v]; }} to[i] = sum % 1009; {{{{no barrier of the grid: {grid} || __syncthreads(); }}}} }}"""),
        walk("a frontier in a queue", """
  if (B == 0) { if (t == 0) { d[0] = 0; e[1] = 1; } {{no barrier at first: __syncwarp(); || }} int done = 0; while (true) { int size = e[1]; {{no barrier after the size: __syncwarp(); || }} if (done == size) break; for (int q = done + t; q < size; q += 32) { int i = d[q], end = a[i + 1]; for (int j = a[i]; j < end; j++) { int v = b[j]; if ({{plain: atomicCAS(&f[v], v, -1) == v || f[v] == v && (f[v] = -1 - i)}} && v) d[{{plain count: atomicAdd(&e[1], 1) || e[1]++}}] = v; } } {{no barrier: __syncwarp(); || }} done = size; } }"""),
        walk("colours by the greatest", f"""
  int turn = 0; for (int n = 1; n < 4; n++) {{ bool best = f[i_] >= 0; {each} if (v != i && f[v] > f[i] && d[v] == 0) best = false; }} {{{{no barrier of the grid: {grid} || }}}} if (best && d[i_] == 0) d[i_] = n; {{{{no second barrier of the grid: {grid} || }}}} }}""".replace("i_", "(B * 32 + t)")),
        walk("degrees of those that are left", f"""
  {each} {{{{plain: atomicAdd(&d[v], 1); || d[v] = d[v] + 1; }}}} if (v == 5) {{{{plain flag: atomicExch(&e[2], 1); || e[2] = i; }}}} }}"""),
        walk("triangles", f"""
  int sum = 0; {each} for (int k = a[v]; k < a[v + {{{{past the end: 1 || 2}}}}]; k++) sum += b[k] == i; }} {{{{plain: atomicAdd(&e[3], sum); || e[3] += sum; }}}}"""),
    ]  # fmt: skip


def all_sources() -> list[Source]:
    """Every source for sm_90."""
    return [*reductions(), *locks(), *structures(), *groups(), *ends(), *walks()]
