"""Global memory between CTAs: flags, locks, last blocks, barriers of the grid, histograms, scopes, read-only loads."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.case import ANY, HANG, MEMORY, Bug, Kernel, ptx, words, zeros

FLAG = Kernel(
    "a flag between CTAs",
    ptx(
        """
ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [flag]; ld.param.u64 %rd3, [out]; mad.wide.u32 %rd4, %t, 4, %rd1;
setp.ne.u32 %p1, %b, 0; setp.ne.u32 %p2, %t, 0; @%p1 bra consumer;
add.u32 %r1, %t, 1000; st.global.u32 [%rd4], %r1;
bar.sync 0; // written
@%p2 bra end; mov.u32 %r2, 1; st.release.gpu.global.u32 [%rd2], %r2; bra end;
consumer:
@%p2 bra wait;
spin: ld.acquire.gpu.global.u32 %r3, [%rd2]; setp.eq.u32 %p3, %r3, 0; @%p3 bra spin;
wait: bar.sync 0; // seen
ld.global.u32 %r4, [%rd4]; mad.wide.u32 %rd5, %t, 4, %rd3; st.global.u32 [%rd5], %r4;
end: ret;""",
        "data flag out",
        "sm_80",
    ),
    lambda: [zeros(128), zeros(1), zeros(128)],
    lambda a: bool((a[2] == np.arange(128) + 1000).all()),
    grid=2,
    bugs=(
        Bug("a relaxed store", "st.release.gpu.global", "st.relaxed.gpu.global", "flag", MEMORY),
        Bug("a weak store", "st.release.gpu.global", "st.global", "flag", MEMORY),
        Bug("a volatile store", "st.release.gpu.global", "st.volatile.global", "flag", MEMORY),
        Bug("a relaxed load", "ld.acquire.gpu.global", "ld.relaxed.gpu.global", "flag", MEMORY),
        Bug("a weak load", "ld.acquire.gpu.global", "ld.global", "flag", MEMORY | HANG),
        Bug("a volatile load", "ld.acquire.gpu.global", "ld.volatile.global", "flag", MEMORY),
        Bug("a store to the CTA", "st.release.gpu.global", "st.release.cta.global", "scope", MEMORY),
        Bug("a load from the CTA", "ld.acquire.gpu.global", "ld.acquire.cta.global", "scope", MEMORY),
        Bug("the flag is not waited for", "setp.eq.u32 %p3, %r3, 0; @%p3 bra spin;", "", "flag", MEMORY),
        Bug("no barrier before the flag", "bar.sync 0; // written", "", "flag", MEMORY),
        Bug("no barrier after the flag", "wait: bar.sync 0; // seen", "wait:", "flag", MEMORY),
        Bug("the flag before the data", "add.u32 %r1, %t, 1000; st.global.u32 [%rd4], %r1;\nbar.sync 0; // written\n@%p2 bra end; mov.u32 %r2, 1; st.release.gpu.global.u32 [%rd2], %r2; bra end;",
            "@%p2 bra mine; mov.u32 %r2, 1; st.release.gpu.global.u32 [%rd2], %r2; mine: add.u32 %r1, %t, 1000; st.global.u32 [%rd4], %r1; bra end;",
            "flag", MEMORY),
        Bug("a flag of one byte, read as four", "st.release.gpu.global.u32 [%rd2], %r2;", "st.release.gpu.global.u8 [%rd2], %r2;",
            "widths", MEMORY),
        Bug("no flag at all", "@%p2 bra wait;\n", "bra wait;\n", "flag", MEMORY),
        Bug("a plain store to the flag first", "bar.sync 0; // written", "mov.u32 %r2, 1; @!%p2 st.global.u32 [%rd2], %r2; bar.sync 0;",
            "flag", MEMORY),
    ),
)  # fmt: skip

FENCES = Kernel(
    "a flag with fences",
    ptx(
        """
ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [flag]; ld.param.u64 %rd3, [out]; mad.wide.u32 %rd4, %t, 4, %rd1;
setp.ne.u32 %p1, %b, 0; setp.ne.u32 %p2, %t, 0; @%p1 bra consumer;
add.u32 %r1, %t, 1000; st.global.u32 [%rd4], %r1;
bar.sync 0; // written
@%p2 bra end; mov.u32 %r2, 1; membar.gl; st.volatile.global.u32 [%rd2], %r2; bra end;
consumer:
@%p2 bra wait;
spin: ld.volatile.global.u32 %r3, [%rd2]; setp.eq.u32 %p3, %r3, 0; @%p3 bra spin;
fence.acq_rel.gpu;
wait: bar.sync 0; // seen
ld.global.u32 %r4, [%rd4]; mad.wide.u32 %rd5, %t, 4, %rd3; st.global.u32 [%rd5], %r4;
end: ret;""",
        "data flag out",
        "sm_80",
    ),
    FLAG.inputs,
    FLAG.correct,
    grid=2,
    bugs=(
        Bug("no fence before the flag", "membar.gl; ", "", "fence", MEMORY),
        Bug("no fence after the flag", "fence.acq_rel.gpu;", "", "fence", MEMORY),
        Bug("a fence of the CTA before the flag", "membar.gl; ", "membar.cta; ", "scope", MEMORY),
        Bug("a fence of the CTA after the flag", "fence.acq_rel.gpu;", "fence.acq_rel.cta;", "scope", MEMORY),
        Bug("a weak store", "st.volatile.global", "st.global", "fence", MEMORY),
        Bug("a weak load", "ld.volatile.global", "ld.global", "fence", MEMORY | HANG),
        Bug("the fence after the store", "membar.gl; st.volatile.global.u32 [%rd2], %r2;", "st.volatile.global.u32 [%rd2], %r2; membar.gl;",
            "fence", MEMORY),
        Bug("the fence before the loop", "spin: ld.volatile.global.u32 %r3, [%rd2]; setp.eq.u32 %p3, %r3, 0; @%p3 bra spin;\nfence.acq_rel.gpu;",
            "fence.acq_rel.gpu;\nspin: ld.volatile.global.u32 %r3, [%rd2]; setp.eq.u32 %p3, %r3, 0; @%p3 bra spin;", "fence", MEMORY),
    ),
)  # fmt: skip

LAST = Kernel(
    "last block",
    ptx(
        """
