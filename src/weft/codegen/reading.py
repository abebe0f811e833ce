"""The values that a loop reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from weft.codegen.graph import Block, If, Inst, Loop, Value, While, values_in

MOST_ITEMS = 4000
"""Instructions of a loop beyond which it is not looked through."""


def read_in(loop: Loop) -> set[Value] | None:
    """What is read in a loop's body and for its next turn; None where that is not found out."""
    found: set[Value] = set()
    for count, operand in enumerate(_operands(loop)):
        if operand is None or count > MOST_ITEMS:
            return None
        found.update(values_in(operand))
    return found


def _operands(loop: Loop) -> Iterator[Any]:
    yield from (entry.next for entry in loop.carried if entry.next is not None)
    yield from _of_block(loop.body)


def _of_block(block: Block) -> Iterator[Any]:
    for item in block.items:
        match item:
            case Inst():
                yield from (arg for arg in item.args if arg not in item.outs)
                yield from (source for _, source in item.ties)
            case Loop():
                yield from (entry.start for entry in item.carried)
                yield from _operands(item)
                if item.setup is not None:
                    yield from _of_block(item.setup)
            case While():
                yield from (source for entry in item.carried for source in (entry.start, entry.next))
                yield from (value for merge in item.results for value in merge.values)
                yield from _of_block(item.before)
                yield from _of_block(item.after)
            case If():
                yield from (value for merge in item.merges for value in merge.values)
                yield from _of_block(item.then)
                yield from _of_block(item.otherwise)
            case _:
                yield None
