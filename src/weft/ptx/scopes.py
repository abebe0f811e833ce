"""What texts of operands mean in a scope: the memo that makes reading them cheap.

PTX is repetitive: the texts of operands, and of whole operand lists, recur.  A `Scope` keeps, per text, the shared
immutable object it stands for.  What an identifier stands for depends on the declarations in force, so a block that
declares registers without `%` (or anything else with it) gets a scope of its own; a text in which every identifier
starts with `%` means the same in all of them and is kept in the outermost one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from weft.errors import PtxSyntaxError
from weft.patterns import pattern
from weft.ptx.constants import literal
from weft.ptx.lexical import BLANK, END, IDENTIFIER, MEMBER, Cursor
from weft.ptx.names import Names
from weft.ptx.operands import Address, Arguments, Integer, Operand, Register, Symbol, Vector
from weft.ptx.reader import is_compound, read_operand, settled

_MEMO_LIMIT = 400_000  # entries; keeps the memory of a huge file proportional to its text

_BLANKS = " \t\r\n\f\x1a"
_REGISTER = re.compile(rf"%[A-Za-z_]\w*+(?:{MEMBER})?", re.ASCII)
_ADDRESS = re.compile(rf"\[[ \t]*+({IDENTIFIER})(?:[ \t]*+\+[ \t]*+(-?(?:0|[1-9]\d{{0,17}})))?[ \t]*+\]", re.ASCII)
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})", re.ASCII)
_FLOAT = re.compile(r"0[fF][0-9A-Fa-f]{8}|0[dD][0-9A-Fa-f]{16}", re.ASCII)
_NAME = re.compile(IDENTIFIER, re.ASCII)
_ARGUMENTS = pattern(rf"\({BLANK}{IDENTIFIER}{BLANK}(?:,{BLANK}{IDENTIFIER}{BLANK})*+\)", re.ASCII)
_VECTOR = re.compile(r"\{([^{}]*+)\}")
_FLAT = r"[^,{}\[\]()]*+"
_ITEM = re.compile(
    rf"{_FLAT}(?:(?:\{{[^{{}}]*+\}}|\[[^\[\]{{}}]*+(?:\{{[^{{}}]*+\}}[^\[\]{{}}]*+)*\]|\([^()]*+\)){_FLAT})*"
)
"""One item of a list: brackets of all kinds closed, commas only inside them."""

_COMMA = re.compile(r",[ \t\r\n\f\x1a]*+(?![^{}\[\]()]*+[}\])])")
"""A comma outside brackets, but for one before brackets in brackets."""

_PLAIN_NAME = re.compile(r"(?<![%\w$.])[A-Za-z_$]", re.ASCII)


_set = object.__setattr__


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
        operand: Operand
        if not scope.root.misleading and _REGISTER.fullmatch(text) is not None:
            operand = object.__new__(Register)  # Half the time of a call of the class.
            _set(operand, "name", text)
            self[text] = operand
            return operand
        word = text.strip(_BLANKS)
        if word is not text:
            operand = self[word]
        elif scope.outer is not None and scope.is_shared(word):
            operand = scope.root.operands[word]
        else:
            operand = scope.read(word)
        self[text] = operand
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
        else:
            operands = scope.read_list(text)
        self[text] = operands
        return operands


def _address(base: Operand, offset: int, *, zero: bool) -> Address:
    """`[base+offset]`, in a third of the time of a call of the class."""
    address = object.__new__(Address)
    _set(address, "base", base)
    _set(address, "offset", offset)
    _set(address, "rest", ())
    _set(address, "unified", False)
    _set(address, "zero", zero)
    return address


class Scope:
    """What identifiers stand for in one block, and the operands read there so far.

    `names` holds names declared by `.reg` without `%` (True), and those that hide an outer register or start with `%`
    without being one (False); `misleading`, in the root, says that there is one of the latter somewhere.
    """

    __slots__ = ("lists", "misleading", "names", "operands", "outer", "root")

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.root: Scope = outer.root if outer else self
        self.names: Names[bool] = Names(outer.names if outer else None)
        self.misleading = False
        self.operands = _Operands(self)
        self.lists = _Lists(self)

    def is_empty(self) -> bool:
        """Whether nothing is declared here."""
        return not self.names.singles and not self.names.ranges

    def plain(self) -> Callable[[str], Operand] | None:
        """What reads an operand of a list without brackets; None where whole lists are best looked up.

        In the outermost scope, where compilers' code is, hardly a list occurs twice, so none is kept.
        """
        return self.operands.__getitem__ if self.outer is None else None

    def declare_register(self, name: str, count: int) -> None:
        """Note a `.reg` name; `count` is 0 for a single register."""
        self.names.put(name, True, count)
        self._forget()

    def declare_symbol(self, name: str) -> None:
        """Note the name of a variable, parameter or function."""
        self.names.put(name, False)
        if name[0] == "%":
            self.root.misleading = True
        self._forget()

    def _forget(self) -> None:
        if self.operands or self.lists:
            self.operands.clear()
            self.lists.clear()

    def is_register(self, name: str) -> bool:
        """Whether an identifier (without member) is a register here."""
        known = self.names.find(name)
        return name[0] == "%" if known is None else known

    def is_shared(self, text: str) -> bool:
        """Whether a text means the same in every scope: all its identifiers start with `%`, and none is a symbol."""
        return not self.root.misleading and _PLAIN_NAME.search(text) is None

    def read(self, word: str) -> Operand:
        """One operand from its text without blanks around it; raises UnreadError when the text is anything else."""
        first = word[:1]
        if first == "[":
            match = _ADDRESS.fullmatch(word)
            if match is not None:
                name, written = match.groups()
                offset = int(written) if written else 0
                base = self.operands[name] if name[0] == "%" else self.name(name)
                return _address(base, offset, zero=written is not None and not offset)
        elif first == "{":
            match = _VECTOR.fullmatch(word)
            if match is not None:
                elements = tuple(map(self.operands.__getitem__, match[1].split(",")))
                if any(map(is_compound, elements)):
                    raise UnreadError
                return Vector(elements)
        elif _NAME.fullmatch(word) is not None:
            return self.name(word)
        elif first == "(" and _ARGUMENTS.fullmatch(word) is not None:
            elements = tuple(map(self.operands.__getitem__, word[1:-1].split(",")))
            if all(isinstance(element, Register | Symbol) for element in elements):
                return Arguments(elements)
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

    def read_list(self, text: str) -> tuple[Operand, ...]:
        """The operands of a comma-separated list; raises UnreadError when one of them is no operand."""
        read = self.operands.__getitem__
        try:
            return settled(tuple(map(read, _COMMA.split(text)))) if text else ()
        except UnreadError:
            if "[" not in text and "{" not in text and "(" not in text:
                raise
        items: list[str] = []
        pos, end = 0, len(text)
        while True:
            stop = _ITEM.match(text, pos).end()  # pyright: ignore[reportOptionalMemberAccess]
            items.append(text[pos:stop])
            if stop == end:
                return settled(tuple(map(read, items)))
            if text[stop] != ",":
                raise UnreadError
            pos = stop + 1

    def name(self, text: str) -> Register | Symbol:
        """A register or a symbol, as the declarations in force say; `text` may have a member (`v.x`)."""
        return Register(text) if self.is_register(text.partition(".")[0]) else Symbol(text)
