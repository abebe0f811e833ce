"""An operation that no module has, as its selection looks at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weft.dataclass import dataclass


@dataclass(frozen=True)
class Applied:
    """The operation `name` on other operands and results than those of the operation that it is selected for.

    `location` is that operation's.
    """

    name: str
    operands: Sequence[Any]
    results: Sequence[Any]
    properties: Any
    attributes: Any
    location: Any
