"""Whether warps that use the same tensor memory are ordered, and their `tcgen05` operations fenced.

A load, store or `tcgen05.dealloc` must know of what other warps have done to its cells, as with any memory.  What is
ordered needs fences too: what a warp has stored, another one loads after `tcgen05.fence::before_thread_sync` by the
first, what orders the two, and `tcgen05.fence::after_thread_sync`; what a product writes, after the second of them.
Kernels without any of these fences, such as those of Triton, are not asked for them.

A warp reaches 32 lanes, or 16 of them: a block of cells has at least 16 lanes.

Source: PTX manual, "tcgen05 Memory Consistency Model Properties".
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from weft.sim.clock_rows import KNOWN
from weft.sim.clocks import Clocks
from weft.sim.lanes import WARP, Array, Lanes, all_of, any_of, changes
from weft.sim.site import Site
from weft.sim.stamps import TIME_AT
from weft.sim.tensor_cells import Blocks, Cells, Where

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.program import Program

_BEFORE, _AFTER = "tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync"
_STORED = "tcgen05.wait::st"
_USERS = ("tcgen05.ld", "tcgen05.ld.red", "tcgen05.st")
_LANES = 16
_NEVER = np.uint32(0xFFFF_FFFF)
"""When a load has read that nobody has waited for."""


def wanted(program: Program) -> bool:
    """Whether a kernel's warps use tensor memory."""
    return any(opcode.stem in _USERS for opcode in program.opcodes)


def fenced(program: Program) -> bool:
    """Whether a kernel has fences of tensor memory."""
    return any(opcode.stem in (_BEFORE, _AFTER) for opcode in program.opcodes)


