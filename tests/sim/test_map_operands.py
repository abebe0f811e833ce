"""Tensor maps as operands of instructions: where they may lie, what they must be, and lanes that have maps of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import kernel
from tests.sim.test_tensor_copies import halves, random_array
from weft.sim import KernelFault, run

HEAD = """.reg .pred %p<9>; .reg .b32 %r<32>; .reg .b64 %rd<9>; .shared .align 128 .b8 s[1024]; .shared .align 8 .b8 bar[8];
mov.u32 %r0, %tid.x; mov.u64 %rd1, p0; cvta.param.u64 %rd1, %rd1; mov.u64 %rd2, p1; cvta.param.u64 %rd2, %rd2; ld.param.u64 %rd3, [p2];
mov.u32 %r1, s; cvt.u64.u32 %rd4, %r1; cvta.shared.u64 %rd4, %rd4; setp.eq.u32 %p1, %r0, 0; setp.lt.u32 %p2, %r0, 2;
@%p1 mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; bar.sync 0;
"""


def ran(text: str, first: weft.TensorMap, second: weft.TensorMap, out: Any, **more: Any) -> None:
    body = kernel(HEAD + text + "ret;", ["align 64 .b8", "align 64 .b8", "u64"], "sm_100a").to_ptx()
    body = body.replace(".b8 p0", ".b8 p0[128]").replace(".b8 p1", ".b8 p1[128]")
    run(weft.parse(body), "k", 1, 32, [first, second, out], **more)


LOAD = "cp.async.bulk.tensor.{}d.shared::cta.global.mbarrier::complete_tx::bytes [s], [{}, {{{}}}], [bar];"
FILL = """mov.u32 %r2, 0; fill: mad.lo.u32 %r3, %r2, 4, %r1; st.shared.u32 [%r3], 0; add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 32;
@%p3 bra fill;"""
WRONG = {
    "in shared memory": (LOAD.format(2, "%rd4", "0, 0"), "tensor-map", "the tensor map lies in shared memory"),
    "not aligned": (LOAD.format(2, "%rd1+32", "0, 0"), "misaligned", "a tensor map is 128 bytes, aligned to 64"),
    "too short": (LOAD.format(2, "%rd3+64", "0, 0"), "misaligned", "a tensor map is 128 bytes, aligned to 64"),
    "rank": (LOAD.format(3, "%rd1", "0, 0, 0"), "tensor-map", "the tensor map has 2 dimensions, the instruction 3"),
    "no map": (LOAD.format(2, "%rd3", "0, 0"), "tensor-map", ""),
    "replaced too short": ("tensormap.replace.tile.rank.global.b1024.b32 [%rd3+64], 2;", "out-of-bounds", "the 128 bytes of a tensor map do not lie in global memory there"),
    "copied too short": (
        f"{FILL} tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd3+64], [%r1], 128;",
        "out-of-bounds", "the 128 bytes of a tensor map do not lie in global memory there",
    ),
}  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", WRONG)
def test_maps_that_are_wrong(name: str) -> None:
    text, kind, message = WRONG[name]
    first = weft.TensorMap(halves(16, 64), (8, 64))
    guard = "" if ".aligned" in text else "@%p1 "
    with pytest.raises(KernelFault) as caught:
        ran(f"{guard}{text}", first, first, np.zeros(128, np.uint8))
    fault = caught.value
    assert fault.kind == kind and message in fault.message
    assert fault.thread is not None and fault.thread.tid == (0, 0, 0)


@pytest.mark.sample(1)
@pytest.mark.parametrize("check", ["fast", "strict"])
def test_lanes_with_maps_of_their_own(check: Any) -> None:
    """One thread loads by the first map, another one by the second, of another type, at other coordinates."""
    first, second, out = random_array((8, 64), np.uint16), random_array((16, 32), np.uint32, 1), np.zeros(64, np.uint32)
    text = """selp.b64 %rd5, %rd1, %rd2, %p1; mul.lo.u32 %r2, %r0, 128; add.u32 %r2, %r2, %r1; mul.lo.u32 %r3, %r0, 5; add.u32 %r3, %r3, 2;
    @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256; bar.warp.sync -1;
    @%p2 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd5, {0, %r3}], [bar];
    again: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0; @!%p3 bra again; mul.lo.u32 %r4, %r0, 8; add.u32 %r4, %r4, %r1;
    ld.shared.v2.u32 {%r5, %r6}, [%r4]; mad.wide.u32 %rd6, %r0, 8, %rd3; st.global.v2.u32 [%rd6], {%r5, %r6};"""
    ran(text, weft.TensorMap(first, (1, 64)), weft.TensorMap(second, (1, 32)), out, check=check)
    assert (out[:32] == first[2].view(np.uint32)).all() and (out[32:] == second[7]).all()
