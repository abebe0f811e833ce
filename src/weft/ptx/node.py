"""What every node of the syntax tree has in common: `str` is its PTX text, `repr` is short."""

from __future__ import annotations

from typing import ClassVar

_MOST_SHOWN = 60


class Node:
    """A node of a PTX syntax tree.

    `str(node)` is the node's canonical PTX; `repr(node)` names its class and shows the beginning of that text.
    """

    __slots__ = ()

    holder: ClassVar[str] = ""
    """What a node that holds statements or lines is: `function`, `section` or `block`."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({shortened(str(self))!r})"


def shortened(text: str) -> str:
    """The first line of a text, cut where it gets long."""
    line, newline, _ = text.partition("\n")
    if len(line) > _MOST_SHOWN:
        return line[: _MOST_SHOWN - 3] + "..."
    return line + " ..." if newline else line
