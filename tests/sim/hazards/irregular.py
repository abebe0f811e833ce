"""Irregular codes in CUDA C: traversals of graphs, worklists, queues and locks, with places for bugs.

Each source is a kernel `k`; `launch` says how it runs.  The sources are generated: patterns by mappings of work to
threads, warps or blocks, by types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Source:
    """A kernel in CUDA C with places for bugs (`marked`), what it needs before it, and its launch."""

    name: str
    text: str
    inputs: Callable[[], list[Any]]
    grid: int = 3
    block: int = 64
    cluster: int | None = None
    prelude: str = ""
    shared_bytes: int = 0


def graph(vertices: int = 150, seed: int = 3) -> tuple[Array, Array]:
    """A random graph: where the neighbours of each vertex start, and the neighbours."""
    rng = np.random.default_rng(seed)
    lists = [
        np.unique(rng.integers(0, vertices, rng.integers(0, 9) * (1 + 9 * (one % 3 == 0)))) for one in range(vertices)
    ]
    index = np.zeros(vertices + 1, np.int32)
    index[1:] = np.cumsum([len(one) for one in lists])
    return index, np.concatenate(lists).astype(np.int32)


TYPES = {"int": np.int32, "float": np.float32, "unsigned long long": np.uint64}

_MAPPINGS = {
    "thread": ("int i = threadIdx.x + blockIdx.x * blockDim.x;\n  if ({{bounds: i < n || i <= n + 40}}) {", "0", "1"),
    "warp": (
        (
            "int i = (threadIdx.x + blockIdx.x * blockDim.x) / 32; const int lane = threadIdx.x % 32;\n"
            "  for (; {{bounds: i < n || i <= n + 40}}; i += gridDim.x * blockDim.x / 32) {"
        ),
        "lane",
        "32",
    ),
    "block": (
        "for (int i = blockIdx.x; {{bounds: i < n || i <= n + 40}}; i += gridDim.x) {",
        "threadIdx.x",
        "blockDim.x",
    ),
    "stride": (
        (
            "for (int i = threadIdx.x + blockIdx.x * blockDim.x; {{bounds: i < n || i <= n + 40}}; "
            "i += gridDim.x * blockDim.x) {"
        ),
        "0",
        "1",
    ),
}

_EDGES = {
    "count": "if (i < v) {{atomic: atomicAdd(out, (T)1); || *out = *out + (T)1; }}",
    "count of vertices": "if (values[v] > values[i]) {{atomic: atomicAdd(&out[i / 4], values[v]); || out[i / 4] += values[v]; }}",
    "push": "{{atomic: atomicAdd(&out[v], values[i]); || out[v] += values[i]; }}",
    "pull": "{{race: out2[j] = values[v]; || if (j > 0) out2[j - (j & 1)] = values[v]; }}",
    "in place": "{{race: sum += values[v]; || if (values[v] > (T)10) values[i] = (T)j + values[v]; }} out2[j] = sum;",
}
_GUARDED = {
    "greatest": "T x = values[v]; {{guard: if (x > (T)3) || if (x > *out) }} {{atomic: atomicMax(out, x); || if (*out < x) *out = x; }}",
    "greatest of neighbours": "T x = values[i]; {{atomic: atomicMax(&out[v], x); || if (out[v] < x) out[v] = x; }}",
    "worklist": "if (v % 3 == 1) { int at = {{atomic: atomicAdd(size, 1) || (*size)++}}; list[at % 4096] = v; }",
    "worklist of the new": "if ({{atomic: atomicCAS(&seen[v], 0, 1) == 0 || seen[v] == 0 && (seen[v] = i + 1)}}) "
    "{ int at = atomicAdd(size, 1); list[at % 4096] = v; }",
    "flags": "{{race: seen[v] = 1; || seen[v] = i + 1; }}",
}


def traversals() -> Iterator[Source]:
    """Patterns over the edges of a graph."""
    index, neighbours = graph()
    for mapping, (head, first, step) in _MAPPINGS.items():
        for type_, dtype in TYPES.items():
            patterns = dict(_EDGES) if type_ == "float" else {**_EDGES, **_GUARDED}
            for pattern, body in patterns.items():
                text = f"""
