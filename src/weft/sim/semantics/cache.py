"""`prefetch`, `prefetchu`, `applypriority`, `createpolicy`: caches are not simulated."""

from __future__ import annotations

import numpy as np

from weft.sim.lanes import Lanes
from weft.sim.semantics import step
from weft.sim.site import Site, Step


@step("prefetch", "prefetchu", "applypriority")
def hint(site: Site) -> Step:
    """A hint about caches."""
    return lambda lanes: None


@step("createpolicy")
def createpolicy(site: Site) -> Step:
    """An opaque policy: all policies are alike here."""
    row = site.destination(site.operands[0], "b64")

    def run(lanes: Lanes) -> None:
        if row is not None:
            row[lanes.select] = np.uint64(0)

    return run
