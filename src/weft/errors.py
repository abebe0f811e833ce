"""Errors and diagnostics that weft raises or returns, each with a position in the input and a hint.

Every error a user can cause is a `WeftError`; `Diagnostic` is the same information as a value, for the checks that
report many findings at once (`weft.verify`).  Rendering is `file:line:column: error: message`, then the source
line with a caret, then the hint.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from weft.dataclass import dataclass


class Severity(enum.Enum):
    """How serious a finding is: for an `ERROR`, ptxas or the lowering rejects the input."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


_WIDEST = 240
"""Characters of a line that are shown."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position in a text.

    Attributes:
        line: 1-based line, or 0 if unknown.
        column: 1-based column, or 0 if unknown.
        file: the name of the text.
        source: the source line, or None if unknown.
    """

    line: int = 0
    column: int = 0
    file: str = "<string>"
    source: str | None = None

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"

    def caret(self) -> str:
        """The source line with a caret below the column; empty if the line is unknown or blank.

        Of a very long line, only the part around the column is shown.
        """
        if self.source is None or not self.source.strip():
            return ""
        line, column = self.source.expandtabs(1), self.column
        if len(line) > _WIDEST:
            start = max(0, min(column - _WIDEST // 2, len(line) - _WIDEST))
            before, behind = "..." if start else "", "..." if start + _WIDEST < len(line) else ""
            line, column = f"{before}{line[start : start + _WIDEST]}{behind}", column - start + len(before)
        return f"{line}\n{' ' * (column - 1)}^" if self.column else line


def position_at(text: str, offset: int, file: str = "<string>") -> Position:
    """The position of a character offset in a text (columns count characters, from 1)."""
    return next(positions_at(text, (offset,), file))


def positions_at(text: str, offsets: Iterable[int], file: str = "<string>") -> Iterator[Position]:
    """The positions of ascending offsets in a text, counting its lines once."""
    line, counted = 1, 0
    for offset in offsets:
        offset = max(0, min(offset, len(text)))
        line += text.count("\n", counted, offset)
        counted = offset
        start = text.rfind("\n", 0, offset) + 1
        end = text.find("\n", offset)
        source = text[start : end if end >= 0 else len(text)].rstrip("\r")
        yield Position(line, offset - start + 1, file, source)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a module.

    Attributes:
        code: the kind of finding, such as `"isa-window"`; stable across releases.
        message: what is wrong.
        severity: whether it is an error, a warning or a note.
        position: where the offending text is.
        token: the offending text.
        allowed: what would be allowed in its place.
        hint: the closest fix; may be empty.
        width: the number of characters of the offending text, if it is not written like `token`.
        related: another position that the finding refers to.
        facts: further data for programs, as pairs of names and values.
    """

    code: str
    message: str
    severity: Severity = Severity.ERROR
    position: Position = Position()
    token: str = ""
    allowed: tuple[str, ...] = ()
    hint: str = ""
    width: int = 0
    related: Position | None = None
    facts: tuple[tuple[str, object], ...] = ()

    @property
    def line(self) -> int:
        """1-based line of the finding, 0 when it has none."""
        return self.position.line

    @property
    def column(self) -> int:
        """1-based column of the finding, 0 when it has none."""
        return self.position.column

    @property
    def end_column(self) -> int:
        """1-based column after the offending piece, where that is at the position as written; else `column`."""
        if self.width:
            return self.column + self.width
        source = self.position.source
        if source is None or not self.column or not source.startswith(self.token, self.column - 1):
            return self.column
        return self.column + len(self.token)

    def at(self, position: Position) -> Diagnostic:
        """The same finding at another position."""
        return replace(self, position=position)

    def render(self) -> str:
        """`file:line:column: severity: message`, the source line with a caret, and the hint."""
        return _render(self.position, f"{self.severity.value}: {self.message}", self.hint)

    def __str__(self) -> str:
        return self.render()


def _render(position: Position, message: str, hint: str) -> str:
    parts = [f"{position}: {message}", position.caret(), f"hint: {hint}" if hint else ""]
    return "\n".join(part for part in parts if part)


def near_names(name: str, known: Iterable[str], most: int = 1) -> list[str]:
    """The names that are most like one that is not known, the nearest first."""
    from difflib import get_close_matches  # Only for what is wrong.

    return get_close_matches(name, list(known), n=most)


def counted(count: int, what: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def meant(near: Sequence[str], otherwise: str = "") -> str:
    """The hint that one of these was probably meant; `otherwise` where there are none."""
    return f"did you mean {_either(near)}?" if near else otherwise


def _either(names: Sequence[str]) -> str:
    return " or ".join([*([", ".join(names[:-1])] if names[:-1] else []), names[-1]])


def nearest(name: str, known: Collection[str]) -> str:
    """The hint for a name that is not among those known: the one that was probably meant, else all of them."""
    return meant(near_names(name.lower(), known), f"expected one of {', '.join(known)}")


class PerformanceWarning(UserWarning):
    """Something works, and is much slower than what was asked for could be; with its place."""


class WeftError(Exception):
    """Base class of the errors that weft raises for invalid input.

    Attributes:
        message: what is wrong.
        position: where it is, if it has a place in the input.
        hint: what would be right; may be empty.
        severity: `ERROR`, unless the finding is only a warning or a note.
    """

    severity = Severity.ERROR

    def __init__(self, message: str, position: Position | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.position = position or Position(file="")
        self.hint = hint

    def render(self) -> str:
        """The message as a compiler prints it, with the source line and a caret when they are known."""
        if not self.position.file and not self.position.line:
            return f"{self.severity.value}: {self.message}" + (f"\nhint: {self.hint}" if self.hint else "")
        return _render(self.position, f"{self.severity.value}: {self.message}", self.hint)

    def __str__(self) -> str:
        return self.render()


class PtxSyntaxError(WeftError):
    """The text is not PTX; with the position, what was found and what was expected."""

    def __init__(
        self, message: str, position: Position | None = None, hint: str = "", *, found: str = "", expected: str = ""
    ) -> None:
        super().__init__(message, position, hint)
        self.found = found
        self.expected = expected


class VerifyError(WeftError):
    """A module that the verifier refuses; `diagnostics` has its errors, of which the message is the first."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        first = diagnostics[0]
        super().__init__(first.message, first.position, first.hint)
        self.diagnostics = tuple(diagnostics)


class IsaError(WeftError):
    """An instruction, a modifier, a target or a version does not exist."""


class LayoutError(WeftError):
    """A layout is malformed, or an operation on it has no result."""


class BytesError(WeftError):
    """The bytes are not those of a module, or the module cannot be encoded; the position names the file."""

    def __init__(self, message: str, source: str = "", hint: str = "") -> None:
        super().__init__(message, Position(file=source), hint)


class BuildError(WeftError):
    """A statement is invalid in the module being built; the position is the line of Python that added it."""


class JsonError(WeftError):
    """The JSON is not that of a module, or the module cannot be encoded; the message contains the path to the error."""


class MlirError(WeftError):
    """The MLIR text does not parse or does not verify."""


class CompileError(WeftError):
    """A valid module cannot be compiled for the target."""


class ToolError(WeftError):
    """An external tool is missing or failed.

    Attributes:
        diagnostics: the tool's messages, as far as they could be parsed.
        crashed: whether the tool was ended by a signal, which says nothing about its input.
    """

    def __init__(
        self,
        message: str,
        position: Position | None = None,
        hint: str = "",
        *,
        diagnostics: tuple[Diagnostic, ...] = (),
        output: str = "",
        crashed: bool = False,
    ) -> None:
        super().__init__(message, position, hint)
        self.diagnostics = diagnostics
        self.output = output
        self.crashed = crashed
