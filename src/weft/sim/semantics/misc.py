"""`nanosleep`, `pmevent`, `griddepcontrol`, `setmaxnreg`: hints that change no values."""

from __future__ import annotations

from weft.sim.semantics import step
from weft.sim.site import Site, Step


@step("nanosleep", "pmevent", "griddepcontrol", "setmaxnreg")
def hint(site: Site) -> Step:
    """Nothing that a kernel can see: there is one grid, and registers do not run out."""
    return lambda lanes: None
