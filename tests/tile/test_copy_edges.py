"""Registers that few threads hold, all do or threads far apart do, from and to each kind of memory, byte by byte."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from tests.effort import one_in
from tests.tile.copy_kernels import Case
from tests.tile.copy_plans import Machine, carried_out, planned
from weft.layout import parse
from weft.transforms.copy_dispatch import Copy, CopyError, Guard, Operand, Plan
from weft.transforms.copy_dispatch.dispatch import choose

OWN = [
    "S[8:1] + 3@laneid", "S[8:1] + R[32:1@laneid]", "S[8:1@laneid]", "S[(2,4):(1@laneid,1)] + 4@laneid",
    "S[(2,4):(8@laneid,1)] + 5@laneid", "S[(4,2):(2@laneid,1)]", "S[(4,2):(2@laneid,1)] + R[2:1@laneid]",
    "S[(2,4):(1@laneid,2@laneid)]", "S[(2,4):(4,1@laneid)]", "S[(2,4):(1,1@laneid)] + R[2:16@laneid]",
    "S[8:1@tx] + 32@tx", "S[(2,4):(1@warpid,1@laneid)] + 8@laneid", "S[8:1@tid_in_wg] + 31@tid_in_wg",
    "S[(2,4):(4,1)] + 1@warpid", "S[8:2]", "S[8:1] + 2",
]  # fmt: skip
"""8 elements: of one lane, of all lanes, of some, of a warp or a part of it."""
MEMORY = ["S[8:1]", "S[8:1] + 1", "S[(2,4):(16,1)]", "S[8:3]", "swz(1,1,1) @ S[8:1]", "S[8:1] + R[2:8]"]


@pytest.mark.parametrize("own", OWN)
def test_registers_of_few_and_of_many(own: str) -> None:
    axes = {axis.name for axis in parse(own).axes if axis.thread} | ({"laneid"} if "R[" in own else set())
    scopes = ["cta"] if axes & {"tx", "warpid"} else ["warpgroup"] if "tid_in_wg" in own else ["warp", "cta"]
    cases = list(enumerate(product(MEMORY, ("shared", "global"), scopes)))
    for at, (memory, space, scope) in cases[OWN.index(own) % one_in(6) :: one_in(6)]:
        element = ("i8", "f16", "f32", "f64")[at % 4]
        if space == "global" and memory.startswith("swz"):
            continue
        sides = [
            Operand(each, element, (8,), parse(layout), ((0, 8),)) for each, layout in (("local", own), (space, memory))
        ]
        threads = {"warp": 64, "warpgroup": 128, "cta": 64}[scope]
        condition = "" if at % 3 else "lane < 32"
        for dst, src in (sides, sides[::-1]):
            if "R[" in memory and src.space != "local":
                continue
            assert carried_out(Case(Copy(dst, src, scope, threads, "sm_90a"), condition)) == [], (memory, space, scope)


def checked(case: Case, form: str = "") -> Plan:
    """The plan of a case, carried out on bytes."""
    plan = planned(case)
    assert Machine(case, plan).run() == [], case
    assert plan.form == (form or plan.form), case
    return plan


def both_ways(own: Operand, memory: Operand, scope: str, threads: int, **more: Any) -> None:
    """A load and a store."""
    for dst, src in ((own, memory), (memory, own)):
        checked(Case(Copy(dst, src, scope, threads, "sm_90a", **more)))


def box(space: str, element: str, layout: str, shape: tuple[int, ...], region: Any = None, **more: Any) -> Operand:
    return Operand.of(space, element, shape, layout, region, **more)


WARPS = [("warpid", "cta", 128), ("wid_in_wg", "warpgroup", 128)]
RANGES = [(0, 1), (1, 2), (3, 4), (0, 2), (2, 4), (0, 4)]


@pytest.mark.sample(40)
@pytest.mark.parametrize(("axis", "scope", "threads"), WARPS)
@pytest.mark.parametrize("warps", RANGES)
@pytest.mark.parametrize("lanes", [(0, 1), (3, 4), (4, 8), (0, 8)])
def test_windows_of_registers_are_held_by_some_warps_and_lanes(
    axis: str, scope: str, threads: int, warps: tuple[int, int], lanes: tuple[int, int]
) -> None:
    """Also by those whose number is 0, or one only, on an axis that the window's layout does not mention then."""
    region = (warps, lanes, (0, 8))
    own = box("local", "f16", f"S[(4,8,4,2):(1@{axis},4@laneid,1@laneid,1)]", (4, 8, 8), region)
    extents = tuple(end - begin for begin, end in region)
    both_ways(own, box("shared", "f16", f"S[{','.join(map(str, extents))}]", extents), scope, threads)


