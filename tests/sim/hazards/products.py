"""Asynchronous products: `wgmma` and `tcgen05`, with their fences, groups, commits and waits."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.case import ANY, ASYNC, HANG, Array, Bug, Kernel, ptx, zeros

PRODUCT = ASYNC | {"wgmma-fence", "tensor-memory"}


def halves(rows: int, depth: int, seed: int) -> Array:
    """Small whole numbers."""
    return np.random.default_rng(seed).integers(-4, 5, (rows, depth)).astype(np.float16)


def cores(matrix: Array) -> Array:
    """A matrix in core matrices of 8 rows by 16 bytes: the pairs of 8 columns of a row of them one after the other."""
    rows, depth = matrix.shape
    return np.ascontiguousarray(matrix.reshape(rows // 8, 8, depth // 8, 8).transpose(0, 2, 1, 3))


FILL = """
mad.wide.u32 %rd3, %t, 16, %rd1; ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd3]; st.shared.v4.u32 [%r3], {%r20, %r21, %r22, %r23};
setp.ge.u32 %p1, %t, 32; @%p1 bra filled; mad.wide.u32 %rd3, %t, 16, %rd2; ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd3];
st.shared.v4.u32 [%r3+2048], {%r20, %r21, %r22, %r23};"""
# Descriptors: 128 bytes between core matrices along K, 256 along M or N; no swizzle.
_DESCRIPTOR = (128 >> 4) << 16 | (256 >> 4) << 32
FRAGMENT = [
    (16 * (t // 32) + t % 32 // 4 + 8 * (i // 2 % 2), 8 * (i // 4) + 2 * (t % 4) + i % 2)
    for t in range(128)
    for i in range(8)
]
FENCE = "wgmma.fence.sync.aligned;"
MMA = """wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, %rd10, %rd11, %p2, 1, 1, 0, 0;"""
COMMIT, WAIT = "wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0;"


def fragments(product: Array) -> Array:
    """A product as the accumulators hold it."""
    return np.array([product[place] for place in FRAGMENT], np.float32)


def _right(a: list[Array], factor: int = 1) -> bool:
    left, right = (m.transpose(0, 2, 1, 3).reshape(-1, 16).astype(np.float32) for m in a[:2])
    return bool((a[2] == factor * fragments(left @ right.T)).all())


WGMMA = Kernel(
    "wgmma",
    ptx(
        f"""
