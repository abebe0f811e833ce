"""Where values are live in a function of basic blocks, for the coalescing of what their edges copy.

Positions are those of `weft.codegen.liveness`: even where operands are read, odd where results are written.  Every
edge has two of its own behind its block: what the copies on it read, and what they write.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import field
from math import inf

from weft.codegen.graph import Basic, Graph, Value
from weft.dataclass import dataclass

Interval = tuple[int, int]


@dataclass(slots=True)
class _Way:
    """An edge: the number of its target, its position, and its copies from values that may share a register."""

    target: int
    position: int
    to: int
    """The arguments that it writes, as bits."""
    sources: int


@dataclass(slots=True)
class _Part:
    """A basic block: its first and last position, and sets of values as bits."""

    begin: int
    end: int = 0
    arguments: int = 0
    uses: int = 0
    defines: int = 0
    live_in: int = 0
    live_out: int = 0
    ways: list[_Way] = field(default_factory=list[_Way])


class Flow:
    """The live intervals of values over the basic blocks of a function."""

    def __init__(self, graph: Graph, moved: Iterable[Value]) -> None:
        self._bits = {value: 1 << number for number, value in enumerate(moved)}
        self._numbers = {id(basic): number for number, basic in enumerate(graph.blocks)}
        self._parts: list[_Part] = []
        self._begins: list[int] = []
        self._around: dict[int, list[int]] = {}

    def begin(self, position: int) -> None:
        """The next block begins at a position."""
        self._parts.append(_Part(position))
        self._begins.append(position)

    def end(self, basic: Basic, position: int) -> int:
        """The block that was begun last ends at a position; the position after those of its edges."""
        part = self._parts[-1]
        part.end = position
        for edge in basic.edges:
            position += 2
            to = sources = 0
            for value, source in edge.copies:
                to |= self._bits.get(value, 0)
                if isinstance(source, Value):
                    sources |= self._bits.get(source, 0)
            part.ways.append(_Way(self._numbers[id(edge.target)], position, to, sources))
        return position

    def _number_at(self, position: int) -> int:
        return bisect_right(self._begins, position) - 1

    def _part_at(self, position: int) -> _Part | None:
        number = self._number_at(position)
        return self._parts[number] if number >= 0 else None

    def solve(self, defined: dict[Value, int], uses: dict[Value, list[int]]) -> None:
        """Find what is live where, from the positions of definitions and uses inside the blocks."""
        for part in self._parts:
            for way in part.ways:
                self._parts[way.target].arguments |= way.to
        for value, bit in self._bits.items():
            start = defined.get(value)
            home = self._part_at(start) if start is not None else None
            if home is not None:
                home.defines |= bit
            for position in uses.get(value, ()):
                part = self._part_at(position)
                if part is not None and part is not home:
                    part.uses |= bit
        # Sets of values are integers, a bit each: a round is a few operations a block.  Going backwards over blocks in
        # the order of the text, most functions settle in as many rounds as loops are nested.
        changed = True
        while changed:
            changed = False
            for part in reversed(self._parts):
                live_out = 0
                for way in part.ways:
                    target = self._parts[way.target]
                    # Arguments are written on the way, so they are not live before it, but what is copied to them is.
                    live_out |= target.live_in & ~target.arguments | way.sources
                live_in = part.uses | part.arguments | live_out & ~part.defines
                if live_out != part.live_out or live_in != part.live_in:
                    part.live_out, part.live_in = live_out, live_in
                    changed = True

        self._index()

    def on_way(self, basic: Basic, index: int) -> list[Value]:
        """The values that an edge of a block leaves live or copies."""
        way = self._parts[self._numbers[id(basic)]].ways[index]
        target = self._parts[way.target]
        bits = target.live_in & ~target.arguments | way.sources
        return [value for value, bit in self._bits.items() if bits & bit]

    def _index(self) -> None:
        """Note for each value the blocks that it is live in, or that write it on their edges."""
        for number, part in enumerate(self._parts):
            bits = part.live_in
            for way in part.ways:
                target = self._parts[way.target]
                bits |= way.to | target.live_in & ~target.arguments | way.sources
            while bits:
                low = bits & -bits
                self._around.setdefault(low, []).append(number)
                bits ^= low

    def intervals(self, value: Value, own: list[Interval], start: int | None, uses: list[int]) -> list[Interval]:
        """Where a value is live; `own` are its intervals inside the block that defines it, `uses` where it dies."""
        bit = self._bits[value]
        uses = sorted(uses)
        found: list[Interval] = []
        home = self._part_at(start) if start is not None else None
        if start is not None and home is None:  # It comes from in front of the blocks.
            found.append((start, self._begins[0] if self._parts[0].live_in & bit else max([start, *uses])))
        around = self._around.get(bit, [])
        if home is not None and start is not None:
            around = sorted({*around, self._number_at(start)})
        for number in around:
            part = self._parts[number]
            # Uses on the block's edges have positions behind its end, up to where the next block begins.
            limit = self._begins[number + 1] if number + 1 < len(self._begins) else inf
            inside = uses[bisect_left(uses, part.begin) : bisect_left(uses, limit)]
            if part is home and start is not None:
                # Writes apart from the definition, as on the other side of a branch inside the block, are intervals of
                # their own.
                found += [interval for interval in own if interval[0] < start or interval[0] > max([start, *inside])]
                found.append((start, part.end if part.live_out & bit else max([start, *inside])))
            elif part.live_in & bit:
                found.append((part.begin, part.end if part.live_out & bit else max([part.begin, *inside])))
            found += self._on_edges(part, bit)
        return found

    def _on_edges(self, part: _Part, bit: int) -> Iterable[Interval]:
        for way in part.ways:
            target = self._parts[way.target]
            if way.to & bit:
                # A copy on an edge writes one position after all copies on that edge read, because they happen at once.
                yield (way.position + 1, way.position + 1)
            if target.live_in & ~target.arguments & bit:
                # What is live past the edge must survive the copies' writes, too.
                yield (way.position, way.position + 1)
            elif way.sources & bit:
                yield (way.position, way.position)
