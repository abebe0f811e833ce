"""Reads of the position of a thread in the launch: all `index`, all with an optional exclusive `upper_bound`."""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from weft.dialects.engine.attributes import attr_class


class DimensionIdOperation(IRDLOperation, ABC):
    """`gpu.X dim (upper_bound N)?`: one axis of an index or extent of the launch."""

    dimension = prop_def(attr_class("gpu.dim"))
    upper_bound = opt_prop_def(IntegerAttr[IndexType])
    result = result_def(IndexType())

    traits = traits_def(Pure())
    assembly_format = "$dimension (`upper_bound` $upper_bound^)? attr-dict"


@irdl_op_definition
class ThreadIdOp(DimensionIdOperation):
    """`gpu.thread_id`: index of the thread in its block (`%tid`)."""

    name = "gpu.thread_id"


@irdl_op_definition
class BlockIdOp(DimensionIdOperation):
    """`gpu.block_id`: index of the block in the grid (`%ctaid`)."""

    name = "gpu.block_id"


@irdl_op_definition
class BlockDimOp(DimensionIdOperation):
    """`gpu.block_dim`: threads in a block (`%ntid`)."""

    name = "gpu.block_dim"


@irdl_op_definition
class GridDimOp(DimensionIdOperation):
    """`gpu.grid_dim`: blocks in the grid (`%nctaid`)."""

    name = "gpu.grid_dim"


@irdl_op_definition
class GlobalIdOp(DimensionIdOperation):
    """`gpu.global_id`: block index x block size + thread index."""

    name = "gpu.global_id"


@irdl_op_definition
class ClusterIdOp(DimensionIdOperation):
    """`gpu.cluster_id`: index of the cluster in the grid (`%clusterid`)."""

    name = "gpu.cluster_id"


@irdl_op_definition
class ClusterDimOp(DimensionIdOperation):
    """`gpu.cluster_dim`: clusters in the grid (`%nclusterid`)."""

    name = "gpu.cluster_dim"


@irdl_op_definition
class ClusterDimBlocksOp(DimensionIdOperation):
    """`gpu.cluster_dim_blocks`: blocks in a cluster (`%cluster_nctaid`)."""

    name = "gpu.cluster_dim_blocks"


@irdl_op_definition
class ClusterBlockIdOp(DimensionIdOperation):
    """`gpu.cluster_block_id`: index of the block in its cluster (`%cluster_ctaid`)."""

    name = "gpu.cluster_block_id"


@irdl_op_definition
class LaneIdOp(IRDLOperation):
    """`gpu.lane_id`: index of the thread in its warp (`%laneid`)."""

    name = "gpu.lane_id"

    upper_bound = opt_prop_def(IntegerAttr[IndexType])
    result = result_def(IndexType())

    traits = traits_def(Pure())
    assembly_format = "(`upper_bound` $upper_bound^)? attr-dict"


class SubgroupIdOperation(IRDLOperation, ABC):
    """`gpu.X (upper_bound N)? : index`."""

    upper_bound = opt_prop_def(IntegerAttr[IndexType])
    result = result_def(IndexType())

    traits = traits_def(Pure())
    assembly_format = "(`upper_bound` $upper_bound^)? attr-dict `:` type($result)"


@irdl_op_definition
class SubgroupIdOp(SubgroupIdOperation):
    """`gpu.subgroup_id`: index of the warp in its block, from the linear thread index."""

    name = "gpu.subgroup_id"


@irdl_op_definition
class NumSubgroupsOp(SubgroupIdOperation):
    """`gpu.num_subgroups`: warps in a block."""

    name = "gpu.num_subgroups"


@irdl_op_definition
class SubgroupSizeOp(SubgroupIdOperation):
    """`gpu.subgroup_size`: threads in a warp, 32."""

    name = "gpu.subgroup_size"
