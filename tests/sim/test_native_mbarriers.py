"""Threads that wait for each other at mbarriers do the same in compiled code and in NumPy, and stay in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.sim.harness import INDEX, Array, launch
from tests.sim.tiers import counted
from weft.sim import KernelFault, Result

pytest.importorskip("llvmlite")

HEAD = (
    INDEX
    + """
.shared .align 8 .b64 full[4]; .shared .align 8 .b64 empty[4]; .shared .align 16 .b32 tile[{size}];
ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; mov.u32 %r2, full; mov.u32 %r3, empty; mov.u32 %r4, tile;
setp.ne.u32 %p0, %r1, 0; @%p0 bra made; {made} made: bar.sync 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0;
"""
)
RING = (
    HEAD
    + """
setp.ge.u32 %p1, %r1, {takers}; @%p1 bra fills; mov.u32 %r13, 0;
takes: mad.lo.u32 %r8, %r6, 8, %r2;
wait1: mbarrier.try_wait{parity}.shared.b64 %p2, [%r8], %r7; @!%p2 bra wait1;
mad.lo.u32 %r9, %r6, {takers}, %r1; mad.lo.u32 %r9, %r9, 4, %r4; ld.shared.u32 %r10, [%r9];
mad.lo.u32 %r13, %r13, 31, %r10; mad.lo.u32 %r8, %r6, 8, %r3; mbarrier.arrive.shared.b64 {state}, [%r8];
add.u32 %r5, %r5, 1; add.u32 %r6, %r6, 1; setp.ne.u32 %p3, %r6, {stages}; @%p3 bra same1; mov.u32 %r6, 0; xor.b32 %r7, %r7, 1;
same1: setp.lt.u32 %p3, %r5, {rounds}; @%p3 bra takes;
mad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1], %r13; ret;
fills: mov.u32 %r7, 1; sub.u32 %r11, %r1, {takers};
next: mad.lo.u32 %r8, %r6, 8, %r3; mov.u32 %r12, %r11;
wait2: mbarrier.try_wait{parity}.shared.b64 %p2, [%r8], %r7; @!%p2 bra wait2;
fill: mad.lo.u32 %r9, %r6, {takers}, %r12; mad.lo.u32 %r9, %r9, 4, %r4; mad.lo.u32 %r10, %r5, 1000, %r12;
add.u32 %r10, %r10, %r0; st.shared.u32 [%r9], %r10; add.u32 %r12, %r12, {fillers}; setp.lt.u32 %p3, %r12, {takers};
@%p3 bra fill; mad.lo.u32 %r8, %r6, 8, %r2; {arrive}
add.u32 %r5, %r5, 1; add.u32 %r6, %r6, 1; setp.ne.u32 %p3, %r6, {stages}; @%p3 bra same2; mov.u32 %r6, 0; xor.b32 %r7, %r7, 1;
same2: setp.lt.u32 %p3, %r5, {rounds}; @%p3 bra next; ret;
"""
)  # fmt: skip
"""Warps that fill the stages of a ring, and others that take them."""


def ring(takers: int, fillers: int, stages: int, rounds: int, count: int = 1, more: int = 0) -> str:
    arrive = f"mbarrier.arrive.shared.b64 _, [%r8], {count};"
    if count == 0:
        arrive = "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r8], 12; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r8], 12;"
        arrive += "mbarrier.arrive.shared.b64 _, [%r8];"
    made = "".join(
        f"mbarrier.init.shared.b64 [%r2+{8 * n}], {fillers * max(count, 1) - more};"
        f"mbarrier.init.shared.b64 [%r3+{8 * n}], {takers};"
        for n in range(stages)
    )
    state = "%rd4" if takers % 64 else "_"
    return RING.format(**locals(), size=stages * takers, parity=".parity")


def run(body: str, threads: int, engine: str, **more: Any) -> tuple[Array, Result | tuple[str, str]]:
    array = np.zeros(threads * 5, np.uint32)
    try:
        return array, launch(body, [array], threads, 5, target="sm_90", **{"engine": engine, "check": "fast", **more})
    except KernelFault as fault:
        return array, (fault.kind, str(fault))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("takers", "fillers", "stages", "rounds", "count"),
    [(32, 32, 1, 7, 1), (96, 32, 3, 20, 1), (64, 64, 2, 9, 3), (96, 96, 4, 30, 0), (256, 32, 2, 300, 1)],
)
@pytest.mark.parametrize(("check", "async_"), [("fast", "eager"), ("fast", "lazy"), ("strict", "lazy")])
def test_rings_stay_in_code(
    monkeypatch: pytest.MonkeyPatch,
    takers: int,
    fillers: int,
    stages: int,
    rounds: int,
    count: int,
    check: str,
    async_: str,
) -> None:
    calls = counted(monkeypatch)
    body = ring(takers, fillers, stages, rounds, count)
    threads = takers + fillers
    numpy, _ = run(body, threads, "numpy", check=check, async_=async_)
    native, result = run(body, threads, "native", check=check, async_=async_)
    assert isinstance(result, Result)
    assert (numpy == native).all()
    assert native.any()
    assert calls or (check == "strict" and count == 0)  # Bytes are counted in NumPy there.
    assert len(calls) <= 3


LEFT_OUT = {
    "nothing": "",
    "wait for a full stage": "@!%p2 bra wait1;",
    "wait for an empty stage": "@!%p2 bra wait2;",
    "the turn of parities": "mov.u32 %r6, 0; xor.b32 %r7, %r7, 1;\nsame2",
    "the barrier": "bar.sync 0;",
    "the arrival of those who take": "mbarrier.arrive.shared.b64 _, [%r8];",
    "the load": "ld.shared.u32 %r10, [%r9];",
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("what", LEFT_OUT)
@pytest.mark.parametrize("fillers", [32, 64])
def test_what_is_left_out_is_found(what: str, fillers: int) -> None:
    """Strictly, as in NumPy; compiled code only suspects."""
    body = ring(64, fillers, 2, 5)
    assert LEFT_OUT[what] in body
    body = body.replace(LEFT_OUT[what], "same2" if "same2" in LEFT_OUT[what] else "", 1)
    (one, numpy), (other, native) = (
        run(body, 64 + fillers, e, check="strict", timeout=60) for e in ("numpy", "native")
    )
    if isinstance(numpy, Result):
        assert isinstance(native, Result)
        assert (one == other).all()
    else:
        assert native == numpy


@pytest.mark.sample(1)
@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_wrong_arrivals_are_faults(engine: str) -> None:
    for body, kind in ((ring(32, 32, 1, 3, 2, more=1), "barrier"), (ring(32, 32, 2, 3, more=-1), "deadlock")):
        fault = run(body, 64, engine)[1]
        assert isinstance(fault, tuple)
        assert fault[0] == kind


@pytest.mark.parametrize(
    "use", ["mbarrier.arrive.shared.b64 _, [%r9];", "mbarrier.try_wait.parity.shared.b64 %p2, [%r9], 1;"]
)
def test_mbarriers_that_are_nowhere(use: str) -> None:
    """Whoever looks for them does not look beside the cells of shared memory."""
    head = HEAD.format(made="mbarrier.init.shared.b64 [%r2], 64;", size=64)
    faults = [run(f"{head} mov.u32 %r9, 0x7ffffff8; {use} ret;", 64, e, check="strict")[1] for e in ("numpy", "native")]
    assert isinstance(faults[0], tuple)
    assert faults[0] == faults[1]


@pytest.mark.parametrize("lanes", ["setp.eq.u32 %p5, %r14, 0;", "setp.lt.u32 %p5, %r14, 7;"])
def test_parts_of_warps_wait(lanes: str) -> None:
    made = "mbarrier.init.shared.b64 [%r2], 32; mbarrier.init.shared.b64 [%r3], 1;"
    body = (
        HEAD.format(made=made, size=64)
        + f"""mov.u32 %r14, %laneid; {lanes} mov.u32 %r9, 0;
    setp.lt.u32 %p1, %r1, 32; @%p1 bra arrives; @!%p5 bra met;
    wait: mbarrier.try_wait.parity.shared.b64 %p2, [%r2], 0; @!%p2 bra wait; ld.shared.u32 %r9, [tile];
    met: bar.warp.sync -1; add.u32 %r9, %r9, %r14; bra out;
    arrives: st.shared.u32 [tile], 77; mbarrier.arrive.shared.b64 _, [%r2];
    out: mad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1], %r9; ret;"""
    )
    assert (run(body, 64, "numpy")[0] == run(body, 64, "native")[0]).all()
