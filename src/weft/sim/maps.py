"""Tensor maps that a kernel changes: what lies between the change and a copy that uses them.

The tensormap proxy reads maps.  It sees what threads have stored to one after a release fence of that proxy by those
who stored, and an acquire fence on the map by a thread of the CTA that starts the copy, in this order; the fences
order nothing else, so that threads that are not the same need something besides.  `tensormap.cp_fenceproxy` is a store
with its release.  PTX ISA, sections "membar/fence" and "tensormap.replace", which accesses the whole map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.isa.tensor_map_words import SIZE
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.site import Site
from weft.sim.space import Space
from weft.sim.stamps import LANE_AT, LANE_BITS, TIME_AT, TIME_BITS

if TYPE_CHECKING:
    from weft.sim.machine import Machine

GRAIN = 16
"""Bytes of the accesses that a map is accessed by."""
_PARTS = np.arange(0, SIZE, GRAIN)
_KIND = "proxy-fence"


def touch(site: Site, space: Space, start: int, lanes: Lanes, *, write: bool) -> None:
    """Lanes read or change the whole map at a byte index."""
    if not space.guarded:
        return
    index = np.tile(start + _PARTS, lanes.count)
    each = np.repeat(lanes.index, len(_PARTS))
    if write:
        space.before_store(site, index, each, GRAIN)
    else:
        space.before_load(site, index, each, GRAIN)


class TensorMaps:
    """The changes of maps in global memory by byte index, and the fences of rows and CTAs.

    `_fused` are maps that were last changed by a store with its release: when, its scope, and the warp, all of whose
    lanes have done it together.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.time = 1
        self._changed: dict[int, int] = {}
        self._acquired: dict[tuple[int, int], tuple[int, int, int, int]] = {}
        self._released: dict[int, list[tuple[int, int, int]]] = {}
        self._fused: dict[int, tuple[int, int, int]] = {}

    def reset(self) -> None:
        """A new batch begins."""
        self._acquired.clear()
        self._released.clear()

    def change(self, place: int, lane: int, level: int | None) -> None:
        """A lane changes the map at a byte index; `level`: its warp does, with a release of this scope."""
        self.time += 1
        self._changed[place] = self.time
        self._fused.pop(place, None)
        if level is not None and self.machine.clocks is not None:
            self._fused[place] = self.machine.clocks.now, level, lane // WARP

    def release(self, lanes: Lanes, level: int) -> None:
        """Lanes execute a release fence, which serves the changes that their CTAs have made."""
        clocks = self.machine.clocks
        if clocks is None:
            return
        for row in clocks.rows_of(lanes.select).tolist():
            self._released.setdefault(row % clocks.ctas, []).append((clocks.now, level, row))
        clocks.tick()

    def acquire(self, site: Site, lanes: Array, places: Array, level: int) -> None:
        """Lanes execute an acquire fence on maps: it serves their CTAs."""
        arena = self.machine.memory.arena
        if arena.races is not None and arena.races.watches(places):
            own = [self._fused.get(place, (0, 0, -1))[2] for place in places.tolist()]
            others = lanes // WARP != np.array(own)
            if others.any():
                index = (places[others][:, None] + _PARTS).reshape(-1)
                arena.before_load(site, index, np.repeat(lanes[others], len(_PARTS)), GRAIN)
        clocks = self.machine.clocks
        now = 0 if clocks is None else clocks.now
        for lane, place in zip(lanes.tolist(), places.tolist(), strict=True):
            self._acquired[place, int(self.machine.batch.cta[lane])] = self.time, level, now, lane // WARP
        if clocks is not None:
            clocks.tick()

    def check_all(self, site: Site, lanes: Array, place: int) -> None:
        """The same of a map that several lanes use: most are never changed."""
        races = self.machine.memory.arena.races
        stored = races is not None and self.machine.clocks is not None and races.watches(np.array([place]))
        if stored or place in self._changed:
            for lane in lanes.tolist():
                self.check(site, lane, place)

    def check(self, site: Site, lane: int, place: int) -> None:
        """Fault when a copy of a lane uses a map that was changed, with a fence missing."""
        time, level, when, row = self._acquired.get((place, int(self.machine.batch.cta[lane])), (0, 0, 0, 0))
        clocks = self.machine.clocks
        if time and clocks is not None and not clocks.aware(lane, row, when):
            time = 0
        if time < self._changed.get(place, 0):
            message = "the kernel has changed the tensor map without a fence.proxy.tensormap::generic.acquire after it"
            site.report(site.fault(_KIND, message, lane, place + self.machine.memory.arena.base))
            return
        self._check_stores(site, lane, place, level if time else -1)

    def _check_stores(self, site: Site, lane: int, place: int, acquired: int) -> None:
        """The same for changes by any stores; `acquired` is the scope of the acquire fence, -1 without one."""
        races, clocks = self.machine.memory.arena.races, self.machine.clocks
        if races is None or clocks is None or not races.watches(np.array([place])):
            return
        stamps = races.written[(place + _PARTS) >> races.shift]
        stamps = stamps[stamps >= np.uint64(clocks.first << TIME_AT)]
        if not stamps.size:
            return
        newest = int(stamps.max())
        stored = newest >> TIME_AT & (1 << TIME_BITS) - 1
        writer = (newest >> LANE_AT & (1 << LANE_BITS) - 1) // WARP % clocks.ctas
        far = writer != int(self.machine.batch.cta[lane])
        fused = self._fused.get(place)
        if fused is not None and fused[0] >= stored:
            released: list[int] = [fused[1]]
        else:
            since = (one for one in self._released.get(writer, ()) if one[0] >= stored)
            released = [level for time, level, row in since if clocks.aware(lane, row, time)]
        by = clocks.site(newest)
        where = f" (line {by.position.line})" if by is not None and by.position.line else ""
        if not released or (far and max(released) < 2):
            what = "release"
        elif acquired < 0 or (far and acquired < 2):
            what = "acquire"
        else:
            return
        narrow = far and (bool(released) if what == "release" else acquired >= 0)
        why = "with a scope that includes this CTA" if narrow else "after it"
        message = f"the kernel has stored to the tensor map{where} without a fence.proxy.tensormap::generic.{what}"
        fault = site.fault(
            _KIND,
            f"{message} {why}",
            lane,
            place + self.machine.memory.arena.base,
        )
        site.against(fault, by)
        fault.hint = (
            "execute fence.proxy.tensormap::generic.release in the threads that store, before they signal others"
            if what == "release"
            else "execute fence.proxy.tensormap::generic.acquire on the map in a thread of this CTA, before the copy"
        )
        site.report(fault)
