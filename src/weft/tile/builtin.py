"""Python's own functions inside a kernel: of tiles, and of numbers known only when the kernel runs, they are ours."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from functools import reduce
from types import NoneType
from typing import Any

from weft.tile import functions
from weft.tile.buffers import Buffer
from weft.tile.choices import both, condition, either
from weft.tile.messages import device_print
from weft.tile.ranges import device_range
from weft.tile.regions import Region
from weft.tile.scalars import Scalar


def _of_tile(arguments: tuple[Any, ...]) -> bool:
    return bool(arguments) and isinstance(arguments[0], Buffer | Region)


def _extreme(name: str) -> Callable[..., Any]:
    own, along = getattr(builtins, name), getattr(functions, name)
    either = functions.maximum if name == "max" else functions.minimum

    def chosen(*arguments: Any, **options: Any) -> Any:
        if _of_tile(arguments) and (len(arguments) == 1 or "keepdims" in options or "axis" in options):
            return along(*arguments, **options)
        if len(arguments) == 2 and _of_tile(arguments) and type(arguments[1]) in (int, tuple, NoneType):
            return along(*arguments)
        if len(arguments) > 1 and any(isinstance(x, Scalar | Buffer | Region) for x in arguments):
            return reduce(either, arguments)
        return own(*arguments, **options)

    return chosen


def _sum(*arguments: Any, **options: Any) -> Any:
    return functions.sum(*arguments, **options) if _of_tile(arguments) else builtins.sum(*arguments, **options)


def _round(*arguments: Any, **options: Any) -> Any:
    ours = _of_tile(arguments) or (bool(arguments) and isinstance(arguments[0], Scalar))
    return functions.round(*arguments) if ours else builtins.round(*arguments, **options)


def _combined(name: str) -> Callable[..., Any]:
    own, joined = getattr(builtins, name), either if name == "any" else both

    def chosen(values: Any) -> Any:
        given = list(values)
        if not any(isinstance(x, Scalar) for x in given):
            return own(given)
        found: Any = name == "all"
        for x in given:
            found = joined(found, lambda x=x: condition(x))
        return found

    return chosen


BUILTINS: dict[str, Callable[..., Any]] = {
    "range": device_range,
    "print": device_print,
    "any": _combined("any"),
    "all": _combined("all"),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "sum": _sum,
    "round": _round,
}
"""What stands for a built-in function in a kernel that does not define the name itself."""
