"""Which registers correspond, for random layouts: against a list of all elements of all threads."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.tile.test_layouts_random import random_layout
from weft.errors import LayoutError
from weft.layout import Axis, Iter, TileLayout, laneid, m, parse, warpid
from weft.transforms.tile_lowering import places

WARPS = 4
THREADS = [(lane, warp) for warp in range(WARPS) for lane in range(32)]
SHAPES = ((16, 16), (8, 32), (4, 64), (32, 4))


def replicated(random: Random, shape: tuple[int, int]) -> TileLayout:
    """A random layout over lanes and warps, perhaps with warps or registers that hold the same, or displaced registers."""
    found = random_layout(random, shape, random.choice([1, WARPS]))
    replica = [Iter(2, 2, warpid)] if warpid not in found.axes and random.random() < 0.5 else []
    if random.random() < 0.3:
        replica.append(Iter(2, found.storage().span()))
    return TileLayout(found.shard, replica, {m: random.choice([0, 0, 3])})


def held(layout: TileLayout, shape: tuple[int, ...]) -> dict[tuple[int, int], dict[int, int]]:
    """For each lane and warp, the element in each place; those on no axis of the layout are the same in all threads."""
    axes = [axis for axis in (laneid, warpid) if axis in layout.axes]
    found: dict[tuple[int, int], dict[int, int]] = {thread: {} for thread in THREADS}
    copies = [
        {
            axis: sum(n * each.stride for n, each in zip(digits, layout.replica, strict=True) if each.axis is axis)
            for axis in (*axes, m)
        }
        for digits in product(*(range(each.extent) for each in layout.replica))
    ]
    for element in range(int(np.prod(shape))):
        at = layout.apply(element)
        for more in copies:
            wanted = {axis: at.get(axis, 0) + more[axis] for axis in axes}
            for lane, warp in THREADS:
                if wanted.get(laneid, lane) == lane and wanted.get(warpid, warp) == warp:
                    found[lane, warp][at.get(m, 0) + more[m]] = element
    return found


def threads_of(layout: TileLayout) -> set[Axis]:
    """The thread axes of a layout, lanes and warps as one where it has both."""
    return {axis for axis in layout.canonicalize(fuse_scopes=True).axes if axis.thread}


def agreed(wanted: list[dict[int, set[int]]], count: int) -> tuple[Any, ...] | None:
    """What each place is to come from, if that is one place and the same one in all threads that use it."""
    result: list[int | None] = [None] * count
    for thread in wanted:
        for place, origins in thread.items():
            if len(origins) != 1 or result[place] not in (None, *origins):
                return None
            (result[place],) = origins
    return tuple(result)


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(40))
def test_sources(seed: int) -> None:
    """Where in the operand's registers a thread has what it needs of it, one row or column of it perhaps for all."""
    random = Random(seed)
    shape = random.choice(SHAPES)
    src_shape = random.choice([shape, shape, (1, shape[1]), (shape[0], 1)])
    dst = replicated(random, shape)
    if src_shape == shape and random.random() < 0.8:  # The same threads, other registers.
        order = [each.stride for each in dst.shard if each.axis is m]
        random.shuffle(order)
        src = TileLayout([e if e.axis is not m else e._replace(stride=order.pop()) for e in dst.shard], (), {m: 1})
    elif src_shape == shape:
        src = replicated(random, shape)
    else:
        at = src_shape.index(1)
        kept = dst.group(shape).groups[1 - at]
        src = TileLayout(
            kept,
            [Iter(each.extent, each.stride, each.axis) for each in dst.group(shape).groups[at] if each.axis.thread],
        )
    needs, has = held(dst, shape), held(src, src_shape)
    threads: list[dict[int, set[int]]] = []
    for thread in THREADS:
        inverse: dict[int, set[int]] = {}
        for place, element in has[thread].items():
            inverse.setdefault(element, set()).add(place)
        coordinates = {place: np.unravel_index(element, shape) for place, element in needs[thread].items()}
        elements = {
            p: int(np.ravel_multi_index([c % n for c, n in zip(at, src_shape, strict=True)], src_shape))
            for p, at in coordinates.items()
        }
        threads.append({place: inverse.get(element, set()) for place, element in elements.items()})
    expected = agreed(threads, places.span(dst))
    try:
        assert places.sources(dst, shape, src, src_shape) == expected
    except LayoutError as error:
        strangers = threads_of(src) - threads_of(dst)
        assert strangers if "the operand is distributed over" in error.message else expected is None


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(40))
def test_coordinates(seed: int) -> None:
    random = Random(seed)
    shape, dimension = random.choice(SHAPES), random.randrange(2)
    layout = random_layout(random, shape, WARPS)
    found = places.coordinate(layout, shape, dimension)
    for (lane, warp), elements in held(layout, shape).items():
        number = lane + 32 * warp
        thread = sum(
            weight * (axis.of_thread(number) // stride % extent) for axis, stride, extent, weight in found.digits
        )
        for place, element in elements.items():
            assert thread + (found.places[place] or 0) == np.unravel_index(element, shape)[dimension]


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(40))
def test_reductions(seed: int) -> None:
    """What a thread combines by itself, and with whom it exchanges the rest."""
    random = Random(seed)
    shape, dimension = random.choice(SHAPES), random.randrange(2)
    layout = random_layout(random, shape, WARPS)
    reduced = tuple(1 if at == dimension else extent for at, extent in enumerate(shape))
    groups = layout.group(shape).groups
    kept = groups[1 - dimension]
    own = [each for each in kept if each.axis is m]
    ranks = sorted(each.stride for each in own)
    packed = {stride: 2**at for at, stride in enumerate(ranks)}
    result = TileLayout(
        [each if each.axis is not m else each._replace(stride=packed[each.stride]) for each in kept],
        [each for each in groups[dimension] if each.axis.thread],
    )
    has, gives = held(layout, shape), held(result, reduced)

    def left(element: int) -> int:
        return int(np.unravel_index(element, shape)[1 - dimension])

    expected: list[set[int]] = [set() for _ in range(places.span(result))]
    for thread in THREADS:
        for place, kept_element in gives[thread].items():
            expected[place] |= {at for at, element in has[thread].items() if left(element) == kept_element}
    assert [set(each) for each in places.combined(layout, shape, result, dimension)] == expected
    exchange = places.exchanges(layout, shape, dimension)
    numbers = {lane + 32 * warp: {left(e) for e in has[lane, warp].values()} for lane, warp in THREADS}
    for thread in (0, 77):
        partners = {thread}
        for distance in exchange.lanes:
            partners |= {partner ^ distance for partner in partners}
        for stride, extent in exchange.warps:
            assert stride % 32 == 0
            partners |= {p + stride * (n - p // stride % extent) for p in partners for n in range(extent)}
        assert partners == {other for other, rows in numbers.items() if rows == numbers[thread]}


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("S[(3,8):(1@laneid,1)]", "threads 3:1@laneid"),
        ("S[(2,8):(3@laneid,1)]", "threads 2:3@laneid"),
        ("S[(2,8):(33@tx,1)]", "threads 2:33@tx"),
        ("S[(2,8):(4@laneid,1)] + 4@laneid", "threads 2:4@laneid"),
        ("S[(48,8):(1@tx,1)]", "threads 48:1@tx"),
        ("S[(2,8):(1@bx,1)]", "threads 2:1@bx"),
    ],
)
def test_threads_that_no_exchange_reaches(run: str, said: str) -> None:
    layout: Any = parse(run)
    with pytest.raises(LayoutError) as caught:
        places.exchanges(layout, (layout.shard[0].extent, 8), 0)
    assert caught.value.message == f"{said} cannot be combined by exchanges between lanes"


