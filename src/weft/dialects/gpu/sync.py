"""Operations between the threads of a block: barrier, shuffles, reductions, dynamic shared memory, printf."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    I32,
    AnyFloatConstr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    UnitAttr,
    i1,
    i8,
    i32,
)
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

from weft.dialects import narrow
from weft.dialects.engine.attributes import attr_class, word_of
from weft.dialects.formats import OptionalEnum
from weft.dialects.gpu.rules import NUMBER, NUMBERS, verify_reduction
from weft.dialects.verification import Described, PlainVerifyException


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

    T: ClassVar = VarConstraint("T", NUMBERS)

    value = operand_def(T)
    offset = operand_def(i32)
    width = operand_def(i32)
    mode = prop_def(attr_class("gpu.shuffle_mode"))
    shuffle_result = result_def(T)
    valid = result_def(i1)

    assembly_format = "$mode $value `,` $offset `,` $width attr-dict `:` type($value)"


@irdl_op_definition
class RotateOp(IRDLOperation):
    """`gpu.rotate %value, offset, width`: read `value` from lane `(lane + offset) mod width`."""

    name = "gpu.rotate"

    T: ClassVar = VarConstraint("T", NUMBERS)

    value = operand_def(T)
    offset = prop_def(IntegerAttr[I32])
    width = prop_def(IntegerAttr[I32])
    rotate_result = result_def(T)
    valid = result_def(i1)

    assembly_format = "$value `,` $offset `,` $width attr-dict `:` type($value)"

    def verify_(self) -> None:
        """The width is a power of two, and the offset less."""
        offset, width = self.offset.value.data, self.width.value.data
        failed = "failed to satisfy constraint: 32-bit signless integer attribute whose"
        if offset < 0:
            raise VerifyException(f"attribute 'offset' {failed} minimum value is 0")
        if width <= 0 or width & width - 1:
            raise VerifyException(f"attribute 'width' {failed} value is a power of two > 0")
        if offset >= width:
            raise VerifyException(f"offset must be in the range [0, {width})")


@irdl_op_definition
class SubgroupBroadcastOp(IRDLOperation):
    """`gpu.subgroup_broadcast`: every lane gets the value of one lane."""

    name = "gpu.subgroup_broadcast"

    T: ClassVar = VarConstraint("T", AnyAttr())

    src = operand_def(T)
    lane = opt_operand_def(i32)
    broadcast_type = prop_def(attr_class("gpu.broadcast"))
    result = result_def(T)

    assembly_format = "$src `,` $broadcast_type ($lane^)? attr-dict `:` type($result)"

    def verify_(self) -> None:
        """A lane is named for that kind of broadcast only."""
        specific = self.broadcast_type.data.value == "specific_lane"
        if specific != (self.lane is not None):
            verb = "must" if specific else "can only"
            raise VerifyException(f"lane {verb} be specified for `specific_lane` broadcast")


@irdl_op_definition
class SubgroupReduceOp(IRDLOperation):
    """`gpu.subgroup_reduce op %value`: combine the values of the lanes (of clusters of lanes) of a warp."""

    name = "gpu.subgroup_reduce"

    value = operand_def(NUMBERS)
    op = prop_def(attr_class("gpu.all_reduce_op"))
    uniform = opt_prop_def(UnitAttr)
    cluster_size = opt_prop_def(IntegerAttr[I32])
    cluster_stride = prop_def(IntegerAttr[I32], default_value=IntegerAttr(1, i32))
    result = result_def(NUMBERS)

    assembly_format = (
        "$op $value (`uniform` $uniform^)? "
        "(`cluster` `(` `size` `=` $cluster_size^ (`,` `stride` `=` $cluster_stride^)? `)`)? "
        "attr-dict `:` functional-type(operands, results)"
    )

    def verify_(self) -> None:
        """A reduction of the type, over clusters whose size and stride are powers of two."""
        _verify_same(self)
        verify_reduction(self.op.data.value, self.value.type)
        size, stride = self.cluster_size, self.cluster_stride.value.data
        if size is not None and (size.value.data <= 0 or size.value.data & size.value.data - 1):
            raise VerifyException(f"cluster size {size.value.data} is not a power of two")
        if stride != 1 and size is None:
            raise VerifyException("cluster stride can only be specified if cluster size is specified")
        if stride <= 0 or stride & stride - 1:
            raise VerifyException(f"cluster stride {stride} is not a power of two")


def _verify_same(op: SubgroupReduceOp | AllReduceOp) -> None:
    if op.value.type != op.result.type:
        raise VerifyException("requires the same type for all operands and results")


@irdl_op_definition
class AllReduceOp(IRDLOperation):
    """`gpu.all_reduce op %value {}`: combine the values of all threads of the block, by name or by a region."""

    name = "gpu.all_reduce"

    value = operand_def(NUMBER)
    op = opt_prop_def(attr_class("gpu.all_reduce_op"))
    uniform = opt_prop_def(UnitAttr)
    result = result_def(NUMBER)
    body = region_def()

    custom_directives = (OptionalEnum,)

    assembly_format = (
        "custom<OptionalEnum>($op) $value (`uniform` $uniform^)? $body attr-dict `:` functional-type(operands, results)"
    )

    def verify_(self) -> None:
        """A reduction of the type, by name or by a region that combines two values."""
        _verify_same(self)
        if bool(self.body.blocks) == (self.op is not None):
            raise PlainVerifyException("expected either an op attribute or a non-empty body")
        if self.op is not None:
            verify_reduction(self.op.data.value, self.value.type)
        else:
            self._verify_body()

    def _verify_body(self) -> None:
        arguments = self.body.blocks[0].args
        if len(arguments) != 2:
            raise PlainVerifyException("expected two region arguments")
        if any(argument.type != self.value.type for argument in arguments):
            raise PlainVerifyException("incorrect region argument type")
        yields = [block.last_op for block in self.body.blocks if isinstance(block.last_op, YieldOp)]
        for end in yields:
            if len(end.values) != 1:
                raise PlainVerifyException("expected one gpu.yield operand")
            if end.values[0].type != self.value.type:
                raise PlainVerifyException("incorrect gpu.yield type")
        if not yields:
            raise PlainVerifyException("expected gpu.yield op in region")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """`gpu.yield`: end of a region of `gpu.all_reduce` or `gpu.warp_execute_on_lane_0`."""

    name = "gpu.yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict ($values^ `:` type($values))?"


_BYTES = "1D memref of 8-bit signless integer values"


@irdl_op_definition
class DynamicSharedMemoryOp(IRDLOperation):
    """`gpu.dynamic_shared_memory`: the shared memory sized at launch, as `memref<?xi8, workgroup>`."""

    name = "gpu.dynamic_shared_memory"

    result_memref = result_def(Described(base(MemRefType), _BYTES))

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result_memref)"

    def verify_(self) -> None:
        """The result must be a dynamic byte buffer in workgroup memory."""
        result = narrow.memref(self.result_memref.type)
        assert result is not None
        if result.element_type != i8 or result.get_num_dims() != 1:
            raise VerifyException(f"result #0 must be {_BYTES}, but got '{result}'")
        if result.get_shape() != (-9223372036854775808,):
            raise VerifyException("result memref type must be memref<?xi8, #gpu.address_space<workgroup>>")
        if word_of(result.memory_space, "gpu.address_space") != "workgroup":
            raise VerifyException("address space must be address_space<workgroup>")


_PRINTED = Described(base(IntegerType) | base(IndexType) | AnyFloatConstr, "integer or index or floating-point")


@irdl_op_definition
class PrintfOp(IRDLOperation):
    """`gpu.printf "format", %args`: device-side printf."""

    name = "gpu.printf"

    args = var_operand_def(_PRINTED)
    format = prop_def(StringAttr)

    assembly_format = "$format attr-dict (`,` $args^ `:` type($args))?"
