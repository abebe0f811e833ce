"""Initial values of variables: how they nest, what kinds of values a type takes, and which names may stand in them.

Sources: PTX manual, section "Variable Declarations: Initializers"; the refusals are ptxas's own.
"""

from __future__ import annotations

import re

from weft.errors import PtxSyntaxError
from weft.isa.types import TYPES
from weft.ptx.ast import Variable
from weft.ptx.constants import read_constant
from weft.ptx.lexical import Cursor
from weft.ptx.values import ValueList
from weft.ptx.verifier.context import Scope

_TOKEN = re.compile(r"[{}]|[^{},]+")
_INTEGER = re.compile(r"-?(?:0[xX][0-9A-Fa-f]++|\d++)U?", re.ASCII)
_MASKED = re.compile(r"(0[xX][0-9A-Fa-f]++)\((.*)\)", re.ASCII | re.DOTALL)
_NAMED = re.compile(r"(generic\()?([A-Za-z_$%][\w$]*+)\)?(\+.*)?", re.ASCII | re.DOTALL)
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

    `scope` holds the names that stand before the variable, and the variable's own.
    """
    if variable.count:
        return "a name with a count has no initial value"
    if variable.type in _FIELDS:
        return _field_problem(variable)
    return _shape_problem(variable) or _values_problem(scope, variable)


def _field_problem(variable: Variable) -> str:
    fields = _FIELDS[variable.type]
    for token in _TOKEN.findall(str(variable.initializer)):
        name, equals, _ = token.strip().partition(" = ")
        if name not in "{}" and (not equals or name not in fields):
            return f"'{name}' is not a field of a .{variable.type}"
    return "" if isinstance(variable.initializer, ValueList) else f"a .{variable.type} is set by fields in braces"


def _shape_problem(variable: Variable) -> str:
    """Braces nest as the extents do; a vector's own braces are the innermost and hold all of its elements."""
    elements = int(variable.vector[1:]) if variable.vector else 0
    extents = [*variable.dims, *([elements] if elements else [])]
    exact = len(variable.dims)  # the depth of a vector's elements
    open_: list[int] = []
    for token in _TOKEN.findall(str(variable.initializer)):
        depth = len(open_)
        if token == "}":
            count = open_.pop()
            if depth - 1 == exact and count != elements:
                return f"a .{variable.vector} has {elements} elements, {count} given"
            if not count and extents[depth - 1] <= 0:
                return "an array without an extent needs values"
            continue
        if not token.strip():
            continue
        if open_:
            open_[-1] += 1
            most = extents[depth - 1]
            if 0 < most < open_[-1] and depth - 1 != exact:
                return f"more than {most} values for an extent of {most}"
        if token == "{":
            if depth >= len(extents):
                return "braces where a value should stand"
            open_.append(0)
        elif depth < len(extents):
            return "a value where braces should stand"
    return ""


def _values_problem(scope: Scope, variable: Variable) -> str:
    kind, bits = TYPES[variable.type].kind, TYPES[variable.type].bits
    allowed = {
        "integer": kind in "bus",
        "float": kind == "b" or variable.type in ("f32", "f64"),
        "address": kind == "u" and bits in (32, 64),
        "mask": kind == "u" and bits in (8, 32, 64),
    }
    for token in dict.fromkeys(_TOKEN.findall(str(variable.initializer))):
        value = token.strip()
        if not value or value in "{}":
            continue
        found, problem = _value_kind(scope, value)
        if problem:
            return problem
        if not allowed[found]:
            return f"{_WHAT[found]} such as {value} cannot be the value of a .{variable.type}"
    return ""


def _value_kind(scope: Scope, value: str) -> tuple[str, str]:
    """Which kind of value a text is, and what is wrong with it in any case."""
    if _INTEGER.fullmatch(value) is not None:
        return "integer", ""
    masked = _MASKED.fullmatch(value)
    if masked is not None:
        problem = "" if int(masked[1], 16) in _MASKS else f"{masked[1]} selects no byte"
        return "mask", problem or _name_problem(scope, masked[2])
    if _NAMED.fullmatch(value) is not None and value != "WARP_SZ":
        return "address", _name_problem(scope, value)
    try:
        constant, _ = read_constant(Cursor(value))
    except PtxSyntaxError as error:
        return "", str(error)
    return ("float" if isinstance(constant, float) else "integer"), ""


def _name_problem(scope: Scope, value: str) -> str:
    match = _NAMED.fullmatch(value)
    if match is None:
        return f"'{value}' is not an address"
    generic, name, offset = match.groups()
    declared = scope.find(name)
    if declared is None:
        return f"'{name}' is not declared before it"
    if declared.kind == "func":
        return f"function '{name}' stands by its name alone" if generic or offset else ""
    if declared.kind not in ("var", "param"):
        return f"'{name}' is neither a variable nor a function"
    if declared.space not in ("global", "const"):
        return f"'{name}' is in .{declared.space}: only addresses in .global and .const are known"
    if offset and isinstance(read_constant(Cursor(offset[1:]))[0], float):
        return f"the offset in '{value}' is not an integer"
    return ""