.shared .align 128 .b8 s[2560];
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd4, [c]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 16, %r2;{FILL}
filled: fence.proxy.async.shared::cta; // visible
bar.sync 0; // stored
shr.u32 %r5, %r2, 4; cvt.u64.u32 %rd10, %r5; or.b64 %rd10, %rd10, {_DESCRIPTOR}; add.u64 %rd11, %rd10, 128; setp.ne.u32 %p2, 0, 0;
{"".join(f"mov.f32 %f{i}, 0f00000000;" for i in range(8))}
{FENCE}
{MMA} // product
{COMMIT}
{WAIT}
mad.wide.u32 %rd4, %t, 32, %rd4; st.global.v4.f32 [%rd4], {{%f0, %f1, %f2, %f3}}; st.global.v4.f32 [%rd4+16], {{%f4, %f5, %f6, %f7}}; ret;""",
        "a b c",
    ),
    lambda: [cores(halves(64, 16, 1)), cores(halves(16, 16, 2)), zeros(1024, np.float32)],
    _right,
    bugs=(
        Bug("no wgmma.fence", FENCE, "", "wgmma", PRODUCT),
        Bug("no commit", COMMIT, "", "wgmma", PRODUCT),
        Bug("no wait", WAIT, "", "wgmma", PRODUCT),
        Bug("a wait for all but one", WAIT, WAIT.replace("aligned 0", "aligned 1"), "wgmma", PRODUCT),
        Bug("the commit after the wait", f"{COMMIT}\n{WAIT}", f"{WAIT}\n{COMMIT}", "wgmma", PRODUCT),
        Bug("the fence after the product", f"{FENCE}\n{MMA} // product", f"{MMA}\n{FENCE}", "wgmma", PRODUCT),
        Bug("no proxy fence", "filled: fence.proxy.async.shared::cta; // visible", "filled:", "proxy", PRODUCT),
        Bug("a proxy fence of one warp", "filled: fence.proxy.async.shared::cta; // visible",
            "filled: setp.eq.u32 %p4, %w, 0; @%p4 fence.proxy.async.shared::cta;", "proxy", PRODUCT),
        Bug("no barrier", "bar.sync 0; // stored", "", "barrier", PRODUCT),
        Bug("the accumulators are written after the fence", FENCE, f"{FENCE} mov.f32 %f3, 0f3f800000;", "wgmma", PRODUCT),
        Bug("the accumulators are read before the wait", COMMIT, f"{COMMIT} add.f32 %f10, %f0, %f1;", "wgmma", PRODUCT),
        Bug("the accumulators are written before the wait", COMMIT, f"{COMMIT} mov.f32 %f0, 0f3f800000;", "wgmma", PRODUCT),
        Bug("the tile is overwritten before the wait", COMMIT, f"{COMMIT} st.shared.u32 [%r3], %t;", "wgmma", PRODUCT),
        Bug("another warp's rows are overwritten before the wait", COMMIT,
            f"{COMMIT} setp.eq.u32 %p5, %w, 1; @%p5 st.shared.u32 [%r3+2048], %t;".replace("[%r3+2048]", "[%r2+2048]"), "wgmma", PRODUCT),
        Bug("a descriptor beyond the tile", f"or.b64 %rd10, %rd10, {_DESCRIPTOR};", f"or.b64 %rd10, %rd10, {_DESCRIPTOR + (64 << 32)};", "bounds", ANY),
        Bug("a part of the tile is not stored", "setp.ge.u32 %p1, %t, 32; @%p1 bra filled;", "setp.ge.u32 %p1, %t, 31; @%p1 bra filled;", "unwritten", PRODUCT),
    ),
)  # fmt: skip

TWICE = Kernel(
    "wgmma with two groups",
    ptx(
        f"""
