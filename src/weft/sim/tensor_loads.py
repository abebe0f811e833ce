"""Registers that `tcgen05.ld` has not written yet: strict runs find what uses them before the wait.

Compilers move the wait behind uses, and assemblers keep these in order: that is noted, for the ISA forbids it.  It is
an error where the wait has not come by the time at which others may hear that the load is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.definite import Uses, uses_of
from weft.sim.lanes import Array, Lanes
from weft.sim.registers import Row
from weft.sim.site import Site, Step
from weft.sim.tensor_memory import TensorMemory

if TYPE_CHECKING:
    from weft.sim.program import Activation

STEMS = ("tcgen05.ld", "tcgen05.ld.red")
_TELLING = (
    *("bar", "barrier", "mbarrier", "fence", "membar", "atom", "red", "cp.async", "ret", "exit"),
    *("tcgen05.mma", "tcgen05.commit", "tcgen05.cp", "tcgen05.shift", "tcgen05.fence", "tcgen05.dealloc"),
)
"""Families by which others hear of what a thread has done."""


def watch(activation: Activation, sites: list[Site]) -> list[list[Step]]:
    """What each instruction does before it executes, because registers are loaded from tensor memory."""
    machine = activation.machine
    nothing: list[list[Step]] = [[] for _ in sites]
    if machine.async_ == "eager" and not machine.interlocked:
        return nothing
    uses = [uses_of(site) for site in sites]
    loaded = {id(row) for site, use in zip(sites, uses, strict=True) if site.opcode.stem in STEMS for row in use.writes}
    if not loaded:
        return nothing
    return [_steps(machine.tensor, site, use, loaded) for site, use in zip(sites, uses, strict=True)]


def _steps(tensor: TensorMemory, site: Site, use: Uses, loaded: set[int]) -> list[Step]:
    strict, stem = tensor.machine.strict, site.opcode.stem
    reads = {id(row): row for row in (*use.guards, *use.reads) if id(row) in loaded}
    over = [row for row in use.writes if id(row) in loaded and id(row) not in reads]
    steps: list[Step] = []
    if tensor.machine.interlocked:
        rows = [*reads.values(), *over]
        return [_interlocked(tensor, rows)] if rows else []
    if strict and stem.startswith(_TELLING):
        steps.append(_told(tensor))
    if over and strict:
        steps.append(_untouched(tensor, site, over))
    if reads:
        steps.append(_hastened(tensor, site, list(reads.values()), noted=strict))
    return steps


def _late(tensor: TensorMemory, rows: list[Row], lanes: Lanes) -> Array:
    """Which lanes have loads under way into one of some registers."""
    found = np.zeros(lanes.count, np.bool_)
    for row in rows:
        counts = tensor.loading.get(id(row))
        if counts is not None:
            found |= counts[lanes.select] > 0
    return found


def _hastened(tensor: TensorMemory, site: Site, rows: list[Row], *, noted: bool) -> Step:
    """What gives an instruction what was loaded, and keeps that nothing has waited for it."""

    def hasten(lanes: Lanes) -> None:
        if not tensor.transfers:
            return
        late = _late(tensor, rows, lanes)
        if late.any():
            tensor.hasten(lanes)
            if noted:
                tensor.early.append((lanes.index[late], site))

    return hasten


def _interlocked(tensor: TensorMemory, rows: list[Row]) -> Step:
    """What lets an instruction wait for its registers."""

    def wait(lanes: Lanes) -> None:
        if tensor.transfers and _late(tensor, rows, lanes).any():
            tensor.wait(lanes, load=True)

    return wait


def _told(tensor: TensorMemory) -> Step:
    """What finds early uses that no wait has followed."""

    def check(lanes: Lanes) -> None:
        if tensor.early:
            tensor.blame_early(lanes)

    return check


def _untouched(tensor: TensorMemory, site: Site, rows: list[Row]) -> Step:
    """What finds stores over registers that loads still write."""

    def check(lanes: Lanes) -> None:
        if not tensor.transfers:
            return
        late = _late(tensor, rows, lanes)
        if late.any():
            lane = int(lanes.index[int(late.argmax())])
            names = ", ".join(row.name for row in rows)
            message = f"overwrites {names} while the tcgen05.ld that writes it is still in flight"
            raise site.fault("asynchronous-read", message, lane)

    return check
