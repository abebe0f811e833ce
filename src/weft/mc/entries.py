"""What is in the print tables; `build` writes it and `tables` reads it."""

from __future__ import annotations

import enum

import numpy as np

PRELUDE = 293
"""Generic opcodes (`PHI`, `COPY`, ...) that come before the first instruction and print nothing."""

TAIL = ";"
"""What ends a statement."""

STATEMENT_END = 3
"""The tail state of an opcode that `TAIL` follows: the only one of the notes' three that our bodies have."""

TAIL_SHIFT = 17
OFFSET_MASK = (1 << TAIL_SHIFT) - 1

ENTRY = np.dtype([("offset", "<u4"), ("companion", "<u4"), ("jump", "<u4")])
ITEM = np.dtype([("kind", "u1"), ("a", "u1"), ("b", "u1"), ("c", "<u4")])
FORM = np.dtype(
    [
        ("stem", "<u4"),
        ("index", "<u2"),
        ("first", "<u4"),
        ("count", "<u4"),
        ("least", "u1"),
        ("most", "u1"),
        ("modifiers", "u1"),
        ("label", "<u2"),
        ("digest", "<u4"),
    ]
)


class Item(enum.IntEnum):
    """What an item of a print body writes; `a`, `b` and `c` are its numbers."""

    MNEMONIC = 0
    """The opcode's mnemonic."""
    LITERAL = 1
    """The chunk at pool offset `c`."""
    FLAG_MODIFIER = 2
    """The token of helper `c` that the `b` bits of the flag word from bit `a` on select."""
    MODIFIER = 3
    """The token of helper `c` that operand `a`, an immediate, selects."""
    OPERAND = 4
    """Operand `a`."""
    OPTIONAL = 5
    """The chunk at pool offset `c` and operand `a`, when the instruction has so many."""
    TAIL = 6
    """`TAIL`."""


def companion(operands: int, tail: int, modifiers: int, family: int) -> int:
    """The companion word: number of operands, tail fragment, number of modifier operands, shape family; a byte each."""
    return operands | tail << 8 | modifiers << 16 | family << 24
