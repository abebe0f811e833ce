"""Asynchronous copies of single threads (`cp.async`): when they complete, and what shared memory holds until then.

When a copy moves its bytes, and when its thread knows that it has, are two things: strict runs keep what has moved
already until a wait demands it, so that an early read is a race whatever the policy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.site import Site
from weft.sim.space import WRITTEN

if TYPE_CHECKING:
    from weft.sim.machine import Machine


@dataclass(slots=True)
class Pending:
    """Copies of `size` bytes that one instruction started: a destination, source, length and group for each lane.

    `number` counts the instructions that start copies; `moved`: the bytes are there.
    """

    site: Site
    lanes: Array
    into: Array
    origin: Array
    length: Array
    size: int
    group: Array
    number: int
    moved: bool = False

    def part(self, chosen: Array) -> Pending:
        """The copies that a mask picks."""
        return Pending(
            self.site,
            self.lanes[chosen],
            self.into[chosen],
            self.origin[chosen],
            self.length[chosen],
            self.size,
            self.group[chosen],
            self.number,
            self.moved,
        )


@dataclass(slots=True)
class Arrival:
    """Lanes arrive at mbarriers, each at a byte index of shared memory, once their copies up to a number are complete.

    `waited` says that some of them have since waited for such copies themselves; `act` counts the arrivals.
    """

    number: int
    lanes: Array
    places: Array
    act: Callable[[bool], None]
    waited: bool = False


class Copies:
    """The copies under way in a batch.

    `eager` copies complete when they start; `lazy` ones when a wait demands it; `random` ones at some time between.

    Copies that mbarriers have heard of first are not their threads', which may have done more since they promised to
    arrive: an engine of each mbarrier has made them.  `_engines` has by engine which lanes have such, and the last
    group of each of these.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.pending: list[Pending] = []
        self._arrivals: list[Arrival] = []
        self._engines: dict[int, Array] = {}
        self.groups: Array = np.zeros(machine.batch.lanes, np.int64)
        self._number = 0

    def reset(self) -> None:
        """Forget everything: a new batch begins."""
        self.pending.clear()
        self._arrivals.clear()
        self._engines.clear()
        self.groups.fill(0)
        self.machine.memory.arena.let_all_go()

    def start(self, site: Site, lanes: Array, into: Array, origin: Array, length: Array, size: int) -> None:
        """Start copies of `size` bytes, of which `length` come from byte index `origin` of the arena."""
        self._number += 1
        copy = Pending(site, lanes, into, origin, length, size, self.groups[lanes], self._number)
        shared = self.machine.memory.shared
        if shared.guarded:
            shared.before_store(site, into, lanes, size)
        if self.machine.clocks is not None:
            self._watch(copy)
        policy = self.machine.async_
        if policy == "eager":
            self._move(copy)
        else:
            shared.poison(into, size)
        if policy != "eager" or self.machine.clocks is not None:
            self.pending.append(copy)
        if policy == "random":
            self._move_some()

    def _watch(self, copy: Pending) -> None:
        """From now on the copies read their sources and write their destinations, as nobody knows but who waits."""
        shared, arena = self.machine.memory.shared, self.machine.memory.arena
        reading, flying = copy.length > 0, self.machine.bulk.unwaited()
        if arena.races is not None:
            arena.races.on_read(copy.site, copy.origin[reading], copy.lanes[reading], copy.size)
            if arena.races.watches(copy.origin[reading]):
                arena.hold(copy.origin[reading], copy.size, repeated=True)
        if shared.races is not None and flying >= 0:
            shared.races.by_engine(copy.site, copy.into, flying, copy.size, 0)

    def commit(self, lanes: Lanes) -> None:
        """Close the lanes' open groups."""
        self.groups[lanes.select] += 1
        if self.machine.async_ == "random":
            self._move_some()

    def then(self, lanes: Array, places: Array, act: Callable[[bool], None]) -> None:
        """Arrive once all copies that the lanes have started so far are complete."""
        arrival = Arrival(self._number, lanes, places, act)
        if self.machine.async_ == "eager" or self.machine.prompt:
            self._arrive(arrival)
        else:
            self._arrivals.append(arrival)

    def wait(self, lanes: Lanes, newest: int) -> None:
        """Complete the lanes' groups but the `newest` ones; -1 completes what is in no group as well."""
        if not self.pending and not self._engines:
            return
        limit = np.full(len(self.groups), np.iinfo(np.int64).min)
        limit[lanes.select] = self.groups[lanes.select] - newest
        clocks = self.machine.clocks
        for engine, groups in self._engines.items() if clocks is not None else ():
            heard = np.flatnonzero((groups >= 0) & (groups < limit))
            if heard.size and clocks is not None:
                clocks.copied(heard, engine)
                groups[heard] = -1
        keep = [copy.group >= limit[copy.lanes] for copy in self.pending]
        for arrival in self._arrivals if clocks is not None else ():
            mine = set(arrival.lanes.tolist())
            arrival.waited |= any(
                copy.number <= arrival.number and not mine.isdisjoint(copy.lanes[~kept].tolist())
                for copy, kept in zip(self.pending, keep, strict=True)
            )
        self._keep(keep)

    def force(self) -> bool:
        """Complete what other threads may wait for, when nothing else can go on; whether there was any."""
        waited, self._arrivals = self._arrivals, []
        for arrival in waited:
            self._arrive(arrival)
        return bool(waited)

    def _arrive(self, arrival: Arrival) -> None:
        """Complete the copies that an arrival stands for, and arrive."""
        lanes, clocks, stride = arrival.lanes, self.machine.clocks, self.machine.memory.shared.stride
        limit, engines = np.zeros(len(self.groups), np.bool_), np.zeros(len(self.groups), np.int64)
        limit[lanes] = True
        if clocks is not None:
            ctas, offsets = arrival.places // stride, arrival.places % stride
            for offset in np.unique(offsets).tolist():
                first = clocks.engine(offset, 0)
                mine = offsets == offset
                engines[lanes[mine]] = first + WARP * ctas[mine] if first >= 0 else -1
        keep = [~limit[copy.lanes] | (copy.number > arrival.number) for copy in self.pending]
        self._keep(keep, engines if clocks is not None else None)
        if clocks is not None:
            for engine, groups in self._engines.items():
                there = groups[lanes] >= 0
                if there.any():
                    clocks.completed(arrival.places[there], engine)
        arrival.act(arrival.waited)

    def _move_some(self) -> None:
        split: list[Pending] = []
        for copy in self.pending:
            chosen = self.machine.random.random(len(copy.lanes)) < 0.5
            if copy.moved or not chosen.any():
                split.append(copy)
                continue
            now = copy if chosen.all() else copy.part(chosen)
            self._move(now)
            split.append(now)
            if now is not copy:
                split.append(copy.part(~chosen))
        self.pending = split

    def _keep(self, masks: list[Array], engines: Array | None = None) -> None:
        """Complete the copies that are not marked; `engines` are those that have made them, by lanes."""
        kept: list[Pending] = []
        for copy, keep in zip(self.pending, masks, strict=True):
            if not keep.all():
                self._complete(copy if not keep.any() else copy.part(~keep), engines)
            if keep.any():
                kept.append(copy if keep.all() else copy.part(keep))
        self.pending = kept

    def _bytes(self, copy: Pending) -> Array:
        return copy.into[:, None] + np.arange(copy.size)

    def _complete(self, copy: Pending, engines: Array | None) -> None:
        """Copies are done: they count as their threads' of this moment, which know it, or as those of engines."""
        if not copy.moved:
            self._move(copy)
        shared, arena = self.machine.memory.shared, self.machine.memory.arena
        by = None if engines is None else engines[copy.lanes]
        if by is not None and (by >= 0).all():
            for engine in np.unique(by).tolist():
                groups = self._engines.setdefault(engine, np.full(len(self.groups), -1))
                mine = by == engine
                groups[copy.lanes[mine]] = copy.group[mine]
        else:
            by = None
        if arena.races is not None:
            some = copy.length > 0
            if arena.races.watches(copy.origin[some]):
                arena.let_go(copy.origin[some], copy.size, repeated=True)
            readers = None if by is None else by[some]
            arena.races.settle(copy.site, copy.origin[some], copy.lanes[some], copy.size, write=False, engines=readers)
        if shared.races is not None:
            shared.races.settle(copy.site, copy.into, copy.lanes, copy.size, write=True, engines=by)

    def _move(self, copy: Pending) -> None:
        shared, arena = self.machine.memory.shared, self.machine.memory.arena
        copy.moved = True
        if (copy.length == copy.size).all():
            dtype = shared.wide(copy.size)
            shift = copy.size.bit_length() - 1
            shared.view(dtype)[copy.into >> shift] = arena.view(dtype)[copy.origin >> shift]
        else:
            offsets = np.arange(copy.size)
            inside = offsets < copy.length[:, None]
            source = np.where(inside, copy.origin[:, None] + offsets, 0)
            shared.bytes[self._bytes(copy)] = np.where(inside, arena.bytes[source], 0)
        arena.loaded += int(copy.length.sum())
        shared.stored += copy.size * len(copy.lanes)
        shared.mark(copy.into, copy.size, WRITTEN)
        self.machine.change()
