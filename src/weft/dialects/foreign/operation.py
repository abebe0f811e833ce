"""Classes of the operations of foreign dialects, made of their rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Self

from xdsl.ir import Block, Operation, Region
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from weft.dialects.foreign.format import elements
from weft.dialects.foreign.reading import Reading
from weft.dialects.foreign.rows import Row
from weft.dialects.foreign.writing import Writing, split


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
        terminate(op, parser)
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


def terminate(op: ForeignOp, parser: Parser) -> None:
    """Put the terminators where the text may leave them out."""
    implicit = next((trait for trait in op.row.traits if trait.startswith("implicit=")), None)
    if implicit is None:
        return
    cls = parser.ctx.get_op(implicit.removeprefix("implicit="))
    for region in op.regions:
        _end(region, cls)


def _end(region: Region, cls: type[Operation]) -> None:
    if not region.blocks:
        region.add_block(Block())
    last = region.blocks[-1].last_op
    if last is None or not last.has_trait(IsTerminator, value_if_unregistered=False):
        region.blocks[-1].add_op(cls.create())
