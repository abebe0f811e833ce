"""Barriers of threads, clusters and grids; fences; leaving a thread."""

from __future__ import annotations

from xdsl.dialects.builtin import I32, IntegerAttr, UnitAttr, i32
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.nvvm.attributes import (
    BarrierReductionAttr,
    GridDepActionAttr,
    MemScopeKindAttr,
    ProxyKind,
    ProxyKindAttr,
    SetMaxRegisterActionAttr,
    SharedSpaceAttr,
)
from weft.dialects.nvvm.pointers import GENERIC


@irdl_op_definition
class Barrier0Op(IRDLOperation):
    """`nvvm.barrier0`: all threads of the block wait at barrier 0 (`bar.sync 0`)."""

    name = "nvvm.barrier0"

    assembly_format = "attr-dict"


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """`nvvm.barrier (id = %i)? (number_of_threads = %n)? (reduction)?`: a named barrier."""

    name = "nvvm.barrier"

    barrier_id = opt_operand_def(i32)
    number_of_threads = opt_operand_def(i32)
    reduction_predicate = opt_operand_def(i32)
    reduction_op = opt_prop_def(BarrierReductionAttr, prop_name="reductionOp")
    res = opt_result_def(i32)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "(`id` `=` $barrier_id^)? (`number_of_threads` `=` $number_of_threads^)? "
        "(qualified($reductionOp)^ $reduction_predicate)? (`->` type($res)^)? attr-dict"
    )

    def verify_(self) -> None:
        """A number of threads needs an id; a reduction needs a result."""
        if self.number_of_threads is not None and self.barrier_id is None:
            raise VerifyException("barrier id is missing, it should be set between 0 to 15")
        if self.barrier_id is not None and (self.reduction_op is not None or self.reduction_predicate is not None):
            raise VerifyException("reduction are only available when id is 0")
        if (self.reduction_op is None) != (self.reduction_predicate is None):
            raise VerifyException("reduction predicate and reduction operation must be specified together")


@irdl_op_definition
class BarrierArriveOp(IRDLOperation):
    """`nvvm.barrier.arrive (id = %i)? number_of_threads = %n`: arrive without waiting."""

    name = "nvvm.barrier.arrive"

    barrier_id = opt_operand_def(i32)
    number_of_threads = operand_def(i32)

    assembly_format = "(`id` `=` $barrier_id^)? `number_of_threads` `=` $number_of_threads attr-dict"


@irdl_op_definition
class SyncWarpOp(IRDLOperation):
    """`nvvm.bar.warp.sync %mask : i32`: the lanes of the mask wait for each other."""

    name = "nvvm.bar.warp.sync"

    mask = operand_def()

    assembly_format = "$mask attr-dict `:` type($mask)"


@irdl_op_definition
class ClusterArriveOp(IRDLOperation):
    """`nvvm.cluster.arrive {aligned}`: arrive at the cluster's barrier."""

    name = "nvvm.cluster.arrive"

    aligned = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"


@irdl_op_definition
class ClusterArriveRelaxedOp(IRDLOperation):
    """`nvvm.cluster.arrive.relaxed {aligned}`: arrive, without ordering memory."""

    name = "nvvm.cluster.arrive.relaxed"

    aligned = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"


@irdl_op_definition
class ClusterWaitOp(IRDLOperation):
    """`nvvm.cluster.wait {aligned}`: wait for all threads of the cluster."""

    name = "nvvm.cluster.wait"

    aligned = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"


@irdl_op_definition
class FenceScClusterOp(IRDLOperation):
    """`nvvm.fence.sc.cluster`."""

    name = "nvvm.fence.sc.cluster"

    assembly_format = "attr-dict"


@irdl_op_definition
class FenceMbarrierInitOp(IRDLOperation):
    """`nvvm.fence.mbarrier.init`: make `mbarrier.init` visible to the cluster."""

    name = "nvvm.fence.mbarrier.init"

    assembly_format = "attr-dict"


