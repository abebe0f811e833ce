"""`vec_auto` and `ldgsts` between global and shared memory: threads take consecutive vectors of global memory.

After the longest vector that both sides have in one piece, elements go to threads, and what is left to rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from weft.layout import Axis, Iter, TileLayout, m
from weft.layout.iters import Run
from weft.transforms.copy_dispatch import checks, refinement, vectors
from weft.transforms.copy_dispatch.plan import Address, Digit, Instruction, Place, Plan, Sum, constants, place
from weft.transforms.copy_dispatch.request import GLOBAL, SCOPES, SHARED, Copy, Decline, Operand
from weft.transforms.copy_dispatch.sub_bytes import packed

PAIRS = ((GLOBAL, SHARED), (SHARED, GLOBAL))
THREAD_AXIS = {"warp": "laneid", "warpgroup": "tid_in_wg", "cta": "tx"}


class Sides(NamedTuple):
    """Global memory, shared memory and coordinates over one logical order, global strides descending."""

    g: TileLayout
    s: TileLayout
    c: TileLayout


class Partition(NamedTuple):
    """Elements of a vector, and the groups `[rounds, threads, vector]` of each side."""

    length: int
    g: tuple[Run, ...]
    s: tuple[Run, ...]
    c: tuple[Run, ...] | None


def predicate(copy: Copy) -> str | None:
    """Global and shared memory, and a whole number of elements for each thread."""
    return checks.common(copy, SCOPES, PAIRS) or divisible(copy)


def divisible(copy: Copy) -> str | None:
    """The region must have a whole number of elements for each thread."""
    size, threads = copy.src.size, copy.scope_threads
    return f"region size {size} not divisible by thread_cnt={threads}" if size % threads else None


def plan(copy: Copy) -> Plan:
    """Pairs of a load and a store for each round."""
    outside, inside = (copy.src, copy.dst) if copy.src.space == GLOBAL else (copy.dst, copy.src)
    part = partition(copy, outside, inside, vectors.WIDTHS)
    if part is None:
        if packed(copy):
            raise Decline(f"the layouts split the groups of 16 in which {copy.src.element} is stored")
        length, triples = 1, one_by_one(copy, outside, inside)
    else:
        length, triples = part.length, addresses(copy, outside, inside, part)
    return Plan(
        "vec_auto",
        tuple(pairs(copy, triples, length, outside is copy.src)),
        "gmem_smem",
        vector_bytes=length * outside.bits // 8,
        rounds=len(triples),
    )


def pairs(copy: Copy, triples: Iterable[Triple], length: int, loads_outside: bool) -> Iterator[Instruction]:
    """A load and a store for the addresses of each round: of the outer operand, the inner one, and coordinates.

    `loads_outside` says that the outer operand, to whose region coordinates belong, is the source.
    """
    count = length * copy.src.bits // 8
    load = vectors.access(True, copy.src.space, count, copy.cache)
    store = vectors.access(False, copy.dst.space, count)
    for outer, inner, coordinates in triples:
        src, dst = (outer, inner) if loads_outside else (inner, outer)
        yield Instruction(load, count, src=src, coordinates=coordinates if loads_outside else None)
        yield Instruction(store, count, dst=dst, coordinates=None if loads_outside else coordinates)


def partition(
    copy: Copy, outside: Operand, inside: Operand, widths: Sequence[int], fills: bool = False
) -> Partition | None:
    """How elements go to rounds, threads and vectors, the longest of `widths` bits that will do; None if none will.

    With `fills`, a vector may exist in part, along one dimension.
    """
    g, s = checks.sliced(outside, "G"), checks.sliced(inside, "S")
    if (g.replica and copy.dst is outside) or (s.replica and copy.dst is inside):
        raise Decline("the destination is replicated")
    sides = aligned(g, s, outside)
    if sides is None:
        return None
    limit = vectors.bound_limit(copy)
    for length in vectors.lengths(outside, widths):
        whole = not limit or limit % length == 0
        if not whole and not fills:
            continue
        found = carved(sides, outside, inside, copy.scope_threads, length, copy)
        if found is not None and (whole or len(vector_dimensions(found)) <= 1):
            return found
    return None


def aligned(g: TileLayout, s: TileLayout, outside: Operand) -> Sides | None:
    """The sides with the iters of global memory by descending stride."""
    parts = refinement.groups(s.shard, g.extents)
    if parts is None:
        return None
    c = refinement.groups(refinement.by_rows(outside.extents).canonicalize().shard, g.extents)
    assert c is not None  # Both are groups of one region.
    order = _by_stride(g)
    joined = [TileLayout(each for at in order for each in part[at]).canonicalize() for part in (parts, c)]
    return Sides(
        TileLayout((g.shard[at] for at in order), (), g.offset).canonicalize(),
        TileLayout(joined[0].shard, (), s.offset),
        joined[1],
    )


def carve(run: Run, chunk: int) -> tuple[Run, int] | None:
    """`chunk` elements off the end, splitting one iter at most: the iters, and how many stay in front; None if not."""
    left, tail = list(run), list[Iter]()
    while chunk > 1 and left:
        each = left.pop()
        if chunk % each.extent == 0:
            chunk //= each.extent
            tail.append(each)
        elif each.extent % chunk == 0:
            left.append(Iter(each.extent // chunk, each.stride * chunk, each.axis))
            tail.append(Iter(chunk, each.stride, each.axis))
            chunk = 1
        else:
            return None
    return None if chunk > 1 else ((*left, *reversed(tail)), len(left))


def carved(sides: Sides, outside: Operand, inside: Operand, threads: int, length: int, copy: Copy) -> Partition | None:
    """The partition with vectors of `length` elements, or None where they are cut or not aligned."""
    # A swizzle moves units of 2^per_element elements, and a vector across two of them would be torn.
    for swizzle in (outside.swizzle, inside.swizzle):
        if swizzle is not None and length > 1 << swizzle.per_element:
            return None
    # Global memory decides: its innermost elements are the vector, what is next to them goes to neighbouring threads,
    # so that accesses coalesce.  Shared memory follows the same order, cut at the same places.
    vector = carve(sides.g.shard, length)
    if vector is None:
        return None
    run, before = vector
    lanes = carve(run[:before], threads)
    if lanes is None:
        return None
    run = (*lanes[0], *run[before:])
    extents = [each.extent for each in run]
    s = refinement.groups(sides.s.shard, extents)
    if s is None:
        return None
    flat = tuple(each for part in s for each in part)
    if length > 1 and not (
        _contiguous(run, length)
        and _contiguous(flat, length)
        and all(
            vectors.fits(operand, length, (vectors.worth(operand, each) for each in _outer(whole, length)))
            and vectors.fits(operand, length, (vectors.axis_worth(operand, axis.name, value) for axis, value in offset))
            for operand, whole, offset in ((outside, run, sides.g.offset), (inside, flat, sides.s.offset))
        )
    ):
        return None
    shape = (outside.size // (threads * length), threads, length)
    g, s = (refinement.groups(whole, shape) for whole in (run, flat))
    assert g is not None and s is not None  # Both are cut there.
    c = refinement.groups(sides.c.shard, extents)
    if copy.bounds and c is None:
        return None
    coordinates = refinement.groups(tuple(each for part in c for each in part), shape) if c and copy.bounds else None
    return Partition(length, g, s, coordinates)


def vector_dimensions(part: Partition) -> list[int]:
    """The dimensions of the region along which a bounded vector runs."""
    if part.c is None:
        return []
    return sorted({refinement.dimension(each.axis) for each in part.c[2] if each.extent > 1})


def _contiguous(run: Run, length: int) -> bool:
    """Whether the last `length` elements of a run are one after another in memory."""
    reached = 1
    for extent, stride, axis in reversed(run):
        if reached >= length:
            break
        if extent == 1:
            continue
        if axis.name != "m" or stride != reached:
            return False
        reached *= extent
    return reached >= length


def _outer(run: Run, length: int) -> list[Iter]:
    """The iters that are not within a vector of `length` elements."""
    inner = 1
    at = len(run)
    while inner < length:
        at -= 1
        inner *= run[at].extent
    return list(run[:at])


Triple = tuple[Address, Address, Address | None]
"""Addresses in the outer operand and in the inner one, and coordinates in the outer one's region."""


