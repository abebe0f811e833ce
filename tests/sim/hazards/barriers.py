"""Barriers of the CTA, named barriers, barriers of the warp, and what is no barrier."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.case import ANY, HANG, MEMORY, Bug, Kernel, ptx, words, zeros

REVERSE = Kernel(
    "reverse",
    ptx(
        """
.shared .align 4 .b8 s[512];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
mad.wide.u32 %rd3, %t, 4, %rd1; ld.global.u32 %r1, [%rd3];
mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2; st.shared.u32 [%r3], %r1;
bar.sync 0;
sub.u32 %r4, 127, %t; mad.lo.u32 %r4, %r4, 4, %r2; ld.shared.u32 %r5, [%r4];
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r5; ret;""",
        "in out",
        "sm_80",
    ),
    lambda: [words(128), zeros(128)],
    lambda a: bool((a[1] == a[0][::-1]).all()),
    bugs=(
        Bug("no barrier", "bar.sync 0;", "", "barrier", MEMORY),
        Bug("a barrier of the warp", "bar.sync 0;", "bar.warp.sync 0xffffffff;", "barrier", MEMORY),
        Bug("the barrier before the store", "st.shared.u32 [%r3], %r1;\nbar.sync 0;", "bar.sync 0;\nst.shared.u32 [%r3], %r1;",
            "barrier", MEMORY),
        Bug("a fence in its place", "bar.sync 0;", "membar.cta;", "barrier", MEMORY),
        Bug("an arrival in its place", "bar.sync 0;", "bar.arrive 0, 128;", "barrier", MEMORY | HANG),
        Bug("a barrier for each pair of warps", "bar.sync 0;", "shr.u32 %r9, %w, 1; add.u32 %r9, %r9, 1; bar.sync %r9, 64;",
            "barrier", MEMORY),
        Bug("one warp skips it and stays", "bar.sync 0;", "setp.eq.u32 %p1, %w, 3; @!%p1 bar.sync 0, 96;", "barrier", MEMORY),
        Bug("half of the tile is stored", "st.shared.u32 [%r3], %r1;", "setp.lt.u32 %p1, %t, 64; @%p1 st.shared.u32 [%r3], %r1;",
            "unwritten", MEMORY),
        Bug("one word beyond the tile", "sub.u32 %r4, 127, %t;", "sub.u32 %r4, 128, %t;", "bounds"),
        Bug("a count that is not reached", "bar.sync 0;", "bar.sync 0, 160;", "hang", HANG),
        Bug("a count that the CTA exceeds", "bar.sync 0;", "setp.lt.u32 %p1, %w, 3; @%p1 bra go; bar.sync 0, 96; go:",
            "hang", HANG | MEMORY),
    ),
)  # fmt: skip

ROUNDS = Kernel(
    "rounds",
    ptx(
        """
.shared .align 4 .b8 s[512];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2;
add.u32 %r4, %t, 32; and.b32 %r4, %r4, 127; mad.lo.u32 %r4, %r4, 4, %r2;
mov.u32 %r6, 0; mov.u32 %r7, 0; mad.wide.u32 %rd3, %t, 4, %rd1;
again:
ld.global.u32 %r1, [%rd3]; add.u64 %rd3, %rd3, 512;
st.shared.u32 [%r3], %r1;
bar.sync 0; // full
ld.shared.u32 %r5, [%r4]; add.u32 %r6, %r6, %r5;
bar.sync 0; // free
add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 4; @%p1 bra again;
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r6; ret;""",
        "in out",
        "sm_80",
    ),
    lambda: [words(512), zeros(128)],
    lambda a: bool((a[1] == np.roll(a[0].reshape(4, 128).sum(axis=0), -32)).all()),
    bugs=(
        Bug("no barrier after the store", "bar.sync 0; // full", "", "barrier", MEMORY),
        Bug("no barrier after the load", "bar.sync 0; // free", "", "barrier", MEMORY),
        Bug("another buffer, read too late", "add.u32 %r6, %r6, %r5;\nbar.sync 0; // free",
            "bar.sync 0; ld.shared.u32 %r5, [%r4]; add.u32 %r6, %r6, %r5;", "barrier", MEMORY),
        Bug("the second barrier is of the warp", "bar.sync 0; // free", "bar.warp.sync 0xffffffff;", "barrier", MEMORY),
        Bug("the second barrier only when it goes on", "bar.sync 0; // free",
            "setp.eq.u32 %p2, %r7, 1; @%p2 bra skip; bar.sync 0; skip:", "barrier", MEMORY),
    ),
)  # fmt: skip

REDUCTION = Kernel(
    "reduction",
    ptx(
        """
