"""Tiles of which a thread holds an odd number of elements, or elements of 64 bits, or those of half a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from tests.tile.copy_kernels import Case, run
from tests.tile.test_conversions import converted
from weft.errors import PerformanceWarning
from weft.layout import S, laneid, row_major
from weft.mlir import parse_mlir
from weft.tile import Global, commit, cta, f16, f32, f64, i64, register, shared, sync, wait, warp
from weft.tile import functions as fn
from weft.transforms.copy_dispatch import Copy, Operand
from weft.transforms.tile_lowering import lower_module

ODD = S[(8, 4, 3) : (4 @ laneid, 1 @ laneid, 1)]
"""Twelve columns: three in each of four lanes."""


@weft.kernel(threads=32, grid=1)
def reduced(
    x: Global(f64, (8, 12)),
    n: Global(i64, (8, 12)),
    y: Global(f64, (8, 12)),
    k: Global(i64, (8, 12)),
    h: Global(f16, (8, 12)),
):
    a, b, c, d = (
        register((8, 12), f64, ODD),
        register((8, 12), i64, ODD),
        register((8, 12), f32, ODD),
        register((8, 12), f16, ODD),
    )
    warp.copy(a, x)
    warp.copy(b, n)
    warp.copy(c, fn.convert(a, f32))
    warp.copy(d, fn.convert(c, f16))
    warp.copy(h, d)
    warp.copy(y, a - a + fn.sum(a, 1, keepdims=True))
    warp.copy(k, b - b + fn.max(b, 1, keepdims=True))


def test_reductions_and_casts_of_three_elements_in_a_thread() -> None:
    """Of 64 bits: both halves of each go from lane to lane."""
    random = np.random.default_rng(5)
    x = random.integers(-(2**40), 2**40, (8, 12)).astype(np.float64) / 8
    n = random.integers(-(2**62), 2**62, (8, 12))
    x[:, 0] = 0.5
    y, k, h = np.zeros_like(x), np.zeros_like(n), np.zeros((8, 12), np.float16)
    small = np.where(np.arange(12) % 2, x % 64, x % 32)
    reduced.run(small, n, y, k, h, check="strict")
    np.testing.assert_array_equal(y, np.broadcast_to(small.sum(1, keepdims=True), y.shape))
    np.testing.assert_array_equal(k, np.broadcast_to(n.max(1, keepdims=True), k.shape))
    np.testing.assert_array_equal(h, small.astype(np.float32).astype(np.float16))
    ptx = reduced.ptx("sm_80")
    assert ptx.count("cvt.rn.f16x2.f32") == 2 and "cvt.rn.f16.f32" not in ptx


def test_a_matrix_is_transposed_within_registers() -> None:
    converted(
        warp, 32, f16, (8, 8), S[(8, 4, 2) : (4 @ laneid, 1 @ laneid, 1)], S[(4, 2, 8) : (1 @ laneid, 1, 4 @ laneid)]
    )


@pytest.mark.parametrize("element", ["i8", "f16", "f64"])
def test_some_threads_load_several_words(element: str) -> None:
    """The others keep what they have."""
    own = Operand.of("local", element, (8, 8), "S[(8,8):(2@laneid,1)]")
    assert run(Case(Copy(own, Operand.of("shared", element, (8, 8), "S[8,8]"), "warp", 32, "sm_90a"))) == []


def test_an_asynchronous_copy_by_matrices_is_done_at_once() -> None:
    """The warning says so, and why."""

    @weft.kernel(threads=32, grid=1)
    def loaded(x: Global(f16, (16, 16)), y: Global(f16, (16, 16))):
        held = shared((16, 16), f16, row_major((16, 16)))
        own = register((16, 16), f16, S[(2, 8, 2, 4, 2) : (2, 4 @ laneid, 4, 1 @ laneid, 1)])
        warp.copy(held, x)
        sync()
        cta.copy_async(own, held)
        commit()
        wait(0)
        warp.copy(y, own)

    wanted = (
        r"^this copy_async is a synchronous copy, at once: unsupported memory scopes src=shared dst=local; "
        r"allowed: global->shared$"
    )
    with pytest.warns(PerformanceWarning, match=wanted):
        loaded.ptx("sm_90a")


@pytest.mark.parametrize(
    ("element", "kind"), [("f64", np.float64), ("f32", np.float32), ("i8", np.int8), ("f16", np.float16)]
)
def test_registers_are_zero_beyond_the_bounds(element: str, kind: Any) -> None:
    """Of floats of any width and of bytes; what is stored of them is within other bounds."""
    outside = f'!tile.buffer<32x2x{element}, "global", #tile.layout<"S[(32,2):(2,1)]">>'
    own = f'!tile.buffer<32x2x{element}, "local", #tile.layout<"S[(32,2):(1@laneid,1)]">>'
    view = "{axes = [], divisors = array<i64>, alignment = 16 : i64} : !llvm.ptr<1>"
    module = parse_mlir(f"""gpu.module @m {{
      gpu.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %r: i32, %c: i32) kernel
          attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
        %two = arith.constant 2 : i32
        %g = tile.view %a {view} -> {outside}
        %h = tile.view %b {view} -> {outside}
        %o = tile.alloc : {own}
        tile.copy %o, %g bounds [%r, %c] {{scope = "warp"}} : {own}, {outside}
        tile.copy %h, %o bounds [%r, %two] {{scope = "warp"}} : {outside}, {own}
        gpu.return
      }}
    }}""")
    lower_module(module, "sm_90a")
    ptx = weft.compile(module, target="sm_90a")
    a, b = np.arange(1, 65).reshape(32, 2).astype(kind), np.full((32, 2), -1, kind)
    weft.run(ptx, "k", grid=(1,), block=(32,), args=[a, b, 21, 1])
    expected = np.full((32, 2), -1, kind)
    expected[:21] = [[x, 0] for x in a[:21, 0]]
    np.testing.assert_array_equal(b, expected)
