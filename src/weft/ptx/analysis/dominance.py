"""Orders and dominators of a graph of blocks numbered from 0, where 0 is the entry."""

from __future__ import annotations

from collections.abc import Sequence


def reverse_postorder(successors: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The blocks that block 0 reaches, each before its successors except along cycles."""
    seen = {0}
    order: list[int] = []
    stack = [(0, iter(successors[0]))]
    while stack:
        block, rest = stack[-1]
        for target in rest:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(successors[target])))
                break
        else:
            order.append(block)
            stack.pop()
    return tuple(reversed(order))


def dominators(order: Sequence[int], predecessors: Sequence[Sequence[int]]) -> dict[int, int]:
    """The immediate dominator of each block of a reverse postorder, the entry's being itself.

    The iteration of Cooper, Harvey and Kennedy: two passes are enough unless cycles have several entries.
    """
    place = {block: index for index, block in enumerate(order)}
    found = {order[0]: order[0]}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            known = [p for p in predecessors[block] if p in found]
            best = known[0]
            for other in known[1:]:
                while best != other:
                    if place[best] > place[other]:
                        best = found[best]
                    else:
                        other = found[other]
            if found.get(block) != best:
                found[block] = best
                changed = True
    return found
