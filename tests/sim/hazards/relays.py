"""What one actor hands to the next: tiles that are loaded, changed and stored in one place; slots in another CTA."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.case import ANY, ASYNC, HANG, Array, Bug, Kernel, ptx, words, zeros
from tests.sim.hazards.products import COMMIT, FENCE, PRODUCT, cores, fragments, halves

_ANY_OF = ASYNC | HANG
_PLACE = """rem.u32 %r13, %r6, 3; div.u32 %r7, %r6, 3; and.b32 %r7, %r7, 1; xor.b32 %r14, %r7, 1; shl.b32 %r15, %r13, 3;
mad.lo.u32 %r5, %r13, 256, %r2;"""
"""The slot of three, the parity of a round, the one before it, the offset of its mbarriers, and its tile."""


def _next(label: str, rounds: int = 7) -> str:
    return f"add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, {rounds}; @%p2 bra {label};"


_READ = "cp.async.bulk.wait_group.read 0; // read"
_DONE = "mbarrier.arrive.shared.b64 %state, [%r21]; // done"
_CHANGE = "ld.shared.u32 %r4, [%r3]; mad.lo.u32 %r4, %r4, 2, 1; st.shared.u32 [%r3], %r4;"

IN_PLACE = Kernel(
    "tiles that are loaded, changed and stored in place",
    ptx(
        f"""