@pytest.mark.parametrize(
    ("run", "lanes", "warps"),
    [
        ("S[(2,8):(16@laneid,1)]", (16,), ()),
        ("S[(32,8):(1@laneid,1)]", (1, 2, 4, 8, 16), ()),
        ("S[(64,8):(1@tx,1)]", (1, 2, 4, 8, 16), ((32, 2),)),
        ("S[(8,8):(16@tx,1)]", (16,), ((32, 4),)),
        ("S[(3,8):(32@tx,1)]", (), ((32, 3),)),
        ("S[(3,8):(1@warpid,1)]", (), ((32, 3),)),
        ("S[(2,8):(2@wid_in_wg,1)]", (), ((64, 2),)),
        ("S[(2,8):(1@wgid,1)]", (), ((128, 2),)),
        ("S[(8,1):(1,1@laneid)]", (), ()),
        ("S[(2,8):(4@laneid,1)] + 8@laneid", (4,), ()),
    ],
)
def test_exchanges(run: str, lanes: tuple[int, ...], warps: tuple[tuple[int, int], ...]) -> None:
    layout: Any = parse(run)
    assert places.exchanges(layout, tuple(each.extent for each in layout.shard), 0) == (lanes, warps)


@pytest.mark.parametrize(
    ("src", "dst", "said"),
    [
        ("S[(2,4):(1@laneid,1)]", "S[2:1@laneid]", None),
        ("S[(2,4):(1@laneid,1)]", "S[2:2@laneid]", "a thread that holds elements of the tile does not hold the result"),
        ("S[(2,4):(1@laneid,1)]", "S[2:1@laneid] + 1@laneid",
            "a thread that holds elements of the tile does not hold the result"),
        ("S[(2,4):(1@laneid,1)]", "S[2:1]", "the layout of the result lacks the thread axis 'laneid'"),
        ("S[(2,4):(4,1)]", "S[2:1@laneid]", "the result is distributed over threads that do not hold the tile"),
        ("S[(2,4):(1@laneid,1)]", "S[2:1] + R[4:1@laneid]", "a thread that holds the result holds no elements for it"),
        ("S[(2,4):(1@laneid,2@laneid)]", "S[2:1@laneid] + R[4:2@laneid]", None),
        ("S[(2,4):(1@laneid,2@laneid)]", "S[2:1@laneid] + R[8:2@laneid]",
            "a thread that holds the result holds no elements for it"),
        ("S[(2,4):(1@laneid,2@laneid)]", "S[2:1@laneid] + R[3:2@laneid]",
            "a thread that holds elements of the tile does not hold the result"),
    ],
)  # fmt: skip
def test_threads_that_hold_a_tile_and_the_result_of_its_reduction(src: str, dst: str, said: str | None) -> None:
    layouts = [parse(text) for text in (src, dst)]
    assert all(isinstance(layout, TileLayout) for layout in layouts)
    if said is None:
        assert places.combined(layouts[0], (2, 4), layouts[1], 1) in (((0, 1, 2, 3),), ((0,),))  # type: ignore[arg-type]
        return
    with pytest.raises(LayoutError) as caught:
        places.combined(layouts[0], (2, 4), layouts[1], 1)  # type: ignore[arg-type]
    assert caught.value.message == said