.shared .align 4 .b8 s[1024];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2;
mad.wide.u32 %rd3, %t, 4, %rd1; ld.global.u32 %r1, [%rd3]; st.shared.u32 [%r3], %r1;
bar.sync 0; // filled
mov.u32 %r4, 128;
step:
setp.ge.u32 %p1, %t, %r4; @%p1 bra skip;
shl.b32 %r5, %r4, 2; add.u32 %r5, %r5, %r3; ld.shared.u32 %r6, [%r5]; ld.shared.u32 %r7, [%r3];
add.u32 %r7, %r7, %r6; st.shared.u32 [%r3], %r7;
skip:
bar.sync 0; // step
shr.u32 %r4, %r4, 1; setp.gt.u32 %p2, %r4, 32; @%p2 bra step;
setp.ge.u32 %p1, %t, 32; @%p1 bra done;
ld.shared.u32 %r7, [%r3]; ld.shared.u32 %r6, [%r3+128]; add.u32 %r7, %r7, %r6;
shfl.sync.bfly.b32 %r8, %r7, 16, 31, 0xffffffff; add.u32 %r7, %r7, %r8;
shfl.sync.bfly.b32 %r8, %r7, 8, 31, 0xffffffff; add.u32 %r7, %r7, %r8;
shfl.sync.bfly.b32 %r8, %r7, 4, 31, 0xffffffff; add.u32 %r7, %r7, %r8;
shfl.sync.bfly.b32 %r8, %r7, 2, 31, 0xffffffff; add.u32 %r7, %r7, %r8;
shfl.sync.bfly.b32 %r8, %r7, 1, 31, 0xffffffff; add.u32 %r7, %r7, %r8;
setp.ne.u32 %p1, %t, 0; @%p1 bra done; st.global.u32 [%rd2], %r7;
done: ret;""",
        "in out",
        "sm_80",
    ),
    lambda: [words(256), zeros(1)],
    lambda a: int(a[1][0]) == int(a[0].sum() & 0xFFFFFFFF),
    block=256,
    bugs=(
        Bug("no barrier before the first step", "bar.sync 0; // filled", "", "barrier", MEMORY),
        Bug("no barrier between steps", "bar.sync 0; // step", "", "barrier", MEMORY),
        Bug("the barrier inside the branch", "st.shared.u32 [%r3], %r7;\nskip:\nbar.sync 0; // step",
            "st.shared.u32 [%r3], %r7; bar.sync 0;\nskip:", "divergence", MEMORY | HANG),
        Bug("a membermask of too few", "shfl.sync.bfly.b32 %r8, %r7, 16, 31, 0xffffffff;",
            "shfl.sync.bfly.b32 %r8, %r7, 16, 31, 0x0000ffff;", "membermask", frozenset({"membermask"})),
    ),
)  # fmt: skip

TAIL = Kernel(
    "warp tail",
    ptx(
        """
