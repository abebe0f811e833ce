"""`nvgpu.tma.*` to `cp.async.bulk.tensor`, descriptor fences and prefetches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, i32

from weft.dialects.engine.attributes import attr
from weft.dialects.engine.operations import op_class
from weft.dialects.nvvm.pointers import SHARED_CLUSTER
from weft.transforms.nvgpu_to_nvvm.lowering import Lower, Lowering
from weft.transforms.nvgpu_to_nvvm.mbarrier import barrier_address

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu

_DESCRIPTOR_BYTES = 128
_TILE = attr("nvvm.tma_store_mode", "tile")
_SYSTEM = attr("nvvm.mem_scope", "sys")


def lower_fence(lowering: Lowering, op: nvgpu.TmaFenceDescriptorOp) -> None:
    """`nvvm.fence.proxy.acquire` on the 128 bytes of the descriptor, at system scope."""
    operands = [lowering.cast(op.tensor_map_descriptor), lowering.constant(_DESCRIPTOR_BYTES, i32)]
    lowering.emit(op_class("nvvm.fence.proxy.acquire"), operands, (), {"scope": _SYSTEM})


def lower_prefetch(lowering: Lowering, op: nvgpu.TmaPrefetchDescriptorOp) -> None:
    """`nvvm.prefetch tensormap`."""
    operands = [lowering.cast(op.tensor_map_descriptor)]
    if op.predicate is not None:
        operands.append(op.predicate)
    lowering.emit(op_class("nvvm.prefetch"), operands, (), {"tensormap": UnitAttr()})


def lower_load(lowering: Lowering, op: nvgpu.TmaAsyncLoadOp) -> None:
    """The destination is a cluster address; the barrier is in the block's own memory."""
    target = lowering.value(op_class("llvm.addrspacecast"), [lowering.base_pointer(op.dst)], SHARED_CLUSTER)
    barrier = barrier_address(lowering, op.barriers, op.mbar_id)
    coordinates = [lowering.index_as_i32(coordinate) for coordinate in op.coordinates]
    options = [option for option in (op.multicast_mask, op.predicate) if option is not None]
    operands = [target, lowering.cast(op.tensor_map_descriptor), *coordinates, barrier, *options]
    present = (1, 1, len(coordinates), 1, 0, int(op.multicast_mask is not None), 0, int(op.predicate is not None))
    segments = DenseArrayBase.from_list(i32, present)
    lowering.emit(
        op_class("nvvm.cp.async.bulk.tensor.shared.cluster.global"), operands, (), {"operandSegmentSizes": segments}
    )


def lower_store(lowering: Lowering, op: nvgpu.TmaAsyncStoreOp) -> None:
    """`nvvm.cp.async.bulk.tensor.global.shared.cta`."""
    source = lowering.base_pointer(op.src)
    coordinates = [lowering.index_as_i32(coordinate) for coordinate in op.coordinates]
    operands = [lowering.cast(op.tensor_map_descriptor), source, *coordinates]
    if op.predicate is not None:
        operands.append(op.predicate)
    segments = DenseArrayBase.from_list(i32, (1, 1, len(coordinates), 0, int(op.predicate is not None)))
    lowering.emit(
        op_class("nvvm.cp.async.bulk.tensor.global.shared.cta"), operands, (), {"operandSegmentSizes": segments}
    )


def lower_reduce(lowering: Lowering, op: nvgpu.TmaAsyncReduceOp) -> None:
    """`nvvm.cp.async.bulk.tensor.reduce`."""
    source = lowering.base_pointer(op.src)
    coordinates = [lowering.index_as_i32(coordinate) for coordinate in op.coordinates]
    hints = [op.l2_cache_hint] if op.l2_cache_hint is not None else []
    operands = [lowering.cast(op.tensor_map_descriptor), source, *coordinates, *hints]
    segments = DenseArrayBase.from_list(i32, (1, 1, len(coordinates), len(hints)))
    properties = {"operandSegmentSizes": segments, "redKind": op.redop, "mode": _TILE}
    lowering.emit(op_class("nvvm.cp.async.bulk.tensor.reduce"), operands, (), properties)


LOWERINGS: dict[str, Lower] = {
    "nvgpu.tma.fence.descriptor": lower_fence,
    "nvgpu.tma.prefetch.descriptor": lower_prefetch,
    "nvgpu.tma.async.load": lower_load,
    "nvgpu.tma.async.store": lower_store,
    "nvgpu.tma.async.reduce": lower_reduce,
}