.shared .align 128 .b8 s[2560];
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd4, [c]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 16, %r2;{FILL}
filled: fence.proxy.async.shared::cta; bar.sync 0;
shr.u32 %r5, %r2, 4; cvt.u64.u32 %rd10, %r5; or.b64 %rd10, %rd10, {_DESCRIPTOR}; add.u64 %rd11, %rd10, 128; setp.ne.u32 %p2, 0, 0;
{"".join(f"mov.f32 %f{i}, 0f00000000; mov.f32 %f{i + 8}, 0f00000000;" for i in range(8))}
{FENCE}
{MMA}
{COMMIT} // one
{MMA.replace("%f7", "%f15").replace("%f6", "%f14").replace("%f5", "%f13").replace("%f4", "%f12").replace("%f3", "%f11").replace("%f2", "%f10").replace("%f1,", "%f9,").replace("%f0", "%f8")}
{COMMIT} // two
wgmma.wait_group.sync.aligned 1; // one
{"".join(f"add.f32 %f{i + 20}, %f{i}, %f{i};" for i in range(8))}
wgmma.wait_group.sync.aligned 0; // two
{"".join(f"add.f32 %f{i}, %f{i + 20}, %f{i + 8};" for i in range(8))}
mad.wide.u32 %rd4, %t, 32, %rd4; st.global.v4.f32 [%rd4], {{%f0, %f1, %f2, %f3}}; st.global.v4.f32 [%rd4+16], {{%f4, %f5, %f6, %f7}}; ret;""",
        "a b c",
    ),
    WGMMA.inputs,
    lambda a: _right(a, 3),
    bugs=(
        Bug("the first group is not closed", f"{COMMIT} // one", "", "wgmma", PRODUCT),
        Bug("the second group is not closed", f"{COMMIT} // two", "", "wgmma", PRODUCT),
        Bug("a wait for all but two", "aligned 1; // one", "aligned 2;", "wgmma", PRODUCT),
        Bug("no wait for the first", "wgmma.wait_group.sync.aligned 1; // one", "", "wgmma", PRODUCT),
        Bug("no wait for the second", "wgmma.wait_group.sync.aligned 0; // two", "", "wgmma", PRODUCT),
        Bug("no fence", FENCE, "", "wgmma", PRODUCT),
        Bug("the second is read too early", "add.f32 %f20, %f0, %f0;", "add.f32 %f20, %f0, %f8;", "wgmma", PRODUCT),
        Bug("its end without a wait", "wgmma.wait_group.sync.aligned 0; // two", "@%p2 wgmma.wait_group.sync.aligned 0;".replace("@%p2 ", "") .replace(" 0;", " 1;"), "wgmma", PRODUCT),
    ),
)  # fmt: skip

IDESC = 1 << 4 | (16 >> 3) << 17 | (128 >> 4) << 24
DESC5 = _DESCRIPTOR | 1 << 46
TFILL = """
mad.wide.u32 %rd3, %t, 16, %rd1; ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd3]; st.shared.v4.u32 [%r3], {%r20, %r21, %r22, %r23};
ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd3+2048]; st.shared.v4.u32 [%r3+2048], {%r20, %r21, %r22, %r23};
setp.ge.u32 %p1, %t, 32; @%p1 bra filled; mad.wide.u32 %rd3, %t, 16, %rd2; ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd3];
st.shared.v4.u32 [%r3+4096], {%r20, %r21, %r22, %r23};"""
LD = "tcgen05.ld.sync.aligned.32x32b.x16.b32 {" + ", ".join(f"%r{32 + i}" for i in range(16)) + "}, [%r11];"
AFTER, BEFORE = "tcgen05.fence::after_thread_sync;", "tcgen05.fence::before_thread_sync;"
COMMIT5 = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r9];"
WAIT5 = "wait: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;"

TCGEN05 = Kernel(
    "tcgen05",
    ptx(
        f"""
