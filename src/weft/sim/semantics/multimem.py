"""`multimem.*`: accesses through multicast addresses, which stand for memory on several devices.

There is one device here, and a multicast address is the plain address of its memory: a reduction over all copies is the
value itself.  The bulk copies are in `bulk`.
"""

from __future__ import annotations

from weft.sim.semantics import step
from weft.sim.semantics.atomic import red
from weft.sim.semantics.load import ld
from weft.sim.semantics.store import st
from weft.sim.site import Site, Step


@step("multimem.ld_reduce")
def ld_reduce(site: Site) -> Step:
    """Load from the one copy."""
    return ld(site)


@step("multimem.st")
def multimem_st(site: Site) -> Step:
    """Store to the one copy."""
    return st(site)


@step("multimem.red")
def multimem_red(site: Site) -> Step:
    """Combine with the one copy."""
    return red(site)