.shared .align 128 .b8 s[768]; .shared .align 8 .b64 full[3]; .shared .align 8 .b64 done[3]; .shared .align 8 .b64 free[3];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r16, full; mov.u32 %r17, done; mov.u32 %r18, free; mov.u32 %r6, 0;
setp.ne.u32 %p1, %t, 0; @%p1 bra inited;
{"".join(f"mbarrier.init.shared.b64 [%r16+{i}], 1; mbarrier.init.shared.b64 [%r17+{i}], 64; mbarrier.init.shared.b64 [%r18+{i}], 1;" for i in (0, 8, 16))}
inited: bar.sync 0;
setp.lt.u32 %p1, %t, 64; @%p1 bra change; setp.eq.u32 %p1, %t, 64; @%p1 bra load; setp.eq.u32 %p1, %t, 96; @%p1 bra store; ret;
load: {_PLACE} add.u32 %r20, %r18, %r15; add.u32 %r21, %r16, %r15;
isfree: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r14; @!%q bra isfree;
mbarrier.arrive.expect_tx.shared.b64 %state, [%r21], 256;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd1], 256, [%r21];
add.u64 %rd1, %rd1, 256; {_next("load")} ret;
change: {_PLACE} add.u32 %r20, %r16, %r15; add.u32 %r21, %r17, %r15; mad.lo.u32 %r3, %t, 4, %r5;
isfull: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r7; @!%q bra isfull;
{_CHANGE}
fence.proxy.async.shared::cta; // changed
{_DONE}
{_next("change")} ret;
store: {_PLACE} add.u32 %r20, %r17, %r15; add.u32 %r21, %r18, %r15;
isdone: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r7; @!%q bra isdone;
cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r5], 256; cp.async.bulk.commit_group; // stored
{_READ}
mbarrier.arrive.shared.b64 %state, [%r21]; // free
add.u64 %rd2, %rd2, 256; {_next("store")} ret;""",
        "in out",
    ),
    lambda: [words(448), zeros(448)],
    lambda a: bool((a[1] == 2 * a[0] + 1).all()),
    bugs=(
        Bug("no proxy fence", "fence.proxy.async.shared::cta; // changed", "", "proxy", ASYNC),
        Bug("a proxy fence of one consumer", "fence.proxy.async.shared::cta; // changed", "setp.lt.u32 %p3, %t, 32; @%p3 fence.proxy.async.shared::cta;", "proxy", ASYNC),
        Bug("the fence after the arrival", f"fence.proxy.async.shared::cta; // changed\n{_DONE}", f"{_DONE} fence.proxy.async.shared::cta;", "proxy", ASYNC),
        Bug("a fence for global memory", "fence.proxy.async.shared::cta; // changed", "fence.proxy.async.global;", "proxy", ASYNC),
        Bug("the store does not wait", "isdone: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r7; @!%q bra isdone;", "", "pipeline", _ANY_OF),
        Bug("the store waits for the phase before", "isdone: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r7;", "isdone: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r14;", "pipeline", _ANY_OF),
        Bug("the store waits for the load", "store: " + _PLACE + " add.u32 %r20, %r17, %r15;", "store: " + _PLACE + " add.u32 %r20, %r16, %r15;", "pipeline", _ANY_OF),
        Bug("free before the source is read", f"{_READ}\nmbarrier.arrive.shared.b64 %state, [%r21]; // free", f"mbarrier.arrive.shared.b64 %state, [%r21];\n{_READ}", "bulk store", ASYNC),
        Bug("one store may still read", _READ, "cp.async.bulk.wait_group.read 1;", "bulk store", ASYNC),
        Bug("no group is closed", "cp.async.bulk.commit_group; // stored", "", "bulk store", ASYNC),
        Bug("the load does not wait", "isfree: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r14; @!%q bra isfree;", "", "pipeline", _ANY_OF),
        Bug("the load waits for the phase after", "isfree: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r14;", "isfree: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r7;", "pipeline", _ANY_OF),
        Bug("the load waits for the consumers", "load: " + _PLACE + " add.u32 %r20, %r18, %r15;", "load: " + _PLACE + " add.u32 %r20, %r17, %r15;", "pipeline", _ANY_OF),
        Bug("half the bytes", "[%r21], 256;\ncp", "[%r21], 128;\ncp", "count", _ANY_OF),
        Bug("twice the bytes", "[%r21], 256;\ncp", "[%r21], 512;\ncp", "count", _ANY_OF),
        Bug("the consumers look once", "@!%q bra isfull;", "", "TMA wait", _ANY_OF),
        Bug("done for one consumer", "mbarrier.init.shared.b64 [%r17+0], 64;", "mbarrier.init.shared.b64 [%r17+0], 32;", "count", _ANY_OF),
        Bug("done before the change", f"{_CHANGE}\nfence.proxy.async.shared::cta; // changed\n{_DONE}", f"{_DONE}\n{_CHANGE}\nfence.proxy.async.shared::cta;", "pipeline", ASYNC),
        Bug("the consumers take the slot after", "change: " + _PLACE, "change: " + _PLACE + " add.u32 %r5, %r5, 256; setp.eq.u32 %p3, %r13, 2; selp.b32 %r5, %r2, %r5, %p3;", "pipeline", _ANY_OF),
        Bug("both consumers change the first half", "mad.lo.u32 %r3, %t, 4, %r5;", "mad.lo.u32 %r3, %l, 4, %r5;", "barrier", _ANY_OF),
        Bug("two slots in three", "load: rem.u32 %r13, %r6, 3;", "load: rem.u32 %r13, %r6, 2;", "pipeline", _ANY_OF),
        Bug("the parity turns each round", "change: rem.u32 %r13, %r6, 3; div.u32 %r7, %r6, 3; and.b32 %r7, %r7, 1;", "change: rem.u32 %r13, %r6, 3; and.b32 %r7, %r6, 1;", "pipeline", _ANY_OF),
    ),
)  # fmt: skip

_SIDE = "and.b32 %r13, %r6, 1; add.u32 %r14, %r13, 1; add.u32 %r15, %r13, 3; mad.lo.u32 %r5, %r13, 256, %r2;"
_ARRIVE = "bar.arrive %r14, 96; // full"
NAMED = Kernel(
    "an epilogue with two buffers and named barriers",
    ptx(
        f"""
