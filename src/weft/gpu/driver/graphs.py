"""Graphs: their nodes, and which of them come after which, in both APIs."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

from weft.gpu.driver import user_objects
from weft.gpu.driver.places import object_at
from weft.gpu.driver.runtime_table import both
from weft.gpu.driver.state import Driver, put, text_at
from weft.gpu.driver.status import INVALID_VALUE, OPERATING_SYSTEM, Refused
from weft.gpu.driver.table import without_edges
from weft.gpu.driver.work import Graph, Node

_INT, _UINT = ctypes.c_int, ctypes.c_uint


def handle_of(driver: Driver, thing: object) -> int:
    """The one handle of a graph or node."""
    found = driver.keep.get(f"handle {id(thing)}")
    if found is None:
        found = driver.keep[f"handle {id(thing)}"] = (driver.add(thing), thing)
    return found[0]


def nodes_at(driver: Driver, row: int, count: int) -> list[Node]:
    """The nodes whose handles lie in a row.  Raises Refused at the first that is none."""
    return [driver.get(object_at(ctypes.c_uint64, row + 8 * number).value, Node) for number in range(count)]


def put_nodes(driver: Driver, nodes: Sequence[Node], row: int, count: int) -> None:
    """Give handles of nodes where there is room for them, and their number."""
    room = object_at(ctypes.c_uint64, count).value if row else 0
    for number, node in enumerate(nodes[:room]):
        put(row + 8 * number, handle_of(driver, node))
    put(count, len(nodes))


@both("GraphCreate", "p u")
def _create(driver: Driver, out: int, flags: int) -> None:
    put(out, handle_of(driver, Graph()))


@both("GraphDestroy", "p")
def _destroy(driver: Driver, graph: int) -> None:
    found = driver.drop(graph, Graph)
    del driver.keep[f"handle {id(found)}"]
    user_objects.release(found.held)


@both("GraphClone", "p p")
def _clone(driver: Driver, out: int, graph: int) -> None:
    copy = driver.get(graph, Graph).copy()
    copy.held = user_objects.retain(copy.held)
    put(out, handle_of(driver, copy))


@both("GraphGetNodes", "p p p")
def _get_nodes(driver: Driver, graph: int, row: int, count: int) -> None:
    put_nodes(driver, driver.get(graph, Graph).nodes, row, count)


@both("GraphGetRootNodes", "p p p")
def _get_roots(driver: Driver, graph: int, row: int, count: int) -> None:
    put_nodes(driver, [node for node in driver.get(graph, Graph).nodes if not node.after], row, count)


@both("GraphGetEdges GraphGetEdges_v2", "p p p p p")
def _get_edges(driver: Driver, graph: int, sources: int, targets: int, edges: int, count: int) -> None:
    pairs = [(before, node) for node in driver.get(graph, Graph).nodes for before in node.after]
    room = object_at(ctypes.c_uint64, count).value if sources else 0
    for number, (before, node) in enumerate(pairs[:room]):
        put(sources + 8 * number, handle_of(driver, before))
        put(targets + 8 * number, handle_of(driver, node))
    put(count, len(pairs))


@both("GraphNodeGetDependencies GraphNodeGetDependencies_v2", "p p p p")
def _dependencies(driver: Driver, node: int, row: int, edges: int, count: int) -> None:
    put_nodes(driver, driver.get(node, Node).after, row, count)


@both("GraphNodeGetDependentNodes GraphNodeGetDependentNodes_v2", "p p p p")
def _dependents(driver: Driver, node: int, row: int, edges: int, count: int) -> None:
    found = driver.get(node, Node)
    every = found.graph.nodes if found.graph is not None else []
    put_nodes(driver, [other for other in every if found in other.after], row, count)


@both("GraphAddDependencies GraphAddDependencies_v2", "p p p p p")
def _add_dependencies(driver: Driver, graph: int, sources: int, targets: int, edges: int, count: int) -> None:
    pairs = list(zip(nodes_at(driver, sources, count), nodes_at(driver, targets, count), strict=True))
    if any(before is node or before.graph is not node.graph for before, node in pairs):
        raise Refused(INVALID_VALUE, "a node depends on itself or on a node of another graph")
    for before, node in pairs:
        node.after.append(before)


@both("GraphRemoveDependencies GraphRemoveDependencies_v2", "p p p p p")
def _remove_dependencies(driver: Driver, graph: int, sources: int, targets: int, edges: int, count: int) -> None:
    pairs = list(zip(nodes_at(driver, sources, count), nodes_at(driver, targets, count), strict=True))
    if any(before not in node.after for before, node in pairs):
        raise Refused(INVALID_VALUE, "the dependency to remove does not exist")
    for before, node in pairs:
        node.after.remove(before)


@both("GraphDestroyNode", "p")
def _destroy_node(driver: Driver, node: int) -> None:
    found = driver.drop(node, Node)
    driver.keep.pop(f"handle {id(found)}", None)
    if found.graph is not None:
        found.graph.nodes.remove(found)
        for other in found.graph.nodes:
            other.after = [before for before in other.after if before is not found]


@both("GraphNodeGetType", "p p")
def _type(driver: Driver, node: int, out: int) -> None:
    put(out, driver.get(node, Node).kind, _INT)


@both("GraphNodeFindInClone", "p p p")
def _in_clone(driver: Driver, out: int, node: int, graph: int) -> int:
    original = driver.get(node, Node)
    for found in driver.get(graph, Graph).nodes:
        if found.origin is original:
            put(out, handle_of(driver, found))
            return 0
    return INVALID_VALUE


@both("GraphDebugDotPrint", "p p u")
def _dot(driver: Driver, graph: int, path: int, flags: int) -> None:
    nodes = driver.get(graph, Graph).nodes
    numbers = {id(node): number for number, node in enumerate(nodes)}
    lines = [f'  n{numbers[id(node)]} [label="{_KINDS.get(node.kind, node.kind)}"];' for node in nodes]
    lines += [f"  n{numbers[id(before)]} -> n{numbers[id(node)]};" for node in nodes for before in node.after]
    try:
        Path(text_at(path)).write_text("digraph {\n" + "\n".join(lines) + "\n}\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise Refused(OPERATING_SYSTEM, f"the graph cannot be written: {error}") from None


_KINDS = {0: "kernel", 1: "memcpy", 2: "memset", 3: "host", 4: "graph", 5: "empty", 6: "wait", 7: "record"}

# -- nodes ------------------------------------------------------------------------------------------------------


@both("GraphNodeGetContainingGraph", "p p")
def _containing(driver: Driver, node: int, out: int) -> None:
    put(out, handle_of(driver, driver.get(node, Node).graph))


@both("GraphGetId GraphExecGetId GraphNodeGetLocalId", "p p")
def _identity(driver: Driver, thing: int, out: int) -> None:
    put(out, thing & 0x7FFF_FFFF, _UINT)


@both("DeviceGraphMemTrim", "i")
def _trim(driver: Driver, device: int) -> None:
    """What graphs allocate is theirs."""


for _name, _at in (
    *(("GraphGetEdges", 3), ("GraphAddDependencies", 3), ("GraphRemoveDependencies", 3)),
    *(("GraphNodeGetDependencies", 2), ("GraphNodeGetDependentNodes", 2)),
):
    without_edges(f"cu{_name}", _at)
