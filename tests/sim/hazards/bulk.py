"""Bulk and tensor copies: mbarriers and their phases, proxy fences, bulk groups, reductions, tensor maps."""

from __future__ import annotations

import numpy as np

import weft
from tests.sim.hazards.case import ANY, ASYNC, HANG, Array, Bug, Kernel, ptx, words, zeros

INIT = """setp.ne.u32 %p1, %t, 0; @%p1 bra inited; mbarrier.init.shared.b64 [%r9], 1; fence.mbarrier_init.release.cluster;
inited: bar.sync 0; // init"""

LOAD = Kernel(
    "bulk load",
    ptx(
        f"""
.shared .align 16 .b8 s[2048]; .shared .align 8 .b64 bar;
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r9, bar;
{INIT}
@%p1 bra wait;
mbarrier.arrive.expect_tx.shared.b64 %state, [%r9], 2048;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 2048, [%r9];
wait: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;
read: xor.b32 %r4, %t, 127; mad.lo.u32 %r4, %r4, 16, %r2; ld.shared.v4.u32 {{%r5, %r6, %r7, %r8}}, [%r4];
mad.wide.u32 %rd4, %t, 16, %rd2; st.global.v4.u32 [%rd4], {{%r5, %r6, %r7, %r8}}; ret;""",
        "in out",
    ),
    lambda: [words(512), zeros(512)],
    lambda a: bool((a[1].reshape(-1, 4) == a[0].reshape(-1, 4)[::-1]).all()),
    bugs=(
        Bug("no wait", "wait: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;", "wait:", "TMA wait", ASYNC),
        Bug("a wait that is not repeated", "@!%q bra wait;", "", "TMA wait", ASYNC),
        Bug("only the issuing thread waits", "@%p1 bra wait;", "@%p1 bra read;", "TMA wait", ASYNC),
        Bug("the phase before", "[%r9], 0; @!%q", "[%r9], 1; @!%q", "TMA wait", ASYNC | HANG),
        Bug("too few bytes are expected", "[%r9], 2048;\ncp", "[%r9], 1024;\ncp", "count", ASYNC | HANG),
        Bug("too many bytes are expected", "[%r9], 2048;\ncp", "[%r9], 2064;\ncp", "count", HANG),
        Bug("no bytes are expected", "mbarrier.arrive.expect_tx.shared.b64 %state, [%r9], 2048;",
            "mbarrier.arrive.shared.b64 %state, [%r9];", "count", ASYNC | HANG),
        Bug("a barrier instead of the wait", "wait: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;",
            "wait: bar.sync 0;", "TMA wait", ASYNC),
        Bug("no barrier after the init", "inited: bar.sync 0; // init", "inited:", "mbarrier init", ANY),
        Bug("no init", "mbarrier.init.shared.b64 [%r9], 1;", "", "mbarrier init", ANY),
        Bug("the source is changed under the copy", "@%p1 bra wait;", "mad.wide.u32 %rd5, %t, 16, %rd1; @%p1 st.global.u32 [%rd5], %t; @%p1 bra wait;",
            "TMA wait", ASYNC),
        Bug("the tile is stored to under the copy", "@%p1 bra wait;",
            "mad.lo.u32 %r20, %t, 16, %r2; @%p1 st.shared.u32 [%r20], %t; @%p1 bra wait;", "TMA wait", ASYNC),
        Bug("the tile was stored to before, without a fence", "inited: bar.sync 0; // init",
            "inited: mad.lo.u32 %r20, %t, 16, %r2; st.shared.u32 [%r20], %t; bar.sync 0;", "proxy", ASYNC),
        Bug("an end beyond the buffer", "[%rd1], 2048, [%r9]", "[%rd1+16], 2048, [%r9]", "bounds"),
        Bug("a misaligned source", "[%rd1], 2048, [%r9]", "[%rd1+8], 2048, [%r9]", "bounds"),
        Bug("a copy onto the mbarrier", "[%r2], [%rd1], 2048", "[%r2+16], [%rd1], 2048", "mbarrier init"),
    ),
    harmless={"fence.mbarrier_init.release.cluster;": "one CTA: the barrier of the CTA orders the init, for its own mbarrier"},
)  # fmt: skip

