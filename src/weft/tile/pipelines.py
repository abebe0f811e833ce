"""Pipelines: rings of tiles in shared memory that one role fills while another takes what is full.

    ring = pipeline(4, a=tile(f16, 128, 64), b=tile(f16, 256, 64))
    with ring.fill() as slot:                      # in the role that brings tiles
        cta.copy_async(slot.a, A[ds(m, 128), ds(k, 64)])
    with ring.take(behind=1) as slot:              # in the role that computes
        warpgroup.gemm_async(total, slot.a, slot.b.transpose())

A ring owns its barriers, counts arrivals and bytes, keeps index and phase for each side from its first slot to the
kernel's end, across all loops, and puts fences where generic and asynchronous accesses meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import prod
from typing import TYPE_CHECKING, Any

from xdsl.ir import Block, Operation, SSAValue

from weft.dataclass import dataclass
from weft.errors import LayoutError
from weft.layout import ComposeLayout, Iter, Layout, SwizzleLayout, TileLayout, row_major
from weft.tile import machine
from weft.tile.buffers import register, shared
from weft.tile.dtypes import DType, dtype
from weft.tile.dtypes import i64 as int64
from weft.tile.layouts import swizzled
from weft.tile.regions import Region
from weft.tile.roles import Role, Team
from weft.tile.scalars import scalar, where
from weft.tile.scopes import block_id, cta, lane_id, thread_id, whole_region
from weft.tile.tensor_copies import Route, Sharing, fill_elements, load, route, store, store_elements
from weft.tile.trace import Trace, current, error, shape_of

if TYPE_CHECKING:
    from types import TracebackType

    from weft.tile.scalars import Scalar

_BARRIER = 8
"""Bytes of a barrier."""
_READS = frozenset({"tile.copy", "tile.load"})
"""Operations through which threads themselves read a slot."""


@dataclass(frozen=True)
class TileSpec:
    """What a pipeline has in each slot: a tile of a type and a shape; the layout that `wgmma` takes by default."""

    dtype: DType
    shape: tuple[int, ...]
    layout: Layout | None = None

    def staged(self, stages: int) -> Layout:
        """The layout of all slots' tiles, one behind another."""
        shape = (stages, *self.shape)
        if self.layout is None:
            try:
                return swizzled(shape, self.dtype)
            except LayoutError:
                return row_major(shape)
        return _repeated(self.layout, self.shape, stages)


def _repeated(layout: Layout, shape: tuple[int, ...], count: int) -> Layout:
    if isinstance(layout, SwizzleLayout):
        layout = layout.over(shape)
    if isinstance(layout, ComposeLayout):
        inner = layout.tile_layout
        return ComposeLayout(layout.swizzle, TileLayout((Iter(count, layout.span()), *inner.shard), (), inner.offset))
    return TileLayout((Iter(count, layout.span()), *layout.shard), layout.replica, layout.offset)


def tile(kind: object, *shape: int, layout: Layout | None = None) -> TileSpec:
    """A tile of a pipeline's slots: its type, its extents, its layout in shared memory.

    By default rows are swizzled over 128 bytes (64 or 32 where they are shorter), as TMA writes and `wgmma` reads them.
    """
    return TileSpec(dtype(kind), shape_of(shape), layout)


def pipeline(stages: int, /, *, kind: str = "load", **tiles: TileSpec) -> Pipeline:
    """A ring of `stages` slots, each with the named tiles.

    `kind="store"` is a ring of tiles on their way out: one role both fills them and starts their stores.

    Raises:
        CompileError: it stands in a role or a loop; no slots, no tiles.
    """
    trace = current()
    if trace.block is not trace.entry:
        raise error("a pipeline is made in the kernel itself, in front of its roles")
    if not isinstance(stages, int) or stages < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise error(f"{stages!r} is not a number of slots", "a positive Python integer")
    if not tiles:
        raise error("a pipeline has tiles", "pipeline(4, a=tile(f16, 128, 64))")
    for name, each in tiles.items():
        if not isinstance(each, TileSpec):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise error(f"'{name}' is not a tile of a pipeline", f"{name}=tile(f16, 128, 64)")
    if kind not in ("load", "store"):
        raise error(f"there is no pipeline of kind '{kind}'", '"load" or "store"')
    return Pipeline(stages, tiles, kind)


