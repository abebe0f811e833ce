"""Basic blocks and the control-flow graph of a function.

A block starts at a label that some branch names or after an instruction that may leave (`bra`, `brx.idx`, `ret`,
`exit`, `trap`, guarded or not); labels that only debug information uses start none.  A call returns, so it ends no
block; falling off the end of a body returns.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from weft.dataclass import dataclass
from weft.ptx.analysis.dominance import dominators, reverse_postorder
from weft.ptx.analysis.names import Scope, scoped_statements
from weft.ptx.ast import Function, Instruction, Label, Statement
from weft.ptx.directive_nodes import TargetList
from weft.ptx.operands import Symbol

_LEAVES = frozenset({"branch", "return", "exit", "trap"})


@dataclass(frozen=True, slots=True)
class Edge:
    """A way from one block to another, by index.

    `kind` is `next` (falls through), `jump` (unguarded `bra`), `taken` (guarded `bra`) or `table` (`brx.idx`).
    """

    source: int
    target: int
    kind: str


@dataclass(frozen=True, slots=True)
class BasicBlock:
    """Instructions that run one after another: `start` to `end` (exclusive) of the function's, in text order.

    `labels` are the names that are before it and that branches use.
    """

    index: int
    labels: tuple[str, ...]
    start: int
    end: int

    @property
    def name(self) -> str:
        """Its first label, or `#3` by its index."""
        return self.labels[0] if self.labels else f"#{self.index}"


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop: the block that every way in goes through, and the blocks that jump back to it."""

    header: int
    back: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ControlFlow:
    """The control-flow graph of a function; block 0 is the entry.

    `instructions` are all of the function's in text order, `scopes` the scope of each.  Branches to labels that do not
    exist have no edge (`weft.verify` reports them).
    """

    function: Function
    blocks: tuple[BasicBlock, ...]
    edges: tuple[Edge, ...]
    instructions: tuple[Instruction, ...]
    scopes: tuple[Scope, ...]

    def body(self, block: BasicBlock) -> tuple[Instruction, ...]:
        """The instructions of a block."""
        return self.instructions[block.start : block.end]

    @cached_property
    def successors(self) -> tuple[tuple[int, ...], ...]:
        """By block, the blocks that may follow it, without repetition."""
        found: list[dict[int, None]] = [{} for _ in self.blocks]
        for edge in self.edges:
            found[edge.source][edge.target] = None
        return tuple(map(tuple, found))

    @cached_property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """By block, the blocks that it may follow."""
        found: list[list[int]] = [[] for _ in self.blocks]
        for source, targets in enumerate(self.successors):
            for target in targets:
                found[target].append(source)
        return tuple(map(tuple, found))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The blocks that the entry reaches, in reverse postorder."""
        return reverse_postorder(self.successors)

    @cached_property
    def dominators(self) -> dict[int, int]:
        """The immediate dominator of each block that can be reached; the entry's is itself."""
        return dominators(self.order, self.predecessors)

    def dominates(self, above: int, block: int) -> bool:
        """Whether every way from the entry to `block` goes through `above`; False for what cannot be reached."""
        while block in self.dominators:
            if block == above:
                return True
            parent = self.dominators[block]
            if parent == block:
                return False
            block = parent
        return False

    @cached_property
    def retreating(self) -> tuple[tuple[int, int], ...]:
        """The edges that go against the order: (source, target), those to a loop's header and those of no loop."""
        place = {block: index for index, block in enumerate(self.order)}
        return tuple(
            (source, target)
            for source in self.order
            for target in self.successors[source]
            if place[target] <= place[source]
        )

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """The natural loops, by header in text order; loops that share a header are one."""
        found: dict[int, list[int]] = {}
        for source, target in self.retreating:
            if self.dominates(target, source):
                found.setdefault(target, []).append(source)
        return tuple(Loop(header, tuple(sorted(back))) for header, back in sorted(found.items()))

    @property
    def irreducible(self) -> bool:
        """Whether some cycle can be entered at more than one place."""
        return sum(len(loop.back) for loop in self.loops) < len(self.retreating)

    def loop_blocks(self, loop: Loop) -> frozenset[int]:
        """The blocks of a loop: those that reach a jump back without going through the header."""
        found = {loop.header}
        todo = list(loop.back)
        while todo:
            block = todo.pop()
            if block not in found:
                found.add(block)
                todo.extend(p for p in self.predecessors[block] if p in self.dominators)
        return frozenset(found)


def cfg(function: Function) -> ControlFlow:
    """The control-flow graph of a function; a declaration has one empty block."""
    instructions: list[Instruction] = []
    scopes: list[Scope] = []
    starts: list[int] = []
    labels: list[list[str]] = []
    open_ = False
    statements = list(scoped_statements(function))
    wanted = _names_of_targets(statement for _, statement in statements)
    for scope, statement in statements:
        if isinstance(statement, Label):
            if statement.name not in wanted:
                continue
            if not open_ or starts[-1] != len(instructions):
                starts.append(len(instructions))
                labels.append([])
                open_ = True
            labels[-1].append(statement.name)
            scope.labels.declare(statement.name, len(starts) - 1)
        elif isinstance(statement, Instruction):
            if not open_:
                starts.append(len(instructions))
                labels.append([])
            instructions.append(statement)
            scopes.append(scope)
            open_ = statement.opcode.effects.control not in _LEAVES
    starts = starts or [0]
    labels = labels or [[]]
    ends = [*starts[1:], len(instructions)]
    blocks = tuple(
        BasicBlock(i, tuple(names), start, end)
        for i, (names, start, end) in enumerate(zip(labels, starts, ends, strict=True))
    )
    edges = tuple(edge for block in blocks for edge in _leaving(block, instructions, scopes, len(blocks)))
    return ControlFlow(function, blocks, edges, tuple(instructions), tuple(scopes))


def _names_of_targets(statements: Iterable[Statement]) -> set[str]:
    """Every label that a branch or a branch table names."""
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, Instruction):
            if statement.opcode.effects.control == "branch":
                found.update(operand.name for operand in statement.operands if isinstance(operand, Symbol))
        elif isinstance(statement, TargetList) and statement.name == "branchtargets":
            found.update(_listed(statement))
    return found


def _listed(table: TargetList) -> list[str]:
    return list(dict.fromkeys(table.names))


def _leaving(block: BasicBlock, instructions: list[Instruction], scopes: list[Scope], count: int) -> list[Edge]:
    """The edges out of a block, those of its last instruction first."""
    found: list[Edge] = []
    falls = True
    if block.end > block.start:
        last = instructions[block.end - 1]
        control = last.opcode.effects.control
        if control in _LEAVES:
            falls = last.guard is not None
            if control == "branch":
                kind, names = _targets(last, scopes[block.end - 1])
                targets = (scopes[block.end - 1].labels.find(name) for name in names)
                found = [Edge(block.index, target, kind) for target in targets if target is not None]
    if falls and block.index + 1 < count:
        found.append(Edge(block.index, block.index + 1, "next"))
    return found


def _targets(branch: Instruction, scope: Scope) -> tuple[str, list[str]]:
    """How a branch gets on, and the labels that it may go to."""
    name = next((o.name for o in reversed(branch.operands) if isinstance(o, Symbol)), "")
    table = scope.tables.find(name)
    if isinstance(table, TargetList) and table.name == "branchtargets":
        return "table", _listed(table)
    return ("jump" if branch.guard is None else "taken"), [name]
