"""`nvgpu.device_async_*` to `cp.async`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Operation

from weft.dialects.engine.attributes import attr
from weft.dialects.nvvm.pointers import GLOBAL
from weft.transforms.nvgpu_to_nvvm.lowering import Lower, Lowering
from weft.transforms.nvgpu_to_nvvm.sizes import bit_width

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu

_CA = attr("nvvm.load_cache_modifier", "ca")
_CG = attr("nvvm.load_cache_modifier", "cg")


def _drop_token(lowering: Lowering, op: Operation) -> None:
    """Tokens order copies for readers of MLIR only; one that control flow carries is a zero."""
    token = op.results[0]
    if not lowering.shared or any(not use.operation.name.startswith("nvgpu.") for use in token.uses):
        lowering.substitute(token, lowering.constant(0, i32))


def lower_copy(lowering: Lowering, op: nvgpu.DeviceAsyncCopyOp) -> None:
    """`nvvm.cp.async.shared.global`: `.cg` when L1 is bypassed and 16 bytes are copied, else `.ca`."""
    bits = bit_width(lowering.memref_type(op.dst).element_type)
    size = op.dst_elements.value.data * bits // 8
    target = lowering.element_pointer(op.dst, op.dst_indices)
    source = lowering.element_pointer(op.src, op.src_indices)
    if not lowering.shared or source.type != GLOBAL:
        source = lowering.new("llvm.addrspacecast", source, results=[GLOBAL]).results[0]
    operands = [target, source]
    if op.src_elements is not None:
        three, element_bits = lowering.constant(3, i32), lowering.constant(bits, i32)
        read_bits = lowering.mul(element_bits, lowering.index_as_i32(op.src_elements))
        operands.append(lowering.binary(llvm.LShrOp, read_bits, three))
    bypass = op.bypass_l1 is not None and size == 16
    lowering.new("nvvm.cp.async.shared.global", *operands, size=IntegerAttr(size, i32), modifier=_CG if bypass else _CA)
    _drop_token(lowering, op)


def lower_create_group(lowering: Lowering, op: Operation) -> None:
    """`nvvm.cp.async.commit.group`."""
    lowering.new("nvvm.cp.async.commit.group")
    _drop_token(lowering, op)


def lower_wait(lowering: Lowering, op: nvgpu.DeviceAsyncWaitOp) -> None:
    """`nvvm.cp.async.wait.group`; without `numGroups` all groups are waited for."""
    groups = op.num_groups if op.num_groups is not None else IntegerAttr(0, i32)
    lowering.new("nvvm.cp.async.wait.group", n=groups)


LOWERINGS: dict[str, Lower] = {
    "nvgpu.device_async_copy": lower_copy,
    "nvgpu.device_async_create_group": lower_create_group,
    "nvgpu.device_async_wait": lower_wait,
}
