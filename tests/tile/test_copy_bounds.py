"""Copies at the edges: runtime strides, bounds, regions at runtime offsets; on the simulator, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.mlir import parse_mlir
from weft.transforms.tile_lowering import lower_module

ROWS, COLUMNS = 64, 32
OUTSIDE = f'!tile.buffer<{ROWS}x{COLUMNS}xf16, "global", #tile.layout<"S[({ROWS},{COLUMNS}):(1@ld,1)]">>'
SHARED = (
    f'!tile.buffer<3x{ROWS}x{COLUMNS}xf16, "shared", #tile.layout<"swz(3,2,3)@S[(3,{ROWS},{COLUMNS}):(2048,32,1)]">>'
)
STAGE = (
    f'!tile.buffer<1x{ROWS}x{COLUMNS}xf16, "shared", #tile.layout<"swz(3,2,3)@S[(1,{ROWS},{COLUMNS}):(2048,32,1)]">>'
)
OWN = f'!tile.buffer<{ROWS}x{COLUMNS}xf16, "local", #tile.layout<"S[(8,8,4,4,2):(2,4@laneid,1@laneid,16,1)]">>'


def kernel(copies: str, divisor: int, threads: int = 128) -> str:
    view = f'{{axes = ["ld"], divisors = array<i64: {divisor}>, alignment = 16 : i64}}'
    types = f"!llvm.ptr<1> -> {OUTSIDE}"
    subview = "{static_offsets = array<i64: -9223372036854775808, 0, 0>, sizes = array<i64: 1, 64, 32>}"
    return f"""
    gpu.module @m {{
      gpu.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %lda: i32, %ldb: i32, %r: i32, %c: i32, %stage: i32) kernel
          attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
        %g = tile.view %a strides [%lda : i32] {view} : {types}
        %h = tile.view %b strides [%ldb : i32] {view} : {types}
        %all = tile.alloc : {SHARED}
        %s = tile.subview %all[%stage : i32] {subview} : {SHARED} -> {STAGE}
        {copies}
        gpu.return
      }}
    }}"""


THERE = {
    "sync": f'tile.copy %s, %g bounds [%r, %c] {{scope = "cta"%s}} : {STAGE}, {OUTSIDE}',
    "async": f'tile.copy_async %s, %g bounds [%r, %c] {{scope = "cta"%s}} : {STAGE}, {OUTSIDE}\n'
    "tile.async_commit\n tile.async_wait {groups = 0 : i32}",
}
BACK = f'tile.sync {{scope = "cta"}}\n tile.copy %h, %s bounds [%r, %c] {{scope = "cta"%s}} : {OUTSIDE}, {STAGE}'
THROUGH = f"""tile.sync {{scope = "cta"}}
%o = tile.alloc : {OWN}
tile.copy %o, %s {{scope = "warp"}} : {OWN}, {STAGE}
tile.copy %h, %o bounds [%r, %c] {{scope = "cta"%s}} : {OUTSIDE}, {OWN}"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("there", ["sync", "async"])
@pytest.mark.parametrize("back", [BACK, THROUGH], ids=["shared", "registers"])
@pytest.mark.parametrize(
    ("rows", "columns", "divisor", "known"),
    [(64, 32, 8, 8), (37, 24, 8, 8), (64, 17, 8, 1), (1, 32, 2, 1), (5, 3, 1, 1), (0, 9, 8, 1), (63, -4, 8, 1)],
)
def test_bounds(there: str, back: str, rows: int, columns: int, divisor: int, known: int) -> None:
    divisors = f", bound_divisors = array<i64: 1, {known}>" if known > 1 else ""
    copies = f"{THERE[there]}\n{back}".replace('"cta"%s', f'"cta"{divisors}')
    module = parse_mlir(kernel(copies, divisor))
    lower_module(module, "sm_90a")
    ptx = weft.compile(module, target="sm_90a")
    lda, ldb = COLUMNS + 8 * divisor, COLUMNS + 2 * divisor
    random = np.random.default_rng(1)
    a = random.standard_normal((ROWS, lda)).astype(np.float16)
    b = np.full((ROWS, ldb), -1, np.float16)
    given = a.copy()
    weft.run(ptx, "k", grid=(1,), block=(128,), args=[given, b, lda, ldb, rows, columns, 2], check="fast")
    expected = np.full((ROWS, ldb), -1, np.float16)
    expected[: max(rows, 0), : max(columns, 0)] = a[: max(rows, 0), :COLUMNS][:, : max(columns, 0)]
    np.testing.assert_array_equal(b, expected)
    weft.assemble(ptx)


