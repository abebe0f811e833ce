"""Protocols between warps and blocks in CUDA C with places for bugs: barriers of their own, queues, locks, publications."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.idioms import source
from tests.sim.hazards.irregular import Source

REF = "#include <cuda/atomic>\n"


def barriers() -> list[Source]:
    """Barriers of the grid, by flags and counters."""
    return [
        source("a barrier of the grid with a sense", """
  for (int n = 0; n < 3; n++) { b[(n & 1) * 512 + B * 128 + t] = a[t] + n; {{no barrier before: __syncthreads(); || }}
    if (t == 0) { int sense = {{the same sense: n + 1 || 1}}; {{no fence: __threadfence(); || }} if (atomicAdd(c, 1) == {{one block less: 3 || 2}}) { atomicExch(c, 0); {{the count after the sense: __threadfence(); || }} {{plain sense: atomicExch(d, sense); || *d = sense; }} } else while ({{looks once: *(volatile int*)d != sense || false}}) {} {{no fence after: __threadfence(); || }} }
    {{no barrier after: __syncthreads(); || }} e[n * 512 + B * 128 + t] = b[(n & 1) * 512 + (B + 1) % 4 * 128 + t]; }""", (128, -1024, -1, -1, -1536), grid=4),
        source("a barrier of the grid by rounds", """
  b[B * 32 + t] = a[t] + B; {{no barrier before: __syncwarp(); || }}
  if (t == 0) for (int r = 0; r < {{a round less: 2 || 1}}; r++) { int to = (B + (1 << r)) & 3; {{relaxed: store_release(&c[r * 4 + to], 1); || store_relaxed(&c[r * 4 + to], 1); }} while ({{relaxed look: load_acquire(&c[r * 4 + B]) || load_relaxed(&c[r * 4 + B])}} == 0) {} }
  {{no barrier after: __syncwarp(); || }} d[B * 32 + t] = b[((B + 1) & 3) * 32 + t] + b[((B + 2) & 3) * 32 + t] + b[((B + 3) & 3) * 32 + t];""", (32, -128, -8, -128), grid=4, block=32),
        source("a barrier of the grid by a master", """
  b[B * 64 + t] = a[t] + B; {{no barrier before: __syncthreads(); || }}
  if (B == 0) { if (t > 0 && t < 4) while ({{relaxed look of the master: load_acquire(&c[t]) || load_relaxed(&c[t])}} == 0) {} {{no barrier of the master: __syncthreads(); || }} if (t > 0 && t < 4) {{relaxed answer: store_release(&c[t], 2); || store_relaxed(&c[t], 2); }} }
  else { if (t == 0) { {{relaxed arrival: store_release(&c[B], 1); || store_relaxed(&c[B], 1); }} while ({{relaxed look: load_acquire(&c[B]) || load_relaxed(&c[B])}} != 2) {} } {{no barrier after: __syncthreads(); || }} }
  d[B * 64 + t] = b[((B + 1) & 3) * 64 + t];""", (64, -256, -4, -256), grid=4, block=64),
        source("a tree of blocks", """
  if (t == 0) b[B] = a[B]; for (int d_ = 1; d_ < 8; d_ *= 2) { if (B % (2 * d_)) { if (t == 0) {{relaxed: store_release(&c[B], 1); || store_relaxed(&c[B], 1); }} break; } if (t == 0) { while ({{relaxed look: load_acquire(&c[B + d_]) || load_relaxed(&c[B + d_])}} == 0) {} b[B] += b[B + {{a child too early: d_ || (d_ == 1 ? 3 : d_)}}]; } }""", (8, -8, -8), grid=8, block=32),
        source("halos by flags", """
  int v = a[B * 32 + t]; for (int n = 0; n < 4; n++) { b[(n & 1) * 96 + B * 32 + t] = v; {{no barrier: __syncwarp(); || }}
    if (t == 0) {{relaxed: store_release(&c[B], n + 1); || store_relaxed(&c[B], n + 1); }} int l = (B + 2) % 3, r = (B + 1) % 3;
    if (t < 2) while ({{relaxed look: load_acquire(&c[t ? r : l]) || load_relaxed(&c[t ? r : l])}} < {{an older round: n + 1 || n}}) {} {{no barrier after: __syncwarp(); || }}
    v = (v + (t ? b[(n & 1) * 96 + B * 32 + t - 1] : b[(n & 1) * 96 + l * 32 + 31]) + (t < 31 ? b[(n & 1) * 96 + B * 32 + t + 1] : b[(n & 1) * 96 + r * 32])) % 1009; } d[B * 32 + t] = v;""", (96, -192, -3, -96), grid=3, block=32),
        source("the last block of each row", """
  __shared__ bool last; int row = B / 3; atomicAdd(&b[row * 128 + t], a[B * 128 + t]); {{no fence: __threadfence(); || }} {{no barrier: __syncthreads(); || }}
  if (t == 0) last = {{plain count: atomicAdd(&c[row], 1) || c[row]++}} == {{one block less: 2 || 1}}; {{no barrier after: __syncthreads(); || }} {{every block: if (last) || if (true)}} { {{no fence of the reader: __threadfence(); || }} d[row * 128 + t] = b[row * 128 + 127 - t]; }""", (1152, -384, -3, -384), grid=9),
        source("flags that only rise", """
  if (B == 0) { for (int n = 0; n < 4; n++) { b[n * 32 + t] = a[n * 32 + t]; {{no barrier: __syncwarp(); || }} if (t == 0) { {{no fence: __threadfence(); || }} atomicMax(c, n + 1); } } }
  else { int sum = 0; for (int n = 0; n < 4; n++) { while (*(volatile int*)c < {{one too early: n + 1 || n}}) {} {{no fence of the reader: __threadfence(); || }} sum += b[n * 32 + 31 - t]; } d[t] = sum; }""", (128, -128, -1, -32), grid=2, block=32),
    ]  # fmt: skip


def queues() -> list[Source]:
    """Queues between warps, and between blocks."""
    return [
        source("a queue of one producer and one consumer", """
  __shared__ int ring[4]; __shared__ cuda::atomic<int, cuda::thread_scope_block> head, tail; if (t == 0) { head.store(0); tail.store(0); } {{no barrier at first: __syncthreads(); || }}
  if (t == 0) { for (int n = 0; n < 10; n++) { while (n - {{relaxed look at the head: head.load(cuda::memory_order_acquire) || head.load(cuda::memory_order_relaxed)}} >= {{a slot too many: 4 || 5}}) {} ring[n & 3] = a[n]; tail.store(n + 1, cuda::memory_order_{{relaxed tail: release || relaxed}}); } }
  if (t == 32) { int sum = 0; for (int n = 0; n < 10; n++) { while (tail.load(cuda::memory_order_{{relaxed look at the tail: acquire || relaxed}}) <= n) {} {{free before the read: || head.store(n + 1, cuda::memory_order_release); }} sum += ring[n & 3] * n; head.store(n + 1, cuda::memory_order_{{relaxed head: release || relaxed}}); } b[0] = sum; }""", (16, -1), grid=1, block=64, includes=REF),
        source("a queue of many with numbers in its slots", """
  cuda::atomic_ref<int, cuda::thread_scope_device> tail(c[0]), head(c[1]);
  if (t == 0) { if (B < 3) { int n = {{plain ticket: tail.fetch_add(1, cuda::memory_order_relaxed) || c[0]++}}; cuda::atomic_ref<int, cuda::thread_scope_device> seq(d[n & 3]); while (seq.load(cuda::memory_order_acquire) != n) {} b[n & 3] = a[B]; seq.store(n + 1, cuda::memory_order_{{relaxed: release || relaxed}}); }
    else { int n = head.fetch_add(1, cuda::memory_order_relaxed); cuda::atomic_ref<int, cuda::thread_scope_{{narrow scope: device || block}}> seq(d[n & 3]); while ({{does not wait: seq.load(cuda::memory_order_acquire) != n + 1 || seq.load(cuda::memory_order_acquire) > n + 1}}) {} e[B] = b[n & 3]; seq.store(n + 4, cuda::memory_order_release); } }""", (8, -4, -2, 4, -8), grid=6, block=32, includes=REF,
            inputs=lambda: [np.arange(8, dtype=np.int32), *(np.zeros(n, np.int32) for n in (4, 2)), np.arange(4, dtype=np.int32), np.zeros(8, np.int32)]),
        source("work until there is none", """
  __shared__ int item; while (true) { if (t == 0) item = {{plain: atomicAdd(d, 1) || (*d)++}}; {{no barrier: __syncthreads(); || }} if (item >= {{past the end: 9 || 10}}) break; b[item * 64 + t] = a[item * 64 + 63 - t]; {{no barrier before the next: __syncthreads(); || }} }""", (576, -576, -1, -1), block=64),
        source("work that makes work", """
  __shared__ int item; while (true) { if (t == 0) { int n = atomicAdd(&d[0], 1); item = -1; while (true) { if (n < {{relaxed look: load_acquire(&d[1]) || load_relaxed(&d[1])}}) { item = b[n]; break; } if (n >= 12) break; } } {{no barrier: __syncthreads(); || }} int v = item; if (v < 0) break; {{no barrier after the look: __syncthreads(); || }} c[v * 32 + t] = v;
    if (t == 0 && v < 4) { b[4 + 2 * v] = 4 + 2 * v; b[5 + 2 * v] = 5 + 2 * v; if (v > 0) while ({{relaxed look in turn: load_acquire(&d[1]) || load_relaxed(&d[1])}} != 4 + 2 * v) {} {{relaxed: store_release(&d[1], 6 + 2 * v); || store_relaxed(&d[1], 6 + 2 * v); }} } }""", (1, 16, -512, 4), grid=2, block=32,
            inputs=lambda: [np.zeros(1, np.int32), np.arange(16, dtype=np.int32) * (np.arange(16) < 4), np.zeros(512, np.int32), np.array([0, 4, 0, 0], np.int32)]),
        source("a mailbox of each warp", """
  __shared__ int box[4]; __shared__ volatile int full[4]; if (t < 4) full[t] = 0; {{no barrier at first: __syncthreads(); || }}
  if (lane == 0) { int to = (w + 1) % 4, sum = 0; for (int n = 0; n < 3; n++) { while (full[to]) {} {{no fence after the look: __threadfence_block(); || }} box[to] = a[n] + w; {{no fence before the flag: __threadfence_block(); || }} full[to] = 1; while (!full[w]) {} {{no fence of the reader: __threadfence_block(); || }} sum += box[w]; {{no fence before it is free: __threadfence_block(); || }} full[w] = 0; } b[w] = sum; }""", (8, -4), grid=1),
        source("a ring between blocks with two flags", """
  if (B == 0) { for (int n = 0; n < 6; n++) { int s = n & 1; if (t == 0) while ({{relaxed look for room: load_acquire(&c[2 + s]) || load_relaxed(&c[2 + s])}} < n / 2 * {{no wait for room: 1 || 0}}) {} {{no barrier after the look: __syncthreads(); || }} b[s * 64 + t] = a[n * 64 + t]; {{no barrier before the flag: __syncthreads(); || }} if (t == 0) {{relaxed flag: store_release(&c[s], n / 2 + 1); || store_relaxed(&c[s], n / 2 + 1); }} } }
  else { int sum = 0; for (int n = 0; n < 6; n++) { int s = n & 1; if (t == 0) while ({{relaxed look: load_acquire(&c[s]) || load_relaxed(&c[s])}} < n / 2 + 1) {} {{no barrier of the reader: __syncthreads(); || }} sum += b[s * 64 + 63 - t] * n; {{no barrier before it is free: __syncthreads(); || }} if (t == 0) {{relaxed answer: store_release(&c[2 + s], n / 2 + 1); || store_relaxed(&c[2 + s], n / 2 + 1); }} } d[t] = sum; }""", (384, -128, -4, -64), grid=2, block=64),
        source("a stream of tiles whose counter wraps", """
  __shared__ int s[3][64]; __shared__ unsigned long long full[3]; if (t == 0) for (int n = 0; n < 3; n++) mb_init(&full[n], 64); {{no barrier after init: __syncthreads(); || }} int stage = 0, phase = 0, sum = 0;
  for (int n = 0; n < 8; n++) { s[stage][t] = a[n * 64 + t]; mb_arrive(&full[stage]); {{no wait: mb_wait(&full[stage], phase); || }} sum += s[stage][63 - t]; {{the phase does not turn: if (++stage == 3) { stage = 0; phase ^= 1; } || if (++stage == 3) stage = 0; }} } b[t] = sum;""", (512, -64), grid=1, block=64),
    ]  # fmt: skip


def locks() -> list[Source]:
    """Locks that the others do not have."""
    return [
        source("a lock of cells of a list", """
  int me = B + 1; if (t == 0) { store_relaxed(&c[me], 1); __threadfence(); int before = atomicExch(d, me); {{no wait: while (load_acquire(&c[before])) {} || }} b[0] = b[0] * 3 + a[B]; {{relaxed unlock: store_release(&c[me], 0); || store_relaxed(&c[me], 0); }} }""", (8, -1, -8, -1), grid=5, block=32),
        source("a lock of cells of a list whose flag is seen late", """
  int me = B + 1; if (t == 0) { {{the flag after the exchange: store_relaxed(&c[me], 1); || }} __threadfence(); int before = atomicExch(d, me); {{the flag after the exchange: || store_relaxed(&c[me], 1); }} while ({{relaxed look: load_acquire(&c[before]) || load_relaxed(&c[before])}}) {} b[0] = b[0] * 3 + a[B]; store_release(&c[me], 0); }""", (8, -1, -8, -1), grid=5, block=32),
        source("a bakery", """
  if (t == 0) { volatile int* choosing = c; volatile int* number = d; choosing[B] = 1; __threadfence(); int most = 0; for (int i = 0; i < 3; i++) most = max(most, number[i]); number[B] = most + 1; __threadfence(); choosing[B] = 0; __threadfence();
    for (int i = 0; i < 3; i++) { while (choosing[i]) {} __threadfence(); {{no wait for the lower: while (number[i] && (number[i] < number[B] or number[i] == number[B] && i < B)) {} || }} } {{no fence after the waits: __threadfence(); || }} b[0] = b[0] * 3 + a[B]; {{no fence before the unlock: __threadfence(); || }} number[B] = 0; }""", (8, -1, -3, -3), grid=3, block=32),
        source("a word with its lock bit", """
  if (t == 0) { int* word = &d[a[B] & 1]; int old; do { old = *(volatile int*)word & ~1; } while ({{no lock: atomicCAS(word, old, old | 1) != old || false}}); {{no fence after the lock: __threadfence(); || }} b[a[B] & 1] += a[B]; {{no fence before the unlock: __threadfence(); || }} {{plain unlock: atomicExch(word, old + 2); || *word = old + 2; }} }""", (8, -2, -1, -2), grid=6, block=32),
        source("a lock of the block that one thread takes for all", """
  if (t == 0) { while (atomicCAS(d, 0, 1)) {} {{no fence after the lock: __threadfence(); || }} } {{no barrier after the lock: __syncthreads(); || }} int v = b[127 - t]; {{no barrier after the reads: __syncthreads(); || }} b[t] = v + a[B * 128 + t]; {{no barrier inside: __syncthreads(); || }} c[t] += b[t ^ 64]; {{no barrier before the unlock: __syncthreads(); || }} if (t == 0) { {{no fence before the unlock: __threadfence(); || }} {{plain unlock: atomicExch(d, 0); || *d = 0; }} }""", (384, -128, -128, -1)),
        source("children of a tree under a lock", """
  for (int n = 0; n < 2; n++) { int key = a[B * 64 + t * 2 + n], at = 0; bool done = false; while (!done) { int side = 1 + (key >> (at & 7) & 1), child = load_acquire(&b[at * 4 + side]); if (child > 0) { at = child; continue; } if (child == 0 && atomicCAS(&b[at * 4 + side], 0, -1) == 0) { int fresh = atomicAdd(d, 1) + 1; c[fresh] = key; {{no release: store_release(&b[at * 4 + side], fresh); || store_relaxed(&b[at * 4 + side], fresh); }} done = true; } } }
  int child = load_acquire(&b[1]); if (child > 0) e[B * 32 + t] = c[child];""", (128, -1024, -256, -1, -64), grid=2, block=32),
        source("a pointer that is read, copied, updated", """
  if (t == 0) { if (B == 0) { for (int n = 1; n < 4; n++) { b[n * 4] = n; b[n * 4 + 1] = n * 2; {{relaxed: store_release(d, n * 4); || store_relaxed(d, n * 4); }} } } else { for (int i = 0; i < 3; i++) { int p = {{relaxed look: load_acquire(d) || load_relaxed(d)}}; if (p) c[B * 4 + i] = b[p] + b[p + 1]; } } }""", (1, -16, -12, -1), grid=3, block=32),
        source("numbers of versions of a record", """
  if (t == 0) { if (B == 0) for (int n = 1; n < 3; n++) { atomicAdd(d, 1); __threadfence(); *(volatile int*)&b[0] = n; *(volatile int*)&b[1] = n; __threadfence(); atomicAdd(d, 1); } else { int v, x, y; do { v = *(volatile int*)d; __threadfence(); x = {{plain: *(volatile int*)&b[0] || b[0]}}; y = *(volatile int*)&b[1]; __threadfence(); } while (v & 1 || v != *(volatile int*)d); c[B] = x - y; } }""", (1, -2, -3, -1), grid=3, block=32),
    ]  # fmt: skip


def scopes() -> list[Source]:
    """Scopes that are too small, orders that are too weak, widths that differ."""
    found: list[Source] = []
    for what, body in (
        ("add", "x.fetch_add(a[B * 32 + t], cuda::memory_order_relaxed);"),
        ("max", "x.fetch_max(a[B * 32 + t], cuda::memory_order_relaxed);"),
        ("exchange", "b[1 + B * 32 + t] = x.exchange(t, cuda::memory_order_relaxed);"),
        ("store", "x.store(t, cuda::memory_order_relaxed);"),
        ("load and store", "if (x.load(cuda::memory_order_relaxed) < t) x.store(t, cuda::memory_order_relaxed);"),
    ):
        found.append(source(f"{what} in a scope", f"""
  {{{{plain: cuda::atomic_ref<int, cuda::thread_scope_device> x(b[0]); {body} || b[0] += a[B * 32 + t]; }}}}""", (96, -97), block=32, includes=REF))  # fmt: skip
        found.append(source(f"{what} in a narrow scope", f"""
  cuda::atomic_ref<int, cuda::thread_scope_{{{{scope: device || block}}}}> x(b[0]); {body}""", (96, -97), block=32, includes=REF))  # fmt: skip
    found += [
        source("two scopes at one place", """
  if (B == 0) atomicAdd{{scope: || _block}}(&b[0], a[t]); else atomicAdd(&b[0], a[t]);""", (32, -1), grid=2, block=32),
        source("a fence of the block only", """
  if (t == 0) { if (B == 0) { b[0] = a[0]; {{scope: __threadfence(); || __threadfence_block(); }} *(volatile int*)d = 1; } else { while (*(volatile int*)d == 0) {} {{scope of the reader: __threadfence(); || __threadfence_block(); }} c[B] = b[0]; } }""", (1, -1, -3, -1), grid=3, block=32),
        source("a cluster's scope", """
  if (t == 0) { if (B % 2 == 0) { b[B] = a[B]; asm volatile("st.release.{{scope: cluster || cta}}.global.s32 [%0], 1;" :: "l"(&d[B]) : "memory"); } else { int v = 0; while (!v) asm volatile("ld.acquire.{{scope of the reader: cluster || cta}}.global.s32 %0, [%1];" : "=r"(v) : "l"(&d[B - 1]) : "memory"); c[B] = b[B - 1]; } }""", (8, -4, -4, -4), grid=4, block=32, cluster=2),
        source("a cluster's scope for others", """
  int from = {{beyond the cluster: B ^ 1 || (B + 2) % 4}}; if (t == 0) { b[B] = a[B]; asm volatile("st.release.cluster.global.s32 [%0], 1;" :: "l"(&d[B]) : "memory"); int v = 0; while (!v) asm volatile("ld.acquire.cluster.global.s32 %0, [%1];" : "=r"(v) : "l"(&d[from]) : "memory"); c[B] = b[from]; }""", (8, -4, -4, -4), grid=4, block=32, cluster=2),
        source("words and halves", """
  if (t < 2) { if (B == 0) atomicExch((int*)&b[0], a[t]); else {{width: atomicExch((int*)&b[0], 5); || *(volatile short*)&b[0] = 5; }} }""", (32, -1), grid=2, block=32),
        source("a flag in the word of the data", """
  if (t == 0) { if (B == 0) { b[0] = a[0]; {{both at once: store_release(&b[1], 1); || asm volatile("st.relaxed.gpu.global.v2.s32 [%0], {%1, %2};" :: "l"(b), "r"(a[0]), "r"(1) : "memory"); }} } else { while (load_acquire(&b[1]) == 0) {} c[B] = b[0]; } }""", (1, -2, -3), grid=3, block=32),
        source("release by another thread", """
  if (B == 0) { b[t] = a[t]; {{no barrier: __syncthreads(); || }} if (t == 40) store_release(d, 1); } else { if (t == 0) while (load_acquire(d) == 0) {} {{no barrier of the reader: __syncthreads(); || }} c[t] = b[63 - t]; }""", (64, -64, -64, -1), grid=2, block=64),
        source("release through a third block", """
  if (t == 0) { if (B == 0) { b[0] = a[0]; store_release(&d[0], 1); } else if (B == 1) { while ({{relaxed in the middle: load_acquire(&d[0]) || load_relaxed(&d[0])}} == 0) {} {{relaxed at last: store_release(&d[1], 1); || store_relaxed(&d[1], 1); }} } else { while (load_acquire(&d[1]) == 0) {} c[0] = b[0]; } }""", (1, -1, -1, -2), grid=3, block=32),
        source("release through a chain of atomics", """
  if (t == 0) { if (B == 0) { b[0] = a[0]; store_release(d, 1); } else if (B == 1) { while (load_relaxed(d) == 0) {} {{plain store in the chain: atomicAdd(d, 1); || store_relaxed(d, 2); }} } else { while (load_acquire(d) != 2) {} c[0] = b[0]; } }""", (1, -1, -1, -1), grid=3, block=32),
    ]  # fmt: skip
    return found


def all_sources() -> list[Source]:
    """Every source."""
    return [*barriers(), *queues(), *locks(), *scopes()]
