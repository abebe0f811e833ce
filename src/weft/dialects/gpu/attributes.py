"""Types and attributes of `gpu` that are one word or none, as `weft.dialects.engine.attributes` reads them."""

from __future__ import annotations

ROWS = """
async.token,sparse.dntensor_handle,sparse.spmat_handle,sparse.spgemmop_handle ! |
lane,thread,warp,warpgroup,block <> MappingId x y z linear_dim_0 linear_dim_1 linear_dim_2 linear_dim_3 linear_dim_4
    linear_dim_5 linear_dim_6 linear_dim_7 linear_dim_8 linear_dim_9 |
memory_space <> AddressSpace global workgroup private |
mma_element_wise - MMAElementwiseOp addf mulf subf maxf minf divf addi muli subi divs divu negatef negates extf |
    elementwise operation to apply to mma matrix
mat_transpose_mode - TransposeMode NON_TRANSPOSE TRANSPOSE CONJUGATE_TRANSPOSE | transpose mode of sparse matrix
    supported by sparse tensor ops
prune_2to4_spmat_flag - Prune2To4SpMatFlag NONE PRUNE_ONLY PRUNE_AND_CHECK | pruning strategy for 2:4 sparse matrix
spgemm_work_estimation_or_compute_kind - SpGEMMWorkEstimationOrComputeKind WORK_ESTIMATION COMPUTE | choose whether
    spgemm_work_estimation_or_compute does work estimation or compute
address_space <> AddressSpace global workgroup private | GPU address space
shuffle_mode - ShuffleMode xor up down idx | Indexing modes supported by gpu.shuffle.
broadcast - BroadcastType first_active_lane specific_lane | a lane to broadcast from
all_reduce_op - AllReduceOperation add mul minui minsi minnumf maxui maxsi maxnumf and or xor minimumf maximumf |
    built-in reduction operations supported by gpu.allreduce.
dim - Dimension x y z | a dimension, either 'x', 'y', or 'z'
"""
