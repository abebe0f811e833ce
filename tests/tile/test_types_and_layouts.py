"""Types of elements, the layouts that kernels start from, and the order of tiles: against NumPy, the ISA's fragments, Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from weft.errors import CompileError, LayoutError, WeftError
from weft.isa import opcode
from weft.isa.fragments import fragment
from weft.layout import parse
from weft.layout.axis import laneid, m
from weft.tile import (
    Global,
    cdiv,
    cluster,
    f32,
    i32,
    kernel,
    raster,
    thread_id,
    warpgroup,
    wgmma_layout,
)
from weft.tile.dtypes import DTYPES, dtype, is_dtype, mask
from weft.tile.layouts import mma_layout, row_layout, scale_layout, swizzled

PACKED = "e2m1x2"
MLIR = {
    "f64": "f64", "f32": "f32", "f16": "f16", "bf16": "bf16", "e4m3": "f8E4M3FN", "e5m2": "f8E5M2", "e8m0": "f8E8M0FNU",
    "bool": "i1",
}  # fmt: skip


@pytest.mark.parametrize("kind", DTYPES, ids=str)
def test_types(kind: Any) -> None:
    """A type is NumPy's of that name, which has as many bits, and stands for it."""
    assert dtype(kind) is dtype(str(kind)) is kind
    assert is_dtype(str(kind)) and not is_dtype(f"{kind}x")
    assert str(kind.mlir) == MLIR.get(str(kind), f"i{kind.bits}")
    if str(kind) == PACKED:
        assert (kind.numpy, dtype("float4_e2m1fn_x2")) == (np.uint8, kind)
        return
    assert dtype(kind.numpy) is dtype(kind.numpy.type) is dtype(kind.numpy.name) is kind
    assert kind.numpy.itemsize * 8 == max(kind.bits, 8)
    whole = {"i": "int", "u": "uint", "b": "bool"}.get(kind.numpy.kind)
    narrow = kind.numpy in (ml_dtypes.float6_e2m3fn, ml_dtypes.float6_e3m2fn)
    assert kind.kind == (whole or ("narrow" if narrow else "float"))
    assert (kind.is_float, kind.signed) == (whole is None and not narrow, whole == "int")
    assert str(kind)[-1 - (kind.bits > 8) :] in kind.numpy.name or kind.numpy.name.startswith(("bool", "float"))


def test_what_is_no_type() -> None:
    with pytest.raises(WeftError) as caught:
        dtype("f128")
    assert caught.value.message == "unknown element type 'f128'"
    assert caught.value.hint == "one of " + ", ".join(str(kind) for kind in DTYPES)
    assert (str(mask), mask.bits, str(mask.mlir), mask.is_float, mask.signed) == ("mask", 32, "i32", False, False)
    assert not is_dtype("mask")


# -- fragments ----------------------------------------------------------------------------------------------------

PRODUCTS = {
    "f16": ("m16n8k16", "f16", "f32"), "bf16": ("m16n8k16", "bf16", "f32"), "f32": ("m16n8k8", "tf32", "f32"),
    "i8": ("m16n8k32", "s8", "s32"), "u8": ("m16n8k32", "u8", "s32"), "e4m3": ("m16n8k32", "e4m3", "f32"),
    "e5m2": ("m16n8k32", "e5m2", "f32"), "e2m1x2": ("m16n8k32", "e4m3", "f32"), "e2m3": ("m16n8k32", "e4m3", "f32"),
    "e3m2": ("m16n8k32", "e4m3", "f32"), "f64": ("m8n8k4", "f64", "f64"),
}  # fmt: skip


