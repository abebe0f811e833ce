"""The PTX instruction that an operation of `nvvm` is: its entry in the ISA table.

Slots, operand types and counts, PTX versions and targets of an operation are those of this instruction;
`weft.codegen.instructions.instruction` gives the very opcode of one operation.
"""

from __future__ import annotations

from collections.abc import Mapping

from weft.dialects.nvvm.rows import ROWS, stem
from weft.dialects.nvvm.sregs import PREFIX, SPECIAL_REGISTERS

_OPERATIONS: Mapping[str, str] = {
    "bar": "barrier barrier.arrive",
    "clusterlaunchcontrol.query_cancel": "clusterlaunchcontrol.query.cancel",
    "clusterlaunchcontrol.try_cancel": "clusterlaunchcontrol.try.cancel",
    "cp.async": "cp.async.shared.global",
    "cp.async.bulk": (
        "cp.async.bulk.shared.cluster.global cp.async.bulk.global.shared.cta cp.async.bulk.shared.cluster.shared.cta"
    ),
    "cp.async.bulk.prefetch": "cp.async.bulk.prefetch",
    "cp.async.bulk.prefetch.tensor": "cp.async.bulk.tensor.prefetch",
    "cp.async.bulk.tensor": "cp.async.bulk.tensor.shared.cluster.global cp.async.bulk.tensor.global.shared.cta",
    "cp.async.bulk.wait_group": "cp.async.bulk.wait_group",
    "cp.async.mbarrier.arrive": "cp.async.mbarrier.arrive",
    "cp.async.wait_group": "cp.async.wait.group",
    "cp.reduce.async.bulk.tensor": "cp.async.bulk.tensor.reduce",
    "cvt": (
        "convert.float.to.tf32 convert.f32x2.to.f4x2 convert.f32x2.to.f6x2 convert.f6x2.to.f16x2 "
        "convert.f32x2.to.f8x2 convert.f16x2.to.f8x2 convert.f8x2.to.f16x2 convert.bf16x2.to.f8x2 "
        "convert.f8x2.to.bf16x2 convert.f4x2.to.f16x2 convert.f32x2.to.f16x2 convert.f32x2.to.bf16x2 "
        "convert.f32x4.to.f8x4 convert.f32x4.to.f6x4 convert.f32x4.to.f4x4"
    ),
    "dp2a": "dot.accumulate.2way",
    "dp4a": "dot.accumulate.4way",
    "elect.sync": "elect.sync",
    "fence": "fence.sync_restrict memory.barrier",
    "fence.proxy": "fence.proxy fence.proxy.acquire fence.proxy.release fence.proxy.sync_restrict",
    "griddepcontrol": "griddepcontrol",
    "ldmatrix": "ldmatrix",
    "mapa": "mapa",
    "match": "match.sync",
    "mbarrier.arrive": "mbarrier.arrive mbarrier.arrive.expect_tx mbarrier.arrive.nocomplete",
    "mbarrier.arrive_drop": "mbarrier.arrive_drop mbarrier.arrive_drop.expect_tx mbarrier.arrive_drop.nocomplete",
    "mbarrier.complete_tx": "mbarrier.complete_tx",
    "mbarrier.expect_tx": "mbarrier.expect_tx",
    "mbarrier.init": "mbarrier.init",
    "mbarrier.inval": "mbarrier.inval",
    "mbarrier.test_wait": "mbarrier.test.wait",
    "mbarrier.try_wait": "mbarrier.try_wait mbarrier.try_wait.parity",
    "membar": "memory.barrier",
    "mma": "mma.sync mma.block_scale",
    "mma.sp": "mma.sp.sync",
    "mma.sp::ordered_metadata": "mma.sp.sync mma.sp.block_scale",
    "pmevent": "pmevent",
    "prefetch": "prefetch",
    "prefetchu": "prefetch",
    "prmt": "prmt",
    "rcp": "rcp.approx.ftz.f",
    "redux": "redux.sync",
    "setmaxnreg": "setmaxregister",
    "shfl": "shfl.sync",
    "st.bulk": "st.bulk",
    "stmatrix": "stmatrix",
    "tcgen05.alloc": "tcgen05.alloc",
    "tcgen05.commit": "tcgen05.commit",
    "tcgen05.cp": "tcgen05.cp",
    "tcgen05.dealloc": "tcgen05.dealloc",
    "tcgen05.fence::after_thread_sync": "tcgen05.fence",
    "tcgen05.fence::before_thread_sync": "tcgen05.fence",
    "tcgen05.ld": "tcgen05.ld",
    "tcgen05.mma": "tcgen05.mma tcgen05.mma.block_scale",
    "tcgen05.mma.sp": "tcgen05.mma.sp tcgen05.mma.sp.block_scale",
    "tcgen05.mma.ws": "tcgen05.mma.ws",
    "tcgen05.mma.ws.sp": "tcgen05.mma.ws.sp",
    "tcgen05.relinquish_alloc_permit": "tcgen05.relinquish_alloc_permit",
    "tcgen05.shift": "tcgen05.shift",
    "tcgen05.st": "tcgen05.st",
    "tcgen05.wait::ld": "tcgen05.wait",
    "tcgen05.wait::st": "tcgen05.wait",
    "vote": "vote.sync",
    "wgmma.fence": "wgmma.fence.aligned",
    "wgmma.mma_async": "wgmma.mma_async",
    "wgmma.wait_group": "wgmma.wait.group.sync.aligned",
    "wmma.load": "wmma.load",
    "wmma.mma": "wmma.mma",
    "wmma.store": "wmma.store",
}
"""The operations of each entry of the table."""

NO_INSTRUCTION = ("nvvm.inline_ptx", "nvvm.tcgen05.mma_smem_desc")
"""Operations that are no instruction: PTX as it is written, and the packing of a descriptor."""


def _by_operation() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {PREFIX + name: ("mov",) for name in SPECIAL_REGISTERS}
    found.update({f"nvvm.{name}": (stem(name),) for name in ROWS})
    for stem_, names in _OPERATIONS.items():
        for name in names.split():
            found[f"nvvm.{name}"] = (*found.get(f"nvvm.{name}", ()), stem_)
    return found


INSTRUCTIONS: Mapping[str, tuple[str, ...]] = _by_operation()
"""The stem of the instruction that each operation is; a few are one of two, as their attributes say."""
