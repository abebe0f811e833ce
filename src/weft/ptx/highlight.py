"""PTX as HTML with colours, for notebooks."""

from __future__ import annotations

import html as escaping
import re

from weft.ptx.lexical import COMMENT, IDENTIFIER, NUMBER, STRING

_TOKEN = re.compile(
    rf"(?P<comment>{COMMENT.pattern})|(?P<string>{STRING})|(?P<register>%[\w$.]+)"
    rf"|(?P<directive>^[ \t]*\.\w+|\.\w[\w:.]*)|(?P<label>^[ \t]*{IDENTIFIER}:)|(?P<number>-?{NUMBER})"
    rf"|(?P<opcode>(?:^|(?<=[ \t]))[a-z]\w*(?:\.[\w:.]+)?(?=[ ;]))|{IDENTIFIER}",
    re.ASCII | re.MULTILINE,
)
_COLOURS = {
    "comment": "#6a737d",
    "string": "#22863a",
    "register": "#005cc5",
    "directive": "#6f42c1",
    "label": "#b08800",
    "number": "#b31d28",
    "opcode": "#d73a49",
}
_MOST = 400_000
"""Characters shown; a notebook stands still over more."""


def html(text: str) -> str:
    """A PTX text as a `<pre>` element, everything in it escaped; a very long text is cut, and says so."""
    left = len(text) - _MOST
    if left > 0:
        text = text[:_MOST]
    parts: list[str] = []
    end = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind is None:
            continue
        parts.append(escaping.escape(text[end : match.start()]))
        parts.append(f'<span style="color:{_COLOURS[kind]}">{escaping.escape(match.group())}</span>')
        end = match.end()
    parts.append(escaping.escape(text[end:]))
    if left > 0:
        parts.append(f"\n... {left} more characters")
    return f"<pre>{''.join(parts)}</pre>"
