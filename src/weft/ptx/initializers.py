"""The grammar of initialisers: values of variables, lists of them, and the elements of a list that was read before.

Source: PTX manual, section "Variable Declarations: Initializers", and ptxas where the manual is silent.
"""

from __future__ import annotations

import re

from weft.ptx.constants import literal, read_constant, starts_constant
from weft.ptx.lexical import BLANK, DOT, END, NAME, NUM, NUMBER, STR, Cursor
from weft.ptx.operands import Integer, Symbol
from weft.ptx.reader import constant_operand, read_offset
from weft.ptx.values import Address, AddressByte, Field, GenericAddress, Value, ValueList, Word

MAX_NESTING = 1000
"""Deepest nesting of braces in an initialiser; no array has so many extents."""

_NORMAL_LIST = re.compile(r"\{(?:0|[1-9]\d*+)(?:, (?:0|[1-9]\d*+))*+\}", re.ASCII)
"""Decimal numbers as they are printed: most tables."""
_FLAT_LIST = re.compile(r"\{[^{}/#;\"]*+\}")
_FLAT_VALUE = re.compile(rf"{BLANK}-?{NUMBER}{BLANK},", re.ASCII)
_LARGE = re.compile(r"\d{20}|[0-9A-Fa-f]{17}|[eE][-+]?\d{3}", re.ASCII)
"""What may be a number beyond the range, which the reader of single values looks at."""
_FLAT_REST = re.compile(rf";*+{BLANK}-?{NUMBER}{BLANK}", re.ASCII)
_COMMA = re.compile(rf"{BLANK},{BLANK}")
_NUMBER = re.compile(rf"-?{NUMBER}", re.ASCII)
_BRACE = re.compile(r"[{}]")


def read_initializer(cursor: Cursor) -> Value:
    """The value at the cursor, which is past the `=`."""
    return _list(cursor) if cursor.at("{") else read_value(cursor)


def _list(cursor: Cursor) -> ValueList:
    """A list in braces, which nest; its elements become nodes only when somebody looks at them."""
    parts: list[str] = []
    depth = 0
    while True:
        flat = ""
        while cursor.at("{") and not flat:
            flat = _flat_list(cursor)
            if not flat:
                depth += 1
                if depth > MAX_NESTING:
                    raise cursor.error("braces nest too deeply", cursor.start, "", "{", "a value")
                cursor.advance()
            parts.append(flat or "{")
        if not flat and not (depth and cursor.at("}") and parts[-1] == "{"):
            parts.append(str(read_value(cursor)))
        while depth and cursor.token == "}":
            depth -= 1
            parts.append(cursor.advance())
        if not depth:
            return ValueList.of_text("".join(parts))
        if not cursor.at(","):
            cursor.fail("',' or '}'", "unclosed initialiser" if cursor.kind in (END, DOT) else "")
        cursor.advance()
        parts.append(", ")


def _flat_list(cursor: Cursor) -> str:
    """The normalised text of a brace list of numbers, found without looking at each; empty when it is anything else."""
    match = _NORMAL_LIST.match(cursor.text, cursor.start)
    if match is not None:
        cursor.move(match.end())
        return match.group()
    match = _FLAT_LIST.match(cursor.text, cursor.start)
    if match is None:
        return ""
    inside = match.group()[1:-1]
    if _LARGE.search(inside) is not None or _FLAT_REST.fullmatch(_FLAT_VALUE.sub(";", inside)) is None:
        return ""
    cursor.move(match.end())
    return "{" + ", ".join(_COMMA.split(inside.strip(" \t\r\n\f\x1a"))) + "}"


def read_value(cursor: Cursor) -> Value:
    """One value: a constant, `symbol+offset`, `generic(symbol)+offset`, `mask(address)`, or `field = value`."""
    if cursor.kind == STR:
        cursor.fail("a constant", "write the bytes: PTX initialisers cannot contain strings")
    if cursor.kind == NAME and cursor.token != "WARP_SZ":
        return _named(cursor)
    if cursor.kind == NUM and cursor.token[:2] in ("0x", "0X", "0f", "0F"):
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


def read_elements(text: str) -> tuple[Value, ...]:
    """The elements of a list from its normalised text; those of inner lists are not read."""
    inside = text[1:-1]
    if not inside:
        return ()
    words = inside.split(", ")
    known: dict[str, Value] = {}
    for word in dict.fromkeys(words):
        if _NUMBER.fullmatch(word) is None:
            break
        known[word] = literal(word.lstrip("-"), "-" if word[0] == "-" else "")
    else:
        return tuple(map(known.__getitem__, words))
    cursor = Cursor(text, 1)
    found: list[Value] = []
    while True:
        found.append(_inner(cursor) if cursor.at("{") else read_value(cursor))
        if not cursor.accept(","):
            return tuple(found)


def _inner(cursor: Cursor) -> ValueList:
    depth = 0
    for match in _BRACE.finditer(cursor.text, cursor.start):
        depth += 1 if match.group() == "{" else -1
        if not depth:
            start = cursor.start
            cursor.move(match.end())
            return ValueList.of_text(cursor.text[start : match.end()])
    cursor.fail("'}'")
