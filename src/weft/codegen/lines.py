"""From MLIR's locations to PTX's `.file` and `.loc`: where each instruction comes from, with calls that were inlined.

A `callsite` is a call that was inlined; a function's name comes from a subprogram of LLVM's debug metadata that is
fused to the location, or from a name around it.  Of locations that are fused without metadata the first known counts.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from weft.codegen.directives import find
from weft.dataclass import dataclass
from weft.ptx.ast import Block, Instruction, Label, RegisterDeclaration, Section, Statement, Variable
from weft.ptx.directive_nodes import File, Inlined, Loc, SourceLocation

MOST_FRAMES = 64
"""Calls inside each other beyond these are left out."""
MOST_SCOPES = 1000
UNKNOWN_FUNCTION = "(inlined)"


@dataclass(frozen=True, slots=True)
class Frame:
    """A place in a source: the file, line and column, the function around it, and its subprogram's metadata."""

    file: str
    line: int
    column: int
    function: str = ""
    subprogram: Any = None


Frames = tuple[Frame, ...]
"""A place and, behind it, the calls that it was inlined by, the innermost first."""


class Resolver:
    """Finds the frames of locations, each once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Frames]] = {}

    def frames(self, location: Any) -> Frames:
        """The frames of a location, () when it is unknown."""
        found = self._known.get(id(location))
        if found is None:
            frames = tuple(_frames(location, "", None, MOST_FRAMES))
            found = self._known[id(location)] = (location, frames)  # The location is kept, so that its id stays its.
        return found[1]


def _frames(location: Any, function: str, scope: Any, most: int) -> list[Frame]:
    """The frames of a location inside a function, and a scope of LLVM's metadata, that are known."""
    while True:
        if hasattr(location, "filename"):
            line, column = location.line.data, location.column.data
            file = path_of(field(scope, "file")) or location.filename.data
            return [Frame(file, line, column, function, subprogram_of(scope))] if line else []
        if hasattr(location, "callee"):
            inner = _frames(location.callee, function, scope, most - 1)
            if not inner or most <= len(inner):
                return inner
            return inner + _frames(location.caller, "", None, most - len(inner))
        if hasattr(location, "desc"):
            function = function or location.desc.data
            location = location.location
        elif hasattr(location, "locations"):
            subprogram = subprogram_of(location.metadata)
            if subprogram is not None:
                function, scope = _called(subprogram), location.metadata
            parts = location.locations.data
            if len(parts) != 1:
                found = (_frames(part, function, scope, most) for part in parts)
                return next(filter(None, found), list[Frame]())
            (location,) = parts
        else:
            return []


def _opening(frames: Frames) -> Frames:
    """The place of what a function does first: where its scope begins, if its subprogram says."""
    line = number(frames[0].subprogram, "scopeLine") if frames else 0
    return (replace(frames[0], line=line, column=0), *frames[1:]) if line else frames


def field(attribute: Any, name: str) -> Any:
    """A field of one of LLVM's attributes, None when it has none of that name."""
    return dict(attribute.data).get(name) if isinstance(getattr(attribute, "data", None), tuple) else None


def text(attribute: Any, name: str) -> str:
    """A field that is a string or a word, empty when there is none."""
    found: object = getattr(field(attribute, name), "data", "")
    return found if isinstance(found, str) else ""


def number(attribute: Any, name: str) -> int:
    """A field that is an integer, 0 when there is none."""
    found = field(attribute, name)
    found = getattr(found, "value", found)
    value = getattr(found, "data", 0)
    return value if isinstance(value, int) else 0


def subprogram_of(scope: Any) -> Any:
    """The subprogram that a scope of LLVM's debug metadata lies in, or None."""
    for _ in range(MOST_SCOPES):
        if scope is None or scope.name == "llvm.di_subprogram":
            return scope
        if scope.name not in ("llvm.di_lexical_block", "llvm.di_lexical_block_file"):
            break
        scope = field(scope, "scope")
    return None


def _called(subprogram: Any) -> str:
    return text(subprogram, "linkageName") or text(subprogram, "name")


def path_of(file: Any) -> str:
    """The path of a file of LLVM's debug metadata."""
    if not hasattr(file, "directory"):
        return ""
    folder, name = str(file.directory.data), str(file.file.data)
    return posixpath.join(folder, name)


@dataclass(slots=True)
class InlinedCall:
    """A stretch of a body, between two labels, that comes from a call that was inlined."""

    frame: Frame
    """A place in the function that was inlined."""
    caller: Frame
    begin: str
    end: str
    inside: list[InlinedCall]


@dataclass(slots=True)
class Subprogram:
    """A function with a body: its name in PTX, where it stands, the labels around it, and what was inlined into it."""

    name: str
    frame: Frame | None
    begin: str
    end: str
    external: bool
    inlined: list[InlinedCall]


