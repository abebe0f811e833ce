"""Distributed shared memory: lives of the CTAs, barriers of the cluster, remote arrivals, asynchronous stores, multicast."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.case import ANY, ASYNC, HANG, MEMORY, Bug, Kernel, ptx, words, zeros

CLUSTER = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"

EXCHANGE = Kernel(
    "exchange in a cluster",
    ptx(
        f"""
.shared .align 4 .b8 s[512];
ld.param.u64 %rd2, [out]; mov.u32 %r2, s; cvt.u64.u32 %rd5, %r2; mad.lo.u32 %r3, %t, 4, %r2; mov.u32 %r10, %cluster_ctarank;
mad.lo.u32 %r1, %b, 128, %t; st.shared.u32 [%r3], %r1;
{CLUSTER} // written
xor.b32 %r4, %r10, 1; mapa.shared::cluster.u32 %r5, %r3, %r4; ld.shared::cluster.u32 %r6, [%r5];
{CLUSTER} // read
mad.wide.u32 %rd4, %r1, 4, %rd2; st.global.u32 [%rd4], %r6; ret;""",
        "out",
    ),
    lambda: [zeros(512)],
    lambda a: bool((a[0] == (np.arange(512) ^ 128)).all()),
    grid=4,
    cluster=2,
    bugs=(
        Bug("no barrier before the read", f"{CLUSTER} // written", "", "cluster", MEMORY),
        Bug("a barrier of the CTA before the read", f"{CLUSTER} // written", "bar.sync 0;", "cluster", MEMORY),
        Bug("a relaxed arrival", f"{CLUSTER} // written", CLUSTER.replace("arrive", "arrive.relaxed"), "cluster", MEMORY),
        Bug("no barrier before the end", f"{CLUSTER} // read", "", "cluster life", ANY),
        Bug("a barrier of the CTA before the end", f"{CLUSTER} // read", "bar.sync 0;", "cluster life", ANY),
        Bug("an arrival without a wait before the read", f"{CLUSTER} // written", "barrier.cluster.arrive.aligned;", "cluster", MEMORY | HANG),
        Bug("it overwrites what the peer reads", f"{CLUSTER} // read", f"st.shared.u32 [%r3], %r6; {CLUSTER}", "cluster", MEMORY),
        Bug("it leaves early", f"{CLUSTER} // read", "barrier.cluster.arrive.aligned; ret;", "cluster life", ANY),
        Bug("a CTA that is not there", "xor.b32 %r4, %r10, 1;", "add.u32 %r4, %r10, 1;", "bounds"),
        Bug("the barrier before the store", f"st.shared.u32 [%r3], %r1;\n{CLUSTER} // written", f"{CLUSTER}\nst.shared.u32 [%r3], %r1;",
            "cluster", MEMORY),
    ),
)  # fmt: skip

PUSH = Kernel(
    "stores into a peer",
    ptx(
        f"""
.shared .align 4 .b8 s[512];
ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2; mov.u32 %r10, %cluster_ctarank;
{CLUSTER} // started
xor.b32 %r4, %r10, 1; mapa.shared::cluster.u32 %r5, %r3, %r4; mad.lo.u32 %r1, %b, 128, %t; st.shared::cluster.u32 [%r5], %r1;
barrier.cluster.arrive.release.aligned;
barrier.cluster.wait.acquire.aligned;
xor.b32 %r7, %t, 64; mad.lo.u32 %r7, %r7, 4, %r2; ld.shared.u32 %r6, [%r7];
mad.wide.u32 %rd4, %r1, 4, %rd2; st.global.u32 [%rd4], %r6; ret;""",
        "out",
    ),
    lambda: [zeros(256)],
    lambda a: bool((a[0] == (np.arange(256) ^ 192)).all()),
    grid=2,
    cluster=2,
    bugs=(
        Bug("before the peer has started", f"{CLUSTER} // started", "", "cluster life", ANY),
        Bug("no barrier after the stores", "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;", "",
            "cluster", ANY),
        Bug("relaxed arrivals", "barrier.cluster.arrive.release.aligned;", "barrier.cluster.arrive.relaxed.aligned;", "cluster", MEMORY),
        Bug("a barrier of the CTA after the stores", "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;",
            "bar.sync 0;", "cluster", ANY),
        Bug("the store between arrival and wait", "st.shared::cluster.u32 [%r5], %r1;\nbarrier.cluster.arrive.release.aligned;",
            "barrier.cluster.arrive.release.aligned; st.shared::cluster.u32 [%r5], %r1;", "cluster", MEMORY),
        Bug("the load between arrival and wait", "barrier.cluster.wait.acquire.aligned;\nxor.b32 %r7, %t, 64; mad.lo.u32 %r7, %r7, 4, %r2; ld.shared.u32 %r6, [%r7];",
            "xor.b32 %r7, %t, 64; mad.lo.u32 %r7, %r7, 4, %r2; ld.shared.u32 %r6, [%r7];\nbarrier.cluster.wait.acquire.aligned;", "cluster", MEMORY),
    ),
)  # fmt: skip

REMOTE = Kernel(
    "remote arrivals",
    ptx(
        f"""
