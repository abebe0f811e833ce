"""Fences of one direction, of shared memory only, and of one total order; requests for clusters."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.case import ASYNC, MEMORY, Bug, Kernel, ptx, zeros

DEKKER = Kernel(
    "two CTAs that let each other go first",
    ptx(
        """
ld.param.u64 %rd1, [flags]; ld.param.u64 %rd2, [data]; ld.param.u64 %rd3, [out]; mov.u32 %r2, 1; mov.u32 %r9, 0;
mad.wide.u32 %rd4, %b, 4, %rd1; xor.b32 %r1, %b, 1; mad.wide.u32 %rd5, %r1, 4, %rd1;
st.relaxed.gpu.global.u32 [%rd4], %r2;
fence.sc.gpu;
ld.acquire.gpu.global.u32 %r3, [%rd5]; setp.ne.u32 %p1, %r3, 0; @%p1 bra gone;
ld.global.u32 %r4, [%rd2]; add.u32 %r4, %r4, 1; st.global.u32 [%rd2], %r4; mov.u32 %r9, 1;
gone: mad.wide.u32 %rd6, %b, 4, %rd3; st.global.u32 [%rd6], %r9; ret;""",
        "flags data out",
        "sm_90",
    ),
    lambda: [zeros(2), zeros(1), zeros(2)],
    lambda a: bool(a[1][0] == a[2].sum() <= 1),
    grid=2,
    block=1,
    bugs=(
        Bug("a fence that is not of the total order", "fence.sc.gpu;", "fence.acq_rel.gpu;", "fence.sc", MEMORY),
        Bug("a fence of each direction", "fence.sc.gpu;", "fence.release.gpu; fence.acquire.gpu;", "fence.sc", MEMORY),
        Bug("a fence of the CTA", "fence.sc.gpu;", "fence.sc.cta;", "scope", MEMORY),
        Bug("the fence comes first", "st.relaxed.gpu.global.u32 [%rd4], %r2;\nfence.sc.gpu;",
            "fence.sc.gpu; st.relaxed.gpu.global.u32 [%rd4], %r2;", "fence.sc", MEMORY),
        Bug("a weak store", "st.relaxed.gpu.global.u32 [%rd4]", "st.global.u32 [%rd4]", "flag", MEMORY),
        Bug("a weak load", "ld.acquire.gpu.global.u32 %r3", "ld.global.u32 %r3", "flag", MEMORY),
    ),
    harmless={
        "ld.acquire": "a relaxed load tells as well that the other has not come",
    },
)  # fmt: skip

DEKKER_WARPS = Kernel(
    "two warps that let each other go first",
    ptx(
        """
.shared .align 4 .b8 flags[8]; .shared .align 4 .b8 data[4]; ld.param.u64 %rd3, [out]; mov.u32 %r20, flags; mov.u32 %r9, 0;
setp.eq.u32 %p5, %l, 0; setp.eq.u32 %p6, %t, 0; @%p6 st.shared.u32 [flags], %r9; @%p6 st.shared.u32 [flags+4], %r9;
@%p6 st.shared.u32 [data], %r9; bar.sync 0; @!%p5 bra gone;
mad.lo.u32 %r21, %w, 4, %r20; xor.b32 %r1, %w, 1; mad.lo.u32 %r22, %r1, 4, %r20; mov.u32 %r2, 1;
st.relaxed.cta.shared.u32 [%r21], %r2;
fence.sc.cta;
ld.acquire.cta.shared.u32 %r3, [%r22]; setp.ne.u32 %p1, %r3, 0; @%p1 bra gone;
ld.shared.u32 %r4, [data]; add.u32 %r4, %r4, 1; st.shared.u32 [data], %r4; mov.u32 %r9, 1;
gone: mad.wide.u32 %rd6, %w, 4, %rd3; @%p5 st.global.u32 [%rd6], %r9; ret;""",
        "out",
        "sm_90",
    ),
    lambda: [zeros(2)],
    lambda a: bool(a[0].sum() <= 1),
    block=64,
    bugs=(
        Bug("no fence", "fence.sc.cta;", "", "fence.sc", MEMORY),
        Bug("a fence that is not of the total order", "fence.sc.cta;", "fence.acq_rel.cta;", "fence.sc", MEMORY),
    ),
    harmless={"ld.acquire": "a relaxed load tells as well that the other has not come"},
)  # fmt: skip

HANDED = Kernel(
    "words handed to a peer by fences of shared memory",
    ptx(
        """
