"""The shapes and types that products have on each target, on both sides of each limit, and waits for them."""

from __future__ import annotations

import re
from itertools import product

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


def one_after_another(d: str, more_d: str, a: str, more_a: str) -> str:
    """Two products of registers, of which the second may read the sums of the first."""
    lines = [f"{name} = zeros((64, 16), f16, wgmma_layout('d', (64, 16), f16))" for name in ("first", "second")]
    lines += ["left = zeros((64, 16), f16, wgmma_layout('a', (64, 16), f16))"]
    lines += ["q = shared((16, 16), f16, swizzled((16, 16), f16)).transpose()"]
    return "\n".join(
        [*lines, *(f"warpgroup.gemm_async({x}, {y}, q)" for x, y in ((d, a), (more_d, more_a))), "warpgroup.wait(0)"]
    )


def side_by_side(first: int, second: int) -> str:
    """Two products of 64 rows in flight at a time, of so many columns."""
    lines = ["p = shared((64, 16), f16, swizzled((64, 16), f16))"]
    lines += [f"r{n} = zeros((64, {n}), f32, wgmma_layout('d', (64, {n}), f32))" for n in (first, second)]
    lines += [f"q{n} = shared(({n}, 16), f16, swizzled(({n}, 16), f16))" for n in (first, second)]
    lines += [f"warpgroup.gemm_async(r{n}, p, q{n}.transpose())" for n in (first, second)]
    return "\n".join([*lines, "warpgroup.wait(0)"])


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