STORE = Kernel(
    "bulk store",
    ptx(
        """
.shared .align 16 .b8 s[2048];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 16, %r2; mad.wide.u32 %rd3, %t, 16, %rd1;
setp.ne.u32 %p1, %t, 0; mov.u32 %r10, 0;
again:
ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd3]; add.u64 %rd3, %rd3, 2048;
st.shared.v4.u32 [%r3], {%r8, %r7, %r6, %r5};
fence.proxy.async.shared::cta; // fence
bar.sync 0; // stored
@%p1 bra issued;
cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 2048; add.u64 %rd2, %rd2, 2048;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group.read 0;
issued: bar.sync 0; // read
add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 3; @%p2 bra again;
ret;""",
        "in out",
    ),
    lambda: [words(1536), zeros(1536)],
    lambda a: bool((a[1].reshape(-1, 4) == a[0].reshape(-1, 4)[:, ::-1]).all()),
    bugs=(
        Bug("no proxy fence", "fence.proxy.async.shared::cta; // fence", "", "proxy", ASYNC),
        Bug("the fence before the store", "st.shared.v4.u32 [%r3], {%r8, %r7, %r6, %r5};\nfence.proxy.async.shared::cta; // fence",
            "fence.proxy.async.shared::cta;\nst.shared.v4.u32 [%r3], {%r8, %r7, %r6, %r5};", "proxy", ASYNC),
        Bug("the fence after the barrier, by another warp", "fence.proxy.async.shared::cta; // fence\nbar.sync 0; // stored\n",
            "bar.sync 0;\nsetp.eq.u32 %p4, %w, 2; @%p4 fence.proxy.async.shared::cta;\n", "proxy", ASYNC),
        Bug("the fence by one warp before the barrier", "fence.proxy.async.shared::cta; // fence",
            "setp.eq.u32 %p4, %w, 0; @%p4 fence.proxy.async.shared::cta;", "proxy", ASYNC),
        Bug("a fence for the generic proxy", "fence.proxy.async.shared::cta; // fence", "fence.acq_rel.cta;", "proxy", ASYNC),
        Bug("a fence for global memory", "fence.proxy.async.shared::cta; // fence", "fence.proxy.async.global;", "proxy", ASYNC),
        Bug("no barrier after the stores", "bar.sync 0; // stored", "", "barrier", ASYNC),
        Bug("no wait", "cp.async.bulk.wait_group.read 0;", "", "bulk store", ASYNC),
        Bug("a wait for all but one", "cp.async.bulk.wait_group.read 0;", "cp.async.bulk.wait_group.read 1;", "bulk store", ASYNC),
        Bug("no group is closed", "cp.async.bulk.commit_group;", "", "bulk store", ASYNC),
        Bug("no barrier after the wait", "issued: bar.sync 0; // read", "issued:", "bulk store", ASYNC),
        Bug("all threads but the issuer wait", "cp.async.bulk.wait_group.read 0;\nissued:", "bra past; issued: cp.async.bulk.wait_group.read 0; past:",
            "bulk store", ASYNC),
        Bug("the next tile overwrites it", "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\nissued: bar.sync 0; // read",
            "cp.async.bulk.commit_group;\nissued: bar.sync 0;", "bulk store", ASYNC),
    ),
)  # fmt: skip
ISSUER_FENCE = Kernel(
    "bulk store with the issuer's fence",
    STORE.text.replace("fence.proxy.async.shared::cta; // fence\n", "").replace(
        "@%p1 bra issued;\ncp", "@%p1 bra issued; fence.proxy.async.shared::cta;\ncp"
    ),
    STORE.inputs,
    STORE.correct,
    bugs=(
        Bug("no fence", "fence.proxy.async.shared::cta;", "", "proxy", ASYNC),
        Bug("the fence before the barrier", "bar.sync 0; // stored\n@%p1 bra issued; fence.proxy.async.shared::cta;",
            "@!%p1 fence.proxy.async.shared::cta; bar.sync 0;\n@%p1 bra issued;", "proxy", ASYNC),
        Bug("the fence by another thread", "bar.sync 0; // stored\n@%p1 bra issued; fence.proxy.async.shared::cta;",
            "bar.sync 0; setp.eq.u32 %p4, %t, 1; @%p4 fence.proxy.async.shared::cta; \n@%p1 bra issued;", "proxy", ASYNC),
        Bug("the fence after the copy", "@%p1 bra issued; fence.proxy.async.shared::cta;\ncp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 2048;",
            "@%p1 bra issued; cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 2048; fence.proxy.async.shared::cta;", "proxy", ASYNC),
    ),
)  # fmt: skip

