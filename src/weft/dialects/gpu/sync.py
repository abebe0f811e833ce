"""Operations between the threads of a block: barrier, shuffles, reductions, dynamic shared memory, printf."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I32, IntegerAttr, MemRefType, StringAttr, UnitAttr, i1, i8, i32
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from weft.dialects.formats import OptionalEnum
from weft.dialects.gpu.types import AddressSpaceAttr, AllReduceOperationAttr, BroadcastTypeAttr, ShuffleModeAttr


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """`gpu.barrier`: all threads of the block wait for each other, and see each other's memory operations."""

    name = "gpu.barrier"

    assembly_format = "attr-dict"


@irdl_op_definition
class ShuffleOp(IRDLOperation):
    """`gpu.shuffle mode %value, %offset, %width`: read `value` from another lane.

    `valid` says whether the source lane was in range."""

    name = "gpu.shuffle"

    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(T)
    offset = operand_def(i32)
    width = operand_def(i32)
    mode = prop_def(ShuffleModeAttr)
    shuffle_result = result_def(T)
    valid = result_def(i1)

    assembly_format = "$mode $value `,` $offset `,` $width attr-dict `:` type($value)"


@irdl_op_definition
class RotateOp(IRDLOperation):
    """`gpu.rotate %value, offset, width`: read `value` from lane `(lane + offset) mod width`."""

    name = "gpu.rotate"

    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(T)
    offset = prop_def(IntegerAttr[I32])
    width = prop_def(IntegerAttr[I32])
    rotate_result = result_def(T)
    valid = result_def(i1)

    assembly_format = "$value `,` $offset `,` $width attr-dict `:` type($value)"


@irdl_op_definition
class SubgroupBroadcastOp(IRDLOperation):
    """`gpu.subgroup_broadcast`: every lane gets the value of one lane."""

    name = "gpu.subgroup_broadcast"

    T: ClassVar = VarConstraint("T", AnyAttr())

    src = operand_def(T)
    lane = opt_operand_def(i32)
    broadcast_type = prop_def(BroadcastTypeAttr)
    result = result_def(T)

    assembly_format = "$src `,` $broadcast_type ($lane^)? attr-dict `:` type($result)"


@irdl_op_definition
class SubgroupReduceOp(IRDLOperation):
    """`gpu.subgroup_reduce op %value`: combine the values of the lanes (of clusters of lanes) of a warp."""

    name = "gpu.subgroup_reduce"

    value = operand_def()
    op = prop_def(AllReduceOperationAttr)
    uniform = opt_prop_def(UnitAttr)
    cluster_size = opt_prop_def(IntegerAttr[I32])
    cluster_stride = prop_def(IntegerAttr[I32], default_value=IntegerAttr(1, i32))
    result = result_def()

    assembly_format = (
        "$op $value (`uniform` $uniform^)? "
        "(`cluster` `(` `size` `=` $cluster_size^ (`,` `stride` `=` $cluster_stride^)? `)`)? "
        "attr-dict `:` functional-type(operands, results)"
    )


@irdl_op_definition
class AllReduceOp(IRDLOperation):
    """`gpu.all_reduce op %value {}`: combine the values of all threads of the block, by name or by a region."""

    name = "gpu.all_reduce"

    value = operand_def()
    op = opt_prop_def(AllReduceOperationAttr)
    uniform = opt_prop_def(UnitAttr)
    result = result_def()
    body = region_def()

    custom_directives = (OptionalEnum,)

    assembly_format = (
        "custom<OptionalEnum>($op) $value (`uniform` $uniform^)? $body attr-dict `:` functional-type(operands, results)"
    )


@irdl_op_definition
class YieldOp(IRDLOperation):
    """`gpu.yield`: end of a region of `gpu.all_reduce` or `gpu.warp_execute_on_lane_0`."""

    name = "gpu.yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict ($values^ `:` type($values))?"


@irdl_op_definition
class DynamicSharedMemoryOp(IRDLOperation):
    """`gpu.dynamic_shared_memory`: the shared memory sized at launch, as `memref<?xi8, workgroup>`."""

    name = "gpu.dynamic_shared_memory"

    result_memref = result_def(base(MemRefType))

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result_memref)"

    def verify_(self) -> None:
        """The result must be a dynamic byte buffer in workgroup memory."""
        result = self.result_memref.type
        if result.get_shape() != (-9223372036854775808,):
            raise VerifyException("result memref type must be memref<?xi8, #gpu.address_space<workgroup>>")
        if result.element_type != i8:
            raise VerifyException(f"result #0 must be 1D memref of 8-bit signless integer values, but got '{result}'")
        space = result.memory_space
        if not (isinstance(space, AddressSpaceAttr) and space.data.value == "workgroup"):
            raise VerifyException("address space must be address_space<workgroup>")


@irdl_op_definition
class PrintfOp(IRDLOperation):
    """`gpu.printf "format", %args`: device-side printf."""

    name = "gpu.printf"

    args = var_operand_def()
    format = prop_def(StringAttr)

    assembly_format = "$format attr-dict (`,` $args^ `:` type($args))?"
