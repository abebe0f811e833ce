"""Liveness of registers, and the register pressure that it gives.

A register is live where its value may still be read.  A guarded instruction, and one that writes a component of a
vector, may leave the old value, so neither ends the life of what was there before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weft.dataclass import dataclass
from weft.ptx.analysis.access import registers
from weft.ptx.analysis.flow import BasicBlock, ControlFlow, cfg
from weft.ptx.analysis.names import DeclaredRegister
from weft.ptx.ast import Function, Instruction


@dataclass(frozen=True, slots=True)
class Pressure:
    """The most registers that are live at once, beside and at one instruction.

    `registers` counts 32-bit registers (a 64-bit value takes two, one of 16 bits or fewer takes one), `at` is the
    first instruction where so many are live (None when there are none); `predicates` counts predicates.  This is what
    the text needs before ptxas improves it, an estimate: ptxas rematerialises, reorders and packs.
    """

    registers: int
    at: Instruction | None
    predicates: int
    predicates_at: Instruction | None


@dataclass(frozen=True, eq=False)
class Liveness:
    """Which registers are live where, in a function's control-flow graph.

    `registers` are the function's, and sets of them are given as frozensets of declared registers; `live_in` and
    `live_out` hold, by block, a mask with bit n set for the n-th of `shared`, the registers that live across blocks.
    """

    flow: ControlFlow
    registers: tuple[DeclaredRegister, ...]
    shared: tuple[int, ...]
    live_in: tuple[int, ...]
    live_out: tuple[int, ...]
    pressure: Pressure

    def entering(self, block: int) -> frozenset[DeclaredRegister]:
        """The registers that are live at the start of a block."""
        return frozenset(self.registers[number] for number in members(self.live_in[block], self.shared))

    def leaving(self, block: int) -> frozenset[DeclaredRegister]:
        """The registers that are live at the end of a block."""
        return frozenset(self.registers[number] for number in members(self.live_out[block], self.shared))


@dataclass(slots=True)
class _Effect:
    """The registers of one instruction by number; `kills` are those it writes whole and always."""

    reads: list[int]
    writes: list[int]
    kills: list[int]


def liveness(function: Function, flow: ControlFlow | None = None) -> Liveness:
    """Solve liveness over the control-flow graph of a function (made here when it is not given)."""
    flow = flow or cfg(function)
    effects = list(_effects(flow))
    registers = flow.scopes[0].registers if flow.scopes else []
    uses, kills = _summaries(flow, effects)
    shared = tuple(sorted(set[int]().union(*uses)))  # Only what some block reads first can live across blocks.
    bit = {number: index for index, number in enumerate(shared)}
    use = [_mask(numbers, bit) for numbers in uses]
    kill = [_mask(numbers, bit) for numbers in kills]
    live_in, live_out = _solve(flow, use, kill)
    pressure = _pressure(flow, effects, registers, [list(members(mask, shared)) for mask in live_out])
    return Liveness(flow, tuple(registers), shared, tuple(live_in), tuple(live_out), pressure)


def _effects(flow: ControlFlow) -> Iterator[_Effect]:
    for instruction, scope in zip(flow.instructions, flow.scopes, strict=True):
        reads, writes = registers(instruction)
        find = scope.register
        read = [n for register in reads if (n := find(register)) is not None]
        kills: list[int] = []
        written: dict[int, None] = {}  # One register may stand twice in a vector.
        for register in writes:
            number = find(register)
            if number is not None:
                written[number] = None
                if instruction.guard is None and not register.member:
                    kills.append(number)
        yield _Effect(read, list(written), kills)


def _summaries(flow: ControlFlow, effects: list[_Effect]) -> tuple[list[set[int]], list[set[int]]]:
    """By block: what it reads before it writes it, and what it writes."""
    uses: list[set[int]] = []
    kills: list[set[int]] = []
    for block in flow.blocks:
        use: set[int] = set()
        kill: set[int] = set()
        for effect in effects[block.start : block.end]:
            use.update(number for number in effect.reads if number not in kill)
            kill.update(effect.kills)
        uses.append(use)
        kills.append(kill)
    return uses, kills


def _mask(numbers: set[int], bit: dict[int, int]) -> int:
    mask = 0
    for number in numbers:
        index = bit.get(number)
        if index is not None:
            mask |= 1 << index
    return mask


def members(mask: int, shared: Sequence[int]) -> Iterator[int]:
    """What the bits of a mask stand for."""
    while mask:
        low = mask & -mask
        yield shared[low.bit_length() - 1]
        mask ^= low


def _solve(flow: ControlFlow, use: list[int], kill: list[int]) -> tuple[list[int], list[int]]:
    """The least masks with in = use | (out & ~kill), out = the union of the successors' in."""
    count = len(flow.blocks)
    live_in, live_out = [0] * count, [0] * count
    reached = set(flow.order)
    waiting = [*(block for block in range(count) if block not in reached), *flow.order]  # taken from the end
    queued = [True] * count
    while waiting:
        block = waiting.pop()
        queued[block] = False
        out = 0
        for target in flow.successors[block]:
            out |= live_in[target]
        live_out[block] = out
        before = use[block] | (out & ~kill[block])
        if before != live_in[block]:
            live_in[block] = before
            for source in flow.predecessors[block]:
                if not queued[source]:
                    queued[source] = True
                    waiting.append(source)
    return live_in, live_out


def _pressure(
    flow: ControlFlow, effects: list[_Effect], registers: list[DeclaredRegister], live_out: list[list[int]]
) -> Pressure:
    words = [register.words for register in registers]
    predicate = [int(register.predicate) for register in registers]
    peaks = [_peak(block, effects, words, live_out[block.index]) for block in flow.blocks]
    most, at = max(peaks, key=lambda peak: (peak[0], -peak[1]), default=(0, -1))
    flags = [_peak(block, effects, predicate, live_out[block.index]) for block in flow.blocks]
    most_flags, flag_at = max(flags, key=lambda peak: (peak[0], -peak[1]), default=(0, -1))
    return Pressure(
        most, flow.instructions[at] if most else None, most_flags, flow.instructions[flag_at] if most_flags else None
    )


def _peak(block: BasicBlock, effects: list[_Effect], weight: list[int], live_out: list[int]) -> tuple[int, int]:
    """The greatest weight of what is live before an instruction, or after it with what it writes; the first such."""
    live = set(live_out)
    now = sum(weight[number] for number in live)
    most, at = 0, block.start
    for index in range(block.end - 1, block.start - 1, -1):
        effect = effects[index]
        after = now
        for number in effect.writes:
            if number not in live:  # Nothing reads it, but it has to be written somewhere.
                after += weight[number]
        for number in effect.kills:
            if number in live:
                live.remove(number)
                now -= weight[number]
        for number in effect.reads:
            if number not in live:
                live.add(number)
                now += weight[number]
        peak = max(after, now)
        if peak >= most:
            most, at = peak, index
    return most, at
