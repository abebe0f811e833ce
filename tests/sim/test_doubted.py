"""Runs made again to see whether it matters what is loaded: which races may be idle, and what unwritten bits are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import HEADER
from weft.sim import KernelFault
from weft.sim.arena import Arena
from weft.sim.doubts import Doubts, may_be_idle
from weft.sim.lanes import Lanes
from weft.sim.program import Program
from weft.sim.registers import Row
from weft.sim.witness import FILLS, Witness

LOAD = "ld.global.u32 %r1, [%d1];"


@pytest.mark.parametrize(
    ("body", "idle"),
    [
        (LOAD, False),  # No thread uses it.
        (LOAD + "st.global.u32 [%d2], %r1;", False),
        (LOAD + "@%p1 st.global.u32 [%d2], %r1;", True),
        (LOAD + "add.u32 %r2, %r1, 1; @%p1 st.global.u32 [%d2], %r2;", True),
        (LOAD + "add.u32 %r2, %r1, 1; st.global.u32 [%d2], %r2;", False),
        (LOAD + "selp.u32 %r2, %r1, %r3, %p1; st.global.u32 [%d2], %r2;", True),
        (LOAD + "selp.u32 %r1, %r1, %r3, %p1; st.global.u32 [%d2], %r1;", True),
        (LOAD + "selp.u32 %r2, %r1, %r3, %p1; st.global.u32 [%d2], %r1;", False),
        (LOAD + "mov.u32 %r1, 0; st.global.u32 [%d2], %r1;", False),
        (LOAD + "@%p1 mov.u32 %r1, 0; st.global.u32 [%d2], %r1;", False),
        (LOAD + "mov.u32 %r1, 0; @%p1 bra L; st.global.u32 [%d2], %r1; L:", False),
        (LOAD + "@%p1 bra L; st.global.u32 [%d2], %r1; L:", True),
        (LOAD + "setp.eq.u32 %p1, %r1, 0; @%p1 bra L; st.global.u32 [%d2], 1; L:", False),
        (LOAD + "setp.eq.u32 %p1, %r1, 0; @%p1 st.global.u32 [%d2], 1;", True),
        (LOAD + "cvt.u64.u32 %d3, %r1; st.global.u32 [%d3], 1;", False),
        (LOAD + "cvt.u64.u32 %d3, %r1; @%p1 st.global.u32 [%d3], 1;", True),
        (LOAD + "st.local.u32 [own], %r1;", True),
        (LOAD + "st.shared.u32 [tile], %r1;", False),
        (LOAD + "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;", False),
        *((LOAD + f"@%p1 st.global.u32 [%d2], %r1; {end}; st.global.u32 [%d2], %r1;", True) for end in ("exit", "ret", "trap")),
        ("ld.weak.global.u32 %r1, [%d1]; @%p1 st.global.u32 [%d2], %r1;", True),
        ("ld.relaxed.gpu.global.u32 %r1, [%d1]; @%p1 st.global.u32 [%d2], %r1;", False),
        ("ld.volatile.global.u32 %r1, [%d1]; @%p1 st.global.u32 [%d2], %r1;", False),
        ("ld.global.nc.u32 %r1, [%d1]; @%p1 st.global.u32 [%d2], %r1;", False),
        ("atom.global.add.u32 %r1, [%d1], 1; @%p1 st.global.u32 [%d2], %r1;", False),
        ("ld.global.v2.u32 {%r1, %r2}, [%d1]; @%p1 st.global.u32 [%d2], %r2;", True),
    ],
)  # fmt: skip
def test_races_of_loads_that_may_be_idle(body: str, idle: bool) -> None:
    """Where what they give is used only where a branch, a guard or a choice says so, and decides nothing itself."""
    registers = ".reg .b64 %d<4>; .reg .b32 %r<4>; .reg .pred %p<2>; .local .u32 own; .shared .u32 tile;"
    module = weft.parse(
        f"{HEADER.format(target='sm_90')}.entry k(.param .u64 p) {{ {registers} ld.param.u64 %d1, [p]; {body} ret; }}\n"
    )
    program = Program(module, module.kernels[0], Arena())
    for place, other, wanted in (
        (("k", 1), None, idle),
        (None, ("k", 1), idle),
        (None, None, False),
        (("f", 1), ("k", 99), False),
    ):
        fault = KernelFault("race", "is wrong")
        fault.place, fault.other_place = place, other
        assert may_be_idle(program, fault) == wanted, (place, other)


def test_what_unwritten_bits_are() -> None:
    """In four ways: random ones, zeros, others, and the complement of the first; predicates both ways."""
    witness = Witness()
    found: dict[str, list[np.ndarray[Any, Any]]] = {}
    for kind in FILLS:
        witness.begin(kind)
        assert witness.recording == (kind == "random")
        arrays: list[np.ndarray[Any, Any]] = [
            np.zeros(64, dtype) for dtype in (np.uint8, np.uint16, np.uint32, np.uint64, np.bool_)
        ]
        for array in arrays:
            witness.fill(array)
        found[kind] = arrays
    for random, zeros, other, inverse in zip(*found.values(), strict=True):
        assert not zeros.any()
        if random.dtype == np.bool_:
            assert other.all() and 0 < random.sum() < 64
            continue
        assert (random ^ inverse == np.iinfo(random.dtype).max).all()
        assert (random != other).sum() > 32 and len(set(random.tolist())) > 32


def test_what_comes_out_the_same_is_confirmed() -> None:
    """Values that are what they were in the first run depend on nothing that was not written."""
    witness, row = Witness(), Row("%r1", "b32", 32)
    lanes, known = Lanes(0, 32), np.arange(32) % 4 != 0
    row.array[:] = np.arange(32)
    witness.begin(FILLS[0])
    place = witness.place(row)
    assert np.array_equal(place.confirmed(lanes, known), known)
    assert place.confirmed(lanes, np.ones(32, np.bool_)).all()
    for changed in ([], [4], [0, 28], list(range(0, 32, 4))):
        witness.begin("zeros")
        assert witness.place(row) is place
        row.array[:] = np.arange(32)
        row.array[changed] += 1
        assert np.flatnonzero(~place.confirmed(lanes, known)).tolist() == changed
        assert place.confirmed(lanes, np.ones(32, np.bool_)).all()
        third = place.confirmed(lanes, known)
        assert np.array_equal(third, known), "what the first run has not come to is not known"
    witness.begin("other")
    place = witness.place(row)
    row.array[:] = np.arange(32)
    fewer = np.arange(32) != 8
    assert place.confirmed(lanes, fewer).all()
    witness.begin("other")
    more = np.arange(32) % 2 != 0
    assert np.flatnonzero(~witness.place(row).confirmed(lanes, more)).tolist() == [n for n in range(0, 32, 2) if n % 4]
    witness.room = 3
    witness.begin(FILLS[0])
    row = Row("%r2", "b32", 32)
    witness.place(row)
    second = witness.place(row)
    assert not second.confirmed(lanes, np.zeros(32, np.bool_)).any() and witness.room == 3


def test_predicates_that_depend_on_unwritten_bits_go_either_way() -> None:
    witness, row, word = Witness(), Row("%p1", "pred", 32), Row("%r1", "b32", 32)
    lanes = np.array([3, 7, 20])
    for kind, wanted in (("random", False), ("zeros", False), ("other", True)):
        witness.begin(kind)
        row.array[:] = False
        witness.guess(row, lanes)
        assert np.flatnonzero(row.array).tolist() == (lanes.tolist() if wanted else []), kind
        before = word.array.copy()
        witness.guess(word, lanes)
        assert np.array_equal(word.array, before)
    row.array[:] = True
    witness.begin("zeros")
    witness.guess(row, lanes)
    assert np.flatnonzero(~row.array).tolist() == lanes.tolist()


def test_loads_that_are_noted_count_as_unwritten_from_then_on() -> None:
    """By lane, place, instruction and space; only plain loads of runs that forgive, and not too many."""

    def site(pos: int = 4, text: str = LOAD, *, deferred: bool = True) -> Any:
        module = weft.parse(
            f"{HEADER.format(target='sm_90')}.entry k() {{ .reg .b64 %d<4>; .reg .b32 %r<4>; {text} ret; }}\n"
        )
        instruction = next(iter(module.kernels[0].instructions()))
        instruction.pos = pos
        return SimpleNamespace(
            instruction=instruction,
            deferred=deferred,
            unwritten=[],
            machine=SimpleNamespace(batch=SimpleNamespace(first=0)),
        )

    space, other = SimpleNamespace(name="global"), SimpleNamespace(name="shared")
    doubts = Doubts()
    doubts.begin()
    assert doubts.note(site(), space, [3, 5], [64, 128]) and doubts.more  # type: ignore[arg-type]
    assert not doubts.note(site(deferred=False), space, [3], [64])  # type: ignore[arg-type]
    assert not doubts.note(site(text="ld.volatile.global.u32 %r1, [%d1];"), space, [3], [64])  # type: ignore[arg-type]
    assert not doubts.note(site(), space, range((1 << 18) - 1), range((1 << 18) - 1))  # type: ignore[arg-type]
    index, lanes = np.array([64, 128, 64, 128, 132]), np.array([3, 3, 5, 5, 5])
    one = site()
    assert doubts.certain(one, space, index, lanes, 4)[0] is index  # type: ignore[arg-type]
    doubts.begin()
    assert not doubts.more
    kept, who = doubts.certain(one, space, index, lanes, 4)  # type: ignore[arg-type]
    assert (kept.tolist(), who.tolist()) == ([128, 64, 132], [3, 5, 5])  # type: ignore[union-attr]
    ((noted, masks),) = one.unwritten
    assert (noted.tolist(), masks.tolist()) == ([3, 5], [0, 0])
    for elsewhere, where in ((site(pos=9), space), (one, other)):
        assert doubts.certain(elsewhere, where, index, lanes, 4)[0] is index  # type: ignore[arg-type]
    assert doubts.note(one, space, [3], [64]) and not doubts.more  # type: ignore[arg-type]
    assert doubts.note(one, space, [3], [72]) and doubts.more  # type: ignore[arg-type]
    doubts.begin()
    wide = doubts.certain(one, space, np.array([64, 80]), slice(3, 5), 16)  # type: ignore[arg-type]
    assert (wide[0].tolist(), wide[1].tolist()) == ([80], [4])  # type: ignore[union-attr]