@pytest.mark.sample(12)
@pytest.mark.parametrize("operand", ["a", "b", "d"])
@pytest.mark.parametrize("kind", PRODUCTS)
def test_fragments_side_by_side(kind: str, operand: str) -> None:
    """Each tile of a matrix is a fragment of `mma.sync`, in registers behind those of the tile before it, row by row."""
    shape, type_, sums = PRODUCTS[kind]
    code = opcode("mma", shape=shape, alayout="row", blayout="col", dtype=sums, atype=type_, btype=type_, ctype=sums)
    of = fragment(code, operand)
    extents = (2 * of.rows, 3 * of.columns)
    places = mma_layout(operand, extents, kind).apply_all(extents)
    size = of.registers * of.packed
    for (row, column), lane in np.ndenumerate(places[laneid]):
        place = int(places[m][row, column])
        tile, inside = divmod(place, size)
        assert tile == row // of.rows * 3 + column // of.columns
        at = of.element(int(lane), inside // of.packed, inside % of.packed)
        assert (at.row, at.column) == (row % of.rows, column % of.columns)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: mma_layout("c", (16, 8), "f16"), "mma.sync has no operand 'c' of type f16"),
        (lambda: mma_layout("a", (16, 16), "i32"), "mma.sync has no operand 'a' of type i32"),
        (lambda: mma_layout("a", (16, 24), "f16"), "shape (16, 24) is not a multiple of the fragment shape (16, 16)"),
        (lambda: mma_layout("d", (8, 8), "f16"), "shape (8, 8) is not a multiple of the fragment shape (16, 8)"),
        (lambda: row_layout((8, 40), 4), "rows of 40 elements cannot be split into 32 x 4"),
        (lambda: row_layout((3, 64), 4), "rows of 64 elements cannot be split into 32 x 4"),
        (lambda: row_layout((8, 96), 4, warpgroup), "rows of 96 elements cannot be split into 128 x 4"),
        (lambda: row_layout((8, 64), 4, cluster), "unknown number of threads of a cluster"),
        (lambda: row_layout((8, 64), 4, 0), "unknown number of threads of a 0"),
        (lambda: wgmma_layout("b", (64, 16), "f16"), "wgmma has no operand 'b' of type f16 in registers"),
        (lambda: wgmma_layout("d", (64, 16), "f64"), "wgmma has no operand 'd' of type f64 in registers"),
        (lambda: wgmma_layout("d", (64, 16), "bf16"), "wgmma has no operand 'd' of type bf16 in registers"),
        (lambda: wgmma_layout("a", (64, 16), "i32"), "wgmma has no operand 'a' of type i32 in registers"),
    ],
)
def test_layouts_that_there_are_not(make: Any, message: str) -> None:
    with pytest.raises(LayoutError) as caught:
        make()
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("shape", "vector", "over", "text"),
    [
        ((2, 256), 4, None, "S[(2,2,32,4):(8,4,1@laneid,1)]"),
        ((4, 64), 4, None, "S[(2,2,16,4):(4,16@laneid,1@laneid,1)]"),
        ((2, 512), 4, warpgroup, "S[(2,1,128,4):(4,4,1@tid_in_wg,1)]"),
        ((64, 8), 2, 64, "S[(4,16,4,2):(2,4@tx,1@tx,1)]"),
    ],
)
def test_rows_over_threads(shape: Any, vector: int, over: Any, text: str) -> None:
    found = row_layout(shape, vector) if over is None else row_layout(shape, vector, over)
    assert found.canonicalize() == parse(text).canonicalize()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("shape", "kind", "text"),
    [
        ((16, 64), "f16", "swz(3,3,3) @ S[(16,64):(64,1)]"),
        ((16, 32), "f16", "swz(3,2,3) @ S[(16,32):(32,1)]"),
        ((16, 16), "f16", "swz(3,1,3) @ S[(16,16):(16,1)]"),
        ((2, 16, 64), "bf16", "swz(3,3,3) @ S[(2,16,64):(1024,64,1)]"),
        ((16, 128), "f16", "swz(3,3,3) @ S[(16,2,64):(64,1024,1)]"),
        ((8, 128), "i8", "swz(4,3,3) @ S[(8,128):(128,1)]"),
        ((8, 32), "f32", "swz(2,3,3) @ S[(8,32):(32,1)]"),
    ],
)
def test_swizzled_tiles(shape: Any, kind: str, text: str) -> None:
    """Atoms of 128 bytes, or of 64 or 32 where rows are shorter; what is swizzled are pieces of 16 bytes."""
    np.testing.assert_array_equal(
        swizzled(shape, kind).over(shape).apply_all(shape)[m]  # type: ignore[union-attr]
        if not hasattr(swizzled(shape, kind), "apply_all")
        else swizzled(shape, kind).apply_all(shape)[m],  # type: ignore[union-attr]
        parse(text).apply_all(shape)[m],  # type: ignore[union-attr]
    )


def test_scales_of_rows() -> None:
    with pytest.raises(LayoutError):
        scale_layout((12, 4))


# -- the order of tiles -------------------------------------------------------------------------------------------


def order(rows: int, columns: int, group: int | None, snake: bool) -> Iterator[tuple[int, int]]:
    """Bands of `group` rows, column by column; one of all rows where there is no group."""
    band = group or rows
    for number, first in enumerate(range(0, rows, band)):
        height = min(band, rows - first)
        for at in range(columns):
            column = columns - 1 - at if snake and number % 2 and group else at
            for inside in range(height):
                turned = snake and group is None and at % 2
                yield first + (height - 1 - inside if turned else inside), column


