"""Where names are declared and used in a PTX text that may be unfinished: what an editor asks on every keystroke.

The parser stops at the first mistake; this looks at tokens only, so that names are found around one.  Scopes are
braces, declarations are what stands where a declaration may be, and a name means the innermost declaration of it,
wherever in the scope that stands (as labels and functions may be used before).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from weft.dataclass import dataclass
from weft.isa.directives import DIRECTIVES
from weft.isa.registers import SPECIAL_REGISTERS
from weft.places import Token, Use, Uses
from weft.ptx.constants import integer_value, is_float
from weft.ptx.lexical import COMMENT, IDENTIFIER, MEMBER, MODIFIER, NUMBER, OPERATOR, STRING
from weft.ptx.names import Names

_SPACES = frozenset({".global", ".const", ".shared", ".local", ".param", ".tex"})
_LINKAGES = frozenset({".extern", ".visible", ".weak", ".common"})
_TABLES = frozenset({".branchtargets", ".calltargets", ".callprototype"})
_MOST_DIGITS = 12
_SCAN = re.compile(
    rf"(?P<comment>{COMMENT.pattern})|(?P<string>{STRING})|(?P<member>{MEMBER})|(?P<dot>{MODIFIER}|\.(?!\d++(?:[eE][-+]?\d++)?(?!\w))\d\w++)"
    rf"|(?P<name>{IDENTIFIER}|WARP_SZ|_)|(?P<number>{NUMBER})|(?P<sign>{OPERATOR}|\S)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """A declaration: its name, what it is (`register`, `variable`, `parameter`, `function`, `kernel`, `label`,
    `table`), the words before the name (`.reg .b32`), the number of a range (0: one), and offsets.

    `start` and `end` are the name's; `whole` are the offsets of the statement, of a function with its body.
    """

    name: str
    kind: str
    words: str
    count: int
    start: int
    end: int
    whole: tuple[int, int]
    function: int

    @property
    def type(self) -> str:
        """The type as written, with its dot; empty when it has none."""
        return next((word for word in reversed(self.words.split()) if word.startswith(".")), "")


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """One instruction as written: offsets of its opcode's beginning and end."""

    opcode: str
    start: int
    end: int


_Scope = Names[Declared]


