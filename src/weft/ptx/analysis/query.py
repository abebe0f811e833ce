"""Queries over instructions: `mma.sync & shape=m16n8k16`, `st & space=shared & !guard=*`.

    query   = all { "|" all }
    all     = one { "&" one }
    one     = "!" one | "(" query ")" | test
    test    = WORD                    an opcode: its whole text, or the start of it up to a dot; `*` and `?` stand for
                                      any characters; `.trans` (a leading dot) is a modifier wherever it stands
            | KEY ("=" | "!=") WORD   a slot or an operand by its name in the manual, or one of the keys of `KEYS`

Words may be quoted ("...") where they hold blanks or signs of the query language, and to search for what the ISA table
does not know: unquoted, that is an error.  A value may start with `!`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fnmatch import translate
from typing import NoReturn

from weft.dataclass import dataclass
from weft.errors import WeftError, meant, near_names, position_at
from weft.isa.opcode import Opcode
from weft.ptx.analysis import vocabulary
from weft.ptx.analysis.access import registers
from weft.ptx.analysis.memory import access_of
from weft.ptx.analysis.vocabulary import KEYS
from weft.ptx.ast import Instruction
from weft.ptx.operands import Address, Arguments, Element, Negated, Operand, Pair, Register, Symbol, Vector

Predicate = Callable[[Instruction], bool]
_OpcodeTest = Callable[[Opcode], bool]

_TOKEN = re.compile(r'\s*(?:(?P<sign>!=|[&|!()=])|"(?P<quoted>[^"]*)"|(?P<word>[^\s&|!()="]+))')
_DEEPEST = 100


class QueryError(WeftError):
    """A query that cannot be read; its position is within the query."""


@dataclass(frozen=True, slots=True)
class _Token:
    """A sign, or a word (`sign` is then empty); `start` is its offset in the query, `quoted`: it stood in quotes."""

    sign: str
    word: str
    start: int
    quoted: bool = False


def compile_query(text: str) -> Predicate:
    """The predicate on instructions that a query describes.

    Raises QueryError, with the place in the query, for a query that cannot be read or that names a key,
    an opcode, a modifier or a value which no instruction has.
    """
    return _Parser(text).parse()


class _Parser:
    """Recursive descent over one query."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._read())
        self._next = 0
        self._depth = 0

    def _read(self) -> Iterator[_Token]:
        pos, end = 0, len(self._text.rstrip())
        while pos < end:
            match = _TOKEN.match(self._text, pos)
            if match is None:
                start = pos + len(self._text[pos:]) - len(self._text[pos:].lstrip())
                self._fail("unterminated quotation mark", start)
            pos = match.end()
            start = match.start(match.lastgroup or 0)
            yield _Token(
                match["sign"] or "", match["word"] or match["quoted"] or "", start, match["quoted"] is not None
            )

    def _fail(self, message: str, start: int, hint: str = "") -> NoReturn:
        raise QueryError(message, position_at(self._text, start, "<query>"), hint)

    def _peek(self) -> _Token:
        if self._next < len(self._tokens):
            return self._tokens[self._next]
        return _Token("end", "", len(self._text.rstrip()))

    def _take(self) -> _Token:
        token = self._peek()
        self._next += 1
        return token

    def parse(self) -> Predicate:
        """The whole query."""
        found = self._any()
        token = self._peek()
        if token.sign != "end":
            self._fail(f"expected '&', '|' or the end, found '{token.sign or token.word}'", token.start)
        return found

    def _any(self) -> Predicate:
        parts = [self._all()]
        while self._peek().sign == "|":
            self._next += 1
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else lambda instruction: any(part(instruction) for part in parts)

    def _all(self) -> Predicate:
        parts = [self._one()]
        while self._peek().sign == "&":
            self._next += 1
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else lambda instruction: all(part(instruction) for part in parts)

    def _one(self) -> Predicate:
        token = self._take()
        if token.sign in ("!", "("):
            self._depth += 1
            if self._depth > _DEEPEST:
                self._fail("the query nests too deeply", token.start)
            inner = self._one() if token.sign == "!" else self._any()
            self._depth -= 1
            if token.sign == "!":
                return lambda instruction: not inner(instruction)
            closing = self._take()
            if closing.sign != ")":
                self._fail("expected ')'", closing.start, "unclosed '('")
            return inner
        if token.sign:
            found = "the end" if token.sign == "end" else f"'{token.sign}'"
            self._fail(
                f"expected an opcode, .modifier or key=value, found {found}",
                token.start,
                "write mma.sync or space=shared, for example",
            )
        return self._test(token)

    def _test(self, token: _Token) -> Predicate:
        if self._peek().sign not in ("=", "!="):
            wrong = None if token.quoted else vocabulary.misspelt_opcode(token.word, _glob)
            if wrong is not None:
                self._fail(f"no instruction has '{wrong[0]}'", token.start + token.word.find(wrong[0]), wrong[1])
            return _on_opcode(_spelled(token.word))
        negated = self._take().sign == "!="
        value = self._take()
        if value.sign == "!" and not self._peek().sign:  # guard=!%p1
            value = _Token("", f"!{self._take().word}", value.start)
        if value.sign:
            self._fail(f"expected a value for '{token.word}'", value.start)
        test = _key_test(token.word, value.word)
        if test is None:
            near = near_names(token.word, vocabulary.known_keys(), 3)
            self._fail(
                f"no instruction has '{token.word}'",
                token.start,
                meant(near, f"use a slot, an operand or one of {', '.join(KEYS)}"),
            )
        hint = None if value.quoted else vocabulary.misspelt_value(token.word, value.word, _glob(value.word))
        if hint is not None:
            self._fail(f"no instruction has {token.word}={value.word}", value.start, hint)
        return (lambda instruction: not test(instruction)) if negated else test


