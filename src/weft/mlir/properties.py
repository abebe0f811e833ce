"""Properties of operations in generic form that are no attributes of the kind that the operation stores."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp, UnitAttr, i1
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.irdl import BaseAttr, IRDLOperation, PropertyDef

from weft.mlir.invariants import description
from weft.mlir.printer import MlirPrinter


def conversion_error(op_type: type[Operation], given: Mapping[str, Attribute]) -> str | None:
    """What MLIR says of the first such property of those given; None when all can be stored."""
    if not issubclass(op_type, IRDLOperation):
        return None
    rules = op_type.get_irdl_definition().properties
    for name, value in sorted(given.items()):
        if name in rules and not _stored(rules[name], value):
            entries = ", ".join(_entry(key, found) for key, found in sorted(given.items()))
            return (
                f"invalid properties {{{entries}}} for op {op_type.name}: "
                f"Invalid attribute `{name}` in property conversion: {_spelled(value)}"
            )
    return None


def _entry(name: str, value: Attribute) -> str:
    return name if isinstance(value, UnitAttr) else f"{name} = {_spelled(value)}"


def _spelled(value: Attribute) -> str:
    stream = StringIO()
    MlirPrinter(stream, ModuleOp([])).print_attribute(value)
    return stream.getvalue()


def _stored(rule: PropertyDef, value: Attribute) -> bool:
    """Whether an attribute is of the class that a property is stored as."""
    constraint = rule.constr
    if isinstance(constraint, BaseAttr) and cast("Any", constraint).attr is TypeAttribute:
        return isinstance(value, TypeAttribute)
    bases = constraint.get_bases()
    if bases is None or type(value) not in bases:
        return bases is None
    return description(constraint, attribute=True) != "bool attribute" or cast("Any", value).type == i1
