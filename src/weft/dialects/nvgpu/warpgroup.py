"""Warpgroup matrix products (`wgmma`), sm_90a only: 128 threads, operands in shared memory."""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, MemRefType, UnitAttr
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.formats import BareType
from weft.dialects.nvgpu import verify
from weft.dialects.nvgpu.types import TensorMapDescriptorType, WarpgroupAccumulatorType, WarpgroupMatrixDescriptorType


@irdl_op_definition
class WarpgroupGenerateDescriptorOp(IRDLOperation):
    """`nvgpu.warpgroup.generate.descriptor`: the 64-bit wgmma descriptor of the tile `tensor` that TMA loaded."""

    name = "nvgpu.warpgroup.generate.descriptor"

    tensor = operand_def(MemRefType)
    tensor_map = operand_def(TensorMapDescriptorType)
    descriptor = result_def(WarpgroupMatrixDescriptorType)

    custom_directives = (BareType,)
    assembly_format = (
        "$tensor `,` $tensor_map attr-dict `:` type($tensor) `,` custom<BareType>(type($tensor_map)) `->` "
        "custom<BareType>(type($descriptor))"
    )

    def verify_(self) -> None:
        """Only tiles that TMA loaded with the 128-byte swizzle."""
        tensor_map = self.tensor_map.type
        assert isinstance(tensor_map, TensorMapDescriptorType)
        verify.warpgroup_descriptor(tensor_map)


@irdl_op_definition
class WarpgroupMmaOp(IRDLOperation):
    """`nvgpu.warpgroup.mma`: `matrix_d = A * B + matrix_c`, split into wgmma instructions of 64 rows.

    `waitGroup` (default 1) is the number of wgmma groups that may still run after the operation.
    """

    name = "nvgpu.warpgroup.mma"

    descriptor_a = operand_def(WarpgroupMatrixDescriptorType)
    descriptor_b = operand_def(WarpgroupMatrixDescriptorType)
    matrix_c = operand_def(WarpgroupAccumulatorType)
    wait_group = opt_prop_def(IntegerAttr[I64], prop_name="waitGroup", default_value=IntegerAttr(1, 64))
    transpose_a = opt_prop_def(UnitAttr, prop_name="transposeA")
    transpose_b = opt_prop_def(UnitAttr, prop_name="transposeB")
    matrix_d = result_def(WarpgroupAccumulatorType)

    irdl_options = (ParsePropInAttrDict(),)
    custom_directives = (BareType,)
    assembly_format = (
        "$descriptor_a `,` $descriptor_b `,` $matrix_c attr-dict `:` custom<BareType>(type($descriptor_a)) `,` "
        "custom<BareType>(type($descriptor_b)) `,` custom<BareType>(type($matrix_c)) `->` "
        "custom<BareType>(type($matrix_d))"
    )

    def verify_(self) -> None:
        """The shapes must be those of a product that wgmma has; A is transposed only if B is."""
        a, b, c, d = self.descriptor_a.type, self.descriptor_b.type, self.matrix_c.type, self.matrix_d.type
        assert isinstance(a, WarpgroupMatrixDescriptorType)
        assert isinstance(b, WarpgroupMatrixDescriptorType)
        assert isinstance(c, WarpgroupAccumulatorType)
        assert isinstance(d, WarpgroupAccumulatorType)
        if self.transpose_a is not None and self.transpose_b is None:
            raise VerifyException(
                "supports non-transpose A (Row Major) and transpose B (Column Major) for the time being "
            )
        verify.warpgroup_mma(a.tensor, b.tensor, c.fragmented, d.fragmented)


@irdl_op_definition
class WarpgroupMmaStoreOp(IRDLOperation):
    """`nvgpu.warpgroup.mma.store`: every lane writes its part of the accumulator to `dst_memref`."""

    name = "nvgpu.warpgroup.mma.store"

    matrix_d = operand_def(WarpgroupAccumulatorType)
    dst_memref = operand_def(MemRefType)

    custom_directives = (BareType,)
    assembly_format = "$matrix_d `,` $dst_memref attr-dict `:` custom<BareType>(type($matrix_d)) `to` type($dst_memref)"

    def verify_(self) -> None:
        """The buffer must have the accumulator's shape."""
        accumulator, dst = self.matrix_d.type, narrow.memref(self.dst_memref.type)
        assert isinstance(accumulator, WarpgroupAccumulatorType)
        assert dst is not None
        verify.warpgroup_store(accumulator.fragmented, dst)


@irdl_op_definition
class WarpgroupMmaInitAccumulatorOp(IRDLOperation):
    """`nvgpu.warpgroup.mma.init.accumulator`: an accumulator full of zeros."""

    name = "nvgpu.warpgroup.mma.init.accumulator"

    matrix_c = result_def(WarpgroupAccumulatorType)

    custom_directives = (BareType,)
    assembly_format = "attr-dict `->` custom<BareType>(type($matrix_c))"

    def verify_(self) -> None:
        """The accumulator must be one that wgmma has."""
        accumulator = self.matrix_c.type
        assert isinstance(accumulator, WarpgroupAccumulatorType)
        verify.warpgroup_accumulator(accumulator.fragmented)
