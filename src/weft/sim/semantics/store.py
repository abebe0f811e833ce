"""`st`: stores of scalars and vectors to every writable state space."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from weft.isa.types import TYPES
from weft.sim import deferred
from weft.sim.lanes import Array, Lanes
from weft.sim.ordered import ordering
from weft.sim.semantics import step
from weft.sim.site import Site, Step
from weft.sim.types import DTYPES, Dtype


@step("st")
def st(site: Site) -> Step:
    """`*(type *)a = b`; of several threads that store to one place the highest lane wins."""
    slots = site.slots()
    type_ = slots["type"]
    if TYPES[type_].bits == 128:
        return st_wide(site)
    dtype = DTYPES[type_]
    pointer = site.pointer(site.operands[0], slots["ss"])
    elements = [site.value(b, type_) for b in site.vector(site.operands[1])]
    size = dtype.itemsize
    total = size * len(elements)
    machine = site.machine
    order = ordering(machine, site, writes=True)
    kept = deferred.given(site) if deferred.keeps(site) else []

    def run(lanes: Lanes) -> None:
        machine.change()
        for space, index, where in pointer(lanes, total, True):
            select = lanes.select if where is None else lanes.index[where]
            if space.guarded:
                stored = None if space.races is None else partial(_stored, elements, select, len(index), dtype)
                space.before_store(site, index, select, total, values=stored)
                if order is not None:
                    order(space, index, select, total)
            for number, row in enumerate(elements):
                values = row if np.ndim(row) == 0 else row[select]
                space.store(index + number * size if number else index, values, dtype)
            for number, row in enumerate(kept):
                if row is not None and row.defined is not None:
                    space.unwrite(index + number * size, size, row.defined[select])

    return run


def _stored(elements: list[Any], select: Array | slice, count: int, dtype: Dtype) -> Array:
    """The bytes that lanes store: a row for each lane."""
    rows = [np.full(count, row) if np.ndim(row) == 0 else row[select] for row in elements]
    parts = [np.ascontiguousarray(row.astype(dtype)).view(np.uint8).reshape(count, -1) for row in rows]
    return np.concatenate(parts, axis=1)


def st_wide(site: Site) -> Step:
    """A 128-bit scalar: two words."""
    slots = site.slots()
    pointer = site.pointer(site.operands[0], slots["ss"])
    row = site.row(site.operands[1]).array
    order = ordering(site.machine, site, writes=True)
    word = DTYPES["b64"]

    def run(lanes: Lanes) -> None:
        site.machine.change()
        for space, index, where in pointer(lanes, 16, True):
            select = lanes.select if where is None else lanes.index[where]
            if space.guarded:
                space.before_store(site, index, select, 16)
                if order is not None:
                    order(space, index, select, 16)
            space.store(index, row[0, select], word)
            space.store(index + 8, row[1, select], word)

    return run
