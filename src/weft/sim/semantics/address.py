"""`cvta`, `isspacep`, `mapa`, `getctarank`: addresses, their spaces and the CTAs they belong to."""

from __future__ import annotations

import numpy as np

from weft.isa.form import Slots
from weft.sim.lanes import Array, Lanes
from weft.sim.memory import ARENA_BASE, CTA_SHIFT, LOCAL_WINDOW, RANKED, SHARED_WINDOW, WINDOW_BITS
from weft.sim.semantics import Compute, NotHere, alu, step
from weft.sim.site import Site, Step
from weft.sim.types import DTYPES

_WINDOWS = {
    "shared": SHARED_WINDOW,
    "shared::cta": SHARED_WINDOW,
    "shared::cluster": SHARED_WINDOW,
    "local": LOCAL_WINDOW,
}


@alu("cvta")
def cvta(slots: Slots) -> Compute:
    """Add the base of the space's window, or with `.to` subtract it; the arena has the same addresses everywhere."""
    if slots["size"] != "u64":
        raise NotHere("32-bit generic addresses")
    if slots["ss"].startswith("param") and not slots.get("to"):
        return _parameter
    window = np.uint64(_WINDOWS.get(slots["ss"], 0))
    if not window:
        return np.positive
    if slots.get("to"):
        return lambda a: np.subtract(a, window)
    return lambda a: np.add(a, window)


def _parameter(a: Array) -> Array:
    """An address of a kernel parameter, of which `mov.b32` may have kept only the low half."""
    return np.where(a >> np.uint64(WINDOW_BITS) == 0, a + np.uint64(ARENA_BASE), a)


@alu("mapa")
def mapa(slots: Slots) -> Compute:
    """The shared address `a` of this CTA in the CTA of rank `b`."""
    word = DTYPES[slots["type"]]
    keep = word.type(~(0xFF << CTA_SHIFT) & ((1 << 8 * word.itemsize) - 1))
    shift, ranked = word.type(CTA_SHIFT), word.type(RANKED)
    return lambda a, b: (a & keep) | ((np.asarray(b).astype(word) << shift) + ranked)


@step("getctarank")
def getctarank(site: Site) -> Step:
    """The rank of the CTA that a shared address belongs to."""
    row = site.destination(site.operands[0], "u32")
    read = site.read(site.operands[1], site.slots()["type"])
    own = site.machine.batch.special("%cluster_ctarank")
    assert own is not None

    def run(lanes: Lanes) -> None:
        address = read(lanes).astype(np.int64) & ((1 << WINDOW_BITS) - 1)
        if row is not None:
            row[lanes.select] = np.where(address < RANKED, own[lanes.select], (address - RANKED) >> CTA_SHIFT)

    return run


@alu("isspacep")
def isspacep(slots: Slots) -> Compute:
    """Whether the address lies in the space's window; global, const and param share one."""
    space = slots["ss"]
    window = np.uint64(_WINDOWS.get(space, ARENA_BASE) >> WINDOW_BITS)

    def inside(a: Array) -> Array:
        return (a >> np.uint64(WINDOW_BITS)) == window

    return inside