def with_scales(n: int, depth: int = 128, skip: str = "0", rows: object = None, columns: object = None) -> str:
    """A product of e4m3 whose blocks of 32 have scales, into tensor memory."""
    count = depth // 128
    rows, columns = rows or (1, count, 32, 16), columns or (-(-n // 128), count, 32, 16)
    return (
        f"t = tensor_memory((128, {n}), f32)\n"
        f"p, q = (shared(each, e4m3, swizzled(each, e4m3)) for each in ((128, {depth}), ({n}, {depth})))\n"
        f"sp, sq = shared({rows}, e8m0), shared({columns}, e8m0)\n"
        f"with role(warps=1): dot_scaled(t, p, sp, q.transpose(), sq, skip={skip})"
    )


def scaled_by_a_warp(kind: str, scale: str, *, of_a: int, of_b: int, depth: int = 32, d: str = "f32") -> str:
    """A product of 16 x 8 in registers, with so many scales along K."""
    operands = ((16, depth, kind, "a"), (depth, 8, kind, "b"), (16, 8, d, "d"))
    tiles = (f"register(({x}, {y}), {of}, mma_layout('{name}', ({x}, {y}), {kind}))" for x, y, of, name in operands)
    scales = (f"register(({x}, {y}), {scale}, scale_layout(({x}, {y})))" for x, y in ((16, of_a), (8, of_b)))
    return f"p, q, r = {', '.join(tiles)}\nsp, sq = {', '.join(scales)}\ndot_scaled(r, p, sp, q, sq)"


SCALES = "use e8m0 scales of 32 elements, or for e2m1x2 also e4m3 scales of 16"
SCALED = "make M 128, N a multiple of 16, above 256 of 128, K of 32 bytes"
SKIPPED = "use a multiple of 64, such as (n * n_tile) % 128"
PIECES = "use tile(e8m0, 1, 1, 32, 16), filled from blocked_scales(...)"
ROLE = "with role(warpgroups=1): warpgroup.copy(r, t)"

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
        ("e4m3", "f8E4M3FN", "f16", "f16", "f32"), ("i8", "i8", "i8", "i8", "f32"), ("f16", "f16", "f16", "f16", "i32"),
        ("f32", "f32", "f32", "f32", "f16"), ("i8", "i8", "e4m3", "f8E4M3FN", "i32"))),
    # -- mma.sync --
    ("sm_80", of_a_warp(16, 8, 16), "", ""),
    ("sm_80", of_a_warp(8, 8, 4, "f64", "f64", "f64"), "", ""),
    *(("sm_80", of_a_warp(16, 8, 32, a, b, d), f"'tile.gemm': mma.sync does not multiply {a} by {b} into {d}", IN_REGISTERS)
        for a, b, d in (("f16", "f16", "bf16"), ("i8", "i8", "i16"))),
    # -- tcgen05.mma: 128 rows, N of 16 --
    *(("sm_100a", in_tensor_memory(128, n, 16), "", "") for n in (16, 256, 320)),
    *(("sm_100a", in_tensor_memory(128, 16, 32, x, y, "i32"), "", "") for x, y in (("u8", "i8"), ("i8", "u8"))),
    ("sm_100a", in_tensor_memory(128, 8, 16), "'tile.gemm_tensor': 128x8x16 is not a multiple of the shapes of tcgen05.mma",
        "make M 128, N a multiple of 16, K of 32 bytes"),
    ("sm_100a", in_tensor_memory(128, 16, 16, "e4m3", "e5m2"),
        "'tile.gemm_tensor': 128x16x16 is not a multiple of the shapes of tcgen05.mma", "make M 128, N a multiple of 16, K of 32 bytes"),
    *(("sm_100a", in_tensor_memory(128, 16, 32, a, b, d), f"'tile.gemm_tensor': tcgen05.mma does not multiply {x} by {y} into {d}", IN_MEMORY)
        for a, x, b, y, d in (("f16", "f16", "bf16", "bf16", "f32"), ("i8", "i8", "i8", "i8", "f32"),
        ("e4m3", "f8E4M3FN", "i8", "i8", "f32"))),
    # -- with scales --
    *(("sm_100a", with_scales(n), "", "") for n in (16, 256, 384)),
    *(("sm_100a", with_scales(n, depth), (f"'tile.gemm_scaled': 128x{n}x{depth} is not a multiple of the shapes of "
        "tcgen05.mma with scales"), SCALED) for n, depth in ((8, 128), (272, 128), (320, 128), (64, 144))),
    *(("sm_100a", with_scales(64, skip=skip), "", "") for skip in ("64", "n * 64")),
    *(("sm_100a", with_scales(64, skip=skip), f"{told} rows of scales cannot be skipped", SKIPPED) for skip, told in
        (("32", "32"), ("-64", "-64"), ("n * 32", "<i32 known when the kernel runs>"))),
    *(("sm_100a", with_scales(64, **{name: shape}), ("'tile.gemm_scaled': the scales of 128 rows must be pieces of "
        f"32 x 16, not {list(shape)}"), PIECES) for name, shape in (("rows", (1, 1, 16, 32)), ("columns", (1, 1, 64, 8)))),
    ("sm_100a", with_scales(64, rows=(2, 1, 32, 16)), ("'tile.gemm_scaled': no instruction multiplies f8E4M3FN by "
        "f8E4M3FN into f32 with 8 scales of f8E8M0FNU and 4 of f8E8M0FNU along 128"), SCALES),
    ("sm_120a", scaled_by_a_warp("e4m3", "e8m0", of_a=1, of_b=1), "", ""),
    ("sm_120a", scaled_by_a_warp("e2m1x2", "e8m0", of_a=2, of_b=2), "", ""),
    ("sm_120a", scaled_by_a_warp("e2m1x2", "e4m3", of_a=4, of_b=4), "", ""),
    *(("sm_120a", scaled_by_a_warp(kind, "e8m0", **how), (f"'tile.gemm_scaled': no instruction multiplies {of} into "
        f"{how.get('d', 'f32')} with {how['of_a']} scales of f8E8M0FNU and {how['of_b']} of f8E8M0FNU along {along}"), SCALES)
        for kind, of, along, how in (
            ("e4m3", "f8E4M3FN by f8E4M3FN", 32, {"of_a": 2, "of_b": 1}),
            ("e4m3", "f8E4M3FN by f8E4M3FN", 64, {"of_a": 1, "of_b": 1, "depth": 64}),
            ("e2m1x2", "e2m1x2 pairs", 64, {"of_a": 4, "of_b": 4}),
            ("f16", "f16 by f16", 32, {"of_a": 1, "of_b": 1}),
            ("e4m3", "f8E4M3FN by f8E4M3FN", 32, {"of_a": 1, "of_b": 1, "d": "f16"}))),
    # -- tensor memory --
    ("sm_100a", f"t, r = tensor_memory((128, 1), f32), register((128, 1), f32, tensor_layout((128, 1)))\n{ROLE}", "", ""),
    ("sm_100a", f"t, r = tensor_memory((128, 32), f32), register((128, 32), f32, tensor_layout((128, 32)))\n{ROLE}", "", ""),
    ("sm_100a", f"t, r = tensor_memory((128, 32), f32), register((128, 32), f32)\n{ROLE}",
        "'tile.tensor_read': the registers are not laid out as the rows of tensor memory: S[(128,32):(32,1)]",
        "use tensor_layout((128, 32)), which gives each thread a row"),
    ("sm_100a", f"t, r = tensor_memory((128, 32), f32), register((128, 32), f16, tensor_layout((128, 32)))\n{ROLE}",
        "a copy cannot convert f32 to f16", "use x.to(...)"),
    ("sm_100a", "t, r = tensor_memory((128, 32), f32), register((128, 32), f32)\nwith role(warps=4): warp.copy(r, t)",
        "only a warpgroup can access tensor memory, from and to its registers",
        "use warpgroup.copy(register(shape, f32, tensor_layout(shape)), t.d)"),
    ("sm_100a", "t = tensor_memory((64, 32), f32)", "a matrix in tensor memory must have 128 rows, not shape (64, 32)", ""),
    # -- shared memory --
    *((target, f"t = shared({most}, i8)", "", "") for target, most in (("sm_80", 166912), ("sm_90a", 232448), ("sm_120a", 101376))),
    *((target, f"t = shared({most + 1}, i8)", (f"'tile.alloc': a block has {most // 1024} KB of shared memory on {target}: "
        f"this tile would end at byte {most + 1}"), "use smaller tiles or fewer stages, or reuse storage with `recast`")
        for target, most in (("sm_80", 166912), ("sm_90a", 232448), ("sm_120a", 101376))),
    # -- waits --
    ("sm_90a", of_a_warpgroup(64, 8, 16).replace("wait(0)", "wait(1)"),
        "'tile.gemm_async': this product is never waited for", "write warpgroup.wait(0) after it"),
    ("sm_90a", of_a_warpgroup(64, 8, 16).replace("warpgroup.wait(0)", "fill(r, 1)\nwarpgroup.wait(0)"),
        "'tile.fill': this uses registers of a product that is still in flight",
        "write warpgroup.wait(0) before it, or wait(n) if the last n groups of products use other tiles"),
    ("sm_90a", of_a_warpgroup(64, 8, 16).replace("warpgroup.gemm", "if n > 3: warpgroup.gemm"),
        "'tile.gemm_async': this product is still in flight at the end of its branch or role", "write warpgroup.wait(0) there"),
    ("sm_90a", one_after_another("first", "second", "left", "left"), "", ""),
    ("sm_90a", one_after_another("first", "first", "left", "left"), "", ""),
    ("sm_90a", one_after_another("first", "second", "left", "first"),
        "'tile.gemm_async': this uses registers of a product that is still in flight",
        "write warpgroup.wait(0) before it, or wait(n) if the last n groups of products use other tiles"),
    *(("sm_90a", of_a_warpgroup(64, 8, 16).replace("warpgroup.gemm", f"v = n\n{turns}\n    v = v - 1\n    {first}\n    warpgroup.gemm"),
        said, "write warpgroup.wait(0) before it, or wait(n) if the last n groups of products use other tiles" * bool(said))
        for turns in ("while v > 3:", "for _ in loop(n):") for first, said in (
            ("fill(r, 1)", "'tile.fill': this uses registers of a product that is still in flight"),
            ("warpgroup.wait(0)\n    fill(r, 1)", ""))),
    ("sm_90a", of_a_warpgroup(64, 256, 16), "", ""),
    ("sm_90a", of_a_warpgroup(64, 256, 16) + "\n" + of_a_warpgroup(128, 256, 16),
        "'tile.gemm_async': the products in flight here hold 256 registers, of the 255 that a thread has",
        "keep to 224: use smaller tiles, or write warpgroup.wait before"),
    ("sm_90a", side_by_side(256, 192), "", ""),
    ("sm_90a", side_by_side(256, 200),
        "'tile.gemm_async': the products in flight here hold 228 registers, of the 255 that a thread has",
        "keep to 224: use smaller tiles, or write warpgroup.wait before"),
    ("sm_90a", side_by_side(256, 200).replace("q256.transpose())", "q256.transpose())\nwarpgroup.wait(0)"), "", ""),
]  # fmt: skip


