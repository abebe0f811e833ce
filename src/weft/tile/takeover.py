"""Dynamic schedules (sm_100a): a block takes over the tiles of blocks that have not started.

The first role that runs through the tiles asks for the next one while it does a tile (`clusterlaunchcontrol`); the
answers are slots of a ring, which all roles that run through the tiles read at the end of a tile.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import IntegerType, i1
from xdsl.dialects.builtin import i32 as int32

from weft.dialects.engine.making import new
from weft.tile import machine
from weft.tile.dtypes import boolean, i32, i64
from weft.tile.ids import block_id
from weft.tile.pipelines import Pipeline, TileSpec
from weft.tile.ring_state import State
from weft.tile.roles import Role
from weft.tile.scalars import Scalar
from weft.tile.tensor_copies import Route
from weft.tile.trace import current

STAGES = 3
"""Answers: how many tiles apart the roles may be."""
_BYTES = 16
_ANSWER = IntegerType(8 * _BYTES)
_KINDS = ("is_canceled", i1), ("get_first_cta_id_x", int32)


class Answers(Pipeline):
    """The ring of the answers to whether there is another tile, of all blocks of a cluster."""

    read_by_threads = True

    def __init__(self) -> None:
        self.readers: set[Role] = set()
        super().__init__(STAGES, {"answer": TileSpec(i64, (2,))}, "load")
        self._axis = 0 if current().extra.get("cluster") else None

    def ask(self, role: Role) -> None:
        """Ask for the next tile, in the first role that comes here."""
        trace = current()
        if self._routes and role not in self._routes:
            return
        state = self.filling_state(role)
        barrier = self.barrier(state.index)
        machine.wait_phase(self.barrier(state.index, empty=True), state.storage[State.PHASE])
        trace.add(machine.expecting(barrier, _BYTES, role.first_elected()))
        shared = self._axis is not None
        asks = role.first_elected()
        if shared:
            asks = asks & (block_id(0) % trace.extra["cluster"][0] == 0)
        with machine.only_if(asks):
            trace.add(new("nvvm.clusterlaunchcontrol.try.cancel", self._place(state), barrier, multicast=shared))
        self.filled(role, frozenset({Route.TENSOR}))
        state.advance()

    def read(self, role: Role) -> tuple[Scalar, Scalar]:
        """Wait for the answer: the number of the block whose tile is taken over, and whether there is one."""
        trace = current()
        state = self._state(role, "take")
        index, place = state.index, self._place(state)
        self.take()
        answer = trace.value(new("llvm.load", place, results=[_ANSWER], ordering=0, alignment=_BYTES))
        found = [
            trace.value(new("nvvm.clusterlaunchcontrol.query.cancel", answer, results=[type], query_type=query))
            for query, type in _KINDS
        ]
        machine.fence_async()
        self.give_back(role, index, synchronize=True)
        return Scalar(found[1], i32, nonnegative=True), Scalar(found[0], boolean)

    def _place(self, state: State) -> Any:
        return self.tiles["answer"].element_pointer((state.index, 0))
