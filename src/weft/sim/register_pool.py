"""The registers that the warps of a CTA give back and take with `setmaxnreg`.

A CTA gets what `.maxnreg` says for each of its threads; `dec` puts registers of a warp into the CTA's pool, `inc` waits
until there are enough.  Here nothing waits: when all is done, what was taken must have been given by somebody.
Without `.maxnreg` ptxas drops the instruction, and nothing is followed.  Source: PTX ISA, `setmaxnreg`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.errors import Severity
from weft.ptx.directive_nodes import FunctionDirective
from weft.sim.clock_rows import KNOWN
from weft.sim.lanes import WARP, Array, Lanes

if TYPE_CHECKING:
    from weft.sim.faults import KernelFault
    from weft.sim.machine import Machine
    from weft.sim.site import Site

_WARPGROUP = 4
"""Warps."""


class RegisterPool:
    """Registers of a thread of each warp, and how many of those each CTA's pool still owes."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        directives = machine.program.kernel.directives
        given = [d.values[0] for d in directives if isinstance(d, FunctionDirective) and d.name == "maxnreg"]
        self._first = given[0] if given else 0
        self.reset()

    def reset(self) -> None:
        """A new batch begins."""
        batch = self._machine.batch
        rows = batch.lanes // WARP
        self._count: Array = np.full(rows, self._first, np.int64)
        self._free: Array = np.zeros(batch.ctas, np.int64)
        self._turns: Array = np.zeros(rows, np.int64)
        self._when: Array = np.zeros(rows, np.int64)
        self._last: dict[int, Site] = {}
        self._path: dict[int, list[Site]] = {}
        self._early: dict[int, tuple[Site, KernelFault]] = {}
        self._by: dict[int, tuple[Site, int]] = {}

    def change(self, site: Site, lanes: Lanes, count: int, *, more: bool) -> None:
        """Warps ask for so many registers a thread: `more` than they have, or fewer."""
        if not self._first:
            return
        batch = self._machine.batch
        for row in np.unique(lanes.index // WARP).tolist():
            lane, cta = row * WARP, int(batch.cta[row * WARP])
            has = int(self._count[row])
            if (count < has) if more else (count > has):
                verb = "inc" if more else "dec"
                message = f"the warp has {has} registers per thread: setmaxnreg.{verb} to {count} is impossible"
                site.report(site.fault("registers", message, lane))
            self._check_order(site, row)
            self._free[cta] += has - count
            self._count[row] = count
            self._turns[row] += 1
            self._last[row] = site
            self._path.setdefault(row, []).append(site)
            if more and self._free[cta] < 0:
                self._by.setdefault(cta, (site, lane))
        clocks = self._machine.clocks
        if clocks is not None:
            self._when[lanes.index // WARP] = clocks.now
            clocks.tick()

    def _check_order(self, site: Site, row: int) -> None:
        """The warps of a warpgroup have met since each of them last asked; whose roles differ need not."""
        clocks, ctas = self._machine.clocks, self._machine.batch.ctas
        if clocks is None or not self._turns[row]:
            return
        warp, cta = divmod(row, ctas)
        first = warp // _WARPGROUP * _WARPGROUP
        for other in range(first, min(first + _WARPGROUP, clocks.warps)):
            peer = other * ctas + cta
            known = int(clocks.known[KNOWN, row, clocks.column(np.array([peer]))[0]])
            if other != warp and (self._turns[peer] < self._turns[row] or known < self._when[peer]):
                message = f"warp {other} of the warpgroup may not have executed the previous setmaxnreg yet"
                fault = site.fault("registers", message, row * WARP)
                fault.hint = "put a barrier for the warps of the warpgroup between two setmaxnreg"
                self._early.setdefault(row, (site, fault))
                return

    def close(self) -> None:
        """All threads have ended.  Raises KernelFault where a warp would still wait for registers."""
        for cta, (site, lane) in self._by.items():
            if self._free[cta] < 0:
                message = f"deadlocks: the CTA's warps request {-self._free[cta]} registers more than they release"
                fault = site.fault("deadlock", message, lane)
                fault.hint = (
                    "execute setmaxnreg.dec in other warps, or request fewer: threads start with .maxnreg registers"
                )
                raise fault
        for row, (site, fault) in self._early.items():
            if len({tuple(map(id, self._path.get(other, ()))) for other in self._group(row)}) == 1:
                site.report(fault, Severity.NOTE)
        self._note_apart()

    def _group(self, row: int) -> list[int]:
        """The rows of a row's warpgroup."""
        warp, cta = divmod(row, self._machine.batch.ctas)
        first = warp // _WARPGROUP * _WARPGROUP
        last = min(first + _WARPGROUP, self._machine.launch.warps)
        return [other * self._machine.batch.ctas + cta for other in range(first, last)]

    def _note_apart(self) -> None:
        """Note warps of a warpgroup that have not executed the same one: kernels do so whose roles are warps."""
        for row, site in self._last.items():
            if any(self._last.get(other) is not site for other in self._group(row)):
                message = "not all warps of the warpgroup execute this instruction, as the ISA requires"
                site.report(site.fault("registers", message, row * WARP), Severity.NOTE)
                return
