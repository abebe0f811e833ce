"""Races: two threads access the same bytes, one of them writes, and nothing orders the accesses.

A cell (as wide as the narrowest access of the kernel, four bytes at most) keeps the stamp (`weft.sim.stamps`) of its
last writer and of its last reader; of several readers that nothing orders the others stand in a table.  An access races
with an earlier one when its lane does not know of that stamp (`weft.sim.clocks`), unless both are strong, of one width,
and each in the other's scope.  Stores of the value that is there, or that all others store, do no harm; nor do plain
loads of what is only swapped (`atom.cas`), which looks whether the value is still the same.

Of global memory only the buffers that the kernel may store to are watched.

Where whole pages show that nothing can race (`weft.sim.pages`), cells are not looked at; what is to be noted in those
of shared memory waits in a log, and is forgotten when a barrier of all threads comes first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from weft.sim import stamps as st
from weft.sim.arena import Arena
from weft.sim.clocks import FENCED, FENCED_GLOBAL, GROUPS, Clocks
from weft.sim.lanes import WARP, Array, numbers, span
from weft.sim.pages import FarPages, Pages, Range
from weft.sim.race_log import Key, Note, keep
from weft.sim.race_reports import OVER_READ, OVER_WRITE, READS, TOGETHER, number, other_side, remedy, values_of
from weft.sim.redundant import Redundancy
from weft.sim.site import Site
from weft.sim.space import Space
from weft.sim.stores import narrowest, stored_regions

if TYPE_CHECKING:
    from weft.sim.machine import Machine

Values = Callable[[], Array]
"""Gives the bytes that a store writes, a row for each lane."""
_FAR_READERS = 4
"""Readers of a place in global memory that are kept at most."""
_SPILLED, _MANY, _ENGINE, _RELEASED = (np.uint64(bit) for bit in (st.SPILLED, st.MANY, st.ENGINE, st.RELEASED))
_LANES = st.LANE_MASK ^ _MANY


class Races:
    """The stamps of one space; `clocks` are those of the batch."""

    def __init__(self, machine: Machine, space: Space, clocks: Clocks) -> None:
        self.machine = machine
        self.space = space
        self.clocks = clocks
        self.local = space is machine.memory.shared and machine.launch.cluster_ctas == 1
        self.stride = machine.memory.shared.stride
        self.shared = space is machine.memory.shared
        self.fenced = FENCED if self.shared else FENCED_GLOBAL
        self.copies = machine.counts_copies
        self.cluster = machine.launch.cluster_ctas
        self.shift = narrowest(machine.program, shared=self.shared).bit_length() - 1
        self.columns = machine.launch.warps * self.cluster if self.shared else _FAR_READERS
        self._watched: list[bool] | None = None
        self._starts: list[int] = []
        self._redundancy = Redundancy()
        self._reads: dict[Key, Note] = {}
        self._writes: dict[Key, Note] = {}
        self.forget()

    def forget(self) -> None:
        """Nothing has been accessed."""
        size = self.space.extent >> self.shift
        self.written: Array = np.zeros(size, np.uint64)
        self.read: Array = np.zeros(size, np.uint64)
        self.readers: Array | None = None
        self.writers: Array | None = None
        self._reads.clear()
        self._writes.clear()
        part = self.stride if self.local else 0
        self._read_pages, self._write_pages = Pages(self.clocks, part), Pages(self.clocks, part)
        self._generic = FarPages(part)
        size = 0 if self.shared else self.space.extent
        self._read_far, self._written_far = FarPages(size), FarPages(size)

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
        self._starts = [region.start - arena.base for region in arena.regions]
        machine = self.machine
        if machine.earlier is not None or machine.followed or machine.program.launches_dependents:
            self._watched = [region.watched and not region.parameter for region in arena.regions]
            return
        stored = {region.start for region in stored_regions(machine.program, machine.parameters) if region.watched}
        self._watched = [region.start in stored for region in arena.regions]

    def _span(self, index: Array) -> Range | None:
        """The least and the greatest of byte indices; None where they touch no buffer that is watched."""
        if not index.size:
            return None
        low, high = int(index.min()), int(index.max())
        if self._watched is not None:
            first, last = bisect_right(self._starts, low) - 1, bisect_right(self._starts, high) - 1
            if not any(self._watched[first : last + 1]):
                return None
        return low, high

    def _offsets(self, index: Array, lanes: Array | slice) -> Array:
        """Offsets in the shared memory of the CTAs of lanes."""
        origin = self.space.origin
        assert origin is not None
        return index - origin[lanes]

    def _roles(self, lanes: Array | slice) -> Range:
        """The first and the last role of warps that lanes are in."""
        role = self.machine.batch.role
        if isinstance(lanes, slice):
            return lanes.start // role, (lanes.stop - 1) // role
        return int(lanes.min()) // role, int(lanes.max()) // role

    def watches(self, index: Array) -> bool:
        """Whether byte indices may lie in buffers that the kernel stores to."""
        return self._span(index) is not None

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
        found = self._span(index)
        if found is None:
            return
        if self.machine.earlier is not None and not self.shared:
            self.machine.earlier.check(site, index, lanes, size, write=False)
        note, fresh = Note(self.clocks.word(site), index, lanes, size), False
        by = lanes if engines is None else engines
        if self.local:
            offsets = self._offsets(index, lanes)
            at = int(offsets.min()), int(offsets.max()) + size - 1
            if not self._write_pages.settled(self._roles(lanes), at):
                self._compare(site, note, READS)
            if engines is not None and self._unwaited(engines):
                self._read_pages.fly(site, at, len(index))
            else:
                self._read_pages.mark(self._roles(by), at)
        else:
            at = found[0], found[1] + size - 1
            if self.shared or not self._written_far.fresh(at):
                self._compare(site, note, READS)
            fresh = not self.shared and self._read_far.fresh(at) and bool((index[1:] > index[:-1]).all())
            self._read_far.mark(at)
        if engines is not None:
            note = Note(note.word | st.ENGINE | st.ASYNC, index, engines, size)
        note.alone = fresh
        self._note_read(note)

    def on_write(
        self,
        site: Site,
        index: Array,
        lanes: Array | slice,
        size: int,
        values: Values | None = None,
        *,
        later: bool = False,
    ) -> None:
        """Lanes write `size` bytes at byte indices; atomics too.

        `later` says that they make an engine write them, which `by_engine` notes.
        """
        found = self._span(index)
        if found is None:
            return
        if self.machine.earlier is not None and not self.shared:
            self.machine.earlier.check(site, index, lanes, size, write=True)
        note = Note(self.clocks.word(site), index, lanes, size)
        if self.machine.flags is not None:
            self.machine.flags.written(lanes, note)
        if self.local:
            offsets = self._offsets(index, lanes)
            at, roles = (int(offsets.min()), int(offsets.max()) + size - 1), self._roles(lanes)
            fresh = self._write_pages.settled(roles, at), self._read_pages.settled(roles, at)
            if not later:
                self._write_pages.mark(roles, at)
                self._generic.mark(at)
            apart = later or self._apart(offsets, lanes)
        else:
            at = found[0], found[1] + size - 1
            fresh = (False, False) if self.shared else (self._written_far.fresh(at), self._read_far.fresh(at))
            self._written_far.mark(at)
            apart = bool((index[1:] > index[:-1]).all())
        if not fresh[0]:
            self._compare(site, note, OVER_WRITE, values)
        excused = None if fresh[1] else self._compare(site, note, OVER_READ, values)
        if not (self.local and later):
            self._note_write(note)
        if not self.local and not fresh[1]:
            place, count = self._places(note)
            self.read.reshape(-1, count)[place if excused is None else place[~excused]] = 0
        if (
            not apart
            and (self.copies or not self.shared)
            and not (note.word & st.STRONG and (self.local or note.word >> 3 & 3 >= 2))
        ):
            self._together(site, note, values)

    def _together(self, site: Site, note: Note, values: Values | None) -> None:
        """Fault when lanes write different values to one place at once."""
        self._flush_writes()
        index, lanes, word = note.index, note.lanes, note.word
        place, count = self._places(note)
        last = self.written.reshape(-1, count)[:, 0][place]
        lost = (last ^ self._mine(note)) & _LANES != 0
        if lost.any():
            if word & st.STRONG:
                lost &= ~self._strong_pair(last, numbers(lanes, len(index)), word)
            self._blame(site, last, lost & ~_alike(index, values), note, TOGETHER, values)

    def _apart(self, offsets: Array, lanes: Array | slice) -> bool:
        """Whether lanes certainly use different bytes of the shared memory of their CTAs."""
        if (offsets[1:] > offsets[:-1]).all():
            return True
        ctas = self.clocks.ctas
        if not isinstance(lanes, slice) and len(lanes) % (ctas * WARP) == 0:
            lanes = span(lanes) if (lanes[1:] > lanes[:-1]).all() else lanes
        if isinstance(lanes, slice) and ctas > 1:
            each = offsets.reshape(-1, ctas, WARP)
            if not (each == each[:, :1]).all():
                return False
            offsets = each[:, 0].reshape(-1)
        elif ctas > 1:
            return False
        return len(set(offsets.tolist())) == len(offsets)

    def use(self, site: Site, index: Array, lanes: Array | slice) -> None:
        """Lanes use mbarriers: after their initialisation, and before their storage is used for something else."""
        note = Note(self.clocks.word(site), index, lanes, 8, alone=True)
        if self.local:
            offsets = self._offsets(index, lanes)
            at, roles = (int(offsets.min()), int(offsets.max()) + 7), self._roles(lanes)
            if not self._write_pages.settled(roles, at):
                self._compare(site, note, READS)
            self._read_pages.mark(roles, at)
        else:
            self._compare(site, note, READS)
        self._note_read(note)

    def settle(self, site: Site, index: Array, lanes: Array | slice, size: int, *, write: bool, flags: int = 0) -> None:
        """What lanes have started to copy is done, now that they have waited: it counts as theirs of this moment."""
        found = self._span(index)
        if found is None:
            return
        if self.local:
            offsets = self._offsets(index, lanes)
            at, pages = (int(offsets.min()), int(offsets.max()) + size - 1), self._pages(write)
            pages.land(site, at, len(index))
            pages.mark(self._roles(lanes), at)
            if write and not flags & st.ASYNC:
                self._generic.mark(at)
        else:
            (self._written_far if write else self._read_far).mark((found[0], found[1] + size - 1))
        note = Note(self.clocks.word(site) | flags, index, lanes, size, settles=True)
        if write:
            self._note_write(note)
        else:
            self._note_read(note)

    def by_engine(self, site: Site, index: Array, engine: int | Array, size: int, flags: int = st.ASYNC) -> None:
        """An engine, or one for each byte index, starts to write, which those know to be done who wait for it."""
        found = self._span(index)
        if found is None:
            return
        engines = np.full(len(index), engine) if isinstance(engine, int) else engine
        if self.local:
            offsets = index % self.stride
            at = int(offsets.min()), int(offsets.max()) + size - 1
            if not flags & st.ASYNC:
                self._generic.mark(at)
            if self._unwaited(engines):
                self._write_pages.fly(site, at, len(index))
            else:
                self._write_pages.mark(self._roles(engines), at)
        else:
            self._written_far.mark((found[0], found[1] + size - 1))
        word = self.clocks.word(site) | st.ENGINE | flags
        self._note_write(Note(word, index, engines, size))

    def _pages(self, write: bool) -> Pages:
        return self._write_pages if write else self._read_pages

    @contextmanager
    def apart(self, lanes: Array) -> Generator[None]:
        """While lanes access shared memory one after the other: those of different CTAs have nothing to do with it."""
        ctas = self.machine.batch.cta[lanes]
        if not self.local or len(lanes) < 2 or len(np.unique(ctas)) < len(lanes):
            yield
            return
        pages = self._read_pages, self._write_pages
        for each in pages:
            each.hold()
        try:
            yield
        finally:
            for each in pages:
                each.release()

    def _unwaited(self, engines: Array) -> bool:
        """Whether engines are those of copies that complete for their own threads."""
        role = self.clocks.role_of(GROUPS)
        return role is not None and int(engines[0]) // self.machine.batch.role == role

    def unfenced(self, index: Array, lanes: Array, size: int) -> tuple[Array, Array]:
        """Which bytes the async proxy may not see yet, that lanes read through it; and who has written them."""
        if self.local:
            offsets = index % self.stride
            if self._generic.fresh((int(offsets.min()), int(offsets.max()) + size - 1)):
                return np.zeros(len(index), np.bool_), np.zeros(len(index), np.uint64)
        self._flush_writes()
        place, count = self._cells(index, size)
        stamps = self.written.reshape(-1, count)[place]
        generic = (stamps != 0) & (stamps & np.uint64(st.ASYNC) == 0)
        if generic.any():
            wide = np.broadcast_to(lanes[:, None], stamps.shape)
            proxies = self.machine.proxies
            assert proxies is not None
            if not self.shared:
                generic &= stamps >= np.uint64(self.clocks.first << st.TIME_AT)
            generic[generic] = ~proxies.passed(stamps[generic], wide[generic], self.local, self.fenced)
        which = generic.argmax(axis=1)
        return generic.any(axis=1), stamps[np.arange(len(stamps)), which]

    def stored(self, index: Array, size: int) -> Array:
        """Which groups of bytes this launch has stored to."""
        self._flush_writes()
        place, count = self._cells(index, size)
        found: Array = (self.written.reshape(-1, count)[place] != 0).any(axis=1)
        return found

    # -- notes ------------------------------------------------------------------------------------------------

    def _note_read(self, note: Note) -> None:
        if not self.local or not keep(self._reads, note):
            self._flush_reads()
            if not self.local or not keep(self._reads, note):
                self._apply_read(note)

    def _note_write(self, note: Note) -> None:
        if not self.local or not keep(self._writes, note):
            self._flush_writes()
            if not self.local or not keep(self._writes, note):
                self._apply_write(note)

    def _mine(self, note: Note) -> Array:
        """The stamps of an access, one for each lane."""
        if note.mine is None:
            lanes = note.lanes
            if note.word & st.ENGINE:
                assert not isinstance(lanes, slice)
                note.mine = (lanes.astype(np.uint64) << np.uint64(st.LANE_AT)) + np.uint64(note.word)
            else:
                note.mine = self.clocks.lane_words[lanes] + np.uint64(note.word)
                if note.released is not None:
                    note.mine[note.released] |= _RELEASED
        return note.mine

    def _places(self, note: Note) -> tuple[Array, int]:
        """The groups of cells of an access, and the cells of a group."""
        if note.place is None:
            note.place, count = self._cells(note.index, note.size)
            return note.place, count
        return note.place, max(1, note.size >> self.shift)

    def _forgotten(self, note: Note) -> bool:
        """Whether a barrier of all threads has come since."""
        return self.local and not note.settles and not note.word & st.ENGINE and note.word <= self.clocks.everyone

    def _flush_reads(self) -> None:
        """Note the readers that the log holds."""
        notes, self._reads = self._reads, {}
        for note in notes.values():
            if not self._forgotten(note):
                self._apply_read(note)

    def _apply_read(self, note: Note) -> None:
        place, count = self._places(note)
        table, mine = self.read.reshape(-1, count), self._mine(note)
        if note.alone:
            table[place] = mine[:, None]
        else:
            self.readers = self._note(self.read, self.readers, note)

    def _flush_writes(self) -> None:
        """Note the writers that the log holds; the async proxy asks for those before a barrier too."""
        notes, self._writes = self._writes, {}
        for note in notes.values():
            if self.machine.proxies is not None or not self._forgotten(note):
                self._apply_write(note)

    def _apply_write(self, note: Note) -> None:
        place, count = self._places(note)
        if note.word & st.STRONG and not note.word & st.ENGINE:
            self.writers = self._note(self.written, self.writers, note)
        elif count == 1:
            self.written[place] = self._mine(note)
        else:
            self.written.reshape(-1, count)[place] = self._mine(note)[:, None]

    def _note(self, table: Array, spilled: Array | None, note: Note) -> Array | None:
        """Note accesses beside those of other warps; the table of what cells have no room for."""
        place, count = self._places(note)
        mine = self._mine(note)
        cells = table if count == 1 else table.reshape(-1, count)
        before = cells[place]
        kept = before > np.uint64(self.clocks.everyone if self.local else 0)
        if note.settles:  # It stands for what the engine has done.
            kept &= before & _ENGINE == 0
        each = mine if count == 1 else mine[:, None]
        if kept.any():
            each = self._crowded(before, np.broadcast_to(each, before.shape), kept)
        cells[place] = each
        odd = (cells[place] ^ each) & st.LANE_MASK != 0
        if kept.any():
            kept &= ((before ^ each) & st.WARP_MASK != 0) | (before & _SPILLED != 0)
            odd |= kept
        if not odd.any():
            return spilled
        cell = place if count == 1 else place[:, None] * count + np.arange(count)
        if spilled is None:
            spilled = np.zeros(len(table) * self.columns, np.uint64)
        if kept.any():
            self._spill(spilled, before[kept], cell[kept])
        table[cell[odd]] |= _SPILLED
        again = cells[place] & _SPILLED != 0
        self._spill(spilled, np.broadcast_to(each, again.shape)[again], cell[again])
        return spilled

    def _crowded(self, before: Array, stamps: Array, which: Array) -> Array:
        """Stamps, which stand for lanes of their warps too that were there before, and of which they do not know."""
        near = which & ((before ^ stamps) & st.WARP_MASK == 0) & (stamps & _ENGINE == 0)
        near &= ((before ^ stamps) & st.LANE_MASK | before & _MANY) != 0
        near &= (before >= np.uint64(self.clocks.first << st.TIME_AT)) & (before & _RELEASED == 0)
        if near.any():
            near[near] = ~self.clocks.met(before[near], self._lane_of(stamps[near]))
        return np.where(near, stamps | _MANY, stamps) if near.any() else stamps

    def _spill(self, table: Array, stamps: Array, cells: Array) -> None:
        """Keep stamps of accesses to cells, by their warps."""
        at = cells * self.columns + self._column(stamps)
        stamps = self._crowded(table[at], stamps, np.ones(len(at), np.bool_))
        table[at] = stamps & ~_SPILLED
        several = (table[at] ^ stamps) & st.LANE_MASK != 0
        if several.any():
            table[at[several]] |= _MANY

    @staticmethod
    def _lane_of(stamps: Array) -> Array:
        return (stamps >> np.uint64(st.LANE_AT)).astype(np.int64) & (1 << st.LANE_BITS) - 1

    @staticmethod
    def _warp_of(stamps: Array) -> Array:
        return (stamps >> np.uint64(st.LANE_AT)).astype(np.int64) >> 5 & (1 << st.LANE_BITS - 5) - 1

    def _column(self, stamps: Array) -> Array:
        row = self._warp_of(stamps)
        role, cta = row // self.clocks.ctas, row % self.clocks.ctas
        if self.shared:
            return (role * self.cluster + cta % self.cluster) % self.columns
        # The warps of a CTA, the same warp of several CTAs, and neighbours across a CTA's edge: all apart.
        return (role + cta * (self.machine.launch.warps | 1)) % self.columns

    # -- checks -----------------------------------------------------------------------------------------------

    def _compare(self, site: Site, note: Note, message: str, values: Values | None = None) -> Array | None:
        """Fault when lanes do not know of the stamps of bytes: of their writers, or (`OVER_READ`) of their readers.

        The lanes that are excused, since they store what is there already.
        """
        if message is OVER_READ:
            self._flush_reads()
        else:
            self._flush_writes()
        index, lanes, size, word = note.index, note.lanes, note.size, note.word
        mine = self._mine(note)
        place, count = self._places(note)
        table = (self.read if message is OVER_READ else self.written).reshape(-1, count)
        stamps = table[:, 0][place] if count == 1 else np.take(table, place, axis=0)
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
            if newest & st.SPILLED or (self.readers if message is OVER_READ else self.writers) is not None:
                suspects |= stamps & _SPILLED != 0
        else:
            if self.clocks.first > 1:
                suspects |= stamps < np.uint64(self.clocks.first << st.TIME_AT)
            suspects |= stamps & _SPILLED != 0
            suspects &= stamps != 0
        if not suspects.any():
            return None
        at = np.nonzero(suspects)
        who, found = numbers(lanes, len(index))[at[0]], stamps[suspects]
        bad = np.ones(len(found), np.bool_) if site.opcode.get("nc") else self._races(found, who, word)
        spilled = found & _SPILLED != 0
        others = self.readers if message is OVER_READ else self.writers
        if spilled.any() and others is not None:
            which = np.flatnonzero(spilled)
            cells = place[at[0][which]] * count + (0 if count == 1 else at[1][which])
            more = others.reshape(-1, self.columns)[cells]
            more[more & _RELEASED != 0] = 0
            worse = self._races(more.reshape(-1), np.repeat(who[which], self.columns), word).reshape(more.shape)
            some = worse.any(axis=1)
            bad[which] = some
            found[which] = np.where(some, more[np.arange(len(more)), worse.argmax(axis=1)], found[which])
        if not bad.any():
            return None
        lanes_bad, culprits = np.zeros(len(index), np.bool_), np.zeros(len(index), np.uint64)
        lanes_bad[at[0][bad]], culprits[at[0][bad]] = True, found[bad]
        excused = None
        if message is not READS:
            excused = self._unchanged(index, size, values) & lanes_bad
            lanes_bad &= ~excused
        self._blame(site, culprits, lanes_bad, note, message, values)
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
        swaps = np.array([_swaps(site) for site in self.clocks.sites])
        mine = word >> st.SITE_AT & (1 << st.SITE_BITS) - 1
        if (swaps > 0).any() and len(swaps) < 1 << st.SITE_BITS and swaps[mine]:
            theirs = (stamps >> np.uint64(st.SITE_AT)).astype(np.int64) & (1 << st.SITE_BITS) - 1
            bad &= swaps[theirs] * swaps[mine] != -1
        if bad.any() and not self.shared:
            bad[bad] = ~self._idle(stamps[bad], lanes[bad], word)
        return bad

    def _idle(self, stamps: Array, lanes: Array, word: int) -> Array:
        """Which earlier loads of other threads of the CTA are of values that these threads never use.

        Where several have read, all of the warps that share a column must not use it, save the one that stores.
        """
        found = np.zeros(len(stamps), np.bool_)
        store = self.clocks.site(word)
        if store is None:
            return found
        who = self._lane_of(stamps)
        who = np.minimum(who, self.machine.batch.lanes - 1)  # Engines have numbers beyond.
        near = self.machine.batch.cta[who] == self.machine.batch.cta[lanes]
        near &= (stamps >= np.uint64(self.clocks.first << st.TIME_AT)) & (stamps & np.uint64(st.ENGINE) == 0)
        sites = (stamps >> np.uint64(st.SITE_AT)).astype(np.int64) & (1 << st.SITE_BITS) - 1
        several = stamps & _MANY != 0
        for which in set(sites[near].tolist()):
            load = self.clocks.site(which << st.SITE_AT)
            if load is None:
                continue
            these = near & (sites == which)
            idle = self._redundancy.idle(load, store)
            if idle is None:
                continue
            found[these] = idle[who[these]]
            for at in np.flatnonzero(these & several).tolist():
                found[at] = idle[self._sharing(int(who[at]), int(lanes[at]))].all()
        return found

    def _sharing(self, reader: int, writer: int) -> Array:
        """The lanes of the warps of a CTA whose reads stand in a reader's column, without the writer's warp."""
        ctas, warps = self.clocks.ctas, self.machine.launch.warps
        role, cta = divmod(reader // WARP, ctas)
        rows = np.arange(role % self.columns, warps, self.columns) * ctas + cta
        rows = rows[rows != writer // WARP]
        return (rows[:, None] * WARP + np.arange(WARP)).reshape(-1)

    def _strong_pair(self, stamps: Array, lanes: Array, word: int) -> Array:
        """Which stamps are strong, of the width of a strong access, and in a scope that includes both."""
        pair = (stamps & np.uint64(st.STRONG) != 0) & (stamps & st.WIDTHS == np.uint64(word & int(st.WIDTHS)))
        if self.local:
            return pair
        ctas = self.clocks.ctas
        other = self._lane_of(stamps)
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

    def _blame(
        self, site: Site, stamps: Array, bad: Array, note: Note, message: str, values: Values | None = None
    ) -> None:
        lanes, index, size = note.lanes, note.index, note.size
        if not bad.any():
            return
        all_lanes = numbers(lanes, len(index))
        far = bad & (self._warp_of(stamps) != all_lanes // WARP)
        which = int((far if far.any() else bad).argmax())
        lane, stamp = int(all_lanes[which]), int(stamps[which])
        origin = self.space.origin
        offset = (
            int(index[which]) - int(origin[lane])
            if origin is not None
            else int(index[which]) + self.machine.memory.arena.base
        )
        other, where, engine = other_side(self.clocks, stamp, lane)
        wrote, read = ("writes", "reads") if engine else ("has written", "has read")
        text = f"{message.format(other=other, wrote=wrote, read=read)}{where} at {self.space.name} address {offset:#x}"
        fault = site.fault("race", f"{text}, with nothing that orders them", lane, offset)
        earlier = self.clocks.site(stamp)
        site.against(fault, earlier)
        fault.other_value = number(self.space.bytes, int(index[which]), size)
        if values is not None:
            stored = values()
            fault.value = number(stored[which], 0, size)
            if message is TOGETHER:
                fault.other_value = number(stored[np.flatnonzero(index == index[which])[-1]], 0, size)
        said = values_of(fault.value, fault.other_value, message)
        fault.hint = f"{remedy(self.clocks, stamp, lane) or fault.hint}; {said}"
        site.report(fault)


def _swaps(site: Site) -> int:
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
