"""Documents as the server keeps them: a text with what was worked out about it, and offsets as LSP positions."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from weft.errors import Diagnostic
from weft.lsp.findings import CPP, MLIR, PTX, findings
from weft.lsp.inline import Template, ptx_of, template_at
from weft.lsp.mlir_names import MlirNames
from weft.lsp.settings import DEFAULT, Settings
from weft.ptx.occurrences import Occurrences


def _utf8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _utf16(text: str) -> int:
    return len(text) + sum(ord(character) > 0xFFFF for character in text)


def _utf32(text: str) -> int:
    return len(text)


_UNITS = {"utf-8": _utf8, "utf-16": _utf16, "utf-32": _utf32}


class Document:
    """One version of a text; `encoding` is how the client counts columns."""

    def __init__(
        self, uri: str, filename: str, text: str, language: str, encoding: str = "utf-16", settings: Settings = DEFAULT
    ) -> None:
        self.uri = uri
        self.filename = filename
        self.text = text
        self.language = language
        self.settings = settings
        self._units = _UNITS[encoding]
        self._ascii = text.isascii()

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line."""
        starts, position = [0], self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, from 0, in the client's units."""
        line = bisect_right(self.starts, offset) - 1
        start = self.starts[line]
        return line, offset - start if self._ascii else self._units(self.text[start:offset])

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column in the client's units."""
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[line]
        end = self.starts[line + 1] - 1 if line + 1 < len(self.starts) else len(self.text)
        if self._ascii:
            return min(start + column, end)
        position = start
        while position < end and self._units(self.text[start : position + 1]) <= column:
            position += 1
        return position

    @cached_property
    def found(self) -> list[Diagnostic]:
        """The findings about the text."""
        return findings(self.text, self.language, self.filename, self.settings)

    def span(self, finding: Diagnostic) -> tuple[int, int]:
        """The offsets that a finding points at: at least a character, where there is one."""
        if not finding.line:
            return 0, min(1, len(self.text))
        index = min(finding.line - 1, len(self.starts) - 1)
        line_end = self.starts[index + 1] - 1 if index + 1 < len(self.starts) else len(self.text)
        start = min(self.starts[index] + max(finding.column - 1, 0), line_end)
        end = self.starts[index] + finding.end_column - 1
        if end <= start:
            end = start
            while end < line_end and (self.text[end].isalnum() or self.text[end] in "_$%.:"):
                end += 1
        return start, min(max(end, start + 1), max(line_end, start))

    @cached_property
    def names(self) -> Occurrences | MlirNames | None:
        """The names of PTX or MLIR; None for C++, whose names are those of each template."""
        if self.language == PTX:
            return Occurrences(self.text)
        return MlirNames(self.text) if self.language == MLIR else None

    def ptx_at(self, offset: int) -> tuple[Occurrences, Template | None] | None:
        """The names of the PTX around an offset: of the document, or of the asm template there."""
        if isinstance(self.names, Occurrences):
            return self.names, None
        if self.language != CPP:
            return None
        template = template_at(self.text, offset)
        return None if template is None else (Occurrences(ptx_of(self.text, template)), template)
