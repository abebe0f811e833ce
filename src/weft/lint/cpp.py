"""What the C++ around a statement says of its operands: the types of plain variables, and which are pointers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from weft.lint.statements import Operand, Statement
from weft.places import Token

_BITS = {
    "char": 8, "bool": 8, "int8_t": 8, "uint8_t": 8, "short": 16, "int16_t": 16, "uint16_t": 16, "int": 32,
    "unsigned": 32, "signed": 32, "int32_t": 32, "uint32_t": 32, "float": 32, "double": 64, "int64_t": 64,
    "uint64_t": 64, "size_t": 64, "uintptr_t": 64, "intptr_t": 64, "long long": 64,
}  # fmt: skip
"""Widths of the built-in types that are the same on every host."""
_FLOATING = {"float", "double"}
_WORDS = r"(?:(?:const|volatile|constexpr|static|register)\b\s*)*"
_TYPE = (
    r"(?P<type>(?:::|\bstd::|\bcuda::std::)?\b(?:(?:unsigned|signed)\s+)?"
    r"(?:long\s+long(?:\s+int)?|[A-Za-z_]\w*(?:::\w+)*(?:<[^<>;{}]*>)?))"
)
_TO_INTEGER = {"uint64_t", "int64_t", "size_t", "uintptr_t", "intptr_t", "uint32_t", "int32_t", "unsigned", "int"}
_NOT_TYPES = {"return", "delete", "new", "throw", "else", "case", "goto", "typename", "sizeof", "using", "namespace"}


class Declared(NamedTuple):
    """A variable's declaration: the name of its type, and whether it is a pointer (arrays are)."""

    type: str
    pointer: bool


_QUALIFIERS = r"(?:\s*(?:const|volatile|__restrict__|__restrict|restrict)\b)*"
_DECLARATION = re.compile(
    rf"(?:^|(?<=[;{{}}(,]))\s*{_WORDS}{_TYPE}\s*(?:const\b\s*)?(?P<stars>[*&\s]*){_QUALIFIERS}"
    rf"\s*\b(?P<name>[A-Za-z_]\w*)\s*(?P<extent>\[)?(?=[\s,;=)\[({{])",
    re.MULTILINE,
)


class Surroundings:
    """The declarations of variables in the functions of a text, read when one is asked for."""

    def __init__(self, text: str, statements: Iterable[Statement]) -> None:
        self._text = text
        self._last: dict[int, int] = {}
        for statement in statements:
            self._last[statement.function] = max(statement.start, self._last.get(statement.function, 0))
        self._declared: dict[int, dict[str, list[tuple[int, Declared]]]] = {}

    def declaration(self, statement: Statement, name: str) -> Declared | None:
        """The one declaration of a variable in the function before a statement; None when none or several are seen.

        Several shadow one another, or stand in different branches of the preprocessor.
        """
        function = statement.function
        if function < 0:
            return None
        if function not in self._declared:
            self._declared[function] = self._read(function)
        found = [one for start, one in self._declared[function].get(name, ()) if start < statement.start]
        return found[0] if len(found) == 1 else None

    def _read(self, brace: int) -> dict[str, list[tuple[int, Declared]]]:
        limit = max(0, brace - 20_000)
        before = max(self._text.rfind(sign, limit, brace) for sign in (";", "}", "{", "\n\n")) + 1
        found: dict[str, list[tuple[int, Declared]]] = {}
        for match in _DECLARATION.finditer(self._text, max(limit, before), self._last[brace]):
            words, stars = match["type"].split(), match["stars"]
            if words[0] in _NOT_TYPES or (not stars and match.end("type") == match.start("name")):
                continue
            if match.start() >= brace and self._text[match.start() - 1] in "(,":
                continue  # An argument of a call: `f(a * b)` declares nothing.
            type_ = " ".join(words).removeprefix("::").removeprefix("cuda::").removeprefix("std::")
            one = Declared(type_, "*" in stars or bool(match["extent"]))
            found.setdefault(match["name"], []).append((match.start(), one))
        return found


def _bits(declared: Declared) -> int:
    """The width of a variable of a built-in type; 0 for others."""
    if declared.pointer:
        return 64
    words = declared.type.removeprefix("cuda::std::").split()
    if words[:1] in (["unsigned"], ["signed"]) and len(words) > 1:
        words = words[1:]
    return _BITS.get("long long" if words[:2] == ["long", "long"] else " ".join(words), 0)


def _core(expression: tuple[Token, ...]) -> tuple[str, bool, str]:
    """The variable in an expression that is one: its name, whether its address is taken, the last cast's type."""
    words = [token.text for token in expression]
    cast = ""
    while words:
        if len(words) > 3 and words[0] in ("reinterpret_cast", "static_cast") and words[1] == "<" and ">" in words:
            closing = words.index(">")
            cast, words = cast or " ".join(words[2:closing]), words[closing + 1 :]
        elif words[0] == "(" and words[-1] == ")":
            words = words[1:-1]
        elif words[0] == "(" and ")" in words and words.index(")") < len(words) - 1:
            closing = words.index(")")
            cast, words = cast or " ".join(words[1:closing]), words[closing + 1 :]
        else:
            break
    if len(words) == 2 and words[0] == "&" and words[1].isidentifier():
        return words[1], True, cast
    if len(words) == 1 and words[0].isidentifier():
        return words[0], False, cast
    return "", False, cast


def is_generic_pointer(around: Surroundings, statement: Statement, operand: Operand) -> bool:
    """Whether an operand is a C++ pointer, or one cast to an integer: a generic address, whatever it points to."""
    name, taken, cast = _core(operand.expression)
    if not name or (cast and not taken and cast.rpartition("::")[2] not in _TO_INTEGER and "*" not in cast):
        return False
    if taken:
        return True
    declared = around.declaration(statement, name)
    return declared is not None and declared.pointer


def width_problem(around: Surroundings, statement: Statement, operand: Operand, register: str) -> str:
    """What is wrong with the type of a plain variable in a register of type `register`; empty when nothing is."""
    name, taken, cast = _core(operand.expression)
    if not name or taken or cast:
        return ""
    declared = around.declaration(statement, name)
    bits = 0 if declared is None else _bits(declared)
    wanted = {"b16": 16, "b32": 32, "b64": 64, "f32": 32, "f64": 64, "b128": 128}.get(register, 0)
    if declared is None or not bits or not wanted or bits < 16:
        return ""
    floating, needs = declared.type in _FLOATING and not declared.pointer, register[0] == "f"
    if bits == wanted and floating == needs:
        return ""
    what = f"'{name}' is a pointer of 64 bits" if declared.pointer else f"'{name}' is {declared.type}, of {bits} bits"
    return what
