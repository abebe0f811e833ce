"""Races: two threads access the same bytes, one of them writes, and nothing orders the accesses.

A cell (as wide as the narrowest access of the kernel, four bytes at most) keeps the stamp (`weft.sim.stamps`) of its
last writer and of its last reader; of several readers that nothing orders the others stand in a table.  An access races
with an earlier one when its lane does not know of that stamp (`weft.sim.clocks`), unless both are strong, of one width,
and each in the other's scope.  Stores of the value that is there, or that all others store, do no harm; nor do plain
loads of what is only swapped (`atom.cas`), which looks whether the value is still the same.

Of global memory only the buffers that the kernel may store to are watched.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from weft.sim import stamps as st
from weft.sim.clocks import FENCED, Clocks
from weft.sim.lanes import WARP, Array
from weft.sim.memory import ARENA_BASE, Arena, Space
from weft.sim.site import Site
from weft.sim.stores import narrowest, stored_parameters

if TYPE_CHECKING:
    from weft.sim.machine import Machine

Values = Callable[[], Array]
"""Gives the bytes that a store writes, a row for each lane."""
_LOGGED = 48
"""Reads of shared memory that wait to be noted: most are forgotten at the next barrier."""
_FAR_READERS = 4
"""Readers of a place in global memory that are kept at most."""
_SPILLED, _MANY = np.uint64(st.SPILLED), np.uint64(st.MANY)
_LANES = st.LANE_MASK ^ _MANY
READS, OVER_WRITE, OVER_READ = (
    "reads what {other} {wrote}",
    "overwrites what {other} {wrote}",
    "overwrites what {other} {read}",
)


class Races:
    """The stamps of one space; `clocks` are those of the batch."""

    def __init__(self, machine: Machine, space: Space, clocks: Clocks) -> None:
        self.machine = machine
        self.space = space
        self.clocks = clocks
        self.local = space is machine.memory.shared and machine.launch.cluster_ctas == 1
        self.stride = machine.memory.shared.stride
        self.shared = space is machine.memory.shared
        self.cluster = machine.launch.cluster_ctas
        self.shift = narrowest(machine.program).bit_length() - 1
        self.columns = machine.launch.warps * self.cluster if self.shared else _FAR_READERS
        self._watched: list[bool] | None = None
        self._starts: list[int] = []
        self._stored = stored_parameters(machine.program) if isinstance(space, Arena) else None
        self._log: list[tuple[Array, int, Array]] = []
        self.forget()

    def forget(self) -> None:
        """Nothing has been accessed."""
        size = len(self.space.bytes) >> self.shift
        self.written: Array = np.zeros(size, np.uint64)
        self.read: Array = np.zeros(size, np.uint64)
        self.readers: Array | None = None
        self._log.clear()

    def restart(self) -> None:
        """A new launch begins: nothing has been accessed, and other buffers may be stored to."""
        self._watched = None

    def reset(self) -> None:
        """A new batch begins; what earlier ones did to global memory counts on."""
        if isinstance(self.space, Arena):
            if self._watched is not None:
                return
            self._choose(self.space)
        self.stride = self.machine.memory.shared.stride
        self.forget()

    def _choose(self, arena: Arena) -> None:
        """Which regions the kernel may store to; the heap is not watched, since `malloc` and `free` order its uses."""
        self._starts = [region.start - ARENA_BASE for region in arena.regions]
        if self._stored is None:
            kept = ("argument", "variable")
            self._watched = [region.writable and region.name.startswith(kept) for region in arena.regions]
            return
        self._watched = [region.writable and region.name.startswith("variable") for region in arena.regions]
        for name in self._stored:
            place = self.machine.parameters[name]
            words = arena.contents(place.address, place.size // 8 * 8).view(np.int64) - ARENA_BASE
            for pointer in words.tolist():
                number = bisect_right(self._starts, pointer) - 1
                if number >= 0 and pointer < arena.regions[number].end - ARENA_BASE:
                    self._watched[number] = arena.regions[number].writable

    def _idle(self, index: Array) -> bool:
        """Whether accesses touch no buffer that is watched."""
        if self._watched is None or not index.size:
            return not index.size
        low = bisect_right(self._starts, int(index.min())) - 1
        high = bisect_right(self._starts, int(index.max())) - 1
        return not any(self._watched[low : high + 1])

    def watches(self, index: Array) -> bool:
        """Whether byte indices may lie in buffers that the kernel stores to."""
        return not self._idle(index)

    def _cells(self, index: Array, size: int) -> tuple[Array, int]:
        """Numbers of groups of cells, and the cells of a group: one group for each access."""
        return index >> max(self.shift, size.bit_length() - 1), max(1, size >> self.shift)

    # -- accesses ---------------------------------------------------------------------------------------------

    def on_read(
        self, site: Site, index: Array, lanes: Array | slice, size: int, *, engines: Array | None = None
    ) -> None:
        """Lanes read `size` bytes (a power of two) at byte indices that are multiples of it.

        With `engines` these go on reading, one for each lane.
        """
        if self._idle(index):
            return
        word = self.clocks.word(site)
        mine = self.clocks.lane_words[lanes] + np.uint64(word)
        place, count = self._cells(index, size)
        self._check(site, self.written.reshape(-1, count), place, mine, lanes, index, READS, word)
        self._log.append((place, count, mine if engines is None else self._by(engines, word)))
        if not self.local or len(self._log) >= _LOGGED:
            self._flush()

    def on_write(self, site: Site, index: Array, lanes: Array | slice, size: int, values: Values | None = None) -> None:
        """Lanes write `size` bytes at byte indices; atomics too."""
        if self._idle(index):
            return
        self._flush()
        word = self.clocks.word(site)
        mine = self.clocks.lane_words[lanes] + np.uint64(word)
        place, count = self._cells(index, size)
        written, read = self.written.reshape(-1, count), self.read.reshape(-1, count)
        self._check(site, written, place, mine, lanes, index, OVER_WRITE, word, values, size)
        excused = self._check(site, read, place, mine, lanes, index, OVER_READ, word, values, size)
        each = mine if count == 1 else mine[:, None]
        cells = written[:, 0] if count == 1 else written
        cells[place] = each
        if not self.local:
            read[place if excused is None else place[~excused]] = 0
        if word & st.STRONG and (self.local or word >> 3 & 3 >= 2):
            return
        last = cells[place]
        lost = (last ^ each) & _LANES != 0
        if lost.any():
            last, lost = (last, lost) if count == 1 else (last[:, 0], lost.any(axis=1))
            if word & st.STRONG:
                lost &= ~self._strong_pair(last, _index(lanes, len(index)), word)
            self._blame(site, last, lost & ~_together(index, values), lanes, index, "writes together with {other}")

    def use(self, site: Site, index: Array, lanes: Array | slice) -> None:
        """Lanes use mbarriers: after their initialisation, and before their storage is used for something else."""
        word = self.clocks.word(site)
        mine = self.clocks.lane_words[lanes] + np.uint64(word)
        place, count = self._cells(index, 8)
        self._check(site, self.written.reshape(-1, count), place, mine, lanes, index, READS, word)
        self.read.reshape(-1, count)[place] = mine[:, None]

    def settle(self, site: Site, index: Array, lanes: Array | slice, size: int, *, write: bool, flags: int = 0) -> None:
        """What lanes have started to copy is done, now that they have waited: it counts as theirs of this moment."""
        if self._idle(index):
            return
        mine = self.clocks.lane_words[lanes] + np.uint64(self.clocks.word(site) | flags)
        place, count = self._cells(index, size)
        if not write:
            self._log.append((place, count, mine))
            return
        self.written.reshape(-1, count)[place] = mine[:, None]

    def by_engine(self, site: Site, index: Array, engine: int, size: int, flags: int = st.ASYNC) -> None:
        """An engine starts to write bytes, which is known to be done by those who wait for it."""
        if not self._idle(index):
            place, count = self._cells(index, size)
            word = self.clocks.word(site) | st.ENGINE | flags
            self.written.reshape(-1, count)[place] = np.uint64(word + (engine << st.LANE_AT))

    @staticmethod
    def _by(engines: Array, word: int) -> Array:
        return (engines.astype(np.uint64) << np.uint64(st.LANE_AT)) + np.uint64(word | st.ENGINE | st.ASYNC)

    def unfenced(self, index: Array, lanes: Array, size: int) -> tuple[Array, Array]:
        """Which bytes the async proxy may not see yet, that lanes read through it; and who has written them."""
        place, count = self._cells(index, size)
        stamps = self.written.reshape(-1, count)[place]
        generic = (stamps != 0) & (stamps & np.uint64(st.ASYNC) == 0)
        if generic.any():
            wide = np.broadcast_to(lanes[:, None], stamps.shape)
            generic[generic] = ~self.clocks.orders(stamps[generic], wide[generic], self.local, FENCED)
            proxies = self.machine.proxies
            if generic.any() and proxies is not None:
                generic[generic] = ~proxies.fenced(stamps[generic], wide[generic])
        which = generic.argmax(axis=1)
        return generic.any(axis=1), stamps[np.arange(len(stamps)), which]

    # -- readers ----------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        """Note the readers that the log holds."""
        log, self._log = self._log, []
        for place, count, mine in log:
            if self.local and int(mine.max(initial=0)) <= self.clocks.everyone:
                continue  # A barrier of all threads has come since.
            self._note(self.read.reshape(-1, count), place, count, mine)

    def _note(self, read: Array, place: Array, count: int, mine: Array) -> None:
        cells = read[:, 0] if count == 1 else read
        each = mine if count == 1 else mine[:, None]
        before = cells[place]
        cells[place] = each
        odd = (cells[place] ^ each) & st.LANE_MASK != 0
        kept = before > np.uint64(self.clocks.everyone if self.local else 0)
        if kept.any():
            kept &= ((before ^ each) & st.WARP_MASK != 0) | (before & _SPILLED != 0)
            odd |= kept
        if not odd.any():
            return
        numbers = place if count == 1 else place[:, None] * count + np.arange(count)
        if kept.any():
            self._spill(before[kept], numbers[kept])
        self.read[numbers[odd]] |= _SPILLED
        again = cells[place] & _SPILLED != 0
        self._spill(np.broadcast_to(each, again.shape)[again], numbers[again])

    def _spill(self, stamps: Array, cells: Array) -> None:
        """Keep stamps of readers of cells, by their warps."""
        if self.readers is None:
            self.readers = np.zeros(len(self.read) * self.columns, np.uint64)
        at = cells * self.columns + self._column(stamps)
        self.readers[at] = stamps & ~_SPILLED
        several = (self.readers[at] ^ stamps) & st.LANE_MASK != 0
        if several.any():
            self.readers[at[several]] |= _MANY

    @staticmethod
    def _warp_of(stamps: Array) -> Array:
        return (stamps >> np.uint64(st.LANE_AT)).astype(np.int64) >> 5 & (1 << st.LANE_BITS - 5) - 1

    def _column(self, stamps: Array) -> Array:
        row = self._warp_of(stamps)
        role, cta = row // self.clocks.ctas, row % self.clocks.ctas
        return (role * self.cluster + cta % self.cluster if self.shared else row) % self.columns

    # -- checks -----------------------------------------------------------------------------------------------

    def _check(
        self,
        site: Site,
        table: Array,
        place: Array,
        mine: Array,
        lanes: Array | slice,
        index: Array,
        message: str,
        word: int,
        values: Values | None = None,
        size: int = 0,
    ) -> Array | None:
        """Fault when lanes do not know of the stamps in a table.

        The lanes that are excused, since they store what is there already.
        """
        count = table.shape[1]
        stamps = table[:, 0][place] if count == 1 else table[place]
        newest = int(stamps.max(initial=0))
        if newest <= (self.clocks.everyone if self.local else 0):
            return None
        each = mine if count == 1 else mine[:, None]
        suspects = ((stamps ^ each) | (stamps & _MANY)) & st.LANE_MASK != 0
        if site.opcode.get("nc") and message is READS:
            suspects = stamps != 0
        elif self.local:
            floor = self.clocks.floor[lanes]
            suspects &= stamps > (floor if count == 1 else floor[:, None])
            if newest & st.SPILLED or (message is OVER_READ and self.readers is not None):
                suspects |= stamps & _SPILLED != 0
        else:
            if self.clocks.first > 1:
                suspects |= stamps < np.uint64(self.clocks.first << st.TIME_AT)
            suspects |= stamps & _SPILLED != 0
            suspects &= stamps != 0
        if not suspects.any():
            return None
        at = np.nonzero(suspects)
        who, found = _index(lanes, len(index))[at[0]], stamps[suspects]
        bad = np.ones(len(found), np.bool_) if site.opcode.get("nc") else self._races(found, who, word)
        spilled = found & _SPILLED != 0
        if spilled.any() and self.readers is not None:
            which = np.flatnonzero(spilled)
            cells = place[at[0][which]] * count + (0 if count == 1 else at[1][which])
            more = self.readers.reshape(-1, self.columns)[cells]
            worse = self._races(more.reshape(-1), np.repeat(who[which], self.columns), word).reshape(more.shape)
            some = worse.any(axis=1)
            bad[which] = some
            found[which] = np.where(some, more[np.arange(len(more)), worse.argmax(axis=1)], found[which])
        if not bad.any():
            return None
        lanes_bad, culprits = np.zeros(len(index), np.bool_), np.zeros(len(index), np.uint64)
        lanes_bad[at[0][bad]], culprits[at[0][bad]] = True, found[bad]
        excused = self._unchanged(index, size, values) & lanes_bad if size else None
        if excused is not None:
            lanes_bad &= ~excused
        self._blame(site, culprits, lanes_bad, lanes, index, message)
        return excused

    def _races(self, stamps: Array, lanes: Array, word: int) -> Array:
        """Which stamps conflict with accesses of lanes: unordered, and not a strong pair."""
        bad = (stamps != 0) & ~self.clocks.orders(stamps, lanes, self.local, many=bool(word & st.MANY))
        if not bad.any():
            return bad
        if word & st.STRONG:
            bad &= ~self._strong_pair(stamps, lanes, word)
            if word >> 3 & 3 == st.SCOPES["sys"] and self.machine.flags is not None:
                bad[bad] = ~self.machine.flags.glimpsed(stamps[bad], lanes[bad])
        numbers = np.array([_swaps(site) for site in self.clocks.sites])
        mine = word >> st.SITE_AT & (1 << st.SITE_BITS) - 1
        if (numbers > 0).any() and len(numbers) < 1 << st.SITE_BITS and numbers[mine]:
            theirs = (stamps >> np.uint64(st.SITE_AT)).astype(np.int64) & (1 << st.SITE_BITS) - 1
            bad &= numbers[theirs] * numbers[mine] != -1
        return bad

    def _strong_pair(self, stamps: Array, lanes: Array, word: int) -> Array:
        """Which stamps are strong, of the width of a strong access, and in a scope that includes both."""
        pair = (stamps & np.uint64(st.STRONG) != 0) & (stamps & st.WIDTHS == np.uint64(word & int(st.WIDTHS)))
        if self.local:
            return pair
        ctas = self.clocks.ctas
        other = (stamps >> np.uint64(st.LANE_AT)).astype(np.int64) & (1 << st.LANE_BITS) - 1
        theirs, mine = other // WARP % ctas, lanes // WARP % ctas
        scope = np.minimum(st.scope(stamps), np.uint64(word >> 3 & 3))
        stale = stamps < np.uint64(self.clocks.first << st.TIME_AT)
        near = ((scope == 0) & (theirs == mine)) | ((scope == 1) & (theirs // self.cluster == mine // self.cluster))
        return pair & ((scope >= 2) | (near & ~stale))

    def _unchanged(self, index: Array, size: int, values: Values | None) -> Array:
        """Which lanes store what is there already."""
        if values is None:
            return np.zeros(len(index), np.bool_)
        there = self.space.bytes[index[:, None] + np.arange(size)]
        same: Array = np.all(there == values(), axis=1, keepdims=True)
        return same.reshape(-1)

    def _blame(self, site: Site, stamps: Array, bad: Array, lanes: Array | slice, index: Array, message: str) -> None:
        if not bad.any():
            return
        all_lanes = _index(lanes, len(index))
        far = bad & (self._warp_of(stamps) != all_lanes // WARP)
        which = int((far if far.any() else bad).argmax())
        lane, stamp = int(all_lanes[which]), int(stamps[which])
        origin = self.space.origin
        offset = int(index[which]) - int(origin[lane]) if origin is not None else int(index[which]) + ARENA_BASE
        other, where, engine = self.other(stamp, lane)
        wrote, read = ("writes", "reads") if engine else ("has written", "has read")
        text = f"{message.format(other=other, wrote=wrote, read=read)}{where} at {self.space.name} address {offset:#x}"
        fault = site.fault("race", f"{text}, with nothing that orders them", lane, offset)
        earlier = self.clocks.site(stamp)
        fault.other = None if earlier is None else earlier.position
        fault.hint = self._hint(stamp, lane, engine) or fault.hint
        site.report(fault)

    def other(self, stamp: int, lane: int) -> tuple[str, str, bool]:
        """Who made a stamp, where, and whether it is an asynchronous operation."""
        batch, clocks = self.machine.batch, self.clocks
        site = clocks.site(stamp)
        line = site.position.line if site is not None else 0
        where = f" (line {line})" if line else ""
        other = stamp >> st.LANE_AT & (1 << st.LANE_BITS) - 1
        row = other // WARP
        role, cta = divmod(row, clocks.ctas)
        if stamp & st.ENGINE:
            return f"an asynchronous {site.opcode.stem if site else 'operation'}", where, True
        if (stamp >> st.TIME_AT & (1 << st.TIME_BITS) - 1) < clocks.first:
            return "a CTA that ran before", where, False
        if row == lane // WARP:
            several = "other lanes" if stamp & st.MANY else f"lane {other % WARP}"
            return f"{several} of the same warp", where, False
        who = f"warp {role}"
        if cta != int(batch.cta[lane]):
            who += f" of CTA {batch.thread(row * WARP).cta}"
        return who, where, False

    def _hint(self, stamp: int, lane: int, engine: bool) -> str:
        row = (stamp >> st.LANE_AT & (1 << st.LANE_BITS) - 1) // WARP
        if engine:
            return "wait for the operation first: at its mbarrier, or for its group"
        if row == lane // WARP:
            return "insert bar.warp.sync between the two accesses: nothing else orders the lanes of a warp"
        if row % self.clocks.ctas != int(self.machine.batch.cta[lane]):
            return "order the CTAs: release and acquire at a flag with a scope that includes both, or use atomics"
        return ""


def _swaps(site: Site) -> int:
    """1 for `cas`, -1 for a plain load: a swap tells whether what the load has read is still there."""
    if site.opcode.stem == "atom":
        return 1 if site.opcode.get("op") == "cas" else 0
    return -1 if site.opcode.stem == "ld" and not site.stamp & st.STRONG else 0


def _index(lanes: Array | slice, count: int) -> Array:
    """Lane numbers."""
    if not isinstance(lanes, slice):
        return lanes
    start: int = lanes.start
    return np.arange(start, start + count)


def _together(index: Array, values: Values | None) -> Array:
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


_ACQUIRES, _RELEASES = ("acquire", "acq_rel"), ("release", "acq_rel")


def place_of(space: Space, index: Array) -> Array:
    """Numbers for the flags at byte indices of a space, different ones in each space."""
    return index if isinstance(space, Arena) else index + (1 << 48)


Order = Callable[[Space, Array, "Array | slice", int], "tuple[Array, Array] | None"]


def ordering(machine: Machine, site: Site, *, reads: bool = False, writes: bool = False) -> Order | None:
    """What notes an ordered access to byte indices of a space by lanes; None for a plain one, or in fast runs.

    Relaxed and volatile accesses order with the fences around them.  It gives the lanes that read older bytes than
    those that are there, and these.
    """
    flags, sem = machine.flags, site.slots()["sem"]
    if site.opcode.stem in ("atom", "red"):
        sem = sem or "relaxed"
    if flags is None or sem in ("", "weak"):
        return None
    kind = "update" if reads and writes else "read" if reads else "write"
    level = min(2, st.scope_of(site.slots()))

    def note(space: Space, index: Array, lanes: Array | slice, size: int) -> tuple[Array, Array] | None:
        places = place_of(space, index)
        older = None
        if writes:
            flags.keep(space, places, index, lanes, size)
        else:
            older = flags.older(site, places, lanes, size, acquire=sem in _ACQUIRES, level=level)
            if older is not None:
                lanes = _index(lanes, len(index))[~older[0]]
                places = places[~older[0]]
        flags.access(places, lanes, acquire=sem in _ACQUIRES, release=sem in _RELEASES, kind=kind, level=level)
        return older

    return note
