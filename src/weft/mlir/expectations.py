"""Expected diagnostics in MLIR text, as mlir-opt's `--verify-diagnostics` reads them.

A comment `// expected-error {{text}}` says that its line is refused with a message that contains the text; `@+1`,
`@-1`, `@above`, `@below` and `@unknown` place it elsewhere, and in `expected-error-re` parts between `{{` and `}}`
are regular expressions.  `error` may be `warning`, `note` or `remark`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from weft.dataclass import dataclass
from weft.errors import Position, WeftError, position_at

_DESIGNATOR = re.compile(
    r"expected-(?P<kind>error|note|remark|warning)(?P<regex>-re)? *"
    r"(?:@(?P<place>[+-][0-9]+|above|below|unknown))? *\{\{(?P<text>.*)\}\} *$",
    re.MULTILINE,
)


@dataclass(slots=True)
class Expectation:
    """One designator: a kind of diagnostic, the line it is expected on (0: none), and what it says."""

    kind: str
    line: int
    text: str
    pattern: re.Pattern[str]
    position: Position
    met: bool = False

    def fits(self, line: int, message: str) -> bool:
        """Whether a message on a line is one that this designator describes, whatever the kind."""
        return not self.met and line == self.line and self.pattern.search(message) is not None


def expectations(text: str, filename: str) -> tuple[list[Expectation], list[WeftError]]:
    """The designators of a text, and the errors of those that are malformed."""
    found: list[Expectation] = []
    errors: list[WeftError] = []
    written = {text.count("\n", 0, match.start()) + 1: match for match in _DESIGNATOR.finditer(text)}
    for line, match in written.items():
        position = position_at(text, match.start(), filename)
        try:
            pattern = _pattern(match["text"], regex=match["regex"] is not None)
        except ValueError as error:
            errors.append(WeftError(str(error), position))
            continue
        target = _target(match["place"], line, written)
        found.append(Expectation(match["kind"], target, match["text"], pattern, position))
    return found, errors


def _target(place: str | None, line: int, written: dict[int, re.Match[str]]) -> int:
    """The line that a designator on `line` is about; `above` and `below` skip lines that hold designators."""
    if place is None:
        return line
    if place == "unknown":
        return 0
    if place not in ("above", "below"):
        return line + int(place)
    step = 1 if place == "below" else -1
    line += step
    while line in written:
        line += step
    return line


def _pattern(text: str, *, regex: bool) -> re.Pattern[str]:
    """What a message must contain.

    Raises:
        ValueError: a `{{` without its `}}`, or no regular expression between them.
    """
    if not regex:
        return re.compile(re.escape(text))
    parts: list[str] = []
    while text:
        literal, opened, rest = text.partition("{{")
        parts.append(re.escape(literal))
        inside, closed, text = rest.partition("}}")
        if opened and not closed:
            raise ValueError("found start of regex with no end '}}'")
        if opened:
            try:
                re.compile(inside)
            except re.error as error:
                raise ValueError(f"invalid regex: {error}") from error
            parts.append(f"(?:{inside})")
    return re.compile("".join(parts))


def mismatches(expected: Sequence[Expectation], produced: Sequence[WeftError]) -> list[WeftError]:
    """What is wrong between the designators and the errors that were produced; marks the designators that are met.

    Returns an error for each produced one that no designator describes, worded as mlir-opt words it.
    """
    wrong: list[WeftError] = []
    for error in produced:
        fitting = [item for item in expected if item.fits(error.position.line, error.message)]
        exact = next((item for item in fitting if item.kind == "error"), None)
        if exact is not None:
            exact.met = True
        elif fitting:
            kind = fitting[0].kind
            message = f"'error' diagnostic emitted when expecting a '{kind}'"
            wrong.append(WeftError(message, fitting[0].position))
        else:
            wrong.append(WeftError(f"unexpected error: {error.message}", error.position))
    return wrong


def unmet(expected: Sequence[Expectation]) -> list[WeftError]:
    """An error for each designator that no diagnostic met."""
    return [
        WeftError(
            f'expected {item.kind} "{item.text}" was not produced',
            item.position if item.line else Position(file="<unknown>"),
        )
        for item in expected
        if not item.met
    ]