EXIT = Kernel(
    "a store at the end",
    ptx(
        """
.shared .align 16 .b8 s[512];
ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2; st.shared.u32 [%r3], %t;
fence.proxy.async.shared::cta; bar.sync 0; setp.ne.u32 %p1, %t, 0; @%p1 bra end;
cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 512; cp.async.bulk.commit_group;
cp.async.bulk.wait_group 0; // complete
ld.global.u32 %r4, [%rd2+508]; add.u32 %r4, %r4, 1; st.global.u32 [%rd2+512], %r4;
end: ret;""",
        "out",
    ),
    lambda: [zeros(129)],
    lambda a: bool((a[0] == np.arange(129)).all()),
    bugs=(
        Bug("it reads what was stored after a wait for reads", "cp.async.bulk.wait_group 0; // complete",
            "cp.async.bulk.wait_group.read 0;", "bulk store", ASYNC),
        Bug("no wait before it reads what was stored", "cp.async.bulk.wait_group 0; // complete", "", "bulk store", ASYNC),
        Bug("no wait before the end", "cp.async.bulk.wait_group 0; // complete\nld.global.u32 %r4, [%rd2+508]; add.u32 %r4, %r4, 1; st.global.u32 [%rd2+512], %r4;",
            "", "exit", ASYNC),
        Bug("another thread reads what was stored", "ld.global.u32 %r4, [%rd2+508]; add.u32 %r4, %r4, 1; st.global.u32 [%rd2+512], %r4;\nend:",
            "end: ld.global.u32 %r4, [%rd2+508]; setp.eq.u32 %p5, %t, 127; @%p5 st.global.u32 [%rd2+512], %r4;", "bulk store", ASYNC),
    ),
)  # fmt: skip

REDUCE = Kernel(
    "bulk reduction",
    ptx(
        """
.shared .align 16 .b8 s[512];
ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 4, %r2; add.u32 %r6, %t, %b; st.shared.u32 [%r3], %r6;
fence.proxy.async.shared::cta; // fence
bar.sync 0; setp.ne.u32 %p1, %t, 0; @%p1 bra end;
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [%r2], 512; cp.async.bulk.commit_group;
cp.async.bulk.wait_group.read 0;
end: ret;""",
        "out",
    ),
    lambda: [zeros(128)],
    lambda a: bool((a[0] == 4 * np.arange(128) + 6).all()),
    grid=4,
    bugs=(
        Bug("no fence", "fence.proxy.async.shared::cta; // fence", "", "proxy", ASYNC),
        Bug("no barrier", "bar.sync 0; setp", "setp", "barrier", ASYNC),
        Bug("no wait before the end", "cp.async.bulk.wait_group.read 0;", "", "exit", ASYNC),
        Bug("a plain store of the same", "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32",
            "cp.async.bulk.global.shared::cta.bulk_group", "atomics", ASYNC),
        Bug("a plain sum besides", "setp.ne.u32 %p1, %t, 0; @%p1 bra end;",
            "ld.global.u32 %r5, [%rd2+4]; setp.ne.u32 %p1, %t, 0; @%p1 bra end;", "atomics", ASYNC),
    ),
)  # fmt: skip

