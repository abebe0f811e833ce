"""What `nvgpu` has here beyond upstream: `nvgpu.stmatrix`, and products of warpgroups of integers and of tf32."""

from __future__ import annotations

import pytest

from weft.errors import MlirError
from weft.mlir import parse_mlir

STORED = """
vector<4x2xf16>, memref<64x64xf16, 3> |
vector<2x2xbf16>, memref<64x64xbf16, 3> |
vector<1x1xf32>, memref<64x64xf32, #gpu.address_space<workgroup>> |
vector<4x4xi8>, memref<64x64xi8, 3> |
vector<4x2xf16>, memref<64x64xbf16, 3> | failed to verify that src and dstMemref have same element type
vector<4x2xf16>, memref<64x64xf16> | memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)
vector<4x1xf64>, memref<64x64xf64, 3> | nvgpu.stmatrix works for 32b or lower
vector<4x1xf32>, memref<64x64xf32, 3>, transpose | nvgpu.stmatrix transpose works only at 16b granularity
vector<4x4xi8>, memref<64x64xi8, 3>, transpose | nvgpu.stmatrix transpose works only at 16b granularity
vector<4x2xf16>, memref<64x64xf16, 3>, transpose |
vector<8xf16>, memref<64x64xf16, 3> | source must be 2 dimensional vector
vector<4x1xf16>, memref<64x64xf16, 3> | expected vector register shape[1] = 2
vector<4x2xf32>, memref<64x64xf32, 3> | expected vector register shape[1] = 1
vector<3x2xf16>, memref<64x64xf16, 3> | expected 1, 2 or 4 tiles, got 3
vector<8x2xf16>, memref<64x64xf16, 3> | expected 1, 2 or 4 tiles, got 8
vector<4x2xf16>, memref<64x64x64xf16, 3> | expected 3 indices, got 2
"""


def refusal(text: str) -> str:
    """What is said of a module; nothing of one that is taken."""
    try:
        parse_mlir(text)
    except MlirError as error:
        return error.message
    return ""


@pytest.mark.parametrize("row", STORED.strip().splitlines())
def test_tiles_that_are_stored(row: str) -> None:
    types, message = row.split(" |")
    (source, _, target), word = types.partition(", memref"), ""
    if target.endswith(", transpose"):
        target, word = target.removesuffix(", transpose"), " <{transpose}>"
    target = f"memref{target}"
    line = f'"nvgpu.stmatrix"(%v, %m, %i, %i){word} : ({source}, {target}, index, index) -> ()'
    found = refusal(f"func.func @f(%v: {source}, %m: {target}, %i: index) {{ {line} return }}")
    assert found.endswith(message.strip())
    assert bool(found) == bool(message.strip())


FLOATS = ("f8E4M3FN", "f8E5M2")
PRODUCTS = {
    "f16": ("f16", "f32"), "bf16": ("f16", "f32"), "tf32": ("f32",), "i8": ("i32",), "i1": ("i32",),
    "f8E4M3FN": ("f16", "f32"), "f8E5M2": ("f16", "f32"), "f64": (), "i16": (), "i32": (),
}  # fmt: skip
"""The elements of the result for each of operands."""


def product(a: str, b: str, d: str, *, n: int = 64, words: str = "") -> str:
    left, right, sums = (
        f"!nvgpu.warpgroup.descriptor<tensor = memref<64x64x{a}, 3>>",
        f"!nvgpu.warpgroup.descriptor<tensor = memref<64x{n}x{b}, 3>>",
        f"!nvgpu.warpgroup.accumulator<fragmented = vector<64x{n}x{d}>>",
    )
    line = f'%r = "nvgpu.warpgroup.mma"(%a, %b, %c){words} : ({left}, {right}, {sums}) -> {sums}'
    return refusal(f"func.func @f(%a: {left}, %b: {right}, %c: {sums}) {{ {line} return }}")


@pytest.mark.sample(2)
@pytest.mark.parametrize("a", PRODUCTS)
def test_products_of_elements(a: str) -> None:
    for b in PRODUCTS:
        for d in ("f16", "f32", "f64", "i32", "i8"):
            taken = (a == b or {a, b} <= {*FLOATS}) and d in PRODUCTS[a]
            said = f"'nvgpu.warpgroup.mma' op '{d}' += '{a}' * '{b}', it is not supported."
            assert product(a, b, d) == ("" if taken else said)


def test_widths() -> None:
    """Of floats every multiple of 8, of integers 8, 24 and every multiple of 16."""
    for n in (4, 8, 16, 20, 24, 32, 40, 48, 120, 240, 248, 256, 264, 272):
        floats, integers = n % 8 == 0 and n <= 256, n in (8, 24) or (n % 16 == 0 and n <= 256)
        for element, result, right in (("f16", "f32", floats), ("i8", "i32", integers)):
            said = f"'nvgpu.warpgroup.mma' op has input type 'memref<64x{n}x{element}, 3>' n is set to {n}, it is not supported"
            assert product(element, element, result, n=n) == ("" if right else said)


@pytest.mark.parametrize(
    ("kind", "taken"),
    [
        ("64x8xf32", True), ("128x256xf16", True), ("64x8xi32", True), ("64x24xi32", True), ("64x48xi32", True),
        ("64x40xi32", False), ("64x264xf32", False), ("64x4xf32", False), ("32x8xf32", False), ("96x8xf32", False),
        ("64xf32", False), ("64x8x1xf32", False), ("64x8xi16", False), ("64x8xf64", False), ("192x16xi8", True),
    ],
)  # fmt: skip
def test_accumulators(kind: str, taken: bool) -> None:
    result = f"!nvgpu.warpgroup.accumulator<fragmented = vector<{kind}>>"
    line = f'%r = "nvgpu.warpgroup.mma.init.accumulator"() : () -> {result}'
    found = refusal(f"func.func @f() {{ {line} return }}")
    said = f"has type 'vector<{kind}>'. It does not fit into warp-group level (wgmma) matrix multiplication instruction"
    assert found == ("" if taken else f"'nvgpu.warpgroup.mma.init.accumulator' op {said} (or not supported yet)")


UNLIKE = (
    "results ['vector<64x8xf32>'][8] values. However, destination memref[64][16]  does not have same size as results"
)


@pytest.mark.parametrize(
    ("kind", "target", "message"),
    [
        ("64x8xf32", "64x8xf32", ""),
        ("64x8xf16", "64x8xf16", ""),
        ("64x8xi32", "64x8xi32", ""),
        ("64x8xi8", "64x8xi8", "hit a limitation: only f32 results for the time being"),
        ("64xf32", "64xf32", "results 'vector<64xf32>' have other than two dimensions"),
        ("64x8xf32", "64x16xf32", UNLIKE),
    ],
)  # fmt: skip
def test_accumulators_that_are_stored(kind: str, target: str, message: str) -> None:
    held = f"!nvgpu.warpgroup.accumulator<fragmented = vector<{kind}>>"
    line = f'"nvgpu.warpgroup.mma.store"(%d, %m) : ({held}, memref<{target}, 3>) -> ()'
    found = refusal(f"func.func @f(%d: {held}, %m: memref<{target}, 3>) {{ {line} return }}")
    assert found == (f"'nvgpu.warpgroup.mma.store' op {message}" if message else "")
