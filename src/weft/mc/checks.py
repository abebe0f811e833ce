"""The columns of a module's bytes, loaded and checked as a whole, before anything is made from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.dataclass import dataclass
from weft.errors import PtxSyntaxError
from weft.mc.columns import unpack_deltas, unpack_references
from weft.mc.container import Column, Container
from weft.mc.declared import DeclarationReader
from weft.mc.layout import GROUP, LEAST_MEMBERS, MOST_MEMBERS, RANK, WORD_MASK, WORD_SHIFT, Group, Word
from weft.mc.records import CLASS_SHIFT, OPERAND, PREFIXES, Kind, TypeTag
from weft.mc.strings import read_pool
from weft.ptx.directive_nodes import SourceLocation
from weft.ptx.directives import read_directive, read_location


@dataclass(frozen=True, eq=False)
class Tables:
    """Everything but the items: strings, streams and columns, all of whose numbers point to what exists.

    `before[i]` counts the operands of the words before word `i`; `depth[i]` the scopes that are open after it;
    `locations` are what those of the directives say that are `.loc`, by their number.
    """

    container: Container
    strings: list[str]
    stream: list[int]
    declared: list[int]
    starts: Column
    directives: Column
    heads: Column
    words: Column
    positions: Column
    references: Column
    lines: Column
    operands: tuple[Column, Column, Column, Column]
    source: str | None
    before: Column
    depth: Column
    locations: dict[int, SourceLocation]

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The number of words, of operand references and of lines."""
        return len(self.words), len(self.references), len(self.lines)

    def references_of(self, first: int, end: int) -> int:
        """How many operands the instructions among these words have."""
        return int(self.before[end] - self.before[first])

    def check_body(self, first: int, end: int, begin: int, stop: int) -> None:
        """Raise BytesError unless these words are a body with these operands: scopes close where they opened."""
        inside = 0 <= first <= end <= len(self.words) and stop <= len(self.references)
        if not inside or self.before[first] != begin or self.before[end] != stop:
            raise self.container.error("invalid position of a function body")
        outer = self.depth[first]
        if self.depth[end] != outer or (end > first and self.depth[first : end + 1].min() < outer):
            raise self.container.error("unclosed scopes in a function")


def load_tables(container: Container) -> Tables:
    """The tables of a container; raises BytesError when a number in them points nowhere."""
    try:
        strings = read_pool(bytes(container.bytes_of(b"STRS")))
        source = str(container.bytes_of(b"SRCE"), "utf-8", "surrogatepass") if b"SRCE" in container else None
    except ValueError:
        raise container.error("invalid UTF-8 in a string") from None
    words = container.column(b"WORD", "<u4")
    heads = container.column(b"HEAD", "<u4")
    records = container.column(b"RECS", OPERAND)
    checked = _Checks(container, len(strings))
    checked.that(len(heads) % 3 == 0, "heads")
    before = checked.words(words, heads)
    operands = (
        records,
        container.column(b"LITS", "<u4"),
        container.column(b"GRPS", GROUP),
        container.column(b"MEMB", "<u4"),
    )
    tables = Tables(
        container,
        strings,
        container.column(b"MODU", "<i8").tolist(),
        container.column(b"DECL", "<i8").tolist(),
        container.column(b"DECO", "<u4"),
        container.column(b"DIRS", "<u4"),
        heads,
        words,
        unpack_deltas(container.numbers(b"POSN")),
        unpack_references(container.numbers(b"OPID")),
        container.numbers(b"LINE"),
        operands,
        source,
        before,
        _depths(words),
        {},
    )
    checked.tables(tables)
    return tables


def _depths(words: Column) -> Column:
    kinds = words >> WORD_SHIFT
    steps = (kinds == Word.OPEN).astype(np.int64) - (kinds == Word.CLOSE)
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(steps)))


