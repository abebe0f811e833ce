"""Which allocations of a region never hold something at the same time: they may share a place.

Compilers mark where the memory of a variable of an inner scope, or of an inlined function, is in use
(`llvm.intr.lifetime.start` and `end`). ptxas keeps small arrays in registers only if all of them together are small:
were each copy of an inlined function to have an array of its own, all would be on the stack.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

from weft.codegen.dominance import predecessors, reverse_postorder
from weft.codegen.linear import Lin
from weft.dataclass import dataclass

_START, _END = "llvm.intr.lifetime.start", "llvm.intr.lifetime.end"
_SAME_MEMORY = frozenset(("llvm.getelementptr", "llvm.addrspacecast", "llvm.bitcast"))
_MOST = 64
"""Allocations of a region that are looked at."""
_MOST_USES = 1024
"""Uses of one allocation that are looked at."""

Event = tuple[int, bool]
"""An allocation by its bit, and whether it is in use from here on."""


@dataclass(slots=True)
class Place:
    """Memory for allocations that are never in use at the same time, as `users` show those that have it already."""

    size: int
    alignment: int
    members: int
    address: Lin | None = None
    users: frozenset[Operation] = frozenset()


def shared_places(region: Region, sizes: dict[Operation, tuple[int, int]]) -> dict[Operation, Place]:
    """The places of those allocations, each given with its size and alignment, that another may share."""
    marked = [op for op in sizes if any(use.operation.name == _START for use in op.results[0].uses)]
    events: dict[Block, list[tuple[Operation, Event]]] = {}
    bits: dict[int, Operation] = {}
    for op in marked[:_MOST]:
        if (found := _events(op, region)) is not None:
            bit = 1 << len(bits)
            bits[bit] = op
            for user, starts in found:
                assert user.parent is not None
                events.setdefault(user.parent, []).append((user, (bit, starts)))
    if len(bits) < 2:
        return {}
    at_once = _at_once(reverse_postorder(region.blocks[0]), {block: _sorted(block, e) for block, e in events.items()})
    places: list[Place] = []
    found_places: dict[Operation, Place] = {}
    for bit, op in sorted(bits.items(), key=lambda entry: -sizes[entry[1]][0]):
        place = next((one for one in places if not one.members & at_once.get(bit, 0)), None)
        if place is None:
            places.append(place := Place(*sizes[op], 0))
        place.members |= bit
        place.alignment = max(place.alignment, sizes[op][1])
        found_places[op] = place
    return found_places


def _events(op: Operation, region: Region) -> list[tuple[Operation, bool]] | None:
    """Where an allocation comes into use and where its use ends, as operations of blocks of the region.

    Any access is a start: nothing depends on the marks being where the accesses are. What ends inside of another
    operation is taken to be in use until it ends outside of one.
    """
    found: list[tuple[Operation, bool]] = []
    work: list[SSAValue] = [op.results[0]]
    while work:
        pointer = work.pop()
        for use in pointer.uses:
            user: Operation | None = use.operation
            if user.name in _SAME_MEMORY:
                work += user.results
                continue
            if len(found) > _MOST_USES:
                return None
            ends = user.name == _END
            while user is not None and user.parent_region() is not region:
                user, ends = user.parent_op(), False
            if user is None:
                return None
            found.append((user, not ends))
    return found


def _sorted(block: Block, events: Sequence[tuple[Operation, Event]]) -> list[Event]:
    """The events of a block in its order; what comes into use in an operation does so before anything ends there."""
    order = {op: number for number, op in enumerate(block.ops)}
    return [event for _, event in sorted(events, key=lambda entry: (order[entry[0]], not entry[1][1]))]


def _at_once(order: Sequence[Block], events: dict[Block, list[Event]]) -> dict[int, int]:
    """By the bit of an allocation, those that may be in use where it is."""
    before = predecessors(order)
    leaving = dict.fromkeys(order, 0)
    found: dict[int, int] = {}
    changed = True
    while changed:
        changed = False
        for block in order:
            live = 0
            for one in before[block]:
                live |= leaving[one]
            for bit, starts in events.get(block, ()):
                if not starts:
                    live &= ~bit
                    continue
                live |= bit
                found[bit] = found.get(bit, 0) | live & ~bit
            changed = changed or live != leaving[block]
            leaving[block] = live
    for bit in list(found):
        for other in list(found):
            if found[bit] & other:
                found[other] |= bit
    return found
