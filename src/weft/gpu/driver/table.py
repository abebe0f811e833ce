"""The functions of the driver API by name, and how their arguments are read from words."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeVar

from weft.dataclass import dataclass
from weft.gpu.driver.status import INVALID_VALUE, Refused

if TYPE_CHECKING:
    from weft.gpu.driver.state import Driver

Function = Callable[..., "int | None"]
_F = TypeVar("_F", bound=Function)
_MASKS = {"u": (1 << 32) - 1, "p": (1 << 64) - 1, "o": (1 << 64) - 1}


@dataclass(frozen=True, slots=True)
class Call:
    """A function: its name as it is exported, and its arguments.

    `i` is an int, `u` an unsigned, `p` 64 bits, and `o` an address of the caller's that must not be null.
    """

    name: str
    arguments: str
    function: Function

    def __call__(self, driver: Driver, words: Any) -> int:
        """Call it with arguments in a row of words; the status that it gives."""
        values = [_value(kind, words[number]) for number, kind in enumerate(self.arguments)]
        return self.function(driver, *values) or 0


def _value(kind: str, word: int) -> int:
    if kind == "i":
        return (word & 0xFFFF_FFFF ^ 0x8000_0000) - 0x8000_0000
    if kind == "o" and not word:
        raise Refused(INVALID_VALUE, "the pointer for the result is null")
    return word & _MASKS[kind]


def kinds_of(arguments: str, function: Function) -> str:
    """The kinds of a function's arguments: what has one of the names in `_NEEDED` must be there."""
    names = function.__code__.co_varnames[1 : function.__code__.co_argcount]
    pairs = zip_longest(arguments.replace(" ", ""), names)
    return "".join("o" if kind == "p" and name in _NEEDED else kind for kind, name in pairs if kind)


_NEEDED = frozenset(
    ("out", "parameters", "copy", "resource", "sampling", "config", "operation", "operations", "properties")
    + ("descriptions", "name", "path", "text", "shape", "description", "image", "callback")
)
"""The names of arguments that are addresses of the caller's, and never null."""


CALLS: dict[str, Call] = {}


def call(names: str, arguments: str = "") -> Callable[[_F], _F]:
    """Register a function under its names, which are separated by blanks."""

    def register(function: _F) -> _F:
        for name in names.split():
            CALLS[name] = Call(name, kinds_of(arguments, function), function)
        return function

    return register


_VERSION = re.compile(r"(.+)_v(\d+)")


def named(symbol: str, version: int) -> str | None:
    """The exported name of a function that is asked for by its plain name, for a version such as 12040.

    The newest form is meant, save where an old version asks for one that has changed since.
    """
    plain = symbol.removesuffix("_ptsz").removesuffix("_ptds")
    changed = CHANGED.get(plain)
    if changed is not None:
        return max((since, name) for since, name in changed if since <= version)[1]
    if plain in CALLS and _VERSION.fullmatch(plain):
        return plain
    forms = [name for name in (f"{plain}_v3", f"{plain}_v2", plain) if name in CALLS]
    return forms[0] if forms else None


CHANGED: dict[str, tuple[tuple[int, str], ...]] = {
    "cuCtxCreate": ((0, "cuCtxCreate_v2"), (12050, "cuCtxCreate_v4")),
    "cuMemPrefetchAsync": ((0, "cuMemPrefetchAsync"), (13000, "cuMemPrefetchAsync_v2")),
    "cuMemAdvise": ((0, "cuMemAdvise"), (13000, "cuMemAdvise_v2")),
    "cuMemcpyBatchAsync": ((0, "cuMemcpyBatchAsync"), (13000, "cuMemcpyBatchAsync_v2")),
    "cuEventElapsedTime": ((0, "cuEventElapsedTime"), (12080, "cuEventElapsedTime_v2")),
    "cuStreamBeginCapture": ((0, "cuStreamBeginCapture"), (10010, "cuStreamBeginCapture_v2")),
    "cuGetProcAddress": ((0, "cuGetProcAddress"), (12000, "cuGetProcAddress_v2")),
    "cuStreamGetCaptureInfo": (
        *((0, "cuStreamGetCaptureInfo"), (11030, "cuStreamGetCaptureInfo_v2")),
        (12030, "cuStreamGetCaptureInfo_v3"),
    ),
    "cuGraphExecUpdate": ((0, "cuGraphExecUpdate"), (12000, "cuGraphExecUpdate_v2")),
}
"""Functions whose plain name means another form from a version on."""


def without_edges(name: str, at: int) -> None:
    """The first form of a function of the driver, which has no data of edges, argument `at` of the second one."""
    newer = CALLS[f"{name}_v2"]

    def first(driver: Driver, *words: int) -> int:
        return newer.function(driver, *words[:at], 0, *words[at:]) or 0

    first.__module__ = newer.function.__module__
    CALLS[name] = Call(name, newer.arguments[:at] + newer.arguments[at + 1 :], first)
    CHANGED[name] = ((0, name), (12030, f"{name}_v2"))
