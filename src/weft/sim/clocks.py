"""What warps know of one another's progress: vector clocks, joined by barriers, mbarriers, fences and flags.

Time is one counter for the batch, which goes on with each operation that orders.  A row is a warp of the batch, or an
engine: what carries out the asynchronous copies that complete on one mbarrier, or the products of one warpgroup.  Of
each row a warp knows what it did up to a time (`known`).  As long as nothing orders different CTAs, only rows of the
own CTA have columns; then `wide` is set, and all have.

The lanes of a warp share its row.  What they know of each other is apart: `warp_floor` is the time up to which a lane
knows all of its warp, `partial` holds more where only some lanes have met.  `floor` is the time of a lane's last
barrier of its whole CTA.  `_spoken` is when a lane, or one that it had met, last told others anything, `_heard` when it
last learned anything: what it did later, or others did later, nothing can order, whatever its warp knows.

The first plane is what is known; others are what is known and fenced: for the async proxy, in shared memory and in
global memory, and for tensor memory.
"""

from __future__ import annotations

import numpy as np

from weft.sim import stamps as st
from weft.sim.clock_rows import KNOWN, Rows, floors_of
from weft.sim.lanes import WARP, Array, Lanes, all_of, any_of, changes, span
from weft.sim.site import Site


class Clocks(Rows):
    """The clocks of a batch."""

    # -- stamps -----------------------------------------------------------------------------------------------

    def word(self, site: Site) -> int:
        """What the stamps of an instruction share, at this time."""
        if site.stamp < 0:
            site.stamp = st.word_of(site, len(self.sites))
            self.sites.append(site)
        return site.stamp | self.now << st.TIME_AT

    def site(self, stamp: int) -> Site | None:
        """The instruction of a stamp, None where too many share its number."""
        number = stamp >> st.SITE_AT & (1 << st.SITE_BITS) - 1
        return self.sites[number] if number < len(self.sites) <= 1 << st.SITE_BITS else None

    def orders(self, stamps: Array, lanes: Array, local: bool, plane: int = KNOWN, many: bool = False) -> Array:
        """Whether lanes know of accesses by their stamps; `local`: all are of the lanes' own CTA and batch.

        `many`: all lanes of their warps must know.
        """
        time = (stamps >> np.uint64(st.TIME_AT) & np.uint64((1 << st.TIME_BITS) - 1)).astype(np.int64)
        other = (stamps >> np.uint64(st.LANE_AT)).astype(np.int64) & (1 << st.LANE_BITS) - 1
        row, mine = other // WARP, lanes // WARP
        same = row == mine
        generic = plane in (KNOWN, self.far)
        # The row of a warp says what reached the warp, but a lane only knows it if it was itself among those that
        # heard, and if the other lane had itself spoken since its access.
        heard = self._heard.reshape(-1, WARP).min(axis=1)[mine] if many else self._heard[lanes]
        until: Array = self.known[plane, mine, self.column(row)]
        if generic and self.behind.some:
            until = self.behind.limit(until, mine, self.column(row), heard)
        known: Array = until >= time
        if not local and not self.wide:
            known &= row % self.ctas == mine % self.ctas
        if generic and not all_of(same):
            known = known & (same | ((heard >= time) & self._told_of(stamps, other, time)))
        if generic and self.skips.some and not local:
            far = row % self.ctas != mine % self.ctas
            known = known & ~(far & self.skips.uncovered(other, time))
        # Of its own warp a lane knows its own accesses and those up to a meeting; what stands for many lanes of the
        # warp is more than its own.
        if generic and any_of(same):
            alone = (other == lanes) & (stamps & np.uint64(st.MANY) == 0) & (not many)
            near = (stamps <= self.warp_floor[lanes]) | alone
            if self.partial is not None:
                near |= self.partial[lanes, other % WARP] >= time
            known = np.where(same, near, known)
        # Earlier batches have no rows any more: once the kernel orders CTAs by flags, what they did counts as known.
        if not local and self.first > 1:
            known = np.where(time < self.first, self.ordered, known)
        return known

    def aware(self, lane: int, row: int, time: int) -> bool:
        """Whether the warp of a lane knows what a row has done up to a time."""
        mine = lane // WARP
        if row == mine:
            return True
        if not self.wide and row % self.ctas != mine % self.ctas:
            return False
        return int(self.known[KNOWN, mine, row if self.wide else row // self.ctas]) >= time

    def together(self, lanes: Array, mask: Array, time: int) -> bool:
        """Whether one of lanes of a warp is one that a mask marks, or has met one of these after a time."""
        if any_of(mask[lanes % WARP]) or int(self.warp_floor[lanes].max(initial=0)) >> st.TIME_AT >= time:
            return True
        return self.partial is not None and bool((self.partial[lanes][:, mask] >= time).any())

    def met(self, stamps: Array, lanes: Array) -> Array:
        """Whether lanes know of accesses of their own warps, by their stamps."""
        known: Array = stamps <= self.warp_floor[lanes]
        if self.partial is not None:
            time = stamps >> np.uint64(st.TIME_AT) & np.uint64((1 << st.TIME_BITS) - 1)
            other = (stamps >> np.uint64(st.LANE_AT)).astype(np.int64) & WARP - 1
            known |= self.partial[lanes, other] >= time
        return known

    def _told_of(self, stamps: Array, lanes: Array, time: Array) -> Array:
        """Whether lanes have told others anything since; engines do, and who does something with a whole warp.

        Of several lanes that have done the same it is the last one that is asked.
        """
        count = len(self._spoken)
        told: Array = (self._spoken[np.minimum(lanes, count - 1)] >= time) | (lanes >= count)
        several = ~told & (stamps & np.uint64(st.MANY) != 0)
        if any_of(several):
            sites = (stamps[several] >> np.uint64(st.SITE_AT)).astype(np.int64) & (1 << st.SITE_BITS) - 1
            together = [len(self.sites) > 1 << st.SITE_BITS or bool(site.stamp & st.MANY) for site in self.sites]
            told[several] = np.array(together)[sites]
        return told

    # -- barriers ---------------------------------------------------------------------------------------------

    def passing(self, lanes: Array | slice, told: Array | None) -> Array:
        """Lanes arrive at a barrier and go on: what they know now, joined to what is told by CTAs."""
        rows = self.rows_of(lanes)
        self.speak(lanes)
        known = self.all_of(rows, lanes)
        if told is None or told.shape[2] != self.columns:
            told = np.zeros((self.planes, self.ctas, self.columns), np.uint32) if told is None else self._like(told)
        for number, cta in enumerate(self.cta_of_row[rows].tolist()):
            told[:, cta] = np.maximum(told[:, cta], known[:, number])
        self.tick()
        return told

    def _like(self, told: Array) -> Array:
        """A table by CTAs that was made when there were fewer columns."""
        wide = np.zeros((self.planes, self.ctas, self.columns), np.uint32)
        if self.wide and told.shape[2] < self.ctas * self.warps:
            for cta in range(self.ctas):
                wide[:, cta, cta : told.shape[2] * self.ctas : self.ctas] = told[:, cta]
        else:
            wide[:, :, : told.shape[2]] = told
        return wide

    def barrier(
        self, arrived: Array | slice, going: Array | slice, whole: Array | None, told: Array | None = None
    ) -> None:
        """A barrier of the CTA: lanes that arrived, and those that go on; `whole` marks CTAs of which all threads have.

        None stands for all of them, and says that all living lanes take part.  `told` is what those knew who have
        arrived without waiting.
        """
        giving, taking = self.rows_of(arrived), self.rows_of(going)
        # A barrier orders all memory operations, so that it counts as a fence, too.
        self._spoken[arrived] = self._fenced[arrived] = self.now
        self.hear(going)
        if self._glimpsed.any():
            seen = np.bincount(self.cta_of_row[self.row_of_lane[arrived]], self._glimpsed[arrived], self.ctas) > 0
            self._glimpsed[going] |= seen[self.cta_of_row[self.row_of_lane[going]]]
        self.publish(giving, arrived)
        self._join(self.known, giving, taking)
        if told is not None and len(taking):
            if told.shape[2] != self.columns:
                told = self._like(told)
            self.known[:, taking] = np.maximum(self.known[:, taking], told[:, self.cta_of_row[taking]])
        if self.machine.flags is not None:
            for table in (*self.machine.flags.seen.values(), *self.machine.flags.fenced.values()):
                self._join(table, giving, taking)
        word = np.uint64(st.floor_word(self.now))
        self.warp_floor[going] = word
        if whole is None:
            self.floor[going] = word
            self.everyone = int(word)
        else:
            lanes = np.arange(len(self.floor))[going]
            self.floor[lanes[whole[self.machine.batch.cta[lanes]]]] = word
            self.everyone = int(self.floor[self.machine.alive].min(initial=word))
        # What a barrier of all threads has ordered stays ordered: this lets later questions be answered by pages
        # without looking at cells.
        np.maximum(self.sure[:, : self.warps], self.everyone >> st.TIME_AT, out=self.sure[:, : self.warps])
        self.tick()

    def _join(self, table: Array, giving: Array, taking: Array) -> None:
        planes, _, columns = table.shape
        # All rows take part: rows are warps by CTAs, so the maximum over the first of the two is one operation.
        if len(giving) == self.rows:
            joined = table.reshape(planes, self.warps, self.ctas, columns).max(axis=1)
        else:
            joined = np.zeros((planes, self.ctas, columns), np.uint32)
            for role in np.unique(giving // self.ctas):
                rows = giving[giving // self.ctas == role]
                ctas = self.cta_of_row[rows]
                joined[:, ctas] = np.maximum(joined[:, ctas], table[:, rows])
        table[:, taking] = np.maximum(table[:, taking], joined[:, self.cta_of_row[taking]])

    def warp_barrier(self, lanes: Lanes, masks: Array) -> None:
        """Lanes of warps have met, each with those of its mask that are there: what has ended has met nobody."""
        word, index = np.uint64(st.floor_word(self.now)), lanes.index
        whole = masks == np.uint32(0xFFFF_FFFF)
        if lanes.mask is not None or self.machine.exits.any:
            exist = self.machine.batch.exists.reshape(-1, WARP).sum(axis=1)
            # A full mask is a meeting of the whole warp only if all lanes that exist are there; a lane that has ended,
            # or waits elsewhere, has met nobody.
            whole &= (np.bincount(index[whole] // WARP, minlength=len(exist)) == exist)[index // WARP]
        self._share(index[whole])
        self.warp_floor[index[whole]] = word
        for mask in np.unique(masks[~whole]).tolist():
            there = index[(masks == np.uint32(mask)) & ~whole]
            self._share(there)
            rows = there[changes(there // WARP)] // WARP
            present = np.zeros((len(rows), WARP), np.bool_)
            present[np.searchsorted(rows, there // WARP), there % WARP] = True
            # Warps with the same members are joined at once: most kernels have one or two kinds of masks.
            for members in np.unique(present, axis=0):
                self._meet(rows[(present == members).all(axis=1)], np.flatnonzero(members))
        self.tick()

    def _share(self, lanes: Array) -> None:
        """Lanes of warps have met: they have heard what one of those who are there has heard, and nothing of others."""
        if not lanes.size:
            return
        first = changes(lanes // WARP)
        self._fenced[lanes] = np.maximum(self._fenced[lanes], self._fence_at[lanes])
        for table in (self._heard, self._glimpsed):
            latest = np.maximum.reduceat(table[lanes], first)
            table[lanes] = np.repeat(latest, np.diff(first, append=len(lanes)))

    def _meet(self, rows: Array, members: Array) -> None:
        if self.partial is None:
            self.partial = np.zeros((len(self.floor), WARP), np.uint32)
        lanes = rows[:, None] * WARP + members
        joined = self.partial[lanes].max(axis=1, keepdims=True)
        floors = self.warp_floor[lanes].max(axis=1, keepdims=True)
        joined = np.maximum(joined, (floors >> np.uint64(st.TIME_AT)).astype(np.uint32)[:, :, None])
        joined[:, :, members] = self.now
        self.partial[lanes] = joined

    # -- mbarriers --------------------------------------------------------------------------------------------

    def unaware(self, lanes: Array | slice, places: Array) -> int:
        """A lane that arrives at an mbarrier of which an earlier phase has ended, as it need not know; -1 without one.

        Its arrival may as well count for that phase.
        """
        met = self._meetings(lanes, places)
        if met.slot >= 0:
            if not self._ended[met.slot]:
                return -1
            rows, slots = met.rows, met.slots[:1]
        else:
            ended = self._ended[met.slots]
            if not any_of(ended):
                return -1
            rows, slots = met.rows[ended], met.slots[ended]
        known = self.known[KNOWN, met.span if met.slot >= 0 else rows]
        if self._lent:
            known = np.maximum(known, self._aware[self.cta_of_row[rows]])
        # An arrival that knows the end of the last phase must be later than it; one that does not may have been meant
        # for the phase that has ended.
        unheard = self._done[KNOWN, slots] > known
        return int(rows[int(unheard.any(axis=1).argmax())]) * WARP if any_of(unheard) else -1

    def lend(self, lane: int, place: int) -> None:
        """A lane starts a copy that completes on an mbarrier: who waits there has what it had waited for."""
        slot, row = int(self._numbers(np.array([place]))[0]), lane // WARP
        self._lent[slot] = np.maximum(self._lent.get(slot, 0), self.known[KNOWN, row])

    def arrive(
        self, lanes: Array | slice, places: Array, remote: bool = True, torn: int = -1, *, relaxed: bool = False
    ) -> None:
        """Lanes arrive at mbarriers at byte indices: what they know goes to those who wait for the phase.

        Unless `remote`, the arrival tells only the own CTA.  The warp `torn` has lanes that arrive in the next phase:
        it does not tell what it has just done.  A `relaxed` arrival tells what its warp knew at its last fence.
        """
        met = self._meetings(lanes, places)
        self.speak(lanes, relaxed=relaxed)
        if not remote and self.clustered:
            own = met.places // self.machine.memory.shared.stride == self.cta_of_row[met.rows]
            met = Meeting(met.rows[own], met.slots[own], met.places[own], met.numbering)
        if relaxed and (self.machine.flags is not None or self.tensor):
            near = met.places // self.machine.memory.shared.stride == self.cta_of_row[met.rows]
            met.gather(self._current, np.where(near[:, None], *(self._fenced_by(met.rows, level) for level in (0, 1))))
        else:
            self.publish(met.rows if torn < 0 else met.rows[met.rows != torn], lanes)
            met.gather(self._current, self.known[:, met.span])
        self.tick()

    def _fenced_by(self, rows: Array, level: int) -> Array:
        """What relaxed operations of rows tell: what they knew at their last fence, and at that of tensor memory."""
        flags = self.machine.flags
        told = np.zeros_like(self.known[:, rows]) if flags is None else flags.fenced_by(rows, level)
        if self.tensor:
            told[self.tensor] = self.known[self.tensor, rows]
        return told

    def commit(self, lanes: Array, places: Array) -> None:
        """Lanes let asynchronous operations that they have started arrive at mbarriers when these are done.

        Who waits there knows of them whatever the scope of its wait, and of the copies that these have read.
        """
        if self.tensor:  # A commit lets through what a fence before it would.
            rows = lanes // WARP
            self.known[self.tensor, rows, self.column(rows)] = self.now
        self.arrive(lanes, places)
        far = places // self.machine.memory.shared.stride != self.cta_of_row[lanes // WARP]
        if not any_of(far):
            return
        for row, slot in zip((lanes[far] // WARP).tolist(), self._numbers(places[far]).tolist(), strict=True):
            told = np.zeros(self.columns, np.uint32)
            told[self.rows :], told[row] = self.known[KNOWN, row, self.rows :], self.known[KNOWN, row, row]
            self._sent[slot] = np.maximum(self._sent.get(slot, 0), told)

    def completed(self, places: Array, engine: int) -> None:
        """What an engine and those of other CTAs have copied is told at mbarriers at byte indices."""
        columns = self.column(engine // WARP + 0 * places)
        self._current[self._certain, self._numbers(places), columns] = self.now
        self.tick()

    def copied(self, lanes: Array, engine: int) -> None:
        """Lanes have waited for what an engine has copied for them."""
        rows = self.row_of_lane[lanes]
        self.hear(lanes)
        self.known[self._certain, rows, self.column(engine // WARP + 0 * rows)] = self.now
        self.tick()

    def complete(self, places: Array) -> None:
        """The phases of mbarriers complete: who waits learns what was told, and that their copies are there."""
        if len(places) > 1 and not all_of(places[1:] > places[:-1]):
            places = np.unique(places)
        slots = self._numbers(places)
        which = slice(int(slots[0]), int(slots[0]) + 1) if len(slots) == 1 else slots
        self._done[:, which] = np.maximum(self._done[:, which], self._current[:, which])
        # What arrives from here on belongs to the next phase; `_done` keeps accumulating, because whoever waits for a
        # phase has waited for all before it.
        self._current[:, which] = 0
        self._ended[which] = True
        for slot in slots.tolist() if self._sent else ():
            if slot in self._sent:
                self._given[slot] = np.maximum(self._given.get(slot, 0), self._sent.pop(slot))
        stride = self.machine.memory.shared.stride
        for place, slot in zip(places.tolist(), slots.tolist(), strict=True) if self._roles else ():
            role = self._roles.get(place % stride)
            if role is not None:
                column = role * self.ctas + place // stride if self.wide else role
                pending = self.machine.bulk.unfinished(place)
                # Copies that are still in flight complete a later phase: of the engine only what it did before the
                # oldest of them is known.
                done = pending - 1 if pending else self.now
                self._done[self._certain, slot, column] = np.maximum(self._done[self._certain, slot, column], done)
        self.tick()

    def news(self, lanes: Array | slice, places: Array) -> Array:
        """Whether lanes that wait for phases that have completed would learn anything new: if not, they must have."""
        met = self._meetings(lanes, places)
        if met.slot >= 0 and not any_of(self._done[KNOWN, met.slot] > self.known[KNOWN, met.span]):
            return np.zeros(len(places), np.bool_)
        rows, slots = self.row_of_lane[lanes], self._numbers(places)
        fresh: Array = (self._done[KNOWN, slots] > self.known[KNOWN, rows]).any(axis=1)
        return fresh

    def wait(self, lanes: Array | slice, places: Array, remote: bool = True) -> None:
        """Lanes have waited for phases of mbarriers; unless `remote`, they learn of their own CTA only."""
        met = self._meetings(lanes, places)
        rows, slots = met.rows, met.slots
        self.hear(lanes)
        self.tick()  # What comes now is later than what has been heard.
        for row, slot in zip(rows.tolist(), slots.tolist(), strict=True) if self._lent else ():
            if slot in self._lent:
                aware = self._aware[self.cta_of_row[row]]
                np.maximum(aware, self._lent[slot], out=aware)
        if not remote and self.wide:
            for row, slot in zip(rows.tolist(), slots.tolist(), strict=True):
                own = slice(row % self.ctas, None, self.ctas)
                self.known[:, row, own] = np.maximum(self.known[:, row, own], self._done[:, slot, own])
                if slot in self._given:
                    self.known[KNOWN, row] = np.maximum(self.known[KNOWN, row], self._given[slot])
        elif met.slot >= 0:
            known = self.known[:, met.span]
            np.maximum(known, self._done[:, met.slot, None], out=known)
            if not isinstance(met.span, slice):
                self.known[:, rows] = known
        elif met.once:
            self.known[:, rows] = np.maximum(self.known[:, rows], self._done[:, slots])
        else:
            for row, slot in zip(rows.tolist(), slots.tolist(), strict=True):
                self.known[:, row] = np.maximum(self.known[:, row], self._done[:, slot])
        told = self._done[KNOWN, slots[0] if met.slot >= 0 else slots, self.column(rows)]
        if not told.any():
            return
        whole = isinstance(lanes, slice) and len(rows) == len(places) // WARP
        if whole and all_of(np.minimum.reduce(self._spoken[lanes].reshape(-1, WARP), axis=1) >= told):
            floors = self.warp_floor[lanes].reshape(-1, WARP)
            np.maximum(floors, floors_of(told)[:, None], out=floors)
            return
        mine = self.row_of_lane[lanes]
        self._inform(lanes, self._done[KNOWN, self._slots[places >> 3], self.column(mine)])

    def glimpse(self, lanes: Array | slice, places: Array, remote: bool) -> None:
        """Lanes have waited for phases by relaxed operations: they learn of them at their next fence."""
        met = self._meetings(lanes, places)
        self.meet_flags(lanes)
        for row, slot in zip(met.rows.tolist(), met.slots.tolist(), strict=True):
            if self.tensor:
                own = slice(None) if remote or not self.wide else slice(row % self.ctas, None, self.ctas)
                mine = self.known[self.tensor, row, own]
                np.maximum(mine, self._done[self.tensor, slot, own], out=mine)
            if self.machine.flags is None:
                continue
            self.machine.flags.glimpse(row, self._done[:, slot], remote)

    def _meetings(self, lanes: Array | slice, places: Array) -> Meeting:
        """The pairs of a warp and an mbarrier that lanes make."""
        last = self.machine.memory.shared.last
        spot = last if last is not None and last.index is places and last.lanes is lanes else None
        if spot is not None and spot.meeting is not None and spot.meeting.numbering is self._slots:
            return spot.meeting
        rows = self.row_of_lane[lanes]
        change = np.ones(len(rows), np.bool_)
        change[1:] = (rows[1:] != rows[:-1]) | (places[1:] != places[:-1])
        new = np.flatnonzero(change)
        meeting = Meeting(rows[new], self._numbers(places[new]), places[new], self._slots)
        if spot is not None:
            spot.meeting = meeting
        return meeting

    def _numbers(self, places: Array) -> Array:
        slots = self._slots[places >> 3]
        if any_of(slots < 0):
            for place in np.unique(places[slots < 0] >> 3).tolist():
                self._slots[place] = self._count
                self._count += 1
            slots = self._slots[places >> 3]
            missing = self._count - self._current.shape[1]
            if missing > 0:
                more = np.zeros((self.planes, max(32, missing), self.columns), np.uint32)
                self._ended = np.concatenate([self._ended, np.zeros(more.shape[1], np.bool_)])
                self._current = np.concatenate([self._current, more], axis=1)
                self._done = np.concatenate([self._done, more], axis=1)
        return slots

    # -- clusters ---------------------------------------------------------------------------------------------

    def arrive_cluster(self, lanes: Lanes, phases: Array, ordered: bool) -> None:
        """Lanes arrive at the barriers of their clusters in a phase; relaxed ones tell what they last fenced."""
        self.widen()
        self.speak(lanes.select, relaxed=not ordered)
        for key, rows in self._clusters(lanes, phases):
            if ordered:
                told = self.all_of(rows, lanes.select).max(axis=1)
            else:
                told = self._fenced_by(rows, 1).max(axis=1)
            for column, time in (self.begun[row] for row in rows.tolist() if row in self.begun):
                told[KNOWN, column] = max(time, int(told[KNOWN, column]))
            before = self._told.get(key)
            self._told[key] = told if before is None else np.maximum(before, told)
        self.tick()

    def begin(self, lane: int, engine: int) -> None:
        """A lane has fenced what an engine counts as having initialised: it knows of that, and its arrivals tell it."""
        row, column = lane // WARP, int(self.column(np.array([engine // WARP]))[0])
        self.known[KNOWN, row, column] = self._heard[lane] = self.now
        self.begun[row] = column, self.now
        self.tick()

    def wait_cluster(self, lanes: Lanes, phases: Array) -> None:
        """Lanes have waited at the barriers of their clusters."""
        self.hear(lanes.select)
        for key, rows in self._clusters(lanes, phases):
            told = self._told.get(key)
            if told is not None:
                self.learn(rows, told)
        self.tick()  # What comes now is later than what has been heard.

    def _clusters(self, lanes: Lanes, phases: Array) -> list[tuple[tuple[int, int], Array]]:
        rows = self.row_of_lane[lanes.select]
        clusters = self.machine.batch.cta[lanes.select] // self.machine.launch.cluster_ctas
        keys = np.unique(np.stack([clusters, phases]), axis=1)
        return [((c, p), np.unique(rows[(clusters == c) & (phases == p)])) for c, p in keys.T.tolist()]


class Meeting:
    """Pairs of a warp (its row) and an mbarrier: its number in a numbering, and its byte index.

    `once`: each warp has one mbarrier only; `slot` is the number of the only one that there is, -1 where there are
    several.  `span` are the rows, as a slice where they lie together.
    """

    __slots__ = ("_order", "numbering", "once", "places", "rows", "slot", "slots", "span")

    def __init__(self, rows: Array, slots: Array, places: Array, numbering: Array) -> None:
        self.rows, self.slots, self.places, self.numbering = rows, slots, places, numbering
        self.once = all_of(rows[1:] > rows[:-1])
        alone = self.once and len(slots) > 0 and all_of(slots == slots[0])
        self.slot = int(slots[0]) if alone else -1
        self.span = span(rows) if alone else rows
        self._order: tuple[Array, Array, Array] | None = None

    def gather(self, table: Array, values: Array) -> None:
        """The greatest of what `table` holds and `values` (planes by pairs by columns) at the mbarriers."""
        if self.slot >= 0:
            mine = table[:, self.slot]
            np.maximum(mine, np.maximum.reduce(values, axis=1), out=mine)
            return
        if self._order is None:
            order = np.argsort(self.slots, kind="stable")
            ordered = self.slots[order]
            first = changes(ordered)
            self._order = order, first, ordered[first]
        order, first, slots = self._order
        if len(first) == 1:
            mine = table[:, slots[0]]
            np.maximum(mine, values.max(axis=1), out=mine)
        elif first.size:
            each = np.maximum.reduceat(values[:, order], first, axis=1)
            table[:, slots] = np.maximum(table[:, slots], each)
