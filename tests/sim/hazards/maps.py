"""Tensor maps that kernels change: in shared memory and copied, in global memory, for themselves and for other CTAs."""

from __future__ import annotations

from typing import Any

import weft
from tests.sim.hazards.case import ANY, ASYNC, MEMORY, Bug, Kernel, ptx, words, zeros

MAPS = ASYNC | {"tensor-map"}
REPLACE = "tensormap.replace.tile.global_address.{space}.b1024.b64 [{at}], %rd6;"
LOAD = """cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd7, {%r17, %r17}], [%r9];"""


def _inputs() -> list[Any]:
    return [weft.TensorMap(words(512, 5).reshape(16, 32), box=(16, 32)), words(512), zeros(32), zeros(1), zeros(512)]


def _right(a: list[Any]) -> bool:
    return bool((a[4] == a[1]).all())


OWN = Kernel(
    "a map changed in shared memory",
    ptx(
        f"""
.shared .align 128 .b8 s[2048]; .shared .align 128 .b8 m[128]; .shared .align 8 .b64 bar;
ld.param.u64 %rd6, [data]; ld.param.u64 %rd7, [maps]; ld.param.u64 %rd2, [out]; mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1;
mov.u32 %r2, s; mov.u32 %r3, m; mov.u32 %r9, bar; mov.u32 %r17, 0; setp.ne.u32 %p1, %t, 0; setp.ge.u32 %p2, %t, 32;
@%p1 bra inited; mbarrier.init.shared.b64 [%r9], 1; fence.mbarrier_init.release.cluster;
inited: bar.sync 0; // init
@%p2 bra wait;
mad.wide.u32 %rd3, %t, 4, %rd1; ld.u32 %r4, [%rd3]; mad.lo.u32 %r5, %t, 4, %r3; st.shared.u32 [%r5], %r4;
bar.warp.sync -1; // copied
@!%p1 {REPLACE.format(space="shared::cta", at="%r3")}
bar.warp.sync -1; // replaced
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd7], [%r3], 128;
@%p1 bra wait;
fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128; // acquire
mbarrier.arrive.expect_tx.shared.b64 %state, [%r9], 2048;
{LOAD}
wait: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;
mad.lo.u32 %r5, %t, 16, %r2; ld.shared.v4.u32 {{%r10, %r11, %r12, %r13}}, [%r5];
mad.wide.u32 %rd2, %t, 16, %rd2; st.global.v4.u32 [%rd2], {{%r10, %r11, %r12, %r13}}; ret;""",
        "map:map data maps flag out",
    ),
    _inputs,
    _right,
    bugs=(
        Bug("no acquire", "fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128; // acquire", "", "tensor map", MAPS),
        Bug("the acquire after the copy", "fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128; // acquire\n"
            f"mbarrier.arrive.expect_tx.shared.b64 %state, [%r9], 2048;\n{LOAD}",
            f"mbarrier.arrive.expect_tx.shared.b64 %state, [%r9], 2048; {LOAD} fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128;",
            "tensor map", MAPS),
        Bug("the acquire of another map", "acquire.gpu [%rd7], 128; // acquire", "acquire.gpu [%rd1], 128;", "tensor map", MAPS),
        Bug("a fence for the async proxy", "fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128; // acquire", "fence.proxy.async;",
            "tensor map", MAPS),
        Bug("no warp barrier before the change", "bar.warp.sync -1; // copied", "", "tensor map", MAPS),
        Bug("no warp barrier after the change", "bar.warp.sync -1; // replaced", "", "tensor map", MAPS),
        Bug("changed by two threads", "@!%p1 tensormap.replace", "setp.gt.u32 %p3, %t, 1; @!%p3 tensormap.replace", "tensor map", MAPS),
        Bug("changed again under the copy", f"{LOAD}\n",
            f"{LOAD}\n{REPLACE.format(space='global', at='%rd7')}\n", "tensor map", MAPS),
        Bug("a part is not copied", "ld.u32 %r4, [%rd3]; mad.lo.u32 %r5, %t, 4, %r3; st.shared.u32 [%r5], %r4;",
            "ld.u32 %r4, [%rd3]; mad.lo.u32 %r5, %t, 4, %r3; setp.eq.u32 %p3, %t, 9; @!%p3 st.shared.u32 [%r5], %r4;", "tensor map", ANY),
    ),
    harmless={
        "fence.mbarrier_init.release.cluster;": "one CTA: the barrier of the CTA orders the init",
        "release.gpu.sync": "one CTA: its own scope is enough",
        "acquire.gpu [%rd7], 128; // acquire": "one CTA: its own scope is enough",
    },
)  # fmt: skip

