"""From MLIR's locations to PTX's `.file` and `.loc`: where each instruction comes from, with calls that were inlined.

A `callsite` is a call that was inlined; a function's name comes from a subprogram of LLVM's debug metadata that is
fused to the location, or from a name around it.  Of locations that are fused without metadata the first known counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field as member
from dataclasses import replace
from typing import Any

from xdsl.ir import Operation

from weft.codegen.debug.entries import string
from weft.codegen.debug.metadata import blocks_around, field, number, path_of, subprogram_of, text
from weft.codegen.debug.notes import Location, Mark, Notes, Pieces, fragment_of, scope_of, variable_of
from weft.codegen.debug.ranges import Range, Ranges, together
from weft.dataclass import dataclass
from weft.ptx.ast import Block, Function, Instruction, Label, RegisterDeclaration, Section, Statement
from weft.ptx.ast import Variable as Variable_
from weft.ptx.directive_nodes import File, Inlined, Loc, SourceLocation

MOST_FRAMES = 64
"""Calls inside each other beyond these are left out."""
UNKNOWN_FUNCTION = "(inlined)"


@dataclass(frozen=True, slots=True)
class Frame:
    """A place in a source: the file, line and column, the function around it, and its subprogram's metadata."""

    file: str
    line: int
    column: int
    function: str = ""
    subprogram: Any = None
    scope: Any = member(default=None, compare=False)
    """The scope of LLVM's metadata that it lies in."""


Frames = tuple[Frame, ...]
"""A place and, after it, the calls that it was inlined by, the innermost first."""