@irdl_op_definition
class FenceProxyOp(IRDLOperation):
    """`nvvm.fence.proxy {kind, space}`: order accesses through different proxies."""

    name = "nvvm.fence.proxy"

    kind = prop_def(ProxyKindAttr)
    space = opt_prop_def(SharedSpaceAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        """A space is for `async.shared`, and required there."""
        kind = self.kind.data
        if kind in (ProxyKind.TENSORMAP, ProxyKind.GENERIC):
            raise VerifyException(f"{kind.value} proxy not supported by fence.proxy")
        if kind == ProxyKind.ASYNC_SHARED and self.space is None:
            raise VerifyException("async_shared fence requires space attribute")
        if kind != ProxyKind.ASYNC_SHARED and self.space is not None:
            raise VerifyException("only async_shared fence can have space attribute")


@irdl_op_definition
class FenceProxyAcquireOp(IRDLOperation):
    """`nvvm.fence.proxy.acquire scope %addr, %size`: the fence that a tensor map's reader needs."""

    name = "nvvm.fence.proxy.acquire"

    addr = operand_def(GENERIC)
    size = operand_def(i32)
    scope = prop_def(MemScopeKindAttr)
    from_proxy = prop_def(ProxyKindAttr, prop_name="fromProxy", default_value=ProxyKindAttr(ProxyKind.GENERIC))
    to_proxy = prop_def(ProxyKindAttr, prop_name="toProxy", default_value=ProxyKindAttr(ProxyKind.TENSORMAP))

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$scope $addr `,` $size attr-dict"


@irdl_op_definition
class FenceProxyReleaseOp(IRDLOperation):
    """`nvvm.fence.proxy.release scope`: the fence that a tensor map's writer needs."""

    name = "nvvm.fence.proxy.release"

    scope = prop_def(MemScopeKindAttr)
    from_proxy = prop_def(ProxyKindAttr, prop_name="fromProxy", default_value=ProxyKindAttr(ProxyKind.GENERIC))
    to_proxy = prop_def(ProxyKindAttr, prop_name="toProxy", default_value=ProxyKindAttr(ProxyKind.TENSORMAP))

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$scope attr-dict"


@irdl_op_definition
class MembarOp(IRDLOperation):
    """`nvvm.memory.barrier scope`: order the thread's memory operations at a scope."""

    name = "nvvm.memory.barrier"

    scope = prop_def(MemScopeKindAttr)

    assembly_format = "$scope attr-dict"


@irdl_op_definition
class GriddepcontrolOp(IRDLOperation):
    """`nvvm.griddepcontrol wait|launch_dependents`: programmatic dependent launch."""

    name = "nvvm.griddepcontrol"

    kind = prop_def(GridDepActionAttr)

    assembly_format = "$kind attr-dict"


@irdl_op_definition
class SetMaxRegisterOp(IRDLOperation):
    """`nvvm.setmaxregister increase|decrease N`: registers of the warps of a warpgroup, sm_90a."""

    name = "nvvm.setmaxregister"

    reg_count = prop_def(IntegerAttr[I32], prop_name="regCount")
    action = prop_def(SetMaxRegisterActionAttr)

    assembly_format = "$action $regCount attr-dict"

    def verify_(self) -> None:
        """A multiple of 8 from 24 to 256."""
        count = self.reg_count.value.data
        if count % 8:
            raise VerifyException("new register size must be multiple of 8")
        if not 24 <= count <= 256:
            raise VerifyException("new register size must be in between 24 to 256")


@irdl_op_definition
class NanosleepOp(IRDLOperation):
    """`nvvm.nanosleep %duration`: suspend the thread for about that many nanoseconds."""

    name = "nvvm.nanosleep"

    duration = operand_def(i32)

    assembly_format = "attr-dict $duration"


@irdl_op_definition
class ExitOp(IRDLOperation):
    """`nvvm.exit`: end the thread."""

    name = "nvvm.exit"

    assembly_format = "attr-dict"


@irdl_op_definition
class BreakpointOp(IRDLOperation):
    """`nvvm.breakpoint`: stop in a debugger."""

    name = "nvvm.breakpoint"

    assembly_format = "attr-dict"
