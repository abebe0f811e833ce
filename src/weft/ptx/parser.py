"""The PTX parser: text to `Module`, in one pass and in time linear in the text.

This file has the module level: header, functions, variables and directives.  Bodies, where the time goes, are read by
`weft.ptx.body`.
"""

from __future__ import annotations

import re
from typing import NoReturn

from weft.collecting import paused
from weft.isa.target import Version
from weft.ptx import debug
from weft.ptx.ast import Module, Statement
from weft.ptx.body import BodyReader
from weft.ptx.declarations import LINKAGES, SPACES, small_integer, variables
from weft.ptx.directive_nodes import DwarfLine
from weft.ptx.directives import alias, position_directive, pragma
from weft.ptx.functions import Item, ends_prototype, function_header
from weft.ptx.lexical import BLANK, DOT, END, NAME, Cursor, skip
from weft.ptx.outline import outlined
from weft.ptx.plain import recognised
from weft.ptx.scopes import Scope

TINY = 1 << 14
"""Characters of a module whose bodies are read at once: it takes no longer than compiling a pattern."""

SMALL = 1 << 18
"""Characters of a module whose bodies are recognised by a pattern: in few statements, many shapes occur once only."""

_VERSION = re.compile(r"\.version[ \t\r\f\x1a]++(\d{1,4})\.(\d{1,4})(?!\w)", re.ASCII)
_BANNER_LINE = re.compile(rf"{BLANK}//([^\r\n\0]*+)\r?\n")
_OLD_DWARF = re.compile(r"@@DWARF[ \t]++(\.(?:section|byte|2byte|4byte|quad)\b[^\r\n\0]*+)", re.ASCII)


