"""Elements one by one: addresses as functions of the logical index, for layouts that have no iters in common.

The logical index of what a thread holds is a sum of digits of its number; the coordinates of an index and the place of
coordinates in a layout are digits of sums again.  So every region of every layout has an address.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from weft.layout import ComposeLayout, SwizzleLayout, TileLayout, m
from weft.transforms.copy_dispatch import checks, refinement, vectors
from weft.transforms.copy_dispatch.holders import one_holder
from weft.transforms.copy_dispatch.plan import Address, Condition, Digit, Instruction, Plan, Sum, constants, place
from weft.transforms.copy_dispatch.refinement import Terms, spread
from weft.transforms.copy_dispatch.request import LOCAL, Copy, Decline, Operand


class Own(NamedTuple):
    """What a thread holds: its part of the logical index, who holds anything, register and index of each element."""

    thread: Terms
    conditions: tuple[Condition, ...]
    elements: list[tuple[int, int]]


def whole_tile(operand: Operand) -> TileLayout:
    """The tile of all of an operand's buffer, canonical."""
    layout = operand.layout
    placed = layout.over(operand.shape) if isinstance(layout, SwizzleLayout) else layout
    return (placed.tile_layout if isinstance(placed, ComposeLayout) else placed).canonicalize()


def located(operand: Operand, index: Sum, shift: int = 0) -> Address:
    """The address of the element with a logical index in an operand's region; `shift` is that of a replica."""
    try:
        tile = checks.sliced(operand, operand.space)
    except Decline:
        tile = whole_tile(operand)
        grouped = refinement.groups_or_decline(operand.space, tile, operand.shape)
        terms = [
            term
            for coordinate, run in zip(_coordinates(operand, index), grouped, strict=True)
            for term in spread(coordinate, run)
        ]
    else:
        terms = spread(index, tile.shard)
    return Address(place(terms), constants([*((axis.name, value) for axis, value in tile.offset), ("m", shift)]))


def _coordinates(operand: Operand, index: Sum) -> list[Sum]:
    """The coordinates in the buffer of the element with a logical index in the region."""
    found: list[Sum] = []
    divide = 1
    for extent, (begin, _) in zip(reversed(operand.extents), reversed(operand.region), strict=True):
        terms = ((1, Digit(index, divide, extent)),) if extent > 1 else ()
        found.append(Sum(terms, begin))
        divide *= extent
    return found[::-1]


def shifts(operand: Operand, written: bool) -> list[int]:
    """Offsets of the copies of an operand in memory that are written, or the first that is read."""
    replica = whole_tile(operand).replica if written else ()
    return [value.get("m", 0) for value in refinement.ladder(each for each in replica if not each.axis.thread)]


def plan(copy: Copy) -> Plan:
    """Between registers and memory, element by element."""
    load = copy.dst.space == LOCAL
    registers, memory = (copy.dst, copy.src) if load else (copy.src, copy.dst)
    own = held(copy, registers)
    rows = refinement.by_rows(memory.extents).shard
    count = memory.bits // 8
    opcode = vectors.access(load, memory.space, count, copy.cache)
    terms = tuple((factor, digit) for _, factor, digit in own.thread)
    found: list[Instruction] = []
    for (element, index), repeat, shift in product(own.elements, shifts(registers, load), shifts(memory, not load)):
        flat = Sum(terms, index)
        address = located(memory, flat, shift)
        start = _stored(registers, element + repeat) * count
        found.append(
            Instruction(
                opcode,
                count,
                dst=None if load else address,
                src=address if load else None,
                registers=vectors.words(start, count),
                coordinates=Address(place(spread(flat, rows)), ()) if copy.bounds else None,
            )
        )
    return Plan("fallback", tuple(found), "scattered", vector_bytes=count, rounds=len(found), conditions=own.conditions)


def _stored(registers: Operand, element: int) -> int:
    return registers.swizzle.place(element) if registers.swizzle is not None else element


def held(copy: Copy, registers: Operand) -> Own:
    """What each thread holds of a region of registers; raises Decline where no digits say it."""
    try:
        r = checks.sliced(registers, "R")
    except Decline:
        if any(axis.thread for axis in whole_tile(registers).axes):
            raise
        return Own([], _first_holder(copy, ""), list(_listed(registers)))
    weights = refinement.weights(r.shard)
    threads = [at for at, each in enumerate(r.shard) if each.axis.thread]
    repeated = tuple(each for each in r.replica if each.axis.thread)
    run = (*(r.shard[at] for at in threads), *repeated)
    offset = sum(value for axis, value in r.offset if axis.thread)
    index: Terms = []
    conditions = _first_holder(copy, "")
    if run or offset:
        (axis,) = {axis for axis in r.axes if axis.thread}
        digits, conditions = refinement.thread_digits(run, checks.axis_extent(axis, copy), offset)
        conditions += _first_holder(copy, axis.name)
        index = [("m", weights[at], Digit(*digit)) for at, digit in zip(threads, digits, strict=False)]
    rest = [at for at in range(len(r.shard)) if at not in threads]
    places = refinement.ladder(r.shard[at] for at in rest)
    indices = refinement.ladder(r.shard[at]._replace(stride=weights[at], axis=m) for at in rest)
    base = sum(value for axis, value in r.offset if not axis.thread)
    elements = [(base + at.get("m", 0), number.get("m", 0)) for at, number in zip(places, indices, strict=True)]
    return Own(index, conditions, elements)


def _first_holder(copy: Copy, axis: str) -> tuple[Condition, ...]:
    return one_holder(copy, axis) if copy.src.space == LOCAL else ()


def _listed(registers: Operand) -> Iterator[tuple[int, int]]:
    """Register and logical index of each element of a region that all threads hold."""
    tile = whole_tile(registers)
    boxes = [range(begin, end) for begin, end in registers.region]
    for index, coordinates in enumerate(product(*boxes)):
        yield tile.apply(*coordinates, shape=registers.shape)[m], index
