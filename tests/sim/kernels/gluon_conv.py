"""A convolution as a product of im2col columns, whose PTX for sm_90, as Gluon writes it, stands beside this file."""

# pyright: basic

from __future__ import annotations

import os
from pathlib import Path

os.environ["TRITON_DISABLE_LINE_INFO"] = "1"

import triton
from triton.backends.compiler import GPUTarget
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)


@gluon.jit
def conv(x, f, y, height, width, pad, R: gl.constexpr, S: gl.constexpr, C: gl.constexpr, STRIDE: gl.constexpr):
    """y[pixel, k] = sum over r, s, c of x[pixel moved by (r, s), c] * f[k, (r, s, c)]."""
    BM: gl.constexpr = x.block_type.shape[0]
    BK: gl.constexpr = x.block_type.shape[1]
    BN: gl.constexpr = f.block_type.shape[0]
    pixel = gl.program_id(0) * BM
    n = pixel // (height * width)
    row, column = pixel // width % height * STRIDE - pad, pixel % width * STRIDE - pad
    left = gl.allocate_shared_memory(x.dtype, x.block_type.shape, x.layout)
    right = gl.allocate_shared_memory(f.dtype, f.block_type.shape, f.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, BN, 16])
    acc = gl.zeros((BM, BN), gl.float32, layout)
    phase = 0
    for r in range(R):
        for s in range(S):
            for c in range(0, C, BK):
                mbarrier.expect(bar, x.block_type.nbytes + f.block_type.nbytes)
                tma.async_load_im2col(x, [n, row, column, c], [r.to(gl.int16), s.to(gl.int16)], bar, left)
                tma.async_load(f, [gl.program_id(1) * BN, (r * S + s) * C + c], bar, right)
                mbarrier.wait(bar, phase=phase)
                phase ^= 1
                acc = warpgroup_mma(left, right.permute((1, 0)), acc, is_async=True)
                acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc,))
    mbarrier.invalidate(bar)
    out = gl.allocate_shared_memory(y.dtype, y.block_type.shape, y.layout)
    out.store(acc.to(gl.float16))
    fence_async_shared()
    tma.async_store(y, [pixel, gl.program_id(1) * BN], out)
    tma.store_wait(pendings=0)


def main() -> None:
    layout = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)
    tile = f"tensordesc<fp16[64, 64],{layout!r}>"
    signature = {"x": f"tensordesc_im2col<fp16[64, 64],{layout!r}>", "f": tile, "y": tile,
                 "height": "i32", "width": "i32", "pad": "i32"}  # fmt: skip
    constants = {"R": 3, "S": 2, "C": 128, "STRIDE": 2}
    types = signature | dict.fromkeys(constants, "constexpr")
    values = {(conv.arg_names.index(key),): value for key, value in constants.items()}
    source = GluonASTSource(conv, signature=types, constexprs=values)
    made = triton.compile(source, target=GPUTarget("cuda", 90, 32))
    text = (
        f"// shared {made.metadata.shared} warps {made.metadata.num_warps}\n" + made.asm["ptx"].split("\t.section")[0]
    )
    Path(__file__).with_name("gluon_conv_sm_90.ptx").write_text(text)


if __name__ == "__main__":
    main()
