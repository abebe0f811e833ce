"""Properties that upstream's operations have without their being written, where weft's classes keep them apart."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import Attribute, Operation

_CONVENTION = llvm.CallingConventionAttr("ccc")
_CALL: dict[str, Attribute] = {
    "CConv": _CONVENTION,
    "TailCallKind": llvm.TailCallKindAttr(llvm.TailCallKind.NONE),
    "fastmathFlags": llvm.FastMathAttr("none"),
}
_DEFAULTS: dict[str, dict[str, Attribute]] = {
    "llvm.call": _CALL,
    "llvm.func": {"CConv": _CONVENTION, "linkage": llvm.LinkageAttr("external"), "visibility_": IntegerAttr(0, i64)},
    "llvm.getelementptr": {"noWrapFlags": IntegerAttr(0, i32)},
    "llvm.mlir.global": {"addr_space": IntegerAttr(0, i32)},
}


def _bits(value: Attribute) -> Attribute:
    """The flags of integer arithmetic as the number that weft's classes hold."""
    return IntegerAttr(value.to_int(), i32) if isinstance(value, llvm.OverflowAttr) else value


_STORED: dict[str, Callable[[Attribute], Attribute]] = {"overflowFlags": _bits}


def complete(op: Operation) -> None:
    """Add to an operation that was read in the generic form what it has by default, as it is kept here."""
    for name, value in _DEFAULTS.get(op.name, {}).items():
        op.properties.setdefault(name, value)
    for name, stored in _STORED.items():
        if name in op.properties:
            op.properties[name] = stored(op.properties[name])