def test_outside_is_zero() -> None:
    """What lies beyond the bounds is zero in shared memory: a copy back without bounds shows it."""
    whole = BACK.replace(" bounds [%r, %c]", "").replace('"cta"%s', '"cta"')
    for there in THERE.values():
        module = parse_mlir(kernel(there.replace('"cta"%s', '"cta"') + "\n" + whole, 8))
        lower_module(module, "sm_90a")
        ptx = weft.compile(module, target="sm_90a")
        a, b = np.ones((ROWS, 40), np.float16), np.full((ROWS, 40), -1, np.float16)
        weft.run(ptx, "k", grid=(1,), block=(128,), args=[a, b, 40, 40, 11, 13, 1])
        expected = np.zeros((ROWS, COLUMNS), np.float16)
        expected[:11, :13] = 1
        np.testing.assert_array_equal(b[:, :COLUMNS], expected)


def test_a_moving_window_of_a_swizzled_tile() -> None:
    """Offsets inside a swizzle's block go through it: the 16x16 tile at (16 i, 16 j) by ldmatrix, for all i and j."""
    tile = '!tile.buffer<64x64xf16, "%s", #tile.layout<"%sS[(64,64):(64,1)]">>'
    outside, inside = tile % ("global", ""), tile % ("shared", "swz(3,3,3)@")
    window = '!tile.buffer<16x16xf16, "%s", #tile.layout<"%sS[(16,16):(64,1)]">>'
    w_out, w_in = window % ("global", ""), window % ("shared", "swz(3,3,3)@")
    own = '!tile.buffer<16x16xf16, "local", #tile.layout<"S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)]">>'
    any_ = "-9223372036854775808"
    view = f"{{static_offsets = array<i64: {any_}, {any_}>, sizes = array<i64: 16, 16>, divisors = array<i64: 16, 16>}}"
    module = parse_mlir(f"""
    gpu.module @m {{
      gpu.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>) kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
        %g = tile.view %a {{alignment = 16 : i64}} : !llvm.ptr<1> -> {outside}
        %h = tile.view %b {{alignment = 16 : i64}} : !llvm.ptr<1> -> {outside}
        %s = tile.alloc : {inside}
        %r = tile.alloc : {own}
        tile.copy %s, %g {{scope = "warp"}} : {inside}, {outside}
        tile.sync {{scope = "warp"}}
        %zero = arith.constant 0 : i32
        %step = arith.constant 16 : i32
        %end = arith.constant 64 : i32
        scf.for %i = %zero to %end step %step : i32 {{
          scf.for %j = %zero to %end step %step : i32 {{
            %v = tile.subview %s[%i, %j : i32, i32] {view} : {inside} -> {w_in}
            %w = tile.subview %h[%i, %j : i32, i32] {view} : {outside} -> {w_out}
            tile.copy %r, %v {{scope = "warp"}} : {own}, {w_in}
            tile.copy %w, %r {{scope = "warp"}} : {w_out}, {own}
          }}
        }}
        gpu.return
      }}
    }}""")
    lower_module(module, "sm_90a")
    ptx = weft.compile(module, target="sm_90a")
    assert "ldmatrix.sync.aligned.m8n8.x4.shared.b16" in ptx.to_ptx()
    a = np.random.default_rng(2).standard_normal((64, 64)).astype(np.float16)
    b = np.zeros_like(a)
    weft.run(ptx, "k", grid=(1,), block=(32,), args=[a, b])
    np.testing.assert_array_equal(a, b)


def test_within_global_memory() -> None:
    rows = '!tile.buffer<16x24xf32, "global", #tile.layout<"S[(16,24):(%s)]">>'
    a, b = rows % "24,1", rows % "1,16"
    module = parse_mlir(f"""
    gpu.module @m {{
      gpu.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>) kernel attributes {{known_block_size = array<i32: 64, 1, 1>}} {{
        %g = tile.view %a {{alignment = 16 : i64}} : !llvm.ptr<1> -> {a}
        %h = tile.view %b {{alignment = 16 : i64}} : !llvm.ptr<1> -> {b}
        tile.copy %h, %g {{scope = "cta"}} : {b}, {a}
        gpu.return
      }}
    }}""")
    lower_module(module, "sm_90a")
    given = np.random.default_rng(4).standard_normal((16, 24)).astype(np.float32)
    transposed = np.zeros((24, 16), np.float32)
    weft.run(weft.compile(module, target="sm_90a"), "k", grid=(1,), block=(64,), args=[given, transposed])
    np.testing.assert_array_equal(transposed, given.T)