def addresses(copy: Copy, outside: Operand, inside: Operand, part: Partition) -> list[Triple]:
    """The addresses of each round."""
    g, s = checks.sliced(outside, "G"), checks.sliced(inside, "S")
    axis = THREAD_AXIS.get(copy.scope)
    sides: list[list[Address]] = []
    for parts, offset in ((part.g, g.offset), (part.s, s.offset), (part.c, ())):
        if parts is None:
            continue
        thread = place(refinement.spread(axis, parts[1])) if axis else ()
        sides.append([at(thread, offset, value) for value in refinement.ladder(parts[0])])
    coordinates: Sequence[Address | None] = sides[2] if part.c is not None else [None] * len(sides[0])
    return list(zip(sides[0], sides[1], coordinates, strict=True))


def at(thread: Place, offset: Iterable[tuple[Axis, int]], value: Mapping[str, int]) -> Address:
    """An address displaced by a layout's offset and by a value on each axis."""
    return Address(thread, constants([*((axis.name, each) for axis, each in offset), *value.items()]))


def one_by_one(copy: Copy, outside: Operand, inside: Operand) -> list[Triple]:
    """The addresses of each round where element `round * threads + thread` of global memory's order is moved alone."""
    threads = copy.scope_threads
    axis = THREAD_AXIS.get(copy.scope)
    steps = ((1, Digit(axis)),) if axis else ()
    return [indexed(copy, outside, inside, Sum(steps, first), 1) for first in range(0, outside.size, threads)]


def indexed(copy: Copy, outside: Operand, inside: Operand, index: Sum, length: int) -> Triple:
    """The addresses of vector number `index` of `length` elements, in the order of the outer operand's memory."""
    g, s = checks.sliced(outside, "G"), checks.sliced(inside, "S")
    sides = aligned(g, s, outside)
    shape = (outside.size // length, length)
    if sides is None:
        order = _by_stride(g)
        worth = refinement.weights(g.shard)
        ordered = TileLayout(g.shard[at] for at in order).canonicalize().shard
        logical = TileLayout(Iter(g.shard[at].extent, worth[at], m) for at in order).canonicalize().shard
        terms = tuple((factor, digit) for _, factor, digit in refinement.spread(index, logical))
        inner_index = Sum(terms)
        c = refinement.by_rows(outside.extents).shard
        runs = ((index, ordered, g.offset), (inner_index, s.shard, s.offset), (inner_index, c, ()))
    else:
        tiles = [(sides.g, g.offset), (sides.s, s.offset)]
        if copy.bounds:
            tiles.append((sides.c, ()))
        runs = tuple((index, refinement.front(tile.shard, shape), offset) for tile, offset in tiles)
    found = [at(place(refinement.spread(source, run)), offset, {}) for source, run, offset in runs]
    return found[0], found[1], found[2] if copy.bounds else None


def _by_stride(g: TileLayout) -> list[int]:
    """Iters by descending stride; those whose stride only the kernel knows come first."""
    return sorted(range(len(g.shard)), key=lambda at: (g.shard[at].axis is m, -g.shard[at].stride))
