"""What exists when: mbarriers between their initialisation and invalidation, and CTAs whose memory others use.

A valid mbarrier may not be initialised again, nor its bytes be used for something else, before `mbarrier.inval`.
Shared memory of another CTA of the cluster may be used once that CTA is known to have started, and until it ends: so
it must be told of the last use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.clock_rows import INITIALISATIONS, KNOWN
from weft.sim.clocks import Clocks
from weft.sim.lanes import WARP, Array, Lanes, all_of, any_of, numbers
from weft.sim.site import Site
from weft.sim.space import lane_of

if TYPE_CHECKING:
    from weft.sim.machine import Machine


class Lifetimes:
    """The mbarriers that are valid (a flag for each eight bytes), and the uses of other CTAs' memory: CTAs by rows.

    `changes` counts mbarriers that have come to be.
    """

    def __init__(self, machine: Machine, clocks: Clocks) -> None:
        self.machine = machine
        self.clocks = clocks
        self.valid: Array = np.zeros(0, np.bool_)
        self.any = False
        self.changes = 0
        self._used: Array = np.zeros((0, 0), np.int64)
        self._met: Array = np.zeros(0, np.bool_)
        self._sites: dict[tuple[int, int], tuple[Site, int]] = {}
        self._arrived: Array = np.zeros((2, 0), np.int64)
        self._heard: Array = np.zeros((0, 0), np.int64)
        self._engines: dict[tuple[int, int], tuple[int, Site, int]] = {}
        self._begun: dict[int, list[tuple[Site, int]]] = {}

    def reset(self) -> None:
        """A new batch begins."""
        self.valid = np.zeros(len(self.machine.memory.shared.bytes) // 8 + 1, np.bool_)
        self.any = False
        self._used = np.zeros((self.clocks.ctas, self.clocks.rows), np.int64)
        self._met = np.zeros(self.clocks.rows, np.bool_)
        self._sites.clear()
        self._engines.clear()
        self._begun.clear()
        if self.clocks.clustered:
            self._arrived = np.zeros((2, self.clocks.rows), np.int64)
            self._heard = np.zeros((self.clocks.ctas, self.clocks.rows), np.int64)

    # -- mbarriers --------------------------------------------------------------------------------------------

    def begin(self, site: Site, index: Array, lanes: Array | slice) -> None:
        """Lanes initialise mbarriers at byte indices."""
        self._check(site, index, lanes, 8, "initialises an mbarrier that is still valid")
        self.valid[index >> 3] = True
        self.any = True
        self.changes += 1
        for lane, place in (
            zip(numbers(lanes, len(index)).tolist(), index.tolist(), strict=True) if self.clocks.clustered else ()
        ):
            self._begun.setdefault(lane, []).append((site, place))

    def fence(self, lanes: Lanes) -> None:
        """Lanes let relaxed arrivals at the barrier of their cluster tell of mbarriers that they have initialised.

        Of these alone: an engine counts as who has made them, since what a row has done is known by time only.
        """
        races = self.machine.memory.shared.races
        if races is None:
            return
        for lane in lanes.index.tolist():
            engine = self.clocks.engine(INITIALISATIONS, int(self.machine.batch.cta[lane]))
            begun = self._begun.pop(lane, ()) if engine >= 0 else ()
            for site, place in begun:
                races.by_engine(site, np.array([place]), engine, 8, flags=0)
            if begun:
                self.clocks.begin(lane, engine)

    def end(self, index: Array) -> None:
        """The mbarriers at byte indices are invalidated."""
        self.valid[index >> 3] = False

    def use(self, site: Site, index: Array, lanes: Array | slice) -> None:
        """Lanes use mbarriers at byte indices: written bytes that no initialisation has made one are none."""
        valid = self.valid[index >> 3]
        if not all_of(valid):
            which = int(valid.argmin())
            address = int(index[which]) % self.machine.memory.shared.stride
            fault = site.fault("barrier", "no mbarrier has been initialised there", lane_of(lanes, which), address)
            fault.hint = "execute mbarrier.init first, and again after mbarrier.inval"
            raise fault

    def store(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """Lanes write to bytes at byte indices, other than by operations on mbarriers."""
        self._check(site, index, lanes, size, "overwrites an mbarrier that is still valid")

    def _check(self, site: Site, index: Array, lanes: Array | slice, size: int, what: str) -> None:
        if not self.any:
            return
        last = self.machine.memory.shared.last
        spot = last if last is not None and last.index is index else None
        if spot is not None and spot.free == self.changes:
            return
        bad = self.valid[index >> 3] | self.valid[index + size - 1 >> 3]
        if any_of(bad):
            which = int(bad.argmax())
            fault = site.fault(
                "barrier", what, lane_of(lanes, which), int(index[which]) % self.machine.memory.shared.stride
            )
            fault.hint = "execute mbarrier.inval first, after all threads have waited for it"
            raise fault
        if spot is not None:
            spot.free = self.changes

    # -- CTAs of a cluster ------------------------------------------------------------------------------------

    def reach(self, site: Site, index: Array, lanes: Array | slice, *, last: bool = True) -> None:
        """Lanes access shared memory at byte indices, which may be that of other CTAs.

        Unless `last`, the other CTA waits for the access itself.
        """
        batch, stride = self.machine.batch, self.machine.memory.shared.stride
        there, here = index // stride, batch.cta[lanes]
        remote = there != here
        if not any_of(remote):
            return
        rows = self.clocks.row_of_lane[lanes][remote]
        pairs = np.unique(rows * self.clocks.ctas + there[remote])
        rows, peers = pairs // self.clocks.ctas, pairs % self.clocks.ctas
        known = self.clocks.known[KNOWN, rows].reshape(len(rows), -1, self.clocks.ctas)
        unheard = ~self._met[rows] & (known[np.arange(len(rows)), : self.clocks.warps, peers].max(axis=1) == 0)
        if any_of(unheard):
            which = int(unheard.argmax())
            row, peer = int(rows[which]), int(peers[which])
            at = index[(there == peer) & (self.clocks.row_of_lane[lanes] == row)]
            raise self._fault(site, row, peer, "which may not have started yet", int(at[0]) % stride)
        if last:
            self._used[peers, rows] = self.clocks.now
            for row, peer in zip(rows.tolist(), peers.tolist(), strict=True):
                mine = index[(there == peer) & (self.clocks.row_of_lane[lanes] == row)]
                self._sites[peer, row] = site, int(mine[0]) % stride

    def engine(self, site: Site, engine: int, cta: int, lane: int) -> None:
        """An engine of another CTA of the cluster reads a CTA's memory, as a lane has asked it to."""
        if engine // WARP % self.clocks.ctas != cta:
            self._engines[engine // WARP, cta] = self.clocks.now, site, lane

    def _close_engines(self) -> None:
        for (row, cta), (time, site, lane) in self._engines.items():
            column = int(self.clocks.column(np.array([row]))[0])
            known = self.clocks.known[KNOWN, :, column] >= time
            told = any_of(known[cta :: self.clocks.ctas]) or any_of(known & (self._heard[cta] > time))
            if not told:
                message = "the threads exit while the copy may still read their shared memory"
                raise site.fault("asynchronous-exit", message, lane)

    def arrive(self, rows: Array, phases: Array) -> None:
        """Warps arrive at their cluster's barrier, in a phase each: who waits there does not end before that."""
        if self.clocks.clustered:
            self._arrived[phases % 2, rows] = self.clocks.now
            self.clocks.tick()

    def meet(self, rows: Array, phases: Array) -> None:
        """Warps have waited at their cluster's barrier, even at a relaxed one: all its CTAs have come here."""
        self._met[rows] = True
        size, ctas = self.machine.launch.cluster_ctas, self.clocks.ctas
        for row, phase in zip(rows.tolist(), phases.tolist(), strict=True) if self.clocks.clustered else ():
            cta = row % ctas
            every = np.arange(self.clocks.rows)
            there = every[every % ctas // size == cta // size]
            self._heard[cta, there] = np.maximum(self._heard[cta, there], self._arrived[phase % 2, there])

    def close(self) -> None:
        """The batch has ended: each CTA was told of the uses of its memory before it ended."""
        self._close_engines()
        if not self._sites:
            return
        ctas, warps = self.clocks.ctas, self.clocks.warps
        for (peer, row), (site, address) in self._sites.items():
            told = self.clocks.known[KNOWN, np.arange(warps) * ctas + peer, row].max()
            if max(int(told), int(self._heard[peer, row])) < self._used[peer, row]:
                raise self._fault(site, row, peer, "which may have exited", address)

    def _fault(self, site: Site, row: int, peer: int, why: str, address: int) -> Exception:
        cta = self.machine.batch.thread(peer * 32).cta
        fault = site.fault("race", f"accesses shared memory at {address:#x} of CTA {cta}, {why}", row * 32, address)
        fault.hint = (
            "execute barrier.cluster.arrive and .wait before the first access, and again between the last one and exit"
        )
        return fault
