"""`vec_16b` to `vec_256b`: one access of a named width by each thread, only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

from weft.transforms.copy_dispatch import checks, refinement, vectors
from weft.transforms.copy_dispatch.plan import Address, Instruction, Plan, constants
from weft.transforms.copy_dispatch.request import LOCAL, SHARED, Copy, Decline, Operand

WIDTHS = (128, 16, 256, 32, 64)
"""Bits, in the order in which the variants' names sort."""


def predicate(width: int) -> Callable[[Copy], str | None]:
    """One thread, and regions of just so many bits."""

    def check(copy: Copy) -> str | None:
        reason = checks.scope_in(copy, ("thread",)) or checks.valid_copy(copy)
        if reason:
            return reason
        for name, operand in (("src", copy.src), ("dst", copy.dst)):
            if operand.size * operand.bits != width:
                return f"{name} region does not contain exactly {width // operand.bits} elements"
        if copy.spaces == (LOCAL, LOCAL):
            return "both sides are in registers"
        if copy.bounds:
            return "the region may be partly out of bounds"
        return None

    return check


def planner(width: int) -> Callable[[Copy], Plan]:
    """A load or a store, or both."""

    def plan(copy: Copy) -> Plan:
        count = width // 8
        found: list[Instruction] = []
        own = copy.dst if copy.dst.space == LOCAL else copy.src if copy.src.space == LOCAL else None
        registers = vectors.words(_start(own, count) * own.bits // 8, count) if own is not None else ()
        # Only global memory has accesses of 32 bytes: with shared memory they are two.
        step = min(count, 16) if SHARED in copy.spaces else count
        for first in range(0, count, step):
            for operand, load in ((copy.src, True), (copy.dst, False)):
                if operand.space == LOCAL:
                    continue
                opcode = vectors.access(load, operand.space, step, copy.cache)
                missing = checks.not_on(opcode, copy.target)
                if missing:
                    raise Decline(missing)
                start = _start(operand, count) + first * 8 // operand.bits
                address = Address((), constants([("m", start)]))
                found.append(
                    Instruction(
                        opcode,
                        step,
                        dst=None if load else address,
                        src=address if load else None,
                        registers=registers[first // 4 : (first + step + 3) // 4],
                    )
                )
        return Plan(f"vec_{width}b", tuple(found), "explicit", vector_bytes=count, rounds=1)

    return plan


def _start(operand: Operand, count: int) -> int:
    """The first element of a region that lies in one piece, aligned; raises Decline where it does not."""
    tile = checks.sliced(operand, operand.space)
    length = count * 8 // operand.bits
    swizzle = operand.swizzle
    if swizzle is not None and length > 1 << swizzle.per_element:
        raise Decline(f"the swizzle of {operand.space} memory splits chunks of {count} bytes")
    if tile.replica or any(axis.name != "m" for axis in tile.axes):
        raise Decline(f"{operand.space} layout {tile} is not contiguous memory")
    if [value.get("m", 0) for value in refinement.ladder(tile.shard)] != list(range(length)):
        raise Decline(f"{operand.space} layout {tile} is not contiguous")
    start = sum(value for _, value in tile.offset)
    if operand.space == LOCAL:
        if start * operand.bits % min(32, 8 * count):
            raise Decline(f"element {start} is not at the start of a register")
    elif not vectors.fits(operand, length, [start]):
        raise Decline(f"{operand.space} element {start} is not aligned to {count} bytes")
    return start
