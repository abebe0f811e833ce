"""Who goes through the async proxy, and which stores it may overtake without a fence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.sim.harness import INDEX, launch
from tests.sim.test_stored import program
from weft.sim import KernelFault
from weft.sim.proxies import wanted

COPY = "cp.async.bulk.{}.mbarrier::complete_tx::bytes [tile], [%d1], 16, [bar];"
USES = {
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 16, [bar];": True,
    "cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 16;": True,
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [tile], 16;": True,
    "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tile], [%d1, {%r1}], [bar];": True,
    "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%d1, {%r1}], [tile];": True,
    "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%d1, {%r1}], [tile];": True,
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %d1, %d2, 1, 1, 1, 0, 0;": True,
    "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f2, %f3, %f4}, %d1, %d2, %r1, 0, 1, 1, 1, 0, 0;": True,
    "tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p1;": True,
    "tcgen05.mma.sp.cta_group::1.kind::f16 [%r1], %d1, %d2, [%r3], %r2, %p1;": True,
    "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p1;": True,
    "tcgen05.mma.ws.sp.cta_group::1.kind::f16 [%r1], %d1, %d2, [%r3], %r2, %p1;": True,
    "tcgen05.cp.cta_group::1.128x256b [%r1], %d1;": True,
    "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [tile], [bar];": True,
    "cp.async.ca.shared.global [tile], [%d1], 16;": False,
    "cp.async.bulk.commit_group;": False,
    "cp.async.bulk.wait_group 0;": False,
    "cp.async.bulk.prefetch.L2.global [%d1], 16;": False,
    "wgmma.fence.sync.aligned;": False,
    "wgmma.commit_group.sync.aligned;": False,
    "tcgen05.wait::ld.sync.aligned;": False,
    "mbarrier.init.shared.b64 [bar], 1;": False,
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [tile], %r1, [bar];": False,
    "fence.proxy.async;": False,
    "st.shared.u32 [tile], %r1;": False,
}


@pytest.mark.parametrize("instruction", USES)
def test_instructions_that_go_through_the_async_proxy(instruction: str) -> None:
    """Of a kernel that has none of them no fences between proxies are followed."""
    target = "sm_90a" if "wgmma" in instruction else "sm_100a"
    assert wanted(program(".reg .f32 %f<5>;" + instruction, target)) == USES[instruction]


STORES = {
    "st": "@!%p1 st.shared.u32 [s+8], 7;",
    "atom": "@!%p1 atom.shared.add.u32 %r5, [s+8], 7;",
    "red": "@!%p1 red.shared.add.u32 [s+8], 7;",
    "stmatrix": "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r4], {%r0};",
    "cp.async": "@!%p1 cp.async.ca.shared.global [s+8], [%rd1], 4; cp.async.wait_all;",
    "st.bulk": "@!%p1 st.bulk.weak.shared::cta [s], 16, 0;",
    "wmma.store": "wmma.store.d.sync.aligned.row.m8n32k16.shared.s32 [s], {%r0, %r0, %r0, %r0, %r0, %r0, %r0, %r0}, 32;",
}
AFTER = """
.shared .align 128 .b8 s[1024]; .shared .align 8 .b64 bar; ld.param.u64 %rd1, [p0]; setp.ne.u32 %p1, %r0, 0; mov.u32 %r4, s; and.b32 %r5, %r0, 7;
mad.lo.u32 %r4, %r5, 16, %r4; @!%p1 st.shared.v4.u32 [s], {0, 0, 0, 0}; @!%p1 mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; bar.warp.sync -1;
STORE
FENCE bar.warp.sync -1; @%p1 ret; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 16, [bar];
again: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra again; ret;
"""


@pytest.mark.parametrize("store", STORES)
def test_copies_may_overtake_stores_of_threads(store: str) -> None:
    """What the async proxy writes after a thread has stored there needs a fence between the two, as what it reads."""

    def runs(fence: str, copied: str = "[s]") -> None:
        body = AFTER.replace("STORE", STORES[store]).replace("FENCE", fence).replace("bytes [s]", f"bytes {copied}")
        launch(INDEX + body, [np.arange(64, dtype=np.uint32)], 32, target="sm_100a", check="strict")

    with pytest.raises(KernelFault, match="writes shared memory at 0x0 through the async proxy, where ") as caught:
        runs("")
    fault: Any = caught.value
    assert fault.kind == "proxy-fence" and fault.other.line == fault.position.line - 2
    assert fault.hint.startswith(f"insert fence.proxy.async after line {fault.other.line}, before synchronizing")
    runs("fence.proxy.async;")
    if store in ("st", "atom", "red", "cp.async"):
        runs("", "[s+16]")