class TensorOrder:
    """When warps last read and wrote cells: CTAs by warps by blocks by columns.

    `plane` is the plane of the clocks that holds what `before_thread_sync` has let through, 0 without fences.  Relaxed
    operations tell of it, though of nothing else.
    `_complete` is when a warp has waited for its last store, later than any time before it has.
    `_started` is when operations that read cells, and that write them, were started, `_starter` by which row.
    `_usable` is what warps have been told of their CTA's warps before their last `after_thread_sync`, which was at
    `_after`; `_alone` is the same for lanes that have executed it without the rest of their warps, the last one of
    which was at `_after_some`.  `_before` is when lanes, or those that they had met, executed `before_thread_sync`.
    `_loading` is what warps load, `_storing` what they store, that have not waited since, with the size of blocks then.
    """

    def __init__(self, machine: Machine, clocks: Clocks, plane: int) -> None:
        self.machine = machine
        self.clocks = clocks
        self.plane = plane
        self.reset()

    def reset(self) -> None:
        """A new batch begins, or the clocks have started again."""
        clocks = self.clocks
        self.blocks = Blocks(_LANES)
        each, warps = (clocks.ctas,), (clocks.ctas, clocks.warps)
        self._read, self._written, self._complete = (self.blocks.table(warps, np.uint32) for _ in range(3))
        self._usable: Array = np.zeros((clocks.rows, clocks.warps), np.uint32)
        self._after, self._after_some = np.zeros((2, clocks.rows), np.uint32)
        self._before: Array = np.zeros(self.machine.batch.lanes, np.uint32)
        self._alone: dict[int, dict[int, tuple[Array, int]]] = {}
        self._made, self._maker = self.blocks.table(each, np.uint32), self.blocks.table(each, np.int32)
        self._started = [self.blocks.table(each, np.uint32) for _ in range(2)]
        self._starter = [self.blocks.table(each, np.int64) for _ in range(2)]
        self._loading: dict[int, list[tuple[Where, tuple[int, int]]]] = {}
        self._storing: dict[int, list[tuple[Where, tuple[int, int]]]] = {}
        self._latest = clocks.now

    def _columns(self, row: int | Array) -> Array:
        """The columns of the clocks for the warps of a row's CTA, or of those of each of some rows."""
        ctas = self.clocks.ctas
        cta = row % ctas if isinstance(row, int) else (row % ctas)[:, None]
        return self.clocks.column(np.arange(self.clocks.warps) * ctas + cta)

    def _aware(self, rows: Array, columns: Array) -> Array:
        """Up to when rows know what those of columns have done, fenced or not."""
        known: Array = self.clocks.known[KNOWN, rows, columns]
        return np.maximum(known, self.clocks.known[self.plane, rows, columns]) if self.plane else known

    def _keep_up(self) -> None:
        if self.clocks.now < self._latest:
            self.reset()
        self._latest = self.clocks.now

    # -- fences -----------------------------------------------------------------------------------------------

    def fence(self, lanes: Lanes, *, before: bool) -> None:
        """Lanes execute a fence of tensor memory."""
        self._keep_up()
        clocks = self.clocks
        rows = clocks.rows_of(lanes.select)
        here = lanes.among(self.machine.batch.lanes).reshape(-1, WARP)[rows]
        there = self.machine.alive.reshape(-1, WARP)[rows]
        if before:
            clocks.cover(self._before, lanes.select)
            since = np.where(there, self._before.reshape(-1, WARP)[rows], clocks.now).min(axis=1)
        else:
            since = np.full(len(rows), clocks.now)
        told, columns = clocks.known[self.plane], self._columns(rows)
        where = rows[:, None], columns
        if before:
            for row in rows.tolist() if self._alone else ():
                self._share(row)
            told[where] = np.maximum(told[where], self._usable[rows])
            own = rows, columns[np.arange(len(rows)), rows // clocks.ctas]
            told[own] = np.maximum(told[own], since)
        else:
            self._take_in(rows, np.maximum(self._usable[rows], told[where]), here, there)
        clocks.tick()

    def _take_in(self, rows: Array, usable: Array, here: Array, there: Array) -> None:
        """Of warps the lanes that are here, of those that are there, may use what they have been told."""
        now = self.clocks.now
        self._after_some[rows] = now
        whole = (here | ~there).all(axis=1)
        self._usable[rows[whole]], self._after[rows[whole]] = usable[whole], now
        for row in rows[whole].tolist() if self._alone else ():
            self._alone.pop(row, None)
        for number in np.flatnonzero(~whole).tolist():
            alone = self._alone.setdefault(int(rows[number]), {})
            for lane in np.flatnonzero(here[number]).tolist():
                alone[lane] = usable[number], now

    def _share(self, row: int) -> None:
        """What single lanes of a warp have been told before their fences, all of it may use once they have met."""
        alone = self._alone.get(row)
        if alone is None:
            return
        lanes = slice(row * WARP, row * WARP + WARP)
        there = self.machine.alive[lanes]
        met = int(self.clocks.warp_floor[lanes][there].min()) >> TIME_AT if there.any() else 0
        every = set(np.flatnonzero(there).tolist()) <= alone.keys()
        least = min(time for _, time in alone.values())
        for lane, (usable, time) in list(alone.items()):
            if time <= met or (every and time == least):
                self._usable[row] = np.maximum(self._usable[row], usable)
                self._after[row] = max(int(self._after[row]), time)
                del alone[lane]
        if not alone:
            del self._alone[row]

    def _usable_by(self, lane: int) -> Array:
        """What a lane that starts something may use of the warps of its CTA."""
        row = lane // WARP
        self._share(row)
        alone = self._alone.get(row, {}).get(lane % WARP)
        return self._usable[row] if alone is None else np.maximum(self._usable[row], alone[0])

    # -- accesses ---------------------------------------------------------------------------------------------

    def access(self, site: Site, cells: Cells, lanes: Lanes, *, write: bool) -> None:
        """Whole warps load or store cells: the first axis is that of the warps."""
        self._keep_up()
        rows = self.clocks.rows_of(lanes.select)
        for row in rows.tolist() if self._alone else ():
            self._share(row)
        roles = rows // self.clocks.ctas
        ends = [*changes(roles).tolist(), len(rows)]
        for first, end in pairwise(ends):
            some, areas = slice(first, end), cells.areas
            if areas is not None and areas.some(some).alike():
                where = self._where(cells, first)
                if self._fine(rows[some], where, write=write):
                    self._note(rows[some], where, write=write)
                    continue
            for number in range(first, end):
                where = self._where(cells, number)
                self._check(site, int(rows[number]), where, write=write)
                self._note(rows[number : number + 1], where, write=write)

    def _where(self, cells: Cells, number: int) -> Where:
        """The blocks of the cells of one element of the first axis."""
        if cells.areas is not None:
            _, lanes, columns = self.blocks.of_areas(cells.areas.some(slice(number, number + 1)))
            return lanes[0], columns[0]
        self.blocks.of(cells)
        _, lanes, columns = self.blocks.at(cells)
        return np.unique(lanes[number])[:, None], np.unique(columns[number])[None]

    def _note(self, rows: Array, where: Where, *, write: bool) -> None:
        """Warps of one role load or store cells."""
        role, ctas = int(rows[0]) // self.clocks.ctas, (rows % self.clocks.ctas)[:, None, None]
        if write:
            self._made[ctas, *where] = 0
            self._written[ctas, role, *where] = self.clocks.now
        (self._complete if write else self._read)[ctas, role, *where] = _NEVER
        pending = self._storing if write else self._loading
        for row in rows.tolist():
            pending.setdefault(row, []).append((where, self.blocks.size))

    def _fine(self, rows: Array, where: Where, *, write: bool, ends: bool = False) -> bool:
        """Whether `_check` has nothing to say of warps of one role, which use the same cells of their CTAs."""
        clocks = self.clocks
        role, ctas = int(rows[0]) // clocks.ctas, rows % clocks.ctas
        known = self._aware(rows[:, None], self._columns(rows))
        pick = ctas[:, None, None, None], np.arange(clocks.warps)[:, None, None], where[0], where[1]
        uses = np.maximum(self._written[pick], self._read[pick]) if write else self._written[pick]
        uses = uses.max(axis=(2, 3))
        late = uses > (self._usable[rows] if self.plane and not ends else known)
        late |= self._complete[pick].max(axis=(2, 3)) > known
        late[:, role] = False
        if any_of(late):
            return False
        here = ctas[:, None, None], *where
        for kind in (0, 1) if write else (1,):
            starter = self._starter[kind][here]
            late = self._started[kind][here] > self._aware(rows[:, None, None], clocks.column(starter))
            if any_of(late & (starter != rows[:, None, None])):
                return False
        if not self.plane or write:
            return True
        made = np.where(self._maker[here] == rows[:, None, None], 0, self._made[here]).max(axis=(1, 2))
        after = self._after_some.reshape(clocks.warps, -1)[:, ctas].T
        seen = np.where(after <= known, after, 0)
        seen[:, role] = self._after[rows]
        return not any_of(made > seen.max(axis=1))

    def waited(self, lanes: Lanes, *, load: bool) -> None:
        """Warps have waited for their loads, or for their stores."""
        self._keep_up()
        pending, times = (self._loading, self._read) if load else (self._storing, self._complete)
        for row in self.clocks.rows_of(lanes.select).tolist() if pending else ():
            table = times[row % self.clocks.ctas, row // self.clocks.ctas]
            for where, size in pending.pop(row, ()):
                table[self.blocks.again(where, size)] = self.clocks.now

    def release(self, site: Site, lanes: Array, start: int, columns: int) -> None:
        """Lanes of different CTAs give the same columns back for their warps."""
        self._keep_up()
        rows, ctas = lanes // WARP, lanes // WARP % self.clocks.ctas
        part = self.blocks.columns_from(start, columns)
        where = np.arange(self.blocks.shape[0])[:, None], np.arange(part.start, part.stop)[None]
        roles = rows // self.clocks.ctas
        if not (roles == roles[0]).all() or not self._fine(rows, where, write=True, ends=True):
            for row in rows.tolist():
                self._check(site, row, where, write=True, ends=True)
        for table in (self._read, self._written, self._complete):
            table[ctas, :, :, part] = 0
        for table in (self._made, *self._started):
            table[ctas, :, part] = 0

    def begins(self, site: Site, cells: Cells, starters: Array, *, write: bool = True) -> None:
        """Threads start what reads cells of tensor memory, or writes them, until their commits have been waited for.

        The first axis of the cells is that of CTAs: `starters` are the lanes that act for each.
        """
        self._keep_up()
        clocks = self.clocks
        if self._begin_all(cells, starters, write=write):
            clocks.tick()
            return
        for number, lane in enumerate(starters.tolist()):
            row, cta = lane // WARP, int(cells.cta[number].flat[0])
            where = self._where(cells, number)
            used = self._written[cta][:, where[0], where[1]]
            if write:
                used = np.maximum(used, self._read[cta][:, where[0], where[1]])
            uses = used.max(axis=(1, 2))
            complete = self._complete[cta][:, where[0], where[1]].max(axis=(1, 2))
            late = np.maximum(uses, complete) > self._aware(np.array(row), self._columns(cta))
            near = cta == row % clocks.ctas
            unfenced = uses > self._usable_by(lane) if self.plane and near else np.zeros(len(uses), np.bool_)
            if near:
                late[row // clocks.ctas] = unfenced[row // clocks.ctas] = False
            verb = "overwrites" if write else "reads"
            if late.any():
                other = int(late.argmax())
                message = f"{verb} tensor memory that warp {other} used, without synchronization between them"
                self._blame(site, lane, "race", message, self._first(where, used[other] == uses[other]))
            elif unfenced.any():
                other = int(unfenced.argmax())
                who = f"warp {other} used, without {_BEFORE} and {_AFTER} around the synchronization"
                message = f"{verb} tensor memory that {who}"
                self._blame(site, lane, "tensor-fence", message, self._first(where, used[other] == uses[other]))
            self._check_started(site, lane, cta, where, write=write)
            self._started[int(write)][cta, *where] = clocks.now
            self._starter[int(write)][cta, *where] = row
        clocks.tick()

    def _begin_all(self, cells: Cells, starters: Array, *, write: bool) -> bool:
        """The same of threads that each start something with rectangles of CTAs; False where some may not."""
        areas, clocks, rows = cells.areas, self.clocks, starters // WARP
        if areas is None or not all_of(areas.cta[1:] > areas.cta[:-1]):
            return False
        place, numbers = self.blocks.of_areas(areas), np.arange(len(rows))
        pick = place[0][:, None], np.arange(clocks.warps)[:, None, None], place[1][:, None], place[2][:, None]
        used = self._written[pick]
        if write:
            used = np.maximum(used, self._read[pick])
        uses = used.max(axis=(2, 3))
        complete = self._complete[pick].max(axis=(2, 3))
        columns = self._columns(areas.cta)
        late = np.maximum(uses, complete) > self._aware(rows[:, None], columns)
        near = areas.cta == rows % clocks.ctas
        if self.plane:
            usable = self._usable[rows]
            for number, lane in enumerate(starters.tolist()) if self._alone else ():
                usable[number] = self._usable_by(lane)
            late |= (uses > usable) & near[:, None]
        late[numbers[near], rows[near] // clocks.ctas] = False
        if any_of(late):
            return False
        for kind in (0, 1) if write else (1,):
            starter = self._starter[kind][place]
            late = self._started[kind][place] > self._aware(rows[:, None, None], clocks.column(starter))
            if any_of(late & (starter != rows[:, None, None])):
                return False
        self._started[int(write)][place] = clocks.now
        self._starter[int(write)][place] = rows[:, None, None]
        return True

    def _check_started(self, site: Site, lane: int, cta: int, where: Where, *, write: bool) -> None:
        """What other warps have started with cells of a CTA is known to the warp of a lane that uses them."""
        row = lane // WARP
        for kind in (0, 1) if write else (1,):
            starter = self._starter[kind][cta, *where]
            known = self._aware(np.array(row), self.clocks.column(starter))
            late = (self._started[kind][cta, *where] > known) & (starter != row)
            if late.any():
                other = int(starter[late][0]) // self.clocks.ctas
                does = f"{'writes' if kind else 'reads'}, without synchronization between them"
                message = f"{'overwrites' if write else 'reads'} tensor memory that an operation of warp {other} {does}"
                self._blame(site, lane, "race", message, self._first(where, late))

    def made(self, cells: Cells, starters: Array) -> None:
        """What lanes have started, one for each of the cells' CTAs, has written cells."""
        self._keep_up()
        makers = (starters // WARP).reshape(-1, *(1,) * (cells.cta.ndim - 1))
        place = self.blocks.of(cells)
        self._made[place], self._maker[place] = self.clocks.now, makers
        self.clocks.tick()

    def _check(self, site: Site, row: int, where: Where, *, write: bool, ends: bool = False) -> None:
        clocks = self.clocks
        role, cta = row // clocks.ctas, row % clocks.ctas
        known = self._aware(np.array(row), self._columns(row))
        pick = np.arange(clocks.warps)[:, None, None], where[0][None], where[1][None]
        stored = self._written[cta][pick]
        used = np.maximum(stored, self._read[cta][pick]) if write else stored
        written, uses = stored.max(axis=(1, 2)), used.max(axis=(1, 2))
        complete = self._complete[cta][pick].max(axis=(1, 2))
        late = np.maximum(uses, complete) > known
        late[role] = False
        if late.any():
            other = int(late.argmax())
            what = "gives back" if ends else "overwrites" if write else "reads"
            message = f"{what} tensor memory that warp {other} has {{}}, unordered"
            if uses[other] > known[other]:
                message = message.format("written" if written[other] > known[other] else "read")
            else:
                message = f"{message.format('written')}: it need not have executed its {_STORED} yet"
            self._blame(site, row * WARP, "race", message, self._first(where, used[other] == uses[other]))
        self._check_started(site, row * WARP, cta, where, write=write)
        if not self.plane or ends:
            return
        late = uses > self._usable[row]
        late[role] = False
        if late.any():
            other = int(late.argmax())
            did = "stored" if written[other] > self._usable[row, other] else "loaded"
            who = f"warp {other} {did}, without {_BEFORE} before and {_AFTER} after the synchronization"
            message = f"uses tensor memory that {who}"
            self._blame(site, row * WARP, "tensor-fence", message, self._first(where, used[other] == uses[other]))
        if write:
            return
        made = np.where(self._maker[cta][where] == row, 0, self._made[cta][where])
        after = self._after_some[cta :: clocks.ctas]
        seen = np.where(after <= known, after, 0)
        seen[role] = self._after[row]
        if made.max() > seen.max():
            message = f"reads the result of a product, without {_AFTER} since"
            self._blame(site, row * WARP, "tensor-fence", message, self._first(where, made > seen.max()))

    def _blame(self, site: Site, lane: int, kind: str, message: str, address: int) -> None:
        message = f"{message}, at lane {address >> 16}, column {address & 0xFFFF}"
        site.report(site.fault(kind, message, lane, address), named=False)

    def _first(self, where: Where, bad: Array) -> int:
        """The address in tensor memory of the first bad one of blocks."""
        lane, column = (int(one[0]) for one in np.nonzero(bad))
        lanes, columns = self.blocks.size
        return int(where[0].reshape(-1)[lane]) * lanes << 16 | int(where[1].reshape(-1)[column]) * columns
