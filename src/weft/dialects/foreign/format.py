"""MLIR's declarative formats: their elements, read from the text of a format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from weft.dataclass import dataclass

DYNAMIC = -(1 << 63)
"""What is in a list of numbers where an operand counts."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A word or punctuation."""

    text: str


@dataclass(frozen=True, slots=True)
class Space:
    """A space, or none, where the printer would do otherwise."""

    text: str


@dataclass(frozen=True, slots=True)
class Variable:
    """`$name`: an operand, attribute, region or successor."""

    name: str


@dataclass(frozen=True, slots=True)
class Directive:
    """`name`, `name(arguments)` or `custom<name>(arguments)`."""

    name: str
    arguments: Sequence[Element] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """An optional group, or the alternatives of an `oilist`: a list of elements each, and what decides for it."""

    elements: Sequence[Element]
    anchor: Element | None
    otherwise: Sequence[Element] = ()


@dataclass(frozen=True, slots=True)
class AnyOrder:
    """`oilist`: clauses that may be in any order, each at most once."""

    clauses: Sequence[Sequence[Element]]


Element = Literal | Space | Variable | Directive | Group | AnyOrder

_WITH_ARGUMENTS = frozenset({"functional-type", "qualified", "ref", "type"})
_TOKEN = re.compile(r"`[^`]*`|\$\w+|[\w-]+(?:<\w+>)?|[()?:^|,]|\"[^\"]*\"")


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)
        self.index = 0
        self.anchor: Element | None = None

    def take(self, token: str) -> bool:
        found = self.index < len(self.tokens) and self.tokens[self.index] == token
        self.index += found
        return found

    def until(self, *ends: str) -> list[Element]:
        found: list[Element] = []
        while self.index < len(self.tokens) and self.tokens[self.index] not in ends:
            found.append(self.element())
            if self.take("^"):
                self.anchor = found[-1]
        return found

    def element(self) -> Element:
        token = self.tokens[self.index]
        self.index += 1
        if token.startswith("`"):
            text = token[1:-1]
            return Literal(text) if text.strip() else Space(text)
        if token.startswith("$"):
            return Variable(token[1:])
        if token == "(":
            return self.group()
        if token == "oilist":
            self.take("(")
            clauses = [self.until("|", ")")]
            while self.take("|"):
                clauses.append(self.until("|", ")"))
            self.take(")")
            return AnyOrder(clauses)
        if token.startswith('"'):
            return Literal(token[1:-1])
        arguments: list[Element] = []
        if (token in _WITH_ARGUMENTS or token.startswith("custom<")) and self.take("("):
            while not self.take(")"):
                arguments.append(self.element())
                self.take(",")
        return Directive(token, tuple(arguments))

    def group(self) -> Group:
        outer, self.anchor = self.anchor, None
        elements = self.until(")")
        self.take(")")
        otherwise: list[Element] = []
        if self.take(":"):
            self.take("(")
            otherwise = self.until(")")
            self.take(")")
        self.take("?")
        anchor, self.anchor = self.anchor, outer
        return Group(elements, anchor, otherwise)


@cache
def elements(text: str) -> Sequence[Element]:
    """The elements of a format."""
    return _Reader(text).until()
