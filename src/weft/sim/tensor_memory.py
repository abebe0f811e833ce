"""Tensor memory: 128 lanes by 512 columns of 32 bits for each CTA, its allocation, and what is under way in it.

Products, copies and shifts run in the order in which they are issued.  Eagerly they run at once; lazily when a thread
needs the mbarrier that tracks them.  Until then, and until `tcgen05.wait`, nothing may read what they write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.errors import Severity
from weft.sim.lanes import Array, Lanes
from weft.sim.registers import Row
from weft.sim.site import Site
from weft.sim.tensor_cells import COLUMNS, LANES, Blocks, Cells, Table

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.tensor_order import TensorOrder

GRAIN = 32
"""Columns are allocated in multiples of this many."""
POISON = np.uint32(0xFFFF_FFFF)
"""What registers and columns hold until what is written to them is there: NaN in every float format."""


@dataclass(slots=True)
class Operation:
    """Something that runs later: `run` does it, and writes `cells`, each once; `arrives`: threads may wait for it.

    `starters` are the lanes that have started it, one for each of the CTAs that `cells` lists.

    `reads` are byte indices of shared memory that it reads, and the bytes at each.
    """

    run: Callable[[], None]
    starters: Array
    cells: Cells | None = None
    reads: Sequence[tuple[Array, int]] = ()
    arrives: bool = False
    ctas: frozenset[int] | None = None


@dataclass(slots=True)
class Transfer:
    """A load or store of registers that the lanes of whole warps have started; `finish` takes which of them to end.

    `left` are those that have not waited for it yet.  `give` writes the registers of a load before that.
    """

    lanes: Array
    left: Array
    finish: Callable[[Array], None]
    load: bool
    give: Callable[[Array], None] | None = None


class TensorMemory:
    """The tensor memory of a batch of CTAs.

    `order` is what strict runs know of the order of accesses, `due` counts arrivals to come at the byte indices of
    mbarriers.
    `loading` counts, for each lane of a register, the loads that have not ended; `early` are lanes
    and instructions that have used what such loads give.
    """

    def __init__(self, machine: Machine, order: TensorOrder | None) -> None:
        self.machine = machine
        self.order = order
        self.queue: list[Operation] = []
        self.due: Counter[int] = Counter()
        self.transfers: list[Transfer] = []
        self.loading: dict[int, Array] = {}
        self.early: list[tuple[Array, Site]] = []
        self.blocks = Blocks()
        self._next = 1
        self._groups = {o.get("cta_group") for o in machine.program.opcodes if o.stem.startswith("tcgen05")} - {""}
        self.relinquished: Array = np.zeros(machine.batch.ctas, np.bool_)

    @cached_property
    def cells(self) -> Array:
        """The contents."""
        cells = np.full((self.machine.batch.ctas, LANES, COLUMNS), POISON)
        if self.machine.witness is not None:
            self.machine.witness.fill(cells)
        return cells

    def _table(self, dtype: type[np.generic]) -> Table:
        return self.blocks.table((self.machine.batch.ctas,), dtype)

    @cached_property
    def owner(self) -> Array:
        """For each column of a CTA the number of its allocation, 0 without one."""
        return np.zeros((self.machine.batch.ctas, COLUMNS), np.int64)

    @cached_property
    def written(self) -> Table:
        """Which cells hold something."""
        return self._table(np.bool_)

    @cached_property
    def running(self) -> Table:
        """How many operations will write each cell."""
        return self._table(np.int16)

    @cached_property
    def storing(self) -> Table:
        """How many stores that nothing has waited for will write each cell."""
        return self._table(np.int16)

    def reset(self) -> None:
        """A new batch begins."""
        self.queue.clear()
        self.due.clear()
        self.transfers.clear()
        if self.order is not None:
            self.order.reset()
        self.early.clear()
        for counts in self.loading.values():
            counts.fill(0)
        self.relinquished.fill(False)
        for name, value in (("owner", 0), ("cells", POISON)):
            if name in self.__dict__:
                self.__dict__[name].fill(value)
        self.blocks.clear()
        if self.machine.witness is not None and "cells" in self.__dict__:
            self.machine.witness.fill(self.cells)

    # -- allocation -------------------------------------------------------------------------------------------

    def allocate(self, site: Site, lane: int, cta: int, columns: int) -> int:
        """Reserve columns of a CTA; the first one."""
        if len(self._groups) > 1:
            mixed = " and ".join(sorted(self._groups))
            raise site.fault(
                "tensor-memory", f"{mixed} in one kernel: all instructions of a kernel must use the same", lane
            )
        if self.relinquished[cta]:
            raise site.fault("tensor-memory", "the CTA has relinquished the right to allocate", lane)
        if columns not in (32, 64, 128, 256, 512):
            raise site.fault(
                "tensor-memory", f"{columns} columns: the number must be a power of two from 32 to 512", lane
            )
        owner = self.owner[cta]
        for start in range(0, COLUMNS - columns + 1, GRAIN):
            if not owner[start : start + columns].any():
                owner[start : start + columns] = self._next
                self._next += 1
                if "written" in self.__dict__:
                    self.written[cta, :, self.blocks.columns_from(start, columns)] = False
                if self.machine.witness is not None and "cells" in self.__dict__:
                    self.machine.witness.fill(self.cells[cta, :, start : start + columns])
                return start
        raise site.fault("tensor-memory", f"{columns} contiguous columns are not free, and no thread frees any", lane)

    def release(self, site: Site, lanes: Array, ctas: Array, addresses: Array, counts: Array) -> None:
        """Lanes give columns of their CTAs back; they must be whole allocations."""
        given = list(zip(lanes.tolist(), ctas.tolist(), addresses.tolist(), counts.tolist(), strict=True))
        for lane, cta, address, columns in given:
            start = address & 0xFFFF
            owner = self.owner[cta]
            name = owner[start] if start < COLUMNS else 0
            mine = np.flatnonzero(owner == name).tolist()
            if not name or address >> 16 or mine != list(range(start, start + columns)):
                raise site.fault(
                    "tensor-memory", f"the {columns} columns at {address:#x} are not one allocation", lane, address
                )
            owner[start : start + columns] = 0
        if self.order is not None:
            for start, columns in sorted({(address, columns) for _, _, address, columns in given}):
                self.order.release(site, lanes[(addresses == start) & (counts == columns)], start, columns)

    def leaks(self) -> int:
        """A CTA (of the batch) that has ended without giving back what it had allocated; -1 if there is none."""
        left = np.flatnonzero(self.owner.any(axis=1)) if "owner" in self.__dict__ else np.zeros(0)
        return int(left[0]) if left.size else -1

    # -- access -----------------------------------------------------------------------------------------------

    def check(self, site: Site, cells: Cells, lane: int, *, read: bool, ordered: bool) -> None:
        """Fault unless the cells are allocated and, to `read` them, written; `ordered`: after what is queued."""
        if self._ready(cells, read=read, ordered=ordered):
            return
        column, row = cells.column, cells.lane
        outside = (column >= COLUMNS) | (column < 0) | (row >= LANES) | (row < 0)
        if outside.any():
            self._blame(site, cells, outside, lane, "lies outside the 128 lanes by 512 columns")
        free = self.owner[cells.cta, column] == 0
        if free.any():
            self._blame(site, cells, free, lane, "is not allocated")
        machine, at = self.machine, self.blocks.at(cells)
        if machine.async_ != "eager":
            late = self.storing[at] > 0
            if not ordered:
                late |= self.running[at] > 0
            if late.any():
                what = "is still being written by an asynchronous operation in flight"
                self._blame(site, cells, late, lane, what, "asynchronous-read")
        if read and machine.strict:
            empty = ~self.written[at]
            if ordered and machine.async_ != "eager":
                empty &= self.running[at] == 0
            if empty.any():
                self._blame(site, cells, empty, lane, "has not been written yet", "uninitialised-memory")

    def _ready(self, cells: Cells, *, read: bool, ordered: bool) -> bool:
        """Whether there is surely nothing against using cells."""
        box, areas = cells.box, cells.areas
        if box is not None:
            cta, _, columns = box
            owned = self.owner[cta, columns]
        elif areas is not None:
            owned = self.owner[areas.cta[:, None], areas.column[:, None] + np.arange(areas.columns)]
        else:
            return False
        if not owned.all():
            return False
        place = self.blocks.of(cells)
        late = self.machine.async_ != "eager"
        if late and (self.storing[place].any() or (not ordered and self.running[place].any())):
            return False
        if not read or not self.machine.strict:
            return True
        written = self.written[place]
        return bool(written.all() or (ordered and late and (written | (self.running[place] > 0)).all()))

    def _blame(self, site: Site, cells: Cells, bad: Array, lane: int, what: str, kind: str = "tensor-memory") -> None:
        at = tuple(int(axis[0]) for axis in np.nonzero(bad))
        address = int(cells.lane[at]) << 16 | int(cells.column[at])
        where = f"lane {int(cells.lane[at])}, column {int(cells.column[at])} of tensor memory"
        raise site.fault(kind, f"{where} {what}", lane, address)

    def load(self, cells: Cells) -> Array:
        """The words of cells."""
        return self.cells[cells.place].copy() if cells.box is not None else self.cells[cells.index]

    def store(self, cells: Cells, words: Array, where: Array | None = None) -> None:
        """Write words, or those that a mask picks."""
        if where is None:
            self.cells[cells.place] = words
            self.stored(cells)
            return
        chosen = np.broadcast_to(where, cells.cta.shape)
        some = Cells(cells.cta[chosen], cells.lane[chosen], cells.column[chosen])
        self.cells[some.index] = words[chosen]
        self.stored(some)

    def stored(self, cells: Cells) -> None:
        """Note that cells hold something."""
        if self.machine.strict:
            self.written[self.blocks.of(cells)] = True
        self.machine.change()

    def storing_to(self, cells: Cells, change: int) -> None:
        """Note that a store to cells has started or ended."""
        self.storing[self.blocks.of(cells)] += change

    # -- what runs later --------------------------------------------------------------------------------------

    def start(self, operation: Operation, site: Site | None = None) -> None:
        """Run an operation as the policy says, after those that were started before; `site` starts it."""
        policy = self.machine.async_
        if self.order is not None and site is not None and operation.cells is not None:
            self.order.begins(site, operation.cells, operation.starters)
        if policy == "eager":
            self._run(operation)
            return
        if operation.cells is not None:
            self.running[self.blocks.of(operation.cells)] += 1
        for index, size in operation.reads:
            self.machine.memory.shared.hold(index, size)
        self.queue.append(operation)
        while policy == "random" and self.queue and self.machine.random.random() < 0.5:
            self._run_first()

    def _run(self, operation: Operation) -> None:
        operation.run()
        if operation.cells is not None and self.order is not None:
            self.order.made(operation.cells, operation.starters)

    def _run_first(self) -> None:
        self._end(self.queue.pop(0))

    def _end(self, operation: Operation) -> None:
        """Run an operation that has been queued."""
        for index, size in operation.reads:
            self.machine.memory.shared.let_go(index, size)
        self._run(operation)
        if operation.cells is not None:
            self.running[self.blocks.of(operation.cells)] -= 1

    def force(self) -> bool:
        """Run what threads may wait for, when nothing else can go on; whether there was any.

        In each CTA that is what comes up to the first arrival: CTAs that wait together then go on together.
        """
        later, wanted = set[int](), list[bool]()
        for operation in reversed(self.queue):
            if operation.arrives:
                later |= self._ctas(operation)
            wanted.append(not later.isdisjoint(self._ctas(operation)))
        if not later:
            return False
        ended, queue, self.queue = set[int](), self.queue, []
        for operation, has in zip(queue, reversed(wanted), strict=True):
            ctas = self._ctas(operation)
            if not has or not ended.isdisjoint(ctas):
                ended |= ctas
                self.queue.append(operation)
                continue
            self._end(operation)
            if operation.arrives:
                ended |= ctas
        return True

    def _ctas(self, operation: Operation) -> frozenset[int]:
        """The CTAs whose operations follow each other: of the threads that have started one, and of its cells."""
        if operation.ctas is None:
            found = self.machine.batch.cta[operation.starters]
            if operation.cells is not None:
                found = np.concatenate([found, operation.cells.cta[:, 0, 0]])
            operation.ctas = frozenset(found.tolist())
        return operation.ctas

    def busy(self, rows: Sequence[Row], lanes: Array, change: int) -> None:
        """Note that loads of registers have started or ended."""
        for row in rows:
            counts = self.loading.setdefault(id(row), np.zeros(self.machine.batch.lanes, np.int16))
            counts[lanes] += change

    def transfer(
        self, lanes: Lanes, finish: Callable[[Array], None], *, load: bool, give: Callable[[Array], None] | None = None
    ) -> None:
        """A load or store that ends when the lanes wait for it, or eagerly at once.

        Where uses of registers wait by themselves loads end by those, so that it is known that they have.
        """
        policy = "lazy" if load and self.machine.interlocked else self.machine.async_
        everyone: Array = np.ones(lanes.count, np.bool_)
        if policy == "eager" or (policy == "random" and self.machine.random.random() < 0.5):
            finish(everyone)
        else:
            self.transfers.append(Transfer(lanes.index, everyone, finish, load, give))

    def hasten(self, lanes: Lanes) -> None:
        """Give the lanes what they have loaded; it still counts as under way until they wait for it."""
        asking = lanes.among(self.machine.batch.lanes)
        for transfer in self.transfers:
            if transfer.give is not None:
                transfer.give(asking[transfer.lanes])

    def blame_early(self, lanes: Lanes) -> None:
        """Lanes that have used what they have loaded tell others: they should have waited first."""
        telling = lanes.among(self.machine.batch.lanes)
        for users, site in self.early:
            which = telling[users]
            if which.any():
                self.early.clear()
                message = "uses the result of a tcgen05.ld that is still in flight"
                fault = site.fault("asynchronous-read", message, int(users[int(which.argmax())]))
                fault.hint = "insert tcgen05.wait::ld between the load and the use"
                site.report(fault)
                return

    def _forgive(self, waiting: Array) -> None:
        """Note early uses by lanes that now wait."""
        kept: list[tuple[Array, Site]] = []
        for users, site in self.early:
            mine = waiting[users]
            if mine.any() and site.opcode.stem != "mov":
                message = (
                    "uses the result of a tcgen05.ld before tcgen05.wait::ld: the ISA forbids it, assemblers repair it"
                )
                fault = site.fault("asynchronous-read", message, int(users[int(mine.argmax())]))
                site.report(fault, Severity.NOTE)
            if not mine.all():
                kept.append((users[~mine], site))
        self.early = kept

    def wait(self, lanes: Lanes, *, load: bool) -> None:
        """End the lanes' loads or stores."""
        waiting = lanes.among(self.machine.batch.lanes)
        if load and self.early:
            self._forgive(waiting)
        if self.order is not None:
            self.order.waited(lanes, load=load)
        for transfer in self.transfers:
            mine = waiting[transfer.lanes] & transfer.left
            if transfer.load == load and mine.any():
                transfer.finish(mine)
                transfer.left &= ~mine
        self.transfers = [transfer for transfer in self.transfers if transfer.left.any()]
