"""The fences between the generic and the async proxy, and before the proxy that reads tensor maps.

Stores go through the generic proxy; bulk copies and `wgmma` read shared memory through the async proxy, which need not
see them before a `fence.proxy.async`, which lies between the store and the start of the copy: by the thread that stored
before it tells others, or by one that has been told, such as the one that starts the copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from weft.sim.clock_rows import KNOWN
from weft.sim.clocks import Clocks
from weft.sim.lanes import WARP, Array, Lanes, any_of
from weft.sim.maps import TensorMaps
from weft.sim.race_reports import other_side
from weft.sim.site import Site
from weft.sim.space import Space
from weft.sim.stamps import LANE_AT, LANE_BITS, MANY, SITE_AT, SITE_BITS, TIME_AT, TIME_BITS

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.program import Program

USERS = (
    "cp.async.bulk",
    "cp.reduce.async.bulk",
    "cp.async.bulk.tensor",
    "cp.reduce.async.bulk.tensor",
    "wgmma.mma_async",
    "wgmma.mma_async.sp",
    "tcgen05.mma",
    "tcgen05.mma.sp",
    "tcgen05.mma.ws",
    "tcgen05.mma.ws.sp",
    "tcgen05.cp",
    "clusterlaunchcontrol.try_cancel",
)
"""Instructions that access shared memory through the async proxy."""
_STORES = ("st", "stmatrix", "atom", "red", "st.bulk", "cp.async", "wmma.store")


def wanted(program: Program) -> bool:
    """Whether a kernel may access shared memory through the async proxy."""
    return any(opcode.stem in USERS for opcode in program.opcodes)


class Proxies:
    """What the fences between the proxies have let through; tensor maps have fences of their own (`maps`).

    `_some` holds what single lanes of warps have let through, until they, or lanes that have met them since, tell
    others: the lanes, what they knew, and when that was.
    `_through` is by planes up to when stores of lanes have passed a fence of their own, or of one whom they had met,
    `_foreign` up to when those of warps have passed a fence of others: what a warp's clock cannot tell of its lanes.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.maps = TensorMaps(machine)
        self._some: dict[tuple[int, int], list[tuple[Array, Array, int]]] = {}
        self._through: dict[int, Array] = {}
        self._foreign: dict[int, Array] = {}
        self._parted: dict[int, Array] = {}

    def reset(self) -> None:
        """A new batch begins."""
        self._some.clear()
        for table in (self._through, self._foreign, self._parted):
            table.clear()
        self.maps.reset()

    def fence(self, lanes: Lanes, planes: Sequence[int]) -> None:
        """Lanes execute a fence between the proxies: all that they know passes, and so do others whom they tell."""
        clocks = self.machine.clocks
        if clocks is None:
            return
        rows = clocks.rows_of(lanes.select)
        known = clocks.all_of(rows, lanes.select)[KNOWN]
        some = self._partly(lanes, rows)
        for plane in planes:
            self._pass(lanes, plane, rows, known, some)
            whole = rows[~some]
            clocks.known[plane, whole] = np.maximum(clocks.known[plane, whole], known[~some])
            for row, what in zip(rows[some].tolist(), known[some], strict=True):
                mask = np.zeros(WARP, np.bool_)
                inside = lanes.index[clocks.row_of_lane[lanes.select] == row]
                mask[inside % WARP] = True
                others = [one for one in self._some.get((plane, row), ()) if any_of(one[0] & ~mask)]
                self._some[plane, row] = [*others, (mask, what.copy(), clocks.now)]
        clocks.tick()

    def _pass(self, lanes: Lanes, plane: int, rows: Array, known: Array, some: Array) -> None:
        """Note whose stores pass: those of the lanes themselves, and those of other warps of which they know."""
        clocks = self.machine.clocks
        assert clocks is not None
        if plane not in self._through:
            self._through[plane] = np.zeros(self.machine.batch.lanes, np.uint32)
            self._foreign[plane] = np.zeros((clocks.ctas, clocks.warps), np.uint32)
            self._parted[plane] = np.zeros(clocks.rows, np.bool_)
        self._parted[plane][rows[some]] = True
        clocks.cover(self._through[plane], lanes.select)
        others = known.copy()
        others[np.arange(len(rows)), clocks.column(rows)] = 0
        foreign = self._foreign[plane]
        if clocks.wide:
            told = others[:, : clocks.rows].max(axis=0).reshape(clocks.warps, clocks.ctas).T
            np.maximum(foreign, told, out=foreign)
        else:
            np.maximum.at(foreign, clocks.cta_of_row[rows], others[:, : clocks.warps])

    def _partly(self, lanes: Lanes, rows: Array) -> Array:
        """Of which warps only some of the living lanes are there."""
        clocks, machine = self.machine.clocks, self.machine
        assert clocks is not None
        if lanes.count == machine.live:
            return np.zeros(len(rows), np.bool_)
        here = lanes.among(machine.batch.lanes).reshape(-1, WARP)[rows]
        absent = machine.alive.reshape(-1, WARP)[rows] & ~here
        return np.logical_or.reduce(absent, axis=1)

    def spread(self, rows: Array, lanes: Array | slice) -> None:
        """Lanes of warps tell others: what they, or lanes that they have met, have fenced counts for all from now."""
        clocks = self.machine.clocks
        if not self._some or clocks is None:
            return
        telling, here = set(rows.tolist()), np.arange(self.machine.batch.lanes)[lanes]
        for plane, row in [key for key in self._some if key[1] in telling]:
            mine = here[here // WARP == row]
            alone = [one for one in self._some[plane, row] if not clocks.together(mine, one[0], one[2])]
            if len(alone) < len(self._some[plane, row]):
                self._spread(plane, row, alone)

    def forget(self) -> None:
        """The clocks start again, or get other columns: what single lanes have let through counts for their warps."""
        for plane, row in list(self._some):
            self._spread(plane, row)
        for table in self._parted.values():
            table[:] = False

    def _spread(self, plane: int, row: int, alone: Sequence[tuple[Array, Array, int]] = ()) -> None:
        """What lanes of a warp have fenced counts for all of it, save that of those who are still `alone`."""
        found, clocks = self._some.pop((plane, row)), self.machine.clocks
        if alone:
            self._some[plane, row] = [*alone]
        assert clocks is not None
        told = clocks.known[plane, row]
        for one in found:
            if not any(one is other for other in alone):
                told[: len(one[1])] = np.maximum(told[: len(one[1])], one[1])

    def passed(self, stamps: Array, lanes: Array, local: bool, plane: int) -> Array:
        """Whether a fence has let stores through for lanes, by their stamps."""
        clocks = self.machine.clocks
        assert clocks is not None
        result: Array = clocks.orders(stamps, lanes, local, plane)
        times = (stamps >> np.uint64(TIME_AT) & np.uint64((1 << TIME_BITS) - 1)).astype(np.int64)
        writers = (stamps >> np.uint64(LANE_AT)).astype(np.int64) & (1 << LANE_BITS) - 1
        columns = clocks.column(writers // WARP)
        some = ((row, one) for (where, row), each in self._some.items() if where == plane for one in each)
        for row, (mask, known, time) in some:
            mine = (lanes // WARP == row) & (columns < len(known))
            near = [lane for lane in np.unique(lanes[mine]).tolist() if clocks.together(np.array([lane]), mask, time)]
            mine &= np.isin(lanes, near)
            result[mine] |= known[columns[mine]] >= times[mine]
        parted = self._parted.get(plane)
        if parted is None or not any_of(parted):
            return result
        rows = np.minimum(writers // WARP, len(parted) - 1)
        through = self._through[plane]
        alone = parted[rows] & (writers < len(through)) & (stamps & np.uint64(MANY) == 0)
        mine = through[np.minimum(writers, len(through) - 1)] >= times
        whole = parted[rows] & (writers < len(through)) & ~alone
        if any_of(whole):  # What a warp stores together, each of its lanes must let through.
            together = np.array([bool(site.stamp & MANY) for site in clocks.sites])
            sites = (stamps[whole] >> np.uint64(SITE_AT)).astype(np.int64) & (1 << SITE_BITS) - 1
            if len(together) <= 1 << SITE_BITS:
                whole[whole] = together[sites]
                living = self.machine.alive.reshape(-1, WARP)
                least = np.where(living, through.reshape(-1, WARP), through.max(initial=0)).min(axis=1)
                mine = np.where(whole, least[rows] >= times, mine)
                alone |= whole
        others = self._foreign[plane][rows % clocks.ctas, rows // clocks.ctas] >= times
        return result & (~alone | mine | others)

    def check(self, site: Site, space: Space, index: Array, lanes: Array, size: int, *, write: bool = False) -> None:
        """Fault when one of the bytes that the async proxy reads for lanes was stored with no fence on the way.

        The same for bytes that it writes, where a thread's own store has been before: one may overtake the other.
        """
        races = space.races
        if races is None or not races.watches(index):
            return
        found = races.unfenced(index, lanes, size)
        if found is None:
            return
        bad, stamps = found
        if write and any_of(bad):
            bad &= np.isin(stamps >> np.uint64(SITE_AT) & np.uint64((1 << SITE_BITS) - 1), self._stores(races.clocks))
        if not any_of(bad):
            return
        which = int(bad.argmax())
        lane = int(lanes[which])
        offset = (
            int(index[which]) % races.stride
            if space.origin is not None
            else int(index[which]) + self.machine.memory.arena.base
        )
        other, where, _ = other_side(races.clocks, int(stamps[which]), lane)
        verb = "writes" if write else "reads"
        message = (
            f"{verb} {space.name} memory at {offset:#x} through the async proxy, where {other} stored{where} "
            "without a fence.proxy.async in between"
        )
        fault = site.fault("proxy-fence", message, lane, offset)
        stored = races.clocks.site(int(stamps[which]))
        line = 0 if stored is None else stored.position.line
        if stored is not None and line:
            site.against(fault, stored)
            fault.hint = (
                f"insert fence.proxy.async after line {line}, before synchronizing with the thread that starts this"
            )
        site.report(fault)

    @staticmethod
    def _stores(clocks: Clocks) -> list[int]:
        """The numbers of instructions that store what threads say; `tcgen05.alloc` and mbarriers do more than that."""
        return [number for number, site in enumerate(clocks.sites) if site.opcode.stem in _STORES]
