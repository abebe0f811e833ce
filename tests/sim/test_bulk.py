"""Bulk copies between global and shared memory, with mbarriers, multicast, groups and reductions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sim.harness import INDEX, launch
from weft.sim import Async, KernelFault

POLICIES = pytest.mark.parametrize("policy", ["eager", "lazy", "random"])
LOAD = (
    """.shared .align 16 .b8 s[1024]; .shared .align 8 .b8 bar[8];"""
    + INDEX
    + """
ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra ready;
mbarrier.init.shared.b64 [bar], 1; fence.proxy.async;
mbarrier.arrive.expect_tx.shared.b64 _, [bar], 1024;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 512, [bar];
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s+512], [%rd1+512], 512, [bar];
ready: bar.sync 0; {wait}
mov.u32 %r2, s; mad.lo.u32 %r2, %r1, 4, %r2; ld.shared.u32 %r3, [%r2]; mad.wide.u32 %rd2, %r1, 4, %rd2; st.global.u32 [%rd2], %r3; ret;"""
)
WAIT = "again: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra again;"


@POLICIES
def test_loads_complete_at_an_mbarrier(policy: Async) -> None:
    a, out = np.arange(256, dtype=np.uint32), np.zeros(256, np.uint32)
    launch(LOAD.format(wait=WAIT), [a, out], block=256, target="sm_90", async_=policy)
    assert (a == out).all()


def test_missing_wait() -> None:
    a, out = np.arange(256, dtype=np.uint32), np.zeros(256, np.uint32)
    launch(LOAD.format(wait=""), [a, out], block=256, target="sm_90", async_="eager", check="fast")
    for policy, kind in (("eager", "race"), ("lazy", "asynchronous-read")):
        with pytest.raises(KernelFault) as caught:
            launch(LOAD.format(wait=""), [a, out], block=256, target="sm_90", async_=policy)
        assert caught.value.kind == kind


@pytest.mark.sample(1)
@POLICIES
@pytest.mark.parametrize("test", ["mbarrier.test_wait.parity", "mbarrier.test_wait.parity.acquire.cta"])
def test_polling(policy: Async, test: str) -> None:
    """Copies complete for threads that poll as well, and for those that sleep between their polls."""
    for pause in ("", "@!%p2 nanosleep.u32 20;"):
        wait = f"again: {test}.shared::cta.b64 %p2, [bar], 0; {pause} @!%p2 bra again;"
        a, out = np.arange(256, dtype=np.uint32), np.zeros(256, np.uint32)
        launch(LOAD.format(wait=wait), [a, out], block=256, target="sm_90", async_=policy)
        assert (a == out).all()


def test_bounds() -> None:
    with pytest.raises(KernelFault, match="512 bytes there do not all lie in global memory"):
        launch(LOAD.format(wait=WAIT), [np.zeros(200, np.uint32), np.zeros(256, np.uint32)], block=256, target="sm_90")


STORE = (
    """.shared .align 16 .b8 s[512];"""
    + INDEX
    + """
ld.param.u64 %rd1, [p0]; mov.u32 %r1, s; mad.lo.u32 %r1, %r0, 16, %r1; st.shared.v4.u32 [%r1], {{%r0, %r0, %r0, %r0}};
fence.proxy.async; mad.wide.u32 %rd2, %r0, 16, %rd1;
{copy} cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;"""
)


@POLICIES
def test_stores_complete_in_groups(policy: Async) -> None:
    out = np.zeros((32, 4), np.uint32)
    copy = "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r1], 16;"
    launch(STORE.format(copy=copy), [out], target="sm_90", async_=policy)
    assert (out == np.arange(32)[:, None]).all()
    total = np.full((32, 4), 5, np.uint32)
    copy = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 16;"
    launch(STORE.format(copy=copy), [total], target="sm_90", async_=policy)
    assert total[0].tolist() == [5 + sum(range(32))] * 4
    assert (total[1:] == 5).all()


@POLICIES
def test_multicast(policy: Async) -> None:
    a, out = np.arange(64, dtype=np.uint32), np.zeros((4, 64), np.uint32)
    body = (
        """.shared .align 16 .b8 s[256]; .shared .align 8 .b8 bar[8];"""
        + INDEX
        + """
    ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank;
    setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 1; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;
    barrier.cluster.arrive; barrier.cluster.wait; setp.eq.and.u32 %p2, %r2, 0, %p1; mov.u16 %rs1, 15;
    @%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [%rd1], 256, [bar], %rs1;
    """
        + WAIT
        + """
    mov.u32 %r3, s; mad.lo.u32 %r3, %r1, 4, %r3; ld.shared.u32 %r4, [%r3]; mad.wide.u32 %rd2, %r0, 4, %rd2; st.global.u32 [%rd2], %r4; ret;"""
    )
    launch(body, [a, out], block=64, grid=4, cluster=4, target="sm_90", async_=policy)
    assert (out == a).all()