.shared .align 4 .b8 s[512]; .shared .align 8 .b64 bar;
ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r9, bar; mad.lo.u32 %r3, %t, 4, %r2; mov.u32 %r10, %cluster_ctarank; setp.ne.u32 %p1, %t, 0;
@%p1 bra inited; mbarrier.init.shared.b64 [%r9], 128; fence.mbarrier_init.release.cluster; // init
inited: {CLUSTER} // started
xor.b32 %r4, %r10, 1; mapa.shared::cluster.u32 %r5, %r3, %r4; mapa.shared::cluster.u32 %r11, %r9, %r4;
mad.lo.u32 %r1, %b, 128, %t; st.shared::cluster.u32 [%r5], %r1;
mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r11];
wait: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%r9], 0; @!%q bra wait;
xor.b32 %r7, %t, 64; mad.lo.u32 %r7, %r7, 4, %r2; ld.shared.u32 %r6, [%r7];
mad.wide.u32 %rd4, %r1, 4, %rd2; st.global.u32 [%rd4], %r6;
{CLUSTER} // end
ret;""",
        "out",
    ),
    PUSH.inputs,
    PUSH.correct,
    grid=2,
    cluster=2,
    bugs=(
        Bug("an arrival in the scope of the CTA", "mbarrier.arrive.release.cluster.shared::cluster.b64", "mbarrier.arrive.release.cta.shared::cluster.b64",
            "scope", MEMORY),
        Bug("a wait in the scope of the CTA", "try_wait.parity.acquire.cluster", "try_wait.parity.acquire.cta", "scope", MEMORY),
        Bug("a relaxed arrival", "mbarrier.arrive.release.cluster", "mbarrier.arrive.relaxed.cluster", "scope", MEMORY),
        Bug("a relaxed wait", "try_wait.parity.acquire.cluster", "try_wait.parity.relaxed.cluster", "scope", MEMORY),
        Bug("no wait", "wait: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%r9], 0; @!%q bra wait;", "", "mbarrier wait", MEMORY),
        Bug("the wait is not repeated", "@!%q bra wait;", "", "mbarrier wait", MEMORY),
        Bug("no barrier after the init", f"inited: {CLUSTER} // started", "inited:", "mbarrier init", ANY),
        Bug("a barrier of the CTA after the init", f"inited: {CLUSTER} // started", "inited: bar.sync 0;", "mbarrier init", ANY),
        Bug("it arrives at its own", "mapa.shared::cluster.u32 %r11, %r9, %r4;", "mapa.shared::cluster.u32 %r11, %r9, %r10;", "mbarrier", MEMORY),
        Bug("the arrival before the store", "st.shared::cluster.u32 [%r5], %r1;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r11];",
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r11]; st.shared::cluster.u32 [%r5], %r1;", "mbarrier", MEMORY),
        Bug("a relaxed barrier, and no fence after the init", f"fence.mbarrier_init.release.cluster; // init\ninited: {CLUSTER} // started",
            f"inited: {CLUSTER.replace('arrive', 'arrive.relaxed')}", "mbarrier init", ANY),
    ),
    harmless={
        "fence.mbarrier_init.release.cluster; // init": "the arrival at the barrier of the cluster releases",
        f"{CLUSTER} // end": "all that the peer does here has arrived at the mbarrier that was waited for",
    },
)  # fmt: skip

STORES = Kernel(
    "asynchronous stores",
    ptx(
        f"""