.shared .align 4 .u32 last;
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [parts]; ld.param.u64 %rd3, [count]; ld.param.u64 %rd4, [out];
mad.lo.u32 %r1, %b, 32, %t; mad.wide.u32 %rd5, %r1, 4, %rd1; ld.global.u32 %r2, [%rd5];
redux.sync.add.u32 %r2, %r2, 0xffffffff; setp.ne.u32 %p1, %t, 0; @%p1 bra wait;
mad.wide.u32 %rd6, %b, 4, %rd2; st.global.u32 [%rd6], %r2; // part
membar.gl; // before
atom.global.inc.u32 %r3, [%rd3], 7; // count
membar.gl; // after
setp.eq.u32 %p2, %r3, 7; selp.u32 %r4, 1, 0, %p2; st.shared.u32 [last], %r4;
wait: bar.sync 0;
ld.shared.u32 %r5, [last]; setp.eq.u32 %p3, %r5, 0; @%p3 bra end;
and.b32 %r6, %t, 7; mad.wide.u32 %rd7, %r6, 4, %rd2; ld.global.u32 %r7, [%rd7]; setp.ge.u32 %p4, %t, 8; selp.u32 %r7, 0, %r7, %p4;
redux.sync.add.u32 %r7, %r7, 0xffffffff; @%p1 bra end; st.global.u32 [%rd4], %r7;
end: ret;""",
        "in parts count out",
        "sm_80",
    ),
    lambda: [words(256), zeros(8), zeros(1), zeros(1)],
    lambda a: int(a[3][0]) == int(a[0].sum()),
    grid=8,
    block=32,
    bugs=(
        Bug("no fence before the count", "membar.gl; // before", "", "fence", MEMORY),
        Bug("no fence after the count", "membar.gl; // after", "", "fence", MEMORY),
        Bug("a fence of the CTA before", "membar.gl; // before", "membar.cta;", "scope", MEMORY),
        Bug("a fence of the CTA after", "membar.gl; // after", "membar.cta;", "scope", MEMORY),
        Bug("the fence before the part", "st.global.u32 [%rd6], %r2; // part\nmembar.gl; // before", "membar.gl; st.global.u32 [%rd6], %r2;",
            "fence", MEMORY),
        Bug("an atomic of the CTA", "atom.global.inc.u32", "atom.cta.global.inc.u32", "scope", MEMORY),
        Bug("a count that is too low", "setp.eq.u32 %p2, %r3, 7;", "setp.eq.u32 %p2, %r3, 5;", "flag", MEMORY),
        Bug("no barrier", "wait: bar.sync 0;", "wait:", "warp", MEMORY),
        Bug("everyone takes the sum", "@%p3 bra end;\nand", "\nand", "flag", MEMORY),
        Bug("a plain count", "atom.global.inc.u32 %r3, [%rd3], 7; // count",
            "ld.global.u32 %r3, [%rd3]; add.u32 %r9, %r3, 1; st.global.u32 [%rd3], %r9;", "atomics", MEMORY),
    ),
)  # fmt: skip

LOCK = Kernel(
    "lock",
    ptx(
        """
