"""Faults of Triton kernels, at their lines of Python: the `.loc` directives of the PTX say which."""

from __future__ import annotations

import linecache
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.dataclass import dataclass
from weft.errors import Position
from weft.ptx.ast import Module
from weft.ptx.lines import Location, locations
from weft.sim.faults import KernelFault

_ORIGINS = ("compiled from", "the other access is compiled from")
"""What a hint says of lines that a `TritonFault` shows."""


class TritonFault(KernelFault, RuntimeError):
    """A fault of a Triton kernel; `position` is the line of Python, `ptx` that of the PTX, `stack` the inlined calls.

    It is a RuntimeError as well, which is what Triton and PyTorch raise for a fault on a GPU.
    """

    def __init__(self, fault: KernelFault, stack: list[Position], other: Position | None) -> None:
        super().__init__(fault.kind, fault.message)
        self.__dict__.update(fault.__dict__)
        self.ptx, self.other_ptx = fault.position, fault.other
        self.stack = stack
        if stack:
            self.position = stack[0]
            self.hint = "; ".join(part for part in fault.hint.split("; ") if not part.startswith(_ORIGINS))
        self.other = other or fault.other

    def render(self) -> str:
        """The message at its line of Python, then the calls that led there, then the instruction."""
        parts = [KernelFault.render(self)]
        hint = ""
        if self.hint:
            text, _, hint = parts[0].rpartition("\nhint: ")
            parts = [text]
        parts += [_shown(call, "called from here") for call in self.stack[1:]]
        if self.other_ptx is not None and self.other is not None and self.other is not self.other_ptx:
            parts.append(_shown(self.other, f"the other access (line {self.other_ptx.line} of the PTX)"))
        if self.stack:
            parts.append(_shown(self.ptx, "the instruction"))
        if hint:
            parts.append(f"hint: {hint}")
        return "\n".join(parts)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled whole, as tests that run in other processes need it."""
        return _again, (self.kind, self.message, self.__dict__)


def _again(kind: str, message: str, state: dict[str, object]) -> TritonFault:
    fault = TritonFault(KernelFault(kind, message), [], None)
    fault.__dict__.update(state)
    return fault


def _shown(position: Position, what: str) -> str:
    caret = position.caret()
    return f"{position}: {what}" + (f"\n{caret}" if caret else "")


@dataclass(frozen=True, slots=True)
class Source:
    """Where the Python of a kernel stands: a file, and its lines from `first` up to `end`.

    Triton's cache knows kernels by their text and lines, not by their files, so that a `.loc` may name a copy of the
    file that was compiled earlier.
    """

    path: str
    first: int
    end: int

    def of(self, place: Location) -> str:
        """The file of a place."""
        own = self.first <= place.line < self.end and Path(place.file).name == Path(self.path).name
        return self.path if own else place.file


def source_of(function: Any) -> Source | None:
    """Where a function of Triton is; None for what is not written in Python."""
    code = getattr(getattr(function, "fn", None), "__code__", None)
    first = getattr(function, "starting_line_number", None)
    if code is None or not isinstance(first, int):
        return None
    return Source(code.co_filename, first, first + len(function.raw_src))


def placed(fault: KernelFault, module: Module, source: Source | None = None) -> TritonFault:
    """The fault of a module that Triton has compiled from a source, at its line of Python."""
    known = locations(module)
    stack, other = (_stack(_location(known, place), source) for place in (fault.place, fault.other_place))
    return TritonFault(fault, stack, other[0] if other else None)


def _location(known: Mapping[str, Sequence[Location | None]], place: tuple[str, int] | None) -> Location | None:
    """What `.loc` says of an instruction, by its function and number."""
    places = known.get(place[0], ()) if place is not None else ()
    return places[place[1]] if place is not None and place[1] < len(places) else None


def _stack(place: Location | None, kernel: Source | None) -> list[Position]:
    """A place and the places that call it, innermost first."""
    found: list[Position] = []
    while place is not None:
        file = place.file if kernel is None else kernel.of(place)
        source = linecache.getline(file, place.line).rstrip("\n") or None
        found.append(Position(place.line, place.column, _short(file), source))
        place = place.inlined_at
    return found


def _short(path: str) -> str:
    """A path below the working directory relative to it, as compilers show it."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path
