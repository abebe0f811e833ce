"""The JSON schema of modules, made from the table of kinds; `docs/ptx.schema.json` is what it makes."""

from __future__ import annotations

from typing import Any

from weft.ptx.tree_json import HOLDERS
from weft.ptx.tree_kinds import (
    FIELDS,
    ITEMS,
    NUMBERS,
    OPERANDS,
    STATEMENTS,
    VALUES,
    VERSION,
    Many,
    One,
    Shape,
    defaults,
)

Json = dict[str, Any]

_PLAIN: dict[type, Json] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    float: {"type": "number"},
}
_COUNTED: Json = {
    "type": "object",
    "required": ["name", "count"],
    "properties": {"name": {"type": "string"}, "count": {"type": "integer", "description": "0: a single register"}},
    "additionalProperties": False,
}


_UNIONS: dict[tuple[str, ...], str] = {OPERANDS: "operand", VALUES: "value", STATEMENTS: "statement", ITEMS: "item"}
"""Choices that have a definition of their own."""


def schema() -> Json:
    """The schema, of draft 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A PTX module, as weft writes it",
        "type": "object",
        "required": ["kind", "schema", "version", "targets", "items"],
        "properties": {
            "kind": {"const": "module"},
            "schema": {"const": VERSION, "description": "the version of this format"},
            "version": {"type": "string", "pattern": r"^[0-9]{1,4}\.[0-9]{1,4}$", "description": "of PTX"},
            "targets": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "address_size": {"enum": [32, 64, None]},
            "banner": {"type": "array", "items": {"type": "string"}},
            "items": {"type": "array", "items": _any(ITEMS)},
        },
        "additionalProperties": False,
        "$defs": {
            **{name: _one_of(kinds) for kinds, name in _UNIONS.items()},
            **{kind: _kind(kind) for kind in FIELDS},
        },
    }


def _kind(kind: str) -> Json:
    cls, shapes = FIELDS[kind]
    cls = cls or HOLDERS[kind]
    left_out = defaults(cls)
    required = [name for name in shapes if name not in left_out]
    if kind == "integer":
        required = []
    elif kind == "float":
        required = ["text"]
    made: Json = {
        "type": "object",
        "description": (cls.__doc__ or "").partition("\n")[0],
        "required": ["kind", *required],
        "properties": {"kind": {"const": kind}, **{name: _shape(kind, shape) for name, shape in shapes.items()}},
        "additionalProperties": False,
    }
    if kind == "integer":
        made["anyOf"] = [{"required": ["value"]}, {"required": ["text"]}]
    return made


def _shape(kind: str, shape: Shape) -> Json:
    if isinstance(shape, One):
        return _any(shape.kinds)
    if not isinstance(shape, Many):
        return _PLAIN[shape]
    if isinstance(shape.kinds, type):
        return {"type": "array", "items": _COUNTED if shape.kinds is list else _PLAIN[shape.kinds]}
    items = _any(shape.kinds)
    if kind in NUMBERS:
        items = {"if": {"type": "object"}, "then": items, "else": {"type": "integer"}}
    return {"type": "array", "items": items}


def _any(kinds: tuple[str, ...]) -> Json:
    """A node of one of these kinds."""
    name = kinds[0] if len(kinds) == 1 else _UNIONS.get(kinds)
    return {"$ref": f"#/$defs/{name}"} if name else _one_of(kinds)


def _one_of(kinds: tuple[str, ...]) -> Json:
    """A choice that the kind decides, so that a validator looks at one definition only."""
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": list(kinds)}},
        "allOf": [
            {"if": {"properties": {"kind": {"const": kind}}}, "then": {"$ref": f"#/$defs/{kind}"}} for kind in kinds
        ],
    }
