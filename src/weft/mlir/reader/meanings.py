"""What texts mean, from one file to the next: in any file, or where the aliases in the text stand for the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from xdsl.ir import Attribute

_Meaning = TypeVar("_Meaning")

_ALIAS = re.compile(r"[#!][\w$\-]++(?!\.)")
_OF_THE_FILE = re.compile(r"resource|distinct")
_MOST = 1024


def depends_on_file(text: str) -> bool:
    """Whether what a text means depends on what else is in the file: on aliases and resources."""
    return _ALIAS.search(text) is not None or _OF_THE_FILE.search(text) is not None


class Meanings(Generic[_Meaning]):
    """A bounded store of what texts of one kind (types, attribute dictionaries) mean."""

    def __init__(self) -> None:
        self._plain: dict[str, _Meaning] = {}
        self._aliased: dict[tuple[Any, ...], _Meaning] = {}

    def of_any_file(self) -> dict[str, _Meaning]:
        """The texts that mean the same in every file, in a dictionary of the caller's own."""
        return dict(self._plain)

    def find(self, text: str, aliases: Mapping[str, Attribute]) -> _Meaning | None:
        """What a text with aliases means, which are those of its file; None if that is not known."""
        key = _key(text, aliases)
        return None if key is None else self._aliased.get(key)

    def put(self, text: str, aliases: Mapping[str, Attribute], meaning: _Meaning) -> None:
        """Remember what a text means in a file with these aliases."""
        if len(self._plain) + len(self._aliased) > _MOST or _OF_THE_FILE.search(text):
            return
        key = _key(text, aliases)
        if key is not None:
            self._aliased[key] = meaning
        elif not depends_on_file(text):
            self._plain[text] = meaning


def _key(text: str, aliases: Mapping[str, Attribute]) -> tuple[Any, ...] | None:
    """A text with what its aliases stand for; None if it has none, or one that is not defined yet."""
    if "#" not in text and "!" not in text:
        return None
    values = [aliases.get(name) for name in _ALIAS.findall(text)]
    return (text, *values) if values and all(value is not None for value in values) else None
