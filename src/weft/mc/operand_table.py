"""The operands of a module as records: each different one once, compound ones as groups of records."""

from __future__ import annotations

import re
import struct
from typing import Any

import numpy as np

from weft.errors import BytesError
from weft.mc.layout import GROUP, MOST_MEMBERS, NUMBERS_MOST, RANK, Group, make_group, parts_of
from weft.mc.records import CLASS_SHIFT, NUMBER_MASK, OPERAND, PREFIXES, Kind, TypeTag, virtual_register
from weft.mc.strings import Strings
from weft.ptx.constants import literal
from weft.ptx.operands import Expression, Float, Integer, Operand, Register, Sink, Symbol

_SIGN = 1 << 63
_HEXADECIMAL = re.compile(r"0f[0-9A-F]{8}|0d[0-9A-F]{16}")
Record = tuple[int, int, int]


class OperandWriter:
    """Gives each different operand a number; records come out in the order of the numbers."""

    def __init__(self, strings: Strings) -> None:
        self.strings = strings
        self.records: list[Record] = []
        self.groups: list[tuple[int, int, int, bytes, int]] = []
        self.members: list[int] = []
        self.literals: list[tuple[int, int]] = []
        self._by_identity: dict[int, int] = {}
        self._by_name: dict[str, int] = {}
        self._by_record: dict[object, int] = {}
        self._literal_numbers: dict[tuple[int, int], int] = {}
        self._ranks: list[int] = []

    def number(self, operand: Operand) -> int:
        """The number of an operand. Operands must stay alive while the writer is used."""
        found = self._by_identity.get(id(operand))
        if found is None:
            if isinstance(operand, Register):
                found = self._by_name.get(operand.name)
                if found is None:
                    found = self._by_name[operand.name] = self._scalar(operand)
            else:
                parts = parts_of(operand)
                found = self._scalar(operand) if parts is None else self._group(*parts)
            self._by_identity[id(operand)] = found
        return found

    def _add(self, record: Record, rank: int) -> int:
        if len(self.records) >= NUMBERS_MOST >> 1:
            raise BytesError("the module has too many operands")
        self.records.append(record)
        self._ranks.append(rank)
        return len(self.records) - 1

    def _scalar(self, operand: Operand) -> int:
        record = self._record(operand)
        found = self._by_record.get(record)
        if found is None:
            found = self._by_record[record] = self._add(record, 0)
        return found

    def _group(self, group: Group, members: list[Operand], flags: int, offset: int) -> int:
        # A member made on the fly must outlive its identity: it is numbered by its record.
        numbers = [self._scalar(m) if parts_of(m) is None else self.number(m) for m in members]
        key = (group, flags, offset, *numbers)
        found = self._by_record.get(key)
        if found is not None:
            return found
        rank = int(RANK[group])
        if any(self._ranks[number] >= rank for number in numbers):
            raise BytesError(f"an operand {group.name.lower()} cannot hold what it holds")
        if len(numbers) > MOST_MEMBERS[group]:
            raise BytesError(f"an operand of {len(numbers)} parts is too long")
        if not -_SIGN <= offset < _SIGN:
            raise BytesError(f"the offset {offset} has more than 64 bits")
        found = self._by_record[key] = self._add((Kind.GROUP, TypeTag.NONE, len(self.groups)), rank)
        self.groups.append((group, flags, len(numbers), b"", offset))
        # Distances back to earlier records: no file can have a cycle, and equal shapes give equal numbers, which
        # deflate well.
        self.members += [found - number for number in numbers]
        return found

    def _record(self, operand: Operand) -> Record:
        if isinstance(operand, Register):
            register = virtual_register(operand.name)
            if register is None:  # Number 0 is no register: the named ones start at 1.
                register = self.strings.number(operand.name) + 1
            return Kind.REGISTER, TypeTag.NONE, register
        if isinstance(operand, Symbol):
            return Kind.SYMBOL, TypeTag.NONE, self.strings.number(operand.name)
        if isinstance(operand, Integer):
            if operand.text == str(operand.value) and -_SIGN <= operand.value < _SIGN:
                return Kind.IMMEDIATE, TypeTag.I64, operand.value % (_SIGN << 1)
            return self._literal(str(operand.value), operand.text, TypeTag.I64)
        if isinstance(operand, Float):
            return self._float(operand)
        if isinstance(operand, Expression):
            return Kind.TEXT, TypeTag.NONE, self.strings.number(operand.text)
        if isinstance(operand, Sink):
            return Kind.REGISTER, TypeTag.NONE, 0
        raise BytesError(f"{type(operand).__name__} is not an operand")

    def _float(self, operand: Float) -> Record:
        if _HEXADECIMAL.fullmatch(operand.text) is not None:
            value = literal(operand.text).value
            if struct.pack("<d", value) == struct.pack("<d", operand.value):
                tag = TypeTag.F32 if operand.text[1] == "f" else TypeTag.F64
                return Kind.FP_IMMEDIATE, tag, int(operand.text[2:], 16)
        return self._literal(operand.value.hex(), operand.text, TypeTag.F64)

    def _literal(self, value: str, text: str, tag: TypeTag) -> Record:
        pair = self.strings.number(value), self.strings.number(text)
        number = self._literal_numbers.setdefault(pair, len(self.literals))
        if number == len(self.literals):
            self.literals.append(pair)
        return Kind.LITERAL, tag, number

    def columns(self) -> dict[bytes, np.ndarray[Any, np.dtype[Any]]]:
        """The sections RECS, LITS, GRPS and MEMB."""
        records = np.zeros(len(self.records), OPERAND)
        if self.records:
            kinds, tags, values = zip(*self.records, strict=True)
            records["kind_flags"], records["type_tag"] = kinds, tags
            records["value"] = np.array(values, np.uint64)
        return {
            b"RECS": records,
            b"LITS": np.array(self.literals, "<u4").reshape(-1),
            b"GRPS": np.array(self.groups, GROUP),
            b"MEMB": np.array(self.members, "<u4"),
        }


