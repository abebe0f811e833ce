"""Function bodies: the loop in which parsing spends its time.

An instruction costs one match of the statement pattern, a dictionary look-up for each of its opcode, its operand list
and its guard, and one object.  Everything that the pattern does not take (declarations, comments inside a statement,
blanks inside an opcode, and every mistake) goes through the cursor, which knows the whole grammar and says what is
wrong.
"""

from __future__ import annotations

import re
from typing import NoReturn

from weft.errors import PtxSyntaxError
from weft.isa import Opcode, decode
from weft.isa.target import governing
from weft.patterns import pattern
from weft.ptx.ast import Block, Guard, Instruction, Label, LabelledDirective, RegisterDeclaration, Statement, Variable
from weft.ptx.declarations import LINKAGES, SPACES, plain_declaration, register_declaration, variables
from weft.ptx.directive_nodes import Loc, SourceLocation
from weft.ptx.directives import alias, labelled_directive, position_directive, pragma, read_location
from weft.ptx.functions import Item, function_header
from weft.ptx.header import find_header
from weft.ptx.lexical import BLANK, BLANKS, DOT, END, IDENTIFIER, MAX_NESTING, NAME, Cursor, quote, skip, syntax_error
from weft.ptx.operands import Register
from weft.ptx.reader import read_operands
from weft.ptx.scopes import Scope, UnreadError

_STATEMENT = pattern(
    rf"(?:(@[ \t]*+!?[ \t]*+{IDENTIFIER}){BLANKS})?((?!WARP_SZ\b)[A-Za-z]\w*+(?:\.[\w.:]*+)?)(?<![.:])"
    rf"(?:{BLANKS}(?![.:])|(?=[;({{%\[]))([^;\"/#]*+);{BLANK}"
    rf"|({IDENTIFIER}){BLANK}:(?!:){BLANK}"
    rf"|\.loc[ \t]++(\d++[ \t]++\d++[ \t]++\d++(?:,[ \t]*+function_name[ \t]++{IDENTIFIER}(?:\+\d++)?,"
    rf"[ \t]*+inlined_at[ \t]++\d++[ \t]++\d++[ \t]++\d++)?)[ \t\r]*+(?://[^\n]*+)?\n{BLANK}"
    rf"(?![,#]|/\*|(?://[^\n]*+{BLANK})++[,#/])"
    rf"|(//[^\n]*+{BLANK})"
    r"|(\}[ \t\r\n]*+)"
    r"|(\{[ \t\r\n]*+)"
    r"|(.)",
    re.ASCII | re.DOTALL,
)
_INSTRUCTION, _LABEL, _LOC, _COMMENT, _CLOSE, _OPEN = 3, 4, 5, 6, 7, 8
"""Number of the pattern's last group for each kind of statement."""

_OPCODE_START = re.compile(r"(?!WARP_SZ\b)[A-Za-z]\w*+", re.ASCII)
_OPCODE_PART = re.compile(r"\.[\w:]++", re.ASCII)
_OCTAL = re.compile(r"\b0\d")
_APART = re.compile(r"\.(?:sp(?:::\w+)?|sync)$", re.ASCII)
"""What our table has in the names of instructions and ptxas reads apart from them."""
_LABELLED = frozenset({".branchtargets", ".calltargets", ".callprototype"})


class _Opcodes(dict[str, Opcode]):
    """Opcode text to opcode; saves the call of `isa.decode` for every instruction."""

    def __missing__(self, text: str) -> Opcode:
        opcode = self[text] = decode(text)
        return opcode


class _Guards(dict[str, Guard]):
    """Guard text to guard."""

    def __missing__(self, text: str) -> Guard:
        guard = self[text] = Guard(Register(text.lstrip("@! \t")), "!" in text)
        return guard


class _Locations(dict[str, SourceLocation]):
    """The arguments of `.loc` to the location they say."""

    def __missing__(self, text: str) -> SourceLocation:
        words = text.split()
        if len(words) == 3 and len(text) < 20 and _OCTAL.search(text) is None:
            found = self[text] = SourceLocation(int(words[0]), int(words[1]), int(words[2]))
            return found
        try:
            found = self[text] = read_location(text)
        except PtxSyntaxError:
            raise UnreadError from None
        return found