@pytest.mark.sample(45)
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


def described(text: str) -> set[int]:
    """The instruction descriptors of products with scales, but for the places of the scales."""
    words = {name: int(value) for name, value in re.findall(r"mov\.[bu]32 (%r\d+), (-?\d+);", text)}
    found = re.findall(r"tcgen05\.mma\S*\s+\[%r\d+\], %rd\d+, %rd\d+, (%r\d+|-?\d+),", text)
    values = {words.get(each) if each.startswith("%") else int(each) for each in found}
    return {value & ~(3 << 29 | 3 << 4) for value in values if value is not None}


def test_types_of_operands_with_scales_are_in_the_descriptor() -> None:
    """As the manual has them: A's from bit 7 on, B's from bit 10, e4m3 being 0 and e5m2 being 1."""
    bases = {}
    for a, b in product(("e4m3", "e5m2"), repeat=2):
        body = with_scales(64).replace(
            "shared(each, e4m3, swizzled(each, e4m3))", "shared(each, kind, swizzled(each, kind))"
        )
        body = body.replace(
            "for each in ((128, 128), (64, 128))", f"for each, kind in (((128, 128), {a}), ((64, 128), {b}))"
        )
        (bases[a, b],) = described(traced(body, None).ptx("sm_100a"))
    first = bases["e4m3", "e4m3"]
    assert [bases[each] - first for each in product(("e4m3", "e5m2"), repeat=2)] == [
        0,
        1 << 10,
        1 << 7,
        1 << 10 | 1 << 7,
    ]


