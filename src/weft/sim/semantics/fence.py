"""`membar`, `fence`, `fence.proxy`: lanes see each other's stores at once, so order needs no work here."""

from __future__ import annotations

from weft.sim.semantics import step
from weft.sim.site import Site, Step


@step("membar", "fence", "fence.proxy")
def fence(site: Site) -> Step:
    """Order memory accesses."""
    races = site.machine.races
    return (lambda lanes: None) if races is None else races.order
