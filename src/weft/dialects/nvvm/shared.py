"""Shared memory filled in bulk, and the launch of clusters cancelled through it; sm_100 and up."""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, IntegerType, UnitAttr, i1, i32, i64
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.nvvm.pointers import GENERIC_OR_SHARED, SHARED
from weft.dialects.nvvm.sync_attributes import ClusterLaunchControlQueryType, ClusterLaunchControlQueryTypeAttr
from weft.dialects.verification import one_of


@irdl_op_definition
class BulkStoreOp(IRDLOperation):
    """`nvvm.st.bulk %addr, size = %size (, init = 0)? : ptr`: fill `size` bytes, a multiple of 8, with zeros."""

    name = "nvvm.st.bulk"

    addr = operand_def(GENERIC_OR_SHARED)
    size = operand_def(i64)
    init_val = prop_def(IntegerAttr[I64], prop_name="initVal", default_value=IntegerAttr(0, i64))

    assembly_format = "$addr `,` `size` `=` $size (`,` `init` `=` $initVal^)? attr-dict `:` type($addr)"

    def verify_(self) -> None:
        """Zero is the only value."""
        if self.init_val.value.data:
            raise VerifyException(f"only 0 is supported for initVal, got {self.init_val.value.data}")


@irdl_op_definition
class ClusterLaunchControlTryCancelOp(IRDLOperation):
    """`nvvm.clusterlaunchcontrol.try.cancel (multicast,)? %smem, %mbarrier`: ask to take over a cluster's work.

    The answer, 16 bytes, is written to shared memory; the mbarrier tracks it.
    """

    name = "nvvm.clusterlaunchcontrol.try.cancel"

    smem_address = operand_def(SHARED)
    mbarrier = operand_def(SHARED)
    multicast = opt_prop_def(UnitAttr)

    assembly_format = "(`multicast` $multicast^ `,`)? $smem_address `,` $mbarrier attr-dict"


@irdl_op_definition
class ClusterLaunchControlQueryCancelOp(IRDLOperation):
    """`nvvm.clusterlaunchcontrol.query.cancel query = kind, %response : i1 or i32`: read the answer."""

    name = "nvvm.clusterlaunchcontrol.query.cancel"

    try_cancel_response = operand_def(IntegerType(128))
    query_type = prop_def(ClusterLaunchControlQueryTypeAttr)
    res = result_def(one_of(i1, i32))

    assembly_format = "`query` `=` $query_type `,` $try_cancel_response attr-dict `:` type($res)"

    def verify_(self) -> None:
        """i1 for `is_canceled`, i32 for the coordinates."""
        if self.query_type.data is ClusterLaunchControlQueryType.IS_CANCELED:
            if self.res.type != i1:
                raise VerifyException("is_canceled query type returns an i1")
        elif self.res.type != i32:
            names = ", ".join(kind.value for kind in ClusterLaunchControlQueryType if kind.value != "is_canceled")
            raise VerifyException(f"{names} query types return an i32")
