"""Writing a module as bytes (`Module.to_bytes`); `layout` says what stands where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import numpy as np

from weft.collecting import paused
from weft.errors import BytesError
from weft.mc.columns import narrow, pack_deltas, pack_references
from weft.mc.container import Column, pack
from weft.mc.declarations import Declaration, DeclarationWriter
from weft.mc.layout import WORD_MASK, WORD_SHIFT, Word
from weft.mc.operand_table import OperandWriter
from weft.mc.strings import Strings
from weft.ptx.body_nodes import Instruction, Label, Variable
from weft.ptx.directive_nodes import Directive

if TYPE_CHECKING:
    from weft.ptx.ast import Block, Function, Module, Section, Statement

_SMALL = range(-(1 << 63), 1 << 63)


def write_module(module: Module, *, source: bool = True) -> bytes:
    """The bytes of a module; raises BytesError for what no parser makes (see `Module.to_bytes`)."""
    with paused():
        return pack(_Writer().sections(module, source=source))


class _Writer:
    def __init__(self) -> None:
        self.strings = Strings()
        self.operands = OperandWriter(self.strings)
        self.stream = DeclarationWriter(self.strings)
        self.declared = DeclarationWriter(self.strings)
        self.starts: list[int] = []
        self.directives: list[tuple[int, int]] = []
        self.heads: list[tuple[int, int, int]] = []
        self.words: list[int] = []
        self.references: list[int] = []
        self.positions: list[int] = []
        self.lines: list[int] = []
        self._numbers: dict[object, int] = {}
        self._lists: dict[int, list[int]] = {}

    def sections(self, module: Module, *, source: bool) -> dict[bytes, bytes | Column]:
        self._header(module)
        self.stream.items(module.items, self._item)
        kept = module.source if source else None
        columns: dict[bytes, bytes | Column] = {
            b"MODU": np.array(self.stream.numbers, "<i8"),
            b"DECL": np.array(self.declared.numbers, "<i8"),
            b"DECO": np.array(self.starts, "<u4"),
            b"DIRS": np.array(self.directives, "<u4").reshape(-1),
            b"HEAD": np.array(self.heads, "<u4").reshape(-1),
            b"WORD": np.array(self.words, "<u4"),
            b"OPID": narrow(pack_references(np.array(self.references, np.int64))),
            b"LINE": narrow(np.array(self.lines, np.int64)),
            b"POSN": narrow(pack_deltas(np.array(self.positions, np.int64))),
            **self.operands.columns(),
        }
        if kept is not None:
            columns[b"SRCE"] = kept.encode("utf-8", "surrogatepass")
        return {b"STRS": self.strings.pool(), **columns}

    def _header(self, module: Module) -> None:
        stream = self.stream
        stream.items(module.version, stream.number)
        stream.items(module.targets, stream.text)
        stream.items([] if module.address_size is None else [module.address_size], stream.number)
        stream.items(module.banner, stream.text)
        stream.text(module.filename)

    def _item(self, item: Function | Variable | Directive | Section) -> None:
        if isinstance(item, Variable):
            self.stream.variable(item)
            self.stream.number(item.pos)
        elif isinstance(item, Directive):
            self.stream.directive(item)
        elif item.holder == "function":
            self._function(cast("Function", item))
        else:
            section = cast("Section", item)
            self.stream.section(section)
            self.lines += map(self.strings.number, section.lines)

    def _function(self, function: Function) -> None:
        words, references = len(self.words), len(self.references)
        if function.body is not None:
            self._body(function.body)
        statements = -1 if function.body is None else len(self.words) - words
        self.stream.function(function, statements, len(self.references) - references)

    def _body(self, body: list[Statement]) -> None:
        """The words of a body; nested scopes are walked without recursion."""
        enclosing: list[tuple[Iterator[Statement], int]] = []
        rest = iter(body)
        while True:
            for statement in rest:
                if type(statement) is Instruction:
                    self._instruction(statement)
                elif statement.holder:
                    scope = cast("Block", statement)
                    self._word(Word.OPEN, 0, scope.pos)
                    enclosing.append((rest, scope.end))
                    rest = iter(scope.body)
                    break
                else:
                    self._statement(statement)
            else:
                if not enclosing:
                    return
                rest, end = enclosing.pop()
                self._word(Word.CLOSE, 0, end)

    def _word(self, kind: Word, number: int, pos: int) -> None:
        if number > WORD_MASK or pos not in _SMALL:
            raise BytesError("the module is too large")
        self.words.append(kind << WORD_SHIFT | number)
        self.positions.append(pos)

    def _instruction(self, instruction: Instruction) -> None:
        operands, guard = instruction.operands, instruction.guard
        numbers = self._lists.get(id(operands))
        if numbers is None:
            numbers = self._lists[id(operands)] = [self.operands.number(operand) for operand in operands]
        guarded = 0 if guard is None else 2 * self.operands.number(guard.register) + 1 + guard.negated
        key = (instruction.opcode.written, guarded, len(operands))
        head = self._numbers.get(key)
        if head is None:
            head = self._numbers[key] = len(self.heads)
            self.heads.append((self.strings.number(key[0]), guarded, key[2]))
        self.references += numbers
        self._word(Word.INSTRUCTION, head, instruction.pos)

    def _statement(self, statement: Statement) -> None:
        if isinstance(statement, Label):
            self._word(Word.LABEL, self.strings.number(statement.name), statement.pos)
        elif isinstance(statement, Directive):
            key = self.strings.number(statement.name), self.strings.number(statement.arguments)
            number = self._numbers.setdefault(key, len(self.directives))
            if number == len(self.directives):
                self.directives.append(key)
            self._word(Word.DIRECTIVE, number, statement.pos)
        elif isinstance(statement, Instruction) or statement.holder:
            raise BytesError(f"{type(statement).__name__} is not allowed in a body")
        else:
            self._word(Word.DECLARATION, self._declaration(cast("Declaration", statement)), statement.pos)

    def _declaration(self, declaration: Declaration) -> int:
        numbers, start = self.declared.numbers, len(self.declared.numbers)
        self.declared.declaration(declaration)
        key = ("declaration", *numbers[start:])
        found = self._numbers.get(key)
        if found is not None:
            del numbers[start:]
            return found
        self._numbers[key] = len(self.starts)
        self.starts.append(start)
        return len(self.starts) - 1