@pytest.mark.parametrize("first", [0, 2, 8])
@pytest.mark.parametrize(("element", "count"), [("i8", 2), ("f16", 8), ("f32", 2), ("f64", 2)])
def test_one_access_from_registers_further_on(element: str, count: int, first: int) -> None:
    own = box("local", element, f"S[{count}:1] + {first}", (count,))
    width = count * own.bits
    if first * own.bits % min(32, width) == 0:
        for space in ("global", "shared"):
            both_ways(own, box(space, element, f"S[{count}:1]", (count,)), "thread", 1, variant=f"vec_{width}b")


@pytest.mark.parametrize("element", ["f16", "f32"])
def test_one_access_within_a_swizzles_units(element: str) -> None:
    """A swizzle moves units of so many elements: an access of one is whole, of two is torn."""
    bits = {"f16": 16, "f32": 32}[element]
    for unit in (1, 2):
        memory = box("shared", element, f"swz({unit},2,3) @ S[64]", (64,), ((32, 32 + (1 << unit)),))
        own = box("local", element, f"S[{1 << unit}:1]", (1 << unit,))
        both_ways(own, memory, "thread", 1, variant=f"vec_{bits << unit}b")
        torn = replace(memory, region=((32, 32 + (2 << unit)),)), box("local", element, f"S[{2 << unit}]", (2 << unit,))
        with pytest.raises(CopyError, match=f"the swizzle of shared memory splits chunks of {bits // 4 << unit} bytes"):
            choose(Copy(*torn, "thread", 1, "sm_90a", variant=f"vec_{2 * bits << unit}b"))


