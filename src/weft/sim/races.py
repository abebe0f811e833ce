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

from collections.abc import Generator
from contextlib import contextmanager

import numpy as np

from weft.sim import stamps as st
from weft.sim.arena import Arena
from weft.sim.clock_rows import GROUPS
from weft.sim.lanes import WARP, Array, all_of, any_of, span
from weft.sim.pages import Pages, Range
from weft.sim.race_cells import Values
from weft.sim.race_checks import Checks, swaps
from weft.sim.race_log import Note
from weft.sim.race_reports import OVER_READ, OVER_WRITE, READS
from weft.sim.site import Site
from weft.sim.spots import Spot
from weft.sim.stores import stored_numbers


class Races(Checks):
    """The accesses to one space."""

    def restart(self) -> None:
        """A new launch begins: nothing has been accessed, and other buffers may be stored to."""
        self._watched = None

    def drop(self) -> None:
        """Give back the stamps of global memory, which the next launch makes anew."""
        if isinstance(self.space, Arena):
            self.written = self.read = np.zeros(0, np.uint64)
            self.readers = self.writers = None
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
        self._starts = arena.table().starts - arena.base
        machine = self.machine
        if machine.earlier is not None or machine.followed or machine.program.launches_dependents:
            self._watched = np.array([region.watched and not region.parameter for region in arena.regions], np.bool_)
            return
        self._watched = np.zeros(len(self._starts), np.bool_)
        for number in stored_numbers(machine.program, machine.parameters):
            self._watched[number] = arena.regions[number].watched

    def on_read(
        self, site: Site, index: Array, lanes: Array | slice, size: int, *, engines: Array | None = None
    ) -> None:
        """Lanes read `size` bytes (a power of two) at byte indices that are multiples of it.

        With `engines` these go on reading, one for each lane.
        """
        if not size >> self.shift:
            self.narrow(size)
        if self.local:
            if not index.size:
                return
            machine = self.machine
            spot = machine.memory.shared.spot(index, lanes)
            at, roles = spot.at(size), spot.roles(machine.batch.role)
            word = self.clocks.word(site)
            lane = _lane(spot, word)
            settled = self._write_pages.settled_for(spot, roles, at, lane)
            if not settled:
                self._compare(site, Note(word, index, lanes, size, spot=spot, at=at), READS)
            if engines is None:
                self._read_pages.mark(roles, at, lane)
            elif self._unwaited(engines):
                self._read_pages.fly(site, at, len(index))
            else:
                self._read_pages.mark(self._roles(engines), at)
            word |= 0 if engines is None else st.ENGINE | st.ASYNC
            if not settled or not self._reads.repeat(spot, word):
                self._note_read(Note(word, index, lanes if engines is None else engines, size, spot=spot, at=at))
            return
        found = self._span(index)
        if found is None:
            return
        if self.machine.earlier is not None and not self.shared:
            self.machine.earlier.check(site, index, lanes, size, write=False)
        note = Note(self.clocks.word(site), index, lanes, size)
        at = found[0], found[1] + size - 1
        if self.shared or not self._written_far.fresh(at):
            self._compare(site, note, READS)
        note.alone = not self.shared and self._read_far.fresh(at) and self._ascend(index)
        self._read_far.mark(at)
        if engines is not None:
            note = Note(note.word | st.ENGINE | st.ASYNC, index, engines, size, alone=note.alone, place=note.place)
        self._note_read(note)

    def read_later(self, site: Site, at: Range, note: Note) -> bool:
        """Engines read bytes of global memory, of a range to which nothing has been stored; False where that is not so.

        The bytes are worked out only if somebody stores to some of them.
        """
        if self.shared or self.machine.earlier is not None or not self._written_far.fresh(at):
            return False
        if not note.size >> self.shift:
            self.narrow(note.size)
        if self._span(np.array(at)) is not None:
            self._read_far.mark(at)
            note.word = self.clocks.word(site) | st.ENGINE | st.ASYNC
            self._note_read(note)
        return True

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
        if not size >> self.shift:
            self.narrow(size)
        spot = self.machine.memory.shared.spot(index, lanes) if self.local and index.size else None
        found = spot.at(1) if spot is not None else self._span(index)
        if found is None:
            return
        if self.machine.earlier is not None and not self.shared:
            self.machine.earlier.check(site, index, lanes, size, write=True)
        word = self.clocks.word(site)
        if spot is not None:
            at, roles = spot.at(size), spot.roles(self.machine.batch.role)
            lane = _lane(spot, word)
            fresh = self._write_pages.both_settled(self._read_pages, roles, at, lane)
            if not later:
                self._write_pages.mark(roles, at, lane)
                self._generic.mark(at)
            if spot.apart is None and not later:
                spot.apart = self._apart(spot.offsets, lanes)
            apart = later or bool(spot.apart)
            known = fresh == (True, True) and apart and not later and self.machine.flags is None
            if known and self._writes.repeat(spot, word):
                return
        else:
            at = found[0], found[1] + size - 1
            fresh = (False, False) if self.shared else (self._written_far.fresh(at), self._read_far.fresh(at))
            self._written_far.mark(at)
            apart = self._ascend(index)
            if apart and not fresh[1] and not self.shared and self._reads.dropped(index, lanes, size):
                fresh = fresh[0], True  # Each lane overwrites what it has just been the first to read.
        note = Note(word, index, lanes, size, spot=spot, at=at if self.local else None)
        if self.machine.flags is not None:
            self.machine.flags.written(lanes, note)
        if not fresh[0]:
            self._compare(site, note, OVER_WRITE, values)
        excused = None if fresh[1] else self._compare(site, note, OVER_READ, values)
        if not (self.local and later):
            self._note_write(note)
        # Reads that a swap excuses, or that are as strong as this, may still race with what comes after it.
        if not self.local and not fresh[1] and swaps(site) <= 0 and not word & st.STRONG:
            place, count = self._places(note)
            self.read.reshape(-1, count)[place if excused is None else place[~excused]] = 0
        if (
            not apart
            and (self.copies or not self.shared)
            and not (note.word & st.STRONG and (self.local or note.word >> 3 & 3 >= 2))
        ):
            self._together(site, note, values)

    def _ascend(self, index: Array) -> bool:
        """Whether lanes certainly use different bytes: each later ones, in the order of lanes or in that of CTAs."""
        if all_of(index[1:] > index[:-1]):
            return True
        ctas = self.clocks.ctas
        if ctas == 1 or len(index) % (ctas * WARP):
            return False
        index = index.reshape(-1, ctas, WARP).transpose(1, 0, 2).reshape(-1)
        return all_of(index[1:] > index[:-1])

    def _apart(self, offsets: Array, lanes: Array | slice) -> bool:
        """Whether lanes certainly use different bytes of the shared memory of their CTAs."""
        if all_of(offsets[1:] > offsets[:-1]):
            return True
        ctas = self.clocks.ctas
        if not isinstance(lanes, slice) and len(lanes) % (ctas * WARP) == 0:
            lanes = span(lanes) if all_of(lanes[1:] > lanes[:-1]) else lanes
        if isinstance(lanes, slice) and ctas > 1:
            each = offsets.reshape(-1, ctas, WARP)
            if not all_of(each == each[:, :1]):
                return False
            offsets = each[:, 0].reshape(-1)
        elif ctas > 1:
            return False
        return len(set(offsets.tolist())) == len(offsets)

    def use(self, site: Site, spot: Spot) -> None:
        """Lanes use mbarriers: after their initialisation, and before their storage is used for something else."""
        word = self.clocks.word(site) | (st.MANY if spot.whole else 0)
        settled, at = False, None
        if self.local:
            at, roles = spot.at(8), spot.roles(self.machine.batch.role)
            lane = _lane(spot, word)
            settled = self._write_pages.settled_for(spot, roles, at, lane)
            self._read_pages.mark(roles, at, lane)
            if settled and self._reads.repeat(spot, word):
                return
        # Who ends an mbarrier must know of all that have used it; otherwise it is only used in turns.
        note = Note(word, spot.index, spot.lanes, 8, alone=not self.machine.program.ends_mbarriers, spot=spot, at=at)
        if not settled:
            self._compare(site, note, READS)
        self._note_read(note)

    def settle(
        self,
        site: Site,
        index: Array,
        lanes: Array | slice,
        size: int,
        *,
        write: bool,
        flags: int = 0,
        engines: Array | None = None,
    ) -> None:
        """What lanes have started to copy is done, now that they have waited: it counts as theirs of this moment.

        With `engines` it counts as done by these.
        """
        if not size >> self.shift:
            self.narrow(size)
        found = self._span(index)
        if found is None:
            return
        at = None
        if self.local:
            spot, pages = self.machine.memory.shared.spot(index, lanes), self._pages(write)
            at = spot.at(size)
            pages.land(site, at, len(index))
            if engines is None:
                pages.mark(self._roles(lanes), at, _lane(spot, self.clocks.word(site)))
            else:
                pages.mark(self._roles(engines), at)
            if write and not flags & st.ASYNC:
                self._generic.mark(at)
        else:
            (self._written_far if write else self._read_far).mark((found[0], found[1] + size - 1))
        word, who = self.clocks.word(site) | flags, lanes
        if engines is not None:
            word, who = word | st.ENGINE, engines
        note = Note(word, index, who, size, settles=True, at=at)
        if write:
            self._note_write(note)
        else:
            self._note_read(note)

    def by_engine(self, site: Site, index: Array, engine: int | Array, size: int, flags: int = st.ASYNC) -> None:
        """An engine, or one for each byte index, starts to write, which those know to be done who wait for it."""
        if not size >> self.shift:
            self.narrow(size)
        found = self._span(index)
        if found is None:
            return
        engines, at = np.full(len(index), engine) if isinstance(engine, int) else engine, None
        if self.local:
            last = self.machine.memory.shared.last
            spot = last if last is not None and last.index is index else None
            if spot is None:
                offsets = index % self.stride
                at = int(offsets.min()), int(offsets.max()) + size - 1
            else:
                at = spot.at(size)
            if not flags & st.ASYNC:
                self._generic.mark(at)
            if self._unwaited(engines):
                self._write_pages.fly(site, at, len(index))
            else:
                self._write_pages.mark(self._roles(engines), at)
        else:
            self._written_far.mark((found[0], found[1] + size - 1))
        word = self.clocks.word(site) | st.ENGINE | flags
        self._note_write(Note(word, index, engines, size, at=at))

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

    def unfenced(self, index: Array, lanes: Array, size: int) -> tuple[Array, Array] | None:
        """Which bytes the async proxy may not see yet, that lanes read through it; and who has written them.

        None where it may see all.
        """
        if not size >> self.shift:
            self.narrow(size)
        at = None
        if self.local:
            at = self.machine.memory.shared.spot(index, lanes).at(size)
            if self._generic.fresh(at):
                return None
        elif not self.shared and self._written_far.fresh((int(index.min()), int(index.max()) + size - 1)):
            return None
        self._flush_writes(at)
        place, count = self._cells(index, size)
        stamps = self.written.reshape(-1, count)[place]
        generic = (stamps != 0) & (stamps & np.uint64(st.ASYNC) == 0)
        if not any_of(generic):
            return None
        wide = np.broadcast_to(lanes[:, None], stamps.shape)
        proxies = self.machine.proxies
        assert proxies is not None
        if not self.shared:
            generic &= stamps >= np.uint64(self.clocks.first << st.TIME_AT)
        generic[generic] = ~proxies.passed(stamps[generic], wide[generic], self.local, self.fenced)
        if not any_of(generic):
            return None
        which = generic.argmax(axis=1)
        return generic.any(axis=1), stamps[np.arange(len(stamps)), which]

    def stored(self, index: Array, size: int) -> Array:
        """Which groups of bytes this launch has stored to."""
        if not size >> self.shift:
            self.narrow(size)
        self._flush_writes()
        place, count = self._cells(index, size)
        found: Array = (self.written.reshape(-1, count)[place] != 0).any(axis=1)
        return found


def _lane(spot: Spot, word: int) -> int:
    """The lane that accesses bytes alone, in each of some warps; -1 where an instruction stands for whole warps."""
    return -1 if word & st.MANY else spot.lane()
