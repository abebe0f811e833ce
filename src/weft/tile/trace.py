"""The kernel that is being traced: where operations go, and which Python line they come from.

A traced function runs once, as Python; what it does to `Scalar`s and buffers becomes operations in the block that is
open at the time.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import cache
from numbers import Integral
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FileLineColLoc,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from weft.dataclass import dataclass
from weft.dialects.tile.arithmetic import Arithmetic
from weft.errors import CompileError, Position, WeftError

if TYPE_CHECKING:
    from weft.tile.dtypes import DType

_OWN = frozenset(str(path) for path in Path(__file__).parent.glob("*.py"))
"""The files whose frames are not a user's."""


@dataclass
class Trace:
    """What a kernel is traced into: the open block, and the constants met in it."""

    block: Block
    entry: Block = field(init=False)
    _arithmetic: Arithmetic = field(init=False)
    _known: dict[object, SSAValue] = field(default_factory=dict[object, SSAValue])
    _constants: dict[Attribute, SSAValue] = field(default_factory=dict[Attribute, SSAValue])
    _open: list[Block] = field(default_factory=list[Block])
    extra: dict[Any, Any] = field(default_factory=dict[Any, Any])
    finish: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    ending: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    """What is done at the kernel's very end, behind its roles."""

    def __post_init__(self) -> None:
        self.entry = self.block
        self._open = [self.block]
        self._arithmetic = Arithmetic(self.value, self.literal)

    def add(self, op: Operation) -> Operation:
        """Put an operation at the end of the open block, with the Python line it comes from.

        Raises:
            CompileError: an operand was made in a loop or a branch that is over.
        """
        for operand in op.operands:
            if not self._holds(operand):
                raise error(
                    "this uses a value from inside a loop or branch that has ended",
                    "assign the value to a name: loops and branches do not carry contents of lists and objects",
                )
        op.location = location()
        self.block.add_op(op)
        return op

    def place(self) -> Operation | None:
        """The last operation of the kernel so far."""
        return self.entry.last_op

    def close(self) -> None:
        """Add what is known only when the whole kernel has been traced: barriers, roles."""
        for each in (*self.finish, *self.ending):
            each()

    def value(self, op: Operation) -> SSAValue:
        """Put an operation at the end of the open block: its only result."""
        return self.add(op).results[0]

    def _holds(self, value: SSAValue) -> bool:
        """Whether a value is one of an open block."""
        owner = value.owner
        return (owner if type(owner) is Block else owner.parent) in self._open

    def apply(self, function: str, operands: list[SSAValue], *, unsigned: bool = False) -> SSAValue:
        """A function of numbers (as `Arithmetic.apply`); what was computed before is not computed again."""
        key = (function, *operands, unsigned)
        return self._once(key, lambda: self._arithmetic.apply(function, operands, unsigned=unsigned))

    def convert(self, value: SSAValue, kind: Attribute, *, unsigned: bool) -> SSAValue:
        """A number in another type (as `Arithmetic.convert`)."""
        return self._once((value, kind, unsigned), lambda: self._arithmetic.convert(value, kind, unsigned=unsigned))

    def _once(self, key: object, build: Callable[[], SSAValue]) -> SSAValue:
        found = self._known.get(key)
        if found is None or not self._holds(found):
            found = self._known[key] = build()
        return found

    def always(self, key: object, build: Callable[[], SSAValue]) -> SSAValue:
        """What is the same all through the kernel, such as a thread's number: once, at the kernel's beginning."""
        found = self._known.get(key)
        if found is None:
            block = Block()
            with self.inside(block):
                found = self._known[key] = build()
            first = self.entry.first_op
            for op in list(block.ops):
                op.detach()
                if first is None:
                    self.entry.add_op(op)
                else:
                    self.entry.insert_ops_before([op], first)
        return found

    def constant(self, value: float, dtype: DType) -> SSAValue:
        """A constant of a type; equal ones are one operation, at the kernel's beginning."""
        return self.literal(literal(value, dtype, isinstance(value, int)))

    def constant64(self, value: int) -> SSAValue:
        """A 64-bit integer constant."""
        return self.literal(_integer64(value))

    def literal(self, value: Attribute) -> SSAValue:
        """A constant given as an attribute."""
        found = self._constants.get(value)
        if found is None:
            op = arith.ConstantOp.create(properties={"value": value}, result_types=[value.type])  # type: ignore[attr-defined]
            first = self.entry.first_op
            if first is None:
                self.entry.add_op(op)
            else:
                self.entry.insert_ops_before([op], first)
            found = self._constants[value] = op.results[0]
        return found

    @contextmanager
    def inside(self, block: Block) -> Generator[Block]:
        """Trace into another block."""
        outer, self.block = self.block, block
        self._open.append(block)
        try:
            yield block
        finally:
            self._open.pop()
            self.block = outer

    @contextmanager
    def back_in(self, block: Block) -> Generator[Block]:
        """Trace at the end of a block that is open further out, with what is known there."""
        outer, opened = self.block, self._open
        self.block, self._open = block, opened[: opened.index(block) + 1]
        try:
            yield block
        finally:
            self.block, self._open = outer, opened

    def splice(self, block: Block) -> None:
        """Move the operations of a block that was traced into to the end of the open one."""
        for op in list(block.ops):
            op.detach()
            self.block.add_op(op)