.shared .align 8 .b8 bar[8]; .shared .align 4 .b8 words[128]; ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [out];
mov.u32 %r20, %cluster_ctarank; setp.eq.u32 %p1, %t, 0; mov.u32 %r1, bar; mov.u32 %r2, words; mad.lo.u32 %r2, %t, 4, %r2;
@%p1 mbarrier.init.shared.b64 [bar], 32;
barrier.cluster.arrive; barrier.cluster.wait; // ready
setp.ne.u32 %p2, %r20, 0; mad.wide.u32 %rd3, %t, 4, %rd1; mad.wide.u32 %rd4, %t, 4, %rd2; @%p2 bra taker;
mapa.shared::cluster.u32 %r3, %r1, 1; ld.global.u32 %r5, [%rd3]; st.shared.u32 [%r2], %r5; // own
fence.release.sync_restrict::shared::cta.cluster;
mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r3]; bra end;
taker: mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 %p3, [bar], 0; @!%p3 bra taker;
fence.acquire.sync_restrict::shared::cluster.cluster;
mapa.shared::cluster.u32 %r4, %r2, 0; ld.shared::cluster.u32 %r6, [%r4]; // theirs
st.global.u32 [%rd4], %r6;
end: barrier.cluster.arrive; barrier.cluster.wait; ret;""",
        "data out",
        "sm_90a",
    ),
    lambda: [np.arange(32, dtype=np.uint32), zeros(32)],
    lambda a: bool((a[0] == a[1]).all()),
    grid=2,
    block=32,
    cluster=2,
    bugs=(
        Bug("no release", "fence.release.sync_restrict::shared::cta.cluster;", "", "fence", MEMORY),
        Bug("no acquire", "fence.acquire.sync_restrict::shared::cluster.cluster;", "", "fence", MEMORY),
        Bug("an acquire for a release", "fence.release.sync_restrict::shared::cta.cluster;", "fence.acquire.cluster;", "fence", MEMORY),
        Bug("a release for an acquire", "fence.acquire.sync_restrict::shared::cluster.cluster;", "fence.release.cluster;", "fence", MEMORY),
        Bug("global memory by a fence of shared memory", "st.shared.u32 [%r2], %r5; // own", "st.shared.u32 [%r2], %r5; add.u32 %r5, %r5, 1; st.global.u32 [%rd4], %r5;", "fence", MEMORY),
    ),
)  # fmt: skip

REQUESTS = Kernel(
    "clusters that take the work of others",
    ptx(
        """
.shared .align 16 .b8 answer[16]; .shared .align 8 .b8 bar[8]; .reg .b128 %q<2>; ld.param.u64 %rd1, [out]; mov.u32 %r5, 0;
mov.u32 %r20, %cluster_ctarank; mov.u32 %r7, %b; mov.u32 %r30, 0; mov.u32 %r31, 0;
setp.eq.u32 %p1, %t, 0; setp.eq.and.u32 %p2, %r20, 0, %p1; @%p1 mbarrier.init.shared.b64 [bar], 1;
barrier.cluster.arrive.release; barrier.cluster.wait.acquire;
next: @%p1 mbarrier.arrive.expect_tx.relaxed.cluster.shared::cta.b64 _, [bar], 16;
@%p2 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [answer], [bar];
mad.lo.u32 %r8, %r7, 32, %t; mad.wide.u32 %rd2, %r8, 4, %rd1; st.global.u32 [%rd2], %r8;
ask: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [bar], %r5; @!%p3 bra ask; xor.b32 %r5, %r5, 1;
ld.shared.b128 %q1, [answer]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p4, %q1;
clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r7, %r10, %r11, %r12}, %q1; add.u32 %r7, %r7, %r20;
@!%p4 bra done; // refused
fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;
barrier.cluster.arrive.relaxed; barrier.cluster.wait;
fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;
bra next;
done: ret;""",
        "out",
        "sm_100a",
    ),
    lambda: [zeros(16 * 32)],
    lambda a: bool((a[0] == np.arange(16 * 32)).all()),
    grid=16,
    block=32,
    cluster=2,
    bugs=(
        Bug("no release of the answer", "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;", "", "cluster launch", ASYNC),
        Bug("no barrier before the next request", "barrier.cluster.arrive.relaxed; barrier.cluster.wait;", "", "cluster launch"),
        Bug("the answer is not awaited", "@!%p3 bra ask;", "", "cluster launch", ASYNC),
        Bug("bytes of half an answer", "[bar], 16;", "[bar], 8;", "cluster launch"),
        Bug("the place is cleared without a proxy fence", "next: @%p1 mbarrier", "next: @%p1 st.shared.u32 [answer], %r31; @%p1 mbarrier", "proxy fence", ASYNC),
        Bug("the place is cleared after the request", "mad.lo.u32 %r8, %r7, 32, %t;", "@%p1 st.shared.u32 [answer], %r31; mad.lo.u32 %r8, %r7, 32, %t;", "cluster launch", ASYNC),
        Bug("a request after a refusal", "@!%p4 bra done; // refused", "add.u32 %r30, %r30, 1; setp.gt.u32 %p6, %r30, 3; @%p6 bra done; @!%p4 mov.u32 %r7, 0;",
            "cluster launch", frozenset({"cluster-launch"})),
        Bug("work of a refusal", "@!%p4 bra done; // refused", "mad.lo.u32 %r8, %r7, 32, %t; mad.wide.u32 %rd2, %r8, 4, %rd1; @!%p4 st.global.u32 [%rd2], %r8; @!%p4 bra done;", "cluster launch"),
    ),
    harmless={
        "fence.proxy.async::generic.acquire": "the barrier's wait acquires, too",
        "mbarrier.arrive.expect_tx.relaxed.cluster": "nothing is told by it",
        "mbarrier.try_wait.parity.acquire.cluster": "copies complete at whatever scope the wait has",
        "barrier.cluster.arrive.release": "only an mbarrier of the own CTA is used by others' copies",
    },
)  # fmt: skip

STRONG_READ = Kernel(
    "a counter that is set back once all have looked at it",
    ptx(
        """