def test_dimensions_of_one_have_no_coordinates_in_threads() -> None:
    found = places.coordinate(TileLayout([Iter(32, 1, laneid), Iter(2, 1)]), (1, 32, 1, 2), 0)
    assert found == ((), (0, 0))
    assert places.coordinate(TileLayout([Iter(32, 1, laneid), Iter(2, 1)]), (1, 32, 1, 2), 2) == ((), (0, 0))
    assert places.coordinate(TileLayout([Iter(32, 1, laneid), Iter(2, 1)]), (1, 32, 1, 2), 3) == ((), (0, 1))


PAIRS = [[(lane, lane // 4, 2 * (lane % 4) + half) for half in range(2)] for lane in range(32)]
"""The first register of each lane: a pair of 16-bit elements."""


@pytest.mark.parametrize(
    ("layout", "bits", "said"),
    [
        ("S[(8,4,2):(4@laneid,1@laneid,1)]", 16, None),
        ("S[(8,4,2):(4@laneid,1@laneid,1)] + 2", 16, None),
        ("S[(8,4,2):(4@laneid,1@laneid,1)] + 1", 16,
            "element (0, 0) is element 1 of its lane, not in a register with its neighbours"),
        ("S[(8,4,2):(4@laneid,1@laneid,3)]", 16,
            "element (0, 1) is element 3 of its lane, not in a register with its neighbours"),
        ("S[(8,4,2):(4@laneid,1@laneid,2)]", 16,
            "element (0, 1) is element 2 of its lane, not in a register with its neighbours"),
        ("S[(8,4,2):(1@laneid,8@laneid,1)]", 16,
            "element (0, 2) is not in lane 1, where the instruction expects it"),
        ("S[(8,4,2):(4@tid_in_wg,1@tid_in_wg,1)]", 16,
            "a fragment must be distributed over 'laneid', not over tid_in_wg"),
        ("S[(8,8):(8,1)]", 16, "every thread holds the whole tile: it is not a fragment"),
    ],
)  # fmt: skip
def test_registers_of_a_fragment(layout: str, bits: int, said: str | None) -> None:
    """Elements of a register are neighbours in one word of their lane, in their order."""
    held = parse(layout)
    assert isinstance(held, TileLayout)
    if said is None:
        found = places.fragment_words(held, (8, 8), (8, 8), PAIRS, bits)
        assert found == {(0, 0): (held.offset_on(m) // 2,) * 32}
        return
    with pytest.raises(LayoutError) as caught:
        places.fragment_words(held, (8, 8), (8, 8), PAIRS, bits)
    assert caught.value.message == said
