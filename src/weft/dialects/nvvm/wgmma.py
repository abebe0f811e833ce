"""`wgmma`: asynchronous products of a warpgroup, sm_90a only."""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, i64
from xdsl.dialects.llvm import LLVMStructType
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)

from weft.dialects.nvvm.matrix_attributes import (
    MMAIntOverflowAttr,
    MMALayoutAttr,
    ShapeAttr,
    WGMMAScaleInAttr,
    WGMMAScaleOutAttr,
    WGMMATypeAttr,
)


@irdl_op_definition
class WgmmaFenceAlignedOp(IRDLOperation):
    """`nvvm.wgmma.fence.aligned`: registers and shared memory written before are seen by wgmma."""

    name = "nvvm.wgmma.fence.aligned"

    assembly_format = "attr-dict"


@irdl_op_definition
class WgmmaGroupSyncAlignedOp(IRDLOperation):
    """`nvvm.wgmma.commit.group.sync.aligned`: the wgmma issued so far form a group."""

    name = "nvvm.wgmma.commit.group.sync.aligned"

    assembly_format = "attr-dict"


@irdl_op_definition
class WgmmaWaitGroupSyncOp(IRDLOperation):
    """`nvvm.wgmma.wait.group.sync.aligned N`: wait until at most N groups are in flight."""

    name = "nvvm.wgmma.wait.group.sync.aligned"

    group = prop_def(IntegerAttr[I64])

    assembly_format = "attr-dict $group"


@irdl_op_definition
class WgmmaMmaAsyncOp(IRDLOperation):
    """`nvvm.wgmma.mma_async %descA, %descB, %inouts, shape, D[..], A[..], B[..]`: D = A * B (+ D), D in registers."""

    name = "nvvm.wgmma.mma_async"

    inouts = operand_def(LLVMStructType)
    descriptor_a = operand_def(i64)
    descriptor_b = operand_def(i64)
    shape = prop_def(ShapeAttr)
    type_a = prop_def(WGMMATypeAttr, prop_name="typeA")
    type_b = prop_def(WGMMATypeAttr, prop_name="typeB")
    type_d = prop_def(WGMMATypeAttr, prop_name="typeD")
    scale_d = prop_def(WGMMAScaleOutAttr, prop_name="scaleD")
    scale_a = prop_def(WGMMAScaleInAttr, prop_name="scaleA")
    scale_b = prop_def(WGMMAScaleInAttr, prop_name="scaleB")
    layout_a = prop_def(MMALayoutAttr, prop_name="layoutA")
    layout_b = prop_def(MMALayoutAttr, prop_name="layoutB")
    satfinite = opt_prop_def(MMAIntOverflowAttr)
    results_ = result_def(LLVMStructType)

    assembly_format = (
        "$descriptor_a `,` $descriptor_b `,` $inouts `,` $shape `,` "
        "`D` `` `[` $typeD `,` $scaleD (`,` $satfinite^)? `]` `,` "
        "`A` `` `[` $typeA `,` $scaleA `,` $layoutA `]` `,` "
        "`B` `` `[` $typeB `,` $scaleB `,` $layoutB `]` attr-dict `:` type($inouts) `->` type($results_)"
    )
