"""Variables of a source: what holds them where, noted while a function is selected, and their locations.

A note stands behind an instruction of the graph and does not change it: what is not computed for its own sake has no
location.  When the body is written every note becomes a label.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from xdsl.ir import Operation

from weft.codegen.debug.entries import leb, numbers
from weft.codegen.debug.metadata import field
from weft.codegen.graph import Block, Const, Value
from weft.codegen.linear import Lin
from weft.codegen.types import pointer_space
from weft.dataclass import dataclass
from weft.ptx.operands import Register, Symbol

LOCAL, REGISTER = 6, 2
_CLASSES = {"global": 5, "shared": 8, "const": 4, "local": LOCAL, "param": 7, "": 12}
"""NVIDIA's address classes: which memory an address is of."""
_ADDR, _CONSTU, _CONSTS, _PLUS, _LIT0, _REGX, _BREGX, _PIECE = 0x03, 0x10, 0x11, 0x23, 0x30, 0x90, 0x92, 0x93
_KEPT = "DW_OP_plus_uconst", "DW_OP_deref", "DW_OP_stack_value", "DW_OP_LLVM_fragment"


@dataclass(frozen=True, slots=True)
class Location:
    """Where a variable is, or what it is: in a `register`, at a `symbol` plus an offset, or a `constant`.

    `memory` says that the register holds its address; `unsigned`, that the constant is a pattern of bits.
    `size` are the bytes of the piece that is described, 0 for all.
    """

    register: str = ""
    symbol: str = ""
    offset: int = 0
    constant: int | None = None
    unsigned: bool = False
    memory: bool = False
    space: int = REGISTER
    size: int = 0

    def expression(self, *, unsigned: bool) -> tuple[str, ...]:
        """The operations that find it, as lines of a section."""
        lines: list[str] = []
        if self.symbol:
            lines += [numbers((_ADDR,)), f".b64 {self.symbol}"]
            if self.offset:
                lines.append(numbers((_PLUS, *leb(self.offset))))
        elif self.register:
            name = leb(int.from_bytes(self.register.encode(), "big"))
            lines.append(numbers((_BREGX, *name, *leb(self.offset, signed=True)) if self.memory else (_REGX, *name)))
        elif self.constant is not None:
            lines.append(numbers(_number(self.constant, unsigned=unsigned or self.unsigned)))
        if self.size:
            lines.append(numbers((_PIECE, *leb(self.size))))
        return tuple(lines)


