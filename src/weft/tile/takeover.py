"""Dynamic schedules (sm_100a): a block takes over the tiles of blocks that have not started.

The first role that runs through the tiles asks for the next one while it does a tile (`clusterlaunchcontrol`); the
answers are slots of a ring, which all roles that run through the tiles read at the end of a tile.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import IntegerAttr, IntegerType, UnitAttr, i1
from xdsl.dialects.builtin import i32 as int32
from xdsl.dialects.builtin import i64 as int64

from weft.dialects.engine.attributes import attr
from weft.dialects.engine.operations import op_class
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
_PLAIN = {"ordering": IntegerAttr(0, int64), "alignment": IntegerAttr(_BYTES, int64)}
_KINDS = ("is_canceled", i1), ("get_first_cta_id_x", int32)
_QUERIES = [({"query_type": attr("nvvm.cluster_launch_control_query_type", kind)}, type) for kind, type in _KINDS]


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
            properties = {"multicast": UnitAttr()} if shared else {}
            trace.add(
                op_class("nvvm.clusterlaunchcontrol.try.cancel").create(
                    operands=[self._place(state), barrier], properties=properties
                )
            )
        self.filled(role, frozenset({Route.TENSOR}))
        state.advance()

    def read(self, role: Role) -> tuple[Scalar, Scalar]:
        """Wait for the answer: the number of the block whose tile is taken over, and whether there is one."""
        trace = current()
        state = self._state(role, "take")
        index, place = state.index, self._place(state)
        self.take()
        answer = trace.value(op_class("llvm.load").create(operands=[place], result_types=[_ANSWER], properties=_PLAIN))
        found = [
            trace.value(
                op_class("nvvm.clusterlaunchcontrol.query.cancel").create(
                    operands=[answer], properties=query, result_types=[type]
                )
            )
            for query, type in _QUERIES
        ]
        machine.fence_async()
        self.give_back(role, index, synchronize=True)
        return Scalar(found[1], i32, nonnegative=True), Scalar(found[0], boolean)

    def _place(self, state: State) -> Any:
        return self.tiles["answer"].element_pointer((state.index, 0))
