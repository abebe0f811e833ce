"""What lets semantics be traced: arrays that are not NumPy's, and NumPy's constructors that let them pass.

An abstract array takes part in NumPy's functions (`__array_ufunc__`, `__array_function__`), and in the few that do not
ask their arguments by the functions of this module.  `weft.sim.native.traced` has one that writes code.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from weft.sim.lanes import Array

_F = TypeVar("_F", bound=Callable[..., Any])


class Abstract:
    """A base of arrays that stand for values which are not known yet."""

    __slots__ = ()

    def astype(self, dtype: Any) -> Any:
        """The elements converted."""
        raise NotImplementedError

    def primitive(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """What a primitive gives for arguments of which this is one; None to trace its definition instead."""
        raise NotImplementedError


def asarray(x: Any, dtype: Any = None) -> Array:
    """`np.asarray`, of which abstract arrays stay what they are."""
    if isinstance(x, Abstract):
        same: Any = x if dtype is None else x.astype(dtype)
        return same
    return np.asarray(x, dtype)


def contiguous(x: Any, dtype: Any = None) -> Array:
    """`np.ascontiguousarray`, likewise."""
    if isinstance(x, Abstract):
        same: Any = x if dtype is None else x.astype(dtype)
        return same
    return np.ascontiguousarray(x, dtype)


def primitive(function: _F) -> _F:
    """A function that machines have an instruction for: abstract arrays may give its result without its definition."""

    @wraps(function)
    def run(*arguments: Any) -> Any:
        for argument in arguments:
            if isinstance(argument, Abstract):
                result = argument.primitive(function.__name__, arguments)
                if result is not None:
                    return result
        return function(*arguments)

    return run  # pyright: ignore[reportReturnType]
