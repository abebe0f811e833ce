"""The grammars of directives with arguments of their own: `.file`, `.loc`, `.pragma`, and those that a label names.

Sources: PTX manual, sections "Debugging Directives", "Performance-Tuning Directives" and "Control Flow Directives".
"""

from __future__ import annotations

import re
from typing import TypeVar

from weft.ptx.body_nodes import Parameter
from weft.ptx.declarations import attribute_entries, number, parameters
from weft.ptx.directive_nodes import (
    DEBUG_STRINGS,
    Alias,
    Attribute,
    CallPrototype,
    Directive,
    DwarfLine,
    File,
    FunctionDirective,
    Inlined,
    LabelledDirective,
    Loc,
    Pragma,
    SourceLocation,
    Target,
    TargetList,
)
from weft.ptx.lexical import IDENTIFIER, NUM, STR, Cursor

_TRIPLES = frozenset({".maxntid", ".reqntid", ".reqnctapercluster"})
_SINGLES = frozenset(
    {".minnctapersm", ".maxnctapersm", ".maxnreg", ".local_maxnreg", ".maxclusterrank"}
    | {".abi_preserve", ".abi_preserve_control"}
)
_FLAGS = frozenset({".explicitcluster", ".blocksareclusters", ".noreturn"})
_OF_PROTOTYPES = frozenset({".noreturn", ".abi_preserve", ".abi_preserve_control"})

T = TypeVar("T")

_PLACE = r"(0|[1-9]\d{0,8})[ \t]++(0|[1-9]\d{0,8})[ \t]++(0|[1-9]\d{0,8})"
_INLINED = re.compile(
    rf"{_PLACE}[ \t]*+,[ \t]*+function_name[ \t]++({IDENTIFIER})(?:\+(0|[1-9]\d{{0,8}}))?[ \t]*+,"
    rf"[ \t]*+inlined_at[ \t]++{_PLACE}[ \t]*+",
    re.ASCII,
)
_PLAIN_LOCATION = re.compile(r"(?:0|[1-9]\d{0,8})(?: (?:0|[1-9]\d{0,8})){2}", re.ASCII)


def position_directive(cursor: Cursor, pos: int) -> File | Loc:
    """`.file` and `.loc`, which no semicolon ends; the cursor is on the directive."""
    if cursor.advance() == ".loc":
        return Loc(location(cursor), pos)
    index = number(cursor)
    if cursor.kind != STR:
        cursor.fail("a file name in quotes")
    path = cursor.advance()[1:-1]
    rest: list[int] = []
    while cursor.token == "," and len(rest) < 2:
        cursor.advance()
        rest.append(number(cursor))
    return File(index, path, *[*rest, None, None][:2], pos=pos)


def location(cursor: Cursor) -> SourceLocation:
    """The arguments of a `.loc`: `file line column`, and `, function_name label, inlined_at file line column`."""
    file, line, column = number(cursor), number(cursor), number(cursor)
    if not cursor.accept(","):
        return SourceLocation(file, line, column)
    cursor.expect("function_name")
    function = cursor.advance() if cursor.token == DEBUG_STRINGS else cursor.identifier("a label")
    offset = 0
    if cursor.accept("+"):
        if cursor.kind != NUM:
            cursor.fail("a number")
        offset = number(cursor)
    cursor.expect(",")
    cursor.expect("inlined_at")
    return SourceLocation(file, line, column, Inlined(function, offset, number(cursor), number(cursor), number(cursor)))


def pragma(cursor: Cursor, pos: int) -> Pragma:
    """`.pragma "string", ...;` with its semicolon; the cursor is on the directive."""
    cursor.advance()
    texts = _texts(cursor)
    cursor.expect(";", "add ';' after the pragma")
    return Pragma(texts, pos)


def _texts(cursor: Cursor) -> tuple[str, ...]:
    texts: list[str] = []
    while True:
        if cursor.kind != STR:
            cursor.fail("a string", 'write .pragma "nounroll";')
        texts.append(cursor.advance()[1:-1])
        if not cursor.accept(","):
            return tuple(texts)


def alias(cursor: Cursor, pos: int) -> Alias:
    """`.alias name, function`; the cursor is on the directive, and the semicolon is left under it."""
    cursor.advance()
    name = cursor.identifier("a function name")
    cursor.expect(",")
    return Alias(name, cursor.identifier("a function name"), pos)