class LineTable:
    """The files, names and places of a module; `inlining` says whether PTX of this version knows of inlined calls.

    With `labels` the bodies get labels for the sections of a debugger.
    """

    def __init__(self, *, inlining: bool, labels: bool) -> None:
        self._inlining = inlining
        self._labels = labels
        self._files: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._resolver = Resolver()
        self._label_count = 0
        self.subprograms: list[Subprogram] = []
        self.uses_inlining = False

    def file(self, path: str) -> int:
        """The number of a file."""
        return self._files.setdefault(path, len(self._files) + 1)

    def place(
        self, op: Any, name: str, body: Sequence[Statement], origins: Mapping[int, Any], *, external: bool
    ) -> list[Statement]:
        """A function's body with `.loc` in front of every instruction that comes from another place than the last.

        `origins` are the operations that statements come from, by the statements' identity.
        """
        start = next((i for i, s in enumerate(body) if not isinstance(s, (RegisterDeclaration, Variable))), len(body))
        result = list(body[:start])
        own = self._resolver.frames(op.location)
        opening = _opening(own)
        number_ = len(self.subprograms)
        entry = Subprogram(name, own[0] if own else None, f"$L__func_begin{number_}", f"$L__func_end{number_}",
                           external, [])  # fmt: skip
        self.subprograms.append(entry)
        if self._labels:
            result.append(Label(entry.begin))
        last: Frames = ()
        stack: list[InlinedCall] = []
        for statement in body[start:]:
            source = origins.get(id(statement)) if isinstance(statement, (Instruction, Block)) else None
            frames = opening if source is op else () if source is None else self._resolver.frames(source.location)
            if frames and frames != last:
                if self._labels:
                    self._nest(entry, stack, frames, result)
                result += self._directives(frames, last)
                last = frames
            result.append(statement)
        if self._labels:
            self._nest(entry, stack, (), result)
            result.append(Label(entry.end))
        return result

    def _directives(self, frames: Frames, last: Frames) -> list[Loc]:
        """The `.loc` of a place, behind those of the calls that it was inlined by, unless these came last."""
        if not self._inlining or len(frames) == 1:
            return [self._place(frames[0])]
        self.uses_inlining = True
        if frames[1:] == last[1:]:  # The calls were said before.
            return [self._place(*frames[:2])]
        return [self._place(*frames[index : index + 2]) for index in reversed(range(len(frames)))]

    def _place(self, frame: Frame, caller: Frame | None = None) -> Loc:
        inlined = None
        if caller is not None:
            name = self._name(frame.function or UNKNOWN_FUNCTION)
            inlined = Inlined(name, 0, self.file(caller.file), caller.line, caller.column)
        return Loc(SourceLocation(self.file(frame.file), frame.line, frame.column, inlined))

    def _name(self, name: str) -> str:
        return f"$L__info_string{self._names.setdefault(name, len(self._names))}"

    def _nest(self, entry: Subprogram, stack: list[InlinedCall], frames: Frames, result: list[Statement]) -> None:
        """Close the inlined calls that are over here, and open those that begin, with a label between."""
        wanted = list(zip(frames[-2::-1], frames[:0:-1], strict=True))
        same = 0
        for open_, (inner, caller) in zip(stack, wanted, strict=False):
            if (open_.frame.function, open_.caller) != (inner.function, caller):
                break
            same += 1
        if same == len(stack) == len(wanted):
            return
        label = f"$L__tmp{self._label_count}"
        self._label_count += 1
        result.append(Label(label))
        for open_ in stack[same:]:
            open_.end = label
        del stack[same:]
        for inner, caller in wanted[same:]:
            made = InlinedCall(inner, caller, label, label, [])
            (stack[-1].inside if stack else entry.inlined).append(made)
            stack.append(made)

    def items(self) -> list[File | Section]:
        """What stands at the end of the module: the files, and the names of functions that were inlined."""
        found: list[File | Section] = [File(index, _quoted(path)) for path, index in self._files.items()]
        if self._names:
            lines: list[str] = []
            for name, index in self._names.items():
                lines += (f"$L__info_string{index}:", string(name))
            found.append(Section(".debug_str", tuple(lines)))
        return found


def string(value: str) -> str:
    """The bytes of a string and the zero behind them, as a section has them."""
    return ".b8 " + ", ".join(map(str, (*value.encode("utf-8", "replace").replace(b"\0", b"?"), 0)))


def _quoted(path: str) -> str:
    """A path as PTX can write it."""
    return "".join(c if c.isprintable() and c != '"' and c.isascii() else "?" for c in path).replace("\\", "/")


def visible(op: Any) -> bool:
    """Whether a function's symbol is seen from elsewhere, as debuggers are told."""
    found = find(op, "sym_visibility")
    return found is None or found.data != "private"
