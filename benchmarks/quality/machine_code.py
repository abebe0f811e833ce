"""Machine code as basic blocks, and how often each of them runs.

The simulator counts how often each PTX instruction runs, and the line table says which machine instructions come from
it. The counts of the blocks are the cheapest flow through the machine code's graph that agrees with what is known of
single instructions: those that ptxas neither drops nor shares (stores, barriers, shuffles, atomics, products) count
much, loads and arithmetic that becomes one machine instruction count a little. Where ptxas has unrolled a loop, the
flow takes the unrolled copy as often as the turns of each entry to the loop allow.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from quality.ptx_counts import Count
from weft.tracing.lines import PTX_LINES, Row, line_table
from weft.tracing.machine import Code, Instruction, read_machine

_TARGETS = re.compile(r"BRANCH_TARGETS ([^\"*]*)")
_CALLED = re.compile(r"`\(([^)]*)\)")
_EFFECTS = re.compile(
    r"(STG|STS|ST|ATOM|ATOMG|ATOMS|RED|REDG|BAR|SHFL|VOTE|MATCH|LDGSTS|LDSM|STSM|REDUX|[HIDQ]MMA|\w+GMMA)$"
)
_LOADS = re.compile(r"(LDG|LDS|LDL|LD)$")
_DIVISION = re.compile(r"(div|rem)\.[su]64")
"""What ptxas makes a call of, which has no faster way beside it."""
_ONE = (
    (re.compile(r"fma\.\w+(\.ftz)?\.f32"), "FFMA"),
    (re.compile(r"(add|sub)(\.\w+)?(\.ftz)?\.f32"), "FADD"),
    (re.compile(r"mul(\.\w+)?(\.ftz)?\.f32"), "FMUL"),
    (re.compile(r"fma\.\w+\.f64"), "DFMA"),
    (re.compile(r"(add|sub)(\.\w+)?\.f64"), "DADD"),
    (re.compile(r"mul(\.\w+)?\.f64"), "DMUL"),
    (re.compile(r"(ex2|lg2|rcp|rsqrt|sin|cos|tanh)\.approx"), "MUFU"),
    (re.compile(r"popc\.b32"), "POPC"),
    (re.compile(r"mul\.wide\.[su]32"), "IMAD.WIDE"),
    (re.compile(r"(shl|shr)\.[bsu]32|shf"), "SHF"),
    (re.compile(r"(and|or|xor|lop3)\.b32"), "LOP3"),
    (re.compile(r"setp\..*f32"), "FSETP"),
    (re.compile(r"setp\..*([sub]32|[sub]16|[sub]64)$"), "ISETP"),
    (re.compile(r"bra\b"), "BRA"),
)
"""PTX opcodes that become one machine instruction, and which."""
_JUDGED_ONCE = ("ISETP", "BRA")
"""What ptxas writes once for all copies of a loop's turn that it has made."""
_HEAVY, _LIGHT, _LIGHTEST = 1.0, 0.1, 0.02
_TIE = 1e-7


@dataclass
class Block:
    """Instructions `first` to `last`, the blocks behind, and the block of what is called at its end."""

    first: int
    last: int
    after: list[int] = field(default_factory=list)
    leaves: bool = False
    calls: int | None = None


@dataclass
class Executed:
    """What a kernel's machine code did: each block's instructions and how often warps of 32 lanes ran it.

    `misfit` is the part of the known counts that the counts of the blocks do not explain.
    """

    code: Code
    blocks: list[Block]
    counts: list[float]
    misfit: float

    def instructions(self) -> Iterator[tuple[Instruction, float]]:
        """Every instruction with how often it ran."""
        for block, count in zip(self.blocks, self.counts, strict=True):
            for number in range(block.first, block.last + 1):
                if not self.code.instructions[number].opcode.startswith("NOP"):
                    yield self.code.instructions[number], count

    @property
    def total(self) -> float:
        """Instructions executed."""
        return sum(count for _, count in self.instructions())


def _conditional(one: Instruction) -> bool:
    return one.guard not in ("", "@PT", "@UPT") or bool(re.match(r"!?U?P\d|.*\bP\d,|UR\d+,", one.operands))


def _leaders(code: Code) -> list[int]:
    leaders = {0, *code.entries.values(), *code.labels}
    for number, one in enumerate(code.instructions):
        stem = one.opcode.partition(".")[0]
        if stem in ("BRA", "BRX", "BRXU", "JMP", "JMX", "EXIT", "RET", "CALL"):
            leaders |= {number + 1, *([one.target] if one.target is not None else [])}
    return sorted(leader for leader in leaders if leader < len(code.instructions))


