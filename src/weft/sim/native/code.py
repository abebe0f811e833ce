"""LLVM IR as text: a function body in the making, with equal pure operations of a block made once."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from weft.sim.types import BOOL, Dtype

LANES = 32

_NAMES: dict[Dtype, str] = {
    BOOL: "i1",
    **{np.dtype(f"{sign}{size}"): f"i{8 * size}" for sign in "iu" for size in (1, 2, 4, 8)},
    np.dtype(np.float16): "half",
    np.dtype(np.float32): "float",
    np.dtype(np.float64): "double",
}


class NotTraced(Exception):
    """Something that cannot be written as code; the message says what."""


def element(dtype: Dtype) -> str:
    """The LLVM type of an element."""
    name = _NAMES.get(dtype)
    if name is None:
        raise NotTraced(f"elements of {dtype}")
    return name


@cache
def vector(dtype: Dtype, count: int = LANES) -> str:
    """The LLVM type of `count` elements."""
    return f"<{count} x {element(dtype)}>"


def literal(value: Any, dtype: Dtype) -> str:
    """A constant element: an integer, for floats that of its bits."""
    if dtype == BOOL:
        return "true" if value else "false"
    scalar = np.asarray(value).astype(dtype)
    return str(int(scalar if dtype.kind in "iu" else scalar.view(f"i{dtype.itemsize}")))


def constant(values: Any, dtype: Dtype, count: int = LANES) -> str:
    """A constant vector: one value for all elements, or one for each."""
    bits = f"i{8 * dtype.itemsize}" if dtype.kind == "f" else element(dtype)
    array = np.asarray(values)
    if array.ndim == 0:
        text = f"splat ({bits} {literal(array, dtype)})"
    else:
        text = "<" + ", ".join(f"{bits} {literal(one, dtype)}" for one in array.reshape(-1)) + ">"
    return f"bitcast (<{count} x {bits}> {text} to {vector(dtype, count)})" if dtype.kind == "f" else text


class Code:
    """Lines of a function, and by name the functions of ours that it calls: LLVM's own need no declaration.

    `loops` are NumPy's inner loops that it calls, in the order of the table of their addresses; `scratch` the bytes of
    memory that they take.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.declared: dict[str, str] = {}
        self.loops: dict[tuple[str, str], int] = {}
        self.scratch = 0
        self._known: dict[str, str] = {}
        self._count = 0

    def name(self) -> str:
        """A new name."""
        self._count += 1
        return f"%v{self._count}"

    def forget(self) -> None:
        """Values may be computed elsewhere from here on."""
        self._known.clear()

    def label(self, name: str) -> None:
        """Begin a block."""
        self.lines.append(f"{name}:")
        self._known.clear()

    def line(self, text: str) -> None:
        """Something that gives no value."""
        self.lines.append(f"  {text}")

    def value(self, text: str) -> str:
        """The value of an operation that must be done here."""
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def pure(self, text: str) -> str:
        """The value of an operation that depends on nothing but its operands."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self.value(text)
        return found

    def declare(self, text: str) -> str:
        """Let the code call a function that a text defines; its name."""
        name = text.partition("@")[2].partition("(")[0]
        self.declared[name] = text
        return name

    def intrinsic(self, name: str, result: str, *arguments: tuple[str, str]) -> str:
        """The value of a pure intrinsic; arguments are types and values."""
        return self.pure(f"call {result} @{name}({', '.join(f'{t} {v}' for t, v in arguments)})")

    def mark(self) -> tuple[int, dict[str, str]]:
        """Where the code is now, for `undo`."""
        return len(self.lines), dict(self._known)

    def undo(self, mark: tuple[int, dict[str, str]]) -> None:
        """Drop what has been written since."""
        del self.lines[mark[0] :]
        self._known = mark[1]