.shared .align 4 .b8 s[256];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2;
mad.wide.u32 %rd3, %t, 4, %rd1; ld.global.u32 %r1, [%rd3]; st.shared.u32 [%r3], %r1; bar.warp.sync 0xffffffff; // a
add.u32 %r6, %t, 7; and.b32 %r6, %r6, 31; mad.lo.u32 %r6, %r6, 4, %r2; ld.shared.u32 %r5, [%r6];
add.u32 %r1, %r1, %r5; bar.warp.sync 0xffffffff; // b
st.shared.u32 [%r3], %r1; bar.warp.sync 0xffffffff; // c
xor.b32 %r7, %t, 1; mad.lo.u32 %r7, %r7, 4, %r2; ld.shared.u32 %r8, [%r7];
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r8; ret;""",
        "in out",
        "sm_80",
    ),
    lambda: [words(32), zeros(32)],
    lambda a: bool((a[1] == (a[0] + np.roll(a[0], -7))[np.arange(32) ^ 1]).all()),
    block=32,
    bugs=(
        Bug("no barrier of the warp after the store", "bar.warp.sync 0xffffffff; // a", "", "warp", MEMORY),
        Bug("no barrier of the warp after the load", "bar.warp.sync 0xffffffff; // b", "", "warp", MEMORY),
        Bug("no barrier of the warp after the sum", "bar.warp.sync 0xffffffff; // c", "", "warp", MEMORY),
        Bug("a shuffle in its place", "bar.warp.sync 0xffffffff; // a", "shfl.sync.idx.b32 %r9, %r1, 0, 31, 0xffffffff;",
            "warp", MEMORY),
        Bug("a vote in its place", "bar.warp.sync 0xffffffff; // c",
            "setp.eq.u32 %p1, %t, 3; vote.sync.all.pred %p2, %p1, 0xffffffff;", "warp", MEMORY),
        Bug("a match in its place", "bar.warp.sync 0xffffffff; // c", "match.any.sync.b32 %r9, %r1, 0xffffffff;", "warp", MEMORY),
        Bug("a reduction in its place", "bar.warp.sync 0xffffffff; // b", "redux.sync.add.u32 %r9, %t, 0xffffffff;", "warp", MEMORY),
        Bug("a fence in its place", "bar.warp.sync 0xffffffff; // a", "membar.cta;", "warp", MEMORY),
    ),
)  # fmt: skip

HALVES = Kernel(
    "half warps",
    ptx(
        """
.shared .align 4 .b8 s[512];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2;
mad.wide.u32 %rd3, %t, 4, %rd1; ld.global.u32 %r1, [%rd3]; st.shared.u32 [%r3], %r1;
setp.ge.u32 %p1, %l, 16; selp.b32 %r9, 0xffff0000, 0x0000ffff, %p1; selp.b32 %r10, 9, 5, %p1;
@%p1 bra high;
bar.warp.sync 0x0000ffff; // low
bra both;
high: bar.warp.sync 0xffff0000; // high
both:
add.u32 %r4, %t, %r10; and.b32 %r4, %r4, 15; and.b32 %r5, %t, 112; add.u32 %r4, %r4, %r5;
mad.lo.u32 %r4, %r4, 4, %r2; ld.shared.u32 %r6, [%r4];
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r6; ret;""",
        "in out",
        "sm_80",
    ),
    lambda: [words(128), zeros(128)],
    lambda a: bool(
        (a[1] == np.concatenate([np.roll(part, -(9 if i % 2 else 5)) for i, part in enumerate(a[0].reshape(8, 16))])).all()
    ),
    bugs=(
        Bug("no barrier in the low half", "bar.warp.sync 0x0000ffff; // low", "", "warp", MEMORY),
        Bug("no barrier in the high half", "bar.warp.sync 0xffff0000; // high", "", "warp", MEMORY),
        Bug("it reads what the other half stored", "and.b32 %r4, %r4, 15; and.b32 %r5, %t, 112;",
            "and.b32 %r4, %r4, 31; and.b32 %r5, %t, 96;", "warp", MEMORY),
        Bug("a membermask of the other half", "bar.warp.sync 0x0000ffff; // low", "bar.warp.sync 0xffff0000;", "membermask"),
    ),
)  # fmt: skip

NAMED = Kernel(
    "named barriers",
    ptx(
        """
