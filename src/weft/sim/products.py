"""Products under way (`wgmma`): registers and shared memory that a warpgroup may not touch before it has waited.

Until a product completes, its accumulators hold garbage; their values are kept aside.  Eagerly products complete when
they are issued; lazily when `wgmma.wait_group` demands it, and only then are operands read, those in registers too.

Strict runs find accesses to these registers, and those written without a `wgmma.fence` before the next product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.sim.lanes import Array, Lanes, span
from weft.sim.registers import Row
from weft.sim.site import Site
from weft.sim.types import Dtype

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.native.dense import Queue

STEMS = ("wgmma.mma_async", "wgmma.mma_async.sp")
_POISON = 0xFFFF_FFFF
_WARPGROUP = 128
UNFENCED, FRESH = np.uint8(1), np.uint8(2)
"""What is known of a register that a lane has written."""
_ISSUED = 256
"""Products that are remembered until their warps have waited for them."""


@dataclass(slots=True, eq=False)
class Product:
    """A product that one instruction started: `lanes` by warpgroup (or lane by lane, for copies of accumulators).

    `run` computes it for some of the warpgroups, given by their numbers, from the kept values of `targets` to new ones;
    `chosen` are those that are left.  `sources` are the registers that it reads, `operands` the byte indices of shared
    memory by warpgroup, with the size of each element.
    """

    lanes: Array
    group: Array
    targets: Sequence[Row]
    sources: Sequence[Row]
    run: Callable[[Array], None]
    chosen: Array
    operands: Sequence[tuple[Array, int]] = ()
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """The `width` bits of a register from bit `down` on, which go to bit `up` of another."""

    source: Row
    down: int
    up: int
    width: int


@dataclass(frozen=True, slots=True)
class Move:
    """What a `mov` copies to a register: another one, a part of it, or several together."""

    target: Row
    parts: tuple[Part, ...]


Span = tuple[int, int]
"""Lanes in a row: the first one, and the end."""
_Key = tuple[tuple[int, ...], Span]
"""The registers of a tile, and its lanes."""


@dataclass(frozen=True, slots=True)
class Tile:
    """Accumulators as matrices, which products add to: registers, lanes, values, and what gives words to registers.

    They stay so while no instruction uses the registers, when all products are done, too.
    """

    targets: Sequence[Row]
    lanes: slice
    values: Array
    put: Callable[[Sequence[Array], slice, Array], None]


@dataclass(slots=True, eq=False)
class _Fragment:
    """The registers of accumulators, how many products will write each lane of them, and that as one table.

    There is none where registers are those of several fragments.  Of lanes in a row, by the first one and the end, so
    many products are under way `more` than the table says: all of a warpgroup's registers at once, most of the time.
    """

    rows: Sequence[Row]
    busy: Sequence[Array]
    table: Array | None
    more: dict[Span, int] = field(default_factory=dict[Span, int])

    def count(self, lanes: slice | Array, change: int) -> None:
        """Note that a product has started or ended."""
        if self.table is None:
            for busy in self.busy:
                busy[lanes] += change
            return
        if isinstance(lanes, slice):
            here = lanes.start, lanes.stop
            self.more[here] = self.more.get(here, 0) + change
            return
        self.table[:, lanes] += change

    def spread(self) -> None:
        """The table says it all."""
        if self.table is not None:
            for (first, end), more in self.more.items():
                self.table[:, first:end] += more
        self.more.clear()

    def surely_busy(self, lanes: slice | Array) -> bool:
        """Whether products are under way in all of the lanes, as far as one sees at once."""
        return isinstance(lanes, slice) and self.more.get((lanes.start, lanes.stop), 0) > 0

    def idle(self, lanes: slice) -> bool:
        """Whether no product is going to write lanes, of registers that are this fragment's alone."""
        here = lanes.start, lanes.stop
        if self.table is None or any(more and one != here and _meet(one, here) for one, more in self.more.items()):
            return False
        return not (self.table[0, lanes] + self.more.get(here, 0)).any()


@dataclass(frozen=True, slots=True)
class Issued:
    """Products that nothing has waited for: the first lanes of their warps (by warpgroup), their groups, and when."""

    warps: Array
    group: Array
    time: int


