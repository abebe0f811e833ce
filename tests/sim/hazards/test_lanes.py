"""What only some lanes of a warp have done: fences, waits, barriers; and what a warp tells others too early."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import weft
from tests.sim.hazards.case import ptx
from tests.sim.hazards.corpus import KERNELS
from weft.sim import KernelFault


def kind(body: str, grid: int = 1, block: int = 32, target: str = "sm_90a", cluster: int | None = None) -> str:
    """The kind of fault of a kernel with an output, empty without one."""
    try:
        out = np.zeros(256, np.uint32)
        weft.run(weft.parse(ptx(body, target=target)), "k", grid, block, [out], cluster=cluster, max_steps=20_000)
    except KernelFault as fault:
        return fault.kind
    return ""


FLAG = """ld.param.u64 %rd1, [out]; mad.wide.u32 %rd2, %t, 4, %rd1; setp.ne.u32 %p2, %t, 0; setp.ne.u32 %p1, %b, 0; @%p1 bra user;
st.global.u32 [%rd2], 7; FIRST bar.warp.sync -1; SECOND @%p2 bra e; st.relaxed.gpu.global.u32 [%rd1+256], 1; bra e;
user: @%p2 bra j; look: ld.relaxed.gpu.global.u32 %r1, [%rd1+256]; setp.eq.u32 %p3, %r1, 0; @%p3 bra look;
j: MEET fence.acq_rel.gpu; ld.global.u32 %r2, [%rd2]; st.global.u32 [%rd2+128], %r2; e: ret;"""


@pytest.mark.parametrize(
    ("first", "second", "meet", "expected"),
    [
        ("", "fence.acq_rel.gpu;", "bar.warp.sync -1;", ""),
        ("fence.acq_rel.gpu;", "", "bar.warp.sync -1;", ""),
        ("", "@%p2 fence.acq_rel.gpu;", "bar.warp.sync -1;", "race"),
        ("", "@!%p2 fence.acq_rel.gpu;", "bar.warp.sync -1;", ""),
        ("", "fence.acq_rel.gpu;", "", "race"),
    ],
)
def test_fences_count_for_the_lanes_that_execute_them(first: str, second: str, meet: str, expected: str) -> None:
    text = FLAG.replace("FIRST", first).replace("SECOND", second).replace("MEET", meet)
    assert kind(text, grid=2) == expected


WARP = """.shared .b32 s[32]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2; ld.param.u64 %rd1, [out];
st.shared.u32 [%r3], %t; setp.ne.u32 %p1, %t, 0; LEAVE bar.warp.sync -1;
ld.shared.u32 %r5, [s+PLACE]; mad.wide.u32 %rd2, %t, 4, %rd1; st.global.u32 [%rd2], %r5; e: ret;"""


@pytest.mark.parametrize(
    ("leave", "place", "expected"), [("", "4", ""), ("@%p1 bra e;", "4", "race"), ("@%p1 bra e;", "0", "")]
)
def test_lanes_that_have_ended_meet_nobody(leave: str, place: str, expected: str) -> None:
    assert kind(WARP.replace("LEAVE", leave).replace("PLACE", place)) == expected


SKIP = """.shared .b32 s[64]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2; ld.param.u64 %rd1, [out]; setp.ne.u32 %p1, %t, 5;
st.shared.u32 [%r3], %t; GUARD bar.sync NUMBER; setp.ne.u32 %p2, %t, 0; @%p2 bra e;
ld.shared.u32 %r5, [s+20]; st.global.u32 [%rd1], %r5; e: ret;"""


@pytest.mark.parametrize("number", ["0", "1, 64"])
@pytest.mark.parametrize("guard", ["", "@%p1"])
def test_a_guard_that_lets_a_lane_past_a_barrier(guard: str, number: str) -> None:
    text = SKIP.replace("GUARD", guard).replace("NUMBER", number)
    assert kind(text, block=64) == ("divergent-collective" if guard else "")


def test_a_second_arrival_at_the_barrier_of_a_cluster() -> None:
    wait, arrive = "barrier.cluster.wait.aligned;", "barrier.cluster.arrive.aligned;"
    assert kind(f"{arrive} {wait} {arrive} {wait} ret;", grid=2, cluster=2) == ""
    assert kind(f"{arrive} {arrive} {wait} ret;", grid=2, cluster=2) == "barrier"


ROLES = """.shared .align 4 .b32 at; .shared .align 8 .b64 bar; ld.param.u64 %rd1, [out]; setp.ge.u32 %p1, %t, 32; setp.ne.u32 %p3, %t, 0;
@%p3 bra in; mbarrier.init.shared.b64 [bar], 1;
in: @%p1 bra al; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 32;
al: bar.sync 0; ld.shared.u32 %r1, [at]; and.b32 %r2, %w, 3; shl.b32 %r2, %r2, 21; add.u32 %r2, %r2, %r1; setp.ge.u32 %p2, %t, 128; @%p2 bra rd;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%t}; FIRST bar.sync 1, 128; SECOND @!%p3 mbarrier.arrive.shared.b64 %state, [bar]; THIRD bra done;
rd: mbarrier.try_wait.parity.shared.b64 %q, [bar], 0; @!%q bra rd;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r4}, [%r2]; tcgen05.wait::ld.sync.aligned; mad.wide.u32 %rd2, %t, 4, %rd1; st.global.u32 [%rd2+-512], %r4;
done: bar.sync 0; @%p1 bra e; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32; tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; e: ret;"""


@pytest.mark.parametrize(("place", "expected"), [("FIRST", ""), ("SECOND", "race"), ("THIRD", "race")])
def test_stores_to_tensor_memory_are_waited_for_before_others_are_told(place: str, expected: str) -> None:
    text = ROLES.replace(place, "tcgen05.wait::st.sync.aligned;")
    for other in ("FIRST", "SECOND", "THIRD"):
        text = text.replace(other, "")
    assert kind(text, block=256, target="sm_100a") == expected


def test_a_tensor_map_is_released_before_its_flag() -> None:
    kernel = next(one for one in KERNELS if one.name == "a map changed for another CTA")
    fence, flag = "fence.proxy.tensormap::generic.release.gpu; // release", "st.release.gpu.global.u32 [%rd8], %r6;"
    late = kernel.text.replace(fence, "").replace(flag, f"{flag} {fence.split(' //')[0]}")
    fault = kernel.fault(late)
    assert fault is not None
    assert fault.kind == "proxy-fence"


def test_a_commit_that_counts_for_the_phase_before() -> None:
    kernel = next(one for one in KERNELS if one.name == "tcgen05")
    commit = next(line for line in kernel.text.splitlines() if line.startswith("tcgen05.commit"))
    fault = kernel.fault(kernel.text.replace(commit, f"{commit.split(' //')[0]} {commit}"))
    assert fault is not None
    assert fault.kind == "race"


def test_what_a_warp_stores_together_all_of_it_lets_through() -> None:
    """A fence of the async proxy by some lanes does not cover `stmatrix`, to which each lane gives a part."""
    body = """.shared .align 128 .b8 s[512]; ld.param.u64 %rd1, [out]; mov.u32 %r1, s; mad.lo.u32 %r2, %l, 16, %r1;
stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r2], {%t, %t, %t, %t};
setp.ne.u32 %p1, %t, WITHOUT; @%p1 fence.proxy.async.shared::cta;
bar.warp.sync -1; setp.ne.u32 %p2, %t, 1; @%p2 bra done;
cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 512; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
done: ret;"""
    assert kind(body.replace("WITHOUT", "99")) == ""
    for lane in ("0", "7", "31"):
        assert kind(body.replace("WITHOUT", lane)) == "proxy-fence"


@pytest.mark.parametrize("block", [32, 64])
def test_a_fence_of_all_lanes_but_one_lets_through_what_the_others_store(block: int) -> None:
    body = """.shared .align 16 .b32 s[4]; ld.param.u64 %rd1, [out]; mov.u32 %r1, s; setp.ne.u32 %p1, %t, STORES;
@%p1 bra fence; st.shared.u32 [%r1], %t; st.shared.u32 [%r1+4], %t; st.shared.u32 [%r1+8], %t; st.shared.u32 [%r1+12], %t;
fence: setp.ne.u32 %p2, %t, WITHOUT; @%p2 fence.proxy.async.shared::cta;
bar.sync 0; setp.ne.u32 %p2, %t, 1; @%p2 bra done;
cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
done: ret;"""
    lanes = (0, 5, block - 2, block - 1)
    for stores, without in product(lanes, lanes):
        text = body.replace("STORES", str(stores)).replace("WITHOUT", str(without))
        assert kind(text, block=block) == ("proxy-fence" if stores == without else ""), (stores, without)


LATE = """.shared .align 16 .b8 tile[256]; .shared .align 8 .b64 bar; ld.param.u64 %rd1, [out]; mov.u32 %r1, tile; setp.ne.u32 %p1, %t, 0;
mov.u32 %r9, 0; mov.u32 %r8, 0; @%p1 bra go; mbarrier.init.shared.b64 [bar], 1;
go: bar.sync 0;
next: @%p1 bra wait; mbarrier.arrive.expect_tx.shared.b64 %state, [bar], 256;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 256, [bar];
wait: mbarrier.try_wait.parity.shared.b64 %q, [bar], PARITY; @!%q bra wait;
mad.lo.u32 %r2, %t, 4, %r1; USE xor.b32 %r9, %r9, 1; add.u32 %r8, %r8, 1; MEET setp.lt.u32 %p3, %r8, 3; @%p3 bra next;
mad.wide.u32 %rd2, %t, 4, %rd1; st.global.u32 [%rd2+512], %r3; ret;"""


@pytest.mark.parametrize(
    ("parity", "use", "meet", "expected"),
    [
        ("%r9", "ld.shared.u32 %r3, [%r2];", "bar.sync 0;", ""),
        ("0", "mov.u32 %r3, 0;", "bar.sync 0;", "race"),
    ],
)
def test_waits_that_may_miss_their_phase(parity: str, use: str, meet: str, expected: str) -> None:
    """What ends the next phase must not be under way before all have waited for this one."""
    assert kind(LATE.replace("PARITY", parity).replace("USE", use).replace("MEET", meet), block=64) == expected


def test_commits_tell_of_what_is_done_at_any_scope() -> None:
    """Both CTAs of a pair may overwrite what a product has read once they have waited for its commit."""
    kernel = next(one for one in KERNELS if one.name == "a product of a pair of CTAs")
    text = kernel.text.replace("try_wait.parity.shared.b64", "try_wait.parity.acquire.cta.shared::cta.b64")
    before, after = text.split("@!%q bra wait; // product")
    assert kernel.correct(kernel.run(f"{before}@!%q bra wait; st.shared.u32 [%r3], %t;{after}"))
    fault = kernel.fault(f"{before}@!%q bra wait;{after}".replace("wait: mbar", "wait: st.shared.u32 [%r3], %t; mbar"))
    assert fault is not None
