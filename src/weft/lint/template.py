"""The template of an assembly statement as PTX text, with the place of every character in the C++ text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping

from weft.lint.statements import Statement, Unjudged, Unreadable, refuse_wide
from weft.places import Token

_ESCAPE = re.compile(r"\\(?:\r?\n|x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f", "a": "\a", "b": "\b"}
_PERCENT = re.compile(r"%(?:(\d+)|\[([^\]]*)\]|([a-zA-Z]\d+)|([a-zA-Z][\w.]*)|(.)|\Z)", re.DOTALL)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_BEFORE = re.compile(r"[-+*/(]\s*\Z|\w\Z")
_BEHIND = re.compile(r"\s*[-+*/%<>&|^?]|[\w.]")


class Mapped:
    """A text made of pieces, and where each of them comes from."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._sources: list[tuple[int, int]] = []
        self.length = 0

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self._parts)

    def add(self, part: str, source: int, taken: int = -1) -> None:
        """Append a part whose characters stand at `source` and after it; `taken` if they are fewer or more there."""
        if part:
            self._parts.append(part)
            self._starts.append(self.length)
            self._sources.append((source, len(part) if taken < 0 else taken))
            self.length += len(part)

    def source(self, offset: int) -> int:
        """Where the character at an offset comes from; of what is spelled otherwise there, its beginning."""
        if not self._starts:
            return 0
        index = max(0, bisect_right(self._starts, offset) - 1)
        source, taken = self._sources[index]
        inside = offset - self._starts[index]
        return source + (inside if inside < taken and len(self._parts[index]) == taken else 0)

    def source_end(self, offset: int) -> int:
        """Where the source of the character before an offset ends."""
        if not self._starts or offset <= 0:
            return self.source(offset)
        index = max(0, bisect_right(self._starts, offset - 1) - 1)
        source, taken = self._sources[index]
        whole = len(self._parts[index]) != taken
        return source + (taken if whole else offset - self._starts[index])

    def slice(self, start: int, end: int) -> list[tuple[str, int, int]]:
        """The parts between two offsets: text, source, characters taken there."""
        found: list[tuple[str, int, int]] = []
        while start < end:
            index = bisect_right(self._starts, start) - 1
            part, (source, taken) = self._parts[index], self._sources[index]
            inside = start - self._starts[index]
            upto = min(len(part), end - self._starts[index])
            if len(part) == taken:
                found.append((part[inside:upto], source + inside, upto - inside))
            else:
                found.append((part[inside:upto], source, taken))
            start = self._starts[index] + upto
        return found


def decoded(template: tuple[Token, ...], macros: Mapping[str, tuple[Token, ...]]) -> Mapped:
    """The strings of a template joined, escapes replaced; raises `Unjudged` for macros other than plain strings."""
    result = Mapped()
    for position, token in enumerate(template):
        if token.kind in ("string", "raw"):
            _decode(token, result)
            continue
        called = position + 1 < len(template) and template[position + 1].text == "("
        strings = macros.get(token.text)
        if strings is None or called:
            what = "a macro parameter" if token.text.startswith("#") else f"'{token.text}'"
            raise Unjudged(f"the template contains {what}, which is not a string")
        for string in strings:  # Findings stand where the macro is used.
            inner = Mapped()
            _decode(string, inner)
            result.add(inner.text, token.start, len(token.text))
    return result


def _decode(token: Token, result: Mapped) -> None:
    refuse_wide(token)
    text, start = token.text, token.start
    if token.kind == "raw":
        opening = text.index("(") + 1
        fence = opening - text.index('"') - 2
        result.add(text[opening : len(text) - fence - 2], start + opening)
        return
    position, end = text.index('"') + 1, len(text) - 1
    for match in _ESCAPE.finditer(text, position, end):
        result.add(text[position : match.start()], start + position)
        result.add(_character(match[0]), start + match.start(), len(match[0]))
        position = match.end()
    result.add(text[position:end], start + position)


def _character(escape: str) -> str:
    letter = escape[1]
    if letter in "\r\n":
        return ""
    if letter in "xuU":
        return chr(min(int(escape[2:], 16), 0x10FFFF))
    if letter in "01234567":
        return chr(int(escape[1:], 8))
    return _PLAIN_ESCAPES.get(letter, letter)


def expanded(statement: Statement, template: Mapped, constants: frozenset[int]) -> Mapped:
    """The template with `%%`, `%=` and operands replaced as nvcc does it: operand n is written `%n`.

    `%` before a letter stays, before other characters it vanishes with the character.  Constants that are part of a
    number or an expression become 0.  Raises `Unreadable` for operands that there are not.
    """
    if not statement.extended:
        return template
    text, result, position = template.text, Mapped(), 0
    for match in _PERCENT.finditer(text):
        for part in template.slice(position, match.start()):
            result.add(*part)
        digits, name, modified, word, sign = match.groups()
        if digits is not None:
            new = _operand(statement, template, match, constants)
        elif name is not None:
            raise _unknown(template, match, f"nvcc supports operands by number only, not '{match[0]}'")
        elif modified is not None:
            raise _unknown(
                template, match, f"'{match[0]}' is not an operand: write '%{match[0]}' for a literal percent sign"
            )
        elif word is not None:
            new = match[0]
        else:
            new = {"%": "%", "=": "0"}.get(sign, "")
        source = template.source(match.start())
        result.add(new, source, template.source_end(match.end()) - source)
        position = match.end()
    for part in template.slice(position, len(text)):
        result.add(*part)
    return result


def _operand(statement: Statement, template: Mapped, match: re.Match[str], constants: frozenset[int]) -> str:
    number, operands, text = int(match[1]), statement.operands, match.string
    if number >= len(operands):
        last = len(operands) - 1
        many = f"operands are %0 to %{last}" if last > 0 else "the only operand is %0"
        raise _unknown(template, match, f"unknown operand {match[0]}: {many}")
    if operands[number].letters[:1] == "C":
        raise Unjudged(f'operand {match[0]} is text that the constraint "C" inserts')
    if number in constants and (_BEFORE.search(text, 0, match.start()) or _BEHIND.match(text, match.end())):
        if re.search(r"\b0[fFdD]\w*\Z", text[max(0, match.start() - 20) : match.start()]):
            raise Unjudged(f"operand {match[0]} is part of the digits of a float")
        return "0"
    return f"%{number}"


def unescaped(statement: Statement, template: Mapped) -> Iterator[tuple[int, int, str]]:
    """The places of a lone `%` that is no operand, and of escapes where there are no operands; not in comments."""
    comments = [match.span() for match in _COMMENT.finditer(template.text)]
    for match in _PERCENT.finditer(template.text):
        escaped = match[5] in ("%", "=")
        if escaped == statement.extended or not (escaped or match[4] or match[5] is not None or match[0] == "%"):
            continue
        if not any(start <= match.start() < end for start, end in comments):
            start = template.source(match.start())
            yield start, start + len(match[0]), match[0]


def _unknown(template: Mapped, match: re.Match[str], message: str) -> Unreadable:
    return Unreadable(message, template.source(match.start()), len(match[0]))


def referred(template: str) -> set[int]:
    """The numbers of the operands that a template refers to."""
    return {int(match[1]) for match in _PERCENT.finditer(template) if match[1]}
