"""`@weft.tile.function`: a function that kernels call, whose loops and conditions may be the GPU's."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from weft.tile.source import Source, read

P = ParamSpec("P")
T = TypeVar("T")


def function(given: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function whose `if`, `for` and `while` may depend on numbers that are known only at run time.

    It is traced at every call: numbers, tiles, tensors and any Python values can be passed and returned.  Other
    functions that a kernel calls run as plain Python.
    """
    signature = inspect.signature(given)
    prepared: list[Source] = []

    @functools.wraps(given)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        from weft.tile.interpret import run

        if not prepared:
            prepared.append(read(given))
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return run(prepared[0], surroundings(given), bound.arguments)

    return call


def surroundings(given: Callable[..., Any]) -> dict[str, Any]:
    """The names that a function's body sees: its module's and those around it."""
    cells = zip(given.__code__.co_freevars, given.__closure__ or (), strict=True)
    return {**given.__globals__, **{name: cell.cell_contents for name, cell in cells if _filled(cell)}}


def _filled(cell: Any) -> bool:
    """Whether a closure's cell has a value yet."""
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True
