"""`cvta`, `isspacep`: addresses and their spaces."""

from __future__ import annotations

import numpy as np

from weft.isa.form import Slots
from weft.sim.lanes import Array
from weft.sim.memory import ARENA_BASE, LOCAL_WINDOW, SHARED_WINDOW, WINDOW_BITS
from weft.sim.semantics import Compute, NotHere, alu

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
    window = np.uint64(_WINDOWS.get(slots["ss"], 0))
    if not window:
        return np.positive
    if slots.get("to"):
        return lambda a: np.subtract(a, window)
    return lambda a: np.add(a, window)


@alu("isspacep")
def isspacep(slots: Slots) -> Compute:
    """Whether the address lies in the space's window; global, const and param share one."""
    space = slots["ss"]
    window = np.uint64(_WINDOWS.get(space, ARENA_BASE) >> WINDOW_BITS)

    def inside(a: Array) -> Array:
        return (a >> np.uint64(WINDOW_BITS)) == window

    return inside
