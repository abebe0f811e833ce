"""What the C++ around a statement says of its operands: the types of plain variables, and which are pointers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import accumulate

from weft.lint.expressions import said_of
from weft.lint.statements import Operand, Statement
from weft.lint.types import Type, named
from weft.places import Token

_WORDS = r"(?:(?:const|volatile|constexpr|static|register)\b\s*)*"
_TYPE = (
    r"(?P<type>(?:::|\bstd::|\bcuda::std::)?\b(?:(?:unsigned|signed)\s+)?"
    r"(?:(?:long\s+long|short)(?:\s+int)?|[A-Za-z_]\w*(?:::\w+)*(?:<[^<>;{}]*>)?))"
)
_TO_INTEGER = {
    "uint64_t", "int64_t", "size_t", "uintptr_t", "intptr_t", "uint32_t", "int32_t", "unsigned", "int",
    "unsigned long long", "long long",
}  # fmt: skip
_NOT_TYPES = {"return", "delete", "new", "throw", "else", "case", "goto", "typename", "sizeof", "using", "namespace"}


_QUALIFIERS = r"(?:\s*(?:const|volatile|__restrict__|__restrict|restrict)\b)*"
_DECLARATION = re.compile(
    rf"(?:^|(?<=[;{{}}(,]))\s*{_WORDS}{_TYPE}\s*(?:const\b\s*)?(?P<stars>[*&\s]*){_QUALIFIERS}"
    rf"\s*\b(?P<name>[A-Za-z_]\w*)(?=[\s,;=)\[({{])",
    re.MULTILINE,
)
_EXTENTS = re.compile(r"(?:\s*\[[^\[\]]*\])*")
_CONSTANT = re.compile(r"\bconst(?:expr)?\b")
_LOOP = re.compile(r"\bfor\s*\(\Z")
_SIGN = re.compile(r"[()\[\]{},;]")
_LONG = 40
_NEXT = re.compile(r"\s*(?P<stars>[*&\s]*)(?P<name>[A-Za-z_]\w*)(?=\s*[,;=\[({])")


_Found = dict[str, list[tuple[int, Type | None]]]
"""The declarations of each name: where they are, and of which type."""


class Surroundings:
    """The declarations of variables in the functions of a text, read when one is asked for."""

    def __init__(self, text: str, statements: Iterable[Statement]) -> None:
        self._text = text
        self._last: dict[int, int] = {}
        for statement in statements:
            self._last[statement.function] = max(statement.start, self._last.get(statement.function, 0))
        self._declared: dict[int, _Found] = {}

    def declaration(self, statement: Statement, name: str) -> Type | None:
        """The type of a variable that the function declares before a statement; None when none or several are seen.

        Several shadow one another, or stand in different branches of the preprocessor.
        """
        function = statement.function
        if function == -1:
            return None
        if function not in self._declared:
            self._declared[function] = self._read(function)
        found = {one for start, one in self._declared[function].get(name, ()) if start < statement.start}
        return found.pop() if len(found) == 1 else None

    def _read(self, brace: int) -> _Found:
        text, limit = self._text, max(0, brace - 20_000)
        before = max(text.rfind(sign, limit, brace) for sign in (";", "}", "{", "\n\n")) + 1
        found: _Found = {}
        for match in _DECLARATION.finditer(text, max(limit, before), self._last[brace]):
            words, stars = match["type"].split(), match["stars"]
            if words[0] in _NOT_TYPES or (not stars and match.end("type") == match.start("name")):
                continue
            inside = match.start() >= brace and text[match.start() - 1] in "(,"
            if inside and not _LOOP.search(text, max(0, match.start() - 9), match.start()):
                continue  # An argument of a call: `f(a * b)` declares nothing.
            varies = match.start() >= brace and _CONSTANT.search(match[0]) is None
            self._add(found, words, match, varies)
            if match.start() >= brace:
                for other in _others(text, match.end(), self._last[brace]):
                    self._add(found, words, other, varies)
        return found

    def _add(self, found: _Found, words: list[str], match: re.Match[str], varies: bool) -> None:
        extents = _EXTENTS.match(self._text, match.end())
        one = named([*words, *("*" * match["stars"].count("*"))])
        for _ in range(extents[0].count("[") if extents is not None else 0):
            one = Type(64, "pointer", one)
        if one is not None and varies:
            one = one._replace(varies=True)
        found.setdefault(match["name"], []).append((match.start(), one))


def _others(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The further names of a declaration, `int a = f(1, 2), *b, c[4];`, from where its first name ends."""
    depth = 0
    for match in _SIGN.finditer(text, start, end):
        sign = match[0]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        if depth < 0 or (sign == ";" and not depth):
            return
        if sign == "," and not depth:
            name = _NEXT.match(text, match.end(), end)
            if name is None:
                return
            yield name


def _core(expression: tuple[Token, ...]) -> tuple[str, bool, str]:
    """The variable in an expression that is one: its name, whether its address is taken, the last cast's type."""
    words = [token.text for token in expression]
    cast = ""
    while words:
        if len(words) > 3 and words[0] in ("reinterpret_cast", "static_cast") and words[1] == "<" and ">" in words:
            closing = words.index(">")
            cast, words = cast or " ".join(words[2:closing]), words[closing + 1 :]
        elif words[0] == "(":
            depths = list(accumulate((word == "(") - (word == ")") for word in words))
            closing = depths.index(0) if 0 in depths else 0
            inside, words = words[1:closing], words[closing + 1 :]
            cast, words = (cast or " ".join(inside), words) if words else (cast, inside)
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
    if not name or (cast and not taken and cast.rpartition("::")[2].strip() not in _TO_INTEGER and "*" not in cast):
        return False
    if taken:
        return True
    declared = around.declaration(statement, name)
    return declared is not None and declared.sort == "pointer"


_WANTED = {"b16": 16, "b32": 32, "b64": 64, "b128": 128, "pred": 8, "f32": 32, "f64": 64}


def operand_problem(around: Surroundings, statement: Statement, operand: Operand, kind: str, output: bool) -> str:
    """What is wrong with an operand's expression for a register, or a constant, of a kind; empty when nothing is known.

    nvcc takes values of just the width of the register, floats in those of floats only, and pointers for integers.
    """
    type_, value, varies = said_of(operand.expression, partial(around.declaration, statement))
    written = _shortened(operand.expression)
    if output and value:
        return f"'{written}' is not an lvalue"
    if kind == "constant" and varies:
        return f"'{written}' is not constant"
    if type_ is None:
        return ""
    if kind == "constant":
        return "" if type_.sort == "integer" else f"'{written}' is {type_}, which is not an integer"
    good = ("float",) if kind.startswith("f") else ("integer", "pointer")
    if type_.sort in good and type_.bits == _WANTED.get(kind, type_.bits):
        return ""
    return f"'{written}' is {type_}"


def _shortened(expression: tuple[Token, ...]) -> str:
    """An expression as it is written, or how it begins."""
    text = ""
    for position, token in enumerate(expression):
        apart = position and expression[position - 1].end != token.start
        text += " " * bool(apart) + token.text
    return text if len(text) <= _LONG else text[: _LONG - 4] + " ..."
