"""Reading modules from JSON: `weft.from_json`; `docs/ptx.schema.json` is the schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from weft.collecting import paused
from weft.errors import JsonError
from weft.isa.opcode import decode
from weft.ptx.ast import Block, Function, Instruction, Module, Section
from weft.ptx.constants import literal
from weft.ptx.lexical import NUMBER
from weft.ptx.operands import Float, Integer, Register
from weft.ptx.tree_kinds import FIELDS, ITEMS, MOST_BITS, NUMBERS, VERSION, Many, One, defaults

_VERSION = re.compile(r"(\d{1,4})\.(\d{1,4})", re.ASCII)
_LITERAL = re.compile(rf"([-+]?)({NUMBER}|WARP_SZ)", re.ASCII)
HOLDERS: Mapping[str, type[Any]] = {cls.holder: cls for cls in (Block, Function, Section)}
"""The classes of nodes that hold others, by their kinds."""


def from_json(text: str | bytes) -> Module:
    """Load a module from the JSON of `Module.to_json`; it equals the original.

    Raises:
        JsonError: the text is not JSON, or not that of a module; with the path to the part that is wrong.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise JsonError(f"the text is not JSON: {error}") from None
    with paused():
        try:
            return _Reader().module(data)
        except RecursionError:
            raise JsonError("the module nests too deeply for JSON") from None