class _Checks:
    def __init__(self, container: Container, strings: int) -> None:
        self.container = container
        self.strings = strings

    def that(self, truth: Any, what: str) -> None:
        if not truth:
            raise self.container.error(f"invalid {what}")

    def below(self, numbers: Column, limit: int, what: str) -> None:
        """All numbers are in range(limit)."""
        if len(numbers):
            self.that(int(numbers.min()) >= 0 and int(numbers.max()) < limit, what)

    def words(self, words: Column, heads: Column) -> Column:
        """Check the instruction words; returns the number of operands before each word, and in all."""
        kinds, numbers = words >> WORD_SHIFT, words & WORD_MASK
        self.below(kinds, len(Word), "words")
        instruction = kinds == Word.INSTRUCTION
        self.below(numbers[instruction], len(heads) // 3, "instructions")
        counts = np.zeros(len(words), np.int64)
        counts[instruction] = heads[2::3][numbers[instruction]]
        return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))

    def tables(self, tables: Tables) -> None:
        words, heads = tables.words, tables.heads
        records = tables.operands[0]
        kinds, numbers = words >> WORD_SHIFT, words & WORD_MASK
        self.that(len(tables.positions) == len(words), "positions")
        self.below(tables.references, len(records), "operands")
        self.below(tables.lines, self.strings, "debug sections")
        self.that(len(tables.directives) % 2 == 0, "directives")
        self.below(tables.directives, self.strings, "directives")
        self.directives(tables)
        self.below(numbers[kinds == Word.DIRECTIVE], len(tables.directives) // 2, "directives")
        self.below(numbers[kinds == Word.LABEL], self.strings, "labels")
        self.below(numbers[kinds == Word.DECLARATION], len(tables.starts), "declarations")
        self.below(heads[0::3], self.strings, "opcodes")
        self.guards(heads[1::3], records)
        self.records(*tables.operands)
        self.literals(tables)
        self.declarations(tables)

    def guards(self, guards: Column, records: Column) -> None:
        registers = (guards[guards > 0].astype(np.int64) - 1) >> 1
        self.below(registers, len(records), "guards")
        held = records[registers]
        self.that(bool(((held["kind_flags"] == Kind.REGISTER) & (held["value"] > 0)).all()), "guards")

    def records(self, records: Column, literals: Column, groups: Column, members: Column) -> None:
        kinds, tags, values = records["kind_flags"], records["type_tag"], records["value"]
        self.that(bool(np.isin(kinds, list(Kind)).all()), "operand kinds")
        registers = values[kinds == Kind.REGISTER]
        self.below(registers, len(PREFIXES) << CLASS_SHIFT, "registers")
        self.below(registers[registers < 1 << CLASS_SHIFT], self.strings + 1, "register names")
        self.below(values[np.isin(kinds, [Kind.SYMBOL, Kind.TEXT])], self.strings, "symbols")
        floats = kinds == Kind.FP_IMMEDIATE
        self.that(bool(np.isin(tags[floats], [TypeTag.F32, TypeTag.F64]).all()), "floats")
        self.below(values[floats & (tags == TypeTag.F32)], 1 << 32, "floats")
        self.that(len(literals) % 2 == 0, "literals")
        self.below(values[kinds == Kind.LITERAL], len(literals) // 2, "literals")
        self.groups(np.flatnonzero(kinds == Kind.GROUP), records, groups, members)

    def groups(self, owners: Column, records: Column, groups: Column, members: Column) -> None:
        """Groups are numbered as their records are, hold what came before them, and have members of a lower rank."""
        tags, counts = groups["tag"], groups["count"].astype(np.int64)
        self.that(len(owners) == len(groups), "groups")
        self.that(bool((records["value"][owners] == np.arange(len(groups))).all()), "groups")
        self.below(tags, len(Group), "groups")
        self.that(bool(((counts >= LEAST_MEMBERS[tags]) & (counts <= MOST_MEMBERS[tags])).all()), "groups")
        self.that(int(counts.sum()) == len(members), "members")
        held = np.repeat(owners, counts) - members
        self.that(bool((members > 0).all()), "members")
        self.below(held, len(records), "members")
        ranks = np.zeros(len(records), np.int64)
        ranks[owners] = RANK[tags]
        self.that(bool((ranks[held] < np.repeat(ranks[owners], counts)).all()), "members")
        named = np.isin(tags, [Group.OFFSET_SYMBOL, Group.ELEMENT])
        first = held[(np.cumsum(counts) - counts)[named]]
        self.that(bool((records["kind_flags"][first] == Kind.SYMBOL).all()), "symbols")

    def literals(self, tables: Tables) -> None:
        records, literals, _, _ = tables.operands
        self.below(literals, self.strings, "literals")
        spelled = records[records["kind_flags"] == Kind.LITERAL]
        for tag, number in set(zip(spelled["type_tag"].tolist(), spelled["value"].tolist(), strict=True)):
            value = tables.strings[int(literals[2 * number])]
            try:
                float.fromhex(value) if tag == TypeTag.F64 else int(value)
            except (ValueError, OverflowError):
                raise self.container.error("invalid literals") from None

    def declarations(self, tables: Tables) -> None:
        for start in tables.starts.tolist():
            try:
                DeclarationReader(tables.strings, tables.declared, start).declaration()
            except (ValueError, IndexError, PtxSyntaxError):
                raise self.container.error("invalid declarations") from None

    def directives(self, tables: Tables) -> None:
        """The texts of directives are read here, so that making one later cannot fail; locations are kept."""
        strings, locations = tables.strings, tables.locations
        numbers: list[int] = tables.directives.tolist()
        try:
            for index, (name, arguments) in enumerate(zip(numbers[::2], numbers[1::2], strict=True)):
                if strings[name] == "loc":
                    locations[index] = read_location(strings[arguments])
                else:
                    read_directive(strings[name], strings[arguments], -1)
        except PtxSyntaxError:
            raise self.container.error("invalid directives") from None
