"""Kernels with tensor descriptors, whose PTX for sm_90, as Triton writes it, stands beside this file: `python triton_tma.py`."""

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
def host_matmul(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPECIALIZE: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, num_stages=3, warp_specialize=SPECIALIZE):
        acc = tl.dot(a.load([m, k]), b.load([k, n]), acc)
    c.store([m, n], acc.to(tl.float16))


@triton.jit
def device_matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, num_stages=3):
        acc = tl.dot(left.load([m, k]), right.load([k, n]), acc)
    out.store([m, n], acc.to(tl.float16))


@triton.jit
def attention(q, k, v, o, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    row = tl.program_id(0) * BM
    Q = q.load([row, 0])
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for j in tl.range(0, n, BN, num_stages=2):
        s = tl.dot(Q, k.load([j, 0]).T) * scale
        higher = tl.maximum(top, tl.max(s, 1))
        p, shrink = tl.exp2(s - higher[:, None]), tl.exp2(top - higher)
        total = total * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None] + tl.dot(p.to(tl.float16), v.load([j, 0]))
        top = higher
    o.store([row, 0], (acc / total[:, None]).to(tl.float16))


@triton.jit
def add_rows(x, y, n, B: tl.constexpr):
    """Adds boxes of x to y by reductions in the copy engine."""
    i, j = tl.program_id(0) * B, tl.program_id(1) * B
    y.atomic_add([i, j], x.load([i, j]))
    y.atomic_max([i, j], x.load([i, j]) + n)


BOX = "tensordesc<fp16[64, 64]>"
TILES = {"BM": 64, "BN": 64, "BK": 64}
JOBS = {
    "host": (host_matmul, {"a": BOX, "b": BOX, "c": BOX, "K": "i32"}, TILES | {"SPECIALIZE": False}),
    "specialized": (host_matmul, {"a": BOX, "b": BOX, "c": BOX, "K": "i32"}, TILES | {"SPECIALIZE": True}),
    "device": (device_matmul, {"a": "*fp16", "b": "*fp16", "c": "*fp16", "M": "i32", "N": "i32", "K": "i32"}, TILES),
    "attention": (attention, {"q": BOX, "k": BOX, "v": BOX, "o": BOX, "n": "i32", "scale": "fp32"},
                  {"BM": 64, "BN": 64, "D": 64}),
    "reduce": (add_rows, {"x": "tensordesc<i32[32, 32]>", "y": "tensordesc<i32[32, 32]>", "n": "i32"}, {"B": 32}),
}  # fmt: skip


def main() -> None:
    for name, (function, signature, constants) in JOBS.items():
        types = signature | dict.fromkeys(constants, "constexpr")
        values = {(function.arg_names.index(key),): value for key, value in constants.items()}
        source = ASTSource(function, signature=types, constexprs=values)
        made = triton.compile(source, target=GPUTarget("cuda", 90, 32))
        text = f"// shared {made.metadata.shared} warps {made.metadata.num_warps}\n"
        text += made.asm["ptx"].split("\t.section")[0]
        Path(__file__).with_name(f"triton_tma_{name}_sm_90.ptx").write_text(text)


if __name__ == "__main__":
    main()
