"""Random schedules: warps and CTAs are held back, a seed replays, right kernels stay right."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.sim import KernelFault

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 flag, .param .u64 data)\n{\n"
HEAD += ".reg .pred %p<4>; .reg .b64 %f, %d; .reg .b32 %b, %v, %t; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x;\n"
HEAD += "ld.param.u64 %f, [flag]; ld.param.u64 %d, [data]; shr.u32 %v, %t, 5; add.u32 %b, %b, %v;\n"
LATE = (
    HEAD
    + """setp.ne.u32 %p1, %b, 0; @%p1 bra write;
ld.relaxed.gpu.global.u32 %v, [%f]; setp.eq.u32 %p2, %v, 0; @%p2 bra end;
ld.global.u32 %v, [%d]; st.global.u32 [%d+4], %v; bra end;
write: mov.u32 %v, 1; st.global.u32 [%d], %v; st.relaxed.gpu.global.u32 [%f], %v;
end: ret; }"""
)
"""A race that shows only when the second warp, or CTA, is ahead of the first one."""
EXTENTS = pytest.mark.parametrize(("grid", "block"), [(2, 1), (1, 64)])


def run(
    grid: int, block: int, text: str = LATE, **options: object
) -> list[np.ndarray[tuple[int], np.dtype[np.uint32]]]:
    arguments = [np.zeros(1, np.uint32), np.zeros(2, np.uint32)]
    weft.run(weft.parse(text), "k", grid, block, arguments, **options)  # type: ignore[arg-type]
    return arguments


@EXTENTS
def test_the_default_takes_turns(grid: int, block: int) -> None:
    """One CTA, or warp, after the other: from the first to the last, and from the last to the first."""
    for text, order in (
        (LATE, "the last one first"),
        (LATE.replace("setp.ne.u32 %p1", "setp.eq.u32 %p1"), "the first"),
    ):
        run(grid, block, text, schedules=1)
        with pytest.raises(KernelFault) as found:
            run(grid, block, text)
        assert found.value.kind == "race"
        assert order in found.value.hint
    right = LATE.replace("relaxed", "acquire", 1).replace("st.relaxed", "st.release")
    assert run(grid, block, right)[1].tolist() == run(grid, block, right, schedules=1)[1].tolist()


def test_turns_end_when_they_take_too_long() -> None:
    """Each CTA counts for longer than these runs may take: nothing is said of it."""
    text = (
        HEAD
        + """atom.global.add.u32 %v, [%f], 1;
again: add.u32 %b, %b, 1; setp.lt.u32 %p1, %b, 9000; @%p1 bra again; ret; }"""
    )
    assert int(run(8, 1, text)[0][0]) == 8


def test_turns_of_locks() -> None:
    """Threads that wait for one that is held back give way."""
    text = (
        HEAD
        + """wait: atom.acquire.gpu.global.cas.b32 %v, [%f], 0, 1; setp.ne.u32 %p1, %v, 0; @%p1 bra wait;
ld.global.u32 %t, [%d]; add.u32 %t, %t, 1; st.global.u32 [%d], %t; st.release.gpu.global.u32 [%f], 0; ret; }"""
    )
    assert run(5, 1, text)[1].tolist() == [5, 0]


@EXTENTS
def test_a_seed_replays(grid: int, block: int) -> None:
    run(grid, block, schedules=1)
    with pytest.raises(KernelFault) as found:
        run(grid, block, schedules=40)
    seed = found.value.seed
    assert found.value.kind == "race"
    assert seed is not None
    assert f"seed={seed}" in found.value.hint
    assert found.value.changes is not None
    for changes in (None, found.value.changes):
        with pytest.raises(KernelFault) as again:
            run(grid, block, async_="random", seed=seed, changes=changes)
        assert again.value.message == found.value.message


@pytest.mark.sample(1)
@EXTENTS
def test_schedules_differ(grid: int, block: int) -> None:
    text = LATE.replace("relaxed", "acquire", 1).replace("st.relaxed", "st.release")
    seen = {int(run(grid, block, text, async_="random", seed=seed)[1][1]) for seed in range(30)}
    assert seen == {0, 1}


@pytest.mark.slow
def test_held_warps_are_let_go() -> None:
    """A warp that polls waits for one that is held back."""
    text = (
        HEAD
        + """setp.ne.u32 %p1, %b, 0; @%p1 bra write;
poll: ld.acquire.gpu.global.u32 %v, [%f]; setp.eq.u32 %p2, %v, 0; @%p2 bra poll;
ld.global.u32 %v, [%d]; st.global.u32 [%d+4], %v; bra end;
write: mov.u32 %v, 1; st.global.u32 [%d], %v; st.release.gpu.global.u32 [%f], %v;
end: ret; }"""
    )
    for seed in range(30):
        assert run(2, 1, text, async_="random", seed=seed)[1].tolist() == [1, 1]