class Resolver:
    """Finds the frames of locations, each once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Frames]] = {}

    def frames(self, location: Any) -> Frames:
        """The frames of a location, () when it is unknown."""
        found = self._known.get(id(location))
        if found is None:
            frames = tuple(_frames(location, "", None, MOST_FRAMES, lines=True))
            found = self._known[id(location)] = (location, frames)  # The location is kept, so that its id stays its.
        return found[1]


def _frames(location: Any, function: str, scope: Any, most: int, *, lines: bool) -> list[Frame]:
    """The frames of a location inside a function, and a scope of LLVM's metadata, that are known.

    With `lines` a place without a line is not known; without, its scope still counts.
    """
    while True:
        if hasattr(location, "filename"):
            line, column = location.line.data, location.column.data
            file = path_of(field(scope, "file")) or location.filename.data
            return [Frame(file, line, column, function, subprogram_of(scope), scope)] if line or not lines else []
        if hasattr(location, "callee"):
            inner = _frames(location.callee, function, scope, most - 1, lines=lines)
            if not inner or most <= len(inner):
                return inner
            return inner + _frames(location.caller, "", None, most - len(inner), lines=lines)
        if hasattr(location, "desc"):
            function = function or location.desc.data
            location = location.location
        elif hasattr(location, "locations"):
            subprogram = subprogram_of(location.metadata)
            if subprogram is not None:
                function, scope = _called(subprogram), location.metadata
            parts = location.locations.data
            if len(parts) != 1:
                found = (_frames(part, function, scope, most, lines=lines) for part in parts)
                return next(filter(None, found), list[Frame]())
            (location,) = parts
        else:
            return []


def _opening(frames: Frames) -> Frames:
    """The place of what a function does first: where its scope begins, if its subprogram says."""
    line = number(frames[0].subprogram, "scopeLine") if frames else 0
    return (replace(frames[0], line=line, column=0), *frames[1:]) if line else frames


def _called(subprogram: Any) -> str:
    return text(subprogram, "linkageName") or text(subprogram, "name")


@dataclass(slots=True)
class Scope:
    """A stretch of a body, between two labels, that comes from a lexical block or from a call that was inlined.

    `block` is the block; else `frame` is a place in the function that was inlined and `caller` where it was called.
    `first` is the statement that it begins with; that of a whole function comes after what reads its parameters.
    """

    block: Any = None
    frame: Frame | None = None
    caller: Frame | None = None
    begin: str = ""
    end: str = ""
    first: int = -1
    inside: dict[Any, Scope] = member(default_factory=dict[Any, "Scope"])
    variables: list[Variable] = member(default_factory=list["Variable"])


@dataclass(slots=True)
class Variable:
    """A variable of a source, and where it is: everywhere at `fixed`, or where `ranges` say."""

    metadata: Any
    fixed: Location | Pieces | None
    ranges: list[Range]


@dataclass(slots=True)
class Subprogram:
    """A function with a body: its name in PTX, where it is, the labels around it, and the scopes in it."""

    name: str
    frame: Frame | None
    begin: str
    end: str
    external: bool
    scope: Scope


def _path(frames: Sequence[Frame], innermost: Any = None) -> list[tuple[Any, Scope]]:
    """The scopes that a place lies in, outermost first, by what tells them apart; `innermost` is one inside them."""
    found: list[tuple[Any, Scope]] = []
    for index, frame in reversed(list(enumerate(frames))):
        if index + 1 < len(frames):
            caller = frames[index + 1]
            found.append((("call", frame.function, caller), Scope(frame=frame, caller=caller)))
        scope = innermost if innermost is not None and not index else frame.scope
        found += [(("block", block), Scope(block=block)) for block in blocks_around(scope)]
    return found


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

    def notes(self) -> Notes:
        """A place for the notes of a function."""
        return Notes(self.label)

    def place(self, op: Operation, function: Function, origins: Mapping[int, Any], notes: Notes | None) -> None:
        """Put `.loc` in front of every instruction that comes from another place than the last, and labels.

        `origins` are the operations that statements come from, by the statements' identity.
        """
        body = function.body or []
        start = next((i for i, s in enumerate(body) if not isinstance(s, (RegisterDeclaration, Variable_))), len(body))
        result = list(body[:start])
        own = self._resolver.frames(op.location)
        opening = _opening(own)
        number_ = len(self.subprograms)
        entry = Subprogram(function.name, own[0] if own else None, f"$L__func_begin{number_}",
                           f"$L__func_end{number_}", function.linkage != "", Scope())  # fmt: skip
        self.subprograms.append(entry)
        if self._labels:
            result.append(Label(entry.begin))
        last: Frames = ()
        stack: list[tuple[Any, Scope]] = [("", entry.scope)]
        for statement in body[start:]:
            source = origins.get(id(statement)) if isinstance(statement, (Instruction, Block)) else None
            frames = opening if source is op else () if source is None else self._resolver.frames(source.location)
            if frames and source is not op and entry.scope.first < 0:
                entry.scope.first = len(result)
            if frames and frames != last:
                if self._labels:
                    self._nest(stack, _path(frames), result)
                result += self._directives(frames, last)
                last = frames
            result.append(statement)
        if self._labels:
            self._nest(stack, [], result)
            result.append(Label(entry.end))
        if notes is not None and notes.marks:
            result = self._locate(entry, result, notes.marks)
        function.body = result

    # -- variables ----------------------------------------------------------------------------------------------------

    def label(self) -> str:
        """A label that no other is like."""
        self._label_count += 1
        return f"$L__tmp{self._label_count - 1}"

    def _locate(self, entry: Subprogram, body: list[Statement], marks: Mapping[str, Mark]) -> list[Statement]:
        """Put the variables that marks are about into their scopes; the body, with the labels that they need."""
        scopes: dict[Any, Scope] = {}
        keys: dict[str, Any] = {}
        for label, mark in marks.items():
            scope = self._scope(entry, mark.op)
            if scope is not None:
                keys[label] = key = (id(scope), variable_of(mark.op), fragment_of(mark.op))
                scopes[key] = scope
        declared = {
            keys[label]: mark.location
            for label, mark in marks.items()
            if label in keys and mark.op.name.endswith("declare")
        }
        fixed = {key for key, location in declared.items() if location is not None and not location.register}
        found = Ranges(body, marks, {label: key for label, key in keys.items() if key not in fixed}, self.label)
        parts: dict[Any, dict[int, list[Range]]] = {}
        for key, scope in scopes.items():
            ranges = found.found.get(key, [])
            if key[2]:
                parts.setdefault((key[0], key[1]), {})[int(key[2][1])] = ranges
            else:
                scope.variables.append(_variable(body, scope, key[1], declared[key] if key in fixed else None, ranges))
        for (number_, metadata), each in parts.items():
            scope = next(scope for key, scope in scopes.items() if key[0] == number_)
            scope.variables.append(_variable(body, scope, metadata, None, together(each)))
        return found.body()

    def _scope(self, entry: Subprogram, op: Operation) -> Scope | None:
        """The scope of the variable that an operation is about, None where no instruction is left of it."""
        scope: Scope | None = entry.scope
        for key, _ in _path(_frames(op.location, "", None, MOST_FRAMES, lines=False), scope_of(op)):
            scope = scope.inside.get(key) if scope is not None else None
        return scope

    def _directives(self, frames: Frames, last: Frames) -> list[Loc]:
        """The `.loc` of a place, after those of the calls that it was inlined by, unless these came last."""
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

    def _nest(
        self, stack: list[tuple[Any, Scope]], wanted: Sequence[tuple[Any, Scope]], result: list[Statement]
    ) -> None:
        """Close the scopes that are over here, and open those that begin or go on, with a label between."""
        same = 0
        for (open_, _), (key, _) in zip(stack[1:], wanted, strict=False):
            if open_ != key:
                break
            same += 1
        if same == len(stack) - 1 == len(wanted):
            return
        label = self.label()
        result.append(Label(label))
        for _, over in stack[same + 1 :]:
            over.end = label
        del stack[same + 1 :]
        for key, made in wanted[same:]:
            scope = stack[-1][1].inside.setdefault(key, made)
            if not scope.begin:
                scope.begin, scope.first = label, len(result)
            stack.append((key, scope))

    def items(self) -> list[File | Section]:
        """What is at the end of the module: the files, and the names of functions that were inlined."""
        found: list[File | Section] = [File(index, _quoted(path)) for path, index in self._files.items()]
        if self._names:
            lines: list[str] = []
            for name, index in self._names.items():
                lines += (f"$L__info_string{index}:", string(name))
            found.append(Section(".debug_str", tuple(lines)))
        return found


def _variable(
    body: Sequence[Statement], scope: Scope, metadata: Any, fixed: Location | None, ranges: list[Range]
) -> Variable:
    """A variable, which is in one place if it is there from the beginning of its scope on."""
    if len(ranges) == 1 and ranges[0].last == len(body) - 1 and ranges[0].first <= _begun(body, scope):
        return Variable(metadata, ranges[0].location, [])
    return Variable(metadata, fixed, ranges)


def _begun(body: Sequence[Statement], scope: Scope) -> int:
    """The statement before which nothing of a scope has happened: what comes first in it but labels and places."""
    at = scope.first
    while at < len(body) - 1 and not isinstance(body[at], (Instruction, Block)):
        at += 1
    return at


def _quoted(path: str) -> str:
    """A path as PTX can write it."""
    return "".join(c if c.isprintable() and c != '"' and c.isascii() else "?" for c in path).replace("\\", "/")