.shared .align 128 .b8 s[512];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r6, 0; setp.ge.u32 %p1, %t, 64; @%p1 bra store;
mad.wide.u32 %rd1, %t, 4, %rd1;
make: {_SIDE} setp.lt.u32 %p3, %r6, 2; @%p3 bra first; bar.sync %r15, 96; // free
first: ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, %r6; mad.lo.u32 %r3, %t, 4, %r5; st.shared.u32 [%r3], %r4; // made
fence.proxy.async.shared::cta; // made
{_ARRIVE}
add.u64 %rd1, %rd1, 256; {_next("make", 6)} ret;
store: {_SIDE} bar.sync %r14, 96; // full
setp.ne.u32 %p3, %l, 0; @%p3 bra stored;
cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r5], 256; cp.async.bulk.commit_group; // stored
{_READ}
stored: bar.warp.sync -1; setp.ge.u32 %p3, %r6, 4; @%p3 bra last; bar.arrive %r15, 96; // free
last: add.u64 %rd2, %rd2, 256; {_next("store", 6)} ret;""",
        "in out",
    ),
    lambda: [words(384), zeros(384)],
    lambda a: bool((a[1] == a[0] + np.repeat(np.arange(6), 64)).all()),
    block=96,
    bugs=(
        Bug("the count of the writers", "bar.arrive %r14, 96;", "bar.arrive %r14, 64;", "named barrier", _ANY_OF),
        Bug("the count of all who are there, twice", "bar.sync %r14, 96;", "bar.sync %r14, 128;", "named barrier", _ANY_OF),
        Bug("full and free are one barrier", "bar.arrive %r15, 96; // free", "bar.arrive %r14, 96;", "named barrier", _ANY_OF),
        Bug("the writers do not wait", "bar.sync %r15, 96; // free", "", "named barrier", _ANY_OF),
        Bug("the writers wait from the third round on", "setp.lt.u32 %p3, %r6, 2;", "setp.lt.u32 %p3, %r6, 3;", "named barrier", _ANY_OF),
        Bug("the writers only arrive", "bar.sync %r15, 96; // free", "bar.arrive %r15, 96;", "named barrier", _ANY_OF),
        Bug("the store only arrives", "bar.sync %r14, 96; // full", "bar.arrive %r14, 96;", "named barrier", _ANY_OF),
        Bug("no proxy fence", "fence.proxy.async.shared::cta; // made", "", "proxy", ASYNC),
        Bug("the fence before the store", "st.shared.u32 [%r3], %r4; // made\nfence.proxy.async.shared::cta; // made", "fence.proxy.async.shared::cta; st.shared.u32 [%r3], %r4;", "proxy", ASYNC),
        Bug("the arrival before the fence", f"fence.proxy.async.shared::cta; // made\n{_ARRIVE}", f"{_ARRIVE} fence.proxy.async.shared::cta;", "proxy", ASYNC),
        Bug("free while the source is read", _READ, "", "bulk store", ASYNC),
        Bug("another lane waits for the source", _READ + "\nstored: bar.warp.sync -1;", "stored: bar.warp.sync -1; setp.eq.u32 %p4, %l, 1; @%p4 cp.async.bulk.wait_group.read 0;", "bulk store", ASYNC),
        Bug("the last round does not say full", _ARRIVE, "setp.lt.u32 %p4, %r6, 5; @%p4 bar.arrive %r14, 96;", "named barrier", _ANY_OF),
    ),
    harmless={"stored: bar.warp.sync -1;": "all lanes of a warp execute an aligned barrier together"},
)  # fmt: skip

_CLUSTER = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
_SLOT = "and.b32 %r13, %r6, 1; shr.u32 %r7, %r6, 1; and.b32 %r7, %r7, 1; xor.b32 %r14, %r7, 1; shl.b32 %r15, %r13, 3; mad.lo.u32 %r5, %r13, 512, %r2; mad.lo.u32 %r3, %t, 4, %r5;"
_SEND = "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r4], %r8, [%r21];"
_TELL = "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r21]; // free"
SLOTS = Kernel(
    "slots in another CTA",
    ptx(
        f"""
