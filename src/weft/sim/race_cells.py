"""What cells of memory remember of accesses: the stamps of their last writer and reader, and of more in tables.

A cell is as wide as the narrowest access so far, sixteen bytes at most.  Notes of accesses to shared memory wait in
a log, and are forgotten when a barrier of all threads comes first.  Those of reads of global memory wait until somebody
writes where something has been read: what a kernel only reads is never noted in cells.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from weft.sim import stamps as st
from weft.sim.clock_rows import FENCED, FENCED_GLOBAL
from weft.sim.clocks import Clocks
from weft.sim.lanes import Array, any_of
from weft.sim.pages import FarPages, Pages
from weft.sim.race_log import Log, Note, Range
from weft.sim.space import Space
from weft.sim.stores import apparent
from weft.sim.untouched import zeros

if TYPE_CHECKING:
    from weft.sim.machine import Machine

_READ = np.uint64(1)
"""What stands for any reader."""
Values = Callable[[], Array]
"""Gives the bytes that a store writes, a row for each lane."""
_FAR_READERS = 4
"""Readers of a place in global memory that are kept at most."""
_SPILLED, _MANY, _ENGINE, _RELEASED = (np.uint64(bit) for bit in (st.SPILLED, st.MANY, st.ENGINE, st.RELEASED))


def _ends(index: Array) -> Range:
    return int(index.min()), int(index.max())


class Cells:
    """The stamps of one space; `clocks` are those of the batch."""

    def __init__(self, machine: Machine, space: Space, clocks: Clocks) -> None:
        self.machine = machine
        self.space = space
        self.arena = machine.memory.arena
        self.clocks = clocks
        self.local = space is machine.memory.shared and machine.launch.cluster_ctas == 1
        self.stride = machine.memory.shared.stride
        self.shared = space is machine.memory.shared
        self._logs = self.local or not self.shared
        self.fenced = FENCED if self.shared else FENCED_GLOBAL
        self.copies = machine.counts_copies
        self.cluster = machine.launch.cluster_ctas
        self.shift = apparent(machine.program, shared=self.shared).bit_length() - 1
        # In shared memory each warp that can reach a cell has a column of its own, so that no reader is lost. Global
        # memory has too many warps for that: with few columns later readers replace earlier ones, and a race with those
        # is missed.
        self.columns = machine.launch.warps * self.cluster if self.shared else _FAR_READERS
        self._watched: Array | None = None
        self._starts: Array = np.zeros(0, np.int64)
        self._reads = Log()
        self._writes = Log()
        self.forget()

    def forget(self) -> None:
        """Nothing has been accessed."""
        size = self.space.extent >> self.shift
        # Of accesses to shared memory most are forgotten before they reach the cells.
        sparse = self.local or (self._watched is not None and self._watched_bytes() < self.space.extent // 8)
        self.written: Array = zeros(size, sparse=sparse)
        self.read: Array = zeros(size, sparse=sparse)
        self.readers: Array | None = None
        self.writers: Array | None = None
        self._reads.clear()
        self._writes.clear()
        part = self.stride if self.local else 0
        self._read_pages, self._write_pages = Pages(self.clocks, part), Pages(self.clocks, part)
        self._generic = FarPages(part)
        size = 0 if self.shared else self.space.extent
        self._read_far, self._written_far = FarPages(size), FarPages(size)

    def _watched_bytes(self) -> int:
        """The bytes of the regions of global memory that are watched."""
        table, watched = self.arena.table(), self._watched
        return int((table.ends - table.starts)[watched].sum())

    def _span(self, index: Array) -> Range | None:
        """The least and the greatest of byte indices; None where they touch no buffer that is watched."""
        if not index.size:
            return None
        if self._watched is None:
            return _ends(index)
        if index is self.arena.located:
            return _ends(index) if self._watched[self.arena.within] else None
        ends = _ends(index)
        first, last = (np.searchsorted(self._starts, ends, "right") - 1).tolist()
        return ends if any_of(self._watched[first : last + 1]) else None

    def _roles(self, lanes: Array | slice) -> Range:
        """The first and the last role of warps that lanes are in."""
        role = self.machine.batch.role
        if isinstance(lanes, slice):
            return lanes.start // role, (lanes.stop - 1) // role
        return int(lanes.min()) // role, int(lanes.max()) // role

    def watches(self, index: Array) -> bool:
        """Whether byte indices may lie in buffers that the kernel stores to."""
        return self._span(index) is not None

    def narrow(self, size: int) -> None:
        """Accesses of so many bytes follow, which are less than those of a cell: divide the cells."""
        self.flush()
        self._flush_writes()
        by = self.shift - (size.bit_length() - 1)
        self.shift -= by
        self.written = self._divided(self.written, self._written_far, by)
        self.read = self._divided(self.read, self._read_far, by)
        if self.readers is not None:
            self.readers = self._divided(self.readers, self._read_far, by, self.columns)
        if self.writers is not None:
            self.writers = self._divided(self.writers, self._written_far, by, self.columns)

    def _divided(self, table: Array, touched: FarPages, by: int, columns: int = 1) -> Array:
        """A table whose cells give what they hold to narrower ones, two to the power of `by`."""
        wide, parts = table.reshape(-1, columns), 1 << by
        cells = np.arange(len(wide)) if self.shared else touched.pieces(1 << self.shift + by, len(wide))
        found = zeros(len(table) * parts, sparse=not self.shared)
        found.reshape(-1, parts, columns)[cells] = wide[cells][:, None]
        return found

    def _cells(self, index: Array, size: int) -> tuple[Array, int]:
        """Numbers of groups of cells, and the cells of a group: one group for each access."""
        return index >> size.bit_length() - 1, size >> self.shift

    def _note_read(self, note: Note) -> None:
        if not self._logs or not self._reads.keep(note):
            self.flush()
            if not self._logs or not self._reads.keep(note):
                self._apply_read(note)

    def _note_write(self, note: Note) -> None:
        if not self.local or not self._writes.keep(note):
            self._flush_writes()
            if not self.local or not self._writes.keep(note):
                self._apply_write(note)

    def _mine(self, note: Note) -> Array:
        """The stamps of an access, one for each lane."""
        note.unfold()
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
        note.unfold()
        if note.place is None:
            spot = note.spot
            width = note.size << 8 | self.shift
            if spot is not None and spot.place is not None and spot.width == width:
                note.place = spot.place
            else:
                note.place, count = self._cells(note.index, note.size)
                if spot is not None:
                    spot.place, spot.width = note.place, width
                return note.place, count
        return note.place, note.size >> self.shift

    def _forgotten(self, note: Note) -> bool:
        """Whether a barrier of all threads has come since."""
        return self.local and not note.settles and not note.word & st.ENGINE and note.word <= self.clocks.everyone

    def flush(self, at: Range | None = None) -> None:
        """Note the readers that the log holds; of bytes of shared memory only those that may be of these."""
        for note in self._reads.taken(at):
            if not self._forgotten(note):
                self._apply_read(note)

    def reads_left(self) -> Callable[[], None]:
        """What notes the readers that the log holds, of a launch that has ended: that they have read is enough."""
        notes, table, shift = self._reads.taken(), self.read, self.shift

        def flush() -> None:
            for note in notes:
                note.unfold()
                table.reshape(-1, note.size >> shift)[note.index >> note.size.bit_length() - 1] = _READ
            notes.clear()

        return flush

    def _apply_read(self, note: Note) -> None:
        place, count = self._places(note)
        table, mine = self.read.reshape(-1, count), self._mine(note)
        if note.alone:
            table[place] = mine[:, None]
        else:
            self.readers = self._note(self.read, self.readers, note)

    def _flush_writes(self, at: Range | None = None) -> None:
        """The same of writers; the async proxy asks for those before a barrier too."""
        for note in self._writes.taken(at):
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
        # What a barrier of all threads has ordered need not be kept beside the new access.
        kept = before > np.uint64(self.clocks.everyone if self.local else 0)
        if note.settles:  # It stands for what the engine has done.
            kept &= before & _ENGINE == 0
        each = mine if count == 1 else mine[:, None]
        if any_of(kept):
            each = self._crowded(before, np.broadcast_to(each, before.shape), kept)
        cells[place] = each
        # Reading back what was just written shows where several lanes of this access met in one cell: the last one
        # stands there.
        odd = (cells[place] ^ each) & st.LANE_MASK != 0
        if any_of(kept):
            kept &= ((before ^ each) & st.WARP_MASK != 0) | (before & _SPILLED != 0)
            odd |= kept
        if not any_of(odd):
            return spilled
        cell = place if count == 1 else place[:, None] * count + np.arange(count)
        if spilled is None:
            spilled = zeros(len(table) * self.columns)
        if any_of(kept):
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
        if any_of(near):
            near[near] = ~self.clocks.met(before[near], self._lane_of(stamps[near]))
        return np.where(near, stamps | _MANY, stamps) if any_of(near) else stamps

    def _spill(self, table: Array, stamps: Array, cells: Array) -> None:
        """Keep stamps of accesses to cells, by their warps."""
        at = cells * self.columns + self._column(stamps)
        stamps = self._crowded(table[at], stamps, np.ones(len(at), np.bool_))
        table[at] = stamps & ~_SPILLED
        several = (table[at] ^ stamps) & st.LANE_MASK != 0
        if any_of(several):
            table[at[several]] |= _MANY

    @staticmethod
    def _lane_of(stamps: Array) -> Array:
        return (stamps >> np.uint64(st.LANE_AT)).astype(np.int64) & (1 << st.LANE_BITS) - 1

    @staticmethod
    def _warp_of(stamps: Array) -> Array:
        return (stamps >> np.uint64(st.LANE_AT)).astype(np.int64) >> 5 & (1 << st.LANE_BITS - 5) - 1

    def _column(self, stamps: Array) -> Array:
        return self._column_of(self._warp_of(stamps))

    def _column_of(self, row: Array) -> Array:
        role, cta = row // self.clocks.ctas, row % self.clocks.ctas
        if self.shared:
            return (role * self.cluster + cta % self.cluster) % self.columns
        # The warps of a CTA, the same warp of several CTAs, and neighbours across a CTA's edge: all apart.
        return (role + cta * (self.machine.launch.warps | 1)) % self.columns
