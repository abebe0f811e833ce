"""Asynchronous copies from global to shared memory (`cp.async`), sm_80 and up."""

from __future__ import annotations

from xdsl.dialects.builtin import I32, IndexType, IntegerAttr, MemRefType, UnitAttr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)

from weft.dialects import narrow
from weft.dialects.nvgpu import verify
from weft.dialects.nvgpu.types import DeviceAsyncTokenType


@irdl_op_definition
class DeviceAsyncCopyOp(IRDLOperation):
    """`nvgpu.device_async_copy`: copy `dstElements` elements from `src` to `dst` in shared memory, asynchronously.

    With `srcElements`, only that many elements are read and the rest of the destination is filled with zeros.
    The access is `dstElements` x element size = 4, 8 or 16 bytes; `bypassL1` asks for `.cg`, which takes 16 only.
    """

    name = "nvgpu.device_async_copy"

    dst = operand_def(MemRefType)
    dst_indices = var_operand_def(IndexType)
    src = operand_def(MemRefType)
    src_indices = var_operand_def(IndexType)
    src_elements = opt_operand_def(IndexType)
    dst_elements = prop_def(IntegerAttr[IndexType], prop_name="dstElements")
    bypass_l1 = opt_prop_def(UnitAttr, prop_name="bypassL1")
    async_token = result_def(DeviceAsyncTokenType())

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$src `[` $src_indices `]` `,` $dst `[` $dst_indices `]` `,` $dstElements (`,` $src_elements^)? "
        "attr-dict `:` type($src) `to` type($dst)"
    )

    def verify_(self) -> None:
        """Shared destination, unit stride, 4, 8 or 16 bytes, 16 when L1 is bypassed."""
        dst, src = narrow.memref(self.dst.type), narrow.memref(self.src.type)
        assert dst is not None
        assert src is not None
        indices = (len(self.dst_indices), len(self.src_indices))
        verify.async_copy(dst, src, indices, self.dst_elements.value.data, bypass_l1=self.bypass_l1 is not None)


@irdl_op_definition
class DeviceAsyncCreateGroupOp(IRDLOperation):
    """`nvgpu.device_async_create_group`: commit the copies issued so far as one group (`cp.async.commit_group`)."""

    name = "nvgpu.device_async_create_group"

    input_tokens = var_operand_def(DeviceAsyncTokenType())
    async_token = result_def(DeviceAsyncTokenType())

    assembly_format = "$input_tokens attr-dict"


@irdl_op_definition
class DeviceAsyncWaitOp(IRDLOperation):
    """`nvgpu.device_async_wait`: wait until at most `numGroups` groups (default 0) are still in flight."""

    name = "nvgpu.device_async_wait"

    async_dependencies = operand_def(DeviceAsyncTokenType())
    num_groups = opt_prop_def(IntegerAttr[I32], prop_name="numGroups")

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$async_dependencies attr-dict"