.shared .align 16 .b8 s[1024]; .shared .align 8 .b64 full[2]; .shared .align 8 .b64 free[2];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r16, full; mov.u32 %r17, free; mov.u32 %r6, 0; mov.u32 %r10, %cluster_ctarank; xor.b32 %r11, %r10, 1;
setp.ne.u32 %p1, %t, 0; setp.ne.u32 %p3, %r10, 0; @%p1 bra inited;
mbarrier.init.shared.b64 [%r16], 1; mbarrier.init.shared.b64 [%r16+8], 1; mbarrier.init.shared.b64 [%r17], 128; mbarrier.init.shared.b64 [%r17+8], 128; fence.mbarrier_init.release.cluster;
inited: {_CLUSTER} // init
@%p3 bra receive; mad.wide.u32 %rd1, %t, 4, %rd1;
send: {_SLOT} add.u32 %r20, %r17, %r15; add.u32 %r21, %r16, %r15; mapa.shared::cluster.u32 %r21, %r21, %r11; mapa.shared::cluster.u32 %r4, %r3, %r11;
isfree: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%r20], %r14; @!%q bra isfree;
ld.global.u32 %r8, [%rd1]; {_SEND}
add.u64 %rd1, %rd1, 512; {_next("send", 6)} bra end;
receive: mad.wide.u32 %rd2, %t, 4, %rd2;
take: {_SLOT} add.u32 %r20, %r16, %r15; add.u32 %r21, %r17, %r15; mapa.shared::cluster.u32 %r21, %r21, %r11;
@!%p1 mbarrier.arrive.expect_tx.shared.b64 %state, [%r20], 512;
isfull: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%r20], %r7; @!%q bra isfull;
sub.u32 %r9, 127, %t; mad.lo.u32 %r9, %r9, 4, %r5; ld.shared.u32 %r8, [%r9];
{_TELL}
st.global.u32 [%rd2], %r8; add.u64 %rd2, %rd2, 512; {_next("take", 6)}
end: {_CLUSTER} // end
ret;""",
        "in out",
    ),
    lambda: [words(768), zeros(768)],
    lambda a: bool((a[1].reshape(6, 128) == a[0].reshape(6, 128)[:, ::-1]).all()),
    grid=2,
    cluster=2,
    bugs=(
        Bug("half the bytes", "[%r20], 512;\nisfull", "[%r20], 256;\nisfull", "count", _ANY_OF),
        Bug("no bytes", "@!%p1 mbarrier.arrive.expect_tx.shared.b64 %state, [%r20], 512;", "@!%p1 mbarrier.arrive.shared.b64 %state, [%r20];", "count", _ANY_OF),
        Bug("the sender does not wait", "isfree: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%r20], %r14; @!%q bra isfree;", "", "pipeline", _ANY_OF),
        Bug("the sender looks once", "@!%q bra isfree;", "", "pipeline", _ANY_OF),
        Bug("the sender's parity is turned", "[%r20], %r14; @!%q bra isfree;", "[%r20], %r7; @!%q bra isfree;", "pipeline", _ANY_OF),
        Bug("the receiver does not wait", "isfull: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%r20], %r7; @!%q bra isfull;", "", "TMA wait", _ANY_OF),
        Bug("free before it is read", f"sub.u32 %r9, 127, %t; mad.lo.u32 %r9, %r9, 4, %r5; ld.shared.u32 %r8, [%r9];\n{_TELL}", f"{_TELL}\nsub.u32 %r9, 127, %t; mad.lo.u32 %r9, %r9, 4, %r5; ld.shared.u32 %r8, [%r9];", "pipeline", _ANY_OF),
        Bug("it tells itself", "take: " + _SLOT + " add.u32 %r20, %r16, %r15; add.u32 %r21, %r17, %r15; mapa.shared::cluster.u32 %r21, %r21, %r11;", "take: " + _SLOT + " add.u32 %r20, %r16, %r15; add.u32 %r21, %r17, %r15; mapa.shared::cluster.u32 %r21, %r21, %r10;", "pipeline", _ANY_OF),
        Bug("it tells its CTA", _TELL, _TELL.replace("release.cluster", "release.cta"), "scope", _ANY_OF),
        Bug("a relaxed arrival", _TELL, _TELL.replace("release", "relaxed"), "scope", _ANY_OF),
        Bug("the sender hears its CTA", "isfree: mbarrier.try_wait.parity.acquire.cluster", "isfree: mbarrier.try_wait.parity.acquire.cta", "scope", _ANY_OF),
        Bug("no barrier after the init", f"inited: {_CLUSTER} // init", "inited: bar.sync 0;", "cluster life", ANY),
        Bug("no barrier at the end", f"end: {_CLUSTER} // end", "end:", "cluster life", ANY),
        Bug("one slot in two", "send: " + _SLOT, "send: " + _SLOT + " mad.lo.u32 %r3, %t, 4, %r2;", "pipeline", _ANY_OF),
        Bug("full is told of one slot", "send: " + _SLOT + " add.u32 %r20, %r17, %r15; add.u32 %r21, %r16, %r15;", "send: " + _SLOT + " add.u32 %r20, %r17, %r15; mov.u32 %r21, %r16;", "count", _ANY_OF),
        Bug("a plain store in its place", _SEND, "st.shared::cluster.u32 [%r4], %r8;", "cluster", _ANY_OF),
    ),
    harmless={
        "fence.mbarrier_init.release.cluster;": "the arrival at the barrier of the cluster releases",
        "isfull: mbarrier.try_wait.parity.acquire.cluster": "what a copy completes is there for who waits, in each scope",
    },
)  # fmt: skip

_ALLOC = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32"
_GIVE = "tcgen05.dealloc.cta_group::1.sync.aligned.b32"
_PERMIT = "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; // permit"
_SECOND = f"{_ALLOC} [%r8+4], 64;"
_LOADS = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r4}, [%r11]; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r5}, [%r12];"
ALLOCATIONS = Kernel(
    "two allocations of tensor memory",
    ptx(
        f"""
