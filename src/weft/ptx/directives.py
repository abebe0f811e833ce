"""The grammars of directives with arguments of their own: `.file`, `.loc`, `.pragma`, and those that a label names.

Sources: PTX manual, sections "Debugging Directives", "Performance-Tuning Directives" and "Control Flow Directives".
"""

from __future__ import annotations

from weft.ptx.ast import Directive
from weft.ptx.constants import is_float
from weft.ptx.declarations import parameters
from weft.ptx.lexical import NUM, STR, Cursor, spaced
from weft.ptx.printer import parameter_text


def number(cursor: Cursor) -> str:
    """Step over an integer and return its text."""
    if cursor.kind != NUM or is_float(cursor.token):
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


def labelled_arguments(cursor: Cursor) -> str:
    """The normalised arguments of `.branchtargets`, `.calltargets` or `.callprototype`; the cursor is on it.

    The semicolon is left under the cursor.
    """
    if cursor.advance() == ".callprototype":
        return _prototype(cursor)
    targets = [_target(cursor)]
    while cursor.accept(","):
        targets.append(_target(cursor))
    return ", ".join(targets)


def _target(cursor: Cursor) -> str:
    """A label or function; `L<4>` stands for L0 to L3."""
    name = cursor.identifier("a label or a function")
    if not cursor.accept("<"):
        return name
    count = number(cursor)
    cursor.expect(">")
    return f"{name}<{count}>"


def _prototype(cursor: Cursor) -> str:
    """`(returns) _ (parameters) .noreturn .abi_preserve N`; all but the `_` may be missing."""
    words = _formals(cursor)
    words.append("_")
    cursor.expect("_", "a prototype names no function")
    words += _formals(cursor)
    while cursor.at(".noreturn", ".abi_preserve", ".abi_preserve_control"):
        words.append(cursor.advance())
        if words[-1] != ".noreturn":
            words.append(number(cursor))
    return " ".join(words)


def _formals(cursor: Cursor) -> list[str]:
    if not cursor.at("("):
        return []
    return [f"({', '.join(map(parameter_text, parameters(cursor)))})"]
