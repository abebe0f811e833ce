"""Printing through the tables: bodies of items, modifier helpers, operand groups.

A body reads the flag word, the operands and the mnemonic that the dispatcher hands it, never the opcode. Every
modifier item writes the token of its own slot, whatever the order of the operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from weft.collecting import paused
from weft.mc.instruction import UNLISTED, Encoder, MachineInstruction, Record, Texts
from weft.mc.layout import MINUS, UNIFIED, ZERO, Group
from weft.mc.records import Kind
from weft.mc.register_names import print_reg_name
from weft.mc.tables import OFFSET_MASK, TAIL_FRAGMENTS, TAIL_SHIFT, Item, Tables, load
from weft.ptx.ast import Block, Instruction, Module, Statement
from weft.ptx.printer import Printer

_SIGN = 1 << 63


Operands = tuple[tuple[Record, ...], ...]


class _Operands(dict[tuple[Record, ...], str]):
    """The texts of operands by their records, each printed once."""

    def __init__(self, printed: Callable[[tuple[Record, ...]], str]) -> None:
        super().__init__()
        self._printed = printed

    def __missing__(self, records: tuple[Record, ...]) -> str:
        text = self[records] = self._printed(records)
        return text


class _Line:
    """A finished instruction in the place of an opcode."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class AsmPrinter:
    """Prints machine instructions; `texts` holds the names that their records point to.

    A body is run once for each opcode, number of operands and choice of modifiers: it leaves a template with places for
    the operands, which instructions that are alike share.
    """

    def __init__(self, texts: Texts, tables: Tables | None = None) -> None:
        self.texts = texts
        self.tables = tables or load()
        self._operands = _Operands(self._whole)
        self._guards = {0: ""}
        self._chunks: dict[int, str] = {}
        self._templates: dict[tuple[int, int, Operands], tuple[str, tuple[int, ...]]] = {}
        self._modifiers: dict[int, int] = {}

    def line(self, instruction: MachineInstruction) -> str:
        """One instruction's text, its guard and semicolon included."""
        opcode, operands = instruction.opcode, instruction.operands
        guard = self._guards.get(instruction.guard)
        if guard is None:
            guard = self._guards[instruction.guard] = self._guard(instruction.guard)
        if opcode == UNLISTED:
            text, *rest = map(self._operands.__getitem__, operands)
            return f"{guard}{text} {', '.join(rest)};" if rest else f"{guard}{text};"
        count = self._modifiers.get(opcode)
        if count is None:
            count = self._modifiers[opcode] = self._entry(opcode)[1] >> 16 & 0xFF
        modifiers = operands[:count]
        key = opcode, len(operands), modifiers
        found = self._templates.get(key)
        if found is None:
            found = self._templates[key] = self._dispatch(opcode, len(operands), modifiers)
        template, order = found
        known = self._operands
        return guard + template % tuple([known[operands[place]] for place in order])

    def opcode_text(self, opcode: int) -> str:
        """The mnemonic and modifiers of an opcode whose slots are all in its flag word."""
        offset, _, jump = self._entry(opcode)
        parts = [self._chunk(offset & OFFSET_MASK)]
        for kind, a, b, c in self.tables.items[jump >> 16][1:]:
            if kind == Item.FLAG_MODIFIER:
                parts.append(self._token(c, jump >> a & (1 << b) - 1))
            elif kind != Item.LITERAL or self._chunk(c)[0] != ".":
                break
            else:
                parts.append(self._chunk(c))
        return "".join(parts)

    def _entry(self, opcode: int) -> tuple[int, int, int]:
        """Mnemonic offset with tail state, companion word and jump entry of an opcode."""
        return self.tables.opcodes[opcode].item()

    def _guard(self, guard: int) -> str:
        negated, register = divmod(guard, 1 << 32)
        return f"@{'!' * negated}{print_reg_name(register, self.texts.names)} "

    def _dispatch(self, opcode: int, count: int, modifiers: Operands) -> tuple[str, tuple[int, ...]]:
        offset, _, jump = self._entry(opcode)
        tail = offset >> TAIL_SHIFT
        return self._body(
            jump >> 16,
            jump & 0xFFFF,
            self._chunk(offset & OFFSET_MASK),
            count,
            modifiers,
            TAIL_FRAGMENTS[tail - 1].rstrip() if tail else "",
        )

    def _body(
        self, label: int, flags: int, mnemonic: str, count: int, modifiers: Operands, tail: str
    ) -> tuple[str, tuple[int, ...]]:
        """A template with `%s` for operands, and which operands they are."""
        parts: list[str] = []
        order: list[int] = []
        for kind, a, b, c in self.tables.items[label]:
            if kind == Item.MNEMONIC:
                parts.append(mnemonic)
            elif kind == Item.LITERAL:
                parts.append(self._chunk(c))
            elif kind == Item.FLAG_MODIFIER:
                parts.append(self._token(c, flags >> a & (1 << b) - 1))
            elif kind == Item.MODIFIER:
                parts.append(self._token(c, modifiers[a][0][2]))
            elif kind == Item.TAIL:
                parts.append(tail)
            elif a < count:
                parts += [self._chunk(c) if kind == Item.OPTIONAL else "", "%s"]
                order.append(a)
        return "".join(parts), tuple(order)

    def _chunk(self, offset: int) -> str:
        found = self._chunks.get(offset)
        if found is None:
            found = self._chunks[offset] = self.tables.chunk(offset)
        return found

    def _token(self, helper: int, choice: int) -> str:
        return self._chunk(self.tables.helpers[helper][choice])

    def operand(self, records: tuple[Record, ...]) -> str:
        """The text of one operand."""
        return self._operands[records]

    def _whole(self, records: tuple[Record, ...]) -> str:
        if len(records) == 1:
            return self._scalar(*records[0])
        text, rest = self._next(records)
        assert not rest, "records are left over"
        return text

    def _next(self, records: Sequence[Record]) -> tuple[str, Sequence[Record]]:
        """The text of the first operand of a run of records, and the records after it."""
        kind, tag, value = records[0]
        if kind == Kind.GROUP:
            return self._group(value & 0xFF, value >> 8 & 0xFF, value >> 16, records[1:])
        return self._scalar(kind, tag, value), records[1:]

    def _scalar(self, kind: int, tag: int, value: int) -> str:
        if kind == Kind.REGISTER:
            return print_reg_name(value, self.texts.names) if value else "_"
        if kind == Kind.IMMEDIATE:
            return str(value - (_SIGN << 1) if value >= _SIGN else value)
        if kind == Kind.FP_IMMEDIATE:
            return f"0f{value:08X}"
        return self.texts.names[value - 1]

    def _group(self, tag: int, flags: int, count: int, records: Sequence[Record]) -> tuple[str, Sequence[Record]]:
        offset = self._scalar(Kind.IMMEDIATE, 0, records[0][2])
        shift = f"+{offset}" if offset != "0" or flags & ZERO else ""
        rest, members = records[1:], list[str]()
        for _ in range(count):
            text, rest = self._next(rest)
            members.append(text)
        match tag:
            case Group.ADDRESS:
                inside = ", ".join((members[0] + shift, *members[1:]))
                return f"[{inside}]" + (".unified" if flags & UNIFIED else ""), rest
            case Group.VECTOR:
                return "{" + ", ".join(members) + "}", rest
            case Group.ARGUMENTS:
                return "(" + ", ".join(members) + ")", rest
            case Group.PAIR:
                return "|".join(members), rest
            case Group.NEGATED:
                return ("-" if flags & MINUS else "!") + members[0], rest
            case Group.ELEMENT:
                return f"{members[0]}[{members[1]}]", rest
            case _:
                return members[0] + shift, rest


class TablePrinter(Printer):
    """Prints a module as `ptx.Printer` does, but every instruction from its records, through the tables."""

    def __init__(self) -> None:
        super().__init__()
        names = Texts()
        self._encode, self._line = Encoder(names).encode, AsmPrinter(names).line

    def body(self, body: list[Statement]) -> None:
        """The statements of a body."""
        super().body(self._printed(body))

    def _printed(self, body: list[Statement]) -> list[Statement]:
        """The same statements, each instruction standing there as its finished text."""
        printed: list[Statement] = []
        work = [(body, printed)]
        while work:
            source, target = work.pop()
            for statement in source:
                if isinstance(statement, Instruction):
                    line: Any = _Line(self._line(self._encode(statement))[:-1])
                    target.append(Instruction(line))
                elif isinstance(statement, Block):
                    block = Block([])
                    target.append(block)
                    work.append((statement.body, block.body))
                else:
                    target.append(statement)
        return printed


def print_module(module: Module) -> str:
    """The canonical text of a module, its instructions printed by the tables; equal to `Module.to_ptx`."""
    printer = TablePrinter()
    with paused():
        printer.module(module)
    return "\n".join(printer.lines) + "\n"