.shared .align 8 .b32 at[2];
ld.param.u64 %rd4, [out]; mov.u32 %r8, at; setp.ge.u32 %p5, %t, 32; @%p5 bra allocated;
{_ALLOC} [%r8], 32; {_SECOND} {_PERMIT}
allocated: tcgen05.fence::before_thread_sync; bar.sync 0; // alloc
tcgen05.fence::after_thread_sync;
ld.shared.u32 %r9, [%r8]; ld.shared.u32 %r10, [%r8+4]; shl.b32 %r13, %w, 21; add.u32 %r11, %r9, %r13; add.u32 %r12, %r10, %r13; add.u32 %r12, %r12, 63; mul.lo.u32 %r14, %t, 3;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%r11], {{%t}}; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r12], {{%r14}};
tcgen05.wait::st.sync.aligned; // stored
{_LOADS}
tcgen05.wait::ld.sync.aligned; // loaded
add.u32 %r4, %r4, %r5; mad.wide.u32 %rd4, %t, 4, %rd4; st.global.u32 [%rd4], %r4;
tcgen05.fence::before_thread_sync; bar.sync 0; // over
@%p5 bra end; tcgen05.fence::after_thread_sync;
{_GIVE} %r9, 32; {_GIVE} %r10, 64;
end: ret;""",
        "out",
        "sm_100a",
    ),
    lambda: [zeros(128)],
    lambda a: bool((a[0] == 4 * np.arange(128)).all()),
    bugs=(
        Bug("an allocation without the permit", f"{_SECOND} {_PERMIT}", f"{_PERMIT} {_SECOND}", "tcgen05", ANY),
        Bug("one is not given back", f"{_GIVE} %r10, 64;", "", "tcgen05", ANY),
        Bug("one is given back twice", f"{_GIVE} %r10, 64;", f"{_GIVE} %r10, 64; {_GIVE} %r10, 64;", "tcgen05", ANY),
        Bug("as many as the other has", f"{_GIVE} %r9, 32;", f"{_GIVE} %r9, 64;", "tcgen05", ANY),
        Bug("from the middle on", f"{_GIVE} %r10, 64;", f"add.u32 %r10, %r10, 32; {_GIVE} %r10, 64;", "tcgen05", ANY),
        Bug("the column after the last", "add.u32 %r12, %r12, 63;", "add.u32 %r12, %r12, 64;", "bounds", ANY),
        Bug("no wait for the loads", "tcgen05.wait::ld.sync.aligned; // loaded", "", "tcgen05", ANY),
        Bug("given back without a barrier", "tcgen05.fence::before_thread_sync; bar.sync 0; // over", "", "tcgen05", ANY),
        Bug("used without a barrier", "tcgen05.fence::before_thread_sync; bar.sync 0; // alloc", "", "tcgen05", ANY),
        Bug("given back before the loads", _LOADS, f"@%p5 bra go; {_GIVE} %r10, 64; go: {_LOADS}", "tcgen05", ANY),
        Bug("what is not stored is loaded", "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r12], {%r14};", "", "tcgen05", ANY),
    ),
    harmless={
        "tcgen05.fence::before_thread_sync;": "nothing of tensor memory has been used yet, or the loads have been waited for",
        "tcgen05.fence::after_thread_sync;": "nothing of tensor memory has been used yet, or the loads have been waited for",
    },
)  # fmt: skip


def _left(k: int, set_: int) -> str:
    return "".join(
        f"ld.global.u32 %r{40 + 4 * set_ + i}, [%rd5+{(k * 16 + i % 2 * 8 * 48 + i // 2 * 8) * 2}];" for i in range(4)
    )


def _multiply(k: int, set_: int) -> str:
    a = ", ".join(f"%r{40 + 4 * set_ + i}" for i in range(4))
    d = ", ".join(f"%f{i}" for i in range(8))
    return f"add.u64 %rd11, %rd10, {32 * k}; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {{{d}}}, {{{a}}}, %rd11, 1, 1, 1, 0;"


_FIRST = "wgmma.wait_group.sync.aligned 1; // first"
_ALL = "wgmma.wait_group.sync.aligned 0; // all"
_RIGHT_DESCRIPTOR = (128 >> 4) << 16 | (256 >> 4) << 32
REGISTERS = Kernel(
    "wgmma with its left side in two sets of registers",
    ptx(
        f"""
