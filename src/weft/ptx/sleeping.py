"""Debug sections whose lines are made when they are first looked at."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from weft.ptx.ast import Section

_LINES: Any = Section.__dict__["lines"]
"""The slot of the lines; while a section sleeps, what makes them lies there."""

_WAKING = threading.RLock()
"""Threads that look at one section at the same time get the same lines."""


class SleepingSection(Section):
    """What is not distinguishable from a plain section: whatever looks at its lines makes it one."""

    __slots__ = ()

    def _wake(self) -> Any:
        with _WAKING:
            if type(self) is not Section:
                make = _LINES.__get__(self)
                self._replace(make())
        return self

    def _contents(self) -> Any:
        return _LINES.__get__(SleepingSection._wake(self))

    def _replace(self, contents: Any) -> None:
        with _WAKING:
            _LINES.__set__(self, contents)
            object.__setattr__(self, "__class__", Section)

    if not TYPE_CHECKING:
        lines = property(_contents, _replace, doc="The lines.")

    def __eq__(self, other: object) -> bool:
        return self._wake() == other

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return repr(self._wake())

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._wake().__reduce_ex__(protocol)

    def maker(self) -> object:
        """What makes the lines, as long as nobody has looked at them."""
        with _WAKING:
            return _LINES.__get__(self) if type(self) is not Section else None

    @staticmethod
    def asleep(section: Section, make: Callable[[], tuple[str, ...]]) -> Section:
        """The same section, put to sleep: `make` is called once, when its lines are wanted."""
        _LINES.__set__(section, make)
        section.__class__ = SleepingSection
        return section
