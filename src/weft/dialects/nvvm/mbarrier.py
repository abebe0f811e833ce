"""`mbarrier` objects in shared memory: sm_80 and up, the forms with bytes and `try_wait` sm_90 and up."""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import BoolAttr, IntegerType, i1, i32
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_result_def,
    prop_def,
    result_def,
)

from weft.dialects.nvvm.sync_attributes import MemScope, MemScopeKindAttr

_CTA = MemScopeKindAttr(MemScope.CTA)
_NO = BoolAttr.from_bool(False)


@irdl_op_definition
class MBarrierInitOp(IRDLOperation):
    """`nvvm.mbarrier.init %addr, %count (, predicate = %p)?`."""

    name = "nvvm.mbarrier.init"

    addr = operand_def(LLVMPointerType)
    count = operand_def(i32)
    predicate = opt_operand_def(i1)

    assembly_format = "$addr `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands)"


@irdl_op_definition
class MBarrierInvalOp(IRDLOperation):
    """`nvvm.mbarrier.inval %addr`: the memory may be used for something else."""

    name = "nvvm.mbarrier.inval"

    addr = operand_def(LLVMPointerType)

    assembly_format = "$addr attr-dict `:` type(operands)"


class ScopedOperation(IRDLOperation, ABC):
    """An mbarrier operation with a memory scope and, perhaps, relaxed order."""

    scope = prop_def(MemScopeKindAttr, default_value=_CTA)
    relaxed = prop_def(BoolAttr, default_value=_NO)

    irdl_options = (ParsePropInAttrDict(),)


@irdl_op_definition
class MBarrierArriveOp(ScopedOperation):
    """`nvvm.mbarrier.arrive %addr (, %count)? : ptr (-> i64)?`: no result for a pointer to the cluster's memory."""

    name = "nvvm.mbarrier.arrive"

    addr = operand_def()
    count = opt_operand_def(i32)
    res = opt_result_def(base(IntegerType))

    assembly_format = "$addr (`,` $count^)? attr-dict `:` type($addr) (`->` type($res)^)?"


@irdl_op_definition
class MBarrierArriveDropOp(ScopedOperation):
    """`nvvm.mbarrier.arrive_drop %addr (, %count)? : ptr (-> i64)?`: arrive, and expect fewer in later phases."""

    name = "nvvm.mbarrier.arrive_drop"

    addr = operand_def()
    count = opt_operand_def(i32)
    res = opt_result_def(base(IntegerType))

    assembly_format = "$addr (`,` $count^)? attr-dict `:` type($addr) (`->` type($res)^)?"


@irdl_op_definition
class MBarrierArriveNocompleteOp(IRDLOperation):
    """`nvvm.mbarrier.arrive.nocomplete %addr, %count : ptr, i32 -> i64`."""

    name = "nvvm.mbarrier.arrive.nocomplete"

    addr = operand_def(LLVMPointerType)
    count = operand_def(i32)
    res = result_def(base(IntegerType))

    assembly_format = "$addr `,` $count attr-dict `:` type(operands) `->` type($res)"


@irdl_op_definition
class MBarrierArriveDropNocompleteOp(IRDLOperation):
    """`nvvm.mbarrier.arrive_drop.nocomplete %addr, %count : ptr, i32 -> i64`."""

    name = "nvvm.mbarrier.arrive_drop.nocomplete"

    addr = operand_def(LLVMPointerType)
    count = operand_def(i32)
    res = result_def(base(IntegerType))

    assembly_format = "$addr `,` $count attr-dict `:` type(operands) `->` type($res)"


@irdl_op_definition
class MBarrierArriveExpectTxOp(ScopedOperation):
    """`nvvm.mbarrier.arrive.expect_tx %addr, %txcount (, predicate = %p)?`: arrive, and expect bytes."""

    name = "nvvm.mbarrier.arrive.expect_tx"

    addr = operand_def(LLVMPointerType)
    txcount = operand_def(i32)
    predicate = opt_operand_def(i1)
    res = opt_result_def(base(IntegerType))

    assembly_format = (
        "$addr `,` $txcount (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands) (`->` type($res)^)?"
    )


@irdl_op_definition
class MBarrierArriveDropExpectTxOp(ScopedOperation):
    """`nvvm.mbarrier.arrive_drop.expect_tx %addr, %txcount`."""

    name = "nvvm.mbarrier.arrive_drop.expect_tx"

    addr = operand_def(LLVMPointerType)
    txcount = operand_def(i32)
    res = opt_result_def(base(IntegerType))

    assembly_format = "$addr `,` $txcount attr-dict `:` type(operands) (`->` type($res)^)?"


@irdl_op_definition
class MBarrierExpectTxOp(IRDLOperation):
    """`nvvm.mbarrier.expect_tx %addr, %txcount`: expect bytes without arriving."""

    name = "nvvm.mbarrier.expect_tx"

    addr = operand_def(LLVMPointerType)
    txcount = operand_def(i32)
    scope = prop_def(MemScopeKindAttr, default_value=_CTA)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$addr `,` $txcount attr-dict `:` type(operands)"


@irdl_op_definition
class MBarrierCompleteTxOp(IRDLOperation):
    """`nvvm.mbarrier.complete_tx %addr, %txcount`: count bytes as arrived."""

    name = "nvvm.mbarrier.complete_tx"

    addr = operand_def(LLVMPointerType)
    txcount = operand_def(i32)
    scope = prop_def(MemScopeKindAttr, default_value=_CTA)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$addr `,` $txcount attr-dict `:` type(operands)"


@irdl_op_definition
class MBarrierTestWaitOp(ScopedOperation):
    """`nvvm.mbarrier.test.wait %addr, %stateOrPhase : ptr, i64 -> i1`: i64 is a state, i32 a parity."""

    name = "nvvm.mbarrier.test.wait"

    addr = operand_def(LLVMPointerType)
    state_or_phase = operand_def(base(IntegerType))
    res = result_def(i1)

    assembly_format = "$addr `,` $state_or_phase attr-dict `:` type(operands) `->` type($res)"


@irdl_op_definition
class MBarrierTryWaitOp(ScopedOperation):
    """`nvvm.mbarrier.try_wait %addr, %stateOrPhase (, %ticks)? : ... -> i1`: may suspend the thread for `ticks`."""

    name = "nvvm.mbarrier.try_wait"

    addr = operand_def(LLVMPointerType)
    state_or_phase = operand_def(base(IntegerType))
    ticks = opt_operand_def(i32)
    res = result_def(i1)

    assembly_format = "$addr `,` $state_or_phase (`,` $ticks^)? attr-dict `:` type(operands) `->` type($res)"


@irdl_op_definition
class MBarrierTryWaitParityOp(IRDLOperation):
    """`nvvm.mbarrier.try_wait.parity %addr, %phase, %ticks`: retry until the phase is complete."""

    name = "nvvm.mbarrier.try_wait.parity"

    addr = operand_def(LLVMPointerType)
    phase = operand_def(i32)
    ticks = operand_def(i32)

    assembly_format = "$addr `,` $phase `,` $ticks attr-dict `:` type(operands)"
