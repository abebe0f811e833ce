"""Plans of random copies: every byte that they move, and that their vectors and matrices are the widest that there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.effort import one_in
from tests.tile.copy_fragments import AXES, THREADS, fragment_case, tiles
from tests.tile.copy_kernels import Case, Memory, locations
from tests.tile.copy_plans import Machine, planned
from tests.tile.copy_random import random_case
from weft.layout import Axis, Iter, TileLayout
from weft.transforms.copy_dispatch import Copy, CopyError, Operand, Plan

BATCHES = range(12)
"""Each of so many cases: one in every run."""


def batch(number: int, size: int) -> range:
    """Seeds, the same number of them in each batch."""
    return range(number * size, (number + 1) * size)


def outcomes(seeds: range, make: Callable[[int], Case]) -> Iterator[tuple[int, Case, Plan]]:
    """The cases that are taken, and their plans."""
    for seed in seeds:
        case = make(seed)
        try:
            plan = planned(case)
        except CopyError:
            continue
        yield seed, case, plan


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", BATCHES)
def test_every_byte_of_random_copies(number: int) -> None:
    taken = 0
    for seed, case, plan in outcomes(batch(number, 25), random_case):
        assert Machine(case, plan).run() == [], f"seed {seed}: {case}"
        taken += 1
    assert taken >= 18


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", BATCHES)
@pytest.mark.parametrize("faithful", [False, True])
def test_fragments_take_matrix_instructions(number: int, faithful: bool) -> None:
    for seed in batch(number, 8):
        case, count = fragment_case(seed)
        case = replace(case, copy=replace(case.copy, faithful=faithful))
        if faithful and case.copy.dst.bits != 16:
            continue
        plan = planned(case)
        assert plan.variant == "ldstmatrix", f"seed {seed}: {case}"
        assert Machine(case, plan).run() == [], f"seed {seed}: {case}"
        if count & (count - 1) == 0:
            assert len(plan.instructions) == max(1, count // 4), f"seed {seed}: {case}"
            assert plan.num == min(count, 4)


def instructions(tiles: list[tuple[int, int]]) -> int:
    """How many move tiles in an order: four at a time where the second and third are what the fourth is, else two."""
    count = 0
    while tiles:
        a, b, c, d = (*tiles[:4], *[(-1, -1)] * 4)[:4]
        four = len(tiles) >= 4 and (b[0] + c[0], b[1] + c[1]) == (a[0] + d[0], a[1] + d[1])
        tiles = tiles[4 if four else 2 :]
        count += 1
    return count


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", BATCHES)
def test_matrices_in_some_registers_take_the_fewest_instructions(number: int) -> None:
    """In the order of their registers or of memory, whichever takes fewer, where others lie between the registers."""
    for seed in batch(number, 24):
        case, count = fragment_case(seed, apart=True)
        plan = planned(case)
        assert Machine(case, plan).run() == [], f"seed {seed}: {case}"
        (own,) = [each for each in (case.copy.dst, case.copy.src) if each.space == "local"]
        assert isinstance(own.layout, TileLayout)
        run = own.layout.shard
        lanes = next(at for at, each in enumerate(run) if (each.extent, each.stride) == (8, 4) and each.axis.thread)
        tiles = [(0, 0, 0)]
        for at, (extent, stride, axis) in enumerate(run):
            if not axis.thread and stride > 1:
                tiles = [
                    (below * extent + digit, beside, register + digit * stride)
                    if at < lanes
                    else (below, beside * extent + digit, register + digit * stride)
                    for below, beside, register in tiles
                    for digit in range(extent)
                ]
        assert len(tiles) == count
        by_register = [(below, beside) for below, beside, _ in sorted(tiles, key=lambda tile: tile[2])]
        by_place = sorted(by_register, key=lambda place: place[::-1] if plan.trans else place)
        assert len(plan.instructions) == min(instructions(by_register), instructions(by_place)), f"seed {seed}: {case}"


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", BATCHES)
def test_what_is_no_fragment_by_a_little_is_moved_otherwise(number: int) -> None:
    for seed in batch(number, 8):
        case, _ = fragment_case(seed, faulty=True)
        plan = planned(case)
        assert plan.variant != "ldstmatrix", f"seed {seed}: {case}"
        assert Machine(case, plan).run() == [], f"seed {seed}: {case}"


# -- vectors ------------------------------------------------------------------------------------------------------


def vague(seed: int) -> Case:
    """A random copy of operands of which less is known: their alignment, and what divides an offset of the kernel's."""
    case, random = random_case(seed), Random(seed)

    def known(operand: Operand) -> Operand:
        if operand.space == "local":
            return operand
        divisor = random.choice([0, 0, 1, 2, 4, 8, 16])
        return replace(operand, alignment=random.choice([4, 8, 16, 128]), divisor=divisor)

    return Case(replace(case.copy, dst=known(case.copy.dst), src=known(case.copy.src)))


