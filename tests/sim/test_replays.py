"""What faults of other schedules say: how they show, what replays them, and where the address lies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, launch
from tests.sim.test_schedules import HEAD, LATE
from weft.sim import KernelFault, run
from weft.sim.runs import FEW

AGAIN = "after line 11, before line 10 comes again; or use atomics; this access reads 0x1; the other access is by "
RACES = {
    "CTAs": f"order the CTAs by a release and an acquire at a flag, with a scope that includes both, {AGAIN}CTA (1, 0, 0), thread (0, 0, 0) (warp 0, lane 0); "
    "the address is byte 0 of argument data",
    "warps": f"put a barrier of the CTA, or an arrival and a wait at an mbarrier, {AGAIN}CTA (0, 0, 0), thread (63, 0, 0) (warp 1, lane 31); "
    "the address is byte 0 of argument data",
}
"""What mends the race of `LATE` between these."""
TRAPS = (
    HEAD
    + """setp.ne.u32 %p1, %b, 0; @%p1 bra write;
ld.acquire.gpu.global.u32 %v, [%f]; setp.eq.u32 %p2, %v, 0; @%p2 bra end; trap; bra end;
write: mov.u32 %v, 1; st.release.gpu.global.u32 [%f], %v;
end: ret; }"""
)
"""A kernel that is right unless the second CTA, or warp, is ahead of the first one."""


def caught(text: str, grid: int, block: int, **more: Any) -> KernelFault:
    with pytest.raises(KernelFault) as found:
        run(weft.parse(text), "k", grid, block, [np.zeros(1, np.uint32), np.zeros(2, np.uint32)], **more)
    return found.value


@pytest.mark.parametrize(("grid", "block", "unit"), [(2, 1, "CTAs"), (1, 64, "warps")])
def test_what_shows_in_another_order(grid: int, block: int, unit: str) -> None:
    """Behind what mends it, or alone."""
    shows = f"shows when {unit} run one after the other, the last one first"
    assert caught(TRAPS, grid, block).hint == shows
    assert caught(LATE, grid, block).hint == f"{RACES[unit]}; {shows}"


@pytest.mark.parametrize("text", [TRAPS, LATE], ids=["trap", "race"])
def test_what_random_schedules_find(text: str) -> None:
    """The seed, and the least of some numbers of changes, find it again."""
    fault = caught(text, 2, 1, schedules=40)
    before = "" if text == TRAPS else f"{RACES['CTAs']}; "
    assert fault.seed is not None and fault.changes in FEW
    assert fault.hint == f"{before}found with a random schedule: seed={fault.seed}, changes={fault.changes}"
    again = caught(text, 2, 1, async_="random", seed=fault.seed, changes=fault.changes)
    assert (again.kind, again.position.line, again.hint) == (fault.kind, fault.position.line, before.removesuffix("; "))
    for changes in FEW[: FEW.index(fault.changes)]:
        run(
            weft.parse(text),
            "k",
            2,
            1,
            [np.zeros(1, np.uint32), np.zeros(2, np.uint32)],
            async_="random",
            seed=fault.seed,
            changes=changes,
        )


def test_findings_of_random_schedules_are_merged() -> None:
    """All of them, each once, with the seed of the run that found them first; the run that counts comes last."""
    arguments = [np.zeros(1, np.uint32), np.zeros(2, np.uint32)]
    result = run(weft.parse(LATE), "k", 2, 1, arguments, schedules=30, report="all")
    (fault,) = result.findings
    assert (fault.kind, fault.changes) == ("race", None) and fault.seed is not None and 0 <= fault.seed < 29
    assert run(weft.parse(LATE), "k", 2, 1, arguments, schedules=1, report="all").findings == ()


PLACES = """.shared .align 16 .b8 first[24]; .shared .align 16 .b8 second[24]; ld.param.u64 %rd1, [p0]; mov.u32 %r1, {name};
ld.shared.u32 %r2, [%r1+{offset}]; st.global.u32 [%rd1], %r2; ret;"""


@pytest.mark.parametrize(
    ("name", "offset", "where"),
    [("first", 0, "first"), ("first", 20, "first + 20"), ("second", 0, "second"), ("second", 4, "second + 4")],
)
def test_the_variable_of_an_address(name: str, offset: int, where: str) -> None:
    with pytest.raises(KernelFault) as found:
        launch(PLACES.format(name=name, offset=offset), [np.zeros(4, np.uint32)], 1)
    assert found.value.kind == "uninitialised-memory"
    assert found.value.hint.split("; the address is ")[1].split(";")[0] == where


@pytest.mark.parametrize("offset", [0, 4, 60])
def test_the_argument_of_an_address(offset: int) -> None:
    body = INDEX + f"ld.param.u64 %rd1, [p1]; st.global.u32 [%rd1+{offset}], %r0; ret;"
    with pytest.raises(KernelFault) as found:
        launch(body, [np.zeros(64, np.uint32), np.zeros(16, np.uint32)], 64)
    assert found.value.kind == "race"
    assert found.value.hint == (
        "let one thread store, or use an atomic: which value remains is undefined; this access stores 0x0, the other 0x3f; the other "
        f"access is by CTA (0, 0, 0), thread (63, 0, 0) (warp 1, lane 31); the address is byte {offset} of argument p1"
    )


@pytest.mark.parametrize(
    ("access", "does"), [("ld.global.u32 %r1, [%rd1+{}];", "reads"), ("st.global.u32 [%rd1+{}], %r1;", "writes")]
)
@pytest.mark.parametrize(("offset", "threads"), [(0, 32), (4, 32), (60, 32), (60, 1)])
def test_what_the_grid_before_may_still_write(access: str, does: str, offset: int, threads: int) -> None:
    """Of the arrays that are named alone, until a thread has waited; who and where is told."""
    body = "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, 7; {}\n" + access.format(offset) + " ret;"
    arrays = [np.zeros(16, np.uint32) for _ in range(2)]
    with pytest.raises(KernelFault) as found:
        launch(body.format(""), arrays, threads, target="sm_90", earlier=[arrays[0]])
    fault = found.value
    assert fault.address is not None and fault.kind == "race"
    text = f"{does} what the earlier grid of the stream writes at global address {fault.address:#x}, in CTA (0, 0, 0), thread (0, 0, 0) (warp 0, lane 0)"
    assert fault.message == f"{access.split()[0]}: {text}"
    assert fault.hint == (
        "execute griddepcontrol.wait before the access, in this thread or in one that it synchronizes with; "
        f"the address is byte {offset} of argument p0"
    )
    launch(body.format("griddepcontrol.wait;"), arrays, threads, target="sm_90", earlier=[arrays[0]])
    launch(body.format(""), arrays, threads, target="sm_90", earlier=[arrays[1]])
