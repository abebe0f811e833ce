"""Sources with places where bugs can be planted: `{{name: right || wrong}}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PLACE = re.compile(r"\{\{([\w ,'/-]+?):(.*?)\|\|(.*?)\}\}", re.DOTALL)


def right(text: str) -> str:
    """The right source."""
    return _PLACE.sub(lambda match: match.group(2).strip(" "), text)


def wrong(text: str) -> Iterator[tuple[str, str]]:
    """Names of bugs, and the source with that one planted; places of one name go wrong together."""
    for name in dict.fromkeys(match.group(1).strip() for match in _PLACE.finditer(text)):

        def pick(match: re.Match[str], name: str = name) -> str:
            return match.group(3 if match.group(1).strip() == name else 2).strip(" ")

        yield name, _PLACE.sub(pick, text)
