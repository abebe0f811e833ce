"""Operand records: the 16-byte operand of the machine layer as a NumPy dtype, its kinds, type tags and registers.

One layout serves every operand, so that operand `i` of a record array lies at byte `16 * i`.

Source: the notes on the AsmPrinter's operand format. Tags without a number there are ours: the integers follow LLVM's
MVT, the others fill the gaps.
"""

from __future__ import annotations

import enum
import re

import numpy as np

from weft.isa.registers import CLASSES, F64, RegisterClass

OPERAND = np.dtype([("kind_flags", "u1"), ("type_tag", "u1"), ("pad", "V6"), ("value", "<u8")])
"""An operand record: kind flags, type tag, six bytes of padding, and the immediate or register."""


class Kind(enum.IntEnum):
    """What a record's value is. Bit 0 is set for everything that is no register; the high bits tell those apart."""

    REGISTER = 0x00
    IMMEDIATE = 0x01
    FP_IMMEDIATE = 0x11
    LITERAL = 0x21
    SYMBOL = 0x41
    TEXT = 0x81
    GROUP = 0xC1


class TypeTag(enum.IntEnum):
    """The element type of an operand, or the kind of a block-scaled product."""

    NONE = 0
    PRED = 2
    I4 = 4
    I8 = 5
    I16 = 6
    I32 = 7
    I64 = 8
    I128 = 9
    F16 = 12
    BF16 = 13
    F32 = 14
    E4M3 = 15
    E5M2 = 16
    E2M1 = 17
    F64 = 18
    TF32 = 19
    MXF8F6F4 = 20
    MXF4 = 21
    E3M2 = 22
    E2M3 = 23
    UE8M0 = 24
    UE4M3 = 25
    PACKED16 = 26
    PACKED32 = 27


_FLOATS = {tag.name.lower(): tag for tag in TypeTag if tag.name[0] in "EUBFT" and tag.name != "PRED"}
_INTEGERS = {1: TypeTag.PRED, 4: TypeTag.I4, 8: TypeTag.I8, 16: TypeTag.I16, 32: TypeTag.I32, 64: TypeTag.I64}


def type_tag(name: str) -> TypeTag:
    """The tag of a PTX type (`f16`, `s32`, `b64`, `f16x2`); NONE for an empty or unknown name."""
    from weft.isa.types import TYPES

    if name in _FLOATS:
        return _FLOATS[name]
    known = TYPES.get(name)
    if known is None:
        return TypeTag.NONE
    if known.kind == "x" and "x" in name:
        return {16: TypeTag.PACKED16, 32: TypeTag.PACKED32}.get(known.bits, TypeTag.NONE)
    if known.bits == 128:
        return TypeTag.I128
    return _INTEGERS.get(known.bits, TypeTag.NONE)


# -- registers ------------------------------------------------------------------------------------------------------

CLASS_SHIFT = 28
NUMBER_MASK = (1 << CLASS_SHIFT) - 1

VIRTUAL_CLASSES: tuple[RegisterClass, ...] = (
    *(c for c in CLASSES if c.prefix and not c.view_of),
    *(c for c in (*CLASSES, F64) if c.view_of),
)
"""The classes 1 to 7, in order: `%p %rs %r %rd %rq`, then the float views `%f %fd`."""

_CLASS_OF = {c.prefix: number for number, c in enumerate(VIRTUAL_CLASSES, 1)}
PREFIXES = ("", *_CLASS_OF)
"""The printed prefix of each register class; class 0 holds the named registers."""

_NUMBERED = re.compile(r"(%(?:p|rs|rd|rq|r|fd|f))(0|[1-9]\d{0,8})", re.ASCII)


def virtual_register(name: str) -> int | None:
    """The 32-bit register of a numbered name: class in the top four bits, number below; None for any other name."""
    match = _NUMBERED.fullmatch(name)
    if match is None:
        return None
    number = int(match[2])
    return None if number > NUMBER_MASK else _CLASS_OF[match[1]] << CLASS_SHIFT | number