STAGES = Kernel(
    "TMA pipeline",
    ptx(
        """
.shared .align 128 .b8 s[4096]; .shared .align 8 .b64 full[2]; .shared .align 8 .b64 free[2];
ld.param.u64 %rd2, [out]; mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; mov.u32 %r2, s; mov.u32 %r8, full; mov.u32 %r9, free;
setp.ne.u32 %p1, %t, 0; @%p1 bra inited;
mbarrier.init.shared.b64 [%r8], 1; mbarrier.init.shared.b64 [%r8+8], 1;
mbarrier.init.shared.b64 [%r9], 96; mbarrier.init.shared.b64 [%r9+8], 96; fence.mbarrier_init.release.cluster;
inited: bar.sync 0; // init
mov.u32 %r7, 0; mov.u32 %r6, 0; mov.u32 %r17, 0; setp.lt.u32 %p1, %t, 96; @%p1 bra consumer;
setp.ne.u32 %p1, %t, 96; @%p1 bra end;
producer:
and.b32 %r11, %r7, 1; mad.lo.u32 %r12, %r11, 8, %r9; mad.lo.u32 %r13, %r11, 8, %r8; mad.lo.u32 %r14, %r11, 2048, %r2;
shr.u32 %r15, %r7, 1; add.u32 %r15, %r15, 1; and.b32 %r15, %r15, 1; shl.b32 %r16, %r7, 4;
isfree: mbarrier.try_wait.parity.shared.b64 %q, [%r12], %r15; @!%q bra isfree;
mbarrier.arrive.expect_tx.shared.b64 %state, [%r13], 2048;
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r14], [%rd1, {%r17, %r16}], [%r13];
add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 6; @%p2 bra producer;
ret;
consumer:
and.b32 %r11, %r7, 1; mad.lo.u32 %r12, %r11, 8, %r9; mad.lo.u32 %r13, %r11, 8, %r8; mad.lo.u32 %r14, %r11, 2048, %r2;
shr.u32 %r15, %r7, 1; and.b32 %r15, %r15, 1; mad.lo.u32 %r14, %t, 4, %r14;
isfull: mbarrier.try_wait.parity.shared.b64 %q, [%r13], %r15; @!%q bra isfull;
ld.shared.u32 %r5, [%r14]; ld.shared.u32 %r10, [%r14+1024]; add.u32 %r6, %r6, %r5; add.u32 %r6, %r6, %r10;
mbarrier.arrive.shared.b64 %state, [%r12]; // free
add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 6; @%p2 bra consumer;
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r6;
end: ret;""",
        "map:map out",
    ),
    lambda: [weft.TensorMap(words(96 * 32).reshape(96, 32), box=(16, 32)), zeros(96)],
    lambda a: bool((a[1] == _tiles(a[0].array)).all()),
    bugs=(
        Bug("the consumer does not wait", "isfull: mbarrier.try_wait.parity.shared.b64 %q, [%r13], %r15; @!%q bra isfull;", "",
            "TMA wait", ASYNC | HANG),
        Bug("the consumer looks once", "@!%q bra isfull;", "", "TMA wait", ASYNC | HANG),
        Bug("the producer does not wait", "isfree: mbarrier.try_wait.parity.shared.b64 %q, [%r12], %r15; @!%q bra isfree;", "",
            "pipeline", ASYNC | HANG),
        Bug("the producer looks once", "@!%q bra isfree;", "", "pipeline", ASYNC | HANG),
        Bug("the consumer waits at the other stage", "isfull: mbarrier.try_wait.parity.shared.b64 %q, [%r13], %r15;",
            "xor.b32 %r20, %r11, 1; mad.lo.u32 %r20, %r20, 8, %r8; isfull: mbarrier.try_wait.parity.shared.b64 %q, [%r20], %r15;",
            "TMA wait", ASYNC | HANG),
        Bug("the consumer's parity is turned", "shr.u32 %r15, %r7, 1; and.b32 %r15, %r15, 1; mad",
            "shr.u32 %r15, %r7, 1; and.b32 %r15, %r15, 1; xor.b32 %r15, %r15, 1; mad", "TMA wait", ASYNC | HANG),
        Bug("the producer's parity is turned", "add.u32 %r15, %r15, 1; and", "and", "pipeline", ASYNC | HANG),
        Bug("it says free before it has read", "ld.shared.u32 %r5, [%r14]; ld.shared.u32 %r10, [%r14+1024]; add.u32 %r6, %r6, %r5; add.u32 %r6, %r6, %r10;\nmbarrier.arrive.shared.b64 %state, [%r12]; // free",
            "mbarrier.arrive.shared.b64 %state, [%r12]; ld.shared.u32 %r5, [%r14]; ld.shared.u32 %r10, [%r14+1024]; add.u32 %r6, %r6, %r5; add.u32 %r6, %r6, %r10;",
            "pipeline", ASYNC),
        Bug("it says free when it has read half", "ld.shared.u32 %r10, [%r14+1024]; add.u32 %r6, %r6, %r5; add.u32 %r6, %r6, %r10;\nmbarrier.arrive.shared.b64 %state, [%r12]; // free",
            "mbarrier.arrive.shared.b64 %state, [%r12]; ld.shared.u32 %r10, [%r14+1024]; add.u32 %r6, %r6, %r5; add.u32 %r6, %r6, %r10;",
            "pipeline", ASYNC),
        Bug("one warp for all says free", "mbarrier.arrive.shared.b64 %state, [%r12]; // free",
            "setp.lt.u32 %p5, %t, 32; @%p5 mbarrier.arrive.shared.b64 %state, [%r12], 3;", "pipeline", ASYNC),
        Bug("the bytes of half a tile", "[%r13], 2048;\ncp", "[%r13], 1024;\ncp", "count", ASYNC | HANG),
        Bug("both stages in one buffer", "mad.lo.u32 %r14, %r11, 2048, %r2;\nshr.u32 %r15, %r7, 1; add", "mov.u32 %r14, %r2;\nshr.u32 %r15, %r7, 1; add", "pipeline", ASYNC),
        Bug("full is told of the other stage", "[%r14], [%rd1, {%r17, %r16}], [%r13];", "[%r14], [%rd1, {%r17, %r16}], [%r8];", "count", ASYNC | HANG),
        Bug("no barrier after the init", "inited: bar.sync 0; // init", "inited:", "mbarrier init", ANY),
        Bug("relaxed arrivals of readers", "mbarrier.arrive.shared.b64 %state, [%r12]; // free",
            "mbarrier.arrive.relaxed.cta.shared.b64 %state, [%r12];", "mbarrier scope", ASYNC),
        Bug("relaxed waits for full", "isfull: mbarrier.try_wait.parity.shared.b64", "isfull: mbarrier.try_wait.parity.relaxed.cta.shared.b64",
            "mbarrier scope", ASYNC),
    ),
    harmless={"fence.mbarrier_init.release.cluster;": "one CTA: the barrier of the CTA orders the init"},
)  # fmt: skip


