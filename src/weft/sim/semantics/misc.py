"""`nanosleep`, `pmevent`, `griddepcontrol`, `setmaxnreg`: what changes no values."""

from __future__ import annotations

from weft.ptx.operands import Integer
from weft.sim.semantics import step
from weft.sim.site import Site, Step


@step("nanosleep", "pmevent")
def hint(site: Site) -> Step:
    """Nothing that a kernel can see."""
    return lambda lanes: None


@step("setmaxnreg")
def setmaxnreg(site: Site) -> Step:
    """Registers go from warps to their CTA's pool, or back."""
    count, more = site.operands[0], site.opcode.get("action") == "inc"
    if not isinstance(count, Integer):
        site.malformed("the number of registers is not an integer")
    return lambda lanes: site.machine.registers.change(site, lanes, count.value, more=more)


@step("griddepcontrol")
def griddepcontrol(site: Site) -> Step:
    """Wait for the earlier grid, which has always ended; until then what it uses is its own."""
    machine = site.machine
    if site.opcode.get("action") != "wait":
        return lambda lanes: None
    return lambda lanes: machine.earlier.wait(lanes) if machine.earlier is not None else None
