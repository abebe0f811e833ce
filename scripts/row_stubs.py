"""Write `weft/dialects/rows.pyi`: the classes that rows become, with their operands, results and properties.

A class is made of its row when somebody asks for it, so that a type checker would see nothing of it. `make lint`, and a
run of the tests after a row has changed, write the file; git does not have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

from xdsl.dialects.builtin import AnyFloat, ArrayAttr, ArrayOfConstraint, IntegerType
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import (
    AnyOf,
    AttrSetConstraint,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    MessageConstraint,
    OptOperandDef,
    OptPropertyDef,
    OptResultDef,
    ParamAttrConstraint,
    RangeLengthConstraint,
    RangeOf,
    TypeVarConstraint,
    VarConstraint,
    VariadicDef,
    VarOperandDef,
    VarResultDef,
    VarSuccessorDef,
)

from weft.dialects.engine import attributes
from weft.dialects.engine.operations import tables
from weft.dialects.lazy import TABLES
from weft.dialects.verification import OneOf

TARGET = Path(__file__).parent.parent / "src" / "weft" / "dialects" / "rows.pyi"

_HEAD = """# Written by scripts/row_stubs.py from the rows of operations.
# ruff: noqa
# pyright: basic, reportIncompatibleVariableOverride=false, reportIncompatibleMethodOverride=false
from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import AnyFloat
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Block, OpResult, ParametrizedAttribute, Region, SSAValue, TypeAttribute
from xdsl.irdl import IRDLOperation, VarOperand, VarOpResult
from xdsl.utils.str_enum import StrEnum
"""
_FEW = 3
"""A parameter of one of more classes than these is anything."""


class Stub:
    """The names of classes in the file, and what it imports for them."""

    def __init__(self) -> None:
        self._imports: set[str] = set()

    def name(self, cls: type[Any]) -> str:
        """What stands for a class in the file."""
        if cls is Attribute:
            return "Attribute"
        if cls.__name__ not in vars(import_module(cls.__module__)):  # It is made of a row, too.
            return _attribute_name(cls)
        short = f"{cls.__module__.replace('.', '_')}_{cls.__name__}"
        self._imports.add(f"from {cls.__module__} import {cls.__name__} as {short}")
        return short

    def imports(self) -> list[str]:
        """What the names used so far stand for."""
        return sorted(self._imports)

    def kind(self, constraint: Any) -> str:
        """The type of the attributes that satisfy a constraint."""
        kinds = dict.fromkeys(self._kinds(constraint))
        floats = list(map(self.name, get_args(AnyFloat)))
        if kinds.keys() >= set(floats):
            kinds = {kind: None for kind in kinds if kind not in floats} | {"AnyFloat": None}
        return " | ".join(kinds) or "Attribute"

    def _kinds(self, constraint: Any) -> list[str]:
        match constraint:
            case RangeLengthConstraint() | VarConstraint():
                return self._kinds(constraint.constraint)
            case RangeOf() | MessageConstraint():
                return self._kinds(constraint.constr)
            case TypeVarConstraint():
                return self._kinds(constraint.base_constraint)
            case AnyOf():
                found = [self._kinds(part) for part in constraint.attr_constrs]
                return [kind for kinds in found for kind in kinds] if all(found) else []
            case EqAttrConstraint():
                return [self._open(type(constraint.attr))]
            case AttrSetConstraint():
                return sorted({self._open(type(value)) for value in constraint.values})
            case OneOf():
                return [self._open(type(value)) for value in constraint.allowed]
            case BaseAttr():
                return [self._open(constraint.attr)]
            case ArrayOfConstraint():
                return [f"{self.name(ArrayAttr)}[{self.kind(constraint.elem_range_constraint)}]"]
            case ParamAttrConstraint():
                return [self._closed(constraint)]
            case _:
                return sorted(map(self._open, getattr(constraint, "get_bases", list)() or ()))

    def _open(self, cls: type[Any]) -> str:
        """A class of any parameters."""
        parameters: tuple[Any, ...] = getattr(cls, "__parameters__", ())
        if not parameters or cls is IntegerType:  # The sign of an integer is no attribute.
            return self.name(cls)
        return f"{self.name(cls)}[{', '.join(map(self._bound, parameters))}]"

    def _bound(self, parameter: Any) -> str:
        known = get_args(parameter.__bound__) or (parameter.__bound__,)
        return " | ".join(map(self._open, known)) if len(known) <= _FEW else "Any"

    def _closed(self, constraint: ParamAttrConstraint[Any]) -> str:
        """A class of the parameters that a constraint has for its variables."""
        cls = constraint.base_attr
        variables: tuple[Any, ...] = getattr(cls, "__parameters__", ())
        if not variables or cls is IntegerType:
            return self.name(cls)
        places = [definition.constr for _, definition in cls.get_irdl_definition().parameters]
        found = {
            place.type_var: self.kind(given)
            for place, given in zip(places, constraint.param_constrs, strict=True)
            if isinstance(place, TypeVarConstraint)
        }
        return f"{self.name(cls)}[{', '.join(found.get(variable) or self._bound(variable) for variable in variables)}]"


def _fields(stub: Stub, cls: type[IRDLOperation]) -> Iterator[tuple[str, str]]:
    definition = cls.get_irdl_definition()
    for name, operand in definition.operands:
        kind = stub.kind(operand.constr)
        if isinstance(operand, OptOperandDef):
            yield name, f"SSAValue[{kind}] | None"
        else:
            yield name, f"{'VarOperand' if isinstance(operand, VarOperandDef) else 'SSAValue'}[{kind}]"
    for name, result in definition.results:
        kind = stub.kind(result.constr)
        if isinstance(result, OptResultDef):
            yield name, f"OpResult[{kind}] | None"
        else:
            yield name, f"{'VarOpResult' if isinstance(result, VarResultDef) else 'OpResult'}[{kind}]"
    for name, region in definition.regions:
        yield name, "Sequence[Region]" if isinstance(region, VariadicDef) else "Region"
    for name, successor in definition.successors:
        yield name, "Sequence[Block]" if isinstance(successor, VarSuccessorDef) else "Block"
    for field, (written, _) in definition.accessor_names.items():
        found = definition.properties[written]
        yield field, stub.kind(found.constr) + (" | None" if isinstance(found, OptPropertyDef) else "")


def _operation(stub: Stub, cls: type[IRDLOperation]) -> Iterator[str]:
    bases = [stub.name(base) for base in cls.__bases__ if base.__module__.startswith("xdsl.dialects.")]
    yield f"    class {cls.__name__}({', '.join(bases) or 'IRDLOperation'}):"
    yield f"        {cls.__doc__!r}"
    for name, kind in _fields(stub, cls):
        yield f"        {name}: {kind}"


def _attribute_name(cls: type[Any]) -> str:
    return cls.name.replace(".", "_")


def _attribute(cls: type[Any]) -> Iterator[str]:
    """An attribute of one word, or of none."""
    name = _attribute_name(cls)
    if not issubclass(cls, EnumAttribute):
        yield f"class {name}(ParametrizedAttribute{', TypeAttribute' * issubclass(cls, TypeAttribute)}): ..."
        return
    yield f"class {name}_{cls.enum_type.__name__}(StrEnum):"
    for number, member in enumerate(cls.enum_type):
        yield f"    _{number} = {member.value!r}"
    yield f"class {name}(EnumAttribute[{name}_{cls.enum_type.__name__}]): ..."


def stub() -> str:
    """The whole file."""
    found, attrs = Stub(), list[str]()
    operations: list[str] = []
    for dialect in attributes.DIALECTS:
        for name in attributes.rows(dialect):
            attrs += _attribute(attributes.attr_class(f"{dialect}.{name}"))
    for dialect in TABLES:
        if any(table.titles for table in tables(dialect)):
            operations.append(f"class {dialect}:")
        for table in tables(dialect):
            for name in sorted(table.titles.values()):
                made: Any = table.operation(name)
                operations += _operation(found, made)
    return "\n".join([_HEAD, *found.imports(), "", *attrs, "", *operations, ""])


def write() -> None:
    """Write the file, if it is to be another."""
    text = stub()
    if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
