"""Blocks that ask for the work of others, and roles of tensor memory, in CUDA C for sm_100a with places for bugs."""

from __future__ import annotations

from dataclasses import replace

from tests.sim.hazards.irregular import Source
from tests.sim.hazards.pipelines import MORE, made

_MORE = (
    MORE
    + r"""
__device__ __forceinline__ void ask(void* to, unsigned long long* b) {
  asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];" :: "r"(sh(to)), "r"(sh(b)) : "memory"); }
__device__ __forceinline__ int given(const void* from) { int x; asm volatile("{.reg .b128 r; .reg .pred p; .reg .b32 x, y, z, w; ld.shared.b128 r, [%1]; mov.b32 x, -1; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, r; @p clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {x, y, z, w}, r; mov.b32 %0, x;}" : "=r"(x) : "r"(sh(from)) : "memory"); return x; }
__device__ __forceinline__ void tm_alloc(unsigned* to) { asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" :: "r"(sh(to)) : "memory"); }
__device__ __forceinline__ void tm_free(unsigned a) { asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" :: "r"(a) : "memory"); }
__device__ __forceinline__ void tm_store(unsigned a, int v) { asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" :: "r"(a), "r"(v) : "memory"); }
__device__ __forceinline__ int tm_load(unsigned a) { int v; asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(v) : "r"(a) : "memory"); return v; }
__device__ __forceinline__ void tm_stored() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void tm_loaded() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void tm_before() { asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory"); }
__device__ __forceinline__ void tm_after() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }
"""
)


def _made(*arguments: object, **more: object) -> Source:
    return replace(made(*arguments, **more), prelude=_MORE)  # type: ignore[arg-type]


def all_sources() -> list[Source]:
    """Every source."""
    return [
        _made("blocks that take the work of others", """
  __shared__ alignas(16) int answer[4]; __shared__ unsigned long long bar; int tile = B, p = 0;
  if (t == 0) { mb_init(&bar, 1); fence_init(); } {{no barrier after the initialisation: __syncthreads(); || }}
  while (true) {
    if ({{every warp asks: t == 0 || lane == 0}}) { mb_expect(&bar, {{bytes of half an answer: 16 || 8}}); ask(answer, &bar); }
    b[tile * 128 + t] = a[tile * 128 + t] + tile;
    {{the answer is not awaited: mb_wait(&bar, p); || }} {{the phase stays: p ^= 1; || }} int next = given(answer);
    {{no barrier before the next request: __syncthreads(); || }} if (next < 0) break; tile = next; }""", (512, -512), grid=4),
        _made("answers that one warp hands on", """
  __shared__ alignas(16) int answer[4]; __shared__ int next; __shared__ unsigned long long bar; int tile = B, p = 0;
  if (t == 0) { mb_init(&bar, 1); fence_init(); } __syncthreads();
  while (true) {
    if (t == 0) { mb_expect(&bar, 16); ask(answer, &bar); {{the answer is not awaited: mb_wait(&bar, p); || }} p ^= 1; next = given(answer); }
    b[tile * 128 + t] = a[tile * 128 + t] + tile; {{no barrier after the answer: __syncthreads(); || }} int n = next; {{no barrier before the next one: __syncthreads(); || }}
    if (n < 0) break; tile = n; }""", (512, -512), grid=4),
        _made("words that warps keep in tensor memory", """
  __shared__ unsigned base; if (w == 0) {{half a warp allocates: tm_alloc(&base); || { if (lane < 16) tm_alloc(&base); } }}
  {{no barrier after the allocation: tm_before(); __syncthreads(); tm_after(); || }} unsigned mine = base + (w << 21);
  tm_store(mine, a[t]); {{stores are not awaited: tm_stored(); || }} int v = tm_load(mine); {{loads are not awaited: tm_loaded(); || }} b[t] = v;
  {{freed while others read: tm_before(); __syncthreads(); tm_after(); || }} {{never freed: if (w == 0) tm_free(base); || }}""", (128, -128), grid=1),
        _made("words that cross warps in tensor memory", """
  __shared__ unsigned base; __shared__ unsigned long long full, empty;
  if (t == 0) { mb_init(&full, {{a count of half the writers: 128 || 64}}); mb_init(&empty, 128); } if (w == 0) tm_alloc(&base);
  tm_before(); __syncthreads(); tm_after(); unsigned mine = base + (w % 4 << 21); int i = t % 128;
  if (w < 4) { for (int n = 0; n < 3; n++) { {{room is not awaited: mb_wait(&empty, (n & 1) ^ 1); || }} {{no fence after there is room: tm_after(); || }} tm_store(mine, a[n * 128 + i]); {{stores are not awaited: tm_stored(); || }} {{no fence before it is told: tm_before(); || }} mb_arrive(&full); } }
  else { for (int n = 0; n < 3; n++) { {{words are not awaited: mb_wait(&full, n & 1); || }} {{no fence after they are there: tm_after(); || }} int v = tm_load(mine); {{loads are not awaited: tm_loaded(); || }} {{no fence before there is room: tm_before(); || }} mb_arrive(&empty); b[n * 128 + i] = v; } }
  tm_before(); __syncthreads(); if (w == 0) { tm_after(); tm_free(base); }""", (384, -384), grid=1, block=256),
    ]  # fmt: skip