def blocks_of(code: Code) -> list[Block]:
    """The basic blocks of a function of machine code."""
    leaders = _leaders(code)
    at = {leader: index for index, leader in enumerate(leaders)}
    by_label = {label: number for number, label in code.labels.items()}
    blocks = [Block(a, b - 1) for a, b in zip(leaders, [*leaders[1:], len(code.instructions)], strict=True)]
    for index, block in enumerate(blocks):
        last = code.instructions[block.last]
        stem, falls = last.opcode.partition(".")[0], True
        if stem in ("EXIT", "RET"):
            block.leaves, falls = True, _conditional(last)
        elif stem in ("BRX", "BRXU", "JMX"):
            names = _TARGETS.search(last.operands)
            block.after = [at[by_label[name]] for name in (names[1].split(",") if names else ()) if name in by_label]
            falls = False
        elif stem == "CALL":
            name = _CALLED.search(last.operands)
            if name and name[1] in by_label:  # A jump out of a loop may be written so.
                block.after, falls = [at[by_label[name[1]]]], _conditional(last)
            else:
                block.calls = at.get(code.entries.get(name[1], -1)) if name else None
        elif stem in ("BRA", "JMP"):
            block.after = [at[last.target]] if last.target is not None else []
            falls = _conditional(last) or last.target is None
        if falls and index + 1 < len(blocks) and index + 1 not in block.after:
            block.after.append(index + 1)
    return blocks


def _row_lines(rows: list[Row], code: Code) -> list[int]:
    """The PTX line of each instruction, 0 where it is not known."""
    lines: list[int] = []
    at = -1
    for one in code.instructions:
        while at + 1 < len(rows) and rows[at + 1].address <= one.address:
            at += 1
        lines.append(rows[at].line if at >= 0 else 0)
    return lines


def _weight(machine: Instruction, ptx: str) -> float:
    """How much the count of a PTX instruction says of the machine instructions of it; 0 for nothing."""
    stem = machine.opcode.partition(".")[0]
    if _EFFECTS.match(stem) and not ptx.startswith("wmma"):
        return _HEAVY
    if (stem == "STL" and ptx.startswith("st")) or (stem == "CALL" and _DIVISION.match(ptx)):
        return _HEAVY
    if _LOADS.match(stem) and ptx.startswith(("ld", "tex")):
        return _LIGHT
    long = stem == "ISETP" and ptx.endswith("64")  # Of the two instructions of 64 bits the last one counts.
    if long != (".EX" in machine.opcode):
        return 0.0
    named = any(name in (stem, machine.opcode[: len(name)]) and pattern.match(ptx) for pattern, name in _ONE)
    return _LIGHTEST if named else 0.0


class _Fit:
    """The linear program: a variable for each block, edge and deviation."""

    def __init__(self) -> None:
        self.costs: list[float] = []
        self.most: list[float | None] = []
        self.entries: list[tuple[int, int, float]] = []
        self.right: list[float] = []

    def variable(self, cost: float = 0.0) -> int:
        self.costs.append(cost)
        self.most.append(None)
        return len(self.costs) - 1

    def limit(self, variable: int, most: float) -> None:
        known = self.most[variable]
        self.most[variable] = most if known is None else min(known, most)

    def equation(self, terms: list[tuple[int, float]], right: float) -> None:
        self.entries += [(len(self.right), variable, factor) for variable, factor in terms]
        self.right.append(right)

    def solve(self) -> Any:
        rows, columns, factors = zip(*self.entries, strict=True)
        matrix = coo_array((factors, (rows, columns)), shape=(len(self.right), len(self.costs))).tocsr()
        bounds = [(0, most) for most in self.most]
        done = linprog(np.array(self.costs), A_eq=matrix, b_eq=np.array(self.right), bounds=bounds, method="highs")
        if done.x is None:
            raise ValueError(f"no flow explains the counts: {done.message}")
        return done.x


def executed(cubin: bytes, kernel: str, known: dict[int, Count], threads: int) -> Executed:
    """How often each instruction of a kernel ran, by the counts of its PTX instructions in a run of `threads` threads.

    The cubin was assembled with `-lineinfo` from the text that was run.
    """
    code = read_machine(cubin).functions[kernel]
    blocks = blocks_of(code)
    lines = _row_lines(line_table(cubin, PTX_LINES).get(kernel, []), code)
    places = _places(code, blocks, lines, known)
    try:
        return _fitted(code, blocks, places, known, threads / 32, sharp=True)
    except ValueError:  # ptxas has doubled instructions, which then were no copies of a turn.
        return _fitted(code, blocks, places, known, threads / 32, sharp=False)