@dataclass
class State:
    """One side of a ring in one role: its next slot, the phase it waits for, the slots it holds on to.

    All are in registers of each thread, which loops carry like any tile.
    """

    storage: Any
    stages: int
    behind: int = 0

    INDEX, PHASE, OWED, OLDEST = range(4)

    @property
    def index(self) -> Any:
        """The next slot."""
        return self.at(self.INDEX)

    def at(self, place: int) -> Any:
        """The number of a slot."""
        if self.stages == 1:
            return 0
        found = self.storage[place]
        found.nonnegative = True
        return found

    def advance(self, place: int = 0) -> None:
        """Go on to the next slot; behind the last one the phase changes."""
        stages = self.stages
        if stages == 1:
            if place == self.INDEX:
                self.storage[self.PHASE] = self.storage[self.PHASE] ^ 1
            return
        following = self.storage[place] + 1
        wraps = following == stages
        self.storage[place] = where(wraps, 0, following)
        if place == self.INDEX:
            self.storage[self.PHASE] = where(wraps, self.storage[self.PHASE] ^ 1, self.storage[self.PHASE])


class Pipeline:
    """A ring of slots: see `pipeline`."""

    def __init__(self, stages: int, tiles: dict[str, TileSpec], kind: str) -> None:
        trace = current()
        self.stages = stages
        self.kind = kind
        self.tiles = {
            name: shared((stages, *each.shape), each.dtype, each.staged(stages), alignment=1024)
            for name, each in tiles.items()
        }
        self._bars = shared(2 * stages, int64, alignment=_BARRIER) if kind == "load" else None
        self.number = machine.barrier_number() if kind == "store" else 0
        """The number of the barrier at which the threads of a role that stores meet."""
        self._takers: dict[Role | None, int] = {}
        self._axis: int | None = None
        self._routes: dict[Role | None, frozenset[Route]] = {}
        self._filled_at: Any = None
        self.place = trace.place()
        trace.finish.insert(0, self._close)
        Setup.of(trace).rings.append(self)

    def __repr__(self) -> str:
        return f"<pipeline of {self.stages} slots: {', '.join(self.tiles)}>"

    # -- filling ------------------------------------------------------------------------------------------------

    def fill(self) -> Filling | Storing:
        """The next slot, once it is empty, to be filled by what the `with` contains; then it is full.

        Of a pipeline of kind "store": the next slot, once its last store has been read; what is copied from it to a
        tensor is stored by TMA.
        """
        if self.kind == "store":
            return Storing(self, self._role("a tile is stored"))
        return Filling(self, self._role("a pipeline is filled"))

    def take(self, behind: int = 0) -> Slot:
        """The next slot, once it is full.

        As a context the slot is given back at the end, when the products that were started with it are done.  With
        `behind`, the products of so many slots may still be under way then, and it is the slot taken so long before
        that is given back; `warpgroup.wait(0)` gives back the rest.  Without a context, `release` does.

        Raises:
            CompileError: a pipeline of kind "store", or one that would hold all of its slots.
        """
        if self.kind == "store":
            raise error("a pipeline of kind 'store' is only filled", "pipeline(...) without kind=")
        if not isinstance(behind, int) or not 0 <= behind < self.stages:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise error(
                f"{self.stages} slots cannot be held {behind} behind: the one who fills them would wait for ever",
                f"behind is at most {self.stages - 1} here, or more stages",
            )
        role = self._role("a pipeline is taken from")
        self._takers[role] = role.warps if role is not None else 0
        state = self._state(role, "take")
        state.behind = max(state.behind, behind)
        index = state.index
        machine.wait_phase(self.barrier(index), state.storage[State.PHASE])
        state.advance()
        return Slot(self, index, role, behind)

    def release(self) -> None:
        """Give back the oldest slot that was taken without a context and not given back."""
        role = self._role("a slot is given back")
        assert role is not None
        state = self._state(role, "take")
        self.give_back(role, state.at(State.OLDEST), synchronize=True)
        state.advance(State.OLDEST)

    def _role(self, what: str) -> Role | None:
        team = Team.of(current())
        if team.role is None:
            raise error(f"{what} in a role", "with role(warps=1): ...")
        return team.role

    def shared_along(self, axis: int) -> Sharing:
        """How the blocks of the cluster along an axis share a tile of a slot."""
        extents: tuple[int, ...] = current().extra.get("cluster", ())
        if not 0 <= axis < len(extents):
            raise error(f"the cluster has no axis {axis}", "@weft.kernel(cluster=(2, 1)): 0 is the first")
        if self._axis not in (None, axis):
            raise error("the tiles of a pipeline are shared along one axis of the cluster")
        if self._takers:
            raise error("the role that fills a shared pipeline stands in front of those that take from it")
        self._axis = axis
        step = prod(extents[:axis])
        mask = sum(1 << at * step for at in range(extents[axis]))
        first: Any = 0
        for other, extent in enumerate(extents):
            if other != axis and extent > 1:
                first = first + block_id(other) % extent * prod(extents[:other])
        bits = scalar(mask, dtype("i32")) if isinstance(first, int) else scalar(mask, dtype("i32")) << first
        return Sharing(bits.to("i16").value, block_id(axis) % extents[axis], extents[axis])

    def _rank(self) -> Any:
        """The rank in the cluster of the block that a lane stands for, of those that fill this block's slots."""
        extents: tuple[int, ...] = current().extra["cluster"]
        rank: Any = 0
        for axis, extent in enumerate(extents):
            at = lane_id() if axis == self._axis else block_id(axis) % extent if extent > 1 else 0
            rank = at * prod(extents[:axis]) + rank
        return rank

    def has(self, given: Any) -> bool:
        """Whether a region is one of the ring's tiles."""
        return isinstance(given, Region) and any(given.buffer is each for each in self.tiles.values())

    # -- slots and barriers -------------------------------------------------------------------------------------

    def slot(self, name: str, index: Any) -> Region:
        """A tile of a slot."""
        buffer = self.tiles[name]
        return buffer[index]

    def barrier(self, index: Any, *, empty: bool = False) -> SSAValue:
        """The barrier that a slot is full, or empty."""
        assert self._bars is not None
        return self._bars.element_pointer((index + self.stages if empty else index,))

    def _state(self, role: Role | None, side: str) -> State:
        assert role is not None

        def build() -> State:
            storage = register(4, dtype("i32")).storage
            for place in range(4):
                storage[place] = int(side == "fill" and place == State.PHASE)
            return State(storage, self.stages)

        return role.at_start((self, side), build)

    def filling_state(self, role: Role | None) -> State:
        """The state of the side that fills."""
        return self._state(role, "fill")

    def taking_state(self, role: Role | None) -> State | None:
        """The state of the side that takes, where the role takes at all."""
        return self._state(role, "take") if role in self._takers else None

    def filled(self, role: Role | None, routes: frozenset[Route]) -> None:
        """Remember how a role fills slots: it decides how many arrive."""
        known = self._routes.setdefault(role, routes)
        if known != routes:
            raise error(
                "a pipeline's slots are all filled in the same way: here some tiles come by TMA that do not elsewhere"
            )
        if len(self._routes) > 1:
            raise error("a pipeline is filled by one role", "another pipeline for the other role")

    def give_back(self, role: Role, index: Any, *, synchronize: bool = False, condition: Scalar | None = None) -> None:
        """Tell the side that fills, in each block that does, that a slot is empty: from each warp."""
        if synchronize:
            machine.sync_warp()
        peers = 1 if self._axis is None else current().extra["cluster"][self._axis]
        chosen = role.lane_elected() if peers == 1 else role.at_start(("peers", peers), lambda: lane_id() < peers)
        with machine.only_if(chosen if condition is None else chosen & condition):
            place = self.barrier(index, empty=True)
            if peers == 1:
                machine.arrive(place)
            else:
                machine.arrive_remote(place, role.at_start((self, "rank"), self._rank))

    # -- the end ------------------------------------------------------------------------------------------------

    def _close(self) -> None:
        """Check that somebody fills what somebody takes."""
        if self.kind == "load" and bool(self._routes) != bool(self._takers):
            sides = ("filled", "taken from") if self._routes else ("taken from", "filled")
            raise error(f"{self!r} is {sides[0]} and never {sides[1]}: its roles would wait for ever")

    def initialize(self) -> None:
        """Make the barriers."""
        if self._bars is None or not self._routes:
            return
        ((role, routes),) = self._routes.items()
        assert role is not None
        fills = (1 if Route.TENSOR in routes else 0) + (role.warps if Route.ELEMENTS in routes else 0)
        takes = sum(self._takers.values())
        if self._axis is not None:
            takes *= current().extra["cluster"][self._axis]
        for at in range(self.stages):
            machine.initialize(self._bars.element_pointer((at,)), fills)
            machine.initialize(self._bars.element_pointer((self.stages + at,)), takes)