ld.param.u64 %rd1, [lock]; ld.param.u64 %rd2, [data]; setp.ne.u32 %p1, %t, 0; @%p1 bra end;
spin: atom.acquire.gpu.global.cas.b32 %r1, [%rd1], 0, 1; setp.ne.u32 %p2, %r1, 0; @%p2 bra spin;
ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, %b; st.global.u32 [%rd2], %r2;
atom.release.gpu.global.exch.b32 %r3, [%rd1], 0; // unlock
end: ret;""",
        "lock data",
        "sm_80",
    ),
    lambda: [zeros(1), zeros(1)],
    lambda a: int(a[1][0]) == 28,
    grid=8,
    block=32,
    bugs=(
        Bug("relaxed locking", "atom.acquire.gpu.global.cas.b32", "atom.relaxed.gpu.global.cas.b32", "lock", MEMORY),
        Bug("relaxed unlocking", "atom.release.gpu.global.exch.b32", "atom.relaxed.gpu.global.exch.b32", "lock", MEMORY),
        Bug("unlocking by a plain store", "atom.release.gpu.global.exch.b32 %r3, [%rd1], 0; // unlock",
            "mov.u32 %r3, 0; st.global.u32 [%rd1], %r3;", "lock", MEMORY),
        Bug("unlocking by a volatile store", "atom.release.gpu.global.exch.b32 %r3, [%rd1], 0; // unlock",
            "mov.u32 %r3, 0; st.volatile.global.u32 [%rd1], %r3;", "lock", MEMORY),
        Bug("locking in the CTA", "atom.acquire.gpu.global.cas.b32", "atom.acquire.cta.global.cas.b32", "scope", MEMORY | HANG),
        Bug("unlocking in the CTA", "atom.release.gpu.global.exch.b32", "atom.release.cta.global.exch.b32", "scope", MEMORY | HANG),
        Bug("the lock is tried once", "@%p2 bra spin;\nld", "\nld", "lock", MEMORY),
        Bug("no unlocking", "atom.release.gpu.global.exch.b32 %r3, [%rd1], 0; // unlock", "", "hang", HANG),
        Bug("a store after the unlocking", "st.global.u32 [%rd2], %r2;\natom.release.gpu.global.exch.b32 %r3, [%rd1], 0; // unlock",
            "atom.release.gpu.global.exch.b32 %r3, [%rd1], 0; st.global.u32 [%rd2], %r2;", "lock", MEMORY),
        Bug("a load before the locking", "spin: atom.acquire.gpu.global.cas.b32 %r1, [%rd1], 0, 1; setp.ne.u32 %p2, %r1, 0; @%p2 bra spin;\nld.global.u32 %r2, [%rd2];",
            "ld.global.u32 %r2, [%rd2]; spin: atom.acquire.gpu.global.cas.b32 %r1, [%rd1], 0, 1; setp.ne.u32 %p2, %r1, 0; @%p2 bra spin;",
            "lock", MEMORY),
        Bug("a plain test and set", "spin: atom.acquire.gpu.global.cas.b32 %r1, [%rd1], 0, 1;",
            "spin: ld.global.u32 %r1, [%rd1]; mov.u32 %r4, 1; st.global.u32 [%rd1], %r4;", "lock", MEMORY | HANG),
    ),
)  # fmt: skip

BARRIER_LOCK = Kernel(
    "lock with barriers in its loop",
    ptx(
        """