class Products:
    """The products under way in a batch.

    `busy` and `used` count, for each lane of a register, the products that will write and that may still read it.
    `kept` holds the values of busy registers; `modified` says of lanes that have written one, whether since their last
    fence (`UNFENCED`), and whether no product has used it yet (`FRESH`); `writes` counts the instructions that did.
    The `queue` has products that code computes, with others that are done at the same time.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.late = machine.async_ != "eager"
        self.pending: list[Product] = []
        self.issued: list[Issued] = []
        self.groups: Array = np.zeros(machine.batch.lanes, np.int64)
        self.fenced: Array = np.zeros(machine.batch.lanes, np.bool_)
        self.busy: dict[int, Array] = {}
        self.used: dict[int, Array] = {}
        self.kept: dict[int, Array] = {}
        self.modified: dict[int, Array] = {}
        self.writes = 0
        self._clean: dict[tuple[int, int, int], int] = {}
        self._fragments: dict[tuple[int, ...], _Fragment] = {}
        self._tiles: dict[_Key, Tile] = {}
        self.resting: dict[_Key, frozenset[int]] = {}
        self.queue: Queue | None = None

    def reset(self) -> None:
        """A new batch begins."""
        self._tiles.clear()
        self.resting.clear()
        self.spread()
        self.pending.clear()
        self.issued.clear()
        self.groups.fill(0)
        self.fenced.fill(False)
        for table in (self.busy, self.used, self.modified):
            for array in table.values():
                array.fill(0)

    # -- what the instructions do -----------------------------------------------------------------------------

    def fence(self, lanes: Lanes) -> None:
        """Registers written so far may be used by the products that follow."""
        self.fenced[lanes.select] = True
        for array in self.modified.values():
            array[lanes.select] &= ~UNFENCED

    def commit(self, lanes: Lanes) -> None:
        """Close the group of products."""
        self.groups[lanes.select] += 1
        if self.pending and self.machine.async_ == "random" and self.machine.random.random() < 0.5:
            self.wait(lanes, 0)

    def issue(self, warps: Array) -> None:
        """Warpgroups (lanes, by warps by lanes) have issued a product: they read until they have waited for it."""
        clocks = self.machine.clocks
        if clocks is not None:
            self.issued.append(Issued(warps[:, :, 0], self.groups[warps[:, 0, 0]], clocks.now))
            clocks.tick()
            if len(self.issued) > _ISSUED:
                self._reach(self.issued.pop(0), np.full(len(self.groups), np.iinfo(np.int64).max))

    def _reach(self, issued: Issued, limit: Array) -> bool:
        """Warps know that products are done of which they have waited for the groups below a limit; whether all do."""
        clocks, batch = self.machine.clocks, self.machine.batch
        assert clocks is not None
        done = issued.group[:, None] < limit[issued.warps]
        lanes = issued.warps[done]
        if lanes.size:
            engines = clocks.engines(("wgmma", int(batch.warp[lanes[0]]) // 4), batch.cta[lanes])
            if engines is not None:
                clocks.reach(engines, clocks.row_of_lane[lanes], issued.time)
        return bool(done.all())

    def wait(self, lanes: Lanes, newest: int) -> None:
        """Complete all but the `newest` closed groups of the lanes."""
        if not self.pending and not self.issued:
            return
        limit = np.full(len(self.groups), -1)
        limit[lanes.select] = self.groups[lanes.select] - newest
        self.issued = [issued for issued in self.issued if not self._reach(issued, limit)]
        self._finish(limit)

    def _finish(self, limit: Array) -> None:
        """Complete the products of groups below a limit, which lanes have."""
        kept: list[Product] = []
        for product in self.pending:
            first = product.lanes.reshape(len(product.lanes), -1)[:, 0]
            done = product.group < limit[first]
            if done.any():
                self._complete(product, done)
            if not done.all():
                kept.append(product if not done.any() else _part(product, ~done))
        self.compute()
        self.pending = kept

    def interlock(self, lanes: Lanes) -> None:
        """Complete all products of the lanes' warpgroups; what they have read counts as read until somebody waits."""
        limit = np.full(len(self.groups), -1)
        warpgroups = np.unique(lanes.index // _WARPGROUP)
        index = (warpgroups[:, None] * _WARPGROUP + np.arange(_WARPGROUP)).reshape(-1)
        index = index[index < len(limit)]
        limit[index] = self.groups[index] + 1
        self._finish(limit)

    def check_fence(self, site: Site, lanes: Array, rows: Iterable[Row]) -> None:
        """Fault when a register of a product was written after the last fence, or there was none."""
        where, flat = span(lanes), lanes.reshape(-1)
        if not self.fenced[where].all():
            lane = int(flat[int(self.fenced[flat].argmin())])
            site.report(site.fault("wgmma-fence", "the warpgroup has not executed a wgmma.fence yet", lane))
        # While nothing writes registers of products, those found clean stay so.
        key = (id(site), where.start, where.stop) if isinstance(where, slice) else None
        if key is not None and self._clean.get(key) == self.writes:
            return
        if key is not None:
            self._clean[key] = self.writes
        for row in rows:
            modified = self.modified.get(id(row))
            if modified is None or not modified[where].any():
                continue
            unfenced = modified[flat] & UNFENCED
            if unfenced.any():
                message = f"{row.name} was written after the last wgmma.fence"
                site.report(site.fault("wgmma-fence", message, int(flat[int(unfenced.argmax())])))
            modified[where] = 0

    def tile(self, targets: Sequence[Row], lanes: slice) -> Array | None:
        """The matrices of accumulators, where products before have left them for the same lanes."""
        key = _key(targets, lanes)
        tile = self._tiles.get(key)
        if tile is not None:
            return tile.values
        if any(ids == key[0] and _meet(one, key[1]) for ids, one in self._tiles):
            self.settle()
        return None

    def leave(
        self,
        targets: Sequence[Row],
        lanes: slice,
        values: Array,
        put: Callable[[Sequence[Array], slice, Array], None],
    ) -> None:
        """Leave the matrices of accumulators for the next product."""
        key = _key(targets, lanes)
        if key not in self._tiles:
            if self._tiles and self._fragment(targets).table is None:  # Registers may be those of others, too.
                self.settle()
            self._tiles[key] = Tile(targets, lanes, values, put)

    def compute(self) -> None:
        """Compute the products in the queue, before anything reads their sums or writes their operands."""
        if self.queue is not None:
            self.queue.compute()

    def settle(self) -> None:
        """Write what products have left to the registers, or to their kept values where more are under way."""
        self.compute()
        self.give_back(self.resting)
        for tile in self._tiles.values():
            tile.put([self.kept[id(row)] for row in tile.targets], tile.lanes, tile.values)
        self._tiles.clear()

    def give_back(self, keys: Iterable[_Key]) -> None:
        """Write what products that are done have left to the registers."""
        self.compute()
        for key in list(keys):
            del self.resting[key]
            tile = self._tiles.pop(key)
            # Copies under way read these.
            tile.put([self.kept[id(row)] for row in tile.targets], tile.lanes, tile.values)
            for row in tile.targets:
                row.array[tile.lanes] = self.kept[id(row)][tile.lanes]

    def spread(self) -> None:
        """`busy` is to be read."""
        for fragment in self._fragments.values():
            fragment.spread()

    def use(self, rows: frozenset[int]) -> None:
        """An instruction is going to use registers: they get the values that products have left."""
        used = [key for key, registers in self.resting.items() if not registers.isdisjoint(rows)]
        if used:
            self.give_back(used)

    def _goes_on(self, targets: Sequence[Row], lanes: slice | Array) -> bool:
        """Whether a product adds to what those that are done have left; others that rest give back what they hold."""
        if not isinstance(lanes, slice):
            self.use(frozenset(map(id, targets)))
            return False
        key = _key(targets, lanes)
        if key in self.resting:
            del self.resting[key]
            return True
        mine = set(key[0])
        self.give_back([one for one, ids in self.resting.items() if not ids.isdisjoint(mine) and _meet(one[1], key[1])])
        return False

    def _rests(self, fragment: _Fragment, lanes: slice | Array) -> bool:
        """Whether all products of a tile are done, whose values stay where they are."""
        if fragment.table is None or not isinstance(lanes, slice):
            return False
        key = _key(fragment.rows, lanes)
        if key not in self._tiles or not fragment.idle(lanes):
            return False
        self.resting[key] = frozenset(key[0])
        return True

    def start(self, product: Product) -> None:
        """Start a product; eagerly it completes at once."""
        everyone = np.ones(len(product.lanes), np.bool_)
        lanes = span(product.lanes)
        fragment = self._fragment(product.targets)
        if self.resting and product.sources:
            self.use(frozenset(map(id, product.sources)))
        if not (self.resting and self._goes_on(product.targets, lanes)):
            for row, idle in self._unused(fragment, lanes):
                self.settle()
                self.kept[id(row)][idle] = row.array[idle]
                row.array[idle] = row.array.dtype.type(_POISON & ((1 << row.bits) - 1))
        fragment.count(lanes, 1)
        for row in product.sources:
            _table(self.used, row, np.dtype(np.int16), len(self.groups))[lanes] += 1
        shared = self.machine.memory.shared
        for index, size in product.operands:
            if self.late:
                shared.hold(index.reshape(-1), size)
        random = self.machine.async_ == "random" and not self.pending and self.machine.random.random() < 0.5
        if not self.late or random:
            self._complete(product, everyone)
            self.compute()
        else:
            self.pending.append(product)

    def _complete(self, product: Product, done: Array) -> None:
        if self.resting and product.sources:
            self.use(frozenset(map(id, product.sources)))
        product.run(product.chosen[done])
        lanes = span(product.lanes if done.all() else product.lanes[done])
        fragment = self._fragment(product.targets)
        fragment.count(lanes, -1)
        if not self._rests(fragment, lanes):
            for row, idle in self._unused(fragment, lanes):
                self.settle()
                row.array[idle] = self.kept[id(row)][idle]
        for row in product.sources:
            self.used[id(row)][lanes] -= 1
        if self.late:
            for index, size in product.operands:
                self.machine.memory.shared.let_go((index if done.all() else index[done]).reshape(-1), size)

    def _fragment(self, rows: Sequence[Row]) -> _Fragment:
        """The registers that a product writes; those of several that are the same ones have one table."""
        key = tuple(map(id, rows))
        found = self._fragments.get(key)
        if found is None:
            dtypes = {row.array.dtype for row in rows}
            whole = len(dtypes) == 1 and len(set(key)) == len(key) and self.busy.keys().isdisjoint(key)
            shape = len(rows), len(self.groups)
            for other in self._fragments.values():
                if not set(key).isdisjoint(map(id, other.rows)):
                    self.settle()
                    other.spread()
                    other.table = None
            table = np.zeros(shape, np.int16) if whole else None
            kept = np.zeros(shape, dtypes.pop()) if whole else None
            for number, row in enumerate(rows):
                if table is not None and kept is not None:
                    self.busy[id(row)], self.kept[id(row)] = table[number], kept[number]
                _table(self.busy, row, np.dtype(np.int16), len(self.groups))
                _table(self.kept, row, row.array.dtype, len(self.groups))
            found = self._fragments[key] = _Fragment(rows, [self.busy[one] for one in key], table)
        return found

    def _unused(self, fragment: _Fragment, lanes: slice | Array) -> Iterator[tuple[Row, slice | Array]]:
        """Registers that no product is going to write, and the lanes of which that is so."""
        if fragment.surely_busy(lanes):
            return
        fragment.spread()
        if fragment.table is not None:
            counts = fragment.table[:, lanes]
            if counts.min() > 0:
                return
            if not counts.any():
                for row in fragment.rows:
                    yield row, lanes
                return
        for row, busy in zip(fragment.rows, fragment.busy, strict=True):
            idle = _idle(busy, lanes)
            if isinstance(idle, slice) or idle.size:
                yield row, idle

    # -- other instructions that use the registers --------------------------------------------------------------

    def copy(self, lanes: Lanes, move: Move) -> None:
        """A `mov` of registers that are still being written: the copy gets its value when they do."""
        self.spread()
        index, busy = lanes.index, [self.busy.get(id(part.source)) for part in move.parts]
        some = np.zeros(len(index), np.bool_)
        for counts in busy:
            if counts is not None:
                some |= counts[index] > 0
        index = index[some]
        if not index.size:
            return
        now = [part.source.array[index] for part in move.parts]
        late = [None if counts is None else counts[index] > 0 for counts in busy]

        def run(chosen: Array) -> None:
            where = index[chosen]
            self.settle()
            word = self.kept[id(move.target)].dtype
            value = np.zeros(len(where), word)
            for part, known, waiting in zip(move.parts, now, late, strict=True):
                piece = known[chosen]
                if waiting is not None:
                    piece = np.where(waiting[chosen], self.kept[id(part.source)][where], piece)
                bits = piece.view(f"u{piece.dtype.itemsize}").astype(np.uint64) >> np.uint64(part.down)
                value |= ((bits & np.uint64((1 << part.width) - 1)) << np.uint64(part.up)).astype(word)
            self.kept[id(move.target)][where] = value

        group = np.full(len(self.groups), -1)
        for product in self.pending:
            if any(row is part.source for row in product.targets for part in move.parts):
                each = np.broadcast_to(product.group.reshape(-1, *[1] * (product.lanes.ndim - 1)), product.lanes.shape)
                group[product.lanes] = np.maximum(group[product.lanes], each)
        self.start(Product(index[:, None], group[index], [move.target], [], run, np.arange(len(index))))


def _key(targets: Sequence[Row], lanes: slice) -> _Key:
    """What names a tile."""
    return tuple(map(id, targets)), (lanes.start, lanes.stop)


def _meet(one: Span, other: Span) -> bool:
    """Whether lanes in a row have some in common."""
    return one[0] < other[1] and other[0] < one[1]


def _table(tables: dict[int, Array], row: Row, dtype: Dtype, lanes: int) -> Array:
    """The array of a register in tables by register, made on first use."""
    found = tables.get(id(row))
    if found is None:
        found = tables[id(row)] = np.zeros(lanes, dtype)
    return found


def _idle(busy: Array, lanes: slice | Array) -> slice | Array:
    """Those of the lanes whose register no product is going to write."""
    counts = busy[lanes]
    if not counts.any():
        return lanes
    free = counts == 0
    return np.flatnonzero(free) + lanes.start if isinstance(lanes, slice) else lanes[free]


def _part(product: Product, kept: Array) -> Product:
    return Product(
        product.lanes[kept],
        product.group[kept],
        product.targets,
        product.sources,
        product.run,
        product.chosen[kept],
        [(index[kept], size) for index, size in product.operands],
        product.site,
    )
