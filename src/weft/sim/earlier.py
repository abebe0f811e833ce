"""What the grid before may still do to global memory while a dependent grid runs.

A grid that is launched with programmatic serialization may start before the earlier one of its stream has ended.  Until
one of its threads has executed `griddepcontrol.wait`, and it has heard of that, what the earlier grid stores may not be
read or written, and what that reads may not be written.  `launch_dependents` orders nothing.  Source: PTX ISA,
`griddepcontrol`.

The earlier grid is one more engine: those who have waited know what it has done, and tell others as they tell what they
have done themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.sim.clock_rows import KNOWN
from weft.sim.clocks import Clocks
from weft.sim.lanes import WARP, Array, Lanes, numbers

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.races import Races
    from weft.sim.site import Site

_GRID = "earlier grid"
"""The name of its engine."""
_WAIT = "execute griddepcontrol.wait before the access, in this thread or in one that it synchronizes with"
STREAMS = "order the streams: make one wait for an event of the other, or the host for both"
"""What to do about streams that nothing orders."""
_CELL = 2
"""Log2 of the bytes of a cell where whole buffers are meant."""


@dataclass(frozen=True, slots=True, eq=False)
class Touched:
    """What a grid has stored to and read: a cell that is not 0 for each `1 << shift` bytes of global memory.

    Where other launches have used the cells too, bits of `mask` have a `value` in those of this one.
    `lives` says of byte indices whether they still belong to what they belonged to then (None: all do), `late` notes
    reads in `read` that are not there yet.  What is
    `apart` is work of another stream, which no thread can wait for.
    """

    name: str
    written: Array
    read: Array
    shift: int
    lives: Callable[[Array], Array] | None = None
    late: Callable[[], None] | None = None
    mask: int = 0
    value: int = 0
    apart: bool = False

    def reads(self) -> Array:
        """What it has read, as cells."""
        if self.late is not None:
            self.late()
        return self.read

    def _set(self, cells: Array) -> Array:
        return cells != 0 if not self.mask else cells & np.uint64(self.mask) == np.uint64(self.value)

    def hits(self, index: Array, size: int, *, write: bool) -> tuple[Array, Array]:
        """Which accesses meet what was written, and which of the others meet what was read."""
        written = np.zeros(len(index), np.bool_)
        read, readers = np.zeros(len(index), np.bool_), self.reads() if write else self.read
        for part in range(0, size, 1 << self.shift):
            cells = index + part >> self.shift
            inside = cells < len(self.written)
            cells = np.where(inside, cells, 0)
            written |= self._set(self.written[cells]) & inside
            if write:
                read |= self._set(readers[cells]) & inside
        if self.lives is not None and (written | read).any():
            alive = self.lives(index)
            written, read = written & alive, read & alive
        return written, read & ~written


def touched_by(races: Races, name: str, lives: Callable[[Array], Array]) -> Touched:
    """What the grid that has just run has done to memory."""
    return Touched(name, races.written, races.read, races.shift, lives, races.reads_left())


def buffers(spans: Sequence[tuple[int, int]], extent: int) -> Touched:
    """A grid that may store to all of some ranges of bytes."""
    written = np.zeros((extent >> _CELL) + 1, np.bool_)
    for start, end in spans:
        written[start >> _CELL : (end + (1 << _CELL) - 1) >> _CELL] = True
    return Touched("", written, np.zeros(len(written), np.bool_), _CELL)


class Earlier:
    """The earlier grids of a launch."""

    def __init__(self, machine: Machine, clocks: Clocks, grids: Sequence[Touched]) -> None:
        self._machine = machine
        self._clocks = clocks
        self._grids = grids
        self.waited = False

    def wait(self, lanes: Lanes) -> None:
        """Threads have waited for the earlier grids."""
        self.waited = True
        clocks = self._clocks
        rows = clocks.rows_of(lanes.select)
        engines = clocks.engines(_GRID, clocks.cta_of_row[rows])
        if engines is not None:
            clocks.reach(engines, rows, clocks.now)
            clocks.tick()

    def _known(self, lanes: Array) -> Array:
        """Which lanes know that the earlier grids have ended."""
        clocks = self._clocks
        role = clocks.role_of(_GRID)
        if role is None:
            return np.zeros(len(lanes), np.bool_)
        rows = lanes // WARP
        if clocks.wide:
            known: Array = clocks.known[KNOWN, rows, role * clocks.ctas : (role + 1) * clocks.ctas].max(axis=1)
        else:
            known = clocks.known[KNOWN, rows, role]
        return known > 0

    def check(self, site: Site, index: Array, lanes: Array | slice, size: int, *, write: bool) -> None:
        """Report accesses of lanes to bytes of global memory that an earlier grid may still use."""
        who = numbers(lanes, len(index))
        for grid in self._grids:
            written, read = grid.hits(index, size, write=write)
            bad = written | read
            if not bad.any():
                continue
            if not grid.apart:
                bad &= ~self._known(who)
            if bad.any():
                which = int(bad.argmax())
                does = "writes" if written[which] else "reads"
                named = f", kernel '{grid.name}'," if grid.name else ""
                other = f"{grid.name} in another stream" if grid.apart else f"the earlier grid of the stream{named}"
                where = int(index[which]) + self._machine.memory.arena.base
                text = f"{'writes' if write else 'reads'} what {other} {does}"
                fault = site.fault("race", f"{text} at global address {where:#x}", int(who[which]), where)
                fault.hint = STREAMS if grid.apart else _WAIT
                site.report(fault)
