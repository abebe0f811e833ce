"""The contents of debug sections as nodes: PTX manual, section "Debugging Directives: .section"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import overload

from weft.dataclass import dataclass
from weft.ptx.body_nodes import Label
from weft.ptx.constants import literal
from weft.ptx.node import Node
from weft.ptx.operands import Integer, Symbol

_SUM = re.compile(r"([^-+]++)([-+])(.+)")


@dataclass(frozen=True, slots=True, repr=False)
class LabelSum(Node):
    """`label+4`, or the difference of two labels of a section, `end-start`."""

    label: str
    operator: str
    operand: Integer | Symbol

    def __str__(self) -> str:
        return f"{self.label}{self.operator}{self.operand}"


DebugValue = Integer | Symbol | LabelSum


@dataclass(frozen=True, slots=True, repr=False)
class Data(Node):
    """`.b8 1, 2, 3`, `.b32 label`, `.b64 end-start`: integers, or one address; `type` is without the dot."""

    type: str
    values: tuple[DebugValue, ...]

    def __str__(self) -> str:
        return f".{self.type} {', '.join(map(str, self.values))}"


DebugItem = Data | Label


class DebugItems(Sequence[DebugItem]):
    """The contents of a section: labels and data, made when they are looked at; equal data share one node."""

    __slots__ = ("_data", "_lines")

    def __init__(self, lines: tuple[str, ...]) -> None:
        self._lines = lines
        self._data: dict[str, Data] = {}

    def _item(self, line: str) -> DebugItem:
        if line[-1] == ":":
            return Label(line[:-1])
        found = self._data.get(line)
        if found is None:
            type_, _, values = line.partition(" ")
            found = self._data[line] = Data(type_[1:], tuple(map(_value, values.split(", "))))
        return found

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[DebugItem]:
        return map(self._item, self._lines)

    @overload
    def __getitem__(self, index: int) -> DebugItem: ...
    @overload
    def __getitem__(self, index: slice) -> list[DebugItem]: ...
    def __getitem__(self, index: int | slice) -> DebugItem | list[DebugItem]:
        if isinstance(index, slice):
            return [self._item(line) for line in self._lines[index]]
        return self._item(self._lines[index])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DebugItems):
            return self._lines == other._lines
        if isinstance(other, list | tuple):
            return list(self) == list[object](other)  # pyright: ignore[reportUnknownArgumentType]
        return NotImplemented

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return f"<{len(self)} items of debug data>"


def _value(text: str) -> DebugValue:
    first = text[0]
    if first.isdigit():
        return literal(text)  # pyright: ignore[reportReturnType]  # the section's pattern knows no floats
    if first == "-":
        return literal(text[1:], "-")  # pyright: ignore[reportReturnType]
    match = _SUM.fullmatch(text)
    if match is None:
        return Symbol(text)
    operand = _value(match[3])
    assert not isinstance(operand, LabelSum)
    return LabelSum(match[1], match[2], operand)
