"""Operands from text: the grammar of one instruction's operands, and the memo that makes reading them cheap.

PTX is repetitive: the texts of operands, and of whole operand lists, recur.  A `Scope` keeps, per text, the shared
immutable object it stands for.  What an identifier stands for depends on the declarations in force, so a block that
declares registers without `%` (or anything else with it) gets a scope of its own; a text in which every identifier
starts with `%` means the same in all of them and is kept in the outermost one.
"""

from __future__ import annotations

import re

from weft.errors import PtxSyntaxError
from weft.ptx.constants import Number, literal, read_constant, starts_constant
from weft.ptx.lexical import DOT, END, IDENTIFIER, MEMBER, NAME, NUM, Cursor
from weft.ptx.operands import (
    Address,
    Arguments,
    Element,
    Expression,
    Integer,
    Negated,
    Operand,
    Pair,
    Register,
    Sink,
    Symbol,
    Vector,
)

_MEMO_LIMIT = 400_000  # entries; keeps the memory of a huge file proportional to its text

_BLANKS = " \t\r\n"
_REGISTER = re.compile(rf"%[A-Za-z_]\w*+(?:{MEMBER})?", re.ASCII)
_MEMBER = re.compile(MEMBER, re.ASCII)
_ADDRESS = re.compile(rf"\[[ \t]*+({IDENTIFIER})(?:[ \t]*+\+[ \t]*+(-?(?:0|[1-9]\d{{0,17}})))?[ \t]*+\]", re.ASCII)
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})", re.ASCII)
_FLOAT = re.compile(r"0[fF][0-9A-Fa-f]{8}|0[dD][0-9A-Fa-f]{16}", re.ASCII)
_VECTOR = re.compile(r"\{([^{}]*+)\}")
_FLAT = r"[^,{}\[\]()]*+"
_ITEM = re.compile(
    rf"{_FLAT}(?:(?:\{{[^{{}}]*+\}}|\[[^\[\]{{}}]*+(?:\{{[^{{}}]*+\}}[^\[\]{{}}]*+)*\]|\([^()]*+\)){_FLAT})*"
)
"""One item of a list: brackets of all kinds closed, commas only inside them."""

_PLAIN_NAME = re.compile(r"(?<![%\w$.])[A-Za-z_$]", re.ASCII)
_DIGITS = "0123456789"

SINK = Sink()
"""The one sink operand."""


class UnreadError(Exception):
    """A text is not a plain operand list: the grammar must read it in its place, to say where it is wrong."""


class _Operands(dict[str, Operand]):
    """Operand text to operand, read on first use."""

    __slots__ = ("scope",)

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def __missing__(self, text: str) -> Operand:
        scope = self.scope
        if len(self) > _MEMO_LIMIT:
            self.clear()
        shared = scope.outer is not None and scope.is_shared(text)
        operand = self[text] = scope.root.operands[text] if shared else scope.read(text)
        return operand


class _Lists(dict[str, tuple[Operand, ...]]):
    """Operand list text to operands, read on first use."""

    __slots__ = ("scope",)

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def __missing__(self, text: str) -> tuple[Operand, ...]:
        scope = self.scope
        if len(self) > _MEMO_LIMIT:
            self.clear()
        if scope.outer is not None and scope.is_shared(text):
            operands = scope.root.lists[text]
        elif "{" not in text and "(" not in text:
            operands = scope.read_flat_list(text)
        else:
            operands = scope.read_list(text)
        self[text] = operands
        return operands


