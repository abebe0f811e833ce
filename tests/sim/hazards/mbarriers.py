"""Producer and consumer warps with mbarriers, their initialisation, lifetime and counts; generic stores only."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.case import ANY, HANG, MEMORY, Bug, Kernel, ptx, words, zeros

PIPELINE = Kernel(
    "producer and consumer warps",
    ptx(
        """
.shared .align 16 .b8 s[1024]; .shared .align 8 .b64 full[2]; .shared .align 8 .b64 free[2];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r8, full; mov.u32 %r9, free;
setp.ne.u32 %p1, %t, 0; @%p1 bra inited;
mbarrier.init.shared.b64 [%r8], 64; mbarrier.init.shared.b64 [%r8+8], 64;
mbarrier.init.shared.b64 [%r9], 64; mbarrier.init.shared.b64 [%r9+8], 64;
inited: bar.sync 0; // init
and.b32 %r10, %t, 63; mad.lo.u32 %r3, %r10, 4, %r2; mad.wide.u32 %rd3, %r10, 4, %rd1; mov.u32 %r7, 0; mov.u32 %r6, 0;
setp.ge.u32 %p1, %t, 64; @%p1 bra consumer;
producer:
and.b32 %r11, %r7, 1; mad.lo.u32 %r12, %r11, 8, %r9; mad.lo.u32 %r13, %r11, 8, %r8; mad.lo.u32 %r14, %r11, 256, %r3;
shr.u32 %r15, %r7, 1; add.u32 %r15, %r15, 1; and.b32 %r15, %r15, 1; ld.global.u32 %r1, [%rd3]; add.u64 %rd3, %rd3, 256;
isfree: mbarrier.try_wait.parity.shared.b64 %q, [%r12], %r15; @!%q bra isfree;
st.shared.u32 [%r14], %r1;
mbarrier.arrive.shared.b64 %state, [%r13]; // full
add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 7; @%p2 bra producer;
ret;
consumer:
xor.b32 %r16, %r10, 45; mad.lo.u32 %r16, %r16, 4, %r2;
again:
and.b32 %r11, %r7, 1; mad.lo.u32 %r12, %r11, 8, %r9; mad.lo.u32 %r13, %r11, 8, %r8; mad.lo.u32 %r14, %r11, 256, %r16;
shr.u32 %r15, %r7, 1; and.b32 %r15, %r15, 1;
isfull: mbarrier.try_wait.parity.shared.b64 %q, [%r13], %r15; @!%q bra isfull;
ld.shared.u32 %r5, [%r14];
mbarrier.arrive.shared.b64 %state, [%r12]; // free
add.u32 %r6, %r6, %r5;
add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 7; @%p2 bra again;
mad.wide.u32 %rd4, %r10, 4, %rd2; st.global.u32 [%rd4], %r6; ret;""",
        "in out",
        "sm_90",
    ),
    lambda: [words(448), zeros(64)],
    lambda a: bool((a[1] == a[0].reshape(7, 64).sum(axis=0)[np.arange(64) ^ 45]).all()),
    bugs=(
        Bug("the producer looks once", "@!%q bra isfree;", "", "mbarrier wait", MEMORY | HANG),
        Bug("the consumer looks once", "@!%q bra isfull;", "", "mbarrier wait", MEMORY | HANG),
        Bug("the producer does not look", "isfree: mbarrier.try_wait.parity.shared.b64 %q, [%r12], %r15; @!%q bra isfree;", "",
            "mbarrier wait", MEMORY | HANG),
        Bug("the consumer does not look", "isfull: mbarrier.try_wait.parity.shared.b64 %q, [%r13], %r15; @!%q bra isfull;", "",
            "mbarrier wait", MEMORY),
        Bug("the consumer's parity is turned", "shr.u32 %r15, %r7, 1; and.b32 %r15, %r15, 1;",
            "shr.u32 %r15, %r7, 1; and.b32 %r15, %r15, 1; xor.b32 %r15, %r15, 1;", "mbarrier wait", MEMORY | HANG),
        Bug("the producer's parity is turned", "add.u32 %r15, %r15, 1; and", "add.u32 %r15, %r15, 2; and", "mbarrier wait", MEMORY | HANG),
        Bug("the parity never turns", "shr.u32 %r15, %r7, 1; and.b32 %r15, %r15, 1;", "mov.u32 %r15, 0;", "mbarrier wait", MEMORY | HANG),
        Bug("it says free before it has read", "ld.shared.u32 %r5, [%r14];\nmbarrier.arrive.shared.b64 %state, [%r12]; // free",
            "mbarrier.arrive.shared.b64 %state, [%r12];\nld.shared.u32 %r5, [%r14];", "mbarrier", MEMORY),
        Bug("it says full before it has written", "st.shared.u32 [%r14], %r1;\nmbarrier.arrive.shared.b64 %state, [%r13]; // full",
            "mbarrier.arrive.shared.b64 %state, [%r13];\nst.shared.u32 [%r14], %r1;", "mbarrier", MEMORY),
        Bug("no word that it is free", "mbarrier.arrive.shared.b64 %state, [%r12]; // free", "", "mbarrier", HANG),
        Bug("no word that it is full", "mbarrier.arrive.shared.b64 %state, [%r13]; // full", "", "mbarrier", HANG),
        Bug("one warp of two says full", "mbarrier.arrive.shared.b64 %state, [%r13]; // full",
            "setp.eq.u32 %p3, %w, 0; @%p3 mbarrier.arrive.shared.b64 %state, [%r13];", "count", HANG | MEMORY),
        Bug("one warp of two, for both", "mbarrier.arrive.shared.b64 %state, [%r13]; // full",
            "setp.eq.u32 %p3, %w, 0; @%p3 mbarrier.arrive.shared.b64 %state, [%r13], 2;", "mbarrier", MEMORY),
        Bug("relaxed arrivals", "mbarrier.arrive.shared.b64 %state, [%r13]; // full",
            "mbarrier.arrive.relaxed.cta.shared.b64 %state, [%r13];", "mbarrier scope", MEMORY),
        Bug("relaxed waits", "isfull: mbarrier.try_wait.parity.shared.b64", "isfull: mbarrier.try_wait.parity.relaxed.cta.shared.b64",
            "mbarrier scope", MEMORY),
        Bug("relaxed arrivals of readers", "mbarrier.arrive.shared.b64 %state, [%r12]; // free",
            "mbarrier.arrive.relaxed.cta.shared.b64 %state, [%r12];", "mbarrier scope", MEMORY),
        Bug("a count that is too low", "mbarrier.init.shared.b64 [%r8], 64;", "mbarrier.init.shared.b64 [%r8], 32;", "count",
            MEMORY | HANG),
        Bug("a count that is too high", "mbarrier.init.shared.b64 [%r9], 64;", "mbarrier.init.shared.b64 [%r9], 65;", "count", HANG),
        Bug("no barrier after the init", "inited: bar.sync 0; // init", "inited:", "mbarrier init", ANY),
        Bug("a barrier of the warp after the init", "inited: bar.sync 0; // init", "inited: bar.warp.sync 0xffffffff;",
            "mbarrier init", ANY),
        Bug("one mbarrier without init", "mbarrier.init.shared.b64 [%r8+8], 64;", "", "mbarrier init", ANY),
        Bug("the stages share a buffer", "mad.lo.u32 %r14, %r11, 256, %r3;", "mov.u32 %r14, %r3;", "mbarrier", MEMORY),
        Bug("three stages in two", "and.b32 %r11, %r7, 1; mad.lo.u32 %r12, %r11, 8, %r9; mad.lo.u32 %r13, %r11, 8, %r8; mad.lo.u32 %r14, %r11, 256, %r3;",
            "and.b32 %r11, %r7, 1; mad.lo.u32 %r12, %r11, 8, %r8; mad.lo.u32 %r13, %r11, 8, %r8; mad.lo.u32 %r14, %r11, 256, %r3;",
            "mbarrier", MEMORY | HANG),
    ),
)  # fmt: skip

LIFETIME = Kernel(
    "an mbarrier that is used again",
    ptx(
        """