class OperandReader(dict[int, Operand]):
    """The operands by number, each made when it is first asked for. The columns have been checked (`check`)."""

    def __init__(self, strings: list[str], records: Any, literals: Any, groups: Any, members: Any) -> None:
        super().__init__()
        self._strings = strings
        self._kinds: list[int] = records["kind_flags"].tolist()
        self._tags: list[int] = records["type_tag"].tolist()
        self._values: list[int] = records["value"].tolist()
        self._literals: list[int] = literals.tolist()
        self._groups = groups
        self._starts = np.concatenate(([0], np.cumsum(groups["count"], dtype=np.int64)))
        self._members = members

    def __missing__(self, number: int) -> Operand:
        made = self[number] = self._make(number)
        return made

    def _make(self, number: int) -> Operand:
        kind, value = self._kinds[number], self._values[number]
        if kind == Kind.REGISTER:
            return self._register(value)
        if kind == Kind.GROUP:
            return self._group(number, value)
        if kind == Kind.IMMEDIATE:
            return Integer(value - (_SIGN << 1) if value >= _SIGN else value)
        if kind == Kind.SYMBOL:
            return Symbol(self._strings[value])
        if kind == Kind.FP_IMMEDIATE:
            return literal(f"0f{value:08X}" if self._tags[number] == TypeTag.F32 else f"0d{value:016X}")
        if kind == Kind.TEXT:
            return Expression(self._strings[value])
        spelled, text = (self._strings[n] for n in self._literals[2 * value : 2 * value + 2])
        if self._tags[number] == TypeTag.F64:
            return Float(float.fromhex(spelled), text)
        return Integer(int(spelled), text)

    def _register(self, value: int) -> Operand:
        if value == 0:
            return Sink()
        prefix = PREFIXES[value >> CLASS_SHIFT]
        return Register(f"{prefix}{value & NUMBER_MASK}" if prefix else self._strings[value - 1])

    def _group(self, number: int, index: int) -> Operand:
        tag, flags, _, _, offset = self._groups[index].item()
        members = self._members[self._starts[index] : self._starts[index + 1]].tolist()
        return make_group(tag, [self[number - distance] for distance in members], flags, offset)