.shared .align 128 .b8 s[1536];
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd4, [c]; mov.u32 %r2, s; setp.ge.u32 %p1, %t, 96; @%p1 bra filled;
mad.wide.u32 %rd3, %t, 16, %rd2; ld.global.v4.u32 {{%r20, %r21, %r22, %r23}}, [%rd3]; mad.lo.u32 %r3, %t, 16, %r2; st.shared.v4.u32 [%r3], {{%r20, %r21, %r22, %r23}};
filled: fence.proxy.async.shared::cta; // filled
bar.sync 0; // filled
shr.u32 %r4, %l, 2; mad.lo.u32 %r4, %w, 16, %r4; and.b32 %r5, %l, 3; mul.lo.u32 %r4, %r4, 96; mad.lo.u32 %r4, %r5, 4, %r4; cvt.u64.u32 %rd5, %r4; add.u64 %rd5, %rd5, %rd1;
shr.u32 %r5, %r2, 4; cvt.u64.u32 %rd10, %r5; or.b64 %rd10, %rd10, {_RIGHT_DESCRIPTOR}; {"".join(f"mov.f32 %f{i}, 0f00000000;" for i in range(8))}
{_left(0, 0)} {FENCE} // 0
{_multiply(0, 0)} {COMMIT} // 0
{_left(1, 1)} {FENCE} // 1
{_multiply(1, 1)} {COMMIT} // 1
{_FIRST}
{_left(2, 0)} {FENCE} // 2
{_multiply(2, 0)} {COMMIT} // 2
{_ALL}
mad.wide.u32 %rd4, %t, 32, %rd4; st.global.v4.f32 [%rd4], {{%f0, %f1, %f2, %f3}}; st.global.v4.f32 [%rd4+16], {{%f4, %f5, %f6, %f7}}; ret;""",
        "a b c",
    ),
    lambda: [halves(64, 48, 1), np.stack([cores(halves(16, 16, 2 + k)) for k in range(3)]), zeros(1024, np.float32)],
    lambda a: _sum(a),
    bugs=(
        Bug("the registers are loaded again under the product", _FIRST, "", "wgmma", PRODUCT),
        Bug("a wait for all but two", _FIRST, _FIRST.replace(" 1;", " 2;"), "wgmma", PRODUCT),
        Bug("the wait after the loads", f"{_FIRST}\n{_left(2, 0)}", f"{_left(2, 0)}\n{_FIRST}", "wgmma", PRODUCT),
        Bug("the second set is loaded again", f"{_left(2, 0)} {FENCE} // 2\n{_multiply(2, 0)}", f"{_left(2, 1)} {FENCE}\n{_multiply(2, 1)}", "wgmma", PRODUCT),
        Bug("no fence for the first set", f"{FENCE} // 0", "", "wgmma", PRODUCT),
        Bug("no fence for the second set", f"{FENCE} // 1", "", "wgmma", PRODUCT),
        Bug("no fence for the third product", f"{FENCE} // 2", "", "wgmma", PRODUCT),
        Bug("the first group is not closed", f"{COMMIT} // 0", "", "wgmma", PRODUCT),
        Bug("the last group is not closed", f"{COMMIT} // 2", "", "wgmma", PRODUCT),
        Bug("a wait for all but one at the end", _ALL, _ALL.replace(" 0;", " 1;"), "wgmma", PRODUCT),
        Bug("the accumulators are read between", f"{COMMIT} // 1", f"{COMMIT} mov.f32 %f20, %f0; st.global.f32 [%rd4], %f20;", "wgmma", PRODUCT),
        Bug("a word of the left side changes", f"{COMMIT} // 2", f"{COMMIT} mov.u32 %r41, 0;", "wgmma", PRODUCT),
    ),
)  # fmt: skip


def _sum(a: list[Array]) -> bool:
    right = np.concatenate([b.transpose(0, 2, 1, 3).reshape(16, 16) for b in a[1]], axis=1).astype(np.float32)
    return bool((a[2] == fragments(a[0].astype(np.float32) @ right.T)).all())


_PUT = "mapa.shared::cluster.u32 %r5, %r3, %r4; st.shared::cluster.u32 [%r5], %r1;"
PUSHED = Kernel(
    "a bulk store of what the peer has put there",
    ptx(
        f"""
