"""`clusterlaunchcontrol.*`: take over a cluster of the grid that has not started yet.

Clusters that start together are under way at once; only those of later batches are left to be taken, the last ones
first.  A kernel whose grid fits one batch is told that there is none, as on a device that is idle.

The answer is 16 bytes: whether a cluster was taken, and the index of its first CTA.
"""

from __future__ import annotations

import numpy as np

from weft.sim.bulk import Transfer
from weft.sim.lanes import Array, Lanes
from weft.sim.semantics import step
from weft.sim.semantics.bulk import completion, each
from weft.sim.site import Site, Step

_SIZE = 16
_WORD = np.dtype(np.uint32)


@step("clusterlaunchcontrol.try_cancel")
def try_cancel(site: Site) -> Step:
    """Ask for a cluster; the answer arrives later, with `.multicast` in every CTA of the cluster."""
    slots, machine = site.slots(), site.machine
    pointer, barrier = (site.pointer(operand, slots["ss"]) for operand in site.operands)
    shared = machine.memory.shared

    def run(lanes: Lanes) -> None:
        for one in each(lanes):
            lane = int(one.index[0])
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


@step("clusterlaunchcontrol.query_cancel")
def query_cancel(site: Site) -> Step:
    """Read the answer."""
    query = site.slots()["query"]
    answer = site.row(site.operands[1]).array
    targets = [site.destination(d, "pred" if query == "is_canceled" else "b32") for d in site.vector(site.operands[0])]

    def words(lanes: Lanes) -> list[Array]:
        return [
            (answer[half, lanes.select] >> np.uint64(32 * part)).astype(np.uint32) for half in (0, 1) for part in (0, 1)
        ]

    def run(lanes: Lanes) -> None:
        found = words(lanes)
        if query == "is_canceled":
            values = [found[3] != 0]
        elif "::" in query:
            values = [found["xyz".index(query[-1])]]
        else:
            values = [*found[:3], np.zeros_like(found[0])]
        for target, value in zip(targets, values, strict=True):
            if target is not None:
                target[lanes.select] = value

    return run
