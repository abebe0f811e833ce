"""`cvta`, `isspacep`, `mapa`, `getctarank`: addresses, their spaces and the CTAs they belong to."""

from __future__ import annotations

import numpy as np

from weft.isa.form import Slots
from weft.sim.abstract import asarray
from weft.sim.lanes import Array, Lanes
from weft.sim.memory import CTA_SHIFT, LOCAL_WINDOW, RANKED, SHARED_WINDOW, WINDOW_BITS
from weft.sim.semantics import Compute, NotHere, Placed, alu, step
from weft.sim.site import Site, Step
from weft.sim.types import DTYPES

_WINDOWS = {
    "shared": SHARED_WINDOW,
    "shared::cta": SHARED_WINDOW,
    "shared::cluster": SHARED_WINDOW,
    "local": LOCAL_WINDOW,
}
_WINDOW_NUMBERS = tuple(np.uint64(window >> WINDOW_BITS) for window in (LOCAL_WINDOW, SHARED_WINDOW))


@alu("cvta")
def cvta(slots: Slots) -> Compute:
    """Add the base of the space's window, or with `.to` subtract it; the arena has the same addresses everywhere."""
    if slots["size"] != "u64":
        raise NotHere("32-bit generic addresses")
    if slots["ss"].startswith("param") and not slots.get("to"):
        return Placed(_parameter)
    window = np.uint64(_WINDOWS.get(slots["ss"], 0))
    if not window:
        return np.positive
    if slots.get("to"):
        return lambda a: np.subtract(a, window)
    return lambda a: np.add(a, window)


def _parameter(base: int) -> Compute:
    """Addresses of kernel parameters, of which `mov.b32` may have kept only the low half."""
    high = np.uint64(base >> WINDOW_BITS << WINDOW_BITS)

    def whole(a: Array) -> Array:
        return np.where(a >> np.uint64(WINDOW_BITS) == 0, a + high, a)

    return whole


@alu("mapa")
def mapa(slots: Slots) -> Compute:
    """The shared address `a` of this CTA in the CTA of rank `b`."""
    word = DTYPES[slots["type"]]
    keep = word.type(~(0xFF << CTA_SHIFT) & ((1 << 8 * word.itemsize) - 1))
    shift, ranked = word.type(CTA_SHIFT), word.type(RANKED)
    return lambda a, b: (a & keep) | ((asarray(b).astype(word) << shift) + ranked)


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
    """Whether the address lies in the space's window; global, const and param share what is no window."""
    window = np.uint64(_WINDOWS.get(slots["ss"], 0) >> WINDOW_BITS)

    def inside(a: Array) -> Array:
        return (a >> np.uint64(WINDOW_BITS)) == window

    def outside(a: Array) -> Array:
        high = a >> np.uint64(WINDOW_BITS)
        return (high != 0) & (high != _WINDOW_NUMBERS[0]) & (high != _WINDOW_NUMBERS[1])

    return inside if window else outside