.shared .align 128 .b8 s[512];
ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2; mov.u32 %r10, %cluster_ctarank; xor.b32 %r4, %r10, 1; mad.lo.u32 %r1, %b, 128, %t; setp.ne.u32 %p1, %t, 0;
{_CLUSTER} // started
{_PUT}
fence.proxy.async; // put
barrier.cluster.arrive.release.aligned; // put
barrier.cluster.wait.acquire.aligned;
@%p1 bra end; mul.lo.u32 %r6, %b, 512; cvt.u64.u32 %rd4, %r6; add.u64 %rd4, %rd4, %rd2;
cp.async.bulk.global.shared::cta.bulk_group [%rd4], [%r2], 512; cp.async.bulk.commit_group;
{_READ}
end: ret;""",
        "out",
    ),
    lambda: [zeros(256)],
    lambda a: bool((a[0] == (np.arange(256) ^ 128)).all()),
    grid=2,
    cluster=2,
    bugs=(
        Bug("no proxy fence", "fence.proxy.async; // put", "", "proxy", ASYNC),
        Bug("the fence before the store", f"{_PUT}\nfence.proxy.async; // put", f"fence.proxy.async;\n{_PUT}", "proxy", ASYNC),
        Bug("a fence for global memory", "fence.proxy.async; // put", "fence.proxy.async.global;", "proxy", ASYNC),
        Bug("a fence of the generic proxy", "fence.proxy.async; // put", "fence.acq_rel.cluster;", "proxy", ASYNC),
        Bug("a relaxed arrival", "barrier.cluster.arrive.release.aligned; // put", "barrier.cluster.arrive.relaxed.aligned;", "cluster", ASYNC),
        Bug("a barrier of the CTA", "barrier.cluster.arrive.release.aligned; // put\nbarrier.cluster.wait.acquire.aligned;", "bar.sync 0;", "cluster", ANY),
        Bug("before the peer has started", f"{_CLUSTER} // started", "", "cluster life", ANY),
        Bug("it ends while the source is read", _READ, "", "bulk store", ASYNC),
    ),
)  # fmt: skip

_FLAG = "st.release.gpu.global.u32 [%rd3], 1; // flag"
_LOOK = "look: ld.acquire.gpu.global.u32 %r4, [%rd3]; setp.eq.u32 %p2, %r4, 0; @%p2 bra look;"
HANDED = Kernel(
    "a bulk load of what another CTA has stored",
    ptx(
        f"""
