"""Functions whose bodies are made when they are first looked at."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from weft.ptx.ast import Function, Statement

_BODY: Any = Function.__dict__["body"]
"""The slot of a function's body; while the function sleeps, what makes the body lies there."""

_WAKING = threading.RLock()
"""Threads that look at one body at the same time get one list."""


class SleepingFunction(Function):
    """A function that is not distinguishable from a plain one: whatever looks at its body makes it one."""

    __slots__ = ()

    @staticmethod
    def of(function: Function, make: Callable[[], list[Statement]]) -> Function:
        """The same function, put to sleep: `make` is called once, when its body is wanted."""
        _BODY.__set__(function, make)
        function.__class__ = SleepingFunction
        return function

    if not TYPE_CHECKING:

        @property
        def body(self):
            """The statements; the function is awake from then on."""
            self._wake()
            return _BODY.__get__(self)

        @body.setter
        def body(self, body):
            with _WAKING:
                _BODY.__set__(self, body)
                self.__class__ = Function

    def _wake(self) -> Function:
        with _WAKING:
            if type(self) is SleepingFunction:
                make = _BODY.__get__(self)
                _BODY.__set__(self, make())
                self.__class__ = Function  # pyright: ignore[reportAttributeAccessIssue]
        return self

    def __eq__(self, other: object) -> bool:
        return self._wake() == other

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return repr(self._wake())

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._wake().__reduce_ex__(protocol)