.shared .align 4 .u32 got;
ld.param.u64 %rd1, [lock]; ld.param.u64 %rd2, [data]; setp.ne.u32 %p1, %t, 0; mad.wide.u32 %rd3, %t, 4, %rd2;
spin: @%p1 bra tried; atom.acq_rel.gpu.global.cas.b32 %r1, [%rd1], 0, 1; st.shared.u32 [got], %r1;
tried: bar.sync 0; // tried
ld.shared.u32 %r1, [got]; bar.sync 0; // looked
setp.ne.u32 %p2, %r1, 0; @%p2 bra spin;
ld.global.u32 %r2, [%rd3]; add.u32 %r2, %r2, %b; st.global.u32 [%rd3], %r2;
bar.sync 0; // done
@%p1 bra end; atom.acq_rel.gpu.global.exch.b32 %r3, [%rd1], 0; // unlock
end: ret;""",
        "lock data",
        "sm_80",
    ),
    lambda: [zeros(1), zeros(128)],
    lambda a: bool((a[1] == 6).all()),
    grid=4,
    bugs=(
        Bug("no barrier after the trial", "tried: bar.sync 0; // tried", "tried:", "barrier", MEMORY | HANG),
        Bug("no barrier after the look", "bar.sync 0; // looked", "", "barrier", MEMORY | HANG),
        Bug("no barrier before the unlocking", "bar.sync 0; // done", "", "lock", MEMORY),
        Bug("relaxed locking", "atom.acq_rel.gpu.global.cas", "atom.relaxed.gpu.global.cas", "lock", MEMORY),
        Bug("relaxed unlocking", "atom.acq_rel.gpu.global.exch", "atom.relaxed.gpu.global.exch", "lock", MEMORY),
        Bug("unlocking by a plain store", "atom.acq_rel.gpu.global.exch.b32 %r3, [%rd1], 0; // unlock",
            "mov.u32 %r3, 0; st.global.u32 [%rd1], %r3;", "lock", MEMORY),
    ),
)  # fmt: skip

HISTOGRAM = Kernel(
    "histogram",
    ptx(
        """
.shared .align 4 .b8 s[128];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; setp.ge.u32 %p1, %t, 32; mad.lo.u32 %r3, %t, 4, %r2;
@%p1 bra zeroed; mov.u32 %r9, 0; st.shared.u32 [%r3], %r9;
zeroed: bar.sync 0; // zeroed
mad.lo.u32 %r1, %b, 128, %t; mad.wide.u32 %rd3, %r1, 4, %rd1; ld.global.u32 %r4, [%rd3]; and.b32 %r4, %r4, 31; mad.lo.u32 %r4, %r4, 4, %r2;
red.shared.add.u32 [%r4], 1; // count
bar.sync 0; // counted
@%p1 bra end; ld.shared.u32 %r5, [%r3]; mad.wide.u32 %rd4, %t, 4, %rd2;
red.global.add.u32 [%rd4], %r5; // flush
end: ret;""",
        "in out",
        "sm_80",
    ),
    lambda: [words(512), zeros(32)],
    lambda a: bool((a[1] == np.bincount(a[0] & 31, minlength=32)).all()),
    grid=4,
    bugs=(
        Bug("no barrier after the zeros", "zeroed: bar.sync 0; // zeroed", "zeroed:", "histogram", MEMORY),
        Bug("no barrier before the flush", "bar.sync 0; // counted", "", "histogram", MEMORY),
        Bug("no zeros", "st.shared.u32 [%r3], %r9;", "", "unwritten", MEMORY),
        Bug("plain counting", "red.shared.add.u32 [%r4], 1; // count", "ld.shared.u32 %r6, [%r4]; add.u32 %r6, %r6, 1; st.shared.u32 [%r4], %r6;",
            "histogram", MEMORY),
        Bug("a plain flush", "red.global.add.u32 [%rd4], %r5; // flush", "ld.global.u32 %r6, [%rd4]; add.u32 %r6, %r6, %r5; st.global.u32 [%rd4], %r6;",
            "histogram", MEMORY),
        Bug("a flush in the CTA", "red.global.add.u32", "red.cta.global.add.u32", "scope", MEMORY),
        Bug("it zeroes the result itself", "st.shared.u32 [%r3], %r9;", "st.shared.u32 [%r3], %r9; mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r9;",
            "histogram", MEMORY),
        Bug("it reads the result", "red.global.add.u32 [%rd4], %r5; // flush", "red.global.add.u32 [%rd4], %r5; ld.global.u32 %r7, [%rd4];",
            "histogram", MEMORY),
        Bug("half of the words are counted with 16 bits", "red.shared.add.u32 [%r4], 1; // count",
            "and.b32 %r6, %t, 1; setp.eq.u32 %p5, %r6, 0; mov.b16 %h1, 0x3c00; @%p5 red.shared.add.u32 [%r4], 1; @!%p5 red.shared.add.noftz.f16 [%r4], %h1;",
            "widths", MEMORY),
    ),
)  # fmt: skip

GRID = Kernel(
    "barrier of the grid",
    ptx(
        """
