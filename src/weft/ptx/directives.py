"""Directives that stand at module level and in bodies alike: `.file`, `.loc`, `.pragma`.

Sources: PTX manual, sections "Debugging Directives" and "Performance-Tuning Directives: .pragma".
"""

from __future__ import annotations

from weft.ptx.ast import Directive
from weft.ptx.lexical import NUM, STR, Cursor, spaced


def number(cursor: Cursor) -> str:
    """Step over a number and return its text."""
    if cursor.kind != NUM:
        cursor.fail("a number")
    return cursor.advance()


def position_directive(cursor: Cursor, pos: int) -> Directive:
    """`.file` and `.loc`, which no semicolon ends; the cursor is on the directive."""
    name = cursor.advance()[1:]
    words = [number(cursor)]
    if name == "file":
        if cursor.kind != STR:
            cursor.fail("a file name in quotes")
        words.append(cursor.advance())
        while cursor.token == "," and len(words) < 6:
            words += [cursor.advance(), number(cursor)]
    else:
        words += [number(cursor), number(cursor)]
        if cursor.token == ",":
            words += _inlined(cursor)
    return Directive(name, spaced(words), pos)


def _inlined(cursor: Cursor) -> list[str]:
    """`, function_name label, inlined_at file line column`."""
    words = [cursor.advance(), "function_name"]
    cursor.expect("function_name")
    words.append(cursor.identifier("a label"))
    if cursor.token == "+":
        words += [cursor.advance(), number(cursor)]
    cursor.expect(",")
    cursor.expect("inlined_at")
    return [*words, ",", "inlined_at", *(number(cursor) for _ in range(3))]


def pragma(cursor: Cursor, pos: int) -> Directive:
    """`.pragma "string", ...;` with its semicolon; the cursor is on the directive."""
    cursor.advance()
    words: list[str] = []
    while True:
        if cursor.kind != STR:
            cursor.fail("a string", 'a pragma is written .pragma "nounroll";')
        words.append(cursor.advance())
        if not cursor.accept(","):
            break
    cursor.expect(";", "is a ';' missing after the pragma?")
    return Directive("pragma", ", ".join(words), pos)
