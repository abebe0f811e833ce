"""Tokens of a text, and the places where its names are: what an editor asks of PTX and of MLIR alike."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

D = TypeVar("D")


class Token(NamedTuple):
    """One token: its kind, as the pattern that found it names it, its text and its offset."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset after its last character."""
        return self.start + len(self.text)


class Use(NamedTuple, Generic[D]):
    """A place where a name is, and what it means there (None: nothing declares it)."""

    start: int
    end: int
    declared: D | None


class Uses(list[Use[D]]):
    """The uses of names in a text, in its order."""

    def __init__(self, uses: Iterable[Use[D]]) -> None:
        super().__init__(sorted(uses, key=lambda use: use.start))
        self._starts = [use.start for use in self]

    def at(self, offset: int) -> Use[D] | None:
        """The use of a name that an offset is in, or behind."""
        index = bisect_right(self._starts, offset) - 1
        if index >= 0 and offset <= self[index].end:
            return self[index]
        return None
