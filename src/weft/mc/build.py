"""Compiling the ISA table into print tables: opcodes, bodies, helpers, and the pool of their texts.

A form is a print body; a form with its slots filled is an opcode. Where a form has at most `FOLDED_MOST` spellings
and its slots fit 16 bits, each legal spelling is an opcode of its own, its slots folded into the flag word; the few
larger forms (`ld`, `st`, `atom`, ...) are one opcode each, and their slots are modifier operands. Forms whose bodies
come out equal share one.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from weft.dataclass import dataclass
from weft.isa import families
from weft.isa.compiled import CompiledForm, Element
from weft.isa.registry import compiled_forms
from weft.mc.cipher import xor3
from weft.mc.container import Column, pack
from weft.mc.entries import ENTRY, FORM, ITEM, PRELUDE, STATEMENT_END, TAIL_SHIFT, Item, companion
from weft.mc.families import classify

FOLDED_MOST = 8192
FLAG_BITS = 16


class _Pool:
    """Chunks of text, each once; an offset is biased by one, so that 0 means none."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._offsets: dict[str, int] = {}

    def offset(self, text: str) -> int:
        found = self._offsets.get(text)
        if found is None:
            found = self._offsets[text] = len(self.data) + 1
            self.data += text.encode("ascii") + b"\0"
        return found


@dataclass(frozen=True)
class _Field:
    """A slot of a form: its choices ('' where it is optional), and its bits in the flag word."""

    element: Element
    choices: tuple[str, ...]
    shift: int

    @property
    def bits(self) -> int:
        return (len(self.choices) - 1).bit_length()


def _fields(form: CompiledForm) -> list[_Field]:
    fields: list[_Field] = []
    shift = 0
    for element in form.elements:
        if element.slot:
            choices = (("",) if element.optional else ()) + element.tokens
            fields.append(_Field(element, choices, shift))
            shift += fields[-1].bits
    return fields


def _is_folded(fields: list[_Field]) -> bool:
    return math.prod(len(f.choices) for f in fields) <= FOLDED_MOST and sum(f.bits for f in fields) <= FLAG_BITS


def _flags(form: CompiledForm, fields: list[_Field]) -> Iterator[int]:
    """The flag words of the form's legal spellings."""
    for chosen in product(*(range(len(f.choices)) for f in fields)):
        slots = {f.element.slot: f.choices[index] for f, index in zip(fields, chosen, strict=True)}
        if form.windows(slots):
            yield sum(index << f.shift for f, index in zip(fields, chosen, strict=True))


class _Builder:
    def __init__(self) -> None:
        self.pool = _Pool()
        self.helpers: dict[tuple[str, ...], int] = {}
        self.bodies: dict[tuple[tuple[int, int, int, int], ...], int] = {(): 0}
        self.entries: list[tuple[int, int, int]] = [(0, 0, 0)] * PRELUDE
        self.forms: list[tuple[int, ...]] = []

    def add(self, form: CompiledForm, index: int) -> None:
        """The opcodes of a form."""
        fields = _fields(form)
        folded = _is_folded(fields)
        stem, items = self._body(form, fields, folded=folded)
        label = self.bodies.setdefault(tuple(items), len(self.bodies))
        offset = self.pool.offset(stem) | STATEMENT_END << TAIL_SHIFT
        words = sorted(_flags(form, fields)) if folded else [0]
        required = sum(not spec.optional for spec in form.operands)
        modifiers = 0 if folded else len(fields)
        family = classify(form)
        extra = companion(len(form.operands), STATEMENT_END, modifiers, family)
        first = len(self.entries)
        self.entries += [(offset, extra, label << 16 | flags) for flags in words]
        name = self.pool.offset(form.family.stem)
        self.forms.append(
            (name, index, first, len(words), required, len(form.operands), modifiers, label, form_digest(form))
        )

    def _body(
        self, form: CompiledForm, fields: list[_Field], *, folded: bool
    ) -> tuple[str, list[tuple[int, int, int, int]]]:
        """The mnemonic (stem and literals before the first slot) and the items of a form's body."""
        mnemonic, *pieces = form.pieces
        items = [(int(Item.MNEMONIC), 0, 0, 0)]
        by_slot = {f.element.slot: (number, f) for number, f in enumerate(fields)}
        for piece in pieces:
            if isinstance(piece, str):
                items.append((Item.LITERAL, 0, 0, self.pool.offset(f".{piece}")))
                continue
            number, slot = by_slot[piece.slot]
            helper = self.helpers.setdefault(slot.choices, len(self.helpers))
            if folded:
                items.append((Item.FLAG_MODIFIER, slot.shift, slot.bits, helper))
            else:
                items.append((Item.MODIFIER, number, 0, helper))
        return str(mnemonic), [*items, *self._operands(form, 0 if folded else len(fields))]

    def _operands(self, form: CompiledForm, modifiers: int) -> Iterator[tuple[int, int, int, int]]:
        optional = False  # behind an optional operand, which of them are written shows in their number only
        for number, spec in enumerate(form.operands):
            optional = optional or spec.optional
            separator = self.pool.offset(", " if number else " ")
            if optional:
                yield Item.OPTIONAL, modifiers + number, 0, separator
            else:
                yield Item.LITERAL, 0, 0, separator
                yield Item.OPERAND, modifiers + number, 0, 0
        yield Item.TAIL, 0, 0, 0

    def sections(self) -> dict[bytes, bytes | Column]:
        helpers = [[self.pool.offset(f".{token}") if token else 0 for token in choices] for choices in self.helpers]
        return {
            b"POOL": xor3(bytes(self.pool.data)),
            b"OPCD": np.array(self.entries, ENTRY),
            b"ITEM": np.array([item for body in self.bodies for item in body], ITEM),
            b"BODY": _starts(self.bodies),
            b"HELP": _starts(helpers),
            b"TOKN": np.array([token for tokens in helpers for token in tokens], "<u4"),
            b"FORM": np.array(self.forms, FORM),
        }


def _starts(parts: Any) -> Column:
    return np.concatenate(([0], np.cumsum([len(part) for part in parts]))).astype("<u4")


def form_digest(form: CompiledForm) -> int:
    """A checksum of a form's slots and operands: tables that were built from another form do not know this one."""
    return zlib.crc32(repr((form.form.syntax, form.elements)).encode())


def build() -> bytes:
    """The tables of the whole ISA, as `tables.load` reads them."""
    builder = _Builder()
    for stem in sorted(families()):
        for index, form in enumerate(compiled_forms(stem)):
            builder.add(form, index)
    return pack(builder.sections())
