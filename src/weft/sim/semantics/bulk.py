"""`cp.async.bulk`, `cp.reduce.async.bulk` and their groups: copies of byte ranges that finish later.

Lazily, a copy that signals an mbarrier completes when threads wait there and nothing else can go on, one of a bulk
group when a wait demands it; until then its destination in shared memory holds garbage.  A multicast address of
`multimem` stands for one device here, so that its copies are plain ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from weft.dataclass import dataclass
from weft.sim.arrivals import update
from weft.sim.bulk import Transfer
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.semantics import step
from weft.sim.semantics.atomic import combination
from weft.sim.semantics.mbarrier import use
from weft.sim.site import Pointer, Site, Step
from weft.sim.space import Space
from weft.sim.types import DTYPES, Dtype

Reduce = Callable[[Array, Array], Array]
Mask = Callable[[Lanes], Array]
GRAIN = 16
"""Bulk copies move multiples of 16 bytes, aligned to 16."""
_PIECES = np.dtype(np.complex128)
_BYTES = np.dtype(np.uint8)


@step("cp.async.bulk", "multimem.cp.async.bulk")
def cp_async_bulk(site: Site) -> Step:
    """Start a copy of a byte range for each lane."""
    return _transfer(site, None, _PIECES)


@step("cp.reduce.async.bulk", "multimem.cp.reduce.async.bulk")
def cp_reduce_async_bulk(site: Site) -> Step:
    """Start an element-wise reduction of a byte range for each lane."""
    slots = site.slots()
    return _transfer(site, reduction(slots["op"], slots["type"]), DTYPES[slots["type"]])


def reduction(op: str, type_: str) -> Reduce:
    """What combines old and new pieces of memory, of any dtype, element by element."""
    dtype = DTYPES[type_]
    combine: Any = combination(op, type_)

    def reduce(old: Array, new: Array) -> Array:
        result = np.asarray(combine(old.view(dtype), new.view(dtype)))
        return np.ascontiguousarray(result.astype(dtype, copy=False)).view(old.dtype)

    return reduce


def _transfer(site: Site, reduce: Reduce | None, dtype: Dtype) -> Step:
    slots, operands, machine = site.slots(), list(site.operands), site.machine
    to, come = site.pointer(operands[0], slots["dst"]), site.pointer(operands[1], slots["src"])
    length = site.read(operands[2], "u32")
    ignored = [site.read(operand, "u32") for operand in operands[3:5]] if slots["ignore_oob"] else []
    rest = operands[3 + len(ignored) :]
    barrier = None if slots["completion_mechanism"] == "bulk_group" else site.pointer(rest.pop(0), slots["dst"])
    multicast = site.read(rest.pop(0), "u16") if slots["multicast"] else None
    bytes_kept = site.read(rest[-1], "u16") if slots["cp_mask"] else None
    load = barrier is not None

    def run(lanes: Lanes) -> None:
        for one in each(lanes):
            lane = int(one.index[0])
            size = int(length(one)[0])
            if size % GRAIN:
                raise site.fault("misaligned", f"a size of {size} bytes is not a multiple of {GRAIN}", lane)
            if not size:
                continue
            target, into = _range(site, to, one, size, True)
            kept = _kept(site, one, size, ignored, bytes_kept)
            unit = dtype if kept is None else _BYTES
            source, origin = _range(site, come, one, size, False, kept)
            offsets = np.arange(0, size, unit.itemsize)
            transfer = Transfer(
                site, lane, source, origin + offsets, target, into + offsets, unit, kept, 0xFF, load, reduce=reduce
            )
            for watcher in machine.watchers if not load else ():
                for place in range(into + GRAIN, into + size, GRAIN):  # `_range` has told of the first one.
                    watcher.access(site, one, target, np.array([place]), None, GRAIN, True)
            if barrier is None:
                machine.bulk.start(transfer)
                continue
            targets = destinations(site, lane, into, None if multicast is None else int(multicast(one)[0]))
            for each_transfer in signalled(site, transfer, _barrier(site, barrier, one), targets, size):
                machine.bulk.start(each_transfer)

    return run


def _kept(site: Site, one: Lanes, size: int, ignored: list[Mask], mask: Mask | None) -> Array | None:
    """Which bytes of the range are copied, None for all of them."""
    if mask is not None:
        bits = int(mask(one)[0])
        return np.resize(np.array([bool(bits >> number & 1) for number in range(GRAIN)]), size)
    if not ignored:
        return None
    left, right = (int(count(one)[0]) for count in ignored)
    if max(left, right) >= GRAIN or left + right >= size:
        raise site.fault(
            "out-of-bounds",
            f"a copy of {size} bytes cannot ignore {left} and {right} bytes",
            int(one.index[0]),
        )
    kept = np.zeros(size, np.bool_)
    kept[left : size - right] = True
    return kept


def each(lanes: Lanes) -> Iterator[Lanes]:
    """The lanes of a set one at a time."""
    for lane in lanes.index.tolist():
        warp = lane // WARP * WARP
        mask = np.zeros(WARP, np.bool_)
        mask[lane - warp] = True
        yield Lanes(warp, warp + WARP, mask, 1)


def _range(
    site: Site, pointer: Pointer, one: Lanes, size: int, write: bool, kept: Array | None = None
) -> tuple[Space, int]:
    """The space and byte index of a range, whose end is checked too."""
    lane = int(one.index[0])
    ((space, index, _),) = pointer(one, GRAIN, write)
    start = int(index[0])
    if kept is not None and not write:
        size = int(np.flatnonzero(kept).max(initial=0)) + 1
    if not space.holds(start, size, lane):
        raise site.fault("out-of-bounds", f"the {size} bytes there do not all lie in {space.name} memory", lane)
    return space, start


# -- clusters -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Destination:
    """A CTA that receives the data: the shift of byte indices from the CTA addressed, and its rank in the cluster."""

    shift: int
    rank: int


_NONE: Array = np.zeros(1, np.int64)
_HERE = [Destination(0, -1)]


def destinations(site: Site, lane: int, into: int, mask: int | None) -> list[Destination]:
    """The CTA of the destination address, or with multicast those of the mask."""
    if mask is None:
        return _HERE
    machine = site.machine
    size, stride = machine.launch.cluster_ctas, machine.memory.shared.stride
    here = into // stride
    first = here // size * size
    if mask >> size:
        raise site.fault("out-of-bounds", f"mask {mask:#x} selects CTAs outside the cluster of {size}", lane)
    return [Destination((first + rank - here) * stride, rank) for rank in range(size) if mask >> rank & 1]


def _barrier(site: Site, pointer: Pointer, one: Lanes) -> int:
    """The byte index of the mbarrier that a lane names."""
    shared = site.machine.memory.shared
    ((space, index, _),) = pointer(one, 8, True)
    if space is not shared:
        raise site.fault("out-of-bounds", "the mbarrier does not lie in shared memory", int(one.index[0]))
    if shared.shadow is not None:
        shared.check_written(site, index, one.select, 8)
    return int(index[0])


def signalled(
    site: Site, transfer: Transfer, barrier: int, targets: list[Destination], size: int, pair: bool = False
) -> Iterator[Transfer]:
    """The transfer for each destination, made to complete `size` bytes on its mbarrier.

    With multicast that is the one at the same place in the destination's CTA; with `pair` (`.cta_group::2`) in that CTA
    of the destination's pair whose rank has the parity of the mbarrier's CTA.
    """
    _check_home(site, transfer, barrier, pair)
    if targets is _HERE:
        transfer.signal, transfer.then = barrier, completion(site, barrier, transfer.lane, size)
        transfer.count = size
        yield transfer
        return
    stride, cluster = site.machine.memory.shared.stride, site.machine.launch.cluster_ctas
    for target in targets:
        here = barrier // stride
        rank = target.rank & ~1 | here & 1 if pair else target.rank
        place = barrier + (here // cluster * cluster + rank - here) * stride
        if place != barrier:
            use(site, np.array([place]), np.array([transfer.lane]))
        into = transfer.into + target.shift if target.shift else transfer.into
        yield replace(transfer, into=into, signal=place, then=completion(site, place, transfer.lane, size))


def _check_home(site: Site, transfer: Transfer, place: int, pair: bool) -> None:
    """The mbarrier lies in the destination's CTA (with `pair` in its pair); that of `.shared::cta` is one's own."""
    shared = site.machine.memory.shared
    home, there = place // shared.stride, int(transfer.into[0]) // shared.stride
    if home >> pair != there >> pair:
        raise site.fault("out-of-bounds", "the mbarrier lies in another CTA than the destination", transfer.lane)
    if site.slots()["dst"] == "shared::cta" and there != int(site.machine.batch.cta[transfer.lane]):
        raise site.fault("out-of-bounds", "the destination of .shared::cta lies in another CTA", transfer.lane)


def completion(site: Site, place: int, lane: int, size: int) -> Callable[[], None]:
    """What counts `size` bytes on the mbarrier at a byte index of shared memory."""
    shared = site.machine.memory.shared

    def complete() -> None:
        update(site, shared, np.array([place]), lane, _NONE, np.array([-size]))

    return complete


# -- groups -------------------------------------------------------------------------------------------------------


@step("cp.async.bulk.prefetch", "cp.async.bulk.prefetch.tensor")
def prefetch(site: Site) -> Step:
    """A hint about caches."""
    return lambda lanes: None


@step("cp.async.bulk.commit_group")
def commit_group(site: Site) -> Step:
    """Close the bulk group."""
    return lambda lanes: site.machine.bulk.commit(lanes)


@step("cp.async.bulk.wait_group")
def wait_group(site: Site) -> Step:
    """Wait for all but the newest `n` bulk groups; with `.read` until their sources may be reused."""
    newest, read = site.constant(site.operands[0], "the number of groups"), bool(site.slots()["read"])
    return lambda lanes: site.machine.bulk.wait(lanes, newest, read)
