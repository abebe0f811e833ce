"""The `nvgpu` dialect of MLIR 22 for xDSL: all 24 operations, in upstream's assembly format."""

from __future__ import annotations

from xdsl.ir import Dialect

from weft.dialects.nvgpu.async_copy import DeviceAsyncCopyOp, DeviceAsyncCreateGroupOp, DeviceAsyncWaitOp
from weft.dialects.nvgpu.matrix import LdMatrixOp, MmaSparseSyncOp, MmaSyncOp, RcpOp
from weft.dialects.nvgpu.mbarrier import (
    MBarrierArriveExpectTxOp,
    MBarrierArriveNoCompleteOp,
    MBarrierArriveOp,
    MBarrierCreateOp,
    MBarrierGetOp,
    MBarrierInitOp,
    MBarrierTestWaitOp,
    MBarrierTryWaitParityOp,
)
from weft.dialects.nvgpu.tma import TmaAsyncLoadOp, TmaAsyncStoreOp, TmaCreateDescriptorOp, TmaFenceOp, TmaPrefetchOp
from weft.dialects.nvgpu.types import (
    DeviceAsyncTokenType,
    MBarrierGroupType,
    MBarrierTokenType,
    RcpRoundingModeAttr,
    TensorMapDescriptorType,
    TensorMapInterleaveAttr,
    TensorMapL2PromoAttr,
    TensorMapOOBAttr,
    TensorMapSwizzleAttr,
    WarpgroupAccumulatorType,
    WarpgroupMatrixDescriptorType,
)
from weft.dialects.nvgpu.warpgroup import (
    WarpgroupGenerateDescriptorOp,
    WarpgroupMmaInitAccumulatorOp,
    WarpgroupMmaOp,
    WarpgroupMmaStoreOp,
)

NVGPU = Dialect(
    "nvgpu",
    [
        DeviceAsyncCopyOp,
        DeviceAsyncCreateGroupOp,
        DeviceAsyncWaitOp,
        LdMatrixOp,
        MmaSparseSyncOp,
        MmaSyncOp,
        RcpOp,
        MBarrierArriveExpectTxOp,
        MBarrierArriveNoCompleteOp,
        MBarrierArriveOp,
        MBarrierCreateOp,
        MBarrierGetOp,
        MBarrierInitOp,
        MBarrierTestWaitOp,
        MBarrierTryWaitParityOp,
        TmaAsyncLoadOp,
        TmaAsyncStoreOp,
        TmaCreateDescriptorOp,
        TmaFenceOp,
        TmaPrefetchOp,
        WarpgroupGenerateDescriptorOp,
        WarpgroupMmaInitAccumulatorOp,
        WarpgroupMmaOp,
        WarpgroupMmaStoreOp,
    ],
    [
        DeviceAsyncTokenType,
        MBarrierGroupType,
        MBarrierTokenType,
        RcpRoundingModeAttr,
        TensorMapDescriptorType,
        TensorMapInterleaveAttr,
        TensorMapL2PromoAttr,
        TensorMapOOBAttr,
        TensorMapSwizzleAttr,
        WarpgroupAccumulatorType,
        WarpgroupMatrixDescriptorType,
    ],
)
