"""Threads that have ended, and the barriers that count on them.

A thread that returns early counts as arrived at every barrier after that.  One that goes around an aligned barrier,
does more, and only then returns has skipped it: what the barrier then does is undefined.  So has one that has branched
past a barrier more often than those who wait there, unless the branch leads straight to the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.definite import successors
from weft.sim.faults import KernelFault
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.site import Site

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.program import Activation


class Exits:
    """Where each thread of a batch has ended: `place` is the number of an instruction in `sites`, -1 for the living."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.place: Array = np.full(machine.batch.lanes, -1, np.int16)
        self.sites: list[Site] = []
        self.any = False
        self._known: dict[tuple[int, int], bool] = {}
        self._barriers: dict[int, list[int]] = {}
        self._past: dict[int, Array] = {}

    def reset(self) -> None:
        """A new batch begins."""
        self.place.fill(-1)
        self.any = False
        for counts in self._past.values():
            counts.fill(0)

    # -- branches past barriers -------------------------------------------------------------------------------

    def passed(self, site: Site, target: int) -> list[Array]:
        """What counts how often lanes have gone past barriers between a branch and its target.

        Nothing where the target is the end of the kernel.
        """
        activation = site.activation
        found = self._barriers.get(id(activation))
        if found is None:
            found = [number for number, one in enumerate(activation.sites) if _counted(one)]
            self._barriers[id(activation)] = found
        if not found or target <= found[0]:
            return []
        start = activation.sites.index(site)
        between = [number for number in found if start < number < target]
        if not between or _ends_there(activation, target):
            return []
        lanes = self.machine.batch.lanes
        return [self._past.setdefault(id(activation.sites[n]), np.zeros(lanes, np.int32)) for n in between]

    def skipped(self, site: Site) -> list[Array]:
        """What counts how often the guard of a collective has let lanes go past it; nothing where they end there."""
        if not (_for_all(site) or is_aligned(site)):
            return []
        if _ends_there(site.activation, site.activation.sites.index(site) + 1):
            return []
        return [self._past.setdefault(id(site), np.zeros(self.machine.batch.lanes, np.int32))]

    def _check_past(self, site: Site, lanes: Lanes, group: Array, kind: str, whose: str) -> None:
        """Fault when threads that have ended went past a barrier more often than those of their group who stand there.

        `group` has the number of its group, a warp or a CTA, for each lane.
        """
        past = self._past.get(id(site))
        if past is None or not past.any():
            return
        least = np.full(int(group.max()) + 1, np.iinfo(np.int32).max)
        np.minimum.at(least, group[lanes.select], past[lanes.select])
        worse = (self.place >= 0) & (past > least[group])
        if worse.any():
            raise self._fault(site, lanes, self.sites[int(self.place[int(worse.argmax())])], kind, whose)

    # -- ends -------------------------------------------------------------------------------------------------

    def note(self, site: Site, lanes: Lanes) -> None:
        """Lanes end at an instruction."""
        if site not in self.sites:
            self.sites.append(site)
        self.place[lanes.select] = self.sites.index(site)
        self.any = True

    def check_warps(self, site: Site, lanes: Lanes) -> None:
        """Fault when other threads of the lanes' warps have skipped an aligned barrier at which the lanes stand."""
        if self.any:
            warps = np.unique(lanes.index // WARP)
            gone = np.unique(self.place.reshape(-1, WARP)[warps])
            self._blame(site, lanes, gone, "divergent-collective", "the warp")

    def check_gate(self, site: Site, lanes: Lanes) -> None:
        """Fault when threads of the lanes' warps have gone past what their warps now do together, and then ended."""
        self._check_past(site, lanes, np.arange(len(self.place)) // WARP, "divergent-collective", "the warp")

    def check_ctas(self, site: Site, lanes: Lanes) -> None:
        """The same for a barrier that all threads of the CTA take part in."""
        if self.any:
            batch = self.machine.batch
            ctas = np.unique(batch.cta[lanes.select])
            gone = np.unique(self.place.reshape(-1, batch.ctas, WARP)[:, ctas])
            self._blame(site, lanes, gone, "barrier", "the CTA")
            if _for_all(site):
                self._check_past(site, lanes, batch.cta, "barrier", "the CTA")

    def _blame(self, site: Site, lanes: Lanes, gone: Array, kind: str, whose: str) -> None:
        for number in map(int, gone[gone >= 0]):
            if self._skips(site, number):
                raise self._fault(site, lanes, self.sites[number], kind, whose)

    def _fault(self, site: Site, lanes: Lanes, end: Site, kind: str, whose: str) -> KernelFault:
        line = end.position.line
        where = f" (they exited at line {line})" if line else ""
        message = f"threads of {whose} have bypassed the barrier and exited{where}"
        fault = site.fault(kind, message, int(lanes.index[0]))
        fault.hint = "make all threads reach the barrier, or exit before it"
        return fault

    def _skips(self, site: Site, number: int) -> bool:
        """Whether threads that end at a place did something there that is after the barrier."""
        key = id(site), number
        if key not in self._known:
            self._known[key] = self._stands_behind(site, self.sites[number])
        return self._known[key]

    def _stands_behind(self, site: Site, end: Site) -> bool:
        activation, sites = site.activation, site.activation.sites
        if end.activation is not activation or end.instruction.guard is not None:
            return False
        target = _start(activation, end)
        if target is None:
            return False
        seen: set[int] = set()
        todo = [sites.index(site) + 1]
        while todo:
            index = todo.pop()
            while index < len(sites) and index not in seen:
                if index == target:
                    return True
                seen.add(index)
                targets, falls = successors(site.activation, sites[index], index)
                todo.extend(targets)
                if not falls:
                    break
                index += 1
        return False


def _start(activation: Activation, end: Site) -> int | None:
    """Where the straight line that leads to an end starts; None when it does nothing."""
    sites = activation.sites
    joins = {index for names in {id(n): n for _, n in activation.items}.values() for index in names.labels.values()}
    index = sites.index(end) if end in sites else len(sites)
    works = False
    while index > 0 and index not in joins and not sites[index - 1].opcode.effects.control:
        index -= 1
        works = works or _works(sites[index])
    return index if works else None


def _counted(site: Site) -> bool:
    """Whether branches past an instruction are counted: past a barrier of the CTA, or of whole warps."""
    return _for_all(site) or (site.opcode.stem in ("bar", "barrier") and is_aligned(site))


def is_aligned(site: Site) -> bool:
    """Whether an instruction is one that all threads of a warp execute together."""
    return site.opcode.stem == "bar" or bool(site.opcode.get("aligned"))


def _works(site: Site) -> bool:
    return bool(site.opcode.effects.memory) or site.opcode.effects.barrier


def _for_all(site: Site) -> bool:
    """Whether an instruction is a barrier of all threads of the CTA."""
    stem, action = site.opcode.stem, site.opcode.get("action")
    if stem not in ("bar", "barrier") or action == "arrive":
        return False
    return len(site.operands) == (3 if action == "red" else 1)


def _ends_there(activation: Activation, index: int) -> bool:
    """Whether a place in the text leads straight to the end, without doing anything."""
    for site in activation.sites[index:]:
        if site.opcode.stem in ("ret", "exit") and site.instruction.guard is None:
            return True
        if site.opcode.effects.control or _works(site):
            return False
    return True
