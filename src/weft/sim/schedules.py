"""Which warps wait while others run ahead: at random, or all but those of one CTA, or one warp each, in turn.

As in probabilistic concurrency testing, warps have priorities that change at few, random points: between two of them
some warps, or all of some CTAs, are held back as long as others can go on.  The same seed gives the same schedule;
with fewer changes it is the same up to the last of them.

Lanes of all CTAs run together otherwise, so that each looks at a flag before any other has set it; where one CTA comes
after the other, each looks at it when those before have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.block import Block
from weft.sim.lanes import WARP, Array, Lanes, union

if TYPE_CHECKING:
    from weft.sim.machine import Machine

SHARES = (0.0, 0.25, 0.5, 0.75, 0.9)
"""Shares of the warps that are held back after a change."""
LONGEST = 9
"""Steps from one change to the next: up to two to the power of a random number below this."""

PAUSES = 64
"""Times that a batch is looked at without a schedule, since it may hang."""

PATIENCE = 64
"""Steps after which a warp that yields at strong writes does so without one: it may spin."""


class Schedule:
    """The schedule of a random run: `changes` limits how often it changes (None: no limit).

    `following` is the step at which it changes next.
    """

    def __init__(self, machine: Machine, changes: int | None = None) -> None:
        self.machine = machine
        self.changes = changes
        self.held: dict[Block, Lanes] = {}
        self.made = 0
        self._low: Array | None = None
        self.following = 0
        self._still = -1
        self._suspended = 0

    def reset(self) -> None:
        """A new batch begins."""
        self.held.clear()
        self._still = -1
        self._suspended = 0
        self._low = None
        self.following = self.machine.steps

    def turn(self, block: Block, lanes: Lanes) -> Lanes | None:
        """The lanes of a gang that have their turn now; the others are held back."""
        if self._still >= 0:
            if self._still == self.machine.changes:
                return lanes
            self._still = -1
            self._resume()
        if self.machine.steps >= self.following:
            self._change()
        if self._low is None:
            return lanes
        low = self._low[lanes.lo : lanes.hi]
        back = low if lanes.mask is None else low & lanes.mask
        if not back.any():
            return lanes
        role = self.machine.batch.role
        kept = Lanes.where(back, lanes.lo, role)
        assert kept is not None
        before = self.held.get(block)
        self.held[block] = kept if before is None else union(before, kept)
        return Lanes.where(~low if lanes.mask is None else ~low & lanes.mask, lanes.lo, role)

    def release(self) -> bool:
        """Let those go on that are held back, until the next change; whether there were any."""
        if not self.held:
            return False
        self._low = None
        self._let_go()
        return True

    def suspend(self) -> bool:
        """Hold nobody back until something changes memory: it may be a hang; False if nobody is held already."""
        if self._still == self.machine.changes:
            return False
        self._suspended += 1
        # A kernel that spins on memory that changes again and again would otherwise run without a schedule for most of
        # the time.
        if self._suspended > PAUSES:
            return self.release()
        self._still, self._low, self.following = self.machine.changes, None, 1 << 62
        self._let_go()
        return True

    def wrote(self) -> None:
        """Threads have written strongly."""

    def _resume(self) -> None:
        self.following = self.machine.steps

    def _let_go(self) -> None:
        held, self.held = self.held, {}
        for block, lanes in held.items():
            self.machine.enqueue(block, lanes)

    def _change(self) -> None:
        self.release()
        random, machine = self.machine.random, self.machine
        self.following = machine.steps + int(random.integers(1, (1 << int(random.integers(1, LONGEST))) + 1))
        rows = machine.batch.lanes // WARP
        share, whole = SHARES[int(random.integers(len(SHARES)))], int(random.integers(2)) > 0
        number = np.arange(rows)
        # Half of the changes hold back whole CTAs: races between CTAs show best if all warps of one are late together.
        groups = number % machine.batch.ctas if whole and machine.batch.ctas > 1 else number
        chosen = random.random(rows)[groups] < share
        if self.changes is not None and self.made >= self.changes:
            self._low = None
            return
        self.made += 1
        self._low = np.repeat(chosen, WARP)


class Turns(Schedule):
    """One CTA after the other runs as far as it can, or (`warps`) one warp of each CTA; `backwards`: the last first.

    With `yields` only as far as its next strong write: so the others see what stands between two of them, as a lock
    that is held.
    """

    def __init__(self, machine: Machine, *, backwards: bool, warps: bool = False, yields: bool = False) -> None:
        super().__init__(machine)
        self._yields = yields
        batch = machine.batch
        lanes = np.arange(batch.lanes) // WARP
        self._unit: Array = lanes // batch.ctas if warps else lanes % batch.ctas
        self._units = int(self._unit.max()) + 1
        self._step = -1 if backwards else 1
        self._leader = self._idle = self._changes = 0

    def reset(self) -> None:
        """See `Schedule.reset`."""
        self.held.clear()
        self._still = -1
        self._idle = 0
        self._lead(0 if self._step > 0 else self._units - 1)

    def wrote(self) -> None:
        """See `Schedule.wrote`."""
        if self._yields and self._low is not None:
            self.following = self.machine.steps

    def turn(self, block: Block, lanes: Lanes) -> Lanes | None:
        """See `Schedule.turn`."""
        if self._yields and self._low is not None and self.machine.steps >= self.following:
            self._lead((self._leader + self._step) % self._units)
            self._let_go()
        return super().turn(block, lanes)

    def release(self) -> bool:
        """Let the next one go on that is held back; whether there was any, unless all have had their turn in vain."""
        machine = self.machine
        self._idle = self._idle + 1 if self._changes == machine.changes else 0
        self._changes = machine.changes
        if not self.held or self._idle > 2 * self._units:
            self._low, self.following = None, 1 << 62
            waiting = bool(self.held)
            self._let_go()
            return waiting
        there = np.zeros(self._units, np.bool_)
        for lanes in self.held.values():
            there[self._unit[lanes.index]] = True
        order = (self._leader + self._step * np.arange(1, self._units + 1)) % self._units
        self._lead(int(order[there[order].argmax()]))
        self._let_go()
        return True

    def _resume(self) -> None:
        self._lead(self._leader)

    def _lead(self, unit: int) -> None:
        self._leader, self._low = unit, self._unit != unit
        self.following = self.machine.steps + PATIENCE if self._yields else 1 << 62
