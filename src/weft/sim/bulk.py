"""Transfers of the bulk copy engine: byte ranges and boxes of tensors that move later.

A transfer reads its source at some time and writes its destination at a later one; then it signals an mbarrier, or
counts in a bulk group.  Eagerly all of that happens when it starts.  Lazily it happens as late as the ISA allows: the
source is read when a wait demands it, and until the end the destination in shared memory holds garbage.

Strict runs keep the transfers of groups until a wait tells their threads, whenever the bytes have moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataclass import dataclass
from weft.sim import stamps
from weft.sim.clock_rows import GROUPS
from weft.sim.lanes import WARP, Array, Lanes, changes
from weft.sim.race_log import Note
from weft.sim.site import Site
from weft.sim.space import WRITTEN, Space
from weft.sim.spots import Spot
from weft.sim.types import WORDS, Dtype

if TYPE_CHECKING:
    from weft.sim.machine import Machine


_FOLDED = 64
"""Elements for which a read counts whose byte indices are worked out later."""


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """Copies of one instruction that are alike: their byte indices, a row each.

    `spot` is the access to shared memory, in strict runs.  Loads have an mbarrier each, at which `tell` counts bytes,
    which it takes last.
    """

    origin: Array
    into: Array
    spot: Spot | None = None
    tell: Callable[[Array, Array], None] | None = None


@dataclass(slots=True, eq=False)
class Transfer:
    """Pieces of `dtype` from byte indices `origin` of one space to `into` of another, started by a lane.

    `inside` marks the pieces that exist: of the others, a load writes `fill` and a store writes nothing.  `convert`
    changes the pieces on their way; `reduce` combines old and new ones instead of replacing them.  `signal` is the
    mbarrier (a byte index of shared memory) that `then` completes on, or -1 for a transfer of the lane's bulk `group`.
    `started` is when that was; `moved` says that it has written, `heard` that its thread knows that it has read.
    `folded` is an array that many transfers share, and what is added to it for `origin`; of a `bundle` it has a
    `number`.  `count` are the bytes that its mbarrier hears of.
    """

    site: Site
    lane: int
    source: Space | None
    origin: Array
    target: Space
    into: Array
    dtype: Dtype
    inside: Array | None = None
    fill: Any = 0
    load: bool = True
    convert: Callable[[Array], Array] | None = None
    reduce: Callable[[Array, Array], Array] | None = None
    signal: int = -1
    then: Callable[[], None] | None = None
    group: int = 0
    payload: Array | None = None
    held: bool = False
    started: int = 0
    moved: bool = False
    heard: bool = False
    filled: Array | slice | None = None
    folded: tuple[Array, int] | None = None
    bundle: Bundle | None = None
    number: int = 0
    count: int = 0
    bounds: tuple[int, int] | None = None

    def fills(self) -> Array | slice:
        """What of the target it fills: a slice of bytes, since its pieces are distinct, or the byte indices of all."""
        if self.filled is None:
            index = self.targets
            first, last = int(index.min(initial=0x7FFF_FFFF)), int(index.max(initial=0))
            whole = last - first == (len(index) - 1) * self.dtype.itemsize
            self.filled = slice(first, last + self.dtype.itemsize) if whole else index
        return self.filled

    @property
    def sources(self) -> Array:
        """Byte indices of the pieces that are read."""
        return self.origin if self.inside is None else self.origin[self.inside]

    def span(self) -> tuple[int, int]:
        """The first byte that is read, and the last one; (0, 0) where nothing is."""
        if self.bounds is not None:
            return self.bounds
        index = self.sources
        return (int(index.min()), int(index.max()) + self.dtype.itemsize - 1) if len(index) else (0, 0)

    @property
    def targets(self) -> Array:
        """Byte indices of the pieces that are written."""
        return self.into if self.load or self.inside is None else self.into[self.inside]


class Bulk:
    """The transfers under way in a batch; `wanted` are the mbarriers at which threads sleep."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.pending: list[Transfer] = []
        self.groups: Array = np.zeros(machine.batch.lanes, np.int64)
        self.wanted: set[int] = set()
        self._flying: dict[int, list[int]] = {}

    def reset(self) -> None:
        """A new batch begins."""
        self.pending.clear()
        self.wanted.clear()
        self._flying.clear()
        self.groups.fill(0)

    def want(self, places: Array) -> None:
        """Threads wait at mbarriers at byte indices of shared memory."""
        self.wanted.update(places[changes(places)].tolist())

    def start(self, transfer: Transfer) -> None:
        """Start a transfer; eagerly it completes at once."""
        self._check(transfer)
        self._begin(transfer)

    def start_all(self, transfers: list[Transfer]) -> None:
        """Start the transfers of one instruction, checked together where they are alike."""
        bundle = transfers[0].bundle if transfers else None
        if self.machine.strict and bundle is not None and not transfers[0].load:
            self._check_stores(transfers)
            self._begin_all(transfers)
            return
        if not self.machine.strict and bundle is not None:
            self._begin_all(transfers)
            return
        if not self.machine.strict or not _alike(transfers):
            for transfer in transfers:
                self.start(transfer)
            return
        engines = [self._engine(transfer) for transfer in transfers]
        # More engines than stamps have numbers: checked one by one, each counts as its thread's.
        if -1 in engines and self.machine.clocks is not None:
            for transfer in transfers:
                self.start(transfer)
            return
        self._check_loads(transfers, engines)
        self._begin_all(transfers)

    def _check_loads(self, transfers: list[Transfer], engines: list[int]) -> None:
        """What `_check` checks, of loads that signal mbarriers of their own."""
        one = transfers[0]
        source, target, size = one.source, one.target, one.dtype.itemsize
        assert source is not None
        read, written = [transfer.sources for transfer in transfers], [transfer.targets for transfer in transfers]

        def each(numbers: list[int], parts: list[Array]) -> Array:
            return np.repeat(np.array(numbers), [len(part) for part in parts])

        lanes = [transfer.lane for transfer in transfers]
        known = self.machine.clocks is not None
        if source.guarded and not self._read_later(transfers, engines):
            by = each(engines, read) if known else None
            source.before_async_load(one.site, np.concatenate(read), each(lanes, read), size, engines=by)
        if not target.guarded:
            return
        bundle = one.bundle
        if bundle is not None and bundle.spot is not None and len(bundle.into) == len(transfers):
            target.last = bundle.spot
            index, writers = bundle.spot.index, bundle.spot.lanes
            assert not isinstance(writers, slice)
        else:
            index, writers = np.concatenate(written), each(lanes, written)
        if target.proxies is not None:
            target.proxies.check(one.site, target, index, writers, size, write=True)
        target.before_store(one.site, index, writers, size, later=True)
        if target.races is not None:
            target.races.by_engine(one.site, index, each(engines, written), size, _flags(one))

    def _check_stores(self, transfers: list[Transfer]) -> None:
        """What `_check` checks, of all stores of a bundle, which their threads wait for."""
        one = transfers[0]
        source, target, bundle, size = one.source, one.target, one.bundle, one.dtype.itemsize
        assert source is not None and bundle is not None and bundle.spot is not None
        some = _different(transfers)
        lanes = np.repeat([transfer.lane for transfer in some], bundle.into.shape[1])
        read, index = bundle.spot.index, bundle.into.reshape(-1)
        if len(some) < len(transfers):
            which = [transfer.number for transfer in some]
            read, index = bundle.origin[which].reshape(-1), bundle.into[which].reshape(-1)
        if source.guarded:
            readers = lanes
            if len(some) == len(transfers) and not isinstance(bundle.spot.lanes, slice):
                source.last, readers = bundle.spot, bundle.spot.lanes
            source.before_async_load(one.site, read, readers, size)
        values = partial(self._values, some)
        if target.guarded:
            if target.proxies is not None:
                target.proxies.check(one.site, target, index, lanes, size, write=True)
            target.before_store(one.site, index, lanes, size, values=values, later=True)
        if target.races is not None and (flying := self.unwaited()) >= 0:
            target.races.by_engine(one.site, index, flying, size, _flags(one))

    def _read_later(self, transfers: list[Transfer], engines: list[int]) -> bool:
        """Whether transfers certainly read what nothing stores, so that nobody need know more than that they read."""
        one = transfers[0]
        source, size = one.source, one.dtype.itemsize
        if source is None or source.races is None or source.shadow is not None or -1 in engines:
            return False
        spans = [transfer.span() for transfer in transfers]

        parts = [(transfer.sources, 0) if transfer.folded is None else transfer.folded for transfer in transfers]
        kept = sum(_FOLDED if transfer.folded is not None else len(transfer.origin) for transfer in transfers)

        def made() -> tuple[Array, Array]:
            whole = np.concatenate([part + shift for part, shift in parts])
            return whole, np.repeat(np.array(engines), [len(part) for part, _ in parts])

        at = min(low for low, _ in spans), max(high for _, high in spans)
        return at[0] < at[1] and source.races.read_later(one.site, at, Note.later(0, size, made, kept))

    def _begin_all(self, transfers: list[Transfer]) -> None:
        """Start transfers of one instruction: at once if they are loads that complete later, of whole slices."""
        machine, shared = self.machine, self.machine.memory.shared
        later = machine.async_ == "lazy" and not machine.prompt
        parts = [part for one in transfers if one.load and isinstance(part := one.fills(), slice)]
        if not later or len(parts) < len(transfers):
            for transfer in transfers:
                self._begin(transfer)
            return
        clocks = machine.clocks
        if clocks is not None:
            lanes, signals = (
                np.array(numbers) for numbers in zip(*((t.lane, t.signal) for t in transfers), strict=True)
            )
            far = signals // shared.stride != machine.batch.cta[lanes]
            lend = (far | clocks.untold(lanes)).tolist()
            for transfer, lends in zip(transfers, lend, strict=True):
                transfer.started = clocks.now
                self._flying.setdefault(transfer.signal, []).append(transfer.started)
                if lends:
                    clocks.lend(transfer.lane, transfer.signal)
            clocks.tick()
        shared.poison_all(parts)
        self.pending.extend(transfers)

    def _begin(self, transfer: Transfer) -> None:
        transfer.group = int(self.groups[transfer.lane])
        machine, shared = self.machine, self.machine.memory.shared
        policy, grouped = machine.async_, transfer.signal < 0
        now = policy == "eager" or (machine.prompt and not grouped)
        now = now or (policy == "random" and machine.random.random() < 0.5)
        tracked = grouped and machine.clocks is not None
        if not grouped and machine.clocks is not None:
            transfer.started = machine.clocks.now
            self._flying.setdefault(transfer.signal, []).append(transfer.started)
            far = transfer.signal // shared.stride != machine.batch.cta[transfer.lane]
            # What the thread has learned and told nobody would be lost on the way: who waits for the copy is ordered
            # after it all the same.
            if far or bool(machine.clocks.untold(np.array([transfer.lane]))[0]):
                machine.clocks.lend(transfer.lane, transfer.signal)
            machine.clocks.tick()
        size = transfer.dtype.itemsize
        # Until the copy has read them, a store to these bytes is a hazard.
        if transfer.source is shared and (tracked or not now):
            shared.hold(transfer.sources, size)
            transfer.held = True
        if now:
            self._read(transfer)
            self._write(transfer)
        # A read before the copy completes must not find the old bytes by luck.
        elif transfer.target is shared and transfer.reduce is None:
            shared.poison(transfer.fills(), size)
        if tracked or not now:
            self.pending.append(transfer)

    def under_way(self, place: int) -> int:
        """The bytes of transfers that will signal an mbarrier."""
        if not self._flying.get(place):
            return 0
        mine = (transfer for transfer in self.pending if transfer.signal == place and not transfer.moved)
        return sum(len(transfer.targets) * transfer.dtype.itemsize for transfer in mine)

    def unfinished(self, place: int) -> int:
        """When the first transfer was started that will still signal an mbarrier; 0 without one."""
        flying = self._flying.get(place)
        return min(flying) if flying else 0

    def _check(self, transfer: Transfer) -> None:
        """The checks of strict runs: what it reads is written and fenced, what it writes is not in use."""
        machine, size = self.machine, transfer.dtype.itemsize
        if not machine.strict:
            return
        source, target = transfer.source, transfer.target
        engine = self._engine(transfer)
        if source is not None and source.guarded and not self._read_later([transfer], [engine]):
            index = transfer.sources
            engines = np.full(len(index), engine) if engine >= 0 else None
            if source.lifetimes is not None and engine >= 0 and machine.launch.cluster_ctas > 1:
                cta = int(index[0]) // machine.memory.shared.stride
                source.lifetimes.engine(transfer.site, engine, cta, transfer.lane)
            source.before_async_load(transfer.site, index, np.full(len(index), transfer.lane), size, engines=engines)
        if target.guarded:
            index = transfer.targets
            values = None if transfer.load or transfer.reduce is not None else partial(self._values, [transfer])
            lanes = np.full(len(index), transfer.lane)
            if transfer.reduce is not None:
                target.check_written(transfer.site, index, lanes, size)
            if target.proxies is not None and not _is_generic(transfer):
                target.proxies.check(transfer.site, target, index, lanes, size, write=True)
            target.before_store(transfer.site, index, lanes, size, values=values, later=True)
        if target.races is not None:
            flying = engine if engine >= 0 else self.unwaited()
            if flying >= 0:
                target.races.by_engine(transfer.site, transfer.targets, flying, size, _flags(transfer))

    def _engine(self, transfer: Transfer) -> int:
        """The engine that those know of who wait at the transfer's mbarrier; -1 for one of a group."""
        clocks, stride = self.machine.clocks, self.machine.memory.shared.stride
        if clocks is None or transfer.signal < 0:
            return -1
        return clocks.engine(transfer.signal % stride, transfer.signal // stride)

    def unwaited(self) -> int:
        """The engine of transfers of groups, of which nobody knows: when they are waited for they are the waiter's."""
        return -1 if self.machine.clocks is None else self.machine.clocks.engine(GROUPS, 0)

    def _hear(self, transfers: list[Transfer]) -> None:
        """The threads of alike transfers have waited for their sources to be read."""
        some = [transfer for transfer in transfers if not transfer.heard]
        for transfer in some:
            transfer.heard = True
            if transfer.held:
                self.machine.memory.shared.let_go(transfer.sources, transfer.dtype.itemsize)
        self._settle(some, write=False)

    def _settle(self, transfers: list[Transfer], *, write: bool) -> None:
        """The threads of alike transfers have waited for them, or for their sources to be read."""
        some = _different([transfer for transfer in transfers if transfer.signal < 0])
        space = (some[0].target if write else some[0].source) if some else None
        if space is None or space.races is None:
            return
        parts = [transfer.targets if write else transfer.sources for transfer in some]
        lanes = np.repeat([transfer.lane for transfer in some], [len(part) for part in parts])
        one, index = some[0], parts[0] if len(parts) == 1 else np.concatenate(parts)
        flags = _flags(one) if write else 0
        space.races.settle(one.site, index, lanes, one.dtype.itemsize, write=write, flags=flags)

    def _values(self, transfers: list[Transfer]) -> Array:
        """The bytes that alike stores write, a row a piece; what is there where a pending one stores the same."""
        one, size = transfers[0], transfers[0].dtype.itemsize
        mine = np.concatenate([_pieces(transfer) for transfer in transfers])
        others = [
            other
            for other in self.pending
            if other.target is one.target and other.dtype == one.dtype and other.reduce is None
        ]
        if not others:
            return mine
        index = np.concatenate([transfer.targets for transfer in transfers])
        # Who writes each piece last, and as which of its pieces.
        who, where = (np.full(one.target.extent // size, -1, np.int32) for _ in range(2))
        for number, other in enumerate(others):
            place = other.targets // size
            who[place], where[place] = number, np.arange(len(place))
        writers, places = who[index // size], where[index // size]
        known: list[int] = np.unique(writers[writers >= 0]).tolist()
        for number in known:
            here = np.flatnonzero(writers == number)
            same = here[(mine[here] == _pieces(others[number])[places[here]]).all(axis=1)]
            mine[same] = one.target.bytes[index[same][:, None] + np.arange(size)]
        return mine

    def commit(self, lanes: Lanes) -> None:
        """Close the lanes' open bulk groups."""
        self.groups[lanes.select] += 1

    def wait(self, lanes: Lanes, newest: int, read: bool) -> None:
        """Complete all but the `newest` closed bulk groups of the lanes; with `read` only read their sources."""
        if not self.pending:
            return
        limits = dict(zip(lanes.index.tolist(), (self.groups[lanes.select] - newest).tolist(), strict=True))

        def demanded(transfer: Transfer) -> bool:
            return transfer.signal < 0 and transfer.group < limits.get(transfer.lane, -1)

        if read:
            for some in _bundled(filter(demanded, self.pending)):
                for transfer in some:
                    if transfer.payload is None:
                        self._read(transfer)
                self._hear(some)
        else:
            self._finish(demanded)

    def force(self) -> bool:
        """Complete what threads wait for at mbarriers, when nothing else can go on; whether there was any."""
        wanted, self.wanted = self.wanted, set()
        return self._signal(lambda transfer: transfer.signal in wanted) or self._signal(
            lambda transfer: transfer.signal >= 0
        )

    def _signal(self, chosen: Callable[[Transfer], bool]) -> bool:
        """Complete transfers in their order, those of an mbarrier until its phase ends: no more need have come."""
        done = [transfer for transfer in self.pending if chosen(transfer)]
        if self.machine.async_ == "random":
            self.machine.random.shuffle(done)  # pyright: ignore[reportArgumentType]
        words, ended = self.machine.memory.shared.view(WORDS[64]), set[int]()
        for group in _bundled(done):
            some = [transfer for transfer in group if transfer.signal not in ended]
            if not some:
                continue
            places = np.array([transfer.signal >> 3 for transfer in some])
            before = words[places] >> np.uint64(63)
            self._move(some)
            for transfer, other in zip(some, (words[places] >> np.uint64(63) != before).tolist(), strict=True):
                if other:
                    ended.add(transfer.signal)
        if done:
            self.pending = [transfer for transfer in self.pending if transfer.signal < 0 or not transfer.moved]
        return bool(done)

    def drain(self) -> None:
        """Complete everything: the batch has ended.

        Shared memory ends with its CTA: a transfer that may still use it is a fault in strict runs.
        """
        shared = self.machine.memory.shared
        for transfer in self.pending if self.machine.strict else ():
            reads = transfer.source is shared and (not transfer.heard if transfer.signal < 0 else not transfer.moved)
            used = transfer.sources if reads else transfer.targets
            if reads or (transfer.target is shared and not transfer.moved):
                raise transfer.site.fault(
                    "asynchronous-exit",
                    f"the threads exit while the copy may still {'read' if reads else 'write'} their shared memory",
                    transfer.lane,
                    int(used[0]) % shared.stride if len(used) else None,
                )
        self._finish(lambda transfer: True)

    def _finish(self, chosen: Callable[[Transfer], bool]) -> None:
        done = [transfer for transfer in self.pending if chosen(transfer)]
        if not done:
            return
        self.pending = [transfer for transfer in self.pending if not chosen(transfer)]
        for some in _bundled(done):
            for transfer in some:
                if transfer.payload is None:
                    self._read(transfer)
            self._hear(some)
            for transfer in some:
                if not transfer.moved:
                    self._write(transfer)
            self._settle(some, write=True)

    def _move(self, transfers: list[Transfer]) -> None:
        """Move transfers that signal mbarriers of their own, and tell these."""
        one = transfers[0]
        if one.bundle is None or self.machine.watchers or any(transfer.payload is not None for transfer in transfers):
            for transfer in transfers:
                if transfer.payload is None:
                    self._read(transfer)
                self._write(transfer)
            return
        source, target, bundle, dtype = one.source, one.target, one.bundle, one.dtype
        assert source is not None
        rows = [transfer.number for transfer in transfers]
        whole = len(rows) == len(bundle.into)
        origin, into = (bundle.origin, bundle.into) if whole else (bundle.origin[rows], bundle.into[rows])
        pieces = source.load(origin, dtype)
        if one.convert is not None:
            pieces = one.convert(pieces)
        target.view(dtype)[into >> dtype.itemsize.bit_length() - 1] = pieces
        target.stored += into.size * dtype.itemsize
        self._landed(transfers)
        self.machine.change()
        assert bundle.tell is not None
        bundle.tell(np.array([one.signal for one in transfers]), np.array([one.count for one in transfers]))

    def _read(self, transfer: Transfer) -> None:
        source, dtype = transfer.source, transfer.dtype
        if source is None:
            return
        index = transfer.sources
        pieces = source.load(index, dtype)
        for watcher in self.machine.watchers:
            watcher.moved(transfer.site, source, index, dtype.itemsize, False)
        if transfer.convert is not None:
            pieces = transfer.convert(pieces)
        if transfer.load and transfer.inside is not None:
            payload = np.full(len(transfer.into), transfer.fill, dtype)
            payload[transfer.inside] = pieces
            pieces = payload
        transfer.payload = pieces
        if transfer.held and transfer.signal >= 0:
            source.let_go(index, dtype.itemsize)
            transfer.held = False

    def _write(self, transfer: Transfer) -> None:
        target, dtype = transfer.target, transfer.dtype
        index, pieces = transfer.targets, transfer.payload
        assert pieces is not None
        if transfer.reduce is not None:
            pieces = transfer.reduce(target.load(index, dtype), pieces)
        shift = dtype.itemsize.bit_length() - 1
        target.view(dtype)[index >> shift] = pieces
        target.stored += index.size * dtype.itemsize
        for watcher in self.machine.watchers:
            watcher.moved(transfer.site, target, index, dtype.itemsize, True)
        self._landed([transfer])
        self.machine.change()
        if transfer.then is not None:
            transfer.then()

    def _landed(self, transfers: list[Transfer]) -> None:
        """The bytes of alike transfers are where these write them, and they are in flight no more."""
        one = transfers[0]
        if one.target.shadow is not None:
            fills = [transfer.fills() for transfer in transfers]
            parts = [part for part in fills if isinstance(part, slice)]
            if len(parts) == len(fills):
                one.target.mark_all(parts, WRITTEN)
            else:
                for part in fills:
                    one.target.mark(part, one.dtype.itemsize, WRITTEN)
        for transfer in transfers:
            transfer.moved = True
            if transfer.signal in self._flying:
                self._flying[transfer.signal].remove(transfer.started)


def _bundled(transfers: Iterable[Transfer]) -> Iterator[list[Transfer]]:
    """Transfers that follow each other and are of one bundle, together."""
    for _, group in groupby(transfers, lambda transfer: transfer.bundle or id(transfer)):
        yield list(group)


def _different(transfers: list[Transfer]) -> list[Transfer]:
    """Alike transfers, each once: all lanes of a warp may start the same copy, and wait for it."""
    found: dict[tuple[int, int, int], Transfer] = {}
    for transfer in transfers:
        if not len(transfer.origin):
            return transfers
        found.setdefault((transfer.lane // WARP, int(transfer.origin[0]), int(transfer.into[0])), transfer)
    return list(found.values())


def _alike(transfers: list[Transfer]) -> bool:
    """Whether loads signal an mbarrier each, and move pieces of one size."""
    signals, dtypes = ({transfer.signal for transfer in transfers}, {transfer.dtype for transfer in transfers})
    return len(signals) == len(transfers) > len(dtypes) == 1


def _flags(transfer: Transfer) -> int:
    """How a transfer's writes are stamped: `st.async` writes through the generic proxy, reductions are strong."""
    strong = stamps.STRONG | stamps.SCOPES["gpu"] << 3 if transfer.reduce is not None else 0
    return strong | (0 if _is_generic(transfer) else stamps.ASYNC)


def _is_generic(transfer: Transfer) -> bool:
    """Whether a transfer writes through the generic proxy, as `st.async` and `red.async` do."""
    return transfer.source is None and transfer.site.opcode.stem.endswith(".async")


def _pieces(transfer: Transfer) -> Array:
    """The bytes that a store's source holds now, a row a piece."""
    size = transfer.dtype.itemsize
    if transfer.payload is not None:
        return np.ascontiguousarray(transfer.payload).view(np.uint8).reshape(-1, size).copy()
    assert transfer.source is not None
    return transfer.source.bytes[transfer.sources[:, None] + np.arange(size)]
