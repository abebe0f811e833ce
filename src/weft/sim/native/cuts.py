"""Blocks split where code ends and begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.ptx.operands import Operand
from weft.sim.bind import polls
from weft.sim.block import Block, Ways
from weft.sim.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.sim.program import Activation


def in_order(activation: Activation) -> list[Block]:
    """The blocks of an activation, the last one first."""
    return sorted(activation.every_block(), key=lambda block: -block.order)


def divided(activation: Activation, cuts: Iterable[int]) -> list[Block]:
    """The blocks of an activation, split after so many instructions each, in order; 0 leaves one whole."""
    todo, found = in_order(activation), list[Block]()
    for count in cuts:
        found.append(todo.pop())
        if count:
            todo.append(split(found[-1], count))
    return found


def members_of(site: Site) -> Operand | None:
    """The operand that names the lanes of a collective."""
    specs = site.variant().compiled.operands
    found = (operand for spec, operand in zip(specs, site.operands, strict=False) if spec.name == "membermask")
    return next(found, None)


def split(block: Block, count: int) -> Block:
    """Cut a block after so many instructions; the second part."""
    activation = block.activation
    site = block.sites[count] if count < len(block.sites) else None
    number = 2 * activation.sites.index(site or block.sites[-1]) + (site is None)
    rest = Block(activation, activation.block_order(number))
    at = block.starts[count] if count < len(block.starts) else block.starts[-1] + 1
    rest.sites, block.sites = block.sites[count:], block.sites[:count]
    rest.steps, block.steps = block.steps[at:], block.steps[:at]
    rest.starts, block.starts = [start - at for start in block.starts[count:]], block.starts[:count]
    rest.plain, block.plain = block.plain[count:], block.plain[:count]
    rest.end, rest.ways = block.end, block.ways
    for part in (block, rest):
        part.polls = any(polls(one.opcode) for one in part.sites)
    for one in rest.sites:
        one.here = rest
    block.end, block.ways = lambda lanes: (rest, lanes), Ways(rest)
    activation.inner_blocks.append(rest)
    return rest