.shared .align 8 .b8 s[512]; .shared .align 8 .b64 bar;
ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r9, bar; mad.lo.u32 %r3, %t, 4, %r2; xor.b32 %r4, %t, 64; mad.lo.u32 %r4, %r4, 4, %r2;
setp.ne.u32 %p1, %t, 0; @%p1 bra first; mbarrier.init.shared.b64 [%r9], 128; first: bar.sync 0; // init
st.shared.u32 [%r3], %t; mbarrier.arrive.shared.b64 %state, [%r9]; // one
wait: mbarrier.test_wait.shared.b64 %q, [%r9], %state; @!%q bra wait;
ld.shared.u32 %r5, [%r4]; bar.sync 0; // done
@%p1 bra second; mbarrier.inval.shared.b64 [%r9]; mbarrier.init.shared.b64 [%r9], 64; second: bar.sync 0; // again
setp.ge.u32 %p2, %t, 64; @%p2 bra high; add.u32 %r6, %t, 7; st.shared.u32 [%r3], %r6; mbarrier.arrive.shared.b64 %state, [%r9]; // two
bra end;
high: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra high; ld.shared.u32 %r7, [%r4]; add.u32 %r5, %r5, %r7;
end: bar.sync 0; // over
@%p1 bra store; mbarrier.inval.shared.b64 [%r9]; st.shared.u64 [%r9], %rd2; store:
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r5; ret;""",
        "out",
        "sm_90",
    ),
    lambda: [zeros(128)],
    lambda a: bool((a[0][:64] == np.arange(64) + 64).all() and (a[0][64:] == 2 * np.arange(64) + 7).all()),
    bugs=(
        Bug("init again without inval", "@%p1 bra second; mbarrier.inval.shared.b64 [%r9];", "@%p1 bra second;", "mbarrier init", ANY),
        Bug("its storage is used without inval", "@%p1 bra store; mbarrier.inval.shared.b64 [%r9];", "@%p1 bra store;",
            "mbarrier init", ANY),
        Bug("no barrier after the first init", "bar.sync 0; // init", "", "mbarrier init", ANY),
        Bug("no barrier after the second init", "bar.sync 0; // again", "", "mbarrier init", ANY),
        Bug("no barrier before the second init", "bar.sync 0; // done", "", "mbarrier init", ANY),
        Bug("no barrier before its end", "end: bar.sync 0; // over", "end:", "mbarrier init", ANY),
        Bug("a word that is stored is none", "mbarrier.init.shared.b64 [%r9], 64;", "st.shared.u64 [%r9], 0x4000040;", "mbarrier init", ANY),
        Bug("use after inval", "mbarrier.init.shared.b64 [%r9], 64;", "", "mbarrier init", ANY),
        Bug("no wait", "wait: mbarrier.test_wait.shared.b64 %q, [%r9], %state; @!%q bra wait;", "", "mbarrier wait", MEMORY),
        Bug("an arrival too many", "mbarrier.arrive.shared.b64 %state, [%r9]; // two",
            "mbarrier.arrive.shared.b64 %state, [%r9]; setp.eq.u32 %p3, %t, 5; @%p3 mbarrier.arrive.shared.b64 %state, [%r9];", "count", ANY),
    ),
)  # fmt: skip

KERNELS = (PIPELINE, LIFETIME)