ld.param.u64 %rd1, [words]; ld.param.u64 %rd2, [out]; mov.u32 %r9, 0; setp.eq.u32 %p1, %b, 0; @%p1 bra last; mov.u32 %r2, 1;
ld.relaxed.gpu.global.u32 %r1, [%rd1+4]; mad.wide.u32 %rd3, %b, 4, %rd2; st.global.u32 [%rd3], %r1;
red.release.gpu.global.add.u32 [%rd1], %r2; // told
ret;
last: atom.relaxed.gpu.global.add.u32 %r4, [%rd1+4], 1;
wait: ld.acquire.gpu.global.u32 %r3, [%rd1]; setp.ne.u32 %p2, %r3, 3; @%p2 bra wait;
st.global.u32 [%rd1+4], %r9; ret;""",
        "words out",
        "sm_80",
    ),
    lambda: [zeros(2), zeros(4)],
    lambda a: bool((a[0] == [3, 0]).all()),
    grid=4,
    block=1,
    bugs=(
        Bug("they tell before they look", "ld.relaxed.gpu.global.u32 %r1, [%rd1+4]; mad.wide.u32 %rd3, %b, 4, %rd2; st.global.u32 [%rd3], %r1;\n"
            "red.release.gpu.global.add.u32 [%rd1], %r2; // told",
            "red.release.gpu.global.add.u32 [%rd1], %r2; ld.relaxed.gpu.global.u32 %r1, [%rd1+4];", "atomics", MEMORY),
        Bug("it does not wait", "@%p2 bra wait;", "", "flag", MEMORY),
        Bug("a relaxed word", "red.release", "red.relaxed", "flag", MEMORY),
        Bug("a weak look at what others add to", "ld.relaxed.gpu.global.u32 %r1", "ld.global.u32 %r1", "atomics", MEMORY),
    ),
)  # fmt: skip

LAST_THREAD = Kernel(
    "the last thread of all adds up",
    ptx(
        """
ld.param.u64 %rd1, [words]; ld.param.u64 %rd2, [count]; ld.param.u64 %rd3, [out]; mad.lo.u32 %r1, %b, 64, %t; mov.u32 %r2, 1;
mad.wide.u32 %rd4, %r1, 4, %rd1; add.u32 %r3, %r1, 3; st.global.u32 [%rd4], %r3;
fence.acq_rel.gpu; // before
atom.relaxed.gpu.global.add.u32 %r4, [%rd2], %r2;
setp.ne.u32 %p1, %r4, 127; @%p1 bra end;
fence.acq_rel.gpu; // behind
mov.u32 %r5, 0; mov.u32 %r6, 0;
add: ld.global.u32 %r7, [%rd1]; add.u32 %r5, %r5, %r7; add.u64 %rd1, %rd1, 4; add.u32 %r6, %r6, 1;
setp.lt.u32 %p2, %r6, 128; @%p2 bra add; st.global.u32 [%rd3], %r5;
end: ret;""",
        "words count out",
        "sm_80",
    ),
    lambda: [zeros(128), zeros(1), zeros(1)],
    lambda a: bool(a[2][0] == sum(range(3, 131))),
    grid=2,
    block=64,
    bugs=(
        Bug("no fence before it counts", "fence.acq_rel.gpu; // before", "", "flag", MEMORY),
        Bug("no fence behind", "fence.acq_rel.gpu; // behind", "", "flag", MEMORY),
        Bug("a fence of the CTA before", "fence.acq_rel.gpu; // before", "fence.acq_rel.cta;", "scope", MEMORY),
        Bug("the last but one", "127; @%p1", "126; @%p1", "flag", MEMORY),
        Bug("a count of the CTA", "atom.relaxed.gpu", "atom.relaxed.cta", "scope", MEMORY),
    ),
)  # fmt: skip

LANES_IN_TURN = Kernel(
    "the last lane adds up what the others have stored",
    ptx(
        """