ld.param.u64 %rd1, [count]; ld.param.u64 %rd2, [data]; ld.param.u64 %rd3, [out]; mad.lo.u32 %r1, %b, 64, %t;
mad.wide.u32 %rd4, %r1, 4, %rd2; add.u32 %r2, %r1, 5; st.global.u32 [%rd4], %r2; setp.ne.u32 %p1, %t, 0;
bar.sync 0; // arrived
@%p1 bra wait; mov.u32 %r3, 1;
red.release.gpu.global.add.u32 [%rd1], %r3; // arrive
spin: ld.acquire.gpu.global.u32 %r4, [%rd1]; setp.lt.u32 %p2, %r4, 4; @%p2 bra spin;
wait: bar.sync 0; // gone
xor.b32 %r5, %r1, 192; mad.wide.u32 %rd5, %r5, 4, %rd2; ld.global.u32 %r6, [%rd5];
mad.wide.u32 %rd6, %r1, 4, %rd3; st.global.u32 [%rd6], %r6; ret;""",
        "count data out",
        "sm_80",
    ),
    lambda: [zeros(1), zeros(256), zeros(256)],
    lambda a: bool((a[2] == (np.arange(256) ^ 192) + 5).all()),
    grid=4,
    block=64,
    bugs=(
        Bug("no barrier of the CTA before", "bar.sync 0; // arrived", "", "flag", MEMORY),
        Bug("no barrier of the CTA after", "wait: bar.sync 0; // gone", "wait:", "flag", MEMORY),
        Bug("relaxed arrivals", "red.release.gpu", "red.relaxed.gpu", "flag", MEMORY),
        Bug("a relaxed look", "ld.acquire.gpu", "ld.relaxed.gpu", "flag", MEMORY),
        Bug("arrivals in the CTA", "red.release.gpu", "red.release.cta", "scope", MEMORY),
        Bug("a look in the CTA", "ld.acquire.gpu", "ld.acquire.cta", "scope", MEMORY),
        Bug("it waits for three of four", "setp.lt.u32 %p2, %r4, 4;", "setp.lt.u32 %p2, %r4, 3;", "flag", MEMORY),
        Bug("it waits for five of four", "setp.lt.u32 %p2, %r4, 4;", "setp.lt.u32 %p2, %r4, 5;", "hang", HANG),
        Bug("no wait", "setp.lt.u32 %p2, %r4, 4; @%p2 bra spin;", "", "flag", MEMORY),
        Bug("it reads through the read-only cache", "ld.global.u32 %r6, [%rd5];", "ld.global.nc.u32 %r6, [%rd5];", "read-only", ANY),
        Bug("a plain count", "red.release.gpu.global.add.u32 [%rd1], %r3; // arrive",
            "ld.global.u32 %r7, [%rd1]; add.u32 %r7, %r7, 1; st.global.u32 [%rd1], %r7;", "atomics", MEMORY | HANG),
    ),
)  # fmt: skip

TICKET = Kernel(
    "ticket lock",
    ptx(
        """
ld.param.u64 %rd1, [lock]; ld.param.u64 %rd2, [data]; setp.ne.u32 %p1, %t, 0; @%p1 bra end;
atom.relaxed.gpu.global.add.u32 %r1, [%rd1], 1; // ticket
spin: ld.acquire.gpu.global.u32 %r2, [%rd1+4]; setp.ne.u32 %p2, %r1, %r2; @%p2 bra spin;
ld.global.u32 %r3, [%rd2]; add.u32 %r3, %r3, %r1; st.global.u32 [%rd2], %r3;
add.u32 %r2, %r2, 1; st.release.gpu.global.u32 [%rd1+4], %r2; // next
end: ret;""",
        "lock data",
        "sm_80",
    ),
    lambda: [zeros(2), zeros(1)],
    lambda a: int(a[1][0]) == 28,
    grid=8,
    block=32,
    bugs=(
        Bug("a relaxed look", "ld.acquire.gpu", "ld.relaxed.gpu", "lock", MEMORY),
        Bug("a relaxed word to the next", "st.release.gpu", "st.relaxed.gpu", "lock", MEMORY),
        Bug("a weak word to the next", "st.release.gpu.global", "st.global", "lock", MEMORY),
        Bug("a look in the CTA", "ld.acquire.gpu", "ld.acquire.cta", "scope", MEMORY),
        Bug("a word to the CTA", "st.release.gpu", "st.release.cta", "scope", MEMORY),
        Bug("tickets of the CTA", "atom.relaxed.gpu", "atom.relaxed.cta", "scope", MEMORY),
        Bug("plain tickets", "atom.relaxed.gpu.global.add.u32 %r1, [%rd1], 1; // ticket",
            "ld.global.u32 %r1, [%rd1]; add.u32 %r4, %r1, 1; st.global.u32 [%rd1], %r4;", "atomics", MEMORY | HANG),
        Bug("the word before the store", "st.global.u32 [%rd2], %r3;\nadd.u32 %r2, %r2, 1; st.release.gpu.global.u32 [%rd1+4], %r2; // next",
            "add.u32 %r2, %r2, 1; st.release.gpu.global.u32 [%rd1+4], %r2; st.global.u32 [%rd2], %r3;", "lock", MEMORY),
    ),
)  # fmt: skip

CHAIN = Kernel(
    "look-back",
    ptx(
        """