class Slot:
    """A full slot: its tiles by name.  Of a pipeline with one tile the slot stands for it."""

    def __init__(self, ring: Pipeline, index: Any, role: Role | None, behind: int = 0) -> None:
        self._ring = ring
        self._index = index
        self._role = role
        self._behind = behind
        self._block = current().block
        self._before = self._block.last_op

    def __getattr__(self, name: str) -> Region:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._ring.tiles:
            raise error(f"the slot has no tile '{name}'", f"its tiles: {', '.join(self._ring.tiles)}")
        return self._ring.slot(name, self._index)

    @property
    def _only(self) -> Region:
        names = list(self._ring.tiles)
        if len(names) != 1:
            raise error(f"the slot has {len(names)} tiles", f"say which: slot.{names[0]}")
        return self._ring.slot(names[0], self._index)

    def as_region(self) -> Region:
        """The slot's only tile."""
        return self._only

    def transpose(self, *order: int) -> Region:
        """The slot's only tile with its dimensions in another order."""
        return self._only.transpose(*order)

    def __getitem__(self, given: object) -> Any:
        return self._only[given]

    def __enter__(self) -> Slot:
        self._check()
        extra = current().extra
        extra["taken"] = extra.get("taken", 0) + 1
        return self

    def _check(self) -> None:
        if current().block is not self._block:
            raise error("a slot is given back where it was taken")

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        current().extra["taken"] -= 1
        if kind is not None:
            return
        self._check()
        ring, state = self._ring, self._ring.taking_state(self._role)
        assert state is not None and self._role is not None
        done = _since(self._block, self._before)
        if any(op.name == "tile.gemm_async" for op in done):
            machine.commit_products()
            machine.wait_products(self._behind)
        synchronize = any(op.name in _READS for op in done)
        if not self._behind:
            ring.give_back(self._role, self._index, synchronize=synchronize)
            return
        if synchronize:
            raise error("the slot's tiles are read by the threads themselves", "take() without `behind`")
        owed = state.storage[State.OWED]
        before = _before(self._index, self._behind, ring.stages)
        ring.give_back(self._role, before, condition=owed == self._behind)
        state.storage[State.OWED] = 1 if self._behind == 1 else where(owed == self._behind, owed, owed + 1)


