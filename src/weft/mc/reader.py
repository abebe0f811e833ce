"""Reading a module from bytes (`weft.from_bytes`).

Everything is checked before the module is returned, column by column, so nothing that is made later can fail.
Bodies are made when they are first looked at, and lines of debug sections likewise.
"""

from __future__ import annotations

from typing import Any

from weft.collecting import paused
from weft.errors import PtxSyntaxError
from weft.isa.opcode import decode
from weft.mc.checks import Tables, load_tables
from weft.mc.container import Container
from weft.mc.declarations import DIRECTIVE, FUNCTION, SECTION, VARIABLE
from weft.mc.declared import DeclarationReader
from weft.mc.layout import WORD_MASK, WORD_SHIFT, Word
from weft.mc.operand_table import OperandReader
from weft.ptx.ast import (
    Block,
    Directive,
    Function,
    Guard,
    Instruction,
    Label,
    Module,
    Section,
    Statement,
    Unread,
    Variable,
)
from weft.ptx.directive_nodes import Loc
from weft.ptx.directives import read_directive
from weft.ptx.operands import Register
from weft.ptx.sleeping import SleepingSection


def from_bytes(data: Any, *, filename: str = "<bytes>") -> Module:
    """Load a module from the bytes of `Module.to_bytes`: it equals the original, with the same text and positions.

    Args:
        data: any object with the buffer protocol.  Immutable data (bytes, a read-only memory map) is not copied, and
            is kept until all bodies have been accessed.
        filename: what messages call the bytes.

    Raises:
        BytesError: the bytes are not those of a module.
    """
    container = Container(data, filename)
    try:
        with paused():
            return _Reader(load_tables(container)).module()
    except (ValueError, IndexError, OverflowError, PtxSyntaxError) as error:
        raise container.error(f"invalid items: {error}") from None


class _Reader:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.stream = DeclarationReader(tables.strings, tables.stream)
        self.bodies = _Bodies(tables)
        self.word = self.reference = self.line = 0

    def module(self) -> Module:
        stream = self.stream
        major, minor = stream.items(stream.number)
        targets = tuple(stream.items(stream.text))
        sizes = stream.items(stream.number)
        banner, filename = tuple(stream.items(stream.text)), stream.text()
        items = stream.items(self._item)
        if stream.position != len(stream.numbers) or (self.word, self.reference, self.line) != self.tables.sizes:
            raise ValueError("unexpected trailing data")
        size = sizes[0] if sizes else None
        return Module((major, minor), targets, size, items, banner, filename, self.tables.source)

    def _item(self) -> Function | Variable | Directive | Section:
        kind, stream = self.stream.raw(), self.stream
        if kind == FUNCTION:
            return self._function()
        if kind == VARIABLE:
            variable = stream.variable()
            variable.pos = stream.number()
            return variable
        if kind == DIRECTIVE:
            return stream.directive()
        if kind == SECTION:
            return self._section()
        raise ValueError("an unknown item")

    def _function(self) -> Function:
        function, statements, references = self.stream.function()
        if statements < 0:
            if references or statements != -1:
                raise ValueError("a declaration with a body")
            return function
        first, self.word = self.word, self.word + statements
        begin, self.reference = self.reference, self.reference + references
        self.tables.check_body(first, self.word, begin, self.reference)
        function.postpone(_Written(self.bodies, first, first + statements, begin))
        return function

    def _section(self) -> Section:
        section, count = self.stream.section()
        first, self.line = self.line, self.line + count
        strings, lines = self.tables.strings, self.tables.lines
        if self.line > len(lines):
            raise ValueError("a section beyond the last line")
        return SleepingSection.asleep(
            section, lambda: tuple(map(strings.__getitem__, lines[first : first + count].tolist()))
        )


class _Written(Unread):
    """A body in the words from `first` to `end`, whose operands start at `reference`."""

    __slots__ = ("bodies", "end", "first", "reference")

    def __init__(self, bodies: _Bodies, first: int, end: int, reference: int) -> None:
        self.bodies = bodies
        self.first, self.end, self.reference = first, end, reference

    def read(self) -> list[Statement]:
        with paused():
            return self.bodies.body(self.first, self.end, self.reference)


class _Bodies:
    """Makes the statements of bodies; functions of one module share it, and so their operands."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.operands: OperandReader | None = None
        self.heads: dict[int, tuple[Any, Guard | None, int]] = {}

    def body(self, first: int, end: int, reference: int) -> list[Statement]:
        """The statements of the words from `first` to `end`; their operands start at `reference`."""
        tables, heads = self.tables, self.heads
        if self.operands is None:
            self.operands = OperandReader(tables.strings, *tables.operands)
        operand = self.operands.__getitem__
        words, positions = tables.words[first:end].tolist(), tables.positions[first:end].tolist()
        count = tables.references_of(first, end)
        ids = tables.references[reference : reference + count].tolist()
        body: list[Statement] = []
        enclosing: list[list[Statement]] = []
        at = 0
        for word, pos in zip(words, positions, strict=True):
            if word <= WORD_MASK:  # an instruction: most words are
                head = heads.get(word)
                if head is None:
                    head = heads[word] = self._head(word)
                opcode, guard, length = head
                stop = at + length
                body.append(Instruction(opcode, tuple(map(operand, ids[at:stop])), guard, pos))
                at = stop
            elif word >> WORD_SHIFT == Word.OPEN:
                block = Block([], pos)
                body.append(block)
                enclosing.append(body)
                body = block.body
            elif word >> WORD_SHIFT == Word.CLOSE:
                body = enclosing.pop()
                body[-1].end = pos  # pyright: ignore[reportAttributeAccessIssue]
            else:
                body.append(self._statement(word, pos))
        return body

    def _head(self, number: int) -> tuple[Any, Guard | None, int]:
        name, guarded, count = map(int, self.tables.heads[3 * number : 3 * number + 3])
        guard = None
        if guarded:
            register = self.operands[guarded - 1 >> 1] if self.operands is not None else None
            assert isinstance(register, Register)
            guard = Guard(register, guarded & 1 == 0)
        return decode(self.tables.strings[name]), guard, count

    def _directive(self, number: int, pos: int) -> Directive:
        location = self.tables.locations.get(number)
        if location is not None:
            return Loc(location, pos)
        texts: list[int] = self.tables.directives[2 * number : 2 * number + 2].tolist()
        name, arguments = map(self.tables.strings.__getitem__, texts)
        return read_directive(name, arguments, pos)

    def _statement(self, word: int, pos: int) -> Statement:
        kind, number = word >> WORD_SHIFT, word & WORD_MASK
        tables = self.tables
        if kind == Word.LABEL:
            return Label(tables.strings[number], pos)
        if kind == Word.DIRECTIVE:
            return self._directive(number, pos)
        made = DeclarationReader(tables.strings, tables.declared, int(tables.starts[number])).declaration()
        made.pos = pos
        return made
