"""The sixteen barriers of each CTA: who has arrived, who waits, and when they complete."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.sim.block import Block
from weft.sim.clock_rows import KNOWN
from weft.sim.exits import is_aligned
from weft.sim.faults import Unlike
from weft.sim.lanes import WARP, Array, Lanes, all_of, any_of
from weft.sim.site import Site

if TYPE_CHECKING:
    from weft.sim.machine import Machine

COUNT = 16
"""Barriers of a CTA."""


@dataclass(eq=False)
class Wait:
    """Lanes that wait at one instruction: `mask` marks them, `release` runs for them when their barrier completes."""

    site: Site
    after: Block
    mask: Array
    release: Callable[[Lanes, Array], None] | None


class Barrier:
    """One barrier number of all CTAs of the batch.

    `arrived` marks lanes; `expected` is the number of threads per CTA, 0 for all of them; `votes` holds the predicates
    of a reduction.  `told` is what lanes knew that have arrived without waiting: planes by CTAs by columns.  `met` is
    when the last meeting of some warps of CTAs ended, 0 without one; `came` marks the warps that arrived there, and
    `waited` those that waited.
    """

    def __init__(self, lanes: int, ctas: int) -> None:
        self.arrived: Array = np.zeros(lanes, np.bool_)
        self.expected: Array = np.zeros(ctas, np.int64)
        self.votes: Array = np.zeros(lanes, np.bool_)
        self.waits: dict[Block, Wait] = {}
        self.open = False
        self.passing: Array = np.zeros(lanes, np.bool_)
        self.told: Array | None = None
        self.met: Array = np.zeros(ctas, np.int64)
        self.came, self.waited = np.zeros((2, lanes // (ctas * WARP), ctas), np.bool_)


class Barriers:
    """The barriers of a batch."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.barriers: dict[int, Barrier] = {}

    def reset(self) -> None:
        """Forget everything: a new batch begins."""
        self.barriers.clear()

    def arrive(
        self,
        site: Site,
        lanes: Lanes,
        number: int,
        expected: Array | int,
        after: Block,
        *,
        wait: bool = True,
        votes: Array | None = None,
        release: Callable[[Lanes, Array], None] | None = None,
    ) -> tuple[Block, Lanes] | None:
        """Lanes arrive at barrier `number` and, with `wait`, wait there.

        `expected` is a thread count per lane of the set or for all (0: all threads of the CTA).  `votes` holds a
        predicate per lane of the set; `release` gets the lanes released and the votes of all lanes of the batch.
        """
        machine = self.machine
        if not 0 <= number < COUNT:
            raise site.fault("barrier", f"there is no barrier {number}", int(lanes.index[0]))
        barrier = self.barriers.get(number)
        if barrier is None:
            barrier = self.barriers[number] = Barrier(machine.batch.lanes, machine.batch.ctas)
        everyone = np.ndim(expected) == 0 and int(expected) in (0, WARP * machine.launch.warps)
        if machine.guard is not None and not everyone:
            raise Unlike("a barrier of some threads")
        if machine.strict and machine.exits.any:
            if is_aligned(site):
                machine.exits.check_warps(site, lanes)
            # A barrier of a number of threads never completes without them; who has only arrived may end.
            if everyone and not expected and not barrier.expected[machine.batch.cta[lanes.select]].any():
                machine.exits.check_ctas(site, lanes)
        if wait and everyone and not barrier.open and lanes.count == machine.live:
            self._pass(barrier, lanes, votes, release)
            return after, lanes
        if barrier.met.any():
            self._follows(site, barrier, lanes)
        self._note(site, barrier, lanes, expected)
        barrier.votes[lanes.select] = False if votes is None else votes
        barrier.open = True
        if wait:
            waiting = barrier.waits.get(after)
            if waiting is None:
                mask = np.zeros(machine.batch.lanes, np.bool_)
                waiting = barrier.waits[after] = Wait(site, after, mask, release)
            waiting.mask[lanes.select] = True
        else:
            if machine.clocks is not None:
                barrier.told = machine.clocks.passing(lanes.select, barrier.told)
                barrier.passing[lanes.select] = True
            machine.enqueue(after, lanes)
        self._settle(barrier)
        return None

    def _pass(
        self, barrier: Barrier, lanes: Lanes, votes: Array | None, release: Callable[[Lanes, Array], None] | None
    ) -> None:
        """All threads that live arrive together, and nobody has before."""
        machine = self.machine
        if machine.clocks is not None:
            whole = self._whole(lanes.index) if machine.exits.any else None
            machine.clocks.barrier(lanes.select, lanes.select, whole)
            barrier.met[:] = 0
        if machine.guard is not None:
            machine.guard.barrier(lanes.index)
        if release is not None:
            assert votes is not None
            barrier.votes[lanes.select] = votes
            release(lanes, barrier.votes)

    def _follows(self, site: Site, barrier: Barrier, lanes: Lanes) -> None:
        """Lanes arrive after others have met: they must know of that, or may as well have been counted there."""
        clocks = self.machine.clocks
        assert clocks is not None
        rows = clocks.rows_of(lanes.select)
        ctas = clocks.cta_of_row[rows]
        late = (barrier.met[ctas] > 0) & (barrier.met[ctas] <= clocks.now) & ~barrier.waited[rows // clocks.ctas, ctas]
        for row, cta in zip(rows[late].tolist(), ctas[late].tolist(), strict=True):
            there = np.flatnonzero(barrier.waited[:, cta])
            known = clocks.known[KNOWN, row, clocks.column(np.arange(clocks.warps) * clocks.ctas + cta)]
            known = known >= barrier.met[cta]
            known[row // clocks.ctas] = True
            if not any_of(known[there]) and not all_of(known[barrier.came[:, cta]]):
                others = f"warp {int(there[0])} and others" if there.size else "warps that do not wait"
                message = f"this arrival may be counted for an earlier use of the barrier, by {others}"
                fault = site.fault("barrier", message, int(lanes.index[clocks.row_of_lane[lanes.select] == row][0]))
                fault.hint = "use barriers with different numbers, or wait for the threads that used this one before"
                site.report(fault)

    def _note(self, site: Site, barrier: Barrier, lanes: Lanes, expected: Array | int) -> None:
        batch = self.machine.batch
        again = barrier.arrived[lanes.select]
        if any_of(again):
            lane = int(lanes.index[int(again.argmax())])
            raise site.fault("barrier", "the thread arrives a second time before the barrier completes", lane)
        barrier.arrived[lanes.select] = True
        ctas = batch.cta[lanes.select]
        wanted = np.broadcast_to(np.asarray(expected, np.int64), ctas.shape)
        known = barrier.expected[ctas]
        odd = (known != 0) & (wanted != 0) & (known != wanted)
        if any_of(odd):
            which = int(odd.argmax())
            message = f"expects {int(wanted[which])} threads, but others at this barrier expect {int(known[which])}"
            fault = site.fault("barrier", message, int(lanes.index[which]))
            fault.hint = "give all that meet at a barrier the same number of threads, or use barriers of other numbers"
            raise fault
        barrier.expected[ctas] = np.maximum(known, wanted)

    def _crowded(self, barrier: Barrier, ctas: Array, counted: Array) -> None:
        """More threads have arrived in some CTAs than make a barrier complete: which of them meet is left open."""
        for wait in list(barrier.waits.values()):
            there = np.flatnonzero(wait.mask & ctas[self.machine.batch.cta])
            if there.size:
                cta = int(self.machine.batch.cta[there[0]])
                least = int(barrier.expected[cta])
                message = f"{int(counted[cta])} threads arrive at a barrier for {least}: which it releases is undefined"
                fault = wait.site.fault("barrier", message, int(there[0]))
                fault.hint = "count all threads that arrive at the barrier, in multiples of a warp"
                wait.site.report(fault)
                return

    def after_exit(self) -> None:
        """Threads have ended: barriers no longer wait for them, but still count those that had arrived."""
        for barrier in list(self.barriers.values()):
            if barrier.open:
                self._settle(barrier)

    def _whole(self, arrived: Array) -> Array:
        """The CTAs all of whose threads have arrived."""
        batch = self.machine.batch
        return np.bincount(batch.cta[arrived], minlength=batch.ctas) == self.machine.launch.threads

    def _settle(self, barrier: Barrier) -> None:
        """Release the CTAs whose barrier is complete."""
        machine, batch = self.machine, self.machine.batch
        shape = (-1, batch.ctas, WARP)
        arrived = barrier.arrived.reshape(shape)
        alive = machine.alive.reshape(shape)
        there = arrived.any(axis=(0, 2))
        whole = (arrived | ~alive).all(axis=2)
        counted = WARP * (whole & arrived.any(axis=2)).sum(axis=0)
        complete = there & np.where(barrier.expected > 0, counted >= barrier.expected, whole.all(axis=0))
        if not any_of(complete):
            return
        if machine.strict and any_of((counted > barrier.expected)[complete & (barrier.expected > 0)]):
            self._crowded(barrier, complete & (barrier.expected > 0) & (counted > barrier.expected), counted)
        done = complete[batch.cta]
        if machine.clocks is not None:
            waiting = np.zeros(batch.lanes, np.bool_)
            for wait in barrier.waits.values():
                waiting |= wait.mask & done
            giving = np.flatnonzero(barrier.arrived & done & ~barrier.passing)
            machine.clocks.barrier(giving, np.flatnonzero(waiting), self._whole(giving), barrier.told)
            barrier.passing &= ~done
            barrier.met[complete] = machine.clocks.now
            barrier.came[:, complete] = np.logical_or.reduce(arrived, axis=2)[:, complete]
            barrier.waited[:, complete] = waiting.reshape(shape).max(axis=2)[:, complete]
            if barrier.told is not None:
                barrier.told[:, complete] = 0
        if machine.guard is not None:
            machine.guard.barrier(np.flatnonzero(done))
        for wait in list(barrier.waits.values()):
            released = Lanes.where(wait.mask & done, 0, batch.role)
            if released is None:
                continue
            if machine.strict and not barrier.expected[batch.cta[released.select]].any():
                machine.exits.check_ctas(wait.site, released)
            wait.mask &= ~done
            if not any_of(wait.mask):
                del barrier.waits[wait.after]
            if wait.release is not None:
                wait.release(released, barrier.votes & barrier.arrived)
            machine.enqueue(wait.after, released)
        barrier.arrived &= ~done
        barrier.expected[complete] = 0
        barrier.open = any_of(barrier.arrived)
