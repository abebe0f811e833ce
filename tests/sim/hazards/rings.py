"""Rings that wrap around: tensor memory between roles; lanes that one lane speaks for; barriers that groups share."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.case import ANY, HANG, MEMORY, Bug, Kernel, ptx, words, zeros
from tests.sim.hazards.products import AFTER, BEFORE, DESC5, IDESC, LD, PRODUCT, cores, halves, whole

_COMMIT = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64"
_TURN = "shr.u32 %r7, %r6, 1; and.b32 %r7, %r7, 1; xor.b32 %r14, %r7, 1; and.b32 %r13, %r6, 1; shl.b32 %r15, %r13, 3;"
"""The parity of a round, the one before it, the slot of two, and the offset of its mbarriers."""
_STORES = "".join(f"st.global.u32 [%rd4+{4 * i}], %r{32 + i};" for i in range(16))

ACCUMULATORS = Kernel(
    "tcgen05 in two stages by three roles",
    ptx(
        f"""
.shared .align 128 .b8 s[9216]; .shared .align 8 .b64 full[2]; .shared .align 8 .b64 free[2]; .shared .align 8 .b64 made[2];
.shared .align 8 .b64 taken[2]; .shared .align 8 .b32 at;
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd4, [c]; mov.u32 %r2, s; mov.u32 %r8, at; mov.u32 %r6, 0;
mov.u32 %r16, full; mov.u32 %r17, free; mov.u32 %r18, made; mov.u32 %r19, taken;
setp.ne.u32 %p3, %t, 0; setp.ge.u32 %p5, %t, 32; @%p3 bra inited;
mbarrier.init.shared.b64 [%r16], 128; mbarrier.init.shared.b64 [%r16+8], 128; mbarrier.init.shared.b64 [%r17], 1; mbarrier.init.shared.b64 [%r17+8], 1;
mbarrier.init.shared.b64 [%r18], 1; mbarrier.init.shared.b64 [%r18+8], 1; mbarrier.init.shared.b64 [%r19], 128; mbarrier.init.shared.b64 [%r19+8], 128;
inited: @%p5 bra allocated; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r8], 32;
allocated: {BEFORE} // alloc
bar.sync 0; // alloc
{AFTER} // alloc
ld.shared.u32 %r10, [%r8]; setp.lt.u32 %p1, %t, 128; @%p1 bra epilogue; setp.lt.u32 %p1, %t, 256; @%p1 bra loader; setp.ne.u32 %p1, %t, 256; @%p1 bra last;
product: {_TURN} add.u32 %r20, %r16, %r15; add.u32 %r21, %r19, %r15; add.u32 %r22, %r17, %r15; add.u32 %r23, %r18, %r15;
isfull: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r7; @!%q bra isfull;
istaken: mbarrier.try_wait.parity.shared.b64 %q, [%r21], %r14; @!%q bra istaken;
{AFTER} // taken
mad.lo.u32 %r5, %r13, 4608, %r2; shr.u32 %r5, %r5, 4; cvt.u64.u32 %rd10, %r5; or.b64 %rd10, %rd10, {DESC5}; add.u64 %rd11, %rd10, 256;
mad.lo.u32 %r11, %r13, 16, %r10; setp.ne.u32 %p2, 0, 0; mov.u32 %r12, {IDESC};
tcgen05.mma.cta_group::1.kind::f16 [%r11], %rd10, %rd11, %r12, %p2;
{_COMMIT} [%r22]; // free
{_COMMIT} [%r23]; // made
add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 6; @%p2 bra product; bra last;
loader: sub.u32 %r50, %t, 128; mad.wide.u32 %rd1, %r50, 16, %rd1; mad.wide.u32 %rd2, %r50, 16, %rd2; setp.ge.u32 %p4, %r50, 32;
load: {_TURN} add.u32 %r20, %r17, %r15; add.u32 %r21, %r16, %r15; mad.lo.u32 %r3, %r13, 4608, %r2; mad.lo.u32 %r3, %r50, 16, %r3;
isfree: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r14; @!%q bra isfree;
ld.global.v4.u32 {{%r24, %r25, %r26, %r27}}, [%rd1]; st.shared.v4.u32 [%r3], {{%r24, %r25, %r26, %r27}};
ld.global.v4.u32 {{%r24, %r25, %r26, %r27}}, [%rd1+2048]; st.shared.v4.u32 [%r3+2048], {{%r24, %r25, %r26, %r27}};
@%p4 bra loaded; ld.global.v4.u32 {{%r24, %r25, %r26, %r27}}, [%rd2]; st.shared.v4.u32 [%r3+4096], {{%r24, %r25, %r26, %r27}};
loaded: fence.proxy.async.shared::cta; // loaded
mbarrier.arrive.shared.b64 %state, [%r21]; // full
add.u64 %rd1, %rd1, 4096; add.u64 %rd2, %rd2, 512; add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 6; @%p2 bra load; bra last;
epilogue: mad.wide.u32 %rd4, %t, 64, %rd4;
result: {_TURN} add.u32 %r20, %r18, %r15; add.u32 %r21, %r19, %r15; shl.b32 %r11, %w, 21; add.u32 %r11, %r11, %r10; mad.lo.u32 %r11, %r13, 16, %r11;
ismade: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r7; @!%q bra ismade;
{AFTER} // made
{LD}
tcgen05.wait::ld.sync.aligned;
{BEFORE} // taken
mbarrier.arrive.shared.b64 %state, [%r21]; // taken
{_STORES} add.u64 %rd4, %rd4, 8192; add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 6; @%p2 bra result;
last: {BEFORE} // free
bar.sync 0; // over
@%p5 bra end; {AFTER} // free
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r10, 32;
end: ret;""",
        "a b c",
        "sm_100a",
    ),
    lambda: [
        np.stack([cores(halves(128, 16, n)) for n in range(6)]),
        np.stack([cores(halves(16, 16, 9 + n)) for n in range(6)]),
        zeros(6 * 128 * 16, np.float32).reshape(6, 128, 16),
    ],
    lambda a: all(bool((a[2][n] == whole(a[0][n]) @ whole(a[1][n]).T).all()) for n in range(6)),
    block=288,
    bugs=(
        Bug("the loader does not wait", "isfree: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r14; @!%q bra isfree;", "", "tcgen05", PRODUCT),
        Bug("the loader's parity is turned", "%q, [%r20], %r14; @!%q bra isfree;", "%q, [%r20], %r7; @!%q bra isfree;", "mbarrier wait", PRODUCT | HANG),
        Bug("the product does not wait for the tile", "isfull: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r7; @!%q bra isfull;", "", "tcgen05", PRODUCT),
        Bug("the product does not wait for the accumulators", "istaken: mbarrier.try_wait.parity.shared.b64 %q, [%r21], %r14; @!%q bra istaken;", "", "tcgen05", PRODUCT),
        Bug("the epilogue does not wait", "ismade: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r7; @!%q bra ismade;", "", "tcgen05", PRODUCT),
        Bug("the epilogue's parity is turned", "%q, [%r20], %r7; @!%q bra ismade;", "%q, [%r20], %r14; @!%q bra ismade;", "mbarrier wait", PRODUCT | HANG),
        Bug("the epilogue's parity never turns", "%q, [%r20], %r7; @!%q bra ismade;", "%q, [%r20], 0; @!%q bra ismade;", "mbarrier wait", PRODUCT | HANG),
        Bug("no fence of the epilogue", f"{AFTER} // made", "", "tcgen05 fence", ANY),
        Bug("no fence before it is taken", f"{BEFORE} // taken", "", "tcgen05 fence", ANY),
        Bug("no fence after it is taken", f"{AFTER} // taken", "", "tcgen05 fence", ANY),
        Bug("it is taken before the loads are there", f"tcgen05.wait::ld.sync.aligned;\n{BEFORE} // taken\nmbarrier.arrive.shared.b64 %state, [%r21]; // taken",
            f"{BEFORE}\nmbarrier.arrive.shared.b64 %state, [%r21];\ntcgen05.wait::ld.sync.aligned;", "tcgen05", PRODUCT),
        Bug("the slot is free before the product", f"{_COMMIT} [%r22]; // free", "mbarrier.arrive.shared.b64 %state, [%r22];", "tcgen05", PRODUCT),
        Bug("the accumulators are said to be made", f"{_COMMIT} [%r23]; // made", "mbarrier.arrive.shared.b64 %state, [%r23];", "tcgen05", PRODUCT),
        Bug("both commits tell the same", f"{_COMMIT} [%r23]; // made", f"{_COMMIT} [%r22];", "tcgen05", HANG | PRODUCT),
        Bug("one slot of accumulators", "mad.lo.u32 %r11, %r13, 16, %r10;", "mov.u32 %r11, %r10;", "tcgen05", ANY),
        Bug("the accumulators overlap", "mad.lo.u32 %r11, %r13, 16, %r10;", "mad.lo.u32 %r11, %r13, 8, %r10;", "tcgen05", ANY),
        Bug("no proxy fence", "fence.proxy.async.shared::cta; // loaded", "", "proxy", PRODUCT),
        Bug("a proxy fence of those who have two tiles", "fence.proxy.async.shared::cta; // loaded", "@!%p4 fence.proxy.async.shared::cta;", "proxy", PRODUCT),
        Bug("a proxy fence in the first round only", "fence.proxy.async.shared::cta; // loaded", "setp.eq.u32 %p6, %r6, 0; @%p6 fence.proxy.async.shared::cta;", "proxy", PRODUCT),
        Bug("the loader stays behind in the last round", "setp.lt.u32 %p2, %r6, 6; @%p2 bra load;", "setp.lt.u32 %p2, %r6, 5; @%p2 bra load;", "count", HANG),
        Bug("three slots of tiles in two", "mad.lo.u32 %r3, %r13, 4608, %r2;", "mov.u32 %r3, %r2;", "tcgen05", PRODUCT),
        Bug("it is given back without a barrier", "bar.sync 0; // over", "", "tcgen05", ANY),
        Bug("it is used without a barrier", "bar.sync 0; // alloc", "", "tcgen05", ANY),
        Bug("it is never given back", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r10, 32;", "", "tcgen05", frozenset({"tensor-memory"})),
        Bug("less is given back", "aligned.b32 %r10, 32;\nend", "aligned.b32 %r10, 64;\nend", "tcgen05", frozenset({"tensor-memory"})),
    ),
    harmless={
        f"{BEFORE} // alloc": "nothing of tensor memory has been used yet",
        f"{AFTER} // alloc": "nothing of tensor memory has been used yet",
        f"{BEFORE} // free": "the loads have been waited for",
        f"{AFTER} // free": "the loads have been waited for",
    },
)  # fmt: skip

SPOKESMAN = Kernel(
    "a lane that speaks for its warp",
    ptx(
        """
