"""`mbarrier` objects in shared memory: sm_80 and up, the forms with bytes and `try_wait` sm_90 and up.

Operations of one shape share a base class: which scope orders memory, what comes back.  (Operands of a base class would
stand behind those of the class itself.)
"""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import BoolAttr, i1, i32, i64
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_result_def,
    prop_def,
    result_def,
)

from weft.dialects.nvvm.pointers import ANY_SHARED, BLOCK_OR_CLUSTER, GENERIC_OR_SHARED, SHARED_CLUSTER
from weft.dialects.nvvm.sync_attributes import MemScopeKind, MemScopeKindAttr
from weft.dialects.verification import PlainVerifyException, one_of

_CTA = MemScopeKindAttr(MemScopeKind.CTA)
_NO = BoolAttr.from_bool(False)


@irdl_op_definition
class MBarrierInitOp(IRDLOperation):
    """`nvvm.mbarrier.init %addr, %count (, predicate = %p)?`."""

    name = "nvvm.mbarrier.init"

    addr = operand_def(GENERIC_OR_SHARED)
    count = operand_def(i32)
    predicate = opt_operand_def(i1)

    assembly_format = "$addr `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands)"


@irdl_op_definition
class MBarrierInvalOp(IRDLOperation):
    """`nvvm.mbarrier.inval %addr`: the memory may be used for something else."""

    name = "nvvm.mbarrier.inval"

    addr = operand_def(GENERIC_OR_SHARED)

    assembly_format = "$addr attr-dict `:` type(operands)"


def _verify_scope(scope: MemScopeKindAttr) -> None:
    if scope.data not in (MemScopeKind.CTA, MemScopeKind.CLUSTER):
        raise PlainVerifyException("mbarrier scope must be either CTA or Cluster")


class ArrivalOperation(IRDLOperation, ABC):
    """An arrival at a barrier of the cluster, its first operand: it gives the state of one of the own block only."""

    scope = prop_def(MemScopeKindAttr, default_value=_CTA)
    relaxed = prop_def(BoolAttr, default_value=_NO)
    res = opt_result_def(i64)

    irdl_options = (ParsePropInAttrDict(),)

    def verify_(self) -> None:
        """The scope of a block or a cluster; no state of a barrier of another block."""
        _verify_scope(self.scope)
        if self.operands[0].type == SHARED_CLUSTER and self.res is not None:
            raise PlainVerifyException("mbarrier in shared_cluster space cannot return any value")


class CountedArrival(ArrivalOperation, ABC):
    """An arrival of one thread, or of `count`."""

    addr = operand_def(ANY_SHARED)
    count = opt_operand_def(i32)

    assembly_format = "$addr (`,` $count^)? attr-dict `:` type($addr) (`->` type($res)^)?"


@irdl_op_definition
class MBarrierArriveOp(CountedArrival):
    """`nvvm.mbarrier.arrive %addr (, %count)? : ptr (-> i64)?`: no result for a pointer to the cluster's memory."""

    name = "nvvm.mbarrier.arrive"


@irdl_op_definition
class MBarrierArriveDropOp(CountedArrival):
    """`nvvm.mbarrier.arrive_drop %addr (, %count)? : ptr (-> i64)?`: arrive, and expect fewer in later phases."""

    name = "nvvm.mbarrier.arrive_drop"


class NocompleteArrival(IRDLOperation, ABC):
    """An arrival of `count` threads that does not complete the phase."""

    addr = operand_def(GENERIC_OR_SHARED)
    count = operand_def(i32)
    res = result_def(i64)

    assembly_format = "$addr `,` $count attr-dict `:` type(operands) `->` type($res)"


@irdl_op_definition
class MBarrierArriveNocompleteOp(NocompleteArrival):
    """`nvvm.mbarrier.arrive.nocomplete %addr, %count : ptr, i32 -> i64`."""

    name = "nvvm.mbarrier.arrive.nocomplete"


@irdl_op_definition
class MBarrierArriveDropNocompleteOp(NocompleteArrival):
    """`nvvm.mbarrier.arrive_drop.nocomplete %addr, %count : ptr, i32 -> i64`."""

    name = "nvvm.mbarrier.arrive_drop.nocomplete"


