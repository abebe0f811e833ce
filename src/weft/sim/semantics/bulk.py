"""`cp.async.bulk`, `cp.reduce.async.bulk` and their groups: copies of byte ranges that finish later.

Lazily, a copy that signals an mbarrier completes when nothing else can go on, one of a bulk group when a wait demands
it; until then its destination in shared memory holds garbage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from weft.ptx.operands import Integer
from weft.sim.bulk import BulkCopy
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.memory import Space
from weft.sim.semantics import step
from weft.sim.semantics.atomic import combination
from weft.sim.semantics.mbarrier import update
from weft.sim.site import Pointer, Site, Step
from weft.sim.types import DTYPES

Reduce = Callable[[Array, Array], Array]
_GRAIN = 16
"""Bulk copies move multiples of 16 bytes, aligned to 16."""


@step("cp.async.bulk")
def cp_async_bulk(site: Site) -> Step:
    """Start a copy of a byte range for each lane."""
    slots = site.slots()
    if slots["ignore_oob"] or slots["cp_mask"]:
        site.unsupported("masked bulk copies")
    return _transfer(site, None)


@step("cp.reduce.async.bulk")
def cp_reduce_async_bulk(site: Site) -> Step:
    """Start an element-wise reduction of a byte range for each lane."""
    slots = site.slots()
    dtype = DTYPES[slots["type"]]
    combine: Any = combination(slots["op"], slots["type"])

    def reduce(old: Array, new: Array) -> Array:
        return np.asarray(combine(old.view(dtype), new.view(dtype))).astype(dtype).view(np.uint8)

    return _transfer(site, reduce)


def _transfer(site: Site, reduce: Reduce | None) -> Step:
    slots, operands, machine = site.slots(), site.operands, site.machine
    to, come = site.pointer(operands[0], slots["dst"]), site.pointer(operands[1], slots["src"])
    length = site.read(operands[2], "u32")
    signal = None if slots["completion_mechanism"] == "bulk_group" else site.pointer(operands[3], slots["dst"])
    multicast = site.read(operands[4], "u16") if slots["multicast"] else None

    def run(lanes: Lanes) -> None:
        for one in _each(lanes):
            size = int(length(one)[0])
            if size % _GRAIN:
                raise site.fault("misaligned", f"{size} bytes are not a multiple of {_GRAIN}", int(one.index[0]))
            if not size:
                continue
            lane = int(one.index[0])
            source, origin = _range(site, come, one, size, False)
            target, into = _range(site, to, one, size, True)
            if source.shadow is not None:
                index = np.arange(origin, origin + size, _GRAIN)
                source.check_written(site, index, np.full(len(index), lane), _GRAIN)
            bar = None if signal is None else next(iter(signal(one, 8, True)))
            for shift in _shifts(site, one, multicast):
                copy = BulkCopy(site, lane, source, origin, target, into + shift, size, reduce)
                if bar is not None:
                    copy.then = _completion(site, bar[0], bar[1] + shift, one, size)
                machine.bulk.start(copy)

    return run


def _each(lanes: Lanes) -> Iterator[Lanes]:
    """The lanes of a set one at a time."""
    for lane in lanes.index.tolist():
        warp = lane // WARP * WARP
        mask = np.zeros(WARP, np.bool_)
        mask[lane - warp] = True
        yield Lanes(warp, warp + WARP, mask, 1)


def _range(site: Site, pointer: Pointer, one: Lanes, size: int, write: bool) -> tuple[Space, int]:
    """The space and byte index of a range, whose end is checked too."""
    ((space, index, _),) = pointer(one, _GRAIN, write)
    start = int(index[0])
    if not space.holds(start, size, int(one.index[0])):
        raise site.fault("out-of-bounds", f"{size} bytes of {space.name} memory do not lie there", int(one.index[0]))
    return space, start


def _shifts(site: Site, one: Lanes, multicast: Callable[[Lanes], Array] | None) -> list[int]:
    """What to add to the destination's byte index: nothing, or with multicast the way to each CTA of the mask."""
    if multicast is None:
        return [0]
    machine = site.machine
    mask = int(multicast(one)[0])
    here = int(machine.batch.cta[int(one.index[0])])
    first = here // machine.launch.cluster_ctas * machine.launch.cluster_ctas
    ranks = [rank for rank in range(machine.launch.cluster_ctas) if mask >> rank & 1]
    return [(first + rank - here) * machine.memory.shared.stride for rank in ranks]


def _completion(site: Site, space: Space, place: Array, one: Lanes, size: int) -> Callable[[], None]:
    def complete() -> None:
        if site.machine.races is not None:
            site.machine.races.arrive(one, place)
        update(site, space, place, int(one.index[0]), np.zeros(1, np.int64), np.full(1, -size))

    return complete


@step("cp.async.bulk.prefetch")
def prefetch(site: Site) -> Step:
    """A hint about caches."""
    return lambda lanes: None


@step("cp.async.bulk.commit_group")
def commit_group(site: Site) -> Step:
    """Close the bulk group."""
    return lambda lanes: site.machine.bulk.commit(lanes)


@step("cp.async.bulk.wait_group")
def wait_group(site: Site) -> Step:
    """Wait for all but the newest `n` bulk groups."""
    operand = site.operands[0]
    if not isinstance(operand, Integer):
        site.malformed("the number of groups is not a constant")
    newest = operand.value
    return lambda lanes: site.machine.bulk.wait(lanes, newest)
