"""Properties that upstream's operations have without their being written, where weft's classes keep them apart."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute, Operation

from weft.dialects.building import NO_ATTRIBUTES, defaults

_DEFAULTS: dict[str, dict[str, Attribute]] = {
    "llvm.mlir.global": {"addr_space": IntegerAttr(0, i32)},
    **{f"llvm.{name}": {"overflowFlags": IntegerAttr(0, i32)} for name in ("add", "mul", "shl", "sub", "trunc")},
}


def _bits(value: Attribute) -> Attribute:
    """Flags as the number that weft's classes hold."""
    if isinstance(value, IntegerAttr):
        return IntegerAttr(value.value.data, i32)
    return IntegerAttr(value.to_int(), i32) if isinstance(value, llvm.OverflowAttr) else value


def complete(op: Operation, given: Collection[str]) -> None:
    """Add to an operation that was read in the generic form what it has by default, as it is kept here.

    `given` are the properties that it was written with; others of its properties stood in the dictionary.
    """
    own = {name: value for is_property, name, value in defaults(type(op)) if is_property}
    for name in NO_ATTRIBUTES & op.properties.keys():
        if name not in given and op.properties[name] is not own.get(name):
            op.attributes[name] = op.properties.pop(name)
    for name, value in {**own, **_DEFAULTS.get(op.name, {})}.items():
        op.properties.setdefault(name, value)
    for name in NO_ATTRIBUTES & op.properties.keys():
        op.properties[name] = _bits(op.properties[name])