def _fitted(
    code: Code, blocks: list[Block], places: _Places, known: dict[int, Count], entries: float, *, sharp: bool
) -> Executed:
    """The counts that agree best; with `sharp`, what is not sure limits how often copies of a turn ran."""
    fit = _Fit()
    runs = [fit.variable(_TIE * (block.last - block.first + 1)) for block in blocks]
    edges = _flow(fit, blocks, runs, entries)
    deviations, total = _observed(fit, places, runs, known, sharp=sharp)
    _enter(fit, blocks, edges, runs, places, known)
    found = fit.solve()
    misfit = sum(found[v] for v in deviations) / total if total else 0.0
    return Executed(code, blocks, [float(found[v]) for v in runs], misfit)


def _flow(fit: _Fit, blocks: list[Block], runs: list[int], entries: float) -> dict[tuple[int, int], int]:
    """Say that what goes in comes out; the variable of each edge."""
    into: dict[int, list[tuple[int, float]]] = defaultdict(list)
    edges: dict[tuple[int, int], int] = {}
    for index, block in enumerate(blocks):
        out = [fit.variable() for _ in block.after]
        for edge, target in zip(out, block.after, strict=True):
            into[target].append((edge, 1.0))
            edges[index, target] = edge
        if block.calls is not None:
            into[block.calls].append((runs[index], 1.0))
        leaving = [(fit.variable(), 1.0)] if block.leaves or not out else []
        fit.equation([*((edge, 1.0) for edge in out), *leaving, (runs[index], -1.0)], 0.0)
    for index in range(len(blocks)):
        fit.equation([*into[index], (runs[index], -1.0)], -entries if index == 0 else 0.0)
    return edges


_Places = dict[tuple[int, str], list[tuple[int, Instruction, float]]]
"""By a line of PTX and an opcode, the machine instructions: their block, themselves, what their count is worth."""


def _places(code: Code, blocks: list[Block], lines: list[int], known: dict[int, Count]) -> _Places:
    places: _Places = defaultdict(list)
    for index, block in enumerate(blocks):
        for number in range(block.first, block.last + 1):
            one, count = code.instructions[number], known.get(lines[number])
            weight = _weight(one, count.opcode) if count is not None else 0.0
            if weight:
                places[lines[number], one.opcode.partition(".")[0]].append((index, one, weight))
    return places


def _enter(
    fit: _Fit, blocks: list[Block], edges: dict[tuple[int, int], int], runs: list[int], places: _Places,
    known: dict[int, Count],
) -> None:  # fmt: skip
    """Say that a loop turns no more often for each entry than the PTX's loops do: no flow goes round by itself."""
    for source, header in edges:
        if header > source:
            continue
        turns = 0.0
        for (line, _), copies in places.items():
            if any(header <= index <= source for index, _, _ in copies):
                turns = max(turns, known[line].turns)
        entering = [(edge, -turns) for (a, b), edge in edges.items() if b == header and not header <= a <= source]
        if turns and header:
            fit.equation([(runs[header], 1.0), *entering, (fit.variable(), 1.0)], 0.0)


def _observed(
    fit: _Fit, places: _Places, runs: list[int], known: dict[int, Count], *, sharp: bool
) -> tuple[list[int], float]:
    """Say what is known of single instructions; the deviations of the sure ones, and their counts in all."""
    deviations: list[int] = []
    total = 0.0
    for (line, stem), copies in places.items():
        weight, count = copies[0][2], known[line].runs
        below = fit.variable(weight)
        guarded = any(one.guard and not one.opcode.startswith("BRA") for _, one, _ in copies)
        above = fit.variable(weight * (0.01 if guarded else 1.0))
        summed: dict[int, float] = defaultdict(float)
        sure: dict[int, int] = defaultdict(int)
        for index, one, _ in copies:
            summed[runs[index]] += 1.0
            sure[runs[index]] += not one.guard
        fit.equation([*summed.items(), (below, 1.0), (above, -1.0)], count)
        # Outside of loops nothing is a copy: an instruction of PTX may become two of machine code.
        copied = weight >= _LIGHT or (known[line].even and stem not in _JUDGED_ONCE)
        limits = sharp and copied and bool(known[line].loops)
        for run, number in sure.items() if limits else ():
            if number > 1:
                fit.limit(run, known[line].most(number))
        if weight == _HEAVY:
            deviations += [below, *([] if guarded else [above])]
            total += count
    return deviations, total
