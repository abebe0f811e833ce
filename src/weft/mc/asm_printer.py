"""Printing through the tables: what the items of an opcode's body write, its operands as the syntax tree prints them.

A body reads the flag word, the operands and the mnemonic that it is handed, never the opcode. Every modifier item
writes the token of its own slot, whatever the order of the operands.
"""

from __future__ import annotations

from weft.mc.entries import OFFSET_MASK, TAIL, Item
from weft.mc.instruction import UNLISTED, MachineInstruction, Records, Texts, operand_of
from weft.mc.register_names import print_reg_name
from weft.mc.tables import Tables, load


class _Operands(dict[Records, str]):
    """The texts of operands by their records, each printed once."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self._texts = texts

    def __missing__(self, records: Records) -> str:
        text = self[records] = str(operand_of(records, self._texts))
        return text


class AsmPrinter:
    """Prints machine instructions; `texts` holds the names that their records point to.

    A body is run once for each opcode, number of operands and choice of modifiers: it leaves a template with places for
    the operands, which instructions that are alike share.
    """

    def __init__(self, texts: Texts, tables: Tables | None = None) -> None:
        self.texts = texts
        self.tables = tables or load()
        self._operands = _Operands(texts)
        self._guards = {0: ""}
        self._modifiers: dict[int, int] = {}
        self._templates: dict[tuple[int, int, tuple[Records, ...]], tuple[str, tuple[int, ...]]] = {}

    def line(self, instruction: MachineInstruction) -> str:
        """One instruction's text, its guard and semicolon included."""
        opcode, operands = instruction.opcode, instruction.operands
        guard = self._guards.get(instruction.guard)
        if guard is None:
            guard = self._guards[instruction.guard] = self._guard(instruction.guard)
        if opcode == UNLISTED:
            text, *rest = map(self.operand, operands)
            return f"{guard}{text} {', '.join(rest)}".rstrip() + TAIL
        count = self._modifiers.get(opcode)
        if count is None:
            count = self._modifiers[opcode] = self._entry(opcode)[1] >> 16 & 0xFF
        modifiers = operands[:count]
        key = opcode, len(operands), modifiers
        found = self._templates.get(key)
        if found is None:
            found = self._templates[key] = self._body(*key)
        template, order = found
        known = self._operands
        return guard + template % tuple([known[operands[place]] for place in order])

    def operand(self, records: Records) -> str:
        """The text of one operand."""
        return self._operands[records]

    def _entry(self, opcode: int) -> tuple[int, int, int]:
        """Mnemonic offset with tail state, companion word and jump entry of an opcode."""
        return self.tables.opcodes[opcode].item()

    def _guard(self, guard: int) -> str:
        negated, register = divmod(guard, 1 << 32)
        return f"@{'!' * negated}{print_reg_name(register, self.texts.names)} "

    def _body(self, opcode: int, count: int, modifiers: tuple[Records, ...]) -> tuple[str, tuple[int, ...]]:
        """A template with `%s` for operands, and which operands they are."""
        offset, _, jump = self._entry(opcode)
        label, flags = jump >> 16, jump & 0xFFFF
        chunk, helpers = self.tables.chunk, self.tables.helpers
        parts: list[str] = []
        order: list[int] = []
        for kind, a, b, c in self.tables.items[label]:
            if kind == Item.MNEMONIC:
                parts.append(chunk(offset & OFFSET_MASK))
            elif kind == Item.LITERAL:
                parts.append(chunk(c))
            elif kind == Item.FLAG_MODIFIER:
                parts.append(chunk(helpers[c][flags >> a & (1 << b) - 1]))
            elif kind == Item.MODIFIER:
                parts.append(chunk(helpers[c][modifiers[a][0][2]]))
            elif kind == Item.TAIL:
                parts.append(TAIL)
            elif a < count:
                parts += [chunk(c) if kind == Item.OPTIONAL else "", "%s"]
                order.append(a)
        return "".join(parts), tuple(order)