def _glob(pattern: str) -> Callable[[str], bool]:
    matches = re.compile(translate(pattern)).match
    return lambda text: matches(text) is not None


def _on_opcode(test: _OpcodeTest) -> Predicate:
    """A test of the opcode alone, made once for each opcode."""
    known: dict[Opcode, bool] = {}

    def check(instruction: Instruction) -> bool:
        found = known.get(instruction.opcode)
        if found is None:
            found = known[instruction.opcode] = test(instruction.opcode)
        return found

    return check


def _spelled(word: str) -> _OpcodeTest:
    if word.startswith("."):
        modifier = _glob(word[1:])
        return lambda opcode: any(modifier(part) for part in opcode.text.split(".")[1:])
    whole, start = _glob(word), _glob(f"{word}.*")
    return lambda opcode: any(whole(text) or start(text) for text in {opcode.text, opcode.written})


def _key_test(key: str, value: str) -> Predicate | None:
    """The test `key=value`; None for a key that no instruction has."""
    glob = _glob(value)
    if key == "family":
        return _on_opcode(lambda opcode: glob(opcode.stem))
    if key == "memory":
        return _on_opcode(lambda opcode: (access := access_of(opcode)) is not None and glob(access[0]))
    if key == "space":
        return _on_opcode(lambda opcode: (access := access_of(opcode)) is not None and _in_space(access, glob))
    if key == "guard":
        return lambda instruction: instruction.guard is not None and glob(str(instruction.guard)[1:])
    if key == "reads":
        return lambda instruction: any(glob(register.name) for register in registers(instruction)[0])
    if key == "writes":
        return lambda instruction: any(glob(register.name) for register in registers(instruction)[1])
    if key == "uses":
        return lambda instruction: any(map(glob, _names(instruction)))
    if key not in vocabulary.known_keys():
        return None
    return _slot_or_operand(key, value, glob)


def _in_space(access: tuple[str, str, str], glob: Callable[[str], bool]) -> bool:
    """Whether an access is in a space; `shared` stands for `shared::cluster` too."""
    spaces = {name for space in access[1:] if space for name in (space, space.partition("::")[0])}
    return any(map(glob, spaces))


def _slot_or_operand(key: str, value: str, glob: Callable[[str], bool]) -> Predicate:
    in_slot = _on_opcode(lambda opcode: bool(opcode.get(key)) and glob(opcode.get(key).removeprefix(".")))

    def check(instruction: Instruction) -> bool:
        if in_slot(instruction):
            return True
        operand = instruction.named.get(key)
        return operand is not None and (str(operand) == value or glob(str(operand)))

    return check


def _names(instruction: Instruction) -> Iterator[str]:
    if instruction.guard is not None:
        yield instruction.guard.register.name
    todo: list[Operand] = list(instruction.operands)
    while todo:
        operand = todo.pop()
        if isinstance(operand, Register | Symbol):
            yield operand.name
        elif isinstance(operand, Vector | Arguments):
            todo.extend(operand.elements)
        elif isinstance(operand, Pair):
            todo += [operand.first, operand.second]
        elif isinstance(operand, Negated):
            todo.append(operand.operand)
        elif isinstance(operand, Element):
            yield operand.array
            todo.append(operand.index)
        elif isinstance(operand, Address):
            todo += [operand.base, *operand.rest]