.shared .align 4 .b8 s[512];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r7, 0; mov.u32 %r6, 0;
and.b32 %r10, %t, 63; mad.lo.u32 %r3, %r10, 4, %r2; mad.wide.u32 %rd3, %r10, 4, %rd1;
setp.ge.u32 %p1, %t, 64; @%p1 bra consumer;
producer:
ld.global.u32 %r1, [%rd3]; add.u64 %rd3, %rd3, 256;
bar.sync 2, 128; // wait until free
st.shared.u32 [%r3], %r1;
bar.arrive 1, 128; // now full
add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 5; @%p2 bra producer;
ret;
consumer:
bar.arrive 2, 128; // first free
xor.b32 %r11, %r10, 33; mad.lo.u32 %r11, %r11, 4, %r2;
again:
bar.sync 1, 128; // wait until full
ld.shared.u32 %r5, [%r11]; add.u32 %r6, %r6, %r5; add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 5; @!%p2 bra store;
bar.arrive 2, 128; // now free
bra again;
store: mad.wide.u32 %rd4, %r10, 4, %rd2; st.global.u32 [%rd4], %r6; ret;""",
        "in out",
        "sm_80",
    ),
    lambda: [words(320), zeros(64)],
    lambda a: bool((a[1] == a[0].reshape(5, 64).sum(axis=0)[np.arange(64) ^ 33]).all()),
    bugs=(
        Bug("the producer does not wait until it is free", "bar.sync 2, 128; // wait until free", "bar.arrive 2, 128;",
            "named barrier", MEMORY | HANG),
        Bug("the consumer does not wait until it is full", "bar.sync 1, 128; // wait until full", "bar.arrive 1, 128;",
            "named barrier", MEMORY | HANG),
        Bug("the producer waits at the wrong barrier", "bar.sync 2, 128; // wait until free", "bar.sync 3, 128;",
            "named barrier", MEMORY | HANG),
        Bug("it says free before it has read", "ld.shared.u32 %r5, [%r11]; add.u32 %r6, %r6, %r5;",
            "bar.arrive 2, 128; ld.shared.u32 %r5, [%r11]; add.u32 %r6, %r6, %r5;", "named barrier", MEMORY | HANG),
        Bug("it says full before it has written", "st.shared.u32 [%r3], %r1;\nbar.arrive 1, 128; // now full",
            "bar.arrive 1, 128;\nst.shared.u32 [%r3], %r1;", "named barrier", MEMORY),
        Bug("a count of one warp less", "bar.sync 1, 128; // wait until full", "bar.sync 1, 96;", "hang", MEMORY | HANG),
        Bug("no word that the buffer is free", "bar.arrive 2, 128; // first free", "", "hang", HANG | MEMORY),
        Bug("twice the word that it is free", "bar.arrive 2, 128; // now free", "bar.arrive 2, 128; bar.arrive 2, 128;",
            "named barrier", MEMORY | HANG),
    ),
)  # fmt: skip

READERS = Kernel(
    "several readers",
    ptx(
        """
.shared .align 4 .b8 s[128];
ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %l, 4, %r2; setp.ne.u32 %p1, %w, 0;
@%p1 bra reader;
st.shared.u32 [%r3], %t;
bar.sync 0; // I have written
bar.sync 1, 128; // all have read
add.u32 %r4, %t, 100; st.shared.u32 [%r3], %r4;
bar.sync 0; // I have written again
ld.shared.u32 %r5, [%r3]; bra end;
reader:
bar.sync 0; // it is written
ld.shared.u32 %r5, [%r3];
bar.arrive 1, 128; // I have read
bar.sync 0; // it is written again
ld.shared.u32 %r6, [%r3]; add.u32 %r5, %r5, %r6;
end: mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r5; ret;""",
        "out",
        "sm_80",
    ),
    lambda: [zeros(128)],
    lambda a: bool((a[0][:32] == np.arange(32) + 100).all() and (a[0][32:] == np.tile(2 * np.arange(32) + 100, 3)).all()),
    bugs=(
        *(
            Bug(
                f"warp {w} says so before it has read", "ld.shared.u32 %r5, [%r3];\nbar.arrive 1, 128; // I have read",
                f"setp.eq.u32 %p2, %w, {w}; @%p2 bra early; ld.shared.u32 %r5, [%r3]; bar.arrive 1, 128; bra late; "
                "early: bar.arrive 1, 128; ld.shared.u32 %r5, [%r3]; late:", "several readers", MEMORY,
            )
            for w in (1, 2, 3)
        ),
        Bug("the writer waits for two of three", "bar.sync 1, 128; // all have read", "bar.sync 1, 96;", "several readers",
            MEMORY | HANG),
        Bug("the writer waits for nobody", "bar.sync 1, 128; // all have read", "bar.arrive 1, 128;", "several readers", MEMORY),
    ),
)  # fmt: skip

BYTES = Kernel(
    "bytes",
    ptx(
        """