.shared .align 8 .b8 s[512]; .shared .align 8 .b64 bar[2]; .shared .align 4 .b32 flag;
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r9, bar; mov.u32 %r8, flag; mad.lo.u32 %r3, %t, 4, %r2;
setp.ne.u32 %p1, %t, 0; setp.ne.u32 %p2, %l, 0; mad.wide.u32 %rd3, %t, 4, %rd1; ld.global.u32 %r5, [%rd3]; mad.wide.u32 %rd4, %t, 4, %rd2;
@%p1 bra inited; mbarrier.init.shared.b64 [%r9], 4; mbarrier.init.shared.b64 [%r9+8], 128; st.shared.u32 [%r8], 0;
inited: bar.sync 0; // init
st.shared.u32 [%r3], %r5; // first
bar.warp.sync 0xffffffff; // stored
@%p2 bra told; mbarrier.arrive.shared.b64 %state, [%r9]; // spokesman
told: @%p2 bra go;
wait: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;
go: bar.warp.sync 0xffffffff; // heard
xor.b32 %r4, %t, 69; mad.lo.u32 %r4, %r4, 4, %r2; ld.shared.u32 %r6, [%r4];
mbarrier.arrive.shared.b64 %state, [%r9+8]; all: mbarrier.try_wait.parity.shared.b64 %q, [%r9+8], 0; @!%q bra all;
setp.ge.u32 %p3, %t, 32; @%p3 bra others;
st.shared.u32 [%r3], %r6; // second
bar.warp.sync 0xffffffff; // before the flag
@%p2 bra end; st.release.cta.shared.u32 [%r8], 1; // flag
bra end;
others: setp.ge.u32 %p3, %t, 64; @%p3 bra end; @%p2 bra seen;
look: ld.acquire.cta.shared.u32 %r7, [%r8]; setp.eq.u32 %p4, %r7, 0; @%p4 bra look;
seen: bar.warp.sync 0xffffffff; // behind the flag
sub.u32 %r4, 63, %t; mad.lo.u32 %r4, %r4, 4, %r2; ld.shared.u32 %r6, [%r4];
end: st.global.u32 [%rd4], %r6; ret;""",
        "in out",
        "sm_90",
    ),
    lambda: [words(128), zeros(128)],
    lambda a: bool(
        (
            a[1]
            == np.concatenate(
                [(x := a[0][np.arange(128) ^ 69])[:32], x[31::-1], x[64:]],
            )
        ).all()
    ),
    bugs=(
        Bug("no barrier of the warp before one lane arrives", "bar.warp.sync 0xffffffff; // stored", "", "warp barrier", MEMORY),
        Bug("a vote before one lane arrives", "bar.warp.sync 0xffffffff; // stored", "vote.sync.any.pred %p5, %p1, 0xffffffff;", "warp barrier", MEMORY),
        Bug("half of the warp before one lane arrives", "bar.warp.sync 0xffffffff; // stored",
            "setp.lt.u32 %p5, %l, 16; selp.b32 %r10, 0xffff, 0xffff0000, %p5; bar.warp.sync %r10;", "warp barrier", MEMORY),
        Bug("no barrier of the warp after one lane has waited", "go: bar.warp.sync 0xffffffff; // heard", "go:", "warp barrier", MEMORY),
        Bug("a shuffle after one lane has waited", "go: bar.warp.sync 0xffffffff; // heard", "go: shfl.sync.idx.b32 %r10, %r5, 0, 31, 0xffffffff;", "warp barrier", MEMORY),
        Bug("no barrier of the warp before the flag", "bar.warp.sync 0xffffffff; // before the flag", "", "warp barrier", MEMORY),
        Bug("the store after the barrier", "st.shared.u32 [%r3], %r6; // second\nbar.warp.sync 0xffffffff; // before the flag",
            "bar.warp.sync 0xffffffff;\nst.shared.u32 [%r3], %r6;", "warp barrier", MEMORY),
        Bug("no barrier of the warp behind the flag", "seen: bar.warp.sync 0xffffffff; // behind the flag", "seen:", "warp barrier", MEMORY),
        Bug("the flag is looked at once", "@%p4 bra look;", "", "flag", MEMORY),
    ),
)  # fmt: skip

GROUPS = Kernel(
    "groups of warps with a barrier each",
    ptx(
        """