.shared .align 128 .b8 s[4608]; .shared .align 8 .b64 bar; .shared .align 8 .b32 at;
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd4, [c]; mov.u32 %r2, s; mov.u32 %r9, bar; mov.u32 %r8, at; mad.lo.u32 %r3, %t, 16, %r2;
setp.ne.u32 %p3, %t, 0; setp.ge.u32 %p5, %t, 32; @%p3 bra inited; mbarrier.init.shared.b64 [%r9], 1;
inited: @%p5 bra allocated; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r8], 32;
allocated: {TFILL}
filled: fence.proxy.async.shared::cta; // visible
{BEFORE} // alloc
bar.sync 0; // stored
{AFTER} // alloc
ld.shared.u32 %r10, [%r8]; shl.b32 %r11, %w, 21; add.u32 %r11, %r11, %r10;
shr.u32 %r5, %r2, 4; cvt.u64.u32 %rd10, %r5; or.b64 %rd10, %rd10, {DESC5}; add.u64 %rd11, %rd10, 256; setp.ne.u32 %p2, 0, 0; mov.u32 %r12, {IDESC};
@%p3 bra wait;
tcgen05.mma.cta_group::1.kind::f16 [%r10], %rd10, %rd11, %r12, %p2;
{COMMIT5} // commit
{WAIT5} // product
{AFTER} // product
{LD}
tcgen05.wait::ld.sync.aligned;
mad.wide.u32 %rd4, %t, 64, %rd4; {"".join(f"st.global.u32 [%rd4+{4 * i}], %r{32 + i};" for i in range(16))}
{BEFORE} // free
bar.sync 0; // read
@%p5 bra end; {AFTER} // free
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r10, 32; tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
end: ret;""",
        "a b c",
        "sm_100a",
    ),
    lambda: [cores(halves(128, 16, 1)), cores(halves(16, 16, 2)), zeros(128 * 16, np.float32).reshape(128, 16)],
    lambda a: bool((a[2] == whole(a[0]) @ whole(a[1]).T).all()),
    bugs=(
        Bug("no commit", f"{COMMIT5} // commit", "", "tcgen05", PRODUCT | HANG),
        Bug("no wait for the commit", WAIT5, "wait:", "tcgen05", PRODUCT),
        Bug("the wait is not repeated", "@!%q bra wait;", "", "tcgen05", PRODUCT),
        Bug("a barrier in place of the wait", WAIT5, "wait: bar.sync 0;", "tcgen05", PRODUCT),
        Bug("no fence after the wait", f"{AFTER} // product", "", "tcgen05 fence", ANY),
        Bug("no wait for the load", "tcgen05.wait::ld.sync.aligned;", "", "tcgen05", PRODUCT),
        Bug("the wait for the load after the barrier", "tcgen05.wait::ld.sync.aligned;\nmad.wide.u32 %rd4, %t, 64, %rd4;",
            "add.u32 %r32, %r32, 0; bar.sync 0; tcgen05.wait::ld.sync.aligned;\nmad.wide.u32 %rd4, %t, 64, %rd4;", "tcgen05", PRODUCT),
        Bug("a wait for stores", "tcgen05.wait::ld.sync.aligned;", "tcgen05.wait::st.sync.aligned;", "tcgen05", PRODUCT),
        Bug("no proxy fence", "filled: fence.proxy.async.shared::cta; // visible", "filled:", "proxy", PRODUCT),
        Bug("a proxy fence of one warp", "filled: fence.proxy.async.shared::cta; // visible",
            "filled: @!%p5 fence.proxy.async.shared::cta;", "proxy", PRODUCT),
        Bug("no barrier after the stores", "bar.sync 0; // stored", "", "barrier", ANY),
        Bug("no barrier before the memory is given back", "bar.sync 0; // read", "", "tcgen05", ANY),
        Bug("the memory is not given back", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r10, 32;", "", "tcgen05", frozenset({"tensor-memory"})),
        Bug("the memory is given back too early", f"{LD}\n", "@%p5 bra go; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r10, 32; go:\n" + LD + "\n", "tcgen05", ANY),
        Bug("columns that are not allocated", "shl.b32 %r11, %w, 21; add.u32 %r11, %r11, %r10;", "shl.b32 %r11, %w, 21; add.u32 %r11, %r11, %r10; add.u32 %r11, %r11, 24;",
            "bounds", frozenset({"tensor-memory"})),
        Bug("lanes of another warp", "shl.b32 %r11, %w, 21;", "xor.b32 %r11, %w, 1; shl.b32 %r11, %r11, 21;", "bounds", frozenset({"tensor-memory"})),
        Bug("the tile is overwritten before the wait", f"{COMMIT5} // commit", f"{COMMIT5} st.shared.u32 [%r3], %t;", "tcgen05", PRODUCT),
        Bug("no init", "mbarrier.init.shared.b64 [%r9], 1;", "", "mbarrier init", ANY),
    ),
    harmless={
        f"{BEFORE} // alloc": "nothing of tensor memory has been used yet: the address is in shared memory",
        f"{AFTER} // alloc": "nothing of tensor memory has been used yet: the address is in shared memory",
        f"{BEFORE} // free": "the loads have been waited for, and the barrier orders what has happened",
        f"{AFTER} // free": "the loads have been waited for, and the barrier orders what has happened",
    },
)  # fmt: skip


def whole(matrix: Array) -> Array:
    return matrix.transpose(0, 2, 1, 3).reshape(-1, 16).astype(np.float32)


ST = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r11], {%t};"
COLUMNS = Kernel(
    "tensor memory of two roles",
    ptx(
        f"""
