"""`ld`, `ldu`: loads of scalars and vectors from every state space."""

from __future__ import annotations

import numpy as np

from weft.isa.types import TYPES
from weft.sim.lanes import Lanes
from weft.sim.ordered import ordering
from weft.sim.semantics import step
from weft.sim.site import Site, Step
from weft.sim.types import DTYPES


@step("ld", "ldu")
def ld(site: Site) -> Step:
    """`d = *(type *)a`; values narrower than the register are sign- or zero-extended."""
    slots = site.slots()
    type_ = slots["type"]
    if TYPES[type_].bits == 128:
        return ld_wide(site)
    if TYPES[type_].kind == "f":
        type_ = f"b{TYPES[type_].bits}"  # A register that is wider takes a float's bits.
    dtype = DTYPES[type_]
    elements = [site.destination(d, type_) for d in site.vector(site.operands[0])]
    pointer = site.pointer(site.operands[1], slots["ss"])
    size = dtype.itemsize
    total = size * len(elements)
    order = ordering(site.machine, site, reads=True)

    def run(lanes: Lanes) -> None:
        for space, index, where in pointer(lanes, total, False):
            select = lanes.select if where is None else lanes.index[where]
            if space.guarded:
                space.before_load(site, index, select, total)
            older = order(space, index, select, total) if order is not None else None
            for number, row in enumerate(elements):
                values = space.load(index + number * size if number else index, dtype)
                if older is not None:
                    which, there = older
                    values[which] = np.ascontiguousarray(there[which, number * size :][:, :size]).view(dtype)[:, 0]
                if row is not None:
                    row[select] = values

    return run


def ld_wide(site: Site) -> Step:
    """A 128-bit scalar: two words."""
    slots = site.slots()
    row = site.row(site.operands[0]).array
    pointer = site.pointer(site.operands[1], slots["ss"])
    order = ordering(site.machine, site, reads=True)
    word = DTYPES["b64"]

    def run(lanes: Lanes) -> None:
        for space, index, where in pointer(lanes, 16, False):
            select = lanes.select if where is None else lanes.index[where]
            if space.guarded:
                space.before_load(site, index, select, 16)
            if order is not None:
                order(space, index, select, 0)
            row[0, select] = space.load(index, word)
            row[1, select] = space.load(index + 8, word)

    return run
