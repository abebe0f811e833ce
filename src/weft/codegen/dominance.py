"""The blocks of a region: their order, what dominates them, where paths meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Block

Parents = dict[Block, Block | None]
"""The immediate dominator of each block, None of the entry."""


def reverse_postorder(entry: Block) -> list[Block]:
    """The blocks that can be reached, each before those that it leads to, but for the way back of loops."""
    order: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(successors(entry)))]
    while stack:
        block, rest = stack[-1]
        for successor in rest:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successors(successor))))
                break
        else:
            order.append(block)
            stack.pop()
    return order[::-1]


def successors(block: Block) -> Sequence[Block]:
    """The blocks that a block leads to, the last one first."""
    last = block.last_op
    return tuple(reversed(last.successors)) if last is not None else ()


def predecessors(order: Sequence[Block]) -> dict[Block, list[Block]]:
    """The blocks before each block, once for each way."""
    found: dict[Block, list[Block]] = {block: [] for block in order}
    for block in order:
        for successor in successors(block):
            found[successor].append(block)
    return found


def dominators(order: Sequence[Block]) -> Parents:
    """The immediate dominator of each block (Cooper, Harvey and Kennedy's iteration)."""
    number = {block: index for index, block in enumerate(order)}
    before = predecessors(order)
    parent: Parents = {order[0]: None}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            found: Block | None = None
            for candidate in before[block]:
                if candidate in parent:
                    found = candidate if found is None else _common(found, candidate, parent, number)
            if parent.get(block) is not found:
                parent[block] = found
                changed = True
    return parent


def dominates(a: Block, b: Block | None, parents: Parents) -> bool:
    """Whether every way to `b` goes through `a`."""
    while b is not None and b is not a:
        b = parents[b]
    return b is a


def loops_in(order: Sequence[Block], parents: Parents) -> dict[Block, list[Block]]:
    """The headers of the natural loops around each block that is in any, the outermost first.

    What a loop leaves alone is computed in the block that dominates its header; blocks that it dominates after it are
    not in it.
    """
    before = predecessors(order)
    around: dict[Block, list[Block]] = {}
    number = {block: index for index, block in enumerate(order)}
    for header in order:  # An outer loop's header comes first.
        back = [block for block in before[header] if number[block] >= number[header]]
        work = [block for block in back if dominates(header, block, parents)]
        inside: set[Block] = {header, *work} if work else set()
        while work:
            block = work.pop()
            more = [other for other in before[block] if other not in inside] if block is not header else []
            inside.update(more)
            work += more
        for block in inside:
            around.setdefault(block, []).append(header)
    return around


def frontiers(order: Sequence[Block], parents: Parents) -> dict[Block, list[Block]]:
    """The blocks at which what each one dominates meets something else."""
    found: dict[Block, list[Block]] = {block: [] for block in order}
    for block, before in predecessors(order).items():
        if len(before) < 2:
            continue
        for runner in before:
            while runner is not parents[block]:
                if block not in found[runner][-1:]:
                    found[runner].append(block)
                above = parents[runner]
                if above is None:
                    break
                runner = above
    return found


def _common(a: Block, b: Block, parent: Parents, number: Mapping[Block, int]) -> Block:
    while a is not b:
        while number[a] > number[b]:
            a = parent[a] or a
        while number[b] > number[a]:
            b = parent[b] or b
    return a
