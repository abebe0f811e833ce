"""`bar`, `barrier`, `bar.warp.sync`, `barrier.cluster`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from weft.ptx.operands import Operand
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.semantics import End, end, step
from weft.sim.site import Site, Step

if TYPE_CHECKING:
    from weft.sim.block import Block


@end("bar", "barrier")
def bar(site: Site) -> End:
    """Arrive at a barrier of the CTA, and wait for the others unless the action is `.arrive`.

    The gate before an aligned one has gathered the threads of each warp.
    """
    slots = site.slots()
    operands = list(site.operands)
    reduction = slots["action"] == "red"
    release = _reduction(site, slots["op"], operands.pop(0)) if reduction else None
    votes = _votes(site, operands.pop(), against=slots["op"] == "and") if reduction else None
    number = site.read(operands[0], "u32")
    expected = site.read(operands[1], "u32") if len(operands) > 1 else None
    wait = slots["action"] != "arrive"

    def run(lanes: Lanes) -> tuple[Block, Lanes] | None:
        numbers = number(lanes)
        first = int(numbers[0])
        if (numbers == first).all():
            return arrive(lanes, first)
        for each, part in lanes.groups(numbers, site.machine.batch.role):
            going = arrive(part, each)
            if going is not None:
                site.machine.enqueue(*going)
        return None

    def arrive(lanes: Lanes, barrier: int) -> tuple[Block, Lanes] | None:
        return site.machine.barriers.arrive(
            site,
            lanes,
            barrier,
            0 if expected is None else _counts(site, expected(lanes), lanes),
            site.after,
            wait=wait,
            votes=None if votes is None else votes(lanes),
            release=release,
        )

    return run


def _counts(site: Site, counts: Array, lanes: Lanes) -> Array | int:
    bad = (counts == 0) | (counts % WARP != 0)
    if bad.any():
        which = int(bad.argmax())
        message = f"expects {counts[which]} threads: the number must be a positive multiple of {WARP}"
        raise site.fault("barrier", message, int(lanes.index[which]))
    first = int(counts[0])
    return first if (counts == first).all() else counts


def _votes(site: Site, operand: Operand, *, against: bool) -> Callable[[Lanes], Array]:
    """The predicates of lanes or, for what all must hold, those `against` it: who does not vote is none of either."""
    value, negated = site.predicate(operand)
    negated = negated != against

    def read(lanes: Lanes) -> Array:
        votes = np.broadcast_to(value, (site.machine.batch.lanes,))[lanes.select]
        return ~votes if negated else votes

    return read


def _reduction(site: Site, op: str, result: Operand) -> Callable[[Lanes, Array], None]:
    """What writes the result for the lanes that a barrier releases, from the votes of all lanes."""
    batch = site.machine.batch
    write = site.write(result, "u32" if op == "popc" else "pred")

    def release(lanes: Lanes, votes: Array) -> None:
        shape = (-1, batch.ctas, WARP)
        per_cta: Array
        if op == "popc":
            per_cta = votes.reshape(shape).sum(axis=(0, 2))
        else:
            per_cta = np.any(votes.reshape(shape), axis=(0, 2), keepdims=True).reshape(-1) != (op == "and")
        write(lanes, per_cta[batch.cta[lanes.select]])

    return release


@end("barrier.cluster")
def barrier_cluster(site: Site) -> End:
    """Arrive at the barrier of the cluster, or wait until all its threads have arrived as often as this one."""
    clusters, after = site.machine.clusters, site.after
    ordered = site.slots()["sem"] != "relaxed"
    if site.slots()["action"] == "arrive":

        def arrive(lanes: Lanes) -> tuple[Block, Lanes]:
            clusters.arrive(site, lanes, ordered)
            return after, lanes

        return arrive

    def wait(lanes: Lanes) -> tuple[Block, Lanes] | None:
        ready, asleep = clusters.wait(site, lanes)
        if asleep is not None:
            site.machine.sleep(site.here, asleep)
        return None if ready is None else (after, ready)

    return wait


@step("bar.warp.sync")
def bar_warp_sync(site: Site) -> Step:
    """Wait for the lanes of the mask: the gate before the block does it."""
    clocks, masks = site.machine.clocks, site.read(site.operands[0], "b32")
    return (lambda lanes: None) if clocks is None else lambda lanes: clocks.warp_barrier(lanes, masks(lanes))
