"""What nobody has written, lanes that are not there, divergence, loops that wait, bounds."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.case import ANY, HANG, MEMORY, Bug, Kernel, ptx, words, zeros

UNWRITTEN = frozenset({"uninitialised-memory", "uninitialised-register"})
LANES = frozenset({"membermask", "divergent-collective", "uninitialised-register", "shuffle", "inactive-lane"})

LOCAL = Kernel(
    "local memory",
    ptx(
        """
.local .align 8 .b8 d[64];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mad.wide.u32 %rd3, %t, 4, %rd1; mov.u64 %rd5, d; mov.u32 %r1, 0;
fill: mad.wide.u32 %rd6, %r1, 4, %rd5; add.u32 %r2, %r1, %t; st.local.u32 [%rd6], %r2;
add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 16; @%p1 bra fill;
ld.global.u32 %r3, [%rd3]; and.b32 %r3, %r3, 15; mad.wide.u32 %rd6, %r3, 4, %rd5; ld.local.u32 %r4, [%rd6];
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r4; ret;""",
        "in out",
        "sm_80",
    ),
    lambda: [words(128), zeros(128)],
    lambda a: bool((a[1] == (a[0] & 15) + np.arange(128)).all()),
    bugs=(
        Bug("the last word is not written", "setp.lt.u32 %p1, %r1, 16;", "setp.lt.u32 %p1, %r1, 15;", "unwritten", UNWRITTEN),
        Bug("half of each word is written", "st.local.u32 [%rd6], %r2;", "st.local.u16 [%rd6], %r2;", "unwritten", UNWRITTEN),
        Bug("nothing is written", "st.local.u32 [%rd6], %r2;", "", "unwritten", UNWRITTEN),
        Bug("a word too far", "and.b32 %r3, %r3, 15;", "or.b32 %r3, %r3, 16;", "bounds"),
    ),
)  # fmt: skip

REGISTERS = Kernel(
    "registers on two ways",
    ptx(
        """
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mad.wide.u32 %rd3, %t, 4, %rd1; ld.global.u32 %r1, [%rd3];
and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra even;
add.u32 %r3, %r1, 5; cvt.u16.u32 %h1, %r1; // odd
bra join;
even: sub.u32 %r3, %r1, 5; mov.u16 %h1, 7; // even
join: mov.b32 %r4, {%h1, %h1}; prmt.b32 %r5, %r3, %r4, 0x5410; add.u32 %r5, %r5, %r3;
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r5; ret;""",
        "in out",
        "sm_80",
    ),
    lambda: [words(128), zeros(128)],
    lambda a: bool((a[1] == _two_ways(a[0])).all()),
    bugs=(
        Bug("one way leaves it out", "add.u32 %r3, %r1, 5; ", "", "unwritten", UNWRITTEN),
        Bug("the other way leaves it out", "even: sub.u32 %r3, %r1, 5;", "even:", "unwritten", UNWRITTEN),
        Bug("one way leaves a half out", "cvt.u16.u32 %h1, %r1; // odd", "", "unwritten", UNWRITTEN),
        Bug("the other way leaves a half out", "mov.u16 %h1, 7; // even", "", "unwritten", UNWRITTEN),
        Bug("an address that nothing has written", "[%rd4], %r5;", "[%rd7], %r5;", "unwritten", UNWRITTEN),
        Bug("a branch on what nothing has written", "@%p1 bra even;", "@%p3 bra even;", "unwritten", UNWRITTEN),
    ),
)  # fmt: skip

PARTIAL = Kernel(
    "a tile of which some threads have nothing",
    ptx(
        """
.shared .align 4 .b8 s[512];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.wide.u32 %rd3, %t, 4, %rd1; setp.ge.u32 %p1, %t, 100;
@!%p1 ld.global.u32 %r1, [%rd3]; mad.lo.u32 %r3, %t, 4, %r2; st.shared.u32 [%r3], %r1; bar.sync 0;
xor.b32 %r4, %t, 3; mad.lo.u32 %r4, %r4, 4, %r2; ld.shared.u32 %r5, [%r4]; add.u32 %r5, %r5, 1;
mad.wide.u32 %rd4, %t, 4, %rd2; @!%p1 st.global.u32 [%rd4], %r5; ret;""",
        "in out",
        "sm_80",
    ),
    lambda: [words(100), zeros(100)],
    lambda a: bool((a[1] == a[0][np.arange(100) ^ 3] + 1).all()),
    bugs=(
        Bug("the result of those too", "@!%p1 st.global.u32 [%rd4], %r5;", "setp.lt.u32 %p2, %t, 100; @%p2 st.global.u32 [%rd4], %r5; @!%p2 st.global.u32 [%rd2], %r5;", "unwritten", UNWRITTEN),
        Bug("what those have stored", "xor.b32 %r4, %t, 3;", "xor.b32 %r4, %t, 31;", "unwritten", UNWRITTEN),
        Bug("a branch on it", "add.u32 %r5, %r5, 1;", "setp.ne.u32 %p2, %r5, 9; @%p2 bra more; st.global.u32 [%rd2], %t; more: add.u32 %r5, %r5, 1;", "unwritten", UNWRITTEN),
        Bug("an address of it", "add.u32 %r5, %r5, 1;", "and.b32 %r6, %r5, 60; cvt.u64.u32 %rd5, %r6; add.u64 %rd5, %rd5, %rd2; @%p1 st.global.u32 [%rd5], %t; add.u32 %r5, %r5, 1;", "unwritten", UNWRITTEN),
    ),
)  # fmt: skip


def _two_ways(values: np.ndarray[tuple[int], np.dtype[np.uint32]]) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    odd = values % 2 == 1
    moved = np.where(odd, values + 5, values - 5).astype(np.uint32)
    half = np.where(odd, values & 0xFFFF, 7).astype(np.uint32)
    return ((moved & 0xFFFF) | half << np.uint32(16)) + moved


LANE = Kernel(
    "shuffles and votes",
    ptx(
        """
