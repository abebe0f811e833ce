"""What an operation's definition says of it, checked in MLIR's order and worded as MLIR words it.

xDSL checks the same constraints; this is asked only about an operation that xDSL has refused, to say which attribute,
operand or result is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    MessageConstraint,
    OperandDef,
    OptAttributeDef,
    OptOperandDef,
    OptPropertyDef,
    OptResultDef,
    ParamAttrConstraint,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    ResultDef,
    VarConstraint,
    VarOperandDef,
    VarResultDef,
)
from xdsl.irdl.constraints import VerificationContext
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine import attributes
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
    return _counts(op) or _attributes(op) or _values(op, "operand") or _values(op, "result")


def _counts(op: IRDLOperation) -> str | None:
    """Too few or too many results or operands."""
    definition = op.get_irdl_definition()
    least, exact = _bounds(definition.results)
    found = len(op.results)
    if (found < least) or (exact and found != least):
        if not exact:
            return f"expected {least} or more results"
        return {0: "requires zero results", 1: "requires one result"}.get(least, f"expected {least} results")
    least, exact = _bounds(definition.operands)
    found = len(op.operands)
    if (found < least) or (exact and found != least):
        if not exact:
            return f"expected {least} or more operands, but found {found}"
        few = {0: "requires zero operands", 1: "requires a single operand"}
        return few.get(least, f"expected {least} operands, but found {found}")
    return None


def _bounds(rules: Sequence[tuple[str, OperandDef | ResultDef]]) -> tuple[int, bool]:
    """The least number of values, and whether there may not be more."""
    loose = (VarOperandDef, VarResultDef)
    single = sum(not isinstance(rule, loose) for _, rule in rules)
    return single, single == len(rules)


def _attributes(op: IRDLOperation) -> str | None:
    definition = op.get_irdl_definition()
    given = {**op.attributes, **op.properties}
    wanted = {**definition.properties, **definition.attributes}
    for name in sorted(wanted):
        rule = wanted[name]
        if name in given or isinstance(rule, OptPropertyDef | OptAttributeDef):
            continue
        if rule.default_value is None and not name.endswith("SegmentSizes"):
            return f"requires attribute '{name}'"
    for name in sorted(wanted):
        value = given.get(name)
        if value is None or _fits(wanted[name].constr, value):
            continue
        summary = description(wanted[name].constr, attribute=True)
        if summary is not None:
            return f"attribute '{name}' failed to satisfy constraint: {summary}"
    return None


def _values(op: IRDLOperation, kind: str) -> str | None:
    definition = op.get_irdl_definition()
    rules = definition.operands if kind == "operand" else definition.results
    every = op.operands if kind == "operand" else op.results
    sizes = _sizes(op, kind, rules)
    index = 0
    for place, (_, rule) in enumerate(rules):
        constraint, variadic = _element(rule.constr)
        optional = isinstance(rule, OptOperandDef | OptResultDef)
        variadic = variadic and not optional
        group = every[index : index + sizes[place]]
        if optional and len(group) > 1:
            return f"{kind} group starting at #{index} requires 0 or 1 element, but found {len(group)}"
        for value in group:
            if constraint is not None and not _fits(constraint, value.type):
                summary = description(constraint)
                if summary is not None:
                    prefix = "variadic of " if variadic else ""
                    found = str(value.type).replace(" : i64>", ">")
                    return f"{kind} #{index} must be {prefix}{summary}, but got '{found}'"
            index += 1
    return None


def _sizes(op: IRDLOperation, kind: str, rules: Sequence[tuple[str, OperandDef | ResultDef]]) -> Sequence[int]:
    """How many operands or results each group has."""
    name = f"{kind}SegmentSizes"
    given = op.properties.get(name)
    # An operation without such groups may have the attribute by chance, of any length.
    if isinstance(given, DenseArrayBase) and name in op.get_irdl_definition().properties:
        return [int(size) for size in given.get_values()]
    count = len(op.operands if kind == "operand" else op.results)
    loose = sum(isinstance(rule, VarOperandDef | VarResultDef) for _, rule in rules)
    more = (count - len(rules)) // loose + 1 if loose else 1
    return [more if isinstance(rule, VarOperandDef | VarResultDef) else 1 for _, rule in rules]


def _element(constraint: RangeConstraint) -> tuple[AttrConstraint | None, bool]:
    """The constraint on each value of a group, and whether any number of values may be in it."""
    if isinstance(constraint, RangeLengthConstraint):
        return _element(constraint.constraint)[0], False
    return (constraint.constr, True) if isinstance(constraint, RangeOf) else (None, False)


def _fits(constraint: AttrConstraint, value: Attribute) -> bool:
    try:
        constraint.verify(value, VerificationContext())
    except VerifyException:
        return False
    return True