typedef {type_} T;
extern "C" __global__ void k(const int* index, const int* neighbours, int n, T* values, T* out, T* out2, int* size,
                             int* list, int* seen) {{
  {head}
    int end = index[i + 1]; T sum = 0;
    for (int j = index[i] + {first}; j < end; j += {step}) {{ int v = neighbours[j]; {body} }}
  }}
}}
"""

                def inputs(dtype: Any = dtype) -> list[Any]:
                    values = np.random.default_rng(1).integers(1, 90, len(index) - 1).astype(dtype)
                    many = len(neighbours) + 1
                    return [
                        index, neighbours, np.int32(len(index) - 1), values, np.zeros(len(index), dtype),
                        np.zeros(many, dtype), np.zeros(1, np.int32), np.zeros(4096, np.int32), np.zeros(len(index), np.int32),
                    ]  # fmt: skip

                yield Source(f"{pattern} by {mapping}, {type_}", text, inputs)


def blocks() -> Iterator[Source]:
    """Reductions of a block or warp over edges, with shared memory."""
    index, neighbours = graph()

    def inputs() -> list[Any]:
        n = len(index) - 1
        values = np.random.default_rng(1).integers(1, 90, n).astype(np.int32)
        return [index, neighbours, np.int32(n), values, np.zeros(n, np.int32)]

    head = """extern "C" __global__ void k(const int* index, const int* neighbours, int n, const int* values, int* out) {"""
    yield Source(
        "greatest of a block",
        head
        + """
  __shared__ int part[64]; __shared__ int best;
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    int most = 0, end = index[i + 1];
    for (int j = index[i] + threadIdx.x; j < end; j += blockDim.x) most = max(most, values[neighbours[j]]);
    part[threadIdx.x] = most;
    {{no barrier after the parts: __syncthreads(); || }}
    if (threadIdx.x == 0) { int m = 0; for (int t = 0; t < 64; t++) m = max(m, part[t]); best = m; }
    {{no barrier after the best: __syncthreads(); || }}
    if (threadIdx.x == 5) out[i] = best;
  }
}""",
        inputs,
    )
    yield Source(
        "sum of a block by shared atomics",
        head
        + """
  __shared__ int sum;
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    if (threadIdx.x == 0) sum = 0;
    {{no barrier after zero: __syncthreads(); || }}
    int end = index[i + 1];
    for (int j = index[i] + threadIdx.x; j < end; j += blockDim.x) {{atomic: atomicAdd(&sum, values[neighbours[j]]); || sum += values[neighbours[j]]; }}
    {{no barrier after the sum: __syncthreads(); || }}
    if (threadIdx.x == 40) out[i] = sum;
    {{no barrier before the next: __syncthreads(); || }}
  }
}""",
        inputs,
    )
    yield Source(
        "tree of a block",
        head
        + """
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    int sum = 0, end = index[i + 1];
    for (int j = index[i] + t; j < end; j += 64) sum += values[neighbours[j]];
    s[t] = sum;
    {{no barrier before the tree: __syncthreads(); || }}
    for (int d = 32; d > 0; d >>= 1) {
      if (t < d) s[t] += s[t + d];
      {{no barrier in the tree: __syncthreads(); || }}
    }
    if (t == 0) out[i] = s[0];
    {{no barrier at the end: __syncthreads(); || if (t == 0) __syncthreads(); }}
  }
}""",
        inputs,
    )
    yield Source(
        "sum of a warp by shuffles",
        head
        + """
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  __shared__ int each[2];
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    int sum = 0, end = index[i + 1];
    for (int j = index[i] + threadIdx.x; j < end; j += blockDim.x) sum += values[neighbours[j]];
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync({{mask: 0xffffffff || 0x0000ffff}}, sum, d);
    if (lane == 0) each[warp] = sum;
    {{no barrier: __syncthreads(); || __syncwarp(); }}
    if (threadIdx.x == 0) out[i] = each[0] + each[1];
    {{no barrier at the end: __syncthreads(); || __threadfence_block(); }}
  }
}""",
        inputs,
    )
    yield Source(
        "lists of a warp in shared memory",
        head
        + """
  __shared__ int list[2][160]; __shared__ int size[2];
  int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  for (int i = (threadIdx.x + blockIdx.x * blockDim.x) / 32; i < n; i += gridDim.x * blockDim.x / 32) {
    if (lane == 0) size[w] = 0;
    {{no barrier after zero: __syncwarp(); || }}
    int end = index[i + 1];
    for (int j = index[i] + lane; j < end; j += 32) { int at = {{atomic: atomicAdd(&size[w], 1) || size[w]++}}; list[w][at] = neighbours[j]; }
    {{no barrier after the list: __syncwarp(); || __any_sync(0xffffffff, lane); }}
    int m = 0; for (int j = lane; j < size[w]; j += 32) m += values[list[w][size[w] - 1 - j]];
    m = __reduce_add_sync(0xffffffff, m);
    if (lane == 0) out[i] = m;
    {{no barrier before the next: __syncwarp(); || }}
  }
}""",
        inputs,
    )
    yield Source(
        "a ballot and a prefix",
        head
        + """
  __shared__ int base[3], out_list[64];
  int t = threadIdx.x, lane = t % 32, w = t / 32;
  for (int first = blockIdx.x * 64; first < n; first += gridDim.x * 64) {
    int i = first + t; bool take = i < n && index[i + 1] > index[i];
    unsigned mask = __ballot_sync({{mask: ~0u || (lane < 16 ? 0xffff : ~0u)}}, take);
    if (lane == 0) base[w + 1] = __popc(mask);
    {{no barrier after counts: __syncthreads(); || }}
    if (t == 0) { base[0] = 0; base[2] += base[1]; }
    __syncthreads();
    int at = base[w] + __popc(mask & ((1u << lane) - 1));
    if (take) out_list[at] = i;
    {{no barrier after the list: __syncthreads(); || }}
    if (t < base[2]) out[first + t] = out_list[t];
    {{no barrier at the end: __syncthreads(); || }}
  }
}""",
        inputs,
        grid=1,
    )


def all_sources() -> list[Source]:
    """Every source."""
    return [*traversals(), *blocks()]
