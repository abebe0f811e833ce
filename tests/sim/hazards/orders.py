"""What only another order of warps shows: several blocks in CUDA C, whose warps look at a flag once."""

from __future__ import annotations

from tests.sim.hazards.idioms import source
from tests.sim.hazards.irregular import Source

_REF = "#include <cuda/atomic>\n"
_FLAG = "cuda::atomic<int, cuda::thread_scope_block>"


def all_sources() -> list[Source]:
    """Every source."""
    found: list[Source] = []
    for giver, taker in ((0, 3), (3, 0), (1, 2)):
        names = f"from warp {giver} to {taker}"
        found += [
            source(f"a word that may be there, {names}", f"""
  __shared__ int s[32]; __shared__ {_FLAG} flag; if (t == 0) flag.store(0); __syncthreads();
  if (w == {giver}) {{ s[lane] = a[B * 32 + lane]; {{{{no warp barrier: __syncwarp(); || }}}} if (lane == 0) flag.store(1, cuda::memory_order_{{{{relaxed: release || relaxed}}}}); }}
  if (w == {taker}) {{ int there = flag.load(cuda::memory_order_{{{{relaxed look: acquire || relaxed}}}}); b[B * 32 + lane] = there ? s[lane] : -1; }}""", (96, -96), includes=_REF),
            source(f"a lock that may be free, {names}", f"""
  __shared__ int s[1]; __shared__ {_FLAG} lock; if (t == 0) {{ lock.store(0); s[0] = 0; }} __syncthreads();
  if (lane == 0 && (w == {giver} || w == {taker})) {{ int free = 0; if (lock.compare_exchange_strong(free, 1, cuda::memory_order_{{{{relaxed lock: acquire || relaxed}}}}, cuda::memory_order_relaxed)) {{ s[0] += a[B * 4 + w]; lock.store(0, cuda::memory_order_{{{{relaxed unlock: release || relaxed}}}}); }} }}
  __syncthreads(); if (t == 0) b[B] = s[0];""", (12, -3), includes=_REF),
            source(f"a slot that is taken or given, {names}", f"""
  __shared__ int s[32]; __shared__ int turn; if (t == 0) turn = 0; __syncthreads();
  if (w == {giver} || w == {taker}) {{ int mine = 0; if (lane == 0) mine = atomicAdd(&turn, 1); mine = __shfl_sync(~0u, mine, 0);
    if ({{{{by its number: mine == 0 || w == {giver} && mine == 0}}}}) {{ s[lane] = a[B * 32 + lane]; __threadfence_block(); {{{{no warp barrier: __syncwarp(); || }}}} if (lane == 0) atomicAdd(&turn, 4); }}
    else {{ if (lane == 0) while (*(volatile int*)&turn < {{{{does not wait: 4 || 1}}}}) {{ if (mine == 0) break; }} __syncwarp(); {{{{no fence: __threadfence_block(); || }}}} b[B * 32 + lane] = s[lane]; }} }}""", (96, -96)),
            source(f"a helper if there is time, {names}", f"""
  __shared__ int s[64]; __shared__ {_FLAG} next; if (t == 0) next.store(0); s[t % 64] = 0; __syncthreads();
  if (w == {giver} || w == {taker}) {{ bool helps = w == {taker}; while (true) {{ int n = 0; if (lane == 0) n = next.fetch_add(1, cuda::memory_order_relaxed); n = __shfl_sync(~0u, n, 0); if (n >= 4) break; {{{{a slot of two: s[n * 8 + lane % 8] || s[n / 2 * 8 + lane % 8]}}}} = a[n * 8 + lane % 8] + n; if (helps) break; }} }}
  __syncthreads(); if (t < 64) b[B * 64 + t] = s[t];""", (32, -192), includes=_REF),
        ]  # fmt: skip
    return found