.shared .align 4 .b8 s[132];
ld.param.u64 %rd2, [out]; mov.u32 %r2, s; add.u32 %r3, %r2, %t; cvt.u16.u32 %h1, %t;
st.shared.u8 [%r3], %h1; // mine
setp.lt.u32 %p1, %t, 4; @%p1 st.shared.u8 [%r3+128], %h1; // more
bar.sync 0;
ld.shared.u8 %h2, [%r3+3]; cvt.u32.u16 %r4, %h2;
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r4; ret;""",
        "out",
        "sm_80",
    ),
    lambda: [zeros(128)],
    lambda a: bool((a[0] == (np.arange(128) + 3) % 128).all()),
    bugs=(
        Bug("stores of two bytes", "st.shared.u8 [%r3], %h1; // mine",
            "and.b32 %r5, %r3, 0xfffffffe; st.shared.u16 [%r5], %h1;", "bytes", MEMORY),
        Bug("one byte too far", "st.shared.u8 [%r3+128], %h1; // more", "st.shared.u8 [%r3+127], %h1;", "bytes", ANY),
        Bug("the byte of the next warp", "st.shared.u8 [%r3], %h1; // mine", "st.shared.u8 [%r3], %h1; st.shared.u8 [%r3+1], %h1;",
            "bytes", MEMORY),
        Bug("no barrier", "bar.sync 0;", "", "bytes", MEMORY),
        Bug("it reads a byte that is written", "st.shared.u8 [%r3], %h1; // mine",
            "st.shared.u8 [%r3], %h1; ld.shared.u8 %h3, [%r3+1];", "bytes", MEMORY),
    ),
)  # fmt: skip

BITS = Kernel(
    "a barrier with a vote",
    ptx(
        """
.shared .align 4 .b8 s[512];
ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2; st.shared.u32 [%r3], %t;
setp.lt.u32 %p1, %t, 100;
bar.red.popc.u32 %r6, 0, %p1;
xor.b32 %r4, %t, 96; mad.lo.u32 %r4, %r4, 4, %r2; ld.shared.u32 %r5, [%r4]; add.u32 %r5, %r5, %r6;
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r5; ret;""",
        "out",
        "sm_80",
    ),
    lambda: [zeros(128)],
    lambda a: bool((a[0] == (np.arange(128) ^ 96) + 100).all()),
    bugs=(
        Bug("a vote of the warp", "bar.red.popc.u32 %r6, 0, %p1;", "vote.sync.ballot.b32 %r6, %p1, 0xffffffff;", "barrier", MEMORY),
        Bug("a barrier of two warps", "bar.red.popc.u32 %r6, 0, %p1;",
            "shr.u32 %r7, %w, 1; bar.red.popc.u32 %r6, %r7, 64, %p1;", "barrier", MEMORY),
        Bug("it diverges within the warp", "bar.red.popc.u32 %r6, 0, %p1;",
            "mov.u32 %r6, 0; @%p1 bra other; bar.red.popc.u32 %r6, 0, %p1; bra met; other: bar.red.popc.u32 %r6, 0, %p1; met:",
            "divergence", HANG),
    ),
)  # fmt: skip

SPLIT = Kernel(
    "barriers without alignment",
    ptx(
        """
.shared .align 4 .b8 s[512];
ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2; st.shared.u32 [%r3], %t;
and.b32 %r7, %t, 1; setp.eq.u32 %p1, %r7, 0; @%p1 bra even;
barrier.sync 0, 128; // odd
bra met;
even: barrier.sync 0, 128; // even
met:
xor.b32 %r4, %t, 65; mad.lo.u32 %r4, %r4, 4, %r2; ld.shared.u32 %r5, [%r4];
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r5; ret;""",
        "out",
        "sm_80",
    ),
    lambda: [zeros(128)],
    lambda a: bool((a[0] == np.arange(128) ^ 65).all()),
    bugs=(
        Bug("the aligned form on one side", "barrier.sync 0, 128; // odd", "bar.sync 0, 128;", "divergence", HANG),
        Bug("no barrier on one side", "barrier.sync 0, 128; // odd", "", "barrier", MEMORY | HANG),
        Bug("no barrier on the other side", "even: barrier.sync 0, 128; // even", "even:", "barrier", MEMORY | HANG),
    ),
)  # fmt: skip

KERNELS = (REVERSE, ROUNDS, REDUCTION, TAIL, HALVES, NAMED, READERS, BYTES, BITS, SPLIT)