def _before(index: Any, by: int, stages: int) -> Any:
    """The slot taken so many slots before one."""
    moved = index - by
    found = where(moved < 0, moved + stages, moved)
    found.nonnegative = True
    return found


def _since(block: Block, before: Operation | None) -> list[Operation]:
    """The operations of a block behind one of them, with what they contain."""
    op = before.next_op if before is not None else block.first_op
    found: list[Operation] = []
    while op is not None:
        found += op.walk()
        op = op.next_op
    return found


def settle(groups: int) -> None:
    """Give back the slots whose products are done, when at most so many groups of them are under way."""
    trace = current()
    role = Team.of(trace).role
    if role is None:
        return
    for ring in Setup.of(trace).rings:
        state = ring.taking_state(role)
        if state is None or state.behind <= groups:
            continue
        owed = state.storage[State.OWED]
        for back in range(state.behind, groups, -1):
            ring.give_back(role, _before(state.index, back, ring.stages), condition=owed >= back)
        state.storage[State.OWED] = groups if not groups else where(owed < groups, owed, groups)


class Filling:
    """A slot that is being filled: the target of copies."""

    def __init__(self, ring: Pipeline, role: Role | None) -> None:
        self._ring = ring
        self._role = role
        self._bytes = 0
        self._routes: set[Route] = set()
        self._first: Operation | None = None

    def __enter__(self) -> Slot:
        trace = current()
        if trace.extra.get("open") is not None:
            raise error("one slot is filled at a time")
        ring = self._ring
        self._state = ring.filling_state(self._role)
        index = self._state.index
        machine.wait_phase(ring.barrier(index, empty=True), self._state.storage[State.PHASE])
        self._barrier = ring.barrier(index)
        self._slot = Slot(ring, index, self._role)
        self._block = trace.block
        trace.extra["open"] = self
        return self._slot

    def copy(self, dst: Any, src: Any, *, share: int | None, reduce: str | None, cluster: bool) -> None:
        """Bring a tile into the slot: by TMA where that can be, by the role's threads otherwise."""
        trace = current()
        if trace.block is not self._block:
            raise error(
                "what fills a slot is the same every time: copies stand in the `with` itself",
                "not under a loop or an `if` that the GPU decides",
            )
        if reduce is not None:
            raise error("what is loaded is not combined with what is there")
        if cluster != (share is not None):
            raise error("a tile is shared by the blocks along an axis", "cluster.copy_async(slot.b, B[...], share=0)")
        sharing = self._ring.shared_along(share) if share is not None else None
        dst = whole_region(dst)
        if not self._ring.has(dst):
            raise error(f"{dst!r} is not a tile of the slot that is filled")
        found = route(dst, src)
        self._routes.add(found.route)
        assert self._role is not None
        if found.route is Route.TENSOR:
            op, size = load(dst, src, found, self._barrier, self._role.first_elected(), sharing)
            self._bytes += size
            self._first = self._first or op
        else:
            if sharing is not None:
                raise error(f"only TMA writes into the memory of other blocks: {found.reason}")
            fill_elements(dst, src, self._role, found)

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        trace = current()
        trace.extra["open"] = None
        if kind is not None:
            return
        if not self._routes:
            raise error("nothing is copied into the slot", "cta.copy_async(slot.a, A[...])")
        self._ring.filled(self._role, frozenset(self._routes))
        assert self._role is not None
        if self._first is not None:
            arrival = machine.expecting(self._barrier, self._bytes, self._role.first_elected())
            arrival.location = self._first.location
            self._block.insert_ops_before([arrival], self._first)
        if Route.ELEMENTS in self._routes:
            machine.fence_async()
            machine.sync_warp()
            with machine.only_if(self._role.lane_elected()):
                machine.arrive(self._barrier)
        self._state.advance()


