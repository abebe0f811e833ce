"""Classes of the operations of foreign dialects, made of their rows."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import ClassVar, Self

from xdsl.ir import Block, Operation, OpTraits, Region
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, OpTrait, Pure, SymbolOpInterface, SymbolTable

from weft.dialects.foreign.format import elements
from weft.dialects.foreign.reading import Reading
from weft.dialects.foreign.rows import Row, row
from weft.dialects.foreign.writing import Writing, split

_TRAITS: dict[str, type[OpTrait]] = {
    "terminator": IsTerminator,
    "isolated": IsolatedFromAbove,
    "open": NoTerminator,
    "pure": Pure,
    "table": SymbolTable,
    "symbol_operation": SymbolOpInterface,
}


class ForeignOp(Operation):
    """An operation that is read and printed by its row."""

    row: ClassVar[Row]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse everything after the operation's name."""
        state = Reading(parser, cls.row)
        state.all(elements(cls.row.format))
        op = state.build(cls)
        assert isinstance(op, cls)
        terminate(op)
        return op

    def named_results(self) -> Iterable[tuple[int, str]]:
        """The names that several results of a definition have in a text: the first of each group, and the name."""
        if len(self.row.results) < 2:
            return ()
        values = split(self.row.results, self.results, None)
        starts = [(self.results.index(group[0]), name) for name, group in values.items() if group]
        return sorted(starts)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        Writing(printer, self, self.row).all(elements(self.row.format))


def terminate(op: ForeignOp) -> None:
    """Put the terminators where the text may leave them out."""
    implicit = next((trait for trait in op.row.traits if trait.startswith("implicit=")), None)
    if implicit is None:
        return
    cls = operation(implicit.removeprefix("implicit="))
    assert cls is not None
    for region in op.regions:
        _end(region, cls)


def _end(region: Region, cls: type[Operation]) -> None:
    if not region.blocks:
        region.add_block(Block())
    last = region.blocks[-1].last_op
    if last is None or not last.has_trait(IsTerminator, value_if_unregistered=False):
        region.blocks[-1].add_op(cls.create())


@cache
def operation(name: str) -> type[Operation] | None:
    """The class of the operation of a full name; None if no foreign dialect has it."""
    found = row(name)
    if found is None:
        from weft.dialects.foreign.structured import structured

        return structured(name)
    if found.format == "CUSTOM":
        from weft.dialects.foreign.custom import SYNTAX

        base: type[ForeignOp] = SYNTAX[name]
    else:
        base = ForeignOp
    traits = [_TRAITS[trait]() for trait in found.traits if trait in _TRAITS]
    return type(name, (base,), {"name": name, "row": found, "traits": OpTraits(lambda: tuple(traits))})
