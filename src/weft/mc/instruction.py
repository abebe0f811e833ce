"""Machine instructions: an opcode number and flat operand records, and how an AST instruction becomes one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import cache

import numpy as np

from weft.dataclass import dataclass
from weft.errors import IsaError
from weft.isa import Opcode
from weft.isa.compiled import CompiledForm
from weft.isa.opcode import Variant
from weft.isa.registry import compiled_forms
from weft.mc.build import form_digest
from weft.mc.container import Column
from weft.mc.layout import make_group, parts_of
from weft.mc.records import OPERAND, Kind, TypeTag, type_tag, virtual_register
from weft.mc.register_names import NAMES, print_reg_name
from weft.mc.tables import Tables, load
from weft.ptx.ast import Instruction
from weft.ptx.constants import literal
from weft.ptx.operands import Expression, Float, Integer, Operand, Register, Sink, Symbol
from weft.ptx.signature import bind, fits

Record = tuple[int, int, int]
"""Kind flags, type tag, value: the fields of an operand record."""

Records = tuple[Record, ...]
"""The records of one operand."""

_SIGN = 1 << 63

UNLISTED = 1
"""The generic opcode of what the tables do not list: its first record is its text."""

NUMBERED = {name: number for number, name in enumerate(NAMES, 1)}


@dataclass(slots=True)
class Texts:
    """The names and texts that records point to; registers of class 0 continue the register-name pool."""

    names: list[str] = field(default_factory=lambda: list(NAMES))
    numbers: dict[str, int] = field(default_factory=lambda: dict(NUMBERED))

    def number(self, text: str) -> int:
        """The number of a text, counted from 1."""
        found = self.numbers.get(text)
        if found is None:
            self.names.append(text)
            found = self.numbers[text] = len(self.names)
        return found


@dataclass(frozen=True, slots=True)
class MachineInstruction:
    """An opcode number, the operands' records and the guard.

    `operands` holds for each operand (modifier operands first) its records: one for a scalar; for a group its own,
    whose value is `tag | flags << 8 | members << 16`, an immediate with its byte offset, and its members' records.
    `guard` is the guard's register with 1 << 32 added when it is negated, 0 for none.
    """

    opcode: int
    operands: tuple[Records, ...]
    guard: int = 0

    def records(self) -> Column:
        """All records as one array of `records.OPERAND`."""
        flat = [record for records in self.operands for record in records]
        made = np.zeros(len(flat), OPERAND)
        for index, (kind, tag, value) in enumerate(flat):
            made[index] = kind, tag, b"", value
        return made


def encode(instruction: Instruction, texts: Texts) -> MachineInstruction:
    """The machine instruction of an instruction; `texts` takes the names that it uses."""
    number, modifiers = opcode_number(instruction.opcode, instruction.operands)
    if number == UNLISTED:
        modifiers = (((Kind.TEXT, TypeTag.NONE, texts.number(instruction.opcode.text)),),)
    guard = instruction.guard
    guarded = 0 if guard is None else _register(guard.register, texts) | guard.negated << 32
    tags = [type_tag(place.type) for place in bind(instruction)] or [TypeTag.NONE] * len(instruction.operands)
    operands = [tuple(_records(operand, tag, texts)) for operand, tag in zip(instruction.operands, tags, strict=True)]
    return MachineInstruction(number, (*modifiers, *operands), guarded)


@cache
def _forms() -> dict[tuple[str, int], tuple[int, ...]]:
    tables = load()
    return {(tables.chunk(row[0]), row[1]): row for row in tables.forms.tolist()}


Numbered = tuple[int, tuple[Records, ...]]
"""The number of an opcode and its modifier operands."""


def opcode_number(opcode: Opcode, operands: tuple[Operand, ...]) -> Numbered:
    """The number of an opcode, and its modifier operands, by the form that takes operands of these kinds; `UNLISTED`
    when none takes so many.
    """
    found = _numbers(opcode, len(operands))
    if len(found) == 1:
        return found[0][1]
    fitting = (numbered for variant, numbered in found if fits(variant, operands))
    return next(fitting, found[0][1] if found else (UNLISTED, ()))


@cache
def _numbers(opcode: Opcode, count: int) -> tuple[tuple[Variant, Numbered], ...]:
    """The forms that an opcode with `count` operands can be, each with its number."""
    return tuple(_numbered(opcode, count))


def _numbered(opcode: Opcode, count: int) -> Iterator[tuple[Variant, Numbered]]:
    tables = load()
    for variant in opcode.variants:
        row = _forms().get((variant.compiled.family.stem, _index(variant)))
        # Tables are made apart from the code: a form that has changed since is taken as unlisted, rather than printed
        # wrongly.
        if row is None or row[8] != form_digest(variant.compiled) or not row[4] <= count <= row[5]:
            continue
        # Modifiers in another order than the form's are kept as text, which is how they print again as they were.
        if variant.compiled.spell(variant.slots) != opcode.text:
            continue
        choices = _choices(variant)
        if row[6]:
            yield variant, (row[2], tuple(((Kind.IMMEDIATE, TypeTag.NONE, choice),) for choice, _ in choices))
            continue
        found = _folded(tables, row, choices)
        if found is not None:
            yield variant, (found, ())


def form_of(number: int) -> CompiledForm:
    """The form that an opcode of the tables came from; raises IsaError for a generic opcode."""
    for (stem, index), row in _forms().items():
        if row[2] <= number < row[2] + row[3]:
            return compiled_forms(stem)[index]
    raise IsaError(f"opcode {number} is generic")


def _index(variant: Variant) -> int:
    return variant.compiled.family.forms.index(variant.compiled.form)


def _choices(variant: Variant) -> list[tuple[int, int]]:
    """For each slot of the form, the number of its token and the bits that it takes in a flag word."""
    found: list[tuple[int, int]] = []
    for element in variant.compiled.elements:
        if element.slot:
            choices = (("",) if element.optional else ()) + element.tokens
            token = variant.slots.get(element.slot, "")
            found.append((choices.index(token), (len(choices) - 1).bit_length()))
    return found


def _folded(tables: Tables, row: tuple[int, ...], choices: list[tuple[int, int]]) -> int | None:
    """The opcode among a form's whose flag word holds these choices."""
    flags = shift = 0
    for choice, bits in choices:
        flags |= choice << shift
        shift += bits
    first, count = row[2], row[3]
    # The opcodes of a form stand in the order of their flag words, of which only legal ones are there.
    jumps = tables.opcodes["jump"][first : first + count] & 0xFFFF
    at = int(np.searchsorted(jumps, flags))
    return first + at if at < count and jumps[at] == flags else None


