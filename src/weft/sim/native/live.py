"""Which registers are needed where: backwards over the instructions of an activation, until nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from weft.sim import semantics
from weft.sim.block import Block
from weft.sim.definite import successors, uses_of
from weft.sim.registers import Row
from weft.sim.reuse import LATE
from weft.sim.site import Site

if TYPE_CHECKING:
    from weft.sim.program import Activation

_WHOLE = ("mov", "ld", "ldu", "atom")


class Lives:
    """The registers that are read before they are written, at every instruction: sets of rows as bits.

    `numbers` are those of instructions, by identity.
    """

    def __init__(self, activation: Activation) -> None:
        self.activation = activation
        self._bits: dict[int, int] = {}
        sites = activation.sites
        rows = activation.names.rows
        late = (uses_of(site) for site in sites if site.opcode.stem.startswith(LATE))
        always = [row for uses in late for row in (*uses.reads, *uses.writes)]  # They are read at any time.
        always += [activation.carry, *(rows[p.name] for p in activation.function.returns if p.name in rows)]
        self._always = self._mask(always)
        self.numbers = {id(site): number for number, site in enumerate(sites)}
        effects = [self._effects(site) for site in sites]
        before = [0] * (len(sites) + 1)
        ways = [successors(activation, site, index) for index, site in enumerate(sites)]
        changed = True
        while changed:
            changed = False
            for index in reversed(range(len(sites))):
                targets, falls = ways[index]
                live = before[index + 1] if falls else 0
                for target in targets:
                    live |= before[target]
                reads, kills = effects[index]
                live = reads | (live & ~kills)
                changed = changed or live != before[index]
                before[index] = live
        self._before = before

    def _mask(self, rows: Iterable[Row]) -> int:
        word = 0
        for row in rows:
            word |= 1 << self._bits.setdefault(id(row), len(self._bits))
        return word

    def _effects(self, site: Site) -> tuple[int, int]:
        """What an instruction reads, and what it certainly replaces: what is not sure to be written counts as read."""
        uses = uses_of(site)
        reads, writes = self._mask((*uses.guards, *uses.reads)), self._mask(uses.writes)
        if site.opcode.stem in semantics.ALU or site.opcode.stem in _WHOLE:
            return reads, 0 if site.instruction.guard is not None else writes
        return reads | writes, 0

    def _needs(self, live: int) -> Callable[[int], bool]:
        live |= self._always
        return lambda row: row in self._bits and bool(live >> self._bits[row] & 1)

    def before(self, *blocks: Block) -> Callable[[int], bool]:
        """What says whether a row, by its identity, is needed where one of the blocks starts."""
        live = 0
        for block in blocks:
            number = block.order & 0xFFFF_FFFF
            live |= self._before[(number >> 1) + (number & 1 if not block.sites else 0)]  # Odd: behind an instruction.
        return self._needs(live)

    def unused_after(self, site: Site, row: Row) -> bool:
        """Whether nothing needs a register behind an instruction that does not end a block."""
        return not self._needs(self._before[self.numbers[id(site)] + 1])(id(row))

    def at_end(self, block: Block) -> Callable[[int], bool]:
        """The same before the last instruction of a block."""
        if not block.sites:
            return self.before(block)
        return self._needs(self._before[self.numbers[id(block.sites[-1])]])
