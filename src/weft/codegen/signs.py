"""Whether a narrow integer is read as signed: then its load extends it by sign, which costs nothing."""

from __future__ import annotations

from itertools import islice
from typing import Any

from weft.dialects.arith.predicates import INTEGER_PREDICATES

_MOST_USES = 16
_SIGNED = frozenset((
    "arith.extsi", "arith.sitofp", "arith.maxsi", "arith.minsi", "arith.shrsi", "arith.divsi", "arith.remsi",
    "arith.index_cast", "index.casts", "llvm.sext", "llvm.sitofp", "llvm.ashr", "llvm.sdiv", "llvm.srem",
    "llvm.intr.smax", "llvm.intr.smin",
))  # fmt: skip
_UNSIGNED = frozenset((
    "arith.extui", "arith.uitofp", "arith.maxui", "arith.minui", "arith.shrui", "arith.divui", "arith.remui",
    "arith.index_castui", "index.castu", "llvm.zext", "llvm.uitofp", "llvm.lshr", "llvm.udiv", "llvm.urem",
    "llvm.intr.umax", "llvm.intr.umin",
))  # fmt: skip


def is_read_as_signed(value: Any) -> bool:
    """Whether operations read the sign of an integer of 8 or 16 bits, and none reads it as unsigned."""
    width = getattr(getattr(value.type, "width", None), "data", 0)
    if width not in (8, 16):
        return False
    found = False
    for use in islice(value.uses, _MOST_USES):
        op: Any = use.operation
        name: str = op.name
        if name in ("arith.cmpi", "llvm.icmp"):
            predicate: int = op.properties["predicate"].value.data
            name = {"s": "arith.extsi", "u": "arith.extui"}.get(INTEGER_PREDICATES[predicate][0], "")
        if name in _UNSIGNED:
            return False
        found = found or name in _SIGNED
    return found