.shared .align 4 .b8 s[128]; .shared .align 4 .b8 count[4]; ld.param.u64 %rd1, [out]; mov.u32 %r1, s; mad.lo.u32 %r1, %l, 4, %r1;
setp.eq.u32 %p1, %t, 0; mov.u32 %r9, 0; @%p1 st.shared.u32 [count], %r9; bar.warp.sync -1;
add.u32 %r2, %t, 3; st.shared.u32 [%r1], %r2;
atom.acq_rel.cta.shared.add.u32 %r3, [count], 1;
setp.ne.u32 %p2, %r3, 31; @%p2 bra end; mov.u32 %r4, s; mov.u32 %r5, 0; mov.u32 %r6, 0;
add: ld.shared.u32 %r7, [%r4]; add.u32 %r5, %r5, %r7; add.u32 %r4, %r4, 4; add.u32 %r6, %r6, 1;
setp.lt.u32 %p3, %r6, 32; @%p3 bra add; st.global.u32 [%rd1], %r5;
end: ret;""",
        "out",
        "sm_80",
    ),
    lambda: [zeros(1)],
    lambda a: bool(a[0][0] == sum(range(3, 35))),
    block=32,
    bugs=(
        Bug("an atomic that tells nothing", "atom.acq_rel.cta", "atom.acquire.cta", "flag", MEMORY),
        Bug("an atomic that learns nothing", "atom.acq_rel.cta", "atom.release.cta", "flag", MEMORY),
        Bug("the first lane", "%r3, 31;", "%r3, 0;", "flag", MEMORY),
        Bug("no barrier of the warp after the count is set", "bar.warp.sync -1;", "", "warp", MEMORY),
    ),
)  # fmt: skip

STORED_BY_A_COPY = Kernel(
    "words of a warp that another one's copy stores",
    ptx(
        """
.shared .align 128 .b8 s[128]; .shared .align 8 .b8 bar[8]; ld.param.u64 %rd1, [out]; mov.u32 %r1, s; mad.lo.u32 %r2, %l, 4, %r1;
setp.eq.u32 %p1, %t, 0; @%p1 mbarrier.init.shared.b64 [bar], 1; bar.sync 0;
setp.eq.u32 %p2, %w, 0; setp.eq.u32 %p3, %l, 0; @%p2 bra taker;
st.shared.u32 [%r2], %t;
fence.proxy.async.shared::cta; // stored
bar.warp.sync -1;
@!%p3 bra end; mbarrier.arrive.shared.b64 _, [bar]; bra end;
taker: @!%p3 bra end;
wait: mbarrier.try_wait.parity.shared.b64 %p4, [bar], 0; @!%p4 bra wait;
cp.async.bulk.global.shared::cta.bulk_group [%rd1], [s], 128; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
end: ret;""",
        "out",
    ),
    lambda: [zeros(32)],
    lambda a: bool((a[0] == np.arange(32, 64)).all()),
    block=64,
    bugs=(
        Bug("no barrier of the warp", "bar.warp.sync -1;", "", "warp", ASYNC),
        Bug("no barrier of the warp behind a fence of one way", "fence.proxy.async.shared::cta; // stored\nbar.warp.sync -1;",
            "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;", "warp", ASYNC),
        Bug("one lane fences", "fence.proxy.async.shared::cta; // stored\nbar.warp.sync -1;",
            "@%p3 fence.proxy.async.shared::cta; bar.warp.sync -1;", "proxy fence", ASYNC),
        Bug("the fence behind the arrival", "fence.proxy.async.shared::cta; // stored\nbar.warp.sync -1;\n@!%p3 bra end; mbarrier.arrive.shared.b64 _, [bar];",
            "bar.warp.sync -1; @%p3 mbarrier.arrive.shared.b64 _, [bar]; fence.proxy.async.shared::cta;", "proxy fence"),
    ),
)  # fmt: skip

KERNELS = (DEKKER, DEKKER_WARPS, HANDED, REQUESTS, STRONG_READ, LAST_THREAD, LANES_IN_TURN, STORED_BY_A_COPY)
