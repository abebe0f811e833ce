"""What is in the sections of a module's bytes; the writer and the reader agree here.

STRS  every string, each ended by a NUL
MODU  the header and the module's items: a stream of 64-bit numbers
DECL  declarations inside bodies, one after the other, in the same notation as MODU
DECO  where each of them starts in DECL
DIRS  directives inside bodies: string numbers of name and arguments
HEAD  instruction heads: opcode (string), guard (0, or twice a record number plus 1 or 2), number of operands
WORD  one 32-bit word for each statement: what it is in the top four bits, its number in a table below
OPID  the operands of all instructions, in order, as record numbers (`columns.pack_references`)
RECS  operand records (`records.OPERAND`)
LITS  literals with a spelling of their own: string numbers of value and text
GRPS  groups of records (addresses, vectors, pairs): `GROUP`
MEMB  the groups' members, as distances back from the group's own record
LINE  the lines of all debug sections, in order, as string numbers
POSN  the offset of each statement in the source text (`columns.pack_deltas`)
SRCE  the source text
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np

from weft.ptx.operands import Address, Arguments, Element, Negated, Operand, Pair, Symbol, Vector


class Word(enum.IntEnum):
    """What a statement is."""

    INSTRUCTION = 0
    LABEL = 1
    DIRECTIVE = 2
    DECLARATION = 3
    OPEN = 4
    CLOSE = 5


WORD_SHIFT = 28
WORD_MASK = (1 << WORD_SHIFT) - 1
NUMBERS_MOST = 1 << 31

WIDE = 1 << 62
"""Numbers of a stream from here on are `WIDE` plus the number of the string that spells them."""

GROUP = np.dtype([("tag", "u1"), ("flags", "u1"), ("count", "<u2"), ("pad", "V4"), ("offset", "<i8")])
"""A group: what it is, its flags, the number of its members, and its byte offset."""

ZERO, UNIFIED, MINUS = 1, 2, 4
"""Flags of a group: an offset of 0 is written out; `.unified` follows; the group is negated with `-`, not `!`."""


class Group(enum.IntEnum):
    """What a group is. A group holds groups of a lower rank only (`RANK`), so they nest no deeper than the ranks."""

    OFFSET_SYMBOL = 0
    NEGATED = 1
    ELEMENT = 2
    VECTOR = 3
    PAIR = 4
    ARGUMENTS = 5
    ADDRESS = 6


RANK = np.array([1, 2, 2, 3, 4, 4, 5], np.int64)
LEAST_MEMBERS = np.array([1, 1, 2, 0, 2, 0, 1], np.int64)
MOST_MEMBERS = np.array([1, 1, 2, 65535, 2, 65535, 65535], np.int64)

Members = list[Operand]
_MAKE: dict[int, Callable[[Members, int, int], Operand]] = {
    Group.OFFSET_SYMBOL: lambda m, flags, offset: Symbol(_symbol_name(m[0]), offset, bool(flags & ZERO)),
    Group.NEGATED: lambda m, flags, _: Negated(m[0], "-" if flags & MINUS else "!"),
    Group.ELEMENT: lambda m, _, __: Element(_symbol_name(m[0]), m[1]),
    Group.VECTOR: lambda m, _, __: Vector(tuple(m)),
    Group.PAIR: lambda m, _, __: Pair(m[0], m[1]),
    Group.ARGUMENTS: lambda m, _, __: Arguments(tuple(m)),
    Group.ADDRESS: lambda m, flags, offset: Address(
        m[0], offset, tuple(m[1:]), bool(flags & UNIFIED), bool(flags & ZERO)
    ),
}


def make_group(tag: int, members: Members, flags: int, offset: int) -> Operand:
    """The operand that a group stands for."""
    return _MAKE[tag](members, flags, offset)


def _symbol_name(operand: Operand) -> str:
    return operand.name if isinstance(operand, Symbol) else str(operand)


def parts_of(operand: Any) -> tuple[Group, list[Operand], int, int] | None:
    """A compound operand as (group, members, flags, offset); None for a scalar."""
    match operand:
        case Symbol(name, offset, zero) if offset or zero:
            return Group.OFFSET_SYMBOL, [Symbol(name)], ZERO * zero, offset
        case Negated(inner, operator):
            return Group.NEGATED, [inner], MINUS * (operator == "-"), 0
        case Element(array, index):
            return Group.ELEMENT, [Symbol(array), index], 0, 0
        case Vector(elements):
            return Group.VECTOR, list(elements), 0, 0
        case Pair(first, second):
            return Group.PAIR, [first, second], 0, 0
        case Arguments(elements):
            return Group.ARGUMENTS, list(elements), 0, 0
        case Address(base, offset, rest, unified, zero):
            return Group.ADDRESS, [base, *rest], ZERO * zero | UNIFIED * unified, offset
        case _:
            return None