class Storing:
    """A slot of a pipeline that stores: written by the role's threads, then copied to a tensor."""

    def __init__(self, ring: Pipeline, role: Role | None) -> None:
        assert role is not None
        self._ring = ring
        self._role = role
        self._stored = False

    def _sync(self) -> None:
        if self._role.warps == 1:
            machine.sync_warp()
        else:
            machine.sync_named(self._ring.number, self._role.threads)

    def __enter__(self) -> Slot:
        trace = current()
        if trace.extra.get("open") is not None:
            raise error("one slot is filled at a time")
        role, ring = self._role, self._ring
        self._state = ring.filling_state(role)
        with machine.only_if(role.first_elected()):
            machine.wait_stores(ring.stages - 1)
        self._sync()
        role.at_end((ring, "drain"), lambda: _drain(role))
        self._block = trace.block
        trace.extra["open"] = self
        return Slot(ring, self._state.index, role)

    def copy(self, dst: Any, src: Any, *, share: int | None, reduce: str | None, cluster: bool) -> None:
        """Store a tile of the slot: by TMA where that can be, by the role's threads otherwise."""
        if current().block is not self._block:
            raise error("what is stored is the same every time: copies stand in the `with` itself")
        if cluster or share is not None:
            raise error("a tile is stored by its own block", "cta.copy_async(C[...], slot.c)")
        src = whole_region(src)
        if not self._ring.has(src):
            raise error(f"{src!r} is not a tile of the slot that is stored")
        found = route(src, dst, store=True)
        if found.route is Route.TENSOR:
            machine.fence_async()
        self._sync()
        self._stored = True
        if found.route is Route.TENSOR:
            with machine.only_if(self._role.first_elected()):
                store(dst, src, found, reduce)
        elif reduce is not None:
            raise error(f"only TMA combines with what is there: {found.reason}")
        else:
            store_elements(dst, src, self._role, found)

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        current().extra["open"] = None
        if kind is not None:
            return
        if not self._stored:
            raise error("nothing is stored of the slot", "cta.copy_async(C[...], slot.c)")
        with machine.only_if(self._role.first_elected()):
            machine.commit_stores()
        self._state.advance()


def _drain(role: Role) -> None:
    with machine.only_if(role.first_elected()):
        machine.wait_stores(0)


@dataclass
class Setup:
    """What a block does before its roles: makes barriers, brings tensor maps near, waits for all threads."""

    rings: list[Pipeline] = field(default_factory=list[Pipeline])

    @staticmethod
    def of(trace: Trace) -> Setup:
        """The kernel's."""
        found = trace.extra.get(Setup)
        if found is None:
            found = trace.extra[Setup] = Setup()
            trace.extra["settle"] = settle
            trace.finish.append(found.close)
        return found

    def close(self) -> None:
        """Put it behind the last pipeline."""
        trace = current()
        block = Block()
        with trace.inside(block):
            barriers = [ring for ring in self.rings if ring.kind == "load"]
            maps: Sequence[SSAValue] = trace.maps.pointers
            if barriers or maps:
                with machine.only_if(thread_id() == 0):
                    for ring in barriers:
                        ring.initialize()
                    if barriers:
                        machine.fence_initialized()
                    for pointer in maps:
                        machine.prefetch_map(pointer)
            if barriers:
                if trace.extra.get("cluster"):
                    machine.cluster_sync()
                else:
                    cta.sync()
        anchor = self.rings[-1].place if self.rings else None
        for op in list(block.ops):
            op.detach()
            anchor = _after(trace.entry, op, anchor)


def _after(block: Block, op: Operation, anchor: Operation | None) -> Operation:
    if anchor is None:
        block.insert_ops_before([op], block.first_op) if block.first_op else block.add_op(op)
    else:
        block.insert_ops_after([op], anchor)
    return op