class _Reader:
    def __init__(self) -> None:
        self.made: dict[tuple[Any, ...], Any] = {}
        self.readers: dict[str, Callable[[dict[str, Any], str], Any]] = {
            "instruction": self.instruction,
            "register": self.register,
            "integer": self.integer,
            "float": self.float,
            "section": self.section,
        }
        self.left_out = {kind: defaults(cls or HOLDERS[kind]) for kind, (cls, _) in FIELDS.items()}

    def module(self, data: Any) -> Module:
        path = "module"
        data = _object(data, path)
        if data.get("kind") != "module":
            raise JsonError(f"{path}: expected an object of kind 'module', found {_shown(data)}")
        if data.get("schema") != VERSION:
            raise JsonError(
                f"{path}: unknown schema {data.get('schema')!r}", hint=f"this version of weft reads schema {VERSION}"
            )
        version = _VERSION.fullmatch(self._value(data, "version", str, path))
        if version is None:
            raise JsonError(f"{path}.version: must be written like 8.0")
        size: Any = data.get("address_size")
        if size not in (None, 32, 64):
            raise JsonError(f"{path}.address_size: must be 32, 64 or null")
        targets = self._plain_list(data.get("targets"), str, f"{path}.targets")
        if not targets:
            raise JsonError(f"{path}.targets: must contain at least one target")
        banner = self._plain_list(data.get("banner", []), str, f"{path}.banner")
        self._known(data, {"kind", "schema", "version", "targets", "address_size", "banner", "items"}, path)
        items = [self.node(item, ITEMS, f"{path}.items[{i}]") for i, item in enumerate(self._list(data, "items", path))]
        return Module((int(version[1]), int(version[2])), tuple(targets), size, items, tuple(banner), "<json>")

    # ---- nodes ----

    def node(self, data: Any, kinds: tuple[str, ...], path: str) -> Any:
        found = _object(data, path)
        kind = found.get("kind")
        if kind not in kinds:
            raise JsonError(f"{path}: kind {_shown(kind)} is not allowed here", hint=f"use one of {', '.join(kinds)}")
        reader = self.readers.get(kind)
        return self.generic(found, path) if reader is None else reader(found, path)

    def generic(self, data: dict[str, Any], path: str) -> Any:
        kind = data["kind"]
        cls, shapes = FIELDS[kind]
        self._known(data, shapes.keys() | {"kind"}, path)
        values: dict[str, Any] = {}
        for name, shape in shapes.items():
            if name in data:
                values[name] = self._field(kind, shape, data[name], f"{path}.{name}")
            elif name not in self.left_out[kind]:
                raise JsonError(f"{path}: a {kind} needs '{name}'")
        return (cls or HOLDERS[kind])(**values)

    def _field(self, kind: str, shape: Any, value: Any, path: str) -> Any:
        if isinstance(shape, One):
            return self.node(value, shape.kinds, path)
        if not isinstance(shape, Many):
            if not _is(value, shape):
                raise JsonError(f"{path}: expected {_WHAT[shape]}, found {_shown(value)}")
            return value
        found = _listed(value, path)
        if isinstance(shape.kinds, type):
            if shape.kinds is list:
                return tuple(self._counted(entry, f"{path}[{i}]") for i, entry in enumerate(found))
            return tuple(self._plain_list(found, shape.kinds, path))
        plain = kind in NUMBERS
        return shape.container(
            [
                self._number(entry) if plain and type(entry) is int else self.node(entry, shape.kinds, f"{path}[{i}]")
                for i, entry in enumerate(found)
            ]
        )

    def _number(self, value: int) -> Integer:
        found = self.made.get((value,))
        if found is None:
            found = self.made[value,] = Integer(value, _decimal(value))
        return found

    def instruction(self, data: dict[str, Any], path: str) -> Instruction:
        shapes = FIELDS["instruction"][1]
        self._known(data, shapes.keys() | {"kind"}, path)
        operands, guard = data.get("operands", []), data.get("guard")
        return Instruction(
            decode(self._value(data, "opcode", str, path)),
            self._field("instruction", shapes["operands"], operands, f"{path}.operands"),
            None if guard is None else self.node(guard, ("guard",), f"{path}.guard"),
        )

    def register(self, data: dict[str, Any], path: str) -> Register:
        name = self._value(data, "name", str, path)
        found = self.made.get(("register", name))
        if found is None:
            found = self.made["register", name] = Register(name)
        return found

    def integer(self, data: dict[str, Any], path: str) -> Integer:
        self._known(data, {"kind", "value", "text"}, path)
        if "text" not in data:
            return self._number(self._value(data, "value", int, path))
        text = self._value(data, "text", str, path)
        found = _literal(text)
        if not isinstance(found, Integer) or found.value != data.get("value", found.value):
            raise JsonError(f"{path}.text: {_shown(text)} does not spell that integer")
        return found

    def float(self, data: dict[str, Any], path: str) -> Float:
        text = self._value(data, "text", str, path)
        found = _literal(text)
        if not isinstance(found, Float):
            raise JsonError(f"{path}.text: {_shown(text)} is not a floating-point literal")
        return found

    def section(self, data: dict[str, Any], path: str) -> Section:
        items = [self.node(item, ("data", "label"), f"{path}.items[{i}]")
                 for i, item in enumerate(self._list(data, "items", path))]  # fmt: skip
        return Section.of(self._value(data, "name", str, path), items)

    # ---- plain values ----

    def _counted(self, entry: Any, path: str) -> tuple[str, int]:
        found = _object(entry, path)
        return self._value(found, "name", str, path), self._value(found, "count", int, path)

    def _known(self, data: dict[str, Any], names: set[str], path: str) -> None:
        for name in data:
            if name not in names:
                raise JsonError(f"{path}: unknown field '{name}'", hint=f"use one of {', '.join(sorted(names))}")

    def _value(self, data: dict[str, Any], name: str, kind: type, path: str) -> Any:
        value = data.get(name)
        if not _is(value, kind):
            raise JsonError(f"{path}.{name}: expected {_WHAT[kind]}, found {_shown(value)}")
        return value

    def _list(self, data: dict[str, Any], name: str, path: str) -> list[Any]:
        return _listed(data.get(name), f"{path}.{name}")

    def _plain_list(self, value: Any, kind: type, path: str) -> list[Any]:
        found = _listed(value, path)
        for index, entry in enumerate(found):
            if not _is(entry, kind):
                raise JsonError(f"{path}[{index}]: expected {_WHAT[kind]}, found {_shown(entry)}")
        return found


_WHAT: dict[type, str] = {str: "a text", int: "an integer", bool: "true or false", float: "a number"}


def _is(value: Any, kind: type) -> bool:
    if kind is int:
        return type(value) is int
    return type(value) in (int, float) if kind is float else type(value) is kind


def _object(value: Any, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise JsonError(f"{path}: expected an object, found {_shown(value)}")
    return value  # pyright: ignore[reportUnknownVariableType]


def _listed(value: Any, path: str) -> list[Any]:
    if not isinstance(value, list):
        raise JsonError(f"{path}: expected a list, found {_shown(value)}")
    return value  # pyright: ignore[reportUnknownVariableType]


def _literal(text: str) -> Integer | Float | None:
    """The literal of a text with its sign; None when it is none."""
    match = _LITERAL.fullmatch(text)
    return None if match is None else literal(match[2], match[1])


def _decimal(value: int) -> str:
    if value.bit_length() > MOST_BITS:
        raise JsonError(f"an integer has more than {MOST_BITS} bits")
    return str(value)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