class BodyReader:
    """Reads the function bodies of one text; the memos are shared by all of them.

    `outer` collects what a body declares outside itself: prototypes and aliases, which are the module's.
    """

    def __init__(self, text: str, filename: str) -> None:
        self.text = text
        self.filename = filename
        self.opcodes = _Opcodes()
        self.guards = _Guards()
        self.locations = _Locations()
        self.outer: list[Item] = []

    def alone(self, text: str) -> BodyReader:
        """A reader of another text that knows the same opcodes and guards."""
        reader = BodyReader(text, self.filename)
        reader.opcodes, reader.guards = self.opcodes, self.guards
        return reader

    def read(self, opening: int, body: list[Statement], scope: Scope) -> int:  # noqa: C901
        """Read the statements after the brace at `opening` into `body`; the offset of the function's closing brace.

        One function with everything in locals: it runs once for each line of a module, and calls would cost more than
        what they do.
        """
        text, opcodes, guards, locations = self.text, self.opcodes, self.guards, self.locations
        lists, plain, append = scope.lists, scope.plain(), body.append
        enclosing: list[tuple[Block, list[Statement], Scope]] = []
        outermost = scope.root
        pos = skip(text, opening + 1)
        while True:
            match = None
            for match in _STATEMENT.finditer(text, pos):
                kind = match.lastindex
                if kind == _INSTRUCTION:
                    guard, opcode, written = match.group(1, 2, 3)
                    try:
                        if plain is not None and "{" not in written and "(" not in written and written:
                            operands = tuple(map(plain, written.split(", ")))
                        else:
                            operands = lists[written]
                    except UnreadError:
                        try:
                            operands = lists[written]
                        except UnreadError:
                            break
                    append(Instruction(opcodes[opcode], operands, guards[guard] if guard else None, match.start()))
                elif kind == _LABEL:
                    append(Label(match[4], match.start()))
                elif kind == _LOC:
                    try:
                        append(Loc(locations[match[5]], match.start()))
                    except UnreadError:
                        break
                elif kind == _COMMENT:
                    continue
                elif kind == _CLOSE:
                    if not enclosing:
                        return match.start()
                    block, body, scope = enclosing.pop()
                    block.end = match.start()
                    append, lists, plain = body.append, scope.lists, scope.plain()
                elif kind == _OPEN:
                    if len(enclosing) >= MAX_NESTING:
                        raise syntax_error(text, match.start(), self.filename, "scopes nest too deeply", "", "{", "'}'")
                    block = Block([], match.start())
                    append(block)
                    enclosing.append((block, body, scope))
                    body = block.body
                    append = body.append
                else:
                    break
            else:
                match = None
            start = skip(text, match.start()) if match else len(text)
            if start >= len(text):
                self._unclosed(enclosing[-1][0].pos if enclosing else opening)
            if match and start == match.start():
                inherited = enclosing[-1][2] if enclosing else outermost
                declared = plain_declaration(text, start)
                if declared is not None:
                    declaration, end = declared
                    append(declaration)
                    scope = _declare(declaration, scope, inherited)
                    start = skip(text, end)
                else:
                    named = _past_backslash(text, start)
                    start, scope = self._statement(Cursor(text, named, self.filename), body, scope, inherited)
                lists, plain = scope.lists, scope.plain()
            pos = start

    def _unclosed(self, opening: int) -> NoReturn:
        raise syntax_error(self.text, opening, self.filename, "unclosed brace", "add '}'", "end of text", "'}'")

    def _statement(self, cursor: Cursor, body: list[Statement], scope: Scope, inherited: Scope) -> tuple[int, Scope]:
        """Read one statement with the cursor; the offset after it and the scope that it leaves behind.

        `inherited` is the enclosing block's scope: a declaration that matters to it gets a scope of its own.
        """
        if cursor.kind == DOT:
            return self._directive(cursor, body, scope, inherited)
        pos = cursor.start
        guard = self._guard(cursor) if cursor.token == "@" else None
        if cursor.kind != NAME or cursor.token[0] in "%$":
            self._no_statement(cursor, guard)
        if guard is None and cursor.text.startswith(":", skip(cursor.text, cursor.end)):
            body.append(Label(cursor.advance(), pos))
            return skip(cursor.text, cursor.end), scope
        opcode, written, gap = self._opcode(cursor)
        if 0 < gap < _unbroken(opcode):
            message = f"a blank inside {quote(opcode.written)}"
            raise cursor.error(message, pos, "blanks are allowed only before modifiers", written[gap:], "no blank")
        if gap and cursor.token == ",":  # A modifier with a blank before it is none where operands follow.
            last = cursor.text.rindex(".", pos, cursor.start)
            raise cursor.error(
                f"expected an operand, found {quote(written[gap:])}",
                last,
                "it would be parsed as a modifier",
                written[gap:],
                "an operand",
            )
        operands = read_operands(cursor, scope)
        if cursor.token != ";":
            self._no_end(cursor, written)
        body.append(Instruction(opcode, operands, guard, pos))
        return skip(cursor.text, cursor.end), scope

    def _guard(self, cursor: Cursor) -> Guard:
        cursor.advance()
        negated = cursor.accept("!")
        if cursor.kind != NAME or cursor.token == "_":
            cursor.fail("a predicate register")
        register = cursor.token
        cursor.move(_past_backslash(cursor.text, skip(cursor.text, cursor.end)))
        return Guard(Register(register), negated)

    def _opcode(self, cursor: Cursor) -> tuple[Opcode, str, int]:
        """An opcode whose parts may have blanks and comments between them, and after how much of it the first does."""
        text = cursor.text
        match = _OPCODE_START.match(text, cursor.start)
        if match is None:
            cursor.fail("an instruction")
        parts, end, gap = [match.group()], match.end(), 0
        while (part := _OPCODE_PART.match(text, skip(text, end))) is not None:
            if not gap and part.start() != end:
                gap = sum(map(len, parts))
            parts.append(part.group())
            end = part.end()
        cursor.move(end)
        if text.startswith("$", end):
            cursor.fail("a blank after the opcode", "'$' continues its last word")
        written = "".join(parts)
        return self.opcodes[written], written, gap

    def _no_statement(self, cursor: Cursor, guard: Guard | None) -> NoReturn:
        if guard is not None:
            cursor.fail("an instruction", "put a guard on a single instruction" if cursor.token in ("{", ".") else "")
        hint = "unexpected ';'" if cursor.token == ";" else ""
        if cursor.kind == NAME:
            hint = "write ':' after a label"
        cursor.fail("a statement", hint)

    def _no_end(self, cursor: Cursor, written: str) -> NoReturn:
        hint = ""
        if cursor.kind in (NAME, DOT, END) or cursor.token in ("}", "@", "{"):
            hint = f"add ';' after {quote(written)}, or ',' between operands"
        cursor.fail("',' or ';'", hint)

    def _directive(self, cursor: Cursor, body: list[Statement], scope: Scope, inherited: Scope) -> tuple[int, Scope]:
        pos, token = cursor.start, cursor.token
        if token == ".loc":
            body.append(position_directive(cursor, pos))
            return cursor.start, scope
        if token == ".pragma":
            body.append(pragma(cursor, pos))
            return cursor.start, scope
        if token == ".target":
            return self._same_target(cursor), scope
        declared: list[RegisterDeclaration | Variable] = []
        if token == ".reg":
            cursor.advance()
            declared.append(register_declaration(cursor, pos))
        elif token in SPACES or token in (".align", ".attribute"):
            declared += variables(cursor, pos)
        elif token in _LABELLED:
            body.append(self._labelled(cursor, body))
        elif token == ".func" or (token in LINKAGES and cursor.text.startswith(".func", skip(cursor.text, cursor.end))):
            linkage = "" if token == ".func" else cursor.advance()[1:]
            self.outer.append(function_header(cursor, linkage, pos))
        elif token == ".alias":
            self.outer.append(alias(cursor, pos))
        else:
            self._no_directive(cursor)
        for declaration in declared:
            body.append(declaration)
            scope = _declare(declaration, scope, inherited)
        if cursor.token != ";":
            cursor.fail("';'", f"add ';' after {quote(token)}")
        return skip(cursor.text, cursor.end), scope

    def _same_target(self, cursor: Cursor) -> int:
        """Step over a target that the module has anyway; ptxas takes lesser ones too, for what is behind them."""
        cursor.advance()
        header = find_header(self.text)
        words = [word for word, _, _ in header.targets] if header is not None else []
        if cursor.token != governing(words):
            cursor.fail("the module's target" if words else "a statement", "write .target after .version")
        return skip(cursor.text, cursor.end)

    def _labelled(self, cursor: Cursor, body: list[Statement]) -> LabelledDirective:
        name = cursor.token
        if not body or not isinstance(body[-1], Label):
            cursor.fail("a label", f"write a label before it: name: {name} ...;")
        label = body.pop()
        assert isinstance(label, Label)
        return labelled_directive(cursor, label.name, label.pos)

    def _no_directive(self, cursor: Cursor) -> NoReturn:
        hint = ""
        if cursor.token in (".entry", ".func", ".visible", ".extern", ".weak"):
            hint = "close the previous function with '}'"
        elif cursor.token in (".file", ".section"):
            hint = f"{cursor.token} is not allowed in a function"
        cursor.fail("a statement", hint)