def allowed(copy: Any, width: int) -> bool:
    """Whether what is known of the operands lets vectors of so many bytes be aligned."""
    memories = [operand for operand in (copy.dst, copy.src) if operand.space != "local"]
    return all(width <= each.alignment and each.divisor * each.bits // 8 % width == 0 for each in memories)


def starts(case: Case, name: str) -> list[list[int]]:
    """The first bytes of the places of each element, from where the operand's memory begins."""
    memory = Memory(case.copy)
    base = memory.base(getattr(case.copy, name).space) + memory.starts.get(name, 0)
    return [[place - base for place in places] for places in locations(case, memory, name)]


def together(pairs: list[tuple[int, int]], width: int, size: int) -> bool:
    """Whether pairs of bytes that elements begin at come in aligned vectors on both sides."""
    count = width // size
    for first in range(0, len(pairs), count):
        a, b = pairs[first]
        vector = [(a + step * size, b + step * size) for step in range(count)]
        if a % width or b % width or pairs[first : first + count] != vector:
            return False
    return True


def widest_of_registers(case: Case) -> int:
    """The bytes of the longest vectors in which each thread can move what it holds."""
    copy, size = case.copy, case.copy.dst.bits // 8
    own, other = ("dst", "src") if copy.dst.space == "local" else ("src", "dst")
    held: dict[int, dict[int, int]] = {}
    each_size = Memory(copy).held[own]
    for registers, (place, *_) in zip(starts(case, own), starts(case, other), strict=True):
        for register in registers:
            held.setdefault(register // each_size, {})[register % each_size] = place
    widths = [width for width in (16, 8, 4, 2, 1) if width > size and allowed(copy, width)]
    return next((w for w in widths if all(together(sorted(each.items()), w, size) for each in held.values())), size)


def widest_between_memories(case: Case, outer: str, least: int, threads: int) -> int:
    """The bytes of the longest vectors in the order of one memory, as many for each thread; 0 where there are none."""
    size, copy = case.copy.dst.bits // 8, case.copy
    inner = "dst" if outer == "src" else "src"
    pairs = sorted((a[0], b[0]) for a, b in zip(starts(case, outer), starts(case, inner), strict=True))
    for width in (16, 8, 4, 2, 1):
        fits = width >= max(size, least) and len(pairs) % (width // size * threads) == 0
        if fits and (width == size or allowed(copy, width)) and together(pairs, width, size):
            return width
    return 0


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", BATCHES)
def test_vectors_are_the_widest(number: int) -> None:
    seen = {"reg": 0, "gmem_smem": 0, "dealt": 0}
    for seed, case, plan in outcomes(batch(number, 40), vague):
        outer = "dst" if case.copy.dst.space == "global" else "src"
        if plan.form == "reg":
            expected = widest_of_registers(case)
        elif plan.form in ("gmem_smem", "dealt"):
            threads = case.copy.scope_threads if plan.form == "gmem_smem" else 1
            expected = widest_between_memories(case, outer, 0, threads)
        else:
            continue
        assert plan.vector_bytes == expected, f"seed {seed}: {case}"
        assert all(each.bytes == expected for each in plan.instructions)
        seen[plan.form] += 1
    assert seen["reg"] and seen["gmem_smem"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", BATCHES)
def test_asynchronous_copies_are_the_widest(number: int) -> None:
    """4, 8 or 16 bytes at a time; where no such vectors are there, the copy is not asynchronous."""

    def make(seed: int) -> Case:
        found = vague(seed).copy
        memories = {each.space: each for each in (found.dst, found.src)}
        if "local" in memories or len(memories) == 1:
            return Case(found)
        return Case(replace(found, dst=memories["shared"], src=memories["global"], asynchronous=True))

    seen = 0
    for seed, case, plan in outcomes(batch(number, 30), make):
        if not case.copy.asynchronous:
            continue
        whole = case.copy.dst.size % case.copy.scope_threads == 0
        expected = widest_between_memories(case, "src", 4, case.copy.scope_threads) if whole else 0
        assert Machine(case, plan).run() == [], f"seed {seed}: {case}"
        if plan.variant == "ldgsts":
            assert plan.vector_bytes == expected, f"seed {seed}: {case}"
            assert plan.instructions[0].opcode.text == f"cp.async.c{'g' if expected == 16 else 'a'}.shared.global"
        else:  # Elements one by one have another order of their own.
            assert expected in (0, case.copy.dst.bits // 8), f"seed {seed}: {case}"
        seen += 1
    assert seen > 2


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", BATCHES)
def test_neighbours_take_what_is_next_in_global_memory(number: int) -> None:
    """Vectors of global memory go to one thread after another, and then to the next round."""
    seen = 0
    for seed, case, plan in outcomes(batch(number, 40), random_case):
        outer = "src" if case.copy.src.space == "global" else "dst"
        if plan.form != "gmem_smem" or case.condition:
            continue
        addresses = [getattr(each, outer) for each in plan.instructions if getattr(each, outer) is not None]
        threads = range(case.copy.scope_threads)
        order = [address.element(thread) for address in addresses for thread in threads]
        assert order == sorted(order), f"seed {seed}: {case}"
        seen += 1
    assert seen


# -- bounds -------------------------------------------------------------------------------------------------------


def bounded(seed: int) -> Case:
    """A random copy of a global region of which only some exists, a multiple of a number of elements in each dimension."""
    copy, random = random_case(seed).copy, Random(seed)
    if "global" not in copy.spaces:
        return Case(copy)
    outside = copy.dst if copy.dst.space == "global" else copy.src
    return Case(replace(copy, bounds=tuple(random.choice([1, 2, 4, 8, 16]) for _ in outside.shape)))


def whole_vectors(case: Case, outer: str, width: int) -> bool:
    """Whether each vector in global memory runs along one dimension, and exists as a whole or not at all."""
    operand: Operand = getattr(case.copy, outer)
    ordered = sorted(zip((each[0] for each in starts(case, outer)), np.ndindex(*operand.extents), strict=True))
    count, bounds = width * 8 // operand.bits, case.copy.bounds or ()
    for first in range(0, len(ordered), count):
        points = [point for _, point in ordered[first : first + count]]
        parts = {tuple(c // b for c, b in zip(point, bounds, strict=True)) for point in points}
        along = [len({point[at] for point in points}) > 1 for at in range(len(bounds))]
        if len(parts) > 1 or sum(along) > 1:
            return False
    return True


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", BATCHES)
def test_bounded_copies_know_the_coordinates_of_what_they_move(number: int) -> None:
    seen = 0
    for seed, case, plan in outcomes(batch(number, 20), bounded):
        assert Machine(case, plan).run() == [], f"seed {seed}: {case}"
        if case.copy.bounds is None:
            continue
        outer = "dst" if case.copy.dst.space == "global" else "src"
        operand: Operand = getattr(case.copy, outer)
        points = dict(zip((each[0] for each in starts(case, outer)), np.ndindex(*operand.extents), strict=True))
        machine = Machine(case, plan)
        for each in plan.instructions:
            address, coordinates = getattr(each, outer), each.coordinates
            if address is None:
                assert coordinates is None
                continue
            assert coordinates is not None, f"seed {seed}: {case}"
            for thread in machine.threads(each):
                found = tuple(coordinates.on(f"coordinate{at}", thread) for at in range(len(operand.shape)))
                assert found == points[address.element(thread) * operand.bits // 8], f"seed {seed}: {case}"
        assert whole_vectors(case, outer, plan.vector_bytes), f"seed {seed}: {case}"
        seen += 1
    assert seen > 3


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", BATCHES)
def test_bounded_vectors_are_the_widest(number: int) -> None:
    seen = 0
    for seed, case, plan in outcomes(batch(number, 30), bounded):
        outer = "dst" if case.copy.dst.space == "global" else "src"
        size = case.copy.dst.bits // 8
        if case.copy.bounds is None or plan.form not in ("reg", "gmem_smem", "dealt"):
            continue
        if plan.form == "reg":
            widest = widest_of_registers(case)
        else:
            threads = case.copy.scope_threads if plan.form == "gmem_smem" else 1
            widest = widest_between_memories(case, outer, 0, threads)
        while widest > size and not whole_vectors(case, outer, widest):
            widest //= 2
        assert plan.vector_bytes == widest, f"seed {seed}: {case}"
        assert plan.form == planned(Case(replace(case.copy, bounds=None))).form, f"seed {seed}: {case}"
        seen += 1
    assert seen > 3


# -- registers ----------------------------------------------------------------------------------------------------


def registers_case(seed: int) -> tuple[Case, str]:
    """A copy between registers, and how it is to be done: by moves, matrix by matrix, or not at all."""
    random = Random(seed)
    scope, how = random.choice(["warp", "warpgroup", "cta"]), random.choice(["moves", "movmatrix", "lanes"])
    axis, warps = Axis(AXES[scope]), THREADS[scope] // 32
    element = random.choice(["f16", "bf16"] if how == "movmatrix" else ["f16", "f32", "i8", "f64"])
    (a, b), (c, d) = (tiles(random, counts, 2) for counts in [(random.choice([1, 2, 4]), random.choice([1, 2, 3]))] * 2)
    rows, columns, pair = Iter(8, 4, axis), Iter(4, 1, axis), Iter(2, 1)
    whole = [Iter(warps, 32, axis)] if warps > 1 else []
    src = [*whole, *a, rows, *b, columns, pair]
    dst = [*whole, *c, rows, *d, columns, pair]
    if how == "movmatrix":
        dst = [*whole, *c, columns, pair, *d, rows]
    elif how == "lanes":
        dst = [*whole, *c, Iter(8, 1, axis), *d, Iter(4, 8, axis), pair]
    extents = (warps * 8 * _size(a), 8 * _size(b))
    region = tuple((0, extent) for extent in extents)
    sides = [Operand("local", element, extents, TileLayout(run), region) for run in (dst, src)]
    return Case(Copy(sides[0], sides[1], scope, THREADS[scope], "sm_90a")), how


def _size(run: list[Iter]) -> int:
    return prod(each.extent for each in run)


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", BATCHES)
def test_between_registers(number: int) -> None:
    for seed in batch(number, 8)[:: one_in(2)]:
        case, how = registers_case(seed)
        if how == "lanes":
            with pytest.raises(CopyError, match="elements change threads in other ways than movmatrix moves them"):
                planned(case)
            continue
        plan = planned(case)
        assert (plan.variant, plan.form) == ("registers", how), f"seed {seed}: {case}"
        assert Machine(case, plan).run() == [], f"seed {seed}: {case}"
        if how == "movmatrix":
            count = case.copy.dst.size // case.copy.threads // 2
            assert (plan.num, plan.trans, plan.rounds, len(plan.instructions)) == (1, True, count, count)
