"""Calls of NVIDIA's libdevice, `__nv_expf` and the like, as the operations of `math` that they stand for.

MLIR's conversion from `gpu` to `nvvm`, Triton and Numba call these functions and leave it to LLVM to link a library of
them.  Where a module only declares one, its code is what the operation would be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from weft.codegen.selector import Selector, handler_of
from weft.dataclass import dataclass

PREFIX = "__nv_"

_SAME = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1 floor fma log "
    "log10 log1p log2 round rsqrt sin sinh sqrt tan tanh trunc"
)
_OPERATIONS = {name: f"math.{name}" for name in _SAME.split()} | {
    "abs": "math.absi", "llabs": "math.absi", "fabs": "math.absf", "fmax": "arith.maxnumf", "fmin": "arith.minnumf",
    "fmod": "arith.remf", "nearbyint": "math.roundeven", "pow": "math.powf", "powi": "math.fpowi",
    "rint": "math.roundeven",
}  # fmt: skip
"""The operations by the names of the functions on f64 (`exp`; that on f32 is `expf`, and perhaps `fast_expf`)."""


@dataclass(frozen=True, slots=True)
class _Operation:
    """A call seen as another operation."""

    name: str
    call: Any
    operands: Sequence[Any]
    results: Sequence[Any]
    properties: Mapping[str, Any]
    attributes: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.call, name)


def operation_of(name: str) -> str | None:
    """The operation that a function of libdevice stands for, by the function's name; None if there is none."""
    if not name.startswith(PREFIX):
        return None
    stem = name.removeprefix(PREFIX).removeprefix("fast_")
    return _OPERATIONS.get(stem) or _OPERATIONS.get(stem.removesuffix("f"))


def select_as_operation(s: Selector, call: Any, name: str) -> bool:
    """Select a call of a function of libdevice as an operation; whether there is one."""
    operation = operation_of(name)
    handler = handler_of(operation) if operation is not None else None
    if operation is None or handler is None:
        return False
    handler(s, _Operation(operation, call, call.operands, call.results, {}, {}))
    return True
