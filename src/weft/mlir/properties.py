"""Properties of operations in generic form that are no attributes of the kind that the operation stores."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, UnitAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import AttrSizedSegments, IRDLOperation, OpDef

from weft.dialects.building import segment_sizes
from weft.dialects.engine.definitions import definition as known
from weft.dialects.engine.wording import stored
from weft.mlir.printer import MlirPrinter

_EXPECTED = {
    "overflowFlags": "expected ::mlir::LLVM::IntegerOverflowFlagsAttr or IntegerAttr storage for "
    "::mlir::LLVM::IntegerOverflowFlags",
    "noWrapFlags": "expected IntegerAttr storage for ::mlir::LLVM::GEPNoWrapFlags",
}
"""What MLIR says of an attribute that no property of an enum can be made of, by the property."""


def conversion_error(op_type: type[Operation], given: Mapping[str, Attribute]) -> str | None:
    """What MLIR says of the first such property of those given; None when all can be stored."""
    if not issubclass(op_type, IRDLOperation):
        return None
    definition, whole = op_type.get_irdl_definition(), known(op_type.name)
    for name, value in sorted(given.items()):
        rule, groups = definition.properties.get(name), _groups(definition, name)
        declared = None if whole is None else whole.attributes.get(name)
        if not (rule is None or stored(rule.constr, value) if declared is None else declared[0].stored(value)):
            wrong = _EXPECTED.get(name if declared is not None and declared[0].noun == "property" else "", "")
            wrong = wrong or f"Invalid attribute `{name}` in property conversion: {_spelled(value)}"
        elif groups is not None and isinstance(value, DenseArrayBase) and (sizes := len(cast("Any", value))) != groups:
            wrong = f"size mismatch in attribute conversion: {sizes} vs {groups}"
        else:
            continue
        entries = ", ".join(_entry(key, found) for key, found in sorted(given.items()))
        return f"invalid properties {{{entries}}} for op {op_type.name}: {wrong}"
    return None


def complete(op: IRDLOperation) -> None:
    """Give an operation the sizes of groups that its text leaves out: as MLIR stores them, all of them 0."""
    definition = op.get_irdl_definition()
    for option in definition.options:
        if isinstance(option, AttrSizedSegments) and option.as_property:
            name = option.attribute_name
            groups = _groups(definition, name)
            if groups is not None and name not in op.properties and name not in op.attributes:
                op.properties[name] = segment_sizes((0,) * groups)


def _groups(definition: OpDef, name: str) -> int | None:
    """How many groups of operands or results an operation has, if this is the property that holds their sizes."""
    if not any(
        isinstance(option, AttrSizedSegments) and option.attribute_name == name for option in definition.options
    ):
        return None
    return len(definition.operands if name.startswith("operand") else definition.results)


def _entry(name: str, value: Attribute) -> str:
    return name if isinstance(value, UnitAttr) else f"{name} = {_spelled(value)}"


def _spelled(value: Attribute) -> str:
    stream = StringIO()
    MlirPrinter(stream, ModuleOp([])).print_attribute(value)
    return stream.getvalue()
