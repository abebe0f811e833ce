"""Registers that `tcgen05.ld` has not written yet: strict runs find what reads or writes them before the wait.

Compilers move and pack them before the wait, which assemblers keep in order: a copy gets its value when they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim import semantics
from weft.sim.definite import Uses, uses_of
from weft.sim.lanes import Array, Lanes
from weft.sim.registers import Row
from weft.sim.site import Site, Step
from weft.sim.tensor_memory import TensorMemory, Transfer

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.program import Activation

STEMS = ("tcgen05.ld", "tcgen05.ld.red")


def watch(activation: Activation, sites: list[Site]) -> list[list[Step]]:
    """What each instruction does before it executes, because it uses registers that are loaded from tensor memory."""
    machine = activation.machine
    nothing: list[list[Step]] = [[] for _ in sites]
    if machine.async_ == "eager":
        return nothing
    uses = [uses_of(site) for site in sites]
    loaded = {id(row) for site, use in zip(sites, uses, strict=True) if site.opcode.stem in STEMS for row in use.writes}
    if not loaded:
        return nothing
    copies = [
        use for site, use in zip(sites, uses, strict=True) if site.opcode.stem == "mov" and use.reads and use.writes
    ]
    while True:
        more = {id(row) for use in copies if any(id(row) in loaded for row in use.reads) for row in use.writes}
        if more <= loaded:
            break
        loaded |= more
    return [_steps(machine, site, use, loaded) for site, use in zip(sites, uses, strict=True)]


def _steps(machine: Machine, site: Site, use: Uses, loaded: set[int]) -> list[Step]:
    reads = [row for row in use.reads if id(row) in loaded]
    writes = [row for row in use.writes if id(row) in loaded]
    guards = [row for row in use.guards if id(row) in loaded]
    copy = site.opcode.stem == "mov" and bool(reads)
    rows = {id(row): row for row in (*guards, *([] if copy else reads), *writes)}
    steps: list[Step] = []
    if rows and machine.interlocked:
        steps.append(_interlocked(machine.tensor, list(rows.values())))
    elif rows and machine.strict:
        steps.append(_untouched(machine.tensor, site, list(rows.values())))
    if copy:
        steps.append(_carried(machine, site, reads, use.writes))
    return steps


def _carried(machine: Machine, site: Site, reads: list[Row], writes: list[Row]) -> Step:
    """What lets a `mov` be done again when the registers that it reads are loaded."""
    tensor, again = machine.tensor, semantics.STEPS["mov"](site)

    def carry(lanes: Lanes) -> None:
        if not tensor.transfers:
            return
        late = np.zeros(lanes.count, np.bool_)
        for row in reads:
            counts = tensor.loading.get(id(row))
            if counts is not None:
                late |= counts[lanes.select] > 0
        if not late.any():
            return
        index = lanes.index[late]
        tensor.busy(writes, index, 1)

        def finish(mine: Array) -> None:
            some = np.zeros(machine.batch.lanes, np.bool_)
            some[index[mine]] = True
            tensor.busy(writes, index[mine], -1)
            chosen = Lanes.where(some, 0, machine.batch.role)
            if chosen is not None:
                again(chosen)

        tensor.transfers.append(Transfer(index, finish, True))

    return carry


def _interlocked(tensor: TensorMemory, rows: list[Row]) -> Step:
    def wait(lanes: Lanes) -> None:
        if not tensor.transfers:
            return
        counts = (tensor.loading.get(id(row)) for row in rows)
        if any(count is not None and count[lanes.select].any() for count in counts):
            tensor.wait(lanes, load=True)

    return wait


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