ORDERS = [(None, False), (None, True), (1, False), (2, True), (2, False), (5, True), (16, False)]


def test_rasters() -> None:
    """The tiles of one block, of extents that are known when the kernel is made and of ones that are not."""
    rows, columns = 5, 3

    @kernel(threads=32, grid=1)
    def tiles(out: Global(i32, (len(ORDERS), 2, rows * columns)), m: i32, n: i32):
        lane = thread_id()
        for at, (group, snake) in enumerate(ORDERS):
            for known, (height, width) in enumerate([(rows, columns), (m, n)]):
                place = i32_zero()
                for row, column in raster(height, width, group, snake=snake):
                    if lane == 0:
                        out[at, known, place] = row * 100 + column
                    place += 1

    out = np.full((len(ORDERS), 2, rows * columns), -1, np.int32)
    tiles.run(out, rows, columns)
    for at, (group, snake) in enumerate(ORDERS):
        expected = [row * 100 + column for row, column in order(rows, columns, group, snake)]
        assert out[at].tolist() == [expected, expected], (group, snake)


def i32_zero() -> Any:
    """A number that may change when the kernel runs."""
    return thread_id() * 0


@pytest.mark.parametrize(("group", "snake"), [(4, False), (None, True)])
def test_blocks_of_clusters_get_neighbouring_rows(group: int | None, snake: bool) -> None:
    """A group counts rows of blocks; with an odd number of rows the last one is beyond the end."""
    rows, columns = 5, 3

    @kernel(threads=32, grid=4, cluster=2)
    def tiles(out: Global(i32, (6, 3)), m: i32):
        lane = thread_id()
        for row, column in raster(m, columns, group, snake=snake):
            if lane == 0:
                out[row, column] += 1

    out = np.zeros((6, 3), np.int32)
    tiles.run(out, rows, target="sm_90a")
    assert (out == 1).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: raster("M", 3), "a raster needs the numbers of rows and columns"),
        (lambda: raster(3, None), "a raster needs the numbers of rows and columns"),
        (lambda: raster(3, 3, 0), "invalid number of rows 0"),
        (lambda: raster(3, 3, 2.0), "invalid number of rows 2.0"),  # type: ignore[arg-type]
    ],
)
def test_rasters_that_there_are_not(make: Any, message: str) -> None:
    @kernel(threads=32, grid=1)
    def wrong(x: Global(i32, 1)):
        make()

    with pytest.raises(CompileError) as caught:
        wrong.mlir()
    assert caught.value.message == message


def test_how_many_tiles_sizes_give() -> None:
    def counted(make: Any) -> Any:
        @kernel(threads=32, grid=weft.tile.persistent)
        def some(x: Global(f32, ("M", "N")), k: i32):
            for _ in raster(*make(*x.shape, k)):
                pass

        return some.build(some.specialize()).tiles({"M": 1000, "N": 300})

    assert counted(lambda m, n, k: (cdiv(m, 128), cdiv(n, 256))) == 16
    assert counted(lambda m, n, k: (m - 100, n + 4)) == 900 * 304
    assert counted(lambda m, n, k: (m // 7, n * 3)) == 142 * 900
    assert counted(lambda m, n, k: (5, 3)) == 15
    assert counted(lambda m, n, k: (m, k)) is None
    assert counted(lambda m, n, k: (k, n)) is None
    assert counted(lambda m, n, k: (m % 7, n)) is None


def test_tiles_that_an_argument_counts() -> None:
    """Where sizes do not tell how many there are, every multiprocessor has a block."""

    @kernel(threads=32, grid=weft.tile.persistent)
    def some(x: Global(i32, ("M", 2)), k: i32):
        for row, column in raster(k, 2):
            if thread_id() == 0:
                x[row, column] = 1

    x = np.zeros((5, 2), np.int32)
    some.run(x, 4)
    assert x.tolist() == [[1, 1]] * 4 + [[0, 0]]


def test_a_size_that_is_an_argument() -> None:
    """It counts tiles, and is what a tensor's extent must be."""

    @kernel(threads=32, grid=weft.tile.persistent)
    def some(x: Global(i32, ("M", 2)), M: i32):
        for row, column in raster(M, 2):
            if thread_id() == 0:
                x[row, column] = 1

    assert some.build(some.specialize()).tiles({"M": 7}) == 14
    x = np.zeros((5, 2), np.int32)
    some.run(x, 5)
    assert x.all()
