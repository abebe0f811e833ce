"""Ordered accesses: what acquires, releases, or is strong enough to order with the fences around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from weft.sim import stamps as st
from weft.sim.arena import Arena
from weft.sim.lanes import Array, numbers
from weft.sim.site import Site
from weft.sim.space import Space

if TYPE_CHECKING:
    from weft.sim.machine import Machine

_ACQUIRES, _RELEASES = ("acquire", "acq_rel"), ("release", "acq_rel")


def place_of(space: Space, index: Array) -> Array:
    """Numbers for the flags at byte indices of a space, different ones in each space."""
    return index if isinstance(space, Arena) else index + (1 << 48)


Order = Callable[[Space, Array, "Array | slice", int], "tuple[Array, Array] | None"]


def ordering(machine: Machine, site: Site, *, reads: bool = False, writes: bool = False) -> Order | None:
    """What notes an ordered access to byte indices of a space by lanes; None for a plain one, or in fast runs.

    Relaxed and volatile accesses order with the fences around them.  It gives the lanes that read older bytes than
    those that are there, and these.
    """
    flags, sem = machine.flags, site.slots()["sem"]
    if st.access_of(site.opcode) in ("atom", "red"):
        sem = sem or "relaxed"
    if flags is None or sem in ("", "weak"):
        return None
    kind = "update" if reads and writes else "read" if reads else "write"
    level = min(2, st.scope_of(site.slots()))

    def note(space: Space, index: Array, lanes: Array | slice, size: int) -> tuple[Array, Array] | None:
        places = place_of(space, index)
        older = None
        if reads and sem in _ACQUIRES and machine.clocks is not None:
            machine.clocks.hear(lanes)
        if writes:
            flags.keep(space, places, index, lanes, size, update=kind == "update")
        else:
            older = flags.older(site, places, lanes, size, acquire=sem in _ACQUIRES, level=level)
            if older is not None:
                lanes = numbers(lanes, len(index))[~older[0]]
                places = places[~older[0]]
        flags.access(places, lanes, acquire=sem in _ACQUIRES, release=sem in _RELEASES, kind=kind, level=level)
        return older

    return note
