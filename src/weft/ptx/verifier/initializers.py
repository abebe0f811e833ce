"""Initial values of variables: how they nest, what kinds of values a type takes, and which names may be in them.

Sources: PTX manual, section "Variable Declarations: Initializers"; the refusals are ptxas's own.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.errors import PtxSyntaxError
from weft.isa.types import TYPES
from weft.ptx.ast import Variable
from weft.ptx.operands import Float, Integer, Symbol
from weft.ptx.values import AddressByte, Field, GenericAddress, Value, ValueList
from weft.ptx.verifier.context import Scope

_MASKS = frozenset(0xFF << shift for shift in range(0, 64, 8))

_IMAGE = "width height depth channel_data_type channel_order array_size"
_SAMPLING = "filter_mode addr_mode_0 addr_mode_1 addr_mode_2"
_FIELDS = {
    "texref": frozenset(f"{_IMAGE} {_SAMPLING} normalized_coords num_mipmap_levels num_samples".split()),
    "surfref": frozenset(f"{_IMAGE} memory_layout".split()),
    "samplerref": frozenset(f"{_SAMPLING} force_unnormalized_coords".split()),
}
"""The fields of opaque types that an initial value can set."""

_WHAT = {"integer": "an integer", "float": "a float", "address": "an address", "mask": "a byte of an address"}


def initial_value_problem(scope: Scope, variable: Variable) -> str:
    """What is wrong with a variable's initial value; empty when nothing is.

    `scope` holds the names that are before the variable, and the variable's own.
    """
    if variable.count:
        return "a range of names cannot have an initial value"
    if variable.type in _FIELDS:
        return _field_problem(variable)
    return _shape_problem(variable) or _values_problem(scope, variable)


def _field_problem(variable: Variable) -> str:
    fields, value = _FIELDS[variable.type], variable.initializer
    for leaf in _distinct(value):
        if not isinstance(leaf, Field):
            return f"'{leaf}' is not a field of a .{variable.type}"
        if leaf.name not in fields:
            return f"'{leaf.name}' is not a field of a .{variable.type}"
    return "" if isinstance(value, ValueList) else f"initialise a .{variable.type} by fields in braces"


def _distinct(value: Value | None) -> Iterator[Value]:
    """The values that are no lists; equal ones, which a list that was read shares, mostly once."""
    lists = [value] if isinstance(value, ValueList) else []
    if value is not None and not lists:
        yield value
    while lists:  # Lists nest deeper than Python's stack.
        for element in {id(element): element for element in lists.pop()}.values():
            if isinstance(element, ValueList):
                lists.append(element)
            else:
                yield element


def _shape_problem(variable: Variable) -> str:
    """Braces nest as the extents do; a vector's own braces are the innermost and hold all of its elements."""
    elements = int(variable.vector[1:]) if variable.vector else 0
    extents = [*variable.dims, *([elements] if elements else [])]
    value = variable.initializer
    if not isinstance(value, ValueList):
        return "expected braces, found a value" if extents else ""
    if not extents:
        return "expected a value, found braces"
    lists: list[tuple[ValueList, int]] = [(value, 0)]
    while lists:
        found, depth = lists.pop()
        most, count = extents[depth], len(found)
        if depth == len(variable.dims):
            if count != elements:
                return f"a .{variable.vector} has {elements} elements, got {count}"
        elif 0 < most < count:
            return f"more than {most} values for an extent of {most}"
        elif not count and most <= 0:
            return "an array without an extent needs an initial value"
        last = depth == len(extents) - 1
        kinds = set(map(type, found))
        if last and ValueList in kinds:
            return "expected a value, found braces"
        if not last:
            if kinds - {ValueList}:
                return "expected braces, found a value"
            lists += [(inner, depth + 1) for inner in found if isinstance(inner, ValueList)]
    return ""


def _values_problem(scope: Scope, variable: Variable) -> str:
    kind, bits = TYPES[variable.type].kind, TYPES[variable.type].bits
    allowed = {
        "integer": kind in "bus",
        "float": kind == "b" or variable.type in ("f32", "f64"),
        "address": kind == "u" and bits in (32, 64),
        "mask": kind == "u" and bits in (8, 32, 64),
    }
    for value in _distinct(variable.initializer):
        found, problem = _value_kind(scope, value)
        if problem:
            return problem
        if not allowed[found]:
            return f"{_WHAT[found]} such as {value} cannot be the value of a .{variable.type}"
    return ""


def _value_kind(scope: Scope, value: Value) -> tuple[str, str]:
    """Which kind of value it is, and what is wrong with it in any case."""
    if isinstance(value, Integer):
        return "integer", ""
    if isinstance(value, Float):
        return "float", ""
    if isinstance(value, AddressByte):
        problem = "" if value.mask.value in _MASKS else f"{value.mask} selects no byte"
        return "mask", problem or _name_problem(scope, value.address)
    if isinstance(value, Symbol | GenericAddress):
        return "address", _name_problem(scope, value)
    if isinstance(value, Field | ValueList):
        return "", f"'{value}' is not a value: only .texref, .samplerref and .surfref have fields"
    try:
        constant = value.value
    except PtxSyntaxError as error:
        return "", error.message
    return ("float" if isinstance(constant, float) else "integer"), ""


def _name_problem(scope: Scope, address: Symbol | GenericAddress) -> str:
    generic = isinstance(address, GenericAddress)
    symbol = address.symbol if generic else address
    declared = scope.find(symbol.name)
    if declared is None:
        return f"'{symbol.name}' is not declared before it"
    if declared.kind == "func":
        alone = not generic and not symbol.offset and not symbol.zero
        return "" if alone else f"write only the name of function '{symbol.name}'"
    if declared.kind not in ("var", "param"):
        return f"'{symbol.name}' is neither a variable nor a function"
    if declared.space not in ("global", "const"):
        return f"'{symbol.name}' is in .{declared.space}: only addresses in .global and .const are constant"
    return ""
