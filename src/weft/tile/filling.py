"""Slots that are being filled: by copies, by products in tensor memory, or by threads for a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation, OpResult

from weft.tile import machine
from weft.tile.ring_state import State
from weft.tile.roles import Role, leader_rank, leads
from weft.tile.scopes import whole_region
from weft.tile.slots import Slot, operations_since
from weft.tile.tensor_copies import Route, add_elements, fill_elements, load, route, store, store_elements
from weft.tile.tensor_memory import commit, fence
from weft.tile.trace import current, error

if TYPE_CHECKING:
    from types import TracebackType

    from weft.tile.pipelines import Pipeline


class Filling:
    """A slot that is being filled: the target of copies."""

    def __init__(self, ring: Pipeline, role: Role) -> None:
        self._ring = ring
        self._role = role
        self._bytes = 0
        self._routes: set[Route] = set()
        self._first: Operation | None = None

    def __enter__(self) -> Slot:
        trace = current()
        if trace.extra.get("open") is not None:
            raise error("only one slot can be filled at a time")
        ring = self._ring
        self._state = ring.filling_state(self._role)
        index = self._state.index
        machine.wait_phase(ring.barrier(index, empty=True), self._state.storage[State.PHASE])
        self._own, self._barrier = ring.barrier(index), ring.full_barrier(self._role, index)
        self._slot = Slot(ring, index, self._role)
        self._block = trace.block
        trace.extra["open"] = self
        return self._slot

    def copy(self, dst: Any, src: Any, *, share: int | None, reduce: str | None, cluster: bool) -> None:
        """Bring a tile into the slot: by TMA where that can be, by the role's threads otherwise."""
        trace = current()
        if trace.block is not self._block:
            raise error(
                "the copies that fill a slot must be directly in the `with`, so that they are the same every time",
                "move them out of loops and of an `if` that depends on run-time values",
            )
        if reduce is not None:
            raise error("a load into a slot cannot reduce")
        if cluster != (share is not None):
            raise error(
                "a shared tile needs the cluster axis along which blocks share it",
                "use cluster.copy_async(slot.b, B[...], share=0)",
            )
        sharing = self._ring.shared_along(share) if share is not None else None
        dst = whole_region(dst)
        if not self._ring.has(dst):
            raise error(f"{dst!r} is not a tile of the slot being filled")
        found = route(dst, src)
        self._routes.add(found.route)
        if found.route is Route.TENSOR:
            op, size = load(dst, src, found, self._barrier, self._role.first_elected(), sharing)
            if self._ring.pair:
                op.properties["pair"] = UnitAttr()
            self._bytes += size
            self._first = self._first or op
        else:
            if sharing is not None:
                raise error(f"only TMA can write to the shared memory of other blocks: {found.reason}")
            fill_elements(dst, src, self._role, found)

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        trace = current()
        trace.extra["open"] = None
        if kind is not None:
            return
        if written(self._block, self._slot, self._ring):
            self._routes.add(Route.ELEMENTS)
        if not self._routes:
            raise error("the slot is never filled", "use cta.copy_async(slot.a, A[...])")
        self._ring.filled(self._role, frozenset(self._routes))
        if self._first is not None:
            chosen, size = self._role.first_elected(), self._bytes
            if self._ring.pair:
                chosen, size = self._role.at_start("leading", lambda: leads() & chosen), 2 * size
            arrival = machine.expecting(self._own, size, chosen)
            arrival.location = self._first.location
            self._block.insert_ops_before([arrival], self._first)
        if Route.ELEMENTS in self._routes:
            machine.fence_async()
            arrived(self._ring, self._role, self._own)
        self._state.advance()


def written(block: Any, slot: Slot, ring: Pipeline) -> bool:
    """Whether the role's threads themselves write into the slot that is filled."""
    tiles = {each.value for each in ring.tiles.values()}
    for op in operations_since(block, slot.before):
        place = op.operands[_WRITES[op.name]] if op.name in _WRITES else None
        while place is not None and place not in tiles:
            place = place.owner.operands[0] if isinstance(place, OpResult) and place.owner.operands else None
        if place is not None:
            return True
    return False


