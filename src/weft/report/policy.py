"""Which findings count: codes that the user disables, on the command line or in comments, and warnings as errors."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from weft.dataclass import dataclass
from weft.errors import Diagnostic, Severity, nearest, position_at

_COMMENT = re.compile(r"//[ \t]*weft:[ \t]*disable=([^\r\n]*)")
_MISUNDERSTOOD = re.compile(r"//[ \t]*weft:[ \t]*(?!disable=)((?:disable|enable|ignore|suppress)[^\s=,]*)")
_VERSION = re.compile(r"^[ \t]*\.version\b", re.MULTILINE)
_CODE = re.compile(r"^[ \t]*(?!//|/\*|\*|\s|$)", re.MULTILINE)
_WORD = re.compile(r"[\w-]+")
_LISTED = re.compile(r"[ \t]*[\w-]+(?:[ \t]*,[ \t]*[\w-]+)*")
ALL = "all"
"""The word that stands for every code in a comment."""


@dataclass(frozen=True, slots=True)
class Policy:
    """`known` are the codes that there are, `disabled` those that do not count; `strict` makes warnings errors."""

    known: Collection[str]
    disabled: frozenset[str] = frozenset()
    strict: bool = False

    def apply(
        self, found: Iterable[Diagnostic], text: str, file: str, begins: Mapping[int, int] | None = None
    ) -> list[Diagnostic]:
        """The findings about a text that count, and those about its comments.

        `begins` has, for lines within a statement, the line on which it starts: a comment there holds for all of it.
        Without it the text is PTX, and comments above .version hold for the file; with it, those above all code.
        """
        comments = list(self._comments(text, file, begins is None)) if "weft:" in text else []
        quiet = {(line, code) for line, code, _ in comments}
        kept = [one for one in found if not self._is_quiet(one, quiet, begins or {})]
        for line, code, wrong in comments:
            if wrong is not None and not self._is_quiet(wrong, quiet - {(line, code)}):
                kept.append(wrong)
        if "weft:" in text:
            kept += [one for one in self._misunderstood(text, file) if not self._is_quiet(one, quiet)]
        kept.sort(key=lambda one: (one.line, one.column))
        return [replace(one, severity=Severity.ERROR) for one in kept] if self.strict else kept

    def _is_quiet(self, one: Diagnostic, quiet: set[tuple[int, str]], begins: Mapping[int, int] | None = None) -> bool:
        lines = (0, one.line, (begins or {}).get(one.line, one.line))
        places = ((line, code) for line in lines for code in (one.code, ALL))
        return one.code in self.disabled or any(place in quiet for place in places)

    def _comments(self, text: str, file: str, ptx: bool) -> Iterator[tuple[int, str, Diagnostic | None]]:
        """Each code that a comment disables: its line (0: the whole file), and what is wrong with the comment."""
        header = (_VERSION if ptx else _CODE).search(text)
        first = header.start() if header is not None else len(text)
        for match in _COMMENT.finditer(text):
            place = position_at(text, match.start(), file)
            alone = not (place.source or "")[: place.column - 1].strip()
            line = 0 if match.start() < first else place.line + alone
            listed = _LISTED.match(match[1])
            for word in _WORD.finditer(listed.group() if listed else ""):
                yield line, word.group(), self._unknown(word.group(), text, match.start(1) + word.start(), file)

    def _misunderstood(self, text: str, file: str) -> Iterator[Diagnostic]:
        """What is said of comments that look as if they were to disable something, and do not."""
        for match in _MISUNDERSTOOD.finditer(text):
            message, hint = f"'{match[1]}' disables nothing", "written // weft: disable=CODE"
            place = position_at(text, match.start(1), file)
            yield Diagnostic("suppression", message, Severity.WARNING, place, match[1], hint=hint)

    def _unknown(self, code: str, text: str, start: int, file: str) -> Diagnostic | None:
        if code in self.known or code == ALL:
            return None
        place = position_at(text, start, file)
        hint = nearest(code, self.known)
        return Diagnostic("suppression", f"unknown code '{code}'", Severity.WARNING, place, code, hint=hint)