.shared .align 4 .b8 s[512];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2; xor.b32 %r4, %t, 43; mad.lo.u32 %r4, %r4, 4, %r2;
mad.wide.u32 %rd3, %t, 4, %rd1; ld.global.u32 %r5, [%rd3]; mad.wide.u32 %rd4, %t, 4, %rd2; shr.u32 %r8, %t, 6; add.u32 %r8, %r8, 1; mov.u32 %r7, 0;
again: st.shared.u32 [%r3], %r5; barrier.sync %r8, 64; // stored
ld.shared.u32 %r6, [%r4]; add.u32 %r5, %r5, %r6; barrier.sync %r8, 64; // loaded
add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 3; @%p1 bra again;
bar.sync 0; // between
st.shared.u32 [%r3], %r5; setp.ge.u32 %p2, %t, 96; setp.lt.u32 %p3, %t, 32; @%p2 bra more; @%p3 bra more; barrier.sync 1, 64; // inner
xor.b32 %r4, %t, 96; mad.lo.u32 %r4, %r4, 4, %r2; ld.shared.u32 %r6, [%r4]; more:
st.global.u32 [%rd4], %r5; ret;""",
        "in out",
        "sm_90",
    ),
    lambda: [words(128), zeros(128)],
    lambda a: bool((a[1] == 4 * (a[0] + a[0][np.arange(128) ^ 43])).all()),
    bugs=(
        Bug("one barrier for both groups", "shr.u32 %r8, %t, 6; add.u32 %r8, %r8, 1;", "mov.u32 %r8, 1;", "count", ANY),
        Bug("one barrier for both when they have stored", "st.shared.u32 [%r3], %r5; barrier.sync %r8, 64; // stored",
            "st.shared.u32 [%r3], %r5; barrier.sync 3, 64;", "count", ANY),
        Bug("a group of other warps", "add.u32 %r8, %r8, 1;", "shr.u32 %r8, %w, 0; and.b32 %r8, %r8, 1; add.u32 %r8, %r8, 1;", "barrier", MEMORY),
        Bug("a count of all", "barrier.sync %r8, 64; // loaded", "barrier.sync %r8, 128;", "count", HANG),
        Bug("no barrier of all between", "bar.sync 0; // between", "", "count", ANY),
        Bug("no barrier when they have loaded", "barrier.sync %r8, 64; // loaded", "", "barrier", MEMORY),
    ),
    harmless={"barrier.sync 1, 64; // inner": "what is loaded behind it is not used"},
)  # fmt: skip

KERNELS = (ACCUMULATORS, SPOKESMAN, GROUPS)
