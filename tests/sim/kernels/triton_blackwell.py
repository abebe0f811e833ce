"""Kernels whose PTX, as Triton writes it for sm_100 (tcgen05) and sm_120 (block scales), stands beside this file.

`python triton_blackwell.py` writes it.
"""

# pyright: basic

from __future__ import annotations

import os
from pathlib import Path

os.environ["TRITON_DISABLE_LINE_INFO"] = "1"

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton_kernels import attention, int8_matmul, matmul, tma_matmul


@triton.jit
def scaled_matmul(
    a, b, c, sa, sb, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, A: tl.constexpr, B: tl.constexpr,
    PA: tl.constexpr, PB: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Products of formats A and B, `PA` and `PB` elements a byte, with a scale for each `BLOCK` of K."""
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    on = tl.program_id(1) * BN + tl.arange(0, BN)
    ka, kb, ks = tl.arange(0, BK // PA), tl.arange(0, BK // PB), tl.arange(0, BK // BLOCK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + om[:, None] * (K // PA) + (k // PA + ka)[None, :])
        y = tl.load(b + on[None, :] * (K // PB) + (k // PB + kb)[:, None])
        sx = tl.load(sa + om[:, None] * (K // BLOCK) + (k // BLOCK + ks)[None, :])
        sy = tl.load(sb + on[:, None] * (K // BLOCK) + (k // BLOCK + ks)[None, :])
        acc = tl.dot_scaled(x, sx, A, y, sy, B, acc)
    tl.store(c + om[:, None] * N + on[None, :], acc)


GEMM = {"a": "*fp16", "b": "*fp16", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}
TILE = {"BM": 128, "BN": 32, "BK": 64}
SCALED = {"a": "*u8", "b": "*u8", "c": "*fp32", "sa": "*u8", "sb": "*u8", "N": "i32", "K": "i32"}
E4M3, E5M2, SCALES = {"a": "*fp8e4nv"}, {"b": "*fp8e5"}, {"sa": "*fp8e4nv", "sb": "*fp8e4nv"}


def scaled(a: str, b: str, block: int, bm: int, bn: int, bk: int = 128) -> dict[str, object]:
    halves = {"e2m1": 2}
    return {
        "BM": bm, "BN": bn, "BK": bk, "A": a, "B": b, "PA": halves.get(a, 1), "PB": halves.get(b, 1), "BLOCK": block
    }  # fmt: skip


JOBS = {
    ("matmul_f16", 100): (matmul, GEMM, TILE),
    ("matmul_e4m3", 100): (matmul, GEMM | {"a": "*fp8e4nv", "b": "*fp8e4nv"}, TILE),
    ("matmul_tf32", 100): (matmul, GEMM | {"a": "*fp32", "b": "*fp32"}, {"BM": 128, "BN": 32, "BK": 32}),
    ("matmul_s8", 100): (int8_matmul, GEMM | {"a": "*i8", "b": "*i8", "c": "*i32"}, TILE),
    ("attention", 100): (
        attention,
        {"q": "*fp16", "k": "*fp16", "v": "*fp16", "o": "*fp16", "n": "i32", "scale": "fp32"},
        {"BM": 128, "BN": 32, "D": 32},
    ),
    ("tma_matmul", 100): (
        tma_matmul,
        {"a": "tensordesc<fp16[128,64]>", "b": "tensordesc<fp16[64,64]>", "c": "tensordesc<fp16[128,64]>", "K": "i32"},
        {"BM": 128, "BN": 64, "BK": 64},
    ),
    ("scaled_e4m3_e5m2", 100): (scaled_matmul, SCALED | E4M3 | E5M2, scaled("e4m3", "e5m2", 32, 128, 32)),
    ("scaled_e4m3_e2m1", 100): (scaled_matmul, SCALED | E4M3, scaled("e4m3", "e2m1", 32, 128, 32)),
    ("scaled_e2m1_e2m1", 100): (scaled_matmul, SCALED, scaled("e2m1", "e2m1", 32, 128, 32)),
    ("scaled_nvfp4", 100): (scaled_matmul, SCALED | SCALES, scaled("e2m1", "e2m1", 16, 128, 32)),
    ("scaled_e4m3_e5m2", 120): (scaled_matmul, SCALED | E4M3 | E5M2, scaled("e4m3", "e5m2", 32, 32, 32)),
    ("scaled_e2m1_e2m1", 120): (scaled_matmul, SCALED, scaled("e2m1", "e2m1", 32, 32, 32)),
    ("scaled_nvfp4", 120): (scaled_matmul, SCALED | SCALES, scaled("e2m1", "e2m1", 16, 32, 32)),
}


def write(name: str, capability: int) -> None:
    function, signature, constants = JOBS[name, capability]
    types = signature | dict.fromkeys(constants, "constexpr")
    values = {(function.arg_names.index(key),): value for key, value in constants.items()}
    source = ASTSource(function, signature=types, constexprs=values)
    compiled = triton.compile(source, target=GPUTarget("cuda", capability, 32))
    text = f"// shared {compiled.metadata.shared}\n" + compiled.asm["ptx"].split("\t.section")[0]
    Path(__file__).with_name(f"triton_{name}_sm_{capability}.ptx").write_text(text)


def main() -> None:
    for name, capability in JOBS:
        write(name, capability)


if __name__ == "__main__":
    main()
