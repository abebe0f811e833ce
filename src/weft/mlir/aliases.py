"""The names that mlir-opt gives to attributes: `#map`, `#set`, `#loc3`, and where it defines them.

An attribute is numbered after all that are nested less deeply, and among those of one kind in the order in which they
are met; so a text is written with marks first, which are names when all is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import field

from xdsl.ir import Attribute

from weft.dataclass import dataclass


@dataclass(slots=True)
class _Alias:
    kind: str
    mark: str
    deferred: bool
    text: str = ""
    depth: int = 0
    children: list[_Alias] = field(default_factory=list["_Alias"])
    name: str = ""

    def stand_first(self) -> None:
        """Be defined before the text, with all that the definition uses."""
        if self.deferred:
            self.deferred = False
            for child in self.children:
                child.stand_first()


_MARK = re.compile("\x00(\\d+)\x00")


class Aliases:
    """The aliases of a text that is being written."""

    def __init__(self) -> None:
        self._known: dict[Attribute, _Alias] = {}
        self._marks: list[_Alias] = []
        self._open: list[_Alias] = []
        self._between = 0

    def mark(self, attribute: Attribute, kind: str, spell: Callable[[], str], *, deferred: bool = False) -> str:
        """What to write for an attribute; `spell` gives its definition, in which there may be marks too.

        A deferred alias is defined after the text, unless it is needed before it too.
        """
        alias = self._known.get(attribute)
        if alias is None:
            alias = _Alias(kind, f"\x00{len(self._marks)}\x00", deferred)
            self._known[attribute] = alias
            self._marks.append(alias)
            self._open.append(alias)
            between, self._between = self._between, 0
            alias.text = spell()
            self._between = between
            self._open.pop()
        elif not deferred:
            alias.stand_first()
        if self._open:
            around = self._open[-1]
            around.children.append(alias)
            around.depth = max(around.depth, alias.depth + 1 + self._between)
        return alias.mark

    @contextmanager
    def nameless(self) -> Generator[None]:
        """Inside an attribute that has no name of its own, which counts as depth."""
        self._between += 1
        yield
        self._between -= 1

    def resolve(self, text: str) -> str:
        """The text with names for marks, between the definitions."""
        if not self._marks:
            return text
        ordered = sorted(self._marks, key=lambda alias: (alias.depth, alias.kind))
        count: Counter[str] = Counter()
        for alias in ordered:
            alias.name = f"#{alias.kind}{count[alias.kind] or ''}"
            count[alias.kind] += 1

        def name(match: re.Match[str]) -> str:
            return self._marks[int(match[1])].name

        lines = [(alias.deferred, f"{alias.name} = {_MARK.sub(name, alias.text)}\n") for alias in ordered]
        front = "".join(line for deferred, line in lines if not deferred)
        back = "".join(line for deferred, line in lines if deferred)
        return front + _MARK.sub(name, text) + back