OTHER = Kernel(
    "a map changed for another CTA",
    ptx(
        f"""
.shared .align 128 .b8 s[2048]; .shared .align 8 .b64 bar;
ld.param.u64 %rd6, [data]; ld.param.u64 %rd7, [maps]; ld.param.u64 %rd8, [flag]; ld.param.u64 %rd2, [out]; mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1;
mov.u32 %r2, s; mov.u32 %r9, bar; mov.u32 %r17, 0; setp.ne.u32 %p1, %t, 0; setp.ne.u32 %p2, %b, 0; @%p2 bra user;
setp.ge.u32 %p3, %t, 32; @%p3 bra end;
mad.wide.u32 %rd3, %t, 4, %rd1; ld.u32 %r4, [%rd3]; mad.wide.u32 %rd4, %t, 4, %rd7; st.global.u32 [%rd4], %r4;
bar.warp.sync -1; // copied
@%p1 bra end;
{REPLACE.format(space="global", at="%rd7")}
fence.proxy.tensormap::generic.release.gpu; // release
mov.u32 %r6, 1; st.release.gpu.global.u32 [%rd8], %r6; // flag
bra end;
user:
@%p1 bra inited; mbarrier.init.shared.b64 [%r9], 1; fence.mbarrier_init.release.cluster;
inited: bar.sync 0; // init
@%p1 bra wait;
look: ld.acquire.gpu.global.u32 %r6, [%rd8]; setp.eq.u32 %p4, %r6, 0; @%p4 bra look;
fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128; // acquire
mbarrier.arrive.expect_tx.shared.b64 %state, [%r9], 2048;
{LOAD}
wait: mbarrier.try_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;
mad.lo.u32 %r5, %t, 16, %r2; ld.shared.v4.u32 {{%r10, %r11, %r12, %r13}}, [%r5];
mad.wide.u32 %rd2, %t, 16, %rd2; st.global.v4.u32 [%rd2], {{%r10, %r11, %r12, %r13}};
end: ret;""",
        "map:map data maps flag out",
    ),
    _inputs,
    _right,
    grid=2,
    bugs=(
        Bug("no release", "fence.proxy.tensormap::generic.release.gpu; // release", "", "tensor map", MAPS),
        Bug("the release before the change", f"{REPLACE.format(space='global', at='%rd7')}\nfence.proxy.tensormap::generic.release.gpu; // release",
            f"fence.proxy.tensormap::generic.release.gpu; {REPLACE.format(space='global', at='%rd7')}", "tensor map", MAPS),
        Bug("a release to the CTA", "generic.release.gpu; // release", "generic.release.cta;", "tensor map", MAPS),
        Bug("an acquire from the CTA", "acquire.gpu [%rd7], 128; // acquire", "acquire.cta [%rd7], 128;", "tensor map", MAPS),
        Bug("no acquire", "fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128; // acquire", "", "tensor map", MAPS),
        Bug("the acquire before the flag", "look: ld.acquire.gpu.global.u32 %r6, [%rd8]; setp.eq.u32 %p4, %r6, 0; @%p4 bra look;\n"
            "fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128; // acquire",
            "fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128; look: ld.acquire.gpu.global.u32 %r6, [%rd8]; setp.eq.u32 %p4, %r6, 0; @%p4 bra look;",
            "tensor map", MAPS),
        Bug("the flag before the change", f"{REPLACE.format(space='global', at='%rd7')}\nfence.proxy.tensormap::generic.release.gpu; // release\n"
            "mov.u32 %r6, 1; st.release.gpu.global.u32 [%rd8], %r6; // flag",
            f"mov.u32 %r6, 1; st.release.gpu.global.u32 [%rd8], %r6; {REPLACE.format(space='global', at='%rd7')} fence.proxy.tensormap::generic.release.gpu;",
            "tensor map", MAPS),
        Bug("a relaxed flag", "st.release.gpu.global.u32 [%rd8]", "st.relaxed.gpu.global.u32 [%rd8]", "tensor map", MAPS),
        Bug("a relaxed look", "ld.acquire.gpu.global.u32 %r6", "ld.relaxed.gpu.global.u32 %r6", "tensor map", MAPS),
        Bug("it looks once", "setp.eq.u32 %p4, %r6, 0; @%p4 bra look;", "", "tensor map", MAPS),
        Bug("no warp barrier before the change", "bar.warp.sync -1; // copied", "", "tensor map", MEMORY),
    ),
    harmless={"fence.mbarrier_init.release.cluster;": "the mbarrier is used by its own CTA"},
)  # fmt: skip

KERNELS: tuple[Kernel, ...] = (OWN, OTHER)
