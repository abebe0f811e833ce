"""Where operations come from: positions in the MLIR text, for errors in any later stage.

The parser writes a `FileLineColLoc` on every operation, so positions survive cloning; the text itself is kept beside
the module, weakly, for the source line under an error.
"""

from __future__ import annotations

from bisect import bisect_right
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr
from xdsl.ir import Operation

from weft.errors import CompileError, MlirError, Position

_TEXTS: WeakKeyDictionary[Operation, dict[str, list[str]]] = WeakKeyDictionary()

_LEAST = 4096
_SMALL: dict[int, IntAttr] = {}
"""Lines and columns below `_LEAST`, the same in every file."""


class LineTable:
    """Offsets of the lines of a text, to turn an offset into a location without counting newlines each time."""

    def __init__(self, text: str, filename: str) -> None:
        self._starts = [0]
        position = text.find("\n")
        while position >= 0:
            self._starts.append(position + 1)
            position = text.find("\n", position + 1)
        self._filename = StringAttr(filename)
        self._integers: dict[int, IntAttr] = {}

    def location(self, offset: int) -> FileLineColLoc:
        """The location of a character offset."""
        line = bisect_right(self._starts, offset)
        column = offset - self._starts[line - 1] + 1
        # A location is made for every operation: fill the frozen attribute directly, its checks cost more than it does.
        location = object.__new__(FileLineColLoc)
        vars(location).update(filename=self._filename, line=self._integer(line), column=self._integer(column))
        return location

    def offset(self, line: int, column: int) -> int:
        """The character offset of a line and a column."""
        return self._starts[line - 1] + column - 1

    def _integer(self, value: int) -> IntAttr:
        known = _SMALL if value < _LEAST else self._integers
        found = known.get(value)
        if found is None:
            found = known[value] = object.__new__(IntAttr)
            vars(found).update(data=value)
        return found


def remember_text(module: Operation, filename: str, text: str) -> None:
    """Keep the lines of the text that a module was parsed from as long as the module lives."""
    _TEXTS[module] = {filename: text.splitlines()}


def position(op: Operation) -> Position:
    """The place of an operation in its text, with the source line when the text is known.

    An operation without a location of its own (made by a pass) takes that of the operation around it.
    """
    place: Operation | None = op
    while place is not None and not (isinstance(place.location, FileLineColLoc) and place.location.line.data):
        place = place.parent_op()
    if place is None:
        return Position(file="")
    location = place.location
    assert isinstance(location, FileLineColLoc)
    line, column, filename = location.line.data, location.column.data, location.filename.data
    root = op.get_toplevel_object()
    texts = _TEXTS.get(root) if isinstance(root, Operation) else None
    lines = texts.get(filename, []) if texts else []
    return Position(line, column, filename, lines[line - 1] if line <= len(lines) else None)


def source(op: Operation) -> str:
    """The text from the name of an operation on; nothing where the text is not known."""
    if not isinstance(op.location, FileLineColLoc):
        return ""
    line, column, filename = op.location.line.data, op.location.column.data, op.location.filename.data
    root = op.get_toplevel_object()
    texts = _TEXTS.get(root) if isinstance(root, Operation) else None
    lines = texts.get(filename, []) if texts else []
    return "\n".join([lines[line - 1][column - 1 :], *lines[line:]]) if 0 < line <= len(lines) else ""


def mlir_error(op: Operation, message: str, hint: str = "") -> MlirError:
    """The error that `op` is invalid, as mlir-opt words it: `'dialect.op' op message`, at the operation's place."""
    return MlirError(f"'{op.name}' op {message}", position(op), hint)


def compile_error(op: Operation, message: str, hint: str = "") -> CompileError:
    """The error that `op` cannot be lowered, at the operation's place."""
    return CompileError(f"'{op.name}': {message}", position(op), hint)
