"""The tables of `weft.sim.clocks`: what each row knows of each column, and what its lanes know of one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim import stamps as st
from weft.sim.behind import Behind
from weft.sim.lanes import WARP, Array, all_of, any_of, changes, numbers
from weft.sim.site import Site
from weft.sim.skips import Skips

if TYPE_CHECKING:
    from weft.sim.machine import Machine

KNOWN, FENCED, FENCED_GLOBAL = 0, 1, 2
"""Planes; others may follow (`Rows.far`, `Rows.relayed`)."""
GROUPS = "groups"
"""The name of the engine of copies that complete for their own threads, of which nobody else ever knows."""
INITIALISATIONS = "initialisations"
"""The name of the engine that has initialised the mbarriers of a CTA, where a fence lets others of its cluster know."""
_ROOM = 4
"""Columns for engines to begin with."""
_ALWAYS = 0xFFFF_FFFF
"""When lanes without a thread have told others anything, and heard it."""


class Rows:
    """Rows and columns of a batch's clocks, and when lanes last told others anything or heard it.

    `_fence_at` is when a lane last executed a fence, `_fenced` when it had before it last met others; `_glimpsed` says
    whether a relaxed read of it, or of one that it had met, waits for a fence.  `_owed` is what lanes have read
    of others of their warps by relaxed operations, as `partial` has it.
    `far` is the plane that orders accesses to global memory: its own where fences may be restricted to shared memory.
    `_sent` is what commits of other CTAs tell of at mbarriers, `_given` the same of phases that have ended.
    `tensor` is the plane of the fences of tensor memory, of which relaxed operations tell too; 0 without these.
    `relayed` is what relaxed operations have told of what fences have released to the async proxy; 0 without such ones.
    """

    def __init__(
        self, machine: Machine, planes: int, *, tensor: int = 0, restricted: bool = False, relays: bool = False
    ) -> None:
        self.machine = machine
        self.warps = machine.launch.warps
        self.ctas = machine.batch.ctas
        self.rows = self.warps * self.ctas
        self.planes = planes + restricted + relays
        self.tensor = tensor
        self.far = planes if restricted else KNOWN
        self.relayed = planes + restricted if relays else 0
        self._certain: int | Array = np.array([[KNOWN], [self.far]]) if restricted else KNOWN
        self.clustered = machine.launch.cluster_ctas > 1
        self.row_of_lane: Array = np.arange(machine.batch.lanes, dtype=np.int64) // WARP
        self.lane_words: Array = np.arange(machine.batch.lanes, dtype=np.uint64) << np.uint64(st.LANE_AT)
        self.cta_of_row: Array = np.arange(self.rows) % self.ctas
        self._roles: dict[object, int] = {}
        self.sites: list[Site] = []
        self.now = 1
        self.ordered = False
        self.reset()

    def restart(self) -> None:
        """A new launch begins, which nothing has come before."""
        self.now = 1
        self.ordered = False
        for site in self.sites:
            site.spared = 0

    def reset(self) -> None:
        """A new batch begins, after all that the earlier ones did."""
        self.now += 1
        self.first = self.now
        self.wide = False
        self._columns = self.warps + len(self._roles)
        self._forget()
        self._slots: Array = np.full(len(self.machine.memory.shared.bytes) // 8, -1, np.int32)
        self._count = 0
        self._ended: Array = np.zeros(0, np.bool_)
        self._told: dict[tuple[int, int], Array] = {}
        if self.clustered:
            self.widen()

    def _forget(self) -> None:
        lanes = self.machine.batch.lanes
        self.known: Array = np.zeros((self.planes, self.rows, self.columns), np.uint32)
        self.floor: Array = np.zeros(lanes, np.uint64)
        self.warp_floor: Array = np.zeros(lanes, np.uint64)
        self._spoken: Array = np.where(self.machine.batch.exists, 0, _ALWAYS).astype(np.uint32)
        self._heard: Array = self._spoken.copy()
        self._fence_at: Array = self._spoken.copy()
        self._fenced: Array = self._spoken.copy()
        self._glimpsed: Array = np.zeros(lanes, np.bool_)
        self.skips = Skips(self.warps, self.ctas)
        self.behind = Behind(self.warps, self.ctas, self.columns)
        self.partial: Array | None = None
        self._owed: Array | None = None
        self.sure: Array = np.zeros((self.warps, self._columns), np.uint32)
        self._sure_alone: dict[int, Array] = {}
        self._sure_of: dict[tuple[int, ...], int] = {}
        self.everyone = 0
        self._current: Array = np.zeros((self.planes, 0, self.columns), np.uint32)
        self._done: Array = self._current.copy()
        self._aware: Array = np.zeros((self.ctas, self.columns), np.uint32)
        self._lent: dict[int, Array] = {}
        self._sent: dict[int, Array] = {}
        self._given: dict[int, Array] = {}
        self.begun: dict[int, tuple[int, int]] = {}

    def tick(self) -> None:
        """Time goes on.  After very many steps everything is forgotten: races may then be missed."""
        self.now += 1
        # Times have 23 bits in a stamp. Starting over loses what was remembered, which can hide a race but never
        # invents one.
        if self.now >= st.LAST_TIME:
            self.now = self.first = 2
            if self.machine.proxies is not None:
                self.machine.proxies.forget()
            slots = self._current.shape[1]
            self._forget()
            self._current = np.zeros((self.planes, slots, self.columns), np.uint32)
            self._done = self._current.copy()
            self._ended[:] = False
            self._told.clear()
            for races in self.machine.races:
                races.forget()

    @property
    def columns(self) -> int:
        """Columns of `known`."""
        return self._columns * self.ctas if self.wide else self._columns

    def column(self, rows: Array) -> Array:
        """The columns of rows."""
        return rows if self.wide else rows // self.ctas

    def widen(self) -> None:
        """Something may order CTAs: each row gets a column for every other."""
        if self.wide:
            return
        if self.machine.proxies is not None:
            self.machine.proxies.forget()

        def spread(table: Array, ctas: Array) -> Array:
            new = np.zeros((*table.shape, self.ctas), np.uint32)
            new[:, np.arange(table.shape[1]), :, ctas] = table.transpose(1, 0, 2)
            return new.reshape(*table.shape[:2], table.shape[2] * self.ctas)

        self._aware = np.zeros((self.ctas, self._columns * self.ctas), np.uint32)
        self.known = spread(self.known, self.cta_of_row)
        places = np.zeros(self._current.shape[1], np.int64)
        used = np.flatnonzero(self._slots >= 0) if len(self._current[0]) else np.zeros(0, np.int64)
        places[self._slots[used]] = used * 8 // self.machine.memory.shared.stride
        self._current, self._done = spread(self._current, places), spread(self._done, places)
        self.wide = True
        self.behind = Behind(self.warps, self.ctas, self.columns)

    def engine(self, key: object, cta: int) -> int:
        """The first lane number of the engine of a name in a CTA; -1 when there are too many."""
        role = self._roles.get(key)
        if role is None:
            role = self.warps + len(self._roles)
            # Engines are numbered as lanes behind those of the warps, so that a stamp holds either.
            if (role + 1) * self.ctas * WARP >> st.LANE_BITS:
                return -1
            self._roles[key] = role
            if role >= self._columns:
                self._grow()
        return (role * self.ctas + cta) * WARP

    def _grow(self) -> None:
        self._columns += _ROOM
        more = _ROOM * (self.ctas if self.wide else 1)

        def wider(table: Array) -> Array:
            return np.concatenate([table, np.zeros((*table.shape[:-1], more), table.dtype)], axis=-1)

        self.known, self._current, self._done = wider(self.known), wider(self._current), wider(self._done)
        self.sure = wider(self.sure)
        self.behind = Behind(self.warps, self.ctas, self.columns)
        self._sure_alone = {lane: wider(sure) for lane, sure in self._sure_alone.items()}
        self._aware, self._lent = wider(self._aware), {slot: wider(lent) for slot, lent in self._lent.items()}
        self._told = {key: wider(told) for key, told in self._told.items()}
        self._sent, self._given = (
            {slot: wider(told) for slot, told in table.items()} for table in (self._sent, self._given)
        )
        if self.machine.flags is not None:
            self.machine.flags.grow(more)

    def role_of(self, key: object) -> int | None:
        """The role of the engines of a name; None when there are none."""
        return self._roles.get(key)

    def engines(self, key: object, ctas: Array) -> Array | None:
        """The first lane numbers of the engines of a name in CTAs."""
        first = self.engine(key, 0)
        return None if first < 0 else first + WARP * ctas

    def reach(self, engines: Array, rows: Array, time: int) -> None:
        """Warps know what engines did up to a time: one engine for each row."""
        self._heard.reshape(-1, WARP)[rows] = self.now
        columns = self.column(engines // WARP)
        known = self.known[self._certain, rows, columns]
        self.known[self._certain, rows, columns] = np.maximum(known, np.uint32(time))

    def rows_of(self, lanes: Array | slice) -> Array:
        """The warps of lanes, each once."""
        if isinstance(lanes, slice):
            first, last = int(lanes.start), int(lanes.stop)
            return np.arange(first // WARP, -(-last // WARP))
        rows: Array = self.row_of_lane[lanes]
        ordered = all_of(rows[1:] >= rows[:-1])
        found: Array = rows[changes(rows)] if ordered else np.unique(rows)
        return found

    def all_of(self, rows: Array, lanes: Array | slice) -> Array:
        """What warps know, with what they have done themselves, for lanes of them: planes by rows by columns."""
        self.publish(rows, lanes)
        return self.known[:, rows]

    def publish(self, rows: Array, lanes: Array | slice) -> None:
        """Lanes of rows tell others: these know all that they have done."""
        if self.machine.proxies is not None:
            self.machine.proxies.spread(rows, lanes)
        self.known[self._certain, rows, self.column(rows)] = self.now

    def speak(self, lanes: Array | slice, *, relaxed: bool = False) -> None:
        """Lanes tell others: what they have done themselves, and what those have done whom they have met.

        If `relaxed` only what they have fenced, or those had before they met.
        """
        rows = self.rows_of(lanes) if relaxed else None
        before = None if rows is None else self._spoken.reshape(-1, WARP)[rows]
        if not relaxed and self.skips.some:
            self.cover_skips(lanes)
        self.cover(self._spoken, lanes)
        if rows is not None and before is not None:
            spoken = self._spoken.reshape(-1, WARP)
            spoken[rows] = np.maximum(before, np.minimum(spoken[rows], self._covered(rows, lanes)))

    def _covered(self, rows: Array, lanes: Array | slice) -> Array:
        """Up to when fences cover what the lanes of rows have done, as lanes that now speak may tell."""
        mine = np.zeros(len(self._fence_at), np.uint32)
        mine[lanes] = self._fence_at[lanes]
        own = mine.reshape(-1, WARP)[rows]
        met = (self.warp_floor.reshape(-1, WARP)[rows] >> np.uint64(st.TIME_AT)).astype(np.uint32)
        if self.partial is not None:
            met = np.maximum(met, self.partial.reshape(-1, WARP, WARP)[rows].max(axis=2))
        # A lane's fence also covers what other lanes did before it met them: cumulativity, as in the PTX memory model.
        theirs = np.minimum(own.max(axis=1, keepdims=True), met)
        found: Array = np.maximum(np.maximum(own, theirs), self._fenced.reshape(-1, WARP)[rows])
        return found

    def fence(
        self, lanes: Array | slice, *, acquires: bool = True, releases: bool = True, stored: Array | None = None
    ) -> None:
        """Lanes execute a fence: they learn what relaxed reads have met, and may tell by relaxed stores.

        Where it also counts beyond their CTAs, `stored` is when each CTA last stored anything.
        """
        seen = self._glimpsed[lanes]
        if acquires and any_of(seen):
            which = np.arange(len(self._glimpsed))[lanes][seen]
            self.hear(which)
            self._glimpsed[which] = False
        if acquires and self._owed is not None:
            self.meet_in_turn(np.arange(len(self.floor))[lanes], self._owed[lanes], at_once=True)
        if releases:
            self._fence_at[lanes] = self.now
        if releases and stored is not None:
            self._skip(lanes, stored)

    def _skip(self, lanes: Array | slice, stored: Array) -> None:
        """Lanes execute a fence: note which others of their warps do not, and may have stored something."""
        self.cover_skips(lanes)
        if isinstance(lanes, slice):
            return
        rows = self.rows_of(lanes)
        here = np.zeros(len(self._fence_at), np.bool_)
        here[lanes] = True
        absent = self.machine.alive.reshape(-1, WARP)[rows] & ~here.reshape(-1, WARP)[rows]
        since = np.maximum(self._spoken.reshape(-1, WARP)[rows], self._met(lanes, rows))
        absent &= since < stored[self.cta_of_row[rows]][:, None]
        some = np.logical_or.reduce(absent, axis=1)
        if any_of(some):
            self.skips.skip(rows[some], absent[some], since[some], self.now)

    def _met(self, lanes: Array | slice, rows: Array) -> Array:
        """When lanes, which are of these rows, last met the lanes of their warps."""
        times = np.zeros(len(self._fence_at), np.uint32)
        self.cover(times, lanes)
        return times.reshape(-1, WARP)[rows]

    def cover_skips(self, lanes: Array | slice) -> None:
        """Lanes fence or release what they know, so that others may know of it beyond their CTAs."""
        self.skips.fence(lanes, self.now)
        if self.skips.some:
            rows = self.rows_of(lanes)
            own = np.arange(self.warps) * self.ctas + self.cta_of_row[rows][:, None]
            known = self.known[KNOWN, rows[:, None], self.column(own)]
            self.skips.cover(rows, known, self._met(lanes, rows), self._spoken)

    def released(self, lanes: Array) -> Array:
        """Up to when lanes may tell by relaxed operations what they have done."""
        found: Array = np.maximum(self._fence_at[lanes], self._fenced[lanes])
        return found

    def met_by(self, lanes: Array) -> Array:
        """What lanes know of those of their warps: times, by lanes of the warp."""
        times = (self.warp_floor[lanes] >> np.uint64(st.TIME_AT)).astype(np.uint32)[:, None]
        return np.repeat(times, WARP, axis=1) if self.partial is None else np.maximum(self.partial[lanes], times)

    def meet_in_turn(self, lanes: Array, told: Array, *, at_once: bool) -> None:
        """Lanes come after others of their warps, which have told them so much: they know it now, or after a fence."""
        table = self.partial if at_once else self._owed
        if table is None:
            table = np.zeros((len(self.floor), WARP), np.uint32)
        table[lanes] = np.maximum(table[lanes], told)
        if at_once:
            self.partial = table
        else:
            self._owed = table

    def meet_flags(self, lanes: Array | slice) -> None:
        """Lanes have read flags, or waited, by relaxed operations."""
        self._glimpsed[lanes] = True

    def cover(self, times: Array, lanes: Array | slice) -> None:
        """Set times of lanes to now, and those of other lanes of their warps to when they have met them."""
        times[lanes] = self.now
        if isinstance(lanes, slice):  # Whole warps.
            return
        rows = self.rows_of(lanes)
        shape = -1, WARP
        each = times.reshape(shape)[rows]
        there = each == self.now
        alone = np.flatnonzero((each < self.now).any(axis=1))
        if not alone.size:
            return
        rows, each, there = rows[alone], each[alone], there[alone]
        floors = (self.warp_floor.reshape(shape)[rows] >> np.uint64(st.TIME_AT)).astype(np.uint32)
        np.maximum(each, np.where(there, floors, 0).max(axis=1, keepdims=True), out=each)
        if self.partial is not None:
            met = self.partial.reshape(-1, WARP, WARP)[rows]
            np.maximum(each, np.where(there[:, :, None], met, 0).max(axis=1), out=each)
        times.reshape(shape)[rows] = each

    def surely(self, roles: tuple[int, int], newest: Array, lane: int) -> bool:
        """Whether warps of roles know what each role, a warp or an engine, did up to its `newest` time, in their CTAs.

        What they were found to know before they still know: `sure` has it, by warps and roles.  With a `lane` that is
        not -1 the question is what this lane knows of each warp.
        """
        first, last = roles
        if len(newest) > self.columns:  # Engines that nothing has waited for.
            if newest[self.columns :].any():
                return False
            newest = newest[: self.columns]
        # Knowledge only grows, so that an answer found once is a lower bound from then on and most questions end here.
        late = newest > self.sure[first : last + 1, : len(newest)]
        if not any_of(late):
            return True
        sure = self._surely(first, last, late, lane)
        return not any_of(late & (newest > sure[:, : len(newest)]))

    def _surely(self, first: int, last: int, late: Array, lane: int) -> Array:
        """What warps of roles, or a lane of them, surely know now, of which some is later than what they knew."""
        table = self.sure
        if lane >= 0:
            table = self._sure_alone.setdefault(lane, np.zeros_like(self.sure))
        sure = table[first : last + 1]
        running = self.machine.batch.running
        lanes, mine = slice(0, running * WARP), self._lanes(lane)
        known = self.known[KNOWN].reshape(self.warps, self.ctas, -1)[first : last + 1, :running]
        known = self._limited(known, slice(first, last + 1), lane)
        # The least over all CTAs: one answer serves them all, because CTAs of one kernel mostly do the same.
        least = known[:, 0] if running == 1 else np.minimum.reduce(known, axis=1)
        engines, warps = sure[:, self.warps :], sure[:, : self.warps]
        np.maximum(engines, least[:, self.warps :], out=engines)
        if any_of(late[:, : self.warps]):
            told, heard = (table.reshape(self.warps, -1) for table in (self._spoken, self._heard))
            told = np.minimum.reduce(told[:, lanes], axis=1)  # What all lanes have told, all must have heard.
            both = np.minimum(least[:, : self.warps], np.minimum.reduce(heard[first : last + 1, mine], axis=1)[:, None])
            both = np.minimum(both, told)
            for role in range(first, last + 1):  # Lanes of a warp know of each other's accesses by other means.
                floors = self.warp_floor.reshape(self.warps, -1)[role, mine] if late[role - first, role] else None
                both[role - first, role] = 0 if floors is None else int(floors.min()) >> st.TIME_AT
            np.maximum(warps, both, out=warps)
        return sure

    def _limited(self, known: Array, roles: slice, lane: int) -> Array:
        """What roles in CTAs know by columns, as far as all of their lanes do, or a lane."""
        if not self.behind.some:
            return known
        heard = self._heard.reshape(self.warps, self.ctas, WARP)[roles, : known.shape[1]]
        return self.behind.limit_roles(known, roles, heard if lane < 0 else heard[:, :, lane : lane + 1])

    def _lanes(self, lane: int) -> slice:
        """Of a role the lanes of all CTAs, or a lane of each."""
        end = self.machine.batch.running * WARP
        return slice(0, end) if lane < 0 else slice(lane, end, WARP)

    def surely_of(self, roles: tuple[int, int], lane: int, role: int, other: int, time: int) -> bool:
        """Whether warps of roles, or a `lane` of each, know what the `other` lane of a role did up to a time."""
        key = (*roles, lane, role, other)
        if time <= self._sure_of.get(key, 0):
            return True
        running, mine = self.machine.batch.running, self._lanes(lane)
        known = self.known[KNOWN].reshape(self.warps, self.ctas, -1)[:, :running]
        known = self._limited(known, slice(0, self.warps), lane)[:, :, role]
        told = int(self._spoken.reshape(self.warps, -1)[role, self._lanes(other)].min())
        least: list[int] = []
        for one in range(roles[0], roles[1] + 1):
            if one != role:
                heard = int(self._heard.reshape(self.warps, -1)[one, mine].min())
                least.append(min(int(known[one].min()), heard, told))
            elif lane != other:
                least.append(int(self.warp_floor.reshape(self.warps, -1)[one, mine].min()) >> st.TIME_AT)
        sure = self._sure_of[key] = min(least, default=st.LAST_TIME)
        return time <= sure

    def hear(self, lanes: Array | slice) -> None:
        """Lanes learn from others, after this."""
        if not isinstance(lanes, slice):
            self._leave_behind(lanes)
        self._heard[lanes] = self.now

    def _leave_behind(self, lanes: Array) -> None:
        """Of the warps of lanes that learn from others the lanes that do not know no more than before."""
        rows = self.rows_of(lanes)
        here = np.zeros(len(self._heard), np.bool_)
        here[lanes] = True
        alive = self.machine.alive.reshape(-1, WARP)[rows]
        alone = np.logical_or.reduce(alive & ~here.reshape(-1, WARP)[rows], axis=1)
        if any_of(alone):
            rows, alive = rows[alone], alive[alone]
            heard = self._heard.reshape(-1, WARP)[rows]
            self.behind.note(rows, self.known[KNOWN, rows], heard, alive, self.now)

    def untold(self, lanes: Array) -> Array:
        """Whether lanes have learned anything since they last told others."""
        found: Array = self._heard[lanes] > self._spoken[lanes]
        return found

    def learn(self, rows: Array, told: Array) -> None:
        """Rows learn what they are told: planes by rows by columns, or planes by columns for all."""
        told = np.broadcast_to(told if told.ndim == 3 else told[:, None], (self.planes, len(rows), self.columns))
        self.known[:, rows] = np.maximum(self.known[:, rows], told)
        own = told[KNOWN, np.arange(len(rows)), self.column(rows)]
        if own.any():
            self._inform((rows[:, None] * WARP + np.arange(WARP)).reshape(-1), np.repeat(own, WARP))

    def _inform(self, lanes: Array | slice, told: Array) -> None:
        """Lanes learn what lanes of their own warps have done by the times that these have told of."""
        rows = self.row_of_lane[lanes]
        first = changes(rows)
        spoken = self._spoken.reshape(-1, WARP)[rows[first]]
        counts = np.diff(first, append=len(rows))
        least = np.repeat(spoken.min(axis=1), counts)
        self.warp_floor[lanes] = np.maximum(self.warp_floor[lanes], floors_of(np.minimum(told, least)))
        some = least < told
        if any_of(some):
            if self.partial is None:
                self.partial = np.zeros((len(self.floor), WARP), np.uint32)
            mine = numbers(lanes, len(rows))[some]
            each = np.minimum(spoken[np.repeat(np.arange(len(first)), counts)[some]], told[some][:, None])
            self.partial[mine] = np.maximum(self.partial[mine], each)


def floors_of(times: Array) -> Array:
    """The greatest stamps of threads at times; 0 at time 0."""
    some = times > 0
    words: Array = (times.astype(np.uint64) + some << np.uint64(st.TIME_AT)) - some
    return words
