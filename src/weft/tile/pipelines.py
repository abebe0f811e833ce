"""Pipelines: rings of tiles in shared memory that one role fills while another takes what is full.

    ring = pipeline(4, a=tile(f16, 128, 64), b=tile(f16, 256, 64))
    with ring.fill() as slot:                      # in the role that brings tiles
        cta.copy_async(slot.a, A[ds(m, 128), ds(k, 64)])
    with ring.take(behind=1) as slot:              # in the role that computes
        warpgroup.gemm_async(total, slot.a, slot.b.transpose())

A ring owns its barriers, counts arrivals and bytes, keeps index and phase for each side from its first slot to the
kernel's end, across all loops, and puts fences where generic and asynchronous accesses meet.

Slots in tensor memory, `pipeline(2, d=tensor_memory((2, 128, 256), f32))`, are filled by products.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from xdsl.ir import SSAValue

from weft.dataclass import dataclass
from weft.dialects.tile.types import TENSOR
from weft.errors import LayoutError
from weft.layout import ComposeLayout, Iter, Layout, SwizzleLayout, TileLayout, row_major
from weft.tile import machine
from weft.tile.buffers import Buffer, register, shared
from weft.tile.dtypes import DType, dtype
from weft.tile.dtypes import i64 as int64
from weft.tile.filling import Filling, Multiplying, Storing, Writing
from weft.tile.ids import block_id, lane_id
from weft.tile.layouts import swizzled
from weft.tile.regions import Region
from weft.tile.ring_state import State
from weft.tile.roles import Role, Team, check_pairs, leader_rank
from weft.tile.scalars import scalar
from weft.tile.setup import Setup
from weft.tile.slots import Slot
from weft.tile.tensor_copies import Route, Sharing
from weft.tile.tensor_memory import Columns, commit, fence
from weft.tile.trace import current, error, shape_of

if TYPE_CHECKING:
    from weft.tile.scalars import Scalar

_BARRIER = 8
"""Bytes of a barrier."""


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
    """A tile of a pipeline's slots: its type, its extents, and its layout in shared memory.

    By default rows are swizzled over 128 bytes (or 64 or 32, if they are shorter), as TMA writes and `wgmma` reads
    them.
    """
    return TileSpec(dtype(kind), shape_of(shape), layout)


def pipeline(stages: int, /, *, kind: str = "load", pair: bool = False, **tiles: TileSpec | Buffer) -> Pipeline:
    """A ring of `stages` slots, each with the named tiles, or with a matrix in `tensor_memory`.

    With `kind="store"`, a ring of tiles to store: one role both fills them and starts the stores.  With `pair`, both
    blocks of a pair have the slots: each fills its own, and they are full when both are; the leader takes them.

    Raises:
        CompileError: it is created in a role or a loop, has no slots or tiles, or is of a pair in a kernel without
            pairs.
    """
    trace = current()
    if trace.block is not trace.entry:
        raise error("a pipeline must be created in the kernel body, before the roles")
    if not isinstance(stages, int) or stages < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise error(f"invalid number of slots {stages!r}", "use a positive Python integer")
    if not tiles:
        raise error("a pipeline needs tiles", "write pipeline(4, a=tile(f16, 128, 64))")
    for name, each in tiles.items():
        if isinstance(each, Buffer) and each.space == TENSOR:
            if each.shape[0] != stages or len(each.shape) != 3 or len(tiles) > 1:
                raise error(
                    f"'{name}' must have the shape of {stages} slots", f"use tensor_memory(({stages}, 128, N), f32)"
                )
        elif not isinstance(each, TileSpec):
            raise error(f"'{name}' must be a tile", f"write {name}=tile(f16, 128, 64)")
    if kind not in ("load", "store"):
        raise error(f"unknown pipeline kind '{kind}'", 'use "load" or "store"')
    if pair:
        check_pairs()
    return Pipeline(stages, tiles, kind, pair=pair)


class Pipeline:
    """A ring of slots: see `pipeline`."""

    read_by_threads = False
    """Whether slots are given back at once even where the role starts products."""

    def __init__(self, stages: int, tiles: dict[str, TileSpec | Buffer], kind: str, *, pair: bool = False) -> None:
        trace = current()
        self.stages = stages
        self.kind = kind
        self.tiles = {
            name: each
            if isinstance(each, Buffer)
            else shared((stages, *each.shape), each.dtype, each.staged(stages), alignment=1024)
            for name, each in tiles.items()
        }
        self.in_tensor_memory = any(isinstance(each, Buffer) for each in tiles.values())
        self.pair = Columns.of(trace).pair if self.in_tensor_memory else pair
        self._bars = shared(2 * stages, int64, alignment=_BARRIER) if kind == "load" else None
        self.number = machine.barrier_number() if kind == "store" else 0
        """The number of the barrier at which the threads of a role that stores meet."""
        self._takers: dict[Role, None] = {}
        self._axis: int | None = None
        self._routes: dict[Role, frozenset[Route]] = {}
        self._filled_at: Any = None
        self.place = trace.place()
        trace.finish.insert(0, self._close)
        Setup.of(trace).rings.append(self)

    def __repr__(self) -> str:
        return f"<pipeline of {self.stages} slots: {', '.join(self.tiles)}>"

    # -- filling ------------------------------------------------------------------------------------------------

    def fill(self) -> Filling | Storing | Multiplying | Writing:
        """The next slot, once it is empty, to be filled by what the `with` contains; then it is full: when copies have
        come, and products of tensor memory are done, or its warpgroups have written it.

        Of a pipeline of kind "store": the next slot, once its last store has been read; what is copied from it to a
        tensor is stored by TMA.
        """
        if self.kind == "store":
            return Storing(self, self._role("storing a tile"))
        role = self._role("filling a pipeline")
        if not self.in_tensor_memory:
            return Filling(self, role)
        return Writing(self, role) if role.whole else Multiplying(self, role)

    def take(self, behind: int = 0) -> Slot:
        """The next slot, once it is full.

        As a context the slot is given back at the end, when the products that were started with it are done.  With
        `behind`, the products of so many slots may still be under way then, and it is the slot taken so long before
        that is given back; `warpgroup.wait(0)` gives back the rest.  Without a context, `release` does.

        Raises:
            CompileError: a pipeline of kind "store", or one that would hold all of its slots.
        """
        if self.kind == "store":
            raise error("a pipeline of kind 'store' can only be filled", "use pipeline(...) without kind=")
        if not isinstance(behind, int) or not 0 <= behind < self.stages:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise error(
                f"{self.stages} slots cannot be held {behind} behind: the role that fills them would deadlock",
                f"use behind={self.stages - 1} at most, or more stages",
            )
        role = self._role("taking from a pipeline")
        if self.pair and not self.in_tensor_memory and not role.leader:
            raise error("only the leading block of a pair can take its slots", "use `with role(warps=1, leader=True)`")
        self._takers[role] = None
        state = self._state(role, "take")
        state.behind = max(state.behind, behind)
        index = state.index
        machine.wait_phase(self.barrier(index), state.storage[State.PHASE])
        if self.in_tensor_memory:
            fence(after=True)
        state.advance()
        return Slot(self, index, role, behind)

    def release(self) -> None:
        """Give back the oldest slot that was taken without a context and not given back."""
        role = self._role("releasing a slot")
        state = self._state(role, "take")
        self.give_back(role, state.at(State.OLDEST), synchronize=True)
        state.advance(State.OLDEST)

    def oldest(self) -> Slot:
        """The oldest slot that was taken without a context and not given back, which `release` gives back."""
        role = self._role("holding a slot")
        if role not in self._takers:
            raise error("no slot has been taken", "write slot = ring.take() first")
        return Slot(self, self._state(role, "take").at(State.OLDEST), role)

    def _role(self, what: str) -> Role:
        team = Team.of(current())
        if team.role is None:
            raise error(f"{what} is allowed only in a role", "put it in `with role(warps=1):`")
        return team.role

    def shared_along(self, axis: int) -> Sharing:
        """How the blocks of the cluster along an axis share a tile of a slot."""
        extents: tuple[int, ...] = current().extra.get("cluster", ())
        if not 0 <= axis < len(extents):
            raise error(f"the cluster has no axis {axis}", "axis 0 is the first of @weft.kernel(cluster=(2, 1))")
        if self.pair:
            raise error("tiles of a pair's slots cannot be shared with further blocks")
        if self._axis not in (None, axis):
            raise error("tiles of a pipeline must be shared along a single axis of the cluster")
        if self._takers:
            raise error("the role that fills a shared pipeline must come before the roles that take from it")
        self._axis = axis
        return Sharing(self._mask(axis), block_id(axis) % extents[axis], extents[axis])

    def _mask(self, axis: int) -> SSAValue:
        """The blocks of the cluster along an axis, this one among them: a bit for each rank."""
        extents: tuple[int, ...] = current().extra["cluster"]
        step = prod(extents[:axis])
        mask = sum(1 << at * step for at in range(extents[axis]))
        first: Any = 0
        for other, extent in enumerate(extents):
            if other != axis and extent > 1:
                first = first + block_id(other) % extent * prod(extents[:other])
        bits = scalar(mask, dtype("i32")) if isinstance(first, int) else scalar(mask, dtype("i32")) << first
        return bits.to("i16").value

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

    def _state(self, role: Role, side: str) -> State:
        def build() -> State:
            storage = register(4, dtype("i32")).storage
            for place in range(4):
                storage[place] = int(side == "fill" and place == State.PHASE)
            return State(storage, self.stages)

        return role.at_start((self, side), build)

    def filling_state(self, role: Role) -> State:
        """The state of the side that fills."""
        return self._state(role, "fill")

    def taking_state(self, role: Role) -> State | None:
        """The state of the side that takes, where the role takes at all."""
        return self._state(role, "take") if role in self._takers else None

    def filled(self, role: Role, routes: frozenset[Route]) -> None:
        """Remember how a role fills slots: it decides how many arrive."""
        known = self._routes.setdefault(role, routes)
        if known != routes:
            raise error(
                "all slots of a pipeline must be filled in the same way: "
                "here TMA copies tiles that are copied differently elsewhere"
            )
        if len(self._routes) > 1:
            raise error("a pipeline must be filled by a single role", "use another pipeline for the other role")

    def give_back(self, role: Role, index: Any, *, synchronize: bool = False, condition: Scalar | None = None) -> None:
        """Tell the side that fills, in each block that does, that a slot is empty: from each warp; from a role that
        multiplies into tensor memory, when the products that it has started are done.
        """
        if role.multiplies and not self.read_by_threads:
            self._commit(role, index)
            return
        if self.in_tensor_memory:
            fence(after=False)
        if synchronize or self.in_tensor_memory:
            machine.sync_warp()
        tells, rank = self._telling(role)
        with machine.only_if(tells if condition is None else tells & condition):
            place = self.barrier(index, empty=True)
            if rank is None:
                machine.arrive(place)
            else:
                machine.arrive_remote(place, rank)

    def _telling(self, role: Role) -> tuple[Scalar, Any]:
        """Which lanes of a warp tell that a slot is empty, and the rank of the block that each tells; None, its own."""
        if self.pair and self.in_tensor_memory:
            return role.lane_elected(), leader_rank()
        if self.pair:
            return self._several(role, 2), role.at_start((self, "rank"), lambda: leader_rank() + lane_id())
        peers = self._peers
        if peers == 1:
            return role.lane_elected(), None
        return self._several(role, peers), role.at_start((self, "rank"), self._rank)

    def _several(self, role: Role, count: int) -> Scalar:
        return role.at_start(("peers", count), lambda: lane_id() < count)

    @property
    def _peers(self) -> int:
        """How many blocks share the tiles of a slot."""
        return 1 if self._axis is None else current().extra["cluster"][self._axis]

    def _commit(self, role: Role, index: Any) -> None:
        barrier, mask = self.barrier(index, empty=True), self.commit_mask(role)
        with role.one_lane():
            commit(barrier, mask)

    def commit_mask(self, role: Role) -> SSAValue | None:
        """The blocks whose barriers are told of products: those of the pair, or that share tiles."""
        if self.pair:
            return role.at_start((self, "mask"), lambda: (scalar(3, dtype("i32")) << leader_rank()).to("i16").value)
        axis = self._axis
        return None if axis is None else role.at_start((self, "mask"), lambda: self._mask(axis))

    def full_barrier(self, role: Role, index: Any) -> SSAValue:
        """The barrier that a slot is full, where those look who wait for it: in the block that leads a pair."""
        if not self.pair:
            return self.barrier(index)
        return machine.of_leader(self.barrier(index), leader_rank())

    # -- the end ------------------------------------------------------------------------------------------------

    def _close(self) -> None:
        """Check that somebody fills what somebody takes."""
        if self.kind == "load" and bool(self._routes) != bool(self._takers):
            sides = ("filled", "taken from") if self._routes else ("taken from", "filled")
            raise error(f"{self!r} is {sides[0]} but never {sides[1]}: its roles would deadlock")

    def initialize(self) -> None:
        """Make the barriers."""
        if self._bars is None or not self._routes:
            return
        ((role, routes),) = self._routes.items()
        fills = len(routes & {Route.TENSOR, Route.PRODUCTS}) + (role.warps if Route.ELEMENTS in routes else 0)
        if self.pair and Route.ELEMENTS in routes:
            fills += role.warps
        peers, leaders = self._peers * (1 + self.pair), -(-self._peers // 2)
        takes = sum(taker.warps * (leaders if taker.leader else peers) for taker in self._takers)
        for at in range(self.stages):
            machine.initialize(self._bars.element_pointer((at,)), fills)
            machine.initialize(self._bars.element_pointer((self.stages + at,)), takes)
