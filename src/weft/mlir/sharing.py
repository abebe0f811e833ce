"""How much attributes and types stand for that name others twice: two to the number of aliases, in the worst case.

xDSL hashes and compares them as trees, so they are refused before that takes longer than anyone waits.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute, ParametrizedAttribute

MOST_EXPANDED = 1 << 15
"""Attributes and types that one alias may stand for, those inside counted as often as they are named."""


class ExpandedSizes:
    """The sizes of attributes as trees; each attribute is looked at once, and kept."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Attribute, int]] = {}

    def of(self, attribute: Attribute) -> int:
        """The number of attributes in a tree; locations, which nothing compares, count as one."""
        found = self._known.get(id(attribute))
        if found is None:
            size = 1 + sum(map(self.of, _inside(attribute)))
            found = self._known[id(attribute)] = (attribute, size)
        return found[1]


def _inside(attribute: Attribute) -> Iterable[Attribute]:
    if isinstance(attribute, ArrayAttr):
        return cast("Any", attribute).data
    if isinstance(attribute, DictionaryAttr):
        return attribute.data.values()
    if isinstance(attribute, ParametrizedAttribute) and not attribute.name.endswith("loc"):
        return attribute.parameters
    return ()
