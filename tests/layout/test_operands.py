"""Scales, operands in tensor memory and in a warpgroup's registers, element by element; digits, groups, refinements."""

from __future__ import annotations

import random
from itertools import pairwise, product
from math import prod

import numpy as np
import pytest

from weft.errors import LayoutError
from weft.layout import laneid, m
from weft.layout.axis import Axis, TCol, TLane, tid_in_wg, wid_in_wg
from weft.layout.iters import Iter, common_refinement, flatten, fuse, group, size, slice_group, split, without_units
from weft.layout.scales import scale_fragment, width_of
from weft.layout.tensor_memory import tensor_fragment, tensor_memory_layout
from weft.layout.tile import TileLayout
from weft.layout.wgmma import columns_of, depth_of, wgmma_fragment


def held(layout: TileLayout, *axes: Axis) -> list[tuple[int, ...]]:
    """Where each element is, in row-major order, without what it is copied to."""
    places = layout.apply_all()
    none = np.zeros(layout.size(), np.int64)
    return list(zip(*(places.get(axis, none).reshape(-1).tolist() for axis in axes), strict=True))


@pytest.mark.parametrize("rows", [8, 16, 24, 32, 64, 96])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_every_scale(rows: int, count: int) -> None:
    """Row r of its group of 32, 16 or 8 is in lane 4 g + q where it is 8 q + g, and in those a group further."""
    width = 32 if rows % 32 == 0 else 16 if rows % 16 == 0 else 8
    assert width_of(rows) == width
    layout = scale_fragment((rows, count))
    assert held(layout, laneid, m) == [
        (4 * (row % 8) + row % width // 8, row // width * count + block)
        for row in range(rows)
        for block in range(count)
    ]
    copies = [(each.extent, each.stride, each.axis) for each in layout.replica]
    assert copies == ([] if width == 32 else [(32 // width, width // 8, laneid)])


def test_scales_that_are_refused() -> None:
    for rows in (1, 4, 12, 20):
        with pytest.raises(LayoutError, match=f"scales must be a multiple of 8, not {rows}"):
            scale_fragment((rows, 2))


def test_every_element_of_tensor_memory() -> None:
    for shape in ((128, 1), (128, 512), (3, 128, 8), (2, 3, 128, 4)):
        layout = tensor_memory_layout(shape)
        *batch, rows, columns = shape
        assert held(layout, TLane, TCol) == [
            (row, each * columns + column)
            for each in range(prod(batch))
            for row in range(rows)
            for column in range(columns)
        ]
    for columns in (1, 8):
        assert held(tensor_fragment((128, columns)), wid_in_wg, laneid, m) == [
            (row // 32, row % 32, column) for row in range(128) for column in range(columns)
        ]
    tensor_memory_layout((2, 128, 512), 16)
    for shape, bits, message in (
        ((128,), 32, r"must have 128 rows, not shape \(128,\)"),
        ((64, 8), 32, r"must have 128 rows, not shape \(64, 8\)"),
        ((128, 513), 32, "513 columns: tensor memory has 512"),
        ((128, 1025), 16, "513 columns: tensor memory has 512"),
        ((3, 128, 256), 32, "768 columns: tensor memory has 512"),
    ):
        with pytest.raises(LayoutError, match=message):
            tensor_memory_layout(shape, bits)
    with pytest.raises(LayoutError, match="a warpgroup reads 128 rows of tensor memory, not 64"):
        tensor_fragment((64, 8))


def test_operands_of_a_warpgroup() -> None:
    """The widest products that there are, over the tile; what the manual says of sums: pairs, 8 columns a register pair."""
    assert [columns_of(n, "f32") for n in (8, 24, 256, 264, 272, 512, 520)] == [8, 24, 256, 88, 136, 256, 104]
    assert [columns_of(n, "s32") for n in (8, 24, 40, 72, 256, 264, 272)] == [8, 24, 8, 24, 256, 24, 16]
    assert [depth_of(type) for type in ("f16", "bf16", "tf32", "s8", "e4m3")] == [16, 16, 8, 32, 32]
    for columns in (4, 12, 250):
        with pytest.raises(LayoutError, match=f"{columns} columns: N must be a multiple of 8"):
            columns_of(columns, "f32")
    for shape in ((64, 16), (128, 16), (64, 264)):
        n = columns_of(shape[1], "f32")
        per = n // 2
        expected = []
        for row, column in product(range(shape[0]), range(shape[1])):
            r, c = row % 64, column % n
            register = c // 8 * 4 + r % 16 // 8 * 2 + c % 2
            tile = row // 64 * (shape[1] // n) + column // n
            expected.append((r // 16 * 32 + r % 8 * 4 + c % 8 // 2, tile * per + register))
        for type in ("f32", "s32") if n == 16 else ("f32", "f16"):
            assert held(wgmma_fragment("d", type, shape), tid_in_wg, m) == expected
    for type, depth, pack in (("f16", 16, 2), ("tf32", 8, 1), ("s8", 32, 4)):
        expected = []
        for row, k in product(range(64), range(depth)):
            half, within = divmod(k, depth // 2)
            register = (half * 2 + row % 16 // 8) * pack + within % pack
            expected.append((row // 16 * 32 + row % 8 * 4 + within // pack, register))
        assert held(wgmma_fragment("a", type, (64, depth)), tid_in_wg, m) == expected, type
    for operand, shape in (("d", (32, 16)), ("a", (64, 24))):
        with pytest.raises(LayoutError, match="is not a multiple of the fragment shape"):
            wgmma_fragment(operand, "f16", shape)


# -- digits, groups and refinements -------------------------------------------------------------------------------


def test_digits() -> None:
    for extents in ((), (4,), (2, 3), (3, 1, 5)):
        for number in range(2 * prod(extents) if extents else 0):
            digits = split(number, extents)
            expected = np.unravel_index(number % prod(extents), extents)
            assert digits[1:] == tuple(map(int, expected[1:])) and flatten(digits, extents) == number
            assert digits[0] == int(expected[0]) + number // prod(extents) * extents[0], "the first keeps counting"
    assert split(5, ()) == ()
    for digits, extents in (((), ()), ((1,), (1, 2)), ((1, 2), (2,))):
        with pytest.raises(LayoutError, match=f"{len(digits)} digits for extents"):
            flatten(digits, extents)


def test_groups_and_slices_name_the_same_places() -> None:
    """Of random iters: what there is for a shape or a range is right at every coordinate."""

    def places(run: tuple[Iter, ...]) -> list[int]:
        extents = [each.extent for each in run]
        return [
            sum(d * each.stride for d, each in zip(split(n, extents), run, strict=True)) for n in range(prod(extents))
        ]

    random_ = random.Random(5)
    grouped = sliced = 0
    for _ in range(300):
        run = tuple(Iter(random_.choice((1, 2, 3, 4, 6, 8)), random_.choice((1, 2, 4, 8, 24))) for _ in range(3))
        total = size(run)
        assert places(fuse(without_units(run))) == places(run)
        first = random_.choice([n for n in range(1, total + 1) if total % n == 0])
        found = group(run, (first, total // first))
        if found is not None:
            grouped += 1
            iters, seps = found
            assert places(iters) == places(run) and seps[0] == 0 and seps[-1] == len(iters)
            assert [size(iters[a:b]) for a, b in pairwise(seps)] == [first, total // first]
        assert group(run, (first, total // first, 5)) is None
        begin = random_.randrange(total)
        extent = random_.randint(1, total - begin)
        part = slice_group(run, begin, extent)
        if part is not None:
            sliced += 1
            at = sum(offset for _, offset in part[1])
            assert [at + place for place in places(part[0])] == places(run)[begin : begin + extent]
    assert grouped > 100 and sliced > 100
    assert group((), (1, 1)) == ((Iter(1, 1), Iter(1, 1)), (0, 1, 2)) or group((), (1,)) is not None


def test_refinements() -> None:
    assert common_refinement(((4, 6), (2, 12), (24,))) == ((2, 2, 6), ((0, 2, 3), (0, 1, 3), (0, 3)))
    assert common_refinement(((1, 4), (4,), (2, 1, 2))) == ((1, 2, 1, 2), ((0, 1, 4), (0, 4), (0, 2, 3, 4)))
    with pytest.raises(LayoutError, match=r"shapes \(4, 6\), \(5, 5\) have different sizes"):
        common_refinement(((4, 6), (5, 5)))
    with pytest.raises(LayoutError, match=r"shapes \(4, 6\), \(6, 4\) have no common refinement") as refused:
        common_refinement(((4, 6), (6, 4)))
    assert refused.value.hint == "4 does not divide 6"
