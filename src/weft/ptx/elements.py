"""The grammar of the values of variables that are no lists, and of the elements of a list that was read before.

Source: PTX manual, section "Variable Declarations: Initializers", and ptxas where the manual is silent.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from weft.ptx.addresses import Address, AddressByte, Field, GenericAddress, Word
from weft.ptx.constants import literal, read_constant, starts_constant
from weft.ptx.lexical import NAME, NUM, NUMBER, STR, Cursor
from weft.ptx.operands import Expression, Float, Integer, Symbol
from weft.ptx.reader import constant_operand, read_offset

Single = Integer | Float | Expression | Symbol | GenericAddress | AddressByte | Field
"""A value that is no list."""
_List = TypeVar("_List")
_NUMBER = re.compile(rf"-?{NUMBER}", re.ASCII)
_BRACE = re.compile(r"[{}]")


def read_value(cursor: Cursor) -> Single:
    """One value: a constant, `symbol+offset`, `generic(symbol)+offset`, `mask(address)`, or `field = value`."""
    if cursor.kind == STR:
        cursor.fail("a constant", "write the bytes: PTX initialisers cannot contain strings")
    if cursor.kind == NAME and cursor.token != "WARP_SZ":
        return _named(cursor)
    if cursor.kind == NUM and cursor.token[:2].lower() in ("0x", "0f"):
        start, mask = cursor.start, cursor.advance()
        if cursor.token == "(":
            return _masked(cursor, mask)
        cursor.move(start)
    if starts_constant(cursor):
        return constant_operand(*read_constant(cursor))
    cursor.fail("a constant or the name of a variable")


def _masked(cursor: Cursor, mask: str) -> AddressByte:
    """`0xFF00(address)`, the cursor on its parenthesis."""
    bits = literal(mask)
    if not isinstance(bits, Integer):
        cursor.fail("',' or '}'", "use an integer mask")
    cursor.advance()
    name = cursor.identifier("the name of a variable")
    address = _address(cursor, name)
    cursor.expect(")")
    return AddressByte(bits, address)


def _named(cursor: Cursor) -> Address | Field:
    name = cursor.identifier("the name of a variable")
    if not cursor.accept("="):
        return _address(cursor, name)
    if cursor.kind == NAME and cursor.token != "WARP_SZ":
        return Field(name, Word(cursor.advance()))
    return Field(name, constant_operand(*read_constant(cursor)))


def _address(cursor: Cursor, name: str) -> Address:
    """A symbol whose name has been read, or `generic(symbol)`, and an offset."""
    generic = name == "generic" and cursor.accept("(")
    if generic:
        name = cursor.identifier("the name of a variable")
        cursor.expect(")")
    offset, written = 0, cursor.token == "+"
    if written:
        offset = read_offset(cursor)
    symbol = Symbol(name, offset, written and not offset)
    return GenericAddress(symbol) if generic else symbol


def read_elements(text: str, inner: Callable[[str], _List]) -> tuple[Single | _List, ...]:
    """The elements of a list from its normalised text; `inner` makes one of the text of a list in it."""
    inside = text[1:-1]
    if not inside:
        return ()
    words = inside.split(", ")
    known: dict[str, Single | _List] = {}
    for word in dict.fromkeys(words):
        if _NUMBER.fullmatch(word) is None:
            break
        known[word] = literal(word.lstrip("-"), "-" if word[0] == "-" else "")
    else:
        return tuple(map(known.__getitem__, words))
    cursor = Cursor(text, 1)
    found: list[Single | _List] = []
    while True:
        found.append(inner(_inner(cursor)) if cursor.at("{") else read_value(cursor))
        if not cursor.accept(","):
            return tuple(found)


def _inner(cursor: Cursor) -> str:
    """The text of the list at the cursor, which is left behind it."""
    depth = 0
    for match in _BRACE.finditer(cursor.text, cursor.start):
        depth += 1 if match.group() == "{" else -1
        if not depth:
            start = cursor.start
            cursor.move(match.end())
            return cursor.text[start : match.end()]
    cursor.fail("'}'")