.shared .align 8 .b8 s[512]; .shared .align 8 .b64 bar;
ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r9, bar; mad.lo.u32 %r3, %t, 4, %r2; mov.u32 %r10, %cluster_ctarank; setp.ne.u32 %p1, %t, 0;
@%p1 bra inited; mbarrier.init.shared.b64 [%r9], 1; fence.mbarrier_init.release.cluster; // init
mbarrier.arrive.expect_tx.shared.b64 %state, [%r9], 512;
inited: {CLUSTER} // started
xor.b32 %r4, %r10, 1; mapa.shared::cluster.u32 %r5, %r3, %r4; mapa.shared::cluster.u32 %r11, %r9, %r4; mad.lo.u32 %r1, %b, 128, %t;
st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r5], %r1, [%r11];
wait: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%r9], 0; @!%q bra wait;
xor.b32 %r7, %t, 64; mad.lo.u32 %r7, %r7, 4, %r2; ld.shared.u32 %r6, [%r7];
mad.wide.u32 %rd4, %r1, 4, %rd2; st.global.u32 [%rd4], %r6;
{CLUSTER} // end
ret;""",
        "out",
    ),
    PUSH.inputs,
    PUSH.correct,
    grid=2,
    cluster=2,
    bugs=(
        Bug("no wait", "wait: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%r9], 0; @!%q bra wait;", "", "TMA wait", ASYNC),
        Bug("the wait is not repeated", "@!%q bra wait;", "", "TMA wait", ASYNC),
        Bug("too few bytes are expected", "%state, [%r9], 512;", "%state, [%r9], 256;", "count", ASYNC | HANG),
        Bug("too many bytes are expected", "%state, [%r9], 512;", "%state, [%r9], 516;", "count", HANG),
        Bug("before the peer has started", f"inited: {CLUSTER} // started", "inited:", "cluster life", ANY),
        Bug("a barrier of the cluster in place of the wait", "wait: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%r9], 0; @!%q bra wait;",
            CLUSTER, "TMA wait", ASYNC),
        Bug("plain stores", "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r5], %r1, [%r11];", "st.shared::cluster.u32 [%r5], %r1;",
            "count", HANG | MEMORY),
    ),
    harmless={
        "fence.mbarrier_init.release.cluster; // init": "the arrival at the barrier of the cluster releases",
        ".cluster.shared::cta.b64 %q": "the bytes of an asynchronous store are complete where its mbarrier says so",
        f"{CLUSTER} // end": "the stores into this CTA have completed, and those of this CTA are awaited by the peer",
    },
)  # fmt: skip

MULTICAST = Kernel(
    "multicast",
    ptx(
        f"""
.shared .align 128 .b8 s[2048]; .shared .align 8 .b64 bar;
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r9, bar; mov.u32 %r10, %cluster_ctarank; setp.ne.u32 %p1, %t, 0;
@%p1 bra inited; mbarrier.init.shared.b64 [%r9], 1; fence.mbarrier_init.release.cluster; // init
mbarrier.arrive.expect_tx.shared.b64 %state, [%r9], 2048;
inited: {CLUSTER} // started
@%p1 bra wait; mad.lo.u32 %r3, %r10, 1024, %r2; mul.wide.u32 %rd3, %r10, 1024; add.u64 %rd1, %rd1, %rd3; mov.u16 %h1, 3;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r3], [%rd1], 1024, [%r9], %h1;
wait: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;
mad.lo.u32 %r4, %t, 16, %r2; ld.shared.u32 %r5, [%r4]; mad.lo.u32 %r6, %b, 128, %t;
mad.wide.u32 %rd4, %r6, 4, %rd2; st.global.u32 [%rd4], %r5;
{CLUSTER} // end
ret;""",
        "in out",
    ),
    lambda: [words(512), zeros(256)],
    lambda a: bool((a[1] == np.tile(a[0][::4], 2)).all()),
    grid=2,
    cluster=2,
    bugs=(
        Bug("no wait", "wait: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;", "wait:", "TMA wait", ASYNC),
        Bug("it expects its own half", "%state, [%r9], 2048;", "%state, [%r9], 1024;", "count", ASYNC | HANG),
        Bug("before the peer has started", f"inited: {CLUSTER} // started", "inited: bar.sync 0;", "cluster life", ANY),
        Bug("one CTA only", "mov.u16 %h1, 3;", "mov.u16 %h1, 1;", "count", ASYNC | HANG),
        Bug("both copy to one half", "mad.lo.u32 %r3, %r10, 1024, %r2;", "mov.u32 %r3, %r2;", "TMA wait", ANY),
    ),
    harmless={
        "fence.mbarrier_init.release.cluster; // init": "the arrival at the barrier of the cluster releases",
        f"{CLUSTER} // end": "each CTA has received all that is sent to it before it ends",
    },
)  # fmt: skip

KERNELS = (EXCHANGE, PUSH, REMOTE, STORES, MULTICAST)
