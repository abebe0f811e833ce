"""The predicates of comparisons; the position of each is the value of the `predicate` property."""

from __future__ import annotations

INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""Predicates of `arith.cmpi` and `llvm.icmp`."""

FLOAT_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
"""Predicates of `arith.cmpf` and `llvm.fcmp`."""
