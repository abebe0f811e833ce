"""Kernels whose PTX, as Triton writes it for sm_80 and (tensor cores) sm_90, stands beside this file: `python triton_kernels.py`."""

# pyright: basic

from __future__ import annotations

import os
from pathlib import Path

os.environ["TRITON_DISABLE_LINE_INFO"] = "1"

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(x, y, n, B: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * n + o, mask=o < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row * n + o, e / tl.sum(e, 0), mask=o < n)


@triton.jit
def layernorm(x, w, b, y, n, eps, B: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, B)
    m = o < n
    v = tl.load(x + row * n + o, mask=m, other=0.0).to(tl.float32)
    d = tl.where(m, v - tl.sum(v, 0) / n, 0.0)
    scale = 1 / tl.sqrt(tl.sum(d * d, 0) / n + eps)
    tl.store(y + row * n + o, (d * scale * tl.load(w + o, mask=m) + tl.load(b + o, mask=m)).to(tl.float16), mask=m)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    on = tl.program_id(1) * BN + tl.arange(0, BN)
    ok = tl.arange(0, BK)
    ap, bp = a + om[:, None] * K + ok[None, :], b + ok[:, None] * N + on[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(ap), tl.load(bp), acc)
        ap += BK
        bp += BK * N
    tl.store(c + om[:, None] * N + on[None, :], acc)


@triton.jit
def int8_matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    on = tl.program_id(1) * BN + tl.arange(0, BN)
    ok = tl.arange(0, BK)
    ap, bp = a + om[:, None] * K + ok[None, :], b + ok[:, None] * N + on[None, :]
    acc = tl.zeros((BM, BN), tl.int32)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(ap), tl.load(bp), acc)
        ap += BK
        bp += BK * N
    tl.store(c + om[:, None] * N + on[None, :], acc)


@triton.jit
def attention(q, k, v, o, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    om, od = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D)
    Q = tl.load(q + om[:, None] * D + od[None, :])
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for j in range(0, n, BN):
        on = j + tl.arange(0, BN)
        K = tl.load(k + on[None, :] * D + od[:, None])
        V = tl.load(v + on[:, None] * D + od[None, :])
        s = tl.dot(Q, K) * scale
        higher = tl.maximum(top, tl.max(s, 1))
        p, shrink = tl.exp2(s - higher[:, None]), tl.exp2(top - higher)
        total = total * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None] + tl.dot(p.to(tl.float16), V)
        top = higher
    tl.store(o + om[:, None] * D + od[None, :], (acc / total[:, None]).to(tl.float16))


@triton.jit
def cumulative(x, y, n, B: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * n + o, mask=o < n, other=0)
    tl.store(y + row * n + o, tl.cumsum(v, 0), mask=o < n)


@triton.jit
def sort(x, y, B: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, B)
    tl.store(y + row * B + o, tl.sort(tl.load(x + row * B + o)))


@triton.jit
def argmax(x, y, n, B: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * n + o, mask=o < n, other=-float("inf"))
    tl.store(y + row, tl.argmax(v, 0))


@triton.jit
def histogram(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o, mask=o < n, other=0)
    tl.atomic_add(y + v, 1, mask=o < n)


@triton.jit
def splitk(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr):
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    on = tl.program_id(1) * BN + tl.arange(0, BN)
    ok = tl.program_id(2) * BK + tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK * PARTS):
        left = tl.load(a + om[:, None] * K + (k + ok)[None, :], mask=(k + ok)[None, :] < K, other=0.0)
        right = tl.load(b + (k + ok)[:, None] * N + on[None, :], mask=(k + ok)[:, None] < K, other=0.0)
        acc = tl.dot(left, right, acc)
    tl.atomic_add(c + om[:, None] * N + on[None, :], acc)


@triton.jit
def dropout(x, y, n, p, seed, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    keep = tl.rand(seed, o) > p
    tl.store(y + o, tl.where(keep, tl.load(x + o, mask=o < n) / (1 - p), 0.0), mask=o < n)


@triton.jit
def random_words(y, seed, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.randint(seed, o))


@triton.jit
def cross_entropy(x, labels, loss, n, B: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * n + o, mask=o < n, other=-float("inf")).to(tl.float32)
    top = tl.max(v, 0)
    total = tl.log(tl.sum(tl.exp(v - top), 0)) + top
    tl.store(loss + row, total - tl.load(x + row * n + tl.load(labels + row)).to(tl.float32))


@triton.jit
def gelu(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o, mask=o < n).to(tl.float32)
    tl.store(y + o, (v * 0.5 * (1.0 + tl.erf(v * 0.7071067811865476))).to(tl.bfloat16), mask=o < n)


@triton.jit
def rope(x, cosine, sine, y, n, H: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, H)
    a, b = tl.load(x + row * 2 * H + o), tl.load(x + row * 2 * H + H + o)
    c, s = tl.load(cosine + row * H + o), tl.load(sine + row * H + o)
    tl.store(y + row * 2 * H + o, a * c - b * s)
    tl.store(y + row * 2 * H + H + o, b * c + a * s)


@triton.jit
def _either(a, b):
    return tl.where(a > b, a, b)


@triton.jit
def running_maximum(x, y, n, B: tl.constexpr):
    row, o = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * n + o, mask=o < n, other=-(2**31))
    tl.store(y + row * n + o, tl.associative_scan(v, 0, _either), mask=o < n)


@triton.jit
def transposed(x, y, m, n, B: tl.constexpr):
    i, j = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    inside = (i[:, None] < m) & (j[None, :] < n)
    v = tl.load(x + i[:, None] * n + j[None, :], mask=inside)
    tl.store(y + j[:, None] * m + i[None, :], tl.trans(v), mask=tl.trans(inside))


