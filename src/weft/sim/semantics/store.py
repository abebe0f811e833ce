"""`st`: stores of scalars and vectors to every writable state space."""

from __future__ import annotations

import numpy as np

from weft.isa.types import TYPES
from weft.sim.lanes import Lanes
from weft.sim.semantics import step
from weft.sim.semantics.load import ORDERED
from weft.sim.site import Site, Step
from weft.sim.types import DTYPES


@step("st")
def st(site: Site) -> Step:
    """`*(type *)a = b`; of several threads that store to one place the highest lane wins."""
    slots = site.slots()
    type_ = slots["type"]
    if TYPES[type_].bits > 64:
        return st_wide(site)
    dtype = DTYPES[type_]
    pointer = site.pointer(site.operands[0], slots["ss"])
    elements = [site.value(b, type_) for b in site.vector(site.operands[1])]
    size = dtype.itemsize
    total = size * len(elements)
    machine = site.machine
    races = machine.races if slots["sem"] in ORDERED else None

    def run(lanes: Lanes) -> None:
        machine.changes += 1
        if races is not None:
            races.order(lanes)
        for space, index, where in pointer(lanes, total, True):
            select = lanes.select if where is None else lanes.index[where]
            if space.guarded:
                space.before_store(site, index, select, total, ordered=races is not None)
            for number, row in enumerate(elements):
                values = row if np.ndim(row) == 0 else row[select]
                space.store(index + number * size if number else index, values, dtype)

    return run


def st_wide(site: Site) -> Step:
    """A 128-bit scalar: two words."""
    slots = site.slots()
    pointer = site.pointer(site.operands[0], slots["ss"])
    rows = [site.row(b).array for b in site.vector(site.operands[1])]
    total = 16 * len(rows)
    word = DTYPES["b64"]

    def run(lanes: Lanes) -> None:
        site.machine.changes += 1
        for space, index, where in pointer(lanes, total, True):
            select = lanes.select if where is None else lanes.index[where]
            if space.guarded:
                space.before_store(site, index, select, total)
            for number, row in enumerate(rows):
                space.store(index + 16 * number, row[0, select], word)
                space.store(index + 16 * number + 8, row[1, select], word)

    return run