.shared .align 128 .b8 s[512]; .shared .align 8 .b64 bar;
ld.param.u64 %rd1, [data]; ld.param.u64 %rd3, [flag]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r9, bar; setp.ne.u32 %p1, %t, 0; setp.ne.u32 %p3, %b, 0; @%p3 bra taker;
mad.wide.u32 %rd4, %t, 4, %rd1; mul.lo.u32 %r4, %t, 5; st.global.u32 [%rd4], %r4; // data
fence.proxy.async.global; // data
bar.sync 0; // data
@%p1 bra end; {_FLAG}
bra end;
taker: @%p1 bra inited; mbarrier.init.shared.b64 [%r9], 1;
inited: bar.sync 0; @%p1 bra wait;
{_LOOK}
mbarrier.arrive.expect_tx.shared.b64 %state, [%r9], 512;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 512, [%r9];
wait: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;
mad.lo.u32 %r3, %t, 4, %r2; ld.shared.u32 %r4, [%r3]; mad.wide.u32 %rd2, %t, 4, %rd2; st.global.u32 [%rd2], %r4;
end: ret;""",
        "data flag out",
    ),
    lambda: [zeros(128), zeros(1), zeros(128)],
    lambda a: bool((a[2] == 5 * np.arange(128)).all()),
    grid=2,
    bugs=(
        Bug("no proxy fence", "fence.proxy.async.global; // data", "", "proxy", ASYNC),
        Bug("a fence for shared memory", "fence.proxy.async.global; // data", "fence.proxy.async.shared::cta;", "proxy", ASYNC),
        Bug("the fence before the store", "st.global.u32 [%rd4], %r4; // data\nfence.proxy.async.global; // data", "fence.proxy.async.global; st.global.u32 [%rd4], %r4;", "proxy", ASYNC),
        Bug("a fence of the one who tells, before it hears", "fence.proxy.async.global; // data", "@!%p1 fence.proxy.async.global;", "proxy", ASYNC),
        Bug("no barrier before the flag", "bar.sync 0; // data", "", "barrier", ASYNC),
        Bug("a flag for the CTA", _FLAG, _FLAG.replace("gpu", "cta"), "scope", ASYNC),
        Bug("a relaxed flag", _FLAG, _FLAG.replace("release", "relaxed"), "scope", ASYNC),
        Bug("a relaxed look", _LOOK, _LOOK.replace("acquire", "relaxed"), "scope", ASYNC),
        Bug("it looks once", "@%p2 bra look;", "", "flag", ASYNC),
        Bug("the flag is not looked at", _LOOK, "", "flag", ASYNC),
        Bug("the wait is not repeated", "@!%q bra wait;", "", "TMA wait", ASYNC),
    ),
)  # fmt: skip

KERNELS = (IN_PLACE, NAMED, SLOTS, ALLOCATIONS, REGISTERS, PUSHED, HANDED)
