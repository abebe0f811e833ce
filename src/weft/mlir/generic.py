"""Properties as the generic form shows them, where weft's classes hold them otherwise than MLIR."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation

from weft.dialects.engine.attributes import attr

_ZERO = IntegerAttr(0, i64)
_OMITTED: dict[str, dict[str, Attribute]] = {
    **{key: {"fastmath": FastMathFlagsAttr("none")} for key in ("arith.cmpf", "arith.remf")},
    "arith.trunci": {"overflowFlags": IntegerOverflowAttr("none")},
    **{key: {"ordering": _ZERO} for key in ("llvm.load", "llvm.store")},
    **{key: {"unnamed_addr": _ZERO, "visibility_": _ZERO} for key in ("llvm.mlir.alias", "llvm.mlir.global")},
}
"""Properties that a class leaves out when they have these values."""
_AMONG_ATTRIBUTES = {
    "func.call": "no_inline",
    "func.func": "no_inline",
    "memref.load": "alignment",
    "memref.store": "alignment",
}
"""Properties that a class holds as an attribute."""


def properties_and_attributes(op: Operation) -> tuple[Mapping[str, Attribute], Mapping[str, Attribute]]:
    """What is in `<{...}>` and in `{...}`."""
    properties, attributes = op.properties, op.attributes
    omitted = _OMITTED.get(op.name)
    if op.name.startswith("llvm.intr.") and isinstance(op, IRDLOperation):
        rules = op.get_irdl_definition().properties
        omitted = {name: rule.default_value for name, rule in rules.items() if rule.default_value is not None}
    if op.name == "vector.print":
        omitted = {"punctuation": attr("vector.punctuation", "newline")}
    if omitted is not None:
        properties = {**omitted, **properties}
    name = _AMONG_ATTRIBUTES.get(op.name)
    if name is not None and name in attributes:
        properties = {**properties, name: attributes[name]}
        attributes = {key: value for key, value in attributes.items() if key != name}
    return properties, attributes
