"""`selp`, `slct`."""

from __future__ import annotations

import numpy as np

from weft.isa.form import Slots
from weft.sim.abstract import asarray
from weft.sim.lanes import Array
from weft.sim.semantics import Compute, alu
from weft.sim.values import choose, flush


@alu("selp")
def selp(slots: Slots) -> Compute:
    """`d = c ? a : b`."""

    def run(a: Array, b: Array, c: Array) -> Array:
        return choose(c, a, b)

    return run


@alu("slct")
def slct(slots: Slots) -> Compute:
    """`d = (c >= 0) ? a : b`; -0 counts as 0, NaN as negative."""
    ftz = bool(slots["ftz"])

    def run(a: Array, b: Array, c: Array) -> Array:
        return choose(np.greater_equal(flush(asarray(c)) if ftz else c, 0), a, b)

    return run
