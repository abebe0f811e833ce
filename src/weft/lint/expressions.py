"""The type of a C++ expression, as far as its text and the declarations around it say."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from weft.lint.types import BOOL, CLASS, DOUBLE, INT, SIZE, Type, common, named, promoted
from weft.places import Token

Lookup = Callable[[str], Type | None]
"""What a name was declared as."""
_NUMBER = re.compile(
    r"(?:0x[\da-f']*(?:\.[\da-f']*)?(?:p[+-]?\d+)?|0b[01']+|[\d']*\.?[\d']*(?:e[+-]?\d+)?)([a-z]*)", re.I
)
_JOINED = (
    "<<=",
    ">>=",
    "->*",
    "<<",
    ">>",
    "<=",
    ">=",
    "==",
    "!=",
    "&&",
    "||",
    "++",
    "--",
    "+=",
    "-=",
    "*=",
    "/=",
    "%=",
    "&=",
    "|=",
    "^=",
)
_ASSIGNING = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
_LEVELS: dict[str, int] = {
    **dict.fromkeys((",",), 1), **dict.fromkeys(_ASSIGNING, 2), "?": 3, "||": 4, "&&": 5, "|": 6, "^": 7, "&": 8,
    **dict.fromkeys(("==", "!="), 9), **dict.fromkeys(("<", ">", "<=", ">="), 10), **dict.fromkeys(("<<", ">>"), 11),
    **dict.fromkeys("+-", 12), **dict.fromkeys("*/%", 13),
}  # fmt: skip
_TRUTHS = {"||", "&&", "==", "!=", "<", ">", "<=", ">="}
_CASTS = {"static_cast", "reinterpret_cast", "const_cast"}
_COORDINATES = {"threadIdx", "blockIdx", "blockDim", "gridDim"}
_KNOWN = {"true": BOOL, "false": BOOL, "nullptr": CLASS, "warpSize": INT, **dict.fromkeys(_COORDINATES, CLASS)}
_UNSIGNED, _FLOAT, _LONG = Type(32, name="unsigned"), Type(32, "float", name="float"), Type(64, name="long long")
_RESULTS = {
    **{f"__cvta_generic_to_{space}": SIZE for space in ("shared", "global", "constant", "local", "grid_constant")},
    "clock64": _LONG, "__double_as_longlong": _LONG, "__activemask": _UNSIGNED, "__float_as_uint": _UNSIGNED,
    "__float_as_int": INT, "__int_as_float": _FLOAT, "__uint_as_float": _FLOAT,
}  # fmt: skip
"""What functions of CUDA return whatever they are given."""
_CHARACTERS = {"'": Type(8, name="char"), "u'": Type(16, name="char16_t"), "U'": Type(32, name="char32_t")}
_MOST = 200
"""Tokens of an expression that is looked into."""


class _Unknown(Exception):
    """An expression whose type its text does not say."""


class Said(NamedTuple):
    """What the text of an expression says: its type, whether it is no place to write to, and that it is no constant."""

    type: Type | None = None
    value: bool = False
    varies: bool = False


def said_of(expression: Sequence[Token], lookup: Lookup) -> Said:
    """What an expression is; all of it false where that cannot be told."""
    if len(expression) > _MOST:
        return Said()
    reader = _Reader(_joined(expression), lookup)
    try:
        found = reader.binary(0)
        if reader.position < len(reader.words):
            return Said()
    except (_Unknown, IndexError, RecursionError):
        return Said()
    return Said(found, reader.value, reader.varies)


def _joined(expression: Sequence[Token]) -> list[str]:
    """The words of an expression, with operators of several signs in one."""
    words: list[str] = []
    position = 0
    touching = [one.end == two.start and {one.kind, two.kind} == {"sign"} for one, two in pairwise(expression)]
    touching.append(False)
    while position < len(expression):
        text = expression[position].text
        for length in (3, 2):
            if all(touching[position : position + length - 1]):
                longer = "".join(token.text for token in expression[position : position + length])
                if longer in _JOINED:
                    text = longer
                    position += length - 1
                    break
        words.append(text)
        position += 1
    return words


class _Reader:
    """Reads an expression by the precedence of its operators; `value`: what was read last is a value, and no place."""

    def __init__(self, words: list[str], lookup: Lookup) -> None:
        self.words = words
        self.lookup = lookup
        self.position = 0
        self.value = self.varies = False

    def peek(self) -> str:
        return self.words[self.position] if self.position < len(self.words) else ""

    def take(self, wanted: str = "") -> str:
        word = self.words[self.position]
        if wanted and word != wanted:
            raise _Unknown
        self.position += 1
        return word

    def binary(self, level: int) -> Type | None:
        left = self.unary()
        while (own := _LEVELS.get(self.peek(), 0)) > level or (own == level and own in (2, 3)):
            sign = self.take()
            if sign == "?":
                left = self.choice()
                continue
            right = self.binary(own)
            if sign == ",":
                left = right
            elif sign not in _ASSIGNING:
                left, self.value = _result(sign, left, right), True
            else:
                self.value = False
        return left

    def choice(self) -> Type | None:
        first = self.binary(0)
        value = self.value
        self.take(":")
        second = self.binary(2)
        self.value = value or self.value
        if first is None or second is None or "class" in (first.sort, second.sort):
            return None
        return first if first == second else common(first, second)

    def unary(self) -> Type | None:
        sign = self.peek()
        if sign in ("+", "-", "~", "!"):
            self.take()
            inner = self.unary()
            self.value = True
            return BOOL if sign == "!" else promoted(inner)
        if sign in ("++", "--"):
            self.take()
            return self.unary()
        if sign in ("*", "&"):
            self.take()
            inner = self.unary()
            self.value = sign == "&"
            return Type(64, "pointer", inner) if sign == "&" else _pointed(inner)
        if sign == "sizeof":
            varied = self.varies
            self.take()
            self.group() if self.peek() == "(" else self.unary()
            self.value, self.varies = True, varied
            return SIZE
        if sign == "(":
            cast = self.parenthesis()
            if cast is not None:
                return cast
        return self.postfix(self.primary())

    def parenthesis(self) -> Type | None:
        """`(type) operand`; None, and nothing read, where the parenthesis holds an expression."""
        start = self.position
        inside = self.group()
        type_ = named(inside) if all(_may_name(word) for word in inside) else None
        if type_ is None or (len(inside) == 1 and self.lookup(inside[0]) is not None):
            if self.peek() not in ("", ")", "]", ",", ":", ".", "->", "[", "(") and self.peek() not in _LEVELS:
                raise _Unknown  # A cast to a type that is not known.
            self.position = start
            return None
        self.unary()
        self.value = False  # nvcc ignores the cast of what it writes.
        return type_

    def group(self) -> list[str]:
        """What a parenthesis holds, without it."""
        start = self.position
        self.take("(")
        depth = 1
        while depth:
            depth += {"(": 1, ")": -1}.get(self.take(), 0)
        return self.words[start + 1 : self.position - 1]

    def primary(self) -> Type | None:
        word = self.take()
        if word == "(":
            inner = self.binary(0)
            self.take(")")
            return inner
        self.value = not word.isidentifier()
        if word[0].isdigit() or (word[0] == "." and len(word) > 1):
            return _number(word)
        if word.endswith("'"):
            return _CHARACTERS.get(word[: word.index("'") + 1]) if len(word.lstrip("uUL")) == 3 else None
        if word.endswith('"'):
            return Type(64, "pointer")
        if word in _CASTS:
            return self.cast()
        if not word.isidentifier():
            raise _Unknown
        return self.name(word)

    def cast(self) -> Type | None:
        self.take("<")
        words: list[str] = []
        while self.peek() != ">":
            words.append(self.take())
        self.take(">")
        self.group()
        self.value = "&" not in words
        return named(words)

    def name(self, word: str) -> Type | None:
        following = self.peek()
        if following in ("::", "{") or (following == "<" and self.lookup(word) is None and word not in _KNOWN):
            raise _Unknown  # A scope, a list, or a template, which looks like a comparison.
        if following == "(":
            self.group()
            self.value = word in _RESULTS
            self.varies |= self.value
            return named([word]) if named([word]) is not None else _RESULTS.get(word)
        self.value = word in _KNOWN and word != "warpSize"
        if word in _COORDINATES and following == ".":
            self.value, self.varies = False, True
            self.position += 2
            return _UNSIGNED
        found = _KNOWN.get(word) or self.lookup(word)
        self.varies |= found is not None and found.varies
        return found

    def postfix(self, found: Type | None) -> Type | None:
        while self.peek() in ("[", "(", ".", "->", "++", "--"):
            sign = self.take()
            if sign in ("++", "--"):
                self.value = True
                continue
            self.value = False
            if sign == "[":
                self.binary(0)
                self.take("]")
                self.value = False
                found = _pointed(found)
            elif sign == "(":
                self.position -= 1
                self.group()
                found = None
            else:
                self.take()
                found = None
        return found


def _may_name(word: str) -> bool:
    return word.isidentifier() or word in ("*", "&", "::")


def _pointed(one: Type | None) -> Type | None:
    return one.to if one is not None and one.sort == "pointer" else None


def _result(sign: str, left: Type | None, right: Type | None) -> Type | None:
    """The type of what an operator makes of two values."""
    if sign in _TRUTHS:
        known = left is not None and right is not None and "class" not in (left.sort, right.sort)
        return BOOL if known else None
    if sign in ("<<", ">>"):
        return promoted(left) if right is not None and left is not None and left.sort == "integer" else None
    pointers = [one for one in (left, right) if one is not None and one.sort == "pointer"]
    if pointers and left is not None and right is not None and sign in "+-":
        return SIZE if len(pointers) == 2 else pointers[0]
    return common(left, right)


def _number(word: str) -> Type | None:
    """The type of a literal; None for one with a suffix that is not built in, or as long as the host's `long`."""
    text = word.replace("'", "").lower()
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    suffix, hexadecimal = match[1], text.startswith("0x")
    if "." in text or "p" in text or ("e" in text and not hexadecimal):
        return {"": DOUBLE, "f": _FLOAT}.get(suffix)
    digits = text[: len(text) - len(suffix)]
    if suffix not in ("", "u", "ll", "ull", "llu"):
        return None
    try:
        value = int(digits, 8 if digits.startswith("0") and digits.isdecimal() else 0)
    except ValueError:
        return None
    if "ll" in suffix:
        return _LONG
    unsigned = bool(suffix) or not digits.isdecimal() or digits.startswith("0")
    return INT if value < (1 << 32 if unsigned else 1 << 31) else Type(64)
