"""The device side of MLIR 22's `gpu` dialect for xDSL, with upstream's syntax (xDSL's own `gpu` has no syntax)."""

from __future__ import annotations

from xdsl.ir import Dialect

from weft.dialects.gpu.function import GPUFuncOp, GPUModuleOp, ReturnOp
from weft.dialects.gpu.ids import (
    BlockDimOp,
    BlockIdOp,
    ClusterBlockIdOp,
    ClusterDimBlocksOp,
    ClusterDimOp,
    ClusterIdOp,
    GlobalIdOp,
    GridDimOp,
    LaneIdOp,
    NumSubgroupsOp,
    SubgroupIdOp,
    SubgroupSizeOp,
    ThreadIdOp,
)
from weft.dialects.gpu.sync import (
    AllReduceOp,
    BarrierOp,
    DynamicSharedMemoryOp,
    PrintfOp,
    RotateOp,
    ShuffleOp,
    SubgroupBroadcastOp,
    SubgroupReduceOp,
    YieldOp,
)
from weft.dialects.gpu.types import (
    AddressSpaceAttr,
    AllReduceOperationAttr,
    AsyncTokenType,
    BroadcastTypeAttr,
    DimensionAttr,
    ShuffleModeAttr,
)

GPU = Dialect(
    "gpu",
    [
        GPUFuncOp,
        GPUModuleOp,
        ReturnOp,
        BlockDimOp,
        BlockIdOp,
        ClusterBlockIdOp,
        ClusterDimBlocksOp,
        ClusterDimOp,
        ClusterIdOp,
        GlobalIdOp,
        GridDimOp,
        LaneIdOp,
        NumSubgroupsOp,
        SubgroupIdOp,
        SubgroupSizeOp,
        ThreadIdOp,
        AllReduceOp,
        BarrierOp,
        DynamicSharedMemoryOp,
        PrintfOp,
        RotateOp,
        ShuffleOp,
        SubgroupBroadcastOp,
        SubgroupReduceOp,
        YieldOp,
    ],
    [
        AddressSpaceAttr,
        AllReduceOperationAttr,
        AsyncTokenType,
        BroadcastTypeAttr,
        DimensionAttr,
        ShuffleModeAttr,
    ],
)
