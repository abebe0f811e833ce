"""What MLIR calls attributes and types of `arith`, `gpu`, `nvgpu` and `nvvm` where it says what something must be."""

from __future__ import annotations

SAME_TYPES: dict[str, str] = {
    "gpu.rotate": "failed to verify that all of {value, rotateResult} have same type",
    "gpu.shuffle": "failed to verify that all of {value, shuffleResult} have same type",
    "gpu.subgroup_broadcast": "failed to verify that all of {result, src} have same type",
    "gpu.subgroup_mma_compute": "failed to verify that all of {opC, res} have same type",
    "nvgpu.rcp": "requires the same type for all operands and results",
}
"""What MLIR says of operations whose values have another type where one type is asked for."""

SUMMARIES: dict[str, str] = {
    "arith.fastmath": "Floating point fast math flags",
    "arith.overflow": "Integer overflow arith flags",
    "llvm.constant_range": "A range of two integers, corresponding to LLVM's ConstantRange",
    "nvgpu.interleave": "Tensor map interleave layout type",
    "nvgpu.l2promo": "Tensor map L2 promotion type",
    "nvgpu.oob": "Tensor map out-of-bounds fill type",
    "nvgpu.rcp_rounding_mode": "Rounding mode of rcp",
    "nvgpu.swizzle": "Tensor map swizzling mode of shared memory banks",
    "nvvm.ld_st_matrix_shape": "Matrix shape for ldmatrix and stmatrix",
    "nvvm.memory_space": "NVVM Memory Space",
    "nvvm.shape": "Attribute for MMA operation shape.",
    "gpu.async.token": "async token type",
    "gpu.mma_matrix": "MMAMatrix type",
    "gpu.sparse.dntensor_handle": "dense tensor handle type",
    "gpu.sparse.spmat_handle": "sparse matrix handle type",
    "gpu.sparse.spgemmop_handle": "SpGEMM operation handle type",
    "nvgpu.device.async.token": "device async token type",
    "nvgpu.mbarrier.group": "mbarrier barrier type",
    "nvgpu.mbarrier.token": "",
    "nvgpu.tensormap.descriptor": "TensorMap descriptor",
    "nvgpu.warpgroup.accumulator": "",
    "nvgpu.warpgroup.descriptor": "Warpgroup matrix descriptor type",
}
"""The summary of each class of attributes or types, by its name; MLIR leaves out some."""
