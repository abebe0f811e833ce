"""Functions and debug sections whose contents are made when they are first looked at."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from weft.ptx.ast import Function, Section, Statement

_BODY: Any = Function.__dict__["body"]
_LINES: Any = Section.__dict__["lines"]
"""The slots of contents; while something sleeps, what makes its contents lies there."""

_WAKING = threading.RLock()
"""Threads that look at one thing at the same time get the same contents."""


def _parts(sleeper: object) -> tuple[type, Any]:
    """What a sleeper is when awake, and the slot of its contents."""
    return (Function, _BODY) if isinstance(sleeper, Function) else (Section, _LINES)


class _Sleeper:
    """What is not distinguishable from a plain function or section: whatever looks at its contents makes it one."""

    __slots__ = ()

    def _wake(self) -> Any:
        awake, slot = _parts(self)
        with _WAKING:
            if type(self) is not awake:
                make = slot.__get__(self)
                slot.__set__(self, make())
                self.__class__ = awake
        return self

    def _contents(self) -> Any:
        return _parts(self)[1].__get__(_Sleeper._wake(self))

    def _replace(self, contents: Any) -> None:
        awake, slot = _parts(self)
        with _WAKING:
            slot.__set__(self, contents)
            self.__class__ = awake

    def __eq__(self, other: object) -> bool:
        return self._wake() == other

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return repr(self._wake())

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._wake().__reduce_ex__(protocol)


class SleepingFunction(_Sleeper, Function):
    """A function whose body is made on first use."""

    __slots__ = ()
    if not TYPE_CHECKING:
        body = property(_Sleeper._contents, _Sleeper._replace, doc="The statements.")

    @staticmethod
    def asleep(function: Function, make: Callable[[], list[Statement]]) -> Function:
        """The same function, put to sleep: `make` is called once, when its body is wanted."""
        _BODY.__set__(function, make)
        function.__class__ = SleepingFunction
        return function


class SleepingSection(_Sleeper, Section):
    """A debug section whose lines are made on first use."""

    __slots__ = ()
    if not TYPE_CHECKING:
        lines = property(_Sleeper._contents, _Sleeper._replace, doc="The lines.")

    @staticmethod
    def asleep(section: Section, make: Callable[[], tuple[str, ...]]) -> Section:
        """The same section, put to sleep: `make` is called once, when its lines are wanted."""
        _LINES.__set__(section, make)
        section.__class__ = SleepingSection
        return section