@triton.jit
def causal_attention(q, k, v, o, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    om, od = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D)
    base = tl.program_id(1) * n * D
    Q = tl.load(q + base + om[:, None] * D + od[None, :])
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for j in range(0, (tl.program_id(0) + 1) * BM, BN):
        on = j + tl.arange(0, BN)
        K = tl.load(k + base + on[None, :] * D + od[:, None])
        V = tl.load(v + base + on[:, None] * D + od[None, :])
        s = tl.where(om[:, None] >= on[None, :], tl.dot(Q, K) * scale, -float("inf"))
        higher = tl.maximum(top, tl.max(s, 1))
        p, shrink = tl.exp2(s - higher[:, None]), tl.exp2(top - higher)
        total = total * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None] + tl.dot(p.to(tl.bfloat16), V)
        top = higher
    tl.store(o + base + om[:, None] * D + od[None, :], (acc / total[:, None]).to(tl.bfloat16))


@triton.jit
def tma_matmul(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([m, k]), b.load([k, n]), acc)
    c.store([m, n], acc.to(tl.float16))


GEMM = {"BM": 64, "BN": 64, "BK": 32}
JOBS = {
    "softmax": (softmax, {"x": "*fp32", "y": "*fp32", "n": "i32"}, {"B": 1024}),
    "layernorm": (layernorm, {"x": "*fp16", "w": "*fp32", "b": "*fp32", "y": "*fp16", "n": "i32", "eps": "fp32"}, {"B": 512}),
    "matmul_f16": (matmul, {"a": "*fp16", "b": "*fp16", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}, GEMM),
    "matmul_bf16": (matmul, {"a": "*bf16", "b": "*bf16", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}, GEMM),
    "matmul_tf32": (matmul, {"a": "*fp32", "b": "*fp32", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}, GEMM),
    "matmul_s8": (int8_matmul, {"a": "*i8", "b": "*i8", "c": "*i32", "M": "i32", "N": "i32", "K": "i32"}, GEMM),
    "matmul_e4m3": (matmul, {"a": "*fp8e4nv", "b": "*fp8e4nv", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}, GEMM),
    "matmul_e5m2": (matmul, {"a": "*fp8e5", "b": "*fp8e5", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}, GEMM),
    "splitk": (splitk, {"a": "*fp16", "b": "*fp16", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"},
               {"BM": 32, "BN": 32, "BK": 32, "PARTS": 3}),
    "dropout": (dropout, {"x": "*fp32", "y": "*fp32", "n": "i32", "p": "fp32", "seed": "i32"}, {"B": 256}),
    "random": (random_words, {"y": "*i32", "seed": "i32"}, {"B": 256}),
    "cross_entropy": (cross_entropy, {"x": "*bf16", "labels": "*i32", "loss": "*fp32", "n": "i32"}, {"B": 512}),
    "gelu": (gelu, {"x": "*bf16", "y": "*bf16", "n": "i32"}, {"B": 512}),
    "rope": (rope, {"x": "*fp32", "cosine": "*fp32", "sine": "*fp32", "y": "*fp32", "n": "i32"}, {"H": 64}),
    "running_maximum": (running_maximum, {"x": "*i32", "y": "*i32", "n": "i32"}, {"B": 512}),
    "transposed": (transposed, {"x": "*fp16", "y": "*fp16", "m": "i32", "n": "i32"}, {"B": 32}),
    "causal_attention": (causal_attention, {"q": "*bf16", "k": "*bf16", "v": "*bf16", "o": "*bf16", "n": "i32",
                         "scale": "fp32"}, {"BM": 64, "BN": 32, "D": 32}),
    "tma_matmul": (tma_matmul, {"a": "tensordesc<fp16[64,64]>", "b": "tensordesc<fp16[64,128]>", "c": "tensordesc<fp16[64,128]>",
                   "K": "i32"}, {"BM": 64, "BN": 128, "BK": 64}),
    "attention": (attention, {"q": "*fp16", "k": "*fp16", "v": "*fp16", "o": "*fp16", "n": "i32", "scale": "fp32"},
                  {"BM": 64, "BN": 64, "D": 64}),
    "cumulative": (cumulative, {"x": "*i32", "y": "*i32", "n": "i32"}, {"B": 512}),
    "sort": (sort, {"x": "*i32", "y": "*i32"}, {"B": 256}),
    "argmax": (argmax, {"x": "*fp32", "y": "*i32", "n": "i32"}, {"B": 1024}),
    "histogram": (histogram, {"x": "*i32", "y": "*i32", "n": "i32"}, {"B": 256}),
}  # fmt: skip


def write(name: str, capability: int) -> None:
    function, signature, constants = JOBS[name]
    types = signature | dict.fromkeys(constants, "constexpr")
    values = {(function.arg_names.index(key),): value for key, value in constants.items()}
    source = ASTSource(function, signature=types, constexprs=values)
    compiled = triton.compile(source, target=GPUTarget("cuda", capability, 32))
    text = f"// shared {compiled.metadata.shared}\n" + compiled.asm["ptx"].split("\t.section")[0]
    Path(__file__).with_name(f"triton_{name}_sm_{capability}.ptx").write_text(text)


SM_90 = ("matmul", "attention", "causal", "tma")
"""Kernels with tensor cores are compiled for sm_90 as well; tensor copies exist only there, and so do products of e4m3."""


def main() -> None:
    for name in JOBS:
        if not name.startswith(("tma", "matmul_e")):
            write(name, 80)
        if name.startswith(SM_90):
            write(name, 90)


if __name__ == "__main__":
    main()
