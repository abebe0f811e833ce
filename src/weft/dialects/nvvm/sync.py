"""Barriers of threads, clusters and grids; registers and events; leaving a thread."""

from __future__ import annotations

from xdsl.dialects.builtin import I16, I32, IntegerAttr, i32
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.nvvm.sync_attributes import BarrierReductionAttr, GridDepActionAttr, SetMaxRegisterActionAttr


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
class PMEventOp(IRDLOperation):
    """`nvvm.pmevent id = N` or `mask = N`: trigger performance monitor events, one or those of a mask."""

    name = "nvvm.pmevent"

    masked_event_id = opt_prop_def(IntegerAttr[I16], prop_name="maskedEventId")
    event_id = opt_prop_def(IntegerAttr[I32], prop_name="eventId")

    assembly_format = "attr-dict (`id` `=` $eventId^)? (`mask` `=` $maskedEventId^)?"

    def verify_(self) -> None:
        """An event from 0 to 15, or a mask."""
        if self.event_id is None and self.masked_event_id is None:
            raise VerifyException("either `id` or `mask` must be set")
        if self.event_id is None:
            return
        if self.masked_event_id is not None:
            raise VerifyException("`id` and `mask` cannot be set at the same time")
        if not 0 <= self.event_id.value.data <= 15:
            raise VerifyException("`id` must be between 0 and 15")