@irdl_op_definition
class MBarrierArriveExpectTxOp(ArrivalOperation):
    """`nvvm.mbarrier.arrive.expect_tx %addr, %txcount (, predicate = %p)?`: arrive, and expect bytes."""

    name = "nvvm.mbarrier.arrive.expect_tx"

    addr = operand_def(ANY_SHARED)
    txcount = operand_def(i32)
    predicate = opt_operand_def(i1)

    assembly_format = (
        "$addr `,` $txcount (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands) (`->` type($res)^)?"
    )

    def verify_(self) -> None:
        """As every arrival; with a predicate there is no state, and the barrier is the block's own."""
        if self.predicate is not None:
            self._verify_predicated()
        super().verify_()

    def _verify_predicated(self) -> None:
        if self.scope.data is not MemScopeKind.CTA:
            raise PlainVerifyException("mbarrier scope must be CTA when using predicate")
        if self.addr.type == SHARED_CLUSTER:
            raise PlainVerifyException("mbarrier in shared_cluster space is not supported when using predicate")
        if self.res is not None:
            raise PlainVerifyException("return-value is not supported when using predicate")
        if self.relaxed.value.data:
            raise PlainVerifyException("mbarrier with relaxed semantics is not supported when using predicate")


@irdl_op_definition
class MBarrierArriveDropExpectTxOp(ArrivalOperation):
    """`nvvm.mbarrier.arrive_drop.expect_tx %addr, %txcount`."""

    name = "nvvm.mbarrier.arrive_drop.expect_tx"

    addr = operand_def(ANY_SHARED)
    txcount = operand_def(i32)

    assembly_format = "$addr `,` $txcount attr-dict `:` type(operands) (`->` type($res)^)?"


class BytesOperation(IRDLOperation, ABC):
    """A change of the bytes that a phase waits for, without an arrival."""

    addr = operand_def(BLOCK_OR_CLUSTER)
    txcount = operand_def(i32)
    scope = prop_def(MemScopeKindAttr, default_value=_CTA)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$addr `,` $txcount attr-dict `:` type(operands)"

    def verify_(self) -> None:
        """The scope of a block or a cluster."""
        _verify_scope(self.scope)


@irdl_op_definition
class MBarrierExpectTxOp(BytesOperation):
    """`nvvm.mbarrier.expect_tx %addr, %txcount`: expect bytes without arriving."""

    name = "nvvm.mbarrier.expect_tx"


@irdl_op_definition
class MBarrierCompleteTxOp(BytesOperation):
    """`nvvm.mbarrier.complete_tx %addr, %txcount`: count bytes as arrived."""

    name = "nvvm.mbarrier.complete_tx"


class WaitOperation(IRDLOperation, ABC):
    """A look at whether a phase is complete; `state_or_phase` is a state (i64) or a parity (i32)."""

    scope = prop_def(MemScopeKindAttr, default_value=_CTA)
    relaxed = prop_def(BoolAttr, default_value=_NO)
    res = result_def(i1)

    irdl_options = (ParsePropInAttrDict(),)

    def verify_(self) -> None:
        """The scope of a block or a cluster."""
        _verify_scope(self.scope)


@irdl_op_definition
class MBarrierTestWaitOp(WaitOperation):
    """`nvvm.mbarrier.test.wait %addr, %stateOrPhase : ptr, i64 -> i1`: i64 is a state, i32 a parity."""

    name = "nvvm.mbarrier.test.wait"

    addr = operand_def(GENERIC_OR_SHARED)
    state_or_phase = operand_def(one_of(i64, i32))

    assembly_format = "$addr `,` $state_or_phase attr-dict `:` type(operands) `->` type($res)"


@irdl_op_definition
class MBarrierTryWaitOp(WaitOperation):
    """`nvvm.mbarrier.try_wait %addr, %stateOrPhase (, %ticks)? : ... -> i1`: may suspend the thread for `ticks`."""

    name = "nvvm.mbarrier.try_wait"

    addr = operand_def(GENERIC_OR_SHARED)
    state_or_phase = operand_def(one_of(i64, i32))
    ticks = opt_operand_def(i32)

    assembly_format = "$addr `,` $state_or_phase (`,` $ticks^)? attr-dict `:` type(operands) `->` type($res)"


@irdl_op_definition
class MBarrierTryWaitParityOp(IRDLOperation):
    """`nvvm.mbarrier.try_wait.parity %addr, %phase, %ticks`: retry until the phase is complete."""

    name = "nvvm.mbarrier.try_wait.parity"

    addr = operand_def(GENERIC_OR_SHARED)
    phase = operand_def(i32)
    ticks = operand_def(i32)

    assembly_format = "$addr `,` $phase `,` $ticks attr-dict `:` type(operands)"