@dataclass(frozen=True, slots=True)
class Pieces:
    """A variable that is in several places: the locations of its parts, with the bit that each begins at, in order."""

    parts: tuple[tuple[int, Location], ...]

    def expression(self, *, unsigned: bool) -> tuple[str, ...]:
        """The operations that find it: those of each part, with gaps for what is nowhere."""
        lines: list[str] = []
        at = 0
        for bit, part in self.parts:
            if bit // 8 > at:
                lines.append(numbers((_PIECE, *leb(bit // 8 - at))))
            lines += part.expression(unsigned=unsigned)
            at = bit // 8 + part.size
        return tuple(lines)


def _number(value: int, *, unsigned: bool) -> list[int]:
    if not unsigned:
        return [_CONSTS, *leb(value, signed=True)]
    return [_LIT0 + value] if 0 <= value < 32 else [_CONSTU, *leb(value & (1 << 64) - 1)]


def address_class(space: str) -> int:
    """The address class of a state space."""
    return _CLASSES.get(space, _CLASSES[""])


@dataclass(slots=True)
class Note:
    """A variable that is given a value, or an address, by an operation; `anchor` keeps the item it is behind."""

    op: Operation
    value: Any
    anchor: Any


@dataclass(slots=True)
class Mark:
    """A place in a body where a variable gets a location; None says that it has none from there."""

    op: Operation
    location: Location | None


class Notes:
    """The notes of one function; `label` gives fresh labels."""

    def __init__(self, label: Callable[[], str]) -> None:
        self._label = label
        self._behind: dict[int, list[Note]] = {}
        self.marks: dict[str, Mark] = {}

    def add(self, block: Block, op: Operation, value: Any) -> None:
        """Note a variable behind what has been selected so far."""
        anchor = block.items[-1] if block.items else block
        self._behind.setdefault(id(anchor), []).append(Note(op, value, anchor))

    def behind(self, anchor: object) -> list[Note]:
        """The notes behind an item, or at the beginning of a block."""
        return self._behind.get(id(anchor), [])

    def mark(self, note: Note, register: Callable[[Value], Register | None]) -> str:
        """The label for a note, whose value is in the `register` of it."""
        label = self._label()
        location = _described(note.op, note.value, register)
        self.marks[label] = Mark(note.op, location)
        return label


def _described(op: Operation, value: Any, register: Callable[[Value], Register | None]) -> Location | None:
    """Where a variable is whose value, or address, is this."""
    declared = op.name.endswith("declare")
    found = _found(value, register, declared=declared, pointer=op.operands[0].type)
    operations = field_operations(op.properties.get("locationExpr"))
    if found is None or operations is None:
        return None
    for name, *arguments in operations:
        if name == "DW_OP_LLVM_fragment":
            found = replace(found, size=int(arguments[1]) // 8)
        elif name == "DW_OP_plus_uconst" and declared:
            found = replace(found, offset=found.offset + int(arguments[0]))
        elif name == "DW_OP_deref" and not found.memory and found.register:
            found = replace(found, memory=True)
        elif name != "DW_OP_stack_value":
            return None
    return found


def field_operations(expression: Any) -> list[tuple[Any, ...]] | None:
    """The operations of an expression; None for one that has others than those that are known."""
    if expression is None:
        return []
    found = [tuple(part.data for part in operation.data) for operation in expression.operations.data]
    return found if all(operation[0] in _KEPT for operation in found) else None


def _found(
    value: Any, register: Callable[[Value], Register | None], *, declared: bool, pointer: Any
) -> Location | None:
    if isinstance(value, Const):
        return Location(constant=value.pattern, unsigned=True)
    if isinstance(value, Lin):
        return _of_sum(value, register, declared=declared, pointer=pointer)
    if isinstance(value, Value):
        held = register(value)
        return Location(held.name) if held is not None else None
    return None


def _of_sum(
    value: Lin, register: Callable[[Value], Register | None], *, declared: bool, pointer: Any
) -> Location | None:
    if value.is_const:
        return None if declared else Location(constant=value.const)
    if len(value.terms) != 1 or value.terms[0][1] != 1 or (value.const and not declared):
        return None
    base = value.terms[0][0]
    named = pointer_space(pointer) if pointer.name == "llvm.ptr" else ""
    space = base.space or named
    symbol = _symbol(base)
    if declared and symbol:
        return Location(symbol=symbol, offset=value.const, memory=True, space=address_class(space))
    if pointer.name == "llvm.ptr" and not named and space not in ("", "global"):
        if base.generic is None:
            return None
        base = base.generic
    held = register(base)
    if held is None:
        return None
    return Location(held.name, offset=value.const, memory=True) if declared else Location(held.name)


def _symbol(base: Value) -> str:
    """The symbol whose address a value is."""
    inst = base.inst
    if inst is None or inst.opcode.stem != "mov" or len(inst.args) != 2:
        return ""
    return inst.args[1].name if isinstance(inst.args[1], Symbol) else ""


def variable_of(op: Operation) -> Any:
    """The variable that an operation is about."""
    return op.properties.get("varInfo")


def fragment_of(op: Operation) -> tuple[Any, ...]:
    """The part of the variable that an operation is about, () for all of it."""
    found = field_operations(op.properties.get("locationExpr")) or []
    return next((operation for operation in found if operation[0] == "DW_OP_LLVM_fragment"), ())


def scope_of(op: Operation) -> Any:
    """The scope of the variable that an operation is about."""
    return field(variable_of(op), "scope")