class Parser:
    """One parse of one text."""

    def __init__(self, text: str, filename: str, *, whole: bool = False) -> None:
        self.text = text
        self.whole = whole or len(text) < TINY
        self.filename = filename
        self.pos = 0
        self.scope = Scope()
        self.bodies = BodyReader(text, filename)

    def parse(self) -> Module:
        """The whole module."""
        module = self._header()
        items = module.items
        text, end = self.text, len(self.text)
        pos = skip(text, self.pos)
        while pos < end:
            pos = skip(text, self._item(Cursor(text, pos, self.filename), items))
        return module

    # ---- header ----

    def _header(self) -> Module:
        text = self.text
        banner: list[str] = []
        pos = 0
        while (line := _BANNER_LINE.match(text, pos)) is not None:
            banner.append(line[1].rstrip())
            pos = line.end()
        pos = skip(text, pos)
        version = _VERSION.match(text, pos)
        if version is None:
            self._no_version(pos)
        cursor = Cursor(text, version.end(), self.filename)
        targets = self._targets(cursor)
        address_size = None
        if cursor.accept(".address_size"):
            start = cursor.start
            address_size = small_integer(cursor, "32 or 64")
            if address_size not in (32, 64):
                raise cursor.error("use 32 or 64", start, "", str(address_size), "32 or 64")
        self.pos = cursor.start
        return Module(
            Version.parse(f"{version[1]}.{version[2]}"), targets, address_size, [], tuple(banner), self.filename, text
        )

    def _no_version(self, pos: int) -> NoReturn:
        cursor = Cursor(self.text, pos, self.filename)
        hint = "start the module with .version, .target and .address_size"
        if cursor.token == ".version":
            cursor.advance()
            cursor.fail("a version such as 8.4")
        cursor.fail("'.version'", hint)

    def _targets(self, cursor: Cursor) -> tuple[str, ...]:
        targets: list[str] = []
        if cursor.token != ".target":
            cursor.fail("'.target'", "put it right after .version")
        while cursor.accept(".target"):
            targets.append(cursor.identifier("a target such as sm_90"))
            while cursor.accept(","):
                targets.append(cursor.identifier("a target such as sm_90"))
        return tuple(targets)

    # ---- module level ----

    def _item(self, cursor: Cursor, items: list[Item]) -> int:
        """Read one module-level item at the cursor; the offset after it."""
        pos = cursor.start
        token = cursor.token
        linkage = ""
        if token in LINKAGES:
            linkage = cursor.advance()[1:]
            token = cursor.token
            if token in LINKAGES:
                cursor.fail("'.entry', '.func' or a state space", f"it is already .{linkage}")
        if token in (".entry", ".func"):
            return self._function(cursor, linkage, pos, items)
        if linkage and cursor.kind != DOT:
            cursor.fail("'.entry', '.func' or a state space")
        if token in SPACES or (token in (".align", ".attribute") and cursor.kind == DOT) or linkage:
            for variable in variables(cursor, pos, linkage):
                if variable.name[0] == "%":
                    self.scope.declare_symbol(variable.name)
                items.append(variable)
            return self._semicolon(cursor, "the declaration")
        return self._module_directive(cursor, pos, items)

    def _module_directive(self, cursor: Cursor, pos: int, items: list[Item]) -> int:
        token = cursor.token
        if token == ".section":
            cursor.advance()
            if cursor.kind != DOT:
                cursor.fail("a section name such as .debug_info")
            name = cursor.advance()
            if cursor.token != "{":
                cursor.fail("'{'")
            section = debug.read_section(cursor, name, pos)
            items.append(section)
            return section.end + 1
        if token == ".file":
            items.append(position_directive(cursor, pos))
            return cursor.start
        if token == ".pragma":
            items.append(pragma(cursor, pos))
            return cursor.start
        if token == ".alias":
            items.append(alias(cursor, pos))
            return self._semicolon(cursor, "the alias")
        if token == "@":
            old = _OLD_DWARF.match(self.text, pos)
            if old is not None:
                items.append(DwarfLine(" ".join(old[1].split()), pos))
                return old.end()
        self._no_item(cursor)

    def _no_item(self, cursor: Cursor) -> NoReturn:
        hint = ""
        if cursor.token == "}":
            hint = "unmatched '}'"
        elif cursor.token == ";":
            hint = "unexpected ';'"
        elif cursor.token == ".loc":
            hint = "put .loc in a function body"
        elif cursor.token in (".version", ".target", ".address_size"):
            hint = "write the header once, at the start, in the order .version, .target, .address_size"
        elif cursor.kind == NAME:
            hint = "put instructions in a function"
        cursor.fail("a function, a variable or a directive", hint)

    def _semicolon(self, cursor: Cursor, what: str) -> int:
        """Check for a semicolon at the cursor; the offset after it."""
        if cursor.token != ";":
            cursor.fail("';'", f"add ';' after {what}")
        return cursor.end

    # ---- functions ----

    def _function(self, cursor: Cursor, linkage: str, pos: int, items: list[Item]) -> int:
        function = function_header(cursor, linkage, pos)
        if not function.kernel and ends_prototype(cursor):
            items.append(function)
            return cursor.start
        if cursor.token == ";":
            if function.kernel and function.directives:
                cursor.fail("'{'", "a kernel declaration without a body cannot have directives")
            items.append(function)
            return cursor.end
        if cursor.token != "{":
            cursor.fail("'{' or ';'", "the function has no body" if cursor.kind == END else "")
        scope = self.scope
        if function.name[0] == "%":
            scope.declare_symbol(function.name)
        formals = (*function.parameters, *function.returns)
        special = [p for p in formals if (p.space == "reg") != (p.name[0] == "%")]
        if special:
            scope = Scope(scope)
            for formal in special:
                if formal.space == "reg":
                    scope.declare_register(formal.name, 0)
                else:
                    scope.declare_symbol(formal.name)
        body: list[Statement] = []
        function.opening = cursor.start
        if not self.whole and scope is self.scope and scope.is_empty():
            small, bodies = len(self.text) < SMALL, self.bodies
            known = recognised(bodies, cursor.start) if small else outlined(bodies, cursor.start, function.name)
            if known is not None:
                function.postpone(known)
                function.end = known.end
                items.append(function)
                return known.end + 1
        function.body = body
        function.end = self.bodies.read(cursor.start, body, scope)
        items += self.bodies.outer  # what the body declares outside itself stands before it
        self.bodies.outer.clear()
        items.append(function)
        return function.end + 1


def parse(text: str | bytes, filename: str = "<string>", *, whole: bool = False) -> Module:
    """Parse a PTX module.

    Args:
        text: PTX; bytes are decoded as UTF-8, without a byte order mark.
        filename: what messages call the text.
        whole: parse all function bodies now.  By default those of all but the smallest modules are parsed when they
            are first accessed; parsing all at once is faster if all are needed.

    Returns: The module.  Instructions that the ISA table does not know are kept; `verify` reports them.

    Raises:
        PtxSyntaxError: the text is not PTX; with the position, what was found and what was expected.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    text = text.removeprefix("\ufeff")  # A byte order mark.
    if "\0" in text:
        Cursor(text, text.index("\0"), filename)  # Raises: ptxas takes a NUL for the end, in a comment too.
    with paused():
        return Parser(text, filename, whole=whole).parse()