class Scope:
    """What identifiers stand for in one block, and the operands read there so far.

    `registers` holds names declared by `.reg` without `%` (those with a count as prefix and count), `symbols` names
    that hide an outer register or start with `%` without being one; `misleading`, in the root, says that there is one
    of the latter somewhere.
    """

    __slots__ = ("lists", "misleading", "operands", "outer", "registers", "root", "symbols")

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.root: Scope = outer.root if outer else self
        self.registers: dict[str, int] = {}
        self.symbols: set[str] = set()
        self.misleading = False
        self.operands = _Operands(self)
        self.lists = _Lists(self)

    def declare_register(self, name: str, count: int) -> None:
        """Note a `.reg` name; `count` is 0 for a single register."""
        self.registers[name] = count
        self.symbols.discard(name)
        self._forget()

    def declare_symbol(self, name: str) -> None:
        """Note the name of a variable, parameter or function."""
        self.symbols.add(name)
        if name[0] == "%":
            self.root.misleading = True
        self.registers.pop(name, None)
        self._forget()

    def _forget(self) -> None:
        if self.operands or self.lists:
            self.operands.clear()
            self.lists.clear()

    def is_register(self, name: str) -> bool:
        """Whether an identifier (without member) is a register here."""
        stem = name.rstrip(_DIGITS)
        scope: Scope | None = self
        while scope is not None:
            if name in scope.symbols:
                return False
            if scope.registers:
                if name in scope.registers and not scope.registers[name]:
                    return True
                count = scope.registers.get(stem, 0)
                if count and stem != name and len(name) - len(stem) < 12 and int(name[len(stem) :]) < count:
                    return True
            scope = scope.outer
        return name[0] == "%"

    def is_shared(self, text: str) -> bool:
        """Whether a text means the same in every scope: all its identifiers start with `%`, and none is a symbol."""
        return not self.root.misleading and _PLAIN_NAME.search(text) is None

    def read(self, text: str) -> Operand:
        """One operand from its text; raises UnreadError when the text is anything else."""
        word = text.strip(_BLANKS)
        first = word[:1]
        if first == "%":
            if _REGISTER.fullmatch(word) is not None and not self.root.misleading:
                return Register(word)
        elif first == "[":
            match = _ADDRESS.fullmatch(word)
            if match is not None:
                offset = int(match[2] or 0)
                return Address(self.name(match[1]), offset, zero=match[2] is not None and not offset)
        elif first == "{":
            match = _VECTOR.fullmatch(word)
            if match is not None:
                elements = tuple(map(self.operands.__getitem__, match[1].split(",")))
                if any(map(_is_compound, elements)):
                    raise UnreadError
                return Vector(elements)
        elif _INTEGER.fullmatch(word) is not None:
            return Integer(int(word), word)
        elif _FLOAT.fullmatch(word) is not None:
            return literal(word)
        return self._read_slowly(word)

    def _read_slowly(self, text: str) -> Operand:
        try:
            cursor = Cursor(text)
            operand = read_operand(cursor, self)
        except PtxSyntaxError:
            raise UnreadError from None
        if cursor.kind != END:
            raise UnreadError
        return operand

    def read_flat_list(self, text: str) -> tuple[Operand, ...]:
        """The operands of a comma-separated list without braces or parentheses; raises UnreadError as `read` does."""
        if not text or not text.strip(_BLANKS):
            return ()
        try:
            return tuple(map(self.operands.__getitem__, text.split(",")))
        except UnreadError:
            if "[" not in text:
                raise
            return self.read_list(text)

    def read_list(self, text: str) -> tuple[Operand, ...]:
        """The operands of a comma-separated list; raises UnreadError when one of them is no operand."""
        items: list[str] = []
        pos, end = 0, len(text)
        while True:
            stop = _ITEM.match(text, pos).end()  # pyright: ignore[reportOptionalMemberAccess]
            items.append(text[pos:stop])
            if stop == end:
                return settled(tuple(map(self.operands.__getitem__, items)))
            if text[stop] != ",":
                raise UnreadError
            pos = stop + 1

    def name(self, text: str) -> Register | Symbol:
        """A register or a symbol, as the declarations in force say; `text` may have a member (`v.x`)."""
        return Register(text) if self.is_register(text.partition(".")[0]) else Symbol(text)


def _is_compound(operand: Operand) -> bool:
    """Whether an operand may not stand inside braces."""
    if isinstance(operand, Symbol):
        return operand.offset != 0 or operand.zero
    return isinstance(operand, Vector | Address | Arguments | Negated | Pair | Element)


