"""`prefetch`, `prefetchu`, `applypriority`, `createpolicy`, `discard`: caches are not simulated."""

from __future__ import annotations

import numpy as np

from weft.sim.lanes import Lanes
from weft.sim.semantics import step
from weft.sim.site import Site, Step

LINE = 128
"""Bytes of a cache line."""


@step("prefetch", "prefetchu", "applypriority", "createpolicy")
def hint(site: Site) -> Step:
    """A hint about caches; policies are opaque, and alike here whatever their register holds."""
    return lambda lanes: None


@step("discard")
def discard(site: Site) -> Step:
    """Bytes whose value is undefined from now on: NaN in every float format."""
    pointer = site.pointer(site.operands[0], site.slots()["ss"])

    def run(lanes: Lanes) -> None:
        for space, index, _ in pointer(lanes, LINE, True):
            space.bytes[index[:, None] + np.arange(LINE)] = 0xFF
            space.stored += index.size * LINE

    return run
