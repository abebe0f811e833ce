"""`cp.async` and its groups: copies from global to shared memory that finish later."""

from __future__ import annotations

import numpy as np

from weft.ptx.operands import Negated, Operand, Register
from weft.sim.arrivals import update
from weft.sim.lanes import Array, Lanes
from weft.sim.semantics import step
from weft.sim.semantics.mbarrier import locate, telling
from weft.sim.site import Site, Step


@step("cp.async")
def cp_async(site: Site) -> Step:
    """Start a copy; bytes past `src_size` become zero."""
    slots = site.slots()
    operands = list(site.operands)
    target, source = operands[:2]
    count = site.constant(operands[2], "the size")
    extra: Operand | None = operands[3] if len(operands) > 3 else None
    if slots.get("cache_hint") and len(operands) == 4:
        extra = None
    ignore = extra is not None and is_predicate(site, extra)
    value, negated = site.predicate(extra) if ignore and extra is not None else (None, False)
    sizes = site.read(extra, "u32") if extra is not None and not ignore else None
    to, come = site.pointer(target, slots["dst"]), site.pointer(source, "global")
    copies = site.machine.copies

    def run(lanes: Lanes) -> None:
        site.machine.change()
        wanted = np.full(lanes.count, count, np.int64) if sizes is None else sizes(lanes).astype(np.int64)
        if ignore:
            chosen: Array = np.broadcast_to(np.asarray(value), (site.machine.batch.lanes,))[lanes.select]
            wanted = np.where(~chosen if negated else chosen, 0, wanted)
        if int(wanted.max(initial=0)) > count:
            raise site.fault("out-of-bounds", f"src-size exceeds the copy's {count} bytes", int(lanes.index[0]))
        ((_, into, _),) = to(lanes, count, True)
        origin = np.zeros(lanes.count, np.int64)
        reading = wanted > 0
        if reading.all():
            ((_, origin, _),) = come(lanes, count if sizes is None else 1, False)
        elif reading.any():
            part = Lanes.where(lanes.spread(reading), lanes.lo, site.machine.batch.role)
            assert part is not None
            ((_, some, _),) = come(part, count if sizes is None else 1, False)
            origin[reading] = some
        copies.start(site, lanes.index, into, origin, wanted, count)

    return run


def is_predicate(site: Site, operand: Operand) -> bool:
    """Whether what follows the size of a copy is a predicate, under which the source is ignored."""
    inner = operand.operand if isinstance(operand, Negated) else operand
    if not isinstance(inner, Register):
        return False
    declared = site.names.declared(inner.name)
    return declared is not None and declared[1] == "pred"


@step("cp.async.commit_group")
def commit_group(site: Site) -> Step:
    """Close the group of copies."""
    return lambda lanes: site.machine.copies.commit(lanes)


@step("cp.async.wait_group")
def wait_group(site: Site) -> Step:
    """Wait for all but the newest `n` groups."""
    newest = site.constant(site.operands[0], "the number of groups")
    return lambda lanes: site.machine.copies.wait(lanes, newest)


@step("cp.async.wait_all")
def wait_all(site: Site) -> Step:
    """Wait for all copies."""
    return lambda lanes: site.machine.copies.wait(lanes, -1)


@step("cp.async.mbarrier.arrive")
def mbarrier_arrive(site: Site) -> Step:
    """Arrive at an mbarrier once the thread's copies so far are complete; without `.noinc` expect that arrival too."""
    slots = site.slots()
    pointer = site.pointer(site.operands[0], slots["ss"])
    extra = not slots["noinc"]

    def run(lanes: Lanes) -> None:
        space, index = locate(site, pointer, lanes, True)
        lane = int(lanes.index[0])
        ones = np.ones(lanes.count, np.int64)
        if extra:
            update(site, space, index, lane, -ones, 0 * ones)

        clocks = site.machine.clocks
        # What the threads do from here on is not told: only the copies are, and what was done before.
        tell = telling(site, lanes, index, later=True)
        if clocks is not None:
            clocks.arrive(lanes.select, index)

        def act(waited: bool) -> None:
            if waited and clocks is not None:  # The copies count as what the threads have done since.
                clocks.arrive(lanes.select, index)
            update(site, space, index, lane, ones, 0 * ones, tell=tell)

        site.machine.copies.then(lanes.index, index, act)

    return run
