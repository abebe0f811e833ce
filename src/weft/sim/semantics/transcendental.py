"""`sin`, `cos`, `lg2`, `ex2`, `tanh`: computed in double precision and rounded, well inside the manual's bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.isa.form import Slots
from weft.sim.abstract import asarray
from weft.sim.lanes import Array
from weft.sim.semantics import Compute, alu
from weft.sim.semantics.add import floating
from weft.sim.types import DTYPES
from weft.sim.values import element_type, elementwise, f32_to_bf16, widen


def _function(compute: Any) -> Callable[[Slots], Compute]:
    def build(slots: Slots) -> Compute:
        """The function of each element."""
        type_ = slots["type"]
        element = element_type(type_)

        def run(a: Array) -> Array:
            exact = compute(asarray(widen(a, element), np.float64))
            return f32_to_bf16(exact.astype(np.float32)) if element == "bf16" else exact.astype(DTYPES[element])

        flags = dict(slots) if element != "bf16" else {}  # bf16 has no subnormal numbers to flush in f32's range.
        return elementwise(type_, floating(flags, element, run))

    return build


for _stem, _compute in (("sin", np.sin), ("cos", np.cos), ("lg2", np.log2), ("ex2", np.exp2), ("tanh", np.tanh)):
    alu(_stem)(_function(_compute))