ld.param.u64 %rd1, [state]; ld.param.u64 %rd2, [in]; ld.param.u64 %rd3, [out]; setp.ne.u32 %p1, %t, 0; @%p1 bra end;
mad.wide.u32 %rd4, %b, 4, %rd2; ld.global.u32 %r1, [%rd4]; mad.wide.u32 %rd5, %b, 8, %rd1; setp.eq.u32 %p2, %b, 0; mov.u32 %r2, 0; @%p2 bra first;
spin: ld.acquire.gpu.global.u32 %r3, [%rd5+-8]; setp.eq.u32 %p3, %r3, 0; @%p3 bra spin;
ld.global.u32 %r2, [%rd5+-4]; // before
first: add.u32 %r1, %r1, %r2; st.global.u32 [%rd5+4], %r1; // sum
mov.u32 %r4, 1; st.release.gpu.global.u32 [%rd5], %r4; // ready
mad.wide.u32 %rd6, %b, 4, %rd3; st.global.u32 [%rd6], %r1;
end: ret;""",
        "state in out",
        "sm_80",
    ),
    lambda: [zeros(16), words(8), zeros(8)],
    lambda a: bool((a[2] == np.cumsum(a[1])).all()),
    grid=8,
    block=32,
    bugs=(
        Bug("a relaxed look", "ld.acquire.gpu", "ld.relaxed.gpu", "flag", MEMORY),
        Bug("a relaxed word", "st.release.gpu", "st.relaxed.gpu", "flag", MEMORY),
        Bug("a word to the CTA", "st.release.gpu", "st.release.cta", "scope", MEMORY),
        Bug("it does not wait", "setp.eq.u32 %p3, %r3, 0; @%p3 bra spin;", "", "flag", MEMORY),
        Bug("the word before the sum", "st.global.u32 [%rd5+4], %r1; // sum\nmov.u32 %r4, 1; st.release.gpu.global.u32 [%rd5], %r4; // ready",
            "mov.u32 %r4, 1; st.release.gpu.global.u32 [%rd5], %r4; st.global.u32 [%rd5+4], %r1;", "flag", MEMORY),
    ),
)  # fmt: skip

SHIFT = Kernel(
    "shift",
    ptx(
        """
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mad.lo.u32 %r1, %b, 64, %t;
mad.wide.u32 %rd3, %r1, 4, %rd1; mad.wide.u32 %rd4, %r1, 4, %rd2; ld.global.nc.u32 %r2, [%rd3+4]; // next
st.global.u32 [%rd4], %r2; ret;""",
        "in out",
        "sm_80",
    ),
    lambda: [words(257), zeros(256)],
    lambda a: bool((a[1] == a[0][1:]).all()),
    grid=4,
    block=64,
    bugs=(
        Bug("in place", "st.global.u32 [%rd4], %r2;", "st.global.u32 [%rd3], %r2;", "read-only", ANY),
        Bug("in place, by plain loads", "ld.global.nc.u32 %r2, [%rd3+4]; // next\nst.global.u32 [%rd4], %r2;",
            "ld.global.u32 %r2, [%rd3+4];\nst.global.u32 [%rd3], %r2;", "atomics", MEMORY),
        Bug("it reads beyond", "[%rd3+4]; // next", "[%rd3+8];", "bounds"),
        Bug("two threads store to a word", "st.global.u32 [%rd4], %r2;", "and.b64 %rd4, %rd4, -8; st.global.u32 [%rd4], %r2;", "atomics", ANY),
        Bug("a misaligned store", "st.global.u32 [%rd4], %r2;", "st.global.u32 [%rd4+2], %r2;", "bounds"),
    ),
)  # fmt: skip

_ADD = "multimem.red.release.gpu.global.add.u32 [%rd2], %r2;"
_LOOK = "multimem.ld_reduce.acquire.gpu.global.add.u32 %r3, [%rd2];"
MULTICAST = Kernel(
    "a flag at a multicast address",
    FLAG.text.replace("st.release.gpu.global.u32 [%rd2], %r2;", _ADD)
    .replace("ld.acquire.gpu.global.u32 %r3, [%rd2];", _LOOK)
    .replace(".target sm_80", ".target sm_90"),
    FLAG.inputs,
    FLAG.correct,
    grid=2,
    bugs=(
        Bug("a relaxed sum", _ADD, _ADD.replace("release", "relaxed"), "multimem", MEMORY),
        Bug("a sum in the CTA", _ADD, _ADD.replace("gpu", "cta"), "multimem", MEMORY),
        Bug("a weak store", _ADD, "multimem.st.weak.global.u32 [%rd2], %r2;", "multimem", MEMORY),
        Bug("a relaxed look", _LOOK, _LOOK.replace("acquire", "relaxed"), "multimem", MEMORY),
        Bug("a look in the CTA", _LOOK, _LOOK.replace("gpu", "cta"), "multimem", MEMORY),
        Bug("a weak look", _LOOK, _LOOK.replace("acquire.gpu", "weak"), "multimem", MEMORY | HANG),
        Bug("no barrier before the sum", "bar.sync 0; // written", "", "multimem", MEMORY),
        Bug("it looks once", "setp.eq.u32 %p3, %r3, 0; @%p3 bra spin;", "", "multimem", MEMORY),
    ),
)  # fmt: skip

READERS = Kernel(
    "independent reads of independent writes",
    ptx(
        """
