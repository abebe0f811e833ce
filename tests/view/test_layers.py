"""The layered layout: boxes apart, edges downwards, cycles and long edges around."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.view.layers import Box, layout


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[tuple[float, float]], list[tuple[int, int]]]:
    count = draw(st.integers(1, 12))
    sizes = [(float(draw(st.integers(10, 90))), float(draw(st.integers(10, 60)))) for _ in range(count)]
    node = st.integers(0, count - 1)
    return sizes, draw(st.lists(st.tuples(node, node), max_size=20))


def apart(a: Box, b: Box) -> bool:
    return a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y


@pytest.mark.slow
@given(graphs())
def test_layout(graph: tuple[list[tuple[float, float]], list[tuple[int, int]]]) -> None:
    sizes, edges = graph
    plan = layout(sizes, edges, range(len(sizes)))
    assert [(box.width, box.height) for box in plan.boxes] == sizes
    assert all(apart(a, b) for a, b in combinations(plan.boxes, 2))
    for number, ((a, b), route) in enumerate(zip(edges, plan.routes, strict=True)):
        start, end = plan.boxes[a], plan.boxes[b]
        assert (number in plan.around) == (b <= a)
        if b > a:
            assert start.y + start.height < end.y
            assert [y for _, y in route] == sorted(y for _, y in route)
            for (x, top), (across, bottom) in pairwise(route):
                through = [c for c in plan.boxes if c.x < x < c.x + c.width and top < c.y + c.height and c.y < bottom]
                assert x != across or not through  # straight lines pass beside the boxes
        for box, (x, y) in ((start, route[0]), (end, route[-1])):
            assert box.x <= x <= box.x + box.width
            assert box.y <= y <= box.y + box.height
        for x, y in route:
            assert 0 <= x <= plan.width
            assert 0 <= y <= plan.height


def test_a_chain_with_a_shortcut() -> None:
    count = 40
    plan = layout([(10.0, 10.0)] * count, [*((n, n + 1) for n in range(count - 1)), (0, count - 1)], range(count))
    assert plan.around == {count - 1}
    assert len({box.y for box in plan.boxes}) == count
