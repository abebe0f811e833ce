"""What the rows of `func`, `cf` and `builtin` say in words; and the checks of what names a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FunctionType,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.utils.exceptions import VerifyException

from weft.dialects import traits
from weft.dialects.definitions import AttributeKind, Vocabulary
from weft.dialects.kinds import ANY, Kind, is_signless
from weft.dialects.symbols import lookup
from weft.dialects.traits import check_function, inherent
from weft.dialects.verification import PlainVerifyException


def _is_dictionaries(value: Attribute) -> bool:
    return all(isinstance(found, DictionaryAttr) for found in cast("ArrayAttr[Attribute]", value).data)


_STRING = AttributeKind("string attribute", lambda value: isinstance(value, StringAttr))
_NOTES = AttributeKind("Array of dictionary attributes", lambda value: isinstance(value, ArrayAttr), _is_dictionaries)
_I32_DENSE = AttributeKind(
    "i32 dense array attribute",
    lambda value: isinstance(value, DenseArrayBase) and cast("DenseArrayBase[Any]", value).elt_type == i32,
)
_FLAT = AttributeKind(
    "flat symbol reference attribute",
    lambda value: isinstance(value, SymbolRefAttr) and not value.nested_references.data,
)
_ATTRIBUTES = {
    "branch_weights": _I32_DENSE,
    "callee": _FLAT,
    "case_operand_segments": _I32_DENSE,
    "case_values": AttributeKind(
        "integer elements attribute", lambda value: isinstance(value, DenseIntOrFPElementsAttr)
    ),
    "function_type": AttributeKind(
        "type attribute of function type",
        lambda value: isinstance(value, TypeAttribute),
        lambda value: isinstance(value, FunctionType),
    ),
    "msg": _STRING,
    "no_inline": AttributeKind("unit attribute", lambda value: isinstance(value, UnitAttr)),
    "notes": _NOTES,
    "sym_name": _STRING,
    "sym_visibility": _STRING,
    "value": _FLAT,
}
_TYPES = {
    "any": ANY,
    "function": Kind("function type", lambda kind: isinstance(kind, FunctionType)),
    "i1": Kind("1-bit signless integer", lambda kind: is_signless(kind) and cast("Any", kind).bitwidth == 1),
    "integer": Kind("integer", lambda kind: isinstance(kind, IntegerType)),
}


def _function_type(op: Operation) -> FunctionType:
    found = inherent(op, "function_type")
    assert isinstance(found, FunctionType)
    return found


def _function(op: Operation) -> None:
    traits.symbol(op)
    traits.public_declaration(op)
    kind = _function_type(op)
    check_function(op, kind.inputs.data, kind.outputs.data)


def _parent_function(op: Operation) -> None:
    parent = op.parent_op()
    if parent is None or parent.name != "func.func":
        raise VerifyException("expects parent op 'func.func'")


def _return(op: Operation) -> None:
    parent = op.parent_op()
    assert parent is not None
    name = f"@{cast('StringAttr', inherent(parent, 'sym_name')).data}"
    wanted = _function_type(parent).outputs.data
    if len(op.operands) != len(wanted):
        raise VerifyException(f"has {len(op.operands)} operands, but enclosing function ({name}) returns {len(wanted)}")
    for index, (value, kind) in enumerate(zip(op.operands, wanted, strict=True)):
        if value.type != kind:
            raise PlainVerifyException(
                f"type of return operand {index} ('{value.type}') doesn't match function result type ('{kind}') in "
                f"function {name}"
            )


def _switch(op: Operation) -> None:
    values, cases = inherent(op, "case_values"), len(op.successors) - 1
    if values is None:
        if cases:
            raise VerifyException(f"number of case values (0) should match number of case destinations ({cases})")
        return
    dense = cast("DenseIntOrFPElementsAttr[Any]", values)
    flag, kind = op.operands[0].type, cast("Attribute", dense.get_element_type())
    if flag != kind:
        raise VerifyException(f"'flag' type ('{flag}') should match case value type ('{kind}')")
    found = dense.type.element_count()
    if found != cases:
        raise VerifyException(f"number of case values ({found}) should match number of case destinations ({cases})")


_MODULE_ATTRIBUTES = frozenset({"sym_name", "sym_visibility"})


def _module(op: Operation) -> None:
    """A module has attributes of dialects only, and keeps to its own name."""
    traits.no_arguments(op)
    if inherent(op, "sym_name") is not None:
        traits.symbol(op)
    for name in sorted(op.attributes):
        if "." not in name and name not in _MODULE_ATTRIBUTES:
            raise VerifyException(f"can only contain attributes with dialect-prefixed names, found: '{name}'")


def _indirect(op: Operation) -> None:
    kind = cast("FunctionType", op.operands[0].type)
    if tuple(op.operand_types[1:]) != kind.inputs.data:
        raise VerifyException("failed to verify that callee input types match argument types")
    if tuple(op.result_types) != kind.outputs.data:
        raise VerifyException("failed to verify that callee result types match result types")


WORDS = Vocabulary(
    _TYPES,
    _ATTRIBUTES,
    {
        "branch": traits.branch,
        "function": _function,
        "in_function": _parent_function,
        "indirect": _indirect,
        "module": _module,
        "return": _return,
        "switch": _switch,
        "terminator": traits.terminator,
    },
)


def _called(op: Operation, name: str) -> FunctionType | None:
    found = lookup(op, inherent(op, name))
    return _function_type(found) if found is not None and found.name == "func.func" else None


def _name(op: Operation, name: str) -> str:
    return cast("SymbolRefAttr", inherent(op, name)).root_reference.data


def _call(op: Operation) -> None:
    kind = _called(op, "callee")
    if kind is None:
        raise VerifyException(f"'{_name(op, 'callee')}' does not reference a valid function")
    inputs: Sequence[Attribute] = kind.inputs.data
    outputs: Sequence[Attribute] = kind.outputs.data
    if len(inputs) != len(op.operands):
        raise VerifyException("incorrect number of operands for callee")
    for index, (value, wanted) in enumerate(zip(op.operands, inputs, strict=True)):
        if value.type != wanted:
            raise VerifyException(
                f"operand type mismatch: expected operand type '{wanted}', but provided '{value.type}' for operand "
                f"number {index}"
            )
    if len(outputs) != len(op.results):
        raise VerifyException("incorrect number of results for callee")
    for index, (value, wanted) in enumerate(zip(op.results, outputs, strict=True)):
        if value.type != wanted:
            raise VerifyException(f"result type mismatch at index {index}")


def _constant(op: Operation) -> None:
    kind = _called(op, "value")
    if kind is None:
        raise VerifyException(f"reference to undefined function '{_name(op, 'value')}'")
    if op.results[0].type != kind:
        raise VerifyException("reference to function with mismatched type")


USERS: dict[str, Callable[[Operation], None]] = {"func.call": _call, "func.constant": _constant}