@cache
def _integer64(value: int) -> Attribute:
    return IntegerAttr(value, i64)


@cache
def literal(value: float, dtype: DType, whole: bool) -> Attribute:
    """A number as an attribute of a type; `whole` for an integer (1 and 1.0 are the same key otherwise)."""
    if not dtype.is_float:
        if not whole or not isinstance(value, int):
            raise error(f"{value!r} is not of type {dtype}")
        width = dtype.bits
        low, high = (0, 1) if width == 1 else (-(1 << (width - 1)), (1 << width) - 1)
        if not low <= value <= high:
            raise error(f"{value} does not fit {dtype}")
        signed = value if width == 1 or value < 1 << (width - 1) else value - (1 << width)
        return IntegerAttr(signed, IntegerType(width))
    return FloatAttr(float(value), cast("AnyFloat", dtype.mlir))


_ACTIVE: list[Trace] = []


def current() -> Trace:
    """The kernel that is being traced; raises WeftError outside of one."""
    if not _ACTIVE:
        raise WeftError(
            "this is only possible in a kernel", hint="decorate the function with @weft.kernel, and call .ptx or .run"
        )
    return _ACTIVE[-1]


@contextmanager
def tracing(trace: Trace) -> Generator[Trace]:
    """Make a trace the current one."""
    _ACTIVE.append(trace)
    try:
        yield trace
    finally:
        _ACTIVE.pop()


_INTERPRETERS: set[CodeType] = set()


def stands_for(code: CodeType) -> None:
    """Let the frames of a method stand for the lines that its object (`self.place`: file and line) interprets."""
    _INTERPRETERS.add(code)


def _place() -> tuple[str, int]:
    """The file and the line of the user's that is running: of the innermost frame that is not of this package."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and frame.f_code.co_filename in _OWN:
        if frame.f_code in _INTERPRETERS:
            return frame.f_locals["self"].place
        frame = frame.f_back
    return ("", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)


def position() -> Position:
    """The user's line that is running."""
    file, line = _place()
    return with_source(Position(line, 0, file))


def with_source(position: Position) -> Position:
    """The position with its line of Python source, where that can be read."""
    if position.source is not None or not position.line:
        return position
    text = linecache.getline(position.file, position.line).rstrip("\n")
    return replace(position, source=text or None)


def location() -> FileLineColLoc:
    """The user's line that is running, as a location."""
    return _location(*_place())


@cache
def _location(file: str, line: int) -> FileLineColLoc:
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(0))


def error(message: str, hint: str = "") -> CompileError:
    """An error at the user's line that is running."""
    return CompileError(message, position(), hint)


def shape_of(given: int | Sequence[int]) -> tuple[int, ...]:
    """A shape of constant extents; raises CompileError for another."""
    extents = tuple(given) if isinstance(given, list | tuple) else (given,)
    if not extents or any(not isinstance(extent, Integral) or extent < 1 for extent in extents):
        raise error(f"{given!r} is not a constant shape", "use positive Python integers")
    return tuple(int(extent) for extent in extents)  # pyright: ignore[reportArgumentType]