class Occurrences:
    """The names of a text: its `tokens`, `declared` in text order, `opcodes`, and `uses`, declarations among them.

    Kinds of tokens are `comment`, `string`, `member`, `dot` (a directive or modifier), `name`, `number` and `sign`.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [Token(match.lastgroup or "", match[0], match.start()) for match in _SCAN.finditer(text)]
        self.declared: list[Declared] = []
        self.opcodes: list[Call] = []
        self.uses = Uses(_Reading(self).run())

    def of(self, declared: Declared, name: str) -> list[Use[Declared]]:
        """Every use of a declaration; by a name of a range, those of this register and where the range is declared."""
        found = [use for use in self.uses if use.declared is declared]
        if not declared.count or name == declared.name:
            return found
        return [use for use in found if self.text[use.start : use.end] in (name, declared.name)]

    def visible(self, offset: int) -> list[Declared]:
        """What is declared in the function around an offset, and in the module."""
        inside = next(
            (one.start for one in self.declared if one.kind in _FUNCTIONS and one.whole[0] <= offset <= one.whole[1]),
            -1,
        )
        return [one for one in self.declared if one.function in (-1, inside)]


_FUNCTIONS = ("function", "kernel")


class _Reading:
    """The walk over the tokens of one text."""

    def __init__(self, into: Occurrences) -> None:
        self.into = into
        self.tokens = [token for token in into.tokens if token.kind != "comment"]
        self.position = 0
        self.scopes: list[_Scope] = [Names()]
        self.names: list[tuple[Token, _Scope]] = []
        self.function: int = -1
        self.header: tuple[Token, int, str] | None = None

    # -- statements --

    def run(self) -> Iterator[Use[Declared]]:
        while self.position < len(self.tokens):
            self._statement()
        for token, scope in self.names:
            declared = scope.find(token.text)
            if declared is not None or token.text not in SPECIAL_REGISTERS:
                yield Use(token.start, token.end, declared)

    def _statement(self) -> None:
        token = self.tokens[self.position]
        if token.text == "{":
            self.position += 1
            self.scopes.append(Names(self.scopes[-1]))
        elif token.text == "}":
            self.position += 1
            if len(self.scopes) > 1:
                self.scopes.pop()
            if len(self.scopes) == 1:
                self._end_function(token.end)
        elif token.kind == "name" and self._sign(1, ":"):
            self._labelled(token)
        elif token.kind == "dot":
            self._directive(token)
        elif token.kind == "name" or token.text == "@":
            self._instruction()
        else:
            self.position += 1

    def _labelled(self, token: Token) -> None:
        following = self.tokens[self.position + 2] if self.position + 2 < len(self.tokens) else None
        if following is not None and following.text in _TABLES:
            self.position += 1
            rest = self._rest()
            self._declare(token, "table", following.text, 0, (token.start, rest[-1].end if rest else token.end))
            if following.text != ".callprototype":  # Its parameters' names mean nothing.
                self._use(rest)
            return
        self.position += 2
        self._declare(token, "label", "", 0, (token.start, token.end))

    def _directive(self, first: Token) -> None:
        if first.text == ".section":
            self._skip_section()
            return
        rest = self._rest()
        words = {token.text for token in rest[:8] if token.kind == "dot"}
        if ".entry" in words or ".func" in words:
            self._function(rest)
        elif first.text == ".reg" or (words & _SPACES and (first.text in _SPACES or first.text in _LINKAGES)):
            kind = "register" if first.text == ".reg" else "variable"
            self._declarations(rest, kind)
        elif first.text == ".alias":
            names = [token for token in rest if token.kind == "name"]
            if names:
                self._declare(names[0], "function", ".alias", 0, (rest[0].start, rest[-1].end))
            self._use(names[1:])

    def _rest(self) -> list[Token]:
        """The tokens of a statement up to its semicolon, or to the brace of a function's body; both are passed."""
        start, depth = self.position, 0
        position = start
        count = len(self.tokens)
        function = False
        while position < count:
            token = self.tokens[position]
            text = token.text
            if token.kind == "dot":
                if position > start and not depth and _begins(text, function) and self._first_of_line(position):
                    break  # The statement before is unfinished.
                function = function or text in (".entry", ".func")
            elif text == ";":
                position += 1
                break
            elif text == "{":
                if function:
                    break
                depth += 1
            elif text == "}":
                if not depth:
                    break
                depth -= 1
            elif text == "@" and position > start and self._first_of_line(position):
                break
            position += 1
        self.position = max(position, start + 1)
        return self.tokens[start : self.position]

    def _first_of_line(self, position: int) -> bool:
        text, start = self.into.text, self.tokens[position].start
        return not text[text.rfind("\n", 0, start) + 1 : start].strip()

    def _skip_section(self) -> None:
        while self.position < len(self.tokens) and self.tokens[self.position].text != "}":
            self.position += 1
        self.position += 1

    # -- declarations --

    def _function(self, rest: list[Token]) -> None:
        kind = "kernel" if any(token.text == ".entry" for token in rest[:8]) else "function"
        depth, name, start = 0, None, len(rest)
        for index, token in enumerate(rest):
            depth += (token.text == "(") - (token.text == ")")
            if token.kind == "name" and not depth:
                name, start = token, index
                break
        if name is None:
            return
        whole = (rest[0].start, rest[-1].end)
        self._declare(name, kind, f".{'entry' if kind == 'kernel' else 'func'}", 0, whole, scope=self.scopes[0])
        opens = self.position < len(self.tokens) and self.tokens[self.position].text == "{"
        inner: _Scope = Names(self.scopes[0])
        self.function = name.start
        for group in (rest[:start], rest[start + 1 :]):
            for parameter in _split(_parenthesised(group)):
                self._declarations(parameter, "parameter", inner)
        if opens:
            self.position += 1
            self.scopes = [self.scopes[0], inner]
        else:
            self.function = -1

    def _end_function(self, end: int) -> None:
        for index in range(len(self.into.declared) - 1, -1, -1):
            one = self.into.declared[index]
            if one.start == self.function and one.kind in _FUNCTIONS:
                longer = replace(one, whole=(one.whole[0], end))
                self.into.declared[index] = longer
                self.scopes[0].put(one.name, longer)
                break
        self.function = -1

    def _declarations(self, rest: list[Token], kind: str, scope: _Scope | None = None) -> None:
        """`.reg .b32 %a, %r<8>;` and `.shared .align 4 .b8 x[4], y = {x};`: names, and what initializers use."""
        if not rest:
            return
        whole = (rest[0].start, rest[-1].end)
        words: list[str] = []
        depth, wanted = 0, True
        for index, token in enumerate(rest):
            text = token.text
            if text in ("{", "[", "("):
                depth += 1
            elif text in ("}", "]", ")"):
                depth -= 1
            elif text == "=":
                wanted = False
            elif text == "," and not depth:
                wanted = True
            elif token.kind in ("dot", "member", "number") and wanted and not depth:
                words.append(text)  # `.b32` may be a component elsewhere, and a number is that of `.align`.
            elif token.kind == "name" and wanted and not depth:
                wanted = False
                count = 0
                if rest[index + 1 : index + 2] and rest[index + 1].text == "<" and index + 2 < len(rest):
                    number = rest[index + 2].text
                    written = number[0].isdigit() and len(number) < _MOST_DIGITS and not is_float(number)
                    count = integer_value(number) if written else 0
                register = kind == "parameter" and ".reg" in words
                self._declare(token, "register" if register else kind, " ".join(words), count, whole, scope)
            elif token.kind == "name":
                self.names.append((token, self.scopes[-1]))

    def _declare(
        self, token: Token, kind: str, words: str, count: int, whole: tuple[int, int], scope: _Scope | None = None
    ) -> None:
        function = -1 if kind in _FUNCTIONS else self.function
        declared = Declared(token.text, kind, words, count, token.start, token.end, whole, function)
        self.into.declared.append(declared)
        scope = scope or self.scopes[-1]
        scope.put(token.text, declared, count)
        self.names.append((token, _Only(token.text, declared) if count else scope))

    # -- uses --

    def _instruction(self) -> None:
        rest = self._rest()
        index = 0
        if rest[0].text == "@":
            index = 1
            if index < len(rest) and rest[index].text == "!":
                index += 1
            self._use(rest[index : index + 1])
            index += 1
        if index >= len(rest) or rest[index].kind != "name":
            return
        first = index
        index += 1
        while index < len(rest) and rest[index].kind in ("dot", "member"):
            index += 1
        start, end = rest[first].start, rest[index - 1].end
        self.into.opcodes.append(Call(re.sub(r"\s+", "", self.into.text[start:end]), start, end))
        self._use(rest[index:])

    def _use(self, tokens: list[Token]) -> None:
        scope = self.scopes[-1]
        self.names += [(token, scope) for token in tokens if token.kind == "name" and token.text != "_"]

    def _sign(self, ahead: int, text: str) -> bool:
        index = self.position + ahead
        return index < len(self.tokens) and self.tokens[index].text == text


class _Only(_Scope):
    """The place of a range's declaration, where its name means the range and not one of its registers."""

    def __init__(self, name: str, declared: Declared) -> None:
        super().__init__()
        self.singles[name] = declared


def _begins(text: str, header: bool) -> bool:
    """Whether a directive at the beginning of a line begins a statement, in a function's `header` the next function."""
    if header:
        return text in (".entry", ".func", ".visible", ".weak", ".extern")
    return text in DIRECTIVES and text not in (".align", ".attribute", ".param")


def _parenthesised(tokens: list[Token]) -> list[Token]:
    """What is in the first parentheses."""
    opening = next((index for index, token in enumerate(tokens) if token.text == "("), len(tokens))
    closing = next((index for index in range(opening, len(tokens)) if tokens[index].text == ")"), len(tokens))
    return tokens[opening + 1 : closing]


def _split(tokens: list[Token]) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in tokens:
        if token.text == ",":
            yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part
