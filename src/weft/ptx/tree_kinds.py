"""The kinds of nodes in JSON: the one table that the writer, the reader and the schema are made from."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

from weft.ptx.body_nodes import (
    Guard,
    Instruction,
    Label,
    Parameter,
    PointerAttribute,
    RegisterDeclaration,
    Variable,
)
from weft.ptx.debug_nodes import Data, LabelSum
from weft.ptx.directive_nodes import (
    Alias,
    Attribute,
    CallPrototype,
    DwarfLine,
    File,
    FunctionDirective,
    Inlined,
    Loc,
    Pragma,
    SourceLocation,
    Target,
    TargetList,
)
from weft.ptx.operands import (
    Address,
    Arguments,
    Element,
    Expression,
    Float,
    Integer,
    Negated,
    Pair,
    Register,
    Sink,
    Symbol,
    Vector,
)
from weft.ptx.values import AddressByte, Field, GenericAddress, ValueList, Word

VERSION = 1
"""Of the format: a reader of one version reads what writers of that version write."""

MOST_NESTED = 200
"""Scopes inside scopes, or lists inside lists, that JSON is written and read for: readers recurse."""


class One(NamedTuple):
    """A node of one of these kinds."""

    kinds: tuple[str, ...]


class Many(NamedTuple):
    """A list of nodes of these kinds, or of plain values."""

    kinds: tuple[str, ...] | type
    container: type = tuple


MOST_BITS = 128
"""Of an integer that is written as a number."""

Shape = type | One | Many

OPERANDS = (
    "register", "integer", "float", "symbol", "expression", "sink", "negated", "pair", "vector", "address", "element",
    "arguments",
)  # fmt: skip
VALUES = ("integer", "float", "expression", "symbol", "generic", "byte", "field", "list")
DIRECTIVES = ("loc", "file", "pragma", "alias", "directive", "dwarf")
STATEMENTS = ("instruction", "label", "registers", "variable", *DIRECTIVES, "targets", "prototype", "block")
ITEMS = ("function", "variable", *DIRECTIVES, "section")
_CONSTANTS = ("integer", "float", "expression")
_PARAMETERS = Many(("parameter",), list)

FIELDS: dict[str, tuple[type[Any] | None, dict[str, Shape]]] = {
    "register": (Register, {"name": str}),
    "integer": (Integer, {"value": int, "text": str}),
    "float": (Float, {"value": float, "text": str}),
    "symbol": (Symbol, {"name": str, "offset": int, "zero": bool}),
    "expression": (Expression, {"text": str}),
    "sink": (Sink, {}),
    "negated": (Negated, {"operand": One(OPERANDS), "operator": str}),
    "pair": (Pair, {"first": One(OPERANDS), "second": One(OPERANDS)}),
    "vector": (Vector, {"elements": Many(OPERANDS)}),
    "address": (
        Address,
        {"base": One(OPERANDS), "offset": int, "rest": Many(OPERANDS), "unified": bool, "zero": bool},
    ),
    "element": (Element, {"array": str, "index": One(OPERANDS)}),
    "arguments": (Arguments, {"elements": Many(OPERANDS)}),
    "guard": (Guard, {"register": One(("register",)), "negated": bool}),
    "instruction": (Instruction, {"opcode": str, "operands": Many(OPERANDS), "guard": One(("guard",))}),
    "label": (Label, {"name": str}),
    "registers": (RegisterDeclaration, {"type": str, "names": Many(list), "vector": str}),
    "variable": (
        Variable,
        {
            "space": str, "type": str, "name": str, "align": int, "vector": str, "dims": Many(int),
            "initializer": One(VALUES), "linkage": str, "attributes": Many(("attribute",)), "count": int,
        },
    ),
    "pointer": (PointerAttribute, {"space": str, "align": int}),
    "parameter": (
        Parameter,
        {
            "type": str, "name": str, "align": int, "dims": Many(int), "vector": str, "space": str,
            "pointer": One(("pointer",)),
        },
    ),
    "attribute": (Attribute, {"name": str, "values": Many(int)}),
    "location": (SourceLocation, {"file": int, "line": int, "column": int, "inlined": One(("inlined",))}),
    "inlined": (Inlined, {"function": str, "offset": int, "file": int, "line": int, "column": int}),
    "loc": (Loc, {"location": One(("location",))}),
    "file": (File, {"number": int, "path": str, "timestamp": int, "size": int}),
    "pragma": (Pragma, {"texts": Many(str)}),
    "alias": (Alias, {"alias": str, "target": str}),
    "directive": (FunctionDirective, {"name": str, "values": Many(int)}),
    "dwarf": (DwarfLine, {"text": str}),
    "target": (Target, {"name": str, "count": int}),
    "targets": (TargetList, {"label": str, "name": str, "targets": Many(("target",))}),
    "prototype": (
        CallPrototype,
        {"label": str, "returns": _PARAMETERS, "parameters": _PARAMETERS, "directives": Many(("directive",))},
    ),
    "block": (None, {"body": Many(STATEMENTS, list)}),
    "function": (
        None,
        {
            "name": str, "kernel": bool, "parameters": _PARAMETERS, "returns": _PARAMETERS, "linkage": str,
            "directives": Many(("directive", "pragma"), list), "body": Many(STATEMENTS, list),
            "attributes": Many(("attribute",)),
        },
    ),
    "data": (Data, {"type": str, "values": Many(("integer", "symbol", "sum"))}),
    "sum": (LabelSum, {"label": str, "operator": str, "operand": One(("integer", "symbol"))}),
    "section": (None, {"name": str, "items": Many(("data", "label"))}),
    "list": (ValueList, {"elements": Many(VALUES)}),
    "generic": (GenericAddress, {"symbol": One(("symbol",))}),
    "byte": (AddressByte, {"mask": One(("integer",)), "address": One(("symbol", "generic"))}),
    "word": (Word, {"text": str}),
    "field": (Field, {"name": str, "value": One(("word", *_CONSTANTS))}),
}  # fmt: skip
"""Each kind's class and fields; no class where the kind is that of a node that holds others (`Node.holder`)."""

NUMBERS = frozenset({"data", "list"})
"""Kinds whose integers may be plain numbers: those that are written in decimal."""

KINDS: dict[type[Any], str] = {cls: kind for kind, (cls, _) in FIELDS.items() if cls is not None}

_MISSING = dataclasses.MISSING


def defaults(cls: type[Any]) -> dict[str, Any]:
    """The fields of a class of nodes that may be left out, and what they are then."""
    if not dataclasses.is_dataclass(cls):
        return {}
    found: dict[str, Any] = {}
    for each in dataclasses.fields(cls):
        if each.default is not _MISSING:
            found[each.name] = each.default
        elif each.default_factory is not _MISSING:
            found[each.name] = each.default_factory()
    if cls in (Integer, Float):
        found["text"] = ""
    return found
