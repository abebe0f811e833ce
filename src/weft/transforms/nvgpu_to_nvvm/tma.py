"""`nvgpu.tma.*` to `cp.async.bulk.tensor`, descriptor fences and prefetches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i32

from weft.dialects.nvvm.pointers import SHARED_CLUSTER
from weft.transforms.nvgpu_to_nvvm.lowering import Lower, Lowering
from weft.transforms.nvgpu_to_nvvm.mbarrier import barrier_address

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu

_DESCRIPTOR_BYTES = 128


def lower_fence(lowering: Lowering, op: nvgpu.TmaFenceDescriptorOp) -> None:
    """`nvvm.fence.proxy.acquire` on the 128 bytes of the descriptor, at system scope."""
    operands = (lowering.cast(op.tensor_map_descriptor), lowering.constant(_DESCRIPTOR_BYTES, i32))
    lowering.new("nvvm.fence.proxy.acquire", *operands, scope="sys")


def lower_prefetch(lowering: Lowering, op: nvgpu.TmaPrefetchDescriptorOp) -> None:
    """`nvvm.prefetch tensormap`."""
    lowering.new("nvvm.prefetch", lowering.cast(op.tensor_map_descriptor), op.predicate, tensormap=True)


def lower_load(lowering: Lowering, op: nvgpu.TmaAsyncLoadOp) -> None:
    """The destination is a cluster address; the barrier is in the block's own memory."""
    target = lowering.new("llvm.addrspacecast", lowering.base_pointer(op.dst), results=[SHARED_CLUSTER]).results[0]
    barrier = barrier_address(lowering, op.barriers, op.mbar_id)
    coordinates = [lowering.index_as_i32(coordinate) for coordinate in op.coordinates]
    operands = (target, lowering.cast(op.tensor_map_descriptor), coordinates, barrier)
    options = (None, op.multicast_mask, None, op.predicate)
    lowering.new("nvvm.cp.async.bulk.tensor.shared.cluster.global", *operands, *options)


def lower_store(lowering: Lowering, op: nvgpu.TmaAsyncStoreOp) -> None:
    """`nvvm.cp.async.bulk.tensor.global.shared.cta`."""
    source = lowering.base_pointer(op.src)
    coordinates = [lowering.index_as_i32(coordinate) for coordinate in op.coordinates]
    operands = (lowering.cast(op.tensor_map_descriptor), source, coordinates, None, op.predicate)
    lowering.new("nvvm.cp.async.bulk.tensor.global.shared.cta", *operands)


def lower_reduce(lowering: Lowering, op: nvgpu.TmaAsyncReduceOp) -> None:
    """`nvvm.cp.async.bulk.tensor.reduce`."""
    source = lowering.base_pointer(op.src)
    coordinates = [lowering.index_as_i32(coordinate) for coordinate in op.coordinates]
    operands = (lowering.cast(op.tensor_map_descriptor), source, coordinates, op.l2_cache_hint)
    lowering.new("nvvm.cp.async.bulk.tensor.reduce", *operands, red_kind=op.redop, mode="tile")


LOWERINGS: dict[str, Lower] = {
    "nvgpu.tma.fence.descriptor": lower_fence,
    "nvgpu.tma.prefetch.descriptor": lower_prefetch,
    "nvgpu.tma.async.load": lower_load,
    "nvgpu.tma.async.store": lower_store,
    "nvgpu.tma.async.reduce": lower_reduce,
}
