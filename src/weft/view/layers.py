"""A layered layout of a directed graph: where boxes and edges go in a drawing.

The usual steps (Sugiyama): edges that close cycles are set aside, boxes get layers by the longest way from the top,
long edges are cut into pieces of one layer each, crossings are reduced by moving each box towards the mean place of its
neighbours, and each layer is set around the middle of the drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from weft.dataclass import dataclass

GAP = 28.0
"""Between boxes of one layer."""
LAYER_GAP = 44.0
_WAYPOINT = 10.0
_SWEEPS = 6
_LONGEST = 24
"""An edge over more layers than this goes around the drawing, as those do that go up."""


@dataclass(frozen=True, slots=True)
class Box:
    """A placed box: its left upper corner and its size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes in the order given, and for each edge the points that it goes through, from box to box.

    `around` are the edges (by number) that go around the drawing, on the right.
    """

    boxes: tuple[Box, ...]
    routes: tuple[tuple[tuple[float, float], ...], ...]
    around: frozenset[int]
    width: float
    height: float


def layout(sizes: Sequence[tuple[float, float]], edges: Sequence[tuple[int, int]], order: Sequence[int]) -> Layout:
    """Lay a graph out.

    `sizes` are the boxes' widths and heights, `edges` pairs of boxes; an edge that goes against `order` (a sequence of
    all boxes) goes around.
    """
    place = {box: index for index, box in enumerate(order)}
    layer = _layers(edges, order, place)
    around = {n for n, (a, b) in enumerate(edges) if place[b] <= place[a] or layer[b] - layer[a] > _LONGEST}
    rows, chains = _with_waypoints(edges, layer, order, around)
    _reduce_crossings(rows, chains)
    widths = [size[0] for size in sizes]
    total = len(sizes) + sum(len(chain) - 2 for chain in chains.values())
    widths += [_WAYPOINT] * (total - len(sizes))
    xs = _horizontal(rows, widths)
    ys, heights = _vertical(rows, sizes)
    boxes = tuple(Box(xs[n], ys[layer[n]], *sizes[n]) for n in range(len(sizes)))
    width = max((box.x + box.width for box in boxes), default=0.0)
    width = max([width, *(xs[n] + _WAYPOINT for n in range(len(sizes), total))])
    routes: list[tuple[tuple[float, float], ...]] = []
    lanes = 0
    for number, (a, b) in enumerate(edges):
        if number in around:
            lanes += 1
            routes.append(_around(boxes[a], boxes[b], width + 14.0 * lanes))
            continue
        x, y = _foot(boxes[a])
        points = [(x, y), (x, ys[layer[a]] + heights[layer[a]])]
        for row, node in enumerate(chains[number][1:-1], layer[a] + 1):  # straight past the boxes of a layer
            points += [(xs[node] + _WAYPOINT / 2, ys[row]), (xs[node] + _WAYPOINT / 2, ys[row] + heights[row])]
        routes.append((*dict.fromkeys(points), _head(boxes[b])))
    height = ys[-1] + heights[-1] if rows else 0.0
    return Layout(boxes, tuple(routes), frozenset(around), width + 14.0 * (lanes + 1), height)


def _layers(edges: Sequence[tuple[int, int]], order: Sequence[int], place: dict[int, int]) -> list[int]:
    """By box, the length of the longest way to it along edges that go with the order."""
    into: dict[int, list[int]] = {}
    for a, b in edges:
        if place[a] < place[b]:
            into.setdefault(b, []).append(a)
    layer = [0] * len(order)
    for box in order:
        layer[box] = max((layer[above] + 1 for above in into.get(box, ())), default=0)
    return layer


def _with_waypoints(
    edges: Sequence[tuple[int, int]], layer: list[int], order: Sequence[int], around: set[int]
) -> tuple[list[list[int]], dict[int, list[int]]]:
    """The boxes and waypoints of each layer, and by edge what it goes through; waypoints are numbered after boxes."""
    rows: list[list[int]] = [[] for _ in range(max(layer, default=-1) + 1)]
    for box in order:
        rows[layer[box]].append(box)
    chains: dict[int, list[int]] = {}
    fresh = len(order)
    for number, (a, b) in enumerate(edges):
        if number not in around:
            chain = [a]
            for row in rows[layer[a] + 1 : layer[b]]:
                row.append(fresh)
                chain.append(fresh)
                fresh += 1
            chains[number] = [*chain, b]
    return rows, chains


def _reduce_crossings(rows: list[list[int]], chains: dict[int, list[int]]) -> None:
    """Sort each layer by the mean place of the neighbours above, then below, a few times over."""
    above: dict[int, list[int]] = {}
    below: dict[int, list[int]] = {}
    for chain in chains.values():
        for a, b in pairwise(chain):
            below.setdefault(a, []).append(b)
            above.setdefault(b, []).append(a)
    place = {node: index / max(len(row) - 1, 1) for row in rows for index, node in enumerate(row)}
    for sweep in range(_SWEEPS):
        neighbours, ordered = (above, rows[1:]) if sweep % 2 == 0 else (below, rows[-2::-1])
        for row in ordered:
            means = {node: _mean([place[n] for n in neighbours.get(node, [node])]) for node in row}
            row.sort(key=means.__getitem__)
            place.update((node, index / max(len(row) - 1, 1)) for index, node in enumerate(row))


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _horizontal(rows: list[list[int]], widths: list[float]) -> list[float]:
    """The left side of every box and waypoint, each layer around the middle."""
    lengths = [sum(widths[n] for n in row) + GAP * (len(row) - 1) for row in rows]
    widest = max(lengths, default=0.0)
    xs = [0.0] * len(widths)
    for row, length in zip(rows, lengths, strict=True):
        x = (widest - length) / 2
        for node in row:
            xs[node] = x
            x += widths[node] + GAP
    return xs


def _vertical(rows: list[list[int]], sizes: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """The top and the height of each layer."""
    heights = [max((sizes[n][1] for n in row if n < len(sizes)), default=0.0) for row in rows]
    tops: list[float] = []
    y = 0.0
    for height in heights:
        tops.append(y)
        y += height + LAYER_GAP
    return tops, heights


def _foot(box: Box) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + box.height


def _head(box: Box) -> tuple[float, float]:
    return box.x + box.width / 2, box.y


def _around(start: Box, end: Box, x: float) -> tuple[tuple[float, float], ...]:
    """Out of the right side, along a lane at `x`, into the right side."""
    leave, enter = start.y + start.height * 0.75, end.y + min(end.height / 4, 12.0)
    return ((start.x + start.width, leave), (x, leave), (x, enter), (end.x + end.width, enter))
