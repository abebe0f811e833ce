"""Clusters: their barrier, their ranks, and the shared memory of other CTAs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sim.harness import INDEX, launch
from weft.sim import KernelFault, SimulationError

RING = (
    """.shared .align 4 .b8 s[128];"""
    + INDEX
    + """
ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 4, %r2; st.shared.u32 [%r3], %r0;
barrier.cluster.arrive; barrier.cluster.wait;
mov.u32 %r4, %cluster_ctarank; mov.u32 %r5, %cluster_nctarank; add.u32 %r6, %r4, 1; rem.u32 %r6, %r6, %r5;
mapa.shared::cluster.u32 %r7, %r3, %r6; ld.shared::cluster.u32 %r8, [%r7]; getctarank.shared::cluster.u32 %r9, %r7;
cvt.u64.u32 %rd2, %r3; cvta.shared.u64 %rd2, %rd2; mapa.u64 %rd3, %rd2, %r6; ld.u32 %r10, [%rd3];
mov.u32 %r20, %clusterid.x; mov.u32 %r21, %cluster_ctaid.x;
barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;
mad.wide.u32 %rd1, %r0, 20, %rd1; st.global.u32 [%rd1], %r8; st.global.u32 [%rd1+4], %r9; st.global.u32 [%rd1+8], %r10;
st.global.u32 [%rd1+12], %r20; st.global.u32 [%rd1+16], %r21; ret;"""
)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_neighbours_in_a_cluster(size: int) -> None:
    out = np.zeros((8, 32, 5), np.uint32)
    launch(RING, [out], block=32, grid=8, cluster=size, target="sm_90")
    for cta in range(8):
        first = cta // size * size
        other = (cta - first + 1) % size
        value = (first + other) * 32 + np.arange(32)
        assert (out[cta, :, 0] == value).all()
        assert (out[cta, :, 2] == value).all()
        assert (out[cta, :, 1] == other).all()
        assert (out[cta, :, 3:] == [cta // size, cta - first]).all()


def test_two_dimensional_clusters_are_ordered_by_rank() -> None:
    out = np.zeros((4, 4), np.uint32)
    body = (
        INDEX
        + """ld.param.u64 %rd1, [p0]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mad.lo.u32 %r1, %r2, 4, %r1;
    mad.wide.u32 %rd1, %r1, 4, %rd1; mov.u32 %r3, %cluster_ctarank; st.global.u32 [%rd1], %r3; ret;"""
    )
    launch(body, [out], block=1, grid=(4, 4), cluster=(2, 2), target="sm_90")
    assert (out == np.tile([[0, 1], [2, 3]], (2, 2))).all()


def test_arrivals_at_a_barrier_of_another_cta() -> None:
    """Every CTA arrives at the mbarrier of rank 0, which then reads what they have stored there."""
    out = np.zeros(4, np.uint32)
    body = (
        """.shared .align 8 .b8 bar[8]; .shared .align 16 .b8 s[16];"""
        + INDEX
        + """
    ld.param.u64 %rd1, [p0]; mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 4;
    barrier.cluster.arrive; barrier.cluster.wait;
    mov.u32 %r2, s; mad.lo.u32 %r2, %r1, 4, %r2; mapa.shared::cluster.u32 %r3, %r2, 0; mad.lo.u32 %r4, %r1, 10, 5;
    st.shared::cluster.u32 [%r3], %r4; mov.u32 %r5, bar; mapa.shared::cluster.u32 %r6, %r5, 0;
    mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6]; @!%p1 bra done;
    wait: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [bar], 0; @!%p2 bra wait;
    ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [s]; st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13};
    done: ret;"""
    )
    launch(body, [out], block=1, grid=4, cluster=4, target="sm_90")
    assert out.tolist() == [5, 15, 25, 35]


def test_faults() -> None:
    with pytest.raises(SimulationError, match="multiple of the cluster"):
        launch("ret;", [], grid=3, cluster=2, target="sm_90")
    missing = ".shared .align 4 .b8 s[4]; mov.u32 %r1, s; mapa.shared::cluster.u32 %r2, %r1, 5; st.shared::cluster.u32 [%r2], 1; ret;"
    with pytest.raises(KernelFault, match="no CTA of rank 5"):
        launch(missing, [], grid=2, cluster=2, block=1, target="sm_90")


FORMS = """.shared .align 8 .b8 bar[16]; ld.param.u64 %rd1, [p0]; mbarrier.init.shared::cta.b64 [bar], 5; {body}
    selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2; st.global.v2.u32 [%rd1], {{%r1, %r2}}; st.global.v2.u32 [%rd1+8], {{%r3, %r4}}; ret;"""


@pytest.mark.parametrize(
    ("body", "want"),
    [
        # An arrival of two, one of three: the phase of the first state has completed, the next one has not.
        ("""mbarrier.arrive.release.cta.shared::cta.b64 %rd2, [bar], 2; mbarrier.pending_count.b64 %r3, %rd2;
         mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %rd3, [bar], 2; mbarrier.pending_count.b64 %r4, %rd3;
         mbarrier.arrive.shared::cta.b64 %rd3, [bar]; mbarrier.test_wait.acquire.cta.shared::cta.b64 %p1, [bar], %rd2;
         mbarrier.test_wait.parity.relaxed.cluster.shared::cta.b64 %p2, [bar], 1;""", [1, 0, 5, 3]),
        # Threads that leave are not expected in the phases that follow.
        ("""mbarrier.arrive_drop.shared.b64 %rd2, [bar], 3; mbarrier.arrive_drop.noComplete.shared.b64 %rd3, [bar], 1; mbarrier.arrive.shared.b64 _, [bar];
         mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; mbarrier.arrive.shared.b64 %rd4, [bar]; mbarrier.pending_count.b64 %r3, %rd4;
         mbarrier.test_wait.shared.b64 %p2, [bar], %rd4; mbarrier.pending_count.b64 %r4, %rd3;""", [1, 1, 1, 2]),
        # Bytes: expected with an arrival, before one, and completed before they are expected.
        ("""mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [bar], 16; mbarrier.arrive.shared.b64 %rd2, [bar], 4;
         mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 8; mbarrier.arrive.expect_tx.release.cluster.shared::cta.b64 %rd3, [bar], 24;
         mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; mbarrier.complete_tx.shared.b64 [bar], 16; mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0, 1000;
         mbarrier.pending_count.b64 %r3, %rd3; mov.u32 %r4, 0;""", [0, 1, 1, 0]),
        # A barrier that ends, and another life of its memory.
        ("""mov.u32 %r5, 7; mov.u32 %r6, 9; mbarrier.inval.shared.b64 [bar]; st.shared.v2.u32 [bar], {%r5, %r6}; ld.shared.v2.u32 {%r3, %r4}, [bar];
         mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.shared.b64 _, [bar]; mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;
         mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1;""", [1, 0, 7, 9]),
    ],
)  # fmt: skip
def test_forms_of_mbarriers(body: str, want: list[int]) -> None:
    out = np.zeros(4, np.uint32)
    launch(FORMS.format(body=body), [out], block=1, target="sm_90")
    assert out.tolist() == want


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("mbarrier.arrive.noComplete.shared.b64 %rd2, [bar], 5;", "with .noComplete completes the phase"),
        ("mbarrier.arrive.shared.b64 %rd2, [bar], 6;", "exceed the mbarrier's pending count"),
        ("mbarrier.inval.shared.b64 [bar]; mbarrier.arrive.shared.b64 _, [bar];", "nothing has written"),
        ("mbarrier.arrive.shared.b64 _, [bar+8];", "nothing has written"),
        (
            "again: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra again;",
            "for a phase|phase 0 lacks",
        ),
    ],
)
def test_misused_mbarriers(body: str, message: str) -> None:
    fill = "setp.eq.u32 %p1, 0, 1; setp.eq.u32 %p2, 0, 1; mov.u32 %r3, 0; mov.u32 %r4, 0;"
    with pytest.raises(KernelFault, match=message) as caught:
        launch(FORMS.format(body=fill + body), [np.zeros(4, np.uint32)], block=1, target="sm_90")
    assert caught.value.position.line > 0


def test_addresses_hold_the_rank() -> None:
    """Clearing bit 24 of a shared address names the even CTA of a pair, as CUTLASS and Triton do for `.cta_group::2`."""
    body = """.shared .align 4 .b8 s[16]; ld.param.u64 %rd1, [p0]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, s;
        st.shared.u32 [s+4], %r1; barrier.cluster.arrive; barrier.cluster.wait;
        and.b32 %r3, %r2, -16777217; ld.shared::cluster.u32 %r4, [%r3+4]; getctarank.shared::cluster.u32 %r5, %r3;
        ld.shared.u32 %r6, [%r2+4]; barrier.cluster.arrive; barrier.cluster.wait; mad.wide.u32 %rd1, %r1, 12, %rd1;
        st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r5; st.global.u32 [%rd1+8], %r6; ret;"""
    out = np.zeros((8, 3), np.uint32)
    launch(body, [out], block=1, grid=8, cluster=4, target="sm_90")
    assert out.tolist() == [[cta & ~1, cta & 2, cta] for cta in range(8)]


def test_a_look_at_a_phase_that_never_completes() -> None:
    """A `try_wait` outside of a loop is a look: it gives up, and the kernel goes on."""
    body = """.shared .align 8 .b64 bar; ld.param.u64 %rd1, [p0]; mov.u32 %r1, 0;
        mbarrier.init.shared.b64 [bar], 1; mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @%p1 mov.u32 %r1, 1;
        mbarrier.arrive.shared.b64 _, [bar]; mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @%p1 add.u32 %r1, %r1, 2;
        st.global.u32 [%rd1], %r1; ret;"""
    out = np.zeros(1, np.uint32)
    launch(body, [out], block=1, target="sm_90")
    assert out.tolist() == [2]


def test_waiting_without_having_arrived() -> None:
    launch(
        "barrier.cluster.arrive; barrier.cluster.wait; barrier.cluster.arrive; ret;",
        [],
        grid=2,
        cluster=2,
        target="sm_90",
    )
    for body in ("barrier.cluster.wait;", "barrier.cluster.arrive; barrier.cluster.wait; barrier.cluster.wait;"):
        with pytest.raises(KernelFault, match="without having arrived") as caught:
            launch(f"{body} ret;", [], grid=2, cluster=2, target="sm_90")
        assert caught.value.kind == "barrier"
