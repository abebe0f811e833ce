"""Copies as kernels: every byte of every memory checked on the simulator, against the layouts' own definition."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import weft
from tests.conformance.copy_cases import request
from tests.conformance.test_copy_cases import TABLE
from tests.effort import one_in
from tests.tile.copy_kernels import Case, compiled, run
from tests.tile.copy_random import random_case
from tests.tile.test_copy_dispatch import operand, registers, shared
from weft.errors import WeftError
from weft.transforms.copy_dispatch import Copy

FRAGMENT = "S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)]"
BYTES = "S[(4,4,2,8):(1@laneid,1,4,4@laneid)]"
STORED = "S[(4,2,2,8):(1@laneid,1,2,4@laneid)]"


def warp(dst: Any, src: Any, target: str = "sm_90a", **more: Any) -> Copy:
    return Copy(dst, src, more.pop("scope", "warp"), more.pop("threads", 32), target, **more)


R16 = registers(FRAGMENT, (16, 16))
SWIZZLED = shared("swz(3,3,3)@S[(16,64):(64,1)]", (16, 64), region=((0, 16), (32, 48)))
WIDE = registers("S[(2,8,8,4,2):(2,4@laneid,4,1@laneid,1)]", (16, 64))
G = operand("global", "f16", (64, 32), "S[(64,32):(32,1)]")
S = shared("swz(3,2,3)@S[(64,32):(32,1)]", (64, 32))
COPIES = {
    "ldmatrix": warp(R16, SWIZZLED),
    "stmatrix": warp(SWIZZLED, R16),
    "x4": warp(WIDE, shared("swz(3,3,3)@S[(16,64):(64,1)]", (16, 64))),
    "no-stmatrix": warp(SWIZZLED, R16, "sm_80"),
    "nine": warp(registers("S[(9,8,4,2):(2,4@laneid,1@laneid,1)]", (72, 8)), shared("S[(72,8):(8,1)]", (72, 8))),
    "m16n16": warp(registers(BYTES, (16, 16), "i8"), shared("S[(16,16):(16,1)]", (16, 16), "i8"), "sm_100a"),
    "m16n8": warp(shared("S[(8,16):(16,1)]", (8, 16), "i8"), registers(STORED, (8, 16), "i8"), "sm_100a"),
    "bytes": warp(
        registers("S[(8,4,4):(4@laneid,1@laneid,1)]", (8, 16), "f8E4M3FN"),
        shared("S[(8,16):(16,1)]", (8, 16), "f8E4M3FN"),
    ),
    "words": warp(
        registers("S[(2,8,2,4):(1,4@laneid,2,1@laneid)]", (16, 8), "f32"), shared("S[(16,8):(8,1)]", (16, 8), "f32")
    ),
    "doubles": warp(registers("S[(32,4):(1@laneid,1)]", (32, 4), "f64"), operand("global", "f64", (32, 4), "S[32,4]")),
    "async": warp(S, G, scope="cta", threads=128, asynchronous=True),
    "one-each": warp(registers("S[32:1@laneid]", (32,), "f32"), shared("S[32:1]", (32,), "f32")),
    "replica": warp(registers("S[(8,4):(4@laneid,1)] + R[4:1@laneid]", (8, 4)), shared("S[(8,4):(4,1)]", (8, 4))),
    "apart": warp(
        registers("S[(8,4,2,4,8,3):(2,8@laneid,1,1@warpid,1@laneid,16)]", (64, 96)),
        shared("S[(64,12,8):(8,512,1)]", (64, 96)),
        scope="cta",
        threads=128,
    ),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", COPIES)
def test_every_byte(name: str) -> None:
    case = Case(COPIES[name])
    module = compiled(case)
    assert run(case, module) == []
    weft.assemble(module)


@pytest.mark.slow
@pytest.mark.parametrize("condition", ["lane < 16", "lane % 2 == 0", "warp != 1", "tid >= 32 and tid < 96"])
def test_conditions(condition: str) -> None:
    rows = registers("S[(128,8):(1@tx,1)]", (128, 8))
    copy = warp(rows, shared("S[(128,8):(8,1)]", (128, 8)), scope="cta", threads=128)
    assert run(Case(copy, condition)) == []
    moved = replace(copy, dst=S, src=G)
    assert run(Case(moved, condition)) == []


def check(seed: int) -> bool:
    """Whether a random copy is taken; what it does must be right."""
    case = random_case(seed)
    try:
        module = compiled(case)
    except WeftError as error:
        assert "no variant can do this copy" in str(error)
        return False
    problems = run(case, module)
    assert problems == [], f"seed {seed}: {case}"
    return True


@pytest.mark.sample(1)
@pytest.mark.parametrize("batch", range(14))
def test_random_copies(batch: int) -> None:
    assert sum(map(check, range(batch * 10, batch * 10 + 10))) >= 6


@pytest.mark.sample(3)
@pytest.mark.parametrize("load", [True, False], ids=["load", "store"])
@pytest.mark.parametrize("element", ["i8", "f16"])
@pytest.mark.parametrize(("first", "end"), [(0, 1), (1, 2), (1, 3), (3, 4), (2, 7), (3, 8), (5, 6), (4, 8), (0, 7)])
def test_parts_of_registers(first: int, end: int, element: str, load: bool) -> None:
    """Elements that share a word with others leave these alone."""
    own = registers("S[(32,8):(1@laneid,1)]", (32, 8), element, ((0, 32), (first, end)))
    memory = shared("S[(32,8):(8,1)]", (32, 8), element, ((0, 32), (8 - end + first, 8)))
    assert run(Case(warp(own, memory) if load else warp(memory, own))) == []
    guarded = Case(warp(own, memory) if load else warp(memory, own), "lane < 11")
    if load:
        assert run(guarded) == []


def entries() -> list[Any]:
    return json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else []


def table_cases(entry: Any) -> list[Case]:
    case = entry["case"]
    return [Case(request(case, step, faithful=False), case["guard"] or "") for step in range(case["loop"] or 1)]


@pytest.mark.slow
def test_the_whole_table() -> None:
    if not TABLE.exists():
        pytest.skip("the table of copy cases is not beside the checkout")
    for number, entry in enumerate(entries()):
        for case in table_cases(entry):
            try:
                module = compiled(case)
            except WeftError:
                assert not entry["class"].startswith("exact"), entry["case"]["id"]
                continue
            # Warps that all store the same tile from registers of their own race, as the case has it.
            assert run(case, module, check="fast") == [], entry["case"]["id"]
            if number % 4 == 0:
                weft.assemble(module)


def test_regions_that_no_iters_describe() -> None:
    """Columns 3 to 10 of a tile in column blocks of eight: element by element, at coordinates."""
    blocks = shared("S[(32,4,8):(8,256,1)]", (32, 32), region=((1, 9), (3, 11)))
    g = operand("global", "f16", (8, 8), "S[8,8]")
    own = registers("S[(8,4,2):(4@laneid,1@laneid,1)]", (8, 8))
    for copy in (warp(g, blocks), warp(blocks, g), warp(own, blocks), warp(blocks, own)):
        assert run(Case(copy)) == []


def test_every_copy_of_a_replica_is_written() -> None:
    twice = shared("S[(8,8):(8,1)] + R[2:64]", (8, 8))
    own = registers("S[(8,4,2):(4@laneid,1@laneid,1)]", (8, 8))
    doubled = registers("S[(8,4,2):(4@laneid,1@laneid,1)] + R[2:2]", (8, 8))
    g = operand("global", "f16", (8, 8), "S[8,8]")
    for copy in (warp(twice, own), warp(twice, g), warp(doubled, shared("S[8,8]", (8, 8)))):
        assert run(Case(copy)) == []


def test_four_bit_elements_become_bytes() -> None:
    """Sixteen 4-bit elements, padded to 16 bytes, are a byte each in the lanes that the layout names."""
    r = registers(BYTES, (16, 16), "f4E2M1FN")
    case = Case(warp(r, shared("S[(16,16):(16,1)]", (16, 16), "f4E2M1FN"), "sm_100a"))
    module = compiled(case)
    elements = np.random.default_rng(3).integers(0, 16, (16, 16)).astype(np.uint8)
    packed = np.zeros((16, 16), np.uint8)
    packed[:, :8] = elements[:, 0::2] | elements[:, 1::2] << 4
    held = np.zeros((32, 8), np.uint8)
    weft.run(module, "k", grid=(1,), block=(32,), args=[np.zeros(16, np.uint8), packed, held])
    meaning: dict[int, int] = {}
    for row, column in np.ndindex(16, 16):
        place = {axis.name: value for axis, value in r.layout.apply(row, column, shape=(16, 16)).items()}
        byte = int(held[place["laneid"], place["m"]])
        assert meaning.setdefault(int(elements[row, column]), byte) == byte
    assert len(set(meaning.values())) == 16
    weft.assemble(module)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("element", "columns", "cache"),
    [("f16", 8, "nc"), ("f32", 8, "nc.L1::no_allocate.L2::128B"), ("i8", 1, "nc"), ("f16", 1, "nc"), ("f64", 8, "nc")],
)
def test_cached_loads(element: str, columns: int, cache: str) -> None:
    g = operand("global", element, (32, columns), f"S[32,{columns}]")
    for dst in (registers(f"S[(32,{columns}):(1@laneid,1)]", (32, columns), element), replace(g, space="shared")):
        case = Case(warp(dst, g, cache=cache))
        module = compiled(case)
        assert f"ld.global.{cache}." in module.to_ptx()
        assert run(case, module) == []
        weft.assemble(module)
    with pytest.raises(WeftError, match="from global memory have no cache qualifier 'warm'"):
        compiled(Case(warp(dst, g, cache="warm")))
    with pytest.raises(WeftError, match="cache 'nc' applies only to loads from global memory"):
        compiled(Case(warp(g, replace(g, space="shared"), cache="nc")))


@pytest.mark.parametrize(
    ("element", "columns", "spelled"),
    [
        ("f16", 8, "v4.b32"), ("f16", 4, "v2.b32"), ("f16", 2, "b32"), ("f16", 1, "b16"), ("i8", 1, "b8"), ("i8", 2, "b16"),
        ("f32", 4, "v4.b32"), ("f32", 2, "v2.b32"), ("f32", 1, "b32"), ("f64", 2, "v2.b64"), ("f64", 1, "b64"),
    ],
)  # fmt: skip
def test_cached_loads_of_each_width(element: str, columns: int, spelled: str) -> None:
    """Of registers of 64 bits for elements of 64 bits, else of at most 32 bits each."""
    rows, memory = (
        registers(f"S[(32,{columns}):(1@laneid,1)]", (32, columns), element),
        operand("global", element, (32, columns), f"S[32,{columns}]"),
    )
    text = compiled(Case(warp(rows, memory, cache="nc"))).to_ptx()
    assert re.findall(r"ld\.global\.nc\.(\S+)", text) == [spelled]


def test_within_shared_memory() -> None:
    """From one swizzle, or none, to another; also a transposition, and fewer elements than threads."""
    plain = shared("S[(32,32):(32,1)]", (32, 32))
    for scope, threads in (("warp", 32), ("cta", 128)):
        for other in (
            shared("swz(2,3,3)@S[(32,32):(32,1)]", (32, 32)),
            shared("S[(32,32):(1,33)]", (32, 32)),
            shared("swz(3,3,3)@S[(32,64):(64,1)]", (32, 64), region=((0, 32), (32, 64))),
        )[:: one_in(2)]:
            assert run(Case(warp(other, plain, scope=scope, threads=threads))) == []
            assert run(Case(warp(plain, other, scope=scope, threads=threads))) == []
    few = shared("S[(4,8):(8,1)]", (4, 8))
    assert run(Case(warp(few, shared("S[(4,8):(1,4)]", (4, 8)), scope="cta", threads=128))) == []
