"""What exactly fences tell: the fence of initialisations, fences around relaxed operations on mbarriers, reductions."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.case import ANY, MEMORY, Array, Bug, Kernel, ptx, zeros

_SHARED = ".shared .align 4 .b8 s[512]; .shared .align 8 .b64 bar;"
_PEER = """ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r9, bar; mad.lo.u32 %r3, %t, 4, %r2; mov.u32 %r10, %cluster_ctarank;
xor.b32 %r4, %r10, 1; mapa.shared::cluster.u32 %r5, %r3, %r4; mapa.shared::cluster.u32 %r11, %r9, %r4; setp.ne.u32 %p1, %t, 0;
mad.lo.u32 %r1, %b, 128, %t; mad.wide.u32 %rd4, %r1, 4, %rd2;"""
_MEET = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
_RELAXED = "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;"
_FENCE = "fence.mbarrier_init.release.cluster;"
_SIZE = 512


def _exchanged(a: list[Array]) -> bool:
    return bool((a[0] == (np.arange(_SIZE) ^ 128)).all())


INITIALISED = Kernel(
    "initialisations told by a relaxed barrier",
    ptx(
        f"""
{_SHARED} {_PEER}
st.shared.u32 [%r3], %t; @%p1 bra inited; mbarrier.init.shared.b64 [%r9], 128; {_FENCE} // init
inited: {_RELAXED} // started
mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r11]; // told
wait: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%r9], 0; @!%q bra wait;
st.shared::cluster.u32 [%r5], %r1; {_MEET} // stored
ld.shared.u32 %r6, [%r3]; st.global.u32 [%rd4], %r6; ret;"""
    ),
    lambda: [zeros(_SIZE)],
    _exchanged,
    grid=4,
    cluster=2,
    bugs=(
        Bug("no fence after the init", f"{_FENCE} // init", "", "mbarrier init", ANY),
        Bug("a fence of the CTA after the init", f"{_FENCE} // init", "fence.acq_rel.cta;", "mbarrier init", ANY),
        Bug("the fence tells of no stores", f"{_RELAXED} // started", f"{_RELAXED} ld.shared::cluster.u32 %r6, [%r5];", "cluster", MEMORY),
        Bug("nor that bytes may be overwritten", "[%r11]; // told", "[%r11]; st.shared::cluster.u32 [%r5], %r1;", "cluster", MEMORY),
        Bug("the fence before the init", f"mbarrier.init.shared.b64 [%r9], 128; {_FENCE} // init", f"{_FENCE} mbarrier.init.shared.b64 [%r9], 128;",
            "mbarrier init", ANY),
    ),
)  # fmt: skip

_FENCED = "fence.acq_rel.cluster;"
RELAXED = Kernel(
    "relaxed arrivals between fences",
    ptx(
        f"""
{_SHARED} {_PEER}
@%p1 bra inited; mbarrier.init.shared.b64 [%r9], 128;
inited: {_MEET} // started
st.shared::cluster.u32 [%r5], %r1; {_FENCED} // before
mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r11]; // told
wait: mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 %q, [%r9], 0; @!%q bra wait;
{_FENCED} // after
xor.b32 %r7, %t, 64; mad.lo.u32 %r7, %r7, 4, %r2; ld.shared.u32 %r6, [%r7];
xor.b32 %r1, %r1, 64; mad.wide.u32 %rd4, %r1, 4, %rd2; st.global.u32 [%rd4], %r6; ret;"""
    ),
    lambda: [zeros(_SIZE)],
    _exchanged,
    grid=4,
    cluster=2,
    bugs=(
        Bug("no fence before the arrival", f"{_FENCED} // before", "", "scope", MEMORY),
        Bug("no fence after the wait", f"{_FENCED} // after", "", "scope", MEMORY),
        Bug("a fence of the CTA before the arrival", f"{_FENCED} // before", "fence.acq_rel.cta;", "scope", MEMORY),
        Bug("a fence of the CTA after the wait", f"{_FENCED} // after", "fence.acq_rel.cta;", "scope", MEMORY),
        Bug("the store after the fence", f"st.shared::cluster.u32 [%r5], %r1; {_FENCED} // before", f"{_FENCED} st.shared::cluster.u32 [%r5], %r1;",
            "scope", MEMORY),
        Bug("no arrival", "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r11]; // told", "", "mbarrier", ANY),
    ),
)  # fmt: skip

REDUCED = Kernel(
    "asynchronous reductions",
    ptx(
        f"""
{_SHARED} {_PEER}
st.shared.u32 [%r3], 0; // zeroed
@%p1 bra inited; mbarrier.init.shared.b64 [%r9], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 512;
inited: {_MEET} // started
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r5], %r1, [%r11];
wait: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;
ld.shared.u32 %r6, [%r3]; st.global.u32 [%rd4], %r6; ret;"""
    ),
    lambda: [zeros(_SIZE)],
    _exchanged,
    grid=4,
    cluster=2,
    bugs=(
        Bug("nothing is there to add to", "st.shared.u32 [%r3], 0; // zeroed", "", "unwritten", MEMORY),
        Bug("half of it is there", "st.shared.u32 [%r3], 0; // zeroed", "setp.lt.u32 %p2, %t, 64; @%p2 st.shared.u32 [%r3], 0;", "unwritten", MEMORY),
        Bug("the wait is not repeated", "@!%q bra wait;", "", "mbarrier wait", ANY),
        Bug("the peer looks meanwhile", "red.async", "ld.shared.u32 %r6, [%r3];\nred.async", "race", MEMORY),
        Bug("bytes that nobody adds", "_, [%r9], 512;", "_, [%r9], 516;", "mbarrier", ANY),
    ),
)  # fmt: skip

KERNELS = (INITIALISED, RELAXED, REDUCED)