_WRITES = {"tile.copy": 0, "llvm.store": 1}
"""Operations by which threads write shared memory, and the operand that says where."""


class Multiplying:
    """A slot in tensor memory: full when the products are done that the `with` starts."""

    def __init__(self, ring: Pipeline, role: Role) -> None:
        self._ring = ring
        self._role = role

    def __enter__(self) -> Slot:
        role, ring = self._role, self._ring
        role.multiplies = True
        self._state = ring.filling_state(role)
        index = self._state.index
        machine.wait_phase(ring.barrier(index, empty=True), self._state.storage[State.PHASE])
        fence(after=True)
        self._barrier = ring.barrier(index)
        self._block = current().block
        return Slot(ring, index, role)

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        if kind is not None:
            return
        if current().block is not self._block:
            raise error("a slot must be completed in the block that started to fill it")
        self._ring.filled(self._role, frozenset({Route.PRODUCTS}))
        with self._role.one_lane():
            commit(self._barrier, self._ring.commit_mask(self._role))
        self._state.advance()


class Writing:
    """A slot in tensor memory that a warpgroup's threads write: full when all of its warps have."""

    def __init__(self, ring: Pipeline, role: Role) -> None:
        self._ring = ring
        self._role = role

    def __enter__(self) -> Slot:
        ring = self._ring
        self._state = ring.filling_state(self._role)
        index = self._state.index
        machine.wait_phase(ring.barrier(index, empty=True), self._state.storage[State.PHASE])
        fence(after=True)
        self._barrier = ring.barrier(index)
        self._block = current().block
        return Slot(ring, index, self._role)

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        if kind is not None:
            return
        if current().block is not self._block:
            raise error("a slot must be completed in the block that started to fill it")
        self._ring.filled(self._role, frozenset({Route.ELEMENTS}))
        fence(after=False)
        arrived(self._ring, self._role, self._barrier)
        self._state.advance()


def arrived(ring: Pipeline, role: Role, barrier: Any) -> None:
    """The arrival of each warp of a role that has filled its part of a slot."""
    machine.sync_warp()
    with machine.only_if(role.lane_elected()):
        if ring.pair:
            machine.arrive_remote(barrier, leader_rank(), see=True)
        else:
            machine.arrive(barrier)


class Storing:
    """A slot of a pipeline that stores: written by the role's threads, then copied to a tensor."""

    def __init__(self, ring: Pipeline, role: Role) -> None:
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
            raise error("only one slot can be filled at a time")
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
            raise error(
                "the copies that store a slot must be directly in the `with`, so that they are the same every time"
            )
        if cluster or share is not None:
            raise error("a tile can be stored only by its own block", "use cta.copy_async(C[...], slot.c)")
        src = whole_region(src)
        if not self._ring.has(src):
            raise error(f"{src!r} is not a tile of the slot being stored")
        found = route(src, dst, store=True)
        if found.route is Route.TENSOR:
            machine.fence_async()
        self._sync()
        self._stored = True
        if found.route is Route.TENSOR:
            with machine.only_if(self._role.first_elected()):
                store(dst, src, found, reduce)
        elif reduce is None:
            store_elements(dst, src, self._role, found)
        elif reduce == "add":
            add_elements(dst, src, self._role)
        else:
            raise error(f"only TMA can reduce by '{reduce}' into memory: {found.reason}")

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        current().extra["open"] = None
        if kind is not None:
            return
        if not self._stored:
            raise error("the slot is never stored", "use cta.copy_async(C[...], slot.c)")
        with machine.only_if(self._role.first_elected()):
            machine.commit_stores()
        self._state.advance()


def _drain(role: Role) -> None:
    with machine.only_if(role.first_elected()):
        machine.wait_stores(0)
