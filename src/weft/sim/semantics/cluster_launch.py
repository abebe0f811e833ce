"""`clusterlaunchcontrol.*`: take over a cluster of the grid that has not started yet.

Clusters that start together are under way at once; only those of later batches are left to be taken, the last ones
first.  A kernel whose grid fits one batch is told that there is none, as on a device that is idle.

The answer is 16 bytes: whether a cluster was taken, and the index of its first CTA.

A CTA that has seen that it was refused must not ask again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.bulk import Transfer
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.semantics import step
from weft.sim.semantics.bulk import completion, each
from weft.sim.site import Site, Step

if TYPE_CHECKING:
    from weft.sim.machine import Machine

_SIZE = 16
_WORD = np.dtype(np.uint32)
_KIND = "cluster-launch"
_NOWHERE = np.uint32(0x00FF_FFF7)
"""The index that a refusal gives, which the ISA leaves undefined: beyond every grid."""


@step("clusterlaunchcontrol.try_cancel")
def try_cancel(site: Site) -> Step:
    """Ask for a cluster; the answer arrives later, with `.multicast` in every CTA of the cluster."""
    slots, machine = site.slots(), site.machine
    pointer, barrier = (site.pointer(operand, slots["ss"]) for operand in site.operands)
    shared = machine.memory.shared

    def run(lanes: Lanes) -> None:
        for one in each(lanes):
            lane = int(one.index[0])
            if _has_seen(machine, lane):
                message = "asks for another cluster though its CTA has seen that there is none left"
                site.report(site.fault(_KIND, message, lane))
            ((space, index, _),), ((home, place, _),) = pointer(one, _SIZE, True), barrier(one, 8, True)
            if space is not shared or home is not shared:
                raise site.fault("out-of-bounds", "the answer or the mbarrier does not lie in shared memory", lane)
            first = machine.take_cluster()
            answer = np.array([*(first or (0, 0, 0)), first is not None], _WORD)
            offsets = np.arange(0, _SIZE, 4)
            for shift in _shifts(site, int(index[0])) if slots["multicast"] else [0]:
                then = completion(site, int(place[0]) + shift, lane, _SIZE)
                into = int(index[0]) + shift + offsets
                machine.bulk.start(
                    Transfer(
                        site,
                        lane,
                        None,
                        offsets,
                        shared,
                        into,
                        _WORD,
                        signal=int(place[0]) + shift,
                        then=then,
                        payload=answer,
                    )
                )

    return run


def _shifts(site: Site, index: int) -> list[int]:
    """From the CTA of a byte index to each CTA of its cluster."""
    size, stride = site.machine.launch.cluster_ctas, site.machine.memory.shared.stride
    here = index // stride
    return [(here // size * size + rank - here) * stride for rank in range(size)]


def _note(machine: Machine, lanes: Array) -> None:
    """Lanes have seen that they were refused."""
    if machine.clocks is not None:
        for row in machine.clocks.rows_of(lanes).tolist():
            machine.refused.setdefault(row, machine.clocks.now)
        machine.clocks.tick()


def _has_seen(machine: Machine, lane: int) -> bool:
    """Whether the CTA of a lane has seen that it was refused, as far as the lane's warp knows."""
    clocks = machine.clocks
    return clocks is not None and any(
        row % clocks.ctas == lane // WARP % clocks.ctas and clocks.aware(lane, row, time)
        for row, time in machine.refused.items()
    )


@step("clusterlaunchcontrol.query_cancel")
def query_cancel(site: Site) -> Step:
    """Read the answer."""
    query, machine = site.slots()["query"], site.machine
    answer = site.row(site.operands[1]).array
    targets = [site.destination(d, "pred" if query == "is_canceled" else "b32") for d in site.vector(site.operands[0])]

    def words(lanes: Lanes) -> list[Array]:
        return [
            (answer[half, lanes.select] >> np.uint64(32 * part)).astype(np.uint32) for half in (0, 1) for part in (0, 1)
        ]

    def run(lanes: Lanes) -> None:
        found = words(lanes)
        refused = found[3] == 0
        if query == "is_canceled":
            values = [~refused]
            if machine.strict and refused.any():
                _note(machine, lanes.index[refused])
        elif "::" in query:
            values = [found["xyz".index(query[-1])]]
        else:
            values = [*found[:3], np.zeros_like(found[0])]
        if query != "is_canceled":
            # Compilers compute it before they ask whether there is one: it must not matter then.
            values = [np.where(refused, _NOWHERE, value) for value in values]
        for target, value in zip(targets, values, strict=True):
            if target is not None:
                target[lanes.select] = value

    return run
