"""The driver's functions on graphs, called with memory of this process: graphs drawn at random are what was built."""

from __future__ import annotations

import ctypes
from random import Random
from typing import Any

import pytest

import weft.gpu.driver as api
from weft.gpu.driver.runtime_table import RUNTIME
from weft.gpu.driver.state import Driver
from weft.gpu.driver.table import CALLS

ROOM = 64


class Caller:
    """Calls functions of one API on a driver of its own; `cells` are places for what they give."""

    def __init__(self, prefix: str) -> None:
        assert api.driver_calls()
        self.driver = Driver(ctypes.CDLL(None))
        self.prefix, self.table = prefix, CALLS if prefix == "cu" else RUNTIME
        self.cells = (ctypes.c_uint64 * 4)()

    def __call__(self, name: str, *words: int) -> None:
        assert self.table[self.prefix + name](self.driver, words) == 0, name

    def made(self, name: str, *words: int) -> int:
        """The handle that a function puts where its first argument points to."""
        self(name, ctypes.addressof(self.cells), *words)
        return self.cells[0]

    def row(self, name: str, *given: int, edges: bool = False, room: int = ROOM) -> list[Any]:
        """What a function puts into rows, of which it is told the room; and, without rows, how many there are."""
        rows = [(ctypes.c_uint64 * (ROOM + 1))(*[77] * (ROOM + 1)) for _ in range(1 + edges)]
        count = ctypes.c_uint64(0)
        nothing = [0] if name.endswith("_v2") else []  # No data of edges.
        self(name, *given, *[0] * len(rows), *nothing, ctypes.addressof(count))
        number = count.value
        count.value = room
        self(name, *given, *map(ctypes.addressof, rows), *nothing, ctypes.addressof(count))
        assert count.value == number
        assert all(cell == 77 for row in rows for cell in row[min(room, number) :])
        found = [list(row[: min(room, number)]) for row in rows]
        return list(zip(*found, strict=True)) if edges else found[0]


def pointers(values: list[int]) -> Any:
    return (ctypes.c_uint64 * max(1, len(values)))(*values)


@pytest.mark.parametrize("prefix", ["cu", "cuda"])
def test_graphs_are_what_was_built(prefix: str) -> None:
    for seed in range(8):
        random, call = Random(seed), Caller(prefix)
        graph = call.made("GraphCreate", 0)
        nodes: list[int] = []
        edges: set[tuple[int, int]] = set()
        for _ in range(random.randint(1, 9)):
            before = random.sample(nodes, random.randint(0, min(3, len(nodes))))
            row = pointers(before)
            nodes.append(call.made("GraphAddEmptyNode", graph, ctypes.addressof(row), len(before)))
            edges |= {(each, nodes[-1]) for each in before}
        more = [(a, b) for at, a in enumerate(nodes) for b in nodes[at + 1 :] if (a, b) not in edges]
        added = random.sample(more, min(2, len(more)))
        taken = random.sample(sorted(edges), min(2, len(edges)))
        for name, pairs in (("Add", added), ("Remove", taken)):
            sources, targets = (pointers([pair[side] for pair in pairs]) for side in (0, 1))
            call(f"Graph{name}Dependencies_v2", graph, *map(ctypes.addressof, (sources, targets)), 0, len(pairs))
        edges = edges | set(added) - set(taken)
        edges -= set(taken)
        if len(nodes) > 3:
            gone = nodes.pop(random.randrange(len(nodes)))
            call("GraphDestroyNode", gone)
            edges = {pair for pair in edges if gone not in pair}
        assert call.row("GraphGetNodes", graph) == nodes
        assert set(call.row("GraphGetRootNodes", graph)) == set(nodes) - {target for _, target in edges}
        assert sorted(call.row("GraphGetEdges_v2", graph, edges=True)) == sorted(edges)
        assert call.row("GraphGetNodes", graph, room=2) == nodes[:2]
        for node in nodes:
            assert set(call.row("GraphNodeGetDependencies_v2", node)) == {a for a, b in edges if b == node}
            assert set(call.row("GraphNodeGetDependentNodes_v2", node)) == {b for a, b in edges if a == node}
        copy = call.made("GraphClone", graph)
        cloned = {node: call.made("GraphNodeFindInClone", node, copy) for node in nodes}
        assert call.row("GraphGetNodes", copy) == [cloned[node] for node in nodes]
        assert set(call.row("GraphGetEdges_v2", copy, edges=True)) == {(cloned[a], cloned[b]) for a, b in edges}


def test_contexts_have_the_flags_that_they_are_given() -> None:
    """And none before."""
    call = Caller("cu")
    flags, active = call.cells[:2]
    places = ctypes.addressof(call.cells), ctypes.addressof(call.cells) + 8
    for given in (0, 1, 4):
        call("DevicePrimaryCtxSetFlags_v2", 0, given) if given else None
        call("DevicePrimaryCtxGetState", 0, *places)
        flags, active = (cell & 0xFFFF_FFFF for cell in call.cells[:2])
        assert (flags, active) == (given, 0)
