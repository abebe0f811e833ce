"""Inline PTX in C++ as an editor sees it: the statement, the piece of PTX and the operand at an offset."""

from __future__ import annotations

import re
from typing import NamedTuple

from weft.lint.judge import kinds_of
from weft.lint.statements import (
    Operand,
    Statement,
    Unjudged,
    Unreadable,
    branches,
    defined_strings,
    found_tokens,
    read,
    spellings,
)

_ESCAPED = re.compile(r"%%|%\{|%\}|\\[nt\"]")


class Template(NamedTuple):
    """The strings of a statement's template: the offsets of the beginning and end of each one's text."""

    statement: Statement
    strings: tuple[tuple[int, int], ...]


def statement_at(text: str, offset: int) -> Statement | None:
    """The assembly statement that an offset is in; None where there is none that can be read."""
    if "asm" not in text:
        return None
    for keyword, found in found_tokens(text):
        if keyword.start > offset:
            return None
        if not found or offset > found[-1].end:
            continue
        macros = defined_strings(text)
        for way in branches(found):
            try:
                return read(keyword, way, spellings(way, macros)[0])
            except (Unreadable, Unjudged):
                continue
    return None


def template_at(text: str, offset: int) -> Template | None:
    """The template at an offset that is in one of its strings."""
    statement = statement_at(text, offset)
    if statement is None:
        return None
    strings = tuple(
        (token.start + token.text.index('"') + 1, token.end - 1)
        for token in statement.template
        if token.kind == "string"
    )
    if not any(start <= offset <= end for start, end in strings):
        return None
    return Template(statement, strings)


def ptx_of(text: str, template: Template) -> str:
    """The template as PTX of the same length as the text up to its end: all else and escapes are blank."""
    parts: list[str] = []
    position = 0
    for start, end in template.strings:
        parts.append(re.sub(r"[^\n]", " ", text[position:start]))
        parts.append(_ESCAPED.sub(lambda match: f" {match[0][1]}" if match[0][0] == "%" else "  ", text[start:end]))
        position = end
    return "".join(parts)


def operand_at(text: str, statement: Statement, offset: int) -> tuple[str, Operand, str] | None:
    """The operand that is written at an offset (`%1`, `%[name]`): its text, itself, and the register's type."""
    for match in re.compile(r"%(?:(\d+)|\[(\w+)\])").finditer(text, statement.start, statement.end):
        if match.start() <= offset <= match.end():
            operands = statement.operands
            number = (
                int(match[1])
                if match[1]
                else next((n for n, operand in enumerate(operands) if operand.name == match[2]), len(operands))
            )
            if number < len(operands):
                return match[0], operands[number], kinds_of(statement)[number]
    return None
