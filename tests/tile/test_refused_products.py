"""The shapes and types that products have on each target, on both sides of each limit, and waits for them."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.tile.test_limits import traced
from weft.errors import CompileError
from weft.tile import Global, cta, i8, i32, shared, warpgroup, wgmma_layout, zeros
from weft.tile.layouts import swizzled
from weft.tile.machine import fence_async

TYPES = "use f16, bf16, f32 (as tf32) or fp8 into f32; f16 or fp8 into f16; i8 or u8 into i32"
IN_REGISTERS = "use f16, bf16, f32 (as tf32) or fp8 into f32; f16 into f16; i8 into i32; f64 into f64"
IN_MEMORY = "use f16, bf16, f32 (as tf32) or fp8 into f32; i8 or u8 into i32"


def of_a_warpgroup(m: int, n: int, k: int, a: str = "f16", b: str = "f16", d: str = "f32") -> str:
    """A product of matrices in shared memory, B as N x K."""
    return (
        f"r = zeros(({m}, {n}), {d}, wgmma_layout('d', ({m}, {n}), {d}))\n"
        f"p, q = (shared(each, kind, swizzled(each, kind)) for each, kind in ((({m}, {k}), {a}), (({n}, {k}), {b})))\n"
        "warpgroup.gemm_async(r, p, q.transpose())\nwarpgroup.wait(0)"
    )


def of_a_warp(m: int, n: int, k: int, a: str = "f16", b: str = "f16", d: str = "f32") -> str:
    """A product in registers that nothing was loaded to."""
    operands = ((m, k, a, "a", a), (k, n, b, "b", b), (m, n, d, "d", a))
    tiles = (
        f"register(({x}, {y}), {kind}, mma_layout('{name}', ({x}, {y}), {of}))" for x, y, kind, name, of in operands
    )
    return f"from_a, from_b, r = {', '.join(tiles)}\nwarp.gemm(r, from_a, from_b)"


def in_tensor_memory(m: int, n: int, k: int, a: str = "f16", b: str = "f16", d: str = "f32") -> str:
    """A product of slots that nobody fills but with what is there."""
    return (
        f"t = tensor_memory(({m}, {n}), {d})\n"
        f"p, q = (shared(each, kind, swizzled(each, kind)) for each, kind in ((({m}, {k}), {a}), (({n}, {k}), {b})))\n"
        "with role(warps=1): cta.gemm_async(t, p, q.transpose())"
    )


SHAPES: list[tuple[str, str, str, str]] = [
    # -- wgmma: 64 rows, 32 bytes along K; integers not of every N --
    ("sm_90a", of_a_warpgroup(64, 8, 16), "", ""),
    ("sm_90a", of_a_warpgroup(128, 16, 32), "", ""),
    ("sm_90a", of_a_warpgroup(64, 16, 8, "f32", "f32"), "", ""),
    ("sm_90a", of_a_warpgroup(64, 16, 16, "e4m3", "e5m2"),
        "'tile.gemm_async': 64x16x16 is not a multiple of the shapes of wgmma", "make M a multiple of 64, N of 8, K of 32"),
    *(("sm_90a", of_a_warpgroup(64, n, 32, "i8", "u8", "i32"), "", "") for n in (8, 24, 40, 56)),
    ("sm_90a", of_a_warpgroup(64, 16, 32, "e4m3", "e5m2", "f16"), "", ""),
    *(("sm_90a", of_a_warpgroup(64, 16, 32, a, b, d), f"'tile.gemm_async': wgmma does not multiply {x} by {y} into {d}", TYPES)
        for a, x, b, y, d in (("f16", "f16", "bf16", "bf16", "f32"), ("bf16", "bf16", "bf16", "bf16", "f16"),
        ("e4m3", "f8E4M3FN", "f16", "f16", "f32"), ("i8", "i8", "i8", "i8", "f32"), ("f16", "f16", "f16", "f16", "i32"))),
    # -- mma.sync --
    ("sm_80", of_a_warp(16, 8, 16), "", ""),
    ("sm_80", of_a_warp(8, 8, 4, "f64", "f64", "f64"), "", ""),
    *(("sm_80", of_a_warp(16, 8, 32, a, b, d), f"'tile.gemm': mma.sync does not multiply {a} by {b} into {d}", IN_REGISTERS)
        for a, b, d in (("f16", "f16", "bf16"), ("i8", "i8", "i16"))),
    # -- tcgen05.mma: 128 rows, N of 16 --
    *(("sm_100a", in_tensor_memory(128, n, 16), "", "") for n in (16, 256, 320)),
    ("sm_100a", in_tensor_memory(128, 8, 16), "'tile.gemm_tensor': 128x8x16 is not a multiple of the shapes of tcgen05.mma",
        "make M 128, N a multiple of 16, K of 32 bytes"),
    ("sm_100a", in_tensor_memory(128, 16, 16, "e4m3", "e5m2"),
        "'tile.gemm_tensor': 128x16x16 is not a multiple of the shapes of tcgen05.mma", "make M 128, N a multiple of 16, K of 32 bytes"),
    *(("sm_100a", in_tensor_memory(128, 16, 32, a, b, d), f"'tile.gemm_tensor': tcgen05.mma does not multiply {x} by {y} into {d}", IN_MEMORY)
        for a, x, b, y, d in (("f16", "f16", "bf16", "bf16", "f32"), ("i8", "i8", "i8", "i8", "f32"),
        ("e4m3", "f8E4M3FN", "i8", "i8", "f32"))),
    # -- waits --
    ("sm_90a", of_a_warpgroup(64, 8, 16).replace("wait(0)", "wait(1)"),
        "'tile.gemm_async': this product is never waited for", "write warpgroup.wait(0) after it"),
    ("sm_90a", of_a_warpgroup(64, 8, 16).replace("warpgroup.wait(0)", "fill(r, 1)\nwarpgroup.wait(0)"),
        "'tile.fill': this uses registers of a product that is still in flight",
        "write warpgroup.wait(0) before it, or wait(n) if the last n groups of products use other tiles"),
    ("sm_90a", of_a_warpgroup(64, 8, 16).replace("warpgroup.gemm", "if n > 3: warpgroup.gemm"),
        "'tile.gemm_async': this product is still in flight at the end of its branch or role", "write warpgroup.wait(0) there"),
    ("sm_90a", of_a_warpgroup(64, 256, 16), "", ""),
    ("sm_90a", of_a_warpgroup(64, 256, 16) + "\n" + of_a_warpgroup(128, 256, 16),
        "'tile.gemm_async': the products in flight here hold 256 registers, of the 255 that a thread has",
        "keep to 224: use smaller tiles, or write warpgroup.wait before"),
]  # fmt: skip


@pytest.mark.parametrize(("target", "body", "said", "hint"), SHAPES)
def test_shapes_and_types_of_products(target: str, body: str, said: str, hint: str) -> None:
    def compile() -> None:
        traced(body, None if "role(" in body else 128).ptx(target)

    if not said:
        compile()
        return
    with pytest.raises(CompileError) as caught:
        compile()
    assert (caught.value.message, caught.value.hint) == (said, hint)


@weft.kernel(threads=128, grid=1)
def whole_numbers(a: Global(i8, (64, 64)), b: Global(i8, (40, 64)), c: Global(i32, (64, 40))):
    left, right = shared((64, 64), i8, swizzled((64, 64), i8)), shared((40, 64), i8, swizzled((40, 64), i8))
    cta.copy(left, a)
    cta.copy(right, b)
    fence_async()
    cta.sync()
    total = zeros((64, 40), i32, wgmma_layout("d", (64, 40), i32))
    warpgroup.gemm_async(total, left, right.transpose())
    warpgroup.wait(0)
    warpgroup.copy(c, total)


def test_integers_have_products_of_any_eight_columns() -> None:
    """Of 40, for which wgmma has none of integers, five of 8."""
    a, b = (np.random.default_rng(rows).integers(-128, 128, (rows, 64)).astype(np.int8) for rows in (64, 40))
    c = np.zeros((64, 40), np.int32)
    whole_numbers.run(a, b, c, check="strict", async_="lazy")
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b.T.astype(np.int32))
    assert whole_numbers.ptx("sm_90a").count("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8") == 10