def _past_backslash(text: str, pos: int) -> int:
    """Where an instruction's name starts, before which ptxas passes over one backslash; elsewhere the offset given."""
    behind = skip(text, pos + 1) if text.startswith("\\", pos) else pos
    name = _OPCODE_START.match(text, behind)
    return behind if name is not None and not text.startswith(":", skip(text, name.end())) else pos


def _unbroken(opcode: Opcode) -> int:
    """How much of an opcode ptxas reads as one word: the instruction's name with the modifiers that lead."""
    leading = opcode.variants[0].compiled.leading if opcode.variants else frozenset[str]()
    name = opcode.stem
    end = len(_APART.sub("", name))
    for token in opcode.written[len(name) + 1 :].split("."):
        if token not in leading:
            break
        name += f".{token}"
        end = len(name)
    return end


def _declare(declaration: RegisterDeclaration | Variable, scope: Scope, inherited: Scope) -> Scope:
    """The scope in force after a declaration: a new one when it changes what identifiers stand for in this block."""
    if isinstance(declaration, Variable):
        if scope.is_register(declaration.name):
            scope = Scope(scope) if scope is inherited else scope
            scope.declare_symbol(declaration.name)
        return scope
    for name, count in declaration.names:
        if name[0] != "%" or not scope.is_register(name):
            scope = Scope(scope) if scope is inherited else scope
            scope.declare_register(name, count)
    return scope
