"""Kernels that hang: each with what is missing runs to its end, without it the report says who waits for what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.effort import draws
from tests.sim.harness import INDEX, launch
from weft.sim import KernelFault
from weft.sim.endless import Endless

FLAG = INDEX + "ld.param.u64 %rd1, [p0]; shr.u32 %r1, %r0, 5;\n"


def hang(body: str, block: int = 64, **more: Any) -> str:
    with pytest.raises(KernelFault) as caught:
        launch(body, [np.zeros(64, np.uint32)], block, target="sm_90", **more)
    assert caught.value.kind == "deadlock"
    assert caught.value.position.line > 0
    return str(caught.value)


def ends(body: str, block: int = 64, **more: Any) -> None:
    launch(body, [np.zeros(64, np.uint32)], block, target="sm_90", **more)


SPINS = {
    "volatile": "ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p2, %r2, 0; @%p2 bra again;",
    "acquire": "ld.acquire.gpu.global.u32 %r2, [%rd1]; setp.eq.u32 %p2, %r2, 0; @%p2 bra again;",
    "atom": "atom.global.add.u32 %r2, [%rd1], 0; setp.eq.u32 %p2, %r2, 0; @%p2 bra again;",
    "nanosleep": "ld.volatile.global.u32 %r2, [%rd1]; nanosleep.u32 100; setp.eq.u32 %p2, %r2, 0; @%p2 bra again;",
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("spin", SPINS)
def test_spinning_for_a_flag(spin: str) -> None:
    """Warp 0 spins until warp 1 has set the flag."""
    body = FLAG + "setp.eq.u32 %p1, %r1, 1; @%p1 bra other; again: " + SPINS[spin] + "ret; other: {} ret;"
    ends(body.format("st.volatile.global.u32 [%rd1], 1;"))
    text = hang(body.format(""))
    assert "CTA (0, 0, 0) warp 0: 32 threads wait in" in text
    assert "in a loop that changes nothing" in text


def test_a_lock_that_is_never_released() -> None:
    body = (
        FLAG
        + """again: atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra again;
    {} ret;"""
    )
    ends(body.format("atom.global.exch.b32 %r3, [%rd1], 0;"), block=draws(3, 16))
    assert "2 threads wait in atom.global.cas.b32" in hang(body.format(""), block=3, check="fast")


LOCK = """.shared .align 4 .b8 got[4]; mov.u32 %r4, %tid.x; setp.ne.u32 %p1, %r4, 0;
lock: @%p1 bra meet; atom.acquire.gpu.global.cas.b32 %r2, [%rd1], 0, 1; st.shared.u32 [got], %r2;
meet: bar.sync 0; ld.shared.u32 %r2, [got]; bar.sync 0; setp.ne.u32 %p2, %r2, 0; @%p2 bra lock;
@%p1 bra out; ld.global.u32 %r3, [%rd1+4]; add.u32 %r3, %r3, 1; {work} st.global.u32 [%rd1+4], %r3;
st.release.gpu.global.u32 [%rd1], {free};
out: bar.sync 0; ret;"""
LONE = """mov.u32 %r4, %tid.x; setp.eq.u32 %p1, %r4, 0;
lock: bar.sync 0; mov.u32 %r2, 0; @%p1 atom.acq_rel.gpu.global.cas.b32 %r2, [%rd1], 0, 1;
shfl.sync.idx.b32 %r3, %r2, 0, 31, -1; bar.sync 0; setp.eq.u32 %p2, %r3, 1; @%p2 bra lock;
mad.wide.u32 %rd2, %r4, 4, %rd1; ld.global.u32 %r3, [%rd2+4]; add.u32 %r3, %r3, 1; st.global.u32 [%rd2+4], %r3; bar.sync 0;
@%p1 atom.acq_rel.gpu.global.exch.b32 %r3, [%rd1], 0; bar.sync 0; ret;"""


@pytest.mark.slow
def test_a_lock_of_ctas_of_one_warp() -> None:
    """Those that wait come back to the same state before the one that goes on has its turn: that is no hang."""
    data = np.zeros(64, np.uint32)
    launch(FLAG + LONE, [data], 32, 3, target="sm_90")
    assert data[:33].tolist() == [0, *[3] * 32]


@pytest.mark.slow
def test_a_lock_of_ctas_of_one_warp_that_is_kept() -> None:
    data = np.zeros(64, np.uint32)
    kept = LONE.replace("exch.b32 %r3, [%rd1], 0;", "exch.b32 %r3, [%rd1], 1;")
    with pytest.raises(KernelFault, match="no thread can make progress"):
        launch(FLAG + kept, [data], 32, 8, target="sm_90")


WORK = "mov.u32 %r5, 0; more: add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 3000; @%p3 bra more;"


@pytest.mark.sample(1)
@pytest.mark.parametrize("work", ["", WORK])
@pytest.mark.parametrize("check", ["strict", "fast"])
def test_a_lock_whose_loop_has_a_barrier(work: str, check: Any) -> None:
    """The loop that waits for the lock stands before the one who holds it, and meets at barriers."""
    data = np.zeros(64, np.uint32)
    launch(FLAG + LOCK.format(work=work, free=0), [data], 64, 3, target="sm_90", check=check)
    assert data[:2].tolist() == [0, 3]
    assert "deadlock" in str(hang_kind(FLAG + LOCK.format(work=work, free=1), grid=3, check=check))


SHUFFLED = """mov.u32 %r4, %tid.x; setp.ne.u32 %p1, %r4, 0; mov.u32 %r6, 1;
lock: bar.sync 0; mov.u32 %r2, 0; @!%p1 atom.acq_rel.gpu.global.cas.b32 %r2, [%rd1], 0, 1;
shfl.sync.idx.b32 %r2, %r2, 0, 31, -1; bar.sync 0; setp.eq.u32 %p2, %r2, 1; @%p2 bra lock;
@!%p1 ld.global.u32 %r3, [%rd1+4]; add.u32 %r3, %r3, 1; @!%p1 st.global.u32 [%rd1+4], %r3; bar.sync 0;
@!%p1 atom.acq_rel.gpu.global.exch.b32 %r3, [%rd1], {free}; bar.sync 0; ret;"""


@pytest.mark.slow
@pytest.mark.parametrize("check", ["strict", "fast"])
def test_a_lock_whose_loop_changes_no_memory(check: Any) -> None:
    """Who holds the lock waits for its turn while the others loop: their state comes back, and that is no hang."""
    data = np.zeros(64, np.uint32)
    launch(FLAG + SHUFFLED.format(free=0), [data], 32, 4, target="sm_90", check=check)
    assert data[:2].tolist() == [0, 4]
    assert hang_kind(FLAG + SHUFFLED.format(free=1), block=32, grid=4, check=check) == "deadlock"


def hang_kind(body: str, block: int = 64, **more: Any) -> str:
    with pytest.raises(KernelFault) as caught:
        launch(body, [np.zeros(64, np.uint32)], block, target="sm_90", **more)
    return caught.value.kind


COUNTING = "mov.u32 %r3, 0; again: add.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0; @%p2 bra again; ret;"


@pytest.mark.parametrize("limit", [{"max_steps": 2000}, {"timeout": 0.05}])
def test_limits(limit: dict[str, Any]) -> None:
    """A loop that counts is no hang; a limit ends it, and says where the warps are."""
    with pytest.raises(KernelFault) as caught:
        launch(
            FLAG + "setp.eq.u32 %p1, %r1, 1; @%p1 bra other; " + COUNTING + "other: bar.sync 0; ret;",
            [np.zeros(64, np.uint32)],
            64,
            **limit,
        )
    assert caught.value.kind == "limit"
    assert "warp 0: 32 threads wait in add.u32" in str(caught.value)
    assert "warp 1: 32 threads wait in bar.sync" in str(caught.value)


ENDLESS = {
    "nothing": "again: bra again;",
    "plain load": "again: ld.global.u32 %r2, [%rd1]; setp.eq.u32 %p2, %r2, 0; @%p2 bra again; ret;",
    "a counter that stands still": "mov.u32 %r3, 0; again: and.b32 %r3, %r3, 7; setp.lt.u32 %p2, %r3, 9; @%p2 bra again; ret;",
}


@pytest.mark.slow
@pytest.mark.parametrize("block", [32, 64])
@pytest.mark.parametrize("loop", ENDLESS)
def test_loops_without_an_end(loop: str, block: int) -> None:
    """They poll nothing that the simulator takes for a flag; their state is what comes back."""
    assert "in a loop that changes nothing" in hang(FLAG + ENDLESS[loop], block)


@pytest.mark.slow
def test_a_long_loop_is_no_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    """No store, no flag, but a counter: 60,000 rounds beside a warp that has ended and one that waits.

    The counter of one thread shows that it goes on: nobody has to look at the state of all of them.
    """
    monkeypatch.delattr(Endless, "_digest")
    ends(
        FLAG
        + """setp.eq.u32 %p1, %r1, 1; @%p1 bra other; mov.u32 %r3, 0;
    again: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 60000; @%p2 bra again; other: bar.sync 0; ret;"""
    )


def test_waiting_for_time_is_no_hang() -> None:
    ends(
        FLAG
        + """mov.u64 %rd2, %clock64; again: mov.u64 %rd3, %clock64; sub.u64 %rd4, %rd3, %rd2; nanosleep.u32 10;
    setp.lt.u64 %p1, %rd4, 2000000000; @%p1 bra again; ret;""",
        block=32,
    )


RING = """.shared .align 8 .b8 full[8]; .shared .align 8 .b8 empty[8];
setp.ne.u32 %p1, %r0, 0; @%p1 bra made; mbarrier.init.shared.b64 [full], 32; mbarrier.init.shared.b64 [empty], 32;
made: bar.sync 0; mov.u32 %r5, 0; setp.eq.u32 %p1, %r1, 1; @%p1 bra producer; mov.u32 %r6, 0;
take: mbarrier.try_wait.parity.shared.b64 %p2, [full], %r6; @!%p2 bra take;
xor.b32 %r6, %r6, 1; {release} add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 4; @%p3 bra take; ret;
producer: mov.u32 %r6, {parity};
fill: mbarrier.try_wait.parity.shared.b64 %p2, [empty], %r6; @!%p2 bra fill;
xor.b32 %r6, %r6, 1; mbarrier.arrive.shared.b64 %rd2, [full]; add.u32 %r5, %r5, 1;
setp.lt.u32 %p3, %r5, 4; @%p3 bra fill; ret;"""
RELEASE = "mbarrier.arrive.shared.b64 %rd2, [empty];"


def test_a_ring_without_its_release() -> None:
    ends(FLAG + RING.format(release=RELEASE, parity=1))
    text = hang(FLAG + RING.format(release="", parity=1))
    assert "warp 0: 32 threads wait in mbarrier.try_wait" in text
    assert "warp 1: 32 threads wait in mbarrier.try_wait" in text
    assert "at mbarrier 0x88 (phase 0 lacks 32 of 32 arrivals)" in text


def test_a_ring_with_the_wrong_parity() -> None:
    """A producer must start as if the phase before had completed."""
    assert "(phase 0 lacks 32 of 32 arrivals)" in hang(FLAG + RING.format(release=RELEASE, parity=0))


def test_bytes_that_never_come() -> None:
    body = """.shared .align 8 .b8 bar[8]; mbarrier.init.shared.b64 [bar], 1;
    mbarrier.arrive.expect_tx.shared.b64 _, [bar], 64; {} again: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;
    @!%p1 bra again; ret;"""
    ends(body.format("mbarrier.complete_tx.shared.b64 [bar], 64;"), block=1)
    text = hang(body.format("mbarrier.complete_tx.shared.b64 [bar], 16;"), block=1)
    assert "at mbarrier 0x0 (phase 0 lacks 0 of 1 arrivals and 48 bytes)" in text


def test_part_of_a_cluster() -> None:
    body = (
        FLAG
        + """mov.u32 %r2, %cluster_ctarank; setp.eq.u32 %p1, %r2, 1; {}
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ret;
    skip: bar.sync 3, 128; ret;"""
    )
    ends(body.format(""), grid=2, cluster=2)
    text = hang(body.format("@%p1 bra skip;"), grid=2, cluster=2)
    assert "CTA (0, 0, 0) warp 0-1: 64 threads wait in barrier.cluster.wait.aligned" in text
    assert "CTA (1, 0, 0) warp 0-1: 64 threads wait in bar.sync" in text
    assert "at barrier 3 (64 of 128 expected threads have arrived)" in text


@pytest.mark.slow
def test_a_barrier_of_the_grid() -> None:
    """CTAs wait for all the others: they must be resident together, as on a GPU."""
    body = (
        FLAG
        + """setp.ne.u32 %p1, %r102, 0; @%p1 bra done; atom.global.add.u32 %r2, [%rd1], 1; mov.u32 %r3, %nctaid.x;
    again: ld.acquire.gpu.global.u32 %r2, [%rd1]; setp.lt.u32 %p2, %r2, %r3; @%p2 bra again; done: bar.sync 0; ret;"""
    )
    ends(body, block=64, grid=6)
    assert "hint: 3 CTAs of the grid have not started" in hang(body, block=64, grid=6, resident=192)
    ends(body, block=64, grid=6, resident=384)
