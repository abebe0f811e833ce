"""Bodies of plain statements: known to be well formed by one pattern, and read when somebody looks.

The pattern has what compilers write nearly always, in the spelling that they use: instructions, labels, places,
declarations, scopes.  It is a part of the grammar, and takes a tenth of the time of reading: `test_outline.py` holds
the two to each other.  A body with anything else is read at once, and that says what is wrong.  For large modules the
shapes of statements do better (`weft.ptx.outline`): these spare the verifier the statements as well.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from weft.collecting import paused
from weft.isa.registers import ELEMENT_NAMES
from weft.patterns import pattern
from weft.ptx.ast import Statement, Unread
from weft.ptx.lexical import MAX_NESTING, closing
from weft.ptx.scopes import Scope

if TYPE_CHECKING:
    from weft.ptx.body import BodyReader

# Short patterns compile quickly. A vertical tab is no blank here, and `WARP_SZ` no name: `recognised` looks for them.
_NAME = r"(?:[A-Za-z]|[_$%][\w$])[\w$]*+"
_MEMBER = rf"(?:\.[{ELEMENT_NAMES}]\b)?+"
_NUMBER = r"(?:0|[1-9]\d{0,8})\b"
_LITERAL = r"-?(?:0|[1-9]\d{0,18}+U?|0x[0-9A-Fa-f]{1,16}+U?|0f[0-9A-Fa-f]{8}|0d[0-9A-Fa-f]{16})\b(?![.$])"
_SCALAR = rf"(?:{_NAME}{_MEMBER}|{_LITERAL}|_\b)"
_VECTOR = rf"\{{\s*+(?:{_SCALAR}\s*+(?:,\s*+(?!\}})|(?=\}})))++\}}"
_OFFSET = r"\+\s*+-?(?:0|[1-9]\d{0,17})\b\s*+"
_ADDRESS = rf"\[\s*+{_NAME}\s*+(?:{_OFFSET})?+(?:,\s*+(?:{_VECTOR}|{_NAME})\s*+)*+\]"
_NAMES = rf"\(\s*+(?:{_NAME}\s*+(?:,\s*+(?!\))|(?=\))))*+\)"
_OPERAND = rf"(?:!?{_NAME}{_MEMBER}(?:\|{_NAME}|{_OFFSET})?+|{_ADDRESS}|{_LITERAL}|{_VECTOR}|{_NAMES}|_\b)\s*+"
_OPCODE = r"[A-Za-z]\w*+(?:\.[\w.:]*+)?(?<![.:])"
_INSTRUCTION = rf"(?:@!?{_NAME}\s++)?+{_OPCODE}(?:\s++(?:{_OPERAND}(?:,\s*+(?!;)|(?=;)))*+)?+;"
_BETWEEN = r"(?:\s++|//[^\n{}]*+\n)*+"
_PLACE = rf"{_NUMBER}[ \t]++{_NUMBER}[ \t]++{_NUMBER}"
_LOC = (
    rf"loc[ \t]++{_PLACE}(?:,[ \t]*+function_name[ \t]++{_NAME}(?:\+{_NUMBER})?,[ \t]*+inlined_at[ \t]++{_PLACE})?+"
    rf"[ \t\r]*+(?://[^\n{{}}]*+)?+\n(?!{_BETWEEN}[,#/])"
)
_TYPE = r"\.(?:pred|[bus](?:8|16|32|64)|f(?:16|32|64)|b128)\b"
_REGISTERS = rf"reg\s*+{_TYPE}\s++{_NAME}(?:<[1-9]\d{{0,8}}>)?+(?:\s*+,\s*+{_NAME})*+"
_ALIGN = r"\.align\s++(?:1|2|4|8|16|32|64|128)\s++"
_VARIABLE = rf"(?:param|local|shared)\s++(?:{_ALIGN})?+{_TYPE}\s++{_NAME}(?:\[[1-9]\d{{0,8}}\])?+"
_DIRECTIVE = rf'\.(?:{_LOC}|(?:{_REGISTERS}|{_VARIABLE}|pragma[ \t]++"[\w ]*+")\s*+;)'


@cache
def _statements() -> re.Pattern[str]:
    """What may be between the braces of a body; compiled, in milliseconds, when a text is long enough for it."""
    statement = rf"{_INSTRUCTION}|{_NAME}\s*+:(?!:)|{_DIRECTIVE}|[{{}}]"
    return pattern(rf"{_BETWEEN}(?:(?:{statement}){_BETWEEN})*+", re.ASCII)


class Recognised(Unread):
    """A body that is known to be well formed, between the braces at two offsets of a text."""

    __slots__ = ("bodies", "end", "opening")

    def __init__(self, bodies: BodyReader, opening: int, end: int) -> None:
        self.bodies = bodies
        self.opening = opening
        self.end = end

    def read(self) -> list[Statement]:
        """The statements."""
        body: list[Statement] = []
        with paused():
            self.bodies.read(self.opening, body, Scope())
        return body


def recognised(bodies: BodyReader, opening: int) -> Recognised | None:
    """The body whose brace is at `opening`, if it is plain.

    Beside those of vectors, all braces are of scopes then, and match.
    """
    text = bodies.text
    end = closing(text, opening)
    if end == -1 or text.count("{", opening, end) > MAX_NESTING:
        return None
    if text.find("\v", opening, end) != -1 or text.find("WARP_SZ", opening, end) != -1:
        return None
    return Recognised(bodies, opening, end) if _statements().fullmatch(text, opening + 1, end) else None