ld.param.u64 %rd2, [out]; mov.u32 %r1, %t;
shfl.sync.down.b32 %r2|%p1, %r1, 4, 31, 0xffffffff; // down
add.u32 %r1, %r1, %r2;
setp.lt.u32 %p2, %l, 16; @!%p2 bra rest;
shfl.sync.bfly.b32 %r3, %r1, 1, 31, 0x0000ffff; // half
add.u32 %r1, %r1, %r3; bra all;
rest: mov.u32 %r3, 0;
all: bar.warp.sync 0xffffffff;
vote.sync.ballot.b32 %r4, %p2, 0xffffffff; // vote
add.u32 %r1, %r1, %r4;
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r1; ret;""",
        "out",
        "sm_80",
    ),
    lambda: [zeros(32)],
    lambda a: bool((a[0] == _lanes()).all()),
    block=32,
    harmless={"bar.warp.sync 0xffffffff;": "the vote waits for its lanes itself, and no memory is shared"},
    bugs=(
        Bug("a lane that has left", "shfl.sync.down.b32", "setp.eq.u32 %p5, %t, 31; @%p5 ret; shfl.sync.down.b32", "lanes", LANES | HANG),
        Bug("it takes from lanes that are elsewhere", "shfl.sync.bfly.b32 %r3, %r1, 1, 31, 0x0000ffff; // half",
            "shfl.sync.bfly.b32 %r3, %r1, 16, 31, 0x0000ffff;", "lanes", LANES),
        Bug("a membermask of more than are there", "31, 0x0000ffff; // half", "31, 0x0001ffff;", "lanes", LANES | HANG),
        Bug("a membermask without the own lane", "31, 0x0000ffff; // half", "31, 0x00007fff;", "lanes", LANES),
        Bug("a vote of the half that all execute", "%p2, 0xffffffff; // vote", "%p2, 0x0000ffff;", "lanes", LANES),
        Bug("a guard on the shuffle", "shfl.sync.down.b32", "setp.ne.u32 %p5, %t, 3; @%p5 shfl.sync.down.b32", "lanes", ANY),
    ),
)  # fmt: skip


def _lanes() -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    t = np.arange(32)
    first = t + np.where(t + 4 < 32, t + 4, t)
    return (first + np.where(t < 16, first[np.arange(32) ^ 1], 0) + 0xFFFF).astype(np.uint32)


COLLECTIVE = Kernel(
    "matrix loads",
    ptx(
        """
.shared .align 16 .b8 s[512];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 16, %r2; mad.wide.u32 %rd3, %t, 16, %rd1;
ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd3]; st.shared.v4.u32 [%r3], {%r4, %r5, %r6, %r7};
bar.warp.sync 0xffffffff; // stored
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r8, %r9, %r10, %r11}, [%r3];
bar.warp.sync 0xffffffff; // loaded
stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r3], {%r8, %r9, %r10, %r11};
bar.warp.sync 0xffffffff; // back
xor.b32 %r12, %t, 5; mad.lo.u32 %r12, %r12, 16, %r2; ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r12];
mad.wide.u32 %rd4, %t, 16, %rd2; st.global.v4.u32 [%rd4], {%r4, %r5, %r6, %r7}; ret;""",
        "in out",
        "sm_90",
    ),
    lambda: [np.arange(256, dtype=np.uint16), zeros(256, np.uint16)],
    lambda a: bool((a[1].reshape(32, 8) == a[0].reshape(4, 8, 8).transpose(0, 2, 1).reshape(32, 8)[np.arange(32) ^ 5]).all()),
    block=32,
    bugs=(
        Bug("no barrier before ldmatrix", "bar.warp.sync 0xffffffff; // stored", "", "warp", MEMORY),
        Bug("no barrier before stmatrix", "bar.warp.sync 0xffffffff; // loaded", "", "warp", MEMORY),
        Bug("no barrier after stmatrix", "bar.warp.sync 0xffffffff; // back", "", "warp", MEMORY),
        Bug("ldmatrix where lanes diverge", "ldmatrix.sync", "setp.lt.u32 %p1, %t, 16; @%p1 ldmatrix.sync", "divergence", HANG),
        Bug("a row is not written", "st.shared.v4.u32 [%r3], {%r4, %r5, %r6, %r7};", "setp.ne.u32 %p1, %t, 9; @%p1 st.shared.v4.u32 [%r3], {%r4, %r5, %r6, %r7};",
            "unwritten", UNWRITTEN),
        Bug("rows that are not aligned", "mad.lo.u32 %r3, %t, 16, %r2;", "mad.lo.u32 %r3, %t, 8, %r2;", "bounds", frozenset({"misaligned"})),
    ),
)  # fmt: skip

POLL = Kernel(
    "a poll with barriers in its loop",
    ptx(
        """
