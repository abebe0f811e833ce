"""`selp`, `slct`."""

from __future__ import annotations

import numpy as np

from weft.isa.form import Slots
from weft.sim.semantics import Compute, alu
from weft.sim.values import flush


@alu("selp")
def selp(slots: Slots) -> Compute:
    """`d = c ? a : b`."""
    return lambda a, b, c: np.where(c, a, b)


@alu("slct")
def slct(slots: Slots) -> Compute:
    """`d = (c >= 0) ? a : b`; -0 counts as 0, NaN as negative."""
    if slots["ftz"]:
        return lambda a, b, c: np.where(np.greater_equal(flush(c), 0), a, b)
    return lambda a, b, c: np.where(np.greater_equal(c, 0), a, b)
