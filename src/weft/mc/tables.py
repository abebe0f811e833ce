"""The print tables: what `build` compiled from the ISA table into `tables.bin`, loaded without the declarations.

POOL  NUL-delimited chunks under the walking XOR: mnemonics, modifier tokens, separators
OPCD  for each opcode: mnemonic offset (17 bits, biased by one) with the tail state (15 bits) above it, the
      companion word, and the jump entry `label << 16 | flags`; the first 293 are the generic prelude, all zero
BODY  where each body starts in ITEM; ITEM the items of all bodies
HELP  where each modifier helper starts in TOKN; TOKN the pool offsets of its tokens (0: prints nothing)
FORM  which opcodes a form of the ISA table became
"""

from __future__ import annotations

import enum
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from weft.dataclass import dataclass
from weft.errors import IsaError
from weft.mc.cipher import xor3
from weft.mc.container import Column, Container

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


@dataclass(frozen=True, eq=False)
class Tables:
    """The loaded tables; `pool` is decoded."""

    pool: bytes
    opcodes: Column
    items: tuple[tuple[tuple[int, int, int, int], ...], ...]
    helpers: tuple[tuple[int, ...], ...]
    forms: Column

    def chunk(self, offset: int) -> str:
        """The chunk at a biased pool offset; empty for offset 0."""
        if not offset:
            return ""
        return self.pool[offset - 1 : self.pool.index(0, offset - 1)].decode("ascii")


@cache
def load() -> Tables:
    """The tables, read once from the data file of the package."""
    container = Container(Path(__file__).with_name("tables.bin").read_bytes(), "tables.bin")
    items: list[tuple[int, int, int, int]] = container.column(b"ITEM", ITEM).tolist()
    tokens = container.column(b"TOKN", "<u4").tolist()
    bodies = container.column(b"BODY", "<u4").tolist()
    helpers = container.column(b"HELP", "<u4").tolist()
    return Tables(
        xor3(bytes(container.bytes_of(b"POOL"))),
        container.column(b"OPCD", ENTRY),
        tuple(tuple(items[a:b]) for a, b in pairwise(bodies)),
        tuple(tuple(tokens[a:b]) for a, b in pairwise(helpers)),
        container.column(b"FORM", FORM),
    )


def get_mnemonic(opcode: int, tables: Tables | None = None) -> str | None:
    """An opcode's mnemonic: the stem and the modifiers before its first slot; None for a generic opcode.

    Raises:
        IsaError: there is no opcode of this number.
    """
    held = tables or load()
    if not 0 <= opcode < len(held.opcodes):  # A negative number would count from the end.
        raise IsaError(f"there is no opcode {opcode}", hint=f"they are 0 to {len(held.opcodes) - 1}")
    offset, extra, _ = held.opcodes[opcode].item()
    if not offset | extra << 32:
        return None
    return held.chunk(offset & OFFSET_MASK)
