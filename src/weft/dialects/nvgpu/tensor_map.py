"""Tensor maps edited on the device, in a buffer of 128 bytes in shared memory (`tensormap.replace`).

MLIR 22 has none of these operations.  A tensor map is copied to the buffer, edited there, and written to global memory
by `nvgpu.tensormap.create.descriptor`; who reads it then fences with `nvgpu.tma.fence.descriptor`.
"""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import I32, IntegerAttr, MemRefType, i32, i64
from xdsl.irdl import IRDLOperation, ParsePropInAttrDict, irdl_op_definition, operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.formats import BareType
from weft.dialects.nvgpu.types import TensorMapDescriptorType
from weft.dialects.verification import element_bits, is_shared

BYTES = 128
"""The size of a tensor map."""

_MAX_RANK = 5


class TensorMapBuffer(IRDLOperation, ABC):
    """An operation on a tensor map in shared memory, its first operand."""

    def verify_(self) -> None:
        """A buffer of 128 bytes in shared memory."""
        buffer = narrow.memref(self.operands[0].type)
        assert buffer is not None
        if not is_shared(buffer.memory_space):
            raise VerifyException("expected the tensor map's buffer in shared memory")
        width = element_bits(buffer.element_type)
        elements = 1
        for extent in buffer.get_shape():
            elements *= extent
        if width is None or not buffer.has_static_shape() or elements * width != BYTES * 8:
            raise VerifyException(f"expected a buffer of {BYTES} bytes, got '{buffer}'")


@irdl_op_definition
class TensorMapCreateOp(TensorMapBuffer):
    """`nvgpu.tensormap.create.descriptor %src to %dst : memref<128xi8, 3> -> desc`: write an edited tensor map, sm_90.

    All threads of a warp come to it together (`tensormap.cp_fenceproxy`, release at gpu scope).
    """

    name = "nvgpu.tensormap.create.descriptor"

    src = operand_def(MemRefType)
    dst = operand_def(TensorMapDescriptorType)

    custom_directives = (BareType,)
    assembly_format = "$src `to` $dst attr-dict `:` type($src) `->` custom<BareType>(type($dst))"


@irdl_op_definition
class TensorMapUpdateGlobalAddressOp(TensorMapBuffer):
    """`nvgpu.tensormap.update.global_address %map, %value : memref<128xi8, 3>`: where the tensor starts, sm_90a."""

    name = "nvgpu.tensormap.update.global_address"

    descriptor = operand_def(MemRefType)
    value = operand_def(i64)

    assembly_format = "$descriptor `,` $value attr-dict `:` type($descriptor)"


class TensorMapUpdateDimension(TensorMapBuffer, ABC):
    """A field that a tensor map has for each dimension; `ord` 0 is the innermost one."""

    ord = prop_def(IntegerAttr[I32])

    irdl_options = (ParsePropInAttrDict(),)

    def verify_(self) -> None:
        """A buffer of 128 bytes in shared memory, and a dimension of five."""
        super().verify_()
        if not 0 <= self.ord.value.data < _MAX_RANK:
            raise VerifyException(f"expected ord to be between 0 and {_MAX_RANK - 1}, got {self.ord.value.data}")


@irdl_op_definition
class TensorMapUpdateBoxDimOp(TensorMapUpdateDimension):
    """`nvgpu.tensormap.update.box_dim %map, %value {ord = 0 : i32} : memref<128xi8, 3>`: its box, sm_90a."""

    name = "nvgpu.tensormap.update.box_dim"

    descriptor = operand_def(MemRefType)
    value = operand_def(i32)

    assembly_format = "$descriptor `,` $value attr-dict `:` type($descriptor)"


@irdl_op_definition
class TensorMapUpdateElementStrideOp(TensorMapUpdateDimension):
    """`nvgpu.tensormap.update.element_stride %map, %value {ord = 0 : i32} : memref<128xi8, 3>`: steps, sm_90a."""

    name = "nvgpu.tensormap.update.element_stride"

    descriptor = operand_def(MemRefType)
    value = operand_def(i32)

    assembly_format = "$descriptor `,` $value attr-dict `:` type($descriptor)"
