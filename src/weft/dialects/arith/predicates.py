"""The predicates of comparisons and the rounding modes: words whose position is the value of a property."""

from __future__ import annotations

INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""Predicates of `arith.cmpi` and `llvm.icmp`."""

FLOAT_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
"""Predicates of `arith.cmpf` and `llvm.fcmp`."""

ROUNDING_MODES = ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away")
"""Rounding modes of `arith.truncf`; the position is the value of the `roundingmode` property."""
