"""A random kernel as a tree of operations, so that it can be printed, and shrunk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Named = tuple[str, str]
"""A value: its name, with the `%`, and its type."""


@dataclass
class Region:
    """What is between braces: a line before, operations, a terminator; `label` begins a block (`^bb1`)."""

    nodes: list[Node] = field(default_factory=list["Node"])
    head: str = ""
    tail: str = ""

    def text(self, removed: frozenset[int], indent: str) -> str:
        """The lines, without the nodes in `removed`."""
        lines = [f"{indent}{self.head}"] if self.head else []
        lines += [text for node in self.nodes if (text := node.text_of(removed, indent))]
        lines += [f"{indent}{self.tail}"] if self.tail else []
        return "\n".join(lines)


@dataclass
class Node:
    """An operation; `{0}`, `{1}` in its text stand for its regions.  What it defines can become zeros, unless `kept`."""

    number: int
    text: str
    results: Sequence[Named] = ()
    regions: Sequence[Region] = ()
    kept: bool = False

    def text_of(self, removed: frozenset[int], indent: str) -> str:
        """The operation, or constants in the place of its results."""
        if self.number in removed:
            return "\n".join(f"{indent}{zero(name, type_)}" for name, type_ in self.results)
        text = self.text.replace("\n", "\n" + indent)
        for i, region in enumerate(self.regions):
            text = text.replace(f"<<{i}>>", "{\n" + region.text(removed, indent + "  ") + f"\n{indent}}}")
        return f"{indent}{text}"

    def walk(self) -> Iterator[Node]:
        """The node and all inside it."""
        yield self
        for region in self.regions:
            for node in region.nodes:
                yield from node.walk()


def zero(name: str, type_: str) -> str:
    """A definition of a value as zero."""
    inner = re.sub(r"vector<(?:\d+x)*(.*)>", r"\1", type_)
    value = "0.0" if "f" in inner and inner != "index" else "false" if type_ == "i1" else "0"
    if type_.startswith("vector"):
        return f"{name} = arith.constant dense<{'false' if inner == 'i1' else value}> : {type_}"
    return f"{name} = arith.constant {value}" + ("" if type_ == "i1" else f" : {type_}")


@dataclass
class Stored:
    """A value of a kernel that is compared: where it is written in the thread's part of the output."""

    type: str
    offset: int
    ulps: int = 0


@dataclass
class Kernel:
    """A kernel, the functions it calls, how it is launched, and what of its output means what."""

    name: str
    seed: str
    block: tuple[int, int, int]
    grid: int
    body: Region
    functions: list[Node] = field(default_factory=list[Node])
    globals: list[str] = field(default_factory=list[str])
    inputs: list[Stored] = field(default_factory=list[Stored])
    outputs: list[Stored] = field(default_factory=list[Stored])
    attributes: str = ""
    removed: frozenset[int] = frozenset()

    @property
    def threads(self) -> int:
        """The threads of the grid."""
        x, y, z = self.block
        return x * y * z * self.grid

    def nodes(self) -> Iterator[Node]:
        """Every operation."""
        for node in (*self.functions, *self.body.nodes):
            yield from node.walk()

    def text(self) -> str:
        """The kernel and what it needs, to stand in a `gpu.module`."""
        used = "\n".join(node.text_of(self.removed, "  ") for node in self.functions)
        body = self.body.text(self.removed, "    ")
        head = f"gpu.func @{self.name}({ARGUMENTS}) kernel{self.attributes} {{"
        return "\n".join(
            (*(f"  {line}" for line in self.globals), used, f"  {head}", body, "    gpu.return", "  }", "")
        )


IN, OUT, ROWS, ACCUMULATORS = "%in", "%out", "%rows", "%acc"
ROW = 16
"""Elements of i32 that a thread has for itself in global memory."""
SHARED_COUNTERS = 8
ARGUMENTS = f"{IN}: !llvm.ptr<1>, {OUT}: !llvm.ptr<1>, {ROWS}: memref<?x{ROW}xi32>, {ACCUMULATORS}: memref<{SHARED_COUNTERS}xi32>"
