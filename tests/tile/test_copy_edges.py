"""Registers that few threads hold, all do or threads far apart do, from and to each kind of memory, byte by byte."""

from __future__ import annotations

from itertools import product

import pytest

from tests.effort import one_in
from tests.tile.copy_kernels import Case
from tests.tile.copy_plans import carried_out
from weft.layout import parse
from weft.transforms.copy_dispatch import Copy, Operand

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