def function_directive(cursor: Cursor) -> FunctionDirective | Pragma:
    """What is between a function's parameters and its body, at the cursor."""
    pos, token = cursor.start, cursor.token
    if token == ".pragma":
        return pragma(cursor, pos)
    most = 3 if token in _TRIPLES else 1 if token in _SINGLES else 0
    if not most and token not in _FLAGS:
        cursor.fail("a function directive, '{' or ';'")
    cursor.advance()
    values = [number(cursor)] if most else []
    while values and cursor.token == "," and len(values) < most:
        cursor.advance()
        values.append(number(cursor))
    if values and cursor.token == ",":
        cursor.fail(
            "the end of the directive", f"{token} takes {'three numbers at most' if most > 1 else 'one number'}"
        )
    return FunctionDirective(token[1:], tuple(values), pos)


def labelled_directive(cursor: Cursor, label: str, pos: int) -> LabelledDirective:
    """`.branchtargets`, `.calltargets` or `.callprototype`, whose label was read before; the cursor is on it.

    The semicolon is left under the cursor.
    """
    name = cursor.advance()[1:]
    if name == "callprototype":
        return _prototype(cursor, label, pos)
    targets = [_target(cursor)]
    while cursor.accept(","):
        targets.append(_target(cursor))
    return TargetList(label, name, tuple(targets), pos)


def _target(cursor: Cursor) -> Target:
    """A label or function; `L<4>` stands for L0 to L3."""
    name = cursor.identifier("a label or a function")
    if not cursor.accept("<"):
        return Target(name)
    count = number(cursor)
    cursor.expect(">")
    return Target(name, count)


def _prototype(cursor: Cursor, label: str, pos: int) -> CallPrototype:
    """`(returns) _ (parameters) .noreturn .abi_preserve N`; all but the `_` may be missing."""
    returns: list[Parameter] = parameters(cursor)
    cursor.expect("_", "a prototype must not name a function")
    formals = parameters(cursor)
    directives: list[FunctionDirective] = []
    while cursor.token in _OF_PROTOTYPES:
        name = cursor.advance()[1:]
        directives.append(FunctionDirective(name, () if name == "noreturn" else (number(cursor),)))
    return CallPrototype(label, returns, formals, tuple(directives), pos)


# ---- from the text of their arguments: how bytes keep them ----


def read_location(arguments: str) -> SourceLocation:
    """The location that a `.loc`'s normalised arguments say; raises PtxSyntaxError when they say none."""
    if _PLAIN_LOCATION.fullmatch(arguments) is not None:
        file, line, column = map(int, arguments.split(" "))
        return SourceLocation(file, line, column)
    inlined = _INLINED.fullmatch(arguments)
    if inlined is not None:
        file, line, column, call_file, call_line, call_column = map(int, inlined.group(1, 2, 3, 6, 7, 8))
        call = Inlined(inlined[4], int(inlined[5] or 0), call_file, call_line, call_column)
        return SourceLocation(file, line, column, call)
    cursor = Cursor(arguments)
    return _whole(cursor, location(cursor))


def read_directive(name: str, arguments: str, pos: int) -> Directive:
    """The directive of a name and its `arguments`; raises PtxSyntaxError when there is none."""
    if name == "loc":
        return Loc(read_location(arguments), pos)
    if name == "@@DWARF":
        return DwarfLine(arguments, pos)
    cursor = Cursor(f".{name} {arguments}")
    if name == "pragma":
        cursor.advance()
        made = Pragma(_texts(cursor), pos)
    elif name == "alias":
        made = alias(cursor, pos)
    elif name == "file":
        made = position_directive(cursor, pos)
    else:
        made = function_directive(cursor)
        made.pos = pos
    return _whole(cursor, made)


def read_labelled(label: str, name: str, arguments: str) -> LabelledDirective:
    """The labelled directive of a name and its `arguments`; raises PtxSyntaxError when there is none."""
    cursor = Cursor(f".{name} {arguments}")
    if not cursor.at(".branchtargets", ".calltargets", ".callprototype"):
        cursor.fail("a directive with a label")
    return _whole(cursor, labelled_directive(cursor, label, -1))


def read_attribute(text: str) -> Attribute:
    """The attribute of a text; raises PtxSyntaxError when it is none."""
    cursor = Cursor(f"({text})")
    found = attribute_entries(cursor)
    if len(found) != 1:
        cursor.fail("one attribute")
    return _whole(cursor, found[0])


def _whole(cursor: Cursor, node: T) -> T:
    if cursor.token:
        cursor.fail("the end of the text")
    return node