ld.param.u64 %rd1, [words]; ld.param.u64 %rd2, [data]; ld.param.u64 %rd3, [out]; setp.ge.u32 %p1, %b, 2; mov.u32 %r1, 1;
mad.wide.u32 %rd4, %b, 4, %rd1; mad.wide.u32 %rd5, %b, 4, %rd2; @%p1 bra reader;
add.u32 %r2, %b, 40; st.global.u32 [%rd5], %r2; st.release.gpu.global.u32 [%rd4], %r1; bra end;
reader: sub.u32 %r3, %b, 2; xor.b32 %r4, %r3, 1; mad.wide.u32 %rd6, %r3, 4, %rd1; mad.wide.u32 %rd7, %r4, 4, %rd1;
ld.relaxed.gpu.global.u32 %r5, [%rd6];
fence.sc.gpu; // between
ld.relaxed.gpu.global.u32 %r6, [%rd7];
fence.acq_rel.gpu; // before the data
mov.u32 %r7, 0; mov.u32 %r8, 0; setp.ne.u32 %p2, %r5, 0; setp.ne.u32 %p3, %r6, 0;
mad.wide.u32 %rd8, %r3, 4, %rd2; mad.wide.u32 %rd9, %r4, 4, %rd2; @%p2 ld.global.u32 %r7, [%rd8]; @%p3 ld.global.u32 %r8, [%rd9];
add.u32 %r7, %r7, %r8; mad.wide.u32 %rd10, %r3, 4, %rd3; st.global.u32 [%rd10], %r7;
end: ret;""",
        "words data out",
        "sm_80",
    ),
    lambda: [zeros(2), zeros(2), zeros(2)],
    lambda a: bool(set(a[2].tolist()) <= {0, 40, 41, 81}),
    grid=4,
    block=1,
    bugs=(
        Bug("no fence before the data", "fence.acq_rel.gpu; // before the data", "", "flag", MEMORY),
        Bug("a fence of the CTA before the data", "fence.acq_rel.gpu; // before the data", "fence.acq_rel.cta;", "scope", MEMORY),
        Bug("relaxed writes", "st.release.gpu.global.u32 [%rd4]", "st.relaxed.gpu.global.u32 [%rd4]", "flag", MEMORY),
        Bug("weak writes", "st.release.gpu.global.u32 [%rd4]", "st.global.u32 [%rd4]", "flag", MEMORY),
        Bug("the data is read whatever the words are", "@%p2 ld.global.u32 %r7", "ld.global.u32 %r7", "flag", MEMORY),
    ),
    harmless={"fence.sc.gpu; // between": "without it readers may disagree on the order of the writes, which is no race"},
)  # fmt: skip

STREAM_K = Kernel(
    "tiles that several CTAs share",
    ptx(
        """
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [parts]; ld.param.u64 %rd3, [flags]; ld.param.u64 %rd4, [out]; setp.ne.u32 %p1, %t, 0;
mad.lo.u32 %r1, %b, 128, %t; mad.wide.u32 %rd5, %r1, 4, %rd1; ld.global.u32 %r2, [%rd5]; mad.wide.u32 %rd6, %r1, 4, %rd2;
mad.wide.u32 %rd7, %b, 4, %rd3; rem.u32 %r3, %b, 3; setp.eq.u32 %p2, %r3, 0; @%p2 bra owner;
st.global.u32 [%rd6], %r2;
fence.acq_rel.gpu; // parts
bar.sync 0; // stored
@%p1 bra end; mov.u32 %r4, 1; st.relaxed.gpu.global.u32 [%rd7], %r4; bra end;
owner: mov.u32 %r5, 1;
next: @%p1 bra waited;
spin: ld.relaxed.gpu.global.u32 %r6, [%rd7+4]; setp.eq.u32 %p3, %r6, 0; @%p3 bra spin;
fence.acq_rel.gpu; // seen
waited: bar.sync 0; // shared
ld.global.u32 %r7, [%rd6+512]; add.u32 %r2, %r2, %r7; add.u64 %rd6, %rd6, 512; add.u64 %rd7, %rd7, 4;
add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, 3; @%p4 bra next;
div.u32 %r8, %b, 3; mad.lo.u32 %r8, %r8, 128, %t; mad.wide.u32 %rd8, %r8, 4, %rd4; st.global.u32 [%rd8], %r2;
end: ret;""",
        "in parts flags out",
        "sm_80",
    ),
    lambda: [words(768), zeros(768), zeros(6), zeros(256)],
    lambda a: bool((a[3].reshape(2, 128) == a[0].reshape(2, 3, 128).sum(axis=1)).all()),
    grid=6,
    bugs=(
        Bug("no fence of the parts", "fence.acq_rel.gpu; // parts", "", "flag", MEMORY),
        Bug("a fence of the CTA for the parts", "fence.acq_rel.gpu; // parts", "fence.acq_rel.cta;", "scope", MEMORY),
        Bug("no barrier after the parts", "bar.sync 0; // stored", "", "flag", MEMORY),
        Bug("the flag before the parts", "st.global.u32 [%rd6], %r2;\nfence.acq_rel.gpu; // parts\nbar.sync 0; // stored\n"
            "@%p1 bra end; mov.u32 %r4, 1; st.relaxed.gpu.global.u32 [%rd7], %r4; bra end;",
            "fence.acq_rel.gpu; bar.sync 0; mov.u32 %r4, 1; @!%p1 st.relaxed.gpu.global.u32 [%rd7], %r4; st.global.u32 [%rd6], %r2; bra end;", "flag", MEMORY),
        Bug("the flag of another CTA", "st.relaxed.gpu.global.u32 [%rd7], %r4;", "xor.b32 %r9, %r3, 3; div.u32 %r10, %b, 3; mad.lo.u32 %r9, %r10, 3, %r9; mad.wide.u32 %rd9, %r9, 4, %rd3; st.relaxed.gpu.global.u32 [%rd9], %r4;", "flag", MEMORY),
        Bug("no fence after the flag", "fence.acq_rel.gpu; // seen", "", "flag", MEMORY),
        Bug("no barrier after the flag", "waited: bar.sync 0; // shared", "waited:", "flag", MEMORY),
        Bug("it looks once", "setp.eq.u32 %p3, %r6, 0; @%p3 bra spin;", "", "flag", MEMORY),
        Bug("the first flag for both parts", "add.u64 %rd7, %rd7, 4;", "", "flag", MEMORY),
        Bug("a weak flag", "st.relaxed.gpu.global.u32 [%rd7], %r4;", "st.global.u32 [%rd7], %r4;", "flag", MEMORY),
        Bug("a flag for the CTA", "st.relaxed.gpu.global.u32 [%rd7], %r4;", "st.relaxed.cta.global.u32 [%rd7], %r4;", "scope", MEMORY),
    ),
)  # fmt: skip

KERNELS = (
    *(FLAG, FENCES, LAST, LOCK, BARRIER_LOCK, HISTOGRAM, GRID, TICKET, CHAIN, SHIFT),
    *(MULTICAST, READERS, STREAM_K),
)
