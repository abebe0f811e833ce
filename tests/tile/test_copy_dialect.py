"""The `tile` dialect: its texts read and printed, what its verifiers refuse, and views worked out by hand."""

from __future__ import annotations

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import f16
from xdsl.utils.exceptions import VerifyException

from weft.dialects.tile.memory import dynamic_terms, subview
from weft.dialects.tile.types import BufferType
from weft.errors import WeftError
from weft.layout import S, swz
from weft.mlir import parse_mlir, print_mlir

MODULE = """
gpu.module @k {
  gpu.func @k(%a: !llvm.ptr<1>, %ld: i32, %i: i32, %n: i32) kernel {
    %g = tile.view %a strides [%ld : i32] {axes = ["ld"], divisors = array<i64: 8>, alignment = 16 : i64}
      : !llvm.ptr<1> -> !tile.buffer<128x32xf16, "global", #tile.layout<"S[(128,32):(1@ld,1)]">>
    %s = tile.alloc : !tile.buffer<3x128x32xf16, "shared", #tile.layout<"swz(3,2,3)@S[(3,128,32):(4096,32,1)]">>
    %t = tile.subview %s[%i : i32] {static_offsets = array<i64: -9223372036854775808, 0, 0>, sizes = array<i64: 1, 128, 32>}
      : !tile.buffer<3x128x32xf16, "shared", #tile.layout<"swz(3,2,3)@S[(3,128,32):(4096,32,1)]">>
      -> !tile.buffer<1x128x32xf16, "shared", #tile.layout<"swz(3,2,3)@S[(1,128,32):(4096,32,1)]">>
    tile.copy_async %t, %g bounds [%n, %n] {scope = "cta"}
      : !tile.buffer<1x128x32xf16, "shared", #tile.layout<"swz(3,2,3)@S[(1,128,32):(4096,32,1)]">>,
        !tile.buffer<128x32xf16, "global", #tile.layout<"S[(128,32):(1@ld,1)]">>
    tile.async_commit
    tile.async_wait {groups = 1 : i32}
    tile.sync {scope = "cta"}
    %r = tile.alloc : !tile.buffer<16x16xf16, "local", #tile.layout<"S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)]">>
    tile.copy %r, %s {scope = "warp", src_region = array<i64: 1, 2, 16, 32, 0, 16>}
      : !tile.buffer<16x16xf16, "local", #tile.layout<"S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)]">>,
        !tile.buffer<3x128x32xf16, "shared", #tile.layout<"swz(3,2,3)@S[(3,128,32):(4096,32,1)]">>
    gpu.return
  }
}
"""


def test_round_trip() -> None:
    module = parse_mlir(MODULE)
    text = print_mlir(module)
    assert print_mlir(parse_mlir(text)) == text
    assert text.count("tile.") > 8


def test_storage() -> None:
    padded = BufferType.of((8, 16), f16, "shared", S[(8, 16) : (24, 1)])
    assert padded.storage_bytes == 2 * (7 * 24 + 16)
    swizzled = BufferType.of((8, 24), f16, "shared", swz(3, 3, 3) @ S[8, 24])
    assert swizzled.storage_bytes == 2 * 512
    assert BufferType.of((16, 64), f16, "shared", swz(3, 3, 3)).span == 1024
    fragment = BufferType.of((16, 16), f16, "local", S[(2, 8, 2, 4, 2) : (2, "laneid", 4, "laneid", 1)])
    assert fragment.span == 8


def test_dynamic_offsets_move_by_steps() -> None:
    shared = BufferType.of((128, 64), f16, "shared", S[(128, 8, 8) : (8, 1024, 1)])
    buffer = test.TestOp(result_types=[shared]).res[0]
    index = test.TestOp(result_types=[f16]).res[0]
    view = subview(buffer, [index, index], [16, 32], [1, 32])
    view.verify()
    (rows, columns) = (term for _, term in dynamic_terms(view))
    assert rows == (1, 8, "m")
    assert columns == (8, 1024, "m")
    with pytest.raises(VerifyException, match="multiple of 8"):
        subview(buffer, [0, index], [16, 32], [4])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('3x128x32xf16, "shared"', '3x128x16xf16, "shared"'), "layout of 6144 elements"),
        (('scope = "warp"', 'scope = "grid"'), "expected a scope"),
        (("1, 2, 16, 32, 0, 16", "1, 2, 16, 32, 0, 32"), "same extents"),
        (("1, 2, 16, 32, 0, 16", "1, 2, 120, 136, 0, 16"), "region of a buffer"),
        (
            ('tile.alloc : !tile.buffer<16x16xf16, "local"', 'tile.alloc : !tile.buffer<16x16xf16, "global"'),
            "only a local buffer",
        ),
        (('axes = ["ld"]', 'axes = ["lda"]'), "bind the axes"),
        (("bounds [%n, %n]", "bounds [%n]"), "a bound for each"),
        (('"S[(2,8,2,4,2):(2,4@laneid', '"S[(2,8,2,4,2):(2,4@laneid)'), "5 extents and 2 strides"),
    ],
)
def test_refused(change: tuple[str, str], message: str) -> None:
    assert change[0] in MODULE
    with pytest.raises(WeftError, match=message):
        parse_mlir(MODULE.replace(*change))
