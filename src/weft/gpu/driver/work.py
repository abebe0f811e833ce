"""Work that is given to streams: done now, or kept as a node of the graph that the stream is captured into."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any

from weft.dataclass import dataclass
from weft.gpu.streams import Event, Stream

if TYPE_CHECKING:
    from weft.gpu.driver.state import Driver

NULL_STREAMS = (0, 1, 2)
"""The null stream, the legacy one and that of the thread."""

Run = Callable[[], int]


@dataclass(slots=True, eq=False)
class Node:
    """A node of a graph: what it does, after which others; `kind` is the number in `CUgraphNodeType`."""

    kind: int
    run: Run
    parameters: Any = None
    after: list[Node] = field(default_factory=list["Node"])
    origin: Node | None = None
    graph: Graph | None = None


KERNEL, MEMCPY, MEMSET, HOST, CHILD, EMPTY, WAIT_EVENT, RECORD_EVENT, ALLOC, FREE = 0, 1, 2, 3, 4, 5, 6, 7, 10, 11
MEMORY_OPERATION, CONDITIONAL = 12, 13


@dataclass(slots=True, eq=False)
class UserObject:
    """Memory of the host that graphs use: who gives the last of `count` references back calls the destructor on it."""

    value: int
    destructor: int
    count: int


class Graph:
    """Nodes, in the order in which they were added, and a reference to each user object, as often as it is held.

    `first` is done with each launch before the nodes.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.first: list[Run] = []
        self.held: list[UserObject] = []

    def add(self, node: Node) -> Node:
        """Take a node."""
        node.graph = self
        self.nodes.append(node)
        return node

    def ordered(self) -> list[Node]:
        """The nodes, each after those that it depends on.  Raises ValueError where they go round in a circle."""
        done: dict[int, Node] = {}
        rest = list(self.nodes)
        while rest:
            ready = [node for node in rest if all(id(before) in done for before in node.after)]
            if not ready:
                raise ValueError("the graph has a dependency cycle")
            done.update((id(node), node) for node in ready)
            rest = [node for node in rest if id(node) not in done]
        return list(done.values())

    def copy(self) -> Graph:
        """A clone, whose nodes know what they are copies of."""
        made = Graph()
        copies: dict[int, Node] = {}
        for node in self.nodes:
            copies[id(node)] = made.add(Node(node.kind, node.run, node.parameters, origin=node))
        for node in self.nodes:
            copies[id(node)].after = [copies[id(before)] for before in node.after]
        made.held = list(self.held)
        made.first = list(self.first)
        return made


@dataclass(slots=True, eq=False)
class Capture:
    """A stream that is being captured: the graph, which the program may hold already, and the stream's last nodes."""

    graph: Graph
    last: list[Node]
    number: int = 0
    origin: bool = True
    is_held: bool = False


def stream_of(driver: Driver, handle: int) -> Stream:
    """The stream of a handle.  Raises Refused for what is none."""
    return driver.device.default_stream if handle in NULL_STREAMS else driver.get(handle, Stream)


def capture_of(driver: Driver, handle: int) -> Capture | None:
    """The capture that a stream belongs to."""
    if not driver.captures:
        return None
    return driver.captures.get(stream_of(driver, handle))


def submit(driver: Driver, stream: int, kind: int, run: Run, parameters: Any = None) -> int:
    """Give a stream something to do; the status."""
    capture = capture_of(driver, stream)
    if capture is None:
        order, found = driver.device.order, stream_of(driver, stream)
        if kind != KERNEL:
            found.leave([])
        if order is None:
            return run()
        with order.on(found):
            return run()
    node = capture.graph.add(Node(kind, run, parameters, list(capture.last)))
    capture.last = [node]
    return 0


def record(driver: Driver, event: Event, stream: int) -> int:
    """Record an event: one in a captured stream is an edge of its graph."""
    capture = capture_of(driver, stream)
    if capture is not None:
        driver.captured_events[event] = (capture, list(capture.last))
        return 0
    driver.captured_events.pop(event, None)
    event.record(stream_of(driver, stream))
    return 0


def wait(driver: Driver, stream: int, event: Event) -> int:
    """Let a stream wait for an event: one of a captured stream draws it into the capture."""
    found = driver.captured_events.get(event)
    if found is None:
        stream_of(driver, stream).wait(event)
        return 0
    capture, nodes = found
    waiting = stream_of(driver, stream)
    own = driver.captures.get(waiting)
    if own is None:
        driver.captures[waiting] = Capture(capture.graph, nodes, capture.number, origin=False, is_held=capture.is_held)
    else:
        own.last += [node for node in nodes if node not in own.last]
    return 0
