"""`st.async`, `red.async`, `st.bulk`: stores and reductions that complete later, and the filling of shared memory.

Those to global memory have no completion that a kernel could wait for: they take effect at once.
"""

from __future__ import annotations

import numpy as np

from weft.ptx.operands import Operand
from weft.sim.bulk import Transfer
from weft.sim.lanes import Array, Lanes
from weft.sim.semantics import step
from weft.sim.semantics.atomic import red
from weft.sim.semantics.bulk import Reduce, completion, each, reduction
from weft.sim.semantics.store import st
from weft.sim.site import Pointer, Site, Step
from weft.sim.space import Space
from weft.sim.types import DTYPES, Dtype

_FILL_GRAIN = 8


@step("st.async")
def st_async(site: Site) -> Step:
    """Store to the shared memory of a CTA of the cluster, and count the bytes on an mbarrier there."""
    slots = site.slots()
    if not slots["completion_mechanism"]:
        return st(site)
    type_ = "b64" if slots["type"] == "b128" else slots["type"]
    elements: list[Array] = []
    for element in site.vector(site.operands[1]):
        if slots["type"] == "b128":
            elements.extend(site.row(element).array)
        else:
            elements.append(_everywhere(site, element, type_))
    return _signalled(site, elements, DTYPES[type_], None)


@step("red.async")
def red_async(site: Site) -> Step:
    """Combine with the shared memory of a CTA of the cluster, and count the bytes on an mbarrier there."""
    slots = site.slots()
    if not slots["completion_mechanism"]:
        return red(site)
    type_ = slots["type"]
    return _signalled(site, [_everywhere(site, site.operands[1], type_)], DTYPES[type_], reduction(slots["op"], type_))


def _everywhere(site: Site, operand: Operand, type_: str) -> Array:
    return np.broadcast_to(site.value(operand, type_), (site.machine.batch.lanes,))


def _signalled(site: Site, elements: list[Array], dtype: Dtype, reduce: Reduce | None) -> Step:
    space = site.slots()["ss"]
    pointer, barrier = site.pointer(site.operands[0], space), site.pointer(site.operands[2], space)
    size = dtype.itemsize * len(elements)
    shared, bulk = site.machine.memory.shared, site.machine.bulk

    def run(lanes: Lanes) -> None:
        index, places = _in_shared(site, pointer, lanes, size), _in_shared(site, barrier, lanes, 8)
        if shared.shadow is not None:
            shared.check_written(site, places, lanes.select, 8)
        offsets = np.arange(0, size, dtype.itemsize)
        for one, start, place in zip(each(lanes), index.tolist(), places.tolist(), strict=True):
            lane = int(one.index[0])
            if start // shared.stride != place // shared.stride:
                raise site.fault("out-of-bounds", "the mbarrier lies in another CTA than the destination", lane)
            payload = np.array([element[lane] for element in elements]).view(dtype)
            done = completion(site, place, lane, size)
            bulk.start(
                Transfer(
                    site,
                    lane,
                    None,
                    offsets,
                    shared,
                    start + offsets,
                    dtype,
                    reduce=reduce,
                    signal=place,
                    then=done,
                    payload=payload,
                )
            )

    return run


def _in_shared(site: Site, pointer: Pointer, lanes: Lanes, size: int) -> Array:
    parts = list(pointer(lanes, size, True))
    if len(parts) != 1 or parts[0][0] is not site.machine.memory.shared:
        lane = int(lanes.index[0])
        raise site.fault("out-of-bounds", "the destination or the mbarrier does not lie in shared memory", lane)
    return parts[0][1]


@step("st.bulk")
def st_bulk(site: Site) -> Step:
    """Fill a range of shared memory with zeros, for each lane."""
    pointer = site.pointer(site.operands[0], site.slots()["ss"])
    length = site.read(site.operands[1], "u64")

    def run(lanes: Lanes) -> None:
        for one in each(lanes):
            lane, size = int(one.index[0]), int(length(one)[0])
            ((space, index, _),) = pointer(one, _FILL_GRAIN, True)
            start = int(index[0])
            _check_fill(site, space, start, size, lane)
            places = np.arange(start, start + size, _FILL_GRAIN)
            if space.guarded:
                space.before_store(site, places, np.full(len(places), lane), _FILL_GRAIN)
            space.store(places, np.zeros(len(places), np.uint64), DTYPES["b64"])
        site.machine.change()

    return run


def _check_fill(site: Site, space: Space, start: int, size: int, lane: int) -> None:
    if space is not site.machine.memory.shared or not space.holds(start, size, lane):
        raise site.fault("out-of-bounds", f"the {size} bytes there do not all lie in shared memory", lane)
    if size % _FILL_GRAIN:
        raise site.fault("misaligned", f"a size of {size} bytes is not a multiple of {_FILL_GRAIN}", lane)
