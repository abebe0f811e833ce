"""Which accesses race with those that cells remember, and what is said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.errors import Severity
from weft.sim import proxies
from weft.sim import stamps as st
from weft.sim.clock_rows import KNOWN
from weft.sim.clocks import Clocks
from weft.sim.doubts import Doubts
from weft.sim.lanes import WARP, Array, all_of, any_of, numbers
from weft.sim.race_cells import Cells, Values
from weft.sim.race_log import Note
from weft.sim.race_reports import (
    OVER_READ,
    OVER_WRITE,
    READS,
    TOGETHER,
    nearly_equal,
    number,
    other_side,
    other_thread,
    remedy,
    values_of,
)
from weft.sim.redundant import Redundancy
from weft.sim.site import Site
from weft.sim.space import Space

if TYPE_CHECKING:
    from weft.sim.machine import Machine

_SPILLED, _MANY, _RELEASED = (np.uint64(bit) for bit in (st.SPILLED, st.MANY, st.RELEASED))
_LANES = st.LANE_MASK ^ _MANY


class Checks(Cells):
    """The comparison of accesses with the cells of a space."""

    def __init__(self, machine: Machine, space: Space, clocks: Clocks) -> None:
        super().__init__(machine, space, clocks)
        self._redundancy = Redundancy()

    def _compare(self, site: Site, note: Note, message: str, values: Values | None = None) -> Array | None:
        """Fault when lanes do not know of the stamps of bytes: of their writers, or (`OVER_READ`) of their readers.

        The lanes that are excused, since they store what is there already.
        """
        if message is OVER_READ:
            self.flush(note.at)
        else:
            self._flush_writes(note.at)
        index, lanes, size, word = note.index, note.lanes, note.size, note.word
        mine = self._mine(note)
        place, count = self._places(note)
        table = (self.read if message is OVER_READ else self.written).reshape(-1, count)
        stamps = table[:, 0][place] if count == 1 else np.take(table, place, axis=0)
        newest = int(stamps.max(initial=0))
        # The newest of these accesses is older than the last barrier of all threads, so nothing can be unordered: the
        # usual case.
        if newest <= (self.clocks.everyone if self.local else 0):
            return None
        each = mine if count == 1 else mine[:, None]
        # Program order: a lane's own stamp, if it stands for this lane alone, needs no further look.
        suspects = ((stamps ^ each) | (stamps & _MANY)) & st.LANE_MASK != 0
        # `ld.global.nc` promises that nobody writes the memory while the kernel runs: any write of this launch breaks
        # that, ordered or not.
        if site.opcode.get("nc") and message is READS:
            suspects = stamps != 0
        elif self.local:
            floor = self.clocks.floor[lanes]
            suspects &= stamps > (floor if count == 1 else floor[:, None])
            if newest & st.SPILLED or (self.readers if message is OVER_READ else self.writers) is not None:
                suspects |= stamps & _SPILLED != 0
        else:
            if self.clocks.first > 1:
                suspects |= stamps < np.uint64(self.clocks.first << st.TIME_AT)
            suspects |= stamps & _SPILLED != 0
            suspects &= stamps != 0
        if not any_of(suspects):
            return None
        at = np.nonzero(suspects)
        who, found = numbers(lanes, len(index))[at[0]], stamps[suspects]
        bad = np.ones(len(found), np.bool_) if site.opcode.get("nc") else self._races(found, who, word)
        # The cell itself holds only the latest access; others that are not ordered with it are in the table, and each
        # must be ordered with this one.
        spilled = found & _SPILLED != 0
        others = self.readers if message is OVER_READ else self.writers
        cells = place[at[0]] * count + (0 if count == 1 else at[1])
        if self.machine.doubts is not None and message is not OVER_WRITE:
            bad &= ~self._doubted(self.machine.doubts, site, message, found, bad & ~spilled, who, cells)
        if any_of(spilled) and others is not None:
            which = np.flatnonzero(spilled)
            more = others.reshape(-1, self.columns)[cells[which]]
            each, where = np.repeat(who[which], self.columns), np.repeat(cells[which], self.columns)
            flat = more.reshape(-1)
            flat[(flat & _RELEASED != 0) & self._in_scope(flat, each, word)] = 0
            worse = self._races(flat, each, word)
            if self.machine.doubts is not None and message is OVER_READ:
                worse &= ~self._doubted(self.machine.doubts, site, message, flat, worse, each, where)
            worse = worse.reshape(more.shape)
            some = worse.any(axis=1)
            bad[which] = some
            found[which] = np.where(some, more[np.arange(len(more)), worse.argmax(axis=1)], found[which])
        if self.local and site.opcode.get("sem") == "volatile":
            found_odd = ~bad & self._unsynchronised(found, who)
            if any_of(found_odd):
                self._blame(site, *_spread(index, at[0], found, found_odd), note, message, values, Severity.NOTE)
        if not any_of(bad):
            return None
        culprits, lanes_bad = _spread(index, at[0], found, bad)
        excused = None
        if message is not READS:
            excused = self._unchanged(index, size, values) & lanes_bad
            lanes_bad &= ~excused
        self._blame(site, culprits, lanes_bad, note, message, values)
        return excused

    def _doubted(
        self, doubts: Doubts, site: Site, message: str, stamps: Array, bad: Array, lanes: Array, cells: Array
    ) -> Array:
        """Which races of accesses with stamps are of plain loads, which are noted as doubtful."""
        found = np.zeros(len(stamps), np.bool_)
        for which in np.flatnonzero(bad).tolist():
            stamp, lane, cell = int(stamps[which]), int(lanes[which]), int(cells[which])
            load, who = site, [lane]
            if message is OVER_READ:
                earlier = self.clocks.site(stamp)
                if earlier is None or stamp & st.ENGINE or stamp < self.clocks.first << st.TIME_AT:
                    continue
                load, who = earlier, [stamp >> st.LANE_AT & (1 << st.LANE_BITS) - 1]
                if stamp & st.MANY:
                    first = who[0] - who[0] % WARP
                    who = [one for one in range(first, first + WARP) if one != lane]
            found[which] = doubts.note(load, self.space, who, [cell << self.shift] * len(who))
        return found

    def _races(self, stamps: Array, lanes: Array, word: int) -> Array:
        """Which stamps conflict with accesses of lanes: unordered, and not a strong pair."""
        plane = KNOWN if self.shared else self.clocks.far
        bad = (stamps != 0) & ~self.clocks.orders(stamps, lanes, self.local, plane, bool(word & st.MANY))
        if not any_of(bad):
            return bad
        now = self.clocks.site(word)
        if self.clocks.relayed and now is not None and now.opcode.stem in proxies.USERS:
            bad[bad] = ~self.clocks.orders(stamps[bad], lanes[bad], self.local, self.clocks.relayed)
        if word & st.STRONG:
            bad &= ~self._strong_pair(stamps, lanes, word)
            if word >> 3 & 3 == st.SCOPES["sys"] and self.machine.flags is not None:
                bad[bad] = ~self.machine.flags.glimpsed(stamps[bad], lanes[bad])
        if now is not None and now.opcode.stem == "mbarrier.inval":
            bad[bad] = ~self._used(stamps[bad], lanes[bad])
        kinds = np.array([swaps(site) for site in self.clocks.sites])
        mine = word >> st.SITE_AT & (1 << st.SITE_BITS) - 1
        if any_of(kinds > 0) and len(kinds) < 1 << st.SITE_BITS and kinds[mine]:
            theirs = (stamps >> np.uint64(st.SITE_AT)).astype(np.int64) & (1 << st.SITE_BITS) - 1
            bad &= kinds[theirs] * kinds[mine] != -1
        if any_of(bad) and not self.shared:
            bad[bad] = ~self._idle(stamps[bad], lanes[bad], word)
        return bad

    def _used(self, stamps: Array, lanes: Array) -> Array:
        """Which stamps are arrivals and waits at mbarriers by lanes of the warps of those that put an end to them.

        So `cuda::pipeline` does it, after a `match`. Who uses one later is told that it does not exist.
        """
        found = self._warp_of(stamps) == lanes // WARP
        sites = (self.clocks.site(int(stamp)) for stamp in stamps[found].tolist())
        found[found] = [one is not None and one.opcode.stem.startswith("mbarrier.") for one in sites]
        return found

    def _unsynchronised(self, stamps: Array, lanes: Array) -> Array:
        """Which volatile accesses of other lanes of their warps, which do not race, lanes do not know of."""
        other = self._lane_of(stamps)
        found = (stamps != 0) & (other // WARP == lanes // WARP) & ((other != lanes) | (stamps & _MANY != 0))
        if any_of(found):
            sites = (self.clocks.site(int(stamp)) for stamp in stamps[found].tolist())
            found[found] = [one is not None and one.opcode.get("sem") == "volatile" for one in sites]
            found[found] = ~self.clocks.orders(stamps[found], lanes[found], self.local)
        return found

    def _idle(self, stamps: Array, lanes: Array, word: int) -> Array:
        """Which conflicts with other threads of the cluster are of loads whose values the threads that load never use.

        Where several have read, all of the warps that share a column must not use it, save the one that stores.
        """
        found = np.zeros(len(stamps), np.bool_)
        now = self.clocks.site(word)
        if now is None:
            return found
        loads = now.opcode.stem == "ld"
        who = self._lane_of(stamps)
        who = np.minimum(who, self.machine.batch.lanes - 1)  # Engines have numbers beyond.
        near = self.machine.batch.cta[who] // self.cluster == self.machine.batch.cta[lanes] // self.cluster
        near &= (stamps >= np.uint64(self.clocks.first << st.TIME_AT)) & (stamps & np.uint64(st.ENGINE) == 0)
        sites = (stamps >> np.uint64(st.SITE_AT)).astype(np.int64) & (1 << st.SITE_BITS) - 1
        several = stamps & _MANY != 0
        for which in set(sites[near].tolist()):
            earlier = self.clocks.site(which << st.SITE_AT)
            if earlier is None:
                continue
            these = near & (sites == which)
            load, store = (now, earlier) if loads else (earlier, now)
            idle = self._redundancy.idle(load, store, before=not loads)
            if idle is None:
                continue
            found[these] = idle[(lanes if loads else who)[these]]
            if loads:
                continue
            for at in np.flatnonzero(these & several).tolist():
                found[at] = all_of(idle[self._sharing(int(who[at]), int(lanes[at]))])
        return found

    def _sharing(self, reader: int, writer: int) -> Array:
        """The lanes of the warps of a cluster whose reads stand in a reader's column, without the writer's warp."""
        ctas, row = self.clocks.ctas, reader // WARP
        peers = row % ctas // self.cluster * self.cluster + np.arange(self.cluster)
        rows = (np.arange(self.machine.launch.warps)[:, None] * ctas + peers).reshape(-1)
        rows = rows[(self._column_of(rows) == self._column_of(np.array([row]))) & (rows != writer // WARP)]
        return (rows[:, None] * WARP + np.arange(WARP)).reshape(-1)

    def _strong_pair(self, stamps: Array, lanes: Array, word: int) -> Array:
        """Which stamps are strong, of the width of a strong access, and in a scope that includes both."""
        pair = (stamps & np.uint64(st.STRONG) != 0) & (stamps & st.WIDTHS == np.uint64(word & int(st.WIDTHS)))
        return pair if self.local else pair & self._in_scope(stamps, lanes, word)

    def _in_scope(self, stamps: Array, lanes: Array, word: int) -> Array:
        """Which strong accesses have lanes in their scopes, and are themselves in those of strong ones of these."""
        if self.local:
            return np.ones(len(stamps), np.bool_)
        ctas = self.clocks.ctas
        other = self._lane_of(stamps)
        theirs, mine = other // WARP % ctas, lanes // WARP % ctas
        # Morally strong: each thread must be in the scope of the other's operation, which is so if both are within the
        # narrower of the two.
        scope = np.minimum(st.scope(stamps), np.uint64(word >> 3 & 3 if word & st.STRONG else st.SCOPES["sys"]))
        stale = stamps < np.uint64(self.clocks.first << st.TIME_AT)
        near = ((scope == 0) & (theirs == mine)) | ((scope == 1) & (theirs // self.cluster == mine // self.cluster))
        return (scope >= 2) | (near & ~stale)

    def _unchanged(self, index: Array, size: int, values: Values | None) -> Array:
        """Which lanes store what is there already."""
        if values is None:
            return np.zeros(len(index), np.bool_)
        there = self.space.bytes[index[:, None] + np.arange(size)]
        same: Array = np.all(there == values(), axis=1, keepdims=True)
        return same.reshape(-1)

    def _together(self, site: Site, note: Note, values: Values | None) -> None:
        """Fault when lanes write different values to one place at once."""
        self._flush_writes(note.at)
        index, lanes, word = note.index, note.lanes, note.word
        place, count = self._places(note)
        last = self.written.reshape(-1, count)[:, 0][place]
        lost = (last ^ self._mine(note)) & _LANES != 0
        if any_of(lost):
            if word & st.STRONG:
                lost &= ~self._strong_pair(last, numbers(lanes, len(index)), word)
            self._blame(site, last, lost & ~_alike(index, values), note, TOGETHER, values)

    def _blame(
        self,
        site: Site,
        stamps: Array,
        bad: Array,
        note: Note,
        message: str,
        values: Values | None = None,
        severity: Severity = Severity.ERROR,
    ) -> None:
        lanes, index, size = note.lanes, note.index, note.size
        if not any_of(bad):
            return
        volatile = severity is Severity.NOTE
        if values is not None and message is not OVER_READ and not volatile:
            odd = bad & ~self._rounded(stamps, note, values(), together=message is TOGETHER)
            bad, severity = (odd, severity) if any_of(odd) else (bad, Severity.NOTE)
        all_lanes = numbers(lanes, len(index))
        # A conflict between warps is the more telling one to report: those inside a warp often follow from it.
        far = bad & (self._warp_of(stamps) != all_lanes // WARP)
        which = int((far if any_of(far) else bad).argmax())
        lane, stamp = int(all_lanes[which]), int(stamps[which])
        lane = self._apart_from(stamp, lane, note.word)
        offset = self.space.address_of(int(index[which]), lane)
        other, where, engine = other_side(self.clocks, stamp, lane)
        wrote, read = ("writes", "reads") if engine else ("wrote", "read")
        text = f"{message.format(other=other, wrote=wrote, read=read)}{where} at {self.space.name} address {offset:#x}"
        promised = message is READS and bool(site.opcode.get("nc"))
        why = "though .nc promises that nobody writes there" if promised else "without synchronization between them"
        fault = site.fault("race", f"{text}, {why}", lane, offset)
        earlier = self.clocks.site(stamp)
        site.against(fault, earlier)
        fault.other_value = number(self.space.bytes, int(index[which]), size)
        if values is not None:
            stored = values()
            fault.value = number(stored[which], 0, size)
            if message is TOGETHER:
                fault.other_value = number(stored[np.flatnonzero(index == index[which])[-1]], 0, size)
        said = values_of(fault.value, fault.other_value, message)
        if earlier is not None and earlier.opcode.stem == "mbarrier.init":
            fault.hint = "put a barrier between mbarrier.init and the first use by other threads"
        else:
            fault.other_thread = other_thread(self.clocks, stamp, lane)
            whose = f"; the other access is by {fault.other_thread}" if fault.other_thread is not None else ""
            mended = remedy(self.clocks, stamp, lane, message, note.word, site.position.line)
            mended = "use a load without .nc" if promised else mended
            fault.hint = f"{mended}; {said}{whose}"
        if volatile:
            fault.hint = f"{said}; volatile accesses do not synchronize: insert bar.warp.sync between the two"
        elif severity is Severity.NOTE:
            fault.hint = f"{said}: copies of one value, rounded differently; either may remain"
        site.report(fault, severity)

    def _apart_from(self, stamp: int, lane: int, word: int) -> int:
        """The lane to name for an access: of a whole warp, one that has not made the other access itself."""
        other = stamp >> st.LANE_AT & (1 << st.LANE_BITS) - 1
        if word & st.MANY and other == lane and not stamp & st.ENGINE:
            others = np.flatnonzero(self.machine.alive[lane + 1 : lane - lane % WARP + WARP])
            return lane + 1 + int(others[0]) if others.size else lane
        return lane

    def _rounded(self, stamps: Array, note: Note, stored: Array, *, together: bool) -> Array:
        """Which lanes store by the same instruction as others what differs from what these store in rounding only."""
        if together:
            _, first, group = np.unique(note.index, return_index=True, return_inverse=True)
            group = group.reshape(-1)
            near = nearly_equal(stored, stored[first[group]])
            near = ~np.isin(group, group[~near])
        else:
            near = nearly_equal(stored, self.space.bytes[note.index[:, None] + np.arange(note.size)])
        sites = np.uint64((1 << st.SITE_BITS) - 1 << st.SITE_AT)
        same: Array = (stamps & sites) == (np.uint64(note.word) & sites)
        return same & near


def _spread(index: Array, at: Array, found: Array, chosen: Array) -> tuple[Array, Array]:
    """The stamps that were found for accesses, and which of these have some: those that are chosen."""
    stamps, bad = np.zeros(len(index), np.uint64), np.zeros(len(index), np.bool_)
    stamps[at[chosen]], bad[at[chosen]] = found[chosen], True
    return stamps, bad


def swaps(site: Site) -> int:
    """1 for `cas`, -1 for a plain load: a swap tells whether what the load has read is still there."""
    if site.opcode.stem == "atom":
        return 1 if site.opcode.get("op") == "cas" else 0
    return -1 if site.opcode.stem == "ld" and not site.stamp & st.STRONG else 0


def _alike(index: Array, values: Values | None) -> Array:
    """Which lanes store the same value as all the others that store to the same place."""
    if values is None:
        return np.zeros(len(index), np.bool_)
    stored = values()
    first: Array
    group: Array
    _, first, group = np.unique(index, return_index=True, return_inverse=True)
    same: Array = np.all(stored == stored[first[group]], axis=1, keepdims=True).reshape(-1)
    odd: Array = np.zeros(len(first), np.bool_)
    np.logical_or.at(odd, group, ~same)
    alike: Array = ~odd[group]
    return alike
