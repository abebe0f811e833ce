"""Barrier objects in shared memory (`mbarrier`), sm_80 and up; `expect_tx` and `try_wait` need sm_90."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, i1, i32, i64
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_operand_def, result_def

from weft.dialects.formats import BareType
from weft.dialects.nvgpu.types import MBarrierGroupType, MBarrierTokenType
from weft.dialects.verification import one_of


@irdl_op_definition
class MBarrierCreateOp(IRDLOperation):
    """`nvgpu.mbarrier.create`: allocate the barrier objects of a group in shared memory."""

    name = "nvgpu.mbarrier.create"

    barriers = result_def(MBarrierGroupType)

    custom_directives = (BareType,)
    assembly_format = "attr-dict `->` custom<BareType>(type($barriers))"


@irdl_op_definition
class MBarrierGetOp(IRDLOperation):
    """`nvgpu.mbarrier.get`: the address of barrier `mbar_id` as an integer."""

    name = "nvgpu.mbarrier.get"

    barriers = operand_def(MBarrierGroupType)
    mbar_id = operand_def(IndexType())
    mbarrier_pointer = result_def(one_of(i32, i64))

    custom_directives = (BareType,)
    assembly_format = (
        "$barriers `[` $mbar_id `]` attr-dict `:` custom<BareType>(type($barriers)) `->` type($mbarrier_pointer)"
    )


@irdl_op_definition
class MBarrierInitOp(IRDLOperation):
    """`nvgpu.mbarrier.init`: make barrier `mbar_id` ready for phases of `count` arrivals."""

    name = "nvgpu.mbarrier.init"

    barriers = operand_def(MBarrierGroupType)
    count = operand_def(IndexType())
    mbar_id = operand_def(IndexType())
    predicate = opt_operand_def(i1)

    custom_directives = (BareType,)
    assembly_format = (
        "$barriers `[` $mbar_id `]` `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` "
        "custom<BareType>(type($barriers))"
    )


@irdl_op_definition
class MBarrierInvalOp(IRDLOperation):
    """`nvgpu.mbarrier.inval`: the memory of barrier `mbar_id` may be used for something else.  MLIR 22 lacks it."""

    name = "nvgpu.mbarrier.inval"

    barriers = operand_def(MBarrierGroupType)
    mbar_id = operand_def(IndexType())

    custom_directives = (BareType,)
    assembly_format = "$barriers `[` $mbar_id `]` attr-dict `:` custom<BareType>(type($barriers))"


@irdl_op_definition
class MBarrierTestWaitOp(IRDLOperation):
    """`nvgpu.mbarrier.test.wait`: whether the phase that `token` belongs to is complete (does not block)."""

    name = "nvgpu.mbarrier.test.wait"

    barriers = operand_def(MBarrierGroupType)
    token = operand_def(MBarrierTokenType())
    mbar_id = operand_def(IndexType())
    wait_complete = result_def(i1)

    custom_directives = (BareType,)
    assembly_format = (
        "$barriers `[` $mbar_id `]` `,` $token attr-dict `:` custom<BareType>(type($barriers)) `,` type($token)"
    )


@irdl_op_definition
class MBarrierArriveOp(IRDLOperation):
    """`nvgpu.mbarrier.arrive`: arrive once; the token names the phase arrived at."""

    name = "nvgpu.mbarrier.arrive"

    barriers = operand_def(MBarrierGroupType)
    mbar_id = operand_def(IndexType())
    token = result_def(MBarrierTokenType())

    custom_directives = (BareType,)
    assembly_format = "$barriers `[` $mbar_id `]` attr-dict `:` custom<BareType>(type($barriers)) `->` type($token)"


@irdl_op_definition
class MBarrierArriveNoCompleteOp(IRDLOperation):
    """`nvgpu.mbarrier.arrive.nocomplete`: arrive `count` times without completing the phase."""

    name = "nvgpu.mbarrier.arrive.nocomplete"

    barriers = operand_def(MBarrierGroupType)
    mbar_id = operand_def(IndexType())
    count = operand_def(IndexType())
    token = result_def(MBarrierTokenType())

    custom_directives = (BareType,)
    assembly_format = (
        "$barriers `[` $mbar_id `]` `,` $count attr-dict `:` custom<BareType>(type($barriers)) `->` type($token)"
    )


@irdl_op_definition
class MBarrierArriveExpectTxOp(IRDLOperation):
    """`nvgpu.mbarrier.arrive.expect_tx`: arrive once and expect `txcount` more bytes in this phase."""

    name = "nvgpu.mbarrier.arrive.expect_tx"

    barriers = operand_def(MBarrierGroupType)
    txcount = operand_def(IndexType())
    mbar_id = operand_def(IndexType())
    predicate = opt_operand_def(i1)

    custom_directives = (BareType,)
    assembly_format = (
        "$barriers `[` $mbar_id `]` `,` $txcount (`,` `predicate` `=` $predicate^)? attr-dict `:` "
        "custom<BareType>(type($barriers))"
    )


@irdl_op_definition
class MBarrierTryWaitParityOp(IRDLOperation):
    """`nvgpu.mbarrier.try_wait.parity`: block until the phase of parity `phase_parity` is complete.

    `ticks` is the time, in nanoseconds, that one attempt may suspend the thread; the lowering retries for ever.
    """

    name = "nvgpu.mbarrier.try_wait.parity"

    barriers = operand_def(MBarrierGroupType)
    phase_parity = operand_def(i1)
    ticks = operand_def(IndexType())
    mbar_id = operand_def(IndexType())

    custom_directives = (BareType,)
    assembly_format = (
        "$barriers `[` $mbar_id `]` `,` $phase_parity `,` $ticks attr-dict `:` custom<BareType>(type($barriers))"
    )