.shared .align 8 .b32 at;
ld.param.u64 %rd4, [c]; mov.u32 %r8, at; setp.ge.u32 %p5, %t, 32; @%p5 bra allocated;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r8], 32;
allocated: {BEFORE} // alloc
bar.sync 0; {AFTER} // alloc
ld.shared.u32 %r10, [%r8]; and.b32 %r13, %w, 3; shl.b32 %r11, %r13, 21; add.u32 %r11, %r11, %r10;
setp.ge.u32 %p1, %t, 128; @%p1 bra reader;
{ST}
tcgen05.wait::st.sync.aligned;
{BEFORE} // stored
bar.sync 0; // stored
bra last;
reader:
bar.sync 0; // loads
{AFTER} // stored
tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r12}}, [%r11];
tcgen05.wait::ld.sync.aligned;
mad.wide.u32 %rd4, %t, 4, %rd4; st.global.u32 [%rd4], %r12;
last: {BEFORE} // free
bar.sync 0; // over
@%p5 bra end; {AFTER} // free
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r10, 32;
end: ret;""",
        "c",
        "sm_100a",
    ),
    lambda: [zeros(256)],
    lambda a: bool((a[0] == np.concatenate([np.zeros(128), np.arange(128)])).all()),
    block=256,
    bugs=(
        Bug("no wait for the store", "tcgen05.wait::st.sync.aligned;", "", "tcgen05", ANY),
        Bug("no fence before the barrier", f"{BEFORE} // stored", "", "tcgen05 fence", ANY),
        Bug("no fence after the barrier", f"{AFTER} // stored", "", "tcgen05 fence", ANY),
        Bug("no wait for the load", "tcgen05.wait::ld.sync.aligned;", "", "tcgen05", ANY),
        Bug("a wait for loads after the store", "tcgen05.wait::st.sync.aligned;", "tcgen05.wait::ld.sync.aligned; // st", "tcgen05", ANY),
        Bug("the barrier before the store", f"{ST}\ntcgen05.wait::st.sync.aligned;\n{BEFORE} // stored\nbar.sync 0; // stored",
            f"bar.sync 0; {ST} tcgen05.wait::st.sync.aligned;", "tcgen05", ANY),
    ),
    harmless={
        f"{BEFORE} // alloc": "nothing of tensor memory has been used yet: the address is in shared memory",
        f"{AFTER} // alloc": "nothing of tensor memory has been used yet: the address is in shared memory",
        f"{BEFORE} // free": "the loads have been waited for, and the barrier orders what has happened",
        f"{AFTER} // free": "the loads have been waited for, and the barrier orders what has happened",
    },
)  # fmt: skip

_PACK = " ".join(f"mov.b64 %rd{20 + i}, {{%f{2 * i}, %f{2 * i + 1}}};" for i in range(4))
_UNPACK = " ".join(f"mov.b64 {{%f{2 * i}, %f{2 * i + 1}}}, %rd{20 + i};" for i in range(4))
PACKED = Kernel(
    "wgmma with accumulators that are packed on their way",
    WGMMA.text.replace(f"{COMMIT}\n{WAIT}", f"{COMMIT} {_PACK} // packed\n{WAIT}\n{_UNPACK}"),
    WGMMA.inputs,
    _right,
    bugs=(
        Bug("no wait", WAIT, "", "wgmma", PRODUCT),
        Bug("a sum before the wait", f"// packed\n{WAIT}", f"\nadd.u64 %rd20, %rd20, %rd20; {WAIT}", "wgmma", PRODUCT),
        Bug("unpacked and used before the wait", f"// packed\n{WAIT}", f"\nmov.b64 {{%f20, %f21}}, %rd20; add.f32 %f20, %f20, %f21; {WAIT}", "wgmma", PRODUCT),
        Bug("a part is overwritten before the wait", f"// packed\n{WAIT}", f"\nmov.b64 %rd20, 0; {WAIT}", "wgmma", PRODUCT),
    ),
)  # fmt: skip

KERNELS = (WGMMA, TWICE, TCGEN05, COLUMNS, PACKED)
