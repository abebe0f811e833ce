"""`tcgen05` by pairs of CTAs: one thread starts a product that reads the shared memory of both and writes both's sums."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.case import ANY, HANG, Array, Bug, Kernel, ptx, zeros
from tests.sim.hazards.products import AFTER, BEFORE, DESC5, PRODUCT, TFILL, cores, halves, whole

_IDESC = 1 << 4 | (32 >> 3) << 17 | (256 >> 4) << 24
_LD = "tcgen05.ld.sync.aligned.32x32b.x32.b32 {" + ", ".join(f"%r{32 + i}" for i in range(32)) + "}, [%r11];"
_COMMIT = "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r9], %h1;"
_WAIT = "wait: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;"
_MEET = "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;"


def _tiles(matrix: Array) -> Array:
    """Each CTA's half of the rows, one after the other."""
    return np.stack([cores(half) for half in np.split(matrix, 2)])


def _product(a: list[Array]) -> bool:
    left, right = (np.concatenate([whole(half) for half in m]) for m in a[:2])
    return bool((a[2] == left @ right.T).all())


PAIR = Kernel(
    "a product of a pair of CTAs",
    ptx(
        f"""
.shared .align 128 .b8 s[4608]; .shared .align 8 .b64 bar; .shared .align 8 .b32 at;
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd4, [c]; mov.u32 %r2, s; mov.u32 %r9, bar; mov.u32 %r8, at; mad.lo.u32 %r3, %t, 16, %r2;
mov.u32 %r7, %cluster_ctarank; mad.wide.u32 %rd1, %r7, 4096, %rd1; mad.wide.u32 %rd2, %r7, 512, %rd2; mad.wide.u32 %rd4, %r7, 16384, %rd4;
setp.ne.u32 %p3, %t, 0; setp.ge.u32 %p5, %t, 32; @%p3 bra inited; mbarrier.init.shared.b64 [%r9], 1; fence.mbarrier_init.release.cluster;
inited: @%p5 bra allocated; tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r8], 32;
allocated: {TFILL}
filled: fence.proxy.async.shared::cta; // visible
{BEFORE} // alloc
bar.sync 0; // own
{_MEET} // both
{AFTER} // alloc
ld.shared.u32 %r10, [%r8]; shl.b32 %r11, %w, 21; add.u32 %r11, %r11, %r10;
shr.u32 %r5, %r2, 4; cvt.u64.u32 %rd10, %r5; and.b64 %rd10, %rd10, 16383; or.b64 %rd10, %rd10, {DESC5}; add.u64 %rd11, %rd10, 256; setp.ne.u32 %p2, 0, 0; mov.u32 %r12, {_IDESC};
setp.ne.u32 %p7, %r7, 0; setp.ne.u32 %p6, %r7, 0; or.pred %p6, %p6, %p3; mov.b16 %h1, 3;
@%p6 bra wait;
tcgen05.mma.cta_group::2.kind::f16 [%r10], %rd10, %rd11, %r12, %p2;
{_COMMIT} // commit
{_WAIT} // product
{AFTER} // product
{_LD}
tcgen05.wait::ld.sync.aligned;
mad.wide.u32 %rd4, %t, 128, %rd4; {"".join(f"st.global.u32 [%rd4+{4 * i}], %r{32 + i};" for i in range(32))}
{BEFORE} // free
bar.sync 0; // read
{_MEET} // over
@%p5 bra end; {AFTER} // free
tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r10, 32; tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
end: ret;""",
        "a b c",
        "sm_100a",
    ),
    lambda: [_tiles(halves(256, 16, 1)), _tiles(halves(32, 16, 2)), zeros(256 * 32, np.float32).reshape(256, 32)],
    _product,
    grid=2,
    cluster=2,
    bugs=(
        Bug("a barrier of each CTA only", f"{_MEET} // both", "", "pair", ANY),
        Bug("the CTAs meet without release", f"{_MEET} // both", _MEET.replace("release", "relaxed"), "pair", ANY),
        Bug("no proxy fence", "filled: fence.proxy.async.shared::cta; // visible", "filled:", "pair", PRODUCT),
        Bug("a proxy fence of the first CTA", "filled: fence.proxy.async.shared::cta; // visible",
            "filled: setp.eq.u32 %p4, %r7, 0; @%p4 fence.proxy.async.shared::cta;", "pair", PRODUCT),
        Bug("a proxy fence of the other CTA", "filled: fence.proxy.async.shared::cta; // visible",
            "filled: setp.eq.u32 %p4, %r7, 1; @%p4 fence.proxy.async.shared::cta;", "pair", PRODUCT),
        Bug("the fence after the barrier, but not by the issuer", f"filled: fence.proxy.async.shared::cta; // visible\n{BEFORE} // alloc\nbar.sync 0; // own\n{_MEET} // both",
            f"filled: bar.sync 0; {_MEET} setp.eq.u32 %p4, %r7, 1; @%p4 fence.proxy.async.shared::cta;", "pair", ANY),
        Bug("the commit tells the first CTA only", "mov.b16 %h1, 3;", "mov.b16 %h1, 1;", "pair", HANG),
        Bug("the commit tells the other CTA only", "mov.b16 %h1, 3;", "mov.b16 %h1, 2;", "pair", HANG),
        Bug("no commit", f"{_COMMIT} // commit", "", "pair", HANG | PRODUCT),
        Bug("the other CTA does not wait", _WAIT,
            f"wait: @%p7 bra go; {_WAIT.replace('wait:', 'again:').replace('bra wait', 'bra again')} go:", "pair", PRODUCT),
        Bug("nobody waits", _WAIT, "wait:", "pair", PRODUCT),
        Bug("the wait is not repeated", "@!%q bra wait;", "", "pair", PRODUCT),
        Bug("no fence after the wait", f"{AFTER} // product", "", "pair", ANY),
        Bug("no wait for the load", "tcgen05.wait::ld.sync.aligned;", "", "pair", PRODUCT),
        Bug("both CTAs start the product", "or.pred %p6, %p6, %p3;", "mov.pred %p6, %p3;", "pair", ANY),
        Bug("the other CTA overwrites its tile", f"{_WAIT} // product", f"{_WAIT} // product".replace("wait:", "wait: @%p7 st.shared.u32 [%r3], %t;", 1), "pair", PRODUCT),
        Bug("the first CTA overwrites its tile", f"{_COMMIT} // commit", f"{_COMMIT} st.shared.u32 [%r3], %t;", "pair", PRODUCT),
        Bug("an mbarrier that is made too late in the other CTA", "@%p3 bra inited; mbarrier.init.shared.b64 [%r9], 1; fence.mbarrier_init.release.cluster;\ninited:",
            "inited:", "pair", ANY),
        Bug("sums are added to what nobody has stored", "setp.ne.u32 %p2, 0, 0;", "setp.eq.u32 %p2, 0, 0;", "pair", ANY),
        Bug("the other CTA gives nothing back", f"@%p5 bra end; {AFTER} // free", "@%p5 bra end; @%p7 bra end;", "pair", ANY),
        Bug("the other CTA leaves before the product", f"{_MEET} // both", f"{_MEET} setp.ne.u32 %p8, %r7, 0; @%p8 bra end;", "pair", ANY),
        Bug("memory of one CTA", "tcgen05.alloc.cta_group::2", "tcgen05.alloc.cta_group::1", "pair", ANY),
        Bug("tiles of one CTA only are complete", "setp.ge.u32 %p1, %t, 32; @%p1 bra filled;", "setp.ge.u32 %p1, %t, 32; setp.ne.u32 %p9, %r7, 0; and.pred %p9, %p9, %p2; or.pred %p1, %p1, %p9; @%p1 bra filled;", "pair", ANY),
    ),
    harmless={
        f"{BEFORE} // alloc": "nothing of tensor memory has been used yet: the address is in shared memory",
        f"{AFTER} // alloc": "nothing of tensor memory has been used yet: the address is in shared memory",
        f"{BEFORE} // free": "the loads have been waited for, and the barriers order what has happened",
        f"{AFTER} // free": "the loads have been waited for, and the barriers order what has happened",
        "bar.sync 0; // own": "the barrier of the cluster does the same",
        "bar.sync 0; // read": "the barrier of the cluster does the same",
        f"{_MEET} // over": "giving back waits for the other CTA",
        "fence.mbarrier_init.release.cluster": "the barrier of the cluster releases",
    },
)  # fmt: skip

KERNELS = (PAIR,)
