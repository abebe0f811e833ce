"""Kernels in Triton, compiled on a machine without a GPU."""

# Triton reads these functions' source and gives `tl` its own meaning, which no type checker sees.
# pyright: basic

from __future__ import annotations

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(out, inp, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    x = tl.load(inp + row * columns + offsets, mask=inside, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out + row * columns + offsets, e / tl.sum(e, axis=0), mask=inside)


@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    pa = a + rows[:, None] * k + depth[None, :]
    pb = b + depth[:, None] * n + columns[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, k, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc)
        pa += BK
        pb += BK * n
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * n + columns[None, :], acc.to(tl.float16), mask=inside)


@triton.jit
def layernorm(x, weight, bias, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    v = tl.load(x + row * columns + offsets, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(v, axis=0) / columns
    centred = tl.where(inside, v - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + eps)
    w = tl.load(weight + offsets, mask=inside)
    b = tl.load(bias + offsets, mask=inside)
    tl.store(out + row * columns + offsets, centred * scale * w + b, mask=inside)


@triton.jit
def scan_and_count(x, out, counts, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    v = tl.load(x + offsets, mask=inside, other=0)
    tl.store(out + offsets, tl.cumsum(v, axis=0), mask=inside)
    tl.atomic_add(counts + (v & 63), 1, mask=inside)


KERNELS = {
    "softmax": (softmax, {"out": "*fp32", "inp": "*fp32", "columns": "i32"}, {"BLOCK": 1024}),
    "matmul": (
        matmul,
        {"a": "*fp16", "b": "*fp16", "c": "*fp16", "m": "i32", "n": "i32", "k": "i32"},
        {"BM": 64, "BN": 64, "BK": 32},
    ),
    "layernorm": (
        layernorm,
        {"x": "*bf16", "weight": "*fp32", "bias": "*fp32", "out": "*bf16", "columns": "i32", "eps": "fp32"},
        {"BLOCK": 2048},
    ),
    "scan_and_count": (scan_and_count, {"x": "*i32", "out": "*i32", "counts": "*i32", "n": "i32"}, {"BLOCK": 512}),
}


def compile_kernel(name: str, capability: int = 80) -> str:
    """The PTX that Triton writes for a kernel and `sm_<capability>`; pointers and sizes count as multiples of 16, as they are in use."""
    function, signature, constants = KERNELS[name]
    types = signature | dict.fromkeys(constants, "constexpr")
    aligned = {(i,): [["tt.divisibility", 16]] for i, kind in enumerate(signature.values()) if kind != "fp32"}
    source = ASTSource(fn=function, signature=types, constexprs=constants, attrs=aligned)
    return triton.compile(source, target=GPUTarget("cuda", capability, 32)).asm["ptx"]
