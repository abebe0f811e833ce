"""What a run of PTX says of its instructions: how often each ran, and how often a turn of the loops around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft.ptx.analysis.flow import ControlFlow, cfg
from weft.ptx.analysis.sources import LineIndex
from weft.ptx.ast import Module
from weft.sim.counters import LineCount


@dataclass(frozen=True)
class Count:
    """An instruction of PTX: how often warps of 32 lanes ran it; 0 where it stands in code that never ran.

    `loops` are those around it, the inner ones first: how often each was entered.
    """

    opcode: str
    runs: float
    loops: tuple[float, ...] = ()

    def most(self, copies: int) -> float:
        """How often a block of machine code can run at most that has so many copies of it, by whole turns of a loop.

        Of the numbers of turns only the mean is known: they are taken to be the two next to it.
        """
        for entries in self.loops:
            whole = int(self.runs / entries + 1e-6) if entries > 0 else 0
            if whole + 1 >= copies:
                more = self.runs - whole * entries
                return (entries - more) * (whole // copies) + more * ((whole + 1) // copies)
        return 0.0 if self.loops else self.runs / copies

    @property
    def even(self) -> bool:
        """Whether every entry of the innermost loop seems to turn equally often."""
        turns = self.runs / self.loops[0] if self.loops and self.loops[0] > 0 else 0.0
        return abs(turns - round(turns)) < 1e-6

    @property
    def turns(self) -> float:
        """Of all the loops around, for each entry to the outermost."""
        return max((self.runs / entries for entries in self.loops if entries > 0), default=1.0)


def counts_of(module: Module, kernel: str, lines: Sequence[LineCount]) -> dict[int, Count]:
    """The counts of a kernel's instructions by their lines."""
    ran = {line.line: line.lanes / 32 for line in lines if line.function == kernel}
    index = LineIndex(module.source)
    flow = cfg(next(function for function in module.functions if function.name == kernel))
    at = [index.line(instruction.pos) for instruction in flow.instructions]
    runs = [max((ran.get(at[n], 0.0) for n in range(b.start, b.end)), default=0.0) for b in flow.blocks]
    entries: list[list[tuple[int, float]]] = [[] for _ in flow.blocks]
    for loop in flow.loops:
        inside = flow.loop_blocks(loop)
        outside = [source for source in flow.predecessors[loop.header] if source not in inside]
        entered = sum(_passed(flow, runs, source, loop.header) for source in outside)
        for block in inside:
            entries[block].append((len(inside), entered))
    found: dict[int, Count] = {}
    for block in flow.blocks:
        loops = tuple(entered for _, entered in sorted(entries[block.index]))
        for n in range(block.start, block.end):
            found[at[n]] = Count(flow.instructions[n].opcode.text, ran.get(at[n], 0.0), loops)
    return found


def _passed(flow: ControlFlow, runs: list[float], source: int, target: int) -> float:
    """How often a block went on to another."""
    others = [block for block in flow.successors[source] if block != target]
    if all(flow.predecessors[block] == (source,) for block in others):
        return runs[source] - sum(runs[block] for block in others)
    return min(runs[source], runs[target])
