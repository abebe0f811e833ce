"""Shared memory of another CTA may be used until that ends, which must know of the last use: who need not tell it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sim.harness import INDEX, launch
from weft.sim import KernelFault

START = (
    INDEX
    + """.shared .align 16 .b8 s[64]; .shared .align 8 .b64 bar; ld.param.u64 %rd1, [p0]; mov.u32 %r1, bar; mov.u32 %r9, s; mov.u32 %r3, %cluster_ctarank;
mapa.shared::cluster.u32 %r2, %r1, 1; mapa.shared::cluster.u32 %r4, %r9, 1; setp.ne.u32 %p1, %r102, 0; @%p1 bra I; mbarrier.init.shared.b64 [bar], 1;
st.shared.v4.u32 [s], {1, 2, 3, 4}; fence.mbarrier_init.release.cluster; fence.proxy.async; I: barrier.cluster.arrive; barrier.cluster.wait; @%p1 bra E;
setp.eq.u32 %p2, %r3, 1; @%p2 bra W; USE
bra E; W: EXPECT again: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0; @!%p3 bra again; ld.shared.u32 %r7, [s+32]; E: END ret;"""
)
MEET, EXPECT = "barrier.cluster.arrive; barrier.cluster.wait;", "mbarrier.arrive.expect_tx.shared.b64 _, [bar], {};"
BYTES, OWN = "mbarrier::complete_tx::bytes", "st.shared.u32 [s+32], 1;"
ARRIVE = "mbarrier.arrive.{}.cluster.shared::cluster.b64 _, [%r2];"
USES = {
    "a store that the mbarrier counts": (f"st.async.weak.shared::cluster.{BYTES}.u32 [%r4+32], 7, [%r2];", EXPECT.format(4), ""),
    "an update that it counts": (f"red.async.relaxed.cluster.shared::cluster.{BYTES}.add.u32 [%r4], 7, [%r2];", OWN + EXPECT.format(4), ""),
    "a copy of global memory": (f"cp.async.bulk.shared::cluster.global.{BYTES} [%r4+32], [%rd1], 16, [%r2];", EXPECT.format(16), ""),
    "a copy of the own memory": (
        f"cp.async.bulk.shared::cluster.shared::cta.{BYTES} [%r4+32], [%r9], 16, [%r2];",
        EXPECT.format(16),
        "the threads exit while the copy may still read their shared memory",
    ),
    "a store before an arrival": ("st.shared::cluster.u32 [%r4+32], 7;" + ARRIVE.format("release"), "", ""),
    "an arrival": (ARRIVE.format("release"), OWN, ""),
    "an arrival that tells nothing": (ARRIVE.format("relaxed"), OWN, ""),
    "a store after the arrival": (
        ARRIVE.format("release") + "st.shared::cluster.u32 [%r4+48], 7;",
        OWN,
        "accesses shared memory at 0x30 of CTA ({}, 0, 0), which may have exited",
    ),
    "a load after the arrival": (
        ARRIVE.format("release") + "ld.shared::cluster.u32 %r5, [%r4+4];",
        OWN,
        "accesses shared memory at 0x4 of CTA ({}, 0, 0), which may have exited",
    ),
}  # fmt: skip
"""What CTA 0 of each cluster does in the memory of CTA 1, what this does before it waits, and what is wrong at the end."""


@pytest.mark.sample(6)
@pytest.mark.parametrize("use", USES)
def test_the_last_use_of_anothers_memory(use: str) -> None:
    """Without a barrier of the cluster behind it; with one all is well."""
    access, before, wrong = USES[use]

    def runs(end: str) -> None:
        body = START.replace("USE", access).replace("EXPECT", before).replace("END", end)
        launch(body, [np.arange(64, dtype=np.uint32)], 32, 4, target="sm_90", cluster=2)

    runs(MEET)
    if not wrong:
        runs("")
        return
    with pytest.raises(KernelFault) as caught:
        runs("")
    assert caught.value.kind == ("asynchronous-exit" if "exit while" in wrong else "race")
    assert any(wrong.format(cta) in caught.value.message for cta in (1, 3))


@pytest.mark.sample(1)
@pytest.mark.parametrize("relaxed", [False, True])
def test_barriers_of_the_cluster_before_and_after_the_last_use(relaxed: bool) -> None:
    """One behind it is enough, relaxed as well, however many came before; one that was arrived at before it is not."""
    arrive = f"barrier.cluster.arrive{'.relaxed' if relaxed else ''};"
    wait, use = "barrier.cluster.wait;", "@!%p1 bra N; st.shared::cluster.u32 [%r4+4], 7; N:"
    start = (
        INDEX
        + ".shared .align 16 .b8 s[64]; mov.u32 %r9, s; mapa.shared::cluster.u32 %r4, %r9, 1; setp.eq.u32 %p1, %r0, {}; "
        + MEET
    )
    for before in range(3):
        for end, wrong in (("", True), (arrive + wait, False), ((arrive + wait) * 2, False)):
            body = start + (arrive + wait) * before + use + end + "ret;"
            for thread in (0, 33):
                if not wrong:
                    launch(body.format(thread), [np.zeros(4, np.uint32)], 64, 2, target="sm_90", cluster=2)
                    continue
                with pytest.raises(KernelFault, match=r"at 0x4 of CTA \(1, 0, 0\), which may have exited") as caught:
                    launch(body.format(thread), [np.zeros(4, np.uint32)], 64, 2, target="sm_90", cluster=2)
                assert caught.value.thread is not None and caught.value.thread.warp == thread // 32
        body = (start + (arrive + wait) * before + arrive + use + wait + "ret;").format(5)
        with pytest.raises(KernelFault, match=r"which may have exited"):
            launch(body, [np.zeros(4, np.uint32)], 64, 2, target="sm_90", cluster=2)
