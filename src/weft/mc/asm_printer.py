"""Printing through the tables: bodies of items, modifier helpers, operand groups.

A body reads the flag word, the operands and the mnemonic that the dispatcher hands it, never the opcode. Every
modifier item writes the token of its own slot, whatever the order of the operands.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.isa import Opcode
from weft.mc.instruction import UNLISTED, MachineInstruction, Record, Texts, encode
from weft.mc.layout import MINUS, UNIFIED, ZERO, Group
from weft.mc.records import Kind
from weft.mc.register_names import print_reg_name
from weft.mc.tables import OFFSET_MASK, TAIL_FRAGMENTS, TAIL_SHIFT, Item, Tables, load
from weft.ptx.ast import Block, Instruction, Module, Statement
from weft.ptx.printer import Printer

_SIGN = 1 << 63


class AsmPrinter:
    """Prints machine instructions; `texts` holds the names that their records point to."""

    def __init__(self, texts: Texts, tables: Tables | None = None) -> None:
        self.texts = texts
        self.tables = tables or load()
        self._operands: dict[tuple[Record, ...], str] = {}
        self._chunks: dict[int, str] = {}
        self._entries: list[tuple[int, int, int]] = self.tables.opcodes.tolist()

    def line(self, instruction: MachineInstruction) -> str:
        """One instruction's text, its guard and semicolon included."""
        guard = ""
        if instruction.guard:
            negated, register = divmod(instruction.guard, 1 << 32)
            guard = f"@{'!' * negated}{print_reg_name(register, self.texts.names)} "
        return guard + self._dispatch(instruction)

    def opcode_text(self, opcode: int) -> str:
        """The mnemonic and modifiers of an opcode whose slots are all in its flag word."""
        offset, _, jump = self._entries[opcode]
        parts = [self._chunk(offset & OFFSET_MASK)]
        for kind, a, b, c in self.tables.items[jump >> 16][1:]:
            if kind == Item.FLAG_MODIFIER:
                parts.append(self._token(c, jump >> a & (1 << b) - 1))
            elif kind != Item.LITERAL or self._chunk(c)[0] != ".":
                break
            else:
                parts.append(self._chunk(c))
        return "".join(parts)

    def _dispatch(self, instruction: MachineInstruction) -> str:
        if instruction.opcode == UNLISTED:
            (text, *operands) = (self.operand(records) for records in instruction.operands)
            return f"{text} {', '.join(operands)};" if operands else f"{text};"
        offset, _, jump = self._entries[instruction.opcode]
        tail = offset >> TAIL_SHIFT
        return self._body(
            jump >> 16,
            jump & 0xFFFF,
            self._chunk(offset & OFFSET_MASK),
            instruction.operands,
            TAIL_FRAGMENTS[tail - 1].rstrip() if tail else "",
        )

    def _body(self, label: int, flags: int, mnemonic: str, operands: Sequence[tuple[Record, ...]], tail: str) -> str:
        parts: list[str] = []
        for kind, a, b, c in self.tables.items[label]:
            if kind == Item.MNEMONIC:
                parts.append(mnemonic)
            elif kind == Item.LITERAL:
                parts.append(self._chunk(c))
            elif kind == Item.FLAG_MODIFIER:
                parts.append(self._token(c, flags >> a & (1 << b) - 1))
            elif kind == Item.MODIFIER:
                parts.append(self._token(c, operands[a][0][2]))
            elif kind == Item.OPERAND:
                parts.append(self.operand(operands[a]))
            elif kind == Item.OPTIONAL:
                if a < len(operands):
                    parts += [self._chunk(c), self.operand(operands[a])]
            else:
                parts.append(tail)
        return "".join(parts)

    def _chunk(self, offset: int) -> str:
        found = self._chunks.get(offset)
        if found is None:
            found = self._chunks[offset] = self.tables.chunk(offset)
        return found

    def _token(self, helper: int, choice: int) -> str:
        return self._chunk(self.tables.helpers[helper][choice])

    def operand(self, records: tuple[Record, ...]) -> str:
        """The text of one operand."""
        found = self._operands.get(records)
        if found is None:
            found, rest = self._next(records)
            assert not rest, "records are left over"
            self._operands[records] = found
        return found

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
        self._names = Texts()
        self._asm = AsmPrinter(self._names)

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
                    text = self._asm.line(encode(statement, self._names, types=False)).removesuffix(";")
                    target.append(Instruction(Opcode(text, text, None)))
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
    printer.module(module)
    return "\n".join(printer.lines) + "\n"
