"""Writing modules as JSON: `Module.to_json`; `docs/ptx.schema.json` is the schema.

Every node is an object with a `kind` and its fields; fields that hold their default are left out. Positions, the
source text and the file's name are not kept.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from weft.collecting import paused
from weft.errors import JsonError
from weft.isa.opcode import Opcode
from weft.ptx.body_nodes import Instruction
from weft.ptx.debug_nodes import Data
from weft.ptx.node import Node
from weft.ptx.operands import Float, Integer, Register
from weft.ptx.tree_kinds import FIELDS, KINDS, MOST_BITS, MOST_NESTED, NUMBERS, VERSION, Many, One, defaults

if TYPE_CHECKING:
    from weft.ptx.ast import Module, Section

_quoted = json.encoder.encode_basestring_ascii


def to_json(module: Module, *, indent: bool = False) -> str:
    """The module's JSON text; `indent` puts items and statements on lines of their own. Raises JsonError."""
    writer = _Writer("\n" if indent else "")
    with paused():
        return writer.module(module)


class _Writer:
    """Makes text straight away; the texts of operands are kept by identity, as the parser shares them."""

    def __init__(self, newline: str) -> None:
        self.newline = newline
        self.lists: dict[int, str] = {}
        self.known: dict[int, str] = {}
        self.heads: dict[Opcode, str] = {}
        self.plans: dict[type[Any], tuple[str, Mapping[str, Any], Mapping[str, Any]]] = {}

    def module(self, module: Module) -> str:
        version = f"{module.version[0]}.{module.version[1]}"
        banner = f',"banner":{json.dumps(list(module.banner))}' if module.banner else ""
        items = f",{self.newline}".join(self.node(item, 0) for item in module.items)
        return (
            f'{{"kind":"module","schema":{VERSION},"version":"{version}","targets":{json.dumps(list(module.targets))},'
            f'"address_size":{json.dumps(module.address_size)}{banner},"items":[{self.newline}{items}]}}\n'
        )

    def instruction(self, instruction: Instruction) -> str:
        operands = instruction.operands
        text = self.lists.get(id(operands))
        if text is None:
            text = ",".join([self.operand(operand) for operand in operands])
            text = self.lists[id(operands)] = f',"operands":[{text}]' if text else ""
        head = self.heads.get(instruction.opcode)
        if head is None:
            opcode = _quoted(instruction.opcode.written)
            head = self.heads[instruction.opcode] = f'{{"kind":"instruction","opcode":{opcode}'
        if instruction.guard is None:
            return f"{head}{text}}}"
        return f'{head}{text},"guard":{self.node(instruction.guard, 0)}}}'

    def operand(self, operand: Any) -> str:
        text = self.known.get(id(operand))
        if text is None:
            text = self.known[id(operand)] = self.node(operand, 0)
        return text

    def node(self, node: Any, depth: int) -> str:
        if type(node) is Instruction:
            return self.instruction(node)
        if type(node) is Register:
            return f'{{"kind":"register","name":{_quoted(node.name)}}}'
        if depth > MOST_NESTED:
            raise JsonError("the module nests too deeply for JSON", hint="use to_bytes, which supports any nesting")
        kind, shapes, left_out = self.plans.get(type(node)) or self._plan(type(node))  # pyright: ignore[reportUnknownArgumentType]
        if kind == "section":
            return self.section(node)
        parts = [f'"kind":"{kind}"']
        for name, shape in shapes.items():
            value = getattr(node, name)
            if name == "opcode":
                value = value.written
            if name in left_out and value == left_out[name]:
                continue
            if kind in ("integer", "float") and not self._number_field(node, name):
                continue
            parts.append(f'"{name}":{self._field(kind, name, shape, value, depth)}')
        return f"{{{','.join(parts)}}}"

    def _plan(self, cls: type[Any]) -> tuple[str, Mapping[str, Any], Mapping[str, Any]]:
        """The kind of a node of a class, its fields, and those that may be left out."""
        kind = cls.holder if issubclass(cls, Node) else ""
        kind = kind or next((KINDS[base] for base in cls.__mro__ if base in KINDS), "")
        if not kind:
            raise JsonError(f"a {cls.__name__} cannot be written as JSON")
        found = self.plans[cls] = kind, FIELDS[kind][1], defaults(cls)
        return found

    @staticmethod
    def _number_field(node: Integer | Float, name: str) -> bool:
        if name == "value":
            return node.value.bit_length() <= MOST_BITS if isinstance(node, Integer) else math.isfinite(node.value)
        if isinstance(node, Float) or node.value.bit_length() > MOST_BITS:
            return True
        return node.text != str(node.value)

    def _field(self, kind: str, name: str, shape: Any, value: Any, depth: int) -> str:
        if isinstance(shape, One):
            return self.node(value, depth + 1)
        if not isinstance(shape, Many):
            return _quoted(value) if shape is str else json.dumps(value)
        if isinstance(shape.kinds, type):
            if shape.kinds is list:
                return json.dumps([{"name": each, "count": count} for each, count in value], separators=(",", ":"))
            return json.dumps(list(value), separators=(",", ":"))
        separator = f",{self.newline}" if name == "body" else ","
        if kind in NUMBERS:
            return f"[{separator.join([self._plain(element, depth + 1) for element in value])}]"
        return f"[{separator.join([self.node(element, depth + 1) for element in value])}]"

    def _plain(self, value: Any, depth: int) -> str:
        if type(value) is Integer and value.text == str(value.value):
            return value.text
        return self.node(value, depth)

    def section(self, section: Section) -> str:
        known: dict[int, str] = {}
        parts: list[str] = []
        for item in section.items:
            if isinstance(item, Data):
                text = known.get(id(item))
                if text is None:
                    text = known[id(item)] = self.node(item, 0)
                parts.append(text)
            else:
                parts.append(f'{{"kind":"label","name":{_quoted(item.name)}}}')
        return f'{{"kind":"section","name":{_quoted(section.name)},"items":[{",".join(parts)}]}}'
