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

    `start` is the offset of the constraint's string, or of the macro that is one.
    """

    constraint: str
    name: str
    expression: tuple[Token, ...]
    start: int

    @property
    def letters(self) -> str:
        """The constraint without `=`, `+` and `&`."""
        return self.constraint.lstrip("=+&%")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: the tokens of its template, and its operands, outputs first.

    `extended` says that there is a colon, so that `%` is special in the template; `start` and `end` are offsets,
    `function` that of the body's brace (-1: none).
    """

    start: int
    end: int
    function: int
    volatile: bool
    extended: bool
    template: tuple[Token, ...]
    outputs: tuple[Operand, ...] = ()
    inputs: tuple[Operand, ...] = ()
    clobbers: frozenset[str] = frozenset()

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All operands in the order of their numbers."""
        return self.outputs + self.inputs


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
        raise Unreadable("'(' of the asm statement is never closed", found[opening].start)
    volatile = any("volatile" in token.text for token in found[:opening])
    sections = _sections(found[opening + 1 : -1])
    template, *rest = sections
    if not template:
        raise Unreadable("the asm statement has no template", found[opening].start)
    rest += [[]] * (3 - len(rest))
    clobbers = frozenset(_plain(token) for token in rest[2] if token.kind == "string")
    return Statement(
        found[0].start,
        found[-1].end,
        keyword.function,
        volatile,
        len(sections) > 1,
        tuple(template),
        tuple(_operands(rest[0], macros)),
        tuple(_operands(rest[1], macros)),
        clobbers,
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
    position = 0
    while position < len(section):
        token = section[position]
        name = ""
        if token.text == "[" and position + 2 < len(section):
            name, position = section[position + 1].text, position + 3
            token = section[min(position, len(section) - 1)]
        constraint, start, depth = "", token.start, 0
        while position < len(section) and section[position].kind in (*_STRINGS, "word"):
            constraint, position = constraint + _constraint(section[position], macros), position + 1
        if not constraint:
            raise Unreadable(f"expected a constraint in quotes, found '{token.text}'", start, len(token.text))
        expression: list[Token] = []
        while position < len(section) and (depth or section[position].text != ","):
            depth += (section[position].text in _OPENING) - (section[position].text in _CLOSING)
            expression.append(section[position])
            position += 1
        if not expression or expression[0].text != "(":
            raise Unreadable(f'constraint "{constraint}" has no operand in parentheses', start, len(constraint) + 2)
        behind = _behind(expression)
        if behind is not None:
            raise Unreadable(f"expected ',' between operands, found '{behind.text}'", behind.start, len(behind.text))
        yield Operand(constraint, name, tuple(expression[1:-1]), start)
        position += 1


def _constraint(token: Token, macros: Mapping[str, tuple[Token, ...]]) -> str:
    """What a string of a constraint, or a macro for it, says; nothing for a letter that lacks its quotes."""
    if token.kind in _STRINGS:
        return _plain(token)
    if token.text in macros:
        return "".join(map(_plain, macros[token.text]))
    if token.text in _LETTERS:
        return ""
    raise Unjudged(f"the constraint '{token.text}' is a macro of another file")


def _behind(expression: list[Token]) -> Token | None:
    """What follows the parentheses that an expression begins with."""
    depth = 0
    for position, token in enumerate(expression):
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if not depth:
            return expression[position + 1] if position + 1 < len(expression) else None
    return None


def _plain(token: Token) -> str:
    return token.text.partition('"')[2].rpartition('"')[0]
