"""`fallback`: any copy that can be said at all, without a claim to speed.

Between memories, elements are dealt out to the threads that come.  Between registers and memory each thread moves its
own elements, one by one where the layouts have no common refinement.
"""

from __future__ import annotations

from dataclasses import replace

from weft.transforms.copy_dispatch import checks, gmem_smem, refinement, registers, scattered, vectors
from weft.transforms.copy_dispatch.plan import Address, Condition, Digit, Instruction, Plan, Sum, place
from weft.transforms.copy_dispatch.request import GLOBAL, LOCAL, Copy, Decline, Operand
from weft.transforms.copy_dispatch.sub_bytes import CHUNK, against_registers, packed


def predicate(copy: Copy) -> str | None:
    """A copy that means something, by threads that are known, unless each loads what is its own."""
    unknown = copy.guard is not None and copy.guard.active is None
    if unknown and copy.scope != "thread" and copy.dst.space != LOCAL:
        assert copy.guard is not None
        return f"which threads take part is unknown: {copy.guard.reason}"
    return checks.valid_copy(copy)


def plan(copy: Copy) -> Plan:
    """The instructions; raises Decline for distributions that the threads that come cannot carry out."""
    if copy.dst.space == LOCAL and copy.src.space == LOCAL:
        raise Decline("both sides are in registers")
    return _memory(copy) if LOCAL not in copy.spaces else _registers(copy)


def _memory(copy: Copy) -> Plan:
    outside, inside = (copy.src, copy.dst) if copy.dst.space != GLOBAL else (copy.dst, copy.src)
    together = _in_order(copy, outside, inside)
    length = _length(copy, outside, inside) if together else 1
    if packed(copy) and length < CHUNK:
        raise Decline(f"the layouts split the groups of 16 in which {copy.src.element} is stored")
    chunks = outside.size // length
    first, count = _team(copy)
    axis = gmem_smem.THREAD_AXIS.get(copy.scope)
    conditions: tuple[Condition, ...] = ()
    if axis is not None and count < copy.scope_threads:
        conditions = (Condition(Sum(((1, Digit(axis)),), -first), count),)
    found: list[Instruction] = []
    for start in range(0, chunks, count):
        index = Sum(((1, Digit(axis)),), start - first) if axis is not None and count > 1 else Sum((), start)
        if together:
            triples = [gmem_smem.indexed(copy, outside, inside, index, length)]
        else:
            triples = _by_coordinates(copy, outside, inside, index)
        whole = start + count <= chunks
        for each in gmem_smem.pairs(copy, triples, length, outside is copy.src):
            found.append(each if whole else replace(each, conditions=(Condition(index, chunks),)))
    return Plan(
        "fallback",
        tuple(found),
        "dealt",
        vector_bytes=length * outside.bits // 8,
        rounds=len(found) // 2,
        conditions=conditions,
    )


def _in_order(copy: Copy, outside: Operand, inside: Operand) -> bool:
    """Whether iters describe both regions, and the destination is written once."""
    try:
        tiles = [checks.sliced(operand, operand.space) for operand in (outside, inside)]
    except Decline:
        return False
    return not tiles[0 if copy.dst is outside else 1].replica


def _by_coordinates(copy: Copy, outside: Operand, inside: Operand, index: Sum) -> list[gmem_smem.Triple]:
    """The addresses of one element, once for each copy that the destination has of it."""
    rows = refinement.by_rows(outside.extents).shard
    coordinates = Address(place(refinement.spread(index, rows)), ()) if copy.bounds else None
    return [
        (scattered.located(outside, index, a), scattered.located(inside, index, b), coordinates)
        for a in scattered.shifts(outside, copy.dst is outside)
        for b in scattered.shifts(inside, copy.dst is inside)
    ]


def _length(copy: Copy, outside: Operand, inside: Operand) -> int:
    """The longest vector that both sides have in one piece, aligned."""
    sides = gmem_smem.aligned(checks.sliced(outside, "G"), checks.sliced(inside, "S"), outside)
    limit = vectors.bound_limit(copy)
    if sides is None:
        return 1
    for length in vectors.lengths(outside):
        if (limit and limit % length) or outside.size % length:
            continue
        if length == 1 or gmem_smem.carved(sides, outside, inside, 1, length, copy) is not None:
            return length
    return 1


def _team(copy: Copy) -> tuple[int, int]:
    """First thread and number of threads that deal elements out to themselves, the same in every instance."""
    if copy.scope == "thread":
        return 0, 1
    if copy.threads % copy.scope_threads:
        raise Decline(f"a block of {copy.threads} threads cannot be divided into {copy.scope}s")
    common = (1 << copy.scope_threads) - 1
    for part in checks.instances(copy):
        common &= part or common
    if not common:
        raise Decline(f"no thread index takes part in all of the {copy.scope}s that copy")
    low = (common & -common).bit_length() - 1
    run = (common >> low) + 1
    count = (run & -run).bit_length() - 1
    return low, count


def _registers(copy: Copy) -> Plan:
    reason = against_registers(copy)
    if reason is None and not (copy.dst if copy.dst.space == LOCAL else copy.src).swizzle:
        reason = registers.thread_scope(copy)
    if reason is not None:
        raise Decline(reason)
    found = _own_elements(copy)
    if copy.src.space == LOCAL:
        # Who holds an element alike with others stores it, if the one that would comes at all.
        alone = _own_elements(replace(copy, guard=None))
        if _owners_come(copy, alone):
            found = alone
        elif not _owners_come(copy, found):
            raise Decline("threads that hold elements of the source do not take part in the copy")
    return replace(found, variant="fallback")


def _own_elements(copy: Copy) -> Plan:
    """Each thread's elements in vectors, or alone where layouts have no common refinement."""
    try:
        if registers.thread_scope(copy) is not None:
            raise Decline("swizzled registers")
        return registers.plan(copy)
    except Decline:
        return scattered.plan(copy)


def _owners_come(copy: Copy, found: Plan) -> bool:
    """Whether each element of the source registers is held by a thread that comes and takes part."""
    guard = checks.whole_guard(copy)
    assert guard.active is not None
    if guard.active == (1 << copy.threads) - 1 or not found.instructions:
        return True
    place_of = found.instructions[0].dst
    assert place_of is not None
    holders: dict[tuple[int, ...], bool] = {}
    for thread in range(copy.threads):
        if all(condition.holds(thread) for condition in found.conditions):
            key = tuple(digit.value(thread) for _, each in place_of.thread for _, digit in each.terms)
            holders[key] = holders.get(key, False) or bool(guard.active >> thread & 1)
    return all(holders.values())
