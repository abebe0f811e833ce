"""The grammar of initialisers: values of variables, and lists of them.

Source: PTX manual, section "Variable Declarations: Initializers", and ptxas where the manual is silent.
"""

from __future__ import annotations

import re

from weft.patterns import pattern
from weft.ptx.elements import read_value
from weft.ptx.lexical import BLANK, DOT, END, NUMBER, Cursor
from weft.ptx.values import Value, ValueList

MAX_NESTING = 1000
"""Deepest nesting of braces in an initialiser; no array has so many extents."""

_NORMAL_LIST = pattern(r"\{(?:0|[1-9]\d*+)(?:, (?:0|[1-9]\d*+))*+\}", re.ASCII)
"""Decimal numbers as they are printed: most tables."""
_FLAT_LIST = re.compile(r"\{[^{}/#;\"]*+\}")
_FLAT_VALUE = re.compile(rf"{BLANK}-?{NUMBER}{BLANK},", re.ASCII)
_LARGE = re.compile(r"\d{20}|[0-9A-Fa-f]{17}|[eE][-+]?\d{3}", re.ASCII)
"""What may be a number beyond the range, which the reader of single values looks at."""
_FLAT_REST = re.compile(rf";*+{BLANK}-?{NUMBER}{BLANK}", re.ASCII)
_COMMA = re.compile(rf"{BLANK},{BLANK}")


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
