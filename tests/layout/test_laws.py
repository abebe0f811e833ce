"""Laws of the layout algebra, on random layouts, against evaluation written out for one element at a time."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import accumulate, pairwise, product
from math import prod
from operator import mul

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import weft.layout
from weft.errors import LayoutError
from weft.layout import (
    Axis,
    ComposeLayout,
    Iter,
    R,
    S,
    SwizzleLayout,
    TileLayout,
    laneid,
    m,
    parse,
    row_major,
    tid_in_wg,
    tx,
    warpid,
    wgid,
    wid_in_wg,
)

AXES = [m, laneid, warpid]
EXTENTS = st.sampled_from([1, 2, 2, 3, 4, 6, 8])
STRIDES = st.integers(-5, 40)


def iters(axes: list[Axis], strides: st.SearchStrategy[int] = STRIDES) -> st.SearchStrategy[Iter]:
    return st.builds(Iter, EXTENTS, strides, st.sampled_from(axes))


def layouts(
    axes: list[Axis] = AXES, strides: st.SearchStrategy[int] = STRIDES, replicas: int = 2
) -> st.SearchStrategy[TileLayout]:
    shard = st.lists(iters(axes, strides), min_size=1, max_size=4).filter(lambda run: prod(e for e, _, _ in run) <= 120)
    return st.builds(
        TileLayout,
        shard,
        st.lists(iters(axes, strides), max_size=replicas),
        st.dictionaries(st.sampled_from(axes), strides, max_size=2),
    )


@st.composite
def shapes(draw: st.DrawFn, size: int) -> tuple[int, ...]:
    """A factorisation of a size."""
    shape: list[int] = []
    while size > 1 and len(shape) < 4:
        part = draw(st.sampled_from([each for each in range(1, size + 1) if size % each == 0]))
        shape.append(part)
        size //= part
    return (*shape, size)


def place(layout: TileLayout, number: int) -> Counter[Axis]:
    """Where an element is, by the definition."""
    places = Counter(dict(layout.offset))
    for extent, stride, axis in reversed(layout.shard):
        number, digit = divmod(number, extent)
        places[axis] += digit * stride
    return places


def places(layout: TileLayout) -> list[Counter[Axis]]:
    return [place(layout, number) for number in range(prod(layout.extents))]


def flat(coordinates: tuple[int, ...], shape: tuple[int, ...]) -> int:
    return int(np.ravel_multi_index(coordinates, shape))


def cells(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(product(*map(range, shape)))


@given(layouts(), st.data())
def test_apply(layout: TileLayout, data: st.DataObject) -> None:
    shape = data.draw(shapes(layout.size()))
    expected = places(layout)
    for number, coordinates in enumerate(cells(shape)):
        assert Counter(layout.apply(number)) == expected[number]
        assert Counter(layout.apply(*coordinates, shape=shape)) == expected[number]
    for coordinates in cells(layout.extents):
        assert Counter(layout.apply(*coordinates)) == expected[flat(coordinates, layout.extents)]
    arrays = layout.apply(*np.indices(shape), shape=shape)
    for axis, array in layout.apply_all(shape).items():
        assert array.shape == shape
        assert (array == arrays[axis]).all()
        assert array.ravel().tolist() == [each[axis] for each in expected]


@given(layouts())
def test_size_and_span(layout: TileLayout) -> None:
    assert layout.size() == len(places(layout))
    for axis in AXES:
        reached = {0}
        for each in places(layout):
            for steps in product(*(range(extent) for extent, _, _ in layout.replica)):
                moved = sum(k * s for k, (_, s, a) in zip(steps, layout.replica, strict=True) if a is axis)
                reached.add(each[axis] + moved)
        assert layout.span(axis) == max(reached) - min(reached) + 1
    assert layout.span() == layout.span(m)


def divides(layout: TileLayout, shape: tuple[int, ...]) -> bool:
    """Whether every boundary of the shape splits the iter that it falls into."""
    if prod(shape) != layout.size():
        return False
    for boundary in accumulate(shape, mul):
        before = 1
        for extent in layout.extents:
            if before < boundary < before * extent and (boundary % before or extent % (boundary // before)):
                return False
            before *= extent
    return True


@given(layouts(), st.data())
def test_group(layout: TileLayout, data: st.DataObject) -> None:
    shape = data.draw(shapes(layout.size()))
    grouped = layout.try_group(shape)
    assert (grouped is not None) == divides(layout, shape)
    if grouped is None:
        with pytest.raises(LayoutError, match="cannot be grouped"):
            layout.group(shape)
        return
    assert places(grouped.layout) == places(layout)
    assert (grouped.layout.replica, grouped.layout.offset) == (layout.replica, layout.offset)
    assert tuple(prod(extent for extent, _, _ in part) for part in grouped.groups) == shape
    assert grouped.layout.group(shape) == grouped


@given(layouts(), st.data())
def test_group_many(layout: TileLayout, data: st.DataObject) -> None:
    wanted = [data.draw(shapes(layout.size())) for _ in range(2)]
    ends = sorted({end for shape in wanted for end in accumulate(shape, mul)})
    refined = tuple(high // low for low, high in pairwise([1, *ends]))
    possible = all(high % low == 0 for low, high in pairwise([1, *ends])) and divides(layout, refined)
    try:
        layout_, all_seps = layout.group_many(*wanted)
    except LayoutError:
        assert not possible
        return
    assert possible
    assert places(layout_) == places(layout)
    for shape, seps in zip(wanted, all_seps, strict=True):
        assert tuple(prod(layout_.extents[begin:end]) for begin, end in pairwise(seps)) == shape
        assert (seps[0], seps[-1]) == (0, len(layout_.shard))


@given(layouts())
def test_canonicalize(layout: TileLayout) -> None:
    canonical = layout.canonicalize()
    assert places(canonical) == places(layout)
    assert canonical.canonicalize() == canonical
    assert all(extent > 1 for extent in canonical.extents) or len(canonical.shard) == 1
    assert sorted(canonical.replica) == sorted(layout.replica)
    for (_, left, axis), (extent, right, other) in pairwise(canonical.shard):
        assert axis is not other or left != extent * right


FAMILIES = [
    [m, laneid, wid_in_wg],
    [laneid, warpid],
    [m, laneid, wid_in_wg, wgid],
    [tid_in_wg, wgid],
    [wid_in_wg, wgid],
]
"""Axes that occur together, and what they are together."""


def common(places: Counter[Axis]) -> Counter[Axis]:
    """Threads and warps counted from the start of the widest group: by the definition of the axes."""
    weights = {laneid: 1, tid_in_wg: 1, tx: 1, wid_in_wg: 32, warpid: 32, wgid: 128}
    threads = sum(weights[axis] * value for axis, value in places.items() if axis in weights)
    return Counter({m: places[m], tx: threads})


@given(st.sampled_from(FAMILIES).flatmap(lambda axes: layouts(axes, replicas=1)))
def test_scope_fusion(layout: TileLayout) -> None:
    try:
        fused = layout.canonicalize(fuse_scopes=True)
    except LayoutError as error:
        assert "scopes" in error.message
        with pytest.raises(LayoutError):
            layout.canonicalize()
        return
    assert [common(each) for each in places(fused)] == [common(each) for each in places(layout)]
    assert fused.canonicalize(fuse_scopes=True) == fused
    assert len([axis for axis in fused.axes if axis is not m]) <= 1


@pytest.mark.parametrize("axis", [laneid, wid_in_wg, tid_in_wg, warpid, wgid, tx])
def test_axes_of_a_thread(axis: Axis) -> None:
    values = {
        "laneid": lambda t: t % 32,
        "wid_in_wg": lambda t: t // 32 % 4,
        "tid_in_wg": lambda t: t % 128,
        "warpid": lambda t: t // 32,
        "wgid": lambda t: t // 128,
        "tx": lambda t: t,
    }
    assert [axis.of_thread(t) for t in range(1024)] == [values[axis.name](t) for t in range(1024)]


@given(layouts(), st.data())
def test_permute(layout: TileLayout, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(layout.shard))))
    permuted = layout.permute(order)
    for coordinates in cells(layout.extents):
        moved = tuple(coordinates[at] for at in order)
        assert permuted.apply(*moved) == layout.apply(*coordinates)
    seps = tuple(range(len(layout.shard) + 1))
    assert layout.permute_groups(seps, order) == permuted


@given(layouts(), st.data())
def test_slice(layout: TileLayout, data: st.DataObject) -> None:
    shape = data.draw(shapes(layout.size()))
    assume(layout.canonicalize().try_group(shape) is not None)
    region = []
    for extent in shape:
        begin = data.draw(st.integers(0, extent - 1))
        region.append((begin, data.draw(st.integers(begin + 1, extent))))
    sliced = layout.slice(shape, region)
    if sliced is None:
        groups = layout.canonicalize().group(shape).groups
        assert any(len(weft.layout.iters.fuse(weft.layout.iters.without_units(part))) > 1 for part in groups)
        return
    extents = tuple(end - begin for begin, end in region)
    for coordinates in cells(extents):
        moved = tuple(c + begin for c, (begin, _) in zip(coordinates, region, strict=True))
        assert place(sliced, flat(coordinates, extents)) == place(layout, flat(moved, shape))
    assert sorted(sliced.replica) == sorted(layout.replica)


@given(layouts(replicas=1), layouts(replicas=1), st.data())
def test_tile(inner: TileLayout, outer: TileLayout, data: st.DataObject) -> None:
    assume(inner.size() * outer.size() <= 600)
    inner_shape, outer_shape = (data.draw(shapes(each.size())) for each in (inner, outer))
    rank = max(len(inner_shape), len(outer_shape))
    inner_shape, outer_shape = ((1,) * (rank - len(each)) + each for each in (inner_shape, outer_shape))
    assume(inner.canonicalize().try_group(inner_shape) and outer.canonicalize().try_group(outer_shape))
    tiled = inner.tile(outer, outer_shape, inner_shape)
    both = inner.direct_sum(outer, outer_shape, inner_shape)
    spans = {axis: inner.span(axis) for axis, _ in [(each.axis, 0) for each in inner.shard]}
    shape = tuple(map(mul, outer_shape, inner_shape))
    for fast in cells(inner_shape):
        for slow in cells(outer_shape):
            number = flat(tuple(s * e + f for s, e, f in zip(slow, inner_shape, fast, strict=True)), shape)
            low, high = place(inner, flat(fast, inner_shape)), place(outer, flat(slow, outer_shape))
            assert place(both, number) == Counter({axis: low[axis] + high[axis] for axis in AXES})
            scaled = {axis: low[axis] + high[axis] * spans.get(axis, 1) for axis in AXES}
            assert place(tiled, number) == Counter(scaled)
    for found, again in (
        (tiled.outer_of(inner, shape, inner_shape), inner.tile),
        (both.summand_of(inner, shape, inner_shape), inner.direct_sum),
    ):
        if found is not None:
            assert again(found, outer_shape, inner_shape) in (tiled, both)
            assert places(found) == places(outer) or found != outer.canonicalize()


def test_tile_is_undone() -> None:
    inner, outer = S[(8, 4) : (4, 1)] + R[2 : 1 @ warpid], S[(3, 5) : (1, 3)] + 2
    tiled = inner.tile(outer, (3, 5), (8, 4))
    assert tiled.outer_of(inner, (24, 20), (8, 4)) == outer
    assert tiled.outer_of(S[(8, 4) : (1, 8)], (24, 20), (8, 4)) is None
    assert tiled.summand_of(S[(8, 4) : (4, 1)], (24, 20), (8, 4)) == S[(3, 5) : (32, 96)] + 64 + R[2 : 1 @ warpid]


@given(layouts(), st.integers(1, 4))
def test_parts_of_elements(layout: TileLayout, count: int) -> None:
    parts = layout.unpack(count)
    for number, whole in enumerate(places(layout)):
        for part in range(count):
            assert place(parts, number * count + part)[m] == whole[m] * count + part
            assert all(place(parts, number * count + part)[axis] == whole[axis] for axis in (laneid, warpid))
    assert places(parts.pack(count)) == places(layout)
    assert parts.pack(count).replica == layout.replica


@given(layouts())
def test_storage(layout: TileLayout) -> None:
    kept = layout.storage()
    assert all(axis is m for axis in kept.axes)
    assert {each[m] for each in places(layout)} == {each[m] for each in places(kept)} or not kept.shard
    assert kept.span() == layout.span()


@given(layouts())
def test_text(layout: TileLayout) -> None:
    assert parse(str(layout)) == layout
    assert eval(str(layout), vars(weft.layout)) == layout
    assert pickle.loads(pickle.dumps(layout)) == layout
    assert hash(TileLayout(layout)) == hash(layout)


SWIZZLES = st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 4), st.booleans()).filter(
    lambda n: n[2] >= n[1]
)


@given(SWIZZLES, layouts([m], st.integers(0, 40)))
def test_swizzles(numbers: tuple[int, int, int, bool], tile: TileLayout) -> None:
    per_element, swizzle_len, atom_len, inner = numbers
    swizzle = SwizzleLayout(*numbers)
    for number in range(2 * swizzle.block):
        chunk, within = divmod(number, 2**per_element)
        if inner:
            chunk ^= chunk // 2**atom_len % 2**swizzle_len
        else:
            chunk ^= chunk % 2**swizzle_len * 2**atom_len
        assert swizzle.apply(number) == {m: chunk * 2**per_element + within}
        assert swizzle.place(swizzle.place(number)) == number
        assert swizzle.place(number) // swizzle.block == number // swizzle.block
    composed = ComposeLayout(swizzle, tile)
    assert parse(str(composed)) == eval(str(composed), vars(weft.layout)) == composed
    assert parse(str(swizzle)) == eval(str(swizzle), vars(weft.layout)) == swizzle
    expected = [swizzle.place(each[m]) for each in places(tile)]
    assert composed.apply_all()[m].ravel().tolist() == expected
    assert [composed.apply(number)[m] for number in range(len(expected))] == expected
    assert all(each < composed.span() for each in expected)
    assert swizzle.unpack(4).pack(4) == swizzle
    parts = composed.unpack(2)
    assert [parts.apply(2 * number + part)[m] for number in range(len(expected)) for part in (0, 1)] == [
        2 * each + part for each in expected for part in (0, 1)
    ]


@given(SWIZZLES, st.data())
def test_swizzled_slices(numbers: tuple[int, int, int, bool], data: st.DataObject) -> None:
    swizzle, shape = SwizzleLayout(*numbers), (8, 24)
    region = []
    for extent in shape:
        begin = data.draw(st.integers(0, extent - 1))
        region.append((begin, data.draw(st.integers(begin + 1, extent))))
    sliced = swizzle.slice(shape, region)
    assert sliced is not None
    extents = tuple(end - begin for begin, end in region)
    for coordinates in cells(extents):
        moved = tuple(c + begin for c, (begin, _) in zip(coordinates, region, strict=True))
        assert sliced.apply(*coordinates, shape=extents) == swizzle.apply(*moved, shape=shape)


def test_row_major() -> None:
    assert row_major((2, 3, 4)).apply_all((24,))[m].tolist() == list(range(24))