def _tiles(matrix: Array) -> Array:
    """What the consumers sum: the word of their number, and the one 256 words on, of each tile."""
    flat = matrix.reshape(6, 512)
    return (flat[:, :96] + flat[:, 256:352]).sum(axis=0).astype(np.uint32)


TENSOR_STORE = Kernel(
    "tensor store",
    ptx(
        """
.shared .align 128 .b8 s[4096];
mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 16, %r2; mov.u32 %r10, 0; mov.u32 %r17, 0; setp.ne.u32 %p1, %t, 0;
again:
and.b32 %r11, %r10, 1; mad.lo.u32 %r12, %r11, 2048, %r3; mad.lo.u32 %r13, %r11, 2048, %r2; shl.b32 %r14, %r10, 4;
@%p1 bra go; cp.async.bulk.wait_group.read 1; // one may read
go: bar.sync 0; // free
mad.lo.u32 %r5, %r10, 128, %t; st.shared.v4.u32 [%r12], {%r5, %r5, %r5, %r5};
fence.proxy.async.shared::cta; // fence
bar.sync 0; // stored
@%p1 bra next;
cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {%r17, %r14}], [%r13]; cp.async.bulk.commit_group;
next: add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 5; @%p2 bra again;
@%p1 bra end; cp.async.bulk.wait_group 0; // all
end: ret;""",
        "map:map",
    ),
    lambda: [weft.TensorMap(zeros(80 * 32).reshape(80, 32), box=(16, 32))],
    lambda a: bool((a[0].array.reshape(-1) == np.repeat(np.arange(640), 4)).all()),
    bugs=(
        Bug("no fence", "fence.proxy.async.shared::cta; // fence", "", "proxy", ASYNC),
        Bug("no barrier after the stores", "bar.sync 0; // stored", "", "barrier", ASYNC),
        Bug("no barrier before the stores", "go: bar.sync 0; // free", "go:", "bulk store", ASYNC),
        Bug("no wait before the stores", "cp.async.bulk.wait_group.read 1; // one may read", "", "bulk store", ASYNC),
        Bug("a wait for all but two", "cp.async.bulk.wait_group.read 1; // one may read", "cp.async.bulk.wait_group.read 2;",
            "bulk store", ASYNC),
        Bug("no wait before the end", "cp.async.bulk.wait_group 0; // all", "", "exit", ASYNC),
        Bug("one buffer", "mad.lo.u32 %r12, %r11, 2048, %r3;", "mov.u32 %r12, %r3;", "bulk store", ASYNC),
        Bug("the fence after the barrier, by other warps", "fence.proxy.async.shared::cta; // fence\nbar.sync 0; // stored",
            "bar.sync 0; setp.gt.u32 %p6, %w, 0; @%p6 fence.proxy.async.shared::cta;", "proxy", ASYNC),
    ),
)  # fmt: skip

KERNELS = (LOAD, STORE, ISSUER_FENCE, EXIT, REDUCE, STAGES, TENSOR_STORE)