.shared .align 4 .u32 seen;
ld.param.u64 %rd1, [flag]; ld.param.u64 %rd2, [out]; setp.ne.u32 %p1, %t, 0; setp.ne.u32 %p3, %b, 0; @%p3 bra write;
poll: @%p1 bra look; ld.acquire.gpu.global.u32 %r1, [%rd1]; st.shared.u32 [seen], %r1;
look: bar.sync 0; // told
ld.shared.u32 %r2, [seen]; bar.sync 0; // known
setp.eq.u32 %p2, %r2, 0; @%p2 bra poll;
mad.wide.u32 %rd3, %t, 4, %rd2; ld.global.u32 %r4, [%rd3]; add.u32 %r4, %r4, 1; st.global.u32 [%rd3+256], %r4; bra end;
write: mad.wide.u32 %rd3, %t, 4, %rd2; st.global.u32 [%rd3], %t; bar.sync 0; // written
@%p1 bra end; mov.u32 %r1, 1; st.release.gpu.global.u32 [%rd1], %r1;
end: ret;""",
        "flag out",
        "sm_80",
    ),
    lambda: [zeros(1), zeros(128)],
    lambda a: bool((a[1] == np.concatenate([np.arange(64), np.arange(64) + 1])).all()),
    grid=2,
    block=64,
    bugs=(
        Bug("no barrier when it is told", "look: bar.sync 0; // told", "look:", "barrier", MEMORY | HANG),
        Bug("no barrier when it is known", "bar.sync 0; // known", "", "barrier", MEMORY | HANG),
        Bug("the flag is never set", "mov.u32 %r1, 1; st.release", "mov.u32 %r1, 0; st.release", "hang", HANG),
        Bug("a relaxed word", "st.release.gpu", "st.relaxed.gpu", "flag", MEMORY),
        Bug("a relaxed look", "ld.acquire.gpu", "ld.relaxed.gpu", "flag", MEMORY),
        Bug("a look in the CTA", "ld.acquire.gpu", "ld.acquire.cta", "scope", MEMORY),
        Bug("it does not go on looking", "@%p2 bra poll;", "", "flag", MEMORY),
        Bug("no barrier before the word", "bar.sync 0; // written", "", "flag", MEMORY),
        Bug("one thread leaves without the others", "setp.eq.u32 %p2, %r2, 0;", "ld.volatile.shared.u32 %r2, [seen]; setp.eq.u32 %p2, %r2, 0;", "barrier", MEMORY | HANG),
    ),
)  # fmt: skip

PACKED = Kernel(
    "halves of packed registers",
    ptx(
        """
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mad.wide.u32 %rd3, %t, 4, %rd1; mad.wide.u32 %rd4, %t, 4, %rd2;
ld.global.u16 %h1, [%rd3]; mov.b32 %r1, {%h1, %h2}; // low
add.f16x2 %r2, %r1, %r1; fma.rn.f16x2 %r3, %r2, %r1, %r2; max.f16x2 %r3, %r3, %r1; neg.f16x2 %r3, %r3;
mov.b32 {%h3, %h4}, %r3; // apart
mov.u16 %h5, 0; mov.b32 %r4, {%h3, %h5}; // whole
st.global.u32 [%rd4], %r4; ret;""",
        "in out",
    ),
    lambda: [np.arange(32, dtype=np.float16).repeat(2).view(np.uint32), zeros(32)],
    lambda a: bool((a[1].view(np.float16)[::2] == -(2 * np.arange(32.0) ** 2 + 2 * np.arange(32.0)).astype(np.float16)).all()),
    block=32,
    bugs=(
        Bug("the other half", "mov.b32 %r4, {%h3, %h5}; // whole", "mov.b32 %r4, {%h4, %h5};", "unwritten"),
        Bug("both halves", "mov.b32 %r4, {%h3, %h5}; // whole", "mov.b32 %r4, %r3;", "unwritten"),
        Bug("the other half of the source", "mov.b32 %r1, {%h1, %h2}; // low", "mov.b32 %r1, {%h2, %h1};", "unwritten"),
        Bug("a sum of both", "mov.b32 {%h3, %h4}, %r3; // apart", "mov.b32 {%h3, %h4}, %r3; add.f16 %h3, %h3, %h4;", "unwritten"),
        Bug("as an integer", "neg.f16x2 %r3, %r3;", "shr.u32 %r3, %r3, 1;", "unwritten"),
    ),
)  # fmt: skip

KERNELS = (LOCAL, REGISTERS, PARTIAL, LANE, COLLECTIVE, POLL, PACKED)