def _register(register: Register, texts: Texts) -> int:
    number = virtual_register(register.name)
    return texts.number(register.name) if number is None else number


def _records(operand: Operand, tag: int, texts: Texts) -> Iterator[Record]:
    """The records of one operand; only a literal in its plain decimal spelling is an immediate, others are texts."""
    parts = parts_of(operand)
    if parts is not None:
        group, members, flags, offset = parts
        yield Kind.GROUP, tag, group | flags << 8 | len(members) << 16
        yield Kind.IMMEDIATE, TypeTag.I64, offset % (1 << 64)
        for member in members:
            yield from _records(member, tag, texts)
    elif isinstance(operand, Register):
        yield Kind.REGISTER, tag, _register(operand, texts)
    elif isinstance(operand, Sink):
        yield Kind.REGISTER, tag, 0
    elif isinstance(operand, Integer) and operand.text == str(operand.value) and abs(operand.value) < _SIGN:
        yield Kind.IMMEDIATE, tag, operand.value % (1 << 64)
    elif isinstance(operand, Symbol):
        yield Kind.SYMBOL, tag, texts.number(operand.name)
    elif isinstance(operand, Float) and operand.text[:2] == "0f" and operand.text[2:] == operand.text[2:].upper():
        yield Kind.FP_IMMEDIATE, TypeTag.F32, int(operand.text[2:], 16)
    else:
        kind = Kind.LITERAL if isinstance(operand, Integer | Float) else Kind.TEXT
        yield kind, tag, texts.number(str(operand))


def operand_of(records: Records, texts: Texts) -> Operand:
    """The operand whose records these are; what is there as a text is an expression of that text."""
    return _next_operand(iter(records), texts)


def _next_operand(records: Iterator[Record], texts: Texts) -> Operand:
    kind, _, value = next(records)
    if kind == Kind.REGISTER:
        return Register(print_reg_name(value, texts.names)) if value else Sink()
    if kind == Kind.GROUP:
        offset = _signed(next(records)[2])
        members = [_next_operand(records, texts) for _ in range(value >> 16)]
        return make_group(value & 0xFF, members, value >> 8 & 0xFF, offset)
    if kind == Kind.IMMEDIATE:
        return Integer(_signed(value))
    if kind == Kind.FP_IMMEDIATE:
        return literal(f"0f{value:08X}")
    name = texts.names[value - 1]
    return Symbol(name) if kind == Kind.SYMBOL else Expression(name)


def _signed(value: int) -> int:
    return value - (_SIGN << 1) if value >= _SIGN else value
