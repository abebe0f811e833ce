"""What an operation's definition says of it, checked in MLIR's order and worded as MLIR words it.

xDSL checks the same constraints; this is asked only about an operation that xDSL has refused, to say which attribute,
operand or result is wrong.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    BFloat16Type,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    UnrankedMemRefType,
    VectorType,
)
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.irdl import (
    AllOf,
    AnyOf,
    AttrConstraint,
    AttributeDef,
    AttrSizedOperandSegments,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    MessageConstraint,
    OptAttributeDef,
    OptOperandDef,
    OptPropertyDef,
    OptResultDef,
    ParamAttrConstraint,
    PropertyDef,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    VarConstraint,
    VariadicDef,
    VarOperandDef,
    VarResultDef,
)
from xdsl.irdl.constraints import VerificationContext
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import AttributeKind, Definition, Region, Values
from weft.dialects.engine import attributes
from weft.dialects.kinds import ANY, Kind
from weft.dialects.verification import Described, OneOf
from weft.mlir.summaries import SUMMARIES

_TYPE_CLASSES: dict[type, str] = {
    IntegerType: "integer",
    IndexType: "index",
    LLVMPointerType: "LLVM pointer type",
    LLVMStructType: "LLVM structure type",
    MemRefType: "memref of any type values",
    VectorType: "vector of any type values",
    UnrankedMemRefType: "unranked.memref of any type values",
}
_ATTRIBUTE_CLASSES: dict[type, str] = {
    UnitAttr: "unit attribute",
    StringAttr: "string attribute",
    ArrayAttr: "array attribute",
    DictionaryAttr: "dictionary of named attribute values",
    SymbolRefAttr: "symbol reference attribute",
    FloatAttr: "float attribute",
    IntegerAttr: "arbitrary integer attribute",
    DenseArrayBase: "i64 dense array attribute",
}
_SIGNS = {Signedness.SIGNLESS: "signless", Signedness.SIGNED: "signed", Signedness.UNSIGNED: "unsigned"}


def type_description(value: Attribute) -> str:
    """What MLIR calls one particular type: `32-bit signless integer`, `LLVM pointer in address space 3`."""
    if isinstance(value, IntegerType):
        integer = cast("Any", value)
        return f"{integer.bitwidth}-bit {_SIGNS[integer.signedness.data]} integer"
    if isinstance(value, BFloat16Type):
        return "bfloat16 type"
    if isinstance(value, AnyFloat):
        return f"{value.bitwidth}-bit float"
    if isinstance(value, LLVMPointerType):
        space = value.addr_space
        return f"LLVM pointer in address space {getattr(space, 'data', 0)}"
    if isinstance(value, VectorType):
        vector = cast("VectorType[Attribute]", value)
        length = "/".join(str(extent) for extent in vector.get_shape())
        return f"vector of {type_description(vector.element_type)} values of length {length}"
    known = _TYPE_CLASSES.get(type(value), _named(value.name))
    return str(value) if known is None else known


def description(constraint: AttrConstraint, *, attribute: bool = False) -> str | None:
    """MLIR's summary of a constraint on a type, or on an attribute; None for one that it would not name."""
    if isinstance(constraint, Described | MessageConstraint):
        return constraint.message
    if isinstance(constraint, VarConstraint):
        return description(constraint.constraint, attribute=attribute)
    if isinstance(constraint, EqAttrConstraint):
        return None if attribute else type_description(cast("Any", constraint).attr)
    if isinstance(constraint, OneOf):
        return " or ".join(type_description(kind) for kind in constraint.allowed)
    if isinstance(constraint, AnyOf):
        parts = [description(part) for part in cast("Any", constraint).attr_constrs]
        return " or ".join(part for part in parts if part)
    if isinstance(constraint, ParamAttrConstraint):
        return _parametrized(cast("ParamAttrConstraint[Any]", constraint))
    if isinstance(constraint, BaseAttr):
        cls = cast("Any", constraint).attr
        return (_ATTRIBUTE_CLASSES if attribute else _TYPE_CLASSES).get(cls) or _summary(cls)
    return None


