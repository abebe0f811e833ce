"""Graphs that can be launched: instantiated, changed in part, updated, run."""

from __future__ import annotations

import ctypes

from weft.dataclass import dataclass
from weft.gpu.driver import user_objects
from weft.gpu.driver.places import store
from weft.gpu.driver.runtime_table import both
from weft.gpu.driver.runtime_table import call as runtime_call
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE
from weft.gpu.driver.table import call
from weft.gpu.driver.work import CHILD, Graph, Node, Run, UserObject, submit

_INT, _UINT = ctypes.c_int, ctypes.c_uint
UPDATE_FAILURE, TOPOLOGY_CHANGED = 910, 2


@dataclass(slots=True, eq=False)
class Executable:
    """A graph that can be launched: its nodes in order, with what they did when it was made."""

    graph: Graph
    order: list[Node]
    runs: dict[int, Run]
    off: set[int]
    held: list[UserObject]

    def launch(self) -> int:
        """Do what the nodes do; the first status that is not success."""
        for run in self.graph.first:
            run()
        for node in self.order:
            status = 0 if id(node) in self.off else self.runs[id(node)]()
            if status:
                return status
        return 0

    def find(self, node: Node) -> int:
        """The key of a node, or of the one in this graph that it is a copy of, or that is a copy of it."""
        for own in self.order:
            if own is node or own is node.origin or own.origin is node:
                return id(own)
        raise KeyError(node)


def instantiate(graph: Graph) -> Executable | None:
    """What can be launched of a graph; None where its nodes go round in a circle."""
    try:
        order = graph.ordered()
    except ValueError:
        return None
    return Executable(graph, order, {id(node): node.run for node in order}, set(), user_objects.retain(graph.held))


@both("GraphNodeSetEnabled", "p p u")
def _enable(driver: Driver, executable: int, node: int, enabled: int) -> None:
    made = driver.get(executable, Executable)
    key = made.find(driver.get(node, Node))
    if enabled:
        made.off.discard(key)
    else:
        made.off.add(key)


@both("GraphNodeGetEnabled", "p p p")
def _enabled(driver: Driver, executable: int, node: int, out: int) -> None:
    made = driver.get(executable, Executable)
    put(out, int(made.find(driver.get(node, Node)) not in made.off), _UINT)


@both("GraphInstantiate GraphInstantiateWithFlags", "p p p")
def _instantiate_graph(driver: Driver, out: int, graph: int, flags: int) -> int:
    made = instantiate(driver.get(graph, Graph))
    if made is None:
        return INVALID_VALUE
    put(out, driver.add(made))
    return 0


@both("GraphInstantiateWithParams", "p p p")
def _instantiate_with(driver: Driver, out: int, graph: int, parameters: int) -> int:
    return _instantiate_graph(driver, out, graph, 0) or 0


@both("GraphExecDestroy", "p")
def _destroy_executable(driver: Driver, executable: int) -> None:
    user_objects.release(driver.drop(executable, Executable).held)


@both("GraphExecGetFlags", "p p")
def _flags(driver: Driver, executable: int, out: int) -> None:
    driver.get(executable, Executable)
    put(out, 0)


@both("GraphUpload", "p p")
def _upload(driver: Driver, executable: int, stream: int) -> None:
    driver.get(executable, Executable)


@both("GraphLaunch", "p p")
def _launch(driver: Driver, executable: int, stream: int) -> int:
    made = driver.get(executable, Executable)
    return submit(driver, stream, CHILD, made.launch, made.graph)


@call("cuGraphExecUpdate", "p p p p")
def _update_before(driver: Driver, executable: int, graph: int, error: int, result: int) -> int:
    status = _update(driver, executable, graph, 0) or 0
    put(error, 0)
    put(result, TOPOLOGY_CHANGED if status else 0, _INT)
    return status


@call("cuGraphExecUpdate_v2", "p p p")
@runtime_call("cudaGraphExecUpdate cudaGraphExecUpdate_v2", "p p p")
def _update(driver: Driver, executable: int, graph: int, result: int) -> int:
    made, other = driver.get(executable, Executable), driver.get(graph, Graph)
    mine, order = made.order, other.ordered()
    same = [node.kind for node in mine] == [node.kind for node in order]
    if result:
        store(result, bytes(24))
        put(result, 0 if same else TOPOLOGY_CHANGED, _INT)
    if not same:
        return UPDATE_FAILURE
    for node, new in zip(mine, order, strict=True):
        made.runs[id(node)] = new.run
    made.held += user_objects.retain(other.held)
    return 0