@pytest.mark.parametrize(
    ("condition", "scope", "threads", "team"),
    [
        ("lane >= 8 and lane < 16", "warp", 32, 8), ("lane >= 8 and lane < 15", "warp", 64, 7), ("lane == 31", "warp", 32, 1), ("lane >= 14 and lane < 16", "warp", 32, 2),
        ("lane % 2 == 1", "warp", 32, 1), ("tid >= 64", "cta", 128, 64), ("tid > 64", "warpgroup", 128, 63), ("", "thread", 1, 1),
        ("tid >= 32", "warp", 96, 32), ("tid < 48", "warp", 96, 16),
    ],
)  # fmt: skip
def test_elements_are_dealt_to_those_who_come(condition: str, scope: str, threads: int, team: int) -> None:
    """To the first of them that are neighbours, and come in all instances of the scope that come at all."""
    sides = [box(space, "f16", "S[(9,24):(32,1)]", (9, 24)) for space in ("shared", "global")]
    plan = checked(Case(Copy(sides[0], sides[1], scope, threads, "sm_90a", "fallback"), condition), "dealt")
    assert (plan.vector_bytes, plan.rounds) == (16, -(-27 // team))


def test_nobody_comes() -> None:
    sides = [box(space, "f16", "S[8,8]", (8, 8)) for space in ("shared", "global")]
    for scope in ("warp", "cta"):
        plan = choose(Copy(sides[0], sides[1], scope, 64, "sm_90a", guard=Guard(0)))
        assert plan.form in ("gmem_smem", "dealt")


def test_a_thread_copies_for_itself_whoever_comes() -> None:
    sides = [box(space, "f16", "S[8,8]", (8, 8)) for space in ("shared", "global")]
    unknown = Guard(None, "x > 0")
    plan = choose(Copy(sides[0], sides[1], "thread", 64, "sm_90a", "fallback", guard=unknown))
    assert (plan.form, plan.rounds, plan.conditions) == ("dealt", 8, ())
    with pytest.raises(CopyError, match="which threads take part is unknown: x > 0"):
        choose(Copy(sides[0], sides[1], "warp", 64, "sm_90a", "fallback", guard=unknown))


@pytest.mark.parametrize("element", ["f4E2M1FN", "f6E3M2FN"])
def test_sixteen_packed_elements_are_moved_together(element: str) -> None:
    sides = [box(space, element, "S[4,16]", (4, 16)) for space in ("shared", "global")]
    plan = choose(Copy(sides[0], sides[1], "warp", 32, "sm_100a", "fallback"))
    assert (plan.vector_bytes, plan.rounds) == (16, 1)


def test_memories_without_iters_in_common() -> None:
    """Twice three blocks of eight on one side, three times sixteen on the other: elements alone, in an order of their own."""
    twice, thrice = "S[(2,24):(32,1)]", "S[(3,16):(32,1)]"
    for a, b in ((twice, thrice), (thrice, twice)):
        sides = [box("shared", "f16", a, (6, 8)), box("global", "f16", b, (6, 8))]
        for dst, src in (sides, sides[::-1]):
            for bounds in (None, (1, 4)):
                for scope, threads, form in (("thread", 1, "gmem_smem"), ("warp", 32, "dealt")):
                    checked(Case(Copy(dst, src, scope, threads, "sm_90a", bounds=bounds)), form)


def test_regions_of_registers_and_memory_that_no_iters_describe() -> None:
    """With dimensions of 1 and of 2 elements, and registers that come twice."""
    blocks = box(
        "shared", "f16", "S[(2,2,12,4,8):(8192,4096,8,256,1)]", (2, 2, 12, 32), ((1, 2), (0, 2), (3, 11), (5, 9))
    )
    whole = [((8, 4, 2), "4@laneid,1@laneid,1"), ((2, 8, 2, 2), "1@laneid,4@laneid,2@laneid,1")]
    for extents, strides in whole:
        layout = f"S[({','.join(map(str, extents))}):({strides})]"
        for repeated in ("", " + R[2:2]", " + R[4:2]"):
            both_ways(box("local", "f16", layout + repeated, (2, 8, 4)), blocks, "warp", 32)
    alone = box("local", "f16", "S[(2,4,2,3):(24,6,1,2)] + R[2:64]", (8, 6), ((0, 8), (1, 3)))
    both_ways(alone, box("shared", "f16", "S[8,2]", (8, 2)), "thread", 1)


def test_threads_at_no_distance_hold_too_much() -> None:
    own = box("local", "f16", "S[(2,16,4):(0@laneid,1@laneid,1)]", (32, 4))
    with pytest.raises(CopyError) as caught:
        choose(Copy(own, box("shared", "f16", "S[32,4]", (32, 4)), "warp", 32, "sm_90a"))
    assert "R's thread iters [(2, 0@laneid), (16, 1@laneid)] overlap" in str(caught.value)


def test_bounded_asynchronous_vectors_run_along_one_dimension() -> None:
    """Eight elements in two rows of four would end in the one or the other: four are taken."""
    sides = [box(space, "f16", "S[(64,4):(4,1)]", (64, 4)) for space in ("shared", "global")]
    for bounds, size, along in ((None, 16, -1), ((1, 1), 8, 1), ((1, 4), 8, 1), ((2, 4), 8, 1)):
        asked = Copy(sides[0], sides[1], "warp", 32, "sm_90a", asynchronous=True, bounds=bounds)
        plan = checked(Case(asked), "gmem_smem")
        assert (plan.variant, plan.vector_bytes, plan.vector_dimension) == ("ldgsts", size, along), bounds
    one = [box(space, "f32", "S[(64,1):(4,1)]", (64, 1)) for space in ("shared", "global")]
    plan = checked(Case(Copy(one[0], one[1], "warp", 32, "sm_90a", asynchronous=True, bounds=(1, 1))))
    assert (plan.variant, plan.vector_bytes, plan.vector_dimension) == ("ldgsts", 4, -1)


@pytest.mark.parametrize("dst", ["shared", "global"])
@pytest.mark.parametrize(("own", "other"), [(" + R[2:64]", ""), ("", " + R[2:64]"), (" + R[3:64]", " + R[2:64]")])
def test_each_copy_in_memory_is_written_and_one_is_read(dst: str, own: str, other: str) -> None:
    src = "global" if dst == "shared" else "shared"
    sides = [box(space, "f16", f"S[(8,8):(8,1)]{replica}", (8, 8)) for space, replica in ((dst, own), (src, other))]
    for scope, threads in (("warp", 32), ("cta", 96)):
        checked(Case(Copy(sides[0], sides[1], scope, threads, "sm_90a")))
