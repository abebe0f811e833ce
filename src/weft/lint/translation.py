"""Findings about the PTX of a statement in the words and at the places of its C++ text."""

from __future__ import annotations

import re

from weft.errors import Diagnostic, Severity
from weft.isa.types import TYPES, compatible
from weft.lint.effects import Writing
from weft.lint.judge import REGISTERS, Found, kinds_of

_OPERAND = re.compile(r"%(\d+)\b")
_NEEDED = re.compile(r"needs \.(\w+)$")


def translated(writing: Writing, one: Diagnostic, ptx: str, shift: int) -> Found:
    """A finding about the text `ptx`, in which the template starts at `shift`."""
    start = _offset(ptx, one.line, one.column)
    token = one.token if ptx.startswith(one.token, start) else ""
    length = len(token) or _word_length(ptx, start)
    inside = min(max(start - shift, 0), max(writing.mapped.length - 1, 0))
    place = writing.part(inside, min(inside + length, writing.mapped.length))
    operands = writing.statement.operands

    message, hint, code = one.message, one.hint, one.code
    number = _OPERAND.fullmatch(one.token)
    if number is not None and int(number[1]) < len(operands):
        operand = operands[int(number[1])]
        kind = kinds_of(writing.statement)[int(number[1])]
        message = message.replace(
            f"register {one.token} is .{kind}", f'{one.token} is .{kind} (constraint "{operand.constraint}")'
        )
        if kind == "constant":
            message = f'{message} (constraint "{operand.constraint}")'
        if code == "operand-type":
            code, hint = "constraint", _fitting(one.message, hint)
    severity = Severity.NOTE if one.severity is Severity.WARNING else one.severity  # ptxas accepts it.
    return Found(*place, code, message, severity, hint, one.allowed, token)


def _fitting(message: str, hint: str) -> str:
    """The hint about a register's type as one about constraints."""
    match = _NEEDED.search(message)
    wanted = TYPES.get(match[1]) if match is not None else None
    if wanted is None:
        return hint
    letters = [f'"{letter}"' for letter, kind in REGISTERS.items() if kind != "pred" and compatible(kind, wanted.name)]
    return f"constraint {' or '.join(letters)} fits" if letters else hint


def _word_length(text: str, start: int) -> int:
    match = re.compile(r"[%$.\w:]+").match(text, start)
    return len(match[0]) if match is not None else 1


def _offset(text: str, line: int, column: int) -> int:
    position = 0
    for _ in range(line - 1):
        position = text.find("\n", position) + 1
        if not position:
            return len(text)
    return min(position + max(column - 1, 0), len(text))