def _summary(cls: type) -> str | None:
    if cls is TypeAttribute:
        return "any type attribute"
    return _named(getattr(cls, "name", ""))


def _named(name: str) -> str | None:
    """The summary of an attribute or a type by its name."""
    return SUMMARIES[name] if name in SUMMARIES else attributes.summary(name)


def _parametrized(constraint: ParamAttrConstraint[Any]) -> str | None:
    base, parameters = constraint.base_attr, constraint.param_constrs
    if base is IntegerAttr:
        kind = parameters[1]
        if isinstance(kind, AllOf):
            kind = kind.attr_constrs[-1]
        if isinstance(kind, EqAttrConstraint):
            found = kind.attr
            if found == IntegerType(1):
                return "bool attribute"
            least = getattr(getattr(parameters[0], "int_constraint", None), "bound", None)
            return f"{type_description(found)} attribute" + (
                f" whose minimum value is {least}" if least is not None else ""
            )
        if isinstance(kind, BaseAttr) and cast("Any", kind).attr is IndexType:
            return "index attribute"
    if base is VectorType:
        element = description(parameters[1])
        return f"vector of {element or 'any type'} values"
    if base in _ATTRIBUTE_CLASSES:
        return _ATTRIBUTE_CLASSES[base]
    return None


def violation(op: Operation) -> str | None:
    """The first thing in an operation that its definition does not allow; None when everything is allowed."""
    if not isinstance(op, IRDLOperation):
        return None
    try:
        _definition(type(op)).verify(op)
    except VerifyException as refused:
        return str(refused.args[0]).replace(" : i64>'", ">'")
    return None


@cache
def _definition(cls: type[IRDLOperation]) -> Definition:
    """xDSL's definition of a class in upstream's words; what has no name in them is not looked at."""
    known = cls.get_irdl_definition()
    sizes = AttrSizedOperandSegments.attribute_name
    attributes = {**known.properties, **known.attributes}
    return Definition(
        tuple(_values(rule.constr, rule, OptOperandDef, VarOperandDef) for _, rule in known.operands),
        tuple(_values(rule.constr, rule, OptResultDef, VarResultDef) for _, rule in known.results),
        {name: _attribute(attributes[name]) for name in sorted(attributes) if not name.endswith("SegmentSizes")},
        tuple(Region(name + "*" * isinstance(rule, VariadicDef), "any") for name, rule in known.regions),
        tuple("*" * isinstance(rule, VariadicDef) for _, rule in known.successors),
        segments=sizes in known.properties,
    )


def _values(constraint: RangeConstraint, rule: object, optional: type, variadic: type) -> Values:
    count = "?" if isinstance(rule, optional) else "*" if isinstance(rule, variadic) else ""
    each = _element(constraint)
    summary = None if each is None else description(each)
    if each is None or summary is None:
        return Values(ANY, count)
    return Values(Kind(summary, partial(_fits, each)), count)


def _attribute(rule: AttributeDef | PropertyDef) -> tuple[AttributeKind, bool]:
    required = not isinstance(rule, OptPropertyDef | OptAttributeDef) and rule.default_value is None
    summary = description(rule.constr, attribute=True)
    holds = _anything if summary is None else partial(_fits, rule.constr)
    return AttributeKind(summary or "", _anything, holds), required


def _anything(_: Attribute) -> bool:
    return True


def _element(constraint: RangeConstraint) -> AttrConstraint | None:
    """The constraint on each value of a group."""
    if isinstance(constraint, RangeLengthConstraint):
        return _element(constraint.constraint)
    return constraint.constr if isinstance(constraint, RangeOf) else None


def _fits(constraint: AttrConstraint, value: Attribute) -> bool:
    try:
        constraint.verify(value, VerificationContext())
    except VerifyException:
        return False
    return True
