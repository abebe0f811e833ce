"""What a block with pipelines does before its roles, and when products are waited for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from xdsl.ir import Block, SSAValue

from weft.dataclass import dataclass
from weft.tile import machine
from weft.tile.functions import minimum
from weft.tile.ids import thread_id
from weft.tile.ring_state import State, slot_before
from weft.tile.roles import Team
from weft.tile.scopes import cta
from weft.tile.tensor_copies import Maps
from weft.tile.trace import Trace, current

if TYPE_CHECKING:
    from weft.tile.pipelines import Pipeline


@dataclass
class Setup:
    """What a block does before its roles: makes barriers, brings tensor maps near, waits for all threads."""

    rings: list[Pipeline] = field(default_factory=list["Pipeline"])

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
        """Put it after the last pipeline."""
        trace = current()
        block = Block()
        with trace.inside(block):
            barriers = [ring for ring in self.rings if ring.kind == "load"]
            maps: Sequence[SSAValue] = Maps.of(trace).pointers
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
        made = list(block.ops)
        for op in made:
            op.detach()
        anchor = self.rings[-1].place
        assert anchor is not None
        trace.entry.insert_ops_after(made, anchor)


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
            ring.give_back(role, slot_before(state.index, back, ring.stages), condition=owed >= back)
        state.storage[State.OWED] = minimum(owed, groups) if groups else 0
