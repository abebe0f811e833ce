"""What the classes of foreign operations have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser

from weft.dialects.engine.rows import Group, Property
from weft.dialects.scf.edges import terminate as end


class ForeignOp(IRDLOperation):
    """An operation of a row, which `weft.dialects.foreign.tables` makes a class of."""

    if TYPE_CHECKING:  # xDSL takes what is annotated for fields.
        operand_groups: ClassVar[Sequence[Group]]
        result_groups: ClassVar[Sequence[Group]]
        inherent: ClassVar[Mapping[str, Property]]
        implicit: ClassVar[str]
        """The operation that ends regions whose text has no end, by its full name; nothing where they need one."""

    def named_results(self) -> Iterable[tuple[int, str]]:
        """The names that several results of a definition have in a text: the first of each group, and the name."""
        counts = counts_of(self.result_groups, len(self.results))
        if len(counts) > 1:
            place = 0
            for group, count in zip(self.result_groups, counts, strict=True):
                if count:
                    yield place, group.name
                place += count


def counts_of(groups: Sequence[Group], count: int) -> Sequence[int]:
    """How many of so many values each group has: the last that may have any number gets what there is."""
    loose = sum(group.count != "" for group in groups)
    more = count - len(groups) + loose
    found: list[int] = []
    for group in groups:
        size = 1
        if group.count:
            loose -= 1
            size = max(more, 0) if not loose else min(1, max(more, 0))
            more -= size
        found.append(size)
    return found


def terminate(op: ForeignOp, parser: Parser) -> None:
    """Put the terminators where the text may leave them out."""
    if op.implicit:
        cls = parser.ctx.get_op(op.implicit)
        for region in op.regions:
            end(region, cls)
