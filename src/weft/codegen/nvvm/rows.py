"""Operations that are one instruction, as their rows say (`weft.dialects.nvvm.ops`)."""

from __future__ import annotations

from functools import cache

from xdsl.ir import Operation

from weft.codegen.selector import Selector, handles
from weft.dialects.nvvm.ops import TABLE
from weft.isa import opcode

_ROWS = [name for name in TABLE.names if TABLE.row(name).instructions.startswith("=")]


@cache
def _instruction(name: str) -> tuple[str, dict[str, str], list[int], list[str]]:
    """The instruction of a row: its stem, slots and first operands, and the flags that are slots by the same name."""
    row = TABLE.row(name.removeprefix("nvvm."))
    code, _, fixed = row.instructions.removeprefix("=").partition(",")
    stem, *slots = code.split()
    flags = [word.rstrip("?") for word in row.properties.split()]
    return stem, dict(slot.split("=") for slot in slots), [int(number) for number in fixed.split()], flags


@handles(*(f"nvvm.{name}" for name in _ROWS))
def select_row(s: Selector, op: Operation) -> None:
    """The instruction, with the operation's flags as slots and its operands where its form has them."""
    stem, slots, fixed, flags = _instruction(op.name)
    code = opcode(stem, **slots, **{flag: flag in op.properties for flag in flags})
    s.emit(code, *fixed, *(s.operand(s.int(value)) for value in op.operands))
