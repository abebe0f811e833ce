"""Function headers: linkage, return values, name, parameters and directives, up to the body or the semicolon.

Sources: PTX manual, section "Kernel and Function Directives", and ptxas, which lets the semicolon after a prototype of
a `.func` be missing, and prototypes stand in bodies.
"""

from __future__ import annotations

from weft.ptx.ast import Attribute, Directive, Function, Section, Variable
from weft.ptx.declarations import LINKAGES, SPACES, attribute_entries, parameters
from weft.ptx.directives import function_directive
from weft.ptx.lexical import DOT, END, Cursor

Item = Function | Variable | Directive | Section
"""What is at the level of a module."""

_ITEMS = LINKAGES | SPACES | {".func", ".entry", ".file", ".section", ".alias", ".align", ".attribute"}


def function_header(cursor: Cursor, linkage: str, pos: int) -> Function:
    """A function without its body; the cursor is on `.entry` or `.func`."""
    kernel = cursor.advance() == ".entry"
    attributes: tuple[Attribute, ...] = ()
    if cursor.accept(".attribute"):
        attributes = attribute_entries(cursor)
    returns = [] if kernel else parameters(cursor)
    name = cursor.identifier("a function name")
    function = Function(name, kernel, parameters(cursor, kernel=kernel), returns, linkage, [], None, attributes, pos)
    while cursor.kind == DOT and (kernel or not ends_prototype(cursor)):
        function.directives.append(function_directive(cursor))
    return function


def ends_prototype(cursor: Cursor) -> bool:
    """Whether the cursor is on what follows a prototype without a semicolon: the next item, or the end."""
    return cursor.kind == END or (cursor.kind == DOT and cursor.token in _ITEMS) or cursor.token == "@"
