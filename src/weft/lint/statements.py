"""Inline assembly statements of C++: `asm volatile ("template" : outputs : inputs : clobbers);`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice, product

from weft.dataclass import dataclass
from weft.lint.tokens import Keyword, keywords, tokens
from weft.places import Token

MOST_TOKENS = 100_000
"""Tokens that one statement may have."""
MOST_WAYS = 16
"""Ways in which the conditionals inside of one statement, and its macros, may turn out that are looked at."""
_QUALIFIERS = {"volatile", "__volatile__", "__volatile", "inline", "__inline__", "goto"}
_OPENING, _CLOSING = {"(", "[", "{"}, {")", "]", "}"}
_STRINGS = ("string", "raw")
_LETTERS = set("rlhfdqnC")
_DEFINED = re.compile(
    r'^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+((?:"(?:[^"\\\n]|\\.)*"[ \t]*)+)(?:\r?\n|//|/\*|\Z)', re.MULTILINE
)


class Unreadable(Exception):
    """A statement that is not one; `start` is the offset of what is wrong, `length` its number of characters."""

    def __init__(self, message: str, start: int, length: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.length = length


class Unjudged(Exception):
    """A statement that cannot be known from its text alone; the message says why."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand: its constraint as written (`=r`, `+l`, `n`), its name in brackets or none, its C++ expression.

    `start` is the offset of the constraint's string, or of the macro that is one; `apart`: a comma is before it, or it
    is the first.
    """

    constraint: str
    name: str
    expression: tuple[Token, ...]
    start: int
    apart: bool = True

    @property
    def letters(self) -> str:
        """The constraint without `=`, `+` and `&`."""
        return self.constraint.lstrip("=+").removeprefix("&")


@dataclass(frozen=True, slots=True)
class Clobber:
    """What a statement says that it changes, and where: `length` characters at the offset `start`."""

    text: str
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: the tokens of its template, and its operands, outputs first.

    `start` and `end` are offsets, `function` that of the body's brace (-1: none).
    """

    start: int
    end: int
    function: int
    volatile: bool
    template: tuple[Token, ...]
    outputs: tuple[Operand, ...] = ()
    inputs: tuple[Operand, ...] = ()
    clobbers: tuple[Clobber, ...] = ()

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All operands in the order of their numbers."""
        return self.outputs + self.inputs

    @property
    def extended(self) -> bool:
        """Whether `%` is special in the template: for nvcc where there is an operand, not where there is a colon."""
        return bool(self.outputs or self.inputs)

    @property
    def orders_memory(self) -> bool:
        """Whether it clobbers memory."""
        return any(clobber.text == "memory" for clobber in self.clobbers)


def defined_strings(text: str) -> dict[str, list[tuple[Token, ...]]]:
    """The macros of a text that are nothing but strings, each as all definitions that it has."""
    found: dict[str, list[tuple[Token, ...]]] = {}
    for match in _DEFINED.finditer(text):
        found.setdefault(match[1], []).append(tuple(tokens(match[2], 0)))
    return found


def spellings(found: list[Token], macros: Mapping[str, list[tuple[Token, ...]]]) -> list[dict[str, tuple[Token, ...]]]:
    """What the macros of a statement may stand for: a mapping for each way to choose from their definitions."""
    used = [name for name in dict.fromkeys(token.text for token in found) if name in macros]
    return [dict(zip(used, way, strict=True)) for way in islice(product(*(macros[name] for name in used)), MOST_WAYS)]


def found_tokens(text: str) -> Iterator[tuple[Keyword, list[Token]]]:
    """Each `asm (...)` of a text: where it is, and its tokens up to the closing parenthesis.

    An `asm` without a parenthesis is something else, and one whose parenthesis is never closed is raised as
    `Unreadable` by `statements`, from a list without the closing one.
    """
    behind = 0
    for keyword in keywords(text):
        if keyword.start < behind:
            continue
        found: list[Token] = []
        depth = 0
        for token in islice(tokens(text, keyword.start), MOST_TOKENS):
            if token.text in (";", "{", "}") and not depth and token.kind == "sign":
                break
            found.append(token)
            if token.kind == "sign" and token.text in _OPENING:
                depth += 1
            elif token.kind == "sign" and token.text in _CLOSING:
                depth -= 1
                if not depth:
                    break
            if not depth and len(found) > 1 and token.text not in _QUALIFIERS:
                break
        if len(found) > 1 and any(token.text == "(" for token in found):
            behind = found[-1].end
            yield keyword, found


def branches(found: list[Token]) -> list[list[Token]]:
    """The statement as the preprocessor may leave it: one list of tokens for each way its conditions can turn out.

    Conditionals of the same condition turn out alike. At most `MOST_WAYS` ways are looked at.
    """
    if not any(token.kind == "directive" for token in found):
        return [found]
    placed: list[tuple[Token, tuple[tuple[str, int], ...]]] = []
    counts: dict[str, int] = {}
    stack: list[tuple[str, int, bool]] = []  # The condition, the number of the branch that is here, #ifndef.
    for token in found:
        if token.kind != "directive":
            placed.append((token, tuple((condition, branch) for condition, branch, _ in stack)))
            continue
        word, _, rest = token.text.strip().lstrip("#").strip().partition(" ")
        if word in ("if", "ifdef", "ifndef"):
            stack.append((" ".join(rest.split()), int(word == "ifndef"), word == "ifndef"))
            counts.setdefault(stack[-1][0], 2)
        elif word in ("else", "elif") and stack:
            condition, branch, negated = stack.pop()
            branch = 0 if negated else branch + 1
            stack.append((condition, branch, False))
            counts[condition] = max(counts[condition], branch + 1)
        elif word == "endif" and stack:
            stack.pop()
    ways = product(*(range(count) for count in counts.values()))
    chosen = [set(zip(counts, way, strict=True)) for way in islice(ways, MOST_WAYS)]
    return [[token for token, where in placed if way.issuperset(where)] for way in chosen]


def read(keyword: Keyword, found: list[Token], macros: Mapping[str, tuple[Token, ...]]) -> Statement:
    """A statement of its tokens without directives; raises `Unreadable`, and `Unjudged` for unknown macros."""
    opening = next(i for i, token in enumerate(found) if token.text == "(")
    if found[-1].text != ")":
        raise Unreadable("unclosed '(' of the asm statement", found[opening].start)
    volatile = any("volatile" in token.text for token in found[:opening])
    sections = _sections(found[opening + 1 : -1])
    template, *rest = sections
    if not template:
        raise Unreadable("the asm statement has no template", found[opening].start)
    rest += [[]] * (3 - len(rest))
    if len(rest) > 3 + any(token.text == "goto" for token in found[:opening]):
        raise Unreadable("an asm statement has at most three colons", found[-1].start)
    return Statement(
        found[0].start,
        found[-1].end,
        keyword.function,
        volatile,
        tuple(template),
        tuple(_operands(rest[0], macros)),
        tuple(_operands(rest[1], macros)),
        tuple(_clobbers(rest[2])),
    )


def _sections(inside: list[Token]) -> list[list[Token]]:
    """What the colons at the top separate; `::` there is two of them."""
    sections: list[list[Token]] = [[]]
    depth = 0
    for token in inside:
        if token.kind == "sign":
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            if not depth and token.text in (":", "::"):
                sections += [[] for _ in token.text]
                continue
        sections[-1].append(token)
    return sections


def _operands(section: list[Token], macros: Mapping[str, tuple[Token, ...]]) -> Iterator[Operand]:
    position, apart = 0, True
    while position < len(section):
        token = section[position]
        name = ""
        if token.text == "[" and position + 2 < len(section):
            name, position = section[position + 1].text, position + 3
            if not name.isidentifier():
                raise Unreadable(f"expected the name of an operand, found '{name}'", token.end, len(name))
            token = section[min(position, len(section) - 1)]
        constraint, start = "", token.start
        while position < len(section) and section[position].kind in (*_STRINGS, "word"):
            constraint, position = constraint + _constraint(section[position], macros), position + 1
        if not constraint:
            raise Unreadable(f"expected a constraint in quotes, found '{token.text}'", start, len(token.text))
        if position == len(section) or section[position].text != "(":
            raise Unreadable(f'constraint "{constraint}" has no operand in parentheses', start, len(constraint) + 2)
        end = _closing(section, position)
        if end == position + 1:
            raise Unreadable(f'the operand of constraint "{constraint}" is empty', section[position].start, 2)
        yield Operand(constraint, name, tuple(section[position + 1 : end]), start, apart)
        position = end + 1
        apart = position < len(section) and section[position].text == ","
        if apart:
            position += 1
            if position == len(section):
                raise Unreadable("expected an operand after ','", section[-1].start)


def _clobbers(section: list[Token]) -> Iterator[Clobber]:
    position = 0
    while position < len(section):
        first = position
        while position < len(section) and section[position].kind in (*_STRINGS, "word"):
            if section[position].kind == "word":
                raise Unjudged(f"the clobber '{section[position].text}' is a macro, or lacks its quotes")
            position += 1
        if first == position:
            found = section[position]
            raise Unreadable(f"expected a clobber in quotes, found '{found.text}'", found.start, len(found.text))
        text = "".join(_plain(token) for token in section[first:position])
        yield Clobber(text, section[first].start, section[position - 1].end - section[first].start)
        if position < len(section):
            comma = section[position]
            position += 1
            if comma.text != "," or position == len(section):
                what = f"expected ',' between clobbers, found '{comma.text}'" if comma.text != "," else ""
                raise Unreadable(what or "expected a clobber after ','", comma.start, len(comma.text))


def _constraint(token: Token, macros: Mapping[str, tuple[Token, ...]]) -> str:
    """What a string of a constraint, or a macro for it, says; nothing for a letter that lacks its quotes."""
    if token.kind in _STRINGS:
        return _plain(token)
    if token.text in macros:
        return "".join(map(_plain, macros[token.text]))
    if token.text in _LETTERS:
        return ""
    raise Unjudged(f"the constraint '{token.text}' is a macro from another file")


def _closing(section: list[Token], opening: int) -> int:
    """Where the parenthesis that opens at a position closes; the colons that part sections are outside of all."""
    depth = 0
    for position in range(opening, len(section)):
        depth += (section[position].text in _OPENING) - (section[position].text in _CLOSING)
        if not depth:
            return position
    raise Unreadable("unclosed '('", section[opening].start)


def refuse_wide(token: Token) -> None:
    """Raises `Unreadable` for a string that is not of plain characters."""
    if token.text.startswith(("L", "u", "U")) and not token.text.startswith("u8"):
        raise Unreadable("an asm statement cannot contain wide strings", token.start, len(token.text))


def _plain(token: Token) -> str:
    refuse_wide(token)
    inside = token.text.partition('"')[2].rpartition('"')[0]
    return inside.partition("(")[2].rpartition(")")[0] if token.kind == "raw" else inside
