"""Registers that `tcgen05.ld` has not written yet: strict runs find what reads or writes them before the wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.sim.definite import uses_of
from weft.sim.lanes import Lanes
from weft.sim.registers import Row
from weft.sim.site import Site, Step
from weft.sim.tensor_memory import TensorMemory

if TYPE_CHECKING:
    from weft.sim.program import Activation

STEMS = ("tcgen05.ld", "tcgen05.ld.red")


def watch(activation: Activation, sites: list[Site]) -> list[list[Step]]:
    """What each instruction does before it executes, because it uses registers that are loaded from tensor memory."""
    machine = activation.machine
    nothing: list[list[Step]] = [[] for _ in sites]
    if not machine.strict or machine.async_ == "eager":
        return nothing
    loaded = {id(row) for site in sites if site.opcode.stem in STEMS for row in uses_of(site).writes}
    if not loaded:
        return nothing
    found: list[list[Step]] = []
    for site in sites:
        uses = uses_of(site)
        rows = {id(row): row for row in (*uses.guards, *uses.reads, *uses.writes) if id(row) in loaded}
        found.append([_untouched(machine.tensor, site, list(rows.values()))] if rows else [])
    return found


def _untouched(tensor: TensorMemory, site: Site, rows: list[Row]) -> Step:
    def check(lanes: Lanes) -> None:
        if not tensor.transfers:
            return
        for row in rows:
            counts = tensor.loading.get(id(row))
            if counts is not None and counts[lanes.select].any():
                lane = int(lanes.index[int((counts[lanes.select] > 0).argmax())])
                message = f"uses {row.name}, which tcgen05.ld may not have written yet: nothing has waited for it"
                raise site.fault("asynchronous-read", message, lane)

    return check