def settled(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
    """Operands with `(5)` after a register read as a constant in parentheses, not as a call's argument list."""
    if len(operands) > 1:
        last = operands[-1]
        if (
            isinstance(last, Arguments)
            and len(last.elements) == 1
            and isinstance(last.elements[0], Integer | Expression)
            and isinstance(operands[-2], Register)
        ):
            return (*operands[:-1], last.elements[0])
    return operands


def constant_operand(value: Number, tokens: list[str]) -> Operand:
    """The operand of a constant expression: a literal where it is one, else an Expression."""
    if len(tokens) == 1:
        return literal(tokens[0])
    if len(tokens) == 2 and tokens[0] in "+-" and tokens[1] != ")":
        return literal(tokens[1], tokens[0])
    return Expression("".join(tokens))


def read_operands(cursor: Cursor, scope: Scope) -> tuple[Operand, ...]:
    """The operands up to the semicolon, which is left under the cursor."""
    if cursor.token == ";":
        return ()
    if cursor.token in ("}", "@") or cursor.kind in (DOT, END):
        cursor.fail("an operand or ';'", "is a ';' missing?")
    operands = [read_operand(cursor, scope)]
    while cursor.accept(","):
        operands.append(read_operand(cursor, scope))
    return settled(tuple(operands))


def read_operand(cursor: Cursor, scope: Scope) -> Operand:
    """One operand at the cursor."""
    token = cursor.token
    if token == "{":
        return _paired(cursor, scope, _vector(cursor, scope))
    if token == "[":
        return _address(cursor, scope)
    if token == "(":
        return _parenthesised(cursor, scope)
    if token in ("!", "-"):
        start = cursor.start
        cursor.advance()
        if cursor.kind == NAME and cursor.token not in ("WARP_SZ", "_"):
            return Negated(_name(cursor, scope), token)
        cursor.move(start)
    if cursor.kind == NAME and token != "WARP_SZ":
        return _named(cursor, scope)
    if starts_constant(cursor):
        return constant_operand(*read_constant(cursor))
    cursor.fail("an operand", "an operand is missing" if token in (",", ";", "}") else "")


def _name(cursor: Cursor, scope: Scope) -> Operand:
    if cursor.token == "_":
        cursor.advance()
        return SINK
    name = cursor.advance()
    if cursor.kind == DOT and _MEMBER.fullmatch(cursor.token) is not None:
        name += cursor.advance()
    return scope.name(name)


def _named(cursor: Cursor, scope: Scope) -> Operand:
    """An operand that starts with a name: `a`, `a|b`, `a[i]`, `a+4`, `_`."""
    first = _name(cursor, scope)
    if cursor.token == "|":
        return _paired(cursor, scope, first)
    if cursor.token == "[" and isinstance(first, Register | Symbol):
        return _element(cursor, scope, first.name)
    if cursor.token == "+" and isinstance(first, Register | Symbol):
        offset = _offset(cursor)
        return Symbol(first.name, offset, not offset)
    return first


def _paired(cursor: Cursor, scope: Scope, first: Operand) -> Operand:
    """The operand `first`, or the pair `first|p` when a bar follows (`{a, b, c, d}|p` of the texture reads)."""
    if cursor.token != "|":
        return first
    cursor.advance()
    if cursor.kind != NAME:
        cursor.fail("a predicate register")
    return Pair(first, _name(cursor, scope))


def _element(cursor: Cursor, scope: Scope, array: str) -> Element:
    cursor.advance()
    index = _scalar(cursor, scope)
    if cursor.token == "+" and isinstance(index, Register | Symbol):
        offset = _offset(cursor)
        index = Symbol(index.name, offset, not offset)
    cursor.expect("]")
    return Element(array, index)


def _offset(cursor: Cursor) -> int:
    """The byte offset after a base: `+` and a constant expression."""
    start = cursor.start
    cursor.advance()
    value, _ = read_constant(cursor)
    if isinstance(value, float):
        raise cursor.error("an offset is a whole number of bytes", start, found=str(value), expected="an integer")
    return value


def _scalar(cursor: Cursor, scope: Scope) -> Operand:
    """A name or a constant: what may stand inside braces and parentheses."""
    if cursor.kind == NAME and cursor.token != "WARP_SZ":
        return _name(cursor, scope)
    if starts_constant(cursor):
        return constant_operand(*read_constant(cursor))
    cursor.fail("a register or a constant")


def _vector(cursor: Cursor, scope: Scope) -> Vector:
    cursor.advance()
    elements = [_scalar(cursor, scope)]
    while cursor.accept(","):
        elements.append(_scalar(cursor, scope))
    cursor.expect("}", "the vector is never closed" if cursor.kind in (END, DOT) or cursor.token == ";" else "")
    return Vector(tuple(elements))


def _address(cursor: Cursor, scope: Scope) -> Address:
    cursor.advance()
    offset = 0
    written = False
    if cursor.kind == NAME and cursor.token != "WARP_SZ":
        base = _name(cursor, scope)
        if cursor.token == "+":
            offset = _offset(cursor)
            written = True
        elif cursor.token == "-":
            cursor.fail("'+' or ']'", "PTX spells a negative offset [a+-4]")
    elif cursor.kind == NUM or starts_constant(cursor):
        base = constant_operand(*read_constant(cursor))
    else:
        cursor.fail("an address")
    rest: list[Operand] = []
    while cursor.accept(","):
        rest.append(_vector(cursor, scope) if cursor.token == "{" else _scalar(cursor, scope))
    cursor.expect("]", "the address is never closed" if cursor.kind in (END, DOT) or cursor.token == ";" else "")
    unified = cursor.kind == DOT and cursor.token == ".unified"
    if unified:
        cursor.advance()
    return Address(base, offset, tuple(rest), unified, written and not offset)


def _parenthesised(cursor: Cursor, scope: Scope) -> Operand:
    """A call's argument list, or a constant expression that starts with a parenthesis."""
    start = cursor.start
    cursor.advance()
    elements: list[Operand] = []
    if cursor.token != ")":
        if cursor.kind != NAME or cursor.token == "WARP_SZ":
            constant = _constant_in_parentheses(cursor, start)
            if constant is not None:
                return constant
        elements.append(_scalar(cursor, scope))
        while cursor.accept(","):
            elements.append(_scalar(cursor, scope))
    cursor.expect(")", "the argument list is never closed" if cursor.kind in (END, DOT) or cursor.token == ";" else "")
    return Arguments(tuple(elements))


def _constant_in_parentheses(cursor: Cursor, start: int) -> Operand | None:
    """The expression from an opening parenthesis on, unless the parentheses are all of it; else go back inside."""
    inside = cursor.start
    cursor.move(start)
    try:
        value, tokens = read_constant(cursor)
        whole = tokens[-1] == ")" and _closes_first(tokens)
    except PtxSyntaxError:
        whole = True
        value, tokens = 0, ["0"]
    if not whole:
        return constant_operand(value, tokens)
    cursor.move(inside)
    return None


def _closes_first(tokens: list[str]) -> bool:
    """Whether the last parenthesis closes the first."""
    depth = 0
    for index, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        if not depth:
            return index == len(tokens) - 1
    return False