@pytest.mark.parametrize(("n", "count"), [(64, 4), (256, 4), (384, 12)])
def test_products_with_scales_are_as_wide_as_they_may_be(n: int, count: int) -> None:
    """Up to 256 columns at a time, or 128: four times along 128 of e4m3."""
    ptx = traced(with_scales(n), None).ptx("sm_100a")
    assert ptx.count("tcgen05.mma.") == count


@pytest.mark.parametrize(("steps", "depth", "count"), [(1, 8, 1), (2, 16, 1), (3, 8, 3), (4, 16, 2)])
def test_products_of_a_warp_are_as_deep_as_they_may_be(steps: int, depth: int, count: int) -> None:
    """Steps of 8 along K, two at a time where they are an even number."""
    body = (
        f"a = register((16, {8 * steps}), f16, S[(2, 8, {steps}, 4, 2) : (2, 4 @ laneid, 4, 1 @ laneid, 1)])\n"
        f"b = register(({8 * steps}, 8), f16, S[({steps}, 4, 2, 8) : (2, 1 @ laneid, 1, 4 @ laneid)])\n"
        "r = zeros((16, 8), f32, mma_layout('d', (16, 8), f16))\nwarp.gemm(r, a, b)\nwarp.copy(x, r)"
    )
    ptx = traced(body).ptx("sm_80")
    assert ptx.count("mma.sync.") == ptx.count(f"mma.sync.aligned.m16n8k{depth}.row.col.f32.f16.f16.f32") == count
