"""What is live, and which values share a register.

Nothing here looks at each value's whole history: only values that copies would move (carried values, merges and what
they are made from) get live intervals, and a copy vanishes when the two sides' intervals are disjoint.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import field
from typing import Any

from weft.codegen.asm import Asm
from weft.codegen.flow import Flow
from weft.codegen.graph import Block, Graph, If, Inst, Loop, Value, While, values_in
from weft.codegen.joining import inside
from weft.dataclass import dataclass


class Marker:
    """Dead code elimination: marks the instructions that effects need, and collects the values in use."""

    def __init__(self, root: Block) -> None:
        self.used: set[Value] = set()
        self._sources: dict[Value, list[Any]] = {}
        self._work: list[Any] = []
        self._block(root)
        self._drain()

    def without(self, insts: Iterable[Inst], root: Block) -> None:
        """Find again what is needed, if these instructions are not."""
        for inst in insts:
            inst.effect = False
        self.used.clear()
        self._sources.clear()
        _unmark(root)
        self._block(root)
        self._drain()

    def _block(self, block: Block) -> None:
        for item in block.items:
            match item:
                case Inst():
                    if item.effect:
                        self._inst(item)
                case Loop():
                    self._work += [item.guard, item.again]
                    for carried in item.carried:
                        self._sources[carried.value] = [carried.start, carried.next]
                        if carried.result is not None:
                            self._sources[carried.result] = [carried.value]
                    if item.setup is not None:
                        self._block(item.setup)
                    self._block(item.body)
                case While():
                    self._work.append(item.test)
                    for carried in item.carried:
                        self._sources[carried.value] = [carried.start, carried.next]
                    for merge in item.results:
                        self._sources[merge.value] = merge.values
                    self._block(item.before)
                    self._block(item.after)
                case If():
                    self._work.append(item.test)
                    for merge in item.merges:
                        self._sources[merge.value] = merge.values
                    self._block(item.then)
                    self._block(item.otherwise)
                case Graph():
                    self._graph(item)

    def _graph(self, graph: Graph) -> None:
        for basic in graph.blocks:
            self._work += basic.tests
            for edge in basic.edges:
                for value, source in edge.copies:
                    self._sources.setdefault(value, []).append(source)
            self._block(basic.block)

    def _inst(self, inst: Inst) -> None:
        inst.live = True
        self._work += inst.args
        # CC.CF is no register and so no operand: whoever reads the flag keeps the instruction before it that sets it.
        if inst.carry is not None and not inst.carry.live:
            self._inst(inst.carry)
        self._work += [source for _, source in inst.ties]
        if inst.guard is not None:
            self._work.append(inst.guard)

    def _drain(self) -> None:
        work, used = self._work, self.used
        while work:
            operand = work.pop()
            values = (operand,) if type(operand) is Value else values_in(operand)
            for value in values:
                if value in used:
                    continue
                used.add(value)
                if value.inst is not None:
                    if not value.inst.live:
                        self._inst(value.inst)
                else:
                    # A carried value or a merge: what flows into it is needed only now that somebody reads it, so that
                    # values which a loop carries round for nothing vanish together with what makes them.
                    work += self._sources.get(value, ())


def _unmark(block: Block) -> None:
    for item in block.items:
        if isinstance(item, Inst):
            item.live = False
        for inner in inside(item):
            _unmark(inner)


@dataclass(slots=True)
class _Class:
    """Values in one register: disjoint intervals, sorted."""

    starts: list[int] = field(default_factory=list[int])
    ends: list[int] = field(default_factory=list[int])

    def clashes(self, other: _Class) -> bool:
        small, large = (self, other) if len(self.starts) <= len(other.starts) else (other, self)
        for start, end in zip(small.starts, small.ends, strict=True):
            # The large class is sorted and its intervals are disjoint: if one of them overlaps, the first that does not
            # end before this one begins does.
            at = bisect_left(large.ends, start)
            if at < len(large.starts) and large.starts[at] <= end:
                return True
        return False

    def absorb(self, other: _Class) -> None:
        for start, end in zip(other.starts, other.ends, strict=True):
            at = bisect_left(self.starts, start)
            self.starts.insert(at, start)
            self.ends.insert(at, end)


def find(value: Value) -> Value:
    """The value that stands for all values in the same register."""
    root = value
    while root.merged is not None:
        root = root.merged
    # Path compression: without it, chains of merged values of nested loops would make emitting quadratic.
    while value.merged is not None:
        value.merged, value = root, value.merged
    return root


def _kept_results(loop: While) -> set[Value]:
    """The results that are a carried value as it is when the loop is left: they stay in its register."""
    carried = {entry.value for entry in loop.carried}
    kept: set[Value] = set()
    for merge in loop.results:
        source = merge.values[0]
        if isinstance(source, Value) and source in carried:
            # If two results are the same carried value, only the first can stay in its register; the other is a copy.
            carried.discard(source)
            kept.add(merge.value)
    return kept


def _same(value: Value, source: Any) -> bool:
    """Whether a copy moves nothing."""
    return isinstance(source, Value) and find(source) is find(value)


_MANY = 8
"""Results of one instruction that the machine puts into registers in a row."""


def _is_of_many(value: Value) -> bool:
    """Whether a value stands in a row of many registers, where it had to stay if what merges with it were in its own:
    ptxas then runs out of registers for others, which a copy avoids.
    """
    return value.inst is not None and len(value.inst.outs) >= _MANY


def _place(use: tuple[int, Block | None]) -> int:
    return use[0]


class Coalescer:
    """Puts values that copies connect into one register where their intervals allow it.

    Positions are even where operands are read and odd where results are written.
    """

    def __init__(self, root: Block, used: set[Value]) -> None:
        self._used = used
        self._copies: list[tuple[Value, Value, Block]] = []
        self._same: list[tuple[Value, Value]] = []
        self._unstructured = False
        self._graph: Graph | None = None
        self._collect(root)
        # All other values keep registers of their own: ptxas allocates anew, so only copies saved here are instructions
        # saved.
        self._moved = {value for a, b, _ in self._copies for value in (a, b)} | {v for pair in self._same for v in pair}
        if not self._moved:
            return
        self._position = 0
        self._intervals: dict[Value, list[tuple[int, int]]] = {value: [] for value in self._moved}
        self._defined: dict[Value, int] = {}
        self._uses: dict[Value, list[tuple[int, Block]]] = {}
        self._ends: dict[Block, int] = {}
        self._sides: dict[Block, tuple[int, int, int]] = {}
        """By the second side of a branch: where the first one begins, where it does itself, and its end."""
        self._flow = Flow(self._graph, self._moved) if self._graph is not None else None
        self._walk(root)
        self._merge()
        if self._graph is not None:
            self._turn_early(self._graph)

    # -- which values copies connect ----------------------------------------------------------------------------

    def _copy(self, to: Value, source: Any, home: Block) -> None:
        if to in self._used and isinstance(source, Value):
            self._copies.append((to, source, home))

    def _collect(self, block: Block) -> None:
        for item in block.items:
            match item:
                case Loop() | While():
                    self._collect_loop(item, block)
                case If():
                    for merge in item.merges:
                        for value, home in zip(merge.values, (item.then, item.otherwise), strict=True):
                            self._copy(merge.value, value, home)
                    self._collect(item.then)
                    self._collect(item.otherwise)
                case Graph():
                    self._collect_graph(item)
                case Inst():
                    for out, source in item.ties:
                        self._copy(out, source, block)

    def _collect_loop(self, item: Loop | While, block: Block) -> None:
        inner = [item.body] if isinstance(item, Loop) else [item.before, item.after]
        for carried in item.carried:
            if carried.result is not None and carried.result in self._used:
                self._same.append((carried.value, carried.result))
            # Merging is greedy in the order of the copies: that of the latch runs in every iteration, that of the entry
            # once.
            self._copy(carried.value, carried.next, inner[0])
            self._copy(carried.value, carried.start, block)
        if isinstance(item, While):
            kept = _kept_results(item)
            for merge in item.results:
                if merge.value in kept and merge.value in self._used:
                    self._same.append((merge.values[0], merge.value))
                else:
                    self._copy(merge.value, merge.values[0], item.before)
        for body in inner:
            self._collect(body)

    def _collect_graph(self, item: Graph) -> None:
        if item.around is None:
            self._graph = item
        else:
            self._unstructured = True
        for basic in item.blocks:
            for edge in basic.edges if item.around is None else ():
                for value, source in edge.copies:
                    self._copy(value, source, basic.block)
            self._collect(basic.block)

    # -- intervals ----------------------------------------------------------------------------------------------

    def _read(self, operand: Any, block: Block) -> None:
        for value in values_in(operand):
            if value in self._moved:
                self._uses.setdefault(value, []).append((self._position, block))

    def _write(self, value: Value, *, early: bool = False) -> None:
        """A result; an `early` one may be written while operands are still to be read."""
        if value in self._moved:
            start = self._position + (0 if early else 1)
            self._defined.setdefault(value, start)
            self._intervals[value].append((start, self._position + 1))

    def _walk(self, block: Block) -> None:
        for item in block.items:
            self._position += 2
            match item:
                case Inst():
                    if item.live:
                        self._walk_instruction(item, block)
                case Loop():
                    self._walk_loop(item, block)
                case While():
                    self._walk_while(item, block)
                case If():
                    self._walk_branches(item, block)
                case Graph():
                    self._walk_graph(item)

    def _walk_instruction(self, item: Inst, block: Block) -> None:
        for operand in item.args:
            if not isinstance(operand, int):
                self._read_sources(operand, item, block)
        # What an instruction changes in place is copied there before its other operands are read.
        early = isinstance(item, Asm) or bool(item.ties)
        self._position -= early  # What is tied to an early result is read before it is written.
        for _, source in item.ties:
            self._read(source, block)
        self._position += early
        if item.guard is not None:
            self._read(item.guard, block)
        for value in item.outs:
            self._write(value, early=early)

    def _walk_loop(self, item: Loop, block: Block) -> None:
        first, second = item.entered()
        self._enter(first, block)
        self._position += 2
        self._read(item.guard, block)
        if item.setup is not None:
            self._walk(item.setup)
            self._position += 2
            self._enter(second, item.setup)
        self._walk(item.body)
        self._latch(item.carried, item.again, item.body)
        self._ends[item.body] = self._position
        for carried in item.carried:
            if carried.result is not None:
                self._write(carried.result)

    def _walk_while(self, item: While, block: Block) -> None:
        self._enter(item.carried, block)
        self._walk(item.before)
        self._position += 2
        self._read(item.test, item.before)
        for merge in item.results:
            self._read(merge.values[0], item.before)
        kept = _kept_results(item)
        for merge in item.results:
            # The way out is taken here, before `after` in the text: without the mark, a register that is live here
            # could become the result's, and the copy would overwrite it.
            if merge.value not in kept:
                self._mark(merge.value)
        self._walk(item.after)
        self._latch(item.carried, None, item.after)
        self._ends[item.before] = self._position
        for merge in item.results:
            self._write(merge.value)

    def _walk_branches(self, item: If, block: Block) -> None:
        self._read(item.test, block)
        begins: list[int] = []
        for index, branch in enumerate((item.then, item.otherwise)):
            begins.append(self._position + 2)
            self._walk(branch)
            self._position += 2
            for merge in item.merges:
                self._read(merge.values[index], branch)
            for merge in item.merges:
                # The value is defined where both sides meet, which in the text is the end of the second side; the copy
                # at the end of the first is a write apart from its interval.
                if index:
                    self._write(merge.value)
                else:
                    self._mark(merge.value)
        self._sides[item.otherwise] = begins[0], begins[1], self._position

    def _walk_graph(self, item: Graph) -> None:
        for basic in item.blocks:
            flow = self._flow if item is self._graph else None
            if flow is not None:
                self._position += 2
                flow.begin(self._position)
            self._walk(basic.block)
            self._position += 2
            for test in basic.tests:
                self._read(test, basic.block)
            if flow is not None:
                self._position = flow.end(basic, self._position)
                continue
            for edge in basic.edges:
                for value, source in edge.copies:
                    self._read(source, basic.block)
                    # Graphs inside structured code have no `Flow`: the entry in `_ends` extends every use of a value
                    # from outside to the end of the graph.
                    if item.around is not None:
                        self._write(value)
        if item.around is not None:
            self._ends[item.around] = self._position

    def _read_sources(self, operand: Any, inst: Inst, block: Block) -> None:
        for value in values_in(operand):
            if value in self._moved and value not in inst.outs:
                self._uses.setdefault(value, []).append((self._position, block))

    def _mark(self, value: Value) -> None:
        """A write of a value that is not live in what follows in the text, but elsewhere."""
        if value in self._moved:
            self._intervals[value].append((self._position + 1, self._position + 1))

    def _enter(self, carried: list[Any], block: Block) -> None:
        for entry in carried:
            self._read(entry.start, block)
        for entry in carried:
            self._write(entry.value)

    def _latch(self, carried: list[Any], again: Any, body: Block) -> None:
        # All next values are read before any carried register is written: the copies between them are parallel.
        self._position += 2
        for entry in carried:
            self._read(entry.next, body)
        for entry in carried:
            self._mark(entry.value)
        self._position += 2
        self._read(again, body)

    # -- merging ------------------------------------------------------------------------------------------------

    def _merge(self) -> None:
        classes: dict[Value, _Class] = {}
        dying = {value: [self._last(value, use) for use in uses] for value, uses in self._uses.items()}
        if self._flow is not None:
            self._flow.solve(self._defined, dying)
        for value, marks in self._intervals.items():
            start = self._defined.get(value)
            intervals = list(marks)
            uses = dying.get(value, [])
            if self._flow is not None:
                intervals = self._flow.intervals(value, marks, start, uses)
            elif start is not None:
                # Structured code needs no sets of live values: a value lives from its definition to its last use, where
                # a use inside a loop counts as one at the loop's end (`_last`).  Marks are writes elsewhere.
                blocks: Any = (block for _, block in self._uses.get(value, ()))
                if _is_of_many(value):
                    lived = [(start, max(uses, default=start))]
                else:
                    lived = self._lived(start, list(zip(uses, blocks, strict=True)))
                intervals = [mark for mark in marks if not any(a <= mark[0] <= b for a, b in lived)] + lived
            intervals.sort()
            classes[value] = _Class([a for a, _ in intervals], [b for _, b in intervals])
        # What must share a register is joined before what may, so that no copy that could vanish takes its place.
        for a, b in self._same:
            a, b = find(a), find(b)
            if a is not b:
                self._join(a, b, classes)
        for to, source, home in self._copies:
            if to.cls == source.cls and self._allowed(source, home):
                a, b = find(to), find(source)
                if a is not b and not classes[a].clashes(classes[b]):
                    self._join(a, b, classes)

    def _lived(self, start: int, uses: list[tuple[int, Block | None]]) -> list[tuple[int, int]]:
        """Where a value of structured code lives that is written at `start` and dies at the last of these places.

        What dies on the second side of a branch does not live on the first one behind its last use there.
        """
        last, block = max(uses, key=_place, default=(start, None))
        side = self._second_side(start, last, block)
        if side is None:
            return [(start, max(start, last))]
        first, second, _ = self._sides[side]
        before = [use for use in uses if use[0] < second]
        # On its way to the second side it lives up to the branch.
        before.append((first - 2, side.parent))
        return [*self._lived(start, before), *self._lived(second, [use for use in uses if use[0] >= second])]

    def _second_side(self, start: int, last: int, block: Block | None) -> Block | None:
        """The second side of the outermost branch in which a value dies that was written before it.

        What the second side hands on may be copied at the end of the first one: a value that dies there does not live
        on the second.
        """
        found: Block | None = None
        while block is not None:
            first, second, end = self._sides.get(block, (0, 0, 0))
            if start < first and second <= last <= end:
                found = block
            block = block.parent
        return found

    def _turn_early(self, graph: Graph) -> None:
        """Let the copies of a loop's next turn be done before the branch that ends it, where it may."""
        numbers = {id(basic): number for number, basic in enumerate(graph.blocks)}
        for number, basic in enumerate(graph.blocks):
            if len(basic.edges) != 2 or basic.edges[0].target is basic.edges[1].target:
                continue
            for index, edge in enumerate(basic.edges):
                written = [value for value, source in edge.copies if value in self._used and not _same(value, source)]
                if not written or numbers[id(edge.target)] > number or not self._moved.issuperset(written):
                    continue
                # The copies then run on the other edge, too: nothing live there, nor the test itself, may be in their
                # registers.
                kept = [*self._flow.on_way(basic, 1 - index), *values_in(basic.tests[0])] if self._flow else []
                edge.early = {find(value) for value in written}.isdisjoint(map(find, kept))

    def _allowed(self, source: Value, home: Block) -> bool:
        if not self._unstructured:
            return True
        block: Block | None = source.block
        while block is not None and block is not home:
            block = block.parent
        return block is home and home.parent is not None

    @staticmethod
    def _join(a: Value, b: Value, classes: dict[Value, _Class]) -> None:
        """Put two values that stand for different classes, and theirs, into one."""
        # The smaller class moves, so an interval moves at most log n times.
        if len(classes[a].starts) < len(classes[b].starts):
            a, b = b, a
        classes[a].absorb(classes.pop(b))
        b.merged = a

    def _last(self, value: Value, use: tuple[int, Block]) -> int:
        """Where the value dies: its use, or the end of the outermost loop around the use that does not define it."""
        position, block = use
        for body in block.loops:
            end = self._ends.get(body)  # None for loops of basic blocks, which `Flow` knows.
            if end is not None and body not in value.block.loops:
                return max(position, end)
        return position


def forget(block: Block) -> None:
    """Part what instructions and their results know of each other, so that they vanish without the collector."""
    for item in block.items:
        match item:
            case Inst():
                for value in item.outs:
                    value.inst = value.form = value.bytes = value.sum = None
            case Loop():
                if item.setup is not None:
                    forget(item.setup)
                forget(item.body)
            case While():
                forget(item.before)
                forget(item.after)
            case If():
                forget(item.then)
                forget(item.otherwise)
            case Graph():
                for basic in item.blocks:
                    forget(basic.block)
    block.items.clear()
    block.known.clear()
