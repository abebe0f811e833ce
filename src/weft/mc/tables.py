"""The print tables: what `build` compiles from the ISA table, kept in `tables.bin` and loaded without the declarations.

POOL  NUL-delimited chunks under the walking XOR: mnemonics, modifier tokens, separators
OPCD  for each opcode: mnemonic offset (17 bits, biased by one) with the tail state (15 bits) above it, the
      companion word, and the jump entry `label << 16 | flags`; the first 293 are the generic prelude, all zero
BODY  where each body starts in ITEM; ITEM the items of all bodies
HELP  where each modifier helper starts in TOKN; TOKN the pool offsets of its tokens (0: prints nothing)
FORM  which opcodes a form of the ISA table became
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from weft.dataclass import dataclass
from weft.errors import IsaError
from weft.made import kept
from weft.mc.cipher import xor3
from weft.mc.container import Column, Container
from weft.mc.entries import ENTRY, FORM, ITEM, OFFSET_MASK


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


def _built() -> bytes:
    from weft.mc.build import build

    return build()


@cache
def load() -> Tables:
    """The tables, read once from the data file of the package, which is made when the table has changed."""
    container = Container(kept("mc/tables.bin", ("isa", "isa/table", "mc"), _built), "tables.bin")
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
        raise IsaError(f"unknown opcode {opcode}", hint=f"use 0 to {len(held.opcodes) - 1}")
    offset, extra, _ = held.opcodes[opcode].item()
    if not (offset or extra):
        return None
    return held.chunk(offset & OFFSET_MASK)
