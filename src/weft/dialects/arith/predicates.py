"""Predicates of comparisons, rounding modes and kinds of atomics: words whose position is the value of a property."""

from __future__ import annotations

INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""Predicates of `arith.cmpi` and `llvm.icmp`."""

FLOAT_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
"""Predicates of `arith.cmpf`."""

ROUNDING_MODES = ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away")
"""Rounding modes of `arith.truncf`; the position is the value of the `roundingmode` property."""

ATOMIC_KINDS = (
    "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf", "mins", "minu",
    "mulf", "muli", "ori", "xori",
)  # fmt: skip
"""How `memref.atomic_rmw` and the reductions of `affine.parallel` combine."""

WORDS = {
    "arith.cmpf": FLOAT_PREDICATES,
    "arith.cmpi": INTEGER_PREDICATES,
    "llvm.fcmp": ("_false", *FLOAT_PREDICATES[1:-1], "_true"),
    "llvm.icmp": INTEGER_PREDICATES,
    "memref.atomic_rmw": ATOMIC_KINDS,
}
"""The words that stand in an operation for a number."""
